//! `harary pattern`: solves, counts and makes Pattern puzzles (nonograms).

use super::console::Console;
use super::ending::{Outcome, UsageError, report};
use super::pattern_compare::Compare;
use super::puzzles::{MOST_BYTES, check_size, parse_share, parse_size, read_puzzle};
use super::words::{counted, counted_as};
use super::{files, interrupt, json};
use crate::effort::Limits;
use crate::neighbours::pattern::drawing::Drawing;
use crate::neighbours::pattern::generate::{self, Generated, Wanted};
use crate::neighbours::pattern::json::Written;
use crate::neighbours::pattern::rating::{self, Level};
use crate::neighbours::pattern::search::{Solutions, Work};
use crate::neighbours::pattern::{Encoding, Grid, Puzzle, Search, counting, json as puzzle_json, non, picture};
use crate::neighbours::random::Random;
use anyhow::Context;
use clap::{Args, Subcommand, ValueEnum};
use harary_certificate::whole_file;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Counting without SAT keeps so many states at most.
const MOST_STATES: usize = 200_000;

/// Solves, counts and makes Pattern puzzles (nonograms)
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary pattern generate --size 15x15 --difficulty medium -o puzzle.non\n  \
    harary pattern solve puzzle.non\n  harary pattern unique puzzle.non\n  harary pattern count puzzle.non\n  \
    harary pattern compare --random 20 --size 20x20\n\n\
    Puzzles are read and written as .non text or as JSON; docs/neighbours-pattern.md tells both.")]
pub struct Pattern {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    Solve(Solve),
    Unique(Unique),
    Count(Count),
    Generate(Generate),
    Compare(Compare),
}

impl Pattern {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        match self.action {
            Action::Solve(command) => command.run(console),
            Action::Unique(command) => command.run(console),
            Action::Count(command) => command.run(console),
            Action::Generate(command) => command.run(console),
            Action::Compare(command) => command.run(console),
        }
    }
}

/// How a puzzle becomes a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum EncodingName {
    /// Every pair of places of a band is forbidden twice
    Doubled,
    /// Every pair of places is forbidden
    Pairs,
    /// Pairs are forbidden that do not contradict each other in a cell
    Apart,
    /// No pair is forbidden: the rest of the formula does it
    Implied,
    /// Variables say that a band begins at a place or before it
    Ladder,
}

impl From<EncodingName> for Encoding {
    fn from(name: EncodingName) -> Encoding {
        match name {
            EncodingName::Doubled => Encoding::Doubled,
            EncodingName::Pairs => Encoding::Pairs,
            EncodingName::Apart => Encoding::Apart,
            EncodingName::Implied => Encoding::Implied,
            EncodingName::Ladder => Encoding::Ladder,
        }
    }
}

/// How hard a puzzle shall be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Difficulty {
    /// One line at a time is enough
    Easy,
    /// Cells must be tried
    Medium,
    /// A trial inside a trial, or more
    Hard,
}

