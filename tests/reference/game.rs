//! Games, their winning sets and their symmetries.

use super::{Result, Set, bit, cells, has, need, size, within};
use std::collections::HashSet;

/// The most symmetries that generators may make.
const LARGEST_GROUP: usize = 65_536;

/// A shape on a board.
#[derive(Clone)]
pub struct Board {
    pub width: usize,
    pub height: usize,
    pub torus: bool,
    pub shape: Vec<(usize, usize)>,
}

/// A game as a header spells it.
#[derive(Clone, Default)]
pub struct Game {
    pub cells: usize,
    pub black: Vec<Set>,
    pub white: Vec<Set>,
    pub start: (Set, Set),
    pub first: Option<Set>,
    pub strong: bool,
    pub turns: Vec<char>,
    /// Every symmetry of the board, or of the group of generators, the identity among them. None in a bare game of
    /// sets.
    pub symmetries: Vec<Vec<usize>>,
    pub board: Option<Board>,
}

/// A place of the plane turned by an orientation from 0 to 7: exchanged by 4, then x negated by 1 and y by 2.
pub fn turned(orientation: usize, (x, y): (i64, i64)) -> (i64, i64) {
    let (x, y) = if orientation & 4 != 0 { (y, x) } else { (x, y) };
    (if orientation & 1 != 0 { -x } else { x }, if orientation & 2 != 0 { -y } else { y })
}

impl Board {
    /// The cell at a place, if there is one.
    pub fn cell(&self, (x, y): (i64, i64)) -> Option<usize> {
        let (w, h) = (self.width as i64, self.height as i64);
        let (x, y) = if self.torus { (x.rem_euclid(w), y.rem_euclid(h)) } else { (x, y) };
        ((0..w).contains(&x) && (0..h).contains(&y)).then_some((x + w * y) as usize)
    }

    /// The shape's places turned by an orientation and moved.
    pub fn shape_at(&self, orientation: usize, (dx, dy): (i64, i64)) -> impl Iterator<Item = (i64, i64)> {
        self.shape.iter().map(move |&(x, y)| {
            let (x, y) = turned(orientation, (x as i64, y as i64));
            (x + dx, y + dy)
        })
    }

    fn winning_sets(&self) -> Vec<Set> {
        let (w, h) = (self.width as i64, self.height as i64);
        let extent = self.shape.iter().map(|&(x, y)| x.max(y)).max().unwrap_or(0) as i64;
        let mut sets = Vec::new();
        for orientation in 0..8 {
            for dx in -extent..w + extent {
                for dy in -extent..h + extent {
                    let places = self.shape_at(orientation, (dx, dy));
                    let set = places.filter_map(|place| self.cell(place)).fold(0, |set, cell| set | bit(cell));
                    if size(set) == self.shape.len() && !sets.contains(&set) {
                        sets.push(set);
                    }
                }
            }
        }
        sets
    }

    /// A symmetry is one of the eight that brings the board back onto itself after a shift.
    fn symmetries(&self) -> Vec<Vec<usize>> {
        let longest = self.width.max(self.height) as i64;
        let mut symmetries: Vec<Vec<usize>> = Vec::new();
        for orientation in 0..8 {
            // A quarter turn of a board that is no square is no map of it, not on a torus either.
            if orientation & 4 != 0 && self.width != self.height {
                continue;
            }
            for dx in 0..longest {
                for dy in 0..longest {
                    let place = |cell: usize| ((cell % self.width) as i64, (cell / self.width) as i64);
                    let moved = |(x, y)| (x + dx, y + dy);
                    let images: Option<Vec<usize>> = (0..self.width * self.height)
                        .map(|cell| self.cell(moved(turned(orientation, place(cell)))))
                        .collect();
                    if let Some(images) = images.filter(|images| !symmetries.contains(images)) {
                        symmetries.push(images);
                    }
                }
            }
        }
        symmetries
    }
}

impl Game {
    pub fn all(&self) -> Set {
        (bit(self.cells - 1) - 1) | bit(self.cells - 1)
    }

