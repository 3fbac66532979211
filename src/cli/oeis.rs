//! `harary oeis`: the sequences this program can fill.

use super::console::Console;
use super::ending::{Outcome, UsageError};
use super::json;
use super::source::Source;
use super::words::counted;
use crate::atlas::Tablebase;
use crate::atlas::entry::{Entry, Mark};
use crate::atlas::oeis::{self, Least, Proof, SEQUENCES, Sequence, Term};
use crate::atlas::sheet::{Sheet, Style};
use clap::Args;
use serde::Serialize;
use std::io::Write;

/// Prints board and move numbers of the animals as sequences, each term with its proof
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary oeis\n  harary oeis strong-moves\n  harary oeis A380597 --json\n  \
    harary oeis --b-file weak-board > b.txt\n\n\
    The sequences are strong-board (A380597), strong-moves (A380598), weak-board, weak-moves, and the same with torus- \
    before. The n-th term is about the animal with the binary code A246521(n+1); '?' is a term that is not proved. A \
    certificate is known by its blake3 hash, and 'harary atlas certificate' writes it again.")]
pub struct Oeis {
    /// The sequence to show term by term [default: all, in short]
    sequence: Option<String>,
    /// Print this sequence as a b-file, up to the first term that is not known
    #[arg(long, value_name = "SEQUENCE", conflicts_with_all = ["sequence", "json"])]
    b_file: Option<String>,
    #[command(flatten)]
    source: Source,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Oeis {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let known = self.source.load()?;
        if let Some(name) = &self.b_file {
            write!(console, "{}", oeis::b_file(find(name)?, &known))?;
            return Ok(Outcome::Done);
        }
        let asked = self.sequence.as_deref().map(find).transpose()?;
        let asked = asked.as_ref();
        if self.json {
            let sequences = asked.map_or(&SEQUENCES[..], std::slice::from_ref);
            let sequences: Vec<_> = sequences.iter().map(|sequence| SequenceJson::new(*sequence, &known)).collect();
            json::write(console, "oeis", &Answer { order: "A246521", sequences })?;
        } else if let Some(sequence) = asked {
            write!(console, "{}", sheet(*sequence, &known).write(Style::Markdown))?;
        } else {
            overview(&known, console)?;
        }
        Ok(Outcome::Done)
    }
}

/// The sequence that is meant.
fn find(name: &str) -> anyhow::Result<Sequence> {
    Sequence::find(name).ok_or_else(|| {
        let names: Vec<String> = SEQUENCES.iter().map(Sequence::name).collect();
        UsageError(format!("no sequence '{name}'; there are {}, and A380597, A380598", names.join(", "))).into()
    })
}

/// `strong-board (A380597)`.
fn heading(sequence: Sequence) -> String {
    let number = sequence.a_number().map_or_else(String::new, |number| format!(" ({number})"));
    format!("{}{number}", sequence.name())
}

/// The value, or `?`.
fn text(value: Option<usize>) -> String {
    value.map_or_else(|| "?".to_owned(), |value| value.to_string())
}

/// All sequences in short.
fn overview(known: &Tablebase, console: &mut Console) -> anyhow::Result<()> {
    writeln!(console, "The animals of at most {} cells in the order of A246521.", oeis::LARGEST)?;
    for sequence in SEQUENCES {
        writeln!(console, "\n{}: {}", heading(sequence), sequence.title())?;
        let terms = sequence.terms(known);
        let values: Vec<String> = terms.iter().map(|term| text(term.value)).collect();
        writeln!(console, "{}", values.join(", "))?;
        for term in &terms {
            if let Some(why) = term.difference(known) {
                let (number, listed) = (sequence.a_number().unwrap_or_default(), text(term.listed));
                writeln!(console, "  {}: {number} has {listed}, here {}: {why}", label(term), text(term.value))?;
            }
        }
        let open: Vec<&Term> = terms.iter().filter(|term| term.value.is_none()).collect();
        match open[..] {
            [] => {}
            [term] => writeln!(console, "  {} is not known: {}", label(term), term.reason())?,
            [..] => {
                let name = sequence.name();
                writeln!(
                    console,
                    "  {} are not known; 'harary oeis {name}' says how far",
                    counted(open.len(), "term")
                )?;
            }
        }
    }
    Ok(())
}

/// `a(9), skinny`.
fn label(term: &Term) -> String {
    format!("a({}), {}", term.animal.n, term.name())
}

