//! Certificates that the checker has accepted.

use crate::errors::{failure, mistake, raised, refused, unwritten};
use crate::strategy::Strategy;
use harary::Proved;
use harary::atlas::entry::Mark;
use harary::atlas::hashed::Hashed;
use harary::game::description::certified_name;
use harary_certificate::CertificateFile;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::io::{Cursor, Read, Write};
use std::path::PathBuf;
use std::sync::Arc;

/// A certificate that the checker has accepted, with its text. `harary.solve` gives them, and `harary.check` makes one of a
/// file or a text.
///
/// >>> certificate = harary.solve("el", "3x3").certificate
/// >>> certificate
/// <Black wins el on 3x3 plain, strong rule, by turn 5; 6 positions checked>
/// >>> certificate.text.splitlines()[1]
/// 'game 3x3 plain 0,0 0,1 1,0'
#[pyclass(frozen, module = "harary")]
pub struct Certificate {
    text: Arc<[u8]>,
    proved: Proved,
}

/// What a certificate is read from.
#[derive(FromPyObject)]
pub enum Source {
    Bytes(Vec<u8>),
    Text(String),
    Path(PathBuf),
}

impl Certificate {
    /// One that was accepted just now.
    pub fn of(mut certificate: harary::Certificate) -> PyResult<Certificate> {
        let mut text = Vec::new();
        certificate.reader()?.read_to_end(&mut text)?;
        Ok(Certificate { text: text.into(), proved: certificate.proved().clone() })
    }

    /// Has a text checked.
    fn checked(py: Python<'_>, text: Arc<[u8]>) -> PyResult<Certificate> {
        let proved = py.detach(|| harary::check(&text[..])).map_err(refused)?;
        Ok(Certificate { text, proved })
    }
}

/// Checks a certificate by the rules of the game alone: a path, or its text as `str` or `bytes`, plain or
/// zstd-compressed. Raises `Refused` if it proves nothing.
///
/// >>> text = harary.solve("el", "3x3").certificate.text
/// >>> harary.check(text).claim
/// 'win 5'
/// >>> harary.check(text.replace("win 5", "win 3"))
/// Traceback (most recent call last):
///     ...
/// harary.Refused: line 7: Black has not won by turn 3
///  3 . . .
///  2 . X .
///  1 O . .
///    a b c
#[pyfunction]
pub fn check(py: Python<'_>, certificate: Source) -> PyResult<Certificate> {
    let mut input = match certificate {
        Source::Bytes(bytes) => Hashed::new(Box::new(Cursor::new(bytes))).map_err(mistake)?,
        Source::Text(text) if text.contains('\n') => {
            Hashed::new(Box::new(Cursor::new(text.into_bytes()))).map_err(mistake)?
        }
        Source::Text(path) => Hashed::open(path.as_ref()).map_err(raised)?,
        Source::Path(path) => Hashed::open(&path).map_err(raised)?,
    };
    let mut text = Vec::new();
    input.read_to_end(&mut text).map_err(mistake)?;
    Certificate::checked(py, text.into())
}

#[pymethods]
impl Certificate {
    /// Its text.
    #[getter]
    fn text(&self) -> PyResult<&str> {
        std::str::from_utf8(&self.text).map_err(failure)
    }

    /// What it says, in the words of the format: `"win 13"`, `"hold"`.
    #[getter]
    fn claim(&self) -> String {
        self.proved.claim().to_string()
    }

    /// What it proves, in one sentence.
    #[getter]
    pub fn sentence(&self) -> String {
        self.proved.sentence(certified_name(self.proved.header()).as_deref())
    }

    /// Lines of the certificate.
    #[getter]
    fn lines(&self) -> u64 {
        self.proved.lines()
    }

    /// Positions the checker followed.
    #[getter]
    fn positions(&self) -> u64 {
        self.proved.positions()
    }

    /// Nodes and cards the checker checked.
    #[getter]
    fn nodes(&self) -> u64 {
        self.proved.nodes()
    }

    /// The blake3 hash of its text, as the atlas has it.
    #[getter]
    fn hash(&self) -> PyResult<String> {
        Ok(Mark::of(&mut &self.text[..])?.hex())
    }

    /// Writes it to a file, which appears whole or not at all; compressed if the name ends in `.zst`.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        let write = || {
            let mut file = CertificateFile::create(&path)?;
            file.write_all(&self.text)?;
            file.finish()
        };
        write().map_err(|error| unwritten(&path, error))
    }

    /// Has it checked once more.
    pub fn check(&self, py: Python<'_>) -> PyResult<Certificate> {
        Certificate::checked(py, self.text.clone())
    }

    /// The strategy in it.
    pub fn strategy(&self, py: Python<'_>) -> PyResult<Strategy> {
        Strategy::open(py, self.text.clone())
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.text)
    }

    /// The length of its text in bytes.
    fn __len__(&self) -> usize {
        self.text.len()
    }

    fn __repr__(&self) -> String {
        format!("<{}>", self.sentence())
    }
}
