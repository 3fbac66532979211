//! The files a user names, to be read: what is read has a cap.

use super::mistake::UsageError;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Whether a path stands for standard input or output.
pub fn is_dash(path: &Path) -> bool {
    path == Path::new("-")
}

/// What to call a file in a message.
pub fn name(path: &Path) -> String {
    if is_dash(path) { "standard input".to_owned() } else { path.display().to_string() }
}

/// A file to read, or standard input for `-`.
pub fn open(path: &Path) -> anyhow::Result<Box<dyn Read + Send>> {
    if is_dash(path) {
        return Ok(Box::new(io::stdin()));
    }
    let cannot = |error: io::Error| UsageError(format!("cannot read {}: {error}", path.display()));
    let file = File::open(path).map_err(cannot)?;
    if file.metadata().map_err(cannot)?.is_dir() {
        return Err(UsageError(format!("cannot read {}: it is a folder", path.display())).into());
    }
    Ok(Box::new(file))
}

/// All of a file of text, at most `most` bytes; `what` is what it should hold.
pub fn read_text(path: &Path, most: u64, what: &str) -> anyhow::Result<String> {
    let name = name(path);
    let mut bytes = Vec::new();
    let cannot = |error: io::Error| UsageError(format!("cannot read {name}: {error}"));
    open(path)?.take(most + 1).read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > most {
        return Err(UsageError(format!("{name} is too long for {what}: more than {most} bytes")).into());
    }
    String::from_utf8(bytes).map_err(|_| UsageError(format!("{name} is no text")).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_an_end() {
        let error = read_text(Path::new("/dev/zero"), 1000, "a table").unwrap_err();
        assert_eq!(error.to_string(), "/dev/zero is too long for a table: more than 1000 bytes");
        assert!(read_text(Path::new("/nowhere"), 1, "a table").unwrap_err().is::<UsageError>());
    }
}
