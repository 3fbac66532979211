//! `harary show`: a game and a position of it, drawn.

use super::arguments::{AfterArguments, GameArguments, NamedGame, NamedShape};
use super::console::Console;
use super::ending::{OrUsage, Outcome, UsageError};
use super::json;
use super::words::{counted, counted_as};
use crate::game::Game;
use crate::game::line::{Line, vertex};
use crate::game::pg;
use crate::game::symmetry::SymmetryGroup;
use crate::views::picture::{Mark, Picture, letter, shape_rows, side_by_side};
use clap::{Args, ValueEnum};
use harary_certificate::{Cell, Player, Rule, WideSet};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;

/// Draws a board, its winning sets and its symmetries; without a board the shape alone
#[derive(Args, Debug)]
// A shape alone can be drawn, too.
#[command(mut_arg("board", |board| board.required_unless_present("shape")))]
#[command(after_help = "Examples:\n  harary show snaky 9x9\n  harary show el 3x3 --placements\n  \
    harary show skinny 6x6 --placements --at c3\n  harary show tic 5x5 --torus --after \"c3 b2\" --orbits\n  \
    harary show elly 4x4 --format svg > board.svg\n  harary show elly 4x4 --format tikz > board.tex\n  \
    harary show tic 3x3 --after \"b2 a1 b3\" --numbered --format svg > line.svg\n  \
    harary show skinny --format tikz > shape.tex\n  harary show --pg hex.pg --hex\n  \
    harary show el 3x3 --stones 2,1 --write-pg > el.pg\n  \
    harary show --pg el.pg --json")]
pub struct Show {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    line: AfterArguments,
    /// The turn of each stone, as X3
    #[arg(long)]
    numbered: bool,
    /// Slanted rows, as Hex is played: for a .pg game whose vertices are named a1, a2, b1, …
    #[arg(long)]
    hex: bool,
    /// Draw the winning sets, one by one
    #[arg(long)]
    placements: bool,
    /// Only the winning sets through this cell
    #[arg(long, value_name = "CELL")]
    at: Option<String>,
    /// Show how many winning sets run through each cell (shown as well if nothing else is asked for)
    #[arg(long)]
    counts: bool,
    /// Show which empty cells are alike by symmetry: those with the same letter
    #[arg(long)]
    orbits: bool,
    /// `svg` and `tikz` (for LaTeX) are one picture: the stones, with --orbits or --counts in the empty cells
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with_all = ["json", "write_pg"])]
    format: Format,
    /// Print JSON
    #[arg(long, conflicts_with = "write_pg")]
    json: bool,
    /// Print the game as a .pg file
    #[arg(long, conflicts_with_all = ["after", "placements", "at", "counts", "orbits"])]
    write_pg: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    Text,
    Svg,
    Tikz,
}

impl Show {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        if let Some(NamedShape { name, shape }) = self.game.shape_alone()? {
            let picture = Picture::of_shape(&shape);
            return match self.format {
                Format::Text if !self.json => {
                    writeln!(console, "{name}\n{}", shape_rows(&shape).join("\n"))?;
                    Ok(Outcome::Done)
                }
                Format::Svg | Format::Tikz => self.write_picture(console, &picture),
                Format::Text => Err(UsageError("--json is about a game: give a board, too".into()).into()),
            };
        }
        let NamedGame { name, game, .. } = self.game.game()?;
        if self.write_pg {
            write!(console, "{}", pg::write(&game, &description(&name, &game)))?;
            return Ok(Outcome::Done);
        }
        if self.format != Format::Text && self.placements {
            return Err(
                UsageError("--placements are listed as text; a picture shows --counts or --orbits".into()).into()
            );
        }
        let stones = Line::played_out(&game, &self.line.after).usage()?;
        let at = self.at.as_deref().map(|name| vertex(&game, name)).transpose().usage()?;
        let scene = Scene { numbered: self.numbered, hex: self.hex, ..Scene::new(name, game, stones, at) };
        match self.format {
            _ if self.json => json::write(console, "show", &scene.report(&self))?,
            Format::Text => self.write_text(&scene, console)?,
            Format::Svg | Format::Tikz => {
                let marks = |cell| match () {
                    () if self.orbits => scene.orbit_mark(cell),
                    () if self.counts => scene.count_mark(Player::Black, cell),
                    () => scene.mark(cell),
                };
                let picture = scene.picture(marks).ok_or_else(|| {
                    UsageError(format!("{} cannot be drawn: its vertices are not named like cells, a1, b3", scene.name))
                })?;
                return self.write_picture(console, &picture);
            }
        }
        Ok(Outcome::Done)
    }

    fn write_picture(&self, console: &mut Console, picture: &Picture) -> anyhow::Result<Outcome> {
        write!(console, "{}", if self.format == Format::Svg { picture.svg() } else { picture.tikz() })?;
        Ok(Outcome::Done)
    }

    fn write_text(&self, scene: &Scene, console: &mut Console) -> anyhow::Result<()> {
        let placements = self.placements || self.at.is_some();
        let counts = self.counts || !(placements || self.orbits);
        writeln!(console, "{}", description(&scene.name, &scene.game))?;
        writeln!(console, "{}\n", scene.status())?;
        scene.draw(console, |cell| scene.mark(cell))?;
        if counts && !scene.game.black_sets().is_empty() {
            for player in scene.owners() {
                writeln!(console, "\n{} through each cell", scene.sets_of(player))?;
                scene.draw(console, |cell| scene.count_mark(player, cell))?;
            }
        }
        if self.orbits {
            let kinds = scene.orbits.len();
            writeln!(console, "\n{} of empty cells", counted(kinds, "orbit"))?;
            scene.draw(console, |cell| scene.orbit_mark(cell))?;
        }
        if placements {
            for player in scene.owners() {
                let shown = scene.shown_sets(player);
                let through =
                    scene.at.map_or(String::new(), |cell| format!(" through {}", scene.game.vertex_name(cell)));
                writeln!(console, "\n{}{through}: {}\n", scene.sets_of(player), shown.len())?;
                scene.draw_sets(console, &shown)?;
            }
        }
        Ok(())
    }
}

