//! How much memory the tables and stores of a run may take together.
//!
//! Nobody knows beforehand what a game needs: a large table or many lemmas. So each has its own bound, which together are
//! more than there is, and all take from one account as they grow: who comes first is served first.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What a run has at least: with 0.9 MiB the blocks of a game of five cells had no room.
const LEAST: usize = 4 << 20;

/// What the program takes without any table: 12 MiB of its own code as it is used, 6 of the game and its threads before the
/// first table, and what the allocator has in pieces that fit nothing. With 16 MiB the defender on snaky 9x9, weak, took 111 %
/// of 64 MiB when its stores were full (2026-11-18).
const PROGRAM: usize = 24 << 20;

/// An account of bytes. Cloning shares it.
#[derive(Clone, Debug)]
pub struct Memory {
    most: usize,
    /// What proofs may have when nothing else is left.
    reserve: usize,
    ledger: Arc<Ledger>,
}

/// What has been taken from an account.
#[derive(Debug, Default)]
struct Ledger {
    taken: AtomicUsize,
    /// Of the reserve.
    reserved: AtomicUsize,
    /// What stores had in small pieces and do not need any more: the next one has it first.
    idle: AtomicUsize,
    /// A proof had no room.
    refused: AtomicBool,
}

/// Takes up to `wanted` of what `most` leaves.
fn take(taken: &AtomicUsize, most: usize, wanted: usize) -> usize {
    let mut got = 0;
    let _ = taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |taken| {
        got = wanted.min(most.saturating_sub(taken));
        Some(taken + got)
    });
    got
}

/// Takes up to `wanted` out of what there is.
fn withdraw(there: &AtomicUsize, wanted: usize) -> usize {
    let mut got = 0;
    let _ = there.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |there| {
        got = wanted.min(there);
        Some(there - got)
    });
    got
}

impl Memory {
    /// So many bytes.
    pub fn new(bytes: usize) -> Memory {
        Memory { most: bytes, reserve: 0, ledger: Arc::default() }
    }

    /// For who has bounds of his own.
    pub fn unbounded() -> Memory {
        Memory::new(usize::MAX)
    }

    /// What is left for tables and stores of a run that may take so many bytes: an eighth is for the program itself, the
    /// game, and the lists that proofs are drawn out with, and at least [`PROGRAM`], unless that is more than three eighths.
    /// What the program leaves of it, and a sixteenth of all in any case, is the reserve of proofs: so there is room for one even
    /// where tables have taken all.
    /// Below [`LEAST`] nothing is settled for want of room: then it is that much.
    pub fn of_run(bytes: usize) -> Memory {
        let program = (bytes / 8).max(PROGRAM.min(bytes / 8 * 3));
        let reserve = (bytes / 16).max(program.saturating_sub(PROGRAM)).max(LEAST / 4);
        Memory { reserve, ..Memory::new((bytes - program).max(LEAST)) }
    }

    /// The bytes in all.
    pub fn most(&self) -> usize {
        self.most
    }

    /// The bytes that nobody has.
    fn left(&self) -> usize {
        self.most.saturating_sub(self.ledger.taken.load(Ordering::Relaxed))
    }

    /// Takes as many bytes as are wanted, or those that are left; how many.
    pub fn take(&self, wanted: usize) -> usize {
        take(&self.ledger.taken, self.most, wanted)
    }

    /// Gives bytes back.
    pub fn give(&self, bytes: usize) {
        withdraw(&self.ledger.taken, bytes);
    }

    /// Whether a proof found no room.
    pub fn has_refused(&self) -> bool {
        self.ledger.refused.load(Ordering::Relaxed)
    }
}

/// What one store may take of an account. What it took it keeps to its end.
#[derive(Debug)]
pub struct Room {
    account: Memory,
    most: usize,
    taken: usize,
    /// Of that, what is small pieces, and what came from those of others.
    pieces: usize,
    idle: usize,
    /// Whether it may have the reserve, and what it has of it.
    may_reserve: bool,
    reserved: usize,
}

/// A store takes so many bytes at a time.
const STEP: usize = 1 << 18;

impl Room {
    /// At most so many bytes of an account.
    pub fn new(most: usize, account: &Memory) -> Room {
        Room { account: account.clone(), most, taken: 0, pieces: 0, idle: 0, may_reserve: false, reserved: 0 }
    }

    /// For the lists of a proof. The checker reads them back when tables and lists are gone, and takes up to half as much
    /// again: so a third of all remains free.
    pub fn of_proof(account: &Memory) -> Room {
        let most = (account.most / 3).saturating_mul(2).saturating_add(account.reserve);
        let mut room = Room::new(most, account);
        room.may_reserve = true;
        room
    }

    /// Without an end.
    pub fn unbounded() -> Room {
        Room::new(usize::MAX, &Memory::unbounded())
    }

    /// Whether there is room for more than so many bytes.
    pub fn exceeds(&mut self, bytes: usize) -> bool {
        if bytes >= self.taken {
            let step = STEP.max(bytes - self.taken + 1).min(self.most - self.taken);
            self.take(step);
        }
        bytes < self.taken
    }

    fn take(&mut self, wanted: usize) {
        let Memory { most, reserve, ledger } = &self.account;
        let mut got = withdraw(&ledger.idle, wanted);
        self.idle += got;
        got += take(&ledger.taken, *most, wanted - got);
        if self.may_reserve {
            let reserved = take(&ledger.reserved, *reserve, wanted - got);
            self.reserved += reserved;
            got += reserved;
        }
        self.taken += got;
    }

