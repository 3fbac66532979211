//! The other games at their full size: Connect Four as others have solved it, and formulas against the search.

use harary::Limits;
use harary::neighbours::connect::board::turn_of_win;
use harary::neighbours::connect::solver::{Found, Solver};
use harary::neighbours::connect::{Connect, Grid};

fn connect_four(width: usize, height: usize, memory: usize) -> (Grid, Found) {
    let (grid, limits) = (Grid::new(width, height, 4).unwrap(), Limits::none());
    let found = Solver::new(grid, memory, &limits).solve(&Connect::new(grid), &mut |_, _| {}).unwrap();
    (grid, found)
}

/// Every board up to 6x5, as Tromp published their values, and three more. Narrower or lower than 4 nobody has won in the
/// published tables; what is too small for any line is a draw at sight.
#[test]
fn connect_four_has_the_published_values() {
    for (width, height) in (1..=6).flat_map(|width| (1..=5).map(move |height| (width, height))) {
        let expected = if (width, height) == (6, 4) { -1 } else { 0 };
        let (_, found) = connect_four(width, height, 64 << 20);
        assert_eq!(found.value.signum(), expected, "{width}x{height}");
    }
    for (width, height) in [(7, 4), (4, 6), (5, 6)] {
        assert_eq!(connect_four(width, height, 64 << 20).1.value, 0, "{width}x{height}");
    }
}

/// The standard board: Allis and Allen, 1988. The first player wins with the last of his stones, from the middle.
#[test]
#[ignore = "takes minutes"]
fn the_first_player_wins_connect_four_on_7x6_by_turn_41() {
    let (grid, found) = connect_four(7, 6, 1 << 30);
    assert_eq!((turn_of_win(grid, found.value), found.value > 0, found.best), (Some(41), true, Some(3)));
}
