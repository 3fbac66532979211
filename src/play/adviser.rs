//! What to play in a position, and how sure that is.
//!
//! On boards of at most 16 cells the [`Tablebase`] knows. On larger ones two searches run side by side for the time
//! given: does the side to move force a win, and can it be kept from losing? Either may find a proof; if neither does,
//! the move is a guess and is called one.

use crate::effort::{Halt, Limits};
use crate::engines::engine::Engine;
use crate::game::{Game, GameError, Sets, with_width};
use crate::paving::oracle::Oracle;
use crate::paving::{Answer, Pairs};
use crate::settle::workbench::{Shares, Workbench};
use crate::tablebase::{Tablebase, Value};
use harary_certificate::{Cell, Player, Rule, Schedule, Stones, WIDE, WideSet};
use std::time::{Duration, Instant};

/// What is known of a position or a move, seen from the player whose it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Worth {
    /// He completes a set by this turn, whatever the opponent does.
    Wins(usize),
    /// Neither can force a set: a draw in the strong game, White's success in the weak one.
    Even,
    /// The opponent cannot force a set; whether he himself can is not known.
    Safe,
    /// The opponent completes a set by this turn, whatever he does.
    Loses(usize),
    /// Not settled. The opponent cannot force a set by this turn, if one is given.
    Open(Option<usize>),
}

impl Worth {
    /// The same in words.
    pub fn sentence(self, player: Player, rule: Rule) -> String {
        let opponent = player.other();
        match (self, rule) {
            (Worth::Wins(turn), _) => format!("{player} wins by turn {turn}"),
            (Worth::Loses(turn), _) => format!("{opponent} wins by turn {turn}"),
            (Worth::Even, Rule::Strong) => "the game is a draw".to_owned(),
            (Worth::Even, Rule::Weak) => "White holds".to_owned(),
            (Worth::Safe, _) => format!("{opponent} cannot force a win; whether {player} can is not known"),
            (Worth::Open(Some(turn)), _) => format!("who wins is not known; no win for {opponent} by turn {turn}"),
            (Worth::Open(None), _) => "who wins is not known".to_owned(),
        }
    }

    /// Whether more search could change it.
    pub fn is_proved(self) -> bool {
        !matches!(self, Worth::Safe | Worth::Open(_))
    }
}

/// Who does not lose any more looks for a win of his own for this part of the time, and no longer than that.
const CALM: u32 = 10;
const LONGEST_LOOK: Duration = Duration::from_secs(1);

/// A move and what is known of the position it is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Advice {
    /// The move.
    pub cell: Cell,
    /// What it leads to.
    pub worth: Worth,
}

/// Advises both players of one game.
pub struct Adviser {
    game: Game,
    source: Source,
}

enum Source {
    Table(Box<Tablebase>),
    Search(Box<dyn Search>),
}

impl Adviser {
    /// For a game; `memory` bytes for the tables of a search, if one is needed.
    pub fn new(game: &Game, memory: usize) -> Result<Adviser, GameError> {
        // A tablebase is for a shape on a board, one stone a turn.
        let placed = game.shape_on_board().filter(|_| game.schedule().is_alternating());
        match placed.map(|(shape, board)| Tablebase::build(shape, *board, game.rule())) {
            Some(Ok(tablebase)) => Ok(Adviser { game: game.clone(), source: Source::Table(Box::new(tablebase)) }),
            _ => Adviser::searching(game, memory),
        }
    }

    /// The same by search, whatever the size of the board.
    pub fn searching(game: &Game, memory: usize) -> Result<Adviser, GameError> {
        let search: Box<dyn Search> = with_width!(game.vertices(), N => Box::new(Searcher::<N>::new(game, memory)?));
        Ok(Adviser { game: game.clone(), source: Source::Search(search) })
    }

    /// The game that is played.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Whether every position is known.
    pub fn is_exact(&self) -> bool {
        matches!(self.source, Source::Table(_))
    }

