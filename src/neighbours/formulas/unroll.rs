//! A game turn by turn, and the two ways to say that the first player wins.

use super::super::finite::Side;
use super::circuit::Circuit;
use crate::qbf::formula::{Clauses, Formula, Literal, Sink};

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
