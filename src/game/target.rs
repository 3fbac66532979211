//! The target of a game: what is to be completed. One shape or several, k in a row, or a connection of two sides.
//!
//! `A+B` means that both players may complete any image of A or of B. On a [`Ground`] a target becomes winning sets: each
//! once, and none that contains another, because whoever completes the larger has completed the smaller before.

use crate::game::ground::{Family, Ground, Point};
use harary_certificate::{Cell, Shape, WideSet};
use std::collections::BTreeSet;
use std::fmt;
use thiserror::Error;

/// More winning sets than this are not written out.
pub const MOST_SETS: usize = 100_000;

/// One thing that may be completed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Part {
    /// A shape, turned and flipped in every way; in a box of cubes it is a flat one.
    Shape(Shape),
    /// So many cells in a straight line, with all diagonals there are.
    Row(usize),
    /// The full lines of a board with equal sides.
    Lines,
    /// Hex: Black joins the lowest row with the highest, White the first column with the last.
    Connection,
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Part::Shape(shape) => write!(f, "{shape}"),
            Part::Row(length) => write!(f, "row{length}"),
            Part::Lines => f.write_str("lines"),
            Part::Connection => f.write_str("hex"),
        }
    }
}

/// Why a target makes no game on a ground.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum TargetError {
    /// A row of nothing.
    #[error("a row has at least one cell")]
    EmptyRow,
    /// Lines of what has no lines.
    #[error(
        "full lines are those of a plain board with equal sides, for example 4x4 or 4x4x4, not of {0}; write --row K"
    )]
    NoLines(Ground),
    /// Hex and something else.
    #[error("Hex is played for a connection alone, not for '{0}' as well")]
    Mixed(String),
    /// Hex on squares.
    #[error("Hex is played on hexagonal cells, not on {0}")]
    NotHexagonal(Ground),
    /// More sets than can be dealt with.
    #[error("{0} on {1} has more than {MOST_SETS} winning sets")]
    TooMany(String, Ground),
}

/// The winning sets of both players, sorted.
#[derive(Clone, Debug)]
pub struct WinningSets {
    /// What Black may complete.
    pub black: Vec<WideSet>,
    /// What White may complete.
    pub white: Vec<WideSet>,
}

/// What is to be completed: one part or several.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Target {
    parts: Vec<Part>,
}

impl Target {
    /// A target of these parts. A part that is there twice counts once.
    pub fn new(parts: impl IntoIterator<Item = Part>) -> Target {
        let mut distinct: Vec<Part> = Vec::new();
        for part in parts {
            if !distinct.contains(&part) {
                distinct.push(part);
            }
        }
        Target { parts: distinct }
    }

    /// Its parts, in the order they were named.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The shape, if it is one and nothing else.
    pub fn shape(&self) -> Option<&Shape> {
        match &self.parts[..] {
            [Part::Shape(shape)] => Some(shape),
            _ => None,
        }
    }

    /// Whether it is Hex.
    pub fn is_connection(&self) -> bool {
        self.parts.contains(&Part::Connection)
    }

    /// Its winning sets on a ground.
    pub fn sets(&self, ground: &Ground) -> Result<WinningSets, TargetError> {
        if self.is_connection() {
            return self.connections(ground);
        }
        let mut found = BTreeSet::new();
        for part in &self.parts {
            match part {
                Part::Shape(shape) => found.extend(images(shape, ground)),
                Part::Row(0) => return Err(TargetError::EmptyRow),
                Part::Row(length) => found.extend(rows(*length, ground)),
                Part::Lines => found.extend(rows(full_line(ground)?, ground)),
                Part::Connection => {}
            }
        }
        if found.len() > MOST_SETS {
            return Err(TargetError::TooMany(self.to_string(), *ground));
        }
        let sets = least(found.into_iter().collect());
        Ok(WinningSets { white: sets.clone(), black: sets })
    }

    fn connections(&self, ground: &Ground) -> Result<WinningSets, TargetError> {
        if let Some(other) = self.parts.iter().find(|part| **part != Part::Connection) {
            return Err(TargetError::Mixed(other.to_string()));
        }
        if ground.family() != Family::Hexagonal {
            return Err(TargetError::NotHexagonal(*ground));
        }
        let side = |axis| chains(ground, axis).ok_or_else(|| TargetError::TooMany(self.to_string(), *ground));
        Ok(WinningSets { black: side(1)?, white: side(0)? })
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, part) in self.parts.iter().enumerate() {
            write!(f, "{}{part}", if index > 0 { "+" } else { "" })?;
        }
        Ok(())
    }
}

