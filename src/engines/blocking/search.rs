//! The blocking search: White's moves and pavings together, both answers generalised.
//!
//! The question at *level* k, with Black to move: can White make k moves, whatever Black does, so that a paving exists
//! of what is left? A *block* (W, Z) answers yes in every position in which White owns at least W and Black none of Z.
//! A *refusal* (B, U) answers no in every position in which Black owns at least B and White none of U. At level 0 the
//! oracle gives both. Above, they are made of those of the children (lemmas 5, 6 and 23 of
//! [docs/game.md](../../../docs/game.md#lemmas)):
//!
//! *Black moves.* If m is answered by o and the child's block is (W, Z), then every move outside R = Z + o is answered
//! by o as well, by the same block. So Black has to be tried only in the intersection of the R found so far, and when
//! that is empty, the union of the R and of the W - o is a block of the parent: wherever it applies, each move of Black
//! misses one R. (White's own stones in the intersection are added to W: Black must not be able to play there. An o
//! that White owns already leaves her a free move, which never hurts.) A block that does not need o holds before m.
//!
//! *White replies.* If the reply o is refused by (B, U), then every reply outside U is refused as well, and the same
//! goes for no reply at all: it is asked first, and shows where White must play. When no reply is left, the union of
//! the B without m and of the U with m is a refusal of the parent: wherever it applies, Black plays m (or, if he owns
//! it, anything) and each reply misses one U. (Black's own stones in the intersection are added to B: White must not be
//! able to play there.)
//!
//! A refusal by a set that Black can complete at once is good at every level; so is one made of such refusals only.
//! Then Black wins, and the refusal is an attack node. What is refused is a [`Strength`].
//!
//! *Memory.* Blocks and wins are what proofs are made of; refusals of a level only save work. So when the store is
//! full, the latter are not kept any more, then dropped, and when that does not help the search halts.

use crate::effort::tuning::lemmas::{IMAGES, MANY, RESERVE};
use crate::effort::tuning::{paving::SOON, shared::FORCING_BUDGET};
use crate::effort::{Halt, Limits, Room, memory};
use crate::engines::blocking::error::BlockError;
use crate::engines::blocking::lemmas::{Lemma, Lemmas, Rank};
use crate::engines::engine::Engine;
use crate::engines::threats::Forcing;
use crate::game::Game;
use crate::game::position::{Arena, Position};
use crate::game::symmetry::{Symmetry, SymmetryGroup};
use crate::paving::oracle::Oracle;
use crate::paving::{Answer, Pairs, Paving};
use ahash::AHashMap;
use harary_certificate::{Cell, CellSet, Player, Stones};
use std::cmp::Reverse;

/// What a refusal refuses White.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Strength {
    /// A block with so many moves.
    Level(u8),
    /// Every block: Black completes a set within so many moves of his. Says more than any level, and the sooner the more.
    Win(Reverse<u8>),
}

impl Rank for Strength {
    const LEAST: Strength = Strength::Level(0);
}

impl Strength {
    /// A win by the next stone.
    const AT_ONCE: Strength = Strength::Win(Reverse(1));

    /// What every win is at least.
    pub const ANY_WIN: Strength = Strength::Win(Reverse(u8::MAX));

    /// The same of the position before a move of Black's and a reply.
    fn a_move_before(self) -> Strength {
        match self {
            Strength::Level(level) => Strength::Level(level.saturating_add(1)),
            Strength::Win(Reverse(moves)) => Strength::Win(Reverse(moves.saturating_add(1))),
        }
    }

    /// What it takes after a move of Black's and a reply.
    pub fn a_move_later(self) -> Strength {
        match self {
            Strength::Level(level) => Strength::Level(level.saturating_sub(1)),
            Strength::Win(Reverse(moves)) => Strength::Win(Reverse(moves.saturating_sub(1))),
        }
    }
}

/// White's answer to a move of Black's.
enum Answering<const N: usize> {
    /// A block after this reply.
    By(Cell, Block<N>),
    /// A block that needs no reply.
    Anyhow(Block<N>),
    /// She has none of this level.
    None(Refusal<N>),
}

