//! What counting stones says without a search.

use crate::game::Game;
use harary_certificate::Player;

/// How many stones Black needs at least.
pub fn stones_needed(game: &Game) -> usize {
    let live = game.black_sets().iter().filter(|set| set.is_disjoint(game.white_start()));
    live.map(|set| (*set - *game.black_start()).len()).min().unwrap_or(usize::MAX)
}

/// That counting alone rules out a win by this turn (Lemma 3), in words; `None` if it does not.
pub fn refuted_by_counting(game: &Game, turn: usize) -> Option<String> {
    let (moves, needed) = (game.schedule().black_moves(0, turn), stones_needed(game));
    match needed {
        usize::MAX => Some("he has no set to complete".to_owned()),
        _ if moves >= needed => None,
        _ => Some(format!("Black needs {needed} stones and has {moves} by then")),
    }
}

/// The turns of Black's up to `last`.
pub fn black_turns(game: &Game, last: usize) -> impl DoubleEndedIterator<Item = usize> {
    (1..=last).filter(|&turn| game.schedule().player_after(turn - 1) == Some(Player::Black))
}

/// The last turn of Black's up to `last` by which he cannot have enough stones: no search is needed to know that.
pub fn refuted_by_distance(game: &Game, last: usize) -> Option<usize> {
    let needed = stones_needed(game);
    black_turns(game, last).take_while(|&turn| game.schedule().black_moves(0, turn) < needed).last()
}

#[cfg(test)]
mod tests {
    use super::*;
    use harary_certificate::{Board, Rule, Shape, Topology};

    #[test]
    fn counting_says_what_the_distance_says() {
        let board = Board::new(3, 3, Topology::Plain).unwrap();
        for rows in ["XX", "XXX", "XX/XX", "XXXX"] {
            let game = Game::new(Shape::from_rows(rows).unwrap(), board, Rule::Strong);
            let counted = (1..=9).take_while(|&turn| refuted_by_counting(&game, turn).is_some()).last();
            let searched = refuted_by_distance(&game, 9);
            // The turn after Black's last one is White's, and changes nothing.
            assert_eq!(counted.map(|turn| (turn - 1) | 1), searched, "{rows}");
        }
        let el = Game::new(Shape::from_rows("X./XX").unwrap(), board, Rule::Strong);
        assert_eq!(refuted_by_counting(&el, 4).as_deref(), Some("Black needs 3 stones and has 2 by then"));
        assert_eq!(refuted_by_counting(&el, 5), None);
    }
}
