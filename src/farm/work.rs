//! A worker: does jobs, one after the other, and keeps what it learned from one to the next. The workers of one process share
//! their tables.
//!
//! A job that has a result is done at once. Before each job the worker takes over what others have learned since; while it
//! runs, what its tables know is written down every few minutes, and when it is asked to stop. A job that nobody needs any
//! more, because of what others have found, is broken off. What comes out is checked before it is written: a search that was
//! misled by a false fact has no proof, and is done again without any.

use super::desk::Desk;
use super::error::FarmError;
use super::facts::{self, Facts};
use super::folder::{Folder, worker_name};
use super::lookout::Lookout;
use super::plan::{Job, Plan, Round};
use super::prober::{Asked, Prober};
use super::processor::{Processor, now};
use super::result::{self, JobResult, Verdict, rest_of, zone_of};
use super::tree::to_move;
use crate::effort::{Halt, Limits};
use crate::engines::engine::Engine;
use crate::engines::facts::Fact;
use crate::engines::maker_breaker::Finding;
use crate::engines::numbers::Numbers;
use crate::evidence::Evidence;
use crate::evidence::blocker::Blocker;
use crate::evidence::opened::strongly;
use crate::evidence::strategy::{ProofError, prove};
use crate::evidence::strong::StrongBlocks;
use crate::game::position::Arena;
use crate::game::{Game, with_width};
use crate::settle::certify;
use crate::settle::workbench::Workbench;
use harary_certificate::playbook::Playbook;
use harary_certificate::{Cell, Certificate, Claim, NotProved, Player, Rule, Stones, WideSet, whole_file};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// What a worker may use.
#[derive(Clone, Debug)]
pub struct Manner {
    /// Threads of one job.
    pub threads: usize,
    /// Bytes for tables.
    pub memory: usize,
    /// How often what is known is written down.
    pub checkpoint: Duration,
    /// Set when it should end.
    pub stop: Arc<AtomicBool>,
    /// Whether to take over what others have learned.
    pub facts: bool,
    /// Which part of the jobs to begin with.
    pub part: Option<Part>,
}

/// One of so many parts of the jobs of a round. Positions that come from the same moves have much in common, and two workers
/// who search them side by side do the same work twice; so each begins with a part of the tree of his own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Counted from 0.
    pub number: usize,
    /// How many there are.
    pub of: usize,
}

/// How a job ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// It has a result now.
    Done(Verdict),
    /// It had one before.
    Before(Verdict),
    /// Nobody needs it any more: other results have decided what it was for. If it took nodes it was broken off, and has a result
    /// that says how far it is.
    Needless,
    /// Another process is at it.
    Taken,
    /// It was asked to stop, and wrote down how far it is.
    Stopped,
}

/// Told of each job as it ends: its number, how it ended, and the nodes it took.
pub type Told<'a> = &'a mut dyn FnMut(u32, Ended, u64);

/// Somebody who does jobs of one game, round after round, and keeps his tables.
pub trait Hand: Send {
    /// Does these jobs of a round. True if all of them are done.
    fn work(&mut self, round: &Round, ids: &[u32], told: Told) -> Result<bool, FarmError>;
}

/// A worker for the game of this plan.
pub fn hand(folder: &Folder, plan: &Plan, manner: Manner) -> Result<Box<dyn Hand>, FarmError> {
    // A copy of the folder may lack those that were empty.
    folder.make()?;
    Ok(with_width!(plan.game.vertices(), N => {
        let desk = Desk::new(&plan.game, manner.memory, manner.threads);
        Box::new(Worker::<N>::new(folder, plan, manner, Arc::new(desk)))
    }))
}

/// So many workers for the game of this plan, who share their tables and the memory; each begins with a part of his own.
pub fn hands(folder: &Folder, plan: &Plan, manner: &Manner, workers: usize) -> Result<Vec<Box<dyn Hand>>, FarmError> {
    folder.make()?;
    Ok(with_width!(plan.game.vertices(), N => {
        let desk = Arc::new(Desk::new(&plan.game, manner.memory, manner.threads * workers));
        let worker = |number| -> Box<dyn Hand> {
            let (part, memory) = (Some(Part { number, of: workers }), manner.memory / workers);
            let manner = Manner { part, memory, ..manner.clone() };
            Box::new(Worker::<N>::new(folder, plan, manner, desk.clone()))
        };
        (0..workers).map(worker).collect()
    }))
}

