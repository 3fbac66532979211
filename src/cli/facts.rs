//! `harary facts`: what the atlas says about a shape, put together, and what is odd.

use super::arguments::{SHAPE_HELP, parse_shape};
use super::console::Console;
use super::ending::{Outcome, UsageError};
use super::json;
use super::source::Source;
use super::table::Format;
use super::words::{counted, counted_as};
use crate::atlas::entry::Finding;
use crate::atlas::facts::{self, Anomaly, RuleFacts, ShapeFacts, Smallest};
use crate::atlas::sheet::Sheet;
use crate::atlas::{GameKey, Tablebase};
use clap::Args;
use serde::Serialize;
use std::io::Write;

/// Says what the atlas knows about a shape, or what is odd about all of them
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary facts tippy\n  harary facts snaky --json\n  harary facts\n  \
    harary facts --format csv > anomalies.csv\n\n\
    With a shape: its orientations, the answers on each board, the smallest boards, its sub-shapes and super-shapes. \
    Without: every anomaly the atlas shows, a sub-shape harder than its super-shape, a larger board slower than a smaller \
    one, weak and strong differing, a torus slower than the plain board. Facts are about single shapes; 'harary lookup' takes \
    several together.")]
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

/// The facts for machines; without a shape only the anomalies.
#[derive(Serialize)]
struct Report {
    shape: Option<ShapeObject>,
    boards: Vec<BoardObject>,
    smallest: Vec<Smallest>,
    inside: Vec<String>,
    around: Vec<String>,
    torus_effect: Vec<String>,
    /// Strong games won, and not inside a cover.
    outside_covers: Vec<String>,
    anomalies: Vec<AnomalyObject>,
}

#[derive(Serialize)]
struct ShapeObject {
    name: String,
    cells: String,
    size: usize,
    kind: &'static str,
    orientations: usize,
}

#[derive(Serialize)]
struct BoardObject {
    board: String,
    plain: RulesObject,
    torus: RulesObject,
}

#[derive(Serialize)]
struct RulesObject {
    strong: Option<json::Short>,
    weak: Option<json::Short>,
    /// Where it follows by laws: from which game.
    strong_from: Option<json::Game>,
    weak_from: Option<json::Game>,
    economical: Option<bool>,
    paved: Option<bool>,
}

#[derive(Serialize)]
struct AnomalyObject {
    kind: facts::Oddity,
    odd: GameObject,
    usual: GameObject,
}

#[derive(Serialize)]
struct GameObject {
    game: json::Game,
    #[serde(flatten)]
    finding: json::Short,
}

impl RulesObject {
    fn new(facts: &RuleFacts) -> RulesObject {
        let RuleFacts { strong, weak, from, economical, paved } = facts;
        let (strong, weak) = (strong.map(json::Short::from), weak.map(json::Short::from));
        let [strong_from, weak_from] = from.each_ref().map(|from| from.as_ref().map(json::Game::of_key));
        RulesObject { strong, weak, strong_from, weak_from, economical: *economical, paved: *paved }
    }
}

impl AnomalyObject {
    fn new(anomaly: &Anomaly) -> AnomalyObject {
        let game = |index: usize| GameObject {
            game: json::Game::of_key(&anomaly.games[index]),
            finding: anomaly.findings[index].into(),
        };
        AnomalyObject { kind: anomaly.kind, odd: game(0), usual: game(1) }
    }
}

impl Report {
    fn of_shape(facts: &ShapeFacts) -> Report {
        let shape = ShapeObject {
            name: facts.name.clone(),
            cells: facts.cells.clone(),
            size: facts.size,
            kind: kind(facts),
            orientations: facts.orientations,
        };
        let board = |board: &facts::BoardFacts| BoardObject {
            board: board.board.clone(),
            plain: RulesObject::new(&board.plain),
            torus: RulesObject::new(&board.torus),
        };
        Report {
            shape: Some(shape),
            boards: facts.boards.iter().map(board).collect(),
            smallest: facts.smallest.clone(),
            inside: facts.inside.clone(),
            around: facts.around.clone(),
            torus_effect: facts.torus_effect.clone(),
            outside_covers: facts.outside_covers.clone(),
            anomalies: facts.anomalies.iter().map(AnomalyObject::new).collect(),
        }
    }

