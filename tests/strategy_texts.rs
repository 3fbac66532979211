//! Strategies written by people: random ones against the rules played out, and the examples of docs/strategy.md.

use harary::effort::Limits;
use harary::game::Game;
use harary::play::script::{Ending, Script, Trial};
use harary::settle::certify;
use harary_certificate::{Board, Cell, Claim, Player, Rule, Shape, Topology, WideSet};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A random number below `most`.
fn random(dice: &mut u64, most: usize) -> usize {
    *dice = dice.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*dice >> 33) as usize % most
}

/// Black's stones and White's.
type Position = (WideSet, WideSet);

/// A text of the test's own, as what it means: the first answer to a position, to any further stone, and pairs.
#[derive(Default)]
struct Meaning {
    lines: HashMap<Position, Cell>,
    open: Vec<(Position, Vec<Cell>)>,
    pairs: Vec<(Cell, Cell)>,
}

/// Whether some way to fill the gaps does what the text claims: no engine, no table but of positions.
struct Plain<'a> {
    game: &'a Game,
    side: Player,
    meaning: Meaning,
    known: HashMap<(Position, Option<Cell>), bool>,
}

impl Plain<'_> {
    fn completes(&self, player: Player, position: &Position) -> bool {
        match player {
            Player::Black => self.game.black_sets().iter().any(|set| set.is_subset(&position.0)),
            Player::White => self.game.white_sets().iter().any(|set| set.is_subset(&position.1)),
        }
    }

    fn after(position: &Position, player: Player, cell: Cell) -> Position {
        match player {
            Player::Black => (position.0.with(cell), position.1),
            Player::White => (position.0, position.1.with(cell)),
        }
    }

    /// What the text allows here: all moves if it is silent.
    fn said(&self, position: &Position, last: Option<Cell>, empty: WideSet) -> WideSet {
        let playable = |cells: &[Cell]| cells.iter().copied().filter(|cell| empty.contains(*cell)).collect::<WideSet>();
        if let Some(cell) = self.meaning.lines.get(position).filter(|cell| empty.contains(**cell)) {
            return WideSet::single(*cell);
        }
        let (own, other) = match self.side {
            Player::Black => (position.0, position.1),
            Player::White => (position.1, position.0),
        };
        for (line, answers) in &self.meaning.open {
            let (line_own, line_other) = match self.side {
                Player::Black => (line.0, line.1),
                Player::White => (line.1, line.0),
            };
            let fits = line_own == own && line_other.is_subset(&other) && (other - line_other).len() == 1;
            if fits && !playable(answers).is_empty() {
                return playable(answers);
            }
        }
        for &(a, b) in &self.meaning.pairs {
            for (one, partner) in [(a, b), (b, a)] {
                if last == Some(one) && empty.contains(partner) {
                    return WideSet::single(partner);
                }
            }
        }
        empty
    }

    fn stands(&mut self, position: Position, last: Option<Cell>) -> bool {
        if let Some(&known) = self.known.get(&(position, last)) {
            return known;
        }
        let empty = WideSet::first_cells(self.game.vertices()) - position.0 - position.1;
        let player = self.game.schedule().player_after(position.0.len() + position.1.len());
        let stands = match player {
            None => self.side == Player::White,
            Some(player) => {
                let own = player == self.side;
                let completing = empty.iter().any(|cell| self.completes(player, &Self::after(&position, player, cell)));
                match (completing, own) {
                    (true, _) => own,
                    (false, true) => self
                        .said(&position, last, empty)
                        .iter()
                        .any(|cell| self.stands(Self::after(&position, player, cell), None)),
                    (false, false) => {
                        empty.iter().all(|cell| self.stands(Self::after(&position, player, cell), Some(cell)))
                    }
                }
            }
        };
        self.known.insert((position, last), stands);
        stands
    }
}

/// A random text and what it means. Most lines come of lines of play in which this side does well.
fn random_text(dice: &mut u64, game: &Game, side: Player) -> (String, Meaning) {
    let (mut text, mut meaning) = (format!("for {}\n", side.to_string().to_lowercase()), Meaning::default());
    let name = |cell: Cell| game.vertex_name(cell);
    for _ in 0..1 + random(dice, 6) {
        let (mut position, mut moves): (Position, Vec<Cell>) = Default::default();
        let length = random(dice, 5);
        loop {
            let player = game.schedule().player_after(moves.len());
            let empty = WideSet::first_cells(game.vertices()) - position.0 - position.1;
            let pick = |dice: &mut u64| empty.iter().nth(random(dice, empty.len())).unwrap();
            let ready = moves.len() >= length;
            if player.is_none() || moves.len() > 6 {
                break;
            }
            let words: Vec<String> = moves.iter().map(|cell| name(*cell)).collect();
            if ready && player == Some(side) {
                let answer = pick(dice);
                let head = if words.is_empty() { "start".to_owned() } else { words.join(" ") };
                text += &format!("{head}: {}\n", name(answer));
                meaning.lines.entry(position).or_insert(answer);
                break;
            }
            if ready && player == Some(side.other()) && empty.len() > 1 && random(dice, 3) == 0 {
                let answers = vec![pick(dice), pick(dice), pick(dice)];
                let cells: Vec<String> = answers.iter().map(|cell| name(*cell)).collect();
                let head = if words.is_empty() { "start".to_owned() } else { words.join(" ") };
                text += &format!("{head} else: any of {}\n", cells.join(" "));
                meaning.open.push((position, answers));
                break;
            }
            let cell = pick(dice);
            let next = Plain::after(&position, player.unwrap(), cell);
            let over = game.black_sets().iter().any(|set| set.is_subset(&next.0))
                || game.white_sets().iter().any(|set| set.is_subset(&next.1));
            if over {
                break;
            }
            position = next;
            moves.push(cell);
        }
    }
    if random(dice, 3) == 0 {
        let mut cells: Vec<Cell> = (0..game.vertices()).map(Cell::new).collect();
        for place in (1..cells.len()).rev() {
            cells.swap(place, random(dice, place + 1));
        }
        let count = 1 + random(dice, cells.len() / 2);
        let pairs = cells.chunks_exact(2).take(count).map(|pair| (pair[0], pair[1]));
        meaning.pairs = pairs.collect();
        let words: Vec<String> = meaning.pairs.iter().map(|(a, b)| format!("{}-{}", name(*a), name(*b))).collect();
        text += &format!("else: pair {}\n", words.join(" "));
    }
    (text, meaning)
}

