//! `harary check`: whether certificates prove what they claim.

use super::{Console, Outcome};
use crate::game::catalogue::Catalogue;
use anyhow::Context;
use clap::Args;
use harary_certificate::{Header, Proved, Refused, Setting, checker};
use serde_json::{Value, json};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Checks certificates by the rules of the game alone
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary check skinny-7x7.cert\n  harary check certificates/*.cert.zst\n  \
    zstdcat hold.cert.zst | harary check - --json\n\n\
    Exit codes: 0 every certificate is accepted, 1 one is refused or cannot be read, 2 wrong usage.")]
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

impl Check {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let mut outcome = Outcome::Done;
        for file in &self.files {
            let verdict = match open(file) {
                Ok(input) => checker::check(input),
                Err(error) => Err(Refused { line: None, reason: format!("{error:#}"), drawing: None }),
            };
            let name = file.display();
            match &verdict {
                _ if self.json => writeln!(console, "{}", report(file, &verdict))?,
                Ok(_) if self.quiet => {}
                Ok(accepted) => {
                    writeln!(
                        console,
                        "{name}: accepted: {}",
                        accepted.sentence(shape_name(&accepted.header()).as_deref())
                    )?;
                }
                Err(refused) => {
                    writeln!(console, "{name}: refused: {}", refused.to_string().trim_end())?;
                }
            }
            // Someone may be watching a long list.
            console.flush()?;
            if verdict.is_err() {
                outcome = Outcome::Refused;
            }
        }
        Ok(outcome)
    }
}

/// A file to read, or standard input for `-`.
pub(super) fn open(file: &Path) -> anyhow::Result<Box<dyn Read>> {
    if file == Path::new("-") {
        return Ok(Box::new(io::stdin()));
    }
    let opened = File::open(file).with_context(|| format!("cannot open {}", file.display()))?;
    Ok(Box::new(opened))
}

/// The name of the shape in the catalogue; a creature, which few know by name, with its cells.
pub(super) fn shape_name(header: &Header) -> Option<String> {
    let Setting::Board { shape, .. } = &header.setting else { return None };
    let name = &Catalogue::standard().find_shape(shape)?.name;
    Some(if shape.is_animal() { name.clone() } else { format!("{name} ({shape})") })
}

fn report(file: &Path, verdict: &Result<Proved, Refused>) -> Value {
    let file = file.display().to_string();
    match verdict {
        Ok(accepted) => json!({
            "file": file,
            "accepted": true,
            "proved": accepted.header().sentence(shape_name(&accepted.header()).as_deref()),
            "claim": accepted.header().claim.to_string(),
            "rule": accepted.header().rule,
            "lines": accepted.lines(),
            "positions": accepted.positions(),
            "nodes": accepted.nodes(),
        }),
        Err(refused) => json!({
            "file": file,
            "accepted": false,
            "line": refused.line,
            "reason": refused.reason,
            "position": refused.drawing,
        }),
    }
}
