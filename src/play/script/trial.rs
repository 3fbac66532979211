//! Follows a text against every reply of the other side, and searches where it is silent.
//!
//! The question is whether *some* way to fill the gaps of the text wins (for Black) or holds (for White). Where the text
//! cannot speak any more, an engine answers. Where it is silent now and may speak later, the engine's move is tried first
//! and then every other: a move that is good against best play may lead to where the text goes wrong.
//!
//! A player who can complete a set does so, whatever the text says.

use super::answer::{Answers, Scene, completions};
use super::proof::Proof;
use super::text::Script;
use super::voice::Voice;
use crate::effort::{Halt, Limits};
use crate::engines::engine::Engine;
use crate::evidence::Evidence;
use crate::game::{Game, with_width};
use crate::paving::Pairs;
use crate::paving::oracle::Oracle;
use crate::settle::workbench::{Shares, Workbench};
use ahash::AHashMap;
use harary_certificate::{Cell, CellSet, Claim, Player, Stones, WIDE, WideSet};

/// A move of the line of play that breaks a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Whose.
    pub player: Player,
    /// Where.
    pub cell: Cell,
    /// Who said so.
    pub voice: Voice,
}

/// Why a text fails at the end of that line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Why {
    /// The other side has completed a set.
    Completed,
    /// The turns are over and nothing is completed.
    Late,
    /// The text is silent and no move helps.
    NoMove,
}

/// How a trial ends.
pub enum Ending {
    /// The text does what it says; with the gaps filled it is this evidence.
    Good(Box<dyn Evidence>),
    /// A line of play that breaks it.
    Broken(Vec<Step>, Why),
    /// A limit came first.
    Stopped,
}

/// What a trial found.
pub struct Found {
    /// Whether the text stands.
    pub ending: Ending,
    /// Positions of the strategy in which the text says the move.
    pub by_text: usize,
    /// Those in which the search does.
    pub by_search: usize,
    /// Positions looked at.
    pub nodes: u64,
}

/// A text about a game, on trial.
pub struct Trial<'a> {
    /// The game.
    pub game: &'a Game,
    /// The text.
    pub script: &'a Script,
    /// Bytes for the tables of the search.
    pub memory: usize,
    /// When to stop.
    pub limits: &'a Limits,
}

impl Trial<'_> {
    /// The last turn the text speaks of.
    pub fn until(&self) -> usize {
        self.script.by.unwrap_or(usize::MAX).min(self.game.schedule().len())
    }

    /// Follows the text.
    pub fn run(&self) -> Found {
        with_width!(self.game.vertices(), N => self.run_in::<N>())
    }

    fn run_in<const N: usize>(&self) -> Found {
        let bench = Workbench::<N>::new(self.game, &self.game.symmetries(), Shares::attack(self.memory), 1);
        let plain = self.game.schedule().is_alternating();
        let engine: Box<dyn Engine<N> + '_> = match plain && self.game.first().is_none() {
            true => Box::new(bench.attacker(self.limits)),
            false => Box::new(bench.baseline(self.limits)),
        };
        let mut walk = Walk {
            game: self.game,
            script: self.script,
            answers: Answers::new(self.game, self.script),
            limits: self.limits,
            engine,
            oracle: plain.then(|| Oracle::new(self.game, Pairs::Any)),
            until: self.until(),
            to_the_end: self.script.by.is_none() && !self.game.is_cut_short(),
            remembers: self.script.remembers(),
            black_sets: self.game.black_sets().iter().map(|set| set.resized()).collect(),
            known: AHashMap::new(),
            nodes: 0,
        };
        let start = State {
            stones: Stones::new(self.game.black_start().resized(), self.game.white_start().resized()),
            last: None,
            own: None,
        };
        let good = walk.good(start);
        let nodes = walk.nodes + walk.engine.nodes();
        let (ending, by_text, by_search) = match good {
            Err(Halt) => (Ending::Stopped, 0, 0),
            Ok(false) => {
                let (line, why) = walk.broken(start);
                (Ending::Broken(line, why), 0, 0)
            }
            Ok(true) => {
                let proof = walk.proof(start);
                let (by_text, by_search) = (proof.by_text, proof.by_search);
                (Ending::Good(Box::new(proof)), by_text, by_search)
            }
        };
        Found { ending, by_text, by_search, nodes }
    }
}

