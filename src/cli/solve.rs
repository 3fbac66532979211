//! `harary solve`: who wins, by which turn, with a certificate that was checked.

use super::arguments::{GameArguments, NamedGame};
use super::certify::{write, write_and_check};
use super::progress::ProgressLine;
use super::{Console, OrUsage, Outcome, UsageError, interrupt};
use crate::checker::Accepted;
use crate::game::Game;
use crate::search::Limits;
use crate::settle::{self, EngineChoice, Evidence, Options, Settlement, Verdict};
use crate::show::{Mark, Picture};
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Settles a game: the least turn by which Black forces the win, or that White holds
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary solve el 3x3\n  harary solve skinny 7x7 --certificate skinny.cert\n  \
    harary solve fivecells-z 5x5 --torus --json\n  harary solve snaky 9x9 --rule weak --time 10m\n  \
    harary solve tippy 4x4 --within 7\n  harary solve skinny 8x8 --engine dfpn\n  harary solve el 3x3 --stones 2,1\n  harary solve --pg puzzle.pg\n\n\
    Exit codes: 0 settled, 3 not settled within the limits given, 2 wrong usage, 1 anything else.")]
pub struct Solve {
    #[command(flatten)]
    game: GameArguments,
    /// Decide only whether Black wins by this turn
    #[arg(long, value_name = "TURN")]
    within: Option<usize>,
    #[command(flatten)]
    search: SearchArguments,
    /// Write the certificate here (zstd if the name ends in .zst); with --within also of a refutation
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Also write a certificate that no earlier turn wins
    #[arg(long, value_name = "FILE")]
    certify_least: Option<PathBuf>,
    /// Do not have the certificate checked
    #[arg(long)]
    unchecked: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How to search, shared by the subcommands that do.
#[derive(Args, Clone, Debug)]
pub struct SearchArguments {
    /// Which engine searches
    #[arg(long, value_enum, default_value_t = EngineChoice::Auto)]
    pub engine: EngineChoice,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: Option<u16>,
    /// Memory for the tables
    #[arg(long, value_name = "SIZE", default_value = "2GiB", value_parser = parse_memory)]
    pub memory: usize,
    /// Stop after this time, for example 90s or 10m
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration)]
    pub time: Option<Duration>,
    /// Stop after about so many nodes
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
}

impl SearchArguments {
    /// The options they stand for. Ctrl-C and SIGTERM stop the search from here on.
    pub fn options(&self) -> anyhow::Result<Options> {
        let all = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Options {
            engine: self.engine,
            threads: self.threads.map_or(all, usize::from),
            memory: self.memory,
            limits: Limits::new(self.time, self.nodes, interrupt::flag()?),
            ..Options::default()
        })
    }
}

/// Reads `2GiB`, `64MiB`, `500M`.
pub fn parse_memory(text: &str) -> Result<usize, String> {
    let size: bytesize::ByteSize =
        text.parse().map_err(|_| format!("'{text}' is not a size; sizes are written 2GiB"))?;
    match usize::try_from(size.as_u64()) {
        Ok(bytes) if bytes >= 1 << 20 => Ok(bytes),
        _ => Err("at least 1MiB is needed".to_owned()),
    }
}

/// The answer, for machines.
#[derive(Serialize)]
struct Report<'a> {
    schema: u32,
    shape: &'a str,
    cells: Option<String>,
    board: Option<String>,
    torus: bool,
    rule: String,
    verdict: Verdict,
    turn: Option<usize>,
    win_by: Option<usize>,
    refuted_turn: Option<usize>,
    first_move: Option<String>,
    engine: &'static str,
    threads: usize,
    nodes: u64,
    seconds: f64,
    certificate: Option<String>,
    checked: bool,
    least_certificate: Option<String>,
}

impl Solve {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let NamedGame { name, game } = self.game.game()?;
        if self.within == Some(0) {
            return Err(UsageError("turns are counted from 1".to_owned())).usage();
        }
        if self.unchecked && self.certify_least.is_some() {
            return Err(UsageError("--certify-least is there to be checked; leave out --unchecked".to_owned())).usage();
        }
        let options = Options {
            within: self.within,
            certify_refutation: self.certify_least.is_some() || (self.within.is_some() && self.certificate.is_some()),
            ..self.search.options()?
        };
        if !self.json {
            writeln!(console, "{}", describe(&name, &game))?;
            if game.black_sets().is_empty() {
                writeln!(console, "The shape does not fit: a legal game without winning sets.")?;
            }
            console.flush()?;
        }
        let started = Instant::now();
        let line = ProgressLine::new();
        let settlement = settle::settle(&game, &options, &|progress| line.show(progress))?;
        let certify = |evidence: Option<&dyn Evidence>, path: Option<&Path>| match evidence {
            Some(evidence) if self.unchecked => {
                path.map_or(Ok(None), |path| write(&game, evidence, path).map(|()| None))
            }
            Some(evidence) => write_and_check(&game, evidence, path).map(Some),
            None => Ok(None),
        };
        let accepted = certify(settlement.evidence.as_deref(), self.certificate.as_deref())?;
        let least = match &self.certify_least {
            Some(path) => certify(settlement.least_evidence.as_deref(), Some(path))?,
            None => None,
        };
        line.clear();
        let answer = Answer {
            command: &self,
            name: &name,
            game: &game,
            settlement: &settlement,
            accepted,
            least,
            seconds: started.elapsed().as_secs_f64(),
        };
        if self.json {
            writeln!(console, "{}", serde_json::to_string_pretty(&answer.report())?)?;
        } else {
            answer.write(console)?;
        }
        Ok(if settlement.halted { Outcome::NotSettled } else { Outcome::Done })
    }
}

