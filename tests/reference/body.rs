//! What a file says, line by line, and whether its lines go together.

use super::cards::{Card, Placement};
use super::header::{Claim, Header};
use super::lines::{Lines, below, id, number, pairs, set, two};
use super::nodes::{Node, Rule};
use super::{Result, Set, header, need};
use std::collections::{BTreeMap, HashMap};

/// What stands at a position.
pub enum Step {
    /// A cell to play: `p`, `q` and `l`.
    Play(usize),
    /// A node that holds: `b`.
    Block(u64),
    /// Bounded pairs: `k`.
    Pairs(Vec<(usize, usize)>),
}

#[derive(PartialEq, Eq)]
pub enum Root {
    None,
    Node(u64),
    Explicit,
}

pub struct Certificate {
    pub header: Header,
    /// By black, white and elsewhere.
    pub positions: HashMap<(Set, Set, usize), Step>,
    /// Ascending by id, so that children come before their parents. Ids of cards and nodes are one space.
    pub nodes: BTreeMap<u64, Entry>,
    pub root: Root,
}

pub enum Entry {
    Node(Node),
    Card(Card),
    Placement(Placement),
}

impl Certificate {
    pub fn read(text: &[u8]) -> Result<Certificate> {
        let mut lines = Lines::new(text)?;
        let header = header::read(&mut lines)?;
        let mut certificate =
            Certificate { header, positions: HashMap::new(), nodes: BTreeMap::new(), root: Root::None };
        for fields in lines.rest() {
            need(certificate.root == Root::None, "a line after the root")?;
            certificate.line(fields)?;
        }
        Ok(certificate)
    }

    fn line(&mut self, fields: &[&str]) -> Result<()> {
        let two = self.header.format == 2;
        let rest = &fields[1..];
        match (fields[0], self.header.claim) {
            ("p", Claim::Win(_)) => self.step(rest, 4),
            ("q", Claim::Hold(_)) => self.step(rest, 3),
            ("l", Claim::Loss(_)) if two => self.step(rest, 3),
            ("b", Claim::Hold(_)) => {
                need(rest.len() == 3, "b")?;
                self.position(rest, 0, Step::Block(id(rest[2])?))
            }
            ("k", Claim::Hold(Some(_))) if two => {
                need(rest.len() >= 2, "k")?;
                self.position(rest, 0, Step::Pairs(pairs(&rest[2..], self.header.game.cells)?))
            }
            (word @ "a", Claim::Win(_)) | (word @ "n", Claim::Hold(_)) => self.node(word, rest),
            (word @ "s", Claim::Hold(_)) if two => self.node(word, rest),
            ("c", Claim::Win(_)) if two => {
                need(rest.len() >= 5, "c")?;
                self.entry(rest[0], Entry::Card(Card::read(&rest[1..])?))
            }
            ("u", Claim::Win(_)) if two => {
                need(rest.len() == 4, "u")?;
                self.entry(rest[0], Entry::Placement(Placement::read(&rest[1..])?))
            }
            ("root", _) => {
                need(rest.len() == 1, "root")?;
                self.root = if rest[0] == "explicit" { Root::Explicit } else { Root::Node(id(rest[0])?) };
                Ok(())
            }
            _ => Err("a line of no kind".into()),
        }
    }

    /// A `p`, `q` or `l` line with this many fields.
    fn step(&mut self, fields: &[&str], length: usize) -> Result<()> {
        need(fields.len() == length, "a position line")?;
        let elsewhere = if length == 4 { number(fields[2])? } else { 0 };
        let cell = below(fields[length - 1], self.header.game.cells)?;
        need(elsewhere <= self.header.game.cells as u64, "too many elsewhere")?;
        self.position(fields, elsewhere as usize, Step::Play(cell))
    }

    fn position(&mut self, fields: &[&str], elsewhere: usize, step: Step) -> Result<()> {
        let vertices = self.header.game.cells;
        let key = (set(fields[0], vertices)?, set(fields[1], vertices)?, elsewhere);
        need(self.positions.insert(key, step).is_none(), "a position twice")
    }

    fn entry(&mut self, name: &str, entry: Entry) -> Result<()> {
        need(self.nodes.insert(id(name)?, entry).is_none(), "an id twice")
    }

    fn node(&mut self, word: &str, fields: &[&str]) -> Result<()> {
        need(fields.len() >= 4, "node")?;
        let vertices = self.header.game.cells;
        let (own, open) = (set(fields[1], vertices)?, set(fields[2], vertices)?);
        let cell = |text: &str| below(text, vertices);
        let rest = &fields[4..];
        let rule = match (word, fields[3]) {
            ("a", "done") => {
                need(rest.len() == 1, "done")?;
                Rule::Done(cell(rest[0])?)
            }
            ("a", "move") => {
                need(!rest.is_empty(), "move")?;
                let answer = |field: &&str| {
                    let (r, child) = two(field, ':')?;
                    Ok((cell(r)?, id(child)?))
                };
                Rule::Move(cell(rest[0])?, rest[1..].iter().map(answer).collect::<Result<_>>()?)
            }
            ("n", "pave") => Rule::Pave(pairs(rest, vertices)?),
            ("n" | "s", "reply") => {
                let answer = |field: &&str| {
                    let (m, rest) = two(field, ':')?;
                    let (o, child) = self.answer(rest)?;
                    need(word == "s" || child.is_some(), "an answer without a child")?;
                    Ok((cell(m)?, o, child))
                };
                Rule::Reply(rest.iter().map(answer).collect::<Result<_>>()?)
            }
            ("s", "threat") => {
                need(rest.len() == 2, "threat")?;
                let (o, child) = self.answer(rest[1])?;
                Rule::Threat(cell(rest[0])?, o, child)
            }
            _ => return Err("a node of no kind".into()),
        };
        self.entry(fields[0], Entry::Node(Node { strong: word == "s", own, open, rule }))
    }

    /// White's answer: a cell, and a child unless it completes a set.
    fn answer(&self, text: &str) -> Result<(usize, Option<u64>)> {
        let (o, child) = text.split_once(':').map_or((text, None), |(o, child)| (o, Some(child)));
        Ok((below(o, self.header.game.cells)?, child.map(id).transpose()?))
    }

    /// Whether the lines go together and prove the claim.
    pub fn check(&self) -> Result<()> {
        let game = &self.header.game;
        match (self.header.claim, &self.root) {
            (Claim::Win(_) | Claim::Loss(_), Root::None) => need(self.nodes.is_empty(), "no root")?,
            (Claim::Win(_), Root::Node(_)) => {
                need(self.positions.is_empty() && self.header.cover.is_none(), "a mixture")?;
            }
            (Claim::Hold(None), Root::Node(_)) => need(self.positions.is_empty(), "a mixture")?,
            (Claim::Hold(_), Root::Explicit) => {}
            _ => return Err("a root of the wrong kind, or none".into()),
        }
        let attacks = matches!(self.header.claim, Claim::Win(_));
        need(self.nodes.is_empty() || game.alternates() && !(attacks && game.strong), "nodes here")?;
        let known = self.check_nodes()?;
        self.check_positions(&known)?;
        match self.root {
            Root::Node(root) => self.check_root(root, &known),
            _ => self.play(),
        }
    }
}
