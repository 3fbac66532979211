//! A thousand random puzzles: solved, checked by the clues alone, and those with one solution told from the others by
//! a second method. And the command line of `harary pattern`.

use harary::Limits;
use harary::neighbours::pattern::rating;
use harary::neighbours::pattern::search::Solutions;
use harary::neighbours::pattern::{Encoding, Grid, Knowledge, Puzzle, Search, counting};
use harary::neighbours::random::Random;

/// The runs of a line, found again here.
fn runs(line: &str) -> Vec<usize> {
    line.split('.').map(str::len).filter(|run| *run > 0).collect()
}

/// Whether a picture has these clues, by its rows as text.
fn fits(puzzle: &Puzzle, grid: &Grid) -> bool {
    let rows = grid.text_rows();
    let column = |x: usize| rows.iter().map(|row| &row[x..=x]).collect::<String>();
    rows.iter().map(|row| runs(row)).eq(puzzle.rows().iter().cloned())
        && (0..grid.width()).map(|x| runs(&column(x))).eq(puzzle.columns().iter().cloned())
}

#[test]
fn a_thousand_random_puzzles() {
    let limits = Limits::none();
    let mut random = Random::new(2026);
    let (mut unique, mut by_lines, mut by_counting, mut by_trials, mut several_by_counting) = (0, 0, 0, 0, 0);
    for number in 0..1000 {
        // Every tenth is as large as they come.
        let mut side = || if number % 10 == 0 { 20 } else { 1 + random.below(20) };
        let (width, height) = (side(), side());
        let density = 0.35 + random.below(40) as f64 / 100.0;
        let grid = Grid::new(width, (0..width * height).map(|_| random.chance(density)).collect()).unwrap();
        let puzzle = Puzzle::of_grid(&grid);
        let found = Search::new(&puzzle, Encoding::Ladder, true, &limits).solutions().unwrap();
        let counted = if width <= 8 { counting::count(&puzzle, 100_000, &limits).unwrap() } else { None };
        match &found {
            Solutions::None => panic!("puzzle {number} has a solution: {grid:?}"),
            Solutions::One(only) => {
                let rating = rating::rate(&puzzle, &limits).unwrap().unwrap();
                by_trials += usize::from(rating.open == 0);
                assert!(rating.open == 0 || counted.is_some(), "puzzle {number}: only SAT says that it is unique");
                assert_eq!(*only, grid, "puzzle {number}");
                assert!(counted.is_none_or(|count| count == 1), "puzzle {number}: {counted:?}");
                unique += 1;
                by_counting += usize::from(counted.is_some());
            }
            Solutions::More(first, second) => {
                assert!(first != second && fits(&puzzle, first) && fits(&puzzle, second), "puzzle {number}");
                assert!(counted.is_none_or(|count| count > 1), "puzzle {number}: {counted:?}");
                several_by_counting += usize::from(counted.is_some());
            }
        }
        // Line logic alone: what it settles is all there is. The solver alone says the same, by another formula.
        let known = Knowledge::of(&puzzle).expect("it has a solution");
        assert!(known.cells().iter().zip(grid.cells()).all(|(known, cell)| known.is_none_or(|known| known == *cell)));
        if known.grid().is_some() {
            by_lines += 1;
            let alone = Search::new(&puzzle, Encoding::Apart, false, &limits).solutions().unwrap();
            assert_eq!(alone, Solutions::One(grid), "puzzle {number}");
        }
    }
    println!("{unique} unique: {by_lines} by lines, {by_trials} by trials, {by_counting} by counting");
    println!("{several_by_counting} with several solutions by counting");
    assert!(unique > 500 && by_lines > 500 && by_trials > by_lines && by_counting > 200 && several_by_counting > 50);
}
