//! The text: lines, fields, and the forms of numbers, cells, sets, ids and shifts.

use super::{Result, Set, TOO_LARGE, need};

/// The text of a file that may be compressed.
pub fn unpacked(bytes: &[u8]) -> Result<Vec<u8>> {
    if bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        return zstd::decode_all(bytes).map_err(|error| format!("zstd: {error}"));
    }
    Ok(bytes.to_vec())
}

/// The lines of a file that are no comments, and the place of the next one to read.
pub struct Lines<'a> {
    lines: Vec<Vec<&'a str>>,
    at: usize,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a [u8]) -> Result<Lines<'a>> {
        need(text.last() == Some(&b'\n'), "no line end at the end")?;
        let mut lines = Vec::new();
        for line in text[..text.len() - 1].split(|&byte| byte == b'\n') {
            let length = line.len() + 1;
            if line.starts_with(b"#") {
                need(length <= 1_048_576, "a comment too long")?;
                continue;
            }
            need(length <= 65_536, "a line too long")?;
            let line = std::str::from_utf8(line).map_err(|_| "strange bytes")?;
            let fields: Vec<&str> = line.split(' ').collect();
            need(fields.iter().all(|field| !field.is_empty()), "an empty field")?;
            lines.push(fields);
        }
        Ok(Lines { lines, at: 0 })
    }

    /// The next line, which must be there.
    pub fn next(&mut self) -> Result<Vec<&'a str>> {
        let line = self.lines.get(self.at).ok_or("the file ends too early")?;
        self.at += 1;
        Ok(line.clone())
    }

    /// The next line if its first word is this.
    pub fn next_if(&mut self, word: &str) -> Option<Vec<&'a str>> {
        let line = self.lines.get(self.at).filter(|line| line[0] == word)?;
        self.at += 1;
        Some(line.clone())
    }

    /// The lines that have not been read.
    pub fn rest(&self) -> &[Vec<&'a str>] {
        &self.lines[self.at..]
    }
}

pub fn number(text: &str) -> Result<u64> {
    let value: u64 = text.parse().map_err(|_| format!("{text}: no number"))?;
    need(value.to_string() == text, "a number in a strange form")?;
    Ok(value)
}

/// A number with a limit, which it must not reach.
pub fn below(text: &str, limit: usize) -> Result<usize> {
    let value = number(text)?;
    need(value < limit as u64, "a number too large")?;
    Ok(value as usize)
}

pub fn id(text: &str) -> Result<u64> {
    let value = number(text)?;
    need(value < 1 << 32, "an id too large")?;
    Ok(value)
}

pub fn shift(text: &str) -> Result<i64> {
    let size = below(text.strip_prefix('-').unwrap_or(text), 100)? as i64;
    need(text != "-0", "minus zero")?;
    Ok(if text.starts_with('-') { -size } else { size })
}

/// The cells of a set of a game or a box with `vertices` cells, in ascending order, whatever its size.
pub fn members(text: &str, vertices: usize) -> Result<Vec<usize>> {
    let digits: Vec<u32> = text
        .chars()
        .map(|letter| letter.to_digit(16).filter(|_| !letter.is_ascii_uppercase()))
        .collect::<Option<_>>()
        .ok_or("no set")?;
    need(!digits.is_empty() && (text == "0" || digits[0] != 0), "a set in a strange form")?;
    let mut found = Vec::new();
    for (place, digit) in digits.iter().rev().enumerate() {
        found.extend((0..4).filter(|low| digit >> low & 1 == 1).map(|low| 4 * place + low));
    }
    need(found.iter().all(|&cell| cell < vertices), "a set with cells that there are not")?;
    Ok(found)
}

pub fn set(text: &str, vertices: usize) -> Result<Set> {
    need(vertices <= 128, TOO_LARGE)?;
    Ok(members(text, vertices)?.into_iter().map(super::bit).sum())
}

/// Two parts with one separator between them.
pub fn two(text: &str, separator: char) -> Result<(&str, &str)> {
    text.split_once(separator).ok_or_else(|| format!("{text}: no '{separator}'"))
}

pub fn pairs(fields: &[&str], vertices: usize) -> Result<Vec<(usize, usize)>> {
    let pair = |field: &&str| {
        let (a, b) = two(field, '-')?;
        Ok((below(a, vertices)?, below(b, vertices)?))
    };
    fields.iter().map(pair).collect()
}

/// The sides of a board or a box: 1 to 19 each.
pub fn sides(text: &str) -> Result<(usize, usize)> {
    let (width, height) = two(text, 'x')?;
    let sides = (below(width, 20)?, below(height, 20)?);
    need(sides.0 > 0 && sides.1 > 0, "a side of no length")?;
    Ok(sides)
}
