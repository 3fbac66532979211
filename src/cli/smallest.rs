//! `harary smallest`: the smallest square board Black wins on, and the least turn there and on larger ones.

use super::console::Console;
use super::ending::{Outcome, UsageError};
use super::json::Verdict;
use super::progress::{ProgressArguments, ProgressLine};
use super::search_arguments::SearchArguments;
use super::target::{FamilyArguments, LineArguments, NamedTarget, TARGET_HELP, build, parse_target};
use super::{interrupt, json};
use crate::effort::Limits;
use crate::game::Game;
use crate::game::ground::Family;
use crate::game::target::Target;
use crate::settle::{Options, Settled, settle};
use clap::Args;
use harary_certificate::{MAX_SIDE, Rule};
use serde::Serialize;
use std::io::Write;
use std::time::{Duration, Instant};

/// Finds the smallest square board Black wins on, and the least turn there
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary smallest el\n  harary smallest elly --up-to 6\n  \
    harary smallest skinny --rule weak --up-to 7 --time-each 5m\n  harary smallest tippy --torus --json\n  harary smallest --row 4 --up-to 6\n  harary smallest \"I4+D4\" --torus\n\n\
    Every row is proved by a certificate that was checked; a row that is not settled in time says what is proved.\n\
    Exit codes: 0 all rows settled, 3 not all settled within the limits given, 2 wrong usage, 1 a failure.")]
pub struct Smallest {
    #[arg(help = TARGET_HELP, required_unless_present_any = ["row", "lines"])]
    shape: Option<String>,
    #[command(flatten)]
    lines: LineArguments,
    #[command(flatten)]
    family: FamilyArguments,
    /// `strong`: whoever completes the shape first wins; `weak`: White only prevents [default: strong, of Hex weak]
    #[arg(long, value_parser = super::arguments::rules())]
    rule: Option<Rule>,
    /// The side of the largest board
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u8).range(1..=MAX_SIDE as i64))]
    up_to: u8,
    /// Stop at each board after this time
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = super::arguments::parse_time)]
    time_each: Duration,
    #[command(flatten)]
    search: SearchArguments,
    #[command(flatten)]
    progress: ProgressArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was found on one board.
#[derive(Serialize, Debug)]
struct Row {
    game: json::Game,
    #[serde(flatten)]
    finding: json::Finding,
    engine: &'static str,
    nodes: u64,
    seconds: f64,
    certificate: Option<json::Certificate>,
}

#[derive(Serialize)]
struct Report {
    /// Without a board.
    game: json::Game,
    /// The smallest board Black wins on, where every smaller one is settled.
    smallest: Option<String>,
    boards: Vec<Row>,
}

