//! Pavings by backtracking: the set with the least room first, pair by pair.
//!
//! Most questions are easy, and a few dozen steps answer them sooner than a SAT solver is set up. A "no" comes with the
//! sets it used: each step takes one set and tries all pairs it has room for, so the sets of all steps together leave
//! no paving, wherever they are as free of White and as full of Black as here. If a step failed for sets that its pair
//! does not touch, the pair was not to blame, and the other pairs need no trial.

use crate::cell_set::CellSet;

/// What backtracking found.
pub enum Found<const N: usize> {
    /// The pairs of a paving.
    Paved(Vec<CellSet<N>>),
    /// The cells of the sets that leave none.
    None(CellSet<N>),
    /// Too many steps.
    Unknown,
}

/// A search with memory of its own, so that it allocates nothing while it runs.
#[derive(Default)]
pub struct Backtracking<const N: usize> {
    /// The sets without a pair, for each step on the way a stretch of them.
    open: Vec<CellSet<N>>,
    pairs: Vec<CellSet<N>>,
    steps: u32,
}

enum End<const N: usize> {
    Paved,
    Failed(CellSet<N>),
    Stopped,
}

impl<const N: usize> Backtracking<N> {
    /// Looks for disjoint pairs of `empty` cells, one in each of the sets free of `white`.
    pub fn pave(&mut self, sets: &[CellSet<N>], empty: CellSet<N>, white: CellSet<N>, steps: u32) -> Found<N> {
        self.open.clear();
        self.open.extend(sets.iter().filter(|set| set.is_disjoint(&white)));
        self.pairs.clear();
        self.steps = steps;
        match self.step(0, empty) {
            End::Paved => Found::Paved(self.pairs.clone()),
            End::Failed(cells) => Found::None(cells),
            End::Stopped => Found::Unknown,
        }
    }

    /// How many of the steps allowed the last search left over.
    pub fn steps_left(&self) -> u32 {
        self.steps
    }

    /// Finds pairs in `room` for the sets from `start` on.
    fn step(&mut self, start: usize, room: CellSet<N>) -> End<N> {
        let Some(&tightest) = self.open[start..].iter().min_by_key(|set| (**set & room).len()) else {
            return End::Paved;
        };
        if self.steps == 0 {
            return End::Stopped;
        }
        self.steps -= 1;
        let end = self.open.len();
        let mut used = tightest;
        let mut tried = [(0, 0, CellSet::EMPTY); MOST_PAIRS];
        let mut count = 0;
        for a in tightest & room {
            for b in (tightest & room).iter().filter(|&b| b > a) {
                if count == MOST_PAIRS {
                    return End::Stopped;
                }
                let pair = CellSet::single(a).with(b);
                let serves = self.open[start..end].iter().filter(|set| pair.is_subset(set)).count();
                tried[count] = (end - serves, count, pair);
                count += 1;
            }
        }
        // The pair that serves the most sets comes first.
        tried[..count].sort_unstable_by_key(|&(others, place, _)| (others, place));
        for (_, _, pair) in &tried[..count] {
            for index in start..end {
                let set = self.open[index];
                if !pair.is_subset(&set) {
                    self.open.push(set);
                }
            }
            self.pairs.push(*pair);
            let result = self.step(end, room - *pair);
            self.open.truncate(end);
            match result {
                End::Failed(cells) => {
                    self.pairs.pop();
                    if cells.is_disjoint(pair) {
                        return End::Failed(cells);
                    }
                    used |= cells;
                }
                other => return other,
            }
        }
        End::Failed(used)
    }
}

/// Pairs in a set of eight cells; larger sets are left to the solver.
const MOST_PAIRS: usize = 28;
