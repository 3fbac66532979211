//! How a subcommand ends: its exit code, and whose mistake it was.

pub use crate::game::words::{OrUsage, UsageError};
use std::io::{self, Write};
use std::process::ExitCode;

/// How a subcommand ended when nothing went wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Done, settled, accepted: exit code 0.
    Done,
    /// Refused, refuted, a disagreement: exit code 1.
    Refused,
    /// Some input could not be read, and the command has said so: exit code 2.
    Unreadable,
    /// The limits given were reached first: exit code 3.
    NotSettled,
    /// Asked to stop in the middle, to be run again: exit code 75, which sysexits.h calls a temporary failure.
    Unfinished,
    /// With `--qbf`: true, exit code 10, as QBF solvers have it.
    True,
    /// With `--qbf`: false, exit code 20.
    False,
    /// With `--qbf`: not settled, exit code 0.
    Unknown,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(match outcome {
            Outcome::Done | Outcome::Unknown => 0,
            Outcome::Refused => 1,
            Outcome::Unreadable => 2,
            Outcome::NotSettled => 3,
            Outcome::Unfinished => 75,
            Outcome::True => 10,
            Outcome::False => 20,
        })
    }
}

/// One line on standard error. If that is closed too there is nobody left to tell.
pub fn report(message: &str) {
    // The message may quote what the user gave, control characters and all.
    let line: String = message.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let _ = writeln!(io::stderr(), "harary: {line}");
}

/// What clap has to complain about, in one line.
pub fn complaint(error: &clap::Error) -> String {
    let text = error.render().to_string();
    // clap writes the complaint, tips, usage and a pointer to the help as paragraphs; the first two are what counts.
    let complaint =
        text.split("\n\nUsage:").next().unwrap_or(&text).replace("\n\nFor more information, try '--help'.", "");
    complaint.trim_start_matches("error: ").split_whitespace().collect::<Vec<_>>().join(" ").replace(" tip: ", "; ")
}
