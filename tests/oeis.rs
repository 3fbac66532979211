//! The sequences, the sources and the atlas as a dataset: each statement held against the files it is about.

use assert_cmd::Command;
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A246521(2) to A246521(57), as the encyclopedia lists them: the animals of at most six cells.
const CODES: [u64; 56] = [
    1, 3, 7, 11, 15, 23, 27, 30, 75, 31, 47, 62, 79, 91, 94, 143, 181, 182, 188, 406, 1099, 63, 95, 111, 126, 159, 175,
    183, 189, 190, 207, 219, 221, 222, 252, 347, 350, 378, 407, 413, 476, 504, 1103, 1115, 1118, 1227, 1244, 2127,
    2229, 2230, 2236, 2292, 2451, 2454, 2460, 33867,
];

fn harary(arguments: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_harary")).args(arguments).output().unwrap()
}

/// Standard output of a run that must succeed.
fn output(arguments: &[&str]) -> String {
    let run = harary(arguments);
    assert_eq!((run.status.code(), String::from_utf8_lossy(&run.stderr).as_ref()), (Some(0), ""), "{arguments:?}");
    String::from_utf8(run.stdout).unwrap()
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn read(name: &str) -> String {
    std::fs::read_to_string(file(name)).unwrap()
}

/// A CSV file of the dataset, line by line.
fn lines(name: &str) -> Vec<BTreeMap<String, String>> {
    csv::Reader::from_path(file(name)).unwrap().deserialize().map(Result::unwrap).collect()
}

fn sequences() -> Vec<Value> {
    let answer: Value = serde_json::from_str(&output(&["oeis", "--json"])).unwrap();
    assert_eq!((&answer["schema"], &answer["command"]), (&2.into(), &"oeis".into()));
    answer["sequences"].as_array().unwrap().clone()
}

fn terms(sequence: &Value) -> &Vec<Value> {
    sequence["terms"].as_array().unwrap()
}

#[test]
fn the_animals_are_in_the_order_of_the_encyclopedia() {
    let sequences = sequences();
    assert_eq!(sequences.len(), 8);
    for sequence in &sequences {
        let codes: Vec<u64> = terms(sequence).iter().map(|term| term["code"].as_u64().unwrap()).collect();
        assert_eq!(codes, CODES);
        assert!(terms(sequence).iter().zip(1..).all(|(term, n)| term["n"] == n));
    }
}

/// Worked out again from the readable table of the atlas: the smallest side with a win below which all are holds.
#[test]
fn positive_terms_are_what_the_atlas_proves() {
    let atlas = lines("tablebases/atlas.csv");
    let mut proved = 0;
    for sequence in sequences() {
        let moves = sequence["name"].as_str().unwrap().ends_with("moves");
        for term in terms(&sequence) {
            let mut games: BTreeMap<usize, &BTreeMap<String, String>> = BTreeMap::new();
            for game in &atlas {
                let (width, height) = game["board"].split_once('x').unwrap();
                if [&game["shape"], &game["topology"], &game["rule"]]
                    == [&term["shape"], &sequence["topology"], &sequence["rule"]].map(|text| text.as_str().unwrap())
                    && width == height
                {
                    games.insert(width.parse().unwrap(), game);
                }
            }
            let first = *games.keys().next().unwrap();
            let unbroken = games.iter().zip(first..).take_while(|((side, _), expected)| *side == expected);
            let decided = unbroken.map(|((side, game), _)| (side, game)).find(|(_, game)| game["verdict"] != "hold");
            // The side is known where it is known who wins, the moves where it is known by which turn at the earliest.
            let least = |game: &BTreeMap<String, String>| game["turn"].parse::<usize>().ok();
            let won = decided.filter(|(_, game)| game["verdict"] == "win");
            let expected = won.and_then(|(side, game)| match moves {
                true => least(game).map(|turn| turn.div_ceil(2)),
                false => Some(*side),
            });
            match expected {
                Some(expected) => {
                    assert_eq!(term["term"], expected, "{} {term}", sequence["name"]);
                    assert_eq!(term["holds"].as_array().unwrap().len(), games.range(..decided.unwrap().0).count());
                    assert_eq!(term["least"]["how"].is_string(), least(won.unwrap().1).is_some(), "{term}");
                    proved += 1;
                }
                None => assert!(term["term"].is_null() || term["term"] == 0, "{} {term}", sequence["name"]),
            }
        }
    }
    assert!(proved >= 8 * 11, "{proved}");
}

#[test]
fn every_hash_is_one_of_the_atlas() {
    let atlas = read("tablebases/atlas.csv");
    for sequence in sequences() {
        for term in terms(&sequence) {
            let mut games: Vec<&Value> = term["holds"].as_array().unwrap().iter().collect();
            games.extend(Some(&term["win"]).filter(|win| !win.is_null()));
            let hashes = games.iter().map(|game| game["certificate"].as_str().unwrap());
            let least = term["least"]["certificate"].as_str();
            assert_eq!(least.is_some(), term["least"]["how"] == "certified", "{term}");
            for hash in hashes.chain(least) {
                assert!(hash.len() == 64 && atlas.contains(hash), "{hash}");
            }
        }
    }
}

type Cell = (i64, i64);

/// The pairs of a paving of the plane that lie on a board.
fn pairs_on_board(paving: &Value, side: i64) -> Vec<(Cell, Cell)> {
    let (sides, shift) = paving["period"]
        .as_str()
        .unwrap()
        .split_once('+')
        .map_or_else(|| (paving["period"].as_str().unwrap(), 0), |(sides, shift)| (sides, shift.parse().unwrap()));
    let (width, height): (i64, i64) = {
        let (width, height) = sides.split_once('x').unwrap();
        (width.parse().unwrap(), height.parse().unwrap())
    };
    let cell = |value: &Value| (value[0].as_i64().unwrap(), value[1].as_i64().unwrap());
    let is_inside = |(x, y): Cell| (0..side).contains(&x) && (0..side).contains(&y);
    let mut found = Vec::new();
    for pair in paving["pairs"].as_array().unwrap() {
        let (a, b) = (cell(&pair[0]), cell(&pair[1]));
        for j in -3 * side..3 * side {
            for i in -3 * side..3 * side {
                let moved = |(x, y): Cell| (x + i * width + j * shift, y + j * height);
                if is_inside(moved(a)) && is_inside(moved(b)) {
                    found.push((moved(a), moved(b)));
                }
            }
        }
    }
    found
}

/// All placements of a shape on a board: its cells turned, turned over and moved.
fn placements(cells: &str, side: i64) -> BTreeSet<BTreeSet<Cell>> {
    let cells: Vec<Cell> = cells
        .split(' ')
        .map(|cell| cell.split_once(',').map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap())).unwrap())
        .collect();
    let mut found = BTreeSet::new();
    for (turns, over) in (0..4).flat_map(|turns| [(turns, false), (turns, true)]) {
        let image = |&(x, y): &Cell| (0..turns).fold(if over { (-x, y) } else { (x, y) }, |(x, y), _| (-y, x));
        for (dx, dy) in (-side..2 * side).flat_map(|dx| (-side..2 * side).map(move |dy| (dx, dy))) {
            let moved: BTreeSet<Cell> = cells.iter().map(image).map(|(x, y)| (x + dx, y + dy)).collect();
            if moved.iter().all(|(x, y)| (0..side).contains(x) && (0..side).contains(y)) {
                found.insert(moved);
            }
        }
    }
    found
}

