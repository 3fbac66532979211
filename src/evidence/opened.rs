//! Holds by blocks from any start.
//!
//! Before turn 1 of a game that is played from the empty board the root of the nodes speaks for White. Any other start is
//! written position by position up to the first block: that is the start itself, or, where the first move is restricted,
//! the positions after each of these moves and White's reply to it.

use super::Evidence;
use super::nodes::{BlockNodes, BlockProof};
use super::strategy::{Line, Strategy};
use super::strong::StrongBlocks;
use crate::engines::blocking::BlockError;
use crate::engines::blocking::search::{Search, Verdict};
use crate::engines::engine::Engine;
use crate::game::Game;
use crate::paving::Paving;
use harary_certificate::{Cell, CellSet, Player, Stones};

/// Who knows White's replies to first moves, and the blocks after them.
pub trait Holder<const N: usize> {
    /// White's reply, where she does not lose.
    fn reply(&mut self, after: Stones<N>) -> Result<Cell, BlockError>;

    /// The node that holds a position with Black to move.
    fn node(&mut self, stones: Stones<N>) -> Result<u32, BlockError>;

    /// All nodes handed out.
    fn into_proof(self) -> BlockProof<N>;
}

/// The hold of a game from its start.
pub fn opened<const N: usize>(game: &Game, mut holder: impl Holder<N>) -> Result<Strategy<N>, BlockError> {
    let start: Stones<N> = game.start().resized();
    let (mut lines, mut blocked) = (Vec::new(), Vec::new());
    if !game.opens_narrowly() {
        let node = holder.node(start)?;
        return Ok(Strategy::of_blocks(game, lines, vec![(start, node)], holder.into_proof()));
    }
    let (group, turns) = (game.symmetries(), game.schedule().len());
    let white_sets: Vec<CellSet<N>> = game.white_sets().iter().map(|set| set.resized()).collect();
    for first in game.openings() {
        let (stones, _) = group.canonical(&start.with(Player::Black, first));
        if turns < 2 {
            continue;
        }
        let cell = holder.reply(stones)?;
        lines.push(Line { stones, elsewhere: 0, cell });
        let (after, _) = group.canonical(&stones.with(Player::White, cell));
        let over = turns < 3 || white_sets.iter().any(|set| set.is_subset(&after.white));
        if !over && blocked.iter().all(|(known, _)| *known != after) {
            blocked.push((after, holder.node(after)?));
        }
    }
    Ok(Strategy::of_blocks(game, lines, blocked, holder.into_proof()))
}

/// The hold by strong blocks, out of the replies of an engine that knows that White holds.
pub fn strongly<const N: usize>(
    game: &Game,
    blocks: &mut StrongBlocks<N>,
    engine: &mut impl Engine<N>,
) -> Result<Box<dyn Evidence>, BlockError> {
    Ok(match game.is_whole() {
        true => Box::new(BlockProof::of_strong(blocks, engine)?),
        false => Box::new(opened(game, OfStrong { blocks, engine, nodes: BlockNodes::default() })?),
    })
}

/// The hold by a paving of the start.
pub fn paved<const N: usize>(game: &Game, paving: Paving<N>) -> Result<Box<dyn Evidence>, BlockError> {
    let proof = BlockProof::of_paving(paving);
    if game.is_whole() {
        return Ok(Box::new(proof));
    }
    let blocked = vec![(game.start().resized(), 0)];
    Ok(Box::new(Strategy::of_blocks(game, Vec::new(), blocked, proof)))
}

/// The blocks of a level of the blocking search, with the replies it has found to the first moves.
pub struct OfLevel<'s, 'a, const N: usize> {
    search: &'s mut Search<'a, N>,
    level: u8,
    nodes: BlockNodes<N>,
}

impl<'s, 'a, const N: usize> OfLevel<'s, 'a, N> {
    /// The level must be one at which all first moves are answered.
    pub fn new(search: &'s mut Search<'a, N>, level: u8) -> OfLevel<'s, 'a, N> {
        OfLevel { search, level, nodes: BlockNodes::default() }
    }
}

impl<const N: usize> Holder<N> for OfLevel<'_, '_, N> {
    fn reply(&mut self, after: Stones<N>) -> Result<Cell, BlockError> {
        let first = (after.black - self.search.start.black).first().ok_or(BlockError::LostLemma)?;
        self.search.answer_to(first, self.level)?.map_err(|_| BlockError::LostLemma)
    }

    fn node(&mut self, stones: Stones<N>) -> Result<u32, BlockError> {
        match self.search.solve(stones, self.level)? {
            Verdict::Block(_) => self.nodes.add(self.search, stones),
            Verdict::Refusal(_) => Err(BlockError::LostLemma),
        }
    }

    fn into_proof(self) -> BlockProof<N> {
        self.nodes.into_proof()
    }
}

/// Blocks of the weak game made of an engine's replies.
pub struct OfEngine<'s, 'a, E, const N: usize> {
    /// Where blocks are kept.
    pub search: &'s mut Search<'a, N>,
    /// Who knows that White holds.
    pub engine: &'s mut E,
    /// The nodes so far.
    pub nodes: BlockNodes<N>,
}

impl<E: Engine<N>, const N: usize> Holder<N> for OfEngine<'_, '_, E, N> {
    fn reply(&mut self, after: Stones<N>) -> Result<Cell, BlockError> {
        self.engine.holding_move(after, usize::MAX)?.ok_or(BlockError::LostLemma)
    }

    fn node(&mut self, stones: Stones<N>) -> Result<u32, BlockError> {
        self.search.block_by(self.engine, stones)?;
        self.nodes.add(self.search, stones)
    }

    fn into_proof(self) -> BlockProof<N> {
        self.nodes.into_proof()
    }
}

/// Blocks of the strong game made of an engine's replies.
struct OfStrong<'s, 'a, E, const N: usize> {
    blocks: &'s mut StrongBlocks<'a, N>,
    engine: &'s mut E,
    nodes: BlockNodes<N>,
}

impl<E: Engine<N>, const N: usize> Holder<N> for OfStrong<'_, '_, E, N> {
    fn reply(&mut self, after: Stones<N>) -> Result<Cell, BlockError> {
        self.engine.holding_move(after, usize::MAX)?.ok_or(BlockError::LostLemma)
    }

    fn node(&mut self, stones: Stones<N>) -> Result<u32, BlockError> {
        self.blocks.block_by(self.engine, stones)?;
        self.nodes.add_strong(self.blocks, stones)
    }

    fn into_proof(self) -> BlockProof<N> {
        self.nodes.into_proof()
    }
}
