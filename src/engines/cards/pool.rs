//! The cards of one shape: wins that hold on every board where they fit.
//!
//! Each card is a proof object: it completes the shape, or names the cards it rests on, which come before it. So a pool
//! is a proof of everything in it, and [`Pool::checked`] has the checker judge it card by card.

use super::plane::{Point, Turn, turned};
use ahash::AHashMap;
use harary_certificate::checker::check_cards;
use harary_certificate::model::{Card, CardKind, Placing};
use harary_certificate::{Cell, MAX_SIDE, Refused, Shape, WideSet};
use std::collections::BTreeSet;

/// The cards of a shape. A card's number is its place; its children have smaller ones.
pub struct Pool {
    shape: Shape,
    cards: Vec<Card>,
    /// Black's moves, of each card.
    heights: Vec<u16>,
    /// Cards by what they say, in the orientation they are kept in.
    known: AHashMap<Saying, u32>,
}

/// The sides of a card's box, and its two sets.
type Saying = ((usize, usize), WideSet, WideSet);

/// A card of the pool as it is put somewhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Put {
    /// Its number.
    pub card: u32,
    /// How it is put there.
    pub turn: Turn,
}

impl Pool {
    /// The base cards of a shape: all of it but one cell.
    pub fn new(shape: Shape) -> Pool {
        let shape = shape.canonical();
        let mut pool = Pool { shape, cards: Vec::new(), heights: Vec::new(), known: AHashMap::new() };
        let cells: Vec<Point> = pool.shape.cells().iter().map(|&(x, y)| (x.into(), y.into())).collect();
        for missing in 0..cells.len() {
            pool.base(&cells, missing);
        }
        pool
    }

    /// A pool of cards that somebody else wrote down, if each is right by itself. They are numbered in order.
    pub fn checked(shape: Shape, cards: Vec<Card>) -> Result<Pool, Refused> {
        let numbered: AHashMap<u32, Card> = (0..).zip(cards).collect();
        check_cards(&shape, &numbered)?;
        let mut numbered: Vec<(u32, Card)> = numbered.into_iter().collect();
        numbered.sort_unstable_by_key(|&(number, _)| number);
        let mut pool = Pool { shape, cards: Vec::new(), heights: Vec::new(), known: AHashMap::new() };
        for (_, card) in numbered {
            pool.push(card);
        }
        // The searches take it for granted that the base cards are there.
        let base = Pool::new(pool.shape.clone());
        for card in base.cards {
            if !pool.known.contains_key(&saying(&card)) {
                pool.push(card);
            }
        }
        Ok(pool)
    }

    /// What is to be completed.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Its cards, in order.
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// Black's moves from this card on, his last included.
    pub fn height(&self, card: u32) -> usize {
        self.heights[card as usize].into()
    }

    fn push(&mut self, card: Card) -> u32 {
        let number = self.cards.len() as u32;
        let below = |child: &Placing| self.heights[child.card as usize];
        let height = match &card.kind {
            CardKind::Done(_) => 1,
            CardKind::Move(_, children) => children.iter().map(below).max().unwrap_or(0).saturating_add(1),
        };
        self.known.insert(saying(&card), number);
        self.heights.push(height);
        self.cards.push(card);
        number
    }

    /// The points of a card's stones and of its free cells, as it is put somewhere.
    pub fn points(&self, put: Put) -> (Vec<Point>, Vec<Point>) {
        let card = &self.cards[put.card as usize];
        let place = |set: WideSet| set.iter().map(|cell| put.turn.of(point_in(card, cell))).collect();
        (place(card.own), place(card.open))
    }

