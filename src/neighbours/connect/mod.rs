//! Connect Four on any small board: stones fall to the bottom of a column, `c` in a line win.
//!
//! | file | what it is for |
//! |---|---|
//! | `board` | boards and positions as bits; the game for the generic search |
//! | `ig` | models of the game in Q-sage's format |
//! | `solver` | the search of its own, for boards the generic one does not reach |

pub mod board;
pub mod ig;
pub mod solver;

pub use board::{Connect, Grid, GridError};
