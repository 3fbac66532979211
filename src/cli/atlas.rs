//! `harary atlas`: many games settled in one go, and what came of it.

use super::atlas_add::Add;
use super::atlas_laws::Laws;
use super::atlas_run::Run;
use super::atlas_site::SiteArguments;
use super::console::Console;
use super::ending::{Outcome, UsageError};
use super::source::{AtlasGame, Folder, Source};
use super::words::counted;
use super::{files, interrupt, json};
use crate::atlas::again::Again;
use crate::atlas::entry::{Entry, Leastness};
use crate::atlas::key::GameKey;
use crate::atlas::report::{Count, Group};
use crate::atlas::settling::{Ask, Keep, settle_again};
use crate::atlas::{Tablebase, journal, laws, report};
use crate::settle::EngineChoice;
use anyhow::Context;
use clap::{Args, Subcommand};
use harary_certificate::{Rule, Topology};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Settles whole sets of games, each with its certificate checked, and keeps the results
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary atlas run --boards 3x3..4x4 --both --rule both\n  harary atlas status\n  \
    harary atlas open\n  harary atlas export --csv > atlas.csv\n  harary atlas verify --sample 20\n\n\
    A run that was stopped or killed goes on where it was when it is started again.")]
pub struct Atlas {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand, Debug)]
enum Command {
    Run(Run),
    Add(Add),
    Status(Status),
    Open(Open),
    Laws(Laws),
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
            Command::Add(command) => command.run(console),
            Command::Status(command) => command.run(console),
            Command::Open(command) => command.run(console),
            Command::Laws(command) => command.run(console),
            Command::Export(command) => command.run(console),
            Command::Certificate(command) => command.run(console),
            Command::Verify(command) => command.run(console),
            Command::Merge(command) => command.run(console),
            Command::Repair(command) => command.run(console),
        }
    }
}

/// Says how many games are settled, and which are open
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary atlas status\n  harary atlas status --dir long-run --json\n\n\
    Without --dir: of the atlas that ships with the program.")]
struct Status {
    #[command(flatten)]
    source: Source,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How many games of one kind ended how, for machines.
#[derive(Serialize)]
struct GroupObject {
    board: Option<String>,
    topology: Option<Topology>,
    rule: Option<Rule>,
    wins: usize,
    holds: usize,
    open: usize,
    seconds: f64,
}

impl GroupObject {
    fn new(group: Option<&Group>, count: &Count) -> GroupObject {
        GroupObject {
            board: group.map(|group| group.board.clone()),
            topology: group.map(|group| group.topology),
            rule: group.map(|group| if group.weak { Rule::Weak } else { Rule::Strong }),
            wins: count.wins,
            holds: count.holds,
            open: count.open,
            seconds: json::seconds(count.seconds),
        }
    }
}

#[derive(Serialize)]
struct StatusReport {
    total: GroupObject,
    groups: Vec<GroupObject>,
    open: Vec<json::Entry>,
}

impl Status {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let tablebase = self.source.load()?;
        let groups = report::counts(tablebase.entries());
        let mut total = Count::default();
        tablebase.entries().for_each(|entry| total.add(entry));
        let open: Vec<&Entry> = tablebase.entries().filter(|entry| !entry.finding.is_settled()).collect();
        if self.json {
            let report = StatusReport {
                total: GroupObject::new(None, &total),
                groups: groups.iter().map(|(group, count)| GroupObject::new(Some(group), count)).collect(),
                open: open.iter().map(|entry| json::Entry::new(entry)).collect(),
            };
            json::write(console, "atlas status", &report)?;
            return Ok(Outcome::Done);
        }
        writeln!(
            console,
            "{:<8} {:<8} {:<7} {:>6} {:>6} {:>8} {:>10}",
            "board", "", "rule", "wins", "holds", "unknown", "seconds"
        )?;
        for (Group { board, topology, weak, .. }, Count { wins, holds, open, seconds }) in &groups {
            let rule = if *weak { "weak" } else { "strong" };
            let topology = topology.to_string();
            writeln!(console, "{board:<8} {topology:<8} {rule:<7} {wins:>6} {holds:>6} {open:>8} {seconds:>10.2}")?;
        }
        let Count { wins, holds, open: unknown, seconds } = total;
        writeln!(console, "{:<25} {wins:>6} {holds:>6} {unknown:>8} {seconds:>10.2}", "all")?;
        for entry in open {
            writeln!(console, "open: {} ({})", entry.key, entry.how_far())?;
        }
        Ok(Outcome::Done)
    }
}

// ------------------------------------------------------------------------------------------------------------- open