    fn of_all(anomalies: &[Anomaly]) -> Report {
        Report {
            shape: None,
            boards: Vec::new(),
            smallest: Vec::new(),
            inside: Vec::new(),
            around: Vec::new(),
            torus_effect: Vec::new(),
            outside_covers: Vec::new(),
            anomalies: anomalies.iter().map(AnomalyObject::new).collect(),
        }
    }
}

fn kind(facts: &ShapeFacts) -> &'static str {
    if facts.animal { "animal" } else { "creature" }
}

impl Facts {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let known = self.source.load()?;
        let Some(shape) = &self.shape else { return self.anomalies(&known, console) };
        let json = self.json || self.format == Format::Json;
        if !json && self.format != Format::Md {
            let reason =
                "--format is for the list of all anomalies; the facts of a shape are printed as text or --json";
            return Err(UsageError(reason.to_owned()).into());
        }
        let facts = facts::of_shape(&parse_shape(shape)?.shape, &known);
        match json {
            true => json::write(console, "facts", &Report::of_shape(&facts))?,
            false => write(&facts, console)?,
        }
        Ok(if facts.boards.is_empty() { Outcome::NotSettled } else { Outcome::Done })
    }

    fn anomalies(&self, known: &Tablebase, console: &mut Console) -> anyhow::Result<Outcome> {
        let found = facts::anomalies(known);
        let Some(style) = self.format.style().filter(|_| !self.json) else {
            json::write(console, "facts", &Report::of_all(&found))?;
            return Ok(Outcome::Done);
        };
        let sheet = Sheet {
            title: "What is odd in the atlas".to_owned(),
            notes: vec![format!(
                "{}, {}; the odd game first.",
                counted(known.len(), "game"),
                counted_as(found.len(), "anomaly", "anomalies")
            )],
            columns: vec!["anomaly", "game", "finding", "against", "its finding"],
            rows: found
                .into_iter()
                .map(|Anomaly { kind, games: [odd, usual], findings: [finding, other] }| {
                    [&kind as &dyn ToString, &odd, &finding, &usual, &other].map(|part| part.to_string()).to_vec()
                })
                .collect(),
        };
        write!(console, "{}", sheet.write(style))?;
        Ok(Outcome::Done)
    }
}

fn write(facts: &ShapeFacts, console: &mut Console) -> anyhow::Result<()> {
    let ShapeFacts { name, cells, size, orientations, .. } = facts;
    let kind = kind(facts);
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
    if !facts.outside_covers.is_empty() {
        writeln!(console, "won, and inside no cover (searched): {}", facts.outside_covers.join(", "))?;
    }
    for anomaly in &facts.anomalies {
        let ([odd, usual], [finding, other]) = (&anomaly.games, &anomaly.findings);
        writeln!(console, "{}: {odd} ({finding}) against {usual} ({other})", anomaly.kind)?;
    }
    Ok(())
}

/// What is known of the strong and the weak game.
fn columns(facts: &RuleFacts) -> [String; 2] {
    let text = |finding: &Option<Finding>| finding.map_or_else(|| "-".to_owned(), |finding| finding.to_string());
    let economical = if facts.economical == Some(true) { ", economical" } else { "" };
    let paved = if facts.paved == Some(true) { ", paved at once" } else { "" };
    // A finding that follows by the laws between games, with no certificate of its own yet.
    let law = |from: &Option<GameKey>| if from.is_some() { ", by law" } else { "" };
    let [strong, weak] = &facts.from;
    [
        format!("{}{}{economical}", text(&facts.strong), law(strong)),
        format!("{}{}{paved}", text(&facts.weak), law(weak)),
    ]
}
