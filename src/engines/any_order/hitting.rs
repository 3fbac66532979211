//! Threats over several stones: which of them a few stones can stop.

use harary_certificate::CellSet;

/// More stones than this are not looked through.
pub const MOST_STONES: usize = 4;

/// What threats ask of the player who must stop them with the stones he has before they are carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Forced<const N: usize> {
    /// Nothing yet: he can stop them all and has a stone to spare, or nobody looked.
    Free,
    /// His next stone must go here.
    Inside(CellSet<N>),
    /// He cannot stop them all.
    Lost,
}

/// What `threats`, the missing cells of each, ask of a player with `stones` stones. With one stone to spare he is free.
pub fn forced<const N: usize>(threats: &[CellSet<N>], stones: usize) -> Forced<N> {
    if threats.is_empty() || stones > MOST_STONES || hittable(threats, stones - 1) {
        return Forced::Free;
    }
    let all = threats.iter().fold(CellSet::EMPTY, |all, set| all | *set);
    let mut inside = CellSet::EMPTY;
    let mut rest = Vec::with_capacity(threats.len());
    for cell in all {
        rest.clear();
        rest.extend(threats.iter().filter(|set| !set.contains(cell)));
        if hittable(&rest, stones - 1) {
            inside.insert(cell);
        }
    }
    if inside.is_empty() { Forced::Lost } else { Forced::Inside(inside) }
}

/// Whether so many cells meet all these sets.
pub fn hittable<const N: usize>(sets: &[CellSet<N>], stones: usize) -> bool {
    let Some(smallest) = sets.iter().min_by_key(|set| set.len()) else { return true };
    if stones == 0 {
        return false;
    }
    if stones == 1 {
        return !sets.iter().fold(*smallest, |common, set| common & *set).is_empty();
    }
    smallest.iter().any(|cell| {
        let rest: Vec<CellSet<N>> = sets.iter().filter(|set| !set.contains(cell)).copied().collect();
        hittable(&rest, stones - 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use harary_certificate::Cell;

    fn set(cells: &[usize]) -> CellSet<1> {
        cells.iter().copied().map(Cell::new).collect()
    }

    #[test]
    fn few_stones_meet_many_sets_or_do_not() {
        let sets = [set(&[0, 1]), set(&[1, 2]), set(&[3, 4])];
        assert!(!hittable(&sets, 1) && hittable(&sets, 2));
        assert_eq!(forced(&sets, 1), Forced::Lost);
        assert_eq!(forced(&sets, 2), Forced::Inside(set(&[1, 3, 4])));
        assert_eq!(forced(&sets, 3), Forced::Free);
        assert_eq!(forced::<1>(&[], 1), Forced::Free);
        assert_eq!(forced(&sets[..2], 1), Forced::Inside(set(&[1])));
    }
}
