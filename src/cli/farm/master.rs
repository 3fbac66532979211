//! `harary farm plan`, `plan-set`, `next` and `merge`: the master's part.

use super::super::arguments::GameArguments;
use super::super::console::Console;
use super::super::ending::{Outcome, UsageError};
use super::super::game_set::GameSetArguments;
use super::super::search_arguments::parse_memory;
use super::super::source::make_folder;
use super::super::words::counted;
use super::super::{interrupt, json};
use super::folder::{FolderArgument, told};
use crate::atlas::Tablebase;
use crate::atlas::key::GameKey;
use crate::effort::Limits;
use crate::farm::result::Verdict;
use crate::farm::round::{self, Planned};
use crate::farm::{self, Folder, Set, merge};
use crate::game::Game;
use anyhow::Context;
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Cuts a game into jobs and writes them into a folder
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary farm plan snaky 8x8 --rule weak -o snaky-farm --workers 2\n  \
    harary farm plan skinny 7x7 --torus -o torus-farm --workers 16 --budget 200000\n\n\
    A round has up to 100 jobs for each worker. Most are spare: done only while others are at the first ones. The folder must lie where all machines see it.")]
pub struct Plan {
    #[command(flatten)]
    game: GameArguments,
    /// The folder of the farm; it is made
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    #[command(flatten)]
    rounds: RoundArguments,
    #[command(flatten)]
    memory: MemoryArgument,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How rounds are planned.
#[derive(Args, Clone, Copy, Debug)]
struct RoundArguments {
    /// How many workers there will be
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=4096))]
    workers: u16,
    /// Jobs of a round at most, of each game, the spare ones included [default: 100 for each worker, shared by the games]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    jobs: Option<u32>,
    /// Jobs of a round that are not spare, of each game [default: 2 for each worker]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    certain: Option<u32>,
    /// Nodes that a job may take in the first round
    #[arg(long, value_name = "NODES", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    budget: u64,
    /// From round to round the budget grows to so many percent
    #[arg(long, value_name = "PERCENT", default_value_t = 125, value_parser = clap::value_parser!(u64).range(100..=10_000))]
    growth: u64,
}

impl RoundArguments {
    /// The plan of one game of so many that are done together.
    fn plan(&self, game: Game, games: usize) -> anyhow::Result<farm::Plan> {
        let together = 100 * usize::from(self.workers);
        let jobs = self.jobs.map_or(together.div_ceil(games.max(1)).max(LEAST_JOBS), |jobs| jobs as usize);
        let plan = farm::Plan::new(game, self.workers.into(), jobs, self.budget, self.growth).map_err(told)?;
        Ok(match self.certain {
            Some(certain) => plan.with_certain(certain as usize),
            None => plan,
        })
    }
}

/// Jobs of a round of a game, however many games there are.
const LEAST_JOBS: usize = 10;

/// Memory of the master.
#[derive(Args, Clone, Copy, Debug)]
struct MemoryArgument {
    /// Memory for the tables
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = parse_memory)]
    memory: usize,
}

