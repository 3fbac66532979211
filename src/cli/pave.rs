//! `harary pave`: a paving of a board or of the plane, drawn, or the statement that there is none.

use super::arguments::{NamedShape, SHAPE_HELP, parse_board, parse_shape};
use super::{Console, OrUsage, Outcome, UsageError, counted, interrupt, report};
use crate::effort::{Halt, Limits};
use crate::engines::blocking;
use crate::game::Game;
use crate::paving::oracle::Oracle;
use crate::paving::periodic::{Lattice, PeriodicPaving, periodic_paving};
use crate::paving::{Answer, Pairs};
use crate::views::picture::{Mark, Picture, letter};
use clap::{Args, ValueEnum};
use harary_certificate::{Board, Cell, Rule, WIDE, WideSet};
use serde::Serialize;
use std::fmt;
use std::io::Write;
use std::time::{Duration, Instant};

/// Looks for a paving: disjoint pairs of empty cells, one in every winning set free of White
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary pave fatty 6x6 --dominoes\n  harary pave snaky 6x6 --after \"c3 d4\"\n  \
    harary pave snaky 7x7 --turn 4\n  harary pave fatty 8x8 --dominoes --periodic 2x1+1\n  \
    harary pave W5 12x12 --periodic 24\n  harary pave fatty 5x5 --format svg > paving.svg\n  \
    harary pave fatty 5x5 --format tikz > paving.tex\n\n\
    White answers in the pair in which Black plays, so a paving holds in the weak and in the strong game.\n\
    Exit codes: 0 decided, 3 not decided within the time given, 2 wrong usage, 1 anything else.")]
pub struct Pave {
    #[arg(help = SHAPE_HELP)]
    shape: String,
    /// The board, WxH, from 1x1 to 19x19
    board: String,
    /// Glue the edges of the board
    #[arg(long, conflicts_with = "periodic")]
    torus: bool,
    /// Only pairs of cells that share an edge
    #[arg(long, conflicts_with = "turn")]
    dominoes: bool,
    /// Stones played, in order, as "d4 c3"; if White is to move, she may put one stone first
    #[arg(long, value_name = "CELLS", conflicts_with = "periodic")]
    after: Option<String>,
    /// Can White play so that there is a paving after this turn or earlier? (The question of the PAIRING encoding)
    #[arg(long, value_name = "K", conflicts_with = "periodic", allow_negative_numbers = true)]
    turn: Option<usize>,
    /// A paving of the plane that repeats: with the period PxQ, with PxQ+S (rows of periods shifted by S), or with any
    /// period of at most N cells. The board is only drawn
    #[arg(long, value_name = "PxQ[+S]|N", value_parser = parse_period)]
    periodic: Option<Period>,
    /// Stop after this time, for example 90s or 10m
    #[arg(long, value_name = "TIME", value_parser = super::arguments::parse_time)]
    time: Option<Duration>,
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "json")]
    format: Format,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    Text,
    Svg,
    /// For LaTeX
    Tikz,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Period {
    Exactly(Lattice),
    UpTo(usize),
}

impl Period {
    fn in_words(self) -> String {
        match self {
            Period::Exactly(lattice) => format!("period {lattice}"),
            Period::UpTo(size) => format!("a period of at most {size} cells"),
        }
    }
}

/// As it is asked for.
impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Period::Exactly(lattice) => lattice.fmt(f),
            Period::UpTo(size) => size.fmt(f),
        }
    }
}

/// The most cells a period may have.
const LARGEST_PERIOD: usize = 144;

fn parse_period(text: &str) -> Result<Period, String> {
    let wrong = || format!("'{text}' is not a period; write 4x2, 4x2+1 or 16 (any period of at most 16 cells)");
    let number = |digits: &str| match digits.parse::<usize>() {
        Ok(number) if digits.bytes().all(|byte| byte.is_ascii_digit()) => Ok(number),
        _ => Err(wrong()),
    };
    let period = match text.split_once('x') {
        None => Period::UpTo(number(text)?),
        Some((width, rest)) => {
            let (height, shift) = rest.split_once('+').unwrap_or((rest, "0"));
            let (width, height, shift) = (number(width)?, number(height)?, number(shift)?);
            if width == 0 || height == 0 {
                return Err(wrong());
            }
            Period::Exactly(Lattice { width, height, shift: shift % width })
        }
    };
    let size = match period {
        Period::UpTo(size) => size,
        Period::Exactly(lattice) => lattice.width.saturating_mul(lattice.height),
    };
    if (1..=LARGEST_PERIOD).contains(&size) {
        Ok(period)
    } else {
        Err(format!("a period has 1 to {LARGEST_PERIOD} cells, not {size}"))
    }
}

/// The answer for machines.
#[derive(Serialize)]
struct Report {
    schema: &'static str,
    shape: String,
    cells: String,
    board: String,
    torus: bool,
    rule: Rule,
    after: Vec<String>,
    turn: Option<usize>,
    dominoes: bool,
    /// The periods asked for, if it is about the plane.
    periodic: Option<String>,
    /// The period of a paving of the plane, if one was found.
    period: Option<String>,
    /// The stone White puts first, if she is to move and needs it.
    first: Option<String>,
    /// `null`: not decided.
    paved: Option<bool>,
    pairs: Vec<[String; 2]>,
    seconds: f64,
}

