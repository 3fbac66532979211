//! The game of clauses: the cells of a board are the variables of a formula in conjunctive normal form. For each player his
//! own stones are true, the other's false, and an empty cell is neither.
//!
//! After every move: if the formula holds for both it is a draw, if it holds for one he has won. On a full board whoever
//! has more clauses that hold has won. In the misère game whoever would have won has lost, on a full board too.

use super::finite::{Finite, Side};
use super::random::Random;
use super::spoken::Spoken;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use thiserror::Error;

/// A set of cells is a word.
pub const MOST_CELLS: usize = 64;
/// More clauses make a formula no more interesting, and a text no shorter.
const MOST_CLAUSES: usize = 10_000;
/// The longest text of a formula.
pub const LONGEST_TEXT: u64 = 1 << 20;

/// Why there is no such formula.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FormulaError {
    /// The sides do not fit.
    #[error("a board of {0}x{1} has too few or too many cells; it has 1 to {MOST_CELLS}")]
    Board(usize, usize),
    /// A clause cannot have more variables than there are cells.
    #[error("a clause of {0} different cells does not fit a board of {1}")]
    Size(usize, usize),
    /// Too few or too many.
    #[error("a formula has 1 to {MOST_CLAUSES} clauses, not {0}")]
    Clauses(usize),
    /// A literal that is none: the line, and the word.
    #[error("line {0}: '{1}' is no literal from 1 to {2}, nor the negative of one")]
    Literal(usize, String, usize),
    /// The last clause of a text is not closed.
    #[error("the last clause has no 0 at its end")]
    Open,
}

/// A clause: one of these cells is mine, or one of those the other's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clause {
    /// Cells of variables that stand plain.
    pub positive: u64,
    /// Cells of variables that stand negated.
    pub negative: u64,
}

impl Clause {
    /// Whether it holds for the owner of the stones `own`.
    pub fn holds(&self, own: u64, other: u64) -> bool {
        self.positive & own | self.negative & other != 0
    }
}

/// A board and a formula over its cells, row by row from a1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula {
    width: usize,
    height: usize,
    clauses: Vec<Clause>,
}

/// How a random formula is drawn.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Recipe {
    /// How many clauses.
    pub clauses: usize,
    /// Cells in a clause, all different.
    pub size: usize,
    /// How likely a cell stands negated.
    pub negation: f64,
}

impl Formula {
    /// A formula on a board.
    pub fn new(width: usize, height: usize, clauses: Vec<Clause>) -> Result<Formula, FormulaError> {
        if width == 0 || height == 0 || width > MOST_CELLS || height > MOST_CELLS || width * height > MOST_CELLS {
            return Err(FormulaError::Board(width, height));
        }
        if clauses.is_empty() || clauses.len() > MOST_CLAUSES {
            return Err(FormulaError::Clauses(clauses.len()));
        }
        Ok(Formula { width, height, clauses })
    }

    /// A random formula, the same for the same seed.
    pub fn random(width: usize, height: usize, recipe: Recipe, seed: u64) -> Result<Formula, FormulaError> {
        // The board first: what is drawn depends on it.
        Formula::new(width, height, vec![Clause { positive: 1, negative: 0 }])?;
        let cells = width * height;
        if recipe.size > cells || recipe.size == 0 {
            return Err(FormulaError::Size(recipe.size, cells));
        }
        if recipe.clauses > MOST_CLAUSES {
            return Err(FormulaError::Clauses(recipe.clauses));
        }
        let mut random = Random::new(seed);
        let clause = |_| {
            let mut clause = Clause { positive: 0, negative: 0 };
            for _ in 0..recipe.size {
                let taken = clause.positive | clause.negative;
                // One of the cells that are left, each as likely.
                let skipped = random.below(cells - taken.count_ones() as usize);
                let cell = (0..cells).filter(|cell| taken >> cell & 1 == 0).nth(skipped).unwrap_or(0);
                let set = if random.chance(recipe.negation) { &mut clause.negative } else { &mut clause.positive };
                *set |= 1 << cell;
            }
            clause
        };
        Formula::new(width, height, (0..recipe.clauses).map(clause).collect())
    }

