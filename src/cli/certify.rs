//! Evidence is written down and read back by the checker before anything is announced.

use crate::game::Game;
use crate::settle::Evidence;
use anyhow::Context;
use harary_certificate::{CertificateFile, Proved, checker, whole_file};
use std::fs::File;
use std::path::Path;

/// Writes a certificate.
pub fn write(game: &Game, evidence: &dyn Evidence, path: &Path) -> anyhow::Result<()> {
    let cannot = || format!("cannot write the certificate {}", path.display());
    let mut file = CertificateFile::create(path).with_context(cannot)?;
    evidence.write(game, &mut file).with_context(cannot)?;
    file.finish().with_context(cannot)
}

/// Writes a certificate, to a file that is kept or to one that is not, and has it checked.
pub fn write_and_check(game: &Game, evidence: &dyn Evidence, path: Option<&Path>) -> anyhow::Result<Proved> {
    let Some(path) = path.filter(|path| !whole_file::is_special(path)) else {
        let folder = tempfile::tempdir().context("cannot make a folder for the certificate")?;
        let accepted = write_and_check(game, evidence, Some(&folder.path().join("certificate")))?;
        // What goes into a pipe cannot be read back, so it was checked before.
        path.map_or(Ok(()), |path| write(game, evidence, path))?;
        return Ok(accepted);
    };
    write(game, evidence, path)?;
    let file = File::open(path).with_context(|| format!("cannot read back {}", path.display()))?;
    checker::check(file)
        .map_err(|refused| anyhow::anyhow!("the checker refuses what was found, so nothing is claimed: {refused}"))
}
