//! `harary shapes`: the catalogue, listed and drawn.

use super::arguments::{SHAPE_HELP, parse_board, parse_shape};
use super::console::Console;
use super::ending::{Outcome, UsageError};
use super::json;
use super::words::counted;
use crate::game::catalogue::{Catalogue, Entry};
use crate::game::polyomino::free_polyominoes;
use crate::views::picture::{shape_rows, side_by_side};
use clap::Args;
use harary_certificate::Shape;
use serde::Serialize;
use std::io::Write;

/// The catalogue ends at 6 cells; the animals up to this size are generated.
const LARGEST: usize = 8;
/// A shape of n cells has up to 2^n sub-shapes: more than this cannot be read any more.
const LARGEST_WITH_SUB_SHAPES: usize = 12;

/// Lists and draws the shapes that have names
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary shapes\n  harary shapes skinny\n  harary shapes --size 4 --fits 3x3\n  \
    harary shapes --inside snaky --creatures\n  harary shapes --size 7 --json")]
pub struct Shapes {
    #[arg(help = format!("One shape, in all detail. {SHAPE_HELP}"), value_name = "SHAPE", conflicts_with_all = ["size", "fits", "inside", "animals", "creatures"])]
    shape: Option<String>,
    /// Only shapes of N cells; beyond the catalogue the animals of 7 and 8 cells
    #[arg(long, value_name = "N")]
    size: Option<usize>,
    /// Only shapes that fit on a plain board of this size
    #[arg(long, value_name = "WxH")]
    fits: Option<String>,
    /// The sub-creatures of a shape: what is left of it when cells are taken away
    #[arg(long, value_name = "SHAPE")]
    inside: Option<String>,
    /// Only animals: edge-connected shapes, polyominoes
    #[arg(long, conflicts_with = "creatures")]
    animals: bool,
    /// Only creatures that are not animals
    #[arg(long)]
    creatures: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A shape as it is listed.
#[derive(Serialize)]
struct Listed {
    /// `null` for shapes that have none.
    name: Option<String>,
    aliases: Vec<String>,
    note: Option<String>,
    size: usize,
    kind: &'static str,
    cells: String,
    rows: String,
    orientations: Vec<String>,
    #[serde(skip)]
    shape: Shape,
}

#[derive(Serialize)]
struct Report<'a> {
    shapes: &'a [Listed],
}

impl Listed {
    fn new(shape: &Shape, entry: Option<&Entry>) -> Listed {
        let one_line = |shape: &Shape| shape_rows(shape).join("/");
        Listed {
            name: entry.map(|entry| entry.name.clone()),
            aliases: entry.map(|entry| entry.aliases.clone()).unwrap_or_default(),
            note: entry.and_then(|entry| entry.note.clone()),
            size: shape.size(),
            kind: if shape.is_animal() { "animal" } else { "creature" },
            cells: shape.to_string(),
            rows: one_line(shape),
            orientations: shape.orientations().iter().map(one_line).collect(),
            shape: shape.clone(),
        }
    }

    /// A shape as the catalogue knows and draws it, or as it is.
    fn recognised(shape: &Shape) -> Listed {
        match Catalogue::standard().find_shape(shape) {
            Some(entry) => Listed::new(&entry.shape, Some(entry)),
            None => Listed::new(shape, None),
        }
    }

    /// `skinny (I4)`, or the cells of a shape without a name.
    fn title(&self) -> String {
        match (&self.name, self.aliases.as_slice()) {
            (None, _) => self.cells.clone(),
            (Some(name), []) => name.clone(),
            (Some(name), aliases) => format!("{name} ({})", aliases.join(", ")),
        }
    }

    /// The lines of its entry in the list. Creatures are better known by their cells than by their names.
    fn tile(&self) -> Vec<String> {
        let mut lines = vec![self.title()];
        if self.kind == "creature" && self.name.is_some() {
            lines.push(self.cells.clone());
        }
        lines.extend(shape_rows(&self.shape));
        lines
    }
}

