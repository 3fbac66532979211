//! Solvers against this program: the same questions, answered by both.

use crate::effort::{Halt, Limits};
use crate::game::Game;
use crate::qbf::instance::{Encoding, Instance};
use crate::qbf::native::{Expected, Native};
use crate::qbf::solver::{Ending, Run, RunLimits, Solver};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A game and what it is asked about it: encodings and turns.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The name of the shape.
    pub name: String,
    /// The game.
    pub game: Game,
    /// Encodings and numbers of turns to ask about.
    pub questions: Vec<(Encoding, usize)>,
    /// The formulas as published, or lean.
    pub faithful: bool,
}

/// Who answers, and for how long.
pub struct Settings<'a> {
    /// What answers on our side.
    pub native: &'a dyn Native,
    /// Limits of one answer of ours.
    pub native_limits: &'a (dyn Fn() -> Limits + Sync),
    /// The programs asked.
    pub solvers: &'a [Solver],
    /// What simplifies the formula first.
    pub preprocessor: Option<&'a Solver>,
    /// Limits of one run of a program.
    pub limits: &'a RunLimits,
    /// Where formulas go on which a solver and this program disagree.
    pub keep: &'a Path,
}

/// What came out of one comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// Both say the same.
    Agreement,
    /// One of them is wrong.
    Disagreement,
    /// COVER is false although Black wins: he has no win inside the cover. No contradiction.
    NoCoverWin,
    /// The solver gave no answer in time.
    Timeout,
    /// The solver failed in another way.
    Failure,
    /// This program gave no answer within its own limits.
    NativeTimeout,
}

/// One line of the table: a solver's answer to a formula beside ours.
#[derive(Clone, Debug)]
pub struct Row {
    /// The name of the shape.
    pub shape: String,
    /// Sides and topology.
    pub board: String,
    /// `strong` or `weak`.
    pub rule: String,
    /// How it was put.
    pub encoding: Encoding,
    /// Faithful or lean.
    pub mode: String,
    /// The number of turns asked about.
    pub turns: usize,
    /// Who was asked.
    pub solver: String,
    /// What came of it.
    pub finding: Finding,
    /// The native answer: whether the formula should be true.
    pub native: Option<bool>,
    /// The time of the native search. For all but PAIRING one search serves all turns and encodings of a game; each row
    /// gives its whole time, and sums count it once.
    pub native_seconds: f64,
    /// The solver's answer.
    pub value: Option<bool>,
    /// The same in words, or why there is none.
    pub answer: String,
    /// How long the program took.
    pub seconds: f64,
    /// The formula, if it was kept.
    pub formula: Option<PathBuf>,
    /// Why it was not, if it should have been.
    pub not_kept: Option<String>,
}

/// Asks everybody everything, games in parallel; `progress` hears of each row as it is done. Rows come back in the order
/// of the subjects. What was not asked before somebody stopped it has no row.
pub fn run(subjects: &[Subject], settings: &Settings, progress: &(dyn Fn(&Row) + Sync)) -> io::Result<Vec<Row>> {
    let folder = WorkFolder::new()?;
    let rows: Vec<Vec<Row>> =
        subjects.par_iter().map(|subject| compare(subject, settings, &folder, progress)).collect::<io::Result<_>>()?;
    Ok(rows.into_iter().flatten().collect())
}

fn compare(
    subject: &Subject,
    settings: &Settings,
    folder: &WorkFolder,
    progress: &(dyn Fn(&Row) + Sync),
) -> io::Result<Vec<Row>> {
    let mut rows = Vec::new();
    let mut native = NativeAnswers::new(subject, settings);
    let stopped = || settings.limits.stop.load(Ordering::Relaxed);
    for &(encoding, turns) in &subject.questions {
        if stopped() {
            break;
        }
        let instance =
            Instance::new(subject.game.clone(), encoding, turns, encoding.mode(&subject.game, subject.faithful))
                .map_err(io::Error::other)?;
        let (expected, native_time) = native.answer(encoding, turns);
        let file = folder.file("qdimacs");
        write_formula(&instance, &file)?;
        for solver in settings.solvers {
            let run = decide(solver, settings.preprocessor, &file, folder, settings.limits);
            // What was stopped has not been answered. An answer that came before is one.
            if run.ending == Ending::Stopped || stopped() && (expected.is_err() || run.answer().is_none()) {
                break;
            }
            let finding = judge(encoding, expected, &run);
            let mut row = Row {
                shape: subject.name.clone(),
                board: subject.game.shape_on_board().map_or("sets".to_owned(), |(_, board)| board.to_string()),
                rule: subject.game.rule().to_string(),
                encoding,
                mode: instance.mode().to_string(),
                turns,
                solver: solver.name().to_owned(),
                finding,
                native: expected.ok().map(|expected| expected != Expected::False),
                native_seconds: native_time.as_secs_f64(),
                value: run.answer(),
                answer: run.ending.to_string(),
                seconds: run.time.as_secs_f64(),
                formula: None,
                not_kept: None,
            };
            if finding == Finding::Disagreement {
                // A disagreement is the one thing nobody may miss, be the disk as full as it likes.
                match keep(&instance, &row, settings.keep) {
                    Ok(path) => row.formula = Some(path),
                    Err(error) => row.not_kept = Some(error.to_string()),
                }
            }
            progress(&row);
            rows.push(row);
        }
        fs::remove_file(&file)?;
    }
    Ok(rows)
}

