//! The names of a `.pg` game: they go through its certificate to whoever looks at it, and do no harm on the way.

use assert_cmd::Command;
use std::fs;
use std::path::{Path, PathBuf};

const HEX: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pg/hex-3x3.pg");

/// Exit code and standard output.
fn run(arguments: &[&str]) -> (i32, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_harary")).args(arguments).output().unwrap();
    (done.status.code().unwrap(), String::from_utf8(done.stdout).unwrap())
}

/// A hold of the same game written position by position, as programs before blocks from any start wrote it.
const BY_POSITIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/certificates/hex-3x3.cert");

/// A copy of it.
fn by_positions(folder: &Path) -> PathBuf {
    let file = folder.join("game.cert");
    fs::copy(BY_POSITIONS, &file).unwrap();
    file
}

/// The certificate of a `.pg` game.
fn certificate(folder: &Path, pg: &str) -> PathBuf {
    let file = folder.join("game.cert");
    let (code, output) = run(&["solve", "--pg", pg, "--fresh", "--certificate", file.to_str().unwrap()]);
    assert_eq!(code, 0, "{output}");
    file
}

#[test]
fn names_stand_behind_the_header_and_everybody_uses_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = certificate(folder.path(), HEX);
    let text = fs::read_to_string(&file).unwrap();
    let place = text.lines().position(|line| line == "# names a1 a2 a3 b1 b2 b3 c1 c2 c3").expect(&text);
    assert!(text.lines().nth(place - 1).unwrap().starts_with("symmetry"), "{text}");
    let file = by_positions(folder.path());
    let name = file.to_str().unwrap();
    let (code, shown) = run(&["strategy", name, "--depth", "6"]);
    assert_eq!(code, 0);
    // Drawn as on a board: a1 is Black's, c1 and b3 are White's; Black has played a3.
    assert!(shown.contains("3 X O .\n") && shown.contains("1 X . O\n"), "{shown}");
    let (_, slanted) = run(&["strategy", name, "--depth", "6", "--hex"]);
    assert!(slanted.contains("    3 X   O   .\n"), "{slanted}");
    let (_, json) = run(&["strategy", name, "--json"]);
    assert!(json.contains("\"a1\""), "{json}");
    let page = folder.path().join("page.html");
    assert_eq!(run(&["view", name, "-o", page.to_str().unwrap()]).0, 0);
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains(r#""names":["a1","a2","a3","b1""#), "names on the page");
    assert!(page.contains(r#""places":[[0,0],[0,1],[0,2],[1,0]"#), "and places");
    // Moves are given by name.
    let first = shown.lines().find_map(|line| line.trim().strip_prefix("1. Black ")).map(|rest| rest[..2].to_owned());
    if let Some(first) = first {
        assert_eq!(run(&["strategy", name, "--after", &first]).0, 0);
    }
    assert_eq!(run(&["strategy", name, "--after", "z9"]).0, 2);
}

#[test]
fn refusals_speak_of_vertices_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = by_positions(folder.path());
    let text = fs::read_to_string(&file).unwrap();
    let first = text.lines().find(|line| line.starts_with("q ")).unwrap();
    let name = file.to_str().unwrap();
    // A position less: the play gets to one without a line.
    fs::write(&file, text.replace(&format!("{first}\n"), "")).unwrap();
    let (code, shown) = run(&["check", name]);
    assert_eq!(code, 1);
    assert!(shown.contains("\n . ") && shown.contains("\n O ") && shown.contains("\n X a1"), "{shown}");
    // The same from the checker alone.
    let checker = Path::new(env!("CARGO_BIN_EXE_harary")).with_file_name("harary-check");
    if checker.exists() {
        let alone = Command::new(checker).arg(name).output().unwrap();
        assert_eq!(String::from_utf8(alone.stdout).unwrap(), shown);
    }
    // A stone on a stone.
    let words: Vec<&str> = first.split(' ').collect();
    let black = u64::from_str_radix(words[1], 16).unwrap();
    let occupied = format!("{} {} {} {}", words[0], words[1], words[2], black.trailing_zeros());
    fs::write(&file, text.replace(first, &occupied)).unwrap();
    assert!(run(&["check", name]).1.contains(": a1 is occupied\n"), "{}", run(&["check", name]).1);
    // Without names it is a number.
    let without: String = text.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    fs::write(&file, without.replace(first, &occupied)).unwrap();
    assert!(run(&["check", name]).1.contains(": 0 is occupied\n"));
}

#[test]
fn names_prove_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = by_positions(folder.path());
    let text = fs::read_to_string(&file).unwrap();
    let without: String =
        text.lines().filter(|line| !line.starts_with("# names")).map(|line| format!("{line}\n")).collect();
    fs::write(&file, &without).unwrap();
    let name = file.to_str().unwrap();
    assert_eq!(run(&["check", name]).0, 0);
    let (_, numbers) = run(&["strategy", name, "--depth", "6"]);
    assert!(numbers.contains("Black 0 2; White 1 5 6"), "vertices by number: {numbers}");
    // Names that lie, or are too few, or the same, change nothing but words.
    for names in ["# names a b", "# names a a a a a a a a a", "# names"] {
        fs::write(&file, without.replace("symmetry none\n", &format!("symmetry none\n{names}\n"))).unwrap();
        assert_eq!(run(&["check", name]).0, 0, "{names}");
        assert_eq!(run(&["strategy", name, "--depth", "6"]).1, numbers, "{names}");
    }
}

