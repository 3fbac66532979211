//! The arguments for another start than the empty board.

use super::arguments::NamedGame;
use crate::game::words::{Start, Started};
use clap::{Args, ValueEnum};
use harary_certificate::Player;

/// Where the game starts, if not as usual.
#[derive(Args, Clone, Debug)]
pub struct StartArguments {
    /// Start after these moves, in order, as "d4 c3"; the game says whose each is. Turns are counted from there
    #[arg(long, value_name = "CELLS", conflicts_with_all = ["black", "white", "to_move"])]
    after: Option<String>,
    /// Start with black stones here, as many as you like
    #[arg(long, value_name = "CELLS")]
    black: Option<String>,
    /// Start with white stones here, as many as you like
    #[arg(long, value_name = "CELLS")]
    white: Option<String>,
    /// Who moves first, with --black or --white [default: black]
    #[arg(long, value_name = "PLAYER", value_enum)]
    to_move: Option<Side>,
    /// The first move must be one of these cells
    #[arg(long, value_name = "CELLS")]
    first: Option<String>,
}

/// A player, as a word of the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Side {
    Black,
    White,
}

impl StartArguments {
    /// The game from this start.
    pub fn start(&self, named: NamedGame) -> anyhow::Result<Started> {
        let player = |side| match side {
            Side::Black => Player::Black,
            Side::White => Player::White,
        };
        let StartArguments { after, black, white, to_move, first } = self;
        let start = Start {
            after: after.as_deref(),
            black: black.as_deref(),
            white: white.as_deref(),
            to_move: to_move.map(player),
            first: first.as_deref(),
        };
        start.start(named)
    }
}
