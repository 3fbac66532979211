//! What counting stones says without a search.

use crate::game::Game;
use harary_certificate::Player;

/// How many stones Black needs at least.
pub fn stones_needed(game: &Game) -> usize {
    let live = game.black_sets().iter().filter(|set| set.is_disjoint(game.white_start()));
    live.map(|set| (*set - *game.black_start()).len()).min().unwrap_or(usize::MAX)
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
