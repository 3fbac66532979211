//! `harary neighbours connect`.

use super::super::console::Console;
use super::super::ending::{OrUsage, Outcome, UsageError};
use super::super::files;
use super::super::search_arguments::parse_memory;
use super::answer::Answer;
use super::task::{EncodeArguments, PlayArguments, SolveArguments, observed, parse_sides, play};
use crate::effort::Halt;
use crate::neighbours::connect::board::turn_of_win;
use crate::neighbours::connect::ig::{LONGEST_TEXT, Model};
use crate::neighbours::connect::solver::Solver;
use crate::neighbours::connect::{Connect, Grid};
use crate::neighbours::formulas;
use crate::neighbours::spoken::Spoken;
use anyhow::Context;
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Connect Four on any small board: stones fall, so many in a line win
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary neighbours connect 6x5\n  harary neighbours connect 7x6 --memory 1GiB\n  \
    harary neighbours connect 7x6 --position \"d d d d d b\" --moves\n  harary neighbours connect 5x4 --connect 3\n  \
    harary neighbours connect 7x6 --play --time-each 10s\n  harary neighbours connect --ig 4x4_9_connect3.ig --domain domain.ig\n  \
    harary neighbours connect 4x4 --encode c4.qdimacs --turns 15 --cuts\n\n\
    Columns are a, b, c, ... from the left. The board of the shops, 7x6, takes minutes. A model of Q-sage (.ig) asks whether Black, \
    who begins, wins within a number of turns.")]
pub struct ConnectArguments {
    /// The board, WxH: width times (height + 1) is at most 56
    #[arg(required_unless_present = "ig")]
    board: Option<String>,
    /// Stones in a winning line
    #[arg(long, value_name = "C", default_value_t = 4)]
    connect: usize,
    /// Columns played so far
    #[arg(long, value_name = "COLUMNS", default_value = "")]
    position: String,
    /// Read a connect-c model of Q-sage
    #[arg(long, value_name = "FILE", conflicts_with_all = ["board", "connect", "position"])]
    ig: Option<PathBuf>,
    /// The domain of the model: refused if stones do not fall in it
    #[arg(long, value_name = "FILE", requires = "ig")]
    domain: Option<PathBuf>,
    /// Memory for the table
    #[arg(long, value_name = "SIZE", default_value = "512MiB", value_parser = parse_memory)]
    memory: usize,
    /// With --encode: the first player wins by turn K [default: the last; of a model its depth]
    #[arg(long, value_name = "K", requires = "encode")]
    turns: Option<usize>,
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
    /// The turn of the win.
    turn: Option<usize>,
    /// What is proved when a limit came first.
    at_least: Option<i32>,
    at_most: Option<i32>,
    /// Of a model: its depth, and whether Black wins within it.
    depth: Option<usize>,
    within: Option<bool>,
}

impl ConnectArguments {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let inputs: Vec<&Path> = [&self.ig, &self.domain].into_iter().flatten().map(PathBuf::as_path).collect();
        self.encode.check(&inputs, self.solve.json)?;
        let (start, depth) = self.start()?;
        let grid = start.grid();
        if self.play.play {
            // A table for each move, since each has limits of its own. A small one is quick to make.
            let memory = self.memory.min(128 << 20);
            return play(console, start, &self.play, &mut |position: &Connect, limits| {
                Solver::new(grid, memory, limits).worths(position)
            });
        }
        let (limits, started) = (self.solve.limits()?, Instant::now());
        if self.encode.encode.is_some() && start.turn() > 0 {
            return Err(UsageError("a formula is about the empty board".to_owned()).into());
        }
        let turns = self.turns.or(depth).unwrap_or(grid.cells());
        let formula = self.encode.write(console, |cuts| formulas::of_connect(grid, turns, cuts))?;
        let mut answer = Answer::new(&start, "bitboards", started);
        let mut extra = Extra { turn: None, at_least: None, at_most: None, depth, within: None };
        if formula.is_none() {
            let mut solver = Solver::new(grid, self.memory, &limits);
            let mut proved = None;
            let found = observed(&limits, || {
                let found = solver.solve(&start, &mut |least, most| proved = Some((least, most)))?;
                let worths = if self.solve.moves { solver.worths(&start)? } else { Vec::new() };
                Ok::<_, Halt>((found, worths))
            });
            match found {
                Ok((found, worths)) if self.solve.moves => {
                    answer = answer.with_worths(worths);
                    answer.value = Some(found.value);
                }
                Ok((found, _)) => (answer.value, answer.best) = (Some(found.value), found.best.into_iter().collect()),
                Err(Halt) => {}
            }
            answer.nodes = solver.nodes();
            extra.turn = answer.value.and_then(|value| turn_of_win(grid, value));
            (extra.at_least, extra.at_most) = answer.value.map(|value| (value, value)).or(proved).unzip();
            extra.within =
                depth.zip(answer.value).map(|(depth, value)| value > 0 && extra.turn.is_some_and(|t| t <= depth));
        }
        answer.formula = formula;
        let mut lines = match (extra.at_least, extra.at_most) {
            (Some(least), Some(most)) if least < most => {
                format!(
                    "Proved so far: no worse for the first player than {}, no better than {}.\n",
                    start.meaning(least),
                    start.meaning(most)
                )
            }
            _ => String::new(),
        };
        if let (Some(depth), Some(within)) = (depth, extra.within) {
            let wins = if within { "wins" } else { "does not win" };
            lines += &format!("The model: Black {wins} within {depth} turns.\n");
        }
        answer.tell(console, "neighbours connect", (self.solve.moves, self.solve.json), &extra, &lines)
    }

    /// The position, and the depth of a model.
    fn start(&self) -> anyhow::Result<(Connect, Option<usize>)> {
        let Some(path) = &self.ig else {
            let (width, height) = parse_sides(self.board.as_deref().unwrap_or("7x6"))?;
            let grid = Grid::new(width, height, self.connect).usage()?;
            return Ok((Connect::after_moves(grid, &self.position).usage()?, None));
        };
        let text = files::read_text(path, LONGEST_TEXT, "a model")?;
        let named = |path: &Path| format!("{} is no model of Connect Four", files::name(path));
        let model = Model::parse(&text).with_context(|| named(path)).usage()?;
        if let Some(domain) = &self.domain {
            let text = files::read_text(domain, LONGEST_TEXT, "a domain")?;
            Model::check_domain(&text).with_context(|| named(domain)).usage()?;
        }
        Ok((model.start, Some(model.depth)))
    }
}
