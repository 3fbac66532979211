//! Solutions of a puzzle, one after the other, by the SAT solver.

use super::clues::{Grid, Puzzle};
use super::formula::{Encoding, Formula};
use super::line::Knowledge;
use crate::effort::tuning::clock::SOLVER_DECISIONS;
use crate::effort::{Halt, Limits};
use rustsat::solvers::{Solve, SolverResult};
use rustsat::types::constraints::Clause;
use rustsat::types::{Lit, TernaryVal};
use rustsat_batsat::BasicSolver;
use std::cell::Cell;
use std::rc::Rc;

/// The sizes of a formula, and the solver's work on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Work {
    /// Cells that line logic left open; all that are not given if it was not asked.
    pub open_cells: usize,
    /// Variables of the formula; none if line logic was enough.
    pub variables: usize,
    /// Its clauses.
    pub clauses: usize,
    /// Literals over all of them.
    pub literals: usize,
    /// Times the solver guessed.
    pub decisions: u64,
}

/// How many solutions there are: none, one or more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Solutions {
    /// None.
    None,
    /// This one and no other.
    One(Grid),
    /// At least these.
    More(Grid, Grid),
}

/// The solutions of a puzzle. Each is checked by the clues before it is handed out.
pub struct Search<'a> {
    puzzle: &'a Puzzle,
    /// Asked for the next solution.
    state: State,
    work: Work,
    decisions: Rc<Cell<u64>>,
    limits: Limits,
}

enum State {
    /// Line logic has found all there is.
    Settled(Option<Grid>),
    /// The solver, and the cells in which solutions can differ.
    Solver(Box<BasicSolver>, Vec<usize>),
}

impl<'a> Search<'a> {
    /// A search of a puzzle, by line logic first if `lines` says so.
    pub fn new(puzzle: &'a Puzzle, encoding: Encoding, lines: bool, limits: &Limits) -> Search<'a> {
        let (known, settled) = match lines.then(|| Knowledge::of(puzzle)) {
            None => (puzzle.given().to_vec(), None),
            Some(Ok(known)) => (known.cells().to_vec(), known.grid().map(Some)),
            Some(Err(_)) => (Vec::new(), Some(None)),
        };
        let open: Vec<usize> = (0..known.len()).filter(|cell| known[*cell].is_none()).collect();
        let mut work = Work { open_cells: open.len(), ..Work::default() };
        let decisions = Rc::new(Cell::new(0u64));
        let state = match settled {
            Some(grid) => State::Settled(grid),
            None => {
                let formula = Formula::new(puzzle, &known, encoding);
                work.variables = formula.variables();
                work.clauses = formula.clauses();
                work.literals = formula.literals();
                let mut solver = BasicSolver::default();
                // BatSat takes every clause; the error of the trait is for other solvers.
                solver.add_cnf(formula.into_clauses()).expect("BatSat takes every clause");
                let (count, stopping) = (decisions.clone(), limits.clone());
                let stopped = Cell::new(false);
                // The solver asks at every decision whether to stop.
                solver.batsat_mut().cb_mut().set_stop(move || {
                    count.set(count.get() + 1);
                    // Once it is to stop it stays so: the solver asks again on its way out.
                    if count.get().is_multiple_of(u64::from(SOLVER_DECISIONS)) && stopping.check_time().is_err() {
                        stopped.set(true);
                    }
                    stopped.get()
                });
                State::Solver(Box::new(solver), open)
            }
        };
        Search { puzzle, state, work, decisions, limits: limits.clone() }
    }

    /// A solution that was not found before; `None` if there is none.
    pub fn next_solution(&mut self) -> Result<Option<Grid>, Halt> {
        self.limits.check_time()?;
        let grid = match &mut self.state {
            State::Settled(grid) => grid.take(),
            State::Solver(solver, open) => match solver.solve() {
                Ok(SolverResult::Sat) => {
                    let cells = self.puzzle.width() * self.puzzle.height();
                    let is_black =
                        |cell: usize| matches!(solver.lit_val(Lit::positive(cell as u32)), Ok(TernaryVal::True));
                    let cells: Vec<bool> = (0..cells).map(is_black).collect();
                    let differ: Clause = open.iter().map(|cell| Lit::new(*cell as u32, cells[*cell])).collect();
                    solver.add_clause(differ).expect("BatSat takes every clause");
                    Grid::new(self.puzzle.width(), cells)
                }
                Ok(SolverResult::Unsat) => None,
                _ => return Err(Halt),
            },
        };
        assert!(grid.as_ref().is_none_or(|grid| self.puzzle.fits(grid)), "the solver's picture does not fit the clues");
        Ok(grid)
    }

    /// Whether there is no solution, one, or more.
    pub fn solutions(&mut self) -> Result<Solutions, Halt> {
        let Some(first) = self.next_solution()? else { return Ok(Solutions::None) };
        Ok(match self.next_solution()? {
            None => Solutions::One(first),
            Some(second) => Solutions::More(first, second),
        })
    }

    /// What the search has cost so far.
    pub fn work(&self) -> Work {
        Work { decisions: self.decisions.get(), ..self.work }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbours::pattern::counting;
    use crate::neighbours::random::Random;
    use std::collections::HashSet;

    #[test]
    fn every_encoding_finds_every_solution_once() {
        let mut random = Random::new(7);
        let (mut none, mut several) = (0, 0);
        for round in 0..200 {
            let (width, height) = (1 + random.below(5), 1 + random.below(5));
            let grid = Grid::new(width, (0..width * height).map(|_| random.chance(0.45)).collect()).unwrap();
            let given = grid.cells().iter().map(|cell| random.chance(0.1).then_some(*cell)).collect();
            let mut puzzle = Puzzle::of_grid(&grid).with_given(given);
            if round % 3 == 0 {
                // Its sums agree, but it may have no solution.
                let mut columns = puzzle.columns().to_vec();
                columns.rotate_left(1);
                puzzle = Puzzle::new(puzzle.rows().to_vec(), columns, Vec::new()).unwrap();
            }
            let expected = counting::count(&puzzle, 1 << 20, &Limits::none()).unwrap().unwrap();
            several += usize::from(expected > 1);
            none += usize::from(expected == 0);
            for encoding in Encoding::ALL {
                let mut search = Search::new(&puzzle, encoding, round % 2 == 0, &Limits::none());
                let mut found = HashSet::new();
                while let Some(grid) = search.next_solution().unwrap() {
                    assert!(puzzle.fits(&grid));
                    assert!(found.insert(grid), "{encoding:?} twice");
                }
                assert_eq!(found.len() as u128, expected, "{encoding:?}\n{puzzle:?}");
                assert!(round % 3 == 0 || found.contains(&grid));
            }
        }
        assert!(none > 10 && several > 10, "{none} {several}");
    }

    #[test]
    fn a_search_stops_when_it_is_told_to() {
        let limits = Limits::none();
        limits.stop();
        let mut random = Random::new(5);
        let grid = Grid::new(30, (0..900).map(|_| random.chance(0.5)).collect()).unwrap();
        let puzzle = Puzzle::of_grid(&grid);
        assert_eq!(Search::new(&puzzle, Encoding::Ladder, false, &limits).solutions(), Err(Halt));
    }
}
