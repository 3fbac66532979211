//! The transposition table: what is known of positions, in a fixed amount of memory.
//!
//! A cache, not a map: it never takes more memory than it was given, forgets the cheapest proof when it is full, and is
//! shared by all threads without locks. Keys are exact (the stones themselves are stored and compared), because a hash
//! collision in a refutation would be a false proof that nothing else catches.
//!
//! An entry is `3 N + 1` words: Black's stones, White's stones, `N` words of a [`Record`] (the zone of a win), and a word
//! of data. Readers and writers agree by the data word, which carries a version: a writer marks it busy, writes, and
//! publishes it with the next version; a reader who sees it change reads nothing (a sequence lock).
//!
//! A small search in a large table would spend its time on fresh pages and cache misses, so the table begins with a
//! small part of its memory and takes more when that is half full. What was stored before is looked up at its old place
//! until the next step.

use super::canon::Canon;
use crate::effort::Memory;
use crate::effort::tuning::table::{FIRST_BUCKETS, STEP, WAYS};
use crate::game::position::Position;
use crate::game::symmetry::Symmetry;
use harary_certificate::{Cell, CellSet, MAX_CELLS, Stones};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering, fence};

/// What an engine keeps of a position: a set of cells and 32 bits.
pub trait Record<const N: usize>: Copy {
    /// What is stored.
    fn pack(&self) -> (CellSet<N>, u32);
    /// What was stored.
    fn unpack(set: CellSet<N>, bits: u32) -> Self;
}

/// What is known of a position with Black to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Knowledge<const N: usize> {
    /// Black wins with so many moves of his own left; 0 if no win is known.
    pub win: u8,
    /// Black does not win with so many moves left; 0 if nothing is refuted.
    pub refuted: u8,
    /// The move that wins, or the one that was hardest to refute.
    pub best: Option<Cell>,
    /// With a win: it does not matter what White owns outside this zone, as long as …
    pub zone: CellSet<N>,
    /// … she has at most so many stones there that the proof does not know of.
    pub ignored: u8,
}

impl<const N: usize> Knowledge<N> {
    /// Of a position nobody has seen.
    pub const NOTHING: Knowledge<N> = Knowledge { win: 0, refuted: 0, best: None, zone: CellSet::EMPTY, ignored: 0 };

    /// What `win` may say of a win with so many moves left: one that takes too many for it is not kept.
    pub fn win_of(left: usize) -> u8 {
        u8::try_from(left).unwrap_or(0)
    }

    /// What `refuted` may say of so many moves left: what is refuted with more is with fewer.
    pub fn refuted_of(left: usize) -> u8 {
        u8::try_from(left).unwrap_or(u8::MAX)
    }

    /// The same seen from elsewhere.
    pub(super) fn moved(self, symmetry: &Symmetry) -> Knowledge<N> {
        Knowledge { best: self.best.map(|cell| symmetry.cell(cell)), zone: symmetry.set(&self.zone), ..self }
    }
}

/// The bits: refuted 8, win 8, ignored 6, best 10.
impl<const N: usize> Record<N> for Knowledge<N> {
    fn pack(&self) -> (CellSet<N>, u32) {
        let ignored = u32::from(self.ignored.min(63));
        let bits = pack_cell(self.best) << 22 | ignored << 16 | u32::from(self.win) << 8 | u32::from(self.refuted);
        (self.zone, bits)
    }

    fn unpack(zone: CellSet<N>, bits: u32) -> Knowledge<N> {
        Knowledge {
            win: (bits >> 8) as u8,
            refuted: bits as u8,
            best: unpack_cell(bits >> 22),
            zone,
            ignored: (bits >> 16 & 63) as u8,
        }
    }
}

/// No game has a cell of this number.
const NO_CELL: u32 = 1023;
const _: () = assert!(MAX_CELLS <= NO_CELL as usize);

/// A cell or none, in 10 bits.
pub fn pack_cell(cell: Option<Cell>) -> u32 {
    cell.map_or(NO_CELL, |cell| cell.index() as u32)
}

/// What [`pack_cell`] packed into the lowest 10 bits.
pub fn unpack_cell(bits: u32) -> Option<Cell> {
    Some(bits & NO_CELL).filter(|&cell| cell != NO_CELL).map(|cell| Cell::new(cell as usize))
}

// The last of the ways of a bucket is always replaced, so that fresh results find a place when all others are expensive.

/// The data word: a busy bit, a version of 15 bits at 48, the effort at 32, and below it the record's bits.
const BUSY: u64 = 1 << 63;

