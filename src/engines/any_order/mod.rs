//! Alpha-beta for any turn order: several stones a turn, handicaps, orders spelled out in a `.pg` file.
//!
//! The sibling of [`super::alphabeta`], which plays alternating turns only and is faster at it. The question is the same:
//! does Black win with so many moves left? A *block* is a row of turns of one player. What carries over, and why; the
//! lemmas are those of [docs/game.md](../../../docs/game.md#lemmas):
//! - *Blocks* (lemma 28): who can complete a set within his block does. Threats are the sets that the opponent completes
//!   within his next block; who cannot meet them all with what is left of his own block has lost, and where no stone is
//!   to spare the next one must go where the others can still meet the rest.
//! - *Distance* (lemma 3) and *useless moves* (lemma 29).
//! - *Potential* (lemma 30): a hold at sight, by Beck's weights for blocks.
//! - *Null move* (lemma 1): White passes for the rest of her block. If Black does not win then, he does not win.
//! - *Zones* (lemma 31): they cut White's moves only, so they cannot prove a "no".
//! - *Table and symmetry* (lemmas 12 and 21). Passed turns are part of the key.

mod hitting;
mod plan;
#[cfg(test)]
mod tests;

use super::alphabeta::{Answer, Shared};
use super::engine::Engine;
use super::ordering::{Moves, Ordering, pick};
use super::table::Knowledge;
use crate::effort::Halt;
use crate::effort::tuning::clock::LARGE_NODES;
use crate::effort::tuning::shared::SPLIT;
use crate::game::position::Position;
use harary_certificate::{
    Board, Cell, CellSet,
    Player::{self, Black, White},
    Stones,
};
use hitting::{Forced, MOST_STONES, forced};
use plan::Plan;

/// One thread's search.
pub struct AnyOrder<'a, const N: usize> {
    shared: Shared<'a, N>,
    plan: Plan,
    /// The neighbours of each cell, if Black has to play next to a stone of his own.
    beside: Option<Vec<CellSet<N>>>,
    position: Position<'a, N>,
    /// Turns that White passed on the way here.
    passed: usize,
    nodes: u64,
    ordering: Ordering,
}

/// What a node has to decide, beside the position.
#[derive(Clone, Copy)]
struct Task<const N: usize> {
    /// Black's moves left.
    left: usize,
    /// White's stones that a proof may not know of.
    ignored: usize,
    /// Where the player may go.
    moves: CellSet<N>,
    /// What the table says is best.
    best: Option<Cell>,
}

impl<'a, const N: usize> AnyOrder<'a, N> {
    /// A search of a game, over what its threads share.
    pub fn new(shared: &Shared<'a, N>) -> AnyOrder<'a, N> {
        AnyOrder {
            shared: *shared,
            plan: Plan::new(shared.arena.schedule()),
            beside: None,
            position: Position::new(shared.arena),
            passed: 0,
            nodes: 0,
            ordering: Ordering::new(shared.arena.cells()),
        }
    }

    /// The same for an attacker who plays next to his own stones, edge to edge, after his first one: an animal on a board,
    /// players alternating. Zones and null moves hold for him too, since what he may do depends on his own stones only; a
    /// stone far away, or a cell on the way, may be of use (docs/game.md, lemma 33).
    pub fn beside_own(shared: &Shared<'a, N>, board: &Board) -> AnyOrder<'a, N> {
        let neighbours = |cell: Cell| -> CellSet<N> {
            let (x, y) = board.xy(cell);
            let (x, y) = (x as i32, y as i32);
            let around = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)];
            around.into_iter().filter_map(|point| board.cell_at(point)).collect()
        };
        AnyOrder { beside: Some(board.cells().map(neighbours).collect()), ..AnyOrder::new(shared) }
    }

    /// The cells Black may play.
    fn for_black(&self) -> CellSet<N> {
        let allowed = self.position.allowed();
        match &self.beside {
            Some(beside) if !self.position.black().is_empty() => {
                let near = self.position.black().iter().fold(CellSet::EMPTY, |near, cell| near | beside[cell.index()]);
                allowed & near
            }
            _ => allowed,
        }
    }

