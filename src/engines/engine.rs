//! What an engine can be asked, whatever it does inside.
//!
//! Strategies are drawn out of an engine by asking these questions position by position ([`crate::evidence::strategy`]), so an
//! engine need not keep its proof: where its table has forgotten, it searches again.

use crate::effort::Halt;
use harary_certificate::{Cell, Stones};

/// An engine for one game, `N` words wide. Positions are given by their stones; nobody has won in them.
pub trait Engine<const N: usize> {
    /// Black to move: a move after which he completes a set by turn `until` at the latest, whatever White does.
    fn winning_move(&mut self, stones: Stones<N>, until: usize) -> Result<Option<Cell>, Halt>;

    /// White to move: a move after which Black cannot force a win by turn `until`.
    fn holding_move(&mut self, stones: Stones<N>, until: usize) -> Result<Option<Cell>, Halt>;

    /// White to move: whether it is known without a search that she holds.
    fn knows_hold(&mut self, _stones: Stones<N>) -> bool {
        false
    }

    /// Nodes searched so far.
    fn nodes(&self) -> u64;
}
