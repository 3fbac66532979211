//! `harary atlas`: many games settled in one go, and what came of it.

use super::arguments::{SHAPE_HELP, parse_board, parse_shape};
use super::atlas_run::Run;
use super::atlas_site::SiteArguments;
use super::{Console, Outcome, UsageError, counted, interrupt};
use crate::atlas::entry::{Entry, Finding, GameKey, Leastness};
use crate::atlas::run::{Ask, Keep, settle_again};
use crate::atlas::{Tablebase, journal, report};
use anyhow::Context;
use clap::{Args, Subcommand, ValueEnum};
use harary_certificate::{Rule, Topology};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The folder of a run if none is given.
const FOLDER: &str = "harary-atlas";

/// Settles whole sets of games, each with its certificate checked, and keeps the results
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary atlas run --boards 3x3..4x4 --both --rule both\n  harary atlas status\n  \
    harary atlas export --csv > atlas.csv\n  harary atlas verify --sample 20\n\n\
    A run that was stopped or killed goes on where it was when it is started again.")]
pub struct Atlas {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Run(Run),
    Status(Status),
    Export(Export),
    Certificate(Certificate),
    Verify(Verify),
    Merge(Merge),
    Repair(Repair),
}

impl Atlas {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        match self.command {
            Command::Run(command) => command.run(console),
            Command::Status(command) => command.run(console),
            Command::Export(command) => command.run(console),
            Command::Certificate(command) => command.run(console),
            Command::Verify(command) => command.run(console),
            Command::Merge(command) => command.run(console),
            Command::Repair(command) => command.run(console),
        }
    }
}

/// Where a run keeps its results.
#[derive(Args, Clone, Debug)]
pub struct Folder {
    /// The folder of the run's results
    #[arg(long, value_name = "FOLDER", default_value = FOLDER)]
    pub dir: PathBuf,
}

impl Folder {
    /// What the runs in this folder found.
    pub fn load(&self) -> anyhow::Result<Tablebase> {
        match journal::read(&self.dir)? {
            Some(entries) => Ok(entries.into_iter().collect()),
            None => Err(UsageError(format!(
                "there are no results in {}; 'harary atlas run' makes some, --dir names another folder",
                self.dir.display()
            ))
            .into()),
        }
    }
}

/// The shipped tablebase, or the results in a folder.
#[derive(Args, Clone, Debug)]
pub struct Source {
    /// The results in this folder instead of the tablebase that ships with the program
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
}

impl Source {
    pub fn load(&self) -> anyhow::Result<Tablebase> {
        match &self.dir {
            Some(dir) => Folder { dir: dir.clone() }.load(),
            None => Ok(Tablebase::shipped().clone()),
        }
    }
}

/// Which rules, where both can be asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Rules {
    Strong,
    Weak,
    Both,
}

impl Rules {
    pub fn rules(self) -> &'static [Rule] {
        match self {
            Rules::Strong => &[Rule::Strong],
            Rules::Weak => &[Rule::Weak],
            Rules::Both => &[Rule::Strong, Rule::Weak],
        }
    }
}

/// Reads `3x3..6x6,3x5`: boards and ranges of square boards.
pub fn parse_boards(texts: &[String]) -> anyhow::Result<Vec<(usize, usize)>> {
    let sides = |text: &str| parse_board(text.trim(), false).map(|board| (board.width(), board.height()));
    let mut boards = Vec::new();
    for text in texts {
        let Some((first, last)) = text.split_once("..") else {
            boards.push(sides(text)?);
            continue;
        };
        match (sides(first)?, sides(last)?) {
            ((width, height), (last, top)) if width == height && last == top && width <= last => {
                boards.extend((width..=last).map(|side| (side, side)));
            }
            _ => {
                let wanted = "a range runs over square boards, small ones first, for example 3x3..6x6";
                return Err(UsageError(format!("'{text}': {wanted}")).into());
            }
        }
    }
    Ok(boards)
}

// ----------------------------------------------------------------------------------------------------------- status

