//! The checker's teeth: good certificates of every kind are accepted, damaged ones refused, and of thousands of
//! random mutations none is accepted that the slow reference refuses.

mod reference;

use harary::checker::{self, Refused};
use reference::producer::Task;
use reference::{Game, accepts};

const EL: &[(usize, usize)] = &[(0, 0), (1, 0), (0, 1)];
const TIC: &[(usize, usize)] = &[(0, 0), (1, 0), (2, 0)];
const FATTY: &[(usize, usize)] = &[(0, 0), (1, 0), (0, 1), (1, 1)];
const TIPPY: &[(usize, usize)] = &[(0, 0), (1, 0), (1, 1), (2, 1)];
const DOMINO: &[(usize, usize)] = &[(0, 0), (1, 0)];
const GAP: &[(usize, usize)] = &[(0, 0), (2, 0), (3, 1)];

/// Tic-tac-toe with its diagonals as a game of sets.
fn noughts(strong: bool) -> Game {
    let lines = vec![0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    let turns = "BWBWBWBWB".chars().collect();
    Game { cells: 9, white: lines.clone(), black: lines, strong, turns, ..Game::default() }
}

/// Good certificates of every kind, with a name each.
fn good() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut add = |name: &str, text: Option<String>| found.push((name.to_owned(), text));
    for symmetric in [false, true] {
        let s = if symmetric { "symmetric" } else { "plain" };
        let el = Task::board(3, 3, false, EL, true, None);
        add(&format!("el 3x3 strong win {s}"), el.win(5, symmetric, None));
        add(&format!("el 3x3 hold 4 {s}"), el.hold(Some(4), symmetric, false));
        add(&format!("el 3x3 cover {s}"), Task::board(4, 4, false, EL, true, None).win(5, symmetric, Some(0x777)));
        add(&format!("el 4x3 cover {s}"), Task::board(4, 3, false, EL, true, None).win(7, symmetric, Some(0x777)));
        add(&format!("tippy 3x3 torus {s}"), Task::board(3, 3, true, TIPPY, true, None).win(7, symmetric, None));
        add(&format!("el 3x3 weak {s}"), Task::board(3, 3, false, EL, false, None).win(5, symmetric, None));
        add(&format!("el 3x3 attack {s}"), Task::board(3, 3, false, EL, false, None).attack(3, symmetric));
        add(&format!("tic 4x4 attack {s}"), Task::board(4, 4, false, TIC, false, None).attack(3, symmetric));
        add(&format!("el 3x3 torus attack {s}"), Task::board(3, 3, true, EL, false, None).attack(3, symmetric));
        let fatty = Task::board(3, 3, false, FATTY, true, None);
        add(&format!("fatty 3x3 block {s}"), fatty.block(symmetric, true));
        add(&format!("fatty 3x3 block without pavings {s}"), fatty.block(symmetric, false));
        add(&format!("fatty 3x3 hold {s}"), fatty.hold(None, symmetric, false));
        add(&format!("fatty 3x3 hold with nodes {s}"), fatty.hold(None, symmetric, true));
        add(
            &format!("fatty 3x4 hold 7 {s}"),
            Task::board(3, 4, false, FATTY, true, None).hold(Some(7), symmetric, false),
        );
        add(&format!("fatty 4x4 block {s}"), Task::board(4, 4, false, FATTY, false, None).block(symmetric, true));
        add(&format!("tic 3x3 block {s}"), Task::board(3, 3, false, TIC, false, None).block(symmetric, false));
        add(&format!("tic 3x3 hold {s}"), Task::board(3, 3, false, TIC, true, None).hold(None, symmetric, true));
        let two = Task::board(3, 3, false, TIPPY, true, Some("BBWWBBWWB"));
        add(&format!("tippy two stones {s}"), two.win(5, symmetric, None).or_else(|| two.hold(None, symmetric, false)));
        let handicap = Task::board(3, 3, false, TIC, true, Some("BBWBWBWBW"));
        add(&format!("tic handicap {s}"), handicap.win(6, symmetric, None));
        let second = Task::board(3, 3, false, EL, true, Some("WBWBWBWBW"));
        add(&format!("el second {s}"), second.hold(None, symmetric, false));
        add(&format!("gap 4x3 {s}"), Task::board(4, 3, true, GAP, true, None).win(7, symmetric, None));
        let short = Task::board(3, 3, false, DOMINO, true, Some("BWB"));
        add(&format!("domino with few turns {s}"), short.win(3, symmetric, None));
        add(&format!("tic too large {s}"), Task::board(2, 2, false, TIC, true, None).block(symmetric, true));
    }
    let noughts_strong = Task::sets(noughts(true));
    add("noughts and crosses hold", noughts_strong.hold(None, false, false));
    add("noughts and crosses hold 5", noughts_strong.hold(Some(5), false, true));
    add("noughts weak win", Task::sets(Game { white: vec![], ..noughts(false) }).win(9, false, None));
    add("noughts weak attack", Task::sets(noughts(false)).attack(4, false));
    let from = |black, white, turns: &str, first, strong| {
        let turns = turns.chars().collect();
        Task::sets(Game { start: (black, white), first, turns, ..noughts(strong) })
    };
    add("a corner to begin with", from(0o1, 0o2, "BWBWBWB", None, true).win(5, false, None));
    add("only the sides at first", from(0, 0, "BWBWBWBWB", Some(0o252), true).hold(None, false, false));
    add("only corners at first, weak", from(0, 0, "BWBWBWBWB", Some(0o505), false).attack(4, false));
    add("a stone there, attack", from(0, 0o2, "BWBWBWBW", Some(0o777), false).attack(4, false));
    add("White first, on a side", from(0, 0, "WBWBWBWBW", Some(0o252), true).hold(None, false, false));
    add("White stones there", from(0, 0o20, "BWBWBWBW", None, true).hold(None, false, false));
    let pairs = Game { cells: 6, black: vec![0b110, 0b11001], start: (0b100000, 0), ..Game::default() };
    let turns = "BWBWB".chars().collect();
    add("paired, with a stone there", Task::sets(Game { turns, ..pairs }).block(false, true));
    let untrue: Vec<&String> = found.iter().filter(|(_, text)| text.is_none()).map(|(name, _)| name).collect();
    assert!(untrue.is_empty(), "these claims are false: {untrue:?}");
    found.into_iter().filter_map(|(name, text)| Some((name, text?))).collect()
}

