//! The Python door of harary: each file translates one noun. What is decided is decided in the library.
//!
//! The doc comments of classes and methods are the doc strings Python shows; their examples are run by the tests.

mod atlas;
mod board;
mod certificate;
mod errors;
mod game;
mod named;
mod paving;
mod picture;
mod position;
mod settled;
mod shape;
mod strategy;
mod words;
mod work;

/// The compiled part of the package `harary`.
#[pyo3::pymodule]
mod _harary {
    #[pymodule_export]
    use super::atlas::{atlas, lookup, published, shapes};
    #[pymodule_export]
    use super::board::Board;
    #[pymodule_export]
    use super::certificate::{Certificate, check};
    #[pymodule_export]
    use super::errors::Refused;
    #[pymodule_export]
    use super::game::Game;
    #[pymodule_export]
    use super::paving::Paving;
    #[pymodule_export]
    use super::picture::Picture;
    #[pymodule_export]
    use super::position::Position;
    #[pymodule_export]
    use super::settled::Settled;
    #[pymodule_export]
    use super::shape::Shape;
    #[pymodule_export]
    use super::strategy::{Strategy, Turn};
    #[pymodule_export]
    use super::work::Progress;
}
