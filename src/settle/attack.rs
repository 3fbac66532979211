//! Settles a game by one engine of the attacker's.

use super::certify::black_turns;
use super::{Account, Claimed, EngineChoice, Found, Options};
use crate::effort::Halt;
use crate::effort::progress::{Meter, Observer, Progress, watched};
use crate::engines::alphabeta::{Attacker, Shared};
use crate::engines::baseline::Baseline;
use crate::engines::blocking;
use crate::engines::busy::Busy;
use crate::engines::canon::Canon;
use crate::engines::dfpn::{Gauge, ProofNumberSearch, ProofTable};
use crate::engines::engine::Engine;
use crate::engines::maker_breaker::{self, MakerBreaker};
use crate::engines::table::Table;
use crate::engines::twin::Twin;
use crate::evidence::Evidence;
use crate::evidence::blocker::{Blocker, Blocks};
use crate::evidence::strategy::{ProofError, prove_with_blocks};
use crate::game::Game;
use crate::game::position::{Arena, Position};
use crate::game::symmetry::SymmetryGroup;
use harary_certificate::{Claim, Rule};
use std::sync::atomic::Ordering;

/// Searches `game` by an attacker's engine alone.
pub fn search_attacking(
    game: &Game,
    options: &Options,
    meter: &Meter,
    observer: Observer,
) -> Result<Found, ProofError> {
    match game.vertices() {
        0..=64 => search_in::<1>(game, options, meter, observer),
        65..=128 => search_in::<2>(game, options, meter, observer),
        129..=256 => search_in::<4>(game, options, meter, observer),
        _ => search_in::<6>(game, options, meter, observer),
    }
}

fn search_in<const N: usize>(
    game: &Game,
    options: &Options,
    meter: &Meter,
    observer: Observer,
) -> Result<Found, ProofError> {
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
        meter,
    };
    let progress = || Progress {
        numbers: run.gauge.read().map(|numbers| (numbers.proof, numbers.disproof)),
        fill: (1000.0 * if engine == EngineChoice::Dfpn { proof_table.fill() } else { table.fill() }) as usize,
        ..meter.read(&options.limits)
    };
    watched(observer, progress, || run.search())
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
    meter: &'a Meter,
}

impl<const N: usize> Run<'_, N> {
    fn search(&self) -> Result<Found, ProofError> {
        let limits = &self.options.limits;
        match self.engine {
            EngineChoice::Plain => {
                let mut twin = Twin::<N>::new(self.game, limits);
                let start = Position::new(self.arena).stones();
                // The twin knows the turn at once; asking it limit by limit costs nothing more.
                if twin.win_turn(start).is_err() {
                    return Ok(self.stopped(None, &twin));
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
    ) -> Result<Found, ProofError> {
        let last = self.options.last_turn(self.game);
        for until in black_turns(self.game, last) {
            self.meter.at_turn(until);
            match wins_by(engine, until) {
                Err(Halt) => return Ok(self.stopped(None, engine)),
                Ok(true) => return self.won(engine, until, true),
                Ok(false) => self.meter.refuted(until),
            }
        }
        self.held(engine, last)
    }

    /// Asks who wins, up to the last turn at once.
    fn ask_once(&self, mut engine: ProofNumberSearch<N>) -> Result<Found, ProofError> {
        let last = self.options.last_turn(self.game);
        self.meter.at_turn(last);
        match engine.wins_by(last) {
            Err(Halt) => Ok(self.stopped(None, &engine)),
            Ok(true) => self.won(&mut engine, last, false),
            Ok(false) => self.held(&mut engine, last),
        }
    }

    /// Black wins by turn `until`.
    fn won(&self, engine: &mut impl Engine<N>, until: usize, least: bool) -> Result<Found, ProofError> {
        let claimed = |by, first_move| Some(Claimed::Win { by, least, first_move });
        if !self.options.evidence {
            return Ok(self.found(claimed(until, None), None, engine));
        }
        let start = Position::new(self.arena).stones();
        let drawn = self.prove(engine, Claim::Win(until)).and_then(|evidence| {
            let first_move = engine.winning_move(start, until)?;
            Ok((evidence, first_move))
        });
        match drawn {
            Ok((evidence, first_move)) => {
                // A strategy may win earlier than it was asked to.
                let by = match evidence.claim() {
                    Claim::Win(turn) => turn,
                    Claim::Hold(_) => until,
                };
                Ok(self.found(claimed(by, first_move), Some(evidence), engine))
            }
            Err(ProofError::Halt(_)) => Ok(self.stopped(claimed(until, None), engine)),
            Err(contradiction) => Err(contradiction),
        }
    }

    /// There is no win by turn `last`.
    fn held(&self, engine: &mut impl Engine<N>, last: usize) -> Result<Found, ProofError> {
        self.meter.refuted(black_turns(self.game, last).next_back().unwrap_or(0));
        let to_the_end = last == self.game.schedule().len();
        let claimed = Some(if to_the_end { Claimed::Hold } else { Claimed::NotBy(last) });
        if !self.options.evidence || !to_the_end && !self.options.certify_refutation {
            return Ok(self.found(claimed, None, engine));
        }
        let drawn = match to_the_end && self.game.rule() == Rule::Weak && blocking::applies(self.game) {
            true => self.block(engine),
            // A game that ends before its board is full is held by its last turn, which is proved sooner than for good.
            false if to_the_end && !self.game.is_cut_short() => self.prove(engine, Claim::Hold(None)),
            false => self.prove(engine, Claim::Hold(Some(last))),
        };
        match drawn {
            Ok(evidence) => Ok(self.found(claimed, Some(evidence), engine)),
            Err(ProofError::Halt(_)) => Ok(self.stopped(claimed, engine)),
            Err(contradiction) => Err(contradiction),
        }
    }

    /// A hold of the weak game, by blocks.
    fn block(&self, engine: &mut impl Engine<N>) -> Result<Box<dyn Evidence>, ProofError> {
        self.meter.proving();
        let arena = Arena::new(&self.game.weak());
        Ok(Box::new(Blocker::new(self.game, &arena).block_by(engine, &self.options.limits)?))
    }

    /// A strategy, position by position.
    fn prove(&self, engine: &mut impl Engine<N>, claim: Claim) -> Result<Box<dyn Evidence>, ProofError> {
        self.meter.proving();
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

    fn found(&self, claimed: Option<Claimed>, evidence: Option<Box<dyn Evidence>>, engine: &impl Engine<N>) -> Found {
        let account = Account {
            threads: if self.engine == EngineChoice::Alphabeta { self.options.threads } else { 1 },
            nodes: self.options.limits.counted().max(engine.nodes()),
            refuted_turn: self.meter.refuted_turn(),
            ..Account::new(self.engine.name())
        };
        Found { claimed, evidence, account }
    }

    /// What is left to say when a limit is reached.
    fn stopped(&self, claimed: Option<Claimed>, engine: &impl Engine<N>) -> Found {
        let found = self.found(claimed, None, engine);
        Found { account: Account { stopped: true, ..found.account }, ..found }
    }
}
