//! All runs of a server: those that are kept, those that wait, and the threads that settle them one after the other.

use super::asked::{Asked, AskedError, Effort};
use super::guard::random;
use super::run::{FORMAT, Run, Seen, State, Verdict};
use super::store::{Loaded, Store};
use crate::atlas::by_law;
use crate::effort::{Limits, Progress};
use crate::settle::{Options, SettleError, Settled, settle};
use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use thiserror::Error;
use tokio::sync::watch;

/// So many runs may wait, of all visitors and of one.
const MOST_WAITING: usize = 32;
const MOST_WAITING_OF_ONE: usize = 8;
/// And so many are kept.
const MOST_KEPT: usize = 2000;
const MOST_KEPT_OF_ONE: usize = 200;
/// Counters of a run under way are kept this often; what it refutes is kept at once.
const PACE: Duration = Duration::from_secs(3);

/// Why a visitor does not get what he asks for.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RunError {
    /// The game.
    #[error(transparent)]
    Asked(#[from] AskedError),
    /// Too much of it.
    #[error("{0}")]
    TooMany(&'static str),
    /// Not there, or not his.
    #[error("there is no such run")]
    Unknown,
    /// Not now.
    #[error("{0}")]
    NotNow(&'static str),
    /// The disk.
    #[error("the run cannot be kept: {0}")]
    Unkept(String),
}

/// A run and what belongs to it while the server lives.
struct Entry {
    run: Run,
    /// Raised to end the search, and why.
    stop: Arc<AtomicBool>,
    stopped: Option<State>,
    /// Whoever watches is told of every change.
    changed: watch::Sender<()>,
}

impl Entry {
    fn new(run: Run) -> Entry {
        Entry { run, stop: Arc::default(), stopped: None, changed: watch::Sender::new(()) }
    }
}

#[derive(Default)]
struct Inner {
    entries: BTreeMap<String, Entry>,
    queue: VecDeque<String>,
    closing: bool,
}

/// The runs of a server.
pub struct Runs {
    inner: Mutex<Inner>,
    wake: Condvar,
    store: Store,
    /// What one run may cost at most.
    pub most: Effort,
}

impl Runs {
    /// Those of a folder; what was waiting waits again. The complaints are about files that are no runs.
    pub fn load(store: Store, most: Effort) -> std::io::Result<(Runs, Vec<String>)> {
        let Loaded { runs, complaints } = store.load()?;
        let mut inner = Inner::default();
        for run in runs {
            store.save(&run)?;
            if run.state == State::Queued {
                inner.queue.push_back(run.id.clone());
            }
            inner.entries.insert(run.id.clone(), Entry::new(run));
        }
        Ok((Runs { inner: Mutex::new(inner), wake: Condvar::new(), store, most }, complaints))
    }

    /// A panic elsewhere does not make the runs worse.
    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Puts a game at the end of the queue.
    pub fn ask(&self, owner: &str, asked: Asked, effort: Effort) -> Result<Run, RunError> {
        let title = asked.named()?.title();
        let effort = effort.capped(self.most);
        let made = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
        let run = Run {
            format: FORMAT,
            id: random::<8>(),
            owner: owner.to_owned(),
            asked,
            effort,
            title,
            state: State::Queued,
            made,
            seen: Seen::default(),
            verdict: None,
            remark: None,
        };
        let mut inner = self.inner();
        let own = |entry: &&Entry| entry.run.owner == owner;
        let waits = |entry: &&Entry| entry.run.state == State::Queued;
        let entries = || inner.entries.values();
        if inner.queue.len() >= MOST_WAITING || entries().filter(own).filter(waits).count() >= MOST_WAITING_OF_ONE {
            return Err(RunError::TooMany("too many runs are waiting; stop one, or come back later"));
        }
        if entries().count() >= MOST_KEPT || entries().filter(own).count() >= MOST_KEPT_OF_ONE {
            return Err(RunError::TooMany("too many runs are kept; forget some first"));
        }
        self.store.save(&run).map_err(|error| RunError::Unkept(error.to_string()))?;
        inner.queue.push_back(run.id.clone());
        inner.entries.insert(run.id.clone(), Entry::new(run.clone()));
        self.wake.notify_one();
        Ok(run)
    }

    /// A run of this visitor's; another's is as if it were not there.
    pub fn get(&self, owner: &str, id: &str) -> Result<Run, RunError> {
        Ok(self.inner().own(owner, id)?.run.clone())
    }

    /// How many runs are before this one.
    pub fn ahead(&self, id: &str) -> Option<usize> {
        self.inner().queue.iter().position(|waiting| waiting == id)
    }

    /// All runs of a visitor, the newest first.
    pub fn list(&self, owner: &str) -> Vec<Run> {
        let inner = self.inner();
        let own = inner.entries.values().filter(|entry| entry.run.owner == owner);
        let mut runs: Vec<Run> = own.map(|entry| entry.run.clone()).collect();
        runs.sort_by(|a, b| (b.made, &b.id).cmp(&(a.made, &a.id)));
        runs
    }

    /// Tells of every change of a run.
    pub fn watch(&self, owner: &str, id: &str) -> Result<watch::Receiver<()>, RunError> {
        Ok(self.inner().own(owner, id)?.changed.subscribe())
    }

    /// Where the certificate of a settled run lies.
    pub fn certificate(&self, owner: &str, id: &str) -> Result<(Run, PathBuf), RunError> {
        let run = self.get(owner, id)?;
        match run.state {
            State::Settled => Ok((run, self.store.certificate(id))),
            _ => Err(RunError::NotNow("the run is not settled: it has no certificate")),
        }
    }

    /// Ends a run, or takes it out of the queue.
    pub fn stop(&self, owner: &str, id: &str) -> Result<Run, RunError> {
        let mut inner = self.inner();
        let waiting = inner.own(owner, id)?.run.state == State::Queued;
        if waiting {
            inner.queue.retain(|other| other != id);
        }
        let entry = inner.own(owner, id)?;
        if waiting {
            entry.run.state = State::Stopped;
            self.store.save(&entry.run).map_err(|error| RunError::Unkept(error.to_string()))?;
        } else if entry.run.state == State::Running {
            entry.stopped = Some(State::Stopped);
            entry.stop.store(true, Ordering::Relaxed);
        }
        entry.changed.send_replace(());
        Ok(entry.run.clone())
    }

    /// Forgets a run that is over.
    pub fn forget(&self, owner: &str, id: &str) -> Result<(), RunError> {
        let mut inner = self.inner();
        if !inner.own(owner, id)?.run.state.is_over() {
            return Err(RunError::NotNow("the run is under way: stop it first"));
        }
        self.store.remove(id).map_err(|error| RunError::Unkept(error.to_string()))?;
        inner.entries.remove(id);
        Ok(())
    }

    /// Ends all work: what is under way is interrupted, what waits goes on waiting on the disk.
    pub fn close(&self) {
        let mut inner = self.inner();
        inner.closing = true;
        for entry in inner.entries.values_mut().filter(|entry| entry.run.state == State::Running) {
            entry.stopped = entry.stopped.or(Some(State::Interrupted));
            entry.stop.store(true, Ordering::Relaxed);
        }
        self.wake.notify_all();
    }

    /// What a thread of the engine does: one run after the other, until the server closes.
    pub fn work(&self) {
        while let Some((run, stop)) = self.next() {
            // A fault of the engine's costs the run, not the server.
            let settled = catch_unwind(AssertUnwindSafe(|| self.settle(&run, stop)));
            let ended = match settled {
                Ok(Ok(ended)) => Ok(ended),
                Ok(Err(reason)) => Err(reason),
                Err(_) => Err("the engine failed; this is a fault of the program's".to_owned()),
            };
            self.end(&run.id, ended);
        }
    }

    /// Waits for the next run.
    fn next(&self) -> Option<(Run, Arc<AtomicBool>)> {
        let mut inner = self.inner();
        loop {
            if inner.closing {
                return None;
            }
            if let Some(id) = inner.queue.pop_front() {
                let Some(entry) = inner.entries.get_mut(&id) else { continue };
                entry.run.state = State::Running;
                entry.changed.send_replace(());
                let taken = (entry.run.clone(), entry.stop.clone());
                drop(inner);
                // If it cannot be kept now, it is tried again with the first progress.
                let _ = self.store.save(&taken.0);
                return Some(taken);
            }
            inner = self.wake.wait(inner).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }

    /// Settles the game of a run; its certificate is kept before anybody hears of it.
    fn settle(&self, run: &Run, stop: Arc<AtomicBool>) -> Result<(Settled, Option<Verdict>), String> {
        let named = run.asked.named().map_err(|error| error.to_string())?;
        let limits = Limits::new(Some(run.effort.time()), None, stop);
        let options = Options { threads: run.effort.cores, memory: run.effort.bytes(), limits, ..Options::default() };
        let kept = Mutex::new(Instant::now());
        let observer = |progress: &Progress| self.progress(&run.id, progress, &kept);
        let by_law = match by_law::deduced(&named.game).filter(|deduced| deduced.is_complete()) {
            Some(deduced) => by_law::proved(&named.game, &deduced, &options).map_err(|error| format!("{error:#}"))?,
            None => None,
        };
        let mut settled = match by_law {
            Some(settled) => settled,
            None => settle(&named.game, &options, &observer).map_err(|error: SettleError| error.to_string())?,
        };
        let cannot = |error: std::io::Error| format!("the certificate cannot be kept: {error}");
        let mut verdict = Verdict::of(&named.game, &mut settled.outcome).map_err(cannot)?;
        if let (Some(verdict), Some(certificate)) = (&mut verdict, settled.outcome.certificate_mut()) {
            verdict.file = self.store.keep(&run.id, certificate).map_err(cannot)?;
        }
        Ok((settled, verdict))
    }

    /// Takes in progress, keeps what is worth it, and then tells those who watch: nobody hears of what a kill would lose.
    fn progress(&self, id: &str, progress: &Progress, kept: &Mutex<Instant>) {
        let Some(mut run) = self.inner().entries.get(id).map(|entry| entry.run.clone()) else { return };
        let news = run.seen.take(progress);
        let mut kept = kept.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if news || kept.elapsed() >= PACE {
            *kept = Instant::now();
            // A full disk now is no reason to end the search; the end of the run is kept or complained about.
            let _ = self.store.save(&run);
        }
        if let Some(entry) = self.inner().entries.get_mut(id) {
            entry.run.seen = run.seen;
            entry.changed.send_replace(());
        }
    }

    fn end(&self, id: &str, ended: Result<(Settled, Option<Verdict>), String>) {
        let mut inner = self.inner();
        let Some(entry) = inner.entries.get_mut(id) else { return };
        match ended {
            Ok((settled, verdict)) => entry.run.end(&settled, verdict, entry.stopped),
            Err(reason) => (entry.run.state, entry.run.remark) = (State::Failed, Some(reason)),
        }
        if let Err(error) = self.store.save(&entry.run) {
            entry.run.remark = Some(format!("This run cannot be kept: {error}"));
        }
        entry.changed.send_replace(());
    }
}

impl Inner {
    fn own(&mut self, owner: &str, id: &str) -> Result<&mut Entry, RunError> {
        self.entries.get_mut(id).filter(|entry| entry.run.owner == owner).ok_or(RunError::Unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    const MOST: Effort = Effort { cores: 1, memory: 64, seconds: 600 };

    fn runs(folder: &Path) -> Runs {
        Runs::load(Store::open(folder).unwrap(), MOST).unwrap().0
    }

    fn asked(target: &str, board: &str) -> Asked {
        Asked { target: target.to_owned(), board: board.to_owned(), ..Asked::default() }
    }

    /// Works until nothing waits.
    fn work_off(runs: &Runs) {
        std::thread::scope(|scope| {
            scope.spawn(|| runs.work());
            while !runs.inner().entries.values().all(|entry| entry.run.state.is_over()) {
                std::thread::sleep(Duration::from_millis(5));
            }
            runs.close();
        });
    }

    #[test]
    fn a_run_is_settled_kept_and_found_again_by_its_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let id = {
            let runs = runs(folder.path());
            let run = runs.ask("me", asked("el", "3x3"), Effort { cores: 9, ..MOST }).unwrap();
            assert_eq!((run.state, run.effort), (State::Queued, MOST));
            work_off(&runs);
            run.id
        };
        let runs = runs(folder.path());
        let run = runs.get("me", &id).unwrap();
        let verdict = run.verdict.clone().unwrap();
        assert_eq!((run.state, verdict.word.as_str(), verdict.by), (State::Settled, "win", Some(5)));
        let (_, path) = runs.certificate("me", &id).unwrap();
        let proved = harary_certificate::check(std::fs::File::open(path).unwrap()).unwrap();
        assert_eq!(proved.claim(), harary_certificate::Claim::Win(5));
        for refused in [
            runs.get("you", &id).map(drop),
            runs.stop("you", &id).map(drop),
            runs.forget("you", &id),
            runs.watch("you", &id).map(drop),
            runs.certificate("you", &id).map(drop),
        ] {
            assert_eq!(refused, Err(RunError::Unknown));
        }
        assert_eq!((runs.list("you").len(), runs.list("me").len()), (0, 1));
        runs.forget("me", &id).unwrap();
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "the lock alone is left");
    }

    #[test]
    fn what_waits_is_bounded_and_can_be_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let runs = runs(folder.path());
        let first = runs.ask("me", asked("el", "3x3"), MOST).unwrap();
        let more = (1..MOST_WAITING_OF_ONE).all(|_| runs.ask("me", asked("el", "3x3"), MOST).is_ok());
        assert!(more && matches!(runs.ask("me", asked("el", "3x3"), MOST), Err(RunError::TooMany(_))));
        assert!(runs.ask("you", asked("el", "3x3"), MOST).is_ok(), "one visitor does not fill the queue");
        assert_eq!(runs.ahead(&first.id), Some(0));
        assert_eq!(runs.stop("me", &first.id).unwrap().state, State::Stopped);
        assert_eq!(runs.ahead(&first.id), None);
        assert!(matches!(runs.ask("me", asked("no such shape", "3x3"), MOST), Err(RunError::Asked(_))));
        assert!(runs.certificate("me", &first.id).is_err());
    }

    #[test]
    fn a_server_that_closes_interrupts_what_it_does() {
        let folder = tempfile::tempdir().unwrap();
        let (long, waiting) = {
            let runs = runs(folder.path());
            let long = runs.ask("me", asked("snaky", "9x9"), MOST).unwrap().id;
            let waiting = runs.ask("me", asked("el", "3x3"), MOST).unwrap().id;
            std::thread::scope(|scope| {
                scope.spawn(|| runs.work());
                // The search is under way when it has refuted a turn.
                while runs.get("me", &long).unwrap().seen.refuted.is_empty() {
                    std::thread::sleep(Duration::from_millis(5));
                }
                assert_eq!(runs.forget("me", &long), Err(RunError::NotNow("the run is under way: stop it first")));
                runs.close();
            });
            (long, waiting)
        };
        let runs = runs(folder.path());
        let run = runs.get("me", &long).unwrap();
        assert_eq!((run.state, run.seen.refuted.is_empty()), (State::Interrupted, false));
        assert_eq!(runs.get("me", &waiting).unwrap().state, State::Queued);
        assert_eq!(runs.ahead(&waiting), Some(0));
    }
}
