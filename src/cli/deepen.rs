//! `harary deepen`: the two sides' formulas in turn, k = 0, 1, 2, …, until one is true.

use super::arguments::{parse_board, parse_shape};
use super::console::Console;
use super::crosscheck::NATIVE_MEMORY;
use super::ending::{Outcome, UsageError};
use super::json;
use super::solver_arguments::SolverArguments;
use crate::game::Game;
use crate::game::catalogue::Catalogue;
use crate::qbf::crosscheck::WorkFolder;
use crate::qbf::deepen::{DeepenError, Deepened, Deepening, Winner};
use crate::qbf::instance::Encoding;
use crate::qbf::native::Engines;
use clap::Args;
use harary_certificate::{Board, Rule, Shape};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

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

/// What became of one shape, for machines.
#[derive(Serialize)]
struct Row {
    game: json::Game,
    last_k: usize,
    verdict: json::Verdict,
    /// Why it is open.
    reason: Option<String>,
    solver_seconds: f64,
    native_seconds: f64,
    contradiction: Option<usize>,
    first_move: Option<String>,
    first_move_wins: Option<bool>,
}

impl Row {
    fn new(name: &str, game: &Game, found: &Deepened) -> Row {
        let (verdict, reason) = match &found.winner {
            Winner::Black => (json::Verdict::Win, None),
            Winner::White => (json::Verdict::Hold, None),
            Winner::Nobody(reason) => (json::Verdict::Open, Some(reason.clone())),
        };
        Row {
            game: json::Game::new(name, game),
            last_k: found.last_turn,
            verdict,
            reason,
            solver_seconds: json::seconds(found.solver_time.as_secs_f64()),
            native_seconds: json::seconds(found.native_time.as_secs_f64()),
            contradiction: found.contradiction,
            first_move: found.first_move.clone(),
            first_move_wins: found.first_move_wins,
        }
    }
}

#[derive(Serialize)]
struct Report {
    solver: String,
    attacker: Encoding,
    defender: Encoding,
    games: Vec<Row>,
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
        let deepening = Deepening {
            attacker: self.attacker,
            defender: self.defender,
            faithful: self.faithful,
            until: self.until,
            solver,
            preprocessor: preprocessor.as_ref(),
            limits: &limits,
            engines: Engines { memory: NATIVE_MEMORY },
        };
        let (mut results, mut rows) = (Vec::new(), Vec::new());
        for (name, shape) in shapes {
            let game = Game::new(shape, board, Rule::Strong);
            let found = deepening.settle(&game, &folder).map_err(|error| match error {
                DeepenError::Instance(mistake) => UsageError(mistake.to_string()).into(),
                other => anyhow::Error::from(other),
            })?;
            if self.json {
                rows.push(Row::new(&name, &game, &found));
            } else {
                write_line(console, &name, &board, &found)?;
                console.flush()?;
            }
            results.push(found);
        }
        if self.json {
            let (attacker, defender) = (self.attacker, self.defender);
            let report = Report { solver: solver.name().to_owned(), attacker, defender, games: rows };
            json::write(console, "deepen", &report)?;
        } else if results.len() > 1 {
            write_histogram(console, &results)?;
        }
        Ok(if results.iter().any(Deepened::is_contradicted) {
            Outcome::Refused
        } else if results.iter().any(|found| !found.is_settled()) {
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
}

fn write_line(console: &mut Console, name: &str, board: &Board, found: &Deepened) -> std::io::Result<()> {
    let who = match &found.winner {
        Winner::Black => format!("Black wins by turn {}", found.last_turn),
        Winner::White => format!("White holds, paving after turn {}", found.last_turn),
        Winner::Nobody(reason) => reason.clone(),
    };
    write!(
        console,
        "{name:<14} {:<10} last k {:>2}  {who}  (solver {:.2} s, native {:.3} s)",
        board.to_string(),
        found.last_turn,
        found.solver_time.as_secs_f64(),
        found.native_time.as_secs_f64()
    )?;
    if let Some(name) = &found.first_move {
        let judged = match found.first_move_wins {
            Some(true) => "wins natively too",
            Some(false) => "does NOT win natively",
            None => "not compared",
        };
        write!(console, "  first move {name}: {judged}")?;
    }
    if let Some(k) = found.contradiction {
        write!(console, "  CONTRADICTED by the native search at k = {k}")?;
    }
    writeln!(console)
}

/// How many shapes were settled at each last k.
fn write_histogram(console: &mut Console, results: &[Deepened]) -> std::io::Result<()> {
    let mut counts: BTreeMap<usize, [usize; 3]> = BTreeMap::new();
    for found in results {
        let column = match found.winner {
            Winner::Black => 0,
            Winner::White => 1,
            Winner::Nobody(_) => 2,
        };
        counts.entry(found.last_turn).or_default()[column] += 1;
    }
    writeln!(console, "\n{:>6} {:>6} {:>6} {:>6}", "last k", "win", "hold", "open")?;
    for (k, [win, hold, open]) in counts {
        writeln!(console, "{k:>6} {win:>6} {hold:>6} {open:>6}  {}", "#".repeat(win + hold + open))?;
    }
    Ok(())
}
