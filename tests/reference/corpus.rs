//! Good certificates of tiny games, of every kind the format knows.

use super::game::Game;
use super::producer::{Leaves, Task, Turn};

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

/// Good certificates of every kind of both formats, with a name each.
pub fn good() -> Vec<(String, String)> {
    [format_one(), format_two()].concat()
}

/// Good certificates of every kind of format 1.
pub fn format_one() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut add = |name: &str, text: Option<String>| found.push((name.to_owned(), text));
    for symmetric in [false, true] {
        let s = if symmetric { "symmetric" } else { "plain" };
        let el = Task::board(3, 3, false, EL, true, None);
        add(&format!("el 3x3 strong win {s}"), el.win(5, symmetric, None));
        add(&format!("el 3x3 hold 4 {s}"), el.hold(Some(4), symmetric, Leaves::None));
        add(&format!("el 3x3 cover {s}"), Task::board(4, 4, false, EL, true, None).win(5, symmetric, Some(0x777)));
        add(&format!("el 4x3 cover {s}"), Task::board(4, 3, false, EL, true, None).win(7, symmetric, Some(0x777)));
        add(&format!("tippy 3x3 torus {s}"), Task::board(3, 3, true, TIPPY, true, None).win(7, symmetric, None));
        add(&format!("el 3x3 weak {s}"), Task::board(3, 3, false, EL, false, None).win(5, symmetric, None));
        add(&format!("el 3x3 attack {s}"), Task::board(3, 3, false, EL, false, None).attack(3, symmetric, false));
        add(&format!("tic 4x4 attack {s}"), Task::board(4, 4, false, TIC, false, None).attack(3, symmetric, false));
        add(&format!("el 3x3 torus attack {s}"), Task::board(3, 3, true, EL, false, None).attack(3, symmetric, false));
        let fatty = Task::board(3, 3, false, FATTY, true, None);
        add(&format!("fatty 3x3 block {s}"), fatty.block(symmetric, true));
        add(&format!("fatty 3x3 block without pavings {s}"), fatty.block(symmetric, false));
        add(&format!("fatty 3x3 hold {s}"), fatty.hold(None, symmetric, Leaves::None));
        add(&format!("fatty 3x3 hold with nodes {s}"), fatty.hold(None, symmetric, Leaves::Pavings));
        add(
            &format!("fatty 3x4 hold 7 {s}"),
            Task::board(3, 4, false, FATTY, true, None).hold(Some(7), symmetric, Leaves::None),
        );
        add(&format!("fatty 4x4 block {s}"), Task::board(4, 4, false, FATTY, false, None).block(symmetric, true));
        add(&format!("tic 3x3 block {s}"), Task::board(3, 3, false, TIC, false, None).block(symmetric, false));
        add(
            &format!("tic 3x3 hold {s}"),
            Task::board(3, 3, false, TIC, true, None).hold(None, symmetric, Leaves::Pavings),
        );
        let two = Task::board(3, 3, false, TIPPY, true, Some("BBWWBBWWB"));
        add(
            &format!("tippy two stones {s}"),
            two.win(5, symmetric, None).or_else(|| two.hold(None, symmetric, Leaves::None)),
        );
        let handicap = Task::board(3, 3, false, TIC, true, Some("BBWBWBWBW"));
        add(&format!("tic handicap {s}"), handicap.win(6, symmetric, None));
        let second = Task::board(3, 3, false, EL, true, Some("WBWBWBWBW"));
        add(&format!("el second {s}"), second.hold(None, symmetric, Leaves::None));
        add(&format!("gap 4x3 {s}"), Task::board(4, 3, true, GAP, true, None).win(7, symmetric, None));
        let short = Task::board(3, 3, false, DOMINO, true, Some("BWB"));
        add(&format!("domino with few turns {s}"), short.win(3, symmetric, None));
        add(&format!("tic too large {s}"), Task::board(2, 2, false, TIC, true, None).block(symmetric, true));
    }
    let noughts_strong = Task::sets(noughts(true));
    add("noughts and crosses hold", noughts_strong.hold(None, false, Leaves::None));
    add("noughts and crosses hold 5", noughts_strong.hold(Some(5), false, Leaves::Pavings));
    add("noughts weak win", Task::sets(Game { white: vec![], ..noughts(false) }).win(9, false, None));
    add("noughts weak attack", Task::sets(noughts(false)).attack(4, false, false));
    let from = |black, white, turns: &str, first, strong| {
        let turns = turns.chars().collect();
        Task::sets(Game { start: (black, white), first, turns, ..noughts(strong) })
    };
    add("a corner to begin with", from(0o1, 0o2, "BWBWBWB", None, true).win(5, false, None));
    add("only the sides at first", from(0, 0, "BWBWBWBWB", Some(0o252), true).hold(None, false, Leaves::None));
    add("only corners at first, weak", from(0, 0, "BWBWBWBWB", Some(0o505), false).attack(4, false, false));
    add("a stone there, attack", from(0, 0o2, "BWBWBWBW", Some(0o777), false).attack(4, false, false));
    add("White first, on a side", from(0, 0, "WBWBWBWBW", Some(0o252), true).hold(None, false, Leaves::None));
    add("White stones there", from(0, 0o20, "BWBWBWBW", None, true).hold(None, false, Leaves::None));
    let pairs = Game { cells: 6, black: vec![0b110, 0b11001], start: (0b100000, 0), ..Game::default() };
    let turns = "BWBWB".chars().collect();
    add("paired, with a stone there", Task::sets(Game { turns, ..pairs }).block(false, true));
    proved(found)
}

