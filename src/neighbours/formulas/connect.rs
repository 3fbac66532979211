//! Connect Four, turn by turn: the stones of both, and where a stone lands.

use super::super::connect::Grid;
use super::super::finite::Side;
use super::circuit::Circuit;
use super::unroll::{Step, Unrolled, mover};
use crate::qbf::formula::Literal;

pub struct ConnectTurns {
    grid: Grid,
    turns: usize,
    lines: Vec<Vec<usize>>,
}

/// One literal a cell, column by column.
pub struct Stones {
    first: Vec<Literal>,
    second: Vec<Literal>,
    filled: Vec<Literal>,
}

impl ConnectTurns {
    pub fn new(grid: Grid, turns: usize) -> ConnectTurns {
        let cells = |line: u64| {
            let all = (0..grid.width()).flat_map(|column| (0..grid.height()).map(move |row| (column, row)));
            all.enumerate()
                .filter(|(_, (column, row))| line & grid.cell(*column, *row) != 0)
                .map(|cell| cell.0)
                .collect()
        };
        ConnectTurns { grid, turns: turns.min(grid.cells()), lines: grid.lines().into_iter().map(cells).collect() }
    }
}

impl Unrolled for ConnectTurns {
    type State = Stones;

    fn about(&self) -> [String; 2] {
        [
            format!("connect {} on {}x{}", self.grid.connect(), self.grid.width(), self.grid.height()),
            format!("the first player wins by turn {}", self.turns),
        ]
    }

    fn turns(&self) -> usize {
        self.turns
    }

    fn choices(&self) -> usize {
        self.grid.width()
    }

    fn name_of(&self, choice: usize) -> String {
        self.grid.column_name(choice)
    }

    fn start(&self) -> Stones {
        let none = || vec![Literal::FALSE; self.grid.cells()];
        Stones { first: none(), second: none(), filled: none() }
    }

    fn step(&self, circuit: &mut Circuit, before: &Stones, turn: usize, chosen: &[Literal]) -> Step<Stones> {
        let height = self.grid.height();
        let side = mover(turn);
        let mut own = match side {
            Side::First => before.first.clone(),
            Side::Second => before.second.clone(),
        };
        let mut filled = before.filled.clone();
        let mut legal = Vec::new();
        for (column, &here) in chosen.iter().enumerate() {
            let top = before.filled[column * height + height - 1];
            legal.push(circuit.all(&format!("legal t{turn} {}", self.name_of(column)), &[here, !top]));
            // After t - 1 turns a column is no higher than that.
            for row in 0..height.min(turn) {
                let cell = column * height + row;
                let name = format!("t{turn} {}{}", self.name_of(column), row + 1);
                let below = if row == 0 { Literal::TRUE } else { before.filled[cell - 1] };
                let lands = circuit.all(&format!("lands {name}"), &[here, below, !before.filled[cell]]);
                own[cell] = circuit.any(&format!("{side:?} {name}"), &[own[cell], lands]);
                filled[cell] = circuit.any(&format!("filled {name}"), &[filled[cell], lands]);
            }
        }
        let mut complete = Vec::new();
        if turn.div_ceil(2) >= self.grid.connect() {
            for line in &self.lines {
                let cells: Vec<Literal> = line.iter().map(|&cell| own[cell]).collect();
                complete.push(circuit.all(&format!("line t{turn}"), &cells));
            }
        }
        let complete = circuit.any(&format!("complete t{turn}"), &complete);
        let (won, lost) = match side {
            Side::First => (complete, Literal::FALSE),
            Side::Second => (Literal::FALSE, complete),
        };
        let (first, second) = match side {
            Side::First => (own, before.second.clone()),
            Side::Second => (before.first.clone(), own),
        };
        let legal = circuit.any(&format!("legal t{turn}"), &legal);
        Step { state: Stones { first, second, filled }, legal, won, lost }
    }

    fn won(&self, _: &mut Circuit, _: &Stones) -> Literal {
        Literal::FALSE
    }
}
