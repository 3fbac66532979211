//! How hard a puzzle is for a person: by lines alone, by trying cells, or by more than that.

use super::clues::Puzzle;
use super::line::{Contradiction, Knowledge};
use crate::effort::{Halt, Limits};

/// What it takes to solve a puzzle.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Level {
    /// Line logic is enough.
    Easy,
    /// Cells must be tried: one value leads line logic to a contradiction, so that it is the other.
    Medium,
    /// A trial inside a trial, or more.
    Hard,
}

impl Level {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
        }
    }
}

/// How hard a puzzle with one solution is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rating {
    /// In one word.
    pub level: Level,
    /// Lines that were looked at.
    pub looks: u64,
    /// Cells that were tried.
    pub trials: u64,
    /// Cells that lines and trials left open.
    pub open: usize,
}

/// Rates a puzzle that has one solution; one without any is hard, or an error.
pub fn rate(puzzle: &Puzzle, limits: &Limits) -> Result<Result<Rating, Contradiction>, Halt> {
    let mut known = match Knowledge::of(puzzle) {
        Ok(known) => known,
        Err(contradiction) => return Ok(Err(contradiction)),
    };
    let (mut trials, mut trial_looks) = (0, 0);
    let mut found = true;
    while known.open() > 0 && found {
        found = false;
        for cell in 0..known.cells().len() {
            limits.check_now()?;
            for black in [true, false] {
                if known.cells()[cell].is_some() {
                    continue;
                }
                trials += 1;
                match known.with(puzzle, cell, black) {
                    Ok(tried) => trial_looks += tried.looks() - known.looks(),
                    Err(Contradiction) => {
                        if known.learn(puzzle, cell, !black).is_err() {
                            return Ok(Err(Contradiction));
                        }
                        found = true;
                    }
                }
            }
        }
    }
    let open = known.open();
    let level = match (open, trials) {
        (0, 0) => Level::Easy,
        (0, _) => Level::Medium,
        _ => Level::Hard,
    };
    Ok(Ok(Rating { level, looks: known.looks() + trial_looks, trials, open }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_solutions_are_never_settled() {
        let two = Puzzle::new(vec![vec![1]; 2], vec![vec![1]; 2], Vec::new()).unwrap();
        let rating = rate(&two, &Limits::none()).unwrap().unwrap();
        assert_eq!((rating.level, rating.open), (Level::Hard, 4));
        let full = Puzzle::new(vec![vec![2]; 2], vec![vec![2]; 2], Vec::new()).unwrap();
        let rating = rate(&full, &Limits::none()).unwrap().unwrap();
        assert_eq!((rating.level, rating.trials), (Level::Easy, 0));
        let none = Puzzle::new(vec![vec![2], vec![], vec![2]], vec![vec![2]; 2], Vec::new()).unwrap();
        assert_eq!(rate(&none, &Limits::none()).unwrap(), Err(Contradiction));
    }
}