/// Tables from this size on, in bytes, get fresh memory of the system, by reserving at least so much.
const SMALL: usize = 1 << 17;
const FRESH: usize = 33 << 20;

/// The table.
pub struct Table<const N: usize, R = Knowledge<N>> {
    words: Vec<AtomicU64>,
    buckets: usize,
    /// How many buckets are in use, and how many were before.
    active: AtomicUsize,
    previous: AtomicUsize,
    /// Entries filled for the first time.
    filled: AtomicUsize,
    /// Where the memory comes from.
    account: Memory,
    records: PhantomData<R>,
}

impl<const N: usize, R: Record<N>> Table<N, R> {
    const ENTRY: usize = 3 * N + 1;
    /// The bytes of a bucket.
    const BUCKET: usize = 8 * Self::ENTRY * WAYS;

    /// A table of at most `bytes` bytes (at least one bucket).
    pub fn new(bytes: usize) -> Table<N, R> {
        Table::within(bytes, &Memory::unbounded())
    }

    /// The same, as far as an account has bytes left when the table wants more of its memory.
    pub fn within(bytes: usize, account: &Memory) -> Table<N, R> {
        let mut buckets = (bytes / Self::BUCKET).max(1);
        // Zeroed by the system page by page as it is used: a large table costs nothing until it is needed. Where there is
        // not enough, a smaller table only makes the search slower.
        let words = loop {
            match bytemuck::try_zeroed_vec(Self::reserved(buckets) / 8) {
                Ok(words) => break words,
                Err(()) if buckets > 1 => buckets /= 2,
                Err(()) => break Vec::from_iter((0..WAYS * Self::ENTRY).map(|_| AtomicU64::new(0))),
            }
        };
        let active = buckets.min(FIRST_BUCKETS);
        // It is small: what a whole run may take has room for it.
        account.take(active * Self::BUCKET);
        Table {
            words,
            buckets,
            account: account.clone(),
            active: AtomicUsize::new(active),
            previous: AtomicUsize::new(0),
            filled: AtomicUsize::new(0),
            records: PhantomData,
        }
    }

    /// The bytes of address space for so many buckets. What the allocator (glibc) takes below 32 MiB may be a place that was
    /// used before: then it is zeroed at once and all of it counts. So all but small tables reserve more, and never use it.
    fn reserved(buckets: usize) -> usize {
        let bytes = buckets * Self::BUCKET;
        if bytes < SMALL { bytes } else { bytes.max(FRESH) }
    }

    #[inline]
    fn hash(stones: &Stones<N>) -> u64 {
        let mut hash = 0u64;
        for i in 0..N {
            hash = mix(hash ^ stones.black.words()[i]);
            hash = mix(hash.rotate_left(17) ^ stones.white.words()[i]);
        }
        hash
    }

    /// The bucket of a position when `buckets` are in use.
    #[inline]
    fn bucket(&self, hash: u64, buckets: usize) -> &[AtomicU64] {
        // The high bits of the product spread over the buckets without a division.
        let start = ((u128::from(hash) * buckets as u128) >> 64) as usize * WAYS * Self::ENTRY;
        &self.words[start..start + WAYS * Self::ENTRY]
    }

    #[inline]
    fn read(&self, words: &[AtomicU64], stones: &Stones<N>) -> Option<R> {
        let data = words[3 * N].load(Ordering::Acquire);
        if data == 0 || data & BUSY != 0 {
            return None;
        }
        let same = (0..N).all(|i| {
            words[i].load(Ordering::Relaxed) == stones.black.words()[i]
                && words[N + i].load(Ordering::Relaxed) == stones.white.words()[i]
        });
        if !same {
            return None;
        }
        let mut set = [0; N];
        for (i, word) in set.iter_mut().enumerate() {
            *word = words[2 * N + i].load(Ordering::Relaxed);
        }
        fence(Ordering::Acquire);
        if words[3 * N].load(Ordering::Relaxed) != data {
            return None;
        }
        Some(R::unpack(CellSet::from_words(set), data as u32))
    }

    /// What is known of this position.
    #[inline]
    pub fn get(&self, stones: &Stones<N>) -> Option<R> {
        let hash = Self::hash(stones);
        let find = |buckets| {
            let bucket = self.bucket(hash, buckets);
            bucket.chunks_exact(Self::ENTRY).find_map(|words| self.read(words, stones))
        };
        find(self.active.load(Ordering::Relaxed)).or_else(|| match self.previous.load(Ordering::Relaxed) {
            0 => None,
            buckets => find(buckets),
        })
    }

