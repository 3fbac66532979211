//! Shapes.

use crate::errors::raised;
use crate::picture::Picture;
use harary::Catalogue;
use harary::game::words::{NamedShape, parse_shape};
use harary::views::picture::{self, shape_rows};
use pyo3::prelude::*;

/// A shape: by name, by cells, by rows, or out of a file (`"@FILE"`).
///
/// >>> harary.Shape("tippy")
/// tippy
/// .XX
/// XX.
/// >>> harary.Shape("XX./.XX").name
/// 'tippy'
/// >>> harary.Shape("0,0 1,0 3,0").size
/// 3
#[pyclass(frozen, eq, hash, module = "harary")]
#[derive(PartialEq, Eq, Hash)]
pub struct Shape {
    name: String,
    /// The shape.
    pub shape: harary::Shape,
}

#[pymethods]
impl Shape {
    #[new]
    fn new(text: &str) -> PyResult<Shape> {
        let NamedShape { name, shape } = parse_shape(text).map_err(raised)?;
        Ok(Shape { name, shape })
    }

    /// Its name in the catalogue, or its cells.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Its other names.
    #[getter]
    fn aliases(&self) -> Vec<String> {
        Catalogue::standard().find_shape(&self.shape).map_or_else(Vec::new, |entry| entry.aliases.clone())
    }

    /// Its cells as pairs of column and row, from 0.
    #[getter]
    fn cells(&self) -> Vec<(u8, u8)> {
        self.shape.cells().to_vec()
    }

    /// Its rows, the top one first, as it may be typed.
    #[getter]
    fn rows(&self) -> Vec<String> {
        shape_rows(&self.shape)
    }

    /// How many cells it has.
    #[getter]
    fn size(&self) -> usize {
        self.shape.size()
    }

    /// Whether it is an animal: connected edge to edge.
    #[getter]
    fn is_animal(&self) -> bool {
        self.shape.is_animal()
    }

    /// The same shape turned and flipped, each way once.
    fn orientations(&self) -> Vec<Shape> {
        self.shape.orientations().into_iter().map(|shape| Shape { name: self.name.clone(), shape }).collect()
    }

    /// Its picture.
    fn picture(&self) -> Picture {
        Picture::new(picture::Picture::of_shape(&self.shape).svg(), &self.rows().join("\n"))
    }

    fn _repr_svg_(&self) -> String {
        picture::Picture::of_shape(&self.shape).svg()
    }

    fn __repr__(&self) -> String {
        format!("{}\n{}", self.name, self.rows().join("\n"))
    }
}
