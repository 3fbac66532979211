//! Pavings by backtracking: the set with the least room first, pair by pair.
//!
//! Most questions are easy, and a few dozen steps answer them sooner than a SAT solver is set up. A "no" comes with the
//! sets it used: each step takes one set and tries all pairs it has room for, so the sets of all steps together leave
//! no paving, wherever they are as free of White and as full of Black as here. A set without room for a pair is a "no" by
//! itself. If a step failed for sets that its pair does not touch, the pair was not to blame, and the other pairs need
//! no trial.

use crate::effort::Limits;
use crate::effort::tuning::{clock::PAVING_STEPS, paving::MOST_CELLS};
use harary_certificate::CellSet;
use std::cmp::Reverse;
use std::ops::Range;

/// What backtracking found.
pub enum Found<const N: usize> {
    /// The pairs of a paving.
    Paved(Vec<CellSet<N>>),
    /// The cells of the sets that leave none.
    None(CellSet<N>),
    /// Too many steps, or a limit was reached.
    Unknown,
}

/// A search with memory of its own, so that it allocates nothing while it runs.
#[derive(Default)]
pub struct Backtracking<const N: usize> {
    /// The sets without a pair, for each step on the way a stretch of them.
    open: Vec<CellSet<N>>,
    /// The pairs to be tried, for each step on the way a stretch of them, with how many sets they serve and a number.
    trials: Vec<(Reverse<usize>, usize, CellSet<N>)>,
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
    pub fn pave(
        &mut self,
        sets: &[CellSet<N>],
        empty: CellSet<N>,
        white: CellSet<N>,
        steps: u32,
        limits: &Limits,
    ) -> Found<N> {
        self.begin(sets.iter().filter(|set| set.is_disjoint(&white)).copied(), steps);
        match self.search(empty, limits) {
            End::Paved => Found::Paved(self.pairs.clone()),
            End::Failed(cells) => Found::None(cells),
            End::Stopped => Found::Unknown,
        }
    }

    /// Whether disjoint pairs of `room` are found soon, one in each of these sets; [`Self::pairs`] has them. Nothing is
    /// allocated.
    pub fn is_paved(
        &mut self,
        sets: impl Iterator<Item = CellSet<N>>,
        room: CellSet<N>,
        steps: u32,
        limits: &Limits,
    ) -> bool {
        self.begin(sets, steps);
        matches!(self.search(room, limits), End::Paved)
    }

    /// The pairs of the paving that was found last.
    pub fn pairs(&self) -> &[CellSet<N>] {
        &self.pairs
    }

    fn begin(&mut self, sets: impl Iterator<Item = CellSet<N>>, steps: u32) {
        self.open.clear();
        self.trials.clear();
        self.pairs.clear();
        self.steps = steps;
        self.open.extend(sets);
    }

    fn search(&mut self, room: CellSet<N>, limits: &Limits) -> End<N> {
        match self.open.iter().min_by_key(|set| (**set & room).len()).copied() {
            None => End::Paved,
            Some(set) if (set & room).len() < 2 => End::Failed(set),
            Some(tightest) => self.step(0, room, tightest, limits),
        }
    }

    /// How many of the steps allowed the last search left over.
    pub fn steps_left(&self) -> u32 {
        self.steps
    }

    /// Finds pairs in `room` for the sets from `start` on. Each has room for one, `tightest` the least.
    fn step(&mut self, start: usize, room: CellSet<N>, tightest: CellSet<N>, limits: &Limits) -> End<N> {
        let cells = tightest & room;
        // Too many pairs: left to the solver.
        if cells.len() > MOST_CELLS {
            return End::Stopped;
        }
        let (end, first) = (self.open.len(), self.trials.len());
        for a in cells {
            for b in cells.iter().filter(|&b| b > a) {
                let pair = CellSet::single(a).with(b);
                let serves = self.open[start..].iter().filter(|set| pair.is_subset(set)).count();
                self.trials.push((Reverse(serves), self.trials.len(), pair));
            }
        }
        // The pair that serves the most sets comes first.
        self.trials[first..].sort_unstable_by_key(|&(serves, place, _)| (serves, place));
        let mut used = tightest;
        for trial in first..self.trials.len() {
            if self.steps == 0 || (self.steps.is_multiple_of(PAVING_STEPS) && limits.check_time().is_err()) {
                return End::Stopped;
            }
            self.steps -= 1;
            let (_, _, pair) = self.trials[trial];
            self.pairs.push(pair);
            let result = match self.keep_open(start..end, pair, room - pair) {
                Ok(Some(next)) => self.step(end, room - pair, next, limits),
                Ok(None) => End::Paved,
                Err(full) => End::Failed(full),
            };
            let End::Failed(cells) = result else { return result };
            self.pairs.pop();
            self.open.truncate(end);
            if cells.is_disjoint(&pair) {
                used = cells;
                break;
            }
            used |= cells;
        }
        self.trials.truncate(first);
        End::Failed(used)
    }

    /// Opens a new stretch with the sets that a pair does not serve, and finds the one with the least room left; or one
    /// without room, at which it stops.
    fn keep_open(
        &mut self,
        sets: Range<usize>,
        pair: CellSet<N>,
        room: CellSet<N>,
    ) -> Result<Option<CellSet<N>>, CellSet<N>> {
        let (mut tightest, mut least) = (None, usize::MAX);
        for index in sets {
            let set = self.open[index];
            if pair.is_subset(&set) {
                continue;
            }
            let cells = (set & room).len();
            if cells < 2 {
                return Err(set);
            }
            if cells < least {
                (tightest, least) = (Some(set), cells);
            }
            self.open.push(set);
        }
        Ok(tightest)
    }
}