/// The cells at these points, seen from a cell; none if they do not lie on the ground or on one another.
fn laid(points: &[Point], ground: &Ground, at: Cell) -> Option<WideSet> {
    let origin = ground.point(at);
    let cell = |point: &Point| ground.cell_at([origin[0] + point[0], origin[1] + point[1], origin[2] + point[2]]);
    let set = points.iter().map(cell).collect::<Option<WideSet>>()?;
    (set.len() == points.len()).then_some(set)
}

/// All images of a shape.
fn images(shape: &Shape, ground: &Ground) -> BTreeSet<WideSet> {
    let points: Vec<Point> = shape.cells().iter().map(|&(x, y)| [x.into(), y.into(), 0]).collect();
    let orientations = ground.orientations(&points);
    orientations.iter().flat_map(|image| ground.cells().filter_map(|cell| laid(image, ground, cell))).collect()
}

/// All straight lines of so many cells.
fn rows(length: usize, ground: &Ground) -> BTreeSet<WideSet> {
    // No line is longer than the ground has cells.
    let steps = length.min(ground.size() + 1) as i32;
    let line = |step: &Point| -> Vec<Point> { (0..steps).map(|k| [k * step[0], k * step[1], k * step[2]]).collect() };
    let lines: Vec<Vec<Point>> = ground.directions().iter().map(line).collect();
    lines.iter().flat_map(|line| ground.cells().filter_map(|cell| laid(line, ground, cell))).collect()
}

/// The length of the full lines of a ground.
fn full_line(ground: &Ground) -> Result<usize, TargetError> {
    let [width, height, depth] = ground.lengths();
    let even = width == height && (!ground.is_box() || depth == width);
    (even && ground.family() == Family::Plain).then_some(width).ok_or(TargetError::NoLines(*ground))
}

/// The sets that contain no other. They come in sorted and leave sorted.
fn least(mut sets: Vec<WideSet>) -> Vec<WideSet> {
    let sizes: BTreeSet<usize> = sets.iter().map(WideSet::len).collect();
    if sizes.len() < 2 {
        return sets;
    }
    let all = sets.clone();
    sets.retain(|set| !all.iter().any(|other| other != set && other.is_subset(set)));
    sets
}