impl Shapes {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        if let Some(text) = &self.shape {
            let named = parse_shape(text)?;
            let mut listed = Listed::new(&named.shape, Catalogue::standard().find_shape(&named.shape));
            // A shape of the user's own file has the name it has there.
            if listed.name.is_none() && named.name != listed.cells {
                listed.name = Some(named.name);
            }
            return self.write_details(&listed, console);
        }
        let listed = self.listed()?;
        if self.json {
            json::write(console, "shapes", &Report { shapes: &listed })?;
            return Ok(Outcome::Done);
        }
        if listed.is_empty() {
            writeln!(console, "no such shape in the catalogue")?;
        }
        let width = console.page_width();
        for (index, same_size) in listed.chunk_by(|a, b| a.size == b.size).enumerate() {
            let size = same_size[0].size;
            let animals = same_size.iter().filter(|shape| shape.kind == "animal").count();
            let kinds = [(animals, "animal"), (same_size.len() - animals, "creature")];
            let kinds = kinds.into_iter().filter(|(count, _)| *count > 0).map(|(count, noun)| counted(count, noun));
            let heading = format!("{}: {}", counted(size, "cell"), kinds.collect::<Vec<_>>().join(", "));
            let tiles: Vec<Vec<String>> = same_size.iter().map(Listed::tile).collect();
            writeln!(console, "{}{heading}\n", if index == 0 { "" } else { "\n" })?;
            write!(console, "{}", side_by_side(&tiles, width))?;
        }
        Ok(Outcome::Done)
    }

    /// The shapes asked for, by size.
    fn listed(&self) -> anyhow::Result<Vec<Listed>> {
        if let Some(size) = self.size.filter(|size| !(1..=LARGEST).contains(size) && self.inside.is_none()) {
            return Err(UsageError(format!("shapes of 1 to {LARGEST} cells are known, not of {size}")).into());
        }
        let mut listed = match &self.inside {
            Some(text) => sub_shapes(&parse_shape(text)?.shape)?,
            None => {
                let named = Catalogue::standard().entries().iter().map(|entry| Listed::new(&entry.shape, Some(entry)));
                let unnamed = self.size.map(free_polyominoes).unwrap_or_default();
                let listed = |shape: &Shape| {
                    Catalogue::standard().entries().iter().any(|entry| entry.shape.canonical() == *shape)
                };
                let unnamed = unnamed.iter().filter(|shape| !listed(shape));
                named.chain(unnamed.map(Listed::recognised)).collect()
            }
        };
        if let Some(size) = self.size {
            listed.retain(|shape| shape.size == size);
        }
        if let Some(text) = &self.fits {
            let board = parse_board(text, false)?;
            listed.retain(|listed| listed.shape.fits(board.width(), board.height()));
        }
        if self.animals || self.creatures {
            let kind = if self.animals { "animal" } else { "creature" };
            listed.retain(|shape| shape.kind == kind);
        }
        listed.sort_by_key(|shape| shape.size);
        Ok(listed)
    }

    fn write_details(&self, listed: &Listed, console: &mut Console) -> anyhow::Result<Outcome> {
        if self.json {
            json::write(console, "shapes", &Report { shapes: std::slice::from_ref(listed) })?;
            return Ok(Outcome::Done);
        }
        let title = if listed.name.is_some() { listed.title() } else { "a shape without a name".to_owned() };
        writeln!(console, "{title}: {} of {}", listed.kind, counted(listed.size, "cell"))?;
        if let Some(note) = &listed.note {
            writeln!(console, "{note}")?;
        }
        writeln!(console, "cells {}\n", listed.cells)?;
        let images = listed.shape.orientations();
        writeln!(console, "{}\n", counted(images.len(), "orientation"))?;
        let tiles: Vec<Vec<String>> = images.iter().map(shape_rows).collect();
        let width = console.page_width();
        write!(console, "{}", side_by_side(&tiles, width))?;
        Ok(Outcome::Done)
    }
}

/// All that is left of a shape when one or more of its cells are taken away, up to rotation and reflection.
fn sub_shapes(shape: &Shape) -> anyhow::Result<Vec<Listed>> {
    if shape.size() > LARGEST_WITH_SUB_SHAPES {
        let message = format!(
            "a shape of {} cells has too many sub-creatures; at most {LARGEST_WITH_SUB_SHAPES} cells",
            shape.size()
        );
        return Err(UsageError(message).into());
    }
    Ok((1..shape.size()).flat_map(|size| shape.sub_shapes(size)).map(|sub| Listed::recognised(&sub)).collect())
}
