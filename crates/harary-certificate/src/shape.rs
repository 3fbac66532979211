//! A shape: the set of cells a player wants to complete, up to translation.
//!
//! An *animal* is edge-connected (a polyomino); a *creature* is any set. Shapes have no name of their own: the
//! catalogue of the main crate gives names to shapes.

use std::collections::BTreeSet;
use std::fmt;
use thiserror::Error;

/// A shape is at most this wide and high: the largest board is 19x19.
pub const MAX_EXTENT: usize = 19;

/// Why a shape could not be read. Each message names the mistake.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ShapeError {
    /// No cell at all.
    #[error("a shape needs at least one cell")]
    Empty,
    /// A cell twice.
    #[error("the cell {0},{1} is given twice")]
    Repeated(i32, i32),
    /// Wider or higher than any board.
    #[error("a shape is at most {MAX_EXTENT} cells wide and high, this one is {0}x{1}")]
    TooLarge(usize, usize),
    /// Something that is no cell.
    #[error("'{0}' is not a cell; cells are written x,y, for example 0,0 1,0 2,0")]
    NotACell(String),
    /// Something that is no mark of a picture.
    #[error("'{0}' is not part of a picture; rows are written with X and ., for example XX./.XX")]
    NotAMark(char),
}

/// A set of cells up to translation: the leftmost column and the lowest row are 0. Always legal, never empty.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shape {
    /// Sorted, without repetition.
    cells: Vec<(u8, u8)>,
}

impl Shape {
    /// The shape with these cells (x to the right, y up), moved to the origin.
    pub fn new(cells: &[(i32, i32)]) -> Result<Shape, ShapeError> {
        let mut seen = BTreeSet::new();
        for &(x, y) in cells {
            if !seen.insert((x, y)) {
                return Err(ShapeError::Repeated(x, y));
            }
        }
        let left = cells.iter().map(|c| c.0).min().ok_or(ShapeError::Empty)?;
        let low = cells.iter().map(|c| c.1).min().ok_or(ShapeError::Empty)?;
        let extent =
            |greatest: Option<i32>, least: i32| (i64::from(greatest.unwrap_or(least)) - i64::from(least) + 1) as usize;
        let width = extent(cells.iter().map(|c| c.0).max(), left);
        let height = extent(cells.iter().map(|c| c.1).max(), low);
        if width > MAX_EXTENT || height > MAX_EXTENT {
            return Err(ShapeError::TooLarge(width, height));
        }
        let cells = seen.iter().map(|&(x, y)| ((x - left) as u8, (y - low) as u8)).collect();
        Ok(Shape { cells })
    }

    /// Reads `0,0 1,0 2,0`.
    pub fn from_cells(text: &str) -> Result<Shape, ShapeError> {
        let cells = text
            .split_whitespace()
            .map(|word| {
                word.split_once(',')
                    .and_then(|(x, y)| Some((x.parse().ok()?, y.parse().ok()?)))
                    .ok_or_else(|| ShapeError::NotACell(word.to_owned()))
            })
            .collect::<Result<Vec<(i32, i32)>, _>>()?;
        Shape::new(&cells)
    }

    /// Reads rows, the top one first, separated by `/` or line ends: `XX./.XX`. `X`, `#` and `*` are cells; `.`, `-`,
    /// `_` and blanks are not.
    pub fn from_rows(text: &str) -> Result<Shape, ShapeError> {
        let rows: Vec<&str> = text.split(['/', '\n']).collect();
        let mut cells = Vec::new();
        for (y, row) in rows.iter().rev().enumerate() {
            for (x, mark) in row.chars().filter(|&mark| mark != '\r').enumerate() {
                match mark {
                    'X' | 'x' | '#' | '*' => cells.push((x as i32, y as i32)),
                    '.' | '-' | '_' | ' ' => {}
                    _ => return Err(ShapeError::NotAMark(mark)),
                }
            }
        }
        Shape::new(&cells)
    }

    /// Its cells `(x, y)`, sorted.
    pub fn cells(&self) -> &[(u8, u8)] {
        &self.cells
    }

    /// How many cells it has.
    pub fn size(&self) -> usize {
        self.cells.len()
    }

    /// Its width.
    pub fn width(&self) -> usize {
        self.cells.iter().map(|c| c.0 as usize + 1).max().unwrap_or(0)
    }

    /// Its height.
    pub fn height(&self) -> usize {
        self.cells.iter().map(|c| c.1 as usize + 1).max().unwrap_or(0)
    }

    /// Whether it has this cell.
    pub fn contains(&self, x: usize, y: usize) -> bool {
        self.cells.iter().any(|&(cx, cy)| (cx as usize, cy as usize) == (x, y))
    }

    /// The shape moved by a linear map of the plane and back to the origin.
    fn mapped(&self, map: impl Fn(i32, i32) -> (i32, i32)) -> Shape {
        let cells: Vec<(i32, i32)> = self.cells.iter().map(|&(x, y)| map(x.into(), y.into())).collect();
        let left = cells.iter().map(|c| c.0).min().unwrap_or(0);
        let low = cells.iter().map(|c| c.1).min().unwrap_or(0);
        let mut cells: Vec<(u8, u8)> = cells.iter().map(|&(x, y)| ((x - left) as u8, (y - low) as u8)).collect();
        cells.sort_unstable();
        Shape { cells }
    }

