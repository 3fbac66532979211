//! The avoidance game of a shape: whoever completes it loses (Harary's avoidance games; "misère").
//!
//! Alpha-beta over exact values with a table of bounds, positions up to symmetry (lemma 12 of docs/game.md, which speaks of
//! who completes what and not of who likes it). None of the rules for achievement carries over: an extra stone may hurt
//! here. What does hold is lemma 32: who has no live set never loses, and nobody completes before his time.

use crate::effort::memory::entries_of_map;
use crate::effort::{Halt, Limits};
use crate::game::placements;
use crate::game::symmetry::SymmetryGroup;
use ahash::AHashMap;
use harary_certificate::avoidance::{Ending, to_move};
use harary_certificate::{Board, Cell, CellSet, Player, Shape, Stones};

/// Bounds of a value, as the player to move sees it.
#[derive(Clone, Copy)]
struct Bounds {
    low: i8,
    high: i8,
}

/// The search of one game. A value is what the player to move makes of it: 0 for a draw, positive if the other one
/// completes the shape, the more the earlier, negative if he does.
pub struct Avoider<'a> {
    board: Board,
    sets: Vec<CellSet<1>>,
    /// The sets through each cell.
    through: Vec<Vec<CellSet<1>>>,
    group: SymmetryGroup,
    table: AHashMap<Stones<1>, Bounds>,
    most_entries: usize,
    limits: &'a Limits,
    nodes: u64,
}

