//! What `--json` prints: one envelope for all subcommands, and the objects that several of them share.
//!
//! docs/json.md describes every object and every key; tests/json.rs walks all subcommands and holds their output against
//! that page. Every object has all of its keys every time; what is absent is `null`.

use super::console::Console;
use super::files::Hashed;
use crate::atlas::GameKey;
use crate::atlas::entry::{self, Mark};
use crate::atlas::law::Law;
use crate::atlas::laws;
use crate::atlas::report;
use crate::game::target::Part;
use crate::game::{Game as PositionalGame, Origin};
use crate::settle;
use harary_certificate::{Header, Proved, Schedule, Setting};
use serde::Serialize;
use std::io::{self, Write};
use std::path::Path;

/// The version of docs/json.md: it grows when a key changes its name or its meaning.
const SCHEMA: u32 = 2;

/// What every answer begins with.
#[derive(Serialize)]
struct Envelope<'a, T> {
    schema: u32,
    command: &'a str,
    version: &'static str,
    #[serde(flatten)]
    answer: &'a T,
}

impl<'a, T: Serialize> Envelope<'a, T> {
    fn new(command: &'a str, answer: &'a T) -> Envelope<'a, T> {
        Envelope { schema: SCHEMA, command, version: env!("CARGO_PKG_VERSION"), answer }
    }
}

/// Prints the one answer of a subcommand.
pub fn write(console: &mut Console, command: &str, answer: &impl Serialize) -> anyhow::Result<()> {
    serde_json::to_writer_pretty(&mut *console, &Envelope::new(command, answer)).map_err(io::Error::from)?;
    Ok(writeln!(console)?)
}

/// Prints one of several answers, each on a line of its own, at once: somebody may be waiting for it.
pub fn write_line(console: &mut Console, command: &str, answer: &impl Serialize) -> anyhow::Result<()> {
    serde_json::to_writer(&mut *console, &Envelope::new(command, answer)).map_err(io::Error::from)?;
    writeln!(console)?;
    Ok(console.flush()?)
}

/// One of several answers, as a line.
pub fn line(command: &str, answer: &impl Serialize) -> serde_json::Result<String> {
    serde_json::to_string(&Envelope::new(command, answer))
}

/// Seconds to the microsecond: what follows is noise.
pub fn seconds(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

/// A game.
#[derive(Clone, Serialize, Debug)]
pub struct Game {
    /// The catalogue's name of the shape or its cells; of a `.pg` game the name of its file.
    pub shape: Option<String>,
    pub cells: Option<String>,
    pub board: Option<String>,
    /// Plain, torus, cylinder or hexagonal.
    pub topology: Option<String>,
    pub rule: Rule,
    /// Who plays at each turn, where the players do not alternate.
    pub turns: Option<String>,
    pub vertices: Option<usize>,
}

impl Game {
    pub fn new(name: &str, game: &PositionalGame) -> Game {
        let (cells, board, topology) = match game.origin() {
            Origin::Board { shape, board } => {
                (Some(shape.to_string()), Some(board.sides()), Some(board.topology().to_string()))
            }
            Origin::Built { target, ground } => {
                let shapes = target.parts().iter().all(|part| matches!(part, Part::Shape(_)));
                let topology = ground.family().name().to_owned();
                (shapes.then(|| target.to_string()), Some(ground.sides()), Some(topology))
            }
            Origin::Sets { .. } => (None, None, None),
        };
        Game {
            shape: Some(name.to_owned()),
            cells,
            board,
            topology,
            rule: game.rule().into(),
            turns: uncommon(game.schedule()),
            vertices: Some(game.vertices()),
        }
    }

    /// A game of the atlas.
    pub fn of_key(key: &GameKey) -> Game {
        Game::new(&key.name(), &key.game())
    }

    /// The game a certificate is about.
    pub fn of_header(header: &Header, name: Option<String>) -> Game {
        let (cells, board) = match &header.setting {
            Setting::Board { shape, board } => (Some(shape.to_string()), Some(board)),
            Setting::Sets { .. } => (None, None),
        };
        Game {
            shape: name.or_else(|| cells.clone()),
            cells,
            board: board.map(|board| board.sides()),
            topology: board.map(|board| board.topology().to_string()),
            rule: header.rule.into(),
            turns: uncommon(&header.turns),
            vertices: Some(header.vertices),
        }
    }
}

/// The letters of the turns, unless the players alternate.
fn uncommon(schedule: &Schedule) -> Option<String> {
    (!schedule.is_alternating()).then(|| schedule.letters())
}

/// What completing a set means: the rules of certificates, and that of the avoidance game.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    Strong,
    Weak,
    Avoid,
}

impl From<harary_certificate::Rule> for Rule {
    fn from(rule: harary_certificate::Rule) -> Rule {
        match rule {
            harary_certificate::Rule::Strong => Rule::Strong,
            harary_certificate::Rule::Weak => Rule::Weak,
        }
    }
}

/// Who wins.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Win,
    Hold,
    Loss,
    Open,
}

impl From<settle::Verdict> for Verdict {
    fn from(verdict: settle::Verdict) -> Verdict {
        match verdict {
            settle::Verdict::Win => Verdict::Win,
            settle::Verdict::Hold => Verdict::Hold,
            settle::Verdict::Loss => Verdict::Loss,
            settle::Verdict::Unknown => Verdict::Open,
        }
    }
}

/// The answer to a question that can be open.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum YesNo {
    Yes,
    No,
}

impl From<bool> for YesNo {
    fn from(yes: bool) -> YesNo {
        if yes { YesNo::Yes } else { YesNo::No }
    }
}

