//! The same battery over every engine: what it says of a game is what the naive twin says, and where it proves that, the
//! checker has accepted the certificate with the same claim. A new engine is one line of [`ENGINES`].

use harary::effort::{Limits, Meter};
use harary::engines::blocking::applies;
use harary::engines::busy::Busy;
use harary::engines::canon::Canon;
use harary::engines::maker_breaker::{MakerBreaker, Shared};
use harary::engines::table::Table;
use harary::engines::twin;
use harary::evidence::blocker::{BlockOutcome, Blocker};
use harary::game::polyomino;
use harary::game::position::Arena;
use harary::game::{Game, Sets};
use harary::settle::covers::search_covers;
use harary::settle::{CoverMode, EngineChoice, Options, Settled, Verdict, settle};
use harary_certificate::{Board, Cell, Claim, Rule, Schedule, Shape, Topology, WideSet};
use std::sync::Arc;

/// What an engine says of a game.
enum Answer {
    /// The least turn by which Black wins; none if he does not.
    Least(Option<usize>),
    /// Black wins, by this turn at the latest.
    WinsBy(usize),
    /// Whether Black wins.
    Wins(bool),
    /// It does not apply, or says nothing.
    Nothing,
}

/// How an engine is asked.
type Ask = fn(&Game) -> Answer;

/// Every engine.
const ENGINES: [(&str, Ask); 14] = [
    ("attacker", |game| settled(game, EngineChoice::Alphabeta, 1)),
    ("attacker, two threads", |game| settled(game, EngineChoice::Alphabeta, 2)),
    ("proof numbers", |game| settled(game, EngineChoice::Dfpn, 1)),
    ("proof numbers, two threads", |game| settled(game, EngineChoice::Dfpn, 2)),
    ("defender", |game| settled(game, EngineChoice::Defender, 1)),
    ("attacker and defender", |game| settled(game, EngineChoice::Auto, 1)),
    ("attacker and defender, four threads", |game| settled(game, EngineChoice::Auto, 4)),
    ("baseline", |game| settled(game, EngineChoice::Baseline, 1)),
    ("twin with evidence", |game| settled(game, EngineChoice::Plain, 1)),
    ("twin", |game| Answer::Least(twin::solve(game, &Limits::none()).unwrap().win_turn)),
    ("Maker-Breaker", maker_breaker),
    ("blocking", blocking),
    ("cover", cover),
    ("cards", cards),
];

/// The engines that find the least turn, by the names they report; the others may know it all the same.
const FIND_LEAST: [&str; 3] = ["alphabeta", "baseline", "plain"];

/// Settles a game by an engine, which proves what it says.
fn settled(game: &Game, engine: EngineChoice, threads: usize) -> Answer {
    let options = Options { engine, threads, memory: 8 << 20, ..Options::default() };
    let Settled { outcome, account } = settle(game, &options, &|_| {}).unwrap();
    let claim = outcome.win_by().map_or(Claim::Hold(None), Claim::Win);
    assert_eq!(outcome.certificate().unwrap().proved().claim(), claim, "{engine:?}");
    // What it has refuted on the way is refuted.
    assert!(outcome.win_by().is_none_or(|turn| account.refuted_turn < Some(turn)), "{engine:?}");
    match (outcome.verdict(), outcome.least_turn(), outcome.win_by()) {
        (Verdict::Hold, ..) if FIND_LEAST.contains(&account.engine) => Answer::Least(None),
        (Verdict::Hold, ..) => Answer::Wins(false),
        (Verdict::Win, Some(turn), by) => {
            assert_eq!(by, Some(turn), "{engine:?}");
            Answer::Least(Some(turn))
        }
        (Verdict::Win, None, Some(turn)) if !FIND_LEAST.contains(&account.engine) => Answer::WinsBy(turn),
        (verdict, ..) => panic!("{} says {verdict:?} and no turn", account.engine),
    }
}

/// Wins of the weak game by cards; what is not found says nothing.
fn cards(game: &Game) -> Answer {
    if !harary::settle::cards::applies(game) {
        return Answer::Nothing;
    }
    let limits = Limits::new(None, Some(500), Arc::default());
    let options = Options { engine: EngineChoice::Cards, limits, memory: 8 << 20, ..Options::default() };
    let Settled { outcome, .. } = settle(game, &options, &|_| {}).unwrap();
    outcome.win_by().map_or(Answer::Nothing, Answer::WinsBy)
}

/// The weak game by proof numbers alone.
fn maker_breaker(game: &Game) -> Answer {
    if game.rule() != Rule::Weak || !applies(game) {
        return Answer::Nothing;
    }
    let (table, canon, busy) = (Table::new(1 << 18), Canon::new(&game.symmetries(), game.vertices()), Busy::new(1));
    let shared = Shared { table: &table, canon: &canon, busy: &busy };
    Answer::Wins(MakerBreaker::<1>::new(game, &shared).wins().unwrap())
}

/// The weak game by blocks and refusals alone.
fn blocking(game: &Game) -> Answer {
    if game.rule() != Rule::Weak || !applies(game) {
        return Answer::Nothing;
    }
    let arena = Arena::<1>::new(game);
    match Blocker::new(game, &arena).work(&Limits::none(), &mut |_, _| {}).unwrap() {
        BlockOutcome::Hold { .. } => Answer::Wins(false),
        BlockOutcome::Win { turn, .. } => Answer::WinsBy(turn),
        BlockOutcome::Wins => Answer::Wins(true),
        BlockOutcome::Unknown { .. } => panic!("nothing stops it"),
    }
}

