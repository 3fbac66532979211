//! The rules of one game: its winning sets and symmetries, enumerated from scratch, and what can be read off the stones.
//!
//! Nothing here comes from the searches; tests/enumerations.rs holds both enumerations against each other. The game is
//! that of docs/game.md; why positions may be stored up to symmetry is lemma 12 there, what "in time" means lemma 3.

use crate::board::Board;
use crate::cell::Cell;
use crate::cell_set::{CellSet, WideSet};
use crate::model::{Claim, Permutation, Position, Proof, Refused, Setting, Symmetry};
use crate::player::{Player, Rule};
use crate::shape::Shape;
use crate::turn::Schedule;
use ahash::AHashSet;
use std::collections::BTreeSet;

/// The generators of a certificate may make a group of this many elements.
pub(crate) const LARGEST_GROUP: usize = 1 << 16;

/// The image of (x, y) under one of the eight rotations and reflections of the plane.
pub(crate) fn turned(turn: usize, (x, y): (i32, i32)) -> (i32, i32) {
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
            let points = image.iter().map(|&(x, y)| (left + x - image[0].0, low + y - image[0].1));
            let set: WideSet = points.filter_map(|point| board.cell_at(point)).collect();
            // Fewer cells: it leaves the board, or covers a cell of the torus twice.
            if set.len() == shape.size() {
                sets.insert(set);
            }
        }
    }
    sets.into_iter().collect()
}

/// The symmetries of a board: 8 of a square, 4 of a rectangle, on a torus each with all translations.
pub fn board_symmetries(board: &Board) -> Vec<Permutation> {
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
            found.insert(board.cells().map(image).collect::<Permutation>());
        }
    }
    found.into_iter().collect()
}

/// Everything these permutations generate, in order; none if that is more than `most`.
pub fn generated(generators: &[Permutation], vertices: usize, most: usize) -> Option<Vec<Permutation>> {
    let identity: Permutation = (0..vertices).map(Cell::new).collect();
    let mut known = AHashSet::from([identity.clone()]);
    let mut group = vec![identity];
    let mut next = 0;
    while next < group.len() {
        for generator in generators {
            let product: Permutation = group[next].iter().map(|cell| generator[cell.index()]).collect();
            if known.insert(product.clone()) {
                group.push(product);
            }
        }
        if group.len() > most {
            return None;
        }
        next += 1;
    }
    group.sort_unstable();
    Some(group)
}

pub(crate) fn image<const N: usize>(symmetry: &Permutation, set: CellSet<N>) -> CellSet<N> {
    set.iter().map(|cell| symmetry[cell.index()]).collect()
}

pub(crate) fn keeps<const N: usize>(symmetry: &Permutation, set: CellSet<N>) -> bool {
    set.iter().all(|cell| set.contains(symmetry[cell.index()]))
}

/// The game of a certificate, on sets of `N` words.
pub(crate) struct Rules<const N: usize> {
    pub(crate) vertices: usize,
    pub(crate) turns: Schedule,
    pub(crate) claim: Claim,
    pub(crate) black_sets: Vec<CellSet<N>>,
    /// White's sets, none under the weak rule: the part inside the cover, the number of cells outside.
    pub(crate) white_sets: Vec<(CellSet<N>, usize)>,
    /// The cells players choose from: the cover, or all.
    pub(crate) arena: CellSet<N>,
    pub(crate) first: CellSet<N>,
    pub(crate) start: Position<N>,
    /// Those that positions are stored up to.
    pub(crate) stored: Vec<Permutation>,
    /// Those whose orbits a node need not tell apart.
    pub(crate) orbits: Vec<Permutation>,
}

