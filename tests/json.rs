//! docs/json.md and the program say the same: every subcommand with `--json` is run, every key it prints is on the page
//! with its type, and every key of the page is printed. The examples of the page are what the program prints.
//!
//! `HARARY_WRITE_EXAMPLES=1 cargo test --release --test json` writes the examples anew.

use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// An object of the page: its keys with their types.
type Keys = BTreeMap<String, String>;

struct Page {
    text: String,
    objects: BTreeMap<String, Keys>,
    commands: BTreeMap<String, Keys>,
    /// The command line of each example, in the order of the page, and the output below it.
    examples: Vec<(String, String, Option<String>)>,
}

fn page_path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/json.md")
}

impl Page {
    fn read() -> Page {
        let text = fs::read_to_string(page_path()).unwrap();
        let mut page =
            Page { text: text.clone(), objects: BTreeMap::new(), commands: BTreeMap::new(), examples: Vec::new() };
        let (mut part, mut name) = (String::new(), String::new());
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            if let Some(title) = line.strip_prefix("## ") {
                part = title.to_owned();
            } else if let Some(title) = line.strip_prefix("### ") {
                name = title.to_owned();
                let known = match part.as_str() {
                    "Objects" => page.objects.insert(name.clone(), Keys::new()),
                    "Commands" => page.commands.insert(name.clone(), Keys::new()),
                    other => panic!("{name} in the part {other}"),
                };
                assert!(known.is_none(), "{name} is described twice");
            } else if let Some(command) = line.strip_prefix("$ harary ") {
                let mut output = String::new();
                while let Some(line) = lines.next_if(|line| *line != "```") {
                    output += &format!("{line}\n");
                }
                page.examples.push((name.clone(), command.to_owned(), Some(output).filter(|text| !text.is_empty())));
            } else if line.starts_with("| ") && !name.is_empty() {
                let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
                let [key, kind, _] = cells[..] else { panic!("three columns: {line}") };
                let objects = if part == "Objects" { &mut page.objects } else { &mut page.commands };
                if key != "key" {
                    let twice = objects.get_mut(&name).unwrap().insert(key.to_owned(), kind.to_owned());
                    assert!(twice.is_none(), "{name}.{key} is described twice");
                }
            }
        }
        page
    }

    /// What is wrong with `value` as an answer of `command`.
    fn mistakes(&self, command: &str, value: &Value) -> Vec<String> {
        let mut keys = self.objects["envelope"].clone();
        let Some(own) = self.commands.get(command) else { return vec![format!("{command} is not on the page")] };
        keys.extend(own.clone());
        let mut mistakes = Vec::new();
        self.object(&keys, value, command, &mut mistakes);
        if value["schema"] != 2 || value["command"] != command || value["version"] != env!("CARGO_PKG_VERSION") {
            mistakes.push(format!("the envelope of {command} is another: {} {}", value["schema"], value["command"]));
        }
        mistakes
    }

    fn object(&self, keys: &Keys, value: &Value, place: &str, mistakes: &mut Vec<String>) {
        let Some(found) = value.as_object() else {
            mistakes.push(format!("{place} is no object: {value}"));
            return;
        };
        for (key, kind) in keys {
            match found.get(key) {
                Some(value) => self.typed(kind, value, &format!("{place}.{key}"), mistakes),
                None => mistakes.push(format!("{place}.{key} is on the page and not printed")),
            }
        }
        let unknown = found.keys().filter(|key| !keys.contains_key(*key));
        mistakes.extend(unknown.map(|key| format!("{place}.{key} is printed and not on the page")));
    }

    fn typed(&self, kind: &str, value: &Value, place: &str, mistakes: &mut Vec<String>) {
        let mut wrong = Vec::new();
        for kind in kind.split(" or ") {
            let mut here = Vec::new();
            self.one_of(kind.trim(), value, place, &mut here);
            if here.is_empty() {
                return;
            }
            wrong.extend(here);
        }
        mistakes.push(format!("{place} should be {kind}, not {}: {wrong:?}", shortened(value)));
    }

    fn one_of(&self, kind: &str, value: &Value, place: &str, mistakes: &mut Vec<String>) {
        let fits = match kind {
            "string" => value.is_string(),
            "integer" => value.is_u64(),
            "number" => value.is_number(),
            "boolean" => value.is_boolean(),
            "null" => value.is_null(),
            _ if kind.starts_with('`') => value.as_str() == Some(kind.trim_matches('`')),
            _ => {
                if let Some(inner) = kind.strip_prefix("array of ") {
                    match value.as_array() {
                        Some(values) => values.iter().for_each(|value| self.one_of(inner, value, place, mistakes)),
                        None => mistakes.push(format!("{place} is no array")),
                    }
                } else if let Some(inner) = kind.strip_prefix("map of ") {
                    match value.as_object() {
                        Some(values) => values.values().for_each(|value| self.one_of(inner, value, place, mistakes)),
                        None => mistakes.push(format!("{place} is no map")),
                    }
                } else {
                    let keys = self.objects.get(kind).unwrap_or_else(|| panic!("the page has no object '{kind}'"));
                    self.object(keys, value, place, mistakes);
                }
                true
            }
        };
        if !fits {
            mistakes.push(format!("{place} is no {kind}"));
        }
    }
}

