//! The driver over all engines: one question, one answer.

use super::attack::search_attacking;
use super::cards::search_by_cards;
use super::cover_mode::CoverMode;
use super::covers::search_covers;
use super::distance::refuted_by_distance;
use super::options::{EngineChoice, Options};
use super::outcome::{Account, Claimed, CoverReport, Found};
use super::race::search_racing;
use super::restricted_search::search_restricted;
use crate::effort::progress::{Meter, Observer, watched};
use crate::engines::blocking;
use crate::evidence::Evidence;
use crate::evidence::strategy::ProofError;
use crate::game::Game;

/// Searches `game`. A contradiction between search and proof is an error; a limit reached is not.
pub fn search(game: &Game, options: &Options, observer: Observer) -> Result<Found, ProofError> {
    let meter = Meter::default();
    meter.refuted(refuted_by_distance(game, options.last_turn(game)).unwrap_or(0));
    if let Some(mode) = options.cover {
        return search_in_covers(game, mode, options, &meter, observer);
    }
    if let Some(player) = options.restricted {
        return search_restricted(game, player, options, &meter, observer);
    }
    if options.within.is_none()
        && let Some(found) = search_by_cards(game, options, &meter, observer)
    {
        return Ok(found);
    }
    let defended = matches!(options.engine, EngineChoice::Auto | EngineChoice::Defender);
    if defended && options.within.is_none() && blocking::applies(game) {
        return search_racing(game, options, &meter, observer);
    }
    search_attacking(game, options, &meter, observer)
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
