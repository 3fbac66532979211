//! Sequences for the On-Line Encyclopedia of Integer Sequences: the board and move numbers of the animals.
//!
//! The animals come in the order of A246521: by size, then by binary code. A246521(1) is the empty animal, so that the
//! n-th term is about the animal with code A246521(n + 1), as in A380597 and A380598.
//!
//! A term is known only if it is proved. A side b needs a certified win on the b x b board and a certified hold on every
//! smaller square board the animal fits on. A number of moves needs, besides, that no earlier turn wins: certified,
//! counted (a shape of k cells takes k stones), or searched. 0 stands for an animal White holds off on every plain board,
//! proved by a paving of the plane that repeats; no such proof is known for tori. What the encyclopedia has is in
//! `tablebases/oeis.csv`; where it differs is worked out, not written down.

use super::entry::{Entry, Finding, Leastness, Mark};

use super::key::GameKey;
use super::selection::animals;
use super::tablebase::Tablebase;
use crate::effort::Limits;
use crate::paving::Pairs;
use crate::paving::periodic::{Lattice, PeriodicPaving, periodic_paving};
use harary_certificate::{Board, MAX_SIDE, Rule, Shape, Topology};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::LazyLock;

/// The animals have at most so many cells: the atlas knows the larger ones not at all.
pub const LARGEST: usize = 6;

/// Pavings of the plane are looked for up to this period. Six cells are enough for every loser of at most six cells;
/// beyond, the search costs seconds and finds nothing for the one animal that is left.
const LONGEST_PERIOD: usize = 8;

static LISTED: LazyLock<Vec<Listed>> = LazyLock::new(|| {
    // The file is compiled in and a test reads it: a failure here cannot reach a user.
    read(include_str!("../../tablebases/oeis.csv")).expect("the listed terms are well-formed")
});

/// An animal and its place in the order.
#[derive(Clone, Debug)]
pub struct Animal {
    /// Counted from 1.
    pub n: usize,
    /// A246521(n + 1).
    pub code: u64,
    /// In canonical form.
    pub shape: Shape,
}

/// The animals in the order of A246521, the empty one left out.
pub fn in_order() -> Vec<Animal> {
    let mut coded: Vec<(usize, u64, Shape)> =
        animals(LARGEST).into_iter().map(|shape| (shape.size(), code(&shape), shape)).collect();
    coded.sort();
    coded.into_iter().zip(1..).map(|((_, code, shape), n)| Animal { n, code, shape }).collect()
}

/// The binary code of A246521: the cells of the quarter-plane are numbered along the antidiagonals, and the animal is
/// placed so that the sum of the powers of two of its cells is least. Enough bits for animals of ten cells.
fn code(shape: &Shape) -> u64 {
    let number = |&(x, y): &(u8, u8)| {
        let diagonal = u32::from(x) + u32::from(y);
        diagonal * (diagonal + 1) / 2 + u32::from(y)
    };
    let sum = |image: &Shape| image.cells().iter().map(|cell| 1 << number(cell)).sum();
    shape.orientations().iter().map(sum).min().unwrap_or(0)
}

/// What a term counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantity {
    /// The side of the smallest square board Black wins on.
    Board,
    /// Black's moves on that board.
    Moves,
}

/// One of the sequences.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sequence {
    /// Plain boards or tori.
    pub topology: Topology,
    /// The rule of its games.
    pub rule: Rule,
    /// What is counted.
    pub quantity: Quantity,
}

/// All of them.
pub const SEQUENCES: [Sequence; 8] = {
    const fn sequence(topology: Topology, rule: Rule, quantity: Quantity) -> Sequence {
        Sequence { topology, rule, quantity }
    }
    [
        sequence(Topology::Plain, Rule::Strong, Quantity::Board),
        sequence(Topology::Plain, Rule::Strong, Quantity::Moves),
        sequence(Topology::Plain, Rule::Weak, Quantity::Board),
        sequence(Topology::Plain, Rule::Weak, Quantity::Moves),
        sequence(Topology::Torus, Rule::Strong, Quantity::Board),
        sequence(Topology::Torus, Rule::Strong, Quantity::Moves),
        sequence(Topology::Torus, Rule::Weak, Quantity::Board),
        sequence(Topology::Torus, Rule::Weak, Quantity::Moves),
    ]
};

