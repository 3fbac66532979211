//! From an engine's answers to a strategy written down position by position.
//!
//! The prover asks an [`Engine`] for one move in every position that can arise, up to symmetry, and keeps the answers.
//! It believes nothing: a position in which the engine finds no move where there must be one stops it with
//! [`ProofError::Contradiction`], which would mean a mistake in a pruning rule.

use crate::effort::memory::bytes_of;
use crate::effort::tuning::paving::PROOF_STEPS;
use crate::effort::{Halt, Limits, Room};
use crate::engines::blocking::BlockError;
use crate::engines::engine::Engine;
use crate::evidence::Evidence;
use crate::evidence::blocks::Blocks;
use crate::evidence::nodes::BlockProof;
use crate::evidence::opening::begin_in;
use crate::game::position::{Arena, Position};
use crate::game::symmetry::SymmetryGroup;
use crate::game::{Game, Origin};
use crate::paving::bounded::BoundedPairs;
use ahash::AHashSet;
use harary_certificate::model::Pair;
use harary_certificate::{
    Cell, CellSet, Claim, Format,
    Player::{self, Black, White},
    Stones, WideSet,
};
use std::io::{self, Write};
use thiserror::Error;

/// Why no proof was written.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ProofError {
    /// A limit was reached.
    #[error(transparent)]
    Halt(#[from] Halt),
    /// The blocking search lost a node.
    #[error(transparent)]
    Blocks(BlockError),
    /// The engine does not find its own move again.
    #[error("the search contradicts itself: no move found at Black {black}, White {white}; please report this")]
    Contradiction {
        /// Black's stones.
        black: String,
        /// White's stones.
        white: String,
    },
    /// A claim no engine makes.
    #[error("a strategy for a loss of Black's is not drawn out of an engine")]
    Loss,
}

impl From<BlockError> for ProofError {
    fn from(error: BlockError) -> ProofError {
        match error {
            BlockError::Halt(halt) => ProofError::Halt(halt),
            lost => ProofError::Blocks(lost),
        }
    }
}

/// One line of a strategy: in this position, the side it is for plays `cell`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Line<const N: usize> {
    /// The position.
    pub stones: Stones<N>,
    /// With a cover, White's stones outside it.
    pub elsewhere: usize,
    /// The move.
    pub cell: Cell,
}

/// A strategy for every position that can arise: Black's to win by a turn, or White's to hold or to win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Strategy<const N: usize> {
    claim: Claim,
    /// The cells Black keeps to, if not all.
    cover: Option<WideSet>,
    /// Sorted, so that the same strategy is always the same file.
    lines: Vec<Line<N>>,
    /// With a hold, positions with Black to move that need no lines: a node of the proof holds them.
    blocked: Vec<(Stones<N>, u32)>,
    blocks: Option<BlockProof<N>>,
    /// With a hold up to a turn, positions with Black to move that bounded pairs hold (lemma 10).
    paired: Vec<(Stones<N>, Vec<Pair>)>,
}

impl<const N: usize> Strategy<N> {
    /// Black wins by turn `until` inside a cover.
    pub fn in_cover(cover: WideSet, until: usize, mut lines: Vec<Line<N>>) -> Strategy<N> {
        lines.sort_unstable();
        Strategy {
            claim: Claim::Win(until),
            cover: Some(cover),
            lines,
            blocked: Vec::new(),
            blocks: None,
            paired: Vec::new(),
        }
    }

    /// White holds the game by these moves and then by blocks.
    pub fn of_blocks(
        game: &Game,
        mut lines: Vec<Line<N>>,
        mut blocked: Vec<(Stones<N>, u32)>,
        blocks: BlockProof<N>,
    ) -> Strategy<N> {
        lines.sort_unstable();
        blocked.sort_unstable();
        let claim = Claim::Hold(game.is_cut_short().then(|| game.schedule().len()));
        Strategy { claim, cover: None, lines, blocked, blocks: Some(blocks), paired: Vec::new() }
    }

    /// What is played where, in order.
    pub fn lines(&self) -> &[Line<N>] {
        &self.lines
    }
}

