//! The same battery over every engine: verdict and least turn equal to the naive twin's from the empty board, and the
//! certificate accepted by the checker with the same claim.

use harary::effort::Limits;
use harary::engines::twin;
use harary::game::polyomino;
use harary::game::{Game, Sets};
use harary::settle::{EngineChoice, Options, Settled, Verdict, settle};
use harary_certificate::{Board, Cell, Claim, Rule, Schedule, Shape, Topology, WideSet};

const ENGINES: [EngineChoice; 4] =
    [EngineChoice::Alphabeta, EngineChoice::Dfpn, EngineChoice::Baseline, EngineChoice::Plain];

/// Settles `game` with every engine and compares with the twin. Gives back how many games were compared.
fn compare(game: &Game) -> usize {
    let truth = twin::solve(game, &Limits::none()).unwrap().win_turn;
    for engine in ENGINES {
        for threads in [1, 2] {
            if threads == 2 && engine != EngineChoice::Alphabeta {
                continue;
            }
            let options = Options { engine, threads, memory: 8 << 20, ..Options::default() };
            let Settled { outcome, account } = settle(game, &options, &|_| {}).unwrap();
            let what = || format!("{engine:?} {:?} {:?} {}", game.origin(), game.rule(), game.schedule().letters());
            // Proof-number search says who wins; a turn only where it happens to know it is the least.
            let least_known = engine != EngineChoice::Dfpn || account.engine != "dfpn";
            if least_known || outcome.least_turn().is_some() {
                assert_eq!(outcome.least_turn(), truth, "{}", what());
            }
            assert!(outcome.win_by() >= truth && account.refuted_turn < truth.or(Some(usize::MAX)), "{}", what());
            assert_eq!(outcome.verdict(), if truth.is_some() { Verdict::Win } else { Verdict::Hold }, "{}", what());
            let claim = match outcome.win_by() {
                Some(turn) => Claim::Win(turn),
                None => Claim::Hold(None),
            };
            assert_eq!(outcome.certificate().unwrap().proved().claim(), claim, "{}", what());
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
