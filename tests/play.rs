//! `harary play` as its users meet it: whole games through a pipe, every command, every mistake.

use assert_cmd::Command;

/// What a game prints when these lines are typed. It must end well, whatever was typed.
fn play(arguments: &[&str], typed: impl Into<Vec<u8>>) -> String {
    let run =
        Command::new(env!("CARGO_BIN_EXE_harary")).arg("play").args(arguments).write_stdin(typed).output().unwrap();
    let errors = String::from_utf8(run.stderr).unwrap();
    assert_eq!((run.status.code(), errors.as_str()), (Some(0), ""), "{arguments:?}");
    let output = String::from_utf8(run.stdout).unwrap();
    assert!(output.ends_with("Goodbye.\n"), "{output}");
    output
}

/// The cells of a board in a random order, the same for the same seed (SplitMix64). Typed one after the other they
/// play a whole game: those that are taken by then are refused.
fn random_order(width: u8, height: u8, mut seed: u64) -> String {
    let mut cells: Vec<String> =
        (0..width).flat_map(|x| (1..=height).map(move |y| format!("{}{y}\n", char::from(b'a' + x)))).collect();
    let mut order = String::new();
    while !cells.is_empty() {
        seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = seed;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        order += &cells.swap_remove((z ^ (z >> 31)) as usize % cells.len());
    }
    order
}

/// The turn at which the program completed the shape.
fn turn_of_loss(output: &str) -> usize {
    let line = output.lines().find(|line| line.ends_with("The program wins.")).unwrap_or_else(|| panic!("{output}"));
    line.split("at turn ").nth(1).unwrap().split('.').next().unwrap().parse().unwrap()
}

#[test]
fn the_program_wins_what_is_won() {
    for seed in 0..10 {
        assert_eq!(turn_of_loss(&play(&["el", "3x3", "--as", "white"], random_order(3, 3, seed))), 5);
        // Black wins tic on 3x3 in the weak game and not in the strong one.
        let weak = play(&["tic", "3x3", "--as", "white", "--rule", "weak"], random_order(3, 3, seed));
        assert!(turn_of_loss(&weak) <= 9);
        let torus = play(&["tippy", "4x4", "--torus", "--as", "white"], random_order(4, 4, seed));
        assert!(turn_of_loss(&torus) <= 7);
    }
}

#[test]
fn the_program_wins_by_search_on_larger_boards() {
    // The time is for a busy machine: these wins are found in a moment.
    for seed in 0..3 {
        let el = play(&["el", "5x5", "--as", "white", "--time-each", "60s"], random_order(5, 5, seed));
        assert_eq!(turn_of_loss(&el), 5);
        let skinny = play(&["skinny", "7x7", "--as", "white", "--time-each", "60s"], random_order(7, 7, seed));
        assert!(skinny.contains("With perfect play Black wins by turn 13."), "{skinny}");
        assert!(turn_of_loss(&skinny) <= 13);
    }
}

#[test]
fn the_program_never_loses_what_is_held() {
    for seed in 0..10 {
        let tic = play(&["tic", "3x3"], random_order(3, 3, seed));
        assert!(!tic.contains("You win.") && tic.contains("The game is over"), "{tic}");
        let fatty = play(&["fatty", "5x5", "--rule", "weak", "--time-each", "60s"], random_order(5, 5, seed));
        assert!(fatty.contains("With perfect play White holds."), "{fatty}");
        assert!(fatty.contains("White holds. The program wins.") && !fatty.contains("You win."), "{fatty}");
    }
}

#[test]
fn a_mistake_of_the_human_is_punished() {
    let mut lost = 0;
    for seed in 0..20 {
        lost += usize::from(play(&["tic", "3x3"], random_order(3, 3, seed)).contains("White has completed"));
    }
    assert!(lost > 0, "twenty random games of tic-tac-toe, none of them lost");
}

#[test]
fn threats_hints_and_the_end_are_shown() {
    let output = play(&["domino", "2x2", "--as", "white"], "?\nb2\n");
    let expected = "domino (0,0 1,0) on 2x2 plain, strong rule\n\
        You are White (O), the program is Black (X).\n\
        Whoever completes the shape first wins.\n\
        Type a cell, ? for a hint, help for the rest.\n\n\
        2 . .\n1 . .\n  a b\n\n\
        Turn 1: Black plays a1.\n\n\
        2  .  .\n1 >X  .\n   a  b\n\
        Black threatens b1 a2: White cannot block them all.\n\
        Turn 2: your move, White. With perfect play Black wins by turn 3.\n\
        2 -3 -3\n1  X -3\n   a  b\n\
        Losing by turn 3: b1 a2 b2\n\n\
        Turn 2: White plays b2.\n\n\
        2  . >O\n1  X  .\n   a  b\n\n\
        Turn 3: Black plays b1.\n\n\
        2  .  O\n1 *X *X\n   a  b\n\
        Black has completed a1 b1 at turn 3. The program wins.\n\
        The game is over; undo, save FILE, load FILE or quit.\n\
        Goodbye.\n";
    assert_eq!(output, expected);
    let output = play(&["tic", "3x3"], "b2\n");
    assert!(!output.contains("must block"), "{output}");
    let forced = "harary game 1; shape 0,0 1,0 2,0; board 3x3 plain; strong rule; you are White\nb2 a1 c2";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("forced.txt");
    std::fs::write(&path, forced).unwrap();
    let output = play(&["--load", &path.display().to_string()], "?\n");
    assert!(
        output.contains("White must block at a2.\n") && output.contains("Holding: a2\nLosing by turn 5: "),
        "{output}"
    );
}