/// 0 stands for a paving of the plane, and that paves a board: disjoint pairs, one inside each placement.
#[test]
fn zeros_are_proved_by_pavings() {
    let side = 9;
    let sequences = sequences();
    let mut zeros = 0;
    for term in terms(&sequences[0]).iter().filter(|term| term["term"] == 0) {
        let pairs = pairs_on_board(&term["paving"], side);
        let cells: BTreeSet<Cell> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
        assert_eq!(cells.len(), 2 * pairs.len(), "{term}");
        for placement in placements(term["cells"].as_str().unwrap(), side) {
            assert!(pairs.iter().any(|(a, b)| placement.contains(a) && placement.contains(b)), "{term} {placement:?}");
        }
        zeros += 1;
    }
    assert!(zeros > 40, "{zeros}");
    for sequence in &sequences {
        for term in terms(sequence) {
            assert_eq!(term["term"] == 0, !term["paving"].is_null(), "{term}");
            // Pairs of the plane do not close up on every torus.
            assert!(sequence["topology"] == "plain" || term["paving"].is_null(), "{term}");
        }
    }
}

#[test]
fn what_the_encyclopedia_has_otherwise_is_said_with_its_reason() {
    let listed = lines("tablebases/oeis.csv");
    let overview = output(&["oeis"]);
    let mut differences = 0;
    for sequence in sequences().iter().filter(|sequence| !sequence["a_number"].is_null()) {
        let number = sequence["a_number"].as_str().unwrap();
        for term in terms(sequence) {
            let n = term["n"].to_string();
            let row = listed.iter().find(|row| row["sequence"] == number && row["n"] == n);
            assert_eq!(term["listed"].as_u64(), row.map(|row| row["term"].parse().unwrap()));
            let differs = !term["term"].is_null() && !term["listed"].is_null() && term["term"] != term["listed"];
            match term["difference"].as_str() {
                Some(why) => {
                    assert!(differs && why.contains("blake3:"), "{term}");
                    assert!(overview.contains(&format!("a({n}), {}: {number} has ", term["shape"].as_str().unwrap())));
                    differences += 1;
                }
                None => assert!(!differs, "{term}"),
            }
        }
    }
    assert!(differences > 0);
}

