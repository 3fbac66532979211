//! Files that are there whole or not at all.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Writes a file under a name of its own in the same folder and renames it when all is on the disk: whoever looks finds
/// what was there before or all of what is new, even if the program is killed or the disk is full.
///
/// What is no regular file (`/dev/stdout`, a pipe) cannot be replaced and is written to as it is.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if std::fs::metadata(path).is_ok_and(|known| !known.is_file()) {
        return OpenOptions::new().write(true).open(path)?.write_all(bytes);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".harary-").suffix(".tmp");
    #[cfg(unix)]
    {
        // A temporary file is private; this one is to have the permissions of any other.
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    // The new name is on the disk when its folder is. Where folders cannot be opened there is nothing to do.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for content in ["first", "", "a longer one"] {
            write(&path, content.as_bytes()).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), content);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_written_stays_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write(&folder.path().join("nowhere/file"), b"x").is_err());
        assert!(write(folder.path(), b"x").is_err());
        assert!(folder.path().is_dir());
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_regular_file_is_not_replaced() {
        use std::os::unix::fs::FileTypeExt;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("socket");
        let _listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
        // A socket cannot be opened to be written to; it must still be one afterwards.
        assert!(write(&path, b"x").is_err());
        assert!(std::fs::metadata(&path).unwrap().file_type().is_socket());
    }
}