/// Plans a farm for each of a set of games, to be done together
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  harary farm plan-set --shapes snaky --boards 6x6..8x8 --both --rule weak -o snakies --workers 16\n  \
    harary farm plan-set --shapes animals:5 --boards 5x5 --torus --rule both --new -o tori\n\n\
    Games are named as for 'harary atlas run'. Each is a farm in a folder of its own below DIR; 'farm run', 'script', 'next', 'status', \
    'simulate' and 'merge' with DIR are about all of them, with DIR/NAME about one."
)]
pub struct PlanSet {
    #[command(flatten)]
    set: GameSetArguments,
    /// Leave out the games that the tablebase of the program has settled
    #[arg(long)]
    new: bool,
    /// The folder of the farms; it is made
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    #[command(flatten)]
    rounds: RoundArguments,
    #[command(flatten)]
    memory: MemoryArgument,
    /// Print JSON: a line for each game
    #[arg(long)]
    json: bool,
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
    /// Where the certificate goes; compressed if the name ends in .zst. Of a set: the folder for all of them
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
        let plan = self.rounds.plan(game, 1)?;
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

impl PlanSet {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let is_open = |key: &GameKey| !Tablebase::shipped().get(key).is_some_and(|entry| entry.finding.is_settled());
        let keys: Vec<GameKey> = self.set.keys()?.into_iter().filter(|key| !self.new || is_open(key)).collect();
        if keys.is_empty() {
            return Err(UsageError("there is no such game; see 'harary atlas open'".to_owned()).into());
        }
        let plans =
            keys.iter().map(|key| self.rounds.plan(key.game(), keys.len())).collect::<anyhow::Result<Vec<_>>>()?;
        let names: Vec<String> = keys.iter().map(GameKey::stem).collect();
        let set = Set::make(&self.output, &names).map_err(told)?;
        for ((folder, plan), key) in set.farms().iter().zip(plans).zip(&keys).filter(|((farm, _), _)| !farm.has_plan())
        {
            let planned = round::begin(folder, plan, self.memory.memory).map_err(told)?;
            let report = Report::new(folder.path(), &planned);
            if self.json {
                json::write_line(console, "farm plan-set", &report)?;
            } else {
                writeln!(console, "{}: {} planned in {}.", key.arguments(), counted(report.jobs, "job"), report.dir)?;
                console.flush()?;
            }
        }
        Ok(Outcome::Done)
    }
}

impl Next {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let set = Set::at(&self.folder.dir).map_err(told)?;
        let mut decided = true;
        for folder in set.farms() {
            let planned = round::next(folder, self.memory.memory).map_err(told)?;
            decided &= planned.decided.is_some();
            let report = Report::new(folder.path(), &planned);
            if self.json && set.alone().is_some() {
                json::write(console, "farm next", &report)?;
            } else if self.json {
                json::write_line(console, "farm next", &report)?;
            } else {
                if set.alone().is_none() {
                    write!(console, "{}: ", report.dir)?;
                }
                let (results, facts) = (counted(report.grafted, "result"), counted(report.facts, "fact"));
                writeln!(console, "{results} taken over, {} needless; {facts} known.", report.needless)?;
                report.write(console)?;
            }
        }
        Ok(if decided { Outcome::Done } else { Outcome::NotSettled })
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
        let set = Set::at(&self.folder.dir).map_err(told)?;
        if let Some(folder) = set.alone() {
            return self.merge(folder, &self.output, false, console);
        }
        make_folder(&self.output)?;
        let mut outcome = Outcome::Done;
        for folder in set.farms() {
            let name = folder.path().file_name().unwrap_or_default().to_string_lossy();
            let output = self.output.join(format!("{name}.cert.zst"));
            if let Outcome::NotSettled = self.merge(folder, &output, true, console)? {
                outcome = Outcome::NotSettled;
            }
        }
        Ok(outcome)
    }

    /// One farm; of a set those that are not decided are told of and left.
    fn merge(&self, folder: &Folder, output: &Path, of_set: bool, console: &mut Console) -> anyhow::Result<Outcome> {
        let limits = Limits::new(None, None, interrupt::flag()?);
        let merged = match merge::merge(folder, self.memory.memory, &limits) {
            Err(error @ farm::FarmError::Undecided(_)) if !self.json || of_set => {
                if !self.json {
                    writeln!(console, "{}: {error}", folder.path().display())?;
                }
                return Ok(Outcome::NotSettled);
            }
            merged => merged.map_err(told)?,
        };
        let mut certificate = merged.certificate;
        let name = || format!("cannot write {}", output.display());
        certificate.keep(output).with_context(name)?;
        let proved = certificate.proved();
        let report = MergeReport {
            dir: folder.path().display().to_string(),
            certificate: output.display().to_string(),
            sentence: proved.sentence(None),
            verdict: if proved.claim().last().is_some() { Verdict::Won } else { Verdict::Held }.to_string(),
            lines: proved.lines(),
            results: merged.results,
            refused: refused(&merged.refused),
            nodes: merged.nodes,
        };
        if self.json && of_set {
            json::write_line(console, "farm merge", &report)?;
        } else if self.json {
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
            console.flush()?;
        }
        Ok(Outcome::Done)
    }
}
