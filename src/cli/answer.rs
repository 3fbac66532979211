//! What `harary solve` has to say, in words and as JSON.

use super::console::Console;
use super::ending::Outcome as Ending;
use super::qbf_answer::QbfAnswer;
use super::restricted_answer::{self, RestrictedAnswer};
use super::words::{counted, describe};
use super::{interrupt, json};
use crate::evidence::Evidence;
use crate::game::Game;
use crate::settle::{
    Account, CardReport, Claimed, CoverReport, DefenceReport, EngineChoice, Least, Level, Outcome, Verdict, WhiteSide,
    refuted_by_counting,
};
use crate::views::picture::{Mark, Picture};
use anyhow::Context;
use harary_certificate::{Cell, Certificate, CertificateFile, WideSet};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The answer, for machines.
#[derive(Serialize)]
pub struct Report {
    pub game: json::Game,
    /// The turn asked about, where it was only one.
    pub within: Option<usize>,
    /// Whether Black wins by that turn, where the search knows.
    pub by_turn: Option<json::YesNo>,
    #[serde(flatten)]
    pub finding: json::Finding,
    /// What the search knows where nothing is proved.
    pub searched: Option<json::Verdict>,
    /// How it is known that no earlier turn wins.
    pub least: Option<&'static str>,
    pub engine: &'static str,
    pub threads: usize,
    pub nodes: u64,
    pub seconds: f64,
    pub stopped: bool,
    pub lacked_memory: bool,
    pub certificate: Option<json::Certificate>,
    pub least_certificate: Option<json::Certificate>,
    pub cover: Option<CoverAnswer>,
    pub defence: Option<DefenceAnswer>,
    pub cards: Option<CardAnswer>,
    pub restricted: Option<RestrictedAnswer>,
    /// Whether White forces a win of her own, where Black does not and that was the question.
    pub white: Option<WhiteAnswer>,
    /// With an answer from the atlas, what it says; then nothing was searched or checked in this run.
    pub atlas: Option<json::Entry>,
    /// With an answer that follows from other games: from which.
    pub law: Option<json::Deduced>,
}

/// What a search inside covers adds. `turn` above is null unless it is proved least.
#[derive(Serialize)]
pub struct CoverAnswer {
    pub mode: String,
    /// The cells Black keeps to, with a win.
    pub cells: Option<Vec<String>>,
    pub win_by: Option<usize>,
    /// No strategy inside one of the covers wins by this turn; others may.
    pub failed_turn: Option<usize>,
    pub covers: usize,
}

/// White's own win.
#[derive(Serialize)]
pub struct WhiteAnswer {
    /// `proved`, `refuted`, `excluded` (she has no sets, or Black steals her strategy) or `open`.
    pub win: &'static str,
    /// If it is proved: the turn by which she wins at the latest.
    pub win_by: Option<usize>,
    /// The same, if the search found no earlier one.
    pub turn: Option<usize>,
    /// If it is refuted: the certificate, which is about the game with the colours exchanged.
    pub certificate: Option<json::Certificate>,
}

/// How far the defender came with a game that is not settled.
#[derive(Serialize)]
pub struct DefenceAnswer {
    /// White has no paving after so many moves of hers.
    pub unpaved: Option<u16>,
    /// Black is known to win the weak game, by search.
    pub weak_win: bool,
    /// First moves, one of each kind, against which the weak game is held, which win it, and the others.
    pub held: Vec<String>,
    pub winning: Vec<String>,
    pub open: Vec<String>,
}

/// How far a search by cards came.
#[derive(Serialize)]
pub struct CardAnswer {
    /// Black's first move.
    pub first_move: String,
    /// White's answers to it, one of each kind: those he wins against, and the others.
    pub won: Vec<String>,
    pub open: Vec<String>,
    /// New cards, and new wins that hold on this torus alone.
    pub learned: usize,
    pub knots: usize,
}

/// What is known in the end.
#[expect(clippy::large_enum_variant, reason = "there is one of them in a run")]
pub enum Standing {
    /// Checked.
    Proved(Outcome),
    /// With `--unchecked`, what the search says; and whether it says that White does not win either.
    Claimed { claimed: Option<Claimed>, evidence: Option<Box<dyn Evidence>>, neither: bool },
}

impl Standing {
    /// Whether anything is settled.
    pub fn is_settled(&self) -> bool {
        match self {
            Standing::Proved(outcome) => !matches!(outcome, Outcome::Open { .. }),
            Standing::Claimed { claimed, .. } => claimed.is_some(),
        }
    }
}

