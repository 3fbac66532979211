//! `harary solve --batch`: a game a line, an answer a line, and nothing of a bad line but its error.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

fn harary(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_harary"));
    command.arg("solve").args(arguments).args(["--memory", "64MiB"]).current_dir(folder);
    command
}

/// The answers, and the exit code.
fn batch(games: &str, arguments: &[&str]) -> (Vec<Value>, i32) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.txt"), games).unwrap();
    let done = harary(folder.path(), &[&["--batch", "games.txt"], arguments].concat()).output().unwrap();
    let text = String::from_utf8(done.stdout).unwrap();
    let answers = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    (answers, done.status.code().unwrap())
}

fn numbers(answers: &[Value]) -> Vec<u64> {
    answers.iter().map(|answer| answer["line"].as_u64().unwrap()).collect()
}

#[test]
fn a_line_is_answered_as_the_command_answers_it() {
    let games =
        "# games\n\nel 3x3\n\"XX./.XX\" 4x4 --fresh\n  fatty 4x4 --rule weak\nI3+D3 3x3 --within 5\n--row 3 3x3\n";
    let (answers, code) = batch(games, &["--threads", "1"]);
    assert_eq!((numbers(&answers), code), (vec![3, 4, 5, 6, 7], 0));
    let folder = tempfile::tempdir().unwrap();
    for (answer, words) in answers.iter().zip([
        vec!["el", "3x3"],
        vec!["XX./.XX", "4x4", "--fresh"],
        vec!["fatty", "4x4", "--rule", "weak"],
        vec!["I3+D3", "3x3", "--within", "5"],
        vec!["--row", "3", "3x3"],
    ]) {
        let alone = harary(folder.path(), &[&words[..], &["--threads", "1", "--json"]].concat()).output().unwrap();
        let mut alone: Value = serde_json::from_slice(&alone.stdout).unwrap();
        let mut answer = answer.clone();
        assert_eq!((answer["error"].take(), answer["line"].is_u64()), (Value::Null, true));
        for value in [&mut alone, &mut answer] {
            let object = value.as_object_mut().unwrap();
            for key in ["line", "text", "error", "seconds"] {
                object.remove(key);
            }
        }
        assert_eq!(answer, alone, "{words:?}");
    }
    assert_eq!(answers[1]["text"], "\"XX./.XX\" 4x4 --fresh");
}

#[test]
fn a_bad_line_costs_nothing_but_itself() {
    let long = "x".repeat(1 << 17);
    let games =
        format!("skiny 7x7\nel 3x3\nel\nel 3x3 --torsu\nel '3x3\n--batch x\n--pg -\nel 3x3 --qbf\n{long}\nel 3x3");
    let (answers, code) = batch(&games, &[]);
    assert_eq!((numbers(&answers), code), ((1..=10).collect(), 2));
    for (index, error) in [
        (0, "no shape 'skiny'; did you mean skinny?"),
        (2, "the following required arguments were not provided: <BOARD>"),
        (3, "unexpected argument '--torsu' found"),
        (4, "a quote is left open"),
        (5, "--batch, --jobs, --qbf and --progress are for the whole batch, not for a line"),
        (6, "standard input is no game of a batch"),
        (7, "--batch, --jobs, --qbf and --progress are for the whole batch, not for a line"),
        (8, "a line has at most 65536 bytes"),
    ] {
        let told = answers[index]["error"].as_str().unwrap();
        assert!(told.starts_with(error), "{told}");
        let keys: BTreeSet<&str> = answers[index].as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, BTreeSet::from(["schema", "command", "version", "line", "text", "error"]));
    }
    assert_eq!((&answers[1]["turn"], &answers[9]["turn"]), (&5.into(), &5.into()));
}

