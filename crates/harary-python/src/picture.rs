//! Pictures: SVG where it can be shown, text elsewhere.

use pyo3::prelude::*;

/// A drawn board: SVG in a notebook, text where it is printed.
///
/// >>> print(harary.Board("3x2"))
/// 2 . . .
/// 1 . . .
///   a b c
#[pyclass(frozen, module = "harary")]
pub struct Picture {
    /// As SVG and as text.
    svg: String,
    text: String,
}

impl Picture {
    /// The two forms of one picture.
    pub fn new(svg: String, text: &str) -> Picture {
        Picture { svg, text: text.trim_end().to_owned() }
    }

    /// A picture of the library's; with pairs they are bars in the SVG and letters in the text.
    pub fn of(picture: &harary::views::picture::Picture, pairs: &[(harary::Cell, harary::Cell)]) -> Picture {
        Picture::new(picture.clone().with_pairs(pairs).svg(), &picture.text(false))
    }
}

#[pymethods]
impl Picture {
    /// The picture as SVG.
    #[getter]
    pub fn svg(&self) -> &str {
        &self.svg
    }

    /// The picture as text.
    #[getter]
    pub fn text(&self) -> &str {
        &self.text
    }

    fn _repr_svg_(&self) -> &str {
        &self.svg
    }

    fn __repr__(&self) -> &str {
        &self.text
    }
}
