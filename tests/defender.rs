//! The defender alone decides the weak game as the twin does, and its certificates are accepted.

#[allow(dead_code)]
mod reference;

use harary::effort::Limits;
use harary::engines::twin;
use harary::game::Game;
use harary::game::polyomino;
use harary::settle::{EngineChoice, Options, Settled, Verdict, settle};
use harary_certificate::{Board, Rule, Topology};

/// Settles a game by the defender, has the certificate checked, and compares with the twin.
fn assert_decided(game: &Game, threads: usize) -> Verdict {
    let truth = twin::solve(game, &Limits::none()).unwrap().win_turn;
    let options = Options { engine: EngineChoice::Defender, threads, ..Options::default() };
    let outcome = settle(game, &options, &|_| {}).unwrap().outcome;
    let expected = if truth.is_some() { Verdict::Win } else { Verdict::Hold };
    assert_eq!(outcome.verdict(), expected, "{:?}", game.origin());
    assert_eq!(outcome.first_move().is_some(), expected == Verdict::Win, "{:?}", game.origin());
    if let (Some(least), Some(turn)) = (truth, outcome.win_by()) {
        assert!(turn >= least);
    }
    expected
}

#[test]
fn weak_games_of_small_boards_are_decided_as_by_the_twin() {
    let (mut wins, mut holds) = (0, 0);
    for (width, height) in [(2, 2), (3, 3), (4, 3), (2, 6)] {
        for topology in [Topology::Plain, Topology::Torus] {
            for shape in (1..=5).flat_map(polyomino::free_polyominoes) {
                let board = Board::new(width, height, topology).unwrap();
                let game = Game::new(shape, board, Rule::Weak);
                for threads in [1, 2, 3] {
                    *if assert_decided(&game, threads) == Verdict::Win { &mut wins } else { &mut holds } += 1;
                }
            }
        }
    }
    assert!(wins > 50 && holds > 50, "{wins} wins, {holds} holds");
}

/// Skinny on 6x6 is a win of the weak game and a draw of the strong one: White holds by threats of her own, in strong
/// blocks. The reference, too, accepts what is written.
#[test]
fn a_strong_hold_of_a_weak_win_is_certified() {
    let shape = harary_certificate::Shape::from_rows("XXXX").unwrap();
    let game = |rule| Game::new(shape.clone(), Board::new(6, 6, Topology::Plain).unwrap(), rule);
    // Stopped in between, it says so.
    let limits = Limits::none().part(Some(20_000));
    let options = Options { engine: EngineChoice::Defender, limits, ..Options::default() };
    let stopped = settle(&game(Rule::Strong), &options, &|_| {}).unwrap();
    assert!(stopped.outcome.verdict() == Verdict::Unknown && stopped.account.defence.unwrap().weak_win);
    for (rule, expected) in [(Rule::Weak, Verdict::Win), (Rule::Strong, Verdict::Hold)] {
        let options = Options { engine: EngineChoice::Defender, ..Options::default() };
        let mut outcome = settle(&game(rule), &options, &|_| {}).unwrap().outcome;
        assert_eq!(outcome.verdict(), expected);
        let accepted = outcome.certificate().unwrap().proved();
        if rule == Rule::Strong {
            assert!(accepted.nodes() > 0 && accepted.positions() == 0, "{accepted:?}");
            let (folder, certificate) = (tempfile::tempdir().unwrap(), outcome.certificate_mut().unwrap());
            let path = folder.path().join("skinny.cert");
            certificate.keep(&path).unwrap();
            assert_eq!(reference::verdict(&std::fs::read(path).unwrap()), Ok(()));
        }
    }
}

/// Games of this size are beyond the slice of the blocking search, so the other search decides them.
#[test]
fn a_torus_is_held_by_the_numbers() {
    let shape = harary_certificate::Shape::from_rows("X.X/XXX/X..").unwrap();
    let game = Game::new(shape, Board::new(5, 5, Topology::Torus).unwrap(), Rule::Strong);
    let options = Options { engine: EngineChoice::Defender, ..Options::default() };
    let Settled { outcome, account } = settle(&game, &options, &|_| {}).unwrap();
    assert_eq!((outcome.verdict(), account.engine), (Verdict::Hold, "maker-breaker"));
}

/// What the attacker refutes is not written position by position where White holds the weak game.
#[test]
fn a_strong_hold_of_the_attackers_is_a_block() {
    let shape = harary_certificate::Shape::from_rows(".X./XXX/.X.").unwrap();
    let game = Game::new(shape, Board::new(5, 5, Topology::Torus).unwrap(), Rule::Strong);
    let options = Options { engine: EngineChoice::Alphabeta, ..Options::default() };
    let Settled { outcome, account } = settle(&game, &options, &|_| {}).unwrap();
    assert_eq!((outcome.verdict(), account.engine), (Verdict::Hold, "alphabeta"));
    let accepted = outcome.certificate().unwrap().proved();
    assert!(accepted.nodes() > 0 && accepted.nodes() + accepted.positions() < 100, "{accepted:?}");
}
