//! Good certificates of tiny games, of every kind the format knows.

use super::Game;
use super::producer::Task;

const EL: &[(usize, usize)] = &[(0, 0), (1, 0), (0, 1)];
const TIC: &[(usize, usize)] = &[(0, 0), (1, 0), (2, 0)];
const FATTY: &[(usize, usize)] = &[(0, 0), (1, 0), (0, 1), (1, 1)];
const TIPPY: &[(usize, usize)] = &[(0, 0), (1, 0), (1, 1), (2, 1)];
const DOMINO: &[(usize, usize)] = &[(0, 0), (1, 0)];
const GAP: &[(usize, usize)] = &[(0, 0), (2, 0), (3, 1)];

/// Tic-tac-toe with its diagonals as a game of sets.
fn noughts(strong: bool) -> Game {
    let lines = vec![0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    let turns = "BWBWBWBWB".chars().collect();
    Game { cells: 9, white: lines.clone(), black: lines, strong, turns, ..Game::default() }
}

/// Good certificates of every kind, with a name each.
pub fn good() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut add = |name: &str, text: Option<String>| found.push((name.to_owned(), text));
    for symmetric in [false, true] {
        let s = if symmetric { "symmetric" } else { "plain" };
        let el = Task::board(3, 3, false, EL, true, None);
        add(&format!("el 3x3 strong win {s}"), el.win(5, symmetric, None));
        add(&format!("el 3x3 hold 4 {s}"), el.hold(Some(4), symmetric, false));
        add(&format!("el 3x3 cover {s}"), Task::board(4, 4, false, EL, true, None).win(5, symmetric, Some(0x777)));
        add(&format!("el 4x3 cover {s}"), Task::board(4, 3, false, EL, true, None).win(7, symmetric, Some(0x777)));
        add(&format!("tippy 3x3 torus {s}"), Task::board(3, 3, true, TIPPY, true, None).win(7, symmetric, None));
        add(&format!("el 3x3 weak {s}"), Task::board(3, 3, false, EL, false, None).win(5, symmetric, None));
        add(&format!("el 3x3 attack {s}"), Task::board(3, 3, false, EL, false, None).attack(3, symmetric));
        add(&format!("tic 4x4 attack {s}"), Task::board(4, 4, false, TIC, false, None).attack(3, symmetric));
        add(&format!("el 3x3 torus attack {s}"), Task::board(3, 3, true, EL, false, None).attack(3, symmetric));
        let fatty = Task::board(3, 3, false, FATTY, true, None);
        add(&format!("fatty 3x3 block {s}"), fatty.block(symmetric, true));
        add(&format!("fatty 3x3 block without pavings {s}"), fatty.block(symmetric, false));
        add(&format!("fatty 3x3 hold {s}"), fatty.hold(None, symmetric, false));
        add(&format!("fatty 3x3 hold with nodes {s}"), fatty.hold(None, symmetric, true));
        add(
            &format!("fatty 3x4 hold 7 {s}"),
            Task::board(3, 4, false, FATTY, true, None).hold(Some(7), symmetric, false),
        );
        add(&format!("fatty 4x4 block {s}"), Task::board(4, 4, false, FATTY, false, None).block(symmetric, true));
        add(&format!("tic 3x3 block {s}"), Task::board(3, 3, false, TIC, false, None).block(symmetric, false));
        add(&format!("tic 3x3 hold {s}"), Task::board(3, 3, false, TIC, true, None).hold(None, symmetric, true));
        let two = Task::board(3, 3, false, TIPPY, true, Some("BBWWBBWWB"));
        add(&format!("tippy two stones {s}"), two.win(5, symmetric, None).or_else(|| two.hold(None, symmetric, false)));
        let handicap = Task::board(3, 3, false, TIC, true, Some("BBWBWBWBW"));
        add(&format!("tic handicap {s}"), handicap.win(6, symmetric, None));
        let second = Task::board(3, 3, false, EL, true, Some("WBWBWBWBW"));
        add(&format!("el second {s}"), second.hold(None, symmetric, false));
        add(&format!("gap 4x3 {s}"), Task::board(4, 3, true, GAP, true, None).win(7, symmetric, None));
        let short = Task::board(3, 3, false, DOMINO, true, Some("BWB"));
        add(&format!("domino with few turns {s}"), short.win(3, symmetric, None));
        add(&format!("tic too large {s}"), Task::board(2, 2, false, TIC, true, None).block(symmetric, true));
    }
    let noughts_strong = Task::sets(noughts(true));
    add("noughts and crosses hold", noughts_strong.hold(None, false, false));
    add("noughts and crosses hold 5", noughts_strong.hold(Some(5), false, true));
    add("noughts weak win", Task::sets(Game { white: vec![], ..noughts(false) }).win(9, false, None));
    add("noughts weak attack", Task::sets(noughts(false)).attack(4, false));
    let from = |black, white, turns: &str, first, strong| {
        let turns = turns.chars().collect();
        Task::sets(Game { start: (black, white), first, turns, ..noughts(strong) })
    };
    add("a corner to begin with", from(0o1, 0o2, "BWBWBWB", None, true).win(5, false, None));
    add("only the sides at first", from(0, 0, "BWBWBWBWB", Some(0o252), true).hold(None, false, false));
    add("only corners at first, weak", from(0, 0, "BWBWBWBWB", Some(0o505), false).attack(4, false));
    add("a stone there, attack", from(0, 0o2, "BWBWBWBW", Some(0o777), false).attack(4, false));
    add("White first, on a side", from(0, 0, "WBWBWBWBW", Some(0o252), true).hold(None, false, false));
    add("White stones there", from(0, 0o20, "BWBWBWBW", None, true).hold(None, false, false));
    let pairs = Game { cells: 6, black: vec![0b110, 0b11001], start: (0b100000, 0), ..Game::default() };
    let turns = "BWBWB".chars().collect();
    add("paired, with a stone there", Task::sets(Game { turns, ..pairs }).block(false, true));
    let untrue: Vec<&String> = found.iter().filter(|(_, text)| text.is_none()).map(|(name, _)| name).collect();
    assert!(untrue.is_empty(), "these claims are false: {untrue:?}");
    found.into_iter().filter_map(|(name, text)| Some((name, text?))).collect()
}
