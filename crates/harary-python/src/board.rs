//! Boards of every family.

use crate::errors::{mistake, raised};
use crate::picture::Picture;
use crate::words::family;
use harary::game::ground::Ground;
use harary::game::words::OrUsage;
use harary::views::picture::{self, Mark};
use pyo3::prelude::*;

/// A board: `"7x7"`, a strip such as `"300x1"`, a box of cubes such as `"4x4x4"`; plain, or of another family.
///
/// >>> harary.Board("4x3", torus=True)
/// 4x3 torus
/// 3 . . . .
/// 2 . . . .
/// 1 . . . .
///   a b c d
/// >>> harary.Board("2x2").cells
/// ['a1', 'b1', 'a2', 'b2']
#[pyclass(frozen, eq, hash, module = "harary")]
#[derive(PartialEq, Eq, Hash)]
pub struct Board {
    /// The board.
    pub ground: Ground,
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (sides, *, torus=false, cylinder=false, hexagonal=false))]
    fn new(sides: &str, torus: bool, cylinder: bool, hexagonal: bool) -> PyResult<Board> {
        let ground = Ground::parse(sides.trim(), family(torus, cylinder, hexagonal)?).usage().map_err(raised)?;
        Ok(Board { ground })
    }

    /// Its sides: `"7x7"`.
    #[getter]
    fn sides(&self) -> String {
        self.ground.sides()
    }

    /// `"plain"`, `"torus"`, `"cylinder"` or `"hexagonal"`.
    #[getter]
    fn topology(&self) -> &'static str {
        self.ground.family().name()
    }

    /// The names of its cells, row by row from below.
    #[getter]
    fn cells(&self) -> Vec<String> {
        self.ground.cells().map(|cell| self.ground.cell_name(cell)).collect()
    }

    /// How many cells it has.
    fn __len__(&self) -> usize {
        self.ground.size()
    }

    /// Its picture.
    fn picture(&self) -> PyResult<Picture> {
        let picture = picture::Picture::of_ground(&self.ground, |_| Mark::empty());
        let picture = picture.ok_or_else(|| mistake(format!("{} cannot be drawn", self.ground)))?;
        Ok(Picture::of(&picture, &[]))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        Ok(self.picture()?.svg().to_owned())
    }

    fn __str__(&self) -> PyResult<String> {
        Ok(self.picture()?.text().to_owned())
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("{}\n{}", self.ground, self.picture()?.text()))
    }
}
