//! The program as its users meet it: what it prints, where, and with which exit code.

use assert_cmd::Command;
use serde_json::Value;
use std::path::PathBuf;

fn harary(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_harary"));
    command.args(arguments).env_remove("NO_COLOR");
    command
}

/// Standard output of a run that must succeed and say nothing else.
fn output(arguments: &[&str]) -> String {
    let run = harary(arguments).output().unwrap();
    let errors = String::from_utf8(run.stderr).unwrap();
    assert_eq!((run.status.code(), errors.as_str()), (Some(0), ""), "{arguments:?}");
    String::from_utf8(run.stdout).unwrap()
}

/// The one line a run that must fail prints on standard error.
fn complaint(arguments: &[&str], code: i32) -> String {
    let run = harary(arguments).output().unwrap();
    let errors = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(code), "{arguments:?}: {errors}");
    let line = errors.strip_suffix('\n').unwrap();
    assert!(!line.contains('\n'), "one line, not {errors}");
    assert!(run.stdout.is_empty(), "{arguments:?}");
    line.strip_prefix("harary: ").unwrap().to_owned()
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&output(arguments)).unwrap()
}

fn pg_file(name: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/pg").join(name).display().to_string()
}

#[test]
fn every_subcommand_helps_with_an_example() {
    let help = output(&["--help"]);
    // One screen: no line wraps at 100 columns, and there are not many.
    assert!(help.lines().count() <= 48 && help.lines().all(|line| line.chars().count() <= 110), "{help}");
    let commands = help.split("Commands:").nth(1).unwrap().split("Options:").next().unwrap();
    // The lines of the list are indented by two blanks, their continuations by more.
    let names: Vec<&str> = commands
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty() && *name != "help")
        .collect();
    assert!(names.contains(&"shapes") && names.contains(&"show"), "{names:?}");
    for name in names {
        assert!(output(&[name, "--help"]).contains(&format!("\n  harary {name}")), "{name}");
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    let version = output(&["--version"]);
    let version = version.strip_prefix(&format!("harary {}", env!("CARGO_PKG_VERSION"))).unwrap();
    // Then the commit, if the sources are under git.
    assert!(version == "\n" || version.starts_with(" (") && version.ends_with(")\n"), "{version}");
}

#[test]
fn wrong_usage_is_one_line_that_names_the_mistake() {
    for (arguments, expected) in [
        (vec!["show", "skiny", "7x7"], "no shape 'skiny'; did you mean skinny?"),
        (vec!["show", "skinny", "0x0"], "a board is 1x1 to 19x19, not 0x0"),
        (vec!["show", "skinny", "40x40"], "a board is 1x1 to 19x19, not 40x40"),
        (vec!["show", "skinny", "7"], "'7' is not a board; boards are written WxH, for example 7x7"),
        (vec!["show", "", "3x3"], "a shape needs at least one cell"),
        (vec!["show", "0,0 0,0", "3x3"], "the cell 0,0 is given twice"),
        (vec!["show", "el", "3x3", "--at", "d4"], "there is no cell 'd4' on 3x3 plain; its cells are a1 to c3"),
        (vec!["show", "el", "3x3", "--after", "b2 b2"], "the move b2: there is a stone already"),
        (
            vec!["show", "domino", "2x2", "--after", "a1 b2 b1 a2"],
            "the move a2: the game is over, Black completed a1 b1 at turn 3",
        ),
        (vec!["show", "el", "3x3", "--stones", "0,1"], "'stones' are 1 or more a turn"),
        (
            vec!["show", "el", "3x3", "--stones", "99999999999999,1"],
            "--stones 99999999999999,1: more than the 9 cells of the board",
        ),
        (vec!["show", "el", "3x3", "--handicap", "10"], "--handicap 10: at most 8 on a board of 9 cells"),
        (vec!["show", "el", "99999999999999999999x3"], "a board is 1x1 to 19x19, not 99999999999999999999x3"),
        (vec!["pave", "el", "3x3", "--turn", "10"], "turn 10 is never reached: the board has 9 cells"),
        (vec!["shapes", "--size", "9"], "shapes of 1 to 8 cells are known, not of 9"),
        (vec!["shapes", "--inside", "skiny"], "no shape 'skiny'; did you mean skinny?"),
        (
            vec!["solve", "tic", "3x3", "--handicap", "1", "--engine", "dfpn"],
            "--engine dfpn: it plays games in which the players alternate, Black first; leave out --handicap and --stones",
        ),
        (
            vec!["solve", "tic", "3x3", "--engine", "defender", "--within", "5"],
            "--engine defender: it knows no turns; leave out --within",
        ),
        (
            vec!["solve", "tic", "3x3", "--black", "a1", "--white", "a1"],
            "the vertex a1 starts with a stone of each colour",
        ),
        (vec!["man", "nothing"], "harary has no subcommand 'nothing'; see harary --help"),
    ] {
        assert_eq!(complaint(&arguments, 2), expected);
    }
}

