//! `harary facts`: what the atlas says about a shape, put together, and what is odd.

use super::arguments::{SHAPE_HELP, parse_shape};
use super::atlas::Source;
use super::{Console, Outcome, UsageError, counted};
use crate::atlas::Tablebase;
use crate::atlas::facts::{self, RuleFacts, ShapeFacts};
use crate::atlas::sheet::{Format, Sheet};
use clap::Args;
use std::io::Write;

/// Says what the atlas knows about a shape, or what is odd about all of them
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary facts tippy\n  harary facts snaky --json\n  harary facts\n  \
    harary facts --format csv > anomalies.csv\n\n\
    With a shape: its orientations, the answers on each board, the smallest boards, its sub-shapes and super-shapes. \
    Without: every anomaly the atlas shows, a sub-shape harder than its super-shape, a larger board slower than a smaller \
    one, weak and strong differing, a torus slower than the plain board.")]
pub struct Facts {
    #[arg(help = SHAPE_HELP)]
    shape: Option<String>,
    #[command(flatten)]
    source: Source,
    /// Print JSON
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// How to print the anomalies
    #[arg(long, value_enum, default_value_t = Format::Md)]
    format: Format,
}

impl Facts {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let known = self.source.load()?;
        let Some(shape) = &self.shape else { return self.anomalies(&known, console) };
        if self.format != Format::Md {
            let reason =
                "--format is for the list of all anomalies; the facts of a shape are printed as text or --json";
            return Err(UsageError(reason.to_owned()).into());
        }
        let facts = facts::of_shape(&parse_shape(shape)?.shape, &known);
        match self.json {
            true => writeln!(console, "{}", serde_json::to_string_pretty(&facts)?)?,
            false => write(&facts, console)?,
        }
        Ok(if facts.boards.is_empty() { Outcome::NotSettled } else { Outcome::Done })
    }

    fn anomalies(&self, known: &Tablebase, console: &mut Console) -> anyhow::Result<Outcome> {
        let found = facts::anomalies(known);
        let sheet = Sheet {
            title: "What is odd in the atlas".to_owned(),
            notes: vec![format!("{} games, {} anomalies; the odd game first.", known.len(), found.len())],
            columns: vec!["anomaly", "game", "finding", "against", "its finding"],
            rows: found
                .into_iter()
                .map(|(_, anomaly)| {
                    let ([odd, usual], [finding, other]) = (anomaly.games, anomaly.findings);
                    vec![anomaly.kind.to_string(), odd, finding, usual, other]
                })
                .collect(),
        };
        write!(console, "{}", sheet.write(if self.json { Format::Json } else { self.format }))?;
        Ok(Outcome::Done)
    }
}

fn write(facts: &ShapeFacts, console: &mut Console) -> anyhow::Result<()> {
    let ShapeFacts { name, cells, size, orientations, .. } = facts;
    let kind = if facts.animal { "animal" } else { "creature" };
    let (size, orientations) = (counted(*size, "cell"), counted(*orientations, "orientation"));
    writeln!(console, "{name} ({cells}): {kind} of {size}, {orientations}")?;
    if facts.boards.is_empty() {
        writeln!(console, "nothing about it is in the atlas")?;
        return Ok(());
    }
    writeln!(
        console,
        "\n{:>6}  {:<22}{:<22}{:<22}{:<22}",
        "board", "plain strong", "plain weak", "torus strong", "torus weak"
    )?;
    for board in &facts.boards {
        let columns = [&board.plain, &board.torus].into_iter().flat_map(columns);
        let columns: String = columns.map(|text| format!("{text:<22}")).collect();
        writeln!(console, "{:>6}  {}", board.board, columns.trim_end())?;
    }
    writeln!(console)?;
    for smallest in &facts.smallest {
        let turn = smallest.turn.map_or_else(String::new, |turn| format!(", by turn {turn}"));
        let (topology, rule) = (smallest.topology, smallest.rule);
        writeln!(console, "smallest {topology} board, {rule} rule: {}{turn}", smallest.board)?;
    }
    for (title, list) in
        [("torus effect on", &facts.torus_effect), ("contains", &facts.inside), ("is inside", &facts.around)]
    {
        if !list.is_empty() {
            writeln!(console, "{title}: {}", list.join(", "))?;
        }
    }
    for anomaly in &facts.anomalies {
        let ([odd, usual], [finding, other]) = (&anomaly.games, &anomaly.findings);
        writeln!(console, "{}: {odd} ({finding}) against {usual} ({other})", anomaly.kind)?;
    }
    Ok(())
}

/// What is known of the strong and the weak game.
fn columns(facts: &RuleFacts) -> [String; 2] {
    let text = |finding: &Option<String>| finding.clone().unwrap_or_else(|| "-".to_owned());
    let economical = if facts.economical == Some(true) { ", economical" } else { "" };
    let paved = if facts.paved == Some(true) { ", paved at once" } else { "" };
    [format!("{}{economical}", text(&facts.strong)), format!("{}{paved}", text(&facts.weak))]
}