/// All of them do jobs of a round, each on a thread of his own, until there are none left. True if all jobs are done.
pub fn work_together(hands: &mut [Box<dyn Hand>], round: &Round, told: Told) -> Result<bool, FarmError> {
    let ids: Vec<u32> = round.jobs.iter().map(|job| job.id).collect();
    std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        let mut working = Vec::new();
        for hand in &mut *hands {
            let (sender, ids) = (sender.clone(), &ids);
            // Nobody stops listening before all have gone.
            let mut tell = move |job, ended, nodes| sender.send((job, ended, nodes)).unwrap_or_default();
            working.push(scope.spawn(move || hand.work(round, ids, &mut tell)));
        }
        drop(sender);
        receiver.iter().for_each(|(job, ended, nodes)| told(job, ended, nodes));
        let ends = working.into_iter().map(|hand| hand.join().unwrap_or_else(|p| std::panic::resume_unwind(p)));
        ends.collect::<Vec<_>>().into_iter().try_for_each(|end| end.map(drop))
    })?;
    // Each has passed by the jobs of the others. By now they are done, unless somebody elsewhere is at one.
    let Some(first) = hands.first_mut() else { return Ok(true) };
    first.work(round, &ids, &mut |job, ended, nodes| {
        if !matches!(ended, Ended::Before(_) | Ended::Needless) {
            told(job, ended, nodes);
        }
    })
}

/// A worker of one game.
struct Worker<const N: usize> {
    folder: Folder,
    plan: Plan,
    manner: Manner,
    /// Nodes are counted for each worker.
    limits: Limits,
    desk: Arc<Desk<N>>,
    /// The round that was done last, and its first job.
    last: Option<(u32, u32)>,
}

/// What a job found, in its own words.
struct Proof {
    verdict: Verdict,
    reply: Option<Cell>,
    zone: WideSet,
    certificate: Certificate,
}

/// What is known of a job that is left open: how far it is, if it came to an end by itself.
struct LeftOpen {
    numbers: Option<Numbers>,
    broken_off: bool,
}

/// Why there is no proof of what was found.
enum Unproved {
    /// The numbers of the position have reached the job's limit.
    Open(Numbers),
    Halt,
    Failed(FarmError),
}

impl<const N: usize> Hand for Worker<N> {
    fn work(&mut self, round: &Round, ids: &[u32], told: Told) -> Result<bool, FarmError> {
        let mut lookout = Lookout::new(&self.folder, &self.plan, round)?;
        let first = round.ids().map_or(0, |(first, _)| first);
        match self.last {
            Some((before, _)) if before == round.number => {}
            _ if !self.manner.facts => {}
            // Who did the round before has most of its facts; the others came after his last look.
            Some((before, begun)) if before + 1 == round.number => {
                let results = self.folder.results()?;
                let jobs = results.into_iter().map(|(job, _)| job).filter(|job| (begun..first).contains(job));
                self.desk.take_decided(&self.folder, jobs);
            }
            _ => {
                self.desk.take(&self.folder.facts(round.number));
            }
        }
        let mut all = true;
        for id in in_order(ids, self.manner.part, &lookout) {
            let (ended, nodes) = self.job(round.job(id)?, &mut lookout)?;
            told(id, ended, nodes);
            all &= !matches!(ended, Ended::Taken | Ended::Stopped);
            if ended == Ended::Stopped {
                return Ok(false);
            }
        }
        self.last = Some((round.number, first));
        Ok(all)
    }
}

/// The jobs in the order they are done in: as they are wanted, but those of the worker's own part first.
fn in_order(ids: &[u32], part: Option<Part>, lookout: &Lookout) -> Vec<u32> {
    let Some(Part { number, of }) = part else { return ids.to_vec() };
    let mut near = ids.to_vec();
    lookout.by_place(&mut near);
    let own = &near[near.len() * number / of..near.len() * (number + 1) / of];
    let mut ids = ids.to_vec();
    ids.sort_by_cached_key(|id| (lookout.is_spare(*id), !own.contains(id)));
    ids
}

