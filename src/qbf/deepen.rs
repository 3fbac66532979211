//! Deepening: the two sides' formulas in turn, k = 0, 1, 2, …, until one is true.

use crate::effort::Limits;
use crate::game::Game;
use crate::qbf::crosscheck::{WorkFolder, decide, write_formula};
use crate::qbf::instance::{Encoding, Instance, InstanceError};
use crate::qbf::native::{Engines, Native};
use crate::qbf::solver::{Ending, RunLimits, Solver};
use harary_certificate::Cell;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};
use thiserror::Error;

/// Who is asked what, and for how long.
pub struct Deepening<'a> {
    /// Black's formulas, at odd turns.
    pub attacker: Encoding,
    /// White's formulas, at even turns.
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
    /// White's was.
    White,
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
    /// The time of all runs of the solver.
    pub solver_time: Duration,
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
            native_time: Duration::ZERO,
            contradiction: None,
            first_move: None,
            first_move_wins: None,
        };
        for k in 0..=self.until.unwrap_or(usize::MAX).min(game.schedule().len()) {
            found.last_turn = k;
            let encoding = if k % 2 == 0 { self.defender } else { self.attacker };
            let mode = encoding.mode(game, self.faithful);
            let instance = Instance::new(game.clone(), encoding, k, mode)?;
            let file = folder.file("qdimacs");
            write_formula(&instance, &file)?;
            let run = decide(self.solver, self.preprocessor, &file, folder, self.limits);
            found.solver_time += run.time;
            let started = Instant::now();
            let native = match encoding {
                Encoding::Pairing => self.engines.paves(game, k, &self.native_limits()),
                _ => self.engines.win_turn(game, k, &self.native_limits()).map(|turn| turn.is_some()),
            };
            found.native_time += started.elapsed();
            if let (Ending::Answer(answer), Ok(native)) = (&run.ending, native) {
                // COVER may miss a win; everything else must be the same.
                if *answer != native && (*answer || encoding != Encoding::Cover) {
                    found.contradiction.get_or_insert(k);
                }
            }
            let answer = run.answer();
            if answer == Some(true) && encoding != Encoding::Pairing {
                self.compare_first_moves(&mut found, &instance, &file);
            }
            std::fs::remove_file(&file)?;
            match answer {
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

    fn native_limits(&self) -> Limits {
        Limits::new(Some(self.limits.time), None, self.limits.stop.clone())
    }

    /// Reads Black's first stone off the outermost assignment, if the solver prints it.
    fn compare_first_moves(&self, found: &mut Deepened, instance: &Instance, file: &Path) {
        let Some(run) = self.solver.run_for_assignment(file, self.limits) else { return };
        let formula = instance.formula();
        let assigned = run.partial_assignment();
        let stone = assigned.iter().filter(|&&literal| literal > 0).find_map(|&literal| {
            formula.prefix().meaning(literal as usize)?.strip_prefix("black t1 ").map(str::to_owned)
        });
        let Some(name) = stone else { return };
        let game = instance.game();
        if let (Some(cell), Ok(winning)) =
            (game.vertex(&name), self.engines.winning_first_moves(game, instance.turns(), &self.native_limits()))
        {
            found.first_move_wins = Some(winning.contains(Cell::new(cell.index())));
        }
        found.first_move = Some(name);
    }
}
