//! Settles a weak game by cards: Black's first move, and White's answers to it one after the other.
//!
//! Each answer is searched in slices that double, so that easy ones come first and what they teach helps with the hard
//! ones. Threads take answers in turn over one deck.

use super::options::{EngineChoice, Options};
use super::outcome::{Account, CardReport, Claimed, Found};
use crate::effort::Halt;
use crate::effort::progress::{Meter, Observer, Progress, watched};
use crate::engines::blocking;
use crate::engines::cards::deck::Deck;
use crate::engines::cards::pool::Pool;
use crate::engines::cards::search::{Finding, Search, Shared};
use crate::engines::cards::spread::Claim;
use crate::evidence::Evidence;
use crate::evidence::card_proof::CardProof;
use crate::game::{Game, with_width};
use harary_certificate::{
    Board, Cell, CellSet,
    Player::{Black, White},
    Rule, Stones,
};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The nodes of the first slice.
const FIRST_SLICE: u64 = 256;

/// Whether cards say something of a game: the weak game of a shape on an empty board.
pub fn applies(game: &Game) -> bool {
    game.rule() == Rule::Weak && game.shape_on_board().is_some() && game.is_whole() && blocking::applies(game)
}

/// Why cards say nothing of a game, or of one turn of it, in words.
pub fn unsuited(game: &Game, within: Option<usize>) -> Option<&'static str> {
    (within.is_some() || !applies(game)).then_some(
        "cards are for the weak rule and a shape on an empty board, players alternating; write --rule weak, leave out --pg, \
         --within, --handicap, --stones",
    )
}

/// Looks for a win by cards: a search if that engine is asked for, otherwise only what the cards at hand say at once. None
/// if another engine has to settle the game.
pub fn search_by_cards(game: &Game, options: &Options, meter: &Meter, observer: Observer) -> Option<Found> {
    let alone = options.engine == EngineChoice::Cards;
    let (shape, board) = game.shape_on_board().filter(|_| applies(game))?;
    match &options.cards {
        Some(cards) if alone || options.engine == EngineChoice::Auto => {
            let mut cards = cards.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            let pool = std::mem::replace(&mut *cards, Pool::new(shape.clone()));
            let (found, pool) = with_width!(game.vertices(), N => {
                Run::<N>::new(game, pool, *board, options, meter).search(alone, observer)
            });
            *cards = pool;
            found.filter(|found| alone || found.evidence.is_some())
        }
        None if alone => {
            let pool = Pool::new(shape.clone());
            let (found, _) = with_width!(game.vertices(), N => {
                Run::<N>::new(game, pool, *board, options, meter).search(alone, observer)
            });
            found
        }
        _ => None,
    }
}

/// The cell in the middle.
fn middle(board: &Board) -> Cell {
    board.cell((board.width() - 1) / 2, (board.height() - 1) / 2)
}

struct Run<'a, const N: usize> {
    game: &'a Game,
    shared: Shared<N>,
    options: &'a Options,
    meter: &'a Meter,
    /// Black's first move.
    pivot: Cell,
    /// How many cards there were before.
    cards: usize,
}

impl<'a, const N: usize> Run<'a, N> {
    fn new(game: &'a Game, pool: Pool, board: Board, options: &'a Options, meter: &'a Meter) -> Run<'a, N> {
        let sets = game.black_sets().iter().map(|set| set.resized()).collect();
        let cards = pool.cards().len();
        let shared = Shared::<N>::new(Deck::new(pool, board), sets, options.memory);
        Run { game, shared, options, meter, pivot: middle(&board), cards }
    }

    /// A win by the cards there are, or by a search; what was found, and the pool with what was learned.
    fn search(self, searching: bool, observer: Observer) -> (Option<Found>, Pool) {
        let limits = &self.options.limits;
        let known = Search::new(&self.shared, limits.clone()).known_win(Stones::NONE);
        let (win, report) = match known {
            None if searching => {
                let fill = || (1000.0 * self.shared.fill()) as usize;
                let progress = || Progress { fill: fill(), ..self.meter.read(limits) };
                watched(observer, progress, || self.search_answers())
            }
            known => (known, self.report(CellSet::EMPTY, CellSet::EMPTY)),
        };
        let (threads, nodes) = (self.options.threads, limits.counted());
        let (before, deck) = (self.cards, self.shared.into_deck());
        let proof = win.and_then(|win| CardProof::of(&deck, &win));
        let claimed = proof.as_ref().map(|proof| {
            let first_move = Some(proof.first_move());
            Claimed::Win { by: proof.turn(), least: false, first_move }
        });
        let report = CardReport { learned: deck.pool.cards().len() - before, knots: deck.knots(), ..report };
        let account =
            Account { threads, nodes, stopped: proof.is_none(), cards: Some(report), ..Account::new("cards") };
        let evidence = proof.map(|proof| Box::new(proof) as Box<dyn Evidence>);
        (Some(Found { claimed, evidence, account }), deck.into_pool())
    }

    fn report(&self, won: CellSet<N>, open: CellSet<N>) -> CardReport {
        let (won, open) = (won.iter().collect(), open.iter().collect());
        CardReport { first_move: self.pivot, won, open, learned: 0, knots: 0 }
    }

    /// White's answers to the first move, in slices that grow.
    fn search_answers(&self) -> (Option<Claim<N>>, CardReport) {
        let mut search = Search::new(&self.shared, self.options.limits.clone());
        let stones = Stones::NONE.with(Black, self.pivot);
        // Answers that are alike around the first stone are one.
        let around = self.game.symmetries().stabiliser(&[stones.black]);
        let replies = around.representatives(&(CellSet::first_cells(self.game.vertices()) - stones.black));
        let mut slice = FIRST_SLICE;
        loop {
            let left: Vec<Cell> = (replies & search.unanswered(&stones)).iter().collect();
            if left.is_empty() || self.shared.is_full() {
                break;
            }
            match self.search_slice(stones, &left, slice) {
                Err(Halt) => break,
                Ok(true) => slice = slice.saturating_mul(2),
                // Every move that was to be tried has been.
                Ok(false) if self.shared.depth() < self.game.vertices() => self.shared.go_deeper(),
                Ok(false) => break,
            }
        }
        let open = replies & search.unanswered(&stones);
        (search.conclude(stones, self.pivot), self.report(replies - open, open))
    }

    /// A slice for each answer; whether it is worth going on in the same way.
    fn search_slice(&self, stones: Stones<N>, replies: &[Cell], nodes: u64) -> Result<bool, Halt> {
        let next = AtomicUsize::new(0);
        let (over, promising) = (AtomicBool::new(false), AtomicBool::new(false));
        let work = || {
            let mut search = Search::new(&self.shared, self.options.limits.clone());
            while let Some(&reply) = replies.get(next.fetch_add(1, Ordering::Relaxed)) {
                if self.options.limits.check_now().is_err() {
                    over.store(true, Ordering::Relaxed);
                    return;
                }
                if !search.unanswered(&stones).contains(reply) {
                    continue;
                }
                search.limit(self.options.limits.part(Some(nodes)));
                // What was found the deck knows; not to be done is to be hopeful.
                if !matches!(search.attack(stones.with(White, reply)), Ok(Finding::Open(_))) {
                    promising.store(true, Ordering::Relaxed);
                }
            }
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = (1..self.options.threads).map(|_| scope.spawn(work)).collect();
            work();
            for thread in threads {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            }
        });
        if over.into_inner() { Err(Halt) } else { Ok(promising.into_inner()) }
    }
}
