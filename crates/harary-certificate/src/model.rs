//! What a certificate says, in memory: its header, its positions, its nodes and its cards.
//!
//! These are words only: nothing here is believed. The [reader](crate::reader) makes them of a file, the
//! [checker](crate::checker) judges them. What each line means stands in docs/certificate.md.

use crate::board::Board;
use crate::cell::Cell;
use crate::cell_set::{CellSet, WIDE, WideSet};
use crate::names::Names;
use crate::player::{Player, Rule};
use crate::shape::Shape;
use crate::stones::Stones;
use crate::turn::Schedule;
use ahash::AHashMap;
use std::fmt;
use std::sync::atomic::AtomicBool;
use thiserror::Error;

/// Which kinds of lines a file may have. Format 2 allows all of format 1 and more.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Format {
    /// `harary-certificate 1`: frozen.
    #[default]
    One,
    /// `harary-certificate 2`: losses, generators, strong blocks, cards, bounded pairs.
    Two,
}

/// What a certificate says about its game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// Black completes a winning set at this turn at the latest.
    Win(usize),
    /// White keeps Black from ever winning, or from winning at this turn or earlier.
    Hold(Option<usize>),
    /// White completes a winning set of hers at this turn at the latest.
    Loss(usize),
}

impl Claim {
    /// The last turn it speaks of, if not all.
    pub fn last(self) -> Option<usize> {
        match self {
            Claim::Win(turn) | Claim::Loss(turn) => Some(turn),
            Claim::Hold(turn) => turn,
        }
    }

    /// Whose strategy the certificate is.
    pub fn holder(self) -> Player {
        if matches!(self, Claim::Win(_)) { Player::Black } else { Player::White }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Win(turn) => write!(f, "win {turn}"),
            Claim::Hold(Some(turn)) => write!(f, "hold {turn}"),
            Claim::Hold(None) => f.write_str("hold"),
            Claim::Loss(turn) => write!(f, "loss {turn}"),
        }
    }
}

/// The game a header spells out.
#[derive(Clone, Debug)]
pub enum Setting {
    /// A shape on a board: both players want an image of it.
    Board {
        /// What is to be completed.
        shape: Shape,
        /// Where.
        board: Board,
    },
    /// Winning sets, one by one.
    Sets {
        /// Black's.
        black: Vec<WideSet>,
        /// White's, which count under the strong rule.
        white: Vec<WideSet>,
    },
}

/// A permutation of the vertices, by the images of 0, 1, 2, …
pub type Permutation = Vec<Cell>;

/// Up to which symmetries positions are stored, and which of them nodes may use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Symmetry {
    /// Positions stand as they are.
    None,
    /// Those of the board.
    Board,
    /// The group these generate.
    Generators(Vec<Permutation>),
}

/// The header of a certificate: the game and the claim.
#[derive(Clone, Debug)]
pub struct Header {
    /// The winning sets.
    pub setting: Setting,
    /// How many vertices the game has.
    pub vertices: usize,
    /// The stones before turn 1.
    pub start: Stones<WIDE>,
    /// The empty vertices allowed at turn 1, if not all.
    pub first: Option<WideSet>,
    /// Whose sets count.
    pub rule: Rule,
    /// Who plays at turn 1, 2, 3, …
    pub turns: Schedule,
    /// What is said of the game.
    pub claim: Claim,
    /// What positions are stored up to.
    pub symmetry: Symmetry,
    /// The cells Black keeps to, if not all.
    pub cover: Option<WideSet>,
}

impl Header {
    /// The format its own lines need; the lines below it may need more.
    pub fn format(&self) -> Format {
        match (self.claim, &self.symmetry) {
            (Claim::Loss(_), _) | (_, Symmetry::Generators(_)) => Format::Two,
            _ => Format::One,
        }
    }

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
        let named = asked.claim.last().is_some_and(|last| last <= asked.turns.len());
        same_sets
            && same_turns
            && (self.turns.len() == asked.turns.len() || named)
            && (self.vertices, self.start, self.first, self.rule, self.claim, self.cover)
                == (asked.vertices, asked.start, asked.first, asked.rule, asked.claim, asked.cover)
    }
}

/// Why a certificate proves nothing.
#[derive(Clone, Debug, Error)]
#[error("{}{reason}{}", line.map_or(String::new(), |line| format!("line {line}: ")), drawing.as_ref().map_or(String::new(), |drawing| format!("\n{drawing}")))]
pub struct Refused {
    /// The line that is wrong, if it is one line.
    pub line: Option<u64>,
    /// What is wrong.
    pub reason: String,
    /// The position it is about, drawn.
    pub drawing: Option<String>,
}

impl Refused {
    /// A line that is wrong, without a drawing.
    pub fn at(line: u64, reason: impl Into<String>) -> Refused {
        Refused { line: Some(line), reason: reason.into(), drawing: None }
    }
}