/// The least sets of hexagons that join the two ends of an axis; `None` if there are too many. Each is a chain from end
/// to end of which no cell but the first and the last touches an end, and no two touch but neighbours in the chain.
fn chains(ground: &Ground, axis: usize) -> Option<Vec<WideSet>> {
    let last = ground.lengths()[axis] as i32 - 1;
    let steps: Vec<Point> = ground.directions().into_iter().flat_map(|step| [step, step.map(|part| -part)]).collect();
    let near = |cell: Cell| -> WideSet {
        steps.iter().filter_map(|step| laid(&[*step], ground, cell)).flat_map(|set| set.first()).collect()
    };
    let near: Vec<WideSet> = ground.cells().map(near).collect();
    let end = |cell: Cell| ground.point(cell)[axis];
    let first: WideSet = ground.cells().filter(|&cell| end(cell) == 0).collect();
    let mut found = Vec::new();
    // The chain so far, its last cell, and what may not be stepped on any more.
    let start = |cell: Cell| (WideSet::single(cell), cell, first);
    let mut waiting: Vec<(WideSet, Cell, WideSet)> = first.iter().map(start).collect();
    while let Some((chain, cell, closed)) = waiting.pop() {
        if end(cell) == last {
            found.push(chain);
            if found.len() > MOST_SETS {
                return None;
            }
            continue;
        }
        let around = near[cell.index()];
        waiting.extend((around - closed).iter().map(|next| (chain.with(next), next, closed | around)));
    }
    found.sort_unstable();
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::placements;
    use harary_certificate::{Board, Topology};

    fn ground(sides: &str, family: Family) -> Ground {
        Ground::parse(sides, family).unwrap()
    }

    fn shape(rows: &str) -> Part {
        Part::Shape(Shape::from_rows(rows).unwrap())
    }

    fn count(parts: &[Part], ground: &Ground) -> usize {
        Target::new(parts.iter().cloned()).sets(ground).unwrap().black.len()
    }

    /// One shape has the same images as in a game of that shape alone, on every board both know.
    #[test]
    fn one_shape_is_laid_as_on_a_board() {
        for rows in ["X", "XX", "XX/X.", "XXXX", ".XXX/XX..", "X../.X./..X", "X.../XXXX", "XX/XX"] {
            for topology in [Topology::Plain, Topology::Torus] {
                for (width, height) in [(1, 1), (3, 3), (4, 3), (2, 5), (5, 5), (1, 7)] {
                    let board = Board::new(width, height, topology).unwrap();
                    let sets = Target::new([shape(rows)]).sets(&Ground::of_board(&board)).unwrap();
                    assert_eq!(sets.black, placements(&Shape::from_rows(rows).unwrap(), &board), "{rows} {board}");
                }
            }
        }
    }

    /// k in a row on m x n: so many across, up, and along both diagonals.
    #[test]
    fn rows_are_counted_by_their_formula() {
        for m in 1..=7usize {
            for n in 1..=7usize {
                for k in 2..=7usize {
                    let (across, up) = ((m + 1).saturating_sub(k), (n + 1).saturating_sub(k));
                    let expected = across * n + up * m + 2 * across * up;
                    let plain = ground(&format!("{m}x{n}"), Family::Plain);
                    assert_eq!(count(&[Part::Row(k)], &plain), expected, "{m},{n},{k}");
                    // Round a cylinder a row may start anywhere; of a full one all starts are the same. Upwards it goes
                    // straight, to the left and to the right; on two columns left is right, on one all are the same.
                    let round = if k < m { m * n } else { usize::from(k == m) * n };
                    let cylinder = ground(&format!("{m}x{n}"), Family::Cylinder);
                    assert_eq!(count(&[Part::Row(k)], &cylinder), round + m.min(3) * m * up, "{m},{n},{k} cylinder");
                }
            }
        }
    }

    /// In a cube of side n there are ((n+2)^3 - n^3)/2 full lines, on a square ((n+2)^2 - n^2)/2.
    #[test]
    fn full_lines_are_counted_by_their_formula() {
        for n in 2..=6usize {
            let cube = ground(&format!("{n}x{n}x{n}"), Family::Plain);
            assert_eq!(count(&[Part::Lines], &cube), ((n + 2).pow(3) - n.pow(3)) / 2, "{n}");
            assert_eq!(count(&[Part::Row(n)], &cube), ((n + 2).pow(3) - n.pow(3)) / 2, "{n}");
            let square = ground(&format!("{n}x{n}"), Family::Plain);
            assert_eq!(count(&[Part::Lines], &square), 2 * n + 2, "{n}");
        }
        assert_eq!(count(&[Part::Lines], &ground("4x4x4", Family::Plain)), 76);
    }

    #[test]
    fn several_shapes_are_the_union_of_their_sets_without_what_contains_another() {
        let board = ground("7x7", Family::Plain);
        let straight_and_slanted = [shape("XXXXX"), shape("X..../.X.../..X../...X./....X")];
        let target = Target::new(straight_and_slanted.clone());
        assert_eq!(target.sets(&board).unwrap().black, Target::new([Part::Row(5)]).sets(&board).unwrap().black);
        assert_eq!(count(&[shape("XX"), shape("XXX"), shape("XX/XX")], &board), 2 * 6 * 7);
        // The slanted triple contains no domino.
        assert_eq!(count(&[shape("XX"), shape("X../.X./..X")], &board), 2 * 6 * 7 + 2 * 5 * 5);
        assert_eq!(Target::new([shape("XX"), shape("XX")]).parts().len(), 1);
    }

    /// Polyhexes have up to twelve images: a bar of two lies in three directions, the triangle in two ways, the bent
    /// triple in six.
    #[test]
    fn polyhexes_turn_by_sixths() {
        let board = ground("6x6", Family::Hexagonal);
        assert_eq!(count(&[shape("XX")], &board), 5 * 6 + 6 * 5 + 5 * 5);
        assert_eq!(count(&[shape("X./XX")], &board), 2 * 5 * 5);
        assert_eq!(count(&[Part::Row(3)], &board), 4 * 6 + 6 * 4 + 4 * 4);
        assert_eq!(count(&[shape("XXX")], &board), count(&[Part::Row(3)], &board));
        let bent = [[0, 0, 0], [1, 0, 0], [1, 1, 0]];
        assert_eq!(board.orientations(&bent).len(), 6);
        let chiral = [[0, 0, 0], [1, 0, 0], [2, 0, 0], [1, 1, 0]];
        assert_eq!(board.orientations(&chiral).len(), 12);
    }

    /// In a box a flat shape lies in all planes.
    #[test]
    fn shapes_turn_in_a_box() {
        let cube = ground("3x3x3", Family::Plain);
        assert_eq!(count(&[shape("XX")], &cube), 3 * 18);
        assert_eq!(count(&[shape("XX/XX")], &cube), 3 * 3 * 4);
        assert_eq!(count(&[shape("XX/X.")], &cube), 3 * 3 * 16);
    }

    /// The least connecting sets, found by looking at every set of cells.
    #[test]
    fn chains_are_the_least_connecting_sets() {
        for (width, height) in [(1, 1), (1, 3), (3, 1), (2, 2), (3, 2), (3, 3), (4, 3), (3, 4)] {
            let board = ground(&format!("{width}x{height}"), Family::Hexagonal);
            let sets = Target::new([Part::Connection]).sets(&board).unwrap();
            for (axis, found) in [(1, &sets.black), (0, &sets.white)] {
                let joining: Vec<WideSet> = (1..1u64 << board.size())
                    .map(|bits| harary_certificate::CellSet::<1>::from_words([bits]).resized())
                    .filter(|set| joins(set, &board, axis))
                    .collect();
                let mut expected = least(joining);
                expected.sort_unstable();
                assert_eq!(*found, expected, "{board} {axis}");
            }
        }
        let sizes =
            ["2x2", "3x3", "4x4", "5x5"].map(|sides| count(&[Part::Connection], &ground(sides, Family::Hexagonal)));
        assert_eq!(sizes[0], 3);
        assert!(sizes.is_sorted());
    }

    /// Whether one can walk on these cells from one end of the axis to the other.
    fn joins(set: &WideSet, board: &Ground, axis: usize) -> bool {
        let last = board.lengths()[axis] as i32 - 1;
        let mut reached: WideSet = set.iter().filter(|&cell| board.point(cell)[axis] == 0).collect();
        loop {
            let near = |cell: Cell| {
                reached.iter().any(|other| {
                    let (a, b) = (board.point(cell), board.point(other));
                    matches!((a[0] - b[0], a[1] - b[1]), (1 | -1, 0) | (0, 1 | -1) | (1, -1) | (-1, 1))
                })
            };
            let more: WideSet = set.iter().filter(|&cell| near(cell)).collect();
            if more.is_subset(&reached) {
                return reached.iter().any(|cell| board.point(cell)[axis] == last);
            }
            reached |= more;
        }
    }

    #[test]
    fn what_makes_no_game_is_said() {
        let plain = ground("4x3", Family::Plain);
        let complaint =
            |parts: &[Part], ground: &Ground| Target::new(parts.iter().cloned()).sets(ground).unwrap_err().to_string();
        assert_eq!(complaint(&[Part::Row(0)], &plain), "a row has at least one cell");
        assert!(complaint(&[Part::Lines], &plain).contains("not of 4x3 plain"));
        assert!(complaint(&[Part::Lines], &ground("4x4", Family::Torus)).contains("not of 4x4 torus"));
        assert!(complaint(&[Part::Connection], &plain).contains("not on 4x3 plain"));
        assert!(complaint(&[Part::Connection, Part::Row(3)], &ground("4x4", Family::Hexagonal)).contains("'row3'"));
        assert!(complaint(&[Part::Connection], &ground("11x11", Family::Hexagonal)).contains("more than 100000"));
        assert_eq!(count(&[Part::Row(usize::MAX)], &plain), 0);
        assert_eq!(count(&[Part::Row(300)], &ground("384x1", Family::Plain)), 85);
    }
}
