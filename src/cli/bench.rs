//! `harary bench`: the engines against one another on fixed games, all in one run.
//!
//! Only the search is timed, not the drawing of the proof. Every answer that is timed is held against the others: the
//! expected values are what the engines agree on, and where they do not, nothing is reported but that.

use super::arguments::parse_shape;
use super::console::Console;
use super::ending::{Outcome, UsageError};
use super::interrupt;
use super::json::{self, Verdict};
use crate::effort::Limits;
use crate::game::Game;
use crate::settle::{Claimed, EngineChoice, Found, Options, search};
use clap::Args;
use harary_certificate::{Board, Rule, Topology};
use serde::Serialize;
use std::io::Write;
use std::time::{Duration, Instant};

/// Times the engines on fixed games, in one run
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  harary bench\n  harary bench --time-each 5m --threads 2\n  harary bench skinny --json\n\n\
    The ratio says how many times as long as one thread of alphabeta an engine takes; '>' is in front of it where the engine\n\
    was stopped. Run it on a quiet machine.\n\
    Exit codes: 0 done, 3 interrupted, 2 wrong usage, 1 the engines disagree, or a failure."
)]
pub struct Bench {
    /// Only the games whose name contains this
    filter: Option<String>,
    /// Stop an engine after this time
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = super::arguments::parse_time)]
    time_each: Duration,
    /// Also time alphabeta with so many threads
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=256))]
    threads: Option<u16>,
    /// Memory for the tables
    #[arg(long, value_name = "SIZE", default_value = "1GiB", value_parser = super::search_arguments::parse_memory)]
    memory: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A game to be settled, or to be decided by a turn.
struct Instance {
    shape: &'static str,
    board: &'static str,
    topology: Topology,
    rule: Rule,
    within: Option<usize>,
}

const fn plain(shape: &'static str, board: &'static str) -> Instance {
    Instance { shape, board, topology: Topology::Plain, rule: Rule::Strong, within: None }
}

/// From small ones, where the twin can follow, to those other programs gave up on.
const INSTANCES: [Instance; 14] = [
    plain("el", "3x3"),
    plain("tic", "4x3"),
    Instance { rule: Rule::Weak, ..plain("tippy", "4x3") },
    Instance { topology: Topology::Torus, ..plain("elly", "4x3") },
    plain("elly", "4x4"),
    plain("tippy", "5x5"),
    plain("fivecells-z", "6x6"),
    plain("fivecells-y", "6x6"),
    plain("4cells2", "6x6"),
    plain("5cells1", "8x8"),
    Instance { within: Some(11), ..plain("skinny", "7x7") },
    plain("skinny", "7x7"),
    Instance { topology: Topology::Torus, ..plain("skinny", "7x7") },
    Instance { rule: Rule::Weak, ..plain("skinny", "7x7") },
];

impl Instance {
    fn game(&self) -> anyhow::Result<Game> {
        let board = Board::parse(self.board, self.topology)?;
        Ok(Game::new(parse_shape(self.shape)?.shape, board, self.rule))
    }

    fn name(&self) -> String {
        let torus = if self.topology == Topology::Torus { " torus" } else { "" };
        let rule = if self.rule == Rule::Weak { " weak" } else { "" };
        let within = self.within.map_or_else(String::new, |turn| format!(" by turn {turn}"));
        format!("{} {}{torus}{rule}{within}", self.shape, self.board)
    }
}

/// Runs are repeated for this long, and the best counts.
const SHORT: Duration = Duration::from_millis(200);

/// The twin keeps every position it meets: beyond this many cells it would need too much memory.
const MOST_CELLS_FOR_THE_TWIN: usize = 16;

/// One engine on one game.
#[derive(Serialize, Debug)]
struct Measurement {
    game: json::Game,
    within: Option<usize>,
    /// For people.
    #[serde(skip)]
    name: String,
    engine: &'static str,
    threads: usize,
    verdict: Verdict,
    turn: Option<usize>,
    refuted_turn: Option<usize>,
    /// It was stopped before it was done.
    stopped: bool,
    nodes: u64,
    seconds: f64,
    /// Its time divided by that of alphabeta with one thread; a lower bound if it was stopped.
    ratio: Option<f64>,
}

#[derive(Serialize)]
struct Report {
    measurements: Vec<Measurement>,
}

