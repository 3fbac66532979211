//! Files that shrink while they are read, and streams that end early: refused or read as what they are, no panic, no hang.

use super::ground::{Die, Files, files, folder_with, harary, said};
use std::fs::OpenOptions;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// What is read, by which commands; `FILE` is the file.
const READERS: [(&str, &[&str]); 6] = [
    ("win.cert", &["check FILE", "strategy FILE", "view FILE -o page.html"]),
    ("game.pg", &["show --pg FILE", "solve --pg FILE --fresh --nodes 1000"]),
    ("el.tb", &["tablebase verify FILE"]),
    ("rows.cards", &["cards check FILE", "cards export FILE -o -"]),
    ("el.qdimacs", &["verify FILE sat --certificate made.cert"]),
    ("game.txt", &["play --load FILE"]),
];

fn ground() -> tempfile::TempDir {
    let folder = folder_with(&Files::new());
    for script in [
        "harary solve 4cells2 6x6 --fresh --threads 1 --certificate win.cert",
        "harary show skinny 9x9 --write-pg > game.pg",
        "harary tablebase build el 3x3 -o el.tb",
        "harary solve XXX 5x5 --rule weak --engine cards --fresh --threads 1 --learn --cards rows.cards",
        "harary encode cor+ el 3x3 --turns 5 -o el.qdimacs",
    ] {
        let done = harary(folder.path(), script).output().unwrap();
        assert!(done.status.success(), "{script}: {}", said(&done));
    }
    let game = "harary game 1; shape 0,0 0,1 1,0; board 3x3 plain; strong rule; you are White\nb2 a1 c2\n";
    std::fs::write(folder.path().join("game.txt"), game).unwrap();
    folder
}

/// A program that met a file cut short ends by itself, with an exit code of ours.
fn ended(folder: &Path, script: &str, shrink: impl FnOnce()) -> (Option<i32>, String) {
    let run = harary(folder, script).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    shrink();
    let done = run.wait_with_output().unwrap();
    (done.status.code(), said(&done))
}

fn shrink_all(moments: usize, seed: u64) {
    let folder = ground();
    let mut die = Die(seed);
    for (name, commands) in READERS {
        let path = folder.path().join(name);
        let whole = std::fs::read(&path).unwrap();
        for command in commands.iter().flat_map(|command| std::iter::repeat_n(command, moments)) {
            let left = die.roll(whole.len() as u64);
            // Shorter when it is opened, or a moment later.
            let pause = Duration::from_micros(die.roll(2) * die.roll(20_000));
            let shrink = || {
                std::thread::sleep(pause);
                OpenOptions::new().write(true).open(&path).unwrap().set_len(left).unwrap();
            };
            let (code, said) = ended(folder.path(), &format!("harary {}", command.replace("FILE", name)), shrink);
            let what = format!("{command} cut to {left} of {} bytes after {pause:?}: {code:?}: {said}", whole.len());
            assert!(matches!(code, Some(0..=3)) && !said.contains("panicked"), "{what}");
            std::fs::write(&path, &whole).unwrap();
        }
    }
    assert!(files(folder.path()).keys().all(|name| name.extension().is_none_or(|ending| ending != "part")));
}

#[test]
fn files_that_shrink_are_no_panic() {
    shrink_all(4, 0x5121);
}

#[test]
#[ignore = "200 moments of every command that reads"]
fn files_that_shrink_at_two_hundred_moments() {
    shrink_all(200, 0x5122);
}
