//! The defender: two searches of the weak game, taking turns, and one of the strong game after them.
//!
//! The blocking search generalises what it finds and falls upon a short block at once where there is one; the
//! Maker-Breaker search is fast and follows its numbers into the deep. Each game is easy for one of them and nobody knows
//! for which, so they work in slices that double; both go on where they were. If Black wins the weak game and the rule is
//! strong, White may still hold by threats of her own: that is left to two proof-number searches, which take turns as well.
//! One asks the Maker-Breaker search about every new position, and finds holds; the other goes where Black threatens most,
//! and finds long wins: 4cells3 6x6 in 9,937 nodes, where the first takes 375,808 (2026-11-18).

use super::distance::black_turns;
use super::outcome::{Claimed, DefenceReport, Level};
use super::workbench::{NumberedSearch, Workbench};
use crate::effort::tuning::slices::{DEAR_THREATS, FIRST_SLICE, LIGHT};
use crate::effort::{Halt, Limits, Meter};
use crate::engines::blocking::Statistics;
use crate::engines::dfpn::ProofNumberSearch;
use crate::engines::engine::Engine;
use crate::engines::maker_breaker::MakerBreaker;
use crate::evidence::Evidence;
use crate::evidence::blocker::{BlockOutcome, Blocker};
use crate::evidence::opened::strongly;
use crate::evidence::strategy::ProofError;
use crate::game::Game;
use crate::game::position::Arena;
use harary_certificate::{Cell, Claim, Rule};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// How far the blocking search is, to be read by others while it runs.
pub struct Ledger {
    started: Instant,
    levels: Mutex<Vec<Level>>,
    weak_win: AtomicBool,
}

impl Ledger {
    pub fn new() -> Ledger {
        Ledger { started: Instant::now(), levels: Mutex::default(), weak_win: AtomicBool::new(false) }
    }

    /// The levels done.
    fn levels(&self) -> Vec<Level> {
        self.levels.lock().map_or_else(|poisoned| poisoned.into_inner().clone(), |levels| levels.clone())
    }

    fn add(&self, moves: u16, done: Statistics, meter: &Meter) {
        meter.unpaved(moves.into());
        let level = Level { moves, nodes: done.nodes, calls: done.calls, elapsed: self.started.elapsed() };
        self.levels.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push(level);
    }
}

/// How far the defender came.
pub fn report<const N: usize>(bench: &Workbench<N>, ledger: &Ledger) -> DefenceReport {
    let (levels, weak_win) = (ledger.levels(), ledger.weak_win.load(Ordering::Relaxed));
    let mut report = DefenceReport { levels, weak_win, held: Vec::new(), winning: Vec::new(), open: Vec::new() };
    for (cell, wins) in bench.maker_breaker(&Limits::none()).first_moves() {
        match wins {
            Some(true) => report.winning.push(cell),
            Some(false) => report.held.push(cell),
            None => report.open.push(cell),
        }
    }
    report
}

/// What the defender found.
pub enum Defence {
    /// White holds: the weak game, and so the strong one, or the strong one alone.
    Hold { engine: &'static str, evidence: Box<dyn Evidence> },
    /// Black wins, by this turn at the latest; `least` if no earlier one, by the search.
    Win { engine: &'static str, turn: usize, least: bool, first_move: Option<Cell>, evidence: Box<dyn Evidence> },
    /// Stopped; what the searches know, though it is not written down.
    Open(Option<Claimed>),
}

/// How the defender goes about the strong game.
#[derive(Clone, Copy)]
pub struct Manner<'a> {
    /// Threads of the search of the strong game.
    pub threads: usize,
    /// Whether a win is then shortened as far as possible.
    pub shortens: bool,
    /// Where he says how many threads he uses.
    pub lent: &'a AtomicUsize,
}

/// The defender of one game.
pub struct Defender<'a, const N: usize> {
    bench: &'a Workbench<N>,
    /// Where it writes how far it is.
    ledger: &'a Ledger,
    /// Where others see it.
    meter: &'a Meter,
    manner: Manner<'a>,
    blocker: Blocker<'a, N>,
    maker_breaker: MakerBreaker<'a, N>,
    /// The search of the strong game, once Black is known to win the weak one.
    strong: Option<[Strong<'a, N>; 2]>,
    /// What is known, though nothing of it is written down yet.
    known: Option<Claimed>,
    slice: u64,
}

/// A search of the strong game: its name, how another thread gets one like it, and its own.
struct Strong<'a, const N: usize> {
    name: &'static str,
    /// One part in so many of a slice is its own.
    dear: u64,
    make: NumberedSearch<'a, N>,
    search: ProofNumberSearch<'a, N>,
}

