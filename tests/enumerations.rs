//! Winning sets and symmetries are enumerated twice, by the checker and for the searches: both must find the same.

use harary::game::placements;
use harary::game::symmetry::SymmetryGroup;
use harary_certificate::{
    Board, Shape, Topology,
    model::Permutation,
    rules::{board_symmetries, winning_sets},
};

#[test]
fn winning_sets_and_symmetries_agree_with_those_of_the_searches() {
    for rows in ["X", "XX", "XXX", "XX/X.", "XXXX", "XX/XX", "XX../.XXX", ".XXXX/XX...", "X....X", "X.X/.../..X"] {
        let shape = Shape::from_rows(rows).unwrap();
        for topology in [Topology::Plain, Topology::Torus] {
            for (width, height) in [(1, 1), (1, 4), (2, 2), (3, 3), (3, 4), (4, 4), (5, 3), (6, 6), (7, 7)] {
                let board = Board::new(width, height, topology).unwrap();
                assert_eq!(winning_sets(&shape, &board), placements(&shape, &board), "{rows} on {board}");
                let group = SymmetryGroup::of(&board);
                let mut theirs: Vec<Permutation> =
                    group.elements().iter().map(|g| board.cells().map(|cell| g.cell(cell)).collect()).collect();
                theirs.sort();
                assert_eq!(board_symmetries(&board), theirs, "{board}");
            }
        }
    }
}
