//! `harary strategy --test`: a strategy written by a person, followed move by move.

use super::arguments::{GameArguments, NamedGame};
use super::console::Console;
use super::ending::{Outcome, UsageError};
use super::interrupt;
use super::search_arguments::parse_memory;
use super::words::counted;
use super::{files, json};
use crate::effort::Limits;
use crate::game::Game;
use crate::play::script::text::LONGEST_TEXT;
use crate::play::script::{Ending, Found, Script, Step, Trial, Voice, Why};
use crate::settle::certify;
use crate::views::picture::{Mark, Picture};
use anyhow::Context;
use clap::{Args, Parser};
use harary_certificate::{Certificate, Player, Stones, WIDE};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What goes with `--test`.
#[derive(Args, Debug)]
#[command(next_help_heading = "With --test")]
pub struct TestArguments {
    /// Follow the strategy of this text instead, on SHAPE and BOARD: against every reply, searching where it is silent
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["format", "depth", "after", "main_line", "all", "explain", "numbered", "width", "hex"])]
    test: Option<PathBuf>,
    /// Glue the edges of the board
    #[arg(long, requires = "test")]
    torus: bool,
    /// `strong` or `weak` [default: strong]
    #[arg(long, requires = "test")]
    rule: Option<String>,
    /// The game of a .pg file, or of a model of Q-sage's with its domain beside it
    #[arg(long, value_name = "FILE", requires = "test", visible_alias = "ig")]
    pg: Option<PathBuf>,
    /// Write the certificate of the strategy here, its gaps filled (zstd if the name ends in .zst)
    #[arg(long, value_name = "FILE", requires = "test")]
    certificate: Option<PathBuf>,
    /// Stop after this time, for example 90s or 10m
    #[arg(long, value_name = "TIME", requires = "test", value_parser = super::arguments::parse_time)]
    time: Option<Duration>,
    /// Stop after about so many positions
    #[arg(long, value_name = "N", requires = "test")]
    nodes: Option<u64>,
    /// Memory for the table of the search
    #[arg(long, value_name = "SIZE", requires = "test", default_value = "512MiB", value_parser = parse_memory)]
    memory: usize,
}

/// The words of a game, read as every subcommand reads them.
#[derive(Parser)]
struct Words {
    #[command(flatten)]
    game: GameArguments,
}

/// A trial, for machines.
#[derive(Serialize)]
pub struct Report {
    text: String,
    side: String,
    finding: &'static str,
    by_text: usize,
    by_search: usize,
    nodes: u64,
    /// The line of play that breaks it, and why it ends badly.
    line: Vec<StepReport>,
    why: Option<&'static str>,
}

#[derive(Serialize)]
struct StepReport {
    turn: usize,
    player: String,
    r#move: String,
    /// Who said so: `text`, `search` or `other`.
    by: &'static str,
    /// The line of the text.
    at: Option<usize>,
}

/// What a trial came to.
pub struct Tried {
    pub named: NamedGame,
    /// In one sentence.
    pub proved: Option<String>,
    pub claim: String,
    pub certificate: Option<json::Certificate>,
    pub report: Report,
    text: String,
    outcome: Outcome,
}

impl TestArguments {
    pub fn is_asked(&self) -> bool {
        self.test.is_some()
    }

    /// Follows the text on the game of these words.
    pub fn run(&self, words: &[String], color: bool) -> anyhow::Result<Tried> {
        let path = self.test.as_deref().unwrap_or(Path::new("-"));
        let game = self.game(words)?;
        if let Some(output) = &self.certificate {
            if files::is_dash(output) {
                return Err(UsageError(
                    "a certificate on standard output would be mixed with the answer; give a file".to_owned(),
                )
                .into());
            }
            let inputs: Vec<&Path> = game.files().into_iter().chain([path]).collect();
            files::check_output(output, &inputs)?;
        }
        let mut named = game.game()?;
        let text = files::read_text(path, LONGEST_TEXT, "a strategy")?;
        let located = |error| UsageError(format!("{}, {error}", files::name(path)));
        let mut script = Script::read(&text, &named.game).map_err(located)?;
        script.by = script.by.or(named.within.take());
        let limits = Limits::new(self.time, self.nodes, interrupt::flag()?);
        let trial = Trial { game: &named.game, script: &script, memory: self.memory, limits: &limits };
        let (claim, found) = (claimed(&script, trial.until(), &named.game), trial.run());
        self.judged(path, named, &script, claim, found, color)
    }

    fn game(&self, words: &[String]) -> anyhow::Result<GameArguments> {
        let mut line = vec!["harary".to_owned()];
        line.extend(words.iter().cloned());
        line.extend(self.torus.then(|| "--torus".to_owned()));
        line.extend(self.rule.iter().flat_map(|rule| ["--rule".to_owned(), rule.clone()]));
        line.extend(self.pg.iter().flat_map(|path| ["--pg".to_owned(), path.display().to_string()]));
        let read = Words::try_parse_from(line).map_err(|error| {
            // Its first paragraph in one line, without the usage of a command that is not there.
            let text = error.render().to_string();
            let first = text.split("\n\n").next().unwrap_or_default().replace("error: ", "");
            UsageError(first.split_whitespace().collect::<Vec<_>>().join(" "))
        })?;
        Ok(read.game)
    }

