//! What other programs run: the table of jobs, and the batch script for Slurm.

use super::folder::Folder;
use super::plan::{Job, Round};
use std::fmt::Write;

/// `jobs.tsv`: a line for each job of a round, with the command that does it.
pub fn table(folder: &Folder, round: &Round) -> String {
    let place = std::path::absolute(folder.path()).unwrap_or(folder.path().to_owned());
    let mut text = "job\tround\tblack\twhite\tbudget\tcommand\n".to_owned();
    for Job { id, stones, budget } in &round.jobs {
        let (black, white, number) = (stones.black, stones.white, round.number);
        let command = format!("harary farm run {} --job {id}", place.display());
        let _ = writeln!(text, "{id}\t{number}\t{black}\t{white}\t{budget}\t{command}");
    }
    text
}

/// How a round goes to Slurm.
#[derive(Clone, Debug)]
pub struct Slurm {
    /// Tasks at once.
    pub tasks: usize,
    /// The largest array that the cluster takes (MaxArraySize): numbers are below it.
    pub most: usize,
    /// Cores of a task.
    pub cores: usize,
    /// Memory of a task, in MiB.
    pub memory: usize,
    /// The limit of a task, as Slurm writes it.
    pub time: String,
    /// Seconds before the limit at which it is told.
    pub warning: u32,
    /// More lines for Slurm, such as a partition.
    pub more: Vec<String>,
    /// The program.
    pub program: String,
}

impl Slurm {
    /// The script of a round: one array, each task of which does a few jobs one after the other, the most wanted first.
    pub fn script(&self, folder: &Folder, round: &Round) -> String {
        let jobs = round.jobs.len();
        let tasks = jobs.min(self.most.saturating_sub(1).max(1));
        let each = jobs.div_ceil(tasks.max(1));
        let tasks = jobs.div_ceil(each.max(1));
        let (first, last) = round.ids().unwrap_or((1, 0));
        let place = std::path::absolute(folder.path()).unwrap_or(folder.path().to_owned());
        let Slurm { cores, memory, time, warning, program, .. } = self;
        let (place, number, throttle) = (place.display(), round.number, self.tasks);
        let more: String = self.more.iter().fold(String::new(), |text, line| text + "#SBATCH " + line + "\n");
        format!(
            r#"#!/bin/bash
# Round {number} of the farm in {place}: jobs {first} to {last}, {each} in each task.
# sbatch {place}/round-{number:03}.sh; when the array is done: harary farm next {place}
#SBATCH --job-name=harary-farm-{number}
#SBATCH --array=1-{tasks}%{throttle}
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={cores}
#SBATCH --mem={memory}M
#SBATCH --time={time}
#SBATCH --signal=B:USR1@{warning}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output={place}/logs/%A_%a.log
{more}
first=$(( {first} + (SLURM_ARRAY_TASK_ID - 1) * {each} ))
last=$(( first + {each} - 1 ))
if [ "$last" -gt {last} ]; then last={last}; fi

"{program}" farm run "{place}" --job "$first-$last" &
worker=$!
# Slurm tells the shell; the worker writes down how far it is and ends with 75.
trap 'kill -USR1 "$worker" 2>/dev/null' USR1
trap 'kill -TERM "$worker" 2>/dev/null' TERM
wait "$worker"
code=$?
while kill -0 "$worker" 2>/dev/null; do
    wait "$worker"
    code=$?
done
if [ "$code" -eq 75 ]; then
    # Unfinished: this task alone goes back into the queue.
    scontrol requeue "${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}"
    exit 0
fi
exit "$code"
"#
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use harary_certificate::Stones;
    use std::path::Path;

    fn round(jobs: u32) -> Round {
        Round { number: 2, jobs: (7..7 + jobs).map(|id| Job { id, stones: Stones::NONE, budget: 5 }).collect() }
    }

    #[test]
    fn a_table_has_a_command_for_each_job() {
        let text = table(&Folder::at(Path::new("/farm")), &round(2));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "7\t2\t0\t0\t5\tharary farm run /farm --job 7");
        assert_eq!(lines.len(), 3);
    }

    /// Every job is in one task, and no array is larger than the cluster takes.
    #[test]
    fn arrays_keep_to_their_size() {
        let slurm = |most| Slurm {
            tasks: 16,
            most,
            cores: 2,
            memory: 4000,
            time: "01:00:00".to_owned(),
            warning: 120,
            more: vec!["--partition=long".to_owned()],
            program: "harary".to_owned(),
        };
        for (jobs, most, tasks, each) in
            [(2, 1001, 2, 1), (10_000, 1001, 1000, 10), (1000, 1001, 1000, 1), (1001, 1001, 501, 2)]
        {
            let text = slurm(most).script(&Folder::at(Path::new("/farm")), &round(jobs));
            assert!(text.contains(&format!("--array=1-{tasks}%16\n")), "{text}");
            assert!(text.contains(&format!("(SLURM_ARRAY_TASK_ID - 1) * {each} ")), "{text}");
            assert!(tasks * each >= jobs && (tasks - 1) * each < jobs);
        }
        let text = slurm(1001).script(&Folder::at(Path::new("/farm")), &round(5));
        for line in [
            "#SBATCH --partition=long\n",
            "--signal=B:USR1@120",
            "\"${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}\"",
            "--open-mode=append",
        ] {
            assert!(text.contains(line), "{line}");
        }
    }
}
