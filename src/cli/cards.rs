//! `harary cards`: the wins of a shape that hold on every board, in a file that grows.

use super::arguments::parse_shape;
use super::console::Console;
use super::ending::{Outcome, UsageError};
use super::words::counted;
use super::{files, json};
use crate::engines::cards::export::export;
use crate::engines::cards::file::FileError;
use crate::engines::cards::import::{ImportError, import, shape_of};
use crate::engines::cards::pool::Pool;
use crate::game::catalogue::Catalogue;
use anyhow::Context;
use clap::{Args, Subcommand};
use harary_certificate::{Shape, whole_file};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Keeps the cards of a shape: wins of the weak game that hold wherever they fit
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  harary cards import public.txt -o snaky.cards\n  harary cards status snaky.cards\n  \
    harary cards check snaky.cards\n  harary cards export snaky.cards -o public.txt\n  \
    harary solve snaky 17x17 --rule weak --cards snaky.cards --certificate snaky.cert\n\n\
    What a card is, and how they are found: docs/cards.md.\n\
    Exit codes: 0 done or accepted, 1 a file that is damaged or wrong, 2 one that cannot be read, or wrong usage."
)]
pub struct Cards {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    Import(Import),
    Export(Export),
    Status(Status),
    Check(Check),
}

impl Cards {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        match self.action {
            Action::Import(import) => import.run(console),
            Action::Export(export) => export.run(console),
            Action::Status(status) => status.run(console),
            Action::Check(check) => check.run(console),
        }
    }
}

/// Reads a public file of cards and writes them as a file of harary's
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary cards import public.txt -o snaky.cards\n  \
    harary cards import other.txt -o skinny.cards --shape skinny\n\n\
    If the output is there already, its cards are kept and the new ones added.")]
struct Import {
    /// The public file; `-` is standard input
    file: PathBuf,
    /// Where the cards go
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// The shape of the file, as it lies there: its cells from left to right, in a column from below, are those that the
    /// cards 0, 1, 2, … lack [default: what the file says, else 0,0 1,0 2,0 3,0 3,1 4,1]
    #[arg(long, value_name = "SHAPE")]
    shape: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Snaky as the public file has it.
const PUBLIC_SNAKY: &str = "0,0 1,0 2,0 3,0 3,1 4,1";

/// Writes the cards of a file as a public file
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  harary cards export snaky.cards -o public.txt\n  harary cards export snaky.cards -o -"
)]
struct Export {
    /// A file of cards
    file: PathBuf,
    /// Where they go; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
}

/// Says what a file of cards holds
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary cards status snaky.cards")]
struct Status {
    /// A file of cards
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Checks a file of cards: its hash, and each card against those it rests on
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary cards check snaky.cards")]
struct Check {
    /// A file of cards
    file: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What a file of cards holds, for machines.
#[derive(Serialize)]
struct Report {
    file: String,
    shape: String,
    cells: String,
    cards: usize,
    /// The most moves of Black's that a card takes.
    height: usize,
    /// Cards that need no stone: where they fit, Black wins.
    wins: Vec<Win>,
}

/// A win of the empty board.
#[derive(Serialize)]
struct Win {
    width: usize,
    height: usize,
    cells: usize,
    by: usize,
}

impl Report {
    fn new(path: &Path, pool: &Pool) -> Report {
        let mut wins: Vec<Win> = pool
            .wins_from_nothing()
            .map(|number| (number, &pool.cards()[number as usize]))
            .map(|(number, card)| Win {
                width: card.width,
                height: card.height,
                cells: card.open.len(),
                by: 2 * pool.height(number) - 1,
            })
            .collect();
        wins.sort_by_key(|win| (win.width.max(win.height), win.width * win.height, win.by));
        let shape = Catalogue::standard().find_shape(pool.shape());
        Report {
            file: path.display().to_string(),
            shape: shape.map_or_else(|| pool.shape().to_string(), |entry| entry.name.clone()),
            cells: pool.shape().to_string(),
            cards: pool.cards().len(),
            height: (0..pool.cards().len() as u32).map(|card| pool.height(card)).max().unwrap_or(0),
            wins,
        }
    }

