//! The formulas of the neighbours, asked of real solvers, with and without cuts, beside what the search says.

use super::clauses::{ClauseGame, Formula as Cnf, Recipe};
use super::connect::solver::Solver as ConnectSolver;
use super::connect::{Connect, Grid, board::turn_of_win};
use super::cuts::{self, Counted};
use super::finite::Finite;
use super::formulas;
use super::matrix::{Matrix, MatrixGame};
use super::nim::Nim;
use super::random::Random;
use super::search::Search;
use super::spoken::Spoken;
use crate::effort::{Halt, Limits};
use crate::qbf::formula::{Formula, Size};
use crate::qbf::solver::{Ending, RunLimits, Solver};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// A game with a formula.
#[derive(Clone, Debug)]
pub enum Subject {
    /// Nim.
    Nim(Nim),
    /// The matrix game.
    Matrix(Arc<Matrix>),
    /// Connect Four to its last turn.
    Connect(Grid),
    /// The game of clauses.
    Clauses(ClauseGame),
}

/// Quantified search without a table goes no further than so many nodes.
const MOST_COUNTED: u64 = 20_000_000;
/// Bytes for the search of Connect Four.
const MEMORY: usize = 64 << 20;

impl Subject {
    /// Which game it is.
    pub fn kind(&self) -> &'static str {
        match self {
            Subject::Nim(_) => "nim",
            Subject::Matrix(_) => "matrix",
            Subject::Connect(_) => "connect",
            Subject::Clauses(_) => "clauses",
        }
    }

    /// The game in words.
    pub fn title(&self) -> String {
        match self {
            Subject::Nim(game) => game.title(),
            Subject::Matrix(matrix) => MatrixGame::new(matrix.clone()).title(),
            Subject::Connect(grid) => Connect::new(*grid).title(),
            Subject::Clauses(game) => game.title(),
        }
    }

    /// The formula.
    pub fn formula(&self, cuts: bool) -> Formula {
        match self {
            Subject::Nim(game) => formulas::of_nim(game, cuts),
            Subject::Matrix(matrix) => formulas::of_matrix(matrix, cuts),
            Subject::Connect(grid) => formulas::of_connect(*grid, grid.cells(), cuts),
            Subject::Clauses(game) => formulas::of_clauses(game, cuts),
        }
    }

    /// Whether the first player wins, by the search of the game.
    pub fn wins(&self, limits: &Limits) -> Result<bool, Halt> {
        Ok(match self {
            Subject::Nim(game) => Search::new(limits).value(game)? > 0,
            Subject::Matrix(matrix) => Search::new(limits).value(&MatrixGame::new(matrix.clone()))? > 0,
            Subject::Connect(grid) => {
                let value = ConnectSolver::new(*grid, MEMORY, limits).value(&Connect::new(*grid), &mut |_, _| {})?;
                value > 0 && turn_of_win(*grid, value).is_some()
            }
            Subject::Clauses(game) => Search::new(limits).value(game)? > 0,
        })
    }

    /// Nodes of the plain quantified search; nothing if they are too many.
    pub fn counted(&self, limits: &Limits) -> Option<Counted> {
        let limits = &limits.part(Some(MOST_COUNTED));
        match self {
            Subject::Nim(game) => {
                let domain: Vec<u64> = (1..=game.most().max(1)).collect();
                cuts::count(game, &domain, game.left() as usize, limits)
            }
            Subject::Matrix(matrix) => {
                let game = MatrixGame::new(matrix.clone());
                cuts::count(&game, &game.moves(), 2 * matrix.depth(), limits)
            }
            Subject::Connect(grid) => {
                let game = Connect::new(*grid);
                cuts::count(&game, &game.moves(), grid.cells(), limits)
            }
            Subject::Clauses(game) => cuts::count(game, &game.moves(), game.formula().cells(), limits),
        }
        .ok()
    }
}

/// Random matrices of depth 1 to `deepest`, near the density at which both sides win as often.
pub fn matrices(count: usize, deepest: usize, seed: u64) -> Vec<Subject> {
    let mut random = Random::new(seed);
    let matrix = |number: usize| Matrix::random(1 + number % deepest.max(1), 0.618, random.bits());
    (0..count).map(matrix).filter_map(Result::ok).map(|matrix| Subject::Matrix(Arc::new(matrix))).collect()
}

