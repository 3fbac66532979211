//! `harary match`: many games between two players, to see how fair a rule is.

use super::console::Console;
use super::ending::{OrUsage, Outcome, UsageError, report};
use super::words::counted;
use super::{files, interrupt, json};
use crate::effort::Limits;
use crate::neighbours::clauses::Recipe;
use crate::neighbours::players::contest::exact_value;
use crate::neighbours::players::heuristic::Reading;
use crate::neighbours::players::plot::{self, Bar};
use crate::neighbours::players::shares::{Share, Tally};
use crate::neighbours::players::{Contest, Player, Rule, Series, Ties, published};
use anyhow::Context;
use clap::{Args, ValueEnum};
use harary_certificate::whole_file;
use indicatif::ProgressBar;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// More would not fit in memory, nor make anything surer.
const MOST_GAMES: u64 = 10_000_000;

/// Plays many games between two players: how fair is a rule of tic-tac-toe?
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary match random random --games 10000\n  \
    harary match minimax:2 beck --rule modular --size 5 --games 200\n  \
    harary match random random --rule modular --size 3,4,5,6,7,8 --svg shares.svg\n  \
    harary match minimax:3 minimax:3 --rule clauses --size 3 --clauses 8 --literals 5 --negation 0.45\n  \
    harary match perfect random --misere --seed 7\n  harary match --report\n\n\
    The first player named begins every game. Players are random, minimax:DEPTH, blocking:DEPTH (the move minimax would \
    play for the opponent), beck (the cell of the greatest potential) and perfect (boards up to 4x4). A line has as many \
    cells as the board has rows. Shares have 95% intervals (Wilson). The same seed plays the same games, whatever --jobs \
    is; Ctrl-C keeps what was played.\n\
    Exit codes: 0 all played, 3 stopped before, 2 wrong usage, 1 anything else.")]
