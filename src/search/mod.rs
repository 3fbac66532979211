//! Who wins, and by which turn.
//!
//! [`plain`] is the exhaustive twin every engine is tested against.

pub mod plain;

mod limits;

pub use limits::{Halt, Limits};