    /// A shape on a board, players alternating.
    pub fn on_board(width: usize, height: usize, torus: bool, shape: &[(usize, usize)], strong: bool) -> Game {
        let board = Board { width, height, torus, shape: shape.to_vec() };
        let sets = board.winning_sets();
        Game {
            cells: width * height,
            white: if strong { sets.clone() } else { Vec::new() },
            black: sets,
            strong,
            turns: alternating(width * height),
            symmetries: board.symmetries(),
            board: Some(board),
            ..Game::default()
        }
    }

    /// Whether the turn order is the plain one, however long.
    pub fn alternates(&self) -> bool {
        self.turns == alternating(self.turns.len())
    }

    /// The cells a player may choose from after `t` turns.
    pub fn choices(&self, arena: Set, black: Set, white: Set, t: usize) -> Vec<usize> {
        let allowed = if t == 0 { self.first.unwrap_or(self.all()) } else { self.all() };
        cells(arena & allowed & !black & !white)
    }

    /// The turns played when these stones are on the board, those of the start not counted.
    pub fn played(&self, black: Set, white: Set, elsewhere: usize) -> usize {
        size(black) + size(white) + elsewhere - size(self.start.0 | self.start.1)
    }

    /// Black's turns from the next one, after `t` turns, up to turn `last` or the end of the game.
    pub fn moves_left(&self, t: usize, last: Option<u64>) -> usize {
        let last = last.map_or(self.turns.len(), |last| last.min(self.turns.len() as u64) as usize);
        self.turns[t.min(last)..last].iter().filter(|&&player| player == 'B').count()
    }

    /// Checks that a list of images is a symmetry of the game.
    pub fn check_symmetry(&self, images: &[usize]) -> Result<()> {
        let different: HashSet<&usize> = images.iter().collect();
        need(images.len() == self.cells && different.len() == self.cells, "no permutation")?;
        for sets in [&self.black, &self.white] {
            let known: HashSet<&Set> = sets.iter().collect();
            need(sets.iter().all(|&set| known.contains(&image(images, set))), "a winning set moved to none")?;
        }
        let (black, white) = self.start;
        need(image(images, black) == black && image(images, white) == white, "a start stone moved")
    }
}

/// The plain turn order: Black, White, Black, …
pub fn alternating(turns: usize) -> Vec<char> {
    (0..turns).map(|t| if t % 2 == 0 { 'B' } else { 'W' }).collect()
}

/// The group that permutations generate, unless it is too large.
pub fn group(generators: &[Vec<usize>], vertices: usize) -> Result<Vec<Vec<usize>>> {
    let mut found: Vec<Vec<usize>> = vec![(0..vertices).collect()];
    let mut known: HashSet<Vec<usize>> = found.iter().cloned().collect();
    let mut at = 0;
    while at < found.len() {
        for generator in generators {
            let product: Vec<usize> = found[at].iter().map(|&cell| generator[cell]).collect();
            if known.insert(product.clone()) {
                found.push(product);
                need(found.len() <= LARGEST_GROUP, "a group too large")?;
            }
        }
        at += 1;
    }
    Ok(found)
}

pub fn image(symmetry: &[usize], set: Set) -> Set {
    cells(set).into_iter().map(|cell| bit(symmetry[cell])).sum()
}

/// The canonical form, given the symmetries it is taken over.
pub fn canonical(symmetries: &[Vec<usize>], black: Set, white: Set) -> (Set, Set) {
    symmetries.iter().map(|symmetry| (image(symmetry, black), image(symmetry, white))).min().unwrap_or((black, white))
}

/// Whether some set is all there.
pub fn complete(sets: &[Set], stones: Set) -> bool {
    sets.iter().any(|&set| within(set, stones))
}

/// Whether a set contains both cells of some pair.
pub fn paired(set: Set, pairs: &[(usize, usize)]) -> bool {
    pairs.iter().any(|&(a, b)| has(set, a) && has(set, b))
}
