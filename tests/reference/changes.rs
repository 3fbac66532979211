//! Random changes of certificates, the same every time: of a number, a set, a field, a line, the header.

use std::collections::BTreeSet;

/// Numbers that look random and are the same every time.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: usize) -> usize {
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
            let ids: Vec<String> = lines
                .iter()
                .filter(|line| "acuns".contains(&line[0]))
                .filter_map(|line| line.get(1).cloned())
                .collect();
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

/// One change of a file, sometimes several.
pub fn changed(text: &str, dice: &mut Dice) -> Vec<u8> {
    let mut damaged = change(text, dice);
    while dice.roll(3) == 0 && !damaged.is_empty() {
        damaged = change(&String::from_utf8_lossy(&damaged), dice);
    }
    damaged
}
