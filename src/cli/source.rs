//! Which games, which rules, and where results are kept: what the subcommands about the atlas share.

use super::arguments::{BoardAndRule, parse_board};
use super::ending::UsageError;
use super::target::{SHAPES_HELP, parse_shapes};
use crate::atlas::{GameKey, Tablebase, journal};
use anyhow::Context;
use clap::{Args, ValueEnum};
use harary_certificate::Rule;
use std::path::{Path, PathBuf};

/// The folder of a run if none is given.
const FOLDER: &str = "harary-atlas";

/// Where a run keeps its results.
#[derive(Args, Clone, Debug)]
pub struct Folder {
    /// The folder of the run's results
    #[arg(long, value_name = "FOLDER", default_value = FOLDER)]
    pub dir: PathBuf,
}

impl Folder {
    /// What the runs in this folder found.
    pub fn load(&self) -> anyhow::Result<Tablebase> {
        match journal::read(&self.dir)? {
            Some(entries) => Ok(entries.into_iter().collect()),
            None => Err(UsageError(format!(
                "there are no results in {}; 'harary atlas run' makes some, --dir names another folder",
                self.dir.display()
            ))
            .into()),
        }
    }
}

/// The shipped tablebase, or the results in a folder.
#[derive(Args, Clone, Debug)]
pub struct Source {
    /// The results in this folder instead of the tablebase that ships with the program
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
}

impl Source {
    pub fn load(&self) -> anyhow::Result<Tablebase> {
        match &self.dir {
            Some(dir) => Folder { dir: dir.clone() }.load(),
            None => Ok(Tablebase::shipped().clone()),
        }
    }
}

/// A game of the atlas.
#[derive(Args, Clone, Debug)]
pub struct AtlasGame {
    #[arg(help = SHAPES_HELP)]
    shape: String,
    #[command(flatten)]
    place: BoardAndRule,
}

impl AtlasGame {
    /// Its key.
    pub fn key(&self) -> anyhow::Result<GameKey> {
        let board = self.place.board()?;
        let (_, shapes) = parse_shapes(&self.shape, Some(&board))?;
        Ok(GameKey::new(shapes, board, self.place.rule))
    }
}

/// Which rules, where both can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Rules {
    Strong,
    Weak,
    Both,
}

impl Rules {
    pub fn rules(self) -> &'static [Rule] {
        match self {
            Rules::Strong => &[Rule::Strong],
            Rules::Weak => &[Rule::Weak],
            Rules::Both => &[Rule::Strong, Rule::Weak],
        }
    }
}

/// Reads `3x3..6x6,3x5`: boards and ranges of square boards.
pub fn parse_boards(texts: &[String]) -> anyhow::Result<Vec<(usize, usize)>> {
    let sides = |text: &str| parse_board(text.trim(), false).map(|board| (board.width(), board.height()));
    let mut boards = Vec::new();
    for text in texts {
        let Some((first, last)) = text.split_once("..") else {
            boards.push(sides(text)?);
            continue;
        };
        match (sides(first)?, sides(last)?) {
            ((width, height), (last, top)) if width == height && last == top && width <= last => {
                boards.extend((width..=last).map(|side| (side, side)));
            }
            _ => {
                let wanted = "a range runs over square boards, small ones first, for example 3x3..6x6";
                return Err(UsageError(format!("'{text}': {wanted}")).into());
            }
        }
    }
    Ok(boards)
}

/// A folder that a user named and that must be there.
pub fn make_folder(path: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(path).with_context(|| format!("cannot make the folder {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_listed() {
        let parse = |text: &str| parse_boards(&text.split(',').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(parse("3x3..5x5,3x7").unwrap(), [(3, 3), (4, 4), (5, 5), (3, 7)]);
        for wrong in ["3x3..4x5", "5x5..3x3", "3x3..", "..", "3", "0x0..3x3", "3x3..20x20"] {
            assert!(parse(wrong).unwrap_err().is::<UsageError>(), "{wrong}");
        }
    }
}