/// Says what is settled and what is open
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary atlas status\n  harary atlas status --dir long-run --json")]
struct Status {
    #[command(flatten)]
    folder: Folder,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How many games ended how.
#[derive(Clone, Copy, Default, serde::Serialize)]
struct Count {
    wins: usize,
    holds: usize,
    unknown: usize,
    seconds: f64,
}

impl Count {
    fn add(&mut self, entry: &Entry) {
        match entry.finding {
            Finding::Win { .. } => self.wins += 1,
            Finding::Hold => self.holds += 1,
            Finding::Unknown => self.unknown += 1,
        }
        self.seconds += report::seconds(entry);
    }
}

impl Status {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let tablebase = self.folder.load()?;
        let mut groups: BTreeMap<(usize, String, Topology, bool), Count> = BTreeMap::new();
        let mut total = Count::default();
        for entry in tablebase.entries() {
            let board = entry.key.board();
            let group = (board.size(), board.sides(), board.topology(), entry.key.rule() == Rule::Weak);
            groups.entry(group).or_default().add(entry);
            total.add(entry);
        }
        let open: Vec<&Entry> = tablebase.entries().filter(|entry| !entry.finding.is_settled()).collect();
        if self.json {
            let named = |((_, sides, topology, weak), count): (&(usize, String, Topology, bool), &Count)| {
                let rule = if *weak { Rule::Weak } else { Rule::Strong };
                serde_json::json!({ "board": sides, "topology": topology, "rule": rule, "count": count })
            };
            let groups: Vec<_> = groups.iter().map(named).collect();
            let open: Vec<_> = open.iter().map(|entry| report::Row::new(entry)).collect();
            let report = serde_json::json!({ "schema": 1, "groups": groups, "total": total, "unknown": open });
            writeln!(console, "{}", serde_json::to_string_pretty(&report)?)?;
            return Ok(Outcome::Done);
        }
        writeln!(
            console,
            "{:<8} {:<8} {:<7} {:>6} {:>6} {:>8} {:>10}",
            "board", "", "rule", "wins", "holds", "unknown", "seconds"
        )?;
        for ((_, sides, topology, weak), count) in &groups {
            let rule = if *weak { "weak" } else { "strong" };
            let Count { wins, holds, unknown, seconds } = count;
            let topology = topology.to_string();
            writeln!(console, "{sides:<8} {topology:<8} {rule:<7} {wins:>6} {holds:>6} {unknown:>8} {seconds:>10.2}")?;
        }
        let Count { wins, holds, unknown, seconds } = total;
        writeln!(console, "{:<25} {wins:>6} {holds:>6} {unknown:>8} {seconds:>10.2}", "all")?;
        for entry in open {
            let given = humantime::format_duration(whole_seconds(entry.given));
            let proved = entry.refuted_turn.map_or_else(String::new, |turn| format!(", no win by turn {turn}"));
            writeln!(console, "open: {} ({given} given{proved})", entry.key)?;
        }
        Ok(Outcome::Done)
    }
}

// ----------------------------------------------------------------------------------------------------------- export

/// Prints all results as CSV, JSON or Markdown, or makes a site of them
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary atlas export --csv > atlas.csv\n  \
    harary atlas export --md --dir long-run\n  harary atlas export --html site --pages\n  \
    harary atlas export --html site --pages=10s --dir long-run --certificates kept\n\n\
    The hash of a certificate is the blake3 hash of its text; 'harary lookup' prints the command that writes it.")]
struct Export {
    #[command(flatten)]
    source: Source,
    /// As CSV (the default)
    #[arg(long, conflicts_with_all = ["json", "md"])]
    csv: bool,
    /// As JSON
    #[arg(long, conflicts_with = "md")]
    json: bool,
    /// As Markdown
    #[arg(long)]
    md: bool,
    #[command(flatten)]
    site: SiteArguments,
}

impl Export {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let tablebase = self.source.load()?;
        if let Some(folder) = &self.site.html {
            return self.site.run(folder, &tablebase, console);
        }
        let entries = tablebase.entries();
        match (self.json, self.md) {
            (true, _) => writeln!(console, "{}", report::json(entries))?,
            (_, true) => write!(console, "{}", report::markdown(entries))?,
            (false, false) => write!(console, "{}", report::csv(entries))?,
        }
        Ok(Outcome::Done)
    }
}

// ------------------------------------------------------------------------------------------------------------ merge

/// Puts the results of a run into the files of a tablebase
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary atlas merge\n  harary atlas merge --dir long-run --into tablebases\n\n\
    For the maintainers: the tablebase of the folder 'tablebases' is part of the program when it is built again. Of two \
    results about one game the one that says more is kept.")]
struct Merge {
    #[command(flatten)]
    folder: Folder,
    /// The folder of atlas.bin and atlas.csv
    #[arg(long, value_name = "FOLDER", default_value = "tablebases")]
    into: PathBuf,
    /// Replace results that say the same, too: after a change of the search the certificates are others
    #[arg(long)]
    replace: bool,
}

