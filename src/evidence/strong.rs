//! Strong blocks: holds of the strong game, drawn out of an engine as nodes of a proof.
//!
//! Lemma 7 of [docs/game.md](../../docs/game.md#lemma-7-strong-blocks). A strong block (W, Z) holds in every position in
//! which White owns at least W and Black none of Z, by White's replies and her own threats. The engine is asked for a
//! reply only where no block is known that applies, so what is written is a fraction of what was searched. Where White
//! holds the weak game, the block is one of the blocking search.

use crate::effort::memory::bytes_of;
use crate::effort::tuning::lemmas::MANY;
use crate::effort::tuning::numbers::ORACLE_NODES;
use crate::effort::{Halt, Limits, Memory, Room};
use crate::engines::blocking::BlockError;
use crate::engines::blocking::lemmas::{Lemma, Lemmas};
use crate::engines::blocking::search::{Answered, Block, Search};
use crate::engines::engine::Engine;
use crate::engines::maker_breaker::MakerBreaker;
use crate::game::Game;
use crate::game::position::Arena;
use harary_certificate::{Cell, CellSet, Player, Stones};
use std::cmp::Reverse;

/// How a strong block goes.
#[derive(Clone, Debug)]
pub(super) enum Method<const N: usize> {
    /// Each reply with the cells it does not answer: it answers every move outside them.
    Reply(Vec<(Cell, CellSet<N>)>),
    /// White threatens to complete a set at the first cell; when Black plays there she replies at the second.
    Threat(Cell, Cell),
}

/// Strong blocks of one game, found by subsumption.
pub struct StrongBlocks<'a, const N: usize> {
    /// The blocks of the weak game.
    pub(super) weak: Search<'a, N>,
    maker_breaker: MakerBreaker<'a, N>,
    white_sets: Vec<CellSet<N>>,
    lemmas: Lemmas<N, Reverse<u16>>,
    methods: Vec<Method<N>>,
    /// The bytes of what the methods list.
    method_bytes: usize,
    /// What strong blocks may take; the blocks of the weak game have a room of their own.
    room: Room,
    full: bool,
    limits: Limits,
}

