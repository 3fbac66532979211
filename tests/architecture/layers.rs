//! The order of the rooms, and circles between files.

use super::modules::Modules;
use std::collections::{BTreeMap, BTreeSet};

/// The rooms from below: each may use those that stand before it, none that stands after.
pub const ROOMS: [&str; 16] = [
    "harary-certificate",
    "effort",
    "game",
    "paving",
    "engines",
    "evidence",
    "settle",
    "tablebase",
    "play",
    "atlas",
    "farm",
    "qbf",
    "neighbours",
    "views",
    "serve",
    "cli",
];

/// What the room of the other games may use: no engine, no driver, nothing that settles. And only `cli` may use it.
const OF_NEIGHBOURS: [&str; 3] = ["neighbours", "effort", "qbf"];

/// And the reader of the language that models of theirs and ours are written in.
const LANGUAGE: &str = "src/game/ig/";

/// The room a file lies in: a folder of src, or the trusted crate; nothing for the doors (lib.rs, main.rs, other crates).
pub fn room(path: &str) -> Option<&str> {
    let parts: Vec<&str> = path.split('/').collect();
    match parts[..] {
        ["crates", krate, ..] => ROOMS.contains(&krate).then_some(krate),
        ["src", "lib.rs" | "main.rs"] => None,
        ["src", file] => Some(file.trim_end_matches(".rs")),
        ["src", room, ..] => Some(room),
        _ => None,
    }
}

/// What breaks the order: a file in no known room, or one that uses a later room.
pub fn back_edges(modules: &Modules) -> Vec<String> {
    let rank = |file: usize| match room(&modules.sources[file].path) {
        Some(room) => ROOMS.iter().position(|known| *known == room),
        None => Some(ROOMS.len()),
    };
    let strangers = (0..modules.sources.len())
        .filter(|file| rank(*file).is_none())
        .map(|file| format!("{} lies in no room of the list", modules.sources[file].path));
    let back = modules.edges().into_iter().filter(|edge| rank(edge.from) < rank(edge.to)).map(|edge| {
        let [from, to] = [edge.from, edge.to].map(|file| &modules.sources[file].path);
        format!("{from}:{} reaches back to {to} ({})", edge.line, edge.path)
    });
    strangers.chain(back).collect()
}

/// Ties between the other games and the rooms that settle Harary's.
pub fn ties_of_neighbours(modules: &Modules) -> Vec<String> {
    let room_of = |file: usize| room(&modules.sources[file].path);
    let tied = |from: Option<&str>, to: Option<&str>| match (from, to) {
        (Some("neighbours"), Some(to)) => !OF_NEIGHBOURS.contains(&to),
        (Some(from), Some("neighbours")) => from != "cli",
        _ => false,
    };
    let edges = modules.edges().into_iter().filter(|edge| {
        tied(room_of(edge.from), room_of(edge.to)) && !modules.sources[edge.to].path.starts_with(LANGUAGE)
    });
    edges.map(|edge| format!("{}:{} uses {}", modules.sources[edge.from].path, edge.line, edge.path)).collect()
}

/// The circles: sets of files each of which uses all others of its set, directly or through others.
pub fn circles(modules: &Modules) -> Vec<String> {
    let edges = modules.edges();
    let mut next: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for edge in &edges {
        next.entry(edge.from).or_default().push(edge.to);
    }
    let reached: Vec<BTreeSet<usize>> = (0..modules.sources.len()).map(|file| reachable(&next, file)).collect();
    let mut circles = Vec::new();
    let mut seen = BTreeSet::new();
    for file in 0..modules.sources.len() {
        let circle: BTreeSet<usize> =
            reached[file].iter().copied().filter(|other| reached[*other].contains(&file)).collect();
        if circle.len() > 1 && seen.insert(circle.clone()) {
            let inside = edges.iter().filter(|edge| circle.contains(&edge.from) && circle.contains(&edge.to));
            let lines: Vec<String> = inside
                .map(|edge| {
                    let [from, to] = [edge.from, edge.to].map(|file| &modules.sources[file].path);
                    format!("    {from}:{} uses {to} ({})", edge.line, edge.path)
                })
                .collect();
            circles.push(format!("a circle of {} files:\n{}", circle.len(), lines.join("\n")));
        }
    }
    circles
}

/// What one comes to from `start` along one edge or more.
fn reachable(next: &BTreeMap<usize, Vec<usize>>, start: usize) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    let mut open = vec![start];
    while let Some(file) = open.pop() {
        open.extend(next.get(&file).into_iter().flatten().filter(|to| seen.insert(**to)));
    }
    seen
}