impl Sequence {
    /// `strong-board`, `torus-weak-moves`.
    pub fn name(&self) -> String {
        let torus = if self.topology == Topology::Torus { "torus-" } else { "" };
        let quantity = match self.quantity {
            Quantity::Board => "board",
            Quantity::Moves => "moves",
        };
        format!("{torus}{}-{quantity}", self.rule)
    }

    /// Its number in the encyclopedia, if it is there. A380597 speaks of first-player wins and draws: the strong rule.
    pub fn a_number(&self) -> Option<&'static str> {
        match (self.topology, self.rule, self.quantity) {
            (Topology::Plain, Rule::Strong, Quantity::Board) => Some("A380597"),
            (Topology::Plain, Rule::Strong, Quantity::Moves) => Some("A380598"),
            _ => None,
        }
    }

    /// What a term is, in a sentence.
    pub fn title(&self) -> String {
        let board = match self.topology {
            Topology::Plain => "square board on which Black wins",
            Topology::Torus => {
                "square torus on which Black wins (of a side at which the animal fits on the plain board)"
            }
        };
        let smallest = format!("smallest {board}, {} rule; 0 if White holds on all", self.rule);
        match self.quantity {
            Quantity::Board => format!("side of the {smallest}"),
            Quantity::Moves => format!("number of Black's moves on the {smallest}"),
        }
    }

    /// The sequence with a name or an A-number.
    pub fn find(name: &str) -> Option<Sequence> {
        let is_meant = |sequence: &Sequence| {
            let number = sequence.a_number();
            sequence.name() == name.to_lowercase() || number.is_some_and(|number| number.eq_ignore_ascii_case(name))
        };
        SEQUENCES.into_iter().find(is_meant)
    }

    /// Its terms, in order.
    pub fn terms(&self, known: &Tablebase) -> Vec<Term> {
        in_order().into_iter().map(|animal| self.term(animal, known)).collect()
    }

    fn term(&self, animal: Animal, known: &Tablebase) -> Term {
        let proof = proof(&animal.shape, self.topology, self.rule, known);
        let value = match (&proof, self.quantity) {
            (Proof::Smallest { win, .. }, Quantity::Board) => Some(win.key.board().width()),
            (Proof::Smallest { win, .. }, Quantity::Moves) => win.finding.least_turn().map(moves),
            (Proof::Never(_), _) => Some(0),
            (Proof::Open { .. }, _) => None,
        };
        let listed = self.a_number().and_then(|number| listed_term(number, animal.n));
        Term { sequence: *self, animal, value, proof, listed }
    }
}

/// Black's moves up to a turn of his: he plays first, and the players alternate.
fn moves(turn: usize) -> usize {
    turn.div_ceil(2)
}

/// A term, its proof, and what the encyclopedia has.
#[derive(Clone, Debug)]
pub struct Term {
    /// The sequence it is a term of.
    pub sequence: Sequence,
    /// The animal it is about.
    pub animal: Animal,
    /// Not known if absent.
    pub value: Option<usize>,
    /// Why it is what it is.
    pub proof: Proof,
    /// None where the encyclopedia has no such sequence, or does not know the term.
    pub listed: Option<usize>,
}

/// Why a term is what it is.
#[derive(Clone, Debug)]
pub enum Proof {
    /// Black wins on this board, and White holds on all smaller ones the animal fits on.
    Smallest {
        /// The win.
        win: Box<Entry>,
        /// The smaller boards.
        holds: Vec<Entry>,
    },
    /// White holds on every plain board.
    Never(PeriodicPaving),
    /// Not known.
    Open {
        /// The boards White holds on.
        holds: Vec<Entry>,
        /// The first board that is not settled.
        stuck: Board,
        /// The greatest turn that is refuted there.
        refuted: Option<usize>,
        /// A larger board that Black wins on.
        at_most: Option<usize>,
    },
}

/// How it is known that no earlier turn wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Least {
    /// By a certificate.
    Certified(Mark),
    /// Black has as many stones as the shape has cells.
    Counted,
    /// By the search alone.
    Searched,
}

impl Least {
    /// Of a win, if its turn is the least.
    pub fn of(entry: &Entry) -> Option<Least> {
        let turn = entry.finding.least_turn()?;
        Some(match entry.leastness {
            Leastness::Certified(mark) => Least::Certified(mark),
            Leastness::NotAsked | Leastness::Open if moves(turn) == entry.key.shapes().size() => Least::Counted,
            Leastness::NotAsked | Leastness::Open => Least::Searched,
        })
    }
}

impl fmt::Display for Least {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Least::Certified(mark) => write!(f, "certified {}", mark.short()),
            Least::Counted => f.write_str("counted"),
            Least::Searched => f.write_str("searched"),
        }
    }
}

