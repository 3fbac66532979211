//! `harary solve`: who wins, by which turn, with a certificate that was checked.

use super::arguments::{GameArguments, NamedGame};
use super::certify::{write, write_and_check};
use super::progress::ProgressLine;
use super::{Console, OrUsage, Outcome, UsageError, counted, interrupt, lookup};
use crate::atlas::report::Row;
use crate::atlas::{Entry, GameKey, Tablebase};
use crate::effort::Limits;
use crate::engines::blocking;
use crate::game::Game;
use crate::settle::covers::CoverMode;
use crate::settle::{self, CoverReport, DefenceReport, EngineChoice, Evidence, Level, Options, Settlement, Verdict};
use crate::views::picture::{Mark, Picture};
use clap::Args;
use harary_certificate::{Cell, Proved};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Settles a game: the least turn by which Black forces the win, or that White holds
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary solve el 3x3\n  harary solve skinny 7x7 --certificate skinny.cert\n  \
    harary solve fivecells-z 5x5 --torus --json\n  harary solve snaky 9x9 --rule weak --time 10m\n  \
    harary solve tippy 4x4 --within 7\n  harary solve skinny 8x8 --engine dfpn\n  \
    harary solve snaky 9x9 --engine defender --time 2h\n  harary solve el 3x3 --stones 2,1\n  \
    harary solve --pg puzzle.pg\n  harary solve knobby 19x19 --cover\n  harary solve tippy 4x4 --fresh\n\n\
    What the atlas of the program has settled is answered from it at once, whatever the limits; --fresh, --within, \
    --cover, --certificate, --certify-least, --unchecked and --engine have it searched.\n\
    Exit codes: 0 settled, 3 not settled within the limits given, 2 wrong usage, 1 anything else.")]
pub struct Solve {
    #[command(flatten)]
    game: GameArguments,
    /// Decide only whether Black wins by this turn
    #[arg(long, value_name = "TURN", allow_negative_numbers = true)]
    within: Option<usize>,
    #[command(flatten)]
    search: SearchArguments,
    /// Look only for wins inside a cover: of Black's first move, the cells of all placements through it (static, or
    /// dynamic to have it shrink), or a window such as 7x7 [default: static]. Proves wins only, with short certificates
    /// on large boards
    #[arg(
        long,
        value_name = "COVER",
        num_args = 0..=1,
        default_missing_value = "static",
        conflicts_with_all = ["engine", "certify_least"]
    )]
    cover: Option<CoverMode>,
    /// Write the certificate here (zstd if the name ends in .zst); with --within also of a refutation
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Also write a certificate that no earlier turn wins
    #[arg(long, value_name = "FILE")]
    certify_least: Option<PathBuf>,
    /// Do not have the certificate checked
    #[arg(long)]
    unchecked: bool,
    /// Search, even if the answer is in the atlas
    #[arg(long)]
    fresh: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The memory for tables if none is given.
const MEMORY: &str = "2GiB";

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
    #[arg(long, value_name = "SIZE", default_value = MEMORY, value_parser = parse_memory)]
    pub memory: usize,
    /// Stop after this time, for example 90s or 10m
    #[arg(long, value_name = "TIME", value_parser = super::arguments::parse_time)]
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
        Ok(bytes) if bytes >= 1 << 20 && is_at_hand(bytes) => Ok(bytes),
        Ok(bytes) if bytes < 1 << 20 => Err("at least 1MiB is needed".to_owned()),
        _ => Err(format!("the system does not give {text} of memory; try --memory with less")),
    }
}

/// Whether the system would give so much memory. It is not touched, and given back at once.
fn is_at_hand(bytes: usize) -> bool {
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
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
    /// Who plays at each turn, where the players do not alternate.
    turns: Option<String>,
    /// The turn asked about, where it was only one.
    within: Option<usize>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    cover: Option<CoverAnswer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    defence: Option<DefenceAnswer>,
    /// With an answer from the atlas, what it says; then nothing was searched or checked in this run.
    #[serde(skip_serializing_if = "Option::is_none")]
    atlas: Option<Row>,
}

/// What a search inside covers adds. `turn` above is null unless it is proved least.
#[derive(Serialize)]
struct CoverAnswer {
    mode: String,
    /// The cells Black keeps to, with a win.
    cells: Option<Vec<String>>,
    win_by: Option<usize>,
    /// No strategy inside one of the covers wins by this turn; others may.
    failed_turn: Option<usize>,
    covers: usize,
}

