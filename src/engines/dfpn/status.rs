//! What is known of a position of the strong game, and what is done of one under search.

use crate::effort::Memory;
use crate::engines::numbers::Numbers;
use crate::engines::table::{Record, Table, pack_cell, unpack_cell};
use crate::game::symmetry::Symmetry;
use harary_certificate::{
    Cell, CellSet,
    Player::{self, Black, White},
};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// What is known of a position, either player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Status<const N: usize> {
    /// Black wins with `moves` more of his own, whatever White owns outside the zone, of which the proof may not know
    /// `ignored` stones. With Black to move, `best` is his move.
    Won {
        moves: u16,
        zone: CellSet<N>,
        ignored: u16,
        best: Option<Cell>,
    },
    /// Black does not win with `left` moves, whatever he owns outside the zone; with White to move, `best` is her reply.
    /// Without one any will do, or it was seen without looking for it.
    Lost {
        left: u16,
        zone: CellSet<N>,
        best: Option<Cell>,
    },
    Open(Numbers),
}

/// Two bits say which of the three; below them the cell 10, the moves 10, the ignored stones 6. The set is the zone or
/// holds the two numbers.
impl<const N: usize> Record<N> for Status<N> {
    fn pack(&self) -> (CellSet<N>, u32) {
        match *self {
            Status::Open(numbers) => {
                let mut words = [0; N];
                words[0] = numbers.to_word();
                (CellSet::from_words(words), 0)
            }
            Status::Lost { left, zone, best } => (zone, 1 << 30 | pack_cell(best) << 16 | u32::from(left) << 6),
            Status::Won { moves, zone, ignored, best } => {
                (zone, 2 << 30 | pack_cell(best) << 16 | u32::from(moves) << 6 | u32::from(ignored.min(63)))
            }
        }
    }

    fn unpack(set: CellSet<N>, bits: u32) -> Status<N> {
        let (best, count) = (unpack_cell(bits >> 16), (bits >> 6 & 1023) as u16);
        match bits >> 30 {
            0 => Status::Open(Numbers::from_word(set.words()[0])),
            1 => Status::Lost { left: count, zone: set, best },
            _ => Status::Won { moves: count, zone: set, ignored: (bits & 63) as u16, best },
        }
    }
}

impl<const N: usize> Status<N> {
    /// The same seen from elsewhere.
    pub(super) fn moved(self, symmetry: &Symmetry) -> Status<N> {
        let cell = |best: Option<Cell>| best.map(|cell| symmetry.cell(cell));
        match self {
            Status::Open(_) => self,
            Status::Lost { left, zone, best } => Status::Lost { left, zone: symmetry.set(&zone), best: cell(best) },
            Status::Won { moves, zone, ignored, best } => {
                Status::Won { moves, zone: symmetry.set(&zone), ignored, best: cell(best) }
            }
        }
    }
}

/// The table of this engine.
pub struct ProofTable<const N: usize>(pub(super) Table<N, Status<N>>);

impl<const N: usize> ProofTable<N> {
    /// A table of at most `bytes` bytes.
    pub fn new(bytes: usize) -> ProofTable<N> {
        ProofTable(Table::new(bytes))
    }

    /// The same, as far as an account has bytes left.
    pub fn within(bytes: usize, account: &Memory) -> ProofTable<N> {
        ProofTable(Table::within(bytes, account))
    }

    /// The share of entries in use.
    pub fn fill(&self) -> f64 {
        self.0.fill()
    }
}

/// The numbers of the start, to be read by others while the search runs.
#[derive(Default)]
pub struct Gauge {
    proof: AtomicU32,
    disproof: AtomicU32,
}

impl Gauge {
    pub(super) fn show(&self, numbers: Numbers) {
        self.proof.store(numbers.proof, Relaxed);
        self.disproof.store(numbers.disproof, Relaxed);
    }

    /// The numbers shown last.
    pub fn read(&self) -> Option<Numbers> {
        let numbers = Numbers { proof: self.proof.load(Relaxed), disproof: self.disproof.load(Relaxed) };
        (numbers.proof > 0).then_some(numbers)
    }
}

/// One move from a position under search, and what it leads to.
#[derive(Clone, Copy)]
pub(super) struct Child<const N: usize> {
    pub(super) cell: Cell,
    pub(super) status: Status<N>,
    /// A number of the position for other threads to see.
    pub(super) note: u64,
}

impl<const N: usize> Child<N> {
    /// Whether this move is all the player needs.
    pub(super) fn decides_for(&self, player: Player) -> bool {
        match self.status {
            Status::Won { .. } => player == Black,
            Status::Lost { .. } => player == White,
            Status::Open(_) => false,
        }
    }

    pub(super) fn numbers(&self) -> Numbers {
        match self.status {
            Status::Won { .. } => Numbers::PROVED,
            Status::Lost { .. } => Numbers::DISPROVED,
            Status::Open(numbers) => numbers,
        }
    }
}

/// Of a zone that holds whatever number of White's stones the proof does not know of.
pub(super) const ANY: usize = 63;

/// The part of a proof that is done at a position with White to move.
pub(super) struct Proof<const N: usize> {
    pub(super) zone: CellSet<N>,
    pub(super) moves: usize,
    /// How many stones of White's each of its zones may not know of.
    pub(super) ignored: usize,
}

impl<const N: usize> Proof<N> {
    /// Takes over the replies Black wins against. Replies outside the zone of one of them lose in the same way.
    pub(super) fn take_wins(&mut self, children: &mut Vec<Child<N>>) {
        while let Some(won) = children.iter().position(|child| child.decides_for(Black)) {
            if let Status::Won { moves, zone, ignored, .. } = children.remove(won).status {
                self.ignored = self.ignored.min(ignored.into());
                self.zone |= zone;
                self.moves = self.moves.max(moves.into());
                children.retain(|child| zone.contains(child.cell));
            }
        }
    }
}

/// What is done of a hold at a position with Black to move.
pub(super) struct Hold<const N: usize> {
    /// Black's moves that no answer is known to.
    pub(super) left: CellSet<N>,
    /// The zone of the answers.
    pub(super) zone: CellSet<N>,
}

impl<const N: usize> Hold<N> {
    /// One answer, good against every move outside its zone.
    pub(super) fn take(&mut self, zone: CellSet<N>) {
        self.left &= zone;
        self.zone |= zone;
    }

    /// Takes over the moves that White holds against.
    pub(super) fn take_holds(&mut self, children: &mut Vec<Child<N>>) {
        children.retain(|child| self.left.contains(child.cell));
        while let Some(held) = children.iter().position(|child| child.decides_for(White)) {
            if let Status::Lost { zone, .. } = children.remove(held).status {
                self.take(zone);
                children.retain(|child| self.left.contains(child.cell));
            }
        }
    }
}

/// What is asked of a position: Black has `left` moves, `ignored` White stones may be unknown to the proof.
#[derive(Clone, Copy)]
pub(super) struct Question {
    pub(super) player: Player,
    pub(super) left: usize,
    pub(super) ignored: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_as_they_were() {
        let zone = CellSet::<2>::first_cells(70);
        let cell = Some(Cell::new(360));
        for status in [
            Status::Open(Numbers { proof: 7, disproof: u32::MAX / 2 - 1 }),
            Status::Lost { left: 180, zone, best: None },
            Status::Lost { left: 3, zone, best: cell },
            Status::Won { moves: 181, zone, ignored: 63, best: cell },
        ] {
            let (set, bits) = status.pack();
            assert_eq!(Status::unpack(set, bits), status);
        }
    }
}
