//! `harary encode`: a game as a quantified boolean formula.

use super::arguments::{GameArguments, NamedGame};
use super::console::Console;
use super::ending::{OrUsage, Outcome, UsageError};
use super::{files, json};
use crate::game::Game;
use crate::qbf::formula::Size;
use crate::qbf::instance::{Encoding, Instance, Mode};
use anyhow::Context;
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

/// Writes a game as a QBF in QDIMACS
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary encode cor+ tippy 4x4 --turns 7 -o tippy.qdimacs\n  \
    harary encode pairing snaky 6x6 --turns 2 | depqbf\n  harary encode cor++ domino 5x5 --torus --turns 25 --faithful --size\n  \
    harary encode cor --pg hex.pg --turns 3\n\n\
    True means: Black wins by turn K (cor, cor+, cor++, dys; cover: inside the sets through his first stone), or \
    White holds with a paving after turn K or earlier (pairing). The comments of the file say so too, name the game, and give \
    the meaning of every variable.")]
pub struct Encode {
    /// The encoding
    #[arg(value_enum)]
    encoding: Encoding,
    #[command(flatten)]
    game: GameArguments,
    /// Play up to this turn
    #[arg(long, short = 'k', value_name = "K")]
    turns: usize,
    #[command(flatten)]
    mode: ModeArguments,
    /// Write to a file instead of standard output (-)
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Print only how large the formula is
    #[arg(long, conflicts_with = "output")]
    size: bool,
    /// With --size or --output: print JSON
    #[arg(long)]
    json: bool,
}

/// How a formula is written down.
#[derive(Args, Clone, Debug)]
struct ModeArguments {
    /// The formula as published, to the last clause
    #[arg(long, conflicts_with = "lean")]
    faithful: bool,
    /// The same with less: distinct sets, nothing redundant (the default)
    #[arg(long)]
    lean: bool,
    /// Lean: leave out symmetric moves up to this turn, 0 to 3 [default: 1; cor++, and pairing and cover on a torus: 2]
    #[arg(long, value_name = "TURN", conflicts_with = "faithful")]
    symmetry: Option<usize>,
}

impl ModeArguments {
    fn mode(&self, encoding: Encoding, game: &Game) -> Mode {
        match self.symmetry {
            Some(symmetry) => Mode::Lean { symmetry },
            None => encoding.mode(game, self.faithful),
        }
    }
}

/// What was written, for machines.
#[derive(Serialize)]
struct Report {
    game: json::Game,
    encoding: Encoding,
    turns: usize,
    mode: String,
    true_means: String,
    #[serde(flatten)]
    size: Size,
    file: Option<String>,
}

impl Encode {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let output = self.output.as_deref().filter(|path| !files::is_dash(path));
        if self.json && !self.size && output.is_none() {
            return Err(UsageError("--json goes with --size or with --output FILE".to_owned()).into());
        }
        if let Some(path) = output {
            files::check_output(path, &self.game.files())?;
        }
        let NamedGame { name, game, .. } = self.game.game()?;
        let described = json::Game::new(&name, &game);
        let mode = self.mode.mode(self.encoding, &game);
        let instance = Instance::new(game, self.encoding, self.turns, mode).usage()?;
        let formula = instance.formula();
        match output {
            Some(path) => {
                // Complete or not at all: a cut formula is another formula.
                formula.keep(path).with_context(|| format!("cannot write {}", path.display()))?;
            }
            None if self.size => {}
            None => formula.write(console)?,
        }
        let size = formula.size();
        if self.json {
            let report = Report {
                game: described,
                encoding: self.encoding,
                turns: self.turns,
                mode: instance.mode().to_string(),
                true_means: instance.meaning(),
                size,
                file: output.map(|path| path.display().to_string()),
            };
            json::write(console, "encode", &report)?;
        } else if self.size {
            writeln!(
                console,
                "{} variables ({} universal, {} existential), {} clauses, {} literals",
                size.variables, size.universal, size.existential, size.clauses, size.literals
            )?;
        }
        Ok(Outcome::Done)
    }
}