/// What is known about a game; its keys stand in the object of the game they are about.
#[derive(Clone, Serialize, Debug)]
pub struct Finding {
    pub verdict: Verdict,
    /// With a win: the least turn, where it is known to be the least.
    pub turn: Option<usize>,
    /// With a win: the turn by which it comes at the latest.
    pub win_by: Option<usize>,
    /// Black has no win by this turn.
    pub refuted_turn: Option<usize>,
    /// With a win: Black's first move.
    pub first_move: Option<String>,
}

/// A verdict in one word and a turn, without anything else.
#[derive(Clone, Copy, Serialize, Debug)]
pub struct Short {
    pub verdict: Verdict,
    pub turn: Option<usize>,
    pub win_by: Option<usize>,
}

impl From<entry::Finding> for Short {
    fn from(finding: entry::Finding) -> Short {
        let win_by = match finding {
            entry::Finding::Win { by, .. } => Some(by),
            entry::Finding::Hold | entry::Finding::Unknown => None,
        };
        Short { verdict: finding.verdict().into(), turn: finding.least_turn(), win_by }
    }
}

/// A certificate: where it is, how it is known again, and what the checker counted.
#[derive(Clone, Serialize, Debug)]
pub struct Certificate {
    pub path: Option<String>,
    /// The blake3 hash of its text, uncompressed.
    pub hash: Option<String>,
    pub bytes: Option<u64>,
    pub lines: Option<u64>,
    pub positions: Option<u64>,
    pub nodes: Option<u64>,
    /// Whether the checker has accepted it.
    pub checked: bool,
}

impl Certificate {
    /// One that the checker has accepted just now, with its text.
    pub fn new(certificate: &mut harary_certificate::Certificate, path: Option<&Path>) -> io::Result<Certificate> {
        let mark = Mark::of(certificate.reader()?)?;
        Ok(Certificate::accepted(certificate.proved(), path, mark))
    }

    /// One that the checker has accepted just now.
    pub fn accepted(proved: &Proved, path: Option<&Path>, mark: Mark) -> Certificate {
        Certificate {
            path: path.map(|path| path.display().to_string()),
            lines: Some(proved.lines()),
            positions: Some(proved.positions()),
            nodes: Some(proved.nodes()),
            ..Certificate::known(Some(mark), true)
        }
    }

    /// One that the checker has accepted and that was kept under this name.
    pub fn kept(proved: &Proved, path: &Path) -> anyhow::Result<Certificate> {
        let mut text = Hashed::open(path)?;
        io::copy(&mut text, &mut io::sink())?;
        Ok(Certificate::accepted(proved, Some(path), text.mark()))
    }

    /// One that was written and not checked.
    pub fn unchecked(path: Option<&Path>) -> Certificate {
        Certificate { path: path.map(|path| path.display().to_string()), ..Certificate::known(None, false) }
    }

    /// One of the atlas: it was accepted when its game was settled.
    pub fn of_mark(mark: Mark) -> Certificate {
        Certificate::known(Some(mark), true)
    }

    fn known(mark: Option<Mark>, checked: bool) -> Certificate {
        Certificate {
            path: None,
            hash: mark.map(|mark| mark.hex()),
            bytes: mark.map(|mark| mark.bytes),
            lines: None,
            positions: None,
            nodes: None,
            checked,
        }
    }
}

/// What follows for a game, for machines.
#[derive(Clone, Serialize)]
pub struct Deduced {
    pub game: Game,
    #[serde(flatten)]
    pub finding: Short,
    pub refuted_turn: Option<usize>,
    /// The game the verdict comes from.
    pub from: Option<Game>,
    pub laws: Vec<Law>,
    /// The game that shows that no earlier turn wins.
    pub refuted_from: Option<Game>,
}

impl Deduced {
    pub fn new(deduced: &laws::Deduced) -> Deduced {
        Deduced {
            game: Game::of_key(&deduced.key),
            finding: deduced.finding.into(),
            refuted_turn: deduced.refuted.as_ref().map(|(turn, _)| *turn),
            from: deduced.from.as_ref().map(|(key, _)| Game::of_key(key)),
            laws: deduced.from.iter().flat_map(|(_, laws)| laws.clone()).collect(),
            refuted_from: deduced.refuted.as_ref().map(|(_, key)| Game::of_key(key)),
        }
    }
}

/// A game of the atlas and what is known about it.
#[derive(Clone, Serialize, Debug)]
pub struct Entry {
    pub game: Game,
    #[serde(flatten)]
    pub finding: Finding,
    pub engine: String,
    pub nodes: u64,
    pub seconds: f64,
    /// The seconds it was allowed to take.
    pub given: f64,
    pub memory: u64,
    /// The day, as 2026-11-16.
    pub settled: String,
    pub certificate: Option<Certificate>,
    pub least_certificate: Option<Certificate>,
    /// The game whose block proves this one too.
    pub borrowed: Option<Game>,
}

impl Entry {
    pub fn new(entry: &entry::Entry) -> Entry {
        let Short { verdict, turn, win_by } = entry.finding.into();
        Entry {
            game: Game::of_key(&entry.key),
            finding: Finding {
                verdict,
                turn,
                win_by,
                refuted_turn: entry.refuted_turn,
                first_move: entry.first_move.map(|cell| entry.key.board().cell_name(cell)),
            },
            engine: entry.engine.clone(),
            nodes: entry.nodes,
            seconds: report::seconds(entry),
            given: seconds(entry.given.as_secs_f64()),
            memory: entry.memory,
            settled: entry.day(),
            certificate: entry.certificate.map(Certificate::of_mark),
            least_certificate: entry.leastness.mark().map(Certificate::of_mark),
            borrowed: entry.borrowed.as_ref().map(Game::of_key),
        }
    }
}
