//! Somebody's verdict on a formula of ours, checked: is it our formula, and is the verdict right?

use crate::effort::{Halt, Limits};
use crate::game::Game;
use crate::game::ground::{Family, Ground};
use crate::qbf::instance::{CommentError, Encoding, Instance};
use crate::qbf::native::{Engines, Expected, Native, expected};
use crate::settle::{Options, Outcome, SettleError, settle};
use harary_certificate::{Claim, Proved, Rule};
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The comments of a formula are shorter than this.
const MOST_COMMENTS: u64 = 64 << 20;
/// How every formula of ours begins.
const FIRST_LINE: &[u8] = b"c harary formula 1\n";

/// Why a text is not a formula of ours.
#[derive(Debug, Error)]
pub enum FormulaError {
    /// It cannot be read.
    #[error("cannot read the formula: {0}")]
    Io(#[from] io::Error),
    /// Its comments name no instance.
    #[error(transparent)]
    Comment(#[from] CommentError),
    /// It is too long for what its comments say.
    #[error("its comments are longer than {MOST_COMMENTS} bytes, so it is no formula of ours")]
    TooLong,
    /// It differs from what we write, first on this line.
    #[error("line {0} is not what `harary encode` writes for the game in the comments: the formula was changed")]
    Changed(usize),
}

/// Reads the instance from the comments of a formula, writes the formula again and compares every byte, so that the
/// comments cannot lie. What is no formula of ours is found out at once, however long it is.
pub fn read_formula(source: impl Read) -> Result<Instance, FormulaError> {
    let mut source = BufReader::new(source);
    let mut head = Vec::new();
    (&mut source).take(FIRST_LINE.len() as u64).read_to_end(&mut head)?;
    if head != FIRST_LINE {
        return Err(CommentError::NotOurs.into());
    }
    let mut comments = vec!["harary formula 1".to_owned()];
    loop {
        let start = head.len();
        let left = (MOST_COMMENTS + 1).saturating_sub(start as u64);
        (&mut source).take(left).read_until(b'\n', &mut head)?;
        if head.len() as u64 > MOST_COMMENTS {
            return Err(FormulaError::TooLong);
        }
        let line = String::from_utf8_lossy(&head[start..]);
        match line.strip_prefix("c ") {
            // The meanings of the variables come last and need not be read.
            Some(comment) if !comment.starts_with("var ") => comments.push(comment.trim_end_matches('\n').to_owned()),
            _ => break,
        }
    }
    let instance = Instance::from_comments(comments.iter().map(String::as_str))?;
    let original = io::Cursor::new(head).chain(source);
    let mut comparison = Comparison { original, line: 1, buffer: Vec::new() };
    match instance.formula().write(&mut comparison) {
        Err(error) if error.kind() == io::ErrorKind::InvalidData => return Err(FormulaError::Changed(comparison.line)),
        other => other?,
    }
    match comparison.original.fill_buf()? {
        [] => Ok(instance),
        _ => Err(FormulaError::Changed(comparison.line)),
    }
}

/// What becomes of somebody's verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// The formula is what it was said to be.
    Confirmed(Expected),
    /// It is not.
    Refuted(Expected),
    /// Black wins, but whether inside the cover only the formula says.
    Undecided,
    /// Not settled within the limits.
    Open,
}

/// Judges the verdict `claimed` on the formula of an instance.
pub fn judge(native: &dyn Native, instance: &Instance, claimed: bool, limits: &Limits) -> Judgement {
    match expected(native, instance, limits) {
        Err(Halt) => Judgement::Open,
        Ok(Expected::Either) if !claimed => Judgement::Undecided,
        Ok(expected) if expected.allows(claimed) => Judgement::Confirmed(expected),
        Ok(expected) => Judgement::Refuted(expected),
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
    // PAIRING is about the weak game on the whole board. That White has no paving by some turn before the last no
    // certificate says.
    if game.is_cut_short() {
        return None;
    }
    match expected {
        Expected::True => Some((game.weak(), Claim::Hold(None))),
        Expected::False if turns == game.schedule().len() => Some((game.weak(), Claim::Win(turns))),
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

impl NoCertificate {
    /// Whether something went wrong: a disk that is full, a fault of the program's.
    pub fn is_a_failure(&self) -> bool {
        !matches!(self, NoCertificate::Unsayable | NoCertificate::Halt(_))
    }
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
    let within = asked.last();
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
        _ => false,
    };
    if !enough {
        return Err(NoCertificate::OtherClaim(proved.claim()));
    }
    certificate.keep(path)?;
    Ok(proved)
}

/// Where a game of a table is played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// On a board.
    Board {
        /// The board.
        board: Ground,
        /// Black's extra stones.
        handicap: Option<usize>,
        /// GTTT(p,q).
        stones: Option<(usize, usize)>,
    },
    /// On the sets of a `.pg` file.
    File(PathBuf),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Board { board, handicap: Some(handicap), .. } => write!(f, "{board}, handicap {handicap}"),
            Place::Board { board, stones: Some((p, q)), .. } => write!(f, "{board}, stones {p},{q}"),
            Place::Board { board, .. } => write!(f, "{board}"),
            Place::File(path) => write!(f, "the sets of {}", path.display()),
        }
    }
}

