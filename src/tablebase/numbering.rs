//! The number of a position: from stones to a slot of a table, without keys and without gaps.
//!
//! A position with `s` stones is a set of Black's and one of White's among the cells that are left. Black's set is
//! brought to the least of its images under the symmetries of the board; those least sets, the *representatives*, are
//! numbered in order, and so are White's sets on the cells Black leaves free. The two numbers make the slot:
//!
//! ```text
//! slot = (number of Black's representative) * (number of White's sets) + (number of White's set)
//! ```
//!
//! Where a representative has symmetries of its own, positions that are alike still have slots of their own with equal
//! values. That is a few slots in a hundred on a plain board, and it saves looking for the least of White's images.

use crate::game::symmetry::{Symmetry, SymmetryGroup};
use harary_certificate::CellSet;

/// Stones of one colour, a bit a cell.
pub(super) type Bits = u16;

/// Where a set of Black's is found.
#[derive(Clone, Copy, Default)]
struct Place {
    /// The symmetry that brings it to its representative.
    symmetry: u16,
    /// The number of the representative among those with as many stones.
    number: u16,
}

/// A set of Black's that stands for all its images.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Representative {
    pub black: Bits,
    /// How many images it has.
    pub images: u32,
}

/// A symmetry as a table: the images of the low and of the high eight cells.
struct Images([[Bits; 256]; 2]);

impl Images {
    fn of(symmetry: &Symmetry, cells: usize) -> Images {
        let image = |half: usize, bits: usize| {
            let set = CellSet::<1>::from_words([(bits << (8 * half)) as u64]) & CellSet::first_cells(cells);
            bits_of(&symmetry.set(&set))
        };
        Images([0, 1].map(|half| std::array::from_fn(|bits| image(half, bits))))
    }

    #[inline]
    fn set(&self, stones: Bits) -> Bits {
        self.0[0][usize::from(stones & 0xff)] | self.0[1][usize::from(stones >> 8)]
    }
}

/// A set of cells below 16 as bits.
#[inline]
pub(super) fn bits_of<const N: usize>(set: &CellSet<N>) -> Bits {
    set.words()[0] as Bits
}

/// The numbering of one board, of 16 cells at most.
pub(super) struct Numbering {
    cells: usize,
    places: Vec<Place>,
    images: Vec<Images>,
    /// By number of stones.
    representatives: Vec<Vec<Representative>>,
    /// The number of each set of bits among those with as many, in order.
    numbers: Vec<u16>,
}

/// How many stones of each colour there are when `stones` were played in turn.
#[inline]
pub(super) fn colours(stones: usize) -> (usize, usize) {
    (stones.div_ceil(2), stones / 2)
}

impl Numbering {
    /// The numbering of a board with these symmetries.
    pub fn new(group: &SymmetryGroup, cells: usize) -> Numbering {
        let images: Vec<Images> = group.elements().iter().map(|symmetry| Images::of(symmetry, cells)).collect();
        let sets = 1usize << cells;
        let mut representatives = vec![Vec::new(); cells + 1];
        let mut places: Vec<Option<Place>> = vec![None; sets];
        let mut met = vec![0u16; cells + 1];
        let mut numbers = vec![0u16; sets];
        // In order, so that the first of an orbit to be met is the least.
        for index in 0..sets {
            let black = index as Bits;
            let size = black.count_ones() as usize;
            numbers[index] = met[size];
            met[size] += 1;
            if places[index].is_some() {
                continue;
            }
            let number = representatives[size].len() as u16;
            let mut count = 0;
            for (symmetry, image) in images.iter().enumerate() {
                // The symmetry that leads back is the inverse of this one, filled in below.
                let there = &mut places[usize::from(image.set(black))];
                if there.is_none() {
                    *there = Some(Place { symmetry: symmetry as u16, number });
                    count += 1;
                }
            }
            representatives[size].push(Representative { black, images: count });
        }
        let inverses: Vec<u16> = group
            .elements()
            .iter()
            .map(|symmetry| {
                let inverse = symmetry.inverse();
                group.elements().iter().position(|other| *other == inverse).unwrap_or(0) as u16
            })
            .collect();
        let places = places
            .into_iter()
            .map(Option::unwrap_or_default)
            .map(|place| Place { symmetry: inverses[usize::from(place.symmetry)], ..place })
            .collect();
        Numbering { cells, places, images, representatives, numbers }
    }

    /// How many cells the board has.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Every cell.
    pub fn all(&self) -> Bits {
        ((1u32 << self.cells) - 1) as Bits
    }

    /// Black's representatives in positions with so many stones.
    pub fn representatives(&self, stones: usize) -> &[Representative] {
        &self.representatives[colours(stones).0]
    }

    /// How many slots each of them has.
    pub fn slots_each(&self, stones: usize) -> usize {
        let (black, white) = colours(stones);
        binomial(self.cells - black, white)
    }

    /// How many slots positions with so many stones have.
    pub fn slots(&self, stones: usize) -> usize {
        self.representatives(stones).len() * self.slots_each(stones)
    }