/// What was asked for.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    pub within: Option<usize>,
    pub engine: EngineChoice,
    /// Where the certificate goes.
    pub certificate: Option<&'a Path>,
    /// Where that of the least turn goes.
    pub certify_least: Option<&'a Path>,
    /// Where that of White's hold goes.
    pub certify_draw: Option<&'a Path>,
}

/// Everything there is to say.
pub struct Answer<'a> {
    pub asked: Asked<'a>,
    pub name: &'a str,
    pub game: &'a Game,
    pub standing: Standing,
    pub account: Account,
    /// Whether the certificate, that of the least turn and that of a draw are in their files.
    pub kept: [bool; 3],
    pub seconds: f64,
}

/// Files for what was found.
impl Answer<'_> {
    /// Gives the certificates their names.
    pub fn keep(&mut self) -> anyhow::Result<()> {
        let cannot = |path: &Path| format!("cannot write the certificate {}", path.display());
        let Asked { certificate: path, certify_least: least_path, certify_draw: draw_path, .. } = self.asked;
        match &mut self.standing {
            Standing::Proved(outcome) => {
                if let Outcome::Open { unwritten, .. } = outcome
                    && let Some(error) = unwritten.take()
                {
                    return Err(error).context("the certificate cannot be written to a temporary file");
                }
                let mut failed = Ok(());
                if let (Some(path), Some(certificate)) = (path, outcome.certificate_mut()) {
                    failed = certificate.keep(path).with_context(|| cannot(path));
                    self.kept[0] = failed.is_ok();
                }
                let second = match outcome {
                    Outcome::Win { least: Least::Certified(certificate), .. } => least_path.zip(Some((1, certificate))),
                    Outcome::Hold { white: WhiteSide::Held(certificate), .. } => draw_path.zip(Some((2, certificate))),
                    _ => None,
                };
                if let Some((path, (which, certificate))) = second {
                    let kept = certificate.keep(path).with_context(|| cannot(path));
                    self.kept[which] = kept.is_ok();
                    failed = failed.and(kept);
                }
                failed
            }
            Standing::Claimed { evidence, .. } => {
                let (Some(path), Some(evidence)) = (path, evidence) else { return Ok(()) };
                let mut file = CertificateFile::create(path).with_context(|| cannot(path))?;
                evidence.write(self.game, &mut file).with_context(|| cannot(path))?;
                file.finish().with_context(|| cannot(path))?;
                self.kept[0] = true;
                Ok(())
            }
        }
    }

    /// The path of a certificate that is in its file.
    fn path_of(&self, which: usize) -> Option<PathBuf> {
        let path = [self.asked.certificate, self.asked.certify_least, self.asked.certify_draw][which];
        path.filter(|_| self.kept[which]).map(Path::to_owned)
    }

    /// The two certificates for machines.
    fn certificates(&mut self) -> anyhow::Result<[Option<json::Certificate>; 2]> {
        let [path, least_path] = [0, 1].map(|which| self.path_of(which));
        let (certificate, least) = match &mut self.standing {
            Standing::Proved(Outcome::Win { certificate, least: Least::Certified(least), .. }) => {
                (Some(certificate), Some(least))
            }
            Standing::Proved(outcome) => (outcome.certificate_mut(), None),
            Standing::Claimed { evidence, .. } => {
                return Ok([evidence.as_ref().map(|_| json::Certificate::unchecked(path.as_deref())), None]);
            }
        };
        let shown = |certificate: Option<&mut Certificate>, path: Option<PathBuf>| {
            certificate.map(|certificate| json::Certificate::new(certificate, path.as_deref())).transpose()
        };
        Ok([shown(certificate, path)?, shown(least, least_path)?])
    }
}

