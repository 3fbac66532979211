//! `harary verify`: somebody's verdict on a formula, confirmed or refuted.

use super::console::Console;
use super::crosscheck::NATIVE_MEMORY;
use super::ending::{OrUsage, Outcome, UsageError};
use super::qbf_answer::QbfAnswer;
use super::target::{NamedTarget, build, parse_target};
use super::words::{counted, shape_name};
use super::{files, interrupt, json};
use crate::effort::Limits;
use crate::game::words::{any_game, with_order};
use crate::qbf::instance::{Encoding, Instance, Mode};
use crate::qbf::native::{Engines, Expected};
use crate::qbf::verify::{self, Claimed, FormulaError, Judgement, Line, NoCertificate, Place};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Checks somebody's verdict on a formula written by `encode`
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  harary verify tippy.qdimacs unsat\n  harary verify tippy.qdimacs sat --certificate tippy.cert\n  \
    harary verify tippy.qdimacs --qbf\n  harary verify --csv results.csv\n\n\
    The game is read from the comments of the formula, the formula is written again and compared byte for byte. The \
    answer is confirmed (exit code 0) or refuted (exit code 1), with a certificate beside the formula.\n\
    The table has a first line with the columns shape, board, topology, rule, encoding, turns, verdict, as `crosscheck \
    --csv` writes it; handicap, stones and pg (a file, instead of the board) may stand there too, others are ignored. The verdict is SAT, UNSAT (or 10, 20) or a word for none: timeout, unknown, no answer.\n\
    Exit codes: 0 all confirmed, 1 a verdict is refuted or the formula was changed, 2 wrong usage or an input that \
    cannot be read, a line of the table included, 3 not settled within the time given."
)]
pub struct Verify {
    /// A formula written by `harary encode`; `-` is standard input
    #[arg(value_name = "FILE.qdimacs", required_unless_present = "csv")]
    formula: Option<PathBuf>,
    /// The verdict to check
    #[arg(value_enum, required_unless_present_any = ["csv", "qbf"])]
    verdict: Option<Verdict>,
    /// Where the certificate goes [default: the formula's name with .cert behind it]
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Check a whole table of verdicts; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["formula", "verdict", "certificate"])]
    csv: Option<PathBuf>,
    /// Wall-clock time for each native verdict
    #[arg(long, value_name = "TIME", default_value = "10min", value_parser = super::arguments::parse_time)]
    timeout: Duration,
    /// Without a verdict: answer as a QBF solver does, with a line 's cnf 1 V C' (0: false, -1: not settled) and the exit
    /// codes 10, 20 and 0
    #[arg(long, conflicts_with_all = ["json", "csv", "verdict", "certificate"])]
    qbf: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Verdict {
    #[value(alias = "true")]
    Sat,
    #[value(alias = "false")]
    Unsat,
}

/// What became of a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Finding {
    Confirmed,
    Refuted,
    Open,
    Unreadable,
}

/// A verdict, for machines.
#[derive(Serialize)]
struct Row {
    /// In a table: its line.
    line: Option<usize>,
    finding: Finding,
    /// Why it is open or cannot be read.
    reason: Option<String>,
    game: Option<json::Game>,
    encoding: Option<Encoding>,
    turns: Option<usize>,
    /// What was said of the formula.
    claimed: Option<bool>,
    /// What it is.
    value: Option<bool>,
    certificate: Option<json::Certificate>,
}

impl Row {
    fn new(name: &str, instance: &Instance, line: Option<usize>, claimed: Option<bool>, judged: Judgement) -> Row {
        let (finding, value, reason) = match judged {
            Judgement::Confirmed(value) => (Finding::Confirmed, Some(value != Expected::False), None),
            Judgement::Refuted(value) => (Finding::Refuted, Some(value != Expected::False), None),
            Judgement::Undecided => (Finding::Open, None, Some(UNDECIDED.to_owned())),
            Judgement::Open if claimed.is_none() => (Finding::Open, None, Some("no verdict was given".to_owned())),
            Judgement::Open => (Finding::Open, None, Some(interrupt::reason().to_owned())),
        };
        Row {
            line,
            finding,
            reason,
            game: Some(json::Game::new(name, instance.game())),
            encoding: Some(instance.encoding()),
            turns: Some(instance.turns()),
            claimed,
            value,
            certificate: None,
        }
    }

    fn unreadable(line: usize, reason: String) -> Row {
        let (finding, reason) = (Finding::Unreadable, Some(reason));
        let line = Some(line);
        Row {
            line,
            finding,
            reason,
            game: None,
            encoding: None,
            turns: None,
            claimed: None,
            value: None,
            certificate: None,
        }
    }
}

