//! What is known on one board: the pool, the wins that hold on this torus alone, and where all of them lie.

use super::plane::{Point, Turn};
use super::pool::{Pool, Put};
use super::spread::{Claim, Source, Spread};
use harary_certificate::{Board, Cell, CellSet};

/// A combination that reaches around a torus, so that it is no card of the plane.
pub struct Knot<const N: usize> {
    /// The stones Black needs.
    pub own: CellSet<N>,
    /// The free cells.
    pub open: CellSet<N>,
    /// Where Black plays.
    pub pivot: Cell,
    /// One of these applies then.
    pub children: Vec<Claim<N>>,
    /// Black's moves.
    pub height: usize,
}

/// What is known on one board.
pub struct Deck<const N: usize> {
    /// The cards.
    pub pool: Pool,
    knots: Vec<Knot<N>>,
    /// Where they lie.
    pub spread: Spread<N>,
}

const ORIENTATIONS: [u8; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

impl<const N: usize> Deck<N> {
    /// Puts all cards of a pool on a board, wherever they fit.
    pub fn new(pool: Pool, board: Board) -> Deck<N> {
        let mut deck = Deck { pool, knots: Vec::new(), spread: Spread::new(board) };
        for card in 0..deck.pool.cards().len() as u32 {
            deck.spread_card(card);
        }
        deck
    }

    fn spread_card(&mut self, card: u32) {
        let (own, open) = self.pool.points(Put { card, turn: Turn::NONE });
        self.spread.add(Source::Card(card), &own, &open, &ORIENTATIONS);
    }

    /// How many wins are known.
    pub fn wins(&self) -> usize {
        self.pool.cards().len() + self.knots.len()
    }

    /// How many of them hold on this torus alone.
    pub fn knots(&self) -> usize {
        self.knots.len()
    }

    /// A win of this torus.
    pub fn knot(&self, number: u32) -> &Knot<N> {
        &self.knots[number as usize]
    }

    /// Black's moves from a win on.
    pub fn height(&self, source: Source) -> usize {
        match source {
            Source::Card(card) => self.pool.height(card),
            Source::Knot(knot) => self.knots[knot as usize].height,
        }
    }

    fn point(&self, cell: Cell) -> Point {
        let (x, y) = self.spread.board().xy(cell);
        (x as i32, y as i32)
    }

    /// The cells of points that lie on the board.
    fn cells(&self, points: &[Point]) -> CellSet<N> {
        points.iter().filter_map(|&point| self.spread.board().cell_at(point)).collect()
    }

    /// Keeps a combination, in all its places, and gives it back where it was found.
    pub fn learn(&mut self, pivot: Cell, children: &[Claim<N>]) -> Claim<N> {
        let known = self.pool.cards().len();
        let lifted = self.lifted(pivot, children);
        let combined = lifted.and_then(|children| self.pool.combine(self.point(pivot), &children));
        if let Some(put) = combined {
            let (own, open) = self.pool.points(put);
            let (own_cells, open_cells) = (self.cells(&own), self.cells(&open));
            // What is new is spread; what reaches around the torus holds elsewhere, but not here.
            if put.card as usize == known {
                self.spread_card(put.card);
            }
            if (own_cells | open_cells).len() == own.len() + open.len() {
                return Claim { source: Source::Card(put.card), turn: put.turn, own: own_cells, open: open_cells };
            }
        }
        self.tie(pivot, children)
    }

    /// The children as cards of the plane: each is shifted by whole turns around the torus until their pivots meet.
    fn lifted(&self, pivot: Cell, children: &[Claim<N>]) -> Option<Vec<Put>> {
        let (board, at) = (self.spread.board(), self.point(pivot));
        let lift = |child: &Claim<N>| {
            let Source::Card(card) = child.source else { return None };
            let put = Put { card, turn: child.turn };
            if !board.is_torus() {
                return Some(put);
            }
            let (own, _) = self.pool.points(put);
            let &(x, y) = own.iter().find(|&&point| board.cell_at(point) == Some(pivot))?;
            Some(Put { turn: put.turn.moved((at.0 - x, at.1 - y)), ..put })
        };
        children.iter().map(lift).collect()
    }

    /// Keeps a combination that holds on this torus alone.
    fn tie(&mut self, pivot: Cell, children: &[Claim<N>]) -> Claim<N> {
        let all = |of: fn(&Claim<N>) -> CellSet<N>| children.iter().map(of).fold(CellSet::EMPTY, |sum, set| sum | set);
        let common = children.iter().map(|child| child.open).reduce(|common, open| common & open);
        let own = (all(|child| child.own) | common.unwrap_or(CellSet::EMPTY)).without(pivot);
        let open = (all(|child| child.open) - own).with(pivot);
        let height = 1 + children.iter().map(|child| self.height(child.source)).max().unwrap_or(0);
        let source = Source::Knot(self.knots.len() as u32);
        self.knots.push(Knot { own, open, pivot, children: children.to_vec(), height });
        let points = |set: CellSet<N>| -> Vec<Point> { set.iter().map(|cell| self.point(cell)).collect() };
        let (own_points, open_points) = (points(own), points(open));
        // Only a square torus can be turned by a quarter.
        let count = if self.spread.board().is_square() { 8 } else { 4 };
        self.spread.add(source, &own_points, &open_points, &ORIENTATIONS[..count]);
        Claim { source, turn: Turn::NONE, own, open }
    }

    /// The pool, with everything learned that holds elsewhere too.
    pub fn into_pool(self) -> Pool {
        self.pool
    }
}
