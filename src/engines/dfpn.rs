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
//! - *White's useless moves* (lemma 13 b): White has at most `left` stones, this one included, before Black's last. A
//!   stone outside all Black's live sets that miss at most `left`, and outside all of White's that miss at most `left`
//!   (and `ignored` more, which the proof may not know of), is a pass, and any other move is at least as good for her.

use super::canon::Canon;
use super::engine::Engine;
use super::maker_breaker::{Finding, MakerBreaker};
use super::numbers::Choice;
pub use super::numbers::Numbers;
use super::ordering::{Ordering, pick};
use super::potential;
use super::table::{Record, Table, pack_cell, unpack_cell};
use super::threats::{Win, double_threat, forcing_win};
use super::zone::guard;
use crate::effort::tuning::numbers::ORACLE_NODES;
use crate::effort::tuning::{numbers, shared::FORCING_BUDGET};
use crate::effort::{Halt, Limits};
use crate::game::position::{Arena, Position};
use harary_certificate::{
    Cell, CellSet,
    Player::{self, Black, White},
    Stones,
};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Of a position that Black wins in the weak game: White has threats of her own at best.
const WON_WEAKLY: Numbers = Numbers { proof: 1, disproof: numbers::WON_WEAKLY };

/// What is known of a position, either player to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status<const N: usize> {
    /// Black wins with `moves` more of his own, whatever White owns outside the zone, of which the proof may not know
    /// `ignored` stones. With Black to move, `best` is his move.
    Won {
        moves: u8,
        zone: CellSet<N>,
        ignored: u8,
        best: Option<Cell>,
    },
    /// Black does not win with `left` moves; with White to move, `best` is her reply. Without one any will do, or it was
    /// seen without looking for it.
    Lost {
        left: u8,
        best: Option<Cell>,
    },
    Open(Numbers),
}

/// Two bits say which of the three; below them the cell 9, the moves 8, the ignored stones 6. The set is the zone or
/// holds the two numbers.
impl<const N: usize> Record<N> for Status<N> {
    fn pack(&self) -> (CellSet<N>, u32) {
        match *self {
            Status::Open(numbers) => {
                let mut words = [0; N];
                words[0] = numbers.to_word();
                (CellSet::from_words(words), 0)
            }
            Status::Lost { left, best } => (CellSet::EMPTY, 1 << 30 | pack_cell(best) << 14 | u32::from(left) << 6),
            Status::Won { moves, zone, ignored, best } => {
                (zone, 2 << 30 | pack_cell(best) << 14 | u32::from(moves) << 6 | u32::from(ignored.min(63)))
            }
        }
    }

    fn unpack(set: CellSet<N>, bits: u32) -> Status<N> {
        let (best, count) = (unpack_cell(bits >> 14), (bits >> 6) as u8);
        match bits >> 30 {
            0 => Status::Open(Numbers::from_word(set.words()[0])),
            1 => Status::Lost { left: count, best },
            _ => Status::Won { moves: count, zone: set, ignored: (bits & 63) as u8, best },
        }
    }
}

/// The table of this engine.
pub struct ProofTable<const N: usize>(Table<N, Status<N>>);

impl<const N: usize> ProofTable<N> {
    /// A table of at most `bytes` bytes.
    pub fn new(bytes: usize) -> ProofTable<N> {
        ProofTable(Table::new(bytes))
    }

    /// The share of entries in use.
    pub fn fill(&self) -> f64 {
        self.0.fill()
    }
}

/// The numbers of the start, to be read by others while the search runs.
#[derive(Default)]
pub struct Gauge {
    proof: AtomicU32,
    disproof: AtomicU32,
}

impl Gauge {
    fn show(&self, numbers: Numbers) {
        self.proof.store(numbers.proof, Relaxed);
        self.disproof.store(numbers.disproof, Relaxed);
    }

    /// The numbers shown last.
    pub fn read(&self) -> Option<Numbers> {
        let numbers = Numbers { proof: self.proof.load(Relaxed), disproof: self.disproof.load(Relaxed) };
        (numbers.proof > 0).then_some(numbers)
    }
}

/// One move from a position under search, and what it leads to.
#[derive(Clone, Copy)]
struct Child<const N: usize> {
    cell: Cell,
    status: Status<N>,
}

