//! The defender: two searches of the weak game, taking turns.
//!
//! The blocking search generalises what it finds and falls upon a short block at once where there is one; the
//! Maker-Breaker search is fast and follows its numbers into the deep. Each game is easy for one of them and nobody knows
//! for which, so they work in slices that double; both go on where they were.

use super::{ByNodes, Evidence};
use crate::blocking::{BlockOutcome, Blocker, Statistics};
use crate::cell::Cell;
use crate::certificate::Claim;
use crate::game::Game;
use crate::player::Rule;
use crate::position::Arena;
use crate::prover::{ProofError, prove};
use crate::search::maker_breaker::{MakerBreaker, Shared};
use crate::search::{Halt, Limits};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Nodes of the blocking search in the first slice. Each of its nodes, with its pavings and lemmas, takes about as long
/// as `LIGHT` nodes of the other.
const FIRST_SLICE: u64 = 1 << 10;
const LIGHT: u64 = 16;

/// A level the blocking search is done with: White has no paving after so many moves of hers.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    pub moves: u16,
    /// Done up to then: positions, questions to the SAT solver, and the time since the start.
    pub nodes: u64,
    pub calls: u64,
    pub elapsed: Duration,
}

/// How far the blocking search is, to be read by others while it runs.
pub struct Ledger {
    started: Instant,
    levels: Mutex<Vec<Level>>,
}

impl Ledger {
    pub fn new() -> Ledger {
        Ledger { started: Instant::now(), levels: Mutex::default() }
    }

    /// The levels done.
    pub fn levels(&self) -> Vec<Level> {
        self.levels.lock().map_or_else(|poisoned| poisoned.into_inner().clone(), |levels| levels.clone())
    }

    /// How many White moves are known not to be enough.
    pub fn unpaved(&self) -> Option<u16> {
        self.levels().last().map(|level| level.moves)
    }

    fn add(&self, moves: u16, done: Statistics) {
        let level = Level { moves, nodes: done.nodes, calls: done.calls, elapsed: self.started.elapsed() };
        self.levels.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(level);
    }
}

/// How far the defender came with a game that is not settled.
#[derive(Clone, Debug)]
pub struct DefenceReport {
    pub levels: Vec<Level>,
    /// Black's first moves, one of each kind: those the weak game is held against, those that win it, and the others.
    pub held: Vec<Cell>,
    pub winning: Vec<Cell>,
    pub open: Vec<Cell>,
}

impl DefenceReport {
    pub fn new<const N: usize>(game: &Game, shared: &Shared<N>, ledger: &Ledger) -> DefenceReport {
        let mut report =
            DefenceReport { levels: ledger.levels(), held: Vec::new(), winning: Vec::new(), open: Vec::new() };
        for (cell, wins) in MakerBreaker::new(game, shared).first_moves() {
            match wins {
                Some(true) => report.winning.push(cell),
                Some(false) => report.held.push(cell),
                None => report.open.push(cell),
            }
        }
        report
    }
}

/// What the defender found.
pub enum Defence {
    /// White holds the weak game, and so the strong one.
    Hold { engine: &'static str, evidence: Box<dyn Evidence> },
    /// Black wins the weak game, which says nothing of the strong one; by which turn at the latest, if the rule is weak.
    Win { engine: &'static str, evidence: Option<(usize, Box<dyn Evidence>)> },
    /// Stopped.
    Open,
}

pub struct Defender<'a, const N: usize> {
    game: &'a Game,
    /// Of the weak form of the game.
    arena: &'a Arena<N>,
    blocker: Blocker<'a, N>,
    shared: &'a Shared<'a, N>,
    maker_breaker: MakerBreaker<'a, N>,
    slice: u64,
}

/// The names of the two, as told to users.
const BLOCKING: &str = "blocking";
const MAKER_BREAKER: &str = "maker-breaker";

impl<'a, const N: usize> Defender<'a, N> {
    pub fn new(game: &'a Game, arena: &'a Arena<N>, shared: &'a Shared<'a, N>) -> Defender<'a, N> {
        Defender {
            game,
            arena,
            blocker: Blocker::new(game, arena),
            shared,
            maker_breaker: MakerBreaker::new(game, shared),
            slice: FIRST_SLICE,
        }
    }

