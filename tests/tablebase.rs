//! Position tablebases against the rules played out, against every engine, and as their users meet them.

use assert_cmd::Command;
use harary::effort::Limits;
use harary::engines::alphabeta::{Attacker, Shared};
use harary::engines::baseline::Baseline;
use harary::engines::busy::Busy;
use harary::engines::canon::Canon;
use harary::engines::dfpn::{self, Gauge, ProofNumberSearch, ProofTable};
use harary::engines::engine::Engine;
use harary::engines::table::Table;
use harary::engines::twin::Twin;
use harary::game::Game;
use harary::game::polyomino;
use harary::game::position::Arena;
use harary::tablebase::{Tablebase, Value};
use harary_certificate::{Board, Cell, CellSet, Player, Rule, Shape, Stones, Topology, WideSet};
use rayon::prelude::*;
use std::collections::HashMap;

type Set = CellSet<1>;

/// Every polyomino of at most 6 cells that fits, both topologies, both rules.
fn games(side: usize) -> impl Iterator<Item = Tablebase> + Send {
    let shapes = (1..=6).flat_map(polyomino::free_polyominoes).filter(move |shape| shape.fits(side, side));
    shapes.flat_map(move |shape| ways(&shape, side))
}

/// The ways to play a shape on a square board.
fn ways(shape: &Shape, side: usize) -> Vec<Tablebase> {
    let ways = [Topology::Plain, Topology::Torus].map(|topology| [(topology, Rule::Strong), (topology, Rule::Weak)]);
    let build = |(topology, rule)| Tablebase::build(shape, Board::new(side, side, topology).unwrap(), rule).unwrap();
    ways.into_iter().flatten().map(build).collect()
}

/// What a position is worth by the rules, with every position met on the way.
fn play_out(game: &Game, stones: Stones<1>, known: &mut HashMap<Stones<1>, Value>) -> Value {
    if let Some(&value) = known.get(&stones) {
        return value;
    }
    let played = stones.len();
    let completed = |sets: &[WideSet], stones: Set| sets.iter().any(|set| set.is_subset(&stones.resized()));
    let value = if completed(game.black_sets(), stones.black) {
        Value::BlackWins(played)
    } else if completed(game.white_sets(), stones.white) {
        Value::WhiteWins(played)
    } else {
        let empty = Set::first_cells(game.vertices()) - stones.occupied();
        let player = if played.is_multiple_of(2) { Player::Black } else { Player::White };
        let after: Vec<Value> = empty.iter().map(|cell| play_out(game, stones.with(player, cell), known)).collect();
        // Black's wishes: an early win, then none, then a late loss.
        let wish = |value: &Value| match value {
            Value::BlackWins(turn) => 100 - *turn as i32,
            Value::Held => 0,
            Value::WhiteWins(turn) => *turn as i32 - 100,
        };
        let best = if played.is_multiple_of(2) {
            after.iter().max_by_key(|v| wish(v))
        } else {
            after.iter().min_by_key(|v| wish(v))
        };
        best.copied().unwrap_or(Value::Held)
    };
    known.insert(stones, value);
    value
}

#[test]
fn every_position_of_3x3_is_worth_what_the_rules_say() {
    let mut compared = 0;
    for tablebase in games(3) {
        let mut known = HashMap::new();
        play_out(tablebase.game(), Stones::NONE, &mut known);
        for (stones, value) in &known {
            assert_eq!(tablebase.value(stones), Ok(*value), "{:?} {stones:?}", tablebase.game().origin());
        }
        // And there are no others.
        assert_eq!(tablebase.count().positions, known.len() as u64);
        assert_eq!(tablebase.verify(), Ok(()));
        compared += 1;
    }
    assert_eq!(compared, 24 * 4);
}

#[test]
fn creatures_and_rectangles_are_worth_what_the_rules_say() {
    let boards = [(1, 7, Topology::Torus), (2, 4, Topology::Plain), (2, 5, Topology::Torus), (5, 2, Topology::Plain)];
    for (width, height, topology) in boards {
        for rows in ["X.X", "X./.X", "XX", "X..X/.XX.", "XXXXXXXX"] {
            for rule in [Rule::Strong, Rule::Weak] {
                let board = Board::new(width, height, topology).unwrap();
                let tablebase = Tablebase::build(&Shape::from_rows(rows).unwrap(), board, rule).unwrap();
                let mut known = HashMap::new();
                play_out(tablebase.game(), Stones::NONE, &mut known);
                for (stones, value) in &known {
                    assert_eq!(tablebase.value(stones), Ok(*value), "{rows} {board} {stones:?}");
                }
                assert_eq!(tablebase.count().positions, known.len() as u64);
            }
        }
    }
}

