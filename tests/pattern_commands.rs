//! The command line of `harary pattern`: files in and out, what is said of bad ones, exit codes.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_harary")).arg("pattern").args(arguments).current_dir(folder).output().unwrap()
}

/// Standard output of a run that ends with this code.
#[track_caller]
fn said(folder: &Path, arguments: &[&str], code: i32) -> String {
    let output = run(folder, arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The one line of complaint of a run that ends with this code.
#[track_caller]
fn complaint(folder: &Path, arguments: &[&str], code: i32) -> String {
    let output = run(folder, arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), errors.lines().count()), (Some(code), 1), "{arguments:?}: {errors}");
    errors.trim_end().to_owned()
}

/// The puzzle of the report, without and with its two given cells.
const THREE: &str = "width 3\nheight 3\nrows\n1\n1,1\n2\ncolumns\n2\n1\n2\n";

#[test]
fn a_puzzle_is_solved_counted_and_told_unique() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("two.non"), THREE).unwrap();
    fs::write(at.join("one.non"), format!("{THREE}given \"10???????\"\n")).unwrap();
    for encoding in ["doubled", "pairs", "apart", "implied", "ladder"] {
        for lines in [&[][..], &["--no-lines"]] {
            let with = |words: &[&'static str]| [words, &["--encoding", encoding], lines].concat();
            let solved = said(at, &with(&["solve", "one.non"]), 0);
            assert!(solved.starts_with("    2 1 2\n  1 # . .\n1 1 # . #\n  2 . # #\n\nsolved by"), "{solved}");
            assert!(said(at, &with(&["unique", "one.non"]), 0).starts_with("one.non: exactly one solution, easy"));
            assert!(said(at, &with(&["unique", "two.non"]), 1).contains("two that differ in 4 cells"));
        }
    }
    assert_eq!(said(at, &["count", "two.non"], 0), "two.non: 2 solutions\n");
    assert_eq!(said(at, &["count", "one.non"], 0), "one.non: 1 solution\n");
    let svg = said(at, &["solve", "one.non", "--format", "svg"], 0);
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    let solved = said(at, &["solve", "one.non", "--format", "non"], 0);
    assert!(solved.contains("given \"10???????\"") && solved.contains("goal \"100101011\""), "{solved}");
}

#[test]
fn many_solutions_are_counted_up_to_a_number() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // One black cell a line: the permutations of 24, too many states to count them all.
    let ones = ["[1]"; 24].join(",");
    fs::write(at.join("many.json"), format!("{{\"rows\": [{ones}], \"columns\": [{ones}]}}")).unwrap();
    let counted = said(at, &["count", "many.json", "--most", "50"], 3);
    assert_eq!(counted, "many.json: 50 solutions found, not all counted\n");
    let ones = ["[1]"; 12].join(",");
    fs::write(at.join("few.json"), format!("{{\"rows\": [{ones}], \"columns\": [{ones}]}}")).unwrap();
    assert_eq!(said(at, &["count", "few.json"], 0), "few.json: 479001600 solutions\n");
}

#[test]
fn puzzles_are_made_and_read_again() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let made = |seed: &str, file: &str| {
        said(at, &["generate", "--size", "12x9", "--difficulty", "medium", "--seed", seed, "-o", file], 0)
    };
    let shown = made("3", "a.non");
    assert!(shown.ends_with("\nexactly one solution, medium\n"), "{shown}");
    assert_eq!(made("3", "b.json"), shown);
    assert_ne!(made("4", "c.non"), shown);
    for file in ["a.non", "b.json", "c.non"] {
        assert!(said(at, &["unique", file], 0).contains("exactly one solution, medium"));
    }
    assert_eq!(
        said(at, &["generate", "--format", "non", "--size", "12x9", "--difficulty", "medium", "--seed", "3"], 0),
        fs::read_to_string(at.join("a.non")).unwrap()
    );
    // From a picture: the clues of this one have two solutions.
    fs::write(at.join("picture.txt"), "#.\n.#\n").unwrap();
    let refused = complaint(at, &["generate", "picture.txt", "--no-given"], 1);
    assert!(refused.ends_with("allow others as well; 1 cell given would make it unique"), "{refused}");
    let shown = said(at, &["generate", "picture.txt", "--solution", "-o", "picture.non"], 0);
    assert!(shown.contains("1 # .\n1 . #\n") && shown.ends_with("easy, 1 cell given\n"), "{shown}");
    assert!(said(at, &["unique", "picture.non"], 0).contains("exactly one"));
    let none = complaint(at, &["generate", "--size", "1x1", "--difficulty", "hard", "--tries", "2"], 1);
    assert!(none.contains("no such puzzle in 2 tries"), "{none}");
}

