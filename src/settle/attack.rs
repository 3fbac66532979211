//! Settles a game by one engine of the attacker's.

use super::distance::black_turns;
use super::options::{EngineChoice, Options};
use super::outcome::{Account, Claimed, Found};
use super::workbench::{NumberedSearch, Shares, Workbench};
use crate::effort::Halt;
use crate::effort::progress::{Meter, Observer, Progress, watched};
use crate::engines::alphabeta::{Attacker, Shared};
use crate::engines::any_order::AnyOrder;
use crate::engines::blocking;
use crate::engines::busy::Busy;
use crate::engines::engine::Engine;
use crate::engines::twin::Twin;
use crate::evidence::Evidence;
use crate::evidence::opened::strongly;
use crate::evidence::strategy::ProofError;
use crate::game::position::Position;
use crate::game::symmetry::SymmetryGroup;
use crate::game::{Game, with_width};
use harary_certificate::{Claim, Rule};
use std::sync::atomic::Ordering;

/// Searches `game` by an attacker's engine alone.
pub fn search_attacking(
    game: &Game,
    options: &Options,
    meter: &Meter,
    observer: Observer,
) -> Result<Found, ProofError> {
    with_width!(game.vertices(), N => search_in::<N>(game, options, meter, observer))
}

fn search_in<const N: usize>(
    game: &Game,
    options: &Options,
    meter: &Meter,
    observer: Observer,
) -> Result<Found, ProofError> {
    let engine = options.engine.for_game(game);
    // Asked for by name the baseline is the plain search others are measured against, which knows no symmetry.
    let group = match options.engine {
        EngineChoice::Baseline => SymmetryGroup::trivial(game.vertices()),
        _ => game.symmetries(),
    };
    let shares = Shares::for_engine(engine, game.rule(), options.memory);
    // The attacker's threads talk by notes of their own.
    let by_numbers = matches!(engine, EngineChoice::Dfpn | EngineChoice::Threats);
    let threads = if by_numbers { options.threads } else { 1 };
    let bench = Workbench::<N>::within(&options.account(), game, &group, shares, threads);
    let progress = || Progress {
        numbers: bench.gauge.read().map(|numbers| (numbers.proof, numbers.disproof)),
        fill: bench.fill(),
        ..meter.read(&options.limits)
    };
    let run = Run { game, options, bench: &bench, engine, meter };
    watched(observer, progress, || run.search())
}

struct Run<'a, const N: usize> {
    game: &'a Game,
    options: &'a Options,
    bench: &'a Workbench<N>,
    engine: EngineChoice,
    meter: &'a Meter,
}