/// White holds wherever she owns `white` and Black nothing in `zone`, by at most `height` moves and a paving.
#[derive(Clone, Copy, Debug)]
pub struct Block<const N: usize> {
    /// The stones it needs.
    pub white: CellSet<N>,
    /// The cells it is about.
    pub zone: CellSet<N>,
    /// White's moves before the paving.
    pub height: u16,
}

/// White has no block of this strength wherever Black owns `black` and White nothing in `cells`.
#[derive(Clone, Copy, Debug)]
pub struct Refusal<const N: usize> {
    /// The stones it needs.
    pub black: CellSet<N>,
    /// `black` included.
    pub cells: CellSet<N>,
    /// What is refused.
    pub strength: Strength,
}

/// The answer to a question.
#[derive(Clone, Copy, Debug)]
pub enum Verdict<const N: usize> {
    /// She has one.
    Block(Block<N>),
    /// She has none.
    Refusal(Refusal<N>),
}

/// How White's block goes.
#[derive(Clone, Debug)]
pub enum Method<const N: usize> {
    /// By these pairs.
    Pave(Vec<(Cell, Cell)>),
    /// Each reply with the cells R: it answers every move outside them.
    Reply(Vec<(Cell, CellSet<N>)>),
}

impl<const N: usize> Method<N> {
    /// The bytes of what it lists.
    fn bytes(&self) -> usize {
        match self {
            Method::Pave(pairs) => memory::bytes_of(pairs),
            Method::Reply(replies) => memory::bytes_of(replies),
        }
    }
}

/// What a search has done so far.
#[derive(Clone, Copy, Default, Debug)]
pub struct Statistics {
    /// Positions that no lemma answered.
    pub nodes: u64,
    /// Questions to the SAT solver.
    pub calls: u64,
    /// Blocks in the store.
    pub blocks: usize,
    /// Refusals in the store.
    pub refusals: usize,
}

/// A search of one game, with everything it has learnt.
pub struct Search<'a, const N: usize> {
    pub(crate) sets: Vec<CellSet<N>>,
    /// The sets through each cell.
    through: Vec<Vec<u32>>,
    pub(crate) board: CellSet<N>,
    /// The stones before turn 1.
    pub(crate) start: Stones<N>,
    /// All symmetries of the game.
    pub(crate) symmetries: SymmetryGroup,
    /// Those under which lemmas are stored: all, or those that keep one of the first moves.
    pub(crate) images: SymmetryGroup,
    oracle: Oracle<N>,
    blocks: Lemmas<N, Reverse<u16>>,
    methods: Vec<Method<N>>,
    /// The bytes of what the methods list.
    method_bytes: usize,
    refusals: Lemmas<N, Strength>,
    /// Black's move, for each refusal above level 0.
    moves: Vec<Option<Cell>>,
    /// How often a cell was a good move, of Black and of White.
    merits: Vec<[u64; 2]>,
    /// The position last looked at for forcing moves, and its stones in the order they were put.
    position: Position<'a, N>,
    forcing: Forcing,
    stones: Vec<(Cell, Player)>,
    limits: Limits,
    nodes: u64,
    /// What lemmas may take.
    room: Room,
    /// Whether a lemma found no room.
    full: bool,
}

/// Black's moves in a position answered so far.
pub(crate) struct Answered<const N: usize> {
    block: Block<N>,
    /// The moves not answered yet.
    pub(crate) left: CellSet<N>,
    /// The cells in every R.
    common: CellSet<N>,
    pub(crate) replies: Vec<(Cell, CellSet<N>)>,
    white: CellSet<N>,
    empty: CellSet<N>,
    at_start: bool,
}

impl<const N: usize> Answered<N> {
    pub(crate) fn new(search: &Search<N>, stones: Stones<N>) -> Answered<N> {
        let empty = search.board - stones.occupied();
        let at_start = stones == search.start;
        Answered {
            block: Block { white: CellSet::EMPTY, zone: CellSet::EMPTY, height: 0 },
            // Moves that are alike under the symmetries, which keep the start, are answered alike.
            left: if at_start { search.symmetries.representatives(&empty) } else { empty },
            common: search.board,
            replies: Vec::new(),
            white: stones.white,
            empty,
            at_start,
        }
    }

