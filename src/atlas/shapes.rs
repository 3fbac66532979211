//! What is to be completed in a game of the atlas: one shape, or any of several.
//!
//! A target has many spellings: `I5+D5`, `D5+I5`, `row5`, `I5+D5+I6`. Here it has one. Each shape is in canonical form, none
//! is there twice, and none lies around another: an image of the outer shape contains one of the inner, on a torus too, so
//! that a target and what is left of it have the same least winning sets on every board. A row is its straight line and
//! its slanted one.

use crate::game::catalogue::Catalogue;
use crate::game::target::{Part, Target};
use harary_certificate::{Board, MAX_SIDE, Shape};
use std::cmp::Ordering;
use std::fmt;
use thiserror::Error;

/// The atlas keeps no more shapes together. A shape has at most eight images from each of the 361 cells, so their winning
/// sets are always few enough to be written out.
pub const MOST_SHAPES: usize = 32;

/// Why a target is none of the atlas.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ShapesError {
    /// Nothing to be completed.
    #[error("a target has at least one shape")]
    Empty,
    /// Too many.
    #[error("a target of the atlas has at most {MOST_SHAPES} shapes, not counting those that contain another")]
    TooMany,
    /// A row of nothing, or one that no board of the atlas has.
    #[error("the rows of the atlas have 1 to {MAX_SIDE} cells, not {0}")]
    Row(usize),
    /// Full lines without a board with equal sides.
    #[error("full lines are those of one plain board with equal sides; for the atlas write row4 for those of 4x4")]
    Lines,
    /// Hex.
    #[error("the atlas is about shapes and rows on plain boards and tori, not about Hex")]
    Connection,
}

/// One shape or several, any of which is to be completed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Shapes {
    /// Canonical, small ones first; none is inside another, and there is one.
    shapes: Vec<Shape>,
}

impl From<&Shape> for Shapes {
    fn from(shape: &Shape) -> Shapes {
        Shapes { shapes: vec![shape.canonical()] }
    }
}

impl From<&Shapes> for Shapes {
    fn from(shapes: &Shapes) -> Shapes {
        shapes.clone()
    }
}

impl Shapes {
    /// Any of these.
    pub fn new<'a>(shapes: impl IntoIterator<Item = &'a Shape>) -> Result<Shapes, ShapesError> {
        let mut all: Vec<Shape> = shapes.into_iter().map(Shape::canonical).collect();
        all.sort_by(small_first);
        all.dedup();
        let mut least: Vec<Shape> = Vec::new();
        for shape in all {
            // What is inside it is smaller, so it came before.
            if !least.iter().any(|inner| inner.is_inside(&shape)) {
                least.push(shape);
            }
            if least.len() > MOST_SHAPES {
                return Err(ShapesError::TooMany);
            }
        }
        if least.is_empty() { Err(ShapesError::Empty) } else { Ok(Shapes { shapes: least }) }
    }

    /// Those of a target, which may be about a board: full lines are.
    pub fn of_target(target: &Target, board: Option<&Board>) -> Result<Shapes, ShapesError> {
        let mut shapes = Vec::new();
        for part in target.parts() {
            match part {
                Part::Shape(shape) => shapes.push(shape.clone()),
                Part::Row(length) => shapes.extend(row(*length)?),
                Part::Lines => match board {
                    Some(board) if !board.is_torus() && board.is_square() => shapes.extend(row(board.width())?),
                    _ => return Err(ShapesError::Lines),
                },
                Part::Connection => return Err(ShapesError::Connection),
            }
        }
        Shapes::new(&shapes)
    }

    /// The shape, if it is one and nothing else.
    pub fn only(&self) -> Option<&Shape> {
        match &self.shapes[..] {
            [shape] => Some(shape),
            _ => None,
        }
    }

    /// Each of them, small ones first.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Shape> {
        self.shapes.iter()
    }

    /// The fewest cells that complete one of them.
    pub fn size(&self) -> usize {
        self.shapes.iter().map(Shape::size).min().unwrap_or(0)
    }

    /// Whether whoever completes a shape of `outer` has completed one of these: each of those contains one of these. Of one
    /// shape each: whether the one is inside the other.
    pub fn are_inside(&self, outer: &Shapes) -> bool {
        outer.iter().all(|outer| self.iter().any(|inner| inner.is_inside(outer)))
    }

    /// Whether each of them fits on a plain board of this size.
    pub fn fit(&self, width: usize, height: usize) -> bool {
        self.iter().all(|shape| shape.fits(width, height))
    }

    /// The catalogue's names of the shapes, or their cells: `I5+D5`.
    pub fn name(&self) -> String {
        joined(self.iter().map(|shape| {
            Catalogue::standard().find_shape(shape).map_or_else(|| shape.to_string(), |entry| entry.name.clone())
        }))
    }

    /// The target they are, each lying as the catalogue has it.
    pub fn target(&self) -> Target {
        Target::new(self.iter().map(|shape| Part::Shape(as_catalogued(shape).clone())))
    }
}

/// Their cells, each shape lying as the catalogue has it: `0,0 1,0+0,0 1,1`.
impl fmt::Display for Shapes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&joined(self.iter().map(|shape| as_catalogued(shape).to_string())))
    }
}

