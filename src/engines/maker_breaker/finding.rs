//! What is known of a position of the weak game, and how it is kept in a table.

use crate::engines::numbers::Numbers;
use crate::engines::table::{Record, pack_cell, unpack_cell};
use crate::game::symmetry::Symmetry;
use harary_certificate::{
    Cell, CellSet,
    Player::{self, Black, White},
};

/// What is known of a position; zones and moves as in the module's page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding<const N: usize> {
    /// Black wins; with him to move, by this move.
    Won {
        /// The cells the proof is about.
        zone: CellSet<N>,
        /// The move.
        best: Option<Cell>,
    },
    /// White holds; with her to move, by this reply. Without one any will do, or the sum of the sets' weights shows that
    /// there is one.
    Held {
        /// The cells the proof is about.
        zone: CellSet<N>,
        /// The reply.
        best: Option<Cell>,
    },
    /// Not known yet; how far it is.
    Open(Numbers),
}

/// Two bits say which of the three, and nine the cell. The set is the zone or holds the two numbers.
impl<const N: usize> Record<N> for Finding<N> {
    fn pack(&self) -> (CellSet<N>, u32) {
        match *self {
            Finding::Open(numbers) => {
                let mut words = [0; N];
                words[0] = numbers.to_word();
                (CellSet::from_words(words), 0)
            }
            Finding::Held { zone, best } => (zone, 1 << 30 | pack_cell(best)),
            Finding::Won { zone, best } => (zone, 2 << 30 | pack_cell(best)),
        }
    }

    fn unpack(set: CellSet<N>, bits: u32) -> Finding<N> {
        match bits >> 30 {
            0 => Finding::Open(Numbers::from_word(set.words()[0])),
            1 => Finding::Held { zone: set, best: unpack_cell(bits) },
            _ => Finding::Won { zone: set, best: unpack_cell(bits) },
        }
    }
}

impl<const N: usize> Finding<N> {
    /// Whether it is what this player wants.
    pub(super) fn is_for(&self, player: Player) -> bool {
        match self {
            Finding::Won { .. } => player == Black,
            Finding::Held { .. } => player == White,
            Finding::Open(_) => false,
        }
    }

    /// The same with more cells in its zone, and this move.
    pub(super) fn widened(self, cells: CellSet<N>, best: Option<Cell>) -> Finding<N> {
        match self {
            Finding::Won { zone, .. } => Finding::Won { zone: zone | cells, best },
            Finding::Held { zone, .. } => Finding::Held { zone: zone | cells, best },
            open => open,
        }
    }

    /// The same of the position before this move.
    pub(super) fn by(self, last: Option<Cell>) -> Finding<N> {
        self.widened(last.map_or(CellSet::EMPTY, CellSet::single), last)
    }

    /// The same seen from elsewhere.
    pub(super) fn moved(self, symmetry: &Symmetry) -> Finding<N> {
        self.mapped(|zone| symmetry.set(&zone), |cell| symmetry.cell(cell))
    }

    /// The same with other names for the cells.
    pub(super) fn renamed(self, name: impl Fn(Cell) -> Cell) -> Finding<N> {
        self.mapped(|zone| zone.iter().map(&name).collect(), &name)
    }

    fn mapped(self, set: impl Fn(CellSet<N>) -> CellSet<N>, cell: impl Fn(Cell) -> Cell) -> Finding<N> {
        match self {
            Finding::Won { zone, best } => Finding::Won { zone: set(zone), best: best.map(cell) },
            Finding::Held { zone, best } => Finding::Held { zone: set(zone), best: best.map(cell) },
            open => open,
        }
    }

    /// The same of these cells, which are all that count; none if its move is another.
    pub(super) fn within(self, cells: CellSet<N>) -> Option<Finding<N>> {
        let is_there = self.best().is_none_or(|best| cells.contains(best));
        is_there.then(|| self.mapped(|zone| zone & cells, |cell| cell))
    }

    pub(super) fn best(&self) -> Option<Cell> {
        match *self {
            Finding::Won { best, .. } | Finding::Held { best, .. } => best,
            Finding::Open(_) => None,
        }
    }

    pub(super) fn zone(&self) -> CellSet<N> {
        match *self {
            Finding::Won { zone, .. } | Finding::Held { zone, .. } => zone,
            Finding::Open(_) => CellSet::EMPTY,
        }
    }
}
