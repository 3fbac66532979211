//! The weak game and the paving question by exhaustive search: what the tests of the clever ones compare with.

use harary_certificate::CellSet;
use std::collections::HashMap;

type Set = CellSet<1>;

/// The weak game by exhaustive search, Black to move: does White hold?
pub fn holds(sets: &[Set], cells: usize, black: Set, white: Set, known: &mut HashMap<(Set, Set), bool>) -> bool {
    if let Some(&answer) = known.get(&(black, white)) {
        return answer;
    }
    let empty = Set::first_cells(cells) - black - white;
    let answer = !sets.iter().any(|set| set.is_subset(&black))
        && empty.iter().all(|m| {
            let black = black.with(m);
            let left = empty.without(m);
            !sets.iter().any(|set| set.is_subset(&black))
                && (left.is_empty() || left.iter().any(|o| holds(sets, cells, black, white.with(o), known)))
        });
    known.insert((black, white), answer);
    answer
}

/// Whether disjoint pairs of empty cells stop every set, by trying every pair of the first set that has none.
pub fn can_be_paved(sets: &[Set], empty: Set, white: Set, pairs: &mut Vec<Set>) -> bool {
    let open = |set: &&Set| set.is_disjoint(&white) && !pairs.iter().any(|pair| pair.is_subset(set));
    let Some(&set) = sets.iter().find(open) else { return true };
    for a in (set & empty).iter() {
        for b in (set & empty).iter().filter(|&b| b > a) {
            pairs.push(Set::single(a).with(b));
            let found = can_be_paved(sets, empty.without(a).without(b), white, pairs);
            pairs.pop();
            if found {
                return true;
            }
        }
    }
    false
}

/// The question of level `level`, by its definition: White makes so many moves, then there is a paving.
pub fn is_blocked(sets: &[Set], cells: usize, black: Set, white: Set, level: usize) -> bool {
    let empty = Set::first_cells(cells) - black - white;
    can_be_paved(sets, empty, white, &mut Vec::new())
        || (level > 0
            && empty.len() > 1
            && empty.iter().all(|m| {
                let left = empty.without(m);
                left.iter().any(|o| is_blocked(sets, cells, black.with(m), white.with(o), level - 1))
            }))
}
