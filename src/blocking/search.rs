//! The blocking search: White's moves and pavings together, both answers generalised.

use crate::blocking::lemmas::{Lemma, Lemmas};
use crate::cell::Cell;
use crate::cell_set::CellSet;
use crate::game::Game;
use crate::paving::oracle::Oracle;
use crate::paving::{Answer, Pairs};
use crate::symmetry::SymmetryGroup;

/// The level of a "no" that no number of White's moves can change: Black completes a set.
pub const FOREVER: u8 = 250;

#[derive(Clone, Copy, Debug)]
pub struct Held<const N: usize> {
    pub white: CellSet<N>,
    pub zone: CellSet<N>,
    pub height: u8,
}

#[derive(Clone, Copy, Debug)]
pub struct Refused<const N: usize> {
    pub black: CellSet<N>,
    pub cells: CellSet<N>,
    pub level: u8,
}

pub enum Verdict<const N: usize> {
    Hold(Held<N>),
    No(Refused<N>),
}

pub struct Search<const N: usize> {
    sets: Vec<CellSet<N>>,
    through: Vec<Vec<u32>>,
    board: CellSet<N>,
    group: SymmetryGroup,
    oracle: Oracle<N>,
    holds: Lemmas<N>,
    nos: Lemmas<N>,
    history: Vec<[u32; 2]>,
    pub nodes: u64,
}

impl<const N: usize> Search<N> {
    pub fn new(game: &Game) -> Search<N> {
        let sets: Vec<CellSet<N>> = game.black_sets().iter().map(|set| set.resized()).collect();
        let cells = game.vertices();
        let mut through = vec![Vec::new(); cells];
        for (index, set) in sets.iter().enumerate() {
            set.iter().for_each(|cell| through[cell.index()].push(index as u32));
        }
        let group = game.symmetries();
        let group = match game.shape_on_board() {
            Some((_, board)) if board.is_torus() => {
                group.stabiliser(&[CellSet::<N>::single(board.cell(board.width() / 2, board.height() / 2))])
            }
            _ => group,
        };
        Search {
            sets,
            through,
            board: CellSet::first_cells(cells),
            group,
            oracle: Oracle::new(game, Pairs::Any),
            holds: Lemmas::new(cells),
            nos: Lemmas::new(cells),
            history: vec![[0; 2]; cells],
            nodes: 0,
        }
    }

    pub fn stats(&self) -> String {
        format!("nodes {} calls {} +{} holds {} nos {}", self.nodes, self.oracle.calls(), self.oracle.shrink_calls, self.holds.len(), self.nos.len())
    }

    fn keep_hold(&mut self, held: Held<N>) {
        for (symmetry, map) in self.group.elements().iter().enumerate() {
            self.holds.insert(Lemma {
                needs: map.set(&held.white),
                avoids: map.set(&held.zone),
                rank: FOREVER - held.height,
                origin: 0,
                symmetry: symmetry as u16,
            });
        }
    }

    fn keep_no(&mut self, no: Refused<N>) {
        for (symmetry, map) in self.group.elements().iter().enumerate() {
            self.nos.insert(Lemma {
                needs: map.set(&no.black),
                avoids: map.set(&no.cells),
                rank: no.level,
                origin: 0,
                symmetry: symmetry as u16,
            });
        }
    }

    fn threat(&self, black: CellSet<N>, white: CellSet<N>) -> Option<Refused<N>> {
        self.sets
            .iter()
            .find(|set| set.is_disjoint(&white) && (**set - black).len() < 2)
            .map(|&set| Refused { black: set & black, cells: set, level: FOREVER })
    }

    pub fn solve(&mut self, black: CellSet<N>, white: CellSet<N>, level: u8) -> Verdict<N> {
        if let Some(no) = self.threat(black, white) {
            return Verdict::No(no);
        }
        if let Some(lemma) = self.holds.best(white, black, FOREVER - level) {
            return Verdict::Hold(Held { white: lemma.needs, zone: lemma.avoids, height: FOREVER - lemma.rank });
        }
        if let Some(lemma) = self.nos.best(black, white, level) {
            return Verdict::No(Refused { black: lemma.needs, cells: lemma.avoids, level: lemma.rank });
        }
        self.nodes += 1;
        if level == 0 {
            return match self.oracle.paving(black, white) {
                Answer::Paved(paving) => {
                    let held = Held { white: paving.white, zone: paving.zone, height: 0 };
                    self.keep_hold(held);
                    Verdict::Hold(held)
                }
                Answer::None(no) => {
                    let no = Refused { black: no.black, cells: no.cells, level: 0 };
                    self.keep_no(no);
                    Verdict::No(no)
                }
            };
        }
        let empty = self.board - black - white;
        let mut left = empty;
        let mut common = self.board;
        let mut held = Held { white: CellSet::EMPTY, zone: CellSet::EMPTY, height: 0 };
        let mut killers: Vec<Cell> = Vec::new();
        while let Some(m) = self.pick(left, black, white, 0) {
            match self.reply(black, white, m, level, &killers) {
                Ok((None, child)) => return Verdict::Hold(child),
                Ok((Some(o), child)) => {
                    if !child.white.contains(o) {
                        return Verdict::Hold(child);
                    }
                    let zone = child.zone.with(o);
                    if std::env::var("TREE").is_ok() && black.len() <= 0 { eprintln!("{}B{:?} W{:?} level {level}: m {m:?} refuted by {o:?} left {} -> {} {}", "  ".repeat(black.len()), black, white, left.len(), (left & zone).len(), self.stats()); }
                    held.white |= child.white.without(o);
                    held.zone |= zone;
                    held.height = held.height.max(child.height + 1);
                    left &= zone;
                    killers.retain(|&k| k != o); killers.push(o);
                    common &= zone;
                }
                Err(no) => {
                    self.history[m.index()][0] += 1 << level;
                    self.keep_no(no);
                    return Verdict::No(no);
                }
            }
        }
        held.white |= common & white;
        held.zone -= held.white;
        self.keep_hold(held);
        Verdict::Hold(held)
    }

