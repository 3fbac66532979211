//! A game as a visitor asks for it, and what he lets it cost.
//!
//! A page names no file: a shape is a name of the catalogue or a list of cells, a game of sets is spelled out.

use crate::game::catalogue::Catalogue;
use crate::game::description::describe;
use crate::game::ground::{Family, Ground};
use crate::game::target::{Part, Target};
use crate::game::{Game, pg};
use harary_certificate::{Rule, Shape};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use thiserror::Error;

/// Why there is no such game, in words for the visitor.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct AskedError(pub String);

fn wrong(words: impl ToString) -> AskedError {
    AskedError(words.to_string())
}

/// More parts than this a target of a page does not have.
const MOST_PARTS: usize = 16;

/// A game, in the words of the page.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Asked {
    /// Shapes by name or by cells, `row5`, `lines`, `hex`; several are joined by `+`.
    pub target: String,
    /// The sides, `7x7`, `4x4x4`.
    pub board: String,
    /// Plain, torus, cylinder or hexagonal.
    pub family: String,
    /// Strong or weak; of Hex weak is meant if nothing is said.
    pub rule: Option<String>,
    /// Black's extra stones.
    pub handicap: usize,
    /// GTTT(p,q).
    pub stones: Option<(usize, usize)>,
    /// A game of sets instead, as a `.pg` file has it.
    pub sets: Option<String>,
}

/// A game and what to call it.
pub struct Named {
    /// The names of what is to be completed.
    pub name: String,
    /// The game.
    pub game: Game,
}

impl Named {
    /// One line about it.
    pub fn title(&self) -> String {
        describe(&self.name, &self.game)
    }
}

impl Asked {
    /// The game that is meant.
    pub fn named(&self) -> Result<Named, AskedError> {
        if let Some(sets) = &self.sets {
            let game = pg::read("the text", sets.as_bytes()).map_err(wrong)?;
            return Ok(Named { name: "sets".to_owned(), game });
        }
        let family = match self.family.as_str() {
            "" => Family::Plain,
            name => Family::named(name).ok_or_else(|| wrong(format!("there is no family of boards '{name}'")))?,
        };
        let (name, target) = target(&self.target, family)?;
        let family = if target.is_connection() && family == Family::Plain { Family::Hexagonal } else { family };
        let ground = Ground::parse(&self.board.trim().replace('×', "x"), family).map_err(wrong)?;
        let rule = match self.rule.as_deref() {
            Some("strong") => Rule::Strong,
            Some("weak") => Rule::Weak,
            None if target.is_connection() => Rule::Weak,
            None => Rule::Strong,
            Some(other) => return Err(wrong(format!("there is no rule '{other}'; it is strong or weak"))),
        };
        let mut game = Game::built(target, ground, rule).map_err(wrong)?;
        let most = game.vertices();
        if self.handicap >= most || self.stones.is_some_and(|(p, q)| p.max(q) > most) {
            return Err(wrong(format!("that is more stones than the {most} cells of the board allow")));
        }
        if self.stones.is_some_and(|(p, q)| p == 0 || q == 0) {
            return Err(wrong("a turn of 0 stones is none"));
        }
        if self.handicap > 0 && self.stones.is_some() {
            return Err(wrong("a handicap or several stones a turn, not both"));
        }
        if self.handicap > 0 {
            game = game.with_handicap(self.handicap);
        }
        if let Some((p, q)) = self.stones.filter(|stones| *stones != (1, 1)) {
            game = game.with_stones(p, q).map_err(wrong)?;
        }
        Ok(Named { name, game })
    }

    /// The words after `harary solve` that mean the same game; none if only a file could say it.
    pub fn arguments(&self) -> Option<String> {
        if self.sets.is_some() {
            return None;
        }
        let plain = self.target.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
        let target = if plain { self.target.clone() } else { format!("\"{}\"", self.target) };
        let mut words = vec![target, self.board.replace('×', "x")];
        if !matches!(self.family.as_str(), "" | "plain") && self.target != "hex" {
            words.push(format!("--{}", self.family));
        }
        words.extend(self.rule.iter().filter(|rule| *rule != "strong").map(|rule| format!("--rule {rule}")));
        words.extend(Some(self.handicap).filter(|stones| *stones > 0).map(|stones| format!("--handicap {stones}")));
        words.extend(self.stones.filter(|stones| *stones != (1, 1)).map(|(p, q)| format!("--stones {p},{q}")));
        Some(words.join(" "))
    }
}