    /// Its distinct images under the eight rotations and reflections, sorted: 1, 2, 4 or 8 of them.
    pub fn orientations(&self) -> Vec<Shape> {
        let images: BTreeSet<Shape> = (0..8)
            .map(|turn| {
                self.mapped(|x, y| {
                    let (x, y) = if turn & 4 == 4 { (y, x) } else { (x, y) };
                    (if turn & 1 == 1 { -x } else { x }, if turn & 2 == 2 { -y } else { y })
                })
            })
            .collect();
        images.into_iter().collect()
    }

    /// The least of its orientations: equal for two shapes exactly if one can be turned or flipped into the other.
    pub fn canonical(&self) -> Shape {
        self.orientations().swap_remove(0)
    }

    /// Whether it is edge-connected: a polyomino.
    pub fn is_animal(&self) -> bool {
        let mut reached = vec![self.cells[0]];
        let mut waiting: BTreeSet<(u8, u8)> = self.cells[1..].iter().copied().collect();
        let mut next = 0;
        while next < reached.len() {
            let (x, y) = reached[next];
            next += 1;
            for beside in [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)] {
                if waiting.remove(&beside) {
                    reached.push(beside);
                }
            }
        }
        waiting.is_empty()
    }

    /// Whether some orientation fits on a plain board of this size.
    pub fn fits(&self, width: usize, height: usize) -> bool {
        let (w, h) = (self.width(), self.height());
        (w <= width && h <= height) || (h <= width && w <= height)
    }

    /// The sub-shapes with `size` cells, each in canonical form, up to rotation and reflection. Shapes of more than
    /// 20 cells have too many to list: then there are none here.
    pub fn sub_shapes(&self, size: usize) -> Vec<Shape> {
        if self.size() > 20 {
            return Vec::new();
        }
        let chosen = |mask: u32| {
            let cells: Vec<(i32, i32)> = self
                .cells
                .iter()
                .enumerate()
                .filter(|(i, _)| mask >> i & 1 == 1)
                .map(|(_, &(x, y))| (x.into(), y.into()))
                .collect();
            Shape::new(&cells).ok()
        };
        let found: BTreeSet<Shape> = (1u32..1 << self.size())
            .filter(|mask| mask.count_ones() as usize == size)
            .filter_map(|mask| chosen(mask).map(|shape| shape.canonical()))
            .collect();
        found.into_iter().collect()
    }

    /// Whether some orientation of `self` is contained in `other`, anywhere.
    pub fn is_inside(&self, other: &Shape) -> bool {
        self.orientations().iter().any(|image| {
            let (w, h) = (image.width(), image.height());
            (0..=other.width().saturating_sub(w)).any(|dx| {
                (0..=other.height().saturating_sub(h))
                    .any(|dy| image.cells.iter().all(|&(x, y)| other.contains(x as usize + dx, y as usize + dy)))
            })
        })
    }
}

/// The cells as certificates write them: `0,0 1,0 2,0`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (x, y)) in self.cells.iter().enumerate() {
            write!(f, "{}{x},{y}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Shape({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(rows: &str) -> Shape {
        Shape::from_rows(rows).unwrap()
    }

    #[test]
    fn the_ways_to_write_a_shape_agree() {
        let z = Shape::from_cells("3,-1 4,-1 2,0 3,0").unwrap();
        assert_eq!(z, shape("XX./.XX"));
        assert_eq!(z.to_string(), "0,1 1,0 1,1 2,0");
        assert_eq!(Shape::from_cells(&z.to_string()), Ok(z));
    }

    #[test]
    fn orientations_are_counted_without_repetition() {
        for (rows, count) in [("X", 1), ("XX", 2), ("XX/XX", 1), ("XX./.XX", 4), ("X../XXX", 8), (".X./XXX/.X.", 1)] {
            assert_eq!(shape(rows).orientations().len(), count, "{rows}");
            for image in shape(rows).orientations() {
                assert_eq!(image.canonical(), shape(rows).canonical());
            }
        }
    }

    #[test]
    fn animals_are_connected_along_edges() {
        assert!(shape("XXX/X..").is_animal());
        assert!(!shape("X./.X").is_animal());
        assert!(!shape("X.X").is_animal());
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(Shape::from_cells(""), Err(ShapeError::Empty));
        assert_eq!(Shape::from_rows("./."), Err(ShapeError::Empty));
        assert_eq!(Shape::from_cells("0,0 1,0 0,0"), Err(ShapeError::Repeated(0, 0)));
        assert_eq!(Shape::from_cells("0,0 20,0"), Err(ShapeError::TooLarge(21, 1)));
        assert_eq!(Shape::from_cells("-2147483648,0 2147483647,0"), Err(ShapeError::TooLarge(1 << 32, 1)));
        assert_eq!(Shape::from_cells("0;0"), Err(ShapeError::NotACell("0;0".into())));
        assert_eq!(Shape::from_rows("XO"), Err(ShapeError::NotAMark('O')));
    }

    #[test]
    fn sub_shapes_are_inside() {
        let snaky = shape(".XXXX/XX...");
        assert_eq!(snaky.sub_shapes(6), [snaky.canonical()]);
        for size in 1..=6 {
            for sub in snaky.sub_shapes(size) {
                assert!(sub.is_inside(&snaky), "{sub}");
            }
        }
        assert!(shape("XXXX").is_inside(&snaky));
        assert!(!shape("XX/XX").is_inside(&snaky));
        assert!(!snaky.is_inside(&shape("XXXX")));
    }
}
