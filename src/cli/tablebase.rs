//! `harary tablebase`: every position of a small board, worked out backwards and kept in a file.

use super::arguments::{NamedShape, SHAPE_HELP, parse_board, parse_shape};
use super::solve::describe;
use super::stones::{Stones, names, vertex};
use super::{Console, OrUsage, Outcome, UsageError};
use crate::game::catalogue::Catalogue;
use crate::tablebase::{Count, FileError, Tablebase, Value, Verdict};
use crate::views::picture::{Mark, Picture};
use anyhow::Context;
use clap::{Args, Subcommand};
use harary_certificate::{Cell, Player, Rule, WideSet};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Works out every position of a board of at most 16 cells; probes and verifies such files
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary tablebase build tippy 4x4 -o tippy.tb\n  \
    harary tablebase probe tippy.tb \"b2 a1 c3\"\n  harary tablebase verify tippy.tb\n\n\
    Exit codes: 0 done or verified, 1 a file that is damaged or wrong, 2 wrong usage.")]
pub struct TablebaseCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    Build(Build),
    Probe(Probe),
    Verify(Verify),
}

impl TablebaseCommand {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        match self.action {
            Action::Build(build) => build.run(console),
            Action::Probe(probe) => probe.run(console),
            Action::Verify(verify) => verify.run(console),
        }
    }
}

/// Works out the value of every legal position and writes them to a file
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary tablebase build el 3x3\n  \
    harary tablebase build skinny 4x4 --torus --rule weak -o skinny.tb")]
struct Build {
    #[arg(help = SHAPE_HELP)]
    shape: String,
    /// The board, WxH, at most 16 cells
    board: String,
    /// Glue the edges of the board
    #[arg(long)]
    torus: bool,
    /// `strong`: whoever completes the shape first wins; `weak`: White only prevents
    #[arg(long, value_parser = super::arguments::rules(), default_value = "strong")]
    rule: Rule,
    /// Where to write it [default: named after the game, for example el-3x3.tb]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Gives the value of a position and of each of its moves
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary tablebase probe el-3x3.tb\n  \
    harary tablebase probe el-3x3.tb \"b2 a1\"\n  \
    harary tablebase probe el-3x3.tb --black \"b2 c3\" --white \"a1 c1\" --json")]
struct Probe {
    /// What `harary tablebase build` wrote
    file: PathBuf,
    /// The moves so far, in order, as "b2 a1 c3"; Black plays first
    #[arg(default_value = "", conflicts_with_all = ["black", "white"])]
    moves: String,
    /// Black's stones, in any order; whose turn it is follows from how many there are
    #[arg(long, value_name = "CELLS")]
    black: Option<String>,
    /// White's stones, in any order
    #[arg(long, value_name = "CELLS")]
    white: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Checks a file: its checksums, and that each value follows from the rules and the positions one move later
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary tablebase verify el-3x3.tb")]
struct Verify {
    /// What `harary tablebase build` wrote
    file: PathBuf,
}

/// What was built, for machines.
#[derive(Serialize)]
struct BuildReport {
    shape: String,
    cells: String,
    board: String,
    torus: bool,
    rule: Rule,
    /// What the empty board is worth.
    value: Worth,
    count: Count,
    file: String,
    bytes: u64,
    seconds: f64,
}

/// A value, for machines.
#[derive(Serialize, Clone, Copy)]
struct Worth {
    verdict: Verdict,
    /// The turn at which a set is completed.
    turn: Option<usize>,
    /// How many turns that is from here.
    distance: Option<usize>,
}

impl Worth {
    fn new(value: Value, player: Player, rule: Rule, played: usize) -> Worth {
        let distance = value.turn().map(|turn| turn.saturating_sub(played));
        Worth { verdict: value.verdict(player, rule), turn: value.turn(), distance }
    }
}

impl Build {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let NamedShape { name, shape } = parse_shape(&self.shape)?;
        let board = parse_board(&self.board, self.torus)?;
        let path = self.output.clone().unwrap_or_else(|| self.default_path(&name, &board.sides()));
        let started = Instant::now();
        let tablebase = Tablebase::build(&shape, board, self.rule).usage()?;
        let seconds = started.elapsed().as_secs_f64();
        let cannot = || format!("cannot write {}", path.display());
        tablebase.save(&path).with_context(cannot)?;
        let bytes = std::fs::metadata(&path).with_context(cannot)?.len();
        let count = tablebase.count();
        let value = tablebase.value(&harary_certificate::Stones::<1>::NONE).context("the empty board has a value")?;
        if self.json {
            let report = BuildReport {
                shape: name,
                cells: shape.to_string(),
                board: board.sides(),
                torus: self.torus,
                rule: self.rule,
                value: Worth::new(value, Player::Black, self.rule, 0),
                count,
                file: path.display().to_string(),
                bytes,
                seconds: (seconds * 1e6).round() / 1e6,
            };
            writeln!(console, "{}", serde_json::to_string_pretty(&report)?)?;
            return Ok(Outcome::Done);
        }
        writeln!(console, "{}", describe(&name, tablebase.game()))?;
        writeln!(console, "Empty board: {}.", sentence(value, self.rule))?;
        let held = if self.rule == Rule::Weak { "White holds in" } else { "drawn" };
        writeln!(
            console,
            "{} positions: Black wins {}, White wins {}, {held} {}; {} kept up to symmetry, {seconds:.2} s",
            count.positions, count.black_wins, count.white_wins, count.held, count.slots
        )?;
        writeln!(console, "Written to {}, {bytes} bytes.", path.display())?;
        Ok(Outcome::Done)
    }

