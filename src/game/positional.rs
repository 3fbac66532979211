//! The positional game: vertices, winning sets, schedule, stones already there.
//!
//! Strong, weak, handicap, GTTT(p,q), Hex puzzles: only the data differ. A [`Game`] is legal by construction, so that
//! nothing behind it checks again; it is wide and plain, made to be read. What a search needs in its inner loop is
//! built from it by [`crate::game::position::Arena`].

use super::automorphisms::automorphisms;
use super::placements;
use crate::game::ground::Ground;
use crate::game::symmetry::SymmetryGroup;
use crate::game::target::{Target, TargetError, WinningSets};
use harary_certificate::names::Names;
use harary_certificate::{
    Board, Cell, Claim, Header, MAX_CELLS, Player, Rule, Schedule, Setting, Shape, Stones, Symmetry, WIDE, WideSet,
};
use std::sync::{Arc, OnceLock};
use thiserror::Error;

/// Where a game comes from: this decides its names and its symmetries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A shape on a board.
    Board {
        /// What is to be completed.
        shape: Shape,
        /// Where.
        board: Board,
    },
    /// A target on the ground of some family, where that is no single shape on a board.
    Built {
        /// What is to be completed.
        target: Target,
        /// Where.
        ground: Ground,
    },
    /// Winning sets spelled out (a `.pg` file); the names of the vertices.
    Sets {
        /// Of the vertices, in order.
        names: Vec<String>,
    },
}

/// Why the parts do not make a game.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum GameError {
    /// Too many vertices, or none.
    #[error("a game has 1 to {MAX_CELLS} vertices, not {0}")]
    Vertices(usize),
    /// More turns than places for stones.
    #[error("the game has {turns} turns but only {empty} empty vertices")]
    TooManyTurns {
        /// The turns of the order of play.
        turns: usize,
        /// The vertices without a stone at the start.
        empty: usize,
    },
    /// Two stones on one vertex.
    #[error("the vertex {0} starts with a stone of each colour")]
    TwoStones(String),
    /// A winning set without vertices.
    #[error("an empty winning set: {0} would have won before the first turn")]
    EmptySet(Player),
    /// It is won before it begins.
    #[error("the stones on the board complete a winning set of {0} before the first turn")]
    Over(Player),
    /// Nobody ever moves.
    #[error("a game without turns")]
    NoTurns,
    /// Black's first move is restricted to nothing.
    #[error("no vertex is left for the first move")]
    NoFirstMove,
    /// GTTT(p,q) with p or q 0.
    #[error("'stones' are 1 or more a turn")]
    NoStones,
}

/// The parts of a game whose winning sets are spelled out; see [`Game::of_sets`].
#[derive(Clone, Debug)]
pub struct Sets {
    /// The names of the vertices; there are as many as names.
    pub names: Vec<String>,
    /// What Black may complete.
    pub black: Vec<WideSet>,
    /// What White may complete; not looked at under the weak rule.
    pub white: Vec<WideSet>,
    /// Whether White's sets count.
    pub rule: Rule,
    /// Whose turn it is when.
    pub schedule: Schedule,
    /// Black's stones at the start.
    pub black_start: WideSet,
    /// White's stones at the start.
    pub white_start: WideSet,
    /// Where the first stone may go, if not anywhere.
    pub first: Option<WideSet>,
}

/// A positional game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    origin: Origin,
    vertices: usize,
    black_sets: Vec<WideSet>,
    white_sets: Vec<WideSet>,
    rule: Rule,
    schedule: Schedule,
    black_start: WideSet,
    white_start: WideSet,
    first: Option<WideSet>,
    symmetries: Remembered,
}

/// The symmetries of a game of sets, once somebody has asked for them. They follow from the rest.
#[derive(Clone, Default, Debug)]
struct Remembered(OnceLock<Arc<SymmetryGroup>>);

impl PartialEq for Remembered {
    fn eq(&self, _: &Remembered) -> bool {
        true
    }
}

impl Eq for Remembered {}

