//! Card by card: the `c` lines, each in its box of the plane, and the `u` lines that put them on the board.
//!
//! A card speaks of every board at once, so it is checked without one. The argument is lemma 8, docs/game.md.

use super::Checker;
use crate::cell::Cell;
use crate::cell_set::WideSet;
use crate::model::{Card, CardKind, Kind, Node, Placing, Refused, Setting};
use crate::rules::turned;
use crate::shape::Shape;
use ahash::AHashMap;
use rayon::prelude::*;

/// Where a cell of a box this wide lands when the card is placed.
pub(crate) fn landed(cell: Cell, width: usize, placing: &Placing) -> (i32, i32) {
    let (x, y) = turned(placing.turn.into(), ((cell.index() % width) as i32, (cell.index() / width) as i32));
    (x + placing.shift.0, y + placing.shift.1)
}

impl Card {
    /// Its B or Z as placed; `onto` names the cell at a point, if there is one.
    fn placed(&self, set: WideSet, placing: &Placing, onto: impl Fn((i32, i32)) -> Option<Cell>) -> Option<WideSet> {
        set.iter().map(|cell| onto(landed(cell, self.width, placing))).collect()
    }

    /// The cell of its box at a point.
    fn cell(&self, (x, y): (i32, i32)) -> Option<Cell> {
        let inside = (0..self.width as i32).contains(&x) && (0..self.height as i32).contains(&y);
        inside.then(|| Cell::new(x as usize + self.width * y as usize))
    }

    /// Where Black plays first.
    pub(crate) fn opening(&self) -> Cell {
        match self.kind {
            CardKind::Done(cell) | CardKind::Move(cell, _) => cell,
        }
    }
}

impl<const N: usize> Checker<N> {
    /// Checks every card and makes a node of every `u` line.
    pub(super) fn put_cards(&mut self) -> Result<(), Refused> {
        let Setting::Board { shape, .. } = &self.proof.header.setting else { return Ok(()) };
        check_cards(shape, &self.proof.cards)?;
        let mut uses: Vec<(u32, (u64, Placing))> = std::mem::take(&mut self.proof.uses).into_iter().collect();
        uses.sort_unstable_by_key(|&(_, (line, _))| line);
        for (id, (line, placing)) in uses {
            let node = self.put(id, line, placing).map_err(|reason| Refused::at(line, reason))?;
            self.proof.nodes.insert(id, node);
        }
        Ok(())
    }

    /// A card on the board: no cell of it leaves the board, no two are one.
    fn put(&self, id: u32, line: u64, placing: Placing) -> Result<Node<N>, String> {
        let Setting::Board { board, .. } = &self.proof.header.setting else { return Err("there is no board".into()) };
        let card = smaller_card(&self.proof.cards, id, placing.card)?;
        let put = |set| card.placed(set, &placing, |point| board.cell_at(point));
        let (Some(own), Some(open)) = (put(card.own), put(card.open)) else {
            return Err(format!("the card {} leaves the board", placing.card));
        };
        if (own | open).len() != card.own.len() + card.open.len() {
            return Err(format!("two cells of the card {} fall on one of the board", placing.card));
        }
        let opening = board.cell_at(landed(card.opening(), card.width, &placing)).ok_or("the card leaves the board")?;
        Ok(Node { line, own: own.resized(), open: open.resized(), kind: Kind::Card(placing, opening) })
    }

    /// Black's moves from each card on, his last included.
    pub(super) fn card_heights(&self) -> AHashMap<u32, usize> {
        let mut ids: Vec<u32> = self.proof.cards.keys().copied().collect();
        ids.sort_unstable();
        let mut heights: AHashMap<u32, usize> = AHashMap::new();
        for id in ids {
            let height = match &self.proof.cards[&id].kind {
                CardKind::Done(_) => 1,
                CardKind::Move(_, children) => 1 + children.iter().map(|child| heights[&child.card]).max().unwrap_or(0),
            };
            heights.insert(id, height);
        }
        heights
    }
}

/// Checks every card of a shape by itself, against its children: what a file of cards has to pass before it is used.
pub fn check_cards(shape: &Shape, cards: &AHashMap<u32, Card>) -> Result<(), Refused> {
    let wrong = |(&id, card): (&u32, &Card)| {
        let reason = check_card(shape, cards, id, card).err()?;
        Some(Refused { drawing: Some(card.drawing()), ..Refused::at(card.line, reason) })
    };
    match cards.par_iter().filter_map(wrong).min_by_key(|refused| refused.line) {
        Some(refused) => Err(refused),
        None => Ok(()),
    }
}

/// One card by itself.
fn check_card(shape: &Shape, cards: &AHashMap<u32, Card>, id: u32, card: &Card) -> Result<(), String> {
    let cell = card.opening();
    let own = card.own.with(cell);
    if !card.open.contains(cell) {
        return Err(format!("cell {cell:?} is not in Z"));
    }
    let CardKind::Move(_, children) = &card.kind else {
        return match holds_image(card, own, shape) {
            true => Ok(()),
            false => Err(format!("cell {cell:?} does not complete the shape")),
        };
    };
    let mut escapes = match children.is_empty() {
        true => return Err("no child".into()),
        false => WideSet::first_cells(card.width * card.height) - own,
    };
    for placing in children {
        let child = smaller_card(cards, id, placing.card)?;
        let put = |set| child.placed(set, placing, |point| card.cell(point));
        let (Some(stones), Some(cells)) = (put(child.own), put(child.open)) else {
            return Err(format!("the child {} leaves the box", placing.card));
        };
        if !stones.is_subset(&own) {
            return Err(format!("the child {} needs the stones {stones}, there are only {own}", placing.card));
        }
        if !cells.is_subset(&(card.open | card.own)) {
            return Err(format!("the child {} needs the cells {cells}, which are not all in Z or B", placing.card));
        }
        escapes &= cells;
    }
    // White's reply is no stone of Black's, so it lies outside some child's Z, and that child applies.
    match escapes.first() {
        Some(cell) => Err(format!("White answers at cell {cell:?}, and no child applies")),
        None => Ok(()),
    }
}

fn smaller_card(cards: &AHashMap<u32, Card>, id: u32, card: u32) -> Result<&Card, String> {
    match cards.get(&card) {
        _ if card >= id => Err(format!("the card {card} is not smaller than {id}, which uses it")),
        None => Err(format!("there is no card {card}")),
        Some(card) => Ok(card),
    }
}

/// Whether some image of the shape in the plane lies within these cells of a card's box.
fn holds_image(card: &Card, cells: WideSet, shape: &Shape) -> bool {
    (0..8).any(|turn| {
        let image: Vec<_> = shape.cells().iter().map(|&(x, y)| turned(turn, (x.into(), y.into()))).collect();
        cells.iter().any(|anchor| {
            let (left, low) = ((anchor.index() % card.width) as i32, (anchor.index() / card.width) as i32);
            let mut points = image.iter().map(|&(x, y)| (left + x - image[0].0, low + y - image[0].1));
            points.all(|point| card.cell(point).is_some_and(|cell| cells.contains(cell)))
        })
    })
}
