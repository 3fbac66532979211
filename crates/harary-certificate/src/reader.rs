//! Reads a certificate: syntax is checked line by line, nothing is believed yet.
//!
//! What the format does not allow is refused here with the number of the line; what a certificate proves is decided
//! by the [checker](crate::checker). The file is streamed: one line of it and what the lines before said are held.
//! The format, with everything it asks for, is docs/certificate.md.

use crate::board::{Board, MAX_SIDE, Topology};
use crate::cell::{Cell, MAX_CELLS};
use crate::cell_set::{CellSet, WideSet};
use crate::model::*;
use crate::names::Names;
use crate::player::{Player, Rule};
use crate::shape::Shape;
use crate::stones::Stones;
use crate::turn::Schedule;
use ahash::AHashMap;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Cursor, Read};
use std::sync::atomic::AtomicBool;

/// No line of a certificate is longer: 1000 answers of a node, a number each, fit.
const LONGEST_LINE: u64 = 1 << 16;

/// A group of 65,536 elements never needs more generators.
const MOST_GENERATORS: usize = 16;

/// A longer remark is a flood.
const LONGEST_REMARK: u64 = 1 << 20;

/// The start of a file: its format and its header.
pub(crate) struct Opening {
    pub(crate) format: Format,
    pub(crate) header: Header,
    generator_lines: Vec<u64>,
}

impl<const N: usize> Proof<N> {
    /// Reads what comes behind the header.
    pub(crate) fn read(opening: Opening, mut lines: Lines) -> Result<Proof<N>, Refused> {
        let Opening { format, header, generator_lines } = opening;
        let (steps, pairings, nodes) = (AHashMap::new(), Vec::new(), AHashMap::new());
        let (cards, uses, root) = (AHashMap::new(), AHashMap::new(), None);
        let of_sets = matches!(header.setting, Setting::Sets { .. });
        let names = lines.names.take().filter(|names| of_sets && names.len() == header.vertices);
        let mut proof =
            Proof { header, format, generator_lines, lines: 0, steps, pairings, nodes, cards, uses, root, names };
        while !lines.ended {
            let mut fields = lines.fields();
            proof.take(&mut fields, lines.number).map_err(|reason| Refused::at(lines.number, reason))?;
            lines.advance()?;
        }
        proof.lines = lines.number;
        let by_nodes = matches!(proof.header.claim, Claim::Hold(_)) || proof.has_nodes();
        if by_nodes && proof.root.is_none() {
            return lines.refuse("the file ends without a 'root' line: it is cut off");
        }
        Ok(proof)
    }

    fn has_nodes(&self) -> bool {
        !(self.nodes.is_empty() && self.cards.is_empty() && self.uses.is_empty())
    }

    /// Takes in one line. Which lines may stand together is decided here.
    fn take(&mut self, fields: &mut Fields, line: u64) -> Result<(), String> {
        if self.root.is_some() {
            return Err("nothing comes after the 'root' line".into());
        }
        let (word, claim) = (fields.word()?, self.header.claim);
        if self.format == Format::One && ["c", "u", "s", "k", "l"].contains(&word) {
            return Err(format!("'{word}' starts no line that may stand here: it needs format 2"));
        }
        match (word, claim) {
            ("p", Claim::Win(_)) | ("q" | "b" | "k", Claim::Hold(_)) | ("l", Claim::Loss(_)) => {
                self.take_step(word, fields, line)?;
            }
            ("a" | "c" | "u", Claim::Win(_)) | ("n" | "s", Claim::Hold(_)) => self.take_node(word, fields, line)?,
            ("root", Claim::Win(_)) if !self.has_nodes() => return Err("a 'root' without attack nodes".into()),
            ("root", Claim::Win(_) | Claim::Hold(_)) => {
                self.root = match (fields.word()?, claim) {
                    ("explicit", Claim::Hold(_)) => Some(Root::Explicit),
                    (word, _) => Some(Root::Node(id(word)?)),
                };
            }
            (other, _) => return Err(format!("'{}' starts no line that may stand here", shown(Some(other)))),
        }
        let win = matches!(claim, Claim::Win(_));
        let by_nodes = if win { self.has_nodes() } else { matches!(self.root, Some(Root::Node(_))) };
        if by_nodes && !self.steps.is_empty() {
            return Err("a file has either positions or a root among its nodes".into());
        }
        if by_nodes && self.header.cover.is_some() {
            return Err("attack nodes know no cover".into());
        }
        if by_nodes && matches!(claim, Claim::Hold(Some(_))) {
            return Err("block nodes hold for ever: their claim is 'hold' without a turn".into());
        }
        fields.end()
    }

