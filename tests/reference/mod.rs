//! A slow reference checker: an independent parser and plain recursion, on 128-bit sets, to be obviously right.
//!
//! It knows no symmetric shortcuts, no bulk judgements and no cores; it is the twin the real checker is held against.

pub mod corpus;
pub mod producer;

use std::collections::{HashMap, HashSet};

pub type Set = u128;
type Map = fn(i64, i64) -> (i64, i64);

pub fn bit(cell: usize) -> Set {
    1 << cell
}

pub fn cells(set: Set) -> Vec<usize> {
    (0..128).filter(|&cell| set >> cell & 1 == 1).collect()
}

pub fn size(set: Set) -> usize {
    set.count_ones() as usize
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
    /// Every symmetry of the board, the identity among them.
    pub symmetries: Vec<Vec<usize>>,
}

impl Game {
    pub fn all(&self) -> Set {
        (bit(self.cells - 1) - 1) | bit(self.cells - 1)
    }

    /// A shape on a board, players alternating.
    pub fn on_board(width: usize, height: usize, torus: bool, shape: &[(usize, usize)], strong: bool) -> Game {
        let (w, h) = (width as i64, height as i64);
        let eight: [Map; 8] = [
            |x, y| (x, y),
            |x, y| (-y, x),
            |x, y| (-x, -y),
            |x, y| (y, -x),
            |x, y| (-x, y),
            |x, y| (x, -y),
            |x, y| (y, x),
            |x, y| (-y, -x),
        ];
        let extent = shape.iter().map(|&(x, y)| x.max(y)).max().unwrap_or(0) as i64;
        let mut sets = Vec::new();
        for turned in eight {
            for dx in -extent..w + extent {
                for dy in -extent..h + extent {
                    let mut set = 0;
                    for &(x, y) in shape {
                        let (x, y) = turned(x as i64, y as i64);
                        let (mut x, mut y) = (x + dx, y + dy);
                        if torus {
                            (x, y) = (x.rem_euclid(w), y.rem_euclid(h));
                        }
                        if x >= 0 && x < w && y >= 0 && y < h {
                            set |= bit((x + w * y) as usize);
                        }
                    }
                    if size(set) == shape.len() && !sets.contains(&set) {
                        sets.push(set);
                    }
                }
            }
        }
        // A symmetry is one of the eight that brings the board back onto itself after a shift.
        let mut symmetries: Vec<Vec<usize>> = Vec::new();
        for turned in eight {
            for dx in 0..w.max(h) {
                for dy in 0..w.max(h) {
                    let mut images = Vec::new();
                    for cell in 0..width * height {
                        let (x, y) = turned((cell % width) as i64, (cell / width) as i64);
                        let (mut x, mut y) = (x + dx, y + dy);
                        if torus {
                            // A quarter turn of a torus that is no square is no map of it.
                            (x, y) = (x.rem_euclid(w), y.rem_euclid(h));
                        }
                        if x >= 0 && x < w && y >= 0 && y < h {
                            images.push((x + w * y) as usize);
                        }
                    }
                    let swaps = turned(1, 0).0 == 0;
                    let different: HashSet<&usize> = images.iter().collect();
                    if different.len() == width * height && !(swaps && w != h) && !symmetries.contains(&images) {
                        symmetries.push(images);
                    }
                }
            }
        }
        Game {
            cells: width * height,
            white: if strong { sets.clone() } else { Vec::new() },
            black: sets,
            strong,
            turns: (0..width * height).map(|t| if t % 2 == 0 { 'B' } else { 'W' }).collect(),
            symmetries,
            ..Game::default()
        }
    }

    pub fn alternates(&self) -> bool {
        self.turns.iter().enumerate().all(|(t, &player)| player == if t % 2 == 0 { 'B' } else { 'W' })
    }

    /// The cells a player may choose from after `t` turns.
    pub fn choices(&self, arena: Set, black: Set, white: Set, t: usize) -> Vec<usize> {
        let allowed = if t == 0 { self.first.unwrap_or(self.all()) } else { self.all() };
        cells(arena & allowed & !black & !white)
    }
}

pub fn image(symmetry: &[usize], set: Set) -> Set {
    cells(set).into_iter().map(|cell| bit(symmetry[cell])).sum()
}

