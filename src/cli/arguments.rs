//! The arguments that describe a game, shared by the subcommands that take one.

use super::{OrUsage, UsageError};
use crate::board::{Board, Topology};
use crate::catalogue::Catalogue;
use crate::game::Game;
use crate::pg;
use crate::player::Rule;
use crate::shape::Shape;
use anyhow::Context;
use clap::Args;
use std::path::{Path, PathBuf};

/// How a shape may be written, for the long help of every subcommand that takes one.
pub const SHAPE_HELP: &str = "The shape: a name (skinny, L5), cells \"0,0 1,0 2,0\", rows XX./.XX, or a file of shapes \
    (@FILE, or a path with a / or ending in .txt; @FILE#NAME if it holds several)";

/// A game: a shape on a board and how it is played.
#[derive(Args, Clone, Debug)]
pub struct GameArguments {
    #[arg(help = SHAPE_HELP, required_unless_present = "pg")]
    shape: Option<String>,
    /// The board, WxH, from 1x1 to 19x19
    #[arg(required_unless_present = "pg")]
    board: Option<String>,
    /// Glue the edges of the board
    #[arg(long)]
    torus: bool,
    /// `strong`: whoever completes the shape first wins; `weak`: White only prevents
    #[arg(long, value_enum, default_value_t = Rule::Strong)]
    rule: Rule,
    /// Black starts with this many extra stones
    #[arg(long, value_name = "H", conflicts_with = "stones")]
    handicap: Option<usize>,
    /// GTTT(p,q): P stones a turn, Q at the very first
    #[arg(long, value_name = "P,Q", value_parser = parse_stones)]
    stones: Option<(usize, usize)>,
    /// Read the game from a .pg file instead (- is standard input)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["shape", "board", "torus", "rule", "handicap", "stones"])]
    pg: Option<PathBuf>,
}

/// A game and what to call it.
#[derive(Clone, Debug)]
pub struct NamedGame {
    /// The catalogue's name of the shape, or its cells if it has none; the name of a `.pg` file without its folder.
    pub name: String,
    pub game: Game,
}

impl GameArguments {
    /// The game these arguments describe.
    pub fn game(&self) -> anyhow::Result<NamedGame> {
        let (shape, board) = match (&self.pg, &self.shape, &self.board) {
            (Some(path), _, _) => return game_from_file(path),
            (None, Some(shape), Some(board)) => (shape, board),
            (None, _, _) => return Err(UsageError("a game needs a shape and a board, or --pg FILE".into()).into()),
        };
        let NamedShape { name, shape } = parse_shape(shape)?;
        let board = parse_board(board, self.torus)?;
        let mut game = Game::new(shape, board, self.rule);
        if let Some(handicap) = self.handicap {
            game = game.with_handicap(handicap);
        }
        if let Some((p, q)) = self.stones {
            game = game.with_stones(p, q).usage()?;
        }
        Ok(NamedGame { name, game })
    }
}

/// Reads a `.pg` file; `-` is standard input.
fn game_from_file(path: &Path) -> anyhow::Result<NamedGame> {
    let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    let file = path.display().to_string();
    let game = if file == "-" {
        pg::read("standard input", std::io::stdin().lock())
    } else {
        let source = std::fs::File::open(path).with_context(|| format!("cannot read {file}"))?;
        pg::read(&file, source)
    };
    Ok(NamedGame { name, game: game? })
}

/// Reads `7x7`.
pub fn parse_board(text: &str, torus: bool) -> anyhow::Result<Board> {
    Board::parse(text, if torus { Topology::Torus } else { Topology::Plain }).usage()
}

fn parse_stones(text: &str) -> Result<(usize, usize), String> {
    let wrong = || "stones are written P,Q, for example 2,1".to_owned();
    let (p, q) = text.split_once(',').ok_or_else(wrong)?;
    Ok((p.trim().parse().map_err(|_| wrong())?, q.trim().parse().map_err(|_| wrong())?))
}

/// A shape and what to call it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedShape {
    pub name: String,
    pub shape: Shape,
}

/// Reads a shape in any of the ways of [`SHAPE_HELP`].
pub fn parse_shape(text: &str) -> anyhow::Result<NamedShape> {
    let catalogue = Catalogue::standard();
    let text = text.trim();
    if let Some(path) = text.strip_prefix('@') {
        return shape_from_file(path);
    }
    if let Some(entry) = catalogue.find(text) {
        return Ok(NamedShape { name: entry.name.clone(), shape: entry.shape.clone() });
    }
    if text.ends_with(".txt") || (text.contains('/') && Path::new(text).is_file()) {
        return shape_from_file(text);
    }
    let shape = if text.contains(',') {
        Shape::from_cells(text).usage()?
    } else if text.chars().all(|mark| "Xx#*.-_/ \n".contains(mark)) {
        Shape::from_rows(text).usage()?
    } else {
        let advice = match catalogue.nearest(text) {
            Some(name) => format!("did you mean {name}?"),
            None => "'harary shapes' lists them".to_owned(),
        };
        return Err(UsageError(format!("no shape '{text}'; {advice}")).into());
    };
    let name = catalogue.find_shape(&shape).map_or_else(|| shape.to_string(), |entry| entry.name.clone());
    Ok(NamedShape { name, shape })
}

/// Reads `FILE`, which holds one shape, or `FILE#NAME`.
fn shape_from_file(text: &str) -> anyhow::Result<NamedShape> {
    let (path, wanted) = match text.split_once('#') {
        Some((path, name)) => (path, Some(name)),
        None => (text, None),
    };
    let content = std::fs::read_to_string(path).with_context(|| format!("cannot read the shape file {path}"))?;
    let catalogue = Catalogue::read(path, &content)?;
    let names = || catalogue.entries().iter().map(|entry| entry.name.as_str()).collect::<Vec<_>>().join(", ");
    let entry = match (wanted, catalogue.entries()) {
        (_, []) => return Err(UsageError(format!("{path} holds no shape")).into()),
        (None, [entry]) => entry,
        (None, _) => {
            return Err(
                UsageError(format!("{path} holds several shapes; write @{path}#NAME with one of {}", names())).into()
            );
        }
        (Some(name), _) => catalogue
            .find(name)
            .ok_or_else(|| UsageError(format!("{path} has no shape '{name}'; it has {}", names())))?,
    };
    Ok(NamedShape { name: entry.name.clone(), shape: entry.shape.clone() })
}
