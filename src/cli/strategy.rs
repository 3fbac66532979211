//! `harary strategy`: the strategy inside a certificate, to look at.

use super::check::{open, shape_name};
use super::{Console, OrUsage, Outcome, UsageError};
use crate::views::tree::View;
use clap::{Args, ValueEnum};
use harary_certificate::playbook::Playbook;
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

impl Strategy {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let playbook = match Playbook::open(open(&self.file)?) {
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
        match self.format {
            Format::Text => {
                writeln!(console, "{}\n", playbook.proved().sentence(shape_name(playbook.header()).as_deref()))?;
                write!(console, "{}", view.text(&branch))?;
            }
            Format::Json => {
                let mut value = view.json(&branch);
                value["proved"] = playbook.header().sentence(shape_name(playbook.header()).as_deref()).into();
                writeln!(console, "{}", serde_json::to_string_pretty(&value)?)?;
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
