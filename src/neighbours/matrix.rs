//! The matrix game of depth d: a matrix of zeros and ones with 2^d rows and columns. In turn, the first player keeps the
//! upper or the lower half, the second one the left or the right half; the one cell that is left says who has won.

use super::finite::{Finite, Side};
use super::random::Random;
use super::spoken::Spoken;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use thiserror::Error;

/// With 12 the matrix has 2^24 cells.
pub const DEEPEST: usize = 12;
/// The longest text of a matrix, a byte a cell and a line end a row.
pub const LONGEST_TEXT: u64 = (1 << DEEPEST) * ((1 << DEEPEST) + 2);

/// Why a text is no matrix.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum MatrixError {
    /// Neither 0 nor 1: the line, and what is there.
    #[error("line {0}: '{1}' is neither 0 nor 1")]
    Letter(usize, char),
    /// A row that is not as long as there are rows: the line, its length, and the number of rows.
    #[error("line {0} has {1} cells, and there are {2} rows")]
    Row(usize, usize, usize),
    /// Not a power of two, or too many.
    #[error("{0} rows: there must be 1, 2, 4, ... 4096")]
    Rows(usize),
    /// Too deep.
    #[error("depth {0} is too deep; it is 0 to {DEEPEST}")]
    Depth(usize),
}

/// A square of zeros and ones.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Matrix {
    depth: usize,
    words: Vec<u64>,
}

impl Matrix {
    /// Each cell is 1 with this probability, the same for the same seed.
    pub fn random(depth: usize, density: f64, seed: u64) -> Result<Matrix, MatrixError> {
        let mut random = Random::new(seed);
        Matrix::of(depth, |_| random.chance(density))
    }

    /// The matrix whose cells, row by row from the top, are what `one` says.
    pub fn of(depth: usize, mut one: impl FnMut(usize) -> bool) -> Result<Matrix, MatrixError> {
        if depth > DEEPEST {
            return Err(MatrixError::Depth(depth));
        }
        let cells = 1usize << (2 * depth);
        let mut words = vec![0; cells.div_ceil(64)];
        for index in 0..cells {
            words[index / 64] |= u64::from(one(index)) << (index % 64);
        }
        Ok(Matrix { depth, words })
    }

    /// Rows of 0 and 1, blanks between them or not; empty lines and those that begin with # are left out.
    pub fn parse(text: &str) -> Result<Matrix, MatrixError> {
        let mut rows: Vec<(usize, Vec<bool>)> = Vec::new();
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let cells = line.chars().filter(|letter| !letter.is_whitespace()).map(|letter| match letter {
                '0' => Ok(false),
                '1' => Ok(true),
                other => Err(MatrixError::Letter(index + 1, other)),
            });
            rows.push((index + 1, cells.collect::<Result<_, _>>()?));
        }
        if !rows.len().is_power_of_two() || rows.len() > 1 << DEEPEST {
            return Err(MatrixError::Rows(rows.len()));
        }
        if let Some((line, row)) = rows.iter().find(|(_, row)| row.len() != rows.len()) {
            return Err(MatrixError::Row(*line, row.len(), rows.len()));
        }
        let side = rows.len();
        Matrix::of(side.ilog2() as usize, |index| rows[index / side].1[index % side])
    }

    /// Turns of each player.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// Rows, and columns.
    pub fn side(&self) -> usize {
        1 << self.depth
    }

    /// Whether a cell is 1, rows from the top, columns from the left, from 0.
    pub fn is_one(&self, row: usize, column: usize) -> bool {
        let index = row << self.depth | column;
        self.words[index / 64] >> (index % 64) & 1 == 1
    }

    /// How many cells are 1.
    pub fn ones(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }
}

/// What is left of a matrix.
#[derive(Clone, Debug)]
pub struct MatrixGame {
    matrix: Arc<Matrix>,
    /// The first row and column that are left.
    row: usize,
    column: usize,
    turn: usize,
}

impl MatrixGame {
    /// The whole matrix.
    pub fn new(matrix: Arc<Matrix>) -> MatrixGame {
        MatrixGame { matrix, row: 0, column: 0, turn: 0 }
    }

    /// Rows and columns that are left.
    fn sides(&self) -> (usize, usize) {
        let halved = |side: usize, times: usize| side >> times;
        (halved(self.matrix.side(), self.turn.div_ceil(2)), halved(self.matrix.side(), self.turn / 2))
    }
}

/// Positions of one game have one matrix; it need not be looked at.
impl PartialEq for MatrixGame {
    fn eq(&self, other: &MatrixGame) -> bool {
        (self.row, self.column, self.turn) == (other.row, other.column, other.turn)
    }
}

