//! What the blocking search finds of a whole game, drawn out as nodes of a proof: White holds (block nodes) or Black wins
//! (attack nodes).

use super::Evidence;
use super::nodes::{AttackProof, BlockNodes, BlockProof};
use super::opened::{OfEngine, OfLevel, opened};
use crate::effort::{Halt, Limits, Room};
use crate::engines::blocking::search::{Refusal, Search, Strength, Verdict};
use crate::engines::blocking::{BlockError, Statistics};
use crate::engines::engine::Engine;
use crate::game::Game;
use crate::game::position::Arena;
use harary_certificate::{Cell, Player, Stones};

/// Told after each level that White has no block of so many moves: the level, and what was done so far.
pub type Observer<'a> = &'a mut dyn FnMut(u16, Statistics);

/// What the blocking search found of a game.
pub enum BlockOutcome {
    /// White holds the weak game, and so the strong one: with this many moves at most and a paving after them.
    Hold {
        /// White's moves before the paving.
        moves: u16,
        /// The nodes.
        proof: Box<dyn Evidence>,
    },
    /// Black wins the weak game, by this turn at the latest. It says nothing of the strong game.
    Win {
        /// The turn.
        turn: usize,
        /// Black's first move.
        first_move: Option<Cell>,
        /// The nodes.
        proof: Box<dyn Evidence>,
    },
    /// Black wins the weak game, but no nodes can say so: he has stones at the start, or the first move is another one.
    Wins,
    /// Stopped; White has no paving after so many moves of hers, if any number was settled.
    Unknown {
        /// The moves.
        refused: Option<u16>,
    },
}

/// The blocking search of one game, level by level; it can be stopped and goes on where it was. Decides the weak game of
/// Black's winning sets, whatever rule the game has, if the defender [applies](crate::engines::blocking::applies) to it.
pub struct Blocker<'a, const N: usize> {
    game: Game,
    search: Search<'a, N>,
    level: u8,
    /// The first moves to be answered, if not all; in canonical form.
    openings: Option<Vec<Cell>>,
}

impl<'a, const N: usize> Blocker<'a, N> {
    /// A search of a game, given also as the arena of its weak form.
    pub fn new(game: &Game, arena: &'a Arena<N>) -> Blocker<'a, N> {
        let openings = game.opens_narrowly().then(|| openings(game));
        Blocker { game: game.clone(), search: Search::new(game, arena), level: 1, openings }
    }

    /// Its lemmas may take so much.
    pub fn within(mut self, room: Room) -> Blocker<'a, N> {
        self.search.set_room(room);
        self
    }

    /// Whether its lemmas fill the memory: it has halted for good.
    pub fn is_full(&self) -> bool {
        self.search.is_full()
    }

    /// Goes on until it knows or a limit is reached.
    pub fn work(&mut self, limits: &Limits, observer: Observer) -> Result<BlockOutcome, BlockError> {
        self.search.limit(limits.clone());
        loop {
            match self.try_level() {
                Err(BlockError::Halt(Halt)) => {
                    let refused = (self.level > 1).then(|| u16::from(self.level) - 1);
                    return Ok(BlockOutcome::Unknown { refused });
                }
                Ok(None) => {
                    observer(self.level.into(), self.search.statistics());
                    self.level += 1;
                }
                Ok(Some(outcome)) => return Ok(outcome),
                Err(lost) => return Err(lost),
            }
        }
    }

    /// What the level at hand tells of the game; none if it needs another one.
    fn try_level(&mut self) -> Result<Option<BlockOutcome>, BlockError> {
        let Some(openings) = &self.openings else {
            return match self.search.solve(self.search.start, self.level)? {
                Verdict::Block(block) => self.held(block.height).map(Some),
                Verdict::Refusal(Refusal { strength: Strength::Win(_), .. }) => self.won().map(Some),
                Verdict::Refusal(_) => Ok(None),
            };
        };
        for &first in openings {
            match self.search.answer_to(first, self.level)? {
                Ok(_) => {}
                Err(true) => return Ok(Some(BlockOutcome::Wins)),
                Err(false) => return Ok(None),
            }
        }
        self.held(self.level.into()).map(Some)
    }

