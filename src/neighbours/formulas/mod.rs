//! The neighbours as quantified boolean formulas: true exactly if the first player wins.
//!
//! A game is unrolled turn by turn. Each turn the mover chooses a number in bits, under "exists" or "for all"; what the
//! board is afterwards, and whether the choice was legal, are gates over the board before. There are two ways to say who
//! wins, and they say the same:
//!
//! - *without cuts* one chain of gates at the very inside: from this turn on the first player wins. A solver that has seen
//!   the second player cheat still has to go through all later turns: what they hold is true whatever is chosen, but
//!   it cannot see that (the "Achilles' heel" of quantified search);
//! - *with cuts* a variable at every turn says that the game is over for good: the second player has cheated, or the first one has
//!   won. It stands in every later clause, so that all of them are true at once.

pub mod circuit;
mod clauses;
mod connect;
mod matrix;
mod nim;
#[cfg(test)]
mod tests;
pub mod unroll;

use super::clauses::ClauseGame;
use super::connect::Grid;
use super::matrix::Matrix;
use super::nim::Nim;
use crate::qbf::formula::Formula;
use std::sync::Arc;
use unroll::unroll;

/// The formula of Nim.
pub fn of_nim(game: &Nim, cuts: bool) -> Formula {
    unroll(&nim::NimTurns::new(game), cuts)
}

/// The formula of the matrix game. Nobody can cheat there, so the cuts cut nothing.
pub fn of_matrix(matrix: &Arc<Matrix>, cuts: bool) -> Formula {
    unroll(&matrix::MatrixTurns::new(matrix.clone()), cuts)
}

/// The formula of Connect Four: the first player wins by turn `turns`.
pub fn of_connect(grid: Grid, turns: usize, cuts: bool) -> Formula {
    unroll(&connect::ConnectTurns::new(grid, turns), cuts)
}

/// The formula of the game of clauses.
pub fn of_clauses(game: &ClauseGame, cuts: bool) -> Formula {
    unroll(&clauses::ClauseTurns::new(game), cuts)
}
