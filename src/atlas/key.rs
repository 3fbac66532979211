//! A game of the atlas.

use super::shapes::{Shapes, as_catalogued};
use crate::game::ground::Ground;
use crate::game::{Game, Origin};
use harary_certificate::{Board, Rule, Shape, Topology};
use std::cmp::Ordering;
use std::fmt;

/// A shape or several on a board under a rule, up to what makes no difference: the shapes are spelled in one way, and the
/// board is not wider than high.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct GameKey {
    shapes: Shapes,
    board: Board,
    rule: Rule,
}

impl GameKey {
    /// The game of a shape or several, a board and a rule.
    pub fn new(shapes: impl Into<Shapes>, board: Board, rule: Rule) -> GameKey {
        GameKey { shapes: shapes.into(), board: upright(board), rule }
    }

    /// The key of a game, if it is shapes on a board with nothing special: players alternating from an empty board.
    pub fn of(game: &Game) -> Option<GameKey> {
        let board = game.board()?;
        let shapes = match game.origin() {
            Origin::Board { shape, .. } => shape.into(),
            Origin::Built { target, .. } => Shapes::of_target(target, Some(&board)).ok()?,
            Origin::Sets { .. } => return None,
        };
        let empty = game.black_start().is_empty() && game.white_start().is_empty();
        let usual = empty && game.first().is_none() && game.schedule().is_alternating();
        (usual && game.schedule().len() == board.size()).then(|| GameKey::new(shapes, board, game.rule()))
    }

    /// What is to be completed.
    pub fn shapes(&self) -> &Shapes {
        &self.shapes
    }

    /// In canonical form, if one shape and nothing else is to be completed.
    pub fn shape(&self) -> Option<&Shape> {
        self.shapes.only()
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

    /// The catalogue's name of the shape, or its cells; of several all of them, `I5+D5`.
    pub fn name(&self) -> String {
        self.shapes.name()
    }

    /// The game as `harary solve NAME BOARD` plays it: the shape in the catalogue's orientation if it is there, so that
    /// the certificates are the same byte for byte.
    pub fn game(&self) -> Game {
        match self.shape() {
            Some(shape) => Game::new(as_catalogued(shape).clone(), self.board, self.rule),
            // Shapes on a board of squares, so few that all their images can be written out: see `MOST_SHAPES`.
            None => Game::built(self.shapes.target(), Ground::of_board(&self.board), self.rule)
                .expect("a few shapes on a board are a game"),
        }
    }

    /// What its certificate is called: `skinny-7x7-plain-strong.cert.zst`, with `part` before the ending; shapes without a
    /// name are called by their cells.
    pub fn file_name(&self, part: &str) -> String {
        format!("{}{part}.cert.zst", self.stem())
    }

    /// What files and folders about it are called: `skinny-7x7-plain-strong`, `I5+D5-7x7-plain-strong`.
    pub fn stem(&self) -> String {
        // A name is letters, digits and what stands between them; a plus is between shapes only.
        let kept = |letter: char| letter.is_alphanumeric() || letter == '+';
        let name: String = self.name().chars().map(|letter| if kept(letter) { letter } else { '-' }).collect();
        format!("{name}-{}-{}-{}", self.board.sides(), self.board.topology(), self.rule)
    }

    /// How to ask for this game on the command line: `skinny 7x7 --torus --rule weak`.
    pub fn arguments(&self) -> String {
        let name = self.name();
        // Shapes without a name are called by their cells, with blanks between them.
        let name = if name.contains(' ') { format!("\"{name}\"") } else { name };
        let torus = if self.board.is_torus() { " --torus" } else { "" };
        let rule = if self.rule == Rule::Weak { " --rule weak" } else { "" };
        format!("{name} {}{torus}{rule}", self.board.sides())
    }
}

/// Single shapes first, small ones before large ones, then plain boards before tori, then small boards.
impl Ord for GameKey {
    fn cmp(&self, other: &GameKey) -> Ordering {
        let rank = |key: &GameKey| (key.board.topology(), key.board.size(), key.board, key.rule == Rule::Weak);
        self.shapes.cmp(&other.shapes).then_with(|| rank(self).cmp(&rank(other)))
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
