//! How much work may be done, and how far it is.
//!
//! A search asks its [`Limits`] now and then, answers [`Halt`] when one is reached, and writes how far it is into a
//! [`Meter`], which an [`Observer`] reads. What it keeps takes its bytes from a [`Memory`]. The constants that make searches fast or slow, and never wrong, are in [`tuning`].

pub mod amounts;
mod limits;
pub mod memory;
pub mod progress;
pub mod tuning;

pub use limits::{Halt, Limits};
pub use memory::{Memory, Room};
pub use progress::{Meter, Observer, Progress};