    /// A line of one position.
    fn take_step(&mut self, word: &str, fields: &mut Fields, line: u64) -> Result<(), String> {
        let vertices = self.header.vertices;
        let stones = fields.stones(vertices)?;
        let elsewhere = if word == "p" { fields.number()? } else { 0 };
        if elsewhere > vertices - self.header.cover.map_or(vertices, |cover| cover.len()) {
            return Err(format!("{elsewhere} stones elsewhere: there are not so many cells"));
        }
        let then = match word {
            "b" => Then::Block(fields.id()?),
            "k" => {
                if self.header.claim == Claim::Hold(None) || !self.header.turns.is_alternating() {
                    return Err("bounded pairs need a 'claim hold K' and the plain turn order".into());
                }
                self.pairings.push(fields.list(|word| pair(word, vertices))?);
                Then::Pairs(self.pairings.len() as u32 - 1)
            }
            _ => Then::Play(fields.cell(vertices)?),
        };
        let position = Position { stones, elsewhere: elsewhere as u16 };
        match self.steps.insert(position, Step { line, then, reached: AtomicBool::new(false) }) {
            None => Ok(()),
            Some(_) => Err("this position has a line already".into()),
        }
    }

    /// A node or a card.
    fn take_node(&mut self, word: &str, fields: &mut Fields, line: u64) -> Result<(), String> {
        let header = &self.header;
        let (strong, on_board) = (header.rule == Rule::Strong, matches!(header.setting, Setting::Board { .. }));
        match word {
            _ if !header.turns.is_alternating() => {}
            "a" if strong => {}
            "c" | "u" if strong || !on_board => return Err("cards need the weak rule and a shape on a board".into()),
            "s" if !strong => return Err("strong blocks need the strong rule".into()),
            _ => return self.take_allowed_node(word, fields, line),
        }
        Err("nodes need the plain turn order, attack nodes also the weak rule".into())
    }

    fn take_allowed_node(&mut self, word: &str, fields: &mut Fields, line: u64) -> Result<(), String> {
        let id = fields.id()?;
        if self.nodes.contains_key(&id) || self.cards.contains_key(&id) || self.uses.contains_key(&id) {
            return Err(format!("there is a node {id} already"));
        }
        let vertices = self.header.vertices;
        match word {
            "u" => {
                let (card, turn) = (fields.id()?, fields.word()?);
                let [dx, dy] = parts(fields.word()?, ',')?;
                self.uses.insert(id, (line, placing(card, [turn, dx, dy])?));
            }
            "c" => {
                self.cards.insert(id, fields.card(line)?);
            }
            _ => {
                let Stones { black: own, white: open } = fields.stones(vertices)?;
                let kind = match (fields.word()?, word) {
                    ("done", "a") => Kind::Done(fields.cell(vertices)?),
                    ("move", "a") => Kind::Move(fields.cell(vertices)?, fields.list(|word| after(word, vertices))?),
                    ("pave", "n") => Kind::Pave(fields.list(|word| pair(word, vertices))?),
                    ("reply", "n") => Kind::Reply(fields.list(|word| answer(word, vertices))?),
                    ("reply", "s") => Kind::StrongReply(fields.list(|word| strong_answer(word, vertices))?),
                    ("threat", "s") => {
                        let to = fields.cell(vertices)?;
                        let (reply, child) = reply(fields.word()?, vertices)?;
                        Kind::Threat(Answer { to, reply, child })
                    }
                    (other, _) => return Err(format!("'{}' is no kind of node here", shown(Some(other)))),
                };
                self.nodes.insert(id, Node { line, own, open, kind });
            }
        }
        Ok(())
    }
}

