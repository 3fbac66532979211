//! Facts in a file: what the tables of a worker know, for the workers that come after.
//!
//! ```text
//! spent <nodes>                                            how many nodes the job has taken so far
//! weak <black> <empty> <effort> open <proof> <disproof>
//! weak <black> <empty> <effort> won|held <zone> <cell or ->
//! strong <black> <white> <effort> open <proof> <disproof>
//! strong <black> <white> <effort> won <zone> <cell or -> <moves> <ignored>
//! strong <black> <white> <effort> held <zone> <cell or -> <left>
//! ```

use super::sealed::{Damage, Words, lines};
use crate::engines::facts::{Fact, Kind, Says};
use crate::engines::numbers::Numbers;
use ahash::AHashMap;
use harary_certificate::{Cell, Stones};
use std::fmt::Write;

/// The kind of file.
pub const KIND: &str = "facts";

/// Facts, and how many nodes were taken when they were written down.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facts<const N: usize> {
    /// Nodes of the job.
    pub spent: u64,
    /// In no order.
    pub list: Vec<Fact<N>>,
}

impl<const N: usize> Facts<N> {
    /// Their text.
    pub fn body(&self) -> String {
        let mut text = format!("spent {}\n", self.spent);
        for Fact { kind, key: Stones { black, white }, effort, says } in &self.list {
            let name = if *kind == Kind::Weak { "weak" } else { "strong" };
            let _ = write!(text, "{name} {black} {white} {effort} ");
            let cell = |best: &Option<Cell>| best.map_or("-".to_owned(), |cell| cell.index().to_string());
            let _ = match says {
                Says::Open(Numbers { proof, disproof }) => write!(text, "open {proof} {disproof}"),
                Says::Won { zone, best, .. } if *kind == Kind::Weak => write!(text, "won {zone} {}", cell(best)),
                Says::Held { zone, best, .. } if *kind == Kind::Weak => write!(text, "held {zone} {}", cell(best)),
                Says::Won { zone, best, moves, ignored } => write!(text, "won {zone} {} {moves} {ignored}", cell(best)),
                Says::Held { zone, best, left } => write!(text, "held {zone} {} {left}", cell(best)),
            };
            text.push('\n');
        }
        text
    }

    /// Reads facts of a game of so many cells. One that no table could hold is damage.
    pub fn read(body: &str, cells: usize) -> Result<Facts<N>, Damage> {
        let mut found = lines(body);
        let mut first = found.next().ok_or_else(|| Damage("no facts".to_owned()))?;
        if first.word("spent")? != "spent" {
            return Err(Damage::at(first.line, "'spent' is missing"));
        }
        let spent = first.read("number of nodes")?;
        first.end()?;
        let list = found.map(|words| fact(words, cells)).collect::<Result<_, Damage>>()?;
        Ok(Facts { spent, list })
    }
}

fn fact<const N: usize>(mut words: Words, cells: usize) -> Result<Fact<N>, Damage> {
    let line = words.line;
    let kind = match words.word("weak or strong")? {
        "weak" => Kind::Weak,
        "strong" => Kind::Strong,
        other => return Err(Damage::at(line, format!("'{other}' is no kind of fact"))),
    };
    let key = Stones { black: words.set("first set")?, white: words.set("second set")? };
    let effort = words.read("effort")?;
    let cell = |words: &mut Words| match words.word("cell")? {
        "-" => Ok(None),
        text => match text.parse() {
            Ok(number) if number < cells => Ok(Some(Cell::new(number))),
            _ => Err(Damage::at(line, format!("'{text}' is no cell"))),
        },
    };
    let count = |words: &mut Words, what: &str| if kind == Kind::Weak { Ok(0) } else { words.read(what) };
    let says = match words.word("open, won or held")? {
        "open" => Says::Open(Numbers { proof: words.read("proof number")?, disproof: words.read("disproof number")? }),
        "won" => {
            let (zone, best) = (words.set("zone")?, cell(&mut words)?);
            Says::Won { zone, best, moves: count(&mut words, "moves")?, ignored: count(&mut words, "stones")? }
        }
        "held" => {
            let (zone, best) = (words.set("zone")?, cell(&mut words)?);
            Says::Held { zone, best, left: count(&mut words, "moves")? }
        }
        other => return Err(Damage::at(line, format!("'{other}' is neither open, won nor held"))),
    };
    words.end()?;
    let fact = Fact { kind, key, effort, says };
    match fact.is_sound(cells) {
        true => Ok(fact),
        false => Err(Damage::at(line, "no table holds such a fact")),
    }
}

