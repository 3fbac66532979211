//! Settling many games: one thread a game, several games at once, every result written down as it comes.
//!
//! With one thread a game, its certificate is the same byte for byte every time. A result enters the journal only after
//! the checker accepted its certificate.

use super::entry::{Entry, Finding, GameKey, Leastness, Mark};
use super::journal::{Journal, JournalError};
use crate::certificate::{CertificateFile, Claim};
use crate::checker::{self, Setting};
use crate::game::Game;
use crate::prover::ProofError;
use crate::search::Limits;
use crate::settle::{EngineChoice, Evidence, Options, Settlement, Verdict, settle};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tempfile::SpooledTempFile;
use thiserror::Error;

/// Certificates up to this length stay in memory while they are checked.
const IN_MEMORY: usize = 32 << 20;
/// How often the observer hears something even if nothing happens.
const BEAT: Duration = Duration::from_millis(200);

/// How each game is to be settled.
#[derive(Clone, Debug)]
pub struct Ask {
    pub time: Duration,
    /// Bytes for the tables of one game.
    pub memory: usize,
    /// Certify, too, that no earlier turn wins.
    pub certify_least: bool,
    /// Keep the certificates in this folder.
    pub certificates: Option<PathBuf>,
}

/// How many at once, and when to stop.
#[derive(Clone, Debug)]
pub struct Pace {
    pub threads: usize,
    /// For the whole run.
    pub time: Option<Duration>,
    pub stop: Arc<AtomicBool>,
}