    /// The reply `o` leads to a block that needs it.
    pub(crate) fn by(&mut self, o: Cell, child: Block<N>) {
        let region = child.zone.with(o);
        self.block.white |= child.white.without(o);
        self.block.zone |= region;
        self.block.height = self.block.height.max(child.height + 1);
        self.left &= region;
        self.common &= region;
        self.replies.push((o, region));
    }

    /// The block that the answers make when no move is left, and the answers.
    pub(crate) fn into_block(self) -> (Block<N>, Vec<(Cell, CellSet<N>)>) {
        let Answered { mut block, at_start, common, white, empty, replies, .. } = self;
        if at_start {
            // Every move is alike one of those answered, so the block of all that is empty is made of these.
            block = Block { white, zone: empty, height: block.height };
        } else {
            block.white |= common & white;
            block.zone -= block.white;
        }
        (block, replies)
    }
}

/// The symmetries under which lemmas are stored. A torus has too many; there the first move is always the same cell, and
/// these are the symmetries that keep it. Where several first moves differ and the symmetries are too many all the same,
/// those that keep one of these moves, as many as may be.
fn images_for_lemmas<const N: usize>(symmetries: &SymmetryGroup, firsts: CellSet<N>) -> SymmetryGroup {
    if firsts.len() == 1 {
        return symmetries.stabiliser(&[firsts]);
    }
    if symmetries.len() <= IMAGES {
        return symmetries.clone();
    }
    let keeping = firsts.iter().map(|first| symmetries.stabiliser(&[CellSet::<N>::single(first)]));
    let largest = keeping.filter(|group| group.len() <= IMAGES).max_by_key(SymmetryGroup::len);
    largest.unwrap_or_else(|| SymmetryGroup::trivial(symmetries.cells()))
}

impl<'a, const N: usize> Search<'a, N> {
    /// A search of a game, given also as the arena of its weak form.
    pub fn new(game: &Game, arena: &'a Arena<N>) -> Search<'a, N> {
        let sets: Vec<CellSet<N>> = game.black_sets().iter().map(|set| set.resized()).collect();
        let cells = game.vertices();
        let board = CellSet::first_cells(cells);
        let mut through = vec![Vec::new(); cells];
        for (index, set) in sets.iter().enumerate() {
            set.iter().for_each(|cell| through[cell.index()].push(index as u32));
        }
        let symmetries = game.symmetries();
        let firsts = symmetries.representatives(&board);
        let images = images_for_lemmas(&symmetries, firsts);
        Search {
            sets,
            through,
            board,
            start: game.start().resized(),
            symmetries,
            images,
            oracle: Oracle::new(game, Pairs::Any),
            blocks: Lemmas::default(),
            methods: Vec::new(),
            method_bytes: 0,
            refusals: Lemmas::default(),
            moves: Vec::new(),
            merits: vec![[0; 2]; cells],
            position: Position::with_stones(arena, Stones::NONE),
            forcing: Forcing::new(FORCING_BUDGET),
            stones: Vec::new(),
            limits: Limits::none(),
            nodes: 0,
            room: Room::unbounded(),
            full: false,
        }
    }

    /// Stops at these limits from now on.
    pub fn limit(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// What was done so far.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            nodes: self.nodes,
            calls: self.oracle.calls(),
            blocks: self.blocks.count(),
            refusals: self.refusals.count(),
        }
    }

    /// Answers the question at `level` for a position with Black to move.
    pub fn solve(&mut self, stones: Stones<N>, level: u8) -> Result<Verdict<N>, Halt> {
        let Stones { black, white } = stones;
        if let Some(&set) = self.sets.iter().find(|set| set.is_disjoint(&white) && (**set - black).len() < 2) {
            return Ok(Verdict::Refusal(Refusal { black: set & black, cells: set, strength: Strength::AT_ONCE }));
        }
        if let Some(block) = self.block_known(stones, level.into()) {
            return Ok(Verdict::Block(block));
        }
        if let Some(refusal) = self.refusal_known(stones, Strength::Level(level)) {
            return Ok(Verdict::Refusal(refusal));
        }
        self.nodes += 1;
        if let Some(refusal) = self.force(stones)? {
            return Ok(Verdict::Refusal(refusal));
        }
        if level == 0 { self.pave(stones) } else { self.try_moves(stones, level) }
    }

