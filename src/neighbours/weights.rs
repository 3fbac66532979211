//! The baker's weights: which weights weigh every whole number of kilograms up to a number, on a balance with two pans?
//!
//! As a game: the first player chooses the weights, the second one the flour, and the first one puts each weight on the pan
//! of the flour, on the other one, or beside the balance. He wins if the balance is even.

use super::finite::{Finite, Side};
use super::spoken::Spoken;
use crate::effort::{Halt, Limits};
use thiserror::Error;

/// The most weights.
pub const MOST_WEIGHTS: usize = 6;
/// The most flour.
pub const MOST_FLOUR: u32 = 1000;

/// Why there is no such problem.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum WeightsError {
    /// None or too many.
    #[error("there are 1 to {MOST_WEIGHTS} weights, not {0}")]
    Count(usize),
    /// No flour or too much.
    #[error("the flour is 1 to {MOST_FLOUR} kg, not {0}")]
    Flour(u32),
}

/// What was chosen so far.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Weights {
    count: usize,
    most: u32,
    weights: Vec<u32>,
    flour: Option<u32>,
    places: Vec<i8>,
}

impl Weights {
    /// So many weights, for flour of 1 to `most` kilograms.
    pub fn new(count: usize, most: u32) -> Result<Weights, WeightsError> {
        if !(1..=MOST_WEIGHTS).contains(&count) {
            return Err(WeightsError::Count(count));
        }
        if !(1..=MOST_FLOUR).contains(&most) {
            return Err(WeightsError::Flour(most));
        }
        Ok(Weights { count, most, weights: Vec::new(), flour: None, places: Vec::new() })
    }

    /// What `count` weights can weigh at best without a gap: (3^count - 1) / 2.
    pub fn best_reach(count: usize) -> u32 {
        (3u32.pow(count.min(MOST_WEIGHTS) as u32) - 1) / 2
    }

    /// Every choice of weights, from the least to the greatest, that weighs everything.
    pub fn solutions(&self, limits: &Limits) -> Result<(Vec<Vec<u32>>, u64), Halt> {
        let (mut found, mut nodes) = (Vec::new(), 0);
        self.collect(limits, &mut found, &mut nodes)?;
        Ok((found, nodes))
    }

    fn collect(&self, limits: &Limits, found: &mut Vec<Vec<u32>>, nodes: &mut u64) -> Result<(), Halt> {
        *nodes += 1;
        limits.tick(*nodes)?;
        if self.weights.len() < self.count {
            return self.moves().into_iter().try_for_each(|weight| self.after(weight).collect(limits, found, nodes));
        }
        // The greatest flour first: most choices cannot weigh it at all.
        let mut search = super::search::Search::new(limits);
        for flour in self.moves() {
            let value = search.value(&self.after(flour))?;
            if value < 0 {
                *nodes += search.nodes();
                return Ok(());
            }
        }
        *nodes += search.nodes();
        found.push(self.weights.clone());
        Ok(())
    }

    /// What the places of the weights add up to.
    fn weighed(&self) -> i64 {
        self.weights.iter().zip(&self.places).map(|(weight, place)| i64::from(*weight) * i64::from(*place)).sum()
    }
}

impl Finite for Weights {
    type Move = i64;

    fn mover(&self) -> Side {
        if self.weights.len() == self.count && self.flour.is_none() { Side::Second } else { Side::First }
    }

    fn value(&self) -> Option<i32> {
        let flour = self.flour.filter(|_| self.places.len() == self.count)?;
        Some(if self.weighed() == i64::from(flour) { 1 } else { -1 })
    }

    /// Weights from the least to the greatest: their order says nothing.
    fn moves(&self) -> Vec<i64> {
        let most = i64::from(self.most);
        if self.weights.len() < self.count {
            (self.weights.last().copied().map_or(1, i64::from)..=most).collect()
        } else if self.flour.is_none() {
            (1..=most).rev().collect()
        } else {
            vec![1, 0, -1]
        }
    }

    fn after(&self, choice: i64) -> Weights {
        let mut next = self.clone();
        if self.weights.len() < self.count {
            next.weights.push(choice as u32);
        } else if self.flour.is_none() {
            next.flour = Some(choice as u32);
        } else {
            next.places.push(choice as i8);
        }
        next
    }

    fn may_return(&self) -> bool {
        false
    }
}

impl Spoken for Weights {
    fn title(&self) -> String {
        format!("{} weights for 1 to {} kg of flour", self.count, self.most)
    }

    fn drawing(&self) -> String {
        let weights: Vec<String> = self.weights.iter().map(u32::to_string).collect();
        let mut text =
            format!("  weights: {}\n", if weights.is_empty() { "none".to_owned() } else { weights.join(" ") });
        if let Some(flour) = self.flour {
            let pan = |place: i8| {
                let there = self.weights.iter().zip(&self.places).filter(|(_, at)| **at == place);
                there.map(|(weight, _)| weight.to_string()).collect::<Vec<_>>().join(" + ")
            };
            let with_flour = [format!("flour {flour}"), pan(-1)].into_iter().filter(|part| !part.is_empty());
            text += &format!("  balance: {} | {}\n", with_flour.collect::<Vec<_>>().join(" + "), pan(1));
        }
        text
    }

    fn question(&self) -> String {
        if self.weights.len() < self.count {
            format!("a weight, 1 to {}, none less than the one before", self.most)
        } else if self.flour.is_none() {
            format!("how much flour, 1 to {}", self.most)
        } else {
            format!("where to put {}: 1 the other pan, 0 beside, -1 with the flour", self.weights[self.places.len()])
        }
    }

    fn name_of(&self, choice: i64) -> String {
        choice.to_string()
    }

    fn meaning(&self, value: i32) -> String {
        if value > 0 { "everything can be weighed" } else { "something cannot be weighed" }.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{search::Search, twin};
    use super::*;

    #[test]
    fn powers_of_three_are_the_only_best_weights() {
        let limits = Limits::none();
        for (count, expected) in [(1, vec![1]), (2, vec![1, 3]), (3, vec![1, 3, 9])] {
            let most = Weights::best_reach(count);
            let problem = Weights::new(count, most).unwrap();
            assert_eq!(problem.solutions(&limits).unwrap().0, [expected], "{count}");
            assert_eq!(Search::new(&limits).value(&problem), Ok(1));
            let more = Weights::new(count, most + 1).unwrap();
            assert_eq!(more.solutions(&limits).unwrap().0, [[0; 0]; 0], "{count}");
        }
        assert_eq!(Weights::best_reach(4), 40);
        let easier = Weights::new(2, 3).unwrap();
        assert_eq!(easier.solutions(&limits).unwrap().0, [[1, 2], [1, 3], [2, 3]]);
        assert_eq!((twin::value(&easier), Weights::new(7, 3)), (1, Err(WeightsError::Count(7))));
    }
}
