//! What all the neighbours are: a finite game of two players who see everything.

use std::fmt::Debug;
use std::hash::Hash;

/// The two players. The first one is who exists in a quantified formula.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Who begins.
    First,
    /// The other one.
    Second,
}

impl Side {
    /// The opponent.
    pub fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 1 for the first player, -1 for the second: a gain of this side as a value.
    pub fn sign(self) -> i32 {
        match self {
            Side::First => 1,
            Side::Second => -1,
        }
    }

    /// The player in words.
    pub fn name(self) -> &'static str {
        match self {
            Side::First => "the first player",
            Side::Second => "the second player",
        }
    }
}

/// A position of a finite game. The rules are four questions; a search asks nothing else.
pub trait Finite: Clone + Eq + Hash {
    /// What a player does at a turn.
    type Move: Copy + Eq + Debug;

    /// Who moves. At the end it does not matter.
    fn mover(&self) -> Side;

    /// At the end: what the first player has gained. Nothing while the game goes on.
    fn value(&self) -> Option<i32>;

    /// What the mover may do, the most promising first; never empty while the game goes on.
    fn moves(&self) -> Vec<Self::Move>;

    /// The position after a move, which must be one of [`moves`](Finite::moves).
    fn after(&self, step: Self::Move) -> Self;

    /// No value is below the first or above the second of these.
    fn bounds(&self) -> (i32, i32) {
        (-1, 1)
    }

    /// Whether a search may come here twice, so that a table pays.
    fn may_return(&self) -> bool {
        true
    }
}
