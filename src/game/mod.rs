//! The game: what is to be completed, where, by whom, and the stones on the board.

pub mod automorphisms;
pub mod catalogue;
pub mod description;
pub mod ground;
pub mod ig;
pub mod line;
pub mod pg;
mod placements;
pub mod polyomino;
pub mod position;
mod positional;
pub mod symmetry;
pub mod target;
mod width;
pub mod words;

pub use placements::placements;
pub use positional::{Game, GameError, Origin, Sets};
pub(crate) use width::with_width;
