//! Play by `move` variables and ladders: what COR and PAIRING share. They differ in who exists and who is "for all",
//! and in how the game is won.
//!
//! A ladder says "exactly one" in a linear number of clauses: rungs that imply one another, and each cell's move is the
//! step between two neighbouring rungs. The last rung is `time`: when the game has stopped, nobody moves.

use crate::qbf::formula::{Literal, Prefix, Sink};
use crate::qbf::play::{Bits, Menu, Play, Stones, time_runs_out};
use harary_certificate::{Cell, Player};

pub struct Ladder {
    /// The player whose choices are universal.
    universal: Player,
    pub time: Vec<Literal>,
    pub stones: Stones,
    /// `occupied` by turn and cell; none in lean mode, where black and white say it all.
    occupied: Vec<Vec<Literal>>,
    /// `move` by turn and cell; turn 0 has none.
    moves: Vec<Vec<Literal>>,
    rungs: Vec<Vec<Literal>>,
    choices: Vec<Bits>,
    menus: Vec<Option<Menu>>,
}

impl Ladder {
    /// Declares all turns. `menu` says what the universal player may choose, `time` declares that variable given the
    /// turn and the one before.
    pub fn new(
        play: &Play,
        prefix: &mut Prefix,
        universal: Player,
        menu: impl Fn(usize) -> Menu,
        time: impl Fn(&mut Prefix, usize, Option<Literal>) -> Literal,
    ) -> Ladder {
        let mut ladder = Ladder {
            universal,
            time: Vec::new(),
            stones: Stones::default(),
            occupied: Vec::new(),
            moves: Vec::new(),
            rungs: Vec::new(),
            choices: Vec::new(),
            menus: Vec::new(),
        };
        for turn in 0..=play.turns {
            let before = ladder.time.last().copied();
            ladder.time.push(time(prefix, turn, before));
            let menu = (turn > 0 && play.player(turn) == universal).then(|| menu(turn));
            ladder.choices.push(match &menu {
                Some(menu) => play.choice(prefix, turn, menu.bits),
                None => Bits::default(),
            });
            ladder.menus.push(menu);
            let moved = |prefix: &mut Prefix, cell: Cell| {
                if play.is_lean() && !play.empty_at_start().contains(cell) {
                    return Literal::FALSE;
                }
                prefix.exists(format!("move t{turn} {}", play.name(cell)))
            };
            let cells = play.cells().filter(|_| turn > 0);
            ladder.moves.push(cells.map(|cell| moved(prefix, cell)).collect());
            ladder.stones.declare(play, prefix);
            let of_turn = |what: &str, cell: Cell| format!("{what} t{turn} {}", play.name(cell));
            let faithful = play.cells().filter(|_| !play.is_lean());
            ladder.occupied.push(faithful.map(|cell| prefix.exists(of_turn("occupied", cell))).collect());
            // As published the last cell has a rung too, which no clause uses.
            let rungs = if play.is_lean() { play.empty_at_start().len().saturating_sub(1) } else { play.vertices() };
            let rungs = (1..=rungs).filter(|_| turn > 0);
            ladder.rungs.push(rungs.map(|rung| prefix.exists(format!("ladder t{turn} {rung}"))).collect());
        }
        ladder
    }

    /// The literals of which one is true if the cell is occupied after the turn.
    fn occupied(&self, turn: usize, cell: usize) -> [Literal; 2] {
        match self.occupied[turn].get(cell) {
            Some(&occupied) => [occupied, Literal::FALSE],
            None => [self.stones.black[turn][cell], self.stones.white[turn][cell]],
        }
    }

    /// Whether a cell is occupied after the last turn: one of these.
    pub fn occupied_at_the_end(&self, cell: Cell) -> [Literal; 2] {
        self.occupied(self.time.len() - 1, cell.index())
    }

    /// The rules of the game.
    pub fn rules(&self, play: &Play, sink: &mut Sink) {
        time_runs_out(&self.time, sink);
        self.stones.rules(play, sink);
        self.stones.wait_for_their_turn(play, sink);
        if !play.is_lean() {
            // The ladder already says these two.
            self.stones.stop(play, &self.time, sink);
            for t in 1..=play.turns {
                for &moved in &self.moves[t] {
                    sink.implies([!self.time[t]], !moved);
                }
            }
            self.occupied_means_black_or_white(play, sink);
        }
        for t in 1..=play.turns {
            let stones = self.stones.of(play.player(t));
            for c in play.cells().map(Cell::index) {
                let moved = self.moves[t][c];
                for occupied in self.occupied(t - 1, c) {
                    sink.implies([occupied], !moved);
                }
                sink.implies([moved], stones[t][c]);
                sink.implies([!moved, !stones[t - 1][c]], !stones[t][c]);
            }
            self.choose(t, sink);
            self.one_move(t, sink);
        }
    }

    fn occupied_means_black_or_white(&self, play: &Play, sink: &mut Sink) {
        for (c, &occupied) in self.occupied[0].iter().enumerate() {
            let empty = play.empty_at_start().contains(Cell::new(c));
            sink.clause([if empty { !occupied } else { occupied }]);
        }
        for t in 1..=play.turns {
            for c in play.cells().map(Cell::index) {
                let parts = [self.stones.black[t][c], self.stones.white[t][c]];
                sink.any_of(self.occupied[t][c], &parts);
            }
        }
    }

    /// The universal player's choice becomes a move, if the cell is free and the game goes on. Any other choice leaves
    /// the move to the other player.
    fn choose(&self, t: usize, sink: &mut Sink) {
        for line in self.menus[t].iter().flat_map(|menu| &menu.lines) {
            for &(code, cell) in &line.moves {
                let free = self.occupied(t - 1, cell.index()).map(|occupied| !occupied);
                let conditions = [self.time[t]].into_iter().chain(free).chain(self.choices[t].spell(code));
                sink.implies(self.stones.put(&line.stones).chain(conditions), self.moves[t][cell.index()]);
            }
        }
    }

    /// Exactly one move while the game goes on.
    fn one_move(&self, t: usize, sink: &mut Sink) {
        let moves: Vec<Literal> = self.moves[t].iter().copied().filter(|moved| !moved.is_constant()).collect();
        let time = self.time[t];
        let steps = moves.len().saturating_sub(1);
        let rungs = &self.rungs[t][..steps];
        for (i, &moved) in moves.iter().enumerate() {
            let below = if i == 0 { Literal::FALSE } else { rungs[i - 1] };
            let above = if i == steps { time } else { rungs[i] };
            if i > 0 {
                sink.implies([below], above);
            }
            sink.all_of(moved, &[!below, above]);
        }
    }

    /// The player who exists need not look at images of other moves.
    pub fn leave_out_images(&self, play: &Play, sink: &mut Sink) {
        self.stones.leave_out_images(play, self.universal.other(), sink);
    }
}
