//! Position by position: the `p`, `q`, `l`, `b` and `k` lines, played out from the start (lemma 26, docs/game.md).
//!
//! A position knows its own turn, the number of stones put since the start, so all positions of one turn are held,
//! sorted and followed together, each once, on all cores.

use super::Checker;
use crate::cell_set::CellSet;
use crate::model::{Claim, Position, Refused, Step, Then};
use crate::player::Player;
use rayon::prelude::*;
use std::sync::atomic::Ordering;

/// There may be this many positions at one turn, or 64 for each line: more is a schedule made to explode, no proof.
const LARGEST_TURN: usize = 1 << 22;
/// Positions followed before the list of the next turn is tidied.
const BLOCK: usize = 1 << 13;

impl<const N: usize> Checker<N> {
    /// One line by itself: a position of the right turn in the right form, and what it says is legal there.
    pub(super) fn step(&self, at: &Position<N>, step: &Step) -> Result<(), Refused> {
        let refuse = |reason: String| self.refuse(Some(step.line), reason, at);
        let (rules, start, stones) = (&self.rules, &self.rules.start.stones, at.stones.occupied());
        if !start.black.is_subset(&at.stones.black) || !start.white.is_subset(&at.stones.white) {
            return refuse("the stones of 'start' are missing".into());
        }
        if !stones.is_subset(&rules.arena) {
            return refuse("a stone outside the cover".into());
        }
        let played = rules.played(at);
        let to_move = if matches!(step.then, Then::Play(_)) { rules.claim.holder() } else { Player::Black };
        let black_turns = rules.turns.black_moves(0, played);
        if rules.mover(played) != Some(to_move) || black_turns != at.stones.black.len() - start.black.len() {
            return refuse(format!("with these stones it is not {to_move}'s turn"));
        }
        if rules.canonical(*at) != *at {
            return refuse(format!("not in canonical form, which is {}", text(&rules.canonical(*at))));
        }
        match step.then {
            Then::Block(id) => match self.proof.nodes.get(&id) {
                None => refuse(format!("there is no node {id}")),
                Some(node) if !node.own.is_subset(&at.stones.white) => {
                    refuse(format!("White does not own all of {}, the W of node {id}", node.own))
                }
                Some(node) if !node.open.is_disjoint(&at.stones.black) => {
                    refuse(format!("Black owns a cell of {}, the Z of node {id}", node.open))
                }
                Some(_) => Ok(()),
            },
            // Lemma 10: only sets that are free of White and in time count.
            Then::Pairs(index) => {
                let left = rules.moves_left(played);
                let counts =
                    |set: &CellSet<N>| set.is_disjoint(&at.stones.white) && (*set - at.stones.black).len() <= left;
                let pairs = self.proof.pairing(index);
                self.unpaired(pairs, rules.arena - stones, counts, "is not on empty cells").or_else(refuse)
            }
            Then::Play(cell) if stones.contains(cell) => refuse(format!("{} is occupied", self.name(cell))),
            Then::Play(cell) if !rules.arena.contains(cell) => {
                refuse(format!("{} is outside the cover", self.name(cell)))
            }
            Then::Play(cell) if !rules.choices(at, played).contains(cell) => {
                refuse(format!("{} is not allowed at turn 1", self.name(cell)))
            }
            Then::Play(_) if self.completes_at_once(at, played) => {
                refuse(format!("{to_move} completes a winning set at once: such a position has no line"))
            }
            Then::Play(_) => Ok(()),
        }
    }

    /// Whether the one who is to win can do so at his own turn, after so many others.
    fn completes_at_once(&self, at: &Position<N>, played: usize) -> bool {
        let (rules, holder) = (&self.rules, self.rules.claim.holder());
        !matches!(rules.claim, Claim::Hold(_))
            && rules.mover(played) == Some(holder)
            && !rules.completions(at, holder).is_disjoint(&rules.choices(at, played))
    }

    /// Plays the lines against every move of the other side, turn by turn. Returns the number of positions met.
    pub(super) fn play(&self) -> Result<u64, Refused> {
        let mut turn = Vec::new();
        self.arrive(self.rules.start, &mut turn)?;
        let largest = LARGEST_TURN.max(64 * self.proof.steps.len());
        let mut met = 0;
        while !turn.is_empty() {
            met += turn.len() as u64;
            let mut next = Vec::new();
            for block in turn.chunks(BLOCK) {
                let follow = |part: &[Position<N>]| {
                    let mut reached = Vec::new();
                    part.iter().try_for_each(|at| self.follow(at, &mut reached)).map(|()| reached)
                };
                // Collected in order, so that of several mistakes the same one is named every time.
                let parts: Vec<Result<Vec<_>, Refused>> = block.par_chunks(BLOCK / 64).map(follow).collect();
                for part in parts {
                    next.append(&mut part?);
                }
                if next.len() > largest {
                    sort(&mut next);
                }
                if next.len() > largest {
                    return self.refuse(None, "more positions at one turn than this checker can hold", &next[0]);
                }
            }
            sort(&mut next);
            turn = next;
        }
        Ok(met)
    }

