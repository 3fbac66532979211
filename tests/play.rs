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
    assert!(
        play(&["elam", "5x5", "--as", "white"], "").contains("Black has completed c3 at turn 1. The program wins.")
    );
    let tall = play(&["skinny", "2x19", "--as", "white", "--time-each", "10ms"], "");
    assert!(tall.contains("Turn 1: Black plays"), "{tall}");
}
