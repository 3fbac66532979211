//! Settling many games: one thread a game, several games at once, every result written down as it comes.
//!
//! With one thread a game, its certificate is the same byte for byte every time. A result enters the journal only after
//! the checker accepted its certificate.
//!
//! A block proved for one game is tried on the others of the same board, see [`super::block`]. Which block is at hand
//! depends on what was settled before, in this run or in an earlier one that kept its certificates; the entry names it,
//! so that its certificate can be made again.

use super::block::{Block, Blocks};
use super::entry::{Entry, Finding, GameKey, Leastness, Mark};
use super::journal::{Journal, JournalError};
use crate::effort::Limits;
use crate::settle::{Least, Options, Outcome, SettleError, Settled, settle};
use harary_certificate::{Certificate, Claim, NotProved};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use thiserror::Error;

/// What the name of a file says if the certificate in it is that no earlier turn wins.
const LEAST: &str = "-least";
/// How often the observer hears something even if nothing happens.
const BEAT: Duration = Duration::from_millis(200);

/// How each game is to be settled.
#[derive(Clone, Debug)]
pub struct Ask {
    /// For each game.
    pub time: Duration,
    /// Bytes for the tables of one game.
    pub memory: usize,
    /// Certify, too, that no earlier turn wins.
    pub certify_least: bool,
    /// What becomes of the certificates.
    pub certificates: Keep,
}

/// What becomes of a certificate once it is checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Keep {
    /// Nothing: its hash is enough.
    No,
    /// A file of its own in this folder.
    Folder(PathBuf),
    /// This file: for one game.
    File(PathBuf),
    /// This file, and in it the certificate that no earlier turn wins.
    LeastFile(PathBuf),
}

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

