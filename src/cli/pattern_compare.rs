//! `harary pattern compare`: the same puzzles by every formula.

use super::console::Console;
use super::ending::{Outcome, UsageError, report};
use super::puzzles::{check_size, parse_share, parse_size, read_puzzle};
use super::words::counted;
use super::{files, interrupt, json};
use crate::effort::Limits;
use crate::neighbours::pattern::generate::{self, Wanted};
use crate::neighbours::pattern::search::Solutions;
use crate::neighbours::pattern::{Encoding, Search, non};
use crate::neighbours::random::Random;
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Compares the encodings: the same puzzles by each, every one solved and shown unique or not
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary pattern compare puzzle.non\n  \
    harary pattern compare --random 50 --size 25x25 --density 0.4\n\n\
    Without line logic. Random puzzles have exactly one solution. Exit codes: 0 compared, 1 encodings disagree, 3 stopped \
    before, 2 wrong usage or a bad puzzle.")]
pub struct Compare {
    /// Puzzles, .non or JSON
    #[arg(required_unless_present = "random", conflicts_with = "random")]
    files: Vec<PathBuf>,
    /// So many random puzzles
    #[arg(long, value_name = "N")]
    random: Option<u64>,
    /// Sides of the random puzzles, WxH, up to 100x100
    #[arg(long, value_name = "WxH", default_value = "20x20", value_parser = parse_size)]
    size: (usize, usize),
    /// The share of black cells of the random puzzles
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = parse_share)]
    density: f64,
    /// The start of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Stop after this time, for example 90s or 10m
    #[arg(long, value_name = "TIME", value_parser = super::arguments::parse_time)]
    time: Option<Duration>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct CompareReport {
    puzzles: usize,
    unique: usize,
    rows: Vec<Compared>,
}

/// What one encoding took for all puzzles.
#[derive(Clone, Serialize)]
struct Compared {
    encoding: &'static str,
    variables: usize,
    clauses: usize,
    literals: usize,
    decisions: u64,
    seconds: f64,
    /// Of a single puzzle.
    longest_seconds: f64,
}

impl Compare {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let limits = Limits::new(self.time, None, interrupt::flag()?);
        let mut puzzles = Vec::new();
        for file in &self.files {
            let puzzle = read_puzzle(file)?;
            Encoding::ALL.iter().try_for_each(|encoding| check_size(&puzzle, *encoding, &files::name(file)))?;
            puzzles.push(puzzle);
        }
        let (width, height) = self.size;
        let wanted = Wanted { width, height, density: self.density, level: None, tries: 1000 };
        let mut random = Random::new(self.seed);
        for _ in 0..self.random.unwrap_or(0) {
            match generate::at_random(&wanted, &mut random, &limits) {
                Ok(Some(made)) => puzzles.push(made.puzzle),
                Ok(None) => return Err(UsageError("no random puzzle of this kind has one solution".to_owned()).into()),
                Err(_) => return Ok(stopped()),
            }
        }
        let mut rows = Encoding::ALL.map(|encoding| Compared {
            encoding: encoding.name(),
            variables: 0,
            clauses: 0,
            literals: 0,
            decisions: 0,
            seconds: 0.0,
            longest_seconds: 0.0,
        });
        let mut unique = 0;
        for puzzle in &puzzles {
            let mut findings = Vec::new();
            for (encoding, row) in Encoding::ALL.into_iter().zip(&mut rows) {
                let start = Instant::now();
                let mut search = Search::new(puzzle, encoding, false, &limits);
                let Ok(found) = search.solutions() else { return Ok(stopped()) };
                let (work, seconds) = (search.work(), start.elapsed().as_secs_f64());
                row.variables += work.variables;
                row.clauses += work.clauses;
                row.literals += work.literals;
                row.decisions += work.decisions;
                row.seconds += seconds;
                row.longest_seconds = row.longest_seconds.max(seconds);
                findings.push(match found {
                    Solutions::None => 0,
                    Solutions::One(_) => 1,
                    Solutions::More(..) => 2,
                });
            }
            if findings.iter().any(|finding| *finding != findings[0]) {
                report(&format!("the encodings disagree: {findings:?} solutions of\n{}", non::write(puzzle, None)));
                return Ok(Outcome::Refused);
            }
            unique += usize::from(findings[0] == 1);
        }
        if self.json {
            let rows = rows.map(|row| Compared {
                seconds: json::seconds(row.seconds),
                longest_seconds: json::seconds(row.longest_seconds),
                ..row
            });
            json::write(
                console,
                "pattern compare",
                &CompareReport { puzzles: puzzles.len(), unique, rows: rows.into() },
            )?;
            return Ok(Outcome::Done);
        }
        let many = counted(puzzles.len(), "puzzle");
        writeln!(console, "{many}, {unique} with exactly one solution; sums over all of them\n")?;
        writeln!(console, "encoding  variables     clauses    literals  decisions   seconds   longest")?;
        for row in &rows {
            let Compared { encoding, variables, clauses, literals, decisions, seconds, longest_seconds } = row;
            writeln!(
                console,
                "{encoding:8} {variables:10} {clauses:11} {literals:11} {decisions:10} {seconds:9.3} {longest_seconds:9.3}"
            )?;
        }
        Ok(Outcome::Done)
    }
}

fn stopped() -> Outcome {
    report(&format!("not compared: {}", interrupt::reason()));
    Outcome::NotSettled
}
