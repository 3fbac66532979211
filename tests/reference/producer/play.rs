//! Strategies position by position, by exhaustive search: wins, holds and losses.

use super::super::game::{Game, canonical, complete};
use super::super::{Set, bit, size};
use super::nodes::{Block, pairs_text, paving};
use std::collections::{BTreeMap, HashMap};

pub struct Win<'a> {
    pub game: &'a Game,
    pub arena: Set,
    pub last: usize,
    pub symmetries: Vec<Vec<usize>>,
    /// Black's best cell in a position with Black to move; `None` where he does not win.
    pub best: HashMap<(Set, Set, usize), Option<usize>>,
}

impl Win<'_> {
    fn choices(&self, black: Set, white: Set, t: usize) -> Vec<usize> {
        self.game.choices(self.arena, black, white, t)
    }

    fn completing(&self, black: Set, white: Set, t: usize) -> bool {
        self.choices(black, white, t).into_iter().any(|cell| complete(&self.game.black, black | bit(cell)))
    }

    pub fn wins(&mut self, black: Set, white: Set, elsewhere: usize) -> bool {
        let t = self.game.played(black, white, elsewhere);
        let arena = self.arena;
        if self.game.white.iter().any(|set| set & arena & !white == 0 && size(set & !arena) <= elsewhere) {
            return false;
        }
        if t >= self.last.min(self.game.turns.len()) {
            return false;
        }
        if self.game.turns[t] == 'W' {
            let mut replies: Vec<_> =
                self.choices(black, white, t).iter().map(|&cell| (white | bit(cell), elsewhere)).collect();
            if elsewhere < self.game.cells - size(arena) {
                replies.push((white, elsewhere + 1));
            }
            return replies.into_iter().all(|(white, elsewhere)| self.wins(black, white, elsewhere));
        }
        if self.completing(black, white, t) {
            return true;
        }
        let (black, white) = canonical(&self.symmetries, black, white);
        if let Some(known) = self.best.get(&(black, white, elsewhere)) {
            return known.is_some();
        }
        let best = self
            .choices(black, white, t)
            .into_iter()
            .find(|&cell| t + 1 < self.last && self.wins(black | bit(cell), white, elsewhere));
        self.best.insert((black, white, elsewhere), best);
        best.is_some()
    }

    pub fn collect(&self, black: Set, white: Set, elsewhere: usize, lines: &mut BTreeMap<(Set, Set, usize), usize>) {
        let t = self.game.played(black, white, elsewhere);
        if self.game.turns[t] == 'W' {
            for cell in self.choices(black, white, t) {
                self.collect(black, white | bit(cell), elsewhere, lines);
            }
            if elsewhere < self.game.cells - size(self.arena) {
                self.collect(black, white, elsewhere + 1, lines);
            }
        } else if !self.completing(black, white, t) {
            let (black, white) = canonical(&self.symmetries, black, white);
            let cell = self.best[&(black, white, elsewhere)].unwrap();
            if lines.insert((black, white, elsewhere), cell).is_none() {
                self.collect(black | bit(cell), white, elsewhere, lines);
            }
        }
    }
}

/// What may end a line of play of a hold.
#[derive(Clone, Copy)]
pub enum Leaves {
    None,
    /// `b` lines to pavings.
    Pavings,
    /// `b` lines to strong blocks.
    Strong,
    /// `k` lines.
    Bounded,
}

/// A line of a hold: what follows the position is a value or the id of a node.
pub struct Line {
    pub word: char,
    pub value: String,
    pub node: Option<usize>,
}

pub struct Hold<'a> {
    pub game: &'a Game,
    pub last: usize,
    pub symmetries: Vec<Vec<usize>>,
    pub best: HashMap<(Set, Set), Option<usize>>,
    pub leaves: Leaves,
    pub blocks: Block<'a>,
}

