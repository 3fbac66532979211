//! Who wins the weak game: proof-number search over what Black can still complete.
//!
//! In the weak game nothing matters but the *live* sets, those without a stone of White's, and what they miss. So a
//! position is the list of its live sets here, the list is cut down as far as the verdict allows, and positions whose
//! lists are left with the same stones and the same empty cells are one. There is no turn limit: a verdict is who wins,
//! not by when. The search is the depth-first proof-number search of [`super::dfpn`], with zones for both players:
//! - Black wins *with zone Z* (lemma 6): he does so whatever White owns outside Z. White must reply inside the zones of
//!   all his wins against other replies, and of his win after no reply at all.
//! - White holds *with zone Z* (lemma 5): she does so whatever Black owns outside Z. Black must move inside the zones
//!   of all her holds after other moves. It is the block (W, Z) of [`crate::engines::blocking`], with all her stones
//!   for W.
//!
//! Rules, and why each is sound, for verdict and zone; the lemmas are those of
//! [docs/game.md](../../../docs/game.md#lemmas):
//! - *Twins* (lemma 18 a): if the live sets through the empty cells a and b are the same, White answers one by the
//!   other, and all these sets are stopped. The rest has neither a nor b, so it is played as if they were not there.
//!   The zone of a hold takes a and b in.
//! - *Supersets* (lemma 18 b): a set that misses all that another misses, and more, adds nothing.
//! - *Dominated cells* (lemma 19): if all live sets through a run through b as well, b is the better move for either
//!   player. Black owning a and not b owns, with the names of a and b exchanged, less than with b and not a; White
//!   stops less by a than by b. If a hold answers b and the zone of that answer has a, White answers a with a and b
//!   exchanged, for which b has to be free: the zone of the hold takes b in. A reply at a fails to any win after b, or
//!   to one whose zone misses b: it uses no set through b and so none through a, even where its zone has a.
//! - *Potential* (lemma 14): [`super::potential`], the zone being all cells missed. *Pavings* (lemma 4): the zone is
//!   the cells of the pairs.
//! - *One entry for many positions* (lemma 20): let V be the black and empty cells of the list L left of a position.
//!   All sets inside V are live in it, and those not in L are supersets in the sense above (sets stopped by twins are
//!   not inside V). So V and the black cells say who wins and which zones serve, wherever they come from. Where the game
//!   has more symmetries than its board, positions that differ by the names of their cells have one entry (lemma 42).

mod finding;
mod names;
mod search;
mod sight;

use super::engine::Engine;
use super::numbers::Numbers;
use super::potential::ONE;
use crate::effort::{Halt, Limits};
pub use finding::Finding;
use harary_certificate::{
    Cell, CellSet,
    Player::{self, Black, White},
    Stones,
};
pub use search::MakerBreaker;
use sight::Sight;
pub use sight::{Alike, Shared};
use std::cmp::Reverse;

