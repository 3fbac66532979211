//! A line of play: the stones of a game after some moves, read by the names of the cells.

use crate::game::Game;
use harary_certificate::{Cell, Player, Stones, WIDE, WideSet};
use thiserror::Error;

/// Why a name is no vertex or a vertex no move, in words.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct MoveError(String);

/// The vertex with this name.
pub fn vertex(game: &Game, name: &str) -> Result<Cell, MoveError> {
    game.vertex(name).ok_or_else(|| {
        let message = match game.shape_on_board() {
            Some((_, board)) => match board.parse_cell(name) {
                Ok(_) => format!("there is no cell '{name}'"),
                Err(error) => error.to_string(),
            },
            None => {
                let last = game.vertex_name(Cell::new(game.vertices() - 1));
                format!("there is no vertex '{name}'; they are {} to {last}", game.vertex_name(Cell::new(0)))
            }
        };
        MoveError(message)
    })
}

/// The names in a list, separated by blanks or commas.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || c == ',').filter(|name| !name.is_empty())
}

/// The stones on the board after some turns.
#[derive(Clone, Debug)]
pub struct Line {
    /// Black's stones.
    pub black: WideSet,
    /// White's stones.
    pub white: WideSet,
    /// The moves, in order.
    pub moves: Vec<Cell>,
    /// Who has completed which set.
    pub won: Option<(Player, WideSet)>,
}

impl Line {
    /// Before the first turn.
    pub fn start(game: &Game) -> Line {
        Line { black: *game.black_start(), white: *game.white_start(), moves: Vec::new(), won: None }
    }

    /// Plays the vertices named in `text`.
    pub fn played_out(game: &Game, text: &str) -> Result<Line, MoveError> {
        let mut line = Line::start(game);
        for name in names(text) {
            let cell = vertex(game, name)?;
            line.play(game, cell).map_err(|mistake| MoveError(format!("the move {name}: {mistake}")))?;
        }
        Ok(line)
    }

    /// The stones alone.
    pub fn stones(&self) -> Stones<WIDE> {
        Stones::new(self.black, self.white)
    }

    /// How many turns have been played.
    pub fn played(&self) -> usize {
        self.moves.len()
    }

    /// Who plays next; `None` when the game is over.
    pub fn to_move(&self, game: &Game) -> Option<Player> {
        game.schedule().player_after(self.played()).filter(|_| self.won.is_none())
    }

    /// A move of the player whose turn it is; the mistake if it is none.
    pub fn play(&mut self, game: &Game, cell: Cell) -> Result<(), MoveError> {
        if let Some((player, set)) = &self.won {
            let set: Vec<String> = set.iter().map(|cell| game.vertex_name(cell)).collect();
            let (set, turn) = (set.join(" "), self.played());
            return Err(MoveError(format!("the game is over, {player} completed {set} at turn {turn}")));
        }
        let mistake = |words: &str| MoveError(words.to_owned());
        let player = game
            .schedule()
            .player_after(self.played())
            .ok_or_else(|| mistake("the game is over, all turns are played"))?;
        if (self.black | self.white).contains(cell) {
            return Err(mistake("there is a stone already"));
        }
        if !game.allowed(self.played(), WideSet::single(cell)).contains(cell) {
            return Err(mistake("not allowed as the first move"));
        }
        let (own, sets) = match player {
            Player::Black => (&mut self.black, game.black_sets()),
            Player::White => (&mut self.white, game.white_sets()),
        };
        own.insert(cell);
        self.moves.push(cell);
        self.won = sets.iter().find(|set| set.is_subset(own)).map(|set| (player, *set));
        Ok(())
    }
}
