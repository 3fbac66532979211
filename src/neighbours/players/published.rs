//! The tables of the report on changed rules of tic-tac-toe (2024): one game each of minimax against minimax or against
//! blocking, by depth. J1: the first player wins, E: a draw.

use super::contest::Rule;
use super::player::Player;

/// One game of a table, and how it ended there.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Game {
    /// Which table.
    pub table: &'static str,
    /// The rule.
    pub rule: Rule,
    /// The side of the board.
    pub side: usize,
    /// The depth of both players.
    pub depth: usize,
    /// Who begins, and who follows.
    pub players: [Player; 2],
    /// What the first player gained.
    pub gain: i32,
}

/// All games of all tables, row by row.
pub fn games() -> Vec<Game> {
    let mut games = Vec::new();
    let mut rows = |table, rule, follows: fn(usize) -> Player, rows: &[(usize, &str)]| {
        for &(side, results) in rows {
            for (depth, result) in (1..).zip(results.split(' ')) {
                let players = [Player::Minimax(depth), follows(depth)];
                games.push(Game { table, rule, side, depth, players, gain: i32::from(result == "J1") });
            }
        }
    };
    let modular = &[(3, "J1 J1 J1 J1 J1"), (6, "E E E E E"), (7, "E E E E E")];
    rows("generalised", Rule::Modular, Player::Blocking, modular);
    let no_diagonals = &[(3, "E E E E E E E"), (5, "E E E E E E E"), (7, "E E E E E E E")];
    rows("no diagonals", Rule::NoDiagonals, Player::Minimax, no_diagonals);
    let modular = &[(3, "J1 J1 J1 J1 J1"), (5, "J1 E E E E"), (7, "J1 E E E E")];
    rows("modular", Rule::Modular, Player::Minimax, modular);
    games
}

/// A result as the report writes it.
pub fn result(gain: i32) -> &'static str {
    match gain {
        1.. => "J1",
        0 => "E",
        _ => "J2",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_are_whole() {
        let games = games();
        assert_eq!(games.len(), 15 + 21 + 15);
        let won = |table: &str| games.iter().filter(|game| game.table == table && game.gain == 1).count();
        assert_eq!(["generalised", "no diagonals", "modular"].map(won), [5, 0, 7]);
        assert!([(1, "J1"), (0, "E"), (-1, "J2")].iter().all(|(gain, name)| result(*gain) == *name));
    }
}
