//! One certificate of the whole game out of those of its positions.
//!
//! The tree says which move leads to which proved position; there the certificates of the jobs take over. A hold becomes one
//! set of block nodes: those of the jobs are taken over by the store of the blocking search ([`crate::evidence::lessons`]), which
//! finds them by subsumption and numbers them anew. A win becomes one list of positions. Where neither the tree nor a job
//! has a line, because the engine saw the end without a search, the engine is asked. Then the checker is.

use super::error::FarmError;
use super::folder::Folder;
use super::plan::Plan;
use super::prober::{Asked, Prober, workbench};
use super::result::{Checked, rest_of};
use super::round::{checked_results, graft, read_tree};
use super::sealed::Damage;
use super::tree::{State, Tree, to_move};
use crate::effort::{Halt, Limits};
use crate::engines::engine::Engine;
use crate::evidence::Evidence;
use crate::evidence::lessons::Lesson;
use crate::evidence::opened::strongly;
use crate::evidence::strategy::{ProofError, prove};
use crate::game::with_width;
use crate::settle::certify;
use crate::settle::workbench::Workbench;
use ahash::AHashMap;
use harary_certificate::model::Then;
use harary_certificate::{Cell, Certificate, Claim, Player, Rule, Stones, WIDE};

/// A merged certificate, accepted.
pub struct Merged {
    /// Of the whole game.
    pub certificate: Certificate,
    /// Results it was made of.
    pub results: usize,
    /// Results that were refused, and why. They were not needed.
    pub refused: Vec<(u32, Damage)>,
    /// Nodes that the engine searched where no result had a line.
    pub nodes: u64,
}

/// Puts the results of all rounds together.
pub fn merge(folder: &Folder, memory: usize, limits: &Limits) -> Result<Merged, FarmError> {
    let (_lock, plan) = folder.lock_farm()?;
    with_width!(plan.game.vertices(), N => merge_in::<N>(folder, &plan, memory, limits))
}

fn merge_in<const N: usize>(folder: &Folder, plan: &Plan, memory: usize, limits: &Limits) -> Result<Merged, FarmError> {
    let bench = workbench::<N>(&plan.game, memory, 1);
    let mut tree = read_tree(folder, plan)?;
    let (leaves, mut found, mut refused) = (tree.jobs(), Vec::new(), Vec::new());
    for number in 1..=plan.round {
        for (job, checked) in checked_results(folder, plan, &folder.read_round(plan, number)?)? {
            match checked {
                Ok(checked) => {
                    graft(&mut tree, &leaves, &checked.result, checked.state);
                    found.push(checked);
                }
                Err(damage) => refused.push((job, damage)),
            }
        }
    }
    let results = found.iter().filter(|checked| checked.playbook.is_some()).count();
    let mut book = Book { lines: lines_of(&found, &tree), tree: &tree, prober: Prober::new(&bench, limits) };
    let evidence = match tree.root() {
        State::Open(_) => return Err(FarmError::Undecided(tree.open_leaves())),
        State::Won => {
            let claim = Claim::Win(plan.game.schedule().len());
            Box::new(prove(&plan.game, &bench.arena, &mut Asked(&mut book), claim, limits)?) as Box<dyn Evidence>
        }
        State::Held(_) => held(&bench, plan, &found, &mut book, limits)?,
    };
    let nodes = book.prober.nodes();
    Ok(Merged { certificate: certify(&plan.game, evidence)?, results, refused, nodes })
}

/// The hold of the whole game by the blocks of the jobs and those that follow above them.
fn held<const N: usize>(
    bench: &Workbench<N>,
    plan: &Plan,
    found: &[Checked],
    book: &mut Book<N>,
    limits: &Limits,
) -> Result<Box<dyn Evidence>, FarmError> {
    let lessons = |checked: &Checked| {
        let playbook = checked.playbook.as_ref()?;
        let rest = rest_of(&plan.game, &checked.result.stones, checked.result.reply).ok()?;
        Some(Lesson::<N>::of(playbook, &rest.symmetries()))
    };
    let lessons: Vec<Lesson<N>> = found.iter().filter_map(lessons).flatten().collect();
    let evidence = match plan.game.rule() {
        Rule::Weak => {
            let mut blocker = bench.blocker();
            blocker.learn(&lessons).map_err(ProofError::from)?;
            blocker.block_by(&mut Asked(book), limits)
        }
        Rule::Strong => {
            let mut blocks = bench.strong_blocks(limits);
            blocks.learn(&lessons).map_err(ProofError::from)?;
            strongly(&plan.game, &mut blocks, &mut Asked(book))
        }
    };
    Ok(evidence.map_err(ProofError::from)?)
}

/// Black's moves in the won positions of all jobs, in the form in which the tree stores positions.
fn lines_of(found: &[Checked], tree: &Tree) -> AHashMap<Stones<WIDE>, Cell> {
    let mut lines = AHashMap::new();
    for checked in found.iter().filter(|checked| checked.state == State::Won) {
        let steps = checked.playbook.iter().flat_map(|playbook| playbook.proof().steps());
        for (at, then) in steps {
            if let Then::Play(cell) = then {
                let (stones, symmetry) = tree.canon().canonical(&at.stones);
                lines.entry(stones).or_insert_with(|| tree.canon().symmetry(symmetry).cell(cell));
            }
        }
    }
    lines
}

/// Everything that is known, as an engine: the jobs' lines, the tree, and the search for what both leave out.
struct Book<'a, const N: usize> {
    lines: AHashMap<Stones<WIDE>, Cell>,
    tree: &'a Tree,
    prober: Prober<'a, N>,
}

impl<const N: usize> Book<'_, N> {
    /// The move of the tree in a position that is decided for the player to move.
    fn of_tree(&self, stones: &Stones<WIDE>) -> Option<Cell> {
        let (node, symmetry) = self.tree.find(stones)?;
        let back = self.tree.canon().inverse(symmetry);
        let player = to_move(stones);
        let good = |state: State| match state {
            State::Won => player == Player::Black,
            State::Held(_) => player == Player::White,
            State::Open(_) => false,
        };
        if !good(node.state) {
            return None;
        }
        let edge = node.edges.iter().find(|edge| good(self.tree.nodes()[edge.child as usize].state));
        node.reply.or(edge.map(|edge| edge.cell)).map(|cell| back.cell(cell))
    }
}

impl<const N: usize> Engine<N> for Book<'_, N> {
    fn winning_move(&mut self, stones: Stones<N>, until: usize) -> Result<Option<Cell>, Halt> {
        let wide = stones.resized();
        let (image, symmetry) = self.tree.canon().canonical(&wide);
        if let Some(cell) = self.lines.get(&image) {
            return Ok(Some(self.tree.canon().inverse(symmetry).cell(*cell)));
        }
        match self.of_tree(&wide) {
            Some(cell) => Ok(Some(cell)),
            None => self.prober.winning_move(stones, until),
        }
    }

    fn holding_move(&mut self, stones: Stones<N>, until: usize) -> Result<Option<Cell>, Halt> {
        match self.of_tree(&stones.resized()) {
            Some(cell) => Ok(Some(cell)),
            None => self.prober.holding_move(stones, until),
        }
    }

    fn knows_hold(&mut self, stones: Stones<N>) -> bool {
        let held = self.tree.find(&stones.resized()).is_some_and(|(node, _)| matches!(node.state, State::Held(_)));
        held || self.prober.knows_hold(stones)
    }

    fn nodes(&self) -> u64 {
        self.prober.nodes()
    }
}
