//! Settles a game: who wins, by which turn, and the proof of it.
//!
//! The attacker deepens over the turn limit; every limit he fails at is a refutation, so the turn he wins by is the
//! least. The proof-number engine asks once, without a limit: it says who wins, and a turn by which at the latest. What
//! was found is then drawn out of the engine move by move ([`crate::evidence::strategy`]) into evidence, which the caller writes as a
//! certificate and has checked: until then it is a claim. Where the defender applies, he runs beside the attacker, and
//! the first to finish settles the game.

pub mod covers;
mod defender;
pub mod pave;
mod race;

use crate::effort::{Halt, Limits};
use crate::engines::alphabeta::{Attacker, Shared};
use crate::engines::baseline::Baseline;
use crate::engines::blocking;
use crate::engines::busy::Busy;
use crate::engines::canon::Canon;
use crate::engines::dfpn::{Gauge, Numbers, ProofNumberSearch, ProofTable};
use crate::engines::engine::Engine;
use crate::engines::maker_breaker::{self, MakerBreaker};
use crate::engines::table::Table;
use crate::engines::twin::Twin;
use crate::evidence::blocker::{Blocker, Blocks, NodeProof};
use crate::evidence::strategy::{ProofError, Strategy, prove_with_blocks};
use crate::game::Game;
use crate::game::position::{Arena, Position};
use crate::game::symmetry::SymmetryGroup;
use crate::settle::covers::{CoverMode, CoverProgress, search_covers};
pub use defender::{DefenceReport, Level};
use harary_certificate::{Cell, Claim, Player, Rule, WideSet};
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Which engine searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum EngineChoice {
    /// The best for the game
    Auto,
    /// Alpha-beta over the turn limit, with zones, null moves and threat sequences
    Alphabeta,
    /// Proof-number search: who wins, without the least turn
    Dfpn,
    /// The defender alone: who wins, the weak game first, without the least turn
    Defender,
    /// Forced moves, distance bound, ordering and table only
    Baseline,
    /// The rules and nothing else; for small boards
    Plain,
}

impl EngineChoice {
    /// The engine that is used for a game: zones and null moves need the plain turn order, and alpha-beta opens at any
    /// cell.
    fn for_game(self, game: &Game) -> EngineChoice {
        let alternating = game.schedule().is_alternating();
        match self {
            EngineChoice::Auto | EngineChoice::Alphabeta if alternating && game.first().is_none() => {
                EngineChoice::Alphabeta
            }
            EngineChoice::Dfpn if alternating => EngineChoice::Dfpn,
            EngineChoice::Auto | EngineChoice::Alphabeta | EngineChoice::Dfpn | EngineChoice::Defender => {
                EngineChoice::Baseline
            }
            other => other,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            EngineChoice::Auto => "auto",
            EngineChoice::Alphabeta => "alphabeta",
            EngineChoice::Dfpn => "dfpn",
            EngineChoice::Defender => "defender",
            EngineChoice::Baseline => "baseline",
            EngineChoice::Plain => "plain",
        }
    }
}

/// How to go about it.
#[derive(Clone)]
pub struct Options {
    /// Decide "by this turn" only.
    pub within: Option<usize>,
    pub engine: EngineChoice,
    pub threads: usize,
    /// How many of these threads are at work on something else for now.
    pub lent: Arc<AtomicUsize>,
    /// Bytes for tables.
    pub memory: usize,
    pub limits: Limits,
    /// Draw the proof out of the engine. Without it there is a verdict and no evidence: for benchmarks of the search.
    pub evidence: bool,
    /// Also prove, position by position, that no earlier turn wins; with `within`, that no turn up to it does. Such
    /// refutations can be long.
    pub certify_refutation: bool,
    /// Look for wins inside covers only: plain turn order, a shape on a board.
    pub cover: Option<CoverMode>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            within: None,
            engine: EngineChoice::Auto,
            threads: 1,
            lent: Arc::default(),
            memory: 256 << 20,
            limits: Limits::none(),
            evidence: true,
            certify_refutation: false,
            cover: None,
        }
    }
}

/// Who wins, as far as the search went.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Win,
    Hold,
    Unknown,
}

/// Something that can be written as a certificate.
pub trait Evidence: Send {
    fn write(&self, game: &Game, out: &mut dyn Write) -> io::Result<()>;
}

/// A proof by nodes as evidence.
struct ByNodes(Box<dyn NodeProof>);

impl Evidence for ByNodes {
    fn write(&self, game: &Game, out: &mut dyn Write) -> io::Result<()> {
        self.0.write(game, out)
    }
}

