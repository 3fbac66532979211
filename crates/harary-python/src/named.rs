//! A game and what to call it, as positions, pavings and verdicts hold it.

use crate::errors::mistake;
use harary::views::picture::{Mark, Picture};
use harary::{Cell, WideSet};
use pyo3::PyResult;
use std::sync::Arc;

/// A game and its name.
#[derive(Clone)]
pub struct Named {
    /// What to call it.
    pub name: String,
    /// The game.
    pub game: Arc<harary::Game>,
}

impl Named {
    /// The weak form of it.
    pub fn weak(&self) -> Named {
        Named { name: self.name.clone(), game: Arc::new(self.game.weak()) }
    }

    /// What these cells are called.
    pub fn names(&self, cells: &WideSet) -> Vec<String> {
        cells.iter().map(|cell| self.game.vertex_name(cell)).collect()
    }

    /// The board with these marks.
    pub fn drawn(&self, mark: impl FnMut(Cell) -> Mark) -> PyResult<Picture> {
        Picture::of_game(&self.game, mark).ok_or_else(|| {
            mistake(format!("{} cannot be drawn: its vertices are not named like cells, a1, b3", self.name))
        })
    }
}
