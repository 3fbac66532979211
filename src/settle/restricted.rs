//! Restricted players: an attacker who keeps next to his own stones, and a defender who goes by the potential alone.
//!
//! They prove one side only. A win of the restricted attacker is a win, and a hold of the restricted defender is a hold, each
//! with its certificate. That they fail proves nothing.

use crate::game::Game;

/// Who is restricted, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Restricted {
    /// Black plays next to a stone of his own, edge to edge, after his first one.
    Adjacent,
    /// White takes a cell of the greatest potential.
    Beck,
}

impl Restricted {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Restricted::Adjacent => "adjacent",
            Restricted::Beck => "beck",
        }
    }

    /// Why there is no such player in a game, in words.
    pub fn unsuited(self, game: &Game) -> Option<&'static str> {
        let animal = game.shape_on_board().is_some_and(|(shape, _)| shape.is_animal());
        match self {
            _ if !game.schedule().is_alternating() => {
                Some("restricted players alternate; leave out --handicap and --stones")
            }
            Restricted::Adjacent if !animal => Some("--attacker adjacent is for an edge-connected shape on a board"),
            _ => None,
        }
    }
}

/// What became of a restricted player.
#[derive(Clone, Copy, Debug)]
pub struct RestrictedReport {
    /// Who.
    pub player: Restricted,
    /// The attacker does not win by this turn.
    pub failed_turn: Option<usize>,
    /// The defender does not hold, or the attacker does not win by the last turn asked about.
    pub failed: bool,
}
