//! COVER: Black plays only inside the cover, the winning sets through his first stone.
//!
//! White's stones outside the cover are counted, not placed: all that matters is whether they could have completed one of
//! her sets together with her stones inside. Sound, not complete: Black may have a win that leaves the cover. If the
//! formula is true, he wins.

use crate::qbf::formula::{Clauses, Literal, Prefix, Sink};
use crate::qbf::play::{Bits, Menu, MenuLine, Play, Stones, bits_for, declare_wins, set_name, time_runs_out};
use crate::qbf::symmetry_breaking::Stone;
use harary_certificate::{Cell, Player, WideSet};

/// COVER as published: the cover is described by variables.
pub struct Cover {
    play: Play,
    time: Vec<Literal>,
    stones: Stones,
    choices: Vec<Bits>,
    /// `in_sets[e]`: the set goes through Black's first stone.
    in_sets: Vec<Literal>,
    /// `in_cells[c]`: the cell is in the cover.
    in_cells: Vec<Literal>,
    outside: Outside,
    win: Vec<Literal>,
}

/// Counts White's stones outside the cover: `at[t][i]` says there are at least `i` after White's turn `t`. At Black's
/// turns nothing changes.
struct Outside {
    at: Vec<Vec<Literal>>,
}

impl Outside {
    /// The counts after turn `t`; `lean` leaves out what cannot be reached.
    fn declare(&mut self, play: &Play, prefix: &mut Prefix, turn: usize, most: usize) {
        let whites = (1..=turn).filter(|&t| play.player(t) == Player::White).count();
        let row = (0..=most)
            .map(|count| match play.is_lean() {
                true if count == 0 => Literal::TRUE,
                true if count > whites => Literal::FALSE,
                _ => prefix.exists(format!("outside t{turn} {count}")),
            })
            .collect();
        self.at.push(row);
    }

    fn repeat(&mut self) {
        self.at.extend(self.at.last().cloned());
    }

    /// A stone outside raises the count, and it stays.
    fn rules(&self, play: &Play, time: &[Literal], choices: &[Bits], code: usize, sink: &mut Sink) {
        sink.clause([self.at[0][0]]);
        for t in (1..=play.turns).filter(|&t| play.player(t) == Player::White) {
            for count in 0..self.at[t].len() {
                if count > 0 {
                    let conditions = [time[t], self.at[t - 1][count - 1]].into_iter().chain(choices[t].spell(code));
                    sink.implies(conditions, self.at[t][count]);
                }
                sink.implies([self.at[t - 1][count]], self.at[t][count]);
            }
        }
    }
}

impl Cover {
    pub fn new(play: Play, prefix: &mut Prefix) -> Cover {
        let longest = play.white_sets.iter().map(WideSet::len).max().unwrap_or(0);
        let (mut time, mut stones, mut choices) = (Vec::new(), Stones::default(), Vec::new());
        let (mut in_sets, mut in_cells, mut outside) = (Vec::new(), Vec::new(), Outside { at: Vec::new() });
        for turn in 0..=play.turns {
            time.push(play.black_stops(prefix, turn, time.last().copied()));
            choices.push(match turn {
                0 => Bits::default(),
                // One code more than cells: outside the cover.
                _ if play.player(turn) == Player::White => play.choice(prefix, turn, bits_for(play.vertices() + 1)),
                _ => play.own_choice(prefix, turn),
            });
            if turn == 1 {
                let sets = play.black_sets.iter();
                in_sets.extend(sets.map(|set| prefix.exists(format!("in-cover {}", set_name(&play, set)))));
                in_cells.extend(play.cells().map(|cell| prefix.exists(format!("in-cover {}", play.name(cell)))));
            }
            if turn == 0 || play.player(turn) == Player::White {
                outside.declare(&play, prefix, turn, longest);
            } else {
                outside.repeat();
            }
            stones.declare(&play, prefix);
        }
        let win = declare_wins(&play, prefix);
        Cover { play, time, stones, choices, in_sets, in_cells, outside, win }
    }

    /// Which sets and cells are in the cover.
    fn define(&self, sink: &mut Sink) {
        let Cover { play, stones, in_sets, in_cells, .. } = self;
        for (&in_set, set) in in_sets.iter().zip(&play.black_sets) {
            let first: Vec<Literal> = set.iter().map(|cell| stones.black[1][cell.index()]).collect();
            sink.any_of(in_set, &first);
        }
        for (cell, &in_cell) in play.cells().zip(in_cells) {
            let sets: Vec<Literal> =
                in_sets.iter().zip(&play.black_sets).filter(|(_, set)| set.contains(cell)).map(|(&s, _)| s).collect();
            sink.any_of(in_cell, &sets);
            sink.implies([!in_cell], !stones.black[play.turns][cell.index()]);
        }
    }

    /// White cannot have completed a set: not with `i` stones outside and the others inside, whichever `i` lie outside.
    fn white_has_not_won(&self, sink: &mut Sink) {
        let Cover { play, stones, in_cells, outside, .. } = self;
        for set in &play.white_sets {
            let cells: Vec<usize> = set.iter().map(|cell| cell.index()).collect();
            for chosen in 0..1u32 << cells.len() {
                let literals = cells
                    .iter()
                    .enumerate()
                    .map(|(i, &c)| if chosen >> i & 1 == 1 { in_cells[c] } else { !stones.white[play.turns][c] });
                let count = !outside.at[play.turns][chosen.count_ones() as usize];
                sink.clause([count].into_iter().chain(literals));
            }
        }
    }
}

