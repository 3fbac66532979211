//! The search of positions that are not decided at sight.

use super::finding::Finding;
use super::sight::{Node, Shared, Sight, Viewer};
use crate::effort::Halt;
use crate::effort::tuning::numbers::{EAGER, HEAVY};
use crate::engines::numbers::{Choice, Numbers};
use crate::engines::potential::ONE;
use crate::game::Game;
use harary_certificate::{
    Cell, CellSet,
    Player::{self, Black, White},
    Stones,
};
use std::cmp::Reverse;

/// A move of a position under search that is not decided.
#[derive(Clone, Copy)]
enum Child<const N: usize> {
    /// What it leads to.
    Seen(Node<N>),
    /// It was not looked at; its numbers are a guess.
    Waiting { cell: Cell, numbers: Numbers },
}

impl<const N: usize> Child<N> {
    /// What is played; none is a pass.
    fn last(&self) -> Option<Cell> {
        match self {
            Child::Seen(node) => node.last,
            Child::Waiting { cell, .. } => Some(*cell),
        }
    }

    fn numbers(&self) -> Numbers {
        match self {
            Child::Seen(Node { numbers, .. }) | Child::Waiting { numbers, .. } => *numbers,
        }
    }
}

/// What is done of a position whose player gets nothing: the moves not answered, and the zone of the answers.
struct State<const N: usize> {
    left: CellSet<N>,
    zone: CellSet<N>,
}

impl<const N: usize> State<N> {
    /// One answer, good against every move outside its zone.
    fn take(&mut self, zone: CellSet<N>) {
        self.left &= zone;
        self.zone |= zone;
    }
}

/// One thread's search.
pub struct MakerBreaker<'a, const N: usize> {
    pub(super) view: Viewer<'a, N>,
    pub(super) board: CellSet<N>,
    /// One cell out of each orbit of the game's symmetries: the first moves of the empty board that differ.
    kinds: CellSet<N>,
    /// The stones before turn 1.
    pub(super) start: Stones<N>,
    /// The first moves that are allowed, one of each kind.
    pub(super) firsts: CellSet<N>,
    /// Whether the first move is restricted at all, and whether some kind of move is left out.
    pub(super) restricted: bool,
    pub(super) narrow: bool,
    /// The children of all positions on the way that are not decided.
    children: Vec<Child<N>>,
    /// The weight of the live sets through each cell, and moves by their weight; only workspaces.
    weights: Vec<u64>,
    order: Vec<(u64, Option<Cell>)>,
    pub(super) nodes: u64,
    /// Where the question under way is given up.
    pub(super) give_up: u64,
}

