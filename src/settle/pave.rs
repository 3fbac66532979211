//! Questions about pavings: of a position, of the plane, or by some turn.

use super::certify::certify;
use crate::effort::{Halt, Limits};
use crate::engines::blocking;
use crate::evidence::nodes::BlockProof;
use crate::game::description::counted;
use crate::game::line::Line;
use crate::game::{Game, with_width};
use crate::paving::oracle::Oracle;
use crate::paving::periodic::{Lattice, PeriodicPaving, periodic_paving};
use crate::paving::{Answer, Pairs, Paving};
use harary_certificate::{Board, Cell, NotProved, Proved, WIDE, WideSet};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Where to look for a paving.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// Of the position; with White to move she may put a stone first.
    Position(Pairs),
    /// Of the plane, with this period; the board shows a part of it.
    Plane(Period, Pairs),
    /// Whether White can play so that there is one after this turn or earlier. Black is to move.
    ByTurn(usize),
}

impl Question {
    /// Why it cannot be asked of a game after so many stones, in words.
    pub fn unsuited(self, game: &Game, played: usize) -> Option<String> {
        match self {
            _ if !game.schedule().is_alternating() || !game.is_whole() => {
                Some("a paving is looked for on an empty board, or after moves, with players alternating".to_owned())
            }
            Question::Plane(..) if game.shape_on_board().is_none() => {
                Some("--periodic is for one shape on a plain board".to_owned())
            }
            Question::ByTurn(_) if played % 2 == 1 => {
                Some("--turn asks with Black to move; give --after an even number of stones".to_owned())
            }
            Question::ByTurn(turn) if turn > game.vertices() => {
                let cells = counted(game.vertices(), "cell");
                Some(format!("turn {turn} is never reached: the board has {cells}"))
            }
            Question::ByTurn(turn) if turn < played => {
                Some(format!("turn {turn} is past: {} played", counted(played, "stone")))
            }
            Question::Position(_) | Question::Plane(..) | Question::ByTurn(_) => None,
        }
    }
}

/// Which pavings of the plane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Period {
    /// Those that repeat like this.
    Exactly(Lattice),
    /// Those with a period of at most so many cells.
    UpTo(usize),
}

impl Period {
    /// For a sentence.
    pub fn in_words(self) -> String {
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

/// Why a text is no period.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PeriodError {
    /// It reads as none.
    #[error("'{0}' is not a period; write 4x2, 4x2+1 or 16 (any period of at most 16 cells)")]
    NotAPeriod(String),
    /// It is too large, or nothing.
    #[error("a period has 1 to {LARGEST_PERIOD} cells, not {0}")]
    Size(usize),
}

impl FromStr for Period {
    type Err = PeriodError;

