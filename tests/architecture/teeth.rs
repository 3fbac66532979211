//! The tests of this folder see what they are there for: small made-up programs, good ones and bad ones.

use super::layers::{back_edges, circles, ties_of_neighbours};
use super::modules::Modules;
use super::pieces::written_twice;
use super::source;

fn program(files: &[(&str, &str)]) -> Modules {
    Modules::new(files.iter().map(|(path, text)| source(path, (*text).to_owned()).expect("a source path")).collect())
}

const LIB: (&str, &str) = ("src/lib.rs", "pub mod game; pub mod engines; pub mod settle; pub use settle::Options;");
const GAME: (&str, &str) = ("src/game/mod.rs", "mod positional; pub use positional::Game;");
const POSITIONAL: (&str, &str) = ("src/game/positional.rs", "pub struct Game;");
const SETTLE: (&str, &str) = ("src/settle/mod.rs", "use crate::game::Game; pub struct Options(Game);");

fn back_edges_with(path: &str, text: &str) -> Vec<String> {
    back_edges(&program(&[LIB, GAME, POSITIONAL, SETTLE, (path, text)]))
}

#[test]
fn a_use_downwards_is_fine() {
    assert_eq!(
        back_edges_with("src/engines/mod.rs", "use crate::game::Game; use std::fmt; pub fn f(_: Game) {}"),
        [""; 0]
    );
}

#[test]
fn a_back_edge_is_seen_however_it_is_written() {
    for text in [
        "use crate::settle::Options;",
        "use crate::{game::Game, settle::{self, Options as O}};",
        "use super::settle;",
        "use super::settle::*;",
        "use crate::Options;",
        "pub use crate::settle::Options; fn f(_: Options) {}",
        "fn f(_: crate::settle::Options) {}",
        "fn f() { use crate::settle; }",
        "// {\nfn f<'a>(_: &'a str) { let _ = ('\"', '\\'', b'{', r#\"}\"\"#, \"\\\"\"); crate::settle::Options; }",
    ] {
        let found = back_edges_with("src/engines/mod.rs", text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert!(found[0].contains("reaches back to src/settle/mod.rs"), "{found:?}");
    }
}

#[test]
fn ties_of_the_other_games_are_seen() {
    let lib =
        ("src/lib.rs", "pub mod game; pub mod engines; pub mod neighbours; pub mod effort; pub mod qbf; pub mod cli;");
    let ties = |path: &str, text: &str| {
        let other = ("src/effort/mod.rs", "pub struct Limits;");
        let nim = ("src/neighbours/nim.rs", "use crate::effort::Limits; pub struct Nim(Limits);");
        ties_of_neighbours(&program(&[
            lib,
            GAME,
            POSITIONAL,
            other,
            nim,
            ("src/neighbours/mod.rs", "pub mod nim;"),
            (path, text),
        ]))
    };
    assert_eq!(ties("src/cli/mod.rs", "use crate::neighbours::nim::Nim;"), [""; 0]);
    assert_eq!(ties("src/neighbours/a.rs", "use crate::game::Game;"), ["src/neighbours/a.rs:1 uses crate::game::Game"]);
    assert_eq!(
        ties("src/engines/mod.rs", "use crate::neighbours::nim::Nim;"),
        ["src/engines/mod.rs:1 uses crate::neighbours::nim::Nim"]
    );
}

#[test]
fn words_in_comments_strings_and_tests_are_no_use() {
    for text in [
        "// use crate::settle::Options;",
        "//! [`crate::settle::Options`]",
        "/* /* crate::settle */ crate::settle::Options */",
        "const A: &str = \"use crate::settle::Options;\";",
        "const A: &str = r#\"\"crate::settle::Options\"#;",
        "#[cfg(test)] mod tests { use crate::settle::Options; }",
        "#[cfg(test)] use crate::settle::Options;",
    ] {
        assert_eq!(back_edges_with("src/engines/mod.rs", text), [""; 0], "{text}");
    }
}

#[test]
fn a_file_for_tests_only_is_left_out() {
    let parent = ("src/engines/mod.rs", "#[cfg(test)]\nmod scene;");
    let scene = ("src/engines/scene.rs", "use crate::settle::Options;");
    assert_eq!(back_edges(&program(&[LIB, GAME, SETTLE, parent, scene])), [""; 0]);
    let parent = ("src/engines/mod.rs", "mod scene;");
    assert_eq!(back_edges(&program(&[LIB, GAME, SETTLE, parent, scene])).len(), 1);
}

#[test]
fn a_room_nobody_knows_is_reported() {
    let found = back_edges_with("src/attic/mod.rs", "");
    assert_eq!(found, ["src/attic/mod.rs lies in no room of the list"]);
}

#[test]
fn the_trusted_crate_is_below_everything() {
    let lib = ("crates/harary-certificate/src/lib.rs", "mod cell; pub use cell::Cell;");
    let cell = ("crates/harary-certificate/src/cell.rs", "pub struct Cell;");
    let game = ("src/game/mod.rs", "use harary_certificate::Cell; pub struct Game;");
    assert_eq!(back_edges(&program(&[LIB, lib, cell, game])), [""; 0]);
    let cell = ("crates/harary-certificate/src/cell.rs", "use harary::game::Game;");
    assert_eq!(back_edges(&program(&[LIB, lib, cell, game])).len(), 1);
}

#[test]
fn a_circle_is_seen_through_re_exports() {
    let parent = ("src/engines/mod.rs", "pub mod table; pub mod canon; pub mod engine; pub use canon::Canon;");
    let table = ("src/engines/table.rs", "use super::Canon; pub struct Table;");
    let canon = ("src/engines/canon.rs", "use super::engine::Engine; pub struct Canon;");
    let straight = ("src/engines/engine.rs", "pub trait Engine {}");
    assert_eq!(circles(&program(&[LIB, parent, table, canon, straight])), [""; 0]);
    let round = ("src/engines/engine.rs", "use crate::engines::table::Table; pub trait Engine {}");
    let found = circles(&program(&[LIB, parent, table, canon, round]));
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("a circle of 3 files"), "{found:?}");
}

