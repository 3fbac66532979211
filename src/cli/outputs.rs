//! Files to be written: tried before the work that fills them, and never in the place of a file that is read.

use super::UsageError;
use std::fs;
use std::path::{Path, PathBuf};

/// Refuses outputs that cannot be written to, that are each other, or that are inputs. What can only be seen when it
/// happens (a full disk) is left to the writing.
pub fn try_outputs(outputs: &[&Path], inputs: &[&Path]) -> Result<(), UsageError> {
    let refuse = |path: &Path, reason: &str| Err(UsageError(format!("{} {reason}", path.display())));
    for (number, &output) in outputs.iter().enumerate() {
        if inputs.iter().any(|input| is_same(output, input)) {
            return refuse(output, "is read; give another name for what is written");
        }
        if outputs[..number].iter().any(|other| is_same(output, other)) {
            return refuse(output, "is to be written twice; give two names");
        }
        match fs::metadata(output) {
            Ok(known) if known.is_dir() => return refuse(output, "is a folder; give the name of a file"),
            Ok(known) if known.is_file() && known.permissions().readonly() => {
                return refuse(output, "is read-only, and not replaced");
            }
            Ok(_) => {}
            Err(_) if folder(output).is_dir() => {}
            Err(_) => return refuse(output, "cannot be written: there is no such folder"),
        }
    }
    Ok(())
}

/// The folder a file is in.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Whether two paths name the same file, there or not yet. Devices and pipes are no files: what is written there does no
/// harm to what is read.
fn is_same(one: &Path, two: &Path) -> bool {
    let real = |path: &Path| -> Option<PathBuf> {
        match path.canonicalize() {
            Ok(real) => Some(real).filter(|real| real.is_file()),
            Err(_) => Some(folder(path).canonicalize().ok()?.join(path.file_name()?)),
        }
    };
    real(one).is_some_and(|one| real(two).is_some_and(|two| one == two))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_seen_beforehand_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("there"), "x").unwrap();
        fs::write(at("locked"), "x").unwrap();
        let mut permissions = fs::metadata(at("locked")).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(at("locked"), permissions).unwrap();
        let reason = |outputs: &[PathBuf], inputs: &[PathBuf]| {
            let paths = |list: &[PathBuf]| list.iter().cloned().collect::<Vec<_>>();
            let (outputs, inputs) = (paths(outputs), paths(inputs));
            let outputs: Vec<&Path> = outputs.iter().map(PathBuf::as_path).collect();
            let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
            try_outputs(&outputs, &inputs).err().map(|error| error.0).unwrap_or_default()
        };
        assert_eq!(reason(&[at("new"), at("there"), "/dev/null".into(), "/dev/null".into()], &[at("other")]), "");
        assert!(reason(&[at("missing/new")], &[]).ends_with("there is no such folder"));
        assert!(reason(&[folder.path().into()], &[]).ends_with("is a folder; give the name of a file"));
        assert!(reason(&[at("locked")], &[]).ends_with("is read-only, and not replaced"));
        assert!(reason(&[at("new"), at("./new")], &[]).contains("written twice"));
        assert!(reason(&[at("there")], &[at("./there")]).contains("is read;"));
    }
}
