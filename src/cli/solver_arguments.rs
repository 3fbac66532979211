//! The arguments that name QBF solvers and limit them, shared by the subcommands that run some.

use super::ending::OrUsage;
use super::interrupt;
use crate::qbf::solver::{RunLimits, Solver};
use bytesize::ByteSize;
use clap::Args;
use std::time::Duration;

/// Which solvers, and what they may use.
#[derive(Args, Clone, Debug)]
pub struct SolverArguments {
    /// Solvers by name: depqbf, depqbf6, caqe, qute, rareqs, qfun
    #[arg(long, alias = "solver", value_name = "NAMES", value_delimiter = ',')]
    solvers: Vec<String>,
    /// Any other solver; it must exit with 10 for true, 20 for false [may be repeated]
    #[arg(long, value_name = "\"PROG {file}\"")]
    solver_command: Vec<String>,
    /// A program that simplifies a formula and prints the result
    #[arg(long, value_name = "\"PROG {file}\"")]
    preprocess: Option<String>,
    /// Wall-clock time for one formula
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = super::arguments::parse_time)]
    timeout: Duration,
    /// Memory for one solver process
    #[arg(long, value_name = "SIZE")]
    solver_memory: Option<ByteSize>,
}

impl SolverArguments {
    /// The solvers; DepQBF if none is named.
    pub fn solvers(&self) -> anyhow::Result<Vec<Solver>> {
        let default = ["depqbf".to_owned()];
        let names =
            if self.solvers.is_empty() && self.solver_command.is_empty() { &default[..] } else { &self.solvers };
        let named = names.iter().map(|name| Solver::named(name));
        let commands = self.solver_command.iter().map(|command| Solver::from_command(command));
        named.chain(commands).collect::<Result<_, _>>().usage()
    }

    pub fn preprocessor(&self) -> anyhow::Result<Option<Solver>> {
        self.preprocess.as_deref().map(Solver::from_command).transpose().usage()
    }

    pub fn timeout(&self) -> Duration {
        self.timeout
    }

    /// The limits of one run; Ctrl-C ends all runs.
    pub fn limits(&self) -> anyhow::Result<RunLimits> {
        let memory = self.solver_memory.map(|size| size.as_u64());
        Ok(RunLimits { time: self.timeout, memory, stop: interrupt::flag()? })
    }
}
