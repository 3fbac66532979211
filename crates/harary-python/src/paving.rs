//! Pavings.

use crate::errors::{failure, mistake};
use crate::named::Named;
use crate::picture::Picture;
use crate::words::{Time, time};
use crate::work;
use harary::Limits;
use harary::game::line::Line;
use harary::paving::Pairs;
use harary::settle::pave::{Found, Period, Question, pave};
use harary::views::picture::Mark;
use pyo3::prelude::*;
use std::sync::Arc;

/// What became of the search for a paving.
///
/// >>> print(harary.Game("fatty", "4x4").pave())
/// fatty on 4x4 plain: 6 pairs, so White holds
/// 4 . f f e
/// 3 d d c e
/// 2 . a c .
/// 1 . a b b
///   a b c d
#[pyclass(frozen, module = "harary")]
pub struct Paving {
    game: Named,
    line: Line,
    found: Found,
}

impl Paving {
    /// Looks for one.
    pub fn found(
        py: Python<'_>,
        game: &Named,
        dominoes: bool,
        after: &str,
        periodic: Option<&str>,
        limit: Option<Time>,
    ) -> PyResult<Paving> {
        // Pairs hold in either game; the weak one is all about them.
        let game = game.weak();
        let line = Line::played_out(&game.game, after).map_err(mistake)?;
        let allowed = if dominoes { Pairs::Dominoes } else { Pairs::Any };
        let question = match periodic {
            Some(period) => Question::Plane(period.parse::<Period>().map_err(mistake)?, allowed),
            None => Question::Position(allowed),
        };
        if let Some(reason) = question.unsuited(&game.game, line.played()) {
            return Err(mistake(reason));
        }
        let limits = Limits::new(time(limit)?, None, Arc::default());
        let (asked, start, bound) = (game.game.clone(), line.clone(), limits.clone());
        let found = work::done(py, &limits, None, move |_| pave(&asked, &start, question, &bound))?;
        Ok(Paving { game, line, found: found.map_err(failure)? })
    }
}

#[pymethods]
impl Paving {
    /// Whether there is one; `None` if the time was over first.
    #[getter]
    fn paved(&self) -> Option<bool> {
        self.found.paved
    }

    /// Its pairs.
    #[getter]
    fn pairs(&self) -> Vec<(String, String)> {
        let name = |cell| self.game.game.vertex_name(cell);
        self.found.pairs.iter().map(|&(a, b)| (name(a), name(b))).collect()
    }

    /// The stone White puts first, if she is to move and needs it.
    #[getter]
    fn first(&self) -> Option<String> {
        self.found.first.map(|cell| self.game.game.vertex_name(cell))
    }

    /// The period of a paving of the plane.
    #[getter]
    fn period(&self) -> Option<String> {
        self.found.lattice.map(|lattice| lattice.to_string())
    }

    /// Whether the checker has accepted the pairs: it has if they are those of an empty board.
    #[getter]
    fn proved(&self) -> bool {
        self.found.proved.is_some()
    }

    /// Its picture: pairs are bars, in text letters.
    fn picture(&self) -> PyResult<Picture> {
        let drawn = self.game.drawn(|cell| Mark::of_paving(&self.line, &self.found, cell))?;
        Ok(Picture::of(&drawn, &self.found.pairs))
    }

    fn _repr_svg_(&self) -> Option<String> {
        self.picture().ok().map(|picture| picture.svg().to_owned())
    }

    fn __bool__(&self) -> bool {
        self.found.paved == Some(true)
    }

    fn __repr__(&self) -> String {
        let place = self.game.game.place().map_or(String::new(), |place| format!(" on {place}"));
        let says = match (self.found.paved, &self.found.proved) {
            (Some(true), Some(_)) => format!("{} pairs, so White holds", self.found.pairs.len()),
            (Some(true), None) => format!("{} pairs (not certified)", self.found.pairs.len()),
            (Some(false), _) => "no paving".to_owned(),
            (None, _) => "not decided".to_owned(),
        };
        let picture = self.picture().ok().filter(|_| self.found.paved == Some(true));
        let drawn = picture.map_or(String::new(), |picture| format!("\n{}", picture.text()));
        format!("{}{place}: {says}{drawn}", self.game.name)
    }
}
