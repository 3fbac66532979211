//! The arguments that name many games at once, shared by the subcommands that put games to QBF solvers.

use super::arguments::{NamedGame, parse_stones, rules};
use super::ending::{OrUsage, UsageError};
use super::files;
use super::target::{FamilyArguments, NamedTarget, build, parse_target};
use crate::game::catalogue::{Catalogue, Entry};
use crate::game::ground::Ground;
use crate::game::target::{Part, Target};
use crate::game::words::{any_game, with_order};
use clap::Args;
use harary_certificate::Rule;
use std::path::{Path, PathBuf};

/// How the games are played, and games of files.
#[derive(Args, Clone, Debug)]
pub struct GameListArguments {
    #[command(flatten)]
    family: FamilyArguments,
    /// Plain boards and tori
    #[arg(long, conflicts_with_all = ["torus", "cylinder", "hexagonal"])]
    both: bool,
    /// The rule of the game [default: strong, of Hex weak]
    #[arg(long, value_parser = rules())]
    rule: Option<Rule>,
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
        let torus = FamilyArguments { torus: true, ..self.family };
        let families = if self.both { &[self.family, torus][..] } else { &[self.family] };
        let mut games = Vec::new();
        for sides in boards {
            for family in families {
                for NamedTarget { name, target } in targets_on(sides, *family, shapes)? {
                    let game = build(target.clone(), family.ground(sides, &target)?, self.rule)?;
                    let game = with_order(game, self.handicap, self.stones)?;
                    games.push(Listed { named: NamedGame { name, game, within: None }, pg: None });
                }
            }
        }
        for path in &self.pg {
            games.push(Listed { named: any_game(path)?, pg: Some(path.clone()) });
        }
        Ok(games)
    }
}

fn targets_on(sides: &str, family: FamilyArguments, words: &[String]) -> anyhow::Result<Vec<NamedTarget>> {
    if !words.is_empty() {
        return words.iter().map(|text| parse_target(text, family.family())).collect();
    }
    let [width, height, _] = Ground::parse(sides.trim(), family.family()).usage()?.lengths();
    let entries = Catalogue::standard().entries().iter();
    let fitting = entries.filter(|entry| entry.shape.is_animal() && entry.shape.fits(width, height));
    let target = |entry: &Entry| Target::new([Part::Shape(entry.shape.clone())]);
    Ok(fitting.map(|entry| NamedTarget { name: entry.name.clone(), target: target(entry) }).collect())
}
