use super::*;
use crate::effort::Limits;
use crate::engines::busy::Busy;
use crate::engines::canon::Canon;
use crate::engines::table::Table;
use crate::engines::twin::Twin;
use crate::game::position::Arena;
use crate::game::{Game, Sets};
use harary_certificate::{Board, Rule, Schedule, Shape, Topology, WideSet};
use proptest::prelude::*;

/// A game of sets with any turn order, any stones at the start, and perhaps a restricted first turn.
fn games() -> impl Strategy<Value = Option<Game>> {
    let cells = 5..10usize;
    let set = || prop::collection::vec(0..10usize, 1..5);
    let parts = (
        cells,
        prop::collection::vec(set(), 1..9),
        prop::option::of(prop::collection::vec(set(), 0..7)),
        any::<bool>(),
        prop::collection::vec(any::<bool>(), 10),
        prop::collection::vec((0..10usize, any::<bool>()), 0..4),
        prop::option::weighted(0.3, prop::collection::vec(0..10usize, 1..4)),
    );
    parts.prop_map(|(cells, black, white, same, turns, stones, first)| {
        let of = |list: &[usize]| list.iter().map(|&cell| Cell::new(cell % cells)).collect::<WideSet>();
        let sets = |lists: &[Vec<usize>]| lists.iter().map(|list| of(list)).collect::<Vec<WideSet>>();
        let black = sets(&black);
        let strong = white.is_some() || same;
        let white = if same { black.clone() } else { sets(&white.unwrap_or_default()) };
        let (mut black_start, mut white_start) = (WideSet::EMPTY, WideSet::EMPTY);
        for (cell, is_black) in stones {
            if is_black { &mut black_start } else { &mut white_start }.insert(Cell::new(cell % cells));
        }
        let white_start = white_start - black_start;
        let empty = cells - black_start.len() - white_start.len();
        let players = turns[..empty].iter().map(|&is_black| if is_black { Black } else { White });
        Game::of_sets(Sets {
            names: (0..cells).map(|cell| cell.to_string()).collect(),
            black,
            white,
            rule: if strong { Rule::Strong } else { Rule::Weak },
            schedule: Schedule::of(players.collect()),
            black_start,
            white_start,
            first: first.map(|first| of(&first)),
        })
        .ok()
    })
}

/// Every limit of a game against the twin, over one table.
fn agrees(game: &Game) -> Result<(), TestCaseError> {
    let limits = Limits::none();
    let arena = Arena::<1>::new(game);
    let (table, busy) = (Table::new(1 << 14), Busy::new(1));
    let canon = Canon::new(&game.symmetries(), game.vertices());
    let shared = Shared { arena: &arena, table: &table, canon: &canon, busy: &busy, limits: &limits };
    let mut search = AnyOrder::new(&shared);
    let start = Position::new(&arena).stones();
    let truth = Twin::<1>::new(game, &limits).win_turn(start).unwrap();
    for until in 1..=game.schedule().len() {
        let wins = search.wins_by(until).unwrap();
        prop_assert_eq!(wins, truth.is_some_and(|turn| turn <= until), "by turn {} of {:?}", until, game);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn any_game_in_any_order(game in games()) {
        if let Some(game) = game {
            agrees(&game)?;
        }
    }

    /// On boards, where the winning sets overlap more and the symmetries are used.
    #[test]
    fn shapes_in_any_order(
        shape in prop::collection::btree_set((0..3i32, 0..3i32), 2..5),
        (width, height) in prop::sample::select(vec![(3, 3), (4, 2), (5, 2), (9, 1)]),
        (torus, weak) in any::<(bool, bool)>(),
        (p, q) in (1..4usize, 1..4usize),
    ) {
        let board = Board::new(width, height, if torus { Topology::Torus } else { Topology::Plain }).unwrap();
        let shape = Shape::new(&shape.into_iter().collect::<Vec<_>>()).unwrap();
        let game = Game::new(shape, board, if weak { Rule::Weak } else { Rule::Strong });
        agrees(&game.with_stones(p, q).unwrap())?;
    }
}
