//! Nim with one heap: whoever takes the last match wins.
//!
//! In Fibonacci Nim the first player may not take all, and afterwards each may take up to twice what was taken last. In
//! the other one each takes 1 to k. Both have an answer by arithmetic. Taking 1 to k: leave a multiple of k + 1. Fibonacci:
//! write the heap as a sum of Fibonacci numbers no two of which are neighbours (Zeckendorf's theorem); the mover wins
//! exactly if the least of them may be taken, and then that is a winning move (Whinihan 1963).

use super::finite::{Finite, Side};
use super::spoken::Spoken;

/// How many matches may be taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// At first all but one, then up to twice what was taken last.
    Fibonacci,
    /// From 1 to so many.
    UpTo(u64),
}

/// A heap, and what may be taken of it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Nim {
    rule: Rule,
    left: u64,
    most: u64,
    mover: Side,
}

impl Nim {
    /// A whole heap, the first player to move.
    pub fn new(rule: Rule, matches: u64) -> Nim {
        let most = match rule {
            Rule::Fibonacci => matches.saturating_sub(1),
            Rule::UpTo(most) => most,
        };
        Nim { rule, left: matches, most, mover: Side::First }
    }

    /// What may be taken.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Matches left.
    pub fn left(&self) -> u64 {
        self.left
    }

    /// The most that may be taken now.
    pub fn most(&self) -> u64 {
        self.most.min(self.left)
    }

    /// A winning move, by arithmetic; nothing if there is none.
    pub fn winning_take(&self) -> Option<u64> {
        match self.rule {
            Rule::Fibonacci => least_part(self.left).filter(|&part| part <= self.most),
            Rule::UpTo(most) => {
                // Where k + 1 is no number any more, everything may be taken.
                let rest = most.checked_add(1).map_or(self.left, |modulus| self.left % modulus);
                Some(rest).filter(|&rest| rest > 0)
            }
        }
    }

    /// What the first player gains when both play best, by arithmetic.
    pub fn value_by_arithmetic(&self) -> i32 {
        if self.winning_take().is_some() { self.mover.sign() } else { -self.mover.sign() }
    }
}

/// The least of the Fibonacci numbers, no two neighbours, whose sum is `number`.
fn least_part(number: u64) -> Option<u64> {
    let mut fibonacci = vec![1u64, 2];
    while let [.., before, last] = fibonacci[..]
        && last < number
        && let Some(next) = before.checked_add(last)
    {
        fibonacci.push(next);
    }
    let (mut rest, mut least) = (number, None);
    for part in fibonacci.into_iter().rev() {
        if part <= rest {
            rest -= part;
            least = Some(part);
        }
    }
    least
}

impl Finite for Nim {
    type Move = u64;

    fn mover(&self) -> Side {
        self.mover
    }

    /// Whoever cannot take a match has lost: the other one took the last, or there was one only from the start.
    fn value(&self) -> Option<i32> {
        (self.most() == 0).then(|| -self.mover.sign())
    }

    fn moves(&self) -> Vec<u64> {
        (1..=self.most()).collect()
    }

    fn after(&self, taken: u64) -> Nim {
        let most = match self.rule {
            Rule::Fibonacci => taken.saturating_mul(2),
            Rule::UpTo(most) => most,
        };
        Nim { rule: self.rule, left: self.left - taken, most, mover: self.mover.other() }
    }
}

impl Spoken for Nim {
    fn title(&self) -> String {
        let heap = if self.left == 1 { "1 match".to_owned() } else { format!("{} matches", self.left) };
        match self.rule {
            Rule::Fibonacci => format!("Fibonacci Nim with {heap}"),
            Rule::UpTo(most) => format!("Nim with {heap}, 1 to {most} at a turn"),
        }
    }

    fn drawing(&self) -> String {
        let heap = if self.left <= 70 { "|".repeat(self.left as usize) } else { format!("{} matches", self.left) };
        format!("  {heap}\n")
    }

    fn question(&self) -> String {
        format!("how many matches, 1 to {}", self.most())
    }

    fn name_of(&self, taken: u64) -> String {
        taken.to_string()
    }

    fn read(&self, text: &str) -> Result<u64, String> {
        let taken = text.parse().ok().filter(|taken| (1..=self.most()).contains(taken));
        taken.ok_or_else(|| format!("'{text}' is no number of matches from 1 to {}", self.most()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::search::Search;
    use super::*;
    use crate::effort::Limits;

    /// The least winning take of every heap by the rules alone, from the bottom up: taking t wins if nothing is left, or if
    /// the least winning take of what is left is more than 2t.
    fn least_takes(matches: usize) -> Vec<usize> {
        let mut least = vec![usize::MAX];
        for left in 1..=matches {
            let wins = |taken: &usize| *taken == left || least[left - taken] > 2 * taken;
            least.push((1..=left).find(wins).unwrap_or(usize::MAX));
        }
        least
    }

    #[test]
    fn the_first_player_loses_exactly_the_fibonacci_numbers() {
        let (mut fibonacci, mut next) = (vec![1usize], 2);
        while next <= 10_000 {
            fibonacci.push(next);
            next = fibonacci[fibonacci.len() - 1] + fibonacci[fibonacci.len() - 2];
        }
        for (matches, least) in least_takes(10_000).into_iter().enumerate().skip(1) {
            let game = Nim::new(Rule::Fibonacci, matches as u64);
            let wins = least < matches;
            assert_eq!(wins, !fibonacci.contains(&matches), "{matches}");
            assert_eq!(game.value_by_arithmetic(), if wins { 1 } else { -1 }, "{matches}");
            assert_eq!(game.winning_take(), wins.then_some(least as u64), "{matches}");
        }
    }

    #[test]
    fn search_and_arithmetic_agree_at_every_position() {
        let limits = Limits::none();
        for rule in [Rule::Fibonacci, Rule::UpTo(1), Rule::UpTo(3), Rule::UpTo(5)] {
            let mut search = Search::new(&limits);
            for matches in 0..=60 {
                let start = Nim::new(rule, matches);
                assert_eq!(search.value(&start), Ok(start.value_by_arithmetic()), "{start:?}");
                for game in start.moves().into_iter().map(|taken| start.after(taken)) {
                    assert_eq!(search.value(&game), Ok(game.value_by_arithmetic()), "{game:?}");
                    if let Some(taken) = game.winning_take() {
                        assert_eq!(search.value(&game.after(taken)), Ok(game.mover().sign()), "{game:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn heaps_of_any_height_have_an_answer() {
        assert_eq!(Nim::new(Rule::Fibonacci, 1_000_000).winning_take(), Some(55));
        assert_eq!(Nim::new(Rule::Fibonacci, 832_040).winning_take(), None);
        assert!(Nim::new(Rule::Fibonacci, u64::MAX).winning_take().is_some());
        assert_eq!(Nim::new(Rule::UpTo(3), 1_000_000).winning_take(), None);
        assert_eq!(Nim::new(Rule::UpTo(u64::MAX), 7).winning_take(), Some(7));
    }
}