impl Eq for MatrixGame {}

impl Hash for MatrixGame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.row, self.column, self.turn).hash(state);
    }
}

/// Which half is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Half {
    /// The upper or the left one.
    Near,
    /// The lower or the right one.
    Far,
}

impl Finite for MatrixGame {
    type Move = Half;

    fn mover(&self) -> Side {
        if self.turn.is_multiple_of(2) { Side::First } else { Side::Second }
    }

    fn value(&self) -> Option<i32> {
        let over = self.turn == 2 * self.matrix.depth;
        over.then(|| if self.matrix.is_one(self.row, self.column) { 1 } else { -1 })
    }

    fn moves(&self) -> Vec<Half> {
        vec![Half::Near, Half::Far]
    }

    fn after(&self, half: Half) -> MatrixGame {
        let (rows, columns) = self.sides();
        let mut next = MatrixGame { turn: self.turn + 1, ..self.clone() };
        match (half, self.mover()) {
            (Half::Near, _) => {}
            (Half::Far, Side::First) => next.row += rows / 2,
            (Half::Far, Side::Second) => next.column += columns / 2,
        }
        next
    }

    /// No two lines of play lead to the same place.
    fn may_return(&self) -> bool {
        false
    }
}

impl Spoken for MatrixGame {
    fn title(&self) -> String {
        let side = self.matrix.side();
        format!("the matrix game of depth {}: {side}x{side}, {} ones", self.matrix.depth, self.matrix.ones())
    }

    fn drawing(&self) -> String {
        let (rows, columns) = self.sides();
        if columns > 64 || rows > 64 {
            return format!("  {rows} rows and {columns} columns are left\n");
        }
        let row = |row| {
            let cell = |column| if self.matrix.is_one(row, column) { '1' } else { '0' };
            format!("  {}\n", (self.column..self.column + columns).map(cell).collect::<String>())
        };
        (self.row..self.row + rows).map(row).collect()
    }

    fn question(&self) -> String {
        match self.mover() {
            Side::First => "which half to keep, upper or lower".to_owned(),
            Side::Second => "which half to keep, left or right".to_owned(),
        }
    }

    fn name_of(&self, half: Half) -> String {
        match (half, self.mover()) {
            (Half::Near, Side::First) => "upper",
            (Half::Far, Side::First) => "lower",
            (Half::Near, Side::Second) => "left",
            (Half::Far, Side::Second) => "right",
        }
        .to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::super::search::Search;
    use super::super::twin;
    use super::*;
    use crate::effort::Limits;

    #[test]
    fn the_cell_that_is_left_is_the_one_of_the_paper() {
        // Cuts 0 1 1 0 1 1 of an 8x8 matrix leave the cell with the index 29, rows and columns from 0.
        let matrix = Arc::new(Matrix::of(3, |index| index == 29).unwrap());
        let mut game = MatrixGame::new(matrix.clone());
        for half in [Half::Near, Half::Far, Half::Far, Half::Near, Half::Far, Half::Far] {
            game = game.after(half);
        }
        assert_eq!((game.row, game.column, game.value()), (3, 5, Some(1)));
        assert!(matrix.is_one(3, 5));
    }

    #[test]
    fn a_matrix_is_read_as_it_is_written() {
        let matrix = Matrix::parse("# two by two\n01\n1 1\n\n").unwrap();
        assert_eq!((matrix.depth(), matrix.ones()), (1, 3));
        assert!(!matrix.is_one(0, 0) && matrix.is_one(0, 1) && matrix.is_one(1, 0));
        let complaint = |text: &str| Matrix::parse(text).unwrap_err().to_string();
        assert_eq!(complaint("01\n0x\n"), "line 2: 'x' is neither 0 nor 1");
        assert_eq!(complaint("01\n0\n"), "line 2 has 1 cells, and there are 2 rows");
        assert_eq!(complaint("01\n00\n11\n"), "3 rows: there must be 1, 2, 4, ... 4096");
        assert!(complaint("").starts_with("0 rows"));
        assert_eq!(Matrix::random(13, 0.5, 0), Err(MatrixError::Depth(13)));
    }

    #[test]
    fn the_search_says_what_the_twin_says() {
        let limits = Limits::none();
        let mut wins = 0;
        for seed in 0..300 {
            let matrix = Matrix::random(seed as usize % 6, 0.6, seed).unwrap();
            let game = MatrixGame::new(Arc::new(matrix));
            let value = twin::value(&game);
            assert_eq!(Search::new(&limits).value(&game), Ok(value), "{seed}");
            wins += usize::from(value == 1);
        }
        assert!((100..200).contains(&wins), "{wins}");
    }
}
