//! Nodes by exhaustive search: blocks, strong blocks and attacks.

use super::super::game::{Game, complete, image, paired};
use super::super::{Set, bit, cells, size};
use std::collections::HashMap;
use std::fmt::Write;

/// Lines with ids, children before their parents, of which a part is needed in the end.
pub struct Pool {
    first: usize,
    /// A line, and the ids of its children.
    lines: Vec<(String, Vec<usize>)>,
}

impl Pool {
    /// An empty pool whose first line gets this id.
    pub fn new(first: usize) -> Pool {
        Pool { first, lines: Vec::new() }
    }

    /// Adds a line, `rest` being what follows its id.
    pub fn add(&mut self, word: &str, rest: &str, children: Vec<usize>) -> usize {
        let id = self.first + self.lines.len();
        self.lines.push((format!("{word} {id} {rest}\n"), children));
        id
    }

    /// The lines that these need.
    pub fn used(&self, roots: &[usize]) -> String {
        let mut needed = vec![false; self.lines.len()];
        roots.iter().for_each(|root| needed[root - self.first] = true);
        for index in (0..self.lines.len()).rev().filter(|_| !roots.is_empty()) {
            if needed[index] {
                self.lines[index].1.iter().for_each(|child| needed[child - self.first] = true);
            }
        }
        self.lines.iter().zip(needed).filter(|(_, needed)| *needed).map(|(line, _)| line.0.as_str()).collect()
    }

    pub fn with_root(&self, root: usize) -> String {
        format!("{}root {root}\n", self.used(&[root]))
    }
}

/// Disjoint pairs in `free`, one in each set, found by trying.
pub fn paving(sets: &[Set], free: Set) -> Option<Vec<(usize, usize)>> {
    fn extend(sets: &[Set], free: Set, pairs: &mut Vec<(usize, usize)>) -> bool {
        let Some(&set) = sets.iter().find(|&&set| !paired(set, pairs)) else { return true };
        let within = cells(set & free);
        for (i, &a) in within.iter().enumerate() {
            for &b in &within[i + 1..] {
                pairs.push((a, b));
                if extend(sets, free & !bit(a) & !bit(b), pairs) {
                    return true;
                }
                pairs.pop();
            }
        }
        false
    }
    let mut pairs = Vec::new();
    extend(sets, free, &mut pairs).then_some(pairs)
}

pub fn pairs_text(pairs: &[(usize, usize)]) -> String {
    pairs.iter().map(|(a, b)| format!(" {a}-{b}")).collect()
}

/// One cell out of each orbit of `open` under the symmetries that fix both sets, or all of them.
pub fn representatives(game: &Game, symmetric: bool, own: Set, open: Set) -> Vec<usize> {
    let fixes = |symmetry: &&Vec<usize>| image(symmetry, own) == own && image(symmetry, open) == open;
    let fixing: Vec<&Vec<usize>> = game.symmetries.iter().filter(|_| symmetric).filter(fixes).collect();
    cells(open).into_iter().filter(|&cell| fixing.iter().all(|symmetry| symmetry[cell] >= cell)).collect()
}

/// Blocks, weak ones or strong ones.
pub struct Block<'a> {
    pub game: &'a Game,
    pub symmetric: bool,
    /// Whether pavings may be used where they are not forced.
    pub pavings: bool,
    pub strong: bool,
    pub ids: HashMap<(Set, Set), Option<usize>>,
    pub pool: Pool,
}

