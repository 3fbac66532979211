//! Lemmas found by the search, looked up by subsumption.
//!
//! Both kinds have one form: they speak of every position in which one player owns at least the cells `needs` and the
//! other none of the cells `avoids`. A block: White owns at least W, Black none of Z, and White holds. A refusal: Black
//! owns at least B, White none of U, and White has no block with so many moves. So one store serves both.

use crate::effort::memory::grow;
use harary_certificate::{Cell, CellSet};
use std::cmp::Reverse;

/// How much a lemma says: a greater rank serves wherever a lesser one is asked for.
pub trait Rank: Copy + Ord {
    /// What every lemma says.
    const LEAST: Self;
}

/// Of a block, the fewer of White's moves it takes the more it says.
impl Rank for Reverse<u16> {
    const LEAST: Reverse<u16> = Reverse(u16::MAX);
}

/// One lemma. Of two that apply to a position, the one that avoids fewer cells says more.
#[derive(Clone, Copy, Debug)]
pub struct Lemma<const N: usize, R> {
    /// What one player owns at least.
    pub needs: CellSet<N>,
    /// What the other owns nothing of.
    pub avoids: CellSet<N>,
    /// How much it says.
    pub rank: R,
    /// What it rests on: a number of the caller's, and which symmetry maps that here.
    pub origin: u32,
    /// The number of that symmetry.
    pub symmetry: u16,
}

/// A store of lemmas: a trie over the cells they need, in ascending order. A position walks only the branches of its own
/// stones, and those are few; of one branch it looks at the lemmas that need exactly these cells.
pub struct Lemmas<const N: usize, R> {
    nodes: Vec<Node<N, R>>,
    count: usize,
    /// The bytes of the lists of all nodes.
    listed: usize,
}

/// The lemmas that need the cells on the way to this node, and the ways on.
struct Node<const N: usize, R> {
    needs: CellSet<N>,
    /// The cells of the ways on, all greater than those before.
    cells: CellSet<N>,
    /// Where they lead, in the order of the cells.
    ways: Vec<u32>,
    /// The greatest rank here and below.
    rank: R,
    /// The fewest cells that a lemma here or below avoids, or fewer.
    fewest: u16,
    /// Cells that all lemmas here and below avoid. A walk that cannot use them turns back without a look at the lists.
    shared: CellSet<N>,
    /// The greatest rank first.
    lemmas: Vec<Entry<N, R>>,
}

/// A lemma but for what its node says.
#[derive(Clone, Copy)]
struct Entry<const N: usize, R> {
    avoids: CellSet<N>,
    rank: R,
    symmetry: u16,
    origin: u32,
}

/// Who walks through a store.
trait Visitor<const N: usize, R> {
    /// Whether something here or below may be wanted.
    fn enters(&self, node: &Node<N, R>) -> bool;

    /// Takes or leaves a lemma; whether that is enough.
    fn takes(&mut self, node: &Node<N, R>, entry: &Entry<N, R>) -> bool;
}

/// Wants a lemma that applies where the other player owns `other`, and of these one that avoids the fewest cells.
struct Best<const N: usize, R> {
    other: CellSet<N>,
    fewest: u16,
    found: Option<Lemma<N, R>>,
}

impl<const N: usize, R: Rank> Visitor<N, R> for Best<N, R> {
    fn enters(&self, node: &Node<N, R>) -> bool {
        node.fewest < self.fewest && node.shared.is_disjoint(&self.other)
    }

    fn takes(&mut self, node: &Node<N, R>, entry: &Entry<N, R>) -> bool {
        let count = entry.avoids.len() as u16;
        if count < self.fewest && entry.avoids.is_disjoint(&self.other) {
            let Entry { avoids, rank, symmetry, origin } = *entry;
            self.fewest = count;
            self.found = Some(Lemma { needs: node.needs, avoids, rank, origin, symmetry });
        }
        false
    }
}

/// Wants any lemma that avoids no other cells than these.
struct SaysAsMuch<const N: usize> {
    avoids: CellSet<N>,
}

impl<const N: usize, R: Rank> Visitor<N, R> for SaysAsMuch<N> {
    fn enters(&self, node: &Node<N, R>) -> bool {
        node.shared.is_subset(&self.avoids)
    }

    fn takes(&mut self, _: &Node<N, R>, entry: &Entry<N, R>) -> bool {
        entry.avoids.is_subset(&self.avoids)
    }
}

