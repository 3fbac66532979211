//! Entries for readers: CSV, Markdown, sentences, counts.

use super::entry::{Entry, Finding, Leastness};
use crate::settle::{Verdict, refuted_by_counting};
use harary_certificate::{Rule, Topology};
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// One entry, for machines. Turns are those of Black's moves, counted from 1 over both players.
#[derive(Serialize, Debug)]
pub struct Row {
    /// Its name, or its cells; of several shapes `I5+D5`.
    pub shape: String,
    /// Its cells; of several shapes those of each, joined by `+`.
    pub cells: String,
    /// Its sides.
    pub board: String,
    /// `plain` or `torus`.
    pub topology: String,
    /// `strong` or `weak`.
    pub rule: String,
    /// Who wins.
    pub verdict: Verdict,
    /// With a win: the least turn, if it is proved least.
    pub turn: Option<usize>,
    /// The turn the certificate names.
    pub win_by: Option<usize>,
    /// The greatest turn of Black's by which there is no win.
    pub refuted_turn: Option<usize>,
    /// Black's first move.
    pub first_move: Option<String>,
    /// The engine that had the last word.
    pub engine: String,
    /// How long it took.
    pub seconds: f64,
    /// Positions searched.
    pub nodes: u64,
    /// Bytes of its tables.
    pub memory: u64,
    /// The day.
    pub settled: String,
    /// The blake3 hash of the certificate.
    pub certificate: Option<String>,
    /// The length of the certificate.
    pub bytes: Option<u64>,
    /// That of the certificate that no earlier turn wins.
    pub least_certificate: Option<String>,
    /// The length of that certificate.
    pub least_bytes: Option<u64>,
    /// The game whose block proves this one too.
    pub borrowed: Option<String>,
}

impl Row {
    /// An entry as a row.
    pub fn new(entry: &Entry) -> Row {
        let board = entry.key.board();
        let least = entry.leastness.mark();
        Row {
            shape: entry.key.name(),
            cells: entry.key.shapes().to_string(),
            board: board.sides(),
            topology: board.topology().to_string(),
            rule: entry.key.rule().to_string(),
            verdict: entry.finding.verdict(),
            turn: entry.finding.least_turn(),
            win_by: match entry.finding {
                Finding::Win { by, .. } => Some(by),
                Finding::Hold | Finding::Unknown => None,
            },
            refuted_turn: entry.refuted_turn,
            first_move: entry.first_move.map(|cell| board.cell_name(cell)),
            engine: entry.engine.clone(),
            seconds: seconds(entry),
            nodes: entry.nodes,
            memory: entry.memory,
            settled: entry.day(),
            certificate: entry.certificate.map(|mark| mark.hex()),
            bytes: entry.certificate.map(|mark| mark.bytes),
            least_certificate: least.map(|mark| mark.hex()),
            least_bytes: least.map(|mark| mark.bytes),
            borrowed: entry.borrowed.as_ref().map(ToString::to_string),
        }
    }
}

impl Finding {
    /// In a sentence.
    pub fn sentence(&self) -> String {
        match *self {
            Finding::Win { by, least: true } => {
                let stones = by.div_ceil(2);
                let plural = if stones == 1 { "" } else { "s" };
                format!("Black wins by turn {by}, with {stones} stone{plural} of his own.")
            }
            Finding::Win { by, least: false } => {
                format!("Black wins by turn {by} at the latest (least turn not determined).")
            }
            Finding::Hold => "White holds: Black cannot force a win.".to_owned(),
            Finding::Unknown => "Not settled.".to_owned(),
        }
    }
}

/// Entries in sentences.
impl Entry {
    /// The verdict.
    pub fn sentence(&self) -> String {
        match self.finding {
            Finding::Unknown => {
                format!("Not settled within {}.", humantime::format_duration(whole_seconds(self.given)))
            }
            finding => finding.sentence(),
        }
    }

    /// Which turn is refuted, with a win or where nothing else is known.
    pub fn refutation(&self) -> Option<String> {
        let turn = self.refuted_turn.filter(|_| self.finding != Finding::Hold)?;
        let certified = matches!(self.leastness, Leastness::Certified(_));
        Some(match refuted_by_counting(&self.key.game(), turn) {
            _ if certified => format!("No win by turn {turn} (certified)."),
            Some(counted) => format!("No win by turn {turn}: {counted}."),
            None => format!("No win by turn {turn} (searched, not certified)."),
        })
    }

