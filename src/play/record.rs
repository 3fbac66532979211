//! A game as it is saved: one line about it, then the moves; a game that is no shape on a board, players alternating, is
//! spelled out below them, as a `.pg` file.

use crate::game::line::{Line, MoveError};
use crate::game::{Game, pg};
use harary_certificate::{Board, BoardError, Cell, Player, Rule, Shape, ShapeError, Topology};
use thiserror::Error;

/// A game under way, as it is written down.
pub struct Record {
    /// What to call a game that is spelled out.
    pub name: Option<String>,
    /// What is played.
    pub game: Game,
    /// Which side the human plays.
    pub human: Player,
    /// The moves so far, in order.
    pub moves: Vec<Cell>,
}

/// How every record begins.
const TITLE: &str = "harary game 1";
/// And that of a game that is spelled out.
const TITLE_OF_SETS: &str = "harary game 2";
/// A longer text is no record: as much as a `.pg` game may have, and its moves.
pub const LONGEST_RECORD: u64 = pg::MAX_BYTES + (1 << 16);

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
    /// The game that is spelled out.
    #[error(transparent)]
    Sets(#[from] pg::PgError),
    /// The moves.
    #[error(transparent)]
    Move(#[from] MoveError),
}

impl Record {
    /// `harary game 1; shape 0,0 1,0 2,0; board 3x3 plain; strong rule; you are Black`, then the moves in order. Or
    /// `harary game 2; NAME; you are Black`, the moves, and the game.
    pub fn text(&self) -> String {
        let Record { game, human, .. } = self;
        let names: Vec<String> = self.moves.iter().map(|&cell| game.vertex_name(cell)).collect();
        let moves = names.join(" ");
        match game.shape_on_board().filter(|_| game.schedule().is_alternating()) {
            Some((shape, board)) => {
                format!("{TITLE}; shape {shape}; board {board}; {} rule; you are {human}\n{moves}\n", game.rule())
            }
            None => {
                let name = self.plain_name();
                format!("{TITLE_OF_SETS}; {name}; you are {human}\n{moves}\n{}", pg::write(game, &name))
            }
        }
    }

    /// The name without what would end it.
    fn plain_name(&self) -> String {
        let name = self.name.as_deref().unwrap_or("game");
        name.chars().map(|letter| if letter.is_control() || letter == ';' { ' ' } else { letter }).collect()
    }

    /// Reads what [`Record::text`] wrote.
    pub fn parse(text: &str) -> Result<Record, RecordError> {
        let (header, rest) = text.split_once('\n').unwrap_or((text, ""));
        let fields: Vec<&str> = header.split(';').map(str::trim).collect();
        let wrong = |what: &str| RecordError::Part(what.to_owned());
        let side = |human: &str| match human {
            "you are Black" => Ok(Player::Black),
            "you are White" => Ok(Player::White),
            _ => Err(wrong(human)),
        };
        if let [TITLE_OF_SETS, name, human] = fields[..] {
            let human = side(human)?;
            let (moves, sets) = rest.split_once('\n').unwrap_or((rest, ""));
            let game = pg::read(name, sets.as_bytes())?;
            let moves = Line::played_out(&game, moves)?.moves;
            return Ok(Record { name: Some(name.to_owned()), game, human, moves });
        }
        let [TITLE, shape, board, rule, human] = fields[..] else { return Err(RecordError::NoTitle) };
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
        let human = side(human)?;
        let game = Game::new(shape, Board::parse(sides, topology)?, rule);
        let moves = Line::played_out(&game, rest)?.moves;
        Ok(Record { name: None, game, human, moves })
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
    fn games_that_are_no_shape_on_a_board_are_spelled_out() {
        let plain =
            Game::new(Shape::from_rows("XX/X.").unwrap(), Board::new(3, 3, Topology::Torus).unwrap(), Rule::Weak);
        let game = plain.clone().with_stones(2, 1).unwrap();
        let moves: Vec<Cell> = [4, 0, 1].into_iter().map(Cell::new).collect();
        let name = Some("el; on\na torus".to_owned());
        let text = Record { name, game: game.clone(), human: Player::White, moves: moves.clone() }.text();
        assert!(text.starts_with("harary game 2; el  on a torus; you are White\nb2 a1 b1\n"), "{text}");
        let read = Record::parse(&text).unwrap();
        assert_eq!((read.human, &read.moves, read.text()), (Player::White, &moves, text.clone()));
        assert_eq!((read.game.black_sets(), read.game.schedule()), (game.black_sets(), game.schedule()));
        for (from, to) in [("b2 a1 b1", "b2 b2"), ("you are White", "you are"), ("#blackwins", "#wins"), ("2;", "2,")] {
            assert!(Record::parse(&text.replace(from, to)).is_err(), "{to}");
        }
        assert!(Record::parse(text.lines().next().unwrap()).is_err());
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
