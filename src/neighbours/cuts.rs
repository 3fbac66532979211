//! The quantified search of Barichard and Stéphan, counted: what their cuts save.
//!
//! It chooses the variables in their order, one a turn, each from all values it has, legal or not. A false choice of the first
//! player fails at once. After a false choice of the second player, or a win of the first, everything that follows is true;
//! without cuts the search still goes through it: one value of each variable that exists, all values of each under "for
//! all". With cuts it stops there (their Theorem 1). Nothing is remembered and nothing propagated here.

use super::finite::{Finite, Side};
use crate::effort::{Halt, Limits};

/// What a search came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counted {
    /// Whether the first player wins.
    pub holds: bool,
    /// Nodes with cuts.
    pub with: u128,
    /// Nodes without them.
    pub without: u128,
}

/// Searches a game of at most `horizon` turns in which every turn has the values `domain`.
pub fn count<G: Finite>(start: &G, domain: &[G::Move], horizon: usize, limits: &Limits) -> Result<Counted, Halt> {
    let turns: Vec<Side> = (0..horizon).map(|turn| if turn % 2 == 0 { Side::First } else { Side::Second }).collect();
    // below[t]: nodes below one at depth t from where on everything is true.
    let mut below = vec![0u128; horizon + 1];
    for turn in (0..horizon).rev() {
        let values = if turns[turn] == Side::First { 1 } else { domain.len() as u128 };
        below[turn] = (below[turn + 1].saturating_add(1)).saturating_mul(values);
    }
    let mut counter = Counter { domain, below, limits, ticks: 0 };
    counter.search(start, 0)
}

struct Counter<'a, M> {
    domain: &'a [M],
    below: Vec<u128>,
    limits: &'a Limits,
    ticks: u64,
}

impl<M: Copy + Eq> Counter<'_, M> {
    fn search<G: Finite<Move = M>>(&mut self, position: &G, depth: usize) -> Result<Counted, Halt> {
        self.ticks += 1;
        self.limits.tick(self.ticks)?;
        let mut sum = Counted { holds: false, with: 1, without: 1 };
        if let Some(value) = position.value() {
            sum.holds = value > 0;
            if sum.holds {
                sum.without = sum.without.saturating_add(self.below[depth]);
            }
            return Ok(sum);
        }
        let (legal, first) = (position.moves(), position.mover() == Side::First);
        sum.holds = !first;
        for &step in self.domain {
            if !legal.contains(&step) {
                // The first player has cheated: false. The second has: true, all the way down.
                sum.with += 1;
                sum.without = sum.without.saturating_add(1 + if first { 0 } else { self.below[depth + 1] });
                continue;
            }
            let part = self.search(&position.after(step), depth + 1)?;
            sum.with = sum.with.saturating_add(part.with);
            sum.without = sum.without.saturating_add(part.without);
            if part.holds == first {
                sum.holds = part.holds;
                break;
            }
        }
        Ok(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::super::nim::{Nim, Rule};
    use super::super::twin;
    use super::*;

    /// Fibonacci Nim with four matches: the example of the paper. With cuts: x1 = 1; y1 = 1: x2 = 1 loses by y2 = 1,
    /// x2 = 2 wins; y1 = 2: x2 = 1 wins; y1 = 3 is cheating.
    #[test]
    fn the_example_of_the_paper_is_counted_by_hand() {
        let counted = count(&Nim::new(Rule::Fibonacci, 4), &[1, 2, 3], 4, &Limits::none()).unwrap();
        assert_eq!(counted, Counted { holds: true, with: 9, without: 9 + 3 + 3 + 4 });
    }

    #[test]
    fn it_decides_what_the_twin_decides() {
        for matches in 1..=9 {
            let game = Nim::new(Rule::Fibonacci, matches);
            let domain: Vec<u64> = (1..matches).collect();
            let counted = count(&game, &domain, matches as usize, &Limits::none()).unwrap();
            assert_eq!(counted.holds, twin::value(&game) > 0, "{matches}");
            assert!(counted.with <= counted.without);
        }
    }
}
