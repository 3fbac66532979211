//! A game as it is saved: one line about it, then the moves.

use crate::game::Game;
use crate::game::line::{Line, MoveError};
use harary_certificate::{Board, BoardError, Cell, Player, Rule, Shape, ShapeError, Topology};
use thiserror::Error;

/// A game under way, as it is written down.
pub struct Record {
    /// What is to be completed.
    pub shape: Shape,
    /// Where.
    pub board: Board,
    /// Under which rule.
    pub rule: Rule,
    /// Which side the human plays.
    pub human: Player,
    /// The moves so far, in order.
    pub moves: Vec<Cell>,
}

/// How every record begins.
const TITLE: &str = "harary game 1";
/// A longer text is no record.
pub const LONGEST_RECORD: u64 = 1 << 16;

/// Why a text is no record.
#[derive(Debug, Error)]
pub enum RecordError {
    /// The first line is another.
    #[error("line 1 should be '{TITLE}; shape 0,0 1,0; board 3x3 plain; strong rule; you are Black'")]
    NoTitle,
    /// A part of the first line.
    #[error("line 1: what is '{0}'?")]
    Part(String),
    /// The cells of the shape.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The sides of the board.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The moves.
    #[error(transparent)]
    Move(#[from] MoveError),
}

impl Record {
    /// `harary game 1; shape 0,0 1,0 2,0; board 3x3 plain; strong rule; you are Black`, then the moves in order.
    pub fn text(&self) -> String {
        let names: Vec<String> = self.moves.iter().map(|&cell| self.board.cell_name(cell)).collect();
        format!(
            "{TITLE}; shape {}; board {}; {} rule; you are {}\n{}\n",
            self.shape,
            self.board,
            self.rule,
            self.human,
            names.join(" ")
        )
    }

    /// Reads what [`Record::text`] wrote.
    pub fn parse(text: &str) -> Result<Record, RecordError> {
        let (header, moves) = text.split_once('\n').unwrap_or((text, ""));
        let fields: Vec<&str> = header.split(';').map(str::trim).collect();
        let [TITLE, shape, board, rule, human] = fields[..] else { return Err(RecordError::NoTitle) };
        let wrong = |what: &str| RecordError::Part(what.to_owned());
        let shape = Shape::from_cells(shape.strip_prefix("shape ").ok_or_else(|| wrong(shape))?)?;
        let (sides, topology) = match board.strip_prefix("board ").and_then(|board| board.split_once(' ')) {
            Some((sides, "plain")) => (sides, Topology::Plain),
            Some((sides, "torus")) => (sides, Topology::Torus),
            _ => return Err(wrong(board)),
        };
        let rule = match rule {
            "strong rule" => Rule::Strong,
            "weak rule" => Rule::Weak,
            _ => return Err(wrong(rule)),
        };
        let human = match human {
            "you are Black" => Player::Black,
            "you are White" => Player::White,
            _ => return Err(wrong(human)),
        };
        let board = Board::parse(sides, topology)?;
        let game = Game::new(shape.clone(), board, rule);
        let moves = Line::played_out(&game, moves)?.moves;
        Ok(Record { shape, board, rule, human, moves })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_as_they_were() {
        let text = "harary game 1; shape 0,0 1,0 2,0; board 3x3 torus; weak rule; you are White\nb2 a1 c3\n";
        assert_eq!(Record::parse(text).unwrap().text(), text);
        let empty = "harary game 1; shape 0,0; board 1x1 plain; strong rule; you are Black\n\n";
        assert_eq!(Record::parse(empty).unwrap().text(), empty);
        assert_eq!(Record::parse(empty.trim_end()).unwrap().text(), empty);
    }

    #[test]
    fn records_that_are_none_are_refused() {
        let good = "harary game 1; shape 0,0 1,0; board 2x2 plain; strong rule; you are Black\na1 a2";
        assert!(Record::parse(good).is_ok());
        for (from, to) in [
            ("game 1", "game 2"),
            ("shape 0,0 1,0", "shape 0,0 0,0"),
            ("shape", "form"),
            ("2x2 plain", "2x2"),
            ("2x2 plain", "0x2 plain"),
            ("strong rule", "odd rule"),
            ("you are Black", "you are Red"),
            ("a1 a2", "a1 a1"),
            ("a1 a2", "a1 a9"),
            ("a1 a2", "a1 a2 b1 b2"),
            ("; strong", ", strong"),
        ] {
            assert!(Record::parse(&good.replace(from, to)).is_err(), "{to}");
        }
        assert!(Record::parse("").is_err());
    }
}
