//! The matrix game, turn by turn: every choice is legal, and the bits spell the cell that is left.

use super::super::finite::Finite;
use super::super::matrix::{Half, Matrix, MatrixGame};
use super::super::spoken::Spoken;
use super::circuit::Circuit;
use super::unroll::{Step, Unrolled};
use crate::qbf::formula::Literal;
use std::sync::Arc;

pub struct MatrixTurns(Arc<Matrix>);

impl MatrixTurns {
    pub fn new(matrix: Arc<Matrix>) -> MatrixTurns {
        MatrixTurns(matrix)
    }

    /// Whether the first player ends on a one, by the choices from this position on.
    fn ends_on_one(circuit: &mut Circuit, position: &MatrixGame, far: &[Literal]) -> Literal {
        if let Some(value) = position.value() {
            return Literal::constant(value > 0);
        }
        let [near_part, far_part] = [Half::Near, Half::Far].map(|half| position.after(half));
        let no = MatrixTurns::ends_on_one(circuit, &near_part, &far[1..]);
        let yes = MatrixTurns::ends_on_one(circuit, &far_part, &far[1..]);
        circuit.either("part", far[0], yes, no)
    }
}

impl Unrolled for MatrixTurns {
    /// Who went far at each turn so far.
    type State = Vec<Literal>;

    fn about(&self) -> [String; 2] {
        [MatrixGame::new(self.0.clone()).title(), "the first player ends on a one".to_owned()]
    }

    fn turns(&self) -> usize {
        2 * self.0.depth()
    }

    fn choices(&self) -> usize {
        2
    }

    fn name_of(&self, choice: usize) -> String {
        ["near", "far"][choice].to_owned()
    }

    fn start(&self) -> Vec<Literal> {
        Vec::new()
    }

    fn step(&self, _: &mut Circuit, before: &Vec<Literal>, _: usize, chosen: &[Literal]) -> Step<Vec<Literal>> {
        let state = before.iter().copied().chain([chosen[1]]).collect();
        Step { state, legal: Literal::TRUE, won: Literal::FALSE, lost: Literal::FALSE }
    }

    fn won(&self, circuit: &mut Circuit, last: &Vec<Literal>) -> Literal {
        MatrixTurns::ends_on_one(circuit, &MatrixGame::new(self.0.clone()), last)
    }
}