    /// Reads DIMACS: variable 1 is a1, 2 is b1, and so on. The line `p cnf` may be there or not.
    pub fn parse(width: usize, height: usize, text: &str) -> Result<Formula, FormulaError> {
        let (mut clauses, mut open) = (Vec::new(), Clause { positive: 0, negative: 0 });
        let cells = width.saturating_mul(height).min(MOST_CELLS);
        let mut closed = true;
        for (index, line) in text.lines().enumerate() {
            if line.starts_with(['c', 'p', '%']) {
                continue;
            }
            for word in line.split_whitespace() {
                let wrong = || FormulaError::Literal(index + 1, word.chars().take(20).collect(), cells);
                let number: i64 = word.parse().map_err(|_| wrong())?;
                closed = number == 0;
                match number.unsigned_abs() as usize {
                    0 => clauses.push(std::mem::replace(&mut open, Clause { positive: 0, negative: 0 })),
                    variable if variable <= cells => {
                        *(if number > 0 { &mut open.positive } else { &mut open.negative }) |= 1 << (variable - 1);
                    }
                    _ => return Err(wrong()),
                }
                if clauses.len() > MOST_CLAUSES {
                    return Err(FormulaError::Clauses(clauses.len()));
                }
            }
        }
        if !closed {
            return Err(FormulaError::Open);
        }
        Formula::new(width, height, clauses)
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// Variables.
    pub fn cells(&self) -> usize {
        self.width * self.height
    }

    /// The clauses.
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// How many clauses hold for the owner of `own`.
    pub fn holding(&self, own: u64, other: u64) -> usize {
        self.clauses.iter().filter(|clause| clause.holds(own, other)).count()
    }

    /// All cells.
    pub fn board(&self) -> u64 {
        u64::MAX >> (MOST_CELLS - self.cells())
    }

    /// The name of a cell, a1 at the lower left.
    pub fn cell_name(&self, cell: usize) -> String {
        let (column, row) = (cell % self.width, cell / self.width);
        // Boards of more than 26 columns have one row or two; their cells go by number.
        match u8::try_from(column) {
            Ok(column @ 0..26) => format!("{}{}", char::from(b'a' + column), row + 1),
            _ => (cell + 1).to_string(),
        }
    }

    /// A clause in words: `a1 -b2`.
    pub fn clause_name(&self, clause: &Clause) -> String {
        let cells = |set: u64, sign: &'static str| {
            (0..self.cells())
                .filter(move |cell| set >> cell & 1 == 1)
                .map(move |cell| format!("{sign}{}", self.cell_name(cell)))
        };
        cells(clause.positive, "").chain(cells(clause.negative, "-")).collect::<Vec<_>>().join(" ")
    }
}

/// A position of the game.
#[derive(Clone, Debug)]
pub struct ClauseGame {
    formula: Arc<Formula>,
    misere: bool,
    first: u64,
    second: u64,
}

impl ClauseGame {
    /// The empty board.
    pub fn new(formula: Arc<Formula>, misere: bool) -> ClauseGame {
        ClauseGame { formula, misere, first: 0, second: 0 }
    }

    /// The formula.
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// Whether whoever would win loses.
    pub fn is_misere(&self) -> bool {
        self.misere
    }

    fn empty(&self) -> u64 {
        self.formula.board() & !(self.first | self.second)
    }
}

/// Positions of one game have one formula; it need not be looked at.
impl PartialEq for ClauseGame {
    fn eq(&self, other: &ClauseGame) -> bool {
        (self.first, self.second) == (other.first, other.second)
    }
}

impl Eq for ClauseGame {}

impl Hash for ClauseGame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.first, self.second).hash(state);
    }
}

impl Finite for ClauseGame {
    type Move = usize;

    fn mover(&self) -> Side {
        if self.first.count_ones() == self.second.count_ones() { Side::First } else { Side::Second }
    }

    fn value(&self) -> Option<i32> {
        let all = self.formula.clauses.len();
        let first = self.formula.holding(self.first, self.second);
        let second = self.formula.holding(self.second, self.first);
        let gain = match (first == all, second == all) {
            (true, true) => 0,
            (true, false) => 1,
            (false, true) => -1,
            // Both scores count: with the first one alone every full board would be a win of the first player.
            (false, false) if self.empty() == 0 => (first as i32 - second as i32).signum(),
            (false, false) => return None,
        };
        Some(if self.misere { -gain } else { gain })
    }

    fn moves(&self) -> Vec<usize> {
        let empty = self.empty();
        (0..self.formula.cells()).filter(|cell| empty >> cell & 1 == 1).collect()
    }

    fn after(&self, cell: usize) -> ClauseGame {
        let mut next = self.clone();
        match self.mover() {
            Side::First => next.first |= 1 << cell,
            Side::Second => next.second |= 1 << cell,
        }
        next
    }
}

impl Spoken for ClauseGame {
    fn title(&self) -> String {
        let Formula { width, height, clauses } = &*self.formula;
        let misere = if self.misere { ", misère" } else { "" };
        format!("the game of {} clauses on {width}x{height}{misere}", clauses.len())
    }