/// Good certificates of every kind of format 2.
pub fn format_two() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut add = |name: &str, text: Option<String>| found.push((name.to_owned(), text));
    for symmetric in [false, true] {
        let s = if symmetric { "symmetric" } else { "plain" };
        losses(symmetric, &mut |name, text| add(&format!("{name} {s}"), text));
        strong_holds(symmetric, &mut |name, text| add(&format!("{name} {s}"), text));
        attacks(symmetric, &mut |name, text| add(&format!("{name} {s}"), text));
    }
    cards(&mut add);
    proved(found)
}

type Add<'a> = &'a mut dyn FnMut(&str, Option<String>);

/// A rotation and a reflection of 3x3.
const TURN_THREE: &[usize] = &[2, 5, 8, 1, 4, 7, 0, 3, 6];
const FLIP_THREE: &[usize] = &[2, 1, 0, 5, 4, 3, 8, 7, 6];

fn losses(symmetric: bool, add: Add) {
    let corner = |turns| Task::board(2, 2, false, DOMINO, true, Some(turns));
    add("domino 2x2 loss", corner("BWWB").loss(3, symmetric));
    add("domino 2x2 loss, generated", corner("BWW").generated(&[&[1, 0, 3, 2], &[0, 2, 1, 3]]).loss(3, symmetric));
    add("el 3x3 loss", Task::board(3, 3, false, EL, true, Some("BWWBWWBWW")).loss(6, symmetric));
    add("tic 3x3 torus loss", Task::board(3, 3, true, TIC, true, Some("WBWWBWBWB")).loss(8, symmetric));
    // White has three sets through 0, Black one set of three that is too slow.
    let (black, white, turns) = (vec![0b1110_0000], vec![0b11, 0b101, 0b1001], "BWBWBWB".chars().collect());
    let (start, first) = ((1 << 4, 0), Some(0b1111_0000));
    let uneven = Game { cells: 8, black, white, start, first, strong: true, turns, ..Game::default() };
    let three: &[usize] = &[0, 2, 3, 1, 4, 5, 6, 7];
    add("loss of a game of sets", Task::sets(uneven).generated(&[three]).loss(4, symmetric));
}