/// How far the defender came with a game that is not settled.
#[derive(Serialize)]
struct DefenceAnswer {
    /// White has no paving after so many moves of hers.
    unpaved: Option<u16>,
    /// Black is known to win the weak game, by search.
    weak_win: bool,
    /// First moves, one of each kind, against which the weak game is held, which win it, and the others.
    held: Vec<String>,
    winning: Vec<String>,
    open: Vec<String>,
}

impl Solve {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let NamedGame { name, game } = self.game.game()?;
        if self.within == Some(0) {
            return Err(UsageError("turns are counted from 1".to_owned())).usage();
        }
        if [&self.certificate, &self.certify_least].into_iter().flatten().any(|path| path == Path::new("-")) {
            let reason = "a certificate on standard output would be mixed with the answer; give a file";
            return Err(UsageError(reason.to_owned())).usage();
        }
        if self.unchecked && self.certify_least.is_some() {
            return Err(UsageError("--certify-least is there to be checked; leave out --unchecked".to_owned())).usage();
        }
        if self.search.engine == EngineChoice::Defender && (self.within.is_some() || !blocking::applies(&game)) {
            let wanted = "--engine defender is for whole games, players alternating from an empty board";
            return Err(UsageError(format!("{wanted}; leave out --within, --handicap and --stones"))).usage();
        }
        if self.cover.is_some() && (game.shape_on_board().is_none() || !game.schedule().is_alternating()) {
            let wanted = "--cover is for a shape on a board with players alternating";
            return Err(UsageError(format!("{wanted}; leave out --pg, --handicap and --stones"))).usage();
        }
        if let Some(entry) = self.known(&game) {
            return self.answer_from_atlas(&name, &game, entry, console);
        }
        let mut options = Options {
            within: self.within,
            certify_refutation: self.certify_least.is_some() || (self.within.is_some() && self.certificate.is_some()),
            cover: self.cover,
            ..self.search.options()?
        };
        if self.cover.is_some() {
            options.threads = 1;
        }
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
        let open = settlement.halted || settlement.cover.is_some() && settlement.verdict == Verdict::Unknown;
        Ok(if open { Outcome::NotSettled } else { Outcome::Done })
    }
}

/// Answers from the atlas.
impl Solve {
    /// What the atlas knows, if that is all that was asked for.
    fn known(&self, game: &Game) -> Option<&'static Entry> {
        let Solve { game: _, within, search, cover, certificate, certify_least, unchecked, fresh, json: _ } = self;
        // Limits are for a search; where none is needed they change nothing.
        let SearchArguments { engine, threads: _, memory: _, time: _, nodes: _ } = search;
        let search_asked_for = *fresh
            || *unchecked
            || within.is_some()
            || cover.is_some()
            || certificate.is_some()
            || certify_least.is_some()
            || *engine != EngineChoice::Auto;
        let key = GameKey::of(game).filter(|_| !search_asked_for)?;
        Tablebase::shipped().get(&key).filter(|entry| entry.finding.is_settled())
    }

    fn answer_from_atlas(
        &self,
        name: &str,
        game: &Game,
        entry: &Entry,
        console: &mut Console,
    ) -> anyhow::Result<Outcome> {
        let first_move = game.shape_on_board().and_then(|(_, board)| entry.first_move_on(board));
        if self.json {
            let row = Row::new(entry);
            let report = Report {
                schema: 1,
                shape: name,
                cells: game.shape_on_board().map(|(shape, _)| shape.to_string()),
                board: game.shape_on_board().map(|(_, board)| board.sides()),
                torus: entry.key.board().is_torus(),
                rule: row.rule.clone(),
                turns: None,
                within: None,
                verdict: row.verdict,
                turn: row.turn,
                win_by: row.win_by,
                refuted_turn: row.refuted_turn,
                first_move: first_move.map(|cell| game.vertex_name(cell)),
                engine: "atlas",
                threads: 1,
                nodes: 0,
                seconds: 0.0,
                certificate: None,
                checked: false,
                least_certificate: None,
                cover: None,
                defence: None,
                atlas: Some(row),
            };
            writeln!(console, "{}", serde_json::to_string_pretty(&report)?)?;
            return Ok(Outcome::Done);
        }
        writeln!(console, "{}", describe(name, game))?;
        writeln!(console, "{}", lookup::verdict(entry))?;
        if let Some(line) = lookup::refutation(entry) {
            writeln!(console, "{line}")?;
        }
        if let Some(cell) = first_move {
            write_first_move(game, cell, console)?;
        }
        let certificate = entry.certificate.map_or_else(String::new, |mark| mark.short());
        writeln!(
            console,
            "From the atlas (settled {}, certificate {certificate}; --fresh solves again).",
            entry.day()
        )?;
        Ok(Outcome::Done)
    }
}

