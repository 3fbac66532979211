//! `harary tablebase`: every position of a small board, worked out backwards and kept in a file.

use super::arguments::{AfterArguments, BoardArguments, Placed};
use super::console::Console;
use super::ending::{OrUsage, Outcome, UsageError};
use super::words::describe;
use super::words::{counted, shape_name};
use super::{files, json};
use crate::game::line::{Line, names, vertex};
use crate::tablebase::words::{grouped, sentence, short, standing};
use crate::tablebase::{Count, FileError, Tablebase, Value, Verdict};
use crate::views::picture::{Mark, Picture};
use anyhow::Context;
use clap::{Args, Subcommand};
use harary_certificate::{Board, Player, Rule, WideSet};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Works out every position of a board of at most 16 cells; probes such files
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary tablebase build tippy 4x4 -o tippy.tb\n  \
    harary tablebase probe tippy.tb \"b2 a1 c3\"\n  harary tablebase verify tippy.tb\n\n\
    Exit codes: 0 done or verified, 1 a file that is damaged or wrong, 2 one that cannot be read, or wrong usage.")]
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
    harary tablebase build skinny 4x4 --torus --rule weak -o skinny.tb\n  \
    harary tablebase build el 3x3 --avoid")]
struct Build {
    #[command(flatten)]
    game: BoardArguments,
    /// Of the avoidance game: whoever completes the shape loses
    #[arg(long, conflicts_with = "rule")]
    avoid: bool,
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
    harary tablebase probe el-3x3.tb --after \"b2 a1\"\n  \
    harary tablebase probe el-3x3.tb --black \"b2 c3\" --white \"a1 c1\" --json")]
