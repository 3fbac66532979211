//! What stands in a cell: of a line of play, and of a paving.

use super::picture::{Mark, letter};
use crate::game::line::Line;
use crate::settle::pave::Found;
use harary_certificate::{Cell, Player};

impl Mark {
    /// A stone of a line of play, with its turn if that is asked for; the set that won is highlighted.
    pub fn of_line(line: &Line, cell: Cell, numbered: bool) -> Mark {
        let turn = line.moves.iter().position(|&played| played == cell).map(|played| played + 1);
        let mark = Mark::of_stones(&line.black, &line.white, cell).numbered(turn.filter(|_| numbered));
        match line.won {
            Some((_, set)) if set.contains(cell) => mark.highlighted(),
            _ => mark,
        }
    }

    /// A stone, the letter of a cell's pair, or nothing.
    pub fn of_paving(line: &Line, found: &Found, cell: Cell) -> Mark {
        if found.first == Some(cell) {
            return Mark::stone(Player::White).highlighted();
        }
        match found.pairs.iter().position(|&(a, b)| a == cell || b == cell) {
            Some(index) => Mark::text(letter(index)),
            None => Mark::of_stones(&line.black, &line.white, cell),
        }
    }
}
