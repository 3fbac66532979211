//! The blocking search: White's moves and pavings together, both answers generalised.
//!
//! The question at *level* k, with Black to move: can White make k moves, whatever Black does, so that a paving exists
//! of what is left? A *block* (W, Z) answers yes in every position in which White owns at least W and Black none of Z.
//! A *refusal* (B, U) answers no in every position in which Black owns at least B and White none of U. At level 0 the
//! oracle gives both. Above, they are made of those of the children:
//!
//! *Black moves.* If m is answered by o and the child's block is (W, Z), then every move outside R = Z + o is answered
//! by o as well, by the same block. So Black has to be tried only in the intersection of the R found so far, and when
//! that is empty, the union of the R and of the W - o is a block of the parent: wherever it applies, each move of Black
//! misses one R. (White's own stones in the intersection are added to W: Black must not be able to play there. An o
//! that White owns already leaves her a free move, which never hurts.) A block that does not need o holds before m.
//!
//! *White replies.* If the reply o is refused by (B, U), then every reply outside U is refused as well, and the same
//! goes for no reply at all: it is asked first, and shows where White must play. When no reply is left, the union of the B
//! without m and of the U with m is a refusal of the parent: wherever it applies, Black plays m (or, if he owns it,
//! anything) and each reply misses one U. (Black's own stones in the intersection are added to B: White must not be
//! able to play there.)
//!
//! A refusal by a set that Black can complete at once is good at every level; so is one made of such refusals only. Then Black
//! wins, and the refusal is an attack node. Levels and heights of lemmas are their *ranks*, see [`WINS`].

use crate::effort::{Halt, Limits};
use crate::engines::blocking::error::BlockError;
use crate::engines::blocking::lemmas::{Lemma, Lemmas};
use crate::engines::engine::Engine;
use crate::engines::threats::forcing_win;
use crate::game::Game;
use crate::game::position::{Arena, Position};
use crate::game::symmetry::{Symmetry, SymmetryGroup};
use crate::paving::oracle::Oracle;
use crate::paving::{Answer, Pairs, Paving};
use harary_certificate::{Cell, CellSet, Player, Stones};

/// Ranks of refusals: the level below this, and `2 * WINS` less Black's moves from there up: a win says more than any
/// level, and more the sooner it comes. The rank of a block is `WINS` less its height.
pub const WINS: u16 = 1000;

/// A win by the next stone.
const WINS_AT_ONCE: u16 = 2 * WINS - 1;

/// Positions looked at for a win by forcing moves.
const FORCING_BUDGET: u32 = 200;

/// Steps of backtracking spent on a paving where an engine knows a reply anyway.
const SOON: u32 = 500;

/// White holds wherever she owns `white` and Black nothing in `zone`, by at most `height` moves and a paving.
#[derive(Clone, Copy, Debug)]
pub struct Block<const N: usize> {
    pub white: CellSet<N>,
    pub zone: CellSet<N>,
    pub height: u16,
}

/// White has no block of this rank wherever Black owns `black` and White nothing in `cells`.
#[derive(Clone, Copy, Debug)]
pub struct Refusal<const N: usize> {
    pub black: CellSet<N>,
    /// `black` included.
    pub cells: CellSet<N>,
    pub rank: u16,
}

/// The answer to a question.
#[derive(Clone, Copy, Debug)]
pub enum Verdict<const N: usize> {
    Block(Block<N>),
    Refusal(Refusal<N>),
}

/// How White's block goes.
#[derive(Clone, Debug)]
pub enum Method<const N: usize> {
    Pave(Vec<(Cell, Cell)>),
    /// Each reply with the cells R: it answers every move outside them.
    Reply(Vec<(Cell, CellSet<N>)>),
}

/// What a search has done so far.
#[derive(Clone, Copy, Default, Debug)]
pub struct Statistics {
    /// Positions that no lemma answered.
    pub nodes: u64,
    /// Questions to the SAT solver.
    pub calls: u64,
    pub blocks: usize,
    pub refusals: usize,
}

