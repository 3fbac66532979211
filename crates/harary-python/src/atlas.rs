//! What is known without a search: the catalogue, the atlas that ships with the program, the literature.
//!
//! Rows are lists of dicts; the Python part of the package makes data frames of them.

use crate::errors::raised;
use crate::words::rule;
use harary::Catalogue;
use harary::atlas::compare::{Asked, compare};
use harary::atlas::laws::deduce;
use harary::atlas::published as literature;
use harary::atlas::report::Row;
use harary::atlas::tables::board;
use harary::atlas::{Entry, Finding, GameKey, Tablebase};
use harary::game::words::{parse_board, parse_shape};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// A row of the atlas.
fn row<'py>(py: Python<'py>, entry: &Entry) -> PyResult<Bound<'py, PyAny>> {
    let text = serde_json::to_string(&Row::new(entry)).map_err(crate::errors::failure)?;
    let row = py.import("json")?.call_method1("loads", (text,))?;
    // One word for what is not settled, here as elsewhere.
    if !entry.finding.is_settled() {
        row.set_item("verdict", "open")?;
    }
    Ok(row)
}

/// Every game of the atlas.
#[pyfunction]
pub fn atlas(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let rows = Tablebase::shipped().entries().map(|entry| row(py, entry)).collect::<PyResult<Vec<_>>>()?;
    PyList::new(py, rows)
}

/// What the atlas knows of one game, or what follows by the laws between games; `None` if neither says anything.
#[pyfunction]
#[pyo3(signature = (shape, board, *, torus=false, rule="strong"))]
pub fn lookup<'py>(
    py: Python<'py>,
    shape: &str,
    board: &str,
    torus: bool,
    rule: &str,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let (shape, board) = (parse_shape(shape).map_err(raised)?.shape, parse_board(board, torus).map_err(raised)?);
    let (key, known) = (GameKey::new(&shape, board, self::rule(rule)?), Tablebase::shipped());
    let entry = known.get(&key);
    if let Some(entry) = entry.filter(|entry| entry.finding.is_settled()) {
        return row(py, entry).map(Some);
    }
    let deduced = deduce(&key, known);
    if !deduced.is_settled() {
        return entry.map(|entry| row(py, entry)).transpose();
    }
    let law = PyDict::new(py);
    law.set_item("shape", key.name())?;
    law.set_item("board", key.board().sides())?;
    law.set_item("topology", key.board().topology().to_string())?;
    law.set_item("rule", key.rule().to_string())?;
    law.set_item("verdict", if deduced.finding == Finding::Hold { "hold" } else { "win" })?;
    law.set_item("turn", deduced.finding.least_turn())?;
    let win_by = match deduced.finding {
        Finding::Win { by, .. } => Some(by),
        Finding::Hold | Finding::Unknown => None,
    };
    law.set_item("win_by", win_by)?;
    law.set_item("refuted_turn", deduced.refuted.as_ref().map(|(turn, _)| *turn))?;
    law.set_item("law", deduced.reason())?;
    Ok(Some(law.into_any()))
}

/// What the literature claims, beside ours.
#[pyfunction]
pub fn published(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let rows = PyList::empty(py);
    for claim in literature::all() {
        let comparison = compare(claim, Tablebase::shipped(), Asked::NOBODY);
        let row = PyDict::new(py);
        row.set_item("table", &claim.table)?;
        row.set_item("source", &claim.source)?;
        row.set_item("shape", &claim.subject)?;
        row.set_item("board", board(claim))?;
        row.set_item("rule", claim.rule.to_string())?;
        row.set_item("published", claim.text())?;
        row.set_item("published_time", &claim.time)?;
        row.set_item("ours", &comparison.ours)?;
        row.set_item("agreement", comparison.agreement.to_string())?;
        rows.append(row)?;
    }
    Ok(rows)
}

/// The catalogue of shapes.
#[pyfunction]
pub fn shapes(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let rows = PyList::empty(py);
    for entry in Catalogue::standard().entries() {
        let row = PyDict::new(py);
        row.set_item("name", &entry.name)?;
        row.set_item("aliases", &entry.aliases)?;
        row.set_item("size", entry.shape.size())?;
        row.set_item("cells", entry.shape.to_string())?;
        row.set_item("animal", entry.shape.is_animal())?;
        row.set_item("orientations", entry.shape.orientations().len())?;
        row.set_item("note", entry.note.as_deref())?;
        rows.append(row)?;
    }
    Ok(rows)
}
