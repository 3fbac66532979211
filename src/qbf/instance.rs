//! What a formula is about: a game, an encoding, a number of turns, a mode. It is written into the comments of the
//! formula, completely, and can be read back from there.

use crate::game::{Game, GameError, Origin, Sets};
use crate::qbf::symmetry_breaking::DEEPEST;
use harary_certificate::{Board, BoardError, Cell, Rule, Schedule, Shape, ShapeError, Topology, WideSet};
use std::collections::BTreeSet;
use std::fmt;
use thiserror::Error;

/// The published encodings.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, clap::ValueEnum, serde::Serialize, serde::Deserialize,
)]
pub enum Encoding {
    /// COR: corrective encoding.
    #[value(name = "cor")]
    #[serde(rename = "cor")]
    Cor,
    /// COR+: moves in binary on both sides.
    #[value(name = "cor+")]
    #[serde(rename = "cor+")]
    CorPlus,
    /// COR++: COR+ without symmetric first moves.
    #[value(name = "cor++")]
    #[serde(rename = "cor++")]
    CorPlusPlus,
    /// PAIRING: White holds, by play and then by pairs.
    #[value(name = "pairing")]
    #[serde(rename = "pairing")]
    Pairing,
    /// COVER: Black wins inside the sets around his first stone.
    #[value(name = "cover")]
    #[serde(rename = "cover")]
    Cover,
    /// DYS: a variable for each move.
    #[value(name = "dys")]
    #[serde(rename = "dys")]
    Dys,
}

impl Encoding {
    /// All of them.
    pub const ALL: [Encoding; 6] =
        [Encoding::Cor, Encoding::CorPlus, Encoding::CorPlusPlus, Encoding::Pairing, Encoding::Cover, Encoding::Dys];

    /// As it is written on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Encoding::Cor => "cor",
            Encoding::CorPlus => "cor+",
            Encoding::CorPlusPlus => "cor++",
            Encoding::Pairing => "pairing",
            Encoding::Cover => "cover",
            Encoding::Dys => "dys",
        }
    }

    /// The encoding with this name.
    pub fn parse(name: &str) -> Option<Encoding> {
        Encoding::ALL.into_iter().find(|encoding| encoding.name() == name)
    }

    /// The turn to which lean formulas leave out symmetric moves, unless told otherwise. On a torus the first stone
    /// leaves eight symmetries and turn 2 is worth it (five times faster with DepQBF 6.03); on plain boards there is
    /// little left, and PAIRING may even suffer. COR and COR+ keep to turn 1: with turn 2 they would be COR++.
    pub fn usual_symmetry(self, game: &Game) -> usize {
        let torus = game.shape_on_board().is_some_and(|(_, board)| board.is_torus());
        match self {
            Encoding::CorPlusPlus => 2,
            Encoding::Pairing | Encoding::Cover if torus => 2,
            _ => 1,
        }
    }

    /// Lean mode with its usual symmetry, or the formula as published.
    pub fn mode(self, game: &Game, faithful: bool) -> Mode {
        if faithful { Mode::Faithful } else { Mode::Lean { symmetry: self.usual_symmetry(game) } }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How an encoding is written down.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Mode {
    /// As published, clause by clause, redundant ones and repeated winning sets included.
    Faithful,
    /// Distinct winning sets, no variable for what is known, no clause that says nothing new, and symmetric moves left
    /// out up to this turn.
    Lean {
        /// The turn up to which symmetric moves are left out.
        symmetry: usize,
    },
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mode::Faithful => f.write_str("faithful"),
            Mode::Lean { symmetry } => write!(f, "lean symmetry {symmetry}"),
        }
    }
}