impl<'a, const N: usize> Strong<'a, N> {
    fn new(name: &'static str, dear: u64, make: NumberedSearch<'a, N>, bench: &'a Workbench<N>) -> Strong<'a, N> {
        Strong { name, dear, make, search: make(bench, &Limits::none()) }
    }

    /// Whether Black wins by this turn.
    fn wins_by(
        &mut self,
        bench: &'a Workbench<N>,
        threads: usize,
        until: usize,
        limits: &Limits,
    ) -> Result<bool, Halt> {
        self.search.limit(limits);
        match threads {
            0 | 1 => self.search.wins_by(until),
            threads => bench.wins_together(self.make, until, threads, limits),
        }
    }
}

/// The names of the four, as told to users.
const BLOCKING: &str = "blocking";
const MAKER_BREAKER: &str = "maker-breaker";
const STRONG: &str = "dfpn";
const THREATS: &str = "threats";

impl<'a, const N: usize> Defender<'a, N> {
    /// Nothing is done yet.
    pub fn new(bench: &'a Workbench<N>, ledger: &'a Ledger, meter: &'a Meter, manner: Manner<'a>) -> Defender<'a, N> {
        Defender {
            bench,
            ledger,
            meter,
            manner,
            blocker: bench.blocker(),
            maker_breaker: bench.maker_breaker(&Limits::none()),
            strong: None,
            known: None,
            slice: FIRST_SLICE,
        }
    }

    /// Goes on until the game is decided or a limit is reached.
    pub fn work(&mut self, limits: &Limits) -> Result<Defence, ProofError> {
        while limits.check_now().is_ok() && !self.lacks_memory() {
            let defence = match self.strong.take() {
                Some(mut strong) => {
                    let defence = self.search_strong(&mut strong, limits)?;
                    self.strong = Some(strong);
                    defence
                }
                None => self.search_weak(limits)?,
            };
            if let Some(defence) = defence {
                return Ok(defence);
            }
            self.slice = self.slice.saturating_mul(2);
        }
        Ok(Defence::Open(self.known))
    }

    /// The same, the weak game being searched with a thread for the blocking search and all others for the Maker-Breaker
    /// search.
    pub fn work_together(&mut self, threads: usize, limits: &Limits) -> Result<Defence, ProofError> {
        let part = limits.part(None);
        let Defender { bench, ledger, meter, .. } = *self;
        let blocker = &mut self.blocker;
        let (blocked, wins) = std::thread::scope(|scope| {
            let search = || {
                let wins = bench.maker_breaker(&part).wins().ok();
                part.stop();
                wins
            };
            let searches: Vec<_> = (1..threads).map(|_| scope.spawn(search)).collect();
            let blocked = blocker.work(&part, &mut |moves, done| ledger.add(moves, done, meter));
            part.stop();
            let joined =
                searches.into_iter().map(|search| search.join().unwrap_or_else(|p| std::panic::resume_unwind(p)));
            (blocked, joined.flatten().next())
        });
        if let Some(defence) = self.blocked(blocked?) {
            return Ok(defence);
        }
        match wins {
            Some(wins) => match self.decided(wins, limits)? {
                Some(defence) => Ok(defence),
                None => self.work(limits),
            },
            None => self.work(limits),
        }
    }

    /// A slice of each search of the weak game.
    fn search_weak(&mut self, limits: &Limits) -> Result<Option<Defence>, ProofError> {
        let Defender { ledger, meter, .. } = *self;
        let slice = limits.part(Some(self.slice));
        let found = self.blocker.work(&slice, &mut |moves, done| ledger.add(moves, done, meter));
        if let Some(defence) = self.blocked(found?) {
            return Ok(Some(defence));
        }
        if self.strong.is_some() {
            return Ok(None);
        }
        self.maker_breaker.limit(limits.part(Some(LIGHT * self.slice)));
        self.maker_breaker.wins().map_or(Ok(None), |wins| self.decided(wins, limits))
    }

    /// Whether White is known to hold and there is no room for the blocks that prove it.
    fn lacks_memory(&self) -> bool {
        self.blocker.is_full() && matches!(self.known, Some(Claimed::Hold))
    }

    /// Whether a win of the weak game is one of the game. In a game that ends before its board is full it may come too
    /// late, as it may be too slow under the strong rule.
    fn is_weak(&self) -> bool {
        self.bench.game.rule() == Rule::Weak && !self.bench.game.is_cut_short()
    }

    /// Black wins the weak game: the strong one remains. The lemmas of the weak one make room for its table.
    fn begin_strong(&mut self) {
        self.ledger.weak_win.store(true, Ordering::Relaxed);
        self.manner.lent.store(self.manner.threads, Ordering::Relaxed);
        self.blocker = self.bench.blocker();
        self.strong = Some([
            Strong::new(STRONG, 1, Workbench::proof_numbers, self.bench),
            Strong::new(THREATS, DEAR_THREATS, Workbench::by_threats, self.bench),
        ]);
    }

    fn blocked(&mut self, outcome: BlockOutcome) -> Option<Defence> {
        match outcome {
            BlockOutcome::Hold { proof, .. } => Some(Defence::Hold { engine: BLOCKING, evidence: proof }),
            BlockOutcome::Win { turn, first_move, proof }
                if self.is_weak() && turn <= self.bench.game.schedule().len() =>
            {
                Some(Defence::Win { engine: BLOCKING, turn, least: false, first_move, evidence: proof })
            }
            // The Maker-Breaker search can write it down.
            BlockOutcome::Wins if self.is_weak() => {
                self.known = Some(won_at_last(&self.bench.game));
                None
            }
            BlockOutcome::Win { .. } | BlockOutcome::Wins => {
                self.begin_strong();
                None
            }
            BlockOutcome::Unknown { .. } => None,
        }
    }

