//! Words that several subcommands print.

pub use crate::game::description::{counted, counted_as, describe, shape_name};
