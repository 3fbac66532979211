//! What one can do with each neighbour: solve it, play it, write its formula. The arguments for that, and how it is done.

use super::super::console::Console;
use super::super::ending::{Outcome, UsageError};
use super::super::play::one_line;
use super::super::progress::{ProgressLine, ProgressMode};
use super::super::typed::Typed;
use super::super::{arguments, files, interrupt};
use super::answer::{FormulaObject, capitalised};
use crate::effort::progress::{Meter, watched};
use crate::effort::{Halt, Limits};
use crate::neighbours::finite::{Finite, Side};
use crate::neighbours::search::{Search, best};
use crate::neighbours::spoken::Spoken;
use crate::qbf::formula::Formula;
use anyhow::Context;
use clap::Args;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How to solve.
#[derive(Args, Clone, Debug)]
pub struct SolveArguments {
    /// Say what every move is worth
    #[arg(long)]
    pub moves: bool,
    /// Stop after this time, for example 90s or 10m
    #[arg(long, value_name = "TIME", value_parser = arguments::parse_time)]
    pub time: Option<Duration>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// How to play.
#[derive(Args, Clone, Debug)]
pub struct PlayArguments {
    /// Play against the program in the terminal
    #[arg(long, conflicts_with_all = ["json", "moves"])]
    pub play: bool,
    /// With --play: be the second player
    #[arg(long, requires = "play")]
    pub second: bool,
    /// With --play: how long the program may think about a move
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = arguments::parse_time)]
    pub time_each: Duration,
}

/// How to write the formula.
#[derive(Args, Clone, Debug)]
pub struct EncodeArguments {
    /// Write the game as a QBF in QDIMACS to a file, or to standard output (-)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["play", "moves"])]
    pub encode: Option<PathBuf>,
    /// With --encode: close a branch at once when the second player has cheated or the first has won
    #[arg(long, requires = "encode")]
    pub cuts: bool,
}

impl SolveArguments {
    /// The limits; Ctrl-C stops what runs under them.
    pub fn limits(&self) -> anyhow::Result<Limits> {
        Ok(Limits::new(self.time, None, interrupt::flag()?))
    }
}

/// Does some work under limits while a line on standard error says how far it is.
pub fn observed<T>(limits: &Limits, work: impl FnOnce() -> T) -> T {
    let (line, meter) = (ProgressLine::new("neighbours", ProgressMode::Auto), Meter::default());
    let result = watched(&|progress| line.show(progress), || meter.read(limits), work);
    line.clear();
    result
}

impl EncodeArguments {
    /// Before the work: whether the formula can be written where it should go.
    pub fn check(&self, inputs: &[&Path], json: bool) -> anyhow::Result<()> {
        let Some(path) = &self.encode else { return Ok(()) };
        if json && files::is_dash(path) {
            return Err(UsageError("--json goes with --encode FILE, not with standard output".to_owned()).into());
        }
        files::check_output(path, inputs)
    }

    /// Writes the formula if that was asked for, and says how large it is.
    pub fn write(
        &self,
        console: &mut Console,
        formula: impl FnOnce(bool) -> Formula,
    ) -> anyhow::Result<Option<FormulaObject>> {
        let Some(path) = &self.encode else { return Ok(None) };
        let formula = formula(self.cuts);
        if files::is_dash(path) {
            formula.write(console)?;
        } else {
            formula.keep(path).with_context(|| format!("cannot write {}", path.display()))?;
        }
        Ok(Some(FormulaObject { file: path.display().to_string(), cuts: self.cuts, size: formula.size() }))
    }
}

/// Who knows what moves are worth: within limits, or not.
type Adviser<'a, G> = &'a mut dyn FnMut(&G, &Limits) -> Result<Vec<(<G as Finite>::Move, i32)>, Halt>;

/// What the one search says.
pub fn searched<G: Spoken>(position: &G, limits: &Limits) -> Result<Vec<(G::Move, i32)>, Halt> {
    Search::new(limits).worths(position)
}

/// What a player can type besides a move.
const HELP: &str = "  ?      what each move is worth\n  undo   take back your last move and what followed\n  board  show the \
    position again\n  quit   leave\n";

/// The most moves Tab knows.
const MOST_COMPLETED: usize = 1000;

/// The most moves whose worth is told.
const MOST_TOLD: usize = 20;

