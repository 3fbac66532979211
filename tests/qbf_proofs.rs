//! Proofs from the QBF side: traces of a real DepQBF, accepted by our checker, and refused when they are changed.

use harary::game::Game;
use harary::qbf::decide::{WorkFolder, write_formula};
use harary::qbf::instance::{Encoding, Instance, Mode};
use harary::qbf::qrp;
use harary::qbf::solver::{RunLimits, Solver};
use harary_certificate::{Board, Rule, Shape, Topology};
use std::process::Command;
use std::time::Duration;

fn instance(rows: &str, board: &str, encoding: Encoding, turns: usize) -> Instance {
    let game = Game::new(Shape::from_rows(rows).unwrap(), Board::parse(board, Topology::Plain).unwrap(), Rule::Strong);
    Instance::new(game, encoding, turns, Mode::Lean { symmetry: 1 }).unwrap()
}

/// The trace of a solver, and its answer.
fn trace(solver: &str, instance: &Instance) -> (String, bool) {
    let solver = Solver::named(solver).unwrap_or_else(|error| panic!("{error}; run tests/install-solvers.sh"));
    let folder = WorkFolder::new().unwrap();
    let (formula, trace) = (folder.file("qdimacs"), folder.file("qrp"));
    write_formula(instance, &formula).unwrap();
    let run = solver.run_for_trace(&formula, &trace, &RunLimits::new(Duration::from_secs(600))).unwrap();
    (std::fs::read_to_string(&trace).unwrap(), run.answer().unwrap_or_else(|| panic!("{}", run.ending)))
}

fn value(instance: &Instance, trace: &str) -> Option<bool> {
    qrp::check(&instance.formula(), trace.as_bytes(), &|| false).ok().map(|accepted| accepted.value)
}

/// Tippy on 4x4 is not won by turn 7, though it is by turn 9: published tables say otherwise, and this is the proof of the
/// other kind.
#[test]
fn answers_of_both_kinds_are_proved() {
    for solver in ["depqbf", "depqbf6"] {
        for (rows, board, encoding, turns, expected) in [
            ("XX./.XX", "4x4", Encoding::Cor, 7, false),
            ("X./XX", "3x3", Encoding::Cor, 5, true),
            ("X./XX", "3x3", Encoding::CorPlus, 3, false),
            ("XX/XX", "3x3", Encoding::Pairing, 2, true),
        ] {
            let instance = instance(rows, board, encoding, turns);
            let (trace, answer) = trace(solver, &instance);
            assert_eq!(answer, expected, "{solver} {rows} {board} {turns}");
            let accepted = qrp::check(&instance.formula(), trace.as_bytes(), &|| false);
            let accepted = accepted.unwrap_or_else(|error| panic!("{solver} {rows} {board} {turns}: {error}"));
            assert_eq!(accepted.value, expected);
        }
    }
}

#[test]
fn changed_traces_are_refused() {
    for (turns, expected) in [(5, true), (3, false)] {
        let instance = instance("X./XX", "3x3", Encoding::Cor, turns);
        let (good, _) = trace("depqbf", &instance);
        assert_eq!(value(&instance, &good), Some(expected));
        let lines: Vec<&str> = good.lines().collect();
        let steps: Vec<usize> =
            (0..lines.len()).filter(|&at| lines[at].starts_with(|c: char| c.is_ascii_digit())).collect();
        let (mut dice, mut refused, mut tried) = (5u64, 0, 0);
        let mut random = |most: usize| {
            dice = dice.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (dice >> 33) as usize % most
        };
        for _ in 0..60 {
            let at = steps[random(steps.len())];
            let mut words: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
            let word = 1 + random(words.len() - 1);
            match random(3) {
                0 => drop(words.remove(word)),
                1 => words[word] = (1 + random(40)).to_string(),
                _ => words[word] = format!("-{}", words[word].trim_start_matches('-')),
            }
            let changed = words.join(" ");
            if changed == lines[at] {
                continue;
            }
            let mut text: Vec<&str> = lines.clone();
            text[at] = &changed;
            let found = value(&instance, &text.join("\n"));
            // A step that nobody needs may say something else that is true as well.
            assert_ne!(found, Some(!expected), "{changed}");
            tried += 1;
            refused += usize::from(found.is_none());
        }
        assert!(2 * refused > tried, "{refused} of {tried}");
        // Without its last step, or about another formula, it proves nothing.
        assert_eq!(value(&instance, &lines[..lines.len() - 3].join("\n")), None);
        assert_ne!(value(&self::instance("XXX", "3x3", Encoding::Cor, turns), &good), Some(expected));
    }
}

#[test]
fn the_command_says_what_is_proved() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = "crosscheck --boards 3x3 --shapes el --encodings cor,pairing --turns 4,5 --solvers depqbf --proof";
    let done = Command::new(env!("CARGO_BIN_EXE_harary"))
        .args(arguments.split(' '))
        .current_dir(folder.path())
        .output()
        .unwrap();
    let out = String::from_utf8(done.stdout).unwrap();
    assert!(out.contains(" accepted (") && out.contains("0 refused, 0 without"), "{out}");
}
