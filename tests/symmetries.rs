//! Where the game of a shape on a board has more symmetries than the board, and that its certificates use them.

use harary::game::Game;
use harary::game::catalogue::Catalogue;
use harary::settle::{EngineChoice, Options, settle};
use harary_certificate::{Board, Rule, Shape, Symmetry, Topology};

fn game(rows: &str, side: usize, topology: Topology, rule: Rule) -> Game {
    Game::new(Shape::from_rows(rows).unwrap(), Board::new(side, side, topology).unwrap(), rule)
}

/// All shapes of the catalogue but hexominoes on square boards from 5x5 to 7x7: the symmetries of the board and of the
/// game, where these are more. Where they are more than are used, or exchange cells that lie in the same sets, the board's
/// stay: I5 on the 6x6 torus.
#[test]
fn games_with_more_symmetries_than_their_boards() {
    let mut found = Vec::new();
    for topology in [Topology::Plain, Topology::Torus] {
        for side in 5..=7 {
            let board = Board::new(side, side, topology).unwrap();
            let entries = Catalogue::standard().entries().iter();
            for entry in entries.filter(|entry| entry.shape.size() > 1 && !entry.name.starts_with("hex")) {
                let game = Game::new(entry.shape.clone(), board, Rule::Strong);
                let (usual, all) = (game.symmetries(), game.play_symmetries());
                assert!(usual.is_within(&all), "{} {board}", entry.name);
                if all.len() > usual.len() {
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

/// Their certificates name generators, and those of other boards `symmetry board` as ever.
#[test]
fn certificates_name_what_they_use() {
    for (rows, side, topology, rule, engine, turn) in [
        ("XXXX", 5, Topology::Plain, Rule::Strong, EngineChoice::Auto, None),
        ("XXXX", 5, Topology::Torus, Rule::Strong, EngineChoice::Alphabeta, Some(13)),
        ("XXXX", 5, Topology::Torus, Rule::Weak, EngineChoice::Defender, None),
        ("XXXX", 6, Topology::Plain, Rule::Strong, EngineChoice::Dfpn, None),
        ("XXXXX", 7, Topology::Plain, Rule::Weak, EngineChoice::Defender, None),
        ("XXX/X..", 5, Topology::Plain, Rule::Strong, EngineChoice::Alphabeta, None),
    ] {
        let game = game(rows, side, topology, rule);
        let options = Options { engine, memory: 32 << 20, ..Options::default() };
        let outcome = settle(&game, &options, &|_| {}).unwrap().outcome;
        assert!(turn.is_none_or(|turn| outcome.least_turn() == Some(turn)), "{rows} {side}");
        let header = outcome.certificate().unwrap().proved().header();
        let more = game.play_symmetries().len() > game.symmetries().len();
        assert_eq!(matches!(header.symmetry, Symmetry::Generators(_)), more, "{rows} {side}");
    }
}
