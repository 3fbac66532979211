//! Zones: which cells a win depends on.
//!
//! A win of Black's comes with a *zone* Z of empty cells. In the weak game it means: Black wins by the same moves
//! whatever White owns outside Z ([lemma 6](../../docs/game.md#lemma-6-attack-nodes)). So after one winning answer to
//! White's move, or to her pass, every White move outside its zone loses as well, and White must play inside the
//! intersection of the zones found so far.
//!
//! In the strong game White's ignored stones could fill a set of her own, and they add up along a line of play. There a
//! zone comes with a number u ([lemma 16](../../docs/game.md#lemma-16-zones-in-the-strong-game)): Black wins by the
//! same moves from every position in which White owns nothing of Z, has not completed a set, and **has at most u stones
//! that the proof does not know of**. (The proof may think that she has more than she has: that makes her only stronger
//! in it.) Along a line of play u is the number of White's moves so far that a zone may have ignored: all but forced
//! blocks; a pass counts.
//!
//! Why [`guard`] makes this true: consider any position of the proof with White to move, and a set of hers without a
//! Black stone that misses the cells M on the proof's board. The unknown stones, at most u and all outside Z, can fill
//! all of M but one cell only if M has at most u + 1 cells, and fewer than two of them in Z. `guard` adds cells to Z
//! until there is no such set. It is applied at every White node of the proof, so White never completes a set before
//! Black does, on any line with ignored moves. A White threat that is no completion may be ignored too: Black's next
//! move in the proof either completes his set or leads to another White node, where the same argument applies.
//!
//! A wrong zone could only prove a win too many, never a "no": refutations use actual White moves. And each win is
//! drawn out move by move and checked before it is announced.

use crate::game::position::Position;
use harary_certificate::{
    Cell, CellSet,
    Player::{self, Black, White},
};

/// The zone of a win of Black's with the cells added that keep `ignored` unknown White stones from completing a set of hers
/// at a White node: the position itself, or the one after White's stone `answered` and Black's stone `played` are put on it.
pub fn guard<const N: usize>(
    position: &Position<'_, N>,
    zone: CellSet<N>,
    ignored: usize,
    answered: Option<Cell>,
    played: Option<Cell>,
) -> CellSet<N> {
    guard_against(White, position, zone, ignored, answered, played)
}

/// The same of a win of either player's: unknown stones of the other's, called White in what is said above.
pub fn guard_against<const N: usize>(
    loser: Player,
    position: &Position<'_, N>,
    mut zone: CellSet<N>,
    ignored: usize,
    answered: Option<Cell>,
    played: Option<Cell>,
) -> CellSet<N> {
    // When every set of hers counts, next to nothing can be ignored: the whole board is a zone, found at once.
    if ignored + 1 >= position.arena().longest() && position.distance(loser).is_some() {
        zone |= position.empty();
        if let Some(cell) = answered {
            zone.remove(cell);
        }
        return zone;
    }
    let reach = ignored + 1 + usize::from(answered.is_some());
    for missing in 2..=reach.min(position.arena().longest()) {
        if position.live_count(loser, missing) == 0 {
            continue;
        }
        for set in position.live_sets(loser, missing) {
            let mut cells = position.missing_cells(set);
            if played.is_some_and(|cell| cells.contains(cell)) {
                continue;
            }
            if let Some(cell) = answered {
                cells.remove(cell);
            }
            if cells.len() > ignored + 1 {
                continue;
            }
            let wanted = 2usize.saturating_sub((cells & zone).len());
            for cell in (cells - zone).iter().take(wanted) {
                zone.insert(cell);
            }
        }
    }
    zone
}

/// The zone of a hold with the cells added that keep Black from completing a set with his next stone, whatever he owns
/// outside it: two cells of each of his live sets (lemma 7 of docs/game.md). He has no completion here.
pub fn guard_hold<const N: usize>(position: &Position<'_, N>, mut zone: CellSet<N>) -> CellSet<N> {
    for missing in 2..=position.arena().longest() {
        if position.live_count(Black, missing) == 0 {
            continue;
        }
        for set in position.live_sets(Black, missing) {
            let cells = position.missing_cells(set);
            let wanted = 2usize.saturating_sub((cells & zone).len());
            for cell in (cells - zone).iter().take(wanted) {
                zone.insert(cell);
            }
        }
    }
    zone
}
