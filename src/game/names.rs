//! The names of the vertices of a game of sets, on their way through a certificate.
//!
//! A certificate speaks of vertices by number. Where a game calls them otherwise, the names stand in a remark behind the
//! header: `# names a1 b1 …`. They are for people and decide nothing: a checker does not see them, and what comes out of a
//! file is made harmless before it is shown.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{BufRead, BufReader, Read};

/// Longer names are cut.
const LONGEST: usize = 24;

/// How the remark begins, behind the `#` of every remark.
const WORD: &str = "names";

/// The names are looked for in so much of a file at most; a header with its sets is rarely longer than a megabyte.
const HEAD: usize = 16 << 20;

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

    /// The names in the remark of a certificate about so many vertices, from the beginning of its text.
    pub fn in_certificate(text: impl Read, vertices: usize) -> Option<Names> {
        let mut line = Vec::new();
        let mut input = BufReader::new(text.take(HEAD as u64));
        loop {
            line.clear();
            // A head that is cut off, or no certificate at all, has no names for us.
            if input.read_until(b'\n', &mut line).ok()? == 0 || line.pop() != Some(b'\n') {
                return None;
            }
            let text = std::str::from_utf8(&line).ok()?;
            let mut words = text.split_ascii_whitespace();
            match words.next() {
                Some("#") if words.next() == Some(WORD) => {
                    return Names::new(words).filter(|names| names.0.len() == vertices);
                }
                // The lines of strategies and nodes begin here.
                Some("p" | "q" | "b" | "a" | "n" | "root") => return None,
                _ => {}
            }
        }
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

/// Keeps the beginning of what is read through it, so that the names can be looked for after the file was checked.
#[derive(Debug)]
pub struct Head<R> {
    input: R,
    kept: Vec<u8>,
}

impl<R: Read> Head<R> {
    /// Reads from here.
    pub fn new(input: R) -> Head<R> {
        Head { input, kept: Vec::new() }
    }

    /// The names in what was read.
    pub fn names(&self, vertices: usize) -> Option<Names> {
        Names::in_certificate(&self.kept[..], vertices)
    }

    /// What was read from.
    pub fn into_inner(self) -> R {
        self.input
    }
}

impl<R: Read> Read for Head<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.input.read(buffer)?;
        let room = HEAD.saturating_sub(self.kept.len()).min(count);
        self.kept.extend_from_slice(&buffer[..room]);
        Ok(count)
    }
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
    fn names_are_found_behind_the_header_and_nowhere_else() {
        let header = "harary-certificate 1\ngame sets 2\nblack 3\nrule weak\nclaim hold\nsymmetry none\n";
        let file = |rest: &str| format!("{header}{rest}");
        let found = |text: &str| Names::in_certificate(text.as_bytes(), 2).map(|names| names.to_string());
        assert_eq!(found(&file("# names p q\nroot 0\n")).as_deref(), Some("names p q"));
        assert_eq!(found(&file("# made by hand\n# names p q\n")).as_deref(), Some("names p q"));
        assert_eq!(found(&file("n 0 0 3 pave 0-1\n# names p q\nroot 0\n")), None);
        assert_eq!(found(&file("# names p q r\nroot 0\n")), None, "three names for two vertices");
        assert_eq!(found(&file("# names p q")), None, "cut off");
        assert_eq!(found(&file("#names p q\nroot 0\n")), None);
    }

    #[test]
    fn what_goes_through_a_head_is_kept() {
        let text = "harary-certificate 1\ngame sets 2\n# names p q\nroot 0\n";
        let mut head = Head::new(text.as_bytes());
        let mut through = String::new();
        head.read_to_string(&mut through).unwrap();
        assert_eq!(through, text);
        assert_eq!(head.names(2).unwrap().into_vec(), ["p", "q"]);
        assert_eq!(head.names(3), None);
    }
}
