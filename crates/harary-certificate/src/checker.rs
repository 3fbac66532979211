//! The checker: decides whether a certificate proves its claim, by the rules of the game alone.
//!
//! It shares with the searches only the words for cells, sets of cells, shapes and boards; winning sets and board
//! symmetries are enumerated here once more. [`crate::proof`] reads the file and refuses what is no certificate. Then
//! - *positions* (`p`, `q`, `b` lines) are played out turn by turn from the start. A position knows its own turn, the
//!   number of stones put since the start, so all positions of one turn are held, sorted and followed together, each
//!   once, on all cores;
//! - *nodes* (`a`, `n` lines) are each checked by themselves against their children, in any order.
//!
//! Every line is checked, whether the play gets there or not: a line no play reaches must still be a legal line.
//!
//! Where the format leaves something open, this is what the checker asks for:
//! - the stones of `start` complete nothing; the root's Z meets no stone of the other side in `start`, and an attack
//!   opens inside `first`;
//! - an orbit is one under the board's symmetries, whatever the `symmetry` line says of positions;
//! - without a K, "moves left up to turn K" counts to the last turn.

use crate::board::Board;
use crate::cell::{Cell, MAX_CELLS};
use crate::cell_set::{CellSet, WIDE, WideSet};
use crate::model::{Answer, Claim, Kind, Node, Position, Proof, Refused, Root, Setting, Step, Then};
use crate::player::{Player, Rule};
use crate::proved::Proved;
use crate::reader::Lines;
use crate::shape::Shape;
use ahash::AHashMap;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::io::Read;
use std::sync::atomic::Ordering;

/// There may be this many positions at one turn, or 64 for each line: more is a schedule made to explode, no proof.
const LARGEST_TURN: usize = 1 << 22;
/// Positions followed before the list of the next turn is tidied.
const BLOCK: usize = 1 << 13;

/// Checks a certificate, plain or zstd-compressed.
pub fn check(input: impl Read) -> Result<Proved, Refused> {
    let mut lines = Lines::open(input)?;
    let header = lines.header()?;
    match header.vertices.div_ceil(64) {
        1 => Checker::<1>::new(Proof::read(header, lines)?).check(),
        2 => Checker::<2>::new(Proof::read(header, lines)?).check(),
        _ => Checker::<WIDE>::new(Proof::read(header, lines)?).check(),
    }
}

/// Checks a certificate and keeps it, for those who want to look at the strategy.
pub fn check_and_keep(input: impl Read) -> Result<(Proved, Checker<WIDE>), Refused> {
    let mut lines = Lines::open(input)?;
    let header = lines.header()?;
    let checker = Checker::new(Proof::read(header, lines)?);
    Ok((checker.check()?, checker))
}

// ------------------------------------------------------------------------------- the game: winning sets and symmetries

/// The image of (x, y) under one of the eight rotations and reflections of the plane.
fn turned(turn: usize, (x, y): (i32, i32)) -> (i32, i32) {
    let (x, y) = if turn & 4 == 0 { (x, y) } else { (y, x) };
    (if turn & 1 == 0 { x } else { -x }, if turn & 2 == 0 { y } else { -y })
}

/// Every image of the shape, each set once: its first cell is put on every cell of the board in turn.
pub fn winning_sets(shape: &Shape, board: &Board) -> Vec<WideSet> {
    let (width, height) = (board.width() as i32, board.height() as i32);
    let mut sets = BTreeSet::new();
    for turn in 0..8 {
        let image: Vec<_> = shape.cells().iter().map(|&(x, y)| turned(turn, (x.into(), y.into()))).collect();
        for (left, low) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let mut set = WideSet::EMPTY;
            for (x, y) in image.iter().map(|&(x, y)| (left + x - image[0].0, low + y - image[0].1)) {
                if board.is_torus() || (0..width).contains(&x) && (0..height).contains(&y) {
                    set.insert(board.cell(x.rem_euclid(width) as usize, y.rem_euclid(height) as usize));
                }
            }
            // Fewer cells: it leaves the board, or covers a cell of the torus twice.
            if set.len() == shape.size() {
                sets.insert(set);
            }
        }
    }
    sets.into_iter().collect()
}

