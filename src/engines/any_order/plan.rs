//! A turn order seen in blocks: how long a player goes on, and who has how many stones before the end.

use crate::engines::potential::ONE;
use harary_certificate::{
    Player::{self, Black, White},
    Schedule,
};

/// What the search asks of a turn order, ready to be read off. Turns are named by how many were played before them.
pub struct Plan {
    players: Vec<Player>,
    /// How many turns the player goes on without the other one, from each turn on.
    runs: Vec<usize>,
    /// Black's turns before each turn, and in all.
    before: Vec<usize>,
    /// Black's turns in order.
    black: Vec<usize>,
    /// For each turn, which weights apply from it on.
    weights: Vec<Option<usize>>,
    scales: Vec<Scale>,
}

/// The weights of the potential for Black's blocks of at most `most` stones and White's of at least `least`.
struct Scale {
    most: usize,
    least: usize,
    /// Of a set that misses so many cells, rounded up.
    up: Vec<u64>,
    /// The same rounded down.
    down: Vec<u64>,
}

impl Scale {
    fn new(most: usize, least: usize, turns: usize) -> Scale {
        // (1 + least)^(-m / most). One unit more, or less, than a power that is right to a few units in 2^-52.
        let base = (1.0 + least as f64).powf(-1.0 / most as f64);
        let exact = (0..=turns).map(|missing| base.powi(missing as i32) * ONE as f64);
        let up = exact.clone().map(|weight| weight as u64 + 2).collect();
        let down = exact.map(|weight| (weight as u64).saturating_sub(2)).collect();
        Scale { most, least, up, down }
    }
}

impl Plan {
    /// Of a turn order.
    pub fn new(schedule: &Schedule) -> Plan {
        let players: Vec<Player> = (0..schedule.len()).map_while(|turn| schedule.player_after(turn)).collect();
        let turns = players.len();
        let mut runs = vec![0; turns + 1];
        for turn in (0..turns).rev() {
            let goes_on = players.get(turn + 1) == Some(&players[turn]);
            runs[turn] = 1 + if goes_on { runs[turn + 1] } else { 0 };
        }
        let mut before = vec![0];
        for player in &players {
            before.push(before.last().copied().unwrap_or(0) + usize::from(*player == Black));
        }
        let black = (0..turns).filter(|&turn| players[turn] == Black).collect();
        let (mut scales, mut weights) = (Vec::<Scale>::new(), vec![None; turns + 1]);
        // From the last turn back: Black's longest block so far, and White's shortest that a block of his follows.
        let (mut most, mut behind) = (0, usize::MAX);
        for turn in (0..turns).rev() {
            let mut least = behind;
            match players[turn] {
                Black => most = most.max(runs[turn]),
                White if turn + runs[turn] < turns => {
                    // Inside a block only what is left of it can be relied on.
                    least = least.min(runs[turn]);
                    if turn == 0 || players[turn - 1] == Black {
                        behind = least;
                    }
                }
                White => {}
            }
            if most > 0 && least < usize::MAX {
                let known = scales.iter().position(|scale| (scale.most, scale.least) == (most, least));
                weights[turn] = Some(known.unwrap_or_else(|| {
                    scales.push(Scale::new(most, least, turns));
                    scales.len() - 1
                }));
            }
        }
        Plan { players, runs, before, black, weights, scales }
    }

    /// Who plays after so many turns.
    #[inline]
    pub fn player(&self, played: usize) -> Option<Player> {
        self.players.get(played).copied()
    }

    /// How many turns he goes on.
    #[inline]
    pub fn run(&self, played: usize) -> usize {
        self.runs[played]
    }

    /// How many of Black's next `left` stones come in his next block, if White is to move.
    #[inline]
    pub fn next_block(&self, played: usize, left: usize) -> usize {
        let next = played + self.runs[played];
        self.runs[next].min(left)
    }

    /// White's turns before the last of Black's next `left` ones.
    #[inline]
    pub fn white_before(&self, played: usize, left: usize) -> usize {
        match self.black.get(self.before[played] + left - 1) {
            Some(last) => last - played - (left - 1),
            None => self.players.len() - played,
        }
    }

    /// Whether White holds at sight (docs/game.md, lemma 30): `counts` says how many of Black's live sets miss so many
    /// cells. Only sets that miss at most `left` count.
    #[inline]
    pub fn holds(&self, played: usize, left: usize, counts: impl Fn(usize) -> u32, longest: usize) -> bool {
        let Some(scale) = self.weights[played].map(|number| &self.scales[number]) else { return false };
        let ahead = if self.players[played] == Black { self.runs[played].min(left) } else { 0 };
        let limit = scale.down[ahead];
        let mut sum = 0;
        for missing in 0..=left.min(longest) {
            sum += u64::from(counts(missing)) * scale.up[missing];
            if sum >= limit {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_counted() {
        let plan = Plan::new(&Schedule::stones(2, 1, 9)); // BWWBBWWBB
        assert_eq!((0..9).map(|turn| plan.run(turn)).collect::<Vec<_>>(), [1, 2, 1, 2, 1, 2, 1, 2, 1]);
        assert_eq!((plan.next_block(1, 5), plan.next_block(2, 1)), (2, 1));
        assert_eq!((plan.white_before(0, 1), plan.white_before(0, 2), plan.white_before(0, 4)), (0, 2, 4));
        assert_eq!((plan.white_before(2, 1), plan.white_before(3, 3)), (1, 2));
        assert_eq!(plan.player(9), None);
    }

    /// With alternating turns this is the potential of lemma 14: 2^-m against 1, or 1/2 with Black to move.
    #[test]
    fn alternating_turns_have_the_weights_of_erdos_and_selfridge() {
        let plan = Plan::new(&Schedule::alternating(12));
        let one_set = |missing: usize, count: u32| move |m: usize| if m == missing { count } else { 0 };
        assert!(plan.holds(1, 5, one_set(2, 3), 4) && !plan.holds(1, 5, one_set(2, 4), 4));
        assert!(plan.holds(0, 5, one_set(2, 1), 4) && !plan.holds(0, 5, one_set(2, 2), 4));
        // Two stones against one, sets of four: weight 2^(-4/2), so three of them are held and four are not.
        let plan = Plan::new(&Schedule::from_letters("WBBWBBWBB").unwrap());
        assert!(plan.holds(0, 6, one_set(4, 3), 4) && !plan.holds(0, 6, one_set(4, 4), 4));
    }
}
