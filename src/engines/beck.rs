//! A defender who always takes the cell with the greatest potential, and nothing else (Beck; Erdős and Selfridge).
//!
//! White completes a set if she can, takes away a threat if Black has one, and otherwise takes a cell through which the
//! weight of Black's live sets is greatest, 2^-m for a set that misses m cells (lemma 14 of docs/game.md, without its
//! condition). Where several are alike she may take any. If she holds so, she holds. If she does not, that says nothing:
//! another defender may.

use super::canon::Canon;
use super::engine::Engine;
use super::potential::ONE;
use crate::effort::memory::entries_of_map;
use crate::effort::{Halt, Limits};
use crate::game::position::{Arena, Position};
use ahash::AHashMap;
use harary_certificate::{
    Cell, CellSet,
    Player::{Black, White},
    Stones,
};

/// The search of Black's moves against this defender; the players alternate.
pub struct Beck<'a, const N: usize> {
    arena: &'a Arena<N>,
    position: Position<'a, N>,
    canon: &'a Canon,
    /// Whether Black wins with him to move.
    known: AHashMap<Stones<N>, bool>,
    most_entries: usize,
    limits: &'a Limits,
    nodes: u64,
}

impl<'a, const N: usize> Beck<'a, N> {
    /// For a game, with so many bytes for the table.
    pub fn new(arena: &'a Arena<N>, canon: &'a Canon, memory: usize, limits: &'a Limits) -> Beck<'a, N> {
        let most_entries = entries_of_map::<Stones<N>, bool>(memory);
        Beck { arena, position: Position::new(arena), canon, known: AHashMap::new(), most_entries, limits, nodes: 0 }
    }

    /// Whether this defender holds the game to its end.
    pub fn holds(&mut self) -> Result<bool, Halt> {
        self.position = Position::new(self.arena);
        Ok(!self.black()?)
    }

    /// Black's moves left.
    fn left(&self) -> usize {
        self.arena.schedule().black_moves(self.position.played(), usize::MAX)
    }

    fn out_of_time(&self, left: usize) -> bool {
        self.position.distance(Black).is_none_or(|distance| distance > left)
    }

    /// Whether Black, to move, wins against this defender.
    fn black(&mut self) -> Result<bool, Halt> {
        let (left, allowed) = (self.left(), self.position.allowed());
        if left > 0 && !(self.position.completions(Black) & allowed).is_empty() {
            return Ok(true);
        }
        let threats = self.position.completions(White);
        if self.out_of_time(left) || threats.len() > 1 {
            return Ok(false);
        }
        self.nodes += 1;
        self.limits.tick(self.nodes)?;
        let key = self.canon.canonical(&self.position.stones()).0;
        if let Some(&wins) = self.known.get(&key) {
            return Ok(wins);
        }
        let moves = if threats.is_empty() { allowed } else { allowed & threats };
        let mut wins = false;
        for cell in moves {
            self.position.play(cell, Black);
            let answer = self.white();
            self.position.undo(cell, Black);
            if answer? {
                wins = true;
                break;
            }
        }
        if self.known.len() < self.most_entries {
            self.known.insert(key, wins);
        }
        Ok(wins)
    }

    /// Whether Black wins with this defender to move.
    fn white(&mut self) -> Result<bool, Halt> {
        if self.out_of_time(self.left()) || !self.position.completions(White).is_empty() {
            return Ok(false);
        }
        Ok(self.holding()?.is_none())
    }

    /// The cells the defender chooses from.
    fn choices(&self) -> CellSet<N> {
        for forced in [self.position.completions(White), self.position.completions(Black)] {
            if !forced.is_empty() {
                return forced;
            }
        }
        let mut weights = vec![0u64; self.arena.cells()];
        for missing in 1..=self.arena.longest() {
            for set in self.position.live_sets(Black, missing) {
                for cell in self.position.missing_cells(set) {
                    weights[cell.index()] += ONE >> missing.min(40);
                }
            }
        }
        let allowed = self.position.allowed();
        let most = allowed.iter().map(|cell| weights[cell.index()]).max().unwrap_or(0);
        allowed.iter().filter(|cell| weights[cell.index()] == most).collect()
    }

    /// A move of the defender's after which Black does not win.
    fn holding(&mut self) -> Result<Option<Cell>, Halt> {
        for cell in self.choices() & self.position.allowed() {
            self.position.play(cell, White);
            let answer = if self.position.winner().is_some() { Ok(false) } else { self.black() };
            self.position.undo(cell, White);
            if !answer? {
                return Ok(Some(cell));
            }
        }
        Ok(None)
    }
}

impl<const N: usize> Engine<N> for Beck<'_, N> {
    /// He plays White only.
    fn winning_move(&mut self, _stones: Stones<N>, _until: usize) -> Result<Option<Cell>, Halt> {
        Ok(None)
    }

    fn holding_move(&mut self, stones: Stones<N>, _until: usize) -> Result<Option<Cell>, Halt> {
        self.position = Position::with_stones(self.arena, stones);
        self.holding()
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
