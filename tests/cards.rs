//! Cards against the exhaustive twin, as files, and as their users meet them.

// Its certificates are not wanted here, only its checker.
#[allow(dead_code)]
mod reference;

use harary::effort::Limits;
use harary::engines::cards::export::export;
use harary::engines::cards::file::FileError;
use harary::engines::cards::import::{import, shape_of};
use harary::engines::cards::plane::Turn;
use harary::engines::cards::pool::{Pool, Put};
use harary::engines::twin::Twin;
use harary::game::{Game, Sets, placements};
use harary::settle::{EngineChoice, Options, Outcome, settle};
use harary_certificate::{Board, Rule, Schedule, Shape, Stones, Topology, WideSet};
use std::sync::{Arc, Mutex};

fn board(width: usize, height: usize, torus: bool) -> Board {
    Board::new(width, height, if torus { Topology::Torus } else { Topology::Plain }).unwrap()
}

/// Searches a game by cards for so many nodes; the outcome, and the pool with what was learned.
fn searched(rows: &str, on: Board, nodes: u64, pool: Option<Pool>) -> (Outcome, Pool) {
    let shape = Shape::from_rows(rows).unwrap();
    let cards = Arc::new(Mutex::new(pool.unwrap_or_else(|| Pool::new(shape.clone()))));
    let limits = Limits::new(None, Some(nodes), Arc::default());
    let (engine, memory) = (EngineChoice::Cards, 16 << 20);
    let options = Options { engine, limits, memory, cards: Some(cards.clone()), ..Options::default() };
    let settled = settle(&Game::new(shape.clone(), on, Rule::Weak), &options, &|_| {}).unwrap();
    let pool = std::mem::replace(&mut *cards.lock().unwrap(), Pool::new(shape));
    (settled.outcome, pool)
}

/// The turn by which Black wins the weak game from here, White owning all that is neither his nor open.
fn least_turn(shape: &Shape, on: Board, own: WideSet, open: WideSet) -> Option<usize> {
    let sets = placements(shape, &on);
    let game = Game::of_sets(Sets {
        names: on.cells().map(|cell| on.cell_name(cell)).collect(),
        black: sets,
        white: Vec::new(),
        rule: Rule::Weak,
        schedule: Schedule::alternating(open.len()),
        black_start: own,
        white_start: WideSet::first_cells(on.size()) - own - open,
        first: None,
    })
    .ok()?;
    let stones: Stones<1> = Stones::new(own, WideSet::first_cells(on.size()) - own - open).resized();
    Twin::<1>::new(&game, &Limits::none()).win_turn(stones).unwrap()
}

const SHAPES: [&str; 9] = ["XX", "XXX", "X./XX", "X.X", "XX/X./X.", ".X./XXX", "XX./.XX", "X./.X", "XXXX"];

/// Every card says the truth wherever it fits, with White on all other cells: the twin finds the win, in time.
#[test]
fn cards_hold_wherever_they_fit() {
    let mut tried = 0;
    for rows in SHAPES {
        let shape = Shape::from_rows(rows).unwrap();
        let mut pool = None;
        for (sides, torus) in [((4, 4), true), ((4, 4), false), ((6, 5), false)] {
            pool = Some(searched(rows, board(sides.0, sides.1, torus), 300, pool).1);
        }
        let pool = pool.unwrap();
        // A few dozen of them, of all ages.
        let step = 1 + pool.cards().len() / 40;
        for number in (0..pool.cards().len() as u32).step_by(step) {
            for (orientation, (sides, torus, shift)) in (0..8).flat_map(|orientation| {
                [((4, 4), true, (1, 2)), ((4, 4), false, (0, 0)), ((4, 4), false, (3, 3)), ((5, 3), true, (4, 1))]
                    .map(|place| (orientation, place))
            }) {
                let on = board(sides.0, sides.1, torus);
                let (own, open) = pool.points(Put { card: number, turn: Turn { orientation, shift } });
                let cells =
                    |points: &[(i32, i32)]| points.iter().map(|&point| on.cell_at(point)).collect::<Option<WideSet>>();
                let (Some(stones), Some(free)) = (cells(&own), cells(&open)) else { continue };
                if (stones | free).len() != own.len() + open.len() || free.len() > 7 {
                    continue;
                }
                tried += 1;
                let turn = least_turn(&shape, on, stones, free);
                let most = 2 * pool.height(number) - 1;
                assert!(turn.is_some_and(|turn| turn <= most), "{rows} card {number} on {on:?}: {turn:?}, {most}");
            }
        }
    }
    assert!(tried > 500, "{tried}");
}

