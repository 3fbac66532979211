//! `harary deepen`: the two sides' formulas in turn, k = 0, 1, 2, …, until one is true.

use super::console::Console;
use super::crosscheck::NATIVE_MEMORY;
use super::crosscheck_report::{check_figure, is_picture, save};
use super::ending::{Outcome, UsageError};
use super::game_list::{GameListArguments, Listed};
use super::json;
use super::solver_arguments::SolverArguments;
use super::words::counted;
use crate::game::Game;
use crate::qbf::decide::WorkFolder;
use crate::qbf::deepen::{DeepenError, Deepened, Deepening, Winner};
use crate::qbf::instance::Encoding;
use crate::qbf::native::Engines;
use crate::views::plot;
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// Settles games by formulas alone, turn by turn, until the first that is true
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  harary deepen tippy 4x4 --solver depqbf6\n  harary deepen el,fatty,skinny 4x4 --attacker cover\n  \
    harary deepen animals 3x3 --both --preprocess bloqqer --game-time 60s --histogram 3x3.svg\n  \
    harary deepen --pg hex.pg\n  harary deepen el 3x3 --handicap 1\n\n\
    PAIRING at k = 0, 2, 4, …, the attacker's encoding at k = 1, 3, 5, … For each game: the last k, who won, the \
    solver's time and the native search's, and for a win the solver's first move beside the native ones. Where the players \
    do not alternate there is no PAIRING, and Black is asked at each of his turns. If his formula is false at his last turn, \
    White holds (COVER cannot say so). A contradiction between solver and native search exits with code 1.\n\
    The table below counts the games by their last k, those without an answer included."
)]
pub struct Deepen {
    /// Shapes, separated by commas; `animals` for those of at most 6 cells that fit the board
    #[arg(required_unless_present = "pg")]
    shapes: Option<String>,
    /// The board, WxH
    #[arg(required_unless_present = "pg")]
    board: Option<String>,
    #[command(flatten)]
    list: GameListArguments,
    /// Black's formulas
    #[arg(long, value_enum, default_value = "cor+")]
    attacker: Encoding,
    /// White's formulas: there is one such encoding
    #[arg(long, value_enum, default_value = "pairing")]
    defender: Encoding,
    /// The formulas as published
    #[arg(long)]
    faithful: bool,
    /// Give up after this k
    #[arg(long, value_name = "K")]
    until: Option<usize>,
    #[command(flatten)]
    solver: SolverArguments,
    /// The number of games by last k: a picture (.svg) or the numbers (.csv)
    #[arg(long, value_name = "FILE")]
    histogram: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What became of one shape, for machines.
#[derive(Serialize)]
struct Row {
    game: json::Game,
    last_k: usize,
    verdict: json::Verdict,
    /// Why it is open.
    reason: Option<String>,
    solver_seconds: f64,
    preprocess_seconds: f64,
    native_seconds: f64,
    contradiction: Option<usize>,
    first_move: Option<String>,
    first_move_wins: Option<bool>,
}

impl Row {
    fn new(name: &str, game: &Game, found: &Deepened) -> Row {
        let (verdict, reason) = match &found.winner {
            Winner::Black => (json::Verdict::Win, None),
            Winner::White | Winner::WhiteAtTheEnd => (json::Verdict::Hold, None),
            Winner::Nobody(reason) => (json::Verdict::Open, Some(reason.clone())),
        };
        Row {
            game: json::Game::new(name, game),
            last_k: found.last_turn,
            verdict,
            reason,
            solver_seconds: json::seconds(found.solver_time.as_secs_f64()),
            preprocess_seconds: json::seconds(found.preprocess_time.as_secs_f64()),
            native_seconds: json::seconds(found.native_time.as_secs_f64()),
            contradiction: found.contradiction,
            first_move: found.first_move.clone(),
            first_move_wins: found.first_move_wins,
        }
    }
}

/// How many games ended at a k, and how.
#[derive(Clone, Copy, Default, Serialize)]
struct Bar {
    last_k: usize,
    win: usize,
    hold: usize,
    open: usize,
}

impl Bar {
    fn counts(self) -> [usize; 3] {
        [self.win, self.hold, self.open]
    }
}

#[derive(Serialize)]
struct Report {
    solver: String,
    preprocessor: Option<String>,
    attacker: Encoding,
    defender: Encoding,
    /// Games not asked about, because somebody stopped it.
    left: usize,
    /// By last k.
    histogram: Vec<Bar>,
    games: Vec<Row>,
}

impl Deepen {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        if self.attacker == Encoding::Pairing || self.defender != Encoding::Pairing {
            return Err(
                UsageError("the attacker is cor, cor+, cor++, cover or dys, the defender pairing".into()).into()
            );
        }
        if let Some(path) = &self.histogram {
            check_figure(path, &self.list.files())?;
        }
        let games = self.games()?;
        let (solvers, preprocessors) = (self.solver.solvers()?, self.solver.preprocessors()?);
        let ([solver], [preprocessor]) = (&solvers[..], &preprocessors[..]) else {
            return Err(UsageError("deepening takes one solver and one preprocessor".into()).into());
        };
        let limits = self.solver.limits()?;
        let folder = WorkFolder::new()?;
        let deepening = Deepening {
            attacker: self.attacker,
            defender: self.defender,
            faithful: self.faithful,
            until: self.until,
            solver,
            preprocessor: preprocessor.as_ref(),
            limits: &limits,
            game_time: self.solver.game_time(),
            engines: Engines { memory: NATIVE_MEMORY },
        };
        let (mut results, mut rows) = (Vec::new(), Vec::new());
        for Listed { named, .. } in &games {
            if limits.stop.load(Ordering::Relaxed) {
                break;
            }
            let found = deepening.settle(&named.game, &folder).map_err(|error| match error {
                DeepenError::Instance(mistake) => UsageError(mistake.to_string()).into(),
                other => anyhow::Error::from(other),
            })?;
            if self.json {
                rows.push(Row::new(&named.name, &named.game, &found));
            } else {
                write_line(console, &named.name, &named.game, &found)?;
                console.flush()?;
            }
            results.push(found);
        }
        let bars = histogram(&results);
        if let Some(path) = &self.histogram {
            save(path, &if is_picture(path) { picture(&bars) } else { csv(&bars) })?;
        }
        if self.json {
            let report = Report {
                solver: solver.name().to_owned(),
                preprocessor: preprocessor.as_ref().map(|preprocessor| preprocessor.name().to_owned()),
                attacker: self.attacker,
                defender: self.defender,
                left: games.len() - results.len(),
                histogram: bars,
                games: rows,
            };
            json::write(console, "deepen", &report)?;
        } else if results.len() > 1 {
            write_histogram(console, &bars)?;
            write_account(console, &results)?;
        }
        let left = games.len() - results.len();
        if left > 0 && !self.json {
            writeln!(console, "Stopped by request; {} not asked about.", counted(left, "game"))?;
        }
        Ok(if results.iter().any(Deepened::is_contradicted) {
            Outcome::Refused
        } else if left > 0 || results.iter().any(|found| !found.is_settled()) {
            Outcome::NotSettled
        } else {
            Outcome::Done
        })
    }

