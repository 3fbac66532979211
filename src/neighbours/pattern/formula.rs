//! A puzzle as a formula, in five ways.
//!
//! The variables are the cells, row by row, and then those of the bands. Four of the encodings have a variable for every
//! place where a band may begin: it makes the band's cells black and the cell behind it blank, one place of each band
//! is taken, bands keep their order, and the cells before, between and behind them are blank. They differ in how they
//! say that a band has *at most* one place:
//!
//! | name | a band has one place, because |
//! |---|---|
//! | `doubled` | each place forbids every other, so that every pair of places is forbidden twice |
//! | `pairs` | every pair of places is forbidden, once |
//! | `apart` | pairs of places are forbidden that have a cell between them; the others contradict each other in a cell |
//! | `implied` | nothing is said |
//!
//! Nothing need be said. Let a band have two places, at `k` and, farther on, at `l`. If they overlap or touch, the
//! cell behind the first is blank and black. If it is the last band, its first place makes all cells behind it blank.
//! Otherwise the next band has a place `j`, which the order puts behind both, and the cells from the end of the first
//! place to `j` are blank, in which the second place lies.
//!
//! The fifth, `ladder`, is ours: its variables say that a band begins at a place *or before*. Two places of one band
//! cannot be said at all, and every clause has at most three literals; there are about as many as cells times bands,
//! where the blanks between two bands cost the others a clause for every two places and every cell between them.

use super::clues::Puzzle;
use rustsat::instances::Cnf;
use rustsat::types::{Lit, constraints::Clause};

/// How a puzzle becomes a formula.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    /// Every pair of places of a band is forbidden twice.
    Doubled,
    /// Every pair of places is forbidden.
    Pairs,
    /// Pairs of places are forbidden that do not contradict each other in a cell.
    Apart,
    /// No pair is forbidden: the rest of the formula does it.
    Implied,
    /// Bands begin at a place or before it.
    Ladder,
}

impl Encoding {
    /// All of them.
    pub const ALL: [Encoding; 5] =
        [Encoding::Doubled, Encoding::Pairs, Encoding::Apart, Encoding::Implied, Encoding::Ladder];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Doubled => "doubled",
            Encoding::Pairs => "pairs",
            Encoding::Apart => "apart",
            Encoding::Implied => "implied",
            Encoding::Ladder => "ladder",
        }
    }
}

/// No formula has more clauses: some gigabytes.
pub const MOST_CLAUSES: u64 = 20_000_000;

/// A formula: its first variables are the cells, row by row.
#[derive(Clone, Debug)]
pub struct Formula {
    clauses: Cnf,
    variables: usize,
    literals: usize,
}

impl Formula {
    /// The formula of a puzzle of which these cells are known, row by row; they stand in it as clauses of one literal.
    pub fn new(puzzle: &Puzzle, known: &[Option<bool>], encoding: Encoding) -> Formula {
        let mut formula = Formula { clauses: Cnf::new(), variables: puzzle.width() * puzzle.height(), literals: 0 };
        for (cell, value) in known.iter().enumerate() {
            if let Some(black) = *value {
                formula.add(&[Lit::new(cell as u32, !black)]);
            }
        }
        for (bands, cells) in puzzle.lines() {
            let cells: Vec<Lit> = cells.iter().map(|cell| Lit::positive(*cell as u32)).collect();
            if bands.is_empty() {
                cells.iter().for_each(|cell| formula.add(&[!*cell]));
            } else if encoding == Encoding::Ladder {
                formula.ladder(bands, &cells);
            } else {
                formula.places(bands, &cells, encoding);
            }
        }
        formula
    }

    /// No formula of this puzzle has more clauses than this and one for each cell.
    pub fn most_clauses(puzzle: &Puzzle, encoding: Encoding) -> u64 {
        let of_line = |(bands, cells): (&[usize], Vec<usize>)| {
            let (count, places) = (bands.len() as u64, earliest(bands, cells.len()).1 as u64 + 1);
            let pairs = places * (places - 1);
            let between = count.saturating_sub(1) * (pairs / 2 + places * (places + 1) * (places + 2) / 6);
            // A band, the cells before and behind it, and at least one place; the cells of an empty line.
            let own = count * (1 + places + places * cells.len() as u64) + cells.len() as u64;
            match encoding {
                Encoding::Doubled => between + own + count * pairs,
                Encoding::Pairs | Encoding::Apart => between + own + count * pairs / 2,
                Encoding::Implied => between + own,
                Encoding::Ladder => 5 * count * places + 3 * cells.len() as u64,
            }
        };
        puzzle.lines().map(of_line).sum()
    }

