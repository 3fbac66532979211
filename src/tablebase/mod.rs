//! Position tablebases: the value of every legal position of a small board, found by working backwards.
//!
//! From the full board to the empty one: a position is worth what the best of its moves leads to, and the moves lead
//! to positions with one stone more, which are known by then. No search, no pruning, no table that forgets: this is
//! what the engines are compared with, so it shares nothing with them but the words (cells, shapes, boards,
//! symmetries, games). The positions are kept up to symmetry, a byte each (`numbering`), in files that notice damage
//! (`file`).

mod file;
mod numbering;
pub mod words;

pub use file::FileError;

use crate::game::Game;
use harary_certificate::{Board, Cell, CellSet, Player, Rule, Shape, Stones, WideSet};
use numbering::{Bits, Numbering, Representative, bits_of, colours, combinations, spread};
use rayon::prelude::*;
use thiserror::Error;

/// The largest board of a tablebase: a player's stones are 16 bits.
pub const MOST_CELLS: usize = 16;

/// How a position ends when both play their best: he who wins as early as he can, he who loses as late.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// Black completes a set at this turn; in the avoidance game White does.
    BlackWins(usize),
    /// Nobody completes a set: a draw in the strong game, White's success in the weak one.
    Held,
    /// White completes a set at this turn; in the avoidance game Black does.
    WhiteWins(usize),
}

/// A value as the side to move sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The player wins.
    Win,
    /// Nobody wins.
    Draw,
    /// The other one wins.
    Loss,
}

/// The score of a win at turn 0; every turn costs one.
const FIRST: usize = MOST_CELLS + 1;

/// The byte of a slot that holds no legal position.
const IMPOSSIBLE: i8 = i8::MIN;

impl Value {
    /// What Black maximises and White minimises.
    pub fn score(self) -> i8 {
        match self {
            Value::BlackWins(turn) => (FIRST - turn) as i8,
            Value::Held => 0,
            Value::WhiteWins(turn) => -((FIRST - turn) as i8),
        }
    }

    /// The value with this score; `None` if no value has it.
    fn from_score(score: i8) -> Option<Value> {
        let turn = FIRST.checked_sub(usize::from(score.unsigned_abs())).filter(|&turn| turn > 0)?;
        Some(match score.signum() {
            1 => Value::BlackWins(turn),
            -1 => Value::WhiteWins(turn),
            _ => Value::Held,
        })
    }

    /// The turn at which a set is completed.
    pub fn turn(self) -> Option<usize> {
        match self {
            Value::BlackWins(turn) | Value::WhiteWins(turn) => Some(turn),
            Value::Held => None,
        }
    }

    /// What it means for `player`. In the weak game there are no draws: White wins by holding.
    pub fn verdict(self, player: Player, rule: Rule) -> Verdict {
        let winner = match (self, rule) {
            (Value::BlackWins(_), _) => Player::Black,
            (Value::WhiteWins(_), _) | (Value::Held, Rule::Weak) => Player::White,
            (Value::Held, Rule::Strong) => return Verdict::Draw,
        };
        if winner == player { Verdict::Win } else { Verdict::Loss }
    }
}

/// `Black wins at turn 5`, `nobody completes a set`.
impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::BlackWins(turn) => write!(f, "Black wins at turn {turn}"),
            Value::Held => f.write_str("nobody completes a set"),
            Value::WhiteWins(turn) => write!(f, "White wins at turn {turn}"),
        }
    }
}

/// The board is too large for a tablebase.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("a tablebase is for boards of at most {MOST_CELLS} cells, and {0} has {cells}", cells = .0.size())]
pub struct TooLarge(pub Board);

/// Why a position has no value.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum PositionError {
    /// Two stones on one cell.
    #[error("there are two stones on {0}")]
    TwoStones(String),
    /// Stones that are not on the board.
    #[error("a stone lies outside the board")]
    Outside,
    /// Nobody's turn comes after so many stones.
    #[error(
        "Black has {black} stones and White {white}: they play in turn, Black first, so he has as many or one more"
    )]
    Counts {
        /// Black's.
        black: usize,
        /// White's.
        white: usize,
    },
    /// No play leads there.
    #[error("the position cannot arise: a set was completed before the last stone")]
    Impossible,
}

