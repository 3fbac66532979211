//! `harary strategy`: the strategy inside a certificate, to look at.

use super::check::shape_name;
use super::console::Console;
use super::ending::{OrUsage, Outcome, UsageError};
use super::files::Hashed;
use super::json;
use crate::views::tree::View;
use clap::{Args, ValueEnum};
use harary_certificate::playbook::Playbook;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;

/// Shows the strategy of a certificate, after checking it
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  harary strategy el-3x3.cert\n  harary strategy el-3x3.cert --from \"b2 a1\" --depth 6\n  \
    harary strategy skinny-7x7.cert.zst --main-line\n  harary strategy el-3x3.cert --format dot | dot -Tpdf > tree.pdf\n  \
    harary strategy el-3x3.cert --format svg > tree.svg\n  \
    harary strategy el-3x3.cert --format tikz > tree.tex"
)]
pub struct Strategy {
    /// The certificate, plain or zstd-compressed; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// How many turns to show
    #[arg(long, value_name = "TURNS", default_value_t = 4, conflicts_with = "main_line")]
    depth: usize,
    /// Begin after these moves, as "d4 c3"
    #[arg(long, value_name = "CELLS", default_value = "")]
    from: String,
    /// One line of play only: the reply that lasts longest
    #[arg(long)]
    main_line: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    Text,
    Json,
    Dot,
    Svg,
    /// For LaTeX
    Tikz,
}

/// The strategy for machines.
#[derive(Serialize)]
struct Report {
    /// In one sentence.
    proved: String,
    claim: String,
    game: json::Game,
    certificate: json::Certificate,
    tree: serde_json::Value,
}

impl Strategy {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let mut text = Hashed::open(&self.file)?;
        let playbook = match Playbook::open(&mut text) {
            Ok(playbook) => playbook,
            Err(refused) => {
                writeln!(console, "{}: refused: {}", self.file.display(), refused.to_string().trim_end())?;
                return Ok(Outcome::Refused);
            }
        };
        let state = playbook.follow(&self.from).usage()?;
        let branch = if self.main_line { playbook.main_line(&state) } else { playbook.tree(&state, self.depth) };
        let view = View::new(playbook.header(), console.color());
        let view = if self.main_line { view.flat() } else { view };
        match if self.json { Format::Json } else { self.format } {
            Format::Text => {
                writeln!(console, "{}\n", playbook.proved().sentence(shape_name(playbook.header()).as_deref()))?;
                write!(console, "{}", view.text(&branch))?;
            }
            Format::Json => {
                let (header, proved) = (playbook.header(), playbook.proved());
                let report = Report {
                    proved: proved.sentence(shape_name(header).as_deref()),
                    claim: header.claim.to_string(),
                    game: json::Game::of_header(header, shape_name(header)),
                    certificate: json::Certificate::accepted(proved, Some(&self.file), text.mark()),
                    tree: view.json(&branch),
                };
                json::write(console, "strategy", &report)?;
            }
            Format::Dot => write!(console, "{}", view.dot(&branch))?,
            Format::Svg | Format::Tikz => {
                let picture = if self.format == Format::Svg { view.svg(&branch) } else { view.tikz(&branch) };
                let Some(picture) = picture else {
                    return Err(UsageError("a game of sets lies on no board: try --format dot".into()).into());
                };
                write!(console, "{picture}")?;
            }
        }
        Ok(Outcome::Done)
    }
}
