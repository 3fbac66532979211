//! Whether a game of sets is Hex, so that it can be drawn as such.
//!
//! A game says nothing of where it comes from. But if its vertices are named like the cells of a whole board, and each set
//! of Black's is a chain of Hex cells from one side to the other, then it is drawn best as Hex is.

use super::layout::places;
use harary_certificate::WideSet;
use std::collections::BTreeSet;

/// The sides that Black joins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Joined {
    /// The lowest row and the highest.
    Rows,
    /// The first column and the last.
    Columns,
}

/// Column and row.
type Place = (usize, usize);

/// The six neighbours of a cell, with each row half a cell to the right of the one below.
fn are_neighbours((x, y): Place, (a, b): Place) -> bool {
    let (right, up) = (a as isize - x as isize, b as isize - y as isize);
    matches!((right, up), (1 | -1, 0) | (0, 1 | -1) | (1, -1) | (-1, 1))
}

/// Which sides Black joins if this is Hex; `None` if it is another game.
pub fn hex(names: &[String], black: &[WideSet]) -> Option<Joined> {
    let places = places(names)?;
    let (columns, rows) = (places.iter().map(|at| at.0).max()? + 1, places.iter().map(|at| at.1).max()? + 1);
    if columns < 2 || rows < 2 || columns * rows != places.len() || black.is_empty() {
        return None;
    }
    let sets: Vec<Vec<Place>> = black.iter().map(|set| set.iter().map(|cell| places[cell.index()]).collect()).collect();
    let joins = |sides: fn(&Place) -> usize, last: usize| {
        sets.iter().all(|set| set.iter().any(|at| sides(at) == 0) && set.iter().any(|at| sides(at) == last))
    };
    let joined = match (joins(|at| at.1, rows - 1), joins(|at| at.0, columns - 1)) {
        (true, _) => Joined::Rows,
        (false, true) => Joined::Columns,
        (false, false) => return None,
    };
    // On a square grid no step leads across a corner.
    let across = |set: &Vec<Place>| set.iter().any(|&(x, y)| set.iter().any(|&(a, b)| (a, b + 1) == (x + 1, y)));
    (sets.iter().all(|set| is_chain(set)) && sets.iter().any(across)).then_some(joined)
}

/// Whether one can walk from each cell to each other.
fn is_chain(set: &[Place]) -> bool {
    let mut rest: BTreeSet<Place> = set.iter().copied().collect();
    let mut reached: Vec<Place> = rest.pop_first().into_iter().collect();
    while let Some(at) = reached.pop() {
        let (near, far) = rest.into_iter().partition::<BTreeSet<Place>, _>(|&other| are_neighbours(at, other));
        reached.extend(near);
        rest = far;
    }
    rest.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(names: &str, sets: &[&[usize]]) -> Option<Joined> {
        let names: Vec<String> = names.split(' ').map(str::to_owned).collect();
        let sets: Vec<WideSet> =
            sets.iter().map(|set| set.iter().map(|&cell| harary_certificate::Cell::new(cell)).collect()).collect();
        hex(&names, &sets)
    }

    #[test]
    fn hex_is_known_by_its_chains() {
        let names = "a1 a2 b1 b2";
        assert_eq!(game(names, &[&[0, 1], &[2, 3], &[1, 2]]), Some(Joined::Rows));
        assert_eq!(game(names, &[&[0, 2], &[1, 3], &[1, 2]]), Some(Joined::Columns));
        // Rows and columns alone are no Hex, nor is the other diagonal, nor half a board.
        assert_eq!(game(names, &[&[0, 1], &[2, 3]]), None);
        assert_eq!(game(names, &[&[0, 1], &[2, 3], &[0, 3]]), None);
        assert_eq!(game("a1 a2 b1", &[&[0, 1], &[1, 2]]), None);
        assert_eq!(game("p q r s", &[&[0, 1], &[1, 2]]), None);
    }
}
