//! `harary man`: the manual page.

use super::{Cli, Console, Outcome};
use clap::{Args, CommandFactory};

/// Prints the manual page, of the program or of one subcommand
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  harary man > ~/.local/share/man/man1/harary.1\n  harary man shapes > ~/.local/share/man/man1/harary-shapes.1\n  harary man | man -l -"
)]
pub struct Man {
    /// The subcommand to describe
    subcommand: Option<String>,
}

impl Man {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let mut program = Cli::command();
        program.build();
        let page = match &self.subcommand {
            None => program,
            Some(name) => program
                .find_subcommand(name)
                .ok_or_else(|| super::UsageError(format!("there is no subcommand '{name}'; see harary --help")))?
                .clone(),
        };
        clap_mangen::Man::new(page).render(console)?;
        Ok(Outcome::Done)
    }
}
