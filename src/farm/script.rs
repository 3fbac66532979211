//! What other programs run: the table of jobs, and the batch script for Slurm.

use super::folder::Folder;
use super::plan::{Job, Round};
use std::fmt::Write;

/// `jobs.tsv`: a line for each job of a round, with the command that does it.
pub fn table(folder: &Folder, round: &Round) -> String {
    let place = std::path::absolute(folder.path()).unwrap_or(folder.path().to_owned());
    let mut text = "job\tround\tblack\twhite\tbudget\tcommand\n".to_owned();
    for Job { id, stones, budget, .. } in &round.jobs {
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

/// The jobs of one farm in a script.
#[derive(Clone, Copy, Debug)]
pub struct Share<'a> {
    /// The farm.
    pub folder: &'a Folder,
    /// Its last round.
    pub round: &'a Round,
}

impl Slurm {
    /// How many jobs a task does, so that the array of all of them is not too large.
    fn jobs_of_a_task(&self, shares: &[Share]) -> usize {
        let most = self.most.saturating_sub(1).max(shares.len()).max(1);
        let tasks = |each: usize| shares.iter().map(|share| share.round.jobs.len().div_ceil(each)).sum::<usize>();
        (1..).find(|each| tasks(*each) <= most).unwrap_or(1)
    }

    /// The script of the last rounds of these farms, in a folder: one array, each task of which does a few jobs of one farm one after
    /// the other, the most wanted first.
    pub fn script(&self, folder: &Folder, name: &str, shares: &[Share]) -> String {
        let each = self.jobs_of_a_task(shares);
        let here = |folder: &Folder| std::path::absolute(folder.path()).unwrap_or(folder.path().to_owned());
        let (mut tasks, mut cases) = (0, String::new());
        for Share { folder, round } in shares {
            let Some((first, last)) = round.ids() else { continue };
            let before = tasks;
            tasks += round.jobs.len().div_ceil(each);
            let _ = writeln!(
                cases,
                "{}if [ \"$SLURM_ARRAY_TASK_ID\" -le {tasks} ]; then farm=\"{}\" before={before} first={first} last={last}",
                if before > 0 { "el" } else { "" },
                here(folder).display(),
            );
        }
        let place = here(folder);
        let Slurm { cores, memory, time, warning, program, .. } = self;
        let (place, throttle) = (place.display(), self.tasks);
        let more: String = self.more.iter().fold(String::new(), |text, line| text + "#SBATCH " + line + "\n");
        format!(
            r#"#!/bin/bash
# The farm in {place}: {tasks} tasks of at most {each} jobs each.
# sbatch {place}/{name}.sh; when the array is done: harary farm next {place}
#SBATCH --job-name=harary-farm-{name}
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
{cases}fi
first=$(( first + (SLURM_ARRAY_TASK_ID - 1 - before) * {each} ))
if [ "$last" -gt $(( first + {each} - 1 )) ]; then last=$(( first + {each} - 1 )); fi

"{program}" farm run "$farm" --job "$first-$last" &
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
    use crate::engines::numbers::Numbers;
    use harary_certificate::Stones;
    use std::path::Path;

    fn round(first: u32, jobs: u32) -> Round {
        Round {
            number: 2,
            jobs: (first..first + jobs)
                .map(|id| Job { id, stones: Stones::NONE, budget: 5, limit: Numbers::NO_LIMIT, spare: false })
                .collect(),
        }
    }

    #[test]
    fn a_table_has_a_command_for_each_job() {
        let text = table(&Folder::at(Path::new("/farm")), &round(7, 2));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "7\t2\t0\t0\t5\tharary farm run /farm --job 7");
        assert_eq!(lines.len(), 3);
    }

    fn slurm(most: usize) -> Slurm {
        Slurm {
            tasks: 16,
            most,
            cores: 2,
            memory: 4000,
            time: "01:00:00".to_owned(),
            warning: 120,
            more: vec!["--partition=long".to_owned()],
            program: "echo".to_owned(),
        }
    }

    fn script(slurm: &Slurm, rounds: &[Round]) -> String {
        let folders: Vec<Folder> = (0..rounds.len()).map(|n| Folder::at(Path::new(&format!("/farm/{n}")))).collect();
        let shares: Vec<Share> = folders.iter().zip(rounds).map(|(folder, round)| Share { folder, round }).collect();
        slurm.script(&Folder::at(Path::new("/farm")), "round-002", &shares)
    }

    /// Every job is in one task, and no array is larger than the cluster takes.
    #[test]
    fn arrays_keep_to_their_size() {
        for (jobs, most, tasks, each) in
            [(2, 1001, 2, 1), (10_000, 1001, 1000, 10), (1000, 1001, 1000, 1), (1001, 1001, 501, 2)]
        {
            let text = script(&slurm(most), &[round(7, jobs)]);
            assert!(text.contains(&format!("--array=1-{tasks}%16\n")), "{text}");
            assert!(text.contains(&format!("(SLURM_ARRAY_TASK_ID - 1 - before) * {each} ")), "{text}");
            assert!(tasks * each >= jobs && (tasks - 1) * each < jobs);
        }
        let text = script(&slurm(1001), &[round(7, 5)]);
        for line in [
            "#SBATCH --partition=long\n",
            "--signal=B:USR1@120",
            "\"${SLURM_ARRAY_JOB_ID}_${SLURM_ARRAY_TASK_ID}\"",
            "--open-mode=append",
        ] {
            assert!(text.contains(line), "{line}");
        }
    }

    /// The tasks of a set, run by a shell: each job of each farm once.
    #[test]
    fn a_set_is_one_array() {
        let rounds = [round(7, 5), round(1, 3), round(20, 4)];
        let text = script(&slurm(7), &rounds);
        assert!(text.contains("--array=1-5%16\n"), "{text}");
        let told = (1..=5).map(|task| {
            let mut shell = std::process::Command::new("bash");
            let output = shell.args(["-c", &text]).env("SLURM_ARRAY_TASK_ID", task.to_string()).output().unwrap();
            String::from_utf8(output.stdout).unwrap()
        });
        let expected = "farm run /farm/0 --job 7-9\nfarm run /farm/0 --job 10-11\nfarm run /farm/1 --job 1-3\n\
            farm run /farm/2 --job 20-22\nfarm run /farm/2 --job 23-23\n";
        // Two of a task would be seven tasks.
        assert_eq!(script(&slurm(8), &rounds).matches("--array=1-7%").count(), 1);
        assert_eq!(told.collect::<String>(), expected);
    }
}