impl<const N: usize> Evidence for Strategy<N> {
    fn claim(&self) -> Claim {
        self.claim
    }

    fn cover(&self) -> Option<WideSet> {
        self.cover
    }

    fn exchanged(&self, game: &Game) -> Option<Box<dyn Evidence>> {
        let (Claim::Win(turn), None) = (self.claim, self.cover) else { return None };
        let group = game.symmetries();
        let mut lines: Vec<Line<N>> = (self.lines.iter())
            .map(|line| {
                // Positions are stored by the least of Black's stones first, so their form is another one.
                let stones = Stones { black: line.stones.white, white: line.stones.black };
                let (stones, symmetry) = group.canonical(&stones);
                Line { stones, elsewhere: 0, cell: symmetry.cell(line.cell) }
            })
            .collect();
        lines.sort_unstable();
        Some(Box::new(Strategy { claim: Claim::Loss(turn), lines, ..self.clone() }))
    }

    fn write(&self, game: &Game, out: &mut dyn Write) -> io::Result<()> {
        let symmetric = matches!(game.origin(), Origin::Board { .. });
        let strong = self.blocks.as_ref().is_some_and(BlockProof::is_strong);
        let format = if strong || !self.paired.is_empty() { Format::Two } else { Format::One };
        let mut writer = begin_in(format, out, game, &game.header(self.claim, symmetric, self.cover))?;
        if let Some(blocks) = &self.blocks {
            blocks.write_nodes(&mut writer)?;
        }
        for line in &self.lines {
            match self.claim {
                Claim::Win(_) => writer.p(&line.stones.black, &line.stones.white, line.elsewhere, line.cell)?,
                Claim::Hold(_) => writer.q(&line.stones.black, &line.stones.white, line.cell)?,
                Claim::Loss(_) => writer.l(&line.stones.black, &line.stones.white, line.cell)?,
            }
        }
        for (stones, node) in &self.blocked {
            writer.b(&stones.black, &stones.white, *node)?;
        }
        for (stones, pairs) in &self.paired {
            writer.k(&stones.black, &stones.white, pairs)?;
        }
        if let Claim::Hold(_) = self.claim {
            writer.root_explicit()?;
        }
        writer.into_inner().flush()
    }
}

/// Draws a strategy for `claim` out of an engine. What a win's strategy claims in the end is the turn of its longest
/// line, which is no later.
pub fn prove<const N: usize>(
    game: &Game,
    arena: &Arena<N>,
    engine: &mut impl Engine<N>,
    claim: Claim,
    limits: &Limits,
) -> Result<Strategy<N>, ProofError> {
    prove_within(game, arena, engine, claim, Paper { blocks: None, room: Room::unbounded() }, limits)
}

/// What a proof is written with.
pub struct Paper<'a, const N: usize> {
    /// Blocks, where White holds the weak game.
    pub blocks: Option<Blocks<'a, N>>,
    /// What its lists may take. Beyond that it halts.
    pub room: Room,
}

/// The same, with blocks and within bounds.
pub fn prove_within<const N: usize>(
    game: &Game,
    arena: &Arena<N>,
    engine: &mut impl Engine<N>,
    claim: Claim,
    paper: Paper<N>,
    limits: &Limits,
) -> Result<Strategy<N>, ProofError> {
    let until = claim.last().unwrap_or(usize::MAX).min(game.schedule().len());
    let narrow = |sets: &[WideSet]| sets.iter().map(|set| set.resized()).collect();
    let mut walk = Walk {
        arena,
        engine,
        group: game.symmetries(),
        until,
        to_the_end: claim == Claim::Hold(None),
        started: game.black_start().len() + game.white_start().len(),
        first: game.first().map(|first| first.resized()),
        black_sets: narrow(game.black_sets()),
        white_sets: narrow(game.white_sets()),
        seen: AHashSet::new(),
        lines: Vec::new(),
        blocks: paper.blocks,
        room: paper.room,
        pairs_bytes: 0,
        blocked: Vec::new(),
        pairs: (matches!(claim, Claim::Hold(Some(_))) && game.schedule().is_alternating()).then(BoundedPairs::default),
        paired: Vec::new(),
        limits: limits.clone(),
        longest: 0,
    };
    let mut waiting = vec![walk.canonical(Position::new(arena).stones())];
    let whole = limits.for_proof();
    while let Some(stones) = waiting.pop() {
        // An engine that answers at sight does not look at the limits.
        whole.check_now()?;
        walk.has_room(&waiting)?;
        match claim {
            Claim::Win(_) => walk.win(stones, &mut waiting)?,
            Claim::Hold(_) => walk.hold(stones, &mut waiting)?,
            Claim::Loss(_) => return Err(ProofError::Loss),
        }
    }
    walk.lines.sort_unstable();
    walk.blocked.sort_unstable();
    walk.paired.sort_unstable_by_key(|(stones, _)| *stones);
    let claim = match claim {
        Claim::Win(_) => Claim::Win(walk.longest),
        hold => hold,
    };
    let blocks = walk.blocks.map(Blocks::into_proof);
    Ok(Strategy { claim, cover: None, lines: walk.lines, blocked: walk.blocked, blocks, paired: walk.paired })
}

