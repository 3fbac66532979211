//! Models of Q-sage's language: as games, as commands, and against the rules of the language played out.

use harary::effort::Limits;
use harary::engines::twin;
use harary::game::ig::{self, Description};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

fn file(name: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/ig").join(name).display().to_string()
}

/// Exit code, standard output, standard error.
fn harary(arguments: &[&str]) -> (i32, String, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_harary")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (done.status.code().unwrap(), text(done.stdout), text(done.stderr))
}

fn json(arguments: &[&str]) -> Value {
    let (_, out, errors) = harary(&[arguments, &["--json"]].concat());
    serde_json::from_str(&out).unwrap_or_else(|wrong| panic!("{wrong}: {out}{errors}"))
}

#[test]
fn models_of_shapes_are_our_games() {
    for (name, same, turn) in [
        ("el-3x3-5.ig", ["el", "3x3"], Some("5")),
        ("tippy-4x4-7.ig", ["tippy", "4x4"], Some("7")),
        ("tic-3x3-9-weak.ig", ["tic", "3x3"], None),
    ] {
        let mut ours = vec!["solve", same[0], same[1], "--threads", "1"];
        turn.into_iter().for_each(|turn| ours.extend(["--within", turn]));
        if turn.is_none() {
            ours.extend(["--rule", "weak"]);
        }
        let (model, own) = (json(&["solve", "--ig", &file(name), "--threads", "1"]), json(&ours));
        for field in ["/verdict", "/turn", "/by_turn", "/within", "/nodes", "/game/board"] {
            assert_eq!(model.pointer(field), own.pointer(field), "{name} {field}: {model}");
        }
    }
}

#[test]
fn models_go_everywhere_a_pg_file_goes() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let puzzle = file("bridge-7x1.ig");
    let (code, out, errors) = harary(&["solve", "--ig", &puzzle, "--certificate", &at("a.cert")]);
    assert_eq!(code, 0, "{out}{errors}");
    assert_eq!(harary(&["check", &at("a.cert")]).0, 0);
    // The same by its content, by --pg, and with the domain given, in either order.
    let finding = |arguments: &[&str]| {
        let answer = json(arguments);
        (answer["verdict"].clone(), answer["turn"].clone())
    };
    let answer = finding(&["solve", "--ig", &puzzle]);
    assert_eq!(answer.0, "win");
    let domain = file("domain.ig");
    for arguments in [&["--pg", &puzzle][..], &["--ig", &domain, &puzzle], &["--ig", &puzzle, &domain]] {
        assert_eq!(finding(&[&["solve"][..], arguments].concat()), answer, "{arguments:?}");
    }
    assert_eq!(harary(&["show", "--ig", &puzzle]).0, 0);
    let (code, text, _) = harary(&["show", "--ig", &file("knobby-5x4-start.ig"), "--write-pg"]);
    assert_eq!(code, 0);
    std::fs::write(at("knobby.pg"), text).unwrap();
    assert_eq!(
        finding(&["solve", "--pg", &at("knobby.pg")]),
        finding(&["solve", "--ig", &file("knobby-5x4-start.ig")])
    );
    let (code, formula, _) = harary(&["encode", "cor", "--ig", &puzzle, "--turns", "3"]);
    assert!(code == 0 && formula.contains("p cnf"));
}

#[test]
fn a_thousand_vertices_are_a_game() {
    let (code, out, errors) = harary(&["show", "--ig", &file("wide-40x25.ig")]);
    assert_eq!((code, errors.as_str()), (0, ""));
    assert!(out.contains("1000") || out.contains("3744"), "{out}");
    let answer =
        json(&["solve", "--ig", &file("wide-40x25.ig"), "--engine", "dfpn", "--threads", "1", "--memory", "64MiB"]);
    assert_eq!((&answer["verdict"], &answer["turn"]), (&"win".into(), &5.into()), "{answer}");
}

#[test]
fn what_is_no_positional_game_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let lone = folder.path().join("lone.ig");
    std::fs::copy(file("el-3x3-5.ig"), &lone).unwrap();
    let lone = lone.display().to_string();
    let domain = file("domain.ig");
    for (arguments, reason) in [
        (
            vec!["solve", "--ig", &*file("fall-4x4-3.ig")],
            "asks for more than its own cell being empty: NOT(open(?x,?y+1)); stones that fall",
        ),
        (vec!["solve", "--ig", &lone], "has no actions, and no domain lies beside it"),
        (vec!["solve", "--ig", &domain, &domain], "are both domains; a model is one of each"),
        (vec!["solve", "--ig", &domain], "there is no section #boardsize"),
        (vec!["solve", "--ig", "Cargo.toml"], "is no model of Q-sage's language"),
    ] {
        let (code, out, errors) = harary(&arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(errors.contains(reason) && errors.lines().count() == 1, "{errors}");
    }
}