impl<'a, const N: usize> MakerBreaker<'a, N> {
    /// A search of the weak form of a game in which the players alternate. Its stones are those a question gives; the start
    /// of the game, and which first moves it allows, count for [`wins`](Self::wins) and [`first_moves`](Self::first_moves)
    /// and for Black's move there.
    pub fn new(game: &Game, shared: &Shared<'a, N>) -> MakerBreaker<'a, N> {
        let board = CellSet::first_cells(game.vertices());
        MakerBreaker {
            view: Viewer::new(game, shared),
            board,
            kinds: game.symmetries().representatives(&board),
            start: game.start().resized(),
            firsts: game.openings().resized(),
            restricted: game.first().is_some(),
            narrow: game.opens_narrowly(),
            children: Vec::new(),
            weights: vec![0; game.vertices()],
            order: Vec::new(),
            nodes: 0,
            give_up: u64::MAX,
        }
    }

    /// Decides a position, unless a limit is reached.
    pub(super) fn decide(&mut self, player: Player, stones: Stones<N>) -> Result<Finding<N>, Halt> {
        self.decide_within(player, stones, Numbers::NO_LIMIT)
    }

    /// The same; open if its numbers reach `limit`.
    pub(super) fn decide_within(
        &mut self,
        player: Player,
        stones: Stones<N>,
        limit: Numbers,
    ) -> Result<Finding<N>, Halt> {
        self.children.clear();
        match self.view.look_at(player, stones) {
            Sight::Decided(finding) => Ok(finding),
            Sight::Open(node) => {
                let found = self.search(&node, limit)?;
                Ok(node.complete(found, node.forced.first().or(found.best())))
            }
        }
    }

    /// A number of this position for other threads to see.
    fn note(node: &Node<N>) -> u64 {
        let mut note = 0x9e37_79b9_7f4a_7c15_u64;
        for word in node.key.entry.black.words().iter().chain(node.key.entry.white.words()) {
            note = (note ^ word).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            note ^= note >> 29;
        }
        note
    }

    /// Searches a position until it is decided or one of its numbers has reached the limit.
    fn search(&mut self, node: &Node<N>, limit: Numbers) -> Result<Finding<N>, Halt> {
        let (lists, names) = (self.view.live.len(), self.view.names.len());
        let (first, before) = (self.children.len(), self.nodes);
        self.nodes += 1;
        self.view.limits.tick(self.nodes)?;
        self.view.limits.check_time()?;
        if self.nodes > self.give_up {
            return Err(Halt);
        }
        // It may have been decided since it was seen first, on another path or by another thread.
        if let Some(decided) = self.view.known(&node.key).filter(|known| !matches!(known, Finding::Open(_))) {
            return Ok(decided);
        }
        let note = Self::note(node);
        self.view.shared.busy.enter(note);
        let found = self.search_children(node, limit, first);
        self.view.shared.busy.leave(note);
        self.view.live.truncate(lists);
        self.view.names.truncate(names);
        self.children.truncate(first);
        Ok(self.view.remember(node, found?, self.nodes - before))
    }

    fn search_children(&mut self, node: &Node<N>, limit: Numbers, first: usize) -> Result<Finding<N>, Halt> {
        // On the empty board moves that are alike under its symmetries are answered alike, each in its own place: one of
        // each kind is tried, and the zone of all answers together is the whole board.
        let at_start = node.black.is_empty() && node.empty == self.board;
        let mut state = State {
            left: if at_start { self.kinds } else { node.empty },
            zone: if at_start { self.board } else { CellSet::EMPTY },
        };
        let (potential, least) = self.order_moves(node);
        for index in 0..self.order.len() {
            let (weight, last) = self.order[index];
            if last.is_some_and(|cell| !state.left.contains(cell)) {
                continue;
            }
            let rest = potential - weight;
            if index >= EAGER
                && rest > HEAVY * ONE
                && let Some(cell) = last
            {
                self.children.push(Child::Waiting { cell, numbers: Viewer::<N>::guess(Black, rest, least) });
                continue;
            }
            // Each look may take a while on a large board.
            self.view.limits.check_time()?;
            match self.look_after(node, last) {
                Sight::Open(child) => self.children.push(Child::Seen(child)),
                Sight::Decided(finding) if finding.is_for(node.player) => return Ok(finding.by(last)),
                Sight::Decided(finding) => state.take(finding.zone()),
            }
        }
        loop {
            self.retain_children(first, state.left);
            if (state.left & node.candidates).is_empty() {
                return Ok(match node.player {
                    White => Finding::Won { zone: state.zone, best: None },
                    // What is left is answered as its dominator is.
                    Black if state.left.is_empty() => Finding::Held { zone: state.zone, best: None },
                    Black => Finding::Held { zone: state.zone | node.dominators, best: None },
                });
            }
            let choice = self.choose(node.player, first);
            if choice.numbers.reach(limit) {
                return Ok(Finding::Open(choice.numbers));
            }
            let place = first + choice.index;
            let child = match self.children[place] {
                Child::Seen(child) => child,
                Child::Waiting { cell, .. } => {
                    match self.look_after(node, Some(cell)) {
                        Sight::Open(child) => self.children[place] = Child::Seen(child),
                        Sight::Decided(finding) if finding.is_for(node.player) => return Ok(finding.by(Some(cell))),
                        Sight::Decided(finding) => {
                            self.children.swap_remove(place);
                            state.take(finding.zone());
                        }
                    }
                    continue;
                }
            };
            let child_limit = choice.limit(node.player, child.numbers, limit);
            let found = self.search(&child, child_limit)?;
            if let Finding::Open(numbers) = found {
                self.children[place] = Child::Seen(Node { numbers, ..child });
                continue;
            }
            let found = child.complete(found, child.last);
            if found.is_for(node.player) {
                return Ok(found.by(child.last));
            }
            self.children.swap_remove(place);
            state.take(found.zone());
        }
    }

    /// The position after a move, or after none, in a position under search.
    fn look_after(&mut self, node: &Node<N>, last: Option<Cell>) -> Sight<N> {
        let (cells, list) = (last.map_or(CellSet::EMPTY, CellSet::single), (node.start, node.end));
        match node.player {
            Black => self.view.look(White, last, node.black | cells, list, CellSet::EMPTY),
            White => self.view.look(Black, last, node.black, list, cells),
        }
    }

    /// The moves to look at. White's come by the weight of the sets they stop, so that a reply that holds at sight is seen
    /// soon, and no reply comes last; the order of Black's is worth nothing (measured). Also the potential and the least
    /// any set misses, where White is to move.
    fn order_moves(&mut self, node: &Node<N>) -> (u64, usize) {
        self.order.clear();
        if node.player == Black {
            self.order.extend(node.candidates.iter().map(|cell| (0, Some(cell))));
            return (0, 0);
        }
        self.weights.fill(0);
        let (mut potential, mut least) = (0, usize::MAX);
        for set in &self.view.live[node.start..node.end] {
            let missing = *set - node.black;
            let weight = ONE >> missing.len().min(40);
            missing.iter().for_each(|cell| self.weights[cell.index()] += weight);
            (potential, least) = (potential + weight, least.min(missing.len()));
        }
        self.order.extend(node.candidates.iter().map(|cell| (self.weights[cell.index()], Some(cell))));
        self.order.sort_unstable_by_key(|&(weight, cell)| (Reverse(weight), cell));
        self.order.push((0, None));
        (potential, least)
    }

    /// Drops the children whose moves are answered.
    fn retain_children(&mut self, first: usize, left: CellSet<N>) {
        let mut index = first;
        while index < self.children.len() {
            if self.children[index].last().is_some_and(|cell| !left.contains(cell)) {
                self.children.swap_remove(index);
            } else {
                index += 1;
            }
        }
    }

    /// The child to be searched next; of equal ones the first, but one that no other thread is at.
    fn choose(&self, player: Player, first: usize) -> Choice {
        let busy = self.view.shared.busy;
        let taken = |child: &Child<N>| match child {
            Child::Seen(node) => busy.is_shared() && busy.contains(Self::note(node)),
            Child::Waiting { .. } => false,
        };
        Choice::among(player, self.children[first..].iter().map(|child| (child.numbers(), taken(child))))
    }
}