/// A permutation of the cells, by the images of cells 0, 1, 2, …
pub type Symmetry = Vec<Cell>;

/// The symmetries of a board: 8 of a square, 4 of a rectangle, on a torus each with all translations.
pub fn board_symmetries(board: &Board) -> Vec<Symmetry> {
    let (width, height) = (board.width() as i32, board.height() as i32);
    let (right, up) = if board.is_torus() { (width, height) } else { (1, 1) };
    let mut found = BTreeSet::new();
    for turn in (0..8).filter(|turn| turn & 4 == 0 || width == height) {
        for (dx, dy) in (0..up).flat_map(|dy| (0..right).map(move |dx| (dx, dy))) {
            let image = |cell| {
                let (x, y) = board.xy(cell);
                let (x, y) = turned(turn, (x as i32, y as i32));
                // Modulo the width, -x - 1 is the column x counted from the other side.
                let (x, y) = (if turn & 1 == 0 { x } else { x - 1 }, if turn & 2 == 0 { y } else { y - 1 });
                board.cell((x + dx).rem_euclid(width) as usize, (y + dy).rem_euclid(height) as usize)
            };
            found.insert(board.cells().map(image).collect::<Symmetry>());
        }
    }
    found.into_iter().collect()
}

pub fn image<const N: usize>(symmetry: &Symmetry, set: CellSet<N>) -> CellSet<N> {
    set.iter().map(|cell| symmetry[cell.index()]).collect()
}

pub fn keeps<const N: usize>(symmetry: &Symmetry, set: CellSet<N>) -> bool {
    set.iter().all(|cell| set.contains(symmetry[cell.index()]))
}

// ----------------------------------------------------------------------------------------------------------- checking

/// The rules of one game, and a proof to be judged by them.
pub struct Checker<const N: usize> {
    pub proof: Proof<N>,
    black_sets: Vec<CellSet<N>>,
    /// White's sets, none under the weak rule: the part inside the cover, the number of cells outside.
    white_sets: Vec<(CellSet<N>, usize)>,
    /// The cells players choose from: the cover, or all.
    pub arena: CellSet<N>,
    first: CellSet<N>,
    pub start: Position<N>,
    /// Those that positions are stored up to.
    pub symmetries: Vec<Symmetry>,
    pub board_symmetries: Vec<Symmetry>,
}

impl<const N: usize> Checker<N> {
    fn new(proof: Proof<N>) -> Checker<N> {
        let header = &proof.header;
        let arena = header.cover.map_or(CellSet::first_cells(header.vertices), |cover| cover.resized());
        let (black_sets, white_sets, board_symmetries) = match &header.setting {
            Setting::Board { shape, board } => {
                let sets = winning_sets(shape, board);
                (sets.clone(), sets, board_symmetries(board))
            }
            Setting::Sets { black, white } => (black.clone(), white.clone(), Vec::new()),
        };
        let stored = |symmetry: &&Symmetry| header.symmetric && keeps(symmetry, arena);
        let counting = if header.rule == Rule::Strong { white_sets } else { Vec::new() };
        Checker {
            black_sets: black_sets.iter().map(WideSet::resized).collect(),
            white_sets: (counting.iter().map(WideSet::resized))
                .map(|set: CellSet<N>| (set & arena, (set - arena).len()))
                .collect(),
            arena,
            first: header.first.map_or(CellSet::first_cells(header.vertices), |first| first.resized()),
            start: Position { black: header.start[0].resized(), white: header.start[1].resized(), elsewhere: 0 },
            symmetries: board_symmetries.iter().filter(stored).cloned().collect(),
            board_symmetries,
            proof,
        }
    }

    fn check(&self) -> Result<Proved, Refused> {
        if self.black_sets.iter().any(|set| set.is_subset(&self.start.black)) || self.white_completed(&self.start) {
            return self.refuse(None, "a winning set is complete before turn 1", &self.start);
        }
        let bad_nodes = self.proof.nodes.par_iter().filter_map(|(&id, node)| self.node(id, node).err());
        let bad_steps = self.proof.steps.par_iter().filter_map(|(at, step)| self.step(at, step).err());
        if let Some(refused) = bad_nodes.chain(bad_steps).min_by_key(|refused| refused.line) {
            return Err(refused);
        }
        let positions = match self.proof.root {
            Some(Root::Node(id)) => self.root_node(id).map(|()| 0)?,
            _ => self.play()?,
        };
        Ok(Proved {
            lines: self.proof.lines,
            positions,
            nodes: self.proof.nodes.len() as u64,
            header: self.proof.header.clone(),
        })
    }

