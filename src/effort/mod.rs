//! How much work may be done, and how far it is.

mod limits;

pub use limits::{Halt, Limits};
