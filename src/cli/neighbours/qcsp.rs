//! `harary neighbours qcsp`.

use super::super::console::Console;
use super::super::ending::{OrUsage, Outcome};
use super::super::files;
use super::answer::Answer;
use super::task::{PlayArguments, SolveArguments, observed, play, searched};
use crate::effort::Halt;
use crate::neighbours::qcsp::{LONGEST_TEXT, Problem, Qcsp, Scenarios};
use crate::neighbours::search::Search;
use anyhow::Context;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// The problem of the paper.
const TOY: &str = "exists x y in 0..2 forall z in 0..2 exists t in 0..2 : x = y*z + t & t <= x";

/// A small quantified constraint problem: does it hold?
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  harary neighbours qcsp\n  harary neighbours qcsp \"forall x in 0..9 exists y in 0..9 : x + y = 9\" --moves\n  \
    harary neighbours qcsp --file problem.txt --scenarios\n  harary neighbours qcsp --play\n\n\
    Variables come in their order, each with its least and greatest value; then a colon and the constraint, with + - * \
    = != < <= > >= & | ! -> true false and brackets. The first player chooses those that exist. Without a problem it is the example of \
    Barichard and Stéphan: exists x y in 0..2 forall z in 0..2 exists t in 0..2 : x = y*z + t & t <= x"
)]
pub struct QcspArguments {
    /// The problem
    problem: Option<String>,
    /// Read the problem from a file (- is standard input)
    #[arg(long, value_name = "FILE", conflicts_with = "problem")]
    file: Option<PathBuf>,
    /// Count the scenarios: all, those in which the constraint holds, those of a winning strategy
    #[arg(long, conflicts_with = "play")]
    scenarios: bool,
    #[command(flatten)]
    solve: SolveArguments,
    #[command(flatten)]
    play: PlayArguments,
}

/// What only this game has, for machines.
#[derive(Serialize)]
struct Extra {
    scenarios: Option<Scenarios>,
}

impl QcspArguments {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let text = match (&self.file, self.problem) {
            (Some(path), _) => files::read_text(path, LONGEST_TEXT, "a problem")?,
            (None, Some(problem)) => problem,
            (None, None) => TOY.to_owned(),
        };
        let problem = Problem::parse(&text).context("this is no problem").usage()?;
        let game = Qcsp::new(Arc::new(problem));
        if self.play.play {
            return play(console, game, &self.play, &mut searched);
        }
        let (limits, started) = (self.solve.limits()?, Instant::now());
        let mut answer = Answer::new(&game, "search", started);
        let mut search = Search::new(&limits);
        let found = observed(&limits, || {
            let (value, worths) = (search.value(&game)?, search.worths(&game)?);
            let scenarios = if self.scenarios { Some(game.scenarios(&limits)?.1) } else { None };
            Ok::<_, Halt>((value, worths, scenarios))
        });
        let mut extra = Extra { scenarios: None };
        if let Ok((value, worths, scenarios)) = found {
            answer = answer.with_worths(worths);
            (answer.value, extra.scenarios) = (Some(value), scenarios);
        }
        answer.nodes = search.nodes();
        let lines = extra.scenarios.map_or_else(String::new, |counts| {
            let Scenarios { all, promising, winning } = counts;
            format!("Of {all} scenarios the constraint holds in {promising}; {winning} belong to a winning strategy.\n")
        });
        answer.tell(console, "neighbours qcsp", (self.solve.moves, self.solve.json), &extra, &lines)
    }
}
