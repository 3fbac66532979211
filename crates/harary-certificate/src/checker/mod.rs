//! The checker: decides whether a certificate proves its claim, by the rules of the game alone.
//!
//! It shares with the searches only the words for cells, sets of cells, shapes and boards; winning sets and symmetries
//! are enumerated once more in [`crate::rules`]. The reader refuses what is no certificate. Then
//! - *cards* ([`cards`], `c` lines) are each checked in their box of the plane, and put on the board where `u` lines say;
//! - *nodes* ([`nodes`], `a`, `u`, `n`, `s` lines) are each checked by themselves against their children, in any order;
//! - *positions* ([`positions`], `p`, `q`, `l`, `b`, `k` lines) are played out turn by turn from the start.
//!
//! Every line is checked, whether the play gets there or not: a line no play reaches must still be a legal line. What a
//! file has to satisfy, and where the format leaves room how it is read, is docs/certificate.md; why that proves
//! the claim is docs/game.md, whose lemmas are named where they are used.
//!
//! Checking uses up what was read: a [`Checker`] answers once. Only here a [`Proved`] is made.

mod cards;
mod nodes;
mod positions;
mod proved;

use crate::cell::{Cell, MAX_CELLS};
use crate::cell_set::{CellSet, WIDE};
use crate::model::{Pair, Position, Proof, Refused, Root};
use crate::reader::Lines;
use crate::rules::Rules;
use rayon::prelude::*;
use std::io::Read;

pub use cards::check_cards;
pub(crate) use cards::landed;
pub use proved::Proved;

/// Checks a certificate, plain or zstd-compressed.
pub fn check(input: impl Read) -> Result<Proved, Refused> {
    let mut lines = Lines::open(input)?;
    let opening = lines.header()?;
    match opening.header.vertices.div_ceil(64) {
        1 => Ok(Checker::<1>::new(Proof::read(opening, lines)?)?.check()?.proved),
        2 => Ok(Checker::<2>::new(Proof::read(opening, lines)?)?.check()?.proved),
        _ => Ok(Checker::<WIDE>::new(Proof::read(opening, lines)?)?.check()?.proved),
    }
}

/// Checks a certificate and keeps it, for those who want to look at the strategy.
pub(crate) fn check_and_keep(input: impl Read) -> Result<Accepted<WIDE>, Refused> {
    let mut lines = Lines::open(input)?;
    let opening = lines.header()?;
    Checker::new(Proof::read(opening, lines)?)?.check()
}

/// An accepted certificate, with the rules it was judged by.
pub(crate) struct Accepted<const N: usize> {
    pub(crate) proved: Proved,
    pub(crate) proof: Proof<N>,
    pub(crate) rules: Rules<N>,
}

/// The rules of one game, and a proof to be judged by them.
struct Checker<const N: usize> {
    proof: Proof<N>,
    rules: Rules<N>,
}

impl<const N: usize> Checker<N> {
    fn new(proof: Proof<N>) -> Result<Checker<N>, Refused> {
        let rules = Rules::of(&proof)?;
        Ok(Checker { proof, rules })
    }

    fn check(mut self) -> Result<Accepted<N>, Refused> {
        let start = &self.rules.start;
        if self.rules.black_sets.iter().any(|set| set.is_subset(&start.stones.black))
            || self.rules.white_completed(start)
        {
            return self.refuse(None, "a winning set is complete before turn 1", start);
        }
        self.put_cards()?;
        let bad_nodes = self.proof.nodes.par_iter().filter_map(|(&id, node)| self.node(id, node).err());
        let bad_steps = self.proof.steps.par_iter().filter_map(|(at, step)| self.step(at, step).err());
        if let Some(refused) = bad_nodes.chain(bad_steps).min_by_key(|refused| refused.line) {
            return Err(refused);
        }
        let positions = match self.proof.root {
            Some(Root::Node(id)) => self.root_node(id).map(|()| 0)?,
            _ => self.play()?,
        };
        Ok(Accepted { proved: Proved::by(&self.proof, positions), proof: self.proof, rules: self.rules })
    }

    /// What is wrong with these pairs, if they are to be disjoint, to lie in `open`, and to leave no set of Black's
    /// that `counts` without both cells of one.
    fn unpaired(
        &self,
        pairs: &[Pair],
        open: CellSet<N>,
        counts: impl Fn(&CellSet<N>) -> bool,
        outside: &str,
    ) -> Result<(), String> {
        let mut partner = [None; MAX_CELLS];
        for &Pair { a, b } in pairs {
            let mistake = match () {
                _ if a == b => "is one cell only",
                _ if !open.contains(a) || !open.contains(b) => outside,
                _ if partner[a.index()].or(partner[b.index()]).is_some() => "uses a cell of another pair",
                _ => "",
            };
            if !mistake.is_empty() {
                return Err(format!("the pair {}-{} {mistake}", self.name(a), self.name(b)));
            }
            (partner[a.index()], partner[b.index()]) = (Some(b), Some(a));
        }
        let paved =
            |set: &CellSet<N>| set.iter().any(|cell| partner[cell.index()].is_some_and(|other| set.contains(other)));
        match self.rules.black_sets.iter().find(|set| counts(set) && !paved(set)) {
            Some(set) => Err(format!("the winning set {} contains no pair", self.proof.names_of(set))),
            None => Ok(()),
        }
    }

    fn refuse<T>(&self, line: Option<u64>, reason: impl Into<String>, at: &Position<N>) -> Result<T, Refused> {
        let drawing = Some(self.proof.position_drawing(at));
        Err(Refused { line, reason: reason.into(), drawing })
    }

    fn name(&self, cell: Cell) -> String {
        self.proof.cell_name(cell)
    }
}
