//! What the tables of the proof-number searches know, as facts that leave the program and come back.
//!
//! A fact speaks of one position up to symmetry and depends on no path to it, so it is as good in another table of the same
//! game. Nobody believes it: what a search concludes from a false fact has no proof, or one that the checker refuses. But no
//! fact may make a search do what is impossible, so [`Fact::is_sound`] is asked of each that comes from outside.

use super::dfpn::{ProofTable, Status};
use super::maker_breaker::Finding;
use super::numbers::Numbers;
use super::table::Table;
use harary_certificate::{Cell, CellSet, Stones};

/// Whose table a fact is from.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// The search of the weak game. The position is Black's cells and the empty ones that count; with White to move the
    /// first set contains the second.
    Weak,
    /// The search of the strong game. The position is the stones.
    Strong,
}

/// What is said of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Says<const N: usize> {
    /// Not decided; how far it is.
    Open(Numbers),
    /// Black wins whatever White owns outside the zone; with him to move by `best`. Of the strong game: in so many moves
    /// of his, of which so many stones of White's may not be known.
    Won {
        /// The cells the proof is about.
        zone: CellSet<N>,
        /// The move.
        best: Option<Cell>,
        /// Black's moves; 0 in the weak game.
        moves: u16,
        /// White's stones that may be unknown; 0 in the weak game.
        ignored: u16,
    },
    /// White holds whatever Black owns outside the zone; with her to move by `best`. Of the strong game: if Black has at
    /// most so many moves.
    Held {
        /// The cells the proof is about.
        zone: CellSet<N>,
        /// The reply.
        best: Option<Cell>,
        /// Black's moves; 0 in the weak game.
        left: u16,
    },
}

/// One fact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fact<const N: usize> {
    /// Whose.
    pub kind: Kind,
    /// The position, as its table stores it.
    pub key: Stones<N>,
    /// The binary digits of the nodes it took.
    pub effort: u8,
    /// What is said.
    pub says: Says<N>,
}

impl<const N: usize> Fact<N> {
    /// Whether it is decided.
    pub fn is_decided(&self) -> bool {
        !matches!(self.says, Says::Open(_))
    }

    /// Whether a table of a game of so many cells can hold it.
    pub fn is_sound(&self, cells: usize) -> bool {
        let board = CellSet::first_cells(cells);
        let Stones { black, white } = self.key;
        let free = match self.kind {
            Kind::Weak => white,
            Kind::Strong => board - black - white,
        };
        let placed = black.is_disjoint(&white) || (self.kind == Kind::Weak && white.is_subset(&black));
        let fits = |zone: CellSet<N>, best: Option<Cell>| {
            zone.is_subset(&board) && best.is_none_or(|best| free.contains(best))
        };
        let says = match self.says {
            Says::Open(numbers) => numbers.is_open(),
            Says::Won { zone, best, moves, ignored } => fits(zone, best) && moves < 1024 && ignored < 64,
            Says::Held { zone, best, left } => fits(zone, best) && left < 1024,
        };
        placed && says && (black | white).is_subset(&board) && (1..64).contains(&self.effort)
    }

    fn of_finding(finding: Finding<N>) -> Says<N> {
        match finding {
            Finding::Open(numbers) => Says::Open(numbers),
            Finding::Won { zone, best } => Says::Won { zone, best, moves: 0, ignored: 0 },
            Finding::Held { zone, best } => Says::Held { zone, best, left: 0 },
        }
    }

    fn of_status(status: Status<N>) -> Says<N> {
        match status {
            Status::Open(numbers) => Says::Open(numbers),
            Status::Won { moves, zone, ignored, best } => Says::Won { zone, best, moves, ignored },
            Status::Lost { left, zone, best } => Says::Held { zone, best, left },
        }
    }
}

/// The facts of the weak game that took the most work.
pub fn of_weak<const N: usize>(table: &Table<N, Finding<N>>, most: usize) -> impl Iterator<Item = Fact<N>> {
    let fact = |(key, finding, effort)| Fact { kind: Kind::Weak, key, effort, says: Fact::of_finding(finding) };
    table.dearest(most).into_iter().map(fact)
}

/// The facts of the strong game that took the most work.
pub fn of_strong<const N: usize>(table: &ProofTable<N>, most: usize) -> impl Iterator<Item = Fact<N>> {
    let fact = |(key, status, effort)| Fact { kind: Kind::Strong, key, effort, says: Fact::of_status(status) };
    table.0.dearest(most).into_iter().map(fact)
}

/// Puts a sound fact into its table, unless that knows as much.
pub fn learn<const N: usize>(weak: &Table<N, Finding<N>>, strong: &ProofTable<N>, fact: &Fact<N>) {
    let work = 1u64 << (fact.effort - 1);
    match fact.kind {
        Kind::Weak => {
            let finding = match fact.says {
                Says::Open(numbers) => Finding::Open(numbers),
                Says::Won { zone, best, .. } => Finding::Won { zone, best },
                Says::Held { zone, best, .. } => Finding::Held { zone, best },
            };
            match weak.get(&fact.key) {
                None => weak.put(&fact.key, &finding, work),
                Some(Finding::Open(_)) if fact.is_decided() => weak.put(&fact.key, &finding, work),
                Some(_) => {}
            }
        }
        Kind::Strong => {
            let status = match fact.says {
                Says::Open(numbers) => Status::Open(numbers),
                Says::Won { zone, best, moves, ignored } => Status::Won { moves, zone, ignored, best },
                Says::Held { zone, best, left } => Status::Lost { left, zone, best },
            };
            match strong.0.get(&fact.key) {
                None => strong.0.put(&fact.key, &status, work),
                Some(Status::Open(_)) if fact.is_decided() => strong.0.put(&fact.key, &status, work),
                Some(_) => {}
            }
        }
    }
}
