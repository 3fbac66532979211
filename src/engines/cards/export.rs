//! Writes a pool as the card files that [`super::import`] reads.

use super::import::{SHAPE_LINE, SYMBOLS};
use super::plane::{Point, Turn, turned};
use super::pool::{Pool, opening_of, point_in};
use harary_certificate::model::{Card, CardKind};
use std::fmt::Write;

/// The text of a public file; a remark at its top says how the shape lies.
pub fn export(pool: &mut Pool) -> String {
    let cells: Vec<Point> = pool.shape().cells().iter().map(|&(x, y)| (x.into(), y.into())).collect();
    // What each card of the pool is called there, and how that one is turned to become this one.
    let mut names: Vec<Option<(usize, Turn)>> = vec![None; pool.cards().len()];
    for missing in 0..cells.len() {
        let put = pool.base(&cells, missing);
        names.resize(pool.cards().len(), None);
        names[put.card as usize].get_or_insert((missing, put.turn.inverse()));
    }
    // Somebody's card may be done with more stones than it needs, or in a larger box: it is called as what it contains.
    for (name, card) in names.iter_mut().zip(pool.cards()) {
        if let CardKind::Done(_) = card.kind {
            *name = name.or_else(|| contained(card, &cells));
        }
    }
    let mut text = format!("{SHAPE_LINE}{}\n", pool.shape());
    let mut next = cells.len();
    for (number, card) in pool.cards().iter().enumerate() {
        let CardKind::Move(_, children) = &card.kind else { continue };
        let (x, y) = opening_of(card);
        let _ = write!(text, "{next} {}{}", symbol(x), symbol(y));
        for &child in children {
            let Some((name, turn)) = names[child.card as usize] else { continue };
            let turn = Turn::from(child).after(turn);
            let _ = match turn {
                Turn::NONE => write!(text, " {name}"),
                Turn { orientation, shift: (x, y) } => {
                    write!(text, " {name}:{}{}{}", symmetry(orientation), symbol(x), symbol(y))
                }
            };
        }
        text.push('\n');
        names[number] = Some((next, Turn::NONE));
        next += 1;
    }
    text
}

/// The base card inside a card that is done, and how it is turned to lie there.
fn contained(card: &Card, cells: &[Point]) -> Option<(usize, Turn)> {
    let (to, stones) = (opening_of(card), card.own.iter().map(|cell| point_in(card, cell)).collect::<Vec<_>>());
    let ways = (0..cells.len()).flat_map(|missing| (0..8).map(move |orientation| (missing, orientation)));
    ways.map(|(missing, orientation)| {
        let from = turned(orientation, cells[missing]);
        (missing, Turn { orientation, shift: (to.0 - from.0, to.1 - from.1) })
    })
    .find(|&(missing, turn)| {
        let others = cells.iter().enumerate().filter(|&(number, _)| number != missing);
        others.map(|(_, &cell)| turn.of(cell)).all(|cell| stones.contains(&cell))
    })
}

/// Boxes are smaller than there are symbols, and every shift is a corner of a box inside another.
fn symbol(number: i32) -> char {
    usize::try_from(number).ok().and_then(|number| SYMBOLS.chars().nth(number)).unwrap_or('?')
}

/// The number of an orientation there: 2 negates x, 4 negates y, then 1 exchanges them.
fn symmetry(orientation: u8) -> u8 {
    let image = |symmetry: u8| {
        let (x, y) = (if symmetry & 2 == 0 { 1 } else { -1 }, if symmetry & 4 == 0 { 2 } else { -2 });
        if symmetry & 1 == 0 { (x, y) } else { (y, x) }
    };
    (0..8).find(|&symmetry| image(symmetry) == turned(orientation, (1, 2))).unwrap_or(0)
}