    fn drawing(&self) -> String {
        let Formula { width, height, .. } = *self.formula;
        let mut text = String::new();
        for row in (0..height).rev() {
            let cells =
                (row * width..(row + 1) * width).map(|cell| match (self.first >> cell & 1, self.second >> cell & 1) {
                    (1, _) => " X",
                    (_, 1) => " O",
                    _ => " .",
                });
            text += &format!("  {:>2}{}\n", row + 1, cells.collect::<String>());
        }
        if width <= 26 {
            let letters: String = (0..width).map(|column| format!(" {}", char::from(b'a' + column as u8))).collect();
            text += &format!("    {letters}\n");
        }
        let (first, second) =
            (self.formula.holding(self.first, self.second), self.formula.holding(self.second, self.first));
        text + &format!("  of {} clauses {first} hold for X, {second} for O\n", self.formula.clauses.len())
    }

    fn question(&self) -> String {
        "which cell".to_owned()
    }

    fn name_of(&self, cell: usize) -> String {
        self.formula.cell_name(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{search::Search, twin};
    use super::*;
    use crate::effort::Limits;

    const EXAMPLE: &str = "p cnf 9 3\n1 -4 -5 0\n-8 5 -3 0\n4 -6 -9 0\n";

    fn at(text: &str, misere: bool, cells: &[usize]) -> ClauseGame {
        let start = ClauseGame::new(Arc::new(Formula::parse(3, 3, text).unwrap()), misere);
        cells.iter().fold(start, |game, cell| game.after(cell - 1))
    }

    /// The two boards of the report: X on 1 and 4, O on 8; then O on 3 and 5, X on 4 and 9.
    #[test]
    fn the_examples_of_the_report_end_as_it_says() {
        assert_eq!(at(EXAMPLE, false, &[1, 8]).value(), None);
        assert_eq!(at(EXAMPLE, false, &[1, 8, 4]).value(), Some(1));
        assert_eq!(at(EXAMPLE, true, &[1, 8, 4]).value(), Some(-1));
        for misere in [false, true] {
            assert_eq!(at(EXAMPLE, misere, &[9, 3, 4, 5]).value(), Some(0));
        }
    }

    /// Nobody can satisfy x and not x. The second player has more clauses here; a program that forgets his score would say
    /// that the first one has won.
    #[test]
    fn on_a_full_board_both_scores_count() {
        let text = "1 0\n-1 0\n2 0\n4 0\n-3 0\n-5 0\n";
        let cells = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        assert_eq!(at(text, false, &cells).value(), Some(-1));
        assert_eq!(at(text, true, &cells).value(), Some(1));
        assert_eq!(at("1 0\n-1 0\n", false, &cells).value(), Some(0));
    }

    #[test]
    fn mistakes_of_a_text_are_told() {
        let complaint = |text: &str| Formula::parse(3, 3, text).unwrap_err().to_string();
        assert_eq!(complaint("1 x 0\n"), "line 1: 'x' is no literal from 1 to 9, nor the negative of one");
        assert_eq!(complaint("1 0\n-10 0\n"), "line 2: '-10' is no literal from 1 to 9, nor the negative of one");
        assert_eq!(complaint("1 2\n"), "the last clause has no 0 at its end");
        assert_eq!(complaint(""), "a formula has 1 to 10000 clauses, not 0");
        assert!(complaint("-9223372036854775808 0").contains("is no literal"));
        let recipe = Recipe { clauses: 3, size: 10, negation: 0.5 };
        assert_eq!(Formula::random(3, 3, recipe, 0), Err(FormulaError::Size(10, 9)));
        assert_eq!(Formula::random(9, 9, recipe, 0), Err(FormulaError::Board(9, 9)));
    }

    #[test]
    fn random_clauses_are_as_they_were_ordered() {
        let formula = Formula::random(5, 5, Recipe { clauses: 400, size: 6, negation: 0.25 }, 7).unwrap();
        let negated: u32 = formula.clauses().iter().map(|clause| clause.negative.count_ones()).sum();
        assert!(formula.clauses().iter().all(|clause| (clause.positive | clause.negative).count_ones() == 6));
        assert!(formula.clauses().iter().all(|clause| (clause.positive | clause.negative) & !formula.board() == 0));
        assert!((500..700).contains(&negated), "{negated}");
    }

    #[test]
    fn the_search_says_what_the_twin_says() {
        let limits = Limits::none();
        let mut seen = [0; 3];
        for seed in 0..200 {
            let recipe = Recipe { clauses: 3 + seed as usize % 6, size: 2, negation: 0.6 };
            let formula = Arc::new(Formula::random(2 + seed as usize % 5, 1, recipe, seed).unwrap());
            for misere in [false, true] {
                let game = ClauseGame::new(formula.clone(), misere);
                let value = twin::value(&game);
                assert_eq!(Search::new(&limits).value(&game), Ok(value), "{seed} {misere}");
                seen[(value + 1) as usize] += 1;
            }
        }
        assert!(seen.iter().all(|count| *count > 0), "{seen:?}");
    }
}
