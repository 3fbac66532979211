//! [`Certificate`]: the one way from evidence to a [`Proved`].
//!
//! Nobody but the checker makes a [`Proved`]; whatever prints, stores or draws a settled verdict takes one. Evidence is
//! written to a temporary file, read back and checked, and what it says is compared with what was asked. Only then may it
//! be [kept](Certificate::keep) under a name of the user's: a refused certificate never has one, and a name that cannot be
//! written to costs the file, not the verdict.

use crate::certificate_file::CertificateFile;
use crate::checker::{Proved, check};
use crate::model::{Header, Refused};
use crate::whole_file;
use std::fs::OpenOptions;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::Path;
use tempfile::SpooledTempFile;
use thiserror::Error;

/// Certificates up to this size are not written to the disk before somebody keeps them.
const IN_MEMORY: usize = 2 << 20;

/// Why evidence proves nothing.
#[derive(Debug, Error)]
pub enum NotProved {
    /// The checker does not accept it.
    #[error("the checker refuses what was found, so nothing is claimed: {0}")]
    Refused(#[from] Refused),
    /// It is a certificate of something else.
    #[error("the certificate says '{found}', which is not what was asked: '{asked}'")]
    OtherClaim {
        /// What was to be proved.
        asked: String,
        /// What is proved instead.
        found: String,
    },
    /// There is no room for it, not even for a moment.
    #[error("the certificate cannot be written to a temporary file: {0}")]
    Unwritten(#[from] io::Error),
}

/// An accepted certificate, with its text.
#[derive(Debug)]
pub struct Certificate {
    proved: Proved,
    text: SpooledTempFile,
}

impl Certificate {
    /// From evidence to proof: takes what `evidence` writes for a certificate of `asked`, if the checker does.
    pub fn check(
        asked: &Header,
        evidence: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Certificate, NotProved> {
        let certificate = Certificate::accept(evidence)?;
        match certificate.proved.header().answers(asked) {
            true => Ok(certificate),
            false => {
                let (asked, found) = (asked.sentence(None), certificate.proved.header().sentence(None));
                Err(NotProved::OtherClaim { asked, found })
            }
        }
    }

    /// The same of whatever game it is about.
    pub fn accept(evidence: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<Certificate, NotProved> {
        let mut buffer = BufWriter::with_capacity(1 << 16, SpooledTempFile::new(IN_MEMORY));
        evidence(&mut buffer)?;
        let mut text = buffer.into_inner().map_err(io::IntoInnerError::into_error)?;
        text.rewind()?;
        Ok(Certificate { proved: check(&mut text)?, text })
    }

    /// What it proves.
    pub fn proved(&self) -> &Proved {
        &self.proved
    }

    /// Its text, from the beginning.
    pub fn reader(&mut self) -> io::Result<&mut impl Read> {
        self.text.rewind()?;
        Ok(&mut self.text)
    }

    /// Gives it a name: the file appears whole or not at all, compressed if the name ends in `.zst`. What is no regular
    /// file (a pipe) is written to as it is.
    pub fn keep(&mut self, path: &Path) -> io::Result<()> {
        if whole_file::is_special(path) {
            let mut out = OpenOptions::new().write(true).open(path)?;
            io::copy(self.reader()?, &mut out)?;
            return out.flush();
        }
        let mut file = CertificateFile::create(path)?;
        io::copy(self.reader()?, &mut file)?;
        file.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Topology};
    use crate::cell::Cell;
    use crate::cell_set::WideSet;
    use crate::model::{Claim, Setting, Symmetry};
    use crate::player::Rule;
    use crate::shape::Shape;
    use crate::stones::Stones;
    use crate::turn::Schedule;
    use crate::writer::CertificateWriter;

    fn domino(claim: Claim) -> Header {
        Header {
            setting: Setting::Board {
                shape: Shape::from_rows("XX").unwrap(),
                board: Board::new(2, 2, Topology::Plain).unwrap(),
            },
            vertices: 4,
            start: Stones::NONE,
            first: None,
            rule: Rule::Strong,
            turns: Schedule::alternating(4),
            claim,
            symmetry: Symmetry::Board,
            cover: None,
        }
    }

    fn evidence(header: &Header, cell: usize) -> impl FnOnce(&mut dyn Write) -> io::Result<()> {
        move |out| CertificateWriter::new(out, header)?.p(&WideSet::EMPTY, &WideSet::EMPTY, 0, Cell::new(cell))
    }

    #[test]
    fn evidence_becomes_a_proof_of_what_was_asked_and_of_nothing_else() {
        let (right, later) = (domino(Claim::Win(3)), domino(Claim::Win(4)));
        let certificate = Certificate::check(&right, evidence(&right, 0)).unwrap();
        assert_eq!(certificate.proved().claim(), Claim::Win(3));
        assert!(matches!(Certificate::check(&right, evidence(&later, 0)), Err(NotProved::OtherClaim { .. })));
        let weak = Header { rule: Rule::Weak, ..right.clone() };
        assert!(matches!(Certificate::check(&weak, evidence(&right, 0)), Err(NotProved::OtherClaim { .. })));
        let too_early = domino(Claim::Win(1));
        assert!(matches!(Certificate::check(&too_early, evidence(&too_early, 0)), Err(NotProved::Refused(_))));
        let full = |_: &mut dyn Write| Err(io::Error::other("the disk is full"));
        assert!(matches!(Certificate::check(&right, full), Err(NotProved::Unwritten(_))));
    }

    #[test]
    fn a_name_that_cannot_be_written_to_costs_the_file_only() {
        let folder = tempfile::tempdir().unwrap();
        let right = domino(Claim::Win(3));
        let mut certificate = Certificate::check(&right, evidence(&right, 0)).unwrap();
        assert!(certificate.keep(&folder.path().join("missing/x.cert")).is_err());
        let path = folder.path().join("x.cert.zst");
        certificate.keep(&path).unwrap();
        assert_eq!(check(std::fs::File::open(path).unwrap()).unwrap().claim(), Claim::Win(3));
    }
}