fn strong_holds(symmetric: bool, add: Add) {
    let noughts_and = |start, first, turns: &str| {
        let turns = turns.chars().collect();
        Task::sets(Game { start, first, turns, ..noughts(true) })
    };
    let task = noughts_and((0, 0), None, "BWBWBWBWB").generated(&[TURN_THREE, FLIP_THREE]);
    add("noughts strong block", task.strong_block(symmetric, true));
    add("noughts strong block without pavings", task.strong_block(symmetric, false));
    add("noughts behind b lines", task.hold(None, symmetric, Leaves::Strong));
    add("noughts generated hold", task.hold(None, symmetric, Leaves::None));
    add("noughts hold 7 by pairs", task.hold(Some(7), symmetric, Leaves::Bounded));
    let stone = noughts_and((0, 0o20), None, "BWBWBWBW").generated(&[TURN_THREE]);
    add("noughts with a stone, behind b lines", stone.hold(None, symmetric, Leaves::Strong));
    let sides = noughts_and((0, 0), Some(0o52), "BWBWBWBWB").generated(&[FLIP_THREE, FLIP_THREE]);
    add("noughts, some sides first, by pairs", sides.hold(Some(5), symmetric, Leaves::Bounded));
    add("noughts, some sides first, behind b lines", sides.hold(Some(8), symmetric, Leaves::Strong));
    let tic = Task::board(3, 3, false, TIC, true, None);
    add("tic 3x3 hold 5 by pairs", tic.hold(Some(5), symmetric, Leaves::Bounded));
    add("tic 3x3 strong block", tic.strong_block(symmetric, false));
    let weak = Task::board(3, 3, false, FATTY, false, None);
    add("fatty 3x3 weak hold 20 by pairs", weak.hold(Some(20), symmetric, Leaves::Bounded));
    let generated = Task::board(3, 3, false, FATTY, true, None).generated(&[TURN_THREE]);
    add("fatty 3x3 generated block", generated.block(symmetric, false));
    // White wins at 1, unless Black plays there.
    let (black, white, turns) = (vec![0b11, 0b1100], vec![0b10], "BWBW".chars().collect());
    let one = Game { cells: 5, black, white, start: (1 << 4, 0), strong: true, turns, ..Game::default() };
    add("a set of one cell", Task::sets(one).generated(&[&[0, 1, 3, 2, 4]]).strong_block(symmetric, false));
}

fn attacks(symmetric: bool, add: Add) {
    let el = Task::board(3, 3, false, EL, false, None);
    add("el 3x3 relaxed attack", el.attack(4, symmetric, true));
    add("el 3x3 generated attack", el.clone().generated(&[TURN_THREE, FLIP_THREE]).attack(3, symmetric, false));
    add("el 3x3 generated win", el.clone().generated(&[FLIP_THREE]).win(5, symmetric, None));
    add("el 3x3 cards below", el.cards_below(3, symmetric));
    let (black, turns) = (vec![0b11, 0b101, 0b1001], "BWBWB".chars().collect());
    let star = Task::sets(Game { cells: 5, black, turns, ..Game::default() }).generated(&[&[0, 2, 3, 1, 4]]);
    add("star relaxed attack", star.attack(3, symmetric, true));
    add("star generated win", star.win(3, symmetric, None));
}

fn cards(add: Add) {
    let weak = |width, height, torus, shape| Task::board(width, height, torus, shape, false, None);
    add("domino card", weak(3, 3, false, DOMINO).card(3, 1, 2, Turn(0, (0, 1))));
    add("domino card upright on a torus", weak(2, 3, true, DOMINO).card(3, 1, 2, Turn(4, (0, -1))));
    add("el card", weak(3, 3, false, EL).card(3, 3, 3, Turn(0, (0, 0))));
    add("el card, turned", weak(3, 4, false, EL).card(4, 3, 3, Turn(7, (2, 3))));
    add("el card around a torus", weak(4, 3, true, EL).card(3, 3, 3, Turn(6, (-1, 7))));
    add("tic card", weak(4, 4, false, TIC).card(4, 4, 3, Turn(3, (3, 3))));
    add("crossing cards", Some(CROSSING.to_owned()));
    let turns = Some("BWBWBWB");
    add("el card with few turns", Task::board(3, 3, false, EL, false, turns).card(3, 3, 3, Turn(1, (2, 0))));
}

/// Cards that find Black's own stones in the `Z` of their children: card 4 answers with two cards of three in a row that
/// have cell 4 in common, which is Black's. Card 5 takes cell 4, which is in the `Z` of its child 3.
const CROSSING: &str = "\
harary-certificate 2
game 3x3 plain 0,0 1,0
rule weak
claim win 7
symmetry none
c 1 2x1 1 2 done 1
c 2 3x1 0 7 move 1 1@0,1,0 1@1,1,0
c 3 3x3 0 ba move 4 2@0,0,1 2@4,1,0
c 4 3x3 10 aa move 1 2@0,0,1 2@4,1,0
c 5 3x3 0 ba move 4 3@0,0,0 4@0,0,0 1@0,1,1 1@1,1,1
u 6 5 0 0,0
root 6
";

/// The certificates, all of which must be there.
fn proved(found: Vec<(String, Option<String>)>) -> Vec<(String, String)> {
    let untrue: Vec<&String> = found.iter().filter(|(_, text)| text.is_none()).map(|(name, _)| name).collect();
    assert!(untrue.is_empty(), "these claims are false: {untrue:?}");
    found.into_iter().filter_map(|(name, text)| Some((name, text?))).collect()
}
