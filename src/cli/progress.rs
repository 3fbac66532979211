//! The progress of a search: a line that stays in place on a terminal, plain lines now and then elsewhere.

use crate::effort::Progress;
use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Where there is no terminal, a line this often.
const PACE: Duration = Duration::from_secs(10);

/// Writes to standard error only, so that the answer stays clean.
pub struct ProgressLine {
    bar: Option<ProgressBar>,
    last: Mutex<Instant>,
}

impl ProgressLine {
    pub fn new() -> ProgressLine {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new_spinner();
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg}") {
                bar.set_style(style);
            }
            bar
        });
        ProgressLine { bar, last: Mutex::new(Instant::now()) }
    }

    pub fn show(&self, progress: &Progress) {
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

    /// Takes the line away.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
