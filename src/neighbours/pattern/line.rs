//! Line logic: what one line with its clue says about its cells, and how far that goes on a whole puzzle.
//!
//! A line is solved exactly: a cell is settled if and only if all placements of the bands that agree with what is known
//! agree on it. It takes as many steps as cells times bands. A puzzle that line logic settles has exactly one solution,
//! so that this is also a second way, without SAT, to see that a puzzle is unique.

use super::clues::{Grid, Puzzle};
use std::collections::VecDeque;

/// The clues contradict each other or what is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contradiction;

/// What is known of the cells of a puzzle, and the work it took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Knowledge {
    width: usize,
    cells: Vec<Option<bool>>,
    /// Lines that were looked at.
    looks: u64,
}

impl Knowledge {
    /// What line logic finds from the given cells.
    pub fn of(puzzle: &Puzzle) -> Result<Knowledge, Contradiction> {
        let cells = puzzle.given().to_vec();
        let mut known = Knowledge { width: puzzle.width(), cells, looks: 0 };
        let lines = puzzle.height() + puzzle.width();
        known.settle(puzzle, (0..lines).collect())?;
        Ok(known)
    }

    /// The same with one more cell, and what follows.
    pub fn with(&self, puzzle: &Puzzle, cell: usize, black: bool) -> Result<Knowledge, Contradiction> {
        let mut known = self.clone();
        known.learn(puzzle, cell, black)?;
        Ok(known)
    }

    /// One more cell, and what follows.
    pub fn learn(&mut self, puzzle: &Puzzle, cell: usize, black: bool) -> Result<(), Contradiction> {
        match self.cells[cell] {
            Some(known) if known == black => Ok(()),
            Some(_) => Err(Contradiction),
            None => {
                self.cells[cell] = Some(black);
                let (x, y) = (cell % self.width, cell / self.width);
                self.settle(puzzle, VecDeque::from([y, puzzle.height() + x]))
            }
        }
    }

    /// Looks at the lines in the queue, and at those that cross a cell that gets known, until nothing follows. Rows are
    /// numbered first, then columns.
    fn settle(&mut self, puzzle: &Puzzle, mut queue: VecDeque<usize>) -> Result<(), Contradiction> {
        let (width, height) = (puzzle.width(), puzzle.height());
        let mut waiting = vec![false; width + height];
        queue.iter().for_each(|line| waiting[*line] = true);
        let mut line_cells = Vec::new();
        while let Some(line) = queue.pop_front() {
            waiting[line] = false;
            self.looks += 1;
            let (bands, first, step, length) = match line.checked_sub(height) {
                None => (&puzzle.rows()[line], line * width, 1, width),
                Some(column) => (&puzzle.columns()[column], column, width, height),
            };
            line_cells.clear();
            line_cells.extend((0..length).map(|place| self.cells[first + place * step]));
            let settled = settle_line(bands, &line_cells).ok_or(Contradiction)?;
            for place in 0..length {
                if line_cells[place].is_none() && settled[place].is_some() {
                    self.cells[first + place * step] = settled[place];
                    let crossing = if line < height { height + place } else { place };
                    if !std::mem::replace(&mut waiting[crossing], true) {
                        queue.push_back(crossing);
                    }
                }
            }
        }
        Ok(())
    }

    /// The cells, row by row.
    pub fn cells(&self) -> &[Option<bool>] {
        &self.cells
    }

    /// Cells that are not known.
    pub fn open(&self) -> usize {
        self.cells.iter().filter(|cell| cell.is_none()).count()
    }

    /// Lines that were looked at.
    pub fn looks(&self) -> u64 {
        self.looks
    }

    /// The picture, if every cell is known.
    pub fn grid(&self) -> Option<Grid> {
        Grid::new(self.width, self.cells.iter().copied().collect::<Option<Vec<bool>>>()?)
    }
}