    /// The move to play; `None` if the game is over. With a `promise`, a turn by which the side to move is known to
    /// win, the search takes all the time it needs to find that win again.
    pub fn advise(&mut self, stones: &Stones<WIDE>, promise: Option<usize>, time: Duration) -> Option<Advice> {
        let scene = Scene::new(&self.game, stones)?;
        match &mut self.source {
            Source::Table(tablebase) => best_of(tablebase, &scene),
            Source::Search(search) => search.advise(&scene, promise, time),
        }
    }

    /// Every move, in order of the cells, and what is known of it when the time is over.
    pub fn examine(&mut self, stones: &Stones<WIDE>, time: Duration) -> Vec<(Cell, Worth)> {
        let Some(scene) = Scene::new(&self.game, stones) else { return Vec::new() };
        let mut list = match &mut self.source {
            Source::Table(tablebase) => exact_moves(tablebase, &scene),
            Source::Search(search) => search.examine(&scene, time),
        };
        list.sort_by_key(|(cell, _)| *cell);
        list
    }
}

/// A position in which the game goes on.
struct Scene {
    stones: Stones<WIDE>,
    played: usize,
    player: Player,
    /// Who plays after this move; `None` if it is the last.
    next: Option<Player>,
    /// The turns to come, this one included, and whose they are.
    turns: Vec<(usize, Player)>,
    /// The empty cells, the most promising first.
    cells: Vec<Cell>,
    /// The cells at which the player, and the opponent, would complete a set.
    completions: [WideSet; 2],
}

impl Scene {
    fn new(game: &Game, stones: &Stones<WIDE>) -> Option<Scene> {
        let complete = |sets: &[WideSet], stones: &WideSet| sets.iter().any(|set| set.is_subset(stones));
        let Stones { black, white } = stones;
        if complete(game.black_sets(), black) || complete(game.white_sets(), white) {
            return None;
        }
        let played = stones.len() - game.black_start().len() - game.white_start().len();
        let schedule = game.schedule();
        let player = schedule.player_after(played)?;
        let empty = WideSet::first_cells(game.vertices()) - stones.occupied();
        let mut weights = vec![0u64; game.vertices()];
        let mut completions = [WideSet::EMPTY; 2];
        for (owner, sets, own, other) in
            [(Player::Black, game.black_sets(), black, white), (Player::White, game.white_sets(), white, black)]
        {
            for set in sets.iter().filter(|set| set.is_disjoint(other)) {
                let missing = *set - *own;
                // Each stone makes a set four times as dear; what one has begun oneself counts a little more.
                let weight = (4u64 << (2 * (set.len() - missing.len()).min(28))) + u64::from(owner == player);
                missing.iter().for_each(|cell| weights[cell.index()] = weights[cell.index()].saturating_add(weight));
                if missing.len() == 1 {
                    completions[usize::from(owner != player)] |= missing;
                }
            }
        }
        let mut cells: Vec<Cell> = game.allowed(played, empty).iter().collect();
        // Of equal cells the one nearest to the middle.
        let from_middle = |cell: Cell| {
            game.shape_on_board().map_or(0, |(_, board)| {
                let (x, y) = board.xy(cell);
                (2 * x + 1).abs_diff(board.width()).pow(2) + (2 * y + 1).abs_diff(board.height()).pow(2)
            })
        };
        cells.sort_by_key(|&cell| (std::cmp::Reverse(weights[cell.index()]), from_middle(cell)));
        let turns = (played + 1..=schedule.len()).filter_map(|turn| Some((turn, schedule.player_after(turn - 1)?)));
        let (next, turns) = (schedule.player_after(played + 1), turns.collect());
        Some(Scene { stones: *stones, played, player, next, turns, cells, completions })
    }

    /// The stones as the player to move sees them when he is the attacker, "Black".
    fn attacking<const N: usize>(&self) -> Stones<N> {
        Stones::new(self.stones.of(self.player), self.stones.of(self.player.other())).resized()
    }

    /// The same with the opponent as the attacker.
    fn defending<const N: usize>(&self) -> Stones<N> {
        Stones::new(self.stones.of(self.player.other()), self.stones.of(self.player)).resized()
    }

    /// The turns to come of the player to move, or of the opponent.
    fn turns(&self, player: Player) -> impl Iterator<Item = usize> {
        self.turns.iter().filter(move |(_, other)| *other == player).map(|(turn, _)| *turn)
    }
}

