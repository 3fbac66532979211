//! `harary pave`: a paving of a board or of the plane, drawn, or the statement that there is none.

use super::arguments::AfterArguments;
use super::console::Console;
use super::ending::{OrUsage, Outcome, UsageError, report};
use super::target::{NamedTarget, PlaceArguments};
use super::words::counted;
use super::{interrupt, json};
use crate::effort::Limits;
use crate::game::Game;
use crate::game::line::Line;
use crate::paving::Pairs;
use crate::settle::pave::{Found, Period, Question, pave};
use crate::views::picture::{Mark, Picture};
use anyhow::anyhow;
use clap::{Args, ValueEnum};
use harary_certificate::Rule;
use serde::Serialize;
use std::io::Write;
use std::time::{Duration, Instant};

/// Looks for a paving: pairs of cells, one in every winning set, by which White holds
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary pave fatty 6x6 --dominoes\n  harary pave snaky 6x6 --after \"c3 d4\"\n  \
    harary pave snaky 7x7 --turn 4\n  harary pave fatty 8x8 --dominoes --periodic 2x1+1\n  \
    harary pave W5 12x12 --periodic 24\n  harary pave --row 5 6x6\n  harary pave \"fatty+I4\" 8x8 --cylinder\n  harary pave fatty 5x5 --format svg > paving.svg\n  \
    harary pave fatty 5x5 --format tikz > paving.tex\n\n\
    White answers in the pair in which Black plays, so a paving holds in the weak and in the strong game. After moves \
    with White to play, she may put one stone first.\n\
    Exit codes: 0 decided, 3 not decided within the time given, 2 wrong usage, 1 anything else.")]
pub struct Pave {
    #[command(flatten)]
    place: PlaceArguments,
    /// Only pairs of cells that share an edge
    #[arg(long, conflicts_with = "turn")]
    dominoes: bool,
    #[command(flatten)]
    line: AfterArguments,
    /// Can White play so that there is a paving after this turn or earlier? (The question of the PAIRING encoding)
    #[arg(long, value_name = "K", conflicts_with = "periodic", allow_negative_numbers = true)]
    turn: Option<usize>,
    /// A paving of the plane that repeats: with the period PxQ, with PxQ+S (rows of periods shifted by S), or with any
    /// period of at most N cells. The board is only drawn
    #[arg(long, value_name = "PxQ[+S]|N", conflicts_with_all = ["after", "torus", "cylinder", "hexagonal"], value_parser = clap::value_parser!(Period))]
    periodic: Option<Period>,
    /// Stop after this time, for example 90s or 10m
    #[arg(long, value_name = "TIME", value_parser = super::arguments::parse_time)]
    time: Option<Duration>,
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "json")]
    format: Format,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    Text,
    Svg,
    /// For LaTeX
    Tikz,
}

/// The answer for machines.
#[derive(Serialize)]
struct Report {
    game: json::Game,
    after: Vec<String>,
    /// With --turn.
    within: Option<usize>,
    dominoes: bool,
    /// The periods asked for, if it is about the plane.
    periodic: Option<String>,
    /// The period of a paving of the plane, if one was found.
    period: Option<String>,
    /// The stone White puts first, if she is to move and needs it.
    first: Option<String>,
    /// `null`: not decided.
    paved: Option<bool>,
    verdict: json::Verdict,
    pairs: Vec<[String; 2]>,
    seconds: f64,
}

