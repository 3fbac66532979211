//! What Python passes for targets, boards, cells and amounts, in the words the library reads.

use crate::errors::mistake;
use crate::shape::Shape;
use harary::effort::amounts::{MEMORY, parse_memory, parse_time};
use harary::game::ground::Family;
use harary::{Player, Rule};
use pyo3::prelude::*;
use std::time::Duration;

/// Cells: `"d4 c3"` or `["d4", "c3"]`.
#[derive(FromPyObject)]
pub enum Cells {
    Text(String),
    List(Vec<String>),
}

impl Cells {
    pub fn text(self) -> String {
        match self {
            Cells::Text(text) => text,
            Cells::List(names) => names.join(" "),
        }
    }
}

/// The text of cells that may be left out.
pub fn cells(cells: Option<Cells>) -> Option<String> {
    cells.map(Cells::text)
}

/// One thing to complete.
#[derive(FromPyObject)]
pub enum Part {
    Shape(Py<Shape>),
    Text(String),
}

impl Part {
    fn text(self) -> String {
        match self {
            Part::Shape(shape) => shape.get().shape.to_string(),
            Part::Text(text) => text,
        }
    }
}

/// What is to be completed: one thing, or any of several.
#[derive(FromPyObject)]
pub enum Target {
    One(Part),
    Several(Vec<Part>),
}

impl Target {
    pub fn text(self) -> String {
        match self {
            Target::One(part) => part.text(),
            Target::Several(parts) => parts.into_iter().map(Part::text).collect::<Vec<_>>().join("+"),
        }
    }
}

/// The family that was asked for.
pub fn family(torus: bool, cylinder: bool, hexagonal: bool) -> PyResult<Family> {
    match (torus, cylinder, hexagonal) {
        (false, false, false) => Ok(Family::Plain),
        (true, false, false) => Ok(Family::Torus),
        (false, true, false) => Ok(Family::Cylinder),
        (false, false, true) => Ok(Family::Hexagonal),
        _ => Err(mistake("a board is a torus, a cylinder or hexagonal; choose one")),
    }
}

/// `strong` or `weak`.
pub fn rule(word: &str) -> PyResult<Rule> {
    match word {
        "strong" => Ok(Rule::Strong),
        "weak" => Ok(Rule::Weak),
        _ => Err(mistake(format!("'{word}' is no rule; write 'strong' or 'weak'"))),
    }
}

/// `black` or `white`.
pub fn player(word: &str) -> PyResult<Player> {
    match word.to_ascii_lowercase().as_str() {
        "black" => Ok(Player::Black),
        "white" => Ok(Player::White),
        _ => Err(mistake(format!("'{word}' is no player; write 'black' or 'white'"))),
    }
}

/// A time: seconds, or `"10m"`.
#[derive(FromPyObject)]
pub enum Time {
    Seconds(f64),
    Text(String),
}

/// The time that was asked for, if one was.
pub fn time(time: Option<Time>) -> PyResult<Option<Duration>> {
    Ok(Some(match time {
        None => return Ok(None),
        Some(Time::Text(text)) => parse_time(&text).map_err(mistake)?,
        Some(Time::Seconds(seconds)) => Duration::try_from_secs_f64(seconds)
            .map_err(|_| mistake(format!("{seconds} is no time; give seconds, or a text such as '10m'")))?,
    }))
}

/// Memory: bytes, or `"2GiB"`.
#[derive(FromPyObject)]
pub enum Memory {
    Bytes(u64),
    Text(String),
}

/// The bytes that were asked for.
pub fn memory(memory: Option<Memory>) -> PyResult<usize> {
    let text = match memory {
        None => MEMORY.to_owned(),
        Some(Memory::Bytes(bytes)) => format!("{bytes}B"),
        Some(Memory::Text(text)) => text,
    };
    parse_memory(&text).map_err(mistake)
}
