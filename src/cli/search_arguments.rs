//! The arguments that say how to search and for how long, shared by the subcommands that do.

use super::interrupt;
use crate::effort::Limits;
pub use crate::effort::amounts::parse_memory;
use crate::effort::amounts::{MEMORY, parse_time};
use crate::settle::{EngineChoice, Options};
use clap::Args;
use std::time::Duration;

/// How to search, shared by the subcommands that do.
#[derive(Args, Clone, Debug)]
pub struct SearchArguments {
    /// Which engine searches
    #[arg(long, value_parser = super::arguments::engines(), default_value = "auto")]
    pub engine: EngineChoice,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Memory for the tables
    #[arg(long, value_name = "SIZE", default_value = MEMORY, value_parser = parse_memory)]
    pub memory: usize,
    /// Stop after this time, for example 90s or 10m
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub time: Option<Duration>,
    /// Stop after about so many nodes
    #[arg(long, value_name = "N", value_parser = parse_nodes)]
    pub nodes: Option<u64>,
}

impl SearchArguments {
    /// The options they stand for. Ctrl-C and SIGTERM stop the search from here on.
    pub fn options(&self) -> anyhow::Result<Options> {
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Options {
            engine: self.engine,
            threads: self.threads.map_or(all, usize::from),
            memory: self.memory,
            limits: Limits::new(self.time, self.nodes, interrupt::flag()?),
            ..Options::default()
        })
    }
}

/// Reads a number of nodes; with none nothing could be said.
fn parse_nodes(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(nodes @ 1..) => Ok(nodes),
        _ => Err(format!("'{text}' is no number of nodes, which is 1 or more")),
    }
}
