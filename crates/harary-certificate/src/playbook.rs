//! A strategy to look at: what an accepted certificate plays, and what the other side can try.
//!
//! A certificate stores positions up to symmetry, and nodes for many positions at once. Here everything is brought
//! back to the board as it is played on: a [`Playbook`] walks from one [`State`] to the next in the coordinates of
//! the first move, and merges replies that are alike.

use crate::cell::Cell;
use crate::cell_set::{WIDE, WideSet};
use crate::checker::{self, Accepted, Proved};
use crate::model::{Answer, Claim, Header, Kind, Pair, Permutation, Position, Proof, Refused, Root, Step, Then};
use crate::names::Names;
use crate::player::Player;
use crate::rules::{Rules, image, keeps};
use crate::unfold::unfold;
use std::collections::{BTreeMap, HashMap};
use std::io::Read;
use thiserror::Error;

const WHITE_COMPLETED: &str = "White has completed a winning set";
const WHITE_AT_ONCE: &str = "White completes a winning set at once";

/// An accepted certificate, ready to be played from.
pub struct Playbook {
    proved: Proved,
    proof: Proof<WIDE>,
    rules: Rules<WIDE>,
    /// What to call the vertices, if not as the header does.
    names: Option<Vec<String>>,
}

/// A position on the way, and the node that speaks for it, if one does.
#[derive(Clone, Debug)]
pub struct State {
    at: Position<WIDE>,
    frame: Option<Frame>,
}

/// Which node applies, and how its cells lie on the board.
#[derive(Clone, Debug)]
struct Frame {
    node: u32,
    to_board: Permutation,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Stage {
    /// Black to move.
    Open,
    /// Black has played the move of an attack node.
    Attacked,
    /// White has to play this cell of the node, which leads to the child, or completes a set of hers.
    Answering(Cell, Option<u32>),
    /// Black has played outside the node's open cells: White may do as she likes.
    Ignored,
}

/// What happens next.
#[expect(clippy::large_enum_variant, reason = "a turn lives as long as it is looked at, one at a time")]
#[derive(Clone, Debug)]
pub enum Turn {
    /// The line of play ends, and why.
    Over(String),
    /// White answers in the same pair from now on.
    Paved(Vec<(Cell, Cell)>),
    /// The strategy plays this cell.
    Plays(Player, Cell, State),
    /// The other side chooses.
    Replies(Player, Vec<Reply>, Rest),
}

/// Replies that are alike, the one that is followed first.
#[derive(Clone, Debug)]
pub struct Reply {
    /// Where the other side plays.
    pub cells: Vec<Cell>,
    /// Outside the cover, wherever that is.
    pub elsewhere: bool,
    /// What it leads to, if the first of them is played.
    pub state: State,
}

/// Replies that need no thought, and why.
#[derive(Clone, Debug, Default)]
pub struct Rest {
    /// Where.
    pub cells: Vec<Cell>,
    /// Why.
    pub says: &'static str,
}

/// Why a line of play cannot be followed.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum LineError {
    /// A name of no cell.
    #[error("there is no cell '{0}' in this game")]
    NoCell(String),
    /// A cell that cannot be chosen.
    #[error("{0} cannot be played there: it is occupied, or not allowed")]
    Illegal(String),
    /// The strategy plays something else.
    #[error("at turn {turn} the strategy plays {plays}, not {played}")]
    OtherMove {
        /// At which turn.
        turn: usize,
        /// What it plays.
        plays: String,
        /// What was given.
        played: String,
    },
    /// Nothing comes after the end; what ended it.
    #[error("the line of play ends before {0}: {1}")]
    Over(String, String),
}

impl State {
    /// Black's stones.
    pub fn black(&self) -> &WideSet {
        &self.at.stones.black
    }

    /// White's stones, with a cover those in it.
    pub fn white(&self) -> &WideSet {
        &self.at.stones.white
    }

    /// White's stones outside the cover.
    pub fn elsewhere(&self) -> usize {
        self.at.elsewhere.into()
    }

    fn play(&self, player: Player, cell: Cell, frame: Option<Frame>) -> State {
        State { at: self.at.with(player, cell), frame }
    }
}

