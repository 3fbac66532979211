//! Puzzles and pictures: the clues of every line, the cells that are given, and whether a picture fits them.

use thiserror::Error;

/// The longest side.
pub const MOST_SIDE: usize = 500;

/// A direction of lines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// From left to right.
    Row,
    /// From top to bottom.
    Column,
}

impl std::fmt::Display for Direction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Direction::Row => "row",
            Direction::Column => "column",
        })
    }
}

/// Why clues make no puzzle. Lines are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ClueError {
    /// A side without lines, or with too many.
    #[error("a puzzle has 1 to {MOST_SIDE} {direction}s, not {found}")]
    Side {
        /// Which lines are meant.
        direction: Direction,
        /// How many there are.
        found: usize,
    },
    /// A band that does not fit its line even alone.
    #[error("{direction} {line}: a band of {band} is longer than the line, which has {cells} cells")]
    LongBand {
        /// Of the line.
        direction: Direction,
        /// Its number.
        line: usize,
        /// The band's length.
        band: usize,
        /// The line's length.
        cells: usize,
    },
    /// Bands that do not fit side by side.
    #[error("{direction} {line}: the bands need {needed} cells with the gaps between them, the line has {cells}")]
    Crowded {
        /// Of the line.
        direction: Direction,
        /// Its number.
        line: usize,
        /// The least room of its bands.
        needed: usize,
        /// The line's length.
        cells: usize,
    },
    /// A 0 beside other bands.
    #[error("{direction} {line}: a band of 0 beside others; an empty line has the clue 0 alone")]
    EmptyBand {
        /// Of the line.
        direction: Direction,
        /// Its number.
        line: usize,
    },
    /// Rows and columns that count differently.
    #[error("the rows have {rows} black cells, the columns have {columns}")]
    Sums {
        /// By the rows.
        rows: usize,
        /// By the columns.
        columns: usize,
    },
    /// More or fewer given cells than cells.
    #[error("{found} cells are given or left open, but the puzzle has {cells}")]
    Given {
        /// How many there are.
        found: usize,
        /// How many there should be.
        cells: usize,
    },
}

/// A puzzle: lengths of bands for every row and column, and cells given from the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Puzzle {
    title: Option<String>,
    rows: Vec<Vec<usize>>,
    columns: Vec<Vec<usize>>,
    given: Vec<Option<bool>>,
}

/// A finished picture: a cell is black or blank.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Grid {
    width: usize,
    cells: Vec<bool>,
}

impl Puzzle {
    /// The puzzle of these clues, rows from the top, columns from the left. The clue `[0]` is that of an empty line,
    /// as is `[]`. `given` has the cells row by row, or is empty.
    pub fn new(rows: Vec<Vec<usize>>, columns: Vec<Vec<usize>>, given: Vec<Option<bool>>) -> Result<Puzzle, ClueError> {
        let plain = |lines: Vec<Vec<usize>>| -> Vec<Vec<usize>> {
            lines.into_iter().map(|bands| if bands == [0] { Vec::new() } else { bands }).collect()
        };
        let (rows, columns) = (plain(rows), plain(columns));
        for (direction, lines, cells) in
            [(Direction::Row, &rows, columns.len()), (Direction::Column, &columns, rows.len())]
        {
            if !(1..=MOST_SIDE).contains(&lines.len()) {
                return Err(ClueError::Side { direction, found: lines.len() });
            }
            // The other side is told about first if it is the one that is wrong.
            if (1..=MOST_SIDE).contains(&cells) {
                (1..).zip(lines).try_for_each(|(line, bands)| check_line(direction, line, bands, cells))?;
            }
        }
        let sum = |lines: &[Vec<usize>]| lines.iter().flatten().sum::<usize>();
        if sum(&rows) != sum(&columns) {
            return Err(ClueError::Sums { rows: sum(&rows), columns: sum(&columns) });
        }
        let cells = rows.len() * columns.len();
        let given = if given.is_empty() { vec![None; cells] } else { given };
        if given.len() != cells {
            return Err(ClueError::Given { found: given.len(), cells });
        }
        Ok(Puzzle { title: None, rows, columns, given })
    }

    /// The puzzle of a picture.
    pub fn of_grid(grid: &Grid) -> Puzzle {
        Puzzle {
            title: None,
            rows: (0..grid.height()).map(|y| bands((0..grid.width).map(|x| grid.is_black(x, y)))).collect(),
            columns: (0..grid.width).map(|x| bands((0..grid.height()).map(|y| grid.is_black(x, y)))).collect(),
            given: vec![None; grid.cells.len()],
        }
    }

    /// The same puzzle under a title.
    pub fn titled(mut self, title: Option<String>) -> Puzzle {
        self.title = title;
        self
    }

    /// The same puzzle with other cells given, row by row; as many as it has cells.
    pub fn with_given(mut self, given: Vec<Option<bool>>) -> Puzzle {
        assert_eq!(given.len(), self.given.len(), "as many as there are cells");
        self.given = given;
        self
    }

