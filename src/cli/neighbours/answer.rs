//! What is said about a solved neighbour, in text and in JSON.

use super::super::console::Console;
use super::super::ending::Outcome;
use super::super::{interrupt, json};
use crate::neighbours::finite::Side;
use crate::neighbours::search::best;
use crate::neighbours::spoken::Spoken;
use crate::qbf::formula::Size;
use serde::Serialize;
use std::io::Write;
use std::time::Instant;

/// A formula that was written.
#[derive(Clone, Serialize, Debug)]
pub struct FormulaObject {
    pub file: String,
    pub cuts: bool,
    #[serde(flatten)]
    pub size: Size,
}

impl FormulaObject {
    /// One line about it, unless it went to standard output itself.
    pub fn tell(&self, console: &mut Console) -> anyhow::Result<()> {
        let Size { variables, universal, clauses, .. } = self.size;
        if self.file != "-" {
            writeln!(console, "{}: {variables} variables ({universal} universal), {clauses} clauses", self.file)?;
        }
        Ok(())
    }
}

/// A move and what it is worth.
#[derive(Serialize, Debug)]
struct MoveObject {
    #[serde(rename = "move")]
    name: String,
    value: i32,
    meaning: String,
}

/// Who wins.
#[derive(Clone, Copy, Serialize, Debug)]
#[serde(rename_all = "lowercase")]
enum Winner {
    First,
    Second,
    Draw,
}

/// What is known about a game, for machines. `extra` is what only this game has.
#[derive(Serialize, Debug)]
struct Report<'a, E: Serialize> {
    game: String,
    winner: Option<Winner>,
    value: Option<i32>,
    meaning: Option<String>,
    best: Vec<String>,
    moves: Vec<MoveObject>,
    method: &'static str,
    nodes: u64,
    seconds: f64,
    formula: Option<FormulaObject>,
    #[serde(flatten)]
    extra: &'a E,
}

/// What was found about a game.
pub struct Answer<'a, G: Spoken> {
    pub game: &'a G,
    /// Nothing if a limit came first.
    pub value: Option<i32>,
    /// Best moves; one of them where only one was looked for.
    pub best: Vec<G::Move>,
    /// What every move is worth, where that was asked.
    pub worths: Vec<(G::Move, i32)>,
    /// arithmetic, search or bitboards
    pub method: &'static str,
    pub nodes: u64,
    pub started: Instant,
    pub formula: Option<FormulaObject>,
}

impl<'a, G: Spoken> Answer<'a, G> {
    /// Nothing is known yet.
    pub fn new(game: &'a G, method: &'static str, started: Instant) -> Answer<'a, G> {
        Answer { game, value: None, best: Vec::new(), worths: Vec::new(), method, nodes: 0, started, formula: None }
    }

    /// The value and the best moves out of what every move is worth.
    pub fn with_worths(mut self, worths: Vec<(G::Move, i32)>) -> Answer<'a, G> {
        self.best = best(self.game.mover(), &worths);
        let best_value = worths.iter().find(|worth| self.best.contains(&worth.0)).map(|worth| worth.1);
        self.value = self.game.value().or(best_value);
        self.worths = worths;
        self
    }

    /// Says it. `moves`: also what every move is worth; `lines`: what only this game has to say.
    pub fn tell(
        self,
        console: &mut Console,
        command: &str,
        (moves, json): (bool, bool),
        extra: &impl Serialize,
        lines: &str,
    ) -> anyhow::Result<Outcome> {
        let outcome = if self.value.is_some() || self.formula.is_some() { Outcome::Done } else { Outcome::NotSettled };
        let names: Vec<String> = self.best.iter().map(|step| self.game.name_of(*step)).collect();
        let seconds = self.started.elapsed().as_secs_f64();
        if json {
            let told = |(step, value): &(G::Move, i32)| MoveObject {
                name: self.game.name_of(*step),
                value: *value,
                meaning: self.game.meaning(*value),
            };
            let report = Report {
                game: self.game.title(),
                winner: self.value.map(|value| match value {
                    1.. => Winner::First,
                    0 => Winner::Draw,
                    _ => Winner::Second,
                }),
                value: self.value,
                meaning: self.value.map(|value| self.game.meaning(value)),
                best: names,
                moves: if moves { self.worths.iter().map(told).collect() } else { Vec::new() },
                method: self.method,
                nodes: self.nodes,
                seconds: json::seconds(seconds),
                formula: self.formula,
                extra,
            };
            json::write(console, command, &report)?;
            return Ok(outcome);
        }
        if let Some(formula) = &self.formula {
            formula.tell(console)?;
            return Ok(outcome);
        }
        let title = capitalised(&self.game.title());
        match self.value {
            Some(value) => writeln!(console, "{title}: {}.", self.game.meaning(value))?,
            None => writeln!(console, "{title}: not settled, {}.", interrupt::reason())?,
        }
        write!(console, "{lines}")?;
        if !names.is_empty() {
            let whose = if self.game.mover() == Side::First { "first" } else { "second" };
            let shown = names.iter().take(MOST_SHOWN).cloned().collect::<Vec<_>>().join(" ");
            let more = if names.len() > MOST_SHOWN { " ..." } else { "" };
            writeln!(console, "Best for the {whose} player: {shown}{more}")?;
        }
        if moves {
            for (step, value) in &self.worths {
                writeln!(console, "  {}: {}", self.game.name_of(*step), self.game.meaning(*value))?;
            }
        }
        let nodes = if self.nodes > 0 { format!(", {} nodes", self.nodes) } else { String::new() };
        writeln!(console, "By {}{nodes}, {seconds:.3} s", self.method)?;
        Ok(outcome)
    }
}

/// The most best moves that are listed.
const MOST_SHOWN: usize = 20;

/// What a game has to say that has nothing of its own to say.
#[derive(Serialize)]
pub struct Nothing {}

/// As the beginning of a sentence.
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
