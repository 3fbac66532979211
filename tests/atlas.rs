//! The atlas as its users meet it: runs killed, resumed, out of space; answers from it and without it.

use assert_cmd::Command;
use harary::atlas::journal;
use harary::atlas::selection::{animals, games};
use harary::atlas::{Entry, Tablebase};
use harary_certificate::{Rule, Topology};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

fn harary(arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_harary"));
    command.args(arguments.split(' ')).env_remove("NO_COLOR");
    command
}

/// What a run prints, and its exit code.
fn run(arguments: &str) -> (String, String, Option<i32>) {
    let run = harary(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(run.stdout), text(run.stderr), run.status.code())
}

fn json(arguments: &str) -> Value {
    let (out, err, code) = run(arguments);
    assert_eq!((err.as_str(), code), ("", Some(0)), "{arguments}: {out}");
    serde_json::from_str(&out).unwrap()
}

/// 24 animals on two boards under two rules.
const SMALL: &str = "atlas run --boards 3x3 --both --rule both";
const SMALL_GAMES: usize = 24 * 2 * 2;

/// The results in a folder, no game twice.
fn results(folder: &Path) -> Vec<Entry> {
    let entries = journal::read(folder).unwrap().unwrap_or_default();
    let keys: BTreeSet<_> = entries.iter().map(|entry| entry.key.clone()).collect();
    assert_eq!(keys.len(), entries.len(), "a game was settled twice");
    entries
}

/// Wherever it hits, nothing is lost, nothing is done twice, and the file can be read.
#[test]
fn a_run_killed_ten_times_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    // A run of about a second, of which ten kills see a fraction.
    let arguments = format!("atlas run --boards 3x3..5x5 --rule both --dir {}", folder.path().display());
    let games = (24 + 49 + 55) * 2;
    let mut moments = std::collections::hash_map::RandomState::new();
    let (mut before, mut hit) = (Vec::new(), 0);
    for kill in 0..10 {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_harary"));
        let mut child = command.args(arguments.split(' ')).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // At a random moment, but not before the run has done something, or ten kills would get nowhere.
        let random = std::hash::BuildHasher::hash_one(&moments, kill) % 20_000;
        moments = std::collections::hash_map::RandomState::new();
        while child.try_wait().unwrap().is_none() && results(folder.path()).len() == before.len() {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_micros(random));
        hit += usize::from(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
        let after = results(folder.path());
        assert!(after.starts_with(&before), "a result was lost");
        before = after;
    }
    assert!(hit >= 5, "the kills came too late to test anything: {hit}");
    let (out, err, code) = run(&arguments);
    assert_eq!((err.as_str(), code), ("", Some(0)), "{out}");
    let after = results(folder.path());
    assert!(after.starts_with(&before) && after.len() == games);
    assert!(after.iter().all(|entry| entry.finding.is_settled() && entry.certificate.is_some()));
}

#[test]
fn a_second_run_has_nothing_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = format!("{SMALL} --dir {}", folder.path().display());
    let (out, err, code) = run(&arguments);
    assert_eq!((err.as_str(), code), ("", Some(0)));
    assert!(
        out.contains("96 games, 96 to do") && out.contains("Settled of 96 games: 96, each with a certificate accepted"),
        "{out}"
    );
    let file = || std::fs::read(folder.path().join(journal::FILE)).unwrap();
    let before = file();
    let (out, _, code) = run(&arguments);
    assert!(out.contains("96 games, 0 to do") && code == Some(0), "{out}");
    assert!(file() == before, "the file was touched");
    // What the other commands make of it.
    let dir = folder.path().display();
    let status = json(&format!("atlas status --json --dir {dir}"));
    assert_eq!((&status["total"]["wins"], &status["total"]["open"]), (&16.into(), &0.into()), "{status}");
    assert_eq!(json(&format!("atlas export --json --dir {dir}"))["games"].as_array().unwrap().len(), SMALL_GAMES);
    assert_eq!(run(&format!("atlas export --csv --dir {dir}")).0.lines().count(), SMALL_GAMES + 1);
    let (out, _, code) = run(&format!("atlas verify --sample 8 --seed 1 --dir {dir}"));
    assert!(code == Some(0) && out.contains("8 the same byte for byte, 0 proved in another way"), "{out}");
    let tables = folder.path().join("tablebases");
    let merge = format!("atlas merge --dir {dir} --into {}", tables.display());
    assert!(run(&merge).0.contains("96 games, 96 new, 0 improved, 0 replaced"));
    assert!(run(&merge).0.contains("96 games, 0 new, 0 improved, 0 replaced"));
    assert_eq!(Tablebase::load(&tables).unwrap().len(), SMALL_GAMES);
}

