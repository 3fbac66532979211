//! `harary table` and `harary errata`: the published tables beside ours.

use super::atlas::Source;
use super::{Console, Outcome, UsageError, interrupt};
use crate::atlas::compare::{self, Agreement, Comparison};
use crate::atlas::entry::{Entry, GameKey};
use crate::atlas::published::{self, Claim, Published, TABLES, TableName};
use crate::atlas::run::{Ask, Keep, settle_game};
use crate::atlas::sheet::{Format, Sheet};
use crate::effort::Limits;
use crate::game::Game;
use anyhow::Context;
use clap::Args;
use harary_certificate::Board;
use std::collections::BTreeSet;
use std::io::Write;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Prints a published table beside ours
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary table harary-1982\n  harary table thesis-4.2 --format csv\n  \
    harary table thesis-7.2 --solve --time-each 30s\n  harary table encyclopedia --format html > encyclopedia.html\n\n\
    The tables: thesis-4.1, 4.2, 4.5, 4.6, 4.7, 4.8, 5.1, 7.1, 7.2 (S. Boucher, thesis, UQAM 2026; 'thesis-' may be left \
    out), harary-1982, encyclopedia. Ours comes from the atlas; what is not there is 'not settled yet', or solved on the spot with --solve. \
    A line that DIFFERS can be checked: 'harary errata' prints the commands.\n\
    Exit codes: 0 every published claim is borne out or refuted, 3 some are not yet, 2 wrong usage, 1 anything else.")]
pub struct Table {
    /// The table
    name: String,
    #[command(flatten)]
    how: How,
}

/// Lists where the published tables are wrong, with the commands that show it
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary errata\n  harary errata --format html > errata.html\n  \
    harary errata --solve --time-each 60s\n\n\
    Each line has a verdict of the atlas against a published claim, certified unless it says 'searched', or a sum that is \
    wrong; the commands write the certificate again, certify the least turn, and put the question to QBF solvers where these can answer it.\n\
    Exit codes: 0 done, 3 stopped before all was compared, 2 wrong usage, 1 anything else.")]
pub struct Errata {
    #[command(flatten)]
    how: How,
}

#[derive(Args, Clone, Debug)]
struct How {
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Md)]
    format: Format,
    /// Solve on the spot what the atlas does not know
    #[arg(long)]
    solve: bool,
    /// With --solve: stop at each game after this time. Pavings are searched without it too, for a tenth of it
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = super::arguments::parse_time)]
    time_each: Duration,
    #[command(flatten)]
    source: Source,
}

/// Bytes for the tables of a game solved on the spot: as in `harary atlas run`.
const MEMORY: usize = 256 << 20;

impl How {
    /// The claims of a table, or of all, beside what is known.
    fn compare(&self, wanted: impl Fn(&Published) -> bool) -> anyhow::Result<Vec<Comparison>> {
        let claims: Vec<&'static Published> = published::all().iter().filter(|claim| wanted(claim)).collect();
        let mut known = self.source.load()?;
        let stop = interrupt::flag()?;
        if self.solve {
            for key in claims.iter().flat_map(|claim| keys(claim)) {
                if !known.get(&key).is_some_and(|entry| entry.finding.is_settled()) {
                    let ask =
                        Ask { time: self.time_each, memory: MEMORY, certify_least: false, certificates: Keep::No };
                    let entry = settle_game(&key, &ask, stop.clone()).with_context(|| key.to_string())?;
                    known.add(entry);
                }
            }
        }
        let time = if self.solve { self.time_each } else { self.time_each / 10 };
        let compare = |claim: &&'static Published| {
            // The many games of table 4.7 only on demand.
            let affordable = self.solve || !matches!(claim.claim, Claim::LastK(_));
            let pavings = |game: &Game, turn: usize| {
                let limits = Limits::new(Some(time), None, stop.clone());
                if affordable { compare::paving(game, turn, &limits) } else { None }
            };
            compare::compare(claim, &known, &pavings)
        };
        Ok(claims.iter().map(compare).collect())
    }
}

/// The games a claim is about, those on smaller boards included where it says that its board is the smallest.
pub fn keys(claim: &Published) -> Vec<GameKey> {
    let mut boards = claim.boards();
    match (claim.claim, boards.first().copied()) {
        (Claim::Smallest(_), Some(board)) => {
            boards.extend((1..board.width()).filter_map(|side| Board::new(side, side, board.topology()).ok()));
        }
        // Pavings are no verdicts.
        (Claim::Paving(_) | Claim::NoPaving(_), _) => boards.clear(),
        _ => {}
    }
    let games = claim.shapes.iter().flat_map(|shape| boards.iter().map(move |board| (shape, board)));
    games
        .filter(|(shape, board)| shape.fits(board.width(), board.height()))
        .map(|(shape, board)| GameKey::new(shape, *board, claim.rule))
        .collect()
}

impl Table {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let table = find(&self.name)?;
        let rows = self.how.compare(|claim| claim.table == table.name)?;
        let sheet = Sheet {
            title: table.title.to_owned(),
            notes: vec![table.compared.to_owned()],
            columns: vec!["row", "shape", "board", "published", "time", "ours", "seconds", "certificate", "verdict"],
            rows: rows.iter().map(row).collect(),
        };
        // Programs get the same columns every time.
        let sheet = match self.how.format {
            Format::Md | Format::Html => sheet.without_empty_columns(),
            Format::Csv | Format::Json => sheet,
        };
        write!(console, "{}", sheet.write(self.how.format))?;
        let open = rows.iter().any(|row| row.agreement == Agreement::Open);
        Ok(if open { Outcome::NotSettled } else { Outcome::Done })
    }
}

