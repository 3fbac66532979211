//! Why White holds, or why Black wins, in words.
//!
//! Every sentence is about the certificate at hand and is counted from it: the pairs of a paving and the sets that contain
//! them, the threats on the longest line, the moves that are left and those that are lacking.

use super::plan::{Fork, Grouping, Next, Plan};
use super::tree::View;
use crate::game::placements;
use harary_certificate::{Cell, Claim, Header, Player, Rule, Setting, WideSet, playbook::Playbook};
use std::fmt::Write as _;

/// Explains the strategy of an accepted certificate, with boards.
pub fn explain(book: &Playbook, view: &View) -> String {
    let explainer = Explainer { book, view, sets: winning_sets(book.header()) };
    let line = Plan::main_line(book, book.start(), Vec::new());
    match book.header().claim {
        Claim::Win(_) => explainer.win(&line),
        Claim::Hold(_) => explainer.hold(&line),
        Claim::Loss(_) => explainer.loss(&line),
    }
}

/// Black's winning sets.
fn winning_sets(header: &Header) -> Vec<WideSet> {
    match &header.setting {
        Setting::Board { shape, board } => placements(shape, board),
        Setting::Sets { black, .. } => black.clone(),
    }
}

struct Explainer<'a> {
    book: &'a Playbook,
    view: &'a View<'a>,
    sets: Vec<WideSet>,
}

