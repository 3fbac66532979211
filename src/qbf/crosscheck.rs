//! Solvers against this program: the same questions, answered by both.

use crate::effort::{Halt, Limits};
use crate::game::Game;
use crate::qbf::decide::{FormulaFile, Prepared, WorkFolder};
use crate::qbf::instance::{Encoding, Instance};
use crate::qbf::native::{Expected, Native, decides};
use crate::qbf::qrp;
use crate::qbf::question::Question;
use crate::qbf::row::{Finding, Row, Traced};
use crate::qbf::solver::{Ending, Run, RunLimits, Solver};
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::num::NonZeroUsize;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A game and what it is asked about it: encodings and turns.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The name of the shape, or of the file of the game.
    pub name: String,
    /// The game.
    pub game: Game,
    /// Encodings and numbers of turns to ask about.
    pub questions: Vec<(Encoding, usize)>,
    /// The formulas as published, or lean.
    pub faithful: bool,
}

impl Subject {
    /// The formula of one of its questions.
    pub fn instance(&self, (encoding, turns): (Encoding, usize)) -> io::Result<Instance> {
        let mode = encoding.mode(&self.game, self.faithful);
        Instance::new(self.game.clone(), encoding, turns, mode).map_err(io::Error::other)
    }

    /// Sides and topology of its board; a game of sets has none.
    pub fn board(&self) -> String {
        self.game.place().unwrap_or_else(|| "sets".to_owned())
    }
}

/// Who answers, and for how long.
pub struct Settings<'a> {
    /// What answers on our side.
    pub native: &'a dyn Native,
    /// Limits of one answer of ours.
    pub native_limits: &'a (dyn Fn() -> Limits + Sync),
    /// The programs asked.
    pub solvers: &'a [Solver],
    /// What simplifies the formula first, each in turn; `None` is the formula as it is.
    pub preprocessors: &'a [Option<Solver>],
    /// Limits of one run of a program, its preprocessor included.
    pub limits: &'a RunLimits,
    /// The time of all formulas of a game together, for each solver and preprocessor.
    pub game_time: Option<Duration>,
    /// How many formulas are at work at a time.
    pub jobs: NonZeroUsize,
    /// What is known from an earlier run.
    pub known: &'a (dyn Fn(&Question) -> Option<Row> + Sync),
    /// Whether a trace of every answer is asked for, and checked.
    pub proofs: bool,
    /// Where formulas go on which a solver and this program disagree.
    pub keep: &'a Path,
}

/// Hears of each new row.
pub type Progress<'a> = dyn Fn(&Question, &Row) + Sync + 'a;

/// Asks everybody everything, several formulas at a time; `progress` hears of each new row as it is done, and of the
/// question it answers. Rows come back in the order of the subjects. What was not asked before somebody stopped it has no row.
pub fn run(subjects: &[Subject], settings: &Settings, progress: &Progress) -> io::Result<Vec<Row>> {
    let folder = WorkFolder::new()?;
    let games: Vec<Asked> =
        subjects.iter().enumerate().map(|(index, subject)| Asked::new(index, subject, settings)).collect();
    // A game with a limit of its own is asked in one go, any other question by question.
    let size = if settings.game_time.is_some() { usize::MAX } else { 1 };
    let pieces: Vec<(&Asked, &[(Encoding, usize)])> = games
        .iter()
        .flat_map(|game| game.subject.questions.chunks(size).map(move |questions| (game, questions)))
        .collect();
    let next = AtomicUsize::new(0);
    let work = || -> io::Result<Vec<(usize, Vec<Row>)>> {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some((game, questions)) = pieces.get(index) else { return Ok(done) };
            match game.compare(questions, &folder, progress) {
                Ok(rows) => done.push((index, rows)),
                Err(error) => {
                    // The others need not begin anything new.
                    next.store(pieces.len(), Ordering::Relaxed);
                    return Err(error);
                }
            }
        }
    };
    // Threads of our own and not a pool's: one may wait for the native answer another is at.
    let mut done = thread::scope(|scope| {
        let workers: Vec<_> = (0..settings.jobs.get().min(pieces.len())).map(|_| scope.spawn(work)).collect();
        let results = workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
        results.collect::<io::Result<Vec<_>>>().map(|parts| parts.into_iter().flatten().collect::<Vec<_>>())
    })?;
    done.sort_by_key(|(index, _)| *index);
    Ok(done.into_iter().flat_map(|(_, rows)| rows).collect())
}

