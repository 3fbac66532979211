//! `harary farm plan`, `next` and `merge`: the master's part.

use super::super::arguments::GameArguments;
use super::super::console::Console;
use super::super::ending::Outcome;
use super::super::search_arguments::parse_memory;
use super::super::words::counted;
use super::super::{interrupt, json};
use super::folder::{FolderArgument, told};
use crate::effort::Limits;
use crate::farm::result::Verdict;
use crate::farm::round::{self, Planned};
use crate::farm::{self, Folder, merge};
use anyhow::Context;
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Cuts a game into jobs and writes them into a folder
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary farm plan snaky 8x8 --rule weak -o snaky-farm --workers 2\n  \
    harary farm plan skinny 7x7 --torus -o torus-farm --workers 16 --budget 200000\n\n\
    A round has at least 100 jobs for each worker, if the game is large enough. The folder must lie where all machines see it.")]
pub struct Plan {
    #[command(flatten)]
    game: GameArguments,
    /// The folder of the farm; it is made
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// How many workers there will be
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=4096))]
    workers: u16,
    /// Jobs of a round [default: 100 for each worker]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    jobs: Option<u32>,
    /// Nodes that a job may take in the first round
    #[arg(long, value_name = "NODES", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    budget: u64,
    /// From round to round the budget grows to so many percent
    #[arg(long, value_name = "PERCENT", default_value_t = 200, value_parser = clap::value_parser!(u64).range(100..=10_000))]
    growth: u64,
    #[command(flatten)]
    memory: MemoryArgument,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Memory of the master.
#[derive(Args, Clone, Copy, Debug)]
struct MemoryArgument {
    /// Memory for the tables
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = parse_memory)]
    memory: usize,
}

/// Takes over the results of the last round and plans the next one
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary farm next snaky-farm\n\n\
    Every result is checked first; what does not check is moved to refused/ and its job planned again.\n\
    Exit codes: 0 decided, nothing is left to run; 3 a round is planned; 1 a failure; 2 wrong usage.")]
pub struct Next {
    #[command(flatten)]
    folder: FolderArgument,
    #[command(flatten)]
    memory: MemoryArgument,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Puts all results together into one certificate, and has it checked
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary farm merge snaky-farm -o snaky.cert\n\n\
    Exit codes: 0 accepted; 3 the game is not decided yet; 1 refused or a failure; 2 wrong usage.")]
pub struct Merge {
    #[command(flatten)]
    folder: FolderArgument,
    /// Where the certificate goes; compressed if the name ends in .zst
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    memory: MemoryArgument,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was planned, for machines.
#[derive(Serialize)]
struct Report {
    dir: String,
    /// `won`, `held` or null.
    decided: Option<String>,
    round: Option<u32>,
    jobs: usize,
    first: Option<u32>,
    last: Option<u32>,
    budget: Option<u64>,
    grafted: usize,
    needless: usize,
    missing: usize,
    refused: Vec<Refused>,
    facts: usize,
    positions: usize,
}

/// A result that does not check.
#[derive(Serialize)]
struct Refused {
    job: u32,
    reason: String,
}

impl Report {
    fn new(dir: &Path, planned: &Planned) -> Report {
        let ids = planned.round.as_ref().and_then(|round| round.ids());
        Report {
            dir: dir.display().to_string(),
            decided: planned.decided.map(|verdict| verdict.to_string()),
            round: planned.round.as_ref().map(|round| round.number),
            jobs: planned.round.as_ref().map_or(0, |round| round.jobs.len()),
            first: ids.map(|ids| ids.0),
            last: ids.map(|ids| ids.1),
            budget: planned.round.as_ref().and_then(|round| round.jobs.first()).map(|job| job.budget),
            grafted: planned.grafted,
            needless: planned.needless,
            missing: planned.missing.len(),
            refused: refused(&planned.refused),
            facts: planned.facts,
            positions: planned.positions,
        }
    }