/// What the atlas and a paving of the plane say about the smallest board.
fn proof(shape: &Shape, topology: Topology, rule: Rule, known: &Tablebase) -> Proof {
    let boards = (1..=MAX_SIDE).filter(|&side| shape.fits(side, side));
    let boards: Vec<Board> = boards.filter_map(|side| Board::new(side, side, topology).ok()).collect();
    let about = |board: &Board| known.get(&GameKey::new(shape, *board, rule));
    let mut holds = Vec::new();
    for (index, board) in boards.iter().enumerate() {
        let entry = about(board);
        match entry.map(|entry| entry.finding) {
            Some(Finding::Hold) => holds.extend(entry.cloned()),
            Some(Finding::Win { .. }) => {
                if let Some(win) = entry.cloned().map(Box::new) {
                    return Proof::Smallest { win, holds };
                }
            }
            Some(Finding::Unknown) | None => {
                if let Some(paving) = plane_paving(shape).filter(|_| topology == Topology::Plain) {
                    return Proof::Never(paving);
                }
                let is_win =
                    |board: &&Board| about(board).is_some_and(|entry| matches!(entry.finding, Finding::Win { .. }));
                let at_most = boards[index..].iter().find(is_win).map(Board::width);
                let refuted = entry.and_then(|entry| entry.refuted_turn);
                return Proof::Open { holds, stuck: *board, refuted, at_most };
            }
        }
    }
    // No animal of at most six cells fits on no board, and no atlas has all of them.
    Proof::Open { holds, stuck: largest(topology), refuted: None, at_most: None }
}

/// The largest square board.
fn largest(topology: Topology) -> Board {
    Board::new(MAX_SIDE, MAX_SIDE, topology).expect("the sides are those of a board")
}

/// A paving of the plane against the shape, checked.
fn plane_paving(shape: &Shape) -> Option<PeriodicPaving> {
    let find = |lattice| periodic_paving(shape, lattice, Pairs::Any, &Limits::none()).ok().flatten();
    let paving = (1..=LONGEST_PERIOD).flat_map(Lattice::of_size).find_map(find)?;
    proves(&paving, shape).then_some(paving)
}

/// Whether a paving is one: no cell of the plane in two pairs, and a pair in each placement. Read off the definition, apart
/// from the search.
fn proves(paving: &PeriodicPaving, shape: &Shape) -> bool {
    let Lattice { width, height, .. } = paving.lattice;
    let kind = |(x, y): (i32, i32)| paving.lattice.kind(x, y);
    let ends: Vec<usize> = paving.pairs.iter().flat_map(|&(a, b)| [kind(a), kind(b)]).collect();
    let disjoint = ends.iter().collect::<BTreeSet<_>>().len() == ends.len();
    let shifts = || (0..width as i32).flat_map(|x| (0..height as i32).map(move |y| (x, y)));
    let stopped = |image: &Shape, (dx, dy): (i32, i32)| {
        let cells: Vec<(i32, i32)> =
            image.cells().iter().map(|&(x, y)| (dx + i32::from(x), dy + i32::from(y))).collect();
        paving.pairs.iter().any(|&(a, b)| {
            let partner = |&(x, y): &(i32, i32)| (x + b.0 - a.0, y + b.1 - a.1);
            cells.iter().any(|cell| kind(*cell) == kind(a) && cells.contains(&partner(cell)))
        })
    };
    disjoint && shape.orientations().iter().all(|image| shifts().all(|shift| stopped(image, shift)))
}

impl Term {
    /// The name of the animal.
    pub fn name(&self) -> String {
        GameKey::new(&self.animal.shape, largest(self.sequence.topology), self.sequence.rule).name()
    }

    /// How the term is proved, or what is known; certificates by the beginnings of their hashes.
    pub fn reason(&self) -> String {
        match &self.proof {
            Proof::Never(paving) => format!("White holds on all: paving of the plane, period {}", paving.lattice),
            Proof::Smallest { win, holds } => {
                let least = match (self.sequence.quantity, Least::of(win)) {
                    (Quantity::Board, _) => String::new(),
                    (Quantity::Moves, Some(least)) => format!(", least turn {least}"),
                    (Quantity::Moves, None) => ", least turn not known".to_owned(),
                };
                format!("{}{least}; {}", certified(win), held(holds))
            }
            Proof::Open { holds, stuck, refuted, at_most } => {
                let refuted = refuted.map_or_else(String::new, |turn| format!(", no win by turn {turn} (searched)"));
                let at_most = at_most.map_or_else(String::new, |side| format!("; at most {side}"));
                format!("{}; {} not settled{refuted}{at_most}", held(holds), stuck.sides())
            }
        }
    }

