//! [`Proved`]: a claim whose certificate the checker has accepted.
//!
//! Its fields and its constructor are the checker's alone, so whoever holds one holds a checked claim.

use crate::model::{Claim, Header, Proof};

/// A claim about a game whose certificate was checked and holds.
#[derive(Clone, Debug)]
pub struct Proved {
    header: Header,
    lines: u64,
    positions: u64,
    nodes: u64,
}

impl Proved {
    /// For the checker, when everything in the file is right.
    pub(super) fn by<const N: usize>(proof: &Proof<N>, positions: u64) -> Proved {
        let nodes = (proof.nodes.len() + proof.cards.len()) as u64;
        Proved { header: proof.header.clone(), lines: proof.lines, positions, nodes }
    }

    /// The game and the claim, as the certificate states them.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// What is proved of the game.
    pub fn claim(&self) -> Claim {
        self.header.claim
    }

    /// Lines of the certificate, comments included.
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// Positions the checker followed, each once.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// Nodes and cards the checker checked.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }
}
