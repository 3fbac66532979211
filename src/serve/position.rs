//! Any position: what each move is worth, the move to play, pairs that hold, and games as text.

use super::asked::{Asked, AskedError, Named};
use crate::effort::Limits;
use crate::game::line::{Line, names, vertex};
use crate::game::{Game, Sets, pg};
use crate::paving::Pairs;
use crate::play::adviser::{Adviser, Worth};
use crate::play::record::Record;
use crate::settle::pave::{Found, Question, pave};
use harary_certificate::{Cell, Player, Rule, Schedule, Stones, WIDE, WideSet};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Bytes for the tables of one question.
const MEMORY: usize = 128 << 20;
/// No question is thought about longer.
const LONGEST: u64 = 20;

/// A position of a game: after a line of play, or with stones put anywhere.
#[derive(Clone, Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// The game.
    asked: Asked,
    /// The moves, in order, as `d4 c3`.
    #[serde(default)]
    moves: String,
    /// Stones put there instead.
    #[serde(default)]
    black: String,
    #[serde(default)]
    white: String,
    /// Who is to move then: `black` or `white`.
    #[serde(default)]
    to_move: Option<String>,
    /// How long to think.
    #[serde(default)]
    seconds: u64,
}

/// A game and the stones on its board.
struct Placed {
    named: Named,
    line: Line,
}

impl Position {
    fn placed(&self) -> Result<Placed, AskedError> {
        let mut named = self.asked.named()?;
        if !self.black.is_empty() || !self.white.is_empty() || self.to_move.is_some() {
            named.game = self.set_up(&named.game)?;
        }
        let line = Line::played_out(&named.game, &self.moves).map_err(|error| AskedError(error.to_string()))?;
        Ok(Placed { named, line })
    }

    /// The same game from stones that were put there; the players take turns from then on.
    fn set_up(&self, game: &Game) -> Result<Game, AskedError> {
        let wrong = |error: &dyn ToString| AskedError(error.to_string());
        let cells = |text: &str| -> Result<WideSet, AskedError> {
            names(text).map(|name| vertex(game, name).map_err(|error| wrong(&error))).collect()
        };
        let (black_start, white_start) = (cells(&self.black)?, cells(&self.white)?);
        let first = match self.to_move.as_deref() {
            Some("white") => Player::White,
            _ => Player::Black,
        };
        let left = game.vertices() - (black_start | white_start).len();
        let turns = std::iter::successors(Some(first), |player| Some(player.other())).take(left).collect();
        let sets = Sets {
            names: (0..game.vertices()).map(|index| game.vertex_name(Cell::new(index))).collect(),
            black: game.black_sets().to_vec(),
            white: game.white_sets().to_vec(),
            rule: game.rule(),
            schedule: Schedule::of(turns),
            black_start,
            white_start,
            first: None,
        };
        Game::of_sets(sets).map(|placed| placed.in_place_of(game)).map_err(|error| wrong(&error))
    }

    fn time(&self) -> Duration {
        Duration::from_secs(self.seconds.clamp(1, LONGEST))
    }

    /// What each move is worth; with `hint`, the move to play alone.
    pub fn examine(&self, hint: bool) -> Result<Value, AskedError> {
        let Placed { named, line } = self.placed()?;
        let game = &named.game;
        let Some(player) = line.to_move(game) else { return Ok(json!({ "to_move": null, "moves": [] })) };
        let mut adviser = Adviser::new(game, MEMORY).map_err(|error| AskedError(error.to_string()))?;
        let stones: Stones<WIDE> = line.stones();
        let list: Vec<(Cell, Worth)> = match hint {
            true => adviser.advise(&stones, None, self.time()).iter().map(|hint| (hint.cell, hint.worth)).collect(),
            false => adviser.examine(&stones, self.time()),
        };
        let tell = |&(cell, worth): &(Cell, Worth)| {
            let (word, turn) = worded(worth);
            json!({ "cell": game.vertex_name(cell), "worth": word, "turn": turn, "sentence": worth.sentence(player, game.rule()) })
        };
        Ok(json!({
            "to_move": player.to_string().to_lowercase(),
            "exact": adviser.is_exact(),
            "moves": list.iter().map(tell).collect::<Vec<_>>(),
        }))
    }

