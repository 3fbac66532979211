//! One game settled for the atlas: by a search, or by the certificate of another game.

use super::block::{Block, Blocks, LONGEST, is_by_nodes, under_header};
use super::entry::{ADDED, Entry, Finding, Leastness, Mark};
use super::key::GameKey;
use crate::effort::Limits;
use crate::evidence::carry::carry;
use crate::game::Game;
use crate::settle::{Account, EngineChoice, Least, Options, Outcome, SettleError, Settled, certify, settle};
use harary_certificate::{Cell, Certificate, Claim, NotProved};
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use thiserror::Error;

/// What the name of a file says if the certificate in it is that no earlier turn wins.
const LEAST: &str = "-least";

/// How each game is to be settled.
#[derive(Clone, Debug)]
pub struct Ask {
    /// For each game.
    pub time: Duration,
    /// Bytes for the tables of one game.
    pub memory: usize,
    /// Who searches.
    pub engine: EngineChoice,
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

/// Tries the blocks at hand, then the search; a block it finds is lent to the others.
pub fn settle_or_borrow(key: &GameKey, ask: &Ask, blocks: &Blocks, stop: &Arc<AtomicBool>) -> Result<Entry, GameError> {
    for block in blocks.for_game(key) {
        let started = Instant::now();
        // That a block does not fit, as on small tori, is no fault.
        if let Ok(certificate) = borrow(key, &block) {
            return by_proof(Some(block.key()), key, certificate, None, None, started, ask);
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
    let (game, claim) = (key.game(), Claim::Hold(None));
    let text = under_header(block.text(), &game, claim)?;
    Certificate::check(&game.header(claim, false, None), |out| out.write_all(&text))
}

/// The entry of a game that was settled elsewhere, by its certificate; `refuted` as in [`settle_from`].
pub fn settle_by(certificate: Certificate, refuted: Option<usize>, ask: &Ask) -> Result<Entry, Unfit> {
    let started = Instant::now();
    let header = certificate.proved().header();
    let key = GameKey::of_header(header).ok_or_else(|| Unfit::Game(header.sentence(None)))?;
    if let Claim::Hold(Some(turn)) = header.claim
        && turn < key.last_turn()
    {
        return Err(Unfit::Bound(turn));
    }
    Ok(by_proof(None, &key, certificate, None, refuted, started, ask)?)
}

/// Why an accepted certificate settles no game of the atlas.
#[derive(Debug, Error)]
pub enum Unfit {
    /// It is about another kind of game.
    #[error("the atlas has games of shapes on an empty board, the players alternating; this one says: {0}")]
    Game(String),
    /// It is no verdict.
    #[error("it says only that there is no win by turn {0}")]
    Bound(usize),
    /// It cannot be kept.
    #[error(transparent)]
    Unkept(#[from] GameError),
}

/// The entry of a game proved by a certificate, maybe that of another game.
fn by_proof(
    lender: Option<&GameKey>,
    key: &GameKey,
    mut certificate: Certificate,
    first_move: Option<Cell>,
    refuted: Option<usize>,
    started: Instant,
    ask: &Ask,
) -> Result<Entry, GameError> {
    let mark = keep(&mut certificate, key, "", ask)?;
    let (finding, refuted_turn) = match certificate.proved().claim() {
        Claim::Win(by) => (Finding::Win { by, least: refuted.map_or(1, |turn| turn + 2) == by }, refuted),
        Claim::Hold(_) | Claim::Loss(_) => (Finding::Hold, Some(key.last_turn())),
    };
    Ok(Entry {
        key: key.clone(),
        finding,
        refuted_turn,
        first_move,
        engine: if lender.is_some() { "borrowed" } else { ADDED }.to_owned(),
        time: started.elapsed(),
        nodes: 0,
        memory: ask.memory as u64,
        given: ask.time,
        settled_at: now(),
        certificate: Some(mark),
        leastness: Leastness::NotAsked,
        borrowed: lender.cloned(),
    })
}

/// Settles one game and has its certificate checked.
pub fn settle_game(key: &GameKey, ask: &Ask, stop: Arc<AtomicBool>) -> Result<Entry, GameError> {
    settle_keeping(key, ask, stop).map(|(entry, _)| entry)
}

/// Settles the game of an entry again, in the way it was settled: what was borrowed is found again in its own game.
pub fn settle_again(entry: &Entry, ask: &Ask, stop: Arc<AtomicBool>) -> Result<Entry, GameError> {
    if let Some(lender) = &entry.borrowed
        && let Some(again) = settle_from(&entry.key, lender, entry.refuted_turn, ask, stop.clone())?
    {
        return Ok(again);
    }
    // Nothing borrowed, or the search has changed and does not find it any more. What this engine settled needs it.
    let engine = entry.wanted_engine().unwrap_or(ask.engine);
    settle_game(&entry.key, &Ask { engine, ..ask.clone() }, stop)
}

/// Settles a game by the certificate of another, found again and carried over; `refuted` is the turn Black is known not to
/// win by. None if the other game is not settled in the time given, or its certificate does not serve.
pub fn settle_from(
    key: &GameKey,
    lender: &GameKey,
    refuted: Option<usize>,
    ask: &Ask,
    stop: Arc<AtomicBool>,
) -> Result<Option<Entry>, GameError> {
    let started = Instant::now();
    let limits = Limits::new(Some(ask.time), None, stop);
    let options = Options { threads: 1, memory: ask.memory, limits, ..Options::default() };
    match carried(&key.game(), lender, &options)? {
        Some((certificate, first, _)) => {
            by_proof(Some(lender), key, certificate, first, refuted, started, ask).map(Some)
        }
        None => Ok(None),
    }
}

/// The certificate of a game made of that of another, Black's first move in it, and the work that was. None if the other
/// game is not settled within the limits, or its certificate does not serve.
pub fn carried(
    game: &Game,
    lender: &GameKey,
    options: &Options,
) -> Result<Option<(Certificate, Option<Cell>, Account)>, GameError> {
    // Between boards only the proofs of single shapes are carried.
    let single = game.shape_on_board().is_some() && lender.shape().is_some();
    if !single && GameKey::of(game).is_none_or(|key| key.board() != lender.board()) {
        return Ok(None);
    }
    let Settled { mut outcome, account } = settle(&lender.game(), options, &|_| {})?;
    let Some(certificate) = outcome.certificate_mut() else { return Ok(None) };
    if !single {
        return Ok(same_nodes(certificate, game)?.map(|certificate| (certificate, None, account)));
    }
    let Ok(carried) = carry(certificate.reader()?, game) else { return Ok(None) };
    let first_move = carried.first_move();
    match certify(game, Box::new(carried)) {
        Ok(certificate) => Ok(Some((certificate, first_move, account))),
        Err(NotProved::Unwritten(error)) => Err(error.into()),
        Err(_) => Ok(None),
    }
}

/// The certificate of a game by the nodes of another's on the same board, if it has nodes and they serve.
fn same_nodes(certificate: &mut Certificate, game: &Game) -> io::Result<Option<Certificate>> {
    let claim = certificate.proved().claim();
    let mut text = String::new();
    certificate.reader()?.take(LONGEST + 1).read_to_string(&mut text)?;
    if text.len() as u64 > LONGEST || !is_by_nodes(&text) {
        return Ok(None);
    }
    let text = under_header(&text, game, claim)?;
    match Certificate::check(&game.header(claim, false, None), |out| out.write_all(&text)) {
        Ok(certificate) => Ok(Some(certificate)),
        Err(NotProved::Unwritten(error)) => Err(error),
        Err(_) => Ok(None),
    }
}

/// Settles one game; also the certificate of the verdict.
fn settle_keeping(key: &GameKey, ask: &Ask, stop: Arc<AtomicBool>) -> Result<(Entry, Option<Certificate>), GameError> {
    let started = Instant::now();
    let limits = Limits::new(Some(ask.time), None, stop);
    let certify_refutation = ask.certify_least;
    let Ask { engine, memory, .. } = *ask;
    let options = Options { threads: 1, engine, memory, limits, certify_refutation, ..Options::default() };
    let Settled { outcome, account } = settle(&key.game(), &options, &|_| {})?;
    let first_move = outcome.first_move();
    let (finding, certificate, least) = match outcome {
        Outcome::Win { certificate, by, least, .. } => {
            let finding = Finding::Win { by, least: !matches!(least, Least::Unknown) };
            (finding, Some(certificate), Some(least))
        }
        // A game that White wins is one that Black does not.
        Outcome::Hold { certificate, .. } | Outcome::Loss { certificate, .. } => {
            (Finding::Hold, Some(certificate), None)
        }
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
        // The defender's searches have names of their own; to be found again it is he who must be asked for.
        engine: if engine == EngineChoice::Defender { engine.name() } else { account.engine }.to_owned(),
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
