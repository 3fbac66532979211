//! The proof-number tree at the top of a game.
//!
//! Its positions are those of the game up to symmetry, each once, so it is a graph without circles. A leaf that is open is
//! work for somebody; a leaf is decided by a job's result, or by what the engine sees without a search. Above, numbers are
//! those of [`crate::engines::numbers`]. A hold that is answered inside a zone answers Black's moves outside it as well
//! (lemma 5, and 7 for the strong game): they are no work.

use super::sealed::{Damage, lines};
use crate::engines::canon::Canon;
use crate::engines::numbers::{Choice, Numbers};
use crate::game::Game;
use crate::game::symmetry::SymmetryGroup;
use ahash::AHashMap;
use harary_certificate::{
    Cell,
    Player::{self, Black, White},
    Rule, Stones, WIDE, WideSet,
};
use std::fmt::Write;

/// A job is given back undecided when a number of its position is so many times what it was, or so large where it was small.
/// Without such a limit most nodes go into positions that are no longer the nearest (skinny 7x7 torus, strong: more than
/// 4 million nodes in the first round alone; one search takes 0.5 million).
const STEP: u32 = 4;
const LEAST_LIMIT: u32 = 64;

/// The tree grows by at most so many positions for each job of a round; with fewer jobs than that, as for these.
const GROWTH: usize = 400;
const FEW: usize = 100;

/// How a job ended that is open or decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// It took all it might.
    Spent,
    /// By itself, before that.
    Early,
    /// Nobody needed it any more.
    BrokenOff,
}

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// How far it is.
    Open(Numbers),
    /// Black wins.
    Won,
    /// White holds, whatever Black owns outside these cells.
    Held(WideSet),
}

/// Looks at positions without a search.
pub trait Eye {
    /// What is seen of a position in which nobody has completed a set.
    fn look(&mut self, stones: &Stones<WIDE>) -> State;
}

/// A move, and where it leads: the child is stored as one of its images.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// Where the player to move puts his stone.
    pub cell: Cell,
    /// The position after it.
    pub child: u32,
    /// The symmetry that leads from there to the image that is stored.
    symmetry: u16,
}

/// A position of the tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// In canonical form.
    pub stones: Stones<WIDE>,
    /// What is known.
    pub state: State,
    /// Its moves; none of a leaf.
    pub edges: Vec<Edge>,
    parents: Vec<u32>,
    /// The job that was planned for it last; 0 is none.
    pub job: u32,
    /// Whether that job is done, and has not decided it.
    pub tried: bool,
    /// With White to move and held by a job: her reply.
    pub reply: Option<Cell>,
}

/// A leaf that a job is planned for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// Its place.
    pub leaf: u32,
    /// It is needed only if others come out unlike what is likely: work for whoever has nothing better to do.
    pub spare: bool,
}

/// The tree.
pub struct Tree {
    game: Game,
    group: SymmetryGroup,
    canon: Canon,
    board: WideSet,
    nodes: Vec<Node>,
    places: AHashMap<Stones<WIDE>, u32>,
}

/// Whose turn it is.
pub fn to_move(stones: &Stones<WIDE>) -> Player {
    if stones.len().is_multiple_of(2) { Black } else { White }
}

impl Tree {
    /// The tree of the empty board.
    pub fn new(game: &Game, eye: &mut dyn Eye) -> Tree {
        let mut tree = Tree::bare(game);
        tree.place(Stones::NONE, eye);
        tree
    }

    fn bare(game: &Game) -> Tree {
        let group = game.symmetries();
        Tree {
            canon: Canon::new(&group, game.vertices()),
            group,
            board: WideSet::first_cells(game.vertices()),
            game: game.clone(),
            nodes: Vec::new(),
            places: AHashMap::new(),
        }
    }

    /// All positions; the first is the root.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// What is known of the game.
    pub fn root(&self) -> State {
        self.nodes[0].state
    }

    /// How positions are stored.
    pub fn canon(&self) -> &Canon {
        &self.canon
    }