/// What is known, whoever says so.
impl Answer<'_> {
    /// The accepted certificate.
    fn certificate(&self) -> Option<&Certificate> {
        match &self.standing {
            Standing::Proved(outcome) => outcome.certificate(),
            Standing::Claimed { .. } => None,
        }
    }

    /// What the search says of what is not proved.
    fn claimed(&self) -> Option<Claimed> {
        match &self.standing {
            Standing::Proved(Outcome::Open { claimed, .. }) | Standing::Claimed { claimed, .. } => *claimed,
            Standing::Proved(_) => None,
        }
    }

    /// Whether the question is answered, and everything done that was asked for.
    pub fn is_settled(&self) -> bool {
        self.standing.is_settled() && !self.account.stopped
    }

    /// How the command ends.
    pub fn ending(&self) -> Ending {
        if self.is_settled() { Ending::Done } else { Ending::NotSettled }
    }

    /// The turn of a win, whether it is the least, and Black's first move.
    fn win(&self) -> Option<(usize, bool, Option<Cell>)> {
        match &self.standing {
            Standing::Proved(Outcome::Win { by, least, first_move, .. }) => {
                Some((*by, !matches!(least, Least::Unknown), *first_move))
            }
            Standing::Claimed { claimed: Some(Claimed::Win { by, least, first_move }), .. } => {
                Some((*by, *least, *first_move))
            }
            _ => None,
        }
    }

    /// The turn of a win of White's, and whether it is the least.
    fn loss(&self) -> Option<(usize, bool)> {
        match &self.standing {
            Standing::Proved(Outcome::Loss { by, least, .. }) => Some((*by, *least)),
            Standing::Claimed { claimed: Some(Claimed::Loss { by, least }), .. } => Some((*by, *least)),
            _ => None,
        }
    }

    /// What is said of White's own win, in one word; none where that is not the question.
    fn white_word(&self) -> Option<&'static str> {
        if self.asked.within.is_some() || self.account.restricted.is_some() {
            return None;
        }
        match &self.standing {
            Standing::Proved(Outcome::Loss { .. }) | Standing::Claimed { claimed: Some(Claimed::Loss { .. }), .. } => {
                Some("proved")
            }
            Standing::Proved(Outcome::Hold { white, .. }) => Some(white.word()),
            Standing::Claimed { claimed: Some(Claimed::Hold), neither, .. } => Some(match neither {
                _ if !self.game.white_may_win() => "excluded",
                true => "refuted",
                false => "open",
            }),
            _ => None,
        }
    }

    fn white_answer(&mut self) -> anyhow::Result<Option<WhiteAnswer>> {
        let path = self.path_of(2);
        let Some(win) = self.white_word() else { return Ok(None) };
        let loss = self.loss();
        let certificate = match &mut self.standing {
            Standing::Proved(Outcome::Hold { white: WhiteSide::Held(certificate), .. }) => {
                Some(json::Certificate::new(certificate, path.as_deref())?)
            }
            _ => None,
        };
        let turn = loss.filter(|&(_, least)| least).map(|(by, _)| by);
        Ok(Some(WhiteAnswer { win, win_by: loss.map(|(by, _)| by), turn, certificate }))
    }

    /// The verdict that is announced.
    fn verdict(&self) -> Verdict {
        match &self.standing {
            Standing::Proved(outcome) => outcome.verdict(),
            Standing::Claimed { claimed, .. } => claimed.map_or(Verdict::Unknown, |claimed| claimed.verdict()),
        }
    }

    /// The cells Black keeps to in his win.
    fn cover(&self) -> Option<WideSet> {
        match &self.standing {
            Standing::Proved(outcome) => outcome.certificate()?.proved().header().cover,
            Standing::Claimed { evidence, .. } => evidence.as_ref()?.cover(),
        }
    }

    /// The answer to `--within`.
    fn by_turn(&self) -> Option<bool> {
        self.asked.within?;
        match (&self.standing, self.win(), self.claimed()) {
            (_, Some(_), _) | (_, _, Some(Claimed::Win { .. })) => Some(true),
            (Standing::Proved(Outcome::Hold { .. } | Outcome::Loss { .. } | Outcome::NotBy { .. }), _, _) => {
                Some(false)
            }
            (_, _, Some(Claimed::Hold | Claimed::Loss { .. } | Claimed::NotBy(_))) => Some(false),
            (_, None, None) => None,
        }
    }
}

