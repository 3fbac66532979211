//! The plain exhaustive searcher, the "naive twin": the rules of the game and nothing else.
//!
//! No symmetry, no forced moves, no bound but the end of the game, and positions remembered by their stones. Every
//! engine is tested against it; it is for small boards only. It reads the winning sets off the [`Game`] and
//! shares no tables with the engines, so that a mistake there does not repeat itself here.

use super::engine::Engine;
use crate::effort::memory::entries_of_map;
use crate::effort::{Halt, Limits};
use crate::game::Game;
use ahash::AHashMap;
use harary_certificate::{Cell, CellSet, Player, Schedule, Stones, WIDE};

/// What the twin found: the least turn by which Black forces a win, if he does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plain {
    /// The turn.
    pub win_turn: Option<usize>,
    /// Positions looked at.
    pub nodes: u64,
}

/// Settles the game from its start.
pub fn solve(game: &Game, limits: &Limits) -> Result<Plain, Halt> {
    if game.vertices() <= CellSet::<1>::CAPACITY { solve_in::<1>(game, limits) } else { solve_in::<WIDE>(game, limits) }
}

fn solve_in<const N: usize>(game: &Game, limits: &Limits) -> Result<Plain, Halt> {
    let mut twin = Twin::<N>::new(game, limits);
    let win_turn = twin.win_turn(Stones::new(game.black_start().resized(), game.white_start().resized()))?;
    Ok(Plain { win_turn, nodes: twin.nodes })
}

/// Plain search from any position of a game, with its memory.
pub struct Twin<'a, const N: usize> {
    limits: &'a Limits,
    schedule: &'a Schedule,
    vertices: CellSet<N>,
    first: CellSet<N>,
    start: CellSet<N>,
    black_sets: Vec<CellSet<N>>,
    white_sets: Vec<CellSet<N>>,
    known: AHashMap<Stones<N>, Option<u16>>,
    /// It remembers so many positions.
    most_known: usize,
    nodes: u64,
}

impl<'a, const N: usize> Twin<'a, N> {
    /// A twin for `game`, whose vertices `N` words must hold.
    pub fn new(game: &'a Game, limits: &'a Limits) -> Twin<'a, N> {
        let vertices = CellSet::first_cells(game.vertices());
        Twin {
            limits,
            schedule: game.schedule(),
            vertices,
            first: game.first().map_or(vertices, |first| first.resized()),
            start: (*game.black_start() | *game.white_start()).resized(),
            black_sets: game.black_sets().iter().map(|set| set.resized()).collect(),
            white_sets: game.white_sets().iter().map(|set| set.resized()).collect(),
            known: AHashMap::new(),
            most_known: usize::MAX,
            nodes: 0,
        }
    }

    /// The same with so many bytes for what it remembers.
    pub fn within(self, bytes: usize) -> Twin<'a, N> {
        Twin { most_known: entries_of_map::<Stones<N>, Option<u16>>(bytes), ..self }
    }

    /// The least turn (counted from the start of the game) by which Black forces a win from a position in which
    /// nobody has won yet; `None` if he does not.
    pub fn win_turn(&mut self, stones: Stones<N>) -> Result<Option<usize>, Halt> {
        if let Some(&known) = self.known.get(&stones) {
            return Ok(known.map(usize::from));
        }
        self.nodes += 1;
        self.limits.tick(self.nodes)?;
        let played = (stones.occupied() - self.start).len();
        let moves = self.moves(stones);
        let found = match self.schedule.player_after(played) {
            None => None,
            Some(Player::Black) => self.best_for_black(stones, moves, played + 1)?,
            Some(Player::White) => self.best_for_white(stones, moves)?,
        };
        if self.known.len() < self.most_known {
            self.known.insert(stones, found.map(|turn| turn as u16));
        }
        Ok(found)
    }

    fn moves(&self, stones: Stones<N>) -> CellSet<N> {
        let empty = self.vertices - stones.occupied();
        if (stones.occupied() - self.start).is_empty() { empty & self.first } else { empty }
    }

    fn completed(sets: &[CellSet<N>], stones: CellSet<N>) -> bool {
        sets.iter().any(|set| set.is_subset(&stones))
    }

    fn best_for_black(&mut self, stones: Stones<N>, moves: CellSet<N>, turn: usize) -> Result<Option<usize>, Halt> {
        if moves.iter().any(|cell| Self::completed(&self.black_sets, stones.black.with(cell))) {
            return Ok(Some(turn));
        }
        let mut best = None;
        for cell in moves {
            if let Some(found) = self.win_turn(stones.with(Player::Black, cell))? {
                best = Some(best.map_or(found, |known: usize| known.min(found)));
            }
        }
        Ok(best)
    }

    fn best_for_white(&mut self, stones: Stones<N>, moves: CellSet<N>) -> Result<Option<usize>, Halt> {
        if moves.iter().any(|cell| Self::completed(&self.white_sets, stones.white.with(cell))) {
            return Ok(None);
        }
        let mut latest = None;
        for cell in moves {
            match self.win_turn(stones.with(Player::White, cell))? {
                None => return Ok(None),
                Some(found) => latest = latest.max(Some(found)),
            }
        }
        Ok(latest)
    }
}

impl<const N: usize> Engine<N> for Twin<'_, N> {
    fn winning_move(&mut self, stones: Stones<N>, until: usize) -> Result<Option<Cell>, Halt> {
        for cell in self.moves(stones) {
            let after = stones.with(Player::Black, cell);
            if Self::completed(&self.black_sets, after.black) || self.win_turn(after)?.is_some_and(|turn| turn <= until)
            {
                return Ok(Some(cell));
            }
        }
        Ok(None)
    }

    fn holding_move(&mut self, stones: Stones<N>, until: usize) -> Result<Option<Cell>, Halt> {
        for cell in self.moves(stones) {
            let after = stones.with(Player::White, cell);
            if Self::completed(&self.white_sets, after.white) || self.win_turn(after)?.is_none_or(|turn| turn > until) {
                return Ok(Some(cell));
            }
        }
        Ok(None)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use harary_certificate::{Board, Rule, Shape, Topology};

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