fn check(text: &str) -> Result<checker::Accepted, Refused> {
    checker::check(text.as_bytes())
}

#[test]
fn good_certificates_are_accepted() {
    for (name, text) in good() {
        if let Err(reason) = reference::parse(text.as_bytes()).and_then(|certificate| certificate.check()) {
            panic!("{name}: the reference refuses: {reason}\n{text}");
        }
        if let Err(refused) = check(&text) {
            panic!("{name}: {refused}\n{text}");
        }
    }
}

/// What the text becomes if line `number` (from 0) is replaced.
fn with_line(text: &str, number: usize, new: &[String]) -> String {
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    lines.splice(number..=number, new.iter().cloned());
    lines.concat_with_ends()
}

trait ConcatWithEnds {
    fn concat_with_ends(&self) -> String;
}

impl ConcatWithEnds for Vec<String> {
    fn concat_with_ends(&self) -> String {
        self.iter().map(|line| format!("{line}\n")).collect()
    }
}

/// The certificate with this name.
fn named(name: &str) -> String {
    good().into_iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("no {name}")).1
}

/// Both checkers refuse, the real one with a message that contains `reason`.
#[track_caller]
fn refused(text: &str, reason: &str) {
    assert!(!accepts(text.as_bytes()), "the reference accepts\n{text}");
    let refused = check(text).expect_err("the checker accepts");
    assert!(refused.to_string().contains(reason), "{refused}\ndoes not say '{reason}'\n{text}");
}

/// The number, from 0, of the first line that starts like this.
fn line_of(text: &str, start: &str) -> usize {
    text.lines().position(|line| line.starts_with(start)).unwrap_or_else(|| panic!("no line {start}\n{text}"))
}

/// Replaces the first line that starts like this.
fn replaced(text: &str, start: &str, new: &str) -> String {
    with_line(text, line_of(text, start), &[new.to_owned()])
}