impl<'a> Avoider<'a> {
    /// For a shape on a board of at most 64 cells, with so many bytes for the table.
    pub fn new(shape: &Shape, board: Board, memory: usize, limits: &'a Limits) -> Avoider<'a> {
        let sets: Vec<CellSet<1>> = placements(shape, &board).iter().map(|set| set.resized()).collect();
        let through = board.cells().map(|cell| sets.iter().filter(|set| set.contains(cell)).copied().collect());
        Avoider {
            board,
            through: through.collect(),
            sets,
            group: SymmetryGroup::of(&board),
            table: AHashMap::new(),
            most_entries: entries_of_map::<Stones<1>, Bounds>(memory),
            limits,
            nodes: 0,
        }
    }

    /// Nodes searched so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// How the game ends.
    pub fn ending(&mut self) -> Result<Ending, Halt> {
        let worst = self.worth(0);
        let value = self.search(Stones::NONE, -worst, worst)?;
        let turn = usize::from(self.worth(0).unsigned_abs()) - usize::from(value.unsigned_abs());
        Ok(match value.signum() {
            1 => Ending::Win(turn),
            -1 => Ending::Loss(turn),
            _ => Ending::Draw,
        })
    }

    /// The moves of `player` that prove it: in each position that can arise, up to symmetry.
    pub fn strategy(&mut self, ending: Ending) -> Result<Vec<(Stones<1>, Cell)>, Halt> {
        match ending {
            Ending::Win(turn) => self.moves(Player::Black, Some(turn)),
            Ending::Loss(turn) => self.moves(Player::White, Some(turn)),
            Ending::Draw => {
                let mut moves = self.moves(Player::Black, None)?;
                moves.extend(self.moves(Player::White, None)?);
                Ok(moves)
            }
        }
    }

    /// What it is worth that the other one completes the shape at this turn.
    fn worth(&self, turn: usize) -> i8 {
        (self.board.size() + 1 - turn) as i8
    }

    fn completes(&self, own: CellSet<1>, cell: Cell) -> bool {
        let own = own.with(cell);
        self.through[cell.index()].iter().any(|set| set.is_subset(&own))
    }

    fn has_live_set(&self, other: CellSet<1>) -> bool {
        self.sets.iter().any(|set| set.is_disjoint(&other))
    }

    /// The empty cells the player to move can take without losing, those through fewest of his live sets first.
    fn safe_moves(&self, own: CellSet<1>, other: CellSet<1>) -> Vec<Cell> {
        let empty = CellSet::first_cells(self.board.size()) - own - other;
        let mut moves: Vec<(usize, Cell)> = empty
            .iter()
            .filter(|&cell| !self.completes(own, cell))
            .map(|cell| (self.through[cell.index()].iter().filter(|set| set.is_disjoint(&other)).count(), cell))
            .collect();
        moves.sort_unstable();
        moves.into_iter().map(|(_, cell)| cell).collect()
    }

    fn search(&mut self, stones: Stones<1>, alpha: i8, beta: i8) -> Result<i8, Halt> {
        let played = stones.len();
        if played == self.board.size() {
            return Ok(0);
        }
        let player = to_move(played);
        let (own, other) = (stones.of(player), stones.of(player.other()));
        // Nobody completes a set before his next turn; who has no live set never does.
        let mut low = if self.has_live_set(other) { -self.worth(played + 1) } else { 0 };
        let mut high = if self.has_live_set(own) { self.worth(played + 2) } else { 0 };
        if low >= beta || low == high {
            return Ok(low);
        }
        if high <= alpha {
            return Ok(high);
        }
        self.nodes += 1;
        self.limits.tick(self.nodes)?;
        let key = self.group.canonical(&stones).0;
        if let Some(known) = self.table.get(&key) {
            (low, high) = (low.max(known.low), high.min(known.high));
            if low >= beta || low == high {
                return Ok(low);
            }
            if high <= alpha {
                return Ok(high);
            }
        }
        let (mut alpha, beta) = (alpha.max(low), beta.min(high));
        let floor = alpha;
        // Completing the shape is always possible and worth least.
        let mut best = -self.worth(played + 1);
        for cell in self.safe_moves(own, other) {
            let value = -self.search(stones.with(player, cell), -beta, -alpha)?;
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        let bounds = Bounds { low: if best > floor { best } else { low }, high: if best < beta { best } else { high } };
        if self.table.len() < self.most_entries || self.table.contains_key(&key) {
            self.table.insert(key, bounds);
        }
        Ok(best)
    }

    /// One move of `player` in every position that can arise when he plays by them: he never completes the shape, and with
    /// a turn the other one does by then.
    fn moves(&mut self, player: Player, by: Option<usize>) -> Result<Vec<(Stones<1>, Cell)>, Halt> {
        let wanted = by.map_or(0, |turn| self.worth(turn));
        let mut seen = ahash::AHashSet::new();
        let mut waiting = vec![Stones::NONE];
        let mut moves = Vec::new();
        while let Some(stones) = waiting.pop() {
            self.limits.check_now()?;
            let over =
                stones.len() == self.board.size() || by.is_none() && !self.has_live_set(stones.of(player.other()));
            if over || !seen.insert(stones) {
                continue;
            }
            let mover = to_move(stones.len());
            let (own, other) = (stones.of(mover), stones.of(mover.other()));
            for cell in self.safe_moves(own, other) {
                let after = self.group.canonical(&stones.with(mover, cell)).0;
                if mover == player {
                    if -self.search(after, -wanted, 1 - wanted)? < wanted {
                        continue;
                    }
                    moves.push((stones, cell));
                    waiting.push(after);
                    break;
                }
                waiting.push(after);
            }
        }
        Ok(moves)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::polyomino::free_polyominoes;
    use harary_certificate::{Topology, avoidance};

    /// The rules and nothing else: what the player to move makes of a position, as [`Avoider`] counts.
    fn plain(sets: &[CellSet<1>], cells: usize, stones: Stones<1>, known: &mut AHashMap<Stones<1>, i32>) -> i32 {
        let turn = stones.len() + 1;
        if turn > cells {
            return 0;
        }
        if let Some(&value) = known.get(&stones) {
            return value;
        }
        let player = to_move(stones.len());
        let mut best = i32::MIN;
        for cell in CellSet::first_cells(cells) - stones.occupied() {
            let after = stones.with(player, cell);
            let value = match sets.iter().any(|set| set.is_subset(&after.of(player))) {
                true => -((cells + 1 - turn) as i32),
                false => -plain(sets, cells, after, known),
            };
            best = best.max(value);
        }
        known.insert(stones, best);
        best
    }

    #[test]
    fn small_boards_are_what_the_rules_say() {
        let mut endings = [0; 3];
        for (width, height) in [(1, 1), (2, 1), (2, 2), (3, 2), (3, 3), (5, 2)] {
            for topology in [Topology::Plain, Topology::Torus] {
                for shape in (1..=5).flat_map(free_polyominoes) {
                    let board = Board::new(width, height, topology).unwrap();
                    let sets: Vec<_> = placements(&shape, &board).iter().map(|set| set.resized()).collect();
                    let value = plain(&sets, board.size(), Stones::NONE, &mut AHashMap::new());
                    let turn = board.size() + 1 - value.unsigned_abs() as usize;
                    let expected = match value.signum() {
                        1 => Ending::Win(turn),
                        -1 => Ending::Loss(turn),
                        _ => Ending::Draw,
                    };
                    let limits = Limits::none();
                    let mut avoider = Avoider::new(&shape, board, 1 << 20, &limits);
                    assert_eq!(avoider.ending().unwrap(), expected, "{shape} {board}");
                    let text = avoidance::write(&shape, &board, expected, &avoider.strategy(expected).unwrap());
                    assert_eq!(avoidance::check(&text).unwrap().ending(), expected, "{text}");
                    endings[(1 - value.signum()) as usize] += 1;
                }
            }
        }
        // Black wins none of these.
        assert!(endings[0] == 0 && endings[1] > 0 && endings[2] > 0, "{endings:?}");
    }
}
