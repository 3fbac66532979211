//! Puzzles with exactly one solution: from a picture, or at random and as hard as wanted.

use super::clues::{Grid, Puzzle};
use super::formula::Encoding;
use super::rating::{Level, Rating, rate};
use super::search::{Search, Solutions};
use crate::effort::{Halt, Limits};
use crate::neighbours::random::Random;

/// A puzzle with one solution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Generated {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Its solution.
    pub solution: Grid,
    /// How hard it is.
    pub rating: Rating,
    /// Pictures that were tried.
    pub tries: u64,
}

/// What a random puzzle shall be like.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Wanted {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// The share of black cells in the pictures it starts from.
    pub density: f64,
    /// How hard, if it matters.
    pub level: Option<Level>,
    /// Pictures to try before giving up.
    pub tries: u64,
}

/// Where puzzles of this kind are found soonest: of 60 random pictures of 15x15 half of whose cells are black 47 become
/// easy puzzles and none a hard one; with two fifths 12 become easy, 44 medium and 4 hard ones.
pub fn default_density(level: Option<Level>) -> f64 {
    match level {
        None | Some(Level::Easy) => 0.5,
        Some(Level::Medium | Level::Hard) => 0.4,
    }
}

/// The puzzle of a picture, with as few cells given as one finds quickly: none if the clues are enough.
pub fn of_picture(grid: &Grid, limits: &Limits) -> Result<Generated, Halt> {
    let mut puzzle = Puzzle::of_grid(grid);
    let mut given = vec![None; grid.cells().len()];
    let mut order = Vec::new();
    while let Some(other) = another(&puzzle, grid, limits)? {
        // A cell of the middle of where they differ says more than one at the edge.
        let differing: Vec<usize> =
            (0..given.len()).filter(|cell| grid.cells()[*cell] != other.cells()[*cell]).collect();
        let cell = differing[differing.len() / 2];
        given[cell] = Some(grid.cells()[cell]);
        order.push(cell);
        puzzle = puzzle.with_given(given.clone());
    }
    // Later cells may have made earlier ones needless.
    for cell in order {
        let fewer = {
            let mut fewer = given.clone();
            fewer[cell] = None;
            puzzle.clone().with_given(fewer)
        };
        if another(&fewer, grid, limits)?.is_none() {
            given[cell] = None;
            puzzle = fewer;
        }
    }
    rated(puzzle, grid.clone(), 1, limits)
}

/// A random puzzle, the same for the same random; `None` if no picture tried was as hard as wanted.
pub fn at_random(wanted: &Wanted, random: &mut Random, limits: &Limits) -> Result<Option<Generated>, Halt> {
    for tries in 1..=wanted.tries {
        let cells = (0..wanted.width * wanted.height).map(|_| random.chance(wanted.density)).collect();
        let Some(grid) = Grid::new(wanted.width, cells) else { return Ok(None) };
        let Some(grid) = made_unique(grid, random, limits)? else { continue };
        let found = rated(Puzzle::of_grid(&grid), grid, tries, limits)?;
        if wanted.level.is_none_or(|level| level == found.rating.level) {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The picture changed, cell by cell, until its clues have one solution; `None` if that takes too many steps.
fn made_unique(grid: Grid, random: &mut Random, limits: &Limits) -> Result<Option<Grid>, Halt> {
    let (width, mut cells) = (grid.width(), grid.cells().to_vec());
    for _ in 0..cells.len() {
        let Some(grid) = Grid::new(width, cells.clone()) else { return Ok(None) };
        let Some(other) = another(&Puzzle::of_grid(&grid), &grid, limits)? else { return Ok(Some(grid)) };
        // One of the cells that may be either way: the clues of both its lines change.
        let differing: Vec<usize> = (0..cells.len()).filter(|cell| cells[*cell] != other.cells()[*cell]).collect();
        let cell = differing[random.below(differing.len())];
        cells[cell] = !cells[cell];
    }
    Ok(None)
}

/// A solution of the puzzle that is not this one.
fn another(puzzle: &Puzzle, grid: &Grid, limits: &Limits) -> Result<Option<Grid>, Halt> {
    limits.check_time()?;
    Ok(match Search::new(puzzle, Encoding::Ladder, true, limits).solutions()? {
        Solutions::None | Solutions::One(_) => None,
        Solutions::More(first, second) => Some(if first == *grid { second } else { first }),
    })
}

fn rated(puzzle: Puzzle, solution: Grid, tries: u64, limits: &Limits) -> Result<Generated, Halt> {
    let rating = rate(&puzzle, limits)?.expect("it has a solution");
    Ok(Generated { puzzle, solution, rating, tries })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbours::pattern::counting;

    fn solutions(puzzle: &Puzzle) -> u128 {
        counting::count(puzzle, 1 << 20, &Limits::none()).unwrap().unwrap()
    }

    #[test]
    fn pictures_become_puzzles_with_one_solution() {
        let mut random = Random::new(11);
        let mut helped = 0;
        for _ in 0..60 {
            let width = 1 + random.below(8);
            let cells = (0..width * (1 + random.below(8))).map(|_| random.chance(0.4)).collect();
            let grid = Grid::new(width, cells).unwrap();
            let made = of_picture(&grid, &Limits::none()).unwrap();
            assert!(made.puzzle.fits(&grid) && made.solution == grid);
            assert_eq!(solutions(&made.puzzle), 1);
            let given: Vec<usize> =
                (0..grid.cells().len()).filter(|cell| made.puzzle.given()[*cell].is_some()).collect();
            helped += usize::from(!given.is_empty());
            // None of the given cells can be left out.
            for cell in given {
                let mut fewer = made.puzzle.given().to_vec();
                fewer[cell] = None;
                assert!(solutions(&made.puzzle.clone().with_given(fewer)) > 1);
            }
        }
        assert!(helped > 10, "{helped}");
    }

    #[test]
    fn random_puzzles_are_unique_and_as_hard_as_wanted() {
        for (level, side) in [(Level::Easy, 10), (Level::Medium, 10), (Level::Hard, 15)] {
            let density = default_density(Some(level));
            let wanted = Wanted { width: side, height: side, density, level: Some(level), tries: 1000 };
            let made = at_random(&wanted, &mut Random::new(8), &Limits::none()).unwrap().unwrap();
            assert_eq!(made.rating.level, level);
            assert!(made.puzzle.fits(&made.solution));
            let mut search = Search::new(&made.puzzle, Encoding::Pairs, false, &Limits::none());
            assert_eq!(search.solutions(), Ok(Solutions::One(made.solution.clone())));
            assert_eq!(at_random(&wanted, &mut Random::new(8), &Limits::none()).unwrap(), Some(made));
        }
    }

    #[test]
    fn one_gives_up_after_the_tries() {
        // A picture of one cell is never hard.
        let wanted = Wanted { width: 1, height: 1, density: 0.5, level: Some(Level::Hard), tries: 3 };
        assert_eq!(at_random(&wanted, &mut Random::new(1), &Limits::none()), Ok(None));
        let limits = Limits::none();
        limits.stop();
        assert_eq!(at_random(&wanted, &mut Random::new(1), &limits), Err(Halt));
    }
}