impl Game {
    /// The game of a shape on a board, players alternating. A shape larger than the board makes a legal game
    /// without winning sets.
    pub fn new(shape: Shape, board: Board, rule: Rule) -> Game {
        let placements = placements(&shape, &board);
        Game {
            vertices: board.size(),
            white_sets: if rule == Rule::Strong { placements.clone() } else { Vec::new() },
            black_sets: placements,
            rule,
            schedule: Schedule::alternating(board.size()),
            black_start: WideSet::EMPTY,
            white_start: WideSet::EMPTY,
            first: None,
            origin: Origin::Board { shape, board },
            symmetries: Remembered::default(),
        }
    }

    /// The game of a target on a ground, players alternating. A single shape on a plain board or a torus is the game of
    /// [`Game::new`].
    pub fn built(target: Target, ground: Ground, rule: Rule) -> Result<Game, TargetError> {
        if let (Some(shape), Some(board)) = (target.shape(), ground.board()) {
            return Ok(Game::new(shape.clone(), board, rule));
        }
        let WinningSets { black, white } = target.sets(&ground)?;
        Ok(Game {
            vertices: ground.size(),
            white_sets: if rule == Rule::Strong { white } else { Vec::new() },
            black_sets: black,
            rule,
            schedule: Schedule::alternating(ground.size()),
            black_start: WideSet::EMPTY,
            white_start: WideSet::EMPTY,
            first: None,
            origin: Origin::Built { target, ground },
            symmetries: Remembered::default(),
        })
    }

    /// The same game under the weak rule, with the symmetries it has: there may be more.
    pub fn weak(&self) -> Game {
        let symmetries = Remembered(OnceLock::from(Arc::new(self.symmetries())));
        Game { white_sets: Vec::new(), rule: Rule::Weak, symmetries, ..self.clone() }
    }

    /// The game with the colours exchanged: what Black does there White does here, at the same turns.
    pub fn exchanged(&self) -> Game {
        let players = (0..self.schedule.len()).map_while(|turn| self.schedule.player_after(turn));
        Game {
            black_sets: self.white_sets.clone(),
            white_sets: self.black_sets.clone(),
            schedule: Schedule::of(players.map(Player::other).collect()),
            black_start: self.white_start,
            white_start: self.black_start,
            ..self.clone()
        }
    }

    /// Whether White might force a win of her own. She has no set under the weak rule; and where both have the same sets,
    /// she has no stone, and she moves neither first nor twice in a row, Black steals her strategy (docs/game.md, lemma 11).
    pub fn white_may_win(&self) -> bool {
        if self.rule == Rule::Weak || self.white_sets.is_empty() {
            return false;
        }
        let opening =
            (0..self.schedule.len()).take_while(|&turn| self.schedule.player_after(turn) == Some(Player::Black));
        let opening = opening.count();
        let stolen = self.black_sets == self.white_sets
            && self.white_start.is_empty()
            && self.first.is_none()
            && opening > 0
            && self.schedule == Schedule::handicap(opening - 1, self.schedule.len());
        !stolen
    }

    /// The same game with Black starting with `handicap` more stones: his first turns come together.
    pub fn with_handicap(mut self, handicap: usize) -> Game {
        self.schedule = Schedule::handicap(handicap, self.schedule.len());
        self
    }

    /// The same game as GTTT(p,q): `p` stones at a time, `q` at the very first.
    pub fn with_stones(mut self, p: usize, q: usize) -> Result<Game, GameError> {
        if p == 0 || q == 0 {
            return Err(GameError::NoStones);
        }
        self.schedule = Schedule::stones(p, q, self.schedule.len());
        Ok(self)
    }

