//! The alpha-beta engine: does Black win with so many moves left?
//!
//! The question has two answers, so the window is always null and what is left of alpha-beta is an AND/OR search with a
//! transposition table. The driver deepens over the turn limit; the turn found is proved least, because every smaller
//! one was refuted. Plain turn order only (Black and White alternate); other schedules are [`super::baseline`]'s.
//!
//! Rules, and why each is sound:
//! - *Forced moves* (lemma 2): who can complete a set does; else he blocks the opponent's threat; two threats are lost.
//! - *Distance* (lemma 3): if every live set of Black's misses more cells than he has moves left, he is out of time. If
//!   the least missing number equals them, each of his moves must be inside such a set.
//! - *Useless moves:* with `left` moves of his own to come, White has at most `left - 1`. A Black stone outside all his
//!   live sets that miss at most `left`, and outside all of White's that miss at most `left - 1`, changes neither who can
//!   complete what in time; it is a pass, and an extra stone (lemma 1) never hurts. If any other move exists, it is at
//!   least as good; if none exists, nobody can complete anything in time.
//! - *Null move* (lemma 1): if Black does not win after White passes, he does not after any White move.
//! - *Must-play zones* (lemma 6): see [`super::zone`]. They cut White's moves only, so they cannot prove a "no".
//! - *Threat sequences* find wins early; see [`super::threats`]. They never prove a "no" beyond two moves left, where the
//!   double-threat test is exact.

use super::busy::Busy;
use super::canon::Canon;
use super::engine::Engine;
use super::table::{Knowledge, Table};
use super::threats::{Win, double_threat, forcing_win};
use super::zone::guard;
use super::{Halt, Limits};
use crate::cell::Cell;
use crate::cell_set::CellSet;
use crate::player::Player::{self, Black, White};
use crate::position::{Arena, Position};

/// `Some(zone)`: Black wins, whatever White owns outside the zone. `None`: not in time.
pub type Answer<const N: usize> = Option<CellSet<N>>;

/// What the threads of one search share.
pub struct Shared<'a, const N: usize> {
    pub arena: &'a Arena<N>,
    pub table: &'a Table<N>,
    pub canon: &'a Canon,
    pub busy: &'a Busy,
    pub limits: &'a Limits,
}

/// One thread's search.
pub struct Attacker<'a, const N: usize> {
    shared: &'a Shared<'a, N>,
    position: Position<'a, N>,
    nodes: u64,
    /// Which moves decided something lately: Black's and White's.
    history: [Vec<u32>; 2],
    /// Scratch, so that nothing is allocated in the search.
    scores: Vec<u32>,
    spare: Vec<Vec<(u32, Cell)>>,
}

/// Forcing lines are tried with this many positions at most: enough for every one met, and a bound on bad luck.
const FORCING_BUDGET: u32 = 200;

/// Below this many moves left a subtree is too small to be worth the talk between threads.
const SPLIT: usize = 4;