/// The value of a tablebase, seen from `player`.
fn worth_of(value: Value, player: Player) -> Worth {
    match (value, player) {
        (Value::Held, _) => Worth::Even,
        (Value::BlackWins(turn), Player::Black) | (Value::WhiteWins(turn), Player::White) => Worth::Wins(turn),
        (Value::BlackWins(turn), Player::White) | (Value::WhiteWins(turn), Player::Black) => Worth::Loses(turn),
    }
}

fn exact_moves(tablebase: &Tablebase, scene: &Scene) -> Vec<(Cell, Worth)> {
    let moves = tablebase.moves(&scene.stones).unwrap_or_default();
    moves.into_iter().map(|(cell, value)| (cell, worth_of(value, scene.player))).collect()
}

/// The best move of a tablebase. Of several, the one after which most of the opponent's replies are mistakes.
fn best_of(tablebase: &Tablebase, scene: &Scene) -> Option<Advice> {
    let sign = if scene.player == Player::Black { 1 } else { -1 };
    let moves = tablebase.moves(&scene.stones).ok()?;
    let best = moves.iter().map(|(_, value)| sign * value.score()).max()?;
    let traps = |cell: Cell| {
        let after = tablebase.moves(&scene.stones.with(scene.player, cell));
        after.unwrap_or_default().iter().filter(|(_, value)| sign * value.score() > best).count()
    };
    // Of equally many, the first in the order of promise.
    let good = |cell: &Cell| moves.iter().any(|(other, value)| other == cell && sign * value.score() == best);
    let candidates = scene.cells.iter().copied().filter(good).enumerate();
    let (_, cell) = candidates.max_by_key(|&(place, cell)| (traps(cell), std::cmp::Reverse(place)))?;
    let value = moves.iter().find(|(other, _)| *other == cell)?.1;
    Some(Advice { cell, worth: worth_of(value, scene.player) })
}

/// Advice by search, whatever the width of the sets.
trait Search {
    fn advise(&mut self, scene: &Scene, promise: Option<usize>, time: Duration) -> Option<Advice>;
    fn examine(&mut self, scene: &Scene, time: Duration) -> Vec<(Cell, Worth)>;
}

/// Two searches, one for each player as the attacker.
struct Searcher<const N: usize> {
    sides: [Side<N>; 2],
    /// Pairs against Black, and against White.
    oracles: [Oracle<N>; 2],
}

/// The game as one attacker sees it: he is "Black". Turns are those of the real game.
struct Side<const N: usize> {
    has_sets: bool,
    /// The players alternate and may begin anywhere: what the better engine and pairs are for.
    regular: bool,
    bench: Workbench<N>,
}

/// Whether the side to move forces a win.
enum Attack {
    Win(Cell, usize),
    Never,
    Open,
}

/// Whether it can be kept from losing, and the move that lasts longest.
enum Defence {
    Holds(Cell),
    Lost(Cell, usize),
    Open(Cell, Option<usize>),
}

impl<const N: usize> Searcher<N> {
    fn new(game: &Game, memory: usize) -> Result<Searcher<N>, GameError> {
        // White as the attacker: colours and turns exchanged.
        let schedule = game.schedule();
        let turns = (0..schedule.len()).filter_map(|turn| schedule.player_after(turn).map(Player::other));
        let exchanged = Game::of_sets(Sets {
            names: (0..game.vertices()).map(|index| game.vertex_name(Cell::new(index))).collect(),
            black: game.white_sets().to_vec(),
            white: game.black_sets().to_vec(),
            rule: Rule::Strong,
            schedule: Schedule::of(turns.collect()),
            black_start: *game.white_start(),
            white_start: *game.black_start(),
            first: game.first().copied(),
        })?;
        let regular = schedule.is_alternating() && game.first().is_none();
        let side = |seen: &Game, memory: usize| Side {
            has_sets: !seen.black_sets().is_empty(),
            regular,
            bench: Workbench::new(seen, &game.symmetries(), Shares::attack(memory), 1),
        };
        let white_memory = if game.white_sets().is_empty() { 0 } else { memory / 2 };
        Ok(Searcher {
            sides: [side(game, memory - white_memory), side(&exchanged, white_memory)],
            oracles: [Oracle::new(game, Pairs::Any), Oracle::new(&exchanged, Pairs::Any)],
        })
    }