    fn held(&mut self, moves: u16) -> Result<BlockOutcome, BlockError> {
        let proof: Box<dyn Evidence> = match self.game.is_whole() {
            true => Box::new(BlockProof::of(&self.search)?),
            false => Box::new(opened(&self.game, OfLevel::new(&mut self.search, self.level))?),
        };
        Ok(BlockOutcome::Hold { moves, proof })
    }

    fn won(&self) -> Result<BlockOutcome, BlockError> {
        if !self.search.start.black.is_empty() {
            return Ok(BlockOutcome::Wins);
        }
        let proof = AttackProof::of(&self.search)?;
        let (turn, first_move) = (proof.turn(), proof.first_move());
        let allowed = first_move.is_some_and(|cell| self.game.first().is_none_or(|first| first.contains(cell)));
        Ok(match allowed {
            true => BlockOutcome::Win { turn, first_move, proof: Box::new(proof) },
            false => BlockOutcome::Wins,
        })
    }

    /// Proof by block nodes that White holds, out of the replies of an engine that knows it. It is far smaller than the
    /// replies themselves: a block answers every move outside its zone, and ends at a paving.
    pub fn block_by(&mut self, engine: &mut impl Engine<N>, limits: &Limits) -> Result<Box<dyn Evidence>, BlockError> {
        self.search.limit(limits.clone());
        if !self.game.is_whole() {
            let holder = OfEngine { search: &mut self.search, engine, nodes: BlockNodes::default() };
            return Ok(Box::new(opened(&self.game, holder)?));
        }
        self.search.block_by(engine, Stones::NONE)?;
        Ok(Box::new(BlockProof::of(&self.search)?))
    }

    /// What was done so far.
    pub fn statistics(&self) -> Statistics {
        self.search.statistics()
    }
}