impl<const N: usize> MakerBreaker<'_, N> {
    /// Stops at these limits from now on. What it knew before it knows still.
    pub fn limit(&mut self, limits: Limits) {
        self.view.limits = limits;
    }

    /// Whether Black wins from the start of the game.
    pub fn wins(&mut self) -> Result<bool, Halt> {
        match self.narrow {
            true => Ok(self.winning_opening()?.is_some()),
            false => Ok(self.decide(Black, self.start)?.is_for(Black)),
        }
    }

    /// A first move that is allowed and wins.
    fn winning_opening(&mut self) -> Result<Option<Cell>, Halt> {
        for cell in self.firsts {
            let after = self.start.with(Black, cell);
            let complete = self.view.live[..self.view.sets].iter().any(|set| set.is_subset(&after.black));
            if complete || self.decide(White, after)?.is_for(Black) {
                return Ok(Some(cell));
            }
        }
        Ok(None)
    }

    /// Whether White is known to hold with Black to move, or found to within so many nodes. A question given up is not
    /// lost: the next one goes on from there.
    pub fn holds_within(&mut self, stones: Stones<N>, nodes: u64) -> Result<bool, Halt> {
        Ok(self.held_within(stones, nodes)?.is_some())
    }

    /// The same, with the zone of the hold.
    pub fn held_within(&mut self, stones: Stones<N>, nodes: u64) -> Result<Option<CellSet<N>>, Halt> {
        self.give_up = self.nodes + nodes;
        let found = self.decide(Black, stones);
        self.give_up = u64::MAX;
        match found {
            Ok(finding) => Ok(finding.is_for(White).then(|| finding.zone())),
            Err(Halt) => self.view.limits.check_now().map(|()| None),
        }
    }

    /// What is seen of a position without a search.
    pub fn sight(&mut self, player: Player, stones: Stones<N>) -> Finding<N> {
        match self.view.look_at(player, stones) {
            Sight::Decided(finding) => finding,
            Sight::Open(node) => Finding::Open(node.numbers),
        }
    }

    /// Who wins from a position with this player to move.
    pub fn find(&mut self, player: Player, stones: Stones<N>, limit: Numbers) -> Result<Finding<N>, Halt> {
        self.decide_within(player, stones, limit)
    }

    /// Black's first moves, one of each kind, and whether they win, as far as it is known by now.
    pub fn first_moves(&mut self) -> Vec<(Cell, Option<bool>)> {
        let firsts: Vec<Cell> = self.firsts.iter().collect();
        let start = self.start;
        let known = |cell| match self.sight(White, start.with(Black, cell)) {
            Finding::Open(_) => (cell, None),
            finding => (cell, Some(finding.is_for(Black))),
        };
        firsts.into_iter().map(known).collect()
    }
}

