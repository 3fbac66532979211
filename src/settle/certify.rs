//! The one way from evidence to an outcome: written down, read back and checked, and then told from what was accepted.

use super::distance::stones_needed;
use super::options::{EngineChoice, Options};
use super::outcome::{Account, Claimed, Found, Least, Outcome, Settled, WhiteSide};
use super::search::search;
use super::white::{WhiteFound, asks_for_white, search_white};
use crate::effort::progress::Observer;
use crate::evidence::Evidence;
use crate::evidence::strategy::ProofError;
use crate::game::Game;
use harary_certificate::{Certificate, Claim, NotProved};
use thiserror::Error;

/// Why a game has no outcome. This is a fault of the program's, not of the game's.
#[derive(Debug, Error)]
pub enum SettleError {
    /// The engine does not find its own moves again.
    #[error(transparent)]
    Proof(#[from] ProofError),
    /// The checker does not accept what was found.
    #[error(transparent)]
    NotProved(#[from] NotProved),
}

/// Has evidence about a game checked.
pub fn certify(game: &Game, evidence: Box<dyn Evidence>) -> Result<Certificate, NotProved> {
    let asked = game.header(evidence.claim(), false, evidence.cover());
    // It is gone when the checker reads what was written: both at once would be twice the memory.
    Certificate::check(&asked, move |out| evidence.write(game, out))
}

/// Settles `game`: searches, and has what was found checked. A limit reached is no error.
pub fn settle(game: &Game, options: &Options, observer: Observer) -> Result<Settled, SettleError> {
    // All searches of this run take from one account, which remembers whether a proof had no room.
    let memory = options.account();
    let options = &Options { account: Some(memory.clone()), ..options.clone() };
    let found = search(game, options, observer)?;
    let mut settled = match asks_for_white(game, &found, options) {
        true => settle_white(game, found, options, observer)?,
        false => settle_least(game, found, options, observer)?,
    };
    settled.account.lacked_memory = memory.has_refused();
    Ok(settled)
}

/// What was found is proved, and for a win, if that was asked for, that no earlier turn wins.
fn settle_least(game: &Game, found: Found, options: &Options, observer: Observer) -> Result<Settled, SettleError> {
    let Settled { outcome, mut account } = prove(game, found)?;
    let outcome = match outcome {
        Outcome::Win { certificate, by, first_move, least: least @ (Least::Searched | Least::ByDistance) }
            if options.certify_refutation =>
        {
            let earlier = account.refuted_turn.map(|turn| refute(game, turn, options, observer)).transpose()?;
            account.stopped = matches!(earlier, Some(None));
            let least = earlier.flatten().map_or(least, Least::Certified);
            Outcome::Win { certificate, by, first_move, least }
        }
        outcome => outcome,
    };
    Ok(Settled { outcome, account })
}

/// A game that Black does not win: White wins, or nobody does. What was found is proved first, so that it does not lie in
/// memory while the other side is searched.
fn settle_white(game: &Game, found: Found, options: &Options, observer: Observer) -> Result<Settled, SettleError> {
    let Settled { outcome, account } = prove(game, found)?;
    let (white, spent) = search_white(game, options, observer)?;
    // A search that counts its own nodes has not counted the others'.
    let account = Account { stopped: spent.stopped, nodes: spent.nodes.max(account.nodes), ..account };
    let side = match white {
        WhiteFound::Wins { by, least, evidence: Some(evidence) } => {
            let claimed = Claimed::Loss { by, least };
            return prove(game, Found { claimed: Some(claimed), evidence: Some(evidence), account });
        }
        WhiteFound::Held { evidence: Some(evidence) } => match certify(&game.exchanged(), evidence) {
            Ok(certificate) => WhiteSide::Held(certificate),
            Err(NotProved::Unwritten(_)) => WhiteSide::Open,
            Err(refused) => return Err(refused.into()),
        },
        WhiteFound::Wins { .. } | WhiteFound::Held { .. } | WhiteFound::Open => WhiteSide::Open,
    };
    let outcome = match outcome {
        Outcome::Hold { certificate, .. } => Outcome::Hold { certificate, white: side },
        outcome => outcome,
    };
    Ok(Settled { outcome, account })
}

/// The certificate that no turn up to this one wins; none if a limit came first.
pub fn refute(
    game: &Game,
    turn: usize,
    options: &Options,
    observer: Observer,
) -> Result<Option<Certificate>, SettleError> {
    let (engine, within) = (EngineChoice::Alphabeta, Some(turn));
    let options = Options { engine, within, certify_refutation: true, cover: None, ..options.clone() };
    match prove(game, search(game, &options, observer)?)?.outcome {
        Outcome::NotBy { certificate, .. } => Ok(certificate),
        _ => Ok(None),
    }
}

/// What is proved by what was found.
fn prove(game: &Game, found: Found) -> Result<Settled, SettleError> {
    let Found { claimed, evidence, account } = found;
    let outcome = match (claimed, evidence) {
        (Some(claimed), Some(evidence)) => match certify(game, evidence) {
            Ok(certificate) => proved(game, claimed, certificate),
            // No room for the certificate, not even for a moment, is no reason to forget the search.
            Err(NotProved::Unwritten(error)) => Outcome::Open { claimed: Some(claimed), unwritten: Some(error) },
            Err(refused) => return Err(refused.into()),
        },
        (Some(Claimed::NotBy(turn)), None) if !account.stopped => Outcome::NotBy { turn, certificate: None },
        (claimed, _) => Outcome::Open { claimed, unwritten: None },
    };
    Ok(Settled { outcome, account })
}

/// What an accepted certificate settles.
fn proved(game: &Game, claimed: Claimed, certificate: Certificate) -> Outcome {
    match certificate.proved().claim() {
        Claim::Win(by) => {
            let (first_move, searched) = match claimed {
                Claimed::Win { by: turn, least, first_move } => (first_move, least && by == turn),
                Claimed::Hold | Claimed::Loss { .. } | Claimed::NotBy(_) => (None, false),
            };
            let least = match game.schedule().black_moves(0, by) == stones_needed(game) {
                true => Least::ByDistance,
                false if searched => Least::Searched,
                false => Least::Unknown,
            };
            Outcome::Win { certificate, by, first_move, least }
        }
        Claim::Hold(Some(turn)) if turn < game.schedule().len() => {
            Outcome::NotBy { turn, certificate: Some(certificate) }
        }
        Claim::Hold(_) => {
            let white = if game.white_may_win() { WhiteSide::Open } else { WhiteSide::Excluded };
            Outcome::Hold { certificate, white }
        }
        Claim::Loss(by) => {
            let least = matches!(claimed, Claimed::Loss { by: turn, least: true } if turn == by);
            Outcome::Loss { certificate, by, least }
        }
    }
}
