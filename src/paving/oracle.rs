//! The paving oracle: one incremental SAT solver per game and thread, positions as assumptions.
//!
//! For each pair of cells inside some winning set there is a variable, "this pair is used", and at most one pair uses a
//! cell. Each cell has two more: "White may own it" and "Black owns it". A winning set is a clause: some pair in it is
//! used, or White may own one of its cells. Black's stones switch their pairs off. A position assumes "White does not
//! own it" of every cell without a white stone and "Black owns it" of every black stone, so that the assumptions in an
//! unsatisfiable core are exactly the cells and stones a "no" depends on, and it holds wherever they are the same (lemma 22
//! of [docs/game.md](../../docs/game.md#lemma-22-no-paving)).

use crate::effort::tuning::clock::SOLVER_DECISIONS;
use crate::effort::tuning::paving::{EASY, NEAR, SLICE, STEPS};
use crate::effort::{Halt, Limits};
use crate::game::Game;
use crate::paving::backtracking::{Backtracking, Found};
use crate::paving::{Answer, NoPaving, Pairs, Paving};
use harary_certificate::{Cell, CellSet, Player, Stones};
use rustsat::instances::Cnf;
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Lit, TernaryVal};
use rustsat_batsat::BasicSolver;
use std::cell::{Cell as Counter, RefCell};
use std::rc::Rc;

/// Answers paving questions about the positions of one game.
pub struct Oracle<const N: usize> {
    sets: Vec<CellSet<N>>,
    cells: usize,
    pairs: Vec<(Cell, Cell)>,
    backtracking: Backtracking<N>,
    /// Steps of backtracking before the solver is asked.
    steps: u32,
    /// Whether the last answer was cheap.
    easy: bool,
    solver: BasicSolver,
    assumptions: Vec<Lit>,
    calls: u64,
    /// Decisions left to the solver.
    decisions: Rc<Counter<u32>>,
    /// When the solver must stop.
    limits: Rc<RefCell<Limits>>,
}

impl<const N: usize> Oracle<N> {
    /// The oracle for Black's winning sets of a game of at most `64 * N` cells.
    pub fn new(game: &Game, allowed: Pairs) -> Oracle<N> {
        let cells = game.vertices();
        let sets: Vec<CellSet<N>> = game.black_sets().iter().map(|set| set.resized()).collect();
        let may_pair = |a: Cell, b: Cell| match (allowed, game.shape_on_board()) {
            (Pairs::Any, _) => true,
            (Pairs::Dominoes, None) => game.target_on_ground().is_some_and(|(_, ground)| ground.touch(a, b)),
            (Pairs::Dominoes, Some((_, board))) => {
                let (ax, ay) = board.xy(a);
                let (bx, by) = board.xy(b);
                let apart = |p: usize, q: usize, side: usize| match p.abs_diff(q) {
                    0 => 0,
                    d if d == 1 || (board.is_torus() && d == side - 1) => 1,
                    _ => 2,
                };
                apart(ax, bx, board.width()) + apart(ay, by, board.height()) == 1
            }
        };
        let mut number = vec![None; cells * cells];
        let mut pairs = Vec::new();
        let mut clauses = Cnf::new();
        for set in &sets {
            let mut clause: Vec<Lit> = set.iter().map(white_may_own).collect();
            for a in set.iter() {
                for b in set.iter().filter(|&b| b > a && may_pair(a, b)) {
                    let pair = *number[a.index() * cells + b.index()].get_or_insert_with(|| {
                        pairs.push((a, b));
                        pairs.len() - 1
                    });
                    clause.push(used(cells, pair));
                }
            }
            clauses.add_clause(clause.as_slice().into());
        }
        let mut pairs_of: Vec<Vec<usize>> = vec![Vec::new(); cells];
        for (pair, &(a, b)) in pairs.iter().enumerate() {
            pairs_of[a.index()].push(pair);
            pairs_of[b.index()].push(pair);
        }
        let mut variables = 2 * cells + pairs.len();
        for (index, list) in pairs_of.iter().enumerate() {
            let uses: Vec<Lit> = list.iter().map(|&pair| used(cells, pair)).collect();
            uses.iter().for_each(|&pair| clauses.add_binary(!black_owns(cells, Cell::new(index)), !pair));
            at_most_one(&uses, &mut clauses, &mut variables);
        }
        let mut solver = BasicSolver::default();
        // BatSat takes every clause; the error of the trait is for other solvers.
        solver.add_cnf(clauses).expect("BatSat takes every clause");
        let decisions = Rc::new(Counter::new(0u32));
        let limits = Rc::new(RefCell::new(Limits::none()));
        let (left, stopping) = (decisions.clone(), limits.clone());
        // The solver asks at every decision whether to stop.
        solver.batsat_mut().cb_mut().set_stop(move || {
            left.set(left.get().saturating_sub(1));
            // Once it is to stop it stays so: the solver asks again on its way out.
            if left.get().is_multiple_of(SOLVER_DECISIONS) && stopping.borrow().check_time().is_err() {
                left.set(0);
            }
            left.get() == 0
        });
        Oracle {
            sets,
            cells,
            pairs,
            backtracking: Backtracking::default(),
            // Backtracking takes any pairs, so that dominoes are left to the solver.
            steps: if allowed == Pairs::Any { STEPS } else { 0 },
            easy: false,
            solver,
            assumptions: Vec::new(),
            calls: 0,
            decisions,
            limits,
        }
    }

