//! The cards as they lie on one board: in all orientations and places, found by the stones they need.
//!
//! Asked about a position, [`Spread::scan`] finds every placed card that lacks at most one stone and meets no stone of
//! White's. Such a card has two of any three of its stones on the board. So it is listed under the three pairs of the
//! three that lie farthest apart, which few other cards share, by the difference of the two. Cards of fewer than three
//! stones have a list of their own.

use super::plane::{Point, Turn};
use harary_certificate::{Board, Cell, CellSet, Stones};

/// Where a win comes from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// A card of the pool.
    Card(u32),
    /// A win that holds on this torus alone: it reaches around it.
    Knot(u32),
}

/// What a win rests on, and how it is put on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim<const N: usize> {
    /// What is put there.
    pub source: Source,
    /// How.
    pub turn: Turn,
    /// The stones Black needs.
    pub own: CellSet<N>,
    /// The free cells White must not have.
    pub open: CellSet<N>,
}

/// A win in one orientation, as near to cell 0 as it fits.
struct Pattern<const N: usize> {
    source: Source,
    turn: Turn,
    /// Where its stones are in [`Spread::stones`]; the three farthest apart come first.
    stones: (u32, u32),
    open: CellSet<N>,
    cells: u16,
    /// How far it can be moved right and up; on a torus by every shift.
    room: (u8, u8),
}

/// A pattern in a list of those with the same difference of two stones.
#[derive(Clone, Copy)]
struct Entry {
    pattern: u32,
    /// The first of the two stones.
    anchor: (u8, u8),
    room: (u8, u8),
    /// Which of the first three stones is none of the two.
    third: u8,
}

/// A placed win that lacks at most one stone.
#[derive(Clone, Copy, Debug)]
pub struct Hit<const N: usize> {
    pattern: u32,
    shift: (u8, u8),
    /// The stone that is missing.
    pub missing: Option<Cell>,
    /// The free cells, without the missing stone.
    pub open: CellSet<N>,
}

/// All wins known, on one board.
pub struct Spread<const N: usize> {
    board: Board,
    patterns: Vec<Pattern<N>>,
    stones: Vec<(u8, u8)>,
    lists: Vec<Vec<Entry>>,
    /// Patterns of fewer than three stones.
    few: Vec<u32>,
}

/// The three stones that lie farthest apart come first.
fn farthest_first(stones: &mut [Point]) {
    let far = |a: Point, b: Point| (a.0 - b.0).pow(2) + (a.1 - b.1).pow(2);
    let mut best = (0, [0, 1, 2]);
    for i in 0..stones.len() {
        for j in 0..i {
            for k in 0..j {
                let sides = [far(stones[i], stones[j]), far(stones[i], stones[k]), far(stones[j], stones[k])];
                let value = sides.iter().sum::<i32>() + 4 * sides.iter().min().unwrap_or(&0);
                if value > best.0 {
                    best = (value, [k, j, i]);
                }
            }
        }
    }
    if stones.len() >= 3 {
        // Each index is at least its place, and a swap only moves what lies before the next index.
        for (place, index) in best.1.into_iter().enumerate() {
            stones.swap(place, index);
        }
    }
}

impl<const N: usize> Spread<N> {
    /// Nothing is known yet.
    pub fn new(board: Board) -> Spread<N> {
        let (width, height) = (board.width(), board.height());
        let lists = if board.is_torus() { width * height } else { (2 * width - 1) * (2 * height - 1) };
        Spread { board, patterns: Vec::new(), stones: Vec::new(), lists: vec![Vec::new(); lists], few: Vec::new() }
    }

