//! Deepening: the two sides' formulas in turn, k = 0, 1, 2, …, until one is true.

use crate::effort::Limits;
use crate::game::Game;
use crate::qbf::decide::{FormulaFile, Prepared, WorkFolder};
use crate::qbf::instance::{Encoding, Instance, InstanceError};
use crate::qbf::native::{Engines, Native, decides};
use crate::qbf::solver::{Run, RunLimits, Solver};
use harary_certificate::Player;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Who is asked what, and for how long.
pub struct Deepening<'a> {
    /// Black's formulas, at his turns.
    pub attacker: Encoding,
    /// White's formulas, before the first turn and at hers. Where the players do not alternate there are none.
    pub defender: Encoding,
    /// The formulas as published.
    pub faithful: bool,
    /// The last turn asked about.
    pub until: Option<usize>,
    /// Who answers.
    pub solver: &'a Solver,
    /// Who simplifies before.
    pub preprocessor: Option<&'a Solver>,
    /// Of each run.
    pub limits: &'a RunLimits,
    /// The time of all runs of a game together.
    pub game_time: Option<Duration>,
    /// The native search it is compared with.
    pub engines: Engines,
}

/// Why a game cannot be deepened.
#[derive(Debug, Error)]
pub enum DeepenError {
    /// There is no such formula.
    #[error(transparent)]
    Instance(#[from] InstanceError),
    /// A formula cannot be written.
    #[error("cannot write a formula")]
    Io(#[from] io::Error),
}

/// Who won.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Winner {
    /// Black's formula was the first that is true.
    Black,
    /// White's was: a paving after that turn.
    White,
    /// Nobody's was, up to Black's last turn: he does not win.
    WhiteAtTheEnd,
    /// Nobody yet, and why.
    Nobody(String),
}

/// What became of one game.
#[derive(Clone, Debug)]
pub struct Deepened {
    /// The last turn asked about.
    pub last_turn: usize,
    /// Who won at it.
    pub winner: Winner,
    /// The cost of all runs of the solver.
    pub solver_time: Duration,
    /// The cost of all runs of the preprocessor.
    pub preprocess_time: Duration,
    /// What both took by the clock.
    pub clock_time: Duration,
    /// The time of the native searches.
    pub native_time: Duration,
    /// The first turn at which the native search says something else.
    pub contradiction: Option<usize>,
    /// The solver's first move, if it printed one.
    pub first_move: Option<String>,
    /// Whether that is one of the native winning first moves.
    pub first_move_wins: Option<bool>,
}

impl Deepened {
    /// Whether somebody won.
    pub fn is_settled(&self) -> bool {
        !matches!(self.winner, Winner::Nobody(_))
    }

    /// Whether solver and native search contradict each other.
    pub fn is_contradicted(&self) -> bool {
        self.contradiction.is_some() || self.first_move_wins == Some(false)
    }
}

impl Deepening<'_> {
    /// Asks turn after turn.
    pub fn settle(&self, game: &Game, folder: &WorkFolder) -> Result<Deepened, DeepenError> {
        let mut found = Deepened {
            last_turn: 0,
            winner: Winner::Nobody("not settled by the last k".to_owned()),
            solver_time: Duration::ZERO,
            preprocess_time: Duration::ZERO,
            clock_time: Duration::ZERO,
            native_time: Duration::ZERO,
            contradiction: None,
            first_move: None,
            first_move_wins: None,
        };
        for k in 0..=self.until.unwrap_or(usize::MAX).min(game.schedule().len()) {
            let Some(encoding) = self.encoding(game, k) else { continue };
            let left = self.game_time.map(|time| time.saturating_sub(found.clock_time));
            let limits =
                RunLimits { time: left.unwrap_or(self.limits.time).min(self.limits.time), ..self.limits.clone() };
            if limits.time.is_zero() {
                found.winner = Winner::Nobody(format!("the time of the game was over before k = {k}"));
                break;
            }
            found.last_turn = k;
            let instance = Instance::new(game.clone(), encoding, k, encoding.mode(game, self.faithful))?;
            let run = self.ask(&mut found, &instance, folder, &limits)?;
            match run.answer() {
                Some(false) if encoding != Encoding::Pairing && decides(&instance, false).is_some() => {
                    found.winner = Winner::WhiteAtTheEnd;
                }
                Some(false) => continue,
                Some(true) if encoding == Encoding::Pairing => found.winner = Winner::White,
                Some(true) => found.winner = Winner::Black,
                None => {
                    found.winner = Winner::Nobody(format!("{} at k = {k}: {}", self.solver.name(), run.ending));
                }
            }
            break;
        }
        Ok(found)
    }

    /// Whose formulas are asked at a turn, if anybody's.
    fn encoding(&self, game: &Game, k: usize) -> Option<Encoding> {
        let schedule = game.schedule();
        let mover = k.checked_sub(1).and_then(|played| schedule.player_after(played));
        match mover {
            Some(Player::Black) => Some(self.attacker),
            Some(Player::White) | None => schedule.is_alternating().then_some(self.defender),
        }
    }

    /// Puts one formula to the solver and compares with the native search.
    fn ask(
        &self,
        found: &mut Deepened,
        instance: &Instance,
        folder: &WorkFolder,
        limits: &RunLimits,
    ) -> io::Result<Run> {
        let (game, k, encoding) = (instance.game(), instance.turns(), instance.encoding());
        let mut file = FormulaFile::new(instance, folder);
        let prepared = Prepared::new(self.preprocessor, file.path()?, folder, limits);
        let run = prepared.decide(self.solver, limits);
        found.preprocess_time += prepared.cost;
        found.solver_time += run.cost();
        found.clock_time += prepared.time + run.time;
        let started = Instant::now();
        let native = match encoding {
            Encoding::Pairing => self.engines.paves(game, k, &self.native_limits()),
            _ => self.engines.win_turn(game, k, &self.native_limits()).map(|turn| turn.is_some()),
        };
        found.native_time += started.elapsed();
        if let (Some(answer), Ok(native)) = (run.answer(), native) {
            // COVER may miss a win; everything else must be the same.
            if answer != native && (answer || encoding != Encoding::Cover) {
                found.contradiction.get_or_insert(k);
            }
        }
        let begins = game.schedule().player_after(0) == Some(Player::Black);
        if run.answer() == Some(true) && encoding != Encoding::Pairing && begins {
            self.compare_first_moves(found, instance, &file.path()?, limits);
        }
        Ok(run)
    }

    fn native_limits(&self) -> Limits {
        Limits::new(Some(self.limits.time), None, self.limits.stop.clone())
    }

    /// Reads Black's first stone off the outermost assignment, if the solver prints it.
    fn compare_first_moves(&self, found: &mut Deepened, instance: &Instance, file: &Path, limits: &RunLimits) {
        let Some(run) = self.solver.run_for_assignment(file, limits) else { return };
        let formula = instance.formula();
        let assigned = run.partial_assignment();
        let stone = assigned.iter().filter(|&&literal| literal > 0).find_map(|&literal| {
            formula.prefix().meaning(literal as usize)?.strip_prefix("black t1 ").map(str::to_owned)
        });
        let Some(name) = stone else { return };
        let game = instance.game();
        if let Some(cell) = game.vertex(&name) {
            found.first_move_wins = self.engines.wins_with(game, cell, instance.turns(), &self.native_limits()).ok();
        }
        found.first_move = Some(name);
    }
}
