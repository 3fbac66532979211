//! `harary solve`: who wins, by which turn, with a certificate that was checked.

use super::answer::{Answer, Asked, Report, Standing, qbf_answer, write_first_move};
use super::arguments::{GameArguments, NamedGame};
use super::cards::pool_for;
use super::console::Console;
use super::ending::{OrUsage, Outcome as Ending, UsageError};
use super::progress::{ProgressArguments, ProgressLine, ProgressMode};
use super::search_arguments::SearchArguments;
use super::start::StartArguments;
use super::words::describe;
use super::{files, json, law_answer};
use crate::atlas::laws::Deduced;
use crate::atlas::{Entry, GameKey, Tablebase, by_law};
use crate::effort::Progress;
use crate::effort::progress::Observer;
use crate::game::Game;
use crate::game::words::Started;
use crate::settle::{
    self, Account, Claimed, CoverMode, EngineChoice, Found, Options, Restricted, Settled, Verdict, WhiteFound,
    asks_for_white, search, search_white, settle,
};
use anyhow::Context;
use clap::Args;
use harary_certificate::Cell;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// What says which game it is, or what becomes of one answer: in a batch the lines do.
const BATCH_CONFLICTS: [&str; 25] = [
    "shape",
    "board",
    "row",
    "lines",
    "torus",
    "cylinder",
    "hexagonal",
    "rule",
    "handicap",
    "stones",
    "pg",
    "ig",
    "after",
    "black",
    "white",
    "to_move",
    "first",
    "within",
    "cover",
    "attacker",
    "defender",
    "certificate",
    "certify_least",
    "certify_draw",
    "cards",
];

/// Settles a game: by which turn Black wins, that White holds, or that she wins
#[derive(Args, Debug)]
#[command(mut_arg("shape", |shape| shape.required_unless_present_any(["pg", "ig", "row", "lines", "batch"])))]
#[command(mut_arg("board", |board| board.required_unless_present_any(["pg", "ig", "row", "lines", "batch"])))]
#[command(after_help = "Examples:\n  harary solve el 3x3\n  harary solve skinny 7x7 --certificate skinny.cert\n  \
    harary solve fivecells-z 5x5 --torus --json\n  harary solve snaky 9x9 --rule weak --time 10m\n  \
    harary solve tippy 4x4 --within 7\n  harary solve skinny 8x8 --engine dfpn\n  \
    harary solve snaky 9x9 --engine defender --time 2h\n  harary solve el 3x3 --stones 2,1\n  \
    harary solve skinny 7x7 --after \"d4 c3\"\n  harary solve snaky 8x8 --rule weak --black d4 --first \"e4 e5\"\n  \
    harary solve domino 3x3 --stones 2,1 --certificate white-wins.cert\n  harary solve \"I5+D5\" 7x7\n  harary solve --row 4 6x6\n  \
    harary solve --row 4 4x4x4 --time 10m\n  harary solve hex 4x4\n  harary solve I3+D3 5x4 --cylinder\n  \
    harary solve propeller 5x5 --hexagonal\n  harary solve --pg puzzle.pg\n  \
    harary solve --ig httt-4x4_13_skinny.ig httt-domain.ig\n  \
    harary solve knobby 19x19 --cover\n  harary solve tippy 4x4 --fresh\n  \
    harary solve tippy 4x4 --within 7 --qbf\n  harary solve snaky 9x9 --time 1m --progress json\n  \
    harary solve snaky 17x17 --rule weak --cards snaky.cards\n  \
    harary solve --batch games.txt --time 1m --jobs 2\n\n\
    What the atlas of the program has settled, or what follows from it by the laws between games, is answered at once \
    (where only the least turn does not follow, the search for it goes on), \
    whatever the limits; --fresh, --within, --cover, --certificate, --certify-least, --unchecked and --engine have it \
    searched (a certificate of what follows by a law is carried over from the other game).\n\
    Where White has stones, turns or sets of her own, a game that Black does not win is searched once more for a win of \
    White's: the answer is that she wins, that nobody does, or that this is open (exit code 3).\n\
    Exit codes: 0 settled, 3 not settled within the limits given, 2 wrong usage, 1 a failure; with --qbf 10 Black \
    wins, 20 he does not, 0 not settled; with --batch the worst of its lines: 1 before 2 before 3.")]
