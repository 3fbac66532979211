//! A position of a game, made and unmade stone by stone.
//!
//! The [`Arena`] holds what does not change during a search: the winning sets and which of them run through each cell.
//! A [`Position`] holds the stones, the hash key and, for each player, his *live* sets (those without a stone of the
//! opponent) sorted by how many cells they miss. All of it changes together, in [`Position::play`] and
//! [`Position::undo`], in time that grows with the sets through one cell and not with all of them; then the immediate
//! wins, the forced replies and the distance bound (lemmas 2 and 3 of docs/game.md) are there to be read off.

use crate::game::Game;
use harary_certificate::{Cell, CellSet, Player, Schedule, Stones};

/// A winning set and whose it is.
#[derive(Clone, Debug)]
struct WinningSet<const N: usize> {
    cells: CellSet<N>,
    size: u16,
    /// Whether it counts for Black, for White.
    owned: [bool; 2],
}

/// The tables of a game, `N` words wide.
#[derive(Clone, Debug)]
pub struct Arena<const N: usize> {
    cells: usize,
    all: CellSet<N>,
    sets: Vec<WinningSet<N>>,
    /// The sets through each cell, one list behind the other; cell `c` has `through[starts[c] .. starts[c + 1]]`.
    through: Vec<u32>,
    starts: Vec<u32>,
    schedule: Schedule,
    first: Option<CellSet<N>>,
    start: [CellSet<N>; 2],
    keys: Vec<[u64; 2]>,
    longest: usize,
}

impl<const N: usize> Arena<N> {
    /// The tables of `game`. `N` words must hold its vertices.
    pub fn new(game: &Game) -> Arena<N> {
        let cells = game.vertices();
        assert!(cells <= CellSet::<N>::CAPACITY, "the game needs a wider set");
        let mut sets: Vec<WinningSet<N>> = game
            .black_sets()
            .iter()
            .map(|set| WinningSet { cells: set.resized(), size: set.len() as u16, owned: [true, false] })
            .collect();
        // Under the strong rule most games have one list for both: such sets are kept once.
        let mut unmatched = Vec::new();
        for set in game.white_sets() {
            match game.black_sets().binary_search(set) {
                Ok(same) => sets[same].owned[1] = true,
                Err(_) => {
                    unmatched.push(WinningSet { cells: set.resized(), size: set.len() as u16, owned: [false, true] });
                }
            }
        }
        sets.extend(unmatched);
        let mut through = Vec::new();
        let mut starts = vec![0];
        for cell in (0..cells).map(Cell::new) {
            through.extend((0..sets.len()).filter(|&s| sets[s].cells.contains(cell)).map(|s| s as u32));
            starts.push(through.len() as u32);
        }
        let mut seed = 0x2545_f491_4f6c_dd1d_u64;
        let keys = (0..cells).map(|_| [split_mix(&mut seed), split_mix(&mut seed)]).collect();
        Arena {
            cells,
            all: CellSet::first_cells(cells),
            longest: sets.iter().map(|set| usize::from(set.size)).max().unwrap_or(0),
            sets,
            through,
            starts,
            schedule: game.schedule().clone(),
            first: game.first().map(|set| set.resized()),
            start: [game.black_start().resized(), game.white_start().resized()],
            keys,
        }
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// Every cell.
    #[inline]
    pub fn all(&self) -> CellSet<N> {
        self.all
    }

    /// The size of the largest winning set.
    #[inline]
    pub fn longest(&self) -> usize {
        self.longest
    }

    /// Whose turn it is when.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// The cells of winning set number `set`.
    #[inline]
    pub fn set(&self, set: usize) -> CellSet<N> {
        self.sets[set].cells
    }

    /// The winning sets through a cell, by number.
    #[inline]
    pub fn through(&self, cell: Cell) -> &[u32] {
        &self.through[self.starts[cell.index()] as usize..self.starts[cell.index() + 1] as usize]
    }
}

/// The next number of the SplitMix64 sequence: hash keys that are the same in every run.
fn split_mix(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *seed;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// One player's live sets.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Side<const N: usize> {
    /// For each number of missing cells, the live sets that miss so many, as a bit set `words` long.
    live: Vec<u64>,
    words: usize,
    /// How many live sets miss so many cells.
    counts: Vec<u32>,
    /// For each cell, how many live sets miss nothing but this cell.
    finishing: Vec<u32>,
    /// The cells where that number is not zero.
    completions: CellSet<N>,
}

impl<const N: usize> Side<N> {
    fn new(arena: &Arena<N>) -> Side<N> {
        let words = arena.sets.len().div_ceil(64);
        Side {
            live: vec![0; words * (arena.longest + 1)],
            words,
            counts: vec![0; arena.longest + 1],
            finishing: vec![0; arena.cells],
            completions: CellSet::EMPTY,
        }
    }

