//! Bounded pairs: a paving of the sets that Black can still complete in time.
//!
//! Lemma 10 of [docs/game.md](../../docs/game.md#lemma-10-bounded-pairs). A set that misses more cells than Black has
//! moves left needs no pair, so the nearer the turn that is asked for, the fewer pairs refute it. Where the players
//! alternate only: otherwise a pair is no answer.

use super::backtracking::Backtracking;
use crate::effort::Limits;
use crate::game::position::Position;
use harary_certificate::Player::Black;
use harary_certificate::model::Pair;

/// Looks for bounded pairs. It has memory of its own, so that it allocates nothing while it looks.
#[derive(Default)]
pub struct BoundedPairs<const N: usize>(Backtracking<N>);

impl<const N: usize> BoundedPairs<N> {
    /// Black to move with `left` moves: whether pairs keep him from completing a set with them, found in so many steps.
    pub fn hold(&mut self, position: &Position<'_, N>, left: usize, steps: u32, limits: &Limits) -> bool {
        let near = (1..=left).flat_map(|missing| position.live_sets(Black, missing));
        self.0.is_paved(near.map(|set| position.missing_cells(set)), position.empty(), steps, limits)
    }

    /// The pairs that held last, in order.
    pub fn pairs(&self) -> Vec<Pair> {
        let both = |pair: &harary_certificate::CellSet<N>| Some(Pair { a: pair.first()?, b: pair.iter().nth(1)? });
        let mut pairs: Vec<Pair> = self.0.pairs().iter().filter_map(both).collect();
        pairs.sort_unstable_by_key(|pair| pair.a);
        pairs
    }
}