/// Why a game cannot be written in an encoding.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum InstanceError {
    /// The game is over before.
    #[error("the game has {turns} turns, so --turns is 0 to {turns}, not {asked}")]
    TooManyTurns {
        /// The turns asked for.
        asked: usize,
        /// The turns of the game.
        turns: usize,
    },
    /// The encoding is for players who alternate.
    #[error("{0} needs players who take turns one stone at a time; use cor, cor+ or dys for this order of turns")]
    NeedsAlternation(Encoding),
    /// The encoding is for a shape on a board.
    #[error("{0} needs a shape on a board; use cor, cor+, pairing or dys for a game of sets")]
    NeedsBoard(Encoding),
    /// The formula as published is for square tori.
    #[error("published COR++ is for square tori; use cor+, or cor++ in lean mode")]
    NeedsSquareTorus,
    /// Symmetry beyond what is worth it.
    #[error("symmetry is used up to turn {DEEPEST} at most, not {0}")]
    TooDeep(usize),
    /// The encoding cannot leave out symmetric moves so late.
    #[error("{encoding} leaves out symmetric moves at turn 1 only, not at turn {asked}")]
    NoSymmetry {
        /// Which one.
        encoding: Encoding,
        /// The turn asked for.
        asked: usize,
    },
}

/// A formula before it is written. Legal by construction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    pub(super) game: Game,
    pub(super) encoding: Encoding,
    pub(super) turns: usize,
    pub(super) mode: Mode,
}

impl Instance {
    /// An instance, if the encoding can say it.
    pub fn new(game: Game, encoding: Encoding, turns: usize, mode: Mode) -> Result<Instance, InstanceError> {
        if turns > game.schedule().len() {
            return Err(InstanceError::TooManyTurns { asked: turns, turns: game.schedule().len() });
        }
        let board = game.shape_on_board().map(|(_, board)| board);
        if matches!(encoding, Encoding::Pairing | Encoding::Cover) && !game.schedule().is_alternating() {
            return Err(InstanceError::NeedsAlternation(encoding));
        }
        if matches!(encoding, Encoding::Cover | Encoding::CorPlusPlus) && board.is_none() {
            return Err(InstanceError::NeedsBoard(encoding));
        }
        match mode {
            Mode::Faithful => {
                if encoding == Encoding::CorPlusPlus && !board.is_some_and(|b| b.is_square() && b.is_torus()) {
                    return Err(InstanceError::NeedsSquareTorus);
                }
                if encoding == Encoding::CorPlusPlus && !game.schedule().is_alternating() {
                    return Err(InstanceError::NeedsAlternation(encoding));
                }
            }
            Mode::Lean { symmetry } if symmetry > DEEPEST => return Err(InstanceError::TooDeep(symmetry)),
            Mode::Lean { symmetry } if symmetry > 1 && encoding == Encoding::Dys => {
                return Err(InstanceError::NoSymmetry { encoding, asked: symmetry });
            }
            Mode::Lean { .. } => {}
        }
        Ok(Instance { game, encoding, turns, mode })
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The encoding.
    pub fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The number of turns.
    pub fn turns(&self) -> usize {
        self.turns
    }

    /// Faithful or lean.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// What it means that the formula is true.
    pub fn meaning(&self) -> String {
        let k = self.turns;
        match self.encoding {
            Encoding::Cor | Encoding::CorPlus | Encoding::CorPlusPlus | Encoding::Dys => {
                format!("Black wins the {} game at turn {k} or earlier", self.game.rule())
            }
            Encoding::Cover => format!(
                "Black wins the {} game at turn {k} or earlier, playing only in winning sets through his first stone",
                self.game.rule()
            ),
            Encoding::Pairing => {
                format!("White keeps Black from ever completing a set, with a paving after turn {k} or earlier")
            }
        }
    }

    /// The comment lines: everything needed to write the formula again.
    pub(super) fn comments(&self) -> Vec<String> {
        let game = &self.game;
        let mut lines = vec![
            "harary formula 1".to_owned(),
            format!("encoding {}", self.encoding),
            format!("mode {}", self.mode),
            format!("turns {}", self.turns),
            format!("rule {}", game.rule()),
            format!("schedule {}", game.schedule().letters()),
        ];
        match game.origin() {
            Origin::Board { shape, board } => {
                lines.push(format!("board {board}"));
                lines.push(format!("shape {shape}"));
            }
            Origin::Built { .. } | Origin::Sets { .. } => {
                let names: Vec<String> = (0..game.vertices()).map(|index| game.vertex_name(Cell::new(index))).collect();
                let named = |set: &WideSet| set.iter().map(|c| game.vertex_name(c)).collect::<Vec<_>>().join(" ");
                lines.push(format!("vertices {}", names.join(" ")));
                lines.extend(game.black_sets().iter().map(|set| format!("black-set {}", named(set))));
                lines.extend(game.white_sets().iter().map(|set| format!("white-set {}", named(set))));
                lines.push(format!("black-start {}", named(game.black_start())).trim_end().to_owned());
                lines.push(format!("white-start {}", named(game.white_start())).trim_end().to_owned());
                if let Some(first) = game.first() {
                    lines.push(format!("first {}", named(first)));
                }
            }
        }
        lines.push(format!("true-means {}", self.meaning()));
        lines
    }

    /// Reads the instance from the comments of a formula (the lines that start with `c `, in order).
    pub fn from_comments<'a>(comments: impl IntoIterator<Item = &'a str>) -> Result<Instance, CommentError> {
        let mut comments = comments.into_iter().map(|line| line.split_once(' ').unwrap_or((line, "")));
        if comments.next() != Some(("harary", "formula 1")) {
            return Err(CommentError::NotOurs);
        }
        let mut fields = Fields::default();
        for (word, rest) in comments.take_while(|&(word, _)| word != "true-means" && word != "var") {
            fields.read(word, rest)?;
        }
        fields.instance()
    }
}

