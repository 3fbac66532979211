//! The arguments that name a set of the atlas's games.

use super::arguments::shapes_of_file;
use super::ending::UsageError;
use super::source::{Rules, parse_boards};
use super::target;
use crate::atlas::Shapes;
use crate::atlas::key::GameKey;
use crate::atlas::selection::{animals, games};
use crate::game::catalogue::Catalogue;
use clap::Args;
use harary_certificate::{Shape, Topology};
use std::path::Path;

/// Targets on boards, under one rule or both.
#[derive(Args, Clone, Debug)]
pub struct GameSetArguments {
    /// Targets, separated by commas: a shape or several (I5+D5), or a set of them
    #[arg(long, value_name = "SHAPES", value_delimiter = ',', default_value = "animals")]
    shapes: Vec<String>,
    /// Boards, separated by commas; a range runs over square boards
    #[arg(long, value_name = "BOARDS", value_delimiter = ',', default_value = "3x3..4x4")]
    boards: Vec<String>,
    /// Plain boards (the default)
    #[arg(long, conflicts_with_all = ["torus", "both"])]
    plain: bool,
    /// Tori
    #[arg(long, conflicts_with = "both")]
    torus: bool,
    /// Plain boards and tori
    #[arg(long)]
    both: bool,
    /// The rule of the games
    #[arg(long, value_enum, default_value_t = Rules::Strong)]
    rule: Rules,
}

impl GameSetArguments {
    /// The games, hardest last.
    pub fn keys(&self) -> anyhow::Result<Vec<GameKey>> {
        let topologies: &[Topology] = match (self.torus, self.both) {
            (true, _) => &[Topology::Torus],
            (_, true) => &[Topology::Plain, Topology::Torus],
            _ => &[Topology::Plain],
        };
        let mut targets = Vec::new();
        for text in &self.shapes {
            targets.extend(parse_targets(text.trim())?);
        }
        Ok(games(targets, &parse_boards(&self.boards)?, topologies, self.rule.rules()))
    }
}

/// The most cells of `animals:N`: there are 369 animals of 8 cells, and fourfold more with each.
const MOST_CELLS: usize = 8;

/// Reads one of the words of `--shapes`.
fn parse_targets(text: &str) -> anyhow::Result<Vec<Shapes>> {
    let each = |shapes: Vec<Shape>| shapes.iter().map(Shapes::from).collect::<Vec<_>>();
    let entries =
        |catalogue: &Catalogue| catalogue.entries().iter().map(|entry| entry.shape.clone()).collect::<Vec<_>>();
    match text {
        "animals" => return Ok(each(animals(6))),
        "creatures" => {
            let all = entries(Catalogue::standard()).into_iter();
            return Ok(each(all.filter(|shape| !shape.is_animal()).collect()));
        }
        _ => {}
    }
    if let Some(size) = text.strip_prefix("animals:") {
        return match size.parse() {
            Ok(size @ 1..=MOST_CELLS) => Ok(each(animals(size))),
            _ => Err(UsageError(format!("animals:N needs a number from 1 to {MOST_CELLS}, not '{size}'")).into()),
        };
    }
    // Several files are the shapes of a target, one file all the shapes there are in it, each for itself.
    let one_file = |path: &&str| !path.contains('#') && (!path.contains("+@") || Path::new(path).is_file());
    match text.strip_prefix('@').filter(one_file) {
        Some(path) => Ok(each(shapes_of_file(path)?)),
        None => Ok(vec![target::parse_shapes(text, None)?.1]),
    }
}