/// A block of one game serves another: the certificate is accepted, and can be made again.
#[test]
fn a_block_is_lent_and_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().display();
    let (out, err, code) = run(&format!("atlas run --boards 5x5 --shapes fatty,P5,hex-12 --rule both --dir {dir}"));
    assert_eq!((err.as_str(), code), ("", Some(0)), "{out}");
    let borrowed: Vec<Entry> = results(folder.path()).into_iter().filter(|entry| entry.borrowed.is_some()).collect();
    // All three under the strong rule, where the block of the weak game is at hand.
    assert!(borrowed.len() >= 3, "{}", borrowed.len());
    for entry in &borrowed {
        let path = folder.path().join("certificate");
        let asked = entry.key.arguments();
        let (out, _, code) = run(&format!("atlas certificate {asked} --dir {dir} --output {}", path.display()));
        assert!(code == Some(0) && out.contains("accepted") && out.contains("as in the atlas"), "{out}");
        assert_eq!(*blake3::hash(&std::fs::read(&path).unwrap()).as_bytes(), entry.certificate.unwrap().hash);
        let accepted = harary_certificate::checker::check(std::fs::File::open(&path).unwrap()).unwrap();
        assert_eq!(accepted.header().rule, entry.key.rule());
    }
    let (out, _, code) = run(&format!("atlas verify --all --dir {dir}"));
    assert!(code == Some(0) && out.contains("6 the same byte for byte"), "{out}");
}

/// What a run kept serves the next one, unless the file is another.
#[test]
fn a_kept_block_is_lent_to_a_later_run() {
    for spoilt in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let kept = folder.path().join("kept");
        let of = |shapes: &str| {
            let (dir, kept) = (folder.path().display(), kept.display());
            let run = run(&format!("atlas run --boards 7x7 --shapes {shapes} --dir {dir} --certificates {kept}"));
            assert_eq!((run.1.as_str(), run.2), ("", Some(0)), "{}", run.0);
        };
        of("fatty");
        if spoilt {
            // Another hold of the same shape: a certificate, but not the one that was settled.
            let file = |shape: &str, board: &str| kept.join(format!("{shape}-{board}-plain-strong.cert.zst"));
            assert!(run(&format!("solve fatty 4x4 --certificate {}", file("fatty", "7x7").display())).2 == Some(0));
        }
        of("fatty,P5");
        let entries = results(folder.path());
        let lender = entries[1].borrowed.as_ref().map(|key| key.name());
        assert_eq!(lender.as_deref(), (!spoilt).then_some("fatty"), "{entries:?}");
    }
}

/// A game settled elsewhere is added by its certificate, and its block serves the shapes around it. What settles nothing, or
/// is no proof, is not added.
#[test]
fn certificates_from_elsewhere_are_added() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    for (game, file) in [
        ("fatty 6x6 --rule weak", "hold"),
        ("tippy 4x4", "win"),
        ("el 3x3 --handicap 1", "handicap"),
        ("el 3x3", "bad"),
    ] {
        assert_eq!(run(&format!("solve {game} --fresh --certificate {}", at(file))).2, Some(0), "{game}");
    }
    assert_eq!(run(&format!("solve tippy 4x4 --fresh --certify-least {}", at("bound"))).2, Some(0));
    let text = std::fs::read_to_string(at("bad")).unwrap();
    std::fs::write(at("bad"), text.replace("claim win 5", "claim win 3")).unwrap();
    let (dir, kept) = (at("run"), at("kept"));
    let add = |files: &[&str]| {
        let files: Vec<String> = files.iter().map(|file| at(file)).collect();
        run(&format!("atlas add {} --dir {dir} --certificates {kept}", files.join(" ")))
    };
    let (out, err, code) = add(&["hold", "win", "handicap", "bad", "bound"]);
    assert_eq!((err.as_str(), code), ("", Some(1)), "{out}");
    assert!(
        out.contains("fatty 6x6 plain weak, hold, accepted") && out.contains("tippy 4x4 plain strong, win 9"),
        "{out}"
    );
    assert_eq!(out.matches("not added").count(), 3, "{out}");
    assert!(out.contains("no win by turn 7") && out.contains("2 games added"), "{out}");
    assert_eq!(add(&["nowhere"]).2, Some(2));
    let entries = results(folder.path().join("run").as_path());
    let marks: Vec<_> = entries.iter().map(|entry| (entry.engine.as_str(), entry.certificate.unwrap().hash)).collect();
    let hash = |file: &str| *blake3::hash(&std::fs::read(at(file)).unwrap()).as_bytes();
    assert_eq!(marks, [("certificate", hash("hold")), ("certificate", hash("win"))]);
    // No search: the block of the file serves both games.
    let (out, _, code) =
        run(&format!("atlas run --boards 6x6 --shapes fatty,P5 --dir {dir} --certificates {kept} --time-each 10m"));
    assert_eq!(code, Some(0), "{out}");
    let lenders: Vec<_> = results(folder.path().join("run").as_path()).split_off(2);
    assert_eq!(lenders.len(), 2);
    assert!(
        lenders.iter().all(|entry| entry.borrowed.as_ref().is_some_and(|key| key.name() == "fatty")),
        "{lenders:?}"
    );
}

