//! Playing against the program.
//!
//! The [`adviser`] says what a move is worth, exactly where a tablebase or a finished search knows, and as well as the time
//! allows elsewhere; a [`session`] is a game under way, and a [`record`] a game as it is saved. A [`script`] is a strategy
//! written by a person. Who asks for moves and draws
//! the board is the command line.

pub mod adviser;
pub mod record;
pub mod script;
pub mod session;
