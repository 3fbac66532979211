//! Cards by exhaustive search in a box of the plane.

use super::super::game::{Game, complete, turned};
use super::super::{Set, bit, cells};
use super::nodes::Pool;
use std::collections::HashMap;

type Place = (i64, i64);

/// A rotation or reflection, and a shift after it.
#[derive(Clone, Copy, Default)]
pub struct Turn(pub usize, pub Place);

impl Turn {
    fn of(self, place: Place) -> Place {
        let (x, y) = turned(self.0, place);
        (x + self.1.0, y + self.1.1)
    }

    /// This after another one.
    fn after(self, first: Turn) -> Turn {
        let both = |place| turned(self.0, turned(first.0, place));
        // The images of this place are all different.
        let orientation = (0..8).find(|&orientation| turned(orientation, (1, 2)) == both((1, 2))).unwrap();
        Turn(orientation, self.of(first.1))
    }

    fn inverse(self) -> Turn {
        let inverse = (0..8).map(|orientation| Turn(orientation, (0, 0))).find(|turn| turn.after(self).0 == 0).unwrap();
        let (x, y) = inverse.of(self.1);
        Turn(inverse.0, (-x, -y))
    }
}

/// A card, where it lies in the box, and what it needs there.
#[derive(Clone)]
pub struct Found {
    id: usize,
    turn: Turn,
    own: Set,
    open: Set,
}

/// The stones and the free places of a card, and its height, in the form that is written.
type Key = (Vec<Place>, Vec<Place>, usize);

pub struct Deck {
    game: Game,
    width: usize,
    known: HashMap<(Set, Set, usize), Option<Found>>,
    written: HashMap<Key, usize>,
    pub pool: Pool,
}

impl Deck {
    pub fn new(width: usize, height: usize, shape: &[(usize, usize)]) -> Deck {
        let game = Game::on_board(width, height, false, shape, false);
        Deck { game, width, known: HashMap::new(), written: HashMap::new(), pool: Pool::new(1) }
    }

    pub fn all(&self) -> Set {
        self.game.all()
    }

    fn place(&self, cell: usize) -> Place {
        ((cell % self.width) as i64, (cell / self.width) as i64)
    }

    /// A card for Black's stones and free cells of the box that wins within so many moves.
    pub fn solve(&mut self, own: Set, open: Set, moves: usize) -> Option<Found> {
        if moves == 0 {
            return None;
        }
        if let Some(known) = self.known.get(&(own, open, moves)) {
            return known.clone();
        }
        let found = self.done(own, open).or_else(|| cells(open).into_iter().find_map(|m| self.by(m, own, open, moves)));
        self.known.insert((own, open, moves), found.clone());
        found
    }

    fn done(&mut self, own: Set, open: Set) -> Option<Found> {
        let cell = cells(open).into_iter().find(|&cell| complete(&self.game.black, own | bit(cell)))?;
        let set = *self.game.black.iter().find(|&&set| set & !(own | bit(cell)) == 0)?;
        Some(self.write(set & !bit(cell), bit(cell), cell, &[], 1))
    }

    /// The card that opens with `m`: children are looked for until no cell is left that White can take in all.
    fn by(&mut self, m: usize, own: Set, open: Set, moves: usize) -> Option<Found> {
        let (owned, free) = (own | bit(m), open & !bit(m));
        let mut children = vec![self.solve(owned, free, moves - 1)?];
        let mut common = children[0].open;
        while let Some(r) = cells(common & !owned).first().copied() {
            let child = self.solve(owned, free & !bit(r), moves - 1)?;
            common &= child.open;
            children.push(child);
        }
        let needed = children.iter().fold(common, |set, child| set | child.own) & !bit(m);
        let open = children.iter().fold(bit(m), |set, child| set | child.open) & !needed;
        Some(self.write(needed, open, m, &children, moves))
    }

    /// Writes a card in the least of its eight orientations, unless it is there already.
    fn write(&mut self, own: Set, open: Set, cell: usize, children: &[Found], moves: usize) -> Found {
        let places = |set: Set| -> Vec<Place> { cells(set).into_iter().map(|cell| self.place(cell)).collect() };
        let (stones, free) = (places(own), places(open));
        let (turn, key) = (0..8)
            .map(|orientation| {
                let turned: Vec<Place> = stones.iter().chain(&free).map(|&place| turned(orientation, place)).collect();
                let left = turned.iter().map(|place| place.0).min().unwrap();
                let low = turned.iter().map(|place| place.1).min().unwrap();
                let turn = Turn(orientation, (-left, -low));
                let sorted = |places: &[Place]| {
                    let mut places: Vec<Place> = places.iter().map(|&place| turn.of(place)).collect();
                    places.sort();
                    places
                };
                (turn, (sorted(&stones), sorted(&free), moves))
            })
            .min_by(|one, other| one.1.cmp(&other.1))
            .unwrap();
        let id = match self.written.get(&key) {
            Some(&id) => id,
            None => {
                let rest = card_text(turn, &key, turn.of(self.place(cell)), children);
                let id = self.pool.add("c", &rest, children.iter().map(|child| child.id).collect());
                self.written.insert(key, id);
                id
            }
        };
        Found { id, turn: turn.inverse(), own, open }
    }

    /// A `u` line for a card of the box that is put on the board by a turn.
    pub fn put(&mut self, card: &Found, turn: Turn) -> usize {
        let Turn(orientation, (dx, dy)) = turn.after(card.turn);
        self.pool.add("u", &format!("{} {orientation} {dx},{dy}", card.id), vec![card.id])
    }
}

/// What follows the id of a `c` line.
fn card_text(turn: Turn, (own, open, _): &Key, cell: Place, children: &[Found]) -> String {
    let sides = own.iter().chain(open).fold((0, 0), |(w, h), &(x, y)| (w.max(x + 1), h.max(y + 1)));
    let number = |&(x, y): &Place| (x + sides.0 * y) as usize;
    let set = |places: &[Place]| -> Set { places.iter().map(|place| bit(number(place))).sum() };
    let word = if children.is_empty() { "done" } else { "move" };
    let mut text = format!("{}x{} {:x} {:x} {word} {}", sides.0, sides.1, set(own), set(open), number(&cell));
    for child in children {
        let Turn(orientation, (dx, dy)) = turn.after(child.turn);
        text += &format!(" {}@{orientation},{dx},{dy}", child.id);
    }
    text
}