    #[inline]
    fn insert(&mut self, set: usize, missing: usize) {
        self.live[missing * self.words + (set >> 6)] |= 1 << (set & 63);
        self.counts[missing] += 1;
    }

    #[inline]
    fn remove(&mut self, set: usize, missing: usize) {
        self.live[missing * self.words + (set >> 6)] &= !(1 << (set & 63));
        self.counts[missing] -= 1;
    }

    #[inline]
    fn finish_at(&mut self, cell: Cell) {
        self.finishing[cell.index()] += 1;
        self.completions.insert(cell);
    }
}

/// A position, tied to its arena.
#[derive(Clone)]
pub struct Position<'a, const N: usize> {
    arena: &'a Arena<N>,
    stones: [CellSet<N>; 2],
    played: usize,
    key: u64,
    /// Black's and White's stones in each winning set.
    inside: Vec<[u16; 2]>,
    sides: [Side<N>; 2],
    winner: Option<Player>,
}

impl<'a, const N: usize> Position<'a, N> {
    /// The position before turn 1, with the stones the game starts with.
    pub fn new(arena: &'a Arena<N>) -> Position<'a, N> {
        let mut position = Position {
            arena,
            stones: [CellSet::EMPTY; 2],
            played: 0,
            key: 0,
            inside: vec![[0, 0]; arena.sets.len()],
            sides: [Side::new(arena), Side::new(arena)],
            winner: None,
        };
        for (number, set) in arena.sets.iter().enumerate() {
            for (side, owned) in position.sides.iter_mut().zip(set.owned) {
                if owned {
                    side.insert(number, set.size.into());
                    if let (1, Some(cell)) = (set.size, set.cells.first()) {
                        side.finish_at(cell);
                    }
                }
            }
        }
        for player in [Player::Black, Player::White] {
            for cell in arena.start[player as usize] {
                position.place(cell, player);
            }
        }
        position
    }

    /// The position with these stones on top of nothing else, whoever put them in whatever order.
    pub fn with_stones(arena: &'a Arena<N>, stones: Stones<N>) -> Position<'a, N> {
        let mut position = Position::new(arena);
        for player in [Player::Black, Player::White] {
            for cell in stones.of(player) - position.stones[player as usize] {
                position.place(cell, player);
                position.played += 1;
            }
        }
        position
    }

    /// What it is played on.
    pub fn arena(&self) -> &'a Arena<N> {
        self.arena
    }

    /// Black's and White's stones.
    #[inline]
    pub fn stones(&self) -> Stones<N> {
        Stones { black: self.stones[0], white: self.stones[1] }
    }

    /// Black's stones.
    #[inline]
    pub fn black(&self) -> CellSet<N> {
        self.stones[0]
    }

    /// White's stones.
    #[inline]
    pub fn white(&self) -> CellSet<N> {
        self.stones[1]
    }

    /// The cells without a stone.
    #[inline]
    pub fn empty(&self) -> CellSet<N> {
        self.arena.all - self.stones[0] - self.stones[1]
    }

    /// The cells that may be played now.
    #[inline]
    pub fn allowed(&self) -> CellSet<N> {
        match self.arena.first {
            Some(first) if self.played == 0 => self.empty() & first,
            _ => self.empty(),
        }
    }

    /// How many turns have been played.
    #[inline]
    pub fn played(&self) -> usize {
        self.played
    }

    /// Who plays next; `None` after the last turn.
    #[inline]
    pub fn to_move(&self) -> Option<Player> {
        self.arena.schedule.player_after(self.played)
    }

    /// Who has completed a winning set.
    #[inline]
    pub fn winner(&self) -> Option<Player> {
        self.winner
    }

    /// The hash key of the stones.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The cells at which `player` completes a winning set at once.
    #[inline]
    pub fn completions(&self, player: Player) -> CellSet<N> {
        self.sides[player as usize].completions
    }

    /// How many live sets of `player` miss exactly `missing` cells.
    #[inline]
    pub fn live_count(&self, player: Player, missing: usize) -> u32 {
        self.sides[player as usize].counts.get(missing).copied().unwrap_or(0)
    }

    /// The least number of cells a live set of `player` misses; `None` if he has no live set.
    #[inline]
    pub fn distance(&self, player: Player) -> Option<usize> {
        self.sides[player as usize].counts.iter().position(|&count| count > 0)
    }

    /// The live sets of `player` that miss exactly `missing` cells, by number.
    #[inline]
    pub fn live_sets(&self, player: Player, missing: usize) -> impl Iterator<Item = usize> + use<'_, N> {
        let side = &self.sides[player as usize];
        let words = match missing * side.words {
            start if missing <= self.arena.longest => &side.live[start..start + side.words],
            _ => &[],
        };
        words.iter().enumerate().flat_map(|(i, &word)| {
            let mut left = word;
            std::iter::from_fn(move || {
                if left == 0 {
                    return None;
                }
                let set = 64 * i + left.trailing_zeros() as usize;
                left &= left - 1;
                Some(set)
            })
        })
    }

