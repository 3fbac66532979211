//! Every encoding, run through real solvers, says what exhaustive search says.
//!
//! The solvers must be there: `tests/install-solvers.sh` installs them. A missing one fails these tests.

use harary::effort::Limits;
use harary::game::Game;
use harary::game::catalogue::Catalogue;
use harary::qbf::accounting::Summary;
use harary::qbf::crosscheck::{self, Settings, Subject};
use harary::qbf::decide::{WorkFolder, write_formula};
use harary::qbf::instance::{Encoding, Instance, InstanceError, Mode};
use harary::qbf::native::{Engines, Exhaustive, Native};
use harary::qbf::row::{Finding, Row};
use harary::qbf::solver::{RunLimits, Solver};
use harary_certificate::{Board, Rule, Shape, Topology};
use std::time::Duration;

fn solver(name: &str) -> Solver {
    Solver::named(name).unwrap_or_else(|error| panic!("{error}; run tests/install-solvers.sh"))
}

fn game(shape: &Shape, side: usize, topology: Topology, rule: Rule) -> Game {
    Game::new(shape.clone(), Board::new(side, side, topology).unwrap(), rule)
}

fn named(name: &str) -> Shape {
    Catalogue::standard().find(name).unwrap().shape.clone()
}

/// The animals of at most six cells that fit on a board.
fn animals(side: usize) -> Vec<(String, Shape)> {
    let entries = Catalogue::standard().entries().iter();
    entries
        .filter(|entry| entry.shape.is_animal() && entry.shape.size() <= 6 && entry.shape.fits(side, side))
        .map(|entry| (entry.name.clone(), entry.shape.clone()))
        .collect()
}

/// All questions that can be asked about a game up to its last turn.
fn questions(topology: Topology, last: usize) -> Vec<(Encoding, usize)> {
    let asked = |encoding: Encoding, turn: usize| match encoding {
        Encoding::Pairing => turn.is_multiple_of(2),
        Encoding::CorPlusPlus => turn % 2 == 1 && topology == Topology::Torus,
        _ => turn % 2 == 1,
    };
    (0..=last)
        .flat_map(|turn| Encoding::ALL.into_iter().filter(move |&e| asked(e, turn)).map(move |e| (e, turn)))
        .collect()
}

fn check(subjects: &[Subject], solvers: &[Solver], native: &dyn Native) -> Vec<Row> {
    check_after(subjects, solvers, &[None], native)
}

fn check_after(
    subjects: &[Subject],
    solvers: &[Solver],
    preprocessors: &[Option<Solver>],
    native: &dyn Native,
) -> Vec<Row> {
    let settings = Settings {
        native,
        native_limits: &Limits::none,
        solvers,
        preprocessors,
        proofs: false,
        limits: &RunLimits::new(Duration::from_secs(120)),
        game_time: None,
        jobs: std::thread::available_parallelism().unwrap(),
        known: &|_| None,
        keep: &std::env::temp_dir().join("harary-disagreements"),
    };
    let rows = crosscheck::run(subjects, &settings, &|_, _| {}).unwrap();
    for row in &rows {
        assert!(matches!(row.finding, Finding::Agreement | Finding::NoCoverWin), "{row:#?}");
    }
    rows
}

fn subjects(side: usize, shapes: &[(String, Shape)], faithful: bool) -> Vec<Subject> {
    let mut subjects = Vec::new();
    for topology in [Topology::Plain, Topology::Torus] {
        // COR++ is for tori: see `questions`.
        for (name, shape) in shapes {
            let game = game(shape, side, topology, Rule::Strong);
            subjects.push(Subject { name: name.clone(), game, questions: questions(topology, side * side), faithful });
        }
    }
    subjects
}

/// All 48 games on 3x3, every turn, every encoding in lean mode. DYS, by far the slowest, only up to turn 7.
#[test]
fn all_3x3_instances() {
    let shapes = animals(3);
    assert_eq!(shapes.len(), 24);
    let mut subjects = subjects(3, &shapes, false);
    subjects.iter_mut().for_each(|subject| subject.questions.retain(|&(e, turn)| e != Encoding::Dys || turn <= 7));
    let rows = check(&subjects, &[solver("depqbf")], &Exhaustive);
    // Nothing is missed inside the cover on 3x3.
    assert_eq!(Summary::of(&rows).agreements, rows.len());
    assert_eq!(rows.len(), 48 * (3 * 5 + 5 + 4) + 24 * 5);
}