/// A game that is asked about, and the native answers. The least winning turn is found once and serves all turns and
/// encodings.
struct Asked<'a> {
    index: usize,
    subject: &'a Subject,
    settings: &'a Settings<'a>,
    /// The least winning turn and the time it took.
    win_turn: OnceLock<(Result<Option<usize>, Halt>, Duration)>,
}

/// Who is asked: the numbers of the preprocessor and of the solver.
type Team = (usize, usize);

impl<'a> Asked<'a> {
    fn new(index: usize, subject: &'a Subject, settings: &'a Settings<'a>) -> Asked<'a> {
        Asked { index, subject, settings, win_turn: OnceLock::new() }
    }

    fn is_stopped(&self) -> bool {
        self.settings.limits.stop.load(Ordering::Relaxed)
    }

    /// The rows of some of its questions.
    fn compare(
        &self,
        questions: &[(Encoding, usize)],
        folder: &WorkFolder,
        progress: &Progress,
    ) -> io::Result<Vec<Row>> {
        let mut rows = Vec::new();
        let mut spent: HashMap<Team, f64> = HashMap::new();
        for &question in questions {
            let instance = self.subject.instance(question)?;
            for (team, row, seconds) in self.ask(&instance, &spent, folder, progress)? {
                *spent.entry(team).or_default() += seconds;
                rows.push(row);
            }
        }
        Ok(rows)
    }

    /// Everybody's answers to one formula, and the seconds of the game's time that each took.
    fn ask(
        &self,
        instance: &Instance,
        gone: &HashMap<Team, f64>,
        folder: &WorkFolder,
        progress: &Progress,
    ) -> io::Result<Vec<(Team, Row, f64)>> {
        let Settings { solvers, preprocessors, known, .. } = *self.settings;
        let mut rows = Vec::new();
        let mut file = FormulaFile::new(instance, folder);
        for (first, preprocessor) in preprocessors.iter().enumerate() {
            let preprocessor = preprocessor.as_ref();
            let mut prepared = None;
            for (second, solver) in solvers.iter().enumerate() {
                let team = (first, second);
                let limits = self.limits_after(gone.get(&team).copied().unwrap_or_default());
                let question = Question::new(instance, solver, preprocessor, limits.time);
                if let Some(row) = known(&question) {
                    let spent = row.total_seconds();
                    rows.push((team, Row { subject: self.index, ..row }, spent));
                    continue;
                }
                if self.is_stopped() {
                    return Ok(rows);
                }
                let (mut row, mut spent) = (self.row(instance, preprocessor, solver), 0.0);
                if !limits.time.is_zero() {
                    let (expected, native_time) = self.native_answer(instance.encoding(), instance.turns());
                    let path = file.path()?;
                    let prepared = prepared.get_or_insert_with(|| Prepared::new(preprocessor, path, folder, &limits));
                    let run = prepared.decide(solver, &limits);
                    // What was stopped has not been answered. An answer that came before is one.
                    let open = expected.is_err() || run.answer().is_none();
                    if run.ending == Ending::Stopped || self.is_stopped() && open {
                        return Ok(rows);
                    }
                    row.preprocess_seconds = prepared.cost.as_secs_f64();
                    spent = (prepared.time + run.time).as_secs_f64();
                    row.native_seconds = native_time.as_secs_f64();
                    self.judge_run(&mut row, instance, expected, &run);
                    if let (true, Some(answer)) = (self.settings.proofs, run.answer()) {
                        let trace = folder.file("qrp");
                        row.proof = Some(match preprocessor {
                            None => traced(instance, solver, &file.path()?, &trace, answer, &limits),
                            Some(_) => untraced("the formula was preprocessed"),
                        });
                        // It may never have been written.
                        let _ = fs::remove_file(&trace);
                    }
                }
                progress(&question, &row);
                rows.push((team, row, spent));
            }
        }
        Ok(rows)
    }

    /// The limits of a run when so many seconds of the game's time are gone.
    fn limits_after(&self, spent: f64) -> RunLimits {
        let Settings { limits, game_time, .. } = *self.settings;
        let left = game_time.map(|time| Duration::from_secs_f64((time.as_secs_f64() - spent).max(0.0)));
        RunLimits { time: left.unwrap_or(limits.time).min(limits.time), ..limits.clone() }
    }

    /// A row without an answer.
    fn row(&self, instance: &Instance, preprocessor: Option<&Solver>, solver: &Solver) -> Row {
        Row {
            subject: self.index,
            shape: self.subject.name.clone(),
            board: self.subject.board(),
            rule: instance.game().rule().to_string(),
            encoding: instance.encoding(),
            mode: instance.mode().to_string(),
            turns: instance.turns(),
            preprocessor: preprocessor.map(|preprocessor| preprocessor.name().to_owned()),
            preprocess_seconds: 0.0,
            solver: solver.name().to_owned(),
            finding: Finding::NotAsked,
            native: None,
            native_seconds: 0.0,
            value: None,
            black_wins: None,
            answer: "not asked: the time of the game is over".to_owned(),
            seconds: 0.0,
            formula: None,
            not_kept: None,
            proof: None,
        }
    }

    /// Writes into a row what a run gave.
    fn judge_run(&self, row: &mut Row, instance: &Instance, expected: Result<Expected, Halt>, run: &Run) {
        row.finding = judge(row.encoding, expected, run);
        row.native = expected.ok().map(|expected| expected != Expected::False);
        row.value = run.answer();
        row.black_wins = run.answer().and_then(|answer| decides(instance, answer));
        row.answer = run.ending.to_string();
        row.seconds = run.cost().as_secs_f64();
        if row.finding == Finding::Disagreement {
            // A disagreement is the one thing nobody may miss, be the disk as full as it likes.
            match keep(instance, row, self.settings.keep) {
                Ok(path) => row.formula = Some(path),
                Err(error) => row.not_kept = Some(error.to_string()),
            }
        }
    }

    /// What this program says, and how long it took.
    fn native_answer(&self, encoding: Encoding, turns: usize) -> (Result<Expected, Halt>, Duration) {
        let Settings { native, native_limits, .. } = *self.settings;
        let Subject { game, questions, .. } = self.subject;
        let started = Instant::now();
        if encoding == Encoding::Pairing {
            let paves = native.paves(game, turns, &native_limits());
            return (paves.map(|paves| if paves { Expected::True } else { Expected::False }), started.elapsed());
        }
        let (found, time) = *self.win_turn.get_or_init(|| {
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

/// Has a solver write a trace, and checks it.
fn traced(
    instance: &Instance,
    solver: &Solver,
    formula: &Path,
    trace: &Path,
    answer: bool,
    limits: &RunLimits,
) -> Traced {
    let started = Instant::now();
    let Some(run) = solver.run_for_trace(formula, trace, limits) else {
        return untraced("this solver writes no traces that are known here");
    };
    if run.answer() != Some(answer) {
        return untraced(&format!("with a trace: {}", run.ending));
    }
    let stopped = || limits.stop.load(Ordering::Relaxed) || started.elapsed() > 2 * limits.time;
    let opened = File::open(trace).map_err(qrp::QrpError::from);
    let checked = opened.and_then(|file| qrp::check(&instance.formula(), BufReader::new(file), &stopped));
    let seconds = started.elapsed().as_secs_f64();
    match checked {
        Ok(proved) => {
            let reason = (proved.value != answer).then(|| "it proves the other answer".to_owned());
            Traced { accepted: reason.is_none(), steps: proved.steps, seconds, reason, written: true }
        }
        // What was not read to its end is neither accepted nor refused.
        Err(error @ qrp::QrpError::Stopped) => Traced { seconds, ..untraced(&error.to_string()) },
        Err(error) => Traced { accepted: false, steps: 0, seconds, reason: Some(error.to_string()), written: true },
    }
}

fn untraced(reason: &str) -> Traced {
    Traced { accepted: false, steps: 0, seconds: 0.0, reason: Some(reason.to_owned()), written: false }
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

fn keep(instance: &Instance, row: &Row, folder: &Path) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    let name = format!("{}-{}-{}-{}-k{}.qdimacs", row.shape, row.board, row.rule, row.encoding, row.turns);
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "-+.".contains(c) { c } else { '-' }).collect();
    let path = folder.join(name);
    instance.formula().keep(&path)?;
    Ok(path)
}
