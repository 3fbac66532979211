//! A pool as a file, shared by all boards.
//!
//! ```text
//! harary-cards 1
//! shape 0,0 1,0 2,0
//! c 0 3x1 3 4 done 2
//! …                        a card a line, as in certificates (docs/certificate.md), numbered from 0
//! end 17 5f3a…             how many cards, and the BLAKE3 hash of all lines above
//! ```
//!
//! Nothing in a file is believed: the checker judges each card when it is read.

use super::pool::Pool;
use harary_certificate::model::Card;
use harary_certificate::{CertificateWriter, Refused, Shape, whole_file};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use thiserror::Error;

const TITLE: &str = "harary-cards 1";

/// A longer file is none of ours.
const LONGEST: u64 = 4 << 30;

/// Why a file is no pool one can use.
#[derive(Debug, Error)]
pub enum FileError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It begins otherwise.
    #[error("no file of cards: it should begin with '{TITLE}'")]
    NoCards,
    /// It ends too early or was changed.
    #[error("damaged: {0}")]
    Damaged(String),
    /// A card is wrong.
    #[error("{0}")]
    Refused(#[from] Refused),
}

impl Pool {
    /// Writes it, whole or not at all.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        whole_file::write(path, &self.to_bytes()?)
    }

    /// Reads what [`Pool::save`] wrote.
    pub fn load(path: &Path) -> Result<Pool, FileError> {
        Pool::read(File::open(path)?)
    }

    /// The same from any source.
    pub fn read(source: impl Read) -> Result<Pool, FileError> {
        let mut bytes = Vec::new();
        source.take(LONGEST + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > LONGEST {
            return Err(FileError::Damaged(format!("more than {LONGEST} bytes")));
        }
        Pool::from_bytes(&bytes)
    }

    /// The file.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut out = format!("{TITLE}\nshape {}\n", self.shape()).into_bytes();
        let mut writer = CertificateWriter::continuing(&mut out);
        for (number, card) in (0..).zip(self.cards()) {
            writer.c(number, card)?;
        }
        let hash = blake3::hash(&out);
        out.extend(format!("end {} {hash}\n", self.cards().len()).bytes());
        Ok(out)
    }

    /// What [`Pool::to_bytes`] wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Pool, FileError> {
        let damaged = |what: &str| FileError::Damaged(what.to_owned());
        if !bytes.starts_with(TITLE.as_bytes()) || bytes.get(TITLE.len()) != Some(&b'\n') {
            return Err(FileError::NoCards);
        }
        let cut = || damaged("it is cut off: the last line is not the 'end' line");
        let body = bytes.strip_suffix(b"\n").ok_or_else(cut)?;
        let last = body.iter().rposition(|&byte| byte == b'\n').ok_or_else(cut)? + 1;
        let (lines, end) = bytes.split_at(last);
        let end = std::str::from_utf8(end).ok().and_then(|end| end.trim_end().strip_prefix("end ")).ok_or_else(cut)?;
        let (count, hash) = end.split_once(' ').ok_or_else(cut)?;
        if hash != blake3::hash(lines).to_hex().as_str() {
            return Err(damaged("the hash of its 'end' line is another one"));
        }
        let text = std::str::from_utf8(lines).map_err(|_| damaged("it is no text"))?;
        let mut cards: Vec<Card> = Vec::new();
        let mut shape = None;
        for (index, line) in text.lines().enumerate().skip(1) {
            let at = |reason: String| FileError::Refused(Refused::at(index as u64 + 1, reason));
            if index == 1 {
                let cells = line.strip_prefix("shape ").ok_or_else(|| at("the shape is missing".to_owned()))?;
                shape = Some(Shape::from_cells(cells).map_err(|error| at(error.to_string()))?);
                continue;
            }
            let (id, card) = Card::read(line, index as u64 + 1).map_err(at)?;
            if id as usize != cards.len() {
                return Err(at(format!("card {id} stands where {} has to", cards.len())));
            }
            cards.push(card);
        }
        if count != cards.len().to_string() {
            return Err(damaged("it says it has another number of cards"));
        }
        let shape = shape.ok_or_else(|| damaged("the shape is missing"))?;
        Ok(Pool::checked(shape, cards)?)
    }
}
