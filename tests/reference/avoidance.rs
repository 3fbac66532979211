//! A slow checker of files of the avoidance game, written from `docs/certificate.md` alone. It shares nothing with the
//! real one.

use std::collections::{BTreeMap, BTreeSet};

type Position = (u64, u64);

struct File {
    width: i64,
    height: i64,
    torus: bool,
    shape: Vec<(i64, i64)>,
    /// Who has lines, and the turn by which the other one must have completed a set.
    claim: String,
    turn: Option<usize>,
    symmetric: bool,
    lines: BTreeMap<Position, usize>,
}

fn number(text: &str) -> Option<usize> {
    let digits = !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    (digits && (text == "0" || !text.starts_with('0'))).then(|| text.parse().ok())?
}

fn hexadecimal(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.chars().all(|c| "0123456789abcdef".contains(c));
    (digits && (text == "0" || !text.starts_with('0'))).then(|| u64::from_str_radix(text, 16).ok())?
}

fn turned(way: usize, (x, y): (i64, i64)) -> (i64, i64) {
    let (x, y) = if way & 4 == 0 { (x, y) } else { (y, x) };
    (if way & 1 == 0 { x } else { -x }, if way & 2 == 0 { y } else { -y })
}

impl File {
    fn read(text: &str) -> Option<File> {
        let text = text.strip_suffix('\n')?;
        let mut lines = text.split('\n').filter(|line| !line.starts_with('#'));
        if lines.next()? != "harary-avoidance 1" {
            return None;
        }
        let game: Vec<&str> = lines.next()?.split(' ').collect();
        let (["game", sides, topology], cells) = (game.get(..3)?, &game[3..]) else { return None };
        let (width, height) = sides.split_once('x')?;
        let (width, height) = (number(width)?, number(height)?);
        if !(1..=19).contains(&width) || !(1..=19).contains(&height) || width * height > 64 || cells.is_empty() {
            return None;
        }
        let torus = match *topology {
            "plain" => false,
            "torus" => true,
            _ => return None,
        };
        let mut shape = Vec::new();
        for cell in cells {
            let (x, y) = cell.split_once(',')?;
            shape.push((number(x)? as i64, number(y)? as i64));
        }
        if shape.iter().collect::<BTreeSet<_>>().len() != shape.len() {
            return None;
        }
        let claim: Vec<&str> = lines.next()?.split(' ').collect();
        let (claim, turn) = match claim[..] {
            ["claim", "draw"] => ("draw", None),
            ["claim", word @ ("win" | "loss"), turn] => (word, Some(number(turn).filter(|&turn| turn > 0)?)),
            _ => return None,
        };
        let symmetric = match lines.next()? {
            "symmetry none" => false,
            "symmetry board" => true,
            _ => return None,
        };
        let mut file = File {
            width: width as i64,
            height: height as i64,
            torus,
            shape,
            claim: claim.to_owned(),
            turn,
            symmetric,
            lines: BTreeMap::new(),
        };
        let sets = file.sets();
        for line in lines {
            let [letter, black, white, cell] = line.split(' ').collect::<Vec<_>>()[..] else { return None };
            let at = (hexadecimal(black)?, hexadecimal(white)?);
            let cell = number(cell)?;
            let turns = (at.0.count_ones() + at.1.count_ones()) as usize;
            let blacks = turn_of(turns) == 'b';
            let own = if blacks { at.0 } else { at.1 };
            let legal = letter.len() == 1
                && letter.starts_with(turn_of(turns))
                && (file.claim == "draw" || (file.claim == "win") == blacks)
                && at.0 & at.1 == 0
                && (at.0 | at.1) & !file.all() == 0
                && at.0.count_ones() as usize == turns.div_ceil(2)
                && cell < width * height
                && (at.0 | at.1) >> cell & 1 == 0
                && file.canonical(at) == at
                && !sets.iter().any(|&set| set & !at.0 == 0 || set & !at.1 == 0 || set & !(own | 1 << cell) == 0);
            if !legal || file.lines.insert(at, cell).is_some() {
                return None;
            }
        }
        Some(file)
    }

