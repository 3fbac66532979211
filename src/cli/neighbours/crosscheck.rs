//! `harary neighbours crosscheck`: the formulas of the neighbours against real solvers, with and without cuts.

use super::super::console::Console;
use super::super::crosscheck::progress_bar;
use super::super::ending::{OrUsage, Outcome, UsageError, report};
use super::super::json;
use super::super::solver_arguments::SolverArguments;
use super::task::parse_sides;
use crate::effort::Limits;
use crate::neighbours::connect::Grid;
use crate::neighbours::crosscheck::{Finding, Row, Subject, clause_games, matrices, run};
use crate::neighbours::nim::{Nim, Rule};
use clap::Args;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

/// Asks QBF solvers about the neighbours, with and without cuts, and compares with the search
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  harary neighbours crosscheck\n  harary neighbours crosscheck --games matrix --matrices 200\n  \
    harary neighbours crosscheck --games connect --boards 4x4,5x4 --solvers caqe,depqbf6 --timeout 600s\n  \
    harary neighbours crosscheck --games nim --nim 8 --rows\n\n\
    Each formula says that the first player wins. With cuts a branch in which the second player has cheated is closed at once. The nodes are \
    those of a plain quantified search of our own, with cuts or without. A disagreement exits with code 1 and keeps the formula."
)]
pub struct CrosscheckArguments {
    /// Which games, separated by commas
    #[arg(long, value_enum, value_name = "GAMES", value_delimiter = ',', default_value = "nim,matrix,connect,clauses")]
    games: Vec<Kind>,
    /// Nim with 1 to N matches, by Fibonacci's rule and 1 to 3 at a turn
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u64).range(1..=40))]
    nim: u64,
    /// So many random matrices of depth 1 to 4
    #[arg(long, value_name = "N", default_value_t = 20)]
    matrices: usize,
    /// Boards of Connect Four, separated by commas; 4x4:3 is three in a line
    #[arg(long, value_name = "BOARDS", value_delimiter = ',', default_value = "3x3:3,4x3:3,4x4:3,4x4")]
    boards: Vec<String>,
    /// So many random games of clauses
    #[arg(long, value_name = "N", default_value_t = 10)]
    formulas: usize,
    /// The board of the games of clauses
    #[arg(long, value_name = "WxH", default_value = "3x2")]
    clause_board: String,
    /// Where the random numbers begin
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    solvers: SolverArguments,
    /// Where formulas of disagreements go
    #[arg(long, value_name = "FOLDER", default_value = "disagreements")]
    keep: PathBuf,
    /// Print every formula, not only sums
    #[arg(long)]
    rows: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Kind {
    Nim,
    Matrix,
    Connect,
    Clauses,
}

/// One run, for machines.
#[derive(Serialize)]
struct RowObject<'a> {
    kind: &'a str,
    game: &'a str,
    cuts: bool,
    variables: usize,
    clauses: usize,
    native: bool,
    native_seconds: f64,
    nodes: Option<f64>,
    solver: &'a str,
    answer: Option<bool>,
    reason: Option<&'a str>,
    seconds: f64,
    finding: Finding,
    formula: Option<String>,
}

impl<'a> RowObject<'a> {
    fn new(row: &'a Row) -> RowObject<'a> {
        RowObject {
            kind: row.kind,
            game: &row.game,
            cuts: row.cuts,
            variables: row.size.variables,
            clauses: row.size.clauses,
            native: row.native,
            native_seconds: json::seconds(row.native_seconds),
            nodes: row.nodes.map(|nodes| nodes as f64),
            solver: &row.solver,
            answer: row.answer,
            reason: Some(row.ending.as_str()).filter(|_| row.answer.is_none()),
            seconds: json::seconds(row.seconds),
            finding: row.finding,
            formula: row.kept.as_ref().map(|path| path.display().to_string()),
        }
    }
}

/// Sums over the runs of one game, with or without cuts, of one solver.
#[derive(Default, Serialize)]
struct Sums {
    runs: usize,
    agreements: usize,
    disagreements: usize,
    timeouts: usize,
    failures: usize,
    solver_seconds: f64,
    nodes: f64,
}

impl Sums {
    fn of<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Sums {
        let mut sums = Sums::default();
        for row in rows {
            sums.runs += 1;
            sums.solver_seconds += row.seconds;
            sums.nodes += row.nodes.unwrap_or(0) as f64;
            *match row.finding {
                Finding::Agreement => &mut sums.agreements,
                Finding::Disagreement => &mut sums.disagreements,
                Finding::Timeout => &mut sums.timeouts,
                Finding::Failure => &mut sums.failures,
            } += 1;
        }
        sums.solver_seconds = json::seconds(sums.solver_seconds);
        sums
    }
}

#[derive(Serialize)]
struct Report<'a> {
    summary: Sums,
    rows: Vec<RowObject<'a>>,
}

