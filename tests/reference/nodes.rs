//! Nodes of one board: attacks (`a`), blocks (`n`) and strong blocks (`s`), each checked after its children.

use super::body::{Certificate, Entry};
use super::cards::KnownCard;
use super::game::{complete, image, paired};
use super::header::Claim;
use super::{Result, Set, bit, cells, has, need, size, within};
use std::collections::{HashMap, HashSet};

pub struct Node {
    pub strong: bool,
    /// `B` of an attack, `W` of a block.
    pub own: Set,
    pub open: Set,
    pub rule: Rule,
}

pub enum Rule {
    Done(usize),
    Move(usize, Vec<(usize, u64)>),
    Pave(Vec<(usize, usize)>),
    Reply(Vec<(usize, usize, Option<u64>)>),
    Threat(usize, usize, Option<u64>),
}

/// What a parent, a root or a `b` line must know of a node that has been checked.
pub struct KnownNode {
    pub strong: bool,
    pub own: Set,
    pub open: Set,
    /// The cell that an attack opens with, and the moves that it takes.
    pub first: usize,
    pub height: u64,
}

#[derive(Default)]
pub struct Known {
    pub nodes: HashMap<u64, KnownNode>,
    pub cards: HashMap<u64, KnownCard>,
}

impl Certificate {
    /// Every node and card by itself, needed or not.
    pub fn check_nodes(&self) -> Result<Known> {
        let mut known = Known::default();
        for (&id, entry) in &self.nodes {
            match entry {
                Entry::Node(node) => {
                    let node = self.check_node(node, &known)?;
                    known.nodes.insert(id, node);
                }
                Entry::Card(card) => {
                    let board = self.header.game.board.as_ref().ok_or("cards need a board")?;
                    let card = card.check(board, &known.cards)?;
                    known.cards.insert(id, card);
                }
                Entry::Placement(placement) => {
                    let board = self.header.game.board.as_ref().ok_or("cards need a board")?;
                    let node = placement.check(board, &known.cards)?;
                    known.nodes.insert(id, node);
                }
            }
        }
        Ok(known)
    }

    /// Nodes with smaller ids are known already: a child that is not is missing or not smaller.
    fn check_node(&self, node: &Node, known: &Known) -> Result<KnownNode> {
        let Node { strong, own, open, .. } = *node;
        let game = &self.header.game;
        need(!strong || game.strong, "a strong block under the weak rule")?;
        need(own & open == 0, "B or W meets Z")?;
        let mut checked = KnownNode { strong, own, open, first: 0, height: 1 };
        let two_open = |set: &Set| set & own != 0 || size(set & open) >= 2;
        match &node.rule {
            Rule::Done(cell) => {
                need(has(open, *cell), "done outside Z")?;
                need(complete(&game.black, own | bit(*cell)), "nothing done")?;
                checked.first = *cell;
            }
            Rule::Move(cell, answers) => {
                need(has(open, *cell), "a move outside Z")?;
                let (own, open) = (own | bit(*cell), open & !bit(*cell));
                self.all_answered(answers.iter().map(|answer| answer.0).collect(), own, open)?;
                for &(r, child) in answers {
                    let child = known.nodes.get(&child).ok_or("no such child")?;
                    let relaxed = if self.header.format == 2 { own } else { 0 };
                    need(within(child.own, own), "the child's B does not fit")?;
                    need(within(child.open, open & !bit(r) | relaxed), "the child's Z does not fit")?;
                    checked.height = checked.height.max(child.height + 1);
                }
                checked.first = *cell;
            }
            Rule::Pave(pairs) => {
                check_pairs(pairs, open)?;
                let held = |&set: &Set| set & own != 0 || paired(set, pairs);
                need(game.black.iter().all(held), "a set without a pair")?;
            }
            Rule::Reply(answers) => {
                need(game.black.iter().all(two_open), "Black completes a set")?;
                self.all_answered(answers.iter().map(|answer| answer.0).collect(), own, open)?;
                for &(m, o, child) in answers {
                    self.check_answer(node, m, o, child, known)?;
                }
            }
            &Rule::Threat(cell, o, child) => {
                need(game.black.iter().all(two_open), "Black completes a set")?;
                need(has(open, cell), "a threat outside Z")?;
                need(complete(&game.white, own | bit(cell)), "no threat")?;
                self.check_answer(node, cell, o, child, known)?;
            }
        }
        Ok(checked)
    }

    /// White's answer `o` to `m` in a block.
    fn check_answer(&self, node: &Node, m: usize, o: usize, child: Option<u64>, known: &Known) -> Result<()> {
        need(o != m && has(node.open, o), "an answer outside Z")?;
        let own = node.own | bit(o);
        let Some(child) = child else { return need(complete(&self.header.game.white, own), "White completes nothing") };
        let child = known.nodes.get(&child).ok_or("no such child")?;
        need(node.strong || !child.strong, "a strong block below a weak one")?;
        need(within(child.own, own), "the child's W does not fit")?;
        need(within(child.open, node.open & !bit(m) & !bit(o)), "the child's Z does not fit")
    }

    /// Whether the named cells are different cells of `open`, and one of them is in the orbit of each cell of it.
    fn all_answered(&self, named: Vec<usize>, own: Set, open: Set) -> Result<()> {
        let different: HashSet<&usize> = named.iter().collect();
        need(!named.is_empty() && different.len() == named.len(), "no answer, or a cell answered twice")?;
        need(named.iter().all(|&cell| has(open, cell)), "an answer to a cell outside Z")?;
        let mut answered: Set = named.iter().map(|&cell| bit(cell)).sum();
        for symmetry in &self.header.game.symmetries {
            if image(symmetry, own) == own && image(symmetry, open) == open {
                named.iter().for_each(|&cell| answered |= bit(symmetry[cell]));
            }
        }
        need(cells(open).iter().all(|&cell| has(answered, cell)), "a cell of Z without an answer")
    }

    pub fn check_root(&self, root: u64, known: &Known) -> Result<()> {
        let node = known.nodes.get(&root).ok_or("no such root")?;
        need(node.own == 0, "the root owns cells")?;
        let game = &self.header.game;
        let (black, white) = game.start;
        let Claim::Win(turn) = self.header.claim else {
            return need(node.open & black == 0, "Black owns a cell of Z");
        };
        need(node.open & white == 0, "White owns a cell of Z")?;
        need(game.choices(game.all(), black, white, 0).contains(&node.first), "the first move is not allowed")?;
        need(turn >= 2 * node.height - 1, "too late")
    }
}

/// Pairs of two cells each, disjoint, in `open`.
pub fn check_pairs(pairs: &[(usize, usize)], open: Set) -> Result<()> {
    let used: Vec<usize> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
    let different: HashSet<&usize> = used.iter().collect();
    need(different.len() == used.len(), "a cell in two pairs")?;
    need(used.iter().all(|&cell| has(open, cell)), "a pair on a cell that is not free")
}
