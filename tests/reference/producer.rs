//! Certificates of tiny games by exhaustive search, of every kind the format knows, to feed the checkers with.

mod deck;
mod nodes;
mod play;

use super::game::{Game, group, image};
use super::{Set, bit};
use deck::Deck;
pub use deck::Turn;
use nodes::{Attack, Block, Pool, representatives};
pub use play::Leaves;
use play::{Hold, Loss, Win};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

/// A game with the header lines up to `turns`, but for the first.
#[derive(Clone)]
pub struct Task {
    pub game: Game,
    head: String,
    generators: Vec<Vec<usize>>,
}

impl Task {
    pub fn board(
        width: usize,
        height: usize,
        torus: bool,
        shape: &[(usize, usize)],
        strong: bool,
        turns: Option<&str>,
    ) -> Task {
        let mut game = Game::on_board(width, height, torus, shape, strong);
        let mut head = format!("game {width}x{height} {}", if torus { "torus" } else { "plain" });
        shape.iter().for_each(|(x, y)| write!(head, " {x},{y}").unwrap());
        write!(head, "\nrule {}\n", if strong { "strong" } else { "weak" }).unwrap();
        if let Some(turns) = turns {
            game.turns = turns.chars().collect();
            writeln!(head, "turns {turns}").unwrap();
        }
        Task { game, head, generators: Vec::new() }
    }

    /// A game of sets; `game.turns` is written unless it is the plain order over all empty cells.
    pub fn sets(game: Game) -> Task {
        let mut head = format!("game sets {}\n", game.cells);
        game.black.iter().for_each(|set| writeln!(head, "black {set:x}").unwrap());
        game.white.iter().for_each(|set| writeln!(head, "white {set:x}").unwrap());
        if game.start != (0, 0) {
            writeln!(head, "start {:x} {:x}", game.start.0, game.start.1).unwrap();
        }
        if let Some(first) = game.first {
            writeln!(head, "first {first:x}").unwrap();
        }
        writeln!(head, "rule {}", if game.strong { "strong" } else { "weak" }).unwrap();
        if !game.alternates() {
            writeln!(head, "turns {}", game.turns.iter().collect::<String>()).unwrap();
        }
        Task { game, head, generators: Vec::new() }
    }

    /// The same game with its symmetries given by generators.
    pub fn generated(mut self, generators: &[&[usize]]) -> Task {
        self.generators = generators.iter().map(|images| images.to_vec()).collect();
        self.generators.iter().for_each(|images| self.game.check_symmetry(images).unwrap());
        self.game.symmetries = group(&self.generators, self.game.cells).unwrap();
        self
    }

    fn header(&self, format: usize, claim: &str, symmetric: bool, cover: Option<Set>) -> String {
        let generated = symmetric && !self.generators.is_empty();
        let format = if generated { 2 } else { format };
        let mut text = format!("harary-certificate {format}\n{}claim {claim}\n", self.head);
        match (symmetric, generated) {
            (_, true) => writeln!(text, "symmetry generators {}", self.generators.len()).unwrap(),
            (true, _) => text += "symmetry board\n",
            _ => text += "symmetry none\n",
        }
        for images in self.generators.iter().filter(|_| generated) {
            let images: String = images.iter().map(|cell| format!(" {cell}")).collect();
            writeln!(text, "g{images}").unwrap();
        }
        if let Some(cover) = cover {
            writeln!(text, "cover {cover:x}").unwrap();
        }
        text
    }

    fn symmetries(&self, symmetric: bool) -> Vec<Vec<usize>> {
        if symmetric { self.game.symmetries.clone() } else { Vec::new() }
    }

    /// The empty cells at the start.
    fn empty(&self) -> Set {
        self.game.all() & !self.game.start.0 & !self.game.start.1
    }

    /// A `p` certificate that Black wins by this turn, if he does.
    pub fn win(&self, last: usize, symmetric: bool, cover: Option<Set>) -> Option<String> {
        let mut symmetries = self.symmetries(symmetric);
        let arena = cover.unwrap_or(self.game.all());
        symmetries.retain(|symmetry| image(symmetry, arena) == arena);
        let mut search = Win { game: &self.game, arena, last, symmetries, best: HashMap::new() };
        let (black, white) = self.game.start;
        if !search.wins(black, white, 0) {
            return None;
        }
        let mut lines = BTreeMap::new();
        search.collect(black, white, 0, &mut lines);
        let mut text = self.header(1, &format!("win {last}"), symmetric, cover);
        for ((black, white, elsewhere), cell) in lines {
            writeln!(text, "p {black:x} {white:x} {elsewhere} {cell}").unwrap();
        }
        Some(text)
    }

