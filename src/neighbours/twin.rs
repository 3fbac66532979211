//! The twin of the search: plain minimax, nothing left out, nothing remembered. Slow, and easy to believe.

use super::finite::{Finite, Side};

/// What the first player gains when both play best.
pub fn value<G: Finite>(position: &G) -> i32 {
    if let Some(value) = position.value() {
        return value;
    }
    let values = position.moves().into_iter().map(|step| value(&position.after(step)));
    match position.mover() {
        Side::First => values.max(),
        Side::Second => values.min(),
    }
    .unwrap_or(0)
}
