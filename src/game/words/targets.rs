//! Targets and boards as they are typed.

use super::mistake::{OrUsage, UsageError};
use super::shapes::{NamedShape, parse_shape};
use crate::game::Game;
use crate::game::catalogue::Catalogue;
use crate::game::ground::{Family, Ground};
use crate::game::target::{Part, Target};
use harary_certificate::{Board, BoardError, MAX_SIDE, Rule, Topology};
use std::path::Path;

/// A target and what to call it.
#[derive(Clone, Debug)]
pub struct NamedTarget {
    /// The names of its parts, joined by `+`.
    pub name: String,
    /// The target.
    pub target: Target,
}

/// Reads the number of cells in a row.
pub fn parse_row(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(length @ 1..) => Ok(length),
        _ => Err(format!("'{text}' is no number of cells in a row; write --row 5")),
    }
}

/// Reads a target in any of the ways `harary solve --help` lists, for a board of this family.
pub fn parse_target(text: &str, family: Family) -> anyhow::Result<NamedTarget> {
    // The name of a file may have a plus in it.
    let is_file = Path::new(text.trim().trim_start_matches('@').split('#').next().unwrap_or_default()).is_file();
    let several = !is_file && text.contains('+');
    let words: Vec<&str> = if several { text.split('+').map(str::trim).collect() } else { vec![text] };
    if several && words.iter().any(|word| word.is_empty()) {
        return Err(UsageError(format!("'{text}' lacks a shape; several are written I5+D5")).into());
    }
    let parts = words.into_iter().map(|word| parse_part(word, family)).collect::<anyhow::Result<Vec<_>>>()?;
    let mut names: Vec<String> = Vec::new();
    for (name, _) in &parts {
        if !names.contains(name) {
            names.push(name.clone());
        }
    }
    Ok(NamedTarget { name: names.join("+"), target: Target::new(parts.into_iter().map(|(_, part)| part)) })
}

/// One part of a target, and its name.
fn parse_part(text: &str, family: Family) -> anyhow::Result<(String, Part)> {
    let word = text.trim().to_ascii_lowercase();
    let part = match word.as_str() {
        "hex" => Some(Part::Connection),
        "lines" => Some(Part::Lines),
        word => match word.strip_prefix("row") {
            Some(digits) => Some(Part::Row(parse_row(digits).map_err(UsageError)?)),
            None => None,
        },
    };
    if let Some(part) = part {
        return Ok((part.to_string(), part));
    }
    if family != Family::Hexagonal {
        let NamedShape { name, shape } = parse_shape(text)?;
        return Ok((name, Part::Shape(shape)));
    }
    if let Some(entry) = Catalogue::hexagonal().find(&word) {
        return Ok((entry.name.clone(), Part::Shape(entry.shape.clone())));
    }
    // A name of squares would say something else than what lies there; lines are lines.
    let NamedShape { name, shape } = parse_shape(text)?;
    let name = if name.eq_ignore_ascii_case(&word) { name } else { shape.to_string() };
    Ok((name, Part::Shape(shape)))
}

/// The board of these sides and this family for a target: Hex needs no word for its cells.
pub fn ground(sides: &str, family: Family, target: &Target) -> anyhow::Result<Ground> {
    let family = match family {
        Family::Plain if target.is_connection() => Family::Hexagonal,
        family => family,
    };
    Ground::parse(sides.trim(), family).usage()
}

/// Reads `7x7`, or `7×7` as our own pages print it.
pub fn parse_board(text: &str, torus: bool) -> anyhow::Result<Board> {
    let topology = if torus { Topology::Torus } else { Topology::Plain };
    Board::parse(&text.replace('×', "x"), topology).map_err(|error| {
        let message = match error {
            // As it was typed: the number may be too large for any type.
            BoardError::Size(..) => format!("a board is 1x1 to {MAX_SIDE}x{MAX_SIDE}, not {text}"),
            BoardError::NotABoard(_) => BoardError::NotABoard(text.to_owned()).to_string(),
            other => other.to_string(),
        };
        UsageError(message).into()
    })
}

/// The game of a target on a board.
pub fn build(target: Target, ground: Ground, rule: Option<Rule>) -> anyhow::Result<Game> {
    // Somebody connects in Hex, and not both: the weak game is the whole game (docs/game.md, lemma on Hex).
    let usual = if target.is_connection() { Rule::Weak } else { Rule::Strong };
    Game::built(target, ground, rule.unwrap_or(usual)).usage()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, family: Family) -> (String, usize) {
        let named = parse_target(text, family).unwrap();
        (named.name, named.target.parts().len())
    }

    #[test]
    fn targets_are_read_and_named() {
        for (text, family, name, parts) in [
            ("skinny", Family::Plain, "skinny", 1),
            ("I5+D5", Family::Plain, "I5+D5", 2),
            (" i4 + XX/XX ", Family::Torus, "skinny+fatty", 2),
            ("I4+skinny", Family::Plain, "skinny", 1),
            ("ROW5", Family::Cylinder, "row5", 1),
            ("row3+fatty", Family::Plain, "row3+fatty", 2),
            ("lines", Family::Plain, "lines", 1),
            ("hex", Family::Hexagonal, "hex", 1),
            ("bee+Propeller", Family::Hexagonal, "bee+propeller", 2),
            ("0,0 1,0 0,1", Family::Hexagonal, "0,0 0,1 1,0", 1),
            ("D3", Family::Hexagonal, "D3", 1),
        ] {
            assert_eq!(read(text, family), (name.to_owned(), parts), "{text}");
        }
    }

    #[test]
    fn mistakes_in_targets_are_told() {
        let complaint = |text: &str| parse_target(text, Family::Plain).unwrap_err().to_string();
        assert_eq!(complaint("I5+"), "'I5+' lacks a shape; several are written I5+D5");
        assert_eq!(complaint("+"), "'+' lacks a shape; several are written I5+D5");
        assert_eq!(complaint("I5+skiny"), "no shape 'skiny'; did you mean skinny?");
        assert_eq!(complaint("row0"), "'0' is no number of cells in a row; write --row 5");
        assert_eq!(complaint("bee"), "no shape 'bee'; 'harary shapes' lists them");
    }
}
