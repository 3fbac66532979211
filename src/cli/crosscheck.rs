//! `harary crosscheck`: QBF solvers against this program.

use super::console::Console;
use super::crosscheck_report::{Findings, check_figure, describe};
use super::ending::{OrUsage, Outcome, UsageError, report};
use super::files;
use super::game_list::{GameListArguments, Listed, Origin};
use super::solver_arguments::SolverArguments;
use crate::effort::Limits;
use crate::game::Game;
use crate::qbf::accounting::{self, Summary};
use crate::qbf::crosscheck::{self, Settings, Subject};
use crate::qbf::instance::{Encoding, Instance, Mode};
use crate::qbf::journal::Journal;
use crate::qbf::native::{Engines, Expected};
use crate::qbf::row::{Finding, Row};
use crate::qbf::verify;
use anyhow::Context;
use clap::Args;
use harary_certificate::Proved;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};

/// Bytes for the table of one native search.
pub const NATIVE_MEMORY: usize = 64 << 20;

/// Asks QBF solvers and the native search the same questions and compares
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary crosscheck --boards 3x3 --both\n  \
    harary crosscheck --boards 4x4 --both --encodings pairing --turns last --solvers depqbf6 --timeout 300s\n  \
    harary crosscheck --boards 3x3 --both --turns last --solvers depqbf6,caqe --preprocess none,bloqqer --cactus 3x3.svg\n  \
    harary crosscheck --boards 5x5 --shapes el,tippy --encodings cor+,cover --turns 5,7 --scatter pairs.svg --journal 5x5.log\n  \
    harary crosscheck --boards 4x4 --both --encodings cor,pairing --turns last --faithful --sizes\n  \
    harary crosscheck --boards 4x4 --shapes tippy --encodings cor --turns 7 --solvers depqbf --proof\n  \
    harary crosscheck --pg hex.pg --solver-command \"qesto {file}\" --csv out.csv\n\n\
    A disagreement exits with code 1, keeps the formula and writes the native certificate beside it. PAIRING is about \
    the weak game, COVER may miss wins: both are judged by what they claim.\n\
    The second table counts as published ones do: games that stay unknown, that Black wins, that White holds, by these \
    answers; the solver's seconds, those of true and of false formulas, the preprocessor's (mean, most, all); and PAR2, all \
    seconds with twice the limit for each formula without an answer.")]
