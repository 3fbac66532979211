//! Lists of sets up to the names of their cells (lemma 42 of [docs/game.md](../../../docs/game.md#lemma-42-names)).
//!
//! In the weak game a position is what its live sets miss, and it does not matter what the cells are called. So the list
//! itself chooses their names: cells get colours by the sets they are in, and sets by their cells, until no more cells are
//! told apart (colour refinement). Where some still look alike each of them is singled out in turn, and of all
//! namings that come out the one with the least key counts. If one of these cells leads to a naming that another has led to, a renaming
//! of the list exchanges the two, and one is enough.
//!
//! Equal keys mean equal lists, but for a collision of 128 bits; a search may believe them, since its proofs are checked.
//! So the effort can be bounded: beyond it fewer lists are seen to be the same, and that is all.

use crate::effort::tuning::names::MOST_COLOURINGS;
use harary_certificate::{Cell, CellSet};

/// Chooses names for the cells of lists.
pub(super) struct Namer<const N: usize> {
    /// What the sets miss: each once, and none that contains another.
    sets: Vec<CellSet<N>>,
    /// The cells of the list, and for each cell of the board its place among them.
    cells: Vec<Cell>,
    places: Vec<u8>,
    /// The places of each set's cells, one set after the other, and where each ends.
    members: Vec<u8>,
    ends: Vec<u32>,
    /// The colours of the places, one colouring above the other, and what the sets add to the last.
    colours: Vec<u64>,
    added: Vec<u64>,
    /// The last colouring refined, in the order of the colours.
    ordered: Vec<(u64, u8)>,
    /// The places that look alike, of all colourings on the way.
    alike: Vec<u8>,
    /// For each place its name in the naming at hand.
    named: Vec<u8>,
    /// The keys of all namings tried.
    tried: Vec<u128>,
    /// The least of them, and its naming: the places in the order of their names.
    least: u128,
    names: Vec<u8>,
    /// How many colourings may still be refined.
    left: u32,
}