    fn from_str(text: &str) -> Result<Period, PeriodError> {
        let wrong = || PeriodError::NotAPeriod(text.to_owned());
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
        if (1..=LARGEST_PERIOD).contains(&size) { Ok(period) } else { Err(PeriodError::Size(size)) }
    }
}

/// What was found, in the cells of the board.
#[derive(Clone, Default, Debug)]
pub struct Found {
    /// Whether there is a paving; none if that took too long.
    pub paved: Option<bool>,
    /// Its pairs.
    pub pairs: Vec<(Cell, Cell)>,
    /// The stone White puts first, if she is to move and needs it.
    pub first: Option<Cell>,
    /// The period of a paving of the plane.
    pub lattice: Option<Lattice>,
    /// That White holds the game: the pairs of the empty board, as the checker accepted them.
    pub proved: Option<Proved>,
}

/// Looks for a paving of the weak game `game` after `line`. Pairs of the empty board are checked.
pub fn pave(game: &Game, line: &Line, question: Question, limits: &Limits) -> Result<Found, NotProved> {
    let found = match question {
        Question::Plane(period, allowed) => plane(game, period, allowed, limits),
        Question::Position(allowed) => position(game, line, allowed, limits),
        Question::ByTurn(turn) => {
            let left = turn.saturating_sub(line.played());
            let paved = blocking::paved_after(game, &line.stones(), left, limits);
            Ok(Found { paved, ..Found::default() })
        }
    };
    let found = found.unwrap_or_else(|Halt| Found::default());
    // A paving of the plane says nothing about a torus.
    let of_the_board = match question {
        Question::Position(_) => line.played() == 0,
        Question::Plane(..) => game.shape_on_board().is_some_and(|(_, board)| !board.is_torus()),
        Question::ByTurn(_) => false,
    };
    let proved = match found.paved == Some(true) && of_the_board {
        true => Some(prove(game, &found.pairs)?),
        false => None,
    };
    Ok(Found { proved, ..found })
}

/// That White holds by these pairs.
fn prove(game: &Game, pairs: &[(Cell, Cell)]) -> Result<Proved, NotProved> {
    let zone: WideSet = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    let paving = Paving::<WIDE> { pairs: pairs.to_vec(), white: WideSet::EMPTY, zone };
    Ok(certify(game, Box::new(BlockProof::of_paving(paving)))?.proved().clone())
}

/// A paving of a position; with White to move she puts a stone first if there is none without.
fn position(game: &Game, line: &Line, allowed: Pairs, limits: &Limits) -> Result<Found, Halt> {
    with_width!(game.vertices(), N => position_in::<N>(game, line, allowed, limits))
}

fn position_in<const N: usize>(game: &Game, line: &Line, allowed: Pairs, limits: &Limits) -> Result<Found, Halt> {
    let mut oracle = Oracle::<N>::new(game, allowed);
    let stones = line.stones().resized();
    let found = if line.played().is_multiple_of(2) {
        match oracle.paving_within(stones, limits)? {
            Answer::Paved(paving) => Some((None, paving)),
            Answer::None(_) => None,
        }
    } else {
        oracle.paving_white_first(stones, limits)?
    };
    Ok(match found {
        Some((first, paving)) => Found { paved: Some(true), pairs: paving.pairs, first, ..Found::default() },
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
            return Ok(Found { paved: Some(true), pairs, lattice: Some(lattice), ..Found::default() });
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
    fn pairs_of_the_empty_board_are_checked() {
        let game = |sides| {
            let board = Board::parse(sides, harary_certificate::Topology::Plain).unwrap();
            Game::new(harary_certificate::Shape::from_rows("XX/XX").unwrap(), board, harary_certificate::Rule::Weak)
        };
        let line = Line::start(&game("4x4"));
        let asked = |question| pave(&game("4x4"), &line, question, &Limits::none()).unwrap();
        for question in [Question::Position(Pairs::Any), Question::Plane(Period::UpTo(4), Pairs::Any)] {
            let found = asked(question);
            assert_eq!(found.proved.unwrap().claim(), harary_certificate::Claim::Hold(None), "{question:?}");
        }
        assert!(asked(Question::ByTurn(2)).proved.is_none(), "searched, not proved");
        let few = &asked(Question::Position(Pairs::Any)).pairs[1..];
        assert!(prove(&game("4x4"), few).is_err(), "a pair is missing");
    }

    #[test]
    fn periods_are_read_strictly() {
        let lattice = |width, height, shift| Ok(Period::Exactly(Lattice { width, height, shift }));
        assert_eq!("4x2".parse::<Period>(), lattice(4, 2, 0));
        assert_eq!("4x2+5".parse::<Period>(), lattice(4, 2, 1));
        assert_eq!("16".parse::<Period>(), Ok(Period::UpTo(16)));
        for wrong in
            ["", "x", "4x", "x2", "0x3", "0", "4x2+", "+4", "-1", "1000", "99x99", "4x2x1", "99999999999999999999"]
        {
            assert!(wrong.parse::<Period>().is_err(), "{wrong:?}");
        }
    }
}