impl<const N: usize> Rules<N> {
    /// The rules of a certificate's game. What its generators say of the game is checked here.
    pub(crate) fn of(proof: &Proof<N>) -> Result<Rules<N>, Refused> {
        let header = &proof.header;
        let all = CellSet::first_cells(header.vertices);
        let arena = header.cover.map_or(all, |cover| cover.resized());
        let (black_sets, white_sets, mut orbits) = match &header.setting {
            Setting::Board { shape, board } => {
                let sets = winning_sets(shape, board);
                (sets.clone(), sets, board_symmetries(board))
            }
            Setting::Sets { black, white } => (black.clone(), white.clone(), Vec::new()),
        };
        let white_sets = if header.rule == Rule::Strong { white_sets } else { Vec::new() };
        let stored = match &header.symmetry {
            Symmetry::None => Vec::new(),
            Symmetry::Board => orbits.iter().filter(|symmetry| keeps(symmetry, arena)).cloned().collect(),
            Symmetry::Generators(generators) => {
                for (generator, line) in generators.iter().zip(&proof.generator_lines) {
                    for (player, sets) in [(Player::Black, &black_sets), (Player::White, &white_sets)] {
                        let known: AHashSet<&WideSet> = sets.iter().collect();
                        if let Some(set) = sets.iter().find(|set| !known.contains(&image(generator, **set))) {
                            let reason = format!("{player}'s winning set {set} goes to a set that is none of theirs");
                            return Err(Refused::at(*line, reason));
                        }
                        if !keeps(generator, header.start.of(player)) {
                            return Err(Refused::at(*line, format!("{player}'s stones at the start are moved")));
                        }
                    }
                }
                orbits = generated(generators, header.vertices, LARGEST_GROUP).ok_or_else(|| {
                    let line = proof.generator_lines.last().copied();
                    Refused { line, reason: format!("more than {LARGEST_GROUP} symmetries"), drawing: None }
                })?;
                orbits.clone()
            }
        };
        Ok(Rules {
            vertices: header.vertices,
            turns: header.turns.clone(),
            claim: header.claim,
            black_sets: black_sets.iter().map(WideSet::resized).collect(),
            white_sets: (white_sets.iter().map(WideSet::resized))
                .map(|set: CellSet<N>| (set & arena, (set - arena).len()))
                .collect(),
            arena,
            first: header.first.map_or(all, |first| first.resized()),
            start: Position { stones: header.start.resized(), elsewhere: 0 },
            stored,
            orbits,
        })
    }

    /// How many turns were played up to a position.
    pub(crate) fn played(&self, at: &Position<N>) -> usize {
        at.stones.len() + usize::from(at.elsewhere) - self.start.stones.len()
    }

    /// Whose turn it is; none when the game is over.
    pub(crate) fn mover(&self, played: usize) -> Option<Player> {
        self.turns.player_after(played)
    }

    /// Black's moves from the next turn up to the last that counts: K, or the end of the game.
    pub(crate) fn moves_left(&self, played: usize) -> usize {
        self.turns.black_moves(played, self.claim.last().unwrap_or(self.turns.len()))
    }

    /// The cells a player may choose from; turn 1 may be restricted.
    pub(crate) fn choices(&self, at: &Position<N>, played: usize) -> CellSet<N> {
        let empty = self.arena - at.stones.occupied();
        if played == 0 { empty & self.first } else { empty }
    }

    /// Whether White has places outside the cover.
    pub(crate) fn has_room(&self, at: &Position<N>) -> bool {
        usize::from(at.elsewhere) < self.vertices - self.arena.len()
    }

    /// The image of a position that certificates store.
    pub(crate) fn canonical(&self, at: Position<N>) -> Position<N> {
        let mut least = at;
        for symmetry in &self.stored {
            let black = image(symmetry, at.stones.black);
            if black <= least.stones.black {
                let mut form = at;
                (form.stones.black, form.stones.white) = (black, image(symmetry, at.stones.white));
                least = least.min(form);
            }
        }
        least
    }

    /// The cells at which a player would complete a winning set; White only where there is no cover.
    pub(crate) fn completions(&self, at: &Position<N>, player: Player) -> CellSet<N> {
        let (own, theirs) = (at.stones.of(player), at.stones.of(player.other()));
        let mut cells = CellSet::EMPTY;
        let mut take = |set: CellSet<N>| {
            if (set - own).len() == 1 {
                cells |= set - own;
            }
        };
        match player {
            Player::Black => self.black_sets.iter().for_each(|&set| take(set)),
            Player::White => self.white_sets.iter().for_each(|&(set, _)| take(set)),
        }
        cells & (self.arena - theirs)
    }

    /// Whether White's stones may complete one of her sets: those elsewhere may lie wherever it suits her.
    pub(crate) fn white_completed(&self, at: &Position<N>) -> bool {
        let mut sets = self.white_sets.iter();
        sets.any(|(inside, outside)| *outside <= at.elsewhere.into() && inside.is_subset(&at.stones.white))
    }

    /// Whether White's next stone may complete one of her sets.
    pub(crate) fn white_completes(&self, at: &Position<N>, choices: CellSet<N>) -> bool {
        let room = self.has_room(at);
        self.white_sets.iter().any(|&(inside, outside)| {
            let (missing, lacking) = (inside - at.stones.white, outside.saturating_sub(at.elsewhere.into()));
            missing.len() + lacking == 1 && (!missing.is_disjoint(&choices) || lacking == 1 && room)
        })
    }

    /// Black's moves that leave him in time to complete a set, if he has `left` moves with this one: a set free of
    /// White that misses fewer cells allows any move, one that misses `left` only a move in it.
    pub(crate) fn moves_in_time(&self, at: &Position<N>, left: usize) -> CellSet<N> {
        let mut moves = CellSet::EMPTY;
        for set in self.black_sets.iter().filter(|set| set.is_disjoint(&at.stones.white)) {
            let missing = *set - at.stones.black;
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
