//! A tablebase as a file.
//!
//! ```text
//! HARARYTB                  8 bytes
//! version                   u16, little-endian like every number here
//! length of the header      u16
//! header                    width, height, torus, rule: a byte each; the number of cells of the shape: u16, then x
//!                           and y of each: a byte each; for 0, 1, 2, … stones: length and CRC-32 of the block: u32s
//! CRC-32 of all the above   u32
//! blocks                    the scores of the positions with 0, 1, 2, … stones, a byte each, zstd-compressed
//! ```
//!
//! Every byte is covered by a checksum or compared with what it must be, so that damage is found and named.

use super::{IMPOSSIBLE, Tablebase, Value};
use harary_certificate::{Board, Rule, Shape, Topology, whole_file};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use thiserror::Error;

const MAGIC: &[u8; 8] = b"HARARYTB";
const VERSION: u16 = 1;
/// Magic, version and length of the header.
const PREFIX: usize = 12;
/// Dense enough, and a 4x4 board is packed in a moment.
const LEVEL: i32 = 12;
/// A longer file is no tablebase: the largest has some millions of slots.
const LONGEST: u64 = 64 << 20;

/// Why a file is no tablebase one can use.
#[derive(Debug, Error)]
pub enum FileError {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It begins otherwise.
    #[error("not a tablebase: it should begin with HARARYTB")]
    NoTablebase,
    /// Written by another program than this.
    #[error("a tablebase of version {0}; this program reads version {VERSION}")]
    Version(u16),
    /// The header is damaged.
    #[error("damaged: the header, bytes 0 to {last}, {what}")]
    Header {
        /// Its last byte.
        last: usize,
        /// What is wrong with it.
        what: &'static str,
    },
    /// A block is damaged.
    #[error("damaged: block {stones} (the positions with {stones} stones), bytes {first} to {last}, {what}")]
    Block {
        /// The stones of its positions.
        stones: usize,
        /// Its first byte.
        first: usize,
        /// Its last byte.
        last: usize,
        /// What is wrong with it.
        what: &'static str,
    },
    /// The file ends too early.
    #[error("cut off: the file has {length} bytes and ends inside block {stones}, which should end at byte {last}")]
    Short {
        /// Its bytes.
        length: usize,
        /// The block it ends in.
        stones: usize,
        /// Where that block should end.
        last: usize,
    },
    /// The file goes on too long.
    #[error("damaged: there are {more} bytes too many, from byte {from} on")]
    Trailing {
        /// The first byte too many.
        from: usize,
        /// How many there are.
        more: usize,
    },
}

impl Tablebase {
    /// Writes it, whole or not at all.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        whole_file::write(path, &self.to_bytes()?)
    }

    /// Reads what [`Tablebase::save`] wrote.
    pub fn load(path: &Path) -> Result<Tablebase, FileError> {
        Tablebase::read(File::open(path)?)
    }

    /// The same from any source; no more of it is read than the longest tablebase has.
    pub fn read(source: impl Read) -> Result<Tablebase, FileError> {
        let mut bytes = Vec::new();
        source.take(LONGEST).read_to_end(&mut bytes)?;
        Tablebase::from_bytes(&bytes)
    }

    /// The file.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let blocks = self
            .layers
            .iter()
            .map(|layer| zstd::bulk::compress(bytemuck::cast_slice(layer), LEVEL))
            .collect::<io::Result<Vec<_>>>()?;
        let mut header = vec![
            self.board.width() as u8,
            self.board.height() as u8,
            u8::from(self.board.is_torus()),
            match self.rule() {
                _ if self.avoids => AVOIDANCE,
                Rule::Strong => 0,
                Rule::Weak => 1,
            },
        ];
        header.extend((self.shape.size() as u16).to_le_bytes());
        header.extend(self.shape.cells().iter().flat_map(|&(x, y)| [x, y]));
        for block in &blocks {
            header.extend((block.len() as u32).to_le_bytes());
            header.extend(crc32fast::hash(block).to_le_bytes());
        }
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        blocks.iter().for_each(|block| bytes.extend(block));
        Ok(bytes)
    }

    /// Reads a file. The values are not checked against the rules: that is [`Tablebase::verify`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Tablebase, FileError> {
        if !bytes.starts_with(MAGIC) {
            return Err(FileError::NoTablebase);
        }
        let mut prefix = Fields(&bytes[MAGIC.len()..]);
        let damaged = |what| FileError::Header { last: bytes.len().min(PREFIX).saturating_sub(1), what };
        let version = prefix.u16().ok_or_else(|| damaged("is cut off"))?;
        if version != VERSION {
            return Err(FileError::Version(version));
        }
        let length = usize::from(prefix.u16().ok_or_else(|| damaged("is cut off"))?);
        let end = PREFIX + length;
        let damaged = |what| FileError::Header { last: end + 3, what };
        let sum = bytes.get(end..end + 4).ok_or_else(|| damaged("is cut off or has a wrong length"))?;
        if crc32fast::hash(&bytes[..end]).to_le_bytes() != *sum {
            return Err(damaged("does not have the checksum it should"));
        }
        let mut header = Fields(&bytes[PREFIX..end]);
        let mut tablebase = header.tablebase().ok_or_else(|| damaged("describes no game"))?;
        let mut first = end + 4;
        for stones in 0..=tablebase.board.size() {
            let (Some(length), Some(sum)) = (header.u32(), header.u32()) else {
                return Err(damaged("lacks a block"));
            };
            let last = (first + length as usize).saturating_sub(1);
            let short = FileError::Short { length: bytes.len(), stones, last };
            let block = bytes.get(first..first + length as usize).ok_or(short)?;
            let wrong = |what| FileError::Block { stones, first, last, what };
            if crc32fast::hash(block) != sum {
                return Err(wrong("does not have the checksum it should"));
            }
            let slots = tablebase.numbering.slots(stones);
            let scores = zstd::bulk::decompress(block, slots).map_err(|_| wrong("cannot be unpacked"))?;
            if scores.len() != slots {
                return Err(wrong("holds too few positions"));
            }
            let scores: Vec<i8> = bytemuck::cast_vec(scores);
            if !scores.iter().all(|&score| score == IMPOSSIBLE || Value::from_score(score).is_some()) {
                return Err(wrong("holds values that are none"));
            }
            tablebase.layers.push(scores);
            first += length as usize;
        }
        if !header.0.is_empty() {
            return Err(damaged("is too long"));
        }
        match bytes.len() - first {
            0 => Ok(tablebase),
            more => Err(FileError::Trailing { from: first, more }),
        }
    }
}

