//! Lists of sets up to the names of their cells.
//!
//! In the weak game a position is what its live sets miss (lemma 20), and it does not matter what the cells are called: two
//! lists that differ by the names of their cells only have the same winner, and the zones and moves of one are those of the
//! other, renamed (lemma 42 of [docs/game.md](../../../docs/game.md)). So the names are chosen by the list itself:
//! cells get colours by the sets they are in, and sets by their cells, until no cell can be told from another any more
//! (colour refinement); then one of the cells that look alike is taken out, each of them in turn, and the least of all
//! names that come out of this counts. Cells that a renaming of the list exchanges need one turn only, and such a renaming is known by
//! the same names coming out of both.
//!
//! Whatever the names are, equal keys mean equal lists, but for a collision of 128 bits: a search may believe them, since its
//! proofs are checked. So the effort can be bounded: beyond it fewer lists are found to be the same.

use harary_certificate::{Cell, CellSet};

/// How many colourings are refined for one list at most. Beyond it only the first of the cells that look alike is tried.
const MOST_COLOURINGS: u32 = 400;

/// Chooses names for the cells of lists.
#[derive(Default)]
pub struct Isomorph {
    /// The cells of the list, and for each cell of the board its place among them.
    cells: Vec<Cell>,
    places: Vec<u8>,
    /// The places of each set's cells, one set after the other, and where each ends.
    members: Vec<u8>,
    ends: Vec<u16>,
    /// Colours of the places at every depth of the search, and of the sets.
    colours: Vec<u64>,
    next: Vec<u64>,
    sorted: Vec<(u64, u8)>,
    /// Places that look alike, at every depth.
    alike: Vec<u8>,
    /// The keys of all namings seen in this search.
    seen: Vec<u128>,
    best: Option<u128>,
    names: Vec<u8>,
    left: u32,
}

#[inline]
fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (word ^ (word >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

impl Isomorph {
    /// The key of a list of what sets miss, and its cells in the order of their names. All are in `cells`.
    pub fn name<const N: usize>(
        &mut self,
        missing: impl Iterator<Item = CellSet<N>>,
        cells: CellSet<N>,
    ) -> (u128, impl Iterator<Item = Cell> + '_) {
        self.cells.clear();
        self.cells.extend(cells.iter());
        self.places.resize(64 * N, 0);
        for (place, cell) in self.cells.iter().enumerate() {
            self.places[cell.index()] = place as u8;
        }
        self.members.clear();
        self.ends.clear();
        for set in missing {
            self.members.extend(set.iter().map(|cell| self.places[cell.index()]));
            self.ends.push(self.members.len() as u16);
        }
        let count = self.cells.len();
        self.colours.clear();
        self.colours.resize(count, 1);
        self.alike.clear();
        self.seen.clear();
        self.best = None;
        self.left = MOST_COLOURINGS;
        self.search(0);
        let key = self.best.unwrap_or(0) ^ count as u128;
        (key, self.names.iter().map(|&place| self.cells[usize::from(place)]))
    }

    /// Refines the colouring at the end of `colours` until it tells no more cells apart. How many colours there are.
    fn refine(&mut self, start: usize) -> usize {
        self.left = self.left.saturating_sub(1);
        let count = self.cells.len();
        let mut distinct = 0;
        loop {
            self.next.clear();
            self.next.resize(count, 0);
            let mut from = 0;
            for &end in &self.ends {
                let set = &self.members[from..usize::from(end)];
                let sum = set.iter().fold(set.len() as u64, |sum, &place| {
                    sum.wrapping_add(mix(self.colours[start + usize::from(place)]))
                });
                let colour = mix(sum);
                set.iter().for_each(|&place| {
                    let next = &mut self.next[usize::from(place)];
                    *next = next.wrapping_add(colour);
                });
                from = usize::from(end);
            }
            self.sorted.clear();
            for place in 0..count {
                let colour = mix(self.colours[start + place].wrapping_mul(3) ^ self.next[place]);
                self.colours[start + place] = colour;
                self.sorted.push((colour, place as u8));
            }
            self.sorted.sort_unstable();
            let now = 1 + self.sorted.windows(2).filter(|two| two[0].0 != two[1].0).count();
            if now == distinct || now == count {
                return now;
            }
            distinct = now;
        }
    }

    /// Tries all namings that go with the colouring at the end of `colours`. The key of the first.
    fn search(&mut self, start: usize) -> u128 {
        let count = self.cells.len();
        if self.refine(start) == count {
            return self.leaf();
        }
        // The first of the smallest classes of more than one cell.
        let mut class = (usize::MAX, 0);
        let mut from = 0;
        while from < count {
            let same = self.sorted[from..].iter().take_while(|(colour, _)| *colour == self.sorted[from].0).count();
            if same > 1 && same < class.0 {
                class = (same, from);
            }
            from += same;
        }
        let first = self.alike.len();
        self.alike.extend(self.sorted[class.1..class.1 + class.0].iter().map(|&(_, place)| place));
        let mut key = 0;
        for index in first..first + class.0 {
            if index > first && self.left == 0 {
                break;
            }
            let place = usize::from(self.alike[index]);
            let child = self.colours.len();
            self.colours.extend_from_within(start..start + count);
            self.colours[child + place] ^= 0x5851_f42d_4c95_7f2d;
            if index == first {
                key = self.search(child);
            } else {
                let known = self.first_leaf(child);
                if !self.seen.contains(&known) {
                    self.colours.truncate(child);
                    self.colours.extend_from_within(start..start + count);
                    self.colours[child + place] ^= 0x5851_f42d_4c95_7f2d;
                    self.search(child);
                }
            }
            self.colours.truncate(child);
        }
        self.alike.truncate(first);
        key
    }

    /// The key of the first naming that goes with the colouring from `start` on.
    fn first_leaf(&mut self, start: usize) -> u128 {
        let count = self.cells.len();
        while self.refine(start) < count {
            let mut class = (usize::MAX, 0);
            let mut from = 0;
            while from < count {
                let same = self.sorted[from..].iter().take_while(|(colour, _)| *colour == self.sorted[from].0).count();
                if same > 1 && same < class.0 {
                    class = (same, from);
                }
                from += same;
            }
            let place = usize::from(self.sorted[class.1].1);
            self.colours[start + place] ^= 0x5851_f42d_4c95_7f2d;
        }
        self.key()
    }

    /// The key of the naming by the colours, all different, in `sorted`.
    fn key(&mut self) -> u128 {
        for (name, &(_, place)) in self.sorted.iter().enumerate() {
            self.places[usize::from(place)] = name as u8;
        }
        let (mut low, mut high, mut from) = (0u64, 0u64, 0);
        for &end in &self.ends {
            let set = &self.members[from..usize::from(end)];
            let (mut one, mut two) = (1u64, 0u64);
            for &place in set {
                let name = u64::from(self.places[usize::from(place)]);
                one = one.wrapping_add(mix(name + 0x1234_5678));
                two = two.wrapping_add(mix((name + 1) << 20));
            }
            low = low.wrapping_add(mix(one));
            high = high.wrapping_add(mix(two ^ 0x1234_5678_9abc));
            from = usize::from(end);
        }
        u128::from(high) << 64 | u128::from(low)
    }

    fn leaf(&mut self) -> u128 {
        let key = self.key();
        if self.best.is_none_or(|best| key < best) {
            self.best = Some(key);
            self.names.clear();
            self.names.extend(self.sorted.iter().map(|&(_, place)| place));
        }
        if !self.seen.contains(&key) {
            self.seen.push(key);
        }
        key
    }
}