    /// How many turns were played up to a position.
    pub fn played(&self, at: &Position<N>) -> usize {
        at.black.len() + at.white.len() + usize::from(at.elsewhere) - self.start.black.len() - self.start.white.len()
    }

    /// Black's moves from the next turn up to the last that counts.
    pub fn moves_left(&self, played: usize) -> usize {
        self.proof.header.turns.black_moves(played, self.last())
    }

    /// The last turn that counts: K, or the end of the game.
    fn last(&self) -> usize {
        let end = self.proof.header.turns.len();
        match self.proof.header.claim {
            Claim::Win(turn) | Claim::Hold(Some(turn)) => turn.min(end),
            Claim::Hold(None) => end,
        }
    }

    /// The cells a player may choose from; turn 1 may be restricted.
    pub fn choices(&self, at: &Position<N>, played: usize) -> CellSet<N> {
        let empty = self.arena - at.black - at.white;
        if played == 0 { empty & self.first } else { empty }
    }

    /// The image of a position that certificates store.
    pub fn canonical(&self, at: Position<N>) -> Position<N> {
        let mut least = at;
        for symmetry in &self.symmetries {
            let black = image(symmetry, at.black);
            if black <= least.black {
                least = least.min(Position { black, white: image(symmetry, at.white), ..at });
            }
        }
        least
    }

    /// The cells at which Black would complete a winning set.
    pub fn completions(&self, at: &Position<N>) -> CellSet<N> {
        let missing = self.black_sets.iter().map(|&set| set - at.black).filter(|set| set.len() == 1);
        missing.fold(CellSet::EMPTY, |all, set| all | set) & (self.arena - at.white)
    }

    /// Whether White's stones may complete one of her sets: those elsewhere may lie wherever it suits her.
    pub fn white_completed(&self, at: &Position<N>) -> bool {
        self.white_sets.iter().any(|(inside, outside)| *outside <= at.elsewhere.into() && inside.is_subset(&at.white))
    }

    /// Black's moves that leave him in time to complete a set, if he has `left` moves with this one: a set free of
    /// White that misses fewer cells allows any move, one that misses `left` only a move in it.
    pub fn moves_in_time(&self, at: &Position<N>, left: usize) -> CellSet<N> {
        let mut moves = CellSet::EMPTY;
        for set in self.black_sets.iter().filter(|set| set.is_disjoint(&at.white)) {
            let missing = *set - at.black;
            if missing.len() < left {
                return self.arena;
            }
            if missing.len() == left {
                moves |= missing;
            }
        }
        moves
    }
}

// --------------------------------------------------------------------------------------------- position by position

impl<const N: usize> Checker<N> {
    /// Whose lines these are.
    pub fn holder(&self) -> Player {
        if matches!(self.proof.header.claim, Claim::Win(_)) { Player::Black } else { Player::White }
    }

