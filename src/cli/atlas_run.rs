//! `harary atlas run`: settles a set of games, resumes where it was.

use super::console::Console;
use super::ending::Outcome;
use super::game_set::GameSetArguments;
use super::progress::{JSON_PACE, ProgressArguments, ProgressMode, write_json};
use super::search_arguments::parse_memory;
use super::source::{Folder, make_folder};
use super::words::counted;
use super::{interrupt, json};
use crate::atlas::entry::Entry;
use crate::atlas::journal::Journal;
use crate::atlas::key::GameKey;
use crate::atlas::run::{self, Event, Pace};
use crate::atlas::selection::{hardest_last, is_due};
use crate::atlas::settling::{Ask, Keep};
use crate::atlas::tables::published_games;
use crate::atlas::{Tablebase, report};
use crate::settle::EngineChoice;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use std::collections::VecDeque;
use std::error::Error;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// Settles a set of games; goes on where it was if it was stopped or killed
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary atlas run --boards 3x3..4x4 --both --rule both\n  \
    harary atlas run --boards 5x5 --torus --time-each 10m\n  \
    harary atlas run --shapes creatures,snaky,XX./.XX --boards 5x5..7x7 --time 2h\n  \
    harary atlas run --shapes \"I5+D5,tic+el,row4\" --boards 3x3..5x5 --rule both\n  \
    harary atlas run --boards 3x3 --certify-least --certificates kept\n  harary atlas run --published --time-each 5m\n\n\
    Shapes are 'animals' (of at most 6 cells), 'animals:N' (of at most N), 'creatures' (those inside snaky), names, rows, \
    or @FILE for all shapes of a file; I5+D5 is a target of two, either of which wins, played where both fit, and row5 the \
    same in short. Games are settled small boards first, one thread each. What is settled is not done \
    again; what is open is, if --time-each gives it more time than before.\n\
    Exit codes: 0 all settled, 3 some open, 2 wrong usage, 1 a failure.")]
pub struct Run {
    #[command(flatten)]
    set: GameSetArguments,
    /// Stop at each game after this time
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = super::arguments::parse_time)]
    time_each: Duration,
    /// Stop the whole run after this time
    #[arg(long, value_name = "TIME", value_parser = super::arguments::parse_time)]
    time: Option<Duration>,
    /// Games at once [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Memory for the tables of one game
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = parse_memory)]
    memory: usize,
    /// Which engine searches each game
    #[arg(long, value_parser = super::arguments::engines(), default_value = "auto")]
    engine: EngineChoice,
    /// Certify, too, that no earlier turn wins
    #[arg(long)]
    certify_least: bool,
    /// Keep the certificates in this folder, and use the blocks that are in it
    #[arg(long, value_name = "FOLDER")]
    certificates: Option<PathBuf>,
    /// The games the published tables speak of, instead of --shapes and --boards
    #[arg(long, conflicts_with_all = ["shapes", "boards", "plain", "torus", "both", "rule"])]
    published: bool,
    /// Leave out the games that the tablebase of the program has settled
    #[arg(long)]
    new: bool,
    #[command(flatten)]
    folder: Folder,
    #[command(flatten)]
    progress: ProgressArguments,
    /// Print JSON: one line for each game as it is done, and a last one
    #[arg(long)]
    json: bool,
}

/// A line of JSON.
#[derive(Serialize, Default)]
struct Line {
    event: &'static str,
    /// What is known of the game that is done.
    entry: Option<json::Entry>,
    /// The game that failed.
    game: Option<json::Game>,
    reason: Option<String>,
    summary: Option<SummaryObject>,
}

/// The last line.
#[derive(Serialize)]
struct SummaryObject {
    /// Asked for, settled before or now.
    games: usize,
    settled: usize,
    /// Of this run.
    newly_settled: usize,
    open: usize,
    failed: usize,
    left: usize,
    seconds: f64,
    journal: String,
}

