//! `harary neighbours weights`.

use super::super::console::Console;
use super::super::ending::{OrUsage, Outcome};
use super::answer::Answer;
use super::task::{PlayArguments, SolveArguments, observed, play, searched};
use crate::neighbours::weights::Weights;
use clap::Args;
use serde::Serialize;
use std::time::Instant;

/// Baker's weights: which weigh every number of kilograms on a balance?
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary neighbours weights 4\n  harary neighbours weights 3 --flour 10\n  \
    harary neighbours weights 3 --play --second\n\n\
    Finds every choice of weights that weighs 1, 2, ... up to the most flour on a balance with two pans. Without --flour the \
    most is what so many weights can do at best, (3^n - 1) / 2.")]
pub struct WeightArguments {
    /// How many weights, 1 to 6
    weights: usize,
    /// The most flour, in kg
    #[arg(long, value_name = "KG")]
    flour: Option<u32>,
    #[command(flatten)]
    solve: SolveArguments,
    #[command(flatten)]
    play: PlayArguments,
}

/// What only this game has, for machines.
#[derive(Serialize)]
struct Extra {
    solutions: Vec<Vec<u32>>,
}

impl WeightArguments {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let flour = self.flour.unwrap_or_else(|| Weights::best_reach(self.weights));
        let game = Weights::new(self.weights, flour).usage()?;
        if self.play.play {
            return play(console, game, &self.play, &mut searched);
        }
        let (limits, started) = (self.solve.limits()?, Instant::now());
        let mut answer = Answer::new(&game, "search", started);
        let mut solutions = Vec::new();
        if let Ok((found, nodes)) = observed(&limits, || game.solutions(&limits)) {
            let wins = |weight: u32| found.iter().any(|weights| weights[0] == weight);
            let worths = (1..=flour).map(|weight| (i64::from(weight), if wins(weight) { 1 } else { -1 })).collect();
            answer = answer.with_worths(worths);
            if found.is_empty() {
                answer.best.clear();
            }
            (answer.nodes, solutions) = (nodes, found);
        }
        let list = |weights: &Vec<u32>| weights.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
        let lines: String = solutions.iter().map(|weights| format!("  {}\n", list(weights))).collect();
        let extra = Extra { solutions };
        answer.tell(console, "neighbours weights", (self.solve.moves, self.solve.json), &extra, &lines)
    }
}
