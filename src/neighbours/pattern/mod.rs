//! Pattern, also called nonograms: black bands in the rows and columns of a grid, their lengths given.
//!
//! A puzzle ([`clues`]) is looked at line by line first ([`mod@line`]), which settles most of it; the rest is a formula
//! ([`formula`]) for the SAT solver ([`search`]), which answers whether there is a solution and whether there is
//! another. [`counting`] counts solutions without SAT, [`rating`] says how hard a puzzle is for a person, and
//! [`generate`] makes puzzles with exactly one solution, from a picture or at random. [`non`], [`json`] and [`picture`]
//! read and write files; [`drawing`] shows them.

pub mod clues;
pub mod counting;
pub mod drawing;
pub mod formula;
pub mod generate;
pub mod json;
pub mod line;
pub mod non;
pub mod picture;
pub mod rating;
pub mod search;

pub use clues::{ClueError, Direction, Grid, MOST_SIDE, Puzzle};
pub use formula::Encoding;
pub use line::Knowledge;
pub use search::Search;
