//! The attacker inside a cover: wins that need only a part of the board.
//!
//! Lemma 17 of [docs/game.md](../../docs/game.md#lemma-17-covers). A *cover* is a set of cells. Black plays inside it
//! only; White's stones inside are known, those elsewhere are only counted. Black wins *inside the cover* if he
//! completes a set before White could have completed one, wherever her stones elsewhere may lie: no winning set `e`
//! with `e ∩ cover` White's and `|e \ cover|` at most her count. Such a win is a win of the whole game, because each
//! real line of play is one of these with more known about it. The converse is false: that there is no win inside a
//! cover says nothing about the game.
//!
//! [`CoverGame`] writes this down as a positional game of its own. Its vertices are the cells of the cover and some
//! *places elsewhere*, which White fills in order and Black may not play. A set of White's with `k` cells outside the
//! cover becomes its part inside plus the first `k` places; so her completions and threats by counted stones are those
//! of any set, and a cover of thirteen cells on 19x19 fits one machine word. When no set asks for more places, or the
//! game is weak, a stone elsewhere is a pass.
//!
//! [`CoverAttacker`] is the attacker of [`super::alphabeta`] on the ground [`Inside`] a cover. What is different:
//! - *Elsewhere* is a reply of White's and her null move in one: it is tried at every White node, and Black's win after
//!   it has a zone in which every other reply must lie. A pass is never better than a stone, so it does no harm that
//!   the search lets White pass when no cell outside is left.
//! - *Zones* (see [`super::zone`]) speak of the cells of the cover. The places count as inside every zone, because a
//!   stone elsewhere is never ignored: where an ignored stone inside is answered as if it lay elsewhere, the proof
//!   counts one more than there is, which only helps White. So a missing place is a missing stone, as
//!   [`super::zone::guard`] needs it.
//! - *No shortcut* that judges a position with a pass in mind: neither the potential nor the double threats before two.

use super::alphabeta::{Attacker, Ground, Shared};
use crate::effort::Halt;
use crate::game::position::Position;
use crate::game::symmetry::SymmetryGroup;
use crate::game::{Game, GameError, Sets};
use harary_certificate::{Cell, CellSet, Player::Black, Schedule, Stones, WideSet};

/// The cells of all winning sets of Black's through `first`.
pub fn cover_of(game: &Game, first: Cell) -> WideSet {
    game.black_sets().iter().filter(|set| set.contains(first)).fold(WideSet::EMPTY, |cover, set| cover | *set)
}

/// The game inside a cover.
#[derive(Clone, Debug)]
pub struct CoverGame {
    cover: WideSet,
    /// The cells of the cover in order; number `i` is vertex `places + i`.
    cells: Vec<Cell>,
    places: usize,
    outside: usize,
    game: Game,
    board_symmetries: SymmetryGroup,
    symmetries: SymmetryGroup,
}

impl CoverGame {
    /// `game` inside `cover`. An empty cover makes no game.
    pub fn new(game: &Game, cover: WideSet) -> Result<CoverGame, GameError> {
        let cells: Vec<Cell> = cover.iter().collect();
        let places = game.white_sets().iter().map(|set| (*set - cover).len()).max().unwrap_or(0);
        let vertex = |cell: Cell| Cell::new(places + cells.partition_point(|other| *other < cell));
        let inside = |set: &WideSet| -> WideSet { (*set & cover).iter().map(vertex).collect() };
        let names = (1..=places).map(|place| format!("elsewhere {place}"));
        let names: Vec<String> = names.chain(cells.iter().map(|&cell| game.vertex_name(cell))).collect();
        let sets = Sets {
            black: game.black_sets().iter().filter(|set| set.is_subset(&cover)).map(inside).collect(),
            white: (game.white_sets().iter())
                .map(|set| inside(set) | WideSet::first_cells((*set - cover).len()))
                .collect(),
            rule: game.rule(),
            schedule: Schedule::alternating(names.len()),
            names,
            black_start: WideSet::EMPTY,
            white_start: WideSet::EMPTY,
            first: None,
        };
        let board_symmetries = game.symmetries().stabiliser(&[cover]);
        Ok(CoverGame {
            symmetries: board_symmetries.acting_on(&cover, places),
            board_symmetries,
            outside: game.vertices() - cells.len(),
            game: Game::of_sets(sets)?,
            cover,
            cells,
            places,
        })
    }

    /// The cells Black keeps to.
    pub fn cover(&self) -> &WideSet {
        &self.cover
    }

    /// The cells of the cover and the places elsewhere, as one game of sets.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// How many cells lie outside.
    pub fn outside(&self) -> usize {
        self.outside
    }

    /// The board's symmetries that keep the cover, acting on the vertices.
    pub fn symmetries(&self) -> &SymmetryGroup {
        &self.symmetries
    }

