//! Node by node: the `a`, `u`, `n` and `s` lines. What a node says follows from what its children say.
//!
//! The arguments are docs/game.md: attack nodes lemma 6, blocks lemmas 4 and 5, strong blocks lemma 7.

use super::Checker;
use crate::cell::Cell;
use crate::cell_set::CellSet;
use crate::model::{After, Answer, Claim, Format, Kind, Node, Refused};
use crate::rules::{image, keeps};
use ahash::AHashMap;

impl<const N: usize> Checker<N> {
    /// One node by itself.
    pub(super) fn node(&self, id: u32, node: &Node<N>) -> Result<(), Refused> {
        self.node_is_right(id, node).map_err(|reason| Refused {
            line: Some(node.line),
            reason,
            drawing: Some(self.proof.node_drawing(node)),
        })
    }

    fn node_is_right(&self, id: u32, node: &Node<N>) -> Result<(), String> {
        let (own, open) = (node.own, node.open);
        match &node.kind {
            Kind::Done(cell) => {
                self.is_open(*cell, open)?;
                match self.rules.black_sets.iter().any(|set| set.is_subset(&own.with(*cell))) {
                    true => Ok(()),
                    false => Err(format!("{} completes no winning set", self.name(*cell))),
                }
            }
            Kind::Move(cell, answers) => {
                self.is_open(*cell, open)?;
                let (own, open) = (own.with(*cell), open.without(*cell));
                self.all_answered(answers.iter().map(|after| after.reply).collect(), own, open)?;
                // White owns nothing of Black's stones: from format 2 on a child may ask for that.
                let more = if self.proof.format == Format::Two { own } else { CellSet::EMPTY };
                answers.iter().try_for_each(|&After { reply, child }| {
                    self.child_fits(id, child, own, open.without(reply) | more).map(drop)
                })
            }
            // Its card was checked when it was put on the board.
            Kind::Card(..) => Ok(()),
            Kind::Pave(pairs) => self.unpaired(pairs, open, |set| set.is_disjoint(&own), "is not in Z"),
            Kind::Reply(answers) => {
                self.no_set_is_near(own, open)?;
                self.all_answered(answers.iter().map(|answer| answer.to).collect(), own, open)?;
                for answer in answers {
                    if let Some(child) = self.answer_is_right(id, own, open, answer)?
                        && child.kind.is_strong()
                    {
                        return Err("a strong block is no child of a weak one".into());
                    }
                }
                Ok(())
            }
            Kind::StrongReply(answers) => {
                self.no_set_is_near(own, open)?;
                self.all_answered(answers.iter().map(|answer| answer.to).collect(), own, open)?;
                answers.iter().try_for_each(|answer| self.answer_is_right(id, own, open, answer).map(drop))
            }
            Kind::Threat(answer) => {
                self.no_set_is_near(own, open)?;
                self.is_open(answer.to, open)?;
                self.white_completes_at(answer.to, own)?;
                self.answer_is_right(id, own, open, answer).map(drop)
            }
        }
    }

    fn is_open(&self, cell: Cell, open: CellSet<N>) -> Result<(), String> {
        if open.contains(cell) { Ok(()) } else { Err(format!("{} is not in Z", self.name(cell))) }
    }

    /// No set of Black's that misses W lies in the complement of Z plus one cell, whichever.
    fn no_set_is_near(&self, own: CellSet<N>, open: CellSet<N>) -> Result<(), String> {
        let early = |set: &&CellSet<N>| set.is_disjoint(&own) && (**set & open).len() < 2;
        match self.rules.black_sets.iter().find(early) {
            Some(set) => Err(format!("Black completes the winning set {set} before White can reply")),
            None => Ok(()),
        }
    }

    /// The orbits of the answered cells under the symmetries that keep both sets are all there is to answer.
    fn all_answered(&self, answers: Vec<Cell>, own: CellSet<N>, open: CellSet<N>) -> Result<(), String> {
        let named: CellSet<N> = answers.iter().copied().collect();
        if named.is_empty() || named.len() < answers.len() {
            return Err("no cell is answered, or one twice".to_owned());
        }
        if let Some(cell) = (named - open).first() {
            return Err(format!("{} is answered, but not in Z", self.name(cell)));
        }
        let fixing = self.rules.orbits.iter().filter(|symmetry| keeps(symmetry, own) && keeps(symmetry, open));
        let covered = fixing.fold(named, |covered, symmetry| covered | image(symmetry, named));
        (open - covered).first().map_or(Ok(()), |cell| Err(format!("no answer to {}", self.name(cell))))
    }

