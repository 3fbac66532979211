//! A slow reference checker of formats 1 and 2, written from `docs/certificate.md` alone, to be obviously right.
//!
//! It shares nothing with the real checker: an independent parser and plain recursion, on 128-bit sets. It knows no
//! shortcuts and no bulk judgements; it is the twin the real checker is held against.

mod body;
mod cards;
pub mod changes;
pub mod corpus;
pub mod game;
mod header;
mod lines;
mod nodes;
pub mod page;
mod positions;
pub mod producer;

use body::Certificate;

/// A set of cells: bit `c` stands for cell `c`.
pub type Set = u128;

pub type Result<T> = std::result::Result<T, String>;

/// The reference's word on a game it has no room for.
pub const TOO_LARGE: &str = "the reference takes small games only";

pub fn bit(cell: usize) -> Set {
    1 << cell
}

pub fn cells(set: Set) -> Vec<usize> {
    (0..128).filter(|&cell| has(set, cell)).collect()
}

pub fn size(set: Set) -> usize {
    set.count_ones() as usize
}

pub fn has(set: Set, cell: usize) -> bool {
    set >> cell & 1 == 1
}

/// Whether every cell of `inner` is in `outer`.
pub fn within(inner: Set, outer: Set) -> bool {
    inner & !outer == 0
}

fn need(condition: bool, reason: &str) -> Result<()> {
    if condition { Ok(()) } else { Err(reason.to_owned()) }
}

/// What the reference says of a file.
pub fn verdict(bytes: &[u8]) -> Result<()> {
    let text = lines::unpacked(bytes)?;
    Certificate::read(&text)?.check()
}

pub fn accepts(bytes: &[u8]) -> bool {
    verdict(bytes).is_ok()
}
