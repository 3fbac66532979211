//! `harary neighbours nim`.

use super::super::console::Console;
use super::super::ending::{Outcome, UsageError};
use super::answer::{Answer, Nothing};
use super::task::{EncodeArguments, PlayArguments, SolveArguments, observed, play};
use crate::effort::{Halt, Limits};
use crate::neighbours::finite::Finite;
use crate::neighbours::formulas;
use crate::neighbours::nim::{Nim, Rule};
use crate::neighbours::search::Search;
use clap::Args;
use std::time::Instant;

/// Up to so many matches the search answers; beyond, arithmetic.
const MOST_SEARCHED: u64 = 60;
/// Up to so many matches there is a formula worth writing.
const MOST_ENCODED: u64 = 40;
/// The worth of so many moves is told.
const MOST_MOVES: u64 = 1000;

/// Nim with one heap: whoever takes the last match wins
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  harary neighbours nim 12\n  harary neighbours nim 1000000\n  harary neighbours nim 21 --take 3 --moves\n  \
    harary neighbours nim 20 --play --second\n  harary neighbours nim 8 --encode nim.qdimacs --cuts\n\n\
    Fibonacci Nim: the first player takes 1 to all but one, then each up to twice what was taken last. Up to 60 matches the \
    answer comes by search, beyond by arithmetic."
)]
pub struct NimArguments {
    /// Matches in the heap
    matches: u64,
    /// Take 1 to K at a turn, instead of Fibonacci's rule
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    take: Option<u64>,
    /// By arithmetic, however few there are
    #[arg(long)]
    arithmetic: bool,
    #[command(flatten)]
    solve: SolveArguments,
    #[command(flatten)]
    play: PlayArguments,
    #[command(flatten)]
    encode: EncodeArguments,
}

impl NimArguments {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        self.encode.check(&[], self.solve.json)?;
        let game = Nim::new(self.take.map_or(Rule::Fibonacci, Rule::UpTo), self.matches);
        if self.play.play {
            return play(console, game, &self.play, &mut worths);
        }
        if self.encode.encode.is_some() && self.matches > MOST_ENCODED {
            return Err(UsageError(format!("a formula is for at most {MOST_ENCODED} matches")).into());
        }
        let (limits, started) = (self.solve.limits()?, Instant::now());
        let formula = self.encode.write(console, |cuts| formulas::of_nim(&game, cuts))?;
        let searched = !self.arithmetic && self.matches <= MOST_SEARCHED;
        let mut answer = Answer::new(&game, if searched { "search" } else { "arithmetic" }, started);
        if formula.is_some() {
            answer.value = Some(game.value_by_arithmetic());
        } else if searched {
            let mut search = Search::new(&limits);
            if let Ok(found) = observed(&limits, || search.worths(&game)) {
                answer = answer.with_worths(found);
                answer.value = Some(game.value_by_arithmetic()).filter(|_| game.moves().is_empty()).or(answer.value);
            }
            answer.nodes = search.nodes();
        } else if self.solve.moves && game.most() > MOST_MOVES {
            return Err(
                UsageError(format!("--moves tells at most {MOST_MOVES} moves; there are {}", game.most())).into()
            );
        } else {
            answer.value = Some(game.value_by_arithmetic());
            answer.best = game.winning_take().into_iter().collect();
            if self.solve.moves {
                answer.worths = all_by_arithmetic(&game);
            }
        }
        answer.formula = formula;
        answer.tell(console, "neighbours nim", (self.solve.moves, self.solve.json), &Nothing {}, "")
    }
}

fn all_by_arithmetic(game: &Nim) -> Vec<(u64, i32)> {
    game.moves().into_iter().map(|taken| (taken, game.after(taken).value_by_arithmetic())).collect()
}

/// What moves are worth, for a player: of a large heap a best move only.
fn worths(game: &Nim, _: &Limits) -> Result<Vec<(u64, i32)>, Halt> {
    if game.most() <= MOST_MOVES {
        return Ok(all_by_arithmetic(game));
    }
    let taken = game.winning_take().unwrap_or(1);
    Ok(vec![(taken, game.after(taken).value_by_arithmetic())])
}