    /// So many bytes of what it has are small pieces. The allocator (glibc) does not give back to the system what lies below
    /// a piece that is still in use, so they stay with the program, for the next store. Counted as given back, 5cells1 6x6
    /// took 121 % of 64 MiB: the tables of the strong game came on top of the lemmas dropped (2026-11-18).
    pub fn has_pieces(&mut self, bytes: usize) {
        self.pieces = self.pieces.max(bytes).min(self.taken);
    }

    /// The same as [`Room::exceeds`], with one part in so many of all that could be had kept for something better.
    pub fn exceeds_by_a_part(&mut self, bytes: usize, parts: usize) -> bool {
        let idle = self.account.ledger.idle.load(Ordering::Relaxed);
        let reach = self.most.min(self.taken.saturating_add(self.account.left()).saturating_add(idle));
        bytes < reach - reach / parts && self.exceeds(bytes)
    }

    /// The same of what a proof cannot do without: where there is no room the account remembers it.
    pub fn has_for_proof(&mut self, bytes: usize) -> bool {
        let has = self.exceeds(bytes);
        if !has {
            self.account.ledger.refused.store(true, Ordering::Relaxed);
        }
        has
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let ledger = &self.account.ledger;
        withdraw(&ledger.reserved, self.reserved);
        let idle = self.pieces.max(self.idle);
        ledger.idle.fetch_add(idle, Ordering::Relaxed);
        self.account.give(self.taken - self.reserved - idle);
    }
}

/// What the allocator takes for a piece of so many bytes: it adds a word and rounds up (glibc).
fn piece(bytes: usize) -> usize {
    if bytes == 0 { 0 } else { (bytes + 8).next_multiple_of(16).max(32) }
}

/// The bytes of what a list has, and of what it has in reserve.
pub fn bytes_of<T>(list: &Vec<T>) -> usize {
    piece(list.capacity() * size_of::<T>())
}

/// Makes room for one more in a list that starts small; how many bytes that took.
pub fn grow<T>(list: &mut Vec<T>) -> usize {
    if list.len() < list.capacity() {
        return 0;
    }
    let before = bytes_of(list);
    list.reserve_exact(list.len().max(1));
    bytes_of(list) - before
}

/// How many entries of this size a hash table may have so that it never takes more than so many bytes. Such a table has a
/// power of two of places with a byte more for each, seven eighths of which are used; when it grows, the old places are
/// there until all have moved. One entry less: a full one grows when an entry is written over, too.
pub fn entries_of_map<K, V>(bytes: usize) -> usize {
    let place = size_of::<(K, V)>() + 1;
    let mut places = 8usize;
    while places < 1 << 56 && places.saturating_mul(3 * place) <= bytes {
        places *= 2;
    }
    places / 8 * 7 - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_takes_what_others_have() {
        let account = Memory::new(10 << 20);
        assert_eq!(account.take(4 << 20), 4 << 20);
        let mut room = Room::new(8 << 20, &account);
        assert!(room.exceeds(5 << 20) && !room.exceeds(6 << 20) && room.exceeds((6 << 20) - 1));
        assert_eq!(account.take(1), 0);
        // Its small pieces are for the next store.
        room.has_pieces(2 << 20);
        drop(room);
        assert_eq!(account.take(usize::MAX), 4 << 20);
        // What a proof had of them it leaves to the next one, too.
        let mut proof = Room::of_proof(&account);
        assert!(proof.exceeds(1 << 20));
        drop(proof);
        assert_eq!(account.take(1), 0);
        account.give(8 << 20);
        let mut room = Room::new(8 << 20, &account);
        assert!(room.exceeds_by_a_part(0, 8) && room.exceeds_by_a_part((7 << 20) - 1, 8));
        assert!(!room.exceeds_by_a_part(7 << 20, 8) && room.exceeds(7 << 20) && !room.exceeds(8 << 20));
        assert!(Room::unbounded().exceeds(1 << 50) && !Room::new(0, &account).exceeds(0));
    }

    #[test]
    fn a_proof_has_the_reserve() {
        let account = Memory::of_run(64 << 20);
        assert_eq!((account.most(), account.reserve), (40 << 20, 4 << 20));
        assert_eq!(Memory::of_run(1 << 30).reserve, 104 << 20);
        let tables = account.take(usize::MAX);
        assert!(!Room::new(usize::MAX, &account).exceeds(0));
        let mut proof = Room::of_proof(&account);
        assert!(proof.exceeds((4 << 20) - 1) && !proof.exceeds(4 << 20));
        account.give(tables);
        assert!(proof.exceeds(20 << 20) && !proof.exceeds(40 << 20) && !account.has_refused());
        assert!(!proof.has_for_proof(40 << 20));
        drop(proof);
        assert!(account.has_refused() && account.take(usize::MAX) == 40 << 20);
        assert_eq!(account.ledger.reserved.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_map_keeps_to_its_bytes() {
        // 16 places of 9 bytes, and 8 while they move.
        assert_eq!(entries_of_map::<u32, u32>(16 * 9 + 8 * 9), 13);
        assert_eq!(entries_of_map::<u32, u32>(16 * 9 + 8 * 9 - 1), 6);
        assert!(entries_of_map::<u32, u32>(usize::MAX) > 1 << 50);
        // Written over at its limit it stays as large as it is.
        let most = entries_of_map::<u32, u32>(1 << 16) as u32;
        let mut map: ahash::AHashMap<u32, u32> = (0..most).map(|key| (key, 0)).collect();
        let room = map.capacity();
        for key in 0..most {
            map.insert(key, 1);
        }
        assert_eq!(map.capacity(), room);
    }

    #[test]
    fn a_list_grows_by_what_it_says() {
        let (mut list, mut bytes) = (Vec::new(), 0);
        for number in 0..1000u32 {
            bytes += grow(&mut list);
            list.push(number);
            assert_eq!(bytes, bytes_of(&list));
        }
        assert!(bytes < 2 * 4000 + 64);
    }
}