impl Run {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let games = self.games()?;
        if let Some(folder) = &self.certificates {
            make_folder(folder)?;
        }
        let mut journal = Journal::open(&self.folder.dir)?;
        if journal.cut() > 0 && !self.json {
            writeln!(console, "The last run was killed in the middle of a write: {} bytes cut off.", journal.cut())?;
        }
        let known: Tablebase = journal.entries().iter().cloned().collect();
        let shipped = |key: &GameKey| self.new.then(|| Tablebase::shipped().get(key)).flatten();
        let is_due = |key: &GameKey| {
            [known.get(key), shipped(key)].iter().all(|entry| is_due(*entry, self.time_each, self.certify_least))
        };
        let due: Vec<GameKey> = games.iter().filter(|key| is_due(key)).cloned().collect();
        if !self.json {
            let (games, due) = (counted(games.len(), "game"), due.len());
            writeln!(console, "{games}, {due} to do; results go to {}", journal.path().display())?;
        }
        console.flush()?;
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        let ask = Ask {
            time: self.time_each,
            memory: self.memory,
            engine: self.engine,
            certify_least: self.certify_least,
            certificates: self.certificates.clone().map_or(Keep::No, Keep::Folder),
        };
        let kept = games.iter().filter(|key| !is_due(key)).count();
        if self.certificates.is_some() && kept > 0 && !self.json {
            writeln!(
                console,
                "{} settled before: no certificate is written ('harary atlas certificate SHAPE BOARD --output FILE' does).",
                counted(kept, "game")
            )?;
        }
        let pace = Pace { threads: self.threads.map_or(all, usize::from), time: self.time, stop: interrupt::flag()? };
        let mut display = Display::new(due.len(), pace.threads, self.progress.progress);
        let mut written = Ok(());
        let summary = run::run(&mut journal, &due, &ask, &pace, &mut |event| {
            display.show(&event);
            if let Some(line) = Line::of(&event).filter(|_| self.json && written.is_ok()) {
                written = json::write_line(console, "atlas run", &line);
                // With nobody to read the results there is no point in going on.
                if written.is_err() {
                    pace.stop.store(true, Ordering::Relaxed);
                }
            }
        });
        let elapsed = display.end();
        let summary = summary?;
        written?;
        let now: Tablebase = journal.entries().iter().cloned().collect();
        let settled = games.iter().filter(|key| now.get(key).is_some_and(|entry| entry.finding.is_settled())).count();
        let shipped = games.iter().filter(|key| !is_due(key) && now.get(key).is_none()).count();
        let run::Summary { settled: newly_settled, unknown: open, failed, left } = summary;
        if self.json {
            let summary = SummaryObject {
                games: games.len(),
                settled: settled + shipped,
                newly_settled,
                open,
                failed,
                left,
                seconds: json::seconds(elapsed),
                journal: journal.path().display().to_string(),
            };
            let line = Line { event: "summary", summary: Some(summary), ..Line::default() };
            json::write_line(console, "atlas run", &line)?;
        } else {
            writeln!(console, "{newly_settled} settled, {open} open, {failed} failed, {left} left, in {elapsed:.1} s")?;
            let of = counted(games.len(), "game");
            let left_out =
                if shipped > 0 { format!("; {shipped} left out, settled in the tablebase") } else { String::new() };
            writeln!(console, "Settled of {of}: {settled}, each with a certificate accepted{left_out}.")?;
        }
        if summary.failed > 0 {
            return Ok(Outcome::Refused);
        }
        Ok(if settled + shipped == games.len() { Outcome::Done } else { Outcome::NotSettled })
    }

    fn games(&self) -> anyhow::Result<Vec<GameKey>> {
        if self.published {
            return Ok(hardest_last(published_games()));
        }
        self.set.keys()
    }
}

impl Line {
    /// The line of an event, if it is worth one.
    fn of(event: &Event) -> Option<Line> {
        match event {
            Event::Finished(entry) => {
                Some(Line { event: "done", entry: Some(json::Entry::new(entry)), ..Line::default() })
            }
            Event::Failed(key, error) => Some(Line {
                event: "failed",
                game: Some(json::Game::of_key(key)),
                reason: Some(with_reason(error)),
                ..Line::default()
            }),
            Event::Started(_) | Event::Dropped(_) | Event::Tick => None,
        }
    }
}

/// An error and what is behind it.
fn with_reason(error: &dyn Error) -> String {
    let reason = error.source().map_or(String::new(), |reason| format!(": {reason}"));
    format!("{error}{reason}")
}

/// How far the run is, for machines.
#[derive(Serialize)]
struct RunReport {
    run_progress: RunProgress,
}

#[derive(Serialize)]
struct RunProgress {
    games: usize,
    settled: usize,
    open: usize,
    failed: usize,
    running: Vec<String>,
    seconds: f64,
}

