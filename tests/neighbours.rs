//! The other games at their full size: Connect Four as others have solved it, and formulas against the search.

use assert_cmd::Command;
use harary::Limits;
use harary::neighbours::connect::board::turn_of_win;
use harary::neighbours::connect::solver::{Found, Solver};
use harary::neighbours::connect::{Connect, Grid};
use harary::neighbours::crosscheck::{Finding, Subject, clause_games, matrices, run};
use harary::neighbours::nim::{Nim, Rule};
use harary::qbf::solver::{RunLimits, Solver as QbfSolver};
use std::time::Duration;

fn connect_four(width: usize, height: usize, memory: usize) -> (Grid, Found) {
    let (grid, limits) = (Grid::new(width, height, 4).unwrap(), Limits::none());
    let found = Solver::new(grid, memory, &limits).solve(&Connect::new(grid), &mut |_, _| {}).unwrap();
    (grid, found)
}

/// Every board up to 6x5, as Tromp published their values, and three more. Narrower or lower than 4 nobody has won in the
/// published tables; what is too small for any line is a draw at sight.
#[test]
fn connect_four_has_the_published_values() {
    for (width, height) in (1..=6).flat_map(|width| (1..=5).map(move |height| (width, height))) {
        let expected = if (width, height) == (6, 4) { -1 } else { 0 };
        let (_, found) = connect_four(width, height, 64 << 20);
        assert_eq!(found.value.signum(), expected, "{width}x{height}");
    }
    for (width, height) in [(7, 4), (4, 6), (5, 6)] {
        assert_eq!(connect_four(width, height, 64 << 20).1.value, 0, "{width}x{height}");
    }
}

/// The standard board: Allis and Allen, 1988. The first player wins with the last of his stones, from the middle.
#[test]
#[ignore = "takes minutes"]
fn the_first_player_wins_connect_four_on_7x6_by_turn_41() {
    let (grid, found) = connect_four(7, 6, 1 << 30);
    assert_eq!((turn_of_win(grid, found.value), found.value > 0, found.best), (Some(41), true, Some(3)));
}

fn solver(name: &str) -> QbfSolver {
    QbfSolver::named(name).unwrap_or_else(|error| panic!("{error}; run tests/install-solvers.sh"))
}

/// Every formula of these games, with and without cuts, is what the search says.
#[track_caller]
fn agree(subjects: &[Subject], solvers: &[&str]) {
    let solvers: Vec<QbfSolver> = solvers.iter().map(|name| solver(name)).collect();
    let (limits, native) = (RunLimits::new(Duration::from_secs(600)), Limits::none());
    let keep = std::env::temp_dir().join("harary-disagreements");
    let rows = run(subjects, &solvers, &limits, &native, &keep, &mut |_| {}).unwrap().unwrap();
    assert_eq!(rows.len(), 2 * subjects.len() * solvers.len());
    for row in rows {
        assert_eq!(row.finding, Finding::Agreement, "{row:#?}");
    }
}

#[test]
fn two_hundred_random_matrices_are_decided_alike() {
    let subjects = matrices(200, 4, 20);
    let wins = subjects.iter().filter(|subject| subject.wins(&Limits::none()).unwrap()).count();
    assert!((50..150).contains(&wins), "{wins}");
    agree(&subjects, &["depqbf"]);
}

#[test]
fn nim_connect_and_clauses_are_decided_alike_by_several_solvers() {
    let mut subjects: Vec<Subject> = (1..=6).map(|matches| Subject::Nim(Nim::new(Rule::Fibonacci, matches))).collect();
    subjects.extend((1..=5).map(|matches| Subject::Nim(Nim::new(Rule::UpTo(3), matches))));
    for (width, height, connect) in [(2, 2, 2), (3, 3, 3), (4, 3, 3)] {
        subjects.push(Subject::Connect(Grid::new(width, height, connect).unwrap()));
    }
    subjects.extend(clause_games(6, (2, 2), 20));
    agree(&subjects, &["depqbf", "caqe"]);
}

