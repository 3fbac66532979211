//! Somebody's verdict on a formula of ours, checked: is it our formula, and is the verdict right?

use crate::effort::{Halt, Limits};
use crate::game::Game;
use crate::qbf::instance::{CommentError, Encoding, Instance};
use crate::qbf::native::{Engines, Expected};
use crate::settle::{Options, Outcome, SettleError, settle};
use harary_certificate::{Board, Claim, Proved, Rule, Topology};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use thiserror::Error;

/// Why a file is not a formula of ours.
#[derive(Debug, Error)]
pub enum FormulaError {
    #[error("cannot read the formula")]
    Io(#[from] io::Error),
    #[error(transparent)]
    Comment(#[from] CommentError),
    #[error("line {0} is not what `harary encode` writes for the game in the comments: the formula was changed")]
    Changed(usize),
}

/// Reads the instance from the comments of a formula, writes the formula again and compares every byte, so that the
/// comments cannot lie.
pub fn read_formula(path: &Path) -> Result<Instance, FormulaError> {
    let mut comments = Vec::new();
    for line in BufReader::new(File::open(path)?).lines() {
        let line = line?;
        match line.strip_prefix("c ") {
            // The meanings of the variables come last and need not be read.
            Some(comment) if !comment.starts_with("var ") => comments.push(comment.to_owned()),
            _ => break,
        }
    }
    let instance = Instance::from_comments(comments.iter().map(String::as_str))?;
    let mut comparison = Comparison { original: BufReader::new(File::open(path)?), line: 1, buffer: Vec::new() };
    match instance.formula().write(&mut comparison) {
        Err(error) if error.kind() == io::ErrorKind::InvalidData => return Err(FormulaError::Changed(comparison.line)),
        other => other?,
    }
    match comparison.original.fill_buf()? {
        [] => Ok(instance),
        _ => Err(FormulaError::Changed(comparison.line)),
    }
}

/// A sink that compares what is written to it with a file.
struct Comparison<R> {
    original: R,
    line: usize,
    buffer: Vec<u8>,
}

impl<R: BufRead> Write for Comparison<R> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.resize(bytes.len(), 0);
        let differs = || io::Error::from(io::ErrorKind::InvalidData);
        match self.original.read_exact(&mut self.buffer) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Err(differs()),
            other => other?,
        }
        for (ours, theirs) in bytes.iter().zip(&self.buffer) {
            if ours != theirs {
                return Err(differs());
            }
            self.line += usize::from(*ours == b'\n');
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What a certificate can say for a formula's value, and about which game.
pub fn claim(instance: &Instance, expected: Expected) -> Option<(Game, Claim)> {
    let (game, turns) = (instance.game(), instance.turns());
    if instance.encoding() != Encoding::Pairing {
        return match expected {
            Expected::True | Expected::Either => Some((game.clone(), Claim::Win(turns))),
            Expected::False => Some((game.clone(), Claim::Hold(Some(turns)))),
        };
    }
    // PAIRING is about the weak game. That White has no paving by some turn before the last no certificate says.
    let (shape, board) = game.shape_on_board()?;
    let weak = Game::new(shape.clone(), *board, Rule::Weak);
    match expected {
        Expected::True => Some((weak, Claim::Hold(None))),
        Expected::False if turns == game.schedule().len() => Some((weak, Claim::Win(turns))),
        Expected::False | Expected::Either => None,
    }
}

/// Why there is no certificate.
#[derive(Debug, Error)]
pub enum NoCertificate {
    /// No certificate has words for it.
    #[error("no certificate can say this")]
    Unsayable,
    /// A limit was reached first.
    #[error(transparent)]
    Halt(#[from] Halt),
    /// A fault of the program's.
    #[error("please report this: {0}")]
    Settle(#[from] SettleError),
    /// What is proved is not what was to be proved.
    #[error("please report this: the certificate says '{0}'")]
    OtherClaim(Claim),
    /// It is proved, and cannot be kept.
    #[error("the certificate could not be written: {0}")]
    Io(#[from] io::Error),
}

/// The certificate for a formula's value, checked and kept at `path`.
pub fn certify(
    engines: &Engines,
    instance: &Instance,
    expected: Expected,
    limits: &Limits,
    path: &Path,
) -> Result<Proved, NoCertificate> {
    let (game, asked) = claim(instance, expected).ok_or(NoCertificate::Unsayable)?;
    let within = match asked {
        Claim::Win(turn) | Claim::Hold(Some(turn)) => Some(turn),
        Claim::Hold(None) => None,
    };
    let (memory, limits) = (engines.memory, limits.clone());
    let options = Options { within, certify_refutation: true, memory, limits, ..Options::default() };
    let mut outcome = settle(&game, &options, &|_| {})?.outcome;
    if let Outcome::Open { unwritten: Some(error), .. } = outcome {
        return Err(error.into());
    }
    let certificate = outcome.certificate_mut().ok_or(Halt)?;
    let proved = certificate.proved().clone();
    let enough = match (asked, proved.claim()) {
        (Claim::Win(asked), Claim::Win(turn)) => turn <= asked,
        (Claim::Hold(Some(asked)), Claim::Hold(Some(turn))) => turn >= asked,
        (Claim::Hold(_), Claim::Hold(held)) => held.is_none(),
        (Claim::Win(_), Claim::Hold(_)) | (Claim::Hold(_), Claim::Win(_)) => false,
    };
    if !enough {
        return Err(NoCertificate::OtherClaim(proved.claim()));
    }
    certificate.keep(path)?;
    Ok(proved)
}

/// One line of a table of verdicts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claimed {
    /// Its line in the file.
    pub line: usize,
    pub shape: String,
    pub board: Board,
    pub rule: Rule,
    pub encoding: Encoding,
    pub turns: usize,
    /// The verdict; `None` for a run without one.
    pub verdict: Option<bool>,
}

/// What is wrong with a table.
#[derive(Debug, Error)]
pub enum TableError {
    #[error("cannot read the table: {0}")]
    Io(#[from] io::Error),
    #[error(
        "the table needs a first line with the columns shape, board, topology, rule, encoding, turns and verdict; '{0}' is missing"
    )]
    NoColumn(&'static str),
    #[error("line {line}: {mistake}")]
    Line { line: usize, mistake: String },
}

/// Reads `shape,board,topology,rule,encoding,turns,verdict` and any other columns, in any order.
pub fn read_table(source: impl Read) -> Result<Vec<Claimed>, TableError> {
    let mut lines = BufReader::new(source).lines().enumerate();
    let header = match lines.next() {
        Some((_, line)) => fields(&line?),
        None => Vec::new(),
    };
    let column = |name: &'static str| header.iter().position(|c| c.trim() == name).ok_or(TableError::NoColumn(name));
    let [shape, board, topology, rule, encoding, turns, verdict] = [
        column("shape")?,
        column("board")?,
        column("topology")?,
        column("rule")?,
        column("encoding")?,
        column("turns")?,
        column("verdict")?,
    ];
    let mut rows = Vec::new();
    for (index, line) in lines {
        let text = line?;
        if text.trim().is_empty() {
            continue;
        }
        let row = fields(&text);
        let line = index + 1;
        let wrong = |mistake: String| TableError::Line { line, mistake };
        let field =
            |column: usize| row.get(column).map(|f| f.trim()).ok_or_else(|| wrong("a column is missing".into()));
        let topology = match field(topology)? {
            "plain" => Topology::Plain,
            "torus" => Topology::Torus,
            other => return Err(wrong(format!("'{other}' is neither plain nor torus"))),
        };
        rows.push(Claimed {
            line,
            shape: field(shape)?.to_owned(),
            board: Board::parse(field(board)?, topology).map_err(|error| wrong(error.to_string()))?,
            rule: match field(rule)? {
                "strong" => Rule::Strong,
                "weak" => Rule::Weak,
                other => return Err(wrong(format!("'{other}' is neither strong nor weak"))),
            },
            encoding: Encoding::parse(field(encoding)?)
                .ok_or_else(|| wrong(format!("no encoding '{}'", row[encoding])))?,
            turns: field(turns)?.parse().map_err(|_| wrong(format!("'{}' is no number of turns", row[turns])))?,
            verdict: match field(verdict)?.to_ascii_lowercase().as_str() {
                "sat" | "true" | "10" => Some(true),
                "unsat" | "false" | "20" => Some(false),
                _ => None,
            },
        });
    }
    Ok(rows)
}

/// The fields of a line; quotes may enclose one, and are doubled inside.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let last = fields.len() - 1;
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                fields[last].push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            _ => fields[last].push(letter),
        }
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_by_their_header() {
        let text = "verdict,shape,board,topology,rule,encoding,turns,seconds\n\
                    SAT,\"0,0 1,0\",3x3,torus,strong,cor+,3,0.1\n\nno answer,tippy,4x4,plain,weak,pairing,16,60\n";
        let rows = read_table(text.as_bytes()).unwrap();
        assert_eq!((rows[0].shape.as_str(), rows[0].verdict, rows[0].turns), ("0,0 1,0", Some(true), 3));
        assert_eq!((rows[1].line, rows[1].encoding, rows[1].verdict), (4, Encoding::Pairing, None));
        assert!(matches!(read_table("shape,board\n".as_bytes()), Err(TableError::NoColumn("topology"))));
        let wrong = text.replace("torus", "klein");
        assert!(matches!(read_table(wrong.as_bytes()), Err(TableError::Line { line: 2, .. })));
    }
}