/// Wins inside the covers of first moves.
fn cover(game: &Game) -> Answer {
    if !applies(game) || !game.is_whole() || game.shape_on_board().is_none() {
        return Answer::Nothing;
    }
    let found = search_covers(game, CoverMode::Static, None, 1 << 20, &Limits::none(), &Meter::default()).unwrap();
    found.win.map_or(Answer::Nothing, |win| Answer::WinsBy(win.turn))
}

/// Asks every engine and compares with the twin. Gives back how many games were compared.
fn compare(game: &Game) -> usize {
    let truth = twin::solve(game, &Limits::none()).unwrap().win_turn;
    for (name, ask) in ENGINES {
        let what = || format!("{name}: {:?} {:?} {}", game.origin(), game.rule(), game.schedule().letters());
        match ask(game) {
            Answer::Least(turn) => assert_eq!(turn, truth, "{}", what()),
            Answer::WinsBy(turn) => assert!(truth.is_some_and(|least| least <= turn), "{}: by {turn}", what()),
            Answer::Wins(wins) => assert_eq!(wins, truth.is_some(), "{}", what()),
            Answer::Nothing => {}
        }
    }
    1
}

fn shapes_up_to(size: usize) -> Vec<Shape> {
    (1..=size).flat_map(polyomino::free_polyominoes).collect()
}

/// Every way to play `shape` on a board: both topologies, both rules, four schedules.
fn compare_all_ways(shape: &Shape, width: usize, height: usize, schedules: bool) -> usize {
    let mut compared = 0;
    for topology in [Topology::Plain, Topology::Torus] {
        for rule in [Rule::Strong, Rule::Weak] {
            let game = || Game::new(shape.clone(), Board::new(width, height, topology).unwrap(), rule);
            compared += compare(&game());
            if schedules {
                compared += compare(&game().with_handicap(1));
                compared += compare(&game().with_stones(2, 1).unwrap());
                compared += compare(&game().with_stones(1, 2).unwrap());
            }
        }
    }
    compared
}

#[test]
fn small_boards_in_every_way() {
    let mut compared = 0;
    for (width, height) in [(1, 1), (2, 2), (2, 3), (1, 5), (3, 3)] {
        for shape in shapes_up_to(4) {
            compared += compare_all_ways(&shape, width, height, true);
        }
    }
    assert_eq!(compared, 5 * 9 * 16);
}

#[test]
fn pentominoes_and_creatures_on_3x4() {
    for shape in polyomino::free_polyominoes(5).iter().step_by(3) {
        compare_all_ways(shape, 3, 4, false);
    }
    for rows in ["X.X", "X./.X", "X..X", "X.X/.X.", "X.../..XX"] {
        compare_all_ways(&Shape::from_rows(rows).unwrap(), 4, 3, false);
    }
}

/// The first move is forced to be useless, and Black wins all the same: he starts with a stone and two ways to go on.
#[test]
fn a_first_move_that_helps_nobody() {
    let set = |cells: &[usize]| cells.iter().copied().map(Cell::new).collect::<WideSet>();
    let game = Game::of_sets(Sets {
        names: ["a", "b", "c", "d", "e"].map(String::from).to_vec(),
        black: vec![set(&[0, 1]), set(&[0, 2])],
        white: vec![set(&[2, 3])],
        rule: Rule::Strong,
        schedule: Schedule::alternating(4),
        black_start: set(&[0]),
        white_start: WideSet::EMPTY,
        first: Some(set(&[4])),
    })
    .unwrap();
    assert_eq!(twin::solve(&game, &Limits::none()).unwrap().win_turn, Some(3));
    compare(&game);
}

/// Every polyomino of at most 5 cells on all boards up to 4x4 and 3x5, in every way: long. Run it with
/// `cargo test --release --test battery -- --ignored`.
#[test]
#[ignore = "long; the tests above cover the same code on smaller boards"]
fn every_board_up_to_4x4_and_3x5() {
    for (width, height) in [(3, 3), (3, 4), (3, 5), (4, 4)] {
        for shape in shapes_up_to(5) {
            let compared = compare_all_ways(&shape, width, height, true);
            println!("{shape} on {width}x{height}: {compared} games agree");
        }
    }
}

/// The certificates of all polyominoes of at most 6 cells that fit claim what the twin says.
fn every_polyomino_that_fits(side: usize) -> (usize, usize) {
    let (mut winners, mut losers) = (0, 0);
    for topology in [Topology::Plain, Topology::Torus] {
        for shape in shapes_up_to(6).into_iter().filter(|shape| shape.fits(side, side)) {
            let game = Game::new(shape, Board::new(side, side, topology).unwrap(), Rule::Strong);
            let truth = twin::solve(&game, &Limits::none()).unwrap().win_turn;
            let outcome = settle(&game, &Options::default(), &|_| {}).unwrap().outcome;
            let expected = truth.map_or(Claim::Hold(None), Claim::Win);
            assert_eq!(outcome.certificate().unwrap().proved().claim(), expected, "{:?}", game.origin());
            *if truth.is_some() { &mut winners } else { &mut losers } += 1;
        }
    }
    (winners, losers)
}

#[test]
fn every_polyomino_on_3x3() {
    assert_eq!(every_polyomino_that_fits(3), (8, 40));
}

/// Run it with `cargo test --release --test battery -- --ignored 4x4`.
#[test]
#[ignore = "some minutes of the twin; the 3x3 boards are tested always"]
fn every_polyomino_on_4x4() {
    assert_eq!(every_polyomino_that_fits(4), (14, 84));
}
