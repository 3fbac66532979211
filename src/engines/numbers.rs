//! Proof numbers: how much work seems to be left until a position is decided.
//!
//! The *proof number* of a position says how much must still be won to prove a win of Black's, the *disproof number*
//! how much must be held to refute it. Each player wants to bring his own one to zero: Black the proof number, White
//! the other. Above a move, a player's own number is the least of those after his moves, since one of them is enough.
//! The other one would be their sum; it is the greatest plus how many others there are (*weak* proof numbers, Ueda et
//! al., 2008): the same positions are reached by many orders of moves, and a sum would count them many times.
//!
//! A child is searched until its numbers pass its *limits*: those of the position above it, and a quarter more than the
//! second-best child's (the 1 + ε rule of Pawlewicz and Lew, 2007), so that the search does not jump to and fro.
//!
//! Numbers steer a search and decide nothing: whatever they are, what is found is true.

use crate::effort::tuning::numbers::SLACK;
use harary_certificate::Player::{self, Black, White};

/// Proof and disproof number of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// What must still be won.
    pub proof: u32,
    /// What must still be held.
    pub disproof: u32,
}

/// More than any open position has.
const INFINITE: u32 = u32::MAX / 2;

/// The greatest number of an open position.
const MOST: u32 = INFINITE - 1;

impl Numbers {
    /// Of a position that nothing is known of.
    pub const UNIT: Numbers = Numbers { proof: 1, disproof: 1 };

    /// Of a position that Black wins.
    pub const PROVED: Numbers = Numbers { proof: 0, disproof: INFINITE };

    /// Of a position that White holds.
    pub const DISPROVED: Numbers = Numbers { proof: INFINITE, disproof: 0 };

    /// The limits of a search that ends only with a decision.
    pub const NO_LIMIT: Numbers = Numbers { proof: INFINITE, disproof: INFINITE };

    /// Open numbers from a player's own and the other one.
    pub fn of(player: Player, own: u32, other: u32) -> Numbers {
        match player {
            Black => Numbers { proof: own, disproof: other },
            White => Numbers { proof: other, disproof: own },
        }
    }

    /// The number `player` wants to bring to zero.
    #[inline]
    pub fn own(self, player: Player) -> u32 {
        match player {
            Black => self.proof,
            White => self.disproof,
        }
    }

    /// Whether a search with these limits ends here.
    #[inline]
    pub fn reach(self, limit: Numbers) -> bool {
        self.proof >= limit.proof || self.disproof >= limit.disproof
    }

    /// So many times as much; what is too large is no limit.
    pub fn times(self, factor: u32) -> Numbers {
        let times = |number: u32| number.saturating_mul(factor).min(INFINITE);
        Numbers { proof: times(self.proof), disproof: times(self.disproof) }
    }

    /// Whether an open position may have them.
    pub fn is_open(self) -> bool {
        (1..=MOST).contains(&self.proof) && (1..=MOST).contains(&self.disproof)
    }

    /// Both in one word, for tables.
    pub fn to_word(self) -> u64 {
        u64::from(self.proof) << 32 | u64::from(self.disproof)
    }

    /// What [`Numbers::to_word`] packed.
    pub fn from_word(word: u64) -> Numbers {
        Numbers { proof: (word >> 32) as u32, disproof: word as u32 }
    }
}

/// The child to be searched next, and the numbers of the position above.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// Which of the children.
    pub index: usize,
    /// Of the position above.
    pub numbers: Numbers,
    /// The player's own number at the second-best child.
    second: u32,
    /// What the other children add to the player's other number.
    others: u32,
}

impl Choice {
    /// Of the open children of a position with `player` to move, each with whether another thread is at it: the one
    /// with his least own number, of several equal ones the first. One that another thread is at counts half as much
    /// again.
    #[inline]
    pub fn among(player: Player, children: impl IntoIterator<Item = (Numbers, bool)>) -> Choice {
        let (mut index, mut least, mut second) = (0, INFINITE, INFINITE);
        let (mut real, mut greatest, mut count) = (INFINITE, 0, 0u32);
        for (numbers, taken) in children {
            let mut own = numbers.own(player);
            real = real.min(own);
            greatest = greatest.max(numbers.own(player.other()));
            if taken {
                own = own.saturating_add(own / 2 + 1).min(MOST);
            }
            if own < least {
                second = least;
                (index, least) = (count as usize, own);
            } else {
                second = second.min(own);
            }
            count += 1;
        }
        let others = count.saturating_sub(1);
        Choice { index, numbers: Numbers::of(player, real.min(MOST), (greatest + others).min(MOST)), second, others }
    }

