//! What the entries say about a shape, put together; and what is odd about it.
//!
//! Everything here is read off the entries: a fact is known only where the games it is about are settled.

use super::entry::{Entry, Finding};

use super::key::GameKey;
use super::laws::{self, Deduced};
use super::shapes::as_catalogued;
use super::tablebase::Tablebase;
use crate::effort::{Limits, Meter};
use crate::engines::blocking;
use crate::game::Game;
use crate::game::catalogue::Catalogue;
use crate::settle::covers::search_covers;
use crate::settle::{CoverMode, Verdict};
use harary_certificate::{Board, Rule, Shape, Stones, Topology};
use serde::Serialize;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// A shape on one board, all four games.
#[derive(Clone, Debug)]
pub struct BoardFacts {
    /// Its sides.
    pub board: String,
    /// On the plain board.
    pub plain: RuleFacts,
    /// On the torus.
    pub torus: RuleFacts,
}

/// A shape on one board of one topology.
#[derive(Clone, Debug, Default)]
pub struct RuleFacts {
    /// None if it is not in the atlas and does not follow from what is.
    pub strong: Option<Finding>,
    /// The same of the weak game.
    pub weak: Option<Finding>,
    /// Where it follows by laws: the games the findings come from, strong and weak.
    pub from: [Option<GameKey>; 2],
    /// Whether Black wins the strong game with as many stones as the shape has cells; none if that is open.
    pub economical: Option<bool>,
    /// Whether pairs alone hold: there is a paving of the empty board. None if Black wins the weak game, or that is open.
    pub paved: Option<bool>,
}

impl BoardFacts {
    /// Whether gluing the edges is known to change the answer of the strong game: another winner, or another least turn.
    fn torus_effect(&self) -> bool {
        let (Some(plain), Some(torus)) = (self.plain.strong, self.torus.strong) else { return false };
        match (plain, torus) {
            (Finding::Unknown, _) | (_, Finding::Unknown) => false,
            (Finding::Win { .. }, Finding::Win { .. }) => match (plain.least_turn(), torus.least_turn()) {
                (Some(plain), Some(torus)) => plain != torus,
                _ => false,
            },
            _ => plain != torus,
        }
    }
}

/// How long to look for a paving of one empty board: it is found at once or not soon.
const PAVING_TIME: Duration = Duration::from_secs(2);

/// The smallest square board Black wins on, every smaller one being settled.
#[derive(Clone, Debug, Serialize)]
pub struct Smallest {
    /// Plain or torus.
    pub topology: Topology,
    /// The rule.
    pub rule: Rule,
    /// The sides of the smallest square board Black wins on.
    pub board: String,
    /// The least turn there.
    pub turn: Option<usize>,
}

/// Everything about one shape.
#[derive(Clone, Debug)]
pub struct ShapeFacts {
    /// Its first name, or its cells.
    pub name: String,
    /// Its cells.
    pub cells: String,
    /// How many cells it has.
    pub size: usize,
    /// Whether it hangs together.
    pub animal: bool,
    /// How many different ways it lies.
    pub orientations: usize,
    /// What is known, board by board.
    pub boards: Vec<BoardFacts>,
    /// The smallest boards Black wins on.
    pub smallest: Vec<Smallest>,
    /// Shapes of the atlas inside this one, and those this one is inside.
    pub inside: Vec<String>,
    /// The shapes of the catalogue around it.
    pub around: Vec<String>,
    /// Boards where the edges being glued changes the answer of the strong game, both sides being settled.
    pub torus_effect: Vec<String>,
    /// Strong games Black wins although no strategy inside a cover does: searched, not certified.
    pub outside_covers: Vec<String>,
    /// What is odd about it.
    pub anomalies: Vec<Anomaly>,
}

/// Something one would not expect. Two games, the odd one first.
#[derive(Clone, Debug)]
pub struct Anomaly {
    /// What is odd.
    pub kind: Oddity,
    /// The games.
    pub games: [GameKey; 2],
    /// What was found of each.
    pub findings: [Finding; 2],
}

/// What is odd.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Oddity {
    /// A shape is harder to complete than a larger one that contains it.
    SubShapeHarder,
    /// Black wins later, or not at all, on a larger board.
    LargerBoardSlower,
    /// The rule makes a difference.
    WeakAndStrongDiffer,
    /// Black wins on the plain board and not, or later, on the torus.
    TorusSlower,
}

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Oddity::SubShapeHarder => "sub-shape harder than super-shape",
            Oddity::LargerBoardSlower => "larger board slower",
            Oddity::WeakAndStrongDiffer => "weak and strong differ",
            Oddity::TorusSlower => "torus slower than plain board",
        })
    }
}

