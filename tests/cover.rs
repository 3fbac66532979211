//! Wins inside covers: true, accepted by the checker, and complete as far as covers go.

use ahash::AHashMap;
use harary::board::{Board, Topology};
use harary::cell::Cell;
use harary::cell_set::WideSet;
use harary::checker;
use harary::cover::{CoverFinding, CoverMode, CoverProgress, search_covers};
use harary::game::Game;
use harary::player::Rule;
use harary::polyomino;
use harary::proof::Claim;
use harary::search::cover::cover_of;
use harary::search::{Limits, plain};
use harary::settle::{Options, Verdict, settle};
use harary::shape::Shape;

fn find(game: &Game, mode: CoverMode, within: Option<usize>) -> CoverFinding {
    search_covers(game, mode, within, 4 << 20, &Limits::none(), &CoverProgress::default()).unwrap()
}

/// The certificate of a win, accepted with the same claim.
fn certificate(game: &Game, finding: &CoverFinding) -> Option<String> {
    let win = finding.win.as_ref()?;
    let mut file = Vec::new();
    win.strategy.write(game, &mut file).unwrap();
    let accepted = checker::check(&file[..]).unwrap_or_else(|refused| panic!("{:?}: {refused}", game.origin()));
    assert_eq!(accepted.header.claim, Claim::Win(win.turn));
    assert_eq!(accepted.header.cover, Some(win.cover));
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

/// Static covers win exactly when and as early as plain recursion does, every win is one of the whole game too, the
/// checker accepts it, and a weak win that is none in the strong game is refused there.
#[test]
fn random_games_on_small_boards() {
    let mut dice = Dice(7);
    let (mut wins, mut weak_only) = (0, 0);
    for _ in 0..60 {
        let (width, height) = [(3, 3), (2, 5), (4, 2), (2, 4), (3, 2)][dice.roll(5)];
        let cells = 2 + dice.roll(2);
        let shape = random_shape(&mut dice, cells);
        let topology = [Topology::Plain, Topology::Torus][dice.roll(2)];
        let board = Board::new(width, height, topology).unwrap();
        let [strong, weak] = [Rule::Strong, Rule::Weak].map(|rule| {
            let game = Game::new(shape.clone(), board, rule);
            let finding = find(&game, CoverMode::Static, None);
            let what = format!("{shape} on {board}, {rule}");
            let turn = finding.win.as_ref().map(|win| win.turn);
            assert_eq!(turn, slow_turn(&game), "{what}");
            let truth = plain::solve(&game, &Limits::none()).unwrap().win_turn;
            for mode in [CoverMode::Dynamic, CoverMode::Window(3, 2)] {
                let other = find(&game, mode, None);
                certificate(&game, &other);
                if let Some(win) = other.win {
                    assert!(truth.is_some_and(|truth| truth <= win.turn), "{what}, {mode}");
                }
            }
            let file = certificate(&game, &finding);
            if let Some(turn) = turn {
                wins += 1;
                assert!(truth.is_some_and(|truth| truth <= turn), "{what}: {turn}, in truth {truth:?}");
            }
            (turn, file)
        });
        if let (None, Some(file)) = (strong.0, weak.1) {
            weak_only += 1;
            let forged = file.replace("rule weak", "rule strong");
            assert!(checker::check(forged.as_bytes()).is_err(), "{shape} on {board}");
        }
    }
    assert!(wins > 60, "{wins} wins");
    assert!(weak_only > 0, "no weak win that is none in the strong game");
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
                    assert_eq!(truth.verdict, Verdict::Win, "{shape} on {width}x{height} {topology} {rule}");
                    assert!(truth.turn <= Some(win.turn), "{shape} on {width}x{height} {topology} {rule}");
                }
            }
        }
    }
    assert!(wins > 150, "{wins}");
}

/// A stone elsewhere that nobody sees is half a domino: in the strong game Black has no time for a double threat.
#[test]
fn stones_elsewhere_threaten_in_the_strong_game() {
    use harary::position::Arena;
    use harary::search::canon::Canon;
    use harary::search::cover::{CoverAttacker, CoverGame, CoverStones};
    use harary::search::table::Table;
    let board = Board::parse("7x7", Topology::Plain).unwrap();
    for (rule, wins) in [(Rule::Strong, [true, false]), (Rule::Weak, [true, true])] {
        let game = Game::new(Shape::from_rows("XX").unwrap(), board, rule);
        let cover = cover_of(&game, board.parse_cell("d4").unwrap());
        let names: Vec<String> = cover.iter().map(|cell| board.cell_name(cell)).collect();
        assert_eq!(names, ["d3", "c4", "d4", "e4", "d5"]);
        let inside = CoverGame::new(&game, cover).unwrap();
        let (arena, table) = (Arena::<1>::new(inside.game()), Table::new(1 << 16));
        let (canon, limits) = (Canon::new(inside.symmetries(), inside.game().vertices()), Limits::none());
        let mut attacker = CoverAttacker::new(&inside, &arena, &table, &canon, &limits);
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
    let settlement = settle(&game, &options, &|_| {}).unwrap();
    assert_eq!(settlement.verdict, Verdict::Unknown);
    assert_eq!((settlement.turn, settlement.refuted_turn), (None, Some(5)));
    assert!(settlement.evidence.is_none() && !settlement.halted);
    assert_eq!(settlement.cover.unwrap().failed_turn, Some(49));
}
