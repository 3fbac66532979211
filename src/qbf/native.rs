//! What this program itself says about the question a formula asks, and the certificate for it.

use crate::effort::{Halt, Limits};
use crate::engines::blocking;
use crate::engines::engine::Engine;
use crate::engines::twin;
use crate::game::symmetry::SymmetryGroup;
use crate::game::{Game, Sets, with_width};
use crate::qbf::instance::{Encoding, Instance};
use crate::settle::workbench::{Shares, Workbench};
use crate::settle::{Claimed, Options, search};
use ahash::AHashMap;
use harary_certificate::{Cell, Player, Stones, WIDE, WideSet};

/// Answers the two questions behind all encodings.
pub trait Native: Sync {
    /// The least turn by which Black forces a win, if that is `turns` or less.
    fn win_turn(&self, game: &Game, turns: usize, limits: &Limits) -> Result<Option<usize>, Halt>;

    /// Whether White holds by play up to turn `turns` and a paving from there.
    fn paves(&self, game: &Game, turns: usize, limits: &Limits) -> Result<bool, Halt>;
}

/// What a formula should be, by a native answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expected {
    /// It is true.
    True,
    /// It is false.
    False,
    /// COVER may miss a win: it may be true, and need not.
    Either,
}

impl Expected {
    /// Whether a solver's answer agrees.
    pub fn allows(self, answer: bool) -> bool {
        match self {
            Expected::True => answer,
            Expected::False => !answer,
            Expected::Either => true,
        }
    }
}

/// What the formula of an instance should be.
pub fn expected(native: &dyn Native, instance: &Instance, limits: &Limits) -> Result<Expected, Halt> {
    let (game, turns) = (instance.game(), instance.turns());
    let holds = match instance.encoding() {
        Encoding::Pairing => native.paves(game, turns, limits)?,
        _ => native.win_turn(game, turns, limits)?.is_some(),
    };
    Ok(match (instance.encoding(), holds) {
        (Encoding::Cover, true) => Expected::Either,
        (_, true) => Expected::True,
        (_, false) => Expected::False,
    })
}

/// What the value of a formula says about the whole game: that Black wins (`true`), that he does not, or nothing. PAIRING
/// speaks of the weak game, and its value at the last turn is counted as the sources count it: false is a win.
pub fn decides(instance: &Instance, value: bool) -> Option<bool> {
    let (game, turns) = (instance.game(), instance.turns());
    let schedule = game.schedule();
    // Nobody of this colour plays after turn `turns`.
    let is_last = |player| (turns..schedule.len()).all(|played| schedule.player_after(played) != Some(player));
    match (instance.encoding(), value) {
        (Encoding::Pairing, true) => Some(false),
        // With at most one empty cell there are no pairs: a set without a white stone is Black's.
        (Encoding::Pairing, false) => (is_last(Player::White) && !game.is_cut_short()).then_some(true),
        (_, true) => Some(true),
        (Encoding::Cover, false) => None,
        (_, false) => is_last(Player::Black).then_some(false),
    }
}

/// The exhaustive twin: the rules and nothing else, for small boards and for tests.
pub struct Exhaustive;

impl Native for Exhaustive {
    fn win_turn(&self, game: &Game, turns: usize, limits: &Limits) -> Result<Option<usize>, Halt> {
        Ok(twin::solve(game, limits)?.win_turn.filter(|&turn| turn <= turns))
    }

    fn paves(&self, game: &Game, turns: usize, limits: &Limits) -> Result<bool, Halt> {
        Defence::new(game, SymmetryGroup::trivial(game.vertices()), turns, limits).holds_from_the_start()
    }
}

/// The engines of this program, and play for a paving.
pub struct Engines {
    /// Bytes for the table of one search.
    pub memory: usize,
}

impl Native for Engines {
    fn win_turn(&self, game: &Game, turns: usize, limits: &Limits) -> Result<Option<usize>, Halt> {
        let (memory, limits) = (self.memory, limits.clone());
        let options = Options { within: Some(turns), memory, limits, evidence: false, ..Options::default() };
        // Without a proof there is nothing for it to contradict.
        match search(game, &options, &|_| {}).map_err(|_| Halt)?.claimed {
            Some(Claimed::Win { by, .. }) => Ok(Some(by)),
            Some(Claimed::Hold | Claimed::Loss { .. } | Claimed::NotBy(_)) => Ok(None),
            None => Err(Halt),
        }
    }

    fn paves(&self, game: &Game, turns: usize, limits: &Limits) -> Result<bool, Halt> {
        if blocking::applies(game) && game.is_whole() {
            return blocking::paved_after(game, &Stones::NONE, turns, limits).ok_or(Halt);
        }
        Defence::new(game, game.symmetries(), turns, limits).holds_from_the_start()
    }
}

