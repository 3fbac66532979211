//! `harary lookup`: what the atlas knows about a shape, or several together, at once.

use super::arguments::parse_board;
use super::console::Console;
use super::ending::Outcome;
use super::json;
use super::law_answer::write_deduced;
use super::source::{Rules, Source};
use super::target::{NamedTarget, SHAPES_HELP, parse_shapes};
use crate::atlas::entry::{Entry, Leastness};
use crate::atlas::key::GameKey;
use crate::atlas::laws::{self, Deduced};
use crate::atlas::report::{self, Row};
use crate::views::picture::{Mark, Picture};
use clap::Args;
use harary_certificate::WideSet;
use serde::Serialize;
use std::io::Write;

/// Says what the atlas knows about a game, without searching
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary lookup tippy 4x4\n  harary lookup tippy 3x3 --torus --rule both\n  \
    harary lookup el\n  harary lookup knobby 4x4 --torus --json\n  harary lookup I5+D5 --dir long-run\n\n\
    Without a board: all boards. Exit codes: 0 found, 3 not in the atlas or not settled there, 2 wrong usage, 1 \
    a failure.")]
pub struct Lookup {
    #[arg(help = SHAPES_HELP)]
    shape: String,
    /// The board, WxH [default: all boards of the atlas]
    board: Option<String>,
    /// Glue the edges of the board
    #[arg(long)]
    torus: bool,
    /// The rule of the game [default: strong with a board, both without]
    #[arg(long, value_enum)]
    rule: Option<Rules>,
    #[command(flatten)]
    source: Source,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    games: Vec<json::Entry>,
    /// What follows for a game asked for that is not there or not settled.
    deduced: Vec<json::Deduced>,
}

impl Lookup {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let board = self.board.as_ref().map(|board| parse_board(board, self.torus)).transpose()?;
        let (NamedTarget { name, target }, shapes) = parse_shapes(&self.shape, board.as_ref())?;
        let tablebase = self.source.load()?;
        // One shape is said by its cells, too, and several by the name the atlas has for them if that is another.
        let said = match (target.shape(), shapes.name()) {
            (Some(shape), _) => format!("{name} ({shape})"),
            (None, own) if own == name => own,
            (None, own) => format!("{name} ({own})"),
        };
        let Some(board) = board else {
            let rules = self.rule.unwrap_or(Rules::Both).rules();
            let asked = |entry: &&Entry| {
                let key = &entry.key;
                *key.shapes() == shapes && rules.contains(&key.rule()) && (!self.torus || key.board().is_torus())
            };
            let entries: Vec<&Entry> = tablebase.entries().filter(asked).collect();
            if !self.json && entries.is_empty() {
                let typed = if self.shape.contains(' ') { format!("\"{}\"", self.shape) } else { self.shape.clone() };
                writeln!(console, "{said} is not in the atlas; 'harary smallest {typed}' searches")?;
            }
            return self.list(&entries, &[], console);
        };
        let keys: Vec<GameKey> =
            self.rule.unwrap_or(Rules::Strong).rules().iter().map(|&rule| GameKey::new(&shapes, board, rule)).collect();
        let entries: Vec<&Entry> = keys.iter().filter_map(|key| tablebase.get(key)).collect();
        let open = |key: &&GameKey| tablebase.get(key).is_none_or(|entry| !entry.finding.is_settled());
        let follows: Vec<Deduced> = keys.iter().filter(open).map(|key| laws::deduce(key, &tablebase)).collect();
        if self.json {
            return self.list(&entries, &follows, console);
        }
        let mut settled = true;
        for key in &keys {
            if let Some(deduced) = follows.iter().find(|deduced| deduced.key == *key && deduced.is_settled()) {
                writeln!(console, "{said} on {board}, {} rule", key.rule())?;
                write_deduced(deduced, console)?;
                continue;
            }
            match tablebase.get(key) {
                Some(entry) => {
                    writeln!(console, "{said} on {board}, {} rule", key.rule())?;
                    describe(entry, console)?;
                    settled &= entry.finding.is_settled();
                }
                None => {
                    let command = key.arguments();
                    writeln!(console, "{name} on {board}, {} rule: not in the atlas", key.rule())?;
                    writeln!(console, "harary solve {command}")?;
                    settled = false;
                }
            }
        }
        Ok(if settled { Outcome::Done } else { Outcome::NotSettled })
    }

    /// One line an entry.
    fn list(&self, entries: &[&Entry], follows: &[Deduced], console: &mut Console) -> anyhow::Result<Outcome> {
        if self.json {
            let games = entries.iter().map(|entry| json::Entry::new(entry)).collect();
            let deduced = follows.iter().map(json::Deduced::new).collect();
            json::write(console, "lookup", &Report { games, deduced })?;
        } else {
            for entry in entries {
                let Row { board, topology, rule, seconds, .. } = Row::new(entry);
                let certificate = entry.certificate.map_or_else(String::new, |mark| mark.short());
                let finding = entry.finding.to_string();
                writeln!(
                    console,
                    "{board:>6} {topology} {rule:<6}  {finding:<9}  {certificate:<23}  {seconds:>9.3} s"
                )?;
            }
        }
        let known = |entry: &&Entry| {
            entry.finding.is_settled() || follows.iter().any(|other| other.key == entry.key && other.is_settled())
        };
        let missing = follows.iter().any(|deduced| !deduced.is_settled());
        let settled = entries.len() + follows.len() > 0 && !missing && entries.iter().all(known);
        Ok(if settled { Outcome::Done } else { Outcome::NotSettled })
    }
}

/// Everything an entry says.
fn describe(entry: &Entry, console: &mut Console) -> anyhow::Result<()> {
    writeln!(console, "{}", entry.sentence())?;
    if let Some(line) = entry.refutation() {
        writeln!(console, "{line}")?;
    }
    let board = entry.key.board();
    if let Some(cell) = entry.first_move {
        writeln!(console, "First move {}:", board.cell_name(cell))?;
        let black = WideSet::single(cell);
        let mark = |at| Mark::of_stones(&black, &WideSet::EMPTY, at);
        if let Some(picture) = Picture::of_game(&entry.key.game(), mark) {
            write!(console, "{}", picture.text(console.color()))?;
        }
    }
    if let Some(mark) = entry.certificate {
        writeln!(console, "Certificate: accepted, {} bytes, blake3 {}", mark.bytes, mark.hex())?;
        writeln!(console, "  {}", entry.command())?;
    }
    if let Some(lender) = &entry.borrowed {
        writeln!(console, "By the certificate of {lender}, carried over.")?;
    }
    if let Leastness::Certified(mark) = entry.leastness {
        writeln!(console, "No earlier win: accepted, {} bytes, blake3 {}", mark.bytes, mark.hex())?;
        writeln!(console, "  harary atlas certificate {} --least --output FILE", entry.key.arguments())?;
    }
    let seconds = report::seconds(entry);
    let done = if entry.finding.is_settled() { "settled" } else { "tried" };
    writeln!(console, "{done} {}, {}, 1 thread, {} nodes, {seconds:.3} s", entry.day(), entry.engine, entry.nodes)?;
    Ok(())
}
