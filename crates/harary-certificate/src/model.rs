//! What a certificate says, in memory: its header, positions and nodes.

use crate::board::Board;
use crate::cell::Cell;
use crate::cell_set::{CellSet, WideSet};
use crate::player::Rule;
use crate::shape::Shape;
use crate::turn::Schedule;
use ahash::AHashMap;
use std::fmt;
use std::sync::atomic::AtomicBool;
use thiserror::Error;

/// What a certificate says about its game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// Black completes a winning set at this turn at the latest.
    Win(usize),
    /// White keeps Black from ever winning, or from winning at this turn or earlier.
    Hold(Option<usize>),
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Win(turn) => write!(f, "win {turn}"),
            Claim::Hold(Some(turn)) => write!(f, "hold {turn}"),
            Claim::Hold(None) => f.write_str("hold"),
        }
    }
}

/// The game a header spells out.
#[derive(Clone, Debug)]
pub enum Setting {
    Board { shape: Shape, board: Board },
    Sets { black: Vec<WideSet>, white: Vec<WideSet> },
}

/// The header of a certificate: the game and the claim.
#[derive(Clone, Debug)]
pub struct Header {
    pub setting: Setting,
    pub vertices: usize,
    /// Black's and White's stones before turn 1.
    pub start: [WideSet; 2],
    /// The empty vertices allowed at turn 1, if not all.
    pub first: Option<WideSet>,
    pub rule: Rule,
    /// Who plays at turn 1, 2, 3, …
    pub turns: Schedule,
    pub claim: Claim,
    /// Whether positions are stored in canonical form.
    pub symmetric: bool,
    pub cover: Option<WideSet>,
}

/// Why a certificate proves nothing.
#[derive(Clone, Debug, Error)]
#[error("{}{reason}{}", line.map_or(String::new(), |line| format!("line {line}: ")), drawing.as_ref().map_or(String::new(), |drawing| format!("\n{drawing}")))]
pub struct Refused {
    pub line: Option<u64>,
    pub reason: String,
    /// The position it is about, drawn.
    pub drawing: Option<String>,
}

impl Refused {
    pub fn at(line: u64, reason: impl Into<String>) -> Refused {
        Refused { line: Some(line), reason: reason.into(), drawing: None }
    }
}

/// Stones on the board; with a cover, White's stones outside it are only counted. Ordered as the format orders them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position<const N: usize> {
    pub black: CellSet<N>,
    pub white: CellSet<N>,
    pub elsewhere: u16,
}

/// A `p`, `q` or `b` line: what to do in its position.
#[derive(Debug)]
pub struct Step {
    pub line: u64,
    pub then: Then,
    /// Set by the checker when the play gets there.
    pub reached: AtomicBool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Then {
    /// The holder of the certificate plays this cell.
    Play(Cell),
    /// This block node applies.
    Block(u32),
}

/// `m:o:child` of a reply, `r:child` of a move (as r, -, child), `a-b` of a paving (as a, b, -).
#[derive(Clone, Copy, Debug)]
pub struct Answer(pub Cell, pub Cell, pub u32);

/// An `a` or `n` line: `own` is its B or W, `open` its Z.
#[derive(Debug)]
pub struct Node<const N: usize> {
    pub line: u64,
    pub own: CellSet<N>,
    pub open: CellSet<N>,
    pub kind: Kind,
}

#[derive(Debug)]
pub enum Kind {
    Done(Cell),
    Move(Cell, Vec<Answer>),
    Pave(Vec<Answer>),
    Reply(Vec<Answer>),
}

impl Kind {
    /// Its answers or pairs.
    pub fn answers(&self) -> &[Answer] {
        match self {
            Kind::Done(_) => &[],
            Kind::Move(_, answers) | Kind::Pave(answers) | Kind::Reply(answers) => answers,
        }
    }
}

/// What the last line of a file with nodes or `q` lines names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Root {
    Node(u32),
    Explicit,
}

