//! Wins inside covers: true, accepted by the checker, and complete as far as covers go.

use ahash::AHashMap;
use harary::effort::{Limits, Meter};
use harary::engines::cover::cover_of;
use harary::engines::twin;
use harary::evidence::Evidence;
use harary::game::Game;
use harary::game::polyomino;
use harary::settle::covers::{CoverFinding, search_covers};
use harary::settle::{CoverMode, Options, Outcome, Settled, settle};
use harary_certificate::{Board, Cell, Claim, Rule, Shape, Topology, WideSet, checker};

fn find(game: &Game, mode: CoverMode, within: Option<usize>) -> CoverFinding {
    search_covers(game, mode, within, 4 << 20, &Limits::none(), &Meter::default()).unwrap()
}

/// The certificate of a win, accepted with the same claim.
fn certificate(game: &Game, finding: &CoverFinding) -> Option<String> {
    let win = finding.win.as_ref()?;
    let mut file = Vec::new();
    win.strategy.write(game, &mut file).unwrap();
    let accepted = checker::check(&file[..]).unwrap_or_else(|refused| panic!("{:?}: {refused}", game.origin()));
    assert_eq!(accepted.header().claim, Claim::Win(win.turn));
    assert_eq!(accepted.header().cover, Some(win.cover));
    Some(String::from_utf8(file).unwrap())
}

/// The rules of the cover game and nothing else: the least turn of a win inside `cover`.
struct Slow<'a> {
    game: &'a Game,
    cover: WideSet,
    known: AHashMap<(WideSet, WideSet, usize), Option<usize>>,
}

impl Slow<'_> {
    fn win_turn(&mut self, black: WideSet, white: WideSet, elsewhere: usize) -> Option<usize> {
        let key = (black, white, elsewhere);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let turn = black.len() + white.len() + elsewhere + 1;
        let empty = self.cover - black - white;
        let found = if turn % 2 == 1 {
            let mut best = None;
            for cell in empty {
                let after = black.with(cell);
                let found = match self.game.black_sets().iter().any(|set| set.is_subset(&after)) {
                    true => Some(turn),
                    false => self.win_turn(after, white, elsewhere),
                };
                best = best.into_iter().chain(found).min();
            }
            best
        } else {
            let room = elsewhere < self.game.vertices() - self.cover.len();
            let inside = empty.iter().map(|cell| (white.with(cell), elsewhere));
            let replies: Vec<_> = inside.chain(room.then_some((white, elsewhere + 1))).collect();
            let mut latest = None;
            for &(white, elsewhere) in &replies {
                let completed = self
                    .game
                    .white_sets()
                    .iter()
                    .any(|&set| (set & self.cover).is_subset(&white) && (set - self.cover).len() <= elsewhere);
                match if completed { None } else { self.win_turn(black, white, elsewhere) } {
                    None => {
                        latest = None;
                        break;
                    }
                    found => latest = latest.max(found),
                }
            }
            latest
        };
        self.known.insert(key, found);
        found
    }
}

fn slow_turn(game: &Game) -> Option<usize> {
    let all = WideSet::first_cells(game.vertices());
    let covers = game.symmetries().representatives(&all).iter().map(|first| cover_of(game, first));
    let turn = |cover| Slow { game, cover, known: AHashMap::new() }.win_turn(WideSet::EMPTY, WideSet::EMPTY, 0);
    covers.filter_map(turn).min()
}

/// The same numbers in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

fn random_shape(dice: &mut Dice, cells: usize) -> Shape {
    let mut list: Vec<(i32, i32)> = Vec::new();
    while list.len() < cells {
        let cell = (dice.roll(3) as i32, dice.roll(3) as i32);
        if !list.contains(&cell) {
            list.push(cell);
        }
    }
    Shape::new(&list).unwrap()
}