/// Why one game gave no result. This is a fault of the program's, not of the game's.
#[derive(Debug, Error)]
pub enum GameError {
    /// The search contradicts its proof, or the checker refuses it.
    #[error(transparent)]
    Settle(#[from] SettleError),
    /// No room for it, not even for a moment.
    #[error("cannot write the certificate")]
    Write(#[from] io::Error),
    /// It is accepted, and cannot be kept.
    #[error("cannot write the certificate to {path}")]
    Keep {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
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

/// Tries the blocks at hand, then the search; a block it finds is lent to the others.
fn settle_or_borrow(key: &GameKey, ask: &Ask, blocks: &Blocks, stop: &Arc<AtomicBool>) -> Result<Entry, GameError> {
    for block in blocks.for_game(key) {
        let started = Instant::now();
        // That a block does not fit, as on small tori, is no fault.
        if let Ok(certificate) = borrow(key, &block) {
            return held_by(key, &block, certificate, started, ask);
        }
    }
    let (entry, certificate) = settle_keeping(key, ask, stop.clone())?;
    if let (Finding::Hold, Some(certificate)) = (entry.finding, certificate) {
        blocks.lend(key, certificate)?;
    }
    Ok(entry)
}

/// The certificate of `key` by a block of another game, checked.
fn borrow(key: &GameKey, block: &Block) -> Result<Certificate, NotProved> {
    let text = block.text_for(key);
    Certificate::check(&key.game().header(Claim::Hold(None), false, None), |out| out.write_all(&text))
}

/// The entry of a game held by the block of another.
fn held_by(
    key: &GameKey,
    block: &Block,
    mut certificate: Certificate,
    started: Instant,
    ask: &Ask,
) -> Result<Entry, GameError> {
    let mark = keep(&mut certificate, key, "", ask)?;
    let last_turn = (key.board().size() - 1) / 2 * 2 + 1;
    Ok(Entry {
        key: key.clone(),
        finding: Finding::Hold,
        refuted_turn: Some(last_turn),
        first_move: None,
        engine: "borrowed".to_owned(),
        time: started.elapsed(),
        nodes: 0,
        memory: ask.memory as u64,
        given: ask.time,
        settled_at: now(),
        certificate: Some(mark),
        leastness: Leastness::NotAsked,
        borrowed: Some(block.key().clone()),
    })
}

/// Settles one game and has its certificate checked.
pub fn settle_game(key: &GameKey, ask: &Ask, stop: Arc<AtomicBool>) -> Result<Entry, GameError> {
    settle_keeping(key, ask, stop).map(|(entry, _)| entry)
}

/// Settles the game of an entry again, in the way it was settled: a borrowed block is found again in its own game.
pub fn settle_again(entry: &Entry, ask: &Ask, stop: Arc<AtomicBool>) -> Result<Entry, GameError> {
    let Some(lender) = &entry.borrowed else { return settle_game(&entry.key, ask, stop) };
    let started = Instant::now();
    let blocks = Blocks::default();
    if let (_, Some(certificate)) =
        settle_keeping(lender, &Ask { certificates: Keep::No, ..ask.clone() }, stop.clone())?
    {
        blocks.lend(lender, certificate)?;
    }
    let block = blocks.for_game(&entry.key).pop();
    match block.as_ref().map(|block| (block, borrow(&entry.key, block))) {
        Some((block, Ok(certificate))) => held_by(&entry.key, block, certificate, started, ask),
        // The search has changed and does not find that block any more.
        _ => settle_game(&entry.key, ask, stop),
    }
}

/// Settles one game; also the certificate of the verdict.
fn settle_keeping(key: &GameKey, ask: &Ask, stop: Arc<AtomicBool>) -> Result<(Entry, Option<Certificate>), GameError> {
    let started = Instant::now();
    let limits = Limits::new(Some(ask.time), None, stop);
    let certify_refutation = ask.certify_least;
    let options = Options { threads: 1, memory: ask.memory, limits, certify_refutation, ..Options::default() };
    let Settled { outcome, account } = settle(&key.game(), &options, &|_| {})?;
    let first_move = outcome.first_move();
    let (finding, certificate, least) = match outcome {
        Outcome::Win { certificate, by, least, .. } => {
            let finding = Finding::Win { by, least: !matches!(least, Least::Unknown) };
            (finding, Some(certificate), Some(least))
        }
        Outcome::Hold { certificate } => (Finding::Hold, Some(certificate), None),
        Outcome::NotBy { .. } | Outcome::Open { unwritten: None, .. } => (Finding::Unknown, None, None),
        Outcome::Open { unwritten: Some(error), .. } => return Err(error.into()),
    };
    let mut certificate = certificate;
    let mark = certificate.as_mut().map(|certificate| keep(certificate, key, "", ask)).transpose()?;
    let leastness = match least {
        Some(Least::Certified(mut refutation)) => Leastness::Certified(keep(&mut refutation, key, LEAST, ask)?),
        Some(Least::Searched | Least::ByDistance) if ask.certify_least && account.refuted_turn.is_some() => {
            Leastness::Open
        }
        _ => Leastness::NotAsked,
    };
    let entry = Entry {
        key: key.clone(),
        finding,
        refuted_turn: account.refuted_turn,
        first_move,
        engine: account.engine.to_owned(),
        time: started.elapsed(),
        nodes: account.nodes,
        memory: ask.memory as u64,
        given: ask.time,
        settled_at: now(),
        certificate: mark,
        leastness,
        borrowed: None,
    };
    Ok((entry, certificate))
}

/// Keeps an accepted certificate where it is to be kept, if anywhere.
fn keep(certificate: &mut Certificate, key: &GameKey, part: &str, ask: &Ask) -> Result<Mark, GameError> {
    if let Some(path) = kept(key, part, ask) {
        certificate.keep(&path).map_err(|source| GameError::Keep { path, source })?;
    }
    Ok(Mark::of(certificate.reader()?)?)
}

/// Seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// Where a certificate is to be kept.
fn kept(key: &GameKey, part: &str, ask: &Ask) -> Option<PathBuf> {
    match &ask.certificates {
        Keep::No => None,
        Keep::Folder(folder) => Some(folder.join(key.file_name(part))),
        Keep::File(path) => Some(path.clone()).filter(|_| part.is_empty()),
        Keep::LeastFile(path) => Some(path.clone()).filter(|_| part == LEAST),
    }
}