/// The canonical form, given the symmetries it is taken over.
pub fn canonical(symmetries: &[Vec<usize>], black: Set, white: Set) -> (Set, Set) {
    symmetries.iter().map(|symmetry| (image(symmetry, black), image(symmetry, white))).min().unwrap_or((black, white))
}

#[derive(Clone, Debug)]
pub enum Node {
    Done(usize),
    Move(usize, Vec<(usize, u64)>),
    Pave(Vec<(usize, usize)>),
    Reply(Vec<(usize, usize, u64)>),
}

/// What a file says.
pub struct Certificate {
    pub game: Game,
    win: bool,
    turn: Option<usize>,
    symmetries: Vec<Vec<usize>>,
    cover: Option<Set>,
    plays: HashMap<(Set, Set, usize), usize>,
    blocks: HashMap<(Set, Set), u64>,
    nodes: HashMap<u64, (Set, Set, Node)>,
    root: Option<String>,
}

type Result<T> = std::result::Result<T, String>;

fn need(condition: bool, reason: &str) -> Result<()> {
    if condition { Ok(()) } else { Err(reason.to_owned()) }
}

fn number(text: &str) -> Result<usize> {
    let value: usize = text.parse().map_err(|_| format!("{text}: no number"))?;
    need(value.to_string() == text, "a number in a strange form")?;
    Ok(value)
}

fn hex(text: &str, game_cells: usize) -> Result<Set> {
    let value = Set::from_str_radix(text, 16).map_err(|_| format!("{text}: no set"))?;
    need(format!("{value:x}") == text, "a set in a strange form")?;
    need(game_cells == 128 || value >> game_cells == 0, "a set too large")?;
    Ok(value)
}

fn cell(text: &str, game_cells: usize) -> Result<usize> {
    let value = number(text)?;
    need(value < game_cells, "no such cell")?;
    Ok(value)
}

fn node_id(text: &str) -> Result<u64> {
    let value = number(text)? as u64;
    need(value <= u64::from(u32::MAX), "an id too large")?;
    Ok(value)
}

