//! All neighbours: the search says what the twin says, on 10,000 random small games.

use super::clauses::{ClauseGame, Formula, Recipe};
use super::connect::solver::Solver;
use super::connect::{Connect, Grid};
use super::finite::Finite;
use super::matrix::{Matrix, MatrixGame};
use super::max_sat::Cooperative;
use super::nim::{Nim, Rule};
use super::qcsp::{Problem, Qcsp};
use super::random::Random;
use super::search::{Search, best};
use super::twin;
use super::weights::Weights;
use crate::effort::Limits;
use std::sync::Arc;

/// Some moves into a game, so that positions of every kind come up, but not into its end.
fn wander<G: Finite>(mut game: G, steps: usize, random: &mut Random) -> G {
    for _ in 0..steps {
        let moves = if game.value().is_some() { Vec::new() } else { game.moves() };
        if moves.is_empty() {
            break;
        }
        let next = game.after(moves[random.below(moves.len())]);
        if next.value().is_some() {
            break;
        }
        game = next;
    }
    game
}

/// The value by both, and that every best move keeps it.
#[track_caller]
fn check<G: Finite>(game: &G) -> i32 {
    let limits = Limits::none();
    let value = twin::value(game);
    let mut search = Search::new(&limits);
    assert_eq!(search.value(game), Ok(value));
    let worths = search.worths(game).unwrap();
    for step in best(game.mover(), &worths) {
        assert_eq!(twin::value(&game.after(step)), value, "{step:?}");
    }
    value
}

fn random_nim(random: &mut Random) -> Nim {
    let rule = match random.below(3) {
        0 => Rule::Fibonacci,
        _ => Rule::UpTo(1 + random.below(4) as u64),
    };
    wander(Nim::new(rule, random.below(14) as u64), random.below(3), random)
}

fn random_connect(random: &mut Random) -> Connect {
    let (width, height) = [(1, 4), (2, 3), (3, 2), (3, 3), (4, 2), (4, 3), (5, 2)][random.below(7)];
    let grid = Grid::new(width, height, 2 + random.below(3)).unwrap();
    let kept = 5 + random.below(3);
    wander(Connect::new(grid), grid.cells().saturating_sub(kept), random)
}

fn random_formula(random: &mut Random, size: usize) -> Arc<Formula> {
    let recipe = Recipe { clauses: 1 + random.below(6), size, negation: random.below(101) as f64 / 100.0 };
    let (width, height) = [(2, 1), (2, 2), (5, 1), (3, 2)][random.below(4)];
    Arc::new(Formula::random(width, height, recipe, random.bits()).unwrap())
}

fn random_problem(random: &mut Random) -> Qcsp {
    let mut text = String::new();
    let names = ["x", "y", "z", "t"];
    for name in names {
        let quantifier = ["exists", "forall"][random.below(2)];
        text += &format!("{quantifier} {name} in {}..{} ", -(random.below(2) as i64), 1 + random.below(3));
    }
    let mut term = || {
        let name = |random: &mut Random| names[random.below(4)];
        match random.below(4) {
            0 => format!("{} * {}", name(random), name(random)),
            1 => format!("{} - {}", name(random), name(random)),
            2 => format!("({} + {}) * 2", name(random), name(random)),
            _ => name(random).to_owned(),
        }
    };
    let sides = [term(), term(), term(), term()];
    let (sign, word) = (["=", "!=", "<", "<=", ">", ">="][random.below(6)], ["&", "|", "->"][random.below(3)]);
    text += &format!(": {} {sign} {} {word} !({} > {})", sides[0], sides[1], sides[2], sides[3]);
    Qcsp::new(Arc::new(Problem::parse(&text).unwrap_or_else(|error| panic!("{text}: {error}"))))
}

#[test]
fn the_search_equals_the_twin_on_10000_random_games() {
    let mut random = Random::new(20);
    let mut seen = [[0; 3]; 7];
    for number in 0..10_000 {
        let kind = number % 7;
        let value = match kind {
            0 => check(&random_nim(&mut random)),
            1 => {
                let matrix = Matrix::random(random.below(4), 0.6, random.bits()).unwrap();
                check(&wander(MatrixGame::new(Arc::new(matrix)), random.below(2), &mut random))
            }
            2 => {
                let game = random_connect(&mut random);
                let value = check(&game);
                let limits = Limits::none();
                let mut solver = Solver::new(game.grid(), 1 << 16, &limits);
                let found = solver.solve(&game, &mut |least, most| assert!(least <= value && value <= most)).unwrap();
                assert_eq!(found.value, value, "{game:?}");
                assert_eq!(
                    found.best.map(|column| twin::value(&game.after(column))),
                    game.value().map_or(Some(value), |_| None)
                );
                let worths: Vec<(usize, i32)> = solver
                    .worths(&game)
                    .unwrap()
                    .into_iter()
                    .map(|(column, _)| (column, twin::value(&game.after(column))))
                    .collect();
                assert_eq!(solver.worths(&game), Ok(worths), "{game:?}");
                value
            }
            3 => check(&wander(
                ClauseGame::new(random_formula(&mut random, 2), random.below(2) == 1),
                random.below(3),
                &mut random,
            )),
            4 => check(&Cooperative::new(random_formula(&mut random, 2))),
            5 => check(&wander(
                Weights::new(1 + random.below(2), 1 + random.below(5) as u32).unwrap(),
                random.below(3),
                &mut random,
            )),
            _ => check(&random_problem(&mut random)),
        };
        seen[kind][(value.signum() + 1) as usize] += 1;
    }
    // Every kind of game had both ends, those that know draws had them too.
    for (kind, [losses, draws, wins]) in seen.into_iter().enumerate() {
        assert!(wins > 0 && (losses > 0 || kind == 4) && (draws > 0 || ![2, 3].contains(&kind)), "{seen:?}");
    }
}

/// The generic search reaches the small ones alone.
#[test]
fn both_searches_of_connect_four_agree_on_boards() {
    let limits = Limits::none();
    for (width, height, connect) in [(4, 4, 4), (4, 4, 3), (3, 3, 3), (5, 3, 3), (5, 4, 3), (3, 6, 3)] {
        let start = Connect::new(Grid::new(width, height, connect).unwrap());
        let value = Search::new(&limits).value(&start).unwrap();
        let found = Solver::new(start.grid(), 1 << 24, &limits).solve(&start, &mut |_, _| {}).unwrap();
        assert_eq!(found.value, value, "{width}x{height} connect {connect}");
    }
}