/// The answer as JSON.
impl Answer<'_> {
    /// All of it.
    pub fn report(&mut self) -> anyhow::Result<Report> {
        let [certificate, least_certificate] = self.certificates()?;
        let white = self.white_answer()?;
        let account = &self.account;
        let (least, searched) = match &self.standing {
            Standing::Proved(Outcome::Win { least, .. }) => (least.word(), None),
            Standing::Proved(Outcome::Open { claimed, .. }) => (None, claimed.map(|claimed| claimed.verdict())),
            _ => (None, None),
        };
        Ok(Report {
            game: json::Game::new(self.name, self.game),
            within: self.asked.within,
            by_turn: self.by_turn().map(json::YesNo::from),
            finding: json::Finding {
                verdict: self.verdict().into(),
                turn: self.win().filter(|&(_, least, _)| least).map(|(by, ..)| by),
                win_by: self.win().map(|(by, ..)| by),
                refuted_turn: account.refuted_turn,
                first_move: self.win().and_then(|(_, _, cell)| cell).map(|cell| self.game.vertex_name(cell)),
            },
            searched: searched.map(json::Verdict::from),
            least,
            engine: account.engine,
            threads: account.threads,
            nodes: account.nodes,
            seconds: json::seconds(self.seconds),
            stopped: account.stopped,
            lacked_memory: account.lacked_memory,
            certificate,
            least_certificate,
            cover: account.cover.map(|report| CoverAnswer {
                mode: report.mode.to_string(),
                cells: self.cover().map(|cover| cover.iter().map(|cell| self.game.vertex_name(cell)).collect()),
                win_by: self.win().map(|(by, ..)| by),
                failed_turn: report.failed_turn,
                covers: report.covers,
            }),
            defence: account.defence.as_ref().map(|report| self.defence_answer(report)),
            cards: account.cards.as_ref().map(|report| self.card_answer(report)),
            restricted: account.restricted.map(RestrictedAnswer::from),
            white,
            atlas: None,
            law: None,
        })
    }

    fn card_answer(&self, report: &CardReport) -> CardAnswer {
        CardAnswer {
            first_move: self.game.vertex_name(report.first_move),
            won: self.names(&report.won),
            open: self.names(&report.open),
            learned: report.learned,
            knots: report.knots,
        }
    }

    fn names(&self, cells: &[Cell]) -> Vec<String> {
        cells.iter().map(|&cell| self.game.vertex_name(cell)).collect()
    }

    fn defence_answer(&self, report: &DefenceReport) -> DefenceAnswer {
        DefenceAnswer {
            unpaved: report.levels.last().map(|level| level.moves),
            weak_win: report.weak_win,
            held: self.names(&report.held),
            winning: self.names(&report.winning),
            open: self.names(&report.open),
        }
    }
}