impl Pave {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let (NamedTarget { name, target }, ground) = self.place.placed()?;
        let game = Game::built(target, ground, Rule::Weak).usage()?;
        let line = Line::played_out(&game, &self.line.after).usage()?;
        let question = self.question(&game, line.played())?;
        let subject = format!("{name} on {ground}");
        let limits = Limits::new(self.time, None, interrupt::flag()?);
        let start = Instant::now();
        let found = pave(&game, &line, question, &limits)?;
        let seconds = start.elapsed().as_secs_f64();
        let picture = Picture::of_game(&game, |cell| Mark::of_paving(&line, &found, cell));
        let picture = picture.ok_or_else(|| anyhow!("{ground} cannot be drawn"))?;
        if self.json {
            json::write(console, "pave", &self.report(json::Game::new(&name, &game), &game, &line, &found, seconds))?;
        } else if self.format != Format::Text && (found.paved != Some(true) || self.turn.is_some()) {
            // A picture without pairs would say nothing.
            report(&format!("{}; there is nothing to draw", self.sentence(&name, &subject, &game, &found)));
        } else if self.format == Format::Svg {
            write!(console, "{}", picture.with_pairs(&found.pairs).svg())?;
        } else if self.format == Format::Tikz {
            write!(console, "{}", picture.with_pairs(&found.pairs).tikz())?;
        } else {
            writeln!(console, "{}", self.sentence(&name, &subject, &game, &found))?;
            if found.paved == Some(true) && self.turn.is_none() {
                let color = console.color();
                write!(console, "\n{}", picture.text(color))?;
            }
        }
        Ok(if found.paved.is_some() { Outcome::Done } else { Outcome::NotSettled })
    }

    /// What is asked, after so many stones.
    fn question(&self, game: &Game, played: usize) -> anyhow::Result<Question> {
        let allowed = if self.dominoes { Pairs::Dominoes } else { Pairs::Any };
        let question = match (self.periodic, self.turn) {
            (Some(period), _) => Question::Plane(period, allowed),
            (None, Some(turn)) => Question::ByTurn(turn),
            (None, None) => Question::Position(allowed),
        };
        match question.unsuited(game, played) {
            Some(mistake) => Err(UsageError(mistake).into()),
            None => Ok(question),
        }
    }

    fn report(&self, described: json::Game, game: &Game, line: &Line, found: &Found, seconds: f64) -> Report {
        Report {
            game: described,
            after: line.moves.iter().map(|&cell| game.vertex_name(cell)).collect(),
            within: self.turn,
            dominoes: self.dominoes,
            periodic: self.periodic.map(|period| period.to_string()),
            period: found.lattice.map(|lattice| lattice.to_string()),
            first: found.first.map(|cell| game.vertex_name(cell)),
            paved: found.paved,
            // Pairs of the empty board are checked; that there are none proves nothing.
            verdict: if found.proved.is_some() { json::Verdict::Hold } else { json::Verdict::Open },
            pairs: found.pairs.iter().map(|&(a, b)| [game.vertex_name(a), game.vertex_name(b)]).collect(),
            seconds: json::seconds(seconds),
        }
    }

    fn sentence(&self, name: &str, subject: &str, game: &Game, found: &Found) -> String {
        let after = Some(self.line.after.trim()).filter(|cells| !cells.is_empty());
        let after = after.map_or(String::new(), |cells| format!(" after {cells}"));
        let kind = if self.dominoes { "domino paving" } else { "paving" };
        let count = counted(found.pairs.len(), "pair");
        match (self.periodic, self.turn, found.paved) {
            (Some(_), _, Some(true)) => {
                let period = found.lattice.map_or(String::new(), |lattice| lattice.to_string());
                format!("{name}: a {kind} of the plane with period {period}, so White holds on every plain board")
            }
            (Some(period), _, Some(false)) => format!("{name}: no {kind} of the plane with {}", period.in_words()),
            (Some(period), _, None) => {
                let (words, reason) = (period.in_words(), interrupt::reason());
                format!("{name}: a {kind} of the plane with {words}: not decided: {reason}")
            }
            (None, Some(turn), Some(true)) => {
                format!(
                    "{subject}{after}: White can play so that there is a paving after turn {turn} or earlier: \
                     she holds (searched, not certified)"
                )
            }
            (None, Some(turn), Some(false)) => {
                format!("{subject}{after}: White cannot play so that there is a paving after turn {turn} or earlier")
            }
            (None, None, Some(true)) => {
                let first =
                    found.first.map_or(String::new(), |cell| format!(" once White plays {}", game.vertex_name(cell)));
                let how = if found.proved.is_some() { "" } else { " from there (not certified)" };
                format!("{subject}{after}: paved with {count}{first}, so White holds{how}")
            }
            (None, None, Some(false)) => format!("{subject}{after}: no {kind}"),
            (None, _, None) => format!("{subject}{after}: not decided: {}", interrupt::reason()),
        }
    }
}
