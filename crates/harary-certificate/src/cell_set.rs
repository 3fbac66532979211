//! A set of cells as a fixed-size bitboard.
//!
//! [`CellSet<N>`] is `N` machine words wide. Boards of up to 64 cells run on one word, up to 128 on two; the widest,
//! [`WideSet`], holds every board up to 19x19 and is what games, shapes and files are written with. Sets are ordered
//! *as numbers* (bit `c` stands for cell `c`), which is the order certificates use for canonical positions.

use crate::cell::{Cell, MAX_CELLS};
use std::cmp::Ordering;
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Sub, SubAssign};

/// Words of the widest set.
pub const WIDE: usize = MAX_CELLS.div_ceil(64);

/// A set wide enough for every board.
pub type WideSet = CellSet<WIDE>;

/// An ordered set of cells, `64 * N` of them at most.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct CellSet<const N: usize>([u64; N]);

impl<const N: usize> CellSet<N> {
    /// No cell.
    pub const EMPTY: CellSet<N> = CellSet([0; N]);
    /// How many cells it can hold.
    pub const CAPACITY: usize = 64 * N;

    /// Exactly this cell.
    #[inline]
    pub fn single(cell: Cell) -> Self {
        let mut set = Self::EMPTY;
        set.insert(cell);
        set
    }

    /// The cells `0 .. count`.
    pub fn first_cells(count: usize) -> Self {
        CellSet(std::array::from_fn(|word| match count.saturating_sub(64 * word) {
            0 => 0,
            left if left >= 64 => u64::MAX,
            left => (1 << left) - 1,
        }))
    }

    /// Adds a cell.
    #[inline]
    pub fn insert(&mut self, cell: Cell) {
        self.0[cell.index() >> 6] |= 1 << (cell.index() & 63);
    }

    /// Takes a cell out.
    #[inline]
    pub fn remove(&mut self, cell: Cell) {
        self.0[cell.index() >> 6] &= !(1 << (cell.index() & 63));
    }

    /// Whether a cell is in it.
    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        self.0[cell.index() >> 6] >> (cell.index() & 63) & 1 == 1
    }

    /// The set with `cell` added.
    #[inline]
    pub fn with(mut self, cell: Cell) -> Self {
        self.insert(cell);
        self
    }

    /// The set with `cell` taken out.
    #[inline]
    pub fn without(mut self, cell: Cell) -> Self {
        self.remove(cell);
        self
    }

    /// How many cells there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Whether all its cells are in the other.
    #[inline]
    pub fn is_subset(&self, other: &Self) -> bool {
        (0..N).all(|i| self.0[i] & !other.0[i] == 0)
    }

    /// Whether it shares no cell with the other.
    #[inline]
    pub fn is_disjoint(&self, other: &Self) -> bool {
        (0..N).all(|i| self.0[i] & other.0[i] == 0)
    }

    /// The cell with the least number.
    #[inline]
    pub fn first(&self) -> Option<Cell> {
        self.0.iter().position(|&word| word != 0).map(|i| Cell::new(64 * i + self.0[i].trailing_zeros() as usize))
    }

    /// The cells in order of their numbers.
    #[inline]
    pub fn iter(&self) -> Cells<N> {
        Cells(*self)
    }

    /// The machine words, least first: for tables and hashing.
    #[inline]
    pub fn words(&self) -> &[u64; N] {
        &self.0
    }

    /// The set with these machine words.
    #[inline]
    pub fn from_words(words: [u64; N]) -> Self {
        CellSet(words)
    }

    /// The same set, `M` words wide. Cells beyond `64 * M` must not occur.
    pub fn resized<const M: usize>(&self) -> CellSet<M> {
        debug_assert!(self.0.iter().skip(M).all(|&word| word == 0));
        let mut words = [0; M];
        let shared = N.min(M);
        words[..shared].copy_from_slice(&self.0[..shared]);
        CellSet(words)
    }

    /// Reads a lower-case hexadecimal number without leading zeros; `None` for anything else or a set too large.
    pub fn from_hex(text: &str) -> Option<Self> {
        let digits = text.as_bytes();
        if digits.is_empty() || digits.len() > 16 * N || (digits[0] == b'0' && digits.len() > 1) {
            return None;
        }
        let mut words = [0; N];
        for (place, digit) in digits.iter().rev().enumerate() {
            let value = match digit {
                b'0'..=b'9' => digit - b'0',
                b'a'..=b'f' => digit - b'a' + 10,
                _ => return None,
            };
            words[place / 16] |= u64::from(value) << (4 * (place % 16));
        }
        Some(CellSet(words))
    }

    /// Draws a set in ASCII art, top row first: `X` and `#` are in it, anything else is not.
    ///
    /// ```
    /// use harary_certificate::{Cell, CellSet};
    /// let el = CellSet::<1>::from_art("X.\nXX");
    /// assert_eq!(el.iter().map(Cell::index).collect::<Vec<_>>(), [0, 1, 2]);
    /// ```
    ///
    /// # Panics
    /// If the rows differ in length: the picture is a literal in a test or a doc.
    pub fn from_art(art: &str) -> Self {
        let rows: Vec<&str> = art.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
        let width = rows.first().map_or(0, |row| row.len());
        let mut set = Self::EMPTY;
        for (y, row) in rows.iter().rev().enumerate() {
            assert_eq!(row.len(), width, "the rows of a picture have one length");
            for (x, mark) in row.chars().enumerate() {
                if matches!(mark, 'X' | '#') {
                    set.insert(Cell::new(x + width * y));
                }
            }
        }
        set
    }
}