    /// What it is called.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.columns.len()
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.rows.len()
    }

    /// The bands of each row; none in an empty one.
    pub fn rows(&self) -> &[Vec<usize>] {
        &self.rows
    }

    /// The bands of each column.
    pub fn columns(&self) -> &[Vec<usize>] {
        &self.columns
    }

    /// The given cells, row by row.
    pub fn given(&self) -> &[Option<bool>] {
        &self.given
    }

    /// Every line: its bands, and its cells as numbers row by row.
    pub fn lines(&self) -> impl Iterator<Item = (&[usize], Vec<usize>)> {
        let (width, height) = (self.width(), self.height());
        let rows = (0..height).map(move |y| (&*self.rows[y], (0..width).map(|x| y * width + x).collect()));
        rows.chain((0..width).map(move |x| (&*self.columns[x], (0..height).map(|y| y * width + x).collect())))
    }

    /// Whether a picture is a solution, by the clues and the given cells alone.
    pub fn fits(&self, grid: &Grid) -> bool {
        let own = Puzzle::of_grid(grid);
        let given = self.given.iter().zip(&grid.cells).all(|(given, cell)| given.is_none_or(|given| given == *cell));
        given && own.rows == self.rows && own.columns == self.columns
    }
}

impl Grid {
    /// A picture of this width, row by row from the top; `None` if the rows are not full or there is none.
    pub fn new(width: usize, cells: Vec<bool>) -> Option<Grid> {
        let whole = width > 0 && !cells.is_empty() && cells.len().is_multiple_of(width);
        whole.then_some(Grid { width, cells })
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.cells.len() / self.width
    }

    /// Whether the cell in this column and this row from the top, both from 0, is black.
    pub fn is_black(&self, x: usize, y: usize) -> bool {
        self.cells[y * self.width + x]
    }

    /// The cells, row by row.
    pub fn cells(&self) -> &[bool] {
        &self.cells
    }

    /// The rows as `#` and `.`.
    pub fn text_rows(&self) -> Vec<String> {
        let row = |cells: &[bool]| cells.iter().map(|black| if *black { '#' } else { '.' }).collect();
        self.cells.chunks(self.width).map(row).collect()
    }
}

/// The lengths of the runs of black cells.
fn bands(cells: impl Iterator<Item = bool>) -> Vec<usize> {
    let mut found = Vec::new();
    let mut run = 0;
    for black in cells.chain([false]) {
        if black {
            run += 1;
        } else if run > 0 {
            found.push(run);
            run = 0;
        }
    }
    found
}

fn check_line(direction: Direction, line: usize, bands: &[usize], cells: usize) -> Result<(), ClueError> {
    if bands.contains(&0) {
        return Err(ClueError::EmptyBand { direction, line });
    }
    if let Some(&band) = bands.iter().find(|band| **band > cells) {
        return Err(ClueError::LongBand { direction, line, band, cells });
    }
    // No overflow: no band is longer than a line, and a line of more bands than cells is refused as well.
    let needed = bands.iter().take(cells + 1).sum::<usize>() + bands.len().saturating_sub(1);
    if needed > cells { Err(ClueError::Crowded { direction, line, needed, cells }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(rows: &[&[usize]], columns: &[&[usize]]) -> String {
        let lines = |lines: &[&[usize]]| lines.iter().map(|bands| bands.to_vec()).collect();
        Puzzle::new(lines(rows), lines(columns), Vec::new()).unwrap_err().to_string()
    }

    #[test]
    fn bad_clues_are_named() {
        assert_eq!(refusal(&[], &[&[1]]), "a puzzle has 1 to 500 rows, not 0");
        assert_eq!(refusal(&[&[1]], &[]), "a puzzle has 1 to 500 columns, not 0");
        assert_eq!(
            refusal(&[&[1], &[3]], &[&[1], &[1]]),
            "row 2: a band of 3 is longer than the line, which has 2 cells"
        );
        assert_eq!(
            refusal(&[&[1], &[1]], &[&[1], &[1, 1]]),
            "column 2: the bands need 3 cells with the gaps between them, the line has 2"
        );
        assert_eq!(
            refusal(&[&[1], &[1, 0]], &[&[1], &[1]]),
            "row 2: a band of 0 beside others; an empty line has the clue 0 alone"
        );
        assert_eq!(refusal(&[&[2], &[2]], &[&[2], &[1]]), "the rows have 4 black cells, the columns have 3");
        let short = Puzzle::new(vec![vec![1]], vec![vec![1]], vec![None; 2]).unwrap_err();
        assert_eq!(short.to_string(), "2 cells are given or left open, but the puzzle has 1");
    }

    #[test]
    fn a_picture_fits_its_own_clues_and_no_others() {
        let grid = Grid::new(3, [1, 0, 0, 1, 0, 1, 0, 1, 1].map(|cell| cell == 1).to_vec()).unwrap();
        let puzzle = Puzzle::of_grid(&grid);
        assert_eq!(puzzle.rows(), [vec![1], vec![1, 1], vec![2]]);
        assert_eq!(puzzle.columns(), [vec![2], vec![1], vec![2]]);
        assert!(puzzle.fits(&grid));
        let mut other = grid.clone();
        other.cells[0] = false;
        assert!(!puzzle.fits(&other));
        let mut given = vec![None; 9];
        given[0] = Some(false);
        assert!(!puzzle.with_given(given).fits(&grid));
        assert_eq!(grid.text_rows(), ["#..", "#.#", ".##"]);
    }
}