fn shortened(value: &Value) -> String {
    value.to_string().chars().take(80).collect()
}

/// A folder in which every example of the page can be run.
struct Ground(tempfile::TempDir);

impl Ground {
    fn new() -> Ground {
        let folder = tempfile::tempdir().unwrap();
        let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
        std::os::unix::fs::symlink(tests, folder.path().join("tests")).unwrap();
        let ground = Ground(folder);
        ground.run("encode cor+ el 3x3 --turns 5 -o el.qdimacs");
        let three = "width 3\nheight 3\nrows\n1\n1,1\n2\ncolumns\n2\n1\n2\ngiven \"10???????\"\n";
        fs::write(ground.0.path().join("three.non"), three).unwrap();
        ground
    }

    fn run(&self, arguments: &str) -> Output {
        let arguments = words(arguments);
        Command::new(env!("CARGO_BIN_EXE_harary")).args(&arguments).current_dir(self.0.path()).output().unwrap()
    }

    /// What a command prints, which must be nothing but JSON, and its exit code.
    fn answers(&self, arguments: &str) -> (Vec<Value>, i32) {
        let run = self.run(arguments);
        let text = String::from_utf8(run.stdout).unwrap();
        let values = serde_json::Deserializer::from_str(&text).into_iter::<Value>().collect::<Result<Vec<_>, _>>();
        let errors = String::from_utf8_lossy(&run.stderr);
        let values = values.unwrap_or_else(|error| panic!("{arguments}: {error}\n{text}\n{errors}"));
        assert!(!values.is_empty(), "{arguments}: {errors}");
        (values, run.status.code().unwrap())
    }
}

/// The words of a command line; double quotes keep blanks.
fn words(text: &str) -> Vec<String> {
    let parts = text.split('"').enumerate();
    parts
        .flat_map(|(index, part)| match index % 2 {
            1 => vec![part.to_owned()],
            _ => part.split_whitespace().map(str::to_owned).collect(),
        })
        .collect()
}

/// The subcommand of a command line, as the envelope names it.
fn command(arguments: &str) -> String {
    let mut words = arguments.split_whitespace();
    let first = words.next().unwrap();
    match first {
        "atlas" | "cards" | "farm" | "neighbours" | "pattern" | "tablebase" => {
            format!("{first} {}", words.next().unwrap())
        }
        _ => first.to_owned(),
    }
}

#[track_caller]
fn hold_against_the_page(page: &Page, ground: &Ground, arguments: &str, expected: i32) -> Vec<Value> {
    let (values, code) = ground.answers(arguments);
    let mistakes: Vec<String> =
        values.iter().flat_map(|value| page.mistakes(&command(arguments), value)).take(20).collect();
    assert!(mistakes.is_empty(), "{arguments}: {mistakes:#?}");
    assert_eq!(code, expected, "{arguments}: {}", shortened(&values[0]));
    values
}

/// Subcommands whose help knows `--json`, those of subcommands included.
fn commands_with_json(prefix: &str) -> BTreeSet<String> {
    let help = Command::new(env!("CARGO_BIN_EXE_harary")).args(words(prefix)).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let mut found = BTreeSet::new();
    if help.contains("--json") {
        found.insert(prefix.to_owned());
    }
    if let Some(list) = help.split("\nCommands:\n").nth(1) {
        for line in list.lines().take_while(|line| !line.is_empty()) {
            // Continued lines are indented by more than two blanks.
            let name = line.strip_prefix("  ").and_then(|rest| rest.split(' ').next()).unwrap_or("");
            if !name.is_empty() && name != "help" {
                found.extend(commands_with_json(format!("{prefix} {name}").trim()));
            }
        }
    }
    found
}