impl<const N: usize> Worker<N> {
    fn new(folder: &Folder, plan: &Plan, manner: Manner, desk: Arc<Desk<N>>) -> Worker<N> {
        let limits = Limits::new(None, None, manner.stop.clone());
        Worker { folder: folder.clone(), plan: plan.clone(), manner, limits, desk, last: None }
    }

    fn job(&mut self, job: &Job, lookout: &mut Lookout) -> Result<(Ended, u64), FarmError> {
        let before =
            |folder: &Folder| Verdict::ALL.into_iter().find(|verdict| folder.result(job.id, *verdict).is_file());
        if let Some(verdict) = before(&self.folder) {
            return Ok((Ended::Before(verdict), 0));
        }
        if self.limits.stopped() {
            return Ok((Ended::Stopped, 0));
        }
        let Some(_lock) = self.folder.lock_job(job.id)? else { return Ok((Ended::Taken, 0)) };
        // It may have been done while we waited for a look at the lock.
        if let Some(verdict) = before(&self.folder) {
            return Ok((Ended::Before(verdict), 0));
        }
        lookout.look()?;
        if self.manner.facts {
            self.desk.take_decided(&self.folder, lookout.newest());
        }
        if !lookout.needs(job) {
            return Ok((Ended::Needless, 0));
        }
        let processor = Processor::begin();
        let checkpoint = self.folder.checkpoint(job.id);
        let spent = self.desk.take(&checkpoint);
        let limits = self.limits.part(Some(job.budget.saturating_sub(spent).max(1)));
        let before = self.limits.counted();
        let found = self
            .watched(job, lookout, &limits, spent, |bench, threads| settle(bench, job, &limits, threads, &processor));
        let found = match found {
            Err(Unproved::Failed(error)) if !matches!(error, FarmError::File { .. }) => {
                // What was learned may be false: once more, with nothing but what is found here, and away from the others.
                let Manner { memory, threads, .. } = self.manner;
                (self.desk, self.last) = (Arc::new(Desk::new(&self.plan.game, memory, threads)), None);
                let limits = self.limits.part(Some(job.budget));
                settle(&self.desk.bench, job, &limits, self.manner.threads, &processor)
            }
            found => found,
        };
        let (stopped, nodes) = (self.limits.stopped(), spent + self.limits.counted() - before);
        let found = match found {
            Ok(proof) => Ok(proof),
            Err(Unproved::Open(numbers)) => Err(LeftOpen { numbers: Some(numbers), broken_off: false }),
            Err(Unproved::Halt) if stopped => {
                write_facts(&self.folder, &checkpoint, nodes, self.desk.bench.facts(CHECKPOINT))?;
                return Ok((Ended::Stopped, nodes));
            }
            Err(Unproved::Halt) => Err(LeftOpen { numbers: None, broken_off: limits.stopped() }),
            Err(Unproved::Failed(error)) => return Err(error),
        };
        let broken_off = matches!(found, Err(LeftOpen { broken_off: true, .. }));
        let verdict = self.write(job, lookout.round.number, found, nodes, &processor)?;
        // The checkpoint is of no more use. If it stays it does no harm.
        let _ = fs::remove_file(&checkpoint);
        Ok((if broken_off { Ended::Needless } else { Ended::Done(verdict) }, nodes))
    }