impl Explainer<'_> {
    fn hold(&self, line: &Plan) -> String {
        let mut text = String::new();
        let end = last(line);
        match &line.next {
            Next::Paved(pairs) => self.paving(&mut text, line, pairs),
            _ => {
                let replies = match &line.next {
                    Next::Replies(fork) => fork.groups.len() + fork.rest.cells.len(),
                    _ => 0,
                };
                let choices = if replies > 1 { "each move of Black's" } else { "Black's moves" };
                let limit = match self.book.header().claim {
                    Claim::Hold(Some(turn)) => format!(", and that only until turn {turn}: the claim says no more"),
                    _ => String::new(),
                };
                self.say(&mut text, &format!("White has an answer to {choices}{limit}."));
                self.line_in_words(&mut text, line);
                match &end.next {
                    Next::Paved(pairs) if pairs.is_empty() => {
                        self.say(&mut text, "There White has a stone in every winning set: nothing is left to Black.");
                        text += &self.view.drawing(end);
                    }
                    Next::Paved(pairs) => {
                        text.push('\n');
                        self.paving(&mut text, end, pairs);
                    }
                    _ => self.too_slow(&mut text, end),
                }
            }
        }
        if self.book.header().rule == Rule::Strong {
            self.say(
                &mut text,
                "White need not complete a set herself: nobody having one by the end is all she wants.",
            );
        }
        text
    }

    /// Why pairs hold.
    fn paving(&self, text: &mut String, plan: &Plan, pairs: &[(Cell, Cell)]) {
        let free: Vec<&WideSet> = self.sets.iter().filter(|set| set.is_disjoint(plan.state.white())).collect();
        let paved = free.iter().filter(|set| pairs.iter().any(|&(a, b)| set.contains(a) && set.contains(b))).count();
        let which = if free.len() == self.sets.len() { "winning sets" } else { "winning sets free of White's stones" };
        self.say(
            text,
            &format!(
                "{} of cells are marked. Whenever Black takes one cell of a pair, White takes the other; if he plays \
                 outside all pairs, she plays where she likes. {paved} of the {} {which} contain both cells of a pair, so \
                 Black never has a whole one.",
                counted(pairs.len(), "pair"),
                free.len(),
            ),
        );
        text.push('\n');
        *text += &self.view.drawing(plan);
        text.push('\n');
    }

    /// Why a hold ends without pairs: Black lacks more cells than he has moves.
    fn too_slow(&self, text: &mut String, end: &Plan) {
        let (black, white) = (end.state.black(), end.state.white());
        let free = self.sets.iter().filter(|set| set.is_disjoint(white));
        let nearest = free.map(|set| (*set - *black).len()).min();
        let turns = &self.book.header().turns;
        let limit = match self.book.header().claim {
            Claim::Hold(Some(turn)) => turn,
            _ => turns.len(),
        };
        let left = (end.played()..limit).filter(|&played| turns.player_after(played) == Some(Player::Black)).count();
        let by = match self.book.header().claim {
            Claim::Hold(Some(turn)) => format!(" until turn {turn}"),
            _ => String::new(),
        };
        let sentence = match (&end.next, nearest) {
            (_, None) => "There White has a stone in every winning set: nothing is left to Black.".to_owned(),
            (_, Some(lacking)) if lacking > left => format!(
                "There every winning set free of White's stones lacks {} or more of Black's stones, and he has {}{by}.",
                lacking,
                counted(left, "move"),
            ),
            (Next::Over(why), _) => format!("There it ends: {why}."),
            _ => match &end.next {
                Next::Replies(fork) => format!("There it ends, whatever Black does: {}.", fork.rest.says),
                _ => return,
            },
        };
        self.say(text, &sentence);
        text.push('\n');
        *text += &self.view.drawing(end);
        text.push('\n');
    }

    fn win(&self, line: &Plan) -> String {
        let mut text = String::new();
        let header = self.book.header();
        if let Some(cover) = header.cover {
            let inside = self.sets.iter().filter(|set| set.is_subset(&cover)).count();
            self.say(
                &mut text,
                &format!(
                    "Black keeps to a cover of {} of the {} cells, those drawn below, with {}. Stones of White's elsewhere \
                     are only counted: wherever they lie they are of no use to her.",
                    cover.len(),
                    header.vertices,
                    counted(inside, "winning set"),
                ),
            );
        }
        if let Some(zone) = self.book.zone(&self.book.start()) {
            self.say(
                &mut text,
                &format!(
                    "The proof is made of attack nodes. Each names the stones of Black's it rests on and the cells that have to \
                     be empty, at the beginning {} of {}; what happens elsewhere does not matter.",
                    zone.len(),
                    header.vertices,
                ),
            );
        }
        self.first_moves(&mut text, line);
        self.line_in_words(&mut text, line);
        self.threats(&mut text, line);
        text.push('\n');
        text += &self.view.drawing(last(line));
        if header.rule == Rule::Strong {
            text.push('\n');
            self.say(
                &mut text,
                "White completes no set of her own first: the checker has looked at every line of play.",
            );
        }
        text
    }

    fn loss(&self, line: &Plan) -> String {
        let mut text = String::new();
        self.say(&mut text, "White has an answer to each move of Black's, and completes a winning set of her own.");
        self.line_in_words(&mut text, line);
        text.push('\n');
        text + &self.view.drawing(last(line))
    }

    /// What Black opens with, and how long each reply lasts.
    fn first_moves(&self, text: &mut String, line: &Plan) {
        let mut at = line;
        let mut opening = Vec::new();
        while let Next::Plays(_, cell, next) = &at.next {
            opening.push(self.view.name(*cell));
            at = next;
        }
        if opening.is_empty() {
            return;
        }
        let plan = Plan::new(self.book, at.state.clone(), at.moves.clone(), 1, Grouping::Alike(usize::MAX));
        let Next::Replies(Fork { groups, rest, .. }) = &plan.next else {
            self.say(text, &format!("Black plays {}, and it is over.", opening.join(", ")));
            return;
        };
        let mut by_turn: Vec<(usize, usize)> = Vec::new();
        for group in groups {
            match by_turn.iter_mut().find(|(until, _)| *until == group.until) {
                Some((_, count)) => *count += group.size(),
                None => by_turn.push((group.until, group.size())),
            }
        }
        let lasting: Vec<String> =
            by_turn.iter().map(|(until, count)| format!("{} by turn {until}", counted(*count, "reply"))).collect();
        let answers = counted(groups.len(), "answer");
        let mut sentence = format!("Black begins with {}. ", opening.join(", "));
        if !groups.is_empty() {
            let _ = write!(sentence, "He wins after {}; up to symmetry he needs {answers}. ", lasting.join(", after "));
        }
        if !rest.cells.is_empty() {
            let _ = write!(sentence, "{}: {}.", counted(rest.cells.len(), "other reply"), rest.says);
        }
        self.say(text, sentence.trim_end());
    }

    /// The longest line of play, move by move.
    fn line_in_words(&self, text: &mut String, line: &Plan) {
        let mut moves = Vec::new();
        walk(line, &mut |plan, player, cell| {
            let name = cell.map_or_else(|| "elsewhere".to_owned(), |cell| self.view.name(cell));
            moves.push(format!("{}. {player} {name}", plan.played() + 1));
        });
        if !moves.is_empty() {
            self.say(text, &format!("The longest line: {}.", moves.join(", ")));
        }
    }

    /// From when on White is forced, and how it ends.
    fn threats(&self, text: &mut String, line: &Plan) {
        // After each of Black's moves: its turn, and where he then threatens to complete a set.
        let mut threats: Vec<(usize, Vec<Cell>)> = Vec::new();
        walk(line, &mut |plan, player, cell| {
            let (Player::Black, Some(cell)) = (player, cell) else { return };
            let (black, white) = (plan.state.black().with(cell), *plan.state.white());
            let lacking = |set: &WideSet| {
                let lacking = *set - black;
                lacking.first().filter(|_| lacking.len() == 1 && set.is_disjoint(&white))
            };
            let cells: WideSet = self.sets.iter().filter_map(lacking).collect();
            threats.push((plan.played() + 1, cells.iter().collect()));
        });
        let Some((turn, cells)) = threats.last() else { return };
        let names: Vec<String> = cells.iter().map(|&cell| self.view.name(cell)).collect();
        let forcing = threats.iter().rev().take_while(|(_, cells)| !cells.is_empty()).last();
        if let Some((first, _)) = forcing.filter(|(first, _)| first < turn) {
            self.say(
                text,
                &format!("From turn {first} on each move of Black's threatens to complete a set, so that White has no choice."),
            );
        }
        match cells.len() {
            0 => {}
            1 => self.say(text, &format!("After turn {turn} Black threatens {}.", names[0])),
            many => self.say(
                text,
                &format!(
                    "After turn {turn} Black threatens {many} cells at once, {}: White can take but one.",
                    names.join(", ")
                ),
            ),
        }
    }

    /// A paragraph, broken to the width of the page.
    fn say(&self, text: &mut String, sentence: &str) {
        for line in self.view.paragraph(sentence) {
            let _ = writeln!(text, "{line}");
        }
    }
}

/// The end of a line of play.
fn last(plan: &Plan) -> &Plan {
    match &plan.next {
        Next::Plays(_, _, next) => last(next),
        Next::Replies(fork) => fork.groups.first().map_or(plan, |group| last(&group.then)),
        _ => plan,
    }
}

/// Each move of a line of play, with the plan before it.
fn walk(plan: &Plan, visit: &mut impl FnMut(&Plan, Player, Option<Cell>)) {
    match &plan.next {
        Next::Plays(player, cell, next) => {
            visit(plan, *player, Some(*cell));
            walk(next, visit);
        }
        Next::Replies(fork) => {
            if let Some(group) = fork.groups.first() {
                visit(plan, fork.player, group.then.moves.last().copied().flatten());
                walk(&group.then, visit);
            }
        }
        _ => {}
    }
}

/// `1 pair`, `3 pairs`, `2 replies`.
fn counted(number: usize, noun: &str) -> String {
    match (number, noun.strip_suffix('y')) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        _ => format!("{number} {noun}s"),
    }
}
