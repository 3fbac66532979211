//! Positions up to symmetry, for the transposition table.
//!
//! Any rule that picks the same image for all symmetric positions will do here, so a torus, with its hundreds of
//! symmetries, tries only those that bring one of Black's stones to cell 0: eight for each stone.

use crate::game::symmetry::{Symmetry, SymmetryGroup};
use harary_certificate::{Cell, CellSet};

/// The symmetries of a game, arranged for speed.
pub struct Canon {
    symmetries: Vec<Symmetry>,
    inverses: Vec<Symmetry>,
    /// For each cell, the symmetries that bring it to cell 0; empty where all symmetries are tried.
    to_origin: Vec<Vec<u16>>,
}

/// More symmetries than this are not all tried.
const FEW: usize = 8;

impl Canon {
    pub fn new(group: &SymmetryGroup, cells: usize) -> Canon {
        let symmetries = group.elements().to_vec();
        let inverses = symmetries.iter().map(Symmetry::inverse).collect();
        let bringing =
            |cell| (0..symmetries.len()).filter(|&s| symmetries[s].cell(cell).index() == 0).map(|s| s as u16).collect();
        let to_origin =
            if symmetries.len() > FEW { (0..cells).map(Cell::new).map(bringing).collect() } else { Vec::new() };
        Canon { symmetries, inverses, to_origin }
    }

    /// The image that stands for this position, and the number of the symmetry that leads there.
    #[inline]
    pub fn canonical<const N: usize>(&self, black: &CellSet<N>, white: &CellSet<N>) -> (CellSet<N>, CellSet<N>, usize) {
        if self.symmetries.len() == 1 {
            return (*black, *white, 0);
        }
        let mut best = None;
        let mut consider = |number: usize| {
            let image = self.symmetries[number].set(black);
            if best.is_some_and(|(least, _, _)| image > least) {
                return;
            }
            let found = (image, self.symmetries[number].set(white), number);
            if best.is_none_or(|(b, w, _)| (found.0, found.1) < (b, w)) {
                best = Some(found);
            }
        };
        if self.to_origin.is_empty() {
            (0..self.symmetries.len()).for_each(&mut consider);
        } else {
            for cell in if black.is_empty() { white } else { black }.iter() {
                self.to_origin[cell.index()].iter().for_each(|&number| consider(number.into()));
            }
        }
        best.unwrap_or((*black, *white, 0))
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
