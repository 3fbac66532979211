//! Proofs of the blocking search, written as certificates.
//!
//! The lemmas of the search overlap with stones the position already has: a block may contest a cell that White owns.
//! Certificates know no such overlap, so the proof is read off the store position by position, each lemma cut down to the
//! position it is used in. The lemma of a child is always there, and of less height, because the search made the parent
//! of it and the store only ever drops a lemma for one that says as much.

use crate::engines::blocking::BlockError;
use crate::engines::blocking::search::{Method, Search, Strength};
use crate::engines::engine::Engine;
use crate::evidence::Evidence;
use crate::evidence::opening::{begin, begin_in};
use crate::evidence::strong::{self, StrongBlocks};
use crate::game::Game;
use crate::paving::Paving;
use ahash::AHashMap;
use harary_certificate::model::{After, Answer, Format, Kind, Pair};
use harary_certificate::{Cell, CellSet, CertificateWriter, Claim, Stones};
use std::io::{self, Write};

/// A node, `own` being the stones it rests on and `open` the contested cells; its number is its place.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Node<const N: usize, A> {
    own: CellSet<N>,
    open: CellSet<N>,
    answer: A,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Blocking {
    Pave(Vec<(Cell, Cell)>),
    /// Black's move, White's reply, the child.
    Reply(Vec<(Cell, Cell, u32)>),
    /// The same in the strong game; without a child the reply completes a set of White's.
    StrongReply(Vec<(Cell, Cell, Option<u32>)>),
    /// White's threat, her reply when Black plays there, the child.
    Threat(Cell, Cell, Option<u32>),
}

#[derive(Clone, Debug)]
enum Attacking {
    Done(Cell),
    Move(Cell, Vec<(Cell, u32)>),
}

/// Proof that White holds: block nodes, the root last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockProof<const N: usize> {
    nodes: Vec<Node<N, Blocking>>,
}

/// Proof that Black wins the weak game: attack nodes, the root last.
#[derive(Clone, Debug)]
pub struct AttackProof<const N: usize> {
    nodes: Vec<Node<N, Attacking>>,
    /// Black's moves at most.
    height: usize,
}

impl<const N: usize> BlockProof<N> {
    /// The proof a search has found of the empty board.
    pub fn of(search: &Search<N>) -> Result<BlockProof<N>, BlockError> {
        let mut reader = Reader::new();
        reader.block(search, CellSet::EMPTY, search.board, u16::MAX)?;
        Ok(BlockProof { nodes: reader.nodes })
    }

    /// The proof of the empty board by strong blocks, out of the replies of an engine that knows that White holds.
    pub fn of_strong(blocks: &mut StrongBlocks<N>, engine: &mut impl Engine<N>) -> Result<BlockProof<N>, BlockError> {
        blocks.block_by(engine, Stones::NONE)?;
        let mut reader = Reader::new();
        reader.strong_block(blocks, CellSet::EMPTY, blocks.weak.board, u16::MAX)?;
        Ok(BlockProof { nodes: reader.nodes })
    }

    /// Whether it has nodes that only format 2 knows.
    pub(super) fn is_strong(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node.answer, Blocking::StrongReply(_) | Blocking::Threat(..)))
    }

    /// A paving of the start is a proof by itself.
    pub fn of_paving(paving: Paving<N>) -> BlockProof<N> {
        let Paving { pairs, white, zone } = paving;
        BlockProof { nodes: vec![Node { own: white, open: zone, answer: Blocking::Pave(pairs) }] }
    }

    /// Writes the nodes alone.
    pub fn write_nodes(&self, writer: &mut CertificateWriter<impl Write>) -> io::Result<()> {
        for (id, node) in self.nodes.iter().enumerate() {
            let kind = match &node.answer {
                Blocking::Pave(pairs) => Kind::Pave(pairs.iter().map(|&(a, b)| Pair { a, b }).collect()),
                Blocking::Reply(list) => {
                    let answer = |&(to, reply, child)| Answer { to, reply, child: Some(child) };
                    Kind::Reply(list.iter().map(answer).collect())
                }
                Blocking::StrongReply(list) => {
                    Kind::StrongReply(list.iter().map(|&(to, reply, child)| Answer { to, reply, child }).collect())
                }
                &Blocking::Threat(to, reply, child) => Kind::Threat(Answer { to, reply, child }),
            };
            writer.node(id as u32, &node.own, &node.open, &kind)?;
        }
        Ok(())
    }
}

impl<const N: usize> Evidence for BlockProof<N> {
    fn claim(&self) -> Claim {
        Claim::Hold(None)
    }

    fn write(&self, game: &Game, out: &mut dyn Write) -> io::Result<()> {
        let format = if self.is_strong() { Format::Two } else { Format::One };
        let mut writer = begin_in(format, out, game, &game.header(self.claim(), false, None))?;
        self.write_nodes(&mut writer)?;
        writer.root(self.nodes.len() as u32 - 1)
    }
}