    /// One `p`, `q` or `b` line by itself: a position of the right turn in the right form, a legal move.
    fn step(&self, at: &Position<N>, step: &Step) -> Result<(), Refused> {
        let refuse = |reason: String| self.refuse(Some(step.line), reason, at);
        let (start, stones) = (&self.start, at.black | at.white);
        if !start.black.is_subset(&at.black) || !start.white.is_subset(&at.white) {
            return refuse("the stones of 'start' are missing".into());
        }
        if !stones.is_subset(&self.arena) {
            return refuse("a stone outside the cover".into());
        }
        let played = self.played(at);
        let mover = self.proof.header.turns.player_after(played);
        let to_move = if matches!(step.then, Then::Block(_)) { Player::Black } else { self.holder() };
        let black_turns = self.proof.header.turns.black_moves(0, played);
        if mover != Some(to_move) || black_turns != at.black.len() - start.black.len() {
            return refuse(format!("with these stones it is not {to_move}'s turn"));
        }
        if self.canonical(*at) != *at {
            return refuse(format!("not in canonical form, which is {}", text(&self.canonical(*at))));
        }
        match step.then {
            Then::Block(id) => match self.proof.nodes.get(&id) {
                None => refuse(format!("there is no node {id}")),
                Some(node) if !node.own.is_subset(&at.white) => {
                    refuse(format!("White does not own all of {}, the W of node {id}", node.own))
                }
                Some(node) if !node.open.is_disjoint(&at.black) => {
                    refuse(format!("Black owns a cell of {}, the Z of node {id}", node.open))
                }
                Some(_) => Ok(()),
            },
            Then::Play(cell) if stones.contains(cell) => refuse(format!("{} is occupied", self.name(cell))),
            Then::Play(cell) if !self.arena.contains(cell) => {
                refuse(format!("{} is outside the cover", self.name(cell)))
            }
            Then::Play(cell) if !self.choices(at, played).contains(cell) => {
                refuse(format!("{} is not allowed at turn 1", self.name(cell)))
            }
            Then::Play(_)
                if to_move == Player::Black && !(self.completions(at) & self.choices(at, played)).is_empty() =>
            {
                refuse("Black completes a winning set at once: such a position has no line".into())
            }
            Then::Play(_) => Ok(()),
        }
    }

    /// Plays the lines against every move of the other side, turn by turn. Returns the number of positions met.
    fn play(&self) -> Result<u64, Refused> {
        let mut turn = Vec::new();
        self.arrive(self.start, &mut turn)?;
        let largest = LARGEST_TURN.max(64 * self.proof.steps.len());
        let mut met = 0;
        while !turn.is_empty() {
            met += turn.len() as u64;
            let mut next = Vec::new();
            for block in turn.chunks(BLOCK) {
                let follow = |part: &[Position<N>]| {
                    let mut reached = Vec::new();
                    part.iter().try_for_each(|at| self.follow(at, &mut reached)).map(|()| reached)
                };
                // Collected in order, so that of several mistakes the same one is named every time.
                let parts: Vec<Result<Vec<_>, Refused>> = block.par_chunks(BLOCK / 64).map(follow).collect();
                for part in parts {
                    next.append(&mut part?);
                }
                if next.len() > largest {
                    sort(&mut next);
                }
                if next.len() > largest {
                    return self.refuse(None, "more positions at one turn than this checker can hold", &next[0]);
                }
            }
            sort(&mut next);
            turn = next;
        }
        Ok(met)
    }

    /// All that can happen in a position: the move of its line, or else every move there is.
    fn follow(&self, at: &Position<N>, reached: &mut Vec<Position<N>>) -> Result<(), Refused> {
        let played = self.played(at);
        let Some(mover) = self.proof.header.turns.player_after(played) else {
            return self.refuse(None, "the turns are over", at);
        };
        if mover == self.holder() {
            let Some(Step { line, then: Then::Play(cell), .. }) = self.proof.steps.get(at) else {
                return self.refuse(None, format!("no line for the position {}", text(at)), at);
            };
            let after = at.with(mover, *cell);
            return match self.proof.header.claim {
                Claim::Win(last) if played + 1 >= last => {
                    self.refuse(Some(*line), format!("Black has not won by turn {last}"), at)
                }
                Claim::Hold(_) if self.white_completed(&after) => Ok(()),
                _ => self.arrive(after, reached),
            };
        }
        let choices = self.choices(at, played);
        let threats = self.completions(at);
        if let Claim::Hold(_) = self.proof.header.claim {
            if let Some(cell) = (threats & choices).first() {
                return self.refuse(None, format!("Black completes a winning set at {}", self.name(cell)), at);
            }
            // After any other move he is out of time, and the line of play ends well.
            let moves = choices & self.moves_in_time(at, self.moves_left(played));
            return moves.iter().try_for_each(|cell| self.meet(at.with(mover, cell), reached));
        }
        let room = usize::from(at.elsewhere) < self.proof.header.vertices - self.arena.len();
        for &(inside, outside) in &self.white_sets {
            let (missing, lacking) = (inside - at.white, outside.saturating_sub(at.elsewhere.into()));
            if missing.len() + lacking == 1 && (!missing.is_disjoint(&choices) || lacking == 1 && room) {
                return self.refuse(None, "White's next stone completes a winning set of hers", at);
            }
        }
        let beyond = room.then_some(Position { elsewhere: at.elsewhere + 1, ..*at });
        for after in choices.iter().map(|cell| at.with(mover, cell)).chain(beyond) {
            // A threat White has not parried, if it is Black's turn.
            if self.proof.header.turns.player_after(played + 1) == Some(Player::Black)
                && !(threats - after.white).is_empty()
            {
                self.wins_in_time(&after, played + 2)?;
            } else {
                self.meet(after, reached)?;
            }
        }
        Ok(())
    }