    /// The combination of [lemma 8](../../../docs/game.md#lemma-8-cards): Black plays `pivot`, then one of the cards
    /// applies. None if the card would be too large for any board.
    pub fn combine(&mut self, pivot: Point, children: &[Put]) -> Option<Put> {
        let mut own = BTreeSet::new();
        let mut open = BTreeSet::from([pivot]);
        let mut common: Option<BTreeSet<Point>> = None;
        for &child in children {
            let (stones, free) = self.points(child);
            let free: BTreeSet<Point> = free.into_iter().collect();
            own.extend(stones);
            open.extend(free.iter().copied());
            common = Some(match common {
                None => free,
                Some(common) => &common & &free,
            });
        }
        own.extend(common?);
        own.remove(&pivot);
        open.retain(|point| !own.contains(point));
        let extent = |of: fn(&Point) -> i32| {
            let all = || own.iter().chain(&open).map(of);
            Some(all().max()? - all().min()?)
        };
        let longest = extent(|point| point.0)?.max(extent(|point| point.1)?);
        (longest < MAX_SIDE as i32).then(|| self.add(own, open, pivot, children))
    }

    /// Keeps a card in the least of its eight orientations, unless it is there already.
    fn add(&mut self, own: BTreeSet<Point>, open: BTreeSet<Point>, pivot: Point, children: &[Put]) -> Put {
        let oriented = |orientation| {
            let all = || own.iter().chain(&open).map(|&point| turned(orientation, point));
            let left = all().map(|point| point.0).min().unwrap_or(0);
            let low = all().map(|point| point.1).min().unwrap_or(0);
            let width = all().map(|point| point.0 - left + 1).max().unwrap_or(1) as usize;
            let height = all().map(|point| point.1 - low + 1).max().unwrap_or(1) as usize;
            let turn = Turn { orientation, shift: (-left, -low) };
            let cell = |point: Point| cell_in(width, turn.of(point));
            let set = |points: &BTreeSet<Point>| points.iter().map(|&point| cell(point)).collect::<WideSet>();
            (((width, height), set(&own), set(&open)), turn)
        };
        let (mut least, mut by) = oriented(0);
        for orientation in 1..8 {
            let (form, turn) = oriented(orientation);
            if form < least {
                (least, by) = (form, turn);
            }
        }
        let below = children.iter().map(|child| self.heights[child.card as usize]).max().unwrap_or(0);
        let height = below.saturating_add(1);
        let number = match self.known.get(&least) {
            Some(&number) if self.heights[number as usize] <= height => number,
            _ => {
                let (sides, own, open) = least;
                let cell = cell_in(sides.0, by.of(pivot));
                let placed = |child: &Put| by.after(child.turn).placing(child.card);
                let kind = match children {
                    [] => CardKind::Done(cell),
                    _ => CardKind::Move(cell, children.iter().map(placed).collect()),
                };
                self.push(Card::new(sides, own, open, kind))
            }
        };
        Put { card: number, turn: by.inverse() }
    }

    /// The base card of the shape at these points with one of them missing.
    pub fn base(&mut self, cells: &[Point], missing: usize) -> Put {
        let own = cells.iter().enumerate().filter(|&(number, _)| number != missing).map(|(_, &cell)| cell).collect();
        self.add(own, BTreeSet::from([cells[missing]]), cells[missing], &[])
    }

    /// The cards that need no stone: wins of the empty board, where they fit.
    pub fn wins_from_nothing(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.cards).filter(|(_, card)| card.own.is_empty()).map(|(number, _)| number)
    }
}

fn saying(card: &Card) -> Saying {
    ((card.width, card.height), card.own, card.open)
}

fn cell_in(width: usize, (x, y): Point) -> Cell {
    Cell::new(x as usize + width * y as usize)
}

/// Where a cell of a card's box lies.
pub fn point_in(card: &Card, cell: Cell) -> Point {
    ((cell.index() % card.width) as i32, (cell.index() / card.width) as i32)
}

/// Where Black plays first.
pub fn opening_of(card: &Card) -> Point {
    match card.kind {
        CardKind::Done(cell) | CardKind::Move(cell, _) => point_in(card, cell),
    }
}
