//! Looks for a win of the weak game by cards: a proof-number search in which cards give the moves.
//!
//! *Black to move:* every placed card that lacks at most one stone is looked at. If one lacks none, Black wins by it. If
//! some lack the stone q, they are *claims* of the move q: White must answer inside the free cells of all of them,
//! K(q). A move is worth a look if K(q) is small; its proof number starts at that size. Near the start moves without a
//! claim are tried as well, by the weight of the sets through them.
//!
//! *White to move:* only the cells of K(q) are answers. Each answer that Black is found to win against gives one more
//! claim, and K shrinks. Where there is no claim yet, White passes first: the win against that is the first one. When K
//! is empty the claims are combined at q, few of them and such that little is asked for; the card is kept in all its
//! places, and the position before q is won by it.
//!
//! What is found is a proof whatever the numbers are. That nothing is found proves nothing.

use super::deck::Deck;
use super::spread::{Claim, Hit};
use crate::effort::{Halt, Limits};
use crate::engines::numbers::{Choice, Numbers};
use crate::engines::table::{Record, Table};
use harary_certificate::{
    Cell, CellSet,
    Player::{Black, White},
    Stones,
};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{RwLock, RwLockReadGuard, RwLockWriteGuard};

/// How the search goes about it.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// Moves whose answers are more than this are not tried.
    pub widest: usize,
    /// Wins that lack a stone and have more free cells than this suggest no move.
    pub largest: usize,
    /// The proof number a move without a claim starts with.
    pub plain_price: u32,
    /// Not more moves of one position are tried.
    pub most_moves: usize,
}

impl Default for Manner {
    fn default() -> Manner {
        Manner { widest: 80, largest: 120, plain_price: 100, most_moves: 24 }
    }
}

/// What all threads of a search share.
pub struct Shared<const N: usize> {
    deck: RwLock<Deck<N>>,
    table: Table<N, Note>,
    /// Black's winning sets, for moves without claims.
    sets: Vec<CellSet<N>>,
    board: CellSet<N>,
    /// How to go about it.
    pub manner: Manner,
    /// No more wins are kept than this.
    most: usize,
    /// With so many stones of Black's, and fewer, moves without a claim are tried.
    plain: AtomicUsize,
}

/// The least number of Black's stones up to which moves without a claim are tried.
const PLAIN: usize = 2;

impl<const N: usize> Shared<N> {
    /// A search of the board the deck is on, with so many bytes.
    pub fn new(deck: Deck<N>, sets: Vec<CellSet<N>>, memory: usize) -> Shared<N> {
        let board = CellSet::first_cells(deck.spread.board().size());
        // A win with its eight patterns, their stones and their places in lists.
        let each = 8 * (16 * N + 160);
        let most = deck.wins().max(memory / 2 / each);
        Shared {
            deck: RwLock::new(deck),
            table: Table::new(memory / 2),
            sets,
            board,
            manner: Manner::default(),
            most,
            plain: AtomicUsize::new(PLAIN),
        }
    }

    /// What is known, to be read.
    pub fn deck(&self) -> RwLockReadGuard<'_, Deck<N>> {
        self.deck.read().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn deck_to_write(&self) -> RwLockWriteGuard<'_, Deck<N>> {
        self.deck.write().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// What is known, when all is done.
    pub fn into_deck(self) -> Deck<N> {
        self.deck.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Tries moves without a claim one stone later than before: all others are exhausted.
    pub fn go_deeper(&self) {
        self.plain.fetch_add(1, Ordering::Relaxed);
    }

    /// With so many stones of Black's, and fewer, moves without a claim are tried.
    pub fn depth(&self) -> usize {
        self.plain.load(Ordering::Relaxed)
    }

    /// The share of the table in use.
    pub fn fill(&self) -> f64 {
        self.table.fill()
    }

    /// Whether there is no room for more wins.
    pub fn is_full(&self) -> bool {
        self.deck().wins() >= self.most
    }
}

/// What is remembered of a position: its numbers, how many wins were known then, and how deep moves without a claim were
/// tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Note {
    numbers: Numbers,
    known: u32,
    depth: u32,
}