    /// All that can happen in a position: the move of its line, or else every move there is.
    fn follow(&self, at: &Position<N>, reached: &mut Vec<Position<N>>) -> Result<(), Refused> {
        let (rules, played) = (&self.rules, self.rules.played(at));
        let Some(mover) = rules.mover(played) else {
            return self.refuse(None, "the turns are over", at);
        };
        if mover != rules.claim.holder() {
            return self.try_all(at, played, reached);
        }
        let Some(Step { line, then: Then::Play(cell), .. }) = self.proof.steps.get(at) else {
            return self.refuse(None, format!("no line for the position {}", text(at)), at);
        };
        let after = at.with(mover, *cell);
        match rules.claim {
            Claim::Win(last) | Claim::Loss(last) if played + 1 >= last => {
                self.refuse(Some(*line), format!("{mover} has not won by turn {last}"), at)
            }
            Claim::Hold(_) if rules.white_completed(&after) => Ok(()),
            _ => self.arrive(after, reached),
        }
    }

    /// Every move of the other side. None may end the game, but for a threat it leaves open.
    fn try_all(&self, at: &Position<N>, played: usize, reached: &mut Vec<Position<N>>) -> Result<(), Refused> {
        let (rules, choices) = (&self.rules, self.rules.choices(at, played));
        let (mover, holder) = (rules.claim.holder().other(), rules.claim.holder());
        match mover {
            Player::Black => {
                if let Some(cell) = (rules.completions(at, mover) & choices).first() {
                    return self.refuse(None, format!("Black completes a winning set at {}", self.name(cell)), at);
                }
            }
            Player::White if rules.white_completes(at, choices) => {
                return self.refuse(None, "White's next stone completes a winning set of hers", at);
            }
            Player::White => {}
        }
        if let Claim::Hold(_) = rules.claim {
            // After any other move he is out of time, and the line of play ends well.
            let moves = choices & rules.moves_in_time(at, rules.moves_left(played));
            return moves.iter().try_for_each(|cell| self.meet(at.with(mover, cell), reached));
        }
        let threats = rules.completions(at, holder);
        let beyond = rules.has_room(at).then_some(Position { elsewhere: at.elsewhere + 1, ..*at });
        let (mut replies, mut elsewhere) = (choices, beyond);
        if rules.mover(played + 1) == Some(holder) && !threats.is_empty() {
            // Only a stone on the one threat parries; after any other reply it is carried out.
            (replies, elsewhere) = (if threats.len() == 1 { choices & threats } else { CellSet::EMPTY }, None);
            if let Some(after) = (choices - replies).first().map(|cell| at.with(mover, cell)).or(beyond) {
                self.wins_in_time(&after, played + 2)?;
            }
        }
        let mut replies = replies.iter().map(|cell| at.with(mover, cell)).chain(elsewhere);
        replies.try_for_each(|after| self.meet(after, reached))
    }

    /// A position after a move of the holder, or the start: the line of play may end here.
    fn arrive(&self, at: Position<N>, reached: &mut Vec<Position<N>>) -> Result<(), Refused> {
        let played = self.rules.played(&at);
        if self.completes_at_once(&at, played) {
            return self.wins_in_time(&at, played + 1);
        }
        if let Claim::Hold(_) = self.rules.claim {
            let left = self.rules.moves_left(played);
            if left == 0 || self.rules.moves_in_time(&at, left).is_empty() {
                return Ok(());
            }
        }
        self.meet(at, reached)
    }

    /// The holder completes a set at this turn: that must not be too late.
    fn wins_in_time(&self, at: &Position<N>, turn: usize) -> Result<(), Refused> {
        match self.rules.claim.last() {
            Some(last) if turn > last => {
                let holder = self.rules.claim.holder();
                self.refuse(None, format!("{holder} completes a winning set at turn {turn} only, after {last}"), at)
            }
            _ => Ok(()),
        }
    }

    /// A position in which the play goes on. It is noted unless it was met before.
    fn meet(&self, at: Position<N>, reached: &mut Vec<Position<N>>) -> Result<(), Refused> {
        let at = self.rules.canonical(at);
        let mover = self.rules.mover(self.rules.played(&at));
        match (self.proof.steps.get(&at), mover) {
            (_, None) if matches!(self.rules.claim, Claim::Hold(_)) => Ok(()),
            (_, None) => self.refuse(None, "the board is full and nothing is completed", &at),
            (None, Some(mover)) if mover == self.rules.claim.holder() => {
                self.refuse(None, format!("no line for the position {}", text(&at)), &at)
            }
            (Some(Step { then: Then::Block(_) | Then::Pairs(_), .. }), _) => Ok(()),
            (Some(step), _) if step.reached.swap(true, Ordering::Relaxed) => Ok(()),
            _ => {
                reached.push(at);
                Ok(())
            }
        }
    }
}

fn sort<const N: usize>(positions: &mut Vec<Position<N>>) {
    positions.par_sort_unstable();
    positions.dedup();
}

/// A position as a line spells it.
fn text<const N: usize>(at: &Position<N>) -> String {
    format!("{} {} {}", at.stones.black, at.stones.white, at.elsewhere)
}