    /// A game of winning sets spelled out. Repeated sets count once; White's are dropped under the weak rule.
    pub fn of_sets(sets: Sets) -> Result<Game, GameError> {
        let vertices = sets.names.len();
        if vertices == 0 || vertices > MAX_CELLS {
            return Err(GameError::Vertices(vertices));
        }
        let stones = sets.black_start | sets.white_start;
        let empty = vertices - stones.len();
        if sets.schedule.len() > empty {
            return Err(GameError::TooManyTurns { turns: sets.schedule.len(), empty });
        }
        if sets.schedule.is_empty() {
            return Err(GameError::NoTurns);
        }
        if let Some(cell) = (sets.black_start & sets.white_start).first() {
            return Err(GameError::TwoStones(sets.names[cell.index()].clone()));
        }
        let distinct = |mut list: Vec<WideSet>, owner: Player, start: &WideSet| {
            if list.iter().any(WideSet::is_empty) {
                return Err(GameError::EmptySet(owner));
            }
            if list.iter().any(|set| set.is_subset(start)) {
                return Err(GameError::Over(owner));
            }
            list.sort_unstable();
            list.dedup();
            Ok(list)
        };
        let black_sets = distinct(sets.black, Player::Black, &sets.black_start)?;
        let white_sets = match sets.rule {
            Rule::Strong => distinct(sets.white, Player::White, &sets.white_start)?,
            Rule::Weak => Vec::new(),
        };
        let first = sets.first.map(|first| first - stones);
        if first.is_some_and(|first| first.is_empty()) {
            return Err(GameError::NoFirstMove);
        }
        Ok(Game {
            origin: Origin::Sets { names: sets.names },
            vertices,
            black_sets,
            white_sets,
            rule: sets.rule,
            schedule: sets.schedule,
            black_start: sets.black_start,
            white_start: sets.white_start,
            first,
            symmetries: Remembered::default(),
        })
    }

    /// The rest of the game from one of its positions, given by its stones, as a game of sets. Its symmetries are those of the
    /// game that keep the stones, so that what is proved of it moves back to the game as it is.
    pub fn rest(&self, stones: &Stones<WIDE>) -> Result<Game, GameError> {
        let played = stones.len() - self.black_start.len() - self.white_start.len();
        let turns = (played..self.schedule.len()).filter_map(|played| self.schedule.player_after(played)).collect();
        let rest = Game::of_sets(Sets {
            names: (0..self.vertices).map(|vertex| self.vertex_name(Cell::new(vertex))).collect(),
            black: self.black_sets.clone(),
            white: self.white_sets.clone(),
            rule: self.rule,
            schedule: Schedule::of(turns),
            black_start: stones.black,
            white_start: stones.white,
            first: None,
        })?;
        let symmetries = self.symmetries().stabiliser(&[stones.black, stones.white]);
        Ok(Game { symmetries: Remembered(OnceLock::from(Arc::new(symmetries))), ..rest })
    }

    /// The same game under the names and in the place of another on the same vertices, if that one is a target on a ground:
    /// what is drawn then looks alike.
    pub fn in_place_of(self, other: &Game) -> Game {
        match &other.origin {
            Origin::Built { .. } => Game { origin: other.origin.clone(), ..self },
            Origin::Board { .. } | Origin::Sets { .. } => self,
        }
    }

    /// What a certificate of this game begins with. A game that ends before the board is full cannot claim more than its
    /// turns: its `hold` becomes a `hold K`.
    pub fn header(&self, claim: Claim, symmetric: bool, cover: Option<WideSet>) -> Header {
        Header {
            setting: match &self.origin {
                Origin::Board { shape, board } => Setting::Board { shape: shape.clone(), board: *board },
                Origin::Built { .. } | Origin::Sets { .. } => {
                    Setting::Sets { black: self.black_sets.clone(), white: self.white_sets.clone() }
                }
            },
            vertices: self.vertices,
            start: Stones::new(self.black_start, self.white_start),
            first: self.first,
            rule: self.rule,
            turns: self.schedule.clone(),
            claim: match claim {
                Claim::Hold(None) if self.is_cut_short() => Claim::Hold(Some(self.schedule.len())),
                claim => claim,
            },
            symmetry: match &self.origin {
                Origin::Board { .. } if symmetric => Symmetry::Board,
                Origin::Board { .. } => Symmetry::None,
                Origin::Built { .. } | Origin::Sets { .. } => self.generators(),
            },
            cover,
        }
    }

    /// The symmetries of sets spelled out, as a certificate names them: for its positions, and for the orbits of its nodes.
    fn generators(&self) -> Symmetry {
        let group = self.symmetries();
        let images = |symmetry: &crate::game::symmetry::Symmetry| {
            (0..self.vertices).map(|cell| symmetry.cell(Cell::new(cell))).collect()
        };
        match group.generators() {
            generators if generators.is_empty() => Symmetry::None,
            generators => Symmetry::Generators(generators.into_iter().map(images).collect()),
        }
    }