/// Lists what is open, how far each game came, and the command to go on
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  harary atlas open\n  harary atlas open --json\n  harary atlas open --dir long-run\n\n\
    Open is who wins, or, with a win, its least turn. Without --dir: in the atlas that ships with the program."
)]
struct Open {
    #[command(flatten)]
    source: Source,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// An open game for machines.
#[derive(Serialize)]
struct OpenGame {
    #[serde(flatten)]
    entry: json::Entry,
    /// `winner` or `turn`.
    open: &'static str,
    command: String,
}

#[derive(Serialize)]
struct OpenReport {
    games: Vec<OpenGame>,
}

impl Open {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let tablebase = self.source.load()?;
        let open: Vec<&Entry> = tablebase.entries().filter(|entry| entry.is_open()).collect();
        if self.json {
            let game = |entry: &&Entry| OpenGame {
                entry: json::Entry::new(entry),
                open: if entry.finding.is_settled() { "turn" } else { "winner" },
                command: entry.command_to_go_on(),
            };
            json::write(console, "atlas open", &OpenReport { games: open.iter().map(game).collect() })?;
            return Ok(Outcome::Done);
        }
        for entry in &open {
            let what = if entry.finding.is_settled() { "which turn" } else { "who wins" };
            let follows = laws::deduce(&entry.key, &tablebase);
            match follows.reason().filter(|_| !entry.finding.is_settled()) {
                Some(reason) => writeln!(console, "{}: {}, not certified yet; {reason}", entry.key, follows.finding)?,
                None => writeln!(console, "{}: {what} is open ({})", entry.key, entry.how_far())?,
            }
            writeln!(console, "  {}", entry.command_to_go_on())?;
        }
        let (games, winners) =
            (counted(tablebase.len(), "game"), open.iter().filter(|e| !e.finding.is_settled()).count());
        writeln!(console, "Of {games}: {winners} without a winner, {} without a least turn.", open.len() - winners)?;
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

#[derive(Serialize)]
struct ExportReport {
    games: Vec<json::Entry>,
}

impl Export {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let tablebase = self.source.load()?;
        if let Some(folder) = &self.site.html {
            return self.site.run(folder, &tablebase, console);
        }
        let entries = tablebase.entries();
        match (self.json, self.md) {
            (true, _) => {
                let games = entries.map(json::Entry::new).collect();
                json::write(console, "atlas export", &ExportReport { games })?;
            }
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
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct MergeReport {
    folder: String,
    games: usize,
    new: usize,
    improved: usize,
    replaced: usize,
    bytes: usize,
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
        let folder = self.into.display().to_string();
        if self.json {
            json::write(console, "atlas merge", &MergeReport { folder, games, new, improved, replaced, bytes })?;
            return Ok(Outcome::Done);
        }
        let games = counted(games, "game");
        writeln!(console, "{folder}: {games}, {new} new, {improved} improved, {replaced} replaced; {bytes} bytes")?;
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
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct RepairReport {
    folder: String,
    saved: usize,
    damaged: Vec<String>,
    /// The damaged file.
    kept: Option<String>,
}

impl Repair {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let repaired = journal::repair(&self.folder.dir)?;
        let folder = self.folder.dir.display();
        if self.json {
            let report = RepairReport {
                folder: folder.to_string(),
                saved: repaired.saved,
                damaged: repaired.damaged.iter().map(ToString::to_string).collect(),
                kept: repaired.kept.as_ref().map(|path| path.display().to_string()),
            };
            json::write(console, "atlas repair", &report)?;
            return Ok(Outcome::Done);
        }
        match repaired.damaged.as_slice() {
            [] => writeln!(console, "{folder}: nothing is damaged, {}", counted(repaired.saved, "result"))?,
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
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A game settled again, for machines.
#[derive(Serialize)]
struct AgainObject {
    game: json::Game,
    stored: json::Short,
    found: json::Short,
    finding: Again,
}

#[derive(Serialize)]
struct VerifyReport {
    seed: Option<u64>,
    same: usize,
    other: usize,
    open: usize,
    differs: usize,
    /// Not looked at, because somebody stopped it.
    left: usize,
    games: Vec<AgainObject>,
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
            if !self.json {
                writeln!(console, "{} of {}, seed {seed}", settled.len(), counted(tablebase.len(), "game"))?;
            }
        }
        let stop = interrupt::flag()?;
        let games = settled.len();
        let mut done: Vec<AgainObject> = Vec::new();
        for entry in settled {
            let certify_least = matches!(entry.leastness, Leastness::Certified(_));
            let memory = usize::try_from(entry.memory).context("too much memory for this machine")?;
            let ask =
                Ask { time: self.time_each, memory, engine: EngineChoice::Auto, certify_least, certificates: Keep::No };
            let again = settle_again(entry, &ask, stop.clone()).with_context(|| entry.key.to_string())?;
            if stop.load(Ordering::Relaxed) {
                break;
            }
            let finding = Again::compare(entry, &again);
            if !self.json {
                writeln!(console, "{}: {} stored, {} found: {finding}", entry.key, entry.finding, again.finding)?;
                console.flush()?;
            }
            let (stored, found) = (entry.finding.into(), again.finding.into());
            done.push(AgainObject { game: json::Game::of_key(&entry.key), stored, found, finding });
        }
        let count = |wanted: fn(Again) -> bool| done.iter().filter(|again| wanted(again.finding)).count();
        let report = VerifyReport {
            seed: (!self.all).then_some(seed),
            same: count(|again| again == Again::Same),
            other: count(|again| matches!(again, Again::Other | Again::AlsoWin)),
            open: count(|again| again == Again::Open),
            differs: count(|again| again == Again::Differs),
            left: games - done.len(),
            games: done,
        };
        let VerifyReport { same, other, open, differs, left, .. } = report;
        if self.json {
            json::write(console, "atlas verify", &report)?;
        } else {
            writeln!(
                console,
                "{same} the same byte for byte, {other} proved in another way, {open} open, {differs} DIFFER"
            )?;
            if left > 0 {
                writeln!(console, "Stopped by request; {} not looked at.", counted(left, "game"))?;
            }
        }
        Ok(match (differs, open + left) {
            (1.., _) => Outcome::Refused,
            (0, 0) => Outcome::Done,
            _ => Outcome::NotSettled,
        })
    }
}

// ------------------------------------------------------------------------------------------------------ certificate

/// Makes the certificate of a game of the atlas again
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary atlas certificate tippy 4x4 --output tippy.cert\n  \
    harary atlas certificate tippy 4x4 --least --output no-earlier.cert\n  \
    harary atlas certificate hex-12 4x4 --torus --rule weak --output hex-12.cert.zst\n  \
    harary atlas certificate I5+D5 5x5 --dir long-run --output gomoku.cert\n\n\
    The game is searched as it was when it was settled, and the certificate checked. Exit codes: 0 it has the hash of the \
    atlas, 1 it has not (another version of the search), 3 not settled in the time given.")]
struct Certificate {
    #[command(flatten)]
    game: AtlasGame,
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
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A certificate made again, for machines.
#[derive(Serialize)]
struct CertificateReport {
    game: json::Game,
    /// What it says.
    claims: Option<String>,
    certificate: Option<json::Certificate>,
    /// Whether it has the hash of the atlas.
    as_in_atlas: Option<bool>,
}

impl Certificate {
    fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        if files::is_dash(&self.output) {
            return Err(UsageError("a certificate goes into a file, not to standard output".to_owned()).into());
        }
        files::check_output(&self.output, &[])?;
        let key = self.game.key()?;
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
        let (certify_least, certificates) = (self.least, keep(self.output.clone()));
        let ask = Ask { time: self.time, memory, engine: EngineChoice::Auto, certify_least, certificates };
        let again = settle_again(entry, &ask, interrupt::flag()?)?;
        let same = mark(&again) == mark(entry);
        let claims = match again.refuted_turn {
            Some(turn) if self.least => format!("no win by turn {turn}"),
            _ => again.finding.to_string(),
        };
        let outcome = match (mark(&again), same) {
            (None, _) => Outcome::NotSettled,
            (Some(_), true) => Outcome::Done,
            (Some(_), false) => Outcome::Refused,
        };
        if self.json {
            let path = self.output.display().to_string();
            let certificate = mark(&again).map(json::Certificate::of_mark);
            let report = CertificateReport {
                game: json::Game::of_key(&key),
                claims: certificate.is_some().then_some(claims),
                as_in_atlas: certificate.is_some().then_some(same),
                certificate: certificate.map(|found| json::Certificate { path: Some(path), ..found }),
            };
            json::write(console, "atlas certificate", &report)?;
            return Ok(outcome);
        }
        let path = self.output.display();
        match mark(&again) {
            None => writeln!(console, "{key}: not settled in the time given, nothing written")?,
            Some(mark) => {
                let how = if same { " as in the atlas" } else { ", not as in the atlas" };
                writeln!(console, "{path}: {key}, {claims}, accepted, {}{how}", mark.short())?;
            }
        }
        Ok(outcome)
    }
}

/// A number drawn for a game: the same for the same seed.
fn lot(seed: u64, key: &GameKey) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&seed.to_le_bytes());
    hasher.update(key.to_string().as_bytes());
    *hasher.finalize().as_bytes()
}
