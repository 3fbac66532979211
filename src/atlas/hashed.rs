//! The text of a certificate as it is read, and how it is known again.

use super::entry::Mark;
use crate::game::words::UsageError;
use crate::game::words::input::{name, open};
use std::io::{self, Read};
use std::path::Path;

/// The text of a certificate, plain or zstd-compressed, hashed as it is read.
pub struct Hashed {
    text: Box<dyn Read>,
    hasher: blake3::Hasher,
    bytes: u64,
}

/// How compressed files begin.
const ZSTD: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

impl Hashed {
    /// The text of a file, or of standard input for `-`.
    pub fn open(path: &Path) -> anyhow::Result<Hashed> {
        let cannot = |error: io::Error| UsageError(format!("cannot read {}: {error}", name(path)));
        Ok(Hashed::new(open(path)?).map_err(cannot)?)
    }

    /// The text of what is read.
    pub fn new(mut input: Box<dyn Read>) -> io::Result<Hashed> {
        let mut magic = Vec::new();
        input.by_ref().take(ZSTD.len() as u64).read_to_end(&mut magic)?;
        let compressed = magic == ZSTD;
        let whole = io::Cursor::new(magic).chain(input);
        let text: Box<dyn Read> = if compressed { Box::new(zstd::Decoder::new(whole)?) } else { Box::new(whole) };
        Ok(Hashed { text, hasher: blake3::Hasher::new(), bytes: 0 })
    }

    /// How what was read is known again.
    pub fn mark(&self) -> Mark {
        Mark { hash: *self.hasher.finalize().as_bytes(), bytes: self.bytes }
    }
}

impl Read for Hashed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.text.read(buffer)?;
        self.hasher.update(&buffer[..read]);
        self.bytes += read as u64;
        Ok(read)
    }
}