impl Bench {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let wanted = |instance: &&Instance| self.filter.as_ref().is_none_or(|filter| instance.name().contains(filter));
        if let Some(filter) = self.filter.as_ref().filter(|_| !INSTANCES.iter().any(|instance| wanted(&instance))) {
            let names: Vec<String> = INSTANCES.iter().map(Instance::name).collect();
            return Err(
                UsageError(format!("no game of the bench has '{filter}' in its name: {}", names.join(", "))).into()
            );
        }
        let mut measurements = Vec::new();
        if !self.json {
            let (game, engine, answer) = ("game", "engine", "answer");
            writeln!(console, "{game:<24} {engine:<13} {answer:<24} {:>12} {:>9} {:>8}", "nodes", "seconds", "ratio")?;
        }
        for instance in INSTANCES.iter().filter(wanted) {
            let from = measurements.len();
            let game = instance.game()?;
            for (engine, threads) in self.contenders(&game) {
                let measured = self.measure(instance, &game, engine, threads, measurements.get(from))?;
                measurements.push(measured);
                agree(&measurements[from..])?;
                if !self.json {
                    measurements[measurements.len() - 1].write(console, measurements.len() == from + 1)?;
                    console.flush()?;
                }
                if interrupt::flag()?.load(std::sync::atomic::Ordering::Relaxed) {
                    return Ok(Outcome::NotSettled);
                }
            }
        }
        if self.json {
            json::write(console, "bench", &Report { measurements })?;
        }
        Ok(Outcome::Done)
    }

    /// The engines and their threads, the one the others are compared with first.
    fn contenders(&self, game: &Game) -> Vec<(EngineChoice, usize)> {
        let mut contenders = vec![(EngineChoice::Alphabeta, 1)];
        contenders.extend(self.threads.map(|threads| (EngineChoice::Alphabeta, threads.into())));
        contenders.extend([(EngineChoice::Dfpn, 1), (EngineChoice::Baseline, 1)]);
        if game.vertices() <= MOST_CELLS_FOR_THE_TWIN {
            contenders.push((EngineChoice::Plain, 1));
        }
        contenders
    }

    fn measure(
        &self,
        instance: &Instance,
        game: &Game,
        engine: EngineChoice,
        threads: usize,
        reference: Option<&Measurement>,
    ) -> anyhow::Result<Measurement> {
        let (within, memory) = (instance.within, self.memory);
        let run = || -> anyhow::Result<(f64, Found)> {
            let limits = Limits::new(Some(self.time_each), None, interrupt::flag()?);
            let options = Options { within, engine, threads, memory, limits, evidence: false, ..Options::default() };
            let started = Instant::now();
            let found = search(game, &options, &|_| {})?;
            Ok((started.elapsed().as_secs_f64(), found))
        };
        let begun = Instant::now();
        let mut best = run()?;
        // What is over in no time is repeated: the first run pays for fresh memory, and the clock is coarse.
        while begun.elapsed() < SHORT {
            let again = run()?;
            if again.0 < best.0 {
                best = again;
            }
        }
        let (seconds, Found { claimed, account, .. }) = best;
        let turn = match claimed {
            Some(Claimed::Win { by, least: true, .. }) => Some(by),
            _ => None,
        };
        let ratio = reference.filter(|reference| !reference.stopped).map(|reference| seconds / reference.seconds);
        Ok(Measurement {
            game: json::Game::new(instance.shape, game),
            within,
            name: instance.name(),
            engine: account.engine,
            threads: account.threads,
            verdict: claimed.map_or(Verdict::Open, |claimed| claimed.verdict().into()),
            turn,
            refuted_turn: account.refuted_turn,
            stopped: account.stopped,
            nodes: account.nodes,
            seconds: json::seconds(seconds),
            ratio,
        })
    }
}

/// Two answers to one question must not contradict each other; those of a stopped engine count as far as they go.
fn agree(measurements: &[Measurement]) -> anyhow::Result<()> {
    for (i, one) in measurements.iter().enumerate() {
        for two in &measurements[..i] {
            let verdicts = one.verdict == two.verdict || one.verdict == Verdict::Open || two.verdict == Verdict::Open;
            let turns = one.turn == two.turn || one.turn.is_none() || two.turn.is_none();
            let refuted = |won: &Measurement, other: &Measurement| won.turn.is_some() && other.refuted_turn >= won.turn;
            if !verdicts || !turns || refuted(one, two) || refuted(two, one) {
                anyhow::bail!(
                    "the engines disagree on {}: {} says {}, {} says {}; please report this",
                    one.name,
                    one.engine,
                    one.answer(),
                    two.engine,
                    two.answer()
                );
            }
        }
    }
    Ok(())
}

impl Measurement {
    fn answer(&self) -> String {
        match (self.verdict, self.turn, self.refuted_turn) {
            (Verdict::Win, Some(turn), _) => format!("win by turn {turn}"),
            (Verdict::Win, None, _) => "win".to_owned(),
            (Verdict::Hold, _, _) => "hold".to_owned(),
            (Verdict::Loss, _, _) => "loss".to_owned(),
            (Verdict::Open, _, Some(turn)) if self.stopped => format!("stopped; none by turn {turn}"),
            (Verdict::Open, _, Some(turn)) => format!("none by turn {turn}"),
            (Verdict::Open, _, None) => "stopped".to_owned(),
        }
    }

    fn write(&self, console: &mut Console, first: bool) -> anyhow::Result<()> {
        let game = if first { self.name.as_str() } else { "" };
        let engine = match self.threads {
            1 => self.engine.to_owned(),
            threads => format!("{} x{threads}", self.engine),
        };
        let ratio = match self.ratio {
            Some(ratio) => format!("{}{ratio:.1}", if self.stopped { "> " } else { "" }),
            None => String::new(),
        };
        let (answer, nodes, seconds) = (self.answer(), self.nodes, self.seconds);
        writeln!(console, "{game:<24} {engine:<13} {answer:<24} {nodes:>12} {seconds:>9.3} {ratio:>8}")?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_instance_is_a_game() {
        for instance in &INSTANCES {
            assert!(!instance.game().unwrap().black_sets().is_empty(), "{}", instance.name());
        }
    }

    #[test]
    fn contradictions_are_seen() {
        let answer = |verdict, turn, refuted_turn| Measurement {
            game: json::Game::new("", &INSTANCES[0].game().unwrap()),
            within: None,
            name: String::new(),
            engine: "",
            threads: 1,
            verdict,
            turn,
            refuted_turn,
            stopped: verdict == Verdict::Open,
            nodes: 0,
            seconds: 1.0,
            ratio: None,
        };
        let win = || answer(Verdict::Win, Some(9), Some(7));
        for (other, fine) in [
            (win(), true),
            (answer(Verdict::Win, None, None), true),
            (answer(Verdict::Open, None, Some(7)), true),
            (answer(Verdict::Open, None, None), true),
            (answer(Verdict::Win, Some(11), Some(7)), false),
            (answer(Verdict::Hold, None, Some(15)), false),
            (answer(Verdict::Open, None, Some(9)), false),
        ] {
            assert_eq!(agree(&[win(), other]).is_ok(), fine);
        }
    }
}