/// One line about a game: what is played where, under which rule.
fn description(name: &str, game: &Game) -> String {
    let (what, sets) = match game.shape_on_board() {
        Some((shape, board)) => {
            let cells =
                if shape.is_animal() || shape.to_string() == name { String::new() } else { format!(" ({shape})") };
            let sets = match game.black_sets().len() {
                0 => "the shape has no place on this board: a legal game without winning sets".to_owned(),
                count => counted_sets(count),
            };
            (format!("{name}{cells} on {board}"), sets)
        }
        None => {
            let what = match game.target_on_ground() {
                Some((_, ground)) => format!("{name} on {ground}"),
                None => format!("{name}, {}", counted_as(game.vertices(), "vertex", "vertices")),
            };
            let white = match game.rule() {
                Rule::Strong => format!(", White {}", game.white_sets().len()),
                Rule::Weak => String::new(),
            };
            let black = counted_sets(game.black_sets().len());
            let alike = game.rule() == Rule::Weak || game.white_sets() == game.black_sets();
            match game.target_on_ground() {
                Some(_) if alike => (what, black),
                _ => (what, format!("Black has {black}{white}")),
            }
        }
    };
    let schedule = game.schedule();
    let turns = if schedule.is_alternating() { String::new() } else { format!(", turns {}", schedule.letters()) };
    format!("{what}, {} game{turns}: {sets}", game.rule())
}

fn counted_sets(count: usize) -> String {
    counted(count, "winning set")
}

/// What is to be drawn.
struct Scene {
    name: String,
    game: Game,
    stones: Line,
    at: Option<Cell>,
    symmetries: usize,
    /// The symmetries that keep the stones where they are.
    stabiliser: SymmetryGroup,
    /// The empty cells that are alike under them.
    orbits: Vec<Vec<Cell>>,
    numbered: bool,
    hex: bool,
}

/// A [`Scene`] for machines.
#[derive(Serialize)]
struct Report {
    game: json::Game,
    black_sets: usize,
    white_sets: usize,
    black: Vec<String>,
    white: Vec<String>,
    turns_played: usize,
    to_move: Option<String>,
    completed_by: Option<String>,
    symmetries: usize,
    stabiliser: usize,
    /// Black's sets that are free of White, through each vertex.
    counts: BTreeMap<String, usize>,
    orbits: Vec<Vec<String>>,
    /// Where they are asked for.
    placements: Option<Vec<Vec<String>>>,
}

impl Scene {
    fn new(name: String, game: Game, stones: Line, at: Option<Cell>) -> Scene {
        let group = game.symmetries();
        let stabiliser = group.stabiliser(&[stones.black, stones.white]);
        let taken = stones.black | stones.white;
        let mut orbits = stabiliser.orbits(game.vertices());
        orbits.retain(|orbit| !taken.contains(orbit[0]));
        Scene { name, game, stones, at, symmetries: group.len(), stabiliser, orbits, numbered: false, hex: false }
    }

    /// The board, if there is one or the vertices are named as on one.
    fn picture(&self, mark: impl FnMut(Cell) -> Mark) -> Option<Picture> {
        Some(Picture::of_game(&self.game, mark)?.slanted(self.hex))
    }

    /// The players whose winning sets are to be shown: one of them if both have the same.
    fn owners(&self) -> impl Iterator<Item = Player> + use<> {
        let white_differs = self.game.rule() == Rule::Strong && self.game.white_sets() != self.game.black_sets();
        let touched = !self.stones.white.is_empty() || !self.stones.black.is_empty();
        let both = white_differs || (touched && self.game.rule() == Rule::Strong);
        std::iter::once(Player::Black).chain(both.then_some(Player::White))
    }

    /// The winning sets a player can still complete.
    fn live_sets(&self, player: Player) -> impl Iterator<Item = &WideSet> {
        let (sets, enemy) = match player {
            Player::Black => (self.game.black_sets(), self.stones.white),
            Player::White => (self.game.white_sets(), self.stones.black),
        };
        sets.iter().filter(move |set| set.is_disjoint(&enemy))
    }

