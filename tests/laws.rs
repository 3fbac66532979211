//! Laws between games: certificates carried from one game to another are accepted, by the crate's checker and by the
//! reference, and say what the law says.

#[allow(dead_code, reason = "shared by several tests")]
mod reference;

use harary::evidence::Evidence;
use harary::evidence::carry::{NotCarried, carry};
use harary::game::Game;
use harary::settle::{Options, Outcome, certify, settle};
use harary_certificate::{Board, Certificate, Claim, Rule, Shape, Topology};

fn game(rows: &str, board: &str, topology: Topology, rule: Rule) -> Game {
    Game::new(Shape::from_rows(rows).unwrap(), Board::parse(board, topology).unwrap(), rule)
}

/// The certificate of a game by one thread.
fn certificate(game: &Game) -> Certificate {
    let options = Options { threads: 1, memory: 64 << 20, ..Options::default() };
    match settle(game, &options, &|_| {}).unwrap().outcome {
        Outcome::Win { certificate, .. } | Outcome::Hold { certificate, .. } => certificate,
        _ => panic!("{} is not settled", game.header(Claim::Hold(None), false, None).sentence(None)),
    }
}

/// Carries the certificate of a game to another and has it checked twice; what it says there.
fn carried(from: &Game, to: &Game) -> Claim {
    let carried = carry(certificate(from).reader().unwrap(), to).unwrap();
    let claim = carried.claim();
    let mut accepted = certify(to, Box::new(carried)).unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(accepted.reader().unwrap(), &mut text).unwrap();
    assert_eq!(reference::verdict(text.as_bytes()), Ok(()));
    assert_eq!(accepted.proved().claim(), claim);
    claim
}

fn turn(claim: Claim) -> usize {
    match claim {
        Claim::Win(turn) => turn,
        other => panic!("{other}"),
    }
}

const ANIMALS: [&str; 8] = ["XX", "XXX", "XX/X.", "XXXX", "XXX/X..", "XXX/.X.", "XX./.XX", "X.X"];

fn is_win(game: &Game) -> bool {
    matches!(certificate(game).proved().claim(), Claim::Win(_))
}

/// (b): a win on a plain board, strong or weak, is a weak win by the same turn on larger boards and tori.
#[test]
fn wins_lie_on_larger_boards_and_tori() {
    let mut wins = 0;
    for rows in ANIMALS {
        for (small, rule) in [("3x3", Rule::Weak), ("3x4", Rule::Strong), ("4x4", Rule::Weak), ("4x4", Rule::Strong)] {
            let from = game(rows, small, Topology::Plain, rule);
            if !is_win(&from) {
                continue;
            }
            let before = turn(certificate(&from).proved().claim());
            for (large, topology) in
                [("4x4", Topology::Torus), ("4x5", Topology::Plain), ("5x4", Topology::Torus), ("9x9", Topology::Plain)]
            {
                let to = game(rows, large, topology, Rule::Weak);
                assert!(turn(carried(&from, &to)) <= before, "{rows} {small} {rule} to {large} {topology}");
                wins += 1;
            }
        }
    }
    assert!(wins >= 60, "{wins}");
}

/// (a) and (c): on the same board to the weak rule and to shapes inside, plain and torus.
#[test]
fn wins_serve_the_weak_rule_and_the_shapes_inside() {
    let mut wins = 0;
    for outer in ANIMALS {
        for (topology, board) in [(Topology::Plain, "4x4"), (Topology::Torus, "3x4"), (Topology::Plain, "5x5")] {
            for rule in [Rule::Strong, Rule::Weak] {
                let from = game(outer, board, topology, rule);
                if from.black_sets().is_empty() || !is_win(&from) {
                    continue;
                }
                let before = turn(certificate(&from).proved().claim());
                for inner in ANIMALS {
                    let inside = Shape::from_rows(inner).unwrap().is_inside(&Shape::from_rows(outer).unwrap());
                    if inside {
                        let to = game(inner, board, topology, Rule::Weak);
                        assert!(turn(carried(&from, &to)) <= before, "{outer} to {inner} on {board} {topology}");
                        wins += 1;
                    }
                }
            }
        }
    }
    assert!(wins >= 40, "{wins}");
}

/// (a), (c) and the other side of (b): weak holds serve the strong rule, the shapes around, and smaller plain boards.
#[test]
fn holds_serve_the_strong_rule_the_shapes_around_and_smaller_boards() {
    let held = |rows, board, topology| game(rows, board, topology, Rule::Weak);
    for (from, to) in [
        (held("XX/XX", "5x5", Topology::Plain), game("XX/XX", "5x5", Topology::Plain, Rule::Strong)),
        (held("XX/XX", "5x5", Topology::Plain), game("XXX/XX.", "5x5", Topology::Plain, Rule::Strong)),
        (held("XX/XX", "6x6", Topology::Plain), held("XX/XX", "4x5", Topology::Plain)),
        (held("XX/XX", "6x6", Topology::Torus), held("XX/XX", "5x6", Topology::Plain)),
        (held("XXXX", "5x5", Topology::Plain), held("XXXX", "4x4", Topology::Plain)),
        (held("XXXX", "5x5", Topology::Plain), held("XXXX", "3x5", Topology::Plain)),
        (held("XXXX/X...", "5x5", Topology::Plain), held("XXXX/X...", "4x5", Topology::Plain)),
        (held("XXXXX", "6x6", Topology::Plain), held("XXXXX", "5x6", Topology::Plain)),
        (held(".XXXX/XX...", "7x7", Topology::Plain), held(".XXXX/XX...", "5x7", Topology::Plain)),
        (held(".XXXX/XX...", "6x6", Topology::Plain), held(".XXXX/XX...", "5x5", Topology::Plain)),
    ] {
        assert_eq!(carried(&from, &to), Claim::Hold(None));
    }
}

#[test]
fn what_no_law_says_is_not_carried() {
    let from = game("XX/X.", "4x4", Topology::Plain, Rule::Weak);
    for to in [game("XX/X.", "3x3", Topology::Plain, Rule::Weak), game("XX/X.", "3x4", Topology::Torus, Rule::Weak)] {
        let carried = carry(certificate(&from).reader().unwrap(), &to);
        assert!(matches!(carried, Err(NotCarried::NoLaw(..))));
    }
    // The strong rule has no law of boards: what is written for it the checker refuses.
    let strong = game("XX/X.", "5x5", Topology::Plain, Rule::Strong);
    let text = carry(certificate(&from).reader().unwrap(), &strong).unwrap();
    assert!(certify(&strong, Box::new(text)).is_err());
    assert!(matches!(carry(&mut &b"harary-certificate 1\n"[..], &from), Err(NotCarried::Refused(_))));
}