    fn games(&self) -> anyhow::Result<Vec<Listed>> {
        let shapes: Vec<String> = match self.shapes.as_deref() {
            None | Some("animals") => Vec::new(),
            Some(shapes) => shapes.split(',').map(str::to_owned).collect(),
        };
        let boards: Vec<String> = self.board.iter().cloned().collect();
        if self.shapes.is_some() && boards.is_empty() {
            return Err(UsageError("shapes need a board, for example 3x3".to_owned()).into());
        }
        self.list.games(&shapes, &boards)
    }
}

fn write_line(console: &mut Console, name: &str, game: &Game, found: &Deepened) -> std::io::Result<()> {
    let board = game.place().unwrap_or_else(|| "sets".to_owned());
    let who = match &found.winner {
        Winner::Black => format!("Black wins by turn {}", found.last_turn),
        Winner::White => format!("White holds, paving after turn {}", found.last_turn),
        Winner::WhiteAtTheEnd => format!("White holds, Black has no win by turn {}, his last", found.last_turn),
        Winner::Nobody(reason) => reason.clone(),
    };
    let preprocessing = match found.preprocess_time.is_zero() {
        true => String::new(),
        false => format!("preprocessor {:.2} s, ", found.preprocess_time.as_secs_f64()),
    };
    write!(
        console,
        "{name:<14} {board:<10} last k {:>2}  {who}  (solver {:.2} s, {preprocessing}native {:.3} s)",
        found.last_turn,
        found.solver_time.as_secs_f64(),
        found.native_time.as_secs_f64()
    )?;
    if let Some(name) = &found.first_move {
        let judged = match found.first_move_wins {
            Some(true) => "wins natively too",
            Some(false) => "does NOT win natively",
            None => "not compared",
        };
        write!(console, "  first move {name}: {judged}")?;
    }
    if let Some(k) = found.contradiction {
        write!(console, "  CONTRADICTED by the native search at k = {k}")?;
    }
    writeln!(console)
}

