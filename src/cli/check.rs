//! `harary check`: whether certificates prove what they claim.

use super::console::Console;
use super::ending::Outcome;
use super::{files, json};
use crate::atlas::entry::Mark;
use crate::game::Game;
use crate::game::catalogue::Catalogue;
use crate::game::description::certified_name;
use clap::Args;
use harary_certificate::avoidance::{self, Avoided};
use harary_certificate::{Proved, Refused, Rule, checker};
use serde::Serialize;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Checks certificates by the rules of the game alone
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary check skinny-7x7.cert\n  harary check certificates/*.cert.zst\n  \
    zstdcat hold.cert.zst | harary check - --json\n\n\
    Exit codes: 0 every certificate is accepted, 1 one is refused, 2 one cannot be read, or wrong usage.")]
pub struct Check {
    /// Certificates, plain or zstd-compressed; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print JSON, one object for each file
    #[arg(long, conflicts_with = "quiet")]
    json: bool,
    /// Print nothing for what is accepted
    #[arg(long, short)]
    quiet: bool,
}

/// A longer file of the avoidance game is not read.
const LONGEST_AVOIDANCE: u64 = 1 << 30;

/// What became of one file, for machines.
#[derive(Serialize)]
struct Report {
    file: String,
    finding: Finding,
    /// In one sentence.
    proved: Option<String>,
    /// As the certificate words it: `win 13`, `hold`.
    claim: Option<String>,
    game: Option<json::Game>,
    certificate: Option<json::Certificate>,
    /// Why it is refused or unreadable, at which line and in which position.
    reason: Option<String>,
    line: Option<u64>,
    position: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Finding {
    Accepted,
    Refused,
    Unreadable,
}

impl Check {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let (mut refused, mut unreadable) = (false, false);
        for file in &self.files {
            let report = match files::Hashed::open(file) {
                Ok(mut text) => Report::of(file, &mut text),
                Err(error) => Report::unreadable(file, format!("{error:#}")),
            };
            refused |= report.finding == Finding::Refused;
            unreadable |= report.finding == Finding::Unreadable;
            match report.finding {
                _ if self.json => json::write_line(console, "check", &report)?,
                Finding::Accepted if self.quiet => {}
                _ => report.write(console)?,
            }
            // Someone may be watching a long list.
            console.flush()?;
        }
        match (refused, unreadable) {
            (true, _) => Ok(Outcome::Refused),
            (false, true) => Ok(Outcome::Unreadable),
            (false, false) => Ok(Outcome::Done),
        }
    }
}

impl Report {
    fn new(file: &Path, finding: Finding) -> Report {
        Report {
            file: file.display().to_string(),
            finding,
            proved: None,
            claim: None,
            game: None,
            certificate: None,
            reason: None,
            line: None,
            position: None,
        }
    }

    /// What the checker says; the first line tells which one is asked.
    fn of(file: &Path, text: &mut files::Hashed) -> Report {
        let (avoids, whole) = match avoidance::recognised(&mut *text) {
            Ok(recognised) => recognised,
            Err(error) => return Report::unreadable(file, error.to_string()),
        };
        if avoids {
            let mut content = String::new();
            let read = whole.take(LONGEST_AVOIDANCE).read_to_string(&mut content);
            return match read.map_err(|error| error.to_string()).map(|_| avoidance::check(&content)) {
                Ok(Ok(avoided)) => Report::avoided(file, &avoided),
                Ok(Err(refused)) => Report::refused(file, &refused),
                Err(reason) => Report::unreadable(file, reason),
            };
        }
        let checked = checker::check(whole);
        match checked {
            Ok(proved) => Report::accepted(file, &proved, text.mark()),
            Err(refused) => Report::refused(file, &refused),
        }
    }

    fn avoided(file: &Path, avoided: &Avoided) -> Report {
        let game = Game::new(avoided.shape().clone(), avoided.board(), Rule::Strong);
        let name = Catalogue::standard().find_shape(avoided.shape()).map(|entry| entry.name.clone());
        let shown = json::Game::new(name.as_deref().unwrap_or(&avoided.shape().to_string()), &game);
        Report {
            proved: Some(avoided.sentence(name.as_deref())),
            claim: Some(avoided.ending().to_string()),
            game: Some(json::Game { rule: json::Rule::Avoid, ..shown }),
            ..Report::new(file, Finding::Accepted)
        }
    }

    fn accepted(file: &Path, proved: &Proved, mark: Mark) -> Report {
        let header = proved.header();
        Report {
            proved: Some(proved.sentence(certified_name(header).as_deref())),
            claim: Some(header.claim.to_string()),
            game: Some(json::Game::of_header(header, certified_name(header))),
            certificate: Some(json::Certificate::accepted(proved, Some(file), mark)),
            ..Report::new(file, Finding::Accepted)
        }
    }

    fn refused(file: &Path, refused: &Refused) -> Report {
        Report {
            reason: Some(refused.reason.clone()),
            line: refused.line,
            position: refused.drawing.clone(),
            ..Report::new(file, Finding::Refused)
        }
    }

    fn unreadable(file: &Path, reason: String) -> Report {
        Report { reason: Some(reason), ..Report::new(file, Finding::Unreadable) }
    }

    fn write(&self, console: &mut Console) -> anyhow::Result<()> {
        let Report { file, proved, reason, line, position, .. } = self;
        match (self.finding, proved, reason) {
            (Finding::Accepted, Some(proved), _) => writeln!(console, "{file}: accepted: {proved}")?,
            (Finding::Refused, _, Some(reason)) => {
                let refused = Refused { line: *line, reason: reason.clone(), drawing: position.clone() };
                writeln!(console, "{file}: refused: {}", refused.to_string().trim_end())?;
            }
            (_, _, reason) => writeln!(console, "{file}: {}", reason.as_deref().unwrap_or("cannot be read"))?,
        }
        Ok(())
    }
}