/// A stored value that does not follow from those after it.
#[derive(Debug, Error, PartialEq, Eq)]
/// A position whose value is not what its moves say.
#[error(
    "the value of Black {black}, White {white} is wrong: {} is stored, {} follows from its moves",
    phrase(stored),
    phrase(expected)
)]
pub struct Mismatch {
    /// Black's stones.
    pub black: String,
    /// White's stones.
    pub white: String,
    /// What the file says.
    pub stored: Option<Value>,
    /// What the moves say.
    pub expected: Option<Value>,
}

fn phrase(value: &Option<Value>) -> String {
    value.map_or("'cannot arise'".to_owned(), |value| format!("'{value}'"))
}

/// How many positions a tablebase is about.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub struct Count {
    /// Slots of the table: positions up to symmetry, or nearly so.
    pub slots: u64,
    /// Legal positions, symmetric ones counted each.
    pub positions: u64,
    /// Of these, Black wins.
    pub black_wins: u64,
    /// Of these, nobody completes a set.
    pub held: u64,
    /// Of these, White completes a set.
    pub white_wins: u64,
}

/// The values of all legal positions of a shape on a board, players alternating.
pub struct Tablebase {
    game: Game,
    shape: Shape,
    board: Board,
    /// Whoever completes the shape loses.
    avoids: bool,
    numbering: Numbering,
    /// Scores by number of stones, then by slot.
    layers: Vec<Vec<i8>>,
}

impl Tablebase {
    /// Works out every position, on all threads of rayon's pool.
    pub fn build(shape: &Shape, board: Board, rule: Rule) -> Result<Tablebase, TooLarge> {
        Ok(Tablebase::empty(shape, board, rule)?.worked_out())
    }

    /// The same for the avoidance game: whoever completes the shape loses (docs/game.md, lemma 32).
    pub fn build_avoiding(shape: &Shape, board: Board) -> Result<Tablebase, TooLarge> {
        Ok(Tablebase::empty(shape, board, Rule::Strong)?.avoiding().worked_out())
    }

    fn avoiding(self) -> Tablebase {
        Tablebase { avoids: true, ..self }
    }

    fn worked_out(mut self) -> Tablebase {
        let tablebase = &mut self;
        let completed = Completed::of(&tablebase.game);
        let mut layers: Vec<Vec<i8>> = Vec::with_capacity(tablebase.board.size() + 1);
        for stones in (0..=tablebase.board.size()).rev() {
            let layer = tablebase.layer(&completed, stones, layers.last().map_or(&[], Vec::as_slice));
            layers.push(layer);
        }
        layers.reverse();
        self.layers = layers;
        self
    }

    /// What it is worth that this player completes a set at this turn.
    fn completed_by(&self, player: Player, turn: usize) -> Value {
        match if self.avoids { player.other() } else { player } {
            Player::Black => Value::BlackWins(turn),
            Player::White => Value::WhiteWins(turn),
        }
    }

    /// A tablebase without values.
    fn empty(shape: &Shape, board: Board, rule: Rule) -> Result<Tablebase, TooLarge> {
        if board.size() > MOST_CELLS {
            return Err(TooLarge(board));
        }
        let game = Game::new(shape.clone(), board, rule);
        let numbering = Numbering::new(&game.symmetries(), board.size());
        Ok(Tablebase { game, shape: shape.clone(), board, avoids: false, numbering, layers: Vec::new() })
    }

