//! A certificate made of that of another game.

use crate::evidence::Evidence;
use crate::game::Game;
use harary_certificate::{Cell, Claim, Refused, WideSet};
use std::io::{self, Write};
use thiserror::Error;

/// Why a certificate cannot be carried to another game.
#[derive(Debug, Error)]
pub enum NotCarried {
    /// It cannot be read.
    #[error("the certificate to be carried cannot be read: {0}")]
    Unread(#[from] io::Error),
    /// It proves nothing of its own game.
    #[error("the certificate to be carried is refused: {0}")]
    Refused(#[from] Refused),
    /// No law leads from its game to the other.
    #[error("no law leads from {0} to {1}")]
    NoLaw(String, String),
    /// The law is there, and this form of proof cannot be cut to measure.
    #[error("{0}")]
    Form(&'static str),
}

/// A certificate made of that of another game.
pub struct Carried {
    pub(super) claim: Claim,
    pub(super) text: Vec<u8>,
    pub(super) first_move: Option<Cell>,
}

impl Carried {
    /// Black's first move, with a win.
    pub fn first_move(&self) -> Option<Cell> {
        self.first_move
    }
}

impl Evidence for Carried {
    fn claim(&self) -> Claim {
        self.claim
    }

    fn write(&self, _: &Game, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.text)
    }
}

/// A set of which Black misses one cell, and White has none.
pub fn completion(sets: &[WideSet], black: WideSet, white: WideSet) -> Option<WideSet> {
    sets.iter().copied().find(|set| (*set - black).len() == 1 && set.is_disjoint(&white))
}