/// How far the run is: a bar on a terminal, a line now and then elsewhere. To standard error, so that the answer
/// stays clean.
struct Display {
    mode: ProgressMode,
    bar: Option<ProgressBar>,
    total: usize,
    threads: usize,
    started: Instant,
    last: Instant,
    settled: usize,
    unknown: usize,
    other: usize,
    running: Vec<GameKey>,
    /// The times of the last games: as these get harder, they tell more than the mean of all.
    recent: VecDeque<f64>,
}

/// Where there is no terminal, a line this often.
const PACE: Duration = Duration::from_secs(10);
/// How many of the last games the estimate looks at.
const RECENT: usize = 12;

impl Display {
    fn new(total: usize, threads: usize, mode: ProgressMode) -> Display {
        let terminal = mode == ProgressMode::Auto && std::io::stderr().is_terminal();
        let bar = terminal.then(|| {
            let bar = ProgressBar::new(total as u64);
            if let Ok(style) = ProgressStyle::with_template("{bar:24} {pos}/{len}  {wide_msg}") {
                bar.set_style(style);
            }
            bar
        });
        let (started, last) = (Instant::now(), Instant::now());
        let recent = VecDeque::new();
        let (settled, unknown, other, running) = (0, 0, 0, Vec::new());
        Display { mode, bar, total, threads, started, last, settled, unknown, other, running, recent }
    }

    fn show(&mut self, event: &Event) {
        match event {
            Event::Started(key) => self.running.push((*key).clone()),
            Event::Finished(entry) => self.finished(entry),
            Event::Failed(key, error) => {
                self.running.retain(|running| running != *key);
                self.other += 1;
                self.say(&format!("harary: {key}: {}", with_reason(*error)));
            }
            Event::Dropped(key) => {
                self.running.retain(|running| running != *key);
                self.other += 1;
            }
            Event::Tick => {}
        }
        if self.mode == ProgressMode::Json && self.last.elapsed() >= JSON_PACE {
            self.last = Instant::now();
            write_json("atlas run", &RunReport { run_progress: self.progress() });
        }
        if let Some(bar) = &self.bar {
            bar.set_position((self.settled + self.unknown + self.other) as u64);
            bar.set_message(self.text());
        } else if self.mode == ProgressMode::Auto && self.last.elapsed() >= PACE {
            self.last = Instant::now();
            let done = self.settled + self.unknown + self.other;
            self.say(&format!("harary: {done} of {} done, {}", self.total, self.text()));
        }
    }

    fn finished(&mut self, entry: &Entry) {
        self.running.retain(|running| *running != entry.key);
        *(if entry.finding.is_settled() { &mut self.settled } else { &mut self.unknown }) += 1;
        self.recent.push_back(report::seconds(entry));
        if self.recent.len() > RECENT {
            self.recent.pop_front();
        }
    }

    fn text(&self) -> String {
        let names: Vec<String> = self.running.iter().map(GameKey::to_string).collect();
        let left = self.total.saturating_sub(self.settled + self.unknown + self.other);
        let estimate = match self.recent.len() {
            0 => String::new(),
            count => {
                let mean = self.recent.iter().sum::<f64>() / count as f64;
                let seconds = (mean * left as f64 / self.threads as f64).ceil() as u64;
                format!("; about {} left", humantime::format_duration(Duration::from_secs(seconds)))
            }
        };
        let (settled, unknown, running) = (self.settled, self.unknown, self.running.len());
        format!("settled {settled}, unknown {unknown}, running {running}{estimate}: {}", names.join(", "))
    }

    /// One line. If standard error is closed there is nobody to tell.
    fn say(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.println(line),
            None => {
                let _ = writeln!(std::io::stderr(), "{line}");
            }
        }
    }

    /// For machines.
    fn progress(&self) -> RunProgress {
        RunProgress {
            games: self.total,
            settled: self.settled,
            open: self.unknown,
            failed: self.other,
            running: self.running.iter().map(GameKey::to_string).collect(),
            seconds: json::seconds(self.started.elapsed().as_secs_f64()),
        }
    }

    /// Takes the bar away; the seconds since the start.
    fn end(&self) -> f64 {
        if self.mode == ProgressMode::Json {
            write_json("atlas run", &RunReport { run_progress: self.progress() });
        }
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.started.elapsed().as_secs_f64()
    }
}