    /// Writes down what the Maker-Breaker search knows, as far as it settles the game.
    fn decided(&mut self, wins: bool, limits: &Limits) -> Result<Option<Defence>, ProofError> {
        let limits = &limits.for_proof();
        self.maker_breaker.limit(limits.clone());
        let game = &self.bench.game;
        let found = match wins {
            true if !self.is_weak() => {
                self.begin_strong();
                return Ok(None);
            }
            true => {
                self.known = Some(won_at_last(game));
                let last = game.schedule().len();
                won(MAKER_BREAKER, self.bench, self.bench.weak_arena(), &mut self.maker_breaker, last, limits)
            }
            false => {
                self.known = Some(Claimed::Hold);
                let proof = self.blocker.block_by(&mut self.maker_breaker, limits).map_err(ProofError::from);
                proof.map(|evidence| Defence::Hold { engine: MAKER_BREAKER, evidence })
            }
        };
        unless_halted(found)
    }

    /// The win found, or the shortest one found until a limit is reached. A turn refused on the way makes it the least.
    fn shortened(&self, strong: &mut Strong<'a, N>, mut best: Defence, limits: &Limits) -> Result<Defence, ProofError> {
        let Workbench { game, arena, .. } = self.bench;
        while let Defence::Win { turn, least, .. } = &mut best {
            let Some(earlier) = black_turns(game, *turn - 1).next_back() else { break };
            match strong.wins_by(self.bench, self.manner.threads, earlier, limits) {
                Err(Halt) => break,
                Ok(false) => {
                    *least = true;
                    self.meter.refuted(earlier);
                    break;
                }
                Ok(true) => {
                    let limits = &limits.for_proof();
                    let Strong { name, search, .. } = strong;
                    search.limit(limits);
                    let Some(win) = unless_halted(won(name, self.bench, arena, search, earlier, limits))? else {
                        break;
                    };
                    best = win;
                }
            }
        }
        Ok(best)
    }

    /// A slice of each search of the strong game.
    fn search_strong(
        &mut self,
        searches: &mut [Strong<'a, N>; 2],
        limits: &Limits,
    ) -> Result<Option<Defence>, ProofError> {
        let bench = self.bench;
        let Workbench { game, arena, .. } = bench;
        let last = game.schedule().len();
        for strong in searches {
            let slice = limits.part(Some(LIGHT * self.slice / strong.dear));
            let Ok(wins) = strong.wins_by(bench, self.manner.threads, last, &slice) else { continue };
            let (search_limits, limits) = (limits, &limits.for_proof());
            let Strong { name, search, .. } = strong;
            search.limit(limits);
            self.known = Some(if wins { won_at_last(game) } else { Claimed::Hold });
            if !wins {
                let hold = held(bench, search, limits).map(|evidence| Defence::Hold { engine: name, evidence });
                return unless_halted(hold);
            }
            return match unless_halted(won(name, bench, arena, search, last, limits))? {
                Some(win) if self.manner.shortens => self.shortened(strong, win, search_limits).map(Some),
                win => Ok(win),
            };
        }
        Ok(None)
    }
}

/// The hold of the strong game, or up to the last turn of a game that ends before its board is full, by an engine that
/// knows of it.
pub fn held<const N: usize>(
    bench: &Workbench<N>,
    engine: &mut impl Engine<N>,
    limits: &Limits,
) -> Result<Box<dyn Evidence>, ProofError> {
    let Workbench { game, arena, .. } = bench;
    if !game.is_cut_short() {
        return Ok(strongly(game, &mut bench.strong_blocks(limits), engine)?);
    }
    let (claim, blocks) = (Claim::Hold(Some(game.schedule().len())), Some(bench.blocks(limits)));
    Ok(Box::new(bench.prove(arena, engine, claim, blocks, limits)?))
}

/// The win by this turn of an engine that knows of it, written down.
fn won<const N: usize>(
    name: &'static str,
    bench: &Workbench<N>,
    arena: &Arena<N>,
    engine: &mut impl Engine<N>,
    last: usize,
    limits: &Limits,
) -> Result<Defence, ProofError> {
    let strategy = bench.prove(arena, engine, Claim::Win(last), None, limits)?;
    let turn = strategy.claim().last().unwrap_or(last);
    let first_move = engine.winning_move(bench.game.start().resized(), last)?;
    Ok(Defence::Win { engine: name, turn, least: false, first_move, evidence: Box::new(strategy) })
}

/// Black wins; nobody knows when.
fn won_at_last(game: &Game) -> Claimed {
    let last = game.schedule().len();
    Claimed::Win { by: black_turns(game, last).next_back().unwrap_or(last), least: false, first_move: None }
}

/// A proof that a limit cut short is none.
fn unless_halted(found: Result<Defence, ProofError>) -> Result<Option<Defence>, ProofError> {
    match found {
        Err(ProofError::Halt(Halt)) => Ok(None),
        found => found.map(Some),
    }
}
