//! `harary solve --batch`: many games, one a line; one JSON object a line as they are settled.

use super::answer::Report;
use super::console::Console;
use super::ending::{Outcome, UsageError, complaint};
use super::solve::Solve;
use super::{files, interrupt, json};
use crate::game::words::split_words;
use clap::Parser;
use serde::Serialize;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A longer line is no game.
const LONGEST_LINE: usize = 1 << 16;

/// How often a thread without a game looks whether it is to stop.
const LOOK: Duration = Duration::from_millis(50);

/// The words of one line.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Words {
    #[command(flatten)]
    solve: Solve,
}

/// A line of the file: its number, from 1, and its text.
struct Line {
    number: usize,
    text: String,
}

/// What became of one line, for machines: the keys of `solve --json` stand beside these, unless there is an error.
#[derive(Serialize)]
struct Settled {
    line: usize,
    text: String,
    error: Option<String>,
    #[serde(flatten)]
    report: Option<Report>,
    /// How `harary solve` would have ended.
    #[serde(skip)]
    ending: Outcome,
}

/// Runs `harary solve`, for one game or for those of a file.
pub fn run(mut command: Solve, console: &mut Console) -> anyhow::Result<Outcome> {
    match command.batch() {
        Some(file) => settle_all(&file, command, console),
        None => command.run(console),
    }
}

/// Settles the games of a file; `outer` is the command as it was given.
fn settle_all(file: &Path, outer: Solve, console: &mut Console) -> anyhow::Result<Outcome> {
    let stop = interrupt::flag()?;
    let input = BufReader::new(files::open(file)?);
    let (jobs, outer) = (outer.jobs(), Arc::new(outer));
    // Lines are read as they are wanted: whoever writes them may wait for the answers.
    let (give, take) = mpsc::sync_channel(0);
    let (tell, told) = mpsc::channel();
    let take = Arc::new(Mutex::new(take));
    // Nobody waits for this thread: it may wait for a line that never comes.
    std::thread::spawn(move || hand_out(input, &give));
    for _ in 0..jobs {
        let (outer, take, tell, stop) = (outer.clone(), take.clone(), tell.clone(), stop.clone());
        std::thread::spawn(move || {
            while let Some(line) = next(&take, &stop) {
                if tell.send(line.map(|line| settle(line, &outer))).is_err() {
                    break;
                }
            }
        });
    }
    drop(tell);
    let mut worst = Outcome::Done;
    for settled in told {
        let settled = settled.map_err(|error| UsageError(format!("cannot read {}: {error}", files::name(file))))?;
        worst = worse(worst, settled.ending);
        json::write_line(console, "solve", &settled)?;
    }
    Ok(if stop.load(Ordering::Relaxed) { worse(worst, Outcome::NotSettled) } else { worst })
}

/// Reads the lines and hands them out; empty ones and comments are no games.
fn hand_out(mut input: impl BufRead, give: &SyncSender<io::Result<Line>>) {
    for number in 1.. {
        let line = match read(&mut input) {
            Ok(None) => return,
            Ok(Some(text)) if text.is_empty() || text.starts_with('#') => continue,
            Ok(Some(text)) => Ok(Line { number, text }),
            Err(error) => Err(error),
        };
        let failed = line.is_err();
        if give.send(line).is_err() || failed {
            return;
        }
    }
}

/// The next line, at most a byte longer than the longest; the rest of it is skipped.
fn read(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if input.by_ref().take(LONGEST_LINE as u64 + 1).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    if bytes.len() > LONGEST_LINE {
        input.skip_until(b'\n')?;
    }
    Ok(Some(String::from_utf8_lossy(&bytes).trim().to_owned()))
}

/// The next line for a thread; none at the end, or when the user wants to stop.
fn next(take: &Mutex<Receiver<io::Result<Line>>>, stop: &AtomicBool) -> Option<io::Result<Line>> {
    while !stop.load(Ordering::Relaxed) {
        let line = take.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).recv_timeout(LOOK);
        match line {
            Ok(line) => return Some(line),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return None,
        }
    }
    None
}

fn settle(Line { number, text }: Line, outer: &Solve) -> Settled {
    let failed = |error: &anyhow::Error| {
        let ending = if error.is::<UsageError>() { Outcome::Unreadable } else { Outcome::Refused };
        (Some(format!("{error:#}")), ending)
    };
    let (report, (error, ending)) = match solve(&text, outer).and_then(|mut solve| solve.reported()) {
        Ok((report, ending, kept)) => (Some(report), kept.as_ref().err().map_or((None, ending), failed)),
        Err(error) => (None, failed(&error)),
    };
    Settled { line: number, text, error, report, ending }
}

/// The command a line stands for.
fn solve(text: &str, outer: &Solve) -> anyhow::Result<Solve> {
    if text.len() > LONGEST_LINE {
        return Err(UsageError(format!("a line has at most {LONGEST_LINE} bytes")).into());
    }
    let words = split_words(text).ok_or_else(|| UsageError("a quote is left open".to_owned()))?;
    let Words { solve } = Words::try_parse_from(words).map_err(|error| UsageError(complaint(&error)))?;
    solve.in_batch(outer)
}

/// The worse end of two: a failure, then a line that could not be read, then a game that is not settled.
fn worse(one: Outcome, other: Outcome) -> Outcome {
    let order = [Outcome::Refused, Outcome::Unreadable, Outcome::NotSettled];
    order.into_iter().find(|end| [one, other].contains(end)).unwrap_or(Outcome::Done)
}