    /// The board's symmetries that keep the cover, acting on the board.
    pub fn board_symmetries(&self) -> &SymmetryGroup {
        &self.board_symmetries
    }

    /// The vertices that stand for stones elsewhere.
    pub fn places<const N: usize>(&self) -> CellSet<N> {
        CellSet::first_cells(self.places)
    }

    /// The vertices that are cells of the cover.
    pub fn inside<const N: usize>(&self) -> CellSet<N> {
        CellSet::first_cells(self.game.vertices()) - self.places()
    }

    /// The cell of the board a vertex of the cover stands for.
    pub fn board_cell(&self, vertex: Cell) -> Cell {
        self.cells[vertex.index() - self.places]
    }

    /// The cells of the board that vertices of the cover stand for.
    pub fn board_set<const N: usize>(&self, set: &CellSet<N>) -> WideSet {
        set.iter().map(|vertex| self.board_cell(vertex)).collect()
    }
}

/// A position inside a cover with Black to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CoverStones<const N: usize> {
    /// Black's stones, all in the cover.
    pub black: CellSet<N>,
    /// White's stones in the cover.
    pub white: CellSet<N>,
    /// How many she has outside.
    pub elsewhere: usize,
}

/// A cover as the attacker's ground.
pub struct Inside<const N: usize> {
    places: CellSet<N>,
    cover: CellSet<N>,
    single_minded: bool,
    most_nodes: u64,
}

impl<const N: usize> Ground<N> for Inside<N> {
    const ELSEWHERE: bool = true;

    fn for_black(&self, _position: &Position<'_, N>) -> CellSet<N> {
        self.cover
    }

    fn for_white(&self, position: &Position<'_, N>) -> CellSet<N> {
        position.empty() & self.cover
    }

    fn place(&self, position: &Position<'_, N>) -> Option<Cell> {
        (self.places - position.white()).first()
    }

    /// A threat elsewhere cannot be parried: nobody knows where it is.
    fn out_of_reach(&self, threats: CellSet<N>) -> bool {
        !threats.is_disjoint(&self.places)
    }

    fn single_minded(&self) -> bool {
        self.single_minded
    }

    fn most_nodes(&self) -> u64 {
        self.most_nodes
    }
}

/// The search inside one cover.
pub struct CoverAttacker<'a, const N: usize>(Attacker<'a, N, Inside<N>>);

impl<'a, const N: usize> CoverAttacker<'a, N> {
    /// The search of a game inside a cover; `shared` is about [`CoverGame::game`].
    pub fn new(game: &CoverGame, shared: &Shared<'a, N>) -> CoverAttacker<'a, N> {
        let (places, cover) = (game.places(), game.inside());
        CoverAttacker(Attacker::on(Inside { places, cover, single_minded: false, most_nodes: u64::MAX }, shared))
    }

    /// Black plays only inside sets he can still complete in time, except to parry a threat: the cover shrinks as the
    /// game goes on. The moves left out are legal, so this loses wins and proves none too many. One table must not
    /// serve both ways.
    pub fn single_minded(mut self, single_minded: bool) -> Self {
        self.0.ground.single_minded = single_minded;
        self
    }

    /// At most so many nodes.
    pub fn at_most(mut self, nodes: u64) -> Self {
        self.0.ground.most_nodes = nodes;
        self
    }

    /// Nodes searched so far.
    pub fn nodes(&self) -> u64 {
        self.0.nodes()
    }

    /// Whether Black, to move in the empty cover, completes a set with `left` moves.
    pub fn wins(&mut self, left: usize) -> Result<bool, Halt> {
        self.set_up(&CoverStones { black: CellSet::EMPTY, white: CellSet::EMPTY, elsewhere: 0 });
        self.0.wins(left)
    }

    /// The position to be asked about. Beyond the places that count, stones elsewhere change nothing.
    fn set_up(&mut self, stones: &CoverStones<N>) {
        let elsewhere = self.0.ground.places.iter().take(stones.elsewhere).collect::<CellSet<N>>();
        let stones = Stones::new(stones.black, stones.white | elsewhere);
        self.0.position = Position::with_stones(self.0.position.arena(), stones);
    }

    /// The cells at which Black completes a set.
    pub fn completions(&mut self, stones: &CoverStones<N>) -> CellSet<N> {
        self.set_up(stones);
        self.0.position.completions(Black)
    }

    /// Black to move and nothing to complete: a move after which he completes a set with `left` moves, this one
    /// included.
    pub fn winning_move(&mut self, stones: &CoverStones<N>, left: usize) -> Result<Option<Cell>, Halt> {
        self.set_up(stones);
        self.0.move_that_wins(left)
    }
}