    fn reply(&mut self, black: CellSet<N>, white: CellSet<N>, m: Cell, level: u8, killers: &[Cell]) -> Result<(Option<Cell>, Held<N>), Refused<N>> {
        let black = black.with(m);
        let mut left = self.board - black - white;
        let mut reasons: Vec<Refused<N>> = Vec::new();
        for &index in &self.through[m.index()] {
            let set = self.sets[index as usize];
            if set.is_disjoint(&white) && (set - black).len() <= 1 && !(left - set).is_empty() {
                reasons.push(Refused { black: set & black, cells: set, level: FOREVER });
                left &= set;
            }
        }
        if let Some(lemma) = self.nos.best(black, white, level - 1) {
            if !(left - lemma.avoids).is_empty() {
                reasons.push(Refused { black: lemma.needs, cells: lemma.avoids, level: lemma.rank });
                left &= lemma.avoids;
            }
        } else if reasons.is_empty() {
            match self.solve(black, white, level - 1) {
                Verdict::Hold(held) => return Ok((None, held)),
                Verdict::No(no) => {
                    left &= no.cells;
                    reasons.push(no);
                }
            }
        }
        while let Some(o) = killers.iter().rev().copied().find(|&k| left.contains(k)).or_else(|| self.pick(left, black, white, 1)) {
            match self.solve(black, white.with(o), level - 1) {
                Verdict::Hold(held) => {
                    self.history[o.index()][1] += 1 << level;
                    return Ok((Some(o), held));
                }
                Verdict::No(no) => {
                    if std::env::var("TREE").is_ok() && black.len() <= 1 { eprintln!("{}B{:?} W{:?} level {level}: o {o:?} fails left {} -> {} {}", "  ".repeat(black.len()), black, white, left.len(), (left & no.cells).len(), self.stats()); }
                    left &= no.cells;
                    reasons.push(no);
                }
            }
        }
        // Drop reasons the others make superfluous, the widest first.
        reasons.sort_by_key(|no| std::cmp::Reverse(no.cells.len()));
        let empty = self.board - black - white;
        let mut index = 0;
        while index < reasons.len() {
            let others = reasons.iter().enumerate().filter(|&(i, _)| i != index);
            if others.fold(empty, |left, (_, no)| left & no.cells).is_empty() && reasons.len() > 1 {
                reasons.remove(index);
            } else {
                index += 1;
            }
        }
        let mut no = Refused { black: CellSet::EMPTY, cells: CellSet::single(m), level: FOREVER };
        let mut common = self.board;
        for reason in &reasons {
            no.black |= reason.black;
            no.cells |= reason.cells;
            no.level = no.level.min(reason.level.saturating_add(1));
            common &= reason.cells;
        }
        no.black |= common & black;
        no.black.remove(m);
        Err(no)
    }

    fn pick(&self, left: CellSet<N>, black: CellSet<N>, white: CellSet<N>, side: usize) -> Option<Cell> {
        let shift = SHIFT.with(|s| *s);
        left.iter().max_by_key(|&cell| {
            let mut score = 0u64;
            for &index in &self.through[cell.index()] {
                let set = self.sets[index as usize];
                if set.is_disjoint(&white) {
                    score += 1 << (shift * (set & black).len());
                }
            }
            let h = self.history[cell.index()][side] as u64; let mode: u64 = MODE.with(|m| *m); match mode { 0 => score, 1 => score * (h + 1), 2 => (h << 20) + score, _ => score + h }
        })
    }
}

thread_local! { static MODE: u64 = std::env::var("MODE").map(|r| r.parse().unwrap()).unwrap_or(0); static SHIFT: usize = std::env::var("SHIFT").map(|r| r.parse().unwrap()).unwrap_or(3); }
