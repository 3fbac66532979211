//! Positions: a game after some moves.

use crate::errors::mistake;
use crate::named::Named;
use crate::picture::Picture;
use crate::words::{Memory, Time, memory, time};
use crate::work;
use harary::Limits;
use harary::game::line::{Line, vertex};
use harary::play::adviser::{Adviser, Worth};
use harary::views::picture::Mark;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::time::Duration;

/// A position: a game and the moves played so far. It does not change; a move gives another one.
///
/// >>> start = harary.Game("tic", "3x3").position()
/// >>> start.play("b2").play("a1").to_move
/// 'black'
/// >>> start.moves
/// []
#[pyclass(frozen, module = "harary")]
pub struct Position {
    /// The game as Python has it.
    origin: Py<PyAny>,
    game: Named,
    line: Line,
}

impl Position {
    /// This game after this line.
    pub fn new(origin: Py<PyAny>, game: Named, line: Line) -> Position {
        Position { origin, game, line }
    }
}

/// A player as a word.
fn word(player: harary::Player) -> String {
    player.to_string().to_lowercase()
}

#[pymethods]
impl Position {
    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<PyAny> {
        self.origin.clone_ref(py)
    }

    /// The moves, in order.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.line.moves.iter().map(|&cell| self.game.game.vertex_name(cell)).collect()
    }

    /// Black's stones.
    #[getter]
    fn black(&self) -> Vec<String> {
        self.game.names(&self.line.black)
    }

    /// White's stones.
    #[getter]
    fn white(&self) -> Vec<String> {
        self.game.names(&self.line.white)
    }

    /// The cells that may be played now.
    #[getter]
    fn legal(&self) -> Vec<String> {
        if self.line.to_move(&self.game.game).is_none() {
            return Vec::new();
        }
        let all: harary::WideSet = (0..self.game.game.vertices()).map(harary::Cell::new).collect();
        self.game.names(&self.game.game.allowed(self.line.played(), all - (self.line.black | self.line.white)))
    }

    /// `"black"`, `"white"`, or `None` when the game is over.
    #[getter]
    fn to_move(&self) -> Option<String> {
        self.line.to_move(&self.game.game).map(word)
    }

    /// Who has completed a winning set, if somebody has.
    #[getter]
    fn winner(&self) -> Option<String> {
        self.line.won.map(|(player, _)| word(player))
    }

    /// The position after one more move.
    fn play(&self, py: Python<'_>, cell: &str) -> PyResult<Position> {
        let mut line = self.line.clone();
        let at = vertex(&self.game.game, cell).map_err(mistake)?;
        line.play(&self.game.game, at).map_err(|error| mistake(format!("the move {cell}: {error}")))?;
        Ok(Position { origin: self.origin.clone_ref(py), game: self.game.clone(), line })
    }

    /// What each legal move is worth to the player who makes it, as a list of dicts: the `cell`, the `worth` (`"wins"`,
    /// `"even"`, `"safe"`, `"loses"`, `"open"`), the `turn` by which, and a sentence (`says`). On boards of at most 16 cells it
    /// is exact; on larger ones it is searched for `time` seconds, and what is not found is `"open"`. It has no certificate.
    ///
    /// >>> moves = harary.Game("el", "3x3").position("a1 b2").moves_worth()
    /// >>> moves[0]["cell"], moves[0]["worth"], moves[0]["says"]
    /// ('b1', 'loses', 'White wins by turn 6')
    #[pyo3(signature = (time=Time::Seconds(1.0), memory=None))]
    fn moves_worth<'py>(
        &self,
        py: Python<'py>,
        time: Time,
        memory: Option<Memory>,
    ) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let (time, memory) = (self::time(Some(time))?.unwrap_or(Duration::ZERO), self::memory(memory)?);
        let (game, stones) = (self.game.game.clone(), self.line.stones());
        let found = work::done(py, &Limits::none(), None, move |_| {
            Adviser::new(&game, memory).map(|mut adviser| adviser.examine(&stones, time))
        })?;
        let player = self.line.to_move(&self.game.game);
        let row = |(cell, worth): (harary::Cell, Worth)| {
            let (kind, turn) = match worth {
                Worth::Wins(turn) => ("wins", Some(turn)),
                Worth::Even => ("even", None),
                Worth::Safe => ("safe", None),
                Worth::Loses(turn) => ("loses", Some(turn)),
                Worth::Open(turn) => ("open", turn),
            };
            let row = PyDict::new(py);
            row.set_item("cell", self.game.game.vertex_name(cell))?;
            row.set_item("worth", kind)?;
            row.set_item("turn", turn)?;
            row.set_item("says", player.map(|player| worth.sentence(player, self.game.game.rule())))?;
            Ok(row)
        };
        found.map_err(mistake)?.into_iter().map(row).collect()
    }

    /// Its picture; stones bear the number of their turn, unless `numbered` is false.
    #[pyo3(signature = (*, numbered=true))]
    fn picture(&self, numbered: bool) -> PyResult<Picture> {
        let mark = |cell| Mark::of_line(&self.line, cell, numbered);
        Ok(Picture::of(&self.game.drawn(mark)?, &[]))
    }

    fn _repr_svg_(&self) -> Option<String> {
        self.picture(true).ok().map(|picture| picture.svg().to_owned())
    }

    fn __len__(&self) -> usize {
        self.line.played()
    }

    fn __repr__(&self) -> String {
        match self.picture(true) {
            Ok(picture) => picture.text().to_owned(),
            Err(_) => format!("{} after {}", self.game.name, self.moves().join(" ")),
        }
    }
}
