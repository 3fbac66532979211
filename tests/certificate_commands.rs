//! `harary check` and `harary strategy` as their users meet them.

use assert_cmd::Command;
use serde_json::Value;
use std::fs;
use std::path::PathBuf;

fn harary(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_harary"));
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/certificates");
    command.args(arguments).current_dir(folder).env_remove("NO_COLOR");
    command
}

/// Exit code, standard output, standard error.
fn run(arguments: &[&str]) -> (i32, String, String) {
    let done = harary(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (done.status.code().unwrap(), text(done.stdout), text(done.stderr))
}

fn read(name: &str) -> String {
    fs::read_to_string(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/certificates").join(name)).unwrap()
}

#[test]
fn accepted_certificates_say_what_they_prove() {
    let (code, output, errors) = run(&["check", "el-3x3.cert", "fatty-4x4-paving.cert"]);
    assert_eq!((code, errors.as_str()), (0, ""));
    assert_eq!(
        output,
        "el-3x3.cert: accepted: Black wins el on 3x3 plain, strong rule, by turn 5; 6 positions checked\n\
         fatty-4x4-paving.cert: accepted: White holds fatty on 4x4 plain, strong rule; 1 node checked\n"
    );
    assert_eq!(run(&["check", "--quiet", "el-3x3.cert"]), (0, String::new(), String::new()));
    let (code, output, _) = run(&["check", "--json", "domino-2x2-attack.cert"]);
    let report: Value = serde_json::from_str(&output).unwrap();
    assert_eq!((code, &report["finding"], &report["certificate"]["nodes"]), (0, &"accepted".into(), &3.into()));
    assert_eq!(report["proved"], "Black wins domino on 2x2 plain, weak rule, by turn 3; 3 nodes checked");
}

#[test]
fn refused_certificates_show_line_and_position() {
    let damaged = read("fatty-4x4-paving.cert").replace("13-14", "12-13");
    let done = harary(&["check", "-"]).write_stdin(damaged).output().unwrap();
    assert_eq!(done.status.code(), Some(1));
    assert_eq!(
        String::from_utf8(done.stdout).unwrap(),
        "-: refused: line 6: the winning set b3 c3 b4 c4 contains no pair\n \
         4 . . . .\n 3 . . . .\n 2 . . . .\n 1 . . . .\n   a b c d\n"
    );
    let damaged = read("el-3x3.cert")
        .lines()
        .filter(|line| !line.starts_with("p 0 0"))
        .fold(String::new(), |all, line| all + line + "\n");
    let done = harary(&["check", "--json", "-"]).write_stdin(damaged).output().unwrap();
    let report: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!((done.status.code(), &report["finding"], &report["line"]), (Some(1), &"refused".into(), &Value::Null));
    assert_eq!(report["reason"], "no line for the position 0 0 0");
    assert_eq!(report["position"], " 3 . . .\n 2 . . .\n 1 . . .\n   a b c\n");
}

#[test]
fn a_missing_file_is_named_and_the_others_are_checked() {
    let (code, output, _) = run(&["check", "nowhere.cert", "el-3x3.cert"]);
    assert_eq!(code, 2);
    assert!(output.starts_with("nowhere.cert: cannot read nowhere.cert: "), "{output}");
    assert!(output.contains("\nel-3x3.cert: accepted"), "{output}");
    assert_eq!(run(&["check"]).0, 2);
    let (code, _, errors) = run(&["strategy", "nowhere.cert"]);
    assert_eq!(code, 2);
    assert!(errors.starts_with("harary: cannot read nowhere.cert: "), "{errors}");
}

/// Each output is kept beside its certificate.
#[test]
fn strategies_look_as_they_did() {
    for (golden, arguments) in [
        ("el-3x3.txt", vec!["el-3x3.cert", "--depth", "9"]),
        ("el-3x3.dot", vec!["el-3x3.cert", "--depth", "9", "--format", "dot"]),
        ("el-3x3-main-line.txt", vec!["el-3x3.cert", "--main-line"]),
        ("domino-2x2-attack.txt", vec!["domino-2x2-attack.cert"]),
        ("domino-2x2-attack.svg", vec!["domino-2x2-attack.cert", "--format", "svg"]),
        ("domino-2x2-turned.txt", vec!["domino-2x2-attack.cert", "--after", "a1 a2"]),
        ("fatty-4x4-paving.txt", vec!["fatty-4x4-paving.cert"]),
        ("tic-3x3-from.txt", vec!["tic-3x3.cert", "--after", "b2", "--depth", "3"]),
    ] {
        let (code, output, errors) = run(&[vec!["strategy"], arguments].concat());
        assert_eq!((code, errors.as_str()), (0, ""), "{golden}");
        assert_eq!(output, read(golden), "{golden}");
    }
}

/// Every reply is there, none grouped away.
#[test]
fn the_tree_for_machines_is_whole() {
    let (code, output, _) = run(&["strategy", "el-3x3.cert", "--depth", "3", "--json"]);
    let [report, tree]: [Value; 2] = [output, read("el-3x3.json")].map(|text| serde_json::from_str(&text).unwrap());
    assert_eq!((code, &report["tree"]), (0, &tree));
}

#[test]
fn strategies_are_told_in_words() {
    let words = |file: &str| run(&["strategy", file, "--explain"]).1.replace('\n', " ");
    let paved = words("fatty-4x4-paving.cert");
    assert!(paved.contains("6 pairs of cells are marked. Whenever Black takes one cell of a pair"), "{paved}");
    assert!(paved.contains("9 of the 9 winning sets contain both cells of a pair"), "{paved}");
    let won = words("el-3x3.cert");
    assert!(won.contains("Black begins with b2. He wins after 8 replies by turn 5"), "{won}");
    assert!(won.contains("The longest line: 1. Black b2, 2. White a1, 3. Black b1."), "{won}");
    assert!(won.contains("cells at once") && won.contains("White can take but one"), "{won}");
    let nodes = words("domino-2x2-attack.cert");
    assert!(nodes.contains("The proof is made of attack nodes"), "{nodes}");
    let held = words("tic-3x3.cert");
    assert!(held.contains("White has an answer to each move of Black's."), "{held}");
    assert!(held.contains("8. White b2. There it ends: White has completed a winning set."), "{held}");
}

#[test]
fn lines_of_play_that_do_not_fit_are_explained() {
    let mistake = |from: &str| {
        let (code, output, errors) = run(&["strategy", "domino-2x2-attack.cert", "--after", from]);
        assert_eq!((code, output.as_str()), (2, ""));
        errors
    };
    assert_eq!(mistake("b1"), "harary: at turn 1 the strategy plays a1, not b1\n");
    assert_eq!(mistake("a1 a1"), "harary: a1 cannot be played there: it is occupied, or not allowed\n");
    assert_eq!(mistake("a1 z9"), "harary: there is no cell 'z9' in this game\n");
    assert_eq!(
        mistake("a1 b2 a2 b1"),
        "harary: the line of play ends before a2: Black completes a winning set at b1\n"
    );
    let damaged = read("domino-2x2-attack.cert").replace("done 2", "done 1");
    let done = harary(&["strategy", "-"]).write_stdin(damaged).output().unwrap();
    assert_eq!(done.status.code(), Some(1));
    assert!(String::from_utf8(done.stdout).unwrap().starts_with("-: refused: line 7: b1 is not in Z\n"));
}
