//! The games that matches are about: lines of a square board, and clauses over its cells.

use crate::effort::{Halt, Limits};
use crate::neighbours::clauses::{Formula, FormulaError, Recipe};
use crate::neighbours::finite::{Finite, Side};
use crate::neighbours::search::Search;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// What the game is about.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Rule {
    /// Rows, columns and the two diagonals.
    Classic,
    /// Rows and columns.
    NoDiagonals,
    /// Rows, columns and all diagonals that go on at the opposite edge.
    Modular,
    /// A random formula, drawn anew for each game.
    Clauses(Recipe),
}

impl Rule {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Classic => "classic",
            Rule::NoDiagonals => "no-diagonals",
            Rule::Modular => "modular",
            Rule::Clauses(_) => "clauses",
        }
    }
}

/// The stones of both players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Stones {
    /// Of who began.
    pub first: u64,
    /// Of the other.
    pub second: u64,
}

impl Stones {
    /// Those of one side, then those of the other.
    pub fn of(self, side: Side) -> (u64, u64) {
        match side {
            Side::First => (self.first, self.second),
            Side::Second => (self.second, self.first),
        }
    }

    /// One stone more.
    pub fn with(mut self, side: Side, cell: usize) -> Stones {
        match side {
            Side::First => self.first |= 1 << cell,
            Side::Second => self.second |= 1 << cell,
        }
        self
    }

    /// Whose turn it is where players alternate.
    pub fn mover(self) -> Side {
        if self.first.count_ones() == self.second.count_ones() { Side::First } else { Side::Second }
    }
}

/// A game on a square board of at most 64 cells, row by row from a1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contest {
    side: usize,
    goal: Goal,
    misere: bool,
}

/// What ends a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// To own one of these sets of cells; with them, the numbers of the sets through each cell.
    Sets(Vec<u64>, Vec<Vec<usize>>),
    /// To satisfy all clauses, or more of them than the other when the board is full.
    Clauses(Formula),
}

impl Contest {
    /// The largest board.
    pub const MOST_SIDE: usize = 8;

    /// A game by its rule on a board of `side` x `side`, 1 to [`MOST_SIDE`](Contest::MOST_SIDE). The seed is that of the
    /// formula, where there is one. In the misère game who would have won has lost.
    pub fn new(rule: Rule, side: usize, misere: bool, seed: u64) -> Result<Contest, FormulaError> {
        if !(1..=Contest::MOST_SIDE).contains(&side) {
            return Err(FormulaError::Board(side, side));
        }
        let goal = match rule {
            Rule::Clauses(recipe) => Goal::Clauses(Formula::random(side, side, recipe, seed)?),
            _ => {
                let sets = lines(rule, side);
                let through = |cell: usize| (0..sets.len()).filter(|set| sets[*set] >> cell & 1 == 1).collect();
                let through = (0..side * side).map(through).collect();
                Goal::Sets(sets, through)
            }
        };
        Ok(Contest { side, goal, misere })
    }

    /// Cells in a row.
    pub fn side(&self) -> usize {
        self.side
    }

    /// Cells.
    pub fn cells(&self) -> usize {
        self.side * self.side
    }

    /// What ends a game.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// Whether who would have won has lost.
    pub fn is_misere(&self) -> bool {
        self.misere
    }

    /// Cells without a stone.
    pub fn empty(&self, stones: Stones) -> u64 {
        u64::MAX >> (64 - self.cells()) & !(stones.first | stones.second)
    }

    /// At the end: what the first player has gained, 1, 0 or -1.
    pub fn gain(&self, stones: Stones) -> Option<i32> {
        let full = self.empty(stones) == 0;
        let gain = match &self.goal {
            Goal::Sets(sets, _) => {
                let owned = |own: u64| sets.iter().any(|set| set & own == *set);
                match (owned(stones.first), owned(stones.second)) {
                    (true, true) => 0,
                    (true, false) => 1,
                    (false, true) => -1,
                    (false, false) if full => 0,
                    (false, false) => return None,
                }
            }
            Goal::Clauses(formula) => {
                let all = formula.clauses().len();
                let first = formula.holding(stones.first, stones.second);
                let second = formula.holding(stones.second, stones.first);
                match (first == all, second == all) {
                    (true, true) => 0,
                    (true, false) => 1,
                    (false, true) => -1,
                    (false, false) if full => (first as i32 - second as i32).signum(),
                    (false, false) => return None,
                }
            }
        };
        Some(if self.misere { -gain } else { gain })
    }