/// The engines of one game, each with its own memory.
struct Compared<'a> {
    tablebase: &'a Tablebase,
    /// The twin is asked only where it is quick: with this many stones at least.
    twin_from: usize,
    positions: usize,
}

impl Compared<'_> {
    /// Asks every engine about every position: who wins, the least turn, and a move that keeps it so.
    fn compare(&mut self, list: &[Stones<1>]) {
        let game = self.tablebase.game();
        let arena = Arena::<1>::new(game);
        let canon = Canon::new(&game.symmetries(), game.vertices());
        let (limits, busy, gauge) = (Limits::none(), Busy::new(1), Gauge::default());
        let memory = if game.vertices() > 9 { 4 << 20 } else { 1 << 17 };
        let (table, other_table, proof_table) = (Table::new(memory), Table::new(memory), ProofTable::new(memory));
        let shared = Shared { arena: &arena, table: &table, canon: &canon, busy: &busy, limits: &limits };
        let mut attacker = Attacker::new(&shared);
        let mut baseline = Baseline::new(&arena, &other_table, &canon, &limits);
        let mut numbers = ProofNumberSearch::new(&dfpn::Shared {
            arena: &arena,
            table: &proof_table,
            canon: &canon,
            busy: &busy,
            gauge: &gauge,
        });
        let mut twin = Twin::<1>::new(game, &limits);
        for &stones in list {
            if self.tablebase.is_over(&stones) {
                continue;
            }
            self.ask("alphabeta", &mut attacker, stones);
            self.ask("baseline", &mut baseline, stones);
            self.ask("dfpn", &mut numbers, stones);
            if stones.len() >= self.twin_from {
                self.ask("plain", &mut twin, stones);
            }
            self.positions += 1;
        }
    }

    fn ask(&self, name: &str, engine: &mut dyn Engine<1>, stones: Stones<1>) {
        let tablebase = self.tablebase;
        let what = || format!("{name} {:?} {:?} {stones:?}", tablebase.game().origin(), tablebase.rule());
        let wins_by = |stones: Stones<1>| match tablebase.value(&stones).unwrap() {
            Value::BlackWins(turn) => turn,
            _ => usize::MAX,
        };
        let (played, last) = (stones.len(), tablebase.board().size());
        let truth = wins_by(stones);
        let empty = Set::first_cells(last) - stones.occupied();
        let player = Tablebase::to_move(played);
        let black_to_move = player == Player::Black;
        // A turn that is past is no question.
        for until in [last, truth.min(last), truth.min(last) - 1].into_iter().filter(|&until| until > played) {
            let found = match player {
                Player::Black => engine.winning_move(stones, until).unwrap(),
                Player::White => engine.holding_move(stones, until).unwrap(),
            };
            assert_eq!(found.is_some(), (truth <= until) == black_to_move, "{} until {until}: {truth}", what());
            let Some(cell) = found else { continue };
            assert!(empty.contains(cell), "{} plays {cell:?}", what());
            let after = wins_by(stones.with(player, cell));
            assert_eq!(after <= until, black_to_move, "{} plays {cell:?} until {until}: {after}", what());
        }
    }
}

#[test]
fn every_position_of_3x3_agrees_with_every_engine() {
    let compare_all = |tablebase: Tablebase| {
        let mut list = Vec::new();
        // Each player has any set; positions that cannot arise are left out.
        for black in 0..1u64 << 9 {
            for white in 0..1u64 << 9 {
                let stones = Stones { black: Set::from_words([black]), white: Set::from_words([white]) };
                if tablebase.value(&stones).is_ok() {
                    list.push(stones);
                }
            }
        }
        let mut compared = Compared { tablebase: &tablebase, twin_from: 0, positions: 0 };
        compared.compare(&list);
        compared.positions
    };
    let positions: usize = games(3).par_bridge().map(compare_all).sum();
    assert_eq!(positions, 505_892);
}

