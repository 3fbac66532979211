//! What follows from what is known by the [laws](super::law), and whether all that is known agrees.
//!
//! From a win by some turn in the harder game follows a win by that turn in the easier one; from a hold in the easier one
//! follows a hold in the harder one; and a turn Black cannot win by in the easier game he cannot win by in the harder one.

use super::entry::{Entry, Finding};
use super::key::GameKey;
use super::law::{Law, between, board_law};
use super::shapes::Shapes;
use super::tablebase::Tablebase;
use harary_certificate::Rule;
use std::collections::BTreeMap;

/// What follows for a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Deduced {
    /// The game.
    pub key: GameKey,
    /// What follows of it.
    pub finding: Finding,
    /// The game the finding comes from, and the laws on the way.
    pub from: Option<(GameKey, Vec<Law>)>,
    /// No win by this turn, and the game that comes from.
    pub refuted: Option<(usize, GameKey)>,
}

/// What follows for a game from others in the atlas, without the game itself.
pub fn deduce(key: &GameKey, known: &Tablebase) -> Deduced {
    let mut finding = Finding::Unknown;
    let mut from: Option<(&Entry, Vec<Law>)> = None;
    let mut refuted: Option<(usize, GameKey)> = None;
    for entry in known.entries().filter(|entry| entry.key != *key) {
        if let Finding::Win { by, .. } = entry.finding
            && let Some(laws) = between(&entry.key, key)
        {
            // The earliest turn, then the shortest way, then what is quickest to do again.
            let rank = |by: usize, entry: &Entry, laws: &[Law]| (by, laws.len(), entry.time);
            let better = match (finding, &from) {
                (Finding::Win { by: best, .. }, Some((lender, way))) => {
                    rank(by, entry, &laws) < rank(best, lender, way)
                }
                _ => true,
            };
            if better {
                finding = Finding::Win { by, least: false };
                from = Some((entry, laws));
            }
        }
        let held = entry.finding == Finding::Hold;
        if (held || entry.refuted_turn.is_some())
            && let Some(laws) = between(key, &entry.key)
        {
            let last = key.last_turn();
            let turn = if held { last } else { entry.refuted_turn.unwrap_or(0).min(last) };
            if refuted.as_ref().is_none_or(|(best, _)| turn > *best) {
                refuted = Some((turn, entry.key.clone()));
            }
            let shorter = |from: &Option<(&Entry, Vec<Law>)>| {
                from.as_ref().is_none_or(|(lender, way)| (laws.len(), entry.time) < (way.len(), lender.time))
            };
            if held && (finding != Finding::Hold || shorter(&from)) {
                (finding, from) = (Finding::Hold, Some((entry, laws)));
            }
        }
    }
    if let (Finding::Win { by, .. }, Some((turn, _))) = (finding, &refuted) {
        finding = Finding::Win { by, least: turn + 2 == by };
    }
    let from = from.map(|(entry, laws)| (entry.key.clone(), laws));
    Deduced { key: key.clone(), finding, from, refuted }
}

impl Deduced {
    /// Whether it follows who wins.
    pub fn is_settled(&self) -> bool {
        self.finding.is_settled()
    }

    /// Whether nothing is left to ask: White holds, or Black's least turn is known.
    pub fn is_complete(&self) -> bool {
        self.finding == Finding::Hold || self.finding.least_turn().is_some()
    }

    /// Whether the certificate of the other game is carried over: between single shapes. To and from several some are, on the
    /// same board.
    pub fn is_carried(&self) -> bool {
        let single = |key: &GameKey| key.shape().is_some();
        single(&self.key) && self.from.as_ref().is_some_and(|(from, _)| single(from))
    }

    /// Where the finding comes from, in words.
    pub fn reason(&self) -> Option<String> {
        let (from, laws) = self.from.as_ref()?;
        let laws: Vec<String> = laws.iter().map(ToString::to_string).collect();
        Some(format!("from {from} ({})", laws.join("; ")))
    }
}

/// Two entries of which one must be wrong.
#[derive(Clone, PartialEq, Debug)]
pub struct Contradiction {
    /// Black wins here, by this turn.
    pub harder: (GameKey, usize),
    /// And here, where he does at least as well, he is said not to.
    pub easier: (GameKey, Finding),
    /// What is said to be refuted there.
    pub refuted_turn: Option<usize>,
    /// The law between them.
    pub law: Law,
}

/// What testing all laws on all entries gave.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// How often each law says something about two games of which both are known.
    pub instances: BTreeMap<Law, usize>,
    /// Where it is wrong.
    pub contradictions: Vec<Contradiction>,
}

/// Tests every instance of every law: every pair of entries one step apart.
pub fn test(known: &Tablebase) -> Trial {
    let mut trial = Trial { instances: Law::ALL.map(|law| (law, 0)).into(), contradictions: Vec::new() };
    let mut inside = Inside::default();
    for harder in known.entries() {
        for easier in known.entries() {
            let Some(law) = one_step(&harder.key, &easier.key, &mut inside) else { continue };
            let refuted = match easier.finding {
                Finding::Hold => Some(usize::MAX),
                _ => easier.refuted_turn,
            };
            // It says something where Black wins the harder game, or does not win the easier one.
            let speaks = match harder.finding {
                Finding::Win { .. } => easier.finding.is_settled() || refuted.is_some(),
                Finding::Hold => easier.finding == Finding::Hold,
                Finding::Unknown => false,
            };
            *trial.instances.entry(law).or_default() += usize::from(speaks);
            if let Finding::Win { by, .. } = harder.finding
                && refuted.is_some_and(|turn| turn >= by)
            {
                trial.contradictions.push(Contradiction {
                    harder: (harder.key.clone(), by),
                    easier: (easier.key.clone(), easier.finding),
                    refuted_turn: easier.refuted_turn,
                    law,
                });
            }
        }
    }
    trial
}