    /// An `l` certificate that White wins by this turn, if she does.
    pub fn loss(&self, last: usize, symmetric: bool) -> Option<String> {
        let symmetries = self.symmetries(symmetric);
        let mut search = Loss { game: &self.game, last, symmetries, best: HashMap::new() };
        let (black, white) = self.game.start;
        if !search.wins(black, white) {
            return None;
        }
        let mut lines = BTreeMap::new();
        search.collect(black, white, &mut lines);
        let mut text = self.header(2, &format!("loss {last}"), symmetric, None);
        for ((black, white), cell) in lines {
            writeln!(text, "l {black:x} {white:x} {cell}").unwrap();
        }
        Some(text)
    }

    /// A `q` certificate that White holds, up to a turn or for ever, if she does. `leaves` says what ends a line of
    /// play early.
    pub fn hold(&self, last: Option<usize>, symmetric: bool, leaves: Leaves) -> Option<String> {
        let limit = last.unwrap_or(usize::MAX).min(self.game.turns.len());
        let blocks = self.blocks(symmetric, true, self.game.strong, 0);
        let symmetries = self.symmetries(symmetric);
        let mut search = Hold { game: &self.game, last: limit, symmetries, best: HashMap::new(), leaves, blocks };
        let (black, white) = self.game.start;
        if !search.holds(black, white) {
            return None;
        }
        let mut lines = BTreeMap::new();
        search.collect(black, white, &mut lines);
        let claim = last.map_or("hold".to_owned(), |last| format!("hold {last}"));
        let format = if matches!(leaves, Leaves::None | Leaves::Pavings) { 1 } else { 2 };
        let mut text = self.header(format, &claim, symmetric, None);
        let roots: Vec<usize> = lines.values().filter_map(|line| line.node).collect();
        text += &search.blocks.pool.used(&roots);
        for ((black, white), line) in lines {
            let value = line.node.map_or(line.value, |id| format!(" {id}"));
            writeln!(text, "{} {black:x} {white:x}{value}", line.word).unwrap();
        }
        text += "root explicit\n";
        Some(text)
    }

    /// Block nodes, from nothing but the weak game; all of Black's moves or one out of each orbit.
    pub fn block(&self, symmetric: bool, pavings: bool) -> Option<String> {
        let mut search = self.blocks(symmetric, pavings, false, 1);
        let root = search.node(0, self.empty())?;
        Some(self.header(1, "hold", symmetric, None) + &search.pool.with_root(root))
    }

    /// Strong blocks, with White's threats.
    pub fn strong_block(&self, symmetric: bool, pavings: bool) -> Option<String> {
        let mut search = self.blocks(symmetric, pavings, true, 1);
        let root = search.node(0, self.empty())?;
        Some(self.header(2, "hold", symmetric, None) + &search.pool.with_root(root))
    }

    fn blocks(&self, symmetric: bool, pavings: bool, strong: bool, first: usize) -> Block<'_> {
        let pool = Pool::new(first);
        Block { game: &self.game, symmetric, pavings, strong, ids: HashMap::new(), pool }
    }

    /// Attack nodes of at most this height. Relaxed ones forget Black's stones where they can: the child's `Z` then
    /// contains them.
    pub fn attack(&self, height: usize, symmetric: bool, relaxed: bool) -> Option<String> {
        let pool = Pool::new(1);
        let mut search = Attack { game: &self.game, symmetric, relaxed, ids: HashMap::new(), pool };
        let root = search.node(0, self.empty(), height)?;
        let header = self.header(1 + usize::from(relaxed), &format!("win {}", 2 * height - 1), symmetric, None);
        Some(header + &search.pool.with_root(root))
    }

    /// One card from a box of these sides, put on the board in some way.
    pub fn card(&self, width: usize, height: usize, moves: usize, turn: Turn) -> Option<String> {
        let board = self.game.board.as_ref()?;
        let mut deck = Deck::new(width, height, &board.shape);
        let card = deck.solve(0, deck.all(), moves)?;
        let root = deck.put(&card, turn);
        Some(self.header(2, &format!("win {}", 2 * moves - 1), false, None) + &deck.pool.with_root(root))
    }

    /// An `a` node whose children are cards of the whole board.
    pub fn cards_below(&self, moves: usize, symmetric: bool) -> Option<String> {
        let board = self.game.board.as_ref()?;
        let mut deck = Deck::new(board.width, board.height, &board.shape);
        let all = self.game.all();
        for m in 0..self.game.cells {
            let (own, open) = (bit(m), all & !bit(m));
            let replies = representatives(&self.game, symmetric, own, open);
            let found: Option<Vec<_>> = replies.iter().map(|&r| deck.solve(own, open & !bit(r), moves - 1)).collect();
            let Some(found) = found else { continue };
            let ids: Vec<usize> = found.iter().map(|card| deck.put(card, Turn::default())).collect();
            let answers: String = replies.iter().zip(&ids).map(|(r, id)| format!(" {r}:{id}")).collect();
            let root = deck.pool.add("a", &format!("0 {all:x} move {m}{answers}"), ids);
            let header = self.header(2, &format!("win {}", 2 * moves - 1), symmetric, None);
            return Some(header + &deck.pool.with_root(root));
        }
        None
    }
}
