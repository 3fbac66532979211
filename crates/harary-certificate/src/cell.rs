//! One vertex of a game: a cell of a board, or a named vertex of a `.pg` game.

use std::fmt;

/// The greatest number of cells of any game: boards go up to 19 x 19, which is 361, games of sets further. Tables keep a
/// cell in ten bits, with one value left for none.
pub const MAX_CELLS: usize = 1000;

/// A cell, by its number `x + W*y`; cell 0 is `a1`, bottom left.
///
/// A cell knows nothing of its board, so its name (`b3`) is the board's to give: [`crate::board::Board::cell_name`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell(u16);

impl Cell {
    /// The cell with this number, which must be below [`MAX_CELLS`].
    #[inline]
    pub fn new(index: usize) -> Cell {
        debug_assert!(index < MAX_CELLS);
        Cell(index as u16)
    }

    /// Its number, for use as an index.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
