//! What can be said of a game at once: how it is drawn, what the atlas knows, what follows from that by a law.

use super::asked::{Asked, AskedError, Named, name_of};
use crate::atlas::entry::{Entry, Finding};
use crate::atlas::key::GameKey;
use crate::atlas::{Tablebase, by_law};
use crate::game::Game;
use crate::game::catalogue::Catalogue;
use crate::game::ground::Family;
use crate::game::target::Part;
use crate::views::page::facts;
use harary_certificate::{Cell, Claim};
use serde_json::{Value, json};

/// All about a game that is known without a search.
pub fn about(asked: &Asked) -> Result<Value, AskedError> {
    let named = asked.named()?;
    let game = &named.game;
    let key = GameKey::of(game);
    Ok(json!({
        "title": named.title(),
        "name": named.name,
        "parts": parts(game),
        "facts": drawn(&named),
        "sets": game.black_sets().len(),
        "command": key.as_ref().map(GameKey::arguments).or(asked.arguments()).map(|words| format!("harary solve {words}")),
        "atlas": key.and_then(|key| Tablebase::shipped().get(&key)).map(|entry| told(entry, game)),
        "law": by_law::deduced(game).map(|deduced| json!({
            "sentence": deduced.finding.sentence(),
            "reason": deduced.reason(),
            "refuted": deduced.refuted.as_ref().map(|(turn, from)| json!({ "turn": turn, "from": from.to_string() })),
            "complete": deduced.is_complete(),
        })),
    }))
}

/// What a page needs to draw the game and to play it move by move.
pub fn drawn(named: &Named) -> Value {
    let game = &named.game;
    // What is claimed does not matter: it is left out.
    let header = game.header(Claim::Hold(None), false, None);
    let names: Vec<String> = (0..game.vertices()).map(|vertex| game.vertex_name(Cell::new(vertex))).collect();
    let mut drawn = facts(&header, Some(&names), Some(&named.name));
    drawn["hexagonal"] = is_hexagonal(game).into();
    drawn
}

/// Whether its cells are hexagons.
pub fn is_hexagonal(game: &Game) -> bool {
    game.target_on_ground().is_some_and(|(_, ground)| ground.family() == Family::Hexagonal)
}

/// The shapes to be completed, each with its name.
fn parts(game: &Game) -> Vec<Value> {
    let part = |part: &Part| match part {
        Part::Shape(shape) => {
            json!({ "name": name_of(shape, is_hexagonal(game)), "cells": shape.cells(), "animal": (!is_hexagonal(game)).then(|| shape.is_animal()) })
        }
        other => json!({ "name": other.to_string(), "cells": null, "animal": null }),
    };
    match (game.shape_on_board(), game.target_on_ground()) {
        (Some((shape, _)), _) => vec![part(&Part::Shape(shape.clone()))],
        (None, Some((target, _))) => target.parts().iter().map(part).collect(),
        (None, None) => Vec::new(),
    }
}

/// An entry of the atlas.
fn told(entry: &Entry, game: &Game) -> Value {
    let first = game.board().and_then(|board| entry.first_move_on(&board));
    json!({
        "verdict": entry.finding.verdict(),
        "by": match entry.finding {
            Finding::Win { by, .. } => Some(by),
            Finding::Hold | Finding::Unknown => None,
        },
        "sentence": entry.sentence(),
        "refutation": entry.refutation(),
        "first": first.map(|cell| game.vertex_name(cell)),
        "certificate": entry.certificate.map(|mark| mark.short()),
        "day": entry.day(),
        "open": entry.is_open(),
        "command": if entry.is_open() { entry.command_to_go_on() } else { entry.command() },
    })
}

/// The catalogues, for a page to pick from.
pub fn catalogues() -> Value {
    let list = |catalogue: &Catalogue| -> Vec<Value> {
        let shape = |entry: &crate::game::catalogue::Entry| json!({ "name": entry.name, "aliases": entry.aliases, "cells": entry.shape.cells() });
        catalogue.entries().iter().map(shape).collect()
    };
    json!({ "squares": list(Catalogue::standard()), "hexagons": list(Catalogue::hexagonal()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(target: &str, board: &str, family: &str, rule: &str) -> Value {
        let [target, board, family] = [target, board, family].map(str::to_owned);
        about(&Asked { target, board, family, rule: Some(rule.to_owned()), ..Asked::default() }).unwrap()
    }

    #[test]
    fn the_atlas_speaks_first_and_the_laws_where_it_is_silent() {
        let skinny = asked("0,0 0,1 0,2 0,3", "7x7", "plain", "strong");
        assert_eq!((&skinny["atlas"]["by"], &skinny["law"]), (&json!(13), &Value::Null));
        assert_eq!(
            (&skinny["parts"][0]["name"], &skinny["command"]),
            (&json!("skinny"), &json!("harary solve skinny 7x7"))
        );
        assert!(skinny["facts"]["claim"].is_null() && skinny["facts"]["board"]["width"] == 7);
        // Weak skinny on a large board follows from a small one.
        let large = asked("skinny", "18x19", "plain", "weak");
        assert!(large["atlas"].is_null() && large["law"]["reason"].as_str().unwrap().contains("skinny"), "{large}");
        let new = asked("0,0 2,1 3,3", "6x5", "torus", "weak");
        assert!(new["atlas"].is_null() && new["parts"][0]["name"].is_null());
    }

    #[test]
    fn games_without_a_board_have_places() {
        let hex = asked("hex", "4x4", "hexagonal", "weak");
        assert_eq!((&hex["facts"]["hexagonal"], &hex["facts"]["hex"]), (&json!(true), &json!("rows")));
        let several = asked("I3+D3", "5x4", "cylinder", "strong");
        assert_eq!((several["parts"].as_array().unwrap().len(), &several["facts"]["places"][0]), (2, &json!([0, 0])));
    }
}