impl Merge {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let results = self.folder.load()?;
        let mut tablebase = Tablebase::load(&self.into)?;
        let before = tablebase.len();
        let taken = results.entries().filter(|entry| tablebase.add((*entry).clone())).count();
        let mut replaced = 0;
        if self.replace {
            replaced = results.entries().filter(|entry| tablebase.replace((*entry).clone())).count();
        }
        tablebase.save(&self.into)?;
        let (new, games) = (tablebase.len() - before, tablebase.len());
        let (improved, bytes) = (taken - new, tablebase.to_bytes().len());
        let into = self.into.display();
        writeln!(console, "{into}: {games} games, {new} new, {improved} improved, {replaced} replaced; {bytes} bytes")?;
        Ok(Outcome::Done)
    }
}

// ----------------------------------------------------------------------------------------------------------- repair

/// Saves what is whole in a damaged file of results
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary atlas repair --dir long-run\n\n\
    The damaged file is kept beside the new one, as journal.bin.damaged, a second one as journal.bin.damaged-2.")]
struct Repair {
    #[command(flatten)]
    folder: Folder,
}

impl Repair {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let repaired = journal::repair(&self.folder.dir)?;
        let folder = self.folder.dir.display();
        match repaired.damaged.as_slice() {
            [] => writeln!(console, "{folder}: nothing is damaged, {} results", repaired.saved)?,
            damaged => {
                damaged.iter().try_for_each(|damage| writeln!(console, "{damage}"))?;
                let saved = counted(repaired.saved, "result");
                writeln!(console, "{folder}: {saved} saved; 'harary atlas run' settles the lost ones")?;
                if let Some(kept) = &repaired.kept {
                    writeln!(console, "The damaged file is kept as {}.", kept.display())?;
                }
            }
        }
        Ok(Outcome::Done)
    }
}

// ----------------------------------------------------------------------------------------------------------- verify

/// Settles a random sample again and compares
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary atlas verify --sample 20\n  harary atlas verify --all --dir long-run\n\n\
    Each game is searched anew and its certificate checked. The verdict and the least turn must be the same, or the \
    exit code is 1. A certificate of another hash proves the same in another way: another version of the search.")]
struct Verify {
    #[command(flatten)]
    source: Source,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 10)]
    sample: usize,
    /// All games
    #[arg(long, conflicts_with = "sample")]
    all: bool,
    /// Draws the same sample again
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Stop at each game after this time
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = super::arguments::parse_time)]
    time_each: Duration,
}

impl Verify {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let tablebase = self.source.load()?;
        let seed = self.seed.unwrap_or_else(|| {
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| u64::from(since.subsec_nanos()))
        });
        let mut settled: Vec<&Entry> = tablebase.entries().filter(|entry| entry.finding.is_settled()).collect();
        if !self.all {
            settled.sort_by_cached_key(|entry| lot(seed, &entry.key));
            settled.truncate(self.sample);
            writeln!(console, "{} of {} games, seed {seed}", settled.len(), tablebase.len())?;
        }
        let stop = interrupt::flag()?;
        let (mut same, mut other, mut open, mut wrong) = (0usize, 0usize, 0usize, 0usize);
        let (games, mut stopped) = (settled.len(), false);
        for entry in settled {
            let certify_least = matches!(entry.leastness, Leastness::Certified(_));
            let memory = usize::try_from(entry.memory).context("too much memory for this machine")?;
            let ask = Ask { time: self.time_each, memory, certify_least, certificates: Keep::No };
            let again = settle_again(entry, &ask, stop.clone()).with_context(|| entry.key.to_string())?;
            if stop.load(Ordering::Relaxed) {
                stopped = true;
                break;
            }
            let verdict = match (again.finding, entry.finding) {
                (now, before) if now == before => {
                    let identical = again.certificate == entry.certificate && again.leastness == entry.leastness;
                    *(if identical { &mut same } else { &mut other }) += 1;
                    if identical { "the same certificate" } else { "another certificate, accepted" }
                }
                (Finding::Unknown, _) => {
                    open += 1;
                    "NOT SETTLED in the time given"
                }
                // The least turn may be open on one side only; then the turns must not contradict each other.
                (Finding::Win { by, least }, Finding::Win { by: before, least: was_least })
                    if !(least && by > before || was_least && by < before) =>
                {
                    other += 1;
                    "a win as well"
                }
                _ => {
                    wrong += 1;
                    "DIFFERS"
                }
            };
            writeln!(console, "{}: {} stored, {} found: {verdict}", entry.key, entry.finding, again.finding)?;
            console.flush()?;
        }
        writeln!(console, "{same} the same byte for byte, {other} proved in another way, {open} open, {wrong} DIFFER")?;
        if stopped {
            writeln!(
                console,
                "Stopped by request; {} not looked at.",
                counted(games - same - other - open - wrong, "game")
            )?;
        }
        Ok(match (wrong, open) {
            (1.., _) => Outcome::Refused,
            (0, 0) if !stopped => Outcome::Done,
            _ => Outcome::NotSettled,
        })
    }
}

