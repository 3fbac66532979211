//! For those who look at a strategy: an accepted proof in plain nodes.
//!
//! The cards of `u` lines become attack nodes on the board, and the pairs of `k` lines become paving nodes. What the
//! certificate says stays the same; nobody who plays from it has to know cards and bounded pairs.

use crate::board::Board;
use crate::cell::Cell;
use crate::cell_set::{WIDE, WideSet};
use crate::checker::landed;
use crate::model::{After, Card, CardKind, Kind, Node, Pair, Placing, Position, Proof, Refused, Root, Setting, Then};
use crate::rules::turned;
use ahash::AHashMap;

/// More nodes than this are not laid out for anybody to look at.
const MOST_NODES: usize = 1 << 22;

/// Replaces cards and bounded pairs by nodes.
pub(crate) fn unfold(proof: &mut Proof<WIDE>) -> Result<(), Refused> {
    pairs_as_nodes(proof);
    let Setting::Board { board, .. } = proof.header.setting else { return Ok(()) };
    let mut used: Vec<(u32, Placing)> = Vec::new();
    for (&id, node) in &proof.nodes {
        if let Kind::Card(placing, _) = node.kind {
            used.push((id, placing));
        }
    }
    used.sort_unstable_by_key(|use_| use_.0);
    let mut unfolding = Unfolding { proof, board, known: AHashMap::new(), waiting: Vec::new(), next: 0 };
    for (id, placing) in used {
        // Two `u` lines may put one card on the same cells: each keeps its id.
        unfolding.lay(id, placing);
        while let Some((id, placing)) = unfolding.waiting.pop() {
            unfolding.lay(id, placing);
            if unfolding.known.len() > MOST_NODES {
                let reason = format!("the cards unfold to more than {MOST_NODES} nodes, too many to look at");
                return Err(Refused { line: None, reason, drawing: None });
            }
        }
    }
    Ok(())
}

fn pairs_as_nodes(proof: &mut Proof<WIDE>) {
    let all = WideSet::first_cells(proof.header.vertices);
    let mut next = 0;
    for (at, step) in &mut proof.steps {
        let Then::Pairs(index) = step.then else { continue };
        let id = free_id(&mut next, |id| proof.nodes.contains_key(&id));
        let kind = Kind::Pave(proof.pairings[index as usize].clone());
        let open = all - at.stones.occupied();
        proof.nodes.insert(id, Node { line: step.line, own: at.stones.white, open, kind });
        step.then = Then::Block(id);
    }
}

/// The least id from `next` on that is not taken.
fn free_id(next: &mut u32, taken: impl Fn(u32) -> bool) -> u32 {
    while taken(*next) {
        *next += 1;
    }
    *next += 1;
    *next - 1
}

struct Unfolding<'a> {
    proof: &'a mut Proof<WIDE>,
    board: Board,
    /// The nodes of cards as they lie on the board.
    known: AHashMap<Placing, u32>,
    /// Nodes that have an id and are still to be made.
    waiting: Vec<(u32, Placing)>,
    next: u32,
}

impl Unfolding<'_> {
    /// Makes the node of a card that lies on the board.
    fn lay(&mut self, id: u32, placing: Placing) {
        let card = &self.proof.cards[&placing.card];
        let (own, open) = (self.put(card, card.own, &placing), self.put(card, card.open, &placing));
        let line = card.line;
        let opening = self.put(card, WideSet::single(card.opening()), &placing);
        let kind = match (&card.kind, opening.first()) {
            (CardKind::Move(_, children), Some(cell)) if !open.without(cell).is_empty() => {
                let inner: Vec<Placing> = children.iter().map(|child| self.composed(&placing, child)).collect();
                let zones: Vec<WideSet> = (inner.iter())
                    .map(|child| {
                        let card = &self.proof.cards[&child.card];
                        self.put(card, card.open, child)
                    })
                    .collect();
                // White's reply lies outside some child's Z: the first such child answers.
                let mut answers = Vec::new();
                for reply in open.without(cell) {
                    if let Some(child) = zones.iter().position(|zone| !zone.contains(reply)) {
                        answers.push(After { reply, child: self.id_of(inner[child]) });
                    }
                }
                Kind::Move(cell, answers)
            }
            // Nothing is left for White to take: the shape is complete with this stone.
            (_, cell) => Kind::Done(cell.unwrap_or(Cell::new(0))),
        };
        self.proof.nodes.insert(id, Node { line, own, open, kind });
    }

    fn put(&self, card: &Card, set: WideSet, placing: &Placing) -> WideSet {
        set.iter().filter_map(|cell| self.board.cell_at(landed(cell, card.width, placing))).collect()
    }

    /// A child as it lies on the board when its parent does.
    fn composed(&self, outer: &Placing, inner: &Placing) -> Placing {
        let both = |point| turned(outer.turn.into(), turned(inner.turn.into(), point));
        // One point off all axes tells the eight apart.
        let turn = (0..8).find(|&turn| turned(turn, (1, 2)) == both((1, 2))).unwrap_or(0);
        let (x, y) = turned(outer.turn.into(), inner.shift);
        let (mut x, mut y) = (x + outer.shift.0, y + outer.shift.1);
        if self.board.is_torus() {
            (x, y) = (x.rem_euclid(self.board.width() as i32), y.rem_euclid(self.board.height() as i32));
        }
        Placing { card: inner.card, turn: turn as u8, shift: (x, y) }
    }

    fn id_of(&mut self, placing: Placing) -> u32 {
        if let Some(&id) = self.known.get(&placing) {
            return id;
        }
        // `next` only grows, so that ids given out before are not given out again.
        let nodes = &self.proof.nodes;
        let id = free_id(&mut self.next, |id| nodes.contains_key(&id));
        self.known.insert(placing, id);
        self.waiting.push((id, placing));
        id
    }
}

impl<const N: usize> Proof<N> {
    /// What is done in which position.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = (&Position<N>, Then)> {
        self.steps.iter().map(|(at, step)| (at, step.then))
    }

    /// The pairs that [`Then::Pairs`] names.
    pub fn pairing(&self, index: u32) -> &[Pair] {
        &self.pairings[index as usize]
    }

    /// The nodes, by their ids.
    pub fn nodes(&self) -> &AHashMap<u32, Node<N>> {
        &self.nodes
    }

    /// Where it begins: none for positions without a `root` line.
    pub fn root(&self) -> Option<Root> {
        self.root
    }
}