#[test]
fn limits_are_for_each_game_and_a_line_has_the_last_word() {
    let (answers, code) =
        batch("snaky 9x9\nel 3x3\nsnaky 9x9 --nodes 5000\n", &["--fresh", "--nodes", "2000", "--threads", "1"]);
    assert_eq!((numbers(&answers), code), (vec![1, 2, 3], 3));
    let nodes = |index: usize| answers[index]["nodes"].as_u64().unwrap();
    assert_eq!((&answers[0]["verdict"], &answers[0]["stopped"]), (&"open".into(), &true.into()));
    assert_eq!((&answers[1]["verdict"], &answers[1]["engine"] == "atlas"), (&"win".into(), false));
    assert!(nodes(0) < nodes(2), "{} {}", nodes(0), nodes(2));
    // A certificate that cannot be written is a failure, and worse than what is not settled; the verdict is there.
    let (answers, code) = batch("el 3x3 --certificate /dev/full\nel 3x3 --certificate missing/x\n", &[]);
    assert_eq!((code, &answers[0]["verdict"], &answers[1]["verdict"]), (1, &"win".into(), &Value::Null));
    assert!(answers[0]["error"].as_str().unwrap().starts_with("cannot write the certificate /dev/full"));
}

#[test]
fn several_games_at_a_time_are_all_answered() {
    let games: String =
        (0..30).map(|number| format!("{} 3x3 --fresh\n", ["el", "tic", "domino"][number % 3])).collect();
    let (answers, code) = batch(&games, &["--jobs", "3"]);
    let lines: BTreeSet<u64> = numbers(&answers).into_iter().collect();
    assert_eq!((answers.len(), lines, code), (30, (1..=30).collect(), 0));
    assert!(
        answers
            .iter()
            .all(|answer| answer["verdict"]
                == ["win", "hold", "win"][(answer["line"].as_u64().unwrap() as usize - 1) % 3])
    );
}

#[test]
fn a_batch_is_no_game() {
    let folder = tempfile::tempdir().unwrap();
    for (words, reason) in [
        (vec!["el", "3x3", "--batch", "x"], "cannot be used with"),
        (vec!["--batch", "x", "--torus"], "cannot be used with"),
        (vec!["--batch", "x", "--certificate", "c"], "cannot be used with"),
        (vec!["el", "3x3", "--jobs", "2"], "--jobs is for --batch"),
        (vec!["--batch", "missing"], "cannot read missing"),
    ] {
        let done = harary(folder.path(), &words).output().unwrap();
        let errors = String::from_utf8(done.stderr).unwrap();
        assert_eq!((done.status.code(), done.stdout.is_empty()), (Some(2), true), "{words:?}: {errors}");
        assert!(errors.contains(reason), "{words:?}: {errors}");
    }
}

/// A batch that reads what we write.
fn conversation(arguments: &[&str]) -> (Child, impl FnMut() -> Value) {
    let mut command = harary(Path::new("/"), &[&["--batch", "-"], arguments].concat());
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    (child, move || serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap())
}

fn interrupt(child: &Child) {
    kill(Pid::from_raw(child.id().try_into().unwrap()), Signal::SIGINT).unwrap();
}

#[test]
fn an_answer_comes_before_the_next_question() {
    let (mut child, mut answer) = conversation(&[]);
    let mut input = child.stdin.take().unwrap();
    for (shape, turn) in [("el", 5), ("domino", 3), ("el", 5)] {
        writeln!(input, "{shape} 3x3 --fresh").unwrap();
        assert_eq!(answer()["turn"], turn);
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn ctrl_c_ends_a_batch_with_what_it_has() {
    let (mut child, mut answer) = conversation(&["--fresh", "--threads", "1"]);
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "el 3x3\nsnaky 9x9\nsnaky 9x9 --torus").unwrap();
    // The second is under way, or about to be: it is answered, and the third is not begun.
    assert_eq!(answer()["turn"], 5);
    std::thread::sleep(std::time::Duration::from_millis(300));
    interrupt(&child);
    let stopped = answer();
    assert_eq!((&stopped["line"], &stopped["verdict"], &stopped["stopped"]), (&2.into(), &"open".into(), &true.into()));
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

#[test]
fn ctrl_c_ends_a_batch_that_waits() {
    let (mut child, mut answer) = conversation(&[]);
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "el 3x3").unwrap();
    assert_eq!(answer()["turn"], 5);
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(3));
    drop(input);
}
