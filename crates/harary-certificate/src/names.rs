//! The names of the vertices of a game of sets, on their way through a certificate.
//!
//! A certificate speaks of vertices by number. Where a game calls them otherwise, the names stand in a remark behind the
//! header: `# names a1 b1 …`. They are for people and decide nothing: whether a file is accepted does not depend on them, and
//! what comes out of it is made harmless before it is shown.

use crate::cell::Cell;
use std::collections::BTreeSet;
use std::fmt;

/// Longer names are cut.
const LONGEST: usize = 24;

/// How the remark begins, behind the `#` of every remark.
const WORD: &str = "names";

/// Distinct names of all vertices, fit to be shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Names(Vec<String>);

impl Names {
    /// The names as they may be shown; `None` if they say no more than the numbers, or no longer differ.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<Names> {
        let names: Vec<String> = names.into_iter().map(harmless).collect();
        let distinct = names.iter().collect::<BTreeSet<_>>().len() == names.len();
        let numbers = names.iter().enumerate().all(|(index, name)| *name == index.to_string());
        (distinct && !numbers && !names.iter().any(String::is_empty)).then_some(Names(names))
    }

    /// The names in a remark of a certificate, `# names a1 b1`; `None` if it is about something else.
    pub(crate) fn in_remark(line: &[u8]) -> Option<Names> {
        let text = std::str::from_utf8(line).ok()?;
        let mut words = text.split_ascii_whitespace();
        (words.next() == Some("#") && words.next() == Some(WORD)).then(|| Names::new(words)).flatten()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Of one vertex.
    pub(crate) fn of(&self, cell: Cell) -> &str {
        &self.0[cell.index()]
    }

    /// By the number of the vertex.
    pub fn into_vec(self) -> Vec<String> {
        self.0
    }
}

/// What the remark says behind its `#`.
impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(WORD)?;
        self.0.iter().try_for_each(|name| write!(f, " {name}"))
    }
}

/// What a terminal or a page would take for orders: blanks, control characters, and the invisible ones that turn the
/// direction of writing or join what is apart.
pub fn is_invisible(letter: char) -> bool {
    letter.is_control()
        || letter.is_whitespace()
        || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

/// A name of which everything is seen, and not too much.
fn harmless(name: &str) -> String {
    let mut shown: String = name.chars().take(LONGEST).map(|c| if is_invisible(c) { '?' } else { c }).collect();
    if name.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(list: &[&str]) -> Option<Vec<String>> {
        Names::new(list.iter().copied()).map(|names| names.0)
    }

    #[test]
    fn names_are_harmless_distinct_and_more_than_numbers() {
        assert_eq!(names(&["a1", "b1"]), Some(vec!["a1".into(), "b1".into()]));
        assert_eq!(names(&["0", "1"]), None);
        assert_eq!(names(&["1", "0"]), Some(vec!["1".into(), "0".into()]));
        assert_eq!(names(&["a", "a"]), None);
        assert_eq!(names(&["\x1b[31mred", "b\u{202e}"]), Some(vec!["?[31mred".into(), "b?".into()]));
        assert_eq!(names(&["\x1b", "\x07"]), None, "they look the same now");
        let long = "x".repeat(1000);
        assert_eq!(names(&[&long, "y"]).unwrap()[0].chars().count(), LONGEST + 1);
    }

    #[test]
    fn names_are_found_in_their_remark_and_nowhere_else() {
        let found = |line: &str| Names::in_remark(line.as_bytes()).map(|names| names.to_string());
        assert_eq!(found("# names p q").as_deref(), Some("names p q"));
        for other in ["#names p q", "# made by hand", "# names", "# names p p", "# names 0 1", "", "names p q"] {
            assert_eq!(found(other), None, "{other}");
        }
        assert_eq!(Names::in_remark(b"# names p \xff"), None);
    }
}