/// Why one game gave no result. This is a fault of the program's, not of the game's.
#[derive(Debug, Error)]
pub enum GameError {
    #[error("search and proof contradict each other: {0}")]
    Proof(#[from] ProofError),
    #[error("the checker refuses the certificate, so nothing is claimed: {0}")]
    Refused(String),
    #[error("the certificate is about something else")]
    OtherClaim,
    #[error("cannot write the certificate: {0}")]
    Write(#[from] io::Error),
}

/// What happens in a run, in order.
#[derive(Debug)]
pub enum Event<'a> {
    Started(&'a GameKey),
    /// The result is in the journal.
    Finished(&'a Entry),
    Failed(&'a GameKey, &'a GameError),
    /// Stopped before it was done; nothing is kept of it.
    Dropped(&'a GameKey),
    /// Time passes.
    Tick,
}

/// How a run ended.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Summary {
    pub settled: usize,
    pub unknown: usize,
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
    let mut summary = Summary::default();
    let mut result = Ok(());
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..pace.threads.clamp(1, games.len().max(1)) {
            let (sender, halt, next) = (sender.clone(), halt.clone(), &next);
            scope.spawn(move || {
                while let Some(key) = games.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let left = deadline.map(|end| end.saturating_duration_since(Instant::now()));
                    if halt.load(Ordering::Relaxed) || left == Some(Duration::ZERO) {
                        break;
                    }
                    let ask = Ask { time: left.map_or(ask.time, |left| left.min(ask.time)), ..ask.clone() };
                    // The receiver is there as long as this thread is.
                    let _ = sender.send(Message::Started(key));
                    let _ = sender.send(Message::Done(key, settle_game(key, &ask, halt.clone()).map(Box::new)));
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

/// Settles one game and has its certificate checked.
pub fn settle_game(key: &GameKey, ask: &Ask, stop: Arc<AtomicBool>) -> Result<Entry, GameError> {
    let game = key.game();
    let started = Instant::now();
    let limits = Limits::new(Some(ask.time), None, stop.clone());
    let options = Options { threads: 1, memory: ask.memory, limits, ..Options::default() };
    let settlement = settle(&game, &options, &|_| {})?;
    let finding = finding(&settlement);
    let keep = |part: &str| ask.certificates.as_ref().map(|folder| folder.join(file_name(key, part)));
    let certificate = match (&settlement.evidence, finding) {
        (Some(evidence), Finding::Win { by, .. }) => {
            Some(certify(key, &game, evidence.as_ref(), Claim::Win(by), keep("").as_deref())?)
        }
        (Some(evidence), Finding::Hold) => {
            Some(certify(key, &game, evidence.as_ref(), Claim::Hold(None), keep("").as_deref())?)
        }
        _ => None,
    };
    let mut leastness = Leastness::NotAsked;
    if let (true, Some(_), Some(refuted)) = (ask.certify_least, finding.least_turn(), settlement.refuted_turn) {
        let limits = Limits::new(Some(ask.time.saturating_sub(started.elapsed())), None, stop);
        let (engine, within) = (EngineChoice::Alphabeta, Some(refuted));
        let options = Options { within, engine, certify_refutation: true, limits, ..options };
        leastness = match settle(&game, &options, &|_| {})?.evidence {
            Some(evidence) => {
                let claim = Claim::Hold(Some(refuted));
                Leastness::Certified(certify(key, &game, evidence.as_ref(), claim, keep("-least").as_deref())?)
            }
            None => Leastness::Open,
        };
    }
    Ok(Entry {
        key: key.clone(),
        // Without an accepted certificate there is no verdict.
        finding: if certificate.is_some() { finding } else { Finding::Unknown },
        refuted_turn: settlement.refuted_turn,
        first_move: settlement.first_move.filter(|_| finding.is_settled()),
        engine: settlement.engine.to_owned(),
        time: started.elapsed(),
        nodes: settlement.nodes,
        memory: ask.memory as u64,
        given: ask.time,
        settled_at: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs()),
        certificate,
        leastness,
    })
}

/// What a settlement says, as far as there is evidence for it.
fn finding(settlement: &Settlement) -> Finding {
    match (settlement.verdict, settlement.win_by, &settlement.evidence) {
        (Verdict::Win, Some(by), Some(_)) => Finding::Win { by, least: settlement.turn == Some(by) },
        (Verdict::Hold, _, Some(_)) => Finding::Hold,
        _ => Finding::Unknown,
    }
}

/// Writes the certificate of a claim, has it checked, and keeps it if `path` says where.
fn certify(
    key: &GameKey,
    game: &Game,
    evidence: &dyn Evidence,
    claim: Claim,
    path: Option<&Path>,
) -> Result<Mark, GameError> {
    let sink = Hashing { file: SpooledTempFile::new(IN_MEMORY), hasher: blake3::Hasher::new(), bytes: 0 };
    let mut buffer = BufWriter::with_capacity(1 << 16, sink);
    evidence.write(game, &mut buffer)?;
    let sink = buffer.into_inner().map_err(io::IntoInnerError::into_error)?;
    let mark = Mark { hash: *sink.hasher.finalize().as_bytes(), bytes: sink.bytes };
    let mut file = sink.file;
    file.rewind()?;
    let accepted = checker::check(&mut file).map_err(|refused| GameError::Refused(refused.to_string()))?;
    // The checker judges what the certificate says; here it is compared with what is to be stored.
    let same_game = match &accepted.header.setting {
        Setting::Board { shape, board } => GameKey::new(shape, *board, accepted.header.rule) == *key,
        Setting::Sets { .. } => false,
    };
    if !same_game || accepted.header.claim != claim {
        return Err(GameError::OtherClaim);
    }
    if let Some(path) = path {
        file.rewind()?;
        let mut kept = CertificateFile::create(path)?;
        io::copy(&mut file, &mut kept)?;
        kept.finish()?;
    }
    Ok(mark)
}

/// `skinny-7x7-plain-strong.cert.zst`; shapes without a name are called by their cells.
pub fn file_name(key: &GameKey, part: &str) -> String {
    let name: String = key.name().chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).collect();
    let board = key.board();
    format!("{name}-{}-{}-{}{part}.cert.zst", board.sides(), board.topology(), key.rule())
}

/// Passes everything on, and hashes and counts it.
struct Hashing {
    file: SpooledTempFile,
    hasher: blake3::Hasher,
    bytes: u64,
}

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
