//! `harary man`: the manual page.

use super::console::Console;
use super::ending::{Outcome, UsageError};
use clap::Args;

/// Prints the manual page, of the program or of one subcommand
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  harary man > ~/.local/share/man/man1/harary.1\n  harary man shapes > ~/.local/share/man/man1/harary-shapes.1\n  harary man atlas run\n  harary man | man -l -"
)]
pub struct Man {
    /// The subcommand to describe: shapes, or atlas run
    subcommand: Vec<String>,
}

impl Man {
    pub fn run(self, mut program: clap::Command, console: &mut Console) -> anyhow::Result<Outcome> {
        program.build();
        let mut page = &program;
        for name in &self.subcommand {
            page = page.find_subcommand(name).ok_or_else(|| {
                UsageError(format!("{} has no subcommand '{name}'; see harary --help", page.get_name()))
            })?;
        }
        clap_mangen::Man::new(page.clone()).render(console)?;
        Ok(Outcome::Done)
    }
}
