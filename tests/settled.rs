//! Truth as data: what `settled.csv` says is found again, and its certificate accepted.
//!
//! The turns are least ones. Where they differ from the literature, the literature is wrong: the win is certified here,
//! and so is that no earlier turn wins, for the boards up to 5x5.

use harary::game::Game;
use harary::game::catalogue::Catalogue;
use harary::settle::{EngineChoice, Least, Options, Outcome, search, settle};
use harary_certificate::{Board, Claim, Rule, Topology};

struct Row {
    name: String,
    game: Game,
    turn: Option<usize>,
}

fn rows() -> Vec<Row> {
    let rows = include_str!("settled.csv").lines().skip(1).map(|line| {
        let fields: Vec<&str> = line.split(',').collect();
        let [shape, board, topology, rule, verdict, turn] = fields[..] else { panic!("{line}") };
        let topology = if topology == "torus" { Topology::Torus } else { Topology::Plain };
        let rule = if rule == "weak" { Rule::Weak } else { Rule::Strong };
        let turn = turn.parse().ok();
        assert_eq!(verdict == "win", turn.is_some(), "{line}");
        let shape = Catalogue::standard().find(shape).expect(line).shape.clone();
        Row { name: line.to_owned(), game: Game::new(shape, Board::parse(board, topology).unwrap(), rule), turn }
    });
    rows.collect()
}

#[test]
fn every_row_is_found_again_and_certified() {
    let rows = rows();
    assert!(rows.len() > 40);
    for Row { name, game, turn } in rows {
        let options = Options { threads: 2, ..Options::default() };
        let outcome = settle(&game, &options, &|_| {}).unwrap().outcome;
        assert_eq!(outcome.least_turn(), turn, "{name}");
        let expected = turn.map_or(Claim::Hold(None), Claim::Win);
        assert_eq!(outcome.certificate().unwrap().proved().claim(), expected, "{name}");
    }
}

#[test]
fn least_turns_are_certified_up_to_5x5() {
    for Row { name, game, turn } in rows() {
        let (Some(turn), true) = (turn, game.vertices() <= 25) else { continue };
        let engine = EngineChoice::Alphabeta;
        let options = Options { engine, threads: 1, certify_refutation: true, ..Options::default() };
        match settle(&game, &options, &|_| {}).unwrap().outcome {
            Outcome::Win { least: Least::Certified(refutation), .. } => {
                assert_eq!(refutation.proved().claim(), Claim::Hold(Some(turn - 2)), "{name}");
            }
            outcome => assert!(turn == 1, "{name}: an earlier turn of Black's must be refuted, not {outcome:?}"),
        }
    }
}

/// The same run gives the same certificate, byte for byte.
#[test]
fn one_thread_is_deterministic() {
    for Row { name, game, .. } in rows().into_iter().step_by(5) {
        let certificate = || {
            let found = search(&game, &Options::default(), &|_| {}).unwrap();
            let mut bytes = Vec::new();
            found.evidence.unwrap().write(&game, &mut bytes).unwrap();
            bytes
        };
        assert!(certificate() == certificate(), "{name}");
    }
}
