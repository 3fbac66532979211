use super::canon::Canon;
use super::table::{Knowledge, Table};
use super::{Halt, Limits};
use crate::cell::Cell;
use crate::cell_set::CellSet;
use crate::player::Player::{Black, White};
use crate::position::Position;

/// One thread's search.
pub struct Attacker<'a, const N: usize> {
    position: Position<'a, N>,
    table: &'a Table<N>,
    canon: &'a Canon,
    limits: &'a Limits,
    /// Whether White's own sets count.
    strong: bool,
    zones: bool,
    nodes: u64,
    history: [Vec<u32>; 2],
    scores: Vec<u32>,
    buffers: Vec<Vec<(u32, Cell)>>,
}

/// Black wins whatever White owns outside the zone, or he does not win in time.
pub type Answer<const N: usize> = Option<CellSet<N>>;

impl<'a, const N: usize> Attacker<'a, N> {
    pub fn new(
        position: Position<'a, N>,
        table: &'a Table<N>,
        canon: &'a Canon,
        limits: &'a Limits,
        strong: bool,
    ) -> Attacker<'a, N> {
        let cells = position.arena().cells();
        Attacker {
            position,
            table,
            canon,
            limits,
            strong,
            zones: std::env::var_os("NOZONE").is_none(),
            nodes: 0,
            history: [vec![0; cells], vec![0; cells]],
            scores: vec![0; cells],
            buffers: Vec::new(),
        }
    }

    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    fn known(&self) -> Option<Knowledge<N>> {
        let (black, white, number) = self.canon.canonical(&self.position.black(), &self.position.white());
        let mut known = self.table.get(&black, &white)?;
        let back = self.canon.inverse(number);
        known.zone = back.set(&known.zone);
        known.best = known.best.map(|cell| back.cell(cell));
        Some(known)
    }

    fn remember(&self, mut knowledge: Knowledge<N>, work: u64) {
        let (black, white, number) = self.canon.canonical(&self.position.black(), &self.position.white());
        let there = self.canon.symmetry(number);
        knowledge.zone = there.set(&knowledge.zone);
        knowledge.best = knowledge.best.map(|cell| there.cell(cell));
        self.table.put(&black, &white, &knowledge, work);
    }

    /// Black to move with `left` moves.
    pub fn black(&mut self, left: usize, ignored: usize) -> Result<Answer<N>, Halt> {
        if let Some(cell) = self.position.completions(Black).first() {
            return Ok(Some(CellSet::single(cell)));
        }
        if left < 2 {
            return Ok(None);
        }
        let Some(distance) = self.position.distance(Black).filter(|&distance| distance <= left) else {
            return Ok(None);
        };
        let threats = self.position.completions(White);
        if threats.len() > 1 {
            return Ok(None);
        }
        let forced = threats.first();
        if left == 2 {
            return Ok(self.double_threat(forced, ignored));
        }
        self.nodes += 1;
        self.limits.tick(self.nodes)?;
        let known = self.known().unwrap_or(Knowledge::NOTHING);
        if usize::from(known.refuted) >= left {
            return Ok(None);
        }
        if known.win > 0 && usize::from(known.win) <= left && (usize::from(known.ignored) >= ignored || !self.strong || !self.zones) {
            return Ok(Some(known.zone));
        }
        let before = self.nodes;
        let candidates = match forced {
            Some(cell) => CellSet::single(cell),
            None if distance == left || !self.strong => self.position.reach(Black, left),
            None => self.position.reach(Black, left) | self.position.reach(White, left - 1),
        } & self.position.allowed();
        let mut moves = self.ordered(candidates, left, 0, known.best);
        let mut found = None;
        for &(_, cell) in &moves {
            self.position.play(cell, Black);
            let answer = self.white(left - 1, ignored);
            self.position.undo(cell, Black);
            if let Some(zone) = answer? {
                found = Some((cell, zone.with(cell)));
                break;
            }
        }
        let work = self.nodes - before + 1;
        let answer = match found {
            Some((cell, zone)) => {
                self.history[0][cell.index()] += (left * left) as u32;
                let knowledge = Knowledge {
                    win: left as u8,
                    refuted: known.refuted,
                    best: Some(cell),
                    zone,
                    ignored: ignored as u8,
                };
                self.remember(knowledge, work);
                Some(zone)
            }
            None => {
                self.remember(Knowledge { refuted: left as u8, ..known }, work);
                None
            }
        };
        moves.clear();
        self.buffers.push(moves);
        Ok(answer)
    }

    /// White to move; Black has `left` moves left after hers.
    pub fn white(&mut self, left: usize, ignored: usize) -> Result<Answer<N>, Halt> {
        if !self.position.completions(White).is_empty() {
            return Ok(None);
        }
        let threats = self.position.completions(Black);
        let mut cells = threats.iter();
        match (cells.next(), cells.next()) {
            (Some(one), Some(two)) => {
                let zone = CellSet::single(one).with(two);
                return Ok(Some(self.guarded(zone, ignored, None)));
            }
            (Some(only), None) => {
                self.position.play(only, White);
                let answer = self.black(left, ignored);
                self.position.undo(only, White);
                return Ok(answer?.map(|zone| self.guarded(zone.with(only), ignored, None)));
            }
            _ => {}
        }
        if left < 2 || self.position.distance(Black).is_none_or(|distance| distance > left) {
            return Ok(None);
        }
        let least = self.position.distance(Black).unwrap_or(0).max(2);
        // Null move
        let mut zone = CellSet::EMPTY;
        let mut must = self.position.empty();
        let mut passed = false;
        for shorter in least..left {
            self.position.pass();
            let answer = self.black(shorter, ignored + 1);
            self.position.undo_pass();
            if let Some(found) = answer? {
                zone = found;
                if self.zones { must = found & must; }
                passed = true;
                break;
            }
        }
        let mut tried = CellSet::EMPTY;
        let mut first = true;
        loop {
            let rest = must - tried;
            if rest.is_empty() {
                break;
            }
            let cell = self.best_reply(rest, left);
            tried.insert(cell);
            self.position.play(cell, White);
            let answer = self.black(left, ignored + 1);
            self.position.undo(cell, White);
            match answer? {
                None => {
                    self.history[1][cell.index()] += (left * left) as u32;
                    return Ok(None);
                }
                Some(found) => {
                    zone |= found;
                    if self.zones { must &= found; }
                }
            }
            if first && !passed {
                self.position.pass();
                let answer = self.black(left, ignored + 1);
                self.position.undo_pass();
                match answer? {
                    None => return Ok(None),
                    Some(found) => {
                        zone |= found;
                        if self.zones { must &= found; }
                    }
                }
            }
            first = false;
        }
        Ok(Some(self.guarded(zone, ignored, None)))
    }

    fn guarded(&self, mut zone: CellSet<N>, ignored: usize, played: Option<Cell>) -> CellSet<N> {
        if !self.strong || !self.zones {
            return zone;
        }
        for missing in 2..=(ignored + 1).min(self.position.arena().longest()) {
            if self.position.live_count(White, missing) == 0 {
                continue;
            }
            for set in self.position.live_sets(White, missing) {
                let cells = self.position.missing_cells(set);
                if played.is_some_and(|cell| cells.contains(cell)) {
                    continue;
                }
                let inside = (cells & zone).len();
                for cell in (cells - zone).iter().take(2usize.saturating_sub(inside)) {
                    zone.insert(cell);
                }
            }
        }
        zone
    }

    /// With two moves left Black needs one that makes two threats.
    fn double_threat(&mut self, forced: Option<Cell>, ignored: usize) -> Answer<N> {
        if self.position.live_count(Black, 2) < 2 {
            return None;
        }
        let arena = self.position.arena();
        let mut once = CellSet::EMPTY;
        let mut twice = CellSet::EMPTY;
        for set in self.position.live_sets(Black, 2) {
            let cells = self.position.missing_cells(set);
            twice |= once & cells;
            once |= cells;
        }
        let empty = self.position.empty();
        'cells: for cell in twice {
            if forced.is_some_and(|forced| forced != cell) {
                continue;
            }
            let mut partners = CellSet::EMPTY;
            for set in self.position.live_sets(Black, 2) {
                let cells = arena.set(set) & empty;
                if cells.contains(cell) {
                    partners |= cells;
                }
            }
            partners.remove(cell);
            if partners.len() < 2 {
                continue 'cells;
            }
            let zone: CellSet<N> = partners.iter().take(2).collect();
            return Some(self.guarded(zone, ignored, Some(cell)).with(cell));
        }
        None
    }

    fn ordered(&mut self, candidates: CellSet<N>, left: usize, _side: usize, best: Option<Cell>) -> Vec<(u32, Cell)> {
        let longest = self.position.arena().longest();
        let mut moves = self.buffers.pop().unwrap_or_default();
        self.scores.fill(0);
        for missing in 1..=left.min(longest) {
            if self.position.live_count(Black, missing) > 0 {
                let weight = 1 << (2 * (longest - missing)).min(20);
                for set in self.position.live_sets(Black, missing) {
                    for cell in self.position.missing_cells(set) {
                        self.scores[cell.index()] += weight;
                    }
                }
            }
        }
        for cell in candidates {
            let mut score = self.scores[cell.index()] * 16 + self.history[0][cell.index()].min(1 << 20) / 1024;
            if best == Some(cell) {
                score = u32::MAX;
            }
            moves.push((score, cell));
        }
        moves.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        moves
    }

    fn best_reply(&mut self, among: CellSet<N>, left: usize) -> Cell {
        let longest = self.position.arena().longest();
        self.scores.fill(0);
        for missing in 1..=left.min(longest) {
            if self.position.live_count(Black, missing) > 0 {
                let weight = 1 << (2 * (longest - missing)).min(20);
                for set in self.position.live_sets(Black, missing) {
                    for cell in self.position.missing_cells(set) {
                        self.scores[cell.index()] += weight;
                    }
                }
            }
        }
        among
            .iter()
            .max_by_key(|cell| self.scores[cell.index()] * 16 + self.history[1][cell.index()].min(1 << 20) / 1024)
            .unwrap_or(Cell::new(0))
    }
}