    /// A position after a move of the holder, or the start: the line of play may end here.
    fn arrive(&self, at: Position<N>, reached: &mut Vec<Position<N>>) -> Result<(), Refused> {
        let played = self.played(&at);
        match self.proof.header.claim {
            Claim::Win(_) => {
                let to_move = self.proof.header.turns.player_after(played) == Some(Player::Black);
                if to_move && !(self.completions(&at) & self.choices(&at, played)).is_empty() {
                    return self.wins_in_time(&at, played + 1);
                }
            }
            Claim::Hold(_) => {
                let left = self.moves_left(played);
                if left == 0 || self.moves_in_time(&at, left).is_empty() {
                    return Ok(());
                }
            }
        }
        self.meet(at, reached)
    }

    /// Black completes a set at this turn: that must not be too late.
    fn wins_in_time(&self, at: &Position<N>, turn: usize) -> Result<(), Refused> {
        match self.proof.header.claim {
            Claim::Win(last) if turn > last => {
                self.refuse(None, format!("Black completes a winning set at turn {turn} only, after {last}"), at)
            }
            _ => Ok(()),
        }
    }

    /// A position in which the play goes on. It is noted unless it was met before.
    fn meet(&self, at: Position<N>, reached: &mut Vec<Position<N>>) -> Result<(), Refused> {
        let at = self.canonical(at);
        let mover = self.proof.header.turns.player_after(self.played(&at));
        match (self.proof.steps.get(&at), mover) {
            (_, None) if self.holder() == Player::White => Ok(()),
            (_, None) => self.refuse(None, "the board is full and nothing is completed", &at),
            (None, Some(mover)) if mover == self.holder() => {
                self.refuse(None, format!("no line for the position {}", text(&at)), &at)
            }
            (Some(Step { then: Then::Block(_), .. }), _) => Ok(()),
            (Some(step), _) if step.reached.swap(true, Ordering::Relaxed) => Ok(()),
            _ => {
                reached.push(at);
                Ok(())
            }
        }
    }
}

fn sort<const N: usize>(positions: &mut Vec<Position<N>>) {
    positions.par_sort_unstable();
    positions.dedup();
}

/// A position as a line spells it.
fn text<const N: usize>(at: &Position<N>) -> String {
    format!("{} {} {}", at.black, at.white, at.elsewhere)
}

impl<const N: usize> Position<N> {
    pub fn with(&self, player: Player, cell: Cell) -> Position<N> {
        match player {
            Player::Black => Position { black: self.black.with(cell), ..*self },
            Player::White => Position { white: self.white.with(cell), ..*self },
        }
    }
}

// ------------------------------------------------------------------------------------------------------- node by node