#[test]
fn mistakes_that_clap_finds_are_one_line_too() {
    for (arguments, part) in [
        (vec!["shaps"], "'shapes'"),
        (vec!["solve", "el"], "<BOARD>"),
        (vec!["show", "el", "3x3", "--handicap", "1", "--stones", "1,2"], "'--handicap <H>'"),
        (vec!["show", "el", "3x3", "--handicap", "18446744073709551616"], "18446744073709551616"),
        (vec!["solve", "el", "3x3", "--within", "-1"], "'-1' is no turn; turns are counted from 1"),
        (vec!["solve", "el", "3x3", "--within", "0"], "'0' is no turn; turns are counted from 1"),
        (vec!["solve", "el", "3x3", "--nodes", "0"], "'0' is no number of nodes, which is 1 or more"),
        (vec!["show", "el", "3x3", "--stones", "two"], "stones are written P,Q, for example 2,1"),
        (vec!["show", "el", "3x3", "--rule", "fair"], "strong, weak"),
        (vec!["pave", "el", "3x3", "--time", "soon"], "'soon' is not a time; times are written 90s, 10m or 2h"),
        (vec!["show", "el", "3x3", "--pg", "el.pg"], "'--pg <FILE>'"),
    ] {
        let line = complaint(&arguments, 2);
        assert!(line.contains(part) && line.ends_with("(see --help)"), "{line}");
    }
}

/// Started after Black's stone, the stone is turn 1; started with stones, turn 1 is the next one.
#[test]
fn a_game_is_settled_from_any_start() {
    let after = output(&["solve", "el", "3x3", "--after", "b2", "--threads", "1"]);
    assert!(
        after.starts_with(
            "el on 3x3 plain after b2, 9 vertices, strong rule\nTurns are counted from Black's stone on b2"
        )
    );
    assert!(after.contains("Black wins by turn 5, with 3 stones of his own."), "{after}");
    let stones = output(&["solve", "el", "3x3", "--black", "b2", "--white", "a1", "--threads", "1"]);
    assert!(stones.contains("Turns are counted from this position: Black plays turn 1.\n"), "{stones}");
    assert!(stones.contains("Black wins by turn 3, with 2 stones of his own."), "{stones}");
    let held = output(&["solve", "tic", "3x3", "--first", "a1 b1", "--engine", "defender", "--threads", "1"]);
    assert!(held.contains("White holds: Black cannot force a win.") && held.contains("accepted"), "{held}");
}

#[test]
fn a_board_is_drawn_with_coordinates() {
    let expected = "\
el on 3x3 plain, strong game: 16 winning sets
turn 3, Black to move; 2 of 8 symmetries left

3 . . .
2 . X .
1 O . .
  a b c

4 orbits of empty cells
3 b c d
2 a X c
1 O a b
  a b c

Black's winning sets free of White through c1: 3

. . .   . . .   . . .
. X .   . X #   . X #
O # #   O # #   O . #

White's winning sets free of Black through c1: 1

. . .
. X #
O # #
";
    assert_eq!(output(&["show", "el", "3x3", "--after", "b2, a1", "--orbits", "--at", "c1"]), expected);
}