impl Playbook {
    /// Reads a certificate and checks it; a bad one has no strategy to show.
    pub fn open(input: impl Read) -> Result<Playbook, Refused> {
        let Accepted { proved, mut proof, rules } = checker::check_and_keep(input)?;
        unfold(&mut proof)?;
        let names = proof.names.take().map(Names::into_vec);
        Ok(Playbook { proved, proof, rules, names })
    }

    /// What is proved.
    pub fn proved(&self) -> &Proved {
        &self.proved
    }

    /// The game and the claim.
    pub fn header(&self) -> &Header {
        self.proved.header()
    }

    /// The strategy in plain words: positions and nodes. Cards are laid out as attack nodes on the board, bounded pairs
    /// as paving nodes, so that [`Kind::Card`] and [`Then::Pairs`] do not occur.
    pub fn proof(&self) -> &Proof<WIDE> {
        &self.proof
    }

    /// The names, if others than the header's.
    pub fn names(&self) -> Option<&[String]> {
        self.names.as_deref()
    }

    /// What a vertex is called.
    pub fn cell_name(&self, cell: Cell) -> String {
        match &self.names {
            Some(names) => names[cell.index()].clone(),
            None => self.header().cell_name(cell),
        }
    }

    /// The cells that matter from here on, if a node says so: whatever happens elsewhere is of no account.
    pub fn zone(&self, state: &State) -> Option<WideSet> {
        let frame = state.frame.as_ref()?;
        let node = &self.proof.nodes[&frame.node];
        Some((node.own | node.open).iter().map(|cell| frame.to_board[cell.index()]).collect())
    }

    /// The position before turn 1.
    pub fn start(&self) -> State {
        let to_board = (0..self.header().vertices).map(Cell::new).collect();
        let frame = match self.proof.root {
            Some(Root::Node(node)) => Some(Frame { node, to_board, stage: Stage::Open }),
            _ => None,
        };
        State { at: self.rules.start, frame }
    }

    /// What happens next.
    pub fn turn(&self, state: &State) -> Turn {
        match &state.frame {
            Some(frame) => self.turn_of_node(state, frame),
            None => self.turn_of_position(state),
        }
    }

    fn turn_of_position(&self, state: &State) -> Turn {
        let (rules, at) = (&self.rules, &state.at);
        let played = rules.played(at);
        let Some(mover) = self.header().turns.player_after(played) else {
            return Turn::Over("the board is full".into());
        };
        let (choices, holder) = (rules.choices(at, played), rules.claim.holder());
        let held = matches!(rules.claim, Claim::Hold(_));
        let threats = if held { WideSet::EMPTY } else { rules.completions(at, holder) & choices };
        if mover == holder
            && let Some(cell) = threats.first()
        {
            return self.completes(holder, cell);
        }
        if held && rules.white_completed(at) {
            return Turn::Over(WHITE_COMPLETED.into());
        }
        let in_time = match rules.moves_left(played) {
            0 => WideSet::EMPTY,
            left => rules.moves_in_time(at, left),
        };
        if held && in_time.is_empty() {
            return Turn::Over(match self.header().claim.last() {
                Some(turn) => format!("Black can no longer win by turn {turn}"),
                None => "Black can no longer win".into(),
            });
        }
        let (form, to_board) = self.canonical(at);
        match self.proof.steps.get(&form) {
            Some(Step { then: Then::Play(cell), .. }) => {
                let cell = to_board[cell.index()];
                Turn::Plays(mover, cell, state.play(mover, cell, None))
            }
            Some(_) => self.turn(&self.entered(state)),
            None if held => {
                let says = "Black can no longer win in time";
                self.replies(state, mover, choices, |&cell| in_time.contains(cell), None, says)
            }
            None => {
                let holder_next = rules.mover(played + 1) == Some(holder);
                let parried = |cell: &Cell| !holder_next || threats.without(*cell).is_empty();
                let outside = State { at: Position { elsewhere: at.elsewhere + 1, ..*at }, frame: None };
                let elsewhere = (rules.has_room(at) && (threats.is_empty() || !holder_next)).then_some(outside);
                let says = match holder {
                    Player::Black => "Black completes a winning set at once",
                    Player::White => WHITE_AT_ONCE,
                };
                self.replies(state, mover, choices, parried, elsewhere, says)
            }
        }
    }

