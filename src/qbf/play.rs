//! What all encodings share: time, stones, the choices of the player under "for all", the order of turns.

use crate::game::Game;
use crate::game::symmetry::SymmetryGroup;
use crate::qbf::formula::{Literal, Prefix, Sink};
use crate::qbf::instance::{Instance, Mode};
use crate::qbf::symmetry_breaking::{self, Line, Stone};
use harary_certificate::{Board, Cell, Player, Shape, Topology, WideSet};

/// How many bits name one of `count` things.
pub fn bits_for(count: usize) -> usize {
    count.saturating_sub(1).checked_ilog2().map_or(0, |log| log as usize + 1)
}

/// Binary variables that name a cell, or whatever has a code.
#[derive(Clone, Default, Debug)]
pub struct Bits(pub Vec<Literal>);

impl Bits {
    /// The literals that say the bits spell `code`.
    pub fn spell(&self, code: usize) -> impl Iterator<Item = Literal> + '_ {
        self.0.iter().enumerate().map(move |(j, &bit)| if code >> j & 1 == 1 { bit } else { !bit })
    }
}

/// What the player under "for all" may choose at a turn: after each line of play, moves and their codes.
#[derive(Clone, Debug)]
pub struct Menu {
    pub bits: usize,
    pub lines: Vec<MenuLine>,
}

#[derive(Clone, Debug)]
pub struct MenuLine {
    pub stones: Vec<Stone>,
    pub moves: Vec<(usize, Cell)>,
}

impl Menu {
    /// Each line's moves numbered from 0.
    pub fn numbered(lines: Vec<Line>) -> Menu {
        let bits = bits_for(lines.iter().map(|line| line.moves.len()).max().unwrap_or(0));
        let lines = lines
            .into_iter()
            .map(|line| MenuLine { stones: line.stones, moves: line.moves.iter().enumerate().collect() })
            .collect();
        Menu { bits, lines }
    }

    /// The same menu, whatever the stones were.
    pub fn without_stones(mut self) -> Menu {
        self.lines.iter_mut().for_each(|line| line.stones.clear());
        self
    }

    /// Cells keep their own number as a code, as in print, also where only some of them are offered.
    pub fn of_cells(vertices: usize, cells: WideSet) -> Menu {
        let moves = cells.iter().map(|cell| (cell.index(), cell)).collect();
        Menu { bits: bits_for(vertices), lines: vec![MenuLine { stones: Vec::new(), moves }] }
    }
}

/// The game of an instance, cut to its turns, with what the encodings ask about it.
pub struct Play {
    pub game: Game,
    pub turns: usize,
    pub mode: Mode,
    pub group: SymmetryGroup,
    /// Black's winning sets. In faithful mode one for each orientation and anchor: on a torus some come twice.
    pub black_sets: Vec<WideSet>,
    /// White's, likewise; none under the weak rule.
    pub white_sets: Vec<WideSet>,
}

impl Play {
    pub fn of(instance: &Instance) -> Play {
        let game = instance.game.clone();
        let (mut black_sets, mut white_sets) = (game.black_sets().to_vec(), game.white_sets().to_vec());
        if let (Mode::Faithful, Some((shape, board))) = (instance.mode, game.shape_on_board()) {
            black_sets = placements_with_repetition(shape, board);
            if !white_sets.is_empty() {
                white_sets = black_sets.clone();
            }
        }
        let group = game.symmetries();
        Play { turns: instance.turns, mode: instance.mode, group, black_sets, white_sets, game }
    }

    pub fn is_lean(&self) -> bool {
        self.mode != Mode::Faithful
    }

    pub fn vertices(&self) -> usize {
        self.game.vertices()
    }

