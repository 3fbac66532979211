//! A game under way between a human and the program.

use super::adviser::{Adviser, Worth};
use super::record::Record;
use crate::game::line::{Line, MoveError, vertex};
use crate::game::{Game, GameError};
use harary_certificate::{Cell, Player, WideSet};
use std::time::Duration;
use thiserror::Error;

/// How the program thinks.
#[derive(Clone, Copy, Debug)]
pub struct Thinking {
    /// For so long about a move, where it does not know.
    pub time: Duration,
    /// With so many bytes for its tables.
    pub memory: usize,
}

/// What somebody has proved of the game before it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Foreknown {
    /// Black wins by this turn; `None` if White holds.
    pub win_by: Option<usize>,
    /// The move he begins his win with.
    pub first_move: Option<Cell>,
    /// How long it took to find out.
    pub took: Duration,
}

impl Foreknown {
    /// What it means for the first player.
    fn worth(&self) -> Worth {
        self.win_by.map_or(Worth::Even, Worth::Wins)
    }
}

/// A win that took longer to find than so many moves' time is not looked for without a limit.
const PATIENCE: u32 = 4;

/// Why a record cannot be played on.
#[derive(Debug, Error)]
pub enum SessionError {
    /// Its game.
    #[error(transparent)]
    Game(#[from] GameError),
    /// Its moves.
    #[error(transparent)]
    Move(#[from] MoveError),
}

/// A move of the program's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reply {
    /// Its turn.
    pub turn: usize,
    /// Where.
    pub cell: Cell,
    /// What the program knows of it.
    pub worth: Worth,
}

/// One game under way.
pub struct Session {
    adviser: Adviser,
    name: Option<String>,
    human: Player,
    line: Line,
    thinking: Thinking,
    foreknown: Option<Foreknown>,
    /// A turn by which the program has proved to win, as long as it plays on.
    promise: Option<usize>,
}

impl Session {
    /// Goes on with a game. What is known of it, if anything, is known of its start.
    pub fn new(record: &Record, foreknown: Option<Foreknown>, thinking: Thinking) -> Result<Session, SessionError> {
        let adviser = Adviser::new(&record.game, thinking.memory)?;
        let mut line = Line::start(adviser.game());
        for &cell in &record.moves {
            line.play(adviser.game(), cell)?;
        }
        let (name, human) = (record.name.clone(), record.human);
        Ok(Session { adviser, name, human, line, thinking, foreknown, promise: None })
    }

    /// What is played.
    pub fn game(&self) -> &Game {
        self.adviser.game()
    }

    /// Which side the human plays.
    pub fn human(&self) -> Player {
        self.human
    }

    /// The moves and the stones.
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// Whether every position is known.
    pub fn is_exact(&self) -> bool {
        self.adviser.is_exact()
    }

    /// Who plays next; `None` when the game is over.
    pub fn to_move(&self) -> Option<Player> {
        self.line.to_move(self.adviser.game())
    }

    /// The program's move, if it is its turn.
    pub fn reply(&mut self) -> Option<Reply> {
        if self.to_move() != Some(self.human.other()) {
            return None;
        }
        let opening = self.foreknown.filter(|_| self.line.played() == 0 && !self.is_exact());
        let (cell, worth) = match opening {
            Some(Foreknown { win_by: Some(turn), first_move: Some(cell), took }) => {
                // The win is there; finding the rest of it must not take for ever.
                self.promise = (took <= PATIENCE * self.thinking.time).then_some(turn);
                (cell, Worth::Wins(turn))
            }
            _ => {
                let advice = self.adviser.advise(&self.line.stones(), self.promise, self.thinking.time)?;
                self.promise = match advice.worth {
                    Worth::Wins(turn) => Some(turn),
                    _ => None,
                };
                (advice.cell, advice.worth)
            }
        };
        let turn = self.line.played() + 1;
        self.line.play(self.adviser.game(), cell).ok()?;
        Some(Reply { turn, cell, worth })
    }

    /// What is known of the position without a search, seen from the player to move.
    pub fn standing(&mut self) -> Option<Worth> {
        match self.is_exact() {
            true => self.adviser.advise(&self.line.stones(), None, Duration::ZERO).map(|advice| advice.worth),
            false => self.foreknown.filter(|_| self.line.played() == 0).map(|known| known.worth()),
        }
    }

