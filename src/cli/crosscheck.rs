//! `harary crosscheck`: QBF solvers against this program.

use super::arguments::{parse_board, parse_shape};
use super::console::Console;
use super::ending::{Outcome, UsageError, report};
use super::solver_arguments::SolverArguments;
use super::words::counted;
use super::{files, json};
use crate::effort::Limits;
use crate::game::Game;
use crate::game::catalogue::Catalogue;
use crate::qbf::crosscheck::{self, Finding, Row, Settings, Subject, Summary};
use crate::qbf::instance::{Encoding, Instance, Mode};
use crate::qbf::native::{Engines, Expected};
use crate::qbf::verify;
use anyhow::Context;
use clap::Args;
use harary_certificate::{Board, Proved, Rule, Shape};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Bytes for the table of one native search.
pub const NATIVE_MEMORY: usize = 64 << 20;

/// Asks QBF solvers and the native search the same questions and compares
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary crosscheck --boards 3x3 --both\n  \
    harary crosscheck --boards 4x4 --both --encodings pairing --turns last --solvers depqbf6 --timeout 300s\n  \
    harary crosscheck --shapes el,tippy --solver-command \"depqbf --traditional-qcdcl {file}\" --csv out.csv\n\n\
    A disagreement exits with code 1, keeps the formula and writes the native certificate beside it. PAIRING is about \
    the weak game, COVER may miss wins: both are judged by what they claim.")]
pub struct Crosscheck {
    /// Shapes by name, separated by commas [default: the animals of at most 6 cells that fit the board]
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    shapes: Vec<String>,
    /// Boards, separated by commas
    #[arg(long, value_name = "WxH", value_delimiter = ',', default_value = "3x3")]
    boards: Vec<String>,
    /// Tori instead of plain boards
    #[arg(long, conflicts_with = "both")]
    torus: bool,
    /// Plain boards and tori
    #[arg(long)]
    both: bool,
    /// The rule of the game
    #[arg(long, value_parser = super::arguments::rules(), default_value = "strong")]
    rule: Rule,
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
    /// Where formulas of disagreements go
    #[arg(long, value_name = "FOLDER", default_value = "disagreements")]
    keep: PathBuf,
    /// Write all rows to a CSV file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// One comparison, for machines.
#[derive(Serialize)]
struct Compared<'a> {
    game: json::Game,
    encoding: Encoding,
    mode: &'a str,
    turns: usize,
    solver: &'a str,
    finding: Finding,
    native: Option<bool>,
    native_seconds: f64,
    answer: Option<bool>,
    /// Why there is no answer.
    reason: Option<&'a str>,
    seconds: f64,
    /// Of a disagreement: the formula, and our certificate.
    formula: Option<String>,
    certificate: Option<json::Certificate>,
}

impl<'a> Compared<'a> {
    fn new(row: &'a Row, kept: Option<&(PathBuf, Proved)>, subjects: &[Subject]) -> Option<Compared<'a>> {
        let subject = subject(subjects, row)?;
        Some(Compared {
            game: json::Game::new(&subject.name, &subject.game),
            encoding: row.encoding,
            mode: &row.mode,
            turns: row.turns,
            solver: &row.solver,
            finding: row.finding,
            native: row.native,
            native_seconds: json::seconds(row.native_seconds),
            answer: row.value,
            reason: Some(row.answer.as_str()).filter(|_| row.value.is_none()),
            seconds: json::seconds(row.seconds),
            formula: row.formula.as_ref().map(|path| path.display().to_string()),
            certificate: kept.and_then(|(path, proved)| json::Certificate::kept(proved, path).ok()),
        })
    }
}

#[derive(Serialize)]
struct Report<'a> {
    /// Asked for and not asked, because somebody stopped it.
    left: usize,
    summary: Summary,
    rows: Vec<Compared<'a>>,
}