/// The answer in words.
impl Answer<'_> {
    /// The most important of it.
    fn headline(&self) -> String {
        match (&self.standing, self.win(), self.claimed()) {
            (_, Some((by, least, _)), _) if least || self.account.cover.is_some() => {
                let stones = counted(self.game.schedule().black_moves(0, by), "stone");
                format!("Black wins by turn {by}, with {stones} of his own.")
            }
            (_, Some((by, ..)), _) => format!("Black wins by turn {by} at the latest (least turn not determined)."),
            (Standing::Proved(Outcome::Hold { .. }), _, _) | (Standing::Claimed { .. }, _, Some(Claimed::Hold)) => {
                match self.game.is_cut_short() {
                    true => {
                        let turns = self.game.schedule().len();
                        format!("White holds: Black cannot force a win in the {turns} turns of this game.")
                    }
                    false => "White holds: Black cannot force a win.".to_owned(),
                }
            }
            (&Standing::Proved(Outcome::Loss { by, .. }), _, _)
            | (Standing::Claimed { .. }, _, Some(Claimed::Loss { by, .. })) => {
                let schedule = self.game.schedule();
                let stones = counted(by - schedule.black_moves(0, by), "stone");
                format!("White wins by turn {by}, with {stones} of her own.")
            }
            (Standing::Proved(Outcome::NotBy { turn, certificate: Some(_) }), _, _) => {
                format!("No win by turn {turn}.")
            }
            (&Standing::Proved(Outcome::NotBy { turn, .. }), _, _)
            | (Standing::Claimed { .. }, _, Some(Claimed::NotBy(turn))) => self.refuted(turn),
            (_, None, Some(claimed)) => {
                let reason = self.reason_of_proof();
                let known = match claimed {
                    Claimed::Win { by, least: true, .. } => format!("Black wins by turn {by}"),
                    Claimed::Win { .. } => "Black wins".to_owned(),
                    Claimed::Hold => "White holds".to_owned(),
                    Claimed::Loss { by, .. } => format!("White wins by turn {by}"),
                    Claimed::NotBy(turn) => format!("No win by turn {turn}"),
                };
                format!("{known}, by the search; no certificate yet{reason}.")
            }
            (_, None, None) => format!("Not settled{}.", self.reason()),
        }
    }

    /// Why the search ended, if a limit ended it.
    fn reason(&self) -> String {
        if self.account.stopped { format!(": {}", interrupt::reason()) } else { String::new() }
    }

    /// Why there is no proof.
    fn reason_of_proof(&self) -> String {
        match self.account.stopped && self.account.lacked_memory {
            true => ": its proof has no room, give more --memory".to_owned(),
            false => self.reason(),
        }
    }

    /// A turn without a win, and how that is known where no certificate says so.
    fn refuted(&self, turn: usize) -> String {
        match refuted_by_counting(self.game, turn) {
            Some(counted) => format!("No win by turn {turn}: {counted}."),
            None => format!("No win by turn {turn} (searched, not certified)."),
        }
    }

    /// All of it as QBF solvers say it: is it true that Black wins, or wins by the turn asked about?
    pub fn qbf(&self) -> QbfAnswer {
        let value = match self.verdict() {
            _ if self.asked.within.is_some() => self.by_turn().filter(|_| self.is_settled()),
            Verdict::Win => Some(true),
            Verdict::Hold | Verdict::Loss => Some(false),
            Verdict::Unknown => None,
        };
        let first = self.win().and_then(|(_, _, cell)| cell);
        qbf_answer(self.name, self.game, self.headline(), value, first)
    }

    /// All of it.
    pub fn write(&self, console: &mut Console) -> anyhow::Result<()> {
        match (&self.standing, self.win(), self.claimed()) {
            (_, Some((by, least, _)), _) => self.write_win(by, least, console)?,
            (Standing::Proved(Outcome::Hold { .. } | Outcome::Loss { .. } | Outcome::NotBy { .. }), _, _)
            | (Standing::Claimed { .. }, _, Some(Claimed::Hold | Claimed::Loss { .. } | Claimed::NotBy(_))) => {
                writeln!(console, "{}", self.headline())?;
                match self.white_word() {
                    Some("refuted") => writeln!(console, "White cannot force one either: with best play nobody wins.")?,
                    Some("open") => {
                        writeln!(console, "Whether White can force one is open{}.", self.reason_of_proof())?
                    }
                    _ => {}
                }
            }
            (_, None, claimed) => self.write_open(claimed, console)?,
        }
        if let Some(report) = &self.account.defence {
            self.write_defence(report, console)?;
        }
        if let Some(report) = &self.account.cards {
            self.write_cards(report, console)?;
        }
        if let Some((_, _, Some(cell))) = self.win() {
            write_first_move(self.game, cell, console)?;
        }
        self.write_certificates(console)?;
        let Account { engine, nodes, .. } = self.account;
        let threads = counted(self.account.threads, "thread");
        writeln!(console, "{engine}, {threads}, {nodes} nodes, {:.2} s", self.seconds)?;
        Ok(())
    }

    fn write_win(&self, by: usize, least: bool, console: &mut Console) -> anyhow::Result<()> {
        writeln!(console, "{}", self.headline())?;
        if let Some(cover) = self.cover() {
            let cells = cover.len();
            writeln!(console, "He keeps to a cover of {cells} cells; White's stones elsewhere are only counted.")?;
            match least {
                true => {
                    let stones = counted(self.game.schedule().black_moves(0, by), "stone");
                    writeln!(console, "No earlier win: he needs {stones}.")?;
                }
                false => writeln!(console, "Whether he wins earlier is open: a cover proves wins only.")?,
            }
        } else if let Some(refuted) = self.account.refuted_turn {
            match self.path_of(1) {
                Some(place) => writeln!(console, "No win by turn {refuted} (certified: {}).", place.display())?,
                None => writeln!(console, "{}", self.refuted(refuted))?,
            }
        }
        Ok(())
    }

    /// Nothing is proved: what the search knows, and how far it came.
    fn write_open(&self, claimed: Option<Claimed>, console: &mut Console) -> anyhow::Result<()> {
        if let (None, Some(report)) = (claimed, &self.account.cover) {
            return write_no_cover(report, &self.reason(), console);
        }
        if let (None, Some(report)) = (claimed, &self.account.restricted) {
            return restricted_answer::write(report, &self.reason(), console);
        }
        writeln!(console, "{}", self.headline())?;
        match self.account.refuted_turn {
            _ if claimed.is_some() => {}
            Some(turn) => writeln!(console, "{}", self.refuted(turn))?,
            None if self.account.defence.is_some() || self.account.cards.is_some() => {}
            None => writeln!(console, "Nothing is proved.")?,
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
        if self.asked.engine == EngineChoice::Defender && !report.levels.is_empty() {
            writeln!(console, "\n{:>11}  {:>12}  {:>12}  {:>9}", "White moves", "nodes", "SAT calls", "seconds")?;
            for Level { moves, nodes, calls, elapsed } in &report.levels {
                writeln!(console, "{moves:>11}  {nodes:>12}  {calls:>12}  {:>9.1}", elapsed.as_secs_f64())?;
            }
        }
        Ok(())
    }

    /// How far a search by cards came.
    fn write_cards(&self, report: &CardReport, console: &mut Console) -> anyhow::Result<()> {
        let first = self.game.vertex_name(report.first_move);
        let (won, open) = (self.names(&report.won), self.names(&report.open));
        if !open.is_empty() {
            let all = won.len() + open.len();
            writeln!(console, "After {first} White has {all} kinds of answers. Black wins against {}.", won.len())?;
            if !won.is_empty() {
                writeln!(console, "Won (searched, not certified): {}", won.join(" "))?;
            }
            writeln!(console, "Open: {}", open.join(" "))?;
        }
        if report.learned + report.knots > 0 {
            let learned = counted(report.learned, "card");
            writeln!(console, "{learned} learned, and {} of this torus alone.", counted(report.knots, "win"))?;
        }
        Ok(())
    }

    fn write_certificates(&self, console: &mut Console) -> anyhow::Result<()> {
        if let Some(certificate) = self.certificate() {
            let accepted = certificate.proved();
            let place = self.path_of(0).map_or_else(String::new, |path| format!(" {}", path.display()));
            writeln!(console, "Certificate{place}: accepted, {} lines, {}.", accepted.lines(), accepted.checked())?;
        }
        if let Standing::Proved(Outcome::Hold { white: WhiteSide::Held(certificate), .. }) = &self.standing {
            let accepted = certificate.proved();
            let place = self.path_of(2).map_or_else(String::new, |path| format!(" {}", path.display()));
            let counts = format!("{} lines, {}", accepted.lines(), accepted.checked());
            writeln!(console, "Certificate{place} of the game with the colours exchanged: accepted, {counts}.")?;
        } else if let Some(path) = self.asked.certify_draw {
            writeln!(console, "{} is not written: that White does not win is not what was proved.", path.display())?;
        }
        if let Standing::Claimed { evidence: Some(_), .. } = &self.standing {
            writeln!(console, "Certificate: NOT CHECKED (--unchecked); take this as a claim.")?;
        }
        let refutation = match &self.standing {
            Standing::Proved(Outcome::Win { least, .. }) => match least {
                Least::Certified(_) => None,
                Least::Unknown => Some("the least turn is not determined"),
                _ if self.account.refuted_turn.is_none() => Some("no earlier turn is refuted"),
                _ => Some("it was not finished in time"),
            },
            _ => Some("no earlier turn is refuted"),
        };
        if let (Some(path), Some(reason)) = (self.asked.certify_least, refutation) {
            writeln!(console, "{} is not written: {reason}.", path.display())?;
        }
        Ok(())
    }
}

