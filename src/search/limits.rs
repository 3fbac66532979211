//! When a search must stop: by time, by nodes, or because somebody asked.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A search was stopped before it was done; nothing is claimed beyond what it had proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("stopped before it was settled")]
pub struct Halt;

/// The limits of one run, shared by all its threads. Cloning shares the stop flag and the node count.
#[derive(Clone, Debug)]
pub struct Limits {
    deadline: Option<Instant>,
    nodes: Option<u64>,
    /// Its own flag last, those of the runs it is part of before.
    stops: Vec<Arc<AtomicBool>>,
    counted: Arc<AtomicU64>,
}

/// Nodes between two looks at the clock and the flag: some hundred microseconds of search.
const STRIDE: u64 = 256;

impl Limits {
    /// No limit but the stop flag.
    pub fn none() -> Limits {
        Limits::new(None, None, Arc::default())
    }

    pub fn new(time: Option<Duration>, nodes: Option<u64>, stop: Arc<AtomicBool>) -> Limits {
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        Limits { deadline, nodes, stops: vec![stop], counted: Arc::default() }
    }

    /// The limits of a part of the run: it stops when the whole does, and can be stopped alone.
    pub fn part(&self) -> Limits {
        let mut part = self.clone();
        part.stops.push(Arc::default());
        part
    }

    /// Asks every search under these limits to stop.
    pub fn stop(&self) {
        if let Some(own) = self.stops.last() {
            own.store(true, Ordering::Relaxed);
        }
    }

    pub fn stopped(&self) -> bool {
        self.stops.iter().any(|stop| stop.load(Ordering::Relaxed))
    }

    /// Nodes counted so far by all threads, to the last [`tick`](Limits::tick)s.
    pub fn counted(&self) -> u64 {
        self.counted.load(Ordering::Relaxed)
    }

    /// To be called at every node with the caller's own running count.
    #[inline]
    pub fn tick(&self, own_nodes: u64) -> Result<(), Halt> {
        if own_nodes.is_multiple_of(STRIDE) { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&self) -> Result<(), Halt> {
        let counted = self.counted.fetch_add(STRIDE, Ordering::Relaxed) + STRIDE;
        self.check(counted)
    }

    /// Whether a limit is reached; for work that is not counted in nodes.
    pub fn check_now(&self) -> Result<(), Halt> {
        self.check(self.counted())
    }

    fn check(&self, counted: u64) -> Result<(), Halt> {
        let reached = self.nodes.is_some_and(|most| counted >= most)
            || self.deadline.is_some_and(|end| Instant::now() >= end)
            || self.stopped();
        if reached { Err(Halt) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_stops_a_search() {
        let run = |limits: &Limits| (1..100_000).find(|&n| limits.tick(n).is_err());
        assert_eq!(run(&Limits::none()), None);
        assert_eq!(run(&Limits::new(None, Some(1000), Arc::default())), Some(1024));
        assert!(run(&Limits::new(Some(Duration::ZERO), None, Arc::default())).is_some());
        let limits = Limits::none();
        limits.stop();
        assert!(run(&limits).is_some());
        let whole = Limits::none();
        let part = whole.part();
        part.stop();
        assert!(run(&part).is_some() && run(&whole).is_none());
        let part = whole.part();
        whole.stop();
        assert!(run(&part).is_some());
    }
}
