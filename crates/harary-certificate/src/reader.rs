//! Reads a certificate: syntax is checked line by line, nothing is believed yet.
//!
//! What the format does not allow is refused here with the number of the line; what a certificate proves is decided
//! by the [checker](crate::checker). The file is streamed: one line of it and what the lines before said are held.
//! The format, with everything it asks for, is docs/certificate.md.

use crate::board::{Board, Topology};
use crate::cell::{Cell, MAX_CELLS};
use crate::cell_set::{CellSet, WideSet};
use crate::model::*;
use crate::player::{Player, Rule};
use crate::shape::Shape;
use crate::turn::Schedule;
use ahash::AHashMap;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Cursor, Read};
use std::sync::atomic::AtomicBool;

/// No line of a certificate is longer: 384 answers of a node, a long number each, fit three times.
const LONGEST_LINE: u64 = 1 << 16;

/// A longer remark is a flood.
const LONGEST_REMARK: u64 = 1 << 20;

impl<const N: usize> Proof<N> {
    /// Reads what comes behind the header.
    pub(crate) fn read(header: Header, mut lines: Lines) -> Result<Proof<N>, Refused> {
        let (steps, nodes) = (AHashMap::new(), AHashMap::new());
        let mut proof = Proof { header, lines: 0, steps, nodes, root: None };
        while !lines.ended {
            let mut fields = lines.fields();
            proof.take(&mut fields, lines.number).map_err(|reason| Refused::at(lines.number, reason))?;
            lines.advance()?;
        }
        proof.lines = lines.number;
        let by_nodes = matches!(proof.header.claim, Claim::Hold(_)) || !proof.nodes.is_empty();
        if by_nodes && proof.root.is_none() {
            return lines.refuse("the file ends without a 'root' line: it is cut off");
        }
        Ok(proof)
    }

    /// Takes in one line. Which lines may stand together is decided here.
    fn take(&mut self, fields: &mut Fields, line: u64) -> Result<(), String> {
        let vertices = self.header.vertices;
        let win = matches!(self.header.claim, Claim::Win(_));
        if self.root.is_some() {
            return Err("nothing comes after the 'root' line".into());
        }
        let word = fields.word()?;
        match (word, win) {
            ("p", true) | ("q" | "b", false) => {
                let [black, white] = fields.stones(vertices)?;
                let elsewhere = if win { fields.number()? } else { 0 };
                let then = match word {
                    "b" => Then::Block(fields.word().and_then(id)?),
                    _ => Then::Play(fields.cell(vertices)?),
                };
                if elsewhere > vertices - self.header.cover.map_or(vertices, |cover| cover.len()) {
                    return Err(format!("{elsewhere} stones elsewhere: there are not so many cells"));
                }
                let position = Position { black, white, elsewhere: elsewhere as u16 };
                if self.steps.insert(position, Step { line, then, reached: AtomicBool::new(false) }).is_some() {
                    return Err("this position has a line already".into());
                }
            }
            ("a", true) | ("n", false) => {
                if !self.header.turns.is_alternating() || win && self.header.rule == Rule::Strong {
                    return Err("nodes need the plain turn order, attack nodes also the weak rule".into());
                }
                let id = fields.word().and_then(id)?;
                let [own, open] = fields.stones(vertices)?;
                let kind = match (fields.word()?, win) {
                    ("done", true) => Kind::Done(fields.cell(vertices)?),
                    ("move", true) => Kind::Move(fields.cell(vertices)?, fields.list(':', 2, vertices)?),
                    ("pave", false) => Kind::Pave(fields.list('-', 2, vertices)?),
                    ("reply", false) => Kind::Reply(fields.list(':', 3, vertices)?),
                    (other, _) => return Err(format!("'{}' is no kind of node here", shown(Some(other)))),
                };
                if self.nodes.insert(id, Node { line, own, open, kind }).is_some() {
                    return Err(format!("there is a node {id} already"));
                }
            }
            ("root", _) => {
                self.root = match (fields.word()?, win) {
                    ("explicit", false) => Some(Root::Explicit),
                    (word, _) => Some(Root::Node(id(word)?)),
                };
                if win && self.nodes.is_empty() {
                    return Err("a 'root' without attack nodes".into());
                }
            }
            (other, _) => return Err(format!("'{}' starts no line that may stand here", shown(Some(other)))),
        }
        let by_nodes = if win { !self.nodes.is_empty() } else { matches!(self.root, Some(Root::Node(_))) };
        if by_nodes && !self.steps.is_empty() {
            return Err("a file has either positions or a root among its nodes".into());
        }
        if by_nodes && self.header.cover.is_some() {
            return Err("attack nodes know no cover".into());
        }
        if by_nodes && matches!(self.header.claim, Claim::Hold(Some(_))) {
            return Err("block nodes hold for ever: their claim is 'hold' without a turn".into());
        }
        fields.end()
    }
}

