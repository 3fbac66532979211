//! The stones on a board.

use crate::cell::Cell;
use crate::cell_set::CellSet;
use crate::player::Player;

/// Black's and White's stones, which share no cell. Ordered as certificates order positions: by Black's stones as a number,
/// then by White's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Stones<const N: usize> {
    /// Black's stones.
    pub black: CellSet<N>,
    /// White's stones.
    pub white: CellSet<N>,
}

impl<const N: usize> Stones<N> {
    /// The empty board.
    pub const NONE: Stones<N> = Stones { black: CellSet::EMPTY, white: CellSet::EMPTY };

    /// These stones.
    #[inline]
    pub fn new(black: CellSet<N>, white: CellSet<N>) -> Stones<N> {
        debug_assert!(black.is_disjoint(&white));
        Stones { black, white }
    }

    /// One player's stones.
    #[inline]
    pub fn of(&self, player: Player) -> CellSet<N> {
        match player {
            Player::Black => self.black,
            Player::White => self.white,
        }
    }

    /// The cells with a stone on them.
    #[inline]
    pub fn occupied(&self) -> CellSet<N> {
        self.black | self.white
    }

    /// How many stones there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.black.len() + self.white.len()
    }

    /// Whether the board is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.occupied().is_empty()
    }

    /// With one more stone.
    #[inline]
    pub fn with(mut self, player: Player, cell: Cell) -> Stones<N> {
        debug_assert!(!self.occupied().contains(cell));
        match player {
            Player::Black => self.black.insert(cell),
            Player::White => self.white.insert(cell),
        }
        self
    }

    /// The same stones on sets of another width.
    #[inline]
    pub fn resized<const M: usize>(&self) -> Stones<M> {
        Stones { black: self.black.resized(), white: self.white.resized() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stones_are_put_and_counted() {
        let stones = Stones::<1>::NONE.with(Player::Black, Cell::new(3)).with(Player::White, Cell::new(5));
        assert_eq!((stones.len(), stones.is_empty()), (2, false));
        assert_eq!(stones.of(Player::White), CellSet::single(Cell::new(5)));
        assert_eq!(stones.resized::<6>().occupied().len(), 2);
        assert!(stones > Stones::NONE && Stones::<1>::NONE.is_empty());
    }
}
