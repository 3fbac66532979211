//! The checker's teeth, with an eye on format 2: of thousands of changes of good certificates, the checker and the slow
//! reference accept the same.

#[allow(dead_code)]
mod reference;

use harary_certificate::checker;
use reference::corpus::good;
use std::collections::{BTreeMap, BTreeSet};

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        // A step of the generator splitmix64.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) >> 8) as usize % sides
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.roll(from.len())]
    }
}

/// A certificate as lines of fields.
type Lines = Vec<Vec<String>>;

fn split(text: &str) -> Lines {
    text.lines().map(|line| line.split(' ').map(String::from).collect()).collect()
}

/// A line of a random kind, so that a single `g` or `u` is met as often as the many `p`.
fn some_line(lines: &Lines, dice: &mut Dice) -> usize {
    let words: Vec<&String> = lines.iter().map(|line| &line[0]).collect::<BTreeSet<_>>().into_iter().collect();
    let word = *dice.pick(&words);
    let alike: Vec<usize> = (0..lines.len()).filter(|&line| lines[line][0] == *word).collect();
    *dice.pick(&alike)
}

/// Another number in place of one of those in a field such as `3:12`, `1@5,1,-1` or `2x1`.
fn another_number(field: &str, dice: &mut Dice) -> String {
    let digits: Vec<usize> = (0..field.len()).filter(|&at| field.as_bytes()[at].is_ascii_digit()).collect();
    if digits.is_empty() {
        return field.to_owned();
    }
    let inside = *dice.pick(&digits);
    let is_digit = |letter: char| letter.is_ascii_digit();
    let start = field[..inside].rfind(|letter| !is_digit(letter)).map_or(0, |at| at + 1);
    let end = field[inside..].find(|letter| !is_digit(letter)).map_or(field.len(), |at| inside + at);
    let old: u64 = field[start..end].parse().unwrap_or(0);
    let new = match dice.roll(6) {
        0 | 1 => format!("{}", old.wrapping_add(1)),
        2 | 3 => format!("{}", old.saturating_sub(1)),
        4 => format!("{}", dice.roll(12)),
        _ => format!("-{old}"),
    };
    format!("{}{new}{}", &field[..start], &field[end..])
}

/// A set with one or two bits more or less.
fn another_set(field: &str, dice: &mut Dice) -> Option<String> {
    let mut set = u64::from_str_radix(field, 16).ok()?;
    (0..=dice.roll(2)).for_each(|_| set ^= 1 << dice.roll(10));
    Some(format!("{set:x}"))
}

/// A header line in place of the one with the same word, or none.
fn another_header(lines: &mut Lines, dice: &mut Dice) {
    let headers = [
        "harary-certificate 1",
        "harary-certificate 2",
        "rule strong",
        "rule weak",
        "claim hold",
        "claim hold 5",
        "claim hold 20",
        "claim win 5",
        "claim win 6",
        "claim loss 4",
        "claim loss 5",
        "symmetry none",
        "symmetry board",
        "symmetry generators 1",
        "turns BWBWBWBWB",
        "turns BWBWB",
        "first 1f",
        "root explicit",
    ];
    let new = split(headers[dice.roll(headers.len())]).remove(0);
    match lines.iter().position(|line| line[0] == new[0]) {
        Some(at) => lines[at] = new,
        None if new[0] == "turns" => {
            let at = lines.iter().position(|line| line[0] == "rule").map_or(0, |at| at + 1);
            lines.insert(at, new);
        }
        None if new[0] == "first" => {
            let at = lines.iter().position(|line| line[0] == "rule").unwrap_or(0);
            lines.insert(at, new);
        }
        None => lines.push(new),
    }
}

/// One random change of a file.
fn change(text: &str, dice: &mut Dice) -> Vec<u8> {
    let mut lines = split(text);
    let line = some_line(&lines, dice);
    let other = some_line(&lines, dice);
    let field = dice.roll(lines[line].len());
    match dice.roll(16) {
        0 | 1 => lines[line][field] = another_number(&lines[line][field], dice),
        2..=4 => {
            if let Some(set) = another_set(&lines[line][field], dice) {
                lines[line][field] = set;
            }
        }
        5 | 6 => {
            // The same field of a line of the same kind.
            let alike: Vec<usize> = (0..lines.len()).filter(|&at| lines[at][0] == lines[line][0]).collect();
            let from = *dice.pick(&alike);
            if let Some(text) = lines[from].get(field).cloned() {
                lines[line][field] = text;
            }
        }
        7 => lines[line][field] = dice.pick(&lines[other]).clone(),
        8 => {
            // The last fields are answers, pairs, children: one more, or one less.
            let at = dice.roll(lines[line].len());
            let copy = lines[line][at].clone();
            match dice.roll(2) {
                0 => lines[line].insert(field, copy),
                _ => drop(lines[line].remove(field)),
            }
        }
        9 => {
            let field_too = dice.roll(lines[line].len());
            lines[line].swap(field, field_too);
        }
        10 => lines.swap(line, other),
        11 => {
            let copy = lines[line].clone();
            lines.insert(other, copy);
        }
        12 => drop(lines.remove(line)),
        13 => another_header(&mut lines, dice),
        14 => {
            // The node's id, or its child's, becomes that of another node.
            let ids: Vec<String> =
                lines.iter().filter(|line| "acuns".contains(&line[0])).map(|line| line[1].clone()).collect();
            if !ids.is_empty() {
                let id = dice.pick(&ids).clone();
                let old = lines[line][field].clone();
                lines[line][field] = match (old.split_once('@'), old.rsplit_once(':')) {
                    (Some((_, place)), _) => format!("{id}@{place}"),
                    (_, Some((cells, _))) => format!("{cells}:{id}"),
                    _ => id,
                };
            }
        }
        _ => {
            let mut bytes = text.as_bytes().to_vec();
            let at = dice.roll(bytes.len());
            let byte = *dice.pick(b" 0123456789abcdefxBWpqnsulkg@:-,#\n\r\xff");
            match dice.roll(3) {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => drop(bytes.remove(at)),
            }
            return bytes;
        }
    }
    lines.iter().flat_map(|fields| (fields.join(" ") + "\n").into_bytes()).collect()
}

