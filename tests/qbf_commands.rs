//! `encode`, `verify`, `crosscheck` and `deepen` as a user runs them.

use assert_cmd::Command;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

fn harary(folder: &Path, arguments: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("harary").unwrap().current_dir(folder).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_formula_names_its_game_and_its_variables() {
    let folder = TempDir::new().unwrap();
    let (code, text, _) = harary(folder.path(), &["encode", "cor+", "el", "3x3", "--turns", "5"]);
    assert_eq!(code, 0);
    let beginning = "c harary formula 1\nc encoding cor+\nc mode lean symmetry 1\nc turns 5\nc rule strong\n\
                     c schedule BWBWBWBWB\nc board 3x3 plain\nc shape 0,0 0,1 1,0\nc true-means Black wins the strong game";
    assert!(text.starts_with(beginning), "{text}");
    assert!(text.contains("\nc var 5 black t1 a1\n"), "{text}");
    let (_, size, _) =
        harary(folder.path(), &["encode", "cor+", "domino", "4x4", "--torus", "-k16", "--faithful", "--size"]);
    assert!(size.starts_with("657 variables (32 universal, 625 existential), 2354 clauses"), "{size}");
}

#[test]
fn mistakes_are_named() {
    let folder = TempDir::new().unwrap();
    for (arguments, message) in [
        (&["encode", "cor+", "el", "3x3", "--turns", "10"][..], "--turns is 0 to 9, not 10"),
        (&["encode", "cor++", "el", "3x3", "--turns", "5", "--faithful"], "square tori"),
        (&["encode", "pairing", "el", "3x3", "--turns", "4", "--stones", "2,1"], "one stone at a time"),
        (&["encode", "core", "el", "3x3", "--turns", "4"], "cor"),
        (&["crosscheck", "--solvers", "depqfb"], "no solver 'depqfb'"),
        (&["crosscheck", "--solver-command", "depqbf"], "needs {file}"),
        (&["deepen", "el", "3x3", "--attacker", "pairing"], "the attacker is"),
    ] {
        let (code, _, error) = harary(folder.path(), arguments);
        assert_eq!(code, 2, "{arguments:?}: {error}");
        assert!(error.contains(message), "{arguments:?}: {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

#[test]
fn verdicts_are_confirmed_and_refuted_with_a_certificate() {
    let folder = TempDir::new().unwrap();
    for (encoding, turns, value) in [
        ("cor", "5", "sat"),
        ("cor+", "3", "unsat"),
        ("cover", "5", "sat"),
        ("dys", "3", "unsat"),
        ("pairing", "9", "unsat"),
    ] {
        let (code, _, error) =
            harary(folder.path(), &["encode", encoding, "el", "3x3", "--turns", turns, "-o", "el.qdimacs"]);
        assert_eq!(code, 0, "{error}");
        let (code, text, error) = harary(folder.path(), &["verify", "el.qdimacs", value]);
        assert_eq!(code, 0, "{encoding}: {text}{error}");
        assert!(text.starts_with("confirmed: "), "{text}");
        assert!(text.contains("certificate: el.qdimacs.cert (checked)"), "{encoding}: {text}");
        let wrong = if value == "sat" { "unsat" } else { "sat" };
        let (code, text, _) = harary(folder.path(), &["verify", "el.qdimacs", wrong]);
        // That there is no win inside the cover cannot be told from the game's value.
        let (expected, word) = if encoding == "cover" { (3, "not settled") } else { (1, "refuted") };
        assert!(code == expected && text.starts_with(word), "{encoding}: {code} {text}");
    }
}

#[test]
fn a_changed_formula_is_found_out() {
    let folder = TempDir::new().unwrap();
    harary(folder.path(), &["encode", "cor+", "el", "3x3", "--turns", "5", "-o", "el.qdimacs"]);
    let good = fs::read_to_string(folder.path().join("el.qdimacs")).unwrap();
    let verify = |text: &str| {
        fs::write(folder.path().join("el.qdimacs"), text).unwrap();
        harary(folder.path(), &["verify", "el.qdimacs", "sat"])
    };
    assert_eq!(verify(&good).0, 0);
    let last = good.trim_end().rsplit('\n').next().unwrap();
    let changes = [
        good.replace("c turns 5", "c turns 3"),
        good.replace("c rule strong", "c rule weak"),
        good.replace("c true-means Black", "c true-means White"),
        good.replace(&format!("\n{last}\n"), "\n"),
        good.clone() + "1 0\n",
        good.replacen("\ne 1 ", "\na 1 ", 1),
        good.trim_end().to_owned(),
    ];
    for (index, changed) in changes.iter().enumerate() {
        assert_ne!(changed, &good, "{index}");
        let (code, text, error) = verify(changed);
        assert_eq!(code, 1, "{index}: {text}{error}");
        assert!(error.contains("the formula was changed"), "{index}: {error}");
    }
    for (changed, message) in [
        (good.replace("c turns 5", "c turns x"), "cannot be read"),
        (good.replace("c turns 5\n", ""), "'turns' is missing"),
        (good.replace("c turns 5", "c turns 10"), "0 to 9"),
        (good.replace("c board 3x3 plain", "c board 3x3 klein"), "cannot be read"),
        ("p cnf 1 1\ne 1 0\n1 0\n".to_owned(), "not written by `harary encode`"),
        (String::new(), "not written by `harary encode`"),
    ] {
        let (code, _, error) = verify(&changed);
        assert!(code == 2 && error.contains(message), "{message}: {error}");
    }
}

#[test]
fn a_table_of_verdicts_is_verified() {
    let folder = TempDir::new().unwrap();
    let table = "shape,board,topology,rule,encoding,turns,verdict,seconds\n\
                 el,3x3,plain,strong,cor+,5,SAT,0.01\nel,3x3,plain,strong,cor+,3,SAT,0.01\n\
                 \"0,0 1,0\",3x3,torus,strong,pairing,9,UNSAT,0.2\nfatty,3x3,plain,strong,cor,9,timeout,60\n";
    fs::write(folder.path().join("results.csv"), table).unwrap();
    let (code, text, error) = harary(folder.path(), &["verify", "--csv", "results.csv"]);
    assert_eq!(code, 1, "{text}{error}");
    assert!(text.contains("refuted, line 3: el on 3x3 plain"), "{text}");
    assert!(text.contains("4 verdicts: 2 confirmed, 1 refuted, 1 open"), "{text}");
}

#[test]
fn a_lying_solver_is_named_and_the_proof_kept() {
    let folder = TempDir::new().unwrap();
    let (code, table, error) = harary(
        folder.path(),
        &[
            "crosscheck",
            "--shapes",
            "fatty",
            "--encodings",
            "cor+",
            "--turns",
            "7",
            "--solver-command",
            "sh -c 'exit 10' {file}",
            "--csv",
            "out.csv",
        ],
    );
    assert_eq!(code, 1, "{table}{error}");
    assert!(
        error.contains("fatty on 3x3 plain, strong rule, cor+ at turn 7: sh says SAT; native: the formula is false"),
        "{error}"
    );
    let formula = "disagreements/fatty-3x3-plain-strong-cor+-k7";
    assert!(
        error.contains(&format!("formula: {formula}.qdimacs")) && error.contains(&format!("{formula}.cert (checked)")),
        "{error}"
    );
    assert!(folder.path().join(format!("{formula}.cert")).exists());
    // Its own formula refutes it again, and so does the table.
    assert_eq!(harary(folder.path(), &["verify", &format!("{formula}.qdimacs"), "sat"]).0, 1);
    assert_eq!(harary(folder.path(), &["verify", "--csv", "out.csv"]).0, 1);
}

#[test]
fn a_solver_that_fails_settles_nothing() {
    let folder = TempDir::new().unwrap();
    let (code, table, error) = harary(
        folder.path(),
        &[
            "crosscheck",
            "--shapes",
            "el",
            "--encodings",
            "cor",
            "--turns",
            "5",
            "--solver-command",
            "sh -c 'exit 3' {file}",
        ],
    );
    assert_eq!(code, 3, "{table}{error}");
    assert!(error.contains("no answer: exit code 3"), "{error}");
}

#[test]
fn crosscheck_agrees_with_real_solvers_and_a_preprocessor() {
    let folder = TempDir::new().unwrap();
    let (code, table, error) = harary(
        folder.path(),
        &[
            "crosscheck",
            "--shapes",
            "el,fatty",
            "--both",
            "--turns",
            "4,5",
            "--solvers",
            "depqbf,caqe",
            "--preprocess",
            "cat {file}",
        ],
    );
    assert_eq!(code, 0, "{table}{error}");
    let all = table.lines().find(|line| line.starts_with("all ")).unwrap();
    let words: Vec<&str> = all.split_whitespace().collect();
    assert!(words[1] == words[2] && words[1] != "0", "{all}");
}

/// `word` in the columns of a CSV file, by name.
fn column(csv: &str, name: &str) -> Vec<String> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let place = reader.headers().unwrap().iter().position(|header| header == name).unwrap();
    reader.records().map(|record| record.unwrap()[place].to_owned()).collect()
}

/// Bloqqer where it is installed, otherwise one that changes nothing.
fn preprocessor() -> &'static str {
    match harary::qbf::solver::Solver::preprocessor("bloqqer") {
        Ok(_) => "bloqqer",
        Err(error) => {
            eprintln!("SKIPPED, and cat taken instead: {error}");
            "cat {file}"
        }
    }
}

/// Solvers, preprocessors and games are counted as published tables do: on 3x3 tic and fatty are held and el is won.
#[test]
fn solvers_and_preprocessors_have_their_accounts() {
    let folder = TempDir::new().unwrap();
    let second = preprocessor();
    let asked = "crosscheck --shapes el,tic,fatty --both --encodings cor+,cover,pairing --turns last --solvers depqbf6,qute \
                 --csv out.csv --cactus cactus.csv --scatter pairs.csv --json";
    let mut asked: Vec<&str> = asked.split_whitespace().collect();
    asked.extend(["--preprocess", "none", "--preprocess", second]);
    let (code, text, error) = harary(folder.path(), &asked);
    assert_eq!(code, 0, "{text}{error}");
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let accounts = report["accounts"].as_array().unwrap();
    assert_eq!(accounts.len(), 3 * 2 * 2);
    for account in accounts {
        let counts =
            ["games", "unknown", "winners", "losers", "sat", "unsat"].map(|key| account[key].as_u64().unwrap());
        // COVER says nothing of a game it finds no win in. PAIRING is true where White holds.
        let expected = match account["encoding"].as_str().unwrap() {
            "cor+" => [6, 0, 2, 4, 2, 4],
            "cover" => [6, 4, 2, 0, 2, 4],
            _ => [6, 0, 2, 4, 4, 2],
        };
        assert_eq!(counts, expected, "{account}");
        let simplified = if account["preprocessor"] != "none" { 6 } else { 0 };
        assert_eq!(account["preprocessing"]["formulas"], simplified, "{account}");
        assert!(account["par2"].as_f64().unwrap() >= account["seconds"].as_f64().unwrap(), "{account}");
    }
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let rows = read("out.csv");
    assert_eq!(column(&rows, "preprocessor").iter().filter(|name| *name != "none").count(), 36);
    assert!(column(&rows, "preprocess_seconds").iter().any(|seconds| seconds != "0.0000"), "{rows}");
    assert_eq!(column(&read("cactus.csv"), "answered").iter().filter(|count| *count == "6").count(), 12);
    assert_eq!(column(&read("pairs.csv"), "cover_answer").len(), 6 * 2 * 2);
    // What is written down can be verified.
    let (code, text, _) = harary(folder.path(), &["verify", "--csv", "out.csv"]);
    assert!(text.contains("72 verdicts: 72 confirmed") || code == 3 && text.contains("0 refuted"), "{text}");
}

#[test]
fn pictures_are_drawn_and_outputs_are_tried_first() {
    let folder = TempDir::new().unwrap();
    let asked = "crosscheck --shapes el,tic --encodings cor+,cover --turns 5 --cactus cactus.svg --scatter pairs.svg";
    let (code, text, error) = harary(folder.path(), &asked.split_whitespace().collect::<Vec<_>>());
    assert_eq!(code, 0, "{text}{error}");
    assert!(text.contains("cover is faster than cor+ in "), "{text}");
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(read("cactus.svg").contains("cover, depqbf (2)"), "{}", read("cactus.svg"));
    assert_eq!(read("pairs.svg").matches("<circle").count(), 2);
    for (arguments, message) in [
        ("crosscheck --cactus plot.png", "ends in .svg or .csv"),
        ("crosscheck --scatter a.svg --axes cor", "--axes takes two encodings"),
        ("crosscheck --csv a.csv --cactus a.csv", "would be written over"),
        ("crosscheck --csv nowhere/a.csv", "cannot write nowhere/a.csv"),
        ("crosscheck --csv - --json", "standard output"),
        ("crosscheck --preprocess blocker", "no preprocessor 'blocker'"),
        ("crosscheck --journal out.csv", "no journal of a crosscheck"),
        ("crosscheck --pg lost.pg", "cannot read lost.pg"),
        ("crosscheck --handicap 9", "at most 8"),
        ("deepen el 3x3 --preprocess none,none", "one solver and one preprocessor"),
        ("deepen el 3x3 --histogram x.png", "ends in .svg or .csv"),
        ("deepen el --pg lost.pg", "shapes need a board"),
    ] {
        fs::write(folder.path().join("out.csv"), "shape,board\n").unwrap();
        let (code, _, error) = harary(folder.path(), &arguments.split_whitespace().collect::<Vec<_>>());
        assert!(code == 2 && error.contains(message), "{arguments}: {code} {error}");
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

/// A solver that says true and notes that it was asked.
const NOTING: &str = "sh -c 'echo x >> asked; exit 10' {file}";

fn times_asked(folder: &Path) -> usize {
    fs::read_to_string(folder.join("asked")).map_or(0, |text| text.lines().count())
}

#[test]
fn a_crosscheck_goes_on_from_its_journal() {
    let folder = TempDir::new().unwrap();
    let run = |turns: &str, solver: &str| {
        let shapes = ["crosscheck", "--shapes", "el", "--encodings", "cor,cor+", "--journal", "run.log"];
        let (code, text, error) =
            harary(folder.path(), &[&shapes[..], &["--turns", turns, "--solver-command", solver, "--json"]].concat());
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        (code, report["rows"].as_array().unwrap().len(), times_asked(folder.path()), error)
    };
    let at = |(code, rows, asked, _): (i32, usize, usize, String)| (code, rows, asked);
    assert_eq!(at(run("5", NOTING)), (0, 2, 2));
    assert_eq!(at(run("5", NOTING)), (0, 2, 2), "nobody is asked again");
    assert_eq!(at(run("5,7", NOTING)), (0, 4, 4), "what is new is asked");
    // What was cut in the middle of a line is asked again; a disagreement found before is one still.
    let journal = folder.path().join("run.log");
    let text = fs::read(&journal).unwrap();
    fs::write(&journal, &text[..text.len() - 20]).unwrap();
    let (code, rows, asked, error) = run("5,7", NOTING);
    assert_eq!((code, rows, asked), (0, 4, 5), "{error}");
    assert!(error.contains("cut off"), "{error}");
    assert_eq!(at(run("3", NOTING)), (1, 2, 7));
    assert_eq!(at(run("3", NOTING)), (1, 2, 7));
    // Another solver is another question, and what failed is asked again.
    let failing = "sh -c 'echo x >> asked; exit 3' {file}";
    assert_eq!(at(run("5", failing)), (3, 2, 9));
    assert_eq!(at(run("5", failing)), (3, 2, 11));
    // Damage in the middle is named.
    let mut text = fs::read(&journal).unwrap();
    text[200] ^= 1;
    fs::write(&journal, text).unwrap();
    let arguments = ["crosscheck", "--shapes", "el", "--journal", "run.log"];
    let (code, _, error) = harary(folder.path(), &arguments);
    assert!(code == 2 && error.contains("run.log, line 2: the checksum is another"), "{error}");
}

#[test]
fn jobs_change_nothing_but_the_time() {
    let folder = TempDir::new().unwrap();
    let rows = |jobs: &str| {
        let asked = format!("crosscheck --shapes el,tic,fatty --turns all --solvers depqbf6 --jobs {jobs} --csv -");
        let (code, text, error) = harary(folder.path(), &asked.split_whitespace().collect::<Vec<_>>());
        assert_eq!(code, 0, "{text}{error}");
        ["shape", "encoding", "turns", "verdict", "finding"].map(|name| column(&text, name))
    };
    let one = rows("1");
    assert!(one[0].len() > 50 && one == rows("3"));
    let (code, _, error) = harary(folder.path(), &["crosscheck", "--jobs", "0"]);
    assert_eq!(code, 2, "{error}");
}

/// What was never asked is no timeout: not when somebody presses Ctrl-C, and not when the time of a game is over.
#[test]
fn what_was_not_asked_is_not_counted_as_a_timeout() {
    let folder = TempDir::new().unwrap();
    let run = |more: &[&str]| {
        let shapes = ["crosscheck", "--shapes", "el", "--encodings", "cor", "--jobs", "1", "--json"];
        let (code, text, _) = harary(folder.path(), &[&shapes[..], more].concat());
        let report: serde_json::Value = serde_json::from_str(&text).unwrap();
        (code, report)
    };
    // The solver presses the key while it works.
    let (code, report) = run(&["--solver-command", "sh -c 'kill -INT $PPID; exec sleep 1000' {file}"]);
    let summary = &report["summary"];
    assert_eq!((code, &report["left"], &summary["runs"], &summary["timeouts"]), (3, &5.into(), &0.into(), &0.into()));
    // The first formula takes all the time of the game.
    let solver = ["--solver-command", "sh -c 'exec sleep 1000' {file}"];
    let (code, report) = run(&[&solver[..], &["--game-time", "300ms", "--turns", "3,5,7"]].concat());
    let summary = &report["summary"];
    assert_eq!(
        (code, &report["left"], &summary["timeouts"], &summary["not_asked"]),
        (3, &0.into(), &1.into(), &2.into())
    );
    assert_eq!(report["accounts"][0]["unknown"], 1);
    assert_eq!(report["accounts"][0]["par2"], 3.0 * 120.0);
}

/// Games of files, with stones, with a handicap: asked, written down, and verified from what was written.
#[test]
fn games_of_every_kind_are_crosschecked() {
    let folder = TempDir::new().unwrap();
    let hex = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pg/hex-3x3.pg");
    fs::copy(hex, folder.path().join("hex.pg")).unwrap();
    for (arguments, rows) in [
        ("--pg hex.pg --turns 3,5", 8),
        ("--shapes tic,fatty --handicap 1 --encodings cor,cor+,dys --turns 3,5", 12),
        ("--shapes tic --stones 2,1 --encodings cor,cor+ --turns 3,6", 4),
        ("--shapes tic --rule weak --pg hex.pg --encodings cor+ --turns 5", 2),
    ] {
        let asked = format!("crosscheck {arguments} --solvers depqbf6 --csv out.csv");
        let (code, text, error) = harary(folder.path(), &asked.split_whitespace().collect::<Vec<_>>());
        assert_eq!(code, 0, "{arguments}: {text}{error}");
        let (code, text, error) = harary(folder.path(), &["verify", "--csv", "out.csv"]);
        assert_eq!(code, 0, "{arguments}: {text}{error}");
        assert!(text.contains(&format!("{rows} verdicts: {rows} confirmed")), "{arguments}: {text}");
    }
    for (arguments, verdict) in [
        ("--pg hex.pg", "White holds, paving after turn 0"),
        ("tic 3x3 --handicap 1", "Black wins by turn 6"),
        ("knobby 3x3 --handicap 1", "Black wins by turn 8"),
        ("fatty 3x3 --stones 1,2", "White holds, Black has no win by turn 8, his last"),
        ("skinny 4x3 --handicap 1 --rule weak", "White holds, Black has no win by turn 12, his last"),
    ] {
        let asked = format!("deepen {arguments} --solver depqbf6");
        let (code, text, error) = harary(folder.path(), &asked.split_whitespace().collect::<Vec<_>>());
        assert_eq!(code, 0, "{arguments}: {text}{error}");
        assert!(text.contains(verdict), "{arguments}: {text}");
        assert!(!verdict.starts_with("Black") || text.contains("wins natively too"), "{arguments}: {text}");
    }
}

/// Tables 4.4 and 6.4 of the thesis by one command each.
#[test]
fn sizes_are_added_up() {
    let folder = TempDir::new().unwrap();
    let asked = "crosscheck --boards 4x4 --both --encodings cor,pairing --turns last --faithful --sizes --json";
    let (code, text, error) = harary(folder.path(), &asked.split_whitespace().collect::<Vec<_>>());
    assert_eq!(code, 0, "{error}");
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let figures: Vec<[u64; 5]> = report["sizes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|sum| {
            ["formulas", "literals", "clauses", "universal", "existential"].map(|key| sum[key].as_u64().unwrap())
        })
        .collect();
    assert_eq!(
        figures,
        [
            [49, 554629, 227944, 1568, 66850],
            [49, 675309, 285428, 1568, 70682],
            [49, 637683, 253794, 1568, 70241],
            [49, 950037, 388083, 1568, 75329]
        ]
    );
    let (_, errata, _) = harary(folder.path(), &["errata", "--time-each", "1ms", "--format", "csv"]);
    let line = errata.lines().find(|line| line.starts_with("thesis-4.4")).unwrap();
    assert!(line.contains("675390 literals") && line.contains("675309 literals") && line.contains("--sizes"), "{line}");
    let (code, table, _) = harary(folder.path(), &["table", "6.4", "--format", "csv"]);
    assert_eq!((code, column(&table, "verdict")), (0, vec!["agree".to_owned(); 24]));
}

#[test]
fn deepening_finds_the_turn_and_the_first_move() {
    let folder = TempDir::new().unwrap();
    let (code, text, error) = harary(folder.path(), &["deepen", "el,fatty", "3x3"]);
    assert_eq!(code, 0, "{text}{error}");
    assert!(text.contains("Black wins by turn 5") && text.contains("wins natively too"), "{text}");
    assert!(text.contains("White holds, paving after turn"), "{text}");
    assert!(text.contains("last k"), "{text}");
    assert!(text.contains("2 games: 0 unknown, 1 win, 1 hold"), "{text}");
    let asked = "deepen el,fatty,tic 3x3 --both --solver depqbf6 --histogram k.svg --json";
    let mut asked: Vec<&str> = asked.split_whitespace().collect();
    asked.extend(["--preprocess", preprocessor()]);
    let (code, text, error) = harary(folder.path(), &asked);
    assert_eq!(code, 0, "{text}{error}");
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    let bars = report["histogram"].as_array().unwrap();
    let sum = |key: &str| bars.iter().map(|bar| bar[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!((sum("win"), sum("hold"), sum("open")), (2, 4, 0));
    assert!(report["preprocessor"].is_string(), "{report}");
    let picture = fs::read_to_string(folder.path().join("k.svg")).unwrap();
    assert!(picture.contains("win (2)") && picture.contains("hold (4)") && picture.contains(">last k<"), "{picture}");
    // The time of a game is for all its formulas together.
    let asked =
        ["deepen", "el,tic", "3x3", "--game-time", "300ms", "--solver-command", "sh -c 'exec sleep 1000' {file}"];
    let (code, text, error) = harary(folder.path(), &asked);
    assert_eq!(code, 3, "{text}{error}");
    assert!(text.contains("2 games: 2 unknown"), "{text}");
}

/// A game of sets, with stones on the board and a first move that is not free: Black plays a2 and threatens a3 and b2, of
/// which White can stop one. If b3 wins for her, it is she who wins.
#[test]
fn a_pg_game_is_encoded_and_verified() {
    let folder = TempDir::new().unwrap();
    let game = "#times\nt1 t2 t3\n#blackturns\nt1 t3\n#positions\na1 a2 a3 b1 b2 b3\n#blackinitials\na1\n\
                #whiteinitials\nb1\n#firstmoves\na2 b2\n#blackwins\na1 a2 a3\na1 a2 b2\nb2 b3\n#whitewins\n";
    for (white, verdict, code) in [("b1 b2 b3", "sat", 10), ("b1 b3", "unsat", 20)] {
        fs::write(folder.path().join("game.pg"), format!("{game}{white}\n")).unwrap();
        for encoding in ["cor", "cor+", "dys"] {
            for mode in ["--faithful", "--lean"] {
                let arguments = ["encode", encoding, "--pg", "game.pg", "--turns", "3", mode, "-o", "game.qdimacs"];
                let (encoded, _, error) = harary(folder.path(), &arguments);
                assert_eq!(encoded, 0, "{encoding} {error}");
                let answer =
                    std::process::Command::new("depqbf").arg(folder.path().join("game.qdimacs")).output().unwrap();
                assert_eq!(answer.status.code(), Some(code), "{white} {encoding} {mode}");
                let (verified, text, error) = harary(folder.path(), &["verify", "game.qdimacs", verdict]);
                assert_eq!(verified, 0, "{white} {encoding} {mode}: {text}{error}");
                assert!(text.contains("game.qdimacs.cert (checked)"), "{text}");
            }
        }
    }
    let (code, _, error) = harary(folder.path(), &["encode", "cover", "--pg", "game.pg", "--turns", "3"]);
    assert!(code == 2 && error.contains("cover needs a shape on a board"), "{error}");
}

/// The program as a QBF solver of its own formulas, good enough for its own cross-check.
#[test]
fn formulas_are_answered_as_solvers_answer_them() {
    let folder = TempDir::new().unwrap();
    let run = |arguments: &[&str]| harary(folder.path(), arguments);
    run(&["encode", "cor+", "el", "3x3", "--turns", "5", "-o", "win.qdimacs"]);
    run(&["encode", "cor+", "el", "3x3", "--turns", "3", "-o", "hold.qdimacs"]);
    for (file, code, sign) in [("win.qdimacs", 10, "1"), ("hold.qdimacs", 20, "0")] {
        let (exit, text, errors) = run(&["verify", file, "--qbf"]);
        let formula = fs::read_to_string(folder.path().join(file)).unwrap();
        let sizes = formula.lines().find_map(|line| line.strip_prefix("p cnf ")).unwrap();
        assert_eq!((exit, errors.as_str()), (code, ""));
        assert!(text.starts_with("c true means: ") && text.ends_with(&format!("\ns cnf {sign} {sizes}\n")), "{text}");
    }
    run(&["encode", "cor+", "skinny", "6x6", "--turns", "15", "-o", "hard.qdimacs"]);
    let (code, text, _) = run(&["verify", "hard.qdimacs", "--qbf", "--timeout", "0s"]);
    assert!(code == 0 && text.contains("\ns cnf -1 "), "no time, no answer: {text}");
    assert_eq!(run(&["verify", "win.qdimacs"]).0, 2, "which verdict?");
    assert_eq!(run(&["verify", "win.qdimacs", "sat", "--qbf"]).0, 2);
    let solver = format!("{} verify {{file}} --qbf", env!("CARGO_BIN_EXE_harary"));
    let (code, text, _) =
        run(&["crosscheck", "--shapes", "el", "--encodings", "cor+", "--turns", "3,5", "--solver-command", &solver]);
    assert_eq!(code, 0, "{text}");
}
