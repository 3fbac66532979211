//! The search of Connect Four: null windows on the turn of the win, threats as bits, a table of bounds.
//!
//! Scores here are from the mover's side and count his stones: a win with his last stone is 1, with the one before it 2,
//! and so on; a loss likewise below 0. At every node the mover cannot win at once: that was looked at before. So he plays
//! where the other one would win at once, and not below such a cell; the rest is ordered by the threats a move makes,
//! the middle first. A position and its mirror image share an entry of the table.
//!
//! *Following.* Let the number of empty cells be even, so that an even number of columns have an odd number of them. Pair the
//! empty cells of each column from the top down, and the cells that are left, the lowest empty ones of the odd columns, with
//! one another. The other player answers every move in its pair: the upper cell of a pair within a column can be
//! played right after the lower one and not before, and two left-over cells are playable both. So the mover gets, at
//! most, his stones, the lower cells of the pairs and the left-over cells. If these hold no line he does not win: his score
//! is at most 0. (Allis calls it claimeven and baseinverse.)

use super::super::finite::{Finite, Side};
use super::board::{Connect, Grid, turn_of_win, worth_of_win};
use crate::effort::{Halt, Limits};

/// Keeps one bound for a position in a word of 8 bytes: the position in 56 bits, the bound in the others.
struct Table {
    words: Vec<u64>,
}

/// In the table a bound is never 0, which marks an empty word.
const UPPER: i32 = 64;
const LOWER: i32 = 192;

impl Table {
    /// At most so many bytes and so many words.
    fn new(memory: usize, most: usize) -> Table {
        Table { words: vec![0; ((memory / 8).min(most).max(2) - 1) | 1] }
    }

    /// A remainder by an odd number: positions that differ in few stones stay near each other, which the cache likes. A
    /// hash that scatters them doubles the time (7x4: 0.83 for 0.36 seconds of processor time).
    fn place(&self, key: u64) -> usize {
        (key % self.words.len() as u64) as usize
    }

    fn get(&self, key: u64) -> Option<i32> {
        let word = self.words[self.place(key)];
        (word >> 8 == key && word & 0xff != 0).then_some((word & 0xff) as i32)
    }

    fn put(&mut self, key: u64, bound: i32) {
        let place = self.place(key);
        self.words[place] = key << 8 | bound as u64;
    }
}

/// What is found about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// What the first player gains, as in the rules of the game.
    pub value: i32,
    /// A best move; nothing when the game is over.
    pub best: Option<usize>,
}

/// Solves positions of one board; what it has learnt serves the next question.
pub struct Solver<'a> {
    grid: Grid,
    board: u64,
    bottom: u64,
    columns: Vec<u64>,
    directions: [usize; 4],
    /// The lower cells of the pairs from the top of each column down.
    lower: u64,
    table: Table,
    limits: &'a Limits,
    nodes: u64,
}

