//! `harary table` and `harary errata`: the published tables beside ours.

use super::console::Console;
use super::ending::{OrUsage, Outcome};
use super::source::Source;
use super::{interrupt, json};
use crate::atlas::compare::{self, Agreement, Asked, Comparison};
use crate::atlas::measured;
use crate::atlas::published::{self, Claim, Published};
use crate::atlas::settling::{Ask, Keep, settle_game};
use crate::atlas::sheet::{Sheet, Style};
use crate::atlas::tables;
use crate::effort::Limits;
use crate::game::Game;
use crate::qbf::published::PublishedSizes;
use crate::settle::EngineChoice;
use anyhow::Context;
use clap::{Args, ValueEnum};
use harary_certificate::Rule;
use serde::Serialize;
use std::io::Write;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Prints a published table beside ours
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary table harary-1982\n  harary table thesis-4.2 --format csv\n  \
    harary table thesis-7.2 --solve --time-each 30s\n  harary table encyclopedia --format html > encyclopedia.html\n  \
    harary table thesis-4.2 --format latex > table.tex\n\n\
    The tables: thesis-4.1 to 4.8, 5.1, 5.7 (a figure), 6.1 to 6.4, 7.1, 7.2 (S. Boucher, thesis, UQAM 2026; 'thesis-' may be \
    left out), harary-1982, encyclopedia, harries-2026, snaky-2026. Ours comes from the atlas; what is not there is 'not settled yet', or solved on the spot with --solve. \
    A line that DIFFERS can be checked: 'harary errata' prints the commands.\n\
    Exit codes: 0 every published claim is borne out or refuted, 3 some are not yet, 2 wrong usage, 1 a failure.")]
pub struct Table {
    /// The table
    #[arg(value_name = "TABLE")]
    name: String,
    #[command(flatten)]
    how: How,
}

/// Lists where the published tables are wrong, with the commands that show it
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary errata\n  harary errata --format html > errata.html\n  \
    harary errata --solve --time-each 60s\n\n\
    Each line has a verdict of the atlas against a published claim, certified unless it says 'searched', or a sum that is \
    wrong, or a number of clauses counted again; the commands write the certificate again, certify the least turn, and put the question to QBF solvers where these can answer it.\n\
    Exit codes: 0 done, 3 stopped before all was compared, 2 wrong usage, 1 a failure.")]
pub struct Errata {
    #[command(flatten)]
    how: How,
}

#[derive(Args, Clone, Debug)]
struct How {
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Md)]
    format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Solve on the spot what the atlas does not know
    #[arg(long)]
    solve: bool,
    /// With --solve: stop at each game after this time. Pavings are searched without it too, for a tenth of it
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = super::arguments::parse_time)]
    time_each: Duration,
    #[command(flatten)]
    source: Source,
}

/// How to print a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// Markdown
    Md,
    /// CSV
    Csv,
    /// A page for a browser
    Html,
    /// A table for LaTeX
    Latex,
    /// JSON
    Json,
}

impl Format {
    /// The style of a sheet; none for JSON, which is no sheet.
    pub fn style(self) -> Option<Style> {
        match self {
            Format::Md => Some(Style::Markdown),
            Format::Csv => Some(Style::Csv),
            Format::Html => Some(Style::Html),
            Format::Latex => Some(Style::Latex),
            Format::Json => None,
        }
    }
}

/// Bytes for the tables of a game solved on the spot: as in `harary atlas run`.
const MEMORY: usize = 256 << 20;

impl How {
    fn style(&self) -> Option<Style> {
        self.format.style().filter(|_| !self.json)
    }