/// The rule byte of the avoidance game; that of the strong rule is 0, that of the weak one 1.
const AVOIDANCE: u8 = 2;

/// Bytes read from the front.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn take<const K: usize>(&mut self) -> Option<[u8; K]> {
        let (taken, rest) = self.0.split_first_chunk::<K>()?;
        self.0 = rest;
        Some(*taken)
    }

    fn u8(&mut self) -> Option<u8> {
        self.take().map(u8::from_le_bytes)
    }

    fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    /// The game, without its values.
    fn tablebase(&mut self) -> Option<Tablebase> {
        let (width, height) = (self.u8()?, self.u8()?);
        let topology = match self.u8()? {
            0 => Topology::Plain,
            1 => Topology::Torus,
            _ => return None,
        };
        let (rule, avoids) = match self.u8()? {
            0 => (Rule::Strong, false),
            1 => (Rule::Weak, false),
            AVOIDANCE => (Rule::Strong, true),
            _ => return None,
        };
        let count = self.u16()?;
        let cells =
            (0..count).map(|_| Some((self.u8()?.into(), self.u8()?.into()))).collect::<Option<Vec<(i32, i32)>>>()?;
        let board = Board::new(width.into(), height.into(), topology).ok()?;
        let tablebase = Tablebase::empty(&Shape::new(&cells).ok()?, board, rule).ok()?;
        Some(if avoids { tablebase.avoiding() } else { tablebase })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Tablebase {
        let board = Board::parse("3x3", Topology::Torus).unwrap();
        Tablebase::build(&Shape::from_rows("X./XX").unwrap(), board, Rule::Weak).unwrap()
    }

    #[test]
    fn a_file_comes_back_as_it_was() {
        let tablebase = small();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("el.tb");
        tablebase.save(&path).unwrap();
        let back = Tablebase::load(&path).unwrap();
        assert_eq!(back.layers, tablebase.layers);
        assert_eq!((back.game(), back.shape(), back.board()), (tablebase.game(), tablebase.shape(), tablebase.board()));
        let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
        assert_eq!(left.len(), 1, "nothing but the file is left: {left:?}");
    }

    #[test]
    fn every_flipped_byte_is_found_and_its_place_named() {
        let good = small().to_bytes().unwrap();
        let header = PREFIX + usize::from(u16::from_le_bytes([good[10], good[11]])) + 4;
        for offset in 0..good.len() {
            for flip in [0x01, 0x80, 0xff] {
                let mut bytes = good.clone();
                bytes[offset] ^= flip;
                let error = Tablebase::from_bytes(&bytes).err().unwrap_or_else(|| panic!("byte {offset} ^ {flip:#x}"));
                let named = match &error {
                    FileError::NoTablebase => offset < 8,
                    FileError::Version(_) => (8..10).contains(&offset),
                    FileError::Header { .. } => (10..header).contains(&offset),
                    FileError::Block { first, last, .. } => (*first..=*last).contains(&offset),
                    _ => false,
                };
                assert!(named, "byte {offset}: {error}");
            }
        }
    }

    #[test]
    fn a_file_cut_off_or_too_long_is_refused() {
        let good = small().to_bytes().unwrap();
        for length in 0..good.len() {
            assert!(Tablebase::from_bytes(&good[..length]).is_err(), "{length} bytes");
        }
        let cut = Tablebase::from_bytes(&good[..good.len() - 1]).err().unwrap().to_string();
        assert!(cut.contains("ends inside block 9"), "{cut}");
        let mut long = good.clone();
        long.push(0);
        assert!(matches!(Tablebase::from_bytes(&long), Err(FileError::Trailing { more: 1, .. })));
    }
}
