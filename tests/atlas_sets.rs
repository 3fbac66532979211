//! Targets of several shapes in the atlas, as its users meet them: settled, killed, resumed, looked up, proved again, carried
//! to other files; and their verdicts and laws against the exhaustive twin.

use assert_cmd::Command;
use harary::atlas::law::{self, Law};
use harary::atlas::selection::games;
use harary::atlas::{Entry, Finding, GameKey, Shapes, Tablebase, journal};
use harary::effort::Limits;
use harary::engines::twin;
use harary::game::Game;
use harary::game::ground::{Family, Ground};
use harary::game::words::parse_target;
use harary_certificate::{Rule, Topology};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

/// What a command prints, and its exit code.
fn run(arguments: &[&str]) -> (String, String, Option<i32>) {
    let run = Command::new(env!("CARGO_BIN_EXE_harary")).args(arguments).env_remove("NO_COLOR").output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(run.stdout), text(run.stderr), run.status.code())
}

/// What a command prints that ends well.
fn done(arguments: &[&str]) -> String {
    let (out, err, code) = run(arguments);
    assert_eq!((err.as_str(), code), ("", Some(0)), "{arguments:?}: {out}");
    out
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&done(&[arguments, &["--json"]].concat())).unwrap()
}

fn shapes(text: &str) -> Shapes {
    Shapes::of_target(&parse_target(text, Family::Plain).unwrap().target, None).unwrap()
}

/// The results in a folder, no game twice.
fn results(folder: &Path) -> Vec<Entry> {
    let entries = journal::read(folder).unwrap().unwrap_or_default();
    let keys: BTreeSet<&GameKey> = entries.iter().map(|entry| &entry.key).collect();
    assert_eq!(keys.len(), entries.len(), "a game was settled twice");
    entries
}

/// Sets of shapes, and shapes that lie in them and around them, on boards small enough for the twin.
const SMALL: [&str; 12] = [
    "tic",
    "el",
    "X.X",
    "tic+el",
    "row3",
    "tic+X.X",
    "el+D3",
    "row2",
    "skinny+fatty",
    "skinny+L4+row3",
    "tippy+tic",
    "fatty+X.X/...",
];
const SIDES: [(usize, usize); 3] = [(2, 3), (3, 3), (3, 4)];
const BOTH: [Topology; 2] = [Topology::Plain, Topology::Torus];
const RULES: [Rule; 2] = [Rule::Strong, Rule::Weak];

/// The least turn by which Black wins, by the exhaustive twin, of the target as it was written.
fn by_twin(target: &str, key: &GameKey) -> Option<usize> {
    let target = parse_target(target, Family::Plain).unwrap().target;
    let game = Game::built(target, Ground::of_board(&key.board()), key.rule()).unwrap();
    twin::solve(&game, &Limits::none()).unwrap().win_turn
}

fn small_games() -> Vec<(&'static str, GameKey)> {
    let of =
        |target: &'static str| games([shapes(target)], &SIDES, &BOTH, &RULES).into_iter().map(move |key| (target, key));
    SMALL.into_iter().flat_map(of).collect()
}

/// What the command line settles is what the twin finds, and the certificates say the same.
#[test]
fn verdicts_are_those_of_the_twin() {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().display().to_string();
    let all = SMALL.join(",");
    done(&["atlas", "run", "--shapes", &all, "--boards", "2x3,3x3,3x4", "--both", "--rule", "both", "--dir", &dir]);
    let known: Tablebase = results(folder.path()).into_iter().collect();
    let mut sets = 0;
    for (target, key) in small_games() {
        let entry = known.get(&key).unwrap_or_else(|| panic!("{key}"));
        let expected = by_twin(target, &key);
        match entry.finding {
            Finding::Win { by, least: true } => assert_eq!(Some(by), expected, "{key}"),
            Finding::Hold => assert_eq!(expected, None, "{key}"),
            other => panic!("{key}: {other}"),
        }
        sets += usize::from(key.shape().is_none());
    }
    assert!(sets >= 60, "{sets}");
    let laws = json(&["atlas", "laws", "--dir", &dir]);
    assert_eq!(laws["contradictions"], Value::Array(Vec::new()));
    let out = done(&["atlas", "verify", "--sample", "25", "--seed", "7", "--dir", &dir]);
    assert!(out.contains("25 the same byte for byte, 0 proved in another way"), "{out}");
}