    /// Of White's open replies the one with the greatest proof number, for a search that means to prove a win and no hold: it
    /// is where Black fails, if he does. One that another thread is at comes last. Here the proof number of the position
    /// is the sum of those of the replies.
    #[inline]
    pub fn hardest(children: impl IntoIterator<Item = (Numbers, bool)>) -> Choice {
        let (mut index, mut best, mut hardest, mut sum) = (0, None, 0, 0u64);
        for (place, (numbers, taken)) in children.into_iter().enumerate() {
            sum += u64::from(numbers.proof);
            if best < Some((!taken, numbers.proof)) {
                (index, best, hardest) = (place, Some((!taken, numbers.proof)), numbers.proof);
            }
        }
        let proof = sum.min(MOST.into()) as u32;
        Choice {
            index,
            numbers: Numbers { proof, disproof: 1 },
            second: INFINITE,
            others: proof.saturating_sub(hardest),
        }
    }

    /// The limits of the child chosen, whose numbers are `child`, when those of the position above are `limit`.
    #[inline]
    pub fn limit(&self, player: Player, child: Numbers, limit: Numbers) -> Numbers {
        let enough = self.second.saturating_add(self.second / SLACK + 1).min(INFINITE);
        let rest = match limit.own(player.other()) {
            INFINITE => INFINITE,
            other => other.saturating_sub(self.others),
        };
        // At least one step on, also where another thread's child was left aside for this one.
        let own = limit.own(player).min(enough).max(child.own(player) + 1);
        Numbers::of(player, own, rest.max(child.own(player.other()) + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn decided_positions_are_at_the_ends() {
        assert_eq!((Numbers::PROVED.own(Black), Numbers::DISPROVED.own(White)), (0, 0));
        assert!(Numbers::PROVED.reach(Numbers::NO_LIMIT) && Numbers::DISPROVED.reach(Numbers::NO_LIMIT));
        assert!(!Numbers { proof: MOST, disproof: MOST }.reach(Numbers::NO_LIMIT));
    }

    proptest! {
        /// The definitions, spelt out; and a child that is chosen always has a step to go.
        #[test]
        fn a_choice_is_the_least_and_leaves_room(
            list in prop::collection::vec((1..1000u32, 1..1000u32, any::<bool>()), 1..9), black: bool,
            limits in (1..2000u32, 1..2000u32),
        ) {
            let player = if black { Black } else { White };
            let children: Vec<(Numbers, bool)> =
                list.iter().map(|&(proof, disproof, taken)| (Numbers { proof, disproof }, taken)).collect();
            let choice = Choice::among(player, children.iter().copied());
            let weight = |&(numbers, taken): &(Numbers, bool)| {
                let own = numbers.own(player);
                if taken { own + own / 2 + 1 } else { own }
            };
            let least = children.iter().map(weight).min().unwrap();
            prop_assert_eq!(children.iter().position(|child| weight(child) == least), Some(choice.index));
            let own = children.iter().map(|child| child.0.own(player)).min().unwrap();
            let other = children.iter().map(|child| child.0.own(player.other())).max().unwrap();
            prop_assert_eq!(choice.numbers, Numbers::of(player, own, other + children.len() as u32 - 1));
            let (child, limit) = (children[choice.index].0, Numbers { proof: limits.0, disproof: limits.1 });
            let room = choice.limit(player, child, limit);
            prop_assert!(!child.reach(room));
            let unlimited = choice.limit(player, child, Numbers::NO_LIMIT);
            prop_assert_eq!(unlimited.own(player.other()), Numbers::NO_LIMIT.proof);
            prop_assert_eq!(Numbers::from_word(child.to_word()), child);

            let hardest = Choice::hardest(children.iter().copied());
            let weight = |&(numbers, taken): &(Numbers, bool)| (!taken, numbers.proof);
            prop_assert_eq!(children.iter().map(weight).max(), Some(weight(&children[hardest.index])));
            let sum: u32 = children.iter().map(|child| child.0.proof).sum();
            prop_assert_eq!(hardest.numbers, Numbers { proof: sum, disproof: 1 });
            let (child, limit) = (children[hardest.index].0, Numbers { proof: sum + limits.0, ..Numbers::NO_LIMIT });
            let proof = child.proof + limits.0;
            prop_assert_eq!(hardest.limit(White, child, limit), Numbers { proof, ..Numbers::NO_LIMIT });
        }
    }
}