    /// Whether Black forces a win by turn `until` from the start of the game.
    pub fn wins_by(&mut self, until: usize) -> Result<bool, Halt> {
        self.position = Position::new(self.shared.arena);
        let left = self.shared.arena.schedule().black_moves(0, until);
        Ok(self.search(left, 0)?.is_some())
    }

    /// Whether the stone to be put now is bound to some cells by the rules: then stones of a block cannot be exchanged.
    fn is_restricted(&self) -> bool {
        self.position.allowed() != self.position.empty()
    }

    /// Whether Black wins from here with `left` moves of his, and the zone of it.
    fn search(&mut self, left: usize, ignored: usize) -> Result<Answer<N>, Halt> {
        match self.plan.player(self.position.played()) {
            Some(player) if left > 0 => match player {
                Black => self.black(left, ignored),
                White => self.white(left, ignored),
            },
            _ => Ok(None),
        }
    }

    /// The missing cells of a set that `player` completes with his next `stones` stones.
    fn completable(&self, player: Player, stones: usize) -> Option<CellSet<N>> {
        let allowed = self.position.allowed();
        let restricted = self.is_restricted();
        let nearest = self.position.distance(player).filter(|&distance| distance <= stones)?;
        (nearest..=stones).find_map(|missing| {
            let mut sets = self.position.live_sets(player, missing).map(|set| self.position.missing_cells(set));
            // A first stone that must go elsewhere leaves one less.
            sets.find(|cells| !restricted || missing < stones || !cells.is_disjoint(&allowed))
        })
    }

    /// The missing cells of the sets that `player` completes with `stones` stones.
    fn threats(&self, player: Player, stones: usize) -> Vec<CellSet<N>> {
        let near =
            (1..=stones.min(self.position.arena().longest())).filter(|&m| self.position.live_count(player, m) > 0);
        near.flat_map(|missing| self.position.live_sets(player, missing))
            .map(|set| self.position.missing_cells(set))
            .collect()
    }

    /// Whether White holds by weights.
    fn held_by_potential(&self, left: usize) -> bool {
        let count = |missing| self.position.live_count(Black, missing);
        self.plan.holds(self.position.played(), left, count, self.position.arena().longest())
    }

    fn count_node(&mut self) -> Result<(), Halt> {
        self.nodes += 1;
        self.shared.limits.tick(self.nodes)?;
        if N > 2 && self.nodes.is_multiple_of(LARGE_NODES) {
            self.shared.limits.check_time()?;
        }
        Ok(())
    }

    /// The stones as the table knows them, and how they are turned. Passed turns are told by cells that both players seem
    /// to own: as many of the empty ones as turns were passed.
    fn key(&self) -> (Stones<N>, usize) {
        let (mut stones, number) = self.shared.canon.canonical(&self.position.stones());
        if self.passed > 0 {
            let empty = self.shared.arena.all() - stones.occupied();
            for cell in empty.iter().take(self.passed) {
                stones.black.insert(cell);
                stones.white.insert(cell);
            }
        }
        (stones, number)
    }

    fn known(&self) -> Knowledge<N> {
        let (stones, number) = self.key();
        let known = self.shared.table.get(&stones);
        known.map_or(Knowledge::NOTHING, |known| known.moved(self.shared.canon.inverse(number)))
    }

    fn remember(&self, knowledge: Knowledge<N>, work: u64) {
        let (stones, number) = self.key();
        self.shared.table.put(&stones, &knowledge.moved(self.shared.canon.symmetry(number)), work);
    }

    /// What the table says, if it answers the question.
    fn answered(known: &Knowledge<N>, left: usize, ignored: usize) -> Option<Answer<N>> {
        if usize::from(known.refuted) >= left {
            return Some(None);
        }
        let wins = known.win > 0 && usize::from(known.win) <= left && usize::from(known.ignored) >= ignored;
        wins.then_some(Some(known.zone))
    }

    /// Keeps an answer. What does not fit is said as far as it does: a win with more moves than that not at all.
    fn keep(&self, known: Knowledge<N>, answer: &Answer<N>, best: Option<Cell>, task: &Task<N>, work: u64) {
        let best = best.or(known.best);
        let knowledge = match (answer, u8::try_from(task.left)) {
            (Some(zone), Ok(win)) => Knowledge { win, best, zone: *zone, ignored: task.ignored.min(63) as u8, ..known },
            (Some(_), Err(_)) => return,
            (None, left) => Knowledge { refuted: left.unwrap_or(u8::MAX), best, ..known },
        };
        self.remember(knowledge, work);
    }