impl From<Difficulty> for Level {
    fn from(name: Difficulty) -> Level {
        match name {
            Difficulty::Easy => Level::Easy,
            Difficulty::Medium => Level::Medium,
            Difficulty::Hard => Level::Hard,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    Text,
    Svg,
    /// The puzzle as a file
    Non,
}

/// A puzzle, and how it is looked at.
#[derive(Args, Debug)]
struct Asked {
    /// The puzzle, .non or JSON; `-` is standard input
    file: PathBuf,
    /// The formula for the SAT solver
    #[arg(long, value_enum, default_value_t = EncodingName::Ladder, value_name = "NAME")]
    encoding: EncodingName,
    /// Leave everything to the SAT solver, without line logic before
    #[arg(long)]
    no_lines: bool,
    /// Stop after this time, for example 90s or 10m
    #[arg(long, value_name = "TIME", value_parser = super::arguments::parse_time)]
    time: Option<Duration>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What the answers about a puzzle begin with.
#[derive(Serialize)]
struct About {
    file: String,
    title: Option<String>,
    width: usize,
    height: usize,
    /// Cells that are given.
    given: usize,
}

/// The work of the solver, as JSON has it.
#[derive(Serialize)]
struct WorkReport {
    encoding: &'static str,
    lines_first: bool,
    open_cells: usize,
    variables: usize,
    clauses: usize,
    literals: usize,
    decisions: u64,
}

impl Asked {
    fn read(&self) -> anyhow::Result<Puzzle> {
        let puzzle = read_puzzle(&self.file)?;
        check_size(&puzzle, self.encoding.into(), &files::name(&self.file))?;
        Ok(puzzle)
    }

    fn limits(&self) -> anyhow::Result<Limits> {
        Ok(Limits::new(self.time, None, interrupt::flag()?))
    }

    fn search<'a>(&self, puzzle: &'a Puzzle, limits: &Limits) -> Search<'a> {
        Search::new(puzzle, self.encoding.into(), !self.no_lines, limits)
    }

    fn about(&self, puzzle: &Puzzle) -> About {
        About {
            file: files::name(&self.file),
            title: puzzle.title().map(str::to_owned),
            width: puzzle.width(),
            height: puzzle.height(),
            given: puzzle.given().iter().flatten().count(),
        }
    }

    fn work(&self, work: Work) -> WorkReport {
        WorkReport {
            encoding: Encoding::from(self.encoding).name(),
            lines_first: !self.no_lines,
            open_cells: work.open_cells,
            variables: work.variables,
            clauses: work.clauses,
            literals: work.literals,
            decisions: work.decisions,
        }
    }
}

/// How the puzzle was looked at, in a line.
fn work_sentence(work: Work, seconds: f64) -> String {
    let how = if work.variables == 0 {
        "by line logic alone".to_owned()
    } else {
        let (clauses, decisions) = (counted(work.clauses, "clause"), counted(work.decisions as usize, "decision"));
        format!("by SAT: {} open, {clauses}, {decisions}", counted(work.open_cells, "cell"))
    };
    format!("{how}, {seconds:.3} s")
}

/// Finds a solution
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary pattern solve puzzle.non\n  \
    harary pattern solve puzzle.non --format svg > solved.svg\n  \
    harary pattern solve puzzle.json --encoding pairs --no-lines\n\n\
    Exit codes: 0 solved, 1 no solution, 3 not decided within the time given, 2 wrong usage or a bad puzzle.")]
struct Solve {
    #[command(flatten)]
    asked: Asked,
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "json")]
    format: Format,
}

#[derive(Serialize)]
struct SolveReport {
    #[serde(flatten)]
    about: About,
    /// `null`: not decided.
    solved: Option<bool>,
    solution: Option<Vec<String>>,
    work: WorkReport,
    seconds: f64,
}

impl Solve {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let asked = &self.asked;
        let (puzzle, limits, start) = (asked.read()?, asked.limits()?, Instant::now());
        let mut search = asked.search(&puzzle, &limits);
        let found = search.next_solution().ok();
        let (work, seconds) = (search.work(), start.elapsed().as_secs_f64());
        let grid = found.as_ref().and_then(Option::as_ref);
        if asked.json {
            let answer = SolveReport {
                about: asked.about(&puzzle),
                solved: found.as_ref().map(Option::is_some),
                solution: grid.map(Grid::text_rows),
                work: asked.work(work),
                seconds: json::seconds(seconds),
            };
            json::write(console, "pattern solve", &answer)?;
        } else {
            let name = files::name(&asked.file);
            match (&grid, self.format) {
                (None, _) if found.is_some() => report(&format!("{name}: no solution")),
                (None, _) => report(&format!("{name}: not decided: {}", interrupt::reason())),
                (Some(grid), Format::Text) => {
                    write!(console, "{}", Drawing::new(&puzzle, Some(grid)).text())?;
                    writeln!(console, "\nsolved {}", work_sentence(work, seconds))?;
                }
                (Some(grid), Format::Svg) => write!(console, "{}", Drawing::new(&puzzle, Some(grid)).svg())?,
                (Some(grid), Format::Non) => write!(console, "{}", non::write(&puzzle, Some(grid)))?,
            }
        }
        Ok(match found {
            Some(Some(_)) => Outcome::Done,
            Some(None) => Outcome::Refused,
            None => Outcome::NotSettled,
        })
    }
}