    /// A move of the player whose turn it is, by its name.
    pub fn play(&mut self, name: &str) -> Result<Cell, MoveError> {
        let cell = vertex(self.adviser.game(), name)?;
        self.line.play(self.adviser.game(), cell)?;
        Ok(cell)
    }

    /// Every move, in order of the cells, and what is known of it when the time is over.
    pub fn examine(&mut self) -> Vec<(Cell, Worth)> {
        let mut moves = self.adviser.examine(&self.line.stones(), self.thinking.time);
        if let Some(Foreknown { win_by: Some(turn), first_move: Some(first), .. }) = self.foreknown
            && self.line.played() == 0
        {
            let known = moves.iter_mut().filter(|(cell, worth)| *cell == first && !worth.is_proved());
            known.for_each(|(_, worth)| *worth = Worth::Wins(turn));
        }
        moves
    }

    /// Takes back the human's last move, and the answer to it; whether there was one.
    pub fn undo(&mut self) -> Result<bool, MoveError> {
        let game = self.adviser.game();
        let own = |turn: usize| game.schedule().player_after(turn) == Some(self.human);
        let Some(last) = (0..self.line.played()).rev().find(|&turn| own(turn)) else { return Ok(false) };
        let mut line = Line::start(game);
        for &cell in &self.line.moves[..last] {
            line.play(game, cell)?;
        }
        self.line = line;
        self.promise = None;
        Ok(true)
    }

    /// The empty cells at which `player` completes a set.
    pub fn completions(&self, player: Player) -> Vec<Cell> {
        let game = self.adviser.game();
        let (sets, own, other) = match player {
            Player::Black => (game.black_sets(), self.line.black, self.line.white),
            Player::White => (game.white_sets(), self.line.white, self.line.black),
        };
        let missing = sets.iter().filter(|set| set.is_disjoint(&other)).map(|set| *set - own);
        let cells: WideSet = missing.filter(|missing| missing.len() == 1).flatten().collect();
        cells.iter().collect()
    }

    /// The game as it is saved.
    pub fn record(&self) -> Record {
        Record {
            name: self.name.clone(),
            game: self.adviser.game().clone(),
            human: self.human,
            moves: self.line.moves.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use harary_certificate::{Board, Rule, Shape, Topology};

    /// What is known of el on 5x5, and a game of it; no time to think.
    fn session(human: Player, took: u64) -> Session {
        let board = Board::new(5, 5, Topology::Plain).unwrap();
        let game = Game::new(Shape::from_rows("X./XX").unwrap(), board, Rule::Strong);
        let record = Record { name: None, game, human, moves: Vec::new() };
        let known = Foreknown { win_by: Some(5), first_move: Some(Cell::new(12)), took: Duration::from_secs(took) };
        Session::new(&record, Some(known), Thinking { time: Duration::from_millis(1), memory: 1 << 20 }).unwrap()
    }

    #[test]
    fn what_is_known_before_is_said_and_played() {
        let mut game = session(Player::White, 0);
        assert_eq!(game.reply(), Some(Reply { turn: 1, cell: Cell::new(12), worth: Worth::Wins(5) }));
        assert_eq!(game.reply(), None, "the human's turn");
        // The win is looked for until it is found, whatever the time.
        game.play("a1").unwrap();
        assert!(matches!(game.reply(), Some(Reply { worth: Worth::Wins(turn), .. }) if turn <= 5));
        game.play("e5").unwrap();
        game.reply();
        assert!(game.line().won.is_some_and(|(winner, _)| winner == Player::Black));
        let mut game = session(Player::Black, 0);
        assert_eq!(game.standing(), Some(Worth::Wins(5)));
        game.play("a1").unwrap();
        assert_eq!(game.standing(), None, "known of the start only");
        assert!(game.undo().unwrap() && !game.undo().unwrap());
    }

    #[test]
    fn a_win_that_was_hard_to_find_is_not_waited_for() {
        let mut game = session(Player::White, 3600);
        assert_eq!(game.reply().map(|reply| reply.worth), Some(Worth::Wins(5)));
        assert_eq!(game.promise, None);
    }
}
