//! Pieces of code that are written twice.

use super::tokens::{Token, tokens};
use std::collections::HashMap;

/// A piece this long is never written twice.
pub const LINES: usize = 15;

/// A line that says something, its white space folded, and where it stands.
struct Line {
    number: usize,
    text: String,
}

/// The lines that count: no blank ones, comments, lone brackets or `use`.
fn lines(source: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut in_use = false;
    for Token { text, line } in tokens(source) {
        in_use |= text == "use";
        let ends = in_use && text == ";";
        if !in_use {
            match lines.last_mut().filter(|last| last.number == line) {
                Some(last) => last.text.extend([" ", &text]),
                None => lines.push(Line { number: line, text }),
            }
        }
        in_use &= !ends;
    }
    lines.retain(|line| line.text != "pub" && line.text.contains(|c: char| c.is_alphanumeric()));
    lines
}

/// Each piece of [`LINES`] lines or more that stands in two places, as long as it is, named by those places.
pub fn written_twice(files: &[(String, String)]) -> Vec<String> {
    let files: Vec<(&str, Vec<Line>)> = files.iter().map(|(path, text)| (path.as_str(), lines(text))).collect();
    let mut places: HashMap<Vec<&str>, (usize, usize)> = HashMap::new();
    let mut twice = Vec::new();
    for (file, (path, lines)) in files.iter().enumerate() {
        let mut start = 0;
        while start + LINES <= lines.len() {
            let piece = lines[start..start + LINES].iter().map(|line| line.text.as_str()).collect();
            let (first, at) = *places.entry(piece).or_insert((file, start));
            // A run of like lines meets itself one line further on: that is no second place.
            if (first, at) == (file, start) || first == file && at + LINES > start {
                start += 1;
                continue;
            }
            let (other, before) = &files[first];
            let alike = lines[start..].iter().zip(&before[at..]).take_while(|(a, b)| a.text == b.text).count();
            twice.push(format!(
                "{other}:{}-{} stands again at {path}:{}-{}",
                before[at].number,
                before[at + alike - 1].number,
                lines[start].number,
                lines[start + alike - 1].number
            ));
            start += alike;
        }
    }
    twice
}
