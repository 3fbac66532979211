//! `harary deepen`: the two sides' formulas in turn, k = 0, 1, 2, …, until one is true.

use super::arguments::{parse_board, parse_shape};
use super::crosscheck::NATIVE_MEMORY;
use super::solver_arguments::SolverArguments;
use super::{Console, OrUsage, Outcome, UsageError};
use crate::effort::Limits;
use crate::game::Game;
use crate::game::catalogue::Catalogue;
use crate::qbf::crosscheck::{WorkFolder, decide, write_formula};
use crate::qbf::instance::{Encoding, Instance};
use crate::qbf::native::{Engines, Native};
use crate::qbf::solver::{Ending, RunLimits, Solver};
use clap::Args;
use harary_certificate::{Board, Cell, Rule, Shape};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::time::{Duration, Instant};

/// Settles games by formulas alone: White's at even turns, Black's at odd ones, until the first that is true
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  harary deepen tippy 4x4 --solver depqbf6\n  harary deepen el,fatty,skinny 4x4 --attacker cover\n  \
    harary deepen animals 3x3 --torus --json\n\n\
    PAIRING at k = 0, 2, 4, …, the attacker's encoding at k = 1, 3, 5, … For each shape: the last k, who won, the \
    solver's time and the native search's, and for a win the solver's first move beside the native ones. A \
    contradiction between the two exits with code 1."
)]
pub struct Deepen {
    /// Shapes, separated by commas; `animals` for those of at most 6 cells that fit the board
    shapes: String,
    /// The board, WxH
    board: String,
    /// Glue the edges of the board
    #[arg(long)]
    torus: bool,
    /// Black's formulas
    #[arg(long, value_enum, default_value = "cor+")]
    attacker: Encoding,
    /// White's formulas: there is one such encoding
    #[arg(long, value_enum, default_value = "pairing")]
    defender: Encoding,
    /// The formulas as published
    #[arg(long)]
    faithful: bool,
    /// Give up after this k
    #[arg(long, value_name = "K")]
    until: Option<usize>,
    #[command(flatten)]
    solver: SolverArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What became of one shape.
#[derive(Serialize)]
struct Settled {
    shape: String,
    board: String,
    last_k: usize,
    /// `win` for Black, `hold` for White, or why there is no verdict.
    verdict: String,
    solver_seconds: f64,
    native_seconds: f64,
    /// The first k at which the native search says something else.
    contradiction: Option<usize>,
    /// The solver's first move, if it printed one.
    first_move: Option<String>,
    /// Whether that is one of the native winning first moves.
    first_move_wins: Option<bool>,
    #[serde(skip)]
    settled: bool,
}

impl Deepen {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        if self.attacker == Encoding::Pairing || self.defender != Encoding::Pairing {
            return Err(
                UsageError("the attacker is cor, cor+, cor++, cover or dys, the defender pairing".into()).into()
            );
        }
        let board = parse_board(&self.board, self.torus)?;
        let shapes = self.shapes(&board)?;
        let (solvers, preprocessor) = (self.solver.solvers()?, self.solver.preprocessor()?);
        let [solver] = &solvers[..] else { return Err(UsageError("deepening takes one solver".into()).into()) };
        let limits = self.solver.limits()?;
        let folder = WorkFolder::new()?;
        let mut results = Vec::new();
        for (name, shape) in shapes {
            let game = Game::new(shape, board, Rule::Strong);
            let settled = self.settle(name, &game, solver, preprocessor.as_ref(), &limits, &folder)?;
            if !self.json {
                write_line(console, &settled)?;
                console.flush()?;
            }
            results.push(settled);
        }
        if self.json {
            serde_json::to_writer_pretty(&mut *console, &results)?;
            writeln!(console)?;
        } else if results.len() > 1 {
            write_histogram(console, &results)?;
        }
        Ok(if results.iter().any(|r| r.contradiction.is_some() || r.first_move_wins == Some(false)) {
            Outcome::Refused
        } else if results.iter().any(|r| !r.settled) {
            Outcome::NotSettled
        } else {
            Outcome::Done
        })
    }

    fn shapes(&self, board: &Board) -> anyhow::Result<Vec<(String, Shape)>> {
        if self.shapes != "animals" {
            let shapes = self.shapes.split(',');
            return shapes.map(|text| parse_shape(text).map(|named| (named.name, named.shape))).collect();
        }
        let fits = |shape: &Shape| shape.is_animal() && shape.fits(board.width(), board.height());
        let entries = Catalogue::standard().entries().iter().filter(|entry| fits(&entry.shape));
        Ok(entries.map(|entry| (entry.name.clone(), entry.shape.clone())).collect())
    }