/// Many facts, each position once: of two that speak of one the decided counts, then the dearer.
#[derive(Default)]
pub struct Pool<const N: usize> {
    known: AHashMap<(Kind, Stones<N>), Fact<N>>,
}

impl<const N: usize> Pool<N> {
    /// Takes a fact over.
    pub fn add(&mut self, fact: Fact<N>) {
        let worth = |fact: &Fact<N>| (fact.is_decided(), fact.effort);
        let known = self.known.entry((fact.kind, fact.key)).or_insert(fact);
        if worth(&fact) > worth(known) {
            *known = fact;
        }
    }

    /// Whether this very fact is in it.
    pub fn has(&self, fact: &Fact<N>) -> bool {
        self.known.get(&(fact.kind, fact.key)).is_some_and(|known| known.says == fact.says)
    }

    /// The dearest, at most so many.
    pub fn into_list(self, most: usize) -> Vec<Fact<N>> {
        let mut list: Vec<Fact<N>> = self.known.into_values().collect();
        list.sort_unstable_by_key(|fact| (std::cmp::Reverse((fact.is_decided(), fact.effort)), fact.kind, fact.key));
        list.truncate(most);
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use harary_certificate::CellSet;

    fn set(bits: u64) -> CellSet<1> {
        CellSet::from_words([bits])
    }

    #[test]
    fn facts_come_back_and_impossible_ones_do_not() {
        let (zone, best) = (set(0x30), Some(Cell::new(4)));
        let stones = Stones::new(set(1), set(2));
        let weak = Stones::new(set(3), set(0x70));
        let list = vec![
            Fact { kind: Kind::Weak, key: weak, effort: 3, says: Says::Open(Numbers { proof: 7, disproof: 9 }) },
            Fact { kind: Kind::Weak, key: weak, effort: 5, says: Says::Won { zone, best, moves: 0, ignored: 0 } },
            Fact { kind: Kind::Weak, key: weak, effort: 5, says: Says::Held { zone, best: None, left: 0 } },
            Fact { kind: Kind::Strong, key: stones, effort: 6, says: Says::Won { zone, best, moves: 3, ignored: 1 } },
            Fact { kind: Kind::Strong, key: stones, effort: 6, says: Says::Held { zone, best, left: 4 } },
        ];
        let facts = Facts { spent: 77, list };
        assert_eq!(Facts::<1>::read(&facts.body(), 9).unwrap(), facts);
        for wrong in [
            "weak 3 70 3 open 0 1",
            "weak 3 70 3 open 1 4294967295",
            "weak 3 70 0 open 1 1",
            "weak 3 70 64 open 1 1",
            "weak 3 72 3 open 1 1",
            "weak 3 70 3 won 30 0",
            "weak 3 70 3 won 30 9",
            "weak 3 70 3 won 1000 4",
            "weak 3 70 3 won 30 4 1 1",
            "strong 3 3 3 open 1 1",
            "strong 1 2 6 held 30 0 4",
            "strong 1 2 6 held 30 4 1024",
            "strong 1 2 6 held 30 4",
            "other 1 2 6 held 30 4",
        ] {
            assert!(Facts::<1>::read(&format!("spent 0\n{wrong}\n"), 9).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_pool_keeps_what_says_more() {
        let key = Stones::new(set(3), set(0x70));
        let fact = |effort, says| Fact { kind: Kind::Weak, key, effort, says };
        let open = fact(9, Says::Open(Numbers::UNIT));
        let held = fact(2, Says::Held { zone: set(0x30), best: None, left: 0 });
        let mut pool = Pool::default();
        [open, held, open].into_iter().for_each(|fact| pool.add(fact));
        assert!(pool.has(&held) && !pool.has(&open));
        assert_eq!(pool.into_list(9), [held]);
    }
}