    fn completes(&self, player: Player, cell: Cell) -> Turn {
        Turn::Over(format!("{player} completes a winning set at {}", self.cell_name(cell)))
    }

    /// The same state; where a block node applies from here on, with the node.
    fn entered(&self, state: &State) -> State {
        let (form, to_board) = self.canonical(&state.at);
        let frame = match self.proof.steps.get(&form) {
            Some(Step { then: Then::Block(node), .. }) => Some(Frame { node: *node, to_board, stage: Stage::Open }),
            _ => None,
        };
        State { at: state.at, frame: state.frame.clone().or(frame) }
    }

    /// The choices that pass `matters`, those with the same canonical form merged; the others are the rest.
    fn replies(
        &self,
        state: &State,
        mover: Player,
        choices: WideSet,
        matters: impl Fn(&Cell) -> bool,
        elsewhere: Option<State>,
        says: &'static str,
    ) -> Turn {
        let (serious, rest): (Vec<Cell>, Vec<Cell>) = choices.iter().partition(|cell| matters(cell));
        let mut alike: BTreeMap<Position<WIDE>, usize> = BTreeMap::new();
        let mut replies: Vec<Reply> = Vec::new();
        for cell in serious {
            let after = state.play(mover, cell, None);
            let group = *alike.entry(self.rules.canonical(after.at)).or_insert(replies.len());
            match replies.get_mut(group) {
                Some(reply) => reply.cells.push(cell),
                None => replies.push(Reply { cells: vec![cell], elsewhere: false, state: after }),
            }
        }
        replies.extend(elsewhere.map(|state| Reply { cells: Vec::new(), elsewhere: true, state }));
        Turn::Replies(mover, replies, Rest { cells: rest, says })
    }

    fn turn_of_node(&self, state: &State, frame: &Frame) -> Turn {
        let node = &self.proof.nodes[&frame.node];
        let on_board = |cell: Cell| frame.to_board[cell.index()];
        let (black, white) = (Player::Black, Player::White);
        let empty = self.rules.choices(&state.at, self.rules.played(&state.at));
        // A node may be used where its owner has more than it asks for, so a set may be complete before it says so.
        if self.rules.white_completed(&state.at) {
            return Turn::Over(WHITE_COMPLETED.into());
        }
        if self.rules.claim.holder() == black
            && self.rules.black_sets.iter().any(|set| set.is_subset(&state.at.stones.black))
        {
            return Turn::Over("Black has completed a winning set".into());
        }
        match (&node.kind, frame.stage) {
            (_, Stage::Ignored) => Turn::Over("White may play anywhere: what she had still holds".into()),
            (_, Stage::Answering(cell, None)) => self.completes(white, on_board(cell)),
            (_, Stage::Answering(cell, Some(child))) => {
                let frame = Frame { node: child, stage: Stage::Open, ..frame.clone() };
                self.plays(state, white, on_board(cell), empty, frame)
            }
            (Kind::Done(cell) | Kind::Card(_, cell), _) => self.completes(black, on_board(*cell)),
            (Kind::Pave(pairs), _) => {
                Turn::Paved(pairs.iter().map(|&Pair { a, b }| (on_board(a), on_board(b))).collect())
            }
            (Kind::Move(cell, _), Stage::Open) => {
                let frame = Frame { stage: Stage::Attacked, ..frame.clone() };
                self.plays(state, black, on_board(*cell), empty, frame)
            }
            (Kind::Move(cell, answers), Stage::Attacked) => {
                let (own, open) = (node.own.with(*cell), node.open.without(*cell));
                let says = "outside what Black needs: any of his answers will do";
                let answers = answers.iter().map(|after| (after.reply, after.child, Stage::Open));
                self.node_replies(state, frame, white, (own, open), answers, empty, says)
            }
            (Kind::Reply(answers) | Kind::StrongReply(answers), _) => {
                let says = "outside what White needs: she may play anywhere";
                let stage = |answer: &Answer| Stage::Answering(answer.reply, answer.child);
                let answers = answers.iter().map(|answer| (answer.to, frame.node, stage(answer)));
                self.node_replies(state, frame, black, (node.own, node.open), answers, empty, says)
            }
            (Kind::Threat(answer), _) => {
                let cell = on_board(answer.to);
                let next = Frame { stage: Stage::Answering(answer.reply, answer.child), ..frame.clone() };
                let reply = Reply { cells: vec![cell], elsewhere: false, state: state.play(black, cell, Some(next)) };
                Turn::Replies(
                    black,
                    vec![reply],
                    Rest { cells: empty.without(cell).iter().collect(), says: WHITE_AT_ONCE },
                )
            }
        }
    }

