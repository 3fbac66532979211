//! The blocks of `docs/certificate.md`: both checkers accept those marked `certificate` and refuse those marked
//! `refused`.

// Its certificates are not wanted here, only its checker.
#[allow(dead_code)]
mod reference;

use reference::page::{Block, blocks};
use std::collections::BTreeSet;

/// What one of the checkers says of a text.
type Verdict = Result<(), String>;

fn complaints(verdict: impl Fn(&[u8]) -> Verdict) -> Vec<String> {
    let mut found = Vec::new();
    for Block { word, line, text } in blocks() {
        match (word, verdict(text.as_bytes())) {
            ("certificate", Err(reason)) => found.push(format!("line {line}: refused: {reason}\n{text}")),
            ("refused", Ok(())) => found.push(format!("line {line}: accepted\n{text}")),
            _ => {}
        }
    }
    found
}

#[test]
fn every_kind_of_line_has_an_example() {
    let words: BTreeSet<&str> = blocks().iter().map(|block| block.word).collect();
    // A word that is spelled in another way would leave its block out of the tests.
    assert_eq!(words, BTreeSet::from(["avoidance", "avoidance-refused", "certificate", "ebnf", "refused"]));
    let good: Vec<Block> = blocks().into_iter().filter(|block| block.word == "certificate").collect();
    let kinds: BTreeSet<&str> =
        good.iter().flat_map(|block| block.text.lines()).flat_map(|line| line.split(' ').next()).collect();
    for kind in "game black white start first rule turns claim symmetry g cover p a c u n s q b k l root".split(' ') {
        assert!(kinds.contains(kind), "no example of '{kind}'");
    }
}

#[test]
fn the_reference_agrees_with_the_page() {
    let complaints = complaints(reference::verdict);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn the_checker_agrees_with_the_page() {
    let check =
        |bytes: &[u8]| harary_certificate::checker::check(bytes).map(drop).map_err(|refused| refused.to_string());
    let complaints = complaints(check);
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