    /// Variables.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// Clauses.
    pub fn clauses(&self) -> usize {
        self.clauses.len()
    }

    /// Literals over all clauses.
    pub fn literals(&self) -> usize {
        self.literals
    }

    /// The clauses.
    pub fn into_clauses(self) -> Cnf {
        self.clauses
    }

    fn add(&mut self, clause: &[Lit]) {
        self.literals += clause.len();
        self.clauses.add_clause(Clause::from(clause));
    }

    fn new_variables(&mut self, count: usize) -> Vec<Lit> {
        let first = self.variables;
        self.variables += count;
        (first..self.variables).map(|variable| Lit::positive(variable as u32)).collect()
    }

    /// A line by the places where its bands begin.
    fn places(&mut self, bands: &[usize], cells: &[Lit], encoding: Encoding) {
        let (earliest, slack) = earliest(bands, cells.len());
        let places: Vec<Vec<Lit>> = bands.iter().map(|_| self.new_variables(slack + 1)).collect();
        let last = bands.len() - 1;
        for (band, &length) in bands.iter().enumerate() {
            self.add(&places[band]);
            self.at_most_one(&places[band], length, encoding);
            for (shift, &place) in places[band].iter().enumerate() {
                let start = earliest[band] + shift;
                let end = start + length;
                cells[start..end].iter().for_each(|cell| self.add(&[!place, *cell]));
                if band == 0 {
                    cells[..start].iter().for_each(|cell| self.add(&[!place, !*cell]));
                }
                if band == last {
                    // The cell behind it is among them.
                    cells[end..].iter().for_each(|cell| self.add(&[!place, !*cell]));
                    continue;
                }
                self.add(&[!place, !cells[end]]);
                for (next_shift, &next) in places[band + 1].iter().enumerate() {
                    let next_start = earliest[band + 1] + next_shift;
                    if next_start <= end {
                        self.add(&[!place, !next]);
                    } else {
                        cells[end..next_start].iter().for_each(|cell| self.add(&[!place, !next, !*cell]));
                    }
                }
            }
        }
    }

    /// Two places of a band of this length exclude each other.
    fn at_most_one(&mut self, places: &[Lit], length: usize, encoding: Encoding) {
        for (first, &one) in places.iter().enumerate() {
            for (second, &other) in places.iter().enumerate() {
                let said = match encoding {
                    Encoding::Doubled => first != second,
                    Encoding::Pairs => first < second,
                    Encoding::Apart => first + length < second,
                    Encoding::Implied | Encoding::Ladder => false,
                };
                if said {
                    self.add(&[!one, !other]);
                }
            }
        }
    }

    /// A line by the places where its bands begin at the latest.
    fn ladder(&mut self, bands: &[usize], cells: &[Lit]) {
        let (earliest, slack) = earliest(bands, cells.len());
        // The last step of each ladder is always true and needs no variable.
        let steps: Vec<Vec<Lit>> = bands.iter().map(|_| self.new_variables(slack)).collect();
        let begun = |band: usize, place: usize| match place.checked_sub(earliest[band]) {
            None => Step::Never,
            Some(step) => steps[band].get(step).map_or(Step::Always, |step| Step::If(*step)),
        };
        let last = bands.len() - 1;
        for (band, &length) in bands.iter().enumerate() {
            for pair in steps[band].windows(2) {
                self.add(&[!pair[0], pair[1]]);
            }
            if band < last {
                // The next band begins by a place: this one, its blank and its cells before.
                for (step, &next) in steps[band + 1].iter().enumerate() {
                    if let Some(&own) = steps[band].get(step) {
                        self.add(&[!next, own]);
                    }
                }
            }
            for (place, &cell) in cells.iter().enumerate() {
                // Begun here or before, and not so early that it is over: black.
                let over = place.checked_sub(length).map_or(Step::Never, |before| begun(band, before));
                self.implies([(begun(band, place), true), (over, false)], cell);
                // Over, and the next not begun: blank.
                let next = if band < last { begun(band + 1, place) } else { Step::Never };
                self.implies([(over, true), (next, false)], !cell);
                if band == 0 {
                    self.implies([(begun(0, place), false), (Step::Always, true)], !cell);
                }
            }
        }
    }