const UNDECIDED: &str = "Black wins, but whether inside the cover only the formula says";

#[derive(Serialize)]
struct Report {
    /// The formula or the table.
    file: String,
    confirmed: usize,
    refuted: usize,
    open: usize,
    unreadable: usize,
    verdicts: Vec<Row>,
}

impl Report {
    fn new(file: &Path, verdicts: Vec<Row>) -> Report {
        let count = |finding| verdicts.iter().filter(|row| row.finding == finding).count();
        let (confirmed, refuted) = (count(Finding::Confirmed), count(Finding::Refuted));
        let (open, unreadable) = (count(Finding::Open), count(Finding::Unreadable));
        Report { file: file.display().to_string(), confirmed, refuted, open, unreadable, verdicts }
    }

    fn outcome(&self) -> anyhow::Result<Outcome> {
        match self {
            Report { refuted: 1.., .. } => Ok(Outcome::Refused),
            Report { unreadable: 1.., file, .. } => {
                Err(UsageError(format!("not all lines of {file} were understood")).into())
            }
            Report { open: 1.., .. } => Ok(Outcome::NotSettled),
            _ => Ok(Outcome::Done),
        }
    }
}

/// A longer table is none.
const LONGEST_TABLE: u64 = 256 << 20;

impl Verify {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let stop = interrupt::flag()?;
        let limits = || Limits::new(Some(self.timeout), None, stop.clone());
        match (&self.csv, &self.formula, self.verdict) {
            (Some(path), _, _) => self.verify_table(path, &limits, console),
            (None, Some(path), None) if self.qbf => answer_formula(path, &limits(), console),
            (None, Some(path), Some(verdict)) => self.verify_formula(path, verdict == Verdict::Sat, &limits, console),
            (None, _, _) => Err(UsageError("give a formula and a verdict, or --csv FILE".into()).into()),
        }
    }

    fn verify_formula(
        &self,
        path: &Path,
        claimed: bool,
        limits: &dyn Fn() -> Limits,
        console: &mut Console,
    ) -> anyhow::Result<Outcome> {
        let certificate = match &self.certificate {
            Some(certificate) => certificate.clone(),
            None if files::is_dash(path) => {
                return Err(UsageError("a formula on standard input needs --certificate FILE".to_owned()).into());
            }
            None => beside(path),
        };
        if files::is_dash(&certificate) {
            let reason = "a certificate on standard output would be mixed with the answer; give a file";
            return Err(UsageError(reason.to_owned()).into());
        }
        files::check_output(&certificate, &[path])?;
        let instance = read_formula(path)?;
        let engines = Engines { memory: NATIVE_MEMORY };
        let judged = verify::judge(&engines, &instance, claimed, &limits());
        let mut row = Row::new(&shape_name(instance.game()), &instance, None, Some(claimed), judged);
        let (mut without, mut failed) = (None, None);
        if let Judgement::Confirmed(expected) | Judgement::Refuted(expected) = judged {
            match verify::certify(&engines, &instance, expected, &limits(), &certificate) {
                Ok(proved) => row.certificate = Some(json::Certificate::kept(&proved, &certificate)?),
                Err(reason) => {
                    without = Some(reason.to_string());
                    // The answer stands, and is told before the failure.
                    failed = Some(reason).filter(NoCertificate::is_a_failure);
                }
            }
        }
        let ending = |report: Report| match failed {
            Some(reason) => Err(anyhow::Error::new(reason).context(format!("no {}", certificate.display()))),
            None => report.outcome(),
        };
        if self.json {
            row.reason = row.reason.or(without);
            let report = Report::new(path, vec![row]);
            json::write(console, "verify", &report)?;
            return ending(report);
        }
        let word = |value: bool| if value { "true" } else { "false" };
        let (outcome, value) = match (row.finding, row.value) {
            (Finding::Confirmed, Some(value)) => ("confirmed", value),
            (_, Some(value)) => ("refuted", value),
            (_, None) => {
                match judged {
                    Judgement::Undecided => writeln!(console, "not settled: {UNDECIDED}")?,
                    _ => writeln!(console, "not settled within {}", humantime::format_duration(self.timeout))?,
                }
                return Ok(Outcome::NotSettled);
            }
        };
        writeln!(console, "{outcome}: the formula is {}, the verdict given was {}", word(value), word(claimed))?;
        writeln!(console, "true means: {}", instance.meaning())?;
        match without {
            None => writeln!(console, "certificate: {} (checked)", certificate.display())?,
            Some(reason) => writeln!(console, "certificate: none, {reason}")?,
        }
        ending(Report::new(path, vec![row]))
    }

    fn verify_table(&self, path: &Path, limits: &dyn Fn() -> Limits, console: &mut Console) -> anyhow::Result<Outcome> {
        let text = files::read_text(path, LONGEST_TABLE, "a table of verdicts")?;
        let lines = verify::read_table(&text).map_err(|error| UsageError(format!("{}: {error}", files::name(path))))?;
        let engines = Engines { memory: NATIVE_MEMORY };
        let mut rows = Vec::new();
        for Line { number, claimed } in lines {
            let understood = claimed.and_then(|claimed| {
                let instance = instance(&claimed).map_err(|reason| format!("{reason:#}"))?;
                Ok((claimed, instance))
            });
            let (claimed, instance) = match understood {
                Ok(understood) => understood,
                Err(reason) => {
                    if !self.json {
                        writeln!(console, "not understood, line {number}: {reason}")?;
                    }
                    rows.push(Row::unreadable(number, reason));
                    continue;
                }
            };
            let judged = match claimed.verdict {
                Some(verdict) => verify::judge(&engines, &instance, verdict, &limits()),
                None => Judgement::Open,
            };
            if let (Judgement::Refuted(expected), false) = (judged, self.json) {
                let word = |sat: bool| if sat { "SAT" } else { "UNSAT" };
                let Claimed { shape, place, rule, encoding, turns, verdict } = &claimed;
                writeln!(
                    console,
                    "refuted, line {number}: {shape} on {place}, {rule} rule, {encoding} at turn {turns}: the table says \
                     {}, native says {}",
                    word(*verdict == Some(true)),
                    word(expected != Expected::False)
                )?;
            }
            rows.push(Row::new(&claimed.shape, &instance, Some(number), claimed.verdict, judged));
        }
        let report = Report::new(path, rows);
        if self.json {
            json::write(console, "verify", &report)?;
        } else {
            let Report { confirmed, refuted, open, unreadable, verdicts, .. } = &report;
            let rest = if *unreadable > 0 { format!(", {unreadable} not understood") } else { String::new() };
            let all = counted(verdicts.len(), "verdict");
            writeln!(console, "{all}: {confirmed} confirmed, {refuted} refuted, {open} open{rest}")?;
        }
        report.outcome()
    }
}

