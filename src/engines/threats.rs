//! Threat sequences: wins made of forcing moves.
//!
//! Lemma 15 of [docs/game.md](../../docs/game.md#lemma-15-threat-sequences). A move that leaves Black one cell short of
//! a set forces White's reply, so a line of such moves is searched without branching on White's side. These wins may be
//! long but are cheap to find and short to write down. What is found here is a win; that nothing is found here proves
//! nothing. White's threats are searched in the same way: what she wins by them, in the strong game, is a hold.

use super::zone::guard_against;
use crate::effort::tuning::shared::FAILED_LOOKS;
use crate::game::position::Position;
use harary_certificate::{
    Cell, CellSet,
    Player::{self, Black, White},
};

/// Spreads the number of a look over the bits of a key.
const LOOK: u64 = 0x9e37_79b9_7f4a_7c15;

/// A winning move and the zone of the win.
pub type Win<const N: usize> = (Cell, CellSet<N>);

/// With two moves left and no completion: a move that makes two threats at once, or none. This one is exact: `None`
/// means that Black does not win with two moves left. White's single threat, if she has one, is `forced`; `answered`
/// is a stone of hers that is not on the board yet and makes no threat.
pub fn double_threat<const N: usize>(
    position: &Position<'_, N>,
    forced: Option<Cell>,
    ignored: usize,
    answered: Option<Cell>,
) -> Option<Win<N>> {
    let (cell, zone) = double_threat_of(position, Black, forced, answered)?;
    Some((cell, guard_against(White, position, zone, ignored, answered, Some(cell)).with(cell)))
}

/// The same of either player, with the two cells at which he completes a set next.
fn double_threat_of<const N: usize>(
    position: &Position<'_, N>,
    attacker: Player,
    forced: Option<Cell>,
    answered: Option<Cell>,
) -> Option<Win<N>> {
    if position.live_count(attacker, 2) < 2 {
        return None;
    }
    let open = |cells: &CellSet<N>| answered.is_none_or(|cell| !cells.contains(cell));
    let (mut once, mut twice) = (CellSet::EMPTY, CellSet::EMPTY);
    for cells in position.live_sets(attacker, 2).map(|set| position.missing_cells(set)).filter(open) {
        twice |= once & cells;
        once |= cells;
    }
    if let Some(cell) = forced {
        twice &= CellSet::single(cell);
    }
    for cell in twice {
        let mut partners = CellSet::EMPTY;
        for cells in position.live_sets(attacker, 2).map(|set| position.missing_cells(set)).filter(open) {
            if cells.contains(cell) {
                partners |= cells;
            }
        }
        partners.remove(cell);
        // Two different cells complete a set next; the other player cannot take both, and completes nothing himself: he has
        // no threat, or this move blocks it.
        if partners.len() >= 2 {
            return Some((cell, partners.iter().take(2).collect()));
        }
    }
    None
}

/// Looks for wins made of threats.
pub struct Forcing {
    /// Positions looked at, at most, for one win.
    budget: u32,
    /// Keys of positions where nothing was found. A wrong hit hides a win, which proves nothing: the keys need not be exact.
    failed: Vec<u64>,
    /// Which look this is. It is part of the keys, so that what an earlier look found is forgotten.
    look: u64,
}

impl Forcing {
    /// Looks at no more than `budget` positions each time.
    pub fn new(budget: u32) -> Forcing {
        Forcing { budget, failed: vec![0; FAILED_LOOKS], look: 0 }
    }

    /// A win with at most `left` moves, every one of them a threat but the last.
    pub fn win<const N: usize>(
        &mut self,
        position: &mut Position<'_, N>,
        left: usize,
        ignored: usize,
    ) -> Option<Win<N>> {
        self.within(position, left, ignored, &mut self.budget.clone()).map(|(_, win)| win)
    }

    /// The shortest such win that is found, and its length: it has the smallest zone.
    pub fn shortest<const N: usize>(
        &mut self,
        position: &mut Position<'_, N>,
        left: usize,
        ignored: usize,
    ) -> Option<(usize, Win<N>)> {
        let mut budget = self.budget;
        let first = self.within(position, left, ignored, &mut budget)?;
        let shorter = (2..first.0).find_map(|moves| self.within(position, moves, ignored, &mut budget));
        Some(shorter.unwrap_or(first))
    }

    /// White to move, without a completion: a win of hers by threats, if one is found. She completes a set before Black does,
    /// whatever he plays; `ignored` stones of his may be unknown.
    pub fn counter<const N: usize>(&mut self, position: &mut Position<'_, N>, ignored: usize) -> Option<Win<N>> {
        self.look = self.look.wrapping_add(LOOK);
        let most = position.empty().len().div_ceil(2);
        self.sequence(position, White, most, ignored, &mut self.budget.clone()).map(|(_, win)| win)
    }

    /// One look for a win with at most `left` moves, and its length.
    fn within<const N: usize>(
        &mut self,
        position: &mut Position<'_, N>,
        left: usize,
        ignored: usize,
        budget: &mut u32,
    ) -> Option<(usize, Win<N>)> {
        self.look = self.look.wrapping_add(LOOK);
        self.sequence(position, Black, left, ignored, budget)
    }

    /// A win by threats of either player, to move and without a completion.
    fn sequence<const N: usize>(
        &mut self,
        position: &mut Position<'_, N>,
        attacker: Player,
        left: usize,
        ignored: usize,
        budget: &mut u32,
    ) -> Option<(usize, Win<N>)> {
        if left < 2 || position.live_count(attacker, 2) == 0 {
            return None;
        }
        let defender = attacker.other();
        let threats = position.completions(defender);
        if threats.len() > 1 {
            return None;
        }
        let guarded =
            |position: &Position<'_, N>, zone, played| guard_against(defender, position, zone, ignored, None, played);
        let forced = threats.first();
        if let Some((cell, zone)) = double_threat_of(position, attacker, forced, None) {
            return Some((2, (cell, guarded(position, zone, Some(cell)).with(cell))));
        }
        if left < 3 {
            return None;
        }
        // The same threats in another order lead to the same position, with as many moves left.
        let key = position.key() ^ self.look;
        let place = key as usize % FAILED_LOOKS;
        if self.failed[place] == key {
            return None;
        }
        let mut tries = CellSet::EMPTY;
        for set in position.live_sets(attacker, 2) {
            tries |= position.missing_cells(set);
        }
        if let Some(cell) = forced {
            tries &= CellSet::single(cell);
        }
        for cell in tries {
            if *budget == 0 {
                return None;
            }
            *budget -= 1;
            position.play(cell, attacker);
            let found = match position.completions(attacker).first() {
                Some(reply) if position.completions(defender).is_empty() => {
                    position.play(reply, defender);
                    let win = self.sequence(position, attacker, left - 1, ignored, budget);
                    position.undo(reply, defender);
                    win.map(|(moves, (_, zone))| (moves, guarded(position, zone.with(reply), None)))
                }
                _ => None,
            };
            position.undo(cell, attacker);
            if let Some((moves, zone)) = found {
                return Some((moves + 1, (cell, zone.with(cell))));
            }
        }
        self.failed[place] = key;
        None
    }
}