/// Values that differ from run to run, or from version to version.
const VOLATILE: [&str; 25] = [
    "seconds",
    "processor_seconds",
    "idle_seconds",
    "busy_share",
    "speed_up",
    "efficiency",
    "facts",
    "longest_seconds",
    "native_seconds",
    "solver_seconds",
    "preprocess_seconds",
    "sat_seconds",
    "unsat_seconds",
    "par2",
    "mean",
    "most",
    "total",
    "ratio",
    "nodes",
    "settled",
    "version",
    "threads",
    "published_time",
    // What the errata leave open depends on the time they are given.
    "notes",
    "open",
];

fn is_list_of_objects(value: &Value) -> bool {
    value.as_array().is_some_and(|values| values.iter().any(Value::is_object))
}

/// An answer as the page shows it: arrays cut after two, what is volatile made the same.
fn as_example(value: &Value, blank: bool) -> Value {
    match value {
        Value::Array(values) => values.iter().take(2).map(|value| as_example(value, blank)).collect(),
        Value::Object(object) => {
            let mut shown = Map::new();
            for (key, value) in object {
                let volatile = blank
                    && VOLATILE.contains(&key.as_str())
                    && !value.is_object()
                    && !value.is_null()
                    && !is_list_of_objects(value);
                shown.insert(key.clone(), if volatile { Value::Bool(true) } else { as_example(value, blank) });
            }
            Value::Object(shown)
        }
        other => other.clone(),
    }
}

#[test]
fn every_subcommand_with_json_is_on_the_page_with_an_example() {
    let page = Page::read();
    let described: BTreeSet<String> = page.commands.keys().cloned().collect();
    assert_eq!(commands_with_json(""), described);
    let shown: BTreeSet<String> = page.examples.iter().map(|(_, arguments, _)| command(arguments)).collect();
    assert_eq!(shown, described);
    for (name, arguments, _) in &page.examples {
        assert_eq!(*name, command(arguments));
    }
}

#[test]
fn the_examples_of_the_page_are_what_is_printed() {
    let page = Page::read();
    let ground = Ground::new();
    let mut text = page.text.clone();
    let write = std::env::var_os("HARARY_WRITE_EXAMPLES").is_some();
    for (name, arguments, shown) in &page.examples {
        let (values, _) = ground.answers(arguments);
        for value in &values {
            let mistakes = page.mistakes(name, value);
            assert!(mistakes.is_empty(), "{arguments}: {mistakes:#?}");
        }
        if write {
            let pretty: Vec<String> =
                values.iter().map(|value| serde_json::to_string_pretty(&as_example(value, false)).unwrap()).collect();
            let old = format!("$ harary {arguments}\n{}```", shown.as_deref().unwrap_or_default());
            assert!(text.contains(&old), "{arguments}");
            text = text.replace(&old, &format!("$ harary {arguments}\n{}\n```", pretty.join("\n")));
            continue;
        }
        let shown = shown.as_ref().unwrap_or_else(|| panic!("no output below {arguments}"));
        let shown: Vec<Value> =
            serde_json::Deserializer::from_str(shown).into_iter().collect::<Result<_, _>>().expect("JSON on the page");
        let blank = |values: &[Value]| values.iter().map(|value| as_example(value, true)).collect::<Vec<_>>();
        assert_eq!(blank(&shown), blank(&values), "{arguments}");
    }
    if write {
        fs::write(page_path(), text).unwrap();
    }
}

