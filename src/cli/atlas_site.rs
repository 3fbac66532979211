//! `harary atlas export --html`: the atlas as a static site, with the pages and certificates of its games.

use super::console::Console;
use super::ending::Outcome;
use super::interrupt;
use crate::atlas::entry::{Entry, Finding, Mark};
use crate::atlas::settling::{Ask, Keep, settle_again};
use crate::atlas::tablebase::Tablebase;
use crate::settle::EngineChoice;
use crate::views::page::Page;
use crate::views::site::{Files, Site, anchor};
use anyhow::Context;
use clap::Args;
use harary_certificate::{Claim, Header, whole_file};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// A game that took so long may take this much longer on another machine, or a busy one.
const PATIENCE: u32 = 20;

#[derive(Args, Debug)]
pub struct SiteArguments {
    /// As a static site into this folder: the page index.html, and what --pages adds
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["csv", "json", "md"])]
    pub html: Option<PathBuf>,
    /// With --html: also a strategy page and the certificate of each game that is at hand, or took at most this time
    /// and is settled again
    #[arg(long, value_name = "TIME", num_args = 0..=1, require_equals = true, default_missing_value = "1s",
          requires = "html", value_parser = super::arguments::parse_time)]
    pages: Option<Duration>,
    /// With --pages: certificates that 'harary atlas run --certificates' kept
    #[arg(long, value_name = "FOLDER", requires = "pages")]
    certificates: Option<PathBuf>,
}

impl SiteArguments {
    pub fn run(&self, folder: &Path, known: &Tablebase, console: &mut Console) -> anyhow::Result<Outcome> {
        let stop = interrupt::flag()?;
        let mut files = BTreeMap::new();
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        if let Some(limit) = self.pages {
            for part in ["games", "certificates"] {
                let path = folder.join(part);
                fs::create_dir_all(&path).with_context(|| format!("cannot make the folder {}", path.display()))?;
            }
            let settled: Vec<&Entry> = known.entries().filter(|entry| entry.finding.is_settled()).collect();
            let made = settled.par_iter().map(|entry| {
                let made = self
                    .game(folder, entry, took(entry, known), limit, &stop)
                    .with_context(|| entry.key.to_string())?;
                Ok(made.map(|files| (entry.key.clone(), files)))
            });
            files = made.collect::<anyhow::Result<Vec<_>>>()?.into_iter().flatten().collect();
            if stop.load(Ordering::Relaxed) {
                writeln!(console, "stopped")?;
                return Ok(Outcome::NotSettled);
            }
        }
        let path = folder.join("index.html");
        write_file(&path, |file| Site::new(known, &files).write(file))?;
        writeln!(console, "{}: {} games, {} strategy pages", path.display(), known.len(), files.len())?;
        Ok(Outcome::Done)
    }

    /// The certificate and the page of a game, if it is at hand or quickly made.
    fn game(
        &self,
        folder: &Path,
        entry: &Entry,
        took: Duration,
        limit: Duration,
        stop: &Arc<AtomicBool>,
    ) -> anyhow::Result<Option<Files>> {
        let name = entry.key.file_name("");
        let certificate = folder.join("certificates").join(&name);
        let at_hand = self.certificates.as_ref().map(|folder| folder.join(&name)).filter(|path| path.exists());
        match at_hand {
            Some(path) => {
                whole_file::copy(&path, &certificate).with_context(|| format!("cannot copy {}", path.display()))?;
            }
            None if took <= limit && !stop.load(Ordering::Relaxed) => {
                let memory = usize::try_from(entry.memory).context("too much memory for this machine")?;
                let time = took.max(Duration::from_secs(1)) * PATIENCE;
                let kept = Keep::Folder(folder.join("certificates"));
                let ask = Ask { time, memory, engine: EngineChoice::Auto, certify_least: false, certificates: kept };
                if settle_again(entry, &ask, stop.clone())?.finding != entry.finding {
                    return Ok(None);
                }
            }
            None => return Ok(None),
        }
        let page = Page::open(open(&certificate)?)
            .map_err(|refused| anyhow::anyhow!("{} is refused: {refused}", certificate.display()))?;
        if !is_about(page.accepted().header(), entry) {
            anyhow::bail!("{} proves something else", certificate.display());
        }
        let strategy = format!("games/{}.html", anchor(&entry.key));
        write_file(&folder.join(&strategy), |file| page.write(Some(&entry.key.name()), file))?;
        let mark = mark(&certificate).with_context(|| format!("cannot read {}", certificate.display()))?;
        Ok(Some(Files { strategy, certificate: format!("certificates/{name}"), mark }))
    }
}

/// How long a game takes to settle: one that borrows its block, as long as the game it is borrowed from.
fn took(entry: &Entry, known: &Tablebase) -> Duration {
    let Some(lender) = &entry.borrowed else { return entry.time };
    known.get(lender).map_or(Duration::MAX, |lender| lender.time)
}

fn open(path: &Path) -> anyhow::Result<File> {
    File::open(path).with_context(|| format!("cannot open {}", path.display()))
}

/// Whether a certificate proves what an entry says.
fn is_about(header: &Header, entry: &Entry) -> bool {
    let claim = match entry.finding {
        Finding::Win { by, .. } => Claim::Win(by),
        Finding::Hold | Finding::Unknown => Claim::Hold(None),
    };
    entry.key.is_of(header) && header.claim == claim
}

/// The hash of the text, uncompressed.
fn mark(path: &Path) -> io::Result<Mark> {
    let (mut reader, mut hasher) = (zstd::Decoder::new(File::open(path)?)?, blake3::Hasher::new());
    let mut buffer = vec![0; 1 << 16];
    let mut bytes = 0;
    loop {
        match reader.read(&mut buffer)? {
            0 => return Ok(Mark { hash: *hasher.finalize().as_bytes(), bytes }),
            read => {
                hasher.update(&buffer[..read]);
                bytes += read as u64;
            }
        }
    }
}

/// Writes a file that appears under its name only when it is complete.
fn write_file(path: &Path, write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> anyhow::Result<()> {
    let mut bytes = Vec::new();
    write(&mut bytes)
        .and_then(|()| whole_file::write(path, &bytes))
        .with_context(|| format!("cannot write {}", path.display()))
}