    /// The position with these stones or an image of it, and the number of the symmetry that leads there.
    pub fn find(&self, stones: &Stones<WIDE>) -> Option<(&Node, usize)> {
        let (image, symmetry) = self.canon.canonical(stones);
        Some((&self.nodes[*self.places.get(&image)? as usize], symmetry))
    }

    /// Which leaf each job was planned for.
    pub fn jobs(&self) -> AHashMap<u32, u32> {
        let planned = self.nodes.iter().enumerate().filter(|(_, node)| node.job > 0);
        planned.map(|(place, node)| (node.job, place as u32)).collect()
    }

    /// Open leaves.
    pub fn open_leaves(&self) -> usize {
        self.nodes.iter().filter(|node| node.edges.is_empty() && matches!(node.state, State::Open(_))).count()
    }

    /// The place of a position in canonical form, looked at if it is new.
    fn place(&mut self, stones: Stones<WIDE>, eye: &mut dyn Eye) -> u32 {
        if let Some(&known) = self.places.get(&stones) {
            return known;
        }
        let state = match stones.len() == self.game.vertices() {
            true => State::Held(WideSet::EMPTY),
            false => eye.look(&stones),
        };
        let node = Node { stones, state, edges: Vec::new(), parents: Vec::new(), job: 0, tried: false, reply: None };
        self.push(node)
    }

    fn push(&mut self, node: Node) -> u32 {
        let place = self.nodes.len() as u32;
        self.places.insert(node.stones, place);
        self.nodes.push(node);
        place
    }

    /// Where a player completes a set at once.
    fn completions(&self, stones: &Stones<WIDE>, player: Player) -> WideSet {
        let sets = if player == Black { self.game.black_sets() } else { self.game.white_sets() };
        let other = stones.of(player.other());
        let missing = sets.iter().filter(|set| set.is_disjoint(&other)).map(|set| *set - stones.of(player));
        missing.filter(|missing| missing.len() == 1).fold(WideSet::EMPTY, |all, one| all | one)
    }

    /// The moves to be tried: one of each kind, or what stops the other one's threat.
    fn candidates(&self, stones: &Stones<WIDE>) -> WideSet {
        let empty = self.board - stones.occupied();
        let threats = self.completions(stones, to_move(stones).other());
        let moves = if threats.is_empty() { empty } else { threats };
        self.group.stabiliser(&[stones.black, stones.white]).representatives(&moves)
    }

    /// Puts the moves of an open leaf into the tree.
    pub fn expand(&mut self, leaf: u32, eye: &mut dyn Eye) {
        let stones = self.nodes[leaf as usize].stones;
        let player = to_move(&stones);
        for cell in self.candidates(&stones) {
            let (image, symmetry) = self.canon.canonical(&stones.with(player, cell));
            let child = self.place(image, eye);
            self.nodes[child as usize].parents.push(leaf);
            self.nodes[leaf as usize].edges.push(Edge { cell, child, symmetry: symmetry as u16 });
        }
        self.update(leaf);
    }

    /// A leaf is decided, or its numbers are others: all above it follows.
    pub fn set(&mut self, leaf: u32, state: State) {
        self.nodes[leaf as usize].state = state;
        for parent in self.nodes[leaf as usize].parents.clone() {
            self.update(parent);
        }
    }

    /// The numbers at which a job for this leaf is given back.
    pub fn limit(&self, leaf: u32) -> Numbers {
        match self.nodes[leaf as usize].state {
            State::Open(numbers) => {
                let Numbers { proof, disproof } = numbers.times(STEP);
                Numbers { proof: proof.max(LEAST_LIMIT), disproof: disproof.max(LEAST_LIMIT) }
            }
            State::Won | State::Held(_) => Numbers::NO_LIMIT,
        }
    }

    /// What a job said of its position, and how it ended. It will be split if that took all it might, or if it came to an end
    /// by itself and is no further.
    pub fn graft(&mut self, leaf: u32, state: State, reply: Option<Cell>, end: End) {
        let node = &mut self.nodes[leaf as usize];
        let further = match (node.state, state) {
            (State::Open(before), State::Open(now)) => now.reach(before.times(2)),
            _ => true,
        };
        node.reply = reply;
        node.tried = end == End::Spent || end == End::Early && !further;
        // What its children say counts for more than what it says itself.
        if node.edges.is_empty() || !matches!(state, State::Open(_)) {
            self.set(leaf, state);
        }
    }