/// Reads a file.
pub fn parse(bytes: &[u8]) -> Result<Certificate> {
    need(bytes.last() == Some(&b'\n'), "no line end at the end")?;
    let text = String::from_utf8_lossy(&bytes[..bytes.len() - 1]).into_owned();
    let mut lines: Vec<Vec<&str>> = Vec::new();
    for line in text.split('\n').filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(' ').collect();
        need(fields.iter().all(|field| !field.is_empty()), "an empty field")?;
        lines.push(fields);
    }
    lines.push(Vec::new());
    let mut at = 0;
    need(lines[0] == ["harary-certificate", "1"], "magic")?;
    at += 1;
    let head = &lines[at];
    at += 1;
    need(head.len() >= 3 && head[0] == "game", "game")?;
    let on_board = head[1] != "sets";
    let mut game = if on_board {
        let sides: Vec<&str> = head[1].split('x').collect();
        need(sides.len() == 2 && head.len() >= 4, "board")?;
        let (w, h) = (number(sides[0])?, number(sides[1])?);
        need((1..=19).contains(&w) && (1..=19).contains(&h), "size")?;
        need(w * h <= 128, TOO_LARGE)?;
        need(["plain", "torus"].contains(&head[2]), "topology")?;
        let mut shape = Vec::new();
        for field in &head[3..] {
            let parts: Vec<&str> = field.split(',').collect();
            need(parts.len() == 2, "shape")?;
            let place = (number(parts[0])?, number(parts[1])?);
            need(!shape.contains(&place), "a cell twice")?;
            shape.push(place);
        }
        let (left, low) = (shape.iter().map(|c| c.0).min().unwrap(), shape.iter().map(|c| c.1).min().unwrap());
        let shape: Vec<_> = shape.iter().map(|&(x, y)| (x - left, y - low)).collect();
        need(shape.iter().all(|&(x, y)| x < 19 && y < 19), "a shape too large")?;
        Game::on_board(w, h, head[2] == "torus", &shape, true)
    } else {
        need(head.len() == 3, "game sets")?;
        let n = number(head[2])?;
        need((1..=384).contains(&n), "vertices")?;
        need(n <= 128, TOO_LARGE)?;
        Game { cells: n, ..Game::default() }
    };
    let n = game.cells;
    if !on_board {
        while lines[at].first() == Some(&"black") {
            need(lines[at].len() == 2, "black")?;
            game.black.push(hex(lines[at][1], n)?);
            at += 1;
        }
        while lines[at].first() == Some(&"white") {
            need(lines[at].len() == 2, "white")?;
            game.white.push(hex(lines[at][1], n)?);
            at += 1;
        }
        for sets in [&game.black, &game.white] {
            let different: HashSet<&Set> = sets.iter().collect();
            need(different.len() == sets.len() && !sets.contains(&0), "sets repeated or empty")?;
        }
        if lines[at].first() == Some(&"start") {
            need(lines[at].len() == 3, "start")?;
            game.start = (hex(lines[at][1], n)?, hex(lines[at][2], n)?);
            need(game.start.0 & game.start.1 == 0, "two stones on a vertex")?;
            at += 1;
        }
        if lines[at].first() == Some(&"first") {
            need(lines[at].len() == 2, "first")?;
            game.first = Some(hex(lines[at][1], n)?);
            at += 1;
        }
    }
    need(lines[at] == ["rule", "strong"] || lines[at] == ["rule", "weak"], "rule")?;
    game.strong = lines[at][1] == "strong";
    at += 1;
    if !game.strong {
        game.white.clear();
    }
    let empty = n - size(game.start.0 | game.start.1);
    game.turns = (0..empty).map(|t| if t % 2 == 0 { 'B' } else { 'W' }).collect();
    if lines[at].first() == Some(&"turns") {
        need(lines[at].len() == 2, "turns")?;
        game.turns = lines[at][1].chars().collect();
        need(game.turns.iter().all(|letter| ['B', 'W'].contains(letter)), "letters")?;
        at += 1;
    }
    need(lines[at].len() >= 2 && lines[at][0] == "claim" && ["win", "hold"].contains(&lines[at][1]), "claim")?;
    let win = lines[at][1] == "win";
    let turn = if lines[at].len() > 2 { Some(number(lines[at][2])?) } else { None };
    need(lines[at].len() <= 3 && turn != Some(0) && (turn.is_some() || !win), "claim")?;
    at += 1;
    need(game.turns.len() <= empty && game.turns.len() >= turn.unwrap_or(empty).min(empty), "number of turns")?;
    need(empty == 0 || !game.choices(game.all(), game.start.0, game.start.1, 0).is_empty(), "first")?;
    need(!game.black.iter().any(|set| set & !game.start.0 == 0), "over")?;
    need(!game.white.iter().any(|set| set & !game.start.1 == 0), "over")?;
    need(lines[at] == ["symmetry", "none"] || on_board && lines[at] == ["symmetry", "board"], "symmetry")?;
    let mut symmetries = if lines[at][1] == "board" { game.symmetries.clone() } else { Vec::new() };
    at += 1;
    let mut cover = None;
    if lines[at].first() == Some(&"cover") {
        need(lines[at].len() == 2 && win && on_board, "cover")?;
        let set = hex(lines[at][1], n)?;
        symmetries.retain(|symmetry| image(symmetry, set) == set);
        cover = Some(set);
        at += 1;
    }
    let (plays, blocks, nodes) = (HashMap::new(), HashMap::new(), HashMap::new());
    let mut certificate = Certificate { game, win, turn, symmetries, cover, plays, blocks, nodes, root: None };
    lines.pop();
    for fields in &lines[at..] {
        need(certificate.root.is_none(), "lines after the root")?;
        certificate.body_line(fields)?;
    }
    Ok(certificate)
}

