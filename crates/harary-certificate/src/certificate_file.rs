//! The file of a certificate: there whole or not at all, compressed if its name says so.

use crate::whole_file::WholeFile;
use std::io::{self, Write};
use std::path::Path;

/// How hard zstd tries: certificates are written once and kept.
const ZSTD_LEVEL: i32 = 12;

/// A certificate's file, which appears under its name only when it is complete; compressed if the name ends in `.zst`.
pub enum CertificateFile {
    /// As it is.
    Plain(WholeFile),
    /// Compressed on the way.
    Zstd(Box<zstd::Encoder<'static, WholeFile>>),
}

impl CertificateFile {
    /// Begins a file that will have this name.
    pub fn create(path: &Path) -> io::Result<CertificateFile> {
        let file = WholeFile::create(path)?;
        Ok(match path.extension().is_some_and(|extension| extension == "zst") {
            true => CertificateFile::Zstd(Box::new(zstd::Encoder::new(file, ZSTD_LEVEL)?)),
            false => CertificateFile::Plain(file),
        })
    }

    /// Writes out what is left and gives the file its name.
    pub fn finish(self) -> io::Result<()> {
        match self {
            CertificateFile::Plain(file) => file.finish(),
            CertificateFile::Zstd(encoder) => encoder.finish()?.finish(),
        }
    }
}

impl Write for CertificateFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            CertificateFile::Plain(out) => out.write(bytes),
            CertificateFile::Zstd(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            CertificateFile::Plain(out) => out.flush(),
            CertificateFile::Zstd(out) => out.flush(),
        }
    }
}
