//! Which games a run is about.

use super::entry::{Entry, Leastness};

use super::key::GameKey;
use super::shapes::Shapes;
use crate::game::placements;
use crate::game::polyomino::free_polyominoes;
use crate::settle::Verdict;
use harary_certificate::{Board, Rule, Shape, Topology};
use std::collections::BTreeSet;
use std::time::Duration;

/// The animals of at most `size` cells, in canonical form, small ones first.
pub fn animals(size: usize) -> Vec<Shape> {
    (1..=size).flat_map(free_polyominoes).collect()
}

/// All games of these targets, a shape or several each, on these boards, hardest last. On a torus, too, a shape is played
/// only if it fits on the plain board with the same sides: that is how the published tables count. Of several shapes each
/// has to fit, or the game is that of the others.
pub fn games(
    targets: impl IntoIterator<Item = impl Into<Shapes>>,
    boards: &[(usize, usize)],
    topologies: &[Topology],
    rules: &[Rule],
) -> Vec<GameKey> {
    let mut keys = BTreeSet::new();
    for shapes in targets.into_iter().map(Into::into) {
        for &(width, height) in boards.iter().filter(|&&(width, height)| shapes.fit(width, height)) {
            for &topology in topologies {
                // Sides that are none of a board's have no games.
                let Ok(board) = Board::new(width, height, topology) else { continue };
                keys.extend(rules.iter().map(|&rule| GameKey::new(&shapes, board, rule)));
            }
        }
    }
    hardest_last(keys)
}

/// Games in the order they are settled in.
pub fn hardest_last(keys: BTreeSet<GameKey>) -> Vec<GameKey> {
    let mut keys: Vec<GameKey> = keys.into_iter().collect();
    keys.sort_by_cached_key(hardness);
    keys
}

/// A guess that costs nothing: large boards are hard, and tori harder than plain boards. The weak games of a board come
/// first and small shapes before large ones, so that a block is there when others can borrow it.
fn hardness(key: &GameKey) -> (usize, bool, bool, usize, usize) {
    let board = key.board();
    let placements = key.shapes().iter().map(|shape| placements(shape, &board).len()).sum();
    (board.size(), board.is_torus(), key.rule() == Rule::Strong, key.shapes().size(), placements)
}

/// Whether there is something to do about a game, given what is known and the time it may take.
pub fn is_due(known: Option<&Entry>, time: Duration, certify_least: bool) -> bool {
    let Some(entry) = known else { return true };
    let more_time = time > entry.given;
    match (entry.finding.verdict(), entry.finding.least_turn()) {
        (Verdict::Hold | Verdict::Loss, _) => false,
        (Verdict::Unknown, _) | (Verdict::Win, None) => more_time,
        (Verdict::Win, Some(turn)) => match entry.leastness {
            _ if !certify_least || turn == 1 => false,
            Leastness::NotAsked => true,
            Leastness::Open => more_time,
            Leastness::Certified(_) => false,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::win;
    use super::super::entry::{Finding, Mark};
    use super::*;

    #[test]
    fn the_published_sets_are_counted_as_published() {
        for (side, count) in [(3, 24), (4, 49), (5, 55), (6, 56)] {
            let keys = games(&animals(6), &[(side, side)], &[Topology::Plain, Topology::Torus], &[Rule::Strong]);
            assert_eq!(keys.len(), 2 * count, "{side}x{side}");
        }
        let both = games(&animals(2), &[(3, 4), (4, 3)], &[Topology::Plain], &[Rule::Strong, Rule::Weak]);
        assert_eq!(both.len(), 4, "a board turned is the same");
        let sizes: Vec<usize> = games(&animals(4), &[(4, 4), (3, 3)], &[Topology::Plain], &[Rule::Weak])
            .iter()
            .map(|k| k.board().size())
            .collect();
        assert!(sizes.is_sorted());
    }

    #[test]
    fn only_what_is_open_is_done_again_and_only_with_more_time() {
        let minute = Duration::from_secs(60);
        let unknown = Entry { finding: Finding::Unknown, certificate: None, first_move: None, ..win() };
        let late = Entry { finding: Finding::Win { by: 7, least: false }, ..win() };
        let open = Entry { leastness: Leastness::Open, ..win() };
        let certified = Entry { leastness: Leastness::Certified(Mark { hash: [1; 32], bytes: 1 }), ..win() };
        for (known, same, longer, least, least_longer) in [
            (None, true, true, true, true),
            (Some(unknown), false, true, false, true),
            (Some(late), false, true, false, true),
            (Some(win()), false, false, true, true),
            (Some(open), false, false, false, true),
            (Some(certified), false, false, false, false),
        ] {
            let due = |time, certify| is_due(known.as_ref(), time, certify);
            let found = (due(minute, false), due(2 * minute, false), due(minute, true), due(2 * minute, true));
            assert_eq!(found, (same, longer, least, least_longer), "{known:?}");
        }
    }
}