fn harary(arguments: &[&str], input: &str) -> (i32, String, String) {
    let output = Command::cargo_bin("harary").unwrap().args(arguments).write_stdin(input).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn games_are_solved_from_the_command_line() {
    for (line, code, part) in [
        ("nim 12", 0, "the first player wins.\nBest for the first player: 1\n"),
        ("nim 13", 0, "the second player wins."),
        ("nim 1000000", 0, "Best for the first player: 55\n"),
        ("nim 21 --take 3 --arithmetic", 0, "Best for the first player: 1\n"),
        ("matrix 12 --density 1", 0, "the first player wins."),
        ("matrix 12 --density 0", 0, "the second player wins."),
        ("connect 4x4 --connect 3", 0, "the first player wins by turn 9."),
        ("connect 6x4", 0, "the second player wins by turn 24."),
        ("connect 7x6 --time 0s --memory 1MiB", 3, "not settled"),
        ("weights 3", 0, "everything can be weighed.\n  1 3 9\n"),
        ("weights 3 --flour 14", 0, "something cannot be weighed."),
        ("qcsp --scenarios", 0, "Of 81 scenarios the constraint holds in 19; 12 belong to a winning strategy."),
        ("maxsat 3x3 --clauses 20 --formulas 10", 0, "10 formulas on 3x3"),
    ] {
        let arguments: Vec<&str> = ["neighbours"].into_iter().chain(line.split(' ')).collect();
        let (found, text, error) = harary(&arguments, "");
        assert_eq!(found, code, "{line}: {text}{error}");
        assert!(text.contains(part), "{line}: {text}");
    }
}

#[test]
fn mistakes_are_one_line() {
    for (line, part) in [
        ("nim x", "invalid value 'x'"),
        ("nim 100 --encode -", "at most 40 matches"),
        ("nim 5 --encode /nowhere/x", "no folder /nowhere"),
        ("matrix 13", "depth 13 is too deep"),
        ("matrix --file /dev/zero", "/dev/zero is too long for a matrix"),
        ("connect 8x7", "too large"),
        ("connect sevenxsix", "is no board"),
        ("connect 7x6 --position h", "move 1, 'h': no column of this board"),
        ("connect 7x6 --connect 1", "a line has 2 to 10 stones"),
        ("connect --ig /dev/null", "is no model of Connect Four: #boardsize: there is no such section"),
        ("clauses 9x9", "a board of 9x9"),
        ("clauses 2x2 --size 5", "a clause of 5 different cells"),
        ("clauses 3x3 --negation 2", "is no probability"),
        ("maxsat 6x5", "at most 25 cells"),
        ("weights 9", "there are 1 to 6 weights"),
        ("qcsp x", "expected exists, forall"),
        ("crosscheck --boards 4", "is no board"),
    ] {
        let arguments: Vec<&str> = ["neighbours"].into_iter().chain(line.split(' ')).collect();
        let (code, _, error) = harary(&arguments, "");
        assert_eq!(code, 2, "{line}: {error}");
        assert!(error.contains(part) && error.lines().count() == 1, "{line}: {error}");
    }
}

#[test]
fn every_game_can_be_played_in_the_terminal() {
    for (line, typed, parts) in [
        ("nim 12 --play", "?\n1\n", &["The program plays", "Goodbye."][..]),
        ("nim 4 --play", "1\n9\nundo\nundo\n1\n", &["is no number of matches", "There is nothing to take back."]),
        ("nim 13 --play --second", "1\n", &["You are the second player"]),
        ("matrix 1 --density 1 --play", "upper\n", &["The game is over: the first player wins."]),
        ("connect 3x3 --connect 3 --play", "b\nboard\nhelp\nx\nquit\n", &["'x' is no move now", "Goodbye."]),
        ("connect 7x6 --play --time-each 0s --second", "d\n", &["(a guess)"]),
        ("clauses 3x2 --play", "a1\n?\n", &["clauses"]),
        ("weights 2 --play --second", "4\n", &["The game is over: everything can be weighed."]),
        ("qcsp --play", "0\n0\n0\n", &["The game is over: it holds."]),
    ] {
        let arguments: Vec<&str> = ["neighbours"].into_iter().chain(line.split(' ')).collect();
        let (code, text, error) = harary(&arguments, typed);
        assert_eq!(code, 0, "{line}: {error}");
        for part in parts {
            assert!(text.contains(part), "{line}: no '{part}' in {text}");
        }
    }
}

/// A game against itself in two windows ends as it should: whoever is to win wins.
#[test]
fn the_player_does_not_give_away_a_win() {
    let mut typed = String::new();
    // Columns in turn, as a careless player drops them; full ones are refused and cost nothing.
    for _ in 0..8 {
        typed += "a\nb\nc\nd\n";
    }
    let (_, text, _) = harary(&["neighbours", "connect", "4x4", "--connect", "3", "--play", "--second"], &typed);
    assert!(text.contains("The game is over: the first player wins"), "{text}");
}

#[test]
fn a_formula_says_what_it_means() {
    let (code, text, _) = harary(&["neighbours", "connect", "4x4", "--encode", "-", "--turns", "7", "--cuts"], "");
    assert_eq!(code, 0);
    assert!(text.starts_with("c harary neighbours formula\nc game connect 4 on 4x4\nc cuts with\n"), "{text}");
    assert!(text.contains("c true-means the first player wins by turn 7\n") && text.contains("\np cnf "), "{text}");
}
