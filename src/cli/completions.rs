//! `harary completions`: scripts that complete the arguments in a shell.

use super::console::Console;
use super::ending::Outcome;
use clap::Args;
use clap_complete::Shell;
use std::io::Write;

/// Prints a completion script for a shell
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary completions bash > ~/.local/share/bash-completion/completions/harary\n  \
    harary completions zsh > ~/.zfunc/_harary\n  harary completions fish > ~/.config/fish/completions/harary.fish")]
pub struct Completions {
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub fn run(self, mut program: clap::Command, console: &mut Console) -> anyhow::Result<Outcome> {
        // Through memory, because clap_complete panics when its writer fails.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "harary", &mut script);
        console.write_all(&script)?;
        Ok(Outcome::Done)
    }
}
