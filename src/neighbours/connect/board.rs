//! Boards of Connect Four and positions on them, as bits of one word.
//!
//! A column takes `height + 1` bits, lowest cell first; the bit above the column stays empty, so that lines do not run from
//! one column into the next. A position is the mover's stones and all stones.

use super::super::finite::{Finite, Side};
use super::super::spoken::Spoken;
use thiserror::Error;

/// What a word of the table leaves for a position.
const MOST_BITS: usize = 56;
/// The longest line that can be asked for.
const LONGEST_LINE: usize = 10;

/// Why there is no such board.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GridError {
    /// Too large for the bits there are.
    #[error("a board of {0}x{1} is too large: width times (height + 1) is at most {MOST_BITS}, as on 7x7, 8x6, 9x5")]
    TooLarge(usize, usize),
    /// No cells.
    #[error("a board has at least one column and one row")]
    Empty,
    /// A line of one stone or of too many.
    #[error("a line has 2 to {LONGEST_LINE} stones, not {0}")]
    Line(usize),
    /// A move that the rules do not allow: its number, and what it said.
    #[error("move {0}, '{1}': {2}")]
    Move(usize, String, &'static str),
}

/// The sides of a board and the length of a winning line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Grid {
    width: u8,
    height: u8,
    connect: u8,
}

impl Grid {
    /// A board of these sides on which so many in a line win.
    pub fn new(width: usize, height: usize, connect: usize) -> Result<Grid, GridError> {
        if width == 0 || height == 0 {
            return Err(GridError::Empty);
        }
        if width > MOST_BITS || height > MOST_BITS || width * (height + 1) > MOST_BITS {
            return Err(GridError::TooLarge(width, height));
        }
        if !(2..=LONGEST_LINE).contains(&connect) {
            return Err(GridError::Line(connect));
        }
        Ok(Grid { width: width as u8, height: height as u8, connect: connect as u8 })
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.width.into()
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.height.into()
    }

    /// Stones in a winning line.
    pub fn connect(&self) -> usize {
        self.connect.into()
    }

    /// Cells.
    pub fn cells(&self) -> usize {
        self.width() * self.height()
    }

    fn stride(&self) -> usize {
        self.height() + 1
    }

    /// The bit of a cell, column and row from 0.
    pub fn cell(&self, column: usize, row: usize) -> u64 {
        1 << (column * self.stride() + row)
    }

    /// The cells of a column.
    pub fn column(&self, column: usize) -> u64 {
        ((1 << self.height()) - 1) << (column * self.stride())
    }

    /// The lowest cells.
    pub fn bottom(&self) -> u64 {
        (0..self.width()).map(|column| self.cell(column, 0)).sum()
    }

    /// All cells.
    pub fn board(&self) -> u64 {
        self.bottom() * ((1 << self.height()) - 1)
    }

    /// Columns from the middle outwards: the middle is in most lines.
    pub fn columns_from_the_middle(&self) -> Vec<usize> {
        let mut columns: Vec<usize> = (0..self.width()).collect();
        columns.sort_by_key(|&column| (2 * column + 1).abs_diff(self.width()));
        columns
    }

    /// How far the next cell of a line is, in bits: up, right, and the two diagonals.
    pub fn directions(&self) -> [usize; 4] {
        [1, self.stride(), self.stride() + 1, self.stride() - 1]
    }

    /// Every winning line, as sets of cells.
    pub fn lines(&self) -> Vec<u64> {
        let (width, height, length) = (self.width() as isize, self.height() as isize, self.connect() as isize);
        let mut lines = Vec::new();
        for (dx, dy) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            for (x, y) in (0..width).flat_map(|x| (0..height).map(move |y| (x, y))) {
                let (last_x, last_y) = (x + dx * (length - 1), y + dy * (length - 1));
                if last_x < width && (0..height).contains(&last_y) {
                    let cell = |k: isize| self.cell((x + k * dx) as usize, (y + k * dy) as usize);
                    lines.push((0..length).map(cell).sum());
                }
            }
        }
        lines
    }

    /// Whether these stones have a winning line.
    pub fn has_line(&self, stones: u64) -> bool {
        self.directions().into_iter().any(|step| {
            let mut starts = stones;
            for distance in 1..self.connect() {
                starts &= stones >> (distance * step);
            }
            starts != 0
        })
    }

    /// The name of a column: a, b, c, ...
    pub fn column_name(&self, column: usize) -> String {
        char::from(b'a' + column as u8).to_string()
    }
}

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Connect {
    grid: Grid,
    /// The stones of whoever moves.
    own: u64,
    all: u64,
}