#[test]
fn b_files_are_b_files() {
    let sequences = sequences();
    for (name, sequence) in [("A380597", 0), ("strong-moves", 1), ("weak-board", 2), ("torus-weak-moves", 7)] {
        let text = output(&["oeis", "--b-file", name]);
        assert!(text.is_ascii() && text.ends_with('\n') && !text.contains('\r'));
        let pairs: Vec<(u64, u64)> = text
            .lines()
            .filter(|line| !line.starts_with('#'))
            .map(|line| line.split_once(' ').map(|(n, term)| (n.parse().unwrap(), term.parse().unwrap())).unwrap())
            .collect();
        let known =
            terms(&sequences[sequence]).iter().map_while(|term| Some((term["n"].as_u64()?, term["term"].as_u64()?)));
        assert_eq!(pairs, known.collect::<Vec<_>>(), "{name}");
        assert!(pairs.len() < CODES.len() && text.contains(&format!("# a({}) is not known", pairs.len() + 1)));
    }
}

#[test]
fn a_sequence_is_shown_term_by_term() {
    let table = output(&["oeis", "strong-moves"]);
    assert!(table.starts_with("# strong-moves (A380598)\n"), "{table}");
    for code in CODES {
        assert!(table.contains(&format!(" | {code} ")), "{code}");
    }
    for (arguments, word) in [
        (&["oeis", "A000001"][..], "no sequence 'A000001'; there are strong-board"),
        (&["oeis", "--b-file", "weak"], "no sequence 'weak'"),
        (&["sources", "nobody"], "no source or table 'nobody'; there are boucher2026"),
    ] {
        let run = harary(arguments);
        let complaint = String::from_utf8(run.stderr).unwrap();
        assert!(run.status.code() == Some(2) && complaint.contains(word), "{complaint}");
    }
}