/// One line about the game.
pub fn describe(name: &str, game: &Game) -> String {
    let turns = match game.schedule().is_alternating() {
        true => String::new(),
        false => format!(", turns {}", game.schedule().letters()),
    };
    match game.shape_on_board() {
        Some((shape, board)) if name == shape.to_string() => {
            format!("{shape} on {board}, {} rule{turns}", game.rule())
        }
        Some((shape, board)) => format!("{name} ({shape}) on {board}, {} rule{turns}", game.rule()),
        None => format!("{name}, {} vertices, {} rule{turns}", game.vertices(), game.rule()),
    }
}

/// Everything there is to say.
struct Answer<'a> {
    command: &'a Solve,
    name: &'a str,
    game: &'a Game,
    settlement: &'a Settlement,
    accepted: Option<Accepted>,
    least: Option<Accepted>,
    seconds: f64,
}

impl Answer<'_> {
    fn report(&self) -> Report<'_> {
        let placed = self.game.shape_on_board();
        let path = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        Report {
            schema: 1,
            shape: self.name,
            cells: placed.map(|(shape, _)| shape.to_string()),
            board: placed.map(|(_, board)| board.sides()),
            torus: placed.is_some_and(|(_, board)| board.is_torus()),
            rule: self.game.rule().to_string(),
            verdict: self.settlement.verdict,
            turn: self.settlement.turn,
            win_by: self.settlement.win_by,
            refuted_turn: self.settlement.refuted_turn,
            first_move: self.settlement.first_move.map(|cell| self.game.vertex_name(cell)),
            engine: self.settlement.engine,
            threads: self.settlement.threads,
            nodes: self.settlement.nodes,
            seconds: (self.seconds * 1e6).round() / 1e6,
            certificate: path(&self.command.certificate).filter(|_| self.settlement.evidence.is_some()),
            checked: self.accepted.is_some(),
            least_certificate: path(&self.command.certify_least).filter(|_| self.least.is_some()),
        }
    }

    fn write(&self, console: &mut Console) -> anyhow::Result<()> {
        let settlement = self.settlement;
        match (settlement.verdict, settlement.win_by) {
            (Verdict::Win, Some(turn)) => {
                let stones = self.game.schedule().black_moves(0, turn);
                match settlement.turn {
                    Some(_) => writeln!(console, "Black wins by turn {turn}, with {stones} stones of his own.")?,
                    None => {
                        writeln!(console, "Black wins by turn {turn} at the latest (least turn not determined).")?;
                    }
                }
                match settlement.refuted_turn {
                    Some(refuted) if self.least.is_some() => {
                        writeln!(console, "No win by turn {refuted} (certified).")?;
                    }
                    Some(refuted) => writeln!(console, "No win by turn {refuted} (searched, not certified).")?,
                    None => {}
                }
            }
            (Verdict::Hold, _) => writeln!(console, "White holds: Black cannot force a win.")?,
            _ => {
                if settlement.halted {
                    writeln!(console, "Not settled: stopped by a limit.")?;
                }
                match (settlement.refuted_turn, &settlement.evidence) {
                    (Some(turn), Some(_)) => writeln!(console, "No win by turn {turn}.")?,
                    (Some(turn), None) => writeln!(console, "No win by turn {turn} (searched, not certified).")?,
                    (None, _) => writeln!(console, "Nothing is proved.")?,
                }
            }
        }
        if let Some(cell) = settlement.first_move {
            writeln!(console, "First move {}:", self.game.vertex_name(cell))?;
            let black = self.game.black_start().with(cell);
            let mark = |at| Mark::of_stones(&black, self.game.white_start(), at);
            if let Some(picture) = Picture::of_game(self.game, mark) {
                write!(console, "{}", picture.text(console.color()))?;
            }
        }
        match (&self.accepted, &settlement.evidence) {
            (Some(accepted), _) => {
                let counted = match accepted.nodes {
                    0 => format!("{} positions checked", accepted.positions),
                    nodes => format!("{nodes} nodes and {} positions checked", accepted.positions),
                };
                let place = self.command.certificate.as_ref();
                let place = place.map_or_else(String::new, |path| format!(" {}", path.display()));
                writeln!(console, "Certificate{place}: accepted, {} lines, {counted}.", accepted.lines)?;
            }
            (None, Some(_)) => writeln!(console, "Certificate: NOT CHECKED (--unchecked); take this as a claim.")?,
            (None, None) => {}
        }
        let threads = match settlement.threads {
            1 => "1 thread".to_owned(),
            threads => format!("{threads} threads"),
        };
        writeln!(console, "{}, {threads}, {} nodes, {:.2} s", settlement.engine, settlement.nodes, self.seconds)?;
        Ok(())
    }
}