    /// Whether neither player can force a set, by the potential of Erdős and Selfridge: each set without a stone of the
    /// other's weighs 2^-m if m cells are missing. If the weights of one player's sets add up to less than 1 with the
    /// other to move, or to less than 1/2 with himself to move, the other keeps him from all of them by taking the
    /// heaviest cell each time. Held off both, neither wins: a draw.
    pub fn is_held(&self, stones: Stones) -> bool {
        let mover = stones.mover();
        !self.misere
            && [Side::First, Side::Second].into_iter().all(|player| {
                let most = if player == mover { ONE / 2 } else { ONE };
                self.potential(stones, player).is_some_and(|sum| sum < most)
            })
    }

    /// Whether the game is a draw from the start, because the second player holds the first one's sets by their potential
    /// after every first move. That the first player cannot lose is known of every such game: he could use the other's
    /// strategy himself, a stone more does no harm.
    pub fn is_drawn_from_the_start(&self) -> bool {
        let held_after = |cell: usize| {
            let after = Stones::default().with(Side::First, cell);
            self.potential(after, Side::First).is_some_and(|sum| sum < ONE)
        };
        !self.misere && (0..self.cells()).all(held_after)
    }

    /// The weights of a player's sets without a stone of the other's.
    fn potential(&self, stones: Stones, player: Side) -> Option<u128> {
        let Goal::Sets(sets, _) = &self.goal else { return None };
        let (own, other) = stones.of(player);
        let live = sets.iter().filter(|set| *set & other == 0);
        Some(live.map(|set| ONE >> (set & !own).count_ones()).sum())
    }
}

/// What the first player gains when both play best, where that is known: by the potential from the start, or by search
/// on boards of at most `most` cells.
pub fn exact_value(contest: &Arc<Contest>, most: usize, limits: &Limits) -> Result<Option<i32>, Halt> {
    if contest.is_drawn_from_the_start() {
        return Ok(Some(0));
    }
    if contest.cells() > most {
        return Ok(None);
    }
    Search::new(limits).value(&Exact::new(contest.clone(), Stones::default())).map(Some)
}

/// The weight of a set that misses nothing.
const ONE: u128 = 1 << 64;

/// The lines of a board as sets of cells.
fn lines(rule: Rule, side: usize) -> Vec<u64> {
    let line = |cell: &dyn Fn(usize) -> usize| (0..side).fold(0u64, |set, step| set | 1 << cell(step));
    let mut lines = Vec::new();
    for start in 0..side {
        lines.push(line(&|step| start * side + step));
        lines.push(line(&|step| step * side + start));
        if rule == Rule::Modular {
            lines.push(line(&|step| step * side + (start + step) % side));
            lines.push(line(&|step| step * side + (start + side - step) % side));
        }
    }
    if rule == Rule::Classic {
        lines.push(line(&|step| step * side + step));
        lines.push(line(&|step| step * side + side - 1 - step));
    }
    // On the smallest boards lines coincide.
    lines.sort_unstable();
    lines.dedup();
    lines
}

/// A position of a contest, for exact search.
#[derive(Clone, Debug)]
pub struct Exact {
    contest: Arc<Contest>,
    stones: Stones,
}

impl Exact {
    /// The position of these stones.
    pub fn new(contest: Arc<Contest>, stones: Stones) -> Exact {
        Exact { contest, stones }
    }
}

/// Positions of one search have one contest; it need not be looked at.
impl PartialEq for Exact {
    fn eq(&self, other: &Exact) -> bool {
        self.stones == other.stones
    }
}

impl Eq for Exact {}

impl Hash for Exact {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.stones.hash(state);
    }
}

impl Finite for Exact {
    type Move = usize;