    /// Remembers a record, which took about `work` nodes to find. It replaces what was known of the same position,
    /// else an empty entry, else the cheapest.
    pub fn put(&self, stones: &Stones<N>, record: &R, work: u64) {
        let bucket = self.bucket(Self::hash(stones), self.active.load(Ordering::Relaxed));
        let effort = u64::from(64 - work.leading_zeros()).min(63);
        let mut chosen = WAYS - 1;
        let mut cheapest = u64::MAX;
        for (way, words) in bucket.chunks_exact(Self::ENTRY).enumerate() {
            if self.read(words, stones).is_some() {
                chosen = way;
                break;
            }
            let old = words[3 * N].load(Ordering::Relaxed);
            let price = if old == 0 { 0 } else { 1 + (old >> 32 & 63) };
            if price < cheapest && (way < WAYS - 1 || price == 0) && price <= 1 + effort {
                cheapest = price;
                chosen = way;
            }
        }
        let words = &bucket[chosen * Self::ENTRY..(chosen + 1) * Self::ENTRY];
        let old = words[3 * N].load(Ordering::Relaxed);
        // Another writer is at it: this result is lost, which a cache may do.
        if old & BUSY != 0
            || words[3 * N].compare_exchange(old, old | BUSY, Ordering::Acquire, Ordering::Relaxed).is_err()
        {
            return;
        }
        if old == 0 {
            self.took_an_entry();
        }
        fence(Ordering::Release);
        let (set, bits) = record.pack();
        for i in 0..N {
            words[i].store(stones.black.words()[i], Ordering::Relaxed);
            words[N + i].store(stones.white.words()[i], Ordering::Relaxed);
            words[2 * N + i].store(set.words()[i], Ordering::Relaxed);
        }
        let version = (old >> 48).wrapping_add(1) & 0x7fff;
        words[3 * N].store(version.max(1) << 48 | effort << 32 | u64::from(bits), Ordering::Release);
    }

    /// Takes more memory into use when half of what is in use is full.
    fn took_an_entry(&self) {
        let filled = self.filled.fetch_add(1, Ordering::Relaxed) + 1;
        let active = self.active.load(Ordering::Relaxed);
        if filled >= active * WAYS / 2 && active < self.buckets {
            let wanted = active.saturating_mul(STEP).min(self.buckets);
            let bytes = self.account.take((wanted - active) * Self::BUCKET);
            let more = active + bytes / Self::BUCKET;
            // A step forgets what was stored before the last one: a small one costs more than it brings.
            let grows = (more == wanted || more >= 2 * active)
                && self.active.compare_exchange(active, more, Ordering::Relaxed, Ordering::Relaxed).is_ok();
            if grows {
                self.previous.store(active, Ordering::Relaxed);
            }
            self.account.give(if grows { bytes % Self::BUCKET } else { bytes });
        }
    }

    /// The entries that took the most work, at most so many: each with the binary digits of its nodes. Others may go on
    /// writing meanwhile.
    pub fn dearest(&self, most: usize) -> Vec<(Stones<N>, R, u8)> {
        let used = self.active.load(Ordering::Relaxed) * WAYS * Self::ENTRY;
        let efforts = || {
            let entries = self.words[..used].chunks_exact(Self::ENTRY);
            entries.map(|words| (words, words[3 * N].load(Ordering::Relaxed))).filter(|(_, data)| *data != 0)
        };
        let mut counts = [0usize; 64];
        efforts().for_each(|(_, data)| counts[(data >> 32 & 63) as usize] += 1);
        let mut kept = 0;
        let dear = (1..64).rev().take_while(|&effort| {
            kept += counts[effort];
            kept <= most
        });
        let Some(least) = dear.last() else { return Vec::new() };
        let key = |words: &[AtomicU64], from: usize| {
            CellSet::from_words(std::array::from_fn(|i| words[from + i].load(Ordering::Relaxed)))
        };
        let read = |(words, data): (&[AtomicU64], u64)| {
            let effort = (data >> 32 & 63) as u8;
            let stones = Stones { black: key(words, 0), white: key(words, N) };
            // If it changed meanwhile there is nothing under this key, or what is there is as true.
            (usize::from(effort) >= least).then(|| Some((stones, self.read(words, &stones)?, effort))).flatten()
        };
        efforts().filter_map(read).collect()
    }

    /// The share of entries in use.
    pub fn fill(&self) -> f64 {
        self.filled.load(Ordering::Relaxed) as f64 / (self.buckets * WAYS) as f64
    }
}

