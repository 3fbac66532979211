//! The strategy inside a certificate.

use crate::errors::{failure, mistake, refused};
use crate::picture::Picture;
use crate::words::Cells;
use harary::Playbook;
use harary::game::description::certified_name;
use harary::views::explain::explain;
use harary::views::page::Page;
use harary::views::picture::{self, Mark};
use harary::views::plan::{Grouping, Plan};
use harary::views::tree::{How, View};
use harary_certificate::playbook;
use pyo3::prelude::*;
use std::sync::Arc;

/// The strategy of an accepted certificate: what it plays, and what the other side can try.
///
/// >>> strategy = harary.solve("el", "3x3", threads=1).strategy()
/// >>> strategy.next()
/// <black plays b2>
/// >>> strategy.next("b2 a1").cell is not None
/// True
/// >>> strategy.next("a1")
/// Traceback (most recent call last):
///     ...
/// ValueError: at turn 1 the strategy plays b2, not a1
#[pyclass(frozen, module = "harary")]
pub struct Strategy {
    text: Arc<[u8]>,
    book: Playbook,
}

/// What happens next in a strategy.
#[pyclass(frozen, get_all, module = "harary")]
pub struct Turn {
    /// `"plays"` (the strategy moves), `"replies"` (the other side chooses), `"paved"` (White answers in the same pair from
    /// here on) or `"over"`.
    kind: &'static str,
    /// Whose turn it is: `"black"` or `"white"`.
    player: Option<String>,
    /// Where the strategy plays.
    cell: Option<String>,
    /// What the other side can try; cells that are alike stand together, and the first of them is followed.
    replies: Vec<Vec<String>>,
    /// Replies that need no thought.
    rest: Vec<String>,
    /// Why they need none, or why the game is over.
    says: Option<String>,
    /// The pairs.
    pairs: Vec<(String, String)>,
}

#[pymethods]
impl Turn {
    fn __repr__(&self) -> String {
        match (&self.player, &self.cell, &self.says) {
            (Some(player), Some(cell), _) => format!("<{player} plays {cell}>"),
            (Some(player), None, _) => {
                let known: usize = self.replies.iter().map(Vec::len).sum();
                format!("<{player} chooses: {known} replies to look at, {} others>", self.rest.len())
            }
            (None, _, Some(says)) => format!("<over: {says}>"),
            (None, _, None) => format!("<paved with {} pairs>", self.pairs.len()),
        }
    }
}

/// So many answers are shown of each choice, unless all are asked for.
const ANSWERS: usize = 6;

impl Strategy {
    /// Reads a certificate, which is checked.
    pub fn open(py: Python<'_>, text: Arc<[u8]>) -> PyResult<Strategy> {
        let book = py.detach(|| Playbook::open(&text[..])).map_err(refused)?;
        Ok(Strategy { text, book })
    }

    fn view(&self, line: bool) -> View<'_> {
        View::new(&self.book, How { color: false, columns: 80, line, numbered: false, hex: false })
    }

    fn names(&self, cells: &[harary::Cell]) -> Vec<String> {
        cells.iter().map(|&cell| self.book.cell_name(cell)).collect()
    }

    /// The plan after these moves: the longest line of play where no depth is given.
    fn plan(&self, moves: &str, depth: Option<usize>, grouping: Grouping) -> PyResult<Plan> {
        let state = self.book.follow(moves).map_err(mistake)?;
        let played = self.book.cells(moves).map_err(mistake)?.into_iter().map(Some).collect();
        Ok(match depth {
            Some(depth) => Plan::new(&self.book, state, played, depth, grouping),
            None => Plan::main_line(&self.book, state, played),
        })
    }

    fn turn(&self, turn: playbook::Turn) -> Turn {
        let mut next = Turn {
            kind: "over",
            player: None,
            cell: None,
            replies: Vec::new(),
            rest: Vec::new(),
            says: None,
            pairs: Vec::new(),
        };
        match turn {
            playbook::Turn::Over(why) => next.says = Some(why),
            playbook::Turn::Paved(pairs) => {
                let name = |cell| self.book.cell_name(cell);
                next.kind = "paved";
                next.pairs = pairs.into_iter().map(|(a, b)| (name(a), name(b))).collect();
            }
            playbook::Turn::Plays(player, cell, _) => {
                next.kind = "plays";
                next.player = Some(player.to_string().to_lowercase());
                next.cell = Some(self.book.cell_name(cell));
            }
            playbook::Turn::Replies(player, replies, rest) => {
                next.kind = "replies";
                next.player = Some(player.to_string().to_lowercase());
                next.replies = replies.iter().map(|reply| self.names(&reply.cells)).collect();
                next.rest = self.names(&rest.cells);
                next.says = Some(rest.says.to_owned()).filter(|_| !rest.cells.is_empty());
            }
        }
        next
    }
}

