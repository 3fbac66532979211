//! Nobody listens: standard output or standard error closed, or full. No command panics.
#![cfg(target_os = "linux")]

use std::process::Command;

#[test]
fn no_command_panics_when_nobody_listens() {
    let commands = [
        "solve el 3x3 --fresh",
        "solve el 3x3 --json",
        "solve nothing 3x3",
        "solve skinny 7x7 --within 11 --nodes 100 --progress json",
        "show tippy 4x4",
        "shapes",
        "facts",
        "pave fatty 4x4",
        "smallest el",
        "check Cargo.toml missing.cert",
        "strategy tests/certificates/tic-3x3.cert",
        "strategy --test tests/strategies/el-3x3-broken.txt el 3x3",
        "lookup el 3x3",
        "encode cor el 3x3 --turns 5",
        "crosscheck --shapes el --turns 5 --solver-command 'sh -c \"exit 20\" {file}' --keep \"$FOLDER\"",
        "neighbours nim 5",
        "solve --ig tests/ig/el-3x3-5.ig --fresh",
        "avoid el 3x3",
        "cards import tests/cards_files/domino.txt --shape XX -o \"$FOLDER/domino.cards\"",
        "tablebase build el 3x2 -o \"$FOLDER/el.tb\"",
        "view tests/certificates/el-3x3.cert -o \"$FOLDER/page.html\"",
        "verify tests/pg/fatty-3x3.pg sat --certificate \"$FOLDER/x\"",
        "atlas certificate el 3x3 --output \"$FOLDER/el.cert\"",
        "atlas status",
        "atlas run --shapes el --boards 3x3 --dir \"$FOLDER/run\"",
        "match random random --games 5",
        "pattern generate --size 5x5 --seed 7",
        "table harries-2026",
        "oeis",
        "play el 3x3 --as white",
        "--help",
        "--version",
        "",
    ];
    let folder = tempfile::tempdir().unwrap();
    for command in commands {
        for streams in [
            ">&- 2>\"$FOLDER/e\"",
            ">/dev/full 2>\"$FOLDER/e\"",
            "2>&-",
            ">&- 2>&-",
            "2>/dev/full",
            ">/dev/full 2>/dev/full",
        ] {
            let script = format!("\"$HARARY\" {command} {streams}");
            let done = Command::new("sh")
                .args(["-c", &script])
                .env("HARARY", env!("CARGO_BIN_EXE_harary"))
                .env("FOLDER", folder.path())
                .current_dir(env!("CARGO_MANIFEST_DIR"))
                .output()
                .unwrap();
            // 101 is a panic, above 128 a signal.
            let code = done.status.code().unwrap();
            assert!((0..=20).contains(&code), "{script}: {code}");
            let errors = std::fs::read_to_string(folder.path().join("e")).unwrap_or_default();
            assert!(!errors.contains("panicked"), "{script}: {errors}");
        }
    }
}