pub struct Solve {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    start: StartArguments,
    /// Decide only whether Black wins by this turn
    #[arg(long, value_name = "TURN", allow_negative_numbers = true, value_parser = super::arguments::parse_turn)]
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
    /// Let Black keep next to his own stones, edge to edge. Proves wins only
    #[arg(long, value_name = "HOW", value_parser = ["adjacent"], conflicts_with_all = ["engine", "certify_least", "cover"])]
    attacker: Option<String>,
    /// Let White take a cell of the greatest potential each time (Beck). Proves holds only
    #[arg(
        long,
        value_name = "HOW",
        value_parser = ["beck"],
        conflicts_with_all = ["engine", "certify_least", "cover", "within", "attacker"]
    )]
    defender: Option<String>,
    /// Write the certificate here (zstd if the name ends in .zst); with --within also of a refutation
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Also write a certificate that no earlier turn wins
    #[arg(long, value_name = "FILE")]
    certify_least: Option<PathBuf>,
    /// Where nobody wins, also write the certificate that White cannot force a win: it is about the game with the colours
    /// exchanged (several stones a turn, .pg games; on an empty board with alternating turns White never wins)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["within", "cover"])]
    certify_draw: Option<PathBuf>,
    /// The file with the cards of the shape (weak rule): what they win is answered at once
    #[arg(long, value_name = "FILE", conflicts_with_all = ["within", "cover"])]
    cards: Option<PathBuf>,
    /// Keep the cards that --engine cards finds in that file
    #[arg(long, requires = "cards")]
    learn: bool,
    /// Do not have the certificate checked
    #[arg(long)]
    unchecked: bool,
    /// Search, even if the answer is in the atlas
    #[arg(long)]
    fresh: bool,
    #[command(flatten)]
    progress: ProgressArguments,
    /// Settle the games of a file, one a line, in the words of this command (- is standard input): one JSON object a line, as
    /// they are settled. Engine, limits (for each game), --fresh and --unchecked hold where a line says nothing else
    #[arg(long, value_name = "FILE", conflicts_with_all = BATCH_CONFLICTS)]
    batch: Option<PathBuf>,
    /// With --batch: so many games at a time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    jobs: Option<u16>,
    /// Answer as QBF solvers do: a line 's cnf 1' (Black wins, or does by the turn of --within), 0 (he does not) or -1
    /// (not settled) with the numbers of vertices and winning sets, a line 'V N 0' with the vertex of the first move,
    /// counted from 1, and the exit codes 10, 20 and 0
    #[arg(long, conflicts_with_all = ["json", "batch"])]
    qbf: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is asked: a game, what to call it, and how its turns are counted if it does not begin as usual.
pub struct Question {
    name: String,
    game: Game,
    remark: Option<String>,
}

