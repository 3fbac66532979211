//! Where a shape lies on a board: the winning sets of the game.
//!
//! The checker enumerates them once more, in another way; a test holds the two against each other.

use harary_certificate::{Board, Shape, Topology, WideSet};
use std::collections::BTreeSet;

/// The winning sets of a shape: its images under all rotations, reflections and translations, each set once,
/// sorted as numbers. On a torus they wrap; an image that covers a cell twice is none.
pub fn placements(shape: &Shape, board: &Board) -> Vec<WideSet> {
    let mut found = BTreeSet::new();
    for image in shape.orientations() {
        let (columns, rows) = match board.topology() {
            Topology::Torus => (board.width(), board.height()),
            Topology::Plain if image.width() > board.width() || image.height() > board.height() => continue,
            Topology::Plain => (board.width() - image.width() + 1, board.height() - image.height() + 1),
        };
        for dx in 0..columns {
            for dy in 0..rows {
                let set: WideSet = image
                    .cells()
                    .iter()
                    .map(|&(x, y)| board.cell((x as usize + dx) % board.width(), (y as usize + dy) % board.height()))
                    .collect();
                if set.len() == shape.size() {
                    found.insert(set);
                }
            }
        }
    }
    found.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of placements on n x n, n = 3..9, plain and torus.
    #[test]
    fn placements_are_counted_as_published() {
        let table: [(&str, &str, [usize; 7], [usize; 7]); 6] = [
            ("skinny", "XXXX", [0, 8, 20, 36, 56, 80, 108], [0, 8, 50, 72, 98, 128, 162]),
            ("el", "X./XX", [16, 36, 64, 100, 144, 196, 256], [36, 64, 100, 144, 196, 256, 324]),
            ("L5", "X.../XXXX", [0, 24, 64, 120, 192, 280, 384], [0, 64, 200, 288, 392, 512, 648]),
            ("Y5", ".X../XXXX", [0, 24, 64, 120, 192, 280, 384], [0, 64, 200, 288, 392, 512, 648]),
            ("N5", "XX../.XXX", [0, 24, 64, 120, 192, 280, 384], [36, 128, 200, 288, 392, 512, 648]),
            ("snaky", ".XXXX/XX...", [0, 0, 32, 80, 144, 224, 320], [0, 64, 200, 288, 392, 512, 648]),
        ];
        for (name, rows, plain, torus) in table {
            let shape = Shape::from_rows(rows).unwrap();
            for n in 3..=9 {
                let count = |topology| placements(&shape, &Board::new(n, n, topology).unwrap()).len();
                assert_eq!(count(Topology::Plain), plain[n - 3], "{name} {n}x{n} plain");
                assert_eq!(count(Topology::Torus), torus[n - 3], "{name} {n}x{n} torus");
            }
        }
    }
}
