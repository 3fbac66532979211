//! Who wins the weak game: proof-number search over what Black can still complete.
//!
//! In the weak game nothing matters but the *live* sets, those without a stone of White's, and what they miss. So a
//! position is the list of its live sets here, the list is cut down as far as the verdict allows, and positions whose
//! lists are left with the same stones and the same empty cells are one. There is no turn limit: a verdict is who wins,
//! not by when. The search is the depth-first proof-number search of [`super::dfpn`], with zones for both players:
//! - Black wins *with zone Z*: he does so whatever White owns outside Z. White must reply inside the zones of all his
//!   wins against other replies, and of his win after no reply at all.
//! - White holds *with zone Z*: she does so whatever Black owns outside Z. Black must move inside the zones of all her
//!   holds after other moves. It is the block (W, Z) of [`crate::engines::blocking`], with all her stones for W.
//!
//! Rules, and why each is sound, for verdict and zone:
//! - *Twins:* if the live sets through the empty cells a and b are the same, White answers one by the other, and all
//!   these sets are stopped. The rest has neither a nor b, so it is played as if they were not there. The zone of a hold
//!   takes a and b in.
//! - *Supersets:* a set that misses all that another misses, and more, adds nothing.
//! - *Dominated cells:* if all live sets through a run through b as well, b is the better move for either player. Black
//!   owning a and not b owns, with the names of a and b exchanged, less than with b and not a; White stops less by a
//!   than by b. If a hold answers b and the zone of that answer has a, White answers a with a and b exchanged, for
//!   which b has to be free: the zone of the hold takes b in. A reply at a fails to any win after b, or to one whose
//!   zone misses b: it uses no set through b and so none through a, even where its zone has a.
//! - *Potential:* [`super::potential`], the zone being all cells missed. *Pavings:* the zone is the cells of the pairs.
//! - *One entry for many positions:* let V be the black and empty cells of the list L left of a position. All sets
//!   inside V are live in it, and those not in L are supersets in the sense above (sets stopped by twins are not
//!   inside V). So V and the black cells say who wins and which zones serve, wherever they come from.

use super::busy::Busy;
use super::canon::Canon;
use super::dfpn::{INFINITE, Numbers};
use super::engine::Engine;
use super::potential::ONE;
use super::table::{Record, Table, pack_cell, unpack_cell};
use crate::effort::{Halt, Limits};
use crate::game::Game;
use crate::game::symmetry::Symmetry;
use crate::paving::backtracking::{Backtracking, Found};
use harary_certificate::{
    Cell, CellSet,
    Player::{self, Black, White},
    Stones,
};
use std::cmp::Reverse;

/// What is known of a position; zones and moves as in the module's page.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding<const N: usize> {
    /// Black wins; with him to move, by this move.
    Won {
        zone: CellSet<N>,
        best: Option<Cell>,
    },
    /// White holds; with her to move, by this reply. Without one any will do, or the sum of the sets' weights shows that
    /// there is one.
    Held {
        zone: CellSet<N>,
        best: Option<Cell>,
    },
    Open(Numbers),
}

/// Two bits say which of the three, and nine the cell. The set is the zone or holds the two numbers.
impl<const N: usize> Record<N> for Finding<N> {
    fn pack(&self) -> (CellSet<N>, u32) {
        match *self {
            Finding::Open(numbers) => {
                let mut words = [0; N];
                words[0] = u64::from(numbers.proof) << 32 | u64::from(numbers.disproof);
                (CellSet::from_words(words), 0)
            }
            Finding::Held { zone, best } => (zone, 1 << 30 | pack_cell(best)),
            Finding::Won { zone, best } => (zone, 2 << 30 | pack_cell(best)),
        }
    }

    fn unpack(set: CellSet<N>, bits: u32) -> Finding<N> {
        match bits >> 30 {
            0 => {
                let word = set.words()[0];
                Finding::Open(Numbers { proof: (word >> 32) as u32, disproof: word as u32 })
            }
            1 => Finding::Held { zone: set, best: unpack_cell(bits) },
            _ => Finding::Won { zone: set, best: unpack_cell(bits) },
        }
    }
}

/// What the threads of one search share.
#[derive(Clone, Copy)]
pub struct Shared<'a, const N: usize> {
    pub table: &'a Table<N, Finding<N>>,
    pub canon: &'a Canon,
    pub busy: &'a Busy,
}