pub struct Crosscheck {
    /// Shapes by name, separated by commas [default: the animals of at most 6 cells that fit the board]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    shapes: Vec<String>,
    /// Boards, separated by commas [default: 3x3, or none with --pg]
    #[arg(long, value_name = "WxH", value_delimiter = ',')]
    boards: Vec<String>,
    #[command(flatten)]
    list: GameListArguments,
    /// Encodings, separated by commas [default: all that fit]
    #[arg(long, value_enum, value_delimiter = ',')]
    encodings: Vec<Encoding>,
    /// Turns: `all` (odd, PAIRING even), `last`, or numbers separated by commas
    #[arg(long, value_name = "TURNS", default_value = "all")]
    turns: String,
    /// The formulas as published
    #[arg(long)]
    faithful: bool,
    #[command(flatten)]
    solvers: SolverArguments,
    /// Have every answer proved: DepQBF writes a Q-resolution trace of it, and our own checker accepts or refuses it. A
    /// formula that was preprocessed has no such proof
    #[arg(long, conflicts_with = "sizes")]
    proof: bool,
    /// How many formulas are at work at a time [default: one for each core]
    #[arg(long, value_name = "N")]
    jobs: Option<NonZeroUsize>,
    /// Write every answer down at once, and go on from what the file has
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Where formulas of disagreements go
    #[arg(long, value_name = "FOLDER", default_value = "disagreements")]
    keep: PathBuf,
    /// Write all rows to a CSV file (-: to standard output, instead of the tables)
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// How many formulas are answered within how many seconds: a picture (.svg) or the numbers (.csv)
    #[arg(long, value_name = "FILE")]
    cactus: Option<PathBuf>,
    /// The times of two encodings, task by task: a picture (.svg) or the numbers (.csv)
    #[arg(long, value_name = "FILE")]
    scatter: Option<PathBuf>,
    /// With --scatter: the encoding to the right and the one upwards
    #[arg(long, value_enum, value_name = "X,Y", value_delimiter = ',', num_args = 1, requires = "scatter", default_values = ["cor+", "cover"])]
    axes: Vec<Encoding>,
    /// Only how large the formulas are, added up by board and encoding; nobody is asked
    #[arg(long, conflicts_with_all = ["csv", "cactus", "scatter", "journal"])]
    sizes: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Crosscheck {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        self.check_outputs()?;
        let axes = match self.axes[..] {
            [x, y] if x != y => (x, y),
            _ => return Err(UsageError("--axes takes two encodings, for example cor+,cover".to_owned()).into()),
        };
        let (subjects, origins) = self.subjects()?;
        if self.sizes {
            let findings = Findings { sizes: accounting::sizes(&subjects)?, ..Findings::default() };
            return findings.write(console, &subjects, self.json).map(|()| Outcome::Done);
        }
        let (solvers, preprocessors) = (self.solvers.solvers()?, self.solvers.preprocessors()?);
        let limits = self.solvers.limits()?;
        let journal = self.journal.as_deref().map(Journal::open).transpose().usage()?;
        let questions = subjects.iter().map(|subject| subject.questions.len()).sum::<usize>();
        let total = questions * solvers.len() * preprocessors.len();
        tell(journal.as_ref());
        let bar = progress_bar(total as u64);
        let native_limits = || Limits::new(Some(self.solvers.timeout()), None, limits.stop.clone());
        let journal = Mutex::new((journal, None));
        let cores = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let settings = Settings {
            native: &Engines { memory: NATIVE_MEMORY },
            native_limits: &native_limits,
            solvers: &solvers,
            preprocessors: &preprocessors,
            limits: &limits,
            game_time: self.solvers.game_time(),
            jobs: self.jobs.unwrap_or(cores),
            known: &|question| {
                let journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
                let known =
                    journal.0.as_ref()?.find(question).filter(|row| !self.proof || row.proof.is_some()).cloned();
                bar.inc(known.is_some().into());
                known
            },
            proofs: self.proof,
            keep: &self.keep,
        };
        let rows = crosscheck::run(&subjects, &settings, &|question, row| {
            bar.inc(1);
            if row.finding == Finding::Disagreement || row.finding == Finding::Failure {
                // Who has closed standard error does not want to know.
                let _ = bar.suspend(|| writeln!(std::io::stderr(), "{}", describe(row)));
            }
            let (journal, failure) = &mut *journal.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(Err(error)) = journal.as_mut().map(|journal| journal.append(question, row)) {
                // What cannot be written down would be asked again: better to stop now.
                limits.stop.store(true, Ordering::Relaxed);
                failure.get_or_insert(error);
            }
        })?;
        bar.finish_and_clear();
        let certificates: Vec<Option<(PathBuf, Proved)>> =
            rows.iter().map(|row| self.certify(row, &subjects, &native_limits())).collect();
        let findings = Findings {
            left: total - rows.len(),
            accounts: accounting::accounts(&rows, self.solvers.timeout()),
            cactus: accounting::cactus(&rows),
            axes: self.scatter.is_some().then_some(axes),
            rows,
            origins,
            certificates,
            sizes: Vec::new(),
        };
        findings.write_files(self.csv.as_deref(), self.cactus.as_deref(), self.scatter.as_deref(), console)?;
        if !self.csv.as_deref().is_some_and(files::is_dash) {
            findings.write(console, &subjects, self.json)?;
        }
        console.flush()?;
        findings.report_disagreements();
        if let (_, Some(error)) = journal.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error).context("stopped before the end");
        }
        if findings.rows.iter().filter_map(|row| row.proof.as_ref()).any(|proof| proof.written && !proof.accepted) {
            return Ok(Outcome::Refused);
        }
        Ok(match Summary::of(&findings.rows) {
            Summary { disagreements: 1.., .. } => Outcome::Refused,
            Summary { agreements, no_cover_wins, runs, .. }
                if findings.left > 0 || agreements + no_cover_wins < runs =>
            {
                Outcome::NotSettled
            }
            _ => Outcome::Done,
        })
    }

    /// Whether everything that will be written can be, and over nothing that is read.
    fn check_outputs(&self) -> anyhow::Result<()> {
        if self.json && self.csv.as_deref().is_some_and(files::is_dash) {
            return Err(UsageError("--json and --csv - would both be written to standard output".to_owned()).into());
        }
        let mut others = self.list.files();
        for (path, is_figure) in
            [(&self.journal, false), (&self.csv, false), (&self.cactus, true), (&self.scatter, true)]
        {
            let Some(path) = path.as_deref() else { continue };
            match is_figure {
                true => check_figure(path, &others)?,
                false => files::check_output(path, &others)?,
            }
            others.push(path);
        }
        Ok(())
    }

    /// With a disagreement: the certificate of the native verdict, beside the formula.
    fn certify(&self, row: &Row, subjects: &[Subject], limits: &Limits) -> Option<(PathBuf, Proved)> {
        let formula = row.formula.as_ref().filter(|_| row.finding == Finding::Disagreement)?;
        let expected = if row.native? { Expected::True } else { Expected::False };
        let path = formula.with_extension("cert");
        let game = subjects.get(row.subject)?.game.clone();
        let instance = Instance::new(game, row.encoding, row.turns, Mode::Lean { symmetry: 1 }).ok()?;
        let engines = Engines { memory: NATIVE_MEMORY };
        match verify::certify(&engines, &instance, expected, limits, &path) {
            Ok(proved) => Some((path, proved)),
            Err(reason) => {
                report(&format!("no native certificate for {}: {reason}", formula.display()));
                None
            }
        }
    }

    /// The games and what is asked about each, and how they were written.
    fn subjects(&self) -> anyhow::Result<(Vec<Subject>, Vec<Origin>)> {
        let default = ["3x3".to_owned()];
        let only_files = self.boards.is_empty() && self.shapes.is_empty() && !self.list.files().is_empty();
        let boards = match self.boards.is_empty() {
            true if only_files => &[][..],
            true => &default,
            false => &self.boards,
        };
        let (mut subjects, mut origins) = (Vec::new(), Vec::new());
        for Listed { named, pg } in self.list.games(&self.shapes, boards)? {
            let questions = self.questions(&named.game)?;
            subjects.push(Subject { name: named.name, game: named.game, questions, faithful: self.faithful });
            origins.push(match pg {
                Some(path) => Origin::File(path),
                None => Origin::Board { handicap: self.list.handicap(), stones: self.list.stones() },
            });
        }
        if subjects.iter().all(|subject| subject.questions.is_empty()) {
            return Err(UsageError("there is nothing to ask: no shape, turn and encoding go together".into()).into());
        }
        Ok((subjects, origins))
    }

    fn questions(&self, game: &Game) -> anyhow::Result<Vec<(Encoding, usize)>> {
        let last = game.schedule().len();
        let encodings = if self.encodings.is_empty() { &Encoding::ALL[..] } else { &self.encodings };
        let turns: Vec<usize> = match self.turns.as_str() {
            "all" => (0..=last).collect(),
            "last" => vec![last],
            list => list.split(',').map(|word| word.trim().parse()).collect::<Result<_, _>>().map_err(|_| {
                UsageError(format!("'{list}' is no list of turns; write all, last, or numbers like 5,7"))
            })?,
        };
        let mut questions = Vec::new();
        for turn in turns {
            for &encoding in encodings {
                let wanted = self.turns != "all" || (turn % 2 == 0) == (encoding == Encoding::Pairing);
                let mode = encoding.mode(game, self.faithful);
                match Instance::new(game.clone(), encoding, turn, mode) {
                    Ok(_) if wanted => questions.push((encoding, turn)),
                    Err(error) if !self.encodings.is_empty() => return Err(UsageError(error.to_string()).into()),
                    Ok(_) | Err(_) => {}
                }
            }
        }
        Ok(questions)
    }
}

/// Says what a journal has.
fn tell(journal: Option<&Journal>) {
    let Some(journal) = journal else { return };
    if journal.cut() > 0 {
        report(&format!("the journal ended in the middle of a line; {} bytes were cut off", journal.cut()));
    }
    if !journal.is_empty() && std::io::stderr().is_terminal() {
        report(&format!("the journal has {} answers", journal.len()));
    }
}

/// A bar on a terminal, nothing elsewhere.
pub fn progress_bar(total: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} formulas, {elapsed} of about {duration}");
    let bar = ProgressBar::new(total);
    match style {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
