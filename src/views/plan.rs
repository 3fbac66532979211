//! A strategy as far as it is to be shown: what it plays, and what the other side can try.
//!
//! In a position there may be fifty replies. Those that are [answered alike](Grouping::Alike) stand together: replies that
//! a symmetry turns into one another, and replies to which the answer is the same cell. Of each group the reply that
//! lasts longest is followed, and the groups that last longest come first.

use harary_certificate::{
    Cell, Player,
    playbook::{Lengths, Playbook, Reply, Rest, State, Turn},
};
use std::cmp::Reverse;

/// A state and what comes next.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The stones.
    pub state: State,
    /// The cells played so far, in order; `None` is a stone outside the cover.
    pub moves: Vec<Option<Cell>>,
    /// What comes next.
    pub next: Next,
}

/// What comes next.
#[derive(Clone, Debug)]
pub enum Next {
    /// Nothing, and why.
    Over(String),
    /// White answers in the same pair from here on.
    Paved(Vec<(Cell, Cell)>),
    /// The strategy plays this cell.
    Plays(Player, Cell, Box<Plan>),
    /// The other side chooses.
    Replies(Fork),
    /// It goes on, but no further was asked for.
    Cut,
}

/// A choice of the other side.
#[derive(Clone, Debug)]
pub struct Fork {
    /// Who chooses.
    pub player: Player,
    /// What is shown of the choices.
    pub groups: Vec<Group>,
    /// What needs no thought.
    pub rest: Rest,
    /// What is left out, if anything.
    pub hidden: Option<Hidden>,
}

/// Replies that are answered alike.
#[derive(Clone, Debug)]
pub struct Group {
    /// The reply that is followed, then those to which the answer is the same.
    pub cells: Vec<Cell>,
    /// What a symmetry turns into one of the cells, and its answer with it.
    pub images: Vec<Cell>,
    /// Also, or only, stones outside the cover.
    pub elsewhere: bool,
    /// The turn with which the longest line ends.
    pub until: usize,
    /// What follows.
    pub then: Plan,
}

/// How much is left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hidden {
    /// So many replies,
    pub replies: usize,
    /// to which there are so many answers,
    pub answers: usize,
    /// the longest line ending with this turn.
    pub until: usize,
}

/// What to do with replies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grouping {
    /// Each by itself, in the order of the board, but for symmetry.
    Each,
    /// Those that are answered alike together, at most so many groups of each choice.
    Alike(usize),
    /// Only the one that lasts longest.
    Longest,
}

/// What the strategy does after a reply.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Answer {
    Over(String),
    Paved,
    Plays(Cell),
    Waits,
}

impl Plan {
    /// The plan after these moves, so many turns deep.
    pub fn new(book: &Playbook, state: State, moves: Vec<Option<Cell>>, depth: usize, grouping: Grouping) -> Plan {
        Planner { book, grouping, lengths: Lengths::default() }.plan(state, moves, depth)
    }

    /// One line of play: of all replies the one that lasts longest, the first of them if there are several.
    pub fn main_line(book: &Playbook, state: State, moves: Vec<Option<Cell>>) -> Plan {
        Plan::new(book, state, moves, usize::MAX, Grouping::Longest)
    }

    /// How many turns are played.
    pub fn played(&self) -> usize {
        self.moves.len()
    }
}

impl Group {
    /// How many replies it stands for.
    pub fn size(&self) -> usize {
        self.cells.len() + self.images.len() + usize::from(self.elsewhere)
    }
}

struct Planner<'a> {
    book: &'a Playbook,
    grouping: Grouping,
    lengths: Lengths,
}