/// What the atlas knows of the start is said, played, and kept by the program.
#[test]
fn the_program_knows_what_the_atlas_knows() {
    let held = play(&["skinny", "5x5", "--time-each", "10ms"], "");
    assert!(held.contains("The atlas knows skinny: White holds: Black cannot force a win.\n"), "{held}");
    assert!(held.contains("Turn 1: your move, Black. With perfect play the game is a draw."), "{held}");
    let weak = play(&["skinny", "5x5", "--rule", "weak", "--time-each", "10ms"], "");
    assert!(weak.contains("Turn 1: your move, Black. With perfect play White holds."), "{weak}");
    let won = play(&["skinny", "7x7", "--as", "white", "--time-each", "10ms"], "");
    assert!(won.contains("Turn 1: Black plays") && won.contains("With perfect play Black wins by turn 13."), "{won}");
    // What follows from the atlas is as good.
    let law = play(&["snaky", "4x5", "--time-each", "10ms"], "");
    assert!(law.contains("This follows from the atlas: White holds"), "{law}");
    assert!(law.contains("Turn 1: your move, Black. With perfect play the game is a draw."), "{law}");
    // Of other games of the same shape it knows nothing.
    let handicap = play(&["skinny", "7x7", "--handicap", "1", "--time-each", "10ms"], "");
    assert!(!handicap.contains("The atlas knows"), "{handicap}");
}

/// Several stones a turn: each is asked for, and the program puts all of its own.
#[test]
fn handicaps_and_stones_are_played() {
    let typed = "b2\na1\nc3\n";
    let el = play(&["el", "3x3", "--handicap", "1"], typed);
    assert!(el.starts_with("el (0,0 0,1 1,0) on 3x3 plain, strong rule, turns BBWBWBWBW\n"), "{el}");
    assert!(el.contains("Turn 2: your move, Black.") && el.contains("Turn 3: White plays"), "{el}");
    let pairs = play(&["tic", "3x3", "--stones", "2,1", "--as", "white", "--time-each", "60s"], random_order(3, 3, 1));
    assert!(pairs.contains("Turn 1: Black plays") && pairs.contains("Turn 4: Black plays"), "{pairs}");
    assert!(pairs.contains("Turn 5: Black plays"), "both of his stones: {pairs}");
    assert!(pairs.contains("The game is over"), "{pairs}");
}

/// A game of sets, with stones on the board and a last turn.
#[test]
fn games_of_sets_are_played_saved_and_loaded() {
    let pg = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pg/hex-3x3.pg");
    let hex = play(&["--pg", pg, "--as", "black", "--time-each", "60s"], "d4\nb2\na2\nc2\nc3\nb1\n");
    assert!(hex.contains("You win by completing a winning set, White by preventing it."), "{hex}");
    // Drawn as Hex is played, the stones of the start in their places.
    assert!(hex.contains("    3 .   O   .\n  2 .   .   .\n1 X   .   O\n"), "{hex}");
    assert!(hex.contains("there is no vertex 'd4'; they are a1 to c3 (help lists what else you can type)"), "{hex}");
    assert!(hex.contains("White holds. The program wins.") && !hex.contains("You win."), "{hex}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("hex.txt").display().to_string();
    play(&["--pg", pg, "--after", "b2"], format!("save {path}\n"));
    let saved = std::fs::read_to_string(&path).unwrap();
    assert!(saved.starts_with("harary game 2; hex-3x3; you are Black\nb2 "), "{saved}");
    let again = play(&["--load", &path], "undo\n");
    assert!(again.contains("hex-3x3, 9 vertices, weak rule"), "{again}");
    assert!(again.contains("Turn 1: your move, Black."), "{again}");
    // Moves come from standard input, so a game cannot.
    let run = Command::new(env!("CARGO_BIN_EXE_harary")).args(["play", "--pg", "-"]).output().unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&run.stderr).contains("moves are read from standard input"));
}