    /// The empty cells of a set.
    #[inline]
    pub fn missing_cells(&self, set: usize) -> CellSet<N> {
        self.arena.sets[set].cells - self.stones[0] - self.stones[1]
    }

    /// The empty cells of all live sets of `player` that miss at most `missing` cells.
    pub fn reach(&self, player: Player, missing: usize) -> CellSet<N> {
        let mut reach = CellSet::EMPTY;
        for m in 1..=missing.min(self.arena.longest) {
            if self.live_count(player, m) > 0 {
                for set in self.live_sets(player, m) {
                    reach |= self.arena.sets[set].cells;
                }
            }
        }
        reach & self.empty()
    }

    /// The player to move puts a stone on an empty cell.
    #[inline]
    pub fn play(&mut self, cell: Cell, player: Player) {
        self.place(cell, player);
        self.played += 1;
    }

    /// Takes back what [`Position::play`] did last.
    #[inline]
    pub fn undo(&mut self, cell: Cell, player: Player) {
        self.played -= 1;
        self.lift(cell, player);
    }

    /// A turn goes by without a stone: for null moves.
    #[inline]
    pub fn pass(&mut self) {
        self.played += 1;
    }

    /// Takes a pass back.
    #[inline]
    pub fn undo_pass(&mut self) {
        self.played -= 1;
    }

