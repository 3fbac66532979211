//! What is seen of a position without a search: its list of live sets, cut down as far as the verdict allows.

use super::finding::Finding;
use super::names::Namer;
use crate::effort::Limits;
use crate::effort::tuning::numbers::{SHARE_BLACK, SHARE_WHITE};
use crate::effort::tuning::paving::{LEAST_PATIENCE, MOST_PATIENCE, PATIENCE};
use crate::engines::busy::Busy;
use crate::engines::canon::Canon;
use crate::engines::numbers::Numbers;
use crate::engines::potential::ONE;
use crate::engines::table::Table;
use crate::game::Game;
use crate::paving::backtracking::{Backtracking, Found};
use harary_certificate::{
    Cell, CellSet,
    Player::{self, Black, White},
    Stones,
};

/// A position that is not decided at sight.
#[derive(Clone, Copy)]
pub(super) struct Node<const N: usize> {
    pub(super) player: Player,
    /// What was played to come here; none is a pass.
    pub(super) last: Option<Cell>,
    pub(super) black: CellSet<N>,
    /// Where its list is in [`Viewer::live`].
    pub(super) start: usize,
    pub(super) end: usize,
    /// The empty cells of the list.
    pub(super) empty: CellSet<N>,
    /// Those of them that no other dominates, and those that dominate another.
    pub(super) candidates: CellSet<N>,
    pub(super) dominators: CellSet<N>,
    /// The cells of twins taken out of the list.
    pub(super) twins: CellSet<N>,
    /// White's forced reply on the way here.
    pub(super) forced: CellSet<N>,
    pub(super) key: Key<N>,
    pub(super) numbers: Numbers,
}

/// The entry of the table that stands for a position, and the way there.
#[derive(Clone, Copy)]
pub(super) struct Key<const N: usize> {
    /// Of a position up to symmetry Black's cells and the empty ones; with White to move, the first set contains the second.
    /// Of one up to names the two words of its key.
    pub(super) entry: Stones<N>,
    /// The number of a symmetry, or where the names begin and end in [`Viewer::names`].
    way: (usize, usize),
}

/// Which positions have one entry in the table.
#[derive(Clone, Copy)]
pub enum Alike<'a> {
    /// Those that a symmetry maps to one another (lemmas 12 and 20).
    BySymmetry(&'a Canon),
    /// Those that differ by the names of their cells (lemma 42): more of them, and each takes longer to know. For games of at
    /// most 255 cells.
    ByNames,
}

impl<const N: usize> Node<N> {
    /// Adds what its own list does not know of: the sets that twins stop, the reply that was forced.
    pub(super) fn complete(&self, found: Finding<N>, best: Option<Cell>) -> Finding<N> {
        let twins = if found.is_for(White) { self.twins } else { CellSet::EMPTY };
        found.widened(twins | self.forced, best)
    }
}

/// What is seen of a position at first sight.
pub(super) enum Sight<const N: usize> {
    Decided(Finding<N>),
    Open(Node<N>),
}

/// What the threads of one search share.
#[derive(Clone, Copy)]
pub struct Shared<'a, const N: usize> {
    /// What is known of positions.
    pub table: &'a Table<N, Finding<N>>,
    /// Positions with one entry.
    pub alike: Alike<'a>,
    /// What the others search right now.
    pub busy: &'a Busy,
}

/// Looks at positions: their lists, and what the table knows.
pub(super) struct Viewer<'a, const N: usize> {
    pub(super) shared: Shared<'a, N>,
    /// The lists of all positions on the way to the one under search, and of their children. The first is the game's.
    pub(super) live: Vec<CellSet<N>>,
    /// How many sets the game has.
    pub(super) sets: usize,
    /// For each cell what all live sets through it have in common; only a workspace.
    common: Vec<CellSet<N>>,
    /// What the sets miss that miss two cells; only a workspace.
    twos: Vec<CellSet<N>>,
    namer: Namer<N>,
    /// The cells of the positions whose lists are in `live`, in the order of their names, if positions are known by these.
    pub(super) names: Vec<Cell>,
    backtracking: Backtracking<N>,
    /// How long to look for a paving, for each number of empty cells: longer where it was worth the time.
    patience: Vec<u32>,
    pub(super) limits: Limits,
}

