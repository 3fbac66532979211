//! The master's work: the first round, and every round after it.

use super::error::FarmError;
use super::facts::{self, Facts, Pool};
use super::folder::Folder;
use super::plan::{Job, Plan, Round};
use super::prober::{Prober, workbench};
use super::result::{Checked, JobResult, Verdict, checked};
use super::script::table;
use super::sealed::{Damage, unseal};
use super::tree::{State, Tree, Wanted};
use crate::effort::Limits;
use crate::game::with_width;
use crate::settle::workbench::Workbench;
use ahash::AHashMap;
use harary_certificate::whole_file;
use rayon::prelude::*;
use std::fs;

/// Facts that go out with a round at most.
const FACTS: usize = 1_000_000;

/// What a round came to, and what was planned after it.
#[derive(Debug, Default)]
pub struct Planned {
    /// The new round; none if there is nothing left to do.
    pub round: Option<Round>,
    /// What is known of the game now.
    pub decided: Option<Verdict>,
    /// Results of the round before that were grafted.
    pub grafted: usize,
    /// Jobs that nobody needed any more.
    pub needless: usize,
    /// Jobs without a result that would still be needed: they are planned again.
    pub missing: Vec<u32>,
    /// Results that were refused, and why: their jobs are planned again.
    pub refused: Vec<(u32, Damage)>,
    /// Facts that go out with the new round.
    pub facts: usize,
    /// Positions of the tree.
    pub positions: usize,
}

/// Begins a farm in an empty folder.
pub fn begin(folder: &Folder, mut plan: Plan, memory: usize) -> Result<Planned, FarmError> {
    folder.make()?;
    let _lock = folder.lock()?;
    if folder.has_plan() {
        return Err(FarmError::Taken(folder.path().to_owned()));
    }
    with_width!(plan.game.vertices(), N => {
        let bench = workbench::<N>(&plan.game, memory, 1);
        let tree = Tree::new(&plan.game, &mut Prober::new(&bench, &Limits::none()));
        plan_round(folder, &mut plan, tree, &bench, Planned::default())
    })
}

/// Grafts the results of the last round and plans the next.
pub fn next(folder: &Folder, memory: usize) -> Result<Planned, FarmError> {
    let (_lock, mut plan) = folder.lock_farm()?;
    with_width!(plan.game.vertices(), N => {
        let bench = workbench::<N>(&plan.game, memory, 1);
        let mut tree = read_tree(folder, &plan)?;
        let (leaves, mut planned) = (tree.jobs(), Planned::default());
        let round = folder.read_round(&plan, plan.round)?;
        let mut pool = Pool::<N>::default();
        take_facts(&mut pool, folder.facts(round.number).as_path(), &plan);
        for (job, checked) in checked_results(folder, &plan, &round)? {
            match checked {
                Ok(Checked { result, state, .. }) => {
                    graft(&mut tree, &leaves, &result, state);
                    take_facts(&mut pool, folder.learned(job).as_path(), &plan);
                    planned.grafted += 1;
                }
                Err(damage) => {
                    folder.refuse(job, &damage.0)?;
                    planned.refused.push((job, damage));
                }
            }
        }
        count_missing(&mut tree, &round, folder, &mut planned)?;
        let list = pool.into_list(FACTS);
        list.iter().for_each(|fact| bench.learn(fact));
        planned.facts = list.len();
        let path = folder.facts(round.number + 1);
        folder.write(&path, facts::KIND, &Facts { spent: 0, list }.body())?;
        plan_round(folder, &mut plan, tree, &bench, planned)
    })
}

/// The tree as the last round left it.
pub fn read_tree(folder: &Folder, plan: &Plan) -> Result<Tree, FarmError> {
    let path = folder.tree();
    Tree::read(&folder.unsealed(&path, "tree")?, &plan.game).map_err(FarmError::damaged(&path))
}

/// A job, and what the check of its result says.
type Looked = (u32, Result<Checked, Damage>);