impl Hold<'_> {
    fn ended(&self, black: Set, white: Set) -> bool {
        let t = self.game.played(black, white, 0);
        if t >= self.last || self.game.white.iter().any(|set| set & !white == 0) {
            return true;
        }
        let left = self.game.turns[t..self.last].iter().filter(|&&player| player == 'B').count();
        self.game.black.iter().all(|set| set & white != 0 || size(set & !black) > left)
    }

    pub fn holds(&mut self, black: Set, white: Set) -> bool {
        if self.game.black.iter().any(|set| set & !black == 0) {
            return false;
        }
        if self.ended(black, white) {
            return true;
        }
        let t = self.game.played(black, white, 0);
        let (black, white) = canonical(&self.symmetries, black, white);
        if let Some(known) = self.best.get(&(black, white)) {
            return known.is_some();
        }
        let choices = self.game.choices(self.game.all(), black, white, t);
        let best = match self.game.turns[t] {
            'W' => choices.into_iter().find(|&cell| self.holds(black, white | bit(cell))),
            _ => choices.into_iter().all(|cell| self.holds(black | bit(cell), white)).then_some(0),
        };
        self.best.insert((black, white), best);
        best.is_some()
    }

    pub fn collect(&mut self, black: Set, white: Set, lines: &mut BTreeMap<(Set, Set), Line>) {
        if self.ended(black, white) {
            return;
        }
        let t = self.game.played(black, white, 0);
        let (black, white) = canonical(&self.symmetries, black, white);
        if lines.contains_key(&(black, white)) {
            return;
        }
        if self.game.turns[t] == 'W' {
            let cell = self.best[&(black, white)].unwrap();
            lines.insert((black, white), Line { word: 'q', value: format!(" {cell}"), node: None });
            return self.collect(black, white | bit(cell), lines);
        }
        if let Some(leaf) = self.leaf(black, white, t) {
            lines.insert((black, white), leaf);
            return;
        }
        for cell in self.game.choices(self.game.all(), black, white, t) {
            self.collect(black | bit(cell), white, lines);
        }
    }

    /// What ends the play here with Black to move, if anything does.
    fn leaf(&mut self, black: Set, white: Set, t: usize) -> Option<Line> {
        let open = self.game.all() & !black & !white;
        let block = |node| Line { word: 'b', value: String::new(), node: Some(node) };
        match self.leaves {
            Leaves::None => None,
            Leaves::Pavings => {
                let (word, rest, children) = self.blocks.paved(white, open)?;
                Some(block(self.blocks.pool.add(word, &format!("{white:x} {open:x} {rest}"), children)))
            }
            // At the root one node would do, and there would be no play.
            Leaves::Strong => (t > 0).then(|| self.blocks.node(white, open)).flatten().map(block),
            Leaves::Bounded => {
                let left = self.game.moves_left(t, Some(self.last as u64));
                let in_time = |set: &&Set| *set & white == 0 && size(*set & !black) <= left;
                let sets: Vec<Set> = self.game.black.iter().filter(in_time).copied().collect();
                let pairs = paving(&sets, open).filter(|_| t > 0)?;
                Some(Line { word: 'k', value: pairs_text(&pairs), node: None })
            }
        }
    }
}

/// White's wins.
pub struct Loss<'a> {
    pub game: &'a Game,
    pub last: usize,
    pub symmetries: Vec<Vec<usize>>,
    /// White's best cell in a position with White to move; `None` where she does not win.
    pub best: HashMap<(Set, Set), Option<usize>>,
}

impl Loss<'_> {
    fn completing(&self, black: Set, white: Set, t: usize) -> bool {
        let choices = self.game.choices(self.game.all(), black, white, t);
        choices.into_iter().any(|cell| complete(&self.game.white, white | bit(cell)))
    }

    pub fn wins(&mut self, black: Set, white: Set) -> bool {
        let t = self.game.played(black, white, 0);
        if complete(&self.game.black, black) || t >= self.last {
            return false;
        }
        let choices = self.game.choices(self.game.all(), black, white, t);
        if self.game.turns[t] == 'B' {
            return choices.into_iter().all(|cell| self.wins(black | bit(cell), white));
        }
        if self.completing(black, white, t) {
            return true;
        }
        let (black, white) = canonical(&self.symmetries, black, white);
        if let Some(known) = self.best.get(&(black, white)) {
            return known.is_some();
        }
        let choices = self.game.choices(self.game.all(), black, white, t);
        let best = choices.into_iter().find(|&cell| self.wins(black, white | bit(cell)));
        self.best.insert((black, white), best);
        best.is_some()
    }

    pub fn collect(&self, black: Set, white: Set, lines: &mut BTreeMap<(Set, Set), usize>) {
        let t = self.game.played(black, white, 0);
        if self.game.turns[t] == 'B' {
            for cell in self.game.choices(self.game.all(), black, white, t) {
                self.collect(black | bit(cell), white, lines);
            }
        } else if !self.completing(black, white, t) {
            let (black, white) = canonical(&self.symmetries, black, white);
            let cell = self.best[&(black, white)].unwrap();
            if lines.insert((black, white), cell).is_none() {
                self.collect(black, white | bit(cell), lines);
            }
        }
    }
}