#[test]
fn encodings_agree_on_the_same_puzzles() {
    let folder = tempfile::tempdir().unwrap();
    let text = said(folder.path(), &["compare", "--random", "3", "--size", "8x8"], 0);
    assert!(text.starts_with("3 puzzles, 3 with exactly one solution"), "{text}");
    for encoding in ["doubled", "pairs", "apart", "implied", "ladder"] {
        assert!(text.contains(&format!("\n{encoding}")), "{text}");
    }
}

#[test]
fn bad_puzzles_get_one_clear_line() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for (name, text, part) in [
        (
            "sums.non",
            "width 2\nheight 2\nrows\n2\n2\ncolumns\n2\n1\n",
            "the rows have 4 black cells, the columns have 3",
        ),
        ("band.non", "width 2\nheight 1\nrows\n3\ncolumns\n1\n1\n", "row 1: a band of 3 is longer than the line"),
        ("wide.json", "{\"rows\": [[1, 1]], \"columns\": [[1], [1]]}", "row 1: the bands need 3 cells"),
        ("short.non", "width 2\nheight 2\nrows\n1\ncolumns\n1\n", "line 3: 2 lines of clues belong to 'rows'"),
        ("broken.json", "{\"rows\": [[1]]", "EOF while parsing"),
        ("empty.non", "", "there is no line 'width'"),
    ] {
        fs::write(at.join(name), text).unwrap();
        for action in ["solve", "unique", "count"] {
            let line = complaint(at, &[action, name], 2);
            assert!(line.starts_with(&format!("harary: {name}: ")) && line.contains(part), "{line}");
        }
    }
    fs::write(at.join("none.non"), "width 2\nheight 3\nrows\n2\n0\n2\ncolumns\n2\n2\n").unwrap();
    assert_eq!(complaint(at, &["solve", "none.non"], 1), "harary: none.non: no solution");
    assert!(said(at, &["unique", "none.non"], 1).contains("no solution"));
    assert_eq!(said(at, &["count", "none.non"], 0), "none.non: 0 solutions\n");
    assert!(complaint(at, &["solve", "nowhere.non"], 2).contains("cannot read nowhere.non"));
    assert!(complaint(at, &["solve", "/dev/zero"], 2).contains("too long for a puzzle"));
    fs::write(at.join("picture.txt"), "#?\n").unwrap();
    assert!(complaint(at, &["generate", "picture.txt"], 2).contains("picture.txt: line 1: '?' is neither"));
    assert!(complaint(at, &["generate", "picture.txt", "-o", "picture.txt"], 2).contains("would be written over"));
    assert!(complaint(at, &["generate", "--size", "0x5"], 2).contains("no size from 1x1 to 100x100"));
    assert!(complaint(at, &["compare"], 2).contains("required"));
    // Two bands with much room: the places of both and the cells between them would be too many.
    let row = "[1, 1]";
    let (rows, columns) = (vec![row; 500].join(","), vec![row; 500].join(","));
    fs::write(at.join("vast.json"), format!("{{\"rows\": [{rows}], \"columns\": [{columns}]}}")).unwrap();
    let line = complaint(at, &["solve", "vast.json", "--encoding", "pairs"], 2);
    assert!(line.ends_with("--encoding ladder makes the smallest"), "{line}");
}
