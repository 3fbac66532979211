//! The file a run appends its results to, and resumes from.
//!
//! A record is one write and then on the disk before the next is begun, so that a run killed at any moment loses only
//! the games under way. What a killed write left half done is cut off when the file is opened for the next run. One run
//! at a time: the file is locked, and the lock goes when the process does, however it goes.

use super::entry::Entry;
use super::storage::{self, Damage, Kind};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// The name of the file in the folder of a run.
pub const FILE: &str = "journal.bin";

/// Why a journal cannot be read or written.
#[derive(Debug, Error)]
pub enum JournalError {
    /// It cannot be read.
    #[error("cannot read {path}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Its folder cannot be made.
    #[error("cannot make the folder {path}")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It cannot be opened.
    #[error("cannot open {path} to write to it")]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// What is in it is wrong.
    #[error("{path} is {damage}; move it away to begin again, or run 'harary atlas repair --dir {}'", folder_of(path).display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What, and where.
        damage: Damage,
    },
    /// Another run writes to it.
    #[error("another run is writing to {0}; wait for it, or give this one a folder of its own with --dir")]
    Locked(PathBuf),
    /// It cannot be written to.
    #[error("cannot write to {path}; the {records} results before are safe, run again to go on")]
    Write {
        /// The file.
        path: PathBuf,
        /// The records that are safe.
        records: usize,
        /// Why.
        source: io::Error,
    },
}

/// Where a journal is.
fn folder_of(journal: &Path) -> &Path {
    journal.parent().unwrap_or(journal)
}

/// A journal open for one run.
pub struct Journal {
    path: PathBuf,
    file: File,
    entries: Vec<Entry>,
    /// Bytes that are whole.
    length: u64,
    /// How many bytes a killed run had left at the end.
    cut: u64,
}

impl Journal {
    /// Opens the journal of a folder for a run, and makes both if they are not there.
    pub fn open(folder: &Path) -> Result<Journal, JournalError> {
        let path = folder.join(FILE);
        let unreadable = |source| JournalError::Read { path: path.clone(), source };
        let not_made = |source| JournalError::Folder { path: folder.to_owned(), source };
        std::fs::create_dir_all(folder).map_err(not_made)?;
        let not_opened = |source| JournalError::Open { path: path.clone(), source };
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(&path).map_err(not_opened)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::Locked(path)),
            Err(TryLockError::Error(source)) => return Err(unreadable(source)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(unreadable)?;
        let content = content(&path, &bytes)?;
        let (length, cut) = (content.whole as u64, bytes.len() as u64 - content.whole as u64);
        let mut journal = Journal { path, file, entries: content.entries, length, cut };
        journal.begin().map_err(|source| journal.write_error(source))?;
        Ok(journal)
    }

    /// The results so far, in the order they came.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many bytes of an unfinished record were cut off when the journal was opened.
    pub fn cut(&self) -> u64 {
        self.cut
    }

    /// Writes a result down; when this returns it is on the disk.
    pub fn append(&mut self, entry: Entry) -> Result<(), JournalError> {
        let record = storage::record(self.entries.len() as u64, &entry);
        if let Err(source) = self.file.write_all(&record).and_then(|()| self.file.sync_data()) {
            // What a full disk took of the record must not stay. If even that fails, the next run will cut it off.
            let _ = self.rewind();
            return Err(self.write_error(source));
        }
        self.length += record.len() as u64;
        self.entries.push(entry);
        Ok(())
    }

    /// Cuts off what is not whole and writes the header of a new file.
    fn begin(&mut self) -> io::Result<()> {
        self.rewind()?;
        if self.length == 0 {
            let header = storage::header(Kind::Journal, 0);
            self.file.write_all(&header)?;
            self.length = header.len() as u64;
        }
        self.file.sync_all()
    }

    fn rewind(&mut self) -> io::Result<()> {
        self.file.set_len(self.length)?;
        self.file.seek(SeekFrom::Start(self.length)).map(|_| ())
    }

    fn write_error(&self, source: io::Error) -> JournalError {
        JournalError::Write { path: self.path.clone(), records: self.entries.len(), source }
    }
}

/// The results in the journal of a folder, for reading only; a run may be at work on it. None if there is no journal.
pub fn read(folder: &Path) -> Result<Option<Vec<Entry>>, JournalError> {
    let path = folder.join(FILE);
    match std::fs::read(&path) {
        Ok(bytes) => content(&path, &bytes).map(|content| Some(content.entries)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(JournalError::Read { path, source }),
    }
}

/// What was saved of a damaged journal.
#[derive(Debug)]
pub struct Repaired {
    /// Records that were whole.
    pub saved: usize,
    /// What was lost, and where.
    pub damaged: Vec<Damage>,
    /// Where the damaged journal is kept.
    pub kept: Option<PathBuf>,
}

/// Writes a journal with everything that is whole in a damaged one, which is kept under another name.
pub fn repair(folder: &Path) -> Result<Repaired, JournalError> {
    let path = folder.join(FILE);
    let unreadable = |source| JournalError::Read { path: path.clone(), source };
    let mut old = OpenOptions::new().read(true).write(true).open(&path).map_err(unreadable)?;
    match old.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(JournalError::Locked(path)),
        Err(TryLockError::Error(source)) => return Err(unreadable(source)),
    }
    let mut bytes = Vec::new();
    old.read_to_end(&mut bytes).map_err(unreadable)?;
    let (entries, damaged) = storage::salvage(&bytes);
    if !damaged.is_empty() {
        let records = entries.len();
        let lost = |source| JournalError::Write { path: path.clone(), records: 0, source };
        let kept = free_name(folder);
        std::fs::rename(&path, &kept).map_err(lost)?;
        let mut journal = Journal::open(folder)?;
        entries.into_iter().try_for_each(|entry| journal.append(entry))?;
        return Ok(Repaired { saved: records, damaged, kept: Some(kept) });
    }
    Ok(Repaired { saved: entries.len(), damaged, kept: None })
}