/// The kernel refuses a write in the middle of a record, as it does when the disk is full.
#[test]
fn a_full_disk_loses_nothing_already_written() {
    let folder = tempfile::tempdir().unwrap();
    let binary = env!("CARGO_BIN_EXE_harary");
    let arguments = format!("{SMALL} --dir {}", folder.path().display());
    let script = format!("trap '' XFSZ; ulimit -f 2; exec {binary} {arguments}");
    let full = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
    let message = String::from_utf8(full.stderr).unwrap();
    let written = results(folder.path());
    assert!(!written.is_empty() && written.len() < SMALL_GAMES, "{}", written.len());
    assert_eq!(full.status.code(), Some(1));
    let expected = format!("the {} results before are safe, run again to go on", written.len());
    assert!(message.contains("cannot write to") && message.contains(&expected), "{message}");
    assert_eq!(message.matches("File too large").count(), 1, "the reason, once: {message}");
    let (out, _, code) = run(&arguments);
    assert!(code == Some(0) && !out.contains("cut off"), "{out}");
    let after = results(folder.path());
    assert!(after.starts_with(&written) && after.len() == SMALL_GAMES);
}

#[test]
fn damage_is_named_and_what_is_whole_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().display();
    assert_eq!(run(&format!("atlas run --boards 3x3 --shapes animals:3 --dir {dir}")).2, Some(0));
    let path = folder.path().join(journal::FILE);
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    for command in ["status", "export", "merge", "verify", "run"] {
        let (_, err, code) = run(&format!("atlas {command} --dir {dir}"));
        assert!(code == Some(1) && err.contains("damaged: record 2 at byte"), "{command}: {err}");
        assert!(err.contains(&format!("run 'harary atlas repair --dir {dir}'")), "{command}: {err}");
    }
    let (out, _, code) = run(&format!("atlas repair --dir {dir}"));
    assert!(code == Some(0) && out.contains("record 2 at byte") && out.contains("3 results saved"), "{out}");
    assert_eq!(results(folder.path()).len(), 3);
    let (_, err, code) = run("atlas status --dir /nowhere");
    assert!(code == Some(2) && err.contains("there are no results in /nowhere"), "{err}");
}

/// The shipped tablebase holds what is claimed of it: every animal of at most six cells on the small boards.
#[test]
fn the_small_boards_are_settled() {
    let topologies = [Topology::Plain, Topology::Torus];
    let keys = games(&animals(6), &[(3, 3), (4, 4)], &topologies, &[Rule::Strong, Rule::Weak]);
    assert_eq!(keys.len(), 4 * (24 + 49));
    for key in &keys {
        let entry = Tablebase::shipped().get(key).unwrap_or_else(|| panic!("{key}"));
        assert!(entry.finding.is_settled(), "{key}");
    }
    // A strong win is a weak win, and not a later one; a weak hold is a strong hold.
    for key in keys.iter().filter(|key| key.rule() == Rule::Strong) {
        let turn = |rule| Tablebase::shipped().get(&key.with_rule(rule)).unwrap().finding.least_turn();
        if let Some(strong) = turn(Rule::Strong) {
            assert!(turn(Rule::Weak).is_some_and(|weak| weak <= strong), "{key}");
        }
    }
}