impl Clauses for Cover {
    fn emit(&self, sink: &mut Sink) {
        let Cover { play, time, stones, choices, in_cells, outside, win, .. } = self;
        time_runs_out(time, sink);
        stones.rules(play, sink);
        stones.wait_for_their_turn(play, sink);
        stones.stop(play, time, sink);
        stones.one_black_stone(play, choices, sink);
        stones.first_move(play, play.first_moves(), sink);
        if play.turns > 0 {
            self.define(sink);
            self.white_has_not_won(sink);
        }
        for t in (1..=play.turns).filter(|&t| play.player(t) == Player::White) {
            for c in play.cells().map(Cell::index) {
                let conditions = [time[t], !stones.black[t - 1][c], in_cells[c]];
                sink.implies(conditions.into_iter().chain(choices[t].spell(c)), stones.white[t][c]);
            }
        }
        outside.rules(play, time, choices, play.vertices(), sink);
        stones.black_has_completed(play, win, sink);
    }
}

/// COVER with the cover worked out beforehand for each first move: a few, and only one on a torus.
pub struct LeanCover {
    play: Play,
    time: Vec<Literal>,
    stones: Stones,
    choices: Vec<Bits>,
    menus: Vec<Option<Menu>>,
    /// Black's first stone and the cover it makes.
    covers: Vec<(Stone, WideSet)>,
    outside: Outside,
    outside_code: usize,
    win: Vec<Literal>,
}

impl LeanCover {
    pub fn new(mut play: Play, prefix: &mut Prefix) -> LeanCover {
        let covers: Vec<(Stone, WideSet)> = play
            .first_moves()
            .iter()
            .map(|cell| {
                let sets = play.black_sets.iter().filter(|set| set.contains(cell));
                let cover = sets.fold(WideSet::EMPTY, |cover, &set| cover | set);
                (Stone { turn: 1, player: Player::Black, cell }, cover)
            })
            .filter(|(_, cover)| !cover.is_empty())
            .collect();
        let playable = covers.iter().fold(WideSet::EMPTY, |all, (_, cover)| all | *cover);
        play.black_sets.retain(|set| covers.iter().any(|(_, cover)| set.is_subset(cover)));
        let cells_outside = |set: &WideSet| covers.iter().map(|(_, cover)| (*set - *cover).len()).max().unwrap_or(0);
        let most_outside = play.white_sets.iter().map(cells_outside).max().unwrap_or(0);
        let most_inside = covers.iter().map(|(_, cover)| cover.len() - 1).max().unwrap_or(0);
        let (mut time, mut stones, mut choices, mut menus) = (Vec::new(), Stones::default(), Vec::new(), Vec::new());
        let mut outside = Outside { at: Vec::new() };
        for turn in 0..=play.turns {
            time.push(play.black_stops(prefix, turn, time.last().copied()));
            let white = turn > 0 && play.player(turn) == Player::White;
            let menu = white.then(|| Menu {
                bits: bits_for(most_inside + usize::from(most_outside > 0)),
                lines: covers
                    .iter()
                    .map(|(stone, cover)| {
                        let moves = cover.without(stone.cell) & worth_a_look(&play, turn, stone);
                        MenuLine { stones: vec![*stone], moves: moves.iter().enumerate().collect() }
                    })
                    .collect(),
            });
            choices.push(match &menu {
                Some(menu) => play.choice(prefix, turn, menu.bits),
                None if turn > 0 => play.own_choice(prefix, turn),
                None => Bits::default(),
            });
            menus.push(menu);
            if turn == 0 || white {
                outside.declare(&play, prefix, turn, most_outside);
            } else {
                outside.repeat();
            }
            stones.declare_within(&play, prefix, playable);
        }
        let win = declare_wins(&play, prefix);
        LeanCover { play, time, stones, choices, menus, covers, outside, outside_code: most_inside, win }
    }
}

/// White's moves at a turn that are no images of others, after Black's first stone. The cover has all the symmetries
/// of that stone.
fn worth_a_look(play: &Play, turn: usize, first: &Stone) -> WideSet {
    let all = play.all_cells();
    if turn != 2 {
        return all;
    }
    play.lines(2).iter().find(|line| line.stones == [*first]).map_or(all, |line| line.moves)
}

impl Clauses for LeanCover {
    fn emit(&self, sink: &mut Sink) {
        let LeanCover { play, time, stones, choices, menus, covers, outside, outside_code, win } = self;
        time_runs_out(time, sink);
        stones.rules(play, sink);
        stones.stop(play, time, sink);
        stones.one_black_stone(play, choices, sink);
        stones.leave_out_images(play, Player::Black, sink);
        for (t, menu) in menus.iter().enumerate() {
            for line in menu.iter().flat_map(|menu| &menu.lines) {
                for &(code, cell) in &line.moves {
                    let conditions =
                        [time[t], !stones.black[t - 1][cell.index()]].into_iter().chain(choices[t].spell(code));
                    sink.implies(stones.put(&line.stones).chain(conditions), stones.white[t][cell.index()]);
                }
            }
        }
        outside.rules(play, time, choices, *outside_code, sink);
        if play.turns > 0 {
            sink.clause(covers.iter().map(|(stone, _)| stones.black[1][stone.cell.index()]));
            for (stone, cover) in covers {
                let first = stones.black[1][stone.cell.index()];
                for cell in (play.all_cells() - *cover).iter() {
                    sink.implies([first], !stones.black[play.turns][cell.index()]);
                }
                for set in play.white_sets.iter().filter(|set| !set.contains(stone.cell)) {
                    let count = outside.at[play.turns][(*set - *cover).len()];
                    let inside = (*set & *cover).iter().map(|cell| stones.white[play.turns][cell.index()]);
                    sink.clause([first, count].into_iter().chain(inside).map(|literal| !literal));
                }
            }
        }
        stones.black_has_completed(play, win, sink);
    }
}