#[test]
fn a_parent_that_only_re_exports_is_in_no_circle_one_that_uses_is() {
    let child = ("src/settle/race.rs", "use super::Options; pub fn race(_: Options) {}");
    let quiet = ("src/settle/mod.rs", "mod race; pub use race::race; pub struct Options;");
    assert_eq!(circles(&program(&[LIB, quiet, child])), [""; 0]);
    for busy in [
        "mod race; pub use race::race; pub struct Options; fn go() { race(Options) }",
        "mod race; use race::race; pub struct Options;",
        "mod race; pub struct Options; fn go() { race::race(Options) }",
    ] {
        assert_eq!(circles(&program(&[LIB, ("src/settle/mod.rs", busy), child])).len(), 1, "{busy}");
    }
}

/// A piece of so many lines, its variable named.
fn piece(lines: usize, name: &str) -> String {
    (0..lines).map(|line| format!("    {name} += {line}; // {name}\n\n")).collect()
}

fn twice(a: String, b: String) -> Vec<String> {
    written_twice(&[("a.rs".to_owned(), a), ("b.rs".to_owned(), b)])
}

#[test]
fn fifteen_lines_written_twice_are_seen_and_fourteen_are_not() {
    let other = |name: &str| format!("fn {name}() {{\n");
    assert_eq!(twice(other("f") + &piece(14, "x"), other("g") + &piece(14, "x")), [""; 0]);
    assert_eq!(twice(piece(20, "x"), piece(20, "y")), [""; 0]);
    let found = twice(other("f") + &piece(20, "x"), other("g") + "use a::{b,\n c};\n" + &piece(20, "x"));
    assert_eq!(found, ["a.rs:2-40 stands again at b.rs:4-42"]);
    let found = twice(piece(15, "x") + "fn f() {}\n" + &piece(15, "x"), String::new());
    assert_eq!(found, ["a.rs:1-29 stands again at a.rs:32-60"]);
    assert_eq!(twice("x();\n".repeat(20), String::new()), [""; 0], "one run of like lines is one place");
}