/// Every law of the atlas, on every pair of these games, against the twin.
#[test]
fn laws_between_sets_of_shapes_are_true() {
    let games: Vec<(GameKey, Option<usize>)> =
        small_games().into_iter().map(|(target, key)| (key.clone(), by_twin(target, &key))).collect();
    let mut instances: BTreeMap<Law, usize> = BTreeMap::new();
    for (harder, won) in &games {
        for (easier, sooner) in &games {
            let several = harder.shape().is_none() || easier.shape().is_none();
            let Some(laws) = law::between(harder, easier).filter(|_| several) else { continue };
            if let Some(turn) = won {
                assert!(
                    sooner.is_some_and(|sooner| sooner <= *turn),
                    "{harder} {won:?}, {easier} {sooner:?}: {laws:?}"
                );
                laws.into_iter().for_each(|law| *instances.entry(law).or_default() += 1);
            }
        }
    }
    assert!(Law::ALL.iter().all(|law| instances.get(law).is_some_and(|&count| count > 40)), "{instances:?}");
}

/// Killed and begun again, nothing is lost and nothing done twice; and all commands of the atlas know what was settled.
#[test]
fn sets_of_shapes_are_settled_resumed_and_found() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (dir, kept) = (at("run"), at("kept"));
    let arguments = [
        "atlas",
        "run",
        "--shapes",
        "I5+D5,tic+el,fatty,row4,P5+XX.X/XX..",
        "--boards",
        "3x3..5x5",
        "--rule",
        "both",
        "--certificates",
        &kept,
        "--dir",
        &dir,
    ];
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_harary"));
    let mut child = command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while child.try_wait().unwrap().is_none() && results(Path::new(&dir)).is_empty() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let before = results(Path::new(&dir));
    let out = done(&arguments);
    let after = results(Path::new(&dir));
    // Each on the boards that all its shapes fit on: 1 + 3 + 3 + 2 + 2, under both rules.
    assert!(after.starts_with(&before) && after.len() == 22, "{out}");
    assert!(after.iter().all(|entry| entry.finding.is_settled() && entry.certificate.is_some()));
    assert!(done(&arguments).contains("22 games, 0 to do"));

    // One game under all its names, and by its file.
    let names: Vec<String> = after.iter().map(|entry| entry.key.stem()).collect();
    assert!(names.contains(&"skinny+D4-5x5-plain-weak".to_owned()), "{names:?}");
    for name in &names {
        let file = folder.path().join("kept").join(format!("{name}.cert.zst"));
        assert!(harary_certificate::checker::check(std::fs::File::open(&file).unwrap()).is_ok(), "{name}");
    }
    let found = json(&["lookup", "row5", "5x5", "--dir", &dir]);
    for other in ["I5+D5", "D5+I5", "lines", "I5+D5+I6"] {
        assert_eq!(json(&["lookup", other, "5x5", "--dir", &dir])["games"], found["games"], "{other}");
    }
    let game = &found["games"][0]["game"];
    assert_eq!((&game["shape"], &game["board"], &game["topology"]), (&"I5+D5".into(), &"5x5".into(), &"plain".into()));
    assert_eq!(game["cells"], "0,0 1,0 2,0 3,0 4,0+0,0 1,1 2,2 3,3 4,4");
    let all = done(&["lookup", "tic+el", "--dir", &dir]);
    assert_eq!(all.lines().count(), 6, "{all}");
    let (out, _, code) = run(&["lookup", "tic+el", "6x6", "--dir", &dir]);
    assert!(code == Some(3) && out.contains("tic+el on 6x6 plain, strong rule: not in the atlas"), "{out}");
    let follows = done(&["lookup", "tic+el", "6x6", "--rule", "weak", "--dir", &dir]);
    assert!(follows.contains("plain weak (weak: a win on a plain board is a win on every larger one)"), "{follows}");

    // The block of fatty serves the set around it, and is found again.
    let lender = |entry: &Entry| entry.borrowed.as_ref().map(GameKey::name);
    let lent =
        after.iter().filter(|entry| entry.key.name().starts_with("P5+") && lender(entry) == Some("fatty".into()));
    let lent: Vec<&Entry> = lent.collect();
    assert!(!lent.is_empty(), "{after:?}");
    let out = done(&["atlas", "verify", "--all", "--dir", &dir]);
    assert!(out.contains("22 the same byte for byte"), "{out}");
    let proof = at("proof");
    let out = done(&[
        "atlas",
        "certificate",
        &lent[0].key.name(),
        &lent[0].key.board().sides(),
        "--rule",
        &lent[0].key.rule().to_string(),
        "--dir",
        &dir,
        "--output",
        &proof,
    ]);
    assert!(out.contains("accepted") && out.contains("as in the atlas"), "{out}");

    // The command that an entry names gives its certificate byte for byte.
    for (set, rule) in [("tic+el", "weak"), ("tic+el", "strong")] {
        let out = done(&["lookup", set, "4x4", "--rule", rule, "--dir", &dir]);
        let command = out.lines().find_map(|line| line.trim().strip_prefix("harary ")).unwrap();
        let words: Vec<&str> =
            command.split(' ').map(|word| if word == "FILE" { proof.as_str() } else { word }).collect();
        done(&words);
        assert!(out.contains(blake3::hash(&std::fs::read(&proof).unwrap()).to_hex().as_str()), "{out}");
    }

    // Merged, exported, counted.
    let tables = at("tablebases");
    assert!(done(&["atlas", "merge", "--dir", &dir, "--into", &tables]).contains("22 games, 22 new"));
    let merged = Tablebase::load(Path::new(&tables)).unwrap();
    assert!(merged.len() == 22 && after.iter().all(|entry| merged.get(&entry.key) == Some(entry)));
    let csv = done(&["atlas", "export", "--csv", "--dir", &dir]);
    assert!(csv.contains("\ntic+el,\"0,0 1,0 2,0+0,0 0,1 1,0\",3x3,plain,strong,win,"), "{csv}");
    assert!(
        done(&["atlas", "export", "--md", "--dir", &dir]).contains("| tic+el | 0,0 1,0 2,0+0,0 0,1 1,0 | 4x4 plain |")
    );
    assert_eq!(json(&["atlas", "status", "--dir", &dir])["total"]["open"], 0);
    assert!(
        done(&["atlas", "open", "--dir", &dir]).contains("Of 22 games: 0 without a winner, 0 without a least turn.")
    );
    let site = at("site");
    done(&["atlas", "export", "--html", &site, "--pages", "--certificates", &kept, "--dir", &dir]);
    let page = std::fs::read_to_string(folder.path().join("site/index.html")).unwrap();
    assert!(page.contains("<option value=\"several\">several shapes</option>"));
    assert!(page.contains("href=\"games/I5+D5-5x5-plain-strong.html\""), "no page of a set");
    assert!(folder.path().join("site/games/I5+D5-5x5-plain-strong.html").is_file());

    // What is about one shape leaves them out.
    let facts = json(&["facts", "fatty", "--dir", &dir]);
    assert_eq!((&facts["around"], facts["boards"].as_array().unwrap().len()), (&Value::Array(Vec::new()), 3));
    done(&["facts", "--dir", &dir]);
}

