//! The attacker inside a cover: wins that need only a part of the board.
//!
//! A *cover* is a set of cells. Black plays inside it only; White's stones inside are known, those elsewhere are only
//! counted. Black wins *inside the cover* if he completes a set before White could have completed one, wherever her
//! stones elsewhere may lie: no winning set `e` with `e ∩ cover` White's and `|e \ cover|` at most her count. Such a win
//! is a win of the whole game, because each real line of play is one of these with more known about it. The converse is
//! false: that there is no win inside a cover says nothing about the game.
//!
//! [`CoverGame`] writes this down as a positional game of its own. Its vertices are the cells of the cover and some
//! *places elsewhere*, which White fills in order and Black may not play. A set of White's with `k` cells outside the
//! cover becomes its part inside plus the first `k` places; so her completions and threats by counted stones are
//! those of any set, and a cover of thirteen cells on 19x19 fits one machine word. When no set asks for more places, or
//! the game is weak, a stone elsewhere is a pass.
//!
//! [`CoverAttacker`] searches it with the rules of [`super::alphabeta`]. What is different:
//! - *Elsewhere* is a reply of White's and her null move in one: it is tried at every White node, and Black's win
//!   after it has a zone in which every other reply must lie. A pass is never better than a stone, so it does no harm
//!   that the search lets White pass when no cell outside is left.
//! - *Zones* (see [`super::zone`]) speak of the cells of the cover. The places count as inside every zone, because a
//!   stone elsewhere is never ignored: where an ignored stone inside is answered as if it lay elsewhere, the proof counts one
//!   more than there is, which only helps White. So a missing place is a missing stone, as `guard` needs it.

use super::canon::Canon;
use super::ordering::{Ordering, pick};
use super::table::{Knowledge, Table};
use super::threats::{Win, double_threat, forcing_win};
use super::zone::guard;
use crate::effort::{Halt, Limits};
use crate::game::position::{Arena, Position};
use crate::game::symmetry::SymmetryGroup;
use crate::game::{Game, GameError, Sets};
use harary_certificate::{
    Cell, CellSet,
    Player::{Black, White},
    Schedule, Stones, WideSet,
};

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
    pub black: CellSet<N>,
    /// White's stones in the cover.
    pub white: CellSet<N>,
    /// How many she has outside.
    pub elsewhere: usize,
}

/// `Some(zone)`: Black wins, whatever White owns of the cover outside the zone. `None`: not in time.
type Answer<const N: usize> = Option<CellSet<N>>;

/// Forcing lines are tried with this many positions at most.
const FORCING_BUDGET: u32 = 200;

/// The search inside one cover.
pub struct CoverAttacker<'a, const N: usize> {
    table: &'a Table<N>,
    canon: &'a Canon,
    limits: &'a Limits,
    /// Black keeps to the sets he can still complete in time; he does not play to stop White's sets before he must.
    single_minded: bool,
    /// Nodes it may take; more halt it.
    most: u64,
    places: CellSet<N>,
    inside: CellSet<N>,
    position: Position<'a, N>,
    nodes: u64,
    ordering: Ordering,
}

