//! Symmetries: those of a board, the orbits they make, and canonical positions.
//!
//! A square has 8 symmetries, a rectangle 4, and on a torus each is combined with all `W*H` translations. Small boards
//! have fewer, because two of these may move every cell alike; each is kept once.

use ahash::AHashSet;
use harary_certificate::{Board, Cell, CellSet, Stones, Topology};
use std::collections::BTreeSet;

/// A permutation of the cells that maps winning sets to winning sets.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symmetry {
    image: Vec<u16>,
}

impl Symmetry {
    /// The one with these images of cell 0, 1, 2, …, if each cell is named once.
    pub fn new(image: Vec<u16>) -> Option<Symmetry> {
        let mut named = vec![false; image.len()];
        for &cell in &image {
            let named = named.get_mut(usize::from(cell))?;
            if std::mem::replace(named, true) {
                return None;
            }
        }
        Some(Symmetry { image })
    }

    /// The one that moves nothing.
    pub fn identity(cells: usize) -> Symmetry {
        Symmetry { image: (0..cells as u16).collect() }
    }

    /// The image of a cell.
    #[inline]
    pub fn cell(&self, cell: Cell) -> Cell {
        Cell::new(self.image[cell.index()].into())
    }

    /// The image of a set. The time grows with the stones in it, not with the board.
    #[inline]
    pub fn set<const N: usize>(&self, set: &CellSet<N>) -> CellSet<N> {
        set.iter().map(|cell| self.cell(cell)).collect()
    }

    /// The image of a position.
    #[inline]
    pub fn stones<const N: usize>(&self, stones: &Stones<N>) -> Stones<N> {
        Stones { black: self.set(&stones.black), white: self.set(&stones.white) }
    }

    /// This one, and then another.
    fn then(&self, other: &Symmetry) -> Symmetry {
        Symmetry { image: self.image.iter().map(|&cell| other.image[usize::from(cell)]).collect() }
    }

    /// Whether it moves no cell.
    pub fn is_identity(&self) -> bool {
        self.image.iter().enumerate().all(|(i, &c)| i == usize::from(c))
    }

    /// The symmetry that undoes this one.
    pub fn inverse(&self) -> Symmetry {
        let mut image = vec![0; self.image.len()];
        for (from, &to) in self.image.iter().enumerate() {
            image[usize::from(to)] = from as u16;
        }
        Symmetry { image }
    }
}

/// A group of symmetries of one board. The identity comes first.
#[derive(Clone, Debug)]
pub struct SymmetryGroup {
    elements: Vec<Symmetry>,
}

impl SymmetryGroup {
    /// Nothing but the identity: for games that are no shape on a board.
    pub fn trivial(cells: usize) -> SymmetryGroup {
        SymmetryGroup { elements: vec![Symmetry::identity(cells)] }
    }

    /// All automorphisms of a board.
    pub fn of(board: &Board) -> SymmetryGroup {
        let (w, h) = (board.width(), board.height());
        let (shifts_x, shifts_y) = match board.topology() {
            Topology::Plain => (1, 1),
            Topology::Torus => (w, h),
        };
        let mut seen = BTreeSet::new();
        let mut elements = Vec::new();
        for turn in 0..8 {
            let (flip_x, flip_y, swap) = (turn & 1 == 1, turn & 2 == 2, turn & 4 == 4);
            if swap && w != h {
                continue;
            }
            for dx in 0..shifts_x {
                for dy in 0..shifts_y {
                    let image: Vec<u16> = board
                        .cells()
                        .map(|cell| {
                            let (x, y) = board.xy(cell);
                            let (x, y) = if swap { (y, x) } else { (x, y) };
                            let x = if flip_x { w - 1 - x } else { x };
                            let y = if flip_y { h - 1 - y } else { y };
                            board.cell((x + dx) % w, (y + dy) % h).index() as u16
                        })
                        .collect();
                    if seen.insert(image.clone()) {
                        elements.push(Symmetry { image });
                    }
                }
            }
        }
        SymmetryGroup { elements }
    }

    /// What the first of these generate, as many of them as a group of at most `most` elements allows.
    pub fn generated(cells: usize, generators: Vec<Symmetry>, most: usize) -> SymmetryGroup {
        let mut group = SymmetryGroup::trivial(cells);
        let mut used = Vec::new();
        for generator in generators {
            if group.elements.contains(&generator) {
                continue;
            }
            used.push(generator);
            let Some(larger) = closure(cells, &used, most) else { break };
            group = larger;
        }
        group
    }