/// One sequence, term by term.
fn sheet(sequence: Sequence, known: &Tablebase) -> Sheet {
    let row = |term: &Term| {
        let code = term.animal.code.to_string();
        let listed = term.listed.map_or_else(String::new, |listed| listed.to_string());
        let differs = term.difference(known).map_or_else(String::new, |why| format!("DIFFERS: {why}"));
        vec![term.animal.n.to_string(), code, term.name(), text(term.value), listed, differs, term.reason()]
    };
    let sheet = Sheet {
        title: heading(sequence),
        notes: vec![
            format!("The {}.", sequence.title()),
            "The code is A246521(n + 1). Certificates are given by their blake3 hashes. 'counted': Black has as many stones \
             as the shape has cells. 'searched': that no earlier turn wins has no certificate."
                .to_owned(),
        ],
        columns: vec!["n", "code", "shape", "term", "listed", "remark", "proof"],
        rows: sequence.terms(known).iter().map(row).collect(),
    };
    sheet.without_empty_columns()
}

/// What `--json` prints.
#[derive(Serialize)]
struct Answer {
    order: &'static str,
    sequences: Vec<SequenceJson>,
}

#[derive(Serialize)]
struct SequenceJson {
    name: String,
    a_number: Option<&'static str>,
    title: String,
    offset: usize,
    topology: harary_certificate::Topology,
    rule: harary_certificate::Rule,
    terms: Vec<TermJson>,
}

impl SequenceJson {
    fn new(sequence: Sequence, known: &Tablebase) -> SequenceJson {
        let Sequence { topology, rule, .. } = sequence;
        SequenceJson {
            name: sequence.name(),
            a_number: sequence.a_number(),
            title: sequence.title(),
            offset: 1,
            topology,
            rule,
            terms: sequence.terms(known).iter().map(|term| TermJson::new(term, known)).collect(),
        }
    }
}

#[derive(Serialize)]
struct TermJson {
    n: usize,
    code: u64,
    shape: String,
    cells: String,
    term: Option<usize>,
    listed: Option<usize>,
    difference: Option<String>,
    win: Option<ProvedGame>,
    least: Option<LeastJson>,
    holds: Vec<ProvedGame>,
    paving: Option<Paving>,
    /// What is known where the term is not.
    open: Option<String>,
}

impl TermJson {
    fn new(term: &Term, known: &Tablebase) -> TermJson {
        let (win, holds, paving) = match &term.proof {
            Proof::Smallest { win, holds } => (Some(win), &holds[..], None),
            Proof::Never(paving) => (None, &[][..], Some(paving)),
            Proof::Open { holds, .. } => (None, &holds[..], None),
        };
        TermJson {
            n: term.animal.n,
            code: term.animal.code,
            shape: term.name(),
            cells: term.animal.shape.to_string(),
            term: term.value,
            listed: term.listed,
            difference: term.difference(known),
            win: win.map(|win| ProvedGame::new(win)),
            least: win.and_then(|win| Least::of(win)).map(LeastJson::new),
            holds: holds.iter().map(ProvedGame::new).collect(),
            paving: paving.map(|paving| Paving { period: paving.lattice.to_string(), pairs: paving.pairs.clone() }),
            open: term.value.is_none().then(|| term.reason()),
        }
    }
}

/// A settled game.
#[derive(Serialize)]
struct ProvedGame {
    board: String,
    win_by: Option<usize>,
    certificate: Option<String>,
}

impl ProvedGame {
    fn new(entry: &Entry) -> ProvedGame {
        let win_by = match entry.finding {
            crate::atlas::Finding::Win { by, .. } => Some(by),
            _ => None,
        };
        let certificate = entry.certificate.as_ref().map(Mark::hex);
        ProvedGame { board: entry.key.board().sides(), win_by, certificate }
    }
}

/// Why no earlier turn wins.
#[derive(Serialize)]
struct LeastJson {
    how: &'static str,
    certificate: Option<String>,
}

impl LeastJson {
    fn new(least: Least) -> LeastJson {
        match least {
            Least::Certified(mark) => LeastJson { how: "certified", certificate: Some(mark.hex()) },
            Least::Counted => LeastJson { how: "counted", certificate: None },
            Least::Searched => LeastJson { how: "searched", certificate: None },
        }
    }
}

/// A paving of the plane: the pairs of one period.
#[derive(Serialize)]
struct Paving {
    period: String,
    pairs: Vec<((i32, i32), (i32, i32))>,
}
