//! Laws between games ([lemma 9](../../docs/game.md#lemma-9-laws-between-games)): each says that Black does at least as well in one game as in another.
//!
//! They hold for several shapes as for one. The rule and the board: nothing is said there of what the winning sets look like. The
//! shapes: where each shape of a target contains one of another target, so does each winning set of the one a winning set
//! of the other, and Black completes the inner one no later. A shape more in a target is a case of it.

use super::key::GameKey;
use harary_certificate::{Board, Rule};
use serde::Serialize;
use std::fmt;

/// A step from a game to one in which Black does at least as well.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Law {
    /// The weak rule: White's own sets do not count.
    WeakRule,
    /// Weak: a plain board that is at least as wide and as high.
    LargerBoard,
    /// Weak: a torus that is at least as wide and as high as a plain board.
    Torus,
    /// Weak: a shape inside the other, on the same board; of several, each shape of the one target contains one of the other.
    InnerShape,
}

impl Law {
    /// All of them.
    pub const ALL: [Law; 4] = [Law::WeakRule, Law::LargerBoard, Law::Torus, Law::InnerShape];
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Law::WeakRule => "a strong win is a weak win, a weak hold a strong hold",
            Law::LargerBoard => "weak: a win on a plain board is a win on every larger one",
            Law::Torus => "weak: a win on a plain board is a win on every torus it fits on",
            Law::InnerShape => "weak: a win for a shape, or for several, is a win for shapes inside each of them",
        })
    }
}

/// The laws that lead from a game to another in which Black does at least as well, in this order; none if there is no way.
pub fn between(harder: &GameKey, easier: &GameKey) -> Option<Vec<Law>> {
    if harder == easier {
        return Some(Vec::new());
    }
    let board = board_law(harder.board(), easier.board())?;
    let inner = harder.shapes() != easier.shapes();
    if easier.rule() == Rule::Strong || inner && !easier.shapes().are_inside(harder.shapes()) {
        return None;
    }
    let rule = (harder.rule() == Rule::Strong).then_some(Law::WeakRule);
    Some([rule, board, inner.then_some(Law::InnerShape)].into_iter().flatten().collect())
}

/// The law between boards: none if there is no way, no law if they are the same.
pub fn board_law(from: Board, to: Board) -> Option<Option<Law>> {
    if from == to {
        return Some(None);
    }
    let larger = !from.is_torus() && from.width() <= to.width() && from.height() <= to.height();
    larger.then_some(Some(if to.is_torus() { Law::Torus } else { Law::LargerBoard }))
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::{key, targets};
    use super::*;
    use harary_certificate::Topology::{Plain, Torus};

    /// A shape more is no harm under the weak rule, and a smaller one instead is none; the strong rule has no such law.
    #[test]
    fn several_shapes_are_ordered_by_what_lies_in_each_of_them() {
        let of = |target: &str, rule| targets(target, "5x5", Plain, rule);
        for (harder, easier, expected) in [
            ("tic", "tic+el", true),
            ("el", "tic+el", true),
            ("tic+el", "tic", false),
            ("tic+el", "domino", true),
            ("skinny+fatty", "tic+el", true),
            ("skinny+fatty", "tic+fatty", true),
            ("skinny+D4", "row3", true),
            ("row3", "tic+el", false),
        ] {
            let way = between(&of(harder, Rule::Weak), &of(easier, Rule::Weak));
            assert_eq!(way, expected.then(|| vec![Law::InnerShape]), "{harder} {easier}");
            assert_eq!(between(&of(harder, Rule::Strong), &of(easier, Rule::Strong)), None, "{harder} {easier}");
        }
        let way = between(&of("I4+D4", Rule::Strong), &targets("row3", "6x5", Plain, Rule::Weak));
        assert_eq!(way, Some(vec![Law::WeakRule, Law::LargerBoard, Law::InnerShape]));
    }

    #[test]
    fn laws_do_not_lead_where_they_should_not() {
        let strong = |board, topology| key("XXXX", board, topology, Rule::Strong);
        let weak = |board, topology| key("XXXX", board, topology, Rule::Weak);
        assert_eq!(between(&strong("7x7", Plain), &strong("8x8", Plain)), None);
        assert_eq!(between(&weak("7x7", Torus), &weak("8x8", Torus)), None);
        assert_eq!(between(&weak("7x7", Plain), &strong("7x7", Plain)), None);
        assert_eq!(between(&weak("7x7", Plain), &weak("6x9", Plain)), None);
        let way = between(&strong("7x7", Plain), &key("XXX", "7x8", Torus, Rule::Weak));
        assert_eq!(way, Some(vec![Law::WeakRule, Law::Torus, Law::InnerShape]));
    }
}