    /// A win by forcing moves, good at every level: each move of the line but the last makes one threat, so that White's
    /// reply is known, and the last makes two.
    fn force(&mut self, stones: Stones<N>) -> Result<Option<Refusal<N>>, Halt> {
        self.go_to(stones);
        let Some((m, _)) = self.forcing.win(&mut self.position, self.board.len(), 0) else { return Ok(None) };
        let (mut reasons, left) = self.threats_by(m, stones.with(Player::Black, m));
        if let Some(o) = left.first() {
            let after = stones.with(Player::Black, m).with(Player::White, o);
            let next = match self.refusal_known(after, Strength::ANY_WIN) {
                Some(known) => Some(known),
                None => self.force(after)?,
            };
            let Some(reason) = next else { return Ok(None) };
            reasons.push(reason);
        }
        let refusal = self.refusal_by(m, stones, reasons);
        self.keep_refusal(refusal, Some(m))?;
        Ok(Some(refusal))
    }

    /// Brings the position to these stones: takes back down to what it shares with them, and puts the others.
    fn go_to(&mut self, stones: Stones<N>) {
        let shared = self.stones.iter().take_while(|&&(cell, player)| stones.of(player).contains(cell)).count();
        for (cell, player) in self.stones.drain(shared..).rev() {
            self.position.undo(cell, player);
        }
        let before = self.position.stones();
        for player in [Player::Black, Player::White] {
            for cell in stones.of(player) - before.of(player) {
                self.position.play(cell, player);
                self.stones.push((cell, player));
            }
        }
    }

    /// The threats Black makes by `m`, on the board already, and where White can reply to all of them.
    fn threats_by(&self, m: Cell, stones: Stones<N>) -> (Vec<Refusal<N>>, CellSet<N>) {
        let Stones { black, white } = stones;
        let mut left = self.board - stones.occupied();
        let mut threats = Vec::new();
        for &index in &self.through[m.index()] {
            let set = self.sets[index as usize];
            if set.is_disjoint(&white) && (set - black).len() < 2 && !left.is_subset(&set) {
                threats.push(Refusal { black: set & black, cells: set, strength: Strength::AT_ONCE });
                left &= set;
            }
        }
        (threats, left)
    }

    /// The refusal made of those of all replies to `m`.
    fn refusal_by(&self, m: Cell, stones: Stones<N>, mut reasons: Vec<Refusal<N>>) -> Refusal<N> {
        let black = stones.black.with(m);
        drop_superfluous(&mut reasons, self.board - black - stones.white);
        let mut refusal = Refusal { black: CellSet::EMPTY, cells: CellSet::single(m), strength: Strength::AT_ONCE };
        let mut common = self.board;
        for reason in &reasons {
            refusal.black |= reason.black;
            refusal.cells |= reason.cells;
            refusal.strength = refusal.strength.min(reason.strength);
            common &= reason.cells;
        }
        refusal.black = (refusal.black | (common & black)).without(m);
        refusal.strength = refusal.strength.a_move_before();
        refusal
    }

    /// Level 0: the oracle's answer.
    fn pave(&mut self, stones: Stones<N>) -> Result<Verdict<N>, Halt> {
        Ok(match self.oracle.paving_within(stones, &self.limits)? {
            Answer::Paved(paving) => Verdict::Block(self.keep_paving(paving)?),
            Answer::None(no) => {
                let refusal = Refusal { black: no.black, cells: no.cells, strength: Strength::Level(0) };
                if !self.oracle.was_easy() {
                    self.keep_refusal(refusal, None)?;
                }
                Verdict::Refusal(refusal)
            }
        })
    }

