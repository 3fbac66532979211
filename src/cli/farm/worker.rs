//! `harary farm run`: a worker, or several on one machine.

use super::super::arguments::parse_time;
use super::super::console::Console;
use super::super::ending::{Outcome, UsageError};
use super::super::search_arguments::parse_memory;
use super::super::{interrupt, json};
use super::folder::{FolderArgument, told};
use crate::farm::round;
use crate::farm::work::{self, Ended, Hand, Manner, Part};
use crate::farm::{Folder, Plan, Round, Set};
use anyhow::Context;
use clap::Args;
use nix::sys::signal::{SigSet, Signal};
use serde::Serialize;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Does jobs of the last round: one, a few, or all of them
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  harary farm run snaky-farm --job 12\n  harary farm run snaky-farm --job 10-19\n  \
    harary farm run snaky-farm --local 2\n  harary farm run snaky-farm --local 2 --rounds 20\n  \
    parallel -j 8 --colsep '\\t' --header : {command} :::: snaky-farm/jobs.tsv\n\n\
    Under Slurm the cores and the memory are those of the task (SLURM_CPUS_PER_TASK, SLURM_MEM_PER_NODE).\n\
    SIGTERM, SIGUSR1 and Ctrl-C: what is known is written down, and the next run goes on from there.\n\
    Exit codes: 0 all of these jobs are done; 75 unfinished, run it again; 1 a failure; 2 wrong usage."
)]
pub struct Run {
    #[command(flatten)]
    folder: FolderArgument,
    /// The job, or the jobs as FIRST-LAST [default: all that nobody else is at]
    #[arg(long, value_name = "N", value_parser = parse_jobs)]
    job: Option<(u32, u32)>,
    /// So many workers on this machine, who share their tables
    #[arg(long, value_name = "N", conflicts_with = "job", value_parser = clap::value_parser!(u16).range(1..=256))]
    local: Option<u16>,
    /// With --local: go on with the next round, at most so many, until the game is decided
    #[arg(long, value_name = "N", requires = "local", default_value_t = 1)]
    rounds: u32,
    /// Begin with the K-th of N parts of the jobs, those of a part of the tree: for N workers, each with his own K
    #[arg(long, value_name = "K/N", value_parser = parse_part, conflicts_with_all = ["job", "local"])]
    part: Option<Part>,
    /// Threads of a job [default: SLURM_CPUS_PER_TASK, else 1; with --local 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Memory for the tables, of all workers together [default: three quarters of SLURM_MEM_PER_NODE, else 1GiB]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    memory: Option<usize>,
    /// Write down what is known this often
    #[arg(long, value_name = "TIME", default_value = "3m", value_parser = parse_time)]
    checkpoint: Duration,
    /// Do not take over what others have learned; to measure what that is worth
    #[arg(long)]
    forgetful: bool,
    /// Print JSON: a line for each job
    #[arg(long)]
    json: bool,
}

/// Reads `12` or `10-19`.
fn parse_jobs(text: &str) -> Result<(u32, u32), String> {
    let wrong = || format!("'{text}' is no job; jobs are written 12 or 10-19");
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first @ 1..), Ok(last)) if first <= last => Ok((first, last)),
        _ => Err(wrong()),
    }
}

/// Reads `2/16`.
fn parse_part(text: &str) -> Result<Part, String> {
    let numbers = text.split_once('/').map(|(number, of)| (number.parse::<usize>(), of.parse::<usize>()));
    match numbers {
        Some((Ok(number @ 1..), Ok(of))) if number <= of => Ok(Part { number: number - 1, of }),
        _ => Err(format!("'{text}' is no part; the second of 16 is written 2/16")),
    }
}

/// A job that ended, for machines.
#[derive(Serialize)]
struct Line {
    job: u32,
    /// `won`, `held`, `open`, `before`, `needless`, `taken` or `stopped`.
    ended: String,
    nodes: u64,
}