    /// Black to move with `left` moves, this one included; `ignored` White stones may be unknown to us.
    fn black(&mut self, left: usize, ignored: usize) -> Result<Answer<N>, Halt> {
        let played = self.position.played();
        let run = self.plan.run(played).min(left);
        if let Some(cells) = self.completable(Black, run) {
            return Ok(Some(cells));
        }
        if run == left {
            return Ok(None);
        }
        let Some(distance) = self.position.distance(Black).filter(|&distance| distance <= left) else {
            return Ok(None);
        };
        let mut moves = self.for_black();
        if !self.is_restricted() {
            // All of White's next block comes before Black's last move: he has more moves left than this block holds.
            let threats = self.threats(White, self.plan.run(played + run));
            match forced(&threats, run) {
                Forced::Lost => return Ok(None),
                Forced::Inside(cells) => moves &= cells,
                Forced::Free => {}
            }
            moves &= match distance == left {
                true => self.position.reach(Black, left),
                false if self.beside.is_some() => moves,
                false => {
                    let white = self.plan.white_before(played, left);
                    self.position.reach(Black, left) | self.position.reach(White, white)
                }
            };
        }
        if self.held_by_potential(left) {
            return Ok(None);
        }
        self.count_node()?;
        let known = self.known();
        if let Some(answer) = Self::answered(&known, left, ignored) {
            return Ok(answer);
        }
        let before = self.nodes;
        let task = Task { left, ignored, moves, best: known.best };
        let won = self.try_moves(&task)?;
        let answer = won.map(|(_, zone)| zone);
        self.keep(known, &answer, won.map(|(cell, _)| cell), &task, self.nodes - before + 1);
        Ok(answer)
    }

    /// Black's moves one after the other, until one wins.
    fn try_moves(&mut self, task: &Task<N>) -> Result<Option<(Cell, CellSet<N>)>, Halt> {
        let mut moves = self.list(Black, task);
        let (mut next, mut late) = (0, 0);
        let mut won = Ok(None);
        while next < moves.len() {
            let cell = pick(&mut moves, next);
            next += 1;
            let Some(answer) = self.after(Black, cell, task, task.ignored, next <= moves.len() - late) else {
                moves.push((0, cell));
                late += 1;
                continue;
            };
            match answer {
                Ok(None) => {}
                Ok(Some(zone)) => won = Ok(Some((cell, zone.with(cell)))),
                Err(halt) => won = Err(halt),
            }
            if won != Ok(None) {
                break;
            }
        }
        self.ordering.recycle(moves);
        if let Ok(Some((cell, _))) = won {
            self.ordering.credit(Black, cell, task.left);
        }
        won
    }

    fn list(&mut self, player: Player, task: &Task<N>) -> Moves {
        self.ordering.weigh(&self.position, task.left);
        self.ordering.scored(player, task.moves, task.best)
    }

    /// What comes of a move; `None` if another thread is at it and this one may come back later.
    fn after(
        &mut self,
        player: Player,
        cell: Cell,
        task: &Task<N>,
        ignored: usize,
        may_wait: bool,
    ) -> Option<Result<Answer<N>, Halt>> {
        let left = task.left - usize::from(player == Black);
        let shared = task.left > SPLIT && self.shared.busy.is_shared();
        self.position.play(cell, player);
        let key = self.position.key() ^ (left as u64 + 1).wrapping_mul(SPREAD) ^ self.passed as u64;
        if shared && may_wait && self.shared.busy.contains(key) {
            self.position.undo(cell, player);
            return None;
        }
        if shared {
            self.shared.busy.enter(key);
        }
        let answer = self.search(left, ignored);
        if shared {
            self.shared.busy.leave(key);
        }
        self.position.undo(cell, player);
        Some(answer)
    }