    /// Black's moves, until one is not answered or all are.
    fn try_moves(&mut self, stones: Stones<N>, level: u8) -> Result<Verdict<N>, Halt> {
        self.limits.count(1)?;
        let mut answered = Answered::new(self, stones);
        // The move that refused a block of a lower level is likely to do it again.
        let mut hint =
            self.refusals.best(stones.black, stones.white, Strength::Level(1)).and_then(|lemma| self.move_of(&lemma));
        while let Some(m) = hint
            .take()
            .filter(|m| answered.left.contains(*m))
            .or_else(|| self.promising(answered.left, stones, Player::Black))
        {
            match self.try_replies(stones, m, level, &answered.replies)? {
                Answering::None(refusal) => {
                    self.merits[m.index()][0] += 1 << level.min(20);
                    self.keep_refusal(refusal, Some(m))?;
                    return Ok(Verdict::Refusal(refusal));
                }
                Answering::By(o, child) if child.white.contains(o) => answered.by(o, child),
                Answering::By(_, child) | Answering::Anyhow(child) => return Ok(Verdict::Block(child)),
            }
        }
        Ok(Verdict::Block(self.keep_answers(answered)?))
    }

    /// Builds a block out of the replies of an engine that knows that White holds here, and by which moves.
    pub fn block_by(&mut self, engine: &mut impl Engine<N>, stones: Stones<N>) -> Result<Block<N>, BlockError> {
        if let Some(block) = self.block_known(stones, u16::MAX) {
            return Ok(block);
        }
        self.nodes += 1;
        self.limits.count(1)?;
        if let Some(paving) = self.oracle.paving_soon(stones, SOON, &self.limits) {
            return Ok(self.keep_paving(paving)?);
        }
        let mut answered = Answered::new(self, stones);
        while let Some(m) = self.answerable(engine, answered.left, stones)? {
            let after = stones.with(Player::Black, m);
            let alone = self.has_many_blocks() && engine.knows_hold(after);
            let known = if alone { None } else { self.reply_known(after) };
            let o = match known {
                Some(o) => o,
                None => engine.holding_move(after, usize::MAX)?.ok_or(BlockError::LostLemma)?,
            };
            let child = self.block_by(engine, after.with(Player::White, o))?;
            if !child.white.contains(o) {
                return Ok(child);
            }
            answered.by(o, child);
        }
        Ok(self.keep_answers(answered)?)
    }

    /// White's reply to this first move, with a block of at most this level after it; none if there is none, and whether
    /// Black then wins.
    pub fn answer_to(&mut self, first: Cell, level: u8) -> Result<Result<Cell, bool>, Halt> {
        let (start, after) = (self.start, self.start.with(Player::Black, first));
        if self.sets.iter().any(|set| set.is_subset(&after.black)) {
            return Ok(Err(true));
        }
        Ok(match self.try_replies(start, first, level, &[])? {
            Answering::By(reply, _) => Ok(reply),
            // Whatever she plays; on a full board nobody asks.
            Answering::Anyhow(_) => Ok((self.board - after.occupied()).first().unwrap_or(first)),
            Answering::None(refusal) => Err(matches!(refusal.strength, Strength::Win(_))),
        })
    }

    fn keep_answers(&mut self, answered: Answered<N>) -> Result<Block<N>, Halt> {
        let (block, replies) = answered.into_block();
        self.keep_block(block, Method::Reply(replies))?;
        Ok(block)
    }

    pub(crate) fn block_known(&self, stones: Stones<N>, most: u16) -> Option<Block<N>> {
        let lemma = self.block_for(stones, most)?;
        Some(Block { white: lemma.needs, zone: lemma.avoids, height: lemma.rank.0 })
    }

    /// White's first reply after which a block is known.
    pub(crate) fn reply_known(&self, after: Stones<N>) -> Option<Cell> {
        self.blocks.first_with(after.white, after.black, self.board - after.occupied())
    }

    fn refusal_known(&self, stones: Stones<N>, least: Strength) -> Option<Refusal<N>> {
        let lemma = self.refusal_for(stones, least)?;
        Some(Refusal { black: lemma.needs, cells: lemma.avoids, strength: lemma.rank })
    }

