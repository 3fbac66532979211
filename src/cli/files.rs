//! The files a user names: what is read has a cap, what is written is tried before the work and never over what is read.

use super::ending::UsageError;
pub use crate::atlas::hashed::Hashed;
pub use crate::game::words::input::{is_dash, name, open, read_text};
use std::fs::{self, OpenOptions};
use std::path::Path;

/// The folder a file is in.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether two names stand for one file, there or not yet, links and detours aside. Devices and pipes are no files: what
/// is written there does no harm to what is read.
fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| match fs::canonicalize(path) {
        Ok(real) => Some(real).filter(|real| real.is_file()),
        Err(_) => Some(fs::canonicalize(folder(path)).ok()?.join(path.file_name()?)),
    };
    real(one).is_some_and(|one| real(other) == Some(one))
}

/// Before the work: whether `output` can be written to, and is none of what is read or written besides.
pub fn check_output(output: &Path, others: &[&Path]) -> anyhow::Result<()> {
    if is_dash(output) {
        return Ok(());
    }
    if let Some(other) = others.iter().find(|other| !is_dash(other) && is_same(output, other)) {
        let message = format!("{} would be written over {}; choose another name", output.display(), other.display());
        return Err(UsageError(message).into());
    }
    let cannot = |reason: &dyn std::fmt::Display| UsageError(format!("cannot write {}: {reason}", output.display()));
    match fs::metadata(output) {
        Ok(known) if known.is_dir() => return Err(cannot(&"it is a folder").into()),
        Ok(known) if known.is_file() && known.permissions().readonly() => {
            return Err(cannot(&"it is read-only").into());
        }
        // A file is opened and not touched; what is none (a pipe) waits for its reader.
        Ok(known) if known.is_file() => {
            OpenOptions::new().write(true).open(output).map_err(|error| cannot(&error))?;
        }
        Ok(_) => {}
        Err(_) => {
            let folder = folder(output);
            match fs::metadata(folder) {
                Ok(known) if known.is_dir() => {}
                Ok(_) => return Err(cannot(&format!("{} is no folder", folder.display())).into()),
                Err(_) => return Err(cannot(&format!("there is no folder {}", folder.display())).into()),
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(output: &Path, others: &[&Path]) -> String {
        let error = check_output(output, others).unwrap_err();
        assert!(error.is::<UsageError>());
        error.to_string()
    }

    #[test]
    fn outputs_are_no_inputs_whatever_they_are_called() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        fs::write(at("a"), "x").unwrap();
        std::os::unix::fs::symlink(at("a"), at("link")).unwrap();
        for other in ["a", "link", "sub/../a", "./a"] {
            assert!(complaint(&at(other), &[&at("a")]).contains("would be written over"), "{other}");
        }
        assert!(complaint(&at("new"), &[&at("sub/../new")]).contains("would be written over"));
        check_output(&at("b"), &[&at("a"), Path::new("-")]).unwrap();
        check_output(&at("a"), &[]).unwrap();
        check_output(Path::new("-"), &[Path::new("-")]).unwrap();
        check_output(Path::new("/dev/null"), &[Path::new("/dev/null")]).unwrap();
        assert_eq!(fs::read_to_string(at("a")).unwrap(), "x");
    }

    #[test]
    fn what_cannot_be_written_is_known_before() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        assert!(complaint(&at("missing/x"), &[]).ends_with(&format!("there is no folder {}", at("missing").display())));
        assert!(complaint(folder.path(), &[]).ends_with("it is a folder"));
        fs::write(at("a"), "x").unwrap();
        assert!(complaint(&at("a/b"), &[]).contains("cannot write"));
        let mut rights = fs::metadata(at("a")).unwrap().permissions();
        rights.set_readonly(true);
        fs::set_permissions(at("a"), rights).unwrap();
        assert!(complaint(&at("a"), &[]).ends_with("it is read-only"));
    }
}
