//! COR, the corrective encoding: Black exists, White is "for all", and the winner is looked for on the last board.
//!
//! When Black has won he stops the game; the board freezes, and only after the last turn do the clauses ask who has
//! completed a set. White names a cell in binary. A choice that is no legal move is corrected: Black picks for her.

use crate::qbf::formula::{Clauses, Literal, Prefix, Sink};
use crate::qbf::ladder::Ladder;
use crate::qbf::play::{Menu, Play, declare_wins};
use harary_certificate::Player;

pub struct Cor {
    play: Play,
    ladder: Ladder,
    win: Vec<Literal>,
}

impl Cor {
    pub fn new(play: Play, prefix: &mut Prefix) -> Cor {
        let menu = |turn| match play.is_lean() || turn == 1 {
            true => Menu::numbered(play.lines(turn)),
            false => Menu::of_cells(play.vertices(), play.all_cells()),
        };
        let time = |prefix: &mut Prefix, turn, before| play.black_stops(prefix, turn, before);
        let ladder = Ladder::new(&play, prefix, Player::White, menu, time);
        let win = declare_wins(&play, prefix);
        Cor { play, ladder, win }
    }
}

impl Clauses for Cor {
    fn emit(&self, sink: &mut Sink) {
        let Cor { play, ladder, win } = self;
        ladder.rules(play, sink);
        if play.is_lean() {
            ladder.leave_out_images(play, sink);
        } else {
            // The triangle also on the torus, as published.
            ladder.stones.first_move(play, play.triangle(), sink);
        }
        ladder.stones.black_has_won(play, win, sink);
    }
}
