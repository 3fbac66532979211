//! Which moves an encoding need not look at, because a symmetry of the board maps them to others.
//!
//! At turn 1 one cell out of each orbit is enough. After the first stone the symmetries that fix it remain, and again
//! one cell of each of their orbits is enough; and so on. The published encodings stop at turn 1, COR++ at turn 2 on
//! square tori. Here the same argument runs to turn [`DEEPEST`] on every board.
//!
//! Why this is sound: let `g` be a symmetry that maps each colour's stones to themselves. It maps the play after a move
//! `m` to the play after `g(m)`, winning sets to winning sets, pavings to pavings, covers to covers. So the mover loses
//! nothing if he is held to one move of each orbit, and the opponent need answer no others.

use crate::game::Game;
use crate::game::symmetry::SymmetryGroup;
use harary_certificate::{Cell, Player, WideSet};

/// The last turn at which symmetric moves can be left out. One turn more would multiply the lines by the whole board.
pub const DEEPEST: usize = 3;

/// A stone put at a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stone {
    pub turn: usize,
    pub player: Player,
    pub cell: Cell,
}

/// A way the game may begin, and the moves worth a look after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    pub stones: Vec<Stone>,
    pub moves: WideSet,
    /// The legal moves that are images of others.
    pub left_out: WideSet,
}

/// The lines that matter at `turn`. If symmetries are used to turn `depth` and that is before `turn`, one line without
/// stones stands for them all, with every vertex that is empty at the start.
pub fn lines(game: &Game, group: &SymmetryGroup, depth: usize, turn: usize) -> Vec<Line> {
    let empty = WideSet::first_cells(game.vertices()) - *game.black_start() - *game.white_start();
    let mut lines = vec![line_after(game, group, depth, Vec::new(), empty)];
    if turn == 1 {
        return lines;
    }
    if turn > depth.min(DEEPEST) {
        return vec![Line { stones: Vec::new(), moves: empty, left_out: WideSet::EMPTY }];
    }
    for earlier in 1..turn {
        let Some(player) = game.schedule().player_after(earlier - 1) else { return Vec::new() };
        lines = lines
            .iter()
            .flat_map(|line| {
                line.moves.iter().map(|cell| {
                    let stone = Stone { turn: earlier, player, cell };
                    line_after(game, group, depth, line.stones.iter().copied().chain([stone]).collect(), empty)
                })
            })
            .collect();
    }
    lines
}

fn line_after(game: &Game, group: &SymmetryGroup, depth: usize, stones: Vec<Stone>, empty: WideSet) -> Line {
    let of = |player| stones.iter().filter(|stone| stone.player == player).map(|stone| stone.cell).collect::<WideSet>();
    let (black, white) = (of(Player::Black), of(Player::White));
    let allowed = game.allowed(stones.len(), empty - black - white);
    let moves =
        if stones.len() < depth { group.stabiliser(&[black, white]).representatives(&allowed) } else { allowed };
    Line { stones, moves, left_out: (empty - black - white) - moves }
}

#[cfg(test)]
mod tests {
    use super::*;
    use harary_certificate::{Board, Rule, Shape, Topology};

    fn counts(side: usize, topology: Topology, depth: usize, turn: usize) -> Vec<usize> {
        let board = Board::new(side, side, topology).unwrap();
        let game = Game::new(Shape::from_rows("XX").unwrap(), board, Rule::Strong);
        lines(&game, &game.symmetries(), depth, turn).iter().map(|line| line.moves.len()).collect()
    }

    #[test]
    fn whites_first_move_on_tori_is_the_published_eighth() {
        for (side, cells) in [(3, 2), (4, 5), (5, 5), (6, 9)] {
            assert_eq!(counts(side, Topology::Torus, 2, 1), [1]);
            assert_eq!(counts(side, Topology::Torus, 2, 2), [cells], "{side}");
            assert_eq!(counts(side, Topology::Torus, 1, 2), [side * side]);
        }
    }

    #[test]
    fn plain_boards_keep_less_symmetry() {
        // Corner: 5 of 8, edge: 5 of 8, centre: 2 of 8.
        assert_eq!(counts(3, Topology::Plain, 2, 2), [5, 5, 2]);
        assert_eq!(counts(3, Topology::Plain, 0, 1), [9]);
        assert_eq!(counts(3, Topology::Plain, 3, 3).len(), 12);
    }
}