/// Static covers win exactly when and as early as plain recursion does, every win is one of the whole game too, and the
/// checker accepts it.
#[test]
fn random_games_on_small_boards() {
    let mut dice = Dice(7);
    let mut wins = 0;
    for _ in 0..100 {
        let (width, height) = [(3, 3), (2, 5), (4, 2), (2, 4), (3, 2)][dice.roll(5)];
        let cells = 2 + dice.roll(3);
        let shape = random_shape(&mut dice, cells);
        let topology = [Topology::Plain, Topology::Torus][dice.roll(2)];
        let board = Board::new(width, height, topology).unwrap();
        for rule in [Rule::Strong, Rule::Weak] {
            let game = Game::new(shape.clone(), board, rule);
            let finding = find(&game, CoverMode::Static, None);
            let what = format!("{shape} on {board}, {rule}");
            let turn = finding.win.as_ref().map(|win| win.turn);
            assert_eq!(turn, slow_turn(&game), "{what}");
            let truth = twin::solve(&game, &Limits::none()).unwrap().win_turn;
            for mode in [CoverMode::Dynamic, CoverMode::Window(3, 2)] {
                let other = find(&game, mode, None);
                certificate(&game, &other);
                if let Some(win) = other.win {
                    assert!(truth.is_some_and(|truth| truth <= win.turn), "{what}, {mode}");
                }
            }
            certificate(&game, &finding);
            if let Some(turn) = turn {
                wins += 1;
                assert!(truth.is_some_and(|truth| truth <= turn), "{what}: {turn}, in truth {truth:?}");
            }
        }
    }
    assert!(wins > 30, "{wins} wins");
}

/// All polyominoes up to 4 cells on boards up to 4x4: what a cover wins, the ordinary engine wins, and as early.
#[test]
fn polyominoes_from_the_empty_board() {
    let mut wins = 0;
    for (width, height) in [(1, 1), (1, 4), (2, 2), (2, 3), (3, 3), (4, 3), (4, 4)] {
        for shape in (1..=4).flat_map(polyomino::free_polyominoes) {
            for (topology, rule) in [Topology::Plain, Topology::Torus]
                .into_iter()
                .flat_map(|topology| [(topology, Rule::Strong), (topology, Rule::Weak)])
            {
                let game = Game::new(shape.clone(), Board::new(width, height, topology).unwrap(), rule);
                for mode in [CoverMode::Static, CoverMode::Dynamic] {
                    let finding = find(&game, mode, None);
                    certificate(&game, &finding);
                    let Some(win) = finding.win else { continue };
                    wins += 1;
                    let truth = settle(&game, &Options { memory: 4 << 20, ..Options::default() }, &|_| {}).unwrap();
                    let least = truth.outcome.least_turn();
                    assert!(
                        least.is_some_and(|least| least <= win.turn),
                        "{shape} on {width}x{height} {topology} {rule}"
                    );
                }
            }
        }
    }
    assert!(wins > 150, "{wins}");
}

/// White's own sets cost Black two turns; the faster strategy of the weak game is refused in the strong one.
#[test]
fn white_sets_count_in_the_strong_game() {
    for (rows, board, topology) in [(".XX.X/X....", "6x6", Topology::Plain), ("..X.X/XX...", "5x5", Topology::Torus)] {
        let board = Board::parse(board, topology).unwrap();
        let [strong, weak] =
            [Rule::Strong, Rule::Weak].map(|rule| Game::new(Shape::from_rows(rows).unwrap(), board, rule));
        let finding = find(&strong, CoverMode::Static, None);
        assert_eq!(finding.win.as_ref().map(|win| win.turn), Some(11), "{rows}");
        certificate(&strong, &finding).unwrap();
        let finding = find(&weak, CoverMode::Static, None);
        assert_eq!(finding.win.as_ref().map(|win| win.turn), Some(9), "{rows}");
        let forged = certificate(&weak, &finding).unwrap().replace("rule weak", "rule strong");
        assert!(checker::check(forged.as_bytes()).is_err(), "{rows}");
    }
}

