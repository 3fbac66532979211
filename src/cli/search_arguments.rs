//! The arguments that say how to search and for how long, shared by the subcommands that do.

use super::ending::UsageError;
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
    /// Which engine searches [default: auto]
    #[arg(long, value_parser = super::arguments::engines())]
    engine: Option<EngineChoice>,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Memory for the tables [default: 2GiB]
    #[arg(long, value_name = "SIZE", value_parser = parse_memory)]
    memory: Option<usize>,
    /// Stop after this time, for example 90s or 10m
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    pub time: Option<Duration>,
    /// Stop after about so many nodes
    #[arg(long, value_name = "N", value_parser = parse_nodes)]
    pub nodes: Option<u64>,
}

impl SearchArguments {
    /// The engine asked for.
    pub fn engine(&self) -> EngineChoice {
        self.engine.unwrap_or(EngineChoice::Auto)
    }

    /// These, and where they say nothing the others.
    pub fn or(self, others: &SearchArguments) -> SearchArguments {
        SearchArguments {
            engine: self.engine.or(others.engine),
            threads: self.threads.or(others.threads),
            memory: self.memory.or(others.memory),
            time: self.time.or(others.time),
            nodes: self.nodes.or(others.nodes),
        }
    }

    /// The same for one of several searches at a time: each gets its share of the cores, unless the threads are given.
    pub fn shared(self, jobs: usize) -> SearchArguments {
        let share = (all_cores() / jobs).max(1);
        let threads = self.threads.or(u16::try_from(share).ok().filter(|_| jobs > 1));
        SearchArguments { threads, ..self }
    }

    /// The options they stand for. Ctrl-C and SIGTERM stop the search from here on.
    pub fn options(&self) -> anyhow::Result<Options> {
        let memory = match self.memory {
            Some(memory) => memory,
            None => parse_memory(MEMORY).map_err(UsageError)?,
        };
        Ok(Options {
            engine: self.engine(),
            threads: self.threads.map_or_else(all_cores, usize::from),
            memory,
            limits: Limits::new(self.time, self.nodes, interrupt::flag()?),
            ..Options::default()
        })
    }
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Reads a number of nodes; with none nothing could be said.
fn parse_nodes(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(nodes @ 1..) => Ok(nodes),
        _ => Err(format!("'{text}' is no number of nodes, which is 1 or more")),
    }
}