#[test]
fn every_way_an_answer_can_look_is_on_the_page() {
    let (page, ground) = (Page::read(), Ground::new());
    let at = |name: &str| ground.0.path().join(name);
    let case = |arguments: &str, code: i32| hold_against_the_page(&page, &ground, arguments, code);
    // Settled, from the atlas, held, a question with an answer of its own, not settled, inside a cover.
    assert_eq!(case("solve el 3x3 --json", 0)[0]["engine"], "atlas");
    let solved = &case("solve el 3x3 --certificate el.cert --certify-least least.cert --json", 0)[0];
    assert_eq!((&solved["certificate"]["path"], &solved["turn"]), (&"el.cert".into(), &5.into()));
    let hash = blake3::hash(&fs::read(at("el.cert")).unwrap()).to_hex().to_string();
    assert_eq!((&solved["certificate"]["hash"], &solved["least_certificate"]["checked"]), (&hash.into(), &true.into()));
    assert_eq!(case("solve fatty 4x4 --fresh --json", 0)[0]["verdict"], "hold");
    for (turn, answer) in [(3, "no"), (4, "no"), (5, "yes"), (9, "yes")] {
        let value = &case(&format!("solve el 3x3 --within {turn} --json"), 0)[0];
        assert_eq!((&value["by_turn"], &value["within"]), (&answer.into(), &turn.into()), "{value}");
    }
    let stopped = &case("solve skinny 7x7 --within 11 --nodes 10 --threads 1 --json", 3)[0];
    assert_eq!((&stopped["by_turn"], &stopped["verdict"]), (&Value::Null, &"open".into()));
    case("solve snaky 9x9 --fresh --nodes 1000 --json", 3);
    // By the laws between games: nothing left to ask, and a least turn that is searched for.
    assert_eq!(case("solve el 6x7 --rule weak --json", 0)[0]["engine"], "laws");
    assert_eq!(case("solve el 6x7 --rule weak --certificate law.cert --json", 0)[0]["certificate"]["checked"], true);
    assert_eq!(case("lookup el 6x7 --rule weak --json", 0)[0]["deduced"][0]["laws"][0], "larger-board");
    case("solve el 3x3 --unchecked --json", 0);
    case("solve knobby 7x7 --cover --json", 0);
    case("solve el 4x4 --rule weak --engine cards --cards el.cards --learn --nodes 2000 --threads 1 --json", 0);
    case("solve snaky 9x9 --rule weak --engine cards --nodes 300 --threads 1 --json", 3);
    fs::write(at("cut.cards"), &fs::read(at("el.cards")).unwrap()[..40]).unwrap();
    case("cards check cut.cards --json", 1);
    case("solve el 3x3 --stones 2,1 --json", 0);
    let white = &case("solve domino 3x3 --stones 2,1 --json", 0)[0];
    assert_eq!((&white["verdict"], &white["white"]["turn"]), (&"loss".into(), &3.into()));
    let nobody = &case("solve tic 3x3 --stones 2,1 --certify-draw draw.cert --json", 0)[0];
    assert_eq!((&nobody["verdict"], &nobody["white"]["win"]), (&"hold".into(), &"refuted".into()));
    assert_eq!(nobody["white"]["certificate"]["path"], "draw.cert");
    case("avoid tic 3x3 --certificate tic.avoid --json", 0);
    case("avoid fivecells-l 6x6 --time 0s --json", 3);
    case("check tic.avoid --json", 0);
    case("tablebase build domino 2x2 --avoid -o avoid.tb --json", 0);
    case("solve --pg tests/pg/hex-3x3.pg --json", 0);
    case("smallest tic --up-to 4 --rule weak --torus --json", 0);
    case("smallest skinny --up-to 5 --nodes 300 --threads 1 --json", 3);
    // Certificates of every kind.
    fs::write(at("bad.cert"), fs::read_to_string(at("el.cert")).unwrap().replacen("p ", "p 1", 1)).unwrap();
    let found: Vec<Value> =
        case("check el.cert bad.cert nowhere.cert --json", 1).iter().map(|value| value["finding"].clone()).collect();
    assert_eq!(found, ["accepted", "refused", "unreadable"]);
    case("check nowhere.cert --json", 2);
    case("strategy tests/certificates/fatty-4x4-paving.cert --json", 0);
    case("strategy tests/certificates/tic-3x3.cert --format json --main-line", 0);
    let tried = &case("strategy --test tests/strategies/el-3x3.txt el 3x3 --json", 0)[0]["trial"];
    assert_eq!(tried["finding"], "accepted");
    let tried = &case("strategy --test tests/strategies/el-3x3-broken.txt el 3x3 --json", 1)[0]["trial"];
    assert_eq!(tried["finding"], "broken");
    case("strategy --test tests/strategies/skinny-7x7.txt skinny 7x7 --nodes 10 --json", 3);
    case(
        "crosscheck --shapes el --encodings cor --turns 5 --solver-command \"sh -c 'exit 10' {file}\" --proof --json",
        0,
    );
    case("show --pg tests/pg/hex-3x3.pg --at b2 --json", 0);
    case("show domino 2x2 --after \"a1 b2 b1\" --json", 0);
    case("shapes --json", 0);
    case("shapes X.X --json", 0);
    case("pave el 3x3 --json", 0);
    case("pave snaky 7x7 --turn 4 --json", 0);
    case("pave fatty 8x8 --periodic 4 --json", 0);
    case("pave snaky 6x6 --after c3 --json", 0);
    assert_eq!(case("match perfect random --misere --games 20 --jobs 1 --json", 0)[0]["rows"][0]["value"], "draw");
    case("match random random --rule clauses --size 3,5 --games 10 --ties first --json", 0);
    assert_eq!(case("match random random --time 0s --json", 3)[0]["complete"], false);
    assert_eq!(case("match --report --depth 1 --json", 0)[0]["published"].as_array().unwrap().len(), 9);
    fs::write(at("two.non"), "width 2\nheight 2\nrows\n1\n1\ncolumns\n1\n1\n").unwrap();
    fs::write(at("none.json"), "{\"rows\": [[2], [], [2]], \"columns\": [[2], [2]]}").unwrap();
    assert_eq!(case("pattern solve none.json --json", 1)[0]["solved"], false);
    assert_eq!(case("pattern unique two.non --json", 1)[0]["finding"], "several");
    assert_eq!(case("pattern unique none.json --json", 1)[0]["finding"], "none");
    assert_eq!(case("pattern solve two.non --time 0s --json", 3)[0]["solved"], Value::Null);
    assert_eq!(case("pattern count two.non --json", 0)[0]["count"], 2);
    fs::write(at("picture.txt"), "#.\n.#\n").unwrap();
    case("pattern generate picture.txt -o made.json --json", 0);
    case("lookup tippy --json", 0);
    case("lookup snaky 19x19 --json", 3);
    case("facts --json", 0);
    case("oeis --json", 0);
    case("sources --json", 0);
    case("facts X.X.X.X --json", 3);
    case("table thesis-4.1 --format json", 0);
    case("table thesis-4.4 --format json", 0);
    case("table thesis-6.2 --format json", 0);
    case("encode pairing el 3x3 --turns 2 -o pairing.qdimacs --json", 0);
    // Formulas.
    assert_eq!(case("verify el.qdimacs unsat --json", 1)[0]["verdicts"][0]["finding"], "refuted");
    let header = "shape,board,topology,rule,encoding,turns,verdict\n";
    fs::write(at("rows.csv"), format!("{header}el,3x3,plain,strong,cor,5,maybe\nel,3x3,plain,strong,cor,5,?\n"))
        .unwrap();
    let (values, code) = ground.answers("verify --csv rows.csv --json");
    assert_eq!((code, page.mistakes("verify", &values[0])), (2, Vec::new()));
    case("crosscheck --shapes fatty --encodings cor --turns 5 --solver-command \"sh -c 'exit 10' {file}\" --json", 1);
    case("crosscheck --shapes fatty --encodings cor --turns 5 --solver-command \"sh -c 'exit 3' {file}\" --json", 3);
    let arguments =
        "crosscheck --shapes el --encodings cor+,cover --turns 5 --preprocess \"cat {file}\" --scatter pairs.svg";
    case(&format!("{arguments} --solver-command \"sh -c 'exit 10' {{file}}\" --game-time 0s --json"), 3);
    case(&format!("{arguments} --solver-command \"sh -c 'exit 10' {{file}}\" --json"), 0);
    case("crosscheck --shapes el --encodings cor --turns 5 --sizes --json", 0);
    case("crosscheck --pg tests/pg/hex-3x3.pg --encodings cor --turns 1 --sizes --json", 0);
    case("deepen domino 3x3 --solver-command \"sh -c 'exit 20' {file}\" --json", 1);
    // The other games.
    case("neighbours nim 1000000 --json", 0);
    case("neighbours nim 7 --take 3 --moves --json", 0);
    case("neighbours nim 4 --encode nim.qdimacs --cuts --json", 0);
    case("neighbours connect 3x3 --connect 3 --position aa --moves --json", 0);
    case("neighbours connect 7x6 --time 0s --memory 1MiB --json", 3);
    case("neighbours clauses 3x3 --misere --moves --json", 0);
    case("neighbours maxsat 2x2 --clauses 4 --depth 1,2,3 --json", 0);
    case("neighbours crosscheck --games nim --nim 1 --solver-command \"sh -c 'exit 10' {file}\" --json", 1);
    case("neighbours crosscheck --games matrix --matrices 1 --solver-command \"sh -c 'exit 3' {file}\" --json", 3);
    // Tables of positions, and what runs leave behind.
    case("tablebase build fatty 2x2 --rule weak -o fatty.tb --json", 0);
    case("tablebase probe fatty.tb --json", 0);
    fs::write(at("cut.tb"), &fs::read(at("fatty.tb")).unwrap()[..40]).unwrap();
    case("tablebase verify cut.tb --json", 1);
    let run = case("atlas run --boards 3x3 --shapes el,tippy,snaky --both --certify-least --dir run --json", 0);
    assert_eq!(run.last().unwrap()["event"], "summary");
    case("atlas status --json", 0);
    case("atlas certificate el 3x3 --least --output least.cert --dir run --json", 0);
    case("atlas verify --sample 1 --seed 1 --dir run --json", 0);
}