#[test]
fn a_shape_larger_than_the_board_is_a_legal_game() {
    let text = output(&["show", "snaky", "2x2"]);
    assert!(text.contains("the shape has no place on this board: a legal game without winning sets"), "{text}");
    assert_eq!(json(&["show", "snaky", "2x2", "--json"])["black_sets"], 0);
    // Our own pages print the cross.
    assert_eq!(output(&["show", "snaky", "2×2"]), text);
}

#[test]
fn json_says_what_the_picture_says() {
    let game = json(&["show", "snaky", "9x9", "--torus", "--rule", "weak", "--after", "e5 e6", "--json"]);
    let played = &game["game"];
    assert_eq!([&played["shape"], &played["board"], &played["topology"]], ["snaky", "9x9", "torus"]);
    assert_eq!((&played["rule"], &game["black_sets"], &game["white_sets"]), (&"weak".into(), &648.into(), &0.into()));
    assert_eq!((&game["black"][0], &game["white"][0], &game["to_move"]), (&"e5".into(), &"e6".into(), &"black".into()));
    assert_eq!((&game["symmetries"], &game["stabiliser"]), (&648.into(), &2.into()));
    // Each of the 648 sets has 6 cells; through each cell of a torus there are 48. Those through e6 are dead.
    assert_eq!(game["counts"]["e6"], 0);
    let through: u64 = game["counts"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(through, (648 - 48) * 6);
    let game = json(&["show", "el", "3x3", "--at", "a1", "--json"]);
    assert_eq!(game["placements"].as_array().unwrap().len(), 3);
    assert_eq!(game["orbits"].as_array().unwrap().len(), 3);
}

#[test]
fn svg_is_one_picture() {
    let svg = output(&["show", "el", "3x3", "--after", "b2 a1", "--orbits", "--format", "svg"]);
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("<circle").count(), 2);
    assert_eq!(svg.matches("<text").count(), 6 + 7);
}

#[test]
fn games_go_through_pg_files_unchanged() {
    let options = ["show", "elly", "4x3", "--torus", "--stones", "2,1"];
    let written = output(&[&options[..], &["--write-pg"]].concat());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("elly.pg");
    std::fs::write(&path, &written).unwrap();
    let path = path.to_str().unwrap();
    let (original, read) = (json(&[&options[..], &["--json"]].concat()), json(&["show", "--pg", path, "--json"]));
    for key in ["black_sets", "white_sets", "counts"] {
        assert_eq!(original[key], read[key], "{key}");
    }
    for key in ["rule", "vertices", "turns"] {
        assert_eq!(original["game"][key], read["game"][key], "{key}");
    }
    let again = output(&["show", "--pg", path, "--write-pg"]);
    assert_eq!(again.split_once('\n').unwrap().1, written.split_once('\n').unwrap().1);
    let piped = harary(&["show", "--pg", "-", "--write-pg"]).write_stdin(written).output().unwrap();
    assert_eq!(String::from_utf8(piped.stdout).unwrap().split_once('\n').unwrap().1, again.split_once('\n').unwrap().1);
}

#[test]
fn a_hex_puzzle_is_drawn() {
    let expected = "\
hex-3x3, 9 vertices, weak game: Black has 5 winning sets
turn 1, Black to move; 1 symmetry

3 . O .
2 . . .
1 X . O
  a b c

Black's winning sets free of White through each cell
3 3 O 2
2 3 3 2
1 X 3 O
  a b c
";
    assert_eq!(output(&["show", "--pg", &pg_file("hex-3x3.pg")]), expected);
}

