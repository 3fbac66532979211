//! Which positions other threads are searching right now.
//!
//! All threads run the same search over one table. So that they do not walk side by side, a thread that finds a move
//! under search by another takes its other moves first (the simplified ABDADA of T. Kerrigan). This is advice only: a
//! lost or false note costs time, never truth.

use crate::effort::tuning::shared::NOTES;
use std::sync::atomic::{AtomicU64, Ordering};

/// A small table of notes.
pub struct Busy {
    notes: Vec<AtomicU64>,
    shared: bool,
}

impl Busy {
    /// Notes for so many threads.
    pub fn new(threads: usize) -> Busy {
        Busy { notes: (0..NOTES).map(|_| AtomicU64::new(0)).collect(), shared: threads > 1 }
    }

    /// Whether there is anybody to talk to.
    #[inline]
    pub fn is_shared(&self) -> bool {
        self.shared
    }

    #[inline]
    fn note(&self, key: u64) -> &AtomicU64 {
        &self.notes[(key >> 40) as usize % NOTES]
    }

    /// Whether somebody searches this position.
    #[inline]
    pub fn contains(&self, key: u64) -> bool {
        self.note(key).load(Ordering::Relaxed) == key
    }

    /// This thread searches it now.
    #[inline]
    pub fn enter(&self, key: u64) {
        self.note(key).store(key, Ordering::Relaxed);
    }

    /// It does no longer.
    #[inline]
    pub fn leave(&self, key: u64) {
        let _ = self.note(key).compare_exchange(key, 0, Ordering::Relaxed, Ordering::Relaxed);
    }
}