/// One line of a table of verdicts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claimed {
    /// As it was written.
    pub shape: String,
    /// Where it is played.
    pub place: Place,
    /// The rule.
    pub rule: Rule,
    /// How it was put.
    pub encoding: Encoding,
    /// The number of turns.
    pub turns: usize,
    /// The verdict; `None` for a run without one.
    pub verdict: Option<bool>,
}

/// A line of a table: what it claims, or why it cannot be understood.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Its number in the file.
    pub number: usize,
    /// What it says, or why it cannot be read.
    pub claimed: Result<Claimed, String>,
}

/// What is wrong with a table as a whole.
#[derive(Debug, Error)]
pub enum TableError {
    /// A column that must be there.
    #[error(
        "the table needs a first line with the columns shape, board, topology, rule, encoding, turns and verdict; '{0}' is missing"
    )]
    NoColumn(&'static str),
}

/// Words for a run without a verdict; `harary crosscheck` writes longer ones that begin like these.
const NO_VERDICT: [&str; 13] = [
    "",
    "-",
    "?",
    "unknown",
    "open",
    "timeout",
    "memout",
    "no answer",
    "not asked",
    "stopped",
    "crashed",
    "could not be started",
    "contradicts itself",
];

/// Reads `shape,board,topology,rule,encoding,turns,verdict`, `handicap`, `stones` and `pg` where they are there, and any
/// other columns, in any order. A line that cannot be understood is told with the others.
pub fn read_table(text: &str) -> Result<Vec<Line>, TableError> {
    // Spreadsheets put a byte order mark first.
    let mut lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    let header = lines.next().map_or_else(Vec::new, |(_, line)| fields(line));
    let place = |name: &str| header.iter().position(|c| c.trim().eq_ignore_ascii_case(name));
    let column = |name: &'static str| place(name).ok_or(TableError::NoColumn(name));
    let columns = Columns {
        shape: column("shape")?,
        board: column("board")?,
        topology: column("topology")?,
        rule: column("rule")?,
        encoding: column("encoding")?,
        turns: column("turns")?,
        verdict: column("verdict")?,
        handicap: place("handicap"),
        stones: place("stones"),
        pg: place("pg"),
    };
    let rows = lines.filter(|(_, line)| !line.trim().is_empty());
    Ok(rows.map(|(index, line)| Line { number: index + 1, claimed: columns.claimed(&fields(line)) }).collect())
}

/// Where the columns are.
struct Columns {
    shape: usize,
    board: usize,
    topology: usize,
    rule: usize,
    encoding: usize,
    turns: usize,
    verdict: usize,
    handicap: Option<usize>,
    stones: Option<usize>,
    pg: Option<usize>,
}

impl Columns {
    /// Where the game of a row is played.
    fn place(&self, row: &[String]) -> Result<Place, String> {
        let field = |column: usize| row.get(column).map(|f| f.trim()).ok_or_else(|| "a column is missing".to_owned());
        let optional = |column: Option<usize>| column.and_then(|column| row.get(column)).map_or("", |f| f.trim());
        let path = optional(self.pg);
        if !path.is_empty() {
            return Ok(Place::File(path.into()));
        }
        let family = field(self.topology)?;
        let family = Family::named(family)
            .ok_or_else(|| format!("'{family}' is neither plain nor torus, cylinder, hexagonal or box"))?;
        let board = Ground::parse(field(self.board)?, family).map_err(|error| error.to_string())?;
        let handicap = match optional(self.handicap) {
            "" => None,
            text => Some(text.parse().map_err(|_| format!("'{text}' is no handicap"))?),
        };
        let stones = match optional(self.stones) {
            "" => None,
            text => {
                let numbers = text.split_once(',').and_then(|(p, q)| Some((p.parse().ok()?, q.parse().ok()?)));
                Some(numbers.ok_or_else(|| format!("'{text}' are no stones; they are written P,Q"))?)
            }
        };
        Ok(Place::Board { board, handicap, stones })
    }

