//! Solutions counted without SAT: cell by cell, row by row, positions of the columns that are alike counted together.
//!
//! What the cells before say about those to come is how far each column and the row at hand are in their clues. The
//! number of such states is what limits it: small puzzles, or large ones that are nearly settled. It shares nothing
//! with the formulas and is what they are tested against.

use super::clues::Puzzle;
use crate::effort::{Halt, Limits};
use ahash::AHashMap;

/// How far a line is in its clue: cells done of the bands, a blank after each.
#[derive(Clone, Debug)]
struct Track {
    /// Of each step: whether the cell must be black, must be blank, or is the first of a band and may wait.
    steps: Vec<Step>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    First,
    Black,
    Blank,
}

impl Track {
    fn new(bands: &[usize]) -> Track {
        let mut steps = Vec::new();
        for &band in bands {
            steps.push(Step::First);
            steps.extend(std::iter::repeat_n(Step::Black, band - 1));
            steps.push(Step::Blank);
        }
        // The last band needs no blank.
        steps.pop();
        Track { steps }
    }

    /// Where a cell leads to, if `left` cells follow in the line.
    fn after(&self, at: u16, black: bool, left: usize) -> Option<u16> {
        let next = match (self.steps.get(usize::from(at)), black) {
            (Some(Step::First | Step::Black), true) | (Some(Step::Blank), false) => at + 1,
            (Some(Step::First) | None, false) => at,
            (Some(Step::Black), false) | (Some(Step::Blank) | None, true) => return None,
        };
        // What is left of the clue must fit.
        (self.steps.len() - usize::from(next) <= left).then_some(next)
    }
}

/// The number of solutions; `None` if more than `most` states were met at once, or the number has over 128 bits.
pub fn count(puzzle: &Puzzle, most: usize, limits: &Limits) -> Result<Option<u128>, Halt> {
    let (width, height) = (puzzle.width(), puzzle.height());
    let rows: Vec<Track> = puzzle.rows().iter().map(|bands| Track::new(bands)).collect();
    let columns: Vec<Track> = puzzle.columns().iter().map(|bands| Track::new(bands)).collect();
    // How far the columns are, then the row.
    let mut states: AHashMap<Vec<u16>, u128> = AHashMap::from([(vec![0; width + 1], 1)]);
    for (y, row) in rows.iter().enumerate() {
        for (x, column) in columns.iter().enumerate() {
            limits.check_now()?;
            let mut next: AHashMap<Vec<u16>, u128> = AHashMap::new();
            for (state, ways) in states {
                for black in [false, true] {
                    if puzzle.given()[y * width + x].is_some_and(|given| given != black) {
                        continue;
                    }
                    let places =
                        (column.after(state[x], black, height - 1 - y), row.after(state[width], black, width - 1 - x));
                    let (Some(down), Some(along)) = places else { continue };
                    let mut after = state.clone();
                    after[x] = down;
                    after[width] = if x + 1 == width { 0 } else { along };
                    let sum = next.entry(after).or_default();
                    let Some(more) = sum.checked_add(ways) else { return Ok(None) };
                    *sum = more;
                }
            }
            if next.len() > most {
                return Ok(None);
            }
            states = next;
        }
    }
    // Whoever comes here has all clues done: each must have fitted the cells left.
    Ok(states.into_values().try_fold(0u128, |sum, ways| sum.checked_add(ways)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbours::pattern::Grid;
    use crate::neighbours::random::Random;

    #[test]
    fn counts_are_those_of_all_pictures() {
        // All pictures of 4x3, by their clues.
        let mut pictures = AHashMap::new();
        for filling in 0u32..1 << 12 {
            let grid = Grid::new(4, (0..12).map(|cell| filling >> cell & 1 == 1).collect()).unwrap();
            let puzzle = Puzzle::of_grid(&grid);
            *pictures.entry((puzzle.rows().to_vec(), puzzle.columns().to_vec())).or_insert(0u128) += 1;
        }
        assert_eq!(pictures.values().sum::<u128>(), 4096);
        for ((rows, columns), expected) in pictures {
            let puzzle = Puzzle::new(rows, columns, Vec::new()).unwrap();
            assert_eq!(count(&puzzle, 1 << 20, &Limits::none()), Ok(Some(expected)), "{puzzle:?}");
        }
    }

    #[test]
    fn permutations_are_counted_exactly_or_not_at_all() {
        // One black cell a line: the permutations.
        let lines = |side: usize| vec![vec![1]; side];
        let puzzle = Puzzle::new(lines(10), lines(10), Vec::new()).unwrap();
        assert_eq!(count(&puzzle, 1 << 20, &Limits::none()), Ok(Some(3_628_800)));
        assert_eq!(count(&puzzle, 100, &Limits::none()), Ok(None));
        let mut given = vec![None; 100];
        given[0] = Some(true);
        assert_eq!(count(&puzzle.with_given(given), 1 << 20, &Limits::none()), Ok(Some(362_880)));
        let mut random = Random::new(3);
        let grid = Grid::new(40, (0..1600).map(|_| random.chance(0.5)).collect()).unwrap();
        let limits = Limits::none();
        limits.stop();
        assert_eq!(count(&Puzzle::of_grid(&grid), 1 << 20, &limits), Err(Halt));
    }
}
