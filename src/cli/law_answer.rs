//! Answers that follow from what the atlas knows of other games, by the laws between games.

use super::answer::{Report, Standing};
use super::console::Console;
use super::json;
use super::words::describe;
use crate::atlas::by_law;
use crate::atlas::entry::Finding;
use crate::atlas::laws::Deduced;
use crate::game::Game;
use crate::settle::{Account, Options, Settled};
use std::io::Write;

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
        "--certificate FILE settles that game again and carries its certificate over{}; --fresh searches.",
        if deduced.is_carried() { "" } else { " if it serves, or searches" }
    )?;
    Ok(())
}

/// The answer with a certificate, as an answer of the search's would have it. None if that does not come off.
pub fn proved(game: &Game, deduced: &Deduced, options: &Options) -> anyhow::Result<Option<(Standing, Account)>> {
    let settled = by_law::proved(game, deduced, options)?;
    Ok(settled.map(|Settled { outcome, account }| (Standing::Proved(outcome), account)))
}
