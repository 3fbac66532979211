//! The alpha-beta engine: does Black win with so many moves left?
//!
//! The question has two answers, so the window is always null and what is left of alpha-beta is an AND/OR search with a
//! transposition table. The driver deepens over the turn limit; the turn found is proved least, because every smaller
//! one was refuted. Plain turn order only (Black and White alternate); other schedules are [`super::baseline`]'s.
//!
//! Rules, and why each is sound; the lemmas are those of [docs/game.md](../../docs/game.md#lemmas):
//! - *Forced moves* (lemma 2): who can complete a set does; else he blocks the opponent's threat; two threats are lost.
//! - *Distance* (lemma 3): if every live set of Black's misses more cells than he has moves left, he is out of time. If
//!   the least missing number equals them, each of his moves must be inside such a set.
//! - *Useless moves* (lemma 13 a): with `left` moves of his own to come, White has at most `left - 1`. A Black stone
//!   outside all his live sets that miss at most `left`, and outside all of White's that miss at most `left - 1`,
//!   changes neither who can complete what in time; it is a pass, and an extra stone (lemma 1) never hurts. If any
//!   other move exists, it is at least as good; if none exists, nobody can complete anything in time.
//! - *Potential* (lemma 14): [`super::potential`] is a hold at sight.
//! - *Bounded pairs* (lemma 10): a paving of the sets Black can complete in time refutes the limit.
//! - *Null move* (lemma 1): if Black does not win after White passes, he does not after any White move.
//! - *Must-play zones* (lemma 6, lemma 16 in the strong game): see [`super::zone`]. They cut White's moves only, so
//!   they cannot prove a "no".
//! - *Threat sequences* (lemma 15) find wins early; see [`super::threats`]. They never prove a "no" beyond two moves
//!   left, where the double-threat test is exact.
//! - *First moves* (lemma 12): on large boards, of those that a symmetry maps to one another one is tried.
//! - *Table* (lemmas 12 and 21): a win serves every greater limit, a refutation every lesser one, and both every image.

use super::busy::Busy;
use super::canon::Canon;
use super::engine::Engine;
use super::ordering::{Ordering, pick};
use super::potential;
use super::table::{Knowledge, Table};
use super::threats::{Forcing, Win, double_threat};
use super::zone::guard;
use crate::effort::tuning::clock::LARGE_NODES;
use crate::effort::tuning::paving::BOUNDED_STEPS;
use crate::effort::tuning::shared::{FORCING_BUDGET, SPLIT};
use crate::effort::{Halt, Limits};
use crate::game::position::{Arena, Position};
use crate::paving::bounded::BoundedPairs;
use harary_certificate::{
    Cell, CellSet,
    Player::{Black, White},
    Stones,
};

/// `Some(zone)`: Black wins, whatever White owns outside the zone. `None`: not in time.
pub type Answer<const N: usize> = Option<CellSet<N>>;

/// Where the game is played, as far as it matters to the attack: on the whole board ([`Whole`]), or inside a cover with
/// places elsewhere ([`super::cover`]), which restricts Black and gives White one reply more.
pub trait Ground<const N: usize> {
    /// Whether White has replies elsewhere. Then no pass stands in for them, and the shortcuts that take a pass for
    /// granted do not apply.
    const ELSEWHERE: bool;

    /// The cells Black may play.
    fn for_black(&self, position: &Position<'_, N>) -> CellSet<N>;

    /// White's replies that are not elsewhere.
    fn for_white(&self, position: &Position<'_, N>) -> CellSet<N>;

    /// The next place elsewhere; without one White passes instead.
    fn place(&self, _position: &Position<'_, N>) -> Option<Cell> {
        None
    }

    /// Whether Black cannot take these completions of White's, wherever they are.
    fn out_of_reach(&self, _threats: CellSet<N>) -> bool {
        false
    }

    /// Whether Black keeps to sets he can still complete in time, but for forced moves.
    fn single_minded(&self) -> bool {
        false
    }

    /// Nodes the search may take; more halt it.
    fn most_nodes(&self) -> u64 {
        u64::MAX
    }
}

/// The whole board: nothing is elsewhere.
pub struct Whole;

impl<const N: usize> Ground<N> for Whole {
    const ELSEWHERE: bool = false;

    #[inline]
    fn for_black(&self, position: &Position<'_, N>) -> CellSet<N> {
        position.allowed()
    }

    #[inline]
    fn for_white(&self, position: &Position<'_, N>) -> CellSet<N> {
        position.empty()
    }
}

/// What the threads of one search share.
#[derive(Clone, Copy)]
pub struct Shared<'a, const N: usize> {
    /// What is played on.
    pub arena: &'a Arena<N>,
    /// What is known.
    pub table: &'a Table<N>,
    /// Which positions are alike.
    pub canon: &'a Canon,
    /// What the others are at.
    pub busy: &'a Busy,
    /// When to stop.
    pub limits: &'a Limits,
}

/// One thread's search.
pub struct Attacker<'a, const N: usize, G = Whole> {
    shared: Shared<'a, N>,
    pub(super) ground: G,
    pub(super) position: Position<'a, N>,
    nodes: u64,
    ordering: Ordering,
    forcing: Forcing,
    pairs: BoundedPairs<N>,
}

