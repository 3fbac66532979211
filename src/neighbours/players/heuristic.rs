//! What a move looks worth without looking ahead.
//!
//! The report's heuristic of the line games is told in words only: a move scores for every line it brings forward and
//! for every line it blocks, and a line that has stones of both counts nothing. How much each scores is not said. There
//! are three readings here; which of them gives the report's tables is measured (docs/neighbours-match.md). For clauses
//! it is told exactly: the clauses that hold for the mover after the move, less those that hold for the other.

use super::contest::{Contest, Goal, Stones};
use crate::neighbours::finite::Side;

/// A sure win, or what the mover takes for one.
pub const WIN: i32 = 1_000_000_000;

/// How lines score.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reading {
    /// A line brought forward scores the stones it then has, a line blocked scores one.
    Count,
    /// Both score the stones the line has or, blocked, had, and one more.
    Stones,
    /// Both score ten times as much with every stone the line has.
    Power,
}

impl Reading {
    /// All of them.
    pub const ALL: [Reading; 3] = [Reading::Count, Reading::Stones, Reading::Power];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Reading::Count => "count",
            Reading::Stones => "stones",
            Reading::Power => "power",
        }
    }

    /// What it scores to bring a line forward that has so many own stones, and to block one that has so many of the
    /// other's.
    fn scores(self, stones: u32) -> (i32, i32) {
        let stones_and_one = stones as i32 + 1;
        match self {
            Reading::Count => (stones_and_one, 1),
            Reading::Stones => (stones_and_one, stones_and_one),
            // A line of eight with all but one stone: 10^7, and no cell is in more than four lines.
            Reading::Power => (10i32.pow(stones), 10i32.pow(stones)),
        }
    }
}

/// The score of every empty cell for the mover, as a gain of the first player: the greater the better for him, the less
/// the better for the second player. Cells with stones have none. Scores of a move that ends the game are [`WIN`] or less.
pub fn scores(contest: &Contest, stones: Stones, mover: Side, reading: Reading) -> [Option<i32>; 64] {
    let mut scores = [None; 64];
    let (own, other) = stones.of(mover);
    let empty = contest.empty(stones);
    let luck = if contest.is_misere() { -1 } else { 1 };
    match contest.goal() {
        Goal::Sets(sets, _) => {
            for_each(empty, |cell| scores[cell] = Some(0));
            for set in sets {
                let (mine, yours) = ((set & own).count_ones(), (set & other).count_ones());
                if mine > 0 && yours > 0 {
                    continue;
                }
                let missing = (set & empty).count_ones();
                let mut score = 0;
                if yours == 0 {
                    score += if missing == 1 { WIN } else { reading.scores(mine).0 };
                }
                if mine == 0 {
                    score += reading.scores(yours).1;
                }
                for_each(set & empty, |cell| {
                    scores[cell] = scores[cell].map(|sum: i32| sum.saturating_add(score).min(WIN))
                });
            }
            let sign = luck * mover.sign();
            scores.iter_mut().flatten().for_each(|score| *score *= sign);
        }
        Goal::Clauses(formula) => {
            let all = formula.clauses().len();
            for_each(empty, |cell| {
                let (own, other) = (own | 1 << cell, other);
                let (mine, yours) = (formula.holding(own, other), formula.holding(other, own));
                let score = match (mine == all, yours == all) {
                    (true, true) => 0,
                    (true, false) => WIN,
                    (false, true) => -WIN,
                    (false, false) => mine as i32 - yours as i32,
                };
                scores[cell] = Some(luck * score * mover.sign());
            });
        }
    }
    scores
}