/// Black's first move, drawn.
fn write_first_move(game: &Game, cell: Cell, console: &mut Console) -> anyhow::Result<()> {
    writeln!(console, "First move {}:", game.vertex_name(cell))?;
    let black = game.black_start().with(cell);
    let mark = |at| Mark::of_stones(&black, game.white_start(), at);
    if let Some(picture) = Picture::of_game(game, mark) {
        write!(console, "{}", picture.text(console.color()))?;
    }
    Ok(())
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
    accepted: Option<Proved>,
    least: Option<Proved>,
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
            turns: Some(self.game.schedule().letters()).filter(|_| !self.game.schedule().is_alternating()),
            within: self.command.within,
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
            cover: self.settlement.cover.as_ref().map(|report| CoverAnswer {
                mode: report.mode.to_string(),
                cells: report.cover.map(|cover| cover.iter().map(|cell| self.game.vertex_name(cell)).collect()),
                win_by: report.win_by,
                failed_turn: report.failed_turn,
                covers: report.covers,
            }),
            defence: self.settlement.defence.as_ref().map(|report| self.defence_answer(report)),
            atlas: None,
        }
    }

    fn defence_answer(&self, report: &DefenceReport) -> DefenceAnswer {
        let names = |cells: &[Cell]| cells.iter().map(|&cell| self.game.vertex_name(cell)).collect();
        DefenceAnswer {
            unpaved: report.levels.last().map(|level| level.moves),
            weak_win: report.weak_win,
            held: names(&report.held),
            winning: names(&report.winning),
            open: names(&report.open),
        }
    }

    /// The verdict of a search inside covers.
    fn write_cover(&self, report: &CoverReport, console: &mut Console) -> anyhow::Result<()> {
        let covers = counted(report.covers, "cover");
        match (report.win_by, report.cover, report.failed_turn) {
            (Some(turn), Some(cover), _) => {
                let (stones, cells) = (turn.div_ceil(2), cover.len());
                writeln!(console, "Black wins by turn {turn}, with {} of his own.", counted(stones, "stone"))?;
                writeln!(console, "He keeps to a cover of {cells} cells; White's stones elsewhere are only counted.")?;
                match self.settlement.turn {
                    Some(_) => writeln!(console, "No earlier win: he needs {}.", counted(stones, "stone"))?,
                    None => writeln!(console, "Whether he wins earlier is open: a cover proves wins only.")?,
                }
            }
            (_, _, failed) => {
                let reason = match self.settlement.halted {
                    true => format!("Not settled: {}.", interrupt::reason()),
                    false => "Not settled.".to_owned(),
                };
                let failed = match failed {
                    Some(turn) => format!("No strategy inside a cover wins by turn {turn} ({covers} tried)."),
                    None => "Nothing is proved.".to_owned(),
                };
                writeln!(console, "{reason} {failed}")?;
                writeln!(console, "This is no verdict on the game: a cover proves wins only.")?;
            }
        }
        Ok(())
    }

    /// How far the defender came.
    fn write_defence(&self, report: &DefenceReport, console: &mut Console) -> anyhow::Result<()> {
        if let Some(last) = report.levels.last() {
            let moves = counted(last.moves.into(), "move");
            writeln!(console, "White has no paving after {moves} of hers (turn {}).", 2 * last.moves)?;
        }
        if report.weak_win {
            writeln!(console, "Black wins the weak game (searched, not certified).")?;
            writeln!(console, "In the strong game White can hold only by threats of her own.")?;
        }
        if !report.weak_win && !report.held.is_empty() && report.winning.is_empty() && report.open.is_empty() {
            writeln!(console, "White holds, by the search; its certificate was not finished in time.")?;
        }
        let open = if report.weak_win { &Vec::new() } else { &report.open };
        let searched = " (searched, not certified)";
        let lists = [
            ("is held against", &report.held, searched),
            ("is won by", &report.winning, searched),
            ("is open after", open, ""),
        ];
        for (what, cells, how) in lists.into_iter().filter(|(_, cells, _)| !cells.is_empty()) {
            let names: Vec<String> = cells.iter().map(|&cell| self.game.vertex_name(cell)).collect();
            writeln!(console, "The weak game {what} the first move {}{how}.", names.join(", "))?;
        }
        if self.command.search.engine == EngineChoice::Defender && !report.levels.is_empty() {
            writeln!(console, "\n{:>11}  {:>12}  {:>12}  {:>9}", "White moves", "nodes", "SAT calls", "seconds")?;
            for Level { moves, nodes, calls, elapsed } in &report.levels {
                writeln!(console, "{moves:>11}  {nodes:>12}  {calls:>12}  {:>9.1}", elapsed.as_secs_f64())?;
            }
        }
        Ok(())
    }

    fn write(&self, console: &mut Console) -> anyhow::Result<()> {
        let settlement = self.settlement;
        match (settlement.verdict, settlement.win_by) {
            _ if settlement.cover.is_some() => {
                settlement.cover.iter().try_for_each(|report| self.write_cover(report, console))?
            }
            (Verdict::Win, Some(turn)) => {
                let stones = self.game.schedule().black_moves(0, turn);
                match settlement.turn {
                    Some(_) => {
                        writeln!(console, "Black wins by turn {turn}, with {} of his own.", counted(stones, "stone"))?
                    }
                    None => {
                        writeln!(console, "Black wins by turn {turn} at the latest (least turn not determined).")?;
                    }
                }
                match settlement.refuted_turn {
                    Some(refuted) if self.least.is_some() => {
                        let place = self.command.certify_least.as_ref().map(|path| path.display().to_string());
                        writeln!(console, "No win by turn {refuted} (certified: {}).", place.unwrap_or_default())?;
                    }
                    Some(refuted) => writeln!(console, "No win by turn {refuted} (searched, not certified).")?,
                    None => {}
                }
            }
            (Verdict::Hold, _) => match self.game.schedule().len() {
                turns if turns < self.game.vertices() => {
                    writeln!(console, "White holds: Black cannot force a win in the {turns} turns of this game.")?;
                }
                _ => writeln!(console, "White holds: Black cannot force a win.")?,
            },
            _ => {
                if settlement.halted {
                    writeln!(console, "Not settled: {}.", interrupt::reason())?;
                }
                match (settlement.refuted_turn, &settlement.evidence) {
                    (Some(turn), Some(_)) => writeln!(console, "No win by turn {turn}.")?,
                    (Some(turn), None) => writeln!(console, "No win by turn {turn} (searched, not certified).")?,
                    (None, _) if settlement.defence.is_some() => {}
                    (None, _) => writeln!(console, "Nothing is proved.")?,
                }
            }
        }
        if let Some(report) = &settlement.defence {
            self.write_defence(report, console)?;
        }
        if let Some(cell) = settlement.first_move {
            write_first_move(self.game, cell, console)?;
        }
        match (&self.accepted, &settlement.evidence) {
            (Some(accepted), _) => {
                let counted = match accepted.nodes() {
                    0 => format!("{} positions checked", accepted.positions()),
                    nodes => format!("{nodes} nodes and {} positions checked", accepted.positions()),
                };
                let place = self.command.certificate.as_ref();
                let place = place.map_or_else(String::new, |path| format!(" {}", path.display()));
                writeln!(console, "Certificate{place}: accepted, {} lines, {counted}.", accepted.lines())?;
            }
            (None, Some(_)) => writeln!(console, "Certificate: NOT CHECKED (--unchecked); take this as a claim.")?,
            (None, None) => {}
        }
        if let (Some(path), None) = (&self.command.certify_least, &self.least) {
            writeln!(console, "{} is not written: no earlier turn is refuted.", path.display())?;
        }
        let threads = counted(settlement.threads, "thread");
        writeln!(console, "{}, {threads}, {} nodes, {:.2} s", settlement.engine, settlement.nodes, self.seconds)?;
        Ok(())
    }
}