/// What was seen of the changes of the certificates that have a kind of line.
#[derive(Default, Debug)]
struct Seen {
    accepted: usize,
    refused: usize,
}

/// Runs the checker and the reference on random changes of every good certificate. They must agree.
fn agree(seed: u64, rounds: usize) {
    let mut seen: BTreeMap<String, Seen> = BTreeMap::new();
    let mut skipped = 0;
    for (index, (name, text)) in good().into_iter().enumerate() {
        let mut dice = Dice(seed << 32 | index as u64);
        for _ in 0..rounds {
            let mut damaged = change(&text, &mut dice);
            while dice.roll(3) == 0 && !damaged.is_empty() {
                damaged = change(&String::from_utf8_lossy(&damaged), &mut dice);
            }
            let (verdict, expected) = (checker::check(&damaged[..]), reference::verdict(&damaged));
            if expected.as_ref().is_err_and(|reason| reason == reference::TOO_LARGE) {
                skipped += 1;
                continue;
            }
            let lossy = String::from_utf8_lossy(&damaged);
            match (&verdict, expected) {
                (Ok(_), Err(reason)) => panic!("{name}: accepted, but the reference says: {reason}\n{lossy}"),
                (Err(refused), Ok(())) => panic!("{name}: the reference accepts, but\n{refused}\n{lossy}"),
                _ => {}
            }
            for kind in text.lines().filter_map(|line| line.split(' ').next()).collect::<BTreeSet<_>>() {
                let seen = seen.entry(kind.to_owned()).or_default();
                *(if verdict.is_ok() { &mut seen.accepted } else { &mut seen.refused }) += 1;
            }
        }
    }
    // The dice must have found both verdicts for each kind, or the test shows nothing.
    for (kind, seen) in &seen {
        assert!(seen.accepted * 50 > seen.refused && seen.refused > seen.accepted, "{kind}: {seen:?}");
    }
    let tried = seen["game"].accepted + seen["game"].refused;
    assert!(skipped * 100 < tried, "{skipped} games too large for the reference, {tried} tried");
}

#[test]
fn the_reference_and_the_checker_accept_the_same() {
    agree(1, 100);
}

/// A longer run of the same: `cargo test --release --test teeth_two -- --ignored`.
#[test]
#[ignore = "minutes of the same test with other seeds"]
fn the_reference_and_the_checker_accept_the_same_at_length() {
    (2..22).for_each(|seed| agree(seed, 500));
}

/// Corners of the page that the dice do not find: both checkers decide as it says.
#[test]
fn corners_of_the_page_are_read_as_it_says() {
    let win = "harary-certificate 2\ngame 2x2 plain 0,0 1,0\nrule strong\nclaim win 3\nsymmetry none\np 0 0 0 0\n";
    let packed = |text: &str| zstd::encode_all(text.as_bytes(), 3).unwrap();
    let comment = |length: usize| format!("#{}\n{win}", " ".repeat(length - 2)).into_bytes();
    let full = |first: &str| {
        let game = format!("game sets 1\nblack 1\nstart 0 1\nfirst {first}\nrule weak");
        format!("harary-certificate 2\n{game}\nclaim hold\nsymmetry none\nroot explicit\n").into_bytes()
    };
    let shape = |cells: &str| win.replace("0,0 1,0", cells).into_bytes();
    let complete = win.replace("2x2", "3x3").replace("p 0 0 0 0", "p 0 0 0 4\np 3 180 0 6").into_bytes();
    let cases = [
        (true, "CR in a comment", format!("# a\r\n{win}").into_bytes()),
        (true, "a comment at the end", format!("{win}# a\n").into_bytes()),
        (false, "a comment without a line end", format!("{win}# a").into_bytes()),
        (true, "the longest comment", comment(1_048_576)),
        (false, "a comment too long", comment(1_048_577)),
        (true, "two frames", [packed(&win[..30]), packed(&win[30..])].concat()),
        (false, "junk behind a frame", [packed(win), b"junk".to_vec()].concat()),
        (false, "packed twice", zstd::encode_all(&packed(win)[..], 3).unwrap()),
        (true, "the largest number", win.replace("win 3", "win 18446744073709551615").into_bytes()),
        (false, "beyond the largest number", win.replace("win 3", "win 18446744073709551616").into_bytes()),
        (true, "a shape far away", shape("18446744073709551614,9 18446744073709551615,9")),
        (false, "a shape with a gap, far away", shape("2147483646,0 2147483650,0")),
        (false, "a shape too wide", shape("0,0 19,0")),
        (true, "a full board, and nothing is allowed at first", full("0")),
        (true, "a full board, and a stone is allowed at first", full("1")),
        (false, "a line for a set that is complete already", complete),
    ];
    for (accepted, name, text) in cases {
        let checked = checker::check(&text[..]).map(drop).map_err(|refused| refused.to_string());
        let expected = reference::verdict(&text);
        assert_eq!(expected.is_ok(), accepted, "{name}: the reference: {expected:?}");
        assert_eq!(checked.is_ok(), accepted, "{name}: the checker: {checked:?}");
    }
}