    fn place(&mut self, cell: Cell, player: Player) {
        debug_assert!(self.empty().contains(cell));
        let arena = self.arena;
        let (me, you) = (player as usize, 1 - player as usize);
        self.stones[me].insert(cell);
        self.key ^= arena.keys[cell.index()][me];
        for &number in arena.through(cell) {
            let number = number as usize;
            let set = &arena.sets[number];
            let inside = &mut self.inside[number];
            inside[me] += 1;
            if set.owned[me] && inside[you] == 0 {
                let missing = usize::from(set.size - inside[me]);
                self.sides[me].remove(number, missing + 1);
                self.sides[me].insert(number, missing);
                if missing == 1 {
                    if let Some(last) = (set.cells - self.stones[me]).first() {
                        self.sides[me].finish_at(last);
                    }
                } else if missing == 0 {
                    self.winner = Some(player);
                    self.sides[me].finishing[cell.index()] -= 1;
                }
            }
            // My first stone in it: the set is dead for the opponent. If it missed one cell, that was this one.
            if inside[me] == 1 && set.owned[you] {
                let missing = usize::from(set.size - inside[you]);
                self.sides[you].remove(number, missing);
                if missing == 1 {
                    self.sides[you].finishing[cell.index()] -= 1;
                }
            }
        }
        self.sides[0].completions.remove(cell);
        self.sides[1].completions.remove(cell);
    }

    fn lift(&mut self, cell: Cell, player: Player) {
        let arena = self.arena;
        let (me, you) = (player as usize, 1 - player as usize);
        for &number in arena.through(cell) {
            let number = number as usize;
            let set = &arena.sets[number];
            let inside = &mut self.inside[number];
            if set.owned[me] && inside[you] == 0 {
                let missing = usize::from(set.size - inside[me]);
                self.sides[me].remove(number, missing);
                self.sides[me].insert(number, missing + 1);
                if missing == 1 {
                    if let Some(last) = (set.cells - self.stones[me]).first() {
                        let left = &mut self.sides[me].finishing[last.index()];
                        *left -= 1;
                        if *left == 0 {
                            self.sides[me].completions.remove(last);
                        }
                    }
                } else if missing == 0 {
                    self.sides[me].finishing[cell.index()] += 1;
                }
            }
            if inside[me] == 1 && set.owned[you] {
                let missing = usize::from(set.size - inside[you]);
                self.sides[you].insert(number, missing);
                if missing == 1 {
                    self.sides[you].finishing[cell.index()] += 1;
                }
            }
            inside[me] -= 1;
        }
        self.winner = None;
        self.stones[me].remove(cell);
        self.key ^= arena.keys[cell.index()][me];
        for side in &mut self.sides {
            if side.finishing[cell.index()] > 0 {
                side.completions.insert(cell);
            }
        }
    }
}