    /// The live sets, through the cell asked for.
    fn shown_sets(&self, player: Player) -> Vec<WideSet> {
        self.live_sets(player).filter(|set| self.at.is_none_or(|cell| set.contains(cell))).copied().collect()
    }

    /// What to call the live sets of a player.
    fn sets_of(&self, player: Player) -> String {
        if self.owners().count() == 1 && self.stones.white.is_empty() {
            return "winning sets".to_owned();
        }
        format!("{player}'s winning sets free of {}", player.other())
    }

    fn mark(&self, cell: Cell) -> Mark {
        Mark::of_line(&self.stones, cell, self.numbered)
    }

    fn is_empty(&self, cell: Cell) -> bool {
        !(self.stones.black | self.stones.white).contains(cell)
    }

    fn count(&self, player: Player, cell: Cell) -> usize {
        self.live_sets(player).filter(|set| set.contains(cell)).count()
    }

    fn count_mark(&self, player: Player, cell: Cell) -> Mark {
        if self.is_empty(cell) { Mark::text(self.count(player, cell).to_string()) } else { self.mark(cell) }
    }

    fn orbit_mark(&self, cell: Cell) -> Mark {
        match self.orbits.iter().position(|orbit| orbit.contains(&cell)) {
            Some(index) => Mark::text(letter(index)),
            None => self.mark(cell),
        }
    }

    /// One line about the position.
    fn status(&self) -> String {
        let turn = match (&self.stones.won, self.game.schedule().player_after(self.stones.played())) {
            (Some((player, _)), _) => format!("{player} completed a winning set at turn {}", self.stones.played()),
            (None, Some(player)) => format!("turn {}, {player} to move", self.stones.played() + 1),
            (None, None) => "all turns are played".to_owned(),
        };
        let symmetries = match (self.symmetries, self.stabiliser.len()) {
            (1, _) => "1 symmetry".to_owned(),
            (all, left) if all == left => format!("{all} symmetries"),
            (all, left) => format!("{left} of {all} symmetries left"),
        };
        format!("{turn}; {symmetries}")
    }

    /// Draws the board, or lists the vertices that have a mark if they have no places.
    fn draw(&self, console: &mut Console, mark: impl Fn(Cell) -> Mark) -> anyhow::Result<()> {
        let color = console.color();
        match self.picture(&mark) {
            Some(picture) => write!(console, "{}", picture.text(color))?,
            None => {
                let all = (0..self.game.vertices()).map(Cell::new);
                let tiles: Vec<Vec<String>> =
                    all.map(|cell| vec![format!("{} {}", self.game.vertex_name(cell), mark(cell))]).collect();
                let width = console.page_width();
                write!(console, "{}", side_by_side(&tiles, width).replace("\n\n", "\n"))?;
            }
        }
        Ok(())
    }

    /// Draws winning sets, a few beside each other: `#` is what is missing.
    fn draw_sets(&self, console: &mut Console, sets: &[WideSet]) -> anyhow::Result<()> {
        let color = console.color();
        let tile = |set: &WideSet| {
            let mark = |cell| match (set.contains(cell), self.is_empty(cell)) {
                (true, true) => Mark::text("#").highlighted(),
                (true, false) => self.mark(cell).highlighted(),
                (false, _) => self.mark(cell),
            };
            match self.picture(mark) {
                Some(picture) => picture.bare().lines(color),
                None => vec![self.names(set).join(" ")],
            }
        };
        let tiles: Vec<Vec<String>> = sets.iter().map(tile).collect();
        let width = console.page_width();
        write!(console, "{}", side_by_side(&tiles, width))?;
        Ok(())
    }

    fn names(&self, set: &WideSet) -> Vec<String> {
        set.iter().map(|cell| self.game.vertex_name(cell)).collect()
    }

    fn report(&self, asked: &Show) -> Report {
        let player_name = |player: Player| player.to_string().to_lowercase();
        let next = self.stones.to_move(&self.game);
        let cells = || (0..self.game.vertices()).map(Cell::new);
        Report {
            game: json::Game::new(&self.name, &self.game),
            black_sets: self.game.black_sets().len(),
            white_sets: self.game.white_sets().len(),
            black: self.names(&self.stones.black),
            white: self.names(&self.stones.white),
            turns_played: self.stones.played(),
            to_move: next.map(player_name),
            completed_by: self.stones.won.map(|(player, _)| player_name(player)),
            symmetries: self.symmetries,
            stabiliser: self.stabiliser.len(),
            counts: cells().map(|cell| (self.game.vertex_name(cell), self.count(Player::Black, cell))).collect(),
            orbits: self.orbits.iter().map(|orbit| self.names(&orbit.iter().copied().collect())).collect(),
            placements: (asked.placements || asked.at.is_some())
                .then(|| self.shown_sets(Player::Black).iter().map(|set| self.names(set)).collect()),
        }
    }
}
