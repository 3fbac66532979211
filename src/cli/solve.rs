//! `harary solve`: who wins, by which turn, with a certificate that was checked.

use super::answer::{Answer, Asked, Report, Standing, qbf_answer, write_first_move};
use super::arguments::{GameArguments, NamedGame};
use super::cards::pool_for;
use super::console::Console;
use super::ending::{OrUsage, Outcome as Ending, UsageError};
use super::progress::{ProgressArguments, ProgressLine};
use super::search_arguments::SearchArguments;
use super::start::{StartArguments, Started};
use super::words::describe;
use super::{files, json, law_answer};
use crate::atlas::laws::Deduced;
use crate::atlas::{Entry, GameKey, Tablebase};
use crate::effort::Progress;
use crate::effort::progress::Observer;
use crate::game::Game;
use crate::settle::{
    self, Account, Claimed, CoverMode, EngineChoice, Found, Options, Restricted, Settled, Verdict, WhiteFound,
    asks_for_white, search, search_white, settle,
};
use anyhow::Context;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Settles a game: the least turn by which Black wins, that White holds, or that she wins
#[derive(Args, Debug)]
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
    harary solve snaky 17x17 --rule weak --cards snaky.cards\n\n\
    What the atlas of the program has settled, or what follows from it by the laws between games, is answered at once \
    (where only the least turn does not follow, the search for it goes on), \
    whatever the limits; --fresh, --within, --cover, --certificate, --certify-least, --unchecked and --engine have it \
    searched (a certificate of what follows by a law is carried over from the other game).\n\
    Where White has stones, turns or sets of her own, a game that Black does not win is searched once more for a win of \
    White's: the answer is that she wins, that nobody does, or that this is open (exit code 3).\n\
    Exit codes: 0 settled, 3 not settled within the limits given, 2 wrong usage, 1 a failure; with --qbf 10 Black \
    wins, 20 he does not, 0 not settled.")]
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
    /// Answer as QBF solvers do: a line 's cnf 1' (Black wins, or does by the turn of --within), 0 (he does not) or -1
    /// (not settled) with the numbers of vertices and winning sets, a line 'V N 0' with the vertex of the first move,
    /// counted from 1, and the exit codes 10, 20 and 0
    #[arg(long, conflicts_with = "json")]
    qbf: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Solve {
    pub fn run(mut self, console: &mut Console) -> anyhow::Result<Ending> {
        let Started { named: NamedGame { name, game, within }, remark } = self.start.start(self.game.game()?)?;
        self.within = self.within.or(within);
        if [&self.certificate, &self.certify_least, &self.certify_draw]
            .into_iter()
            .flatten()
            .any(|path| path == Path::new("-"))
        {
            let reason = "a certificate on standard output would be mixed with the answer; give a file";
            return Err(UsageError(reason.to_owned())).usage();
        }
        if self.unchecked && self.certify_least.is_some() {
            return Err(UsageError("--certify-least is there to be checked; leave out --unchecked".to_owned())).usage();
        }
        if let Some(reason) = self.search.engine.unsuited(&game, self.within.is_some()) {
            return Err(UsageError(format!("--engine {}: {reason}", self.search.engine.name()))).usage();
        }
        let by_cards = self.search.engine == EngineChoice::Cards || self.cards.is_some();
        if by_cards && (self.within.is_some() || !settle::cards::applies(&game)) {
            let wanted = "cards are for the weak rule and a shape on an empty board, players alternating";
            return Err(UsageError(format!(
                "{wanted}; write --rule weak, leave out --pg, --within, --handicap, --stones"
            )))
            .usage();
        }
        if self.cover.is_some() && (game.shape_on_board().is_none() || !game.schedule().is_alternating()) {
            let wanted = "--cover is for a shape on a board with players alternating";
            return Err(UsageError(format!("{wanted}; leave out --pg, --handicap and --stones"))).usage();
        }
        if let Some(reason) = self.restricted().and_then(|player| player.unsuited(&game)) {
            return Err(UsageError(reason.to_owned())).usage();
        }
        if let Some(entry) = self.known(&game) {
            return self.answer_from_atlas(&name, &game, entry, console);
        }
        let deduced = self.deduced(&game);
        if let (Some(deduced), None) = (deduced.as_ref().filter(|deduced| deduced.is_complete()), &self.certificate) {
            return self.answer_by_law(&name, &game, deduced, console);
        }
        let outputs: Vec<&Path> = [&self.certificate, &self.certify_least, &self.certify_draw]
            .into_iter()
            .flatten()
            .map(PathBuf::as_path)
            .collect();
        for (number, output) in outputs.iter().enumerate() {
            let read = self.game.files();
            files::check_output(output, &[&read[..], &outputs[..number]].concat())?;
        }
        if let (true, Some(path)) = (self.learn, &self.cards) {
            files::check_output(path, &outputs)?;
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
        if self.cover.is_some() || options.restricted.is_some() {
            options.threads = 1;
        }
        if !self.json && !self.qbf {
            writeln!(console, "{}", describe(&name, &game))?;
            if let Some(remark) = &remark {
                writeln!(console, "{remark}")?;
            }
            if game.black_sets().is_empty() {
                let is_file = game.shape_on_board().is_none() && game.target_on_ground().is_none();
                let reason = if is_file { "Black has no set" } else { "The shape does not fit" };
                writeln!(console, "{reason}: a legal game without winning sets.")?;
            }
            if let Some(deduced) = deduced.as_ref().filter(|deduced| !deduced.is_complete()) {
                law_answer::write_deduced(deduced, console)?;
                writeln!(console, "The search for the least turn goes on.")?;
            }
            console.flush()?;
        }
        let started = Instant::now();
        let line = ProgressLine::new("solve", self.progress.progress);
        let observer = |progress: &Progress| line.show(progress);
        let by_law = match deduced.as_ref().filter(|deduced| deduced.is_complete()) {
            Some(deduced) => law_answer::proved(&game, deduced, &options)?,
            None => None,
        };
        let (mut standing, mut account) = match by_law {
            Some(proved) => proved,
            None => self.searched(&game, &options, &observer)?,
        };
        // What the search did not settle the law still does.
        if let (Some(deduced), false) = (&deduced, standing.is_settled()) {
            line.clear();
            if self.certificate.is_none() {
                return self.answer_by_law(&name, &game, deduced, console);
            }
            let again = Options { limits: self.search.options()?.limits, ..options.clone() };
            if let Some(proved) = law_answer::proved(&game, deduced, &again)? {
                (standing, account) = proved;
            }
        }
        line.clear();
        if let (true, Some(path), Some(cards)) = (self.learn, &self.cards, &cards) {
            let cards = cards.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            cards.save(path).with_context(|| format!("cannot write {}", path.display()))?;
        }
        let mut answer = Answer {
            asked: Asked {
                within: self.within,
                engine: self.search.engine,
                certificate: self.certificate.as_deref(),
                certify_least: self.certify_least.as_deref(),
                certify_draw: self.certify_draw.as_deref(),
            },
            name: &name,
            game: &game,
            standing,
            account,
            kept: [false; 3],
            seconds: started.elapsed().as_secs_f64(),
        };
        // What was found is printed whether or not it can be kept.
        let kept = answer.keep();
        let mut ending = if answer.is_settled() { Ending::Done } else { Ending::NotSettled };
        if self.json {
            json::write(console, "solve", &answer.report()?)?;
        } else if self.qbf {
            ending = answer.qbf().write(console)?;
        } else {
            answer.write(console)?;
        }
        kept?;
        Ok(ending)
    }
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
        let key = GameKey::of(game).filter(|_| !self.wants_a_search() && self.certificate.is_none())?;
        Tablebase::shipped().get(&key).filter(|entry| entry.finding.is_settled())
    }

    /// What follows from what the atlas knows of other games; a certificate can be made of theirs.
    fn deduced(&self, game: &Game) -> Option<Deduced> {
        law_answer::deduced(game).filter(|_| !self.wants_a_search())
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
            json: _,
        } = self;
        // Limits are for a search; where none is needed they change nothing.
        let SearchArguments { engine, threads: _, memory: _, time: _, nodes: _ } = search;
        *fresh
            || *unchecked
            || within.is_some()
            || cover.is_some()
            || certify_least.is_some()
            || cards.is_some()
            || attacker.is_some()
            || defender.is_some()
            || *engine != EngineChoice::Auto
    }

    fn answer_by_law(
        &self,
        name: &str,
        game: &Game,
        deduced: &Deduced,
        console: &mut Console,
    ) -> anyhow::Result<Ending> {
        if self.qbf {
            let value = Some(deduced.finding.verdict() == Verdict::Win);
            return qbf_answer(name, game, deduced.finding.sentence(), value, None).write(console);
        }
        law_answer::answer(name, game, deduced, self.json, console)?;
        Ok(Ending::Done)
    }

    fn answer_from_atlas(
        &self,
        name: &str,
        game: &Game,
        entry: &Entry,
        console: &mut Console,
    ) -> anyhow::Result<Ending> {
        let first_move = game.shape_on_board().and_then(|(_, board)| entry.first_move_on(board));
        if self.json {
            let known = json::Entry::new(entry);
            let report = Report {
                game: json::Game::new(name, game),
                within: None,
                by_turn: None,
                finding: json::Finding {
                    first_move: first_move.map(|cell| game.vertex_name(cell)),
                    ..known.finding.clone()
                },
                searched: None,
                least: None,
                engine: "atlas",
                threads: 1,
                nodes: 0,
                seconds: 0.0,
                stopped: false,
                certificate: known.certificate.clone(),
                least_certificate: known.least_certificate.clone(),
                cover: None,
                defence: None,
                cards: None,
                restricted: None,
                white: None,
                atlas: Some(known),
                law: None,
            };
            json::write(console, "solve", &report)?;
            return Ok(Ending::Done);
        }
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
        writeln!(
            console,
            "From the atlas (settled {}, certificate {certificate}; --fresh solves again).",
            entry.day()
        )?;
        Ok(Ending::Done)
    }
}