/// How hard a settled game is for Black: the least turn, or never. None where that is open.
fn difficulty(entry: Option<&Entry>) -> Option<usize> {
    match entry?.finding {
        Finding::Win { by, least: true } => Some(by),
        Finding::Hold => Some(usize::MAX),
        Finding::Win { .. } | Finding::Unknown => None,
    }
}

/// The single shapes the atlas knows something about, small ones first. Facts are about these: several shapes together
/// have no orientations and no size.
pub fn shapes(known: &Tablebase) -> Vec<Shape> {
    let mut shapes: Vec<Shape> = known.entries().filter_map(|entry| entry.key.shape().cloned()).collect();
    shapes.dedup();
    shapes
}

/// What is known about a shape.
pub fn of_shape(shape: &Shape, known: &Tablebase) -> ShapeFacts {
    let canonical = shape.canonical();
    let mut boards: Vec<(usize, usize)> = known
        .entries()
        .filter(|entry| entry.key.shape() == Some(&canonical))
        .map(|entry| (entry.key.board().width(), entry.key.board().height()))
        .collect();
    boards.sort_by_key(|&(width, height)| (width * height, width));
    boards.dedup();
    let name = |shape: &Shape| {
        Catalogue::standard().find_shape(shape).map_or_else(|| shape.to_string(), |entry| entry.name.clone())
    };
    let others = shapes(known);
    let related = |related: &dyn Fn(&Shape) -> bool| -> Vec<String> {
        others.iter().filter(|other| **other != canonical && related(other)).map(name).collect()
    };
    let facts: Vec<BoardFacts> = boards.iter().map(|&sides| board_facts(&canonical, sides, known)).collect();
    let torus_effect = facts.iter().filter(|facts| facts.torus_effect()).map(|facts| facts.board.clone()).collect();
    ShapeFacts {
        name: name(&canonical),
        cells: as_catalogued(&canonical).to_string(),
        size: canonical.size(),
        animal: canonical.is_animal(),
        orientations: canonical.orientations().len(),
        smallest: smallest(&canonical, known),
        inside: related(&|other| other.size() < canonical.size() && other.is_inside(&canonical)),
        around: related(&|other| other.size() > canonical.size() && canonical.is_inside(other)),
        torus_effect,
        outside_covers: outside_covers(&canonical, known),
        boards: facts,
        anomalies: anomalies(known)
            .into_iter()
            .filter(|found| found.games.iter().any(|key| key.shape() == Some(&canonical)))
            .collect(),
    }
}

fn board_facts(shape: &Shape, (width, height): (usize, usize), known: &Tablebase) -> BoardFacts {
    let facts = |topology| {
        let Ok(board) = Board::new(width, height, topology) else { return RuleFacts::default() };
        let entry = |rule| known.get(&GameKey::new(shape, board, rule));
        let deduced = |rule| match entry(rule) {
            Some(entry) if entry.finding.is_settled() => None,
            _ => Some(laws::deduce(&GameKey::new(shape, board, rule), known)).filter(|deduced| deduced.is_settled()),
        };
        let deduced = [Rule::Strong, Rule::Weak].map(deduced);
        let finding = |rule, deduced: &Option<Deduced>| match deduced {
            Some(deduced) => Some(deduced.finding),
            None => entry(rule).map(|entry| entry.finding),
        };
        let economical = match entry(Rule::Strong).map(|entry| (entry.finding, entry.refuted_turn)) {
            Some((Finding::Win { by, .. }, refuted)) => match by.div_ceil(2) == shape.size() {
                true => Some(true),
                false => refuted.filter(|&turn| turn.div_ceil(2) >= shape.size()).map(|_| false),
            },
            Some((Finding::Hold, _)) => Some(false),
            Some((Finding::Unknown, _)) | None => None,
        };
        let held = finding(Rule::Weak, &deduced[1]).is_none_or(|finding| finding == Finding::Hold);
        let paved = || {
            let game = Game::new(shape.clone(), board, Rule::Weak);
            let limits = Limits::new(Some(PAVING_TIME), None, Arc::default());
            blocking::paved_after(&game, &Stones::NONE, 0, &limits)
        };
        let paved = if held { paved() } else { None };
        let [strong, weak] = &deduced;
        let (strong, weak) = (finding(Rule::Strong, strong), finding(Rule::Weak, weak));
        let from = deduced.map(|deduced| deduced.and_then(|deduced| deduced.from).map(|(key, _)| key));
        RuleFacts { strong, weak, from, economical, paved }
    };
    BoardFacts { board: format!("{width}x{height}"), plain: facts(Topology::Plain), torus: facts(Topology::Torus) }
}