    fn mover(&self) -> Side {
        self.stones.mover()
    }

    fn value(&self) -> Option<i32> {
        let held = || self.contest.is_held(self.stones).then_some(0);
        self.contest.gain(self.stones).or_else(held)
    }

    fn moves(&self) -> Vec<usize> {
        let empty = self.contest.empty(self.stones);
        (0..self.contest.cells()).filter(|cell| empty >> cell & 1 == 1).collect()
    }

    fn after(&self, cell: usize) -> Exact {
        Exact { contest: self.contest.clone(), stones: self.stones.with(self.mover(), cell) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbours::random::Random;
    use crate::neighbours::twin;

    /// The same position without the potential.
    #[derive(Clone, PartialEq, Eq, Hash)]
    struct Plain(Exact);

    impl Finite for Plain {
        type Move = usize;
        fn mover(&self) -> Side {
            self.0.mover()
        }
        fn value(&self) -> Option<i32> {
            self.0.contest.gain(self.0.stones)
        }
        fn moves(&self) -> Vec<usize> {
            self.0.moves()
        }
        fn after(&self, cell: usize) -> Plain {
            Plain(self.0.after(cell))
        }
    }

    fn contest(rule: Rule, side: usize, misere: bool) -> Arc<Contest> {
        Arc::new(Contest::new(rule, side, misere, 0).unwrap())
    }

    fn value(rule: Rule, side: usize, misere: bool) -> i32 {
        exact_value(&contest(rule, side, misere), 9, &Limits::none()).unwrap().unwrap()
    }

    #[test]
    fn lines_are_counted() {
        for side in 3..=8 {
            assert_eq!(lines(Rule::Classic, side).len(), 2 * side + 2);
            assert_eq!(lines(Rule::NoDiagonals, side).len(), 2 * side);
            assert_eq!(lines(Rule::Modular, side).len(), 4 * side);
            for rule in [Rule::Classic, Rule::NoDiagonals, Rule::Modular] {
                assert!(lines(rule, side).iter().all(|line| line.count_ones() == side as u32));
            }
        }
        assert!(Contest::new(Rule::Classic, 9, false, 0).is_err());
        assert!(Contest::new(Rule::Classic, 0, false, 0).is_err());
    }

    #[test]
    fn small_boards_have_their_values() {
        assert_eq!(value(Rule::Classic, 2, false), 1);
        assert_eq!(value(Rule::Classic, 3, false), 0);
        assert_eq!(value(Rule::NoDiagonals, 3, false), 0);
        // The four more lines of 3x3 make it a win.
        assert_eq!(value(Rule::Modular, 3, false), 1);
        // Misère tic-tac-toe is a draw: the first player takes the centre and answers opposite.
        assert_eq!(value(Rule::Classic, 3, true), 0);
        for rule in [Rule::Classic, Rule::NoDiagonals, Rule::Modular] {
            for side in 5..=8 {
                assert_eq!(value(rule, side, false), 0, "{rule:?} {side}");
            }
        }
    }

    #[test]
    fn the_potential_says_nothing_false() {
        let mut random = Random::new(9);
        let limits = Limits::none();
        let mut held = 0;
        for rule in [Rule::Classic, Rule::NoDiagonals, Rule::Modular] {
            for _ in 0..200 {
                let contest = contest(rule, 3, false);
                let mut stones = Stones::default();
                for _ in 0..random.below(6) {
                    let empty = contest.empty(stones);
                    let cell =
                        (0..9).filter(|cell| empty >> cell & 1 == 1).nth(random.below(empty.count_ones() as usize));
                    stones = stones.with(stones.mover(), cell.unwrap());
                    if contest.gain(stones).is_some() {
                        break;
                    }
                }
                let position = Exact::new(contest.clone(), stones);
                let plain = twin::value(&Plain(position.clone()));
                assert_eq!(Search::new(&limits).value(&position), Ok(plain), "{rule:?} {stones:?}");
                if contest.gain(stones).is_none() && contest.is_held(stones) {
                    held += 1;
                    assert_eq!(plain, 0);
                }
            }
        }
        assert!(held > 20, "{held}");
    }
}
