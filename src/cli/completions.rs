//! `harary completions`: scripts that complete the arguments in a shell.

use super::console::Console;
use super::ending::Outcome;
use crate::atlas::published::TABLES;
use crate::game::catalogue::Catalogue;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Args};
use clap_complete::Shell;
use std::io::Write;

/// Prints completions for a shell: commands, options, shapes, boards, tables
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary completions bash > ~/.local/share/bash-completion/completions/harary\n  \
    harary completions zsh > ~/.zfunc/_harary\n  harary completions fish > ~/.config/fish/completions/harary.fish")]
pub struct Completions {
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub fn run(self, program: clap::Command, console: &mut Console) -> anyhow::Result<Outcome> {
        let mut program = with_words(program);
        // Through memory, because clap_complete panics when its writer fails.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut program, "harary", &mut script);
        console.write_all(&script)?;
        Ok(Outcome::Done)
    }
}

/// The same subcommands with the words that fit each argument: for scripts only, which know no others than these.
fn with_words(command: clap::Command) -> clap::Command {
    command
        .mut_args(|argument| match words(&argument) {
            Some(words) => argument.value_parser(PossibleValuesParser::new(words)),
            None => argument,
        })
        .mut_subcommands(with_words)
}

/// The boards that are asked about most.
const BOARDS: [&str; 7] = ["3x3", "4x4", "5x5", "6x6", "7x7", "8x8", "9x9"];

/// The words one may want for an argument; there are others.
fn words(argument: &Arg) -> Option<Vec<&'static str>> {
    let shapes = || Catalogue::standard().entries().iter().map(|entry| entry.name.as_str());
    match argument.get_value_names()?.first()?.as_str() {
        "SHAPE" => Some(shapes().collect()),
        "SHAPES" => Some(["animals", "creatures"].into_iter().chain(shapes()).collect()),
        "BOARD" => Some(BOARDS.to_vec()),
        "TABLE" => Some(TABLES.iter().map(|table| table.name).collect()),
        _ => None,
    }
}