/// A random number below `most`.
fn random(dice: &mut u64, most: u64) -> u64 {
    *dice = dice.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*dice >> 33) % most
}

/// A model of the test's own: sides, depth, whether Black leaves out his first turn, stones, offsets of goals.
struct Model {
    sides: (i64, i64),
    depth: usize,
    second: bool,
    stones: [Vec<(i64, i64)>; 2],
    goals: [Vec<Vec<(i64, i64)>>; 2],
}

impl Model {
    fn random(dice: &mut u64) -> Model {
        let sides = (1 + random(dice, 3) as i64, 2 + random(dice, 2) as i64);
        let mut stones = [Vec::new(), Vec::new()];
        for x in 1..=sides.0 {
            for y in 1..=sides.1 {
                if random(dice, 6) == 0 {
                    stones[random(dice, 2) as usize].push((x, y));
                }
            }
        }
        let mut goal =
            || (0..1 + random(dice, 3)).map(|_| (random(dice, 3) as i64 - 1, random(dice, 3) as i64 - 1)).collect();
        let black = vec![goal(), goal()];
        let white = vec![goal()];
        let white = if random(dice, 3) == 0 { Vec::new() } else { white };
        Model {
            sides,
            depth: 1 + random(dice, 8) as usize,
            second: random(dice, 4) == 0,
            stones,
            goals: [black, white],
        }
    }

    fn text(&self) -> String {
        let colours = ["black", "white"];
        let stones =
            [0, 1].map(|i| self.stones[i].iter().map(|(x, y)| format!("{}({x},{y}) ", colours[i])).collect::<String>());
        let goals = [0, 1].map(|i| {
            let line = |goal: &Vec<(i64, i64)>| {
                goal.iter().map(|(x, y)| format!("{}(?x{x:+},?y{y:+}) ", colours[i])).collect::<String>() + "\n"
            };
            self.goals[i].iter().map(line).collect::<String>()
        });
        format!(
            "#boardsize\n{} {}\n#init\n{}{}\n#depth\n{}\n#blackturn\n{}\n#blackgoal\n{}#whitegoal\n{}",
            self.sides.0,
            self.sides.1,
            stones[0],
            stones[1],
            self.depth,
            if self.second { "second" } else { "first" },
            goals[0],
            goals[1]
        )
    }

    fn has(&self, (x, y): (i64, i64)) -> bool {
        (1..=self.sides.0).contains(&x) && (1..=self.sides.1).contains(&y)
    }

    /// Whether somebody's goal is reached: every place of a line on the board and under their stones.
    fn reached(&self, player: usize, stones: &[Vec<(i64, i64)>; 2]) -> bool {
        self.goals[player].iter().any(|goal| {
            (1..=self.sides.0).any(|x| {
                (1..=self.sides.1).any(|y| {
                    goal.iter().all(|(dx, dy)| self.has((x + dx, y + dy)) && stones[player].contains(&(x + dx, y + dy)))
                })
            })
        })
    }

    /// Whether Black wins, by the rules of the language: moves one after the other up to the depth.
    fn wins(&self, turn: usize, stones: &mut [Vec<(i64, i64)>; 2]) -> bool {
        if turn == self.depth {
            return false;
        }
        let player = turn % 2;
        if turn == 0 && self.second {
            return self.wins(1, stones);
        }
        let free: Vec<(i64, i64)> = (1..=self.sides.0)
            .flat_map(|x| (1..=self.sides.1).map(move |y| (x, y)))
            .filter(|cell| !stones[0].contains(cell) && !stones[1].contains(cell))
            .collect();
        let mut outcome = |cell: (i64, i64)| {
            stones[player].push(cell);
            let wins = match self.reached(player, stones) {
                true => player == 0,
                false => self.wins(turn + 1, stones),
            };
            stones[player].pop();
            wins
        };
        if player == 0 { free.into_iter().any(outcome) } else { free.into_iter().all(&mut outcome) }
    }
}

#[test]
fn games_of_random_models_have_the_values_of_the_language() {
    let domain = Description::read("domain.ig", include_str!("ig/domain.ig")).unwrap();
    let (mut dice, mut won, mut held, mut refused) = (7, 0, 0, 0);
    while won + held < 600 {
        let model = Model::random(&mut dice);
        let text = model.text();
        let instance = Description::read("random.ig", &text).unwrap();
        let Ok(made) = ig::game(&domain, &instance) else {
            refused += 1;
            continue;
        };
        let found = twin::solve(&made.game, &Limits::none()).unwrap().win_turn;
        let found = found.is_some_and(|turn| made.within.is_none_or(|within| turn <= within));
        assert_eq!(found, model.wins(0, &mut model.stones.clone()), "{text}");
        if found { won += 1 } else { held += 1 }
    }
    assert!(won > 100 && held > 100 && refused < 600, "{won} {held} {refused}");
}