    pub fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        (0..self.vertices()).map(Cell::new)
    }

    /// The vertices without a stone at the start.
    pub fn empty_at_start(&self) -> WideSet {
        self.all_cells() - *self.game.black_start() - *self.game.white_start()
    }

    /// Who plays at a turn, from 1. An instance has no more turns than its game.
    pub fn player(&self, turn: usize) -> Player {
        self.game.schedule().player_after(turn - 1).unwrap_or(Player::Black)
    }

    pub fn name(&self, cell: Cell) -> String {
        self.game.vertex_name(cell)
    }

    pub fn all_cells(&self) -> WideSet {
        WideSet::first_cells(self.vertices())
    }

    /// The lines that matter at a turn; see [`symmetry_breaking::lines`].
    pub fn lines(&self, turn: usize) -> Vec<Line> {
        let depth = match self.mode {
            Mode::Faithful => 1,
            Mode::Lean { symmetry } => symmetry,
        };
        self.lines_to(depth, turn)
    }

    /// The same with symmetry used to turn `depth`.
    pub fn lines_to(&self, depth: usize, turn: usize) -> Vec<Line> {
        symmetry_breaking::lines(&self.game, &self.group, depth, turn)
    }

    /// The first moves worth a look on a plain board of these sides: the triangle at the lower left of a square. Some
    /// published encodings use it on the torus too.
    pub fn triangle(&self) -> WideSet {
        match self.game.shape_on_board() {
            Some((_, board)) => match Board::new(board.width(), board.height(), Topology::Plain) {
                Ok(plain) => SymmetryGroup::of(&plain).representatives(&self.all_cells()),
                Err(_) => self.all_cells(),
            },
            None => self.first_moves(),
        }
    }

    /// The first moves worth a look.
    pub fn first_moves(&self) -> WideSet {
        self.lines(1)[0].moves
    }

    /// The turn of the first stone with which Black could complete a set, if he has so many.
    pub fn earliest_win(&self) -> Option<usize> {
        let missing = self.black_sets.iter().map(|set| (*set - *self.game.black_start()).len()).min()?;
        (1..=self.turns).find(|&turn| self.game.schedule().black_moves(0, turn) == missing)
    }

    /// The variable `time` of each turn, for a formula in which Black exists. Lean: Black stops the game when he has
    /// won, that is before a turn of White's and not before his earliest win; so other turns get no variable.
    pub fn black_stops(&self, prefix: &mut Prefix, turn: usize, before: Option<Literal>) -> Literal {
        if self.is_lean() {
            let Some(before) = before else { return Literal::TRUE };
            if self.player(turn) == Player::Black || self.earliest_win().is_none_or(|first| turn <= first) {
                return before;
            }
        }
        prefix.exists(format!("time t{turn}"))
    }

    /// The variables of the universal choice at a turn.
    pub fn choice(&self, prefix: &mut Prefix, turn: usize, bits: usize) -> Bits {
        Bits((0..bits).map(|j| prefix.for_all(format!("choice t{turn} bit{j}"))).collect())
    }

    /// The variables of a binary choice of the player who exists.
    pub fn own_choice(&self, prefix: &mut Prefix, turn: usize) -> Bits {
        let bits = bits_for(self.vertices());
        Bits((0..bits).map(|j| prefix.exists(format!("own-choice t{turn} bit{j}"))).collect())
    }
}

/// Literals for "there is a black (white) stone on this cell after this turn".
#[derive(Default)]
pub struct Stones {
    pub black: Vec<Vec<Literal>>,
    pub white: Vec<Vec<Literal>>,
}

impl Stones {
    /// The stones after turn `t`, where `t` is the number of turns declared so far. Faithful: two variables for each
    /// cell. Lean: only the mover's stones change, and the board at the start is constant.
    pub fn declare(&mut self, play: &Play, prefix: &mut Prefix) {
        self.declare_within(play, prefix, play.all_cells());
    }

    /// The same; lean formulas have no stones outside `playable`.
    pub fn declare_within(&mut self, play: &Play, prefix: &mut Prefix, playable: WideSet) {
        let turn = self.black.len();
        for player in [Player::Black, Player::White] {
            let start = match player {
                Player::Black => play.game.black_start(),
                Player::White => play.game.white_start(),
            };
            let stones = match player {
                Player::Black => &mut self.black,
                Player::White => &mut self.white,
            };
            let row = play
                .cells()
                .map(|cell| {
                    if play.is_lean() {
                        if turn == 0 {
                            return Literal::constant(start.contains(cell));
                        }
                        let fixed = !playable.contains(cell) || !play.empty_at_start().contains(cell);
                        if play.player(turn) != player || fixed {
                            return stones[turn - 1][cell.index()];
                        }
                    }
                    let colour = player.to_string().to_lowercase();
                    prefix.exists(format!("{colour} t{turn} {}", play.name(cell)))
                })
                .collect();
            stones.push(row);
        }
    }

    pub fn of(&self, player: Player) -> &[Vec<Literal>] {
        match player {
            Player::Black => &self.black,
            Player::White => &self.white,
        }
    }

    /// The literals that say these stones were put at their turns.
    pub fn put<'a>(&'a self, stones: &'a [Stone]) -> impl Iterator<Item = Literal> + 'a {
        stones.iter().map(|stone| self.of(stone.player)[stone.turn][stone.cell.index()])
    }

    /// The board at the start, one stone to a cell, and stones that stay.
    pub fn rules(&self, play: &Play, sink: &mut Sink) {
        for cell in play.cells() {
            let c = cell.index();
            for (stones, start) in [(&self.black, play.game.black_start()), (&self.white, play.game.white_start())] {
                sink.clause([if start.contains(cell) { stones[0][c] } else { !stones[0][c] }]);
            }
        }
        for t in 1..=play.turns {
            for c in play.cells().map(Cell::index) {
                sink.clause([!self.black[t][c], !self.white[t][c]]);
                sink.implies([self.black[t - 1][c]], self.black[t][c]);
                sink.implies([self.white[t - 1][c]], self.white[t][c]);
            }
        }
    }

