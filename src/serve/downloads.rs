//! What a settled run can be taken home as, and how its strategy is walked through.

use super::run::Run;
use crate::game::description::certified_name;
use crate::views::hex::hex;
use crate::views::page::Page;
use crate::views::plan::{Fork, Grouping, Next, Plan};
use crate::views::tree::{How, View};
use harary_certificate::playbook::Playbook;
use harary_certificate::{Refused, Setting};
use serde::Deserialize;
use serde_json::{Value, json};
use std::fs::File;
use std::io;
use std::path::Path;
use thiserror::Error;

/// Makes the JSON of a certificate in a file.
pub type TreeJson = fn(&Path) -> io::Result<Vec<u8>>;

/// The files there are.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, Debug)]
pub enum Kind {
    /// The strategy as a tree of boards.
    #[serde(rename = "tree.svg")]
    Svg,
    /// The same for LaTeX.
    #[serde(rename = "tree.tex")]
    Tikz,
    /// One line of play, the longest.
    #[serde(rename = "line.svg")]
    LineSvg,
    /// The same for LaTeX.
    #[serde(rename = "line.tex")]
    LineTikz,
    /// The strategy for machines.
    #[serde(rename = "tree.json")]
    Json,
    /// The page of `harary view`.
    #[serde(rename = "page.html")]
    Page,
}

impl Kind {
    /// How its name ends.
    pub fn ending(self) -> &'static str {
        match self {
            Kind::Svg => "svg",
            Kind::Tikz => "tex",
            Kind::LineSvg => "line.svg",
            Kind::LineTikz => "line.tex",
            Kind::Json => "json",
            Kind::Page => "html",
        }
    }

    /// What it is.
    pub fn media(self) -> &'static str {
        match self {
            Kind::Svg | Kind::LineSvg => "image/svg+xml",
            Kind::Tikz | Kind::LineTikz => "application/x-tex",
            Kind::Json => "application/json",
            Kind::Page => "text/html; charset=utf-8",
        }
    }
}

/// Why there is no such file.
#[derive(Debug, Error)]
pub enum DownloadError {
    /// The certificate is not what it was.
    #[error("the certificate is refused: {0}")]
    Refused(#[from] Refused),
    /// It cannot be read.
    #[error("the certificate cannot be read: {0}")]
    Unread(#[from] io::Error),
    /// It cannot be drawn.
    #[error("this game lies on no board, so its strategy cannot be drawn")]
    NoPicture,
    /// A line of play that is none.
    #[error("{0}")]
    Line(String),
}

/// Turns of a tree; millimetres of its width; the answers shown to each choice.
const DEPTH: usize = 4;
const WIDTH: f64 = 180.0;
const ANSWERS: usize = 6;

/// Makes a file of a certificate, which is checked again on the way.
pub fn make(kind: Kind, certificate: &Path, as_json: TreeJson) -> Result<Vec<u8>, DownloadError> {
    if kind == Kind::Page {
        let page = Page::open(File::open(certificate)?)?;
        let mut bytes = Vec::new();
        page.write(certified_name(page.accepted().header()).as_deref(), &mut bytes)?;
        return Ok(bytes);
    }
    if kind == Kind::Json {
        return Ok(as_json(certificate)?);
    }
    let book = Playbook::open(File::open(certificate)?)?;
    let line = matches!(kind, Kind::LineSvg | Kind::LineTikz);
    let how = How { color: false, columns: 100, line, numbered: line, hex: is_hex(&book) };
    let view = View::new(&book, how);
    let plan = match line {
        true => Plan::main_line(&book, book.start(), Vec::new()),
        false => Plan::new(&book, book.start(), Vec::new(), DEPTH, Grouping::Alike(ANSWERS)),
    };
    let picture = match kind {
        Kind::Svg | Kind::LineSvg => view.svg(&plan, WIDTH),
        _ => view.tikz(&plan, WIDTH),
    };
    picture.map(String::into_bytes).ok_or(DownloadError::NoPicture)
}

/// Whether it is a game of Hex, which is drawn with slanted rows.
fn is_hex(book: &Playbook) -> bool {
    match (&book.header().setting, book.names()) {
        (Setting::Sets { black, .. }, Some(names)) => hex(names, black).is_some(),
        _ => false,
    }
}

/// What a page needs to play the certificate.
pub fn playable(certificate: &Path) -> Result<Value, DownloadError> {
    let page = Page::open(File::open(certificate)?)?;
    let (facts, tables) = page.parts(certified_name(page.accepted().header()).as_deref());
    Ok(json!({ "facts": facts, "tables": tables }))
}

/// The choices after a line of play, each with its answer and the turn the longest line ends with.
pub fn walk(certificate: &Path, after: &str) -> Result<Value, DownloadError> {
    let book = Playbook::open(File::open(certificate)?)?;
    let wrong = |error: &dyn ToString| DownloadError::Line(error.to_string());
    let state = book.follow(after).map_err(|error| wrong(&error))?;
    let moves = book.cells(after).map_err(|error| wrong(&error))?.into_iter().map(Some).collect();
    let plan = Plan::new(&book, state, moves, 1, Grouping::Alike(usize::MAX));
    let mut at = &plan;
    while let Next::Plays(_, _, next) = &at.next {
        at = next;
    }
    let name = |cell| book.cell_name(cell);
    Ok(match &at.next {
        Next::Replies(Fork { player, groups, rest, .. }) => json!({
            "player": player.to_string().to_lowercase(),
            "groups": groups.iter().map(|group| json!({
                "cells": group.cells.iter().chain(&group.images).map(|&cell| name(cell)).collect::<Vec<_>>(),
                "until": group.until,
                "answer": match &group.then.next {
                    Next::Plays(_, cell, _) => Some(name(*cell)),
                    _ => None,
                },
            })).collect::<Vec<_>>(),
            "rest": rest.cells.iter().map(|&cell| name(cell)).collect::<Vec<_>>(),
            "says": rest.says,
        }),
        Next::Over(why) => json!({ "groups": [], "says": why }),
        Next::Paved(pairs) => json!({
            "groups": [],
            "says": "White answers in the same pair from here on.",
            "pairs": pairs.iter().map(|&(a, b)| [name(a), name(b)]).collect::<Vec<_>>(),
        }),
        Next::Plays(..) | Next::Cut => json!({ "groups": [], "says": null }),
    })
}

/// What a file of a run is called: letters, digits and dashes only.
pub fn file_name(run: &Run, ending: &str) -> String {
    let title = run.title.split(" rule").next().unwrap_or_default();
    let words: Vec<&str> =
        title.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|w| !w.is_empty()).collect();
    let name: String = words.join("-").chars().take(80).collect();
    format!("{}.{ending}", if name.is_empty() { "game" } else { &name })
}
