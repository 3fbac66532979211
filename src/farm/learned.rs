//! What a worker has learned from others: the facts in their files, taken over into his own tables.

use super::facts::{self, Facts, Pool};
use super::folder::Folder;
use super::sealed::unseal;
use crate::engines::facts::Fact;
use crate::settle::workbench::Workbench;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// What was read so far, and what was said: nobody is told twice.
pub struct Learned<const N: usize> {
    vertices: usize,
    pool: Pool<N>,
    /// The jobs whose files were read.
    jobs: BTreeSet<u32>,
}

impl<const N: usize> Learned<N> {
    /// Nothing yet, of a game of so many vertices.
    pub fn new(vertices: usize) -> Learned<N> {
        Learned { vertices, pool: Pool::default(), jobs: BTreeSet::new() }
    }

    /// Takes over the facts of a file, if it is there and whole: they are a help, nothing depends on them. The nodes they
    /// were found with.
    pub fn take(&mut self, bench: &Workbench<N>, path: &Path) -> u64 {
        self.take_some(bench, path, |_| true)
    }

    /// Takes over what was decided in these jobs, if that was not done before. How far others are with what is open would draw
    /// all workers to the same positions: with it two took 4.5 to 16.3 million nodes for 5cells3 7x7, without 2.6 to 3.0
    /// (2026-11-19; one takes 3.7 to 6.4).
    pub fn take_decided(&mut self, bench: &Workbench<N>, folder: &Folder, jobs: impl Iterator<Item = u32>) {
        for job in jobs {
            if self.jobs.insert(job) {
                self.take_some(bench, &folder.learned(job), Fact::is_decided);
            }
        }
    }

    fn take_some(&mut self, bench: &Workbench<N>, path: &Path, wanted: impl Fn(&Fact<N>) -> bool) -> u64 {
        let read = fs::read(path).ok().and_then(|bytes| unseal(facts::KIND, &bytes).ok());
        let Some(Ok(Facts { spent, list })) = read.map(|body| Facts::read(&body, self.vertices)) else { return 0 };
        for fact in list.into_iter().filter(wanted) {
            bench.learn(&fact);
            self.pool.add(fact);
        }
        spent
    }

    /// What nobody was told yet of a job's facts, the dearest, at most so many; now they are.
    pub fn tell(&mut self, job: u32, found: Vec<Fact<N>>, most: usize) -> Vec<Fact<N>> {
        let mut new = Pool::default();
        found.into_iter().filter(|fact| !self.pool.has(fact)).for_each(|fact| new.add(fact));
        let list = new.into_list(most);
        list.iter().for_each(|fact| self.pool.add(*fact));
        self.jobs.insert(job);
        list
    }
}