struct Walk<'a, 'b, E, const N: usize> {
    arena: &'a Arena<N>,
    engine: &'a mut E,
    group: SymmetryGroup,
    until: usize,
    /// White holds for good: a line of play ends where no set is live, not where Black has too few moves left. Only a claim
    /// with a turn says how many he has.
    to_the_end: bool,
    /// Stones on the board before turn 1.
    started: usize,
    first: Option<CellSet<N>>,
    black_sets: Vec<CellSet<N>>,
    white_sets: Vec<CellSet<N>>,
    seen: AHashSet<Stones<N>>,
    lines: Vec<Line<N>>,
    blocks: Option<Blocks<'b, N>>,
    /// What all of these lists may take.
    room: Room,
    /// The bytes of the pairs of `paired`.
    pairs_bytes: usize,
    blocked: Vec<(Stones<N>, u32)>,
    /// Looks for pairs that hold up to the turn claimed.
    pairs: Option<BoundedPairs<N>>,
    paired: Vec<(Stones<N>, Vec<Pair>)>,
    limits: Limits,
    /// The latest turn at which Black completes a set.
    longest: usize,
}

impl<E: Engine<N>, const N: usize> Walk<'_, '_, E, N> {
    /// Halts where the lists have no room any more.
    fn has_room(&mut self, waiting: &[Stones<N>]) -> Result<(), Halt> {
        // A full set of positions is there twice while it moves to a larger place.
        let places = self.seen.capacity() / 7 * 8;
        let moving = if self.seen.len() == self.seen.capacity() { 3 } else { 1 };
        let seen = places * moving * (size_of::<Stones<N>>() + 1);
        let lists = self.lines.len() * size_of::<Line<N>>()
            + self.blocked.len() * size_of::<(Stones<N>, u32)>()
            + self.paired.len() * size_of::<(Stones<N>, Vec<Pair>)>()
            + self.pairs_bytes
            + size_of_val(waiting);
        if self.room.has_for_proof(seen + lists) { Ok(()) } else { Err(Halt) }
    }

    fn canonical(&self, stones: Stones<N>) -> Stones<N> {
        self.group.canonical(&stones).0
    }

    fn visit(&mut self, stones: Stones<N>, waiting: &mut Vec<Stones<N>>) {
        let stones = self.canonical(stones);
        if self.seen.insert(stones) {
            waiting.push(stones);
        }
    }

    fn contradiction(stones: Stones<N>) -> ProofError {
        ProofError::Contradiction { black: stones.black.to_string(), white: stones.white.to_string() }
    }