    fn judged(
        &self,
        path: &Path,
        named: NamedGame,
        script: &Script,
        claim: String,
        found: Found,
        color: bool,
    ) -> anyhow::Result<Tried> {
        let Found { ending, by_text, by_search, nodes } = found;
        let mut report = Report {
            text: files::name(path),
            side: lower(script.side),
            finding: "accepted",
            by_text,
            by_search,
            nodes,
            line: Vec::new(),
            why: None,
        };
        let (mut proved, mut certificate) = (None, None);
        let (text, outcome) = match ending {
            Ending::Good(evidence) => {
                let mut checked = certify(&named.game, evidence)?;
                if let Some(path) = &self.certificate {
                    let cannot = || format!("cannot write the certificate {}", path.display());
                    checked.keep(path).with_context(cannot)?;
                }
                let name = named.game.shape_on_board().map(|_| named.name.as_str());
                let sentence = checked.proved().sentence(name);
                let text = accepted(&sentence, &checked, &report);
                proved = Some(sentence);
                certificate = Some(json::Certificate::new(&mut checked, self.certificate.as_deref())?);
                (text, Outcome::Done)
            }
            Ending::Broken(line, why) => {
                report.finding = "broken";
                report.why = Some(in_words(why));
                report.line = steps(&named.game, &line);
                (broken(&named.game, script, &line, why, color), Outcome::Refused)
            }
            Ending::Stopped => {
                report.finding = "open";
                (format!("Not settled within the limits given, after {nodes} positions.\n"), Outcome::NotSettled)
            }
        };
        Ok(Tried { named, proved, claim, certificate, report, text, outcome })
    }
}

impl Tried {
    pub fn outcome(&self) -> Outcome {
        self.outcome
    }

    pub fn write(&self, console: &mut Console) -> anyhow::Result<()> {
        writeln!(console, "{}", super::words::describe(&self.named.name, &self.named.game))?;
        writeln!(console, "The strategy of {}, for {}: {}.", self.report.text, self.report.side, self.claim)?;
        Ok(write!(console, "{}", self.text)?)
    }
}

/// What the text claims.
fn claimed(script: &Script, until: usize, game: &Game) -> String {
    match script.side {
        Player::Black => format!("he wins by turn {until}"),
        Player::White if until < game.schedule().len() => format!("Black has not won by turn {until}"),
        Player::White => "Black does not win".to_owned(),
    }
}

fn accepted(sentence: &str, certificate: &Certificate, report: &Report) -> String {
    let Report { by_text, by_search, .. } = report;
    let all = (by_text + by_search).max(1);
    format!(
        "It stands: {sentence}.\nCertificate: accepted, {}.\nOf {} the text answers {by_text} ({} %), the search {by_search}.\n",
        counted(certificate.proved().lines() as usize, "line"),
        counted(by_text + by_search, "position"),
        100 * by_text / all,
    )
}

fn in_words(why: Why) -> &'static str {
    match why {
        Why::Completed => "the other side has completed a set",
        Why::Late => "the turns are over and no set is completed",
        Why::NoMove => "the text is silent, and no move helps",
    }
}

fn steps(game: &Game, line: &[Step]) -> Vec<StepReport> {
    let step = |(played, step): (usize, &Step)| {
        let (by, at) = match step.voice {
            Voice::Text(number) => ("text", Some(number)),
            Voice::Search => ("search", None),
            Voice::Other => ("other", None),
        };
        StepReport { turn: played + 1, player: lower(step.player), r#move: game.vertex_name(step.cell), by, at }
    };
    line.iter().enumerate().map(step).collect()
}

/// The line of play that breaks a text, move by move, and the board at its end.
fn broken(game: &Game, script: &Script, line: &[Step], why: Why, color: bool) -> String {
    let mut text = "It breaks:\n".to_owned();
    let mut stones: Stones<WIDE> = Stones::new(*game.black_start(), *game.white_start());
    for (step, told) in line.iter().zip(steps(game, line)) {
        stones = stones.with(step.player, step.cell);
        let voice = match step.voice {
            Voice::Text(number) => format!("line {number} of the text"),
            Voice::Search => "the text is silent; found by search".to_owned(),
            Voice::Other => String::new(),
        };
        text += format!("{:>3}. {} {:<4} {voice}", told.turn, step.player, told.r#move).trim_end();
        text.push('\n');
        if let Some(picture) = Picture::of_game(game, |at| Mark::of_stones(&stones.black, &stones.white, at)) {
            text += &picture.text(color);
        }
    }
    let why = match why {
        Why::Completed => format!("{} has completed a set", script.side.other()),
        Why::Late => in_words(why).to_owned(),
        Why::NoMove => format!("{} is to move, {}", script.side, in_words(why)),
    };
    text + &format!("Here {why}.\n")
}

/// As machines write the players.
fn lower(player: Player) -> String {
    player.to_string().to_lowercase()
}