/// The formulas as published, for one winner and one loser.
#[test]
fn faithful_3x3_instances() {
    let shapes: Vec<_> = ["el", "fatty"].map(|name| (name.to_owned(), named(name))).to_vec();
    let mut subjects = subjects(3, &shapes, true);
    subjects.iter_mut().for_each(|subject| subject.questions.retain(|&(e, turn)| e != Encoding::Dys || turn <= 5));
    let rows = check(&subjects, &[solver("depqbf")], &Exhaustive);
    assert_eq!(Summary::of(&rows).agreements, rows.len());
    assert!(rows.iter().any(|row| row.native == Some(true)) && rows.iter().any(|row| row.native == Some(false)));
}

/// A preprocessor changes no verdict: some shapes of every size, lean and as published.
#[test]
fn simplified_3x3_instances() {
    let Ok(bloqqer) = Solver::preprocessor("bloqqer") else {
        eprintln!("SKIPPED: bloqqer is not installed");
        return;
    };
    let shapes: Vec<_> = ["elam", "domino", "el", "tic", "fatty"].map(|name| (name.to_owned(), named(name))).to_vec();
    for faithful in [false, true] {
        let mut subjects = subjects(3, &shapes, faithful);
        // DYS takes long, and COR++ has its own tests.
        let wanted = |encoding| !matches!(encoding, Encoding::Dys | Encoding::CorPlusPlus);
        subjects.iter_mut().for_each(|subject| subject.questions.retain(|&(e, turn)| wanted(e) && turn >= 4));
        let rows = check_after(&subjects, &[solver("depqbf6")], &[Some(bloqqer.clone())], &Exhaustive);
        assert_eq!(Summary::of(&rows).agreements, rows.len());
        assert!(rows.iter().all(|row| row.preprocessor.as_deref() == Some("bloqqer")));
        assert!(rows.iter().any(|row| row.native == Some(true)) && rows.iter().any(|row| row.native == Some(false)));
    }
}

/// Everything on 3x3 as published: 1,320 formulas.
#[test]
#[ignore = "a minute; the lean formulas of the same games are checked above, selected faithful ones too"]
fn all_faithful_3x3_instances() {
    let rows = check(&subjects(3, &animals(3), true), &[solver("depqbf")], &Exhaustive);
    assert_eq!((rows.len(), Summary::of(&rows).agreements), (1320, 1320));
}

/// All 98 games on 4x4 to the last turn, from White's side: 14 winners and 84 losers.
#[test]
#[ignore = "minutes; selected_4x4_instances covers the same with fewer shapes"]
fn all_4x4_instances() {
    let rows = check(&pairing_to_the_end(&animals(4)), &[solver("depqbf6")], &Engines { memory: 1 << 22 });
    assert_eq!(rows.iter().filter(|row| row.native == Some(false)).count(), 14);
    assert_eq!(rows.iter().filter(|row| row.native == Some(true)).count(), 84);
}

#[test]
fn selected_4x4_instances() {
    let shapes: Vec<_> = ["domino", "el", "fatty", "skinny"].map(|name| (name.to_owned(), named(name))).to_vec();
    let rows = check(&pairing_to_the_end(&shapes), &[solver("depqbf6")], &Engines { memory: 1 << 22 });
    let winners: Vec<&str> =
        rows.iter().filter(|row| row.native == Some(false)).map(|row| row.shape.as_str()).collect();
    assert_eq!(winners, ["domino", "el", "domino", "el"]);
}

fn pairing_to_the_end(shapes: &[(String, Shape)]) -> Vec<Subject> {
    let mut subjects = subjects(4, shapes, false);
    subjects.iter_mut().for_each(|subject| subject.questions = vec![(Encoding::Pairing, 16)]);
    subjects
}

/// Solves one formula.
fn decide(game: &Game, encoding: Encoding, turns: usize, mode: Mode, solver: &Solver) -> bool {
    let folder = WorkFolder::new().unwrap();
    let file = folder.file("qdimacs");
    write_formula(&Instance::new(game.clone(), encoding, turns, mode).unwrap(), &file).unwrap();
    let run = solver.run(&file, &RunLimits::new(Duration::from_secs(120)));
    run.answer().unwrap_or_else(|| panic!("{encoding} {mode} k={turns}: {}", run.ending))
}

