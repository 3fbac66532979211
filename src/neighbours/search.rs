//! The one exact search of all neighbours: alpha-beta with a table of bounds.

use super::finite::{Finite, Side};
use crate::effort::{Halt, Limits};
use ahash::AHashMap;

/// Positions a table keeps; what comes later is searched without.
const MOST_KEPT: usize = 20_000_000;

/// Searches positions of one game; what it has learnt serves the next question.
pub struct Search<'a, G: Finite> {
    limits: &'a Limits,
    nodes: u64,
    /// The least and the greatest value a position can still have.
    table: AHashMap<G, (i32, i32)>,
}

impl<'a, G: Finite> Search<'a, G> {
    /// A search that knows nothing yet.
    pub fn new(limits: &'a Limits) -> Search<'a, G> {
        Search { limits, nodes: 0, table: AHashMap::new() }
    }

    /// Positions looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// What the first player gains when both play best.
    pub fn value(&mut self, position: &G) -> Result<i32, Halt> {
        let (least, greatest) = position.bounds();
        self.between(position, least - 1, greatest + 1)
    }

    /// Every move of a position and what it leads to, in the order of the rules.
    pub fn worths(&mut self, position: &G) -> Result<Vec<(G::Move, i32)>, Halt> {
        let moves = if position.value().is_some() { Vec::new() } else { position.moves() };
        moves.into_iter().map(|step| Ok((step, self.value(&position.after(step))?))).collect()
    }

    /// The value where it lies between `alpha` and `beta`; else a bound on the same side of them.
    fn between(&mut self, position: &G, mut alpha: i32, mut beta: i32) -> Result<i32, Halt> {
        self.nodes += 1;
        self.limits.tick(self.nodes)?;
        if let Some(value) = position.value() {
            return Ok(value);
        }
        let keep = position.may_return();
        let (mut least, mut greatest) = position.bounds();
        if let Some(&(low, high)) = self.table.get(position).filter(|_| keep) {
            (least, greatest) = (low, high);
        }
        if least >= beta || least == greatest {
            return Ok(least);
        }
        if greatest <= alpha {
            return Ok(greatest);
        }
        (alpha, beta) = (alpha.max(least - 1), beta.min(greatest + 1));
        let first = position.mover() == Side::First;
        let (mut low, mut high) = (alpha, beta);
        let mut best = None;
        for step in position.moves() {
            let value = self.between(&position.after(step), low, high)?;
            best = Some(match best {
                Some(best) if first => value.max(best),
                Some(best) => value.min(best),
                None => value,
            });
            if first {
                low = low.max(value);
            } else {
                high = high.min(value);
            }
            if low >= high {
                break;
            }
        }
        // The rules promise a move; a position without one would be worth nothing to anybody.
        let best = best.unwrap_or(0);
        if keep && (self.table.len() < MOST_KEPT || self.table.contains_key(position)) {
            let known = if best <= alpha {
                (least, best.min(greatest))
            } else if best >= beta {
                (best.max(least), greatest)
            } else {
                (best, best)
            };
            self.table.insert(position.clone(), known);
        }
        Ok(best)
    }
}

/// Those of `worths` that are best for `mover`.
pub fn best<M: Copy>(mover: Side, worths: &[(M, i32)]) -> Vec<M> {
    let gain = |value: i32| value * mover.sign();
    let most = worths.iter().map(|worth| gain(worth.1)).max();
    worths.iter().filter(|worth| Some(gain(worth.1)) == most).map(|worth| worth.0).collect()
}
