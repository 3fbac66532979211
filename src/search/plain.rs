//! The plain exhaustive searcher, the "naive twin": the rules of the game and nothing else.
//!
//! No symmetry, no forced moves, no bound but the end of the game, and positions remembered by their stones. Every
//! engine is tested against it; it is for small boards only. It works on [`Game`] and wide sets, not on the tables
//! the engines share, so that a mistake there does not repeat itself here.

use super::{Halt, Limits};
use crate::cell::Cell;
use crate::cell_set::{CellSet, WideSet};
use crate::game::Game;
use crate::player::Player;
use ahash::AHashMap;

/// What the twin found: the least turn by which Black forces a win, if he does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plain {
    pub win_turn: Option<usize>,
    pub nodes: u64,
}

/// Settles the game from its start.
pub fn solve(game: &Game, limits: &Limits) -> Result<Plain, Halt> {
    let mut twin = Twin::new(game, limits);
    let win_turn = twin.win_turn(*game.black_start(), *game.white_start())?;
    Ok(Plain { win_turn, nodes: twin.nodes })
}

/// Plain search from any position of a game, with its memory.
pub struct Twin<'a> {
    game: &'a Game,
    limits: &'a Limits,
    known: AHashMap<(WideSet, WideSet), Option<u16>>,
    nodes: u64,
}

impl<'a> Twin<'a> {
    pub fn new(game: &'a Game, limits: &'a Limits) -> Twin<'a> {
        Twin { game, limits, known: AHashMap::new(), nodes: 0 }
    }

    /// The least turn (counted from the start of the game) by which Black forces a win from a position in which
    /// nobody has won yet; `None` if he does not.
    pub fn win_turn(&mut self, black: WideSet, white: WideSet) -> Result<Option<usize>, Halt> {
        if let Some(&known) = self.known.get(&(black, white)) {
            return Ok(known.map(usize::from));
        }
        self.nodes += 1;
        self.limits.tick(self.nodes)?;
        let start = *self.game.black_start() | *self.game.white_start();
        let played = ((black | white) - start).len();
        let empty = CellSet::first_cells(self.game.vertices()) - black - white;
        let moves = self.game.allowed(played, empty);
        let found = match self.game.schedule().player_after(played) {
            None => None,
            Some(Player::Black) => self.best_for_black(black, white, moves, played + 1)?,
            Some(Player::White) => self.best_for_white(black, white, moves)?,
        };
        self.known.insert((black, white), found.map(|turn| turn as u16));
        Ok(found)
    }

    fn best_for_black(
        &mut self,
        black: WideSet,
        white: WideSet,
        moves: WideSet,
        turn: usize,
    ) -> Result<Option<usize>, Halt> {
        let completes = |cell: Cell| self.game.black_sets().iter().any(|set| set.is_subset(&black.with(cell)));
        if moves.iter().any(completes) {
            return Ok(Some(turn));
        }
        let mut best = None;
        for cell in moves {
            if let Some(found) = self.win_turn(black.with(cell), white)? {
                best = Some(best.map_or(found, |known: usize| known.min(found)));
            }
        }
        Ok(best)
    }

    fn best_for_white(&mut self, black: WideSet, white: WideSet, moves: WideSet) -> Result<Option<usize>, Halt> {
        let completes = |cell: Cell| self.game.white_sets().iter().any(|set| set.is_subset(&white.with(cell)));
        if moves.iter().any(completes) {
            return Ok(None);
        }
        let mut latest = None;
        for cell in moves {
            match self.win_turn(black, white.with(cell))? {
                None => return Ok(None),
                Some(found) => latest = latest.max(Some(found)),
            }
        }
        Ok(latest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Topology};
    use crate::player::Rule;
    use crate::shape::Shape;

    fn win_turn(rows: &str, board: &str, topology: Topology, rule: Rule) -> Option<usize> {
        let board = Board::parse(board, topology).unwrap();
        let game = Game::new(Shape::from_rows(rows).unwrap(), board, rule);
        solve(&game, &Limits::none()).unwrap().win_turn
    }

    #[test]
    fn tic_tac_toe_without_diagonals() {
        use Topology::*;
        assert_eq!(win_turn("XXX", "3x3", Plain, Rule::Strong), None);
        assert_eq!(win_turn("X./XX", "3x3", Plain, Rule::Strong), Some(5));
        assert_eq!(win_turn("XX", "2x2", Plain, Rule::Strong), Some(3));
        assert_eq!(win_turn("X", "1x1", Plain, Rule::Weak), Some(1));
        assert_eq!(win_turn("XX", "1x2", Plain, Rule::Weak), None);
    }
}
