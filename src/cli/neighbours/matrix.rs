//! `harary neighbours matrix`.

use super::super::console::Console;
use super::super::ending::{OrUsage, Outcome, UsageError};
use super::super::files;
use super::answer::Answer;
use super::task::{EncodeArguments, PlayArguments, SolveArguments, observed, play, searched};
use crate::neighbours::formulas;
use crate::neighbours::matrix::{DEEPEST, LONGEST_TEXT, Matrix, MatrixGame};
use crate::neighbours::search::Search;
use anyhow::Context;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Beyond this the formula has millions of clauses.
const DEEPEST_ENCODED: usize = 8;

/// The matrix game: halve rows and columns in turn; the last cell decides
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  harary neighbours matrix 3 --seed 1\n  harary neighbours matrix 12 --density 0.62\n  \
    harary neighbours matrix --file matrix.txt --moves\n  harary neighbours matrix 2 --play\n  \
    harary neighbours matrix 4 --seed 7 --encode matrix.qdimacs\n\n\
    The first player keeps the upper or the lower half, then the second one the left or the right half, and so on; the first \
    player wins if the last cell is 1. Random matrices are the same for the same seed. A file has rows of 0 and 1."
)]
pub struct MatrixArguments {
    /// Turns of each player, 0 to 12: the matrix has 2^DEPTH rows
    #[arg(required_unless_present = "file")]
    depth: Option<usize>,
    /// Read the matrix from a file (- is standard input)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["depth", "density", "seed"])]
    file: Option<PathBuf>,
    /// How likely a cell is 1
    #[arg(long, value_name = "P", default_value = "0.618", value_parser = super::task::parse_share)]
    density: f64,
    /// Where the random numbers begin
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    solve: SolveArguments,
    #[command(flatten)]
    play: PlayArguments,
    #[command(flatten)]
    encode: EncodeArguments,
}

/// What only this game has, for machines.
#[derive(Serialize)]
struct Extra {
    depth: usize,
    ones: usize,
}

impl MatrixArguments {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let inputs: Vec<&std::path::Path> = self.file.as_deref().into_iter().collect();
        self.encode.check(&inputs, self.solve.json)?;
        let matrix = match (&self.file, self.depth) {
            (Some(path), _) => {
                let text = files::read_text(path, LONGEST_TEXT, "a matrix")?;
                Matrix::parse(&text).with_context(|| format!("{} is no matrix", files::name(path))).usage()?
            }
            (None, depth) => Matrix::random(depth.unwrap_or(DEEPEST), self.density, self.seed).usage()?,
        };
        let matrix = Arc::new(matrix);
        let game = MatrixGame::new(matrix.clone());
        if self.play.play {
            return play(console, game, &self.play, &mut searched);
        }
        if self.encode.encode.is_some() && matrix.depth() > DEEPEST_ENCODED {
            return Err(UsageError(format!("a formula is for a depth of at most {DEEPEST_ENCODED}")).into());
        }
        let (limits, started) = (self.solve.limits()?, Instant::now());
        let formula = self.encode.write(console, |cuts| formulas::of_matrix(&matrix, cuts))?;
        let mut answer = Answer::new(&game, "search", started);
        let mut search = Search::new(&limits);
        let found = observed(&limits, || Ok::<_, crate::effort::Halt>((search.value(&game)?, search.worths(&game)?)));
        if let Ok((value, worths)) = found {
            answer = answer.with_worths(worths);
            answer.value = Some(value);
        }
        (answer.nodes, answer.formula) = (search.nodes(), formula);
        let extra = Extra { depth: matrix.depth(), ones: matrix.ones() };
        answer.tell(console, "neighbours matrix", (self.solve.moves, self.solve.json), &extra, "")
    }
}
