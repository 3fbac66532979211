//! Long work: on a thread of its own, without the interpreter's lock, while the caller's thread looks for Ctrl-C and tells
//! of progress.

use crate::errors::failure;
use harary::Limits;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How often the caller's thread looks.
const BEAT: Duration = Duration::from_millis(50);

/// Work that was asked to stop is waited for so long. Then it ends on its own: it needs nothing of Python's.
const PATIENCE: Duration = Duration::from_millis(500);

/// As much as the main thread of a program has.
const STACK: usize = 8 << 20;

/// How far a search is, as a callback is told a few times a second.
#[pyclass(frozen, get_all, module = "harary")]
pub struct Progress {
    /// `"searching"`, or `"proving"` when the search is over and its proof is written down.
    phase: &'static str,
    /// The turn limit under way.
    turn: Option<usize>,
    /// No win by this turn.
    refuted_turn: Option<usize>,
    /// No paving after so many moves of White's.
    unpaved: Option<usize>,
    /// The proof number of the start, where the engine has one.
    proof_number: Option<u32>,
    /// The disproof number of the start, where the engine has one.
    disproof_number: Option<u32>,
    /// Positions so far.
    nodes: u64,
    /// The share of the table in use, from 0 to 1.
    table: f64,
    /// Since the search began.
    seconds: f64,
}

#[pymethods]
impl Progress {
    fn __repr__(&self) -> String {
        let told = |name: &str, turn: Option<usize>| turn.map_or(String::new(), |turn| format!(", {name} {turn}"));
        let (turn, refuted) = (told("turn", self.turn), told("no win by turn", self.refuted_turn));
        format!("<{}{turn}{refuted}; {} nodes, {:.1} s>", self.phase, self.nodes, self.seconds)
    }
}

impl From<harary::Progress> for Progress {
    fn from(progress: harary::Progress) -> Progress {
        Progress {
            phase: if progress.proving { "proving" } else { "searching" },
            turn: progress.turn,
            refuted_turn: progress.refuted_turn,
            unpaved: progress.unpaved,
            proof_number: progress.numbers.map(|numbers| numbers.0),
            disproof_number: progress.numbers.map(|numbers| numbers.1),
            nodes: progress.nodes,
            table: progress.fill as f64 / 1000.0,
            seconds: progress.elapsed.as_secs_f64(),
        }
    }
}

/// What the work tells while it goes on.
type Latest = Arc<Mutex<Option<harary::Progress>>>;

/// Told about progress by the library.
pub type Observer<'a> = &'a (dyn Fn(&harary::Progress) + Sync);

/// Does `work` under `limits`. An exception of the callback's, or Ctrl-C, stops it and is raised.
pub fn done<T: Send + 'static>(
    py: Python<'_>,
    limits: &Limits,
    callback: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(Observer) -> T + Send + 'static,
) -> PyResult<T> {
    let (latest, over) = (Latest::default(), Arc::new(AtomicBool::new(false)));
    let (seen, ended, caller) = (latest.clone(), over.clone(), std::thread::current());
    let worker = std::thread::Builder::new().name("harary".to_owned()).stack_size(STACK).spawn(move || {
        let observer = |progress: &harary::Progress| {
            if let Ok(mut latest) = seen.lock() {
                *latest = Some(*progress);
            }
        };
        let result = catch_unwind(AssertUnwindSafe(|| work(&observer)));
        ended.store(true, Ordering::Release);
        caller.unpark();
        result
    })?;
    let wait = || {
        py.detach(|| {
            std::thread::park_timeout(BEAT);
            over.load(Ordering::Acquire)
        })
    };
    loop {
        let finished = wait();
        let looked = py.check_signals().and_then(|()| tell(callback, &latest));
        if let Err(interruption) = looked {
            limits.stop();
            let asked = Instant::now();
            while asked.elapsed() < PATIENCE && !wait() {}
            return Err(interruption);
        }
        if finished {
            break;
        }
    }
    // A panic is a fault of ours; Python hears of it as of any other.
    match worker.join() {
        Ok(Ok(result)) => Ok(result),
        Ok(Err(_)) | Err(_) => Err(failure("a fault in the program: the search panicked, and nothing is claimed")),
    }
}

/// Tells the callback what is new.
fn tell(callback: Option<&Bound<'_, PyAny>>, latest: &Latest) -> PyResult<()> {
    let news = latest.lock().ok().and_then(|mut latest| latest.take());
    if let (Some(callback), Some(news)) = (callback, news) {
        callback.call1((Progress::from(news),))?;
    }
    Ok(())
}
