//! The search of positions that are not decided at sight.

use super::status::{ANY, Child, Gauge, Hold, Proof, ProofTable, Question, Status};
use crate::effort::tuning::numbers::{self, ORACLE_NODES};
use crate::effort::tuning::{shared::FORCING_BUDGET, threats};
use crate::effort::{Halt, Limits};
use crate::engines::busy::Busy;
use crate::engines::canon::Canon;
use crate::engines::maker_breaker::{Finding, MakerBreaker};
use crate::engines::numbers::{Choice, Numbers};
use crate::engines::ordering::{Ordering, pick};
use crate::engines::potential;
use crate::engines::threats::{Forcing, Win, double_threat};
use crate::engines::zone::{guard, guard_hold};
use crate::game::position::{Arena, Position};
use harary_certificate::{
    Cell, CellSet,
    Player::{Black, White},
    Stones,
};

/// Of a position that Black wins in the weak game: White has threats of her own at best.
const WON_WEAKLY: Numbers = Numbers { proof: 1, disproof: numbers::WON_WEAKLY };

/// What steers a search: the numbers that new positions begin with.
#[expect(clippy::large_enum_variant, reason = "there is one for a whole search; a box would only be in the way")]
enum Guide<'a, const N: usize> {
    /// Nothing: all are alike.
    Nobody,
    /// Who holds the weak game, and how far he is from it.
    WeakGame(MakerBreaker<'a, N>),
    /// What Black threatens: how many replies of White's are left. Only the proof number counts.
    Threats,
}

/// What the threads of one search share.
#[derive(Clone, Copy)]
pub struct Shared<'a, const N: usize> {
    /// The game.
    pub arena: &'a Arena<N>,
    /// What is known of positions.
    pub table: &'a ProofTable<N>,
    /// Positions up to symmetry.
    pub canon: &'a Canon,
    /// What the others search right now.
    pub busy: &'a Busy,
    /// The numbers of the start.
    pub gauge: &'a Gauge,
}

/// One thread's search.
pub struct ProofNumberSearch<'a, const N: usize> {
    pub(super) shared: Shared<'a, N>,
    limits: Limits,
    position: Position<'a, N>,
    /// Stones on the board before turn 1.
    started: usize,
    /// Turns played where the search began: its numbers are shown.
    root: usize,
    pub(super) nodes: u64,
    ordering: Ordering,
    spare: Vec<Vec<Child<N>>>,
    forcing: Forcing,
    guide: Guide<'a, N>,
}

