//! What is asked of a search, and what it may use.

use super::cover_mode::CoverMode;
use super::restricted::Restricted;
use crate::effort::{Limits, Memory};
use crate::engines::cards::pool::Pool;
use crate::game::Game;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex};

/// Which engine searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineChoice {
    /// The best for the game.
    Auto,
    /// Alpha-beta over the turn limit.
    Alphabeta,
    /// Proof-number search.
    Dfpn,
    /// Proof-number search steered by threats.
    Threats,
    /// The defender alone.
    Defender,
    /// Wins of the weak game by cards.
    Cards,
    /// What the others are measured against.
    Baseline,
    /// The naive twin.
    Plain,
}

impl EngineChoice {
    /// All there are.
    pub const ALL: [EngineChoice; 8] = [
        EngineChoice::Auto,
        EngineChoice::Alphabeta,
        EngineChoice::Dfpn,
        EngineChoice::Threats,
        EngineChoice::Defender,
        EngineChoice::Cards,
        EngineChoice::Baseline,
        EngineChoice::Plain,
    ];

    /// The engine that is used for a game: proof numbers, the defender and cards want players who alternate; alpha-beta
    /// takes any turn order.
    pub fn for_game(self, game: &Game) -> EngineChoice {
        match self {
            EngineChoice::Dfpn | EngineChoice::Threats if game.schedule().is_alternating() => self,
            EngineChoice::Baseline => EngineChoice::Baseline,
            EngineChoice::Plain => EngineChoice::Plain,
            EngineChoice::Auto
            | EngineChoice::Alphabeta
            | EngineChoice::Dfpn
            | EngineChoice::Threats
            | EngineChoice::Defender
            | EngineChoice::Cards => EngineChoice::Alphabeta,
        }
    }

    /// Why it does not play this game, or not the question `by_turn` (does Black win by a turn?), in words.
    pub fn unsuited(self, game: &Game, by_turn: bool) -> Option<&'static str> {
        let alternating = game.schedule().is_alternating();
        match self {
            EngineChoice::Dfpn | EngineChoice::Threats | EngineChoice::Defender if !alternating => {
                Some("it plays games in which the players alternate, Black first; leave out --handicap and --stones")
            }
            EngineChoice::Defender if by_turn => Some("it knows no turns; leave out --within"),
            _ => None,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            EngineChoice::Auto => "auto",
            EngineChoice::Alphabeta => "alphabeta",
            EngineChoice::Dfpn => "dfpn",
            EngineChoice::Threats => "threats",
            EngineChoice::Defender => "defender",
            EngineChoice::Cards => "cards",
            EngineChoice::Baseline => "baseline",
            EngineChoice::Plain => "plain",
        }
    }

    /// What it is for, in a few words.
    pub fn purpose(self) -> &'static str {
        match self {
            EngineChoice::Auto => "The best for the game",
            EngineChoice::Alphabeta => "Alpha-beta over the turn limit, with zones, null moves and threat sequences",
            EngineChoice::Dfpn => "Proof-number search: who wins, without the least turn",
            EngineChoice::Threats => "Proof-number search steered by threats: long wins, without the least turn",
            EngineChoice::Defender => "The defender alone: who wins, the weak game first, without the least turn",
            EngineChoice::Cards => "Wins of the weak game by cards, found and kept in a file (see 'harary cards')",
            EngineChoice::Baseline => "Forced moves, distance bound, ordering and table only",
            EngineChoice::Plain => "The rules and nothing else; for small boards",
        }
    }
}

/// How to go about it.
#[derive(Clone)]
pub struct Options {
    /// Decide "by this turn" only.
    pub within: Option<usize>,
    /// Who searches.
    pub engine: EngineChoice,
    /// How many threads may be used.
    pub threads: usize,
    /// How many of these threads are at work on something else for now.
    pub lent: Arc<AtomicUsize>,
    /// Bytes for tables and lemmas.
    pub memory: usize,
    /// What they are taken from, if others take from it too.
    pub account: Option<Memory>,
    /// When to stop.
    pub limits: Limits,
    /// Draw the proof out of the engine. Without it there is a verdict and no evidence: for benchmarks of the search.
    pub evidence: bool,
    /// Also prove, position by position, that no earlier turn wins; with `within`, that no turn up to it does. Such
    /// refutations can be long.
    pub certify_refutation: bool,
    /// Look for wins inside covers only: plain turn order, a shape on a board.
    pub cover: Option<CoverMode>,
    /// Let a restricted player search; he proves one side only.
    pub restricted: Option<Restricted>,
    /// The cards of the shape, if some are at hand; a search by cards leaves what it learned.
    pub cards: Option<Arc<Mutex<Pool>>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            within: None,
            engine: EngineChoice::Auto,
            threads: 1,
            lent: Arc::default(),
            memory: 256 << 20,
            account: None,
            limits: Limits::none(),
            evidence: true,
            certify_refutation: false,
            cover: None,
            restricted: None,
            cards: None,
        }
    }
}

impl Options {
    /// What the tables and lemmas of this run take their memory from.
    pub fn account(&self) -> Memory {
        self.account.clone().unwrap_or_else(|| Memory::of_run(self.memory))
    }

    /// The last turn of the question.
    pub fn last_turn(&self, game: &Game) -> usize {
        self.within.unwrap_or(usize::MAX).min(game.schedule().len())
    }
}
