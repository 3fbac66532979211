//! Playing against the program.

pub mod adviser;
