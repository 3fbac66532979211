//! Positions: every line by itself, and every line of play from the start (`p`, `q`, `b`, `k`, `l`).

use super::body::{Certificate, Step};
use super::game::{canonical, complete, paired};
use super::header::Claim;
use super::nodes::{Known, check_pairs};
use super::{Result, Set, bit, has, need, size, within};
use std::collections::HashSet;

/// Black's stones, White's, and those of White's that lie outside the cover.
type Position = (Set, Set, usize);

impl Certificate {
    /// The cells players choose from.
    fn arena(&self) -> Set {
        self.header.cover.unwrap_or(self.header.game.all())
    }

    fn form(&self, (black, white, elsewhere): Position) -> Position {
        let (black, white) = canonical(&self.header.stored, black, white);
        (black, white, elsewhere)
    }

    /// The turn that a claim names.
    fn last(&self) -> Option<u64> {
        match self.header.claim {
            Claim::Win(turn) | Claim::Loss(turn) => Some(turn),
            Claim::Hold(turn) => turn,
        }
    }

    /// Every line by itself, reached or not.
    pub fn check_positions(&self, known: &Known) -> Result<()> {
        let game = &self.header.game;
        let arena = self.arena();
        for (&position, step) in &self.positions {
            let (black, white, elsewhere) = position;
            need(black & white == 0, "two stones on a cell")?;
            need(within(game.start.0, black) && within(game.start.1, white), "the start stones are not there")?;
            need(within(black | white, arena), "stones outside the cover")?;
            need(elsewhere <= game.cells - size(arena), "too many elsewhere")?;
            need(self.form(position) == position, "not in canonical form")?;
            let t = game.played(black, white, elsewhere);
            need(t < game.turns.len(), "no turn is left")?;
            let blacks = game.turns[..t].iter().filter(|&&player| player == 'B').count();
            need(blacks == size(black & !game.start.0), "the numbers of stones")?;
            let attacker = match self.header.claim {
                Claim::Win(_) => Some('B'),
                Claim::Loss(_) => Some('W'),
                Claim::Hold(_) => None,
            };
            let mover = match step {
                Step::Play(_) => attacker.unwrap_or('W'),
                Step::Block(_) | Step::Pairs(_) => 'B',
            };
            need(game.turns[t] == mover, "the wrong turn")?;
            match step {
                Step::Play(cell) => {
                    need(game.choices(arena, black, white, t).contains(cell), "a move that is not allowed")?;
                    need(attacker.is_none() || !self.completes(mover, position), "a set can be completed at once")?;
                }
                Step::Block(id) => {
                    let node = known.nodes.get(id).ok_or("no such node")?;
                    need(within(node.own, white) && node.open & black == 0, "the node does not apply")?;
                }
                Step::Pairs(pairs) => {
                    need(game.alternates(), "bounded pairs need the plain turn order")?;
                    check_pairs(pairs, game.all() & !black & !white)?;
                    let left = game.moves_left(t, self.last());
                    let held = |&set: &Set| set & white != 0 || size(set & !black) > left || paired(set, pairs);
                    need(game.black.iter().all(held), "a set in time without a pair")?;
                }
            }
        }
        Ok(())
    }

    /// Whether this player, who is to move, completes a set at once.
    fn completes(&self, player: char, (black, white, elsewhere): Position) -> bool {
        let game = &self.header.game;
        let (sets, stones) = if player == 'B' { (&game.black, black) } else { (&game.white, white) };
        let t = game.played(black, white, elsewhere);
        game.choices(self.arena(), black, white, t).into_iter().any(|cell| complete(sets, stones | bit(cell)))
    }

    /// Follows every line of play.
    pub fn play(&self) -> Result<()> {
        let (black, white) = self.header.game.start;
        let mut seen = HashSet::new();
        match self.header.claim {
            Claim::Win(turn) => self.attack('B', turn, (black, white, 0), &mut seen),
            Claim::Loss(turn) => self.attack('W', turn, (black, white, 0), &mut seen),
            Claim::Hold(_) => self.hold((black, white, 0), &mut seen),
        }
    }

    /// Whether this player has completed a set.
    fn completed(&self, player: char, (black, white, elsewhere): Position) -> bool {
        let game = &self.header.game;
        let arena = self.arena();
        match player {
            'B' => complete(&game.black, black),
            _ => game.white.iter().any(|set| within(set & arena, white) && size(set & !arena) <= elsewhere),
        }
    }

    /// The lines of play of a `claim win` or, with White as the attacker, of a `claim loss`.
    fn attack(&self, attacker: char, last: u64, position: Position, seen: &mut HashSet<Position>) -> Result<()> {
        if !seen.insert(position) {
            return Ok(());
        }
        let game = &self.header.game;
        let defender = if attacker == 'B' { 'W' } else { 'B' };
        need(!self.completed(defender, position), "the other side has completed a set")?;
        let (black, white, elsewhere) = position;
        let t = game.played(black, white, elsewhere);
        need(t < game.turns.len(), "no turn is left")?;
        if game.turns[t] == attacker {
            if self.completes(attacker, position) {
                return need((t as u64) < last, "too late"); // turn t + 1 is K at the latest
            }
            let (black, white, elsewhere) = self.form(position);
            let Some(&Step::Play(cell)) = self.positions.get(&(black, white, elsewhere)) else {
                return Err("a missing position".into());
            };
            need((t as u64) + 1 < last, "too late")?;
            return self.attack(attacker, last, after(attacker, (black, white, elsewhere), cell), seen);
        }
        for cell in game.choices(self.arena(), black, white, t) {
            self.attack(attacker, last, after(defender, position, cell), seen)?;
        }
        if elsewhere < game.cells - size(self.arena()) {
            self.attack(attacker, last, (black, white, elsewhere + 1), seen)?;
        }
        Ok(())
    }

    fn hold(&self, position: Position, seen: &mut HashSet<Position>) -> Result<()> {
        if !seen.insert(position) {
            return Ok(());
        }
        let game = &self.header.game;
        need(!self.completed('B', position), "Black has completed a set")?;
        if self.completed('W', position) {
            return Ok(());
        }
        let (black, white, _) = position;
        let t = game.played(black, white, 0);
        let left = game.moves_left(t, self.last());
        if game.black.iter().all(|set| set & white != 0 || size(set & !black) > left) {
            return Ok(()); // also if no turn is left, or none of Black's
        }
        let position = self.form(position);
        let (black, white, _) = position;
        match (game.turns[t], self.positions.get(&position)) {
            ('W', Some(&Step::Play(cell))) => self.hold(after('W', position, cell), seen),
            ('W', _) => Err("a missing position".into()),
            (_, Some(Step::Block(_) | Step::Pairs(_))) => Ok(()),
            _ => {
                let choices = game.choices(game.all(), black, white, t);
                choices.into_iter().try_for_each(|cell| self.hold(after('B', position, cell), seen))
            }
        }
    }
}

/// The position after a player's stone on an empty cell.
fn after(player: char, (black, white, elsewhere): Position, cell: usize) -> Position {
    assert!(!has(black | white, cell));
    if player == 'B' { (black | bit(cell), white, elsewhere) } else { (black, white | bit(cell), elsewhere) }
}
