//! The avoidance game: two checkers, the search, the tablebase, the page and the command say the same.

#[path = "reference/avoidance.rs"]
mod reference;

use harary::effort::Limits;
use harary::engines::avoidance::Avoider;
use harary::game::polyomino::free_polyominoes;
use harary::tablebase::{Tablebase, Value};
use harary_certificate::avoidance::{self, Ending};
use harary_certificate::{Board, Shape, Stones, Topology};
use std::process::Command;

/// What the search says, with its file, which both checkers accept.
fn settled(shape: &Shape, board: Board) -> (Ending, String) {
    let limits = Limits::none();
    let mut avoider = Avoider::new(shape, board, 64 << 20, &limits);
    let ending = avoider.ending().unwrap();
    let text = avoidance::write(shape, &board, ending, &avoider.strategy(ending).unwrap());
    assert_eq!(avoidance::check(&text).unwrap().ending(), ending, "{text}");
    assert!(reference::accepts(&text), "{text}");
    (ending, text)
}

fn animals_against_the_tablebase(boards: &[(usize, usize)]) {
    for &(width, height) in boards {
        for topology in [Topology::Plain, Topology::Torus] {
            for shape in (1..=5).flat_map(free_polyominoes) {
                let board = Board::new(width, height, topology).unwrap();
                let tablebase = Tablebase::build_avoiding(&shape, board).unwrap();
                tablebase.verify().unwrap();
                let expected = match tablebase.value(&Stones::<1>::NONE).unwrap() {
                    Value::BlackWins(turn) => Ending::Win(turn),
                    Value::Held => Ending::Draw,
                    Value::WhiteWins(turn) => Ending::Loss(turn),
                };
                assert_eq!(settled(&shape, board).0, expected, "{shape} {board}");
            }
        }
    }
}

#[test]
fn search_and_tablebase_agree_on_small_boards() {
    animals_against_the_tablebase(&[(1, 1), (2, 1), (2, 2), (3, 2), (3, 3), (4, 2), (4, 3)]);
}

/// Run it with `cargo test --release --test avoidance -- --ignored`.
#[test]
#[ignore = "minutes of the tablebase; the smaller boards are tested always"]
fn search_and_tablebase_agree_on_4x4() {
    animals_against_the_tablebase(&[(4, 4)]);
}

#[test]
fn a_tablebase_is_read_as_it_was_written() {
    let board = Board::new(3, 2, Topology::Plain).unwrap();
    let built = Tablebase::build_avoiding(&Shape::from_rows("X./XX").unwrap(), board).unwrap();
    let read = Tablebase::from_bytes(&built.to_bytes().unwrap()).unwrap();
    assert!(read.avoids() && read.verify().is_ok());
    assert_eq!(read.value(&Stones::<1>::NONE).unwrap(), built.value(&Stones::<1>::NONE).unwrap());
}

/// Every small change of a good file: the checkers agree on it, and most are refused.
#[test]
fn both_checkers_have_the_same_teeth() {
    let (mut accepted, mut refused) = (0, 0);
    for (rows, width, height, topology) in [
        ("XX", 2, 2, Topology::Plain),
        ("X./XX", 3, 2, Topology::Plain),
        ("XX", 3, 2, Topology::Torus),
        ("XXX", 3, 3, Topology::Plain),
    ] {
        let board = Board::new(width, height, topology).unwrap();
        let (_, text) = settled(&Shape::from_rows(rows).unwrap(), board);
        let mut changed = Vec::new();
        let lines: Vec<&str> = text.lines().collect();
        for place in 0..lines.len() {
            let without: Vec<&str> = lines.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, l)| *l).collect();
            changed.push(without.join("\n") + "\n");
            let mut twice = lines.clone();
            twice.insert(place, lines[place]);
            changed.push(twice.join("\n") + "\n");
            for (at, letter) in lines[place].char_indices() {
                for other in ["0", "1", "3", "7", "f", " ", "b", "w", ""] {
                    let line = format!("{}{other}{}", &lines[place][..at], &lines[place][at + letter.len_utf8()..]);
                    let mut with = lines.clone();
                    with[place] = &line;
                    changed.push(with.join("\n") + "\n");
                }
            }
        }
        changed.push(text.trim_end().to_owned());
        for claim in ["claim draw", "claim win 1", "claim win 6", "claim loss 3", "claim loss 5", "claim hold"] {
            changed.push(text.replace(lines[2], claim));
        }
        for text in changed {
            // Coordinates beyond what boards have are read differently, and prove nothing either way.
            let real = avoidance::check(&text).is_ok();
            assert_eq!(real, reference::accepts(&text), "{text}");
            *if real { &mut accepted } else { &mut refused } += 1;
        }
    }
    assert!(accepted > 0 && refused > 5 * accepted, "{accepted} accepted, {refused} refused");
}

#[test]
fn the_blocks_of_the_page_are_judged_as_they_are_marked() {
    let page = include_str!("../docs/certificate.md");
    let mut seen = (0, 0);
    for part in page.split("\n```").filter(|part| part.starts_with("avoidance")) {
        let (word, text) = part.split_once('\n').unwrap();
        let text = format!("{text}\n");
        let good = word == "avoidance";
        assert_eq!(avoidance::check(&text).is_ok(), good, "{text}");
        assert_eq!(reference::accepts(&text), good, "{text}");
        *if good { &mut seen.0 } else { &mut seen.1 } += 1;
    }
    assert_eq!(seen, (2, 3));
}

#[test]
fn the_command_writes_what_check_accepts() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_harary"));
        let run = command.args(arguments.split(' ')).current_dir(folder.path()).output().unwrap();
        (run.status.code(), String::from_utf8(run.stdout).unwrap())
    };
    let (code, said) = run("solve el 3x3 --rule avoid --certificate el.avoid");
    let board = Board::new(3, 3, Topology::Plain).unwrap();
    let (ending, _) = settled(&Shape::from_rows("X./XX").unwrap(), board);
    assert_eq!(code, Some(0));
    assert!(said.contains("avoidance rule") && said.contains("Certificate el.avoid: accepted"), "{said}");
    let (code, said) = run("check el.avoid --json");
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains(&format!("\"claim\": \"{ending}\"")) || said.contains(&format!("\"claim\":\"{ending}\"")),
        "{said}"
    );
    assert_eq!(run("avoid el 9x9").0, Some(2));
    assert_eq!(run("avoid fivecells-l 6x6 --time 0s").0, Some(3));
    let text = std::fs::read_to_string(folder.path().join("el.avoid")).unwrap();
    std::fs::write(folder.path().join("bad.avoid"), text.replace("claim ", "claim win 1 ")).unwrap();
    assert_eq!(run("check bad.avoid").0, Some(1));
}