/// The lines of a file one by one, comments left out; never more of it in memory than one line.
pub(crate) struct Lines<'a> {
    input: Box<dyn BufRead + 'a>,
    line: Vec<u8>,
    /// The number of the line that is held, from 1.
    number: u64,
    ended: bool,
    /// The names of the vertices, if a remark has them.
    names: Option<Names>,
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
        let mut lines = Lines { input, line: Vec::new(), number: 0, ended: false, names: None };
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
            self.names = self.names.take().or_else(|| Names::in_remark(&self.line));
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
    pub(crate) fn header(&mut self) -> Result<Opening, Refused> {
        let format = self.required("harary-certificate", |fields| match fields.word()? {
            "1" => Ok(Format::One),
            "2" => Ok(Format::Two),
            other => Err(format!("format {} is not known here, only 1 and 2", shown(Some(other)))),
        })?;
        // How many of the words that may stand in one place the format knows.
        let known = if format == Format::Two { 3 } else { 2 };
        let (mut setting, vertices) = self.required("game", |fields| match fields.word()? {
            "sets" => match fields.number()? {
                n if (1..=MAX_CELLS).contains(&n) => Ok((Setting::Sets { black: Vec::new(), white: Vec::new() }, n)),
                n => Err(format!("a game has 1 to {MAX_CELLS} vertices, not {n}")),
            },
            sides => fields.board(sides),
        })?;
        let (mut start, mut first) = (Stones::NONE, None);
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
            first = allowed.map(|allowed| allowed - start.occupied());
        }
        let on_board = matches!(setting, Setting::Board { .. });
        let rules = [("strong", Rule::Strong), ("weak", Rule::Weak)];
        let rule = self.required("rule", |fields| fields.one_of(&rules))?;
        let empty = vertices - start.len();
        let letters = self.line("turns", |fields| fields.players())?;
        let turns = letters.map_or_else(|| Schedule::alternating(empty), Schedule::of);
        let claim = self.required("claim", |fields| {
            let claim = match fields.one_of(&[("win", 0), ("hold", 1), ("loss", 2)][..known])? {
                0 => Claim::Win(fields.turn()?),
                1 if fields.0.is_none() => Claim::Hold(None),
                1 => Claim::Hold(Some(fields.turn()?)),
                _ => Claim::Loss(fields.turn()?),
            };
            let needed = claim.last().map_or(empty, |last| last.min(empty));
            match claim {
                _ if !(needed..=empty).contains(&turns.len()) => {
                    Err(format!("'turns' has {} letters, this claim needs {needed} to {empty}", turns.len()))
                }
                _ if empty > 0 && first.is_some_and(|first| first.is_empty()) => {
                    Err("'first' allows no vertex that is empty".to_owned())
                }
                Claim::Loss(_) if rule == Rule::Weak => Err("only the strong game can be lost".to_owned()),
                Claim::Loss(last) if last > turns.len() => Err(format!("there is no turn {last}")),
                _ => Ok(claim),
            }
        })?;
        let (mut symmetry, generators) = self.required("symmetry", |fields| {
            let words =
                [("none", Symmetry::None), ("board", Symmetry::Board), ("generators", Symmetry::Generators(vec![]))];
            match fields.one_of(&words[..known])? {
                Symmetry::Board if !on_board => Err("a game of sets has 'symmetry none'".to_owned()),
                Symmetry::Generators(none) => match fields.number()? {
                    count @ 1..=MOST_GENERATORS => Ok((Symmetry::Generators(none), count)),
                    _ => Err(format!("there are 1 to {MOST_GENERATORS} generators")),
                },
                symmetry => Ok((symmetry, 0)),
            }
        })?;
        let mut generator_lines = Vec::new();
        if let Symmetry::Generators(list) = &mut symmetry {
            for _ in 0..generators {
                generator_lines.push(self.number);
                list.push(self.required("g", |fields| {
                    let images = fields.list(|word| cell(word, vertices))?;
                    match images.len() == vertices && images.iter().copied().collect::<WideSet>().len() == vertices {
                        true => Ok(images),
                        false => Err("a generator names every vertex exactly once".to_owned()),
                    }
                })?);
            }
        }
        let cover = self.line("cover", |fields| match (on_board && generators == 0, claim) {
            (true, Claim::Win(_)) => fields.set(vertices),
            _ => Err("a cover needs a board and a 'claim win', and no generators".to_owned()),
        })?;
        let header = Header { setting, vertices, start, first, rule, turns, claim, symmetry, cover };
        Ok(Opening { format, header, generator_lines })
    }
}