    /// Where the encyclopedia has another term: why it is wrong.
    pub fn difference(&self, known: &Tablebase) -> Option<String> {
        let (ours, listed) = (self.value?, self.listed?);
        if ours == listed {
            return None;
        }
        let (win, holds) = match &self.proof {
            Proof::Smallest { win, holds } => (win, holds),
            _ => return Some(self.reason()),
        };
        let turn = win.finding.least_turn();
        Some(match self.sequence.quantity {
            // Between two boards Black wins on the smaller counts; a hold on the listed one refutes it.
            Quantity::Board if listed == 0 || ours < listed => certified(win),
            Quantity::Board => {
                let hold = holds.iter().find(|hold| hold.key.board().width() == listed);
                hold.map_or_else(|| "the animal does not fit on that board".to_owned(), certified)
            }
            Quantity::Moves if listed == 0 || ours < listed => format!("{}{}", certified(win), self.on_listed(known)),
            Quantity::Moves => {
                let least = Least::of(win).map_or_else(String::new, |least| format!(" ({least})"));
                let earlier = turn.map_or(0, |turn| turn.saturating_sub(2));
                format!("no win by turn {earlier} on {}{least}{}", win.key.board().sides(), self.on_listed(known))
            }
        })
    }

    /// The number of moves on the board the encyclopedia takes for the smallest, where that is another one.
    fn on_listed(&self, known: &Tablebase) -> String {
        let Proof::Smallest { win, .. } = &self.proof else { return String::new() };
        let sequence = Sequence { quantity: Quantity::Board, ..self.sequence };
        let side = sequence.a_number().and_then(|number| listed_term(number, self.animal.n));
        let board = side.and_then(|side| Board::new(side, side, self.sequence.topology).ok());
        let board = board.filter(|board| *board != win.key.board());
        let turn = board.and_then(|board| known.get(&win.key.with_board(board))?.finding.least_turn());
        match (board, turn) {
            (Some(board), Some(turn)) => format!("; on {} it takes {}", board.sides(), moves(turn)),
            _ => String::new(),
        }
    }
}

/// `win 11 on 6x6 blake3:…`: what an entry says and the certificate that proves it.
fn certified(entry: &Entry) -> String {
    let mark = entry.certificate.map_or_else(|| "no certificate".to_owned(), |mark| mark.short());
    format!("{} on {} {mark}", entry.finding, entry.key.board().sides())
}

/// The boards White holds on.
fn held(holds: &[Entry]) -> String {
    match holds {
        [] => "no smaller board".to_owned(),
        holds => holds.iter().map(certified).collect::<Vec<_>>().join(", "),
    }
}

/// A b-file: a line for each term, up to the first that is not known, for the format has no word for it.
pub fn b_file(sequence: Sequence, known: &Tablebase) -> String {
    let terms = sequence.terms(known);
    let mut text = format!("# {}: {}\n", sequence.a_number().unwrap_or("no A-number"), sequence.title());
    text.push_str(&format!(
        "# a(n) is about the animal with code A246521(n+1); by harary {}\n",
        env!("HARARY_VERSION")
    ));
    if let Some(term) = terms.iter().find(|term| term.value.is_none()) {
        text.push_str(&format!("# a({}) is not known ({}: {})\n", term.animal.n, term.name(), term.reason()));
    }
    let proved = terms.iter().map_while(|term| Some((term.animal.n, term.value?)));
    proved.for_each(|(n, value)| text.push_str(&format!("{n} {value}\n")));
    text
}

/// A term as the encyclopedia has it.
#[derive(Clone, Debug, Deserialize)]
struct Listed {
    sequence: String,
    n: usize,
    term: usize,
}

fn read(text: &str) -> Result<Vec<Listed>, csv::Error> {
    csv::Reader::from_reader(text.as_bytes()).deserialize().collect()
}

