//! `harary neighbours clauses`.

use super::super::console::Console;
use super::super::ending::{OrUsage, Outcome, UsageError};
use super::super::files;
use super::answer::Answer;
use super::task::{EncodeArguments, PlayArguments, SolveArguments, observed, parse_share, parse_sides, play, searched};
use crate::effort::Halt;
use crate::neighbours::clauses::{ClauseGame, Formula, LONGEST_TEXT, Recipe};
use crate::neighbours::formulas;
use crate::neighbours::search::Search;
use anyhow::Context;
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Larger boards make formulas nobody decides.
const MOST_ENCODED: usize = 16;

/// Where a formula over the cells of a board comes from.
#[derive(Args, Clone, Debug)]
pub struct CnfArguments {
    /// The board, WxH: its cells are the variables
    board: String,
    /// How many random clauses
    #[arg(long, value_name = "M", default_value_t = 8)]
    clauses: usize,
    /// How likely a cell stands negated
    #[arg(long, value_name = "P", default_value = "0.5", value_parser = parse_share)]
    negation: f64,
    /// Where the random numbers begin
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub seed: u64,
    /// Read the clauses from a DIMACS file instead (- is standard input): variable 1 is a1, 2 is b1, and so on
    #[arg(long, value_name = "FILE", conflicts_with_all = ["clauses", "negation", "seed"])]
    pub file: Option<PathBuf>,
}

impl CnfArguments {
    /// The formula of the file, or the random one of a seed, `size` cells a clause.
    pub fn formula(&self, size: usize, seed: u64) -> anyhow::Result<Formula> {
        let (width, height) = parse_sides(&self.board)?;
        let Some(path) = &self.file else {
            let recipe = Recipe { clauses: self.clauses, size, negation: self.negation };
            return Formula::random(width, height, recipe, seed).usage();
        };
        let text = files::read_text(path, LONGEST_TEXT, "a formula")?;
        Formula::parse(width, height, &text)
            .with_context(|| format!("{} is no such formula", files::name(path)))
            .usage()
    }
}

/// The game of clauses: own stones are true, the other's false; whoever satisfies the formula wins
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary neighbours clauses 3x3 --clauses 8 --size 5 --negation 0.45\n  \
    harary neighbours clauses 3x3 --seed 4 --misere --moves\n  harary neighbours clauses 3x3 --file example.cnf\n  \
    harary neighbours clauses 3x3 --play\n  harary neighbours clauses 2x2 --size 2 --encode clauses.qdimacs --cuts\n\n\
    If the formula holds for both it is a draw. On a full board whoever has more clauses wins. Misère: whoever would win loses. Boards \
    of up to 16 cells are solved in seconds or minutes.")]
pub struct ClauseArguments {
    #[command(flatten)]
    formula: CnfArguments,
    /// Cells in a random clause
    #[arg(long, value_name = "K", default_value_t = 3, conflicts_with = "file")]
    size: usize,
    /// Whoever would win loses
    #[arg(long)]
    misere: bool,
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
    board: String,
    misere: bool,
    clauses: Vec<String>,
}

impl ClauseArguments {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let inputs: Vec<&Path> = self.formula.file.as_deref().into_iter().collect();
        self.encode.check(&inputs, self.solve.json)?;
        let formula = Arc::new(self.formula.formula(self.size, self.formula.seed)?);
        let game = ClauseGame::new(formula.clone(), self.misere);
        if self.play.play {
            return play(console, game, &self.play, &mut searched);
        }
        if self.encode.encode.is_some() && formula.cells() > MOST_ENCODED {
            return Err(UsageError(format!("a formula is for at most {MOST_ENCODED} cells")).into());
        }
        let (limits, started) = (self.solve.limits()?, Instant::now());
        let written = self.encode.write(console, |cuts| formulas::of_clauses(&game, cuts))?;
        let mut answer = Answer::new(&game, "search", started);
        if written.is_none() {
            let mut search = Search::new(&limits);
            let found = observed(&limits, || {
                let value = search.value(&game)?;
                // The worth of every move takes longer than the value, and is not needed for it.
                let worths = if self.solve.moves { search.worths(&game)? } else { Vec::new() };
                Ok::<_, Halt>((value, worths))
            });
            if let Ok((value, worths)) = found {
                answer = answer.with_worths(worths);
                answer.value = Some(value);
            }
            answer.nodes = search.nodes();
        }
        answer.formula = written;
        let clauses: Vec<String> = formula.clauses().iter().map(|clause| formula.clause_name(clause)).collect();
        let lines: String = clauses.iter().take(MOST_SHOWN).map(|clause| format!("  {clause}\n")).collect();
        let extra = Extra { board: format!("{}x{}", formula.width(), formula.height()), misere: self.misere, clauses };
        answer.tell(console, "neighbours clauses", (self.solve.moves, self.solve.json), &extra, &lines)
    }
}

/// The most clauses that are listed.
const MOST_SHOWN: usize = 20;