impl CrosscheckArguments {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let subjects = self.subjects()?;
        if subjects.is_empty() {
            return Err(UsageError("there is nothing to ask".to_owned()).into());
        }
        let (solvers, limits) = (self.solvers.solvers()?, self.solvers.limits()?);
        let bar = progress_bar((subjects.len() * 2 * solvers.len()) as u64);
        let native = Limits::new(None, None, limits.stop.clone());
        let mut rows: Vec<Row> = Vec::new();
        let ended = run(&subjects, &solvers, &limits, &native, &self.keep, &mut |row| {
            bar.inc(1);
            rows.push(row.clone());
        })?;
        bar.finish_and_clear();
        let summary = Sums::of(&rows);
        let (disagreements, answered) = (summary.disagreements, summary.agreements);
        if self.json {
            json::write(
                console,
                "neighbours crosscheck",
                &Report { summary, rows: rows.iter().map(RowObject::new).collect() },
            )?;
        } else {
            self.write_table(console, &rows)?;
        }
        console.flush()?;
        for row in rows.iter().filter(|row| row.finding == Finding::Disagreement) {
            let kept = row.kept.as_ref().map_or_else(String::new, |path| path.display().to_string());
            report(&format!(
                "{}: {} says {}, the search the contrary; formula: {kept}",
                row.game, row.solver, row.ending
            ));
        }
        if ended.is_err() {
            report("stopped by request");
        }
        Ok(match disagreements {
            1.. => Outcome::Refused,
            0 if ended.is_ok() && answered == rows.len() => Outcome::Done,
            0 => Outcome::NotSettled,
        })
    }

    fn subjects(&self) -> anyhow::Result<Vec<Subject>> {
        let mut subjects = Vec::new();
        for kind in &self.games {
            match kind {
                Kind::Nim => {
                    for rule in [Rule::Fibonacci, Rule::UpTo(3)] {
                        subjects.extend((1..=self.nim).map(|matches| Subject::Nim(Nim::new(rule, matches))));
                    }
                }
                Kind::Matrix => subjects.extend(matrices(self.matrices, 4, self.seed)),
                Kind::Connect => {
                    for text in &self.boards {
                        let (sides, connect) = text.split_once(':').unwrap_or((text, "4"));
                        let (width, height) = parse_sides(sides)?;
                        let wrong = |_| UsageError(format!("'{connect}' is no number of stones in a line"));
                        let connect = connect.parse().map_err(wrong)?;
                        subjects.push(Subject::Connect(Grid::new(width, height, connect).usage()?));
                    }
                }
                Kind::Clauses => {
                    let sides = parse_sides(&self.clause_board)?;
                    let games = clause_games(self.formulas, sides, self.seed);
                    if games.len() < self.formulas {
                        return Err(UsageError(format!("{} is no board for this game", self.clause_board)).into());
                    }
                    subjects.extend(games);
                }
            }
        }
        Ok(subjects)
    }

    /// Every run if asked for, and the sums by game, cuts and solver.
    fn write_table(&self, console: &mut Console, rows: &[Row]) -> anyhow::Result<()> {
        let cuts = |cuts: bool| if cuts { "with" } else { "without" };
        if self.rows {
            for row in rows {
                let nodes = row.nodes.map_or_else(|| "-".to_owned(), |nodes| nodes.to_string());
                let Row { game, solver, ending, seconds, .. } = row;
                let size = format!("{} variables, {} clauses", row.size.variables, row.size.clauses);
                let cuts = cuts(row.cuts);
                writeln!(console, "{game}, {cuts} cuts ({size}, {nodes} nodes): {solver} {ending}, {seconds:.3} s")?;
            }
        }
        let mut groups: BTreeMap<(&str, bool, &str), Vec<&Row>> = BTreeMap::new();
        for row in rows {
            groups.entry((row.kind, row.cuts, &row.solver)).or_default().push(row);
        }
        writeln!(
            console,
            "{:<8} {:<8} {:<10} {:>5} {:>6} {:>9} {:>8} {:>7} {:>10} {:>14}",
            "game", "cuts", "solver", "runs", "agree", "disagree", "timeout", "failed", "solver s", "nodes"
        )?;
        for ((kind, with, solver), rows) in groups {
            let sums = Sums::of(rows);
            writeln!(
                console,
                "{kind:<8} {:<8} {solver:<10} {:>5} {:>6} {:>9} {:>8} {:>7} {:>10.2} {:>14}",
                cuts(with),
                sums.runs,
                sums.agreements,
                sums.disagreements,
                sums.timeouts,
                sums.failures,
                sums.solver_seconds,
                sums.nodes
            )?;
        }
        Ok(())
    }
}