impl Card {
    /// Reads a `c` line by itself, for files of cards; `line` is its number there. Gives its id as well.
    pub fn read(text: &str, line: u64) -> Result<(u32, Card), String> {
        let mut fields = Fields(Some(text));
        fields.one_of(&[("c", ())])?;
        let id = fields.id()?;
        let card = fields.card(line)?;
        fields.end().map(|()| (id, card))
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

    fn one_of<T: Clone>(&mut self, choices: &[(&str, T)]) -> Result<T, String> {
        let word = self.word()?;
        let names: Vec<&str> = choices.iter().map(|choice| choice.0).collect();
        let found = choices.iter().find(|choice| choice.0 == word).map(|choice| choice.1.clone());
        found.ok_or_else(|| format!("'{}' stands where {} has to", shown(Some(word)), names.join(" or ")))
    }

    fn number(&mut self) -> Result<usize, String> {
        self.word().and_then(number)
    }

    fn turn(&mut self) -> Result<usize, String> {
        self.number().and_then(|turn| if turn == 0 { Err("turns count from 1".into()) } else { Ok(turn) })
    }

    fn id(&mut self) -> Result<u32, String> {
        self.word().and_then(id)
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
    fn stones<const N: usize>(&mut self, vertices: usize) -> Result<Stones<N>, String> {
        let (black, white) = (self.set(vertices)?, self.set(vertices)?);
        match (black & white).first() {
            None => Ok(Stones::new(black, white)),
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
            cells.push((number(x)?, number(y)?));
        }
        // Only differences count, and they are taken before the numbers are made smaller.
        let left = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
        let low = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
        let small = |value| i32::try_from(value).map_err(|_| "the cells of the shape are too far apart".to_owned());
        let cells: Result<Vec<_>, String> =
            cells.iter().map(|&(x, y)| Ok((small(x - left)?, small(y - low)?))).collect();
        let shape = Shape::new(&cells?).map_err(|error| error.to_string())?;
        let board = Board::new(width, height, topology).map_err(|error| error.to_string())?;
        Ok((Setting::Board { shape, board }, board.size()))
    }

    /// What a `c` line says behind its id.
    fn card(&mut self, line: u64) -> Result<Card, String> {
        let [width, height] = parts(self.word()?, 'x')?;
        let board = Board::new(number(width)?, number(height)?, Topology::Plain);
        let sides = board.map_err(|_| format!("a box is 1x1 to {MAX_SIDE}x{MAX_SIDE}"))?;
        let Stones { black: own, white: open } = self.stones(sides.size())?;
        let kind = match self.one_of(&[("done", true), ("move", false)])? {
            true => CardKind::Done(self.cell(sides.size())?),
            false => CardKind::Move(self.cell(sides.size())?, self.list(card_child)?),
        };
        Ok(Card { line, width: sides.width(), height: sides.height(), own, open, kind })
    }

    /// What is left of the line, word by word.
    fn list<T>(&mut self, entry: impl Fn(&'a str) -> Result<T, String>) -> Result<Vec<T>, String> {
        let mut list = Vec::new();
        while self.0.is_some() {
            list.push(entry(self.word()?)?);
        }
        Ok(list)
    }
}

/// The parts of a word such as `3:4:17`.
fn parts<const N: usize>(word: &str, separator: char) -> Result<[&str; N], String> {
    let (mut found, mut words) = ([""; N], word.split(separator));
    let complete = found.iter_mut().all(|part| words.next().map(|text| *part = text).is_some());
    match complete && words.next().is_none() {
        true => Ok(found),
        false => Err(format!("'{}' is not {N} numbers with '{separator}' between", shown(Some(word)))),
    }
}

/// `a-b`.
fn pair(word: &str, vertices: usize) -> Result<Pair, String> {
    let [a, b] = parts(word, '-')?;
    Ok(Pair { a: cell(a, vertices)?, b: cell(b, vertices)? })
}

/// `r:child`.
fn after(word: &str, vertices: usize) -> Result<After, String> {
    let [reply, child] = parts(word, ':')?;
    Ok(After { reply: cell(reply, vertices)?, child: id(child)? })
}

/// `m:o:child`.
fn answer(word: &str, vertices: usize) -> Result<Answer, String> {
    let [to, reply, child] = parts(word, ':')?;
    Ok(Answer { to: cell(to, vertices)?, reply: cell(reply, vertices)?, child: Some(id(child)?) })
}

/// `m:o` or `m:o:child`.
fn strong_answer(word: &str, vertices: usize) -> Result<Answer, String> {
    let (to, rest) = word.split_once(':').ok_or_else(|| format!("'{}' is no answer m:o", shown(Some(word))))?;
    let (reply, child) = reply(rest, vertices)?;
    Ok(Answer { to: cell(to, vertices)?, reply, child })
}

/// `o` or `o:child`.
fn reply(word: &str, vertices: usize) -> Result<(Cell, Option<u32>), String> {
    match word.split_once(':') {
        Some((reply, child)) => Ok((cell(reply, vertices)?, Some(id(child)?))),
        None => Ok((cell(word, vertices)?, None)),
    }
}

/// `child@o,dx,dy`.
fn card_child(word: &str) -> Result<Placing, String> {
    let [card, place] = parts(word, '@')?;
    placing(id(card)?, parts(place, ',')?)
}

fn placing(card: u32, [turn, dx, dy]: [&str; 3]) -> Result<Placing, String> {
    match number(turn)? {
        turn @ 0..=7 => Ok(Placing { card, turn: turn as u8, shift: (shift(dx)?, shift(dy)?) }),
        turn => Err(format!("{turn} is no orientation: 0 to 7")),
    }
}

/// -99 to 99.
fn shift(text: &str) -> Result<i32, String> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    match number(digits)? {
        0 if sign < 0 => Err("'-0' is no number".into()),
        size @ 0..=99 => Ok(sign * size as i32),
        _ => Err(format!("{text} is no shift: -99 to 99")),
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