#[test]
fn random_texts_stand_if_and_only_if_following_them_does_it() {
    let games = [
        ("X./XX", "3x3"),
        ("XX", "3x2"),
        ("XX", "2x2"),
        ("XXX", "3x3"),
        ("XX/XX", "3x3"),
        ("X.X", "4x2"),
        ("XXX", "4x2"),
    ];
    let (mut dice, mut good, mut broken) = (11, [0, 0], [0, 0]);
    for round in 0..700 {
        let (rows, board) = games[round % games.len()];
        let rule = if random(&mut dice, 2) == 0 { Rule::Strong } else { Rule::Weak };
        let game = Game::new(Shape::from_rows(rows).unwrap(), Board::parse(board, Topology::Plain).unwrap(), rule);
        let side = if random(&mut dice, 2) == 0 { Player::Black } else { Player::White };
        let (text, meaning) = random_text(&mut dice, &game, side);
        if text.lines().count() == 1 {
            continue;
        }
        let script = Script::read(&text, &game).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let stands = Plain { game: &game, side, meaning, known: HashMap::new() }.stands(Default::default(), None);
        let limits = Limits::none();
        let found = Trial { game: &game, script: &script, memory: 1 << 20, limits: &limits }.run();
        let of = usize::from(side == Player::White);
        match found.ending {
            Ending::Good(evidence) => {
                assert!(stands, "{rows} {board} {rule}\n{text}");
                let certificate = certify(&game, evidence).unwrap_or_else(|error| panic!("{error}\n{text}"));
                assert_eq!(matches!(certificate.proved().claim(), Claim::Win(_)), side == Player::Black);
                good[of] += 1;
            }
            Ending::Broken(line, _) => {
                assert!(!stands, "{rows} {board} {rule}\n{text}");
                assert!(line.len() <= game.vertices());
                broken[of] += 1;
            }
            Ending::Stopped => panic!("nothing stops it"),
        }
    }
    assert!(good.iter().chain(&broken).all(|count| *count > 40), "{good:?} {broken:?}");
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Exit code, standard output, standard error.
fn harary(arguments: &[&str]) -> (i32, String, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_harary")).args(arguments).current_dir(root()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (done.status.code().unwrap(), text(done.stdout), text(done.stderr))
}

#[test]
fn examples_stand_with_a_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("a.cert.zst");
    let certificate = path.display().to_string();
    for (text, game, says) in [
        ("el-3x3.txt", ["el", "3x3"], "Black wins el on 3x3 plain, strong rule, by turn 5"),
        ("fatty-6x6.txt", ["fatty", "6x6"], "Black does not win fatty on 6x6 plain"),
    ] {
        let text = format!("tests/strategies/{text}");
        let (code, out, errors) =
            harary(&["strategy", "--test", &text, game[0], game[1], "--certificate", &certificate]);
        assert_eq!(code, 0, "{out}{errors}");
        assert!(out.contains(says) || out.contains("It stands"), "{out}");
        let (code, checked, _) = harary(&["check", &certificate]);
        assert!(code == 0 && checked.contains("accepted"), "{checked}");
    }
}

#[test]
fn what_breaks_is_shown() {
    let (code, out, errors) = harary(&["strategy", "--test", "tests/strategies/el-3x3-broken.txt", "el", "3x3"]);
    assert_eq!(code, 1, "{out}{errors}");
    assert!(out.contains("It breaks:\n  1. Black a1   line 4 of the text\n"), "{out}");
    assert!(out.lines().last().unwrap().starts_with("Here "), "{out}");
    let (code, out, _) =
        harary(&["strategy", "--test", "tests/strategies/skinny-7x7.txt", "skinny", "7x7", "--nodes", "10"]);
    assert!(code == 3 && out.contains("Not settled within the limits given"), "{out}");
}

#[test]
fn mistakes_are_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.txt");
    std::fs::write(&path, "for black\nstart: z3\n").unwrap();
    let path = path.display().to_string();
    for arguments in [
        vec!["strategy", "--test", &path, "el", "3x3"],
        vec!["strategy", "--test", "missing.txt", "el", "3x3"],
        vec!["strategy", "--test", &path, "el"],
        vec![
            "strategy",
            "--test",
            "tests/strategies/el-3x3.txt",
            "el",
            "3x3",
            "--certificate",
            "tests/strategies/el-3x3.txt",
        ],
        vec!["strategy", "el", "3x3"],
    ] {
        let (code, out, errors) = harary(&arguments);
        assert_eq!((code, out.as_str(), errors.lines().count()), (2, "", 1), "{arguments:?}: {errors}");
    }
    assert!(harary(&["strategy", "--test", &path, "el", "3x3"]).2.contains("wrong.txt, line 2: "));
}
