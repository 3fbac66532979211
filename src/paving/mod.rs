//! Pavings: the short proof that White holds.
//!
//! Lemma 4 of [docs/game.md](../../docs/game.md#lemma-4-paving). With Black to move, a *paving* is a set of disjoint
//! pairs of empty cells such that every winning set free of White contains a pair. Whenever Black plays in a pair,
//! White answers in its other cell: Black never owns a whole pair, so he never completes a winning set. It is an
//! argument of the weak game, and it holds in the strong game as well.

pub mod backtracking;
pub mod bounded;
#[cfg(test)]
pub(crate) mod exhaustive;
pub mod oracle;
pub mod periodic;

use harary_certificate::{Cell, CellSet};

/// A paving, and where it holds: in every position in which White owns at least `white` and Black none of `zone`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Paving<const N: usize> {
    /// Disjoint, the lesser cell first, sorted.
    pub pairs: Vec<(Cell, Cell)>,
    /// White's stones that stop the winning sets without a pair.
    pub white: CellSet<N>,
    /// The cells of the pairs.
    pub zone: CellSet<N>,
}

/// Proof that there is no paving, by the part of the position that excludes it: there is none in any position in which
/// White owns nothing in `cells` and Black owns at least `black`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoPaving<const N: usize> {
    /// `black` and empty cells.
    pub cells: CellSet<N>,
    /// The stones that are needed for it.
    pub black: CellSet<N>,
}

/// What the oracle says of a position with Black to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer<const N: usize> {
    /// There is one.
    Paved(Paving<N>),
    /// There is none.
    None(NoPaving<N>),
}

/// Which pairs of cells a paving may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pairs {
    /// Any two cells.
    Any,
    /// Cells that share an edge.
    Dominoes,
}
