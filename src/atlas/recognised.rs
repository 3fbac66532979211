//! Which game of the atlas a certificate is about.
//!
//! A shape on a board is written as such. Of several shapes a certificate has the winning sets alone, so the board and the
//! shapes are guessed from them, and the guess counts only if it makes exactly these sets again: then whatever is proved
//! of them is proved of that game. Two spellings may make the same sets, as on small tori; either is right.

use super::key::GameKey;
use super::shapes::{MOST_SHAPES, Shapes};
use crate::game::Game;
use crate::game::ground::Ground;
use harary_certificate::{Board, Claim, Header, MAX_SIDE, Rule, Setting, Shape, Topology, WideSet};
use std::collections::BTreeSet;

impl GameKey {
    /// The key of the game that a certificate is about: shapes on an empty board, the players alternating.
    pub fn of_header(header: &Header) -> Option<GameKey> {
        if let Setting::Board { shape, board } = &header.setting {
            return is_usual(header).then(|| GameKey::new(shape, *board, header.rule));
        }
        let sets = common_sets(header).filter(|_| is_usual(header))?;
        let (board, shapes) = recognised(&sets, header.vertices)?;
        Some(GameKey::new(shapes, board, header.rule))
    }

    /// The key of a game that is given by its sets, if they are those of a game of the atlas, cell for vertex.
    pub fn of_sets(game: &Game) -> Option<GameKey> {
        let key = GameKey::of_header(&game.header(Claim::Hold(None), true, None))?;
        (key.game().black_sets() == game.black_sets()).then_some(key)
    }

    /// Whether a certificate is about this game, on its board or on that turned.
    pub fn is_of(&self, header: &Header) -> bool {
        if !is_usual(header) || header.rule != self.rule() {
            return false;
        }
        if let Setting::Board { shape, board } = &header.setting {
            return GameKey::new(shape, *board, header.rule) == *self;
        }
        let (board, sets) = (self.board(), common_sets(header));
        let boards = [(board.width(), board.height()), (board.height(), board.width())];
        let mut boards = boards.into_iter().filter_map(|(x, y)| Board::new(x, y, board.topology()).ok());
        sets.is_some_and(|sets| {
            board.size() == header.vertices && boards.any(|board| make(self.shapes(), &board, &sets))
        })
    }
}

/// Whether the board is empty and the players alternate until it is full.
fn is_usual(header: &Header) -> bool {
    let empty = header.start.is_empty() && header.first.is_none();
    empty && header.turns.is_alternating() && header.turns.len() == header.vertices
}

/// The winning sets that are spelled out, if those that count are the same for both players.
fn common_sets(header: &Header) -> Option<BTreeSet<WideSet>> {
    let Setting::Sets { black, white } = &header.setting else { return None };
    let sorted = |sets: &[WideSet]| sets.iter().copied().collect::<BTreeSet<WideSet>>();
    Some(sorted(black)).filter(|sets| header.rule == Rule::Weak || sorted(white) == *sets)
}

/// Whether these shapes have exactly these winning sets on a board.
fn make(shapes: &Shapes, board: &Board, sets: &BTreeSet<WideSet>) -> bool {
    shapes.target().sets(&Ground::of_board(board)).is_ok_and(|made| made.black.iter().eq(sets))
}

/// The board and the shapes whose winning sets these are.
fn recognised(sets: &BTreeSet<WideSet>, vertices: usize) -> Option<(Board, Shapes)> {
    let sides = (1..=MAX_SIDE).map(|width| (width, vertices / width));
    let sides = sides.filter(|(width, height)| width * height == vertices);
    let boards = sides.flat_map(|(width, height)| {
        [Topology::Plain, Topology::Torus].map(|topology| Board::new(width, height, topology)).into_iter().flatten()
    });
    let guessed = boards.filter_map(|board| Some((board, Shapes::new(&shapes(sets, &board)?).ok()?)));
    let right = guessed.filter(|(board, shapes)| make(shapes, board, sets));
    // On a plain board shapes of a torus are in many pieces: the fewest and smallest shapes say it best.
    right.min_by_key(|(board, shapes)| {
        let room: usize = shapes.iter().map(|shape| shape.width() * shape.height()).sum();
        (shapes.iter().len(), room, board.width().abs_diff(board.height()), board.is_torus())
    })
}

