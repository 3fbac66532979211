//! `harary farm script`: the batch script of a round.

use super::super::console::Console;
use super::super::ending::{Outcome, UsageError};
use super::super::json;
use super::folder::{FolderArgument, told};
use crate::farm::script::{Share, Slurm};
use crate::farm::{FarmError, Set};
use clap::Args;
use harary_certificate::whole_file;
use serde::Serialize;
use std::io::Write;
use std::process::Command;

/// Writes the batch script of the last round
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary farm script snaky-farm --slurm --tasks 16 --time 04:00:00\n  \
    harary farm script snaky-farm --slurm --cores 8 --mem 16000 --sbatch '--partition=long'\n\n\
    The script is round-NNN.sh in the folder: one job array. A task that is not finished when its time is over goes back into the \
    queue, alone. jobs.tsv in the folder is for other programs.")]
pub struct Script {
    #[command(flatten)]
    folder: FolderArgument,
    /// For Slurm
    #[arg(long, required = true)]
    slurm: bool,
    /// Tasks at once
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..))]
    tasks: u16,
    /// The largest array that the cluster takes [default: what 'scontrol show config' says, else 1001]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..))]
    max_array: Option<u32>,
    /// Cores of a task
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    cores: u16,
    /// Memory of a task, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 2000, value_parser = clap::value_parser!(u32).range(64..))]
    mem: u32,
    /// The time of a task, as Slurm writes it
    #[arg(long, value_name = "TIME", default_value = "01:00:00")]
    time: String,
    /// Seconds before the end at which a task is told to write down what it knows
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    warning: u32,
    /// One more line for sbatch; may be given several times
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    sbatch: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The script, for machines.
#[derive(Serialize)]
struct Report {
    dir: String,
    script: String,
    round: u32,
    jobs: usize,
}

impl Script {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let lines = self.sbatch.iter().chain([&self.time]);
        if let Some(line) = lines.into_iter().find(|line| line.contains(char::is_control)) {
            return Err(UsageError(format!("'{}' is no line for sbatch", line.escape_debug())).into());
        }
        let set = Set::at(&self.folder.dir).map_err(told)?;
        let rounds = set.last_rounds().map_err(told)?;
        let shares: Vec<Share> =
            set.farms().iter().zip(&rounds).map(|(folder, (_, round))| Share { folder, round }).collect();
        let jobs = rounds.iter().map(|(_, round)| round.jobs.len()).sum();
        if jobs == 0 {
            return Err(
                UsageError("nothing is left to run; 'harary farm merge' makes the certificate".to_owned()).into()
            );
        }
        let program = std::env::current_exe().map_or("harary".to_owned(), |path| path.display().to_string());
        let slurm = Slurm {
            tasks: self.tasks.into(),
            most: self.max_array.map_or_else(|| of_cluster().unwrap_or(1001), |most| most as usize),
            cores: self.cores.into(),
            memory: self.mem as usize,
            time: self.time,
            warning: self.warning,
            more: self.sbatch,
            program,
        };
        // The farms of a set that are decided stay behind.
        let number = rounds.iter().map(|(_, round)| round.number).max().unwrap_or(0);
        let name = format!("round-{number:03}");
        let path = set.path().join(format!("{name}.sh"));
        let script = slurm.script(set.folder(), &name, &shares);
        whole_file::write(&path, script.as_bytes()).map_err(FarmError::file(&path))?;
        let (dir, script) = (self.folder.dir.display().to_string(), path.display().to_string());
        if self.json {
            let report = Report { dir, script, round: number, jobs };
            json::write(console, "farm script", &report)?;
        } else {
            writeln!(console, "{script}: sbatch --wait {script}, then harary farm next {dir}")?;
        }
        Ok(Outcome::Done)
    }
}

/// MaxArraySize of the cluster this machine belongs to.
fn of_cluster() -> Option<usize> {
    let output = Command::new("scontrol").args(["show", "config"]).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.lines().find_map(|line| line.strip_prefix("MaxArraySize")?.split('=').nth(1)?.trim().parse().ok())
}
