//! Puzzles as JSON: `{"title": null, "rows": [[3], [1, 1]], "columns": [[2], [1], [2]], "given": ["?.?", "???"]}`.
//!
//! `title` and `given` may be left out. In `given` a row of the grid is a string, `#` black, `.` blank and `?` open.

use super::clues::{ClueError, Puzzle};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A puzzle as it stands in a file.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Written {
    /// What it is called.
    #[serde(default)]
    pub title: Option<String>,
    /// The bands of each row; none in an empty one.
    pub rows: Vec<Vec<usize>>,
    /// The bands of each column.
    pub columns: Vec<Vec<usize>>,
    /// The rows of the grid, if cells are given.
    #[serde(default)]
    pub given: Option<Vec<String>>,
}

/// Why a text is no puzzle.
#[derive(Debug, Error)]
pub enum JsonError {
    /// No JSON, or JSON of something else.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// A row of given cells that cannot be read.
    #[error("given, row {row}: {reason}")]
    Given {
        /// Its number, from 1.
        row: usize,
        /// What is wrong.
        reason: String,
    },
    /// The clues make no puzzle.
    #[error(transparent)]
    Clues(#[from] ClueError),
}

impl Written {
    /// The puzzle in writing.
    pub fn new(puzzle: &Puzzle) -> Written {
        let sign = |cell: &Option<bool>| match cell {
            Some(true) => '#',
            Some(false) => '.',
            None => '?',
        };
        let rows = || puzzle.given().chunks(puzzle.width()).map(|row| row.iter().map(sign).collect()).collect();
        Written {
            title: puzzle.title().map(str::to_owned),
            rows: puzzle.rows().to_vec(),
            columns: puzzle.columns().to_vec(),
            given: puzzle.given().iter().any(Option::is_some).then(rows),
        }
    }
}

/// The text of a puzzle, on one line.
pub fn write(puzzle: &Puzzle) -> String {
    serde_json::to_string(&Written::new(puzzle)).expect("lists of numbers and words are JSON")
}

/// The puzzle of a text.
pub fn read(text: &str) -> Result<Puzzle, JsonError> {
    let written: Written = serde_json::from_str(text)?;
    let width = written.columns.len();
    let mut given = Vec::new();
    for (row, cells) in (1..).zip(written.given.iter().flatten()) {
        if cells.chars().count() != width {
            let reason = format!("{} cells, but there are {width} columns", cells.chars().count());
            return Err(JsonError::Given { row, reason });
        }
        for cell in cells.chars() {
            given.push(match cell {
                '#' => Some(true),
                '.' => Some(false),
                '?' => None,
                other => {
                    return Err(JsonError::Given { row, reason: format!("'{other}' is none of '#', '.' and '?'") });
                }
            });
        }
    }
    Ok(Puzzle::new(written.rows, written.columns, given)?.titled(written.title))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn puzzles_are_read_as_they_are_written() {
        let text = r##"{"rows": [[3], [1, 1], [0]], "columns": [[2], [1], [2]], "given": ["?.?", "???", "..#"]}"##;
        let puzzle = read(text).unwrap().titled(Some("A \"letter\"".to_owned()));
        assert_eq!(puzzle.given()[1], Some(false));
        assert_eq!(read(&write(&puzzle)).unwrap(), puzzle);
        for (text, message) in [
            ("[]", "invalid length"),
            ("{\"rows\": [[1]], \"columns\": [[1]], \"colour\": 1}", "unknown field `colour`"),
            ("{\"rows\": [[-1]], \"columns\": [[1]]}", "invalid value"),
            ("{\"rows\": [[1]], \"columns\": [[1]], \"given\": [\"??\"]}", "given, row 1: 2 cells, but there are 1"),
            ("{\"rows\": [[1]], \"columns\": [[1]], \"given\": [\"x\"]}", "given, row 1: 'x' is none of"),
            ("{\"rows\": [[1]], \"columns\": [[1]], \"given\": [\"?\", \"?\"]}", "2 cells are given"),
            ("{\"rows\": [[1]], \"columns\": [[0]]}", "the rows have 1 black cells, the columns have 0"),
        ] {
            let found = read(text).unwrap_err().to_string();
            assert!(found.contains(message), "{text}: {found}");
        }
    }
}
