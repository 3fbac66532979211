//! The proof-number engine: who wins, when the turn does not matter.
//!
//! Depth-first proof-number search (A. Nagai, 2002) goes where the least work seems to be left, by its
//! [`super::numbers`]. It follows long threat sequences to their end, where deepening over the turn limit would search
//! every shorter limit first. The turn it wins by is an upper bound: nothing earlier is refuted. Plain turn order only
//! (Black and White alternate). The graph has no cycles, since each move fills a cell, so the history of a position
//! never matters and what the table says is true on every path to it.
//!
//! The rules are those of [`super::alphabeta`], where each is argued and its lemma of
//! [docs/game.md](../../docs/game.md#lemmas) named: forced moves, the distance bound, useless moves, threat sequences,
//! zones. Here the moves Black has left are all there are, up to the end of the game or the turn asked for. Added:
//! - *Threatened sequences* (lemmas 15 and 16): if Black wins by threats after White passes, she must reply inside the
//!   zone of that win.
//! - *Potential* (lemma 14): [`super::potential`] is a hold at sight.
//! - *Weak holds* (lemmas 9 a and 25): where White holds the weak game Black has no win by any turn.
//!   [`super::maker_breaker`] is asked what it sees of each new position, and may search a little before Black's moves
//!   are tried. So the search goes on where the weak game is won, and White needs threats of her own, or open; an open
//!   position begins with the numbers it has there. skinny 6x6, a draw and a weak win, was not settled in 50 seconds
//!   without the weak game, takes 8 with its holds alone and 0.6 with its numbers (2026-11-17, two cores of a loaded
//!   machine).
//! - *Zones for fewer stones* (lemma 16): a zone says for how many unknown stones of White's it is good. Asked for one that
//!   is good for all her moves so far, a search is soon told the whole board, because all her sets count then. So no more are
//!   asked for than make a difference: the replies of the positions just above are cut, those further up are not. skinny 6x6
//!   takes 35,666 nodes that way instead of 56,980, fivecells-l 6x6 35,052 instead of 47,119 (2026-11-18).
//! - *Threats as a guide*: instead of the weak game, what Black threatens can say where to search
//!   ([`ProofNumberSearch::by_threats`]). A position with White to move begins with the number of replies inside the zone of
//!   what Black threatens, and one with Black to move is looked at for a threat sequence at once. Only the proof number
//!   counts: this search means to find long wins. What White wins by threats is a hold, and where she threatens to, Black must
//!   move inside the zone of that (lemma 15).
//! - *White's useless moves* (lemma 13 b): White has at most `left` stones, this one included, before Black's last. A
//!   stone outside all Black's live sets that miss at most `left`, and outside all of White's that miss at most `left`
//!   (and `ignored` more, which the proof may not know of), is a pass, and any other move is at least as good for her.

mod search;
mod status;

use super::engine::Engine;
pub use super::numbers::Numbers;
use crate::effort::Halt;
use crate::engines::maker_breaker::Finding;
use harary_certificate::{Cell, Stones};
pub use search::{ProofNumberSearch, Shared};
pub(in crate::engines) use status::Status;
pub use status::{Gauge, ProofTable};

/// What is known of a position, in the words of the weak game's search.
impl<const N: usize> From<Status<N>> for Finding<N> {
    fn from(status: Status<N>) -> Finding<N> {
        match status {
            Status::Won { zone, best, .. } => Finding::Won { zone, best },
            Status::Lost { zone, best, .. } => Finding::Held { zone, best },
            Status::Open(numbers) => Finding::Open(numbers),
        }
    }
}

impl<const N: usize> ProofNumberSearch<'_, N> {
    /// What is seen of a position of the game without a search. Its stones complete nothing.
    pub fn sight(&mut self, stones: Stones<N>) -> Finding<N> {
        self.seen(stones).into()
    }

    /// Who wins from a position of the game, at whatever turn.
    pub fn find(&mut self, stones: Stones<N>, limit: Numbers) -> Result<Finding<N>, Halt> {
        self.ask_within(stones, limit).map(Finding::from)
    }
}