fn listed_term(number: &str, n: usize) -> Option<usize> {
    LISTED.iter().find(|listed| listed.sequence == number && listed.n == n).map(|listed| listed.term)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(rows: &str) -> Shape {
        Shape::from_rows(rows).unwrap()
    }

    /// The shipped tablebase without some entries.
    fn without(forgotten: impl Fn(&GameKey) -> bool) -> Tablebase {
        Tablebase::shipped().entries().filter(|entry| !forgotten(&entry.key)).cloned().collect()
    }

    #[test]
    fn codes_do_not_depend_on_how_the_animal_lies() {
        for (rows, expected) in
            [("X", 1), ("XX", 3), ("X./XX", 7), ("XX/.X", 7), ("XXX", 11), ("XX/XX", 23), ("XXXX", 75)]
        {
            assert_eq!(code(&shape(rows)), expected, "{rows}");
        }
    }

    #[test]
    fn sequences_are_found_by_both_names() {
        for sequence in SEQUENCES {
            assert_eq!(Sequence::find(&sequence.name()), Some(sequence));
            assert!(sequence.a_number().is_none_or(|number| Sequence::find(&number.to_lowercase()) == Some(sequence)));
        }
        assert_eq!(Sequence::find("board"), None);
    }

    #[test]
    fn broken_pavings_prove_nothing() {
        let fatty = shape("XX/XX");
        let paving = plane_paving(&fatty).unwrap();
        assert!(proves(&paving, &fatty) && !proves(&paving, &shape("XXX")));
        for index in 0..paving.pairs.len() {
            let mut pairs = paving.pairs.clone();
            pairs.remove(index);
            assert!(!proves(&PeriodicPaving { pairs, ..paving.clone() }, &fatty));
        }
        let mut pairs = paving.pairs.clone();
        pairs.push(paving.pairs[0]);
        assert!(!proves(&PeriodicPaving { pairs, ..paving.clone() }, &fatty), "a cell in two pairs");
        assert!(plane_paving(&shape("XXXX")).is_none());
    }

    #[test]
    fn a_term_needs_every_smaller_board() {
        let strong_board = SEQUENCES[0];
        let is_skinny = |term: &&Term| term.name() == "skinny";
        let whole = strong_board.terms(Tablebase::shipped());
        let side = whole.iter().find(is_skinny).unwrap().value.unwrap();
        for forgotten in 4..side {
            let known = without(|key| key.name() == "skinny" && key.board().width() == forgotten);
            let terms = strong_board.terms(&known);
            let term = terms.iter().find(is_skinny).unwrap();
            let Proof::Open { holds, stuck, at_most, .. } = &term.proof else { panic!("{term:?}") };
            assert_eq!((term.value, stuck.width(), *at_most), (None, forgotten, Some(side)));
            assert_eq!(holds.len(), forgotten - 4);
            assert_eq!(term.difference(&known), None, "what is not known contradicts nobody");
        }
    }

    #[test]
    fn pavings_need_no_atlas_and_nothing_else_is_known_without_one() {
        let nothing = Tablebase::default();
        for sequence in SEQUENCES {
            for term in sequence.terms(&nothing) {
                assert!(
                    term.value.is_none() || term.value == Some(0) && matches!(term.proof, Proof::Never(_)),
                    "{term:?}"
                );
                assert!(sequence.topology == Topology::Plain || term.value.is_none());
            }
        }
    }

    #[test]
    fn the_listed_terms_are_about_our_sequences() {
        let listed = read(include_str!("../../tablebases/oeis.csv")).unwrap();
        let animals = in_order().len();
        assert!(listed.iter().all(|term| Sequence::find(&term.sequence).is_some() && (1..=animals).contains(&term.n)));
    }

    #[test]
    fn a_wrong_listed_term_is_refuted_whichever_way_it_errs() {
        let known = Tablebase::shipped();
        let term = |sequence: Sequence, name: &str, listed| {
            let term = sequence.terms(known).into_iter().find(|term| term.name() == name).unwrap();
            Term { listed: Some(listed), ..term }.difference(known)
        };
        let [board, moves] = [SEQUENCES[0], SEQUENCES[1]];
        assert_eq!(term(board, "tippy", 3), None);
        for (sequence, name, listed, word) in [
            (board, "tippy", 4, "win 9 on 3x3 blake3:"),
            (board, "tippy", 0, "win 9 on 3x3 blake3:"),
            (board, "knobby", 4, "hold on 4x4 blake3:"),
            (board, "knobby", 2, "does not fit"),
            (board, "fatty", 5, "paving of the plane"),
            (moves, "tippy", 6, "win 9 on 3x3 blake3:"),
            (moves, "tippy", 4, "no win by turn 7 on 3x3 (certified blake3:"),
        ] {
            let why = term(sequence, name, listed).unwrap();
            assert!(why.contains(word), "{why}");
        }
    }
}