impl Block<'_> {
    pub fn node(&mut self, own: Set, open: Set) -> Option<usize> {
        if let Some(known) = self.ids.get(&(own, open)) {
            return *known;
        }
        // Without pavings replies come before threats, so that there are replies that complete a set.
        let by_reply = if self.pavings { None } else { self.reply(own, open) };
        let id = self
            .paved(own, open)
            .or(by_reply)
            .or_else(|| self.threat(own, open))
            .or_else(|| self.reply(own, open))
            .map(|(word, rest, children)| self.pool.add(word, &format!("{own:x} {open:x} {rest}"), children));
        self.ids.insert((own, open), id);
        id
    }

    /// Black's sets that are free of `own`.
    fn live(&self, own: Set) -> Vec<Set> {
        self.game.black.iter().copied().filter(|set| set & own == 0).collect()
    }

    pub fn paved(&self, own: Set, open: Set) -> Option<(&'static str, String, Vec<usize>)> {
        let live = self.live(own);
        let pairs = paving(&live, open).filter(|_| self.pavings || live.is_empty())?;
        Some(("n", format!("pave{}", pairs_text(&pairs)), Vec::new()))
    }

    /// A cell that White threatens to play, and her answer when Black does.
    fn threat(&mut self, own: Set, open: Set) -> Option<(&'static str, String, Vec<usize>)> {
        if !self.strong || self.live(own).iter().any(|set| size(set & open) < 2) {
            return None;
        }
        let threats: Vec<usize> =
            cells(open).into_iter().filter(|&c| complete(&self.game.white, own | bit(c))).collect();
        let (c, (answer, child)) = threats.into_iter().find_map(|c| Some((c, self.answer(own, open, c)?)))?;
        Some(("s", format!("threat {c} {answer}"), child.into_iter().collect()))
    }

    fn reply(&mut self, own: Set, open: Set) -> Option<(&'static str, String, Vec<usize>)> {
        if self.live(own).iter().any(|set| size(set & open) < 2) {
            return None;
        }
        let (mut text, mut children) = ("reply".to_owned(), Vec::new());
        for m in representatives(self.game, self.symmetric, own, open) {
            let (answer, child) = self.answer(own, open, m)?;
            write!(text, " {m}:{answer}").unwrap();
            children.extend(child);
        }
        Some((if self.strong { "s" } else { "n" }, text, children))
    }

    /// White's answer to `m`: a cell that completes a set of hers, or a cell and a child.
    fn answer(&mut self, own: Set, open: Set, m: usize) -> Option<(String, Option<usize>)> {
        let answers = cells(open & !bit(m));
        if let Some(o) = answers.iter().find(|&&o| self.strong && complete(&self.game.white, own | bit(o))) {
            return Some((o.to_string(), None));
        }
        answers.into_iter().find_map(|o| {
            let child = self.node(own | bit(o), open & !bit(m) & !bit(o))?;
            Some((format!("{o}:{child}"), Some(child)))
        })
    }
}

pub struct Attack<'a> {
    pub game: &'a Game,
    pub symmetric: bool,
    pub relaxed: bool,
    pub ids: HashMap<(Set, Set, usize), Option<usize>>,
    pub pool: Pool,
}

impl Attack<'_> {
    pub fn node(&mut self, own: Set, open: Set, height: usize) -> Option<usize> {
        if height == 0 {
            return None;
        }
        if let Some(known) = self.ids.get(&(own, open, height)) {
            return *known;
        }
        let id = self
            .build(own, open, height)
            .map(|(rest, children)| self.pool.add("a", &format!("{own:x} {open:x} {rest}"), children));
        self.ids.insert((own, open, height), id);
        id
    }

    fn build(&mut self, own: Set, open: Set, height: usize) -> Option<(String, Vec<usize>)> {
        if let Some(cell) = cells(open).into_iter().find(|&cell| complete(&self.game.black, own | bit(cell))) {
            return Some((format!("done {cell}"), Vec::new()));
        }
        for m in cells(open) {
            let (own, open) = (own | bit(m), open & !bit(m));
            let replies = representatives(self.game, self.symmetric, own, open);
            let children: Option<Vec<usize>> =
                replies.iter().map(|&r| self.child(own, open & !bit(r), height - 1)).collect();
            if let Some(children) = children.filter(|children| !children.is_empty()) {
                let answers = replies.iter().zip(&children).map(|(r, child)| format!(" {r}:{child}"));
                return Some((format!("move {m}{}", answers.collect::<String>()), children));
            }
        }
        None
    }

    /// A relaxed child need not know of Black's stones: it finds them on cells that it thinks free.
    fn child(&mut self, own: Set, open: Set, height: usize) -> Option<usize> {
        let forgotten = if self.relaxed { self.node(0, open | own, height) } else { None };
        forgotten.or_else(|| self.node(own, open, height))
    }
}
