//! Answers that follow from what the atlas knows of other games, by the laws between games.

use super::answer::{Report, Standing};
use super::console::Console;
use super::json;
use super::words::describe;
use crate::atlas::entry::Finding;
use crate::atlas::laws::{self, Deduced};
use crate::atlas::settling::carried;
use crate::atlas::{Entry, GameKey, Tablebase};
use crate::game::Game;
use crate::settle::{Account, Least, Options, Outcome, WhiteSide};
use harary_certificate::Claim;
use std::io::Write;

/// Who wins a game by what the shipped atlas knows of others, if it follows and the atlas does not say so itself.
pub fn deduced(game: &Game) -> Option<Deduced> {
    let key = GameKey::of(game)?;
    let known = Tablebase::shipped();
    let settled = known.get(&key).is_some_and(|entry| entry.finding.is_settled());
    Some(laws::deduce(&key, known)).filter(|deduced| !settled && deduced.is_settled())
}

/// The lines that say what follows and from what.
pub fn write_deduced(deduced: &Deduced, console: &mut Console) -> anyhow::Result<()> {
    writeln!(console, "{}", deduced.finding.sentence())?;
    if let (Finding::Win { .. }, Some((turn, from))) = (deduced.finding, &deduced.refuted) {
        writeln!(console, "No win by turn {turn}, which follows from {from}.")?;
    }
    if let Some(reason) = deduced.reason() {
        writeln!(console, "It follows {reason}.")?;
    }
    Ok(())
}

/// The answer for machines.
pub fn report(name: &str, game: &Game, deduced: &Deduced) -> Report {
    let law = json::Deduced::new(deduced);
    let json::Short { verdict, turn, win_by } = law.finding;
    let finding = json::Finding { verdict, turn, win_by, refuted_turn: law.refuted_turn, first_move: None };
    Report { law: Some(law), ..Report::without_search(name, game, "laws", finding) }
}

/// Answers `harary solve` without a search.
pub fn answer(name: &str, game: &Game, deduced: &Deduced, console: &mut Console) -> anyhow::Result<()> {
    if deduced.is_complete() {
        writeln!(console, "{}", describe(name, game))?;
        write_deduced(deduced, console)?;
    } else {
        // It was said before the search.
        writeln!(console, "The search did not find the least turn within the limits.")?;
    }
    writeln!(
        console,
        "--certificate FILE settles that game again and carries its certificate over; --fresh searches."
    )?;
    Ok(())
}

/// The answer with a certificate: the other game's, made again and carried over. None if that does not come off.
pub fn proved(game: &Game, deduced: &Deduced, options: &Options) -> anyhow::Result<Option<(Standing, Account)>> {
    let Some((lender, _)) = &deduced.from else { return Ok(None) };
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
    Ok(Some((Standing::Proved(outcome), Account { engine: "laws", refuted_turn, ..account })))
}