/// Certificates spell the sets out and name no shape; the game is known by its sets.
#[test]
fn certificates_of_sets_are_added() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let dir = at("run");
    for (file, game) in [
        ("a", &["tic+el", "5x4"][..]),
        ("b", &["row4", "5x5", "--torus"]),
        ("c", &["row3", "4x4", "--cylinder"]),
        ("d", &["tic+el", "4x4", "--rule", "weak"]),
    ] {
        done(&[&["solve", "--fresh", "--certificate", &at(file)], game].concat());
    }
    let out = done(&["atlas", "add", &at("a"), &at("b"), &at("d"), "--dir", &dir]);
    for (file, told) in [
        ("a", "tic+el 4x5 plain strong, win"),
        ("b", "skinny+D4 5x5 torus strong, win by 11"),
        ("d", "tic+el 4x4 plain weak, win"),
    ] {
        assert!(out.contains(&format!("{}: {told}", at(file))), "{out}");
    }
    let (out, _, code) = run(&["atlas", "add", &at("c"), "--dir", &dir]);
    assert!(code == Some(1) && out.contains("not added: the atlas has games of shapes on an empty board"), "{out}");
    let hash = |file: &str| *blake3::hash(&std::fs::read(at(file)).unwrap()).as_bytes();
    let marks: Vec<_> = results(Path::new(&dir)).iter().map(|entry| entry.certificate.unwrap().hash).collect();
    assert_eq!(marks, ["a", "b", "d"].map(hash));
}