/// A certificate in memory, on sets of `N` words.
pub struct Proof<const N: usize> {
    pub header: Header,
    /// Lines of the file, comments included.
    pub lines: u64,
    pub steps: AHashMap<Position<N>, Step>,
    pub nodes: AHashMap<u32, Node<N>>,
    pub root: Option<Root>,
}

impl Header {
    /// Whether a certificate with this header settles what `asked` asks: the same claim about the same game.
    pub fn answers(&self, asked: &Header) -> bool {
        let sorted = |sets: &[WideSet]| {
            let mut sets = sets.to_vec();
            sets.sort_unstable();
            sets
        };
        let same_sets = match (&self.setting, &asked.setting) {
            (Setting::Board { shape, board }, Setting::Board { shape: other, board: place }) => {
                shape == other && board == place
            }
            (Setting::Sets { black, white }, Setting::Sets { black: others, white: hers }) => {
                let counts = self.rule == Rule::Strong;
                sorted(black) == sorted(others) && (!counts || sorted(white) == sorted(hers))
            }
            _ => false,
        };
        // A game may end before its board is full; its claims then name a turn, and no later one matters.
        let same_turns = (0..self.turns.len().min(asked.turns.len()))
            .all(|played| self.turns.player_after(played) == asked.turns.player_after(played));
        let last = match asked.claim {
            Claim::Win(turn) | Claim::Hold(Some(turn)) => Some(turn),
            Claim::Hold(None) => None,
        };
        let turns_named = self.turns.len() == asked.turns.len() || last.is_some_and(|last| last <= asked.turns.len());
        same_sets
            && same_turns
            && turns_named
            && (self.vertices, self.start, self.first, self.rule, self.claim, self.cover)
                == (asked.vertices, asked.start, asked.first, asked.rule, asked.claim, asked.cover)
    }

    /// `b3` on a board, the number of a vertex otherwise.
    pub fn cell_name(&self, cell: Cell) -> String {
        match &self.setting {
            Setting::Board { board, .. } => board.cell_name(cell),
            Setting::Sets { .. } => cell.index().to_string(),
        }
    }

    /// Draws a mark for each cell: rows from the top on a board, one row of all vertices otherwise.
    pub fn draw(&self, mark: impl Fn(Cell) -> char) -> String {
        let Setting::Board { board, .. } = &self.setting else {
            return (0..self.vertices).map(|index| mark(Cell::new(index))).chain(['\n']).collect();
        };
        let mut drawing = String::new();
        for y in (0..board.height()).rev() {
            drawing += &format!("{:>2}", y + 1);
            (0..board.width()).for_each(|x| drawing.extend([' ', mark(board.cell(x, y))]));
            drawing.push('\n');
        }
        drawing += "  ";
        (0..board.width()).for_each(|x| drawing.extend([' ', (b'a' + x as u8) as char]));
        drawing + "\n"
    }

    /// What is claimed, in words; the shape by its name, if it has one.
    pub fn sentence(&self, shape_name: Option<&str>) -> String {
        let game = match &self.setting {
            Setting::Board { shape, board } => {
                format!("{} on {board}", shape_name.map_or(format!("the shape {shape}"), str::to_owned))
            }
            Setting::Sets { black, .. } => {
                let name = shape_name.map_or_else(String::new, |name| format!("{name}, "));
                format!("{name}the game of {} vertices and {} winning sets", self.vertices, black.len())
            }
        };
        let rule = match self.turns.is_alternating() {
            true => format!("{} rule", self.rule),
            false => format!("{} rule, turns {}", self.rule, self.turns.letters()),
        };
        match self.claim {
            Claim::Win(turn) => format!("Black wins {game}, {rule}, by turn {turn}"),
            Claim::Hold(None) => format!("White holds {game}, {rule}"),
            Claim::Hold(Some(turn)) => format!("Black cannot force {game}, {rule}, by turn {turn}"),
        }
    }
}