impl Planner<'_> {
    fn plan(&mut self, state: State, moves: Vec<Option<Cell>>, depth: usize) -> Plan {
        let next = match self.book.turn(&state) {
            Turn::Over(why) => Next::Over(why),
            Turn::Paved(pairs) => Next::Paved(pairs),
            _ if depth == 0 => Next::Cut,
            Turn::Plays(player, cell, next) => {
                Next::Plays(player, cell, Box::new(self.plan(next, with(&moves, Some(cell)), depth - 1)))
            }
            Turn::Replies(player, replies, rest) => {
                Next::Replies(self.fork(&state, &moves, player, replies, rest, depth - 1))
            }
        };
        Plan { state, moves, next }
    }

    fn fork(
        &mut self,
        state: &State,
        moves: &[Option<Cell>],
        player: Player,
        replies: Vec<Reply>,
        mut rest: Rest,
        depth: usize,
    ) -> Fork {
        let mut timed: Vec<(usize, Reply)> = Vec::new();
        for reply in replies {
            // Lengths are not needed for all of a tree that is listed anyway, and cost a walk through it.
            let length =
                if self.grouping == Grouping::Each { 0 } else { self.book.length(&reply.state, &mut self.lengths) };
            timed.push((moves.len() + 1 + length, reply));
        }
        if self.grouping != Grouping::Each {
            timed.sort_by_key(|(until, _)| Reverse(*until));
        }
        if self.grouping == Grouping::Longest && !timed.is_empty() {
            rest.cells.extend(timed.drain(1..).flat_map(|(_, reply)| reply.cells));
            rest.says = "no longer than this";
        }
        let mut hidden: Option<Hidden> = None;
        let groups = match self.grouping {
            Grouping::Alike(most) => {
                let mut groups = self.alike(state, timed);
                let left_out = groups.split_off(groups.len().min(most));
                if let Some(first) = left_out.first() {
                    let replies = left_out.iter().map(|(_, reply, images)| reply.cells.len() + images.len()).sum();
                    hidden = Some(Hidden { replies, answers: left_out.len(), until: first.0 });
                }
                groups
            }
            _ => timed.into_iter().map(|(until, reply)| by_itself(until, reply)).collect(),
        };
        // The answer to a reply is shown in any case where replies are told apart by it.
        let depth = if matches!(self.grouping, Grouping::Alike(_)) { depth.max(1) } else { depth };
        let group = |(until, reply, images): (usize, Reply, Vec<Cell>)| {
            let moves = with(moves, reply.cells.first().copied());
            let then = self.plan(reply.state, moves, depth);
            Group { cells: reply.cells, images, elsewhere: reply.elsewhere, until, then }
        };
        Fork { player, groups: groups.into_iter().map(group).collect(), rest, hidden }
    }

    /// Puts together what is answered alike: the group, its replies with the same answer, and the images of these.
    fn alike(&self, state: &State, timed: Vec<(usize, Reply)>) -> Vec<(usize, Reply, Vec<Cell>)> {
        let mut groups: Vec<(usize, Reply, Vec<Cell>)> = Vec::new();
        let mut answers: Vec<Answer> = Vec::new();
        for (until, reply) in timed {
            let known: Vec<Answer> = match reply.cells.len() {
                0 | 1 => vec![self.answer(&reply.state)],
                _ => {
                    let after = reply.cells[1..].iter().map_while(|&cell| self.book.after(state, cell).ok());
                    std::iter::once(self.answer(&reply.state)).chain(after.map(|state| self.answer(&state))).collect()
                }
            };
            let Some(place) = answers.iter().position(|answer| known.contains(answer)) else {
                answers.push(known[0].clone());
                groups.push(by_itself(until, reply));
                continue;
            };
            let (_, group, images) = &mut groups[place];
            group.elsewhere |= reply.elsewhere;
            for (index, cell) in reply.cells.into_iter().enumerate() {
                if known.get(index) == Some(&answers[place]) { group.cells.push(cell) } else { images.push(cell) }
            }
        }
        for (_, group, images) in &mut groups {
            if let Some((_, others)) = group.cells.split_first_mut() {
                others.sort_unstable();
            }
            images.sort_unstable();
        }
        groups
    }

    fn answer(&self, state: &State) -> Answer {
        match self.book.turn(state) {
            Turn::Over(why) => Answer::Over(why),
            Turn::Paved(_) => Answer::Paved,
            Turn::Plays(_, cell, _) => Answer::Plays(cell),
            Turn::Replies(..) => Answer::Waits,
        }
    }
}

/// A reply as a group: itself, and its images.
fn by_itself(until: usize, mut reply: Reply) -> (usize, Reply, Vec<Cell>) {
    let images = reply.cells.split_off(reply.cells.len().min(1));
    (until, reply, images)
}

fn with(moves: &[Option<Cell>], cell: Option<Cell>) -> Vec<Option<Cell>> {
    moves.iter().copied().chain([cell]).collect()
}
