//! What a trial found, as evidence: positions as they stand, since a text speaks of cells.

use super::voice::Voice;
use crate::evidence::Evidence;
use crate::game::Game;
use ahash::AHashSet;
use harary_certificate::model::{Kind, Pair};
use harary_certificate::{Cell, CellSet, CertificateWriter, Claim, Stones};
use std::io::{self, Write};

/// A strategy, position by position.
pub(super) struct Proof<const N: usize> {
    claim: Claim,
    seen: AHashSet<Stones<N>>,
    lines: Vec<(Stones<N>, Cell)>,
    paved: Vec<(Stones<N>, Vec<(Cell, Cell)>)>,
    /// The latest turn at which Black completes a set.
    longest: usize,
    pub by_text: usize,
    pub by_search: usize,
}

impl<const N: usize> Proof<N> {
    pub fn new(claim: Claim) -> Proof<N> {
        let (lines, paved) = (Vec::new(), Vec::new());
        Proof { claim, seen: AHashSet::new(), lines, paved, longest: 0, by_text: 0, by_search: 0 }
    }

    /// Whether a position is new. What the text says may depend on the way there; one way is enough.
    pub fn visit(&mut self, stones: Stones<N>) -> bool {
        self.seen.insert(stones)
    }

    pub fn completed_at(&mut self, turn: usize) {
        self.longest = self.longest.max(turn);
    }

    pub fn say(&mut self, stones: Stones<N>, cell: Cell, voice: Voice) {
        self.lines.push((stones, cell));
        self.count(matches!(voice, Voice::Text(_)));
    }

    pub fn pave(&mut self, stones: Stones<N>, pairs: &[(Cell, Cell)], own: bool) {
        self.paved.push((stones, pairs.to_vec()));
        self.count(own);
    }

    fn count(&mut self, text: bool) {
        if text {
            self.by_text += 1;
        } else {
            self.by_search += 1;
        }
    }
}

impl<const N: usize> Evidence for Proof<N> {
    fn claim(&self) -> Claim {
        match self.claim {
            Claim::Win(_) => Claim::Win(self.longest),
            other => other,
        }
    }

    fn write(&self, game: &Game, out: &mut dyn Write) -> io::Result<()> {
        let mut writer = CertificateWriter::new(out, &game.header(self.claim(), false, None))?;
        if let Some(names) = game.names() {
            writer.comment(&names.to_string())?;
        }
        let (mut lines, mut paved) = (self.lines.clone(), self.paved.clone());
        lines.sort_unstable();
        paved.sort_unstable();
        for (id, (stones, pairs)) in paved.iter().enumerate() {
            let zone: CellSet<N> = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
            let pairs = pairs.iter().map(|&(a, b)| Pair { a: a.min(b), b: a.max(b) }).collect();
            writer.node(id as u32, &stones.white, &zone, &Kind::Pave(pairs))?;
        }
        for (stones, cell) in &lines {
            match self.claim {
                Claim::Win(_) => writer.p(&stones.black, &stones.white, 0, *cell)?,
                _ => writer.q(&stones.black, &stones.white, *cell)?,
            }
        }
        for (id, (stones, _)) in paved.iter().enumerate() {
            writer.b(&stones.black, &stones.white, id as u32)?;
        }
        if let Claim::Hold(_) = self.claim {
            writer.root_explicit()?;
        }
        writer.into_inner().flush()
    }
}
