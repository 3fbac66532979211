//! A worker: does jobs, one after the other, and keeps what it learned from one to the next.
//!
//! A job that has a result is done at once. Before each job the worker takes over what others have learned since; while it
//! runs, what its tables know is written down every few minutes, and when it is asked to stop. What comes out is checked
//! before it is written: a search that was misled by a false fact has no proof, and is done again without any.

use super::error::FarmError;
use super::facts::{self, Facts, Pool};
use super::folder::{Folder, worker_name};
use super::plan::{Job, Plan, Round};
use super::prober::{Asked, Prober, workbench};
use super::result::{self, JobResult, Verdict, rest_of, zone_of};
use super::sealed::unseal;
use super::tree::{State, Tree, to_move};
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
use ahash::AHashMap;
use harary_certificate::playbook::Playbook;
use harary_certificate::{Cell, Certificate, Claim, NotProved, Player, Rule, Stones, WideSet, whole_file};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What a worker may use.
#[derive(Clone, Debug)]
pub struct Manner {
    /// Threads of one job.
    pub threads: usize,
    /// Bytes for tables.
    pub memory: usize,
    /// How often what is known is written down.
    pub checkpoint: Duration,
    /// Ends when it says so.
    pub limits: Limits,
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
    /// Nobody needs it any more: other results have decided what it was for.
    Needless,
    /// Another process is at it.
    Taken,
    /// It was asked to stop, and wrote down how far it is.
    Stopped,
}

/// Told of each job as it ends: its number, how it ended, and the nodes it took.
pub type Told<'a> = &'a mut dyn FnMut(u32, Ended, u64);

/// Does these jobs of a round. True if all of them are done.
pub fn run(
    folder: &Folder,
    plan: &Plan,
    round: &Round,
    ids: &[u32],
    manner: &Manner,
    told: Told,
) -> Result<bool, FarmError> {
    with_width!(plan.game.vertices(), N => run_in::<N>(folder, plan, round, ids, manner, told))
}

fn run_in<const N: usize>(
    folder: &Folder,
    plan: &Plan,
    round: &Round,
    ids: &[u32],
    manner: &Manner,
    told: Told,
) -> Result<bool, FarmError> {
    // A copy of the folder may lack those that were empty.
    folder.make()?;
    let mut worker = Worker::<N>::new(folder, plan, round, manner)?;
    let ids = worker.in_order(ids);
    let mut all = true;
    for id in ids {
        let (ended, nodes) = worker.job(round.job(id)?)?;
        told(id, ended, nodes);
        all &= !matches!(ended, Ended::Taken | Ended::Stopped);
        if ended == Ended::Stopped {
            return Ok(false);
        }
    }
    Ok(all)
}

/// A worker of one game.
struct Worker<'a, const N: usize> {
    folder: &'a Folder,
    plan: &'a Plan,
    round: &'a Round,
    manner: &'a Manner,
    bench: Workbench<N>,
    /// What was learned from files, so that it is not sent back.
    learned: Pool<N>,
    /// The results that were looked at.
    seen: BTreeSet<u32>,
    tree: Tree,
    /// Which leaf of the tree a job is for.
    leaves: AHashMap<u32, u32>,
    /// The results that the tree knows of.
    grafted: BTreeSet<u32>,
    /// The jobs of the round that have a result, and their nodes where we have looked.
    done: BTreeMap<u32, Option<u64>>,
}

/// What a job found, in its own words.
struct Proof {
    verdict: Verdict,
    reply: Option<Cell>,
    zone: WideSet,
    certificate: Certificate,
}

/// Why there is no proof of what was found.
enum Unproved {
    /// The numbers of the position have reached the job's limit.
    Open(Numbers),
    Halt,
    Failed(FarmError),
}

