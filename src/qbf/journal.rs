//! The file a cross-check writes its rows to, and goes on from.
//!
//! Text: a first line, then a line for each row, its checksum before it. What a killed run left half written at the end is
//! cut off when the file is opened again; any other damage is an error that names the line. One run at a time: the file is
//! locked.

use crate::qbf::question::Question;
use crate::qbf::row::{Finding, Row};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// How the file begins.
const FIRST_LINE: &str = "harary crosscheck journal 1\n";
/// A longer file is none of ours.
const LONGEST: u64 = 1 << 30;
/// Digits of the checksum.
const DIGITS: usize = 16;

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// It cannot be read or written.
    #[error("cannot use the journal {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another run writes to it.
    #[error("another run is writing to {0}; wait for it, or name another file")]
    Locked(PathBuf),
    /// What is in it is wrong.
    #[error("{path}, {damage}; move it away to begin again")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What, and where.
        damage: Damage,
    },
}

/// What is wrong with the text of a journal.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Damage {
    /// It is something else.
    #[error("line 1: this is no journal of a crosscheck")]
    NotOurs,
    /// A line that was changed.
    #[error("line {0}: the checksum is another")]
    Changed(usize),
    /// A line that makes no sense.
    #[error("line {0}: {1}")]
    Unreadable(usize, String),
    /// Too long.
    #[error("it is longer than {LONGEST} bytes")]
    TooLong,
}

/// What a line holds.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// What was asked.
    pub question: Question,
    /// What came of it.
    pub row: Row,
}

/// A journal open for one run.
pub struct Journal {
    path: PathBuf,
    file: File,
    /// By the hash of the formula.
    records: HashMap<String, Vec<Record>>,
    /// How many bytes of an unfinished line were cut off.
    cut: u64,
}

impl Journal {
    /// Opens the file, or makes it.
    pub fn open(path: &Path) -> Result<Journal, JournalError> {
        let failed = |source| JournalError::Io { path: path.to_owned(), source };
        let damaged = |damage| JournalError::Damaged { path: path.to_owned(), damage };
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(failed)?;
        // A solver that a killed run had just started holds the lock until it has become a program of its own.
        let mut patience = 10;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if patience > 0 => {
                    patience -= 1;
                    std::thread::sleep(std::time::Duration::from_millis(100));
                }
                Err(TryLockError::WouldBlock) => return Err(JournalError::Locked(path.to_owned())),
                Err(TryLockError::Error(source)) => return Err(failed(source)),
            }
        }
        let mut bytes = Vec::new();
        (&mut file).take(LONGEST + 1).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 > LONGEST {
            return Err(damaged(Damage::TooLong));
        }
        let (list, whole) = read(&bytes).map_err(damaged)?;
        let mut records: HashMap<String, Vec<Record>> = HashMap::new();
        for record in list {
            records.entry(record.question.formula.clone()).or_default().push(record);
        }
        file.set_len(whole as u64).map_err(failed)?;
        file.seek(SeekFrom::Start(whole as u64)).map_err(failed)?;
        if whole == 0 {
            file.write_all(FIRST_LINE.as_bytes()).map_err(failed)?;
        }
        Ok(Journal { path: path.to_owned(), file, records, cut: (bytes.len() - whole) as u64 })
    }

    /// How many rows it has.
    pub fn len(&self) -> usize {
        self.records.values().map(Vec::len).sum()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// How many bytes of an unfinished line were cut off when it was opened.
    pub fn cut(&self) -> u64 {
        self.cut
    }

    /// The row that answers a question. One without an answer counts if it had as much time; one that failed does not.
    pub fn find(&self, question: &Question) -> Option<&Row> {
        let same = self.records.get(&question.formula)?.iter().rev().filter(|record| record.question.is_same(question));
        let enough = |record: &&Record| match record.row.finding {
            Finding::Agreement | Finding::Disagreement | Finding::NoCoverWin => true,
            // A little less is the same limit: what a game has left is a sum of times.
            Finding::Timeout | Finding::NativeTimeout => record.question.limit >= question.limit * 0.999,
            Finding::Failure | Finding::NotAsked => false,
        };
        same.into_iter().find(enough).map(|record| &record.row)
    }

    /// Writes a row down.
    pub fn append(&mut self, question: &Question, row: &Row) -> Result<(), JournalError> {
        let record = Record { question: question.clone(), row: row.clone() };
        let failed = |source| JournalError::Io { path: self.path.clone(), source };
        let line = line(&record).map_err(|error| failed(io::Error::other(error)))?;
        self.file.write_all(line.as_bytes()).map_err(failed)
    }
}

/// A record as it is written.
fn line(record: &Record) -> serde_json::Result<String> {
    let text = serde_json::to_string(record)?;
    Ok(format!("{} {text}\n", checksum(&text)))
}