/// A win found by cards is a win, its certificate is accepted by both checkers, and many small wins are found.
#[test]
fn wins_are_wins() {
    let mut won = [0; 2];
    for rows in SHAPES {
        let shape = Shape::from_rows(rows).unwrap();
        for (sides, torus) in
            [((3, 3), false), ((4, 3), false), ((4, 4), false), ((3, 3), true), ((4, 3), true), ((4, 4), true)]
        {
            let on = board(sides.0, sides.1, torus);
            let (outcome, _) = searched(rows, on, 500, None);
            let Outcome::Win { mut certificate, by, .. } = outcome else { continue };
            won[usize::from(torus)] += 1;
            // The twin needs too long for more cells; the checkers do not.
            if on.size() <= 12 {
                let game = Game::new(shape.clone(), on, Rule::Weak);
                let least = Twin::<1>::new(&game, &Limits::none()).win_turn(Stones::NONE).unwrap();
                assert!(least.is_some_and(|turn| turn <= by), "{rows} on {on:?}: {least:?}, {by}");
            }
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("a.cert");
            certificate.keep(&path).unwrap();
            let bytes = std::fs::read(&path).unwrap();
            assert_eq!(reference::verdict(&bytes), Ok(()), "{}", String::from_utf8_lossy(&bytes));
        }
    }
    assert!(won[0] >= 8 && won[1] >= 8, "{won:?}");
}

/// What one board teaches is used on the next: the cards are the same in both and need no search there.
#[test]
fn cards_are_shared_by_boards() {
    let (outcome, pool) = searched("X./XX", board(5, 5, false), 2_000, None);
    assert!(matches!(outcome, Outcome::Win { .. }));
    let (outcome, again) = searched("X./XX", board(7, 6, false), 1, Some(pool));
    assert!(matches!(outcome, Outcome::Win { .. }));
    let bytes = again.to_bytes().unwrap();
    assert_eq!(Pool::from_bytes(&bytes).unwrap().to_bytes().unwrap(), bytes);
}

/// Public files are written and read back; a child in brackets is a card of its own.
#[test]
fn public_files_go_both_ways() {
    let (_, mut pool) = searched("X./XX", board(5, 5, false), 2_000, None);
    assert!(pool.cards().len() > 2);
    let text = export(&mut pool);
    let shape = shape_of(&text).unwrap().unwrap();
    let mut again = Pool::new(shape.clone());
    assert_eq!(import(&mut again, &shape, &text).unwrap(), text.lines().count() - 1);
    let sayings = |pool: &Pool| -> Vec<(WideSet, WideSet)> { pool.cards().iter().map(|c| (c.own, c.open)).collect() };
    assert_eq!(sayings(&again), sayings(&pool));
    // The domino: card 0 lacks the left cell, card 1 the right one.
    let domino = Shape::from_rows("XX").unwrap();
    let mut pool = Pool::new(domino.clone());
    assert_eq!(import(&mut pool, &domino, "2 10 1:010 0\n3 10 ( 10 1:010 0 )\n").unwrap(), 2);
    let wins: Vec<u32> = pool.wins_from_nothing().collect();
    assert_eq!(wins.len(), 1);
    assert_eq!(pool.height(wins[0]), 2);
    let complaint = |text: &str| import(&mut Pool::new(domino.clone()), &domino, text).unwrap_err().to_string();
    assert_eq!(complaint("3 10 0\n"), "line 1: card 3 stands where 2 has to");
    assert_eq!(complaint("2 10 5\n"), "line 1: there is no card 5 yet");
    assert_eq!(complaint("2 1"), "line 1: the line ends too early");
    assert_eq!(complaint("2 10"), "line 1: a card without children");
    assert_eq!(complaint("2 10 0:900"), "line 1: there is no symmetry 9");
    assert_eq!(complaint("2 10 0 0)"), "line 1: ')' is too much on this line");
    assert!(complaint(&format!("2 10 {}", "(10 ".repeat(70))).contains("brackets within each other"));
}

/// No byte of a file can be changed, and none left out.
#[test]
fn damage_is_found() {
    let (_, pool) = searched("XX", board(3, 3, false), 1_000, None);
    let bytes = pool.to_bytes().unwrap();
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1;
        assert!(Pool::from_bytes(&damaged).is_err(), "byte {place}");
        assert!(Pool::from_bytes(&bytes[..place]).is_err(), "cut at {place}");
    }
    // A card that does not follow is refused even where the hash is right.
    let text = String::from_utf8(bytes).unwrap();
    let body: String = text.lines().filter(|line| !line.starts_with("end ")).map(|line| format!("{line}\n")).collect();
    let wrong = body.replacen("done 1", "done 0", 1);
    assert_ne!(wrong, body);
    let wrong = format!("{wrong}end {} {}\n", pool.cards().len(), blake3::hash(wrong.as_bytes()));
    assert!(matches!(Pool::from_bytes(wrong.as_bytes()), Err(FileError::Refused(_))));
}