#[test]
fn a_broken_pg_file_is_named_with_line_and_word() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("broken.pg");
    let text = std::fs::read_to_string(pg_file("fatty-3x3.pg")).unwrap();
    std::fs::write(&path, text.replacen("a1 a2 b1 b2", "a1 a2 b1 z9", 1)).unwrap();
    let path = path.to_str().unwrap();
    let line = complaint(&["show", "--pg", path], 2);
    assert_eq!(line, format!("{path}, line 11: 'z9' in #blackwins is no vertex of #positions"));
    let lost = folder.path().join("lost.pg");
    assert!(
        complaint(&["show", "--pg", lost.to_str().unwrap()], 2).starts_with(&format!("cannot read {}", lost.display()))
    );
    let bytes = folder.path().join("bytes.pg");
    std::fs::write(&bytes, b"#positions\na1 \xff\n").unwrap();
    assert!(complaint(&["show", "--pg", bytes.to_str().unwrap()], 2).ends_with("line 2: this is not text (UTF-8)"));
}

#[test]
fn shapes_are_listed_by_size_by_room_and_by_what_they_are_inside() {
    let names = |arguments: &[&str]| -> Vec<String> {
        let listed = json(&[&["shapes", "--json"], arguments].concat());
        listed["shapes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|shape| shape["name"].as_str().unwrap_or("-").to_owned())
            .collect()
    };
    assert_eq!(names(&["--size", "4", "--animals"]), ["skinny", "knobby", "elly", "tippy", "fatty"]);
    assert_eq!(names(&["--size", "4", "--animals", "--fits", "3x2"]), ["knobby", "elly", "tippy", "fatty"]);
    assert_eq!(names(&["--inside", "fatty"]), ["elam", "domino", "D2", "el"]);
    assert_eq!(names(&["--size", "7"]).len(), 108);
    assert_eq!(names(&["--size", "8", "--animals"]).len(), 369);
    assert_eq!(names(&["--animals"]).len(), 1 + 1 + 2 + 5 + 12 + 35);
    let creatures = names(&["--creatures", "--inside", "snaky"]);
    for name in names(&["--creatures"]) {
        assert!(creatures.contains(&name), "{name}");
    }
    assert_eq!(output(&["shapes", "--size", "7", "--creatures"]), "no such shape in the catalogue\n");
}

#[test]
fn one_shape_is_shown_in_detail() {
    let expected = "\
tippy (Z4, S4): animal of 4 cells
cells 0,0 1,0 1,1 2,1

4 orientations

.X    .XX   X.    XX.
XX    XX.   XX    .XX
X.          .X
";
    assert_eq!(output(&["shapes", "S4"]), expected);
    assert_eq!(json(&["shapes", "S4", "--json"])["shapes"][0]["orientations"].as_array().unwrap().len(), 4);
}

#[test]
fn colour_is_for_terminals_or_on_demand() {
    let arguments = ["show", "el", "3x3", "--after", "b2"];
    assert!(!output(&arguments).contains('\x1b'), "a pipe is no terminal");
    assert!(output(&[&arguments[..], &["--color", "always"]].concat()).contains("\x1b[1;31mX\x1b[0m"));
    assert!(!output(&[&arguments[..], &["--color", "never"]].concat()).contains('\x1b'));
}

#[test]
fn a_closed_pipe_is_no_failure() {
    for arguments in
        [vec!["shapes"], vec!["show", "snaky", "19x19", "--placements"], vec!["completions", "bash"], vec!["man"]]
    {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_harary"));
        let child = command.args(&arguments).stdout(writer).stderr(std::process::Stdio::piped()).spawn().unwrap();
        let run = child.wait_with_output().unwrap();
        assert_eq!((run.status.code(), run.stderr.len()), (Some(0), 0), "{arguments:?}");
    }
}

#[test]
fn completions_and_manual_name_the_subcommands() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(output(&["completions", shell]).contains("shapes"), "{shell}");
    }
    assert!(output(&["man"]).contains("harary\\-shapes"));
    assert!(output(&["man", "show"]).contains("placements"));
}

/// What bash offers for the last of these words.
fn completed(words: &str) -> String {
    let script = output(&["completions", "bash"]);
    let ask = format!(
        "{script}\nCOMP_WORDS=({words}); COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 ))\n\
         _harary harary \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"\necho \"${{COMPREPLY[@]}}\"\n"
    );
    let run = Command::new("bash").arg("--norc").write_stdin(ask).output().unwrap();
    String::from_utf8(run.stdout).unwrap().trim().to_owned()
}