/// A stone elsewhere that nobody sees is half a domino: in the strong game Black has no time for a double threat.
#[test]
fn stones_elsewhere_threaten_in_the_strong_game() {
    use harary::engines::alphabeta::Shared;
    use harary::engines::busy::Busy;
    use harary::engines::canon::Canon;
    use harary::engines::cover::{CoverAttacker, CoverGame, CoverStones};
    use harary::engines::table::Table;
    use harary::game::position::Arena;
    let board = Board::parse("7x7", Topology::Plain).unwrap();
    for (rule, wins) in [(Rule::Strong, [true, false]), (Rule::Weak, [true, true])] {
        let game = Game::new(Shape::from_rows("XX").unwrap(), board, rule);
        let cover = cover_of(&game, board.parse_cell("d4").unwrap());
        let names: Vec<String> = cover.iter().map(|cell| board.cell_name(cell)).collect();
        assert_eq!(names, ["d3", "c4", "d4", "e4", "d5"]);
        let inside = CoverGame::new(&game, cover).unwrap();
        let (arena, table) = (Arena::<1>::new(inside.game()), Table::new(1 << 16));
        let (canon, limits) = (Canon::new(inside.symmetries(), inside.game().vertices()), Limits::none());
        let busy = Busy::new(1);
        let shared = Shared { arena: &arena, table: &table, canon: &canon, busy: &busy, limits: &limits };
        let mut attacker = CoverAttacker::new(&inside, &shared);
        for (elsewhere, expected) in wins.into_iter().enumerate() {
            let stones = CoverStones { black: Default::default(), white: Default::default(), elsewhere };
            let found = attacker.winning_move(&stones, 2).unwrap();
            let expected = expected.then(|| board.parse_cell("d4").unwrap());
            assert_eq!(found.map(|cell: Cell| inside.board_cell(cell)), expected, "{rule} {elsewhere}");
        }
    }
}

/// White may play elsewhere as often as she likes, here three times in a row.
#[test]
fn large_boards_have_small_certificates() {
    for (rows, board, turn, most_lines, elsewhere) in
        [("XXX/.X.", "19x19", 7, 100, 2), ("XX../.XXX", "10x10", 11, 10_000, 3)]
    {
        let board = Board::parse(board, Topology::Plain).unwrap();
        let game = Game::new(Shape::from_rows(rows).unwrap(), board, Rule::Strong);
        let finding = find(&game, CoverMode::Static, None);
        assert_eq!(finding.win.as_ref().map(|win| win.turn), Some(turn));
        let certificate = certificate(&game, &finding).unwrap();
        let lines: Vec<&str> = certificate.lines().filter(|line| line.starts_with("p ")).collect();
        assert!(lines.len() < most_lines, "{}", lines.len());
        let counts = lines.iter().filter_map(|line| line.split(' ').nth(3)?.parse::<usize>().ok());
        assert_eq!(counts.max(), Some(elsewhere));
    }
}

/// A cover proves wins only: a failure is no verdict.
#[test]
fn a_failure_says_nothing_of_the_game() {
    let board = Board::parse("7x7", Topology::Plain).unwrap();
    let game = Game::new(Shape::from_rows("XXXX").unwrap(), board, Rule::Strong);
    let options = Options { cover: Some(CoverMode::Static), memory: 4 << 20, ..Options::default() };
    let Settled { outcome, account } = settle(&game, &options, &|_| {}).unwrap();
    assert!(matches!(outcome, Outcome::Open { claimed: None, .. }), "{outcome:?}");
    assert_eq!((account.refuted_turn, account.stopped), (Some(5), false));
    assert_eq!(account.cover.unwrap().failed_turn, Some(49));
}

/// `harary solve` says what a cover can and cannot prove.
#[test]
fn the_command_line_knows_covers() {
    let solve = |arguments: &str| {
        let mut command = assert_cmd::Command::cargo_bin("harary").unwrap();
        let output = command.arg("solve").args(arguments.split(' ')).output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let (code, out, _) = solve("knobby 9x9 --cover --memory 16MiB");
    assert!(code == Some(0) && out.contains("cover of 13 cells") && out.contains("accepted"), "{out}");
    let (code, out, _) = solve("skinny 7x7 --memory 16MiB --cover dynamic --json");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, json["verdict"].as_str()), (Some(3), Some("open")), "{out}");
    assert_eq!((&json["turn"], &json["cover"]["failed_turn"]), (&serde_json::Value::Null, &49.into()), "{out}");
    let (code, out, _) = solve("skinny 7x7 --memory 16MiB --cover");
    assert!(code == Some(3) && out.contains("no verdict on the game"), "{out}");
    for wrong in ["el 3x3 --cover=all", "el 3x3 --cover --handicap 1", "el 3x3 --cover --engine plain"] {
        let (code, _, error) = solve(wrong);
        assert!(code == Some(2) && error.contains("cover"), "{wrong}: {error}");
    }
}
