//! The baseline engine: AND/OR search with forced moves, the distance bound, an ordering and a table, nothing more.
//!
//! It is what the other engines are measured against, and it takes any turn schedule: several stones a turn,
//! handicaps, `.pg` games. A position is identified by its stones, which fix the turn.

use super::canon::Canon;
use super::engine::Engine;
use super::ordering::{Ordering, pick};
use super::table::{Knowledge, Table};
use crate::effort::{Halt, Limits};
use crate::game::position::{Arena, Position};
use harary_certificate::{
    Cell, CellSet,
    Player::{self, Black, White},
    Stones,
};

/// One search.
pub struct Baseline<'a, const N: usize> {
    arena: &'a Arena<N>,
    position: Position<'a, N>,
    table: &'a Table<N>,
    canon: &'a Canon,
    limits: &'a Limits,
    nodes: u64,
    ordering: Ordering,
}

impl<'a, const N: usize> Baseline<'a, N> {
    /// An engine for a game, with a table of its own or another's.
    pub fn new(arena: &'a Arena<N>, table: &'a Table<N>, canon: &'a Canon, limits: &'a Limits) -> Baseline<'a, N> {
        Baseline {
            arena,
            position: Position::new(arena),
            table,
            canon,
            limits,
            nodes: 0,
            ordering: Ordering::new(arena.cells()),
        }
    }

    /// Whether Black forces a win by turn `until` from the start of the game.
    pub fn wins_by(&mut self, until: usize) -> Result<bool, Halt> {
        self.position = Position::new(self.arena);
        self.wins(until)
    }

    /// Whether Black forces a win by turn `until` from the position on the board.
    fn wins(&mut self, until: usize) -> Result<bool, Halt> {
        let Some(player) = self.position.to_move() else { return Ok(false) };
        let left = self.arena.schedule().black_moves(self.position.played(), until);
        let allowed = self.position.allowed();
        if !(self.position.completions(player) & allowed).is_empty() {
            return Ok(player == Black && left > 0);
        }
        if self.position.distance(Black).is_none_or(|distance| distance > left) {
            return Ok(false);
        }
        // The opponent completes next turn, unless this stone, the last before it, blocks (docs/game.md, lemma 2).
        let mut moves = allowed;
        let next = self.arena.schedule().player_after(self.position.played() + 1);
        if next == Some(player.other()) {
            let threats = self.position.completions(player.other());
            if threats.len() > 1 {
                return Ok(player == White);
            }
            if !threats.is_empty() {
                moves &= threats;
            }
        }
        self.nodes += 1;
        self.limits.tick(self.nodes)?;
        let (stones, number) = self.canon.canonical(&self.position.stones());
        let known = self.table.get(&stones).unwrap_or(Knowledge::NOTHING);
        if usize::from(known.refuted) >= left {
            return Ok(false);
        }
        if known.win > 0 && usize::from(known.win) <= left {
            return Ok(true);
        }
        let before = self.nodes;
        let best = known.best.map(|cell| self.canon.inverse(number).cell(cell));
        let decided = self.decide(player, moves, left, until, best)?;
        let wins = decided.is_some() == (player == Black);
        let mut knowledge = known;
        // What does not fit is said as far as it does: a win with more moves than that not at all.
        match (wins, u8::try_from(left)) {
            (true, Ok(left)) => knowledge.win = left,
            (true, Err(_)) => {}
            (false, left) => knowledge.refuted = left.unwrap_or(u8::MAX),
        }
        knowledge.best = decided.map(|cell| self.canon.symmetry(number).cell(cell)).or(known.best);
        self.table.put(&stones, &knowledge, self.nodes - before + 1);
        Ok(wins)
    }

    /// A move after which `player` has what he wants, the likely ones first.
    fn decide(
        &mut self,
        player: Player,
        moves: CellSet<N>,
        left: usize,
        until: usize,
        best: Option<Cell>,
    ) -> Result<Option<Cell>, Halt> {
        self.ordering.weigh(&self.position, left);
        let mut list = self.ordering.scored(player, moves, best);
        let mut found = Ok(None);
        for place in 0..list.len() {
            let cell = pick(&mut list, place);
            self.position.play(cell, player);
            let answer = self.wins(until);
            self.position.undo(cell, player);
            match answer {
                Ok(wins) if wins != (player == Black) => continue,
                Ok(_) => found = Ok(Some(cell)),
                Err(halt) => found = Err(halt),
            }
            break;
        }
        self.ordering.recycle(list);
        found
    }

    /// A move after which `player` has what he wants, in the order of the cells.
    fn moved(&mut self, player: Player, until: usize) -> Result<Option<Cell>, Halt> {
        for cell in self.position.allowed() {
            self.position.play(cell, player);
            let answer = match self.position.winner() {
                Some(winner) => Ok(winner == Black),
                None => self.wins(until),
            };
            self.position.undo(cell, player);
            if answer? == (player == Black) {
                return Ok(Some(cell));
            }
        }
        Ok(None)
    }
}

impl<const N: usize> Engine<N> for Baseline<'_, N> {
    fn winning_move(&mut self, stones: Stones<N>, until: usize) -> Result<Option<Cell>, Halt> {
        self.position = Position::with_stones(self.arena, stones);
        let schedule = self.arena.schedule();
        // Short wins make short proofs.
        for limit in self.position.played() + 1..=until {
            if schedule.player_after(limit - 1) == Some(Black) && self.wins(limit)? {
                return self.moved(Black, limit);
            }
        }
        Ok(None)
    }

    fn holding_move(&mut self, stones: Stones<N>, until: usize) -> Result<Option<Cell>, Halt> {
        self.position = Position::with_stones(self.arena, stones);
        self.moved(White, until)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
