//! The published tables beside ours, ready to be printed.

use super::compare::{Agreement, Comparison, commands};
use super::entry::Entry;
use super::key::GameKey;
use super::measured::{self, Measured};
use super::published::{self, Claim, Published, TABLES, TableName};
use super::sheet::Sheet;
use harary_certificate::Board;
use std::collections::BTreeSet;
use thiserror::Error;

/// There is no such table.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("no table '{name}'; did you mean {nearest}? There are {all}")]
pub struct NoTable {
    name: String,
    nearest: &'static str,
    all: String,
}

/// The table with this name; `thesis-` may be left out.
pub fn find(name: &str) -> Result<TableName, NoTable> {
    let is_meant = |known: &str| known.eq_ignore_ascii_case(name) || known.strip_prefix("thesis-") == Some(name);
    TABLES.into_iter().find(|table| is_meant(table.name)).ok_or_else(|| {
        let names: Vec<&'static str> = TABLES.iter().map(|table| table.name).collect();
        let nearest =
            names.iter().min_by_key(|known| strsim::osa_distance(known, name)).copied().unwrap_or("thesis-7.1");
        NoTable { name: name.to_owned(), nearest, all: names.join(", ") }
    })
}

/// The games a claim is about, those on smaller boards included where it says that its board is the smallest.
pub fn keys(claim: &Published) -> Vec<GameKey> {
    let mut boards = claim.boards();
    match (claim.claim, boards.first().copied()) {
        (Claim::Smallest(_), Some(board)) => {
            boards.extend((1..board.width()).filter_map(|side| Board::new(side, side, board.topology()).ok()));
        }
        // Pavings, sizes and times are no verdicts.
        (Claim::Paving(_) | Claim::NoPaving(_) | Claim::Size { .. } | Claim::Times, _) => boards.clear(),
        _ => {}
    }
    let games = claim.shapes.iter().flat_map(|shape| boards.iter().map(move |board| (shape, board)));
    games
        .filter(|(shape, board)| shape.fits(board.width(), board.height()))
        .map(|(shape, board)| GameKey::new(shape, *board, claim.rule))
        .collect()
}

/// All games the published tables speak of, for `harary atlas run --published`.
pub fn published_games() -> BTreeSet<GameKey> {
    published::all().iter().flat_map(keys).collect()
}

/// A table with what is known beside each claim.
pub fn sheet(table: &TableName, rows: &[Comparison]) -> Sheet {
    let mut notes = vec![table.compared.to_owned()];
    let ours = rows.iter().filter_map(|row| measured::of(row.published));
    notes.extend(ours.map(Measured::how).collect::<BTreeSet<_>>());
    Sheet {
        title: table.title.to_owned(),
        notes,
        columns: vec![
            "row",
            "shape",
            "board",
            "published",
            "time",
            "ours",
            "seconds",
            "measured",
            "certificate",
            "verdict",
        ],
        rows: rows.iter().map(row).collect(),
    }
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
        measured::of(published).map_or_else(String::new, |measured| measured.result.clone()),
        settled.map_or_else(String::new, |mark| mark.short()),
        comparison.agreement.to_string(),
    ]
}

/// Where a claim is about: `7x7 torus`, `5x5 plain and torus`.
pub fn board(published: &Published) -> String {
    let topologies: Vec<String> = published.topologies.iter().map(ToString::to_string).collect();
    let sides = published.board.map_or_else(|| "all boards".to_owned(), |(width, height)| format!("{width}x{height}"));
    format!("{sides} {}", topologies.join(" and "))
}

/// The claims that are wrong.
pub fn wrong(rows: &[Comparison]) -> impl Iterator<Item = &Comparison> {
    rows.iter().filter(|row| row.agreement >= Agreement::Searched)
}

/// The tables with claims that are not settled here.
pub fn open_tables(rows: &[Comparison]) -> BTreeSet<&str> {
    let open = rows.iter().filter(|row| row.agreement == Agreement::Open);
    open.map(|row| row.published.table.as_str()).collect()
}

/// Where the published tables are wrong.
pub fn errata_sheet(rows: &[Comparison]) -> Sheet {
    let open = open_tables(rows);
    let left = match open.is_empty() {
        true => "Every other claim of the tables is borne out.".to_owned(),
        false => format!("Not settled yet, in part: {}.", open.into_iter().collect::<Vec<_>>().join(", ")),
    };
    Sheet {
        title: "Where the published tables are wrong".to_owned(),
        notes: vec![
            "Ours is certified, unless it is 'searched' or counts formulas: the first command writes the certificate again, 'harary check FILE' checks it, and its \
             blake3 hash is the one given. Where there is a second one it certifies that no earlier turn wins, and the \
             crosscheck asks QBF solvers."
                .to_owned(),
            left,
        ],
        columns: vec!["table", "source", "shape", "board", "published", "ours", "certificate", "least", "commands"],
        rows: wrong(rows).map(erratum).collect(),
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
        commands(comparison).join("; "),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_tables() {
        assert_eq!(find("Thesis-7.1").unwrap().name, "thesis-7.1");
        assert_eq!(find("4.8").unwrap().name, "thesis-4.8");
        let error = find("thesis-7.9").unwrap_err();
        assert!(error.to_string().contains("did you mean thesis-7."), "{error}");
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
