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
    /// Who simplifies the formulas first: none, bloqqer, several with commas, or a program that prints the result [may be repeated]
    #[arg(long, value_name = "NAMES|\"PROG {file}\"")]
    preprocess: Vec<String>,
    /// Wall-clock time for one formula, preprocessing included
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = super::arguments::parse_time)]
    timeout: Duration,
    /// Wall-clock time for all formulas of a game together, for each solver and preprocessor
    #[arg(long, value_name = "TIME", value_parser = super::arguments::parse_time)]
    game_time: Option<Duration>,
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

    /// The preprocessors; the formula as it is if none is named.
    pub fn preprocessors(&self) -> anyhow::Result<Vec<Option<Solver>>> {
        let words = self.preprocess.iter().flat_map(|text| match text.contains("{file}") {
            true => vec![text.as_str()],
            false => text.split(',').map(str::trim).collect(),
        });
        let named = words.map(|word| if word == "none" { Ok(None) } else { Solver::preprocessor(word).map(Some) });
        let named: Vec<Option<Solver>> = named.collect::<Result<_, _>>().usage()?;
        Ok(if named.is_empty() { vec![None] } else { named })
    }

    pub fn game_time(&self) -> Option<Duration> {
        self.game_time
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