    /// The time an open game was given and what is proved of it.
    pub fn how_far(&self) -> String {
        let given = humantime::format_duration(whole_seconds(self.given));
        let proved = self.refuted_turn.map_or_else(String::new, |turn| format!(", no win by turn {turn}"));
        let won = match self.finding {
            Finding::Win { by, .. } => format!(", a win by turn {by}"),
            Finding::Hold | Finding::Unknown => String::new(),
        };
        format!("{given} given{proved}{won}")
    }
}

/// Rounded, for people.
fn whole_seconds(time: Duration) -> Duration {
    Duration::from_secs_f64(time.as_secs_f64().round().max(1.0))
}

/// To the microsecond.
pub fn seconds(entry: &Entry) -> f64 {
    entry.time.as_micros() as f64 / 1e6
}

/// The columns of the table.
const COLUMNS: [&str; 20] = [
    "shape",
    "cells",
    "board",
    "topology",
    "rule",
    "verdict",
    "turn",
    "win_by",
    "refuted_turn",
    "first_move",
    "engine",
    "seconds",
    "nodes",
    "memory",
    "settled",
    "certificate",
    "bytes",
    "least_certificate",
    "least_bytes",
    "borrowed",
];

/// A table with a first line of names, be it empty; every entry one line.
pub fn csv<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> String {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    writer.write_record(COLUMNS).expect("names into memory");
    for entry in entries {
        writer.serialize(Row::new(entry)).expect("plain values into memory");
    }
    let bytes = writer.into_inner().expect("memory takes everything");
    String::from_utf8(bytes).expect("text was written")
}

/// How many games ended how.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Count {
    /// Games Black wins.
    pub wins: usize,
    /// Games White holds.
    pub holds: usize,
    /// Games nobody has settled.
    pub open: usize,
    /// How long all of them took.
    pub seconds: f64,
}

impl Count {
    /// Counts one more.
    pub fn add(&mut self, entry: &Entry) {
        match entry.finding {
            Finding::Win { .. } => self.wins += 1,
            Finding::Hold => self.holds += 1,
            Finding::Unknown => self.open += 1,
        }
        self.seconds += seconds(entry);
    }
}

/// Games of boards with the same sides, of one topology and one rule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Group {
    /// Small boards first.
    size: usize,
    /// Its sides.
    pub board: String,
    /// Plain or torus.
    pub topology: Topology,
    /// Under the weak rule.
    pub weak: bool,
}

/// How many games ended how, group by group.
pub fn counts<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> BTreeMap<Group, Count> {
    let mut groups: BTreeMap<Group, Count> = BTreeMap::new();
    for entry in entries {
        let (board, weak) = (entry.key.board(), entry.key.rule() == Rule::Weak);
        let group = Group { size: board.size(), board: board.sides(), topology: board.topology(), weak };
        groups.entry(group).or_default().add(entry);
    }
    groups
}

/// A table for people.
pub fn markdown<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> String {
    let mut text = String::from("| shape | cells | board | rule | verdict | first | seconds | nodes | certificate |\n");
    text.push_str("|---|---|---|---|---|---|---:|---:|---|\n");
    for entry in entries {
        let row = Row::new(entry);
        let shape = if row.shape == row.cells { "" } else { &row.shape };
        let certificate = entry.certificate.map_or_else(String::new, |mark| mark.short());
        let first = row.first_move.as_deref().unwrap_or("");
        text.push_str(&format!(
            "| {shape} | {} | {} {} | {} | {} | {first} | {:.3} | {} | {certificate} |\n",
            row.cells, row.board, row.topology, row.rule, entry.finding, row.seconds, row.nodes
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::win;
    use super::*;

    #[test]
    fn a_row_reads_as_it_is() {
        let hash = "07".repeat(32);
        let expected = format!(
            "shape,cells,board,topology,rule,verdict,turn,win_by,refuted_turn,first_move,engine,seconds,nodes,memory,\
             settled,certificate,bytes,least_certificate,least_bytes,borrowed\n\
             el,\"0,0 0,1 1,0\",3x3,plain,strong,win,5,5,3,b2,alphabeta,0.001234,56,268435456,2026-11-16,{hash},99,,,\n"
        );
        assert_eq!(csv([&win()]), expected);
        assert_eq!(csv([]), expected.split_inclusive('\n').next().unwrap(), "an empty table has its header");
        assert!(markdown([&win()]).ends_with(
            "| el | 0,0 0,1 1,0 | 3x3 plain | strong | win 5 | b2 | 0.001 | 56 | blake3:0707070707070707 |\n"
        ));
    }
}