    /// The scores of all positions with `stones` stones, given those with one more.
    fn layer(&self, completed: &Completed, stones: usize, next: &[i8]) -> Vec<i8> {
        let numbering = &self.numbering;
        let mut layer = vec![0; numbering.slots(stones)];
        let parts = layer.par_chunks_mut(numbering.slots_each(stones));
        parts.zip(numbering.representatives(stones)).for_each(|(scores, representative)| {
            let black = representative.black;
            let free = numbering.all() & !black;
            let sets = combinations(free.count_ones() as usize, colours(stones).1);
            for (score, bits) in scores.iter_mut().zip(sets) {
                let white = spread(bits, free);
                *score = match completed.ending(black, white) {
                    Ending::Impossible => IMPOSSIBLE,
                    Ending::Completed(player) => self.completed_by(player, stones).score(),
                    Ending::Open if stones == numbering.cells() => Value::Held.score(),
                    Ending::Open => {
                        let moves = cells_of(free & !white);
                        match Tablebase::to_move(stones) {
                            Player::Black => moves.map(|cell| next[numbering.slot(black | cell, white)]).max(),
                            Player::White => moves.map(|cell| next[numbering.slot(black, white | cell)]).min(),
                        }
                        .unwrap_or(IMPOSSIBLE)
                    }
                };
            }
        });
        layer
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// What is to be completed.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Where.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Under which rule. The avoidance game has the sets, and the draws, of the strong one.
    pub fn rule(&self) -> Rule {
        self.game.rule()
    }

    /// Whether it is the avoidance game.
    pub fn avoids(&self) -> bool {
        self.avoids
    }

    /// Who plays next in a position with so many stones.
    pub fn to_move(stones: usize) -> Player {
        if stones.is_multiple_of(2) { Player::Black } else { Player::White }
    }

    /// The value of a position. A finished one is worth what it ended with. The stones may be any: what is no position of
    /// the game is an error.
    pub fn value<const N: usize>(&self, stones: &Stones<N>) -> Result<Value, PositionError> {
        let Stones { black, white } = stones;
        if let Some(cell) = (*black & *white).first() {
            return Err(PositionError::TwoStones(self.game.vertex_name(cell)));
        }
        if !stones.occupied().is_subset(&CellSet::first_cells(self.board.size())) {
            return Err(PositionError::Outside);
        }
        let (blacks, whites) = (black.len(), white.len());
        if (blacks, whites) != colours(blacks + whites) {
            return Err(PositionError::Counts { black: blacks, white: whites });
        }
        self.stored(bits_of(black), bits_of(white)).ok_or(PositionError::Impossible)
    }

    /// Whether the game is over: a set is completed or the board is full.
    pub fn is_over<const N: usize>(&self, stones: &Stones<N>) -> bool {
        let completed = |sets: &[WideSet], stones: WideSet| sets.iter().any(|set| set.is_subset(&stones));
        stones.len() == self.board.size()
            || completed(self.game.black_sets(), stones.black.resized())
            || completed(self.game.white_sets(), stones.white.resized())
    }

    /// Every move of a position and what it leads to, in order of the cells; none if the game is over.
    pub fn moves<const N: usize>(&self, stones: &Stones<N>) -> Result<Vec<(Cell, Value)>, PositionError> {
        self.value(stones)?;
        if self.is_over(stones) {
            return Ok(Vec::new());
        }
        let player = Tablebase::to_move(stones.len());
        let empty = CellSet::first_cells(self.board.size()) - stones.occupied();
        empty.iter().map(|cell| Ok((cell, self.value(&stones.with(player, cell))?))).collect()
    }

    /// The value stored for a position with the right number of stones; `None` if it cannot arise.
    #[inline]
    fn stored(&self, black: Bits, white: Bits) -> Option<Value> {
        let stones = (black.count_ones() + white.count_ones()) as usize;
        Value::from_score(self.layers[stones][self.numbering.slot(black, white)])
    }

    /// How many positions there are, and how they end.
    pub fn count(&self) -> Count {
        let mut count = Count::default();
        for (stones, layer) in self.layers.iter().enumerate() {
            count.slots += layer.len() as u64;
            let parts = layer.chunks(self.numbering.slots_each(stones));
            for (scores, representative) in parts.zip(self.numbering.representatives(stones)) {
                let images = u64::from(representative.images);
                for value in scores.iter().filter_map(|&score| Value::from_score(score)) {
                    count.positions += images;
                    match value {
                        Value::BlackWins(_) => count.black_wins += images,
                        Value::Held => count.held += images,
                        Value::WhiteWins(_) => count.white_wins += images,
                    }
                }
            }
        }
        count
    }

    /// Whether each stored value follows from the rules and the values of the positions one move later. Then all are
    /// right, by induction from the full board. Winning sets are looked for one by one here and nothing is taken over
    /// from the building.
    pub fn verify(&self) -> Result<(), Mismatch> {
        let sets = |sets: &[WideSet]| sets.iter().map(bits_of).collect::<Vec<Bits>>();
        let sets = [sets(self.game.black_sets()), sets(self.game.white_sets())];
        for stones in (0..=self.numbering.cells()).rev() {
            let white_stones = colours(stones).1;
            let check = |representative: &Representative| {
                let black = representative.black;
                let free = self.numbering.all() & !black;
                combinations(free.count_ones() as usize, white_stones)
                    .map(|bits| spread(bits, free))
                    .try_for_each(|white| self.verify_position(&sets, black, white))
            };
            self.numbering.representatives(stones).par_iter().try_for_each(check)?;
        }
        Ok(())
    }

    fn verify_position(&self, sets: &[Vec<Bits>; 2], black: Bits, white: Bits) -> Result<(), Mismatch> {
        let stones = [black, white];
        let played = (black.count_ones() + white.count_ones()) as usize;
        let complete = |player: Player, stones: Bits| sets[player as usize].iter().any(|set| set & !stones == 0);
        let open = |stones: [Bits; 2]| !complete(Player::Black, stones[0]) && !complete(Player::White, stones[1]);
        let expected = if open(stones) {
            let player = Tablebase::to_move(played);
            let after = cells_of(self.numbering.all() & !black & !white).map(|cell| match player {
                Player::Black => self.stored(black | cell, white),
                Player::White => self.stored(black, white | cell),
            });
            let scores = after.map(|value| value.map_or(0, Value::score));
            let best = if player == Player::Black { scores.max() } else { scores.min() };
            best.map_or(Some(Value::Held), Value::from_score)
        } else {
            // Somebody has won: by the stone put last, which may be any that leaves an open game when taken away.
            let last = Tablebase::to_move(played + 1);
            let before = |cell: Bits| {
                let mut before = stones;
                before[last as usize] &= !cell;
                before
            };
            let legal = cells_of(stones[last as usize]).any(|cell| open(before(cell)));
            legal.then_some(self.completed_by(last, played))
        };
        let stored = self.stored(black, white);
        if stored == expected {
            return Ok(());
        }
        let names = |stones: Bits| {
            let set = CellSet::<1>::from_words([stones.into()]);
            set.iter().map(|cell| self.game.vertex_name(cell)).collect::<Vec<_>>().join(" ")
        };
        Err(Mismatch { black: names(black), white: names(white), stored, expected })
    }
}

/// The single cells of a set.
fn cells_of(stones: Bits) -> impl Iterator<Item = Bits> {
    std::iter::successors(Some(stones), |left| Some(left & left.wrapping_sub(1)))
        .take_while(|&left| left != 0)
        .map(|left| left & left.wrapping_neg())
}

/// Whether play goes on.
enum Ending {
    Open,
    Completed(Player),
    Impossible,
}

/// For all sets of stones of each player, whether they hold a winning set.
struct Completed([Vec<bool>; 2]);

impl Completed {
    fn of(game: &Game) -> Completed {
        let table = |sets: &[WideSet]| {
            let mut table = vec![false; 1 << game.vertices()];
            for set in sets {
                table[usize::from(bits_of(set))] = true;
            }
            // A set with one more stone holds what the set without it holds.
            for stones in 0..table.len() {
                table[stones] |= cells_of(stones as Bits).any(|cell| table[stones & !usize::from(cell)]);
            }
            table
        };
        Completed([table(game.black_sets()), table(game.white_sets())])
    }

