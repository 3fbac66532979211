//! Targets of several shapes and boards by family: what is known of them, their symmetries, and how a user meets them.

use assert_cmd::Command;
use harary::game::Game;
use harary::game::ground::{Family, Ground};
use harary::game::target::{Part, Target};
use harary::settle::{Options, Outcome, settle};
use harary_certificate::{Cell, Rule, WideSet};
use serde_json::Value;
use std::collections::BTreeSet;

fn game(part: Part, sides: &str, family: Family, rule: Rule) -> Game {
    Game::built(Target::new([part]), Ground::parse(sides, family).unwrap(), rule).unwrap()
}

fn outcome(game: &Game) -> Outcome {
    let options = Options { memory: 64 << 20, threads: 1, ..Options::default() };
    let outcome = settle(game, &options, &|_| {}).unwrap().outcome;
    assert!(outcome.certificate().is_some(), "{:?}: settled and proved", game.origin());
    outcome
}

/// The m,n,k games of the literature: 3,3,3 and 5,5,4 are draws, 4,3,3, 6,5,4 and 6,6,4 are won by who begins.
#[test]
fn rows_on_small_boards_are_what_is_known_of_them() {
    for (sides, k, win) in
        [("3x3", 3, false), ("4x3", 3, true), ("4x4", 4, false), ("5x5", 4, false), ("6x5", 4, true), ("6x6", 4, true)]
    {
        let found = outcome(&game(Part::Row(k), sides, Family::Plain, Rule::Strong));
        assert_eq!(found.win_by().is_some(), win, "{sides} {k}");
    }
}

/// Black wins Hex on every board with equal sides, and the strong game, with White's chains in it, by the same turn.
#[test]
fn hex_is_won_by_who_begins_under_both_rules() {
    for sides in ["1x1", "2x2", "3x3", "4x4"] {
        let turns = [Rule::Weak, Rule::Strong]
            .map(|rule| outcome(&game(Part::Connection, sides, Family::Hexagonal, rule)).win_by().unwrap());
        assert_eq!(turns[0], turns[1], "{sides}");
    }
    // With a longer way of his own Black still wins by moving first only if the ways differ by less than one.
    assert!(outcome(&game(Part::Connection, "2x3", Family::Hexagonal, Rule::Weak)).win_by().is_none());
    assert!(outcome(&game(Part::Connection, "3x2", Family::Hexagonal, Rule::Weak)).win_by().is_some());
}

/// The centre wins three in a row in a cube of three.
#[test]
fn the_cube_of_three_is_won() {
    let found = outcome(&game(Part::Lines, "3x3x3", Family::Plain, Rule::Strong));
    assert_eq!((found.win_by(), found.first_move()), (Some(7), Some(Cell::new(13))));
}

/// A game has the symmetries of its ground that keep its sets, and may have more: a cube of four has 192.
#[test]
fn games_have_the_symmetries_of_their_ground() {
    let shape = |rows: &str| Part::Shape(harary_certificate::Shape::from_rows(rows).unwrap());
    for (part, sides, family, expected) in [
        (Part::Lines, "3x3x3", Family::Plain, Some(48)),
        (Part::Lines, "4x4x4", Family::Plain, Some(192)),
        (Part::Connection, "4x4", Family::Hexagonal, Some(2)),
        (Part::Connection, "5x5", Family::Hexagonal, Some(2)),
        (Part::Row(3), "5x4", Family::Cylinder, Some(2 * 5 * 2)),
        (Part::Row(3), "6x6", Family::Cylinder, Some(2 * 6 * 2)),
        (Part::Row(5), "7x7", Family::Plain, Some(8)),
        (shape("X../.XX/.X."), "4x4", Family::Hexagonal, None),
        (shape("XX/XX"), "5x4", Family::Hexagonal, None),
        (Part::Row(4), "30x1", Family::Plain, Some(2)),
        (Part::Row(3), "4x3", Family::Torus, None),
    ] {
        let ground = Ground::parse(sides, family).unwrap();
        let game = game(part, sides, family, Rule::Strong);
        let group = game.symmetries();
        let images = |image: &[Cell], sets: &[WideSet]| -> BTreeSet<WideSet> {
            sets.iter().map(|set| set.iter().map(|cell| image[cell.index()]).collect()).collect()
        };
        // What a symmetry does to the sets: cells that lie in the same sets are not exchanged (lemma 40).
        let action = |image: &[Cell]| -> Vec<WideSet> {
            let sets = game.black_sets().iter().chain(game.white_sets());
            sets.map(|set| set.iter().map(|cell| image[cell.index()]).collect()).collect()
        };
        let own: BTreeSet<Vec<WideSet>> = (group.elements().iter())
            .map(|symmetry| action(&ground.cells().map(|cell| symmetry.cell(cell)).collect::<Vec<Cell>>()))
            .collect();
        for image in ground.symmetries() {
            let keeps = [game.black_sets(), game.white_sets()]
                .iter()
                .all(|sets| images(&image, sets) == sets.iter().copied().collect());
            assert!(!keeps || own.contains(&action(&image)), "{ground}");
        }
        assert!(expected.is_none_or(|expected| group.len() == expected), "{ground}: {}", group.len());
    }
}

