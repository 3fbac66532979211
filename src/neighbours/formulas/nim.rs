//! Nim, turn by turn: how many matches are left and how many may be taken, one literal for each number.

use super::super::nim::{Nim, Rule};
use super::super::spoken::Spoken;
use super::circuit::Circuit;
use super::unroll::{Step, Unrolled};
use crate::qbf::formula::Literal;

pub struct NimTurns {
    title: String,
    matches: usize,
    rule: Rule,
}

pub struct Heap {
    /// Exactly so many are left, from 0.
    left: Vec<Literal>,
    /// So many may be taken, from 1.
    allowed: Vec<Literal>,
}

impl NimTurns {
    pub fn new(game: &Nim) -> NimTurns {
        NimTurns { title: game.title(), matches: game.left() as usize, rule: game.rule() }
    }

    /// The most that can be taken at a turn.
    fn most(&self) -> usize {
        match self.rule {
            Rule::Fibonacci => self.matches.saturating_sub(1),
            Rule::UpTo(most) => self.matches.min(usize::try_from(most).unwrap_or(usize::MAX)),
        }
    }
}

impl Unrolled for NimTurns {
    type State = Heap;

    fn about(&self) -> [String; 2] {
        [self.title.clone(), "the first player takes the last match".to_owned()]
    }

    /// One match at a time.
    fn turns(&self) -> usize {
        self.matches
    }

    fn choices(&self) -> usize {
        self.most()
    }

    fn name_of(&self, choice: usize) -> String {
        (choice + 1).to_string()
    }

    fn start(&self) -> Heap {
        Heap {
            left: (0..=self.matches).map(|left| Literal::constant(left == self.matches)).collect(),
            allowed: vec![Literal::TRUE; self.most()],
        }
    }

    fn step(&self, circuit: &mut Circuit, before: &Heap, turn: usize, chosen: &[Literal]) -> Step<Heap> {
        let most = self.most();
        let mut legal = Vec::new();
        for taken in 1..=most {
            let enough = circuit.any(&format!("enough t{turn} {taken}"), &before.left[taken..]);
            let parts = [chosen[taken - 1], before.allowed[taken - 1], enough];
            legal.push(circuit.all(&format!("legal t{turn} {taken}"), &parts));
        }
        let mut left = Vec::new();
        for rest in 0..=self.matches {
            let mut ways = Vec::new();
            for taken in 1..=most.min(self.matches - rest) {
                let parts = [chosen[taken - 1], before.left[rest + taken]];
                ways.push(circuit.all(&format!("from t{turn} {} to {rest}", rest + taken), &parts));
            }
            left.push(circuit.any(&format!("left t{turn} {rest}"), &ways));
        }
        let mut allowed = Vec::new();
        for next in 1..=most {
            allowed.push(match self.rule {
                Rule::UpTo(_) => Literal::TRUE,
                // Twice what was taken is at least this.
                Rule::Fibonacci => circuit.any(&format!("allowed t{turn} {next}"), &chosen[next.div_ceil(2) - 1..]),
            });
        }
        Step {
            state: Heap { left, allowed },
            legal: circuit.any(&format!("legal t{turn}"), &legal),
            won: Literal::FALSE,
            lost: Literal::FALSE,
        }
    }

    /// With one match at a time whoever moves last takes the last.
    fn won(&self, _: &mut Circuit, _: &Heap) -> Literal {
        Literal::constant(self.matches % 2 == 1)
    }
}
