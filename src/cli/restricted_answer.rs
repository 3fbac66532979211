//! What `harary solve` has to say of a restricted player.

use super::console::Console;
use crate::settle::{Restricted, RestrictedReport};
use serde::Serialize;
use std::io::Write;

/// What became of a restricted player. He proves one side only.
#[derive(Serialize)]
pub struct RestrictedAnswer {
    /// `adjacent` or `beck`.
    pub player: &'static str,
    /// He did not prove his side, and the search was not stopped: this says nothing of the game.
    pub failed: bool,
    /// The attacker does not win by this turn.
    pub failed_turn: Option<usize>,
}

impl From<RestrictedReport> for RestrictedAnswer {
    fn from(report: RestrictedReport) -> RestrictedAnswer {
        let RestrictedReport { player, failed, failed_turn } = report;
        RestrictedAnswer { player: player.name(), failed, failed_turn }
    }
}

/// Says that a restricted player proved nothing.
pub fn write(report: &RestrictedReport, reason: &str, console: &mut Console) -> anyhow::Result<()> {
    let (failed, proves) = match (report.player, report.failed_turn) {
        (Restricted::Adjacent, Some(turn)) => (
            format!("An attacker who keeps next to his own stones does not win by turn {turn}."),
            "attacker proves wins",
        ),
        (Restricted::Adjacent, None) => ("Nothing is proved.".to_owned(), "attacker proves wins"),
        (Restricted::Beck, _) if report.failed => {
            ("A defender who goes by the potential alone does not hold.".to_owned(), "defender proves holds")
        }
        (Restricted::Beck, _) => ("Nothing is proved.".to_owned(), "defender proves holds"),
    };
    writeln!(console, "Not settled{reason}. {failed}")?;
    writeln!(console, "This is no verdict on the game: such a {proves} only.")?;
    Ok(())
}