    /// White's replies to `m`, until one leads to a block or all are refused.
    fn try_replies(
        &mut self,
        stones: Stones<N>,
        m: Cell,
        level: u8,
        earlier: &[(Cell, CellSet<N>)],
    ) -> Result<Answering<N>, Halt> {
        let after = stones.with(Player::Black, m);
        let (mut reasons, mut left) = self.threats_by(m, after);
        if reasons.is_empty() {
            match self.solve(after, level - 1)? {
                Verdict::Block(block) => return Ok(Answering::Anyhow(block)),
                Verdict::Refusal(refusal) => {
                    left &= refusal.cells;
                    reasons.push(refusal);
                }
            }
        }
        // What answered Black's other moves comes first.
        let reply_before = |left: CellSet<N>| earlier.iter().rev().map(|&(o, _)| o).find(|&o| left.contains(o));
        for depth in 0..level {
            let mut untried = left;
            let deepest = depth + 1 == level;
            while let Some(o) = reply_before(untried).or_else(|| self.promising(untried, after, Player::White)) {
                match self.solve(after.with(Player::White, o), depth)? {
                    Verdict::Block(block) => {
                        self.merits[o.index()][1] += 1 << level.min(20);
                        return Ok(Answering::By(o, block));
                    }
                    Verdict::Refusal(refusal) => {
                        untried &= refusal.cells;
                        if refusal.strength >= Strength::Level(level - 1) {
                            left &= refusal.cells;
                            reasons.push(refusal);
                        }
                    }
                }
            }
            if deepest || left.is_empty() {
                break;
            }
        }
        Ok(Answering::None(self.refusal_by(m, stones, reasons)))
    }

    /// The most promising cell: many live sets with many black stones, and good before.
    fn promising(&self, left: CellSet<N>, Stones { black, white }: Stones<N>, player: Player) -> Option<Cell> {
        left.iter().max_by_key(|&cell| {
            let live = self.through[cell.index()].iter().map(|&index| self.sets[index as usize]);
            let weight: u64 =
                live.filter(|set| set.is_disjoint(&white)).map(|set| 1 << (2 * (set & black).len().min(16))).sum();
            weight * (self.merits[cell.index()][player as usize] + 1)
        })
    }

    /// The move of Black's to be answered next by an engine's replies: one it knows the answer to. Another move, though
    /// held as surely, it would have to search (snaky 8x8: 11 times as long).
    pub(crate) fn answerable(
        &self,
        engine: &mut impl Engine<N>,
        left: CellSet<N>,
        stones: Stones<N>,
    ) -> Result<Option<Cell>, Halt> {
        let mut rest = left;
        while let Some(m) = self.promising(rest, stones, Player::Black) {
            // What the engine sees may take it a while.
            self.limits.check_time()?;
            if engine.knows_hold(stones.with(Player::Black, m)) {
                return Ok(Some(m));
            }
            rest.remove(m);
        }
        Ok(self.promising(left, stones, Player::Black))
    }

    /// Whether looking for a block takes so long that an engine's reply is better taken as it is.
    pub(crate) fn has_many_blocks(&self) -> bool {
        self.blocks.count() > MANY
    }

    /// Lemmas may take so much from now on, and one lemma with its images more. Without it there is no bound.
    pub fn set_room(&mut self, room: Room) {
        self.room = room;
    }

    /// Whether the search halted because its lemmas filled the memory.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// The bytes its lemmas take.
    pub fn bytes(&self) -> usize {
        let listed = self.methods.len() * size_of::<Method<N>>() + self.moves.len() * size_of::<Option<Cell>>();
        self.blocks.bytes() + self.refusals.bytes() + self.method_bytes + listed
    }

    /// Makes room for a lemma that a proof may need.
    fn make_room(&mut self) -> Result<(), Halt> {
        if !self.room.exceeds(self.bytes()) {
            self.drop_levels();
            self.full = !self.room.has_for_proof(self.bytes());
        }
        self.room.has_pieces(self.blocks.listed() + self.refusals.listed() + self.method_bytes);
        if self.full { Err(Halt) } else { Ok(()) }
    }