impl<'a, const N: usize> Attacker<'a, N> {
    pub fn new(shared: &'a Shared<'a, N>) -> Attacker<'a, N> {
        let cells = shared.arena.cells();
        Attacker {
            shared,
            position: Position::new(shared.arena),
            nodes: 0,
            history: [vec![0; cells], vec![0; cells]],
            scores: vec![0; cells],
            spare: Vec::new(),
        }
    }

    /// Whether Black, to move at the start of the game, completes a set with `left` moves.
    pub fn wins(&mut self, left: usize) -> Result<bool, Halt> {
        Ok(self.black(left, 0)?.is_some())
    }

    fn known(&self) -> Knowledge<N> {
        let canon = self.shared.canon;
        let (black, white, number) = canon.canonical(&self.position.black(), &self.position.white());
        let Some(mut known) = self.shared.table.get(&black, &white) else { return Knowledge::NOTHING };
        let back = canon.inverse(number);
        known.zone = back.set(&known.zone);
        known.best = known.best.map(|cell| back.cell(cell));
        known
    }

    fn remember(&self, mut knowledge: Knowledge<N>, work: u64) {
        let canon = self.shared.canon;
        let (black, white, number) = canon.canonical(&self.position.black(), &self.position.white());
        let there = canon.symmetry(number);
        knowledge.zone = there.set(&knowledge.zone);
        knowledge.best = knowledge.best.map(|cell| there.cell(cell));
        self.shared.table.put(&black, &white, &knowledge, work);
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
        if threats.len() > 1 {
            return Ok(None);
        }
        let forced = threats.first();
        if left == 2 {
            return Ok(double_threat(&self.position, forced, ignored).map(|(_, zone)| zone));
        }
        self.nodes += 1;
        self.shared.limits.tick(self.nodes)?;
        let known = self.known();
        if let Some(answer) = Self::answered(&known, left, ignored) {
            return Ok(answer);
        }
        let before = self.nodes;
        let mut budget = FORCING_BUDGET;
        let won = match forcing_win(&mut self.position, left, ignored, &mut budget) {
            Some(win) => Some(win),
            None => self.try_moves(left, ignored, distance, forced, known.best)?,
        };
        let work = self.nodes - before + 1;
        match won {
            Some((cell, zone)) => {
                self.credit(Black, cell, left);
                let ignored = ignored as u8;
                let known = Knowledge { win: left as u8, refuted: known.refuted, best: Some(cell), zone, ignored };
                self.remember(known, work);
                Ok(Some(zone))
            }
            None => {
                self.remember(Knowledge { refuted: left as u8, ..known }, work);
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
            None if distance == left => self.position.reach(Black, left),
            None => self.position.reach(Black, left) | self.position.reach(White, left - 1),
        };
        let mut moves = self.spare.pop().unwrap_or_default();
        self.order_for_black(&mut moves, candidates & self.position.allowed(), left, best);
        let mut won = Ok(None);
        let shared = left > SPLIT && self.shared.busy.is_shared();
        let mut deferred = 0;
        let mut next = 0;
        while next < moves.len() {
            let (_, cell) = moves[next];
            next += 1;
            self.position.play(cell, Black);
            let key = self.position.key() ^ (left as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            // Somebody else is at it: come back later, when the table may know the answer.
            if shared && next > 1 && next <= moves.len() - deferred && self.shared.busy.contains(key) {
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
        moves.clear();
        self.spare.push(moves);
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
            return Ok(answer.filter(|_| left > 0).map(|zone| guard(&self.position, zone, ignored, None)));
        }
        let Some(distance) = self.position.distance(Black).filter(|&distance| distance <= left) else {
            return Ok(None);
        };
        if left < 2 {
            return Ok(None);
        }
        // What does Black threaten? The shortest win after a pass has the smallest zone to reply in.
        let mut zone = CellSet::EMPTY;
        let mut must = self.position.empty();
        let mut passed = false;
        for shorter in distance.max(2)..left {
            if let Some(found) = self.after_pass(shorter, ignored)? {
                zone = found;
                must &= found;
                passed = true;
                break;
            }
        }
        let mut tried = CellSet::EMPTY;
        while let Some(cell) = self.best_reply(must - tried, left) {
            // A pass at full length is dear: it is tried when the most likely reply has failed.
            if !passed && !tried.is_empty() {
                passed = true;
                match self.after_pass(left, ignored)? {
                    None => return Ok(None),
                    Some(found) => {
                        zone |= found;
                        must &= found;
                    }
                }
                continue;
            }
            tried.insert(cell);
            self.position.play(cell, White);
            let answer = self.black(left, ignored + 1);
            self.position.undo(cell, White);
            match answer? {
                None => {
                    self.credit(White, cell, left);
                    return Ok(None);
                }
                Some(found) => {
                    zone |= found;
                    must &= found;
                }
            }
        }
        Ok(Some(guard(&self.position, zone, ignored, None)))
    }

    fn after_pass(&mut self, left: usize, ignored: usize) -> Result<Answer<N>, Halt> {
        self.position.pass();
        let answer = self.black(left, ignored + 1);
        self.position.undo_pass();
        answer
    }

    /// A move decided a node with `left` moves to come.
    fn credit(&mut self, player: Player, cell: Cell, left: usize) {
        let history = &mut self.history[player as usize];
        history[cell.index()] += (left * left) as u32;
        if history[cell.index()] > 1 << 24 {
            history.iter_mut().for_each(|credit| *credit /= 2);
        }
    }

    /// For each cell, the weight of Black's live sets through it: four times as much for each stone they have.
    fn weigh(&mut self, left: usize) {
        let longest = self.position.arena().longest();
        self.scores.fill(0);
        for missing in 1..=left.min(longest) {
            if self.position.live_count(Black, missing) > 0 {
                let weight = 1 << (2 * (longest - missing)).min(20);
                for set in self.position.live_sets(Black, missing) {
                    for cell in self.position.missing_cells(set) {
                        self.scores[cell.index()] += weight;
                    }
                }
            }
        }
    }

    fn score(&self, player: Player, cell: Cell) -> u32 {
        self.scores[cell.index()] * 16 + self.history[player as usize][cell.index()] / 1024
    }

    fn order_for_black(
        &mut self,
        moves: &mut Vec<(u32, Cell)>,
        candidates: CellSet<N>,
        left: usize,
        best: Option<Cell>,
    ) {
        self.weigh(left);
        moves.extend(candidates.iter().map(|cell| {
            let score = if best == Some(cell) { u32::MAX } else { self.score(Black, cell) };
            (score, cell)
        }));
        moves.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    }

    /// White's most promising reply: where most of Black's chances run together.
    fn best_reply(&mut self, among: CellSet<N>, left: usize) -> Option<Cell> {
        if among.is_empty() {
            return None;
        }
        self.weigh(left);
        among.iter().max_by_key(|&cell| (self.score(White, cell), std::cmp::Reverse(cell)))
    }

    /// How many moves Black has from a position on, up to turn `until`.
    fn left_at(&mut self, black: CellSet<N>, white: CellSet<N>, until: usize) -> usize {
        self.position = Position::with_stones(self.shared.arena, black, white);
        self.shared.arena.schedule().black_moves(self.position.played(), until)
    }
}

impl<const N: usize> Engine<N> for Attacker<'_, N> {
    fn winning_move(&mut self, black: CellSet<N>, white: CellSet<N>, until: usize) -> Result<Option<Cell>, Halt> {
        let left = self.left_at(black, white, until);
        if let Some(cell) = (self.position.completions(Black) & self.position.allowed()).first() {
            return Ok((left > 0).then_some(cell));
        }
        // A forcing win, however long, needs the fewest lines to write down; after that the shortest win does.
        let mut budget = FORCING_BUDGET;
        if let Some((cell, _)) = forcing_win(&mut self.position, left, 0, &mut budget) {
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

    fn holding_move(&mut self, black: CellSet<N>, white: CellSet<N>, until: usize) -> Result<Option<Cell>, Halt> {
        let left = self.left_at(black, white, until);
        if let Some(cell) = self.position.completions(White).first() {
            return Ok(Some(cell));
        }
        let mut replies = match self.position.completions(Black) {
            threats if threats.is_empty() => self.position.empty(),
            threats => threats,
        };
        while let Some(cell) = self.best_reply(replies, left) {
            replies.remove(cell);
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