/// A game in the terminal.
pub fn play<G: Spoken>(
    console: &mut Console,
    start: G,
    arguments: &PlayArguments,
    adviser: Adviser<G>,
) -> anyhow::Result<Outcome> {
    let human = if arguments.second { Side::Second } else { Side::First };
    let limits = || Ok::<Limits, anyhow::Error>(Limits::new(Some(arguments.time_each), None, interrupt::flag()?));
    let title = capitalised(&start.title());
    writeln!(console, "{title}. You are {}. Type a move; help lists the rest.", human.name())?;
    let mut line = vec![start];
    let mut typing = Typed::new(words(&line[0]));
    let mut shown = false;
    while let Some(position) = line.last().cloned() {
        if !shown {
            write!(console, "{}", position.drawing())?;
            shown = true;
        }
        let over = position.value();
        if let Some(value) = over {
            writeln!(console, "The game is over: {}.", position.meaning(value))?;
        } else if position.mover() != human {
            let (step, reason) = choose(&position, &limits()?, adviser);
            writeln!(console, "The program plays {}{reason}.", position.name_of(step))?;
            line.push(position.after(step));
            shown = false;
            continue;
        }
        typing.complete_to(words(&position));
        // A game that is over has nothing to ask.
        let question = if over.is_none() { position.question() } else { String::new() };
        let Some(typed) = typing.next(&format!("{question}> "), console)? else {
            writeln!(console, "{}Goodbye.", if typing.is_terminal() { "\n" } else { "" })?;
            return Ok(Outcome::Done);
        };
        match typed.to_lowercase().as_str() {
            "" => {}
            "quit" | "exit" | "q" => {
                writeln!(console, "Goodbye.")?;
                return Ok(Outcome::Done);
            }
            "help" | "h" => write!(console, "  {question}\n{HELP}")?,
            "board" => shown = false,
            "undo" | "u" => match line.iter().rposition(|before| before.mover() == human && *before != position) {
                Some(place) => {
                    line.truncate(place + 1);
                    shown = false;
                }
                None => writeln!(console, "There is nothing to take back.")?,
            },
            _ if over.is_some() => writeln!(console, "The game is over; undo takes back a move, quit leaves.")?,
            "?" | "hint" => match adviser(&position, &limits()?) {
                Ok(worths) => {
                    for &(step, value) in worths.iter().take(MOST_TOLD) {
                        writeln!(console, "  {}: {}", position.name_of(step), position.meaning(value))?;
                    }
                }
                Err(Halt) => writeln!(console, "Not known within the time for a move.")?,
            },
            _ => match position.read(&typed) {
                Ok(step) => {
                    line.push(position.after(step));
                    shown = false;
                }
                Err(mistake) => writeln!(console, "{}", one_line(&mistake))?,
            },
        }
    }
    Ok(Outcome::Done)
}

/// What Tab completes to.
fn words<G: Spoken>(position: &G) -> Vec<String> {
    let moves = if position.value().is_some() { Vec::new() } else { position.moves() };
    let names = moves.into_iter().take(MOST_COMPLETED).map(|step| position.name_of(step));
    names.chain(["?", "undo", "board", "help", "quit"].map(str::to_owned)).collect()
}

/// The program's move and why.
fn choose<G: Spoken>(position: &G, limits: &Limits, adviser: Adviser<G>) -> (G::Move, String) {
    let mover = position.mover();
    if let Ok(worths) = adviser(position, limits)
        && let Some(&step) = best(mover, &worths).first()
        && let Some((_, value)) = worths.iter().find(|worth| worth.0 == step)
    {
        return (step, format!(": {}", position.meaning(*value)));
    }
    // Not solved in time: win at once, or do not lose at once.
    let moves = position.moves();
    let wins =
        |before: &G, step: G::Move| before.after(step).value().is_some_and(|value| value * before.mover().sign() > 0);
    let safe = |step: G::Move| {
        let next = position.after(step);
        next.value().is_some() || !next.moves().into_iter().any(|reply| wins(&next, reply))
    };
    let winning = moves.iter().copied().find(|&step| wins(position, step));
    let step = winning.or_else(|| moves.iter().copied().find(|&step| safe(step))).unwrap_or(moves[0]);
    (step, " (a guess)".to_owned())
}

/// Reads `7x6`.
pub fn parse_sides(text: &str) -> anyhow::Result<(usize, usize)> {
    let sides = text.replace('×', "x").split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    sides.ok_or_else(|| UsageError(format!("'{text}' is no board; boards are written 7x6, columns first")).into())
}

/// A probability.
pub fn parse_share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err(format!("'{text}' is no probability; it is 0 to 1")),
    }
}
