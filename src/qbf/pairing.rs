//! PAIRING: White exists, Black is "for all", and White wins by a paving.
//!
//! Play goes to turn k, or less far if White stops it. Then there must be disjoint pairs of empty cells such that every
//! winning set without a white stone contains a pair: from there White answers in the pair and Black never completes a
//! set. White's own sets do not matter, so the formula is the same for the strong and the weak game, and it is the weak
//! one it decides: false at the last turn means that Black wins the weak game.

use crate::qbf::formula::{Clauses, Literal, Prefix, Sink};
use crate::qbf::ladder::Ladder;
use crate::qbf::play::{Menu, Play, set_name};
use harary_certificate::{Cell, Player, WideSet};
use std::collections::BTreeMap;

pub struct Pairing {
    play: Play,
    ladder: Ladder,
    /// Only pairs inside some winning set can be of use.
    pairs: BTreeMap<(Cell, Cell), Literal>,
    /// One for each winning set; none in lean mode.
    canceled: Vec<Literal>,
}

/// The pairs inside a set.
fn pairs_of(set: &WideSet) -> impl Iterator<Item = (Cell, Cell)> + '_ {
    set.iter().flat_map(|a| set.iter().filter(move |&b| a < b).map(move |b| (a, b)))
}

impl Pairing {
    pub fn new(play: Play, prefix: &mut Prefix) -> Pairing {
        let menu = |turn| match (play.is_lean(), turn) {
            (true, _) => Menu::numbered(play.lines(turn)),
            (false, 1) => Menu::of_cells(play.vertices(), play.triangle()),
            (false, _) => Menu::of_cells(play.vertices(), play.all_cells()),
        };
        // Lean: White may as well put her stone before she stops, an extra stone of hers cannot hurt. So she stops
        // before Black's turns only.
        let time = |prefix: &mut Prefix, turn: usize, before: Option<Literal>| match before {
            Some(before) if play.is_lean() && play.player(turn) == Player::White => before,
            None if play.is_lean() => Literal::TRUE,
            _ => prefix.exists(format!("time t{turn}")),
        };
        let ladder = Ladder::new(&play, prefix, Player::Black, menu, time);
        let mut pairs = BTreeMap::new();
        let playable = if play.is_lean() { play.empty_at_start() } else { play.all_cells() };
        for (a, b) in play.black_sets.iter().flat_map(pairs_of) {
            if playable.contains(a) && playable.contains(b) {
                pairs.insert((a, b), Literal::FALSE);
            }
        }
        for (&(a, b), pair) in &mut pairs {
            *pair = prefix.exists(format!("pair {}-{}", play.name(a), play.name(b)));
        }
        let canceled = play.black_sets.iter().filter(|_| !play.is_lean());
        let canceled =
            canceled.map(|set| prefix.exists(format!("canceled {}", set_name(&play, set)))).collect::<Vec<_>>();
        Pairing { play, ladder, pairs, canceled }
    }

    /// Two pairs of the paving have no cell in common.
    fn disjoint(&self, sink: &mut Sink) {
        for cell in self.play.cells() {
            let touching: Vec<Literal> =
                self.pairs.iter().filter(|((a, b), _)| *a == cell || *b == cell).map(|(_, &pair)| pair).collect();
            for (i, &one) in touching.iter().enumerate() {
                for &other in &touching[i + 1..] {
                    sink.clause([!one, !other]);
                }
            }
        }
    }
}

impl Clauses for Pairing {
    fn emit(&self, sink: &mut Sink) {
        let Pairing { play, ladder, pairs, canceled } = self;
        ladder.rules(play, sink);
        if play.is_lean() {
            ladder.leave_out_images(play, sink);
        }
        for (&(a, b), &pair) in pairs {
            for cell in [a, b] {
                for occupied in ladder.occupied_at_the_end(cell) {
                    sink.implies([pair], !occupied);
                }
            }
        }
        self.disjoint(sink);
        let (black, white) = (&ladder.stones.black[play.turns], &ladder.stones.white[play.turns]);
        for (index, set) in play.black_sets.iter().enumerate() {
            let stones = set.iter().map(|cell| white[cell.index()]);
            let inside = pairs_of(set).filter_map(|pair| pairs.get(&pair).copied());
            let reasons: Vec<Literal> = stones.chain(inside).collect();
            match canceled.get(index) {
                None => sink.clause(reasons),
                Some(&canceled) => {
                    sink.any_of(canceled, &reasons);
                    sink.clause([canceled]);
                    // Says nothing new, but is part of the published formula.
                    sink.clause(set.iter().map(|cell| !black[cell.index()]));
                }
            }
        }
    }
}