/// A search inside covers that found no win.
fn write_no_cover(report: &CoverReport, reason: &str, console: &mut Console) -> anyhow::Result<()> {
    let failed = match report.failed_turn {
        Some(turn) => {
            let covers = counted(report.covers, "cover");
            format!("No strategy inside a cover wins by turn {turn} ({covers} tried).")
        }
        None => "Nothing is proved.".to_owned(),
    };
    writeln!(console, "Not settled{reason}. {failed}")?;
    writeln!(console, "This is no verdict on the game: a cover proves wins only.")?;
    Ok(())
}

/// A game's answer as QBF solvers give theirs.
pub fn qbf_answer(
    name: &str,
    game: &Game,
    headline: String,
    value: Option<bool>,
    first_move: Option<Cell>,
) -> QbfAnswer {
    let mut comments = vec![describe(name, game), headline];
    comments.extend(first_move.map(|cell| format!("V: the vertex of the first move, {}", game.vertex_name(cell))));
    let size = (game.vertices(), game.black_sets().len());
    QbfAnswer { comments, value, size, first: first_move.map(|cell| cell.index() + 1) }
}

/// Black's first move, drawn.
pub fn write_first_move(game: &Game, cell: Cell, console: &mut Console) -> anyhow::Result<()> {
    writeln!(console, "First move {}:", game.vertex_name(cell))?;
    let black = game.black_start().with(cell);
    let mark = |at| Mark::of_stones(&black, game.white_start(), at);
    if let Some(picture) = Picture::of_game(game, mark) {
        write!(console, "{}", picture.text(console.color()))?;
    }
    Ok(())
}
