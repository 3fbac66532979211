//! The arguments that name many games at once, shared by the subcommands that put games to QBF solvers.

use super::arguments::{
    NamedGame, NamedShape, game_from_file, parse_board, parse_shape, parse_stones, rules, with_order,
};
use super::ending::UsageError;
use super::files;
use crate::game::Game;
use crate::game::catalogue::Catalogue;
use clap::Args;
use harary_certificate::{Board, Rule};
use std::path::{Path, PathBuf};

/// How the games are played, and games of files.
#[derive(Args, Clone, Debug)]
pub struct GameListArguments {
    /// Tori instead of plain boards
    #[arg(long, conflicts_with = "both")]
    torus: bool,
    /// Plain boards and tori
    #[arg(long)]
    both: bool,
    /// The rule of the game
    #[arg(long, value_parser = rules(), default_value = "strong")]
    rule: Rule,
    /// Black starts with this many extra stones
    #[arg(long, value_name = "H", conflicts_with = "stones")]
    handicap: Option<usize>,
    /// GTTT(p,q): P stones a turn, Q at the very first
    #[arg(long, value_name = "P,Q", value_parser = parse_stones)]
    stones: Option<(usize, usize)>,
    /// A game of a .pg file, or of an instance of Q-sage's language with its domain beside it (- is standard input) [may be
    /// repeated]
    #[arg(long, value_name = "FILE", visible_alias = "ig")]
    pg: Vec<PathBuf>,
}

/// A game of the list, and how it was written.
pub struct Listed {
    pub named: NamedGame,
    /// The file it was read from.
    pub pg: Option<PathBuf>,
}

/// How a game of the list was written, for tables that are read again.
pub enum Origin {
    Board { handicap: Option<usize>, stones: Option<(usize, usize)> },
    File(PathBuf),
}

impl GameListArguments {
    /// The files that games are read from.
    pub fn files(&self) -> Vec<&Path> {
        self.pg.iter().map(PathBuf::as_path).collect()
    }

    pub fn handicap(&self) -> Option<usize> {
        self.handicap
    }

    pub fn stones(&self) -> Option<(usize, usize)> {
        self.stones
    }

    /// The games: every shape on every board, then those of the files. No shape means the animals of at most six cells
    /// that fit.
    pub fn games(&self, shapes: &[String], boards: &[String]) -> anyhow::Result<Vec<Listed>> {
        if self.pg.iter().filter(|path| files::is_dash(path)).count() > 1 {
            return Err(UsageError("standard input holds one game".to_owned()).into());
        }
        let topologies = match (self.torus, self.both) {
            (_, true) => &[false, true][..],
            (true, false) => &[true],
            (false, false) => &[false],
        };
        let mut games = Vec::new();
        for sides in boards {
            for &torus in topologies {
                let board = parse_board(sides, torus)?;
                for NamedShape { name, shape } in shapes_on(&board, shapes)? {
                    let game = with_order(Game::new(shape, board, self.rule), self.handicap, self.stones)?;
                    games.push(Listed { named: NamedGame { name, game, within: None }, pg: None });
                }
            }
        }
        for path in &self.pg {
            games.push(Listed { named: game_from_file(path)?, pg: Some(path.clone()) });
        }
        Ok(games)
    }
}

fn shapes_on(board: &Board, shapes: &[String]) -> anyhow::Result<Vec<NamedShape>> {
    if !shapes.is_empty() {
        return shapes.iter().map(|text| parse_shape(text)).collect();
    }
    let entries = Catalogue::standard().entries().iter();
    let fitting = entries.filter(|entry| entry.shape.is_animal() && entry.shape.fits(board.width(), board.height()));
    Ok(fitting.map(|entry| NamedShape { name: entry.name.clone(), shape: entry.shape.clone() }).collect())
}
