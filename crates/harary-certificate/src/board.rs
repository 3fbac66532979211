//! A board: W x H cells, plain or a torus.

use crate::cell::Cell;
use serde::{Deserialize, Serialize};
use std::fmt;
use thiserror::Error;

/// The longest side of a board.
pub const MAX_SIDE: usize = 19;

/// Whether the edges are glued.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Topology {
    /// Edges are edges.
    Plain,
    /// Opposite edges are glued.
    Torus,
}

impl fmt::Display for Topology {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Topology::Plain => "plain",
            Topology::Torus => "torus",
        })
    }
}

/// Why a board or one of its cells could not be read.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum BoardError {
    /// No sides.
    #[error("'{0}' is not a board; boards are written WxH, for example 7x7")]
    NotABoard(String),
    /// Too small or too large.
    #[error("a board is 1x1 to {MAX_SIDE}x{MAX_SIDE}, not {0}x{1}")]
    Size(usize, usize),
    /// No cell of the board.
    #[error("there is no cell '{0}' on {1}; its cells are a1 to {2}")]
    NoCell(String, Board, String),
}

/// A board, legal by construction: 1x1 to 19x19.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    width: u8,
    height: u8,
    topology: Topology,
}

impl Board {
    /// A board with these sides.
    pub fn new(width: usize, height: usize, topology: Topology) -> Result<Board, BoardError> {
        if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
            return Err(BoardError::Size(width, height));
        }
        Ok(Board { width: width as u8, height: height as u8, topology })
    }

    /// Reads `7x7` or `3x5`.
    pub fn parse(text: &str, topology: Topology) -> Result<Board, BoardError> {
        let wrong = || BoardError::NotABoard(text.to_owned());
        let (width, height) = text.split_once(['x', 'X']).ok_or_else(wrong)?;
        let side = |digits: &str| {
            if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return Err(wrong());
            }
            Ok(digits.parse::<usize>().unwrap_or(usize::MAX))
        };
        Board::new(side(width)?, side(height)?, topology)
    }

    /// Cells in a row.
    #[inline]
    pub fn width(&self) -> usize {
        self.width.into()
    }

    /// Cells in a column.
    #[inline]
    pub fn height(&self) -> usize {
        self.height.into()
    }

    /// Whether its edges are glued.
    pub fn topology(&self) -> Topology {
        self.topology
    }

    /// Whether its edges are glued, as a yes or no.
    pub fn is_torus(&self) -> bool {
        self.topology == Topology::Torus
    }

    /// Whether both sides are equal.
    pub fn is_square(&self) -> bool {
        self.width == self.height
    }

    /// How many cells it has.
    pub fn size(&self) -> usize {
        self.width() * self.height()
    }

    /// Its sides, `7x7`.
    pub fn sides(&self) -> String {
        format!("{}x{}", self.width, self.height)
    }

    /// The cell in this column and row.
    #[inline]
    pub fn cell(&self, x: usize, y: usize) -> Cell {
        debug_assert!(x < self.width() && y < self.height());
        Cell::new(x + self.width() * y)
    }

    /// The cell at a point of the plane: on a torus modulo its sides, otherwise only if it lies on the board.
    pub fn cell_at(&self, (x, y): (i32, i32)) -> Option<Cell> {
        let (width, height) = (i32::from(self.width), i32::from(self.height));
        let inside = self.is_torus() || (0..width).contains(&x) && (0..height).contains(&y);
        inside.then(|| self.cell(x.rem_euclid(width) as usize, y.rem_euclid(height) as usize))
    }

    /// Column and row of a cell.
    #[inline]
    pub fn xy(&self, cell: Cell) -> (usize, usize) {
        (cell.index() % self.width(), cell.index() / self.width())
    }

    /// All its cells, in order.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        (0..self.size()).map(Cell::new)
    }

    /// The name of a cell, `b3`: column letter, row number from below.
    pub fn cell_name(&self, cell: Cell) -> String {
        let (x, y) = self.xy(cell);
        format!("{}{}", (b'a' + x as u8) as char, y + 1)
    }

    /// The cell with this name.
    pub fn parse_cell(&self, name: &str) -> Result<Cell, BoardError> {
        let found = || {
            let column = name.bytes().next()?.to_ascii_lowercase();
            let digits = name.get(1..)?;
            if !column.is_ascii_lowercase() || digits.starts_with('0') || !digits.bytes().all(|b| b.is_ascii_digit()) {
                return None;
            }
            let (x, y) = (usize::from(column - b'a'), digits.parse::<usize>().ok()?.checked_sub(1)?);
            (x < self.width() && y < self.height()).then(|| self.cell(x, y))
        };
        found().ok_or_else(|| BoardError::NoCell(name.to_owned(), *self, self.cell_name(Cell::new(self.size() - 1))))
    }
}

/// `7x7 torus`; a plain board says so too.
impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{} {}", self.width, self.height, self.topology)
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_names() {
        let board = Board::parse("3x5", Topology::Plain).unwrap();
        assert_eq!(board.cell_name(Cell::new(0)), "a1");
        assert_eq!(board.cell_name(Cell::new(4)), "b2");
        for cell in board.cells() {
            assert_eq!(board.parse_cell(&board.cell_name(cell)), Ok(cell));
        }
        assert_eq!(board.parse_cell("C5"), Ok(Cell::new(14)));
        for wrong in ["", "a", "a0", "a6", "d1", "a01", "1a", "é1", "a1 ", "a+1"] {
            assert!(board.parse_cell(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(
            board.parse_cell("d1").unwrap_err().to_string(),
            "there is no cell 'd1' on 3x5 plain; its cells are a1 to c5"
        );
    }

    #[test]
    fn boards_are_legal() {
        let parse = |text| Board::parse(text, Topology::Plain);
        assert_eq!(parse("0x0"), Err(BoardError::Size(0, 0)));
        assert_eq!(parse("40x40"), Err(BoardError::Size(40, 40)));
        assert_eq!(parse("7x99999999999999999999999"), Err(BoardError::Size(7, usize::MAX)));
        for wrong in ["", "7", "x7", "7x", "7x7x7", "-1x3", "7 x7", "axb"] {
            assert_eq!(parse(wrong), Err(BoardError::NotABoard(wrong.into())), "{wrong:?}");
        }
        assert_eq!(parse("19x1").map(|b| b.size()), Ok(19));
    }
}