impl Certificate {
    fn body_line(&mut self, fields: &[&str]) -> Result<()> {
        let n = self.game.cells;
        match (fields[0], fields.len(), self.win) {
            ("p", 5, true) | ("q", 4, false) => {
                let elsewhere = if self.win { number(fields[3])? } else { 0 };
                let key = (hex(fields[1], n)?, hex(fields[2], n)?, elsewhere);
                need(self.plays.insert(key, cell(fields[fields.len() - 1], n)?).is_none(), "a position twice")
            }
            ("b", 4, false) => {
                let key = (hex(fields[1], n)?, hex(fields[2], n)?);
                need(self.blocks.insert(key, node_id(fields[3])?).is_none(), "a position twice")
            }
            ("a", 5.., true) | ("n", 5.., false) => {
                let (own, open) = (hex(fields[2], n)?, hex(fields[3], n)?);
                let node = match (fields[4], self.win) {
                    ("done", true) => {
                        need(fields.len() == 6, "done")?;
                        Node::Done(cell(fields[5], n)?)
                    }
                    ("move", true) => {
                        need(fields.len() >= 6, "move")?;
                        let mut answers = Vec::new();
                        for field in &fields[6..] {
                            let (r, child) = field.split_once(':').ok_or("answer")?;
                            answers.push((cell(r, n)?, node_id(child)?));
                        }
                        Node::Move(cell(fields[5], n)?, answers)
                    }
                    ("pave", false) => {
                        let mut pairs = Vec::new();
                        for field in &fields[5..] {
                            let (a, b) = field.split_once('-').ok_or("pair")?;
                            pairs.push((cell(a, n)?, cell(b, n)?));
                        }
                        Node::Pave(pairs)
                    }
                    ("reply", false) => {
                        let mut answers = Vec::new();
                        for field in &fields[5..] {
                            let (m, rest) = field.split_once(':').ok_or("answer")?;
                            let (o, child) = rest.split_once(':').ok_or("answer")?;
                            answers.push((cell(m, n)?, cell(o, n)?, node_id(child)?));
                        }
                        Node::Reply(answers)
                    }
                    _ => return Err("node".into()),
                };
                need(self.nodes.insert(node_id(fields[1])?, (own, open, node)).is_none(), "a node twice")
            }
            ("root", 2, _) => {
                self.root = Some(fields[1].to_owned());
                Ok(())
            }
            _ => Err("a line of no kind".into()),
        }
    }

    /// The cells players choose from.
    fn arena(&self) -> Set {
        self.cover.unwrap_or(self.game.all())
    }

    fn form(&self, black: Set, white: Set) -> (Set, Set) {
        canonical(&self.symmetries, black, white)
    }

    pub fn check(&self) -> Result<()> {
        let by_nodes = match &self.root {
            None => {
                need(self.win && self.nodes.is_empty(), "no root")?;
                false
            }
            Some(word) if word == "explicit" => {
                need(!self.win, "explicit")?;
                false
            }
            Some(_) => {
                need(self.plays.is_empty() && self.blocks.is_empty() && self.cover.is_none(), "a mixture")?;
                need(self.win || self.turn.is_none(), "nodes hold for ever")?;
                true
            }
        };
        if !self.nodes.is_empty() {
            need(self.game.alternates() && !(self.win && self.game.strong), "nodes here")?;
        }
        for (&id, (own, open, node)) in &self.nodes {
            self.check_node(id, *own, *open, node)?;
        }
        self.check_lines()?;
        let (black, white) = self.game.start;
        if by_nodes {
            return self.check_root(node_id(self.root.as_ref().unwrap())?);
        }
        let mut seen = HashSet::new();
        if self.win { self.play_win(black, white, 0, &mut seen) } else { self.play_hold(black, white, &mut seen) }
    }

    fn turns_played(&self, black: Set, white: Set, elsewhere: usize) -> usize {
        size(black) + size(white) + elsewhere - size(self.game.start.0) - size(self.game.start.1)
    }