impl<const N: usize> Checker<N> {
    /// One node by itself: what it says follows from what its children say.
    fn node(&self, id: u32, node: &Node<N>) -> Result<(), Refused> {
        let (own, open) = (node.own, node.open);
        let refuse =
            |reason: String| Err(Refused { line: Some(node.line), reason, drawing: Some(self.node_drawing(node)) });
        // A child speaks of a smaller id, of fewer stones of one's own and of fewer open cells.
        let child_fits = |child: u32, own: CellSet<N>, open: CellSet<N>| match self.proof.nodes.get(&child) {
            _ if child >= id => Err(format!("the child {child} is not smaller than its parent {id}")),
            None => Err(format!("there is no node {child}")),
            Some(node) if !node.own.is_subset(&own) => {
                Err(format!("the child {child} needs the stones {}, there are only {own}", node.own))
            }
            Some(node) if !node.open.is_subset(&open) => {
                Err(format!("the child {child} needs the cells {} open, only {open} are", node.open))
            }
            Some(_) => Ok(()),
        };
        // The orbits of the answered cells under the symmetries that keep both sets are all there is to answer.
        let answered = |answers: &[Answer], own, open: CellSet<N>| {
            let named: CellSet<N> = answers.iter().map(|answer| answer.0).collect();
            if named.is_empty() || named.len() < answers.len() {
                return Err("no cell is answered, or one twice".to_owned());
            }
            if let Some(cell) = (named - open).first() {
                return Err(format!("{} is answered, but not in Z", self.name(cell)));
            }
            let fixing = self.board_symmetries.iter().filter(|symmetry| keeps(symmetry, own) && keeps(symmetry, open));
            let covered = fixing.fold(named, |covered, symmetry| covered | image(symmetry, named));
            (open - covered).first().map_or(Ok(()), |cell| Err(format!("no answer to {}", self.name(cell))))
        };
        match &node.kind {
            Kind::Done(cell) => {
                let stones = own.with(*cell);
                match self.black_sets.iter().any(|set| set.is_subset(&stones)) {
                    _ if !open.contains(*cell) => refuse(format!("{} is not in Z", self.name(*cell))),
                    true => Ok(()),
                    false => refuse(format!("{} completes no winning set", self.name(*cell))),
                }
            }
            Kind::Move(cell, answers) => {
                if !open.contains(*cell) {
                    return refuse(format!("{} is not in Z", self.name(*cell)));
                }
                let (own, open) = (own.with(*cell), open.without(*cell));
                answered(answers, own, open).or_else(refuse)?;
                answers
                    .iter()
                    .try_for_each(|&Answer(r, _, child)| child_fits(child, own, open.without(r)))
                    .or_else(refuse)
            }
            Kind::Pave(pairs) => {
                let mut partner = [None; MAX_CELLS];
                for &Answer(a, b, _) in pairs {
                    let mistake = match () {
                        _ if a == b => "is one cell only",
                        _ if !open.contains(a) || !open.contains(b) => "is not in Z",
                        _ if partner[a.index()].or(partner[b.index()]).is_some() => "uses a cell of another pair",
                        _ => "",
                    };
                    if !mistake.is_empty() {
                        return refuse(format!("the pair {}-{} {mistake}", self.name(a), self.name(b)));
                    }
                    (partner[a.index()], partner[b.index()]) = (Some(b), Some(a));
                }
                let paved = |set: &CellSet<N>| {
                    set.iter().any(|cell| partner[cell.index()].is_some_and(|other| set.contains(other)))
                };
                match self.black_sets.iter().find(|set| set.is_disjoint(&own) && !paved(set)) {
                    Some(set) => refuse(format!("the winning set {set} contains no pair")),
                    None => Ok(()),
                }
            }
            Kind::Reply(answers) => {
                // "No set that misses W lies in the complement of Z plus m", for all m at once.
                let early = |set: &&CellSet<N>| set.is_disjoint(&own) && (**set & open).len() < 2;
                if let Some(set) = self.black_sets.iter().find(early) {
                    return refuse(format!("Black completes the winning set {set} before White can reply"));
                }
                answered(answers, own, open).or_else(refuse)?;
                for &Answer(m, o, child) in answers {
                    if o == m || !open.contains(o) {
                        return refuse(format!(
                            "{} is no reply to {}: not in Z, or occupied",
                            self.name(o),
                            self.name(m)
                        ));
                    }
                    child_fits(child, own.with(o), open.without(m).without(o)).or_else(refuse)?;
                }
                Ok(())
            }
        }
    }