/// Progress for machines: lines of JSON on standard error, and the answer alone on standard output.
#[test]
fn progress_is_on_the_page_too() {
    let (page, ground) = (Page::read(), Ground::new());
    for (arguments, name, key) in [
        ("solve skinny 6x6 --fresh --nodes 3000 --threads 1 --progress json --json", "solve", "progress"),
        ("smallest el --up-to 3 --progress json --json", "smallest", "progress"),
        ("atlas run --boards 3x3 --shapes el --dir run --progress json --json", "atlas run", "run_progress"),
    ] {
        let run = ground.run(arguments);
        let lines: Vec<Value> = String::from_utf8(run.stderr)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{arguments}: {error}: {line}")))
            .collect();
        assert!(!lines.is_empty(), "{arguments}");
        let mut keys = page.objects["envelope"].clone();
        keys.insert(key.to_owned(), key.replace('_', "-"));
        for line in &lines {
            let mut mistakes = Vec::new();
            page.object(&keys, line, key, &mut mistakes);
            assert!(mistakes.is_empty(), "{mistakes:#?}");
            assert_eq!(line["command"], name);
        }
        serde_json::from_slice::<Value>(run.stdout.split(|&byte| byte == b'\n').next().unwrap_or_default())
            .or_else(|_| serde_json::from_slice::<Value>(&run.stdout))
            .unwrap_or_else(|error| panic!("{arguments}: {error}"));
    }
    let quiet = ground.run("solve skinny 6x6 --fresh --nodes 3000 --threads 1 --progress none");
    assert!(quiet.stderr.is_empty());
}

