//! Laws between games ([lemma 9](../../docs/game.md#lemma-9-laws-between-games)): each says that Black does at least as well in one game as in another.

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
    /// Weak: a shape inside the other, on the same board.
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
            Law::InnerShape => "weak: a win for a shape is a win for every shape inside it",
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
    use super::super::entry::tests::key;
    use super::*;
    use harary_certificate::Topology::{Plain, Torus};

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
