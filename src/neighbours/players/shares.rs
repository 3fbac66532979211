//! What comes of many games: shares of wins and draws, and how sure they are.

/// Results counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games that were played to the end.
    pub games: u64,
    /// Won by who began.
    pub first: u64,
    /// Drawn.
    pub draws: u64,
    /// Won by the other.
    pub second: u64,
    /// Moves over all games.
    pub turns: u64,
}

impl Tally {
    /// One game more, by what the first player gained.
    pub fn add(&mut self, gain: i32, turns: usize) {
        self.games += 1;
        self.turns += turns as u64;
        *match gain {
            1.. => &mut self.first,
            0 => &mut self.draws,
            _ => &mut self.second,
        } += 1;
    }

    /// The share of wins of who began, of draws, and of wins of the other.
    pub fn shares(&self) -> [Share; 3] {
        [self.first, self.draws, self.second].map(|count| Share::new(count, self.games))
    }

    /// The mean number of moves of a game.
    pub fn mean_turns(&self) -> f64 {
        if self.games == 0 { 0.0 } else { self.turns as f64 / self.games as f64 }
    }
}

/// A share, and the interval in which the true one lies, in 95 of 100 such cases (Wilson 1927).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Share {
    /// What was found.
    pub share: f64,
    /// From here
    pub low: f64,
    /// to here.
    pub high: f64,
}

/// 95 of 100 lie within so many standard deviations.
const DEVIATIONS: f64 = 1.959_963_984_540_054;

impl Share {
    /// The share of `count` in `games`. Of no games nothing is known.
    pub fn new(count: u64, games: u64) -> Share {
        if games == 0 {
            return Share { share: 0.0, low: 0.0, high: 1.0 };
        }
        let (games, square) = (games as f64, DEVIATIONS * DEVIATIONS);
        let share = count as f64 / games;
        let centre = share + square / (2.0 * games);
        let half = DEVIATIONS * (share * (1.0 - share) / games + square / (4.0 * games * games)).sqrt();
        let whole = 1.0 + square / games;
        // The ends are exact where nothing or everything was counted; sums of fractions are not.
        let low = if count == 0 { 0.0 } else { (centre - half) / whole };
        let high = if share == 1.0 { 1.0 } else { (centre + half) / whole };
        Share { share, low, high }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_are_those_of_wilson() {
        // Worked out by hand from the formula: 0 of 10 gives z^2 / (10 + z^2); 5 of 10 is the textbook's example.
        let none = Share::new(0, 10);
        assert!(none.low == 0.0 && (none.high - 0.277_53).abs() < 1e-4, "{none:?}");
        let half = Share::new(5, 10);
        assert!((half.low - 0.236_59).abs() < 1e-4 && (half.high - 0.763_41).abs() < 1e-4, "{half:?}");
        let all = Share::new(10, 10);
        assert!((all.low - 0.722_47).abs() < 1e-4 && all.high == 1.0, "{all:?}");
        assert_eq!(Share::new(0, 0), Share { share: 0.0, low: 0.0, high: 1.0 });
        let many = Share::new(585, 1000);
        assert!(many.low < 0.585 && many.high > 0.585 && many.high - many.low < 0.062);
    }

    #[test]
    fn games_are_counted() {
        let mut tally = Tally::default();
        [(1, 5), (0, 9), (-1, 6), (1, 7)].into_iter().for_each(|(gain, turns)| tally.add(gain, turns));
        assert_eq!(tally, Tally { games: 4, first: 2, draws: 1, second: 1, turns: 27 });
        assert_eq!((tally.mean_turns(), tally.shares()[0].share), (6.75, 0.5));
    }
}
