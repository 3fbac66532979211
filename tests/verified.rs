//! The checker that is proved in Coq (`verified/`) is built, and says the same as the crate's and the reference.
//!
//! Coq and OCaml must be there: `apt-get install coq ocaml`. Without them these tests fail.

#[allow(dead_code)]
mod reference;

use harary_certificate::checker;
use reference::changes::{Dice, changed};
use reference::corpus::good;
use reference::page::blocks;
use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::OnceLock;
use tempfile::TempDir;

/// Proves and builds everything, once; the program.
fn program() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("verified");
        let made = Command::new("make").arg("-C").arg(&folder).arg("test").output().expect("make is there");
        let said = [made.stdout, made.stderr].concat();
        assert!(
            made.status.success(),
            "make test in verified/ (needs coq and ocaml): {}",
            String::from_utf8_lossy(&said)
        );
        folder.join("harary-check-verified")
    })
}

/// The program, waiting for names of files.
struct Verified {
    child: Child,
    ask: ChildStdin,
    answers: BufReader<ChildStdout>,
    folder: TempDir,
}

impl Verified {
    fn new() -> Verified {
        let mut command = Command::new(program());
        let mut child = command.arg("--batch").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (ask, answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Verified { child, ask, answers, folder: TempDir::new().unwrap() }
    }

    /// Whether it accepts, or why it does not.
    fn verdict(&mut self, bytes: &[u8]) -> Result<(), String> {
        let said = self.said(bytes);
        match said.strip_prefix("refused: ") {
            // Nothing that is asked in this way may be beyond it.
            Some(reason) if reason.contains("not supported") => panic!("{reason}"),
            Some(reason) => Err(reason.to_owned()),
            None => {
                assert!(said.starts_with("accepted: "), "it says '{said}'");
                Ok(())
            }
        }
    }

    /// Whether it knows what the text is made of.
    fn supports(&mut self, bytes: &[u8]) -> bool {
        !self.said(bytes).contains("not supported")
    }

    /// What it prints of a text, behind the name of the file.
    fn said(&mut self, bytes: &[u8]) -> String {
        let file = self.folder.path().join("asked.cert");
        fs::write(&file, bytes).unwrap();
        writeln!(self.ask, "{}", file.display()).unwrap();
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        let said = line.trim_end().strip_prefix(&format!("{}: ", file.display()));
        said.unwrap_or_else(|| panic!("it says '{line}'")).to_owned()
    }
}

impl Drop for Verified {
    fn drop(&mut self) {
        self.child.kill().and_then(|()| self.child.wait()).map(drop).unwrap_or_default();
    }
}

fn crate_verdict(bytes: &[u8]) -> Result<(), String> {
    checker::check(bytes).map(drop).map_err(|refused| refused.to_string())
}

/// All three say the same of a text; whether they accept it, or none if it is too large for the reference.
fn all_agree(verified: &mut Verified, name: &str, bytes: &[u8]) -> Option<bool> {
    let (ours, theirs) = (crate_verdict(bytes), reference::verdict(bytes));
    if theirs.as_ref().is_err_and(|reason| reason == reference::TOO_LARGE) {
        return None;
    }
    let proved = verified.verdict(bytes);
    let same = ours.is_ok() == theirs.is_ok() && ours.is_ok() == proved.is_ok();
    let text = String::from_utf8_lossy(bytes);
    assert!(same, "{name}:\nthe crate: {ours:?}\nthe reference: {theirs:?}\nthe verified: {proved:?}\n{text}");
    Some(ours.is_ok())
}

#[test]
fn the_three_agree_on_the_corpus_and_the_page() {
    let mut verified = Verified::new();
    for (name, text) in good() {
        assert_eq!(all_agree(&mut verified, &name, text.as_bytes()), Some(true), "{name}");
    }
    for block in blocks().into_iter().filter(|block| ["certificate", "refused"].contains(&block.word)) {
        let name = format!("line {} of the page", block.line);
        let accepted = all_agree(&mut verified, &name, block.text.as_bytes());
        assert_eq!(accepted, Some(block.word == "certificate"), "{name}");
    }
}

/// What it does not know it calls so, and never accepts: another format, and compressed files.
#[test]
fn what_it_does_not_support_it_names() {
    let mut verified = Verified::new();
    let (_, text) = good().swap_remove(0);
    assert!(verified.supports(text.as_bytes()));
    assert!(!verified.supports(&zstd::encode_all(text.as_bytes(), 3).unwrap()));
    let others: Vec<_> = blocks().into_iter().filter(|block| block.word.starts_with("avoidance")).collect();
    assert!(!others.is_empty());
    for block in others {
        assert!(!verified.supports(block.text.as_bytes()), "line {} of the page", block.line);
    }
}

/// Games whose certificates have, together, every kind of line that the program writes.
const GAMES: &[&str] = &[
    "el 3x3",
    "tic 3x3",
    "tic 3x3 --engine plain",
    "tic 3x3 --stones 2,1",
    "tippy 4x4 --within 7",
    "fatty 5x5 --within 7",
    "el 4x4 --white b2 --to-move white",
    "tippy 8x8 --cover static",
    "skinny 7x7",
    "skinny 7x7 --rule weak",
    "skinny 6x6 --engine dfpn",
    "snaky 7x7",
    "fivecells-z 4x4 --torus",
    "tippy 4x4 --torus --rule weak --engine cards --cards tippy.cards",
    "domino 3x3 --stones 2,1",
    "el 3x3 --first b1",
    "--pg torus.pg",
];

#[test]
fn the_three_agree_on_what_the_program_writes() {
    let mut verified = Verified::new();
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("written.cert");
    let torus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pg/el-3x3-torus.pg");
    fs::copy(torus, folder.path().join("torus.pg")).unwrap();
    let mut kinds = BTreeSet::new();
    for game in GAMES {
        let mut solve = Command::new(env!("CARGO_BIN_EXE_harary"));
        solve.current_dir(folder.path()).arg("solve").args(game.split(' ')).args(["--fresh", "--threads", "1"]);
        let solved = solve.arg("--certificate").arg(&file).output().unwrap();
        assert!(solved.status.success(), "{game}: {}", String::from_utf8_lossy(&solved.stderr));
        let text = fs::read_to_string(&file).unwrap();
        assert_eq!(all_agree(&mut verified, game, text.as_bytes()), Some(true), "{game}");
        kinds.extend(text.lines().filter_map(|line| line.split(' ').next()).map(String::from));
        kinds.extend(text.lines().filter(|line| line.starts_with("claim loss")).map(|_| "claim loss".to_owned()));
    }
    let lines =
        ["p", "q", "b", "k", "l", "n", "s", "a", "c", "u", "g", "cover", "turns", "start", "first", "claim loss"];
    for kind in lines {
        assert!(kinds.contains(kind), "no certificate with '{kind}': {kinds:?}");
    }
}

/// Random changes of every good certificate: all three accept the same ones. Returns how many were tried.
fn agree_on_changes(seed: u64, rounds: usize) -> usize {
    let mut verified = Verified::new();
    let (mut accepted, mut refused, mut skipped) = (0, 0, 0);
    for (index, (name, text)) in good().into_iter().enumerate() {
        let mut dice = Dice(seed << 32 | index as u64);
        for _ in 0..rounds {
            match all_agree(&mut verified, &name, &changed(&text, &mut dice)) {
                Some(true) => accepted += 1,
                Some(false) => refused += 1,
                None => skipped += 1,
            }
        }
    }
    println!("{accepted} accepted, {refused} refused by all three, {skipped} too large for the reference");
    assert!(accepted * 50 > refused && refused > accepted, "{accepted} accepted, {refused} refused");
    assert!(skipped * 100 < refused, "{skipped} too large");
    accepted + refused
}

#[test]
fn the_three_agree_on_changes() {
    agree_on_changes(100, 5);
}

/// A longer run of the same: `cargo test --release --test verified -- --ignored --nocapture`.
#[test]
#[ignore = "more than ten thousand changes"]
fn the_three_agree_on_ten_thousand_changes() {
    let tried: usize = (101..103).map(|seed| agree_on_changes(seed, 60)).sum();
    assert!(tried >= 10_000, "{tried} changes tried");
}
