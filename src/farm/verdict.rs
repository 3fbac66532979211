//! What a result says.

use std::fmt;
use std::str::FromStr;

/// What a result says, in a word: the end of its file's name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// Black wins.
    Won,
    /// White holds.
    Held,
    /// The budget was spent first.
    Open,
}

impl Verdict {
    /// All there are.
    pub const ALL: [Verdict; 3] = [Verdict::Won, Verdict::Held, Verdict::Open];

    fn word(self) -> &'static str {
        match self {
            Verdict::Won => "won",
            Verdict::Held => "held",
            Verdict::Open => "open",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Verdict {
    type Err = ();

    fn from_str(text: &str) -> Result<Verdict, ()> {
        Verdict::ALL.into_iter().find(|verdict| verdict.word() == text).ok_or(())
    }
}
