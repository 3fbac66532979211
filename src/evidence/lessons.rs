//! Block nodes of accepted certificates, taken over by a search that makes a larger proof.
//!
//! A node (W, Z) knows nothing of how its position came about (lemmas 5 and 7 of
//! [docs/game.md](../../docs/game.md#lemma-5-block-nodes)), so what was proved of one position serves wherever White owns W
//! and Black nothing of Z. An answer `m:o:child` of a node answers every move outside R, the child's Z and o: that is the
//! form in which the stores of [`Search`] and [`StrongBlocks`] keep it.

use super::strong::{self, StrongBlocks};
use crate::effort::Halt;
use crate::engines::blocking::BlockError;
use crate::engines::blocking::search::{Block, Method, Search};
use crate::game::symmetry::{Symmetry, SymmetryGroup};
use ahash::AHashMap;
use harary_certificate::model::{Answer, Kind};
use harary_certificate::playbook::Playbook;
use harary_certificate::{Cell, CellSet};

/// What one node teaches.
#[derive(Clone, Debug)]
pub struct Lesson<const N: usize> {
    block: Block<N>,
    way: Way<N>,
}

#[derive(Clone, Debug)]
enum Way<const N: usize> {
    Pave(Vec<(Cell, Cell)>),
    Reply(Vec<(Cell, CellSet<N>)>),
    StrongReply(Vec<(Cell, CellSet<N>)>),
    Threat(Cell, Cell),
}

impl<const N: usize> Way<N> {
    fn moved(&self, symmetry: &Symmetry) -> Way<N> {
        let cell = |cell: &Cell| symmetry.cell(*cell);
        let replies = |list: &[(Cell, CellSet<N>)]| list.iter().map(|(o, r)| (cell(o), symmetry.set(r))).collect();
        match self {
            Way::Pave(pairs) => Way::Pave(pairs.iter().map(|(a, b)| (cell(a), cell(b))).collect()),
            Way::Reply(list) => Way::Reply(replies(list)),
            Way::StrongReply(list) => Way::StrongReply(replies(list)),
            Way::Threat(c, o) => Way::Threat(cell(c), cell(o)),
        }
    }
}

impl<const N: usize> Lesson<N> {
    /// What the nodes of a certificate teach, children first. `group` are the symmetries that its orbits are of: they are
    /// spelled out, since whoever learns may have others.
    pub fn of(playbook: &Playbook, group: &SymmetryGroup) -> Vec<Lesson<N>> {
        let nodes = playbook.proof().nodes();
        let mut order: Vec<u32> = nodes.keys().copied().collect();
        order.sort_unstable();
        let mut heights: AHashMap<u32, u16> = AHashMap::new();
        let mut lessons = Vec::new();
        for id in order {
            let node = &nodes[&id];
            let (own, open): (CellSet<N>, CellSet<N>) = (node.own.resized(), node.open.resized());
            let below = |child: Option<u32>| child.and_then(|child| heights.get(&child)).map_or(0, |height| *height);
            let above = |answers: &[Answer]| answers.iter().map(|answer| below(answer.child) + 1).max().unwrap_or(1);
            let region = |answer: &Answer| {
                let zone: CellSet<N> = answer.child.map_or(CellSet::EMPTY, |child| nodes[&child].open.resized());
                (answer.reply, zone.with(answer.reply))
            };
            let keeping = group.stabiliser(&[own, open]);
            let replies = |answers: &[Answer]| {
                let images =
                    |(o, r): (Cell, CellSet<N>)| keeping.elements().iter().map(move |g| (g.cell(o), g.set(&r)));
                let mut list: Vec<_> = answers.iter().map(region).flat_map(images).collect();
                list.sort_unstable();
                list.dedup();
                list
            };
            let (height, way) = match &node.kind {
                Kind::Pave(pairs) => (0, Way::Pave(pairs.iter().map(|pair| (pair.a, pair.b)).collect())),
                Kind::Reply(answers) => (above(answers), Way::Reply(replies(answers))),
                Kind::StrongReply(answers) => (above(answers), Way::StrongReply(replies(answers))),
                Kind::Threat(answer) => (below(answer.child) + 1, Way::Threat(answer.to, answer.reply)),
                Kind::Done(_) | Kind::Move(..) | Kind::Card(..) => continue,
            };
            heights.insert(id, height);
            for symmetry in group.elements() {
                let block = Block { white: symmetry.set(&own), zone: symmetry.set(&open), height };
                lessons.push(Lesson { block, way: way.moved(symmetry) });
            }
        }
        lessons
    }

    /// Teaches a search of the weak game, which has no use for threats of White's.
    pub(super) fn teach(&self, search: &mut Search<N>) -> Result<(), Halt> {
        match &self.way {
            Way::Pave(pairs) => search.keep_block(self.block, Method::Pave(pairs.clone())),
            Way::Reply(replies) => search.keep_block(self.block, Method::Reply(replies.clone())),
            Way::StrongReply(_) | Way::Threat(..) => Ok(()),
        }
    }
}

impl<const N: usize> StrongBlocks<'_, N> {
    /// Takes over what the nodes of an accepted certificate teach.
    pub fn learn(&mut self, lessons: &[Lesson<N>]) -> Result<(), BlockError> {
        for lesson in lessons {
            match &lesson.way {
                Way::Pave(_) | Way::Reply(_) => lesson.teach(&mut self.weak)?,
                Way::StrongReply(replies) => {
                    self.keep(lesson.block, strong::Method::Reply(replies.clone()))?;
                }
                Way::Threat(c, o) => {
                    self.keep(lesson.block, strong::Method::Threat(*c, *o))?;
                }
            }
        }
        Ok(())
    }
}