#[test]
fn every_dropped_line_is_missed() {
    // The producers write no line that is not needed, so that none can go.
    for (name, text) in good() {
        let lines: Vec<&str> = text.lines().collect();
        for drop in 0..lines.len() {
            if lines[drop].starts_with("turns") || lines[drop].starts_with("first") || lines[drop].starts_with("white")
            {
                continue; // another game, in which the claim may be true as well: the mutations below cover these
            }
            let damaged = with_line(&text, drop, &[]);
            let refused = check(&damaged);
            assert_eq!(refused.is_ok(), accepts(damaged.as_bytes()), "{name} without line {}:\n{damaged}", drop + 1);
            if !lines[drop].starts_with("black") && !lines[drop].starts_with("start") {
                assert!(refused.is_err(), "{name} without line {} is accepted:\n{damaged}", drop + 1);
            }
        }
    }
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    for (name, text) in good() {
        for length in 0..text.len() {
            assert!(check(&text[..length]).is_err(), "{name} cut at {length} is accepted");
        }
    }
}

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % sides
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.roll(from.len())]
    }
}

/// One random change of a file: of a byte, a field, a bit of a set, a line.
fn mutated(text: &str, dice: &mut Dice) -> Vec<u8> {
    let mut lines: Vec<Vec<String>> = text.lines().map(|line| line.split(' ').map(String::from).collect()).collect();
    let line = dice.roll(lines.len());
    let field = dice.roll(lines[line].len());
    let other = dice.roll(lines.len());
    match dice.roll(12) {
        0..=2 => {
            let mut bytes = text.as_bytes().to_vec();
            let at = dice.roll(bytes.len());
            let byte = *dice.pick(b" 0123456789abcdefxBWpqnabrotme:-,#\n\r\xff");
            match dice.roll(3) {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => drop(bytes.remove(at)),
            }
            return bytes;
        }
        3 => lines[line][field] = dice.pick(&lines[other]).clone(),
        4 => lines[line][field] = format!("{}", dice.roll(20)),
        5 | 6 => {
            // A bit more or less in a set.
            if let Ok(set) = u64::from_str_radix(&lines[line][field], 16) {
                lines[line][field] = format!("{:x}", set ^ 1 << dice.roll(16));
            }
        }
        7 => {
            let field_too = dice.roll(lines[line].len());
            lines[line].swap(field, field_too);
        }
        8 => lines.swap(line, other),
        9 => {
            let copy = lines[line].clone();
            lines.insert(other, copy);
        }
        10 => drop(lines.remove(line)),
        _ => {
            // A number of a compound field: a pair, an answer, a cell of the shape, a child.
            let text = lines[line][field].clone();
            if let Some(separator) = text.chars().find(|letter| [':', '-', ','].contains(letter)) {
                let mut parts: Vec<String> = text.split(separator).map(String::from).collect();
                let part = dice.roll(parts.len());
                parts[part] = format!("{}", dice.roll(12));
                lines[line][field] = parts.join(&separator.to_string());
            } else {
                lines[line].remove(field);
            }
        }
    }
    lines.iter().flat_map(|fields| (fields.join(" ") + "\n").into_bytes()).collect()
}

/// Runs the checker and the reference on random changes of every good certificate. They must agree: a change that
/// both accept left the certificate right, one that the checker alone accepts is a hole in it.
fn agree_on_mutations(seed: u64, rounds: usize) {
    let (mut accepted, mut tried) = (0, 0);
    for (index, (name, text)) in good().into_iter().enumerate() {
        let mut dice = Dice(seed + index as u64);
        for _ in 0..rounds {
            let mut damaged = mutated(&text, &mut dice);
            if dice.roll(4) == 0 {
                damaged = mutated(&String::from_utf8_lossy(&damaged), &mut dice);
            }
            let verdict = checker::check(&damaged[..]);
            let lossy = String::from_utf8_lossy(&damaged);
            match &verdict {
                Ok(_) => assert!(accepts(&damaged), "{name}: accepted, but the reference refuses\n{lossy}"),
                Err(refused) => assert!(!accepts(&damaged), "{name}: the reference accepts, but\n{refused}\n{lossy}"),
            }
            tried += 1;
            accepted += usize::from(verdict.is_ok());
        }
    }
    // The dice must have found both kinds, or the test shows nothing.
    assert!(accepted * 50 > tried && accepted * 2 < tried, "{accepted} of {tried} accepted");
}

#[test]
fn no_mutation_is_accepted_that_the_reference_refuses() {
    agree_on_mutations(1, 150);
}

/// A longer run of the same: `cargo test --release --test teeth -- --ignored`.
#[test]
#[ignore = "minutes of the same test with other seeds"]
fn no_mutation_is_accepted_that_the_reference_refuses_at_length() {
    (2..30).for_each(|seed| agree_on_mutations(1000 * seed, 400));
}