/// The lines of a file one by one, comments left out; never more of it in memory than one line.
pub(crate) struct Lines<'a> {
    input: Box<dyn BufRead + 'a>,
    line: Vec<u8>,
    /// The number of the line that is held, from 1.
    number: u64,
    ended: bool,
}

impl<'a> Lines<'a> {
    pub(crate) fn open(mut input: impl Read + 'a) -> Result<Lines<'a>, Refused> {
        let unreadable = |error| Refused::at(1, format!("the file cannot be read: {error}"));
        let mut magic = Vec::new();
        input.by_ref().take(4).read_to_end(&mut magic).map_err(unreadable)?;
        let compressed = magic == [0x28, 0xb5, 0x2f, 0xfd];
        let whole = Cursor::new(magic).chain(input);
        let input: Box<dyn BufRead + 'a> = match compressed {
            true => Box::new(BufReader::new(zstd::Decoder::new(whole).map_err(unreadable)?)),
            false => Box::new(BufReader::new(whole)),
        };
        let mut lines = Lines { input, line: Vec::new(), number: 0, ended: false };
        lines.advance()?;
        Ok(lines)
    }

    /// Goes to the next line that is no comment.
    fn advance(&mut self) -> Result<(), Refused> {
        loop {
            self.line.clear();
            self.number += 1;
            let unreadable = |number, error| Refused::at(number, format!("the file cannot be read: {error}"));
            let next = self.input.fill_buf().map_err(|error| unreadable(self.number, error))?;
            let is_remark = next.first() == Some(&b'#');
            let longest = if is_remark { LONGEST_REMARK } else { LONGEST_LINE };
            let got = self.input.by_ref().take(longest + 1).read_until(b'\n', &mut self.line);
            got.map_err(|error| unreadable(self.number, error))?;
            if self.line.is_empty() {
                self.ended = true;
                self.number -= 1;
                return Ok(());
            }
            if self.line.len() as u64 > longest {
                return Err(Refused::at(self.number, format!("a line of more than {longest} characters")));
            }
            if self.line.pop() != Some(b'\n') {
                return Err(Refused::at(self.number, "the last line has no line end: the file is cut off"));
            }
            if !is_remark {
                if self.line.last() == Some(&b'\r') {
                    return Err(Refused::at(self.number, "lines end with LF alone, this one with CR LF"));
                }
                return Ok(());
            }
        }
    }

    fn refuse<T>(&self, reason: impl Into<String>) -> Result<T, Refused> {
        Err(Refused::at(self.number, reason))
    }

