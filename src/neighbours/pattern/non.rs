//! Puzzles as text: the format of Steve Simpson's solvers, files called `.non`.
//!
//! ```text
//! title "A letter"
//! width 3
//! height 2
//! rows
//! 3
//! 1,1
//! columns
//! 2
//! 1
//! 2
//! ```
//!
//! An empty line has the clue 0; where one line too few would stand otherwise, a blank one does as well, as some
//! programs write it. Keys that are not known are passed over, as the format has it. `goal` is the solution, row by row
//! as 0 and 1; only its length is looked at. `given` is ours: the cells that are given, row by row, `1` black, `0` blank
//! and `?` open. Other programs pass over it.

use super::clues::{ClueError, Grid, Puzzle};
use std::fmt::Write as _;
use thiserror::Error;

/// Why a text is no puzzle. Lines are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NonError {
    /// A line that cannot be read.
    #[error("line {line}: {reason}")]
    Line {
        /// Its number.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// Something is missing.
    #[error("there is no line '{0}'")]
    Missing(&'static str),
    /// The clues make no puzzle.
    #[error(transparent)]
    Clues(#[from] ClueError),
}

/// The puzzle of a text.
pub fn read(text: &str) -> Result<Puzzle, NonError> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let (mut width, mut height, mut title) = (None, None, None);
    let (mut rows, mut columns) = (None, None);
    let (mut given, mut goal) = (None, None);
    let mut at = 0;
    while at < lines.len() {
        let number = at + 1;
        let wrong = |reason: String| NonError::Line { line: number, reason };
        let (key, value) = lines[at].split_once(char::is_whitespace).unwrap_or((lines[at], ""));
        let value = value.trim();
        at += 1;
        match (key, value) {
            ("rows" | "columns", "") => {
                let side = if key == "rows" { height } else { width };
                let missing = if key == "rows" { "height" } else { "width" };
                let side = side.ok_or_else(|| wrong(format!("'{key}' before '{missing}'")))?;
                let end = at + lines[at..].iter().take_while(|line| is_clue(line)).count();
                let clues = clues(&lines[at..end], at + 1, side).map_err(|error| {
                    error.unwrap_or_else(|| wrong(format!("{side} lines of clues belong to '{key}'")))
                })?;
                let place = if key == "rows" { &mut rows } else { &mut columns };
                if place.replace(clues).is_some() {
                    return Err(wrong(format!("'{key}' stands here for the second time")));
                }
                at = end;
            }
            ("width" | "columns" | "height" | "rows", _) => {
                let side = value.parse::<usize>().map_err(|_| wrong(format!("'{value}' is no number of lines")))?;
                let place = if matches!(key, "width" | "columns") { &mut width } else { &mut height };
                if place.replace(side).is_some() {
                    return Err(wrong(format!("'{key}' stands here for the second time")));
                }
            }
            ("title", _) => title = Some(plain(unquoted(value))),
            ("given", _) => given = Some((number, unquoted(value))),
            ("goal", _) => goal = Some((number, unquoted(value))),
            _ => {}
        }
    }
    let cells = width.ok_or(NonError::Missing("width"))?.checked_mul(height.ok_or(NonError::Missing("height"))?);
    let rows = rows.ok_or(NonError::Missing("rows"))?;
    let columns = columns.ok_or(NonError::Missing("columns"))?;
    if let Some((line, goal)) = goal
        && cells != Some(goal.chars().count())
    {
        let reason = format!("the goal has {} cells, the puzzle {}", goal.chars().count(), cells.unwrap_or(usize::MAX));
        return Err(NonError::Line { line, reason });
    }
    let given = match given {
        None => Vec::new(),
        Some((line, cells)) => cells
            .chars()
            .map(|cell| match cell {
                '1' => Ok(Some(true)),
                '0' => Ok(Some(false)),
                '?' => Ok(None),
                other => Err(NonError::Line { line, reason: format!("'{other}' is none of 0, 1 and ?") }),
            })
            .collect::<Result<_, _>>()?,
    };
    Ok(Puzzle::new(rows, columns, given)?.titled(title))
}

/// Whether a line belongs to a list of clues.
fn is_clue(line: &str) -> bool {
    line.chars().next().is_none_or(|first| first.is_ascii_digit() || matches!(first, '-' | '+' | ','))
}

/// As many clues as wanted, the first on the line of this number; no error of its own if there are too few or too many.
fn clues(lines: &[&str], first: usize, side: usize) -> Result<Vec<Vec<usize>>, Option<NonError>> {
    let written = lines.iter().filter(|line| !line.is_empty()).count();
    // Blank lines are clues of empty lines only where the others are too few.
    let counted: Vec<(usize, &str)> = if written == side {
        (first..).zip(lines.iter().copied()).filter(|(_, line)| !line.is_empty()).collect()
    } else {
        (first..).zip(lines.iter().copied()).take(side.max(written)).collect()
    };
    if counted.len() != side {
        return Err(None);
    }
    counted.into_iter().map(|(number, line)| clue(line, number).map_err(Some)).collect()
}

/// The bands of a line, with commas or blanks between them.
fn clue(line: &str, number: usize) -> Result<Vec<usize>, NonError> {
    line.split([',', ' ', '\t'])
        .filter(|band| !band.is_empty())
        .map(|band| {
            let colour = band.trim_start_matches(|letter: char| letter.is_ascii_digit());
            let reason = if colour.chars().all(|letter| letter.is_ascii_lowercase()) && !colour.is_empty() {
                format!("'{band}' is a coloured band; puzzles here are black and white")
            } else {
                format!("'{band}' is no length of a band")
            };
            band.parse().map_err(|_| NonError::Line { line: number, reason })
        })
        .collect()
}

fn unquoted(value: &str) -> &str {
    value.strip_prefix('"').and_then(|value| value.strip_suffix('"')).unwrap_or(value)
}

/// Without the signs that stand for others in quoted text.
fn plain(text: &str) -> String {
    text.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
}

/// The text of a puzzle, and of its solution.
pub fn write(puzzle: &Puzzle, goal: Option<&Grid>) -> String {
    let mut text = String::new();
    if let Some(title) = puzzle.title() {
        let title: String = title.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        let _ = writeln!(text, "title \"{}\"", title.replace('&', "&amp;").replace('"', "&quot;"));
    }
    let _ = writeln!(text, "width {}\nheight {}", puzzle.width(), puzzle.height());
    for (key, lines) in [("rows", puzzle.rows()), ("columns", puzzle.columns())] {
        let _ = writeln!(text, "\n{key}");
        for bands in lines {
            let _ = writeln!(text, "{}", clue_text(bands, ","));
        }
    }
    if puzzle.given().iter().any(Option::is_some) {
        let given: String = puzzle.given().iter().map(|cell| cell.map_or('?', sign)).collect();
        let _ = writeln!(text, "\ngiven \"{given}\"");
    }
    if let Some(goal) = goal {
        let goal: String = goal.cells().iter().map(|black| sign(*black)).collect();
        let _ = writeln!(text, "\ngoal \"{goal}\"");
    }
    text
}

fn sign(black: bool) -> char {
    if black { '1' } else { '0' }
}

/// A clue in writing; that of an empty line is 0.
pub fn clue_text(bands: &[usize], between: &str) -> String {
    if bands.is_empty() {
        return "0".to_owned();
    }
    bands.iter().map(usize::to_string).collect::<Vec<_>>().join(between)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbours::random::Random;

    const LETTER: &str = "catalogue \"x\"\ntitle \"A &amp; B\"\nwidth 3\nheight 2\nrows\n3\n1,1\n\ncolumns\n2\n1\n2\n";

    #[test]
    fn puzzles_are_read_as_they_are_written() {
        let puzzle = read(LETTER).unwrap();
        assert_eq!((puzzle.width(), puzzle.height(), puzzle.title()), (3, 2, Some("A & B")));
        assert_eq!(puzzle.rows(), [vec![3], vec![1, 1]]);
        let mut random = Random::new(1);
        for _ in 0..50 {
            let width = 1 + random.below(6);
            let cells = (0..width * (1 + random.below(6))).map(|_| random.chance(0.3)).collect();
            let grid = Grid::new(width, cells).unwrap();
            let given = grid.cells().iter().map(|cell| random.chance(0.1).then_some(*cell)).collect();
            let puzzle = Puzzle::of_grid(&grid).with_given(given).titled(Some("\"A\" & B".to_owned()));
            assert_eq!(read(&write(&puzzle, Some(&grid))), Ok(puzzle.clone()), "{}", write(&puzzle, None));
            assert_eq!(read(&write(&puzzle, None)), Ok(puzzle));
        }
    }

    #[test]
    fn empty_lines_are_zeros_or_blank() {
        for rows in ["0\n1", "\n1", "\n\n0\n1\n\n"] {
            let text = format!("rows 2\ncolumns 1\nrows\n{rows}\ncolumns\n1\n");
            assert_eq!(read(&text).map(|puzzle| puzzle.rows().to_vec()), Ok(vec![vec![], vec![1]]), "{rows:?}");
        }
        let text = "height 2\nwidth 1\ncolumns\n1\nrows\n1\n\n";
        assert_eq!(read(text).map(|puzzle| puzzle.rows().to_vec()), Ok(vec![vec![1], vec![]]));
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, message) in [
            ("", "there is no line 'width'"),
            ("width 1\n", "there is no line 'height'"),
            ("rows\n1\n", "line 1: 'rows' before 'height'"),
            ("width x\n", "line 1: 'x' is no number of lines"),
            ("width 1\nwidth 1\n", "line 2: 'width' stands here for the second time"),
            ("height 2\nrows\n1\n1\n1\n", "line 2: 2 lines of clues belong to 'rows'"),
            ("height 2\nrows\n1\n", "line 2: 2 lines of clues belong to 'rows'"),
            ("height 1\nrows\n1\nrows\n1\n", "line 4: 'rows' stands here for the second time"),
            ("height 1\nrows\n3a,1\n", "line 3: '3a' is a coloured band; puzzles here are black and white"),
            ("height 1\nrows\n-3\n", "line 3: '-3' is no length of a band"),
            ("height 1\nrows\n99999999999999999999\n", "line 3: '99999999999999999999' is no length of a band"),
            (
                "width 1\nheight 1\nrows\n2\ncolumns\n1\n",
                "row 1: a band of 2 is longer than the line, which has 1 cells",
            ),
            ("width 1\nheight 1\nrows\n1\ncolumns\n1\ngoal \"10\"\n", "line 7: the goal has 2 cells, the puzzle 1"),
            ("width 1\nheight 1\nrows\n1\ncolumns\n1\ngiven \"x\"\n", "line 7: 'x' is none of 0, 1 and ?"),
            (
                "width 1\nheight 1\nrows\n1\ncolumns\n1\ngiven \"??\"\n",
                "2 cells are given or left open, but the puzzle has 1",
            ),
        ] {
            assert_eq!(read(text).unwrap_err().to_string(), message, "{text:?}");
        }
    }
}