    /// The claims of a table, or of all, beside what is known.
    fn compare(&self, wanted: impl Fn(&Published) -> bool) -> anyhow::Result<Vec<Comparison>> {
        let claims: Vec<&'static Published> = published::all().iter().filter(|claim| wanted(claim)).collect();
        let mut known = self.source.load()?;
        let stop = interrupt::flag()?;
        if self.solve {
            for key in claims.iter().flat_map(|claim| tables::keys(claim)) {
                if !known.get(&key).is_some_and(|entry| entry.finding.is_settled()) {
                    let ask = Ask {
                        time: self.time_each,
                        memory: MEMORY,
                        engine: EngineChoice::Auto,
                        certify_least: false,
                        certificates: Keep::No,
                    };
                    let entry = settle_game(&key, &ask, stop.clone()).with_context(|| key.to_string())?;
                    known.add(entry);
                }
            }
        }
        let formulas = PublishedSizes::default();
        let counted = |claim: &Published| formulas.count(claim);
        let time = if self.solve { self.time_each } else { self.time_each / 10 };
        let compare = |claim: &&'static Published| {
            // The many games of table 4.7 only on demand.
            let affordable = self.solve || !matches!(claim.claim, Claim::LastK(_));
            let pavings = |game: &Game, turn: usize| {
                let limits = Limits::new(Some(time), None, stop.clone());
                if affordable { compare::paving(game, turn, &limits) } else { None }
            };
            compare::compare(claim, &known, Asked { pavings: &pavings, counted: &counted })
        };
        Ok(claims.iter().map(compare).collect())
    }
}

/// A published claim beside ours, for machines.
#[derive(Serialize)]
struct Row {
    table: &'static str,
    /// Where in the literature.
    source: &'static str,
    row: &'static str,
    shape: &'static str,
    board: String,
    rule: Rule,
    published: String,
    published_time: &'static str,
    ours: String,
    agreement: Agreement,
    seconds: Option<f64>,
    /// What the source's solver took here.
    measured: Option<&'static str>,
    certificate: Option<json::Certificate>,
    least_certificate: Option<json::Certificate>,
    /// Of a claim that is wrong: what shows it.
    commands: Vec<String>,
}

impl Row {
    fn new(comparison: &Comparison) -> Row {
        let published = comparison.published;
        let entry = comparison.entry.as_ref();
        let is_wrong = comparison.agreement >= Agreement::Searched;
        Row {
            table: &published.table,
            source: &published.source,
            row: &published.row,
            shape: &published.subject,
            board: tables::board(published),
            rule: published.rule,
            published: published.text(),
            published_time: &published.time,
            ours: comparison.ours.clone(),
            agreement: comparison.agreement,
            seconds: comparison.seconds.map(json::seconds),
            measured: measured::of(published).map(|measured| measured.result.as_str()),
            certificate: entry.and_then(|entry| entry.certificate).map(json::Certificate::of_mark),
            least_certificate: entry.and_then(|entry| entry.leastness.mark()).map(json::Certificate::of_mark),
            commands: if is_wrong { compare::commands(comparison) } else { Vec::new() },
        }
    }
}

#[derive(Serialize)]
struct Report<'a> {
    title: String,
    notes: Vec<String>,
    /// Tables with claims that are not settled here.
    open: Vec<&'a str>,
    rows: Vec<Row>,
}

impl Report<'_> {
    fn new<'a>(sheet: Sheet, all: &'a [Comparison], rows: Vec<Row>) -> Report<'a> {
        Report { title: sheet.title, notes: sheet.notes, open: tables::open_tables(all).into_iter().collect(), rows }
    }
}

impl Table {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let table = tables::find(&self.name).usage()?;
        let rows = self.how.compare(|claim| claim.table == table.name)?;
        let sheet = tables::sheet(&table, &rows);
        match self.how.style() {
            None => json::write(console, "table", &Report::new(sheet, &rows, rows.iter().map(Row::new).collect()))?,
            // Programs get the same columns every time.
            Some(Style::Csv) => write!(console, "{}", sheet.write(Style::Csv))?,
            Some(style) => write!(console, "{}", sheet.without_empty_columns().write(style))?,
        }
        let open = rows.iter().any(|row| row.agreement == Agreement::Open);
        Ok(if open { Outcome::NotSettled } else { Outcome::Done })
    }
}

impl Errata {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let rows = self.how.compare(|_| true)?;
        let sheet = tables::errata_sheet(&rows);
        match self.how.style() {
            None => json::write(
                console,
                "errata",
                &Report::new(sheet, &rows, tables::wrong(&rows).map(Row::new).collect()),
            )?,
            Some(style) => write!(console, "{}", sheet.write(style))?,
        }
        let stopped = interrupt::flag()?.load(Ordering::Relaxed);
        Ok(if stopped { Outcome::NotSettled } else { Outcome::Done })
    }
}
