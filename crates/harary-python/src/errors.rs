//! Mistakes as Python exceptions: `ValueError` for the caller's, `RuntimeError` for ours.

use harary::game::words::UsageError;
use pyo3::PyErr;
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use std::fmt::Display;

pyo3::create_exception!(
    harary,
    Refused,
    PyValueError,
    "A text that proves nothing: the checker does not accept it. The message names the line."
);

/// What went wrong in the library.
pub fn raised(error: anyhow::Error) -> PyErr {
    match error.downcast_ref::<UsageError>() {
        Some(UsageError(message)) => mistake(message),
        None => failure(format!("{error:#}")),
    }
}

/// The caller's mistake, in one line.
pub fn mistake(message: impl Display) -> PyErr {
    PyValueError::new_err(with_keywords(&message.to_string()))
}

/// A failure of the program's.
pub fn failure(message: impl Display) -> PyErr {
    PyRuntimeError::new_err(message.to_string())
}

/// A certificate that proves nothing.
pub fn refused(error: harary::Refused) -> PyErr {
    Refused::new_err(error.to_string().trim_end().to_owned())
}

/// A file that cannot be written.
pub fn unwritten(path: &std::path::Path, error: std::io::Error) -> PyErr {
    PyOSError::new_err(format!("cannot write {}: {error}", path.display()))
}

/// The library speaks of options (`--to-move`); here they are keywords (`to_move`).
fn with_keywords(message: &str) -> String {
    let mut parts = message.split("--");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|letter: char| !letter.is_ascii_lowercase() && letter != '-').unwrap_or(part.len());
        text += &part[..end].replace('-', "_");
        text += &part[end..];
    }
    text
}
