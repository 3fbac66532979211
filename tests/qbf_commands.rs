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
    let last = table.lines().last().unwrap();
    let words: Vec<&str> = last.split_whitespace().collect();
    assert!(words[0] == "all" && words[1] == words[2] && words[1] != "0", "{last}");
}

#[test]
fn deepening_finds_the_turn_and_the_first_move() {
    let folder = TempDir::new().unwrap();
    let (code, text, error) = harary(folder.path(), &["deepen", "el,fatty", "3x3"]);
    assert_eq!(code, 0, "{text}{error}");
    assert!(text.contains("Black wins by turn 5") && text.contains("wins natively too"), "{text}");
    assert!(text.contains("White holds, paving after turn"), "{text}");
    assert!(text.contains("last k"), "{text}");
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
