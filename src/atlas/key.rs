//! A game of the atlas.

use crate::game::Game;
use crate::game::catalogue::Catalogue;
use harary_certificate::{Board, Header, Rule, Setting, Shape, Topology};
use std::cmp::Ordering;
use std::fmt;

/// A shape on a board under a rule, up to what makes no difference: the shape is in canonical form, and the board is
/// not wider than high.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct GameKey {
    shape: Shape,
    board: Board,
    rule: Rule,
}

impl GameKey {
    /// The game of a shape, a board and a rule.
    pub fn new(shape: &Shape, board: Board, rule: Rule) -> GameKey {
        GameKey { shape: shape.canonical(), board: upright(board), rule }
    }

    /// The key of a game, if it is a shape on a board with nothing special: players alternating from an empty board.
    pub fn of(game: &Game) -> Option<GameKey> {
        let (shape, board) = game.shape_on_board()?;
        let empty = game.black_start().is_empty() && game.white_start().is_empty();
        let usual = empty && game.first().is_none() && game.schedule().is_alternating();
        (usual && game.schedule().len() == board.size()).then(|| GameKey::new(shape, *board, game.rule()))
    }

    /// The key of the game that a certificate is about, if it is such a one.
    pub fn of_header(header: &Header) -> Option<GameKey> {
        let Setting::Board { shape, board } = &header.setting else { return None };
        let empty = header.start.is_empty() && header.first.is_none();
        let usual = empty && header.turns.is_alternating() && header.turns.len() == board.size();
        usual.then(|| GameKey::new(shape, *board, header.rule))
    }

    /// In canonical form.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Not wider than high.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The rule.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The last turn at which Black moves.
    pub fn last_turn(&self) -> usize {
        (self.board.size() - 1) / 2 * 2 + 1
    }

    /// The same on another board.
    pub fn with_board(&self, board: Board) -> GameKey {
        GameKey { board: upright(board), ..self.clone() }
    }

    /// The same under another rule.
    pub fn with_rule(&self, rule: Rule) -> GameKey {
        GameKey { rule, ..self.clone() }
    }

    /// The same on a plain board or a torus of these sides.
    pub fn with_topology(&self, topology: Topology) -> GameKey {
        GameKey { board: with_sides(self.board.width(), self.board.height(), topology), ..self.clone() }
    }

    /// The catalogue's name of the shape, or its cells.
    pub fn name(&self) -> String {
        Catalogue::standard().find_shape(&self.shape).map_or_else(|| self.shape.to_string(), |entry| entry.name.clone())
    }

    /// The game as `harary solve NAME BOARD` plays it: the shape in the catalogue's orientation if it is there, so that
    /// the certificates are the same byte for byte.
    pub fn game(&self) -> Game {
        Game::new(as_catalogued(&self.shape).clone(), self.board, self.rule)
    }

    /// What its certificate is called: `skinny-7x7-plain-strong.cert.zst`, with `part` before the ending; shapes without a
    /// name are called by their cells.
    pub fn file_name(&self, part: &str) -> String {
        format!("{}{part}.cert.zst", self.stem())
    }

    /// What files and folders about it are called: `skinny-7x7-plain-strong`.
    pub fn stem(&self) -> String {
        let name: String =
            self.name().chars().map(|letter| if letter.is_alphanumeric() { letter } else { '-' }).collect();
        format!("{name}-{}-{}-{}", self.board.sides(), self.board.topology(), self.rule)
    }

    /// How to ask for this game on the command line: `skinny 7x7 --torus --rule weak`.
    pub fn arguments(&self) -> String {
        let name = match Catalogue::standard().find_shape(&self.shape) {
            Some(entry) => entry.name.clone(),
            None => format!("\"{}\"", self.shape),
        };
        let torus = if self.board.is_torus() { " --torus" } else { "" };
        let rule = if self.rule == Rule::Weak { " --rule weak" } else { "" };
        format!("{name} {}{torus}{rule}", self.board.sides())
    }
}

/// The shape lying as the catalogue has it, if it is there: this is how it is printed.
pub fn as_catalogued(shape: &Shape) -> &Shape {
    Catalogue::standard().find_shape(shape).map_or(shape, |entry| &entry.shape)
}

/// Small shapes first, then plain boards before tori, then small boards.
impl Ord for GameKey {
    fn cmp(&self, other: &GameKey) -> Ordering {
        let rank = |key: &GameKey| (key.board.topology(), key.board.size(), key.board, key.rule == Rule::Weak);
        let shapes = (self.shape.size(), &self.shape).cmp(&(other.shape.size(), &other.shape));
        shapes.then_with(|| rank(self).cmp(&rank(other)))
    }
}

impl PartialOrd for GameKey {
    fn partial_cmp(&self, other: &GameKey) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// `skinny 7x7 plain strong`.
impl fmt::Display for GameKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.name(), self.board, self.rule)
    }
}

/// The board turned so that it is not wider than high: shapes come in all orientations, so the game is the same.
fn upright(board: Board) -> Board {
    with_sides(board.width().min(board.height()), board.width().max(board.height()), board.topology())
}

/// A board with the sides of another: legal because that one is.
fn with_sides(width: usize, height: usize, topology: Topology) -> Board {
    Board::new(width, height, topology).expect("sides of a board")
}