#[test]
fn the_atlas_and_a_search_agree() {
    for game in ["tippy 3x3", "tippy 3x3 --torus", "fatty 4x4", "tic 4x4 --rule weak", "P5 4x4 --torus"] {
        let known = json(&format!("solve {game} --json"));
        let fresh = json(&format!("solve {game} --json --fresh --threads 1"));
        assert_eq!((&known["engine"], &known["nodes"]), (&"atlas".into(), &0.into()), "{game}");
        assert_ne!(fresh["engine"], "atlas", "{game}");
        for field in ["schema", "game", "verdict", "turn", "win_by", "refuted_turn"] {
            assert_eq!(known[field], fresh[field], "{game}: {field}");
        }
        let found = json(&format!("lookup {game} --json"));
        assert_eq!(found["games"][0], known["atlas"], "{game}");
        assert_eq!(found["games"][0]["verdict"], fresh["verdict"], "{game}");
    }
    // An option that asks for more is a search, a limit is not.
    for option in ["--within 9", "--engine dfpn", "--handicap 1", "--unchecked"] {
        assert_ne!(json(&format!("solve el 3x3 --json {option}"))["engine"], "atlas", "{option}");
    }
    for option in ["--threads 1", "--time 1ms", "--nodes 1", "--memory 8MiB"] {
        assert_eq!(json(&format!("solve el 3x3 --json {option}"))["engine"], "atlas", "{option}");
    }
    let handicap = json("solve el 3x3 --json --stones 2,1");
    assert_eq!(handicap["game"]["turns"], "BWWBBWWBB");
    assert_eq!(json("solve el 3x3 --json --within 3")["within"], 3);
    let (out, _, code) = run("solve el 3x3");
    assert!(code == Some(0) && out.contains("Black wins by turn 5"), "{out}");
    assert!(out.contains("From the atlas (settled 20") && out.contains("--fresh solves again"), "{out}");
}

/// The command an entry names gives its certificate byte for byte.
#[test]
fn the_certificate_is_known_again_by_its_hash() {
    let folder = tempfile::tempdir().unwrap();
    for game in ["tippy 4x4", "skinny 4x4 --rule weak", "elly 4x4 --torus", "P5 4x4"] {
        let (out, _, code) = run(&format!("lookup {game}"));
        assert_eq!(code, Some(0), "{out}");
        let path = folder.path().join("certificate");
        let command = out.lines().find_map(|line| line.trim().strip_prefix("harary ")).unwrap();
        assert_eq!(run(&command.replace("FILE", &path.display().to_string())).2, Some(0), "{command}");
        let hash = blake3::hash(&std::fs::read(&path).unwrap()).to_hex();
        assert!(out.contains(hash.as_str()), "{out}\n{hash}");
    }
}

#[test]
fn what_is_not_in_the_atlas_is_said_so() {
    let (out, _, code) = run("lookup snaky 19x19");
    assert!(code == Some(3) && out.contains("not in the atlas") && out.contains("harary solve snaky 19x19"), "{out}");
    let (out, _, code) = run("lookup el");
    assert!(code == Some(0) && out.contains("3x3 plain strong  win 5"), "{out}");
    assert_eq!(run("lookup skiny 7x7").2, Some(2));
}

#[test]
fn what_is_open_comes_with_the_command_to_go_on() {
    let open = json("atlas open --json");
    let games = open["games"].as_array().unwrap();
    let text = run("atlas open").0;
    assert_eq!(text.lines().count(), 2 * games.len() + 1);
    let status = json("atlas status --json");
    let without = games.iter().filter(|game| game["open"] == "winner").count();
    assert_eq!(status["open"].as_array().unwrap().len(), without);
    assert_eq!(status["total"]["open"], without);
    for game in games {
        let command = game["command"].as_str().unwrap();
        assert!(command.starts_with("harary solve ") && command.contains(" --time ") && text.contains(command));
    }
    let (out, _, code) = run("atlas certificate tippy 4x4 --least --output /dev/null");
    assert!(code == Some(0) && out.contains(", no win by turn 7, accepted"), "{out}");
    // A table without games has its header.
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().display();
    assert_eq!(run(&format!("atlas run --boards 2x2 --shapes snaky --dir {dir}")).2, Some(0));
    assert!(run(&format!("atlas export --dir {dir}")).0.starts_with("shape,cells,board,topology,rule,verdict,"));
}