#[test]
fn completions_know_shapes_boards_and_tables() {
    assert_eq!(completed("harary solve skin"), "skinny");
    assert_eq!(completed("harary solve skinny 7x"), "7x7");
    assert_eq!(completed("harary table enc"), "encyclopedia");
    assert_eq!(completed("harary tablebase build fat"), "fatty");
    assert_eq!(completed("harary solv"), "solve");
    assert!(completed("harary atlas run --shapes sn").contains("snaky"));
    // What is completed is not all there is.
    assert_eq!(harary(&["solve", "XX", "2x2"]).output().unwrap().status.code(), Some(0));
}

#[test]
fn the_smallest_board_is_found_and_checked() {
    let text = output(&["smallest", "el", "--up-to", "4", "--threads", "1"]);
    assert!(text.contains("The smallest square board Black wins on is 3x3, by turn 5."), "{text}");
    assert!(text.contains("2x2  White holds"), "{text}");
    let report = json(&["smallest", "tic", "--up-to", "4", "--rule", "weak", "--json"]);
    // Without diagonals White holds three in a row on 3x3.
    assert_eq!(report["smallest"], "4x4");
    let boards = report["boards"].as_array().unwrap();
    assert_eq!(boards.iter().map(|row| &row["verdict"]).collect::<Vec<_>>(), ["hold", "win"]);
    assert!(boards.iter().all(|row| row["certificate"]["checked"] == true), "{report}");
    let none = output(&["smallest", "fatty", "--up-to", "3"]);
    assert!(none.contains("White holds on every square board up to 3x3"), "{none}");
    let run = harary(&["smallest", "skinny", "--up-to", "7", "--nodes", "300", "--threads", "1"]).output().unwrap();
    assert_eq!(run.status.code(), Some(3));
    assert!(String::from_utf8(run.stdout).unwrap().contains("not settled"));
}

#[test]
fn engines_are_compared_on_games_they_agree_on() {
    let report = json(&["bench", "el 3x3", "--json"]);
    let engines: Vec<_> = report["measurements"].as_array().unwrap().iter().map(|row| &row["engine"]).collect();
    assert_eq!(engines, ["alphabeta", "dfpn", "baseline", "plain"]);
    for row in report["measurements"].as_array().unwrap() {
        assert_eq!(row["verdict"], "win", "{row}");
    }
}

#[test]
fn proof_numbers_tell_the_winner_and_a_turn_at_the_latest() {
    let report = json(&["solve", "elly", "4x4", "--engine", "dfpn", "--json"]);
    assert_eq!(
        (&report["verdict"], &report["engine"], &report["certificate"]["checked"]),
        (&"win".into(), &"dfpn".into(), &true.into())
    );
    assert!(
        report["win_by"].as_u64().unwrap()
            >= json(&["solve", "elly", "4x4", "--fresh", "--json"])["turn"].as_u64().unwrap()
    );
}

#[test]
fn a_question_about_the_plane_is_not_one_about_the_board() {
    let report = |arguments: &[&str]| json(&[&["pave", "fatty", "8x8", "--json"], arguments].concat());
    let (on_board, unpaved) = (report(&[]), report(&["--periodic", "1x1"]));
    assert_eq!((&on_board["paved"], &on_board["periodic"]), (&true.into(), &Value::Null));
    assert_eq!((&unpaved["paved"], &unpaved["periodic"]), (&false.into(), &"1x1".into()));
    let found = report(&["--periodic", "4"]);
    assert_eq!((&found["paved"], &found["periodic"], &found["period"]), (&true.into(), &"4".into(), &"2x1+1".into()));
    let text = output(&["pave", "el", "2x2", "--turn", "1"]);
    assert!(text.contains("a paving after turn 1 or earlier"), "{text}");
}