/// Whether a formula is true, as a QBF solver says it.
fn answer_formula(path: &Path, limits: &Limits, console: &mut Console) -> anyhow::Result<Outcome> {
    let instance = read_formula(path)?;
    let size = instance.formula().size();
    let value = match verify::judge(&Engines { memory: NATIVE_MEMORY }, &instance, true, limits) {
        Judgement::Confirmed(_) => Some(true),
        Judgement::Refuted(_) => Some(false),
        Judgement::Undecided | Judgement::Open => None,
    };
    let comments = vec![format!("true means: {}", instance.meaning())];
    QbfAnswer { comments, value, size: (size.variables, size.clauses), first: None }.write(console)
}

/// The formula in a file.
fn read_formula(path: &Path) -> anyhow::Result<Instance> {
    verify::read_formula(files::open(path)?).map_err(|error| match error {
        changed @ FormulaError::Changed(_) => anyhow::Error::from(changed).context(files::name(path)),
        other => UsageError(format!("{}: {other}", files::name(path))).into(),
    })
}

/// `tippy.qdimacs.cert` for `tippy.qdimacs`: no name that somebody would give to another file.
fn beside(formula: &Path) -> PathBuf {
    let mut name = formula.as_os_str().to_owned();
    name.push(".cert");
    name.into()
}

/// The formula a row of a table is about. Its mode does not change its value.
fn instance(row: &Claimed) -> anyhow::Result<Instance> {
    let game = match &row.place {
        Place::Board { board, handicap, stones } => {
            let NamedTarget { target, .. } = parse_target(&row.shape, board.family())?;
            with_order(build(target, *board, Some(row.rule))?, *handicap, *stones)?
        }
        Place::File(path) if files::is_dash(path) => {
            return Err(UsageError("a game of standard input cannot be read again".to_owned()).into());
        }
        Place::File(path) => any_game(path)?.game,
    };
    if game.rule() != row.rule {
        return Err(UsageError(format!("the game of {} has the {} rule", row.place, game.rule())).into());
    }
    Instance::new(game, row.encoding, row.turns, Mode::Lean { symmetry: 1 }).usage()
}