impl<'a, const N: usize> ProofNumberSearch<'a, N> {
    /// A search over a table that others may share.
    pub fn new(shared: &Shared<'a, N>) -> ProofNumberSearch<'a, N> {
        ProofNumberSearch {
            shared: *shared,
            limits: Limits::none(),
            started: Position::new(shared.arena).stones().len(),
            position: Position::new(shared.arena),
            root: 0,
            nodes: 0,
            ordering: Ordering::new(shared.arena.cells()),
            spare: Vec::new(),
            forcing: Forcing::new(FORCING_BUDGET),
            guide: Guide::Nobody,
        }
    }

    /// Stops at these limits from now on. What it knew before it knows still.
    pub fn limit(&mut self, limits: &Limits) {
        self.limits = limits.clone();
        if let Guide::WeakGame(oracle) = &mut self.guide {
            oracle.limit(limits.clone());
        }
    }

    /// Asks this search, of the same game, who holds the weak game.
    pub fn with_oracle(self, oracle: MakerBreaker<'a, N>) -> ProofNumberSearch<'a, N> {
        ProofNumberSearch { guide: Guide::WeakGame(oracle), ..self }
    }

    /// Goes where Black's threats leave White the fewest replies: for long wins.
    pub fn by_threats(self) -> ProofNumberSearch<'a, N> {
        ProofNumberSearch { guide: Guide::Threats, forcing: Forcing::new(threats::BUDGET), ..self }
    }

    /// Whether Black forces a win by turn `until` from the start of the game.
    pub fn wins_by(&mut self, until: usize) -> Result<bool, Halt> {
        self.position = Position::new(self.shared.arena);
        Ok(matches!(self.decide(until, Numbers::NO_LIMIT)?, Status::Won { .. }))
    }

    /// The status of a position given by its stones, up to turn `until`.
    pub(super) fn ask(&mut self, stones: Stones<N>, until: usize) -> Result<Status<N>, Halt> {
        self.position = Position::with_stones(self.shared.arena, stones);
        self.decide(until, Numbers::NO_LIMIT)
    }

    /// The status of a position given by its stones, up to the end of the game; open if its numbers reach `limit`.
    pub(super) fn ask_within(&mut self, stones: Stones<N>, limit: Numbers) -> Result<Status<N>, Halt> {
        self.position = Position::with_stones(self.shared.arena, stones);
        self.decide(usize::MAX, limit)
    }

    /// What is known of a position up to the end of the game, without a search.
    pub(super) fn seen(&mut self, stones: Stones<N>) -> Status<N> {
        self.position = Position::with_stones(self.shared.arena, stones);
        let played = self.position.played();
        let schedule = self.shared.arena.schedule();
        let left = schedule.black_moves(played, schedule.len());
        let Some(player) = self.position.to_move() else {
            return Status::Lost { left: left as u16, zone: CellSet::EMPTY, best: None };
        };
        let question = Question { player, left, ignored: 0 };
        match self.at_sight(question).unwrap_or_else(|| self.known(question)) {
            Status::Open(Numbers::UNIT) => self.foreseen(question),
            status => status,
        }
    }

    /// The status of a position whoever put its stones, with Black to move, all moves still to come and `ignored` stones of
    /// White's that are not known.
    #[cfg(test)]
    pub(super) fn find_anyhow(&mut self, stones: Stones<N>, ignored: usize) -> Result<Status<N>, Halt> {
        self.position = Position::with_stones(self.shared.arena, stones);
        self.root = self.position.played();
        let question = Question { player: Black, left: self.position.empty().len().div_ceil(2), ignored };
        match self.at_sight(question) {
            Some(status) => Ok(status),
            None => self.search(question, Numbers::NO_LIMIT),
        }
    }

    /// Decides the position on the board, unless its numbers reach the limit. If nobody completes a set at once, it says
    /// by which move.
    fn decide(&mut self, until: usize, limit: Numbers) -> Result<Status<N>, Halt> {
        self.root = self.position.played();
        let left = self.shared.arena.schedule().black_moves(self.root, until);
        let Some(player) = self.position.to_move() else {
            return Ok(Status::Lost { left: left as u16, zone: CellSet::EMPTY, best: None });
        };
        let question = Question { player, left, ignored: 0 };
        match self.at_sight(question) {
            Some(status @ Status::Won { .. }) => return Ok(status),
            // A reply is wanted even where it is clear that there is one, unless any will do.
            Some(status) if player == Black || self.is_out_of_time(left) => return Ok(status),
            _ => {}
        }
        if let Some(best) = self.position.completions(White).first().filter(|_| player == White) {
            return Ok(Status::Lost { left: left as u16, zone: CellSet::single(best), best: Some(best) });
        }
        self.search(question, limit)
    }

    fn is_out_of_time(&self, left: usize) -> bool {
        self.position.distance(Black).is_none_or(|distance| distance > left)
    }

    /// What the table says, as far as it answers this question.
    fn known(&self, question: Question) -> Status<N> {
        let (stones, number) = self.shared.canon.canonical(&self.position.stones());
        let back = self.shared.canon.inverse(number);
        match self.shared.table.0.get(&stones) {
            None => Status::Open(Numbers::UNIT),
            Some(open @ Status::Open(_)) => open,
            Some(lost @ Status::Lost { left, .. }) if usize::from(left) >= question.left => lost.moved(back),
            Some(won @ Status::Won { moves, .. }) if usize::from(moves) <= question.left => {
                match won.moved(back) {
                    // A zone for no unknown stone says nothing of any other position.
                    Status::Won { moves, ignored: 0, best, .. } => {
                        Status::Won { moves, zone: self.position.empty(), ignored: ANY as u16, best }
                    }
                    won => won,
                }
            }
            Some(_) => Status::Open(Numbers::UNIT),
        }
    }

    /// Whether the table says that White holds for good.
    pub(super) fn is_known_hold(&self, stones: Stones<N>) -> bool {
        let schedule = self.shared.arena.schedule();
        let (image, _) = self.shared.canon.canonical(&stones);
        let moves = schedule.black_moves(stones.len() - self.started, schedule.len());
        matches!(self.shared.table.0.get(&image), Some(Status::Lost { left, .. }) if usize::from(left) >= moves)
    }

    fn remember(&self, status: Status<N>, work: u64) -> Status<N> {
        let (stones, number) = self.shared.canon.canonical(&self.position.stones());
        self.shared.table.0.put(&stones, &status.moved(self.shared.canon.symmetry(number)), work);
        status
    }

    /// The empty cells of the live sets of both: whatever stands on the others changes nothing.
    fn alive(&self) -> CellSet<N> {
        let longest = self.shared.arena.longest();
        self.position.reach(Black, longest) | self.position.reach(White, longest)
    }

    /// Decides what needs no search and no table.
    fn at_sight(&self, Question { player, left, ignored }: Question) -> Option<Status<N>> {
        let position = &self.position;
        let won =
            |moves: usize, zone, best| Some(Status::Won { moves: moves as u16, zone, ignored: ignored as u16, best });
        let lost = |zone| Some(Status::Lost { left: left as u16, zone, best: None });
        // Where White needs no threat of her own, only Black's live sets count.
        let wanted = || position.reach(Black, self.shared.arena.longest());
        if self.is_out_of_time(left) {
            return lost(wanted());
        }
        let allowed = position.allowed();
        if let Some(cell) = (position.completions(player) & allowed).first() {
            return if player == Black {
                won(1, CellSet::single(cell), Some(cell))
            } else {
                lost(CellSet::single(cell))
            };
        }
        // First moves are restricted at the start of few games: there the search looks at each of them.
        if allowed != position.empty() {
            return None;
        }
        let threats = position.completions(player.other());
        match (player, threats.len()) {
            (Black, 2..) => return lost(guard_hold(position, threats.iter().take(2).collect())),
            (White, 2..) => {
                return won(1, guard(position, threats.iter().take(2).collect(), ignored, None, None), None);
            }
            (White, 0) if left < 2 => return lost(wanted()),
            _ => {}
        }
        if potential::holds(position, player, left) {
            return lost(wanted());
        }
        if player == Black && left == 2 {
            return match double_threat(position, threats.first(), ignored, None) {
                Some((cell, zone)) => won(2, zone, Some(cell)),
                None => lost(self.alive()),
            };
        }
        None
    }

    /// The shortest win by threats after a pass of White's, and its length.
    fn threatened(&mut self, left: usize, ignored: usize) -> Option<(usize, Win<N>)> {
        self.position.pass();
        let win = self.forcing.shortest(&mut self.position, left, ignored);
        self.position.undo_pass();
        win
    }

    /// One more stone that a zone may not know of. Beyond this number every set of White's counts, and nothing can be
    /// ignored: it is better to ask for a zone that is good for fewer of the moves before. Where threats steer, a zone is
    /// used for the move before it and hardly ever for more: one stone keeps it small.
    fn one_more(&self, ignored: usize) -> usize {
        let most = match self.guide {
            Guide::Threats => 1,
            Guide::Nobody | Guide::WeakGame(_) => self.shared.arena.longest().saturating_sub(2).max(1),
        };
        (ignored + 1).min(most)
    }

    /// A number of the position on the board for other threads to see.
    fn note(&self) -> u64 {
        if !self.shared.busy.is_shared() {
            return 0;
        }
        let (stones, _) = self.shared.canon.canonical(&self.position.stones());
        let mut note = 0x9e37_79b9_7f4a_7c15_u64;
        for word in stones.black.words().iter().chain(stones.white.words()) {
            note = (note ^ word).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            note ^= note >> 29;
        }
        note
    }

    /// Searches the position on the board until it is decided or its numbers reach `limit`.
    fn search(&mut self, question: Question, limit: Numbers) -> Result<Status<N>, Halt> {
        let before = self.nodes;
        self.nodes += 1;
        self.limits.tick(self.nodes)?;
        if !matches!(self.guide, Guide::Nobody) {
            self.limits.check_time()?;
        }
        // It may have been decided since it was seen first, on another path or by another thread.
        let known = self.known(question);
        if !matches!(known, Status::Open(_)) {
            return Ok(known);
        }
        let note = self.note();
        self.shared.busy.enter(note);
        let found = self.search_moves(question, known == Status::Open(Numbers::UNIT), limit);
        self.shared.busy.leave(note);
        Ok(self.remember(found?, self.nodes - before))
    }

    fn search_moves(&mut self, question: Question, new: bool, limit: Numbers) -> Result<Status<N>, Halt> {
        let Question { player, left, ignored } = question;
        let threats = self.position.completions(player.other());
        let restricted = self.position.allowed() != self.position.empty();
        let mut proof = Proof { zone: CellSet::EMPTY, moves: 0, ignored: ANY };
        let mut candidates = match player {
            _ if restricted => self.position.allowed(),
            _ if !threats.is_empty() => threats,
            Black => self.black_moves(left),
            White => self.position.reach(Black, left) | self.position.reach(White, left + ignored),
        };
        let threats_steer = matches!(self.guide, Guide::Threats);
        if player == White
            && !restricted
            && new
            && threats_steer
            && let Some(lost) = self.countered(left)
        {
            return Ok(lost);
        }
        match player {
            // Both are tried once, before the moves are: where the search has been before there was no such win, and the
            // oracle was asked.
            Black if !restricted && new => {
                if let Some(zone) = self.held_weakly()? {
                    return Ok(Status::Lost { left: left as u16, zone, best: None });
                }
                if let Some((moves, (cell, zone))) = self.forcing.shortest(&mut self.position, left, ignored) {
                    let (moves, ignored) = (moves as u16, ignored as u16);
                    return Ok(Status::Won { moves, zone, ignored, best: Some(cell) });
                }
            }
            White if threats.is_empty() => {
                let ignored = self.one_more(ignored);
                if let Some((moves, (_, zone))) = self.threatened(left, ignored) {
                    proof = Proof { zone, moves, ignored };
                    candidates &= zone;
                }
            }
            _ => {}
        }
        if player == Black
            && !restricted
            && threats.is_empty()
            && threats_steer
            && let Some(zone) = self.counter_threatened()
        {
            candidates &= zone;
        }
        // What Black may try, beyond the moves that are searched: the hold must have an answer to each.
        let left_to_answer = if restricted || !threats.is_empty() { candidates } else { self.alive() };
        let mut hold = Hold { left: left_to_answer, zone: CellSet::EMPTY };
        // A forced block is no move that a zone may ignore.
        let ignoring = if player == White && threats.is_empty() { self.one_more(ignored) } else { ignored };
        let next = Question { player: player.other(), left: left - usize::from(player == Black), ignored: ignoring };
        let mut children = self.spare.pop().unwrap_or_default();
        let found = match self.expand(candidates, next, &mut hold, &mut children) {
            Ok(Some(decisive)) => Ok(Self::settled(question, decisive)),
            Ok(None) => self.choose(question, next, limit, &mut proof, &mut hold, &mut children),
            Err(halt) => Err(halt),
        };
        children.clear();
        self.spare.push(children);
        found
    }

    /// Black's moves that can matter; see [`crate::engines::alphabeta`].
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
        hold: &mut Hold<N>,
        children: &mut Vec<Child<N>>,
    ) -> Result<Option<Child<N>>, Halt> {
        let player = next.player.other();
        self.ordering.weigh(&self.position, next.left);
        let mut moves = self.ordering.scored(player, candidates, None);
        let mut decisive = Ok(None);
        // White's replies that no win seen so far takes care of.
        let mut open = candidates;
        for place in 0..moves.len() {
            let cell = pick(&mut moves, place);
            if !open.contains(cell) || player == Black && !hold.left.contains(cell) {
                continue;
            }
            self.position.play(cell, player);
            let mut status = self.at_sight(next).unwrap_or_else(|| self.known(next));
            // What the guide sees may take it a while.
            let halted = status == Status::Open(Numbers::UNIT) && !matches!(self.guide, Guide::Nobody) && {
                status = self.foreseen(next);
                self.limits.check_time().is_err()
            };
            let note = self.note();
            self.position.undo(cell, player);
            if halted {
                decisive = Err(Halt);
                break;
            }
            let child = Child { cell, status, note };
            if child.decides_for(player) {
                decisive = Ok(Some(child));
                break;
            }
            match status {
                Status::Lost { zone, .. } => hold.take(zone),
                Status::Won { zone, .. } => {
                    open &= zone;
                    children.push(child);
                }
                Status::Open(_) => children.push(child),
            }
        }
        self.ordering.recycle(moves);
        decisive
    }

