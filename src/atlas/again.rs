//! A game settled again beside what was stored of it.

use super::entry::{Entry, Finding};
use serde::Serialize;
use std::fmt;

/// What came of settling a game again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Again {
    /// The same certificates, byte for byte.
    Same,
    /// The same finding by another certificate.
    Other,
    /// A win as before; its least turn is open on one side.
    AlsoWin,
    /// Not settled in the time given.
    Open,
    /// Something else: one of the two is wrong.
    Differs,
}

impl Again {
    /// Compares what was stored with what was found now.
    pub fn compare(stored: &Entry, found: &Entry) -> Again {
        match (found.finding, stored.finding) {
            (now, before) if now == before => {
                let identical = found.certificate == stored.certificate && found.leastness == stored.leastness;
                if identical { Again::Same } else { Again::Other }
            }
            (Finding::Unknown, _) => Again::Open,
            // The least turn may be open on one side only; then the turns must not contradict each other.
            (Finding::Win { by, least }, Finding::Win { by: before, least: was_least })
                if !(least && by > before || was_least && by < before) =>
            {
                Again::AlsoWin
            }
            _ => Again::Differs,
        }
    }
}

impl fmt::Display for Again {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Again::Same => "the same certificate",
            Again::Other => "another certificate, accepted",
            Again::AlsoWin => "a win as well",
            Again::Open => "NOT SETTLED in the time given",
            Again::Differs => "DIFFERS",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::Mark;
    use super::super::entry::tests::win;
    use super::*;

    #[test]
    fn what_contradicts_differs() {
        let found = |finding| Entry { finding, ..win() };
        let other = Entry { certificate: Some(Mark { hash: [9; 32], bytes: 9 }), ..win() };
        for (entry, expected) in [
            (win(), Again::Same),
            (other, Again::Other),
            (found(Finding::Unknown), Again::Open),
            (found(Finding::Hold), Again::Differs),
            (found(Finding::Win { by: 7, least: false }), Again::AlsoWin),
            (found(Finding::Win { by: 7, least: true }), Again::Differs),
            (found(Finding::Win { by: 3, least: false }), Again::Differs),
        ] {
            assert_eq!(Again::compare(&win(), &entry), expected, "{:?}", entry.finding);
        }
    }
}