impl<const N: usize> Evidence for Strategy<N> {
    fn write(&self, game: &Game, out: &mut dyn Write) -> io::Result<()> {
        Strategy::write(self, game, out)
    }
}

/// What was found.
pub struct Settlement {
    pub verdict: Verdict,
    /// With a win: the least turn by which Black forces it; none if it is not proved least.
    pub turn: Option<usize>,
    /// With a win: the turn by which Black wins at the latest, as the evidence shows.
    pub win_by: Option<usize>,
    /// The greatest turn of Black's by which a win is proved impossible.
    pub refuted_turn: Option<usize>,
    /// With a win: Black's first move.
    pub first_move: Option<Cell>,
    pub engine: &'static str,
    /// How many threads the engine used.
    pub threads: usize,
    pub nodes: u64,
    /// Of the verdict; none if it is unknown.
    pub evidence: Option<Box<dyn Evidence>>,
    /// That no turn up to `refuted_turn` wins, if it was asked for.
    pub least_evidence: Option<Box<dyn Evidence>>,
    /// The search was stopped by a limit.
    pub halted: bool,
    /// With a search inside covers, what it found.
    pub cover: Option<CoverReport>,
    /// How far the defender came, if he took part and nothing is settled.
    pub defence: Option<DefenceReport>,
}

/// What a search inside covers found. It proves wins only.
#[derive(Clone, Debug)]
pub struct CoverReport {
    pub mode: CoverMode,
    /// How many different covers were tried.
    pub covers: usize,
    /// With a win: the cells Black keeps to.
    pub cover: Option<WideSet>,
    /// With a win: the turn it comes by. It is the least any of the covers gives, not proved least for the game.
    pub win_by: Option<usize>,
    /// No strategy inside one of them wins by this turn, which says nothing about other strategies.
    pub failed_turn: Option<usize>,
}

impl Settlement {
    /// Nothing is known.
    fn unknown(engine: &'static str) -> Settlement {
        Settlement {
            verdict: Verdict::Unknown,
            turn: None,
            win_by: None,
            refuted_turn: None,
            first_move: None,
            engine,
            threads: 1,
            nodes: 0,
            evidence: None,
            least_evidence: None,
            halted: true,
            cover: None,
            defence: None,
        }
    }

    /// Whether the game is settled.
    fn is_settled(&self) -> bool {
        self.verdict != Verdict::Unknown
    }
}

/// How far a search is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// The turn limit under way.
    pub turn: usize,
    /// Proof and disproof number of the start, where the engine has them.
    pub numbers: Option<Numbers>,
    pub refuted_turn: Option<usize>,
    /// The defender has no paving after so many White moves.
    pub unpaved: Option<u16>,
    pub nodes: u64,
    /// The share of the table in use.
    pub fill: f64,
    pub elapsed: Duration,
    /// Searching, or writing the proof down.
    pub proving: bool,
}

impl Progress {
    /// The start of any search.
    const NOTHING: Progress = Progress {
        turn: 0,
        numbers: None,
        refuted_turn: None,
        unpaved: None,
        nodes: 0,
        fill: 0.0,
        elapsed: Duration::ZERO,
        proving: false,
    };
}

/// Told about progress a few times a second, from a thread of its own.
pub type Observer<'a> = &'a (dyn Fn(&Progress) + Sync);

/// Settles `game`. A contradiction between search and proof is an error; a limit reached is not.
pub fn settle(game: &Game, options: &Options, observer: Observer) -> Result<Settlement, ProofError> {
    if let Some(mode) = options.cover {
        return settle_in_covers(game, mode, options, observer);
    }
    let defended = matches!(options.engine, EngineChoice::Auto | EngineChoice::Defender);
    if defended && options.within.is_none() && blocking::applies(game) {
        return race::settle_racing(game, options, observer);
    }
    settle_attacking(game, options, observer)
}

/// Settles `game` by an attacker's engine alone.
fn settle_attacking(game: &Game, options: &Options, observer: Observer) -> Result<Settlement, ProofError> {
    match game.vertices() {
        0..=64 => settle_in::<1>(game, options, observer),
        65..=128 => settle_in::<2>(game, options, observer),
        129..=256 => settle_in::<4>(game, options, observer),
        _ => settle_in::<6>(game, options, observer),
    }
}

/// How often progress is told.
const BEAT: Duration = Duration::from_millis(100);