impl Run {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let stop = stop_flag()?;
        let set = Set::at(&self.folder.dir).map_err(told)?;
        match self.local {
            Some(workers) => self.run_locally(&set, workers.into(), &stop, console),
            None => self.run_here(&set, &stop, console),
        }
    }

    /// The jobs of the farm, or of each of the set one after the other.
    fn run_here(&self, set: &Set, stop: &Arc<AtomicBool>, console: &mut Console) -> anyhow::Result<Outcome> {
        if let (Some(_), None) = (self.job, set.alone()) {
            let name = set.farms().first().map_or(set.path(), Folder::path);
            return Err(
                UsageError(format!("--job is about one game: name its folder, such as {}", name.display())).into()
            );
        }
        let mut all = true;
        for (folder, (plan, round)) in set.farms().iter().zip(set.last_rounds().map_err(told)?) {
            let mut hand = work::hand(folder, &plan, self.manner(stop)).map_err(told)?;
            all &= !stop.load(Ordering::Relaxed) && self.run_jobs(hand.as_mut(), &round, console)?;
        }
        Ok(if all { Outcome::Done } else { Outcome::Unfinished })
    }

    fn manner(&self, stop: &Arc<AtomicBool>) -> Manner {
        // Workers who share a machine have a thread each, whatever a task of Slurm has.
        let of_task = || variable("SLURM_CPUS_PER_TASK").filter(|_| self.local.is_none());
        Manner {
            threads: self.threads.map(usize::from).or_else(of_task).unwrap_or(1),
            memory: self.memory.or_else(slurm_memory).unwrap_or(1 << 30),
            checkpoint: self.checkpoint,
            stop: stop.clone(),
            facts: !self.forgetful,
            part: self.part,
        }
    }

    /// Jobs of one farm; true if all of them are done.
    fn run_jobs(&self, hand: &mut dyn Hand, round: &Round, console: &mut Console) -> anyhow::Result<bool> {
        let ids: Vec<u32> = match self.job {
            Some((first, last)) => (first..=last).collect(),
            None => round.jobs.iter().map(|job| job.id).collect(),
        };
        ids.iter().try_for_each(|id| round.job(*id).map(|_| ())).map_err(told)?;
        let mut written = Ok(());
        let all = hand.work(round, &ids, &mut |job, ended, nodes| {
            if written.is_ok() {
                written = self.tell(console, job, ended, nodes);
            }
        });
        let all = all.map_err(told)?;
        written?;
        Ok(all)
    }

    fn tell(&self, console: &mut Console, job: u32, ended: Ended, nodes: u64) -> anyhow::Result<()> {
        let word = match ended {
            Ended::Done(verdict) => verdict.to_string(),
            Ended::Before(_) => "before".to_owned(),
            Ended::Needless => "needless".to_owned(),
            Ended::Taken => "taken".to_owned(),
            Ended::Stopped => "stopped".to_owned(),
        };
        if self.json {
            return json::write_line(console, "farm run", &Line { job, ended: word, nodes });
        }
        match ended {
            Ended::Done(_) => writeln!(console, "Job {job}: {word}, {nodes} nodes")?,
            Ended::Before(verdict) => writeln!(console, "Job {job}: done before, {verdict}")?,
            Ended::Needless if nodes > 0 => writeln!(console, "Job {job}: not needed any more, after {nodes} nodes")?,
            Ended::Needless => writeln!(console, "Job {job}: not needed any more")?,
            Ended::Taken => writeln!(console, "Job {job}: another process is at it")?,
            Ended::Stopped => writeln!(console, "Job {job}: stopped after {nodes} nodes; run it again to go on")?,
        }
        Ok(console.flush()?)
    }

    /// Several workers, who share their tables and keep them from round to round; those of a set would be too many to keep.
    fn run_locally(
        &self,
        set: &Set,
        workers: usize,
        stop: &Arc<AtomicBool>,
        console: &mut Console,
    ) -> anyhow::Result<Outcome> {
        let mut kept = None;
        for _ in 0..self.rounds.max(1) {
            let rounds = set.last_rounds().map_err(told)?;
            let mut all = true;
            for (folder, (plan, round)) in set.farms().iter().zip(&rounds) {
                let mut hands = match kept.take().filter(|_| set.alone().is_some()) {
                    Some(hands) => hands,
                    None => work::hands(folder, plan, &self.manner(stop), workers).map_err(told)?,
                };
                all &= self.run_together(&mut hands, round, console)?;
                kept = Some(hands);
            }
            if !all {
                return Ok(Outcome::Unfinished);
            }
            if self.rounds <= 1 || self.plan_rounds(set, &rounds, console)? {
                return Ok(Outcome::Done);
            }
        }
        Ok(Outcome::NotSettled)
    }

    /// A round by all of them at once; for machines each job is told when it ends.
    fn run_together(&self, hands: &mut [Box<dyn Hand>], round: &Round, console: &mut Console) -> anyhow::Result<bool> {
        let mut written = Ok(());
        let all = work::work_together(hands, round, &mut |job, ended, nodes| {
            if self.json && written.is_ok() {
                written = self.tell(console, job, ended, nodes);
            }
        });
        written?;
        all.map_err(told)
    }

    /// Takes over the results and plans the next round of each farm that is not decided. True if all are.
    fn plan_rounds(&self, set: &Set, rounds: &[(Plan, Round)], console: &mut Console) -> anyhow::Result<bool> {
        let mut decided = true;
        for (folder, (_, round)) in set.farms().iter().zip(rounds).filter(|(_, (_, round))| !round.jobs.is_empty()) {
            let planned = round::next(folder, self.memory.unwrap_or(1 << 30)).map_err(told)?;
            decided &= planned.decided.is_some();
            if self.json {
                continue;
            }
            if set.alone().is_none() {
                write!(console, "{}: ", folder.path().display())?;
            }
            let (done, jobs) = (planned.grafted, round.jobs.len());
            writeln!(console, "Round {}: {done} of {jobs} jobs done, {} needless.", round.number, planned.needless)?;
            if let Some(verdict) = planned.decided {
                writeln!(console, "Decided ({verdict}): harary farm merge {} -o FILE", folder.path().display())?;
            }
            console.flush()?;
        }
        Ok(decided)
    }
}

/// A number that stands in the environment.
fn variable(name: &str) -> Option<usize> {
    std::env::var(name).ok()?.parse().ok().filter(|number| *number > 0)
}

/// What Slurm gives a task, less what the rest of the program takes.
fn slurm_memory() -> Option<usize> {
    let mebibytes = variable("SLURM_MEM_PER_NODE")
        .or_else(|| Some(variable("SLURM_MEM_PER_CPU")? * variable("SLURM_CPUS_PER_TASK").unwrap_or(1)))?;
    Some((mebibytes << 20) / 4 * 3)
}

/// A flag that SIGTERM, SIGUSR1 and Ctrl-C set. It must be asked for before any thread is started: the signal is kept from
/// all of them, and one waits for it.
fn stop_flag() -> anyhow::Result<Arc<AtomicBool>> {
    let mut wanted = SigSet::empty();
    wanted.add(Signal::SIGUSR1);
    wanted.thread_block().context("cannot listen for SIGUSR1")?;
    let stop = interrupt::flag()?;
    let seen = stop.clone();
    std::thread::spawn(move || {
        while wanted.wait().is_ok() {
            seen.store(true, Ordering::Relaxed);
        }
    });
    Ok(stop)
}