    /// The player to move as the attacker, the opponent as the attacker, and pairs against her.
    fn sides(&mut self, player: Player) -> (&Side<N>, &Side<N>, &mut Oracle<N>) {
        let (own, other) = (player as usize, player.other() as usize);
        (&self.sides[own], &self.sides[other], &mut self.oracles[other])
    }
}

impl<const N: usize> Side<N> {
    /// The best engine for the game.
    fn engine<'b>(&'b self, limits: &'b Limits) -> Box<dyn Engine<N> + 'b> {
        match self.regular {
            true => Box::new(self.bench.attacker(limits)),
            false => Box::new(self.bench.any_order(limits)),
        }
    }

    /// Whether this side completes a set by turn `until`, with `next` to move: the side itself or the opponent.
    fn wins(
        engine: &mut dyn Engine<N>,
        stones: Stones<N>,
        (next, own): (Option<Player>, Player),
        until: usize,
    ) -> Result<bool, Halt> {
        match next {
            None => Ok(false),
            Some(player) if player == own => Ok(engine.winning_move(stones, until)?.is_some()),
            Some(_) => Ok(engine.holding_move(stones, until)?.is_none()),
        }
    }

    /// Whether this side, to move, forces a win: by the least turn it can.
    fn attack(&self, scene: &Scene, limits: &Limits) -> Attack {
        if !self.has_sets {
            return Attack::Never;
        }
        let mut attacker = self.engine(limits);
        for until in scene.turns(scene.player) {
            match attacker.winning_move(scene.attacking(), until) {
                Ok(Some(cell)) => return Attack::Win(cell, until),
                Ok(None) => {}
                Err(Halt) => return Attack::Open,
            }
        }
        Attack::Never
    }

    /// Whether the player to move can be kept from losing to this side.
    fn defend(&self, scene: &Scene, oracle: &mut Oracle<N>, limits: &Limits, pairing: &Limits) -> Option<Defence> {
        let first = *scene.cells.first()?;
        if !self.has_sets {
            return Some(Defence::Holds(first));
        }
        let stones = scene.defending();
        if self.regular
            && let Ok(Some(cell)) = paved_by(oracle, scene, stones, pairing)
        {
            return Some(Defence::Holds(cell));
        }
        let mut attacker = self.engine(limits);
        let after = (scene.next, scene.player.other());
        // A move refuted by some turn stays refuted, so the candidate only moves on.
        let mut place = 0;
        let mut held = (first, None);
        for until in scene.turns(scene.player.other()) {
            loop {
                let Some(&cell) = scene.cells.get(place) else { return Some(Defence::Lost(held.0, until)) };
                match Self::wins(attacker.as_mut(), stones.with(Player::White, cell), after, until) {
                    Ok(false) => break held = (cell, Some(until)),
                    Ok(true) => place += 1,
                    Err(Halt) => return Some(Defence::Open(held.0, held.1)),
                }
            }
        }
        Some(Defence::Holds(held.0))
    }
}

/// A move of "White's" after which there is a paving against "Black", the attacker, who is to answer it. A stone outside the cells of a "no"
/// leaves that "no" as it is, so few have to be tried.
fn paved_by<const N: usize>(
    oracle: &mut Oracle<N>,
    scene: &Scene,
    stones: Stones<N>,
    limits: &Limits,
) -> Result<Option<Cell>, Halt> {
    let mut left = match oracle.paving_within(stones, limits)? {
        // An extra stone does no harm: any move will do.
        Answer::Paved(_) => return Ok(scene.cells.first().copied()),
        Answer::None(no) => no.cells - stones.black,
    };
    while let Some(&stone) = scene.cells.iter().find(|&&cell| left.contains(cell)) {
        limits.check_now()?;
        match oracle.paving_within(stones.with(Player::White, stone), limits)? {
            Answer::Paved(_) => return Ok(Some(stone)),
            Answer::None(no) => left &= no.cells.without(stone),
        }
    }
    Ok(None)
}