impl<const N: usize, R: Rank> Node<N, R> {
    fn new(needs: CellSet<N>) -> Node<N, R> {
        Node {
            needs,
            cells: CellSet::EMPTY,
            ways: Vec::new(),
            rank: R::LEAST,
            fewest: u16::MAX,
            // Of no lemma at all; those of a board are fewer.
            shared: CellSet::first_cells(64 * N),
            lemmas: Vec::new(),
        }
    }

    /// A lemma is added here or below. One that is dropped later changes nothing: what is said stays true.
    fn extend(&mut self, new: &Lemma<N, R>) {
        self.rank = self.rank.max(new.rank);
        self.fewest = self.fewest.min(new.avoids.len() as u16);
        self.shared &= new.avoids;
    }

    /// How many cells of the ways on come before this one.
    fn place(&self, cell: Cell) -> usize {
        (self.cells & CellSet::first_cells(cell.index())).len()
    }

    fn way(&self, cell: Cell) -> u32 {
        self.ways[self.place(cell)]
    }
}

impl<const N: usize, R: Rank> Default for Lemmas<N, R> {
    fn default() -> Lemmas<N, R> {
        Lemmas { nodes: vec![Node::new(CellSet::EMPTY)], count: 0, listed: 0 }
    }
}

impl<const N: usize, R: Rank> Lemmas<N, R> {
    /// The bytes it takes. What the list of nodes has in reserve has not been touched.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node<N, R>>() + self.listed
    }

    /// Of these, the bytes of the lists: small pieces.
    pub fn listed(&self) -> usize {
        self.listed
    }

    /// All lemmas of at least this rank, images included.
    pub fn at_least(&self, rank: R) -> Vec<Lemma<N, R>> {
        let of = |node: &Node<N, R>| {
            let needs = node.needs;
            let lemma = move |&Entry { avoids, rank, symmetry, origin }: &Entry<N, R>| Lemma {
                needs,
                avoids,
                rank,
                origin,
                symmetry,
            };
            node.lemmas.iter().take_while(|entry| entry.rank >= rank).map(lemma).collect::<Vec<_>>()
        };
        self.nodes.iter().flat_map(of).collect()
    }

    /// How many lemmas it holds, images included.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Of the lemmas of at least this rank that apply where one player owns `own` and the other `other`, one that avoids
    /// the fewest cells.
    pub fn best(&self, own: CellSet<N>, other: CellSet<N>, rank: R) -> Option<Lemma<N, R>> {
        let mut best = Best { other, fewest: u16::MAX, found: None };
        self.walk(0, own, rank, &mut best);
        best.found
    }

    /// The first of the cells `more` with which some lemma applies: where one player owns `own` and that cell, and the other
    /// `other`. One walk for all of them: most of the way is the same.
    pub fn first_with(&self, own: CellSet<N>, other: CellSet<N>, more: CellSet<N>) -> Option<Cell> {
        let mut left = more;
        let mut found = None;
        self.walk_with(0, own, other, None, &mut left, &mut found);
        found
    }

    /// The walk, with the cell it has used up already; `left` are the cells that would come before the one found.
    fn walk_with(
        &self,
        node: u32,
        own: CellSet<N>,
        other: CellSet<N>,
        used: Option<Cell>,
        left: &mut CellSet<N>,
        found: &mut Option<Cell>,
    ) {
        let node = &self.nodes[node as usize];
        if !node.shared.is_disjoint(&other) {
            return;
        }
        // A lemma that needs none of them applies with the first.
        let cell = used.or(left.first());
        if let Some(cell) = cell.filter(|cell| left.contains(*cell))
            && node.lemmas.iter().any(|entry| entry.avoids.is_disjoint(&other))
        {
            *found = Some(cell);
            *left &= CellSet::first_cells(cell.index());
            if used.is_some() || left.is_empty() {
                return;
            }
        }
        let ways = if used.is_some() { node.cells & own } else { node.cells & (own | *left) };
        for cell in ways {
            let used = if own.contains(cell) { used } else { Some(cell) };
            // What was found meanwhile may come before it.
            if used.or(left.first()).is_some_and(|cell| left.contains(cell)) {
                self.walk_with(node.way(cell), own, other, used, left, found);
            }
        }
    }

    /// Shows the lemmas of at least this rank that need nothing but cells of `own`, until the visitor has enough.
    fn walk(&self, node: u32, own: CellSet<N>, rank: R, visitor: &mut impl Visitor<N, R>) -> bool {
        let node = &self.nodes[node as usize];
        if node.rank < rank || !visitor.enters(node) {
            return false;
        }
        if node.lemmas.iter().take_while(|entry| entry.rank >= rank).any(|entry| visitor.takes(node, entry)) {
            return true;
        }
        (node.cells & own).iter().any(|cell| self.walk(node.way(cell), own, rank, visitor))
    }

    /// Adds the images of a lemma under a group of symmetries, itself first, unless another says at least as much. The
    /// store is closed under the group, so if nothing says as much as the lemma, nothing does as its images.
    pub fn insert(&mut self, images: &[Lemma<N, R>]) {
        let Some(new) = images.first() else { return };
        if self.walk(0, new.needs, new.rank, &mut SaysAsMuch { avoids: new.avoids }) {
            return;
        }
        for (index, image) in images.iter().enumerate() {
            let alike = |other: &Lemma<N, R>| other.needs == image.needs && other.avoids == image.avoids;
            if !images[..index].iter().any(alike) {
                self.add(image);
            }
        }
    }

    /// Adds one lemma and drops those of the same stones that say less.
    pub fn add(&mut self, new: &Lemma<N, R>) {
        let mut at = 0;
        self.nodes[at].extend(new);
        for cell in new.needs.iter() {
            if !self.nodes[at].cells.contains(cell) {
                let child = self.nodes.len() as u32;
                self.nodes.push(Node::new(self.nodes[at].needs.with(cell)));
                let node = &mut self.nodes[at];
                self.listed += grow(&mut node.ways);
                node.ways.insert(node.place(cell), child);
                node.cells.insert(cell);
            }
            at = self.nodes[at].way(cell) as usize;
            self.nodes[at].extend(new);
        }
        let lemmas = &mut self.nodes[at].lemmas;
        let before = lemmas.len();
        lemmas.retain(|entry| entry.rank > new.rank || !new.avoids.is_subset(&entry.avoids));
        self.count = self.count + 1 + lemmas.len() - before;
        let Lemma { avoids, rank, symmetry, origin, .. } = *new;
        let place = lemmas.partition_point(|entry| entry.rank >= rank);
        self.listed += grow(lemmas);
        lemmas.insert(place, Entry { avoids, rank, symmetry, origin });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(bits: u64) -> CellSet<1> {
        CellSet::from_words([bits])
    }

    impl Rank for u16 {
        const LEAST: u16 = 0;
    }

    proptest! {
        #[test]
        fn one_walk_finds_the_first_cell_with_which_a_lemma_applies(
            lemmas in prop::collection::vec((0..512u64, 0..512u64), 0..40),
            own in 0..512u64, other in 0..512u64, more in 0..512u64,
        ) {
            let mut store = Lemmas::<1, u16>::default();
            for &(needs, avoids) in &lemmas {
                store.insert(&[Lemma { needs: set(needs), avoids: set(avoids), rank: 0, origin: 0, symmetry: 0 }]);
            }
            let expected = set(more).iter().find(|cell| store.best(set(own).with(*cell), set(other), 0).is_some());
            prop_assert_eq!(store.first_with(set(own), set(other), set(more)), expected);
        }

        /// The store finds what a list of all lemmas finds: one of the fewest avoided cells, whatever was dropped.
        #[test]
        fn a_store_is_a_list(
            lemmas in prop::collection::vec((0..256u64, 0..256u64, 0..4u16), 0..60),
            own in 0..256u64, other in 0..256u64, rank in 0..4u16,
        ) {
            let mut store = Lemmas::<1, u16>::default();
            for &(needs, avoids, rank) in &lemmas {
                store.insert(&[Lemma { needs: set(needs), avoids: set(avoids), rank, origin: 0, symmetry: 0 }]);
            }
            let applies = |l: &&(u64, u64, u16)| l.2 >= rank && l.0 & !own == 0 && l.1 & other == 0;
            let expected = lemmas.iter().filter(applies).map(|l| l.1.count_ones() as usize).min();
            prop_assert_eq!(store.best(set(own), set(other), rank).map(|lemma| lemma.avoids.len()), expected);
            prop_assert!(store.count() <= lemmas.len());
            let listed = store.at_least(rank);
            prop_assert!(listed.iter().all(|lemma| lemma.rank >= rank) && store.at_least(0).len() == store.count());
            let applies = |l: &&Lemma<1, u16>| l.needs.is_subset(&set(own)) && l.avoids.is_disjoint(&set(other));
            prop_assert_eq!(listed.iter().filter(applies).map(|lemma| lemma.avoids.len()).min(), expected);
        }
    }
}
