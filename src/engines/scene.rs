//! Random positions on small boards, for tests of the engines against the twin.

use super::twin::Twin;
use crate::effort::Limits;
use crate::game::{Game, Sets, placements};
use harary_certificate::{Board, Cell, CellSet, Player, Rule, Schedule, Shape, Stones, Topology};
use proptest::prelude::*;

/// A position with Black to move. The stones of either side are any, as after passes.
#[derive(Clone, Debug)]
pub struct Scene {
    pub shape: Shape,
    pub board: Board,
    pub weak: bool,
    pub stones: Stones<1>,
}

/// Scenes with few enough empty cells for the twin.
pub fn scenes() -> impl Strategy<Value = Scene> {
    let parts = (
        prop::collection::btree_set((0..4i32, 0..3i32), 2..6),
        prop::sample::select(vec![(3, 3), (4, 3), (5, 2), (4, 4)]),
        any::<(bool, bool)>(),
        prop::collection::vec(0..100usize, 3..12),
        1..7usize,
    );
    let scene = parts.prop_map(|(shape, (width, height), (torus, weak), stones, blacks)| {
        let board = Board::new(width, height, if torus { Topology::Torus } else { Topology::Plain }).unwrap();
        let shape = Shape::new(&shape.into_iter().collect::<Vec<_>>()).unwrap();
        let mut scene = Scene { shape, board, weak, stones: Stones::NONE };
        for (i, choice) in stones.into_iter().enumerate() {
            let empty: Vec<Cell> = scene.empty().iter().collect();
            if empty.len() <= 4 {
                break;
            }
            let player = if i < blacks { Player::Black } else { Player::White };
            scene.stones = scene.stones.with(player, empty[choice % empty.len()]);
        }
        scene
    });
    scene.prop_filter("too many empty cells for the twin", |scene| scene.empty().len() <= 11)
}

impl Scene {
    fn empty(&self) -> CellSet<1> {
        CellSet::first_cells(self.board.size()) - self.stones.occupied()
    }

    /// The game that starts here, unless somebody has won.
    pub fn game(&self) -> Option<Game> {
        self.game_starting_at([])
    }

    /// The same with the first move restricted to these cells, if any of them is free.
    pub fn game_starting_at(&self, first: impl IntoIterator<Item = usize>) -> Option<Game> {
        let sets = placements(&self.shape, &self.board);
        let first: CellSet<1> = first.into_iter().map(Cell::new).collect::<CellSet<1>>() & self.empty();
        Game::of_sets(Sets {
            names: self.board.cells().map(|cell| self.board.cell_name(cell)).collect(),
            black: sets.clone(),
            white: sets,
            rule: if self.weak { Rule::Weak } else { Rule::Strong },
            schedule: Schedule::alternating(self.empty().len()),
            black_start: self.stones.black.resized(),
            white_start: self.stones.white.resized(),
            first: Some(first.resized()).filter(|_| !first.is_empty()),
        })
        .ok()
    }

    /// What the twin says of a game that starts here.
    pub fn least_turn(&self, game: &Game) -> Option<usize> {
        self.least_turn_after(game, self.stones)
    }

    /// What the twin says of a later position of the game.
    pub fn least_turn_after(&self, game: &Game, stones: Stones<1>) -> Option<usize> {
        Twin::<1>::new(game, &Limits::none()).win_turn(stones).unwrap()
    }

    /// Whether these stones hold a placement of the shape.
    pub fn is_over(&self, stones: CellSet<1>) -> bool {
        placements(&self.shape, &self.board).iter().any(|set| set.is_subset(&stones.resized()))
    }
}