    /// If both steps are as they are said to be, so is the literal.
    fn implies(&mut self, steps: [(Step, bool); 2], then: Lit) {
        let mut clause = vec![then];
        for (step, wanted) in steps {
            match (step, wanted) {
                (Step::Always, true) | (Step::Never, false) => {}
                (Step::Always, false) | (Step::Never, true) => return,
                (Step::If(literal), true) => clause.push(!literal),
                (Step::If(literal), false) => clause.push(literal),
            }
        }
        self.add(&clause);
    }
}

/// Whether a band has begun by a place.
#[derive(Clone, Copy)]
enum Step {
    Never,
    If(Lit),
    Always,
}

/// Where each band begins if all stand as far to the front as they can, and how far all of them may move on.
fn earliest(bands: &[usize], cells: usize) -> (Vec<usize>, usize) {
    let mut next = 0;
    let earliest = bands
        .iter()
        .map(|band| {
            let start = next;
            next += band + 1;
            start
        })
        .collect();
    (earliest, cells + 1 - next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbours::pattern::Grid;
    use crate::neighbours::random::Random;

    fn line(bands: &[usize], cells: usize) -> Puzzle {
        let mut columns: Vec<Vec<usize>> = vec![Vec::new(); cells];
        let black: usize = bands.iter().sum();
        columns[..black].iter_mut().for_each(|column| column.push(1));
        Puzzle::new(vec![bands.to_vec()], columns, Vec::new()).unwrap()
    }

    #[test]
    fn sizes_are_those_of_the_rules() {
        // Bands of 1 and 1 in 5 cells: 3 places each.
        let puzzle = line(&[1, 1], 5);
        let sizes = Encoding::ALL.map(|encoding| {
            let formula = Formula::new(&puzzle, &[None; 5], encoding);
            // The columns: 2 of one black cell, 3 empty.
            (formula.variables() - 5, formula.clauses())
        });
        // A column of one black cell has one place and two clauses, or by the ladder one; an empty one has one clause.
        let columns = 2 * 2 + 3;
        // At least one place: 2. Black cells: 6. Blank behind the first: 3. Before it: 0 + 1 + 2. Behind the second: 2 + 1
        // + 0. Out of order: 3 of 9 pairs. Between: 1, 2, 3 cells for those in order, 1 + 2 + 1 + 3 + 2 + 1.
        let rest = 2 + 6 + 3 + 3 + 3 + 3 + 10;
        assert_eq!(sizes[0], (6 + 2, columns + rest + 12), "doubled");
        assert_eq!(sizes[1], (6 + 2, columns + rest + 6), "pairs");
        // One pair of the three has a cell between its places.
        assert_eq!(sizes[2], (6 + 2, columns + rest + 2), "apart");
        assert_eq!(sizes[3], (6 + 2, columns + rest), "implied");
        assert_eq!(sizes[4].0, 4, "ladder");
    }

    #[test]
    fn no_formula_is_larger_than_expected() {
        let mut random = Random::new(3);
        for side in [1, 2, 5, 9, 20] {
            for density in [0.0, 0.05, 0.3, 0.6, 1.0] {
                let cells = (0..side * side).map(|_| random.chance(density)).collect();
                let puzzle = Puzzle::of_grid(&Grid::new(side, cells).unwrap());
                for encoding in Encoding::ALL {
                    let formula = Formula::new(&puzzle, puzzle.given(), encoding);
                    let most = Formula::most_clauses(&puzzle, encoding) + (side * side) as u64;
                    let found = formula.clauses() as u64;
                    assert!(found <= most && most <= 8 * found + 20, "{side} {density} {encoding:?} {found} {most}");
                }
            }
        }
    }
}
