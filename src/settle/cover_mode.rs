//! Which covers a win is looked for in.

use harary_certificate::{Board, Topology};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Which covers are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CoverMode {
    /// The covers of the first moves, all game long.
    Static,
    /// The covers of the first moves; they shrink to what Black can still use.
    Dynamic,
    /// A window of so many columns and rows in the middle of the board.
    Window(usize, usize),
}

/// Not the name of a cover.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("'{0}' is no cover; write static, dynamic, or a window such as 7x7")]
pub struct NoCover(String);

impl FromStr for CoverMode {
    type Err = NoCover;

    fn from_str(text: &str) -> Result<CoverMode, NoCover> {
        match text {
            "static" => Ok(CoverMode::Static),
            "dynamic" => Ok(CoverMode::Dynamic),
            // A window is written, and limited, as a board is.
            _ => Board::parse(text, Topology::Plain)
                .map(|window| CoverMode::Window(window.width(), window.height()))
                .map_err(|_| NoCover(text.to_owned())),
        }
    }
}

impl fmt::Display for CoverMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CoverMode::Static => f.write_str("static"),
            CoverMode::Dynamic => f.write_str("dynamic"),
            CoverMode::Window(width, height) => write!(f, "{width}x{height}"),
        }
    }
}
