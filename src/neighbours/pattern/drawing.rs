//! Puzzles and their solutions to look at: as text, and as SVG.

use super::clues::{Grid, Puzzle};
use super::non::clue_text;
use std::fmt::Write as _;

/// What is seen of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seen {
    Black,
    Blank,
    Open,
}

/// A puzzle, with the cells of a solution or with the given ones only.
pub struct Drawing<'a> {
    puzzle: &'a Puzzle,
    solution: Option<&'a Grid>,
}

impl<'a> Drawing<'a> {
    /// The drawing of a puzzle, solved or not.
    pub fn new(puzzle: &'a Puzzle, solution: Option<&'a Grid>) -> Drawing<'a> {
        Drawing { puzzle, solution }
    }

    fn seen(&self, cell: usize) -> Seen {
        match self.solution.map(|grid| grid.cells()[cell]).or(self.puzzle.given()[cell]) {
            Some(true) => Seen::Black,
            Some(false) => Seen::Blank,
            None => Seen::Open,
        }
    }

    /// Rows of signs, `#` black, `.` blank and `?` open, clues to the left and above.
    pub fn text(&self) -> String {
        let (puzzle, width) = (self.puzzle, self.puzzle.width());
        let rows: Vec<String> = puzzle.rows().iter().map(|bands| clue_text(bands, " ")).collect();
        let margin = rows.iter().map(String::len).max().unwrap_or(0);
        let columns: Vec<Vec<String>> = puzzle
            .columns()
            .iter()
            .map(|bands| clue_text(bands, " ").split(' ').map(str::to_owned).collect())
            .collect();
        let high = columns.iter().map(Vec::len).max().unwrap_or(0);
        // One blank between cells where the clues have one digit, more where they have more.
        let broad = 1 + columns.iter().flatten().map(String::len).max().unwrap_or(1);
        let mut text = String::new();
        for line in 0..high {
            let mut row = " ".repeat(margin);
            for column in &columns {
                let clue = (line + column.len()).checked_sub(high).map_or("", |band| column[band].as_str());
                let _ = write!(row, "{clue:>broad$}");
            }
            let _ = writeln!(text, "{}", row.trim_end());
        }
        for (y, clue) in rows.iter().enumerate() {
            let _ = write!(text, "{clue:>margin$}");
            for x in 0..width {
                let sign = match self.seen(y * width + x) {
                    Seen::Black => '#',
                    Seen::Blank => '.',
                    Seen::Open => '?',
                };
                let _ = write!(text, "{sign:>broad$}");
            }
            text.push('\n');
        }
        text
    }

    /// A file of its own in SVG: black squares, dots for cells given blank, every fifth line thick.
    pub fn svg(&self) -> String {
        const SIDE: usize = 20;
        let (puzzle, width, height) = (self.puzzle, self.puzzle.width(), self.puzzle.height());
        let most = |lines: &[Vec<usize>]| lines.iter().map(|bands| bands.len().max(1)).max().unwrap_or(1);
        // A little air at the right and below.
        let (left, top) = (most(puzzle.rows()) * SIDE, most(puzzle.columns()) * SIDE);
        let (right, bottom) = (left + width * SIDE, top + height * SIDE);
        let (broad, high) = (right + SIDE / 2, bottom + SIDE / 2);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{broad}\" height=\"{high}\" viewBox=\"0 0 {broad} {high}\" \
             font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\">\n\
             <rect width=\"{broad}\" height=\"{high}\" fill=\"white\"/>\n"
        );
        for (cell, given) in puzzle.given().iter().enumerate() {
            let (x, y) = (left + cell % width * SIDE, top + cell / width * SIDE);
            let _ = match (self.seen(cell), given) {
                (Seen::Black, _) => {
                    writeln!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"black\"/>")
                }
                (Seen::Blank, Some(_)) => {
                    let (x, y) = (x + SIDE / 2, y + SIDE / 2);
                    writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"2\" fill=\"gray\"/>")
                }
                (Seen::Blank | Seen::Open, _) => Ok(()),
            };
        }
        let mut stroke = |number: usize, last: usize, from: (usize, usize), to: (usize, usize)| {
            let thick = if number.is_multiple_of(5) || number == last { 2 } else { 1 };
            let ((a, b), (c, d)) = (from, to);
            let _ = writeln!(svg, "<path d=\"M {a} {b} L {c} {d}\" stroke=\"gray\" stroke-width=\"{thick}\"/>");
        };
        for x in 0..=width {
            stroke(x, width, (left + x * SIDE, top), (left + x * SIDE, bottom));
        }
        for y in 0..=height {
            stroke(y, height, (left, top + y * SIDE), (right, top + y * SIDE));
        }
        // The last band of a clue stands next to the grid.
        let mut word = |bands: &[usize], place: &dyn Fn(usize) -> (usize, usize)| {
            let clue = clue_text(bands, " ");
            for (away, band) in clue.split(' ').rev().enumerate() {
                let (x, y) = place(away);
                let _ = writeln!(svg, "<text x=\"{}\" y=\"{}\">{band}</text>", x + SIDE / 2, y + SIDE * 7 / 10);
            }
        };
        for (x, bands) in puzzle.columns().iter().enumerate() {
            word(bands, &|away| (left + x * SIDE, top - (away + 1) * SIDE));
        }
        for (y, bands) in puzzle.rows().iter().enumerate() {
            word(bands, &|away| (left - (away + 1) * SIDE, top + y * SIDE));
        }
        svg + "</svg>\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clues_stand_beside_their_lines() {
        let grid = Grid::new(3, [1, 0, 0, 1, 0, 1, 0, 1, 1].map(|cell| cell == 1).to_vec()).unwrap();
        let mut given = vec![None; 9];
        (given[0], given[1]) = (Some(true), Some(false));
        let puzzle = Puzzle::of_grid(&grid).with_given(given);
        assert_eq!(Drawing::new(&puzzle, Some(&grid)).text(), "    2 1 2\n  1 # . .\n1 1 # . #\n  2 . # #\n");
        assert_eq!(Drawing::new(&puzzle, None).text(), "    2 1 2\n  1 # . ?\n1 1 ? ? ?\n  2 ? ? ?\n");
        let svg = Drawing::new(&puzzle, Some(&grid)).svg();
        // The ground and the black cells; the clues; the cell given blank.
        assert_eq!(svg.matches("<rect").count(), 1 + 5);
        assert_eq!((svg.matches("<text").count(), svg.matches("<circle").count()), (3 + 4, 1));
        assert_eq!(Drawing::new(&puzzle, None).svg().matches("<rect").count(), 2);
    }

    #[test]
    fn long_bands_and_empty_lines_have_room() {
        let grid = Grid::new(12, [[true; 12], [false; 12]].concat()).unwrap();
        let text = Drawing::new(&Puzzle::of_grid(&grid), Some(&grid)).text();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], format!("  {}", " 1".repeat(12)));
        assert_eq!(lines[1], format!("12{}", " #".repeat(12)));
        assert_eq!(lines[2], format!(" 0{}", " .".repeat(12)));
    }
}