    /// Forgets the refusals that are no wins. What the search has concluded from them stays true, and no proof needs them.
    fn drop_levels(&mut self) {
        let wins = std::mem::take(&mut self.refusals).at_least(Strength::ANY_WIN);
        let (mut moves, mut places) = (Vec::new(), AHashMap::new());
        for win in wins {
            let origin = *places.entry(win.origin).or_insert_with(|| {
                moves.push(self.moves[win.origin as usize]);
                moves.len() as u32 - 1
            });
            self.refusals.add(&Lemma { origin, ..win });
        }
        self.moves = moves;
    }

    fn keep_paving(&mut self, paving: Paving<N>) -> Result<Block<N>, Halt> {
        let block = Block { white: paving.white, zone: paving.zone, height: 0 };
        self.keep_block(block, Method::Pave(paving.pairs))?;
        Ok(block)
    }

    pub(crate) fn keep_block(&mut self, block: Block<N>, method: Method<N>) -> Result<(), Halt> {
        self.make_room()?;
        let images = self.images_of(block.white, block.zone, Reverse(block.height), self.methods.len());
        self.blocks.insert(&images);
        self.method_bytes += method.bytes();
        self.methods.push(method);
        Ok(())
    }

    fn keep_refusal(&mut self, refusal: Refusal<N>, black_move: Option<Cell>) -> Result<(), Halt> {
        match refusal.strength {
            Strength::Win(_) => self.make_room()?,
            // The rest is for what proofs need.
            Strength::Level(_) if !self.room.exceeds_by_a_part(self.bytes(), RESERVE) => return Ok(()),
            Strength::Level(_) => {}
        }
        let images = self.images_of(refusal.black, refusal.cells, refusal.strength, self.moves.len());
        self.refusals.insert(&images);
        self.moves.push(black_move);
        Ok(())
    }

    pub(crate) fn images_of<R: Rank>(
        &self,
        needs: CellSet<N>,
        avoids: CellSet<N>,
        rank: R,
        origin: usize,
    ) -> Vec<Lemma<N, R>> {
        let image = |(symmetry, map): (usize, &Symmetry)| Lemma {
            needs: map.set(&needs),
            avoids: map.set(&avoids),
            rank,
            origin: origin as u32,
            symmetry: symmetry as u16,
        };
        self.images.elements().iter().enumerate().map(image).collect()
    }

    /// The best block of at most so many moves.
    pub(crate) fn block_for(&self, stones: Stones<N>, most: u16) -> Option<Lemma<N, Reverse<u16>>> {
        self.blocks.best(stones.white, stones.black, Reverse(most))
    }

    /// The best refusal of at least this strength.
    pub(crate) fn refusal_for(&self, stones: Stones<N>, least: Strength) -> Option<Lemma<N, Strength>> {
        self.refusals.best(stones.black, stones.white, least)
    }

    /// How a block goes, in its own coordinates.
    pub(crate) fn method_of(&self, lemma: &Lemma<N, Reverse<u16>>) -> Method<N> {
        let map = &self.images.elements()[lemma.symmetry as usize];
        match &self.methods[lemma.origin as usize] {
            Method::Pave(pairs) => Method::Pave(pairs.iter().map(|&(a, b)| (map.cell(a), map.cell(b))).collect()),
            Method::Reply(replies) => Method::Reply(replies.iter().map(|&(o, r)| (map.cell(o), map.set(&r))).collect()),
        }
    }

    /// Black's move in a refusal, in its own coordinates.
    pub(crate) fn move_of(&self, lemma: &Lemma<N, Strength>) -> Option<Cell> {
        self.moves[lemma.origin as usize].map(|m| self.images.elements()[lemma.symmetry as usize].cell(m))
    }
}

/// Drops reasons that the others make superfluous, the widest first: the fewer, the more general the refusal.
fn drop_superfluous<const N: usize>(reasons: &mut Vec<Refusal<N>>, empty: CellSet<N>) {
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.cells.len()));
    let mut index = 0;
    while index < reasons.len() && reasons.len() > 1 {
        let others = reasons.iter().enumerate().filter(|&(other, _)| other != index);
        if others.fold(empty, |left, (_, reason)| left & reason.cells).is_empty() {
            reasons.remove(index);
        } else {
            index += 1;
        }
    }
}