    /// Pairs that hold the weak game from here.
    pub fn paving(&self) -> Result<Value, AskedError> {
        let Placed { named, line } = self.placed()?;
        let game = named.game.weak();
        if !game.schedule().is_alternating() {
            return Err(AskedError("pairs are for players who take turns, Black first".to_owned()));
        }
        let limits = Limits::new(Some(self.time()), None, Arc::new(AtomicBool::new(false)));
        let found = pave(&game, &line, Question::Position(Pairs::Any), &limits);
        let Found { paved, pairs, first, proved, .. } = found.map_err(|error| AskedError(error.to_string()))?;
        let name = |cell: Cell| game.vertex_name(cell);
        Ok(json!({
            "paved": paved,
            "pairs": pairs.iter().map(|&(a, b)| [name(a), name(b)]).collect::<Vec<_>>(),
            "first": first.map(name),
            "proved": proved.is_some(),
        }))
    }

    /// The game and its moves as `harary play` saves them.
    pub fn text(&self) -> Result<String, AskedError> {
        let Placed { named, line } = self.placed()?;
        Ok(Record { name: Some(named.name), game: named.game, human: Player::Black, moves: line.moves }.text())
    }
}

/// What is known of a move in one word, and the turn that belongs to it.
fn worded(worth: Worth) -> (&'static str, Option<usize>) {
    match worth {
        Worth::Wins(turn) => ("wins", Some(turn)),
        Worth::Loses(turn) => ("loses", Some(turn)),
        Worth::Even => ("even", None),
        Worth::Safe => ("safe", None),
        Worth::Open(turn) => ("open", turn),
    }
}

/// Reads a saved game: what is played, and the moves.
pub fn read(text: &str) -> Result<Value, AskedError> {
    let Record { game, moves, .. } = Record::parse(text).map_err(|error| AskedError(error.to_string()))?;
    let asked = match game.shape_on_board().filter(|_| game.schedule().is_alternating()) {
        Some((shape, board)) => Asked {
            target: shape.to_string(),
            board: board.sides(),
            family: board.topology().to_string(),
            rule: Some(if game.rule() == Rule::Weak { "weak" } else { "strong" }.to_owned()),
            ..Asked::default()
        },
        None => Asked { sets: Some(pg::write(&game, "game")), ..Asked::default() },
    };
    let moves: Vec<String> = moves.iter().map(|&cell| game.vertex_name(cell)).collect();
    Ok(json!({ "asked": asked, "moves": moves.join(" ") }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(more: Value) -> Position {
        let mut value = json!({ "asked": { "target": "tic", "board": "3x3", "rule": "strong" }, "seconds": 1 });
        value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        serde_json::from_value(value).unwrap()
    }

    #[test]
    fn every_move_of_a_small_board_is_known() {
        let told = position(json!({ "moves": "b2 a1 c3" })).examine(false).unwrap();
        assert_eq!((&told["to_move"], &told["exact"]), (&json!("white"), &json!(true)));
        assert_eq!(told["moves"].as_array().unwrap().len(), 6);
        let hint = position(json!({ "moves": "b2 a1 a2" })).examine(true).unwrap();
        assert_eq!(hint["moves"][0]["cell"], "c2", "{hint}");
        assert!(position(json!({ "moves": "b2 b2" })).examine(true).is_err());
    }

    #[test]
    fn stones_may_be_put_anywhere() {
        let put = json!({ "black": "a1 b1", "white": "c3", "to_move": "white" });
        let told = position(put).examine(false).unwrap();
        let c1 = told["moves"].as_array().unwrap().iter().find(|move_| move_["cell"] == "c1").unwrap().clone();
        let a3 = told["moves"].as_array().unwrap().iter().find(|move_| move_["cell"] == "a3").unwrap().clone();
        assert_eq!((&a3["worth"], &a3["turn"]), (&json!("loses"), &json!(2)), "{told}");
        assert_ne!(c1["worth"], "loses");
        assert!(position(json!({ "black": "a1", "white": "a1" })).examine(false).is_err());
    }

    #[test]
    fn pairs_and_texts() {
        let asked = json!({ "asked": { "target": "fatty", "board": "4x4" } });
        let paved = position(asked.clone()).paving().unwrap();
        assert_eq!((&paved["paved"], &paved["proved"]), (&json!(true), &json!(true)), "{paved}");
        let text = position(json!({ "moves": "b2 a1" })).text().unwrap();
        assert!(text.starts_with("harary game 1; shape 0,0 1,0 2,0; board 3x3 plain; strong rule"), "{text}");
        let back = read(&text).unwrap();
        assert_eq!((&back["moves"], &back["asked"]["board"]), (&json!("b2 a1"), &json!("3x3")));
        let many = json!({ "asked": { "target": "I3+V3", "board": "3x3" }, "moves": "b2" });
        let back = read(&position(many).text().unwrap()).unwrap();
        let again: Asked = serde_json::from_value(back["asked"].clone()).unwrap();
        assert_eq!(again.named().unwrap().game.black_sets().len(), 6 + 16);
        assert!(read("nothing").is_err());
    }
}
