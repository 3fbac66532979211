//! When a search must stop: by time, by nodes, or because somebody asked.

use super::tuning::clock;
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
    /// The whole run first, then the part of it that these limits are for.
    levels: Vec<Level>,
}

/// What can stop a run or a part of one.
#[derive(Clone, Debug)]
struct Level {
    stop: Arc<AtomicBool>,
    counted: Arc<AtomicU64>,
    nodes: Option<u64>,
}

impl Limits {
    /// No limit but the stop flag.
    pub fn none() -> Limits {
        Limits::new(None, None, Arc::default())
    }

    /// So much time, so many nodes, and a flag that ends it.
    pub fn new(time: Option<Duration>, nodes: Option<u64>, stop: Arc<AtomicBool>) -> Limits {
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        Limits { deadline, levels: vec![Level { stop, counted: Arc::default(), nodes }] }
    }

    /// The limits of a part of the run: it stops when the whole does, can be stopped alone, and may have a number of
    /// nodes of its own.
    pub fn part(&self, nodes: Option<u64>) -> Limits {
        let mut part = self.clone();
        part.levels.push(Level { stop: Arc::default(), counted: Arc::default(), nodes });
        part
    }

    /// The limits of writing down what a part of the run has found: it stops when the part does, but for the part's nodes.
    pub fn for_proof(&self) -> Limits {
        let mut proof = self.clone();
        proof.levels.iter_mut().skip(1).for_each(|part| part.nodes = None);
        proof
    }

    /// Asks every search under these limits to stop.
    pub fn stop(&self) {
        if let Some(own) = self.levels.last() {
            own.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Whether somebody asked for the end.
    pub fn stopped(&self) -> bool {
        self.levels.iter().any(|level| level.stop.load(Ordering::Relaxed))
    }

    /// Nodes counted so far by all threads of the whole run, to the last [`tick`](Limits::tick)s.
    pub fn counted(&self) -> u64 {
        self.levels.first().map_or(0, |whole| whole.counted.load(Ordering::Relaxed))
    }

    /// To be called at every node with the caller's own running count.
    #[inline]
    pub fn tick(&self, own_nodes: u64) -> Result<(), Halt> {
        if own_nodes.is_multiple_of(clock::NODES) { self.count(clock::NODES) } else { Ok(()) }
    }

    /// Counts some nodes and looks whether a limit is reached.
    #[cold]
    pub fn count(&self, nodes: u64) -> Result<(), Halt> {
        for level in &self.levels {
            level.counted.fetch_add(nodes, Ordering::Relaxed);
        }
        self.check_now()
    }

    /// Whether a limit is reached; for work that is not counted in nodes.
    pub fn check_now(&self) -> Result<(), Halt> {
        let spent = |level: &Level| level.nodes.is_some_and(|most| level.counted.load(Ordering::Relaxed) >= most);
        if self.levels.iter().any(spent) { Err(Halt) } else { self.check_time() }
    }

    /// Whether the time is over or somebody asked to stop, whatever the nodes. Where nothing does, a search that looks
    /// more often goes the same way.
    pub fn check_time(&self) -> Result<(), Halt> {
        let late = self.deadline.is_some_and(|end| Instant::now() >= end);
        if late || self.stopped() { Err(Halt) } else { Ok(()) }
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
        let part = whole.part(None);
        part.stop();
        assert!(run(&part).is_some() && run(&whole).is_none());
        assert_eq!(run(&whole.part(Some(1000))), Some(1024));
        let proof = whole.part(Some(1000)).for_proof();
        assert_eq!(run(&proof), None);
        assert!(run(&Limits::new(None, Some(1000), Arc::default()).part(None).for_proof()).is_some());
        proof.stop();
        assert!(run(&proof).is_some() && run(&whole).is_none());
        let part = whole.part(None);
        whole.stop();
        assert!(run(&part).is_some());
    }
}
