//! MAX-2SAT by play: both players of the game of clauses work together, so that as many clauses as possible hold for the
//! first one. What such play reaches is compared with the most clauses any assignment satisfies.
//!
//! Play gives half of the cells to each. So it reaches at most the best *balanced* assignment, which may be less than the
//! optimum: with one clause `not x` for every cell of a board of 2k + 1 cells it is k of 2k + 1, less than one half.

use super::clauses::Formula;
use super::finite::{Finite, Side};
use crate::effort::{Halt, Limits};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Up to so many cells the optimum is found by trying all assignments.
pub const MOST_CELLS: usize = 25;

/// The cooperative game: both choose cells in turn, for the same end.
#[derive(Clone, Debug)]
pub struct Cooperative {
    formula: Arc<Formula>,
    first: u64,
    second: u64,
}

impl Cooperative {
    /// The empty board.
    pub fn new(formula: Arc<Formula>) -> Cooperative {
        Cooperative { formula, first: 0, second: 0 }
    }

    /// Clauses that hold for the first player.
    pub fn holding(&self) -> usize {
        self.formula.holding(self.first, self.second)
    }

    fn empty(&self) -> u64 {
        self.formula.board() & !(self.first | self.second)
    }

    /// The most clauses that hold after so many more moves.
    fn within(&self, depth: usize) -> usize {
        if depth == 0 || self.value().is_some() {
            return self.holding();
        }
        self.moves().into_iter().map(|cell| self.after(cell).within(depth - 1)).max().unwrap_or(0)
    }

    /// Plays to the end: each move is the first of those from which most clauses hold `depth` moves on, itself included.
    pub fn play_out(mut self, depth: usize) -> usize {
        while self.value().is_none() {
            let mut best: Option<(usize, usize)> = None;
            for cell in self.moves() {
                let reached = self.after(cell).within(depth.saturating_sub(1));
                if best.is_none_or(|(most, _)| reached > most) {
                    best = Some((reached, cell));
                }
            }
            let Some((_, cell)) = best else { break };
            self = self.after(cell);
        }
        self.holding()
    }
}

impl PartialEq for Cooperative {
    fn eq(&self, other: &Cooperative) -> bool {
        (self.first, self.second) == (other.first, other.second)
    }
}

impl Eq for Cooperative {}

impl Hash for Cooperative {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.first, self.second).hash(state);
    }
}

impl Finite for Cooperative {
    type Move = usize;

    /// Both play for the first player.
    fn mover(&self) -> Side {
        Side::First
    }

    fn value(&self) -> Option<i32> {
        let holding = self.holding();
        (holding == self.formula.clauses().len() || self.empty() == 0).then_some(holding as i32)
    }

    fn moves(&self) -> Vec<usize> {
        let empty = self.empty();
        (0..self.formula.cells()).filter(|cell| empty >> cell & 1 == 1).collect()
    }

    fn after(&self, cell: usize) -> Cooperative {
        let mut next = self.clone();
        if self.first.count_ones() == self.second.count_ones() {
            next.first |= 1 << cell;
        } else {
            next.second |= 1 << cell;
        }
        next
    }

    fn bounds(&self) -> (i32, i32) {
        (0, self.formula.clauses().len() as i32)
    }
}

/// What assignments satisfy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Optima {
    /// The most clauses of all assignments.
    pub all: usize,
    /// The most clauses of those that play can reach: half of the cells true, one more if their number is odd.
    pub balanced: usize,
}

/// The optima by trying all assignments.
pub fn optima(formula: &Formula, limits: &Limits) -> Result<Optima, Halt> {
    let mut optima = Optima { all: 0, balanced: 0 };
    let trues = formula.cells().div_ceil(2) as u32;
    for first in 0..1u64 << formula.cells().min(MOST_CELLS) {
        limits.tick(first + 1)?;
        let holding = formula.holding(first, formula.board() & !first);
        optima.all = optima.all.max(holding);
        if first.count_ones() == trues {
            optima.balanced = optima.balanced.max(holding);
        }
    }
    Ok(optima)
}

#[cfg(test)]
mod tests {
    use super::super::clauses::Recipe;
    use super::super::search::Search;
    use super::*;

    #[test]
    fn exact_cooperation_reaches_the_best_balanced_assignment() {
        let limits = Limits::none();
        for seed in 0..40 {
            let recipe = Recipe { clauses: 12, size: 2, negation: 0.5 };
            let formula = Arc::new(Formula::random(3, 3, recipe, seed).unwrap());
            let optima = optima(&formula, &limits).unwrap();
            let game = Cooperative::new(formula.clone());
            assert_eq!(Search::new(&limits).value(&game), Ok(optima.balanced as i32), "{seed}");
            for depth in 1..=3 {
                let reached = game.clone().play_out(depth);
                assert!(reached <= optima.balanced && optima.balanced <= optima.all, "{seed} {depth}");
            }
        }
    }

    /// The report says that play reaches at least one half of the optimum. For the first player it does not.
    #[test]
    fn play_may_reach_less_than_half() {
        let text: String = (1..=9).map(|cell| format!("-{cell} 0\n")).collect();
        let formula = Arc::new(Formula::parse(3, 3, &text).unwrap());
        let found = optima(&formula, &Limits::none()).unwrap();
        assert_eq!(found, Optima { all: 9, balanced: 4 });
        assert_eq!(Cooperative::new(formula).play_out(2), 4);
    }
}