impl<const N: usize> Default for CellSet<N> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const N: usize> FromIterator<Cell> for CellSet<N> {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> Self {
        let mut set = Self::EMPTY;
        for cell in cells {
            set.insert(cell);
        }
        set
    }
}

impl<const N: usize> IntoIterator for CellSet<N> {
    type Item = Cell;
    type IntoIter = Cells<N>;
    fn into_iter(self) -> Cells<N> {
        Cells(self)
    }
}

/// The cells of a set, least first.
#[derive(Clone)]
pub struct Cells<const N: usize>(CellSet<N>);

impl<const N: usize> Iterator for Cells<N> {
    type Item = Cell;
    #[inline]
    fn next(&mut self) -> Option<Cell> {
        for i in 0..N {
            let word = self.0.0[i];
            if word != 0 {
                self.0.0[i] = word & (word - 1);
                return Some(Cell::new(64 * i + word.trailing_zeros() as usize));
            }
        }
        None
    }
}

impl<const N: usize> Ord for CellSet<N> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl<const N: usize> PartialOrd for CellSet<N> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

macro_rules! set_operator {
    ($trait:ident, $method:ident, $assign_trait:ident, $assign:ident, |$a:ident, $b:ident| $word:expr) => {
        impl<const N: usize> $trait for CellSet<N> {
            type Output = Self;
            #[inline]
            fn $method(mut self, other: Self) -> Self {
                for i in 0..N {
                    let ($a, $b) = (self.0[i], other.0[i]);
                    self.0[i] = $word;
                }
                self
            }
        }
        impl<const N: usize> $assign_trait for CellSet<N> {
            #[inline]
            fn $assign(&mut self, other: Self) {
                *self = self.$method(other);
            }
        }
    };
}

set_operator!(BitAnd, bitand, BitAndAssign, bitand_assign, |a, b| a & b);
set_operator!(BitOr, bitor, BitOrAssign, bitor_assign, |a, b| a | b);
set_operator!(BitXor, bitxor, BitXorAssign, bitxor_assign, |a, b| a ^ b);
set_operator!(Sub, sub, SubAssign, sub_assign, |a, b| a & !b);

/// The hexadecimal number of certificates: lower case, no leading zeros, `0` for the empty set.
impl<const N: usize> fmt::Display for CellSet<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.iter().rposition(|&word| word != 0) {
            None => f.write_str("0"),
            Some(top) => {
                write!(f, "{:x}", self.0[top])?;
                self.0[..top].iter().rev().try_for_each(|word| write!(f, "{word:016x}"))
            }
        }
    }
}

impl<const N: usize> fmt::Debug for CellSet<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn check_against_a_tree_set<const N: usize>(a: &[usize], b: &[usize]) {
        let reduce = |cells: &[usize]| cells.iter().map(|c| c % (64 * N)).collect::<BTreeSet<_>>();
        let (a, b) = (reduce(a), reduce(b));
        let of = |cells: &BTreeSet<usize>| cells.iter().map(|&c| Cell::new(c)).collect::<CellSet<N>>();
        let (x, y) = (of(&a), of(&b));
        assert_eq!(x & y, of(&(&a & &b)));
        assert_eq!(x | y, of(&(&a | &b)));
        assert_eq!(x ^ y, of(&(&a ^ &b)));
        assert_eq!(x - y, of(&(&a - &b)));
        assert_eq!(x.len(), a.len());
        assert_eq!(x.is_subset(&y), a.is_subset(&b));
        assert_eq!(x.is_disjoint(&y), a.is_disjoint(&b));
        assert_eq!(x.first().map(Cell::index), a.first().copied());
        assert_eq!(x.iter().map(Cell::index).collect::<Vec<_>>(), a.iter().copied().collect::<Vec<_>>());
        // As numbers: the greatest cell in which they differ decides.
        let decided = (&a ^ &b).last().map(|c| a.contains(c));
        assert_eq!(x > y, decided == Some(true));
        assert_eq!(CellSet::<N>::from_hex(&x.to_string()), Some(x));
        assert_eq!(x.resized::<WIDE>().resized::<N>(), x);
    }

    proptest! {
        #[test]
        fn every_width_is_a_set(a in prop::collection::vec(0..MAX_CELLS, 0..40), b in prop::collection::vec(0..MAX_CELLS, 0..40)) {
            check_against_a_tree_set::<1>(&a, &b);
            check_against_a_tree_set::<2>(&a, &b);
            check_against_a_tree_set::<4>(&a, &b);
            check_against_a_tree_set::<6>(&a, &b);
        }
    }

    #[test]
    fn hexadecimal_is_strict() {
        assert_eq!(CellSet::<1>::EMPTY.to_string(), "0");
        assert_eq!(CellSet::<2>::single(Cell::new(64)).to_string(), "10000000000000000");
        for wrong in ["", "00", "01", "A", "1g", "0x1", " 1", "1 ", "+1", "10000000000000000"] {
            assert_eq!(CellSet::<1>::from_hex(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn art_is_read_bottom_row_last() {
        let set = CellSet::<1>::from_art(
            "..X
             .X.
             X..",
        );
        assert_eq!(set.iter().map(Cell::index).collect::<Vec<_>>(), [0, 4, 8]);
    }
}