    /// Every line by itself, reached or not.
    fn check_lines(&self) -> Result<()> {
        let (start_black, start_white) = self.game.start;
        let lines = self.plays.iter().map(|(&(b, w, e), &cell)| (b, w, e, Some(cell)));
        for (black, white, elsewhere, play) in lines.chain(self.blocks.keys().map(|&(b, w)| (b, w, 0, None))) {
            need(black & white == 0, "two stones on a cell")?;
            need(start_black & !black == 0 && start_white & !white == 0, "start")?;
            need((black | white) & !self.arena() == 0, "stones outside the cover")?;
            need(elsewhere <= self.game.cells - size(self.arena()), "too many elsewhere")?;
            need(self.form(black, white) == (black, white), "form")?;
            let t = self.turns_played(black, white, elsewhere);
            need(t < self.game.turns.len(), "beyond the last turn")?;
            let mover = if self.win || play.is_none() { 'B' } else { 'W' };
            let blacks = self.game.turns[..t].iter().filter(|&&player| player == 'B').count();
            need(self.game.turns[t] == mover && blacks == size(black & !start_black), "turn")?;
            if let Some(cell) = play {
                need(self.game.choices(self.arena(), black, white, t).contains(&cell), "an illegal move")?;
                need(!self.win || self.completing(black, white, t).is_empty(), "Black completes at once")?;
            }
        }
        for (&(black, white), id) in &self.blocks {
            let (own, open, _) = self.nodes.get(id).ok_or("no node")?;
            need(own & !white == 0 && open & black == 0, "the node does not apply")?;
        }
        Ok(())
    }

    /// Where Black completes a set at once.
    fn completing(&self, black: Set, white: Set, t: usize) -> Vec<usize> {
        let completes = |cell: usize| self.game.black.iter().any(|set| set & !(black | bit(cell)) == 0);
        self.game.choices(self.arena(), black, white, t).into_iter().filter(|&cell| completes(cell)).collect()
    }

    fn play_win(&self, black: Set, white: Set, elsewhere: usize, seen: &mut HashSet<(Set, Set, usize)>) -> Result<()> {
        if !seen.insert((black, white, elsewhere)) {
            return Ok(());
        }
        let arena = self.arena();
        for set in &self.game.white {
            let completed = set & arena & !white == 0 && size(set & !arena) <= elsewhere;
            need(!completed, "White has completed a set")?;
        }
        let t = self.turns_played(black, white, elsewhere);
        let last = self.turn.unwrap();
        need(t < self.game.turns.len(), "the board is full")?;
        if self.game.turns[t] == 'B' {
            if !self.completing(black, white, t).is_empty() {
                return need(t < last, "too late");
            }
            let (black, white) = self.form(black, white);
            let cell = *self.plays.get(&(black, white, elsewhere)).ok_or("a missing position")?;
            need(t + 1 < last, "too late")?;
            need((black | white) & bit(cell) == 0 && arena & bit(cell) != 0, "an illegal move")?;
            return self.play_win(black | bit(cell), white, elsewhere, seen);
        }
        let mut replies = 0;
        for cell in self.game.choices(arena, black, white, t) {
            replies += 1;
            self.play_win(black, white | bit(cell), elsewhere, seen)?;
        }
        if self.cover.is_some() && elsewhere < self.game.cells - size(arena) {
            replies += 1;
            self.play_win(black, white, elsewhere + 1, seen)?;
        }
        need(replies > 0, "the board is full")
    }

    fn play_hold(&self, black: Set, white: Set, seen: &mut HashSet<(Set, Set, usize)>) -> Result<()> {
        if !seen.insert((black, white, 0)) {
            return Ok(());
        }
        need(!self.game.black.iter().any(|set| set & !black == 0), "Black has completed a set")?;
        if self.game.white.iter().any(|set| set & !white == 0) {
            return Ok(());
        }
        let t = self.turns_played(black, white, 0);
        let last = self.turn.unwrap_or(usize::MAX).min(self.game.turns.len());
        if t >= last {
            return Ok(());
        }
        let left = self.game.turns[t..last].iter().filter(|&&player| player == 'B').count();
        if self.game.black.iter().all(|set| set & white != 0 || size(set & !black) > left) {
            return Ok(());
        }
        let (black, white) = self.form(black, white);
        if self.game.turns[t] == 'W' {
            let cell = *self.plays.get(&(black, white, 0)).ok_or("a missing position")?;
            need((black | white) & bit(cell) == 0, "an illegal move")?;
            return self.play_hold(black, white | bit(cell), seen);
        }
        if self.blocks.contains_key(&(black, white)) {
            return Ok(());
        }
        for cell in self.game.choices(self.game.all(), black, white, t) {
            self.play_hold(black | bit(cell), white, seen)?;
        }
        Ok(())
    }

    fn check_child(&self, id: u64, child: u64, own: Set, open: Set) -> Result<()> {
        need(child < id, "a child not before its parent")?;
        let (child_own, child_open, _) = self.nodes.get(&child).ok_or("no child")?;
        need(child_own & !own == 0 && child_open & !open == 0, "the child does not fit")
    }