/// Scatters a number; sums of scattered numbers stand for multisets.
#[inline]
fn scatter(number: u64) -> u64 {
    let mixed = (number ^ (number >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// What singles a cell out.
const SINGLE: u64 = 0x5851_f42d_4c95_7f2d;

impl<const N: usize> Namer<N> {
    pub(super) fn new() -> Namer<N> {
        Namer {
            sets: Vec::new(),
            cells: Vec::new(),
            places: vec![0; CellSet::<N>::CAPACITY],
            members: Vec::new(),
            ends: Vec::new(),
            colours: Vec::new(),
            added: Vec::new(),
            ordered: Vec::new(),
            alike: Vec::new(),
            named: Vec::new(),
            tried: Vec::new(),
            least: 0,
            names: Vec::new(),
            left: 0,
        }
    }

    /// The key of a list of what sets miss, and the cells of those that count in the order of their names. There are at most
    /// 255.
    pub(super) fn name(
        &mut self,
        missing: impl Iterator<Item = CellSet<N>>,
    ) -> (u128, impl Iterator<Item = Cell> + '_) {
        self.take(missing);
        self.colours.clear();
        self.colours.resize(self.cells.len(), 1);
        self.alike.clear();
        self.tried.clear();
        self.left = MOST_COLOURINGS;
        self.search(0);
        (self.least, self.names.iter().map(|&place| self.cells[usize::from(place)]))
    }

    /// Takes a list over, without what says nothing.
    fn take(&mut self, missing: impl Iterator<Item = CellSet<N>>) {
        self.sets.clear();
        self.sets.extend(missing);
        self.sets.sort_unstable_by_key(CellSet::len);
        let mut kept = 0;
        for index in 0..self.sets.len() {
            let set = self.sets[index];
            if !self.sets[..kept].iter().any(|smaller| smaller.is_subset(&set)) {
                self.sets[kept] = set;
                kept += 1;
            }
        }
        self.sets.truncate(kept);
        self.cells.clear();
        self.cells.extend(self.sets.iter().fold(CellSet::EMPTY, |all, set| all | *set).iter());
        for (place, cell) in self.cells.iter().enumerate() {
            self.places[cell.index()] = place as u8;
        }
        self.members.clear();
        self.ends.clear();
        for set in &self.sets {
            self.members.extend(set.iter().map(|cell| self.places[cell.index()]));
            self.ends.push(self.members.len() as u32);
        }
    }

    /// Refines the colouring that begins at `start`, until it tells no more cells apart. How many colours there are.
    fn refine(&mut self, start: usize) -> usize {
        self.left = self.left.saturating_sub(1);
        let count = self.cells.len();
        let mut before = 0;
        loop {
            self.added.clear();
            self.added.resize(count, 0);
            let mut from = 0;
            for &end in &self.ends {
                let set = &self.members[from..end as usize];
                let colour = |&place: &u8| scatter(self.colours[start + usize::from(place)]);
                let colour = scatter(set.iter().map(colour).fold(set.len() as u64, u64::wrapping_add));
                for &place in set {
                    self.added[usize::from(place)] = self.added[usize::from(place)].wrapping_add(colour);
                }
                from = end as usize;
            }
            self.ordered.clear();
            for (place, colour) in self.colours[start..].iter_mut().enumerate() {
                *colour = scatter(colour.wrapping_mul(3) ^ self.added[place]);
                self.ordered.push((*colour, place as u8));
            }
            self.ordered.sort_unstable();
            let now = self.ordered.chunk_by(|a, b| a.0 == b.0).count();
            if now == before || now == count {
                return now;
            }
            before = now;
        }
    }

    /// Of the colours that several places of the refined colouring have, that of the fewest places: these.
    fn ambiguous(&self) -> &[(u64, u8)] {
        let several = self.ordered.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1);
        several.min_by_key(|same| same.len()).unwrap_or(&[])
    }

    /// Tries the namings that go with the colouring that begins at `start`, the last.
    fn search(&mut self, start: usize) {
        let count = self.cells.len();
        if self.refine(start) == count {
            return self.finish();
        }
        let first = self.alike.len();
        let alike = self.ambiguous().len();
        for index in 0..alike {
            let place = self.ambiguous()[index].1;
            self.alike.push(place);
        }
        for index in first..first + alike {
            if index > first {
                if self.left == 0 {
                    break;
                }
                let single = self.single_out(start, index);
                let known = self.first_naming(single);
                self.colours.truncate(single);
                if self.tried.contains(&known) {
                    continue;
                }
            }
            let single = self.single_out(start, index);
            self.search(single);
            self.colours.truncate(single);
        }
        self.alike.truncate(first);
    }

    /// A copy of a colouring in which one of the places that look alike is singled out; where it begins.
    fn single_out(&mut self, start: usize, index: usize) -> usize {
        let single = self.colours.len();
        self.colours.extend_from_within(start..start + self.cells.len());
        self.colours[single + usize::from(self.alike[index])] ^= SINGLE;
        single
    }

    /// The key of the first naming that goes with the colouring that begins at `start`, the last.
    fn first_naming(&mut self, start: usize) -> u128 {
        while self.refine(start) < self.cells.len() {
            let place = usize::from(self.ambiguous()[0].1);
            self.colours[start + place] ^= SINGLE;
        }
        self.key()
    }

    /// The naming by the refined colouring, which tells all places apart.
    fn finish(&mut self) {
        let key = self.key();
        if self.tried.is_empty() || key < self.least {
            self.least = key;
            self.names.clear();
            self.names.extend(self.ordered.iter().map(|&(_, place)| place));
        }
        if !self.tried.contains(&key) {
            self.tried.push(key);
        }
    }

    /// Its key: the sets, each by the names of its cells.
    fn key(&mut self) -> u128 {
        self.named.resize(self.cells.len(), 0);
        for (name, &(_, place)) in self.ordered.iter().enumerate() {
            self.named[usize::from(place)] = name as u8;
        }
        let (mut low, mut high, mut from) = (self.cells.len() as u64, 0, 0);
        for &end in &self.ends {
            let (mut one, mut two) = (1u64, 0u64);
            for &place in &self.members[from..end as usize] {
                let name = u64::from(self.named[usize::from(place)]);
                one = one.wrapping_add(scatter(name + 1));
                two = two.wrapping_add(scatter((name + 1) << 20));
            }
            low = scatter(one).wrapping_add(low);
            high = scatter(two).wrapping_add(high);
            from = end as usize;
        }
        u128::from(high) << 64 | u128::from(low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    type Set = CellSet<1>;

    fn with_other_names(set: &Set, names: &[usize]) -> Set {
        set.iter().map(|cell| Cell::new(names[cell.index()])).collect()
    }

    /// The key of a list, and the sets of the list, the least ones, by their names.
    fn named(list: &[Set]) -> (u128, BTreeSet<Vec<usize>>) {
        let least: Vec<Set> = list
            .iter()
            .filter(|set| !list.iter().any(|other| other != *set && other.is_subset(set)))
            .copied()
            .collect();
        let mut namer = Namer::<1>::new();
        let (key, order) = namer.name(list.iter().copied());
        let order: Vec<Cell> = order.collect();
        assert_eq!(order.iter().copied().collect::<Set>(), least.iter().fold(Set::EMPTY, |all, set| all | *set));
        let name = |cell: Cell| order.iter().position(|&other| other == cell).unwrap();
        let by_name = |set: &Set| {
            let mut names: Vec<usize> = set.iter().map(name).collect();
            names.sort_unstable();
            names
        };
        (key, least.iter().map(by_name).collect())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        /// Lists that differ by names, order and what says nothing have the same key, and the same sets by their new names;
        /// so do lists of much symmetry. Lists with the same key are the same.
        #[test]
        fn a_list_is_known_by_any_names(
            sets in prop::collection::vec((0..1u64 << 12, 0..1u64 << 12), 1..14), regular in 0..4usize,
            names in Just((0..12).collect::<Vec<usize>>()).prop_shuffle(), turn in 0..14usize, other in 0..14usize,
        ) {
            let bits = |bits: u64| Set::from_words([bits]);
            let mut list: Vec<Set> = match regular {
                // The lines of a 4x3 board, those of a cycle, and the pairs of a cube's corners.
                1 => (0..4).map(|x| bits(0b111 << (3 * x))).chain((0..3).map(|y| bits(0b001_001_001_001 << y))).collect(),
                2 => (0..12u64).map(|x| (0..3).map(|i| Cell::new(((x + i) % 12) as usize)).collect()).collect(),
                3 => (0..8u64).flat_map(|x| (0..3).map(move |i| bits(1 << x | 1 << (x ^ 1 << i)))).collect(),
                _ => sets.iter().map(|&(a, b)| bits(a & b)).collect(),
            };
            list.retain(|set| !set.is_empty());
            prop_assume!(!list.is_empty());
            let (key, sets) = named(&list);
            let mut renamed: Vec<Set> = list.iter().map(|set| with_other_names(set, &names)).collect();
            let middle = turn % renamed.len();
            renamed.rotate_left(middle);
            renamed.push(renamed[other % renamed.len()] | renamed[middle]);
            prop_assert_eq!(named(&renamed), (key, sets.clone()));
            // One set less, unless it said nothing.
            let mut shorter = list.clone();
            shorter.swap_remove(other % list.len());
            if !shorter.is_empty() {
                let (shorter_key, shorter_sets) = named(&shorter);
                prop_assert_eq!(shorter_key == key, shorter_sets == sets);
            }
        }
    }
}