    /// What the guide sees of a new position.
    fn foreseen(&mut self, question: Question) -> Status<N> {
        let Question { player, left, .. } = question;
        let oracle = match &mut self.guide {
            Guide::Nobody => return Status::Open(Numbers::UNIT),
            Guide::Threats => {
                let seen = self.seen_by_threats(question);
                return self.remember(seen, 1);
            }
            Guide::WeakGame(oracle) => oracle,
        };
        match oracle.sight(player, self.position.stones()) {
            Finding::Open(numbers) => Status::Open(numbers),
            Finding::Won { .. } => Status::Open(WON_WEAKLY),
            // With White to move it is not kept: whoever asks for her reply has it searched for.
            Finding::Held { zone, .. } => {
                let lost = Status::Lost { left: left as u16, zone, best: None };
                if player == Black { self.remember(lost, 1) } else { lost }
            }
        }
    }

    /// Whether the player to move wins by threats. If White does not, how many replies are left her: those inside the zone of
    /// what Black threatens.
    fn seen_by_threats(&mut self, Question { player, left, ignored }: Question) -> Status<N> {
        let open = |proof: u32| Status::Open(Numbers { proof, disproof: 1 });
        match player {
            Black => match self.forcing.shortest(&mut self.position, left, ignored) {
                Some((moves, (cell, zone))) => {
                    Status::Won { moves: moves as u16, zone, ignored: ignored as u16, best: Some(cell) }
                }
                None => open(threats::BLACK),
            },
            White => match self.countered(left) {
                Some(lost) => lost,
                None if !self.position.completions(Black).is_empty() => open(threats::FORCED),
                None => match self.threatened(left, self.one_more(ignored)) {
                    Some((_, (_, zone))) => open(zone.len() as u32),
                    None => {
                        let twos = self.position.live_count(Black, 2);
                        open(threats::FREE.saturating_sub(threats::FREE_TWO * twos).max(threats::FREE_LEAST))
                    }
                },
            },
        }
    }