impl<const N: usize> Search for Searcher<N> {
    fn advise(&mut self, scene: &Scene, promise: Option<usize>, time: Duration) -> Option<Advice> {
        if let Some(&cell) = scene.cells.iter().find(|&&cell| scene.completions[0].contains(cell)) {
            return Some(Advice { cell, worth: Worth::Wins(scene.played + 1) });
        }
        let (attacker, defender, oracle) = self.sides(scene.player);
        let started = Instant::now();
        let whole = Limits::new(Some(time), None, Default::default());
        let attacking = if promise.is_some() { Limits::none() } else { whole.part(None) };
        let defending = whole.part(None);
        // A quarter of the time for pairs: they are found at once or hardly ever.
        let pairing = Limits::new(Some(time / 4), None, Default::default());
        let (attack, defence) = std::thread::scope(|scope| {
            let attack = scope.spawn(|| {
                let attack = attacker.attack(scene, &attacking);
                if matches!(attack, Attack::Win(..)) {
                    defending.stop();
                    pairing.stop();
                }
                attack
            });
            let defence = defender.defend(scene, oracle, &defending, &pairing);
            match defence {
                Some(Defence::Lost(..)) => attacking.stop(),
                // He does not lose any more. Whether he may win is worth a look and no more.
                Some(Defence::Holds(_)) if promise.is_none() => {
                    let look = LONGEST_LOOK.min(time / CALM);
                    while !attack.is_finished() && started.elapsed() < look {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    attacking.stop();
                }
                _ => {}
            }
            (attack.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), defence)
        });
        let blind = !defender.has_sets;
        let (cell, worth) = match (attack, defence?) {
            (Attack::Win(cell, turn), _) => (cell, Worth::Wins(turn)),
            (_, Defence::Lost(cell, turn)) => (cell, Worth::Loses(turn)),
            (Attack::Never, Defence::Holds(cell)) => (cell, Worth::Even),
            // Against an opponent without sets of her own it is no news that she cannot complete one.
            (Attack::Open, Defence::Holds(cell)) if blind => (cell, Worth::Open(None)),
            (Attack::Open, Defence::Holds(cell)) => (cell, Worth::Safe),
            (_, Defence::Open(cell, turn)) => (cell, Worth::Open(turn)),
        };
        Some(Advice { cell, worth })
    }

    fn examine(&mut self, scene: &Scene, time: Duration) -> Vec<(Cell, Worth)> {
        let limits = Limits::new(Some(time), None, Default::default());
        let pairing = Limits::new(Some(time / 4), None, Default::default());
        let (attacking, defending): (Stones<N>, Stones<N>) = (scene.attacking(), scene.defending());
        let (attacker, defender, oracle) = self.sides(scene.player);
        let mut list: Vec<Examined> = scene
            .cells
            .iter()
            .map(|&cell| {
                let wins = scene.completions[0].contains(cell);
                let mut paved = || {
                    pairing.check_now()?;
                    oracle.paving_within(defending.with(Player::White, cell), &pairing)
                };
                let safe = !wins && (!defender.has_sets || defender.regular && matches!(paved(), Ok(Answer::Paved(_))));
                Examined { cell, decided: wins.then_some(Worth::Wins(scene.played + 1)), safe, unbeaten: None }
            })
            .collect();
        // Turn by turn, so that when the time is over all moves have been looked at to the same depth.
        let finished = (|| {
            let (mut attack, mut defence) = (attacker.engine(&limits), defender.engine(&limits));
            let opponent = scene.player.other();
            for &(until, player) in scene.turns.iter().skip(1) {
                let own_turn = player == scene.player;
                for move_ in list.iter_mut().filter(|move_| move_.decided.is_none()) {
                    if own_turn && attacker.has_sets {
                        let after = attacking.with(Player::Black, move_.cell);
                        if Side::wins(attack.as_mut(), after, (scene.next, scene.player), until)? {
                            move_.decided = Some(Worth::Wins(until));
                        }
                    } else if !own_turn && !move_.safe {
                        let after = defending.with(Player::White, move_.cell);
                        match Side::wins(defence.as_mut(), after, (scene.next, opponent), until)? {
                            true => move_.decided = Some(Worth::Loses(until)),
                            false => move_.unbeaten = Some(until),
                        }
                    }
                }
            }
            Ok::<(), Halt>(())
        })();
        let blind = !defender.has_sets;
        let undecided = |move_: &Examined| match finished {
            Ok(()) => Worth::Even,
            Err(Halt) if !attacker.has_sets && move_.safe => Worth::Even,
            Err(Halt) if move_.safe && !blind => Worth::Safe,
            Err(Halt) => Worth::Open(move_.unbeaten),
        };
        list.iter().map(|move_| (move_.cell, move_.decided.unwrap_or_else(|| undecided(move_)))).collect()
    }
}

