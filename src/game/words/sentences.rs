//! Words to speak of games with.

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

/// The catalogue's name of the shape a certificate is about; a creature, which few know by name, with its cells.
pub fn shape_of(header: &Header) -> Option<String> {
    let Setting::Board { shape, .. } = &header.setting else { return None };
    let name = &Catalogue::standard().find_shape(shape)?.name;
    Some(if shape.is_animal() { name.clone() } else { format!("{name} ({shape})") })
}