impl<'a> Solver<'a> {
    /// A solver with a table of so many bytes.
    pub fn new(grid: Grid, memory: usize, limits: &'a Limits) -> Solver<'a> {
        // More entries than positions of the board would be of no use.
        let most = 1usize << (grid.width() * (grid.height() + 1)).min(40);
        Solver {
            grid,
            board: grid.board(),
            bottom: grid.bottom(),
            columns: grid.columns_from_the_middle().into_iter().map(|column| grid.column(column)).collect(),
            directions: grid.directions(),
            lower: (0..grid.height()).filter(|row| row % 2 == grid.height() % 2).map(|row| grid.bottom() << row).sum(),
            table: Table::new(memory, most),
            limits,
            nodes: 0,
        }
    }

    /// Positions looked at so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The value of a position and a best move. `told` hears of every bound that is proved on the way: the first player
    /// gains at least, and at most.
    pub fn solve(&mut self, position: &Connect, told: &mut dyn FnMut(i32, i32)) -> Result<Found, Halt> {
        if let Some(value) = position.value() {
            return Ok(Found { value, best: None });
        }
        let value = self.value(position, told)?;
        for column in position.moves() {
            if self.reaches(&position.after(column), position.mover(), value)? {
                return Ok(Found { value, best: Some(column) });
            }
        }
        // One of the moves has the value of the position.
        Ok(Found { value, best: position.moves().first().copied() })
    }

    /// Every move of a position and what it leads to, from the middle outwards.
    pub fn worths(&mut self, position: &Connect) -> Result<Vec<(usize, i32)>, Halt> {
        let moves = if position.value().is_some() { Vec::new() } else { position.moves() };
        moves.into_iter().map(|column| Ok((column, self.value(&position.after(column), &mut |_, _| {})?))).collect()
    }

    /// What the first player gains.
    pub fn value(&mut self, position: &Connect, told: &mut dyn FnMut(i32, i32)) -> Result<i32, Halt> {
        if let Some(value) = position.value() {
            return Ok(value);
        }
        let (own, all) = position.stones();
        let turn = position.turn();
        if self.wins_at_once(own, all) {
            return Ok(worth_of_win(self.grid, position.mover(), turn + 1));
        }
        let free = (self.grid.cells() - turn) as i32;
        let (mut least, mut most) = (-free / 2, (free + 1) / 2);
        while least < most {
            // First whether anybody wins at all; then from the late turns, where a question is answered soonest, to the early.
            let middle = 0.clamp(least, most - 1);
            let score = self.search(own, all, middle, middle + 1)?;
            if score <= middle {
                most = score;
            } else {
                least = score;
            }
            let ends = [least, most].map(|score| self.worth(position, score));
            told(ends[0].min(ends[1]), ends[0].max(ends[1]));
        }
        Ok(self.worth(position, least))
    }

    /// Whether `side` gets at least what `value` gives him.
    fn reaches(&mut self, position: &Connect, side: Side, value: i32) -> Result<bool, Halt> {
        if let Some(ending) = position.value() {
            return Ok(ending * side.sign() >= value * side.sign());
        }
        let (own, all) = position.stones();
        let mover = position.mover();
        if self.wins_at_once(own, all) {
            return Ok(worth_of_win(self.grid, mover, position.turn() + 1) * side.sign() >= value * side.sign());
        }
        // The mover is the other one: he must not get more than this.
        let most = self.score(value, mover);
        Ok(self.search(own, all, most, most + 1)? <= most)
    }

    /// The score of the mover as a value for the first player.
    fn worth(&self, position: &Connect, score: i32) -> i32 {
        if score == 0 {
            return 0;
        }
        let winner = if score > 0 { position.mover() } else { position.mover().other() };
        let last = self.grid.cells() - usize::from(self.grid.cells() % 2 != winner_parity(winner));
        worth_of_win(self.grid, winner, last - 2 * (score.unsigned_abs() as usize - 1))
    }

    /// A value for the first player as the score of `mover`.
    fn score(&self, value: i32, mover: Side) -> i32 {
        let Some(turn) = turn_of_win(self.grid, value) else { return 0 };
        let stones = (self.grid.cells() - turn) / 2 + 1;
        stones as i32 * value.signum() * mover.sign()
    }

    fn wins_at_once(&self, own: u64, all: u64) -> bool {
        self.winning_cells(own, all) & (all + self.bottom) & self.board != 0
    }

    /// The empty cells with which `own` completes a line.
    fn winning_cells(&self, own: u64, all: u64) -> u64 {
        // The compiler unrolls what it knows the length of.
        match self.grid.connect() {
            4 => self.winning_cells_of(own, all, 3),
            connect => self.winning_cells_of(own, all, connect - 1),
        }
    }

    #[inline(always)]
    fn winning_cells_of(&self, own: u64, all: u64, others: usize) -> u64 {
        let mut winning = 0;
        for step in self.directions {
            // below[k]: k stones in a row end right before the cell; after: they begin right behind it.
            let mut below = [u64::MAX; 10];
            let mut run = u64::MAX;
            for (k, below) in below.iter_mut().enumerate().take(others + 1).skip(1) {
                run &= own << (k * step);
                *below = run;
            }
            let mut after = u64::MAX;
            winning |= below[others];
            for k in 1..=others {
                after &= own >> (k * step);
                winning |= after & below[others - k];
            }
        }
        winning & (self.board ^ all)
    }

    /// The same for a position and its mirror image.
    fn key(&self, own: u64, all: u64) -> u64 {
        // The stones and, above each column, one more: no two positions have the same.
        let key = own + all + self.bottom;
        let (width, stride) = (self.grid.width(), self.grid.height() + 1);
        let column = (1u64 << stride) - 1;
        let mut mirrored = 0;
        let mut rest = key;
        for _ in 0..width {
            mirrored = mirrored << stride | rest & column;
            rest >>= stride;
        }
        key.min(mirrored)
    }

    /// The mover's score where it lies between `alpha` and `beta`, else a bound on its side.
    fn search(&mut self, own: u64, all: u64, mut alpha: i32, mut beta: i32) -> Result<i32, Halt> {
        self.nodes += 1;
        self.limits.tick(self.nodes)?;
        let free = (self.grid.cells() as u32 - all.count_ones()) as i32;
        let threats = self.winning_cells(all ^ own, all);
        let mut possible = (all + self.bottom) & self.board;
        let forced = possible & threats;
        if forced != 0 {
            if forced & (forced - 1) != 0 {
                return Ok(-(free / 2));
            }
            possible = forced;
        }
        // Not below a cell where the other one would win.
        possible &= !(threats >> 1);
        if possible == 0 {
            return Ok(-(free / 2));
        }
        if free <= 2 {
            return Ok(0);
        }
        let least = -((free - 2) / 2);
        if alpha < least {
            alpha = least;
            if alpha >= beta {
                return Ok(alpha);
            }
        }
        let most = (free - 1) / 2;
        if beta > most {
            beta = most;
            if alpha >= beta {
                return Ok(beta);
            }
        }
        // Following, as above. (What is playable holds the left-over cells.)
        if free % 2 == 0 && beta > 0 {
            let reach = own | (self.board ^ all) & self.lower | (all + self.bottom) & self.board;
            if !self.grid.has_line(reach) {
                beta = 0;
                if alpha >= beta {
                    return Ok(beta);
                }
            }
        }
        let key = self.key(own, all);
        if let Some(bound) = self.table.get(key) {
            if bound >= LOWER - 63 {
                let least = bound - LOWER;
                if alpha < least {
                    alpha = least;
                    if alpha >= beta {
                        return Ok(alpha);
                    }
                }
            } else {
                let most = bound - UPPER;
                if beta > most {
                    beta = most;
                    if alpha >= beta {
                        return Ok(beta);
                    }
                }
            }
        }
        // At most one move a column; sorted by insertion, the middle first among equals.
        let mut moves = [(0u64, 0u32); 28];
        let mut count = 0;
        for &column in &self.columns {
            let step = possible & column;
            if step == 0 {
                continue;
            }
            let worth = self.winning_cells(own | step, all | step).count_ones();
            let mut place = count;
            while place > 0 && moves[place - 1].1 < worth {
                moves[place] = moves[place - 1];
                place -= 1;
            }
            moves[place] = (step, worth);
            count += 1;
        }
        for &(step, _) in &moves[..count] {
            let score = -self.search(all ^ own, all | step, -beta, -alpha)?;
            if score >= beta {
                self.table.put(key, score + LOWER);
                return Ok(score);
            }
            alpha = alpha.max(score);
        }
        self.table.put(key, alpha + UPPER);
        Ok(alpha)
    }
}

/// The parity of the turns at which a side moves.
fn winner_parity(side: Side) -> usize {
    match side {
        Side::First => 1,
        Side::Second => 0,
    }
}
