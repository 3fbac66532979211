//! A [`Branch`] of a strategy as text, JSON, Graphviz, SVG or TikZ.

use crate::views::picture::{Mark, Picture, TIKZ_BEGIN, TIKZ_END, letter, tex};
use harary_certificate::{
    Cell, Header, Player, Setting,
    playbook::{Branch, Next, Reply, Rest},
};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// At most this many cells are listed by name.
const LISTED: usize = 8;

/// Draws branches of one strategy.
pub struct View<'a> {
    header: &'a Header,
    color: bool,
    /// One line of play, not a tree: nothing is indented.
    flat: bool,
}

impl<'a> View<'a> {
    pub fn new(header: &'a Header, color: bool) -> View<'a> {
        View { header, color, flat: false }
    }

    /// For a single line of play.
    pub fn flat(self) -> View<'a> {
        View { flat: true, ..self }
    }

    fn name(&self, cell: Cell) -> String {
        self.header.cell_name(cell)
    }

    fn names(&self, cells: &[Cell]) -> Vec<String> {
        cells.iter().map(|&cell| self.name(cell)).collect()
    }

    /// `b2`, `b2 (or d2, b4, d4)`, `elsewhere`.
    fn reply(&self, reply: &Reply) -> String {
        let names = self.names(&reply.cells);
        match names.split_first() {
            None => "elsewhere".into(),
            Some((first, [])) => first.clone(),
            Some((first, others)) => format!("{first} (or {})", listed(others)),
        }
    }

    fn rest(&self, rest: &Rest, alone: bool) -> String {
        let which = match rest.cells.len() {
            1 if !alone => format!("the other reply, {}", self.name(rest.cells[0])),
            count if alone => format!("every reply ({count})"),
            count => format!("all other replies ({count})"),
        };
        format!("{which}: {}", rest.says)
    }

    /// The stones, the next one too if `with_move`, and the pairs of a paving as letters.
    fn picture(&self, branch: &Branch, with_move: bool) -> Option<Picture> {
        let Setting::Board { board, .. } = &self.header.setting else { return None };
        let state = &branch.state;
        Some(Picture::of_board(board, |cell| match &branch.next {
            Next::Plays(player, played, _) if with_move && cell == *played => Mark::stone(*player).highlighted(),
            Next::Paved(pairs) => match pairs.iter().position(|pair| pair.0 == cell || pair.1 == cell) {
                Some(index) if !state.white().contains(cell) => Mark::text(letter(index)),
                _ => Mark::of_stones(state.black(), state.white(), cell),
            },
            _ => Mark::of_stones(state.black(), state.white(), cell),
        }))
    }

    fn drawing(&self, branch: &Branch) -> String {
        let state = &branch.state;
        let mut text = match self.picture(branch, false) {
            Some(picture) => picture.text(self.color),
            None => {
                let names = |set: &harary_certificate::WideSet| self.names(&set.iter().collect::<Vec<_>>()).join(" ");
                format!("Black {}; White {}\n", names(state.black()), names(state.white()))
            }
        };
        if state.elsewhere() > 0 {
            let _ = writeln!(text, "and {} of White's stones elsewhere", state.elsewhere());
        }
        text
    }

    /// An indented tree, with boards where the other side has a choice; or one line of play and its last board.
    pub fn text(&self, branch: &Branch) -> String {
        let mut out = String::new();
        if branch.played > 0 {
            out += &self.drawing(branch);
        }
        self.write_text(&mut out, 0, branch);
        out
    }

    fn write_text(&self, out: &mut String, indent: usize, branch: &Branch) {
        let deeper = |more: usize| if self.flat { 0 } else { indent + more };
        let more = |next: &Branch| if matches!(next.next, Next::Cut) { " …" } else { "" };
        match &branch.next {
            Next::Cut => {}
            Next::Over(why) => indented(out, indent, why),
            Next::Paved(pairs) if pairs.is_empty() => indented(out, indent, "no winning set is left to Black"),
            Next::Paved(_) => {
                indented(out, indent, "White answers in the same pair from here on");
                indented(out, deeper(2), &self.drawing(branch));
            }
            Next::Plays(player, cell, next) => {
                let name = self.name(*cell);
                indented(out, indent, &format!("{}. {player} {name}{}", branch.played + 1, more(next)));
                if !self.flat && matches!(&next.next, Next::Replies(_, replies, _) if replies.len() > 1) {
                    indented(out, indent + 3, &self.drawing(next));
                }
                self.write_text(out, indent, next);
            }
            Next::Replies(player, replies, rest) => {
                for (reply, next) in replies {
                    let reply = self.reply(reply);
                    indented(out, deeper(2), &format!("{}. {player} {reply}{}", branch.played + 1, more(next)));
                    self.write_text(out, deeper(4), next);
                }
                if !rest.cells.is_empty() && (!self.flat || replies.is_empty()) {
                    indented(out, deeper(2), &self.rest(rest, replies.is_empty()));
                }
            }
        }
        let last = !matches!(&branch.next, Next::Plays(..))
            && !matches!(&branch.next, Next::Replies(_, replies, _) if !replies.is_empty());
        if self.flat && last && !matches!(branch.next, Next::Paved(_)) {
            *out += &self.drawing(branch);
        }
    }

