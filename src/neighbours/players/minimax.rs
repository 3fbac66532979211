//! Minimax to a depth, as the report plays it: with depth 1 the heuristic chooses, and with each more one move is looked
//! ahead before it does.
//!
//! What the last player is given is therefore not a value of the position but that of the best move in it; a line he
//! blocks counts for him although it is the other's work. The report searches every move. Here moves that cannot change
//! the answer are left out (alpha-beta), so that the same moves are chosen sooner.

use super::contest::{Contest, Goal, Stones};
use super::heuristic::{Reading, WIN, for_each, scores};
use crate::effort::{Halt, Limits};
use crate::neighbours::finite::Side;

/// A search to a depth in one contest.
pub struct Minimax<'a> {
    contest: &'a Contest,
    reading: Reading,
    limits: &'a Limits,
    nodes: u64,
}

impl<'a> Minimax<'a> {
    /// A search with this reading of the heuristic.
    pub fn new(contest: &'a Contest, reading: Reading, limits: &'a Limits) -> Minimax<'a> {
        Minimax { contest, reading, limits, nodes: 0 }
    }

    /// The moves `mover` takes for best, in the order of the cells; the game must not be over.
    pub fn best(&mut self, stones: Stones, mover: Side, depth: usize) -> Result<Vec<usize>, Halt> {
        let mut best = Vec::new();
        let mut most = i32::MIN;
        let own_scores = scores(self.contest, stones, mover, self.reading);
        for (cell, score) in own_scores.into_iter().enumerate() {
            let Some(score) = score else { continue };
            // As a gain of the mover; moves that are worse than the best need not be told apart.
            let gain = if depth <= 1 {
                score * mover.sign()
            } else {
                let after = stones.with(mover, cell);
                let bound = most.max(-2 * WIN) - 1;
                match mover {
                    Side::First => self.value(after, mover.other(), cell, depth - 1, bound, 2 * WIN)?,
                    Side::Second => -self.value(after, mover.other(), cell, depth - 1, -2 * WIN, -bound)?,
                }
            };
            if gain > most {
                (most, best) = (gain, vec![cell]);
            } else if gain == most {
                best.push(cell);
            }
        }
        Ok(best)
    }

    /// What the first player gains with `mover` to move, after the other's stone on `last`, where it lies between `alpha`
    /// and `beta`.
    fn value(
        &mut self,
        stones: Stones,
        mover: Side,
        last: usize,
        depth: usize,
        mut alpha: i32,
        mut beta: i32,
    ) -> Result<i32, Halt> {
        self.nodes += 1;
        self.limits.tick(self.nodes)?;
        if let Some(value) = self.end(stones, mover, last) {
            return Ok(value);
        }
        let all = scores(self.contest, stones, mover, self.reading);
        let empty = self.contest.empty(stones);
        if depth == 1 {
            let known = all.iter().flatten().copied();
            let best = if mover == Side::First { known.max() } else { known.min() };
            return Ok(best.unwrap_or(0));
        }
        // The most promising first: it closes the window soonest.
        let mut moves = Vec::with_capacity(64);
        for_each(empty, |cell| moves.push((all[cell].unwrap_or(0) * -mover.sign(), cell)));
        moves.sort_unstable();
        let mut best = -2 * WIN * mover.sign();
        for (_, cell) in moves {
            let value = self.value(stones.with(mover, cell), mover.other(), cell, depth - 1, alpha, beta)?;
            if mover == Side::First {
                best = best.max(value);
                alpha = alpha.max(best);
            } else {
                best = best.min(value);
                beta = beta.min(best);
            }
            if alpha >= beta {
                break;
            }
        }
        Ok(best)
    }

    /// The value of a game that is over.
    fn end(&self, stones: Stones, mover: Side, last: usize) -> Option<i32> {
        let full = self.contest.empty(stones) == 0;
        match self.contest.goal() {
            Goal::Sets(sets, through) => {
                // Only who has just moved can have completed a set.
                let own = stones.of(mover.other()).0;
                let done = through[last].iter().any(|set| sets[*set] & own == sets[*set]);
                let luck = if self.contest.is_misere() { -1 } else { 1 };
                if done { Some(luck * WIN * mover.other().sign()) } else { full.then_some(0) }
            }
            Goal::Clauses(formula) => match self.contest.gain(stones)? {
                // A full board by how many clauses it is won.
                _ if full => {
                    let first = formula.holding(stones.first, stones.second) as i32;
                    let second = formula.holding(stones.second, stones.first) as i32;
                    Some(if self.contest.is_misere() { second - first } else { first - second })
                }
                gain => Some(gain * WIN),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::contest::Rule;
    use super::*;
    use crate::neighbours::clauses::Recipe;
    use crate::neighbours::random::Random;

    /// The same without leaving anything out, and straight from the report's words.
    fn plain(contest: &Contest, stones: Stones, mover: Side, depth: usize) -> i32 {
        let full = contest.empty(stones) == 0;
        if let Some(gain) = contest.gain(stones)
            && !(full && matches!(contest.goal(), Goal::Clauses(_)))
        {
            return gain * WIN;
        }
        if let (true, Goal::Clauses(formula)) = (full, contest.goal()) {
            let (first, second) =
                (formula.holding(stones.first, stones.second), formula.holding(stones.second, stones.first));
            return (first as i32 - second as i32) * if contest.is_misere() { -1 } else { 1 };
        }
        let all = scores(contest, stones, mover, Reading::Stones);
        let values = (0..contest.cells()).filter_map(|cell| {
            let score = all[cell]?;
            Some(if depth == 1 { score } else { plain(contest, stones.with(mover, cell), mover.other(), depth - 1) })
        });
        if mover == Side::First { values.max().unwrap() } else { values.min().unwrap() }
    }

    #[test]
    fn nothing_that_matters_is_left_out() {
        let mut random = Random::new(4);
        let limits = Limits::none();
        let clauses = Rule::Clauses(Recipe { clauses: 6, size: 3, negation: 0.5 });
        let mut ended = 0;
        for round in 0..160 {
            let rule = [Rule::Classic, Rule::NoDiagonals, Rule::Modular, clauses][round % 4];
            let contest = Contest::new(rule, 3, round % 8 >= 4, round as u64).unwrap();
            let mut stones = Stones::default();
            for _ in 0..random.below(6) {
                let empty: Vec<usize> = (0..9).filter(|cell| contest.empty(stones) >> cell & 1 == 1).collect();
                stones = stones.with(stones.mover(), empty[random.below(empty.len())]);
            }
            if contest.gain(stones).is_some() {
                ended += 1;
                continue;
            }
            // Whoever is to move, as a blocking player asks.
            for mover in [Side::First, Side::Second] {
                for depth in 1..=4 {
                    let best = Minimax::new(&contest, Reading::Stones, &limits).best(stones, mover, depth).unwrap();
                    let all = scores(&contest, stones, mover, Reading::Stones);
                    let gain = |cell: usize| match depth {
                        1 => all[cell].unwrap() * mover.sign(),
                        _ => plain(&contest, stones.with(mover, cell), mover.other(), depth - 1) * mover.sign(),
                    };
                    let empty: Vec<usize> = (0..9).filter(|cell| contest.empty(stones) >> cell & 1 == 1).collect();
                    let most = empty.iter().map(|cell| gain(*cell)).max().unwrap();
                    let expected: Vec<usize> = empty.into_iter().filter(|cell| gain(*cell) == most).collect();
                    assert_eq!(best, expected, "{rule:?} {stones:?} {mover:?} {depth}");
                }
            }
        }
        assert!(ended < 60, "{ended}");
    }
}
