//! Restricted players: what they prove is true, and what they fail at is what the rules of their restriction say.

use harary::effort::Limits;
use harary::engines::twin;
use harary::game::Game;
use harary::game::polyomino::free_polyominoes;
use harary::settle::{Options, Outcome, Restricted, settle};
use harary_certificate::{Board, Cell, CellSet, Rule, Topology, WideSet};
use std::collections::HashMap;
use std::process::Command;

type Set = CellSet<1>;

/// The rules of the restriction and nothing else.
struct Plain {
    board: Board,
    sets: Vec<Set>,
    strong: bool,
    restricted: Restricted,
    known: HashMap<(Set, Set), Option<usize>>,
}

impl Plain {
    fn new(game: &Game, board: Board, restricted: Restricted) -> Plain {
        let sets = game.black_sets().iter().map(WideSet::resized).collect();
        Plain { board, sets, strong: game.rule() == Rule::Strong, restricted, known: HashMap::new() }
    }

    fn completes(&self, stones: Set) -> bool {
        self.sets.iter().any(|set| set.is_subset(&stones))
    }

    fn beside(&self, stones: Set, cell: Cell) -> bool {
        let (x, y) = self.board.xy(cell);
        let (x, y) = (x as i32, y as i32);
        [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
            .into_iter()
            .any(|point| self.board.cell_at(point).is_some_and(|near| stones.contains(near)))
    }

    /// What the defender chooses from.
    fn choices(&self, black: Set, white: Set, empty: Set) -> Set {
        if self.restricted == Restricted::Adjacent {
            return empty;
        }
        let completing = |own: Set, counts: bool| -> Set {
            empty.iter().filter(|&cell| counts && self.completes(own.with(cell))).collect()
        };
        for forced in [completing(white, self.strong), completing(black, true)] {
            if !forced.is_empty() {
                return forced;
            }
        }
        let weight = |cell: Cell| -> u64 {
            let live = self.sets.iter().filter(|set| set.contains(cell) && set.is_disjoint(&white));
            live.map(|set| 1u64 << (32 - (*set - black).len())).sum()
        };
        let most = empty.iter().map(weight).max().unwrap_or(0);
        empty.iter().filter(|&cell| weight(cell) == most).collect()
    }

    /// The least turn by which Black wins.
    fn win(&mut self, black: Set, white: Set) -> Option<usize> {
        if let Some(known) = self.known.get(&(black, white)) {
            return *known;
        }
        let played = black.len() + white.len();
        let empty = Set::first_cells(self.board.size()) - black - white;
        let found = if empty.is_empty() {
            None
        } else if played.is_multiple_of(2) {
            let near =
                |cell: &Cell| self.restricted == Restricted::Beck || black.is_empty() || self.beside(black, *cell);
            let moves: Vec<Cell> = empty.iter().filter(near).collect();
            let turns = moves.iter().filter_map(|&cell| match self.completes(black.with(cell)) {
                true => Some(played + 1),
                false => self.win(black.with(cell), white),
            });
            turns.min()
        } else {
            let mut latest = Some(0);
            for cell in self.choices(black, white, empty) {
                let turn = match self.strong && self.completes(white.with(cell)) {
                    true => None,
                    false => self.win(black, white.with(cell)),
                };
                latest = latest.zip(turn).map(|(one, other)| one.max(other));
            }
            latest
        };
        self.known.insert((black, white), found);
        found
    }
}

fn compare(width: usize, height: usize) -> [usize; 3] {
    let mut seen = [0; 3];
    for topology in [Topology::Plain, Topology::Torus] {
        for rule in [Rule::Strong, Rule::Weak] {
            for shape in (1..=4).flat_map(free_polyominoes) {
                let board = Board::new(width, height, topology).unwrap();
                let game = Game::new(shape.clone(), board, rule);
                let truth = twin::solve(&game, &Limits::none()).unwrap().win_turn;
                for restricted in [Restricted::Adjacent, Restricted::Beck] {
                    let expected = Plain::new(&game, board, restricted).win(Set::EMPTY, Set::EMPTY);
                    let options = Options { restricted: Some(restricted), memory: 8 << 20, ..Options::default() };
                    let settled = settle(&game, &options, &|_| {}).unwrap();
                    let report = settled.account.restricted.unwrap();
                    let what = format!("{shape} {board} {rule} {restricted:?}");
                    match (restricted, &settled.outcome) {
                        (Restricted::Adjacent, Outcome::Win { by, .. }) => {
                            assert_eq!(Some(*by), expected, "{what}");
                            assert!(truth.is_some_and(|least| least <= *by), "{what}");
                            seen[0] += 1;
                        }
                        (Restricted::Beck, Outcome::Hold { .. }) => {
                            assert_eq!((expected, truth), (None, None), "{what}");
                            seen[1] += 1;
                        }
                        (Restricted::Adjacent, Outcome::Open { .. }) => {
                            assert!(report.failed && expected.is_none(), "{what}");
                        }
                        (Restricted::Beck, Outcome::Open { .. }) => {
                            assert!(report.failed && expected.is_some(), "{what}");
                            seen[2] += usize::from(truth.is_none());
                        }
                        (_, outcome) => panic!("{what}: {outcome:?}"),
                    }
                }
            }
        }
    }
    seen
}

#[test]
fn restricted_players_on_small_boards() {
    let mut seen = [0; 3];
    for (width, height) in [(2, 2), (3, 2), (3, 3), (4, 3)] {
        let more = compare(width, height);
        seen = [0, 1, 2].map(|kind| seen[kind] + more[kind]);
    }
    assert!(seen[0] > 10 && seen[1] > 10, "{seen:?}");
}

#[test]
fn the_command_says_which_side_it_proves() {
    let run = |arguments: &str| {
        let run = Command::new(env!("CARGO_BIN_EXE_harary")).args(arguments.split(' ')).output().unwrap();
        (run.status.code().unwrap(), String::from_utf8(run.stdout).unwrap() + &String::from_utf8(run.stderr).unwrap())
    };
    let (code, said) = run("solve el 3x3 --attacker adjacent");
    assert!(code == 0 && said.contains("Black wins by turn 5") && said.contains("accepted"), "{said}");
    let (code, said) = run("solve fatty 3x3 --attacker adjacent");
    assert!(code == 3 && said.contains("This is no verdict on the game"), "{said}");
    let (code, said) = run("solve fatty 3x3 --defender beck");
    assert!(code == 0 && said.contains("White holds") && said.contains("accepted"), "{said}");
    let (code, said) = run("solve el 3x3 --defender beck");
    assert!(code == 3 && said.contains("This is no verdict on the game"), "{said}");
    assert_eq!(run("solve X.X 3x3 --attacker adjacent").0, 2);
    assert_eq!(run("solve el 3x3 --attacker adjacent --stones 2,1").0, 2);
}
