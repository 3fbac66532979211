//! x
pub mod lemmas;
pub mod search;