/// Nodes for many positions, shared by all of them: a proof that grows.
#[derive(Clone, Debug)]
pub struct BlockNodes<const N: usize>(Reader<N, Blocking, ()>);

impl<const N: usize> Default for BlockNodes<N> {
    fn default() -> BlockNodes<N> {
        BlockNodes(Reader::new())
    }
}

impl<const N: usize> BlockNodes<N> {
    /// The node that holds this position, Black to move, by a block the search knows.
    pub fn add(&mut self, search: &Search<N>, stones: Stones<N>) -> Result<u32, BlockError> {
        self.0.block(search, stones.white, search.board - stones.occupied(), u16::MAX)
    }

    /// The same by a strong block.
    pub fn add_strong(&mut self, blocks: &StrongBlocks<N>, stones: Stones<N>) -> Result<u32, BlockError> {
        self.0.strong_block(blocks, stones.white, blocks.weak.board - stones.occupied(), u16::MAX)
    }

    /// The nodes so far.
    pub fn into_proof(self) -> BlockProof<N> {
        BlockProof { nodes: self.0.nodes }
    }
}

impl<const N: usize> AttackProof<N> {
    /// The proof a search has found of a start without stones of Black's.
    pub fn of(search: &Search<N>) -> Result<AttackProof<N>, BlockError> {
        let mut reader = Reader::new();
        let (_, height) =
            reader.attack(search, CellSet::EMPTY, search.board - search.start.white, Strength::ANY_WIN)?;
        Ok(AttackProof { nodes: reader.nodes, height })
    }

    /// The turn by which this proof wins; there may be faster ones.
    pub fn turn(&self) -> usize {
        2 * self.height - 1
    }

    /// Black's first move.
    pub fn first_move(&self) -> Option<Cell> {
        self.nodes.last().map(|root| match root.answer {
            Attacking::Done(cell) | Attacking::Move(cell, _) => cell,
        })
    }
}

/// The game must be weak: the proof says nothing of White's own sets.
impl<const N: usize> Evidence for AttackProof<N> {
    fn claim(&self) -> Claim {
        Claim::Win(self.turn())
    }

    fn write(&self, game: &Game, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = begin(out, game, &game.header(self.claim(), false, None))?;
        for (id, node) in self.nodes.iter().enumerate() {
            let kind = match &node.answer {
                Attacking::Done(cell) => Kind::Done(*cell),
                Attacking::Move(m, list) => {
                    Kind::Move(*m, list.iter().map(|&(reply, child)| After { reply, child }).collect())
                }
            };
            writer.node(id as u32, &node.own, &node.open, &kind)?;
        }
        writer.root(self.nodes.len() as u32 - 1)
    }
}

/// Reads a proof off a search; `V` is what is known of a node besides its number.
#[derive(Clone, Debug)]
struct Reader<const N: usize, A, V> {
    nodes: Vec<Node<N, A>>,
    known: AHashMap<(CellSet<N>, CellSet<N>), (u32, V)>,
}

impl<const N: usize, A, V: Copy> Reader<N, A, V> {
    fn new() -> Reader<N, A, V> {
        Reader { nodes: Vec::new(), known: AHashMap::new() }
    }

    fn add(&mut self, own: CellSet<N>, open: CellSet<N>, answer: A, value: V) -> (u32, V) {
        let id = self.nodes.len() as u32;
        self.nodes.push(Node { own, open, answer });
        self.known.insert((own, open), (id, value));
        (id, value)
    }
}

impl<const N: usize> Reader<N, Blocking, ()> {
    /// The node for the position in which White owns `white`, `empty` is empty and Black owns the rest.
    fn block(
        &mut self,
        search: &Search<N>,
        white: CellSet<N>,
        empty: CellSet<N>,
        most: u16,
    ) -> Result<u32, BlockError> {
        let lemma =
            search.block_for(Stones::new(search.board - white - empty, white), most).ok_or(BlockError::LostLemma)?;
        let (own, open) = (white & (lemma.needs | lemma.avoids), empty & lemma.avoids);
        if let Some(&(id, ())) = self.known.get(&(own, open)) {
            return Ok(id);
        }
        let replies = match search.method_of(&lemma) {
            Method::Pave(pairs) => {
                let kept = pairs.into_iter().filter(|&(a, b)| open.contains(a) && open.contains(b)).collect();
                return Ok(self.add(own, open, Blocking::Pave(kept), ()).0);
            }
            // No room for a move and a reply: White's stones stop every set, else the block would not hold.
            Method::Reply(_) if open.len() < 2 => return Ok(self.add(own, open, Blocking::Pave(Vec::new()), ()).0),
            Method::Reply(replies) => replies,
        };
        let mut answers = Vec::new();
        for m in search.symmetries.stabiliser(&[own, open]).representatives(&open).iter() {
            let &(reply, _) = replies.iter().find(|(_, region)| !region.contains(m)).ok_or(BlockError::LostLemma)?;
            // If White owns the reply already, any other stone does no harm.
            let left = open.without(m);
            let o = if left.contains(reply) { reply } else { left.first().ok_or(BlockError::LostLemma)? };
            answers.push((m, o, self.block(search, own.with(o), left.without(o), lemma.rank.0.saturating_sub(1))?));
        }
        Ok(self.add(own, open, Blocking::Reply(answers), ()).0)
    }
}