    /// The branch for machines: every position has every key, and what does not apply is null.
    pub fn json(&self, branch: &Branch) -> Value {
        let state = &branch.state;
        let side = |player: &Player| player.to_string().to_lowercase();
        let mut value = json!({
            "turns_played": branch.played,
            "black": self.names(&state.black().iter().collect::<Vec<_>>()),
            "white": self.names(&state.white().iter().collect::<Vec<_>>()),
            "white_elsewhere": state.elsewhere(),
            "cut": matches!(branch.next, Next::Cut),
            "over": null,
            "pairs": null,
            "plays": null,
            "replies": null,
            "rest": null,
        });
        match &branch.next {
            Next::Over(why) => value["over"] = json!(why),
            Next::Cut => {}
            Next::Paved(pairs) => {
                value["pairs"] = pairs.iter().map(|&(a, b)| json!([self.name(a), self.name(b)])).collect();
            }
            Next::Plays(player, cell, next) => {
                value["plays"] = json!({ "player": side(player), "cell": self.name(*cell), "then": self.json(next) });
            }
            Next::Replies(player, replies, rest) => {
                value["replies"] = replies
                    .iter()
                    .map(|(reply, next)| {
                        json!({ "player": side(player), "cells": self.names(&reply.cells),
                            "elsewhere": reply.elsewhere, "then": self.json(next) })
                    })
                    .collect();
                value["rest"] = json!({ "cells": self.names(&rest.cells), "says": rest.says });
            }
        }
        value
    }

    /// A graph for Graphviz: a box for each move of the strategy, an arrow for each reply.
    pub fn dot(&self, branch: &Branch) -> String {
        let mut out =
            "digraph strategy {\n  node [shape=box, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\"];\n"
                .to_owned();
        self.write_dot(&mut out, &mut 0, branch);
        out + "}\n"
    }

    /// Writes one box and what follows it; returns the number of the box.
    fn write_dot(&self, out: &mut String, count: &mut usize, branch: &Branch) -> usize {
        let number = *count;
        *count += 1;
        let mut label = Vec::new();
        let mut at = branch;
        while let Next::Plays(player, cell, next) = &at.next {
            label.push(format!("{}. {player} {}", at.played + 1, self.name(*cell)));
            at = next;
        }
        match &at.next {
            Next::Over(why) => label.push(why.clone()),
            Next::Cut => label.push("…".into()),
            Next::Paved(pairs) => {
                label.extend(pairs.iter().map(|&(a, b)| format!("{}-{}", self.name(a), self.name(b))));
            }
            Next::Replies(_, replies, rest) if !rest.cells.is_empty() => {
                label.push(self.rest(rest, replies.is_empty()))
            }
            _ => {}
        }
        let _ = writeln!(out, "  n{number} [label=\"{}\"];", label.join("\\n").replace('"', "'"));
        if let Next::Replies(player, replies, _) = &at.next {
            for (reply, next) in replies {
                let child = self.write_dot(out, count, next);
                let _ = writeln!(out, "  n{number} -> n{child} [label=\"{player} {}\"];", self.reply(reply));
            }
        }
        number
    }