#[test]
fn a_shape_has_the_same_cells_in_every_output() {
    let ask = |command: &str| json(&[command, "tippy", "4x4", "--json"]);
    let (paved, solved, known) = (ask("pave"), ask("solve"), ask("lookup"));
    assert!(paved["game"]["cells"].is_string());
    let known = &known["games"][0];
    assert_eq!([&solved["game"]["cells"], &known["game"]["cells"]], [&paved["game"]["cells"]; 2]);
}

/// Answers as QBF solvers give them: `c`, `s` and `V` lines, exit codes 10, 20 and 0.
#[test]
fn answers_of_qbf_solvers() {
    let run = |arguments: &[&str]| {
        let run = harary(arguments).arg("--qbf").output().unwrap();
        (run.status.code().unwrap(), String::from_utf8(run.stdout).unwrap())
    };
    // Vertices and winning sets take the places of variables and clauses; the first move is a vertex, counted from 1.
    let (code, text) = run(&["solve", "el", "3x3", "--fresh"]);
    let expected = "c el (0,0 0,1 1,0) on 3x3 plain, strong rule\nc Black wins by turn 5, with 3 stones of his own.\n\
                    c V: the vertex of the first move, b2\ns cnf 1 9 16\nV 5 0\n";
    assert_eq!((code, text.as_str()), (10, expected));
    assert_eq!(run(&["solve", "el", "3x3"]), (10, expected.to_owned()), "from the atlas");
    let (code, text) = run(&["solve", "fatty", "4x4", "--fresh"]);
    assert!(code == 20 && text.contains("\ns cnf 0 16 9\n") && !text.contains('V'), "{text}");
    let (code, text) = run(&["solve", "el", "3x3", "--within", "4"]);
    assert!(
        code == 20 && text.contains("c No win by turn 4: Black needs 3 stones and has 2 by then.\ns cnf 0"),
        "{text}"
    );
    let (code, text) = run(&["solve", "snaky", "9x9", "--fresh", "--nodes", "1000", "--threads", "1"]);
    assert!(code == 0 && text.contains("\ns cnf -1 81 "), "{text}");
    assert_eq!(run(&["solve", "el", "3x3", "--json"]).0, 2);
}

/// Where too few stones are all there is to it, that is said; elsewhere a search has found it.
#[test]
fn what_is_counted_is_not_called_searched() {
    let text = |arguments: &[&str]| String::from_utf8(harary(arguments).output().unwrap().stdout).unwrap();
    let el = text(&["solve", "el", "3x3", "--fresh"]);
    assert!(el.contains("No win by turn 3: Black needs 3 stones and has 2 by then.\n"), "{el}");
    let certified = text(&["solve", "el", "3x3"]);
    assert!(certified.contains("No win by turn 3 (certified).\n"), "the atlas has a certificate: {certified}");
    let tippy = text(&["solve", "tippy", "4x4", "--within", "5"]);
    assert!(tippy.contains("No win by turn 5: Black needs 4 stones and has 3 by then.\n"), "{tippy}");
    let fatty = text(&["solve", "fatty", "4x4", "--within", "9"]);
    assert!(fatty.contains("No win by turn 9 (searched, not certified)."), "{fatty}");
}

/// The old names of `--after` go on working, and no help mentions them.
#[test]
fn moves_have_one_spelling() {
    let text = |arguments: &[&str]| String::from_utf8(harary(arguments).output().unwrap().stdout).unwrap();
    let after = text(&["show", "el", "3x3", "--after", "b2 a1"]);
    assert!(after.contains("2 . X .\n1 O . .\n"), "{after}");
    assert_eq!(text(&["show", "el", "3x3", "--position", "b2 a1"]), after);
    for command in [vec!["show"], vec!["strategy"], vec!["pave"], vec!["play"], vec!["tablebase", "probe"]] {
        let help = text(&[&command[..], &["--help"]].concat());
        assert!(help.contains("--after <CELLS>"), "{command:?}");
        assert!(!help.contains("--position") && !help.contains("--from"), "{command:?}");
    }
}