/// Where the answer comes from.
#[expect(clippy::large_enum_variant, reason = "there is one of them for a game")]
enum Answered<'a> {
    Atlas(&'static Entry),
    Law(Deduced),
    /// Searched; and whether what was found could be kept.
    Found(Answer<'a>, anyhow::Result<()>),
}

impl Solve {
    pub fn run(mut self, console: &mut Console) -> anyhow::Result<Ending> {
        if self.jobs.is_some() {
            return Err(UsageError("--jobs is for --batch".to_owned()).into());
        }
        let question = self.question()?;
        let plainly = !self.json && !self.qbf;
        let announce = |deduced: Option<&Deduced>| match plainly {
            true => question.announce(deduced, console),
            false => Ok(()),
        };
        let answered = self.answered(&question, announce)?;
        let Question { name, game, .. } = &question;
        if self.json {
            let (report, ending, kept) = answered.report(&question)?;
            json::write(console, "solve", &report)?;
            // What was found is printed whether or not it can be kept.
            kept?;
            return Ok(ending);
        }
        match answered {
            Answered::Atlas(entry) => self.answer_from_atlas(name, game, entry, console),
            Answered::Law(deduced) if self.qbf => {
                let value = Some(deduced.finding.verdict() == Verdict::Win);
                qbf_answer(name, game, deduced.finding.sentence(), value, None).write(console)
            }
            Answered::Law(deduced) => {
                law_answer::answer(name, game, &deduced, console)?;
                Ok(Ending::Done)
            }
            Answered::Found(answer, kept) => {
                let mut ending = answer.ending();
                if self.qbf {
                    ending = answer.qbf().write(console)?;
                } else {
                    answer.write(console)?;
                }
                kept?;
                Ok(ending)
            }
        }
    }

    /// The answer for machines, how the command ends, and whether what was found could be kept.
    pub fn reported(&mut self) -> anyhow::Result<(Report, Ending, anyhow::Result<()>)> {
        let question = self.question()?;
        self.answered(&question, |_| Ok(()))?.report(&question)
    }

    /// The file of a batch, if it is one.
    pub fn batch(&mut self) -> Option<PathBuf> {
        self.batch.take()
    }

    /// How many games at a time.
    pub fn jobs(&self) -> usize {
        self.jobs.map_or(1, usize::from)
    }

    /// This command as a line of a batch: where it says nothing, `outer` does.
    pub fn in_batch(mut self, outer: &Solve) -> anyhow::Result<Solve> {
        if self.batch.is_some() || self.jobs.is_some() || self.qbf || self.progress.progress != ProgressMode::Auto {
            let reason = "--batch, --jobs, --qbf and --progress are for the whole batch, not for a line";
            return Err(UsageError(reason.to_owned()).into());
        }
        if self.game.files().into_iter().any(files::is_dash) {
            return Err(UsageError("standard input is no game of a batch".to_owned()).into());
        }
        self.search = self.search.or(&outer.search).shared(outer.jobs());
        (self.fresh, self.unchecked) = (self.fresh || outer.fresh, self.unchecked || outer.unchecked);
        // Lines of several games at once would not say which of them they are about.
        self.progress.progress = if outer.jobs() == 1 { outer.progress.progress } else { ProgressMode::None };
        Ok(self)
    }

    /// The game, and the mistakes that are seen at once.
    fn question(&mut self) -> anyhow::Result<Question> {
        let Started { named: NamedGame { name, game, within }, remark } = self.start.start(self.game.game()?)?;
        self.within = self.within.or(within);
        if self.outputs().contains(&Path::new("-")) {
            let reason = "a certificate on standard output would be mixed with the answer; give a file";
            return Err(UsageError(reason.to_owned())).usage();
        }
        if self.unchecked && self.certify_least.is_some() {
            return Err(UsageError("--certify-least is there to be checked; leave out --unchecked".to_owned())).usage();
        }
        Ok(Question { name, game, remark })
    }

    /// Where certificates are to go.
    fn outputs(&self) -> Vec<&Path> {
        let outputs = [&self.certificate, &self.certify_least, &self.certify_draw].into_iter();
        outputs.flatten().map(PathBuf::as_path).collect()
    }

    /// Answers without a search where that is enough; `announce` is called before a search begins.
    fn answered<'a>(
        &'a self,
        question: &'a Question,
        announce: impl FnOnce(Option<&Deduced>) -> anyhow::Result<()>,
    ) -> anyhow::Result<Answered<'a>> {
        let Question { name, game, .. } = question;
        if let Some(entry) = self.known(game) {
            return Ok(Answered::Atlas(entry));
        }
        let deduced = match self.deduced(game) {
            Some(deduced) if deduced.is_complete() && self.certificate.is_none() => {
                return Ok(Answered::Law(deduced));
            }
            deduced => deduced,
        };
        let outputs = self.outputs();
        for (number, output) in outputs.iter().enumerate() {
            let read = self.game.files();
            files::check_output(output, &[&read[..], &outputs[..number]].concat())?;
        }
        if let (true, Some(path)) = (self.learn, &self.cards) {
            files::check_output(path, &outputs)?;
        }
        if let Some(reason) = settle::cards::unsuited(game, self.within).filter(|_| self.cards.is_some()) {
            return Err(UsageError(reason.to_owned())).usage();
        }
        let cards = match (&self.cards, game.shape_on_board()) {
            (Some(path), Some((shape, _))) => Some(Arc::new(Mutex::new(pool_for(path, shape)?))),
            _ => None,
        };
        let mut options = Options {
            cards: cards.clone(),
            within: self.within,
            certify_refutation: self.certify_least.is_some() || (self.within.is_some() && self.certificate.is_some()),
            cover: self.cover,
            restricted: self.restricted(),
            ..self.search.options()?
        };
        if let Some(reason) = options.unsuited(game) {
            return Err(UsageError(reason)).usage();
        }
        if self.cover.is_some() || options.restricted.is_some() {
            options.threads = 1;
        }
        announce(deduced.as_ref().filter(|deduced| !deduced.is_complete()))?;
        let started = Instant::now();
        let line = ProgressLine::new("solve", self.progress.progress);
        let observer = |progress: &Progress| line.show(progress);
        let by_law = match deduced.as_ref().filter(|deduced| deduced.is_complete()) {
            Some(deduced) => law_answer::proved(game, deduced, &options)?,
            None => None,
        };
        let (mut standing, mut account) = match by_law {
            Some(proved) => proved,
            None => self.searched(game, &options, &observer)?,
        };
        // What the search did not settle the law still does.
        if let (Some(deduced), false) = (deduced, standing.is_settled()) {
            line.clear();
            if self.certificate.is_none() {
                return Ok(Answered::Law(deduced));
            }
            let again = Options { limits: self.search.options()?.limits, ..options.clone() };
            if let Some(proved) = law_answer::proved(game, &deduced, &again)? {
                (standing, account) = proved;
            }
        }
        line.clear();
        if let (true, Some(path), Some(cards)) = (self.learn, &self.cards, &cards) {
            let cards = cards.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            cards.save(path).with_context(|| format!("cannot write {}", path.display()))?;
        }
        let asked = Asked {
            within: self.within,
            engine: self.search.engine(),
            certificate: self.certificate.as_deref(),
            certify_least: self.certify_least.as_deref(),
            certify_draw: self.certify_draw.as_deref(),
        };
        let seconds = started.elapsed().as_secs_f64();
        let mut answer = Answer { asked, name, game, standing, account, kept: [false; 3], seconds };
        let kept = answer.keep();
        Ok(Answered::Found(answer, kept))
    }
}

