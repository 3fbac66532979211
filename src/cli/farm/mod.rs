//! `harary farm`: a proof on many machines.

mod folder;
mod master;
mod measure;
mod script;
mod worker;

use super::console::Console;
use super::ending::Outcome;
use clap::{Args, Subcommand};

/// Settles games on many machines, under Slurm or without: one certificate each
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary farm plan snaky 8x8 --rule weak -o snaky-farm --workers 2\n  \
    harary farm run snaky-farm --local 2 --rounds 20\n  \
    harary farm script snaky-farm --slurm --tasks 16 && sbatch --wait snaky-farm/round-001.sh\n  \
    harary farm next snaky-farm\n  harary farm merge snaky-farm -o snaky.cert\n  harary farm status snaky-farm\n  \
    harary farm plan-set --shapes snaky --boards 6x6..8x8 --both --rule weak -o snakies\n\n\
    The folder, its files and what was measured: docs/farm.md.\n\
    Exit codes: 0 done; 3 not settled yet, a round is planned (next); 75 unfinished, run it again (run); 1 refused or a \
    failure; 2 wrong usage.")]
pub struct Farm {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    Plan(master::Plan),
    PlanSet(master::PlanSet),
    Run(worker::Run),
    Next(master::Next),
    Merge(master::Merge),
    Status(measure::Status),
    Simulate(measure::Simulate),
    Script(script::Script),
}

impl Farm {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        match self.action {
            Action::Plan(command) => command.run(console),
            Action::PlanSet(command) => command.run(console),
            Action::Run(command) => command.run(console),
            Action::Next(command) => command.run(console),
            Action::Merge(command) => command.run(console),
            Action::Status(command) => command.run(console),
            Action::Simulate(command) => command.run(console),
            Action::Script(command) => command.run(console),
        }
    }
}
