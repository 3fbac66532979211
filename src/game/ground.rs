//! The ground of a game: boards by family.
//!
//! A ground is a box of points, of squares (plain, torus, cylinder), of hexagons (the rhombus Hex is played on) or of
//! cubes, and some of its sides may be glued. What can be laid on it is the affair of [`crate::game::target::Target`]. A
//! plain board and a torus of up to 19x19 are also a [`Board`], which is what certificates and the atlas speak of.

use harary_certificate::{Board, Cell, MAX_CELLS, MAX_SIDE, Topology};
use std::collections::BTreeSet;
use std::fmt;
use thiserror::Error;

/// How cells lie beside one another.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Family {
    /// Squares or cubes; edges are edges.
    Plain,
    /// Squares or cubes; all opposite edges are glued.
    Torus,
    /// Squares; left and right are glued, top and bottom are edges.
    Cylinder,
    /// Hexagons, each row half a cell to the right of the one below: the board of Hex.
    Hexagonal,
}

impl Family {
    /// The family with this name; a box is plain.
    pub fn named(name: &str) -> Option<Family> {
        let all = [Family::Plain, Family::Torus, Family::Cylinder, Family::Hexagonal];
        if name == "box" { Some(Family::Plain) } else { all.into_iter().find(|family| family.name() == name) }
    }

    /// As one word.
    pub fn name(self) -> &'static str {
        match self {
            Family::Plain => "plain",
            Family::Torus => "torus",
            Family::Cylinder => "cylinder",
            Family::Hexagonal => "hexagonal",
        }
    }
}

/// A point: column, row and layer.
pub type Point = [i32; 3];

/// A linear map of points, by its rows.
type Turn = [[i32; 3]; 3];

/// The letters of layers; the public files of qubic call theirs x, y, z and w.
const LAYERS: &[u8; MAX_SIDE] = b"xyzwvutsrqponmlkjih";

/// The number of the layer with this letter, from 0.
pub fn layer_of_letter(letter: char) -> Option<usize> {
    LAYERS.iter().position(|&known| char::from(known) == letter.to_ascii_lowercase())
}

/// Why a ground could not be read.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum GroundError {
    /// No sides.
    #[error("'{0}' is not a board; boards are written WxH, for example 7x7")]
    NotABoard(String),
    /// Too small or too large.
    #[error("a board is 1x1 to {MAX_SIDE}x{MAX_SIDE}, not {0}")]
    Size(String),
    /// A line of cells that is too long.
    #[error("a strip has at most {MAX_CELLS} cells, not {0}")]
    Strip(String),
    /// Too many cubes.
    #[error("a box has at most {MAX_CELLS} cells and sides of at most {MAX_SIDE}, not {0}")]
    Cubes(String),
    /// A box of this family there is not.
    #[error("{0} is a box of cubes: it is plain or a torus, not {1}")]
    Box(String, &'static str),
}

/// A board of some family, legal by construction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ground {
    family: Family,
    sides: [u16; 3],
}

impl Ground {
    /// A ground with these sides; a flat one has one layer.
    pub fn new(family: Family, sides: [usize; 3]) -> Result<Ground, GroundError> {
        let text = match sides {
            [width, height, 1] => format!("{width}x{height}"),
            [width, height, depth] => format!("{width}x{height}x{depth}"),
        };
        let cells = sides.iter().fold(1, |product: usize, &side| product.saturating_mul(side));
        if sides[2] == 1 && (sides[0] == 1 || sides[1] == 1) {
            if !(1..=MAX_CELLS).contains(&cells) {
                return Err(GroundError::Strip(text));
            }
        } else if cells > MAX_CELLS || !sides.iter().all(|side| (1..=MAX_SIDE).contains(side)) {
            return Err(if sides[2] == 1 { GroundError::Size(text) } else { GroundError::Cubes(text) });
        }
        if sides[2] > 1 && matches!(family, Family::Cylinder | Family::Hexagonal) {
            return Err(GroundError::Box(text, family.name()));
        }
        Ok(Ground { family, sides: sides.map(|side| side as u16) })
    }

