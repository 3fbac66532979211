//! The proof-number search of a game's rule, behind one face: it looks at positions, decides them, and knows its moves.

use super::tree::{Eye, State, to_move};
use crate::effort::{Halt, Limits};
use crate::engines::dfpn::ProofNumberSearch;
use crate::engines::engine::Engine;
use crate::engines::maker_breaker::{Finding, MakerBreaker};
use crate::engines::numbers::{Choice, Numbers};
use crate::game::Game;
use crate::settle::workbench::{Shares, Workbench};
use harary_certificate::{Cell, Rule, Stones, WIDE};

/// One thread's search of a game.
pub enum Prober<'b, const N: usize> {
    /// Of the weak game.
    Weak(Box<MakerBreaker<'b, N>>),
    /// Of the strong game.
    Strong(Box<ProofNumberSearch<'b, N>>),
}

/// The tables of a worker or a master, with so many bytes for them.
pub fn workbench<const N: usize>(game: &Game, memory: usize, threads: usize) -> Workbench<N> {
    let lemmas = memory / 4;
    let shares = match game.rule() {
        Rule::Weak => Shares { weak: memory - lemmas, lemmas, ..Shares::default() },
        Rule::Strong => Shares { proof: memory / 2, weak: memory / 4, lemmas, ..Shares::default() },
    };
    Workbench::new(game, &game.symmetries(), shares, threads).by_stones()
}

impl<'b, const N: usize> Prober<'b, N> {
    /// A search with the tables of this bench.
    pub fn new(bench: &'b Workbench<N>, limits: &Limits) -> Prober<'b, N> {
        match bench.game.rule() {
            Rule::Weak => Prober::Weak(Box::new(bench.maker_breaker(limits))),
            Rule::Strong => Prober::Strong(Box::new(bench.proof_numbers(limits))),
        }
    }

    /// Stops at these limits from now on.
    pub fn limit(&mut self, limits: &Limits) {
        match self {
            Prober::Weak(search) => search.limit(limits.clone()),
            Prober::Strong(search) => search.limit(limits),
        }
    }

    /// Decides a position; it is open if its numbers reach `limit`.
    pub fn find(&mut self, stones: Stones<N>, limit: Numbers) -> Result<Finding<N>, Halt> {
        match self {
            Prober::Weak(search) => search.find(to_move(&stones.resized()), stones, limit),
            Prober::Strong(search) => search.find(stones, limit),
        }
    }

    /// What is seen of a position, or known of it by the tables.
    fn sight(&mut self, stones: Stones<N>) -> Finding<N> {
        match self {
            Prober::Weak(search) => search.sight(to_move(&stones.resized()), stones),
            Prober::Strong(search) => search.sight(stones),
        }
    }

    /// The numbers of a position that a search has left undecided: what its moves lead to is known better than itself.
    pub fn numbers(&mut self, stones: Stones<N>, cells: usize) -> Numbers {
        let player = to_move(&stones.resized());
        let empty = harary_certificate::CellSet::first_cells(cells) - stones.occupied();
        let after = |cell| match self.sight(stones.with(player, cell)) {
            Finding::Open(numbers) => Some((numbers, false)),
            _ => None,
        };
        let open: Vec<(Numbers, bool)> = empty.iter().filter_map(after).collect();
        if open.is_empty() { Numbers::UNIT } else { Choice::among(player, open).numbers }
    }
}

impl<const N: usize> Eye for Prober<'_, N> {
    fn look(&mut self, stones: &Stones<WIDE>) -> State {
        match self.sight(stones.resized()) {
            Finding::Won { .. } => State::Won,
            Finding::Held { zone, .. } => State::Held(zone.resized()),
            Finding::Open(numbers) => State::Open(numbers),
        }
    }
}

/// Jobs ask who wins at all, so the turn asked for does not count.
impl<const N: usize> Engine<N> for Prober<'_, N> {
    fn winning_move(&mut self, stones: Stones<N>, _until: usize) -> Result<Option<Cell>, Halt> {
        match self {
            Prober::Weak(search) => search.winning_move(stones, usize::MAX),
            Prober::Strong(search) => search.winning_move(stones, usize::MAX),
        }
    }

    fn holding_move(&mut self, stones: Stones<N>, _until: usize) -> Result<Option<Cell>, Halt> {
        match self {
            Prober::Weak(search) => search.holding_move(stones, usize::MAX),
            Prober::Strong(search) => search.holding_move(stones, usize::MAX),
        }
    }

    fn knows_hold(&mut self, stones: Stones<N>) -> bool {
        match self {
            Prober::Weak(search) => search.knows_hold(stones),
            Prober::Strong(search) => search.knows_hold(stones),
        }
    }

    fn nodes(&self) -> u64 {
        match self {
            Prober::Weak(search) => search.nodes(),
            Prober::Strong(search) => search.nodes(),
        }
    }
}

/// Any engine, behind a pointer: what asks one is then compiled once for all that a farm has.
pub struct Asked<'a, const N: usize>(pub &'a mut dyn Engine<N>);

impl<const N: usize> Engine<N> for Asked<'_, N> {
    fn winning_move(&mut self, stones: Stones<N>, until: usize) -> Result<Option<Cell>, Halt> {
        self.0.winning_move(stones, until)
    }

    fn holding_move(&mut self, stones: Stones<N>, until: usize) -> Result<Option<Cell>, Halt> {
        self.0.holding_move(stones, until)
    }

    fn knows_hold(&mut self, stones: Stones<N>) -> bool {
        self.0.knows_hold(stones)
    }

    fn nodes(&self) -> u64 {
        self.0.nodes()
    }
}