/// A random number below `end`, the same in every run (SplitMix64).
fn random(seed: &mut u64, end: usize) -> usize {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) % end as u64) as usize
}

/// A position of `tablebase` with any number of stones from `least` on in which the game goes on.
fn random_position(tablebase: &Tablebase, least: usize, seed: &mut u64) -> Stones<1> {
    let cells = tablebase.board().size();
    loop {
        let mut stones = Stones::NONE;
        for turn in 0..least + random(seed, cells - least) {
            let empty: Vec<Cell> = (Set::first_cells(cells) - stones.occupied()).iter().collect();
            stones = stones.with(Tablebase::to_move(turn), empty[random(seed, empty.len())]);
        }
        if tablebase.value(&stones).is_ok() && !tablebase.is_over(&stones) {
            return stones;
        }
    }
}

/// Compares `each` positions of every way to play the shapes on 4x4; returns how many.
fn sample_4x4(shapes: &[Shape], each: usize, least: usize) -> usize {
    let mut seed = 20_261_116;
    let mut positions = 0;
    for shape in shapes {
        for tablebase in ways(shape, 4) {
            // A shape of one cell is over at once.
            if shape.size() * 2 - 1 <= least {
                continue;
            }
            let list: Vec<_> = (0..each).map(|_| random_position(&tablebase, least, &mut seed)).collect();
            let mut compared = Compared { tablebase: &tablebase, twin_from: 6, positions: 0 };
            compared.compare(&list);
            positions += compared.positions;
        }
    }
    positions
}

#[test]
fn some_positions_of_4x4_agree_with_every_engine() {
    let shapes: Vec<Shape> = ["XX/X.", "XX./.XX", "XXXX", "X../XXX", "XX/XX", "XX../.XXX", "XXX/XX."]
        .into_iter()
        .map(|rows| Shape::from_rows(rows).unwrap())
        .collect();
    assert_eq!(sample_4x4(&shapes, 60, 4), 7 * 4 * 60);
}

/// All polyominoes of at most 6 cells that fit. Run it with
/// `cargo test --release --test tablebase -- --ignored --nocapture`.
#[test]
#[ignore = "some minutes; the test above takes fewer positions of fewer shapes"]
fn a_hundred_thousand_positions_of_4x4_agree_with_every_engine() {
    let shapes: Vec<Shape> = (1..=6).flat_map(polyomino::free_polyominoes).filter(|shape| shape.fits(4, 4)).collect();
    assert_eq!(shapes.len(), 49);
    let positions = sample_4x4(&shapes, 520, 0);
    println!("{positions} positions agree");
    assert!(positions >= 100_000, "{positions}");
}

fn harary(arguments: &[&str]) -> (Option<i32>, String, String) {
    let run = Command::new(env!("CARGO_BIN_EXE_harary")).args(arguments).output().unwrap();
    (run.status.code(), String::from_utf8(run.stdout).unwrap(), String::from_utf8(run.stderr).unwrap())
}

#[test]
fn a_file_is_built_probed_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("tic.tb").display().to_string();
    let (code, out, errors) = harary(&["tablebase", "build", "tic", "3x3", "-o", &path]);
    assert_eq!((code, errors.as_str()), (Some(0), ""));
    assert!(out.starts_with("tic (0,0 1,0 2,0) on 3x3 plain, strong rule\nEmpty board: a draw.\n"), "{out}");
    let (code, out, _) = harary(&["tablebase", "probe", &path, "b2 a1 c3, a3"]);
    assert_eq!(code, Some(0));
    let expected = "tic (0,0 1,0 2,0) on 3x3 plain, strong rule\n\
        Turn 5, Black to move: draws.\n\n\
        3 O . X\n2 . X .\n1 O . .\n  a b c\n\n\
        What each move leads to, for Black\n\
        3  O -6  X\n2  =  X -6\n1  O -6 -6\n   a  b  c\n\
        \x20 = draws: a2\n -6 loses at turn 6: b1 c1 c2 b3\n";
    assert_eq!(out, expected);
    let (code, out, _) = harary(&["tablebase", "probe", &path, "--black", "c3 b2", "--white", "a3 a1", "--json"]);
    assert_eq!(code, Some(0));
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&report["value"]["verdict"], &report["to_move"]), (&"draw".into(), &"black".into()));
    assert_eq!(report["moves"]["c1"], serde_json::json!({ "verdict": "loss", "turn": 6, "distance": 2 }));
    let (code, out, _) = harary(&["tablebase", "probe", &path, "b2 a1 c2 a2 b1 a3"]);
    assert_eq!(code, Some(0));
    assert!(out.contains("\nThe game is over: White completed a set at turn 6.\n"), "{out}");
    let (code, out, _) = harary(&["tablebase", "verify", &path]);
    assert_eq!(code, Some(0));
    assert!(out.contains("accepted: tic (0,0 1,0 2,0) on 3x3 plain, strong rule; the values of all"), "{out}");
}