    /// Reads `7x7`, `300x1` or `4x4x4`.
    pub fn parse(text: &str, family: Family) -> Result<Ground, GroundError> {
        let wrong = || GroundError::NotABoard(text.to_owned());
        let side = |digits: &str| {
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(wrong());
            }
            Ok(digits.parse::<usize>().unwrap_or(usize::MAX))
        };
        let sides = text.split(['x', 'X', '×']).map(side).collect::<Result<Vec<_>, _>>()?;
        let sides = match sides[..] {
            [width, height] => [width, height, 1],
            [width, height, depth] => [width, height, depth],
            _ => return Err(wrong()),
        };
        Ground::new(family, sides).map_err(|error| match error {
            // As it was typed: a number may be too large for any type.
            GroundError::Size(_) => GroundError::Size(text.to_owned()),
            GroundError::Strip(_) => GroundError::Strip(text.to_owned()),
            GroundError::Cubes(_) => GroundError::Cubes(text.to_owned()),
            other => other,
        })
    }

    /// The ground of a board.
    pub fn of_board(board: &Board) -> Ground {
        let family = if board.is_torus() { Family::Torus } else { Family::Plain };
        Ground { family, sides: [board.width() as u16, board.height() as u16, 1] }
    }

    /// The same ground as a board, if it is a plain board or a torus of up to 19x19.
    pub fn board(&self) -> Option<Board> {
        let topology = match self.family {
            Family::Plain => Topology::Plain,
            Family::Torus => Topology::Torus,
            Family::Cylinder | Family::Hexagonal => return None,
        };
        let [width, height, depth] = self.lengths();
        (depth == 1).then(|| Board::new(width, height, topology).ok()).flatten()
    }

    /// Its family.
    pub fn family(&self) -> Family {
        self.family
    }

    /// Columns, rows and layers.
    pub fn lengths(&self) -> [usize; 3] {
        self.sides.map(usize::from)
    }

    /// Whether it has more than one layer.
    pub fn is_box(&self) -> bool {
        self.sides[2] > 1
    }

    /// Its sides, `7x7` or `4x4x4`.
    pub fn sides(&self) -> String {
        let [width, height, depth] = self.sides;
        if depth == 1 { format!("{width}x{height}") } else { format!("{width}x{height}x{depth}") }
    }

    /// How many cells it has.
    pub fn size(&self) -> usize {
        self.lengths().iter().product()
    }

    /// All its cells, in order: columns first, then rows, then layers.
    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        (0..self.size()).map(Cell::new)
    }

    /// Which sides are glued.
    fn glued(&self) -> [bool; 3] {
        match self.family {
            Family::Plain | Family::Hexagonal => [false; 3],
            Family::Torus => [true; 3],
            Family::Cylinder => [true, false, false],
        }
    }

    /// Column, row and layer of a cell, from 0.
    pub fn point(&self, cell: Cell) -> Point {
        let [width, height, _] = self.lengths();
        let index = cell.index();
        [index % width, index / width % height, index / (width * height)].map(|place| place as i32)
    }

    /// The cell at a point: across glued sides from the other end, elsewhere only if the point lies on the ground.
    pub fn cell_at(&self, point: Point) -> Option<Cell> {
        let mut places = [0; 3];
        for (axis, glued) in self.glued().into_iter().enumerate() {
            let side = i32::from(self.sides[axis]);
            let inside = glued || (0..side).contains(&point[axis]);
            places[axis] = inside.then(|| point[axis].rem_euclid(side) as usize)?;
        }
        let [width, height, _] = self.lengths();
        Some(Cell::new(places[0] + width * (places[1] + height * places[2])))
    }

    /// The directions of straight lines, one of each two that are opposite.
    pub fn directions(&self) -> Vec<Point> {
        let hexagonal = self.family == Family::Hexagonal;
        let steps = (0..27).map(|code| [code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1]);
        steps
            .filter(|step| [step[2], step[1], step[0]] > [0; 3] && (self.is_box() || step[2] == 0))
            .filter(|step| !hexagonal || step[0] + step[1] != 2 && *step != [0; 3])
            .collect()
    }

    /// Whether two cells have an edge or a face in common.
    pub fn touch(&self, a: Cell, b: Cell) -> bool {
        let straight = |step: &Point| step.iter().filter(|part| **part != 0).count() == 1;
        let steps = self.directions().into_iter().filter(|step| self.family == Family::Hexagonal || straight(step));
        let at = self.point(a);
        let moved = |step: Point, sign: i32| self.cell_at([0, 1, 2].map(|axis| at[axis] + sign * step[axis]));
        a != b && steps.flat_map(|step| [moved(step, 1), moved(step, -1)]).any(|cell| cell == Some(b))
    }

    /// The turns and flips of the lattice: 8 of squares, 12 of hexagons, 48 of cubes.
    fn turns(&self) -> Vec<Turn> {
        if self.family == Family::Hexagonal {
            return hexagonal_turns();
        }
        let axes: &[[usize; 3]] = match self.is_box() {
            true => &[[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]],
            false => &[[0, 1, 2], [1, 0, 2]],
        };
        let signs = if self.is_box() { 8 } else { 4 };
        let turn = |order: &[usize; 3], flips: usize| {
            let mut turn = [[0; 3]; 3];
            for (row, &axis) in order.iter().enumerate() {
                turn[row][axis] = if flips >> row & 1 == 1 { -1 } else { 1 };
            }
            turn
        };
        axes.iter().flat_map(|order| (0..signs).map(move |flips| turn(order, flips))).collect()
    }

    /// The distinct images of some points under the turns and flips of the lattice, each moved so that its least point
    /// is the origin.
    pub fn orientations(&self, points: &[Point]) -> BTreeSet<Vec<Point>> {
        let image = |turn: Turn| {
            let mut image: Vec<Point> = points.iter().map(|point| turned(&turn, point)).collect();
            image.sort_unstable();
            let least = image.first().copied().unwrap_or_default();
            image.iter().map(|point| minus(point, &least)).collect()
        };
        self.turns().into_iter().map(image).collect()
    }

    /// Its own symmetries, by the images of its cells: turns and flips that map it to itself, along glued sides with all
    /// shifts. A game on it may have fewer.
    pub fn symmetries(&self) -> Vec<Vec<Cell>> {
        let glued = self.glued();
        let shifts = |axis: usize| if glued[axis] { i32::from(self.sides[axis]) } else { 1 };
        let mut found = BTreeSet::new();
        for turn in self.turns().iter().filter(|turn| self.keeps_sides(turn)) {
            let images: Vec<Point> = self.cells().map(|cell| turned(turn, &self.point(cell))).collect();
            let least = (0..3).map(|axis| images.iter().map(|image| image[axis]).min().unwrap_or(0));
            let least: Vec<i32> = least.collect();
            let least = [least[0], least[1], least[2]];
            for shift in (0..shifts(0) * shifts(1) * shifts(2))
                .map(|code| [code % shifts(0), code / shifts(0) % shifts(1), code / (shifts(0) * shifts(1))])
            {
                let moved = images.iter().map(|image| self.cell_at(minus(&minus(image, &least), &shift)));
                if let Some(moved) = moved.collect::<Option<Vec<Cell>>>()
                    && moved.iter().collect::<BTreeSet<_>>().len() == moved.len()
                {
                    found.insert(moved);
                }
            }
        }
        found.into_iter().collect()
    }

    /// Whether a turn takes each side to one as long and glued alike.
    fn keeps_sides(&self, turn: &Turn) -> bool {
        let glued = self.glued();
        let alike = |a: usize, b: usize| self.sides[a] == self.sides[b] && glued[a] == glued[b];
        (0..3).all(|row| (0..3).all(|axis| turn[row][axis] == 0 || alike(row, axis) || !glued[row] && !glued[axis]))
    }

    /// Whether the cells are numbered from 1: a strip too long for letters.
    pub fn is_numbered(&self) -> bool {
        self.sides.iter().any(|&side| usize::from(side) > MAX_SIDE)
    }

    /// The name of a cell: `b3`, in a box `b3x` with a letter for the layer, on a strip of more than 19 cells `120`.
    pub fn cell_name(&self, cell: Cell) -> String {
        if self.is_numbered() {
            return (cell.index() + 1).to_string();
        }
        let [x, y, z] = self.point(cell).map(|place| place as usize);
        let flat = format!("{}{}", char::from(b'a' + x as u8), y + 1);
        if self.is_box() { format!("{flat}{}", char::from(LAYERS[z])) } else { flat }
    }

    /// The cell with this name, in small letters or capitals.
    pub fn cell_named(&self, name: &str) -> Option<Cell> {
        let name = name.to_ascii_lowercase();
        self.cells().find(|&cell| self.cell_name(cell) == name)
    }
}