    /// Whether the game ends before its board is full.
    pub fn is_cut_short(&self) -> bool {
        self.schedule.len() < self.vertices - self.black_start.len() - self.white_start.len()
    }

    /// The stones before turn 1.
    pub fn start(&self) -> Stones<WIDE> {
        Stones::new(self.black_start, self.white_start)
    }

    /// Whether it is played from the empty board to the last cell, with any first move.
    pub fn is_whole(&self) -> bool {
        self.black_start.is_empty() && self.white_start.is_empty() && self.first.is_none() && !self.is_cut_short()
    }

    /// The empty vertices that may be played at turn 1, one of each kind: of those that the symmetries map to one another
    /// the least one.
    pub fn openings(&self) -> WideSet {
        let empty = WideSet::first_cells(self.vertices) - self.black_start - self.white_start;
        self.symmetries().representatives(&self.allowed(0, empty))
    }

    /// Whether the restriction of turn 1 means anything: if a vertex of each kind is allowed it does not (lemma 41).
    pub fn opens_narrowly(&self) -> bool {
        let empty = WideSet::first_cells(self.vertices) - self.black_start - self.white_start;
        self.first.is_some() && self.openings().len() < self.symmetries().representatives(&empty).len()
    }

    /// Where the game comes from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The shape and the board, unless the sets are spelled out.
    pub fn shape_on_board(&self) -> Option<(&Shape, &Board)> {
        match &self.origin {
            Origin::Board { shape, board } => Some((shape, board)),
            Origin::Built { .. } | Origin::Sets { .. } => None,
        }
    }

    /// The target and the ground, if the game is of a family of boards and no single shape on a board.
    pub fn target_on_ground(&self) -> Option<(&Target, &Ground)> {
        match &self.origin {
            Origin::Built { target, ground } => Some((target, ground)),
            Origin::Board { .. } | Origin::Sets { .. } => None,
        }
    }

    /// The board, if that is a plain one of squares or a torus.
    pub fn board(&self) -> Option<Board> {
        match &self.origin {
            Origin::Board { board, .. } => Some(*board),
            Origin::Built { ground, .. } => ground.board(),
            Origin::Sets { .. } => None,
        }
    }

    /// Where it is played, `7x7 plain`, unless the sets are spelled out.
    pub fn place(&self) -> Option<String> {
        match &self.origin {
            Origin::Board { board, .. } => Some(board.to_string()),
            Origin::Built { ground, .. } => Some(ground.to_string()),
            Origin::Sets { .. } => None,
        }
    }

    /// How many vertices there are.
    pub fn vertices(&self) -> usize {
        self.vertices
    }

    /// Black's winning sets, distinct and sorted.
    pub fn black_sets(&self) -> &[WideSet] {
        &self.black_sets
    }

    /// White's winning sets: none under the weak rule.
    pub fn white_sets(&self) -> &[WideSet] {
        &self.white_sets
    }

    /// Whether White's sets count.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Whose turn it is when.
    pub fn schedule(&self) -> &Schedule {
        &self.schedule
    }

    /// Black's stones at the start.
    pub fn black_start(&self) -> &WideSet {
        &self.black_start
    }

    /// White's stones at the start.
    pub fn white_start(&self) -> &WideSet {
        &self.white_start
    }

    /// The vertices allowed at turn 1, if not all.
    pub fn first(&self) -> Option<&WideSet> {
        self.first.as_ref()
    }

    /// The vertices that may be played at turn `played + 1`, given those that are empty.
    pub fn allowed(&self, played: usize, empty: WideSet) -> WideSet {
        match self.first {
            Some(first) if played == 0 => empty & first,
            _ => empty,
        }
    }

    /// The symmetries of the game: the board's, or those of the sets and the stones at the start. They need not keep the
    /// vertices allowed at turn 1: nothing but the start itself depends on these (lemma 12).
    pub fn symmetries(&self) -> SymmetryGroup {
        match &self.origin {
            Origin::Board { board, .. } => SymmetryGroup::of(board),
            Origin::Built { .. } | Origin::Sets { .. } => {
                self.symmetries.0.get_or_init(|| Arc::new(self.found_symmetries())).as_ref().clone()
            }
        }
    }