    /// Goes on until the weak game is decided or a limit is reached. Levels done are added to the ledger.
    pub fn work(&mut self, limits: &Limits, ledger: &Ledger) -> Result<Defence, ProofError> {
        while limits.check_now().is_ok() {
            let slice = limits.part(Some(self.slice));
            let mut observer = |moves, done| ledger.add(moves, done);
            let found = self.blocker.work(&slice, &mut observer).map_err(|_| ProofError::LostLemma)?;
            if let Some(defence) = self.blocked(found) {
                return Ok(defence);
            }
            self.maker_breaker.limit(limits.part(Some(LIGHT * self.slice)));
            if let Ok(wins) = self.maker_breaker.wins() {
                return self.decided(wins, limits);
            }
            self.slice = self.slice.saturating_mul(2);
        }
        Ok(Defence::Open)
    }

    /// The same with a thread for the blocking search, and all others for the Maker-Breaker search.
    pub fn work_together(
        &mut self,
        threads: usize,
        limits: &Limits,
        ledger: &Ledger,
    ) -> Result<Defence, ProofError> {
        let part = limits.part(None);
        let Defender { game, blocker, shared, .. } = self;
        let (blocked, wins) = std::thread::scope(|scope| {
            let search = || {
                let mut maker_breaker = MakerBreaker::new(game, shared);
                maker_breaker.limit(part.clone());
                let wins = maker_breaker.wins().ok();
                part.stop();
                wins
            };
            let searches: Vec<_> = (1..threads).map(|_| scope.spawn(search)).collect();
            let blocked = blocker.work(&part, &mut |moves, done| ledger.add(moves, done));
            part.stop();
            let joined = searches.into_iter().map(|search| search.join().unwrap_or_else(|p| std::panic::resume_unwind(p)));
            (blocked, joined.flatten().next())
        });
        if let Some(defence) = self.blocked(blocked.map_err(|_| ProofError::LostLemma)?) {
            return Ok(defence);
        }
        wins.map_or(Ok(Defence::Open), |wins| self.decided(wins, limits))
    }

    fn blocked(&self, outcome: BlockOutcome) -> Option<Defence> {
        match outcome {
            BlockOutcome::Hold { proof, .. } => {
                Some(Defence::Hold { engine: BLOCKING, evidence: Box::new(ByNodes(proof)) })
            }
            BlockOutcome::Win { turn, proof } => {
                let evidence = (self.game.rule() == Rule::Weak).then(|| (turn, Box::new(ByNodes(proof)) as _));
                Some(Defence::Win { engine: BLOCKING, evidence })
            }
            BlockOutcome::Unknown { .. } => None,
        }
    }

    /// Writes down what the Maker-Breaker search knows.
    fn decided(&mut self, wins: bool, limits: &Limits) -> Result<Defence, ProofError> {
        self.maker_breaker.limit(limits.clone());
        let engine = MAKER_BREAKER;
        if wins && self.game.rule() == Rule::Strong {
            return Ok(Defence::Win { engine, evidence: None });
        }
        let found = if wins {
            let last = self.game.schedule().len();
            prove(self.game, self.arena, &mut self.maker_breaker, Claim::Win(last)).map(|strategy| {
                let turn = match strategy.claim() {
                    Claim::Win(turn) => turn,
                    Claim::Hold(_) => last,
                };
                Defence::Win { engine, evidence: Some((turn, Box::new(strategy))) }
            })
        } else {
            let proof = self.blocker.block_by(&mut self.maker_breaker, limits);
            proof.map(|proof| Defence::Hold { engine, evidence: Box::new(ByNodes(Box::new(proof))) })
        };
        match found {
            Err(ProofError::Halt(Halt)) => Ok(Defence::Open),
            found => found,
        }
    }
}