/// Says whether a puzzle has exactly one solution, and how hard it is
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  harary pattern unique puzzle.non\n  harary pattern unique - --json < puzzle.json\n\n\
    A solution is found and forbidden; then there is another one, or none.\n\
    Exit codes: 0 exactly one, 1 none or several, 3 not decided within the time given, 2 wrong usage or a bad puzzle."
)]
struct Unique {
    #[command(flatten)]
    asked: Asked,
}

#[derive(Serialize)]
struct UniqueReport {
    #[serde(flatten)]
    about: About,
    finding: Option<&'static str>,
    solution: Option<Vec<String>>,
    other: Option<Vec<String>>,
    /// If it has one solution.
    rating: Option<RatingReport>,
    work: WorkReport,
    seconds: f64,
}

#[derive(Serialize)]
struct RatingReport {
    difficulty: &'static str,
    looks: u64,
    trials: u64,
    open_cells: usize,
}

impl RatingReport {
    fn new(rating: rating::Rating) -> RatingReport {
        let rating::Rating { level, looks, trials, open } = rating;
        RatingReport { difficulty: level.name(), looks, trials, open_cells: open }
    }
}

impl Unique {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let asked = &self.asked;
        let (puzzle, limits, start) = (asked.read()?, asked.limits()?, Instant::now());
        let mut search = asked.search(&puzzle, &limits);
        let found = search.solutions().ok();
        let (work, seconds) = (search.work(), start.elapsed().as_secs_f64());
        // If there is no time left for the rating there is none.
        let rating = match &found {
            Some(Solutions::One(_)) => rating::rate(&puzzle, &limits).ok().and_then(Result::ok),
            _ => None,
        };
        let (finding, first, second) = match &found {
            Some(Solutions::None) => (Some("none"), None, None),
            Some(Solutions::One(only)) => (Some("unique"), Some(only), None),
            Some(Solutions::More(first, second)) => (Some("several"), Some(first), Some(second)),
            None => (None, None, None),
        };
        if asked.json {
            let answer = UniqueReport {
                about: asked.about(&puzzle),
                finding,
                solution: first.map(Grid::text_rows),
                other: second.map(Grid::text_rows),
                rating: rating.map(RatingReport::new),
                work: asked.work(work),
                seconds: json::seconds(seconds),
            };
            json::write(console, "pattern unique", &answer)?;
        } else {
            let (name, how) = (files::name(&asked.file), work_sentence(work, seconds));
            match &found {
                None => report(&format!("{name}: not decided: {}", interrupt::reason())),
                Some(Solutions::None) => writeln!(console, "{name}: no solution ({how})")?,
                Some(Solutions::One(_)) => {
                    let hard = rating.map_or(String::new(), |rating| format!(", {}", rating.level.name()));
                    writeln!(console, "{name}: exactly one solution{hard} ({how})")?;
                }
                Some(Solutions::More(first, second)) => {
                    let differ = first.cells().iter().zip(second.cells()).filter(|(one, other)| one != other).count();
                    let differ = counted(differ, "cell");
                    writeln!(console, "{name}: more than one solution; two that differ in {differ} ({how})\n")?;
                    writeln!(console, "{}", Drawing::new(&puzzle, Some(first)).text())?;
                    write!(console, "{}", Drawing::new(&puzzle, Some(second)).text())?;
                }
            }
        }
        Ok(match finding {
            Some("unique") => Outcome::Done,
            Some(_) => Outcome::Refused,
            None => Outcome::NotSettled,
        })
    }
}

