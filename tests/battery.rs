//! The same battery over every engine: what it says of a game is what the naive twin says, and where it proves that, the
//! checker has accepted the certificate with the same claim. A new engine is one line of [`ENGINES`].

// Its certificates are not wanted here, only its checker.
#[allow(dead_code)]
mod reference;

use harary::effort::{Limits, Meter};
use harary::engines::blocking::applies;
use harary::engines::busy::Busy;
use harary::engines::canon::Canon;
use harary::engines::maker_breaker::{Alike, MakerBreaker, Shared};
use harary::engines::table::Table;
use harary::engines::twin;
use harary::evidence::blocker::{BlockOutcome, Blocker};
use harary::game::ground::{Family, Ground};
use harary::game::polyomino;
use harary::game::position::Arena;
use harary::game::target::{Part, Target};
use harary::game::{Game, Sets};
use harary::settle::covers::search_covers;
use harary::settle::{CoverMode, EngineChoice, Options, Outcome, Settled, Verdict, WhiteSide, settle};
use harary_certificate::{Board, Cell, Certificate, Claim, Player, Rule, Schedule, Shape, Topology, WideSet};
use std::io::Read;
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
const ENGINES: [(&str, Ask); 17] = [
    ("attacker", |game| settled(game, EngineChoice::Alphabeta, 1)),
    ("attacker, two threads", |game| settled(game, EngineChoice::Alphabeta, 2)),
    ("proof numbers", |game| settled(game, EngineChoice::Dfpn, 1)),
    ("proof numbers, two threads", |game| settled(game, EngineChoice::Dfpn, 2)),
    ("threats", |game| settled(game, EngineChoice::Threats, 1)),
    ("threats, two threads", |game| settled(game, EngineChoice::Threats, 2)),
    ("defender", |game| settled(game, EngineChoice::Defender, 1)),
    ("attacker and defender", |game| settled(game, EngineChoice::Auto, 1)),
    ("attacker and defender, four threads", |game| settled(game, EngineChoice::Auto, 4)),
    ("baseline", |game| settled(game, EngineChoice::Baseline, 1)),
    ("twin with evidence", |game| settled(game, EngineChoice::Plain, 1)),
    ("twin", |game| Answer::Least(twin::solve(game, &Limits::none()).unwrap().win_turn)),
    ("Maker-Breaker", maker_breaker),
    ("Maker-Breaker by names", by_names),
    ("blocking", blocking),
    ("cover", cover),
    ("cards", cards),
];

/// The engines that find the least turn, by the names they report; the others may know it all the same.
const FIND_LEAST: [&str; 3] = ["alphabeta", "baseline", "plain"];

/// Settles a game by an engine, which proves what it says.
fn settled(game: &Game, engine: EngineChoice, threads: usize) -> Answer {
    let options = Options { engine, threads, memory: 8 << 20, ..Options::default() };
    let Settled { mut outcome, account } = settle(game, &options, &|_| {}).unwrap();
    let hold = game.header(Claim::Hold(None), false, None).claim;
    let claim = outcome.win_by().map(Claim::Win).or(outcome.loss_by().map(Claim::Loss)).unwrap_or(hold);
    assert_eq!(outcome.certificate().unwrap().proved().claim(), claim, "{engine:?}");
    check_again(outcome.certificate_mut().unwrap());
    compare_white(game, &mut outcome, engine);
    // What it has refuted on the way is refuted.
    assert!(outcome.win_by().is_none_or(|turn| account.refuted_turn < Some(turn)), "{engine:?}");
    match (outcome.verdict(), outcome.least_turn(), outcome.win_by()) {
        (Verdict::Hold | Verdict::Loss, ..) if FIND_LEAST.contains(&account.engine) => Answer::Least(None),
        (Verdict::Hold | Verdict::Loss, ..) => Answer::Wins(false),
        (Verdict::Win, Some(turn), by) => {
            assert_eq!(by, Some(turn), "{engine:?}");
            Answer::Least(Some(turn))
        }
        (Verdict::Win, None, Some(turn)) if !FIND_LEAST.contains(&account.engine) => Answer::WinsBy(turn),
        (verdict, ..) => panic!("{} says {verdict:?} and no turn", account.engine),
    }
}

