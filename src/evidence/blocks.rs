//! Block nodes for single positions of a game that White holds by other means.

use super::nodes::{BlockNodes, BlockProof};
use crate::effort::tuning::slices::BLOCK_NODES;
use crate::effort::{Limits, Room};
use crate::engines::blocking::BlockError;
use crate::engines::blocking::search::Search;
use crate::engines::maker_breaker::MakerBreaker;
use crate::game::Game;
use crate::game::position::Arena;
use harary_certificate::Stones;

/// Blocks for single positions: where White holds the weak game, her hold of the strong one need not be written down
/// move by move.
pub struct Blocks<'a, const N: usize> {
    search: Search<'a, N>,
    maker_breaker: MakerBreaker<'a, N>,
    nodes: BlockNodes<N>,
}

impl<'a, const N: usize> Blocks<'a, N> {
    /// Blocks of a game, given also as the arena of its weak form and as a search of it.
    pub fn new(game: &Game, arena: &'a Arena<N>, maker_breaker: MakerBreaker<'a, N>, limits: &Limits) -> Blocks<'a, N> {
        let mut search = Search::new(game, arena);
        search.limit(limits.clone());
        Blocks { search, maker_breaker, nodes: BlockNodes::default() }
    }

    /// Their lemmas may take so much; beyond that there are no more blocks.
    pub fn within(mut self, room: Room) -> Blocks<'a, N> {
        self.search.set_room(room);
        self
    }

    /// The node that holds a position with Black to move, if one is found soon.
    pub fn node(&mut self, stones: Stones<N>) -> Result<Option<u32>, BlockError> {
        if !self.maker_breaker.holds_within(stones, BLOCK_NODES)? {
            return Ok(None);
        }
        match self.search.block_by(&mut self.maker_breaker, stones) {
            // No room for blocks: what is held is written down move by move.
            Err(BlockError::Halt(_)) if self.search.is_full() => return Ok(None),
            found => found?,
        };
        self.nodes.add(&self.search, stones).map(Some)
    }

    /// All nodes handed out.
    pub fn into_proof(self) -> BlockProof<N> {
        self.nodes.into_proof()
    }
}
