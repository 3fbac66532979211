//! The house stays in order: rooms use rooms below them only, no files go in circles, none grows over 700 lines, and
//! nothing is written twice. docs/architecture.md tells the order; here it is kept.

mod layers;
mod modules;
mod pieces;
mod teeth;
mod tokens;

use layers::{ROOMS, back_edges, circles, ties_of_neighbours};
use modules::{Modules, Source};
use pieces::written_twice;
use std::fs;
use std::path::Path;
use std::process::Command;

const MOST_LINES: usize = 700;
const MOST_DEPENDENCIES: usize = 6;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files below a folder of the project with one of these endings, in order, each with its text.
fn files(folder: &str, endings: &[&str]) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut open = vec![root().join(folder)];
    while let Some(path) = open.pop() {
        if path.is_dir() && !path.ends_with("target") {
            open.extend(fs::read_dir(&path).expect("a folder").map(|entry| entry.expect("an entry").path()));
        } else if endings.iter().any(|ending| path.extension().is_some_and(|extension| extension == *ending)) {
            let name = path.strip_prefix(root()).expect("below the root").to_string_lossy().into_owned();
            found.push((name, fs::read_to_string(&path).expect("a text file")));
        }
    }
    found.sort();
    found
}

/// All that people write here in a programming language.
fn written() -> Vec<(String, String)> {
    ["src", "crates", "tests", "benches", "examples", "fuzz"]
        .into_iter()
        .filter(|folder| root().join(folder).is_dir())
        .flat_map(|folder| files(folder, &["rs", "js", "css", "py", "sh"]))
        .collect()
}

/// The files of the crates with the place of each in its module tree.
fn program() -> Modules {
    let all = files("src", &["rs"]).into_iter().chain(files("crates", &["rs"]));
    Modules::new(all.filter_map(|(path, text)| source(&path, text)).collect())
}

fn source(path: &str, text: String) -> Option<Source> {
    let parts: Vec<&str> = path.split('/').collect();
    let (krate, inside) = match parts[..] {
        ["crates", krate, "src", ref inside @ ..] => (krate.replace('-', "_"), inside),
        ["src", ref inside @ ..] => ("harary".to_owned(), inside),
        _ => return None,
    };
    let mut module: Vec<String> = inside.iter().map(|part| part.trim_end_matches(".rs").to_owned()).collect();
    let (krate, module) = match inside {
        ["lib.rs"] => (krate, Vec::new()),
        // A program is a crate of its own, which uses the library as a stranger would.
        ["main.rs"] | ["bin", _] => (path.to_owned(), Vec::new()),
        [.., "mod.rs"] => {
            module.pop();
            (krate, module)
        }
        _ => (krate, module),
    };
    Some(Source { krate, module, path: path.to_owned(), text })
}

fn assert_none(what: &str, offenders: &[String]) {
    assert!(offenders.is_empty(), "{} {what}:\n{}", offenders.len(), offenders.join("\n"));
}

#[test]
fn no_room_reaches_back() {
    assert_none("back edges", &back_edges(&program()));
}

#[test]
fn the_other_games_keep_to_themselves() {
    assert_none("ties between src/neighbours and the rest", &ties_of_neighbours(&program()));
}

#[test]
fn no_files_go_in_circles() {
    assert_none("circles", &circles(&program()));
}

#[test]
fn no_file_is_longer_than_an_evening() {
    let long: Vec<String> = written()
        .iter()
        .map(|(path, text)| (path, text.lines().count()))
        .filter(|(_, lines)| *lines > MOST_LINES)
        .map(|(path, lines)| format!("{path}: {lines} lines"))
        .collect();
    assert_none("files over 700 lines", &long);
}

#[test]
fn nothing_is_written_twice() {
    assert_none("pieces written twice", &written_twice(&written()));
}

/// The direct dependencies of the trusted crate, as Cargo sees them; those of its tests do not count.
#[test]
fn the_trusted_crate_leans_on_little() {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo runs");
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let trusted = packages.iter().find(|package| package["name"] == "harary-certificate").expect("the trusted crate");
    let names: Vec<&str> = trusted["dependencies"]
        .as_array()
        .expect("dependencies")
        .iter()
        .filter(|dependency| dependency["kind"] != "dev")
        .map(|dependency| dependency["name"].as_str().expect("a name"))
        .collect();
    assert!((1..=MOST_DEPENDENCIES).contains(&names.len()), "{names:?}");
    assert!(!names.contains(&"harary"), "{names:?}");
}

/// The words in backquotes that open the rows of the first table of a text.
fn first_column(text: &str) -> Vec<String> {
    let rows =
        text.lines().map(|line| line.trim_start_matches("//!").trim()).skip_while(|line| !line.starts_with("| room"));
    let cells = rows.take_while(|line| line.starts_with('|')).filter_map(|line| line.split('`').nth(1));
    cells.map(str::to_owned).collect()
}

#[test]
fn the_order_is_told_as_it_is_kept() {
    for path in ["docs/architecture.md", "src/lib.rs"] {
        let text = fs::read_to_string(root().join(path)).expect(path);
        assert_eq!(first_column(&text), ROOMS, "the table of rooms in {path}");
    }
    for room in &ROOMS[1..] {
        assert!(root().join("src").join(room).join("mod.rs").is_file(), "src/{room} is a folder");
    }
}