    /// Whether more than so many permutations of the vertices keep Black's sets: a shape on a torus may have more
    /// symmetries than the torus.
    pub fn has_more_symmetries_than(&self, known: usize) -> bool {
        automorphisms(self.vertices, &[&self.black_sets], &[]).len() > known
    }

    fn found_symmetries(&self) -> SymmetryGroup {
        let families = [self.black_sets.as_slice(), self.white_sets.as_slice()];
        // Most strong games have one list for both.
        let families = if families[0] == families[1] { &families[..1] } else { &families[..] };
        automorphisms(self.vertices, families, &[self.black_start, self.white_start])
    }

    /// The name of a vertex: `b3` on a board, its own in a `.pg` game.
    pub fn vertex_name(&self, cell: Cell) -> String {
        match &self.origin {
            Origin::Board { board, .. } => board.cell_name(cell),
            Origin::Built { ground, .. } => ground.cell_name(cell),
            Origin::Sets { names } => names[cell.index()].clone(),
        }
    }

    /// The names a certificate carries as a remark: those of a `.pg` game, where they say more than the numbers.
    pub fn names(&self) -> Option<Names> {
        match &self.origin {
            Origin::Board { .. } => None,
            Origin::Built { ground, .. } => {
                let names: Vec<String> = ground.cells().map(|cell| ground.cell_name(cell)).collect();
                Names::new(names.iter().map(String::as_str))
            }
            Origin::Sets { names } => Names::new(names.iter().map(String::as_str)),
        }
    }

    /// The vertex with this name.
    pub fn vertex(&self, name: &str) -> Option<Cell> {
        match &self.origin {
            Origin::Board { board, .. } => board.parse_cell(name).ok(),
            Origin::Built { ground, .. } => ground.cell_named(name),
            Origin::Sets { names } => names.iter().position(|known| known == name).map(Cell::new),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use harary_certificate::Topology;

    fn sets() -> Sets {
        Sets {
            names: ["p", "q", "r"].map(String::from).to_vec(),
            black: vec![WideSet::first_cells(2), WideSet::first_cells(2)],
            white: vec![WideSet::first_cells(3)],
            rule: Rule::Strong,
            schedule: Schedule::alternating(3),
            black_start: WideSet::EMPTY,
            white_start: WideSet::EMPTY,
            first: None,
        }
    }

    #[test]
    fn sets_count_once_and_white_has_none_in_the_weak_game() {
        let game = Game::of_sets(sets()).unwrap();
        assert_eq!((game.black_sets().len(), game.white_sets().len()), (1, 1));
        let game = Game::of_sets(Sets { rule: Rule::Weak, ..sets() }).unwrap();
        assert_eq!((game.black_sets().len(), game.white_sets().len()), (1, 0));
    }

    #[test]
    fn illegal_games_cannot_be_built() {
        let one = WideSet::first_cells(1);
        let cases = [
            (Sets { names: vec![], ..sets() }, GameError::Vertices(0)),
            (Sets { black_start: one, ..sets() }, GameError::TooManyTurns { turns: 3, empty: 2 }),
            (
                Sets { black_start: one, white_start: one, schedule: Schedule::alternating(1), ..sets() },
                GameError::TwoStones("p".into()),
            ),
            (Sets { black: vec![WideSet::EMPTY], ..sets() }, GameError::EmptySet(Player::Black)),
            (
                Sets { white: vec![one], white_start: one, schedule: Schedule::alternating(1), ..sets() },
                GameError::Over(Player::White),
            ),
            (Sets { first: Some(WideSet::EMPTY), ..sets() }, GameError::NoFirstMove),
        ];
        for (sets, error) in cases {
            assert_eq!(Game::of_sets(sets), Err(error));
        }
    }

    #[test]
    fn a_shape_that_does_not_fit_has_no_sets() {
        let board = Board::new(2, 2, Topology::Plain).unwrap();
        let game = Game::new(Shape::from_rows("XXX").unwrap(), board, Rule::Strong);
        assert!(game.black_sets().is_empty());
        assert_eq!(game.vertex("b2"), Some(Cell::new(3)));
        assert_eq!(game.vertex_name(Cell::new(2)), "a2");
    }
}