    fn write(&self, console: &mut Console) -> anyhow::Result<()> {
        for Refused { job, reason } in &self.refused {
            writeln!(console, "Job {job}: refused, to be done again: {reason}")?;
        }
        if self.missing > 0 {
            writeln!(console, "{} without a result, to be done again.", counted(self.missing, "job"))?;
        }
        match (self.decided.as_deref(), self.first, self.last) {
            (Some(verdict), _, _) => {
                let what = if verdict == "won" { "Black wins" } else { "White holds" };
                writeln!(console, "Decided: {what}, says the tree. The proof: harary farm merge {} -o FILE", self.dir)
            }
            (None, Some(first), Some(last)) => {
                let (round, budget) = (self.round.unwrap_or(0), self.budget.unwrap_or(0));
                let jobs = counted(self.jobs, "job");
                writeln!(console, "Round {round}: {jobs}, {first} to {last}, of at most {budget} nodes each.")
            }
            _ => writeln!(console, "Nothing is left to do, and nothing is decided."),
        }?;
        Ok(())
    }
}

fn refused(list: &[(u32, farm::sealed::Damage)]) -> Vec<Refused> {
    list.iter().map(|(job, damage)| Refused { job: *job, reason: damage.to_string() }).collect()
}

impl Plan {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let game = self.game.game()?.game;
        let jobs = self.jobs.map_or(100 * usize::from(self.workers), |jobs| jobs as usize);
        let plan = farm::Plan::new(game, jobs, self.budget, self.growth).map_err(told)?;
        let planned = round::begin(&Folder::at(&self.output), plan, self.memory.memory).map_err(told)?;
        let report = Report::new(&self.output, &planned);
        if self.json {
            json::write(console, "farm plan", &report)?;
        } else {
            writeln!(console, "{} planned in {}.", counted(report.jobs, "job"), report.dir)?;
            report.write(console)?;
        }
        Ok(Outcome::Done)
    }
}

impl Next {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let planned = round::next(&Folder::at(&self.folder.dir), self.memory.memory).map_err(told)?;
        let report = Report::new(&self.folder.dir, &planned);
        if self.json {
            json::write(console, "farm next", &report)?;
        } else {
            let (results, facts) = (counted(report.grafted, "result"), counted(report.facts, "fact"));
            writeln!(console, "{results} taken over, {} needless; {facts} known.", report.needless)?;
            report.write(console)?;
        }
        Ok(if planned.decided.is_some() { Outcome::Done } else { Outcome::NotSettled })
    }
}

/// What was merged, for machines.
#[derive(Serialize)]
struct MergeReport {
    dir: String,
    certificate: String,
    sentence: String,
    verdict: String,
    lines: u64,
    results: usize,
    refused: Vec<Refused>,
    nodes: u64,
}

impl Merge {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let limits = Limits::new(None, None, interrupt::flag()?);
        let merged = match merge::merge(&Folder::at(&self.folder.dir), self.memory.memory, &limits) {
            Err(error @ farm::FarmError::Undecided(_)) if !self.json => {
                writeln!(console, "{error}")?;
                return Ok(Outcome::NotSettled);
            }
            merged => merged.map_err(told)?,
        };
        let mut certificate = merged.certificate;
        let name = || format!("cannot write {}", self.output.display());
        certificate.keep(&self.output).with_context(name)?;
        let proved = certificate.proved();
        let report = MergeReport {
            dir: self.folder.dir.display().to_string(),
            certificate: self.output.display().to_string(),
            sentence: proved.sentence(None),
            verdict: if proved.claim().last().is_some() { Verdict::Won } else { Verdict::Held }.to_string(),
            lines: proved.lines(),
            results: merged.results,
            refused: refused(&merged.refused),
            nodes: merged.nodes,
        };
        if self.json {
            json::write(console, "farm merge", &report)?;
        } else {
            for Refused { job, reason } in &report.refused {
                writeln!(console, "Job {job}: refused, and not needed: {reason}")?;
            }
            let (results, lines) = (counted(report.results, "result"), report.lines);
            writeln!(
                console,
                "{}: accepted, {lines} lines, made of {results}: {}",
                report.certificate, report.sentence
            )?;
        }
        Ok(Outcome::Done)
    }
}