fn settle_in<const N: usize>(game: &Game, options: &Options, observer: Observer) -> Result<Settlement, ProofError> {
    let arena = Arena::<N>::new(game);
    let engine = options.engine.for_game(game);
    let memory = options.memory / 10 * 9;
    // Each engine has its own kind of table; the other stays empty. That of the weak game is for strong holds.
    let weak_tables = match (engine, game.rule()) {
        (EngineChoice::Dfpn, _) => memory / 2,
        (_, Rule::Strong) => memory / 8,
        (_, Rule::Weak) => 0,
    };
    let rest = memory - weak_tables;
    let (tables, proof_tables) = if engine == EngineChoice::Dfpn { (0, rest) } else { (rest, 0) };
    let (table, proof_table) = (Table::new(tables), ProofTable::new(proof_tables));
    let (weak_table, nobody) = (Table::new(weak_tables), Busy::new(1));
    // Asked for by name the baseline is the plain search others are measured against, which knows no symmetry.
    let group = match options.engine {
        EngineChoice::Baseline => SymmetryGroup::trivial(game.vertices()),
        _ => game.symmetries(),
    };
    let canon = Canon::new(&group, game.vertices());
    let run = Run {
        game,
        options,
        arena: &arena,
        table: &table,
        proof_table: &proof_table,
        weak: &maker_breaker::Shared { table: &weak_table, canon: &canon, busy: &nobody },
        gauge: Gauge::default(),
        canon: &canon,
        engine,
        turn: AtomicUsize::new(0),
        refuted: AtomicUsize::new(0),
        proving: AtomicBool::new(false),
        started: Instant::now(),
    };
    watched(observer, || run.progress(), || run.settle())
}

/// Does `work` while `observer` is told of its progress.
fn watched<T>(observer: Observer, progress: impl Fn() -> Progress + Sync, work: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let monitor = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                std::thread::park_timeout(BEAT);
                observer(&progress());
            }
        });
        let result = work();
        done.store(true, Ordering::Relaxed);
        monitor.thread().unpark();
        result
    })
}

/// Looks for a win inside a cover. Whatever is not a win stays unknown.
fn settle_in_covers(
    game: &Game,
    mode: CoverMode,
    options: &Options,
    observer: Observer,
) -> Result<Settlement, ProofError> {
    let started = Instant::now();
    let under_way = CoverProgress::default();
    // Black needs as many stones as the smallest set has cells: the only "no" there is here.
    let stones = game.black_sets().iter().map(WideSet::len).min().unwrap_or(0);
    let refuted_turn = (stones > 1).then(|| 2 * stones - 3);
    let progress = || Progress {
        turn: under_way.turn(),
        numbers: None,
        refuted_turn,
        unpaved: None,
        nodes: options.limits.counted(),
        fill: under_way.fill(),
        elapsed: started.elapsed(),
        proving: under_way.proving(),
    };
    let memory = options.memory / 10 * 9;
    let search = || search_covers(game, mode, options.within, memory, &options.limits, &under_way);
    let finding = watched(observer, progress, search)?;
    let report = CoverReport {
        mode,
        covers: finding.covers,
        cover: finding.win.as_ref().map(|win| win.cover),
        win_by: finding.win.as_ref().map(|win| win.turn),
        failed_turn: finding.failed_turn,
    };
    let least = report.win_by.filter(|&turn| refuted_turn.is_none_or(|refuted| turn == refuted + 2));
    Ok(Settlement {
        verdict: if finding.win.is_some() { Verdict::Win } else { Verdict::Unknown },
        turn: least,
        win_by: report.win_by,
        threads: 1,
        refuted_turn,
        first_move: finding.win.as_ref().and_then(|win| win.first_move),
        engine: "cover",
        nodes: finding.nodes,
        evidence: finding.win.map(|win| Box::new(win.strategy) as Box<dyn Evidence>),
        least_evidence: None,
        halted: finding.halted,
        cover: Some(report),
        defence: None,
    })
}

struct Run<'a, const N: usize> {
    game: &'a Game,
    options: &'a Options,
    arena: &'a Arena<N>,
    table: &'a Table<N>,
    proof_table: &'a ProofTable<N>,
    weak: &'a maker_breaker::Shared<'a, N>,
    gauge: Gauge,
    canon: &'a Canon,
    engine: EngineChoice,
    turn: AtomicUsize,
    refuted: AtomicUsize,
    proving: AtomicBool,
    started: Instant,
}