    /// Black has a strategy: one move of his, all of White's.
    fn win(&mut self, stones: Stones<N>, waiting: &mut Vec<Stones<N>>) -> Result<(), ProofError> {
        match self.to_move(stones) {
            Some(Black) => {
                if !(self.completions(stones) & self.allowed(stones)).is_empty() {
                    self.longest = self.longest.max(self.played(stones) + 1);
                    return Ok(());
                }
                let found = self.engine.winning_move(stones, self.until)?;
                let cell = found.ok_or_else(|| Self::contradiction(stones))?;
                self.lines.push(Line { stones, elsewhere: 0, cell });
                self.visit(stones.with(Black, cell), waiting);
            }
            Some(White) => {
                let completions = self.completions(stones);
                let black_next = self.arena.schedule().player_after(self.played(stones) + 1) == Some(Black);
                for cell in self.allowed(stones) {
                    // Replies after which Black completes at once need no line and no visit.
                    if black_next && !completions.without(cell).is_empty() {
                        self.longest = self.longest.max(self.played(stones) + 2);
                    } else {
                        self.visit(stones.with(White, cell), waiting);
                    }
                }
            }
            None => return Err(Self::contradiction(stones)),
        }
        Ok(())
    }

    /// White has a strategy: one move of hers, all of Black's.
    fn hold(&mut self, stones: Stones<N>, waiting: &mut Vec<Stones<N>>) -> Result<(), ProofError> {
        if self.out_of_time(stones) {
            return Ok(());
        }
        match self.to_move(stones) {
            Some(Black) => {
                let node = self.blocks.as_mut().map_or(Ok(None), |blocks| blocks.node(stones))?;
                if let Some(node) = node {
                    self.blocked.push((stones, node));
                    return Ok(());
                }
                if let Some(pairs) = self.bounded_pairs(stones) {
                    self.pairs_bytes += bytes_of(&pairs);
                    self.paired.push((stones, pairs));
                    return Ok(());
                }
                for cell in self.allowed(stones) {
                    if !self.out_of_time(stones.with(Black, cell)) {
                        self.visit(stones.with(Black, cell), waiting);
                    }
                }
            }
            Some(White) => {
                let found = self.engine.holding_move(stones, self.until)?;
                let cell = found.ok_or_else(|| Self::contradiction(stones))?;
                self.lines.push(Line { stones, elsewhere: 0, cell });
                let after = stones.with(White, cell);
                if !self.white_sets.iter().any(|set| set.is_subset(&after.white)) && !self.out_of_time(after) {
                    self.visit(after, waiting);
                }
            }
            None => {}
        }
        Ok(())
    }

    /// Pairs by which White holds up to the turn claimed, Black to move.
    fn bounded_pairs(&mut self, stones: Stones<N>) -> Option<Vec<Pair>> {
        let left = self.arena.schedule().black_moves(self.played(stones), self.until);
        let pairs = self.pairs.as_mut()?;
        let position = Position::with_stones(self.arena, stones);
        pairs.hold(&position, left, PROOF_STEPS, &self.limits).then(|| pairs.pairs())
    }

    fn played(&self, stones: Stones<N>) -> usize {
        stones.len() - self.started
    }

    fn to_move(&self, stones: Stones<N>) -> Option<Player> {
        self.arena.schedule().player_after(self.played(stones))
    }

    fn allowed(&self, stones: Stones<N>) -> CellSet<N> {
        let empty = self.arena.all() - stones.occupied();
        match self.first {
            Some(first) if self.played(stones) == 0 => empty & first,
            _ => empty,
        }
    }

    /// Where Black completes a set at once.
    fn completions(&self, stones: Stones<N>) -> CellSet<N> {
        let live = self.black_sets.iter().filter(|set| set.is_disjoint(&stones.white));
        live.map(|set| *set - stones.black)
            .filter(|missing| missing.len() == 1)
            .fold(CellSet::EMPTY, |all, one| all | one)
    }