    /// The board.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Adds a win, given by its points, in all orientations that fit; `orientations` are those under which it holds.
    pub fn add(&mut self, source: Source, own: &[Point], open: &[Point], orientations: &[u8]) {
        let mut seen: Vec<(CellSet<N>, CellSet<N>)> = Vec::new();
        for &orientation in orientations {
            let turn = Turn { orientation, shift: (0, 0) };
            let all = || own.iter().chain(open).map(|&point| turn.of(point));
            let left = all().map(|point| point.0).min().unwrap_or(0);
            let low = all().map(|point| point.1).min().unwrap_or(0);
            let turn = turn.moved((-left, -low));
            let set = |points: &[Point]| {
                points.iter().map(|&point| self.board.cell_at(turn.of(point))).collect::<Option<CellSet<N>>>()
            };
            let (Some(own_set), Some(open_set)) = (set(own), set(open)) else { continue };
            // On a torus different cells must stay different.
            if (own_set | open_set).len() != own.len() + open.len() || seen.contains(&(own_set, open_set)) {
                continue;
            }
            seen.push((own_set, open_set));
            let most = |of: fn(Point) -> i32| all().map(of).max().unwrap_or(0);
            let (wide, high) = (most(|point| point.0) - left, most(|point| point.1) - low);
            let room = match self.board.is_torus() {
                true => (self.board.width() as u8 - 1, self.board.height() as u8 - 1),
                false => ((self.board.width() as i32 - 1 - wide) as u8, (self.board.height() as i32 - 1 - high) as u8),
            };
            let mut stones: Vec<Point> = own_set.iter().map(|cell| self.point(cell)).collect();
            farthest_first(&mut stones);
            self.enlist(source, turn, &stones, open_set, room);
        }
    }

    fn enlist(&mut self, source: Source, turn: Turn, stones: &[Point], open: CellSet<N>, room: (u8, u8)) {
        let (number, first) = (self.patterns.len() as u32, self.stones.len() as u32);
        self.stones.extend(stones.iter().map(|&(x, y)| (x as u8, y as u8)));
        self.patterns.push(Pattern {
            source,
            turn,
            stones: (first, self.stones.len() as u32),
            open,
            cells: open.len() as u16,
            room,
        });
        if stones.len() < 3 {
            self.few.push(number);
            return;
        }
        for (a, b, third) in [(0, 1, 2), (0, 2, 1), (1, 2, 0)] {
            let list = self.list(stones[a], stones[b]);
            let anchor = (stones[a].0 as u8, stones[a].1 as u8);
            self.lists[list].push(Entry { pattern: number, anchor, room, third });
        }
    }

    fn point(&self, cell: Cell) -> Point {
        let (x, y) = self.board.xy(cell);
        (x as i32, y as i32)
    }

    /// The list of the patterns with two stones that differ as these do.
    fn list(&self, from: Point, to: Point) -> usize {
        let (width, height) = (self.board.width() as i32, self.board.height() as i32);
        let (dx, dy) = (to.0 - from.0, to.1 - from.1);
        let number = match self.board.is_torus() {
            true => dx.rem_euclid(width) + width * dy.rem_euclid(height),
            false => dx + width - 1 + (2 * width - 1) * (dy + height - 1),
        };
        number as usize
    }

    /// Every placed win that lacks no stone, or one and has at most `largest` free cells, and meets none of White's.
    pub fn scan(&self, stones: &Stones<N>, largest: usize, hits: &mut Vec<Hit<N>>) {
        hits.clear();
        let blacks: Vec<Point> = stones.black.iter().map(|cell| self.point(cell)).collect();
        for (i, &from) in blacks.iter().enumerate() {
            for (j, &to) in blacks.iter().enumerate() {
                if i == j {
                    continue;
                }
                for entry in &self.lists[self.list(from, to)] {
                    let Some(shift) = self.shift(from, entry.anchor, entry.room) else { continue };
                    hits.extend(self.hit(entry, shift, stones, largest));
                }
            }
        }
        for &number in &self.few {
            self.scan_few(number, &blacks, stones, largest, hits);
        }
    }

    /// The shift that brings a stone of a pattern to a point, if there is room for it.
    #[inline]
    fn shift(&self, to: Point, anchor: (u8, u8), room: (u8, u8)) -> Option<(u8, u8)> {
        let (mut x, mut y) = (to.0 - i32::from(anchor.0), to.1 - i32::from(anchor.1));
        if self.board.is_torus() {
            x += if x < 0 { self.board.width() as i32 } else { 0 };
            y += if y < 0 { self.board.height() as i32 } else { 0 };
        } else if x < 0 || y < 0 || x > room.0.into() || y > room.1.into() {
            return None;
        }
        Some((x as u8, y as u8))
    }

    #[inline]
    fn moved(&self, (x, y): (u8, u8), shift: (u8, u8)) -> Cell {
        let (mut x, mut y) = (usize::from(x + shift.0), usize::from(y + shift.1));
        if self.board.is_torus() {
            x -= if x >= self.board.width() { self.board.width() } else { 0 };
            y -= if y >= self.board.height() { self.board.height() } else { 0 };
        }
        self.board.cell(x, y)
    }

