//! What follows for a game from what the shipped atlas knows of others, and the certificate of it.

use super::entry::{Entry, Finding};
use super::key::GameKey;
use super::laws::{self, Deduced};
use super::settling::{GameError, carried};
use super::tablebase::Tablebase;
use crate::game::Game;
use crate::settle::{Account, Least, Options, Outcome, Settled, WhiteSide};
use harary_certificate::Claim;

/// Who wins a game by what the shipped atlas knows of others, if it follows and the atlas does not say so itself.
pub fn deduced(game: &Game) -> Option<Deduced> {
    let key = GameKey::of(game)?;
    let known = Tablebase::shipped();
    let settled = known.get(&key).is_some_and(|entry| entry.finding.is_settled());
    Some(laws::deduce(&key, known)).filter(|deduced| !settled && deduced.is_settled())
}

/// The same with a certificate: the other game's, made again and carried over. None if that does not come off.
pub fn proved(game: &Game, deduced: &Deduced, options: &Options) -> Result<Option<Settled>, GameError> {
    let Some((lender, _)) = &deduced.from else { return Ok(None) };
    // To and from several shapes holds are carried, and wins are searched.
    if !deduced.is_carried() && deduced.finding != Finding::Hold {
        return Ok(None);
    }
    // One thread and the memory of the atlas, so that it is the certificate of the atlas that is found again.
    let memory = Tablebase::shipped().get(lender).and_then(|entry: &Entry| usize::try_from(entry.memory).ok());
    let options = Options { threads: 1, memory: memory.unwrap_or(options.memory), ..options.clone() };
    let Some((certificate, first_move, account)) = carried(game, lender, &options)? else { return Ok(None) };
    let refuted_turn = deduced.refuted.as_ref().map(|(turn, _)| *turn);
    let outcome = match certificate.proved().claim() {
        Claim::Win(by) => {
            let least = if refuted_turn.map_or(1, |turn| turn + 2) == by { Least::Searched } else { Least::Unknown };
            Outcome::Win { certificate, by, first_move, least }
        }
        Claim::Hold(_) | Claim::Loss(_) => Outcome::Hold { certificate, white: WhiteSide::Excluded },
    };
    Ok(Some(Settled { outcome, account: Account { engine: "laws", refuted_turn, ..account } }))
}
