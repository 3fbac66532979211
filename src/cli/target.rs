//! The arguments that say what is played for and where: a target and a board of some family.

use super::ending::{OrUsage, UsageError};
use super::shape_words::{NamedShape, parse_shape};
use crate::game::Game;
use crate::game::catalogue::Catalogue;
use crate::game::ground::{Family, Ground};
use crate::game::target::{Part, Target};
use clap::Args;
use harary_certificate::Rule;
use std::path::Path;

/// How a target may be written, for the long help of every subcommand that takes one.
pub const TARGET_HELP: &str = "What is to be completed. A shape: a name (skinny, L5, D5), cells \"0,0 1,0 2,0\", rows \
    XX./.XX, or a file of shapes (@FILE, or a path with a / or ending in .txt; @FILE#NAME if it holds several). Several, any \
    of them: \"I5+D5\". Or row5 (also --row 5), lines (--lines), or hex: the game of Hex. A file holds a picture (rows of X \
    and ., the top row first), or several with a line 'name: WORD' above each and an empty line between";

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
        let family = match self.family() {
            Family::Plain if target.is_connection() => Family::Hexagonal,
            family => family,
        };
        Ground::parse(sides.trim(), family).usage()
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

/// The target and the ground these words mean.
pub fn placed(target: &str, board: &str, family: FamilyArguments) -> anyhow::Result<(NamedTarget, Ground)> {
    let named = parse_target(target, family.family())?;
    let ground = family.ground(board, &named.target)?;
    Ok((named, ground))
}

/// A target and what to call it.
#[derive(Clone, Debug)]
pub struct NamedTarget {
    /// The names of its parts, joined by `+`.
    pub name: String,
    /// The target.
    pub target: Target,
}

/// Reads the number of cells in a row.
fn parse_row(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(length @ 1..) => Ok(length),
        _ => Err(format!("'{text}' is no number of cells in a row; write --row 5")),
    }
}

/// Reads a target in any of the ways of [`TARGET_HELP`], for a board of this family.
pub fn parse_target(text: &str, family: Family) -> anyhow::Result<NamedTarget> {
    // The name of a file may have a plus in it.
    let is_file = Path::new(text.trim().trim_start_matches('@').split('#').next().unwrap_or_default()).is_file();
    let several = !is_file && text.contains('+');
    let words: Vec<&str> = if several { text.split('+').map(str::trim).collect() } else { vec![text] };
    if several && words.iter().any(|word| word.is_empty()) {
        return Err(UsageError(format!("'{text}' lacks a shape; several are written I5+D5")).into());
    }
    let parts = words.into_iter().map(|word| parse_part(word, family)).collect::<anyhow::Result<Vec<_>>>()?;
    let mut names: Vec<String> = Vec::new();
    for (name, _) in &parts {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    Ok(NamedTarget { name: names.join("+"), target: Target::new(parts.into_iter().map(|(_, part)| part)) })
}

/// One part of a target, and its name.
fn parse_part(text: &str, family: Family) -> anyhow::Result<(String, Part)> {
    let word = text.trim().to_ascii_lowercase();
    let part = match word.as_str() {
        "hex" => Some(Part::Connection),
        "lines" => Some(Part::Lines),
        word => match word.strip_prefix("row") {
            Some(digits) => Some(Part::Row(parse_row(digits).map_err(UsageError)?)),
            None => None,
        },
    };
    if let Some(part) = part {
        return Ok((part.to_string(), part));
    }
    if family != Family::Hexagonal {
        let NamedShape { name, shape } = parse_shape(text)?;
        return Ok((name, Part::Shape(shape)));
    }
    if let Some(entry) = Catalogue::hexagonal().find(&word) {
        return Ok((entry.name.clone(), Part::Shape(entry.shape.clone())));
    }
    // A name of squares would say something else than what lies there; lines are lines.
    let NamedShape { name, shape } = parse_shape(text)?;
    let name = if name.eq_ignore_ascii_case(&word) { name } else { shape.to_string() };
    Ok((name, Part::Shape(shape)))
}

/// The game of a target on a board.
pub fn build(target: Target, ground: Ground, rule: Option<Rule>) -> anyhow::Result<Game> {
    // Somebody connects in Hex, and not both: the weak game is the whole game (docs/game.md, lemma on Hex).
    let usual = if target.is_connection() { Rule::Weak } else { Rule::Strong };
    Game::built(target, ground, rule.unwrap_or(usual)).usage()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, family: Family) -> (String, usize) {
        let named = parse_target(text, family).unwrap();
        (named.name, named.target.parts().len())
    }

    #[test]
    fn targets_are_read_and_named() {
        for (text, family, name, parts) in [
            ("skinny", Family::Plain, "skinny", 1),
            ("I5+D5", Family::Plain, "I5+D5", 2),
            (" i4 + XX/XX ", Family::Torus, "skinny+fatty", 2),
            ("I4+skinny", Family::Plain, "skinny", 1),
            ("ROW5", Family::Cylinder, "row5", 1),
            ("row3+fatty", Family::Plain, "row3+fatty", 2),
            ("lines", Family::Plain, "lines", 1),
            ("hex", Family::Hexagonal, "hex", 1),
            ("bee+Propeller", Family::Hexagonal, "bee+propeller", 2),
            ("0,0 1,0 0,1", Family::Hexagonal, "0,0 0,1 1,0", 1),
            ("D3", Family::Hexagonal, "D3", 1),
        ] {
            assert_eq!(read(text, family), (name.to_owned(), parts), "{text}");
        }
    }

    #[test]
    fn mistakes_in_targets_are_told() {
        let complaint = |text: &str| parse_target(text, Family::Plain).unwrap_err().to_string();
        assert_eq!(complaint("I5+"), "'I5+' lacks a shape; several are written I5+D5");
        assert_eq!(complaint("+"), "'+' lacks a shape; several are written I5+D5");
        assert_eq!(complaint("I5+skiny"), "no shape 'skiny'; did you mean skinny?");
        assert_eq!(complaint("row0"), "'0' is no number of cells in a row; write --row 5");
        assert_eq!(complaint("bee"), "no shape 'bee'; 'harary shapes' lists them");
    }
}