/// A position as the text sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct State<const N: usize> {
    stones: Stones<N>,
    /// The last stones of both sides, if the text looks at them.
    last: Option<Cell>,
    own: Option<Cell>,
}

/// What is known of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Known {
    /// The other side is to move, and every move of its is answered.
    Answered,
    /// Nothing is left to play for.
    Over,
    /// Black completes a set at once.
    Completed,
    /// The move that does it.
    Move(Cell, Voice),
    /// These pairs hold; whether they are the text's.
    Paved(Vec<(Cell, Cell)>, bool),
    /// The text fails, by this move.
    Bad(Cell, Voice),
    /// It fails at once.
    Lost(Why),
}

impl Known {
    fn is_good(&self) -> bool {
        !matches!(self, Known::Bad(..) | Known::Lost(_))
    }
}

struct Walk<'a, const N: usize> {
    game: &'a Game,
    script: &'a Script,
    answers: Answers<'a>,
    limits: &'a Limits,
    engine: Box<dyn Engine<N> + 'a>,
    oracle: Option<Oracle<N>>,
    until: usize,
    /// A hold for good: a line of play ends where no set is live.
    to_the_end: bool,
    remembers: bool,
    black_sets: Vec<CellSet<N>>,
    known: AHashMap<State<N>, Known>,
    nodes: u64,
}