    /// Whether the last answer was so cheap that it is better found again than kept.
    pub fn was_easy(&self) -> bool {
        self.easy
    }

    /// How often the SAT solver was asked.
    pub fn calls(&self) -> u64 {
        self.calls
    }

    /// Is there a paving with Black to move?
    pub fn paving(&mut self, stones: Stones<N>) -> Answer<N> {
        self.paving_within(stones, &Limits::none()).expect("nothing stops it")
    }

    /// The same, unless it is stopped.
    pub fn paving_within(&mut self, stones: Stones<N>, limits: &Limits) -> Result<Answer<N>, Halt> {
        self.easy = true;
        limits.check_time()?;
        if let Some(no) = self.too_few_empty(stones) {
            return Ok(Answer::None(no));
        }
        let Stones { black, white } = stones;
        let free = CellSet::<N>::first_cells(self.cells) - white;
        if self.steps > 0 {
            let found = self.backtracking.pave(&self.sets, free - black, white, self.steps, limits);
            self.easy = self.steps - self.backtracking.steps_left() < EASY;
            match found {
                Found::Paved(pairs) => return Ok(Answer::Paved(reduced(&self.sets, pairs, white))),
                Found::None(cells) => return Ok(Answer::None(NoPaving { cells, black: cells & black })),
                Found::Unknown => limits.check_time()?,
            }
        }
        self.easy = false;
        if let Some(no) = self.too_many_sets(stones) {
            return Ok(Answer::None(no));
        }
        *self.limits.borrow_mut() = limits.clone();
        if let Some(no) = self.none_near_black(free, stones)? {
            return Ok(Answer::None(no));
        }
        let paved = loop {
            match self.ask(free, black, SLICE) {
                Some(paved) => break paved,
                None => limits.check_now()?,
            }
        };
        Ok(if paved { Answer::Paved(self.paving_found(stones)) } else { Answer::None(self.core_found()) })
    }

    /// A paving with Black to move, if so many steps of backtracking find one.
    pub fn paving_soon(&mut self, stones: Stones<N>, steps: u32, limits: &Limits) -> Option<Paving<N>> {
        let empty = CellSet::<N>::first_cells(self.cells) - stones.occupied();
        match self.backtracking.pave(&self.sets, empty, stones.white, steps, limits) {
            Found::Paved(pairs) => Some(reduced(&self.sets, pairs, stones.white)),
            Found::None(_) | Found::Unknown => None,
        }
    }

    /// A paving with Black to move, if the solver finds one by so many decisions.
    pub fn paving_by(&mut self, stones: Stones<N>, decisions: u32, limits: &Limits) -> Option<Paving<N>> {
        *self.limits.borrow_mut() = limits.clone();
        let free = CellSet::<N>::first_cells(self.cells) - stones.white;
        (self.ask(free, stones.black, decisions) == Some(true)).then(|| self.paving_found(stones))
    }

    /// With White to move: a paving as it is, or once she has put a stone. She must put it into the cells of every "no"
    /// found so far, else that "no" still holds.
    pub fn paving_white_first(
        &mut self,
        stones: Stones<N>,
        limits: &Limits,
    ) -> Result<Option<(Option<Cell>, Paving<N>)>, Halt> {
        let mut left = match self.paving_within(stones, limits)? {
            Answer::Paved(paving) => return Ok(Some((None, paving))),
            Answer::None(no) => no.cells - stones.black,
        };
        while let Some(stone) = left.first() {
            limits.check_now()?;
            match self.paving_within(stones.with(Player::White, stone), limits)? {
                Answer::Paved(paving) => return Ok(Some((Some(stone), paving))),
                Answer::None(no) => left &= no.cells,
            }
        }
        Ok(None)
    }