impl Question {
    /// What is said before a search.
    fn announce(&self, deduced: Option<&Deduced>, console: &mut Console) -> anyhow::Result<()> {
        let Question { name, game, remark } = self;
        writeln!(console, "{}", describe(name, game))?;
        if let Some(remark) = remark {
            writeln!(console, "{remark}")?;
        }
        if game.black_sets().is_empty() {
            let is_file = game.shape_on_board().is_none() && game.target_on_ground().is_none();
            let reason = if is_file { "Black has no set" } else { "The shape does not fit" };
            writeln!(console, "{reason}: a legal game without winning sets.")?;
        }
        if let Some(deduced) = deduced {
            law_answer::write_deduced(deduced, console)?;
            writeln!(console, "The search for the least turn goes on.")?;
        }
        Ok(console.flush()?)
    }
}

impl Answered<'_> {
    /// For machines.
    fn report(self, Question { name, game, .. }: &Question) -> anyhow::Result<(Report, Ending, anyhow::Result<()>)> {
        Ok(match self {
            Answered::Atlas(entry) => {
                let report = Report::of_atlas(name, game, entry, first_move(game, entry));
                (report, Ending::Done, Ok(()))
            }
            Answered::Law(deduced) => (law_answer::report(name, game, &deduced), Ending::Done, Ok(())),
            Answered::Found(mut answer, kept) => (answer.report()?, answer.ending(), kept),
        })
    }
}

/// Black's first move in an entry, on the board that was asked about.
fn first_move(game: &Game, entry: &Entry) -> Option<Cell> {
    // Sets that are known again lie on the board of the entry.
    entry.first_move_on(&game.board().unwrap_or_else(|| entry.key.board()))
}