/// A move under examination.
struct Examined {
    cell: Cell,
    decided: Option<Worth>,
    /// The opponent cannot win after it.
    safe: bool,
    /// She cannot by this turn.
    unbeaten: Option<usize>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::twin::Twin;
    use harary_certificate::{Board, Shape, Topology};
    use proptest::prelude::*;

    /// What the search says, compared with what is true.
    fn check(worth: Worth, truth: Worth, least: bool) -> Result<(), TestCaseError> {
        match (worth, truth) {
            (Worth::Wins(turn), Worth::Wins(true_turn)) | (Worth::Loses(turn), Worth::Loses(true_turn)) => {
                prop_assert!(if least { turn == true_turn } else { turn >= true_turn }, "{worth:?} {truth:?}");
            }
            _ => prop_assert_eq!(worth, truth),
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// With time enough the search says what the tablebase says, of the position and of every move.
        #[test]
        fn the_search_agrees_with_the_tablebase(
            rows in prop::sample::select(vec!["XX/X.", "XXX", "XX./.XX", "X../XXX", "XX/XX", "X.X", ".X./XXX"]),
            (width, height) in prop::sample::select(vec![(3, 3), (4, 3), (2, 6), (5, 2)]),
            torus: bool, weak: bool,
            stones in prop::collection::vec(0..100usize, 0..14),
        ) {
            let board = Board::new(width, height, if torus { Topology::Torus } else { Topology::Plain }).unwrap();
            let rule = if weak { Rule::Weak } else { Rule::Strong };
            let shape = Shape::from_rows(rows).unwrap();
            let game = Game::new(shape, board, rule);
            let mut exact = Adviser::new(&game, 0).unwrap();
            prop_assert!(exact.is_exact());
            let mut search = Adviser::searching(&game, 1 << 20).unwrap();
            prop_assert!(!search.is_exact());
            let mut position = Stones::NONE;
            // Enough stones for a short search; play stops before a set is completed.
            let stones = stones.into_iter().chain(std::iter::repeat(7)).take(14.min(board.size() - 5).max(4));
            for (turn, choice) in stones.enumerate() {
                let empty: Vec<Cell> = (WideSet::first_cells(board.size()) - position.occupied()).iter().collect();
                let next = position.with(Tablebase::to_move(turn), empty[choice % empty.len()]);
                if exact.advise(&next, None, Duration::ZERO).is_none() { break }
                position = next;
            }
            let long = Duration::from_secs(600);
            let truth = exact.advise(&position, None, Duration::ZERO).unwrap();
            let found = search.advise(&position, None, long).unwrap();
            check(found.worth, truth.worth, true)?;
            let moves = exact.examine(&position, Duration::ZERO);
            let examined = search.examine(&position, long);
            prop_assert_eq!(moves.len(), examined.len());
            for ((cell, truth), (other, found)) in moves.iter().zip(&examined) {
                prop_assert_eq!(cell, other);
                check(*found, *truth, true)?;
            }
            // The move given is as good as what is said of it.
            let of_move = moves.iter().find(|(cell, _)| *cell == found.cell).unwrap().1;
            check(found.worth, of_move, true)?;
        }

        /// Whatever the time, nothing false is said.
        #[test]
        fn without_time_nothing_is_claimed_that_is_not_so(stones in prop::collection::vec(0..100usize, 0..8), weak: bool) {
            let board = Board::new(4, 3, Topology::Plain).unwrap();
            let rule = if weak { Rule::Weak } else { Rule::Strong };
            let shape = Shape::from_rows("X../XXX").unwrap();
            let game = Game::new(shape, board, rule);
            let mut exact = Adviser::new(&game, 0).unwrap();
            let mut search = Adviser::searching(&game, 1 << 20).unwrap();
            let mut position = Stones::NONE;
            for (turn, choice) in stones.into_iter().enumerate() {
                let empty: Vec<Cell> = (WideSet::first_cells(12) - position.occupied()).iter().collect();
                position = position.with(Tablebase::to_move(turn), empty[choice % empty.len()]);
            }
            let Some(truth) = exact.advise(&position, None, Duration::ZERO) else { return Ok(()) };
            let found = search.advise(&position, None, Duration::ZERO).unwrap();
            match found.worth {
                Worth::Safe => prop_assert!(!matches!(truth.worth, Worth::Loses(_))),
                Worth::Open(Some(turn)) => prop_assert!(!matches!(truth.worth, Worth::Loses(by) if by <= turn)),
                Worth::Open(None) => {}
                proved => check(proved, truth.worth, false)?,
            }
        }
    }

    /// Pairs are found at once; then an hour is not spent on a win that is not there. Only a hang would last so long.
    #[test]
    fn who_holds_does_not_think_on() {
        let board = Board::new(7, 7, Topology::Plain).unwrap();
        let game = Game::new(Shape::from_rows("XX/XX").unwrap(), board, Rule::Strong);
        let mut search = Adviser::searching(&game, 1 << 20).unwrap();
        let (started, hour) = (Instant::now(), Duration::from_secs(3600));
        let first = Stones::NONE.with(Player::Black, Cell::new(24));
        let advice = search.advise(&first, None, hour).unwrap();
        assert!(matches!(advice.worth, Worth::Safe | Worth::Even), "{advice:?}");
        assert!(started.elapsed() < hour / 2);
    }

    /// Several stones a turn, stones at the start: the search says of Black what the twin says.
    #[test]
    fn irregular_games_are_advised_too() {
        let board = Board::new(3, 3, Topology::Plain).unwrap();
        for rows in ["XX/X.", "XXX", "X.X", "XX./.XX"] {
            for rule in [Rule::Strong, Rule::Weak] {
                let plain = Game::new(Shape::from_rows(rows).unwrap(), board, rule);
                let begun = Game::of_sets(Sets {
                    names: (0..9).map(|index| plain.vertex_name(Cell::new(index))).collect(),
                    black: plain.black_sets().to_vec(),
                    white: plain.white_sets().to_vec(),
                    rule,
                    schedule: Schedule::alternating(6),
                    black_start: WideSet::single(Cell::new(0)),
                    white_start: WideSet::single(Cell::new(4)),
                    first: Some([1, 2, 8].into_iter().map(Cell::new).collect()),
                })
                .unwrap();
                let games =
                    [plain.clone().with_handicap(1), plain.clone().with_stones(2, 1).unwrap(), plain.weak(), begun];
                for game in games {
                    let start = Stones::new(*game.black_start(), *game.white_start());
                    let limits = Limits::none();
                    let truth = Twin::<1>::new(&game, &limits).win_turn(start.resized()).unwrap();
                    let mut search = Adviser::searching(&game, 1 << 20).unwrap();
                    let long = Duration::from_secs(600);
                    let advice = search.advise(&start, None, long).unwrap();
                    let what = format!("{rows} {rule} {}", game.schedule().letters());
                    assert!(game.allowed(0, WideSet::single(advice.cell)).contains(advice.cell), "{what}");
                    match truth {
                        Some(turn) => assert_eq!(advice.worth, Worth::Wins(turn), "{what}"),
                        None => assert!(matches!(advice.worth, Worth::Even | Worth::Loses(_)), "{what}: {advice:?}"),
                    }
                    // The best of the moves examined is worth what the position is.
                    let moves = search.examine(&start, long);
                    let wins = moves.iter().filter_map(|(_, worth)| match worth {
                        Worth::Wins(turn) => Some(*turn),
                        _ => None,
                    });
                    assert_eq!(wins.min(), truth, "{what}: {moves:?}");
                }
            }
        }
    }
}