/// What the sets look like on a board, one shape for all that lie alike; none if they are not those of shapes there, or of too
/// many.
fn shapes(sets: &BTreeSet<WideSet>, board: &Board) -> Option<BTreeSet<Shape>> {
    let moves = if board.is_torus() { (board.width(), board.height()) } else { (1, 1) };
    let mut seen: BTreeSet<WideSet> = BTreeSet::new();
    let mut found = BTreeSet::new();
    for set in sets {
        if seen.contains(set) {
            continue;
        }
        // Over the edges of a torus a shape is in pieces: it is itself where it takes the least room.
        let mut smallest: Option<Shape> = None;
        for (dx, dy) in (0..moves.0).flat_map(|dx| (0..moves.1).map(move |dy| (dx, dy))) {
            let moved = |cell| {
                let (x, y) = board.xy(cell);
                ((x + dx) % board.width(), (y + dy) % board.height())
            };
            let image: WideSet = set.iter().map(moved).map(|(x, y)| board.cell(x, y)).collect();
            // On a torus they lie in all places, so that no more are seen than there are.
            if !sets.contains(&image) {
                return None;
            }
            seen.insert(image);
            let cells: Vec<(i32, i32)> = set.iter().map(moved).map(|(x, y)| (x as i32, y as i32)).collect();
            let Ok(shape) = Shape::new(&cells) else { continue };
            let room = |shape: &Shape| (shape.width() * shape.height(), shape.width().max(shape.height()));
            if smallest.as_ref().is_none_or(|smallest| room(&shape) < room(smallest)) {
                smallest = Some(shape);
            }
        }
        found.extend(smallest.map(|shape| shape.canonical()));
        if found.len() > MOST_SHAPES {
            return None;
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::ground::Family;
    use crate::game::words::parse_target;

    fn built(target: &str, sides: &str, family: Family, rule: Rule) -> Game {
        let target = parse_target(target, family).unwrap().target;
        Game::built(target, Ground::parse(sides, family).unwrap(), rule).unwrap()
    }

    fn recognised(game: &Game) -> Option<GameKey> {
        GameKey::of_header(&game.header(Claim::Hold(None), true, None))
    }

    #[test]
    fn shapes_are_known_again_by_their_sets() {
        for target in ["I3+D3", "tic+el", "fatty+skinny", "row4", "X.X+tippy", "snaky+I5+D4", "el"] {
            for (sides, family) in [
                ("6x6", Family::Plain),
                ("7x5", Family::Plain),
                ("4x6", Family::Plain),
                ("7x7", Family::Torus),
                ("8x7", Family::Torus),
            ] {
                for rule in [Rule::Strong, Rule::Weak] {
                    let game = built(target, sides, family, rule);
                    assert_eq!(recognised(&game), GameKey::of(&game), "{target} on {sides} {family:?}");
                    let header = game.header(Claim::Hold(None), true, None);
                    let key = GameKey::of(&game).unwrap();
                    let other = if rule == Rule::Weak { Rule::Strong } else { Rule::Weak };
                    assert!(key.is_of(&header) && !key.with_rule(other).is_of(&header), "{target} on {sides}");
                }
            }
        }
    }

    /// On a small torus another spelling may be found. It has the same sets.
    #[test]
    fn whatever_is_recognised_has_these_sets() {
        let mut found = 0;
        for target in ["tic+el", "row3", "X.X+D3", "row4", "fatty+I4", "L4+D3"] {
            for (sides, family) in [("3x3", Family::Torus), ("4x4", Family::Torus), ("2x3", Family::Plain)] {
                let game = built(target, sides, family, Rule::Weak);
                let Some(key) = recognised(&game) else { continue };
                assert_eq!(key.game().black_sets(), game.black_sets(), "{target} on {sides}");
                assert!(GameKey::of(&game).unwrap().is_of(&game.header(Claim::Hold(None), true, None)));
                found += 1;
            }
        }
        assert!(found >= 12, "{found}");
    }

    #[test]
    fn what_is_no_game_of_the_atlas_is_not_recognised() {
        for (target, sides, family) in [
            ("row3", "4x4", Family::Cylinder),
            ("hex", "4x4", Family::Hexagonal),
            ("row3", "3x3x3", Family::Plain),
            ("lines", "4x4x4", Family::Plain),
            ("row3", "40x1", Family::Plain),
            ("I4+D4", "3x3", Family::Plain),
        ] {
            assert_eq!(recognised(&built(target, sides, family, Rule::Strong)), None, "{target} on {sides}");
        }
        let usual = built("I3+D3", "4x3", Family::Plain, Rule::Strong);
        assert_eq!(recognised(&usual.clone().with_handicap(1)), None);
        let mut header = usual.header(Claim::Hold(None), true, None);
        if let Setting::Sets { white, .. } = &mut header.setting {
            white.pop();
        }
        assert_eq!(GameKey::of_header(&header), None, "the players have other sets");
    }
}