/// Compares a solver's answer with ours.
fn judge(encoding: Encoding, expected: Result<Expected, Halt>, run: &Run) -> Finding {
    match (&run.ending, expected) {
        (Ending::TimedOut(_), _) => Finding::Timeout,
        (Ending::Answer(_), Err(Halt)) => Finding::NativeTimeout,
        (Ending::Answer(answer), Ok(expected)) => match expected.allows(*answer) {
            true if encoding == Encoding::Cover && expected == Expected::Either && !answer => Finding::NoCoverWin,
            true => Finding::Agreement,
            false => Finding::Disagreement,
        },
        _ => Finding::Failure,
    }
}

/// Native answers for one game. The least winning turn is found once and serves all turns and encodings.
struct NativeAnswers<'a> {
    subject: &'a Subject,
    settings: &'a Settings<'a>,
    /// The least winning turn and the time it took.
    win_turn: Option<(Result<Option<usize>, Halt>, Duration)>,
}

impl<'a> NativeAnswers<'a> {
    fn new(subject: &'a Subject, settings: &'a Settings<'a>) -> NativeAnswers<'a> {
        NativeAnswers { subject, settings, win_turn: None }
    }

    fn answer(&mut self, encoding: Encoding, turns: usize) -> (Result<Expected, Halt>, Duration) {
        let Settings { native, native_limits, .. } = *self.settings;
        let Subject { game, questions, .. } = self.subject;
        let started = Instant::now();
        if encoding == Encoding::Pairing {
            let paves = native.paves(game, turns, &native_limits());
            return (paves.map(|paves| if paves { Expected::True } else { Expected::False }), started.elapsed());
        }
        let (found, time) = *self.win_turn.get_or_insert_with(|| {
            let most = questions.iter().filter(|(e, _)| *e != Encoding::Pairing).map(|q| q.1).max().unwrap_or(turns);
            let found = native.win_turn(game, most, &native_limits());
            (found, started.elapsed())
        });
        let expected = found.map(|found| match found.is_some_and(|turn| turn <= turns) {
            true if encoding == Encoding::Cover => Expected::Either,
            true => Expected::True,
            false => Expected::False,
        });
        (expected, time)
    }
}

/// Runs a solver on a formula, the preprocessor before it if there is one.
pub fn decide(
    solver: &Solver,
    preprocessor: Option<&Solver>,
    file: &Path,
    folder: &WorkFolder,
    limits: &RunLimits,
) -> Run {
    let Some(preprocessor) = preprocessor else { return solver.run(file, limits) };
    let started = Instant::now();
    let simplified = folder.file("simplified");
    let run = match preprocessor.preprocess(file, &simplified, limits) {
        Ok(Some(answer)) => Run { ending: Ending::Answer(answer), time: started.elapsed(), output: String::new() },
        Ok(None) => {
            let left = limits.time.saturating_sub(started.elapsed());
            let mut run = solver.run(&simplified, &RunLimits { time: left, ..limits.clone() });
            run.time = started.elapsed();
            run
        }
        Err(ending) => Run { ending, time: started.elapsed(), output: String::new() },
    };
    // It may never have been written.
    let _ = fs::remove_file(&simplified);
    run
}

/// Writes the formula of an instance to a file.
pub fn write_formula(instance: &Instance, file: &Path) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    instance.formula().write(&mut out)?;
    out.flush()
}

fn keep(instance: &Instance, row: &Row, folder: &Path) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let name = format!("{}-{}-{}-{}-k{}.qdimacs", row.shape, row.board, row.rule, row.encoding, row.turns);
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "-+.".contains(c) { c } else { '-' }).collect();
    let path = folder.join(name);
    write_formula(instance, &path)?;
    Ok(path)
}

/// A folder for formulas that is gone when it is dropped.
pub struct WorkFolder {
    folder: TempDir,
    files: AtomicU64,
}

impl WorkFolder {
    /// A new one, empty.
    pub fn new() -> io::Result<WorkFolder> {
        Ok(WorkFolder { folder: TempDir::with_prefix("harary-")?, files: AtomicU64::new(0) })
    }

    /// A name for a new file in it.
    pub fn file(&self, extension: &str) -> PathBuf {
        self.folder.path().join(format!("{}.{extension}", self.files.fetch_add(1, Ordering::Relaxed)))
    }
}

/// Counts and times over rows.
#[derive(Clone, Copy, Default, Debug, Serialize)]
pub struct Summary {
    /// Runs of programs.
    pub runs: usize,
    /// Runs that said what we say.
    pub agreements: usize,
    /// Runs that said the contrary.
    pub disagreements: usize,
    /// Runs that found no win inside a cover where there is one outside.
    pub no_cover_wins: usize,
    /// Runs without an answer in time.
    pub timeouts: usize,
    /// Runs that went wrong.
    pub failures: usize,
    /// Questions we had no answer to in time.
    pub native_timeouts: usize,
    /// Our seconds, of the runs both answered.
    pub native_seconds: f64,
    /// Theirs.
    pub solver_seconds: f64,
}

impl Summary {
    /// Adds the rows up.
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Summary {
        let mut summary = Summary::default();
        let mut counted = BTreeSet::new();
        for row in rows {
            summary.runs += 1;
            let question = (row.encoding == Encoding::Pairing).then_some(row.turns);
            if counted.insert((&row.shape, &row.board, &row.rule, question)) {
                summary.native_seconds += row.native_seconds;
            }
            summary.solver_seconds += row.seconds;
            *match row.finding {
                Finding::Agreement => &mut summary.agreements,
                Finding::Disagreement => &mut summary.disagreements,
                Finding::NoCoverWin => &mut summary.no_cover_wins,
                Finding::Timeout => &mut summary.timeouts,
                Finding::Failure => &mut summary.failures,
                Finding::NativeTimeout => &mut summary.native_timeouts,
            } += 1;
        }
        summary
    }

    /// How many times longer the solver took.
    pub fn ratio(&self) -> f64 {
        self.solver_seconds / self.native_seconds.max(1e-9)
    }
}
