//! The arguments that say what is played for and where: a target and a board of some family.

use super::ending::{OrUsage, UsageError};
use crate::atlas::Shapes;
use crate::game::ground::{Family, Ground};
use crate::game::target::{Part, Target};
pub use crate::game::words::{NamedTarget, build, parse_target};
use crate::game::words::{ground, parse_row};
use clap::Args;
use harary_certificate::Board;

/// How a target may be written, for the long help of every subcommand that takes one.
pub const TARGET_HELP: &str = "What is to be completed. A shape: a name (skinny, L5, D5), cells \"0,0 1,0 2,0\", rows \
    XX./.XX, or a file of shapes (@FILE, or a path with a / or ending in .txt; @FILE#NAME if it holds several). Several, any \
    of them: \"I5+D5\". Or row5 (also --row 5), lines (--lines), or hex: the game of Hex. A file holds a picture (rows of X \
    and ., the top row first), or several with a line 'name: WORD' above each and an empty line between";

/// How the targets of the atlas may be written.
pub const SHAPES_HELP: &str = "What is to be completed. A shape: a name (skinny, L5, D5), cells \"0,0 1,0 2,0\", rows \
    XX./.XX, or a file of shapes (@FILE, or a path with a / or ending in .txt; @FILE#NAME if it holds several). Several, any \
    of them: \"I5+D5\", or row5, which is the same. A file holds a picture (rows of X and ., the top row first), or several \
    with a line 'name: WORD' above each and an empty line between";

/// How a board may be written.
pub const GROUND_HELP: &str =
    "The board: WxH from 1x1 to 19x19, a strip such as 300x1, or a box of cubes such as 4x4x4";

/// The family of a board.
#[derive(Args, Clone, Copy, Debug)]
pub struct FamilyArguments {
    /// Glue the edges of the board
    #[arg(long)]
    pub torus: bool,
    /// Glue the left edge of the board to the right one
    #[arg(long, conflicts_with = "torus")]
    pub cylinder: bool,
    /// Hexagonal cells, each row half a cell to the right of the one below
    #[arg(long, conflicts_with_all = ["torus", "cylinder"])]
    pub hexagonal: bool,
}

impl FamilyArguments {
    /// The family asked for.
    pub fn family(self) -> Family {
        match self {
            FamilyArguments { torus: true, .. } => Family::Torus,
            FamilyArguments { cylinder: true, .. } => Family::Cylinder,
            FamilyArguments { hexagonal: true, .. } => Family::Hexagonal,
            _ => Family::Plain,
        }
    }

    /// The ground of these sides for a target: Hex needs no word for its cells.
    pub fn ground(self, sides: &str, target: &Target) -> anyhow::Result<Ground> {
        ground(sides, self.family(), target)
    }
}

/// A target as an option, where it is no shape.
#[derive(Args, Clone, Debug)]
pub struct LineArguments {
    /// K in a row, with all diagonals: the m,n,k games, and qubic on 4x4x4. Leave out the shape
    #[arg(long, value_name = "K", conflicts_with = "lines", value_parser = parse_row)]
    pub row: Option<usize>,
    /// The full lines of a board with equal sides, as in tic-tac-toe. Leave out the shape
    #[arg(long)]
    pub lines: bool,
}

impl LineArguments {
    /// The target in the words of a target.
    pub fn words(&self) -> Option<String> {
        match (self.row, self.lines) {
            (Some(length), _) => Some(Part::Row(length).to_string()),
            (None, true) => Some(Part::Lines.to_string()),
            (None, false) => None,
        }
    }
}

/// A target on a board.
#[derive(Args, Clone, Debug)]
pub struct PlaceArguments {
    #[arg(help = TARGET_HELP, required_unless_present_any = ["row", "lines"])]
    shape: Option<String>,
    #[arg(help = GROUND_HELP, required_unless_present_any = ["row", "lines"])]
    board: Option<String>,
    #[command(flatten)]
    lines: LineArguments,
    #[command(flatten)]
    family: FamilyArguments,
}

impl PlaceArguments {
    /// What is asked for.
    pub fn placed(&self) -> anyhow::Result<(NamedTarget, Ground)> {
        let (target, board) = words(self.shape.as_deref(), self.board.as_deref(), &self.lines)?;
        placed(&target, board, self.family)
    }
}

/// The words of the target and of the board. With `--row` or `--lines` the shape is left out, and the one word is the board.
pub fn words<'a>(
    shape: Option<&'a str>,
    board: Option<&'a str>,
    lines: &LineArguments,
) -> anyhow::Result<(String, &'a str)> {
    match (lines.words(), shape, board) {
        (None, Some(shape), Some(board)) => Ok((shape.to_owned(), board)),
        (Some(line), Some(board), None) => Ok((line, board)),
        (Some(line), Some(shape), Some(_)) => {
            Err(UsageError(format!("a shape or {line}, not both; for either of them write \"{shape}+{line}\"")).into())
        }
        _ => Err(UsageError("a game needs a shape and a board, or --pg FILE".to_owned()).into()),
    }
}

/// A target of the atlas: a shape or several, which may be about a board.
pub fn parse_shapes(text: &str, board: Option<&Board>) -> anyhow::Result<(NamedTarget, Shapes)> {
    let named = parse_target(text, Family::Plain)?;
    let shapes = Shapes::of_target(&named.target, board).usage()?;
    Ok((named, shapes))
}

/// The target and the ground these words mean.
pub fn placed(target: &str, board: &str, family: FamilyArguments) -> anyhow::Result<(NamedTarget, Ground)> {
    let named = parse_target(target, family.family())?;
    let ground = family.ground(board, &named.target)?;
    Ok((named, ground))
}
