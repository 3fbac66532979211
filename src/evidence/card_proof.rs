//! Wins by cards, written as certificates: the cards they rest on, where they lie, and what reaches around a torus.

use crate::engines::cards::deck::Deck;
use crate::engines::cards::plane::Turn;
use crate::engines::cards::pool::opening_of;
use crate::engines::cards::spread::{Claim, Source};
use crate::evidence::Evidence;
use crate::game::Game;
use ahash::AHashMap;
use harary_certificate::model::{After, Card, CardKind, Kind, Placing};
use harary_certificate::{Board, Claim as Statement};
use harary_certificate::{Cell, CellSet, CertificateWriter, Format};
use std::io::{self, Write};

/// Proof that Black wins the weak game; the number of a line is its place, the root comes last.
#[derive(Clone, Debug)]
pub struct CardProof<const N: usize> {
    lines: Vec<Line<N>>,
    height: usize,
    first_move: Cell,
}

#[derive(Clone, Debug)]
enum Line<const N: usize> {
    Card(Box<Card>),
    Use(Placing),
    Node { own: CellSet<N>, open: CellSet<N>, pivot: Cell, answers: Vec<After> },
}

impl<const N: usize> CardProof<N> {
    /// The proof of a win that needs no stone; none if it needs one, or if the deck lacks what it rests on.
    pub fn of(deck: &Deck<N>, win: &Claim<N>) -> Option<CardProof<N>> {
        let mut reader = Reader {
            deck,
            board: deck.spread.board(),
            lines: Vec::new(),
            cards: AHashMap::new(),
            nodes: AHashMap::new(),
        };
        let first_move = match win.source {
            Source::Card(card) => {
                let point = win.turn.of(opening_of(deck.pool.cards().get(card as usize)?));
                reader.board.cell_at(point)?
            }
            Source::Knot(knot) => reader.landed(deck.knot(knot).pivot, win.turn)?,
        };
        reader.node(win)?;
        let height = deck.height(win.source);
        win.own.is_empty().then_some(CardProof { lines: reader.lines, height, first_move })
    }

    /// The turn by which it wins.
    pub fn turn(&self) -> usize {
        2 * self.height - 1
    }

    /// Black's first move.
    pub fn first_move(&self) -> Cell {
        self.first_move
    }
}

impl<const N: usize> Evidence for CardProof<N> {
    fn claim(&self) -> Statement {
        Statement::Win(self.turn())
    }

    fn write(&self, game: &Game, out: &mut dyn Write) -> io::Result<()> {
        let header = game.header(self.claim(), false, None);
        let mut writer = CertificateWriter::in_format(Format::Two, out, &header)?;
        for (id, line) in (0..).zip(&self.lines) {
            match line {
                Line::Card(card) => writer.c(id, card)?,
                Line::Use(placing) => writer.u(id, *placing)?,
                Line::Node { own, open, pivot, answers } => {
                    writer.node(id, own, open, &Kind::Move(*pivot, answers.clone()))?;
                }
            }
        }
        writer.root(self.lines.len() as u32 - 1)
    }
}

/// Draws what a win rests on out of a deck.
struct Reader<'a, const N: usize> {
    deck: &'a Deck<N>,
    board: Board,
    lines: Vec<Line<N>>,
    /// The lines of cards of the pool.
    cards: AHashMap<u32, u32>,
    /// The lines of wins as they lie on the board.
    nodes: AHashMap<(Source, Turn), u32>,
}

impl<const N: usize> Reader<'_, N> {
    fn write(&mut self, line: Line<N>) -> u32 {
        self.lines.push(line);
        self.lines.len() as u32 - 1
    }

    /// The line of a card of the pool, its children's before it.
    fn card(&mut self, card: u32) -> Option<u32> {
        if let Some(&line) = self.cards.get(&card) {
            return Some(line);
        }
        let mut copy = self.deck.pool.cards().get(card as usize)?.clone();
        if let CardKind::Move(_, children) = &mut copy.kind {
            for child in children {
                child.card = self.card(child.card)?;
            }
        }
        let line = self.write(Line::Card(Box::new(copy)));
        self.cards.insert(card, line);
        Some(line)
    }

    fn landed(&self, cell: Cell, turn: Turn) -> Option<Cell> {
        let (x, y) = self.board.xy(cell);
        self.board.cell_at(turn.of((x as i32, y as i32)))
    }

    fn moved(&self, set: CellSet<N>, turn: Turn) -> Option<CellSet<N>> {
        set.iter().map(|cell| self.landed(cell, turn)).collect()
    }

    /// The same place by the least shift: on a torus many shifts lead there.
    fn reduced(&self, turn: Turn) -> Turn {
        if !self.board.is_torus() {
            return turn;
        }
        let (width, height) = (self.board.width() as i32, self.board.height() as i32);
        Turn { shift: (turn.shift.0.rem_euclid(width), turn.shift.1.rem_euclid(height)), ..turn }
    }

    /// The line of a win as it lies on the board.
    fn node(&mut self, win: &Claim<N>) -> Option<u32> {
        let turn = self.reduced(win.turn);
        if let Some(&line) = self.nodes.get(&(win.source, turn)) {
            return Some(line);
        }
        let line = match win.source {
            Source::Card(card) => {
                let card = self.card(card)?;
                self.write(Line::Use(turn.placing(card)))
            }
            Source::Knot(number) => {
                let deck = self.deck;
                let knot = deck.knot(number);
                let (own, open) = (self.moved(knot.own, turn)?, self.moved(knot.open, turn)?);
                let pivot = self.landed(knot.pivot, turn)?;
                let mut children = Vec::new();
                for child in &knot.children {
                    let placed = Claim {
                        turn: turn.after(child.turn),
                        own: self.moved(child.own, turn)?,
                        open: self.moved(child.open, turn)?,
                        ..*child
                    };
                    children.push((placed.open, self.node(&placed)?));
                }
                let answer = |reply: Cell| {
                    let &(_, child) = children.iter().find(|(open, _)| !open.contains(reply))?;
                    Some(After { reply, child })
                };
                let answers = open.without(pivot).iter().map(answer).collect::<Option<Vec<_>>>()?;
                self.write(Line::Node { own, open, pivot, answers })
            }
        };
        self.nodes.insert((win.source, turn), line);
        Some(line)
    }
}
