//! Positions up to symmetry, for the transposition table.
//!
//! Lemma 12 of [docs/game.md](../../docs/game.md#lemma-12-symmetry). Any rule that picks the same image for all
//! symmetric positions will do here, so where there are many symmetries, as on a torus, only those are tried that bring
//! one of Black's stones to the first cell of its orbit: eight for each stone on a torus. Where there are several orbits
//! it is the one with the fewest symmetries to try.

use crate::effort::tuning::shared::FEW_SYMMETRIES;
use crate::game::symmetry::{Symmetry, SymmetryGroup};
use harary_certificate::{CellSet, Stones, WideSet};

/// The symmetries of a game, arranged for speed.
pub struct Canon {
    symmetries: Vec<Symmetry>,
    inverses: Vec<Symmetry>,
    /// For each cell, the symmetries that bring it to the first cell of its orbit; empty where all symmetries are tried.
    to_origin: Vec<Vec<u16>>,
    /// The cells of each orbit, in order of their first cells.
    orbits: Vec<WideSet>,
}

impl Canon {
    /// For positions under these symmetries.
    pub fn new(group: &SymmetryGroup, cells: usize) -> Canon {
        let symmetries = group.elements().to_vec();
        let inverses = symmetries.iter().map(Symmetry::inverse).collect();
        let (mut to_origin, mut orbits) = (Vec::new(), Vec::new());
        if symmetries.len() > FEW_SYMMETRIES {
            to_origin = vec![Vec::new(); cells];
            for orbit in group.orbits(cells) {
                for &cell in &orbit {
                    let brings = |s: &usize| symmetries[*s].cell(cell) == orbit[0];
                    to_origin[cell.index()] = (0..symmetries.len()).filter(brings).map(|s| s as u16).collect();
                }
                orbits.push(orbit.into_iter().collect());
            }
        }
        Canon { symmetries, inverses, to_origin, orbits }
    }

    /// How many symmetries there are.
    pub fn count(&self) -> usize {
        self.symmetries.len()
    }

    /// The stones of one orbit: that with the fewest symmetries to try, or the first of these.
    #[inline]
    fn anchors<const N: usize>(&self, stones: CellSet<N>) -> CellSet<N> {
        if self.orbits.len() == 1 {
            return stones;
        }
        let inside = |orbit: &WideSet| stones & orbit.resized();
        let cost = |inside: &CellSet<N>| inside.first().map(|cell| inside.len() * self.to_origin[cell.index()].len());
        let met = self.orbits.iter().map(inside).filter_map(|inside| Some((cost(&inside)?, inside)));
        met.min_by_key(|(cost, _)| *cost).map_or(stones, |(_, inside)| inside)
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
            for cell in self.anchors(if stones.black.is_empty() { stones.white } else { stones.black }) {
                self.to_origin[cell.index()].iter().for_each(|&number| consider(number.into()));
            }
        }
        best.unwrap_or((*stones, 0))
    }

    /// Of these moves one of each kind: those that a symmetry of the position maps to a lesser one of them are left out.
    pub fn one_of_each_kind<const N: usize>(&self, stones: &Stones<N>, moves: &CellSet<N>) -> CellSet<N> {
        let own = self.symmetries.iter().filter(|symmetry| symmetry.stones(stones) == *stones);
        let keeps = |symmetry: &Symmetry, cell| symmetry.cell(cell) >= cell || !moves.contains(symmetry.cell(cell));
        own.fold(*moves, |left, symmetry| left.iter().filter(|&cell| keeps(symmetry, cell)).collect())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::symmetry::Symmetry;
    use harary_certificate::Cell;
    use proptest::prelude::*;

    proptest! {
        /// All images of a position have the same form, also where the orbits are several: here 0 to 3 and 4 to 9 are
        /// turned, each in its own way.
        #[test]
        fn every_image_has_the_same_form(colours in prop::collection::vec(0..3u8, 12)) {
            let turned = |cycle: &[u16]| {
                let mut image: Vec<u16> = (0..12).collect();
                (0..cycle.len()).for_each(|i| image[usize::from(cycle[i])] = cycle[(i + 1) % cycle.len()]);
                Symmetry::new(image).unwrap()
            };
            let group = SymmetryGroup::generated(12, vec![turned(&[0, 1, 2, 3]), turned(&[4, 5, 6, 7, 8, 9])], 100);
            prop_assert_eq!(group.len(), 24);
            let of = |colour: u8| (0..12).map(Cell::new).filter(|c| colours[c.index()] == colour).collect::<CellSet<1>>();
            let stones = Stones::new(of(1), of(2));
            let canon = Canon::new(&group, 12);
            let (form, number) = canon.canonical(&stones);
            prop_assert_eq!(canon.symmetry(number).stones(&stones), form);
            prop_assert_eq!(canon.inverse(number).stones(&form), stones);
            for symmetry in group.elements() {
                prop_assert_eq!(canon.canonical(&symmetry.stones(&stones)).0, form);
            }
            let kinds = group.stabiliser(&[stones.black, stones.white]).representatives(&of(0));
            prop_assert_eq!(canon.one_of_each_kind(&stones, &of(0)), kinds);
        }
    }
}
