//! Certificates of tiny games by exhaustive search, of every kind the format knows, to feed the checkers with.

use super::{Game, Set, bit, canonical, cells, image, size};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// A game with the header lines up to `turns`.
#[derive(Clone)]
pub struct Task {
    pub game: Game,
    pub head: String,
}

impl Task {
    pub fn board(
        width: usize,
        height: usize,
        torus: bool,
        shape: &[(usize, usize)],
        strong: bool,
        turns: Option<&str>,
    ) -> Task {
        let mut game = Game::on_board(width, height, torus, shape, strong);
        let mut head = format!("harary-certificate 1\ngame {width}x{height} {}", if torus { "torus" } else { "plain" });
        shape.iter().for_each(|(x, y)| write!(head, " {x},{y}").unwrap());
        write!(head, "\nrule {}\n", if strong { "strong" } else { "weak" }).unwrap();
        if let Some(turns) = turns {
            game.turns = turns.chars().collect();
            writeln!(head, "turns {turns}").unwrap();
        }
        Task { game, head }
    }

    /// A game of sets; `game.turns` is written unless it is the plain order over all empty cells.
    pub fn sets(game: Game) -> Task {
        let mut head = format!("harary-certificate 1\ngame sets {}\n", game.cells);
        game.black.iter().for_each(|set| writeln!(head, "black {set:x}").unwrap());
        game.white.iter().for_each(|set| writeln!(head, "white {set:x}").unwrap());
        if game.start != (0, 0) {
            writeln!(head, "start {:x} {:x}", game.start.0, game.start.1).unwrap();
        }
        if let Some(first) = game.first {
            writeln!(head, "first {first:x}").unwrap();
        }
        writeln!(head, "rule {}", if game.strong { "strong" } else { "weak" }).unwrap();
        if !game.alternates() {
            writeln!(head, "turns {}", game.turns.iter().collect::<String>()).unwrap();
        }
        Task { game, head }
    }

    fn header(&self, claim: &str, symmetric: bool, cover: Option<Set>) -> String {
        let mut text = format!("{}claim {claim}\nsymmetry {}\n", self.head, if symmetric { "board" } else { "none" });
        if let Some(cover) = cover {
            writeln!(text, "cover {cover:x}").unwrap();
        }
        text
    }

    /// A `p` certificate that Black wins by this turn, if he does.
    pub fn win(&self, last: usize, symmetric: bool, cover: Option<Set>) -> Option<String> {
        let mut symmetries = if symmetric { self.game.symmetries.clone() } else { Vec::new() };
        let arena = cover.unwrap_or(self.game.all());
        symmetries.retain(|symmetry| image(symmetry, arena) == arena);
        let mut search = Win { game: &self.game, arena, last, symmetries, best: HashMap::new() };
        let (black, white) = self.game.start;
        if !search.wins(black, white, 0) {
            return None;
        }
        let mut lines = BTreeMap::new();
        search.collect(black, white, 0, &mut lines);
        let mut text = self.header(&format!("win {last}"), symmetric, cover);
        for ((black, white, elsewhere), cell) in lines {
            writeln!(text, "p {black:x} {white:x} {elsewhere} {cell}").unwrap();
        }
        Some(text)
    }

    /// A `q` certificate that White holds, up to a turn or for ever, if she does. With `blocks`, a node is used
    /// wherever a paving of the empty cells exists.
    pub fn hold(&self, last: Option<usize>, symmetric: bool, blocks: bool) -> Option<String> {
        let symmetries = if symmetric { self.game.symmetries.clone() } else { Vec::new() };
        let limit = last.unwrap_or(usize::MAX).min(self.game.turns.len());
        let mut search = Hold { game: &self.game, last: limit, symmetries, best: HashMap::new(), blocks };
        let (black, white) = self.game.start;
        if !search.holds(black, white) {
            return None;
        }
        let (mut lines, mut nodes) = (BTreeMap::new(), Vec::new());
        search.collect(black, white, &mut lines, &mut nodes);
        let claim = last.map_or("hold".to_owned(), |last| format!("hold {last}"));
        let mut text = self.header(&claim, symmetric, None);
        nodes.iter().for_each(|node| writeln!(text, "{node}").unwrap());
        for ((black, white), (word, value)) in lines {
            writeln!(text, "{word} {black:x} {white:x} {value}").unwrap();
        }
        text += "root explicit\n";
        Some(text)
    }