    /// Whether every set Black could still complete misses more cells than he has moves left.
    fn out_of_time(&self, stones: Stones<N>) -> bool {
        let left = match self.to_the_end {
            true => usize::MAX,
            false => self.arena.schedule().black_moves(self.played(stones), self.until),
        };
        !self.black_sets.iter().any(|set| set.is_disjoint(&stones.white) && (*set - stones.black).len() <= left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effort::Memory;
    use crate::engines::twin::Twin;
    use crate::game::Sets;
    use harary_certificate::{Rule, Schedule};
    use std::collections::BTreeMap;

    /// Three in a row on nine cells, diagonals too: a weak win that White holds by threats of her own.
    fn three_in_a_row() -> Game {
        let rows = ["012", "345", "678", "036", "147", "258", "048", "246"];
        let of = |row: &str| row.bytes().map(|digit| Cell::new(usize::from(digit - b'0'))).collect::<WideSet>();
        let sets: Vec<WideSet> = rows.iter().map(|row| of(row)).collect();
        Game::of_sets(Sets {
            names: (0..9).map(|cell| cell.to_string()).collect(),
            black: sets.clone(),
            white: sets,
            rule: Rule::Strong,
            schedule: Schedule::alternating(9),
            black_start: WideSet::EMPTY,
            white_start: WideSet::EMPTY,
            first: None,
        })
        .unwrap()
    }

    /// A hold without a turn is played out until White has completed a set or no set of Black's is live: a checker need not
    /// count how many moves Black has left.
    #[test]
    fn a_hold_for_good_is_played_out() {
        let (game, limits) = (three_in_a_row(), Limits::none());
        let arena = Arena::<1>::new(&game);
        let mut twin = Twin::<1>::new(&game, &limits);
        let strategy = prove(&game, &arena, &mut twin, Claim::Hold(None), &limits).unwrap();
        let replies: BTreeMap<_, _> =
            strategy.lines().iter().map(|line| ((line.stones.black, line.stones.white), line.cell)).collect();
        let sets: Vec<CellSet<1>> = game.black_sets().iter().map(|set| set.resized()).collect();
        let group = game.symmetries();
        let (mut waiting, mut late) = (vec![(CellSet::EMPTY, CellSet::EMPTY)], 0);
        while let Some((black, white)) = waiting.pop() {
            let empty = arena.all() - black - white;
            let live: Vec<CellSet<1>> = sets.iter().filter(|set| set.is_disjoint(&white)).copied().collect();
            if live.is_empty() || sets.iter().any(|set| set.is_subset(&white)) {
                continue;
            }
            let left = empty.len().div_ceil(2);
            late += usize::from(live.iter().all(|set| (*set - black).len() > left));
            for cell in empty {
                let black = black.with(cell);
                assert!(!sets.iter().any(|set| set.is_subset(&black)), "Black completes a set");
                if !empty.without(cell).is_empty() {
                    let (image, symmetry) = group.canonical(&Stones::new(black, white));
                    let reply = symmetry.inverse().cell(replies[&(image.black, image.white)]);
                    waiting.push((black, white.with(reply)));
                }
            }
        }
        assert!(late > 0, "no line of play goes on after Black is out of time");
    }

    /// Lists that do not fit are no proof; the account tells afterwards that it was for want of room.
    #[test]
    fn a_proof_keeps_to_its_room() {
        let (game, limits) = (three_in_a_row(), Limits::none());
        let arena = Arena::<1>::new(&game);
        let mut twin = Twin::<1>::new(&game, &limits);
        let mut within = |bytes: usize| {
            let account = Memory::new(bytes);
            let paper = Paper { blocks: None, room: Room::of_proof(&account) };
            let proof = prove_within(&game, &arena, &mut twin, Claim::Hold(None), paper, &limits);
            (proof.map(|proof| proof.lines().len()), account.has_refused())
        };
        let (proof, refused) = within(1 << 20);
        let lines = proof.unwrap();
        assert!(lines > 50 && !refused);
        // A line is 32 bytes; two thirds of what there is are for lists.
        let (proof, refused) = within(32 * lines);
        assert!(proof == Err(ProofError::Halt(Halt)) && refused);
    }

    #[test]
    fn a_proof_stops_when_it_is_told() {
        let (game, limits) = (three_in_a_row(), Limits::none());
        let arena = Arena::<1>::new(&game);
        let mut twin = Twin::<1>::new(&game, &limits);
        assert!(twin.win_turn(Stones::NONE).unwrap().is_none());
        let stopped = Limits::none();
        stopped.stop();
        let proof = prove(&game, &arena, &mut twin, Claim::Hold(None), &stopped);
        assert_eq!(proof, Err(ProofError::Halt(Halt)));
    }
}