/// What all placements of the bands that agree with `known` agree on; `None` if there is no such placement.
pub fn settle_line(bands: &[usize], known: &[Option<bool>]) -> Option<Vec<Option<bool>>> {
    let cells = known.len();
    // A blank after the last cell, so that every band ends with a blank.
    let blank = |cell: usize| cell == cells || known[cell] != Some(true);
    let mut whites = vec![0; cells + 1];
    for cell in 0..cells {
        whites[cell + 1] = whites[cell] + usize::from(known[cell] == Some(false));
    }
    let room = |start: usize, band: usize| start + band <= cells && whites[start + band] == whites[start];
    let stands = |start: usize, band: usize| room(start, band) && blank(start + band);
    let (width, last) = (cells + 2, bands.len());
    // before[b][i]: the first b bands, each with its blank, can fill the cells before i; after: the others from i on.
    let mut before = vec![false; (last + 1) * width];
    let mut after = vec![false; (last + 1) * width];
    before[0] = true;
    after[last * width + cells + 1] = true;
    for count in 0..=last {
        for end in 1..=cells + 1 {
            let waits = before[count * width + end - 1] && blank(end - 1);
            let ends = count > 0 && end > bands[count - 1] && {
                let start = end - 1 - bands[count - 1];
                before[(count - 1) * width + start] && stands(start, bands[count - 1])
            };
            before[count * width + end] |= waits || ends;
        }
    }
    for count in (0..=last).rev() {
        for start in (0..=cells).rev() {
            let waits = after[count * width + start + 1] && blank(start);
            let begins = count < last && stands(start, bands[count]) && {
                after[(count + 1) * width + start + bands[count] + 1]
            };
            after[count * width + start] |= waits || begins;
        }
    }
    if !after[0] {
        return None;
    }
    let mut may_be_blank = vec![false; cells + 1];
    // Where black runs begin and end, to be summed up.
    let mut runs = vec![0i32; cells + 1];
    for count in 0..=last {
        for cell in 0..=cells {
            if !before[count * width + cell] {
                continue;
            }
            may_be_blank[cell] |= blank(cell) && after[count * width + cell + 1];
            if count < last && stands(cell, bands[count]) && after[(count + 1) * width + cell + bands[count] + 1] {
                runs[cell] += 1;
                runs[cell + bands[count]] -= 1;
                may_be_blank[cell + bands[count]] = true;
            }
        }
    }
    let mut covering = 0;
    let settled = (0..cells).map(|cell| {
        covering += runs[cell];
        match (covering > 0, may_be_blank[cell]) {
            (true, true) => None,
            (black, _) => Some(black),
        }
    });
    Some(settled.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbours::random::Random;

    /// The same by looking at every filling of the line.
    fn by_all_fillings(bands: &[usize], known: &[Option<bool>]) -> Option<Vec<Option<bool>>> {
        let cells = known.len();
        let mut agreed: Option<Vec<Option<bool>>> = None;
        for filling in 0u32..1 << cells {
            let line: Vec<bool> = (0..cells).map(|cell| filling >> cell & 1 == 1).collect();
            let lengths: Vec<usize> = line.split(|black| !black).map(<[bool]>::len).filter(|run| *run > 0).collect();
            if lengths != bands || line.iter().zip(known).any(|(cell, known)| known.is_some_and(|known| known != *cell))
            {
                continue;
            }
            let agreed = agreed.get_or_insert_with(|| line.iter().map(|cell| Some(*cell)).collect());
            for (agreed, cell) in agreed.iter_mut().zip(line) {
                *agreed = agreed.filter(|agreed| *agreed == cell);
            }
        }
        agreed
    }

    #[test]
    fn lines_are_settled_as_all_fillings_say() {
        let mut random = Random::new(20);
        let (mut refused, mut learned) = (0, 0);
        for _ in 0..4000 {
            let cells = 1 + random.below(9);
            let line: Vec<bool> = (0..cells).map(|_| random.chance(0.6)).collect();
            let bands: Vec<usize> = line.split(|black| !black).map(<[bool]>::len).filter(|run| *run > 0).collect();
            // Mostly what is true of the line, now and then anything.
            let known: Vec<Option<bool>> = line
                .iter()
                .map(|cell| random.chance(0.3).then(|| if random.chance(0.1) { random.chance(0.5) } else { *cell }))
                .collect();
            let found = settle_line(&bands, &known);
            assert_eq!(found, by_all_fillings(&bands, &known), "{bands:?} {known:?}");
            refused += usize::from(found.is_none());
            learned += usize::from(found.is_some_and(|found| found != known));
        }
        assert!(refused > 50 && learned > 2000, "{refused} {learned}");
    }

    #[test]
    fn line_logic_goes_on_until_nothing_follows() {
        let puzzle = |rows: &[&[usize]], columns: &[&[usize]]| {
            let lines = |lines: &[&[usize]]| lines.iter().map(|bands| bands.to_vec()).collect();
            Puzzle::new(lines(rows), lines(columns), Vec::new()).unwrap()
        };
        // A puzzle with two solutions, mirrored, until a cell is given.
        let three = puzzle(&[&[1], &[1, 1], &[2]], &[&[2], &[1], &[2]]);
        assert_eq!(Knowledge::of(&three).unwrap().open(), 4);
        let mut given = vec![None; 9];
        given[0] = Some(true);
        let grid = Knowledge::of(&three.with_given(given)).unwrap().grid().unwrap();
        assert_eq!(grid.text_rows(), ["#..", "#.#", ".##"]);
        // Two solutions: nothing is known, and each trial settles the rest.
        let two = puzzle(&[&[1], &[1]], &[&[1], &[1]]);
        let known = Knowledge::of(&two).unwrap();
        assert_eq!((known.open(), known.grid()), (4, None));
        assert_eq!(known.with(&two, 0, true).unwrap().grid().unwrap().text_rows(), ["#.", ".#"]);
        // Sums agree, but there is no picture.
        let none = puzzle(&[&[2], &[], &[2]], &[&[2], &[2]]);
        assert_eq!(Knowledge::of(&none), Err(Contradiction));
    }
}
