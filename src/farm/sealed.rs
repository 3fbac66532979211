//! Files of a farm: text with a first line that says what it is and a last one that proves it is whole.
//!
//! ```text
//! harary-farm-KIND 1
//! …
//! sum <blake3 of all before, in hexadecimal>
//! ```
//!
//! They may be compressed with zstd, which their first four bytes tell. They are written under another name and renamed.

use harary_certificate::whole_file;
use std::fmt::{self, Write};
use std::io::{self, Read};
use std::path::Path;

/// No file of a farm is longer when it is unpacked.
const LONGEST: u64 = 4 << 30;

/// How hard zstd tries: these files are written often.
const ZSTD_LEVEL: i32 = 3;

/// The bytes that tell a compressed file.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Damage(pub String);

impl Damage {
    /// Something is wrong in this line, counted from 1.
    pub fn at(line: usize, what: impl fmt::Display) -> Damage {
        Damage(format!("line {line}: {what}"))
    }
}

/// The text of a file of this kind.
pub fn seal(kind: &str, body: &str) -> String {
    let mut text = format!("harary-farm-{kind} 1\n{body}");
    let sum = blake3::hash(text.as_bytes()).to_hex();
    // Writing to a string does not fail.
    let _ = writeln!(text, "sum {sum}");
    text
}

/// Writes a file of this kind, compressed if its name ends in `.zst`.
pub fn write(path: &Path, kind: &str, body: &str) -> io::Result<()> {
    let text = seal(kind, body);
    match path.extension().is_some_and(|extension| extension == "zst") {
        true => whole_file::write(path, &zstd::encode_all(text.as_bytes(), ZSTD_LEVEL)?),
        false => whole_file::write(path, text.as_bytes()),
    }
}

/// The lines between the first and the last of a file of this kind.
pub fn unseal(kind: &str, bytes: &[u8]) -> Result<String, Damage> {
    let mut text = unpacked(bytes)?;
    let first = format!("harary-farm-{kind} 1\n");
    if !text.starts_with(&first) {
        return Err(Damage(format!("it does not begin with '{}'", first.trim_end())));
    }
    let cut = || Damage("it is cut off: no sum in its last line".to_owned());
    let before = text.strip_suffix('\n').and_then(|text| text.rfind('\n')).ok_or_else(cut)? + 1;
    let sum = text[before..].trim_end().strip_prefix("sum ").ok_or_else(cut)?;
    if blake3::hash(&text.as_bytes()[..before]).to_hex().as_str() != sum {
        return Err(Damage("its sum is wrong: it was changed or damaged".to_owned()));
    }
    text.truncate(before);
    text.drain(..first.len());
    Ok(text)
}

fn unpacked(bytes: &[u8]) -> Result<String, Damage> {
    let no_text = || Damage("it is no text".to_owned());
    if !bytes.starts_with(&ZSTD) {
        return String::from_utf8(bytes.to_vec()).map_err(|_| no_text());
    }
    let decoder = zstd::Decoder::new(bytes).map_err(|error| Damage(error.to_string()))?;
    let mut text = String::new();
    decoder
        .take(LONGEST)
        .read_to_string(&mut text)
        .map_err(|error| Damage(format!("it cannot be unpacked: {error}")))?;
    Ok(text)
}

/// The lines of an unsealed file, word by word.
pub struct Words<'a> {
    /// Its number in the file, counted from 1.
    pub line: usize,
    words: std::str::Split<'a, char>,
}

/// The lines of an unsealed text; the first of them is line 2 of the file.
pub fn lines(body: &str) -> impl Iterator<Item = Words<'_>> {
    body.lines().enumerate().map(|(index, text)| Words { line: index + 2, words: text.split(' ') })
}

impl<'a> Words<'a> {
    /// The next word.
    pub fn word(&mut self, what: &str) -> Result<&'a str, Damage> {
        self.words.next().filter(|word| !word.is_empty()).ok_or_else(|| self.missing(what))
    }

    /// The next word as a number, a cell, whatever can be read.
    pub fn read<T: std::str::FromStr>(&mut self, what: &str) -> Result<T, Damage> {
        let word = self.word(what)?;
        word.parse().map_err(|_| Damage::at(self.line, format!("'{word}' is no {what}")))
    }

    /// The next word as a set of cells.
    pub fn set<const N: usize>(&mut self, what: &str) -> Result<harary_certificate::CellSet<N>, Damage> {
        let word = self.word(what)?;
        let set = harary_certificate::CellSet::from_hex(word);
        set.ok_or_else(|| Damage::at(self.line, format!("'{word}' is no set of cells ({what})")))
    }

    /// All that is left of the line.
    pub fn rest(&mut self) -> String {
        self.words.by_ref().collect::<Vec<_>>().join(" ")
    }

    /// That nothing is left.
    pub fn end(mut self) -> Result<(), Damage> {
        match self.words.next() {
            None => Ok(()),
            Some(word) => Err(Damage::at(self.line, format!("'{word}' is too much"))),
        }
    }

    fn missing(&self, what: &str) -> Damage {
        Damage::at(self.line, format!("no {what}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_file_comes_back_and_every_change_is_seen() {
        let text = seal("test", "one 1\ntwo 2\n");
        assert_eq!(unseal("test", text.as_bytes()).unwrap(), "one 1\ntwo 2\n");
        assert!(unseal("other", text.as_bytes()).is_err());
        for place in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[place] ^= 1;
            assert!(unseal("test", &bytes).is_err(), "byte {place}");
            assert!(unseal("test", &text.as_bytes()[..place]).is_err(), "cut at {place}");
        }
        let packed = zstd::encode_all(text.as_bytes(), 3).unwrap();
        assert_eq!(unseal("test", &packed).unwrap(), "one 1\ntwo 2\n");
        assert!(unseal("test", &packed[..packed.len() / 2]).is_err());
    }

    #[test]
    fn words_say_what_is_missing() {
        let mut found = lines("job 12 x\n");
        let mut words = found.next().unwrap();
        assert_eq!((words.word("a word").unwrap(), words.read::<u32>("a number").unwrap()), ("job", 12));
        assert_eq!(words.read::<u32>("number").unwrap_err().to_string(), "line 2: 'x' is no number");
        assert_eq!(words.word("verdict").unwrap_err().to_string(), "line 2: no verdict");
    }
}
