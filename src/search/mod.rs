//! Who wins, and by which turn.
//!
//! [`plain`] is the exhaustive twin every engine is tested against.

pub mod alphabeta;
pub mod canon;
mod limits;
pub mod plain;
pub mod table;

pub use limits::{Halt, Limits};
