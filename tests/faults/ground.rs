//! Folders in which commands run and go wrong.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The files of a folder by their names, folders within it included.
pub type Files = BTreeMap<PathBuf, Vec<u8>>;

/// Reads all files below a folder. What others remove meanwhile is not there.
pub fn files(folder: &Path) -> Files {
    let mut found = Files::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(folder.join(&inner)).unwrap() {
            let path = inner.join(entry.unwrap().file_name());
            match fs::metadata(folder.join(&path)) {
                Ok(known) if known.is_dir() => folders.push(path),
                _ => found.extend(fs::read(folder.join(&path)).ok().map(|bytes| (path, bytes))),
            }
        }
    }
    found
}

/// A new folder with these files.
pub fn folder_with(files: &Files) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    folder
}

/// The program, in a folder, with what it works on beside it in a folder of its own.
pub fn harary(folder: &Path, script: &str) -> Command {
    let mut command = Command::new("sh");
    let script = script.replace("harary ", "\"$HARARY\" ");
    command
        .args(["-c", &format!("exec {script}")])
        .env("HARARY", env!("CARGO_BIN_EXE_harary"))
        .env("TMPDIR", folder.parent().unwrap())
        .current_dir(folder)
        .stdin(Stdio::null());
    command
}

/// What a program said.
pub fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A die that falls the same way every time.
pub struct Die(pub u64);

impl Die {
    /// From 0 to below `many`.
    pub fn roll(&mut self, many: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % many.max(1)
    }
}