/// The lowest bits are for the number of wins.
const KNOWN_BITS: u32 = 26;

impl<const N: usize> Record<N> for Note {
    fn pack(&self) -> (CellSet<N>, u32) {
        let mut words = [0; N];
        words[0] = self.numbers.to_word();
        let most = (1 << KNOWN_BITS) - 1;
        (CellSet::from_words(words), self.depth.min(31) << KNOWN_BITS | self.known.min(most))
    }

    fn unpack(set: CellSet<N>, bits: u32) -> Note {
        let numbers = Numbers::from_word(set.words()[0]);
        Note { numbers, known: bits & ((1 << KNOWN_BITS) - 1), depth: bits >> KNOWN_BITS }
    }
}

/// What is known of a position.
pub enum Finding<const N: usize> {
    /// Black wins by this.
    Won(Claim<N>),
    /// Not known; how far it seems.
    Open(Numbers),
}

/// A move or an answer that is not decided.
#[derive(Clone, Copy)]
struct Child {
    cell: Cell,
    numbers: Numbers,
}

/// One thread's search.
pub struct Search<'a, const N: usize> {
    shared: &'a Shared<N>,
    limits: Limits,
    nodes: u64,
}

impl<'a, const N: usize> Search<'a, N> {
    /// Nothing is done yet.
    pub fn new(shared: &'a Shared<N>, limits: Limits) -> Search<'a, N> {
        Search { shared, limits, nodes: 0 }
    }

    /// Stops at these limits from now on.
    pub fn limit(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Positions looked at.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Looks for a win with Black to move.
    pub fn attack(&mut self, stones: Stones<N>) -> Result<Finding<N>, Halt> {
        self.search_moves(stones, Numbers::NO_LIMIT)
    }

    /// Looks for a win with White to move after Black's stone at `pivot`; found, it is a win before that stone.
    pub fn defend(&mut self, stones: Stones<N>, pivot: Cell) -> Result<Finding<N>, Halt> {
        self.search_answers(stones, pivot, Numbers::NO_LIMIT)
    }

    fn count(&mut self) -> Result<(), Halt> {
        self.nodes += 1;
        self.limits.tick(self.nodes)?;
        self.limits.check_time()
    }

    /// The key of a position in which White is to move, or Black.
    fn key(stones: &Stones<N>, white_to_move: bool) -> Stones<N> {
        match white_to_move {
            true => Stones { black: stones.black, white: stones.white | stones.black },
            false => *stones,
        }
    }

    /// What the table has. That there is no win among the moves there were is forgotten when many more cards are known,
    /// or more moves tried.
    fn noted(&self, key: &Stones<N>, known: usize) -> Option<Numbers> {
        let note = self.shared.table.get(key)?;
        let is_stale = known as u32 > note.known + note.known / 8 || self.shared.depth().min(31) as u32 > note.depth;
        (note.numbers != Numbers::DISPROVED || !is_stale).then_some(note.numbers)
    }

    fn note(&self, key: &Stones<N>, numbers: Numbers, known: usize, work: u64) {
        self.shared.table.put(key, &Note { numbers, known: known as u32, depth: self.shared.depth() as u32 }, work);
    }

    /// Black's moves with the numbers they start with. If White has just played, the wins with her stone do not count.
    fn moves(&self, stones: &Stones<N>, offers: &Offers<N>, last: Option<Cell>) -> Vec<Child> {
        let manner = &self.shared.manner;
        let mut moves: Vec<Child> = offers
            .sizes(last)
            .filter(|&(_, size)| size <= manner.widest)
            .map(|(cell, size)| Child { cell, numbers: Numbers { proof: size.max(1) as u32, disproof: 1 } })
            .collect();
        moves.sort_unstable_by_key(|child| (child.numbers.proof, child.cell));
        moves.truncate(manner.most_moves);
        if stones.black.len() <= self.shared.depth() {
            self.add_plain_moves(stones, &mut moves);
        }
        moves
    }

    /// Adds moves without a claim, those in the weightiest sets first.
    fn add_plain_moves(&self, stones: &Stones<N>, moves: &mut Vec<Child>) {
        let manner = &self.shared.manner;
        let mut weights = vec![0u64; self.shared.board.len()];
        for set in self.shared.sets.iter().filter(|set| set.is_disjoint(&stones.white)) {
            let missing = *set - stones.black;
            let weight = 1 << (2 * (set.len() - missing.len())).min(40);
            missing.iter().for_each(|cell| weights[cell.index()] += weight);
        }
        let tried: CellSet<N> = moves.iter().map(|child| child.cell).collect();
        let mut cells: Vec<Cell> = (self.shared.board - stones.occupied() - tried).iter().collect();
        cells.sort_unstable_by_key(|cell| (std::cmp::Reverse(weights[cell.index()]), *cell));
        for (rank, cell) in (0..).zip(cells.into_iter().take(manner.most_moves)) {
            moves.push(Child { cell, numbers: Numbers { proof: manner.plain_price + rank, disproof: 1 } });
        }
    }

    fn search_moves(&mut self, stones: Stones<N>, limit: Numbers) -> Result<Finding<N>, Halt> {
        self.count()?;
        let before = self.nodes;
        let mut hits = Vec::new();
        let known = {
            let deck = self.shared.deck();
            deck.spread.scan(&stones, self.shared.manner.largest, &mut hits);
            if let Some(hit) = least_won(&hits) {
                return Ok(Finding::Won(deck.spread.claim(hit)));
            }
            deck.wins()
        };
        let empty = self.shared.board - stones.occupied();
        let offers = Offers::new(&hits, empty, self.shared.manner.widest);
        let mut children = self.moves(&stones, &offers, None);
        for child in &mut children {
            let after = Self::key(&stones.with(Black, child.cell), true);
            child.numbers = self.noted(&after, known).unwrap_or(child.numbers);
        }
        drop((hits, offers));
        let key = Self::key(&stones, false);
        loop {
            children.retain(|child| child.numbers != Numbers::DISPROVED);
            if children.is_empty() {
                self.note(&key, Numbers::DISPROVED, known, self.nodes - before);
                return Ok(Finding::Open(Numbers::DISPROVED));
            }
            let choice = Choice::among(Black, children.iter().map(|child| (child.numbers, false)));
            if choice.numbers.reach(limit) {
                self.note(&key, choice.numbers, known, self.nodes - before);
                return Ok(Finding::Open(choice.numbers));
            }
            let child = children[choice.index];
            let room = choice.limit(Black, child.numbers, limit);
            match self.search_answers(stones.with(Black, child.cell), child.cell, room)? {
                Finding::Won(claim) => return Ok(Finding::Won(claim)),
                Finding::Open(numbers) => children[choice.index].numbers = numbers,
            }
        }
    }

    /// White to move after Black's stone at `pivot`.
    fn search_answers(&mut self, stones: Stones<N>, pivot: Cell, limit: Numbers) -> Result<Finding<N>, Halt> {
        self.count()?;
        let before = self.nodes;
        let key = Self::key(&stones, true);
        let mut hits = Vec::new();
        let (mut claims, mut known) = self.claims(&stones, &mut hits);
        if claims.is_empty() {
            // Whatever Black does against an answer he can do against none.
            match self.search_moves(stones, limit)? {
                Finding::Won(_) => (claims, known) = self.claims(&stones, &mut hits),
                Finding::Open(numbers) => {
                    self.note(&key, numbers, known, self.nodes - before);
                    return Ok(Finding::Open(numbers));
                }
            }
        }
        let mut left = self.shared.board - stones.occupied();
        claims.iter().for_each(|claim| left &= claim.open);
        let mut children = Vec::new();
        let offers = Offers::new(&hits, self.shared.board - stones.occupied(), self.shared.manner.widest);
        for cell in left {
            let after = stones.with(White, cell);
            let noted = self.noted(&Self::key(&after, false), known);
            let numbers = noted.unwrap_or_else(|| {
                let moves = self.moves(&after, &offers, Some(cell));
                match moves.iter().map(|child| child.numbers.proof).min() {
                    Some(proof) => Numbers { proof, disproof: moves.len() as u32 },
                    None => Numbers::DISPROVED,
                }
            });
            if numbers == Numbers::DISPROVED {
                self.note(&key, numbers, known, self.nodes - before);
                return Ok(Finding::Open(numbers));
            }
            children.push(Child { cell, numbers });
        }
        drop((hits, offers));
        loop {
            children.retain(|child| left.contains(child.cell));
            if children.is_empty() {
                return Ok(Finding::Won(self.learn(stones.black, pivot, &claims)));
            }
            let choice = Choice::among(White, children.iter().map(|child| (child.numbers, false)));
            if choice.numbers.reach(limit) {
                self.note(&key, choice.numbers, known, self.nodes - before);
                return Ok(Finding::Open(choice.numbers));
            }
            let child = children[choice.index];
            let room = choice.limit(White, child.numbers, limit);
            match self.search_moves(stones.with(White, child.cell), room)? {
                Finding::Won(claim) => {
                    left &= claim.open;
                    claims.push(claim);
                }
                Finding::Open(Numbers::DISPROVED) => {
                    self.note(&key, Numbers::DISPROVED, known, self.nodes - before);
                    return Ok(Finding::Open(Numbers::DISPROVED));
                }
                Finding::Open(numbers) => children[choice.index].numbers = numbers,
            }
        }
    }

    /// The wins that lack no stone, and how many wins are known; `hits` are all that lack at most one.
    fn claims(&self, stones: &Stones<N>, hits: &mut Vec<Hit<N>>) -> (Vec<Claim<N>>, usize) {
        let deck = self.shared.deck();
        deck.spread.scan(stones, self.shared.manner.largest, hits);
        let claims = hits.iter().filter(|hit| hit.missing.is_none()).map(|hit| deck.spread.claim(hit)).collect();
        (claims, deck.wins())
    }

    /// Keeps the combination of claims that leave White no answer.
    fn learn(&mut self, black: CellSet<N>, pivot: Cell, claims: &[Claim<N>]) -> Claim<N> {
        let chosen = few(black, claims);
        self.shared.deck_to_write().learn(pivot, &chosen)
    }

    /// The win of a first move by the claims found against all answers to it.
    pub fn conclude(&mut self, stones: Stones<N>, pivot: Cell) -> Option<Claim<N>> {
        let mut hits = Vec::new();
        let (claims, _) = self.claims(&stones, &mut hits);
        let left = claims.iter().fold(self.shared.board - stones.occupied(), |left, claim| left & claim.open);
        (left.is_empty() && !claims.is_empty()).then(|| self.learn(stones.black, pivot, &claims))
    }

    /// The fastest win by a card that is there already.
    pub fn known_win(&self, stones: Stones<N>) -> Option<Claim<N>> {
        let deck = self.shared.deck();
        let mut hits = Vec::new();
        deck.spread.scan(&stones, 0, &mut hits);
        let wins = hits.iter().filter(|hit| hit.missing.is_none()).map(|hit| deck.spread.claim(hit));
        wins.min_by_key(|win| (deck.height(win.source), win.open.len()))
    }

    /// The answers of White's that no claim meets yet.
    pub fn unanswered(&self, stones: &Stones<N>) -> CellSet<N> {
        let mut hits = Vec::new();
        let (claims, _) = self.claims(stones, &mut hits);
        claims.iter().fold(self.shared.board - stones.occupied(), |left, claim| left & claim.open)
    }
}

/// Of the wins that lack no stone the one that asks for the fewest cells.
fn least_won<const N: usize>(hits: &[Hit<N>]) -> Option<&Hit<N>> {
    hits.iter().filter(|hit| hit.missing.is_none()).min_by_key(|hit| hit.open.len())
}

/// A few of the claims that leave White no answer, chosen so that the combination asks for little.
fn few<const N: usize>(black: CellSet<N>, claims: &[Claim<N>]) -> Vec<Claim<N>> {
    let mut starts: Vec<&Claim<N>> = claims.iter().collect();
    starts.sort_by_key(|claim| (claim.open.len(), claim.own.len()));
    let price = |chosen: &[Claim<N>]| {
        let own = chosen.iter().fold(CellSet::<N>::EMPTY, |sum, claim| sum | claim.own);
        let open = chosen.iter().fold(CellSet::<N>::EMPTY, |sum, claim| sum | claim.open);
        let common = chosen.iter().map(|claim| claim.open).reduce(|all, open| all & open);
        let own = own | common.unwrap_or(CellSet::EMPTY);
        4 * own.len() + (open - own).len()
    };
    let tries = starts.iter().take(6).filter_map(|first| from(black, **first, claims));
    tries.min_by_key(|chosen| price(chosen)).unwrap_or_else(|| claims.to_vec())
}

/// Claims added to the first one by one, each the best for its price; then those dropped that are not needed.
fn from<const N: usize>(black: CellSet<N>, first: Claim<N>, claims: &[Claim<N>]) -> Option<Vec<Claim<N>>> {
    let mut chosen = vec![first];
    let (mut left, mut own, mut open) = (first.open - black, first.own, first.open);
    while !left.is_empty() {
        let value = |claim: &&Claim<N>| {
            let gain = (left - claim.open).len() as i64;
            let cost = (claim.open - open - own).len() as i64 + 4 * (claim.own - own).len() as i64;
            if gain == 0 { i64::MIN } else { 1000 * gain / (3 + cost) }
        };
        let best = claims.iter().max_by_key(value)?;
        if (left - best.open).is_empty() {
            return None;
        }
        (left, own, open) = (left & best.open, own | best.own, open | best.open);
        chosen.push(*best);
    }
    let mut index = 0;
    while index < chosen.len() && chosen.len() > 1 {
        let others = || chosen.iter().enumerate().filter(|&(other, _)| other != index).map(|(_, claim)| claim.open);
        let rest = others().reduce(|all, open| all & open).map_or(CellSet::EMPTY, |all| all - black);
        if rest.is_empty() {
            chosen.remove(index);
        } else {
            index += 1;
        }
    }
    Some(chosen)
}

/// A move of Black's that some wins lack.
struct Offer<const N: usize> {
    cell: Cell,
    /// Where White must answer, and all cells of these wins.
    region: CellSet<N>,
    all: CellSet<N>,
    /// Its wins in [`Offers::opens`].
    opens: (usize, usize),
}

/// The moves of Black's that wins suggest.
struct Offers<const N: usize> {
    offers: Vec<Offer<N>>,
    opens: Vec<CellSet<N>>,
}

impl<const N: usize> Offers<N> {
    /// Those that White answers in at most `widest` cells. One more stone of hers only makes them wider.
    fn new(hits: &[Hit<N>], empty: CellSet<N>, widest: usize) -> Offers<N> {
        let mut lacking: Vec<(Cell, CellSet<N>)> =
            hits.iter().filter_map(|hit| Some((hit.missing?, hit.open))).collect();
        lacking.sort_unstable_by_key(|&(cell, _)| cell);
        let (mut offers, mut opens) = (Vec::new(), Vec::new());
        for group in lacking.chunk_by(|one, other| one.0 == other.0) {
            let cell = group[0].0;
            let region = group.iter().fold(empty.without(cell), |region, (_, open)| region & *open);
            if region.len() <= widest {
                let first = opens.len();
                opens.extend(group.iter().map(|&(_, open)| open));
                let all = group.iter().fold(CellSet::EMPTY, |all, (_, open)| all | *open);
                offers.push(Offer { cell, region, all, opens: (first, opens.len()) });
            }
        }
        Offers { offers, opens }
    }

    /// The moves left after White's stone, each with how many answers White has.
    fn sizes(&self, last: Option<Cell>) -> impl Iterator<Item = (Cell, usize)> + '_ {
        self.offers.iter().filter_map(move |offer| match last {
            Some(last) if last == offer.cell => None,
            Some(last) if offer.all.contains(last) => {
                let opens = self.opens[offer.opens.0..offer.opens.1].iter().filter(|open| !open.contains(last));
                let region = opens.copied().reduce(|region, open| region & open)?;
                Some((offer.cell, region.len()))
            }
            _ => Some((offer.cell, offer.region.len())),
        })
    }
}
