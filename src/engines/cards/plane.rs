//! Points of the plane, and its rotations, reflections and translations.

use harary_certificate::model::Placing;

/// A cell of the plane.
pub type Point = (i32, i32);

/// A rotation or reflection by number, as certificates number them, and a shift after it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Turn {
    /// 0 to 7: 4 exchanges x and y, then 1 negates x, 2 negates y.
    pub orientation: u8,
    /// What is added to x and to y.
    pub shift: Point,
}

/// The image of a point under one of the eight rotations and reflections.
pub fn turned(orientation: u8, (x, y): Point) -> Point {
    let (x, y) = if orientation & 4 == 0 { (x, y) } else { (y, x) };
    (if orientation & 1 == 0 { x } else { -x }, if orientation & 2 == 0 { y } else { -y })
}

/// The orientation that moves points as `map` does, which must be a rotation or reflection about (0, 0).
pub fn orientation_of(map: impl Fn(Point) -> Point) -> u8 {
    // The eight images of this point are all different.
    (0..8).find(|&orientation| turned(orientation, (1, 2)) == map((1, 2))).unwrap_or(0)
}

impl Turn {
    /// Everything stays where it is.
    pub const NONE: Turn = Turn { orientation: 0, shift: (0, 0) };

    /// Where a point goes.
    pub fn of(self, point: Point) -> Point {
        let (x, y) = turned(self.orientation, point);
        (x + self.shift.0, y + self.shift.1)
    }

    /// This after another one.
    pub fn after(self, first: Turn) -> Turn {
        let orientation = orientation_of(|point| turned(self.orientation, turned(first.orientation, point)));
        Turn { orientation, shift: self.of(first.shift) }
    }

    /// What undoes it.
    pub fn inverse(self) -> Turn {
        let back = |orientation: u8| turned(orientation, turned(self.orientation, (1, 2))) == (1, 2);
        let orientation = (0..8).find(|&orientation| back(orientation)).unwrap_or(0);
        let (x, y) = turned(orientation, self.shift);
        Turn { orientation, shift: (-x, -y) }
    }

    /// The same with another shift on top.
    pub fn moved(self, (dx, dy): Point) -> Turn {
        Turn { shift: (self.shift.0 + dx, self.shift.1 + dy), ..self }
    }

    /// A card put down by this turn, in the words of a certificate.
    pub fn placing(self, card: u32) -> Placing {
        Placing { card, turn: self.orientation, shift: self.shift }
    }
}

impl From<Placing> for Turn {
    fn from(placing: Placing) -> Turn {
        Turn { orientation: placing.turn, shift: placing.shift }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_a_group() {
        let turns = || (0..8).flat_map(|orientation| [(0, 0), (3, -5)].map(|shift| Turn { orientation, shift }));
        for first in turns() {
            assert_eq!(first.after(first.inverse()), Turn::NONE);
            assert_eq!(first.inverse().after(first), Turn::NONE);
            for second in turns() {
                for point in [(0, 0), (1, 2), (-7, 4)] {
                    assert_eq!(second.after(first).of(point), second.of(first.of(point)));
                }
            }
        }
    }
}
