//! Games.

use crate::board::Board;
use crate::errors::{mistake, raised};
use crate::named::Named;
use crate::paving::Paving;
use crate::picture::Picture;
use crate::position::Position;
use crate::settled::{self, Settled};
use crate::words::{Cells, Memory, Target, Time, cells, family, player, rule};
use harary::Cell;
use harary::game::description::describe;
use harary::game::ground::Family;
use harary::game::line::Line;
use harary::game::words::{GameWords, NamedGame, OrUsage, Start, Started, any_game};
use harary::game::{Origin, pg};
use harary::views::picture::Mark;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::Arc;

/// A board: `"7x7"`, or one that was made before.
#[derive(FromPyObject)]
pub enum Place {
    Board(Py<Board>),
    Text(String),
}

/// A game: what is to be completed, where, and how it is played.
///
/// The target is a shape in words (`"skinny"`, `"XX./.XX"`, `"0,0 1,0"`), several (`"I5+D5"` or `["I5", "D5"]`), `"row5"`,
/// `"lines"` or `"hex"`; the board `"7x7"`, with `torus`, `cylinder` or `hexagonal`, or a `Board`. `rule` is `"strong"` (the
/// default: whoever completes the shape first wins) or `"weak"` (White only prevents). `handicap` gives Black extra
/// stones, `stones=(p, q)` is GTTT(p,q). `after` starts behind moves, `black` and `white` with stones (and `to_move`), `first`
/// restricts the first move.
///
/// >>> game = harary.Game("el", "3x3")
/// >>> game
/// el (0,0 0,1 1,0) on 3x3 plain, strong rule
/// >>> len(game.winning_sets()), game.symmetries
/// (16, 8)
/// >>> harary.Game("skiny", "7x7")
/// Traceback (most recent call last):
///     ...
/// ValueError: no shape 'skiny'; did you mean skinny?
#[pyclass(frozen, module = "harary")]
#[derive(Clone)]
pub struct Game {
    /// What to call it, and the game.
    named: Named,
    /// The turn by which Black has to win it, if its file says so.
    within: Option<usize>,
    /// How its turns are counted, if it does not begin as usual.
    remark: Option<String>,
}