/// What was found, in the cells of the board.
#[derive(Default)]
struct Found {
    paved: Option<bool>,
    pairs: Vec<(Cell, Cell)>,
    first: Option<Cell>,
    lattice: Option<Lattice>,
}

struct Stones {
    black: WideSet,
    white: WideSet,
    order: Vec<Cell>,
}

impl Pave {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let NamedShape { name, shape } = parse_shape(&self.shape)?;
        let board = parse_board(&self.board, self.torus)?;
        let stones = self.stones(&board)?;
        let limits = Limits::new(self.time, None, interrupt::flag()?);
        let start = Instant::now();
        let game = Game::new(shape.clone(), board, Rule::Weak);
        let allowed = if self.dominoes { Pairs::Dominoes } else { Pairs::Any };
        let found = match (self.periodic, self.turn) {
            (Some(period), _) => plane(&game, period, allowed, &limits),
            (None, Some(turn)) => Ok(Found {
                paved: blocking::paved_after(
                    &game,
                    &harary_certificate::Stones::new(stones.black, stones.white),
                    turn - stones.order.len(),
                    &limits,
                ),
                ..Found::default()
            }),
            (None, None) => position(&game, &stones, allowed, &limits),
        };
        let found = found.unwrap_or_else(|Halt| Found::default());
        let seconds = start.elapsed().as_secs_f64();
        let picture = Picture::of_board(&board, |cell| mark(&stones, &found, cell));
        if self.json {
            let report = Report {
                schema: "harary-pave-1",
                shape: name,
                cells: shape.to_string(),
                board: board.sides(),
                torus: self.torus,
                rule: Rule::Weak,
                after: stones.order.iter().map(|&cell| board.cell_name(cell)).collect(),
                turn: self.turn,
                dominoes: self.dominoes,
                periodic: self.periodic.map(|period| period.to_string()),
                period: found.lattice.map(|lattice| lattice.to_string()),
                first: found.first.map(|cell| board.cell_name(cell)),
                paved: found.paved,
                pairs: found.pairs.iter().map(|&(a, b)| [board.cell_name(a), board.cell_name(b)]).collect(),
                seconds,
            };
            writeln!(console, "{}", serde_json::to_string_pretty(&report)?)?;
        } else if self.format != Format::Text && (found.paved != Some(true) || self.turn.is_some()) {
            // A picture without pairs would say nothing.
            report(&format!("{}; there is nothing to draw", self.sentence(&name, &board, &found)));
        } else if self.format == Format::Svg {
            write!(console, "{}", picture.svg())?;
        } else if self.format == Format::Tikz {
            write!(console, "{}", picture.tikz())?;
        } else {
            writeln!(console, "{}", self.sentence(&name, &board, &found))?;
            if found.paved == Some(true) && self.turn.is_none() {
                let color = console.color();
                write!(console, "\n{}", picture.text(color))?;
            }
        }
        Ok(if found.paved.is_some() { Outcome::Done } else { Outcome::NotSettled })
    }

    /// The stones of `--after`.
    fn stones(&self, board: &Board) -> anyhow::Result<Stones> {
        let mut stones = Stones { black: WideSet::EMPTY, white: WideSet::EMPTY, order: Vec::new() };
        let text = self.after.as_deref().unwrap_or_default();
        for name in text.split(|c: char| c.is_whitespace() || c == ',').filter(|name| !name.is_empty()) {
            let cell = board.parse_cell(name).usage()?;
            if stones.order.contains(&cell) {
                return Err(UsageError(format!("the move {name}: there is a stone already")).into());
            }
            let own = if stones.order.len().is_multiple_of(2) { &mut stones.black } else { &mut stones.white };
            own.insert(cell);
            stones.order.push(cell);
        }
        let played = stones.order.len();
        if let Some(turn) = self.turn {
            if played % 2 == 1 {
                return Err(
                    UsageError("--turn asks with Black to move; give --after an even number of stones".into()).into()
                );
            }
            if turn > board.size() {
                return Err(
                    UsageError(format!("turn {turn} is never reached: the board has {} cells", board.size())).into()
                );
            }
            if turn < played {
                return Err(UsageError(format!("turn {turn} is past: {played} stones are played")).into());
            }
        }
        Ok(stones)
    }

    fn sentence(&self, name: &str, board: &Board, found: &Found) -> String {
        let after = self.after.as_deref().map(str::trim).filter(|cells| !cells.is_empty());
        let after = after.map_or(String::new(), |cells| format!(" after {cells}"));
        let kind = if self.dominoes { "domino paving" } else { "paving" };
        let count = counted(found.pairs.len(), "pair");
        match (self.periodic, self.turn, found.paved) {
            (Some(_), _, Some(true)) => {
                let period = found.lattice.map_or(String::new(), |lattice| lattice.to_string());
                format!("{name}: a {kind} of the plane with period {period}, so White holds on every plain board")
            }
            (Some(period), _, Some(false)) => format!("{name}: no {kind} of the plane with {}", period.in_words()),
            (Some(period), _, None) => {
                let (words, reason) = (period.in_words(), interrupt::reason());
                format!("{name}: a {kind} of the plane with {words}: not decided: {reason}")
            }
            (None, Some(turn), Some(true)) => {
                format!(
                    "{name} on {board}{after}: White can play so that there is a paving after turn {turn} or earlier: \
                     she holds"
                )
            }
            (None, Some(turn), Some(false)) => {
                format!(
                    "{name} on {board}{after}: White cannot play so that there is a paving after turn {turn} or earlier"
                )
            }
            (None, None, Some(true)) => {
                let first =
                    found.first.map_or(String::new(), |cell| format!(" once White plays {}", board.cell_name(cell)));
                format!("{name} on {board}{after}: paved with {count}{first}, so White holds")
            }
            (None, None, Some(false)) => format!("{name} on {board}{after}: no {kind}"),
            (None, _, None) => format!("{name} on {board}{after}: not decided: {}", interrupt::reason()),
        }
    }
}