/// What follows from the shipped atlas is answered, and a proof is made where one is asked for.
#[test]
fn the_shipped_laws_answer_for_sets() {
    let folder = tempfile::tempdir().unwrap();
    let proof = folder.path().join("proof").display().to_string();
    let set = "P5+XX.X/XX..";
    let answer = json(&["solve", set, "5x5", "--rule", "weak"]);
    assert_eq!((&answer["engine"], &answer["verdict"]), (&"laws".into(), &"hold".into()), "{answer}");
    assert_eq!(answer["law"]["from"]["shape"], "fatty");
    done(&["solve", set, "5x5", "--rule", "weak", "--certificate", &proof]);
    assert!(done(&["check", &proof]).contains("accepted"));
    // What follows for an open game is proved, carried or searched.
    let dir = folder.path().join("run").display().to_string();
    let settled = folder.path().join("settled").display().to_string();
    done(&["atlas", "run", "--shapes", "el,fatty", "--boards", "3x3,5x5", "--rule", "weak", "--dir", &dir]);
    let (out, _, code) = run(&[
        "atlas",
        "run",
        "--shapes",
        "tic+el,P5+XX.X/XX..",
        "--boards",
        "5x5",
        "--rule",
        "weak",
        "--time-each",
        "0s",
        "--dir",
        &dir,
    ]);
    assert_eq!(code, Some(3), "{out}");
    let out = done(&["atlas", "laws", "--dir", &dir, "--settle", &settled]);
    assert!(out.contains("2 games follow") && out.matches(", certificate accepted").count() == 2, "{out}");
    let entries = results(Path::new(&settled));
    let hold = entries.iter().find(|entry| entry.finding == Finding::Hold).unwrap();
    assert_eq!(hold.borrowed.as_ref().map(GameKey::name), Some("fatty".to_owned()));

    // A shape around another of the target is nothing more to win by: the atlas knows the game under its own name.
    let known = json(&["solve", "tic+skinny", "4x4"]);
    assert_eq!((&known["engine"], &known["atlas"]["game"]["shape"]), (&"atlas".into(), &"tic".into()));
    for field in ["verdict", "turn", "refuted_turn"] {
        assert_eq!(known[field], json(&["solve", "tic+skinny", "4x4", "--fresh"])[field], "{field}");
    }
    assert!(known["first_move"].is_string(), "{known}");
    assert!(done(&["solve", "tic+skinny", "4x4"]).contains("From the atlas, where it is tic (settled 20"));

    // The strong rule has no such law.
    assert_ne!(json(&["solve", "tic+el", "4x4"])["engine"], "laws");
    // Nor has a win for one shape anything to say of a row with a slanted line that is nowhere in it.
    assert_eq!(json(&["solve", "row3", "3x3"])["verdict"], "hold");
}

