//! A win on a plain board as cards, which lie on every larger board and on tori.
//!
//! The strategy of the certificate is walked on its own board. Each position that is met becomes a card
//! ([lemma 8](../../../docs/game.md#lemma-8-cards)) bottom up: the stones Black needs, and the cells White must not have.
//! After Black's move White has to answer inside the cells that all its cards have in common, so only those replies are
//! followed, and a card found for one position serves wherever its stones are there and its cells are free of White.

use super::carried::{Carried, NotCarried, completion};
use crate::game::Game;
use harary_certificate::model::{Card, CardKind, Placing};
use harary_certificate::playbook::{Playbook, State, Turn};
use harary_certificate::{Board, Cell, CertificateWriter, Claim, Format, Shape, WideSet, rules};

/// The certificate of the weak game of `shape` on the board of `to`.
pub fn on_larger_board(playbook: &Playbook, board: &Board, shape: &Shape, to: &Game) -> Result<Carried, NotCarried> {
    let sets = rules::winning_sets(shape, board);
    let mut deck = Deck { playbook, sets, board: WideSet::first_cells(board.size()), found: Vec::new() };
    let most = playbook.header().claim.last().unwrap_or(board.size()).div_ceil(2);
    let root = deck.card(&playbook.start(), most)?;
    let claim = Claim::Win(2 * deck.found[root].height - 1);
    let mut text = Vec::new();
    let mut writer = CertificateWriter::in_format(Format::Two, &mut text, &to.header(claim, false, None))?;
    let used = deck.used(root);
    let number = |place: usize| used.partition_point(|&other| other < place) as u32;
    let here = |card: u32| Placing { card, turn: 0, shift: (0, 0) };
    for &place in &used {
        let Found { own, open, cell, children, .. } = &deck.found[place];
        let kind = match children.as_slice() {
            [] => CardKind::Done(*cell),
            children => CardKind::Move(*cell, children.iter().map(|&child| here(number(child))).collect()),
        };
        writer.c(number(place), &Card::new((board.width(), board.height()), *own, *open, kind))?;
    }
    let node = used.len() as u32;
    writer.u(node, here(number(root)))?;
    writer.root(node)?;
    let (x, y) = board.xy(deck.found[root].cell);
    let first_move = to.shape_on_board().map(|(_, target)| target.cell(x, y));
    Ok(Carried { claim, text, first_move })
}

const STRANGE: NotCarried = NotCarried::Form("the certificate plays a game that cannot be followed");

/// The cards found so far, children before parents.
struct Deck<'a> {
    playbook: &'a Playbook,
    /// What Black wants, on the board the strategy was made for.
    sets: Vec<WideSet>,
    board: WideSet,
    found: Vec<Found>,
}

/// A card in the coordinates of that board.
struct Found {
    own: WideSet,
    open: WideSet,
    /// Where Black plays; without children he completes a set there.
    cell: Cell,
    children: Vec<usize>,
    height: usize,
}

impl Deck<'_> {
    /// A card that wins this state, Black to move, within so many moves of his.
    fn card(&mut self, state: &State, most: usize) -> Result<usize, NotCarried> {
        let (black, white) = (*state.black(), *state.white());
        let known = self.applying(black, white, most).min_by_key(|&card| self.found[card].open.len());
        if let Some(known) = known {
            return Ok(known);
        }
        if let Some(set) = completion(&self.sets, black, white) {
            let Some(cell) = (set - black).first() else { return Err(STRANGE) };
            let open = WideSet::single(cell);
            return Ok(self.keep(Found { own: set & black, open, cell, children: Vec::new(), height: 1 }));
        }
        let Turn::Plays(_, cell, next) = self.playbook.turn(state) else { return Err(STRANGE) };
        let Some(most) = most.checked_sub(1) else { return Err(STRANGE) };
        let owned = black.with(cell);
        // Replies outside what all cards after the move have in common are answered already.
        let mut children: Vec<usize> = self.applying(owned, white, most).collect();
        let mut common = self.common(&children, self.board - white - owned);
        while let Some(reply) = common.first() {
            let after = self.playbook.after(&next, reply).map_err(|_| STRANGE)?;
            let child = self.card(&after, most)?;
            common &= self.found[child].open;
            children.push(child);
        }
        let children = self.needed(&children, self.board - white - owned);
        let parts = children.iter().map(|&child| &self.found[child]);
        let (stones, cells) = parts
            .clone()
            .fold((WideSet::EMPTY, WideSet::EMPTY), |(own, open), part| (own | part.own, open | part.open));
        let own = (stones | self.common(&children, self.board)) & black;
        let height = 1 + parts.map(|part| part.height).max().unwrap_or(0);
        Ok(self.keep(Found { own, open: cells.with(cell) - own, cell, children, height }))
    }

    fn keep(&mut self, found: Found) -> usize {
        self.found.push(found);
        self.found.len() - 1
    }

    /// The known cards that win with these stones, Black to move, in time.
    fn applying(&self, black: WideSet, white: WideSet, most: usize) -> impl Iterator<Item = usize> {
        let applies =
            move |found: &Found| found.height <= most && found.own.is_subset(&black) && found.open.is_disjoint(&white);
        self.found.iter().enumerate().filter(move |(_, found)| applies(found)).map(|(place, _)| place)
    }

    /// What the open cells of all these cards have in common within `cells`.
    fn common(&self, cards: &[usize], cells: WideSet) -> WideSet {
        cards.iter().fold(cells, |common, &card| common & self.found[card].open)
    }

    /// A few of these cards that leave White no reply, chosen greedily. All of them together leave none.
    fn needed(&self, cards: &[usize], mut replies: WideSet) -> Vec<usize> {
        let mut chosen = Vec::new();
        while !replies.is_empty() {
            let left = |card: usize| ((replies & self.found[card].open).len(), self.found[card].open.len());
            let Some(best) = cards.iter().copied().min_by_key(|&card| left(card)) else { break };
            replies &= self.found[best].open;
            chosen.push(best);
        }
        chosen.sort_unstable();
        chosen
    }

    /// The cards the root rests on, itself included, children first.
    fn used(&self, root: usize) -> Vec<usize> {
        let mut used = vec![false; root + 1];
        used[root] = true;
        for place in (0..=root).rev() {
            if used[place] {
                self.found[place].children.iter().for_each(|&child| used[child] = true);
            }
        }
        (0..=root).filter(|&place| used[place]).collect()
    }
}
