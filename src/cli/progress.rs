//! The progress of a search: a line that stays in place on a terminal, plain lines now and then elsewhere, JSON for those
//! who ask.

use super::json;
use crate::effort::Progress;
use clap::{Args, ValueEnum};
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use serde::Serialize;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// How progress is told, shared by the subcommands that search for long.
#[derive(Args, Clone, Copy, Debug)]
pub struct ProgressArguments {
    /// How to tell of progress on standard error
    #[arg(long, value_enum, value_name = "HOW", default_value_t = ProgressMode::Auto)]
    pub progress: ProgressMode,
}

/// How progress is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ProgressMode {
    /// A line in its place on a terminal, a line every ten seconds elsewhere
    Auto,
    /// A line of JSON every second, and a last one
    Json,
    /// Not at all
    None,
}

/// Where there is no terminal, a line this often.
const PACE: Duration = Duration::from_secs(10);

/// And with JSON this often.
pub const JSON_PACE: Duration = Duration::from_secs(1);

/// A line of JSON on standard error.
pub fn write_json(command: &str, answer: &impl Serialize) {
    // If standard error is closed there is nobody to tell.
    if let Ok(line) = json::line(command, answer) {
        let _ = writeln!(std::io::stderr(), "{line}");
    }
}

/// Progress for machines.
#[derive(Serialize)]
struct Report {
    progress: SearchProgress,
}

#[derive(Serialize)]
struct SearchProgress {
    phase: &'static str,
    turn: Option<usize>,
    refuted_turn: Option<usize>,
    unpaved: Option<usize>,
    proof_number: Option<u32>,
    disproof_number: Option<u32>,
    nodes: u64,
    /// The share of the table in use.
    table: f64,
    seconds: f64,
}

impl SearchProgress {
    fn new(progress: &Progress) -> SearchProgress {
        SearchProgress {
            phase: if progress.proving { "proving" } else { "searching" },
            turn: progress.turn,
            refuted_turn: progress.refuted_turn,
            unpaved: progress.unpaved,
            proof_number: progress.numbers.map(|numbers| numbers.0),
            disproof_number: progress.numbers.map(|numbers| numbers.1),
            nodes: progress.nodes,
            table: progress.fill as f64 / 1000.0,
            seconds: json::seconds(progress.elapsed.as_secs_f64()),
        }
    }
}

/// Writes to standard error only, so that the answer stays clean.
pub struct ProgressLine {
    command: &'static str,
    mode: ProgressMode,
    bar: Option<ProgressBar>,
    last: Mutex<Instant>,
    /// What was told last but not written, with JSON.
    unwritten: Mutex<Option<Progress>>,
}

impl ProgressLine {
    pub fn new(command: &'static str, mode: ProgressMode) -> ProgressLine {
        let terminal = mode == ProgressMode::Auto && std::io::stderr().is_terminal();
        let bar = terminal.then(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                bar.set_style(style);
            }
            bar
        });
        ProgressLine { command, mode, bar, last: Mutex::new(Instant::now()), unwritten: Mutex::default() }
    }

    pub fn show(&self, progress: &Progress) {
        match self.mode {
            ProgressMode::Auto => self.show_text(progress),
            ProgressMode::Json => self.show_json(progress),
            ProgressMode::None => {}
        }
    }

    fn show_json(&self, progress: &Progress) {
        let (Ok(mut last), Ok(mut unwritten)) = (self.last.lock(), self.unwritten.lock()) else { return };
        *unwritten = Some(*progress);
        if last.elapsed() >= JSON_PACE {
            *last = Instant::now();
            *unwritten = None;
            write_json(self.command, &Report { progress: SearchProgress::new(progress) });
        }
    }

    fn show_text(&self, progress: &Progress) {
        let text = || {
            let seconds = progress.elapsed.as_secs_f64();
            let speed = (progress.nodes as f64 / seconds.max(1e-9)) as u64;
            let work = if progress.proving { "writing the proof" } else { "searching" };
            let numbers = progress.numbers.map_or_else(String::new, |numbers| {
                format!(", proof number {}, disproof number {}", numbers.0, numbers.1)
            });
            let turn = progress.turn.map_or_else(String::new, |turn| format!(", turn {turn}"));
            let refuted = progress.refuted_turn.map_or_else(String::new, |turn| format!(", no win by turn {turn}"));
            let unpaved =
                progress.unpaved.map_or_else(String::new, |moves| format!(", no paving after {moves} White moves"));
            format!(
                "{work}{turn}{numbers}{refuted}{unpaved}; {} nodes, {}/s, table {:.0}% full, {seconds:.0} s",
                HumanCount(progress.nodes),
                HumanCount(speed),
                progress.fill as f64 / 10.0,
            )
        };
        if let Some(bar) = &self.bar {
            bar.set_message(text());
            bar.tick();
        } else if let Ok(mut last) = self.last.lock()
            && last.elapsed() >= PACE
        {
            *last = Instant::now();
            // If standard error is closed there is nobody to tell.
            let _ = writeln!(std::io::stderr(), "harary: {}", text());
        }
    }

    /// Takes the line away; with JSON, says where the work ended.
    pub fn clear(&self) {
        if let Some(progress) = self.unwritten.lock().ok().and_then(|mut unwritten| unwritten.take()) {
            write_json(self.command, &Report { progress: SearchProgress::new(&progress) });
        }
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