    /// Does `work` while what the tables know is written down now and then. The job is broken off when nobody needs it any
    /// more.
    fn watched<T>(
        &mut self,
        job: &Job,
        lookout: &mut Lookout,
        limits: &Limits,
        spent: u64,
        work: impl FnOnce(&Workbench<N>, usize) -> T,
    ) -> T {
        let Worker { folder, desk, manner, limits: own, .. } = self;
        let (checkpoint, before) = (folder.checkpoint(job.id), own.counted());
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let watch = scope.spawn(|| {
                let (mut written, mut pause) = (Instant::now(), LOOK);
                loop {
                    std::thread::park_timeout(pause.min(manner.checkpoint));
                    if done.load(Ordering::Acquire) {
                        break;
                    }
                    let looked = Instant::now();
                    if lookout.look().is_ok() && !lookout.needs(job) {
                        limits.stop();
                    }
                    if manner.facts {
                        desk.take_decided(folder, lookout.newest());
                    }
                    pause = LOOK.max(looked.elapsed() * SELDOM);
                    if written.elapsed() >= manner.checkpoint {
                        let nodes = spent + own.counted() - before;
                        // A checkpoint that cannot be written is no reason to stop; the next one may be.
                        let _ = write_facts(folder, &checkpoint, nodes, desk.bench.facts(CHECKPOINT));
                        written = Instant::now();
                    }
                }
            });
            let result = work(&desk.bench, manner.threads);
            done.store(true, Ordering::Release);
            watch.thread().unpark();
            result
        })
    }

    /// Writes a result: the facts, the certificate, and last of all what makes it one.
    fn write(
        &mut self,
        job: &Job,
        round: u32,
        found: Result<Proof, LeftOpen>,
        nodes: u64,
        processor: &Processor,
    ) -> Result<Verdict, FarmError> {
        let list = self.desk.tell(job.id, self.plan.facts);
        write_facts(&self.folder, &self.folder.learned(job.id), nodes, list)?;
        let stones = job.stones;
        let mut result = JobResult {
            of: self.plan.name(),
            job: job.id,
            round,
            stones,
            verdict: Verdict::Open,
            numbers: Prober::new(&self.desk.bench, &Limits::none())
                .numbers(stones.resized(), self.plan.game.vertices()),
            reply: None,
            zone: WideSet::EMPTY,
            broken_off: false,
            nodes,
            budget: job.budget,
            began: processor.began,
            ended: 0,
            processor: 0,
            worker: worker_name(),
            certificate: None,
        };
        match found {
            Ok(mut proof) => {
                let path = self.folder.certificate(job.id);
                let packed = proof.certificate.reader().and_then(|text| zstd::encode_all(text, ZSTD_LEVEL));
                let packed = packed.map_err(FarmError::file(&path))?;
                whole_file::write(&path, &packed).map_err(FarmError::file(&path))?;
                result.certificate = Some(blake3::hash(&packed).to_hex().to_string());
                (result.verdict, result.reply, result.zone) = (proof.verdict, proof.reply, proof.zone);
            }
            Err(LeftOpen { numbers, broken_off }) => {
                result.numbers = numbers.unwrap_or(result.numbers);
                result.broken_off = broken_off;
            }
        }
        (result.ended, result.processor) = (now(), processor.spent());
        self.folder.write(&self.folder.result(job.id, result.verdict), result::KIND, &result.body())?;
        Ok(result.verdict)
    }
}

/// How hard zstd tries: most certificates of jobs are small, and read once.
const ZSTD_LEVEL: i32 = 3;

/// Nodes for writing a proof down: so many times the budget, or at least so many.
const PROOF: u64 = 20;
const LEAST_PROOF: u64 = 1_000_000;

/// How often a worker looks whether its job is still needed, at most. A folder in which a look takes long is looked at more
/// seldom: so many times what the look took.
const LOOK: Duration = Duration::from_millis(500);
const SELDOM: u32 = 50;

/// Facts of a checkpoint at most.
const CHECKPOINT: usize = 200_000;

fn write_facts<const N: usize>(folder: &Folder, path: &Path, spent: u64, list: Vec<Fact<N>>) -> Result<(), FarmError> {
    folder.write(path, facts::KIND, &Facts { spent, list }.body())
}