    /// A job was planned for this leaf, or is to be done again.
    pub fn assign(&mut self, leaf: u32, job: u32) {
        let node = &mut self.nodes[leaf as usize];
        (node.job, node.tried) = (job, false);
    }

    fn update(&mut self, place: u32) {
        let mut waiting = vec![place];
        while let Some(place) = waiting.pop() {
            let state = self.above(place, &[]);
            let node = &mut self.nodes[place as usize];
            if node.state != state && matches!(node.state, State::Open(_)) {
                node.state = state;
                waiting.extend(&node.parents);
            }
        }
    }

    fn state(&self, place: u32, others: &[State]) -> State {
        others.get(place as usize).copied().unwrap_or(self.nodes[place as usize].state)
    }

    /// What the moves of a position say of it, by these states or else by the tree's own.
    fn above(&self, place: u32, others: &[State]) -> State {
        let node = &self.nodes[place as usize];
        let player = to_move(&node.stones);
        let (held, open) = self.sorted(place, others);
        let decisive = node.edges.iter().map(|edge| self.state(edge.child, others));
        match player {
            Black if decisive.clone().any(|state| state == State::Won) => State::Won,
            Black if open.is_empty() => State::Held(self.zone_of(&node.stones, held)),
            White if held.is_some() => State::Held(held.unwrap_or(WideSet::EMPTY)),
            White if open.is_empty() => State::Won,
            _ => State::Open(Choice::among(player, open.iter().map(|&(_, numbers)| (numbers, false))).numbers),
        }
    }

    /// The zone of a hold with Black to move. Where a threat or a symmetry left moves out it is all that is empty.
    fn zone_of(&self, stones: &Stones<WIDE>, held: Option<WideSet>) -> WideSet {
        let empty = self.board - stones.occupied();
        let forced = self.game.rule() == Rule::Strong && !self.completions(stones, White).is_empty();
        match held {
            Some(zone) if !forced && self.group.stabiliser(&[stones.black, stones.white]).len() == 1 => zone,
            _ => empty,
        }
    }

    /// The zone of the holds among the moves (with White to move the least), and the moves that are open work.
    fn sorted(&self, place: u32, others: &[State]) -> (Option<WideSet>, Vec<(Edge, Numbers)>) {
        let node = &self.nodes[place as usize];
        let player = to_move(&node.stones);
        let (mut held, mut left, mut open): (Option<WideSet>, _, _) = (None, self.board, Vec::new());
        for edge in &node.edges {
            match self.state(edge.child, others) {
                State::Held(zone) => {
                    let zone = self.canon.inverse(edge.symmetry.into()).set(&zone);
                    let zone = if player == White { zone.with(edge.cell) } else { zone };
                    left &= zone;
                    held = Some(match (player, held) {
                        (Black, Some(before)) => before | zone,
                        (White, Some(before)) if before.len() <= zone.len() => before,
                        _ => zone,
                    });
                }
                State::Open(numbers) => open.push((*edge, numbers)),
                State::Won => {}
            }
        }
        if player == Black {
            open.retain(|(edge, _)| left.contains(edge.cell));
        }
        (held, open)
    }

    /// The most proving leaf under these states, and the way to it.
    fn most_proving(&self, states: &[State]) -> Option<u32> {
        let mut place = 0;
        while let State::Open(_) = self.state(place, states) {
            if self.nodes[place as usize].edges.is_empty() {
                return Some(place);
            }
            let player = to_move(&self.nodes[place as usize].stones);
            let (_, open) = self.sorted(place, states);
            place = open.iter().min_by_key(|(_, numbers)| numbers.own(player))?.0.child;
        }
        None
    }