struct Probe {
    /// What `harary tablebase build` wrote; `-` is standard input
    file: PathBuf,
    /// The same as --after
    #[arg(hide = true, conflicts_with_all = ["black", "white", "after"])]
    moves: Option<String>,
    #[command(flatten)]
    line: AfterArguments,
    /// Black's stones, in any order; whose turn it is follows from how many there are
    #[arg(long, value_name = "CELLS", conflicts_with = "after")]
    black: Option<String>,
    /// White's stones, in any order
    #[arg(long, value_name = "CELLS", conflicts_with = "after")]
    white: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Checks a file: its checksums, and that each value follows from the rules and the positions one move later
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary tablebase verify el-3x3.tb")]
struct Verify {
    /// What `harary tablebase build` wrote; `-` is standard input
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was built, for machines.
#[derive(Serialize)]
struct BuildReport {
    game: json::Game,
    /// What the empty board is worth to Black.
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
        let Placed { name, shape, board, rule } = self.game.placed()?;
        let path = self.output.clone().unwrap_or_else(|| default_path(&name, &board, rule, self.avoid));
        if files::is_dash(&path) {
            return Err(UsageError("a tablebase goes into a file, not to standard output".to_owned()).into());
        }
        files::check_output(&path, &[])?;
        let started = Instant::now();
        let built = match self.avoid {
            true => Tablebase::build_avoiding(&shape, board),
            false => Tablebase::build(&shape, board, rule),
        };
        let tablebase = built.usage()?;
        let seconds = started.elapsed().as_secs_f64();
        let cannot = || format!("cannot write {}", path.display());
        tablebase.save(&path).with_context(cannot)?;
        let bytes = std::fs::metadata(&path).with_context(cannot)?.len();
        let count = tablebase.count();
        let value = tablebase.value(&harary_certificate::Stones::<1>::NONE).context("the empty board has a value")?;
        if self.json {
            let report = BuildReport {
                game: shown(&name, &tablebase),
                value: Worth::new(value, Player::Black, rule, 0),
                count,
                file: path.display().to_string(),
                bytes,
                seconds: json::seconds(seconds),
            };
            json::write(console, "tablebase build", &report)?;
            return Ok(Outcome::Done);
        }
        writeln!(console, "{}", heading(&name, &tablebase))?;
        writeln!(console, "Empty board: {}.", sentence(value, rule))?;
        let held = if rule == Rule::Weak { "White holds in" } else { "drawn" };
        writeln!(
            console,
            "{} position{}: Black wins {}, White wins {}, {held} {}; {seconds:.2} s",
            count.positions,
            if count.positions == 1 { "" } else { "s" },
            count.black_wins,
            count.white_wins,
            count.held
        )?;
        // Some slots hold no legal position, so that there can be more of them.
        writeln!(console, "Written to {}, {bytes} bytes, {} slots up to symmetry.", path.display(), count.slots)?;
        Ok(Outcome::Done)
    }
}

/// `el-3x3-torus-weak.tb`.
fn default_path(name: &str, board: &Board, rule: Rule, avoid: bool) -> PathBuf {
    let name: String = name.chars().map(|c| if c.is_alphanumeric() || c == '-' { c } else { '_' }).collect();
    let torus = if board.is_torus() { "-torus" } else { "" };
    let rule = match rule {
        _ if avoid => "-avoid",
        Rule::Weak => "-weak",
        Rule::Strong => "",
    };
    PathBuf::from(format!("{name}-{}{torus}{rule}.tb", board.sides()))
}

/// The game of a tablebase, in words.
fn heading(name: &str, tablebase: &Tablebase) -> String {
    let game = describe(name, tablebase.game());
    if tablebase.avoids() { game.replace("strong rule", "avoidance rule") } else { game }
}

/// The same for machines.
fn shown(name: &str, tablebase: &Tablebase) -> json::Game {
    let game = json::Game::new(name, tablebase.game());
    if tablebase.avoids() { json::Game { rule: json::Rule::Avoid, ..game } } else { game }
}

/// Reads a file, or says why it is no tablebase.
fn read(path: &Path) -> anyhow::Result<Result<Tablebase, FileError>> {
    match Tablebase::read(files::open(path)?) {
        Err(FileError::Io(error)) => Err(UsageError(format!("cannot read {}: {error}", files::name(path))).into()),
        other => Ok(other),
    }
}

/// A probed position, for machines.
#[derive(Serialize)]
struct ProbeReport {
    game: json::Game,
    black: Vec<String>,
    white: Vec<String>,
    turns_played: usize,
    over: bool,
    /// The values below are for this side; after the end, the one that would be next.
    to_move: String,
    value: Worth,
    moves: BTreeMap<String, Worth>,
}

impl Probe {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let tablebase = read(&self.file)?.with_context(|| format!("cannot use {}", self.file.display()))?;
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
                game: shown(&shape_name(tablebase.game()), &tablebase),
                black: cell_names(&black),
                white: cell_names(&white),
                turns_played: played,
                over,
                to_move: player.to_string().to_lowercase(),
                value: Worth::new(value, player, rule, played),
                moves: moves
                    .iter()
                    .map(|&(cell, value)| (board.cell_name(cell), Worth::new(value, player, rule, played)))
                    .collect(),
            };
            json::write(console, "tablebase probe", &report)?;
            return Ok(Outcome::Done);
        }
        writeln!(console, "{}", heading(&shape_name(tablebase.game()), &tablebase))?;
        if over {
            let how = match value {
                Value::Held => sentence(value, rule),
                Value::BlackWins(turn) | Value::WhiteWins(turn) => {
                    let last = Tablebase::to_move(turn - 1);
                    format!("{last} completed a set at turn {turn}")
                }
            };
            writeln!(console, "The game is over: {how}.\n")?;
        } else {
            let verdict = standing(value, player, rule);
            let distance = match value.turn().map(|turn| turn - played) {
                Some(1) => ", with this move".to_owned(),
                Some(turns) => format!(", in {}", counted(turns, "turn")),
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
            let stones = Line::played_out(game, self.moves.as_deref().unwrap_or(&self.line.after)).usage()?;
            return Ok((stones.black, stones.white));
        }
        let set = |text: &Option<String>| {
            let mut set = WideSet::EMPTY;
            for name in names(text.as_deref().unwrap_or_default()) {
                let cell = vertex(game, name).usage()?;
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

/// Whether a file is right, for machines.
#[derive(Serialize)]
struct VerifyReport {
    file: String,
    finding: Finding,
    reason: Option<String>,
    game: Option<json::Game>,
    count: Option<Count>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Finding {
    Accepted,
    Refused,
}

impl Verify {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let file = self.file.display().to_string();
        let verified = match read(&self.file)? {
            Ok(tablebase) => match tablebase.verify() {
                Ok(()) => Ok(tablebase),
                Err(mismatch) => Err(mismatch.to_string()),
            },
            Err(damage) => Err(damage.to_string()),
        };
        let outcome = if verified.is_ok() { Outcome::Done } else { Outcome::Refused };
        if self.json {
            let finding = if verified.is_ok() { Finding::Accepted } else { Finding::Refused };
            let game = |tablebase: &Tablebase| shown(&shape_name(tablebase.game()), tablebase);
            let report = VerifyReport {
                file,
                finding,
                game: verified.as_ref().ok().map(game),
                count: verified.as_ref().ok().map(Tablebase::count),
                reason: verified.err(),
            };
            json::write(console, "tablebase verify", &report)?;
            return Ok(outcome);
        }
        match verified {
            Ok(tablebase) => {
                let game = heading(&shape_name(tablebase.game()), &tablebase);
                let positions = tablebase.count().positions;
                writeln!(
                    console,
                    "{file}: accepted: {game}; the values of all {positions} positions follow from the rules"
                )?;
            }
            Err(reason) => writeln!(console, "{file}: refused: {reason}")?,
        }
        Ok(outcome)
    }
}
