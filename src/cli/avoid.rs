//! `harary avoid`: the avoidance game, in which whoever completes the shape loses. `solve --rule avoid` is the same.

use super::arguments::{SHAPE_HELP, parse_board, parse_shape, parse_time};
use super::console::Console;
use super::ending::{Outcome, UsageError};
use super::{files, interrupt, json};
use crate::effort::{Limits, Memory};
use crate::engines::avoidance::Avoider;
use crate::game::Game;
use anyhow::Context;
use clap::Args;
use harary_certificate::avoidance::{self, Avoided, Ending, MOST_CELLS};
use harary_certificate::{CertificateFile, Rule};
use serde::Serialize;
use std::ffi::OsString;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Settles the avoidance game: whoever completes the shape loses
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary avoid tic 3x3\n  harary avoid el 4x4 --certificate el.avoid\n  \
    harary solve el 4x4 --rule avoid\n  harary avoid domino 3x3 --torus --json\n\n\
    Players alternate, Black first. 'harary check' checks the files, 'harary tablebase build --avoid' keeps every \
    position of a board of at most 16 cells.\n\
    Exit codes: 0 settled, 3 not settled within the limits given, 2 wrong usage, 1 a failure.")]
pub struct Avoid {
    #[arg(help = SHAPE_HELP)]
    shape: String,
    /// The board, WxH, of at most 64 cells
    board: String,
    /// Glue the edges of the board
    #[arg(long)]
    torus: bool,
    /// Memory for the table
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = super::search_arguments::parse_memory)]
    memory: usize,
    /// Stop after this time, for example 90s or 10m
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    time: Option<Duration>,
    /// Write the certificate here
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The answer, for machines.
#[derive(Serialize)]
struct Report {
    game: json::Game,
    /// For Black.
    verdict: &'static str,
    /// The turn by which the loser completes the shape at the latest.
    turn: Option<usize>,
    nodes: u64,
    seconds: f64,
    stopped: bool,
    /// Whether the checker has accepted the certificate.
    checked: bool,
    /// Its lines with moves.
    lines: Option<usize>,
    certificate: Option<String>,
}

/// `solve … --rule avoid` is `avoid …`: the searches of `solve` know the other two rules only.
pub fn spelled_out(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.collect();
    let Some(command) = arguments.iter().position(|word| word == "solve") else { return arguments };
    let pair = arguments.windows(2).position(|words| words[0] == "--rule" && words[1] == "avoid");
    let whole = arguments.iter().position(|word| word == "--rule=avoid");
    match pair.map(|at| at..at + 2).or(whole.map(|at| at..at + 1)) {
        Some(place) if command < place.start => {
            arguments.drain(place);
            arguments[command] = "avoid".into();
            arguments
        }
        _ => arguments,
    }
}

impl Avoid {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let named = parse_shape(&self.shape)?;
        let board = parse_board(&self.board, self.torus)?;
        if board.size() > MOST_CELLS {
            let cells = board.size();
            let reason = format!("the avoidance game is for boards of at most {MOST_CELLS} cells, not {cells}");
            return Err(UsageError(reason).into());
        }
        if let Some(path) = &self.certificate {
            if files::is_dash(path) {
                let reason = "a certificate on standard output would be mixed with the answer; give a file";
                return Err(UsageError(reason.to_owned()).into());
            }
            files::check_output(path, &[])?;
        }
        let started = Instant::now();
        let limits = Limits::new(self.time, None, interrupt::flag()?);
        let mut avoider = Avoider::new(&named.shape, board, Memory::of_run(self.memory).most(), &limits);
        let found = avoider.ending();
        let strategy = found.and_then(|ending| Ok((ending, avoider.strategy(ending)?)));
        let proved: Option<(Avoided, String)> = match strategy {
            Ok((ending, moves)) => {
                let text = avoidance::write(&named.shape, &board, ending, &moves);
                let avoided = avoidance::check(&text).context("the checker refuses what was found")?;
                Some((avoided, text))
            }
            Err(_) => None,
        };
        if let (Some(path), Some((_, text))) = (&self.certificate, &proved) {
            let cannot = || format!("cannot write the certificate {}", path.display());
            let mut file = CertificateFile::create(path).with_context(cannot)?;
            file.write_all(text.as_bytes()).with_context(cannot)?;
            file.finish().with_context(cannot)?;
        }
        let seconds = started.elapsed().as_secs_f64();
        let game = Game::new(named.shape.clone(), board, Rule::Strong);
        let ending = proved.as_ref().map(|(avoided, _)| avoided.ending());
        if self.json {
            let (verdict, turn) = match ending {
                Some(Ending::Win(turn)) => ("win", Some(turn)),
                Some(Ending::Draw) => ("draw", None),
                Some(Ending::Loss(turn)) => ("loss", Some(turn)),
                None => ("open", None),
            };
            let report = Report {
                game: json::Game { rule: json::Rule::Avoid, ..json::Game::new(&named.name, &game) },
                verdict,
                turn,
                nodes: avoider.nodes(),
                seconds: json::seconds(seconds),
                stopped: proved.is_none(),
                checked: proved.is_some(),
                lines: proved.as_ref().map(|(avoided, _)| avoided.counts().0),
                certificate: self
                    .certificate
                    .as_ref()
                    .filter(|_| proved.is_some())
                    .map(|path| path.display().to_string()),
            };
            json::write(console, "avoid", &report)?;
        } else {
            writeln!(
                console,
                "{} ({}) on {} {}, avoidance rule",
                named.name,
                named.shape,
                board.sides(),
                board.topology()
            )?;
            let answer = match ending {
                Some(Ending::Win(turn)) => format!("Black wins: White has to complete the shape by turn {turn}."),
                Some(Ending::Draw) => "A draw: neither player has to complete the shape.".to_owned(),
                Some(Ending::Loss(turn)) => format!("White wins: Black has to complete the shape by turn {turn}."),
                None => format!("Not settled: {}.", interrupt::reason()),
            };
            writeln!(console, "{answer}")?;
            if let Some((avoided, _)) = &proved {
                let (lines, positions) = avoided.counts();
                let place = self.certificate.as_ref().map_or_else(String::new, |path| format!(" {}", path.display()));
                writeln!(console, "Certificate{place}: accepted, {lines} moves, {positions} positions checked.")?;
            }
            writeln!(console, "{} nodes, {seconds:.2} s", avoider.nodes())?;
        }
        Ok(if proved.is_some() { Outcome::Done } else { Outcome::NotSettled })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solve_by_the_avoidance_rule_is_a_command_of_its_own() {
        let spelled = |line: &str| {
            let words = spelled_out(line.split(' ').map(OsString::from));
            words.iter().map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(spelled("harary solve el 3x3 --rule avoid --json"), "harary avoid el 3x3 --json");
        assert_eq!(spelled("harary solve --rule=avoid el 3x3"), "harary avoid el 3x3");
        assert_eq!(spelled("harary solve el 3x3 --rule weak"), "harary solve el 3x3 --rule weak");
        assert_eq!(spelled("harary play el 3x3 --rule avoid"), "harary play el 3x3 --rule avoid");
    }
}
