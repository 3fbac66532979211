//! The command line of `harary match`: the same games for the same seed, shares, the plot, mistakes.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn run(folder: &Path, arguments: &str) -> Output {
    let arguments = arguments.split_whitespace();
    Command::new(env!("CARGO_BIN_EXE_harary")).arg("match").args(arguments).current_dir(folder).output().unwrap()
}

#[track_caller]
fn said(folder: &Path, arguments: &str, code: i32) -> String {
    let output = run(folder, arguments);
    assert_eq!(output.status.code(), Some(code), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_same_seed_plays_the_same_games() {
    let folder = tempfile::tempdir().unwrap();
    for players in ["random beck", "minimax:2 random", "blocking:1 random --misere"] {
        let with = |more: &str| said(folder.path(), &format!("{players} --games 200 {more}"), 0);
        assert_eq!(with("--jobs 1"), with("--jobs 3"), "{players}");
        assert_ne!(with("--seed 1"), with("--seed 2"), "{players}");
    }
    let clauses = "random random --rule clauses --size 3,4 --games 100 --clauses 6 --literals 3 --negation 0.4";
    assert_eq!(said(folder.path(), clauses, 0), said(folder.path(), &format!("{clauses} --jobs 1"), 0));
}

#[test]
fn shares_stand_with_their_intervals_and_the_exact_value() {
    let folder = tempfile::tempdir().unwrap();
    let text = said(folder.path(), "perfect random --rule modular --games 100 --svg shares.svg", 0);
    let row = text.lines().last().unwrap();
    assert!(text.starts_with("perfect against random, modular rule\n"), "{text}");
    assert!(row.starts_with("3x3          100  100.0% (96.3 to 100.0)") && row.ends_with("first"), "{row}");
    let svg = fs::read_to_string(folder.path().join("shares.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.contains("perfect against random") && svg.contains("100 games"));
    // A board of five by potential, the misère game of five not at all.
    let value = |arguments: &str| said(folder.path(), arguments, 0).trim_end().rsplit(' ').next().unwrap().to_owned();
    assert_eq!(value("random random --rule modular --size 5 --games 5"), "draw");
    assert_eq!(value("random random --misere --size 5 --games 5"), "-");
}

/// What the report prints, at depths at which this takes no time. Where its heuristic is a matter of reading, depth 1
/// comes out differently.
#[test]
fn the_tables_of_the_report_are_played_again() {
    let folder = tempfile::tempdir().unwrap();
    let text = said(folder.path(), "--report --depth 3", 0);
    assert!(text.ends_with("25 of 27 games agree\n"), "{text}");
    assert!(text.contains("\nmodular       3x3  J1      J1      J1 "), "{text}");
    assert!(text.contains("\nmodular       5x5  J1 [E]  E       E "), "{text}");
    assert!(text.lines().filter(|line| line.ends_with("exact: draw")).count() == 7, "{text}");
    assert!(text.lines().filter(|line| line.ends_with("exact: first")).count() == 2, "{text}");
}

#[test]
fn mistakes_get_one_line() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, part) in [
        ("random", "required"),
        ("random nobody", "'nobody' is no player; players are random"),
        ("minimax random", "needs a depth, as in minimax:2"),
        ("perfect random --size 3,5", "the perfect player is for boards up to 4x4, not 5x5"),
        ("random random --size 9", "'9' is no side of a board"),
        ("random random --games 0", "0 is not in 1..=10000000"),
        ("random random --rule clauses --literals 10", "a clause of 10 different cells does not fit a board of 9"),
        ("random random --svg nowhere/x.svg", "there is no folder nowhere"),
        ("random random --report", "cannot be used with"),
    ] {
        let output = run(folder.path(), arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), errors.lines().count()), (Some(2), 1), "{arguments}: {errors}");
        assert!(errors.starts_with("harary: ") && errors.contains(part), "{arguments}: {errors}");
    }
    // No time at all: nothing was played, and it is said.
    let output = run(folder.path(), "random random --time 0s");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert!(errors.starts_with("harary: 0 games of 1000: stopped by a limit"), "{errors}");
}