    /// A winning set free of White with fewer than two empty cells has no room for a pair.
    fn too_few_empty(&self, Stones { black, white }: Stones<N>) -> Option<NoPaving<N>> {
        self.sets
            .iter()
            .find(|set| set.is_disjoint(&white) && (**set - black).len() < 2)
            .map(|&set| NoPaving { cells: set, black: set & black })
    }

    /// There are not enough pairs: half as many as empty cells in live sets, each good for as many sets as the best
    /// one. It is so wherever these sets are live and Black owns as much of them: pairs are only fewer there.
    fn too_many_sets(&self, Stones { black, white }: Stones<N>) -> Option<NoPaving<N>> {
        let live: Vec<CellSet<N>> = self.sets.iter().filter(|set| set.is_disjoint(&white)).copied().collect();
        let cells = live.iter().fold(CellSet::EMPTY, |cells, set| cells | *set);
        let most = (cells - black).len() / 2;
        let free = |&&(a, b): &&(Cell, Cell)| !black.contains(a) && !black.contains(b);
        let serves = |&(a, b): &(Cell, Cell)| live.iter().filter(|set| set.contains(a) && set.contains(b)).count();
        let best = self.pairs.iter().filter(free).map(serves).max().unwrap_or(0);
        (live.len() > best * most).then(|| NoPaving { cells, black: cells & black })
    }

    /// Asks the solver for a paving where White owns nothing in `free` and Black owns `black`; `None` if it needs more
    /// than so many decisions.
    fn ask(&mut self, free: CellSet<N>, black: CellSet<N>, decisions: u32) -> Option<bool> {
        let cells = self.cells;
        self.assumptions.clear();
        // Said first, so that the solver never guesses otherwise; no "no" can depend on it.
        let others = CellSet::<N>::first_cells(cells) - free;
        self.assumptions.extend(others.iter().map(white_may_own));
        self.assumptions.extend(black.iter().map(|cell| black_owns(cells, cell)));
        self.assumptions.extend(free.iter().map(|cell| !white_may_own(cell)));
        self.calls += 1;
        self.decisions.set(decisions);
        match self.solver.solve_assumps(&self.assumptions) {
            Ok(SolverResult::Sat) => Some(true),
            Ok(SolverResult::Unsat) => Some(false),
            _ => None,
        }
    }

    /// A "no" that needs only the live sets with the most black stones: sought there first, then with fewer and fewer
    /// stones in a set. It is found sooner than in the whole position, and its cells are few. Leaving sets out is
    /// sound: a paving of them all would be one of these.
    fn none_near_black(
        &mut self,
        free: CellSet<N>,
        Stones { black, white }: Stones<N>,
    ) -> Result<Option<NoPaving<N>>, Halt> {
        let mut last = CellSet::EMPTY;
        let live = self.sets.iter().filter(|set| set.is_disjoint(&white));
        let Some(most) = live.map(|set| (*set & black).len()).max() else { return Ok(None) };
        for stones in (1..=most).rev() {
            let has_enough = |set: &&CellSet<N>| set.is_disjoint(&white) && (**set & black).len() >= stones;
            let near = self.sets.iter().filter(has_enough).fold(CellSet::EMPTY, |near, set| near | *set);
            if near == free {
                break;
            }
            if near != last && self.ask(near, black & near, NEAR) == Some(false) {
                return Ok(Some(self.core_found()));
            }
            self.limits.borrow().check_time()?;
            last = near;
        }
        Ok(None)
    }

    /// The part of the last question that made it a "no".
    fn core_found(&mut self) -> NoPaving<N> {
        let core = self.solver.core().expect("the solver has just said no");
        let mut no = NoPaving { cells: CellSet::EMPTY, black: CellSet::EMPTY };
        for literal in core {
            let variable = literal.vidx();
            if variable < self.cells {
                no.cells.insert(Cell::new(variable));
            } else {
                no.black.insert(Cell::new(variable - self.cells));
            }
        }
        no.cells |= no.black;
        no
    }

    /// The paving the solver has just found, without the pairs and stones it does not need.
    fn paving_found(&self, stones: Stones<N>) -> Paving<N> {
        let occupied = stones.occupied();
        let is_used = |pair: usize| matches!(self.solver.lit_val(used(self.cells, pair)), Ok(TernaryVal::True));
        let mut found: Vec<CellSet<N>> = Vec::new();
        for (pair, &(a, b)) in self.pairs.iter().enumerate() {
            if is_used(pair) && !occupied.contains(a) && !occupied.contains(b) {
                found.push(CellSet::single(a).with(b));
            }
        }
        reduced(&self.sets, found, stones.white)
    }
}

