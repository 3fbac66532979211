//! `harary neighbours`: other finite games of two players, solved, played and written as formulas.

mod answer;
mod clauses;
mod connect;
mod crosscheck;
mod matrix;
mod max_sat;
mod nim;
mod qcsp;
mod task;
mod weights;

use super::console::Console;
use super::ending::Outcome;
use clap::{Args, Subcommand};

/// Solves and plays other finite games: Nim, the matrix game, Connect Four, clauses
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary neighbours nim 1000000\n  harary neighbours connect 6x5\n  \
    harary neighbours connect 5x4 --play --second\n  harary neighbours matrix 8 --seed 3\n  \
    harary neighbours nim 8 --encode nim.qdimacs --cuts\n  harary neighbours crosscheck --games nim,matrix\n\n\
    They come from the papers around Harary's game; docs/neighbours.md tells what was asked there and what was found. \
    Nothing here touches the engines that settle Harary's game, and there are no certificates: the searches are exact \
    and tested against plain ones.")]
pub struct Neighbours {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Nim(nim::NimArguments),
    Matrix(matrix::MatrixArguments),
    Connect(connect::ConnectArguments),
    Clauses(clauses::ClauseArguments),
    Maxsat(max_sat::MaxSatArguments),
    Weights(weights::WeightArguments),
    Qcsp(qcsp::QcspArguments),
    Crosscheck(crosscheck::CrosscheckArguments),
}

impl Neighbours {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        match self.command {
            Command::Nim(command) => command.run(console),
            Command::Matrix(command) => command.run(console),
            Command::Connect(command) => command.run(console),
            Command::Clauses(command) => command.run(console),
            Command::Maxsat(command) => command.run(console),
            Command::Weights(command) => command.run(console),
            Command::Qcsp(command) => command.run(console),
            Command::Crosscheck(command) => command.run(console),
        }
    }
}
