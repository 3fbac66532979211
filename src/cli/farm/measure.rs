//! `harary farm status` and `harary farm simulate`: how far it is, what it took, what more workers would make of it.

use super::super::arguments::parse_time;
use super::super::console::Console;
use super::super::ending::Outcome;
use super::super::json;
use super::super::words::counted;
use super::folder::{FolderArgument, told};
use crate::farm::result::JobResult;
use crate::farm::simulate::{Model, simulate};
use crate::farm::status::{Labour, RoundStatus, results_of, status};
use crate::farm::{Folder, Set};
use clap::Args;
use serde::Serialize;
use std::fs;
use std::io::Write;
use std::time::Duration;

/// Shows how far a farm is and what its workers did
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary farm status snaky-farm\n\n\
    Work that came to nothing: nodes of jobs that stayed open. Idle: time of workers between jobs, from the first job of a round to \
    its last. Speed-up: against one worker that does the same jobs one after the other.")]
pub struct Status {
    #[command(flatten)]
    folder: FolderArgument,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Replays the jobs of a farm with more workers, against a model of a scheduler
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary farm simulate snaky-farm --workers 16,256\n\n\
    The model: tasks go out one after the other in the order of the jobs, to the first free worker; a job takes the processor time it \
    took; a round begins when the one before is done.")]
pub struct Simulate {
    #[command(flatten)]
    folder: FolderArgument,
    /// Numbers of workers, separated by commas
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "16,256", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    workers: Vec<u32>,
    /// What handing out a task takes the scheduler
    #[arg(long, value_name = "TIME", default_value = "10ms", value_parser = parse_time)]
    dispatch: Duration,
    /// What starting a task takes a worker
    #[arg(long, value_name = "TIME", default_value = "500ms", value_parser = parse_time)]
    start: Duration,
    /// What the master takes between two rounds
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_time)]
    plan: Duration,
    /// Jobs that a task does one after the other
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    each: u16,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A farm, for machines.
#[derive(Serialize)]
struct Report {
    dir: String,
    game: String,
    rounds: Vec<RoundObject>,
    refused: usize,
    nodes: u64,
    processor_seconds: f64,
}

/// A round.
#[derive(Serialize)]
struct RoundObject {
    round: u32,
    jobs: usize,
    won: usize,
    held: usize,
    open: usize,
    missing: usize,
    damaged: usize,
    nodes: u64,
    /// Nodes of jobs that stayed open.
    open_nodes: u64,
    processor_seconds: f64,
    seconds: f64,
    idle_seconds: f64,
    busy_share: f64,
    speed_up: f64,
    workers: Vec<WorkerObject>,
}

/// What one worker did in a round.
#[derive(Serialize)]
struct WorkerObject {
    jobs: usize,
    nodes: u64,
    seconds: f64,
}

fn seconds(milliseconds: u64) -> f64 {
    json::seconds(milliseconds as f64 / 1000.0)
}

impl RoundObject {
    fn new(round: &RoundStatus) -> RoundObject {
        let labour: &Labour = &round.labour;
        let worker = |share: &crate::farm::status::Share| WorkerObject {
            jobs: share.jobs,
            nodes: share.nodes,
            seconds: seconds(share.busy),
        };
        RoundObject {
            round: round.number,
            jobs: round.jobs,
            won: round.won,
            held: round.held,
            open: round.open,
            missing: round.missing,
            damaged: round.damaged,
            nodes: labour.nodes,
            open_nodes: labour.open_nodes,
            processor_seconds: seconds(labour.processor),
            seconds: seconds(labour.span),
            idle_seconds: seconds(labour.idle()),
            busy_share: json::seconds(labour.busy_share()),
            speed_up: json::seconds(labour.speed_up()),
            workers: labour.workers.iter().map(worker).collect(),
        }
    }
}