impl<const N: usize, R> Drop for Table<N, R> {
    fn drop(&mut self) {
        self.account.give(*self.active.get_mut() * 8 * WAYS * (3 * N + 1));
    }
}

/// Positions that look alike have one entry.
impl<const N: usize> Table<N> {
    /// What is known of a position or of one that looks like it.
    pub fn known(&self, canon: &Canon, position: &Position<N>) -> Knowledge<N> {
        let (stones, number) = canon.canonical(&position.stones());
        self.get(&stones).map_or(Knowledge::NOTHING, |known| known.moved(canon.inverse(number)))
    }

    /// Keeps what was found with so much work.
    pub fn remember(&self, canon: &Canon, position: &Position<N>, knowledge: Knowledge<N>, work: u64) {
        let (stones, number) = canon.canonical(&position.stones());
        self.put(&stones, &knowledge.moved(canon.symmetry(number)), work);
    }
}

#[inline]
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    z ^ (z >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(number: u64) -> Stones<1> {
        let bits = mix(number + 1);
        Stones::new(CellSet::from_words([bits & 0xffff_ffff]), CellSet::from_words([bits & !0xffff_ffff]))
    }

    fn knowledge(number: u64) -> Knowledge<1> {
        let zone = CellSet::from_words([number]);
        Knowledge { win: number as u8, refuted: 7, best: Some(Cell::new(number as usize % 64)), zone, ignored: 3 }
    }

    /// What is found is what was stored for that very position, also when the table is full many times over and while
    /// it takes more memory into use; and expensive results outlive cheap ones.
    #[test]
    fn nothing_false_is_ever_found() {
        let table = Table::<1>::new(4 << 20);
        for number in 0..400_000 {
            table.put(&position(number), &knowledge(number), if number < 1000 { 1 << 40 } else { 1 });
        }
        let found: Vec<u64> = (0..400_000)
            .filter(|&number| {
                table.get(&position(number)).inspect(|found| assert_eq!(*found, knowledge(number))).is_some()
            })
            .collect();
        assert!(found.len() > 60_000, "{}", found.len());
        assert!(table.fill() > 0.9, "{}", table.fill());
        assert_eq!(table.get(&position(400_001)), None);
    }

    /// Many threads write to few entries and read them all the while: whatever is found was written for that very
    /// position, as a whole. Each record tells its position in every field, so a torn one would show.
    #[test]
    fn threads_find_whole_records_only() {
        fn stress<const N: usize>(bytes: usize) -> u64 {
            const POSITIONS: u64 = 48;
            let table = Table::<N>::new(bytes);
            let position = |number: u64| {
                let (mut black, mut white) = ([0; N], [0; N]);
                for word in 0..N {
                    let bits = mix((number + 1) << 8 | word as u64);
                    (black[word], white[word]) = (bits & 0xffff_ffff, bits & !0xffff_ffff);
                }
                Stones::new(CellSet::from_words(black), CellSet::from_words(white))
            };
            // Which of a position's records it is stands in `refuted`; the others follow from both numbers.
            let record = |number: u64, kind: u8| {
                let seed = mix(number << 8 | u64::from(kind));
                Knowledge {
                    win: (seed >> 8) as u8,
                    refuted: kind,
                    best: Some(Cell::new(seed as usize % 300)),
                    zone: CellSet::from_words(std::array::from_fn(|word| mix(seed ^ word as u64))),
                    ignored: (seed >> 16) as u8 & 63,
                }
            };
            let found = AtomicU64::new(0);
            std::thread::scope(|scope| {
                for thread in 0..4u64 {
                    let (table, found, position, record) = (&table, &found, &position, &record);
                    scope.spawn(move || {
                        let mut seed = mix(thread + 1);
                        for _ in 0..30_000 {
                            seed = mix(seed.wrapping_add(0x9e37_79b9_7f4a_7c15));
                            let number = seed % POSITIONS;
                            let kind = (seed >> 32) as u8;
                            table.put(&position(number), &record(number, kind), seed >> 60);
                            let other = (seed >> 16) % POSITIONS;
                            if let Some(known) = table.get(&position(other)) {
                                assert_eq!(known, record(other, known.refuted));
                                found.fetch_add(1, Ordering::Relaxed);
                            }
                        }
                    });
                }
            });
            found.into_inner()
        }
        // One bucket that everybody fights for, and a few.
        assert!(stress::<1>(0) > 1000);
        assert!(stress::<1>(1 << 10) > 1000);
        assert!(stress::<6>(1 << 12) > 1000);
    }
}