/// What the search says, checked unless it is not to be.
impl Solve {
    /// Who plays with less than all moves.
    fn restricted(&self) -> Option<Restricted> {
        let attacker = self.attacker.as_ref().map(|_| Restricted::Adjacent);
        attacker.or(self.defender.as_ref().map(|_| Restricted::Beck))
    }

    fn searched(&self, game: &Game, options: &Options, observer: Observer) -> anyhow::Result<(Standing, Account)> {
        if self.unchecked {
            let found = search(game, options, observer)?;
            let asks = asks_for_white(game, &found, options);
            let Found { mut claimed, mut evidence, mut account } = found;
            let mut neither = false;
            if asks {
                let (white, spent) = search_white(game, options, observer)?;
                (account.stopped, account.nodes) = (spent.stopped, account.nodes.max(spent.nodes));
                neither = matches!(white, WhiteFound::Held { .. });
                if let WhiteFound::Wins { by, least, evidence: other } = white {
                    (claimed, evidence) = (Some(Claimed::Loss { by, least }), other);
                }
            }
            return Ok((Standing::Claimed { claimed, evidence, neither }, account));
        }
        let Settled { outcome, account } = settle(game, options, observer)?;
        Ok((Standing::Proved(outcome), account))
    }
}

/// Answers from the atlas.
impl Solve {
    /// What the atlas knows, if that is all that was asked for.
    fn known(&self, game: &Game) -> Option<&'static Entry> {
        if self.wants_a_search() || self.certificate.is_some() {
            return None;
        }
        let key = GameKey::of(game).or_else(|| GameKey::of_sets(game))?;
        Tablebase::shipped().get(&key).filter(|entry| entry.finding.is_settled())
    }

    /// What follows from what the atlas knows of other games; a certificate can be made of theirs.
    fn deduced(&self, game: &Game) -> Option<Deduced> {
        by_law::deduced(game).filter(|_| !self.wants_a_search())
    }

    fn wants_a_search(&self) -> bool {
        let Solve {
            game: _,
            start: _,
            within,
            search,
            cover,
            certificate: _,
            certify_least,
            certify_draw: _,
            attacker,
            defender,
            unchecked,
            fresh,
            progress: _,
            qbf: _,
            cards,
            learn: _,
            batch: _,
            jobs: _,
            json: _,
        } = self;
        // Limits are for a search; where none is needed they change nothing.
        *fresh
            || *unchecked
            || within.is_some()
            || cover.is_some()
            || certify_least.is_some()
            || cards.is_some()
            || attacker.is_some()
            || defender.is_some()
            || search.engine() != EngineChoice::Auto
    }

    fn answer_from_atlas(
        &self,
        name: &str,
        game: &Game,
        entry: &Entry,
        console: &mut Console,
    ) -> anyhow::Result<Ending> {
        let first_move = first_move(game, entry);
        if self.qbf {
            let value = Some(entry.finding.verdict() == Verdict::Win);
            return qbf_answer(name, game, entry.sentence(), value, first_move).write(console);
        }
        writeln!(console, "{}", describe(name, game))?;
        writeln!(console, "{}", entry.sentence())?;
        if let Some(line) = entry.refutation() {
            writeln!(console, "{line}")?;
        }
        if let Some(cell) = first_move {
            write_first_move(game, cell, console)?;
        }
        let certificate = entry.certificate.map_or_else(String::new, |mark| mark.short());
        // A target of several parts may be spelled otherwise there, and the certificate is of what stands there.
        let own = match game.board() {
            Some(_) => Some(entry.key.name()).filter(|own| game.shape_on_board().is_none() && own != name),
            // A file of sets.
            None => Some(entry.key.arguments()),
        };
        let own = own.map_or_else(String::new, |own| format!(", where it is {own}"));
        writeln!(
            console,
            "From the atlas{own} (settled {}, certificate {certificate}; --fresh solves again).",
            entry.day()
        )?;
        Ok(Ending::Done)
    }
}
