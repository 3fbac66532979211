//! What a page knows of a game before anything is proved about it, as JSON.

use crate::views::hex::{Joined, hex};
use crate::views::layout::Layout;
use harary_certificate::{Header, Setting, Symmetry, WideSet};
use serde_json::{Value, json};

/// The game of a header, with the names of its vertices where it lies on no board. What is claimed of it is left out.
pub fn facts(header: &Header, names: Option<&[String]>, name: Option<&str>) -> Value {
    let Header { setting, vertices, start, first, rule, turns, claim: _, symmetry, cover } = header;
    let generators: Option<Vec<Vec<usize>>> = match symmetry {
        Symmetry::Generators(list) => {
            Some(list.iter().map(|images| images.iter().map(|cell| cell.index()).collect()).collect())
        }
        Symmetry::None | Symmetry::Board => None,
    };
    let mut facts = json!({
        "name": name,
        "vertices": vertices,
        "start": [start.black.to_string(), start.white.to_string()],
        "first": first.unwrap_or_else(|| WideSet::first_cells(*vertices) - start.occupied()).to_string(),
        "rule": rule,
        "turns": turns.letters(),
        "symmetric": *symmetry != Symmetry::None,
        "generators": generators,
        "cover": cover.map(|cover| cover.to_string()),
        "version": env!("CARGO_PKG_VERSION"),
    });
    match setting {
        Setting::Board { shape, board } => {
            facts["board"] = json!({
                "width": board.width(), "height": board.height(), "torus": board.is_torus(),
            });
            facts["shape"] = json!(shape.cells());
        }
        Setting::Sets { black, white } => {
            facts["black"] = black.iter().map(ToString::to_string).collect();
            facts["white"] = white.iter().map(ToString::to_string).collect();
            facts["names"] = json!(names);
            let layout = names.and_then(Layout::of_names);
            facts["places"] = json!(layout.map(|layout| layout.places));
            let joined = names.and_then(|names| hex(names, black));
            facts["hex"] = json!(joined.map(|joined| if joined == Joined::Rows { "rows" } else { "columns" }));
        }
    }
    facts
}