    /// `el-3x3-torus-weak.tb`.
    fn default_path(&self, name: &str, sides: &str) -> PathBuf {
        let name: String = name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
        let torus = if self.torus { "-torus" } else { "" };
        let rule = if self.rule == Rule::Weak { "-weak" } else { "" };
        PathBuf::from(format!("{name}-{sides}{torus}{rule}.tb"))
    }
}

/// What a value means, whoever asks.
fn sentence(value: Value, rule: Rule) -> String {
    match (value, rule) {
        (Value::Held, Rule::Strong) => "a draw".to_owned(),
        (Value::Held, Rule::Weak) => "White holds to the end".to_owned(),
        (value, _) => value.to_string(),
    }
}

fn load(path: &Path) -> anyhow::Result<Tablebase> {
    Tablebase::load(path).with_context(|| format!("cannot use {}", path.display()))
}

fn shape_name(tablebase: &Tablebase) -> String {
    let shape = tablebase.shape();
    Catalogue::standard().find_shape(shape).map_or_else(|| shape.to_string(), |entry| entry.name.clone())
}

/// A probed position, for machines.
#[derive(Serialize)]
struct ProbeReport {
    shape: String,
    cells: String,
    board: String,
    torus: bool,
    rule: Rule,
    black: Vec<String>,
    white: Vec<String>,
    turns_played: usize,
    over: bool,
    /// The values below are for this side; after the end, the one that would be next.
    to_move: String,
    #[serde(flatten)]
    worth: Worth,
    moves: BTreeMap<String, Worth>,
}