impl<const N: usize> Run<'_, N> {
    fn search(&self) -> Result<Found, ProofError> {
        let limits = &self.options.limits;
        match self.engine {
            EngineChoice::Plain => {
                let mut twin = Twin::<N>::new(self.game, limits).within(self.options.account().most());
                let start = Position::new(&self.bench.arena).stones();
                // The twin knows the turn at once; asking it limit by limit costs nothing more.
                if twin.win_turn(start).is_err() {
                    return Ok(self.stopped(None, &twin));
                }
                self.deepen(&mut twin, |twin, until| Ok(twin.win_turn(start)?.is_some_and(|turn| turn <= until)))
            }
            EngineChoice::Baseline => {
                self.deepen(&mut self.bench.baseline(limits), |engine, until| engine.wins_by(until))
            }
            EngineChoice::Dfpn => self.ask_once(Workbench::proof_numbers),
            EngineChoice::Threats => self.ask_once(Workbench::by_threats),
            EngineChoice::Alphabeta | EngineChoice::Auto | EngineChoice::Defender | EngineChoice::Cards
                if self.game.schedule().is_alternating() =>
            {
                self.deepen(&mut self.bench.attacker(limits), |attacker, until| {
                    let left = self.game.schedule().black_moves(0, until);
                    match self.free_threads() {
                        0 | 1 => attacker.wins(left),
                        count => self.together(count, |shared| Attacker::new(shared).wins(left)),
                    }
                })
            }
            EngineChoice::Alphabeta | EngineChoice::Auto | EngineChoice::Defender | EngineChoice::Cards => {
                self.deepen(&mut self.bench.any_order(limits), |search, until| match self.free_threads() {
                    0 | 1 => search.wins_by(until),
                    count => self.together(count, |shared| AnyOrder::new(shared).wins_by(until)),
                })
            }
        }
    }

    fn free_threads(&self) -> usize {
        self.options.threads.saturating_sub(self.options.lent.load(Ordering::Relaxed))
    }

    /// All threads search the same question over one table; the first to know ends it.
    fn together(&self, count: usize, ask: impl Fn(&Shared<N>) -> Result<bool, Halt> + Sync) -> Result<bool, Halt> {
        let limits = self.options.limits.part(None);
        let busy = Busy::new(count);
        let shared = Shared { busy: &busy, ..self.bench.attacking(&limits) };
        std::thread::scope(|scope| {
            let search = || {
                let answer = ask(&shared);
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
    fn ask_once<'a>(&'a self, make: NumberedSearch<'a, N>) -> Result<Found, ProofError> {
        let mut engine = make(self.bench, &self.options.limits);
        let last = self.options.last_turn(self.game);
        self.meter.at_turn(last);
        let wins = match self.options.threads {
            0 | 1 => engine.wins_by(last),
            threads => self.bench.wins_together(make, last, threads, &self.options.limits),
        };
        match wins {
            Err(Halt) => Ok(self.stopped(None, &engine)),
            Ok(true) => self.won(&mut engine, last, false),
            Ok(false) => self.held(&mut engine, last),
        }
    }

    /// Black wins by turn `until`.
    fn won(&self, engine: &mut impl Engine<N>, until: usize, least: bool) -> Result<Found, ProofError> {
        // The last turn of a board with an even number of cells is White's.
        let until = black_turns(self.game, until).next_back().unwrap_or(until);
        let claimed = |by, first_move| Some(Claimed::Win { by, least, first_move });
        if !self.options.evidence {
            return Ok(self.found(claimed(until, None), None, engine));
        }
        let start = Position::new(&self.bench.arena).stones();
        let drawn = self.prove(engine, Claim::Win(until)).and_then(|evidence| {
            let first_move = engine.winning_move(start, until)?;
            Ok((evidence, first_move))
        });
        match drawn {
            Ok((evidence, first_move)) => {
                // A strategy may win earlier than it was asked to.
                let by = match evidence.claim() {
                    Claim::Win(turn) => turn,
                    Claim::Hold(_) | Claim::Loss(_) => until,
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
        let blocking = to_the_end && blocking::applies(self.game) && !self.game.is_cut_short();
        let drawn = match blocking && (self.game.rule() == Rule::Weak || self.engine == EngineChoice::Dfpn) {
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

    /// A hold by blocks.
    fn block(&self, engine: &mut impl Engine<N>) -> Result<Box<dyn Evidence>, ProofError> {
        self.meter.proving();
        let limits = &self.options.limits;
        Ok(match self.game.rule() {
            Rule::Weak => self.bench.blocker().block_by(engine, limits)?,
            Rule::Strong => strongly(self.game, &mut self.bench.strong_blocks(limits), engine)?,
        })
    }

    /// A strategy, position by position.
    fn prove(&self, engine: &mut impl Engine<N>, claim: Claim) -> Result<Box<dyn Evidence>, ProofError> {
        self.meter.proving();
        let to_the_end = claim.last().is_none_or(|turn| turn == self.game.schedule().len());
        let blocking = matches!(claim, Claim::Hold(_)) && to_the_end && blocking::applies(self.game);
        let limits = &self.options.limits;
        let blocks = blocking.then(|| self.bench.blocks(limits));
        Ok(Box::new(self.bench.prove(&self.bench.arena, engine, claim, blocks, limits)?))
    }

    fn found(&self, claimed: Option<Claimed>, evidence: Option<Box<dyn Evidence>>, engine: &impl Engine<N>) -> Found {
        let account = Account {
            threads: match self.engine {
                EngineChoice::Alphabeta | EngineChoice::Dfpn | EngineChoice::Threats => self.options.threads,
                _ => 1,
            },
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