/// Stones on the board; with a cover, White's stones outside it are only counted. Ordered as the format orders them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position<const N: usize> {
    /// The stones, with a cover those in it.
    pub stones: Stones<N>,
    /// White's stones outside the cover.
    pub elsewhere: u16,
}

impl<const N: usize> Position<N> {
    /// With one more stone on the board.
    pub fn with(self, player: Player, cell: Cell) -> Position<N> {
        Position { stones: self.stones.with(player, cell), ..self }
    }
}

/// A `p`, `q`, `l`, `b` or `k` line: what to do in its position.
#[derive(Debug)]
pub(crate) struct Step {
    pub(crate) line: u64,
    pub(crate) then: Then,
    /// Set by the checker when the play gets there.
    pub(crate) reached: AtomicBool,
}

/// What a line says to do in its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Then {
    /// The holder of the certificate plays this cell.
    Play(Cell),
    /// This block node applies.
    Block(u32),
    /// White answers in the same pair: which of the [pairings](Proof::pairing).
    Pairs(u32),
}

/// Two cells, of which White takes one if Black takes the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    /// One cell.
    pub a: Cell,
    /// The other.
    pub b: Cell,
}

/// `r:child` of an attack node: White's reply, and the node that speaks for Black from there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct After {
    /// Where White plays.
    pub reply: Cell,
    /// What Black does then.
    pub child: u32,
}

/// `m:o:child` of a block node: Black's move, White's answer, and the node that speaks for White from there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    /// Where Black plays.
    pub to: Cell,
    /// Where White answers.
    pub reply: Cell,
    /// What White does then; none (strong blocks only) if her answer completes a set of hers.
    pub child: Option<u32>,
}

/// An `a`, `u`, `n` or `s` line: `own` is its B or W, `open` its Z.
#[derive(Debug)]
pub struct Node<const N: usize> {
    pub(crate) line: u64,
    /// The stones of the one whose node it is.
    pub own: CellSet<N>,
    /// The cells that are empty; all others belong to the other side.
    pub open: CellSet<N>,
    /// What is to be done.
    pub kind: Kind,
}

/// What a node does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `a … done`: Black completes a set at this cell.
    Done(Cell),
    /// `a … move`: Black plays the cell; replies of White's lead on.
    Move(Cell, Vec<After>),
    /// `u`: a card on the board, and the cell at which it opens.
    Card(Placing, Cell),
    /// `n … pave`: White answers in the same pair.
    Pave(Vec<Pair>),
    /// `n … reply`: White's answers; each has a child.
    Reply(Vec<Answer>),
    /// `s … reply`: White's answers in the strong game.
    StrongReply(Vec<Answer>),
    /// `s … threat`: White threatens to complete a set, so Black must move there; this is her answer.
    Threat(Answer),
}

/// A card as it is put into a box or on a board: turned, then shifted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Placing {
    /// The card's id.
    pub card: u32,
    /// The orientation, 0 to 7: 4 exchanges x and y, then 1 negates x, 2 negates y.
    pub turn: u8,
    /// What is added to x and to y.
    pub shift: (i32, i32),
}

/// A `c` line: an attack in a box of the plane. Its cells are numbered `x + width * y`.
#[derive(Clone, Debug)]
pub struct Card {
    pub(crate) line: u64,
    /// The width of the box.
    pub width: usize,
    /// Its height.
    pub height: usize,
    /// B: the stones Black needs.
    pub own: WideSet,
    /// Z: the cells White must not own.
    pub open: WideSet,
    /// What Black does.
    pub kind: CardKind,
}

/// What Black does on a card.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CardKind {
    /// He completes the shape at this cell.
    Done(Cell),
    /// He plays this cell; then one of these cards applies.
    Move(Cell, Vec<Placing>),
}

/// What the last line of a file with nodes or `q` lines names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Root {
    /// This node applies before turn 1.
    Node(u32),
    /// The positions are followed from the start.
    Explicit,
}

/// A certificate in memory, on sets of `N` words. Outside this crate one meets only accepted ones, to be read: see
/// [`Playbook::proof`](crate::playbook::Playbook::proof).
pub struct Proof<const N: usize> {
    pub(crate) header: Header,
    pub(crate) format: Format,
    /// The lines of the header's generators.
    pub(crate) generator_lines: Vec<u64>,
    /// Lines of the file, comments included.
    pub(crate) lines: u64,
    pub(crate) steps: AHashMap<Position<N>, Step>,
    /// The pairs of the `k` lines.
    pub(crate) pairings: Vec<Vec<Pair>>,
    pub(crate) nodes: AHashMap<u32, Node<N>>,
    pub(crate) cards: AHashMap<u32, Card>,
    /// The `u` lines: the checker makes nodes of them.
    pub(crate) uses: AHashMap<u32, (u64, Placing)>,
    pub(crate) root: Option<Root>,
    /// What a remark calls the vertices of a game of sets: for people, nothing depends on it.
    pub(crate) names: Option<Names>,
}
