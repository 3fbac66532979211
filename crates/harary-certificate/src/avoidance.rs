//! Avoidance: certificates of the game in which whoever completes the shape loses.
//!
//! A format of its own, `harary-avoidance 1`, defined in docs/certificate.md: the other formats know two rules, and a
//! checker of theirs must not meet a third. A file names a shape on a board of at most 64 cells, what is claimed, and a
//! move for every position that can arise, for the one who wins or, with a draw, for both.

use crate::board::{Board, Topology};
use crate::cell::Cell;
use crate::cell_set::{CellSet, WideSet};
use crate::model::{Permutation, Refused};
use crate::player::Player;
use crate::rules::{board_symmetries, image, winning_sets};
use crate::shape::Shape;
use crate::stones::Stones;
use ahash::{AHashMap, AHashSet};
use std::fmt::{self, Write};
use std::io::{self, Read};

/// What a file begins with.
pub const FIRST_LINE: &str = "harary-avoidance 1";

/// The most cells of a board.
pub const MOST_CELLS: usize = 64;

/// Positions a checker follows at most: more is a file made to explode.
const MOST_POSITIONS: usize = 1 << 24;

/// How the avoidance game ends when both play well.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Ending {
    /// White completes the shape, by this turn at the latest: Black wins.
    Win(usize),
    /// Nobody completes it.
    Draw,
    /// Black completes it, by this turn at the latest: White wins.
    Loss(usize),
}

/// As a file words it: `win 6`.
impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Win(turn) => write!(f, "win {turn}"),
            Ending::Draw => f.write_str("draw"),
            Ending::Loss(turn) => write!(f, "loss {turn}"),
        }
    }
}

/// Who plays after so many stones.
pub fn to_move(stones: usize) -> Player {
    if stones.is_multiple_of(2) { Player::Black } else { Player::White }
}

/// An accepted file. Only [`check`] makes one.
#[derive(Debug)]
pub struct Avoided {
    shape: Shape,
    board: Board,
    ending: Ending,
    lines: usize,
    positions: usize,
}

impl Avoided {
    /// What is to be avoided.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Where.
    pub fn board(&self) -> Board {
        self.board
    }

    /// What is proved.
    pub fn ending(&self) -> Ending {
        self.ending
    }

    /// Lines with moves, and positions that were followed.
    pub fn counts(&self) -> (usize, usize) {
        (self.lines, self.positions)
    }

    /// In one sentence.
    pub fn sentence(&self, name: Option<&str>) -> String {
        let shape = name.map_or_else(|| format!("the shape {}", self.shape), str::to_owned);
        let game = format!("{shape} on {} {}, avoidance rule", self.board.sides(), self.board.topology());
        match self.ending {
            Ending::Win(turn) => format!("Black wins {game}: White completes it by turn {turn}"),
            Ending::Draw => format!("nobody has to complete {game}: a draw"),
            Ending::Loss(turn) => format!("White wins {game}: Black completes it by turn {turn}"),
        }
    }
}

/// A file with these moves, sorted; positions are in canonical form under the symmetries of the board.
pub fn write(shape: &Shape, board: &Board, ending: Ending, moves: &[(Stones<1>, Cell)]) -> String {
    let mut moves = moves.to_vec();
    moves.sort_unstable();
    moves.dedup();
    let game = format!("game {} {} {shape}", board.sides(), board.topology());
    let mut text = format!("{FIRST_LINE}\n{game}\nclaim {ending}\nsymmetry board\n");
    for (stones, cell) in moves {
        let letter = match to_move(stones.len()) {
            Player::Black => 'b',
            Player::White => 'w',
        };
        // Writing to a String does not fail.
        let _ = writeln!(text, "{letter} {} {} {}", stones.black, stones.white, cell.index());
    }
    text
}

/// Reads as much as tells whether this is a file of the avoidance game, and gives the whole back to be read.
pub fn recognised<R: Read>(mut input: R) -> io::Result<(bool, impl Read)> {
    let mut head = Vec::new();
    input.by_ref().take(FIRST_LINE.len() as u64).read_to_end(&mut head)?;
    let known = head == FIRST_LINE.as_bytes();
    Ok((known, io::Cursor::new(head).chain(input)))
}

/// Checks a file.
pub fn check(text: &str) -> Result<Avoided, Refused> {
    Checker::read(text)?.check()
}

struct Checker {
    shape: Shape,
    board: Board,
    ending: Ending,
    sets: Vec<CellSet<1>>,
    symmetries: Vec<Permutation>,
    moves: AHashMap<Stones<1>, Cell>,
}

fn refused<T>(line: usize, reason: impl Into<String>) -> Result<T, Refused> {
    Err(Refused::at(line as u64, reason.into()))
}

