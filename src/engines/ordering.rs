//! Which move first: threat counts and history, with buffers that are used again.

use crate::effort::tuning::shared::{HISTORY, PICKED};
use crate::game::position::Position;
use harary_certificate::{
    Cell, CellSet,
    Player::{self, Black},
};

/// Weights of moves, and which moves decided something lately.
pub struct Ordering {
    weights: Vec<u32>,
    /// Black's and White's.
    history: [Vec<u32>; 2],
    spare: Vec<Vec<(u32, Cell)>>,
}

/// Moves with their scores; to be given back with [`Ordering::recycle`].
pub type Moves = Vec<(u32, Cell)>;

impl Ordering {
    /// For a board of so many cells, with nothing learnt yet.
    pub fn new(cells: usize) -> Ordering {
        Ordering { weights: vec![0; cells], history: [vec![0; cells], vec![0; cells]], spare: Vec::new() }
    }

    /// A move decided a node with `left` moves to come.
    pub fn credit(&mut self, player: Player, cell: Cell, left: usize) {
        let history = &mut self.history[player as usize];
        history[cell.index()] += (left * left) as u32;
        if history[cell.index()] > 1 << 24 {
            history.iter_mut().for_each(|credit| *credit /= 2);
        }
    }

    /// For each cell, the weight of Black's live sets through it that he can still complete with `left` moves: four
    /// times as much for each stone they have. Where Black's chances run together is where both want to play.
    pub fn weigh<const N: usize>(&mut self, position: &Position<'_, N>, left: usize) {
        let longest = position.arena().longest();
        self.weights.fill(0);
        for missing in 1..=left.min(longest) {
            if position.live_count(Black, missing) > 0 {
                let weight = 1 << (2 * (longest - missing)).min(20);
                for set in position.live_sets(Black, missing) {
                    for cell in position.missing_cells(set) {
                        self.weights[cell.index()] = self.weights[cell.index()].saturating_add(weight);
                    }
                }
            }
        }
    }

    fn score(&self, player: Player, cell: Cell) -> u32 {
        (self.weights[cell.index()].min(1 << 26)) * 16
            + (self.history[player as usize][cell.index()] / 1024).min(HISTORY)
    }

    /// All of `candidates` with their scores by what was weighed last, the move `first` before all others. They are in
    /// no order yet: [`pick`] takes them one by one.
    pub fn scored<const N: usize>(&mut self, player: Player, candidates: CellSet<N>, first: Option<Cell>) -> Moves {
        let mut moves = self.spare.pop().unwrap_or_default();
        moves.extend(candidates.iter().map(|cell| {
            let score = if first == Some(cell) { u32::MAX } else { self.score(player, cell) };
            (score, cell)
        }));
        moves
    }

    /// Takes a list back, to be used again.
    pub fn recycle(&mut self, mut moves: Moves) {
        moves.clear();
        self.spare.push(moves);
    }
}

/// The move at `place` when the moves are sorted by falling score, all earlier ones having been picked already.
#[inline]
pub fn pick(moves: &mut [(u32, Cell)], place: usize) -> Cell {
    let order = |(score, cell): &(u32, Cell)| (std::cmp::Reverse(*score), *cell);
    if place < PICKED {
        let best = (place..moves.len()).min_by_key(|&i| order(&moves[i])).unwrap_or(place);
        moves.swap(place, best);
    } else if place == PICKED {
        moves[place..].sort_unstable_by_key(order);
    }
    moves[place].1
}
