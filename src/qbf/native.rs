//! What this program itself says about the question a formula asks.

use crate::cell_set::WideSet;
use crate::game::Game;
use crate::player::Player;
use crate::qbf::instance::{Encoding, Instance};
use crate::search::{Halt, Limits, plain};
use ahash::AHashMap;

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
    True,
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

/// Exhaustive search with nothing clever in it: for small boards and for tests.
pub struct Exhaustive;

impl Native for Exhaustive {
    fn win_turn(&self, game: &Game, turns: usize, limits: &Limits) -> Result<Option<usize>, Halt> {
        Ok(plain::solve(game, limits)?.win_turn.filter(|&turn| turn <= turns))
    }

    fn paves(&self, game: &Game, turns: usize, limits: &Limits) -> Result<bool, Halt> {
        let mut defence = Defence { game, turns, limits, known: AHashMap::new(), nodes: 0 };
        defence.holds(*game.black_start(), *game.white_start(), 0)
    }
}

/// White plays for a paving: the game PAIRING encodes.
struct Defence<'a> {
    game: &'a Game,
    turns: usize,
    limits: &'a Limits,
    known: AHashMap<(WideSet, WideSet), bool>,
    nodes: u64,
}

impl Defence<'_> {
    fn holds(&mut self, black: WideSet, white: WideSet, played: usize) -> Result<bool, Halt> {
        if self.game.black_sets().iter().any(|set| set.is_subset(&black)) {
            return Ok(false);
        }
        if let Some(&known) = self.known.get(&(black, white)) {
            return Ok(known);
        }
        self.nodes += 1;
        self.limits.tick(self.nodes)?;
        let empty = WideSet::first_cells(self.game.vertices()) - black - white;
        let player = self.game.schedule().player_after(played).filter(|_| played < self.turns);
        // With a move to come White need not stop: one more stone of hers cannot hurt.
        let stops = player != Some(Player::White) && paving_exists(self.game.black_sets(), &empty, &white);
        let mut held = stops;
        if let (false, Some(player)) = (stops, player) {
            held = player == Player::Black;
            for cell in self.game.allowed(played, empty) {
                let after = match player {
                    Player::Black => self.holds(black.with(cell), white, played + 1)?,
                    Player::White => self.holds(black, white.with(cell), played + 1)?,
                };
                if after != held {
                    held = after;
                    break;
                }
            }
        }
        self.known.insert((black, white), held);
        Ok(held)
    }
}

/// Whether disjoint pairs of empty cells can be chosen so that every set without a white stone contains one.
pub fn paving_exists(sets: &[WideSet], empty: &WideSet, white: &WideSet) -> bool {
    let open: Vec<WideSet> = sets.iter().filter(|set| set.is_disjoint(white)).map(|&set| set & *empty).collect();
    choose_pairs(&open, *empty)
}

/// Pairs for the sets that have none yet, from the cells that are free. The set with the fewest free cells goes first.
fn choose_pairs(open: &[WideSet], free: WideSet) -> bool {
    let Some(tightest) = open.iter().min_by_key(|set| (**set & free).len()) else { return true };
    let cells = *tightest & free;
    for a in cells.iter() {
        for b in cells.iter().filter(|&b| a < b) {
            let left: Vec<WideSet> =
                open.iter().filter(|set| !(set.contains(a) && set.contains(b))).copied().collect();
            if choose_pairs(&left, free.without(a).without(b)) {
                return true;
            }
        }
    }
    false
}