#[test]
fn a_game_begins_where_it_is_told() {
    let output = play(&["tic", "3x3", "--after", "b2 a1"], "");
    assert!(output.contains("Turn 3: your move, Black."), "{output}");
    let run = Command::new(env!("CARGO_BIN_EXE_harary")).args(["play", "tic", "3x3", "--after", "b2 b2"]).output();
    assert_eq!(run.unwrap().status.code(), Some(2));
}

#[test]
fn a_guess_is_called_one() {
    let output = play(&["snaky", "9x9", "--as", "white", "--time-each", "100ms"], "?\n");
    assert!(output.contains("Turn 1: Black plays e5. This is a guess: who wins is not known"), "{output}");
    assert!(output.contains("Not settled within 100ms: "), "{output}");
}

#[test]
fn games_are_saved_taken_back_and_loaded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my game.txt").display().to_string();
    let output = play(&["tic", "3x3"], format!("b2\nsave {path}\nundo\nundo\nload {path}\nboard\n"));
    assert!(output.contains(&format!("Saved to {path}.\n")), "{output}");
    assert!(output.contains("there is no move of yours to take back\n"), "{output}");
    let saved = std::fs::read_to_string(&path).unwrap();
    let (header, moves) = saved.split_once('\n').unwrap();
    assert_eq!(header, "harary game 1; shape 0,0 1,0 2,0; board 3x3 plain; strong rule; you are Black");
    assert!(moves.starts_with("b2 ") && moves.trim().len() == 5, "{moves}");
    // The saved game is drawn when it is loaded and once more on request.
    let loaded = output.split("Saved to").nth(1).unwrap();
    assert_eq!(loaded.matches(">O").count(), 2, "{loaded}");
    assert!(loaded.contains("Turn 3: your move, Black."), "{loaded}");
    let again = play(&["--load", &path], "");
    assert!(again.contains("Turn 3: your move, Black."), "{again}");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1);
}

#[test]
fn mistakes_are_one_line_and_the_game_goes_on() {
    for (typed, expected) in [
        ("d4", "there is no cell 'd4' on 3x3 plain; its cells are a1 to c3 (help lists what else you can type)"),
        ("fold", "there is no cell 'fold' on 3x3 plain; its cells are a1 to c3 (help lists what else you can type)"),
        ("a1 b2", "one move at a time; 'a1 b2' is none (help lists what you can type)"),
        ("save", "save which file? For example: save game.txt"),
        ("undo all", "'undo' stands alone; what is 'all'?"),
        ("undo", "there is no move of yours to take back"),
        ("load /nowhere", "cannot read /nowhere: No such file or directory (os error 2)"),
        ("load Cargo.toml", "Cargo.toml is not a saved game: line 1 should be"),
        ("save /nowhere/game.txt", "cannot write /nowhere/game.txt: "),
        ("\u{1b}[2J", "there is no cell ' [2J' on 3x3 plain"),
    ] {
        let quiet = play(&["el", "3x3"], "");
        let output = play(&["el", "3x3"], format!("{typed}\n"));
        let said = output.strip_prefix(quiet.strip_suffix("Goodbye.\n").unwrap()).unwrap();
        let said = said.strip_suffix("Goodbye.\n").unwrap();
        assert!(said.starts_with(expected) && said.lines().count() == 1, "{typed:?}: {said}");
    }
    // Bytes that are no text, lines without end, blank lines, carriage returns.
    play(&["el", "3x3"], vec![0xff, 0xfe, b'\n', 0, b'\n']);
    play(&["el", "3x3"], "x".repeat(100_000));
    assert!(play(&["el", "3x3"], "\n\n  \n B2 \r\n").contains("Turn 1: Black plays b2."));
}

#[test]
fn wrong_usage_is_refused() {
    for (arguments, expected) in [
        (vec!["el"], "the following required arguments were not provided"),
        (vec!["skiny", "7x7"], "no shape 'skiny'; did you mean skinny?"),
        (vec!["el", "0x3"], "a board is 1x1 to 19x19, not 0x3"),
        (vec!["el", "3x3", "--as", "red"], "invalid value 'red' for '--as <SIDE>'"),
        (vec!["el", "3x3", "--load", "x"], "the argument '[SHAPE]' cannot be used with '--load <FILE>'"),
    ] {
        let run = Command::new(env!("CARGO_BIN_EXE_harary")).arg("play").args(&arguments).output().unwrap();
        let errors = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(errors.starts_with(&format!("harary: {expected}")), "{arguments:?}: {errors}");
    }
}

#[test]
fn shapes_that_do_not_fit_and_shapes_of_one_cell_make_a_game_too() {
    assert!(play(&["snaky", "2x2"], random_order(2, 2, 1)).contains("nobody has completed the shape: a draw."));
    assert!(play(&["elam", "5x5", "--as", "white"], "").contains("at turn 1. The program wins."));
    let tall = play(&["skinny", "2x19", "--as", "white", "--time-each", "10ms"], "");
    assert!(tall.contains("Turn 1: Black plays"), "{tall}");
}