impl Status {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let set = Set::at(&self.folder.dir).map_err(told)?;
        for folder in set.farms() {
            self.show(folder, set.alone().is_none(), console)?;
        }
        Ok(Outcome::Done)
    }

    fn show(&self, folder: &Folder, of_set: bool, console: &mut Console) -> anyhow::Result<()> {
        let plan = folder.read_plan().map_err(told)?;
        let rounds = status(folder, &plan).map_err(told)?;
        let reasons = fs::read_dir(folder.path().join("refused")).into_iter().flatten().flatten();
        let refused = reasons.filter(|entry| entry.file_name().to_string_lossy().contains("reason")).count();
        let report = Report {
            dir: folder.path().display().to_string(),
            game: plan.name(),
            rounds: rounds.iter().map(RoundObject::new).collect(),
            refused,
            nodes: rounds.iter().map(|round| round.labour.nodes).sum(),
            processor_seconds: seconds(rounds.iter().map(|round| round.labour.processor).sum()),
        };
        if self.json {
            let write = if of_set { json::write_line } else { json::write };
            return write(console, "farm status", &report);
        }
        writeln!(console, "{}", report.game)?;
        writeln!(
            console,
            "round   jobs    won   held   open  to do  nodes        in vain  seconds   idle  speed-up  nodes by worker"
        )?;
        for round in &report.rounds {
            let in_vain = 100.0 * round.open_nodes as f64 / round.nodes.max(1) as f64;
            let by_worker: Vec<String> = round.workers.iter().map(|worker| worker.nodes.to_string()).collect();
            writeln!(
                console,
                "{:>5} {:>6} {:>6} {:>6} {:>6} {:>6}  {:<11} {:>7.0}% {:>8.1} {:>5.0}%  {:>8.2}  {}",
                round.round,
                round.jobs,
                round.won,
                round.held,
                round.open,
                round.missing,
                round.nodes,
                in_vain,
                round.seconds,
                100.0 * (1.0 - round.busy_share),
                round.speed_up,
                by_worker.join(" "),
            )?;
            if round.damaged > 0 {
                writeln!(console, "      {} cannot be read", counted(round.damaged, "result"))?;
            }
        }
        let (nodes, time) = (report.nodes, report.processor_seconds);
        writeln!(console, "{nodes} nodes, {time:.1} s of processor time, {} refused.", counted(refused, "result"))?;
        Ok(())
    }
}

/// What more workers would make of it, for machines.
#[derive(Serialize)]
struct SimulationReport {
    dir: String,
    jobs: usize,
    rounds: usize,
    outcomes: Vec<OutcomeObject>,
}

/// One number of workers.
#[derive(Serialize)]
struct OutcomeObject {
    workers: usize,
    seconds: f64,
    speed_up: f64,
    efficiency: f64,
}

impl Simulate {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let set = Set::at(&self.folder.dir).map_err(told)?;
        // The rounds of a set are done side by side.
        let mut rounds: Vec<Vec<JobResult>> = Vec::new();
        for folder in set.farms() {
            let plan = folder.read_plan().map_err(told)?;
            for number in 1..=plan.round {
                let round = folder.read_round(&plan, number).map_err(told)?;
                let place = (number - 1) as usize;
                rounds.resize_with(rounds.len().max(place + 1), Vec::new);
                rounds[place].extend(results_of(folder, &round).map_err(told)?.0);
            }
        }
        rounds.retain(|round| !round.is_empty());
        let milliseconds = |time: Duration| time.as_millis() as u64;
        let model = Model {
            dispatch: milliseconds(self.dispatch),
            start: milliseconds(self.start),
            plan: milliseconds(self.plan),
            each: self.each.into(),
        };
        let workers: Vec<usize> = self.workers.iter().map(|workers| *workers as usize).collect();
        let outcome = |outcome: &crate::farm::simulate::Outcome| OutcomeObject {
            workers: outcome.workers,
            seconds: seconds(outcome.span),
            speed_up: json::seconds(outcome.speed_up),
            efficiency: json::seconds(outcome.efficiency),
        };
        let report = SimulationReport {
            dir: self.folder.dir.display().to_string(),
            jobs: rounds.iter().map(Vec::len).sum(),
            rounds: rounds.len(),
            outcomes: simulate(&rounds, &workers, &model).iter().map(outcome).collect(),
        };
        if self.json {
            json::write(console, "farm simulate", &report)?;
            return Ok(Outcome::Done);
        }
        let (jobs, rounds) = (counted(report.jobs, "job"), counted(report.rounds, "round"));
        writeln!(console, "{jobs} in {rounds}, each as long as its processor time.")?;
        for OutcomeObject { workers, seconds, speed_up, efficiency } in &report.outcomes {
            writeln!(
                console,
                "{workers:>6} workers: {seconds:.1} s, speed-up {speed_up:.1}, efficiency {efficiency:.2}"
            )?;
        }
        Ok(Outcome::Done)
    }
}