#[test]
fn a_file_with_a_bare_picture_is_a_list_of_one_shape() {
    let folder = tempfile::tempdir().unwrap();
    let (dir, bare) = (folder.path().display(), folder.path().join("bare.txt"));
    std::fs::write(&bare, "XX\nX.\n").unwrap();
    let (out, err, code) = run(&format!("atlas run --boards 3x3 --shapes @{} --dir {dir}/run", bare.display()));
    assert_eq!((err.as_str(), code), ("", Some(0)), "{out}");
    assert!(out.contains("1 game, 1 to do"), "{out}");
}

#[test]
fn published_tables_stand_beside_ours() {
    let table = |arguments: &str| {
        let (out, err, code) = run(&format!("table {arguments}"));
        assert!(matches!(code, Some(0 | 3)) && err.is_empty(), "{arguments}: {err}");
        out
    };
    let rows: Value = serde_json::from_str(&table("thesis-4.1 --format json")).unwrap();
    assert_eq!(rows["rows"].as_array().unwrap().len(), 48);
    for row in rows["rows"].as_array().unwrap() {
        assert_eq!((&row["ours"], &row["agreement"]), (&"8 win, 40 hold".into(), &"agrees".into()));
    }
    let seven = table("thesis-7.1 --format csv");
    let tippy = seven.lines().find(|line| line.contains("tippy,4x4 plain")).unwrap();
    assert!(tippy.contains(",win 7,") && tippy.contains(",win 9,") && tippy.ends_with(",DIFFERS"), "{tippy}");
    let page = table("harary-1982 --format html");
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<td>tippy</td>"), "{page}");
    assert!(table("encyclopedia").contains("| elly "));
    let harries: Value = serde_json::from_str(&table("harries-2026 --format json")).unwrap();
    assert_eq!(harries["rows"].as_array().unwrap().len(), 9);
    for row in harries["rows"].as_array().unwrap() {
        assert_eq!(row["agreement"], "agrees", "{row}");
    }
    let (_, err, code) = run("table thesis-7.9");
    assert!(code == Some(2) && err.contains("did you mean thesis-7."), "{err}");
}

/// Every command of the errata that searches is one that can be run, and bears its line out.
#[test]
fn errata_can_be_reproduced() {
    let (out, _, code) = run("errata --format json --time-each 1s");
    assert_eq!(code, Some(0));
    let rows: Value = serde_json::from_str(&out).unwrap();
    let rows = rows["rows"].as_array().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("certificate");
    let small: Vec<&Value> = rows.iter().filter(|row| row["board"] == "4x4 plain").collect();
    assert!(!small.is_empty() && rows.len() > small.len());
    // A number of literals is counted again, everything else is proved.
    let (counted, proved): (Vec<&Value>, Vec<&Value>) = small.into_iter().partition(|row| row["table"] == "thesis-4.4");
    for row in counted {
        let (out, _, code) = run(row["commands"][0].as_str().unwrap().strip_prefix("harary ").unwrap());
        let number = row["ours"].as_str().unwrap().split(' ').next().unwrap();
        assert!(code == Some(0) && out.contains(number), "{row}: {out}");
    }
    for row in proved {
        let commands: Vec<&str> = row["commands"].as_array().unwrap().iter().map(|c| c.as_str().unwrap()).collect();
        assert!(commands.len() == 3 && commands[2].starts_with("harary crosscheck --shapes tippy"), "{commands:?}");
        for command in &commands[..2] {
            let command = command.strip_prefix("harary ").unwrap().replace("FILE", path.to_str().unwrap());
            assert_eq!(run(&command).2, Some(0), "{command}");
            let hash = blake3::hash(&std::fs::read(&path).unwrap()).to_hex();
            let marks = [&row["certificate"]["hash"], &row["least_certificate"]["hash"]];
            assert!(marks.contains(&&hash.as_str().into()), "{command}: {hash}, {marks:?}");
        }
    }
}

#[test]
fn facts_are_put_together() {
    let tippy = json("facts tippy --json");
    let strong = &tippy["boards"][0]["plain"]["strong"];
    assert_eq!((&tippy["shape"]["orientations"], &strong["turn"]), (&4.into(), &9.into()));
    let (out, _, code) = run("facts tippy");
    assert!(code == Some(0) && out.contains("smallest plain board, strong rule: 3x3, by turn 9"), "{out}");
    assert!(run("facts").0.contains("# What is odd in the atlas"));
    let (out, _, code) = run("facts X.X.X.X");
    assert!(code == Some(3) && out.contains("nothing about it is in the atlas"), "{out}");
}
