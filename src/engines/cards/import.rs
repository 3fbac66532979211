//! Reads the card files that others publish: a line a card, in symbols.
//!
//! Cards 0, 1, 2, … are the shape without one of its cells, in the order the file's shape is given in. Every line is one
//! more card, `id pivot child child …`. A child is `j` or `j:sXY`: card j under the symmetry s (2 negates x, 4 negates
//! y, then 1 exchanges them), moved by (X, Y); or a card of its own in brackets, `(pivot child child …)`. Numbers from
//! 0 on are single symbols. Only the moves are read: what a card says follows by combination (lemma 8).

use super::plane::{Point, Turn, orientation_of};
use super::pool::{Pool, Put};
use harary_certificate::Shape;
use thiserror::Error;

/// The symbols for 0, 1, 2, …
pub(super) const SYMBOLS: &str =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&*+,-./;<=>?@[]^_{|}~\"'";

/// A remark at the top may say how the shape lies in a file.
pub(super) const SHAPE_LINE: &str = "# shape ";

/// Brackets may stand within brackets so deep.
const DEEPEST: usize = 64;

/// Why a file was not read.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("line {line}: {reason}")]
pub struct ImportError {
    /// Where.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

/// The shape of a file as it lies there, if it says so.
pub fn shape_of(text: &str) -> Result<Option<Shape>, ImportError> {
    let Some(cells) = text.lines().next().and_then(|line| line.strip_prefix(SHAPE_LINE)) else { return Ok(None) };
    Shape::from_cells(cells).map(Some).map_err(|error| ImportError { line: 1, reason: error.to_string() })
}

/// Adds the cards of a file to a pool of its shape, and says how many lines it has. `shape` is the shape as it lies in
/// the file.
pub fn import(pool: &mut Pool, shape: &Shape, text: &str) -> Result<usize, ImportError> {
    let base: Vec<Point> = shape.cells().iter().map(|&(x, y)| (x.into(), y.into())).collect();
    let mut cards: Vec<Put> = (0..base.len()).map(|missing| pool.base(&base, missing)).collect();
    let mut lines = 0;
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with("# ") {
            continue;
        }
        let mut reader = Reader { pool, cards: &cards, rest: line.trim_end() };
        let put = reader.line().map_err(|reason| ImportError { line: index + 1, reason })?;
        cards.push(put);
        lines += 1;
    }
    Ok(lines)
}

struct Reader<'a> {
    pool: &'a mut Pool,
    /// The cards of the file so far.
    cards: &'a [Put],
    rest: &'a str,
}

impl Reader<'_> {
    fn line(&mut self) -> Result<Put, String> {
        let id = self.number()?;
        if id != self.cards.len() {
            return Err(format!("card {id} stands where {} has to", self.cards.len()));
        }
        self.expect(' ')?;
        let put = self.combination(0)?;
        match self.rest {
            "" => Ok(put),
            rest => Err(format!("'{}' is too much on this line", rest.chars().take(20).collect::<String>())),
        }
    }

    /// `pivot child child …`, up to the end of the line or a closing bracket.
    fn combination(&mut self, depth: usize) -> Result<Put, String> {
        let pivot = (self.symbol()?, self.symbol()?);
        let mut children = Vec::new();
        while self.rest.starts_with(' ') {
            // Some files have blanks before a closing bracket.
            self.rest = self.rest.trim_start();
            if self.rest.starts_with(')') {
                break;
            }
            children.push(self.child(depth)?);
        }
        if children.is_empty() {
            return Err("a card without children".to_owned());
        }
        self.pool.combine(pivot, &children).ok_or_else(|| "the card is larger than any board".to_owned())
    }

    fn child(&mut self, depth: usize) -> Result<Put, String> {
        if self.rest.starts_with('(') {
            if depth == DEEPEST {
                return Err(format!("more than {DEEPEST} brackets within each other"));
            }
            self.expect('(')?;
            self.rest = self.rest.trim_start();
            let put = self.combination(depth + 1)?;
            self.expect(')')?;
            return Ok(put);
        }
        let id = self.number()?;
        let &card = self.cards.get(id).ok_or_else(|| format!("there is no card {id} yet"))?;
        if !self.rest.starts_with(':') {
            return Ok(card);
        }
        self.expect(':')?;
        let symmetry = self.symbol()?;
        if symmetry > 7 {
            return Err(format!("there is no symmetry {symmetry}"));
        }
        let shift = (self.symbol()?, self.symbol()?);
        let orientation = orientation_of(|(x, y)| {
            let (x, y) = (if symmetry & 2 == 0 { x } else { -x }, if symmetry & 4 == 0 { y } else { -y });
            if symmetry & 1 == 0 { (x, y) } else { (y, x) }
        });
        Ok(Put { turn: Turn { orientation, shift }.after(card.turn), ..card })
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        self.rest = self.rest.strip_prefix(wanted).ok_or_else(|| format!("'{wanted}' is missing"))?;
        Ok(())
    }

    fn symbol(&mut self) -> Result<i32, String> {
        let symbol = self.rest.chars().next().ok_or("the line ends too early")?;
        let value = SYMBOLS.find(symbol).ok_or_else(|| format!("'{symbol}' is no symbol for a number"))?;
        self.rest = &self.rest[symbol.len_utf8()..];
        Ok(value as i32)
    }

    fn number(&mut self) -> Result<usize, String> {
        let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let (number, rest) = self.rest.split_at(digits);
        self.rest = rest;
        number.parse().map_err(|_| format!("'{number}' is no number of a card"))
    }
}
