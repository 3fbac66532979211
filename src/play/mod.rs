//! Playing against the program.

pub mod adviser;
pub mod record;
