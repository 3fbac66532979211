//! The stones of a game after some moves, read from what the user typed.

use super::UsageError;
use crate::game::Game;
use harary_certificate::{Cell, Player, WideSet};

/// The vertex with this name, or the user's mistake.
pub fn vertex(game: &Game, name: &str) -> anyhow::Result<Cell> {
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
        UsageError(message).into()
    })
}

/// The names in a list, separated by blanks or commas.
pub fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || c == ',').filter(|name| !name.is_empty())
}

/// The stones on the board after some turns.
#[derive(Clone, Debug)]
pub struct Stones {
    pub black: WideSet,
    pub white: WideSet,
    /// The moves, in order.
    pub moves: Vec<Cell>,
    /// Who has completed which set.
    pub won: Option<(Player, WideSet)>,
}

impl Stones {
    /// Before the first turn.
    pub fn start(game: &Game) -> Stones {
        Stones { black: *game.black_start(), white: *game.white_start(), moves: Vec::new(), won: None }
    }

    /// Plays the vertices named in `text`.
    pub fn played_out(game: &Game, text: &str) -> anyhow::Result<Stones> {
        let mut stones = Stones::start(game);
        for name in names(text) {
            stones
                .play(game, vertex(game, name)?)
                .map_err(|mistake| UsageError(format!("the move {name}: {mistake}")))?;
        }
        Ok(stones)
    }

    /// The stones alone.
    pub fn on_board(&self) -> harary_certificate::Stones<{ harary_certificate::WIDE }> {
        harary_certificate::Stones::new(self.black, self.white)
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
    pub fn play(&mut self, game: &Game, cell: Cell) -> Result<(), String> {
        if let Some((player, set)) = &self.won {
            let set: Vec<String> = set.iter().map(|cell| game.vertex_name(cell)).collect();
            return Err(format!("the game is over, {player} completed {} at turn {}", set.join(" "), self.played()));
        }
        let player = game.schedule().player_after(self.played()).ok_or("the game is over, all turns are played")?;
        if (self.black | self.white).contains(cell) {
            return Err("there is a stone already".to_owned());
        }
        if !game.allowed(self.played(), WideSet::single(cell)).contains(cell) {
            return Err("not allowed as the first move".to_owned());
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
