//! What the commands about Pattern puzzles share: puzzles of files, and how sides and shares are written.

use super::ending::UsageError;
use super::files;
use crate::neighbours::pattern::formula::{Formula, MOST_CLAUSES};
use crate::neighbours::pattern::{Encoding, Puzzle, json as puzzle_json, non};
use std::path::Path;

/// Puzzles and pictures are no longer than this.
pub const MOST_BYTES: u64 = 4 << 20;

/// The puzzle of a file.
pub fn read_puzzle(path: &Path) -> anyhow::Result<Puzzle> {
    let text = files::read_text(path, MOST_BYTES, "a puzzle")?;
    let wrong = |error: &dyn std::fmt::Display| UsageError(format!("{}: {error}", files::name(path)));
    Ok(match text.trim_start().starts_with(['{', '[']) {
        true => puzzle_json::read(&text).map_err(|error| wrong(&error))?,
        false => non::read(&text).map_err(|error| wrong(&error))?,
    })
}

/// Refuses puzzles whose formula would not fit in memory.
pub fn check_size(puzzle: &Puzzle, encoding: Encoding, name: &str) -> anyhow::Result<()> {
    let clauses = Formula::most_clauses(puzzle, encoding);
    if clauses <= MOST_CLAUSES {
        return Ok(());
    }
    let other = if encoding == Encoding::Ladder { "" } else { "; --encoding ladder makes the smallest" };
    let words = format!("{name}: the formula could have {clauses} clauses, and {MOST_CLAUSES} is the most{other}");
    Err(UsageError(words).into())
}

/// Reads the sides of a random puzzle.
pub fn parse_size(text: &str) -> Result<(usize, usize), String> {
    let sides = text.split_once('x').and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    match sides {
        Some((width @ 1..=100, height @ 1..=100)) => Ok((width, height)),
        _ => Err(format!("'{text}' is no size from 1x1 to 100x100")),
    }
}

/// Reads a number from 0 to 1.
pub fn parse_share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err(format!("'{text}' is no share from 0 to 1")),
    }
}