pub struct Match {
    /// Who begins
    #[arg(required_unless_present = "report")]
    first: Option<Player>,
    /// Who follows
    #[arg(required_unless_present = "report")]
    second: Option<Player>,
    #[arg(long, value_enum, default_value_t = RuleName::Classic)]
    rule: RuleName,
    /// Sides of the board, 1 to 8, separated by commas
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "3", value_parser = parse_side)]
    size: Vec<usize>,
    /// Who would have won has lost
    #[arg(long)]
    misere: bool,
    /// How many games on each board
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..=MOST_GAMES))]
    games: u64,
    /// The start of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// With the rule of clauses: how many
    #[arg(long, value_name = "M", default_value_t = 8)]
    clauses: usize,
    /// With the rule of clauses: cells in a clause
    #[arg(long, value_name = "K", default_value_t = 5)]
    literals: usize,
    /// With the rule of clauses: how likely a cell stands negated
    #[arg(long, value_name = "P", default_value_t = 0.5, value_parser = super::puzzles::parse_share)]
    negation: f64,
    /// How minimax and blocking score lines
    #[arg(long, value_enum, default_value_t = ReadingName::Stones)]
    heuristic: ReadingName,
    /// Which of equally good moves is played
    #[arg(long, value_enum, default_value_t = TiesName::Random)]
    ties: TiesName,
    /// Threads [default: as many as there are processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    jobs: Option<u16>,
    /// Stop after this time, for example 90s or 10m
    #[arg(long, value_name = "TIME", value_parser = super::arguments::parse_time)]
    time: Option<Duration>,
    /// Draw the shares into this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The tables of the report of 2024 beside ours, game by game, and the exact values
    #[arg(long, conflicts_with_all = ["first", "second", "rule", "size", "misere", "games", "seed", "clauses", "literals",
        "negation", "ties", "svg"])]
    report: bool,
    /// With --report: up to this depth
    #[arg(long, value_name = "DEPTH", default_value_t = 5, requires = "report",
        value_parser = clap::value_parser!(u16).range(1..=7))]
    depth: u16,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum RuleName {
    /// Rows, columns and the two diagonals
    Classic,
    /// Rows and columns
    NoDiagonals,
    /// Rows, columns and all diagonals, which go on at the opposite edge
    Modular,
    /// A random formula over the cells, new for each game
    Clauses,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum ReadingName {
    /// A line brought forward by the stones it then has, a line blocked by one
    Count,
    /// Both by the stones in it and one more
    Stones,
    /// Both tenfold with every stone in it
    Power,
}

impl From<ReadingName> for Reading {
    fn from(name: ReadingName) -> Reading {
        match name {
            ReadingName::Count => Reading::Count,
            ReadingName::Stones => Reading::Stones,
            ReadingName::Power => Reading::Power,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum TiesName {
    /// The first, row by row from a1
    First,
    /// Any
    Random,
}

fn parse_side(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(side @ 1..=Contest::MOST_SIDE) => Ok(side),
        _ => Err(format!("'{text}' is no side of a board; they are 1 to {}", Contest::MOST_SIDE)),
    }
}

/// The answer for machines.
#[derive(Serialize)]
struct Report {
    first: Option<String>,
    second: Option<String>,
    rule: Option<&'static str>,
    misere: bool,
    heuristic: &'static str,
    ties: &'static str,
    seed: u64,
    games: Option<u64>,
    /// Whether all games were played.
    complete: bool,
    rows: Vec<Row>,
    /// With --report.
    published: Vec<Compared>,
}

/// The games on one board.
#[derive(Serialize)]
struct Row {
    side: usize,
    games: u64,
    first_wins: Counted,
    draws: Counted,
    second_wins: Counted,
    mean_turns: f64,
    /// Of the game, if it is known.
    value: Option<&'static str>,
    seconds: f64,
}

#[derive(Serialize)]
struct Counted {
    count: u64,
    share: f64,
    low: f64,
    high: f64,
}

/// A game of the report, and ours.
#[derive(Serialize)]
struct Compared {
    table: &'static str,
    rule: &'static str,
    side: usize,
    depth: usize,
    first: String,
    second: String,
    published: &'static str,
    found: &'static str,
    value: Option<&'static str>,
    seconds: f64,
}

impl Match {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let limits = Limits::new(self.time, None, interrupt::flag()?);
        let (Some(first), Some(second)) = (self.first, self.second) else { return self.tables(&limits, console) };
        if let Some(svg) = &self.svg {
            files::check_output(svg, &[])?;
        }
        if let Some(side) = self.size.iter().find(|side| *side * *side > Player::MOST_PERFECT)
            && [first, second].contains(&Player::Perfect)
        {
            return Err(UsageError(format!("the perfect player is for boards up to 4x4, not {side}x{side}")).into());
        }
        let every = self.size.iter().map(|side| self.series([first, second], *side));
        // All boards are tried before the first game.
        for series in every.clone() {
            Contest::new(series.rule, series.side, series.misere, 0).usage()?;
        }
        let jobs = self.jobs.map_or_else(processors, usize::from);
        let bar = ProgressBar::new(self.games * self.size.len() as u64);
        let mut rows: Vec<(Series, Tally, f64)> = Vec::new();
        for series in every {
            let start = Instant::now();
            let before: u64 = rows.iter().map(|row| row.1.games).sum();
            let done = |games: u64| {
                if games.is_multiple_of(16) {
                    bar.set_position(before + games);
                }
            };
            let tally = series.play(self.games, jobs, &limits, &done).usage()?;
            rows.push((series, tally, start.elapsed().as_secs_f64()));
        }
        bar.finish_and_clear();
        let complete = rows.iter().all(|row| row.1.games == self.games);
        if self.json {
            let rows = rows.iter().map(|(series, tally, seconds)| row(series, *tally, *seconds, &limits)).collect();
            let answer = Report {
                first: Some(first.to_string()),
                second: Some(second.to_string()),
                rule: Some(self.series([first, second], 3).rule.name()),
                games: Some(self.games),
                complete,
                rows,
                ..self.empty_report()
            };
            json::write(console, "match", &answer)?;
        } else {
            writeln!(console, "{}\n", self.title(first, second))?;
            writeln!(console, "board      games  {:24}{:24}{:24}moves  exact", "first wins", "draws", "second wins")?;
            for (series, tally, _) in &rows {
                let [wins, draws, losses] = tally.shares().map(|share| interval(&share));
                let (side, value) = (series.side, known(series, &limits).unwrap_or("-"));
                let (games, turns) = (tally.games, tally.mean_turns());
                writeln!(console, "{side}x{side} {games:12}  {wins:24}{draws:24}{losses:24}{turns:5.2}  {value}")?;
            }
        }
        if let Some(path) = &self.svg {
            let bars: Vec<Bar> = rows
                .iter()
                .map(|(series, tally, _)| Bar { name: format!("{0}x{0}", series.side), tally: *tally })
                .collect();
            let text = plot::svg(&self.title(first, second), &bars);
            whole_file::write(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))?;
        }
        if !complete {
            let played: u64 = rows.iter().map(|row| row.1.games).sum();
            report(&format!(
                "{} of {}: {}",
                counted(played as usize, "game"),
                self.games * rows.len() as u64,
                interrupt::reason()
            ));
        }
        Ok(if complete { Outcome::Done } else { Outcome::NotSettled })
    }

    fn series(&self, players: [Player; 2], side: usize) -> Series {
        let recipe = Recipe { clauses: self.clauses, size: self.literals, negation: self.negation };
        Series {
            players,
            rule: match self.rule {
                RuleName::Classic => Rule::Classic,
                RuleName::NoDiagonals => Rule::NoDiagonals,
                RuleName::Modular => Rule::Modular,
                RuleName::Clauses => Rule::Clauses(recipe),
            },
            side,
            misere: self.misere,
            reading: self.heuristic.into(),
            ties: match self.ties {
                TiesName::First => Ties::First,
                TiesName::Random => Ties::Random,
            },
            seed: self.seed,
        }
    }

    fn title(&self, first: Player, second: Player) -> String {
        let rule = match self.rule {
            RuleName::Classic => "classic rule".to_owned(),
            RuleName::NoDiagonals => "no diagonals".to_owned(),
            RuleName::Modular => "modular rule".to_owned(),
            RuleName::Clauses => {
                let (clauses, literals, negation) = (self.clauses, self.literals, self.negation);
                format!("{clauses} clauses of {literals}, negated with probability {negation}")
            }
        };
        format!("{first} against {second}, {rule}{}", if self.misere { ", misère" } else { "" })
    }

    fn empty_report(&self) -> Report {
        Report {
            first: None,
            second: None,
            rule: None,
            misere: self.misere,
            heuristic: Reading::from(self.heuristic).name(),
            ties: if self.ties == TiesName::First { "first" } else { "random" },
            seed: self.seed,
            games: None,
            complete: true,
            rows: Vec::new(),
            published: Vec::new(),
        }
    }

    /// The report's tables, played again.
    fn tables(&self, limits: &Limits, console: &mut Console) -> anyhow::Result<Outcome> {
        let mut compared: Vec<Compared> = Vec::new();
        let asked: Vec<published::Game> =
            published::games().into_iter().filter(|game| game.depth <= usize::from(self.depth)).collect();
        let bar = ProgressBar::new(asked.len() as u64);
        for game in &asked {
            let start = Instant::now();
            let series = Series {
                players: game.players,
                rule: game.rule,
                side: game.side,
                misere: false,
                reading: self.heuristic.into(),
                ties: Ties::First,
                seed: 1,
            };
            let tally = series.play(1, 1, limits, &|_| {}).usage()?;
            if tally.games == 0 {
                break;
            }
            bar.inc(1);
            compared.push(Compared {
                table: game.table,
                rule: game.rule.name(),
                side: game.side,
                depth: game.depth,
                first: game.players[0].to_string(),
                second: game.players[1].to_string(),
                published: published::result(game.gain),
                found: published::result(tally.first as i32 - tally.second as i32),
                value: known(&series, limits),
                seconds: json::seconds(start.elapsed().as_secs_f64()),
            });
        }
        bar.finish_and_clear();
        let complete = compared.len() == asked.len();
        if self.json {
            let ties = "first";
            json::write(console, "match", &Report { complete, ties, published: compared, ..self.empty_report() })?;
            return Ok(if complete { Outcome::Done } else { Outcome::NotSettled });
        }
        let same = compared.iter().filter(|row| row.published == row.found).count();
        writeln!(
            console,
            "The report's tables, by depth; ours where they differ, in brackets (heuristic '{}', the first of equal moves)",
            Reading::from(self.heuristic).name()
        )?;
        for rows in compared.chunk_by(|one, other| (one.table, one.side) == (other.table, other.side)) {
            let Some(first) = rows.first() else { continue };
            let cells: String = rows
                .iter()
                .map(|row| match row.found {
                    found if found == row.published => format!("{:8}", row.published),
                    found => format!("{:8}", format!("{} [{found}]", row.published)),
                })
                .collect();
            let (table, side, value) = (first.table, first.side, first.value.unwrap_or("not known"));
            writeln!(console, "{table:13} {side}x{side}  {cells:57} exact: {value}")?;
        }
        writeln!(console, "\n{same} of {} agree", counted(compared.len(), "game"))?;
        if !complete {
            report(&format!("{} of {}: {}", compared.len(), counted(asked.len(), "game"), interrupt::reason()));
        }
        Ok(if complete { Outcome::Done } else { Outcome::NotSettled })
    }
}

/// As many as the machine has.
fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The value of the game of a series, where it is one game and its value is known or found soon.
fn known(series: &Series, limits: &Limits) -> Option<&'static str> {
    if matches!(series.rule, Rule::Clauses(_)) {
        return None;
    }
    let contest = Arc::new(Contest::new(series.rule, series.side, series.misere, 0).ok()?);
    exact_value(&contest, Player::MOST_PERFECT, limits).ok().flatten().map(|value| match value {
        1.. => "first",
        0 => "draw",
        _ => "second",
    })
}

fn row(series: &Series, tally: Tally, seconds: f64, limits: &Limits) -> Row {
    let [first, draws, second] = tally.shares();
    let counted = |count: u64, Share { share, low, high }: Share| {
        let short = |value: f64| (value * 1e6).round() / 1e6;
        Counted { count, share: short(share), low: short(low), high: short(high) }
    };
    Row {
        side: series.side,
        games: tally.games,
        first_wins: counted(tally.first, first),
        draws: counted(tally.draws, draws),
        second_wins: counted(tally.second, second),
        mean_turns: (tally.mean_turns() * 1e3).round() / 1e3,
        value: known(series, limits),
        seconds: json::seconds(seconds),
    }
}

/// A share with its interval, in per cent.
fn interval(share: &Share) -> String {
    let percent = |value: f64| format!("{:.1}", 100.0 * value);
    format!("{}% ({} to {})", percent(share.share), percent(share.low), percent(share.high))
}