impl Engines {
    /// Whether Black wins by turn `turns` when his first stone is on `cell`. For games in which he begins.
    pub fn wins_with(&self, game: &Game, cell: Cell, turns: usize, limits: &Limits) -> Result<bool, Halt> {
        let stones = game.black_start().with(cell);
        if turns > 0 && game.black_sets().iter().any(|set| set.contains(cell) && set.is_subset(&stones)) {
            return Ok(true);
        }
        let begins_empty = game.black_start().is_empty() && game.white_start().is_empty();
        if game.schedule().is_alternating() && begins_empty && game.first().is_none() {
            return with_width!(game.vertices(), N => self.wins_after::<N>(game, cell, turns, limits));
        }
        // The same game in which he has no other choice.
        let forced = Game::of_sets(Sets {
            names: (0..game.vertices()).map(|vertex| game.vertex_name(Cell::new(vertex))).collect(),
            black: game.black_sets().to_vec(),
            white: game.white_sets().to_vec(),
            rule: game.rule(),
            schedule: game.schedule().clone(),
            black_start: *game.black_start(),
            white_start: *game.white_start(),
            first: Some(WideSet::single(cell)),
        });
        // No such move: an occupied cell.
        let Ok(forced) = forced else { return Ok(false) };
        Ok(self.win_turn(&forced, turns, limits)?.is_some())
    }

    fn wins_after<const N: usize>(&self, game: &Game, cell: Cell, turns: usize, limits: &Limits) -> Result<bool, Halt> {
        let group = game.symmetries();
        let bench = Workbench::<N>::new(game, &group, Shares::attack(self.memory), 1);
        let mut attacker = bench.attacker(limits);
        Ok(attacker.holding_move(Stones::NONE.with(Player::Black, cell), turns)?.is_none())
    }
}

/// White plays for a paving: the game PAIRING encodes, with any order of turns and stones on the board. By the rules and
/// nothing else, for tests and where the blocking search does not apply.
struct Defence<'a> {
    game: &'a Game,
    group: SymmetryGroup,
    turns: usize,
    limits: &'a Limits,
    known: AHashMap<Stones<WIDE>, bool>,
    nodes: u64,
}

impl<'a> Defence<'a> {
    fn new(game: &'a Game, group: SymmetryGroup, turns: usize, limits: &'a Limits) -> Defence<'a> {
        Defence { game, group, turns, limits, known: AHashMap::new(), nodes: 0 }
    }

    fn holds_from_the_start(&mut self) -> Result<bool, Halt> {
        self.holds(Stones::new(*self.game.black_start(), *self.game.white_start()), 0)
    }

    fn holds(&mut self, stones: Stones<WIDE>, played: usize) -> Result<bool, Halt> {
        let (stones, _) = self.group.canonical(&stones);
        if let Some(&known) = self.known.get(&stones) {
            return Ok(known);
        }
        self.nodes += 1;
        self.limits.tick(self.nodes)?;
        let empty = WideSet::first_cells(self.game.vertices()) - stones.occupied();
        let held = match self.game.schedule().player_after(played).filter(|_| played < self.turns) {
            None => self.paving_exists(empty, stones.white)?,
            Some(Player::Black) => self.paving_exists(empty, stones.white)? || self.answers_all(stones, played)?,
            // White need not stop now: one more stone of hers cannot hurt.
            Some(Player::White) => self.finds_one(stones, played)?,
        };
        self.known.insert(stones, held);
        Ok(held)
    }

    fn answers_all(&mut self, stones: Stones<WIDE>, played: usize) -> Result<bool, Halt> {
        let empty = WideSet::first_cells(self.game.vertices()) - stones.occupied();
        for cell in self.game.allowed(played, empty) {
            let after = stones.with(Player::Black, cell);
            let completes = self.game.black_sets().iter().any(|set| set.contains(cell) && set.is_subset(&after.black));
            if completes || !self.holds(after, played + 1)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn finds_one(&mut self, stones: Stones<WIDE>, played: usize) -> Result<bool, Halt> {
        let empty = WideSet::first_cells(self.game.vertices()) - stones.occupied();
        let mut moves = self.game.allowed(played, empty);
        // A set that misses one cell must be stopped there: play and pavings come too late.
        for set in self.game.black_sets().iter().filter(|set| set.is_disjoint(&stones.white)) {
            let missing = *set - stones.black;
            if missing.len() == 1 {
                moves &= missing;
            }
        }
        for cell in moves {
            if self.holds(stones.with(Player::White, cell), played + 1)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether disjoint pairs of empty cells can be chosen so that every set without a white stone contains one.
    fn paving_exists(&mut self, empty: WideSet, white: WideSet) -> Result<bool, Halt> {
        let open: Vec<WideSet> =
            self.game.black_sets().iter().filter(|set| set.is_disjoint(&white)).map(|&set| set & empty).collect();
        self.choose_pairs(&open, empty)
    }

    /// Pairs for the sets that have none yet, from the cells that are free. The set with the fewest goes first.
    fn choose_pairs(&mut self, open: &[WideSet], free: WideSet) -> Result<bool, Halt> {
        self.nodes += 1;
        self.limits.tick(self.nodes)?;
        let Some(tightest) = open.iter().min_by_key(|set| (**set & free).len()) else { return Ok(true) };
        let cells = *tightest & free;
        for a in cells.iter() {
            for b in cells.iter().filter(|&b| a < b) {
                let left: Vec<WideSet> =
                    open.iter().filter(|set| !(set.contains(a) && set.contains(b))).copied().collect();
                if self.choose_pairs(&left, free.without(a).without(b))? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }
}