impl<'a, const N: usize> StrongBlocks<'a, N> {
    /// Blocks of a game, given also as the arena of its weak form and as a search of it.
    pub fn new(
        game: &Game,
        arena: &'a Arena<N>,
        maker_breaker: MakerBreaker<'a, N>,
        limits: &Limits,
    ) -> StrongBlocks<'a, N> {
        let mut weak = Search::new(game, arena);
        weak.limit(limits.clone());
        StrongBlocks {
            weak,
            maker_breaker,
            white_sets: game.white_sets().iter().map(|set| set.resized()).collect(),
            lemmas: Lemmas::default(),
            methods: Vec::new(),
            method_bytes: 0,
            room: Room::unbounded(),
            full: false,
            limits: limits.clone(),
        }
    }

    /// Lemmas of each kind may take so many bytes of an account.
    pub fn within(mut self, bytes: usize, account: &Memory) -> StrongBlocks<'a, N> {
        self.room = Room::new(bytes, account);
        self.weak.set_room(Room::new(bytes, account));
        self
    }

    /// Whether the lemmas filled the memory: then it has halted for good.
    pub fn is_full(&self) -> bool {
        self.full || self.weak.is_full()
    }

    /// A block for a position with Black to move that White holds, as the engine knows.
    pub fn block_by(&mut self, engine: &mut impl Engine<N>, stones: Stones<N>) -> Result<Block<N>, BlockError> {
        if let Some(block) = self.known(stones) {
            return Ok(block);
        }
        self.limits.count(1)?;
        let threats = self.threats(stones);
        if let [(first, one), (second, other), ..] = threats[..] {
            let needs = one.without(first) | other.without(second);
            let zone = CellSet::single(first).with(second);
            return self.keep_threat(Block { white: needs, zone, height: 1 }, (first, second), stones);
        }
        if self.maker_breaker.holds_within(stones, ORACLE_NODES)? {
            return self.weak.block_by(&mut self.maker_breaker, stones);
        }
        if let Some(&(threat, set)) = threats.first() {
            let (reply, child) = self.answer(engine, stones.with(Player::Black, threat))?;
            if !child.white.contains(reply) {
                return Ok(child);
            }
            let white = set.without(threat) | child.white.without(reply);
            let zone = child.zone.with(reply).with(threat);
            return self.keep_threat(Block { white, zone, height: child.height + 1 }, (threat, reply), stones);
        }
        let mut answered = Answered::new(&self.weak, stones);
        while let Some(m) = self.weak.answerable(engine, answered.left, stones)? {
            let (reply, child) = self.answer(engine, stones.with(Player::Black, m))?;
            if !child.white.contains(reply) {
                return Ok(child);
            }
            answered.by(reply, child);
        }
        let (block, replies) = answered.into_block();
        self.keep(block, Method::Reply(replies))
    }

    /// White's reply in a position in which she completes nothing, and the block after it.
    fn answer(&mut self, engine: &mut impl Engine<N>, after: Stones<N>) -> Result<(Cell, Block<N>), BlockError> {
        let many = self.lemmas.count() > MANY || self.weak.has_many_blocks();
        let known = if many && engine.knows_hold(after) { None } else { self.reply_known(after) };
        let reply = match known {
            Some(reply) => reply,
            None => engine.holding_move(after, self.weak.board.len())?.ok_or(BlockError::LostLemma)?,
        };
        Ok((reply, self.block_by(engine, after.with(Player::White, reply))?))
    }

    /// White's first reply after which a block is known.
    fn reply_known(&self, after: Stones<N>) -> Option<Cell> {
        let strong = self.lemmas.first_with(after.white, after.black, self.weak.board - after.occupied());
        self.weak.reply_known(after).into_iter().chain(strong).min()
    }

    /// Where White completes a set at once, and which; each cell once.
    fn threats(&self, stones: Stones<N>) -> Vec<(Cell, CellSet<N>)> {
        let mut threats: Vec<(Cell, CellSet<N>)> = Vec::new();
        for set in self.white_sets.iter().filter(|set| set.is_disjoint(&stones.black)) {
            let missing = *set - stones.white;
            if let (1, Some(cell)) = (missing.len(), missing.first())
                && threats.iter().all(|(other, _)| *other != cell)
            {
                threats.push((cell, *set));
            }
        }
        threats
    }

    /// Whether White has completed a set.
    pub(super) fn is_complete(&self, white: CellSet<N>) -> bool {
        self.white_sets.iter().any(|set| set.is_subset(&white))
    }

    /// Keeps a block by a threat. Wherever it applies Black must not complete a set by playing elsewhere, so each of his
    /// sets is stopped by a stone the block needs or has two cells in the zone.
    fn keep_threat(
        &mut self,
        mut block: Block<N>,
        (threat, reply): (Cell, Cell),
        stones: Stones<N>,
    ) -> Result<Block<N>, BlockError> {
        for set in &self.weak.sets {
            let wanted = 2usize.saturating_sub((*set & block.zone).len());
            if wanted == 0 || !set.is_disjoint(&block.white) {
                continue;
            }
            if let Some(stone) = (*set & stones.white).first() {
                block.white.insert(stone);
                continue;
            }
            let free = *set - block.zone - stones.black;
            free.iter().take(wanted).for_each(|cell| block.zone.insert(cell));
        }
        block.zone -= block.white;
        self.keep(block, Method::Threat(threat, reply))
    }

    /// The bytes of the strong blocks alone.
    fn bytes(&self) -> usize {
        self.lemmas.bytes() + self.methods.len() * size_of::<Method<N>>() + self.method_bytes
    }

    pub(super) fn keep(&mut self, block: Block<N>, method: Method<N>) -> Result<Block<N>, BlockError> {
        self.full = !self.room.has_for_proof(self.bytes());
        self.room.has_pieces(self.lemmas.listed() + self.method_bytes);
        if self.full {
            return Err(BlockError::Halt(Halt));
        }
        let images = self.weak.images_of(block.white, block.zone, Reverse(block.height), self.methods.len());
        self.lemmas.insert(&images);
        if let Method::Reply(replies) = &method {
            self.method_bytes += bytes_of(replies);
        }
        self.methods.push(method);
        Ok(block)
    }

    /// A block that applies to a position with Black to move, of the weak game if there is one.
    fn known(&self, stones: Stones<N>) -> Option<Block<N>> {
        self.weak.block_known(stones, u16::MAX).or_else(|| {
            let lemma = self.block_for(stones, u16::MAX)?;
            Some(Block { white: lemma.needs, zone: lemma.avoids, height: lemma.rank.0 })
        })
    }

    /// The best strong block of at most this height.
    pub(super) fn block_for(&self, stones: Stones<N>, most: u16) -> Option<Lemma<N, Reverse<u16>>> {
        self.lemmas.best(stones.white, stones.black, Reverse(most))
    }

    /// How a block goes, in its own coordinates.
    pub(super) fn method_of(&self, lemma: &Lemma<N, Reverse<u16>>) -> Method<N> {
        let map = &self.weak.images.elements()[lemma.symmetry as usize];
        match &self.methods[lemma.origin as usize] {
            Method::Reply(replies) => Method::Reply(replies.iter().map(|&(o, r)| (map.cell(o), map.set(&r))).collect()),
            Method::Threat(threat, reply) => Method::Threat(map.cell(*threat), map.cell(*reply)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::busy::Busy;
    use crate::engines::canon::Canon;
    use crate::engines::maker_breaker::{Alike, Shared};
    use crate::engines::table::Table;
    use crate::engines::twin::Twin;
    use crate::evidence::Evidence;
    use crate::evidence::nodes::BlockProof;
    use crate::game::Sets;
    use harary_certificate::{Board, Rule, Schedule, Shape, Topology, WideSet, check};
    use proptest::prelude::*;

    /// If White holds, the twin's replies become strong blocks and the checker accepts them: the text.
    fn certificate(game: &Game) -> Option<String> {
        let limits = Limits::none();
        let mut twin = Twin::<1>::new(game, &limits);
        if twin.win_turn(Stones::NONE).unwrap().is_some() {
            return None;
        }
        let arena = Arena::new(&game.weak());
        let canon = Canon::new(&game.symmetries(), game.vertices());
        let (table, busy) = (Table::new(1 << 16), Busy::new(1));
        let weak = MakerBreaker::new(game, &Shared { table: &table, alike: Alike::BySymmetry(&canon), busy: &busy });
        let mut blocks = StrongBlocks::new(game, &arena, weak, &limits);
        let proof = BlockProof::of_strong(&mut blocks, &mut twin).unwrap();
        let mut text = Vec::new();
        proof.write(game, &mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        check(text.as_bytes()).unwrap_or_else(|refused| panic!("{refused}\n{text}"));
        // The newer format is for what needs it.
        assert_eq!(text.starts_with("harary-certificate 2"), text.contains("\ns ") || text.contains("\ng "));
        Some(text)
    }

    #[test]
    fn holds_of_small_boards_are_held_by_blocks() {
        let mut held = 0;
        for rows in ["XX", "XXX", "X./XX", "XX/XX", "XX./.XX", ".X./XXX", "X../XXX", "XXXX", "X.X", "X./.X", "XX.X"] {
            for sides in [(2, 2), (3, 3), (4, 3), (2, 5)] {
                for topology in [Topology::Plain, Topology::Torus] {
                    let board = Board::new(sides.0, sides.1, topology).unwrap();
                    let game = Game::new(Shape::from_rows(rows).unwrap(), board, Rule::Strong);
                    held += usize::from(certificate(&game).is_some());
                }
            }
        }
        assert!(held > 30, "{held} held");
    }

    fn of_sets(vertices: usize, black: Vec<WideSet>, white: Vec<WideSet>) -> Option<Game> {
        Game::of_sets(Sets {
            names: (0..vertices).map(|vertex| vertex.to_string()).collect(),
            black,
            white,
            rule: Rule::Strong,
            schedule: Schedule::alternating(vertices),
            black_start: WideSet::EMPTY,
            white_start: WideSet::EMPTY,
            first: None,
        })
        .ok()
    }

    /// A weak win that White holds by threats of her own, and only so.
    #[test]
    fn tic_tac_toe_is_held_by_threats() {
        let rows = ["012", "345", "678", "036", "147", "258", "048", "246"];
        let of = |row: &str| row.bytes().map(|digit| Cell::new(usize::from(digit - b'0'))).collect::<WideSet>();
        let sets: Vec<WideSet> = rows.iter().map(|row| of(row)).collect();
        let text = certificate(&of_sets(9, sets.clone(), sets).unwrap()).expect("White holds");
        assert!(text.contains("threat") && text.contains("\ns "), "{text}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_500))]

        /// Games whose sets differ for the two sides, some of one cell.
        #[test]
        fn games_of_any_sets_held_by_threats_are_held_by_strong_blocks(
            vertices in 2..9usize, same: bool,
            black in prop::collection::vec((any::<u64>(), any::<u64>()), 1..9),
            white in prop::collection::vec((any::<u64>(), any::<u64>()), 1..9),
        ) {
            let within = |&(a, b): &(u64, u64)| {
                (0..vertices).map(Cell::new).filter(|c| (a & b) >> c.index() & 1 == 1).collect::<WideSet>()
            };
            let sets = |list: &[(u64, u64)]| -> Vec<WideSet> {
                list.iter().map(within).filter(|set| !set.is_empty()).collect()
            };
            let black = sets(&black);
            let white = if same { black.clone() } else { sets(&white) };
            if let Some(game) = of_sets(vertices, black, white) {
                certificate(&game);
            }
        }
    }
}
