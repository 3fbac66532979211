//! Who plays, under which rule, and at which turn.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The two players. Black is the one whose win is in question.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Player {
    /// The first player, in the plain turn order.
    Black,
    /// The second.
    White,
}

impl Player {
    /// The opponent.
    #[inline]
    pub fn other(self) -> Player {
        match self {
            Player::Black => Player::White,
            Player::White => Player::Black,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::Black => "Black",
            Player::White => "White",
        })
    }
}

/// Whose completed sets count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// Maker-Maker: whoever completes a winning set first wins.
    Strong,
    /// Maker-Breaker: Black wins by completing a set, White by preventing it.
    Weak,
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::Strong => "strong",
            Rule::Weak => "weak",
        })
    }
}