/// Single shapes first, so that the games of several come after all that were there before; then small ones first.
impl Ord for Shapes {
    fn cmp(&self, other: &Shapes) -> Ordering {
        let pairs = || self.iter().zip(other.iter()).map(|(a, b)| small_first(a, b));
        self.shapes.len().cmp(&other.shapes.len()).then_with(|| pairs().find(|o| o.is_ne()).unwrap_or(Ordering::Equal))
    }
}

impl PartialOrd for Shapes {
    fn partial_cmp(&self, other: &Shapes) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The shape lying as the catalogue has it, if it is there: this is how it is printed.
pub fn as_catalogued(shape: &Shape) -> &Shape {
    Catalogue::standard().find_shape(shape).map_or(shape, |entry| &entry.shape)
}

fn small_first(a: &Shape, b: &Shape) -> Ordering {
    (a.size(), a).cmp(&(b.size(), b))
}

fn joined(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join("+")
}

/// So many cells in a line: the straight one and the slanted one.
fn row(length: usize) -> Result<[Shape; 2], ShapesError> {
    let line = |slope: i32| {
        let cells: Vec<(i32, i32)> = (0..length.min(MAX_SIDE + 1) as i32).map(|step| (step, slope * step)).collect();
        Shape::new(&cells).map_err(|_| ShapesError::Row(length))
    };
    Ok([line(0)?, line(1)?])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::ground::{Family, Ground};
    use crate::game::words::parse_target;
    use harary_certificate::Topology;

    fn target(text: &str) -> Target {
        parse_target(text, Family::Plain).unwrap().target
    }

    fn shapes(text: &str) -> Shapes {
        Shapes::of_target(&target(text), None).unwrap()
    }

    #[test]
    fn a_target_has_one_spelling() {
        for (text, name) in [
            ("I5+D5", "I5+D5"),
            ("D5+I5", "I5+D5"),
            ("row5", "I5+D5"),
            ("ROW5+skinny", "skinny+D5"),
            ("el+tic", "tic+el"),
            ("XX/X.+XXX", "tic+el"),
            ("row1", "elam"),
            ("fatty+P5+hex-12", "fatty"),
            ("domino+tippy", "domino"),
            ("X.X/...+X..X", "0,0 0,2+0,0 0,3"),
        ] {
            assert_eq!(shapes(text).name(), name, "{text}");
            assert_eq!(shapes(&shapes(text).name()), shapes(text), "{text}: read as it is written");
            assert_eq!(shapes(&shapes(text).to_string()), shapes(text), "{text}: read by its cells");
        }
        assert_eq!(shapes("tic+el").to_string(), "0,0 1,0 2,0+0,0 0,1 1,0");
        assert!(shapes("skinny").only().is_some() && shapes("tic+el").only().is_none());
        assert!(shapes("snaky") < shapes("domino+D2") && shapes("tic+el") < shapes("tic+D3"));
    }

    /// Nothing is lost: the winning sets are those of the target as it was written, on boards and tori of every size.
    #[test]
    fn the_one_spelling_is_the_same_game() {
        for text in ["row2", "row3", "row4", "row6", "tic+el", "domino+tippy", "X.X+tic", "I4+D3+fatty", "X.X+X..X+D2"]
        {
            for topology in [Topology::Plain, Topology::Torus] {
                for (width, height) in (1..=6).flat_map(|width| (1..=6).map(move |height| (width, height))) {
                    let ground = Ground::of_board(&Board::new(width, height, topology).unwrap());
                    let sets = |target: Target| target.sets(&ground).unwrap().black;
                    assert_eq!(sets(shapes(text).target()), sets(target(text)), "{text} on {ground}");
                }
            }
        }
    }

    #[test]
    fn what_is_none_of_the_atlas_is_refused() {
        let refused = |text: &str, board: Option<&Board>| Shapes::of_target(&target(text), board).err();
        let square = Board::new(4, 4, Topology::Plain).unwrap();
        assert_eq!(refused("hex", Some(&square)), Some(ShapesError::Connection));
        assert_eq!(refused("row20", None), Some(ShapesError::Row(20)));
        assert_eq!(refused("lines", None), Some(ShapesError::Lines));
        assert_eq!(refused("lines", Some(&Board::new(4, 4, Topology::Torus).unwrap())), Some(ShapesError::Lines));
        assert_eq!(Shapes::of_target(&target("lines"), Some(&square)), Ok(shapes("row4")));
        assert_eq!(Shapes::new([]), Err(ShapesError::Empty));
        // Two cells so far apart and so much higher: none is inside another.
        let pair = |x, y| Shape::new(&[(0, 0), (x, y)]).unwrap();
        let many: Vec<Shape> = (1..19).flat_map(|x| (0..=x).map(move |y| pair(x, y))).collect();
        assert_eq!(Shapes::new(&many[..MOST_SHAPES]).unwrap().iter().len(), MOST_SHAPES);
        assert_eq!(Shapes::new(&many), Err(ShapesError::TooMany));
    }

    #[test]
    fn what_is_inside_is_completed_on_the_way() {
        for (inner, outer, expected) in [
            ("domino", "tic+el", true),
            ("tic+el", "tic", true),
            ("tic", "tic+el", false),
            ("tic+el", "fatty+skinny", true),
            ("tic+el", "D3", false),
            ("tic+D3", "row4", true),
            ("tic+el", "tic+el", true),
        ] {
            assert_eq!(shapes(inner).are_inside(&shapes(outer)), expected, "{inner} {outer}");
        }
    }
}
