//! Who wins, and by which turn.
//!
//! [`plain`] is the exhaustive twin every engine is tested against.

pub mod alphabeta;
pub mod busy;
pub mod canon;
pub mod engine;
mod limits;
pub mod plain;
pub mod table;
pub mod threats;
pub mod zone;

pub use limits::{Halt, Limits};
