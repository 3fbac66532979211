//! The neighbours as quantified boolean formulas: true exactly if the first player wins.
//!
//! A game is unrolled turn by turn. Each turn the mover chooses a number in bits, under "exists" or "for all"; what the
//! board is afterwards, and whether the choice was legal, are gates over the board before. There are two ways to say who
//! wins, and they say the same:
//!
//! - *without cuts* one chain of gates at the very inside: from this turn on the first player wins. A solver that has seen
//!   the second player cheat still has to go through all later turns: what they hold is true whatever is chosen, but
//!   it cannot see that (the "Achilles' heel" of quantified search);
//! - *with cuts* a variable at every turn says that the game is over for good: the second player has cheated, or the first one has
//!   won. It stands in every later clause, so that all of them are true at once.

pub mod circuit;
mod clauses;
mod connect;
mod matrix;
mod nim;
#[cfg(test)]
mod tests;

use super::clauses::ClauseGame;
use super::connect::Grid;
use super::finite::Side;
use super::matrix::Matrix;
use super::nim::Nim;
use crate::qbf::formula::{Clauses, Formula, Literal, Sink};
use circuit::Circuit;
use std::sync::Arc;

/// A game as gates. Choices are numbers from 0; those that are not legal are possible all the same.
pub trait Unrolled {
    /// The board as literals.
    type State;

    /// What the game is, and what it means that the formula is true.
    fn about(&self) -> [String; 2];

    /// How many turns there are at most.
    fn turns(&self) -> usize;

    /// How many choices a turn has.
    fn choices(&self) -> usize;

    /// What a choice is called.
    fn name_of(&self, choice: usize) -> String;

    /// The board at the start.
    fn start(&self) -> Self::State;

    /// What becomes of the board when exactly one of `chosen` is true, or none.
    fn step(&self, circuit: &mut Circuit, before: &Self::State, turn: usize, chosen: &[Literal]) -> Step<Self::State>;

    /// Whether the first player wins a game that was not over before the last turn.
    fn won(&self, circuit: &mut Circuit, last: &Self::State) -> Literal;
}

/// A turn.
pub struct Step<S> {
    /// The board afterwards.
    pub state: S,
    /// Whether the choice was legal.
    pub legal: Literal,
    /// Whether the first player has won by it.
    pub won: Literal,
    /// Whether he cannot win any more.
    pub lost: Literal,
}

/// Who moves at a turn, from 1.
pub fn mover(turn: usize) -> Side {
    if turn % 2 == 1 { Side::First } else { Side::Second }
}

/// Clauses as they are.
struct Listed(Vec<Vec<Literal>>);

impl Clauses for Listed {
    fn emit(&self, sink: &mut Sink) {
        for clause in &self.0 {
            sink.clause(clause.iter().copied());
        }
    }
}

/// The formula of a game.
pub fn unroll<G: Unrolled>(game: &G, cuts: bool) -> Formula {
    let mut circuit = Circuit::default();
    let (mut state, mut steps) = (game.start(), Vec::new());
    for turn in 1..=game.turns() {
        let side = mover(turn);
        let chosen = circuit.choice(side, turn, game.choices(), &|choice| game.name_of(choice));
        let step = game.step(&mut circuit, &state, turn, &chosen);
        if cuts {
            match side {
                Side::First => {
                    circuit.clause(&[step.legal]);
                    circuit.close(turn, &[step.won]);
                }
                Side::Second => circuit.close(turn, &[!step.legal, step.won]),
            }
            circuit.clause(&[!step.lost]);
        }
        steps.push((side, step.legal, step.won, step.lost));
        state = step.state;
    }
    let mut wins = game.won(&mut circuit, &state);
    if !cuts {
        for (index, (side, legal, won, lost)) in steps.into_iter().enumerate().rev() {
            let name = |part: &str| format!("{part} t{}", index + 1);
            let goes_on = circuit.any(&name("wins-later"), &[won, wins]);
            wins = match side {
                Side::First => circuit.all(&name("wins-from"), &[legal, !lost, goes_on]),
                Side::Second => {
                    let answered = circuit.all(&name("wins-after"), &[!lost, goes_on]);
                    circuit.any(&name("wins-from"), &[!legal, answered])
                }
            };
        }
    }
    circuit.clause(&[wins]);
    let [about, meaning] = game.about();
    let comments = vec![
        "harary neighbours formula".to_owned(),
        format!("game {about}"),
        format!("cuts {}", if cuts { "with" } else { "without" }),
        format!("true-means {meaning}"),
    ];
    let (prefix, clauses) = circuit.into_parts();
    Formula::new(comments, prefix, Box::new(Listed(clauses)))
}

/// The formula of Nim.
pub fn of_nim(game: &Nim, cuts: bool) -> Formula {
    unroll(&nim::NimTurns::new(game), cuts)
}

/// The formula of the matrix game. Nobody can cheat there, so the cuts cut nothing.
pub fn of_matrix(matrix: &Arc<Matrix>, cuts: bool) -> Formula {
    unroll(&matrix::MatrixTurns::new(matrix.clone()), cuts)
}

/// The formula of Connect Four: the first player wins by turn `turns`.
pub fn of_connect(grid: Grid, turns: usize, cuts: bool) -> Formula {
    unroll(&connect::ConnectTurns::new(grid, turns), cuts)
}

/// The formula of the game of clauses.
pub fn of_clauses(game: &ClauseGame, cuts: bool) -> Formula {
    unroll(&clauses::ClauseTurns::new(game), cuts)
}