/// What stands in a cell: a stone, the letter of its pair, or nothing.
fn mark(stones: &Stones, found: &Found, cell: Cell) -> Mark {
    if found.first == Some(cell) {
        return Mark::stone(harary_certificate::Player::White).highlighted();
    }
    match found.pairs.iter().position(|&(a, b)| a == cell || b == cell) {
        Some(index) => Mark::text(letter(index)),
        None => Mark::of_stones(&stones.black, &stones.white, cell),
    }
}

/// A paving of a position; with White to move she puts a stone first if there is none without.
fn position(game: &Game, stones: &Stones, allowed: Pairs, limits: &Limits) -> Result<Found, Halt> {
    match game.vertices().div_ceil(64) {
        1 => position_in::<1>(game, stones, allowed, limits),
        2 => position_in::<2>(game, stones, allowed, limits),
        _ => position_in::<WIDE>(game, stones, allowed, limits),
    }
}

fn position_in<const N: usize>(game: &Game, stones: &Stones, allowed: Pairs, limits: &Limits) -> Result<Found, Halt> {
    let mut oracle = Oracle::<N>::new(game, allowed);
    let at = harary_certificate::Stones::new(stones.black, stones.white).resized();
    let found = if stones.order.len().is_multiple_of(2) {
        match oracle.paving_within(at, limits)? {
            Answer::Paved(paving) => Some((None, paving)),
            Answer::None(_) => None,
        }
    } else {
        oracle.paving_white_first(at, limits)?
    };
    Ok(match found {
        Some((first, paving)) => Found { paved: Some(true), pairs: paving.pairs, first, lattice: None },
        None => Found { paved: Some(false), ..Found::default() },
    })
}

/// A periodic paving, as far as it lies on the board.
fn plane(game: &Game, period: Period, allowed: Pairs, limits: &Limits) -> Result<Found, Halt> {
    let Some((shape, board)) = game.shape_on_board() else { return Ok(Found::default()) };
    let lattices: Vec<Lattice> = match period {
        Period::Exactly(lattice) => vec![lattice],
        Period::UpTo(size) => (1..=size).flat_map(Lattice::of_size).collect(),
    };
    for lattice in lattices {
        if let Some(paving) = periodic_paving(shape, lattice, allowed, limits)? {
            let pairs = pairs_on(board, &paving);
            return Ok(Found { paved: Some(true), pairs, first: None, lattice: Some(lattice) });
        }
    }
    Ok(Found { paved: Some(false), ..Found::default() })
}

/// The pairs of a periodic paving with both cells on the board.
fn pairs_on(board: &Board, paving: &PeriodicPaving) -> Vec<(Cell, Cell)> {
    let mut pairs = Vec::new();
    for cell in board.cells() {
        let (x, y) = board.xy(cell);
        let Some((_, (px, py))) = paving.partner(x as i32, y as i32) else { continue };
        let on_board = (0..board.width() as i32).contains(&px) && (0..board.height() as i32).contains(&py);
        if on_board && board.cell(px as usize, py as usize) > cell {
            pairs.push((cell, board.cell(px as usize, py as usize)));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_read_strictly() {
        let lattice = |width, height, shift| Ok(Period::Exactly(Lattice { width, height, shift }));
        assert_eq!(parse_period("4x2"), lattice(4, 2, 0));
        assert_eq!(parse_period("4x2+5"), lattice(4, 2, 1));
        assert_eq!(parse_period("16"), Ok(Period::UpTo(16)));
        for wrong in
            ["", "x", "4x", "x2", "0x3", "0", "4x2+", "+4", "-1", "1000", "99x99", "4x2x1", "99999999999999999999"]
        {
            assert!(parse_period(wrong).is_err(), "{wrong:?}");
        }
    }
}