impl<const N: usize> Engine<N> for MakerBreaker<'_, N> {
    fn winning_move(&mut self, stones: Stones<N>, _until: usize) -> Result<Option<Cell>, Halt> {
        if self.restricted && stones == self.start {
            return self.winning_opening();
        }
        Ok(match self.decide(Black, stones)? {
            Finding::Won { best, .. } => best,
            _ => None,
        })
    }

    fn holding_move(&mut self, stones: Stones<N>, _until: usize) -> Result<Option<Cell>, Halt> {
        match self.decide(White, stones)? {
            Finding::Held { best: Some(cell), .. } => return Ok(Some(cell)),
            Finding::Held { .. } => {}
            _ => return Ok(None),
        }
        // Held by its potential, where the weightiest cell is a good reply, or by whatever she plays.
        let live = |set: &&CellSet<N>| set.is_disjoint(&stones.white);
        let weight = |cell: Cell| {
            let through = self.view.live[..self.view.sets].iter().filter(live).filter(|set| set.contains(cell));
            through.map(|set| ONE >> (*set - stones.black).len().min(40)).sum::<u64>()
        };
        let mut replies: Vec<(u64, Cell)> =
            (self.board - stones.occupied()).iter().map(|cell| (weight(cell), cell)).collect();
        replies.sort_unstable_by_key(|&(weight, cell)| (Reverse(weight), cell));
        for (_, cell) in replies {
            if self.decide(Black, stones.with(White, cell))?.is_for(White) {
                return Ok(Some(cell));
            }
        }
        Ok(None)
    }

    fn knows_hold(&mut self, stones: Stones<N>) -> bool {
        self.sight(White, stones).is_for(White)
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
    use crate::engines::scene::{Scene, scenes};
    use crate::engines::table::Table;
    use crate::game::Game;
    use harary_certificate::Rule;
    use proptest::prelude::*;

    /// Runs `work` with a search of a game that starts at a scene's position, by symmetry or by names.
    fn with_search<T>(game: &Game, by_names: bool, work: impl FnOnce(&mut MakerBreaker<1>) -> T) -> T {
        let table = Table::new(1 << 18);
        let canon = Canon::new(&game.symmetries(), game.vertices());
        let busy = Busy::new(1);
        let alike = if by_names { Alike::ByNames } else { Alike::BySymmetry(&canon) };
        work(&mut MakerBreaker::new(game, &Shared { table: &table, alike, busy: &busy }))
    }

    /// Adds some of the cells that `choices` picks outside `taken`.
    fn more(choices: &[usize], cells: usize, taken: CellSet<1>) -> CellSet<1> {
        let outside: Vec<Cell> = (CellSet::<1>::first_cells(cells) - taken).iter().collect();
        choices.iter().filter_map(|choice| outside.get(choice % (outside.len().max(1) * 2)).copied()).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(6_000))]

        /// The verdict is the twin's, the moves keep it, and what is said of a zone is true: with any stones of the
        /// loser's added outside it the verdict is the same.
        #[test]
        fn positions_agree_with_the_twin_and_zones_hold(
            scene in scenes(), added in prop::collection::vec(0..100usize, 0..6), image in 0..288usize,
            by_names: bool,
        ) {
            let scene = Scene { weak: true, ..scene };
            let (cells, stones) = (scene.board.size(), scene.stones);
            let Some(game) = scene.game() else { return Ok(()) };
            if scene.is_over(stones.white) { return Ok(()); }
            let wins = |scene: &Scene| scene.game().map(|game| scene.least_turn(&game).is_some());
            let truth = wins(&scene).unwrap();
            // Once as a game of its own, once as a position of the whole board, known there by another of its images.
            let finding = with_search(&game, by_names, |search| search.decide(Black, stones).unwrap());
            let whole = Game::new(scene.shape.clone(), scene.board, Rule::Weak);
            let symmetries = whole.symmetries();
            let symmetry = &symmetries.elements()[image % symmetries.len()];
            let seen_elsewhere = with_search(&whole, by_names, |search| {
                search.decide(Black, symmetry.stones(&stones)).unwrap();
                search.decide(Black, stones).unwrap()
            });
            for finding in [finding, seen_elsewhere] {
                prop_assert_eq!(finding.is_for(Black), truth);
                let taken = stones.occupied() | finding.zone();
                let extra = more(&added, cells, taken);
                let mut crowded = scene.clone();
                if truth {
                    crowded.stones.white |= extra;
                } else {
                    crowded.stones.black |= extra;
                }
                prop_assert!(truth || !scene.is_over(crowded.stones.black), "zone {:?} added {:?}", finding.zone(), extra);
                if !scene.is_over(crowded.stones.black) && !scene.is_over(crowded.stones.white) && let Some(verdict) = wins(&crowded) {
                    prop_assert_eq!(verdict, truth, "zone {:?} added {:?}", finding.zone(), extra);
                }
            }
            if truth && !scene.is_over(stones.black) {
                let best = with_search(&game, by_names, |search| search.winning_move(stones, usize::MAX)).unwrap().unwrap();
                prop_assert!(!stones.occupied().contains(best));
                let after = stones.with(Black, best);
                let reply = with_search(&game, by_names, |search| search.holding_move(after, usize::MAX)).unwrap();
                prop_assert!(reply.is_none());
            } else if !truth {
                for m in CellSet::<1>::first_cells(cells) - stones.occupied() {
                    let after = stones.with(Black, m);
                    if after.len() == cells { continue; }
                    let o = with_search(&game, by_names, |search| search.holding_move(after, usize::MAX)).unwrap().unwrap();
                    prop_assert!(!after.occupied().contains(o));
                    let held = with_search(&game, by_names, |search| search.decide(Black, after.with(White, o))).unwrap();
                    prop_assert!(held.is_for(White));
                }
            }
        }
    }

    /// A stop flag set before ends a search at its first node.
    #[test]
    fn it_stops_when_told() {
        let shape = harary_certificate::Shape::from_rows(".XXXX/XX...").unwrap();
        let board = harary_certificate::Board::new(8, 8, harary_certificate::Topology::Plain).unwrap();
        let game = Game::new(shape, board, Rule::Weak);
        let stopped = Limits::none();
        stopped.stop();
        let (found, nodes) = with_search(&game, false, |search| {
            search.limit(stopped);
            (search.wins(), search.nodes())
        });
        assert_eq!((found, nodes), (Err(Halt), 1));
    }
}
