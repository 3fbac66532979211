//! A [plan](Plan) of a strategy as text, JSON or Graphviz.

use super::drawing::wrapped;
use super::picture::{Mark, Picture, letter};
use super::plan::{Fork, Group, Next, Plan};
use harary_certificate::{
    Cell, Claim, Player, Setting, WideSet,
    playbook::{Playbook, Rest},
};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// At most this many cells are listed by name in a graph or under a picture.
const LISTED: usize = 8;

/// Draws plans of one strategy.
pub struct View<'a> {
    book: &'a Playbook,
    how: How,
}

/// How to draw them.
#[derive(Clone, Copy, Debug)]
pub struct How {
    /// With colours, for a terminal.
    pub color: bool,
    /// So many columns to a line of text.
    pub columns: usize,
    /// One line of play, not a tree: nothing is indented, and in pictures stones are numbered.
    pub line: bool,
    /// The turn of each stone also in text and in trees.
    pub numbered: bool,
    /// Rows slanted, as Hex is played.
    pub hex: bool,
}

impl<'a> View<'a> {
    /// Draws plans of this strategy.
    pub fn new(book: &'a Playbook, how: How) -> View<'a> {
        View { book, how }
    }

    /// Whether it is about one line of play.
    pub(super) fn is_line(&self) -> bool {
        self.how.line
    }

    pub(super) fn name(&self, cell: Cell) -> String {
        self.book.cell_name(cell)
    }

    fn names(&self, cells: &[Cell]) -> Vec<String> {
        cells.iter().map(|&cell| self.name(cell)).collect()
    }

    /// Cells of a board in few words: `a1–d1` for those beside each other in a row.
    pub(super) fn compact(&self, cells: &[Cell]) -> String {
        let Setting::Board { board, .. } = &self.book.header().setting else { return self.names(cells).join(", ") };
        let mut runs: Vec<(Cell, Cell)> = Vec::new();
        for &cell in cells {
            let joins = |last: Cell| board.xy(last).1 == board.xy(cell).1 && last.index() + 1 == cell.index();
            match runs.last_mut() {
                Some(run) if joins(run.1) => run.1 = cell,
                _ => runs.push((cell, cell)),
            }
        }
        let words = runs.into_iter().map(|(from, to)| match to.index() - from.index() {
            0 => self.name(from),
            1 => format!("{}, {}", self.name(from), self.name(to)),
            _ => format!("{}–{}", self.name(from), self.name(to)),
        });
        words.collect::<Vec<_>>().join(", ")
    }

    /// The replies of a group: `b2`, `b2 (or d2, b4)`, `b2, also a1–g1 (12 more by symmetry)`, `elsewhere`.
    fn replies(&self, group: &Group) -> String {
        let followed = group.then.moves.last().copied().flatten();
        let mut others = group.cells.clone();
        others.retain(|&cell| Some(cell) != followed);
        let mut text = followed.map_or_else(|| "elsewhere".to_owned(), |cell| self.name(cell));
        if others.is_empty() && !group.images.is_empty() {
            return format!("{text} (or {})", listed(&self.names(&group.images)));
        }
        if !others.is_empty() {
            text += &format!(", also {}", self.compact(&others));
        }
        if group.elsewhere && followed.is_some() {
            text += ", or elsewhere";
        }
        if !group.images.is_empty() {
            text += &format!(" ({} more by symmetry)", group.images.len());
        }
        text
    }

    /// The reply before a board of a figure, with its turn.
    pub(super) fn reply_in_figure(&self, plan: &Plan, player: Player, group: &Group) -> String {
        let first = group.then.moves.last().copied().flatten().map_or_else(|| "elsewhere".to_owned(), |c| self.name(c));
        let others = match group.size() {
            0 | 1 => String::new(),
            many => format!(" ({} alike)", many - 1),
        };
        format!("{}. {player} {first}{others}", plan.played() + 1)
    }

    fn rest(&self, rest: &Rest, alone: bool) -> String {
        let which = match rest.cells.len() {
            1 if !alone => format!("the other reply, {}", self.name(rest.cells[0])),
            count if alone => format!("every reply ({count})"),
            count => format!("all other replies ({count})"),
        };
        format!("{which}: {}", rest.says)
    }

    /// What is said under a board of a figure.
    pub(super) fn remark(&self, plan: &Plan) -> String {
        match &plan.next {
            Next::Over(why) => why.clone(),
            Next::Cut => "…".into(),
            Next::Paved(pairs) if pairs.is_empty() => "no winning set is left to Black".into(),
            Next::Paved(_) => "White answers in the same pair".into(),
            Next::Replies(fork) if fork.rest.cells.is_empty() => String::new(),
            Next::Replies(_) if self.how.line => String::new(),
            Next::Replies(fork) => self.rest(&fork.rest, fork.groups.is_empty()),
            Next::Plays(..) => String::new(),
        }
    }

    /// A picture of the game's board, if it has one.
    pub(super) fn board(&self, mark: impl FnMut(Cell) -> Mark) -> Option<Picture> {
        let picture = match &self.book.header().setting {
            Setting::Board { board, .. } => Picture::of_board(board, mark),
            Setting::Sets { .. } => Picture::of_names(self.book.names()?, mark)?,
        };
        Some(picture.slanted(self.how.hex))
    }

    /// The stones, the newest one to be seen first if `newest`, and the pairs of a paving. The cover, or the cells that
    /// matter to the node that speaks here, are grey.
    pub(super) fn picture(&self, plan: &Plan, newest: bool) -> Option<Picture> {
        let turn = |cell: Cell| plan.moves.iter().position(|&played| played == Some(cell)).map(|turn| turn + 1);
        let numbered = self.how.numbered || self.how.line;
        self.draw(plan, |cell, mark| {
            let mark = if numbered { mark.numbered(turn(cell)) } else { mark };
            if newest && plan.moves.last() == Some(&Some(cell)) { mark.highlighted() } else { mark }
        })
    }

    fn draw(&self, plan: &Plan, dress: impl Fn(Cell, Mark) -> Mark) -> Option<Picture> {
        let state = &plan.state;
        let zone: Option<WideSet> = self.book.header().cover.or_else(|| self.book.zone(state));
        let pairs: &[(Cell, Cell)] = if let Next::Paved(pairs) = &plan.next { pairs } else { &[] };
        let mark = |cell: Cell| {
            let pair = pairs.iter().position(|pair| pair.0 == cell || pair.1 == cell);
            let mark = match pair.filter(|_| !state.white().contains(cell)) {
                Some(index) => Mark::text(letter(index)),
                None => Mark::of_stones(state.black(), state.white(), cell),
            };
            // Where pairs are drawn they are all that matters.
            let shaded = pairs.is_empty() && zone.is_some_and(|zone| zone.contains(cell));
            dress(cell, mark.shaded(shaded))
        };
        Some(self.board(mark)?.with_pairs(pairs))
    }

    /// The board as text; the stones by name if there is none.
    pub(super) fn drawing(&self, plan: &Plan) -> String {
        let state = &plan.state;
        let turn = |cell: Cell| plan.moves.iter().position(|&played| played == Some(cell)).map(|turn| turn + 1);
        let cover = self.book.header().cover;
        let picture = self.draw(plan, |cell, mark| match cover {
            Some(cover) if !cover.contains(cell) => Mark::text(" "),
            _ if self.how.numbered => mark.numbered(turn(cell)),
            _ => mark,
        });
        let mut text = match picture {
            Some(picture) => picture.text(self.how.color),
            None => {
                let names = |set: &WideSet| self.names(&set.iter().collect::<Vec<_>>()).join(" ");
                format!("Black {}; White {}\n", names(state.black()), names(state.white()))
            }
        };
        if state.elsewhere() > 0 {
            let _ = writeln!(text, "and {} of White's stones elsewhere", state.elsewhere());
        }
        text
    }

    /// An indented tree, with boards where the other side has a choice; or one line of play and its last board.
    pub fn text(&self, plan: &Plan) -> String {
        let mut out = String::new();
        if plan.played() > 0 {
            out += &self.drawing(plan);
        }
        self.write_text(&mut out, 0, plan);
        out
    }

    fn write_text(&self, out: &mut String, indent: usize, plan: &Plan) {
        let deeper = |more: usize| if self.how.line { 0 } else { indent + more };
        match &plan.next {
            Next::Cut => {}
            Next::Over(why) => self.indented(out, indent, why),
            Next::Paved(pairs) if pairs.is_empty() => self.indented(out, indent, "no winning set is left to Black"),
            Next::Paved(_) => {
                self.indented(out, indent, "White answers in the same pair from here on");
                drawn(out, deeper(2), &self.drawing(plan));
            }
            Next::Plays(player, cell, next) => {
                let more = if matches!(next.next, Next::Cut) { " …" } else { "" };
                let name = self.name(*cell);
                self.indented(out, indent, &format!("{}. {player} {name}{more}", plan.played() + 1));
                let choice = |fork: &Fork| fork.groups.len() > 1 || fork.hidden.is_some();
                if !self.how.line && matches!(&next.next, Next::Replies(fork) if choice(fork)) {
                    drawn(out, indent + 3, &self.drawing(next));
                }
                self.write_text(out, indent, next);
            }
            Next::Replies(fork) => self.write_fork(out, indent, plan.played() + 1, fork),
        }
        let last = !matches!(&plan.next, Next::Plays(..))
            && !matches!(&plan.next, Next::Replies(fork) if !fork.groups.is_empty());
        if self.how.line && last && !matches!(plan.next, Next::Paved(_)) {
            *out += &self.drawing(plan);
        }
    }

    fn write_fork(&self, out: &mut String, indent: usize, turn: usize, fork: &Fork) {
        let deeper = |more: usize| if self.how.line { 0 } else { indent + more };
        let Fork { player, groups, rest, hidden } = fork;
        // Who holds has no turn to be done by.
        let win = !matches!(self.book.header().claim, Claim::Hold(_));
        for group in groups {
            let replies = format!("{turn}. {player} {}", self.replies(group));
            let until = if win { format!(", by turn {}", group.until) } else { String::new() };
            match &group.then.next {
                // What is short is said in one line.
                Next::Plays(side, cell, next) if matches!(next.next, Next::Cut) && !self.how.line => {
                    let text = format!("{replies}: {side} {}{until}", self.name(*cell));
                    self.indented(out, deeper(2), &text);
                }
                Next::Over(why) if !self.how.line => self.indented(out, deeper(2), &format!("{replies}: {why}")),
                Next::Cut => self.indented(out, deeper(2), &format!("{replies} …")),
                _ => {
                    let until = if self.how.line { String::new() } else { until };
                    self.indented(out, deeper(2), &format!("{replies}{until}"));
                    self.write_text(out, deeper(4), &group.then);
                }
            }
        }
        if let Some(hidden) = hidden {
            let until = if win { format!(", all by turn {}", hidden.until) } else { String::new() };
            let (replies, answers) = (count(hidden.replies, "more reply", "more replies"), hidden.answers);
            let answers = count(answers, "other answer", "other answers");
            self.indented(out, deeper(2), &format!("{replies} with {answers}{until} (--all shows them)"));
        }
        if !rest.cells.is_empty() && (!self.how.line || groups.is_empty()) {
            self.indented(out, deeper(2), &self.rest(rest, groups.is_empty()));
        }
    }

    /// The lines of a paragraph.
    pub(super) fn paragraph(&self, text: &str) -> Vec<String> {
        wrapped(text, self.how.columns.max(20))
    }

    /// A paragraph, the lines after the first further in.
    fn indented(&self, out: &mut String, indent: usize, text: &str) {
        let room = self.how.columns.saturating_sub(indent + 3).max(20);
        for (number, line) in wrapped(text, room).into_iter().enumerate() {
            let indent = if number == 0 { indent } else { indent + 3 };
            let _ = writeln!(out, "{:indent$}{line}", "");
        }
    }

    /// The plan for machines: every position has every key, and what does not apply is null.
    pub fn json(&self, plan: &Plan) -> Value {
        let state = &plan.state;
        let side = |player: &Player| player.to_string().to_lowercase();
        let mut value = json!({
            "turns_played": plan.played(),
            "black": self.names(&state.black().iter().collect::<Vec<_>>()),
            "white": self.names(&state.white().iter().collect::<Vec<_>>()),
            "white_elsewhere": state.elsewhere(),
            "cut": matches!(plan.next, Next::Cut),
            "over": null,
            "pairs": null,
            "plays": null,
            "replies": null,
            "rest": null,
        });
        match &plan.next {
            Next::Over(why) => value["over"] = json!(why),
            Next::Cut => {}
            Next::Paved(pairs) => {
                value["pairs"] = pairs.iter().map(|&(a, b)| json!([self.name(a), self.name(b)])).collect();
            }
            Next::Plays(player, cell, next) => {
                value["plays"] = json!({ "player": side(player), "cell": self.name(*cell), "then": self.json(next) });
            }
            Next::Replies(Fork { player, groups, rest, .. }) => {
                let reply = |group: &Group| {
                    let cells: Vec<Cell> = group.cells.iter().chain(&group.images).copied().collect();
                    json!({ "player": side(player), "cells": self.names(&cells),
                        "elsewhere": group.elsewhere, "then": self.json(&group.then) })
                };
                value["replies"] = groups.iter().map(reply).collect();
                value["rest"] = json!({ "cells": self.names(&rest.cells), "says": rest.says });
            }
        }
        value
    }

    /// A graph for Graphviz: a box for each move of the strategy, an arrow for each reply.
    pub fn dot(&self, plan: &Plan) -> String {
        let mut out =
            "digraph strategy {\n  node [shape=box, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n"
                .to_owned();
        self.write_dot(&mut out, &mut 0, plan);
        out + "}\n"
    }

    /// Writes one box and what follows it; returns the number of the box.
    fn write_dot(&self, out: &mut String, count: &mut usize, plan: &Plan) -> usize {
        let number = *count;
        *count += 1;
        let mut label = Vec::new();
        let mut at = plan;
        while let Next::Plays(player, cell, next) = &at.next {
            label.push(format!("{}. {player} {}", at.played() + 1, self.name(*cell)));
            at = next;
        }
        match &at.next {
            Next::Paved(pairs) if !pairs.is_empty() => {
                label.extend(pairs.iter().map(|&(a, b)| format!("{}-{}", self.name(a), self.name(b))));
            }
            _ => label.extend(Some(self.remark(at)).filter(|remark| !remark.is_empty())),
        }
        let quoted = |text: &str| text.replace('\\', "/").replace('"', "'");
        let label: Vec<String> = label.iter().map(|line| quoted(line)).collect();
        let _ = writeln!(out, "  n{number} [label=\"{}\"];", label.join("\\n"));
        if let Next::Replies(fork) = &at.next {
            for group in &fork.groups {
                let child = self.write_dot(out, count, &group.then);
                let replies = quoted(&self.replies(group));
                let _ = writeln!(out, "  n{number} -> n{child} [label=\"{} {replies}\"];", fork.player);
            }
        }
        number
    }
}

fn listed(names: &[String]) -> String {
    match names.len() {
        count if count > LISTED => format!("{} and {} more", names[..LISTED].join(", "), count - LISTED),
        _ => names.join(", "),
    }
}

fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A drawing, further to the right.
fn drawn(out: &mut String, indent: usize, text: &str) {
    text.lines().for_each(|line| {
        let _ = writeln!(out, "{:indent$}{line}", "");
    });
}