    /// White to move; Black has `left` moves after hers.
    fn white(&mut self, left: usize, ignored: usize) -> Result<Answer<N>, Halt> {
        let played = self.position.played();
        let run = self.plan.run(played);
        if self.completable(White, run).is_some() {
            return Ok(None);
        }
        if self.position.distance(Black).is_none_or(|distance| distance > left) {
            return Ok(None);
        }
        let free = !self.is_restricted();
        let block = self.plan.next_block(played, left);
        let threats = self.threats(Black, block);
        match forced(&threats, run) {
            _ if !free => {}
            Forced::Free if left <= block && run <= MOST_STONES => return Ok(None),
            Forced::Free => {}
            Forced::Lost => {
                let zone = threats.iter().fold(CellSet::EMPTY, |all, cells| all | *cells);
                return Ok(Some(self.guard(zone, ignored, run)));
            }
            Forced::Inside(cells) => return self.white_forced(left, ignored, cells, &threats),
        }
        // A stone that is bound to some cells may not go where the weights want it.
        if free && self.held_by_potential(left) {
            return Ok(None);
        }
        self.count_node()?;
        let known = self.known();
        if let Some(answer) = Self::answered(&known, left, ignored) {
            return Ok(answer);
        }
        let before = self.nodes;
        let task = Task { left, ignored, moves: self.position.allowed(), best: known.best };
        let (answer, best) = self.try_replies(&task, free)?;
        self.keep(known, &answer, best, &task, self.nodes - before + 1);
        Ok(answer)
    }

    /// White must play one of these cells, or the threats that she leaves decide: a stone elsewhere is none that a zone
    /// ignores.
    fn white_forced(
        &mut self,
        left: usize,
        ignored: usize,
        moves: CellSet<N>,
        threats: &[CellSet<N>],
    ) -> Result<Answer<N>, Halt> {
        let run = self.plan.run(self.position.played());
        let mut zone = threats.iter().fold(CellSet::EMPTY, |all, cells| all | *cells);
        let task = Task { left, ignored, moves, best: None };
        let mut list = self.list(White, &task);
        let mut answer = Ok(true);
        for place in 0..list.len() {
            let cell = pick(&mut list, place);
            match self.after(White, cell, &task, ignored, false) {
                Some(Ok(Some(found))) => zone |= found,
                Some(Err(halt)) => answer = Err(halt),
                Some(Ok(None)) | None => answer = Ok(false),
            }
            if answer != Ok(true) {
                break;
            }
        }
        self.ordering.recycle(list);
        Ok(answer?.then(|| self.guard(zone, ignored, run)))
    }

    /// White's replies one after the other, until one holds; with it.
    fn try_replies(&mut self, task: &Task<N>, free: bool) -> Result<(Answer<N>, Option<Cell>), Halt> {
        let Task { left, ignored, .. } = *task;
        let played = self.position.played();
        let run = self.plan.run(played);
        let (mut zone, mut must) = (CellSet::EMPTY, task.moves);
        // What does Black threaten? The shortest win after a pass has the smallest zone to reply in. A stone of the block
        // must go there, and then it may as well be this one.
        let mut passed = !free;
        let distance = self.position.distance(Black).unwrap_or(left);
        for shorter in distance..left {
            if passed {
                break;
            }
            if let Some(found) = self.after_pass(shorter, ignored)? {
                zone = found;
                must &= found;
                passed = true;
            }
        }
        let useful = match free && self.beside.is_none() {
            true => {
                let white = self.plan.white_before(played, left) + ignored;
                self.position.reach(Black, left) | self.position.reach(White, white)
            }
            false => must,
        };
        let moves = if must.is_disjoint(&useful) { must } else { must & useful };
        let mut replies = self.list(White, &Task { moves, ..*task });
        let (mut next, mut late) = (0, 0);
        let mut held = Ok(None);
        while next < replies.len() {
            let found = if !passed && next > 0 {
                passed = true;
                match self.after_pass(left, ignored) {
                    Ok(None) => {
                        // No move is worse than a pass: any of them holds.
                        held = Ok(replies.first().map(|&(_, cell)| cell));
                        break;
                    }
                    found => found,
                }
            } else {
                let cell = pick(&mut replies, next);
                next += 1;
                if !must.contains(cell) {
                    continue;
                }
                let may_wait = next > 1 && next <= replies.len() - late;
                match self.after(White, cell, task, ignored + 1, may_wait) {
                    None => {
                        replies.push((0, cell));
                        late += 1;
                        continue;
                    }
                    Some(Ok(None)) => {
                        self.ordering.credit(White, cell, left);
                        held = Ok(Some(cell));
                        break;
                    }
                    Some(found) => found,
                }
            };
            match found {
                Ok(Some(found)) => {
                    zone |= found;
                    must &= found;
                }
                Ok(None) => {}
                Err(halt) => {
                    held = Err(halt);
                    break;
                }
            }
        }
        self.ordering.recycle(replies);
        let held = held?;
        let answer = held.is_none().then(|| self.guard(zone, ignored, run));
        Ok((answer, held))
    }