impl<const N: usize> Child<N> {
    /// Whether this move is all the player needs.
    fn decides_for(&self, player: Player) -> bool {
        match self.status {
            Status::Won { .. } => player == Black,
            Status::Lost { .. } => player == White,
            Status::Open(_) => false,
        }
    }

    fn numbers(&self) -> Numbers {
        match self.status {
            Status::Won { .. } => Numbers::PROVED,
            Status::Lost { .. } => Numbers::DISPROVED,
            Status::Open(numbers) => numbers,
        }
    }
}

/// The part of a proof that is done at a position with White to move.
struct Proof<const N: usize> {
    zone: CellSet<N>,
    moves: usize,
}

impl<const N: usize> Proof<N> {
    /// Takes over the replies Black wins against. Replies outside the zone of one of them lose in the same way.
    fn take_wins(&mut self, children: &mut Vec<Child<N>>) {
        while let Some(won) = children.iter().position(|child| child.decides_for(Black)) {
            if let Status::Won { moves, zone, .. } = children.remove(won).status {
                self.zone |= zone;
                self.moves = self.moves.max(moves.into());
                children.retain(|child| zone.contains(child.cell));
            }
        }
    }
}

/// What is asked of a position: Black has `left` moves, `ignored` White stones may be unknown to the proof.
#[derive(Clone, Copy)]
struct Question {
    player: Player,
    left: usize,
    ignored: usize,
}

/// One search.
pub struct ProofNumberSearch<'a, const N: usize> {
    arena: &'a Arena<N>,
    table: &'a ProofTable<N>,
    canon: &'a Canon,
    limits: Limits,
    gauge: &'a Gauge,
    position: Position<'a, N>,
    /// Turns played where the search began: its numbers are shown.
    root: usize,
    nodes: u64,
    ordering: Ordering,
    spare: Vec<Vec<Child<N>>>,
    /// Who holds the weak game.
    oracle: Option<MakerBreaker<'a, N>>,
}

