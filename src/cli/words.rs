//! Words that several subcommands print.

use crate::game::Game;
use crate::game::catalogue::Catalogue;
pub use crate::game::words::{counted, counted_as, describe};

/// The catalogue's name of the shape of a game, or its cells; a game of sets has no shape.
pub fn shape_name(game: &Game) -> String {
    let Some((shape, _)) = game.shape_on_board() else { return "sets".to_owned() };
    Catalogue::standard().find_shape(shape).map_or_else(|| shape.to_string(), |entry| entry.name.clone())
}