/// Positions a search of all covers of one game may look at: counted, so that the answer is the same on every machine.
const COVER_NODES: u64 = 50_000;
/// Bytes for the tables of that search.
const COVER_MEMORY: usize = 16 << 20;

/// The strong games of a shape that Black wins, and not inside the cover of a first move: there the search of covers has
/// come to its end and found nothing.
fn outside_covers(shape: &Shape, known: &Tablebase) -> Vec<String> {
    let won = |entry: &&Entry| {
        let key = &entry.key;
        key.shape() == Some(shape) && key.rule() == Rule::Strong && entry.finding.verdict() == Verdict::Win
    };
    let nothing_inside = |key: &GameKey| {
        let limits = Limits::new(None, Some(COVER_NODES), Arc::default());
        let found = search_covers(&key.game(), CoverMode::Static, None, COVER_MEMORY, &limits, &Meter::default());
        found.is_ok_and(|found| found.win.is_none() && !found.halted)
    };
    let games = known.entries().filter(won).map(|entry| &entry.key).filter(|key| nothing_inside(key));
    games.map(|key| key.board().to_string()).collect()
}

/// For each topology and rule the smallest square board Black wins on, if all smaller ones the shape fits on are settled.
fn smallest(shape: &Shape, known: &Tablebase) -> Vec<Smallest> {
    let mut found = Vec::new();
    for topology in [Topology::Plain, Topology::Torus] {
        for rule in [Rule::Strong, Rule::Weak] {
            let boards = (1..=harary_certificate::MAX_SIDE).filter(|&side| shape.fits(side, side));
            let findings = boards.map_while(|side| {
                let board = Board::new(side, side, topology).ok()?;
                known.get(&GameKey::new(shape, board, rule)).filter(|entry| entry.finding.is_settled())
            });
            let first = findings.into_iter().find(|entry| entry.finding != Finding::Hold);
            found.extend(first.map(|entry| Smallest {
                topology,
                rule,
                board: entry.key.board().sides(),
                turn: entry.finding.least_turn(),
            }));
        }
    }
    found
}

