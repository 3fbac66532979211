//! A weak hold on a smaller plain board: the blocks of a larger one, or of a torus, cut down to it.
//!
//! White plays as on the larger board. Where her answer lies outside the smaller one, or where a stone of hers lies
//! already, she puts a stone somewhere else on it, and is all the better off
//! ([lemma 1](../../../docs/game.md#lemma-1-extra-stone)). So a node of the smaller board is a node of the larger one, how it lies, and
//! the extra stones that matter to it.

use super::carried::{Carried, NotCarried};
use crate::game::Game;
use ahash::AHashMap;
use harary_certificate::model::{Answer, Kind, Pair, Permutation, Root};
use harary_certificate::playbook::Playbook;
use harary_certificate::{Board, Cell, CertificateWriter, Claim, Symmetry, WideSet, rules};

/// More nodes than this are not written: the certificate is searched for instead.
const MOST_NODES: usize = 1 << 20;

/// An accepted certificate has no more symmetries than this.
const MOST_SYMMETRIES: usize = 1 << 16;

/// The certificate of the game on the board of `to`, which lies in the lower left corner of `board`.
pub fn on_smaller_board(playbook: &Playbook, board: &Board, small: &Board, to: &Game) -> Result<Carried, NotCarried> {
    let Some(Root::Node(root)) = playbook.proof().root() else {
        return Err(NotCarried::Form("a hold position by position does not move to smaller boards"));
    };
    let (shape, _) = to.shape_on_board().ok_or(NotCarried::Form("only shapes on boards have laws"))?;
    let place = |cell: Cell| {
        let (x, y) = board.xy(cell);
        (x < small.width() && y < small.height()).then(|| small.cell(x, y))
    };
    let mut cutter = Cutter {
        playbook,
        symmetries: orbits(playbook, board),
        place: board.cells().map(place).collect(),
        sets: rules::winning_sets(shape, small),
        nodes: Vec::new(),
        known: AHashMap::new(),
    };
    let identity: Permutation = board.cells().collect();
    let root = cutter.node(root, &identity, WideSet::EMPTY)?;
    let claim = Claim::Hold(None);
    let mut text = Vec::new();
    let mut writer = CertificateWriter::new(&mut text, &to.header(claim, false, None))?;
    for (id, (own, open, kind)) in (0..).zip(&cutter.nodes) {
        writer.node(id, own, open, kind)?;
    }
    writer.root(root)?;
    Ok(Carried { claim, text, first_move: None })
}

/// The symmetries up to which the nodes of the larger board answer: its own, or those its certificate names.
fn orbits(playbook: &Playbook, board: &Board) -> Vec<Permutation> {
    match &playbook.header().symmetry {
        Symmetry::Generators(list) => rules::generated(list, board.size(), MOST_SYMMETRIES).unwrap_or_default(),
        Symmetry::None | Symmetry::Board => rules::board_symmetries(board),
    }
}

struct Cutter<'a> {
    playbook: &'a Playbook,
    /// Of the larger board.
    symmetries: Vec<Permutation>,
    /// Where a cell of the larger board is on the smaller one.
    place: Vec<Option<Cell>>,
    /// Black's winning sets on the smaller board.
    sets: Vec<WideSet>,
    /// Nodes of the smaller board, children first.
    nodes: Vec<(WideSet, WideSet, Kind)>,
    known: AHashMap<(WideSet, WideSet, u32), u32>,
}

impl Cutter<'_> {
    /// The node of the smaller board for a node of the larger one that lies as `lies` says, with extra stones of White's.
    fn node(&mut self, id: u32, lies: &Permutation, extra: WideSet) -> Result<u32, NotCarried> {
        let node = &self.playbook.proof().nodes()[&id];
        let own = self.cut(node.own, lies) | extra;
        let open = self.cut(node.open, lies) - extra;
        if let Some(&known) = self.known.get(&(own, open, id)) {
            return Ok(known);
        }
        let free_of_white = |set: &&WideSet| set.is_disjoint(&own);
        let kind = match &node.kind {
            _ if !self.sets.iter().any(|set| free_of_white(&set)) => Kind::Pave(Vec::new()),
            Kind::Pave(pairs) => {
                let cut = |cell: Cell| self.place[lies[cell.index()].index()].filter(|&cell| open.contains(cell));
                let pairs = pairs.iter().filter_map(|&Pair { a, b }| Some(Pair { a: cut(a)?, b: cut(b)? }));
                Kind::Pave(pairs.collect())
            }
            Kind::Reply(answers) => self.replies((node.own, node.open), answers, lies, extra, open)?,
            _ => return Err(NotCarried::Form("strong blocks do not move to smaller boards")),
        };
        if self.nodes.len() >= MOST_NODES {
            return Err(NotCarried::Form("the blocks cut down are too many"));
        }
        self.nodes.push((own, open, kind));
        let number = self.nodes.len() as u32 - 1;
        self.known.insert((own, open, id), number);
        Ok(number)
    }

    /// White's answers to every move of Black's in `open`.
    fn replies(
        &mut self,
        (own, zone): (WideSet, WideSet),
        answers: &[Answer],
        lies: &Permutation,
        extra: WideSet,
        open: WideSet,
    ) -> Result<Kind, NotCarried> {
        let keeps = |g: &&Permutation| {
            let stays = |set: WideSet| set.iter().all(|cell| set.contains(g[cell.index()]));
            stays(own) && stays(zone)
        };
        let fixing: Vec<Permutation> = self.symmetries.iter().filter(keeps).cloned().collect();
        let mut cut = Vec::new();
        for to in open {
            // The answer whose move some symmetry brings here, and how the node's cells lie then.
            let found = answers.iter().find_map(|answer| {
                let lands = |g: &&Permutation| self.place[lies[g[answer.to.index()].index()].index()] == Some(to);
                fixing.iter().find(lands).map(|g| (answer, g))
            });
            let Some((&Answer { reply, child: Some(child), .. }, symmetry)) = found else {
                return Err(NotCarried::Form("a move has no answer"));
            };
            let lies: Permutation = symmetry.iter().map(|image| lies[image.index()]).collect();
            let contested = self.cut(self.playbook.proof().nodes()[&child].open, &lies);
            let proper = self.place[lies[reply.index()].index()].filter(|&cell| cell != to && open.contains(cell));
            // Elsewhere: best where the child does not look.
            let spare = || (open.without(to) - contested).first().or(open.without(to).first());
            let Some(reply) = proper.or_else(spare) else { return Err(NotCarried::Form("White has no move left")) };
            let extra = (if proper.is_none() { extra.with(reply) } else { extra }) & contested;
            cut.push(Answer { to, reply, child: Some(self.node(child, &lies, extra)?) });
        }
        Ok(Kind::Reply(cut))
    }

    /// The part of a set on the smaller board.
    fn cut(&self, set: WideSet, lies: &Permutation) -> WideSet {
        set.iter().filter_map(|cell| self.place[lies[cell.index()].index()]).collect()
    }
}
