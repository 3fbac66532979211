//! `harary atlas laws`: whether everything known agrees with the laws between games, and what follows from them.

use super::console::Console;
use super::ending::{Outcome, UsageError};
use super::source::Source;
use super::words::{counted, counted_as};
use super::{interrupt, json};
use crate::atlas::Tablebase;
use crate::atlas::entry::Entry;
use crate::atlas::journal::Journal;
use crate::atlas::law::Law;
use crate::atlas::laws::{self, Contradiction, Deduced};
use crate::atlas::settling::{Ask, Keep, settle_from, settle_game};
use crate::settle::EngineChoice;
use anyhow::Context;
use clap::Args;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Tests every law between games on everything known, and lists what follows for open games
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  harary atlas laws\n  harary atlas laws --json\n  harary atlas laws --dir long-run\n  \
    harary atlas laws --settle new-results --time-each 10m\n\n\
    The laws: a strong win is a weak win; a weak win on a plain board is one on larger boards and tori; a weak win for a \
    shape is one for the shapes inside it, and of several shapes for others of which there is one inside each. With --settle, what follows for an open game is proved: the game it follows \
    from is settled again, its certificate carried over and checked; of several shapes the game is searched where that does \
    not serve.\n\
    Exit codes: 0 all agree, 1 a contradiction, 3 not all of it could be proved (--settle), 2 wrong usage."
)]
pub struct Laws {
    #[command(flatten)]
    source: Source,
    /// Prove what follows, and put the results into this folder ('harary atlas merge --dir FOLDER' takes them)
    #[arg(long, value_name = "FOLDER")]
    settle: Option<PathBuf>,
    /// With --settle: stop at each game after this time
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = super::arguments::parse_time)]
    time_each: Duration,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Instances {
    law: Law,
    instances: usize,
}

#[derive(Serialize)]
struct ContradictionObject {
    law: Law,
    won: json::Game,
    won_by: usize,
    against: json::Game,
    #[serde(flatten)]
    finding: json::Short,
    refuted_turn: Option<usize>,
}

#[derive(Serialize)]
struct Report {
    games: usize,
    laws: Vec<Instances>,
    contradictions: Vec<ContradictionObject>,
    /// What follows for games that are open.
    deduced: Vec<json::Deduced>,
    /// With `--settle`: what was proved.
    settled: Vec<json::Entry>,
}

impl Laws {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let known = self.source.load()?;
        let trial = laws::test(&known);
        let follows: Vec<Deduced> = known
            .entries()
            .filter(|entry| !entry.finding.is_settled())
            .map(|entry| laws::deduce(&entry.key, &known))
            .filter(Deduced::is_settled)
            .collect();
        if !self.json {
            for (law, instances) in &trial.instances {
                writeln!(console, "{:>6}  {law}", instances)?;
            }
            let instances = counted(trial.instances.values().sum(), "instance");
            let wrong = match trial.contradictions.len() {
                0 => "no contradiction".to_owned(),
                some => counted(some, "CONTRADICTION"),
            };
            writeln!(console, "{instances} in {}: {wrong}.", counted(known.len(), "game"))?;
            for Contradiction { harder: (won, by), easier: (against, finding), refuted_turn, law } in
                &trial.contradictions
            {
                let refuted = refuted_turn.map_or_else(String::new, |turn| format!(", no win by turn {turn}"));
                writeln!(console, "{won} is won by turn {by}, and {against}: {finding}{refuted} ({law})")?;
            }
            if !follows.is_empty() {
                writeln!(console, "{} follow and are open in the atlas:", counted_as(follows.len(), "game", "games"))?;
            }
            for deduced in &follows {
                let reason = deduced.reason().unwrap_or_default();
                writeln!(console, "{}: {}, {reason}", deduced.key, deduced.finding)?;
            }
            console.flush()?;
        }
        let settled = match &self.settle {
            Some(_) if !trial.contradictions.is_empty() => {
                return Err(UsageError("what contradicts itself proves nothing; nothing is settled".to_owned()).into());
            }
            Some(folder) => self.settle(folder.clone(), &follows, &known, console)?,
            None => Vec::new(),
        };
        let complete = self.settle.is_none() || settled.len() == follows.len();
        if self.json {
            let report = Report {
                games: known.len(),
                laws: trial.instances.iter().map(|(&law, &instances)| Instances { law, instances }).collect(),
                contradictions: trial.contradictions.iter().map(ContradictionObject::new).collect(),
                deduced: follows.iter().map(json::Deduced::new).collect(),
                settled: settled.iter().map(json::Entry::new).collect(),
            };
            json::write(console, "atlas laws", &report)?;
        }
        Ok(match (trial.contradictions.is_empty(), complete) {
            (false, _) => Outcome::Refused,
            (true, true) => Outcome::Done,
            (true, false) => Outcome::NotSettled,
        })
    }

    /// Proves what follows, game by game; what is proved is written down at once.
    fn settle(
        &self,
        folder: PathBuf,
        follows: &[Deduced],
        known: &Tablebase,
        console: &mut Console,
    ) -> anyhow::Result<Vec<Entry>> {
        let mut journal = Journal::open(&folder)?;
        let stop = interrupt::flag()?;
        let mut settled = Vec::new();
        for deduced in follows {
            let Deduced { key, from, refuted, .. } = deduced;
            let Some((lender, _)) = from else { continue };
            let memory = known.get(lender).map_or(0, |entry| entry.memory);
            let memory = usize::try_from(memory).context("too much memory for this machine")?;
            let ask = Ask {
                time: self.time_each,
                memory,
                engine: EngineChoice::Auto,
                certify_least: false,
                certificates: Keep::No,
            };
            let refuted = refuted.as_ref().map(|(turn, _)| *turn);
            let carried = settle_from(key, lender, refuted, &ask, stop.clone()).with_context(|| key.to_string())?;
            let found = match carried {
                // Most proofs of other games do not serve several shapes: those are searched.
                None if !deduced.is_carried() => {
                    let searched = settle_game(key, &ask, stop.clone()).with_context(|| key.to_string())?;
                    Some(searched).filter(|entry| entry.finding.is_settled())
                }
                carried => carried,
            };
            if let Some(entry) = &found {
                journal.append(entry.clone())?;
            }
            if !self.json {
                match &found {
                    Some(entry) => writeln!(console, "{key}: {}, certificate accepted", entry.finding)?,
                    None => writeln!(console, "{key}: not proved in the time given")?,
                }
                console.flush()?;
            }
            settled.extend(found);
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        Ok(settled)
    }
}

impl ContradictionObject {
    fn new(found: &Contradiction) -> ContradictionObject {
        ContradictionObject {
            law: found.law,
            won: json::Game::of_key(&found.harder.0),
            won_by: found.harder.1,
            against: json::Game::of_key(&found.easier.0),
            finding: found.easier.1.into(),
            refuted_turn: found.refuted_turn,
        }
    }
}