#[test]
fn no_orders_reach_a_terminal_or_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let file = by_positions(folder.path());
    let text = fs::read_to_string(&file).unwrap();
    let evil = "# names \u{1b}[2J<script>alert(1)</script> a\u{202e}b \u{7}x b1 b2 b3 c1 c2 c3";
    fs::write(&file, text.replace("# names a1 a2 a3 b1 b2 b3 c1 c2 c3", evil)).unwrap();
    let name = file.to_str().unwrap();
    for format in ["text", "json", "dot"] {
        let (code, shown) = run(&["strategy", name, "--depth", "6", "--format", format]);
        assert_eq!(code, 0, "{format}");
        assert!(
            shown.contains("?x") && !shown.chars().any(|c| c != '\n' && (c.is_control() || c == '\u{202e}')),
            "{shown:?}"
        );
    }
    let page = folder.path().join("page.html");
    assert_eq!(run(&["view", name, "-o", page.to_str().unwrap()]).0, 0);
    let page = fs::read_to_string(page).unwrap();
    assert!(!page.contains("<script>alert") && !page.contains('\u{1b}') && !page.contains('\u{202e}'));
    // In a game's own file such a name is a mistake, and the message shows what it is.
    let pg = folder.path().join("evil.pg");
    fs::write(&pg, fs::read_to_string(HEX).unwrap().replace("b2", "b\u{1b}[31m2")).unwrap();
    let done =
        Command::new(env!("CARGO_BIN_EXE_harary")).args(["show", "--pg", pg.to_str().unwrap()]).output().unwrap();
    let message = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code().map(|code| code == 0), Some(false));
    assert!(message.contains("the name 'b\\u{1b}[31m2' has characters that cannot be seen"), "{message}");
}

#[test]
fn numbers_need_no_names_and_boards_have_none() {
    let folder = tempfile::tempdir().unwrap();
    let pg = folder.path().join("numbers.pg");
    fs::write(&pg, "#times\nt1 t2 t3\n#blackturns\nt1 t3\n#positions\n0 1 2\n#blackwins\n0 1\n0 2\n").unwrap();
    let text = fs::read_to_string(certificate(folder.path(), pg.to_str().unwrap())).unwrap();
    assert!(!text.contains('#'), "{text}");
    let board = folder.path().join("board.cert");
    run(&["solve", "el", "3x3", "--fresh", "--certificate", board.to_str().unwrap()]);
    assert!(!fs::read_to_string(board).unwrap().contains('#'));
}
