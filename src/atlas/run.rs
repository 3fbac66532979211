//! Settling many games: one thread a game, several games at once, every result written down as it comes.
//!
//! With one thread a game, its certificate is the same byte for byte every time. A result enters the journal only after
//! the checker accepted its certificate.
//!
//! A block proved for one game is tried on the others of the same board, see [`super::block`]. Which block is at hand
//! depends on what was settled before, in this run or in an earlier one that kept its certificates; the entry names it,
//! so that its certificate can be made again.

use super::block::Blocks;
use super::entry::Entry;
use super::journal::{Journal, JournalError};
use super::key::GameKey;
use super::settling::{Ask, GameError, Keep, settle_or_borrow};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often the observer hears something even if nothing happens.
const BEAT: Duration = Duration::from_millis(200);

/// How many at once, and when to stop.
#[derive(Clone, Debug)]
pub struct Pace {
    /// Games at once.
    pub threads: usize,
    /// For the whole run.
    pub time: Option<Duration>,
    /// Set it, and the run ends.
    pub stop: Arc<AtomicBool>,
}

/// What happens in a run, in order.
#[derive(Debug)]
pub enum Event<'a> {
    /// A game is begun.
    Started(&'a GameKey),
    /// The result is in the journal.
    Finished(&'a Entry),
    /// A fault of the program's.
    Failed(&'a GameKey, &'a GameError),
    /// Stopped before it was done; nothing is kept of it.
    Dropped(&'a GameKey),
    /// Time passes.
    Tick,
}

/// How a run ended.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Summary {
    /// Games with a verdict.
    pub settled: usize,
    /// Games whose time was over.
    pub unknown: usize,
    /// Games that met a fault of the program's.
    pub failed: usize,
    /// Not begun or not finished when the run was stopped.
    pub left: usize,
}

/// Settles the games in the order given and writes each result to the journal. An error of the journal's ends the run:
/// what cannot be written down is not worth computing.
pub fn run(
    journal: &mut Journal,
    games: &[GameKey],
    ask: &Ask,
    pace: &Pace,
    observer: &mut dyn FnMut(Event),
) -> Result<Summary, JournalError> {
    let halt: Arc<AtomicBool> = Arc::default();
    let deadline = pace.time.and_then(|time| Instant::now().checked_add(time));
    let next = AtomicUsize::new(0);
    let blocks = Blocks::default();
    if let Keep::Folder(folder) = &ask.certificates {
        blocks.lend_kept(journal.entries(), folder, games);
    }
    let mut summary = Summary::default();
    let mut result = Ok(());
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..pace.threads.clamp(1, games.len().max(1)) {
            let (sender, halt, next, blocks) = (sender.clone(), halt.clone(), &next, &blocks);
            scope.spawn(move || {
                while let Some(key) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let left = deadline.map(|end| end.saturating_duration_since(Instant::now()));
                    if halt.load(Ordering::Relaxed) || left == Some(Duration::ZERO) {
                        break;
                    }
                    let ask = Ask { time: left.map_or(ask.time, |left| left.min(ask.time)), ..ask.clone() };
                    // The receiver is there as long as this thread is.
                    let _ = sender.send(Message::Started(key));
                    let entry = settle_or_borrow(key, &ask, blocks, &halt).map(Box::new);
                    let _ = sender.send(Message::Done(key, entry));
                }
            });
        }
        drop(sender);
        loop {
            if pace.stop.load(Ordering::Relaxed) {
                halt.store(true, Ordering::Relaxed);
            }
            match receiver.recv_timeout(BEAT) {
                Err(RecvTimeoutError::Timeout) => observer(Event::Tick),
                Err(RecvTimeoutError::Disconnected) => break,
                Ok(Message::Started(key)) => observer(Event::Started(key)),
                Ok(Message::Done(key, Err(error))) => {
                    summary.failed += 1;
                    observer(Event::Failed(key, &error));
                }
                // An open question of a stopped run was not given its time.
                Ok(Message::Done(key, Ok(entry))) if !entry.finding.is_settled() && halt.load(Ordering::Relaxed) => {
                    observer(Event::Dropped(key));
                }
                Ok(Message::Done(_, Ok(_))) if result.is_err() => {}
                Ok(Message::Done(_, Ok(entry))) => match journal.append((*entry).clone()) {
                    Ok(()) => {
                        let settled = entry.finding.is_settled();
                        *(if settled { &mut summary.settled } else { &mut summary.unknown }) += 1;
                        observer(Event::Finished(&entry));
                    }
                    Err(error) => {
                        result = Err(error);
                        halt.store(true, Ordering::Relaxed);
                    }
                },
            }
        }
    });
    summary.left = games.len() - summary.settled - summary.unknown - summary.failed;
    result.map(|()| summary)
}

enum Message<'a> {
    Started(&'a GameKey),
    Done(&'a GameKey, Result<Box<Entry>, GameError>),
}