impl<const N: usize> Engine<N> for ProofNumberSearch<'_, N> {
    fn winning_move(&mut self, stones: Stones<N>, until: usize) -> Result<Option<Cell>, Halt> {
        Ok(match self.ask(stones, until)? {
            Status::Won { best, .. } => best,
            _ => None,
        })
    }

    fn holding_move(&mut self, stones: Stones<N>, until: usize) -> Result<Option<Cell>, Halt> {
        Ok(match self.ask(stones, until)? {
            Status::Lost { best, left, .. } => best.or_else(|| self.likely_reply(left.into())),
            _ => None,
        })
    }

    fn knows_hold(&mut self, stones: Stones<N>) -> bool {
        self.is_known_hold(stones)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::busy::Busy;
    use crate::engines::canon::Canon;
    use crate::engines::maker_breaker::{self, Alike, MakerBreaker};
    use crate::engines::scene::{Scene, scenes};
    use crate::engines::table::Table;
    use crate::game::Game;
    use crate::game::position::{Arena, Position};
    use harary_certificate::Player::{Black, White};
    use harary_certificate::Rule;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        /// Who wins, at the end of the game and by any turn, is what the twin says; the moves given keep it so.
        #[test]
        fn positions_agree_with_the_twin(
            scene in scenes(), first in prop::collection::btree_set(0..16usize, 0..4), guide in 0..3,
        ) {
            let Some(game) = scene.game_starting_at(first) else { return Ok(()) };
            let truth = scene.least_turn(&game);
            let arena = Arena::<1>::new(&game);
            let canon = Canon::new(&game.symmetries(), game.vertices());
            let (gauge, table) = (Gauge::default(), ProofTable::new(1 << 18));
            let (weak_table, busy) = (Table::new(1 << 16), Busy::new(1));
            let weak = maker_breaker::Shared { table: &weak_table, alike: Alike::BySymmetry(&canon), busy: &busy };
            let engine = ProofNumberSearch::new(&Shared { arena: &arena, table: &table, canon: &canon, busy: &busy, gauge: &gauge });
            let mut engine = match guide {
                0 => engine,
                1 => engine.with_oracle(MakerBreaker::new(&game, &weak)),
                _ => engine.by_threats(),
            };
            let last = game.schedule().len();
            for until in (1..=last).rev() {
                prop_assert_eq!(engine.wins_by(until).unwrap(), truth.is_some_and(|turn| turn <= until), "{}", until);
            }
            let stones = scene.stones;
            match truth {
                Some(_) => {
                    let cell = engine.winning_move(stones, last).unwrap().expect("a winning move");
                    prop_assert!(Position::new(&arena).allowed().contains(cell));
                    let after = stones.with(Black, cell);
                    prop_assert!(scene.is_over(after.black) || scene.least_turn_after(&game, after).is_some());
                }
                None => for cell in Position::new(&arena).allowed() {
                    let after = stones.with(Black, cell);
                    if (arena.all() - after.occupied()).is_empty() { continue; }
                    let reply = engine.holding_move(after, last).unwrap().expect("a holding move");
                    prop_assert!(!after.occupied().contains(reply));
                    let held = after.with(White, reply);
                    let complete = !scene.weak && scene.is_over(held.white);
                    prop_assert!(complete || scene.least_turn_after(&game, held).is_none());
                }
            }
        }

        /// What is said of the zone of a win is true, whatever number of unknown stones was asked for: with as many stones of
        /// White's added outside it as it is good for (any number in the weak game), Black still wins, and as soon.
        #[test]
        fn zones_of_wins_hold(
            scene in scenes(), ignored in 0..4usize, by_threats: bool,
            added in prop::collection::vec(0..100usize, 0..4),
        ) {
            let Some(game) = scene.game() else { return Ok(()) };
            let arena = Arena::<1>::new(&game);
            let canon = Canon::new(&game.symmetries(), game.vertices());
            let (gauge, table, busy) = (Gauge::default(), ProofTable::new(1 << 18), Busy::new(1));
            let engine = ProofNumberSearch::new(&Shared { arena: &arena, table: &table, canon: &canon, busy: &busy, gauge: &gauge });
            let mut engine = if by_threats { engine.by_threats() } else { engine };
            let Status::Won { moves, zone, ignored, .. } = engine.find_anyhow(scene.stones, ignored).unwrap() else { return Ok(()) };
            let Stones { black, white } = scene.stones;
            prop_assert!(zone.is_subset(&(arena.all() - black - white)));
            let mut more = white;
            let room = if scene.weak { added.len() } else { added.len().min(ignored.into()) };
            for choice in &added[..room] {
                let outside: Vec<Cell> = (arena.all() - black - more - zone).iter().collect();
                if let Some(&cell) = outside.get(choice % outside.len().max(1)) { more.insert(cell); }
            }
            // Stones that complete a set of hers are the business of the White node before.
            let crowded = Scene { stones: Stones::new(black, more), ..scene.clone() };
            let Some(crowded_game) = crowded.game() else { return Ok(()) };
            let turn = crowded.least_turn(&crowded_game);
            prop_assert!(turn.is_some_and(|turn| turn < 2 * usize::from(moves)), "zone {:?} added {:?}", zone, more - white);
        }

        /// What is said of the zone of a hold is true: with any stones of Black's added outside it, any of his taken away
        /// and any of White's added, White still holds, and Black completes nothing with his next stone.
        #[test]
        fn zones_of_holds_hold(
            scene in scenes(), choices in prop::collection::vec(0..1000usize, 0..10), taken in 0..64usize,
            image in 0..288usize, asking: bool,
        ) {
            let Some(_) = scene.game() else { return Ok(()) };
            let stones = scene.stones;
            if scene.is_over(stones.white) { return Ok(()); }
            // As a position of the whole board, known there by another of its images.
            let rule = if scene.weak { Rule::Weak } else { Rule::Strong };
            let whole = Game::new(scene.shape.clone(), scene.board, rule);
            let arena = Arena::<1>::new(&whole);
            let symmetries = whole.symmetries();
            let canon = Canon::new(&symmetries, whole.vertices());
            let (gauge, table) = (Gauge::default(), ProofTable::new(1 << 18));
            let (weak_table, busy) = (Table::new(1 << 16), Busy::new(1));
            let weak = maker_breaker::Shared { table: &weak_table, alike: Alike::BySymmetry(&canon), busy: &busy };
            let mut engine = ProofNumberSearch::new(&Shared { arena: &arena, table: &table, canon: &canon, busy: &busy, gauge: &gauge });
            if asking {
                engine = engine.with_oracle(MakerBreaker::new(&whole, &weak));
            }
            let symmetry = &symmetries.elements()[image % symmetries.len()];
            engine.find_anyhow(symmetry.stones(&stones), 0).unwrap();
            let Status::Lost { zone, .. } = engine.find_anyhow(stones, 0).unwrap() else { return Ok(()) };
            prop_assert!(zone.is_disjoint(&stones.occupied()));
            let mut crowded = scene.clone();
            for (place, cell) in stones.black.iter().enumerate() {
                if taken >> (place % 6) & 1 == 1 {
                    crowded.stones.black.remove(cell);
                }
            }
            for (place, choice) in choices.iter().enumerate() {
                let among = if place < 7 { arena.all() - stones.occupied() - zone } else { arena.all() - stones.occupied() };
                let among: Vec<Cell> = (among - crowded.stones.occupied()).iter().collect();
                if let Some(&cell) = among.get(choice % (among.len() + 1)) {
                    crowded.stones = crowded.stones.with(if place < 7 { Black } else { White }, cell);
                }
            }
            prop_assert!(!scene.is_over(crowded.stones.black), "zone {:?} crowded {:?}", zone, crowded.stones);
            let empty = arena.all() - crowded.stones.occupied();
            if scene.is_over(crowded.stones.white) || empty.is_empty() || empty.len() > 11 { return Ok(()); }
            let game = crowded.game().expect("nobody has won");
            prop_assert_eq!(crowded.least_turn(&game), None, "zone {:?} crowded {:?}", zone, crowded.stones);
        }
    }
}
