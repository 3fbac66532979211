//! What a worker sees of the others: which results there are, and so which jobs are still work.

use super::error::FarmError;
use super::folder::Folder;
use super::plan::{Job, Plan, Round};
use super::result::{JobResult, Verdict};
use super::round::read_tree;
use super::tree::{End, State, Tree};
use ahash::AHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Spare jobs are done until a round has come to the budgets of so many jobs for each worker: a round costs a master's turn and
/// waits for its last job, so it should not be over at once.
const SPARE: u64 = 2;

/// Results of a round whose facts a worker takes over at most.
const NEWEST: usize = 1000;

/// The tree of a round, and the results that others have left since.
pub struct Lookout<'a> {
    folder: Folder,
    workers: usize,
    /// The round.
    pub round: &'a Round,
    tree: Tree,
    /// Which leaf of the tree a job is for.
    leaves: AHashMap<u32, u32>,
    /// The results that the tree knows of.
    grafted: BTreeSet<u32>,
    /// The jobs of the round that have a result, and their nodes where we have looked.
    done: BTreeMap<u32, Option<u64>>,
}

impl<'a> Lookout<'a> {
    /// Nothing is looked at yet.
    pub fn new(folder: &Folder, plan: &Plan, round: &'a Round) -> Result<Lookout<'a>, FarmError> {
        let (folder, tree) = (folder.clone(), read_tree(folder, plan)?);
        let (grafted, done) = (BTreeSet::new(), BTreeMap::new());
        Ok(Lookout { folder, workers: plan.workers, round, leaves: tree.jobs(), tree, grafted, done })
    }

    /// Takes over the results that were not there at the last look.
    pub fn look(&mut self) -> Result<(), FarmError> {
        let first = self.round.ids().map_or(0, |(first, _)| first);
        for (job, verdict) in self.folder.results()?.into_iter().filter(|(job, _)| *job >= first) {
            self.done.entry(job).or_default();
            if verdict != Verdict::Open
                && self.grafted.insert(job)
                && let Some(leaf) = self.leaves.get(&job)
                && let Some(result) =
                    fs::read(self.folder.result(job, verdict)).ok().and_then(|bytes| JobResult::read(&bytes).ok())
            {
                let state = if verdict == Verdict::Won { State::Won } else { State::Held(result.zone) };
                self.tree.graft(*leaf, state, result.reply, End::Early);
            }
        }
        Ok(())
    }

    /// The jobs of the round that have a result, the last ones if they are many.
    pub fn newest(&self) -> impl Iterator<Item = u32> {
        self.done.keys().copied().skip(self.done.len().saturating_sub(NEWEST))
    }

    /// Sorts jobs so that those that come from the same moves are near one another.
    pub fn by_place(&self, ids: &mut [u32]) {
        let places = self.tree.order();
        ids.sort_by_key(|id| self.leaves.get(id).map_or(u32::MAX, |leaf| places[*leaf as usize]));
    }

    /// Whether a job is spare.
    pub fn is_spare(&self, id: u32) -> bool {
        self.round.job(id).is_ok_and(|job| job.spare)
    }

    /// Whether a job is still work, as far as was seen: its leaf matters, and if it is spare, others are not through with
    /// those that are not, or the round has hardly begun.
    pub fn needs(&mut self, job: &Job) -> bool {
        let needed = self.tree.needed();
        let matters = |job: &Job| self.leaves.get(&job.id).is_none_or(|leaf| needed[*leaf as usize]);
        let waited_for = |other: &Job| !other.spare && !self.done.contains_key(&other.id) && matters(other);
        if !matters(job) || !job.spare || self.round.jobs.iter().any(waited_for) {
            return matters(job);
        }
        let enough = job.budget.saturating_mul(SPARE * self.workers as u64);
        self.nodes_of_round() < enough
    }

    /// The nodes of all results of the round.
    fn nodes_of_round(&mut self) -> u64 {
        for (job, nodes) in self.done.iter_mut().filter(|(_, nodes)| nodes.is_none()) {
            let results = Verdict::ALL.into_iter().map(|verdict| self.folder.result(*job, verdict));
            let read = |path| JobResult::read(&fs::read(path).ok()?).ok();
            *nodes = Some(results.filter_map(read).map(|result| result.nodes).next().unwrap_or(0));
        }
        self.done.values().flatten().sum()
    }
}