/// The first moves that are allowed, each as the least cell it is alike to.
fn openings(game: &Game) -> Vec<Cell> {
    let (group, start) = (game.symmetries(), game.start());
    let least = |first| (group.canonical(&start.with(Player::Black, first)).0.black - start.black).first();
    game.openings().iter().filter_map(least).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effort::Memory;
    use crate::engines::blocking::{applies, paved_after};
    use crate::engines::twin::Twin;
    use crate::game::Sets;
    use crate::paving::exhaustive::{holds, is_blocked};
    use harary_certificate::{Board, CellSet, Rule, Schedule, Shape, Topology, WideSet, check};
    use proptest::prelude::*;
    use std::collections::HashMap;

    type Set = CellSet<1>;

    fn on_board(rows: &str, sides: (usize, usize), torus: bool) -> Game {
        let topology = if torus { Topology::Torus } else { Topology::Plain };
        Game::new(Shape::from_rows(rows).unwrap(), Board::new(sides.0, sides.1, topology).unwrap(), Rule::Weak)
    }

    /// A game of any winning sets, given as bits.
    fn of_sets(vertices: usize, sets: &[u64]) -> Game {
        let within =
            |bits: u64| (0..vertices).map(Cell::new).filter(|c| bits >> c.index() & 1 == 1).collect::<WideSet>();
        Game::of_sets(Sets {
            names: (0..vertices).map(|vertex| vertex.to_string()).collect(),
            black: sets.iter().map(|&bits| within(bits)).filter(|set| !set.is_empty()).collect(),
            white: Vec::new(),
            rule: Rule::Weak,
            schedule: Schedule::alternating(vertices),
            black_start: WideSet::EMPTY,
            white_start: WideSet::EMPTY,
            first: None,
        })
        .unwrap()
    }

    fn block(game: &Game, limits: &Limits) -> (BlockOutcome, Statistics) {
        let arena = Arena::<1>::new(&game.weak());
        let mut blocker = Blocker::new(game, &arena);
        (blocker.work(limits, &mut |_, _| {}).unwrap(), blocker.statistics())
    }

    /// The search settles the game as the exhaustive one does, and the checker accepts its proof.
    fn assert_settled(game: &Game) -> bool {
        let sets: Vec<Set> = game.black_sets().iter().map(|set| set.resized()).collect();
        let expected = holds(&sets, game.vertices(), Set::EMPTY, Set::EMPTY, &mut HashMap::new());
        let (outcome, _) = block(game, &Limits::none());
        let (held, proof) = match outcome {
            BlockOutcome::Hold { proof, .. } => (true, proof),
            BlockOutcome::Win { proof, .. } => (false, proof),
            BlockOutcome::Wins | BlockOutcome::Unknown { .. } => panic!("nothing stops it"),
        };
        assert_eq!(held, expected);
        let mut certificate = Vec::new();
        proof.write(game, &mut certificate).unwrap();
        if let Err(refused) = check(&certificate[..]) {
            panic!("{refused}\n{}", String::from_utf8_lossy(&certificate));
        }
        held
    }

    #[test]
    fn small_boards_are_settled_as_by_exhaustive_search() {
        let shapes = [
            "X",
            "XX",
            "XXX",
            "X./XX",
            "XX/XX",
            "XX./.XX",
            ".X./XXX",
            "X../XXX",
            "XXXX",
            "X.X",
            "X./.X",
            "XX./.X./.XX",
        ];
        let mut held = 0;
        for rows in shapes {
            for sides in [(1, 1), (2, 2), (3, 3), (4, 3), (2, 5), (4, 4)] {
                for torus in [false, true] {
                    held += usize::from(assert_settled(&on_board(rows, sides, torus)));
                }
            }
        }
        // Both verdicts occur often.
        assert!((30..120).contains(&held), "{held}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]
        #[test]
        fn games_of_any_sets_are_settled_as_by_exhaustive_search(
            vertices in 1..10usize, sets in prop::collection::vec((any::<u64>(), any::<u64>()), 0..12), sparse: bool,
        ) {
            let sets: Vec<u64> = sets.iter().map(|&(a, b)| if sparse { a & b } else { a }).collect();
            assert_settled(&of_sets(vertices, &sets));
        }

        /// Each level is answered as its definition says, from any position, and in any order.
        #[test]
        fn levels_are_answered_by_their_definition(
            sets in prop::collection::vec((any::<u64>(), any::<u64>()), 0..14), colours in prop::collection::vec(0..8u8, 8),
            sparse: bool, board: bool, torus: bool, shape in 0..4usize, deepest_first: bool,
        ) {
            let game = if board {
                on_board(["XXX", "X./XX", "XX/XX", "X.X"][shape], (4, 2), torus)
            } else {
                let sets: Vec<u64> = sets.iter().map(|&(a, b)| if sparse { a & b } else { a }).collect();
                of_sets(8, &sets)
            };
            let sets: Vec<Set> = game.black_sets().iter().map(|set| set.resized()).collect();
            let of = |colour: u8| (0..8).map(Cell::new).filter(|c| colours[c.index()] == colour).collect::<Set>();
            let (black, white) = (of(0), of(1));
            let limits = Limits::none();
            let arena = Arena::new(&game.weak());
            let mut search = Search::<1>::new(&game, &arena);
            let mut levels = [0, 1, 2, 3];
            if deepest_first {
                levels.reverse();
            }
            for level in levels {
                let verdict = search.solve(Stones::new(black, white), level).unwrap();
                let expected = is_blocked(&sets, 8, black, white, level.into());
                prop_assert_eq!(matches!(verdict, Verdict::Block(_)), expected, "level {}", level);
                let asked = paved_after(&game, &Stones::new(black, white).resized(), 2 * usize::from(level) + 1, &limits);
                prop_assert_eq!(asked, Some(expected));
            }
        }
    }

    /// Blocks built of an engine's replies prove every weak hold of small boards.
    #[test]
    fn blocks_are_built_of_an_engines_replies() {
        let mut held = 0;
        for rows in ["XXX", "XX/XX", "XX./.XX", ".X./XXX", "XXXX", "X.X"] {
            for (sides, torus) in [((3, 3), false), ((3, 3), true), ((4, 3), false), ((4, 3), true)] {
                let game = on_board(rows, sides, torus);
                let limits = Limits::none();
                let mut twin = Twin::<1>::new(&game, &limits);
                if twin.win_turn(Stones::NONE).unwrap().is_some() {
                    continue;
                }
                held += 1;
                let mut certificate = Vec::new();
                let arena = Arena::new(&game.weak());
                let proof = Blocker::new(&game, &arena).block_by(&mut twin, &limits).unwrap();
                proof.write(&game, &mut certificate).unwrap();
                check(&certificate[..]).unwrap();
            }
        }
        assert!(held >= 8, "{held}");
    }

    #[test]
    fn snaky_on_6x6_falls_to_one_move_and_a_paving() {
        let game = on_board(".XXXX/XX...", (6, 6), false);
        let asked = |turn| paved_after(&game, &Stones::NONE, turn, &Limits::none());
        assert_eq!(asked(0), Some(false));
        assert_eq!(asked(2), Some(true));
        let (outcome, statistics) = block(&game, &Limits::none());
        let BlockOutcome::Hold { moves: 1, proof } = outcome else { panic!("{statistics:?}") };
        let mut certificate = Vec::new();
        proof.write(&game, &mut certificate).unwrap();
        let nodes = certificate.split(|&byte| byte == b'\n').filter(|line| line.starts_with(b"n ")).count();
        assert_eq!(check(&certificate[..]).unwrap().nodes(), nodes as u64);
    }

    #[test]
    fn it_stops_when_told_and_goes_on_where_it_was() {
        let limits = Limits::none();
        limits.stop();
        let game = on_board(".XXXX/XX...", (8, 8), false);
        let (outcome, _) = block(&game, &limits);
        assert!(matches!(outcome, BlockOutcome::Unknown { refused: None }));
        assert!(!applies(&on_board("XXX", (3, 3), false).with_handicap(1)));

        // In slices that double, as the defender gives it, the same is found as at once.
        let game = on_board(".XXXX/XX...", (7, 7), false);
        let arena = Arena::<1>::new(&game.weak());
        let mut blocker = Blocker::new(&game, &arena);
        let slices = (1..30).find(|round| {
            let outcome = blocker.work(&Limits::none().part(Some(1 << round)), &mut |_, _| {}).unwrap();
            matches!(outcome, BlockOutcome::Hold { .. })
        });
        assert!(slices.is_some_and(|slices| slices > 1), "{slices:?}");
    }

    /// With little memory the search decides what it can, and says nothing wrong; its lemmas never take more than they
    /// may, but for the last one with its images.
    #[test]
    fn lemmas_keep_to_their_memory() {
        let (mut decided, mut full) = ([0, 0], 0);
        for (rows, sides) in [(".XXXX/XX...", (6, 6)), (".X./XXX", (5, 4)), ("XXX/X.X", (5, 4)), ("XX./.XX", (5, 5))] {
            let game = on_board(rows, sides, false);
            let arena = Arena::<1>::new(&game.weak());
            // What it says with all the memory it wants, and how much that is.
            let mut unbound = Blocker::new(&game, &arena);
            let truth = matches!(unbound.work(&Limits::none(), &mut |_, _| {}).unwrap(), BlockOutcome::Win { .. });
            let whole = unbound.search.bytes();
            // A lemma is kept for each of eight symmetries; each makes a path of nodes no longer than the board.
            let one = 8 * 36 * 160;
            for memory in [0, whole / 8, whole / 2, whole, 2 * whole] {
                let mut blocker = Blocker::new(&game, &arena).within(Room::new(memory, &Memory::unbounded()));
                let found = blocker.work(&Limits::none(), &mut |_, _| {}).unwrap();
                assert!(blocker.search.bytes() <= memory + one, "{rows}: {} of {memory}", blocker.search.bytes());
                let (wins, proof) = match found {
                    BlockOutcome::Unknown { .. } => {
                        assert!(blocker.is_full() && memory <= whole, "{rows}: {memory} of {whole}");
                        full += 1;
                        continue;
                    }
                    BlockOutcome::Hold { proof, .. } => (false, proof),
                    BlockOutcome::Win { proof, .. } => (true, proof),
                    BlockOutcome::Wins => panic!("from the empty board it is written down"),
                };
                assert_eq!(wins, truth, "{rows} with {memory} bytes");
                decided[usize::from(wins)] += 1;
                let mut certificate = Vec::new();
                proof.write(&game, &mut certificate).unwrap();
                check(&certificate[..]).unwrap();
            }
        }
        assert!(decided[0] > 1 && decided[1] > 1 && full > 3, "{decided:?} decided, {full} full");
    }
}