/// The potential of every empty cell for the mover: what lines weigh, his own and the other's, 2^-m for m missing cells;
/// or, for clauses, how much closer he comes to holding them all than the other. Greater is better for the mover. A move
/// that wins at once weighs more than any other, and one that keeps the other from it more than all but that.
pub fn potentials(contest: &Contest, stones: Stones, mover: Side) -> [Option<i64>; 64] {
    const ONE: i64 = 1 << 40;
    let mut weights = [None; 64];
    let (own, other) = stones.of(mover);
    let empty = contest.empty(stones);
    match contest.goal() {
        Goal::Sets(sets, _) => {
            for_each(empty, |cell| weights[cell] = Some(0));
            for set in sets {
                let missing = (set & empty).count_ones();
                let mut weight = 0;
                if set & other == 0 {
                    weight += if missing == 1 { 1000 * ONE } else { ONE >> missing };
                }
                if set & own == 0 {
                    weight += if missing == 1 { 30 * ONE } else { ONE >> missing };
                }
                // To lose, one keeps out of the own lines; the other's are his affair.
                if contest.is_misere() {
                    weight = if set & other == 0 { -(ONE >> missing) } else { 0 };
                }
                for_each(set & empty, |cell| weights[cell] = weights[cell].map(|sum: i64| sum + weight));
            }
        }
        Goal::Clauses(formula) => {
            // A clause that does not hold yet is in danger: 2^-m with m empty cells, 1 if it is lost.
            let danger = |own: u64, other: u64| -> i64 {
                let open = formula.clauses().iter().filter(|clause| !clause.holds(own, other));
                open.map(|clause| ONE >> ((clause.positive | clause.negative) & !(own | other)).count_ones().min(40))
                    .sum()
            };
            let luck = if contest.is_misere() { -1 } else { 1 };
            for_each(empty, |cell| {
                let own = own | 1 << cell;
                weights[cell] = Some(luck * (danger(other, own) - danger(own, other)));
            });
        }
    }
    weights
}

/// Calls with the number of every bit, the lowest first.
pub fn for_each(mut set: u64, mut call: impl FnMut(usize)) {
    while set != 0 {
        call(set.trailing_zeros() as usize);
        set &= set - 1;
    }
}

#[cfg(test)]
mod tests {
    use super::super::contest::Rule;
    use super::*;
    use crate::neighbours::clauses::Recipe;

    fn at(cells: &[usize]) -> Stones {
        cells.iter().fold(Stones::default(), |stones, cell| stones.with(stones.mover(), *cell))
    }

    #[test]
    fn lines_score_as_the_readings_say() {
        let contest = Contest::new(Rule::Classic, 3, false, 0).unwrap();
        // The centre is in four lines, each brought forward and blocked.
        for (reading, score) in [(Reading::Count, 8), (Reading::Stones, 8), (Reading::Power, 8)] {
            assert_eq!(scores(&contest, at(&[]), Side::First, reading)[4], Some(score));
        }
        // X in the centre, O to move: a corner blocks the diagonal and has a row and a column of its own.
        for (reading, score) in [(Reading::Count, 1 + 4), (Reading::Stones, 2 + 4), (Reading::Power, 10 + 4)] {
            assert_eq!(scores(&contest, at(&[4]), Side::Second, reading)[0], Some(-score));
        }
        // Two in a row: the third wins, and loses in the misère game.
        let two = at(&[0, 3, 1, 4]);
        assert_eq!(scores(&contest, two, Side::First, Reading::Count)[2], Some(WIN));
        assert_eq!(scores(&contest, two, Side::First, Reading::Count)[0], None);
        let misere = Contest::new(Rule::Classic, 3, true, 0).unwrap();
        assert_eq!(scores(&misere, two, Side::First, Reading::Count)[2], Some(-WIN));
    }

    #[test]
    fn clauses_score_by_what_holds() {
        let rule = Rule::Clauses(Recipe { clauses: 40, size: 3, negation: 0.5 });
        let contest = Contest::new(rule, 3, false, 5).unwrap();
        let Goal::Clauses(formula) = contest.goal() else { panic!("clauses") };
        let stones = at(&[0, 1]);
        let found = scores(&contest, stones, Side::First, Reading::Count);
        for (cell, score) in found.into_iter().enumerate().take(9).skip(2) {
            let first = stones.first | 1 << cell;
            let expected = formula.holding(first, stones.second) as i32 - formula.holding(stones.second, first) as i32;
            assert_eq!(score, Some(expected));
        }
    }

    #[test]
    fn potentials_win_and_block() {
        let contest = Contest::new(Rule::Classic, 3, false, 0).unwrap();
        let best = |stones: Stones| {
            let weights = potentials(&contest, stones, stones.mover());
            (0..9).max_by_key(|cell| weights[*cell].unwrap_or(i64::MIN)).unwrap()
        };
        assert_eq!(best(at(&[])), 4);
        assert_eq!(best(at(&[0, 4, 1])), 2, "to block");
        assert_eq!(best(at(&[0, 3, 1, 4])), 2, "to win rather than to block");
    }
}