    #[inline]
    fn hit(&self, entry: &Entry, shift: (u8, u8), stones: &Stones<N>, largest: usize) -> Option<Hit<N>> {
        let pattern = &self.patterns[entry.pattern as usize];
        let own = &self.stones[pattern.stones.0 as usize..pattern.stones.1 as usize];
        let mut missing = None;
        let third = self.moved(own[usize::from(entry.third)], shift);
        if !stones.black.contains(third) {
            missing = Some(third);
        } else if entry.third != 2 {
            // All three are there: this place is found under the first pair, too.
            return None;
        }
        for &stone in &own[3..] {
            let cell = self.moved(stone, shift);
            if !stones.black.contains(cell) {
                if missing.is_some() {
                    return None;
                }
                missing = Some(cell);
            }
        }
        if missing.is_some() && usize::from(pattern.cells) > largest {
            return None;
        }
        self.open_hit(entry.pattern, shift, missing, stones)
    }

    /// The hit, if White has nothing of it.
    fn open_hit(&self, number: u32, shift: (u8, u8), missing: Option<Cell>, stones: &Stones<N>) -> Option<Hit<N>> {
        if missing.is_some_and(|cell| stones.white.contains(cell)) {
            return None;
        }
        let open = self.placed(&self.patterns[number as usize].open, shift);
        open.is_disjoint(&stones.white).then_some(Hit { pattern: number, shift, missing, open })
    }

    /// A set of cells moved; on a plain board there must be room.
    fn placed(&self, set: &CellSet<N>, shift: (u8, u8)) -> CellSet<N> {
        if !self.board.is_torus() {
            return raised(set, usize::from(shift.0) + self.board.width() * usize::from(shift.1));
        }
        let moved = |cell| {
            let (x, y) = self.board.xy(cell);
            self.moved((x as u8, y as u8), shift)
        };
        set.iter().map(moved).collect()
    }

    /// A pattern of at most two stones, wherever it lacks at most one.
    fn scan_few(&self, number: u32, blacks: &[Point], stones: &Stones<N>, largest: usize, hits: &mut Vec<Hit<N>>) {
        let pattern = &self.patterns[number as usize];
        let own = &self.stones[pattern.stones.0 as usize..pattern.stones.1 as usize];
        let is_large = usize::from(pattern.cells) > largest;
        match *own {
            [first, second] => {
                for &black in blacks {
                    for (anchor, other, is_first) in [(first, second, true), (second, first, false)] {
                        let Some(shift) = self.shift(black, anchor, pattern.room) else { continue };
                        let other = self.moved(other, shift);
                        let there = stones.black.contains(other);
                        if there && is_first || !there && !is_large {
                            hits.extend(self.open_hit(number, shift, (!there).then_some(other), stones));
                        }
                    }
                }
            }
            _ => {
                for (x, y) in (0..=pattern.room.1).flat_map(|y| (0..=pattern.room.0).map(move |x| (x, y))) {
                    let cell = own.first().map(|&stone| self.moved(stone, (x, y)));
                    let missing = cell.filter(|&cell| !stones.black.contains(cell));
                    if missing.is_some() && is_large {
                        continue;
                    }
                    hits.extend(self.open_hit(number, (x, y), missing, stones));
                }
            }
        }
    }

    /// The claim of a hit, its missing stone counted as Black's.
    pub fn claim(&self, hit: &Hit<N>) -> Claim<N> {
        let pattern = &self.patterns[hit.pattern as usize];
        let own = &self.stones[pattern.stones.0 as usize..pattern.stones.1 as usize];
        Claim {
            source: pattern.source,
            turn: pattern.turn.moved((hit.shift.0.into(), hit.shift.1.into())),
            own: own.iter().map(|&stone| self.moved(stone, hit.shift)).collect(),
            open: hit.open,
        }
    }
}

/// The set with every cell's number raised; no cell may leave the set.
fn raised<const N: usize>(set: &CellSet<N>, by: usize) -> CellSet<N> {
    let (words, bits) = (by / 64, by % 64);
    let old = set.words();
    let mut new = [0; N];
    for index in words..N {
        new[index] = old[index - words] << bits;
        if bits > 0 && index > words {
            new[index] |= old[index - words - 1] >> (64 - bits);
        }
    }
    CellSet::from_words(new)
}