impl<'a, const N: usize> Viewer<'a, N> {
    pub(super) fn new(game: &Game, shared: &Shared<'a, N>) -> Viewer<'a, N> {
        let live: Vec<CellSet<N>> = game.black_sets().iter().map(|set| set.resized()).collect();
        Viewer {
            shared: *shared,
            sets: live.len(),
            live,
            common: vec![CellSet::EMPTY; game.vertices()],
            twos: Vec::new(),
            namer: Namer::new(),
            names: Vec::new(),
            backtracking: Backtracking::default(),
            patience: vec![PATIENCE; game.vertices() + 1],
            limits: Limits::none(),
        }
    }

    /// A position given by its stones.
    pub(super) fn look_at(&mut self, player: Player, stones: Stones<N>) -> Sight<N> {
        self.live.truncate(self.sets);
        self.names.clear();
        self.look(player, None, stones.black, (0, self.sets), stones.white)
    }

    /// The position in which Black owns `black`, and White of the list `from` what she has `killed`.
    pub(super) fn look(
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
        let key = self.key(player, start, black, empty);
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
    /// Black's.
    pub(super) fn guess(player: Player, potential: u64, least: usize) -> Numbers {
        let eighths = (potential / (ONE / 8)).min(1 << 10) as u32;
        let share = if player == Black { SHARE_BLACK } else { SHARE_WHITE };
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
        match self.backtracking.pave(&self.live[start..], empty, CellSet::EMPTY, *patience, &self.limits) {
            Found::Paved(pairs) => {
                *patience = (*patience + *patience / 2).min(MOST_PATIENCE);
                Some(pairs.iter().fold(CellSet::EMPTY, |zone, pair| zone | *pair))
            }
            Found::None(_) => None,
            Found::Unknown => {
                *patience = (*patience - patience.div_ceil(64)).max(LEAST_PATIENCE);
                None
            }
        }
    }

    /// The key of the list from `start` on.
    fn key(&mut self, player: Player, start: usize, black: CellSet<N>, empty: CellSet<N>) -> Key<N> {
        let list = &self.live[start..];
        match self.shared.alike {
            // Black and empty cells tell whose move it is as well.
            Alike::BySymmetry(canon) => {
                let black = black & list.iter().fold(CellSet::EMPTY, |all, set| all | *set);
                let (mut entry, symmetry) = canon.canonical(&Stones { black, white: empty });
                if player == White {
                    entry.black |= entry.white;
                }
                Key { entry, way: (symmetry, 0) }
            }
            Alike::ByNames => {
                let first = self.names.len();
                let (key, names) = self.namer.name(list.iter().map(|set| *set - black));
                self.names.extend(names);
                let key = if player == White { !key } else { key };
                let word = |word: u64| CellSet::from_words(std::array::from_fn(|i| if i == 0 { word } else { 0 }));
                let entry = Stones { black: word(key as u64), white: word((key >> 64) as u64) };
                Key { entry, way: (first, self.names.len()) }
            }
        }
    }

    pub(super) fn known(&self, key: &Key<N>) -> Option<Finding<N>> {
        let found = self.shared.table.get(&key.entry)?;
        Some(match self.shared.alike {
            Alike::BySymmetry(canon) => found.moved(canon.inverse(key.way.0)),
            Alike::ByNames => found.renamed(|name| self.names.get(key.way.0 + name.index()).copied().unwrap_or(name)),
        })
    }

    pub(super) fn remember(&self, node: &Node<N>, finding: Finding<N>, work: u64) -> Finding<N> {
        let kept = match self.shared.alike {
            Alike::BySymmetry(canon) => Some(finding.moved(canon.symmetry(node.key.way.0))),
            Alike::ByNames => {
                let names = &self.names[node.key.way.0..node.key.way.1];
                // Cells without a name count for nothing; a move there is not worth an entry.
                finding.within(names.iter().copied().collect()).map(|finding| {
                    let mut places = [Cell::new(0); 256];
                    names.iter().enumerate().for_each(|(name, cell)| places[cell.index()] = Cell::new(name));
                    finding.renamed(|cell| places[cell.index()])
                })
            }
        };
        if let Some(kept) = kept {
            self.shared.table.put(&node.key.entry, &kept, work);
        }
        finding
    }
}