    /// Block nodes, from nothing but the weak game; all of Black's moves or one out of each orbit.
    pub fn block(&self, symmetric: bool, pavings: bool) -> Option<String> {
        let mut search = Block { game: &self.game, symmetric, pavings, ids: HashMap::new(), lines: Vec::new() };
        let root = search.node(0, self.game.all() & !self.game.start.0 & !self.game.start.1)?;
        let mut text = self.header("hold", symmetric, None);
        used(&search.lines, root).iter().for_each(|line| writeln!(text, "{line}").unwrap());
        writeln!(text, "root {root}").unwrap();
        Some(text)
    }

    /// Attack nodes of at most this height.
    pub fn attack(&self, height: usize, symmetric: bool) -> Option<String> {
        let mut search = Attack { game: &self.game, symmetric, ids: HashMap::new(), lines: Vec::new() };
        let root = search.node(0, self.game.all() & !self.game.start.0 & !self.game.start.1, height)?;
        let mut text = self.header(&format!("win {}", 2 * height - 1), symmetric, None);
        used(&search.lines, root).iter().for_each(|line| writeln!(text, "{line}").unwrap());
        writeln!(text, "root {root}").unwrap();
        Some(text)
    }
}

struct Win<'a> {
    game: &'a Game,
    arena: Set,
    last: usize,
    symmetries: Vec<Vec<usize>>,
    /// Black's best cell in a position with Black to move; `None` where he does not win.
    best: HashMap<(Set, Set, usize), Option<usize>>,
}

impl Win<'_> {
    fn played(&self, black: Set, white: Set, elsewhere: usize) -> usize {
        size(black) + size(white) + elsewhere - size(self.game.start.0) - size(self.game.start.1)
    }

    fn choices(&self, black: Set, white: Set, t: usize) -> Vec<usize> {
        self.game.choices(self.arena, black, white, t)
    }

    fn completing(&self, black: Set, white: Set, t: usize) -> bool {
        let completes = |cell: usize| self.game.black.iter().any(|set| set & !(black | bit(cell)) == 0);
        self.choices(black, white, t).into_iter().any(completes)
    }

    fn wins(&mut self, black: Set, white: Set, elsewhere: usize) -> bool {
        let t = self.played(black, white, elsewhere);
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

    fn collect(&self, black: Set, white: Set, elsewhere: usize, lines: &mut BTreeMap<(Set, Set, usize), usize>) {
        let t = self.played(black, white, elsewhere);
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

struct Hold<'a> {
    game: &'a Game,
    last: usize,
    symmetries: Vec<Vec<usize>>,
    best: HashMap<(Set, Set), Option<usize>>,
    blocks: bool,
}

impl Hold<'_> {
    fn played(&self, black: Set, white: Set) -> usize {
        size(black) + size(white) - size(self.game.start.0) - size(self.game.start.1)
    }

    fn ended(&self, black: Set, white: Set) -> bool {
        let t = self.played(black, white);
        if t >= self.last || self.game.white.iter().any(|set| set & !white == 0) {
            return true;
        }
        let left = self.game.turns[t..self.last].iter().filter(|&&player| player == 'B').count();
        self.game.black.iter().all(|set| set & white != 0 || size(set & !black) > left)
    }

    fn holds(&mut self, black: Set, white: Set) -> bool {
        if self.game.black.iter().any(|set| set & !black == 0) {
            return false;
        }
        if self.ended(black, white) {
            return true;
        }
        let t = self.played(black, white);
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

    fn collect(
        &self,
        black: Set,
        white: Set,
        lines: &mut BTreeMap<(Set, Set), (char, usize)>,
        nodes: &mut Vec<String>,
    ) {
        if self.ended(black, white) {
            return;
        }
        let t = self.played(black, white);
        let (black, white) = canonical(&self.symmetries, black, white);
        if lines.contains_key(&(black, white)) {
            return;
        }
        if self.game.turns[t] == 'W' {
            let cell = self.best[&(black, white)].unwrap();
            lines.insert((black, white), ('q', cell));
            return self.collect(black, white | bit(cell), lines, nodes);
        }
        let open = self.game.all() & !black & !white;
        if self.blocks
            && let Some(pairs) = paving(self.game, white, open)
        {
            lines.insert((black, white), ('b', nodes.len()));
            nodes.push(format!("n {} {white:x} {open:x} pave{}", nodes.len(), pairs_text(&pairs)));
            return;
        }
        for cell in self.game.choices(self.game.all(), black, white, t) {
            self.collect(black | bit(cell), white, lines, nodes);
        }
    }
}

/// Disjoint pairs in `open`, one in each winning set that misses `own`, found by trying.
fn paving(game: &Game, own: Set, open: Set) -> Option<Vec<(usize, usize)>> {
    fn extend(sets: &[Set], free: Set, pairs: &mut Vec<(usize, usize)>) -> bool {
        let paved = |set: Set| pairs.iter().any(|&(a, b)| set & bit(a) != 0 && set & bit(b) != 0);
        let Some(&set) = sets.iter().find(|&&set| !paved(set)) else { return true };
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
    let sets: Vec<Set> = game.black.iter().copied().filter(|set| set & own == 0).collect();
    let mut pairs = Vec::new();
    extend(&sets, open, &mut pairs).then_some(pairs)
}

fn pairs_text(pairs: &[(usize, usize)]) -> String {
    pairs.iter().map(|(a, b)| format!(" {a}-{b}")).collect()
}

/// The lines of the nodes that the root needs: line `id - 1` is node `id`, children come first.
fn used(lines: &[String], root: usize) -> Vec<&String> {
    let mut needed = vec![false; lines.len() + 1];
    needed[root] = true;
    for id in (1..=root).rev().filter(|&id| lines[id - 1].contains(':')) {
        if needed[id] {
            let children = lines[id - 1].split(' ').filter_map(|field| field.rsplit_once(':'));
            children.for_each(|(_, child)| needed[child.parse::<usize>().unwrap()] = true);
        }
    }
    lines.iter().enumerate().filter(|(index, _)| needed[index + 1]).map(|(_, line)| line).collect()
}

/// One cell out of each orbit of `open` under the symmetries that fix both sets, or all of them.
fn representatives(game: &Game, symmetric: bool, own: Set, open: Set) -> Vec<usize> {
    let fixes = |symmetry: &&Vec<usize>| image(symmetry, own) == own && image(symmetry, open) == open;
    let fixing: Vec<&Vec<usize>> = game.symmetries.iter().filter(|_| symmetric).filter(fixes).collect();
    cells(open).into_iter().filter(|&cell| fixing.iter().all(|symmetry| symmetry[cell] >= cell)).collect()
}

struct Block<'a> {
    game: &'a Game,
    symmetric: bool,
    pavings: bool,
    ids: HashMap<(Set, Set), Option<usize>>,
    lines: Vec<String>,
}

impl Block<'_> {
    fn node(&mut self, own: Set, open: Set) -> Option<usize> {
        if let Some(known) = self.ids.get(&(own, open)) {
            return *known;
        }
        let id = self.build(own, open).map(|rest| {
            self.lines.push(format!("n {} {own:x} {open:x} {rest}", self.lines.len() + 1));
            self.lines.len()
        });
        self.ids.insert((own, open), id);
        id
    }

    fn build(&mut self, own: Set, open: Set) -> Option<String> {
        let all_hit = self.game.black.iter().all(|set| set & own != 0);
        if (self.pavings || all_hit)
            && let Some(pairs) = paving(self.game, own, open)
        {
            return Some(format!("pave{}", pairs_text(&pairs)));
        }
        if self.game.black.iter().any(|set| set & own == 0 && size(set & open) < 2) {
            return None;
        }
        let mut text = "reply".to_owned();
        for m in representatives(self.game, self.symmetric, own, open) {
            let (o, child) = cells(open & !bit(m))
                .into_iter()
                .find_map(|o| Some((o, self.node(own | bit(o), open & !bit(m) & !bit(o))?)))?;
            write!(text, " {m}:{o}:{child}").unwrap();
        }
        Some(text)
    }
}

