//! A game in words: a target, a board, and how it is played.

use super::mistake::{OrUsage, UsageError};
use super::models::NamedGame;
use super::targets::{NamedTarget, build, ground, parse_target};
use crate::game::Game;
use crate::game::description::counted;
use crate::game::ground::Family;
use harary_certificate::Rule;

/// A target on a board and how it is played, as it is written.
#[derive(Clone, Copy, Debug)]
pub struct GameWords<'a> {
    /// What is to be completed: `skinny`, `I5+D5`, `row5`, `hex`.
    pub target: &'a str,
    /// The sides of the board: `7x7`.
    pub board: &'a str,
    /// How its cells lie.
    pub family: Family,
    /// The rule; what is usual for the target if none is given.
    pub rule: Option<Rule>,
    /// Black starts with so many extra stones.
    pub handicap: Option<usize>,
    /// GTTT(p,q): p stones a turn, q at the very first.
    pub stones: Option<(usize, usize)>,
}

impl GameWords<'_> {
    /// The game, and what to call it.
    pub fn game(&self) -> anyhow::Result<NamedGame> {
        let NamedTarget { name, target } = parse_target(self.target, self.family)?;
        let ground = ground(self.board, self.family, &target)?;
        let game = with_order(build(target, ground, self.rule)?, self.handicap, self.stones)?;
        Ok(NamedGame { name, game, within: None })
    }
}

/// The same game with another order of turns.
pub fn with_order(mut game: Game, handicap: Option<usize>, stones: Option<(usize, usize)>) -> anyhow::Result<Game> {
    let cells = counted(game.vertices(), "cell");
    // With his own first stone he has one more than the handicap.
    if let Some(handicap) = handicap {
        if handicap >= game.vertices() {
            let most = game.vertices() - 1;
            return Err(UsageError(format!("--handicap {handicap}: at most {most} on a board of {cells}")).into());
        }
        game = game.with_handicap(handicap);
    }
    if let Some((p, q)) = stones {
        if p.max(q) > game.vertices() {
            return Err(UsageError(format!("--stones {p},{q}: more than the {cells} of the board")).into());
        }
        game = game.with_stones(p, q).usage()?;
    }
    Ok(game)
}