/// The results of a round, each checked; several at once.
pub fn checked_results(folder: &Folder, plan: &Plan, round: &Round) -> Result<Vec<Looked>, FarmError> {
    // A job may have been done twice with different ends: what decides comes first.
    let mut verdicts: AHashMap<u32, Verdict> = AHashMap::new();
    for (job, verdict) in folder.results()?.into_iter().rev() {
        verdicts.insert(job, verdict);
    }
    let found = round.jobs.par_iter().filter_map(|job| {
        let verdict = *verdicts.get(&job.id)?;
        Some((job.id, checked(folder, plan, job, verdict)))
    });
    Ok(found.collect())
}

/// Puts a result into the tree; `leaves` tells which leaf a job was planned for.
pub fn graft(tree: &mut Tree, leaves: &AHashMap<u32, u32>, result: &JobResult, state: State) {
    if let Some(leaf) = leaves.get(&result.job) {
        tree.graft(*leaf, state, result.reply, result.end());
    }
}

/// Jobs without a result: whether somebody still needs them.
fn count_missing(tree: &mut Tree, round: &Round, folder: &Folder, planned: &mut Planned) -> Result<(), FarmError> {
    let (leaves, needed) = (tree.jobs(), tree.needed());
    let done: Vec<u32> = folder.results()?.into_iter().map(|(job, _)| job).collect();
    for job in round.jobs.iter().filter(|job| done.binary_search(&job.id).is_err()) {
        let refused = planned.refused.iter().any(|(other, _)| *other == job.id);
        match leaves.get(&job.id) {
            Some(leaf) if needed[*leaf as usize] && !refused && !job.spare => planned.missing.push(job.id),
            Some(_) if refused => {}
            _ => planned.needless += 1,
        }
    }
    Ok(())
}

fn take_facts<const N: usize>(pool: &mut Pool<N>, path: &std::path::Path, plan: &Plan) {
    // They are a help; where they are damaged they are left out.
    let Ok(bytes) = fs::read(path) else { return };
    let read = unseal(facts::KIND, &bytes).and_then(|body| Facts::<N>::read(&body, plan.game.vertices()));
    read.into_iter().flat_map(|facts| facts.list).for_each(|fact| pool.add(fact));
}

/// Chooses the jobs of the next round and writes everything down; the plan comes last, and with it the round counts.
fn plan_round<const N: usize>(
    folder: &Folder,
    plan: &mut Plan,
    mut tree: Tree,
    bench: &Workbench<N>,
    mut planned: Planned,
) -> Result<Planned, FarmError> {
    let wanted = tree.plan(plan.jobs, plan.certain, &mut Prober::new(bench, &Limits::none()));
    planned.positions = tree.nodes().len();
    planned.decided = match tree.root() {
        State::Won => Some(Verdict::Won),
        State::Held(_) => Some(Verdict::Held),
        State::Open(_) => None,
    };
    let number = plan.round + 1;
    let mut jobs = Vec::new();
    for Wanted { leaf, spare } in wanted {
        plan.planned += 1;
        let (old, id) = (tree.nodes()[leaf as usize].job, plan.planned);
        // What an unfinished job has written down goes on under its new number.
        if old > 0 {
            let _ = fs::rename(folder.checkpoint(old), folder.checkpoint(id));
        }
        tree.assign(leaf, id);
        let stones = tree.nodes()[leaf as usize].stones;
        jobs.push(Job { id, stones, budget: plan.budget_of(number), limit: tree.limit(leaf), spare });
    }
    plan.round = number;
    let round = Round { number, jobs };
    folder.write(&folder.tree(), "tree", &tree.body())?;
    folder.write(&folder.round(number), "jobs", &round.body())?;
    let path = folder.table();
    whole_file::write(&path, table(folder, &round).as_bytes()).map_err(FarmError::file(&path))?;
    folder.write(&folder.plan(), "plan", &plan.body())?;
    planned.round = Some(round).filter(|round| !round.jobs.is_empty());
    Ok(planned)
}