    /// Whether some named cell is in the orbit of each cell of `open`.
    fn all_orbits(&self, named: &[usize], own: Set, open: Set) -> Result<()> {
        let different: HashSet<&usize> = named.iter().collect();
        need(!named.is_empty() && different.len() == named.len(), "answers")?;
        need(named.iter().all(|&cell| open & bit(cell) != 0), "an answer outside Z")?;
        let fixes = |symmetry: &&Vec<usize>| image(symmetry, own) == own && image(symmetry, open) == open;
        for cell in cells(open) {
            let by_symmetry = self.game.symmetries.iter().filter(fixes).any(|g| named.contains(&g[cell]));
            need(named.contains(&cell) || by_symmetry, "no answer")?;
        }
        Ok(())
    }

    fn check_node(&self, id: u64, own: Set, open: Set, node: &Node) -> Result<()> {
        need(own & open == 0, "B or W meets Z")?;
        let rest = self.game.all() & !open;
        match node {
            Node::Done(cell) => {
                need(open & bit(*cell) != 0, "done outside Z")?;
                need(self.game.black.iter().any(|set| set & !(own | bit(*cell)) == 0), "nothing done")
            }
            Node::Move(cell, answers) => {
                need(open & bit(*cell) != 0, "a move outside Z")?;
                let (own, open) = (own | bit(*cell), open & !bit(*cell));
                self.all_orbits(&answers.iter().map(|a| a.0).collect::<Vec<_>>(), own, open)?;
                answers.iter().try_for_each(|&(r, child)| self.check_child(id, child, own, open & !bit(r)))
            }
            Node::Pave(pairs) => {
                let used: Vec<usize> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
                let different: HashSet<&usize> = used.iter().collect();
                need(different.len() == used.len(), "a cell in two pairs")?;
                need(used.iter().all(|&cell| open & bit(cell) != 0), "a pair outside Z")?;
                let paved = |set: Set| pairs.iter().any(|&(a, b)| set & bit(a) != 0 && set & bit(b) != 0);
                need(self.game.black.iter().all(|&set| set & own != 0 || paved(set)), "a set without a pair")
            }
            Node::Reply(answers) => {
                self.all_orbits(&answers.iter().map(|a| a.0).collect::<Vec<_>>(), own, open)?;
                for &(m, o, child) in answers {
                    let completes = |set: &Set| set & own == 0 && set & !(rest | bit(m)) == 0;
                    need(!self.game.black.iter().any(completes), "Black completes a set")?;
                    need(o != m && open & bit(o) != 0, "a reply outside Z")?;
                    self.check_child(id, child, own | bit(o), open & !bit(m) & !bit(o))?;
                }
                Ok(())
            }
        }
    }

    fn height(&self, id: u64) -> usize {
        match &self.nodes[&id].2 {
            Node::Move(_, answers) => 1 + answers.iter().map(|&(_, child)| self.height(child)).max().unwrap(),
            _ => 1,
        }
    }

    fn check_root(&self, root: u64) -> Result<()> {
        let (own, open, node) = self.nodes.get(&root).ok_or("no root")?;
        need(*own == 0, "the root owns cells")?;
        let (start_black, start_white) = self.game.start;
        match node {
            Node::Pave(_) | Node::Reply(_) => need(open & start_black == 0, "Black owns a cell of Z"),
            Node::Done(cell) | Node::Move(cell, _) => {
                need(open & start_white == 0, "White owns a cell of Z")?;
                let choices = self.game.choices(self.game.all(), start_black, start_white, 0);
                need(choices.contains(cell), "the first move")?;
                need(self.turn.unwrap() >= 2 * self.height(root) - 1, "too late")
            }
        }
    }
}

/// The reference's word on a game it has no room for.
pub const TOO_LARGE: &str = "the reference takes small games only";

/// What the reference says of a file.
pub fn verdict(bytes: &[u8]) -> Result<()> {
    parse(bytes).and_then(|certificate| certificate.check())
}

pub fn accepts(bytes: &[u8]) -> bool {
    verdict(bytes).is_ok()
}