impl Smallest {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let words = match (self.lines.words(), &self.shape) {
            (Some(line), None) => line,
            (None, Some(shape)) => shape.clone(),
            _ => {
                return Err(UsageError("smallest takes a shape, --row K or --lines, and one of them".to_owned()).into());
            }
        };
        let NamedTarget { name, target } = parse_target(&words, self.family.family())?;
        let rule = build(target.clone(), self.family.ground("1x1", &target)?, self.rule)?.rule();
        if !self.json {
            let kind = match self.family.ground("1x1", &target)?.family() {
                Family::Plain => "boards",
                Family::Torus => "tori",
                Family::Cylinder => "cylinders",
                Family::Hexagonal => "hexagonal boards",
            };
            let cells = target.shape().map_or_else(String::new, |shape| format!(" ({shape})"));
            writeln!(console, "{name}{cells} on square {kind}, {rule} rule")?;
            writeln!(console, "{:>7}  {:<28}  {:<6}  {:>12}  {:>8}", "board", "answer", "first", "nodes", "seconds")?;
            console.flush()?;
        }
        let started = Instant::now();
        let mut rows = Vec::new();
        let (mut settled, mut stopped) = (true, false);
        for side in 1..=usize::from(self.up_to) {
            let Some(game) = self.game(&target, side)? else { continue };
            let Some(row) = self.row(&name, &game, started)? else {
                (settled, stopped) = (false, true);
                break;
            };
            settled &= row.finding.verdict != Verdict::Open;
            if !self.json {
                row.write(console)?;
                console.flush()?;
            }
            rows.push(row);
        }
        let first_win = rows.iter().position(|row| row.finding.verdict == Verdict::Win);
        let smallest = first_win.filter(|&win| rows[..win].iter().all(|row| row.finding.verdict == Verdict::Hold));
        if self.json {
            let report = Report {
                game: json::Game {
                    board: None,
                    vertices: None,
                    ..json::Game::new(&name, &build(target.clone(), self.family.ground("1x1", &target)?, self.rule)?)
                },
                smallest: smallest.map(|win| rows[win].board().to_owned()),
                boards: rows,
            };
            json::write(console, "smallest", &report)?;
        } else {
            writeln!(console, "{}", self.conclusion(&rows, first_win, smallest, stopped))?;
        }
        Ok(if settled { Outcome::Done } else { Outcome::NotSettled })
    }

    /// The game on a square board; `None` if nothing of the target fits.
    fn game(&self, target: &Target, side: usize) -> anyhow::Result<Option<Game>> {
        let ground = self.family.ground(&format!("{side}x{side}"), target)?;
        let game = build(target.clone(), ground, self.rule)?;
        Ok(Some(game).filter(|game| !game.black_sets().is_empty()))
    }

    /// Settles one board; `None` if there is no time left to begin with.
    fn row(&self, name: &str, game: &Game, started: Instant) -> anyhow::Result<Option<Row>> {
        let options = self.search.options()?;
        let time = match self.search.time {
            Some(total) => self.time_each.min(total.saturating_sub(started.elapsed())),
            None => self.time_each,
        };
        let limits = Limits::new(Some(time), self.search.nodes, interrupt::flag()?);
        if limits.check_now().is_err() {
            return Ok(None);
        }
        let begun = Instant::now();
        let line = ProgressLine::new("smallest", self.progress.progress);
        let mut settled = settle(game, &Options { limits, ..options }, &|progress| line.show(progress))?;
        line.clear();
        Ok(Some(Row::new(name, game, &mut settled, begun.elapsed())?))
    }

    /// The answer to the question, or why there is none.
    fn conclusion(&self, rows: &[Row], first_win: Option<usize>, smallest: Option<usize>, stopped: bool) -> String {
        let open = |rows: &[Row]| {
            let boards = rows.iter().filter(|row| row.finding.verdict == Verdict::Open).map(Row::board);
            boards.collect::<Vec<_>>().join(", ")
        };
        match (smallest, first_win) {
            (Some(win), _) => {
                format!("The smallest square board Black wins on is {}{}.", rows[win].board(), rows[win].by_turn())
            }
            (None, Some(win)) => {
                format!(
                    "Black wins on {}; whether on {} as well is not settled.",
                    rows[win].board(),
                    open(&rows[..win])
                )
            }
            (None, None) => match (open(rows), rows.last()) {
                (_, None) if stopped => format!("Stopped before a board was settled: {}.", interrupt::reason()),
                (_, None) => format!("The shape fits on no square board up to {}.", self.up_to),
                (open, Some(last)) if open.is_empty() => {
                    let rest = if stopped { format!(" Larger ones: {}.", interrupt::reason()) } else { String::new() };
                    format!("White holds on every square board up to {} where the shape fits.{rest}", last.board())
                }
                (open, Some(_)) => format!("No win found; not settled: {open}."),
            },
        }
    }
}

impl Row {
    fn new(name: &str, game: &Game, settled: &mut Settled, time: Duration) -> anyhow::Result<Row> {
        let Settled { outcome, account } = settled;
        let certificate = outcome.certificate_mut();
        let certificate = certificate.map(|certificate| json::Certificate::new(certificate, None)).transpose()?;
        Ok(Row {
            game: json::Game::new(name, game),
            finding: json::Finding {
                verdict: outcome.verdict().into(),
                turn: outcome.least_turn(),
                win_by: outcome.win_by(),
                refuted_turn: account.refuted_turn,
                first_move: outcome.first_move().map(|cell| game.vertex_name(cell)),
            },
            engine: account.engine,
            nodes: account.nodes,
            seconds: json::seconds(time.as_secs_f64()),
            certificate,
        })
    }

    fn board(&self) -> &str {
        self.game.board.as_deref().unwrap_or_default()
    }

    fn by_turn(&self) -> String {
        match (self.finding.turn, self.finding.win_by) {
            (Some(turn), _) => format!(", by turn {turn}"),
            (None, Some(turn)) => format!(", by turn {turn} at the latest"),
            (None, None) => String::new(),
        }
    }

    fn answer(&self) -> String {
        match (self.finding.verdict, self.finding.refuted_turn) {
            (Verdict::Win, _) => format!("Black wins{}", self.by_turn()),
            (Verdict::Hold, _) => "White holds".to_owned(),
            (Verdict::Loss, _) => "White wins".to_owned(),
            (Verdict::Open, Some(turn)) => format!("unknown; no win by turn {turn}"),
            (Verdict::Open, None) => "unknown".to_owned(),
        }
    }

    fn write(&self, console: &mut Console) -> anyhow::Result<()> {
        let first = self.finding.first_move.as_deref().unwrap_or("");
        writeln!(
            console,
            "{:>7}  {:<28}  {first:<6}  {:>12}  {:>8.2}",
            self.board(),
            self.answer(),
            self.nodes,
            self.seconds
        )?;
        Ok(())
    }
}
