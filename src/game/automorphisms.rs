//! The symmetries of a game whose winning sets are spelled out.
//!
//! Wanted are the permutations of the vertices that map each family of sets to itself and each marked set of vertices to
//! itself. Colours of vertices are refined by the sets they lie in until nothing changes; where vertices still look alike,
//! one is singled out and the refinement goes on. Two such paths with the same colours give a permutation, and each one is
//! verified set by set before it counts: the colours are hashes, and nothing rests on them.
//!
//! The work is bounded by a count of steps, so that the same game always has the same group; whatever was found by then
//! generates a group of symmetries, if not all of them. [docs/game.md](../../docs/game.md#lemma-40-finding-symmetries)

use crate::effort::tuning::symmetries::{LARGEST_GROUP, MOST_STEPS};
use crate::game::symmetry::{Symmetry, SymmetryGroup};
use ahash::AHashSet;
use harary_certificate::{Cell, WideSet};
use std::collections::BTreeMap;

/// The symmetries that keep each of `families`, as a family, and each of `marked`, as a set. Vertices that lie in the same
/// sets are told apart, since to exchange them would save nothing. At most [`LARGEST_GROUP`] of them, a group in any case.
pub fn automorphisms(vertices: usize, families: &[&[WideSet]], marked: &[WideSet]) -> SymmetryGroup {
    let mut search = Search::new(vertices, families, marked);
    let found = search.run();
    SymmetryGroup::generated(vertices, found, LARGEST_GROUP)
}

/// What a vertex looks like: equal for vertices that no refinement has told apart.
type Colour = u64;

