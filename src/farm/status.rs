//! How far a farm is, and what its workers did: nodes, time, work that came to nothing, time without work.
//!
//! Results say when a job began and ended and how much processor time it took. At every moment so many jobs were under way;
//! as many *slots* there were at the most, and each job is put into the first slot that is free when it begins. A slot stands for a
//! worker: between its jobs it is idle.

use super::error::FarmError;
use super::folder::Folder;
use super::plan::{Plan, Round};
use super::result::{JobResult, Verdict};
use ahash::AHashMap;
use std::fs;

/// A round, as its results tell.
#[derive(Clone, Debug, Default)]
pub struct RoundStatus {
    /// Counted from 1.
    pub number: u32,
    /// Its jobs.
    pub jobs: usize,
    /// With a result: Black wins, White holds, open.
    pub won: usize,
    /// White holds.
    pub held: usize,
    /// The budget was spent first.
    pub open: usize,
    /// Without a result.
    pub missing: usize,
    /// Results that cannot be read.
    pub damaged: usize,
    /// What the workers did.
    pub labour: Labour,
}

/// What workers did.
#[derive(Clone, Debug, Default)]
pub struct Labour {
    /// Nodes searched.
    pub nodes: u64,
    /// Of these, of jobs that stayed open: their facts are all that is left of them.
    pub open_nodes: u64,
    /// Processor time, in milliseconds.
    pub processor: u64,
    /// From the beginning of the first job to the end of the last, in milliseconds.
    pub span: u64,
    /// Jobs, nodes and milliseconds at work, of each worker.
    pub workers: Vec<Share>,
}

/// What one worker did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Share {
    /// Jobs.
    pub jobs: usize,
    /// Nodes.
    pub nodes: u64,
    /// Milliseconds at work.
    pub busy: u64,
    /// When its last job ended.
    until: u64,
}

impl Labour {
    /// What these jobs took.
    pub fn of(results: &[JobResult]) -> Labour {
        let mut order: Vec<&JobResult> = results.iter().collect();
        order.sort_unstable_by_key(|result| (result.began, result.ended, result.job));
        let mut labour = Labour::default();
        for result in order {
            labour.nodes += result.nodes;
            labour.open_nodes += if result.verdict == Verdict::Open { result.nodes } else { 0 };
            labour.processor += result.processor;
            let free = labour.workers.iter().position(|share| share.until <= result.began);
            let slot = free.unwrap_or_else(|| {
                labour.workers.push(Share::default());
                labour.workers.len() - 1
            });
            let share = &mut labour.workers[slot];
            share.jobs += 1;
            share.nodes += result.nodes;
            share.busy += result.ended.saturating_sub(result.began);
            share.until = result.ended;
        }
        let (first, last) = (results.iter().map(|r| r.began).min(), results.iter().map(|r| r.ended).max());
        labour.span = last.zip(first).map_or(0, |(last, first)| last.saturating_sub(first));
        labour
    }

    /// The share of the workers' time that they were at work, 0 to 1.
    pub fn busy_share(&self) -> f64 {
        let busy: u64 = self.workers.iter().map(|share| share.busy).sum();
        match self.span * self.workers.len() as u64 {
            0 => 1.0,
            all => busy as f64 / all as f64,
        }
    }

    /// Milliseconds that workers waited.
    pub fn idle(&self) -> u64 {
        let busy: u64 = self.workers.iter().map(|share| share.busy).sum();
        (self.span * self.workers.len() as u64).saturating_sub(busy)
    }

    /// How many times as fast as one worker that does the same jobs one after the other.
    pub fn speed_up(&self) -> f64 {
        self.workers.len() as f64 * self.busy_share()
    }
}

/// The results of a round that can be read. Nothing of them is checked.
pub fn results_of(folder: &Folder, round: &Round) -> Result<(Vec<JobResult>, usize), FarmError> {
    let known: AHashMap<u32, Verdict> = folder.results()?.into_iter().rev().collect();
    let (mut results, mut damaged) = (Vec::new(), 0);
    for job in &round.jobs {
        let Some(verdict) = known.get(&job.id) else { continue };
        let path = folder.result(job.id, *verdict);
        match fs::read(&path).ok().and_then(|bytes| JobResult::read(&bytes).ok()) {
            Some(result) if result.job == job.id => results.push(result),
            _ => damaged += 1,
        }
    }
    Ok((results, damaged))
}

/// All rounds.
pub fn status(folder: &Folder, plan: &Plan) -> Result<Vec<RoundStatus>, FarmError> {
    (1..=plan.round)
        .map(|number| {
            let round = folder.read_round(plan, number)?;
            let (results, damaged) = results_of(folder, &round)?;
            let count = |verdict| results.iter().filter(|result| result.verdict == verdict).count();
            let jobs = round.jobs.len();
            Ok(RoundStatus {
                number,
                jobs,
                won: count(Verdict::Won),
                held: count(Verdict::Held),
                open: count(Verdict::Open),
                missing: jobs - results.len() - damaged,
                damaged,
                labour: Labour::of(&results),
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::numbers::Numbers;
    use harary_certificate::Stones;

    #[test]
    fn jobs_are_given_to_the_first_free_worker() {
        let job = |job: u32, began: u64, ended: u64| JobResult {
            of: String::new(),
            job,
            round: 1,
            stones: Stones::NONE,
            verdict: if job == 3 { Verdict::Open } else { Verdict::Held },
            numbers: Numbers::UNIT,
            reply: None,
            zone: harary_certificate::WideSet::EMPTY,
            broken_off: false,
            nodes: 10,
            budget: 20,
            began,
            ended,
            processor: 5,
            worker: "host 1".to_owned(),
            certificate: None,
        };
        let labour = Labour::of(&[job(1, 0, 100), job(2, 10, 60), job(3, 60, 80), job(4, 100, 110)]);
        assert_eq!((labour.workers.len(), labour.span, labour.nodes, labour.open_nodes), (2, 110, 40, 10));
        assert_eq!((labour.workers[0].busy, labour.workers[1].busy, labour.idle()), (110, 70, 40));
        assert!((labour.speed_up() - 180.0 / 110.0).abs() < 1e-9);
    }
}
