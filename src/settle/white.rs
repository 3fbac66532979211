//! White's own win: the search of the game with the colours exchanged.
//!
//! Only where it can happen ([`Game::white_may_win`]): the alternating game of a shape on an empty board never is won by
//! White. What is found is evidence about the game itself if she wins, and about the exchanged game if she does not.

use super::options::{EngineChoice, Options};
use super::outcome::{Account, Claimed, Found};
use super::search::search;
use crate::effort::progress::Observer;
use crate::evidence::Evidence;
use crate::evidence::strategy::ProofError;
use crate::game::Game;

/// What a search knows of White's own win.
pub enum WhiteFound {
    /// She wins.
    Wins {
        /// By this turn.
        by: usize,
        /// No earlier turn of hers wins.
        least: bool,
        /// About the game, if it was asked for and finished in time.
        evidence: Option<Box<dyn Evidence>>,
    },
    /// She does not win.
    Held {
        /// About the game with the colours exchanged.
        evidence: Option<Box<dyn Evidence>>,
    },
    /// A limit came first.
    Open,
}

/// Whether White's side is to be looked at, given what was found of Black's: he does not win, that was the whole question,
/// and she might.
pub fn asks_for_white(game: &Game, found: &Found, options: &Options) -> bool {
    let whole =
        options.within.is_none() && options.cover.is_none() && options.restricted.is_none() && !found.account.stopped;
    whole && found.claimed == Some(Claimed::Hold) && game.white_may_win()
}

/// Searches for White's win.
pub fn search_white(game: &Game, options: &Options, observer: Observer) -> Result<(WhiteFound, Account), ProofError> {
    let engine = match options.engine {
        engine @ (EngineChoice::Baseline | EngineChoice::Plain) => engine,
        _ => EngineChoice::Alphabeta,
    };
    let options = Options { engine, certify_refutation: false, cards: None, ..options.clone() };
    let Found { claimed, evidence, account } = search(&game.exchanged(), &options, observer)?;
    let found = match claimed {
        Some(Claimed::Win { by, least, .. }) => {
            WhiteFound::Wins { by, least, evidence: evidence.and_then(|evidence| evidence.exchanged(game)) }
        }
        Some(Claimed::Hold) => WhiteFound::Held { evidence },
        Some(Claimed::NotBy(_) | Claimed::Loss { .. }) | None => WhiteFound::Open,
    };
    Ok((found, account))
}