/// The literal "White may own this cell".
fn white_may_own(cell: Cell) -> Lit {
    Lit::positive(cell.index() as u32)
}

/// The literal "Black owns this cell".
fn black_owns(cells: usize, cell: Cell) -> Lit {
    Lit::positive((cells + cell.index()) as u32)
}

/// The literal "this pair is used".
fn used(cells: usize, pair: usize) -> Lit {
    Lit::positive((2 * cells + pair) as u32)
}

/// At most one of these literals is true: a new variable says in which half it is, and so on in the halves. On these
/// questions this is two to three times as fast as a clause for every two of them.
fn at_most_one(literals: &[Lit], clauses: &mut Cnf, variables: &mut usize) {
    if literals.len() <= 4 {
        for (i, &first) in literals.iter().enumerate() {
            literals[i + 1..].iter().for_each(|&second| clauses.add_binary(!first, !second));
        }
        return;
    }
    let (left, right) = literals.split_at(literals.len() / 2);
    let is_left = Lit::positive(*variables as u32);
    *variables += 1;
    left.iter().for_each(|&literal| clauses.add_binary(!literal, is_left));
    right.iter().for_each(|&literal| clauses.add_binary(!literal, !is_left));
    at_most_one(left, clauses, variables);
    at_most_one(right, clauses, variables);
}

