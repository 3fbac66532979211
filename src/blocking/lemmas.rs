//! Lemmas found by the search, looked up by subsumption.
//!
//! Both kinds have one form: they speak of every position in which one player owns at least the cells `needs` and the
//! other none of the cells `avoids`. A block lemma: White owns at least W, Black none of Z, and White holds. A "no":
//! Black owns at least B, White none of U, and White has no block with so many moves. So one store serves both.

use crate::cell::Cell;
use crate::cell_set::CellSet;

/// One lemma. Of two that apply to a position, the one that `avoids` fewer cells says more.
#[derive(Clone, Copy, Debug)]
pub struct Lemma<const N: usize> {
    pub needs: CellSet<N>,
    pub avoids: CellSet<N>,
    /// How much it says: a greater rank serves where a lesser is asked for.
    pub rank: u8,
    /// What it rests on, for the proof: a number of the caller's and the symmetry that maps that here.
    pub origin: u32,
    pub symmetry: u16,
}

impl<const N: usize> Lemma<N> {
    #[inline]
    fn applies(&self, own: &CellSet<N>, other: &CellSet<N>, rank: u8) -> bool {
        self.needs.is_subset(own) && self.avoids.is_disjoint(other) && self.rank >= rank
    }
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

    fn buckets_for(&self, own: CellSet<N>) -> impl Iterator<Item = &Vec<Lemma<N>>> {
        let last = self.buckets.len() - 1;
        own.iter().map(Cell::index).chain([last]).map(|index| &self.buckets[index])
    }

    /// Of the lemmas of at least this rank that apply, one that avoids the fewest cells.
    pub fn best(&self, own: CellSet<N>, other: CellSet<N>, rank: u8) -> Option<Lemma<N>> {
        let mut best: Option<Lemma<N>> = None;
        let mut fewest = usize::MAX;
        for bucket in self.buckets_for(own) {
            for lemma in bucket {
                if lemma.applies(&own, &other, rank) && lemma.avoids.len() < fewest {
                    fewest = lemma.avoids.len();
                    best = Some(*lemma);
                }
            }
        }
        best
    }

    /// Whether another lemma says at least as much.
    fn subsumed(&self, new: &Lemma<N>) -> bool {
        self.buckets_for(new.needs).any(|bucket| {
            bucket.iter().any(|lemma| {
                lemma.needs.is_subset(&new.needs) && lemma.avoids.is_subset(&new.avoids) && lemma.rank >= new.rank
            })
        })
    }

    /// Adds a lemma unless another says at least as much.
    pub fn insert(&mut self, new: Lemma<N>) -> bool {
        if self.subsumed(&new) {
            return false;
        }
        let last = self.buckets.len() - 1;
        let index =
            new.needs.iter().map(Cell::index).min_by_key(|&index| self.buckets[index].len()).unwrap_or(last);
        self.buckets[index].push(new);
        self.len += 1;
        true
    }
}