    /// Up to so many leaves for jobs, the most proving first. As each is taken it counts as decided for whoever is likely to
    /// win, so that the next is one that is needed as well. When that decides the game, the rest are those that would be
    /// needed if the jobs taken came out the other way. They are spare: done while others are at the first ones and no longer,
    /// which costs less than splitting those (snaky 8x8, weak: 0.2 million nodes against more than 9). So are all but the
    /// first `certain`: the farther down the list, the more guesses a leaf rests on. Leaves that a job has tried are split.
    pub fn wanted(&mut self, most: usize, certain: usize, eye: &mut dyn Eye) -> Vec<Wanted> {
        let mut taken: Vec<Wanted> = Vec::new();
        let State::Open(Numbers { proof, disproof }) = self.root() else { return taken };
        let likely = proof < disproof;
        for spare in [false, true] {
            let assumed = if likely != spare { State::Won } else { State::Held(self.board) };
            let mut states: Vec<State> = self.nodes.iter().map(|node| node.state).collect();
            for wanted in &taken {
                self.assume(wanted.leaf, assumed, &mut states);
            }
            while taken.len() < most
                && let Some(leaf) = self.most_proving(&states)
            {
                if self.nodes[leaf as usize].tried {
                    self.expand(leaf, eye);
                    states.extend(self.nodes[states.len()..].iter().map(|node| node.state));
                    self.assume(leaf, self.nodes[leaf as usize].state, &mut states);
                    continue;
                }
                taken.push(Wanted { leaf, spare: spare || taken.len() >= certain });
                self.assume(leaf, assumed, &mut states);
            }
        }
        taken
    }

    /// Sets a state among these, and what follows above it.
    fn assume(&self, leaf: u32, state: State, states: &mut [State]) {
        states[leaf as usize] = state;
        let mut waiting = self.nodes[leaf as usize].parents.clone();
        while let Some(place) = waiting.pop() {
            let state = self.above(place, states);
            if states[place as usize] != state {
                states[place as usize] = state;
                waiting.extend(&self.nodes[place as usize].parents);
            }
        }
    }

    /// Plans a round: at most `jobs` leaves, the tree being grown until `certain` of them are needed or it is large enough. For
    /// spare ones nothing is split.
    pub fn plan(&mut self, jobs: usize, certain: usize, eye: &mut dyn Eye) -> Vec<Wanted> {
        let most = self.nodes.len() + GROWTH * jobs.max(FEW);
        loop {
            let leaves = self.wanted(jobs, certain, eye);
            if leaves.is_empty() || leaves.len() >= certain.min(jobs) || self.nodes.len() > most {
                return leaves;
            }
            // The hardest are split.
            let hardness = |wanted: &Wanted| match self.nodes[wanted.leaf as usize].state {
                State::Open(Numbers { proof, disproof }) => proof.min(disproof),
                _ => 0,
            };
            let mut hardest = leaves;
            hardest.sort_by_key(|wanted| std::cmp::Reverse(hardness(wanted)));
            hardest.truncate(hardest.len().div_ceil(4));
            hardest.into_iter().for_each(|wanted| self.expand(wanted.leaf, eye));
        }
    }

