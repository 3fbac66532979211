//! Who plays: at random, by minimax, by blocking, by potential, perfectly.

use super::contest::{Contest, Exact, Stones};
use super::heuristic::{Reading, potentials};
use super::minimax::Minimax;
use crate::effort::{Halt, Limits};
use crate::neighbours::finite::Finite;
use crate::neighbours::random::Random;
use crate::neighbours::search::{Search, best};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A way to play.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Player {
    /// Any move.
    Random,
    /// The heuristic, looked at so many moves ahead.
    Minimax(usize),
    /// The move minimax of this depth would play for the opponent, were it his turn.
    Blocking(usize),
    /// The move of the greatest potential, after Erdős, Selfridge and Beck.
    Beck,
    /// A move that is best when both play best.
    Perfect,
}

impl Player {
    /// The deepest minimax.
    pub const MOST_DEPTH: usize = 12;

    /// The largest board of the perfect player, in cells.
    pub const MOST_PERFECT: usize = 16;
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Random => f.write_str("random"),
            Player::Minimax(depth) => write!(f, "minimax:{depth}"),
            Player::Blocking(depth) => write!(f, "blocking:{depth}"),
            Player::Beck => f.write_str("beck"),
            Player::Perfect => f.write_str("perfect"),
        }
    }
}

impl FromStr for Player {
    type Err = String;

    fn from_str(text: &str) -> Result<Player, String> {
        let (name, depth) = text.split_once(':').map_or((text, None), |(name, depth)| (name, Some(depth)));
        let depth = match depth.map(str::parse::<usize>) {
            None => None,
            Some(Ok(depth @ 1..=Player::MOST_DEPTH)) => Some(depth),
            Some(_) => return Err(format!("'{text}': depths are 1 to {}", Player::MOST_DEPTH)),
        };
        match (name, depth) {
            ("random", None) => Ok(Player::Random),
            ("beck", None) => Ok(Player::Beck),
            ("perfect", None) => Ok(Player::Perfect),
            ("minimax", Some(depth)) => Ok(Player::Minimax(depth)),
            ("blocking", Some(depth)) => Ok(Player::Blocking(depth)),
            ("minimax" | "blocking", None) => Err(format!("'{text}' needs a depth, as in {text}:2")),
            _ => {
                Err(format!("'{text}' is no player; players are random, minimax:DEPTH, blocking:DEPTH, beck, perfect"))
            }
        }
    }
}

/// What a player does with moves that are equally good.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ties {
    /// The first of them, row by row from a1, as the report does.
    First,
    /// Any of them.
    Random,
}

/// A player at a board, with what he remembers from game to game.
pub struct Seat<'a> {
    player: Player,
    reading: Reading,
    ties: Ties,
    limits: &'a Limits,
    /// The perfect player's, of the contest it is about.
    known: Option<(Arc<Contest>, Search<'a, Exact>)>,
}

impl<'a> Seat<'a> {
    /// A player who knows nothing yet.
    pub fn new(player: Player, reading: Reading, ties: Ties, limits: &'a Limits) -> Seat<'a> {
        Seat { player, reading, ties, limits, known: None }
    }

    /// His move; the game must not be over.
    pub fn choose(&mut self, contest: &Arc<Contest>, stones: Stones, random: &mut Random) -> Result<usize, Halt> {
        let mover = stones.mover();
        let good = match self.player {
            Player::Random => {
                // By lot, whatever is done with ties elsewhere.
                let empty = cells(contest, stones);
                return Ok(empty[random.below(empty.len())]);
            }
            Player::Minimax(depth) => Minimax::new(contest, self.reading, self.limits).best(stones, mover, depth)?,
            Player::Blocking(depth) => {
                Minimax::new(contest, self.reading, self.limits).best(stones, mover.other(), depth)?
            }
            Player::Beck => {
                let weights = potentials(contest, stones, mover);
                let most = weights.iter().flatten().max().copied();
                cells(contest, stones).into_iter().filter(|cell| weights[*cell] == most).collect()
            }
            Player::Perfect => {
                let search = match &mut self.known {
                    Some((about, search)) if about == contest => search,
                    known => &mut known.insert((contest.clone(), Search::new(self.limits))).1,
                };
                // Move by move: a position that is known to be a draw has moves nonetheless.
                let position = Exact::new(contest.clone(), stones);
                let worths = position.moves().into_iter().map(|cell| Ok((cell, search.value(&position.after(cell))?)));
                best(mover, &worths.collect::<Result<Vec<_>, Halt>>()?)
            }
        };
        Ok(match self.ties {
            Ties::First => good[0],
            Ties::Random => good[random.below(good.len())],
        })
    }
}

fn cells(contest: &Contest, stones: Stones) -> Vec<usize> {
    let empty = contest.empty(stones);
    (0..contest.cells()).filter(|cell| empty >> cell & 1 == 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_read_as_they_are_written() {
        let players = [
            Player::Random,
            Player::Minimax(3),
            Player::Blocking(1),
            Player::Beck,
            Player::Perfect,
            Player::Minimax(12),
        ];
        for player in players {
            assert_eq!(player.to_string().parse(), Ok(player));
        }
        for (text, part) in [
            ("minimax", "needs a depth, as in minimax:2"),
            ("minimax:0", "depths are 1 to 12"),
            ("minimax:13", "depths are 1 to 12"),
            ("blocking:x", "depths are 1 to 12"),
            ("random:1", "is no player"),
            ("", "is no player"),
        ] {
            assert!(text.parse::<Player>().unwrap_err().contains(part), "{text}");
        }
    }
}