/// A position that is not decided at sight.
#[derive(Clone, Copy)]
struct Node<const N: usize> {
    player: Player,
    /// What was played to come here; none is a pass.
    last: Option<Cell>,
    black: CellSet<N>,
    /// Where its list is in [`MakerBreaker::live`].
    start: usize,
    end: usize,
    /// The empty cells of the list.
    empty: CellSet<N>,
    /// Those of them that no other dominates, and those that dominate another.
    candidates: CellSet<N>,
    dominators: CellSet<N>,
    /// The cells of twins taken out of the list.
    twins: CellSet<N>,
    /// White's forced reply on the way here.
    forced: CellSet<N>,
    key: Key<N>,
    numbers: Numbers,
}

/// The entry of the table that stands for a position, and the number of the symmetry that leads there.
#[derive(Clone, Copy)]
struct Key<const N: usize> {
    /// Black's cells and the empty ones; with White to move, the first set contains the second.
    entry: Stones<N>,
    symmetry: usize,
}

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

impl<const N: usize> Node<N> {
    /// Adds what its own list does not know of: the sets that twins stop, the reply that was forced.
    fn complete(&self, found: Finding<N>, best: Option<Cell>) -> Finding<N> {
        let twins = if found.is_for(White) { self.twins } else { CellSet::EMPTY };
        found.widened(twins | self.forced, best)
    }
}

/// What is seen of a position at first sight.
enum Sight<const N: usize> {
    Decided(Finding<N>),
    Open(Node<N>),
}

/// One thread's search.
pub struct MakerBreaker<'a, const N: usize> {
    shared: Shared<'a, N>,
    board: CellSet<N>,
    /// One cell out of each orbit of the board's symmetries: the first moves that differ.
    firsts: CellSet<N>,
    /// The lists of all positions on the way to the one under search, and of their children. The first is the game's.
    live: Vec<CellSet<N>>,
    sets: usize,
    /// The children of all positions on the way that are not decided.
    children: Vec<Child<N>>,
    /// For each cell what all live sets through it have in common; only a workspace.
    common: Vec<CellSet<N>>,
    /// What the sets miss that miss two cells; only a workspace.
    twos: Vec<CellSet<N>>,
    /// The weight of the live sets through each cell, and moves by their weight; only workspaces.
    weights: Vec<u64>,
    order: Vec<(u64, Option<Cell>)>,
    backtracking: Backtracking<N>,
    /// How long to look for a paving, for each number of empty cells: longer where it was worth the time.
    patience: Vec<u32>,
    limits: Limits,
    nodes: u64,
    /// Where the question under way is given up.
    give_up: u64,
}

/// The least and the greatest patience, in steps of [`Backtracking`].
const PATIENCE: (u32, u32) = (8, 512);

/// The first so many of White's replies are looked at when a position is entered. Of the others, those that leave a
/// potential beyond `HEAVY`, where a paving is rare, wait until their guessed numbers make them the best, even if the
/// table knows them. On boards from 6x6 up they took half to five sixths of the time. In tests all but one wait that can.
const EAGER: usize = if cfg!(test) { 1 } else { 4 };
const HEAVY: u64 = if cfg!(test) { 0 } else { 2 * ONE };

impl<const N: usize> Finding<N> {
    /// Whether it is what this player wants.
    fn is_for(&self, player: Player) -> bool {
        match self {
            Finding::Won { .. } => player == Black,
            Finding::Held { .. } => player == White,
            Finding::Open(_) => false,
        }
    }

    /// The same with more cells in its zone, and this move.
    fn widened(self, cells: CellSet<N>, best: Option<Cell>) -> Finding<N> {
        match self {
            Finding::Won { zone, .. } => Finding::Won { zone: zone | cells, best },
            Finding::Held { zone, .. } => Finding::Held { zone: zone | cells, best },
            open => open,
        }
    }

    /// The same of the position before this move.
    fn by(self, last: Option<Cell>) -> Finding<N> {
        self.widened(last.map_or(CellSet::EMPTY, CellSet::single), last)
    }

    /// The same seen from elsewhere.
    fn moved(self, symmetry: &Symmetry) -> Finding<N> {
        let cell = |best: Option<Cell>| best.map(|cell| symmetry.cell(cell));
        match self {
            Finding::Won { zone, best } => Finding::Won { zone: symmetry.set(&zone), best: cell(best) },
            Finding::Held { zone, best } => Finding::Held { zone: symmetry.set(&zone), best: cell(best) },
            open => open,
        }
    }