    fn all(&self) -> u64 {
        u64::MAX >> (64 - self.width * self.height)
    }

    fn sets(&self) -> Vec<u64> {
        let mut sets = BTreeSet::new();
        for way in 0..8 {
            for (dx, dy) in (-60..60).flat_map(|dx| (-60..60).map(move |dy| (dx, dy))) {
                let mut set = 0;
                for &(x, y) in &self.shape {
                    let (x, y) = turned(way, (x - self.shape[0].0, y - self.shape[0].1));
                    let (mut x, mut y) = (x + dx, y + dy);
                    if self.torus {
                        (x, y) = (x.rem_euclid(self.width), y.rem_euclid(self.height));
                    }
                    if (0..self.width).contains(&x) && (0..self.height).contains(&y) {
                        set |= 1u64 << (x + self.width * y);
                    }
                }
                if set.count_ones() as usize == self.shape.len() {
                    sets.insert(set);
                }
            }
        }
        sets.into_iter().collect()
    }

    fn canonical(&self, at: Position) -> Position {
        if !self.symmetric {
            return at;
        }
        let mut least = at;
        for way in (0..8).filter(|way| way & 4 == 0 || self.width == self.height) {
            let (right, up) = if self.torus { (self.width, self.height) } else { (1, 1) };
            for (dx, dy) in (0..right).flat_map(|dx| (0..up).map(move |dy| (dx, dy))) {
                let image = |set: u64| {
                    let mut image = 0;
                    for cell in (0..self.width * self.height).filter(|cell| set >> cell & 1 == 1) {
                        let (x, y) = turned(way, (cell % self.width, cell / self.width));
                        let x = (if way & 1 == 0 { x } else { x + self.width - 1 } + dx).rem_euclid(self.width);
                        let y = (if way & 2 == 0 { y } else { y + self.height - 1 } + dy).rem_euclid(self.height);
                        image |= 1u64 << (x + self.width * y);
                    }
                    image
                };
                least = least.min((image(at.0), image(at.1)));
            }
        }
        least
    }

    /// Plays the lines of X against everything, by plain recursion.
    fn follows(&self, sets: &[u64], x: char, at: Position, seen: &mut BTreeSet<Position>) -> bool {
        let at = self.canonical(at);
        if !seen.insert(at) {
            return true;
        }
        let turns = (at.0.count_ones() + at.1.count_ones()) as usize;
        let theirs = if x == 'b' { at.1 } else { at.0 };
        if self.turn.is_none() && sets.iter().all(|set| set & theirs != 0) {
            return true;
        }
        let empty = self.all() & !(at.0 | at.1);
        if empty == 0 {
            return self.turn.is_none();
        }
        let put =
            |cell: usize| if turns.is_multiple_of(2) { (at.0 | 1 << cell, at.1) } else { (at.0, at.1 | 1 << cell) };
        if turn_of(turns) == x {
            return self.lines.get(&at).is_some_and(|&cell| self.follows(sets, x, put(cell), seen));
        }
        (0..64).filter(|cell| empty >> cell & 1 == 1).all(|cell| {
            let after = put(cell);
            let own = if x == 'b' { after.1 } else { after.0 };
            match sets.iter().any(|set| set & !own == 0) {
                true => self.turn.is_none_or(|last| turns < last),
                false => self.follows(sets, x, after, seen),
            }
        })
    }
}

fn turn_of(turns: usize) -> char {
    if turns.is_multiple_of(2) { 'b' } else { 'w' }
}

/// Whether a file proves what it claims.
pub fn accepts(text: &str) -> bool {
    let Some(file) = File::read(text) else { return false };
    let sets = file.sets();
    let players: &[char] = match file.claim.as_str() {
        "win" => &['b'],
        "loss" => &['w'],
        _ => &['b', 'w'],
    };
    players.iter().all(|&x| file.follows(&sets, x, (0, 0), &mut BTreeSet::new()))
}