impl Crosscheck {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        if let Some(path) = &self.csv {
            files::check_output(path, &[])?;
        }
        let subjects = self.subjects()?;
        let (solvers, preprocessor) = (self.solvers.solvers()?, self.solvers.preprocessor()?);
        let limits = self.solvers.limits()?;
        let total = subjects.iter().map(|subject| subject.questions.len() * solvers.len()).sum::<usize>();
        let bar = progress_bar(total as u64);
        let native_limits = || Limits::new(Some(self.solvers.timeout()), None, limits.stop.clone());
        let settings = Settings {
            native: &Engines { memory: NATIVE_MEMORY },
            native_limits: &native_limits,
            solvers: &solvers,
            preprocessor: preprocessor.as_ref(),
            limits: &limits,
            keep: &self.keep,
        };
        let rows = crosscheck::run(&subjects, &settings, &|row| {
            bar.inc(1);
            if row.finding == Finding::Disagreement || row.finding == Finding::Failure {
                bar.suspend(|| eprintln!("{}", describe(row)));
            }
        })?;
        bar.finish_and_clear();
        if let Some(path) = &self.csv {
            write_csv(path, &rows).with_context(|| format!("cannot write {}", path.display()))?;
        }
        let (summary, left) = (Summary::of(&rows), total - rows.len());
        let certificates: Vec<Option<(PathBuf, Proved)>> =
            rows.iter().map(|row| self.certify(row, &subjects, &native_limits())).collect();
        if self.json {
            let compared = rows.iter().zip(&certificates);
            let rows = compared.filter_map(|(row, kept)| Compared::new(row, kept.as_ref(), &subjects)).collect();
            json::write(console, "crosscheck", &Report { left, summary, rows })?;
        } else {
            write_table(console, &rows)?;
            if left > 0 {
                writeln!(console, "Stopped by request; {} not asked.", counted(left, "formula"))?;
            }
        }
        console.flush()?;
        for (row, kept) in rows.iter().zip(&certificates).filter(|(row, _)| row.finding == Finding::Disagreement) {
            let formula = match (&row.formula, &row.not_kept) {
                (Some(path), _) => path.display().to_string(),
                (None, reason) => format!("NOT KEPT: {}", reason.as_deref().unwrap_or("no reason")),
            };
            let certificate = match kept {
                Some((path, _)) => format!("{} (checked)", path.display()),
                None => "none".to_owned(),
            };
            eprintln!("{}\n  formula: {formula}\n  native certificate: {certificate}", describe(row));
        }
        Ok(match summary {
            Summary { disagreements: 1.., .. } => Outcome::Refused,
            Summary { agreements, no_cover_wins, runs, .. } if left > 0 || agreements + no_cover_wins < runs => {
                Outcome::NotSettled
            }
            _ => Outcome::Done,
        })
    }

    /// With a disagreement: the certificate of the native verdict, beside the formula.
    fn certify(&self, row: &Row, subjects: &[Subject], limits: &Limits) -> Option<(PathBuf, Proved)> {
        let formula = row.formula.as_ref().filter(|_| row.finding == Finding::Disagreement)?;
        let expected = if row.native? { Expected::True } else { Expected::False };
        let path = formula.with_extension("cert");
        let game = subject(subjects, row)?.game.clone();
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

    /// The games and what is asked about each.
    fn subjects(&self) -> anyhow::Result<Vec<Subject>> {
        let topologies = match (self.torus, self.both) {
            (_, true) => &[false, true][..],
            (true, false) => &[true],
            (false, false) => &[false],
        };
        let mut subjects = Vec::new();
        for sides in &self.boards {
            for &torus in topologies {
                let board = parse_board(sides, torus)?;
                for (name, shape) in self.shapes_on(&board)? {
                    let game = Game::new(shape, board, self.rule);
                    let questions = self.questions(&game)?;
                    subjects.push(Subject { name, game, questions, faithful: self.faithful });
                }
            }
        }
        if subjects.iter().all(|subject| subject.questions.is_empty()) {
            return Err(UsageError("there is nothing to ask: no shape, turn and encoding go together".into()).into());
        }
        Ok(subjects)
    }

    fn shapes_on(&self, board: &Board) -> anyhow::Result<Vec<(String, Shape)>> {
        if self.shapes.is_empty() {
            let fits = |shape: &Shape| shape.is_animal() && shape.fits(board.width(), board.height());
            let entries = Catalogue::standard().entries().iter().filter(|entry| fits(&entry.shape));
            return Ok(entries.map(|entry| (entry.name.clone(), entry.shape.clone())).collect());
        }
        self.shapes.iter().map(|text| parse_shape(text).map(|named| (named.name, named.shape))).collect()
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

/// The game a row is about.
fn subject<'a>(subjects: &'a [Subject], row: &Row) -> Option<&'a Subject> {
    let board = |game: &Game| game.shape_on_board().map_or_else(String::new, |(_, board)| board.to_string());
    subjects.iter().find(|subject| subject.name == row.shape && board(&subject.game) == row.board)
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

/// One comparison in words.
fn describe(row: &Row) -> String {
    let native = match row.native {
        Some(true) => "true",
        Some(false) => "false",
        None => "not known in time",
    };
    format!(
        "{} on {}, {} rule, {} at turn {}: {} says {}; native: the formula is {native}",
        row.shape, row.board, row.rule, row.encoding, row.turns, row.solver, row.answer
    )
}

/// Agreements and times by board, encoding and solver.
fn write_table(console: &mut Console, rows: &[Row]) -> std::io::Result<()> {
    let mut groups: BTreeMap<(String, Encoding, String), Vec<&Row>> = BTreeMap::new();
    for row in rows {
        groups.entry((row.board.clone(), row.encoding, row.solver.clone())).or_default().push(row);
    }
    writeln!(
        console,
        "{:<12} {:<8} {:<10} {:>6} {:>6} {:>8} {:>8} {:>8} {:>7} {:>10} {:>10} {:>9}",
        "board",
        "encoding",
        "solver",
        "runs",
        "agree",
        "disagree",
        "no cover",
        "timeout",
        "failed",
        "native s",
        "solver s",
        "ratio"
    )?;
    let mut line = |board: &str, encoding: &str, solver: &str, summary: Summary| {
        writeln!(
            console,
            "{board:<12} {encoding:<8} {solver:<10} {:>6} {:>6} {:>8} {:>8} {:>8} {:>7} {:>10.3} {:>10.2} {:>9.0}",
            summary.runs,
            summary.agreements,
            summary.disagreements,
            summary.no_cover_wins,
            summary.timeouts + summary.native_timeouts,
            summary.failures,
            summary.native_seconds,
            summary.solver_seconds,
            summary.ratio()
        )
    };
    for ((board, encoding, solver), rows) in &groups {
        line(board, encoding.name(), solver, Summary::of(rows.iter().copied()))?;
    }
    line("all", "", "", Summary::of(rows))
}

/// The rows as `harary verify --csv` reads them, with the findings behind.
fn write_csv(path: &Path, rows: &[Row]) -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::fs::File::create(path)?);
    writeln!(out, "shape,board,topology,rule,encoding,turns,verdict,seconds,solver,finding,native_seconds")?;
    for row in rows {
        let (sides, topology) = row.board.split_once(' ').unwrap_or((&row.board, ""));
        let finding = serde_json::to_string(&row.finding).unwrap_or_default();
        writeln!(
            out,
            "{},{sides},{topology},{},{},{},{},{:.4},{},{},{:.6}",
            quoted(&row.shape),
            row.rule,
            row.encoding,
            row.turns,
            quoted(&row.answer),
            row.seconds,
            quoted(&row.solver),
            finding.trim_matches('"'),
            row.native_seconds
        )?;
    }
    out.flush()
}

/// A field of a CSV file.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