/// Everything odd.
pub fn anomalies(known: &Tablebase) -> Vec<Anomaly> {
    let mut found = Vec::new();
    let mut report = |kind, odd: &Entry, usual: &Entry| {
        let entries = [odd, usual];
        found.push(Anomaly {
            kind,
            games: entries.map(|entry| entry.key.clone()),
            findings: entries.map(|entry| entry.finding),
        });
    };
    let entries: Vec<&Entry> = known.entries().filter(|entry| difficulty(Some(entry)).is_some()).collect();
    for entry in &entries {
        let (key, own) = (&entry.key, difficulty(Some(entry)));
        // The rule: Black's strong win is a weak one, so that only the strong game can be harder.
        if key.rule() == Rule::Strong
            && let Some(weak) = known.get(&key.with_rule(Rule::Weak))
            && difficulty(Some(weak)).is_some_and(|weak| own > Some(weak))
        {
            report(Oddity::WeakAndStrongDiffer, entry, weak);
        }
        if key.board().is_torus()
            && let Some(plain) = known.get(&key.with_topology(Topology::Plain))
            && difficulty(Some(plain)).is_some_and(|plain| own > Some(plain))
        {
            report(Oddity::TorusSlower, entry, plain);
        }
        for other in &entries {
            let (theirs, board) = (difficulty(Some(other)), other.key.board());
            if own <= theirs || key.rule() != other.key.rule() || board.topology() != key.board().topology() {
                continue;
            }
            // The next smaller square board only: the others follow.
            if key.shapes() == other.key.shapes()
                && key.board().is_square()
                && board.is_square()
                && board.width() + 1 == key.board().width()
            {
                report(Oddity::LargerBoardSlower, entry, other);
            }
            // Shapes that differ by one cell only, for the same reason.
            if key.board() == board
                && let (Some(inner), Some(outer)) = (key.shape(), other.key.shape())
                && inner.size() + 1 == outer.size()
                && inner.is_inside(outer)
            {
                report(Oddity::SubShapeHarder, entry, other);
            }
        }
    }
    found.sort_by_key(|anomaly| anomaly.kind);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(name: &str) -> ShapeFacts {
        of_shape(&Catalogue::standard().find(name).unwrap().shape, Tablebase::shipped())
    }

    /// The open question of the thesis: is there a win that no cover shows?
    #[test]
    fn there_are_wins_that_no_cover_shows() {
        let skinny = Shape::from_rows("XXXX").unwrap().canonical();
        let found = outside_covers(&skinny, Tablebase::shipped());
        for board in ["7x7 plain", "5x5 torus"] {
            assert!(found.iter().any(|other| other == board), "{board}: {found:?}");
        }
        // And there are shapes whose every win is inside one.
        let el = Shape::from_rows("XX/X.").unwrap().canonical();
        assert_eq!(outside_covers(&el, Tablebase::shipped()), [""; 0]);
    }

    #[test]
    fn tippy_is_known_all_over() {
        let tippy = facts("tippy");
        assert_eq!((tippy.size, tippy.animal, tippy.orientations), (4, true, 4));
        let small = tippy.boards.iter().find(|facts| facts.board == "3x3").unwrap();
        let turn = |finding: Option<Finding>| finding.unwrap().least_turn();
        assert_eq!((turn(small.plain.strong), turn(small.torus.strong)), (Some(9), Some(7)));
        assert_eq!((small.plain.economical, small.torus.economical), (Some(false), Some(true)));
        assert_eq!((small.plain.paved, small.torus.paved), (None, None));
        assert!(tippy.torus_effect.contains(&"3x3".to_owned()));
        assert!(tippy.inside.contains(&"el".to_owned()) && tippy.around.contains(&"W5".to_owned()));
        let smallest = &tippy.smallest[0];
        assert_eq!((smallest.board.as_str(), smallest.turn, smallest.rule), ("3x3", Some(9), Rule::Strong));
    }

    #[test]
    fn a_torus_effect_needs_both_sides() {
        let effect = |plain, torus| {
            let facts = |strong| RuleFacts { strong, ..RuleFacts::default() };
            BoardFacts { board: String::new(), plain: facts(plain), torus: facts(torus) }.torus_effect()
        };
        let (win, late) = (Finding::Win { by: 7, least: true }, Finding::Win { by: 9, least: true });
        let by = Finding::Win { by: 9, least: false };
        for (plain, torus, expected) in [
            (Some(win), Some(late), true),
            (Some(win), Some(Finding::Hold), true),
            (Some(by), Some(Finding::Hold), true),
            (Some(win), Some(by), false),
            (Some(win), Some(Finding::Unknown), false),
            (Some(Finding::Unknown), Some(Finding::Hold), false),
            (Some(Finding::Hold), Some(Finding::Hold), false),
            (Some(win), None, false),
        ] {
            assert_eq!(effect(plain, torus), expected, "{plain:?} {torus:?}");
        }
        // No shape of the shipped atlas claims one where a side is open.
        for shape in shapes(Tablebase::shipped()) {
            let facts = of_shape(&shape, Tablebase::shipped());
            for board in facts.boards.iter().filter(|board| facts.torus_effect.contains(&board.board)) {
                let settled = |finding: Option<Finding>| finding.is_some_and(|finding| finding.is_settled());
                assert!(settled(board.plain.strong) && settled(board.torus.strong), "{} {}", facts.name, board.board);
            }
        }
    }

    #[test]
    fn fatty_is_paved_at_once() {
        let fatty = facts("fatty");
        let board = fatty.boards.iter().find(|facts| facts.board == "4x4").unwrap();
        assert_eq!((board.plain.strong, board.plain.paved), (Some(Finding::Hold), Some(true)));
        assert!(fatty.smallest.is_empty());
    }

    #[test]
    fn what_is_odd_is_odd() {
        let known = Tablebase::shipped();
        let all = anomalies(known);
        assert!(!all.is_empty());
        for anomaly in all {
            let [odd, usual] = &anomaly.games;
            let hard = |key: &GameKey| difficulty(known.get(key)).unwrap();
            assert!(hard(odd) > hard(usual), "{anomaly:?}");
            match anomaly.kind {
                Oddity::SubShapeHarder => {
                    assert!(odd.shapes().are_inside(usual.shapes()) && odd.board() == usual.board())
                }
                Oddity::LargerBoardSlower => assert!(odd.board().size() > usual.board().size()),
                Oddity::WeakAndStrongDiffer => assert_eq!((odd.rule(), usual.rule()), (Rule::Strong, Rule::Weak)),
                Oddity::TorusSlower => assert!(odd.board().is_torus() && !usual.board().is_torus()),
            }
        }
    }
}
