//! The potential of Black's live sets: a hold that can be read off.
//!
//! Erdős and Selfridge (1973), lemma 14 of [docs/game.md](../../docs/game.md#lemma-14-potential): give each live set
//! that misses `m` cells the weight 2^-m. If the weights add up to less than 1 with White to move, or to less than 1/2
//! with Black to move, White keeps Black from completing any of them: she takes the cell of the greatest weight each
//! time, and the sum never reaches 1 when she is to move, as it would have to with a set that misses nothing. This is a
//! hold of the weak game, so it is one of the strong game as well.
//!
//! Sets that miss more cells than Black has moves left are out of time and do not count.

use crate::game::position::Position;
use harary_certificate::Player::{self, Black};

/// The weight of a set that misses nothing. Weights are kept as multiples of 2^-40; smaller ones are rounded up, which
/// can only miss a hold.
pub(super) const ONE: u64 = 1 << 40;

/// Whether White holds for this reason, with `player` to move and `left` moves of Black's to come.
pub fn holds<const N: usize>(position: &Position<'_, N>, player: Player, left: usize) -> bool {
    let limit = if player == Black { ONE / 2 } else { ONE };
    let mut sum = 0;
    for missing in 0..=left.min(position.arena().longest()) {
        sum += u64::from(position.live_count(Black, missing)) * (ONE >> missing.min(40));
        if sum >= limit {
            return false;
        }
    }
    true
}