    /// A few of the elements that generate all of them: at most one for each doubling of their number.
    pub fn generators(&self) -> Vec<&Symmetry> {
        let mut chosen: Vec<&Symmetry> = Vec::new();
        let mut known: AHashSet<Symmetry> = self.elements.iter().take(1).cloned().collect();
        for element in &self.elements {
            if known.contains(element) {
                continue;
            }
            chosen.push(element);
            let chosen: Vec<Symmetry> = chosen.iter().map(|&symmetry| symmetry.clone()).collect();
            let group = closure(element.image.len(), &chosen, self.elements.len());
            known = group.into_iter().flat_map(|group| group.elements).collect();
        }
        chosen
    }

    /// All of them, the identity first.
    pub fn elements(&self) -> &[Symmetry] {
        &self.elements
    }

    /// Whether all of these are among those of another group.
    pub fn is_within(&self, other: &SymmetryGroup) -> bool {
        let known: AHashSet<&Symmetry> = other.elements.iter().collect();
        self.elements.iter().all(|symmetry| known.contains(symmetry))
    }

    /// How many cells they act on.
    pub fn cells(&self) -> usize {
        self.elements[0].image.len()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// A group is never empty; this is here because `len` is.
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The elements that map each of these sets to itself: with a position's stones, the symmetry that is left at
    /// that turn.
    pub fn stabiliser<const N: usize>(&self, sets: &[CellSet<N>]) -> SymmetryGroup {
        let elements =
            self.elements.iter().filter(|symmetry| sets.iter().all(|set| symmetry.set(set) == *set)).cloned().collect();
        SymmetryGroup { elements }
    }

    /// The group as it acts on `cells` alone, which it must map to themselves: they are numbered in order from `fixed`
    /// on, and the numbers below `fixed` stay where they are. Elements that act alike are kept once.
    pub fn acting_on<const N: usize>(&self, cells: &CellSet<N>, fixed: usize) -> SymmetryGroup {
        let list: Vec<Cell> = cells.iter().collect();
        let mut seen = BTreeSet::new();
        let mut elements = Vec::new();
        for symmetry in &self.elements {
            let number = |cell: &Cell| list.partition_point(|other| *other < symmetry.cell(*cell)) + fixed;
            let image: Vec<u16> = (0..fixed).chain(list.iter().map(number)).map(|number| number as u16).collect();
            if seen.insert(image.clone()) {
                elements.push(Symmetry { image });
            }
        }
        SymmetryGroup { elements }
    }

    /// Of the cells in `among` that are mapped to one another, the least one.
    pub fn representatives<const N: usize>(&self, among: &CellSet<N>) -> CellSet<N> {
        let least = |cell: Cell| move |image: Cell| image >= cell || !among.contains(image);
        among.iter().filter(|&cell| self.elements.iter().map(|symmetry| symmetry.cell(cell)).all(least(cell))).collect()
    }

    /// The orbits of the cells `0 .. cells`, each sorted, in order of their least cells.
    pub fn orbits(&self, cells: usize) -> Vec<Vec<Cell>> {
        (0..cells)
            .map(|index| {
                let orbit: BTreeSet<Cell> = self.elements.iter().map(|s| s.cell(Cell::new(index))).collect();
                orbit.into_iter().collect::<Vec<_>>()
            })
            .enumerate()
            .filter(|(index, orbit)| orbit[0].index() == *index)
            .map(|(_, orbit)| orbit)
            .collect()
    }

    /// Of all images of a position the least: the form in which certificates store positions. Also the symmetry that leads
    /// there.
    pub fn canonical<const N: usize>(&self, stones: &Stones<N>) -> (Stones<N>, &Symmetry) {
        let first = &self.elements[0];
        let mut best = (first.stones(stones), first);
        for symmetry in &self.elements[1..] {
            let black = symmetry.set(&stones.black);
            if black > best.0.black {
                continue;
            }
            let image = Stones { black, white: symmetry.set(&stones.white) };
            if image < best.0 {
                best = (image, symmetry);
            }
        }
        best
    }
}

/// All that these generate, the identity first and the others in order; none if there are more than `most`.
fn closure(cells: usize, generators: &[Symmetry], most: usize) -> Option<SymmetryGroup> {
    let mut elements = vec![Symmetry::identity(cells)];
    let mut known: AHashSet<Symmetry> = elements.iter().cloned().collect();
    let mut next = 0;
    while next < elements.len() {
        for generator in generators {
            let product = elements[next].then(generator);
            if known.insert(product.clone()) {
                elements.push(product);
            }
        }
        if elements.len() > most {
            return None;
        }
        next += 1;
    }
    elements.sort_unstable();
    Some(SymmetryGroup { elements })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::placements;
    use proptest::prelude::*;

    fn board(w: usize, h: usize, topology: Topology) -> Board {
        Board::new(w, h, topology).unwrap()
    }

    #[test]
    fn groups_have_the_right_order() {
        for (w, h, plain, torus) in
            [(7, 7, 8, 392), (3, 5, 4, 60), (3, 3, 8, 72), (5, 4, 4, 80), (1, 1, 1, 1), (2, 2, 8, 8), (1, 4, 2, 8)]
        {
            assert_eq!(SymmetryGroup::of(&board(w, h, Topology::Plain)).len(), plain, "{w}x{h}");
            assert_eq!(SymmetryGroup::of(&board(w, h, Topology::Torus)).len(), torus, "{w}x{h} torus");
        }
    }

    #[test]
    fn every_element_keeps_the_placements() {
        let shape = harary_certificate::Shape::from_rows("XX../.XXX").unwrap();
        for topology in [Topology::Plain, Topology::Torus] {
            for (w, h) in [(5, 5), (4, 6)] {
                let board = board(w, h, topology);
                let placements = placements(&shape, &board);
                for symmetry in SymmetryGroup::of(&board).elements() {
                    let mut images: Vec<_> = placements.iter().map(|set| symmetry.set(set)).collect();
                    images.sort();
                    assert_eq!(images, placements);
                    assert!(board.cells().all(|c| symmetry.inverse().cell(symmetry.cell(c)) == c));
                }
            }
        }
    }

    #[test]
    fn orbits_of_the_empty_board() {
        let count = |w, h, topology| {
            let board = board(w, h, topology);
            SymmetryGroup::of(&board).orbits(board.size()).len()
        };
        assert_eq!(count(3, 3, Topology::Plain), 3);
        assert_eq!(count(7, 7, Topology::Plain), 10);
        assert_eq!(count(3, 5, Topology::Plain), 6);
        assert_eq!(count(6, 6, Topology::Torus), 1);
    }

    #[test]
    fn a_stone_leaves_its_stabiliser() {
        let group = SymmetryGroup::of(&board(5, 5, Topology::Torus));
        let stone = CellSet::<1>::single(Cell::new(7));
        assert_eq!(group.stabiliser(&[stone]).len(), 8);
        let group = SymmetryGroup::of(&board(3, 3, Topology::Plain));
        assert_eq!(group.stabiliser(&[CellSet::<1>::single(Cell::new(0))]).len(), 2);
        let left = group.stabiliser(&[CellSet::<1>::single(Cell::new(4))]);
        assert_eq!(left.representatives(&CellSet::<1>::first_cells(9)), CellSet::from_art("...\n.X.\nXX."));
    }

    proptest! {
        #[test]
        fn the_canonical_form_is_invariant(w in 1..7usize, h in 1..7usize, torus: bool, stones in prop::collection::vec((0..36usize, any::<bool>()), 0..12)) {
            let board = board(w, h, if torus { Topology::Torus } else { Topology::Plain });
            let mut sides = [CellSet::<1>::EMPTY; 2];
            for (cell, black) in stones {
                let cell = Cell::new(cell % board.size());
                if !sides[0].contains(cell) && !sides[1].contains(cell) {
                    sides[usize::from(black)].insert(cell);
                }
            }
            let group = SymmetryGroup::of(&board);
            let stones = Stones::new(sides[0], sides[1]);
            let (least, symmetry) = group.canonical(&stones);
            prop_assert_eq!(symmetry.stones(&stones), least);
            for symmetry in group.elements() {
                prop_assert_eq!(group.canonical(&symmetry.stones(&stones)).0, least);
                prop_assert!(least <= symmetry.stones(&stones));
            }
        }
    }
}
