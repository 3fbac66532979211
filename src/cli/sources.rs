//! `harary sources`: where the published claims are.

use super::console::Console;
use super::ending::{Outcome, UsageError};
use super::json;
use super::words::counted;
use crate::atlas::published;
use crate::atlas::sources::{self, SourceEntry};
use clap::Args;
use serde::Serialize;
use std::collections::BTreeSet;
use std::io::Write;

/// Lists the sources of the published claims, or prints them as BibTeX
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary sources\n  harary sources --bibtex > harary.bib\n  \
    harary sources thesis-7.1 --bibtex\n  harary sources harary1982\n\n\
    'harary table' shows the claims beside what is proved here.")]
pub struct Sources {
    /// A key, or a table of 'harary table' [default: all]
    name: Option<String>,
    /// Print BibTeX
    #[arg(long, conflicts_with = "json")]
    bibtex: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Sources {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let chosen = match &self.name {
            None => sources::all().iter().collect(),
            Some(name) => find(name)?,
        };
        if self.json {
            let sources = chosen.into_iter().map(SourceJson::new).collect();
            json::write(console, "sources", &Answer { sources })?;
        } else if self.bibtex {
            let entries: Vec<&str> = chosen.iter().map(|source| source.bibtex.as_str()).collect();
            write!(console, "{}", entries.join("\n"))?;
        } else {
            for source in chosen {
                let note = Some(source.field("note")).filter(|note| !note.is_empty());
                writeln!(console, "{}: {}", source.key, source.text())?;
                let tables: Vec<&str> = tables(source).into_iter().collect();
                let claims = counted(source.claims().len(), "claim");
                let note = note.map_or_else(String::new, |note| format!(". {note}"));
                writeln!(console, "  {claims}, in {}{note}", tables.join(", "))?;
            }
        }
        Ok(Outcome::Done)
    }
}

/// The source with this key, or those of the table with this name.
fn find(name: &str) -> anyhow::Result<Vec<&'static SourceEntry>> {
    if let Some(source) = sources::find(name) {
        return Ok(vec![source]);
    }
    let of_table = |source: &&SourceEntry| tables(source).iter().any(|table| table.eq_ignore_ascii_case(name));
    let found: Vec<&SourceEntry> = sources::all().iter().filter(of_table).collect();
    if found.is_empty() {
        let keys = sources::all().iter().map(|source| source.key.as_str());
        let names: Vec<&str> = keys.chain(published::TABLES.iter().map(|table| table.name)).collect();
        return Err(UsageError(format!("no source or table '{name}'; there are {}", names.join(", "))).into());
    }
    Ok(found)
}

/// The tables a source has claims in.
fn tables(source: &SourceEntry) -> BTreeSet<&'static str> {
    source.claims().into_iter().map(|claim| claim.table.as_str()).collect()
}

/// What `--json` prints.
#[derive(Serialize)]
struct Answer {
    sources: Vec<SourceJson>,
}

#[derive(Serialize)]
struct SourceJson {
    /// Its key, as in the column `cite` of `published.csv`.
    cite: String,
    text: String,
    note: Option<String>,
    tables: BTreeSet<&'static str>,
    claims: usize,
    bibtex: String,
}

impl SourceJson {
    fn new(source: &SourceEntry) -> SourceJson {
        SourceJson {
            cite: source.key.clone(),
            text: source.text(),
            note: Some(source.field("note")).filter(|note| !note.is_empty()),
            tables: tables(source),
            claims: source.claims().len(),
            bibtex: source.bibtex.clone(),
        }
    }
}