/// Counts the solutions
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  harary pattern count puzzle.non\n  harary pattern count puzzle.non --most 1000000\n\n\
    Exactly, without SAT, where that takes little memory; else one by one up to --most.\n\
    Exit codes: 0 counted, 3 more than --most, or stopped before, 2 wrong usage or a bad puzzle."
)]
struct Count {
    #[command(flatten)]
    asked: Asked,
    /// Where one by one, stop after so many
    #[arg(long, value_name = "N", default_value_t = 1000)]
    most: u64,
}

#[derive(Serialize)]
struct CountReport {
    #[serde(flatten)]
    about: About,
    /// `null`: there are at least so many as the next says.
    count: Option<u64>,
    at_least: u64,
    method: &'static str,
    seconds: f64,
}

impl Count {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let asked = &self.asked;
        let (puzzle, limits, start) = (asked.read()?, asked.limits()?, Instant::now());
        let by_states = counting::count(&puzzle, MOST_STATES, &limits).ok().flatten();
        let (count, at_least, method) = match by_states {
            Some(count) => (Some(count), count, "states"),
            None => {
                let mut search = asked.search(&puzzle, &limits);
                let mut found = 0u64;
                let all = loop {
                    match search.next_solution() {
                        Ok(Some(_)) if found == self.most => break false,
                        Ok(Some(_)) => found += 1,
                        Ok(None) => break true,
                        Err(_) => break false,
                    }
                };
                (all.then_some(u128::from(found)), u128::from(found), "sat")
            }
        };
        let seconds = start.elapsed().as_secs_f64();
        if asked.json {
            let answer = CountReport {
                about: asked.about(&puzzle),
                count: count.and_then(|count| u64::try_from(count).ok()),
                at_least: u64::try_from(at_least).unwrap_or(u64::MAX),
                method,
                seconds: json::seconds(seconds),
            };
            json::write(console, "pattern count", &answer)?;
        } else {
            let name = files::name(&asked.file);
            match count {
                Some(1) => writeln!(console, "{name}: 1 solution")?,
                Some(count) => writeln!(console, "{name}: {count} solutions")?,
                None => writeln!(console, "{name}: {at_least} solutions found, not all counted")?,
            }
        }
        Ok(if count.is_some() { Outcome::Done } else { Outcome::NotSettled })
    }
}

/// Makes a puzzle with exactly one solution, from a picture or at random
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary pattern generate --size 10x10\n  \
    harary pattern generate --size 15x15 --difficulty hard --seed 7 -o hard.non\n  \
    harary pattern generate picture.txt --format svg > puzzle.svg\n\n\
    A picture is rows of # and ., or plain PBM (P1). Where its clues allow another picture as well, cells are given; with \
    --no-given that is refused. The same --seed makes the same puzzle.\n\
    Exit codes: 0 made, 1 none found or refused, 3 stopped before, 2 wrong usage or a bad picture.")]
struct Generate {
    /// A picture; without one, a random puzzle
    #[arg(conflicts_with_all = ["size", "density", "difficulty", "seed", "tries"])]
    picture: Option<PathBuf>,
    /// Sides of a random puzzle, WxH, up to 100x100
    #[arg(long, value_name = "WxH", default_value = "10x10", value_parser = parse_size)]
    size: (usize, usize),
    /// The share of black cells of a random puzzle [default: 0.5, or 0.4 if it shall not be easy]
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    density: Option<f64>,
    /// How hard a random puzzle shall be
    #[arg(long, value_enum, value_name = "LEVEL")]
    difficulty: Option<Difficulty>,
    /// The start of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Random pictures to try
    #[arg(long, value_name = "N", default_value_t = 1000)]
    tries: u64,
    /// Give no cells of a picture
    #[arg(long, requires = "picture")]
    no_given: bool,
    /// Show the solution too
    #[arg(long)]
    solution: bool,
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "json")]
    format: Format,
    /// Write the puzzle to this file, as JSON if it ends in .json, else as .non text
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Stop after this time, for example 90s or 10m
    #[arg(long, value_name = "TIME", value_parser = super::arguments::parse_time)]
    time: Option<Duration>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct GenerateReport {
    puzzle: Written,
    solution: Vec<String>,
    rating: RatingReport,
    seed: Option<u64>,
    tries: Option<u64>,
    file: Option<String>,
}

