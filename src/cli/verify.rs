//! `harary verify`: somebody's verdict on a formula, confirmed or refuted.

use super::arguments::parse_shape;
use super::crosscheck::NATIVE_MEMORY;
use super::{Console, OrUsage, Outcome, UsageError, interrupt};
use crate::effort::Limits;
use crate::game::Game;
use crate::qbf::instance::{Instance, Mode};
use crate::qbf::native::{Engines, Expected, expected};
use crate::qbf::verify::{self, Claimed};
use anyhow::Context;
use clap::{Args, ValueEnum};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Checks somebody's verdict on a formula written by `encode`
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  harary verify tippy.qdimacs unsat\n  harary verify tippy.qdimacs sat --certificate tippy.cert\n  \
    harary verify --csv results.csv\n\n\
    The game is read from the comments of the formula, the formula is written again and compared byte for byte. The \
    answer is confirmed (exit code 0) or refuted (exit code 1), with a certificate beside the formula.\n\
    The table has a first line with the columns shape, board, topology, rule, encoding, turns, verdict; others are \
    ignored."
)]
pub struct Verify {
    /// A formula written by `harary encode`
    #[arg(value_name = "FILE.qdimacs", required_unless_present = "csv")]
    formula: Option<PathBuf>,
    /// The verdict to check
    #[arg(value_enum, required_unless_present = "csv")]
    verdict: Option<Verdict>,
    /// Where the certificate goes [default: the formula's name with .cert behind it]
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Check a whole table of verdicts
    #[arg(long, value_name = "FILE", conflicts_with_all = ["formula", "verdict", "certificate"])]
    csv: Option<PathBuf>,
    /// Wall-clock time for each native verdict
    #[arg(long, value_name = "TIME", default_value = "10min", value_parser = super::arguments::parse_time)]
    timeout: Duration,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Verdict {
    #[value(alias = "true")]
    Sat,
    #[value(alias = "false")]
    Unsat,
}

impl Verify {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let stop = interrupt::flag()?;
        let limits = || Limits::new(Some(self.timeout), None, stop.clone());
        match (&self.csv, &self.formula, self.verdict) {
            (Some(path), _, _) => verify_table(path, &limits, console),
            (None, Some(path), Some(verdict)) => self.verify_formula(path, verdict == Verdict::Sat, &limits, console),
            (None, _, _) => Err(UsageError("give a formula and a verdict, or --csv FILE".into()).into()),
        }
    }

    fn verify_formula(
        &self,
        path: &Path,
        verdict: bool,
        limits: &dyn Fn() -> Limits,
        console: &mut Console,
    ) -> anyhow::Result<Outcome> {
        let instance = verify::read_formula(path).with_context(|| path.display().to_string())?;
        let engines = Engines { memory: NATIVE_MEMORY };
        let Ok(expected) = expected(&engines, &instance, &limits()) else {
            writeln!(console, "not settled within {}", humantime::format_duration(self.timeout))?;
            return Ok(Outcome::NotSettled);
        };
        if expected == Expected::Either && !verdict {
            writeln!(console, "not settled: Black wins, but whether inside the cover only the formula says")?;
            return Ok(Outcome::NotSettled);
        }
        let confirmed = expected.allows(verdict);
        let word = |value: bool| if value { "true" } else { "false" };
        let value = if expected == Expected::False { "false" } else { "true" };
        let outcome = if confirmed { "confirmed" } else { "refuted" };
        writeln!(console, "{outcome}: the formula is {value}, the verdict given was {}", word(verdict))?;
        writeln!(console, "true means: {}", instance.meaning())?;
        let certificate = self.certificate.clone().unwrap_or_else(|| beside(path));
        match verify::certify(&engines, &instance, expected, &limits(), &certificate) {
            Ok(_) => writeln!(console, "certificate: {} (checked)", certificate.display())?,
            Err(reason) => writeln!(console, "certificate: none, {reason}")?,
        }
        Ok(if confirmed { Outcome::Done } else { Outcome::Refused })
    }
}

/// `tippy.qdimacs.cert` for `tippy.qdimacs`: no name that somebody would give to another file.
fn beside(formula: &Path) -> PathBuf {
    let mut name = formula.as_os_str().to_owned();
    name.push(".cert");
    name.into()
}

fn verify_table(path: &Path, limits: &dyn Fn() -> Limits, console: &mut Console) -> anyhow::Result<Outcome> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let rows = verify::read_table(file).usage().with_context(|| path.display().to_string())?;
    let engines = Engines { memory: NATIVE_MEMORY };
    let (mut confirmed, mut refuted, mut open, mut unreadable) = (0usize, 0usize, 0usize, 0usize);
    for row in &rows {
        let instance = match instance(row) {
            Ok(instance) => instance,
            Err(reason) => {
                unreadable += 1;
                writeln!(console, "not understood, line {}: {reason:#}", row.line)?;
                continue;
            }
        };
        let native = expected(&engines, &instance, &limits()).ok();
        match (native, row.verdict) {
            (Some(Expected::Either), Some(false)) | (None, _) | (_, None) => open += 1,
            (Some(expected), Some(verdict)) if expected.allows(verdict) => confirmed += 1,
            (Some(expected), Some(verdict)) => {
                refuted += 1;
                writeln!(
                    console,
                    "refuted, line {}: {} on {}, {} rule, {} at turn {}: the table says {}, native says {}",
                    row.line,
                    row.shape,
                    row.board,
                    row.rule,
                    row.encoding,
                    row.turns,
                    if verdict { "SAT" } else { "UNSAT" },
                    if expected == Expected::False { "UNSAT" } else { "SAT" }
                )?;
            }
        }
    }
    let rest = if unreadable > 0 { format!(", {unreadable} not understood") } else { String::new() };
    writeln!(console, "{} verdicts: {confirmed} confirmed, {refuted} refuted, {open} open{rest}", rows.len())?;
    if refuted == 0 && unreadable > 0 {
        return Err(UsageError(format!("not all lines of {} were understood", path.display())).into());
    }
    Ok(match (refuted, open) {
        (1.., _) => Outcome::Refused,
        (0, 1..) => Outcome::NotSettled,
        (0, 0) => Outcome::Done,
    })
}

/// The formula a row of a table is about. Its mode does not change its value.
fn instance(row: &Claimed) -> anyhow::Result<Instance> {
    let game = Game::new(parse_shape(&row.shape)?.shape, row.board, row.rule);
    Instance::new(game, row.encoding, row.turns, Mode::Lean { symmetry: 1 }).usage()
}