/// The second checker accepts it too.
fn check_again(certificate: &mut Certificate) {
    let mut bytes = Vec::new();
    certificate.reader().unwrap().read_to_end(&mut bytes).unwrap();
    assert_eq!(reference::verdict(&bytes), Ok(()), "{}", String::from_utf8_lossy(&bytes));
}

/// What is said of White's own win is what the twin says of the game with the colours exchanged.
fn compare_white(game: &Game, outcome: &mut Outcome, engine: EngineChoice) {
    let truth = twin::solve(&game.exchanged(), &Limits::none()).unwrap().win_turn;
    match outcome {
        Outcome::Win { .. } => assert_eq!(truth, None, "{engine:?}: both win"),
        Outcome::Loss { by, least, .. } => assert_eq!((Some(*by), *least), (truth, true), "{engine:?}: {game:?}"),
        Outcome::Hold { white, .. } => {
            assert_eq!(truth, None, "{engine:?}: White wins {game:?}");
            match white {
                WhiteSide::Excluded => {}
                WhiteSide::Held(certificate) => check_again(certificate),
                WhiteSide::Open => panic!("nothing stopped the search"),
            }
        }
        Outcome::NotBy { .. } | Outcome::Open { .. } => panic!("nothing stopped the search"),
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
    let canon = Canon::new(&game.symmetries(), game.vertices());
    maker_breaker_knowing(game, Alike::BySymmetry(&canon))
}

/// The same, its positions known up to the names of their cells.
fn by_names(game: &Game) -> Answer {
    maker_breaker_knowing(game, Alike::ByNames)
}

fn maker_breaker_knowing(game: &Game, alike: Alike) -> Answer {
    if game.rule() != Rule::Weak || !applies(game) {
        return Answer::Nothing;
    }
    let (table, busy) = (Table::new(1 << 18), Busy::new(1));
    Answer::Wins(MakerBreaker::<1>::new(game, &Shared { table: &table, alike, busy: &busy }).wins().unwrap())
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
    compare_with(game, ENGINES)
}

/// The same with some engines.
fn compare_with(game: &Game, engines: impl IntoIterator<Item = (&'static str, Ask)>) -> usize {
    let truth = twin::solve(game, &Limits::none()).unwrap().win_turn;
    for (name, ask) in engines {
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

/// Every family of boards, and targets of several parts.
#[test]
fn games_of_every_family_agree_with_the_twin() {
    let shape = |rows: &str| Part::Shape(Shape::from_rows(rows).unwrap());
    let (line, slant, corner, square) = (shape("XXX"), shape("X../.X./..X"), shape("XX/X."), shape("XX/XX"));
    let games = [
        (vec![Part::Row(3)], "3x3", Family::Plain),
        (vec![Part::Lines], "3x3", Family::Plain),
        (vec![Part::Row(3)], "3x3", Family::Torus),
        (vec![Part::Row(3)], "3x3", Family::Cylinder),
        (vec![Part::Row(3)], "5x2", Family::Cylinder),
        (vec![line.clone(), square.clone()], "3x3", Family::Plain),
        (vec![line.clone(), slant], "3x3", Family::Cylinder),
        (vec![square.clone(), Part::Row(3)], "3x3", Family::Torus),
        (vec![corner.clone(), line.clone()], "4x2", Family::Cylinder),
        (vec![corner.clone()], "3x3", Family::Hexagonal),
        (vec![line.clone(), square.clone()], "3x3", Family::Hexagonal),
        (vec![shape(".X/XX")], "3x3", Family::Hexagonal),
        (vec![Part::Connection], "3x3", Family::Hexagonal),
        (vec![Part::Connection], "2x4", Family::Hexagonal),
        (vec![Part::Connection], "4x2", Family::Hexagonal),
        (vec![square], "2x2x2", Family::Plain),
        (vec![corner], "2x2x2", Family::Plain),
        (vec![Part::Row(3)], "3x1x3", Family::Plain),
        (vec![line], "3x1x3", Family::Torus),
        (vec![Part::Row(3)], "9x1", Family::Torus),
        (vec![Part::Row(3)], "9x1", Family::Plain),
    ];
    let mut compared = 0;
    for (parts, sides, family) in games {
        for rule in [Rule::Strong, Rule::Weak] {
            let ground = Ground::parse(sides, family).unwrap();
            compared += compare(&Game::built(Target::new(parts.clone()), ground, rule).unwrap());
        }
    }
    assert_eq!(compared, 2 * 21);
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

/// Numbers that are the same in every run (SplitMix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % sides as u64) as usize
    }

    fn cells(&mut self, of: usize, most: usize) -> WideSet {
        let count = 1 + self.roll(most);
        (0..count).map(|_| Cell::new(self.roll(of))).collect()
    }

    /// A game of sets: both rules, any turn order, any stones at the start, perhaps a restricted first turn. Nobody may
    /// have won yet.
    fn game(&mut self) -> Option<Game> {
        let cells = 4 + self.roll(5);
        let black: Vec<WideSet> = (0..1 + self.roll(8)).map(|_| self.cells(cells, 4)).collect();
        let white = match self.roll(3) {
            0 => black.clone(),
            _ => (0..self.roll(8)).map(|_| self.cells(cells, 4)).collect(),
        };
        let (mut black_start, mut white_start) = (WideSet::EMPTY, WideSet::EMPTY);
        for _ in 0..self.roll(4) {
            if self.roll(2) == 0 { &mut black_start } else { &mut white_start }.insert(Cell::new(self.roll(cells)));
        }
        white_start -= black_start;
        let empty = cells - black_start.len() - white_start.len();
        let schedule = match self.roll(4) {
            0 => Schedule::alternating(empty),
            1 => Schedule::stones(1 + self.roll(3), 1 + self.roll(3), empty),
            _ => Schedule::of((0..empty).map(|_| [Player::Black, Player::White][self.roll(2)]).collect()),
        };
        let first = (self.roll(4) == 0).then(|| self.cells(cells, 3));
        Game::of_sets(Sets {
            names: (0..cells).map(|cell| cell.to_string()).collect(),
            black,
            white,
            rule: if self.roll(3) == 0 { Rule::Weak } else { Rule::Strong },
            schedule,
            black_start,
            white_start,
            first,
        })
        .ok()
    }
}

/// Random games, each asked of three engines in turn: what they say, of either side, is what the twin says.
fn random_games(seed: u64, wanted: usize) {
    let mut dice = Dice(seed);
    let (mut compared, mut losses) = (0, 0);
    while compared < wanted {
        let Some(game) = dice.game() else { continue };
        compared += compare_with(&game, (0..3).map(|step| ENGINES[(3 * compared + step) % ENGINES.len()]));
        losses += usize::from(twin::solve(&game.exchanged(), &Limits::none()).unwrap().win_turn.is_some());
    }
    assert!(losses * 10 > compared, "White wins {losses} of {compared}");
}

#[test]
fn random_games_of_every_order_and_start() {
    random_games(1, 2_000);
}

/// Run it with `cargo test --release --test battery -- --ignored hundred`.
#[test]
#[ignore = "minutes; the same with fewer games runs always"]
fn a_hundred_thousand_random_games() {
    random_games(2, 100_000);
}

/// White wins, nobody wins, and Black wins, each with its certificates.
#[test]
fn three_verdicts() {
    let board = Board::new(3, 3, Topology::Plain).unwrap();
    let outcome = |rows: &str, p, q| {
        let game = Game::new(Shape::from_rows(rows).unwrap(), board, Rule::Strong).with_stones(p, q).unwrap();
        settle(&game, &Options::default(), &|_| {}).unwrap().outcome
    };
    assert!(matches!(outcome("XX", 2, 1), Outcome::Loss { by: 3, least: true, .. }));
    assert!(matches!(outcome("XX", 1, 2), Outcome::Win { by: 2, .. }));
    assert!(matches!(outcome("XX/XX", 2, 1), Outcome::Hold { white: WhiteSide::Held(_), .. }));
    assert!(matches!(outcome("XXX", 1, 1), Outcome::Hold { white: WhiteSide::Excluded, .. }));
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