/// Drops the pairs that only stop sets that are stopped anyway, those with the fewest sets first, and then White's
/// stones that are not needed beside the pairs that are left.
fn reduced<const N: usize>(sets: &[CellSet<N>], mut pairs: Vec<CellSet<N>>, white: CellSet<N>) -> Paving<N> {
    let free: Vec<CellSet<N>> = sets.iter().filter(|set| set.is_disjoint(&white)).copied().collect();
    let stops = |pair: &CellSet<N>| free.iter().filter(|set| pair.is_subset(set)).count();
    pairs.sort_by_cached_key(stops);
    let mut stopped: Vec<usize> =
        free.iter().map(|set| pairs.iter().filter(|pair| pair.is_subset(set)).count()).collect();
    pairs.retain(|pair| {
        let inside = |set: &CellSet<N>| pair.is_subset(set);
        let needed = free.iter().zip(&stopped).any(|(set, &count)| count == 1 && inside(set));
        if !needed {
            free.iter().zip(&mut stopped).filter(|(set, _)| inside(set)).for_each(|(_, count)| *count -= 1);
        }
        needed
    });
    let mut needed = white;
    for stone in white.iter() {
        let alone = |set: &CellSet<N>| {
            (*set & needed) == CellSet::single(stone) && !pairs.iter().any(|pair| pair.is_subset(set))
        };
        if !sets.iter().any(alone) {
            needed.remove(stone);
        }
    }
    let zone = pairs.iter().fold(CellSet::EMPTY, |zone, pair| zone | *pair);
    let mut pairs: Vec<(Cell, Cell)> = pairs
        .iter()
        .filter_map(|pair| {
            let mut cells = pair.iter();
            Some((cells.next()?, cells.next()?))
        })
        .collect();
    pairs.sort_unstable();
    Paving { pairs, white: needed, zone }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effort::tuning::clock::PAVING_STEPS;
    use crate::paving::exhaustive::{can_be_paved, holds};
    use harary_certificate::{Board, Rule, Shape, Topology};
    use proptest::prelude::*;
    use std::collections::HashMap;

    type Set = CellSet<1>;

    fn game(rows: &str, sides: (usize, usize), torus: bool) -> Game {
        let topology = if torus { Topology::Torus } else { Topology::Plain };
        let board = Board::new(sides.0, sides.1, topology).unwrap();
        Game::new(Shape::from_rows(rows).unwrap(), board, Rule::Weak)
    }

    fn sets_of(game: &Game) -> Vec<Set> {
        game.black_sets().iter().map(|set| set.resized()).collect()
    }

    /// What a paving claims, by its definition.
    fn assert_paving(sets: &[Set], paving: &Paving<1>, black: Set, white: Set) {
        assert!(paving.white.is_subset(&white) && paving.zone.is_disjoint(&(black | white)));
        let pairs: Vec<Set> = paving.pairs.iter().map(|&(a, b)| Set::single(a).with(b)).collect();
        assert_eq!(pairs.iter().map(Set::len).sum::<usize>(), paving.zone.len(), "disjoint");
        assert_eq!(pairs.iter().fold(Set::EMPTY, |zone, &pair| zone | pair), paving.zone);
        for set in sets {
            assert!(!set.is_disjoint(&paving.white) || pairs.iter().any(|pair| pair.is_subset(set)));
        }
    }

    const SHAPES: [&str; 8] = ["XX", "XXX", "X./XX", "XX/XX", "XX./.XX", ".X./XXX", "X.X", "X.../XXXX"];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(800))]
        /// "Paved" is a hold of the weak game; "none" is what an exhaustive pair search says; both generalise as they
        /// claim.
        #[test]
        fn the_oracle_is_right(
            shape in 0..SHAPES.len(), width in 2..6usize, height in 2..6usize, torus: bool,
            colours in prop::collection::vec(0..4u8, 25), more in prop::collection::vec(0..4u8, 25), by_solver: bool,
        ) {
            let game = game(SHAPES[shape], (width, height), torus);
            let (sets, cells) = (sets_of(&game), game.vertices());
            let board = Set::first_cells(cells);
            let of = |colour: u8| board.iter().filter(|cell| colours[cell.index()] == colour).collect::<Set>();
            let (black, white) = (of(0), of(1));
            let mut oracle = Oracle::new(&game, Pairs::Any);
            if by_solver {
                oracle.steps = 0;
            }
            // Twice, so that the second answer comes from a solver that has learnt.
            for _ in 0..2 {
                match oracle.paving(Stones::new(black, white)) {
                    Answer::Paved(paving) => {
                        assert_paving(&sets, &paving, black, white);
                        if (board - black - white).len() <= 13 {
                            prop_assert!(holds(&sets, cells, black, white, &mut HashMap::new()));
                        }
                    }
                    Answer::None(no) => {
                        prop_assert!(no.black.is_subset(&black) && no.black.is_subset(&no.cells) && no.cells.is_disjoint(&white));
                        prop_assert!(!can_be_paved(&sets, board - black - white, white, &mut Vec::new()));
                        // The worst position the "no" covers: White owns all the rest.
                        prop_assert!(!can_be_paved(&sets, no.cells - no.black, board - no.cells, &mut Vec::new()));
                        let others = board.iter().filter(|cell| !no.cells.contains(*cell) && more[cell.index()] == 1).collect::<Set>();
                        prop_assert!(matches!(oracle.paving(Stones::new(no.black, others)), Answer::None(_)));
                    }
                }
            }
        }
    }

    #[test]
    fn known_pavings() {
        let paved =
            |game: &Game, allowed| matches!(Oracle::<1>::new(game, allowed).paving(Stones::NONE), Answer::Paved(_));
        // Fatty falls to a brick wall of dominoes, on every board.
        assert!(paved(&game("XX/XX", (7, 7), false), Pairs::Dominoes));
        assert!(paved(&game("XXXX", (4, 4), false), Pairs::Any));
        // Eight lines of three on nine cells cannot have eight disjoint pairs.
        assert!(!paved(&game("XXX", (3, 3), false), Pairs::Any));
        // Snaky needs a stone of White's on 6x6.
        assert!(!paved(&game(".XXXX/XX...", (6, 6), false), Pairs::Any));
    }

    /// A stop flag set before ends a question at once, whichever way it would be answered; set while it runs, after a
    /// bounded number of steps.
    #[test]
    fn it_stops_when_told() {
        let game =
            Game::new(Shape::from_rows("XXXXX").unwrap(), Board::new(19, 19, Topology::Plain).unwrap(), Rule::Weak);
        let stopped = Limits::none();
        stopped.stop();
        let mut oracle = Oracle::<6>::new(&game, Pairs::Any);
        assert_eq!(oracle.paving_within(Stones::NONE, &stopped), Err(Halt));
        assert_eq!(oracle.paving_white_first(Stones::NONE, &stopped), Err(Halt));
        assert_eq!(oracle.calls(), 0);
        let (sets, empty) = (oracle.sets.clone(), CellSet::first_cells(361));
        let found = oracle.backtracking.pave(&sets, empty, CellSet::EMPTY, 10_000, &stopped);
        assert!(matches!(found, Found::Unknown));
        assert!(10_000 - oracle.backtracking.steps_left() <= PAVING_STEPS);
        // The solver looks too, and its decisions would last for hours.
        *oracle.limits.borrow_mut() = stopped;
        assert_eq!(oracle.ask(empty, CellSet::EMPTY, u32::MAX), None);
    }
}
