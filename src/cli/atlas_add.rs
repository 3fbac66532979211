//! `harary atlas add`: games that were settled elsewhere, by a farm or by somebody else, by their certificates.

use super::console::Console;
use super::ending::Outcome;
use super::source::{Folder, make_folder};
use super::words::counted;
use super::{files, json};
use crate::atlas::Tablebase;
use crate::atlas::entry::Entry;
use crate::atlas::journal::Journal;
use crate::atlas::key::GameKey;
use crate::atlas::settling::{Ask, Keep, settle_by};
use crate::settle::EngineChoice;
use clap::Args;
use harary_certificate::Certificate;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Puts games that were settled elsewhere into the results of a run, by their certificates
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary atlas add snaky.cert --dir long-run\n  \
    harary atlas add proofs/*.cert.zst --dir long-run --certificates kept && harary atlas merge --dir long-run\n\n\
    Each certificate is checked; what it proves of a shape, or of several, on an empty board is written down with its hash. Kept in the folder \
    of --certificates, a hold serves 'harary atlas run' with the same two folders: it settles the shapes around that shape.\n\
    Exit codes: 0 all are added; 1 one is refused, or settles no game of the atlas; 2 one cannot be read, or wrong usage.")]
pub struct Add {
    /// Certificates, plain or zstd-compressed
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Keep copies of the certificates in this folder
    #[arg(long, value_name = "FOLDER")]
    certificates: Option<PathBuf>,
    #[command(flatten)]
    folder: Folder,
    /// Print JSON: a line for each file
    #[arg(long)]
    json: bool,
}

/// What became of one file, for machines.
#[derive(Serialize)]
struct Report {
    file: String,
    entry: Option<json::Entry>,
    /// Why it was not added.
    reason: Option<String>,
}

impl Add {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        if let Some(folder) = &self.certificates {
            make_folder(folder)?;
        }
        let mut journal = Journal::open(&self.folder.dir)?;
        let (mut added, mut left) = (0, 0);
        for path in &self.files {
            let file = path.display().to_string();
            match self.entry(path, &journal) {
                Ok(entry) => {
                    if !self.json {
                        writeln!(console, "{file}: {}, {}, accepted", entry.key, entry.finding)?;
                    }
                    let told = json::Entry::new(&entry);
                    journal.append(entry)?;
                    added += 1;
                    if self.json {
                        json::write_line(console, "atlas add", &Report { file, entry: Some(told), reason: None })?;
                    }
                }
                Err(error) if error.is::<super::ending::UsageError>() => return Err(error),
                Err(error) => {
                    left += 1;
                    let reason = format!("{error:#}");
                    if self.json {
                        json::write_line(console, "atlas add", &Report { file, entry: None, reason: Some(reason) })?;
                    } else {
                        writeln!(console, "{file}: not added: {reason}")?;
                    }
                }
            }
            console.flush()?;
        }
        if !self.json {
            writeln!(console, "{} added to {}.", counted(added, "game"), journal.path().display())?;
        }
        Ok(if left == 0 { Outcome::Done } else { Outcome::Refused })
    }

    /// What a file proves.
    fn entry(&self, path: &Path, journal: &Journal) -> anyhow::Result<Entry> {
        let mut text = files::Hashed::open(path)?;
        let certificate = Certificate::accept(|out| io::copy(&mut text, out).map(drop))?;
        // That Black does not win by some turn was found before, here or for the tablebase.
        let refuted = GameKey::of_header(certificate.proved().header()).and_then(|key| {
            let known = journal.entries().iter().filter(|entry| entry.key == key).chain(Tablebase::shipped().get(&key));
            known.filter_map(|entry| entry.refuted_turn).max()
        });
        let ask = Ask {
            time: Duration::ZERO,
            memory: 1 << 30,
            engine: EngineChoice::Auto,
            certify_least: false,
            certificates: self.certificates.clone().map_or(Keep::No, Keep::Folder),
        };
        Ok(settle_by(certificate, refuted, &ask)?)
    }
}
