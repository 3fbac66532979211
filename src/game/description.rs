//! A game in a few words, as every command and page prints it.

use crate::game::Game;
use crate::game::catalogue::Catalogue;
use harary_certificate::{Header, Setting};

/// `1 stone`, `2 stones`.
pub fn counted(count: usize, noun: &str) -> String {
    counted_as(count, noun, &format!("{noun}s"))
}

/// `1 anomaly`, `2 anomalies`.
pub fn counted_as(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}

/// The catalogue's name of the shape of a game, or its cells; a game of sets has no shape.
pub fn shape_name(game: &Game) -> String {
    let Some((shape, _)) = game.shape_on_board() else { return "sets".to_owned() };
    Catalogue::standard().find_shape(shape).map_or_else(|| shape.to_string(), |entry| entry.name.clone())
}

/// The catalogue's name of the shape a certificate is about, a creature's with its cells; none if it has no name.
pub fn certified_name(header: &Header) -> Option<String> {
    let Setting::Board { shape, .. } = &header.setting else { return None };
    let name = &Catalogue::standard().find_shape(shape)?.name;
    Some(if shape.is_animal() { name.clone() } else { format!("{name} ({shape})") })
}

/// One line about the game.
pub fn describe(name: &str, game: &Game) -> String {
    let turns = match game.schedule().is_alternating() {
        true => String::new(),
        false => format!(", turns {}", game.schedule().letters()),
    };
    match game.shape_on_board() {
        Some((shape, board)) if name == shape.to_string() => {
            format!("{shape} on {board}, {} rule{turns}", game.rule())
        }
        Some((shape, board)) => format!("{name} ({shape}) on {board}, {} rule{turns}", game.rule()),
        None => {
            let vertices = || format!(", {}", counted_as(game.vertices(), "vertex", "vertices"));
            let place = game.place().map_or_else(vertices, |place| format!(" on {place}"));
            format!("{name}{place}, {} rule{turns}", game.rule())
        }
    }
}