/// A number as the format spells it.
fn number(text: &str) -> Option<usize> {
    let plain = text == "0" || !text.starts_with('0') && text.bytes().all(|digit| digit.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

/// A set of cells of a board with so many.
fn set(text: &str, cells: usize) -> Option<CellSet<1>> {
    let digits = text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
    let plain = text == "0" || !text.starts_with('0') && digits;
    let bits = u64::from_str_radix(text, 16).ok().filter(|_| plain)?;
    let set = CellSet::from_words([bits]);
    set.is_subset(&CellSet::first_cells(cells)).then_some(set)
}

fn read_game(text: &str) -> Option<(Shape, Board)> {
    let (board, cells) = text.strip_prefix("game ")?.split_once(' ')?;
    let (topology, cells) = cells.split_once(' ')?;
    let topology = match topology {
        "plain" => Topology::Plain,
        "torus" => Topology::Torus,
        _ => return None,
    };
    let (width, height) = board.split_once('x')?;
    let board = Board::new(number(width)?, number(height)?, topology).ok()?;
    let point = |pair: &str| {
        let (x, y) = pair.split_once(',')?;
        Some((i32::try_from(number(x)?).ok()?, i32::try_from(number(y)?).ok()?))
    };
    let cells: Vec<(i32, i32)> = cells.split(' ').map(point).collect::<Option<_>>()?;
    Some((Shape::new(&cells).ok()?, board))
}

fn read_claim(text: &str) -> Option<Ending> {
    match text.strip_prefix("claim ")?.split_once(' ') {
        None => (text == "claim draw").then_some(Ending::Draw),
        Some(("win", turn)) => number(turn).filter(|&turn| turn > 0).map(Ending::Win),
        Some(("loss", turn)) => number(turn).filter(|&turn| turn > 0).map(Ending::Loss),
        Some(_) => None,
    }
}

impl Checker {
    fn read(text: &str) -> Result<Checker, Refused> {
        if !text.ends_with('\n') {
            return refused(text.lines().count().max(1), "the last line has no end");
        }
        let mut lines = text[..text.len() - 1].split('\n').enumerate().map(|(place, line)| (place + 1, line));
        let mut lines = lines.by_ref().filter(|(_, line)| !line.starts_with('#'));
        let mut next = |what: &str| lines.next().ok_or_else(|| Refused::at(1, format!("there is no line '{what}'")));
        let (place, first) = next(FIRST_LINE)?;
        if first != FIRST_LINE {
            return refused(place, format!("the first line is not '{FIRST_LINE}'"));
        }
        let (place, game) = next("game")?;
        let Some((shape, board)) = read_game(game) else { return refused(place, "no game of a shape on a board") };
        if board.size() > MOST_CELLS {
            return refused(place, format!("the board has more than {MOST_CELLS} cells"));
        }
        let (place, claim) = next("claim")?;
        let Some(ending) = read_claim(claim) else { return refused(place, "no claim 'win K', 'draw' or 'loss K'") };
        let (place, symmetry) = next("symmetry")?;
        let symmetries = match symmetry {
            "symmetry none" => Vec::new(),
            "symmetry board" => board_symmetries(&board),
            _ => return refused(place, "no line 'symmetry none' or 'symmetry board'"),
        };
        let narrow = |set: &WideSet| set.resized();
        let sets = winning_sets(&shape, &board).iter().map(narrow).collect();
        let mut checker = Checker { shape, board, ending, sets, symmetries, moves: AHashMap::new() };
        for (place, line) in lines {
            checker.line(line).or_else(|reason| refused(place, reason))?;
        }
        Ok(checker)
    }

    /// Reads one move and sees that it is legal, whether the play gets there or not.
    fn line(&mut self, line: &str) -> Result<(), String> {
        let fields: Vec<&str> = line.split(' ').collect();
        let [letter, black, white, cell] = fields[..] else { return Err("not four fields".to_owned()) };
        let player = match letter {
            "b" => Player::Black,
            "w" => Player::White,
            _ => return Err(format!("no line begins with '{letter}'")),
        };
        let cells = self.board.size();
        let (Some(black), Some(white)) = (set(black, cells), set(white, cells)) else {
            return Err("no set of cells of the board".to_owned());
        };
        let cell = number(cell).filter(|&cell| cell < cells).map(Cell::new).ok_or("no cell of the board")?;
        if !black.is_disjoint(&white) {
            return Err("a cell with two stones".to_owned());
        }
        let stones = Stones::new(black, white);
        let turns = black.len() + white.len();
        if black.len() != turns.div_ceil(2) || to_move(turns) != player {
            return Err(format!("with these stones it is not {player}'s turn"));
        }
        match self.ending {
            Ending::Win(_) if player == Player::White => return Err("a win needs Black's moves only".to_owned()),
            Ending::Loss(_) if player == Player::Black => return Err("a loss needs White's moves only".to_owned()),
            _ => {}
        }
        if self.completed(stones.black) || self.completed(stones.white) {
            return Err("the game is over there".to_owned());
        }
        if self.canonical(stones) != stones {
            return Err("not in canonical form".to_owned());
        }
        if stones.occupied().contains(cell) {
            return Err("the cell is occupied".to_owned());
        }
        if self.completed(stones.of(player).with(cell)) {
            return Err(format!("{player} completes the shape"));
        }
        if self.moves.insert(stones, cell).is_some() {
            return Err("another line has the same position".to_owned());
        }
        Ok(())
    }

    fn completed(&self, stones: CellSet<1>) -> bool {
        self.sets.iter().any(|set| set.is_subset(&stones))
    }

    fn canonical(&self, stones: Stones<1>) -> Stones<1> {
        let images = self
            .symmetries
            .iter()
            .map(|symmetry| Stones { black: image(symmetry, stones.black), white: image(symmetry, stones.white) });
        images.fold(stones, Stones::min)
    }

    fn check(self) -> Result<Avoided, Refused> {
        let positions = match self.ending {
            Ending::Win(turn) => self.follow(Player::Black, Some(turn))?,
            Ending::Loss(turn) => self.follow(Player::White, Some(turn))?,
            Ending::Draw => self.follow(Player::Black, None)? + self.follow(Player::White, None)?,
        };
        let Checker { shape, board, ending, moves, .. } = self;
        Ok(Avoided { shape, board, ending, lines: moves.len(), positions })
    }

    /// Plays the moves of `player` against all of the other's. He must not complete the shape; with a turn, the other one
    /// must have completed it by then. Gives back how many positions were met.
    fn follow(&self, player: Player, by: Option<usize>) -> Result<usize, Refused> {
        let fail = |at: &Stones<1>, reason: String| {
            let reason = format!("{reason}, at Black {} White {}", at.black, at.white);
            Err(Refused { line: None, reason, drawing: None })
        };
        let mut seen = AHashSet::new();
        let mut waiting = vec![self.canonical(Stones::NONE)];
        while let Some(at) = waiting.pop() {
            if !seen.insert(at) {
                continue;
            }
            if seen.len() > MOST_POSITIONS {
                return fail(&at, "more positions than this checker follows".to_owned());
            }
            let (own, theirs) = (at.of(player), at.of(player.other()));
            if by.is_none() && !self.sets.iter().any(|set| set.is_disjoint(&theirs)) {
                continue;
            }
            if at.len() == self.board.size() {
                match by {
                    Some(_) => return fail(&at, "the board is full and nobody has completed the shape".to_owned()),
                    None => continue,
                }
            }
            if to_move(at.len()) == player {
                let Some(&cell) = self.moves.get(&at) else {
                    return fail(&at, format!("{player} has no line"));
                };
                debug_assert!(!self.completed(own.with(cell)));
                waiting.push(self.canonical(at.with(player, cell)));
                continue;
            }
            for cell in CellSet::first_cells(self.board.size()) - at.occupied() {
                if !self.completed(theirs.with(cell)) {
                    waiting.push(self.canonical(at.with(player.other(), cell)));
                } else if let Some(last) = by.filter(|&last| at.len() + 1 > last) {
                    return fail(&at, format!("{} completes the shape after turn {last} only", player.other()));
                }
            }
        }
        Ok(seen.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One cell on one cell: Black must complete it.
    const ELAM: &str = "harary-avoidance 1\ngame 1x1 plain 0,0\nclaim loss 1\nsymmetry none\n";

    #[test]
    fn what_is_forced_needs_no_line() {
        assert_eq!(check(ELAM).unwrap().ending(), Ending::Loss(1));
        for (from, to) in [
            ("loss 1", "loss 0"),
            ("loss 1", "win 1"),
            ("loss 1", "draw"),
            ("symmetry none\n", "symmetry none"),
            ("none\n", "none\nw 0 0 0\n"),
            ("none\n", "none\nb 0 0 0\n"),
            ("harary-avoidance 1", "harary-avoidance 2"),
            ("1x1", "01x1"),
            ("plain", "round"),
        ] {
            assert!(check(&ELAM.replace(from, to)).is_err(), "{from} -> {to}");
        }
    }

    /// The domino on 2x2: Black in a corner, White in the opposite one; then Black must complete a domino.
    #[test]
    fn a_strategy_is_played_out() {
        let text = "harary-avoidance 1\ngame 2x2 plain 0,0 1,0\nclaim loss 3\nsymmetry board\nw 1 0 3\n";
        let avoided = check(text).unwrap();
        assert_eq!((avoided.ending(), avoided.counts().0), (Ending::Loss(3), 1));
        assert!(check(&text.replace("loss 3", "loss 2")).is_err());
        assert!(check(&text.replace("w 1 0 3", "w 1 0 1")).is_err());
        assert!(check(&text.replace("w 1 0 3\n", "")).is_err());
        assert!(check(&text.replace("w 1 0 3", "w 2 0 2")).is_err());
        assert!(check(&text.replace("w 1 0 3", "w 1 0 0")).is_err());
    }
}
