//! Files as users name them: nothing is written over what is read, nothing is read without an end, `-` is standard input.

use assert_cmd::Command;
use std::fs;
use std::path::Path;
use std::time::Duration;

fn harary(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_harary"));
    command.args(arguments.split_whitespace()).current_dir(folder).timeout(Duration::from_secs(300));
    command
}

/// Exit code, standard output, standard error.
fn run(folder: &Path, arguments: &str) -> (Option<i32>, String, String) {
    let run = harary(folder, arguments).output().unwrap();
    (run.status.code(), String::from_utf8(run.stdout).unwrap(), String::from_utf8(run.stderr).unwrap())
}

/// A folder with a certificate, a formula, a game and a shape.
fn ground() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for arguments in ["solve el 3x3 --certificate el.cert", "encode cor+ el 3x3 --turns 5 -o el.qdimacs"] {
        assert_eq!(run(at, arguments).0, Some(0), "{arguments}");
    }
    fs::write(at.join("el.pg"), run(at, "show el 3x3 --write-pg").1).unwrap();
    fs::write(at.join("el.txt"), "XX\nX.\n").unwrap();
    folder
}

#[test]
fn nothing_is_written_over_what_is_read() {
    let folder = ground();
    let at = folder.path();
    std::os::unix::fs::symlink("el.cert", at.join("link")).unwrap();
    let names = ["el.cert", "el.qdimacs", "el.pg", "el.txt"];
    let before: Vec<Vec<u8>> = names.iter().map(|name| fs::read(at.join(name)).unwrap()).collect();
    for arguments in [
        "view el.cert -o el.cert",
        "view el.cert -o ./el.cert",
        "view link -o el.cert",
        "view el.cert -o link",
        "verify el.qdimacs sat --certificate el.qdimacs",
        "encode cor --pg el.pg --turns 5 -o el.pg",
        "encode cor @el.txt 3x3 --turns 5 -o el.txt",
        "solve --pg el.pg --certificate el.pg",
        "solve el 3x3 --certificate new --certify-least ./new",
    ] {
        let (code, out, error) = run(at, arguments);
        assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments}: {error}");
        assert!(error.contains("would be written over"), "{arguments}: {error}");
    }
    let after: Vec<Vec<u8>> = names.iter().map(|name| fs::read(at.join(name)).unwrap()).collect();
    assert!(before == after && !at.join("new").exists());
}

#[test]
fn what_cannot_be_written_is_said_before_the_work() {
    let folder = ground();
    let at = folder.path();
    fs::write(at.join("locked"), "mine").unwrap();
    let mut rights = fs::metadata(at.join("locked")).unwrap().permissions();
    rights.set_readonly(true);
    fs::set_permissions(at.join("locked"), rights).unwrap();
    for (output, reason) in
        [("locked", "it is read-only"), ("missing/x", "there is no folder missing"), (".", "folder")]
    {
        for command in [
            "view el.cert -o",
            "verify el.qdimacs sat --certificate",
            "encode cor el 3x3 --turns 5 -o",
            // It would take hours.
            "solve snaky 9x9 --fresh --certificate",
            "tablebase build el 3x3 -o",
            "atlas certificate el 3x3 --output",
            "crosscheck --csv",
        ] {
            let (code, out, error) = run(at, &format!("{command} {output}"));
            assert_eq!((code, out.as_str()), (Some(2), ""), "{command} {output}: {error}");
            assert!(error.contains("cannot write") && error.contains(reason), "{command} {output}: {error}");
        }
    }
    assert_eq!(fs::read_to_string(at.join("locked")).unwrap(), "mine");
}

#[test]
fn endless_files_come_to_an_end() {
    let folder = ground();
    for (arguments, expected) in [
        ("verify /dev/zero sat --certificate x", 2),
        ("verify --csv /dev/zero", 2),
        ("check /dev/zero", 1),
        ("strategy /dev/zero", 1),
        ("view /dev/zero -o page.html", 1),
        ("show --pg /dev/zero", 2),
        ("show @/dev/zero 3x3", 2),
        ("atlas run --shapes @/dev/zero --dir run", 2),
        ("play --load /dev/zero", 2),
        ("tablebase probe /dev/zero", 1),
        ("tablebase verify /dev/zero", 1),
    ] {
        let (code, out, error) = run(folder.path(), arguments);
        assert_eq!(code, Some(expected), "{arguments}: {out}{error}");
        assert!(out.len() + error.len() > 20 && out.len() + error.len() < 1000, "{arguments}: {out}{error}");
    }
}

#[test]
fn a_dash_is_standard_input_wherever_a_file_is_read() {
    let folder = ground();
    let at = folder.path();
    assert_eq!(run(at, "tablebase build el 3x3 -o el.tb").0, Some(0));
    let table = "shape,board,topology,rule,encoding,turns,verdict\nel,3x3,plain,strong,cor,5,SAT\n";
    fs::write(at.join("table.csv"), table).unwrap();
    for (arguments, file) in [
        ("check -", "el.cert"),
        ("strategy -", "el.cert"),
        ("view - -o page.html", "el.cert"),
        ("show --pg -", "el.pg"),
        ("solve --pg -", "el.pg"),
        ("show @- 3x3", "el.txt"),
        ("atlas run --shapes @- --boards 3x3 --dir run", "el.txt"),
        ("verify - sat --certificate x.cert", "el.qdimacs"),
        ("verify --csv -", "table.csv"),
        ("tablebase probe -", "el.tb"),
        ("tablebase verify -", "el.tb"),
    ] {
        let done = harary(at, arguments).write_stdin(fs::read(at.join(file)).unwrap()).output().unwrap();
        let error = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!((done.status.code(), error.as_str()), (Some(0), ""), "{arguments}");
    }
}

#[test]
fn missing_files_are_named_and_exit_with_2() {
    let folder = ground();
    for arguments in [
        "check nowhere",
        "strategy nowhere",
        "view nowhere -o page.html",
        "show --pg nowhere",
        "show @nowhere 3x3",
        "verify nowhere sat",
        "verify --csv nowhere",
        "tablebase probe nowhere",
        "tablebase verify nowhere",
        "play --load nowhere",
        "atlas status --dir nowhere",
    ] {
        let (code, out, error) = run(folder.path(), arguments);
        assert_eq!(code, Some(2), "{arguments}: {out}{error}");
        assert!((out + &error).contains("nowhere"), "{arguments}");
    }
}