/// How many games ended at each last k.
fn histogram(results: &[Deepened]) -> Vec<Bar> {
    let mut bars: BTreeMap<usize, Bar> = BTreeMap::new();
    for found in results {
        let bar = bars.entry(found.last_turn).or_default();
        bar.last_k = found.last_turn;
        *match found.winner {
            Winner::Black => &mut bar.win,
            Winner::White | Winner::WhiteAtTheEnd => &mut bar.hold,
            Winner::Nobody(_) => &mut bar.open,
        } += 1;
    }
    bars.into_values().collect()
}

fn write_histogram(console: &mut Console, bars: &[Bar]) -> std::io::Result<()> {
    writeln!(console, "\n{:>6} {:>6} {:>6} {:>6}", "last k", "win", "hold", "open")?;
    for Bar { last_k, win, hold, open } in bars {
        writeln!(console, "{last_k:>6} {win:>6} {hold:>6} {open:>6}  {}", "#".repeat(win + hold + open))?;
    }
    Ok(())
}

fn csv(bars: &[Bar]) -> String {
    let lines = bars.iter().map(|Bar { last_k, win, hold, open }| format!("{last_k},{win},{hold},{open}\n"));
    format!("last_k,win,hold,open\n{}", lines.collect::<String>())
}

/// Every k from 0 to the last, also those at which no game ended.
fn picture(bars: &[Bar]) -> String {
    let last = bars.last().map_or(0, |bar| bar.last_k);
    let counts = |k: usize| bars.iter().find(|bar| bar.last_k == k).map_or([0; 3], |bar| bar.counts()).to_vec();
    let bars: Vec<(String, Vec<usize>)> = (0..=last).map(|k| (k.to_string(), counts(k))).collect();
    plot::bars(&["win", "hold", "open"], &bars, "last k", "games")
}

/// Unknown, won, held, and the times of all games.
fn write_account(console: &mut Console, results: &[Deepened]) -> std::io::Result<()> {
    let [win, hold, open] =
        histogram(results).iter().fold([0; 3], |sum, bar| [0, 1, 2].map(|part| sum[part] + bar.counts()[part]));
    let sum = |time: fn(&Deepened) -> f64| results.iter().map(time).sum::<f64>();
    writeln!(
        console,
        "\n{} games: {open} unknown, {win} win, {hold} hold; solver {:.2} s, preprocessor {:.2} s, native {:.3} s",
        results.len(),
        sum(|found| found.solver_time.as_secs_f64()),
        sum(|found| found.preprocess_time.as_secs_f64()),
        sum(|found| found.native_time.as_secs_f64())
    )
}