fn harary(arguments: &[&str]) -> (Option<i32>, String, String) {
    let run = Command::new(env!("CARGO_BIN_EXE_harary")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (run.status.code(), text(run.stdout), text(run.stderr))
}

fn output(arguments: &[&str]) -> String {
    let (code, text, errors) = harary(arguments);
    assert_eq!((code, errors.as_str()), (Some(0), ""), "{arguments:?}");
    text
}

/// One way of saying a game, in every command that takes one.
#[test]
fn every_command_takes_targets_and_families() {
    let same = |a: &[&str], b: &[&str]| {
        let verdict = |arguments: &[&str]| -> Value {
            let mut answer: Value = serde_json::from_str(&output(arguments)).unwrap();
            answer["turn"].take()
        };
        assert_eq!(verdict(a), verdict(b), "{a:?} {b:?}");
    };
    same(&["solve", "--row", "3", "4x3", "--json"], &["solve", "I3+D3", "4x3", "--json"]);
    same(&["solve", "--lines", "3x3x3", "--json"], &["solve", "row3", "3x3x3", "--json"]);
    let answer: Value = serde_json::from_str(&output(&["solve", "tic+D3", "4x3", "--cylinder", "--json"])).unwrap();
    assert_eq!(answer["game"]["shape"], "tic+D3");
    assert_eq!(answer["game"]["cells"], "0,0 1,0 2,0+0,0 1,1 2,2");
    assert_eq!((&answer["game"]["board"], &answer["game"]["topology"]), (&"4x3".into(), &"cylinder".into()));
    assert!(output(&["pave", "--row", "5", "5x5"]).starts_with("row5 on 5x5 plain: paved with 12 pairs"));
    assert!(output(&["pave", "I4+fatty", "4x4", "--cylinder"]).contains("on 4x4 cylinder"));
    assert!(output(&["pave", "bee", "3x3", "--hexagonal", "--dominoes"]).contains("on 3x3 hexagonal"));
    let smallest = output(&["smallest", "--row", "3", "--up-to", "4"]);
    assert!(smallest.contains("The smallest square board Black wins on is 4x4, by turn 5."), "{smallest}");
    assert!(output(&["smallest", "hex", "--up-to", "3"]).contains("hexagonal boards, weak rule"));
    assert!(output(&["encode", "cor+", "--row", "3", "3x3", "--turns", "5", "--size"]).contains("variables"));
    let shown = output(&["show", "--row", "4", "4x4x4"]);
    assert!(shown.starts_with("row4 on 4x4x4 box, strong game: 76 winning sets\n"), "{shown}");
    assert!(shown.contains("192 symmetries") && shown.contains("  a b c d x a b c d y"), "{shown}");
    assert!(output(&["show", "hex", "3x3", "--format", "svg"]).contains("<path d=\"M"));
    assert!(output(&["show", "I3", "40x1"]).contains("20+"));
}

/// A certificate of such a game carries its names, and what is drawn from it alone looks like the board.
#[test]
fn certificates_are_checked_and_drawn() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cube.cert").display().to_string();
    output(&["solve", "--lines", "3x3x3", "--certificate", &file]);
    let text = std::fs::read_to_string(&file).unwrap();
    assert!(text.contains("\ngame sets 27\n") && text.contains("\n# names a1x b1x "), "{}", &text[..300]);
    assert!(output(&["check", &file]).contains("accepted"));
    let drawn = output(&["strategy", &file, "--main-line"]);
    assert!(drawn.contains("a b c x a b c y a b c z"), "{drawn}");
    let page = folder.path().join("page.html").display().to_string();
    output(&["view", &file, "--output", &page]);
    assert!(std::fs::read_to_string(&page).unwrap().contains("a1x"));
}

/// An opening of Hex: Black must begin at a cell, or has stones there.
#[test]
fn openings_of_hex() {
    let verdict = |first: &str| -> String {
        let answer: Value =
            serde_json::from_str(&output(&["solve", "hex", "3x3", "--first", first, "--json"])).unwrap();
        answer["verdict"].as_str().unwrap().to_owned()
    };
    assert_eq!((verdict("b2"), verdict("a1")), ("win".to_owned(), "hold".to_owned()));
}

/// Where a target or a family is not taken, one line says so.
#[test]
fn what_a_command_cannot_take_it_refuses_in_one_line() {
    for (arguments, wanted) in [
        (&["lookup", "hex"][..], "not about Hex"),
        (&["facts", "row5"], "is no single shape"),
        (&["tablebase", "build", "I3+D3", "3x3", "--output", "x.tb"], ""),
        (&["atlas", "run", "--shapes", "lines", "--boards", "5x5"], "full lines are those of one plain board"),
        (&["solve", "--row", "5"], "a game needs a shape and a board"),
        (&["solve", "tic", "3x3", "--row", "3"], "a shape or row3, not both"),
        (&["solve", "--row", "0", "3x3"], "is no number of cells in a row"),
        (&["solve", "--lines", "4x3"], "full lines are those of a plain board with equal sides"),
        (&["solve", "hex", "9x9"], "more than"),
        (&["solve", "hex", "4x4", "--torus"], "Hex is played on hexagonal cells"),
        (&["solve", "I3+", "4x4"], "lacks a shape"),
        (&["solve", "bee", "4x4"], "no shape 'bee'"),
        (&["solve", "tic", "3x3x3", "--cylinder"], "is a box of cubes"),
        (&["solve", "tic", "1001x1"], "a strip has at most"),
        (&["solve", "--row", "3", "3x3", "--torus", "--cylinder"], ""),
        (&["pave", "I3+D3", "6x6", "--periodic", "8"], "--periodic is for one shape on a plain board"),
        (&["smallest", "tic", "--row", "3"], "one of them"),
        (&["play", "tic", "3x3", "--row", "3"], "a shape or row3, not both"),
    ] {
        let (code, text, errors) = harary(arguments);
        assert_eq!((code, text.as_str()), (Some(2), ""), "{arguments:?}: {errors}");
        assert!(errors.starts_with("harary: ") && errors.trim_end().lines().count() == 1, "{arguments:?}: {errors}");
        assert!(errors.contains(wanted), "{arguments:?}: {errors}");
    }
}
