//! What a header says, in words and pictures, for people. Nothing is decided here.

use crate::cell::Cell;
use crate::cell_set::CellSet;
use crate::checker::Proved;
use crate::model::{Card, Claim, Header, Node, Position, Proof, Setting};
use crate::player::Player;
use std::collections::BTreeMap;
use std::fmt;

impl Header {
    /// `b3` on a board, the number of a vertex otherwise.
    pub fn cell_name(&self, cell: Cell) -> String {
        match &self.setting {
            Setting::Board { board, .. } => board.cell_name(cell),
            Setting::Sets { .. } => cell.index().to_string(),
        }
    }

    /// Draws a mark for each cell: rows from the top on a board, one row of all vertices otherwise.
    pub fn draw(&self, mark: impl Fn(Cell) -> char) -> String {
        let Setting::Board { board, .. } = &self.setting else {
            return (0..self.vertices).map(|index| mark(Cell::new(index))).chain(['\n']).collect();
        };
        let mut drawing = String::new();
        for y in (0..board.height()).rev() {
            drawing += &format!("{:>2}", y + 1);
            (0..board.width()).for_each(|x| drawing.extend([' ', mark(board.cell(x, y))]));
            drawing.push('\n');
        }
        drawing += "  ";
        (0..board.width()).for_each(|x| drawing.extend([' ', (b'a' + x as u8) as char]));
        drawing + "\n"
    }

    /// What is claimed, in words; the shape by its name, if it has one.
    pub fn sentence(&self, shape_name: Option<&str>) -> String {
        let game = match &self.setting {
            Setting::Board { shape, board } => {
                format!("{} on {board}", shape_name.map_or(format!("the shape {shape}"), str::to_owned))
            }
            Setting::Sets { black, .. } => {
                let name = shape_name.map_or_else(String::new, |name| format!("{name}, "));
                format!("{name}the game of {} vertices and {} winning sets", self.vertices, black.len())
            }
        };
        let rule = match self.turns.is_alternating() {
            true => format!("{} rule", self.rule),
            false => format!("{} rule, turns {}", self.rule, self.turns.letters()),
        };
        match self.claim {
            Claim::Win(turn) => format!("Black wins {game}, {rule}, by turn {turn}"),
            Claim::Hold(None) => format!("White holds {game}, {rule}"),
            Claim::Hold(Some(turn)) => format!("Black cannot force {game}, {rule}, by turn {turn}"),
            Claim::Loss(turn) => format!("White wins {game}, {rule}, by turn {turn}"),
        }
    }
}

/// The words of refusals.
impl<const N: usize> Proof<N> {
    /// As a remark calls the vertex, or as the header does.
    pub(crate) fn cell_name(&self, cell: Cell) -> String {
        self.names.as_ref().map_or_else(|| self.header.cell_name(cell), |names| names.of(cell).to_owned())
    }

    /// The cells of a set, by name.
    pub(crate) fn names_of(&self, set: &CellSet<N>) -> String {
        set.iter().map(|cell| self.cell_name(cell)).collect::<Vec<_>>().join(" ")
    }

    /// A mark for each cell; vertices with names of their own are listed by their mark.
    fn draw(&self, mark: impl Fn(Cell) -> char) -> String {
        if self.names.is_none() {
            return self.header.draw(mark);
        }
        let mut lists: BTreeMap<char, String> = BTreeMap::new();
        for cell in (0..self.header.vertices).map(Cell::new) {
            let list = lists.entry(mark(cell)).or_default();
            *list += &format!(" {}", self.cell_name(cell));
        }
        lists.iter().map(|(mark, list)| format!(" {mark}{list}\n")).collect()
    }

    /// A position; cells outside the cover are waves.
    pub(crate) fn position_drawing(&self, at: &Position<N>) -> String {
        let mut drawing = self.draw(|cell| match () {
            _ if at.stones.black.contains(cell) => 'X',
            _ if at.stones.white.contains(cell) => 'O',
            _ if self.header.cover.is_some_and(|cover| !cover.contains(cell)) => '~',
            _ => '.',
        });
        if at.elsewhere > 0 {
            drawing += &format!("and {} White stones elsewhere (~)\n", at.elsewhere);
        }
        drawing
    }

    /// A node: its open cells are dots, all it does not own belongs to the other side.
    pub(crate) fn node_drawing(&self, node: &Node<N>) -> String {
        let (own, rest) = if self.header.claim.holder() == Player::Black { ('X', 'o') } else { ('O', 'x') };
        self.draw(|cell| match () {
            _ if node.own.contains(cell) => own,
            _ if node.open.contains(cell) => '.',
            _ => rest,
        })
    }
}

impl Card {
    /// Its box, top row first: Black's stones, the cells White must not own, and the others.
    pub(crate) fn drawing(&self) -> String {
        let mark = |cell| match () {
            _ if self.own.contains(cell) => 'X',
            _ if self.open.contains(cell) => '.',
            _ => 'o',
        };
        let row = |y| (0..self.width).map(|x| mark(Cell::new(x + self.width * y))).chain(['\n']).collect::<String>();
        (0..self.height).rev().map(row).collect()
    }
}

impl Proved {
    /// What was proved, in one sentence, and how much was checked.
    pub fn sentence(&self, shape_name: Option<&str>) -> String {
        format!("{}; {}", self.header().sentence(shape_name), self.checked())
    }

    /// How much was checked: `8 positions checked`.
    pub fn checked(&self) -> String {
        let count = |number: u64, noun: &str| format!("{number} {noun}{}", if number == 1 { "" } else { "s" });
        let checked = match (self.positions(), self.nodes()) {
            (positions, 0) => count(positions, "position"),
            (0, nodes) => count(nodes, "node"),
            (positions, nodes) => format!("{} and {}", count(positions, "position"), count(nodes, "node")),
        };
        format!("{checked} checked")
    }
}

impl fmt::Display for Proved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence(None))
    }
}