struct Attack<'a> {
    game: &'a Game,
    symmetric: bool,
    ids: HashMap<(Set, Set, usize), Option<usize>>,
    lines: Vec<String>,
}

impl Attack<'_> {
    fn node(&mut self, own: Set, open: Set, height: usize) -> Option<usize> {
        if height == 0 {
            return None;
        }
        if let Some(known) = self.ids.get(&(own, open, height)) {
            return *known;
        }
        let id = self.build(own, open, height).map(|rest| {
            self.lines.push(format!("a {} {own:x} {open:x} {rest}", self.lines.len() + 1));
            self.lines.len()
        });
        self.ids.insert((own, open, height), id);
        id
    }

    fn build(&mut self, own: Set, open: Set, height: usize) -> Option<String> {
        let completes = |cell: &usize| self.game.black.iter().any(|set| set & !(own | bit(*cell)) == 0);
        if let Some(cell) = cells(open).into_iter().find(completes) {
            return Some(format!("done {cell}"));
        }
        for m in cells(open) {
            let (own, open) = (own | bit(m), open & !bit(m));
            let replies = representatives(self.game, self.symmetric, own, open);
            let children: Option<Vec<usize>> =
                replies.iter().map(|&r| self.node(own, open & !bit(r), height - 1)).collect();
            if let Some(children) = children.filter(|children| !children.is_empty()) {
                let answers = replies.iter().zip(children).map(|(r, child)| format!(" {r}:{child}"));
                return Some(format!("move {m}{}", answers.collect::<String>()));
            }
        }
        None
    }
}
