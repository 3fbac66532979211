//! The parts of a search, timed one by one. Each bench asserts the answer it times.

use criterion::{Criterion, criterion_group, criterion_main};
use harary::effort::Limits;
use harary::engines::canon::Canon;
use harary::engines::table::{Knowledge, Table};
use harary::engines::twin;
use harary::game::Game;
use harary::game::catalogue::Catalogue;
use harary::game::position::{Arena, Position};
use harary::settle::{Claimed, EngineChoice, Options, search};
use harary_certificate::{Board, Cell, CellSet, Player, Rule, Stones, Topology};
use std::hint::black_box;

fn game(shape: &str, board: &str, topology: Topology) -> Game {
    let entry = Catalogue::standard().find(shape).expect("a shape of the catalogue");
    Game::new(entry.shape.clone(), Board::parse(board, topology).expect("a board"), Rule::Strong)
}

/// Stones far enough apart that nobody has won.
const LINE: [usize; 8] = [24, 25, 16, 32, 10, 38, 3, 45];

fn stones() -> Stones<1> {
    let of = |player: Player| LINE.iter().skip(player as usize).step_by(2).copied().map(Cell::new).collect();
    Stones::new(of(Player::Black), of(Player::White))
}

fn make_and_unmake(criterion: &mut Criterion) {
    let arena = Arena::<1>::new(&game("skinny", "7x7", Topology::Plain));
    let mut position = Position::new(&arena);
    let expected = Position::with_stones(&arena, stones()).key();
    let players = [Player::Black, Player::White];
    criterion.bench_function("make and unmake 8 stones, skinny 7x7", |bencher| {
        bencher.iter(|| {
            for (turn, &cell) in LINE.iter().enumerate() {
                position.play(black_box(Cell::new(cell)), players[turn % 2]);
            }
            assert_eq!(position.key(), expected);
            for (turn, &cell) in LINE.iter().enumerate().rev() {
                position.undo(Cell::new(cell), players[turn % 2]);
            }
            assert_eq!(position.key(), 0);
        });
    });
}

fn canonical_form(criterion: &mut Criterion) {
    for topology in [Topology::Plain, Topology::Torus] {
        let game = game("skinny", "7x7", topology);
        let canon = Canon::new(&game.symmetries(), game.vertices());
        let (least, number) = canon.canonical(&stones());
        assert_eq!(canon.symmetry(number).stones(&stones()), least);
        criterion.bench_function(&format!("canonical form, 7x7 {topology:?}"), |bencher| {
            bencher.iter(|| assert_eq!(canon.canonical(black_box(&stones())), (least, number)));
        });
    }
}

fn table(criterion: &mut Criterion) {
    let table = Table::<1>::new(1 << 24);
    let position = |i: u64| Stones::new(CellSet::from_words([i | 1]), CellSet::from_words([(i | 1) << 32]));
    criterion.bench_function("table: 1000 puts and gets", |bencher| {
        bencher.iter(|| {
            for i in 0..1000 {
                table.put(&position(2 * i), &Knowledge { refuted: i as u8, ..Knowledge::NOTHING }, i);
            }
            for i in 0..1000 {
                let known = table.get(black_box(&position(2 * i))).expect("a table this empty forgets nothing");
                assert_eq!(known.refuted, i as u8);
            }
        });
    });
}

fn small_solves(criterion: &mut Criterion) {
    for (shape, board, topology) in
        [("el", "3x3", Topology::Plain), ("tic", "4x3", Topology::Plain), ("elly", "4x3", Topology::Torus)]
    {
        let game = game(shape, board, topology);
        let truth = twin::solve(&game, &Limits::none()).expect("no limit").win_turn;
        for engine in [EngineChoice::Alphabeta, EngineChoice::Dfpn, EngineChoice::Baseline, EngineChoice::Plain] {
            let options = Options { engine, memory: 1 << 20, evidence: false, ..Options::default() };
            criterion.bench_function(&format!("{shape} {board} {topology:?}, {}", engine.name()), |bencher| {
                bencher.iter(|| {
                    let claimed = search(black_box(&game), &options, &|_| {}).expect("no contradiction").claimed;
                    assert_eq!(matches!(claimed, Some(Claimed::Win { .. })), truth.is_some());
                });
            });
        }
    }
}

/// A win of the weak game and a strong game that White holds by threats of her own.
fn proof_numbers(criterion: &mut Criterion) {
    use harary::settle::Verdict;
    let strong = game("skinny", "6x6", Topology::Plain);
    for (game, engine, verdict) in
        [(strong.weak(), EngineChoice::Defender, Verdict::Win), (strong, EngineChoice::Dfpn, Verdict::Hold)]
    {
        let options = Options { engine, memory: 1 << 28, evidence: false, ..Options::default() };
        criterion.bench_function(&format!("skinny 6x6 {}, {}", game.rule(), engine.name()), |bencher| {
            bencher.iter(|| {
                let claimed = search(black_box(&game), &options, &|_| {}).expect("no contradiction").claimed;
                assert_eq!(claimed.map(|claimed| claimed.verdict()), Some(verdict));
            });
        });
    }
}

criterion_group!(benches, make_and_unmake, canonical_form, table, small_solves);
criterion_group! {
    name = long_benches;
    config = Criterion::default().sample_size(10);
    targets = proof_numbers
}
criterion_main!(benches, long_benches);