    /// A node's move. Where the stone is there already, another anywhere does no harm.
    fn plays(&self, state: &State, player: Player, cell: Cell, empty: WideSet, frame: Frame) -> Turn {
        match if empty.contains(cell) { Some(cell) } else { empty.first() } {
            Some(cell) => Turn::Plays(player, cell, state.play(player, cell, Some(frame))),
            None => Turn::Over("the board is full".into()),
        }
    }

    /// The answered cells of a node, each with its orbit; cells of the board outside `open` are the rest.
    #[allow(clippy::too_many_arguments)]
    fn node_replies(
        &self,
        state: &State,
        frame: &Frame,
        mover: Player,
        (own, open): (WideSet, WideSet),
        answers: impl Iterator<Item = (Cell, u32, Stage)>,
        empty: WideSet,
        says: &'static str,
    ) -> Turn {
        let symmetries = &self.rules.orbits;
        let fixing: Vec<&Permutation> = symmetries.iter().filter(|g| keeps(g, own) && keeps(g, open)).collect();
        let on_board = |cell: Cell| frame.to_board[cell.index()];
        let mut open_on_board = WideSet::EMPTY;
        open.iter().for_each(|cell| open_on_board.insert(on_board(cell)));
        let mut seen = WideSet::EMPTY;
        let mut replies = Vec::new();
        for (cell, node, stage) in answers {
            // Another answer may stand for the same orbit; it is merged into the first.
            if seen.contains(on_board(cell)) {
                continue;
            }
            let orbit: WideSet = fixing.iter().map(|g| on_board(g[cell.index()])).collect();
            let orbit = orbit.with(on_board(cell)) & empty;
            seen |= orbit;
            if !orbit.contains(on_board(cell)) {
                continue;
            }
            let mut cells = vec![on_board(cell)];
            cells.extend(orbit.without(on_board(cell)));
            let frame = Frame { node, to_board: frame.to_board.clone(), stage };
            replies.push(Reply { state: state.play(mover, cells[0], Some(frame)), cells, elsewhere: false });
        }
        let rest = (empty - open_on_board).iter().collect();
        Turn::Replies(mover, replies, Rest { cells: rest, says })
    }

    /// The canonical form of a position, and where its cells lie on the board.
    fn canonical(&self, at: &Position<WIDE>) -> (Position<WIDE>, Permutation) {
        let form = self.rules.canonical(*at);
        let leads = |g: &&Permutation| {
            image(g, at.stones.black) == form.stones.black && image(g, at.stones.white) == form.stones.white
        };
        let mut to_board: Permutation = (0..self.header().vertices).map(Cell::new).collect();
        if let Some(symmetry) = self.rules.stored.iter().find(leads) {
            symmetry.iter().enumerate().for_each(|(from, to)| to_board[to.index()] = Cell::new(from));
        }
        (form, to_board)
    }

    /// The state after one move, given by anyone.
    pub fn after(&self, state: &State, cell: Cell) -> Result<State, LineError> {
        let name = self.cell_name(cell);
        let played = self.rules.played(&state.at);
        if !self.rules.choices(&state.at, played).contains(cell) {
            return Err(LineError::Illegal(name));
        }
        let turn = self.turn(state);
        let state = &self.entered(state);
        match turn {
            Turn::Over(why) => Err(LineError::Over(name, why)),
            Turn::Paved(_) => Err(LineError::Over(name, "White answers in the same pair from here on".into())),
            Turn::Plays(_, plays, next) if plays == cell => Ok(next),
            Turn::Plays(_, plays, _) => {
                Err(LineError::OtherMove { turn: played + 1, plays: self.cell_name(plays), played: name })
            }
            Turn::Replies(mover, replies, _) => {
                let Some(reply) = replies.iter().find(|reply| reply.cells.contains(&cell)) else {
                    return Ok(self.after_rest(state, mover, cell, &replies));
                };
                // In a position any of the merged replies stands for itself; in a node it is turned into the first.
                let Some(frame) = &reply.state.frame else { return Ok(state.play(mover, cell, None)) };
                let to_board = self.turned(state, cell, reply.cells[0]).unwrap_or_else(|| frame.to_board.clone());
                Ok(state.play(mover, cell, Some(Frame { to_board, ..frame.clone() })))
            }
        }
    }