    /// The root, given that every node is right: it must apply at the start and, for an attack, be low enough.
    fn root_node(&self, root: u32) -> Result<(), Refused> {
        let last = Some(self.proof.lines);
        let Some(node) = self.proof.nodes.get(&root) else {
            return Err(Refused::at(self.proof.lines, format!("there is no node {root} to be the root")));
        };
        let refuse = |reason: String| Err(Refused { line: last, reason, drawing: Some(self.node_drawing(node)) });
        if !node.own.is_empty() {
            return refuse("the root must not own cells: its first set is 0".into());
        }
        let (Claim::Win(turn), Kind::Done(opening) | Kind::Move(opening, _)) = (self.proof.header.claim, &node.kind)
        else {
            return match node.open.is_disjoint(&self.start.black) {
                true => Ok(()),
                false => refuse("Black's stones at the start lie in the root's Z".into()),
            };
        };
        if !node.open.is_disjoint(&self.start.white) {
            return refuse("White's stones at the start lie in the root's Z".into());
        }
        if !self.first.contains(*opening) {
            return refuse(format!("{} is not allowed at turn 1", self.name(*opening)));
        }
        // Children have smaller ids, so in the order of the ids every height is known in time.
        let mut ids: Vec<u32> = self.proof.nodes.keys().copied().collect();
        ids.sort_unstable();
        let mut heights: AHashMap<u32, usize> = AHashMap::new();
        for id in ids {
            let below = match &self.proof.nodes[&id].kind {
                Kind::Move(_, answers) => answers.iter().map(|answer| heights[&answer.2]).max().unwrap_or(0),
                _ => 0,
            };
            heights.insert(id, below + 1);
        }
        match 2 * heights[&root] - 1 {
            needed if needed > turn => refuse(format!("the root needs {needed} turns, the claim is {turn}")),
            _ => Ok(()),
        }
    }
}

// ------------------------------------------------------------------------------------------------- words and pictures

impl<const N: usize> Checker<N> {
    fn refuse<T>(&self, line: Option<u64>, reason: impl Into<String>, at: &Position<N>) -> Result<T, Refused> {
        let mut drawing = self.proof.header.draw(|cell| match () {
            _ if at.black.contains(cell) => 'X',
            _ if at.white.contains(cell) => 'O',
            _ if !self.arena.contains(cell) => '~',
            _ => '.',
        });
        if at.elsewhere > 0 {
            drawing += &format!("and {} White stones elsewhere (~)\n", at.elsewhere);
        }
        Err(Refused { line, reason: reason.into(), drawing: Some(drawing) })
    }

    /// A node: its open cells are dots, all it does not own belongs to the other side.
    fn node_drawing(&self, node: &Node<N>) -> String {
        let (own, rest) = if self.holder() == Player::Black { ('X', 'o') } else { ('O', 'x') };
        self.proof.header.draw(|cell| match () {
            _ if node.own.contains(cell) => own,
            _ if node.open.contains(cell) => '.',
            _ => rest,
        })
    }

    fn name(&self, cell: Cell) -> String {
        self.proof.header.cell_name(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `first` binds the first stone alone: what Black threatens at his own turn it does not touch.
    #[test]
    fn white_begins_where_she_may_and_black_wins_elsewhere() {
        let certificate = "harary-certificate 1\ngame sets 4\nblack 3\nstart 1 0\nfirst c\nrule weak\nturns WBW\n\
            claim win 2\nsymmetry none\n";
        assert!(check(certificate.as_bytes()).is_ok());
        let refused = certificate.replace("first c", "first e");
        assert!(check(refused.as_bytes()).is_err(), "she takes the cell he needs");
    }

    #[test]
    fn remarks_may_be_long_and_lines_end_with_one_character() {
        let certificate = |remark: &str| {
            format!("harary-certificate 1\n{remark}game 1x1 plain 0,0\nrule weak\nclaim win 1\nsymmetry none\n")
        };
        assert!(check(certificate("").as_bytes()).is_ok());
        for length in [0, 1, 65_533, 65_534, 65_535, 65_536, 65_537, 131_071, 131_072, 131_073, 300_000] {
            let remark = format!("#{}\n", "x".repeat(length));
            assert!(check(certificate(&remark).as_bytes()).is_ok(), "{length}");
            assert!(check(remark.trim_end().as_bytes()).is_err());
        }
        let refused = check(certificate("").replace('\n', "\r\n").as_bytes()).unwrap_err().to_string();
        assert!(refused.contains("CR LF"), "{refused}");
    }
}
