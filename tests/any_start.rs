//! Games of sets with symmetries of their own, from any start: every engine says what the naive twin says, and both
//! checkers accept what it proves.

#[allow(dead_code)]
mod reference;

use harary::effort::Limits;
use harary::engines::twin;
use harary::game::{Game, Sets};
use harary::settle::{EngineChoice, Options, Settled, Verdict, settle};
use harary_certificate::{Cell, Claim, Rule, Schedule, Symmetry, WideSet};
use std::io::Read;

/// The numbers of a sequence that looks random and is the same in every run.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        (self.next() % most as u64) as usize
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn some(&mut self, vertices: usize, count: usize) -> WideSet {
        (0..count).map(|_| Cell::new(self.below(vertices))).collect()
    }
}

/// A few sets with all their images under a permutation.
fn closed_sets(dice: &mut Dice, permutation: &[usize]) -> Vec<WideSet> {
    let mut sets = Vec::new();
    for _ in 0..1 + dice.below(4) {
        let size = 2 + dice.below(3);
        let mut set = dice.some(permutation.len(), size);
        while !sets.contains(&set) {
            sets.push(set);
            set = set.iter().map(|cell| Cell::new(permutation[cell.index()])).collect();
        }
    }
    sets
}

/// A game whose sets are closed under a random permutation, with random stones, first moves and number of turns.
fn random_game(dice: &mut Dice) -> Option<Game> {
    let vertices = 4 + dice.below(5);
    let mut permutation: Vec<usize> = (0..vertices).collect();
    for last in (1..vertices).rev() {
        permutation.swap(last, dice.below(last + 1));
    }
    let black = closed_sets(dice, &permutation);
    let white = if dice.one_in(3) { closed_sets(dice, &permutation) } else { black.clone() };
    let stones = if dice.one_in(3) { 0 } else { dice.below(4) };
    let (blacks, whites) = (dice.below(stones + 1), dice.below(stones + 1));
    let black_start = dice.some(vertices, blacks);
    let white_start = dice.some(vertices, whites) - black_start;
    let empty = vertices - (black_start | white_start).len();
    let turns = if dice.one_in(4) { 1 + dice.below(empty.max(1)) } else { empty };
    let allowed = 1 + dice.below(vertices);
    let first = dice.some(vertices, allowed);
    Game::of_sets(Sets {
        names: (0..vertices).map(|vertex| format!("v{vertex}")).collect(),
        black,
        white,
        rule: if dice.one_in(2) { Rule::Weak } else { Rule::Strong },
        schedule: Schedule::alternating(turns),
        black_start,
        white_start,
        first: dice.one_in(2).then_some(first),
    })
    .ok()
}

/// The engines, each on its own and together.
const ENGINES: [(EngineChoice, usize); 8] = [
    (EngineChoice::Auto, 1),
    (EngineChoice::Auto, 2),
    (EngineChoice::Alphabeta, 1),
    (EngineChoice::Alphabeta, 2),
    (EngineChoice::Dfpn, 1),
    (EngineChoice::Threats, 1),
    (EngineChoice::Defender, 1),
    (EngineChoice::Defender, 2),
];

/// What was met, so that no test is empty.
#[derive(Default, Debug)]
struct Met {
    wins: usize,
    holds: usize,
    symmetric: usize,
    started: usize,
    narrow: usize,
    cut_short: usize,
    generators: usize,
}

/// Asks every engine and compares with the twin and both checkers.
fn compare(game: &Game, met: &mut Met) {
    let truth = twin::solve(game, &Limits::none()).unwrap().win_turn;
    met.symmetric += usize::from(game.symmetries().len() > 1);
    met.started += usize::from(!game.start().is_empty());
    met.narrow += usize::from(game.opens_narrowly());
    met.cut_short += usize::from(game.is_cut_short());
    *if truth.is_some() { &mut met.wins } else { &mut met.holds } += 1;
    for (engine, threads) in ENGINES {
        let what = || format!("{engine:?} on {threads}: {game:?}");
        let options = Options { engine, threads, memory: 1 << 20, ..Options::default() };
        let settled = settle(game, &options, &|_| {});
        let Settled { mut outcome, account } = settled.unwrap_or_else(|error| panic!("{error}: {}", what()));
        match truth {
            Some(least) => {
                assert_eq!(outcome.verdict(), Verdict::Win, "{}", what());
                assert!(outcome.win_by().is_some_and(|by| by >= least), "{}", what());
                assert!(outcome.least_turn().is_none_or(|turn| turn == least), "{}", what());
                assert!(account.refuted_turn.is_none_or(|turn| turn < least), "{}", what());
            }
            // That White wins is said by those who know.
            None => assert!(matches!(outcome.verdict(), Verdict::Hold | Verdict::Loss), "{}", what()),
        }
        let verdict = outcome.verdict();
        let certificate = outcome.certificate_mut().unwrap();
        let header = certificate.proved().header();
        met.generators += usize::from(matches!(header.symmetry, Symmetry::Generators(_)));
        let claim = match (truth, verdict) {
            (None, Verdict::Hold) => Claim::Hold(game.is_cut_short().then(|| game.schedule().len())),
            _ => header.claim,
        };
        assert_eq!(header.claim, claim, "{}", what());
        let mut text = Vec::new();
        certificate.reader().unwrap().read_to_end(&mut text).unwrap();
        if let Err(reason) = reference::verdict(&text) {
            panic!("the reference: {reason}: {}\n{}", what(), String::from_utf8_lossy(&text));
        }
    }
}

fn compare_many(seed: u64, games: usize) -> Met {
    let (mut dice, mut met, mut compared) = (Dice(seed), Met::default(), 0);
    while compared < games {
        if let Some(game) = random_game(&mut dice) {
            compare(&game, &mut met);
            compared += 1;
        }
    }
    met
}

#[test]
fn symmetric_games_from_any_start() {
    let met = compare_many(15, 600);
    let Met { wins, holds, symmetric, started, narrow, cut_short, generators } = met;
    assert!(
        [wins, holds, symmetric, started, narrow, cut_short, generators].iter().all(|&count| count > 50),
        "{met:?}"
    );
}

/// Run it with `cargo test --release --test any_start -- --ignored`.
#[test]
#[ignore = "some minutes; the test above does the same with fewer games"]
fn many_symmetric_games_from_any_start() {
    println!("{:?}", compare_many(4_711, 15_000));
}