impl<'a, const N: usize> ProofNumberSearch<'a, N> {
    /// A search over a table that others may share.
    pub fn new(
        arena: &'a Arena<N>,
        table: &'a ProofTable<N>,
        canon: &'a Canon,
        gauge: &'a Gauge,
    ) -> ProofNumberSearch<'a, N> {
        ProofNumberSearch {
            arena,
            table,
            canon,
            limits: Limits::none(),
            gauge,
            position: Position::new(arena),
            root: 0,
            nodes: 0,
            ordering: Ordering::new(arena.cells()),
            spare: Vec::new(),
            oracle: None,
        }
    }

    /// Stops at these limits from now on. What it knew before it knows still.
    pub fn limit(&mut self, limits: &Limits) {
        self.limits = limits.clone();
        if let Some(oracle) = &mut self.oracle {
            oracle.limit(limits.clone());
        }
    }

    /// Asks this search, of the same game, who holds the weak game.
    pub fn with_oracle(self, oracle: MakerBreaker<'a, N>) -> ProofNumberSearch<'a, N> {
        ProofNumberSearch { oracle: Some(oracle), ..self }
    }

    /// Whether Black forces a win by turn `until` from the start of the game.
    pub fn wins_by(&mut self, until: usize) -> Result<bool, Halt> {
        self.position = Position::new(self.arena);
        Ok(matches!(self.decide(until)?, Status::Won { .. }))
    }

    /// Decides the position on the board for good. If nobody completes a set at once, it says by which move.
    fn decide(&mut self, until: usize) -> Result<Status<N>, Halt> {
        self.root = self.position.played();
        let left = self.arena.schedule().black_moves(self.root, until);
        let Some(player) = self.position.to_move() else { return Ok(Status::Lost { left: left as u8, best: None }) };
        let question = Question { player, left, ignored: 0 };
        match self.at_sight(question) {
            Some(status @ Status::Won { .. }) => return Ok(status),
            // A reply is wanted even where it is clear that there is one, unless any will do.
            Some(status) if player == Black || self.is_out_of_time(left) => return Ok(status),
            _ => {}
        }
        if let Some(best) = self.position.completions(White).first().filter(|_| player == White) {
            return Ok(Status::Lost { left: left as u8, best: Some(best) });
        }
        match self.known(question) {
            Status::Open(_) => self.search(question, Numbers::NO_LIMIT),
            decided => Ok(decided),
        }
    }

    fn is_out_of_time(&self, left: usize) -> bool {
        self.position.distance(Black).is_none_or(|distance| distance > left)
    }

    /// What the table says, as far as it answers this question.
    fn known(&self, question: Question) -> Status<N> {
        let (stones, number) = self.canon.canonical(&self.position.stones());
        let back = self.canon.inverse(number);
        match self.table.0.get(&stones) {
            None => Status::Open(Numbers::UNIT),
            Some(open @ Status::Open(_)) => open,
            Some(Status::Lost { left, best }) if usize::from(left) >= question.left => {
                Status::Lost { left, best: best.map(|cell| back.cell(cell)) }
            }
            Some(Status::Won { moves, zone, ignored, best }) if usize::from(moves) <= question.left => {
                // A proof made for fewer ignored stones is a proof still; only its zone is not known any more.
                let zone =
                    if usize::from(ignored) >= question.ignored { back.set(&zone) } else { self.position.empty() };
                Status::Won { moves, zone, ignored: question.ignored as u8, best: best.map(|cell| back.cell(cell)) }
            }
            Some(_) => Status::Open(Numbers::UNIT),
        }
    }

    fn remember(&self, status: Status<N>, work: u64) -> Status<N> {
        let (stones, number) = self.canon.canonical(&self.position.stones());
        let there = self.canon.symmetry(number);
        let moved = match status {
            Status::Open(_) => status,
            Status::Lost { left, best } => Status::Lost { left, best: best.map(|cell| there.cell(cell)) },
            Status::Won { moves, zone, ignored, best } => {
                Status::Won { moves, zone: there.set(&zone), ignored, best: best.map(|cell| there.cell(cell)) }
            }
        };
        self.table.0.put(&stones, &moved, work);
        status
    }

    /// Decides what needs no search and no table.
    fn at_sight(&self, Question { player, left, ignored }: Question) -> Option<Status<N>> {
        let position = &self.position;
        let won =
            |moves: usize, zone, best| Some(Status::Won { moves: moves as u8, zone, ignored: ignored as u8, best });
        let lost = Some(Status::Lost { left: left as u8, best: None });
        if self.is_out_of_time(left) {
            return lost;
        }
        let allowed = position.allowed();
        if let Some(cell) = (position.completions(player) & allowed).first() {
            return if player == Black { won(1, CellSet::single(cell), Some(cell)) } else { lost };
        }
        // First moves are restricted at the start of few games: there the search looks at each of them.
        if allowed != position.empty() {
            return None;
        }
        let threats = position.completions(player.other());
        match (player, threats.len()) {
            (Black, 2..) => return lost,
            (White, 2..) => {
                return won(1, guard(position, threats.iter().take(2).collect(), ignored, None, None), None);
            }
            (White, 0) if left < 2 => return lost,
            _ => {}
        }
        if potential::holds(position, player, left) {
            return lost;
        }
        if player == Black && left == 2 {
            return match double_threat(position, threats.first(), ignored, None) {
                Some((cell, zone)) => won(2, zone, Some(cell)),
                None => lost,
            };
        }
        None
    }

    /// The shortest win by threats, and its length. One more move is tried as long as that shows more positions.
    fn threat_sequence(&mut self, left: usize, ignored: usize) -> Option<(usize, Win<N>)> {
        let (mut budget, mut used) = (FORCING_BUDGET, 0);
        for moves in 2..=left {
            let before = budget;
            if let Some(win) = forcing_win(&mut self.position, moves, ignored, &mut budget) {
                return Some((moves, win));
            }
            if budget == 0 || (moves > 2 && before - budget == used) {
                return None;
            }
            used = before - budget;
        }
        None
    }

    /// Searches the position on the board until it is decided or its numbers reach `limit`.
    fn search(&mut self, question: Question, limit: Numbers) -> Result<Status<N>, Halt> {
        let Question { player, left, ignored } = question;
        let before = self.nodes;
        self.nodes += 1;
        self.limits.tick(self.nodes)?;
        if self.oracle.is_some() {
            self.limits.check_time()?;
        }
        let threats = self.position.completions(player.other());
        let restricted = self.position.allowed() != self.position.empty();
        let mut proof = Proof { zone: CellSet::EMPTY, moves: 0 };
        let mut candidates = match player {
            _ if restricted => self.position.allowed(),
            _ if !threats.is_empty() => threats,
            Black => self.black_moves(left),
            White => self.position.reach(Black, left) | self.position.reach(White, left + ignored),
        };
        match player {
            // Both are tried once, before the moves are: where the search has been before there was no such win, and the
            // oracle was asked.
            Black if !restricted && self.known(question) == Status::Open(Numbers::UNIT) => {
                if self.is_held()? {
                    return Ok(self.remember(Status::Lost { left: left as u8, best: None }, 1));
                }
                if let Some((moves, (cell, zone))) = self.threat_sequence(left, ignored) {
                    let (moves, ignored) = (moves as u8, ignored as u8);
                    return Ok(self.remember(Status::Won { moves, zone, ignored, best: Some(cell) }, 1));
                }
            }
            White if threats.is_empty() => {
                self.position.pass();
                let threatened = self.threat_sequence(left, ignored + 1);
                self.position.undo_pass();
                if let Some((moves, (_, zone))) = threatened {
                    proof = Proof { zone, moves };
                    candidates &= zone;
                }
            }
            _ => {}
        }
        // A forced block is no move that a zone may ignore.
        let ignoring = ignored + usize::from(player == White && threats.is_empty());
        let next = Question { player: player.other(), left: left - usize::from(player == Black), ignored: ignoring };
        let mut children = self.spare.pop().unwrap_or_default();
        let found = match self.expand(candidates, next, &mut children) {
            Ok(Some(decisive)) => Ok(Self::settled(question, decisive)),
            Ok(None) => self.choose(question, next, limit, &mut proof, &mut children),
            Err(halt) => Err(halt),
        };
        children.clear();
        self.spare.push(children);
        Ok(self.remember(found?, self.nodes - before))
    }

    /// Black's moves that can matter; see [`super::alphabeta`].
    fn black_moves(&self, left: usize) -> CellSet<N> {
        let reach = self.position.reach(Black, left);
        match self.position.distance(Black) {
            Some(distance) if distance == left => reach,
            _ => reach | self.position.reach(White, left - 1),
        }
    }

    /// Looks at all moves, the likely ones first. Stops at one that decides for the player to move.
    fn expand(
        &mut self,
        candidates: CellSet<N>,
        next: Question,
        children: &mut Vec<Child<N>>,
    ) -> Result<Option<Child<N>>, Halt> {
        let player = next.player.other();
        self.ordering.weigh(&self.position, next.left);
        let mut moves = self.ordering.scored(player, candidates, None);
        let mut decisive = Ok(None);
        for place in 0..moves.len() {
            let cell = pick(&mut moves, place);
            self.position.play(cell, player);
            let mut status = self.at_sight(next).unwrap_or_else(|| self.known(next));
            // What the oracle sees may take it a while.
            let halted = status == Status::Open(Numbers::UNIT) && self.oracle.is_some() && {
                status = self.foreseen(next);
                self.limits.check_time().is_err()
            };
            self.position.undo(cell, player);
            if halted {
                decisive = Err(Halt);
                break;
            }
            let child = Child { cell, status };
            if child.decides_for(player) {
                decisive = Ok(Some(child));
                break;
            }
            children.push(child);
        }
        self.ordering.recycle(moves);
        decisive
    }

    /// What the oracle sees of a new position.
    fn foreseen(&mut self, Question { player, left, .. }: Question) -> Status<N> {
        let Some(oracle) = &mut self.oracle else { return Status::Open(Numbers::UNIT) };
        match oracle.sight(player, self.position.stones()) {
            Finding::Open(numbers) => Status::Open(numbers),
            Finding::Won { .. } => Status::Open(WON_WEAKLY),
            // With White to move it is not kept: whoever asks for her reply has it searched for.
            Finding::Held { .. } => {
                let lost = Status::Lost { left: left as u8, best: None };
                if player == Black { self.remember(lost, 1) } else { lost }
            }
        }
    }

    /// Whether White holds the weak game, as far as the oracle finds out.
    fn is_held(&mut self) -> Result<bool, Halt> {
        let stones = self.position.stones();
        self.oracle.as_mut().map_or(Ok(false), |oracle| oracle.holds_within(stones, ORACLE_NODES))
    }

    /// Searches the most promising child again and again.
    fn choose(
        &mut self,
        question: Question,
        next: Question,
        limit: Numbers,
        proof: &mut Proof<N>,
        children: &mut Vec<Child<N>>,
    ) -> Result<Status<N>, Halt> {
        let player = question.player;
        loop {
            match player {
                Black => children.retain(|child| !child.decides_for(White)),
                White => proof.take_wins(children),
            }
            // Nothing is left that could help the player to move.
            if children.is_empty() {
                return Ok(match player {
                    Black => Status::Lost { left: question.left as u8, best: None },
                    White => self.won(question, proof),
                });
            }
            let choice = Choice::among(player, children.iter().map(|child| (child.numbers(), false)));
            let (index, numbers) = (choice.index, choice.numbers);
            if self.position.played() == self.root {
                self.gauge.show(numbers);
            }
            if numbers.reach(limit) {
                return Ok(Status::Open(numbers));
            }
            let child_limit = choice.limit(player, children[index].numbers(), limit);
            let cell = children[index].cell;
            self.position.play(cell, player);
            let status = self.search(next, child_limit);
            self.position.undo(cell, player);
            children[index].status = status?;
            if children[index].decides_for(player) {
                self.ordering.credit(player, cell, question.left);
                return Ok(Self::settled(question, children[index]));
            }
        }
    }

    /// The position is decided by a move of the player to move.
    fn settled(question: Question, Child { cell, status }: Child<N>) -> Status<N> {
        match status {
            Status::Won { moves, zone, .. } => {
                let (zone, ignored) = (zone.with(cell), question.ignored as u8);
                Status::Won { moves: moves + 1, zone, ignored, best: Some(cell) }
            }
            _ => Status::Lost { left: question.left as u8, best: Some(cell) },
        }
    }

    /// White has no reply left. If she had to block, the cell belongs to the zone: it is Black's if she does not.
    fn won(&self, Question { ignored, .. }: Question, proof: &Proof<N>) -> Status<N> {
        let zone = guard(&self.position, proof.zone | self.position.completions(Black), ignored, None, None);
        Status::Won { moves: proof.moves as u8, zone, ignored: ignored as u8, best: None }
    }

    /// White's reply where any will do: the one that takes most from Black makes the shortest proof.
    fn likely_reply(&mut self, left: usize) -> Option<Cell> {
        self.ordering.weigh(&self.position, left);
        let mut moves = self.ordering.scored(White, self.position.empty(), None);
        let best = (!moves.is_empty()).then(|| pick(&mut moves, 0));
        self.ordering.recycle(moves);
        best
    }

    /// The status of a position given by its stones, up to turn `until`.
    fn ask(&mut self, stones: Stones<N>, until: usize) -> Result<Status<N>, Halt> {
        self.position = Position::with_stones(self.arena, stones);
        self.decide(until)
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
            Status::Lost { best, left } => best.or_else(|| self.likely_reply(left.into())),
            _ => None,
        })
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::busy::Busy;
    use crate::engines::maker_breaker;
    use crate::engines::scene::scenes;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        /// Who wins, at the end of the game and by any turn, is what the twin says; the moves given keep it so.
        #[test]
        fn positions_agree_with_the_twin(
            scene in scenes(), first in prop::collection::btree_set(0..16usize, 0..4), asking: bool,
        ) {
            let Some(game) = scene.game_starting_at(first) else { return Ok(()) };
            let truth = scene.least_turn(&game);
            let arena = Arena::<1>::new(&game);
            let canon = Canon::new(&game.symmetries(), game.vertices());
            let (gauge, table) = (Gauge::default(), ProofTable::new(1 << 18));
            let (weak_table, busy) = (Table::new(1 << 16), Busy::new(1));
            let weak = maker_breaker::Shared { table: &weak_table, canon: &canon, busy: &busy };
            let mut engine = ProofNumberSearch::new(&arena, &table, &canon, &gauge);
            if asking {
                engine = engine.with_oracle(MakerBreaker::new(&game, &weak));
            }
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
    }

    #[test]
    fn records_come_back_as_they_were() {
        let zone = CellSet::<2>::first_cells(70);
        let cell = Some(Cell::new(360));
        for status in [
            Status::Open(Numbers { proof: 7, disproof: u32::MAX / 2 - 1 }),
            Status::Lost { left: 180, best: None },
            Status::Lost { left: 3, best: cell },
            Status::Won { moves: 181, zone, ignored: 63, best: cell },
        ] {
            let (set, bits) = status.pack();
            assert_eq!(Status::unpack(set, bits), status);
        }
    }
}