    /// The leaves that still matter: reached from the root through positions that are open.
    pub fn needed(&self) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        let mut waiting = vec![0u32];
        while let Some(place) = waiting.pop() {
            if needed[place as usize] || !matches!(self.nodes[place as usize].state, State::Open(_)) {
                continue;
            }
            needed[place as usize] = true;
            waiting.extend(self.sorted(place, &[]).1.iter().map(|(edge, _)| edge.child));
        }
        needed
    }

    /// A number for each position: those that come from the same moves lie near one another.
    pub fn order(&self) -> Vec<u32> {
        let mut order = vec![u32::MAX; self.nodes.len()];
        let (mut next, mut waiting) = (0, vec![0u32]);
        while let Some(place) = waiting.pop() {
            if order[place as usize] == u32::MAX {
                order[place as usize] = next;
                next += 1;
                waiting.extend(self.nodes[place as usize].edges.iter().rev().map(|edge| edge.child));
            }
        }
        order
    }

    /// Its text.
    pub fn body(&self) -> String {
        let mut text = String::new();
        for node in &self.nodes {
            let Stones { black, white } = node.stones;
            let _ = write!(text, "{black} {white} ");
            let _ = match node.state {
                State::Open(Numbers { proof, disproof }) => write!(text, "open {proof} {disproof}"),
                State::Won => write!(text, "won"),
                State::Held(zone) => write!(text, "held {zone}"),
            };
            let _ = write!(text, " {} {}", node.job, u8::from(node.tried));
            let _ = match node.reply {
                Some(reply) => write!(text, " {}", reply.index()),
                None => write!(text, " -"),
            };
            for edge in &node.edges {
                let _ = write!(text, " {}:{}:{}", edge.cell.index(), edge.child, edge.symmetry);
            }
            text.push('\n');
        }
        text
    }

    /// Reads its text.
    pub fn read(body: &str, game: &Game) -> Result<Tree, Damage> {
        let mut tree = Tree::bare(game);
        let (cells, symmetries) = (game.vertices(), tree.group.len());
        for mut words in lines(body) {
            let line = words.line;
            let (black, white): (WideSet, WideSet) = (words.set("Black's stones")?, words.set("White's stones")?);
            let stones = Stones { black, white };
            if !black.is_disjoint(&white) || !(black | white).is_subset(&tree.board) {
                return Err(Damage::at(line, "the stones are no position of the game"));
            }
            let state = match words.word("state")? {
                "won" => State::Won,
                "held" => State::Held(words.set::<WIDE>("zone")? & tree.board),
                "open" => {
                    let numbers =
                        Numbers { proof: words.read("proof number")?, disproof: words.read("disproof number")? };
                    State::Open(Some(numbers).filter(|n| n.is_open()).ok_or_else(|| Damage::at(line, "wrong numbers"))?)
                }
                other => return Err(Damage::at(line, format!("'{other}' is no state"))),
            };
            let (job, tried) = (words.read("job")?, words.read::<u8>("0 or 1")? == 1);
            let cell = |number: usize| Some(number).filter(|number| *number < cells).map(Cell::new);
            let reply = match words.word("reply")? {
                "-" => None,
                text => Some(text.parse().ok().and_then(cell).ok_or_else(|| Damage::at(line, "no such cell"))?),
            };
            let mut edges = Vec::new();
            while let Ok(edge) = words.word("move") {
                let mut parts = edge.split(':').map(|part| part.parse::<u32>().ok());
                let mut part = || parts.next().flatten();
                let read = (part(), part(), part());
                let (Some(place), Some(child), Some(symmetry)) = read else { return Err(Damage::at(line, "no move")) };
                match cell(place as usize) {
                    Some(cell) if (symmetry as usize) < symmetries => {
                        edges.push(Edge { cell, child, symmetry: symmetry as u16 });
                    }
                    _ => return Err(Damage::at(line, format!("'{edge}' is no move"))),
                }
            }
            tree.push(Node { stones, state, edges, parents: Vec::new(), job, tried, reply });
        }
        if tree.nodes.is_empty() {
            return Err(Damage("the tree is empty".to_owned()));
        }
        for place in 0..tree.nodes.len() {
            for edge in tree.nodes[place].edges.clone() {
                let stones = tree.nodes[place].stones.len();
                match tree.nodes.get_mut(edge.child as usize) {
                    // Each move adds a stone, so that no circle can be.
                    Some(child) if child.stones.len() == stones + 1 => child.parents.push(place as u32),
                    _ => return Err(Damage::at(place + 2, "a move leads nowhere")),
                }
            }
        }
        Ok(tree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effort::Limits;
    use crate::engines::twin::Twin;
    use harary_certificate::{Board, Shape, Topology};

    /// Sees nothing but full boards and completed sets.
    struct Blind(Game);

    impl Eye for Blind {
        fn look(&mut self, stones: &Stones<WIDE>) -> State {
            let player = to_move(stones);
            let sets = if player == Black { self.0.black_sets() } else { self.0.white_sets() };
            let completes =
                |set: &WideSet| set.is_disjoint(&stones.of(player.other())) && (*set - stones.of(player)).len() == 1;
            match (sets.iter().any(completes), player) {
                (true, Black) => State::Won,
                (true, White) => State::Held(WideSet::first_cells(self.0.vertices()) - stones.occupied()),
                _ => State::Open(Numbers::UNIT),
            }
        }
    }

    /// Grown to its end by the most proving leaves alone, the tree says what the twin says, and comes back from its text.
    #[test]
    fn a_tree_decides_small_games() {
        let mut verdicts = [0, 0];
        for rows in ["XX", "XXX", "X./XX", "XX/XX", "X.X"] {
            for (sides, topology) in [((3, 3), Topology::Plain), ((3, 2), Topology::Torus), ((4, 2), Topology::Plain)] {
                for rule in [Rule::Weak, Rule::Strong] {
                    let board = Board::new(sides.0, sides.1, topology).unwrap();
                    let game = Game::new(Shape::from_rows(rows).unwrap(), board, rule);
                    let mut eye = Blind(game.clone());
                    let mut tree = Tree::new(&game, &mut eye);
                    while let Some(leaf) = tree.most_proving(&[]) {
                        tree.expand(leaf, &mut eye);
                    }
                    let wins = Twin::<1>::new(&game, &Limits::none()).win_turn(Stones::NONE).unwrap().is_some();
                    assert_eq!(tree.root() == State::Won, wins, "{rows} {board} {rule}");
                    assert!(tree.wanted(10, 10, &mut eye).is_empty() && !tree.needed()[0]);
                    verdicts[usize::from(wins)] += 1;
                    let again = Tree::read(&tree.body(), &game).unwrap();
                    assert!(again.nodes == tree.nodes || again.body() == tree.body());
                }
            }
        }
        assert!(verdicts[0] > 5 && verdicts[1] > 5, "{verdicts:?}");
    }

    #[test]
    fn jobs_are_leaves_that_are_needed_each_once() {
        let board = Board::new(4, 4, Topology::Plain).unwrap();
        let game = Game::new(Shape::from_rows("XXX").unwrap(), board, Rule::Strong);
        let mut eye = Blind(game.clone());
        let mut tree = Tree::new(&game, &mut eye);
        let places = |wanted: Vec<Wanted>| wanted.into_iter().map(|wanted| wanted.leaf).collect::<Vec<u32>>();
        let wanted = tree.plan(50, 50, &mut eye);
        assert!(!wanted[0].spare && wanted.iter().any(|wanted| wanted.spare), "some are needed, others are spare");
        assert!(wanted.is_sorted_by_key(|wanted| wanted.spare), "what is needed comes first");
        let leaves = places(wanted);
        assert_eq!(leaves.len(), 50);
        let mut distinct = leaves.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(distinct.len(), 50);
        let needed = tree.needed();
        assert!(leaves.iter().all(|leaf| needed[*leaf as usize] && tree.nodes[*leaf as usize].edges.is_empty()));
        // A leaf that was tried is not tried again: its moves are.
        tree.assign(leaves[0], 1);
        let numbers = |number| State::Open(Numbers { proof: number, disproof: number });
        tree.graft(leaves[0], numbers(9), None, End::Spent);
        let next = places(tree.plan(50, 50, &mut eye));
        assert!(!next.contains(&leaves[0]) && next.len() == 50);
        // Unless it took less than it might, and is further now or was broken off.
        for (now, end, again) in [(9, End::Early, true), (1, End::Early, false), (1, End::BrokenOff, true)] {
            let mut tree = Tree::new(&game, &mut eye);
            let leaves = places(tree.plan(50, 50, &mut eye));
            tree.assign(leaves[0], 1);
            tree.graft(leaves[0], numbers(now), None, end);
            assert_eq!(!tree.nodes[leaves[0] as usize].tried, again);
            tree.plan(50, 50, &mut eye);
            assert_eq!(tree.nodes[leaves[0] as usize].edges.is_empty(), again);
        }
    }
}