    /// Boards as pictures, a column for each pair of turns; `None` if the game is on no board.
    pub fn svg(&self, branch: &Branch) -> Option<String> {
        let Setting::Board { board, .. } = &self.header.setting else { return None };
        // Wide enough for the captions, too.
        let tile = ((board.width() * 40 + 120).max(500), board.height() * 40 + 110);
        let sheet = self.sheet(branch);
        let (width, height) = (tile.0 * sheet.columns, tile.1 * sheet.rows);
        let mut drawn = String::new();
        for part in &sheet.parts {
            match part {
                Part::Board { column, row, caption, picture, below } => {
                    let (x, y) = (column * tile.0, row * tile.1);
                    let picture = picture.as_ref().map_or(String::new(), Picture::svg);
                    let _ = writeln!(drawn, "<text x=\"{}\" y=\"{}\">{caption}</text>", x + 10, y + 18);
                    let placed = picture.replacen("<svg ", &format!("<svg x=\"{x}\" y=\"{}\" ", y + 24), 1);
                    let _ = write!(drawn, "{placed}");
                    let (x, y) = (x + 10, y + tile.1 - 12);
                    let _ = writeln!(drawn, "<text x=\"{x}\" y=\"{y}\" fill=\"gray\">{below}</text>");
                }
                Part::Link { column, row, child } => {
                    let x = column * tile.0;
                    let (from, to) = (x + tile.0 - 60, x + tile.0 - 4);
                    let (start, end) = (row * tile.1 + tile.1 / 2, child * tile.1 + tile.1 / 2);
                    let _ = writeln!(
                        drawn,
                        "<path d=\"M {from} {start} L {from} {end} L {to} {end}\" fill=\"none\" stroke=\"gray\"/>"
                    );
                }
            }
        }
        Some(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"14\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n{drawn}</svg>\n"
        ))
    }

    /// The same boards for LaTeX, as one `tikzpicture`; `None` if the game is on no board.
    pub fn tikz(&self, branch: &Branch) -> Option<String> {
        let Setting::Board { board, .. } = &self.header.setting else { return None };
        // In cells of half a centimetre; captions are about a third of one a letter, and are broken into lines.
        let tile = (board.width().max(MIN_TEXT) + 4, board.height() + 7);
        let text_width = tile.0 - 2;
        let sheet = self.sheet(branch);
        let mut drawn = TIKZ_BEGIN.to_owned();
        for part in &sheet.parts {
            match part {
                Part::Board { column, row, caption, picture, below } => {
                    let (x, y) = (column * tile.0, (sheet.rows - 1 - row) * tile.1);
                    let _ = writeln!(drawn, "  \\begin{{scope}}[shift={{({x},{y})}}]");
                    let mut write = |anchor: &str, at: String, color: &str, text: &str| {
                        if !text.is_empty() {
                            let style = format!("anchor={anchor},align=left,text width={}mm{color}", 5 * text_width);
                            let _ = writeln!(drawn, "  \\node[{style}] at ({at}) {{{}}};", tex(text));
                        }
                    };
                    write("south west", format!("-1,{}.2", board.height()), "", caption);
                    write("north west", "-1,-0.9".to_owned(), ",gray", below);
                    drawn += &picture.as_ref().map_or(String::new(), Picture::tikz_body);
                    drawn += "  \\end{scope}\n";
                }
                Part::Link { column, row, child } => {
                    let middle = |row: usize| (sheet.rows - 1 - row) * tile.1 + board.height() / 2;
                    let (from, to) = (column * tile.0 + tile.0 - 3, (column + 1) * tile.0 - 1);
                    let (start, end) = (middle(*row), middle(*child));
                    let edge = column * tile.0 + board.width();
                    let path = format!("({edge}.4,{start}) -- ({from},{start}) -- ({from},{end}) -- ({to},{end})");
                    let _ = writeln!(drawn, "  \\draw[gray,->] {path};");
                }
            }
        }
        Some(drawn + TIKZ_END)
    }

    /// Where the boards of a tree go.
    fn sheet(&self, branch: &Branch) -> Sheet {
        let mut sheet = Sheet { parts: Vec::new(), columns: 0, rows: 0 };
        self.lay_out(&mut sheet, 0, branch, "");
        sheet.columns += 1;
        sheet.rows = sheet.rows.max(1);
        sheet
    }

    /// Puts one board at the next free row, and its replies to the right of it; returns its row.
    fn lay_out(&self, sheet: &mut Sheet, column: usize, branch: &Branch, reply: &str) -> usize {
        sheet.columns = column.max(sheet.columns);
        let row = sheet.rows;
        let mut caption = reply.to_owned();
        let mut at = branch;
        while let Next::Plays(player, cell, next) = &at.next {
            let _ = write!(
                caption,
                "{}{}. {player} {}",
                if caption.is_empty() { "" } else { ", " },
                at.played + 1,
                self.name(*cell)
            );
            if !matches!(next.next, Next::Plays(..)) {
                break;
            }
            at = next;
        }
        let (shown, after) = match &at.next {
            Next::Plays(_, _, next) => (at, next.as_ref()),
            _ => (at, at),
        };
        let below = match &after.next {
            Next::Over(why) => why.clone(),
            Next::Cut => "…".into(),
            Next::Paved(_) => "White answers in the same pair".into(),
            Next::Replies(_, replies, rest) if !rest.cells.is_empty() => self.rest(rest, replies.is_empty()),
            _ => String::new(),
        };
        let shown = if matches!(after.next, Next::Paved(_)) { after } else { shown };
        sheet.parts.push(Part::Board { column, row, caption, picture: self.picture(shown, true), below });
        let mut last = row;
        if let Next::Replies(player, replies, _) = &after.next {
            for (reply, next) in replies {
                let text = format!("{}. {player} {}", after.played + 1, self.reply(reply));
                let child = self.lay_out(sheet, column + 1, next, &text);
                sheet.parts.push(Part::Link { column, row, child });
                last = last.max(child);
            }
        }
        sheet.rows = sheet.rows.max(last + 1);
        row
    }
}

/// Captions beside TikZ boards have room for so many cells at least.
const MIN_TEXT: usize = 9;

/// The boards of a tree on a grid of tiles, in the order in which they are drawn.
struct Sheet {
    parts: Vec<Part>,
    columns: usize,
    rows: usize,
}

enum Part {
    Board {
        column: usize,
        row: usize,
        caption: String,
        picture: Option<Picture>,
        below: String,
    },
    /// From the board at `row` to its child in the next column.
    Link {
        column: usize,
        row: usize,
        child: usize,
    },
}

fn listed(names: &[String]) -> String {
    match names.len() {
        count if count > LISTED => format!("{} and {} more", names[..LISTED].join(", "), count - LISTED),
        _ => names.join(", "),
    }
}

fn indented(out: &mut String, indent: usize, text: &str) {
    text.lines().for_each(|line| {
        let _ = writeln!(out, "{:indent$}{line}", "");
    });
}
