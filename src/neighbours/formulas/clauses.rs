//! The game of clauses, turn by turn: the stones of both, which clauses hold for whom, and at the end how many.

use super::super::clauses::{ClauseGame, Formula};
use super::super::finite::Side;
use super::super::spoken::Spoken;
use super::circuit::Circuit;
use super::unroll::{Step, Unrolled, mover};
use crate::qbf::formula::Literal;

pub struct ClauseTurns {
    title: String,
    formula: Formula,
    misere: bool,
}

/// One literal a cell.
pub struct Stones {
    first: Vec<Literal>,
    second: Vec<Literal>,
}

impl ClauseTurns {
    pub fn new(game: &ClauseGame) -> ClauseTurns {
        ClauseTurns { title: game.title(), formula: game.formula().clone(), misere: game.is_misere() }
    }

    /// For each clause whether it holds for the owner of `own`.
    fn holding(&self, circuit: &mut Circuit, name: &str, own: &[Literal], other: &[Literal]) -> Vec<Literal> {
        let mut holding = Vec::new();
        for clause in self.formula.clauses() {
            let of = |set: u64, stones: &[Literal]| -> Vec<Literal> {
                (0..stones.len()).filter(|cell| set >> cell & 1 == 1).map(|cell| stones[cell]).collect()
            };
            let stones = [of(clause.positive, own), of(clause.negative, other)].concat();
            holding.push(circuit.any(&format!("{name} {}", self.formula.clause_name(clause)), &stones));
        }
        holding
    }

    /// What holds for the player who is to gain by it, then for the other one.
    fn both(&self, circuit: &mut Circuit, name: &str, stones: &Stones) -> [Vec<Literal>; 2] {
        let first = self.holding(circuit, &format!("first {name}"), &stones.first, &stones.second);
        let second = self.holding(circuit, &format!("second {name}"), &stones.second, &stones.first);
        if self.misere { [second, first] } else { [first, second] }
    }
}

impl Unrolled for ClauseTurns {
    type State = Stones;

    fn about(&self) -> [String; 2] {
        [self.title.clone(), "the first player wins".to_owned()]
    }

    fn turns(&self) -> usize {
        self.formula.cells()
    }

    fn choices(&self) -> usize {
        self.formula.cells()
    }

    fn name_of(&self, choice: usize) -> String {
        self.formula.cell_name(choice)
    }

    fn start(&self) -> Stones {
        let none = || vec![Literal::FALSE; self.formula.cells()];
        Stones { first: none(), second: none() }
    }

    fn step(&self, circuit: &mut Circuit, before: &Stones, turn: usize, chosen: &[Literal]) -> Step<Stones> {
        let mut after = Stones { first: before.first.clone(), second: before.second.clone() };
        let mut legal = Vec::new();
        for (cell, &here) in chosen.iter().enumerate() {
            let name = format!("t{turn} {}", self.name_of(cell));
            let parts = [here, !before.first[cell], !before.second[cell]];
            legal.push(circuit.all(&format!("legal {name}"), &parts));
            let own = match mover(turn) {
                Side::First => &mut after.first[cell],
                Side::Second => &mut after.second[cell],
            };
            *own = circuit.any(&format!("{:?} {name}", mover(turn)), &[*own, here]);
        }
        let [gains, loses] = self.both(circuit, &format!("t{turn}"), &after);
        let [gains, loses] = [gains, loses].map(|holding| circuit.all(&format!("all t{turn}"), &holding));
        let won = circuit.all(&format!("won t{turn}"), &[gains, !loses]);
        let legal = circuit.any(&format!("legal t{turn}"), &legal);
        // If the formula holds for the other one, it is a draw or worse.
        Step { state: after, legal, won, lost: loses }
    }

    fn won(&self, circuit: &mut Circuit, last: &Stones) -> Literal {
        let [gains, loses] = self.both(circuit, "end", last);
        let gains = circuit.counts("count-gains", &gains);
        let loses = circuit.counts("count-loses", &loses);
        let mut more = Vec::new();
        for (least, (gain, loss)) in gains.into_iter().zip(loses).enumerate() {
            more.push(circuit.all(&format!("more {}", least + 1), &[gain, !loss]));
        }
        circuit.any("more", &more)
    }
}
