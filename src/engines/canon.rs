//! Positions up to symmetry, for the transposition table.
//!
//! Lemma 12 of [docs/game.md](../../docs/game.md#lemma-12-symmetry). Any rule that picks the same image for all
//! symmetric positions will do here, so a torus, with its hundreds of symmetries, tries only those that bring one of
//! Black's stones to cell 0: eight for each stone.

use crate::effort::tuning::shared::FEW_SYMMETRIES;
use crate::game::symmetry::{Symmetry, SymmetryGroup};
use harary_certificate::{Cell, Stones};

/// The symmetries of a game, arranged for speed.
pub struct Canon {
    symmetries: Vec<Symmetry>,
    inverses: Vec<Symmetry>,
    /// For each cell, the symmetries that bring it to cell 0; empty where all symmetries are tried.
    to_origin: Vec<Vec<u16>>,
}

impl Canon {
    /// For positions under these symmetries.
    pub fn new(group: &SymmetryGroup, cells: usize) -> Canon {
        let symmetries = group.elements().to_vec();
        let inverses = symmetries.iter().map(Symmetry::inverse).collect();
        let bringing =
            |cell| (0..symmetries.len()).filter(|&s| symmetries[s].cell(cell).index() == 0).map(|s| s as u16).collect();
        let to_origin = if symmetries.len() > FEW_SYMMETRIES {
            (0..cells).map(Cell::new).map(bringing).collect()
        } else {
            Vec::new()
        };
        Canon { symmetries, inverses, to_origin }
    }

    /// The image that stands for this position, and the number of the symmetry that leads there.
    #[inline]
    pub fn canonical<const N: usize>(&self, stones: &Stones<N>) -> (Stones<N>, usize) {
        if self.symmetries.len() == 1 {
            return (*stones, 0);
        }
        let mut best: Option<(Stones<N>, usize)> = None;
        let mut consider = |number: usize| {
            let black = self.symmetries[number].set(&stones.black);
            if best.is_some_and(|(least, _)| black > least.black) {
                return;
            }
            let image = Stones { black, white: self.symmetries[number].set(&stones.white) };
            if best.is_none_or(|(least, _)| image < least) {
                best = Some((image, number));
            }
        };
        if self.to_origin.is_empty() {
            (0..self.symmetries.len()).for_each(&mut consider);
        } else {
            for cell in if stones.black.is_empty() { stones.white } else { stones.black } {
                self.to_origin[cell.index()].iter().for_each(|&number| consider(number.into()));
            }
        }
        best.unwrap_or((*stones, 0))
    }

    /// The symmetry with this number.
    #[inline]
    pub fn symmetry(&self, number: usize) -> &Symmetry {
        &self.symmetries[number]
    }

    /// The symmetry that undoes it.
    #[inline]
    pub fn inverse(&self, number: usize) -> &Symmetry {
        &self.inverses[number]
    }
}