impl<const N: usize> Walk<'_, N> {
    fn played(&self, stones: &Stones<N>) -> usize {
        stones.len() - self.game.black_start().len() - self.game.white_start().len()
    }

    fn allowed(&self, stones: &Stones<N>) -> WideSet {
        let empty = WideSet::first_cells(self.game.vertices()) - stones.occupied().resized();
        self.game.allowed(self.played(stones), empty)
    }

    fn after(&self, state: State<N>, player: Player, cell: Cell) -> State<N> {
        let stones = state.stones.with(player, cell);
        match (self.remembers, player == self.script.side) {
            (false, _) => State { stones, ..state },
            (true, true) => State { stones, own: Some(cell), ..state },
            (true, false) => State { stones, last: Some(cell), ..state },
        }
    }

    /// Whether the text, with its gaps filled in some way, does what it says from here on.
    fn good(&mut self, state: State<N>) -> Result<bool, Halt> {
        if let Some(known) = self.known.get(&state) {
            return Ok(known.is_good());
        }
        self.nodes += 1;
        self.limits.tick(self.nodes)?;
        self.limits.check_time()?;
        let known = self.learn(state)?;
        let good = known.is_good();
        self.known.insert(state, known);
        Ok(good)
    }

    fn learn(&mut self, state: State<N>) -> Result<Known, Halt> {
        let (side, played) = (self.script.side, self.played(&state.stones));
        if side == Player::White && self.is_over(&state.stones) {
            return Ok(Known::Over);
        }
        let player = match self.game.schedule().player_after(played).filter(|_| played < self.until) {
            Some(player) => player,
            None if side == Player::White => return Ok(Known::Over),
            None => return Ok(Known::Lost(Why::Late)),
        };
        if player == side { self.own_move(state) } else { self.other_moves(state, player) }
    }

    /// Whether Black has nothing to play for.
    fn is_over(&self, stones: &Stones<N>) -> bool {
        let left = match self.to_the_end {
            true => usize::MAX,
            false => self.game.schedule().black_moves(self.played(stones), self.until),
        };
        !self.black_sets.iter().any(|set| set.is_disjoint(&stones.white) && (*set - stones.black).len() <= left)
    }

    fn own_move(&mut self, state: State<N>) -> Result<Known, Halt> {
        let (side, wide) = (self.script.side, state.stones.resized());
        let playable = self.allowed(&state.stones);
        if let Some(cell) = (completions(self.game, side, &wide) & playable).first() {
            return Ok(if side == Player::Black { Known::Completed } else { Known::Move(cell, Voice::Search) });
        }
        let threats = completions(self.game, side.other(), &wide) & playable;
        let scene = Scene { stones: wide, playable, last: state.last, own: state.own, threats };
        if let Some(said) = self.answers.at(&scene) {
            let voice = Voice::Text(said.number);
            for &cell in &said.choices {
                if self.good(self.after(state, side, cell))? {
                    return Ok(Known::Move(cell, voice));
                }
            }
            return Ok(Known::Bad(said.choices[0], voice));
        }
        let Some(best) = self.searched(state.stones)? else { return Ok(Known::Lost(Why::NoMove)) };
        let others = if self.answers.may_speak_after(&wide) { playable.without(best) } else { WideSet::EMPTY };
        for cell in std::iter::once(best).chain(others.iter()) {
            if self.good(self.after(state, side, cell))? {
                return Ok(Known::Move(cell, Voice::Search));
            }
        }
        Ok(Known::Bad(best, Voice::Search))
    }

    /// The engine's move.
    fn searched(&mut self, stones: Stones<N>) -> Result<Option<Cell>, Halt> {
        if self.script.side == Player::White {
            return self.engine.holding_move(stones, self.until);
        }
        // The shortest win is found soonest.
        for turn in self.played(&stones) + 1..=self.until {
            if self.game.schedule().player_after(turn - 1) == Some(Player::Black)
                && let Some(cell) = self.engine.winning_move(stones, turn)?
            {
                return Ok(Some(cell));
            }
        }
        Ok(None)
    }

    fn other_moves(&mut self, state: State<N>, player: Player) -> Result<Known, Halt> {
        let wide = state.stones.resized();
        if self.script.side == Player::White
            && let Some(known) = self.paved(&wide)
        {
            return Ok(known);
        }
        let moves = self.allowed(&state.stones);
        if let Some(cell) = (completions(self.game, player, &wide) & moves).first() {
            return Ok(Known::Bad(cell, Voice::Other));
        }
        for cell in moves {
            if !self.good(self.after(state, player, cell))? {
                return Ok(Known::Bad(cell, Voice::Other));
            }
        }
        Ok(Known::Answered)
    }

    /// Pairs that hold with Black to move: the text's own, or others where it has nothing more to say.
    fn paved(&mut self, stones: &Stones<WIDE>) -> Option<Known> {
        self.oracle.as_ref()?;
        if let Some(pairs) = self.answers.pairs_only(stones) {
            let empty = |cell: Cell| !stones.occupied().contains(cell);
            let open: Vec<(Cell, Cell)> = pairs.iter().copied().filter(|&(a, b)| empty(a) && empty(b)).collect();
            let mut live = self.game.black_sets().iter().filter(|set| set.is_disjoint(&stones.white));
            let holds = live.all(|set| open.iter().any(|&(a, b)| set.contains(a) && set.contains(b)));
            return holds.then_some(Known::Paved(open, true));
        }
        if self.answers.may_speak_after(stones) {
            return None;
        }
        let paving = self.oracle.as_mut()?.paving_soon(stones.resized(), 2000, self.limits)?;
        Some(Known::Paved(paving.pairs, false))
    }

    /// The line of play that breaks the text.
    fn broken(&self, start: State<N>) -> (Vec<Step>, Why) {
        let (mut state, mut line) = (start, Vec::new());
        loop {
            match self.known.get(&state) {
                Some(&Known::Bad(cell, voice)) => {
                    let Some(player) = self.game.schedule().player_after(self.played(&state.stones)) else {
                        return (line, Why::Late);
                    };
                    line.push(Step { player, cell, voice });
                    state = self.after(state, player, cell);
                }
                Some(&Known::Lost(why)) => return (line, why),
                // A move of the other side's that was not followed: it completes a set.
                _ => return (line, Why::Completed),
            }
        }
    }

    /// The strategy, position by position.
    fn proof(&self, start: State<N>) -> Proof<N> {
        let claim = match self.script.side {
            Player::Black => Claim::Win(self.until),
            Player::White if self.to_the_end => Claim::Hold(None),
            Player::White => Claim::Hold(Some(self.until)),
        };
        let mut proof = Proof::new(claim);
        let mut waiting = vec![start];
        while let Some(state) = waiting.pop() {
            let Some(known) = self.known.get(&state) else { continue };
            if !proof.visit(state.stones) {
                continue;
            }
            let played = self.played(&state.stones);
            match known {
                Known::Completed => proof.completed_at(played + 1),
                Known::Move(cell, voice) => {
                    proof.say(state.stones, *cell, *voice);
                    waiting.push(self.after(state, self.script.side, *cell));
                }
                Known::Paved(pairs, own) => proof.pave(state.stones, pairs, *own),
                Known::Answered => {
                    let player = self.script.side.other();
                    waiting.extend(self.allowed(&state.stones).iter().map(|cell| self.after(state, player, cell)));
                }
                Known::Over | Known::Bad(..) | Known::Lost(_) => {}
            }
        }
        proof
    }
}
