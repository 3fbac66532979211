//! Does White hold the weak game, by moves and a paving?
//!
//! [`search`] decides it level by level, and what it finds generalises into [`lemmas`]. [`paved_after`] asks whether White
//! can play up to a turn so that a paving exists after it.

mod error;
pub mod lemmas;
pub mod search;

use crate::effort::{Halt, Limits};
use crate::game::position::Arena;
use crate::game::{Game, with_width};
pub use error::BlockError;
use harary_certificate::{Stones, WIDE};
pub use search::Statistics;
use search::{Search, Verdict};

/// Whether the defender's arguments apply: the players alternate, Black first, whatever the start.
pub fn applies(game: &Game) -> bool {
    game.schedule().is_alternating()
        // Levels are counted in a byte.
        && game.vertices() / 2 <= usize::from(u8::MAX)
}

/// Can White play up to turn `turn`, Black to move now, so that a paving exists after it? This is what the PAIRING
/// encoding asks. `None`: stopped.
///
/// Turns count from the position given, and an odd turn is as good as the even one before it: a paving of what is left
/// after one more stone of Black's is a paving before it.
pub fn paved_after(game: &Game, stones: &Stones<WIDE>, turn: usize, limits: &Limits) -> Option<bool> {
    with_width!(game.vertices(), N => paved_after_in::<N>(game, stones, turn, limits))
}

fn paved_after_in<const N: usize>(game: &Game, stones: &Stones<WIDE>, turn: usize, limits: &Limits) -> Option<bool> {
    let arena = Arena::new(&game.weak());
    let mut search = Search::<N>::new(game, &arena);
    search.limit(limits.clone());
    // Levels are counted in a byte; deeper than that nobody searches.
    let most = u8::try_from((turn / 2).min(game.vertices() / 2)).ok()?;
    match search.solve(stones.resized(), most) {
        Err(Halt) => None,
        Ok(verdict) => Some(matches!(verdict, Verdict::Block(_))),
    }
}