    /// The slot of a position among those with as many stones.
    #[inline]
    pub fn slot(&self, black: Bits, white: Bits) -> usize {
        let place = self.places[usize::from(black)];
        let images = &self.images[usize::from(place.symmetry)];
        let free = self.all() & !images.set(black);
        let each = self.slots_each((black.count_ones() + white.count_ones()) as usize);
        usize::from(place.number) * each + self.number(squeezed(images.set(white), free))
    }

    /// The number of a set of bits among those with as many.
    #[inline]
    pub fn number(&self, bits: Bits) -> usize {
        usize::from(self.numbers[usize::from(bits)])
    }
}

/// The stones as bits of a board that has the cells of `free` only, numbered in order.
#[inline]
pub(super) fn squeezed(stones: Bits, free: Bits) -> Bits {
    let mut bits = 0;
    let mut left = stones;
    while left != 0 {
        let below = (left & left.wrapping_neg()) - 1;
        bits |= 1 << (free & below).count_ones();
        left &= left - 1;
    }
    bits
}

/// What [`squeezed`] undoes.
#[inline]
pub(super) fn spread(bits: Bits, free: Bits) -> Bits {
    let mut stones = 0;
    let mut left = free;
    let mut number = 0;
    while left != 0 {
        if bits >> number & 1 == 1 {
            stones |= left & left.wrapping_neg();
        }
        left &= left - 1;
        number += 1;
    }
    stones
}

/// All sets of `size` bits below `width`, in order.
pub(super) fn combinations(width: usize, size: usize) -> impl Iterator<Item = Bits> {
    let end = 1u32 << width;
    let first = (1u32 << size) - 1;
    // The next number with as many bits (Gosper): the lowest run of ones gives its top bit to the left.
    std::iter::successors((first < end).then_some(first), move |&bits| {
        if bits == 0 {
            return None;
        }
        let lowest = bits & bits.wrapping_neg();
        let carried = bits + lowest;
        let next = carried | (((bits ^ carried) >> 2) / lowest);
        (next < end).then_some(next)
    })
    .map(|bits| bits as Bits)
}

fn binomial(n: usize, k: usize) -> usize {
    (0..k).fold(1, |product, i| product * (n - i) / (i + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use harary_certificate::{Board, Stones, Topology};
    use std::collections::BTreeMap;

    #[test]
    fn combinations_are_all_there_in_order() {
        assert_eq!(combinations(4, 2).collect::<Vec<_>>(), [0b0011, 0b0101, 0b0110, 0b1001, 0b1010, 0b1100]);
        assert_eq!(combinations(0, 0).collect::<Vec<_>>(), [0]);
        assert_eq!(combinations(2, 3).count(), 0);
        for width in 0..=16 {
            for size in 0..=width {
                let list: Vec<Bits> = combinations(width, size).collect();
                assert_eq!(list.len(), binomial(width, size));
                assert!(list.is_sorted() && list.iter().all(|bits| bits.count_ones() as usize == size));
            }
        }
    }

    #[test]
    fn squeezing_and_spreading_undo_each_other() {
        for free in [0u16, 1, 0b1010_1100, 0xffff, 0x8001] {
            for bits in 0..1u32 << free.count_ones().min(8) {
                let stones = spread(bits as Bits, free);
                assert!(stones & !free == 0);
                assert_eq!(squeezed(stones, free), bits as Bits);
            }
        }
    }

    /// Positions share a slot only if a symmetry maps one to the other, every slot is used, and the images of the
    /// representatives make up all sets.
    #[test]
    fn slots_are_used_up_by_positions_that_are_alike() {
        for (width, height, topology) in [
            (3, 3, Topology::Plain),
            (3, 3, Topology::Torus),
            (2, 4, Topology::Plain),
            (2, 4, Topology::Torus),
            (1, 1, Topology::Plain),
            (1, 5, Topology::Torus),
        ] {
            let board = Board::new(width, height, topology).unwrap();
            let group = SymmetryGroup::of(&board);
            let numbering = Numbering::new(&group, board.size());
            for stones in 0..=board.size() {
                let (blacks, whites) = colours(stones);
                let mut seen: BTreeMap<usize, Stones<1>> = BTreeMap::new();
                let mut total = 0;
                for black in combinations(board.size(), blacks) {
                    let free = numbering.all() & !black;
                    for white in combinations(board.size() - blacks, whites).map(|bits| spread(bits, free)) {
                        let sets = [black, white].map(|stones| CellSet::<1>::from_words([stones.into()]));
                        let (canonical, _) = group.canonical(&Stones::new(sets[0], sets[1]));
                        let least = *seen.entry(numbering.slot(black, white)).or_insert(canonical);
                        assert_eq!(least, canonical);
                        total += 1;
                    }
                }
                assert!(seen.keys().copied().eq(0..numbering.slots(stones)), "{board} {stones}");
                let images: u32 = numbering.representatives(stones).iter().map(|r| r.images).sum();
                assert_eq!(images as usize * numbering.slots_each(stones), total);
            }
        }
    }
}