/// A target and the names of its parts.
fn target(text: &str, family: Family) -> Result<(String, Target), AskedError> {
    let words: Vec<&str> = text.split('+').map(str::trim).collect();
    if words.iter().any(|word| word.is_empty()) {
        return Err(wrong("draw a shape, or pick one"));
    }
    if words.len() > MOST_PARTS {
        return Err(wrong(format!("at most {MOST_PARTS} shapes at a time")));
    }
    let parts = words.into_iter().map(|word| part(word, family)).collect::<Result<Vec<_>, _>>()?;
    let mut names: Vec<&str> = Vec::new();
    for (name, _) in &parts {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    Ok((names.join("+"), Target::new(parts.iter().map(|(_, part)| part.clone()))))
}

/// One part of a target, and its name.
fn part(word: &str, family: Family) -> Result<(String, Part), AskedError> {
    let small = word.to_ascii_lowercase();
    let special = match small.as_str() {
        "hex" => Some(Part::Connection),
        "lines" => Some(Part::Lines),
        other => match other.strip_prefix("row").map(str::parse) {
            Some(Ok(length @ 1..)) => Some(Part::Row(length)),
            Some(_) => return Err(wrong(format!("'{word}' is no number of cells in a row; write row5"))),
            None => None,
        },
    };
    if let Some(part) = special {
        return Ok((part.to_string(), part));
    }
    // A name means another shape where cells are hexagons.
    let catalogue = if family == Family::Hexagonal { Catalogue::hexagonal() } else { Catalogue::standard() };
    if let Some(entry) = catalogue.find(word) {
        return Ok((entry.name.clone(), Part::Shape(entry.shape.clone())));
    }
    if !word.contains(',') {
        let advice = catalogue.nearest(word).map_or(String::new(), |name| format!("; did you mean {name}?"));
        return Err(wrong(format!("no shape '{word}'{advice}")));
    }
    let shape = Shape::from_cells(word).map_err(wrong)?;
    let name = name_of(&shape, family == Family::Hexagonal).map_or_else(|| shape.to_string(), str::to_owned);
    Ok((name, Part::Shape(shape)))
}

/// What the catalogue calls a shape. One of hexagons is known as it lies: the catalogue turns squares only.
pub fn name_of(shape: &Shape, hexagonal: bool) -> Option<&'static str> {
    let found = match hexagonal {
        true => Catalogue::hexagonal().entries().iter().find(|entry| entry.shape == *shape),
        false => Catalogue::standard().find_shape(shape),
    };
    found.map(|entry| entry.name.as_str())
}

/// What a run may cost.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Effort {
    /// Threads.
    pub cores: usize,
    /// Mebibytes for tables.
    pub memory: usize,
    /// Seconds.
    pub seconds: u64,
}

impl Effort {
    /// As much as was asked for and is allowed.
    pub fn capped(self, most: Effort) -> Effort {
        Effort {
            cores: self.cores.clamp(1, most.cores.max(1)),
            memory: self.memory.clamp(1, most.memory.max(1)),
            seconds: self.seconds.clamp(1, most.seconds.max(1)),
        }
    }

    /// Bytes for tables.
    pub fn bytes(self) -> usize {
        self.memory.saturating_mul(1 << 20)
    }

    /// As a duration.
    pub fn time(self) -> Duration {
        Duration::from_secs(self.seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(target: &str, board: &str, family: &str) -> Asked {
        Asked { target: target.to_owned(), board: board.to_owned(), family: family.to_owned(), ..Asked::default() }
    }

    #[test]
    fn games_are_read_as_the_command_line_reads_them() {
        for (asked, title, arguments) in [
            (
                asked("0,0 1,0 2,0 3,0", "7x7", "plain"),
                "skinny (0,0 1,0 2,0 3,0) on 7x7 plain, strong rule",
                "\"0,0 1,0 2,0 3,0\" 7x7",
            ),
            (asked("I5+D5", "7x7", ""), "I5+D5 on 7x7 plain, strong rule", "\"I5+D5\" 7x7"),
            (asked("row4", "4x4x4", "plain"), "row4 on 4x4x4 box, strong rule", "row4 4x4x4"),
            (asked("hex", "4x4", "plain"), "hex on 4x4 hexagonal, weak rule", "hex 4x4"),
            (asked("tic", "5×4", "cylinder"), "tic on 5x4 cylinder, strong rule", "tic 5x4 --cylinder"),
            (
                asked("0,0 0,1 1,0", "4x4", "hexagonal"),
                "triangle on 4x4 hexagonal, strong rule",
                "\"0,0 0,1 1,0\" 4x4 --hexagonal",
            ),
            (asked("bee", "4x4", "hexagonal"), "bee on 4x4 hexagonal, strong rule", "bee 4x4 --hexagonal"),
        ] {
            assert_eq!(asked.named().unwrap().title(), title);
            assert_eq!(asked.arguments().as_deref(), Some(arguments));
        }
        let weak = Asked { rule: Some("weak".to_owned()), handicap: 1, ..asked("el", "3x3", "torus") };
        assert_eq!(weak.arguments().as_deref(), Some("el 3x3 --torus --rule weak --handicap 1"));
        assert_eq!(weak.named().unwrap().game.schedule().letters(), "BBWBWBWBW");
    }

    #[test]
    fn no_word_of_a_page_reads_a_file() {
        let file = env!("CARGO_MANIFEST_DIR").to_owned() + "/shapes/hexagonal.txt";
        for target in [&file, &format!("@{file}"), "/etc/passwd", "@/etc/passwd#root", "shapes/hexagonal.txt"] {
            assert!(asked(target, "5x5", "").named().is_err(), "{target}");
        }
    }

    #[test]
    fn mistakes_are_told() {
        let complaint = |asked: Asked| asked.named().err().map(|error| error.0).unwrap_or_default();
        assert_eq!(complaint(asked("", "7x7", "")), "draw a shape, or pick one");
        assert_eq!(complaint(asked("skiny", "7x7", "")), "no shape 'skiny'; did you mean skinny?");
        assert!(complaint(asked("el", "7", "")).contains('7'));
        assert!(complaint(asked("el", "99x99", "")).contains("99"));
        assert_eq!(complaint(asked("el", "7x7", "bottle")), "there is no family of boards 'bottle'");
        assert!(complaint(Asked { handicap: 9, ..asked("el", "3x3", "") }).contains("9 cells"));
        assert!(complaint(Asked { stones: Some((0, 1)), ..asked("el", "3x3", "") }).contains('0'));
        assert!(complaint(asked(&["el"; 17].join("+"), "3x3", "")).contains("16"));
    }
}
