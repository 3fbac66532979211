//! What the workers of one process share: the tables, and what they have heard from others and told them.

use super::folder::Folder;
use super::learned::Learned;
use super::prober::workbench;
use crate::engines::facts::Fact;
use crate::game::Game;
use crate::settle::workbench::Workbench;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The tables of one game, and whose facts are in them. What one worker finds out, the others at this desk know at once.
pub struct Desk<const N: usize> {
    /// The tables.
    pub bench: Workbench<N>,
    learned: Mutex<Learned<N>>,
}

impl<const N: usize> Desk<N> {
    /// With so many bytes for tables, for so many threads in all.
    pub fn new(game: &Game, memory: usize, threads: usize) -> Desk<N> {
        Desk { bench: workbench(game, memory, threads), learned: Mutex::new(Learned::new(game.vertices())) }
    }

    /// See [`Learned::take`].
    pub fn take(&self, path: &Path) -> u64 {
        self.learned().take(&self.bench, path)
    }

    /// See [`Learned::take_decided`].
    pub fn take_decided(&self, folder: &Folder, jobs: impl Iterator<Item = u32>) {
        self.learned().take_decided(&self.bench, folder, jobs);
    }

    /// What a job found and nobody was told yet, at most so many facts; see [`Learned::tell`].
    pub fn tell(&self, job: u32, most: usize) -> Vec<Fact<N>> {
        let known = self.bench.facts(4 * most);
        self.learned().tell(job, known, most)
    }

    /// Facts are a help: a worker that broke off in the middle of them leaves nothing that could not be used.
    fn learned(&self) -> MutexGuard<'_, Learned<N>> {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