/// Why the comments of a formula do not name an instance.
#[derive(Debug, Error)]
pub enum CommentError {
    /// It does not begin as ours do.
    #[error("this formula was not written by `harary encode`: it does not start with 'c harary formula 1'")]
    NotOurs,
    /// A comment that must be there.
    #[error("the comment '{0}' is missing")]
    Missing(&'static str),
    /// A comment that makes no sense: its first word, and the rest.
    #[error("the comment '{0} {1}' cannot be read")]
    Unreadable(String, String),
    /// No shape.
    #[error("the comment on the shape cannot be read: {0}")]
    Shape(#[from] ShapeError),
    /// No board.
    #[error("the comment on the board cannot be read: {0}")]
    Board(#[from] BoardError),
    /// No game.
    #[error("the comments describe no game: {0}")]
    Game(#[from] GameError),
    /// A game the encoding cannot say.
    #[error("the comments describe no instance: {0}")]
    Instance(#[from] InstanceError),
}

/// The comments as they are read.
#[derive(Default)]
struct Fields {
    encoding: Option<Encoding>,
    mode: Option<Mode>,
    turns: Option<usize>,
    rule: Option<Rule>,
    schedule: Option<Schedule>,
    board: Option<Board>,
    shape: Option<Shape>,
    names: Option<Vec<String>>,
    black: Vec<WideSet>,
    white: Vec<WideSet>,
    black_start: WideSet,
    white_start: WideSet,
    first: Option<WideSet>,
}

impl Fields {
    fn read(&mut self, word: &str, rest: &str) -> Result<(), CommentError> {
        let wrong = || CommentError::Unreadable(word.to_owned(), rest.to_owned());
        match word {
            "encoding" => self.encoding = Some(Encoding::parse(rest).ok_or_else(wrong)?),
            "mode" if rest == "faithful" => self.mode = Some(Mode::Faithful),
            "mode" => {
                let symmetry = rest.strip_prefix("lean symmetry ").and_then(|n| n.parse().ok()).ok_or_else(wrong)?;
                self.mode = Some(Mode::Lean { symmetry });
            }
            "turns" => self.turns = Some(rest.parse().map_err(|_| wrong())?),
            "rule" => {
                self.rule = Some(match rest {
                    "strong" => Rule::Strong,
                    "weak" => Rule::Weak,
                    _ => return Err(wrong()),
                });
            }
            "schedule" => self.schedule = Some(Schedule::from_letters(rest).ok_or_else(wrong)?),
            "board" => {
                let (sides, topology) = rest.split_once(' ').ok_or_else(wrong)?;
                let topology = match topology {
                    "plain" => Topology::Plain,
                    "torus" => Topology::Torus,
                    _ => return Err(wrong()),
                };
                self.board = Some(Board::parse(sides, topology)?);
            }
            "shape" => self.shape = Some(Shape::from_cells(rest)?),
            // Sets are read by name, so a name means one vertex, and there is one list of them.
            "vertices" if self.names.is_none() => {
                let names: Vec<String> = rest.split(' ').map(str::to_owned).collect();
                // A control character would be lost on the way: lines end with some of them.
                let told_apart = names.iter().collect::<BTreeSet<_>>().len() == names.len();
                if !told_apart || rest.contains(char::is_control) {
                    return Err(wrong());
                }
                self.names = Some(names);
            }
            "black-set" => {
                let set = self.set(rest).ok_or_else(wrong)?;
                self.black.push(set);
            }
            "white-set" => {
                let set = self.set(rest).ok_or_else(wrong)?;
                self.white.push(set);
            }
            "black-start" => self.black_start = self.set(rest).ok_or_else(wrong)?,
            "white-start" => self.white_start = self.set(rest).ok_or_else(wrong)?,
            "first" => self.first = Some(self.set(rest).ok_or_else(wrong)?),
            _ => return Err(wrong()),
        }
        Ok(())
    }

    /// A set of vertices by name.
    fn set(&self, text: &str) -> Option<WideSet> {
        let names = self.names.as_ref()?;
        text.split_whitespace()
            .map(|name| {
                let index = names.iter().position(|known| known == name)?;
                (index < harary_certificate::MAX_CELLS).then(|| harary_certificate::Cell::new(index))
            })
            .collect()
    }

    fn instance(self) -> Result<Instance, CommentError> {
        let rule = self.rule.ok_or(CommentError::Missing("rule"))?;
        let schedule = self.schedule.ok_or(CommentError::Missing("schedule"))?;
        let game = match self.names {
            Some(names) => Game::of_sets(Sets {
                names,
                black: self.black,
                white: self.white,
                rule,
                schedule,
                black_start: self.black_start,
                white_start: self.white_start,
                first: self.first,
            })?,
            None => {
                let shape = self.shape.ok_or(CommentError::Missing("shape"))?;
                let board = self.board.ok_or(CommentError::Missing("board"))?;
                let game = Game::new(shape, board, rule);
                let letters = schedule.letters();
                scheduled(game, &schedule).ok_or(CommentError::Unreadable("schedule".to_owned(), letters))?
            }
        };
        Ok(Instance::new(
            game,
            self.encoding.ok_or(CommentError::Missing("encoding"))?,
            self.turns.ok_or(CommentError::Missing("turns"))?,
            self.mode.ok_or(CommentError::Missing("mode"))?,
        )?)
    }
}

/// The game of a shape on a board with this order of turns, which must be one of GTTT(p,q): the only ones there are.
fn scheduled(game: Game, schedule: &Schedule) -> Option<Game> {
    let turns = game.schedule().len();
    if game.schedule() == schedule {
        return Some(game);
    }
    (1..=turns)
        .flat_map(|p| (1..=turns).map(move |q| (p, q)))
        .find(|&(p, q)| Schedule::stones(p, q, turns) == *schedule)
        .and_then(|(p, q)| game.with_stones(p, q).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Found by a fuzzer: a set of names was read as one set and written as another.
    #[test]
    fn a_name_means_one_vertex() {
        let comments = |vertices: &str| {
            format!(
                "harary formula 1\nencoding cor\nmode lean symmetry 1\nturns 2\nrule strong\nschedule BWB\n{vertices}\n\
                 black-set a b\nwhite-set a b\nblack-start\nwhite-start"
            )
        };
        let read = |vertices: &str| Instance::from_comments(comments(vertices).lines());
        assert!(read("vertices a b c").is_ok());
        for vertices in ["vertices a b a", "vertices a b c\nvertices b a c", "vertices a b c\r\r"] {
            assert!(
                matches!(read(vertices), Err(CommentError::Unreadable(word, _)) if word == "vertices"),
                "{vertices}"
            );
        }
    }
}