impl Connect {
    /// The empty board.
    pub fn new(grid: Grid) -> Connect {
        Connect { grid, own: 0, all: 0 }
    }

    /// The position after these columns were played, written `d d c` or `ddc`.
    pub fn after_moves(grid: Grid, text: &str) -> Result<Connect, GridError> {
        let mut position = Connect::new(grid);
        let letters = text.chars().filter(|letter| !letter.is_whitespace() && *letter != ',');
        for (index, letter) in letters.enumerate() {
            let wrong = |why| GridError::Move(index + 1, letter.to_string(), why);
            let column = position.read_column(letter).ok_or_else(|| wrong("no column of this board"))?;
            if position.value().is_some() {
                return Err(wrong("the game is over"));
            }
            if !position.is_open(column) {
                return Err(wrong("the column is full"));
            }
            position = position.after(column);
        }
        Ok(position)
    }

    /// The position with these stones, the first player to move; nothing if no game that goes on comes to them. (They fall, there are
    /// as many of both, and nobody has a line.)
    pub fn of_stones(grid: Grid, first: u64, second: u64) -> Option<Connect> {
        let all = first | second;
        let even = first & second == 0 && first.count_ones() == second.count_ones() && all & !grid.board() == 0;
        let supported = all & !grid.bottom() & !(all << 1) == 0;
        let won = grid.has_line(first) || grid.has_line(second);
        (even && supported && !won).then_some(Connect { grid, own: first, all })
    }

    /// The column of a letter.
    pub fn read_column(&self, letter: char) -> Option<usize> {
        let column = (letter.to_ascii_lowercase() as usize).checked_sub('a' as usize)?;
        (column < self.grid.width()).then_some(column)
    }

    /// The board.
    pub fn grid(&self) -> Grid {
        self.grid
    }

    /// The mover's stones and all stones.
    pub fn stones(&self) -> (u64, u64) {
        (self.own, self.all)
    }

    /// Stones on the board.
    pub fn turn(&self) -> usize {
        self.all.count_ones() as usize
    }

    /// Whether there is room in a column.
    pub fn is_open(&self, column: usize) -> bool {
        self.all & self.grid.column(column) != self.grid.column(column)
    }

    /// Who has a stone on a cell.
    pub fn stone(&self, column: usize, row: usize) -> Option<Side> {
        let cell = self.grid.cell(column, row);
        match (self.all & cell != 0, self.own & cell != 0) {
            (false, _) => None,
            (true, true) => Some(self.mover()),
            (true, false) => Some(self.mover().other()),
        }
    }
}

/// What a win is worth: the sooner, the more. With the last stone it is worth 1, a draw 0.
pub fn worth_of_win(grid: Grid, winner: Side, turn: usize) -> i32 {
    winner.sign() * (grid.cells() + 1 - turn) as i32
}

/// The turn of the last stone of a game with this value; nothing for a draw.
pub fn turn_of_win(grid: Grid, value: i32) -> Option<usize> {
    (value != 0).then(|| grid.cells() + 1 - value.unsigned_abs() as usize)
}

impl Finite for Connect {
    type Move = usize;

