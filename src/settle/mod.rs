//! Settles a game: who wins, by which turn, and the proof of it.
//!
//! The attacker deepens over the turn limit; every limit he fails at is a refutation, so the turn he wins by is the
//! least. The proof-number engine asks once, without a limit: it says who wins, and a turn by which at the latest. What
//! was found is then drawn out of the engine move by move ([`crate::evidence::strategy`]) into evidence. Where the
//! defender applies, he runs beside the attacker, and the first to finish settles the game.
//!
//! [`search`] gives what was [found](Found), which is a claim; [`settle`] has it checked and gives what is
//! [proved](Outcome).

mod attack;
mod certify;
pub mod covers;
mod defender;
mod outcome;
pub mod pave;
mod race;

pub use certify::{SettleError, certify, refute, settle};
pub use defender::{DefenceReport, Level};
pub use outcome::{Account, Claimed, CoverReport, Found, Least, Outcome, Settled, Verdict};

use self::certify::refuted_by_distance;
use crate::effort::Limits;
use crate::effort::progress::{Meter, Observer, watched};
use crate::engines::blocking;
use crate::evidence::Evidence;
use crate::evidence::strategy::ProofError;
use crate::game::Game;
use crate::settle::covers::{CoverMode, search_covers};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

/// Which engine searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum EngineChoice {
    /// The best for the game
    Auto,
    /// Alpha-beta over the turn limit, with zones, null moves and threat sequences
    Alphabeta,
    /// Proof-number search: who wins, without the least turn
    Dfpn,
    /// The defender alone: who wins, the weak game first, without the least turn
    Defender,
    /// Forced moves, distance bound, ordering and table only
    Baseline,
    /// The rules and nothing else; for small boards
    Plain,
}

impl EngineChoice {
    /// The engine that is used for a game: zones and null moves need the plain turn order, and alpha-beta opens at any
    /// cell.
    fn for_game(self, game: &Game) -> EngineChoice {
        let alternating = game.schedule().is_alternating();
        match self {
            EngineChoice::Auto | EngineChoice::Alphabeta if alternating && game.first().is_none() => {
                EngineChoice::Alphabeta
            }
            EngineChoice::Dfpn if alternating => EngineChoice::Dfpn,
            EngineChoice::Auto | EngineChoice::Alphabeta | EngineChoice::Dfpn | EngineChoice::Defender => {
                EngineChoice::Baseline
            }
            other => other,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            EngineChoice::Auto => "auto",
            EngineChoice::Alphabeta => "alphabeta",
            EngineChoice::Dfpn => "dfpn",
            EngineChoice::Defender => "defender",
            EngineChoice::Baseline => "baseline",
            EngineChoice::Plain => "plain",
        }
    }
}

/// How to go about it.
#[derive(Clone)]
pub struct Options {
    /// Decide "by this turn" only.
    pub within: Option<usize>,
    pub engine: EngineChoice,
    pub threads: usize,
    /// How many of these threads are at work on something else for now.
    pub lent: Arc<AtomicUsize>,
    /// Bytes for tables.
    pub memory: usize,
    pub limits: Limits,
    /// Draw the proof out of the engine. Without it there is a verdict and no evidence: for benchmarks of the search.
    pub evidence: bool,
    /// Also prove, position by position, that no earlier turn wins; with `within`, that no turn up to it does. Such
    /// refutations can be long.
    pub certify_refutation: bool,
    /// Look for wins inside covers only: plain turn order, a shape on a board.
    pub cover: Option<CoverMode>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            within: None,
            engine: EngineChoice::Auto,
            threads: 1,
            lent: Arc::default(),
            memory: 256 << 20,
            limits: Limits::none(),
            evidence: true,
            certify_refutation: false,
            cover: None,
        }
    }
}

impl Options {
    /// The last turn of the question.
    fn last_turn(&self, game: &Game) -> usize {
        self.within.unwrap_or(usize::MAX).min(game.schedule().len())
    }
}

/// Searches `game`. A contradiction between search and proof is an error; a limit reached is not.
pub fn search(game: &Game, options: &Options, observer: Observer) -> Result<Found, ProofError> {
    let meter = Meter::default();
    meter.refuted(refuted_by_distance(game, options.last_turn(game)).unwrap_or(0));
    if let Some(mode) = options.cover {
        return search_in_covers(game, mode, options, &meter, observer);
    }
    let defended = matches!(options.engine, EngineChoice::Auto | EngineChoice::Defender);
    if defended && options.within.is_none() && blocking::applies(game) {
        return race::search_racing(game, options, &meter, observer);
    }
    attack::search_attacking(game, options, &meter, observer)
}

/// Looks for a win inside a cover. Whatever is not a win stays open.
fn search_in_covers(
    game: &Game,
    mode: CoverMode,
    options: &Options,
    meter: &Meter,
    observer: Observer,
) -> Result<Found, ProofError> {
    let memory = options.memory / 10 * 9;
    let work = || search_covers(game, mode, options.within, memory, &options.limits, meter);
    let finding = watched(observer, || meter.read(&options.limits), work)?;
    let report = CoverReport { mode, covers: finding.covers, failed_turn: finding.failed_turn };
    let account = Account {
        nodes: finding.nodes,
        refuted_turn: meter.refuted_turn(),
        stopped: finding.halted,
        cover: Some(report),
        ..Account::new("cover")
    };
    let claimed = finding.win.as_ref().map(|win| {
        // The least turn of a cover need not be that of the game, unless Black has no stone to spare.
        let least = account.refuted_turn.is_none_or(|refuted| win.turn == refuted + 2);
        Claimed::Win { by: win.turn, least, first_move: win.first_move }
    });
    let evidence = finding.win.map(|win| Box::new(win.strategy) as Box<dyn Evidence>);
    Ok(Found { claimed, evidence, account })
}
