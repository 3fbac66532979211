//! The defender: two searches of the weak game, taking turns.
//!
//! The blocking search generalises what it finds and falls upon a short block at once where there is one; the
//! Maker-Breaker search is fast and follows its numbers into the deep. Each game is easy for one of them and nobody knows
//! for which, so they work in slices that double; both go on where they were.

use super::{ByNodes, Evidence};
use crate::blocking::{BlockOutcome, Blocker};
use crate::certificate::Claim;
use crate::game::Game;
use crate::player::Rule;
use crate::position::Arena;
use crate::prover::{ProofError, prove};
use crate::search::maker_breaker::{MakerBreaker, Shared};
use crate::search::{Halt, Limits};
use std::sync::atomic::{AtomicU16, Ordering};

/// Nodes of the blocking search in the first slice. Each of its nodes, with its pavings and lemmas, takes about as long
/// as `LIGHT` nodes of the other.
const FIRST_SLICE: u64 = 1 << 10;
const LIGHT: u64 = 8;

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

    /// Goes on until the weak game is decided or a limit is reached. `unpaved` is kept at the number of White moves after
    /// which she is known to have no paving.
    pub fn work(&mut self, limits: &Limits, unpaved: &AtomicU16) -> Result<Defence, ProofError> {
        while limits.check_now().is_ok() {
            let slice = limits.part(Some(self.slice));
            let mut observer = |moves, _| unpaved.store(moves, Ordering::Relaxed);
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
        unpaved: &AtomicU16,
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
            let blocked = blocker.work(&part, &mut |moves, _| unpaved.store(moves, Ordering::Relaxed));
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