    /// The fields of the line that is held, none at the end of the file.
    fn fields(&self) -> Fields<'_> {
        let text = std::str::from_utf8(&self.line).unwrap_or("(bytes that are no text)");
        Fields(if self.ended { None } else { Some(text) })
    }

    /// Reads the line that is held, if it starts with this word, and goes on to the next.
    fn line<T>(
        &mut self,
        word: &str,
        parse: impl FnOnce(&mut Fields) -> Result<T, String>,
    ) -> Result<Option<T>, Refused> {
        let mut fields = self.fields();
        if fields.0.is_none() || fields.word() != Ok(word) {
            return Ok(None);
        }
        let parsed = parse(&mut fields).and_then(|value| fields.end().map(|()| value));
        let value = parsed.map_err(|reason| Refused::at(self.number, reason))?;
        self.advance()?;
        Ok(Some(value))
    }

    /// Like [`Lines::line`], for a line that must be there.
    fn required<T>(&mut self, word: &str, parse: impl FnOnce(&mut Fields) -> Result<T, String>) -> Result<T, Refused> {
        match self.line(word, parse)? {
            Some(value) => Ok(value),
            None if self.ended => self.refuse(format!("the file ends where a line '{word} …' has to come")),
            None => self.refuse(format!("a line '{word} …' has to come here, not '{}'", shown(self.fields().0))),
        }
    }

    /// Reads the header, whose lines have a fixed order.
    pub(crate) fn header(&mut self) -> Result<Header, Refused> {
        self.required("harary-certificate", |fields| match fields.word()? {
            "1" => Ok(()),
            other => Err(format!("format {} is not known here, only format 1", shown(Some(other)))),
        })?;
        let (mut setting, vertices) = self.required("game", |fields| match fields.word()? {
            "sets" => match fields.number()? {
                n if (1..=MAX_CELLS).contains(&n) => Ok((Setting::Sets { black: Vec::new(), white: Vec::new() }, n)),
                n => Err(format!("a game has 1 to {MAX_CELLS} vertices, not {n}")),
            },
            sides => fields.board(sides),
        })?;
        let (mut start, mut first) = ([WideSet::EMPTY; 2], None);
        if let Setting::Sets { black, white } = &mut setting {
            for (word, sets) in [("black", black), ("white", white)] {
                let mut known = BTreeSet::new();
                while let Some(set) = self.line(word, |fields| match fields.set(vertices)? {
                    set if set.is_empty() => Err("an empty winning set".to_owned()),
                    set if !known.insert(set) => Err("this winning set has a line already".to_owned()),
                    set => Ok(set),
                })? {
                    sets.push(set);
                }
            }
            start = self.line("start", |fields| fields.stones(vertices))?.unwrap_or(start);
            let allowed: Option<WideSet> = self.line("first", |fields| fields.set(vertices))?;
            first = allowed.map(|allowed| allowed - start[0] - start[1]);
        }
        let on_board = matches!(setting, Setting::Board { .. });
        let rules = [("strong", Rule::Strong), ("weak", Rule::Weak)];
        let rule = self.required("rule", |fields| fields.one_of(&rules))?;
        let empty = vertices - start[0].len() - start[1].len();
        let letters = self.line("turns", |fields| fields.players())?;
        let turns = letters.map_or_else(|| Schedule::alternating(empty), Schedule::of);
        let claim = self.required("claim", |fields| {
            let claim = match fields.one_of(&[("win", true), ("hold", false)])? {
                true => Claim::Win(fields.turn()?),
                false if fields.0.is_none() => Claim::Hold(None),
                false => Claim::Hold(Some(fields.turn()?)),
            };
            let needed = match claim {
                Claim::Win(turn) | Claim::Hold(Some(turn)) => turn.min(empty),
                Claim::Hold(None) => empty,
            };
            if !(needed..=empty).contains(&turns.len()) {
                Err(format!("'turns' has {} letters, this claim needs {needed} to {empty}", turns.len()))
            } else if first.is_some_and(|first| first.is_empty()) {
                Err("'first' allows no vertex that is empty".to_owned())
            } else {
                Ok(claim)
            }
        })?;
        let symmetric =
            self.required("symmetry", |fields| match fields.one_of(&[("none", false), ("board", true)])? {
                true if !on_board => Err("a game of sets has 'symmetry none'".to_owned()),
                symmetric => Ok(symmetric),
            })?;
        let cover = self.line("cover", |fields| match (on_board, claim) {
            (true, Claim::Win(_)) => fields.set(vertices),
            _ => Err("a cover needs a board and a 'claim win'".to_owned()),
        })?;
        Ok(Header { setting, vertices, start, first, rule, turns, claim, symmetric, cover })
    }
}

/// At most this much of a strange line is repeated in a message.
fn shown(text: Option<&str>) -> String {
    text.unwrap_or("").chars().take(60).collect()
}

/// What is left of a line: fields separated by one space each.
struct Fields<'a>(Option<&'a str>);