impl Generate {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        if let Some(output) = &self.output {
            files::check_output(output, self.picture.as_deref().as_slice())?;
        }
        let limits = Limits::new(self.time, None, interrupt::flag()?);
        let made = match &self.picture {
            Some(path) => {
                let grid = picture::read(&files::read_text(path, MOST_BYTES, "a picture")?)
                    .map_err(|error| UsageError(format!("{}: {error}", files::name(path))))?;
                check_size(&Puzzle::of_grid(&grid), Encoding::Ladder, &files::name(path))?;
                generate::of_picture(&grid, &limits).map(Some)
            }
            None => {
                let (level, (width, height)) = (self.difficulty.map(Level::from), self.size);
                let density = self.density.unwrap_or_else(|| generate::default_density(level));
                let wanted = Wanted { width, height, density, level, tries: self.tries };
                generate::at_random(&wanted, &mut Random::new(self.seed), &limits)
            }
        };
        let Ok(made) = made else {
            report(&format!("no puzzle made: {}", interrupt::reason()));
            return Ok(Outcome::NotSettled);
        };
        let Some(made) = made else {
            report(&format!(
                "no such puzzle in {}; more --tries or another --seed may find one",
                counted_as(self.tries as usize, "try", "tries")
            ));
            return Ok(Outcome::Refused);
        };
        let given = made.puzzle.given().iter().flatten().count();
        if self.no_given && given > 0 {
            let cells = counted(given, "cell");
            report(&format!("the clues of this picture allow others as well; {cells} given would make it unique"));
            return Ok(Outcome::Refused);
        }
        if let Some(output) = &self.output {
            self.write_file(output, &made)?;
        }
        if self.json {
            let answer = GenerateReport {
                puzzle: Written::new(&made.puzzle),
                solution: made.solution.text_rows(),
                rating: RatingReport::new(made.rating),
                seed: self.picture.is_none().then_some(self.seed),
                tries: self.picture.is_none().then_some(made.tries),
                file: self.output.as_ref().map(|path| path.display().to_string()),
            };
            json::write(console, "pattern generate", &answer)?;
            return Ok(Outcome::Done);
        }
        let shown = self.solution.then_some(&made.solution);
        match self.format {
            Format::Text => {
                write!(console, "{}", Drawing::new(&made.puzzle, shown).text())?;
                let level = made.rating.level.name();
                let given = if given == 0 { String::new() } else { format!(", {} given", counted(given, "cell")) };
                writeln!(console, "\nexactly one solution, {level}{given}")?;
            }
            Format::Svg => write!(console, "{}", Drawing::new(&made.puzzle, shown).svg())?,
            Format::Non => write!(console, "{}", non::write(&made.puzzle, shown))?,
        }
        Ok(Outcome::Done)
    }

    fn write_file(&self, output: &Path, made: &Generated) -> anyhow::Result<()> {
        let text = if output.extension().is_some_and(|ending| ending == "json") {
            puzzle_json::write(&made.puzzle) + "\n"
        } else {
            non::write(&made.puzzle, self.solution.then_some(&made.solution))
        };
        whole_file::write(output, text.as_bytes()).with_context(|| format!("cannot write {}", output.display()))
    }
}