impl Probe {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let tablebase = load(&self.file)?;
        let (black, white) = self.stones(&tablebase)?;
        let at = harary_certificate::Stones { black, white };
        let value = tablebase.value(&at).usage()?;
        let moves = tablebase.moves(&at).usage()?;
        let played = (black | white).len();
        let player = Tablebase::to_move(played);
        let rule = tablebase.rule();
        let over = tablebase.is_over(&at);
        let board = tablebase.board();
        if self.json {
            let cell_names = |set: &WideSet| set.iter().map(|cell| board.cell_name(cell)).collect();
            let report = ProbeReport {
                shape: shape_name(&tablebase),
                cells: tablebase.shape().to_string(),
                board: board.sides(),
                torus: board.is_torus(),
                rule,
                black: cell_names(&black),
                white: cell_names(&white),
                turns_played: played,
                over,
                to_move: player.to_string().to_lowercase(),
                worth: Worth::new(value, player, rule, played),
                moves: moves
                    .iter()
                    .map(|&(cell, value)| (board.cell_name(cell), Worth::new(value, player, rule, played)))
                    .collect(),
            };
            writeln!(console, "{}", serde_json::to_string_pretty(&report)?)?;
            return Ok(Outcome::Done);
        }
        writeln!(console, "{}", describe(&shape_name(&tablebase), tablebase.game()))?;
        if over {
            let how = match value {
                Value::Held => sentence(value, rule),
                Value::BlackWins(turn) => format!("Black completed a set at turn {turn}"),
                Value::WhiteWins(turn) => format!("White completed a set at turn {turn}"),
            };
            writeln!(console, "The game is over: {how}.\n")?;
        } else {
            let verdict = standing(value, player, rule);
            let distance = match value.turn().map(|turn| turn - played) {
                Some(1) => ", with this move".to_owned(),
                Some(turns) => format!(", in {turns} turns"),
                None => String::new(),
            };
            writeln!(console, "Turn {}, {player} to move: {verdict}{distance}.\n", played + 1)?;
        }
        let color = console.color();
        let stones = |cell| Mark::of_stones(&black, &white, cell);
        write!(console, "{}", Picture::of_board(&board, stones).text(color))?;
        if !over {
            writeln!(console, "\nWhat each move leads to, for {player}")?;
            let mark = |cell| match moves.iter().find(|(move_cell, _)| *move_cell == cell) {
                Some(&(_, to)) if to == value => Mark::text(short(to, player, rule)).highlighted(),
                Some(&(_, to)) => Mark::text(short(to, player, rule)),
                None => stones(cell),
            };
            write!(console, "{}", Picture::of_board(&board, mark).text(color))?;
            for (value, cells) in grouped(&moves, player) {
                let cells: Vec<String> = cells.iter().map(|&cell| board.cell_name(cell)).collect();
                let verdict = standing(value, player, rule);
                writeln!(console, "{:>3} {verdict}: {}", short(value, player, rule), cells.join(" "))?;
            }
        }
        Ok(Outcome::Done)
    }

    fn stones(&self, tablebase: &Tablebase) -> anyhow::Result<(WideSet, WideSet)> {
        let game = tablebase.game();
        if self.black.is_none() && self.white.is_none() {
            let stones = Stones::played_out(game, &self.moves)?;
            return Ok((stones.black, stones.white));
        }
        let set = |text: &Option<String>| {
            let mut set = WideSet::EMPTY;
            for name in names(text.as_deref().unwrap_or_default()) {
                let cell = vertex(game, name)?;
                if set.contains(cell) {
                    return Err(UsageError(format!("the cell {name} is given twice")).into());
                }
                set.insert(cell);
            }
            anyhow::Ok(set)
        };
        Ok((set(&self.black)?, set(&self.white)?))
    }
}

/// The value as the side to move sees it, in words: `wins at turn 5`.
fn standing(value: Value, player: Player, rule: Rule) -> String {
    match (value.verdict(player, rule), value.turn()) {
        (Verdict::Win, Some(turn)) => format!("wins at turn {turn}"),
        (Verdict::Win, None) => "holds to the end".to_owned(),
        (Verdict::Draw, _) => "draws".to_owned(),
        (Verdict::Loss, Some(turn)) => format!("loses at turn {turn}"),
        (Verdict::Loss, None) => "cannot win, White holds".to_owned(),
    }
}

/// The value as the side to move sees it, in a cell: `+5`, `=`, `-6`.
fn short(value: Value, player: Player, rule: Rule) -> String {
    let sign = match value.verdict(player, rule) {
        Verdict::Win => "+",
        Verdict::Draw => "=",
        Verdict::Loss => "-",
    };
    format!("{sign}{}", value.turn().map_or(String::new(), |turn| turn.to_string()))
}

/// The moves by what they lead to, the best for `player` first.
fn grouped(moves: &[(Cell, Value)], player: Player) -> Vec<(Value, Vec<Cell>)> {
    let mut groups: Vec<(Value, Vec<Cell>)> = Vec::new();
    for &(cell, value) in moves {
        match groups.iter_mut().find(|(known, _)| *known == value) {
            Some((_, cells)) => cells.push(cell),
            None => groups.push((value, vec![cell])),
        }
    }
    groups.sort_by_key(|(value, _)| match player {
        Player::Black => -value.score(),
        Player::White => value.score(),
    });
    groups
}

impl Verify {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let file = self.file.display();
        let tablebase = match Tablebase::load(&self.file) {
            Ok(tablebase) => tablebase,
            Err(FileError::Io(error)) => return Err(error).with_context(|| format!("cannot read {file}")),
            Err(damage) => {
                writeln!(console, "{file}: refused: {damage}")?;
                return Ok(Outcome::Refused);
            }
        };
        if let Err(mismatch) = tablebase.verify() {
            writeln!(console, "{file}: refused: {mismatch}")?;
            return Ok(Outcome::Refused);
        }
        let game = describe(&shape_name(&tablebase), tablebase.game());
        let positions = tablebase.count().positions;
        writeln!(console, "{file}: accepted: {game}; the values of all {positions} positions follow from the rules")?;
        Ok(Outcome::Done)
    }
}