    /// White passes for the rest of her block.
    fn after_pass(&mut self, left: usize, ignored: usize) -> Result<Answer<N>, Halt> {
        let run = self.plan.run(self.position.played());
        for _ in 0..run {
            self.position.pass();
        }
        self.passed += run;
        let answer = self.search(left, ignored + run);
        self.passed -= run;
        for _ in 0..run {
            self.position.undo_pass();
        }
        answer
    }

    /// The zone with the cells added that keep `ignored` unknown White stones and her next `stones` ones from completing a
    /// set of hers: of each that misses no more than these together, one cell more than `stones`.
    fn guard(&self, mut zone: CellSet<N>, ignored: usize, stones: usize) -> CellSet<N> {
        let longest = self.position.arena().longest();
        if ignored + stones >= longest && self.position.distance(White).is_some() {
            return zone | self.position.empty();
        }
        for missing in 1..=(ignored + stones).min(longest) {
            if self.position.live_count(White, missing) == 0 {
                continue;
            }
            for set in self.position.live_sets(White, missing) {
                let cells = self.position.missing_cells(set);
                let wanted = (stones + 1).saturating_sub((cells & zone).len());
                for cell in (cells - zone).iter().take(wanted) {
                    zone.insert(cell);
                }
            }
        }
        zone
    }

    /// Puts the pieces up and says how many moves Black has up to turn `until`.
    fn set_up(&mut self, stones: Stones<N>, until: usize) -> usize {
        self.position = Position::with_stones(self.shared.arena, stones);
        self.passed = 0;
        self.shared.arena.schedule().black_moves(self.position.played(), until)
    }

    /// A move after which `player` has what he wants, the likely ones first.
    fn moved(&mut self, player: Player, left: usize) -> Result<Option<Cell>, Halt> {
        let allowed = if player == Black { self.for_black() } else { self.position.allowed() };
        let run = self.plan.run(self.position.played());
        let stones = if player == Black { run.min(left) } else { run };
        if let Some(cells) = self.completable(player, stones) {
            return Ok((cells & allowed).first().or_else(|| allowed.first()));
        }
        let task = Task { left, ignored: 0, moves: allowed, best: self.known().best };
        let mut list = self.list(player, &task);
        let mut found = Ok(None);
        for place in 0..list.len() {
            let cell = pick(&mut list, place);
            match self.after(player, cell, &task, 0, false) {
                Some(Ok(answer)) if answer.is_some() == (player == Black) => found = Ok(Some(cell)),
                Some(Err(halt)) => found = Err(halt),
                _ => continue,
            }
            break;
        }
        self.ordering.recycle(list);
        found
    }
}

/// Spreads the number of moves left over the bits of a note's key.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl<const N: usize> Engine<N> for AnyOrder<'_, N> {
    fn winning_move(&mut self, stones: Stones<N>, until: usize) -> Result<Option<Cell>, Halt> {
        let most = self.set_up(stones, until);
        // Short wins make short proofs.
        for left in self.position.distance(Black).unwrap_or(most)..=most {
            if self.search(left, 0)?.is_some() {
                return self.moved(Black, left);
            }
        }
        Ok(None)
    }

    fn holding_move(&mut self, stones: Stones<N>, until: usize) -> Result<Option<Cell>, Halt> {
        let left = self.set_up(stones, until);
        if left == 0 {
            return Ok(self.position.allowed().first());
        }
        self.moved(White, left)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
