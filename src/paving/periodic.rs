//! Pavings of the whole plane that repeat: they prove a shape a loser on every plain board.
//!
//! Lemma 24 of [docs/game.md](../../docs/game.md#lemma-24-periodic-pavings). A [`Lattice`] says which cells of the
//! plane are alike: those that differ by `i * (P, 0) + j * (S, Q)`. A periodic paving is a choice of pairs, each given
//! by one cell of the period and the step to its other cell, that is repeated over the plane. Every placement in the
//! plane is alike one of finitely many, so a SAT solver can find such a paving or exclude it. On a board, the pairs
//! that lie on it stop every placement that lies on it: a plain board only has placements of the plane.

use crate::effort::{Halt, Limits};
use crate::paving::Pairs;
use harary_certificate::Shape;
use rustsat::instances::Cnf;
use rustsat::solvers::{Solve, SolverResult};
use rustsat::types::{Lit, TernaryVal};
use rustsat_batsat::BasicSolver;
use std::collections::BTreeMap;
use std::fmt;

/// The cells that are alike: all that differ by multiples of `(width, 0)` and `(shift, height)`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lattice {
    /// The first step.
    pub width: usize,
    /// How far up the second step goes.
    pub height: usize,
    /// Less than the width.
    pub shift: usize,
}

impl Lattice {
    /// How many kinds of cells there are.
    pub fn size(&self) -> usize {
        self.width * self.height
    }

    /// The number of the kind of a cell of the plane: `x + width * y` of its place in the period.
    pub fn kind(&self, x: i32, y: i32) -> usize {
        let (width, height) = (self.width as i32, self.height as i32);
        let row = y.div_euclid(height);
        let column = (x - row * self.shift as i32).rem_euclid(width);
        column as usize + self.width * y.rem_euclid(height) as usize
    }

    /// Every lattice with this many kinds of cells.
    pub fn of_size(size: usize) -> impl Iterator<Item = Lattice> {
        (1..=size).filter(move |height| size.is_multiple_of(*height)).flat_map(move |height| {
            let width = size / height;
            (0..width).map(move |shift| Lattice { width, height, shift })
        })
    }
}

/// `4x2`, or `4x2+1` if the rows of periods are shifted.
impl fmt::Display for Lattice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)?;
        if self.shift > 0 { write!(f, "+{}", self.shift) } else { Ok(()) }
    }
}

/// A paving of the plane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PeriodicPaving {
    /// Which cells are alike.
    pub lattice: Lattice,
    /// A cell of the period and its partner, which may lie outside; sorted.
    pub pairs: Vec<((i32, i32), (i32, i32))>,
}

impl PeriodicPaving {
    /// The pair a cell of the plane is in: its number, and the partner.
    pub fn partner(&self, x: i32, y: i32) -> Option<(usize, (i32, i32))> {
        let kind = self.lattice.kind(x, y);
        self.pairs.iter().enumerate().find_map(|(number, &((ax, ay), (bx, by)))| {
            if self.lattice.kind(ax, ay) == kind {
                Some((number, (x + bx - ax, y + by - ay)))
            } else if self.lattice.kind(bx, by) == kind {
                Some((number, (x + ax - bx, y + ay - by)))
            } else {
                None
            }
        })
    }
}

/// A periodic paving against `shape`; `None` if there is none with this period.
pub fn periodic_paving(
    shape: &Shape,
    lattice: Lattice,
    allowed: Pairs,
    limits: &Limits,
) -> Result<Option<PeriodicPaving>, Halt> {
    // A pair is known by a kind of cell and the step from there to its partner, which points right or straight up.
    let mut pairs: Vec<((i32, i32), (i32, i32))> = Vec::new();
    let mut numbers: BTreeMap<(usize, (i32, i32)), u32> = BTreeMap::new();
    let mut clauses = Cnf::new();
    let place = |kind: usize| ((kind % lattice.width) as i32, (kind / lattice.width) as i32);
    for image in shape.orientations() {
        let cells: Vec<(i32, i32)> = image.cells().iter().map(|&(x, y)| (x.into(), y.into())).collect();
        for (dx, dy) in (0..lattice.size()).map(place) {
            let mut clause: Vec<Lit> = Vec::new();
            for (i, &first) in cells.iter().enumerate() {
                for &second in &cells[i + 1..] {
                    let (a, b) = if first <= second { (first, second) } else { (second, first) };
                    let step = (b.0 - a.0, b.1 - a.1);
                    if allowed == Pairs::Dominoes && step.0.abs() + step.1.abs() != 1 {
                        continue;
                    }
                    let (kind, end) = (lattice.kind(a.0 + dx, a.1 + dy), lattice.kind(b.0 + dx, b.1 + dy));
                    // Repeated, a pair of cells of one kind would use each of them twice.
                    if kind == end {
                        continue;
                    }
                    let number = *numbers.entry((kind, step)).or_insert_with(|| {
                        let (x, y) = place(kind);
                        pairs.push(((x, y), (x + step.0, y + step.1)));
                        pairs.len() as u32 - 1
                    });
                    clause.push(Lit::positive(number));
                }
            }
            clauses.add_clause(clause.as_slice().into());
        }
    }
    for kind in 0..lattice.size() {
        let uses =
            |&(a, b): &((i32, i32), (i32, i32))| lattice.kind(a.0, a.1) == kind || lattice.kind(b.0, b.1) == kind;
        let through: Vec<u32> = (0..pairs.len()).filter(|&pair| uses(&pairs[pair])).map(|pair| pair as u32).collect();
        for (i, &first) in through.iter().enumerate() {
            for &second in &through[i + 1..] {
                clauses.add_binary(Lit::negative(first), Lit::negative(second));
            }
        }
    }
    let mut solver = BasicSolver::default();
    solver.add_cnf(clauses).expect("BatSat takes every clause");
    let stopped = limits.clone();
    solver.batsat_mut().cb_mut().set_stop(move || stopped.check_now().is_err());
    match solver.solve() {
        Ok(SolverResult::Unsat) => Ok(None),
        Ok(SolverResult::Sat) => {
            let is_used = |number: usize| matches!(solver.lit_val(Lit::positive(number as u32)), Ok(TernaryVal::True));
            let mut used: Vec<_> =
                (0..pairs.len()).filter(|&number| is_used(number)).map(|number| pairs[number]).collect();
            used.sort_unstable();
            Ok(Some(without_superfluous(shape, PeriodicPaving { lattice, pairs: used })))
        }
        _ => Err(Halt),
    }
}