/// A name for a damaged journal under which no other is kept.
fn free_name(folder: &Path) -> PathBuf {
    let numbered = |number: u32| folder.join(format!("{FILE}.damaged-{number}"));
    let plain = std::iter::once(folder.join(format!("{FILE}.damaged")));
    let mut names = plain.chain((2..).map(numbered));
    names.find(|name| !name.exists()).unwrap_or_else(|| numbered(0))
}

fn content(path: &Path, bytes: &[u8]) -> Result<storage::Content, JournalError> {
    match storage::read(Kind::Journal, bytes) {
        Ok(content) => Ok(content),
        // The run that made the file was killed before its header was written: there is nothing to lose.
        Err(Damage::ShortHeader(_)) => Ok(storage::Content { entries: Vec::new(), whole: 0 }),
        Err(damage) => Err(JournalError::Damaged { path: path.to_owned(), damage }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::win;
    use super::*;

    #[test]
    fn results_are_there_when_the_journal_is_opened_again() {
        let folder = tempfile::tempdir().unwrap();
        assert!(read(folder.path()).unwrap().is_none());
        for count in 0..3 {
            let mut journal = Journal::open(folder.path()).unwrap();
            assert_eq!((journal.entries().len(), journal.cut()), (count, 0));
            journal.append(win()).unwrap();
        }
        assert_eq!(read(folder.path()).unwrap().unwrap(), [win(), win(), win()]);
    }

    /// Cut off anywhere, the journal opens with the results that were whole, and goes on from there.
    #[test]
    fn a_torn_end_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(folder.path()).unwrap();
        let path = journal.path().to_owned();
        let mut ends = vec![std::fs::metadata(&path).unwrap().len()];
        for _ in 0..2 {
            journal.append(win()).unwrap();
            ends.push(std::fs::metadata(&path).unwrap().len());
        }
        drop(journal);
        let bytes = std::fs::read(&path).unwrap();
        for length in (0..bytes.len()).step_by(3) {
            std::fs::write(&path, &bytes[..length]).unwrap();
            let whole = ends.iter().filter(|&&end| end <= length as u64).count().saturating_sub(1);
            let mut journal = Journal::open(folder.path()).unwrap();
            assert_eq!(journal.entries().len(), whole, "{length} bytes");
            journal.append(win()).unwrap();
            drop(journal);
            assert_eq!(read(folder.path()).unwrap().unwrap().len(), whole + 1, "{length} bytes");
        }
    }

    #[test]
    fn damage_is_named_and_nothing_is_touched() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(folder.path()).unwrap();
        journal.append(win()).unwrap();
        let path = journal.path().to_owned();
        drop(journal);
        let mut bytes = std::fs::read(&path).unwrap();
        let middle = bytes.len() - 20;
        bytes[middle] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        for error in [Journal::open(folder.path()).err(), read(folder.path()).err()] {
            let message = error.unwrap().to_string();
            assert!(message.contains("damaged: record 1 at byte 28: its checksum is wrong"), "{message}");
        }
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }

    #[test]
    fn what_is_whole_is_saved_from_a_damaged_journal() {
        let folder = tempfile::tempdir().unwrap();
        let mut journal = Journal::open(folder.path()).unwrap();
        for nodes in 0..5 {
            journal.append(Entry { nodes, ..win() }).unwrap();
        }
        let path = journal.path().to_owned();
        drop(journal);
        assert_eq!(repair(folder.path()).unwrap().damaged, []);
        let whole = std::fs::read(&path).unwrap();
        let record = (whole.len() - storage::HEADER) / 5;
        for offset in (0..whole.len()).step_by(11) {
            let mut bytes = whole.clone();
            bytes[offset] ^= 64;
            std::fs::write(&path, &bytes).unwrap();
            let repaired = repair(folder.path()).unwrap();
            let saved: Vec<u64> = read(folder.path()).unwrap().unwrap().iter().map(|entry| entry.nodes).collect();
            let lost = offset.checked_sub(storage::HEADER).map(|offset| (offset / record) as u64);
            let expected: Vec<u64> = (0..5).filter(|&number| Some(number) != lost).collect();
            assert_eq!((saved, repaired.damaged.len()), (expected, 1), "byte {offset}: {:?}", repaired.damaged);
            assert_eq!(std::fs::read(repaired.kept.unwrap()).unwrap(), bytes);
        }
    }

    #[test]
    fn one_run_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let journal = Journal::open(folder.path()).unwrap();
        assert!(matches!(Journal::open(folder.path()), Err(JournalError::Locked(_))));
        assert!(read(folder.path()).unwrap().unwrap().is_empty(), "reading needs no lock");
        drop(journal);
        assert!(Journal::open(folder.path()).is_ok());
    }
}
