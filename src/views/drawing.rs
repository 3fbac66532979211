//! What SVG and TikZ have in common: a picture as lines, circles and words in a plane, and several of them on a sheet.

use super::picture::{Ground, Kind, Picture};
use harary_certificate::Player;

/// A point of a picture: to the right and up, a cell being 1 wide, from the corner of a1.
pub(super) type Point = (f64, f64);

/// Something drawn, in the plane of a picture.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Item {
    /// A cell, by its lower left corner.
    Square { corner: (usize, usize), ground: Ground },
    /// A cell of a slanted board, by its centre.
    Hexagon { centre: Point, ground: Ground },
    /// A pair of neighbours, by their centres.
    Bar { from: Point, to: Point },
    /// A pair of cells apart from each other: a bent line that passes beside what lies between.
    Bow { from: Point, to: Point },
    /// Half a pair, whose other half lies across the edge.
    Stub { from: Point, to: Point },
    /// A stone.
    Stone { centre: Point, player: Player },
    /// A word in a cell, or on a stone of this player.
    Word { centre: Point, text: String, on: Option<Player> },
    /// A coordinate.
    Coordinate { centre: Point, text: String },
}

/// How high a slanted row stands above the one below.
const SLANTED_ROW: f64 = 0.866;

/// A stone is so large.
pub(super) const STONE: f64 = 0.4;

/// The corners of a hexagon around its centre, a cell being 1 wide.
pub(super) const HEXAGON: [Point; 6] =
    [(0.0, 0.577), (0.5, 0.289), (0.5, -0.289), (0.0, -0.577), (-0.5, -0.289), (-0.5, 0.289)];

impl Picture {
    fn centre(&self, place: usize) -> Point {
        self.centre_at((place % self.columns) as f64, (place / self.columns) as f64)
    }

    fn centre_at(&self, x: f64, y: f64) -> Point {
        if self.slanted { (x + 0.5 + y / 2.0, 0.577 + y * SLANTED_ROW) } else { (x + 0.5, y + 0.5) }
    }

    /// Width and height of the cells alone.
    pub(super) fn extent(&self) -> Point {
        let (columns, rows) = (self.columns as f64, self.rows as f64);
        if self.slanted { (columns + (rows - 1.0) / 2.0, 1.154 + (rows - 1.0) * SLANTED_ROW) } else { (columns, rows) }
    }

    /// What is drawn, from the ground up.
    pub(super) fn items(&self) -> Vec<Item> {
        let cells = || self.marks.iter().enumerate().filter_map(|(place, mark)| Some((place, mark.as_ref()?)));
        let mut items: Vec<Item> = cells()
            .map(|(place, mark)| match self.slanted {
                true => Item::Hexagon { centre: self.centre(place), ground: mark.ground },
                false => Item::Square { corner: (place % self.columns, place / self.columns), ground: mark.ground },
            })
            .collect();
        items.extend(self.pairs.iter().flat_map(|&pair| self.pair(pair)));
        for (place, mark) in cells() {
            let centre = self.centre(place);
            match &mark.kind {
                Kind::Empty => {}
                // The bar says it.
                Kind::Text(_) if self.pairs.iter().any(|pair| pair.0 == place || pair.1 == place) => {}
                Kind::Text(text) => items.push(Item::Word { centre, text: text.clone(), on: None }),
                Kind::Stone(player, turn) => {
                    items.push(Item::Stone { centre, player: *player });
                    let word = turn.map(|turn| Item::Word { centre, text: turn.to_string(), on: Some(*player) });
                    items.extend(word);
                }
            }
        }
        if self.coordinates {
            let coordinate = |x: f64, y: f64, text: String| Item::Coordinate { centre: self.centre_at(x, y), text };
            items.extend((0..self.rows).map(|y| coordinate(-1.0, y as f64, self.row_names[y].clone())));
            let below = if self.slanted { 0.5 } else { 0.0 };
            let names = self.column_names.iter().enumerate();
            items.extend(names.map(|(x, name)| coordinate(x as f64 + below, -1.0, name.clone())));
        }
        items
    }

    /// A pair: neighbours as a bar, others as a bow, and across glued edges as two stubs.
    fn pair(&self, (a, b): (usize, usize)) -> Vec<Item> {
        let at = |place: usize| ((place % self.columns) as i64, (place / self.columns) as i64);
        let ((ax, ay), (bx, by)) = (at(a), at(b));
        let (dx, dy) = (bx - ax, by - ay);
        let (from, to) = (self.centre(a), self.centre(b));
        let neighbours = dx.abs() + dy.abs() == 1 || self.slanted && dx == -dy && dx.abs() == 1;
        if neighbours {
            return vec![Item::Bar { from, to }];
        }
        let round = |glued: bool, d: i64, side: usize| {
            let side = side as i64;
            if glued && 2 * d.abs() > side { d - d.signum() * side } else { d }
        };
        let (rx, ry) = (round(self.glued.0, dx, self.columns), round(self.glued.1, dy, self.rows));
        if (rx, ry) == (dx, dy) {
            return vec![Item::Bow { from, to }];
        }
        // Out of the board in the direction of the partner, from both sides.
        let length = ((rx * rx + ry * ry) as f64).sqrt();
        let out =
            |(x, y): Point, sign: f64| (x + sign * 0.75 * rx as f64 / length, y + sign * 0.75 * ry as f64 / length);
        vec![Item::Stub { from, to: out(from, 1.0) }, Item::Stub { from: to, to: out(to, -1.0) }]
    }
}

/// Where a bow is bent to: the control point of a curve of the second degree.
pub(super) fn bend((ax, ay): Point, (bx, by): Point) -> Point {
    let (dx, dy) = (bx - ax, by - ay);
    let length = (dx * dx + dy * dy).sqrt().max(f64::EPSILON);
    ((ax + bx) / 2.0 - dy / length * 0.6, (ay + by) / 2.0 + dx / length * 0.6)
}

/// Several pictures with words and arrows, in millimetres from the upper left corner, downwards.
#[derive(Clone, Debug, Default)]
pub(super) struct Sheet {
    pub width: f64,
    pub height: f64,
    pub parts: Vec<Part>,
}

/// A part of a [`Sheet`].
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// A picture whose cells have their lower left corner here.
    Picture { corner: Point, cell: f64, picture: Picture },
    /// Lines of text, the first beginning here.
    Caption { at: Point, lines: Vec<String>, faint: bool },
    /// Straight pieces, with a head at the end.
    Arrow { points: Vec<Point> },
}

/// From one line of a caption to the next, in millimetres.
pub(super) const LINE: f64 = 3.4;

/// A text in lines of at most so many letters, broken at blanks.
pub(super) fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= letters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A number as short as a hundredth allows.
pub(super) fn short(value: f64) -> String {
    let text = format!("{:.3}", value);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_broken_at_blanks() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("a-long-word b", 4), ["a-long-word", "b"]);
        assert!(wrapped("  ", 4).is_empty());
    }
}
