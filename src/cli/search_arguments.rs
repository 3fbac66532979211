//! The arguments that say how to search and for how long, shared by the subcommands that do.

use super::arguments::parse_time;
use super::interrupt;
use crate::effort::Limits;
use crate::settle::{EngineChoice, Options};
use clap::Args;
use std::time::Duration;

/// The memory for tables if none is given.
const MEMORY: &str = "2GiB";

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

/// Reads `2GiB`, `64MiB`, `500M`.
pub fn parse_memory(text: &str) -> Result<usize, String> {
    let size: bytesize::ByteSize =
        text.parse().map_err(|_| format!("'{text}' is not a size; sizes are written 2GiB"))?;
    match usize::try_from(size.as_u64()) {
        Ok(bytes) if bytes >= 1 << 20 && is_at_hand(bytes) => Ok(bytes),
        Ok(bytes) if bytes < 1 << 20 => Err("at least 1MiB is needed".to_owned()),
        _ => Err(format!("the system does not give {text} of memory; try --memory with less")),
    }
}

/// Whether the system would give so much memory. It is not touched, and given back at once.
fn is_at_hand(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}