impl<'a, const N: usize> Worker<'a, N> {
    fn new(
        folder: &'a Folder,
        plan: &'a Plan,
        round: &'a Round,
        manner: &'a Manner,
    ) -> Result<Worker<'a, N>, FarmError> {
        let path = folder.tree();
        let tree = Tree::read(&folder.unsealed(&path, "tree")?, &plan.game).map_err(FarmError::damaged(&path))?;
        let mut worker = Worker {
            folder,
            plan,
            round,
            manner,
            bench: workbench(&plan.game, manner.memory, manner.threads),
            learned: Pool::default(),
            seen: BTreeSet::new(),
            leaves: tree.jobs(),
            tree,
            grafted: BTreeSet::new(),
            done: BTreeMap::new(),
        };
        if manner.facts {
            worker.learn(&folder.facts(round.number));
        }
        Ok(worker)
    }

    /// The jobs in the order they are done in: as they are wanted, but those of the worker's own part first.
    fn in_order(&self, ids: &[u32]) -> Vec<u32> {
        let Some(Part { number, of }) = self.manner.part else { return ids.to_vec() };
        let places = self.tree.order();
        let place = |id: &u32| self.leaves.get(id).map_or(u32::MAX, |leaf| places[*leaf as usize]);
        let mut near = ids.to_vec();
        near.sort_by_key(place);
        let own = &near[near.len() * number / of..near.len() * (number + 1) / of];
        let mut ids = ids.to_vec();
        ids.sort_by_cached_key(|id| (self.round.job(*id).is_ok_and(|job| job.spare), !own.contains(id)));
        ids
    }

    /// Takes over the facts of a file, if it is there and whole: they are a help, nothing depends on them. The nodes they
    /// were found with.
    fn learn(&mut self, path: &Path) -> u64 {
        let Ok(bytes) = fs::read(path) else { return 0 };
        let read = unseal(facts::KIND, &bytes).and_then(|body| Facts::<N>::read(&body, self.plan.game.vertices()));
        let Ok(Facts { spent, list }) = read else { return 0 };
        for fact in list {
            self.bench.learn(&fact);
            self.learned.add(fact);
        }
        spent
    }

    /// What others have left since the last look.
    fn look_around(&mut self) -> Result<(), FarmError> {
        let first = self.round.ids().map_or(0, |(first, _)| first);
        let results: Vec<_> = self.folder.results()?.into_iter().filter(|(job, _)| *job >= first).collect();
        let old = results.len().saturating_sub(NEWEST);
        for (place, (job, verdict)) in results.into_iter().enumerate() {
            self.done.entry(job).or_default();
            if self.manner.facts && place >= old && self.seen.insert(job) {
                self.learn(&self.folder.learned(job));
            }
            if verdict != Verdict::Open
                && self.grafted.insert(job)
                && let Some(leaf) = self.leaves.get(&job)
                && let Some(result) =
                    fs::read(self.folder.result(job, verdict)).ok().and_then(|b| JobResult::read(&b).ok())
            {
                let state = if verdict == Verdict::Won { State::Won } else { State::Held(result.zone) };
                self.tree.graft(*leaf, state, result.reply, false);
            }
        }
        Ok(())
    }

    /// Whether a job is still work: its leaf matters, and if it is spare, others are not through with those that are not, or
    /// the round has hardly begun.
    fn is_needed(&mut self, job: &Job) -> bool {
        let needed = self.tree.needed();
        let matters = |job: &Job| self.leaves.get(&job.id).is_none_or(|leaf| needed[*leaf as usize]);
        let waited_for = |other: &Job| !other.spare && !self.done.contains_key(&other.id) && matters(other);
        if !matters(job) || !job.spare || self.round.jobs.iter().any(waited_for) {
            return matters(job);
        }
        let enough = job.budget.saturating_mul(SPARE * self.plan.workers as u64);
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

    fn job(&mut self, job: &Job) -> Result<(Ended, u64), FarmError> {
        let before =
            |folder: &Folder| Verdict::ALL.into_iter().find(|verdict| folder.result(job.id, *verdict).is_file());
        if let Some(verdict) = before(self.folder) {
            return Ok((Ended::Before(verdict), 0));
        }
        if self.manner.limits.stopped() {
            return Ok((Ended::Stopped, 0));
        }
        let Some(_lock) = self.folder.lock_job(job.id)? else { return Ok((Ended::Taken, 0)) };
        // It may have been done while we waited for a look at the lock.
        if let Some(verdict) = before(self.folder) {
            return Ok((Ended::Before(verdict), 0));
        }
        self.look_around()?;
        if !self.is_needed(job) {
            return Ok((Ended::Needless, 0));
        }
        let began = Clock::now();
        let checkpoint = self.folder.checkpoint(job.id);
        let spent = self.learn(&checkpoint);
        let limits = self.manner.limits.part(Some(job.budget.saturating_sub(spent).max(1)));
        let before = self.manner.limits.counted();
        let nodes = |manner: &Manner| spent + manner.limits.counted() - before;
        let found = self.watched(&checkpoint, spent, before, |bench| {
            settle(bench, job, &self.manner.limits, &limits, self.manner.threads)
        });
        let found = match found {
            Err(Unproved::Failed(error)) if !matches!(error, FarmError::File { .. }) => {
                // What was learned may be false: once more, with nothing but what is found here.
                self.bench = workbench(&self.plan.game, self.manner.memory, self.manner.threads);
                (self.learned, self.seen) = (Pool::default(), BTreeSet::new());
                let limits = self.manner.limits.part(Some(job.budget));
                settle(&self.bench, job, &self.manner.limits, &limits, self.manner.threads)
            }
            found => found,
        };
        let stopped = self.manner.limits.stopped();
        let (proof, numbers, nodes) = match found {
            Ok(proof) => (Some(proof), None, nodes(self.manner)),
            Err(Unproved::Open(numbers)) => (None, Some(numbers), nodes(self.manner)),
            Err(Unproved::Halt) if stopped => {
                let nodes = nodes(self.manner);
                write_facts(self.folder, &checkpoint, nodes, self.bench.facts(CHECKPOINT))?;
                return Ok((Ended::Stopped, nodes));
            }
            Err(Unproved::Halt) => (None, None, nodes(self.manner)),
            Err(Unproved::Failed(error)) => return Err(error),
        };
        let verdict = self.write(job, proof, numbers, nodes, &began)?;
        // The checkpoint is of no more use. If it stays it does no harm.
        let _ = fs::remove_file(&checkpoint);
        Ok((Ended::Done(verdict), nodes))
    }

    /// Does `work` while what the tables know is written down now and then.
    fn watched<T>(&self, checkpoint: &Path, spent: u64, before: u64, work: impl FnOnce(&Workbench<N>) -> T) -> T {
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let watch = scope.spawn(|| {
                loop {
                    std::thread::park_timeout(self.manner.checkpoint);
                    if done.load(Ordering::Acquire) {
                        break;
                    }
                    let nodes = spent + self.manner.limits.counted() - before;
                    // A checkpoint that cannot be written is no reason to stop; the next one may be.
                    let _ = write_facts(self.folder, checkpoint, nodes, self.bench.facts(CHECKPOINT));
                }
            });
            let result = work(&self.bench);
            done.store(true, Ordering::Release);
            watch.thread().unpark();
            result
        })
    }

    /// Writes a result: the facts, the certificate, and last of all what makes it one.
    fn write(
        &mut self,
        job: &Job,
        proof: Option<Proof>,
        numbers: Option<Numbers>,
        nodes: u64,
        began: &Clock,
    ) -> Result<Verdict, FarmError> {
        let new: Vec<Fact<N>> =
            self.bench.facts(4 * self.plan.facts).into_iter().filter(|fact| !self.learned.has(fact)).collect();
        let mut pool = Pool::default();
        new.into_iter().for_each(|fact| pool.add(fact));
        let list = pool.into_list(self.plan.facts);
        // What was sent once need not be sent again with the next job.
        list.iter().for_each(|fact| self.learned.add(*fact));
        self.seen.insert(job.id);
        write_facts(self.folder, &self.folder.learned(job.id), nodes, list)?;
        let stones = job.stones;
        let numbers = numbers.unwrap_or_else(|| {
            Prober::new(&self.bench, &Limits::none()).numbers(stones.resized(), self.plan.game.vertices())
        });
        let (verdict, reply) = proof.as_ref().map_or((Verdict::Open, None), |proof| (proof.verdict, proof.reply));
        let (mut certificate, mut zone) = (None, WideSet::EMPTY);
        if let Some(mut proof) = proof {
            let path = self.folder.certificate(job.id);
            let packed = proof.certificate.reader().and_then(|text| zstd::encode_all(text, ZSTD_LEVEL));
            let packed = packed.map_err(FarmError::file(&path))?;
            whole_file::write(&path, &packed).map_err(FarmError::file(&path))?;
            certificate = Some(blake3::hash(&packed).to_hex().to_string());
            zone = proof.zone;
        }
        let now = Clock::now();
        let result = JobResult {
            of: self.plan.name(),
            job: job.id,
            round: self.round.number,
            stones,
            verdict,
            numbers,
            reply,
            zone,
            nodes,
            budget: job.budget,
            began: began.wall,
            ended: now.wall,
            processor: now.processor.saturating_sub(began.processor),
            worker: worker_name(),
            certificate,
        };
        self.folder.write(&self.folder.result(job.id, verdict), result::KIND, &result.body())?;
        Ok(verdict)
    }
}