impl<'a, const N: usize> CoverAttacker<'a, N> {
    pub fn new(
        game: &CoverGame,
        arena: &'a Arena<N>,
        table: &'a Table<N>,
        canon: &'a Canon,
        limits: &'a Limits,
    ) -> CoverAttacker<'a, N> {
        CoverAttacker {
            table,
            canon,
            limits,
            single_minded: false,
            most: u64::MAX,
            places: game.places(),
            inside: game.inside(),
            position: Position::new(arena),
            nodes: 0,
            ordering: Ordering::new(arena.cells()),
        }
    }

    /// Black plays only inside sets he can still complete in time, except to parry a threat: the cover shrinks as the
    /// game goes on. The moves left out are legal, so this loses wins and proves none too many. One table must not serve both ways.
    pub fn single_minded(mut self, single_minded: bool) -> Self {
        self.single_minded = single_minded;
        self
    }

    /// At most so many nodes.
    pub fn at_most(mut self, nodes: u64) -> Self {
        self.most = nodes;
        self
    }

    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether Black, to move in the empty cover, completes a set with `left` moves.
    pub fn wins(&mut self, left: usize) -> Result<bool, Halt> {
        self.set_up(&CoverStones { black: CellSet::EMPTY, white: CellSet::EMPTY, elsewhere: 0 });
        Ok(self.black(left, 0)?.is_some())
    }

    /// The position to be asked about. Beyond the places that count, stones elsewhere change nothing.
    fn set_up(&mut self, stones: &CoverStones<N>) {
        let elsewhere = self.places.iter().take(stones.elsewhere).collect::<CellSet<N>>();
        let stones = Stones::new(stones.black, stones.white | elsewhere);
        self.position = Position::with_stones(self.position.arena(), stones);
    }

    /// The cells at which Black completes a set.
    pub fn completions(&mut self, stones: &CoverStones<N>) -> CellSet<N> {
        self.set_up(stones);
        self.position.completions(Black)
    }

    /// Black to move and nothing to complete: a move after which he completes a set with `left` moves, this one
    /// included.
    pub fn winning_move(&mut self, stones: &CoverStones<N>, left: usize) -> Result<Option<Cell>, Halt> {
        self.set_up(stones);
        // A forcing win, however long, needs the fewest lines to write down; after that the shortest win does.
        let mut budget = FORCING_BUDGET;
        if let Some((cell, _)) = forcing_win(&mut self.position, left, 0, &mut budget) {
            return Ok(Some(cell));
        }
        for left in self.position.distance(Black).unwrap_or(left).max(3)..=left {
            if self.black(left, 0)?.is_none() {
                continue;
            }
            // The table should know; if it has forgotten, search again.
            let known = self.known();
            let wins = known.win > 0 && usize::from(known.win) <= left;
            if let (true, Some(cell)) = (wins, known.best) {
                return Ok(Some(cell));
            }
            let distance = self.position.distance(Black).unwrap_or(0);
            let forced = self.position.completions(White).first();
            return Ok(self.try_moves(left, 0, distance, forced, known.best)?.map(|(cell, _)| cell));
        }
        Ok(None)
    }

    fn known(&self) -> Knowledge<N> {
        self.table.known(self.canon, &self.position)
    }

    fn remember(&self, knowledge: Knowledge<N>, work: u64) {
        self.table.remember(self.canon, &self.position, knowledge, work);
    }

    /// Black to move with `left` moves, this one included; `ignored` White stones in the cover may be unknown to us.
    fn black(&mut self, left: usize, ignored: usize) -> Result<Answer<N>, Halt> {
        if let Some(cell) = self.position.completions(Black).first() {
            return Ok((left > 0).then(|| CellSet::single(cell)));
        }
        let Some(distance) = self.position.distance(Black).filter(|&distance| distance <= left) else {
            return Ok(None);
        };
        let threats = self.position.completions(White);
        // A threat elsewhere cannot be parried: nobody knows where it is.
        if threats.len() > 1 || !threats.is_disjoint(&self.places) {
            return Ok(None);
        }
        let forced = threats.first();
        if left == 2 {
            return Ok(double_threat(&self.position, forced, ignored, None).map(|(_, zone)| zone));
        }
        self.nodes += 1;
        self.limits.tick(self.nodes)?;
        if self.nodes > self.most {
            return Err(Halt);
        }
        let known = self.known();
        if usize::from(known.refuted) >= left {
            return Ok(None);
        }
        if known.win > 0 && usize::from(known.win) <= left && usize::from(known.ignored) >= ignored {
            return Ok(Some(known.zone));
        }
        let before = self.nodes;
        let mut budget = FORCING_BUDGET;
        let won = match forcing_win(&mut self.position, left, ignored, &mut budget) {
            Some(win) => Some(win),
            None => self.try_moves(left, ignored, distance, forced, known.best)?,
        };
        let work = self.nodes - before + 1;
        match won {
            Some((cell, zone)) => {
                self.ordering.credit(Black, cell, left);
                let (win, ignored) = (left as u8, ignored as u8);
                self.remember(Knowledge { win, refuted: known.refuted, best: Some(cell), zone, ignored }, work);
                Ok(Some(zone))
            }
            None => {
                self.remember(Knowledge { refuted: left as u8, ..known }, work);
                Ok(None)
            }
        }
    }

    /// Black's moves one after the other, until one wins.
    fn try_moves(
        &mut self,
        left: usize,
        ignored: usize,
        distance: usize,
        forced: Option<Cell>,
        best: Option<Cell>,
    ) -> Result<Option<Win<N>>, Halt> {
        let candidates = match forced {
            Some(cell) => CellSet::single(cell),
            None if distance == left || self.single_minded => self.position.reach(Black, left),
            None => self.position.reach(Black, left) | self.position.reach(White, left - 1),
        };
        self.ordering.weigh(&self.position, left);
        let mut moves = self.ordering.scored(Black, candidates & self.inside, best);
        let mut won = Ok(None);
        for place in 0..moves.len() {
            let cell = pick(&mut moves, place);
            self.position.play(cell, Black);
            let answer = self.white(left - 1, ignored);
            self.position.undo(cell, Black);
            match answer {
                Ok(None) => {}
                Ok(Some(zone)) => {
                    won = Ok(Some((cell, zone.with(cell))));
                    break;
                }
                Err(halt) => {
                    won = Err(halt);
                    break;
                }
            }
        }
        self.ordering.recycle(moves);
        won
    }

    /// White to move; Black has `left` moves after hers.
    fn white(&mut self, left: usize, ignored: usize) -> Result<Answer<N>, Halt> {
        if !self.position.completions(White).is_empty() {
            return Ok(None);
        }
        let threats = self.position.completions(Black);
        if let Some(cell) = threats.first() {
            // Any other reply loses at once, so a forced block is no move that a zone may ignore.
            let answer = match threats.without(cell).first() {
                Some(other) => Some(CellSet::single(cell).with(other)),
                None => {
                    self.position.play(cell, White);
                    let answer = self.black(left, ignored);
                    self.position.undo(cell, White);
                    answer?.map(|zone| zone.with(cell))
                }
            };
            return Ok(answer.filter(|_| left > 0).map(|zone| guard(&self.position, zone, ignored, None, None)));
        }
        let Some(distance) = self.position.distance(Black).filter(|&distance| distance <= left) else {
            return Ok(None);
        };
        if left < 2 {
            return Ok(None);
        }
        // What does Black threaten? The shortest win after a stone elsewhere has the smallest zone to reply in.
        let mut zone = None;
        for shorter in distance.max(2)..left {
            zone = self.after_elsewhere(shorter, ignored)?;
            if zone.is_some() {
                break;
            }
        }
        self.ordering.weigh(&self.position, left);
        let mut must = self.position.empty() & self.inside;
        if let Some(zone) = zone {
            must &= zone;
        }
        let mut replies = self.ordering.scored(White, must, None);
        let answer = self.try_replies(&mut replies, zone, left, ignored);
        self.ordering.recycle(replies);
        Ok(answer?.map(|zone| guard(&self.position, zone, ignored, None, None)))
    }

    /// White's replies one after the other, until one holds. `zone` is that of Black's win after a stone elsewhere; without
    /// it that reply is tried too, when the most likely one has failed.
    fn try_replies(
        &mut self,
        replies: &mut [(u32, Cell)],
        zone: Answer<N>,
        left: usize,
        ignored: usize,
    ) -> Result<Answer<N>, Halt> {
        let mut must = zone.unwrap_or(self.inside);
        let mut elsewhere_tried = zone.is_some();
        let mut zone = zone.unwrap_or(CellSet::EMPTY);
        for tried in 0..=replies.len() {
            if !elsewhere_tried && (tried > 0 || replies.is_empty()) {
                elsewhere_tried = true;
                let Some(found) = self.after_elsewhere(left, ignored)? else { return Ok(None) };
                zone |= found;
                must &= found;
            }
            if tried == replies.len() {
                break;
            }
            let cell = pick(replies, tried);
            if !must.contains(cell) {
                continue;
            }
            self.position.play(cell, White);
            let found = self.black(left, ignored + 1);
            self.position.undo(cell, White);
            let Some(found) = found? else {
                self.ordering.credit(White, cell, left);
                return Ok(None);
            };
            zone |= found;
            must &= found;
        }
        Ok(Some(zone))
    }

    /// White plays elsewhere: the next place, or a pass if none counts any more.
    fn after_elsewhere(&mut self, left: usize, ignored: usize) -> Result<Answer<N>, Halt> {
        match (self.places - self.position.white()).first() {
            Some(place) => {
                self.position.play(place, White);
                let answer = self.black(left, ignored + 1);
                self.position.undo(place, White);
                answer
            }
            None => {
                self.position.pass();
                let answer = self.black(left, ignored + 1);
                self.position.undo_pass();
                answer
            }
        }
    }
}
