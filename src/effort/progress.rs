//! How far a piece of work is: written by whoever does it, read by an observer now and then.
//!
//! The work knows a [`Meter`] and nobody who looks at it; [`watched`] reads it a few times a second, on a thread of its
//! own, and tells the observer.

use super::Limits;
use std::sync::atomic::{
    AtomicBool, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};
use std::time::{Duration, Instant};

/// Where the work stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Searching, or writing the proof down.
    pub proving: bool,
    /// The turn limit under way, if there is one.
    pub turn: Option<usize>,
    /// No win by this turn.
    pub refuted_turn: Option<usize>,
    /// No paving after so many White moves.
    pub unpaved: Option<usize>,
    /// Proof and disproof number of the start, where the engine has them.
    pub numbers: Option<(u32, u32)>,
    /// Nodes so far.
    pub nodes: u64,
    /// The share of the table in use, in thousandths.
    pub fill: usize,
    /// Since the work began.
    pub elapsed: Duration,
}

/// Told about progress a few times a second, from a thread of its own.
pub type Observer<'a> = &'a (dyn Fn(&Progress) + Sync);

/// What the work writes down as it goes on; 0 is nothing yet.
#[derive(Debug)]
pub struct Meter {
    started: Instant,
    proving: AtomicBool,
    turn: AtomicUsize,
    refuted: AtomicUsize,
    /// One more than the moves.
    unpaved: AtomicUsize,
    fill: AtomicUsize,
}

impl Default for Meter {
    fn default() -> Meter {
        Meter {
            started: Instant::now(),
            proving: AtomicBool::new(false),
            turn: AtomicUsize::new(0),
            refuted: AtomicUsize::new(0),
            unpaved: AtomicUsize::new(0),
            fill: AtomicUsize::new(0),
        }
    }
}

impl Meter {
    /// A turn limit is begun.
    pub fn at_turn(&self, turn: usize) {
        self.turn.store(turn, Relaxed);
    }

    /// No win by this turn.
    pub fn refuted(&self, turn: usize) {
        self.refuted.fetch_max(turn, Relaxed);
    }

    /// The turn refuted last.
    pub fn refuted_turn(&self) -> Option<usize> {
        Some(self.refuted.load(Relaxed)).filter(|&turn| turn > 0)
    }

    /// No paving after so many White moves.
    pub fn unpaved(&self, moves: usize) {
        self.unpaved.fetch_max(moves + 1, Relaxed);
    }

    /// The search is over; its proof is being written down.
    pub fn proving(&self) {
        self.proving.store(true, Relaxed);
    }

    /// The share of the table in use, in thousandths.
    pub fn fill(&self, share: usize) {
        self.fill.store(share, Relaxed);
    }

    /// What is written down now.
    pub fn read(&self, limits: &Limits) -> Progress {
        Progress {
            proving: self.proving.load(Relaxed),
            turn: Some(self.turn.load(Relaxed)).filter(|&turn| turn > 0),
            refuted_turn: self.refuted_turn(),
            unpaved: self.unpaved.load(Relaxed).checked_sub(1),
            numbers: None,
            nodes: limits.counted(),
            fill: self.fill.load(Relaxed),
            elapsed: self.started.elapsed(),
        }
    }
}

/// How often progress is told.
const BEAT: Duration = Duration::from_millis(100);

/// Does `work` while `observer` is told of its progress.
pub fn watched<T>(observer: Observer, progress: impl Fn() -> Progress + Sync, work: impl FnOnce() -> T) -> T {
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let monitor = scope.spawn(|| {
            // The last look comes after the work, so that there is always one.
            loop {
                std::thread::park_timeout(BEAT);
                let over = done.load(Acquire);
                observer(&progress());
                if over {
                    break;
                }
            }
        });
        let result = work();
        done.store(true, Release);
        monitor.thread().unpark();
        result
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    #[test]
    fn an_observer_sees_what_the_work_writes_down() {
        let (meter, limits, seen) = (Meter::default(), Limits::none(), Mutex::new(Vec::new()));
        let observer = |progress: &Progress| seen.lock().unwrap().push(*progress);
        let result = watched(
            &observer,
            || meter.read(&limits),
            || {
                meter.at_turn(5);
                meter.refuted(3);
                meter.unpaved(0);
                meter.fill(250);
                7
            },
        );
        let last = *seen.lock().unwrap().last().unwrap();
        assert_eq!((result, last.turn, last.refuted_turn, last.fill), (7, Some(5), Some(3), 250));
        assert_eq!((last.unpaved, last.proving, last.numbers), (Some(0), false, None));
    }
}