/// Scatters a number; sums of scattered numbers stand for multisets.
fn scatter(number: u64) -> u64 {
    let mixed = (number ^ (number >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ (mixed >> 32)
}

/// One path of singling out: the vertex chosen at each level, and the colours before it.
struct Level {
    chosen: usize,
    before: Vec<Colour>,
}

struct Search {
    vertices: usize,
    /// The cells of each set, with the number of its family.
    sets: Vec<(u64, Vec<usize>)>,
    /// The sets, to verify by.
    known: AHashSet<(u64, WideSet)>,
    /// The sets through each vertex.
    through: Vec<Vec<usize>>,
    start: Vec<Colour>,
    steps: u64,
}

impl Search {
    fn new(vertices: usize, families: &[&[WideSet]], marked: &[WideSet]) -> Search {
        let mut sets = Vec::new();
        let mut known = AHashSet::new();
        let mut through = vec![Vec::new(); vertices];
        for (family, list) in families.iter().enumerate() {
            for set in *list {
                set.iter().for_each(|cell| through[cell.index()].push(sets.len()));
                sets.push((family as u64, set.iter().map(Cell::index).collect()));
                known.insert((family as u64, *set));
            }
        }
        let mut start = vec![0; vertices];
        // The vertices that lie in the same sets get numbers, so that they are not exchanged.
        let mut alike: BTreeMap<(&[usize], Vec<bool>), u64> = BTreeMap::new();
        for vertex in 0..vertices {
            let marks: Vec<bool> = marked.iter().map(|set| set.contains(Cell::new(vertex))).collect();
            let mark = marks.iter().fold(1, |sum, &mark| 2 * sum + u64::from(mark));
            let number = alike.entry((&through[vertex], marks)).or_default();
            start[vertex] = scatter(scatter(mark) ^ *number);
            *number += 1;
        }
        Search { vertices, sets, known, through, start, steps: 0 }
    }

    /// Verified generators, those that fix most first.
    fn run(&mut self) -> Vec<Symmetry> {
        let mut colours = self.start.clone();
        self.refine(&mut colours);
        let mut path: Vec<Level> = Vec::new();
        while let Some(chosen) = first_alike(&colours) {
            path.push(Level { chosen, before: colours.clone() });
            single_out(&mut colours, chosen);
            self.refine(&mut colours);
        }
        let mut found: Vec<Symmetry> = Vec::new();
        for level in (0..path.len()).rev() {
            let Level { chosen, before } = &path[level];
            let alike = (0..self.vertices).filter(|&vertex| before[vertex] == before[*chosen]);
            let mut refused: Vec<usize> = Vec::new();
            for candidate in alike.collect::<Vec<_>>() {
                let orbits = orbits(&found, self.vertices);
                let done = |other: &usize| orbits[*other] == orbits[candidate];
                if done(chosen) || refused.iter().any(done) {
                    continue;
                }
                match self.extend(&path[level..], before, candidate, &colours) {
                    Some(symmetry) => found.push(symmetry),
                    None if self.is_tired() => return found,
                    None => refused.push(candidate),
                }
            }
        }
        found
    }

    /// A symmetry that maps the chosen vertex of the first of these levels to `candidate` and what was chosen before to
    /// itself; `before` are the colours on the side of the images, `last` those at the end of the path.
    fn extend(&mut self, levels: &[Level], before: &[Colour], candidate: usize, last: &[Colour]) -> Option<Symmetry> {
        let mut colours = before.to_vec();
        single_out(&mut colours, candidate);
        self.refine(&mut colours);
        let wanted = levels.get(1).map_or(last, |level| &level.before);
        if self.is_tired() || sorted(&colours) != sorted(wanted) {
            return None;
        }
        let Some(next) = levels.get(1) else { return self.verified(last, &colours) };
        let wanted = next.before[next.chosen];
        let images: Vec<usize> = (0..self.vertices).filter(|&vertex| colours[vertex] == wanted).collect();
        images.into_iter().find_map(|image| self.extend(&levels[1..], &colours, image, last))
    }

    /// The permutation between two colourings that tell all vertices apart, if it keeps the sets.
    fn verified(&mut self, from: &[Colour], to: &[Colour]) -> Option<Symmetry> {
        let places: BTreeMap<Colour, usize> = to.iter().enumerate().map(|(vertex, colour)| (*colour, vertex)).collect();
        let image: Option<Vec<u16>> = from.iter().map(|colour| places.get(colour).map(|&to| to as u16)).collect();
        let symmetry = Symmetry::new(image?)?;
        self.steps += self.sets.iter().map(|(_, cells)| cells.len() as u64).sum::<u64>();
        let kept = self.known.iter().all(|(family, set)| self.known.contains(&(*family, symmetry.set(set))));
        let marks = (0..self.vertices).all(|v| self.start[v] == self.start[symmetry.cell(Cell::new(v)).index()]);
        (kept && marks).then_some(symmetry)
    }

    /// Tells apart what lies in sets that look different, until nothing changes.
    fn refine(&mut self, colours: &mut Vec<Colour>) {
        let mut count = distinct(colours);
        while count < self.vertices && !self.is_tired() {
            let look = |(family, cells): &(u64, Vec<usize>)| {
                let sum = cells.iter().fold(0u64, |sum, &cell| sum.wrapping_add(scatter(colours[cell])));
                scatter(sum ^ family.wrapping_mul(0x94d0_49bb_1331_11eb))
            };
            let looks: Vec<u64> = self.sets.iter().map(look).collect();
            let sum = |sets: &Vec<usize>| sets.iter().fold(0u64, |sum, &set| sum.wrapping_add(scatter(looks[set])));
            let refined: Vec<Colour> =
                colours.iter().zip(&self.through).map(|(&colour, sets)| scatter(colour ^ scatter(sum(sets)))).collect();
            self.steps += self.vertices as u64 + 2 * self.through.iter().map(|sets| sets.len() as u64).sum::<u64>();
            let after = distinct(&refined);
            *colours = refined;
            if after <= count {
                break;
            }
            count = after;
        }
    }

    fn is_tired(&self) -> bool {
        self.steps > MOST_STEPS
    }
}

fn single_out(colours: &mut [Colour], vertex: usize) {
    colours[vertex] = scatter(!colours[vertex]);
}

fn sorted(colours: &[Colour]) -> Vec<Colour> {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted
}

fn distinct(colours: &[Colour]) -> usize {
    let mut sorted = sorted(colours);
    sorted.dedup();
    sorted.len()
}

/// The first vertex of a smallest class of vertices that look alike.
fn first_alike(colours: &[Colour]) -> Option<usize> {
    let mut classes: BTreeMap<Colour, (usize, usize)> = BTreeMap::new();
    for (vertex, colour) in colours.iter().enumerate() {
        classes.entry(*colour).or_insert((0, vertex)).0 += 1;
    }
    classes.into_values().filter(|(size, _)| *size > 1).min().map(|(_, vertex)| vertex)
}

/// For each vertex the least one of its orbit.
fn orbits(generators: &[Symmetry], vertices: usize) -> Vec<usize> {
    let mut least: Vec<usize> = (0..vertices).collect();
    fn find(least: &mut [usize], vertex: usize) -> usize {
        let mut root = vertex;
        while least[root] != root {
            root = least[root];
        }
        least[vertex] = root;
        root
    }
    for symmetry in generators {
        for vertex in 0..vertices {
            let (a, b) = (find(&mut least, vertex), find(&mut least, symmetry.cell(Cell::new(vertex)).index()));
            least[a.max(b)] = a.min(b);
        }
    }
    (0..vertices).map(|vertex| find(&mut least, vertex)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::placements;
    use harary_certificate::{Board, Shape, Topology};
    use proptest::prelude::*;

    fn set(cells: &[usize]) -> WideSet {
        cells.iter().copied().map(Cell::new).collect()
    }

    /// All permutations of so few vertices, by trying.
    fn by_trying(vertices: usize, families: &[&[WideSet]], marked: &[WideSet]) -> usize {
        let mut image: Vec<u16> = (0..vertices as u16).collect();
        let mut count = 0;
        permutations(&mut image, 0, &mut |image| {
            let symmetry = Symmetry::new(image.to_vec()).unwrap();
            let keeps = |family: &&[WideSet]| family.iter().all(|set| family.contains(&symmetry.set(set)));
            count += usize::from(families.iter().all(keeps) && marked.iter().all(|set| symmetry.set(set) == *set));
        });
        count
    }

    fn permutations(image: &mut Vec<u16>, from: usize, visit: &mut impl FnMut(&[u16])) {
        if from == image.len() {
            return visit(image);
        }
        for other in from..image.len() {
            image.swap(from, other);
            permutations(image, from + 1, visit);
            image.swap(from, other);
        }
    }

    #[test]
    fn known_groups_have_their_order() {
        let cube: Vec<WideSet> = lines_of_a_cube(4);
        assert_eq!(cube.len(), 76);
        assert_eq!(automorphisms(64, &[&cube], &[]).len(), 192, "qubic");
        let cube = lines_of_a_cube(3);
        assert_eq!(automorphisms(27, &[&cube], &[]).len(), 48, "3x3x3");
        for (rows, width, height, topology, order) in [
            ("XX../.XXX", 7, 7, Topology::Plain, 8),
            ("XX../.XXX", 4, 6, Topology::Plain, 4),
            ("XX../.XXX", 7, 7, Topology::Torus, 392),
            ("XX../.XXX", 19, 19, Topology::Torus, 2888),
            ("XX", 4, 4, Topology::Torus, 384),
        ] {
            let board = Board::new(width, height, topology).unwrap();
            let sets = placements(&Shape::from_rows(rows).unwrap(), &board);
            assert_eq!(automorphisms(board.size(), &[&sets], &[]).len(), order, "{rows} {board}");
        }
    }

    fn lines_of_a_cube(side: i32) -> Vec<WideSet> {
        let mut lines = std::collections::BTreeSet::new();
        let range = || 0..side;
        for (x, y, z) in range().flat_map(|x| range().flat_map(move |y| range().map(move |z| (x, y, z)))) {
            for d in 1..27 {
                let (dx, dy, dz) = (d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1);
                let point = |i: i32| (x + i * dx, y + i * dy, z + i * dz);
                let inside = |(x, y, z): (i32, i32, i32)| [x, y, z].iter().all(|c| (0..side).contains(c));
                if (dx, dy, dz) != (0, 0, 0) && inside(point(side - 1)) {
                    let number = |(x, y, z): (i32, i32, i32)| Cell::new((x + side * (y + side * z)) as usize);
                    lines.insert((0..side).map(point).map(number).collect::<WideSet>());
                }
            }
        }
        lines.into_iter().collect()
    }

    #[test]
    fn stones_and_the_sets_of_each_player_are_kept() {
        let (sides, cross) = (vec![set(&[0, 1]), set(&[1, 2]), set(&[2, 3]), set(&[3, 0])], vec![set(&[0, 2])]);
        assert_eq!(automorphisms(4, &[&sides], &[]).len(), 8);
        assert_eq!(automorphisms(4, &[&sides, &cross], &[]).len(), 4);
        assert_eq!(automorphisms(4, &[&sides], &[set(&[0])]).len(), 2);
        assert_eq!(automorphisms(4, &[&sides], &[set(&[0]), set(&[1])]).len(), 1);
    }

    #[test]
    fn large_groups_are_cut_down() {
        let pairs: Vec<WideSet> = (0..40).flat_map(|a| (0..a).map(move |b| set(&[a, b]))).collect();
        let group = automorphisms(40, &[&pairs], &[]);
        assert!((2..=LARGEST_GROUP).contains(&group.len()), "{}", group.len());
        assert_eq!(automorphisms(384, &[&[]], &[]).len(), 1, "what lies in no set is not exchanged");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]
        #[test]
        fn small_games_have_all_their_symmetries(
            sets in prop::collection::vec(1..64u64, 0..7), white in prop::collection::vec(1..64u64, 0..3), stones in 0..16u64,
        ) {
            let of = |bits: u64| (0..6).filter(|cell| bits >> cell & 1 == 1).map(Cell::new).collect::<WideSet>();
            let distinct = |list: &[u64]| {
                let mut sets: Vec<WideSet> = list.iter().map(|&bits| of(bits)).collect();
                sets.sort();
                sets.dedup();
                sets
            };
            let (black, white, stones) = (distinct(&sets), distinct(&white), of(if stones < 8 { stones } else { 0 }));
            let group = automorphisms(6, &[&black, &white], &[stones]);
            for symmetry in group.elements() {
                for family in [&black, &white] {
                    prop_assert!(family.iter().all(|set| family.contains(&symmetry.set(set))));
                }
                prop_assert_eq!(symmetry.set(&stones), stones);
            }
            // Vertices alike are not exchanged: each class of them stands for its permutations.
            let through = |v: usize| {
                let in_family = |family: &Vec<WideSet>| family.iter().map(|set| set.contains(Cell::new(v))).collect::<Vec<_>>();
                (in_family(&black), in_family(&white), stones.contains(Cell::new(v)))
            };
            let exchanged: usize = (0..6).map(|v| (0..=v).filter(|&u| through(u) == through(v)).count()).product();
            prop_assert_eq!(group.len() * exchanged, by_trying(6, &[&black, &white], &[stones]));
        }
    }
}
