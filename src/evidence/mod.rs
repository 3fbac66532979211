//! What was found, drawn out of the engines so that it can be written down.
//!
//! Evidence knows what it claims. It is not believed: [`crate::settle::certify`] has it checked.

pub mod blocker;
pub mod blocks;
pub mod card_proof;
pub mod carry;
pub mod lessons;
pub mod nodes;
pub mod opened;
mod opening;
pub mod strategy;
pub mod strong;

use crate::game::Game;
use harary_certificate::{Claim, WideSet};
use std::io::{self, Write};

/// Something that can be written as a certificate, whatever the width of its sets.
pub trait Evidence: Send {
    /// What it is evidence of.
    fn claim(&self) -> Claim;

    /// The cells Black keeps to, if not all.
    fn cover(&self) -> Option<WideSet> {
        None
    }

    /// Of a win of Black's in the game with the colours exchanged: the same as a win of White's in `game` itself. None if it
    /// is no such evidence.
    fn exchanged(&self, _game: &Game) -> Option<Box<dyn Evidence>> {
        None
    }

    /// Writes the certificate about a game.
    fn write(&self, game: &Game, out: &mut dyn Write) -> io::Result<()>;
}
