//! What cannot be asked of a game.

use super::cards;
use super::options::{EngineChoice, Options};
use crate::game::Game;

impl Options {
    /// Why this cannot be asked of a game, in words.
    pub fn unsuited(&self, game: &Game) -> Option<String> {
        if let Some(reason) = self.engine.unsuited(game, self.within.is_some()) {
            return Some(format!("--engine {}: {reason}", self.engine.name()));
        }
        let by_cards = self.engine == EngineChoice::Cards || self.cards.is_some();
        if let Some(reason) = cards::unsuited(game, self.within).filter(|_| by_cards) {
            return Some(reason.to_owned());
        }
        if self.cover.is_some() && (game.shape_on_board().is_none() || !game.schedule().is_alternating()) {
            let wanted = "--cover is for a shape on a board with players alternating";
            return Some(format!("{wanted}; leave out --pg, --handicap and --stones"));
        }
        self.restricted.and_then(|player| player.unsuited(game)).map(str::to_owned)
    }
}