    /// White's answer to one move: a node speaks from there, or a set of hers is complete.
    fn answer_is_right(
        &self,
        id: u32,
        own: CellSet<N>,
        open: CellSet<N>,
        &Answer { to, reply, child }: &Answer,
    ) -> Result<Option<&Node<N>>, String> {
        if reply == to || !open.contains(reply) {
            return Err(format!("{} is no reply to {}: not in Z, or occupied", self.name(reply), self.name(to)));
        }
        match child {
            Some(child) => self.child_fits(id, child, own.with(reply), open.without(to).without(reply)).map(Some),
            None => self.white_completes_at(reply, own).map(|()| None),
        }
    }

    fn white_completes_at(&self, cell: Cell, own: CellSet<N>) -> Result<(), String> {
        match self.rules.white_sets.iter().any(|(set, _)| set.is_subset(&own.with(cell))) {
            true => Ok(()),
            false => Err(format!("{} completes no winning set of White's", self.name(cell))),
        }
    }

    /// The child, which speaks of a smaller id, of no other stones of one's own and of no other open cells than these.
    fn child_fits(&self, id: u32, child: u32, own: CellSet<N>, open: CellSet<N>) -> Result<&Node<N>, String> {
        match self.proof.nodes.get(&child) {
            _ if child >= id => Err(format!("the child {child} is not smaller than its parent {id}")),
            None => Err(format!("there is no node {child}")),
            Some(node) if !node.own.is_subset(&own) => {
                Err(format!("the child {child} needs the stones {}, there are only {own}", node.own))
            }
            Some(node) if !node.open.is_subset(&open) => {
                Err(format!("the child {child} needs the cells {} open, only {open} are", node.open))
            }
            Some(node) => Ok(node),
        }
    }

    /// The root, given that every node is right: it must apply at the start and, for an attack, be low enough.
    pub(super) fn root_node(&self, root: u32) -> Result<(), Refused> {
        let last = Some(self.proof.lines);
        let Some(node) = self.proof.nodes.get(&root) else {
            return Err(Refused::at(self.proof.lines, format!("there is no node {root} to be the root")));
        };
        let refuse = |reason: String| Err(Refused { line: last, reason, drawing: Some(self.proof.node_drawing(node)) });
        let start = &self.rules.start.stones;
        if !node.own.is_empty() {
            return refuse("the root must not own cells: its first set is 0".into());
        }
        let (Claim::Win(turn), Some(opening)) = (self.rules.claim, node.kind.opening()) else {
            return match node.open.is_disjoint(&start.black) {
                true => Ok(()),
                false => refuse("Black's stones at the start lie in the root's Z".into()),
            };
        };
        if !node.open.is_disjoint(&start.white) {
            return refuse("White's stones at the start lie in the root's Z".into());
        }
        if !self.rules.first.contains(opening) {
            return refuse(format!("{} is not allowed at turn 1", self.name(opening)));
        }
        match 2 * self.height(root) - 1 {
            needed if needed > turn => refuse(format!("the root needs {needed} turns, the claim is {turn}")),
            _ => Ok(()),
        }
    }

    /// Black's moves from an attack node on, his last included. Children have smaller ids, so in the order of the ids
    /// every height is known in time.
    fn height(&self, root: u32) -> usize {
        let mut heights: AHashMap<u32, usize> = self.card_heights();
        let mut ids: Vec<u32> = self.proof.nodes.keys().copied().collect();
        ids.sort_unstable();
        for id in ids {
            let height = match &self.proof.nodes[&id].kind {
                Kind::Move(_, answers) => 1 + answers.iter().map(|after| heights[&after.child]).max().unwrap_or(0),
                Kind::Card(placing, _) => heights[&placing.card],
                _ => 1,
            };
            heights.insert(id, height);
        }
        heights[&root]
    }
}

impl Kind {
    /// Whether it is a strong block.
    fn is_strong(&self) -> bool {
        matches!(self, Kind::StrongReply(_) | Kind::Threat(_))
    }

    /// Where Black plays first, in an attack node.
    fn opening(&self) -> Option<Cell> {
        match self {
            Kind::Done(cell) | Kind::Move(cell, _) | Kind::Card(_, cell) => Some(*cell),
            _ => None,
        }
    }
}