fn checksum(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex()[..DIGITS].to_owned()
}

/// The records of a journal, and how many bytes are whole.
pub fn read(bytes: &[u8]) -> Result<(Vec<Record>, usize), Damage> {
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
    if whole == 0 {
        // Empty, or killed at the very beginning.
        return if FIRST_LINE.as_bytes().starts_with(bytes) { Ok((Vec::new(), 0)) } else { Err(Damage::NotOurs) };
    }
    let mut lines = bytes[..whole].split(|&byte| byte == b'\n').zip(1..);
    if lines.next().map(|(first, _)| first) != FIRST_LINE.trim_end().as_bytes().into() {
        return Err(Damage::NotOurs);
    }
    let mut records = Vec::new();
    for (line, number) in lines.filter(|(line, _)| !line.is_empty()) {
        let text = str::from_utf8(line).map_err(|_| Damage::Unreadable(number, "this is no text".to_owned()))?;
        let (sum, text) = text.split_once(' ').ok_or(Damage::Changed(number))?;
        if sum != checksum(text) {
            return Err(Damage::Changed(number));
        }
        let record = serde_json::from_str(text).map_err(|error| Damage::Unreadable(number, error.to_string()))?;
        records.push(record);
    }
    Ok((records, whole))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qbf::instance::Encoding;

    fn question(limit: f64) -> Question {
        Question { formula: "f".into(), solver: "s {file}".into(), preprocessor: None, limit }
    }

    fn row(finding: Finding) -> Row {
        Row {
            subject: 0,
            shape: "el".into(),
            board: "3x3 plain".into(),
            rule: "strong".into(),
            encoding: Encoding::CorPlus,
            mode: "faithful".into(),
            turns: 5,
            preprocessor: None,
            preprocess_seconds: 0.0,
            solver: "s".into(),
            finding,
            native: Some(true),
            native_seconds: 0.1,
            value: None,
            black_wins: None,
            answer: "no".into(),
            seconds: 1.5,
            formula: None,
            not_kept: None,
            proof: None,
        }
    }

    #[test]
    fn what_was_answered_is_found_again_and_what_had_less_time_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        for (finding, limit, asked, found) in [
            (Finding::Agreement, 1.0, 60.0, true),
            (Finding::Disagreement, 1.0, 60.0, true),
            (Finding::Timeout, 60.0, 60.0, true),
            (Finding::Timeout, 60.0, 30.0, true),
            (Finding::Timeout, 60.0, 61.0, false),
            (Finding::NativeTimeout, 1.0, 2.0, false),
            (Finding::Failure, 60.0, 60.0, false),
        ] {
            let _ = std::fs::remove_file(&path);
            let mut journal = Journal::open(&path).unwrap();
            journal.append(&question(limit), &row(finding)).unwrap();
            drop(journal);
            let journal = Journal::open(&path).unwrap();
            let other = Question { solver: "t {file}".into(), ..question(asked) };
            assert_eq!((journal.len(), journal.cut(), journal.find(&other)), (1, 0, None));
            assert_eq!(journal.find(&question(asked)).is_some(), found, "{finding:?} {limit} {asked}");
        }
    }

    #[test]
    fn a_cut_end_is_dropped_and_other_damage_is_located() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let mut journal = Journal::open(&path).unwrap();
        assert!(matches!(Journal::open(&path), Err(JournalError::Locked(_))));
        for _ in 0..3 {
            journal.append(&question(1.0), &row(Finding::Agreement)).unwrap();
        }
        drop(journal);
        let good = std::fs::read(&path).unwrap();
        std::fs::write(&path, &good[..good.len() - 10]).unwrap();
        let mut journal = Journal::open(&path).unwrap();
        assert!(journal.len() == 2 && journal.cut() > 0);
        journal.append(&question(1.0), &row(Finding::Agreement)).unwrap();
        drop(journal);
        assert_eq!(std::fs::read(&path).unwrap(), good, "what was cut off leaves nothing behind");
        for place in [40, good.len() / 2] {
            let mut bad = good.clone();
            bad[place] ^= 1;
            assert!(matches!(read(&bad), Err(Damage::Changed(2 | 3))), "{place}: {:?}", read(&bad));
        }
        assert_eq!(read(b"shape,board\n"), Err(Damage::NotOurs));
        assert_eq!(read(b"shape"), Err(Damage::NotOurs));
        assert_eq!(read(b"harary cross"), Ok((Vec::new(), 0)));
        let senseless = "{}";
        let text = format!("{FIRST_LINE}{} {senseless}\n", checksum(senseless));
        assert!(matches!(read(text.as_bytes()), Err(Damage::Unreadable(2, _))));
    }
}
