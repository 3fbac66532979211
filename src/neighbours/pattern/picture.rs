//! Pictures to make puzzles of: rows of signs, or PBM in its plain form (`P1`).
//!
//! Signs are `#`, `X`, `x`, `*`, `1` and `█` for black, `.`, `-`, `_`, `0` and blanks for white.

use super::clues::{Grid, MOST_SIDE};
use thiserror::Error;

/// Why a text is no picture.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PictureError {
    /// A sign that is neither.
    #[error("line {line}: '{sign}' is neither black (# X x * 1) nor blank (. - _ 0)")]
    Sign {
        /// The line, from 1.
        line: usize,
        /// The sign.
        sign: char,
    },
    /// Nothing, or too much.
    #[error("a picture has sides of 1 to {MOST_SIDE}, not {width} x {height}")]
    Sides {
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// A damaged PBM file.
    #[error("a plain PBM file has 'P1', its sides and as many 0 and 1 as cells; this one has {found} of {cells}")]
    Pbm {
        /// How many cells there are.
        found: usize,
        /// How many there should be.
        cells: usize,
    },
}

/// The picture of a text. Short rows are filled up with blanks.
pub fn read(text: &str) -> Result<Grid, PictureError> {
    if text.starts_with("P1") {
        return read_pbm(text);
    }
    let mut rows: Vec<Vec<bool>> = Vec::new();
    for (line, row) in (1..).zip(text.lines()) {
        let cells = row.trim_end().chars().map(|sign| match sign {
            '#' | 'X' | 'x' | '*' | '1' | '█' => Ok(true),
            '.' | '-' | '_' | '0' | ' ' => Ok(false),
            sign => Err(PictureError::Sign { line, sign }),
        });
        rows.push(cells.collect::<Result<_, _>>()?);
    }
    while rows.last().is_some_and(Vec::is_empty) {
        rows.pop();
    }
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    check_sides(width, rows.len())?;
    rows.iter_mut().for_each(|row| row.resize(width, false));
    Grid::new(width, rows.concat()).ok_or(PictureError::Sides { width, height: 0 })
}

fn read_pbm(text: &str) -> Result<Grid, PictureError> {
    // Remarks go from # to the end of the line.
    let plain: Vec<&str> = text.lines().map(|line| line.split('#').next().unwrap_or("")).collect();
    let plain = plain.join("\n");
    let mut words = plain.split_whitespace().skip(1);
    let mut side = || words.next().and_then(|word| word.parse::<usize>().ok()).unwrap_or(0);
    let (width, height) = (side(), side());
    check_sides(width, height)?;
    let cells: Vec<bool> = words
        .flat_map(str::chars)
        .map_while(|sign| match sign {
            '1' => Some(true),
            '0' => Some(false),
            _ => None,
        })
        .collect();
    let found = cells.len();
    let whole = Grid::new(width, cells).filter(|_| found == width * height);
    whole.ok_or(PictureError::Pbm { found, cells: width * height })
}

fn check_sides(width: usize, height: usize) -> Result<(), PictureError> {
    let fits = |side| (1..=MOST_SIDE).contains(&side);
    if fits(width) && fits(height) { Ok(()) } else { Err(PictureError::Sides { width, height }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_read() {
        assert_eq!(read("#.#\n X\n\n").unwrap().text_rows(), ["#.#", ".#."]);
        assert_eq!(read("P1\n# a remark\n3 2\n1 0 1\n010\n").unwrap().text_rows(), ["#.#", ".#."]);
        for (text, message) in [
            ("", "a picture has sides of 1 to 500, not 0 x 0"),
            ("P1 3 2 10101", "this one has 5 of 6"),
            ("P1 3 2 1010111", "this one has 7 of 6"),
            ("P1 x", "not 0 x 0"),
            ("#.\n#?", "line 2: '?' is neither"),
        ] {
            let found = read(text).unwrap_err().to_string();
            assert!(found.contains(message), "{text}: {found}");
        }
        let wide = "#".repeat(501);
        assert!(read(&wide).unwrap_err().to_string().ends_with("not 501 x 1"));
    }
}