impl<const N: usize> Run<'_, N> {
    fn progress(&self) -> Progress {
        Progress {
            turn: self.turn.load(Ordering::Relaxed),
            numbers: self.gauge.read(),
            refuted_turn: self.refuted_turn(),
            unpaved: None,
            nodes: self.options.limits.counted(),
            fill: if self.engine == EngineChoice::Dfpn { self.proof_table.fill() } else { self.table.fill() },
            elapsed: self.started.elapsed(),
            proving: self.proving.load(Ordering::Relaxed),
        }
    }

    fn refuted_turn(&self) -> Option<usize> {
        Some(self.refuted.load(Ordering::Relaxed)).filter(|&turn| turn > 0)
    }

    fn settle(&self) -> Result<Settlement, ProofError> {
        let limits = &self.options.limits;
        match self.engine {
            EngineChoice::Plain => {
                let mut twin = Twin::<N>::new(self.game, limits);
                let start = Position::new(self.arena).stones();
                // The twin knows the turn at once; asking it limit by limit costs nothing more.
                if twin.win_turn(start).is_err() {
                    return Ok(self.unknown(&twin));
                }
                self.deepen(&mut twin, |twin, until| Ok(twin.win_turn(start)?.is_some_and(|turn| turn <= until)))
            }
            EngineChoice::Baseline => {
                let mut engine = Baseline::new(self.arena, self.table, self.canon, limits);
                self.deepen(&mut engine, |engine, until| engine.wins_by(until))
            }
            EngineChoice::Dfpn => {
                let search = ProofNumberSearch::new(self.arena, self.proof_table, self.canon, &self.gauge);
                let mut search = search.with_oracle(self.oracle());
                search.limit(limits);
                self.ask_once(search)
            }
            EngineChoice::Alphabeta | EngineChoice::Auto | EngineChoice::Defender => {
                let busy = Busy::new(1);
                let shared = Shared { arena: self.arena, table: self.table, canon: self.canon, busy: &busy, limits };
                let mut attacker = Attacker::new(&shared);
                self.deepen(&mut attacker, |attacker, until| {
                    let left = self.game.schedule().black_moves(0, until);
                    match self.options.threads.saturating_sub(self.options.lent.load(Ordering::Relaxed)) {
                        0 | 1 => attacker.wins(left),
                        count => self.attack_together(left, count),
                    }
                })
            }
        }
    }

    /// All threads search the same question over one table; the first to know ends it.
    fn attack_together(&self, left: usize, count: usize) -> Result<bool, Halt> {
        let limits = self.options.limits.part(None);
        let busy = Busy::new(count);
        let shared = Shared { arena: self.arena, table: self.table, canon: self.canon, busy: &busy, limits: &limits };
        std::thread::scope(|scope| {
            let search = || {
                let answer = Attacker::new(&shared).wins(left);
                limits.stop();
                answer
            };
            let threads: Vec<_> = (0..count).map(|_| scope.spawn(search)).collect();
            let answers: Vec<_> = threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect();
            answers.into_iter().flatten().next().ok_or(Halt)
        })
    }

    /// Asks for each turn of Black's in order, until he wins or the question is answered.
    fn deepen<E: Engine<N>>(
        &self,
        engine: &mut E,
        mut wins_by: impl FnMut(&mut E, usize) -> Result<bool, Halt>,
    ) -> Result<Settlement, ProofError> {
        let schedule = self.game.schedule();
        let last = self.options.within.unwrap_or(usize::MAX).min(schedule.len());
        for until in (1..=last).filter(|&turn| schedule.player_after(turn - 1) == Some(Player::Black)) {
            self.turn.store(until, Ordering::Relaxed);
            match wins_by(engine, until) {
                Err(Halt) => return Ok(self.unknown(engine)),
                Ok(true) => return self.won(engine, until),
                Ok(false) => self.refuted.store(until, Ordering::Relaxed),
            }
        }
        self.held(engine, last)
    }

    /// Asks who wins, up to the last turn at once. Only the distance bound refutes a turn.
    fn ask_once(&self, mut engine: ProofNumberSearch<N>) -> Result<Settlement, ProofError> {
        let schedule = self.game.schedule();
        let last = self.options.within.unwrap_or(usize::MAX).min(schedule.len());
        let needed = Position::new(self.arena).distance(Player::Black).unwrap_or(usize::MAX);
        let black_turns = (1..=last).filter(|&turn| schedule.player_after(turn - 1) == Some(Player::Black));
        let refuted = black_turns.take_while(|&turn| schedule.black_moves(0, turn) < needed).last();
        self.refuted.store(refuted.unwrap_or(0), Ordering::Relaxed);
        self.turn.store(last, Ordering::Relaxed);
        match engine.wins_by(last) {
            Err(Halt) => Ok(self.unknown(&engine)),
            Ok(true) => {
                let settlement = self.won(&mut engine, last)?;
                let turn = settlement.win_by.filter(|&turn| schedule.black_moves(0, turn) == needed);
                Ok(Settlement { turn, ..settlement })
            }
            Ok(false) => self.held(&mut engine, last),
        }
    }

    /// There is no win by turn `last`.
    fn held(&self, engine: &mut impl Engine<N>, last: usize) -> Result<Settlement, ProofError> {
        let schedule = self.game.schedule();
        let black_turn = (1..=last).rev().find(|&turn| schedule.player_after(turn - 1) == Some(Player::Black));
        self.refuted.store(black_turn.unwrap_or(0), Ordering::Relaxed);
        let settled = last == schedule.len();
        if !settled && !self.options.certify_refutation {
            return Ok(Settlement { halted: false, ..self.unknown(engine) });
        }
        let claim = if settled { Claim::Hold(None) } else { Claim::Hold(Some(last)) };
        let verdict = if settled { Verdict::Hold } else { Verdict::Unknown };
        if !self.options.evidence {
            return Ok(Settlement { verdict, halted: false, ..self.unknown(engine) });
        }
        let by_blocks = settled && self.game.rule() == Rule::Weak && blocking::applies(self.game);
        let evidence: Result<Box<dyn Evidence>, ProofError> = if by_blocks {
            self.proving.store(true, Ordering::Relaxed);
            let arena = Arena::new(&self.game.weak());
            Blocker::new(self.game, &arena)
                .block_by(engine, &self.options.limits)
                .map_err(ProofError::from)
                .map(|proof| Box::new(ByNodes(Box::new(proof))) as Box<dyn Evidence>)
        } else {
            self.prove(engine, claim).map(|strategy| strategy as Box<dyn Evidence>)
        };
        let evidence = match evidence {
            Ok(evidence) => evidence,
            Err(ProofError::Halt(_)) => return Ok(self.unknown(engine)),
            Err(contradiction) => return Err(contradiction),
        };
        Ok(Settlement { verdict, evidence: Some(evidence), halted: false, ..self.unknown(engine) })
    }

    fn prove(&self, engine: &mut impl Engine<N>, claim: Claim) -> Result<Box<Strategy<N>>, ProofError> {
        self.proving.store(true, Ordering::Relaxed);
        let blocking = claim == Claim::Hold(None) && blocking::applies(self.game);
        let limits = &self.options.limits;
        let weak_arena = blocking.then(|| Arena::new(&self.game.weak()));
        let blocks = weak_arena.as_ref().map(|arena| Blocks::new(self.game, arena, self.oracle(), limits));
        Ok(Box::new(prove_with_blocks(self.game, self.arena, engine, claim, blocks, limits)?))
    }

    /// Who holds the weak game.
    fn oracle(&self) -> MakerBreaker<'_, N> {
        let mut oracle = MakerBreaker::new(self.game, self.weak);
        oracle.limit(self.options.limits.clone());
        oracle
    }

    fn won(&self, engine: &mut impl Engine<N>, turn: usize) -> Result<Settlement, ProofError> {
        if !self.options.evidence {
            let turn = Some(turn);
            return Ok(Settlement { verdict: Verdict::Win, turn, halted: false, ..self.unknown(engine) });
        }
        let start = Position::new(self.arena).stones();
        let proof = (|| {
            let evidence = self.prove(engine, Claim::Win(turn))?;
            let first_move = engine.winning_move(start, turn)?;
            let least_evidence = match self.refuted_turn().filter(|_| self.options.certify_refutation) {
                Some(refuted) => Some(self.prove(engine, Claim::Hold(Some(refuted)))? as Box<dyn Evidence>),
                None => None,
            };
            Ok((evidence, first_move, least_evidence))
        })();
        match proof {
            Ok((evidence, first_move, least_evidence)) => Ok(Settlement {
                verdict: Verdict::Win,
                turn: Some(turn),
                win_by: match evidence.claim() {
                    Claim::Win(latest) => Some(latest),
                    Claim::Hold(_) => None,
                },
                first_move,
                evidence: Some(evidence),
                least_evidence,
                halted: false,
                ..self.unknown(engine)
            }),
            Err(ProofError::Halt(_)) => Ok(self.unknown(engine)),
            Err(contradiction) => Err(contradiction),
        }
    }

    /// What is left to say when the search was stopped.
    fn unknown(&self, engine: &impl Engine<N>) -> Settlement {
        Settlement {
            refuted_turn: self.refuted_turn(),
            threads: if self.engine == EngineChoice::Alphabeta { self.options.threads } else { 1 },
            nodes: self.options.limits.counted().max(engine.nodes()),
            ..Settlement::unknown(self.engine.name())
        }
    }
}