/// The answers of a batch have the keys of `solve` and their own; an error has its own alone.
#[test]
fn batches_are_on_the_page_too() {
    let (page, ground) = (Page::read(), Ground::new());
    fs::write(ground.0.path().join("games.txt"), "el 3x3\nskiny 7x7\nfatty 4x4 --fresh\n").unwrap();
    let (answers, code) = ground.answers("solve --batch games.txt");
    assert_eq!((answers.len(), code), (3, 2));
    for answer in &answers {
        let mut keys = page.objects["envelope"].clone();
        keys.extend(page.objects["batch"].clone());
        if answer["error"].is_null() {
            keys.extend(page.commands["solve"].clone());
        }
        let mut mistakes = Vec::new();
        page.object(&keys, answer, "batch", &mut mistakes);
        assert!(mistakes.is_empty(), "{mistakes:#?}");
    }
    assert_eq!(answers[1]["error"], "no shape 'skiny'; did you mean skinny?");
}

#[test]
fn the_page_is_read_with_teeth() {
    let page = Page::read();
    let value = |text: &str| -> Value {
        let envelope = "\"schema\": 2, \"command\": \"lookup\", \"version\": \"VERSION\", \"deduced\": []";
        let text = text.replace("ENVELOPE", envelope).replace("VERSION", env!("CARGO_PKG_VERSION"));
        serde_json::from_str(&text).unwrap()
    };
    assert!(page.mistakes("lookup", &value("{ENVELOPE, \"games\": []}")).is_empty());
    for (text, mistake) in [
        ("{ENVELOPE}", "lookup.games is on the page and not printed"),
        ("{ENVELOPE, \"games\": [], \"more\": 1}", "lookup.more is printed and not on the page"),
        ("{ENVELOPE, \"games\": {}}", "is no array"),
        ("{ENVELOPE, \"games\": [{}]}", "lookup.games.game is on the page and not printed"),
        ("{\"schema\": 1, \"command\": \"lookup\", \"version\": \"VERSION\", \"games\": []}", "the envelope of lookup"),
    ] {
        let found = page.mistakes("lookup", &value(text)).join("; ");
        assert!(found.contains(mistake), "{text}: {found}");
    }
}