    /// After a reply that needs no thought.
    fn after_rest(&self, state: &State, mover: Player, cell: Cell, replies: &[Reply]) -> State {
        let frame = match (&state.frame, mover) {
            (Some(_), Player::White) => replies.first().and_then(|reply| reply.state.frame.clone()),
            (Some(frame), Player::Black) => {
                let stage = match &self.proof.nodes[&frame.node].kind {
                    Kind::Threat(answer) => Stage::Answering(answer.to, None),
                    _ => Stage::Ignored,
                };
                Some(Frame { stage, ..frame.clone() })
            }
            (None, _) => None,
        };
        state.play(mover, cell, frame)
    }

    /// How a node's cells lie on the board if `cell` is to play the part of `first`, an equal by symmetry.
    fn turned(&self, state: &State, cell: Cell, first: Cell) -> Option<Permutation> {
        let frame = state.frame.as_ref()?;
        let node = &self.proof.nodes[&frame.node];
        let (own, open) = match &node.kind {
            Kind::Move(cell, _) => (node.own.with(*cell), node.open.without(*cell)),
            _ => (node.own, node.open),
        };
        let place = |on_board: Cell| frame.to_board.iter().position(|&c| c == on_board).map(Cell::new);
        let (from, to) = (place(first)?, place(cell)?);
        let symmetries = self.rules.orbits.iter();
        let symmetry = symmetries.filter(|g| keeps(g, own) && keeps(g, open)).find(|g| g[from.index()] == to)?;
        Some(symmetry.iter().map(|image| frame.to_board[image.index()]).collect())
    }

    /// The cells of a line of play: names separated by blanks or commas.
    pub fn cells(&self, line: &str) -> Result<Vec<Cell>, LineError> {
        let names = line.split(|letter: char| letter.is_whitespace() || letter == ',').filter(|name| !name.is_empty());
        let all: Vec<String> = (0..self.header().vertices).map(|index| self.cell_name(Cell::new(index))).collect();
        let cell = |name: &str| {
            let exactly = all.iter().position(|known| known == name);
            let place = exactly.or_else(|| all.iter().position(|known| known.eq_ignore_ascii_case(name)));
            place.map(Cell::new).ok_or_else(|| LineError::NoCell(name.to_owned()))
        };
        names.map(cell).collect()
    }

    /// Follows a line of play from the start.
    pub fn follow(&self, line: &str) -> Result<State, LineError> {
        self.cells(line)?.into_iter().try_fold(self.start(), |state, cell| self.after(&state, cell))
    }

    /// How many turns a state lasts at most.
    pub fn length(&self, state: &State, lengths: &mut Lengths) -> usize {
        let key = match &state.frame {
            Some(frame) => (None, Some((frame.node, frame.stage))),
            None => (Some(self.rules.canonical(state.at)), None),
        };
        if let Some(&known) = lengths.0.get(&key) {
            return known;
        }
        let length = match self.turn(state) {
            Turn::Over(_) | Turn::Paved(_) => 1,
            Turn::Plays(_, _, next) => 1 + self.length(&next, lengths),
            Turn::Replies(_, replies, rest) => {
                // After a reply that needs no thought the set is completed with the next move.
                let at_once = !rest.cells.is_empty() && !matches!(self.header().claim, Claim::Hold(_));
                let lengths = replies.iter().map(|reply| self.length(&reply.state, lengths));
                1 + lengths.max().unwrap_or(0).max(at_once.into())
            }
        };
        lengths.0.insert(key, length);
        length
    }
}

/// How long states last, as far as somebody asked: a state asked for again costs nothing.
#[derive(Default)]
pub struct Lengths(HashMap<Key, usize>);

/// What the length of a state depends on.
type Key = (Option<Position<WIDE>>, Option<(u32, Stage)>);