/// No moves.
fn none() -> Cells {
    Cells::Text(String::new())
}

#[pymethods]
impl Strategy {
    /// What it is a strategy for, in one sentence.
    #[getter]
    fn sentence(&self) -> String {
        self.book.proved().sentence(certified_name(self.book.header()).as_deref())
    }

    /// What happens after these moves, which must be those of the strategy where it is its turn.
    #[pyo3(signature = (moves=none()))]
    fn next(&self, moves: Cells) -> PyResult<Turn> {
        Ok(self.turn(self.book.turn(&self.book.follow(&moves.text()).map_err(mistake)?)))
    }

    /// The strategy as text: `depth` turns of it, after these moves.
    #[pyo3(signature = (moves=none(), *, depth=4, all=false))]
    fn text(&self, moves: Cells, depth: usize, all: bool) -> PyResult<String> {
        let grouping = Grouping::Alike(if all { usize::MAX } else { ANSWERS });
        Ok(self.view(false).text(&self.plan(&moves.text(), Some(depth), grouping)?))
    }

    /// One line of play: the replies that last longest, as text.
    #[pyo3(signature = (moves=none()))]
    fn main_line(&self, moves: Cells) -> PyResult<String> {
        Ok(self.view(true).text(&self.plan(&moves.text(), None, Grouping::Longest)?))
    }

    /// Why Black wins, or why White holds, in words.
    fn explain(&self) -> String {
        explain(&self.book, &self.view(false))
    }

    /// The strategy as a tree of dicts and lists, every reply in it; the keys are those of `harary strategy --json`.
    #[pyo3(signature = (moves=none(), *, depth=4))]
    fn tree<'py>(&self, py: Python<'py>, moves: Cells, depth: usize) -> PyResult<Bound<'py, PyAny>> {
        let tree = self.view(false).json(&self.plan(&moves.text(), Some(depth), Grouping::Each)?);
        py.import("json")?.call_method1("loads", (tree.to_string(),))
    }

    /// The strategy for Graphviz.
    #[pyo3(signature = (moves=none(), *, depth=4))]
    fn dot(&self, moves: Cells, depth: usize) -> PyResult<String> {
        Ok(self.view(false).dot(&self.plan(&moves.text(), Some(depth), Grouping::Alike(ANSWERS))?))
    }

    /// The strategy as a picture `width` millimetres wide: the longest line of play, or with `depth` a tree.
    #[pyo3(signature = (moves=none(), *, depth=None, width=180.0))]
    fn picture(&self, moves: Cells, depth: Option<usize>, width: f64) -> PyResult<Picture> {
        if !(30.0..=2000.0).contains(&width) {
            return Err(mistake("a picture is 30 to 2000 millimetres wide"));
        }
        let plan = self.plan(&moves.text(), depth, Grouping::Alike(ANSWERS))?;
        let view = self.view(depth.is_none());
        let svg = view.svg(&plan, width).ok_or_else(|| {
            mistake("this game of sets lies on no board and its vertices are not named like cells, a1, b3; try dot()")
        })?;
        Ok(Picture::new(svg, &view.text(&plan)))
    }

    /// The board after these moves.
    #[pyo3(signature = (moves=none()))]
    fn board(&self, moves: Cells) -> PyResult<Picture> {
        let moves = moves.text();
        let (state, played) = (self.book.follow(&moves).map_err(mistake)?, self.book.cells(&moves).map_err(mistake)?);
        let names: Vec<String> =
            (0..self.book.header().vertices).map(|index| self.book.cell_name(harary::Cell::new(index))).collect();
        let turn = |cell| played.iter().position(|&at| at == cell).map(|index| index + 1);
        let mark = |cell| Mark::of_stones(state.black(), state.white(), cell).numbered(turn(cell));
        let picture = picture::Picture::of_names(&names, mark)
            .ok_or_else(|| mistake("this game of sets lies on no board: its vertices are not named like cells"))?;
        Ok(Picture::of(&picture, &[]))
    }

    /// A page to play against the strategy in a browser: one text, no network.
    #[pyo3(signature = (name=None))]
    fn page(&self, name: Option<String>) -> PyResult<String> {
        let page = Page::open(&self.text[..]).map_err(refused)?;
        let mut out = Vec::new();
        page.write(name.or_else(|| certified_name(self.book.header())).as_deref(), &mut out)?;
        String::from_utf8(out).map_err(failure)
    }

    fn _repr_svg_(&self) -> Option<String> {
        self.picture(none(), None, 180.0).ok().map(|picture| picture.svg().to_owned())
    }

    fn __repr__(&self) -> String {
        format!("<strategy: {}>", self.sentence())
    }
}