/// `7x7 plain`, `4x4x4 box`, `5x5 hexagonal`.
impl fmt::Display for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let family = match (self.family, self.is_box()) {
            (Family::Plain, true) => "box",
            (family, _) => family.name(),
        };
        write!(f, "{} {family}", self.sides())
    }
}

fn turned(turn: &Turn, point: &Point) -> Point {
    turn.map(|row| (0..3).map(|axis| row[axis] * point[axis]).sum())
}

fn minus(a: &Point, b: &Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// The neighbours of a hexagon at (0, 0) are (1, 0), (0, 1), (-1, 1) and their opposites: a sixth of a turn takes each to
/// the next, a flip exchanges the first two.
fn hexagonal_turns() -> Vec<Turn> {
    let mut turns = Vec::new();
    let mut columns = ([1, 0], [0, 1]);
    for _ in 0..6 {
        let (a, b) = columns;
        turns.push([[a[0], b[0], 0], [a[1], b[1], 0], [0, 0, 1]]);
        turns.push([[b[0], a[0], 0], [b[1], a[1], 0], [0, 0, 1]]);
        let sixth = |[x, y]: [i32; 2]| [-y, x + y];
        columns = (sixth(a), sixth(b));
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::symmetry::SymmetryGroup;

    fn ground(sides: &str, family: Family) -> Ground {
        Ground::parse(sides, family).unwrap()
    }

    #[test]
    fn grounds_are_read_and_the_rest_is_refused() {
        assert_eq!(ground("7×5", Family::Torus).to_string(), "7x5 torus");
        assert_eq!(ground("4x4x4", Family::Plain).to_string(), "4x4x4 box");
        assert_eq!(ground("1000x1", Family::Plain).size(), 1000);
        for (text, family, message) in [
            ("7", Family::Plain, "'7' is not a board"),
            ("7x", Family::Plain, "'7x' is not a board"),
            ("1x2x3x4", Family::Plain, "'1x2x3x4' is not a board"),
            ("20x2", Family::Plain, "a board is 1x1 to 19x19, not 20x2"),
            ("11x11x11", Family::Plain, "a box has at most 1000 cells and sides of at most 19, not 11x11x11"),
            ("1001x1", Family::Plain, "a strip has at most 1000 cells, not 1001x1"),
            ("0x3", Family::Plain, "a board is 1x1 to 19x19, not 0x3"),
            ("0x1", Family::Plain, "a strip has at most 1000 cells, not 0x1"),
            ("3x3x0", Family::Plain, "a box has at most"),
            ("99999999999999999999x1", Family::Plain, "a strip has at most 1000 cells, not 99999999999999999999x1"),
            ("99999999999999999999x99999999999999999999x7", Family::Torus, "a box has at most"),
            ("3x3x3", Family::Cylinder, "3x3x3 is a box of cubes"),
            ("3x3x3", Family::Hexagonal, "3x3x3 is a box of cubes"),
        ] {
            let error = Ground::parse(text, family).unwrap_err().to_string();
            assert!(error.starts_with(message), "{text}: {error}");
        }
    }

    #[test]
    fn cells_have_names() {
        for (sides, family, last) in [
            ("7x5", Family::Cylinder, "g5"),
            ("4x4x4", Family::Plain, "d4w"),
            ("19x19", Family::Hexagonal, "s19"),
            ("300x1", Family::Plain, "300"),
            ("1x20", Family::Plain, "20"),
        ] {
            let ground = ground(sides, family);
            for cell in ground.cells() {
                assert_eq!(ground.cell_named(&ground.cell_name(cell).to_uppercase()), Some(cell));
                assert_eq!(ground.cell_at(ground.point(cell)), Some(cell));
            }
            assert_eq!(ground.cell_name(Cell::new(ground.size() - 1)), last);
        }
    }

    #[test]
    fn each_family_has_its_symmetries_and_directions() {
        for (sides, family, symmetries, directions) in [
            ("3x3", Family::Plain, 8, 4),
            ("4x3", Family::Plain, 4, 4),
            ("5x5", Family::Torus, 200, 4),
            ("5x3", Family::Cylinder, 2 * 5 * 2, 4),
            ("4x4", Family::Cylinder, 2 * 4 * 2, 4),
            ("4x4", Family::Hexagonal, 4, 3),
            ("4x3", Family::Hexagonal, 2, 3),
            ("3x3x3", Family::Plain, 48, 13),
            ("4x4x4", Family::Plain, 48, 13),
            ("4x3x2", Family::Plain, 8, 13),
            ("3x3x3", Family::Torus, 48 * 27, 13),
            ("30x1", Family::Plain, 2, 4),
        ] {
            let ground = ground(sides, family);
            assert_eq!(ground.symmetries().len(), symmetries, "{ground}");
            assert_eq!(ground.directions().len(), directions, "{ground}");
        }
    }

    /// On boards they are those the rest of the program knows.
    #[test]
    fn boards_have_the_symmetries_of_boards() {
        for topology in [Topology::Plain, Topology::Torus] {
            for (width, height) in [(1, 1), (2, 2), (3, 2), (4, 4), (5, 1), (3, 5)] {
                let board = Board::new(width, height, topology).unwrap();
                let of_board: BTreeSet<Vec<Cell>> = (SymmetryGroup::of(&board).elements().iter())
                    .map(|symmetry| board.cells().map(|cell| symmetry.cell(cell)).collect())
                    .collect();
                let ground = Ground::of_board(&board);
                assert_eq!(ground.symmetries().into_iter().collect::<BTreeSet<_>>(), of_board, "{board}");
                assert_eq!(ground.board(), Some(board));
            }
        }
    }
}