impl<const N: usize> Reader<N, Blocking, ()> {
    /// The same by a strong block of at most this height, or by one of the weak game. A strong block never has the sets of
    /// a weak one: where the latter applies, it is taken.
    fn strong_block(
        &mut self,
        blocks: &StrongBlocks<N>,
        white: CellSet<N>,
        empty: CellSet<N>,
        most: u16,
    ) -> Result<u32, BlockError> {
        let stones = Stones::new(blocks.weak.board - white - empty, white);
        if blocks.weak.block_for(stones, u16::MAX).is_some() {
            return self.block(&blocks.weak, white, empty, u16::MAX);
        }
        let lemma = blocks.block_for(stones, most).ok_or(BlockError::LostLemma)?;
        let (own, open) = (white & (lemma.needs | lemma.avoids), empty & lemma.avoids);
        if let Some(&(id, ())) = self.known.get(&(own, open)) {
            return Ok(id);
        }
        // No room for a move and a reply: White's stones stop every set, else the block would not hold.
        if open.len() < 2 {
            return Ok(self.add(own, open, Blocking::Pave(Vec::new()), ()).0);
        }
        let mut answer = |m: Cell, reply: Cell| -> Result<(Cell, Cell, Option<u32>), BlockError> {
            // If White owns the reply already, any other stone does no harm.
            let left = open.without(m);
            let o = if left.contains(reply) { reply } else { left.first().ok_or(BlockError::LostLemma)? };
            if blocks.is_complete(own.with(o)) {
                return Ok((m, o, None));
            }
            let child = self.strong_block(blocks, own.with(o), left.without(o), lemma.rank.0.saturating_sub(1))?;
            Ok((m, o, Some(child)))
        };
        let answers = match blocks.method_of(&lemma) {
            strong::Method::Threat(threat, reply) => {
                let (m, o, child) = answer(threat, reply)?;
                Blocking::Threat(m, o, child)
            }
            strong::Method::Reply(replies) => {
                let mut answers = Vec::new();
                for m in blocks.weak.symmetries.stabiliser(&[own, open]).representatives(&open).iter() {
                    let found = replies.iter().find(|(_, region)| !region.contains(m));
                    answers.push(answer(m, found.ok_or(BlockError::LostLemma)?.0)?);
                }
                Blocking::StrongReply(answers)
            }
        };
        Ok(self.add(own, open, answers, ()).0)
    }
}

impl<const N: usize> Reader<N, Attacking, usize> {
    /// The node for the position in which Black owns `black`, `empty` is empty and White owns the rest, and its height.
    fn attack(
        &mut self,
        search: &Search<N>,
        black: CellSet<N>,
        empty: CellSet<N>,
        least: Strength,
    ) -> Result<(u32, usize), BlockError> {
        let missing = |set: &CellSet<N>| (*set - black).first().filter(|_| (*set - black).len() == 1);
        let done = search.sets.iter().filter(|set| set.is_subset(&(black | empty)));
        if let Some((set, cell)) = done.filter_map(|set| Some((*set, missing(set)?))).next() {
            let (own, open) = (set & black, CellSet::single(cell));
            let known = self.known.get(&(own, open)).copied();
            return Ok(known.unwrap_or_else(|| self.add(own, open, Attacking::Done(cell), 1)));
        }
        let lemma =
            search.refusal_for(Stones::new(black, search.board - black - empty), least).ok_or(BlockError::LostLemma)?;
        let (own, open) = (black & lemma.avoids, empty & lemma.avoids);
        if let Some(&known) = self.known.get(&(own, open)) {
            return Ok(known);
        }
        // If Black owns the move already, any other stone does no harm.
        let wanted = search.move_of(&lemma).ok_or(BlockError::LostLemma)?;
        let m = if open.contains(wanted) { wanted } else { open.first().ok_or(BlockError::LostLemma)? };
        let (own_after, left) = (own.with(m), open.without(m));
        let mut answers = Vec::new();
        let mut height = 0;
        for r in search.symmetries.stabiliser(&[own_after, left]).representatives(&left).iter() {
            let (child, below) = self.attack(search, own_after, left.without(r), lemma.rank.a_move_later())?;
            answers.push((r, child));
            height = height.max(below + 1);
        }
        if answers.is_empty() {
            return Err(BlockError::LostLemma);
        }
        Ok(self.add(own, open, Attacking::Move(m, answers), height))
    }
}
