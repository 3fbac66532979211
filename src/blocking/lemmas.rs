//! Lemmas found by the search, looked up by subsumption.
//!
//! Both kinds have one form: they speak of every position in which one player owns at least the cells `needs` and the
//! other none of the cells `avoids`. A block: White owns at least W, Black none of Z, and White holds. A refusal: Black
//! owns at least B, White none of U, and White has no block with so many moves. So one store serves both.

use crate::cell::Cell;
use crate::cell_set::CellSet;

/// One lemma. Of two that apply to a position, the one that avoids fewer cells says more.
#[derive(Clone, Copy, Debug)]
pub struct Lemma<const N: usize> {
    pub needs: CellSet<N>,
    pub avoids: CellSet<N>,
    /// How much it says: a greater rank serves wherever a lesser one is asked for.
    pub rank: u16,
    /// What it rests on: a number of the caller's, and which symmetry maps that here.
    pub origin: u32,
    pub symmetry: u16,
}

/// A store of lemmas. Each lies in the bucket of one cell it needs, so that a position looks only into the buckets of
/// its own stones: they are few.
pub struct Lemmas<const N: usize> {
    /// One bucket for each cell, and one for the lemmas that need none.
    buckets: Vec<Vec<Lemma<N>>>,
    len: usize,
}

impl<const N: usize> Lemmas<N> {
    pub fn new(cells: usize) -> Lemmas<N> {
        Lemmas { buckets: vec![Vec::new(); cells + 1], len: 0 }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    fn buckets_of(&self, own: CellSet<N>) -> impl Iterator<Item = &[Lemma<N>]> {
        let needs_none = self.buckets.len() - 1;
        own.iter().map(Cell::index).chain([needs_none]).map(|index| self.buckets[index].as_slice())
    }

    /// Of the lemmas of at least this rank that apply where one player owns `own` and the other `other`, one that avoids
    /// the fewest cells.
    pub fn best(&self, own: CellSet<N>, other: CellSet<N>, rank: u16) -> Option<Lemma<N>> {
        let mut best: Option<Lemma<N>> = None;
        let mut fewest = usize::MAX;
        for lemma in self.buckets_of(own).flatten() {
            if lemma.rank >= rank
                && lemma.needs.is_subset(&own)
                && lemma.avoids.is_disjoint(&other)
                && lemma.avoids.len() < fewest
            {
                fewest = lemma.avoids.len();
                best = Some(*lemma);
            }
        }
        best
    }

    /// Adds a lemma unless another says at least as much.
    pub fn insert(&mut self, new: Lemma<N>) {
        let says_as_much = |lemma: &Lemma<N>| {
            lemma.rank >= new.rank && lemma.needs.is_subset(&new.needs) && lemma.avoids.is_subset(&new.avoids)
        };
        if self.buckets_of(new.needs).flatten().any(says_as_much) {
            return;
        }
        let needs_none = self.buckets.len() - 1;
        let least_filled = new.needs.iter().map(Cell::index).min_by_key(|&index| self.buckets[index].len());
        self.buckets[least_filled.unwrap_or(needs_none)].push(new);
        self.len += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(bits: u64) -> CellSet<1> {
        CellSet::from_words([bits])
    }

    proptest! {
        /// The store finds what a list of all lemmas finds: one of the fewest avoided cells, whatever was dropped.
        #[test]
        fn a_store_is_a_list(
            lemmas in prop::collection::vec((0..256u64, 0..256u64, 0..4u16), 0..60),
            own in 0..256u64, other in 0..256u64, rank in 0..4u16,
        ) {
            let mut store = Lemmas::<1>::new(8);
            for &(needs, avoids, rank) in &lemmas {
                store.insert(Lemma { needs: set(needs), avoids: set(avoids), rank, origin: 0, symmetry: 0 });
            }
            let applies = |l: &&(u64, u64, u16)| l.2 >= rank && l.0 & !own == 0 && l.1 & other == 0;
            let expected = lemmas.iter().filter(applies).map(|l| l.1.count_ones() as usize).min();
            prop_assert_eq!(store.best(set(own), set(other), rank).map(|lemma| lemma.avoids.len()), expected);
            prop_assert!(store.len() <= lemmas.len());
        }
    }
}