/// Leaving out symmetric moves, at whatever depth, changes no verdict.
#[test]
fn symmetry_breaking_changes_nothing() {
    let solver = solver("depqbf");
    for name in ["el", "tippy", "knobby"] {
        for topology in [Topology::Plain, Topology::Torus] {
            let game = game(&named(name), 3, topology, Rule::Strong);
            let wins = Exhaustive.win_turn(&game, 9, &Limits::none()).unwrap();
            for symmetry in [0, 2, 3] {
                let mode = Mode::Lean { symmetry };
                for encoding in [Encoding::Cor, Encoding::CorPlus, Encoding::Cover] {
                    for turns in [5, 7] {
                        let verdict = decide(&game, encoding, turns, mode, &solver);
                        assert_eq!(
                            verdict,
                            wins.is_some_and(|turn| turn <= turns),
                            "{name} {topology} {encoding} {mode}"
                        );
                    }
                }
                for turns in [2, 4] {
                    let paves = Exhaustive.paves(&game, turns, &Limits::none()).unwrap();
                    let verdict = decide(&game, Encoding::Pairing, turns, mode, &solver);
                    assert_eq!(verdict, paves, "{name} {topology} pairing {mode} {turns}");
                }
            }
        }
    }
}

/// Other rules, orders of turns, rectangles, games of sets.
#[test]
fn other_games() {
    let solver = solver("depqbf");
    let lines = Shape::from_rows("XXX").unwrap();
    let strip = Board::new(4, 3, Topology::Plain).unwrap();
    let games = [
        game(&named("tippy"), 3, Topology::Plain, Rule::Weak),
        game(&lines, 3, Topology::Plain, Rule::Weak).with_handicap(1),
        game(&named("el"), 3, Topology::Plain, Rule::Strong).with_stones(2, 1).unwrap(),
        Game::new(named("tic"), strip, Rule::Strong),
    ];
    for game in &games {
        let wins = Exhaustive.win_turn(game, game.schedule().len(), &Limits::none()).unwrap();
        for turns in [3, 5, 6] {
            for encoding in [Encoding::Cor, Encoding::CorPlus, Encoding::Dys] {
                for mode in [Mode::Faithful, Mode::Lean { symmetry: 1 }] {
                    let verdict = decide(game, encoding, turns, mode, &solver);
                    assert_eq!(verdict, wins.is_some_and(|turn| turn <= turns), "{encoding} {mode} {turns} {game:?}");
                }
            }
        }
    }
}

#[test]
fn what_an_encoding_cannot_say_is_refused() {
    let plain = game(&named("el"), 3, Topology::Plain, Rule::Strong);
    let new = |game: &Game, encoding, turns, mode| Instance::new(game.clone(), encoding, turns, mode).unwrap_err();
    let lean = Mode::Lean { symmetry: 1 };
    assert_eq!(new(&plain, Encoding::Cor, 10, lean), InstanceError::TooManyTurns { asked: 10, turns: 9 });
    assert_eq!(new(&plain, Encoding::CorPlusPlus, 9, Mode::Faithful), InstanceError::NeedsSquareTorus);
    assert_eq!(new(&plain, Encoding::Cor, 9, Mode::Lean { symmetry: 4 }), InstanceError::TooDeep(4));
    let handicap = plain.with_handicap(1);
    assert_eq!(new(&handicap, Encoding::Pairing, 4, lean), InstanceError::NeedsAlternation(Encoding::Pairing));
}

/// The engine answers as the twin does, and so does its play for a paving.
#[test]
fn the_engine_agrees_with_the_twin() {
    let engines = Engines { memory: 1 << 22 };
    for (name, shape) in animals(3) {
        for topology in [Topology::Plain, Topology::Torus] {
            let game = game(&shape, 3, topology, Rule::Strong);
            let limits = Limits::none();
            assert_eq!(
                engines.win_turn(&game, 9, &limits),
                Exhaustive.win_turn(&game, 9, &limits),
                "{name} {topology}"
            );
            for turns in 0..=9 {
                assert_eq!(
                    engines.paves(&game, turns, &limits),
                    Exhaustive.paves(&game, turns, &limits),
                    "{name} {turns}"
                );
            }
        }
    }
}

/// Boucher's table 7.1 gives tippy as won on 4x4 by turn 7. Two encodings, two solvers and the native search say it is
/// not; turn 9 is the least.
#[test]
fn tippy_4x4_is_not_won_by_turn_7() {
    let game = game(&named("tippy"), 4, Topology::Plain, Rule::Strong);
    assert_eq!(Engines { memory: 1 << 22 }.win_turn(&game, 9, &Limits::none()), Ok(Some(9)));
    for solver in [solver("depqbf"), solver("depqbf6")] {
        for encoding in [Encoding::Cor, Encoding::CorPlus] {
            assert!(!decide(&game, encoding, 7, Mode::Faithful, &solver), "{encoding} {}", solver.name());
        }
    }
    assert!(decide(&game, Encoding::CorPlus, 9, Mode::Lean { symmetry: 2 }, &solver("depqbf6")));
}