    fn best(&self) -> Option<Cell> {
        match *self {
            Finding::Won { best, .. } | Finding::Held { best, .. } => best,
            Finding::Open(_) => None,
        }
    }

    fn zone(&self) -> CellSet<N> {
        match *self {
            Finding::Won { zone, .. } | Finding::Held { zone, .. } => zone,
            Finding::Open(_) => CellSet::EMPTY,
        }
    }
}

impl<'a, const N: usize> MakerBreaker<'a, N> {
    /// A search of the weak form of a game in which the players alternate. Its stones are those a question gives; from the
    /// empty board are only [`wins`](Self::wins) and [`first_moves`](Self::first_moves).
    pub fn new(game: &Game, shared: &Shared<'a, N>) -> MakerBreaker<'a, N> {
        let board = CellSet::first_cells(game.vertices());
        let live: Vec<CellSet<N>> = game.black_sets().iter().map(|set| set.resized()).collect();
        MakerBreaker {
            shared: *shared,
            board,
            firsts: game.symmetries().representatives(&board),
            sets: live.len(),
            live,
            children: Vec::new(),
            common: vec![CellSet::EMPTY; game.vertices()],
            twos: Vec::new(),
            weights: vec![0; game.vertices()],
            order: Vec::new(),
            backtracking: Backtracking::default(),
            patience: vec![64; game.vertices() + 1],
            limits: Limits::none(),
            nodes: 0,
            give_up: u64::MAX,
        }
    }

    /// Stops at these limits from now on. What it knew before it knows still.
    pub fn limit(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Whether Black wins from the empty board.
    pub fn wins(&mut self) -> Result<bool, Halt> {
        Ok(matches!(self.decide(Black, Stones::NONE)?, Finding::Won { .. }))
    }

    /// Whether White is known to hold with Black to move, or found to within so many nodes. A question given up is not
    /// lost: the next one goes on from there.
    pub fn holds_within(&mut self, stones: Stones<N>, nodes: u64) -> Result<bool, Halt> {
        self.give_up = self.nodes + nodes;
        let found = self.decide(Black, stones);
        self.give_up = u64::MAX;
        match found {
            Ok(finding) => Ok(finding.is_for(White)),
            Err(Halt) => self.limits.check_now().map(|()| false),
        }
    }

    /// What is seen of a position without a search.
    pub fn sight(&mut self, player: Player, stones: Stones<N>) -> Finding<N> {
        self.live.truncate(self.sets);
        match self.look(player, None, stones.black, (0, self.sets), stones.white) {
            Sight::Decided(finding) => finding,
            Sight::Open(node) => Finding::Open(node.numbers),
        }
    }

    /// Black's first moves, one of each kind, and whether they win, as far as it is known by now.
    pub fn first_moves(&mut self) -> Vec<(Cell, Option<bool>)> {
        let firsts: Vec<Cell> = self.firsts.iter().collect();
        let known = |cell| match self.sight(White, Stones::NONE.with(Black, cell)) {
            Finding::Open(_) => (cell, None),
            finding => (cell, Some(finding.is_for(Black))),
        };
        firsts.into_iter().map(known).collect()
    }

    /// Decides a position, unless a limit is reached.
    fn decide(&mut self, player: Player, stones: Stones<N>) -> Result<Finding<N>, Halt> {
        self.live.truncate(self.sets);
        self.children.clear();
        match self.look(player, None, stones.black, (0, self.sets), stones.white) {
            Sight::Decided(finding) => Ok(finding),
            Sight::Open(node) => {
                let found = self.search(&node, Numbers { proof: INFINITE, disproof: INFINITE })?;
                Ok(node.complete(found, node.forced.first().or(found.best())))
            }
        }
    }

    /// The position in which Black owns `black`, and White of the list `from` what she has `killed`.
    fn look(
        &mut self,
        player: Player,
        last: Option<Cell>,
        black: CellSet<N>,
        from: (usize, usize),
        killed: CellSet<N>,
    ) -> Sight<N> {
        let start = self.live.len();
        let mut completing = CellSet::EMPTY;
        self.twos.clear();
        for index in from.0..from.1 {
            let set = self.live[index];
            if !set.is_disjoint(&killed) {
                continue;
            }
            let missing = set - black;
            match missing.len() {
                0 => return self.won(start, CellSet::EMPTY, None),
                1 => completing |= missing,
                2 => self.twos.push(missing),
                _ => {}
            }
            self.live.push(set);
        }
        if let Some(cell) = completing.first() {
            let forced = CellSet::single(cell);
            if player == Black {
                return self.won(start, forced, Some(cell));
            }
            if let Some(other) = completing.without(cell).first() {
                return self.won(start, forced.with(other), None);
            }
            // White has no choice; the list of this position stays below that of the next.
            let list = (start, self.live.len());
            return match self.look(Black, last, black, list, forced) {
                Sight::Decided(finding) => self.decided(start, finding.widened(forced, Some(cell))),
                Sight::Open(node) => Sight::Open(Node { forced, ..node }),
            };
        }
        if player == Black
            && let Some((cell, zone)) = self.double_threat()
        {
            return self.won(start, zone, Some(cell));
        }
        self.drop_supersets(start, black);
        let (empty, twins) = self.drop_twins(start, black);
        if self.live.len() == start {
            return self.held(start, twins);
        }
        let missing = |set: &CellSet<N>| (*set - black).len();
        let potential = self.live[start..].iter().map(|set| ONE >> missing(set).min(40)).sum::<u64>();
        if potential < if player == Black { ONE / 2 } else { ONE } {
            return self.held(start, twins | empty);
        }
        let (mut candidates, mut dominators) = (CellSet::EMPTY, CellSet::EMPTY);
        for cell in empty {
            let dominating = self.common[cell.index()].without(cell);
            if dominating.is_empty() {
                candidates.insert(cell);
            }
            dominators |= dominating;
        }
        let key = self.key(player, black & self.live[start..].iter().fold(CellSet::EMPTY, |v, set| v | *set), empty);
        let numbers = match self.known(&key) {
            Some(Finding::Open(numbers)) => numbers,
            Some(Finding::Held { zone, best }) => {
                return self.decided(start, Finding::Held { zone: zone | twins, best });
            }
            Some(won) => return self.decided(start, won),
            None => {
                if player == Black
                    && let Some(zone) = self.paved(start, empty)
                {
                    return self.held(start, zone | twins);
                }
                Self::guess(player, potential, self.live[start..].iter().map(missing).min().unwrap_or(0))
            }
        };
        Sight::Open(Node {
            player,
            last,
            black,
            start,
            end: self.live.len(),
            empty,
            candidates,
            dominators,
            twins,
            forced: CellSet::EMPTY,
            key,
            numbers,
        })
    }

    /// The numbers of a position nothing is known of, by its potential and the least any set misses. The fewer cells Black
    /// needs the nearer his win; the greater the potential the farther a hold, and the farther if the next move is
    /// Black's (with equal shares 5x5 tori take 1.6 to 3 times the nodes).
    fn guess(player: Player, potential: u64, least: usize) -> Numbers {
        let eighths = (potential / (ONE / 8)).min(1 << 10) as u32;
        let share = if player == Black { 2 } else { 8 };
        let disproof = (eighths * eighths / share).max(1);
        Numbers { proof: 1 << (2 * least.saturating_sub(2)).min(8), disproof }
    }

    /// Drops a list that is not needed any more.
    fn decided(&mut self, start: usize, finding: Finding<N>) -> Sight<N> {
        self.live.truncate(start);
        Sight::Decided(finding)
    }

    fn won(&mut self, start: usize, zone: CellSet<N>, best: Option<Cell>) -> Sight<N> {
        self.decided(start, Finding::Won { zone, best })
    }

    fn held(&mut self, start: usize, zone: CellSet<N>) -> Sight<N> {
        self.decided(start, Finding::Held { zone, best: None })
    }

    /// A cell in two sets that miss it and one other, different ones: Black plays it and then one of the others.
    fn double_threat(&self) -> Option<(Cell, CellSet<N>)> {
        let (mut once, mut twice) = (CellSet::EMPTY, CellSet::EMPTY);
        for two in &self.twos {
            twice |= once & *two;
            once |= *two;
        }
        twice.iter().find_map(|cell| {
            let mut others = self.twos.iter().filter(|two| two.contains(cell));
            let first = *others.next()?;
            others.find(|two| **two != first).map(|second| (cell, first | *second))
        })
    }

    fn drop_supersets(&mut self, start: usize, black: CellSet<N>) {
        if self.twos.is_empty() {
            return;
        }
        let mut kept = start;
        for index in start..self.live.len() {
            let missing = self.live[index] - black;
            if missing.len() == 2 || !self.twos.iter().any(|two| two.is_subset(&missing)) {
                self.live[kept] = self.live[index];
                kept += 1;
            }
        }
        self.live.truncate(kept);
    }

    /// Takes out the sets stopped by twins. What is left missing, and the twins; `common` is up to date after it.
    fn drop_twins(&mut self, start: usize, black: CellSet<N>) -> (CellSet<N>, CellSet<N>) {
        let mut twins = CellSet::EMPTY;
        loop {
            let mut empty = CellSet::EMPTY;
            for index in start..self.live.len() {
                let missing = self.live[index] - black;
                for cell in missing - empty {
                    self.common[cell.index()] = missing;
                }
                for cell in missing & empty {
                    self.common[cell.index()] &= missing;
                }
                empty |= missing;
            }
            let mut found = CellSet::EMPTY;
            for cell in empty {
                let is_twin = |other: &Cell| *other != cell && self.common[other.index()].contains(cell);
                if !found.contains(cell)
                    && let Some(twin) = (self.common[cell.index()] - found).iter().find(is_twin)
                {
                    found.insert(cell);
                    found.insert(twin);
                }
            }
            if found.is_empty() {
                return (empty, twins);
            }
            twins |= found;
            let mut kept = start;
            for index in start..self.live.len() {
                if self.live[index].is_disjoint(&found) {
                    self.live[kept] = self.live[index];
                    kept += 1;
                }
            }
            self.live.truncate(kept);
        }
    }

    /// The zone of a paving of the list from `start` on, if one is found soon enough.
    fn paved(&mut self, start: usize, empty: CellSet<N>) -> Option<CellSet<N>> {
        let patience = &mut self.patience[empty.len()];
        match self.backtracking.pave(&self.live[start..], empty, CellSet::EMPTY, *patience) {
            Found::Paved(pairs) => {
                *patience = (*patience + *patience / 2).min(PATIENCE.1);
                Some(pairs.iter().fold(CellSet::EMPTY, |zone, pair| zone | *pair))
            }
            Found::None(_) => None,
            Found::Unknown => {
                *patience = (*patience - patience.div_ceil(64)).max(PATIENCE.0);
                None
            }
        }
    }

    /// Black and empty cells tell whose move it is as well.
    fn key(&self, player: Player, black: CellSet<N>, empty: CellSet<N>) -> Key<N> {
        let (mut entry, symmetry) = self.shared.canon.canonical(&Stones { black, white: empty });
        if player == White {
            entry.black |= entry.white;
        }
        Key { entry, symmetry }
    }

    fn known(&self, key: &Key<N>) -> Option<Finding<N>> {
        Some(self.shared.table.get(&key.entry)?.moved(self.shared.canon.inverse(key.symmetry)))
    }

    fn remember(&self, node: &Node<N>, finding: Finding<N>, work: u64) -> Finding<N> {
        let moved = finding.moved(self.shared.canon.symmetry(node.key.symmetry));
        self.shared.table.put(&node.key.entry, &moved, work);
        finding
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
        let (lists, first, before) = (self.live.len(), self.children.len(), self.nodes);
        self.nodes += 1;
        self.limits.tick(self.nodes)?;
        self.limits.check_time()?;
        if self.nodes > self.give_up {
            return Err(Halt);
        }
        // It may have been decided since it was seen first, on another path or by another thread.
        if let Some(decided) = self.known(&node.key).filter(|known| !matches!(known, Finding::Open(_))) {
            return Ok(decided);
        }
        let note = Self::note(node);
        self.shared.busy.enter(note);
        let found = self.search_children(node, limit, first);
        self.shared.busy.leave(note);
        self.live.truncate(lists);
        self.children.truncate(first);
        Ok(self.remember(node, found?, self.nodes - before))
    }

    fn search_children(&mut self, node: &Node<N>, limit: Numbers, first: usize) -> Result<Finding<N>, Halt> {
        // On the empty board moves that are alike under its symmetries are answered alike, each in its own place: one of
        // each kind is tried, and the zone of all answers together is the whole board.
        let at_start = node.black.is_empty() && node.empty == self.board;
        let mut state = State {
            left: if at_start { self.firsts } else { node.empty },
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
                && rest > HEAVY
                && let Some(cell) = last
            {
                self.children.push(Child::Waiting { cell, numbers: Self::guess(Black, rest, least) });
                continue;
            }
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
            let numbers = choice.numbers;
            if numbers.proof >= limit.proof || numbers.disproof >= limit.disproof {
                return Ok(Finding::Open(numbers));
            }
            let child = match self.children[choice.index] {
                Child::Seen(child) => child,
                Child::Waiting { cell, .. } => {
                    match self.look_after(node, Some(cell)) {
                        Sight::Open(child) => self.children[choice.index] = Child::Seen(child),
                        Sight::Decided(finding) if finding.is_for(node.player) => return Ok(finding.by(Some(cell))),
                        Sight::Decided(finding) => {
                            self.children.swap_remove(choice.index);
                            state.take(finding.zone());
                        }
                    }
                    continue;
                }
            };
            let others = (self.children.len() - first) as u32 - 1;
            let enough = choice.second.saturating_add(choice.second / 4).saturating_add(1).min(INFINITE);
            let (player, other) = (node.player, node.player.other());
            let own = limit.own(player).min(enough).max(child.numbers.own(player) + 1);
            let other = limit.own(other).saturating_sub(others).max(child.numbers.own(other) + 1);
            let found = self.search(&child, Numbers::of(player, own, other))?;
            if let Finding::Open(numbers) = found {
                self.children[choice.index] = Child::Seen(Node { numbers, ..child });
                continue;
            }
            let found = child.complete(found, child.last);
            if found.is_for(node.player) {
                return Ok(found.by(child.last));
            }
            self.children.swap_remove(choice.index);
            state.take(found.zone());
        }
    }

    /// The position after a move, or after none, in a position under search.
    fn look_after(&mut self, node: &Node<N>, last: Option<Cell>) -> Sight<N> {
        let (cells, list) = (last.map_or(CellSet::EMPTY, CellSet::single), (node.start, node.end));
        match node.player {
            Black => self.look(White, last, node.black | cells, list, CellSet::EMPTY),
            White => self.look(Black, last, node.black, list, cells),
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
        for set in &self.live[node.start..node.end] {
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
        let mut choice = Choice { index: first, numbers: Numbers::of(player, INFINITE, 0), second: INFINITE };
        let (mut least, mut real, mut greatest) = (INFINITE, INFINITE, 0);
        let children = &self.children[first..];
        for (index, child) in children.iter().enumerate() {
            let mut own = child.numbers().own(player);
            real = real.min(own);
            greatest = greatest.max(child.numbers().own(player.other()));
            if let Child::Seen(node) = child
                && self.shared.busy.is_shared()
                && self.shared.busy.contains(Self::note(node))
            {
                own = own.saturating_add(own / 2 + 1).min(INFINITE - 1);
            }
            if own < least {
                choice.second = least;
                (choice.index, least) = (first + index, own);
            } else {
                choice.second = choice.second.min(own);
            }
        }
        let other = (greatest + children.len() as u32 - 1).min(INFINITE - 1);
        choice.numbers = Numbers::of(player, real.min(INFINITE - 1), other);
        choice
    }
}

/// The child to be searched next, and the numbers of the position above.
struct Choice {
    index: usize,
    numbers: Numbers,
    /// The player's own number at the second-best child.
    second: u32,
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

impl<const N: usize> Engine<N> for MakerBreaker<'_, N> {
    fn winning_move(&mut self, stones: Stones<N>, _until: usize) -> Result<Option<Cell>, Halt> {
        Ok(match self.decide(Black, stones)? {
            Finding::Won { best, .. } => best,
            _ => None,
        })
    }

    fn holding_move(&mut self, stones: Stones<N>, _until: usize) -> Result<Option<Cell>, Halt> {
        match self.decide(White, stones)? {
            Finding::Held { best: Some(cell), .. } => return Ok(Some(cell)),
            Finding::Held { .. } => {}
            _ => return Ok(None),
        }
        // Held by its potential, where the weightiest cell is a good reply, or by whatever she plays.
        let live = |set: &&CellSet<N>| set.is_disjoint(&stones.white);
        let weight = |cell: Cell| {
            let through = self.live[..self.sets].iter().filter(live).filter(|set| set.contains(cell));
            through.map(|set| ONE >> (*set - stones.black).len().min(40)).sum::<u64>()
        };
        let mut replies: Vec<(u64, Cell)> =
            (self.board - stones.occupied()).iter().map(|cell| (weight(cell), cell)).collect();
        replies.sort_unstable_by_key(|&(weight, cell)| (Reverse(weight), cell));
        for (_, cell) in replies {
            if self.decide(Black, stones.with(White, cell))?.is_for(White) {
                return Ok(Some(cell));
            }
        }
        Ok(None)
    }

    fn knows_hold(&mut self, stones: Stones<N>) -> bool {
        self.sight(White, stones).is_for(White)
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::scene::{Scene, scenes};
    use harary_certificate::Rule;
    use proptest::prelude::*;

    /// Runs `work` with a search of a game that starts at a scene's position.
    fn with_search<T>(game: &Game, work: impl FnOnce(&mut MakerBreaker<1>) -> T) -> T {
        let table = Table::new(1 << 18);
        let canon = Canon::new(&game.symmetries(), game.vertices());
        let busy = Busy::new(1);
        let shared = Shared { table: &table, canon: &canon, busy: &busy };
        work(&mut MakerBreaker::new(game, &shared))
    }

    /// Adds some of the cells that `choices` picks outside `taken`.
    fn more(choices: &[usize], cells: usize, taken: CellSet<1>) -> CellSet<1> {
        let outside: Vec<Cell> = (CellSet::<1>::first_cells(cells) - taken).iter().collect();
        choices.iter().filter_map(|choice| outside.get(choice % (outside.len().max(1) * 2)).copied()).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(6_000))]

        /// The verdict is the twin's, the moves keep it, and what is said of a zone is true: with any stones of the
        /// loser's added outside it the verdict is the same.
        #[test]
        fn positions_agree_with_the_twin_and_zones_hold(
            scene in scenes(), added in prop::collection::vec(0..100usize, 0..6), image in 0..288usize,
        ) {
            let scene = Scene { weak: true, ..scene };
            let (cells, stones) = (scene.board.size(), scene.stones);
            let Some(game) = scene.game() else { return Ok(()) };
            if scene.is_over(stones.white) { return Ok(()); }
            let wins = |scene: &Scene| scene.game().map(|game| scene.least_turn(&game).is_some());
            let truth = wins(&scene).unwrap();
            // Once as a game of its own, once as a position of the whole board, known there by another of its images.
            let finding = with_search(&game, |search| search.decide(Black, stones).unwrap());
            let whole = Game::new(scene.shape.clone(), scene.board, Rule::Weak);
            let symmetries = whole.symmetries();
            let symmetry = &symmetries.elements()[image % symmetries.len()];
            let seen_elsewhere = with_search(&whole, |search| {
                search.decide(Black, symmetry.stones(&stones)).unwrap();
                search.decide(Black, stones).unwrap()
            });
            for finding in [finding, seen_elsewhere] {
                prop_assert_eq!(finding.is_for(Black), truth);
                let taken = stones.occupied() | finding.zone();
                let extra = more(&added, cells, taken);
                let mut crowded = scene.clone();
                if truth {
                    crowded.stones.white |= extra;
                } else {
                    crowded.stones.black |= extra;
                }
                prop_assert!(truth || !scene.is_over(crowded.stones.black), "zone {:?} added {:?}", finding.zone(), extra);
                if !scene.is_over(crowded.stones.black) && !scene.is_over(crowded.stones.white) && let Some(verdict) = wins(&crowded) {
                    prop_assert_eq!(verdict, truth, "zone {:?} added {:?}", finding.zone(), extra);
                }
            }
            if truth && !scene.is_over(stones.black) {
                let best = with_search(&game, |search| search.winning_move(stones, usize::MAX)).unwrap().unwrap();
                prop_assert!(!stones.occupied().contains(best));
                let after = stones.with(Black, best);
                let reply = with_search(&game, |search| search.holding_move(after, usize::MAX)).unwrap();
                prop_assert!(reply.is_none());
            } else if !truth {
                for m in CellSet::<1>::first_cells(cells) - stones.occupied() {
                    let after = stones.with(Black, m);
                    if after.len() == cells { continue; }
                    let o = with_search(&game, |search| search.holding_move(after, usize::MAX)).unwrap().unwrap();
                    prop_assert!(!after.occupied().contains(o));
                    let held = with_search(&game, |search| search.decide(Black, after.with(White, o))).unwrap();
                    prop_assert!(held.is_for(White));
                }
            }
        }
    }
}