/// The law from one game to another that differ in one thing only.
fn one_step(harder: &GameKey, easier: &GameKey, inside: &mut Inside) -> Option<Law> {
    let (shape, board) = (harder.shapes() == easier.shapes(), harder.board() == easier.board());
    match (harder.rule(), easier.rule()) {
        (Rule::Strong, Rule::Weak) if shape && board => Some(Law::WeakRule),
        (Rule::Weak, Rule::Weak) if shape && !board => board_law(harder.board(), easier.board())?,
        (Rule::Weak, Rule::Weak) if board && !shape => {
            inside.are(easier.shapes(), harder.shapes()).then_some(Law::InnerShape)
        }
        _ => None,
    }
}

/// Which shapes are inside which, each pair looked at once.
#[derive(Default)]
struct Inside(BTreeMap<(Shapes, Shapes), bool>);

impl Inside {
    fn are(&mut self, inner: &Shapes, outer: &Shapes) -> bool {
        *self.0.entry((inner.clone(), outer.clone())).or_insert_with(|| inner.are_inside(outer))
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::{key, targets, win};
    use super::*;
    use harary_certificate::Topology::{Plain, Torus};

    #[test]
    fn the_shipped_atlas_obeys_every_law() {
        let trial = test(Tablebase::shipped());
        assert_eq!(trial.contradictions, []);
        assert!(trial.instances.values().all(|&instances| instances > 100), "{:?}", trial.instances);
    }

    #[test]
    fn a_contradiction_is_found() {
        let small = Entry { key: key("XX/X.", "3x3", Plain, Rule::Weak), ..win() };
        let held = |key: GameKey| Entry { key, finding: Finding::Hold, first_move: None, ..win() };
        for (other, law) in [
            (key("XX/X.", "4x4", Plain, Rule::Weak), Law::LargerBoard),
            (key("XX/X.", "3x3", Torus, Rule::Weak), Law::Torus),
            (key("XX", "3x3", Plain, Rule::Weak), Law::InnerShape),
        ] {
            let trial = test(&[small.clone(), held(other)].into_iter().collect());
            let laws: Vec<Law> = trial.contradictions.iter().map(|found| found.law).collect();
            assert_eq!(laws, [law]);
        }
        // A shape more, and yet a hold.
        let both = held(targets("tic+el", "3x3", Plain, Rule::Weak));
        let trial = test(&[small.clone(), both].into_iter().collect());
        assert_eq!(trial.contradictions.len(), 1);
        assert_eq!(trial.contradictions[0].law, Law::InnerShape);
        let strong = Entry { key: small.key.with_rule(Rule::Strong), ..win() };
        let later = Entry { finding: Finding::Win { by: 7, least: true }, refuted_turn: Some(5), ..small.clone() };
        assert_eq!(test(&[strong, later].into_iter().collect()).contradictions.len(), 1);
    }

    #[test]
    fn what_follows_for_several_shapes_follows_from_one_and_the_other_way() {
        let el = Entry { key: key("XX/X.", "3x3", Plain, Rule::Weak), ..win() };
        let known: Tablebase = [el].into_iter().collect();
        let more = deduce(&targets("tic+el", "4x4", Torus, Rule::Weak), &known);
        assert_eq!((more.finding, more.is_carried()), (Finding::Win { by: 5, least: false }, false));
        assert!(more.reason().unwrap().starts_with("from el 3x3 plain weak ("), "{:?}", more.reason());
        assert!(!deduce(&targets("tic+el", "4x4", Torus, Rule::Strong), &known).is_settled());
        let fatty =
            Entry { key: key("XX/XX", "5x5", Plain, Rule::Weak), finding: Finding::Hold, first_move: None, ..win() };
        let known: Tablebase = [fatty].into_iter().collect();
        for (target, held) in [("P5+XX.X/XX..", true), ("P5+skinny", false)] {
            let found = deduce(&targets(target, "5x5", Plain, Rule::Weak), &known).finding;
            assert_eq!(found == Finding::Hold, held, "{target}");
        }
    }

    /// What follows must be what was found: every settled game that follows from others is deduced without itself.
    #[test]
    fn what_follows_is_what_was_found() {
        let known = Tablebase::shipped();
        let mut followed = 0;
        for entry in known.entries().filter(|entry| entry.finding.is_settled()) {
            let Deduced { finding, refuted, .. } = deduce(&entry.key, known);
            match (finding, entry.finding) {
                (Finding::Unknown, _) => continue,
                (Finding::Win { by, .. }, Finding::Win { by: found, least }) => assert!(!least || found <= by),
                (deduced, found) => assert_eq!(deduced, found, "{}", entry.key),
            }
            if let (Some((turn, _)), Finding::Win { by, .. }) = (refuted, entry.finding) {
                assert!(turn < by, "{}", entry.key);
            }
            followed += 1;
        }
        assert!(followed > 300, "{followed}");
    }
}
