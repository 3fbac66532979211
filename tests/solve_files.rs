//! What `harary solve` announces, and the files it writes: no verdict is lost for a file, and no file for a verdict.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

/// Exit code, standard output, standard error.
fn solve(folder: &Path, arguments: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_harary"));
    let done = command.arg("solve").args(arguments.split(' ')).args(["--memory", "16MiB"]).current_dir(folder);
    let done = done.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (done.status.code().unwrap(), text(done.stdout), text(done.stderr))
}

fn json(folder: &Path, arguments: &str) -> (i32, Value) {
    let (code, out, errors) = solve(folder, &format!("{arguments} --json"));
    (code, serde_json::from_str(&out).unwrap_or_else(|wrong| panic!("{wrong}: {out}{errors}")))
}

fn puzzle(folder: &Path, name: &str) {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pg").join(name);
    fs::copy(source, folder.join("puzzle.pg")).unwrap();
}

#[test]
fn outputs_are_tried_before_the_search() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    puzzle(folder.path(), "hex-3x3.pg");
    fs::write(at("locked"), "mine").unwrap();
    let mut permissions = fs::metadata(at("locked")).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(at("locked"), permissions).unwrap();
    let before = fs::read_to_string(at("puzzle.pg")).unwrap();
    for (arguments, reason) in [
        ("el 3x3 --certificate missing/x", "cannot write missing/x: there is no folder missing"),
        ("el 3x3 --certificate .", "cannot write .: it is a folder"),
        ("el 3x3 --certificate locked", "cannot write locked: it is read-only"),
        ("el 3x3 --certificate a --certify-least ./a", "./a would be written over a; choose another name"),
        ("--pg puzzle.pg --certificate puzzle.pg", "puzzle.pg would be written over puzzle.pg; choose another name"),
    ] {
        let (code, out, errors) = solve(folder.path(), arguments);
        assert_eq!((code, out.as_str(), errors), (2, "", format!("harary: {reason}\n")), "{arguments}");
    }
    assert_eq!(fs::read_to_string(at("puzzle.pg")).unwrap(), before);
    assert_eq!(fs::read_to_string(at("locked")).unwrap(), "mine");
    assert!(!at("a").exists());
}

/// A full disk is only seen when it is written to.
#[cfg(target_os = "linux")]
#[test]
fn a_certificate_that_cannot_be_written_does_not_cost_the_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, errors) = solve(folder.path(), "el 3x3 --certificate /dev/full");
    assert_eq!(code, 1);
    assert!(out.contains("Black wins by turn 5") && out.contains("Certificate: accepted"), "{out}");
    assert!(errors.starts_with("harary: cannot write the certificate /dev/full: "), "{errors}");
    let (code, report) = json(folder.path(), "el 3x3 --certify-least /dev/full --certificate x");
    assert_eq!((code, &report["verdict"], &report["certificate"]["checked"]), (1, &"win".into(), &true.into()));
    assert_eq!((&report["certificate"]["path"], &report["least_certificate"]["path"]), (&"x".into(), &Value::Null));
    assert!(folder.path().join("x").is_file());
}

/// "No win by the last turn" is a hold, and certified as one.
#[test]
fn a_game_that_ends_early_is_held_by_its_last_turn() {
    let folder = tempfile::tempdir().unwrap();
    puzzle(folder.path(), "skinny-4x4-seven-turns.pg");
    let (code, out, _) = solve(folder.path(), "--pg puzzle.pg --certificate x");
    assert_eq!(code, 0, "{out}");
    assert!(out.contains("White holds: Black cannot force a win in the 7 turns of this game."), "{out}");
    let certificate = fs::read_to_string(folder.path().join("x")).unwrap();
    assert!(certificate.contains("\nclaim hold 7\n"), "{certificate}");
}

/// `--within` answers its own question.
#[test]
fn by_this_turn_or_not() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, by_turn, verdict) in [
        ("tippy 4x4 --within 9", "yes", "win"),
        ("tippy 4x4 --within 12", "yes", "win"),
        ("tippy 4x4 --within 8", "no", "open"),
        ("tippy 4x4 --within 8 --certificate x", "no", "open"),
        ("tic 3x3 --within 9", "no", "hold"),
        ("tic 3x3 --within 100", "no", "hold"),
    ] {
        let (code, report) = json(folder.path(), arguments);
        assert_eq!(
            (code, &report["by_turn"], &report["verdict"]),
            (0, &by_turn.into(), &verdict.into()),
            "{arguments}"
        );
    }
    assert!(fs::read_to_string(folder.path().join("x")).unwrap().contains("\nclaim hold 8\n"));
    assert_eq!(json(folder.path(), "tic 3x3 --fresh").1["by_turn"], Value::Null);
    let (code, report) = json(folder.path(), "skinny 9x9 --within 41 --nodes 1000 --threads 1");
    assert_eq!((code, &report["by_turn"]), (3, &Value::Null));
}

/// What the search knows is said, and that there is no proof of it.
#[test]
fn a_proof_that_is_not_finished_is_no_reason_to_be_silent() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = "XXX/XXX/XXX 12x12 --engine alphabeta --threads 1 --nodes 1 --certificate x";
    let (code, out, _) = solve(folder.path(), arguments);
    assert_eq!(code, 3, "{out}");
    assert!(out.contains("White holds, by the search; no certificate yet: stopped by a limit."), "{out}");
    let (code, report) = json(folder.path(), arguments);
    assert_eq!((code, &report["verdict"], &report["searched"]), (3, &"open".into(), &"hold".into()));
    assert!(!folder.path().join("x").exists());
}

/// On a large board one look for a paving comes first.
#[test]
fn large_boards_are_paved_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, _) = solve(folder.path(), "XXX/XXX/XXX 19x19 --threads 1");
    assert!(code == 0 && out.contains("White holds") && out.contains("1 node checked"), "{out}");
}

/// `--unchecked` gives a claim, and says so.
#[test]
fn what_is_not_checked_is_a_claim() {
    let folder = tempfile::tempdir().unwrap();
    let (code, out, _) = solve(folder.path(), "el 3x3 --unchecked --certificate x");
    assert!(code == 0 && out.contains("Black wins by turn 5") && out.contains("NOT CHECKED"), "{out}");
    let (_, report) = json(folder.path(), "el 3x3 --unchecked");
    assert_eq!((&report["verdict"], &report["certificate"]["checked"]), (&"win".into(), &false.into()));
    assert!(folder.path().join("x").is_file());
}