/// Random games of clauses on a board, every second one misère.
pub fn clause_games(count: usize, (width, height): (usize, usize), seed: u64) -> Vec<Subject> {
    let mut random = Random::new(seed);
    let mut game = |number: usize| {
        let recipe = Recipe { clauses: 3 + random.below(4), size: 3.min(width * height), negation: 0.5 };
        let formula = Cnf::random(width, height, recipe, random.bits()).ok()?;
        Some(Subject::Clauses(ClauseGame::new(Arc::new(formula), number % 2 == 1)))
    };
    (0..count).filter_map(&mut game).collect()
}

/// What came of asking one solver about one formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// Both say the same.
    Agreement,
    /// One of them is wrong.
    Disagreement,
    /// The solver gave no answer in time.
    Timeout,
    /// The solver failed in another way.
    Failure,
}

/// One run.
#[derive(Clone, Debug)]
pub struct Row {
    /// Which game.
    pub kind: &'static str,
    /// The game in words.
    pub game: String,
    /// Whether the formula has cuts.
    pub cuts: bool,
    /// How large it is.
    pub size: Size,
    /// Whether the first player wins.
    pub native: bool,
    /// How long the search took to say so.
    pub native_seconds: f64,
    /// Nodes of the plain quantified search, with or without cuts as the formula.
    pub nodes: Option<u128>,
    /// Who was asked.
    pub solver: String,
    /// The answer.
    pub answer: Option<bool>,
    /// The answer in words, or why there is none.
    pub ending: String,
    /// How long it took.
    pub seconds: f64,
    /// What that comes to.
    pub finding: Finding,
    /// With a disagreement: where the formula is.
    pub kept: Option<PathBuf>,
}

/// Asks every solver about every formula, those without cuts first. A disagreement is kept in the folder `keep`.
pub fn run(
    subjects: &[Subject],
    solvers: &[Solver],
    limits: &RunLimits,
    native: &Limits,
    keep: &Path,
    told: &mut dyn FnMut(&Row),
) -> io::Result<Result<Vec<Row>, Halt>> {
    let folder = tempfile::TempDir::with_prefix("harary-")?;
    let file = folder.path().join("formula.qdimacs");
    let mut rows = Vec::new();
    for subject in subjects {
        let started = Instant::now();
        let Ok(wins) = subject.wins(native) else { return Ok(Err(Halt)) };
        let native_seconds = started.elapsed().as_secs_f64();
        let counted = subject.counted(native);
        for cuts in [false, true] {
            let formula = subject.formula(cuts);
            write(&formula, &file)?;
            for solver in solvers {
                if limits.stop.load(Ordering::Relaxed) {
                    return Ok(Err(Halt));
                }
                let run = solver.run(&file, limits);
                let finding = match &run.ending {
                    Ending::Answer(answer) if *answer == wins => Finding::Agreement,
                    Ending::Answer(_) => Finding::Disagreement,
                    Ending::TimedOut(_) => Finding::Timeout,
                    Ending::Stopped => return Ok(Err(Halt)),
                    _ => Finding::Failure,
                };
                let mut row = Row {
                    kind: subject.kind(),
                    game: subject.title(),
                    cuts,
                    size: formula.size(),
                    native: wins,
                    native_seconds,
                    nodes: counted.map(|counted| if cuts { counted.with } else { counted.without }),
                    solver: solver.name().to_owned(),
                    answer: run.answer(),
                    ending: run.ending.to_string(),
                    seconds: run.time.as_secs_f64(),
                    finding,
                    kept: None,
                };
                if finding == Finding::Disagreement {
                    fs::create_dir_all(keep)?;
                    let path = keep.join(format!("neighbours-{}.qdimacs", rows.len() + 1));
                    formula.keep(&path)?;
                    row.kept = Some(path);
                }
                told(&row);
                rows.push(row);
            }
        }
    }
    Ok(Ok(rows))
}

fn write(formula: &Formula, path: &Path) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    formula.write(&mut out)?;
    out.flush()
}