#[test]
fn weak_games_have_no_draws() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fatty.tb").display().to_string();
    let (code, out, _) = harary(&["tablebase", "build", "fatty", "3x3", "--rule", "weak", "-o", &path]);
    assert_eq!(code, Some(0));
    assert!(out.contains("\nEmpty board: White holds to the end.\n") && out.contains("White wins 0, "), "{out}");
    let (_, out, _) = harary(&["tablebase", "probe", &path, "b2"]);
    assert!(out.contains("\nTurn 2, White to move: holds to the end.\n"), "{out}");
    let (_, out, _) = harary(&["tablebase", "probe", &path]);
    assert!(out.contains("\nTurn 1, Black to move: cannot win, White holds.\n"), "{out}");
}

#[test]
fn mistakes_are_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("el.tb").display().to_string();
    assert_eq!(harary(&["tablebase", "build", "el", "3x3", "--torus", "-o", &path]).0, Some(0));
    for (arguments, code, expected) in [
        (vec!["build", "el", "5x5"], 2, "a tablebase is for boards of at most 16 cells, and 5x5 plain has 25"),
        (vec!["build", "ell", "3x3"], 2, "no shape 'ell'; did you mean el?"),
        (vec!["build", "el", "3x3", "-o", "/nowhere/el.tb"], 2, "cannot write /nowhere/el.tb: "),
        (vec!["probe", "/nowhere.tb"], 2, "cannot read /nowhere.tb: No such file"),
        (vec!["probe", "Cargo.toml"], 1, "cannot use Cargo.toml: not a tablebase: it should begin with HARARYTB"),
        (vec!["probe", &path, "a1 a1"], 2, "the move a1: there is a stone already"),
        (vec!["probe", &path, "d4"], 2, "there is no cell 'd4' on 3x3 torus; its cells are a1 to c3"),
        (
            vec!["probe", &path, "--black", "a1 b1", "--white", ""],
            2,
            "Black has 2 stones and White 0: they play in turn",
        ),
        (vec!["probe", &path, "--black", "a1", "--white", "a1"], 2, "there are two stones on a1"),
        (vec!["probe", &path, "--black", "a1 a1"], 2, "the cell a1 is given twice"),
        (
            vec!["probe", &path, "--black", "a1 b1 a2", "--white", "b2 b3 c3"],
            2,
            "the position cannot arise: a set was completed before the last stone",
        ),
    ] {
        let all: Vec<&str> = std::iter::once("tablebase").chain(arguments.iter().copied()).collect();
        let (found, out, errors) = harary(&all);
        assert_eq!((found, out.as_str()), (Some(code), ""), "{arguments:?} {errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
        assert!(errors.starts_with(&format!("harary: {expected}")), "{errors}");
    }
}

#[test]
fn a_flipped_byte_is_named_and_nothing_half_written_is_left() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("el.tb");
    let name = path.display().to_string();
    assert_eq!(harary(&["tablebase", "build", "el", "3x4", "-o", &name]).0, Some(0));
    let good = std::fs::read(&path).unwrap();
    let middle = good.len() / 2;
    let mut bytes = good.clone();
    bytes[middle] ^= 4;
    std::fs::write(&path, &bytes).unwrap();
    let (code, out, errors) = harary(&["tablebase", "verify", &name]);
    assert_eq!((code, errors.as_str()), (Some(1), ""));
    let range = out.split("bytes ").nth(1).unwrap().split(',').next().unwrap();
    let (first, last) = range.split_once(" to ").unwrap();
    assert!(out.contains(": refused: damaged: block "), "{out}");
    assert!((first.parse().unwrap()..=last.parse().unwrap()).contains(&middle), "{out}");
    let files: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(files, ["el.tb"]);
}