/// Spreads the number of moves left over the bits of a note's key.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl<'a, const N: usize> Attacker<'a, N> {
    /// A search of the whole board.
    pub fn new(shared: &Shared<'a, N>) -> Attacker<'a, N> {
        Attacker::on(Whole, shared)
    }
}

impl<'a, const N: usize, G: Ground<N>> Attacker<'a, N, G> {
    /// A search of the game on this ground.
    pub fn on(ground: G, shared: &Shared<'a, N>) -> Attacker<'a, N, G> {
        Attacker {
            shared: *shared,
            ground,
            position: Position::new(shared.arena),
            nodes: 0,
            ordering: Ordering::new(shared.arena.cells()),
            forcing: Forcing::new(FORCING_BUDGET),
            pairs: BoundedPairs::default(),
        }
    }

    /// Nodes searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether Black, to move at the start of the game, completes a set with `left` moves.
    pub fn wins(&mut self, left: usize) -> Result<bool, Halt> {
        match self.is_restricted() {
            true => Ok(self.winning_opening(left)?.is_some()),
            false => Ok(self.black(left, 0)?.is_some()),
        }
    }

    /// Whether not all moves are allowed now: before turn 1 of some games.
    fn is_restricted(&self) -> bool {
        self.position.allowed() != self.position.empty()
    }

    /// A first move that is allowed and wins with `left` moves, this one included. Nothing that is left out elsewhere is
    /// left out here: where all moves that are allowed are useless, one of them is played.
    fn winning_opening(&mut self, left: usize) -> Result<Option<Cell>, Halt> {
        let allowed = self.position.allowed();
        if let Some(cell) = (self.position.completions(Black) & allowed).first() {
            return Ok((left > 0).then_some(cell));
        }
        if left == 0 {
            return Ok(None);
        }
        let candidates = match self.position.completions(White) {
            threats if threats.is_empty() => allowed,
            threats => allowed & threats,
        };
        self.ordering.weigh(&self.position, left);
        let mut moves = self.ordering.scored(Black, candidates, None);
        for place in 0..moves.len() {
            let cell = pick(&mut moves, place);
            self.position.play(cell, Black);
            let answer = self.white(left - 1, 0);
            self.position.undo(cell, Black);
            if answer?.is_some() {
                return Ok(Some(cell));
            }
        }
        Ok(None)
    }

    fn known(&self) -> Knowledge<N> {
        self.shared.table.known(self.shared.canon, &self.position)
    }

    fn remember(&self, knowledge: Knowledge<N>, work: u64) {
        self.shared.table.remember(self.shared.canon, &self.position, knowledge, work);
    }

    /// What the table says, if it answers the question.
    fn answered(known: &Knowledge<N>, left: usize, ignored: usize) -> Option<Answer<N>> {
        if usize::from(known.refuted) >= left {
            return Some(None);
        }
        let wins = known.win > 0 && usize::from(known.win) <= left;
        (wins && usize::from(known.ignored) >= ignored).then_some(Some(known.zone))
    }

    /// Black to move with `left` moves, this one included; `ignored` White stones may be unknown to us.
    fn black(&mut self, left: usize, ignored: usize) -> Result<Answer<N>, Halt> {
        if let Some(cell) = self.position.completions(Black).first() {
            return Ok((left > 0).then(|| CellSet::single(cell)));
        }
        let Some(distance) = self.position.distance(Black).filter(|&distance| distance <= left) else {
            return Ok(None);
        };
        let threats = self.position.completions(White);
        if threats.len() > 1 || self.ground.out_of_reach(threats) {
            return Ok(None);
        }
        let forced = threats.first();
        if left == 2 {
            return Ok(double_threat(&self.position, forced, ignored, None).map(|(_, zone)| zone));
        }
        if !G::ELSEWHERE && potential::holds(&self.position, Black, left) {
            return Ok(None);
        }
        self.nodes += 1;
        self.shared.limits.tick(self.nodes)?;
        // On boards of more than 128 cells a node may take milliseconds.
        if N > 2 && self.nodes.is_multiple_of(LARGE_NODES) {
            self.shared.limits.check_time()?;
        }
        if self.nodes > self.ground.most_nodes() {
            return Err(Halt);
        }
        let known = self.known();
        if let Some(answer) = Self::answered(&known, left, ignored) {
            return Ok(answer);
        }
        // Pairs that hold to the end of the game are the defender's business.
        let bounded = !G::ELSEWHERE && left < self.position.empty().len().div_ceil(2);
        if bounded && self.pairs.hold(&self.position, left, BOUNDED_STEPS, self.shared.limits) {
            self.remember(Knowledge { refuted: Knowledge::<N>::refuted_of(left), ..known }, 1);
            return Ok(None);
        }
        let before = self.nodes;
        let won = match self.forcing.win(&mut self.position, left, ignored) {
            Some(win) => Some(win),
            None => self.try_moves(left, ignored, distance, forced, known.best)?,
        };
        let work = self.nodes - before + 1;
        match won {
            Some((cell, zone)) => {
                self.ordering.credit(Black, cell, left);
                let ignored = ignored as u8;
                let win = Knowledge::<N>::win_of(left);
                let known = Knowledge { win, refuted: known.refuted, best: Some(cell), zone, ignored };
                self.remember(known, work);
                Ok(Some(zone))
            }
            None => {
                self.remember(Knowledge { refuted: Knowledge::<N>::refuted_of(left), ..known }, work);
                Ok(None)
            }
        }
    }

    /// Black's moves one after the other, until one wins.
    fn try_moves(
        &mut self,
        left: usize,
        ignored: usize,
        distance: usize,
        forced: Option<Cell>,
        best: Option<Cell>,
    ) -> Result<Option<Win<N>>, Halt> {
        let candidates = match forced {
            Some(cell) => CellSet::single(cell),
            None if distance == left || self.ground.single_minded() => self.position.reach(Black, left),
            None => self.position.reach(Black, left) | self.position.reach(White, left - 1),
        };
        let mut candidates = candidates & self.ground.for_black(&self.position);
        // First moves that are alike are found in the table. On boards of more than 128 cells asking it for each of them costs more than
        // it does elsewhere, and it may have forgotten.
        if N > 2 && !G::ELSEWHERE && self.position.played() == 0 {
            candidates = self.shared.canon.one_of_each_kind(&self.position.stones(), &candidates);
        }
        self.ordering.weigh(&self.position, left);
        let mut moves = self.ordering.scored(Black, candidates, best);
        let mut won = Ok(None);
        let shared = left > SPLIT && self.shared.busy.is_shared();
        let mut deferred = 0;
        let mut next = 0;
        while next < moves.len() {
            let cell = pick(&mut moves, next);
            next += 1;
            self.position.play(cell, Black);
            let key = self.position.key() ^ (left as u64).wrapping_mul(SPREAD);
            // Somebody else is at it: come back later, when the table may know the answer. Even the first move waits:
            // most nodes are refuted, and then the order does not matter.
            if shared && next <= moves.len() - deferred && self.shared.busy.contains(key) {
                self.position.undo(cell, Black);
                moves.push((0, cell));
                deferred += 1;
                continue;
            }
            if shared {
                self.shared.busy.enter(key);
            }
            let answer = self.white(left - 1, ignored);
            if shared {
                self.shared.busy.leave(key);
            }
            self.position.undo(cell, Black);
            match answer {
                Err(halt) => {
                    won = Err(halt);
                    break;
                }
                Ok(Some(zone)) => {
                    won = Ok(Some((cell, zone.with(cell))));
                    break;
                }
                Ok(None) => {}
            }
            if shared {
                // Another thread may have finished this very node meanwhile.
                let known = self.known();
                if let (Some(answer), Some(best)) = (Self::answered(&known, left, ignored), known.best.or(Some(cell))) {
                    won = Ok(answer.map(|zone| (best, zone)));
                    break;
                }
            }
        }
        self.ordering.recycle(moves);
        won
    }

    /// White to move; Black has `left` moves after hers.
    fn white(&mut self, left: usize, ignored: usize) -> Result<Answer<N>, Halt> {
        if !self.position.completions(White).is_empty() {
            return Ok(None);
        }
        let threats = self.position.completions(Black);
        if let Some(cell) = threats.first() {
            // A reply elsewhere loses at once, so a forced block is no move that a zone may ignore.
            let answer = match threats.without(cell).first() {
                Some(other) => Some(CellSet::single(cell).with(other)),
                None => {
                    self.position.play(cell, White);
                    let answer = self.black(left, ignored);
                    self.position.undo(cell, White);
                    answer?.map(|zone| zone.with(cell))
                }
            };
            return Ok(answer.filter(|_| left > 0).map(|zone| guard(&self.position, zone, ignored, None, None)));
        }
        let Some(distance) = self.position.distance(Black).filter(|&distance| distance <= left) else {
            return Ok(None);
        };
        match left {
            0 | 1 => return Ok(None),
            2 if !G::ELSEWHERE => return self.white_before_two(ignored),
            _ if !G::ELSEWHERE && potential::holds(&self.position, White, left) => return Ok(None),
            _ => {}
        }
        // What does Black threaten? The shortest win after a pass, or a stone elsewhere, has the smallest zone to reply in.
        let mut zone = CellSet::EMPTY;
        let mut must = self.ground.for_white(&self.position);
        let mut passed = false;
        for shorter in distance.max(2)..left {
            if let Some(found) = self.after_pass(shorter, ignored)? {
                zone = found;
                must &= found;
                passed = true;
                break;
            }
        }
        self.ordering.weigh(&self.position, left);
        let mut replies = self.ordering.scored(White, must, None);
        let shared = left > SPLIT && self.shared.busy.is_shared();
        let mut answer = Ok(true);
        let (mut next, mut deferred) = (0, 0);
        while next < replies.len() || (G::ELSEWHERE && !passed) {
            // A pass at full length is dear: it is tried when the most likely reply has failed. A stone elsewhere is a reply,
            // and is tried in any case.
            let found = if !passed && (next > 0 || (G::ELSEWHERE && replies.is_empty())) {
                passed = true;
                self.after_pass(left, ignored)
            } else {
                let cell = pick(&mut replies, next);
                next += 1;
                if !must.contains(cell) {
                    continue;
                }
                self.position.play(cell, White);
                let key = !self.position.key() ^ (left as u64).wrapping_mul(SPREAD);
                if shared && next > 1 && next <= replies.len() - deferred && self.shared.busy.contains(key) {
                    self.position.undo(cell, White);
                    replies.push((0, cell));
                    deferred += 1;
                    continue;
                }
                if shared {
                    self.shared.busy.enter(key);
                }
                let found = self.black(left, ignored + 1);
                if shared {
                    self.shared.busy.leave(key);
                }
                self.position.undo(cell, White);
                if found == Ok(None) {
                    self.ordering.credit(White, cell, left);
                }
                found
            };
            match found {
                Ok(Some(found)) => {
                    zone |= found;
                    must &= found;
                }
                no => {
                    answer = no.map(|_| false);
                    break;
                }
            }
        }
        self.ordering.recycle(replies);
        Ok(answer?.then(|| guard(&self.position, zone, ignored, None, None)))
    }

    /// White to move, nobody threatens anything, and Black has two moves left: she must break every double threat. The
    /// same search as in [`Self::white`], but most replies are judged without a stone being moved.
    fn white_before_two(&mut self, ignored: usize) -> Result<Answer<N>, Halt> {
        let unknown = ignored + 1;
        let Some((_, mut zone)) = double_threat(&self.position, None, unknown, None) else { return Ok(None) };
        // Where a stone makes a threat of White's own, Black is not free.
        let threatening = self.position.reach(White, 2);
        let (mut must, mut tried) = (zone, CellSet::EMPTY);
        while let Some(cell) = (must - tried).first() {
            tried.insert(cell);
            let answer = if threatening.contains(cell) {
                self.position.play(cell, White);
                let answer = self.black(2, unknown);
                self.position.undo(cell, White);
                answer?
            } else {
                double_threat(&self.position, None, unknown, Some(cell)).map(|(_, zone)| zone)
            };
            let Some(found) = answer else { return Ok(None) };
            zone |= found;
            must &= found;
        }
        Ok(Some(guard(&self.position, zone, ignored, None, None)))
    }

    /// White passes, or plays elsewhere.
    fn after_pass(&mut self, left: usize, ignored: usize) -> Result<Answer<N>, Halt> {
        match self.ground.place(&self.position) {
            Some(place) => {
                self.position.play(place, White);
                let answer = self.black(left, ignored + 1);
                self.position.undo(place, White);
                answer
            }
            None => {
                self.position.pass();
                let answer = self.black(left, ignored + 1);
                self.position.undo_pass();
                answer
            }
        }
    }

    /// Black to move and nothing to complete: a move after which he completes a set with `left` moves, this one included.
    pub(super) fn move_that_wins(&mut self, left: usize) -> Result<Option<Cell>, Halt> {
        // A forcing win, however long, needs the fewest lines to write down; after that the shortest win does.
        if let Some((cell, _)) = self.forcing.win(&mut self.position, left, 0) {
            return Ok(Some(cell));
        }
        for left in self.position.distance(Black).unwrap_or(left).max(3)..=left {
            if self.black(left, 0)?.is_none() {
                continue;
            }
            // The table should know; if it has forgotten, search again.
            let known = self.known();
            let wins = known.win > 0 && usize::from(known.win) <= left;
            if let (true, Some(cell)) = (wins, known.best) {
                return Ok(Some(cell));
            }
            let distance = self.position.distance(Black).unwrap_or(0);
            let forced = self.position.completions(White).first();
            return Ok(self.try_moves(left, 0, distance, forced, known.best)?.map(|(cell, _)| cell));
        }
        Ok(None)
    }
}

impl<const N: usize> Attacker<'_, N> {
    /// How many moves Black has from a position on, up to turn `until`.
    fn left_at(&mut self, stones: Stones<N>, until: usize) -> usize {
        self.position = Position::with_stones(self.shared.arena, stones);
        self.shared.arena.schedule().black_moves(self.position.played(), until)
    }
}