/// Equal in everything that play changes: for tests of make and unmake.
impl<const N: usize> PartialEq for Position<'_, N> {
    fn eq(&self, other: &Self) -> bool {
        self.stones == other.stones
            && self.played == other.played
            && self.key == other.key
            && self.inside == other.inside
            && self.sides == other.sides
            && self.winner == other.winner
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Sets;
    use harary_certificate::{Board, Rule, Shape, Topology, WideSet};
    use proptest::prelude::*;

    /// Files of other people hold as many sets as they like.
    #[test]
    fn sets_beyond_the_65536th_count() {
        let halves = (0..1u32 << 20).filter(|bits| bits.count_ones() == 10).take(70_000);
        let set = |bits: u32| (0..20).map(Cell::new).filter(|cell| bits >> cell.index() & 1 == 1).collect();
        let black: Vec<WideSet> = halves.map(set).collect();
        let last = *black.iter().max().unwrap();
        let game = Game::of_sets(Sets {
            names: (0..20).map(|vertex| vertex.to_string()).collect(),
            black,
            white: Vec::new(),
            rule: Rule::Weak,
            schedule: Schedule::handicap(9, 20),
            black_start: WideSet::EMPTY,
            white_start: WideSet::EMPTY,
            first: None,
        })
        .unwrap();
        let arena = Arena::<1>::new(&game);
        let mut position = Position::new(&arena);
        last.iter().for_each(|cell| position.play(cell, Player::Black));
        assert_eq!(position.winner(), Some(Player::Black));
    }

    /// What the counters must say, from the stones and the definition alone.
    fn check_by_definition<const N: usize>(game: &Game, position: &Position<'_, N>) {
        let stones = [position.black().resized(), position.white().resized()];
        for (player, sets) in [(Player::Black, game.black_sets()), (Player::White, game.white_sets())] {
            let (mine, theirs) = (stones[player as usize], stones[1 - player as usize]);
            let live: Vec<_> = sets.iter().copied().filter(|set| set.is_disjoint(&theirs)).collect();
            for missing in 0..=position.arena().longest() {
                let expected = live.iter().filter(|&&set| (set - mine).len() == missing).count();
                assert_eq!(position.live_count(player, missing) as usize, expected);
                let mut listed: Vec<_> =
                    position.live_sets(player, missing).map(|s| position.arena().set(s).resized()).collect();
                listed.sort();
                let mut expected: Vec<_> = live.iter().filter(|&&set| (set - mine).len() == missing).copied().collect();
                expected.sort();
                assert_eq!(listed, expected);
            }
            let last_cells: WideSet =
                live.iter().map(|set| *set - mine).filter(|left| left.len() == 1).flatten().collect();
            assert_eq!(position.completions(player).resized(), last_cells);
            assert_eq!(position.distance(player), live.iter().map(|set| (*set - mine).len()).min());
        }
    }

    /// Plays `choices` at random until somebody wins, comparing make with a fresh build and unmake with what was.
    fn play_through<const N: usize>(game: &Game, choices: &[usize]) {
        let arena = Arena::<N>::new(game);
        let mut position = Position::new(&arena);
        let mut before = Vec::new();
        for choice in choices {
            let cells: Vec<Cell> = position.allowed().iter().collect();
            let (Some(player), None, false) = (position.to_move(), position.winner(), cells.is_empty()) else { break };
            let cell = cells[choice % cells.len()];
            before.push((position.clone(), cell, player));
            position.play(cell, player);
            check_by_definition(game, &position);
            let fresh = Position::with_stones(&arena, position.stones());
            assert!(fresh == position, "make differs from a fresh build");
        }
        for (earlier, cell, player) in before.into_iter().rev() {
            position.undo(cell, player);
            assert!(position == earlier, "unmake differs from what was");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]
        #[test]
        fn make_and_unmake_equal_a_fresh_build(
            shape in prop::collection::btree_set((0..4i32, 0..3i32), 1..6),
            width in 1..7usize, height in 1..6usize, torus: bool, weak: bool,
            stones in (1..3usize, 1..4usize),
            choices in prop::collection::vec(0..1000usize, 0..20),
        ) {
            let shape = Shape::new(&shape.into_iter().collect::<Vec<_>>()).unwrap();
            let board = Board::new(width, height, if torus { Topology::Torus } else { Topology::Plain }).unwrap();
            let rule = if weak { Rule::Weak } else { Rule::Strong };
            let game = Game::new(shape, board, rule).with_stones(stones.0, stones.1).unwrap();
            play_through::<1>(&game, &choices);
        }

        #[test]
        fn sets_of_two_owners_keep_apart(
            black in prop::collection::vec(prop::collection::btree_set(0..9usize, 1..5), 0..6),
            white in prop::collection::vec(prop::collection::btree_set(0..9usize, 1..5), 0..6),
            choices in prop::collection::vec(0..1000usize, 0..9),
        ) {
            let sets = |lists: Vec<std::collections::BTreeSet<usize>>| {
                lists.into_iter().map(|list| list.into_iter().map(Cell::new).collect()).collect()
            };
            let game = Game::of_sets(Sets {
                names: (0..9).map(|i| format!("v{i}")).collect(),
                black: sets(black),
                white: sets(white),
                rule: Rule::Strong,
                schedule: Schedule::alternating(9),
                black_start: Default::default(),
                white_start: Default::default(),
                first: None,
            }).unwrap();
            play_through::<2>(&game, &choices);
        }
    }
}