/// The table with this name.
fn find(name: &str) -> anyhow::Result<TableName> {
    let is_meant = |known: &str| known.eq_ignore_ascii_case(name) || known.strip_prefix("thesis-") == Some(name);
    TABLES.into_iter().find(|table| is_meant(table.name)).ok_or_else(|| {
        let names: Vec<&str> = TABLES.iter().map(|table| table.name).collect();
        let nearest =
            names.iter().min_by_key(|known| strsim::osa_distance(known, name)).copied().unwrap_or("thesis-7.1");
        UsageError(format!("no table '{name}'; did you mean {nearest}? There are {}", names.join(", "))).into()
    })
}

fn row(comparison: &Comparison) -> Vec<String> {
    let published = comparison.published;
    let settled = comparison.entry.as_ref().and_then(|entry| entry.certificate);
    vec![
        published.row.clone(),
        published.subject.clone(),
        board(published),
        published.text(),
        published.time.clone(),
        comparison.ours.clone(),
        comparison.seconds.map_or_else(String::new, |seconds| format!("{seconds:.3}")),
        settled.map_or_else(String::new, |mark| mark.short()),
        comparison.agreement.to_string(),
    ]
}

/// `7x7 torus`, `5x5 plain and torus`.
fn board(published: &Published) -> String {
    let topologies: Vec<String> = published.topologies.iter().map(ToString::to_string).collect();
    let sides = published.board.map_or_else(|| "all boards".to_owned(), |(width, height)| format!("{width}x{height}"));
    format!("{sides} {}", topologies.join(" and "))
}

impl Errata {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let rows = self.how.compare(|_| true)?;
        let wrong: Vec<&Comparison> = rows.iter().filter(|row| row.agreement >= Agreement::Searched).collect();
        let open: BTreeSet<&str> = rows
            .iter()
            .filter(|row| row.agreement == Agreement::Open)
            .map(|row| row.published.table.as_str())
            .collect();
        let left = match open.is_empty() {
            true => "Every other claim of the tables is borne out.".to_owned(),
            false => {
                let open: Vec<&str> = open.into_iter().collect();
                format!("Not settled yet, in part: {}.", open.join(", "))
            }
        };
        let sheet = Sheet {
            title: "Where the published tables are wrong".to_owned(),
            notes: vec![
                "Ours is certified, unless it is 'searched': the first command writes the certificate again, 'harary check FILE' checks it, and its \
                 blake3 hash is the one given. Where there is a second one it certifies that no earlier turn wins, and the \
                 crosscheck asks QBF solvers."
                    .to_owned(),
                left,
            ],
            columns: vec!["table", "source", "shape", "board", "published", "ours", "certificate", "least", "commands"],
            rows: wrong.into_iter().map(erratum).collect(),
        };
        write!(console, "{}", sheet.write(self.how.format))?;
        let stopped = interrupt::flag()?.load(Ordering::Relaxed);
        Ok(if stopped { Outcome::NotSettled } else { Outcome::Done })
    }
}

fn erratum(comparison: &Comparison) -> Vec<String> {
    let published = comparison.published;
    let entry: Option<&Entry> = comparison.entry.as_ref();
    let certificate = match entry.and_then(|entry| entry.certificate) {
        Some(mark) => mark.short(),
        None if comparison.agreement == Agreement::Searched => "searched".to_owned(),
        None => String::new(),
    };
    let least = match entry.map(|entry| (entry.leastness.mark(), entry.finding.least_turn())) {
        Some((Some(mark), _)) => mark.short(),
        Some((None, Some(_))) => "searched".to_owned(),
        _ => String::new(),
    };
    let subject = match published.row.as_str() {
        "" => published.subject.clone(),
        row => format!("{} ({row})", published.subject),
    };
    vec![
        published.table.clone(),
        published.source.clone(),
        subject,
        board(published),
        published.text(),
        comparison.ours.clone(),
        certificate,
        least,
        compare::commands(comparison).join("; "),
    ]
}

/// All games the published tables speak of, for `harary atlas run --published`.
pub fn published_games() -> BTreeSet<GameKey> {
    published::all().iter().flat_map(keys).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tables() {
        assert_eq!(find("Thesis-7.1").unwrap().name, "thesis-7.1");
        assert_eq!(find("4.8").unwrap().name, "thesis-4.8");
        let error = find("thesis-7.3").unwrap_err();
        assert!(error.is::<UsageError>() && error.to_string().contains("did you mean thesis-7."), "{error}");
    }

    #[test]
    fn the_published_games_include_smaller_boards() {
        let games: Vec<String> = published_games().iter().map(GameKey::to_string).collect();
        for game in
            ["skinny 7x7 torus strong", "skinny 6x6 plain strong", "elam 1x1 plain strong", "5cells1 9x9 plain strong"]
        {
            assert!(games.iter().any(|known| known == game), "{game}");
        }
        assert!(!games.iter().any(|known| known.starts_with("skinny 3x3")), "it does not fit there");
    }
}
