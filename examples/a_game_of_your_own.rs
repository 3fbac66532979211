//! A game of sets: two players take the numbers 1 to 9 in turn, and whoever first has three that sum to 15 wins. (It is
//! tic-tac-toe on a magic square.)
//!
//!     cargo run --release --example a_game_of_your_own

use harary::{Cell, Game, Options, Outcome, Rule, Schedule, Sets, WideSet, settle};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let triples = (1..=9).flat_map(|a| (a + 1..=9).flat_map(move |b| (b + 1..=9).map(move |c| [a, b, c])));
    let fifteen: Vec<WideSet> = triples
        .filter(|triple| triple.iter().sum::<usize>() == 15)
        .map(|triple| triple.iter().map(|number| Cell::new(number - 1)).collect())
        .collect();
    let game = Game::of_sets(Sets {
        names: (1..=9).map(|number| number.to_string()).collect(),
        black: fifteen.clone(),
        white: fifteen,
        rule: Rule::Strong,
        schedule: Schedule::alternating(9),
        black_start: WideSet::EMPTY,
        white_start: WideSet::EMPTY,
        first: None,
    })?;
    for (rule, game) in [("whoever is first wins", game.clone()), ("White only defends", game.weak())] {
        let settled = settle(&game, &Options::default(), &|_| {})?;
        match &settled.outcome {
            Outcome::Win { by, first_move, certificate, .. } => {
                let first =
                    first_move.map_or_else(String::new, |cell| format!(", beginning with {}", game.vertex_name(cell)));
                println!("{rule}: Black wins by turn {by}{first}; {} lines checked.", certificate.proved().lines());
            }
            Outcome::Hold { certificate, .. } => {
                println!("{rule}: Black cannot force a win; {} lines checked.", certificate.proved().lines());
            }
            Outcome::Loss { by, certificate, .. } => {
                println!("{rule}: White wins by turn {by}; {} lines checked.", certificate.proved().lines());
            }
            Outcome::NotBy { .. } | Outcome::Open { .. } => println!("{rule}: not settled."),
        }
    }
    Ok(())
}