impl Game {
    fn new(NamedGame { name, game, within }: NamedGame, remark: Option<String>) -> Game {
        Game { named: Named { name, game: Arc::new(game) }, within, remark }
    }
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (target, board, *, torus=false, cylinder=false, hexagonal=false, rule=None, handicap=None,
        stones=None, after=None, black=None, white=None, to_move=None, first=None))]
    #[expect(clippy::too_many_arguments, reason = "the keywords of a game")]
    fn build(
        target: Target,
        board: Place,
        torus: bool,
        cylinder: bool,
        hexagonal: bool,
        rule: Option<&str>,
        handicap: Option<usize>,
        stones: Option<(usize, usize)>,
        after: Option<Cells>,
        black: Option<Cells>,
        white: Option<Cells>,
        to_move: Option<&str>,
        first: Option<Cells>,
    ) -> PyResult<Game> {
        if handicap.is_some() && stones.is_some() {
            return Err(mistake("a handicap or stones, not both"));
        }
        let asked = family(torus, cylinder, hexagonal)?;
        let (board, family) = match &board {
            Place::Text(sides) => (sides.clone(), asked),
            Place::Board(_) if asked != Family::Plain => {
                return Err(mistake("a Board has its family already; leave out torus, cylinder and hexagonal"));
            }
            Place::Board(board) => (board.get().ground.sides(), board.get().ground.family()),
        };
        let target = target.text();
        let rule = rule.map(self::rule).transpose()?;
        let words = GameWords { target: &target, board: &board, family, rule, handicap, stones };
        let [after, black, white, first] = [after, black, white, first].map(cells);
        let start = Start {
            after: after.as_deref(),
            black: black.as_deref(),
            white: white.as_deref(),
            to_move: to_move.map(player).transpose()?,
            first: first.as_deref(),
        };
        let Started { named, remark } = words.game().and_then(|named| start.start(named)).map_err(raised)?;
        Ok(Game::new(named, remark))
    }

    /// The game of a `.pg` file, or of a model of Q-sage's (`.ig`).
    #[staticmethod]
    fn read(path: PathBuf) -> PyResult<Game> {
        Ok(Game::new(any_game(&path).map_err(raised)?, None))
    }

    /// The game of a text in the `.pg` format.
    ///
    /// >>> text = harary.Game("el", "3x3").pg()
    /// >>> harary.Game.from_pg(text, "my el").solve(threads=1).turn
    /// 5
    #[staticmethod]
    #[pyo3(signature = (text, name="sets"))]
    fn from_pg(text: &str, name: &str) -> PyResult<Game> {
        let game = pg::read(name, text.as_bytes()).usage().map_err(raised)?;
        Ok(Game::new(NamedGame { name: name.to_owned(), game, within: None }, None))
    }

    /// The game in the `.pg` format.
    fn pg(&self) -> String {
        pg::write(&self.named.game, &describe(&self.named.name, &self.named.game))
    }

    /// What it is called: the name of the shape, or of the file.
    #[getter]
    fn name(&self) -> &str {
        &self.named.name
    }

    /// The sides of its board, if it has one.
    #[getter]
    fn board(&self) -> Option<String> {
        match self.named.game.origin() {
            Origin::Board { board, .. } => Some(board.sides()),
            Origin::Built { ground, .. } => Some(ground.sides()),
            Origin::Sets { .. } => None,
        }
    }

    /// `"plain"`, `"torus"`, `"cylinder"` or `"hexagonal"`, if it has a board.
    #[getter]
    fn topology(&self) -> Option<String> {
        match self.named.game.origin() {
            Origin::Board { board, .. } => Some(board.topology().to_string()),
            Origin::Built { ground, .. } => Some(ground.family().name().to_owned()),
            Origin::Sets { .. } => None,
        }
    }

    /// `"strong"` or `"weak"`.
    #[getter]
    fn rule(&self) -> String {
        self.named.game.rule().to_string()
    }

    /// Who plays at each turn, a letter a turn: `"BWBW…"`.
    #[getter]
    fn turns(&self) -> String {
        self.named.game.schedule().letters()
    }

    /// The names of its cells.
    #[getter]
    fn cells(&self) -> Vec<String> {
        (0..self.named.game.vertices()).map(|index| self.named.game.vertex_name(Cell::new(index))).collect()
    }

    /// How many symmetries it has.
    #[getter]
    fn symmetries(&self) -> usize {
        self.named.game.symmetries().len()
    }

    /// How turns are counted, if the game does not begin as usual.
    #[getter]
    fn remark(&self) -> Option<&str> {
        self.remark.as_deref()
    }

    /// The winning sets of Black, or of White.
    #[pyo3(signature = (player="black"))]
    fn winning_sets(&self, player: &str) -> PyResult<Vec<Vec<String>>> {
        let sets = match self::player(player)? {
            harary::Player::Black => self.named.game.black_sets(),
            harary::Player::White => self.named.game.white_sets(),
        };
        Ok(sets.iter().map(|set| self.named.names(set)).collect())
    }

    /// The position after these moves.
    ///
    /// >>> harary.Game("tic", "3x3").position("b2 a1 b3")
    /// 3  . X3  .
    /// 2  . X1  .
    /// 1 O2  .  .
    ///    a  b  c
    #[pyo3(signature = (moves=Cells::Text(String::new())))]
    fn position(slf: &Bound<'_, Game>, moves: Cells) -> PyResult<Position> {
        let named = slf.get().named.clone();
        let line = Line::played_out(&named.game, &moves.text()).map_err(mistake)?;
        Ok(Position::new(slf.clone().into_any().unbind(), named, line))
    }

    /// Looks for a paving: pairs of cells, one in every winning set, by which White holds. `dominoes` allows only pairs that
    /// share an edge, `after` asks about a position, `periodic` about the whole plane (`"4x2+1"`, or `"16"`: any period of
    /// at most 16 cells). `time` is in seconds, or a text such as `"10m"`.
    ///
    /// >>> paving = harary.Game("fatty", "4x4").pave()
    /// >>> paving.paved, len(paving.pairs), paving.proved
    /// (True, 6, True)
    #[pyo3(signature = (*, dominoes=false, after=Cells::Text(String::new()), periodic=None, time=None))]
    fn pave(
        &self,
        py: Python<'_>,
        dominoes: bool,
        after: Cells,
        periodic: Option<&str>,
        time: Option<Time>,
    ) -> PyResult<Paving> {
        Paving::found(py, &self.named, dominoes, &after.text(), periodic, time)
    }

    /// Settles the game; see `harary.solve`.
    #[pyo3(signature = (*, within=None, engine="auto", threads=None, memory=None, time=None, nodes=None,
        certify_least=false, cover=None, progress=None))]
    #[expect(clippy::too_many_arguments, reason = "the keywords of a search")]
    fn solve(
        slf: &Bound<'_, Game>,
        within: Option<i64>,
        engine: &str,
        threads: Option<i64>,
        memory: Option<Memory>,
        time: Option<Time>,
        nodes: Option<i64>,
        certify_least: bool,
        cover: Option<&str>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Settled> {
        let wish = settled::Wish { within, engine, threads, memory, time, nodes, certify_least, cover };
        Settled::found(slf.as_any(), &slf.get().named, wish, slf.get().within, progress)
    }

    /// Its picture: the board before the first turn.
    fn picture(&self) -> PyResult<Picture> {
        let line = Line::start(&self.named.game);
        Ok(Picture::of(&self.named.drawn(|cell| Mark::of_line(&line, cell, false))?, &[]))
    }

    fn _repr_svg_(&self) -> Option<String> {
        self.picture().ok().map(|picture| picture.svg().to_owned())
    }

    fn __str__(&self) -> String {
        match self.picture() {
            Ok(picture) => format!("{}\n{}", self.__repr__(), picture.text()),
            Err(_) => self.__repr__(),
        }
    }

    fn __repr__(&self) -> String {
        describe(&self.named.name, &self.named.game)
    }
}