    fn settle(
        &self,
        name: String,
        game: &Game,
        solver: &Solver,
        preprocessor: Option<&Solver>,
        limits: &RunLimits,
        folder: &WorkFolder,
    ) -> anyhow::Result<Settled> {
        let engines = Engines { memory: NATIVE_MEMORY };
        let (mut solver_time, mut native_time) = (Duration::ZERO, Duration::ZERO);
        let mut settled = Settled {
            shape: name,
            board: game.shape_on_board().map_or_else(String::new, |(_, board)| board.to_string()),
            last_k: 0,
            verdict: "not settled by the last k".to_owned(),
            solver_seconds: 0.0,
            native_seconds: 0.0,
            contradiction: None,
            first_move: None,
            first_move_wins: None,
            settled: false,
        };
        for k in 0..=self.until.unwrap_or(usize::MAX).min(game.schedule().len()) {
            settled.last_k = k;
            let encoding = if k % 2 == 0 { self.defender } else { self.attacker };
            let mode = encoding.mode(game, self.faithful);
            let instance = Instance::new(game.clone(), encoding, k, mode).usage()?;
            let file = folder.file("qdimacs");
            write_formula(&instance, &file)?;
            let run = decide(solver, preprocessor, &file, folder, limits);
            solver_time += run.time;
            let started = Instant::now();
            let native_limits = Limits::new(Some(limits.time), None, limits.stop.clone());
            let native = match encoding {
                Encoding::Pairing => engines.paves(game, k, &native_limits),
                _ => engines.win_turn(game, k, &native_limits).map(|turn| turn.is_some()),
            };
            native_time += started.elapsed();
            if let (Ending::Answer(answer), Ok(native)) = (&run.ending, native) {
                // COVER may miss a win; everything else must be the same.
                if *answer != native && (*answer || encoding != Encoding::Cover) {
                    settled.contradiction.get_or_insert(k);
                }
            }
            let answer = run.answer();
            if answer == Some(true) && encoding != Encoding::Pairing {
                self.compare_first_moves(&mut settled, &instance, &engines, solver, &file, limits)?;
            }
            std::fs::remove_file(&file)?;
            match answer {
                Some(false) => continue,
                Some(true) => {
                    settled.settled = true;
                    settled.verdict = if encoding == Encoding::Pairing { "hold" } else { "win" }.to_owned();
                }
                None => settled.verdict = format!("{} at k = {k}: {}", solver.name(), run.ending),
            }
            break;
        }
        settled.solver_seconds = solver_time.as_secs_f64();
        settled.native_seconds = native_time.as_secs_f64();
        Ok(settled)
    }

    /// Reads Black's first stone off the outermost assignment, if the solver prints it.
    fn compare_first_moves(
        &self,
        settled: &mut Settled,
        instance: &Instance,
        engines: &Engines,
        solver: &Solver,
        file: &std::path::Path,
        limits: &RunLimits,
    ) -> anyhow::Result<()> {
        let Some(run) = solver.run_for_assignment(file, limits) else { return Ok(()) };
        let formula = instance.formula();
        let assigned = run.partial_assignment();
        let stone = assigned.iter().filter(|&&literal| literal > 0).find_map(|&literal| {
            formula.prefix().meaning(literal as usize)?.strip_prefix("black t1 ").map(str::to_owned)
        });
        let Some(name) = stone else { return Ok(()) };
        let game = instance.game();
        let native_limits = Limits::new(Some(limits.time), None, limits.stop.clone());
        if let (Some(cell), Ok(winning)) =
            (game.vertex(&name), engines.winning_first_moves(game, instance.turns(), &native_limits))
        {
            settled.first_move_wins = Some(winning.contains(Cell::new(cell.index())));
        }
        settled.first_move = Some(name);
        Ok(())
    }
}

fn write_line(console: &mut Console, settled: &Settled) -> std::io::Result<()> {
    let who = match settled.verdict.as_str() {
        "win" => format!("Black wins by turn {}", settled.last_k),
        "hold" => format!("White holds, paving after turn {}", settled.last_k),
        other => other.to_owned(),
    };
    write!(
        console,
        "{:<14} {:<10} last k {:>2}  {who}  (solver {:.2} s, native {:.3} s)",
        settled.shape, settled.board, settled.last_k, settled.solver_seconds, settled.native_seconds
    )?;
    if let Some(name) = &settled.first_move {
        let judged = match settled.first_move_wins {
            Some(true) => "wins natively too",
            Some(false) => "does NOT win natively",
            None => "not compared",
        };
        write!(console, "  first move {name}: {judged}")?;
    }
    if let Some(k) = settled.contradiction {
        write!(console, "  CONTRADICTED by the native search at k = {k}")?;
    }
    writeln!(console)
}

/// How many shapes were settled at each last k.
fn write_histogram(console: &mut Console, results: &[Settled]) -> std::io::Result<()> {
    let mut counts: BTreeMap<usize, [usize; 3]> = BTreeMap::new();
    for result in results {
        let column = match result.verdict.as_str() {
            "win" => 0,
            "hold" => 1,
            _ => 2,
        };
        counts.entry(result.last_k).or_default()[column] += 1;
    }
    writeln!(console, "\n{:>6} {:>6} {:>6} {:>6}", "last k", "win", "hold", "open")?;
    for (k, [win, hold, open]) in counts {
        writeln!(console, "{k:>6} {win:>6} {hold:>6} {open:>6}  {}", "#".repeat(win + hold + open))?;
    }
    Ok(())
}