/// A search of one game, with everything it has learnt.
pub struct Search<'a, const N: usize> {
    pub(crate) sets: Vec<CellSet<N>>,
    /// The sets through each cell.
    through: Vec<Vec<u32>>,
    pub(crate) board: CellSet<N>,
    /// All symmetries of the game.
    pub(crate) symmetries: SymmetryGroup,
    /// Those under which lemmas are stored. A torus has too many; there the first move is always the same cell, and
    /// these are the symmetries that keep it.
    images: SymmetryGroup,
    oracle: Oracle<N>,
    blocks: Lemmas<N>,
    methods: Vec<Method<N>>,
    refusals: Lemmas<N>,
    /// Black's move, for each refusal above level 0.
    moves: Vec<Option<Cell>>,
    /// How often a cell was a good move, of Black and of White.
    merits: Vec<[u64; 2]>,
    /// The position last looked at for forcing moves, and its stones in the order they were put.
    position: Position<'a, N>,
    stones: Vec<(Cell, Player)>,
    limits: Limits,
    nodes: u64,
}

/// Black's moves in a position answered so far.
struct Answered<const N: usize> {
    block: Block<N>,
    /// The moves not answered yet.
    left: CellSet<N>,
    /// The cells in every R.
    common: CellSet<N>,
    replies: Vec<(Cell, CellSet<N>)>,
    white: CellSet<N>,
    at_start: bool,
}

impl<const N: usize> Answered<N> {
    fn new(search: &Search<N>, stones: Stones<N>) -> Answered<N> {
        let empty = search.board - stones.occupied();
        let at_start = empty == search.board;
        Answered {
            block: Block { white: CellSet::EMPTY, zone: CellSet::EMPTY, height: 0 },
            // Moves that are alike under the symmetries of the empty board are answered alike.
            left: if at_start { search.symmetries.representatives(&empty) } else { empty },
            common: search.board,
            replies: Vec::new(),
            white: stones.white,
            at_start,
        }
    }