#[test]
fn sources_are_bibtex() {
    let all = output(&["sources", "--bibtex"]);
    let entries: String =
        read("tablebases/sources.bib").split_inclusive('\n').filter(|line| !line.starts_with('%')).collect();
    assert_eq!(all, entries.trim_start());
    let answer: Value = serde_json::from_str(&output(&["sources", "thesis-7.1", "--json"])).unwrap();
    let keys: Vec<&str> =
        answer["sources"].as_array().unwrap().iter().map(|one| one["cite"].as_str().unwrap()).collect();
    let cited: BTreeSet<String> = lines("tablebases/published.csv")
        .into_iter()
        .filter(|claim| claim["table"] == "thesis-7.1")
        .flat_map(|claim| claim["cite"].split(' ').map(str::to_owned).collect::<Vec<_>>())
        .collect();
    assert_eq!(keys.iter().copied().collect::<BTreeSet<_>>(), cited.iter().map(String::as_str).collect());
    for key in keys {
        assert!(output(&["sources", key]).starts_with(&format!("{key}: ")));
    }
}

#[test]
fn the_dataset_is_described_and_its_checksums_are_right() {
    let sums = read("tablebases/SHA256SUMS");
    let mut summed = BTreeSet::new();
    for line in sums.lines() {
        let (sum, name) = line.split_once("  ").unwrap();
        let bytes = std::fs::read(file("tablebases").join(name)).unwrap();
        let found: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(found, sum, "{name} has changed; tablebases/README.md says how to write SHA256SUMS again");
        summed.insert(name.to_owned());
    }
    let folder = std::fs::read_dir(file("tablebases")).unwrap();
    let mut there: BTreeSet<String> = folder.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    let readme = read("tablebases/README.md");
    for name in &there {
        assert!(name == "README.md" || readme.contains(&format!("| `{name}` |")), "{name}");
    }
    there.retain(|name| name != "README.md" && name != "SHA256SUMS");
    assert_eq!(there, summed);
    for name in ["atlas.csv", "published.csv", "measured.csv", "oeis.csv"] {
        let columns = read(&format!("tablebases/{name}"));
        let part = readme.split(&format!("## {name}\n")).nth(1).unwrap().split("\n## ").next().unwrap();
        for column in columns.lines().next().unwrap().split(',') {
            assert!(part.contains(&format!("`{column}`")), "{name}: {column}");
        }
    }
    let atlas = lines("tablebases/atlas.csv");
    let count = |verdict: &str| atlas.iter().filter(|game| game["verdict"] == verdict).count();
    let numbers = format!("{} are wins and {} holds", count("win"), count("hold"));
    assert!(readme.contains(&format!("about {} games", atlas.len())) && readme.contains(&numbers), "{numbers}");
    assert!(readme.contains(&format!("{} are open", count("unknown"))));
    assert!(readme.contains(env!("CARGO_PKG_VERSION")));
}

#[test]
fn the_program_can_be_cited() {
    let citation = read("CITATION.cff");
    for line in ["cff-version: 1.2.0", &format!("version: {}", env!("CARGO_PKG_VERSION"))] {
        assert!(citation.lines().any(|found| found == line), "{line}");
    }
    for key in ["message", "title", "authors", "license"] {
        assert!(citation.lines().any(|line| line.starts_with(&format!("{key}:"))), "{key}");
    }
}

/// `harary 0.2.0 (947ca32abc 2026-11-17)` under git; the commit is that of some time of the build, so only its form is looked at.
#[test]
fn the_version_names_the_commit_if_there_is_one() {
    let version = output(&["--version"]);
    let rest = version.strip_prefix(&format!("harary {}", env!("CARGO_PKG_VERSION"))).unwrap();
    let git = std::process::Command::new("git").args(["log", "-1"]).current_dir(file("")).output();
    let is_repository = file(".git").exists() && git.is_ok_and(|git| git.status.success());
    if !is_repository {
        assert_eq!(rest, "\n");
        return;
    }
    let commit = rest.strip_prefix(" (").and_then(|rest| rest.strip_suffix(")\n")).unwrap();
    let (hash, day) = commit.strip_suffix(", changed").unwrap_or(commit).split_once(' ').unwrap();
    assert!(hash.len() >= 10 && hash.chars().all(|digit| digit.is_ascii_hexdigit()), "{commit}");
    assert!(day.len() == 10 && day.starts_with("20"), "{commit}");
}