    fn claimed(&self, row: &[String]) -> Result<Claimed, String> {
        let field = |column: usize| row.get(column).map(|f| f.trim()).ok_or_else(|| "a column is missing".to_owned());
        let (encoding, turns) = (field(self.encoding)?, field(self.turns)?);
        let verdict = field(self.verdict)?.to_ascii_lowercase();
        Ok(Claimed {
            shape: field(self.shape)?.to_owned(),
            place: self.place(row)?,
            rule: match field(self.rule)? {
                "strong" => Rule::Strong,
                "weak" => Rule::Weak,
                other => return Err(format!("'{other}' is neither strong nor weak")),
            },
            encoding: Encoding::parse(&encoding.to_ascii_lowercase())
                .ok_or_else(|| format!("no encoding '{encoding}'"))?,
            turns: turns.parse().map_err(|_| format!("'{turns}' is no number of turns"))?,
            verdict: match verdict.as_str() {
                "sat" | "true" | "10" => Some(true),
                "unsat" | "false" | "20" => Some(false),
                word if NO_VERDICT
                    .iter()
                    .any(|known| word == *known || !known.is_empty() && known.len() > 1 && word.starts_with(known)) =>
                {
                    None
                }
                other => return Err(format!("'{other}' is no verdict; write SAT, UNSAT or timeout")),
            },
        })
    }
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
        let text = "\u{feff}verdict,Shape,board,topology,rule,encoding,turns,seconds\n\
                    SAT,\"0,0 1,0\",3x3,torus,strong,cor+,3,0.1\r\n\nno answer within 1s,tippy,4x4,plain,weak,PAIRING,16,60\n";
        let rows = read_table(text).unwrap();
        let claimed = |index: usize| rows[index].claimed.clone().unwrap();
        assert_eq!((claimed(0).shape.as_str(), claimed(0).verdict, claimed(0).turns), ("0,0 1,0", Some(true), 3));
        assert_eq!((rows[1].number, claimed(1).encoding, claimed(1).verdict), (4, Encoding::Pairing, None));
        assert!(matches!(read_table("shape,board\n"), Err(TableError::NoColumn("topology"))));
        let text = "shape,board,topology,rule,encoding,turns,verdict,handicap,stones,pg\n\
                    el,3x3,plain,strong,cor,5,SAT,1,,\nel,3x3,torus,strong,cor,5,SAT,,\"2,1\",\n\
                    hex,sets,,strong,cor,5,not asked: why,,,a/hex.pg\nel,3x3,plain,strong,cor,5,SAT\n";
        let places: Vec<String> =
            read_table(text).unwrap().iter().map(|row| row.claimed.as_ref().unwrap().place.to_string()).collect();
        assert_eq!(places, ["3x3 plain, handicap 1", "3x3 torus, stones 2,1", "the sets of a/hex.pg", "3x3 plain"]);
    }

    #[test]
    fn a_line_that_is_not_understood_leaves_the_others() {
        let header = "shape,board,topology,rule,encoding,turns,verdict,handicap,stones\n";
        for (line, mistake) in [
            ("el,3x3,klein,strong,cor,5,SAT", "'klein' is neither plain nor torus"),
            ("el,0x3,plain,strong,cor,5,SAT", "a board is 1x1"),
            ("el,3x3,plain,fair,cor,5,SAT", "neither strong nor weak"),
            ("el,3x3,plain,strong,cor3,5,SAT", "no encoding 'cor3'"),
            ("el,3x3,plain,strong,cor,five,SAT", "'five' is no number of turns"),
            ("el,3x3,plain,strong,cor,5,maybe", "'maybe' is no verdict"),
            ("el,3x3,plain,strong,cor,5", "a column is missing"),
            ("el,3x3,plain,strong,cor,5,SAT,one", "'one' is no handicap"),
            ("el,3x3,plain,strong,cor,5,SAT,,2", "'2' are no stones"),
        ] {
            let rows = read_table(&format!("{header}{line}\nel,3x3,plain,strong,cor,5,20\n")).unwrap();
            assert!(rows[0].claimed.as_ref().unwrap_err().contains(mistake), "{line}: {rows:?}");
            assert_eq!((rows[1].number, rows[1].claimed.as_ref().unwrap().verdict), (3, Some(false)));
        }
    }

    #[test]
    fn endless_input_is_no_formula() {
        assert!(matches!(read_formula(io::repeat(0)), Err(FormulaError::Comment(CommentError::NotOurs))));
        let endless = io::Cursor::new(b"c harary formula 1\nc ").chain(io::repeat(b'x'));
        assert!(matches!(read_formula(endless), Err(FormulaError::TooLong)));
    }
}