    /// No stone appears out of turn.
    pub fn wait_for_their_turn(&self, play: &Play, sink: &mut Sink) {
        for t in 1..=play.turns {
            let waiting = self.of(play.player(t).other());
            for c in play.cells().map(Cell::index) {
                sink.implies([!waiting[t - 1][c]], !waiting[t][c]);
            }
        }
    }

    /// No stone appears once the game has stopped.
    pub fn stop(&self, play: &Play, time: &[Literal], sink: &mut Sink) {
        for t in 1..=play.turns {
            for c in play.cells().map(Cell::index) {
                for stones in [&self.black, &self.white] {
                    sink.implies([!time[t], !stones[t - 1][c]], !stones[t][c]);
                }
            }
        }
    }

    /// Black's new stone at each of his turns is the one cell his own choice spells: at most one.
    pub fn one_black_stone(&self, play: &Play, choices: &[Bits], sink: &mut Sink) {
        for t in (1..=play.turns).filter(|&t| play.player(t) == Player::Black) {
            for c in play.cells().map(Cell::index) {
                for bit in choices[t].spell(c) {
                    sink.implies([!self.black[t - 1][c], self.black[t][c]], bit);
                }
            }
        }
    }

    /// Black has completed a set after the last turn, White none.
    pub fn black_has_won(&self, play: &Play, win: &[Literal], sink: &mut Sink) {
        self.black_has_completed(play, win, sink);
        for set in &play.white_sets {
            sink.clause(set.iter().map(|cell| !self.white[play.turns][cell.index()]));
        }
    }

    /// Black has completed a set after the last turn.
    pub fn black_has_completed(&self, play: &Play, win: &[Literal], sink: &mut Sink) {
        let black = &self.black[play.turns];
        for (&win, set) in win.iter().zip(&play.black_sets) {
            for cell in set.iter() {
                sink.implies([win], black[cell.index()]);
            }
            if !play.is_lean() {
                sink.implies(set.iter().map(|cell| black[cell.index()]), win);
            }
        }
        sink.clause(win.iter().copied());
    }

    /// Black's first stone is on one of these cells.
    pub fn first_move(&self, play: &Play, cells: WideSet, sink: &mut Sink) {
        if play.turns > 0 && play.player(1) == Player::Black {
            sink.clause(cells.iter().map(|cell| self.black[1][cell.index()]));
        }
    }

    /// Leaves out moves of `player`, who exists, that are images of others.
    pub fn leave_out_images(&self, play: &Play, player: Player, sink: &mut Sink) {
        if player == Player::Black {
            self.first_move(play, play.first_moves(), sink);
        }
        let last = play.turns.min(symmetry_breaking::DEEPEST);
        for t in (2..=last).filter(|&t| play.player(t) == player) {
            for line in play.lines(t) {
                for cell in line.left_out.iter() {
                    let put = self.put(&line.stones);
                    sink.implies(put, !self.of(player)[t][cell.index()]);
                }
            }
        }
    }
}

/// The placements of a shape, once for each orientation and anchor. Published sizes count them so.
fn placements_with_repetition(shape: &Shape, board: &Board) -> Vec<WideSet> {
    let mut found = Vec::new();
    for image in shape.orientations() {
        let (columns, rows) = match board.topology() {
            Topology::Torus => (board.width(), board.height()),
            Topology::Plain => {
                ((board.width() + 1).saturating_sub(image.width()), (board.height() + 1).saturating_sub(image.height()))
            }
        };
        for (dx, dy) in (0..columns).flat_map(|dx| (0..rows).map(move |dy| (dx, dy))) {
            let wrapped =
                |x: u8, y: u8| ((usize::from(x) + dx) % board.width(), (usize::from(y) + dy) % board.height());
            let cells = image.cells().iter().map(|&(x, y)| wrapped(x, y)).map(|(x, y)| board.cell(x, y));
            let set: WideSet = cells.collect();
            if set.len() == shape.size() {
                found.push(set);
            }
        }
    }
    found
}

/// Once the game has stopped, it does not go on.
pub fn time_runs_out(time: &[Literal], sink: &mut Sink) {
    for pair in time.windows(2) {
        sink.implies([pair[1]], pair[0]);
    }
}

/// One variable for each of Black's winning sets.
pub fn declare_wins(play: &Play, prefix: &mut Prefix) -> Vec<Literal> {
    play.black_sets.iter().map(|set| prefix.exists(format!("win {}", set_name(play, set)))).collect()
}

/// A set in words: `a1,a2`.
pub fn set_name(play: &Play, set: &WideSet) -> String {
    set.iter().map(|cell| play.name(cell)).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_take_as_many_bits_as_they_need() {
        let bits: Vec<usize> = [0, 1, 2, 3, 4, 5, 8, 9, 16, 17].map(bits_for).to_vec();
        assert_eq!(bits, [0, 0, 1, 2, 2, 3, 3, 4, 4, 5]);
    }
}