    /// Only the last stone can have completed something: taking it away must leave an open position.
    fn ending(&self, black: Bits, white: Bits) -> Ending {
        let holds = |player: Player, stones: Bits| self.0[player as usize][usize::from(stones)];
        let last = Tablebase::to_move((black.count_ones() + white.count_ones()) as usize + 1);
        let (own, other) = if last == Player::Black { (black, white) } else { (white, black) };
        match (holds(last, own), holds(last.other(), other)) {
            (false, false) => Ending::Open,
            (true, false) if cells_of(own).any(|cell| !holds(last, own & !cell)) => Ending::Completed(last),
            _ => Ending::Impossible,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use harary_certificate::Topology;

    fn tablebase(rows: &str, board: &str, topology: Topology, rule: Rule) -> Tablebase {
        let board = Board::parse(board, topology).unwrap();
        Tablebase::build(&Shape::from_rows(rows).unwrap(), board, rule).unwrap()
    }

    fn start(tablebase: &Tablebase) -> Value {
        tablebase.value(&Stones::<1>::NONE).unwrap()
    }

    #[test]
    fn scores_stand_for_values_in_the_order_of_preference() {
        let mut values: Vec<Value> = (1..=MOST_CELLS).map(Value::BlackWins).collect();
        values.push(Value::Held);
        values.extend((1..=MOST_CELLS).rev().map(Value::WhiteWins));
        assert!(values.is_sorted_by(|a, b| a.score() > b.score()));
        for value in values {
            assert_eq!(Value::from_score(value.score()), Some(value));
        }
        for score in [IMPOSSIBLE, FIRST as i8, -(FIRST as i8), i8::MAX] {
            assert_eq!(Value::from_score(score), None);
        }
    }

    #[test]
    fn games_everybody_knows() {
        use Topology::*;
        assert_eq!(start(&tablebase("XXX", "3x3", Plain, Rule::Strong)), Value::Held);
        assert_eq!(start(&tablebase("X./XX", "3x3", Plain, Rule::Strong)), Value::BlackWins(5));
        assert_eq!(start(&tablebase("XX", "2x2", Plain, Rule::Strong)), Value::BlackWins(3));
        assert_eq!(start(&tablebase("X", "1x1", Plain, Rule::Weak)), Value::BlackWins(1));
        assert_eq!(start(&tablebase("XX", "1x2", Torus, Rule::Weak)), Value::Held);
        assert_eq!(start(&tablebase("XX./.XX", "4x4", Plain, Rule::Strong)), Value::BlackWins(9));
    }

    #[test]
    fn white_wins_where_black_lets_her() {
        // Tic on 3x3: Black's stones are scattered and White has two ways to go on.
        let tablebase = tablebase("XXX", "3x3", Topology::Plain, Rule::Strong);
        let stones = Stones::new(CellSet::<1>::from_art("X..\n.X.\n..."), CellSet::from_art("...\n...\nX.X"));
        assert_eq!(tablebase.value(&stones), Ok(Value::Held));
        let stones = Stones::new(CellSet::<1>::from_art("X..\n.XX\n..."), stones.white);
        assert_eq!(tablebase.value(&stones), Ok(Value::WhiteWins(6)));
        let moves = tablebase.moves(&stones).unwrap();
        assert_eq!(moves[0], (Cell::new(1), Value::WhiteWins(6)));
        assert_eq!(moves.len(), 4);
    }

    #[test]
    fn positions_that_cannot_be_are_refused() {
        let tablebase = tablebase("XX", "2x2", Topology::Plain, Rule::Strong);
        let value = |black: &str, white: &str| {
            let (black, white) = (CellSet::<1>::from_art(black), CellSet::from_art(white));
            tablebase.value(&Stones { black, white })
        };
        assert_eq!(value("X.\n..", "X.\n.."), Err(PositionError::TwoStones("a2".into())));
        assert_eq!(value("..\n..", "X.\n.."), Err(PositionError::Counts { black: 0, white: 1 }));
        assert_eq!(value("X.\nX.", "..\n.X"), Ok(Value::BlackWins(3)));
        // Black had won before White's second stone.
        assert_eq!(value("X.\nX.", ".X\n.X"), Err(PositionError::Impossible));
        let outside = CellSet::<1>::single(Cell::new(4));
        assert_eq!(tablebase.value(&Stones::new(outside, CellSet::EMPTY)), Err(PositionError::Outside));
        let board = Board::parse("3x6", Topology::Plain).unwrap();
        let error = Tablebase::build(&Shape::from_rows("XX").unwrap(), board, Rule::Weak).err().unwrap();
        assert_eq!(error.to_string(), "a tablebase is for boards of at most 16 cells, and 3x6 plain has 18");
    }

    #[test]
    fn a_changed_value_is_found_out() {
        let mut tablebase = tablebase("X./XX", "3x3", Topology::Plain, Rule::Strong);
        assert_eq!(tablebase.verify(), Ok(()));
        for stones in 0..=9 {
            let middle = tablebase.layers[stones].len() / 2;
            let kept = tablebase.layers[stones][middle];
            for wrong in [kept.wrapping_add(2), if kept == IMPOSSIBLE { 0 } else { IMPOSSIBLE }] {
                tablebase.layers[stones][middle] = wrong;
                assert!(tablebase.verify().is_err(), "{stones} stones, {kept} became {wrong}");
            }
            tablebase.layers[stones][middle] = kept;
        }
        assert_eq!(tablebase.verify(), Ok(()));
    }
}
