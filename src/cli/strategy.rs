//! `harary strategy`: the strategy inside a certificate, to look at; with `--test` one written by a person, to be tried.

use super::arguments::AfterArguments;
use super::console::Console;
use super::ending::{OrUsage, Outcome, UsageError};
use super::files::Hashed;
use super::json;
use super::trial::{self, TestArguments};
use crate::atlas::entry::Mark;
use crate::game::description::certified_name;
use crate::views::explain::explain;
use crate::views::plan::{Grouping, Plan};
use crate::views::tree::{How, View};
use clap::{Args, ValueEnum};
use harary_certificate::playbook::Playbook;
use serde::Serialize;
use std::io::Write;
use std::path::Path;

/// Shows the strategy of a certificate, or tests one that a person wrote
///
/// A certificate is checked first. /// Replies that are answered alike stand together, the first of them being followed; those that last longest come first.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  harary strategy skinny-7x7.cert.zst\n  harary strategy skinny-7x7.cert.zst --explain\n  \
    harary strategy el-3x3.cert --after \"b2 a1\" --depth 6 --all\n  \
    harary strategy skinny-7x7.cert.zst --main-line --numbered\n  harary strategy el-3x3.cert --format dot | dot -Tpdf > tree.pdf\n  \
    harary strategy el-3x3.cert --format svg > tree.svg\n  \
    harary strategy el-3x3.cert --format tikz --width 80 > tree.tex\n  \
    harary strategy hex.cert --hex --main-line --format tikz > hex.tex\n  \
    harary strategy --test mine.txt skinny 7x7 --certificate mine.cert\n\n\
    How a strategy is written: docs/strategy.md. With --test the exit code is 0 if it stands, 1 if it breaks, 3 if a limit came first."
)]
pub struct Strategy {
    /// The certificate, plain or zstd-compressed (`-` is standard input); with --test the shape and the board
    #[arg(value_name = "FILE", num_args = 0..=2, required_unless_present = "test")]
    words: Vec<String>,
    #[command(flatten)]
    test: TestArguments,
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// How many turns to show; the answers to the last are shown, too
    #[arg(long, value_name = "TURNS", default_value_t = DEPTH, conflicts_with = "main_line")]
    depth: usize,
    #[command(flatten)]
    line: AfterArguments,
    /// One line of play only: the reply that lasts longest
    #[arg(long)]
    main_line: bool,
    /// All answers; otherwise only those to the replies that last longest
    #[arg(long, conflicts_with = "main_line")]
    all: bool,
    /// Say in words why White holds, or why Black wins
    #[arg(long, conflicts_with_all = ["format", "json", "depth", "after", "main_line", "all", "width"])]
    explain: bool,
    /// The turn of each stone, as X3; in pictures of one line of play it is there anyway
    #[arg(long)]
    numbered: bool,
    /// The width of a picture in millimetres; what is wider goes on below. 120 fits a page of LaTeX
    #[arg(long, value_name = "MM", default_value_t = 120, value_parser = clap::value_parser!(u16).range(30..=2000))]
    width: u16,
    /// Slanted rows, as Hex is played: for a game of sets whose vertices are named a1, a2, b1, …
    #[arg(long)]
    hex: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Format {
    Text,
    /// Every reply, none left out
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
    proved: Option<String>,
    claim: String,
    game: json::Game,
    certificate: Option<json::Certificate>,
    tree: Option<serde_json::Value>,
    /// With `--test`.
    trial: Option<trial::Report>,
}

impl Report {
    fn new(book: &Playbook, file: Option<&Path>, mark: Mark, tree: serde_json::Value) -> Report {
        let (header, proved) = (book.header(), book.proved());
        let name = certified_name(header);
        Report {
            proved: Some(proved.sentence(name.as_deref())),
            claim: header.claim.to_string(),
            game: json::Game::of_header(header, name),
            certificate: Some(json::Certificate::accepted(proved, file, mark)),
            tree: Some(tree),
            trial: None,
        }
    }
}

/// What `harary strategy FILE --json` prints, without the name of the file: for the studio.
#[cfg(feature = "serve")]
pub fn of_file(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut input = Hashed::open(file).map_err(std::io::Error::other)?;
    let book = Playbook::open(&mut input).map_err(std::io::Error::other)?;
    let plan = Plan::new(&book, book.start(), Vec::new(), DEPTH, Grouping::Each);
    let how = How { color: false, columns: 100, line: false, numbered: false, hex: false };
    let report = Report::new(&book, None, input.mark(), View::new(&book, how).json(&plan));
    Ok(json::line("strategy", &report)?.into_bytes())
}

/// So many turns are shown.
const DEPTH: usize = 4;

/// So many answers are shown of each choice, unless all are asked for.
const ANSWERS: usize = 6;

impl Strategy {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        if self.test.is_asked() {
            return self.tried(console);
        }
        let [file] = &self.words[..] else {
            let wanted =
                "one certificate is shown at a time; a strategy on a shape and a board is tried with --test TEXT";
            return Err(UsageError(wanted.to_owned()).into());
        };
        let file = Path::new(file);
        let mut input = Hashed::open(file)?;
        let book = match Playbook::open(&mut input) {
            Ok(book) => book,
            Err(refused) => {
                writeln!(console, "{}: refused: {}", file.display(), refused.to_string().trim_end())?;
                return Ok(Outcome::Refused);
            }
        };
        let (color, columns) = (console.color(), console.page_width());
        let how = How { color, columns, line: self.main_line, numbered: self.numbered, hex: self.hex };
        let view = View::new(&book, how);
        let sentence = book.proved().sentence(certified_name(book.header()).as_deref());
        if self.explain {
            write!(console, "{sentence}\n\n{}", explain(&book, &view))?;
            return Ok(Outcome::Done);
        }
        let plan = self.plan(&book)?;
        match self.format() {
            Format::Text => write!(console, "{sentence}\n\n{}", view.text(&plan))?,
            Format::Json => {
                json::write(console, "strategy", &Report::new(&book, Some(file), input.mark(), view.json(&plan)))?;
            }
            Format::Dot => write!(console, "{}", view.dot(&plan))?,
            Format::Svg | Format::Tikz => {
                let width = f64::from(self.width);
                let svg = self.format == Format::Svg;
                let picture = if svg { view.svg(&plan, width) } else { view.tikz(&plan, width) };
                let Some(picture) = picture else {
                    let reason = "this game of sets lies on no board and its vertices are not named like cells, a1, b3: \
                                  try --format dot";
                    return Err(UsageError(reason.into()).into());
                };
                write!(console, "{picture}")?;
            }
        }
        Ok(Outcome::Done)
    }

    /// A strategy written by a person.
    fn tried(&self, console: &mut Console) -> anyhow::Result<Outcome> {
        let tried = self.test.run(&self.words, console.color())?;
        let outcome = tried.outcome();
        if self.json {
            let game = json::Game::new(&tried.named.name, &tried.named.game);
            let trial::Tried { proved, claim, certificate, report, .. } = tried;
            let report = Report { proved, claim, game, certificate, tree: None, trial: Some(report) };
            json::write(console, "strategy", &report)?;
        } else {
            tried.write(console)?;
        }
        Ok(outcome)
    }

    fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    /// What is asked for.
    fn plan(&self, book: &Playbook) -> anyhow::Result<Plan> {
        let state = book.follow(&self.line.after).usage()?;
        let moves = book.cells(&self.line.after).usage()?.into_iter().map(Some).collect();
        Ok(match self.format() {
            _ if self.main_line => Plan::main_line(book, state, moves),
            Format::Json => Plan::new(book, state, moves, self.depth, Grouping::Each),
            _ if self.all => Plan::new(book, state, moves, self.depth, Grouping::Alike(usize::MAX)),
            _ => Plan::new(book, state, moves, self.depth, Grouping::Alike(ANSWERS)),
        })
    }
}
