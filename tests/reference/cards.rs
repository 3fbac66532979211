//! Cards: attacks in a box of the plane (`c`), and their use on the board (`u`).

use super::game::{Board, turned};
use super::lines::{below, id, members, shift, sides, two};
use super::nodes::KnownNode;
use super::{Result, bit, need};
use std::collections::{BTreeSet, HashMap};

type Place = (i64, i64);
type Places = BTreeSet<Place>;

/// How a card is turned and moved.
#[derive(Clone, Copy)]
struct Turn {
    orientation: usize,
    by: Place,
}

impl Turn {
    fn read(orientation: &str, dx: &str, dy: &str) -> Result<Turn> {
        Ok(Turn { orientation: below(orientation, 8)?, by: (shift(dx)?, shift(dy)?) })
    }

    fn of(self, place: Place) -> Place {
        let (x, y) = turned(self.orientation, place);
        (x + self.by.0, y + self.by.1)
    }

    fn all(self, places: &Places) -> Places {
        places.iter().map(|&place| self.of(place)).collect()
    }
}

pub struct Card {
    width: i64,
    height: i64,
    own: Places,
    open: Places,
    cell: Place,
    /// None for `done`.
    children: Option<Vec<(u64, Turn)>>,
}

/// What a parent or a `u` line must know of a card that has been checked.
pub struct KnownCard {
    own: Places,
    open: Places,
    first: Place,
    height: u64,
}

impl Card {
    /// Reads what follows the id: the box, both sets, and the word with the rest.
    pub fn read(fields: &[&str]) -> Result<Card> {
        let (width, height) = sides(fields[0])?;
        let vertices = width * height;
        let place = |cell: usize| ((cell % width) as i64, (cell / width) as i64);
        let places = |text: &str| Ok::<Places, String>(members(text, vertices)?.into_iter().map(place).collect());
        let (own, open) = (places(fields[1])?, places(fields[2])?);
        need(fields.len() >= 5, "a card cut off")?;
        let cell = place(below(fields[4], vertices)?);
        let children = match fields[3] {
            "done" => {
                need(fields.len() == 5, "done")?;
                None
            }
            "move" => Some(fields[5..].iter().map(|field| child(field)).collect::<Result<_>>()?),
            _ => return Err("a card of no kind".into()),
        };
        Ok(Card { width: width as i64, height: height as i64, own, open, cell, children })
    }

    /// Cards with smaller ids are known already: a child that is not is missing or not smaller.
    pub fn check(&self, board: &Board, known: &HashMap<u64, KnownCard>) -> Result<KnownCard> {
        need(self.own.is_disjoint(&self.open), "B meets Z")?;
        need(self.open.contains(&self.cell), "the cell is outside Z")?;
        let mut owned = self.own.clone();
        owned.insert(self.cell);
        let mut height = 1;
        match &self.children {
            None => need(shape_within(board, &owned), "nothing done")?,
            Some(children) => {
                need(!children.is_empty(), "no children")?;
                let either: Places = self.own.union(&self.open).copied().collect();
                let mut common: Option<Places> = None;
                for (child, turn) in children {
                    let child = known.get(child).ok_or("no such card")?;
                    let (own, open) = (turn.all(&child.own), turn.all(&child.open));
                    need(own.iter().chain(&open).all(|&place| self.holds(place)), "a card outside the box")?;
                    need(own.is_subset(&owned), "the child's B does not fit")?;
                    need(open.is_subset(&either), "the child's Z does not fit")?;
                    common = Some(common.map_or(open.clone(), |common| &common & &open));
                    height = height.max(child.height + 1);
                }
                need(common.is_some_and(|common| common.is_subset(&owned)), "White takes a cell of every Z")?;
            }
        }
        Ok(KnownCard { own: self.own.clone(), open: self.open.clone(), first: self.cell, height })
    }

    fn holds(&self, (x, y): Place) -> bool {
        (0..self.width).contains(&x) && (0..self.height).contains(&y)
    }
}

/// `<child>@<o>,<dx>,<dy>`
fn child(field: &str) -> Result<(u64, Turn)> {
    let (child, turn) = two(field, '@')?;
    let [orientation, dx, dy] = turn.split(',').collect::<Vec<_>>()[..] else { return Err("a child's place".into()) };
    Ok((id(child)?, Turn::read(orientation, dx, dy)?))
}

/// Whether some image of the shape in the plane lies within these places.
fn shape_within(board: &Board, places: &Places) -> bool {
    // Some place is that of the shape's first cell.
    places.iter().any(|&(x, y)| {
        (0..8).any(|orientation| {
            let (cell_x, cell_y) = turned(orientation, (board.shape[0].0 as i64, board.shape[0].1 as i64));
            board.shape_at(orientation, (x - cell_x, y - cell_y)).all(|place| places.contains(&place))
        })
    })
}

/// A card put on the board.
pub struct Placement {
    card: u64,
    turn: Turn,
}

impl Placement {
    /// Reads what follows the id: the card, its orientation and its shift.
    pub fn read(fields: &[&str]) -> Result<Placement> {
        let (dx, dy) = two(fields[2], ',')?;
        Ok(Placement { card: id(fields[0])?, turn: Turn::read(fields[1], dx, dy)? })
    }

    /// The attack node that it makes.
    pub fn check(&self, board: &Board, known: &HashMap<u64, KnownCard>) -> Result<KnownNode> {
        let card = known.get(&self.card).ok_or("no such card")?;
        let landed = |place: Place| board.cell(self.turn.of(place)).ok_or("a card outside the board");
        let (mut own, mut open) = (0, 0);
        for (places, set) in [(&card.own, &mut own), (&card.open, &mut open)] {
            for &place in places {
                let cell = bit(landed(place)?);
                need(*set & cell == 0, "a card that covers a cell twice")?;
                *set |= cell;
            }
        }
        need(own & open == 0, "a card that covers a cell twice")?;
        Ok(KnownNode { strong: false, own, open, first: landed(card.first)?, height: card.height })
    }
}
