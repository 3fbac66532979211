//! What `harary solve` says of a game without a search, for machines.

use super::answer::Report;
use super::json;
use crate::atlas::Entry;
use crate::game::Game;
use harary_certificate::Cell;

impl Report {
    /// An answer that was known.
    pub fn without_search(name: &str, game: &Game, engine: &'static str, finding: json::Finding) -> Report {
        Report {
            game: json::Game::new(name, game),
            within: None,
            by_turn: None,
            finding,
            searched: None,
            least: None,
            engine,
            threads: 1,
            nodes: 0,
            seconds: 0.0,
            stopped: false,
            lacked_memory: false,
            certificate: None,
            least_certificate: None,
            cover: None,
            defence: None,
            cards: None,
            restricted: None,
            white: None,
            atlas: None,
            law: None,
        }
    }

    /// An answer of the atlas.
    pub fn of_atlas(name: &str, game: &Game, entry: &Entry, first_move: Option<Cell>) -> Report {
        let known = json::Entry::new(entry);
        let first_move = first_move.map(|cell| game.vertex_name(cell));
        let finding = json::Finding { first_move, ..known.finding.clone() };
        Report {
            certificate: known.certificate.clone(),
            least_certificate: known.least_certificate.clone(),
            atlas: Some(known),
            ..Report::without_search(name, game, "atlas", finding)
        }
    }
}