impl<const N: usize> Engine<N> for Attacker<'_, N> {
    fn winning_move(&mut self, stones: Stones<N>, until: usize) -> Result<Option<Cell>, Halt> {
        let left = self.left_at(stones, until);
        if self.is_restricted() {
            return self.winning_opening(left);
        }
        if let Some(cell) = (self.position.completions(Black) & self.position.allowed()).first() {
            return Ok((left > 0).then_some(cell));
        }
        self.move_that_wins(left)
    }

    fn holding_move(&mut self, stones: Stones<N>, until: usize) -> Result<Option<Cell>, Halt> {
        let left = self.left_at(stones, until);
        if let Some(cell) = self.position.completions(White).first() {
            return Ok(Some(cell));
        }
        let replies = match self.position.completions(Black) {
            threats if threats.is_empty() => self.position.empty(),
            threats => threats,
        };
        self.ordering.weigh(&self.position, left);
        let mut replies = self.ordering.scored(White, replies, None);
        for place in 0..replies.len() {
            let cell = pick(&mut replies, place);
            self.position.play(cell, White);
            let answer = self.black(left, 0);
            self.position.undo(cell, White);
            if answer?.is_none() {
                return Ok(Some(cell));
            }
        }
        Ok(None)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::scene::{Scene, scenes};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        /// Verdict and least turn equal the twin's, and what is said of a zone is true: Black still wins with any
        /// stones of White's added outside it, as many as were to be ignored (any number in the weak game).
        #[test]
        fn positions_agree_with_the_twin_and_zones_hold(
            scene in scenes(),
            ignored in 0..4usize,
            added in prop::collection::vec(0..100usize, 0..4),
        ) {
            let Some(game) = scene.game() else { return Ok(()) };
            let Stones { black, white } = scene.stones;
            let truth = scene.least_turn(&game);
            let arena = Arena::<1>::new(&game);
            let table = Table::new(1 << 18);
            let canon = Canon::new(&game.symmetries(), game.vertices());
            let limits = Limits::none();
            let busy = Busy::new(1);
            let shared = Shared { arena: &arena, table: &table, canon: &canon, busy: &busy, limits: &limits };
            let mut attacker = Attacker::new(&shared);
            let last = game.schedule().black_moves(0, usize::MAX);
            for left in 1..=last {
                let answer = attacker.black(left, ignored).unwrap();
                prop_assert_eq!(answer.is_some(), truth.is_some_and(|turn| turn < 2 * left), "left {}", left);
                let Some(zone) = answer else { continue };
                prop_assert!(zone.is_subset(&(arena.all() - black - white)));
                let mut more = white;
                let room = if scene.weak { added.len() } else { ignored.min(added.len()) };
                for choice in &added[..room] {
                    let outside: Vec<Cell> = (arena.all() - black - more - zone).iter().collect();
                    if let Some(&cell) = outside.get(choice % outside.len().max(1)) { more.insert(cell); }
                }
                // If the added stones complete a set of hers there is nothing to say: that they cannot is the business
                // of the White node before, which is tested when that node is drawn.
                let crowded = Scene { stones: Stones::new(black, more), ..scene.clone() };
                let Some(crowded_game) = crowded.game() else { break };
                let turn = crowded.least_turn(&crowded_game);
                prop_assert!(turn.is_some_and(|turn| turn < 2 * left), "zone {:?} added {:?}", zone, more - white);
                break;
            }
        }
    }
}
