//! Each formula, decided by a plain evaluation of its quantifiers, says what the twin says.

use super::super::clauses::{ClauseGame, Formula as Cnf, Recipe};
use super::super::connect::{Connect, Grid};
use super::super::matrix::{Matrix, MatrixGame};
use super::super::nim::{Nim, Rule};
use super::super::twin;
use super::*;
use crate::qbf::formula::Quantifier;

/// Decides a formula by trying both values of each variable in its order; units are drawn first.
fn holds(formula: &Formula) -> bool {
    let variables = formula.prefix().len();
    let mut universal = vec![false; variables + 1];
    for block in formula.prefix().blocks() {
        for variable in block.first..=block.last {
            universal[variable as usize] = block.quantifier == Quantifier::ForAll;
        }
    }
    let mut clauses = Vec::new();
    formula.for_each_clause(|clause| clauses.push(clause.iter().map(|literal| literal.number()).collect::<Vec<i32>>()));
    decide(&clauses, &universal, &mut vec![0; variables + 1], 1)
}

fn decide(clauses: &[Vec<i32>], universal: &[bool], values: &mut Vec<i8>, from: usize) -> bool {
    let mut drawn = Vec::new();
    let truth = loop {
        let value = |literal: i32| values[literal.unsigned_abs() as usize] * literal.signum() as i8;
        let open: Vec<&Vec<i32>> = clauses.iter().filter(|clause| !clause.iter().any(|&l| value(l) == 1)).collect();
        if open.is_empty() {
            break true;
        }
        // A clause of which only universal literals are left, or none, is false.
        let free = |clause: &[i32]| -> Vec<i32> { clause.iter().copied().filter(|&l| value(l) == 0).collect() };
        if open.iter().any(|clause| free(clause).iter().all(|l| universal[l.unsigned_abs() as usize])) {
            break false;
        }
        let unit = open.iter().map(|clause| free(clause)).find(|free| free.len() == 1);
        if let Some(unit) = unit {
            let variable = unit[0].unsigned_abs() as usize;
            values[variable] = unit[0].signum() as i8;
            drawn.push(variable);
            continue;
        }
        let Some(variable) = (from..values.len()).find(|&variable| values[variable] == 0) else { break false };
        let mut truth = universal[variable];
        for value in [1, -1] {
            values[variable] = value;
            let here = decide(clauses, universal, values, variable + 1);
            truth = if universal[variable] { truth && here } else { truth || here };
            if truth != universal[variable] {
                break;
            }
        }
        values[variable] = 0;
        break truth;
    };
    for variable in drawn {
        values[variable] = 0;
    }
    truth
}

#[track_caller]
fn compare(formula: impl Fn(bool) -> Formula, wins: bool) {
    for cuts in [false, true] {
        let formula = formula(cuts);
        assert_eq!(holds(&formula), wins, "{:?}", formula.comments());
    }
}

#[test]
fn nim_is_as_the_twin_says() {
    for rule in [Rule::Fibonacci, Rule::UpTo(1), Rule::UpTo(2), Rule::UpTo(3)] {
        for matches in 0..=5 {
            let game = Nim::new(rule, matches);
            compare(|cuts| of_nim(&game, cuts), twin::value(&game) > 0);
        }
    }
}

#[test]
fn the_matrix_game_is_as_the_twin_says() {
    for seed in 0..60 {
        let matrix = Arc::new(Matrix::random(seed as usize % 4, 0.6, seed).unwrap());
        compare(|cuts| of_matrix(&matrix, cuts), twin::value(&MatrixGame::new(matrix.clone())) > 0);
    }
}

#[test]
fn connect_is_as_the_twin_says() {
    for (width, height, connect) in [(2, 2, 2), (3, 1, 2), (2, 3, 2), (3, 2, 3), (1, 4, 2), (3, 2, 2)] {
        let grid = Grid::new(width, height, connect).unwrap();
        let value = twin::value(&Connect::new(grid));
        let least = super::super::connect::board::turn_of_win(grid, value).filter(|_| value > 0);
        for turns in 0..=grid.cells() {
            compare(|cuts| of_connect(grid, turns, cuts), least.is_some_and(|least| least <= turns));
        }
    }
}

#[test]
fn the_game_of_clauses_is_as_the_twin_says() {
    let mut wins = 0;
    for seed in 0..24 {
        let recipe = Recipe { clauses: 2 + seed as usize % 3, size: 2, negation: 0.5 };
        let formula = Arc::new(Cnf::random(2 + seed as usize % 3, 1, recipe, seed).unwrap());
        for misere in [false, true] {
            let game = ClauseGame::new(formula.clone(), misere);
            let value = twin::value(&game);
            wins += usize::from(value > 0);
            compare(|cuts| of_clauses(&game, cuts), value > 0);
        }
    }
    assert!((5..40).contains(&wins), "{wins}");
}