    fn write(&self, console: &mut Console) -> anyhow::Result<()> {
        writeln!(
            console,
            "{}: {} of {}, up to {}",
            self.file,
            counted(self.cards, "card"),
            self.shape,
            counted(self.height, "move")
        )?;
        for Win { width, height, cells, by } in &self.wins {
            writeln!(console, "Black wins the weak game by turn {by} wherever {width}x{height} fits ({cells} cells)")?;
        }
        Ok(())
    }
}

/// Reads a file of cards, each of which is checked; what is wrong with it is the inner error.
pub fn read(path: &Path) -> anyhow::Result<Result<Pool, FileError>> {
    match Pool::read(files::open(path)?) {
        Err(FileError::Io(error)) => Err(UsageError(format!("cannot read {}: {error}", files::name(path))).into()),
        other => Ok(other),
    }
}

/// The cards of a file, for a game of this shape; the base cards if there is no such file yet.
pub fn pool_for(path: &Path, shape: &Shape) -> anyhow::Result<Pool> {
    if !path.exists() {
        return Ok(Pool::new(shape.clone()));
    }
    let pool = read(path)?.with_context(|| format!("cannot use {}", path.display()))?;
    if pool.shape().canonical() != shape.canonical() {
        let message = format!("{} has the cards of another shape, {}", path.display(), pool.shape());
        return Err(UsageError(message).into());
    }
    Ok(pool)
}

impl Import {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        files::check_output(&self.output, &[&self.file])?;
        let text = files::read_text(&self.file, LONGEST_IMPORT, "a file of cards")?;
        let in_file = |error: ImportError| UsageError(format!("{}: {error}", files::name(&self.file)));
        let shape = match (&self.shape, shape_of(&text).map_err(in_file)?) {
            (None, Some(shape)) => shape,
            (given, _) => parse_shape(given.as_deref().unwrap_or(PUBLIC_SNAKY))?.shape,
        };
        let mut pool = pool_for(&self.output, &shape)?;
        import(&mut pool, &shape, &text).map_err(in_file)?;
        pool.save(&self.output).with_context(|| format!("cannot write {}", self.output.display()))?;
        // What is on the disk is what counts.
        let pool = read(&self.output)?.with_context(|| format!("cannot use {}", self.output.display()))?;
        let report = Report::new(&self.output, &pool);
        if self.json {
            json::write(console, "cards import", &report)?;
        } else {
            report.write(console)?;
        }
        Ok(Outcome::Done)
    }
}

/// A longer public file is not read.
const LONGEST_IMPORT: u64 = 256 << 20;

impl Export {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        files::check_output(&self.output, &[&self.file])?;
        let mut pool = read(&self.file)?.with_context(|| format!("cannot use {}", self.file.display()))?;
        let text = export(&mut pool);
        match files::is_dash(&self.output) {
            true => console.write_all(text.as_bytes())?,
            false => {
                let cannot = || format!("cannot write {}", self.output.display());
                whole_file::write(&self.output, text.as_bytes()).with_context(cannot)?;
            }
        }
        Ok(Outcome::Done)
    }
}

impl Status {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let pool = read(&self.file)?.with_context(|| format!("cannot use {}", self.file.display()))?;
        let report = Report::new(&self.file, &pool);
        if self.json {
            json::write(console, "cards status", &report)?;
        } else {
            report.write(console)?;
        }
        Ok(Outcome::Done)
    }
}

/// Whether a file is right, for machines.
#[derive(Serialize)]
struct CheckReport {
    file: String,
    accepted: bool,
    reason: Option<String>,
    cards: Option<usize>,
}

impl Check {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let file = self.file.display().to_string();
        let checked = read(&self.file)?;
        let outcome = if checked.is_ok() { Outcome::Done } else { Outcome::Refused };
        if self.json {
            let report = CheckReport {
                file,
                accepted: checked.is_ok(),
                cards: checked.as_ref().ok().map(|pool| pool.cards().len()),
                reason: checked.err().map(|error| error.to_string()),
            };
            json::write(console, "cards check", &report)?;
            return Ok(outcome);
        }
        match checked {
            Ok(pool) => {
                let cards = pool.cards().len();
                writeln!(
                    console,
                    "{file}: accepted: each of the {cards} cards of {} follows from those before it",
                    pool.shape()
                )?;
            }
            Err(error) => writeln!(console, "{file}: refused: {error}")?,
        }
        Ok(outcome)
    }
}