    /// The reply `o` leads to a block that needs it.
    fn by(&mut self, o: Cell, child: Block<N>) {
        let region = child.zone.with(o);
        self.block.white |= child.white.without(o);
        self.block.zone |= region;
        self.block.height = self.block.height.max(child.height + 1);
        self.left &= region;
        self.common &= region;
        self.replies.push((o, region));
    }
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
        let images = if firsts.len() == 1 { symmetries.stabiliser(&[firsts]) } else { symmetries.clone() };
        Search {
            sets,
            through,
            board,
            symmetries,
            images,
            oracle: Oracle::new(game, Pairs::Any),
            blocks: Lemmas::default(),
            methods: Vec::new(),
            refusals: Lemmas::default(),
            moves: Vec::new(),
            merits: vec![[0; 2]; cells],
            position: Position::with_stones(arena, Stones::NONE),
            stones: Vec::new(),
            limits: Limits::none(),
            nodes: 0,
        }
    }

    /// Stops at these limits from now on.
    pub fn limit(&mut self, limits: Limits) {
        self.limits = limits;
    }

    pub fn statistics(&self) -> Statistics {
        Statistics {
            nodes: self.nodes,
            calls: self.oracle.calls(),
            blocks: self.blocks.count(),
            refusals: self.refusals.count(),
        }
    }

    /// Answers the question at `level` for a position with Black to move.
    pub fn solve(&mut self, stones: Stones<N>, level: u16) -> Result<Verdict<N>, Halt> {
        let Stones { black, white } = stones;
        if let Some(&set) = self.sets.iter().find(|set| set.is_disjoint(&white) && (**set - black).len() < 2) {
            return Ok(Verdict::Refusal(Refusal { black: set & black, cells: set, rank: WINS_AT_ONCE }));
        }
        if let Some(block) = self.block_known(stones, WINS - level) {
            return Ok(Verdict::Block(block));
        }
        if let Some(refusal) = self.refusal_known(stones, level) {
            return Ok(Verdict::Refusal(refusal));
        }
        self.nodes += 1;
        if let Some(refusal) = self.force(stones) {
            return Ok(Verdict::Refusal(refusal));
        }
        if level == 0 { self.pave(stones) } else { self.try_moves(stones, level) }
    }

    /// A win by forcing moves, good at every level: each move of the line but the last makes one threat, so that White's
    /// reply is known, and the last makes two.
    fn force(&mut self, stones: Stones<N>) -> Option<Refusal<N>> {
        self.go_to(stones);
        let mut budget = FORCING_BUDGET;
        let (m, _) = forcing_win(&mut self.position, self.board.len(), 0, &mut budget)?;
        let (mut reasons, left) = self.threats_by(m, stones.with(Player::Black, m));
        if let Some(o) = left.first() {
            let after = stones.with(Player::Black, m).with(Player::White, o);
            let known = self.refusal_known(after, WINS);
            reasons.push(match known {
                Some(known) => known,
                None => self.force(after)?,
            });
        }
        let refusal = self.refusal_by(m, stones, reasons);
        self.keep_refusal(refusal, Some(m));
        Some(refusal)
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
                threats.push(Refusal { black: set & black, cells: set, rank: WINS_AT_ONCE });
                left &= set;
            }
        }
        (threats, left)
    }

    /// The refusal made of those of all replies to `m`.
    fn refusal_by(&self, m: Cell, stones: Stones<N>, mut reasons: Vec<Refusal<N>>) -> Refusal<N> {
        let black = stones.black.with(m);
        drop_superfluous(&mut reasons, self.board - black - stones.white);
        let mut refusal = Refusal { black: CellSet::EMPTY, cells: CellSet::single(m), rank: WINS_AT_ONCE };
        let mut common = self.board;
        for reason in &reasons {
            refusal.black |= reason.black;
            refusal.cells |= reason.cells;
            refusal.rank = refusal.rank.min(reason.rank);
            common &= reason.cells;
        }
        refusal.black = (refusal.black | (common & black)).without(m);
        refusal.rank = if refusal.rank < WINS { refusal.rank + 1 } else { refusal.rank - 1 };
        refusal
    }

    /// Level 0: the oracle's answer.
    fn pave(&mut self, stones: Stones<N>) -> Result<Verdict<N>, Halt> {
        Ok(match self.oracle.paving_within(stones, &self.limits)? {
            Answer::Paved(paving) => Verdict::Block(self.keep_paving(paving)),
            Answer::None(no) => {
                let refusal = Refusal { black: no.black, cells: no.cells, rank: 0 };
                if !self.oracle.was_easy() {
                    self.keep_refusal(refusal, None);
                }
                Verdict::Refusal(refusal)
            }
        })
    }

    /// Black's moves, until one is not answered or all are.
    fn try_moves(&mut self, stones: Stones<N>, level: u16) -> Result<Verdict<N>, Halt> {
        self.limits.count(1)?;
        let mut answered = Answered::new(self, stones);
        // The move that refused a block of a lower level is likely to do it again.
        let mut hint = self.refusals.best(stones.black, stones.white, 1).and_then(|lemma| self.move_of(&lemma));
        while let Some(m) = hint
            .take()
            .filter(|m| answered.left.contains(*m))
            .or_else(|| self.promising(answered.left, stones, Player::Black))
        {
            match self.try_replies(stones, m, level, &answered.replies)? {
                Err(refusal) => {
                    self.merits[m.index()][0] += 1 << level.min(20);
                    self.keep_refusal(refusal, Some(m));
                    return Ok(Verdict::Refusal(refusal));
                }
                Ok((Some(o), child)) if child.white.contains(o) => answered.by(o, child),
                Ok((_, child)) => return Ok(Verdict::Block(child)),
            }
        }
        Ok(Verdict::Block(self.keep_answers(answered)))
    }

    /// Builds a block out of the replies of an engine that knows that White holds here, and by which moves.
    pub fn block_by(&mut self, engine: &mut impl Engine<N>, stones: Stones<N>) -> Result<Block<N>, BlockError> {
        if let Some(block) = self.block_known(stones, 0) {
            return Ok(block);
        }
        self.nodes += 1;
        self.limits.count(1)?;
        if let Some(paving) = self.oracle.paving_soon(stones, SOON) {
            return Ok(self.keep_paving(paving));
        }
        let mut answered = Answered::new(self, stones);
        while let Some(m) = self.answerable(engine, answered.left, stones) {
            let after = stones.with(Player::Black, m);
            let reply = |o| Some((o, self.block_known(after.with(Player::White, o), 0)?));
            let known = (self.board - after.occupied()).iter().find_map(reply);
            let (o, child) = match known {
                Some(known) => known,
                None => {
                    let o = engine.holding_move(after, usize::MAX)?.ok_or(BlockError::LostLemma)?;
                    (o, self.block_by(engine, after.with(Player::White, o))?)
                }
            };
            if !child.white.contains(o) {
                return Ok(child);
            }
            answered.by(o, child);
        }
        Ok(self.keep_answers(answered))
    }

    fn keep_answers(&mut self, answered: Answered<N>) -> Block<N> {
        let Answered { mut block, at_start, common, white, replies, .. } = answered;
        if at_start {
            // Every move is alike one of those answered, so the block of the whole board is made of these.
            block = Block { white: CellSet::EMPTY, zone: self.board, height: block.height };
        } else {
            block.white |= common & white;
            block.zone -= block.white;
        }
        self.keep_block(block, Method::Reply(replies));
        block
    }

    fn block_known(&self, stones: Stones<N>, rank: u16) -> Option<Block<N>> {
        let lemma = self.block_for(stones, rank)?;
        Some(Block { white: lemma.needs, zone: lemma.avoids, height: WINS - lemma.rank })
    }

    fn refusal_known(&self, stones: Stones<N>, rank: u16) -> Option<Refusal<N>> {
        let lemma = self.refusal_for(stones, rank)?;
        Some(Refusal { black: lemma.needs, cells: lemma.avoids, rank: lemma.rank })
    }

    /// White's replies to `m`, until one leads to a block or all are refused; `None` with a block that needs no reply.
    #[allow(clippy::type_complexity)]
    fn try_replies(
        &mut self,
        stones: Stones<N>,
        m: Cell,
        level: u16,
        earlier: &[(Cell, CellSet<N>)],
    ) -> Result<Result<(Option<Cell>, Block<N>), Refusal<N>>, Halt> {
        let after = stones.with(Player::Black, m);
        let (mut reasons, mut left) = self.threats_by(m, after);
        if reasons.is_empty() {
            match self.solve(after, level - 1)? {
                Verdict::Block(block) => return Ok(Ok((None, block))),
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
                        return Ok(Ok((Some(o), block)));
                    }
                    Verdict::Refusal(refusal) => {
                        untried &= refusal.cells;
                        if refusal.rank + 1 >= level {
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
        Ok(Err(self.refusal_by(m, stones, reasons)))
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

    /// The move of Black's to be answered next by an engine's replies: one it knows the answer to. Another move, though held
    /// as surely, it would have to search (snaky 8x8: 11 times as long).
    fn answerable(&self, engine: &mut impl Engine<N>, left: CellSet<N>, stones: Stones<N>) -> Option<Cell> {
        let mut rest = left;
        while let Some(m) = self.promising(rest, stones, Player::Black) {
            if engine.knows_hold(stones.with(Player::Black, m)) {
                return Some(m);
            }
            rest.remove(m);
        }
        self.promising(left, stones, Player::Black)
    }

    fn keep_paving(&mut self, paving: Paving<N>) -> Block<N> {
        let block = Block { white: paving.white, zone: paving.zone, height: 0 };
        self.keep_block(block, Method::Pave(paving.pairs));
        block
    }

    fn keep_block(&mut self, block: Block<N>, method: Method<N>) {
        let images = self.images_of(block.white, block.zone, WINS - block.height, self.methods.len());
        self.blocks.insert(&images);
        self.methods.push(method);
    }

    fn keep_refusal(&mut self, refusal: Refusal<N>, black_move: Option<Cell>) {
        let images = self.images_of(refusal.black, refusal.cells, refusal.rank, self.moves.len());
        self.refusals.insert(&images);
        self.moves.push(black_move);
    }

    fn images_of(&self, needs: CellSet<N>, avoids: CellSet<N>, rank: u16, origin: usize) -> Vec<Lemma<N>> {
        let image = |(symmetry, map): (usize, &Symmetry)| Lemma {
            needs: map.set(&needs),
            avoids: map.set(&avoids),
            rank,
            origin: origin as u32,
            symmetry: symmetry as u16,
        };
        self.images.elements().iter().enumerate().map(image).collect()
    }

    /// The best block of at least this rank.
    pub(crate) fn block_for(&self, stones: Stones<N>, rank: u16) -> Option<Lemma<N>> {
        self.blocks.best(stones.white, stones.black, rank)
    }

    /// The best refusal of at least this rank.
    pub(crate) fn refusal_for(&self, stones: Stones<N>, rank: u16) -> Option<Lemma<N>> {
        self.refusals.best(stones.black, stones.white, rank)
    }

    /// How a block goes, in its own coordinates.
    pub(crate) fn method_of(&self, lemma: &Lemma<N>) -> Method<N> {
        let map = &self.images.elements()[lemma.symmetry as usize];
        match &self.methods[lemma.origin as usize] {
            Method::Pave(pairs) => Method::Pave(pairs.iter().map(|&(a, b)| (map.cell(a), map.cell(b))).collect()),
            Method::Reply(replies) => Method::Reply(replies.iter().map(|&(o, r)| (map.cell(o), map.set(&r))).collect()),
        }
    }

    /// Black's move in a refusal, in its own coordinates.
    pub(crate) fn move_of(&self, lemma: &Lemma<N>) -> Option<Cell> {
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