/// Decides a job's position and proves it.
fn settle<const N: usize>(
    bench: &Workbench<N>,
    job: &Job,
    limits: &Limits,
    threads: usize,
    processor: &Processor,
) -> Result<Proof, Unproved> {
    let found = find_together(bench, job, limits, threads, processor).map_err(|Halt| Unproved::Halt)?;
    // Writing the proof down may take longer than the budget, but not for ever: a false fact may have led into a position
    // that nobody can prove. Such a job stays open, and is split.
    let proving = limits.for_proof().part(Some(job.budget.saturating_mul(PROOF).max(LEAST_PROOF)));
    let mut prober = Prober::new(bench, &proving);
    let proved = match found {
        Finding::Won { .. } => won(bench, job, &mut prober, &proving),
        Finding::Held { .. } => held(bench, job, &mut prober, &proving),
        Finding::Open(numbers) => return Err(Unproved::Open(numbers)),
    };
    proved.map_err(|error| match error {
        FarmError::Proof(ProofError::Halt(Halt)) => Unproved::Halt,
        FarmError::NotProved(NotProved::Unwritten(error)) => {
            Unproved::Failed(FarmError::File { path: std::env::temp_dir(), source: error })
        }
        other => Unproved::Failed(other),
    })
}

/// Decides a position on several threads over the same tables; the first to know ends it.
fn find_together<const N: usize>(
    bench: &Workbench<N>,
    job: &Job,
    limits: &Limits,
    threads: usize,
    processor: &Processor,
) -> Result<Finding<N>, Halt> {
    let part = limits.part(None);
    let search = || {
        let found = Prober::new(bench, &part).find(job.stones.resized(), job.limit);
        part.stop();
        found
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(|| processor.add(search))).collect();
        let own = search();
        let joined =
            others.into_iter().map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        // One may have decided it while another reached the limit.
        joined.fold(own, |known, found| match known {
            Ok(Finding::Open(_)) | Err(Halt) => found.or(known),
            decided => decided,
        })
    })
}

/// Black's win from a job's position.
fn won<const N: usize>(
    bench: &Workbench<N>,
    job: &Job,
    prober: &mut Prober<N>,
    limits: &Limits,
) -> Result<Proof, FarmError> {
    let rest = rest(&bench.game, job, None)?;
    let arena = Arena::<N>::new(&rest);
    let strategy = prove(&rest, &arena, &mut Asked(prober), Claim::Win(rest.schedule().len()), limits)?;
    let certificate = certify(&rest, Box::new(strategy))?;
    Ok(Proof { verdict: Verdict::Won, reply: None, zone: WideSet::EMPTY, certificate })
}

/// White's hold of a job's position: if she is to move, her reply and the hold after it.
fn held<const N: usize>(
    bench: &Workbench<N>,
    job: &Job,
    prober: &mut Prober<N>,
    limits: &Limits,
) -> Result<Proof, FarmError> {
    let reply = match to_move(&job.stones) {
        Player::Black => None,
        Player::White => {
            Some(prober.holding_move(job.stones.resized(), usize::MAX).map_err(ProofError::from)?.ok_or_else(|| {
                let Stones { black, white } = job.stones;
                ProofError::Contradiction { black: black.to_string(), white: white.to_string() }
            })?)
        }
    };
    let rest = rest(&bench.game, job, reply)?;
    let arena = Arena::<N>::new(&rest.weak());
    let evidence: Box<dyn Evidence> = match rest.rule() {
        Rule::Weak => Blocker::new(&rest, &arena).block_by(&mut Asked(prober), limits).map_err(ProofError::from)?,
        Rule::Strong => {
            let mut blocks = StrongBlocks::new(&rest, &arena, bench.maker_breaker(limits), limits);
            strongly(&rest, &mut blocks, &mut Asked(prober)).map_err(ProofError::from)?
        }
    };
    let mut certificate = certify(&rest, evidence)?;
    let unread = |error| FarmError::NotProved(NotProved::Unwritten(error));
    let playbook = Playbook::open(certificate.reader().map_err(unread)?).map_err(NotProved::from)?;
    Ok(Proof { verdict: Verdict::Held, reply, zone: zone_of(&playbook, &rest, reply), certificate })
}

fn rest(game: &Game, job: &Job, reply: Option<Cell>) -> Result<Game, FarmError> {
    rest_of(game, &job.stones, reply).map_err(FarmError::damaged(Path::new("the job's position")))
}
