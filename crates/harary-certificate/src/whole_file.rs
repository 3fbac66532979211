//! Files that are there whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A file written under a name of its own in the same folder, which takes the place of the one asked for when all is on
/// the disk: whoever looks finds what was there before or all of what is new, even if the program is killed or the disk
/// is full. A link stays a link, and what it points to is replaced.
///
/// What is no regular file (`/dev/stdout`, a pipe) cannot be replaced and is written to as it is.
pub struct WholeFile {
    out: BufWriter<File>,
    /// What it is called now and what it will be called; none if it is written to as it is.
    names: Option<(PathBuf, PathBuf)>,
}

/// Numbers the files under way in this process.
static STARTED: AtomicU32 = AtomicU32::new(0);

impl WholeFile {
    /// Begins a file that will have this name.
    pub fn create(path: &Path) -> io::Result<WholeFile> {
        if is_special(path) {
            let out = BufWriter::new(OpenOptions::new().write(true).open(path)?);
            return Ok(WholeFile { out, names: None });
        }
        let path = behind_links(path)?;
        let mut name = path.file_name().ok_or_else(|| io::Error::other("the name of a file is missing"))?.to_owned();
        name.push(format!(".{}-{}.part", std::process::id(), STARTED.fetch_add(1, Ordering::Relaxed)));
        let temporary = path.with_file_name(name);
        let out = BufWriter::new(File::create(&temporary)?);
        Ok(WholeFile { out, names: Some((temporary, path)) })
    }

    /// Writes out what is buffered and gives the file its name.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()?;
        let Some((temporary, path)) = &self.names else { return Ok(()) };
        self.out.get_ref().sync_all()?;
        fs::rename(temporary, path)?;
        // The new name is on the disk when its folder is. Where folders cannot be opened there is nothing to do.
        if let Ok(folder) = File::open(path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."))) {
            let _ = folder.sync_all();
        }
        self.names = None;
        Ok(())
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// An unfinished file is not left lying about. Nothing can be done if it cannot be removed.
impl Drop for WholeFile {
    fn drop(&mut self) {
        if let Some((temporary, _)) = &self.names {
            let _ = fs::remove_file(temporary);
        }
    }
}

/// Writes all of a file.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// Copies all of a file.
pub fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let mut file = WholeFile::create(to)?;
    io::copy(&mut File::open(from)?, &mut file)?;
    file.finish()
}

/// Whether something is there that is no regular file: what is written to it cannot be read back.
pub fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|known| !known.is_file())
}

/// What a path stands for when its last part is a link, or a link to a link, whether or not it is there.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many links"))
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
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
        copy(&path, &folder.path().join("copy")).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("copy")).unwrap(), "a longer one");
        fs::remove_file(folder.path().join("copy")).unwrap();
        let mut unfinished = WholeFile::create(&path).unwrap();
        unfinished.write_all(b"half of it").unwrap();
        drop(unfinished);
        assert_eq!(fs::read_to_string(&path).unwrap(), "a longer one");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn what_cannot_be_written_stays_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        assert!(write(&folder.path().join("nowhere/file"), b"x").is_err());
        assert!(write(folder.path(), b"x").is_err());
        assert!(folder.path().is_dir());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
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
        assert!(fs::metadata(&path).unwrap().file_type().is_socket());
        write(Path::new("/dev/null"), b"x").unwrap();
        assert!(fs::metadata("/dev/null").unwrap().file_type().is_char_device());
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::os::unix::fs::symlink("target", at("link")).unwrap();
        std::os::unix::fs::symlink(at("link"), at("second")).unwrap();
        std::os::unix::fs::symlink("round", at("round")).unwrap();
        for content in ["not there before", "there before"] {
            write(&at("second"), content.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(at("target")).unwrap(), content);
        }
        assert!(fs::read_link(at("link")).is_ok() && fs::read_link(at("second")).is_ok());
        assert!(write(&at("round"), b"x").is_err());
    }
}