#[test]
fn what_cannot_take_a_set_says_so_in_one_line() {
    for (arguments, wanted) in [
        (&["facts", "I5+D5"][..], "is no single shape, and here one is asked for; solve, lookup, atlas,"),
        (&["lookup", "hex"], "not about Hex"),
        (&["lookup", "lines"], "full lines are those of one plain board"),
        (&["lookup", "lines", "4x5"], "full lines are those of one plain board"),
        (&["lookup", "row20", "19x19"], "rows of the atlas have 1 to 19 cells, not 20"),
        (&["lookup", "tic+", "4x4"], "lacks a shape"),
        (&["atlas", "run", "--shapes", "tic+hex", "--boards", "3x3"], "not about Hex"),
        (&["atlas", "run", "--shapes", "tic+skiny", "--boards", "3x3"], "did you mean skinny?"),
        (
            &["atlas", "certificate", "tic+el", "19x19", "--output", "x"],
            "tic+el 19x19 plain strong is not settled in the atlas",
        ),
        (&["tablebase", "build", "tic+el", "3x3", "--output", "x.tb"], "is no single shape"),
    ] {
        let (out, err, code) = run(arguments);
        assert_eq!((out.as_str(), code), ("", Some(2)), "{arguments:?}: {err}");
        assert!(err.starts_with("harary: ") && err.trim_end().lines().count() == 1, "{arguments:?}: {err}");
        assert!(err.contains(wanted), "{arguments:?}: {err}");
    }
}

/// A `.pg` file that has the sets of a game of the atlas is answered like that game, by any name of its vertices; one that
/// lacks a set, or starts otherwise, is searched.
#[test]
fn files_of_sets_are_known_again() {
    let folder = tempfile::tempdir().unwrap();
    for (game, cell) in [("skinny 5x5 --torus", "a1"), ("knobby 5x5", "d3"), ("tic 4x4 --rule weak", "b2")] {
        let words: Vec<&str> = game.split(' ').collect();
        let direct = json(&[&["solve"], &words[..]].concat());
        assert_eq!(direct["engine"], "atlas", "{game}");
        let text = done(&[&["show"], &words[..], &["--write-pg"]].concat());
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).unwrap();
            path.to_str().unwrap().to_owned()
        };
        let whole = file("whole.pg", &text);
        let read = json(&["solve", "--pg", &whole]);
        assert_eq!((&read["engine"], &read["finding"]), (&direct["engine"], &direct["finding"]), "{game}");
        let told = done(&["solve", "--pg", &whole]);
        assert!(
            told.contains(&format!("From the atlas, where it is {} (", words[..2].join(" "))) || words.len() > 2,
            "{told}"
        );
        // Other names, the same vertices.
        let renamed = file("renamed.pg", &text.replace(cell, "here"));
        let other = json(&["solve", "--pg", &renamed]);
        assert_eq!(
            (&other["engine"], &other["finding"]["verdict"]),
            (&direct["engine"], &direct["finding"]["verdict"])
        );
        // One set of Black's less is another game.
        let mut lines: Vec<&str> = text.lines().collect();
        let first = lines.iter().position(|line| line.starts_with("#blackwins")).unwrap() + 1;
        lines.remove(first);
        let less = file("less.pg", &(lines.join("\n") + "\n"));
        assert_ne!(json(&["solve", "--pg", &less])["engine"], "atlas", "{game}");
        assert_ne!(json(&["solve", "--pg", &whole, "--fresh"])["engine"], "atlas", "{game}");
    }
}