    fn mover(&self) -> Side {
        if self.turn().is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn value(&self) -> Option<i32> {
        if self.grid.has_line(self.all ^ self.own) {
            return Some(worth_of_win(self.grid, self.mover().other(), self.turn()));
        }
        (self.turn() == self.grid.cells()).then_some(0)
    }

    fn moves(&self) -> Vec<usize> {
        self.grid.columns_from_the_middle().into_iter().filter(|&column| self.is_open(column)).collect()
    }

    fn after(&self, column: usize) -> Connect {
        // Adding the lowest cell of a column to its stones carries to the first empty one.
        let all = self.all | (self.all + self.grid.cell(column, 0)) & self.grid.column(column);
        Connect { grid: self.grid, own: self.all ^ self.own, all }
    }

    fn bounds(&self) -> (i32, i32) {
        let most = self.grid.cells() as i32;
        (-most, most)
    }
}

impl Spoken for Connect {
    fn title(&self) -> String {
        let Grid { width, height, connect } = self.grid;
        format!("Connect {connect} on {width}x{height}")
    }

    /// Columns by their letters; X is the first player's, O the second's.
    fn drawing(&self) -> String {
        let mut text = String::new();
        for row in (0..self.grid.height()).rev() {
            let cells = (0..self.grid.width()).map(|column| match self.stone(column, row) {
                Some(Side::First) => " X",
                Some(Side::Second) => " O",
                None => " .",
            });
            text += &format!("  {:>2}{}\n", row + 1, cells.collect::<String>());
        }
        let letters: String =
            (0..self.grid.width()).map(|column| format!(" {}", self.grid.column_name(column))).collect();
        text + &format!("    {letters}\n")
    }

    fn question(&self) -> String {
        "which column".to_owned()
    }

    fn name_of(&self, column: usize) -> String {
        self.grid.column_name(column)
    }

    fn meaning(&self, value: i32) -> String {
        match (turn_of_win(self.grid, value), value > 0) {
            (Some(turn), true) => format!("the first player wins by turn {turn}"),
            (Some(turn), false) => format!("the second player wins by turn {turn}"),
            (None, _) => "a draw".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::random::Random;
    use super::*;

    #[test]
    fn lines_are_seen_as_they_are_counted() {
        let mut random = Random::new(1);
        for (width, height, connect, count) in [(7, 6, 4, 69), (4, 4, 4, 10), (5, 4, 3, 34), (3, 3, 2, 20)] {
            let grid = Grid::new(width, height, connect).unwrap();
            let lines = grid.lines();
            assert_eq!(lines.len(), count);
            for _ in 0..2000 {
                let stones = random.bits() & random.bits() & grid.board();
                let seen = lines.iter().any(|line| stones & line == *line);
                assert_eq!(grid.has_line(stones), seen, "{grid:?} {stones:x}");
            }
        }
    }

    #[test]
    fn mistakes_are_told() {
        let complaint = |text: &str| {
            let grid = Grid::new(4, 2, 2).unwrap();
            Connect::after_moves(grid, text).unwrap_err().to_string()
        };
        assert_eq!(complaint("a e"), "move 2, 'e': no column of this board");
        assert_eq!(complaint("a c a d"), "move 4, 'd': the game is over");
        assert_eq!(complaint("a a a"), "move 3, 'a': the column is full");
        assert!(Grid::new(8, 7, 4).unwrap_err().to_string().contains("too large"));
        assert_eq!(Grid::new(usize::MAX, 2, 4), Err(GridError::TooLarge(usize::MAX, 2)));
        assert_eq!(Grid::new(7, 6, 1), Err(GridError::Line(1)));
        assert_eq!(Grid::new(0, 6, 4), Err(GridError::Empty));
    }

    #[test]
    fn a_position_is_drawn() {
        let grid = Grid::new(4, 3, 3).unwrap();
        let position = Connect::after_moves(grid, "b b c").unwrap();
        assert_eq!(position.drawing(), "   3 . . . .\n   2 . O . .\n   1 . X X .\n     a b c d\n");
        assert_eq!(position.read("A"), Ok(0));
        assert_eq!(position.read("e").unwrap_err(), "'e' is no move now; the moves are b, c, a, d");
    }
}