/// How hard zstd tries: most certificates of jobs are small, and read once.
const ZSTD_LEVEL: i32 = 3;

/// Nodes for writing a proof down: so many times the budget, or at least so many.
const PROOF: u64 = 20;
const LEAST_PROOF: u64 = 1_000_000;

/// Spare jobs are done until a round has come to the budgets of so many jobs for each worker: a round costs a master's turn and
/// waits for its last job, so it should not be over at once.
const SPARE: u64 = 2;

/// Results of this round whose facts a worker takes over at most.
const NEWEST: usize = 1000;

/// Facts of a checkpoint at most.
const CHECKPOINT: usize = 200_000;

fn write_facts<const N: usize>(folder: &Folder, path: &Path, spent: u64, list: Vec<Fact<N>>) -> Result<(), FarmError> {
    folder.write(path, facts::KIND, &Facts { spent, list }.body())
}

/// Decides a job's position and proves it.
fn settle<const N: usize>(
    bench: &Workbench<N>,
    job: &Job,
    whole: &Limits,
    limits: &Limits,
    threads: usize,
) -> Result<Proof, Unproved> {
    let stones: Stones<N> = job.stones.resized();
    let found = find_together(bench, stones, job.limit, limits, threads).map_err(|Halt| Unproved::Halt)?;
    // Writing the proof down may take longer than the budget, but not for ever: a false fact may have led into a position
    // that nobody can prove. Such a job stays open, and is split.
    let proving = whole.part(Some(job.budget.saturating_mul(PROOF).max(LEAST_PROOF)));
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
    stones: Stones<N>,
    limit: Numbers,
    limits: &Limits,
    threads: usize,
) -> Result<Finding<N>, Halt> {
    let part = limits.part(None);
    let search = || {
        let found = Prober::new(bench, &part).find(stones, limit);
        part.stop();
        found
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(search)).collect();
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

/// The time of day and of the processor, in milliseconds.
struct Clock {
    wall: u64,
    processor: u64,
}

impl Clock {
    fn now() -> Clock {
        let wall = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
        let processor = nix::time::ClockId::CLOCK_PROCESS_CPUTIME_ID.now();
        let processor = processor.map_or(0, |time| Duration::from(time).as_millis() as u64);
        Clock { wall, processor }
    }
}
