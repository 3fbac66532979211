//! The turn schedule: who puts a stone at turn 1, 2, 3, …

use crate::player::Player;

/// Who plays at each turn; one stone a turn. Turns are numbered from 1, and the game is over after the last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    players: Vec<Player>,
}

impl Schedule {
    /// Black plays the odd turns, White the even ones.
    pub fn alternating(turns: usize) -> Schedule {
        Schedule::stones(1, 1, turns)
    }

    /// Black puts `1 + handicap` stones first, then the players alternate.
    pub fn handicap(handicap: usize, turns: usize) -> Schedule {
        Schedule::stones(1, 1 + handicap, turns)
    }

    /// The schedule of GTTT(p,q): Black opens with `q` stones, from then on each player puts `p` at a time.
    pub fn stones(p: usize, q: usize, turns: usize) -> Schedule {
        let p = p.max(1);
        let players =
            (0..turns).map(|t| if t < q || ((t - q) / p) % 2 == 1 { Player::Black } else { Player::White }).collect();
        Schedule { players }
    }

    /// Any schedule.
    pub fn of(players: Vec<Player>) -> Schedule {
        Schedule { players }
    }

    /// Reads `BBWBW…`; `None` if a letter is neither B nor W.
    pub fn from_letters(letters: &str) -> Option<Schedule> {
        let players = letters
            .chars()
            .map(|letter| match letter {
                'B' => Some(Player::Black),
                'W' => Some(Player::White),
                _ => None,
            })
            .collect::<Option<Vec<_>>>()?;
        Some(Schedule { players })
    }

    /// Writes `BBWBW…`.
    pub fn letters(&self) -> String {
        self.players
            .iter()
            .map(|player| match player {
                Player::Black => 'B',
                Player::White => 'W',
            })
            .collect()
    }

    /// How many turns the game has.
    #[inline]
    pub fn len(&self) -> usize {
        self.players.len()
    }

    /// Whether the game is over before it begins.
    pub fn is_empty(&self) -> bool {
        self.players.is_empty()
    }

    /// Who plays next after `played` turns; `None` when the game is over.
    #[inline]
    pub fn player_after(&self, played: usize) -> Option<Player> {
        self.players.get(played).copied()
    }

    /// Whether this is the plain order: Black the odd turns, White the even ones.
    pub fn is_alternating(&self) -> bool {
        *self == Schedule::alternating(self.len())
    }

    /// How many stones Black puts in turns `played + 1 ..= until`.
    pub fn black_moves(&self, played: usize, until: usize) -> usize {
        let until = until.min(self.len());
        if played >= until {
            return 0;
        }
        self.players[played..until].iter().filter(|&&player| player == Player::Black).count()
    }

    /// The same order, cut to `turns` turns.
    pub fn truncated(&self, turns: usize) -> Schedule {
        Schedule { players: self.players[..turns.min(self.len())].to_vec() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedules_spell_as_the_field_spells_them() {
        assert_eq!(Schedule::alternating(5).letters(), "BWBWB");
        assert_eq!(Schedule::handicap(1, 5).letters(), "BBWBW");
        assert_eq!(Schedule::stones(2, 2, 9).letters(), "BBWWBBWWB");
        assert_eq!(Schedule::stones(2, 1, 9).letters(), "BWWBBWWBB");
        assert!(Schedule::from_letters("BWB").unwrap().is_alternating());
        assert_eq!(Schedule::from_letters("BXB"), None);
    }

    #[test]
    fn black_moves_are_counted_up_to_the_last_turn() {
        let schedule = Schedule::alternating(9);
        assert_eq!(schedule.black_moves(0, 9), 5);
        assert_eq!(schedule.black_moves(2, 5), 2);
        assert_eq!(schedule.black_moves(3, 4), 0);
        assert_eq!(schedule.black_moves(0, 100), 5);
        assert_eq!(schedule.black_moves(9, 9), 0);
    }
}