impl<'a> Fields<'a> {
    fn word(&mut self) -> Result<&'a str, String> {
        let text = self.0.ok_or("the line ends too early")?;
        let (word, rest) = text.split_once(' ').map_or((text, None), |(word, rest)| (word, Some(rest)));
        self.0 = rest;
        Ok(word)
    }

    fn end(&self) -> Result<(), String> {
        self.0.map_or(Ok(()), |_| Err(format!("'{}' is too much on this line", shown(self.0))))
    }

    fn one_of<T: Copy>(&mut self, choices: &[(&str, T)]) -> Result<T, String> {
        let word = self.word()?;
        let names: Vec<&str> = choices.iter().map(|choice| choice.0).collect();
        let found = choices.iter().find(|choice| choice.0 == word).map(|choice| choice.1);
        found.ok_or_else(|| format!("'{}' stands where {} has to", shown(Some(word)), names.join(" or ")))
    }

    fn number(&mut self) -> Result<usize, String> {
        self.word().and_then(number)
    }

    fn turn(&mut self) -> Result<usize, String> {
        self.number().and_then(|turn| if turn == 0 { Err("turns count from 1".into()) } else { Ok(turn) })
    }

    fn cell(&mut self, vertices: usize) -> Result<Cell, String> {
        self.word().and_then(|word| cell(word, vertices))
    }

    fn set<const N: usize>(&mut self, vertices: usize) -> Result<CellSet<N>, String> {
        let word = self.word()?;
        let set = CellSet::from_hex(word).ok_or_else(|| {
            format!("'{}' is no set of {vertices} cells: lower-case hexadecimal, no leading zeros", shown(Some(word)))
        })?;
        let top = set.words().iter().rposition(|&word| word != 0).unwrap_or(0);
        match 64 * top + 64 - set.words()[top].leading_zeros() as usize {
            cells if cells <= vertices => Ok(set),
            _ => Err(format!("the set {set} has cells beyond the last, {}", vertices - 1)),
        }
    }

    /// Two sets without a common cell.
    fn stones<const N: usize>(&mut self, vertices: usize) -> Result<[CellSet<N>; 2], String> {
        let sets = [self.set(vertices)?, self.set(vertices)?];
        match (sets[0] & sets[1]).first() {
            None => Ok(sets),
            Some(cell) => Err(format!("cell {cell:?} is in both sets")),
        }
    }

    fn players(&mut self) -> Result<Vec<Player>, String> {
        let letter = |letter| match letter {
            'B' => Ok(Player::Black),
            'W' => Ok(Player::White),
            other => Err(format!("'{other}' is no player: B or W")),
        };
        match self.word()? {
            "" => Err("no player is named".into()),
            letters => letters.chars().map(letter).collect(),
        }
    }

    /// Board and shape: `7x7 plain 0,0 1,0 …`, of which the sides are read already.
    fn board(&mut self, sides: &str) -> Result<(Setting, usize), String> {
        let (width, height) = sides.split_once('x').ok_or_else(|| format!("'{}' is no board", shown(Some(sides))))?;
        let (width, height) = (number(width)?, number(height)?);
        let topology = self.one_of(&[("plain", Topology::Plain), ("torus", Topology::Torus)])?;
        let mut cells = Vec::new();
        while self.0.is_some() {
            let word = self.word()?;
            let (x, y) = word.split_once(',').ok_or_else(|| format!("'{}' is no cell x,y", shown(Some(word))))?;
            let coordinate = |digits| number(digits).map(|value| value.min(i32::MAX as usize) as i32);
            cells.push((coordinate(x)?, coordinate(y)?));
        }
        let shape = Shape::new(&cells).map_err(|error| error.to_string())?;
        let board = Board::new(width, height, topology).map_err(|error| error.to_string())?;
        Ok((Setting::Board { shape, board }, board.size()))
    }

    /// A list such as `3:4:17 5:6:18`: each entry has two or three numbers; a missing third is 0.
    fn list(&mut self, separator: char, numbers: usize, vertices: usize) -> Result<Vec<Answer>, String> {
        let mut answers = Vec::new();
        while self.0.is_some() {
            let word = self.word()?;
            let parts: Vec<&str> = word.split(separator).collect();
            if parts.len() != numbers {
                return Err(format!("'{}' is not {numbers} numbers with '{separator}' between", shown(Some(word))));
            }
            answers.push(match (numbers, separator) {
                (3, _) => Answer(cell(parts[0], vertices)?, cell(parts[1], vertices)?, id(parts[2])?),
                (_, '-') => Answer(cell(parts[0], vertices)?, cell(parts[1], vertices)?, 0),
                _ => Answer(cell(parts[0], vertices)?, Cell::new(0), id(parts[1])?),
            });
        }
        Ok(answers)
    }
}

fn number(text: &str) -> Result<usize, String> {
    let plain = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    let value = if plain { text.parse().ok() } else { None };
    value.ok_or_else(|| format!("'{}' is no number: decimal, no leading zeros", shown(Some(text))))
}

fn cell(text: &str, vertices: usize) -> Result<Cell, String> {
    match number(text)? {
        index if index < vertices => Ok(Cell::new(index)),
        index => Err(format!("cell {index} is beyond the last, {}", vertices - 1)),
    }
}

fn id(text: &str) -> Result<u32, String> {
    u32::try_from(number(text)?).map_err(|_| format!("the id {text} is too large: ids stay below 2^32"))
}