    /// White to move completes a set by threats: a hold, of which no zone but the whole board is known.
    fn countered(&mut self, left: usize) -> Option<Status<N>> {
        let (best, _) = self.forcing.counter(&mut self.position, 0)?;
        Some(Status::Lost { left: left as u16, zone: self.alive(), best: Some(best) })
    }

    /// The zone of a win by threats that White would have if Black passed: he must move inside it (lemma 16).
    fn counter_threatened(&mut self) -> Option<CellSet<N>> {
        self.position.pass();
        let win = self.forcing.counter(&mut self.position, 1);
        self.position.undo_pass();
        win.map(|(_, zone)| zone)
    }

    /// Where White holds the weak game, as far as the oracle finds out: the zone of that hold.
    fn held_weakly(&mut self) -> Result<Option<CellSet<N>>, Halt> {
        match &mut self.guide {
            Guide::WeakGame(oracle) => oracle.held_within(self.position.stones(), ORACLE_NODES),
            Guide::Nobody | Guide::Threats => Ok(None),
        }
    }

    /// Searches the most promising child again and again.
    fn choose(
        &mut self,
        question: Question,
        next: Question,
        limit: Numbers,
        proof: &mut Proof<N>,
        hold: &mut Hold<N>,
        children: &mut Vec<Child<N>>,
    ) -> Result<Status<N>, Halt> {
        let player = question.player;
        loop {
            match player {
                Black => hold.take_holds(children),
                White => proof.take_wins(children),
            }
            // Nothing is left that could help the player to move.
            if children.is_empty() {
                return Ok(match player {
                    Black => self.held(question, hold),
                    White => self.won(question, proof),
                });
            }
            let busy = self.shared.busy;
            let taken = |child: &Child<N>| busy.is_shared() && busy.contains(child.note);
            let numbers = children.iter().map(|child| (child.numbers(), taken(child)));
            let choice = match (&self.guide, player) {
                (Guide::Threats, White) => Choice::hardest(numbers),
                _ => Choice::among(player, numbers),
            };
            let (index, numbers) = (choice.index, choice.numbers);
            if self.position.played() == self.root {
                self.shared.gauge.show(numbers);
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
    fn settled(question: Question, Child { cell, status, .. }: Child<N>) -> Status<N> {
        match status {
            Status::Won { moves, zone, ignored, .. } => {
                Status::Won { moves: moves + 1, zone: zone.with(cell), ignored, best: Some(cell) }
            }
            Status::Lost { zone, .. } => {
                Status::Lost { left: question.left as u16, zone: zone.with(cell), best: Some(cell) }
            }
            open => open,
        }
    }

    /// White has no reply left. If she had to block, the cell belongs to the zone: it is Black's if she does not. The zone
    /// is one for as many unknown stones as those of the replies are, less the one that was ignored here (lemma 16 c), and
    /// not for more than were asked for: by that number moves were left out as useless. If that is none, only the whole
    /// board is known to be a zone (lemma 16 d).
    fn won(&self, Question { ignored, .. }: Question, proof: &Proof<N>) -> Status<N> {
        let (moves, threats) = (proof.moves as u16, self.position.completions(Black));
        let ignored = match self.position.distance(White) {
            None => ANY,
            Some(_) => ignored.min(proof.ignored - usize::from(threats.is_empty())),
        };
        let (zone, ignored) = match ignored {
            0 => (self.position.empty(), ANY),
            _ => (guard(&self.position, proof.zone | threats, ignored, None, None), ignored),
        };
        Status::Won { moves, zone, ignored: ignored as u16, best: None }
    }

    /// Black has no move left (lemma 27). If he had to stop a threat, its cell belongs to the zone: White takes it if he
    /// does not. Where moves were left out because they come too late, they have no answer in the zones: then the zone is
    /// everything that counts.
    fn held(&self, question: Question, hold: &Hold<N>) -> Status<N> {
        let (alive, threats) = (self.alive(), self.position.completions(White));
        let zone = match threats.is_empty() {
            false => guard_hold(&self.position, hold.zone | threats),
            true if hold.left.is_empty() => hold.zone,
            true => alive,
        };
        Status::Lost { left: question.left as u16, zone: zone & alive, best: None }
    }

    /// White's reply where any will do: the one that takes most from Black makes the shortest proof.
    pub(super) fn likely_reply(&mut self, left: usize) -> Option<Cell> {
        self.ordering.weigh(&self.position, left);
        let mut moves = self.ordering.scored(White, self.position.empty(), None);
        let best = (!moves.is_empty()).then(|| pick(&mut moves, 0));
        self.ordering.recycle(moves);
        best
    }
}

#[cfg(test)]
mod tests {
    use super::super::ProofTable;
    use super::*;
    use crate::engines::scene::{Scene, scenes};
    use proptest::prelude::*;

    /// White wins a strong game from here, she to move: the twin says so with the colours exchanged.
    fn white_wins(scene: &Scene, Stones { black, white }: Stones<1>) -> bool {
        let exchanged = Scene { stones: Stones::new(white, black), ..scene.clone() };
        exchanged.game().is_some_and(|game| exchanged.least_turn(&game).is_some())
    }

    /// Asks `question` of a search steered by threats at a position of a scene's strong game.
    fn asked<T>(scene: &Scene, stones: Stones<1>, question: impl FnOnce(&mut ProofNumberSearch<1>) -> T) -> Option<T> {
        let game = scene.game()?;
        let (arena, canon) = (Arena::new(&game), Canon::new(&game.symmetries(), game.vertices()));
        let (gauge, table, busy) = (Gauge::default(), ProofTable::new(1 << 12), Busy::new(1));
        let shared = Shared { arena: &arena, table: &table, canon: &canon, busy: &busy, gauge: &gauge };
        let mut search = ProofNumberSearch::new(&shared).by_threats();
        search.position = Position::with_stones(&arena, stones);
        Some(question(&mut search))
    }

    proptest! {
        // Scenes without such a win are not counted: all cases say something.
        #![proptest_config(ProptestConfig { cases: 2_000, max_global_rejects: 2_000_000, ..ProptestConfig::default() })]

        /// If White would win by threats after a pass, she still does after every move of Black's outside the zone (lemma 15).
        #[test]
        fn black_moves_inside_the_zone_of_whites_threats(scene in scenes()) {
            let scene = Scene { weak: false, ..scene };
            let found = asked(&scene, scene.stones, |search| {
                let quiet = [Black, White].iter().all(|player| search.position.completions(*player).is_empty());
                (quiet && !search.position.empty().is_empty()).then(|| (search.counter_threatened(), search.position.empty()))
            });
            let Some(Some((Some(zone), empty))) = found else { return Err(TestCaseError::reject("no such win")) };
            prop_assert!(zone.is_subset(&empty));
            for cell in empty - zone {
                prop_assert!(white_wins(&scene, scene.stones.with(Black, cell)), "{cell:?} outside {zone:?}");
            }
        }

        /// What White wins by threats is a win of hers, and the move that is named keeps it.
        #[test]
        fn white_wins_what_she_wins_by_threats(scene in scenes(), choice in 0..16usize) {
            let scene = Scene { weak: false, ..scene };
            let empty: Vec<Cell> = (CellSet::<1>::first_cells(scene.board.size()) - scene.stones.occupied()).iter().collect();
            let stones = scene.stones.with(Black, empty[choice % empty.len()]);
            prop_assume!(!scene.is_over(stones.black));
            let found = asked(&scene, stones, |search| {
                search.position.completions(White).is_empty().then(|| search.countered(1)).flatten()
            });
            let Some(Some(Status::Lost { best: Some(best), .. })) = found else {
                return Err(TestCaseError::reject("no such win"));
            };
            prop_assert!(!stones.occupied().contains(best));
            prop_assert!(white_wins(&scene, stones));
            // She has no completion: Black moves after it, and White wins after each of his moves.
            let after = stones.with(White, best);
            for cell in CellSet::<1>::first_cells(scene.board.size()) - after.occupied() {
                let answered = after.with(Black, cell);
                prop_assert!(!scene.is_over(answered.black));
                prop_assert!(white_wins(&scene, answered), "{best:?} {cell:?}");
            }
        }
    }
}
