//! How much work may be done, and how far it is.

mod limits;
pub mod progress;
pub mod tuning;

pub use limits::{Halt, Limits};
pub use progress::{Meter, Observer, Progress};
