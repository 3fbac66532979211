//! Many games of two players. A game depends on the seed and on its number alone, whoever plays it when.

use super::contest::{Contest, Rule, Stones};
use super::heuristic::Reading;
use super::player::{Player, Seat, Ties};
use super::shares::Tally;
use crate::effort::{Halt, Limits};
use crate::neighbours::clauses::FormulaError;
use crate::neighbours::finite::Side;
use crate::neighbours::random::Random;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

/// Two players and what they play.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Series {
    /// Who begins, and who follows.
    pub players: [Player; 2],
    /// The rule.
    pub rule: Rule,
    /// The side of the board.
    pub side: usize,
    /// Whether who would have won has lost.
    pub misere: bool,
    /// How minimax scores lines.
    pub reading: Reading,
    /// What players do with moves that are equally good.
    pub ties: Ties,
    /// Of all random numbers.
    pub seed: u64,
}

impl Series {
    /// Plays so many games with so many threads, at least one. What was played when a limit was reached is kept: the
    /// games before the first that is missing. `done` is told how many games are over, now and then.
    pub fn play(
        &self,
        games: u64,
        jobs: usize,
        limits: &Limits,
        done: &(dyn Fn(u64) + Sync),
    ) -> Result<Tally, FormulaError> {
        // Line games are all the same; formulas are drawn for each game.
        let shared = Arc::new(Contest::new(self.rule, self.side, self.misere, 0)?);
        let (next, over) = (AtomicU64::new(0), AtomicU64::new(0));
        let results = Mutex::new(Vec::new());
        let work = || {
            let mut seats = self.players.map(|player| Seat::new(player, self.reading, self.ties, limits));
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= games || limits.check_now().is_err() {
                    break;
                }
                let Ok(result) = self.game(number, &shared, &mut seats) else { break };
                // A thread that panicked has told so already; its games are missing.
                if let Ok(mut results) = results.lock() {
                    results.push((number, result));
                }
                done(over.fetch_add(1, Ordering::Relaxed) + 1);
            }
        };
        thread::scope(|scope| {
            (1..jobs).for_each(|_| {
                scope.spawn(work);
            });
            work();
        });
        let mut results = results.into_inner().unwrap_or_default();
        results.sort_unstable();
        let mut tally = Tally::default();
        for (expected, (number, (gain, turns))) in (0..).zip(results) {
            if number != expected {
                break;
            }
            tally.add(gain, turns);
        }
        Ok(tally)
    }

    /// One game: what the first player gains, and its moves.
    fn game(&self, number: u64, shared: &Arc<Contest>, seats: &mut [Seat<'_>; 2]) -> Result<(i32, usize), Halt> {
        let mut random = Random::new(Random::new(self.seed).bits() ^ Random::new(number).bits());
        let contest = match self.rule {
            // The shared one was made by the same recipe, so that this one can be made.
            Rule::Clauses(_) => {
                Contest::new(self.rule, self.side, self.misere, random.bits()).map_or_else(|_| shared.clone(), Arc::new)
            }
            _ => shared.clone(),
        };
        let mut stones = Stones::default();
        for turns in 0.. {
            if let Some(gain) = contest.gain(stones) {
                return Ok((gain, turns));
            }
            let mover = stones.mover();
            let seat = &mut seats[usize::from(mover == Side::Second)];
            let cell = seat.choose(&contest, stones, &mut random)?;
            stones = stones.with(mover, cell);
        }
        Err(Halt)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::neighbours::clauses::Recipe;

    fn series(first: Player, second: Player, rule: Rule, misere: bool) -> Series {
        Series {
            players: [first, second],
            rule,
            side: 3,
            misere,
            reading: Reading::Stones,
            ties: Ties::Random,
            seed: 1,
        }
    }

    fn play(series: Series, games: u64, jobs: usize) -> Tally {
        series.play(games, jobs, &Limits::none(), &|_| {}).unwrap()
    }

    #[test]
    fn random_tic_tac_toe_ends_as_it_is_known_to() {
        // Of all orders of moves: 0.585, 0.127 and 0.288.
        let tally = play(series(Player::Random, Player::Random, Rule::Classic, false), 20_000, 2);
        for (share, known) in tally.shares().iter().zip([0.585, 0.127, 0.288]) {
            assert!(share.low - 0.01 < known && known < share.high + 0.01, "{tally:?}");
        }
    }

    #[test]
    fn the_number_of_threads_changes_nothing() {
        let clauses = Rule::Clauses(Recipe { clauses: 8, size: 3, negation: 0.5 });
        for rule in [Rule::Modular, clauses] {
            for (first, second) in [(Player::Random, Player::Minimax(2)), (Player::Random, Player::Perfect)] {
                let series = series(first, second, rule, false);
                assert_eq!(play(series, 60, 1), play(series, 60, 3));
                assert_ne!(play(series, 60, 1), play(Series { seed: 2, ..series }, 60, 1), "{rule:?} {first}");
            }
        }
    }

    #[test]
    fn nobody_beats_the_perfect_player_where_the_game_is_a_draw() {
        let others = [Player::Random, Player::Minimax(1), Player::Minimax(3), Player::Blocking(2), Player::Beck];
        for (rule, misere) in [(Rule::Classic, false), (Rule::NoDiagonals, false), (Rule::Classic, true)] {
            for other in others {
                let first = play(series(Player::Perfect, other, rule, misere), 40, 2);
                let second = play(series(other, Player::Perfect, rule, misere), 40, 2);
                assert_eq!((first.second, second.first), (0, 0), "{other} {rule:?} {misere}");
            }
        }
        let even = play(series(Player::Perfect, Player::Perfect, Rule::Classic, false), 20, 2);
        assert_eq!(even.draws, 20);
        // The first player wins the modular game of 3x3.
        let won = play(series(Player::Perfect, Player::Minimax(4), Rule::Modular, false), 20, 2);
        assert_eq!(won.first, 20);
    }

    #[test]
    fn strength_shows() {
        let against = |player| play(series(player, Player::Random, Rule::Classic, false), 400, 2);
        let random = against(Player::Random).first;
        for player in [Player::Minimax(1), Player::Minimax(4), Player::Beck, Player::Perfect] {
            assert!(against(player).first > random + 60, "{player}");
        }
        // To lose on purpose, or not, shows as well.
        let misere = |player| play(series(player, Player::Random, Rule::Classic, true), 400, 2);
        assert!(misere(Player::Beck).second + 40 < misere(Player::Random).second);
        assert!(misere(Player::Minimax(4)).second + 40 < misere(Player::Random).second);
    }

    #[test]
    fn what_was_played_is_kept() {
        let limits = Limits::none();
        let series = series(Player::Random, Player::Random, Rule::Classic, false);
        let stop = |over: u64| {
            if over == 30 {
                limits.stop();
            }
        };
        let tally = series.play(1_000_000, 1, &limits, &stop).unwrap();
        assert_eq!(tally, play(series, 30, 1));
        assert_eq!(series.play(10, 2, &limits, &|_| {}).unwrap(), Tally::default());
    }
}