// ------------------------------------------------------------------------------------------------------ certificate

/// Makes the certificate of a game of the atlas again
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary atlas certificate tippy 4x4 --output tippy.cert\n  \
    harary atlas certificate tippy 4x4 --least --output no-earlier.cert\n  \
    harary atlas certificate hex-12 4x4 --torus --rule weak --output hex-12.cert.zst\n\n\
    The game is searched as it was when it was settled, and the certificate checked. Exit codes: 0 it has the hash of the \
    atlas, 1 it has not (another version of the search), 3 not settled in the time given.")]
struct Certificate {
    #[arg(help = SHAPE_HELP)]
    shape: String,
    /// The board, WxH
    board: String,
    /// Glue the edges of the board
    #[arg(long)]
    torus: bool,
    /// The rule of the game
    #[arg(long, value_parser = super::arguments::rules(), default_value = "strong")]
    rule: Rule,
    /// Where to write it (zstd if the name ends in .zst)
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// The certificate that no earlier turn wins
    #[arg(long)]
    least: bool,
    /// Stop after this time
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = super::arguments::parse_time)]
    time: Duration,
    #[command(flatten)]
    source: Source,
}

impl Certificate {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        if self.output == Path::new("-") {
            return Err(UsageError("a certificate goes into a file, not to standard output".to_owned()).into());
        }
        let key = GameKey::new(&parse_shape(&self.shape)?.shape, parse_board(&self.board, self.torus)?, self.rule);
        let tablebase = self.source.load()?;
        let Some(entry) = tablebase.get(&key).filter(|entry| entry.finding.is_settled()) else {
            let command = key.arguments();
            return Err(
                UsageError(format!("{key} is not settled in the atlas; 'harary solve {command}' searches")).into()
            );
        };
        let memory = usize::try_from(entry.memory).context("too much memory for this machine")?;
        let mark = |entry: &Entry| if self.least { entry.leastness.mark() } else { entry.certificate };
        if mark(entry).is_none() {
            return Err(UsageError(format!("the atlas has no certificate that no earlier turn wins {key}")).into());
        }
        let keep = if self.least { Keep::LeastFile } else { Keep::File };
        let ask = Ask { time: self.time, memory, certify_least: self.least, certificates: keep(self.output.clone()) };
        let again = settle_again(entry, &ask, interrupt::flag()?)?;
        let path = self.output.display();
        Ok(match (mark(&again), mark(&again) == mark(entry)) {
            (None, _) => {
                writeln!(console, "{key}: not settled in the time given, nothing written")?;
                Outcome::NotSettled
            }
            (Some(mark), true) => {
                writeln!(console, "{path}: {key}, {}, accepted, {} as in the atlas", again.finding, mark.short())?;
                Outcome::Done
            }
            (Some(mark), false) => {
                writeln!(console, "{path}: {key}, {}, accepted, {}, not as in the atlas", again.finding, mark.short())?;
                Outcome::Refused
            }
        })
    }
}

/// A number drawn for a game: the same for the same seed.
fn lot(seed: u64, key: &GameKey) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&seed.to_le_bytes());
    hasher.update(key.to_string().as_bytes());
    *hasher.finalize().as_bytes()
}

/// Rounded, for people.
pub fn whole_seconds(time: Duration) -> Duration {
    Duration::from_secs_f64(time.as_secs_f64().round().max(1.0))
}

/// A folder that a user named and that must be there.
pub fn make_folder(path: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(path).with_context(|| format!("cannot make the folder {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_listed() {
        let parse = |text: &str| parse_boards(&text.split(',').map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(parse("3x3..5x5,3x7").unwrap(), [(3, 3), (4, 4), (5, 5), (3, 7)]);
        for wrong in ["3x3..4x5", "5x5..3x3", "3x3..", "..", "3", "0x0..3x3", "3x3..20x20"] {
            assert!(parse(wrong).unwrap_err().is::<UsageError>(), "{wrong}");
        }
    }
}
