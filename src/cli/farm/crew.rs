//! The workers of `--local`: processes that do a round each time they are asked, and keep their tables from one to the next.
//!
//! A worker is asked by a line on its standard input and answers with a line when it is through. It ends when its input does.

use anyhow::Context;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Tells a worker the number of the process that started it.
const MASTER: &str = "HARARY_FARM_MASTER";

/// One worker.
struct Worker {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

/// The workers, all alike but for the part of the jobs they begin with. They end with this.
pub struct Crew {
    /// The command of each.
    commands: Vec<Command>,
    workers: Vec<Option<Worker>>,
}

impl Crew {
    /// Workers by these commands; they are started when there is work.
    pub fn new(mut commands: Vec<Command>) -> Crew {
        for command in &mut commands {
            command.env(MASTER, std::process::id().to_string());
            command.stdin(Stdio::piped()).stdout(Stdio::piped());
        }
        Crew { workers: commands.iter().map(|_| None).collect(), commands }
    }

    /// Has all of them do a round; false if one died or failed.
    pub fn round(&mut self) -> anyhow::Result<bool> {
        for (command, worker) in self.commands.iter_mut().zip(&mut self.workers) {
            if worker.is_none() {
                let mut child = command.spawn().context("cannot start a worker")?;
                let pipes = child.stdin.take().zip(child.stdout.take());
                let (input, output) = pipes.context("a worker has no pipes")?;
                *worker = Some(Worker { child, input, output: BufReader::new(output) });
            }
            if let Some(worker) = worker {
                // One that is gone is seen when it does not answer.
                let _ = worker.input.write_all(b"round\n").and_then(|()| worker.input.flush());
            }
        }
        let mut all = true;
        for place in &mut self.workers {
            let answered =
                place.as_mut().is_some_and(|worker| worker.output.read_line(&mut String::new()).is_ok_and(|n| n > 0));
            if !answered && let Some(worker) = place.take() {
                all &= worker.end().is_some_and(|code| code == 0 || code == 75);
            }
        }
        Ok(all)
    }
}

impl Worker {
    /// Lets it end; its exit code, if it was not killed.
    fn end(self) -> Option<i32> {
        let Worker { mut child, input, output } = self;
        drop((input, output));
        child.wait().ok()?.code()
    }
}

impl Drop for Crew {
    fn drop(&mut self) {
        self.workers.iter_mut().filter_map(Option::take).for_each(|worker| {
            worker.end();
        });
    }
}

/// A worker of `--local` ends with its master, as if asked to stop, even where the master is killed with -9: else it would go
/// on beside whoever is started next.
#[cfg(target_os = "linux")]
pub fn end_with_master() -> anyhow::Result<()> {
    let Some(master) = std::env::var(MASTER).ok().and_then(|text| text.parse::<i32>().ok()) else { return Ok(()) };
    nix::sys::prctl::set_pdeathsig(nix::sys::signal::Signal::SIGTERM)
        .context("cannot listen for the end of the master")?;
    // It may be gone already.
    if nix::unistd::getppid().as_raw() != master {
        nix::sys::signal::raise(nix::sys::signal::Signal::SIGTERM).context("cannot end")?;
    }
    Ok(())
}

/// Elsewhere a worker whose master is killed ends when it asks for the next round.
#[cfg(not(target_os = "linux"))]
pub fn end_with_master() -> anyhow::Result<()> {
    Ok(())
}