/// Drops pairs one by one as long as every placement still has one.
fn without_superfluous(shape: &Shape, mut paving: PeriodicPaving) -> PeriodicPaving {
    let mut index = 0;
    while index < paving.pairs.len() {
        let pair = paving.pairs.remove(index);
        if !stops(&paving, shape) {
            paving.pairs.insert(index, pair);
            index += 1;
        }
    }
    paving
}

/// Whether every placement of the shape in the plane contains a pair.
fn stops(paving: &PeriodicPaving, shape: &Shape) -> bool {
    let (width, height) = (paving.lattice.width as i32, paving.lattice.height as i32);
    shape.orientations().iter().all(|image| {
        (0..width).flat_map(|dx| (0..height).map(move |dy| (dx, dy))).all(|(dx, dy)| {
            let cells: Vec<(i32, i32)> =
                image.cells().iter().map(|&(x, y)| (i32::from(x) + dx, i32::from(y) + dy)).collect();
            cells.iter().any(|&(x, y)| paving.partner(x, y).is_some_and(|(_, partner)| cells.contains(&partner)))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::placements;
    use harary_certificate::{Board, Topology};
    use std::collections::BTreeSet;

    fn lattice(width: usize, height: usize, shift: usize) -> Lattice {
        Lattice { width, height, shift }
    }

    fn found(rows: &str, lattice: Lattice, allowed: Pairs) -> Option<PeriodicPaving> {
        periodic_paving(&Shape::from_rows(rows).unwrap(), lattice, allowed, &Limits::none()).unwrap()
    }

    #[test]
    fn kinds_of_a_lattice() {
        let skew = lattice(4, 2, 1);
        assert_eq!(skew.kind(0, 0), skew.kind(1, 2));
        assert_eq!(skew.kind(0, 0), skew.kind(-1, -2));
        assert_eq!(skew.kind(5, 1), skew.kind(1, 1));
        let kinds: BTreeSet<usize> = (0..4).flat_map(|x| (0..2).map(move |y| skew.kind(x, y))).collect();
        assert_eq!(kinds.len(), 8);
        assert_eq!(Lattice::of_size(6).count(), 6 + 3 + 2 + 1);
        assert_eq!(skew.to_string(), "4x2+1");
    }

    /// Cut out of the plane, a periodic paving is a paving of a board: disjoint pairs, one in each placement.
    fn assert_paves_boards(rows: &str, paving: &PeriodicPaving) {
        let board = Board::new(11, 9, Topology::Plain).unwrap();
        let mut pairs = BTreeSet::new();
        for cell in board.cells() {
            let (x, y) = board.xy(cell);
            if let Some((_, (px, py))) = paving.partner(x as i32, y as i32) {
                assert_eq!(paving.partner(px, py).map(|(_, back)| back), Some((x as i32, y as i32)));
                if (0..11).contains(&px) && (0..9).contains(&py) {
                    let partner = board.cell(px as usize, py as usize);
                    pairs.insert((cell.min(partner), cell.max(partner)));
                }
            }
        }
        let cells: BTreeSet<_> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
        assert_eq!(cells.len(), 2 * pairs.len());
        for set in placements(&Shape::from_rows(rows).unwrap(), &board) {
            assert!(pairs.iter().any(|&(a, b)| set.contains(a) && set.contains(b)), "{rows} {set:?}");
        }
    }

    #[test]
    fn losers_are_paved_in_the_plane() {
        for (rows, size, allowed) in
            [("XX/XX", 4, Pairs::Dominoes), ("XX/XX", 8, Pairs::Any), ("XXX/X.X", 16, Pairs::Any)]
        {
            let paving = (1..=size).flat_map(Lattice::of_size).find_map(|l| found(rows, l, allowed));
            assert_paves_boards(rows, &paving.unwrap());
        }
    }

    #[test]
    fn winners_have_no_paving() {
        for rows in ["X", "XX", "XXX", "X./XX", ".X./XXX", "XX./.XX"] {
            assert!((1..=8).flat_map(Lattice::of_size).all(|l| found(rows, l, Pairs::Any).is_none()), "{rows}");
        }
    }
}
