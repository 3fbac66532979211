//! COR+: COR without `move`, `occupied` and ladders; and COR++, which leaves out White's symmetric first moves.
//!
//! Black names his cell in binary as well, so that he puts at most one stone a turn: he gains nothing by putting none.
//! White's choice forces a white stone. The formula does not forbid more of them: Black, who sets all the variables that
//! exist, would only harm himself.

use crate::qbf::formula::{Clauses, Literal, Prefix, Sink};
use crate::qbf::play::{Bits, Menu, Play, Stones, declare_wins, time_runs_out};
use harary_certificate::Player;

pub struct CorPlus {
    play: Play,
    time: Vec<Literal>,
    stones: Stones,
    /// Black's choice at his turns, White's at hers.
    choices: Vec<Bits>,
    menus: Vec<Option<Menu>>,
    win: Vec<Literal>,
}

impl CorPlus {
    /// `twice`: COR++, in faithful mode. In lean mode the instance says how far symmetry is used.
    pub fn new(play: Play, prefix: &mut Prefix, twice: bool) -> CorPlus {
        let menu = |turn| match (play.is_lean() || turn == 1, twice && turn == 2) {
            (true, _) => Menu::numbered(play.lines(turn)),
            // All lines have the same first stone, the one cell left on a torus.
            (false, true) => Menu::numbered(play.lines_to(2, turn)).without_stones(),
            (false, false) => Menu::of_cells(play.vertices(), play.all_cells()),
        };
        let (mut time, mut stones, mut choices, mut menus) = (Vec::new(), Stones::default(), Vec::new(), Vec::new());
        for turn in 0..=play.turns {
            time.push(play.black_stops(prefix, turn, time.last().copied()));
            let player = (turn > 0).then(|| play.player(turn));
            let menu = (player == Some(Player::White)).then(|| menu(turn));
            choices.push(match (player, &menu) {
                (None, _) => Bits::default(),
                (Some(_), Some(menu)) => play.choice(prefix, turn, menu.bits),
                (Some(_), None) => play.own_choice(prefix, turn),
            });
            menus.push(menu);
            stones.declare(&play, prefix);
        }
        let win = declare_wins(&play, prefix);
        CorPlus { play, time, stones, choices, menus, win }
    }
}

impl Clauses for CorPlus {
    fn emit(&self, sink: &mut Sink) {
        let CorPlus { play, time, stones, choices, menus, win } = self;
        time_runs_out(time, sink);
        stones.rules(play, sink);
        stones.wait_for_their_turn(play, sink);
        stones.stop(play, time, sink);
        for (t, menu) in menus.iter().enumerate() {
            for line in menu.iter().flat_map(|menu| &menu.lines) {
                for &(code, cell) in &line.moves {
                    let conditions =
                        [time[t], !stones.black[t - 1][cell.index()]].into_iter().chain(choices[t].spell(code));
                    sink.implies(stones.put(&line.stones).chain(conditions), stones.white[t][cell.index()]);
                }
            }
        }
        stones.one_black_stone(play, choices, sink);
        if play.is_lean() {
            stones.leave_out_images(play, Player::Black, sink);
        } else {
            stones.first_move(play, play.first_moves(), sink);
        }
        stones.black_has_won(play, win, sink);
    }
}
