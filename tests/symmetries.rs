//! Where the game of a shape on a board has more symmetries than the board, and which of them certificates name.

use harary::game::automorphisms::automorphisms;
use harary::game::catalogue::Catalogue;
use harary::game::{Game, Sets, placements};
use harary::settle::{EngineChoice, Options, settle};
use harary_certificate::{Board, Rule, Schedule, Shape, Symmetry, Topology, WideSet};

/// All shapes of the catalogue but hexominoes on square boards from 5x5 to 7x7: the symmetries of the board and of the
/// game, where the latter contain the former and are more.
#[test]
fn games_with_more_symmetries_than_their_boards() {
    let mut found = Vec::new();
    for topology in [Topology::Plain, Topology::Torus] {
        for side in 5..=7 {
            let board = Board::new(side, side, topology).unwrap();
            let entries = Catalogue::standard().entries().iter();
            for entry in entries.filter(|entry| entry.shape.size() > 1 && !entry.name.starts_with("hex")) {
                let usual = Game::new(entry.shape.clone(), board, Rule::Strong).symmetries();
                let all = automorphisms(board.size(), &[&placements(&entry.shape, &board)], &[]);
                if all.len() > usual.len() && usual.is_within(&all) {
                    found.push(format!("{} {board}: {} {}", entry.name, usual.len(), all.len()));
                }
            }
        }
    }
    assert_eq!(
        found,
        [
            "skinny 5x5 plain: 8 288",
            "skinny 6x6 plain: 8 32",
            "I5 7x7 plain: 8 288",
            "3cells2 6x6 torus: 288 576",
            "2cells 7x7 torus: 392 784",
            "3cells1 7x7 torus: 392 1176",
            "3cells2 7x7 torus: 392 784",
        ]
    );
}

/// The certificate of a board game says `symmetry board` or none; the same game as sets names generators of them all.
#[test]
fn certificates_name_what_they_use() {
    for (rows, side, engine) in [
        ("XXXX", 5, EngineChoice::Auto),
        ("XXXX", 6, EngineChoice::Dfpn),
        ("XXXXX", 7, EngineChoice::Defender),
        ("XXX/X..", 5, EngineChoice::Alphabeta),
    ] {
        let board = Board::new(side, side, Topology::Plain).unwrap();
        let game = Game::new(Shape::from_rows(rows).unwrap(), board, Rule::Strong);
        let as_sets = Game::of_sets(Sets {
            names: board.cells().map(|cell| board.cell_name(cell)).collect(),
            black: game.black_sets().to_vec(),
            white: game.white_sets().to_vec(),
            rule: Rule::Strong,
            schedule: Schedule::alternating(board.size()),
            black_start: WideSet::EMPTY,
            white_start: WideSet::EMPTY,
            first: None,
        })
        .unwrap();
        let options = Options { engine, memory: 32 << 20, ..Options::default() };
        let settled = [&game, &as_sets].map(|game| settle(game, &options, &|_| {}).unwrap().outcome);
        assert_eq!(settled[0].verdict(), settled[1].verdict(), "{rows} {side}");
        let named = settled.map(|outcome| outcome.certificate().unwrap().proved().header().symmetry.clone());
        assert!(!matches!(named[0], Symmetry::Generators(_)), "{rows} {side}");
        assert!(matches!(named[1], Symmetry::Generators(_)), "{rows} {side}");
    }
}

/// The weak games of boards from 30 cells on that have more symmetries than these are searched up to the names of cells; the
/// certificates are written by the board's own all the same, and accepted.
#[test]
fn games_with_more_symmetries_are_settled_by_names() {
    let game = |rows: &str, side: usize, topology| {
        Game::new(Shape::from_rows(rows).unwrap(), Board::new(side, side, topology).unwrap(), Rule::Weak)
    };
    for (rows, side, topology, more) in [
        ("XXXXX", 6, Topology::Torus, true),
        ("XXXX", 6, Topology::Plain, true),
        ("XXXXX", 7, Topology::Plain, true),
        (".XXXX/XX...", 6, Topology::Torus, false),
        ("XXXX/X...", 6, Topology::Plain, false),
    ] {
        let game = game(rows, side, topology);
        assert_eq!(game.has_more_symmetries_than(game.symmetries().len()), more, "{rows} {side}x{side} {topology}");
    }
    for (rows, side, win) in [("XXXX", 6, true), ("XXXXX", 7, false), ("XXXXX", 6, false)] {
        let options = Options { engine: EngineChoice::Dfpn, memory: 64 << 20, ..Options::default() };
        let mut settled = settle(&game(rows, side, Topology::Plain), &options, &|_| {}).unwrap();
        assert_eq!(settled.outcome.win_by().is_some(), win, "{rows} {side}x{side}");
        let certificate = settled.outcome.certificate_mut().expect("nothing stops it");
        let text = std::io::read_to_string(certificate.reader().unwrap()).unwrap();
        assert!(!text.contains("\ng "), "the board's symmetries are enough");
        harary_certificate::check(text.as_bytes()).unwrap();
    }
}
