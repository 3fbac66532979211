//! Where vertices are drawn, read off their names.
//!
//! `b3` lies on a board, `b3x` in a box, whose layers stand side by side, each with its letter behind its columns. The cells
//! `1` to `300` of a long strip are cut into rows: the number of a cell is that of its row plus that of its column.

use crate::game::ground::layer_of_letter;
use harary_certificate::MAX_SIDE;
use std::collections::BTreeSet;

/// How many cells of a strip are drawn in a row.
const STRIP: usize = 20;

/// Column and row, from the bottom left.
pub type Place = (usize, usize);

/// The places of all vertices, and what the columns and rows are called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// By the number of the vertex.
    pub places: Vec<Place>,
    /// From the left.
    pub column_names: Vec<String>,
    /// From below.
    pub row_names: Vec<String>,
}

impl Layout {
    /// The layout of vertices with these names; `None` if they say nothing of places, or two would lie on one another, as
    /// a1 and A1.
    pub fn of_names(names: &[String]) -> Option<Layout> {
        let layout = board(names).or_else(|| layers(names)).or_else(|| strip(names))?;
        let distinct: BTreeSet<&Place> = layout.places.iter().collect();
        (distinct.len() == names.len()).then_some(layout)
    }
}

/// Column and row of vertices named like the cells of a board; `None` if one is not, or two would lie on one another.
pub fn places(names: &[String]) -> Option<Vec<Place>> {
    let places = board(names)?.places;
    let distinct: BTreeSet<&Place> = places.iter().collect();
    (distinct.len() == places.len()).then_some(places)
}

/// What a column is called.
pub fn column_letter(x: usize) -> char {
    char::from(b'a' + (x % 26) as u8)
}

/// What rows are called that are counted from below.
pub fn row_numbers(rows: usize) -> Vec<String> {
    (1..=rows).map(|row| row.to_string()).collect()
}

/// One more than the greatest.
fn extent(values: impl Iterator<Item = usize>) -> usize {
    values.max().map_or(0, |value| value + 1)
}

fn board(names: &[String]) -> Option<Layout> {
    let places = names.iter().map(|name| cell(name)).collect::<Option<Vec<Place>>>()?;
    let columns = extent(places.iter().map(|place| place.0));
    Some(Layout {
        column_names: (0..columns).map(|x| column_letter(x).to_string()).collect(),
        row_names: row_numbers(extent(places.iter().map(|place| place.1))),
        places,
    })
}

fn layers(names: &[String]) -> Option<Layout> {
    let point = |name: &String| {
        let letter = name.chars().next_back()?;
        let place = cell(&name[..name.len() - letter.len_utf8()])?;
        Some((place, letter.to_ascii_lowercase(), layer_of_letter(letter)?))
    };
    let points = names.iter().map(point).collect::<Option<Vec<_>>>()?;
    let across = extent(points.iter().map(|(place, ..)| place.0)) + 1;
    let mut column_names = vec![String::new(); across * extent(points.iter().map(|point| point.2))];
    for (_, letter, layer) in &points {
        (0..across - 1).for_each(|x| column_names[layer * across + x] = column_letter(x).to_string());
        column_names[layer * across + across - 1] = letter.to_string();
    }
    Some(Layout {
        column_names,
        row_names: row_numbers(extent(points.iter().map(|(place, ..)| place.1))),
        places: points.iter().map(|((x, y), _, layer)| (layer * across + x, *y)).collect(),
    })
}

fn strip(names: &[String]) -> Option<Layout> {
    let in_order = names.iter().enumerate().all(|(index, name)| *name == (index + 1).to_string());
    let rows = names.len().div_ceil(STRIP);
    (in_order && names.len() > MAX_SIDE).then(|| Layout {
        places: (0..names.len()).map(|index| (index % STRIP, rows - 1 - index / STRIP)).collect(),
        column_names: (1..=STRIP).map(|number| number.to_string()).collect(),
        row_names: (0..rows).rev().map(|row| format!("{}+", row * STRIP)).collect(),
    })
}

/// Column and row of a vertex named like a cell, `b12`.
fn cell(name: &str) -> Option<Place> {
    let column = name.bytes().next()?.to_ascii_lowercase();
    let digits = name.get(1..)?;
    let regular = column.is_ascii_lowercase()
        && (1..=2).contains(&digits.len())
        && !digits.starts_with('0')
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    regular.then(|| Some((usize::from(column - b'a'), digits.parse::<usize>().ok()? - 1))).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(names: &str) -> Option<Layout> {
        Layout::of_names(&names.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn names_tell_places() {
        assert_eq!(layout("b2 a1 C1").unwrap().places, [(1, 1), (0, 0), (2, 0)]);
        let cube = layout("a1x b1x a1y b1y a2w").unwrap();
        assert_eq!(cube.places, [(0, 0), (1, 0), (3, 0), (4, 0), (9, 1)]);
        assert_eq!(cube.column_names.join("."), "a.b.x.a.b.y....a.b.w");
        let long: Vec<String> = (1..=41).map(|number| number.to_string()).collect();
        let strip = Layout::of_names(&long).unwrap();
        assert_eq!((strip.places[0], strip.places[20], strip.places[40]), ((0, 2), (0, 1), (0, 0)));
        assert_eq!(strip.row_names, ["40+", "20+", "0+"]);
        for other in ["a1 A1", "a1 b", "1 2 3", "a1x a1X", "a1x a1", "a1é", "é", "a1a", "a0 a1"] {
            assert_eq!(layout(other), None, "{other}");
        }
    }
}
