//! The verdicts that ship with the program: `tablebases/atlas.bin`, and the same to read in `tablebases/atlas.csv`.

use super::entry::Entry;

use super::key::GameKey;
use super::report;
use super::storage::{self, Damage, Kind};
use harary_certificate::{Board, whole_file};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use thiserror::Error;

/// The names of the two files in their folder.
pub const BINARY: &str = "atlas.bin";
/// The same for people: the file beside it.
pub const READABLE: &str = "atlas.csv";

static SHIPPED: LazyLock<Tablebase> = LazyLock::new(|| {
    // The file is compiled in and a test reads it: a failure here cannot reach a user.
    Tablebase::from_bytes(include_bytes!("../../tablebases/atlas.bin")).expect("the shipped tablebase is whole")
});

/// Why a tablebase cannot be read or written.
#[derive(Debug, Error)]
pub enum TablebaseError {
    /// It cannot be read.
    #[error("cannot read {path}")]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// What is in it is wrong.
    #[error("{path} is {damage}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What, and where.
        damage: Damage,
    },
    /// It cannot be written.
    #[error("cannot write {path}; what was there before is untouched")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// What is known, one entry a game, in order.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Tablebase {
    entries: BTreeMap<GameKey, Entry>,
}

impl Tablebase {
    /// The one that is part of the program.
    pub fn shipped() -> &'static Tablebase {
        &SHIPPED
    }

    /// Reads the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Tablebase, Damage> {
        Ok(storage::read(Kind::Tablebase, bytes)?.entries.into_iter().collect())
    }

    /// Reads the tablebase of a folder; an empty one if there is none.
    pub fn load(folder: &Path) -> Result<Tablebase, TablebaseError> {
        let path = folder.join(BINARY);
        match std::fs::read(&path) {
            Ok(bytes) => Tablebase::from_bytes(&bytes).map_err(|damage| TablebaseError::Damaged { path, damage }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Tablebase::default()),
            Err(source) => Err(TablebaseError::Read { path, source }),
        }
    }

    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = storage::header(Kind::Tablebase, self.entries.len() as u64);
        for (number, entry) in self.entries().enumerate() {
            bytes.extend(storage::record(number as u64, entry));
        }
        bytes
    }

    /// Writes both files. Each appears under its name only when it is complete.
    pub fn save(&self, folder: &Path) -> Result<(), TablebaseError> {
        let readable = report::csv(self.entries());
        for (name, bytes) in [(BINARY, self.to_bytes()), (READABLE, readable.into_bytes())] {
            let path = folder.join(name);
            let written = std::fs::create_dir_all(folder).and_then(|()| whole_file::write(&path, &bytes));
            written.map_err(|source| TablebaseError::Write { path, source })?;
        }
        Ok(())
    }

    /// Takes an entry in if it says more than what is there about its game; whether it did.
    pub fn add(&mut self, entry: Entry) -> bool {
        match self.entries.get(&entry.key) {
            Some(known) if !entry.knows_more_than(known) => false,
            known => {
                let refuted = known.and_then(|known| known.refuted_turn);
                self.entries.insert(entry.key.clone(), entry.with_refuted(refuted));
                true
            }
        }
    }

    /// Takes an entry in place of one that says no more; whether that changed anything.
    pub fn replace(&mut self, entry: Entry) -> bool {
        match self.entries.get_mut(&entry.key) {
            Some(known) if !known.knows_more_than(&entry) && *known != entry => {
                *known = entry;
                true
            }
            _ => false,
        }
    }

    /// What is known of a game.
    pub fn get(&self, key: &GameKey) -> Option<&Entry> {
        self.entries.get(key)
    }

    /// Everything that is known, in the order of the games.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.entries.values()
    }

    /// How many games it knows.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The boards of the entries about the shapes of `key`, with its topology and rule.
    pub fn boards(&self, key: &GameKey) -> impl Iterator<Item = (Board, &Entry)> {
        let same = move |entry: &&Entry| {
            let other = &entry.key;
            other.shapes() == key.shapes()
                && other.board().topology() == key.board().topology()
                && other.rule() == key.rule()
        };
        self.entries().filter(same).map(|entry| (entry.key.board(), entry))
    }
}

impl FromIterator<Entry> for Tablebase {
    fn from_iter<I: IntoIterator<Item = Entry>>(entries: I) -> Tablebase {
        let mut tablebase = Tablebase::default();
        entries.into_iter().for_each(|entry| {
            tablebase.add(entry);
        });
        tablebase
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::Finding;
    use super::super::entry::tests::win;
    use super::*;

    #[test]
    fn the_shipped_files_are_whole_and_say_the_same() {
        let bytes = include_bytes!("../../tablebases/atlas.bin");
        let shipped = Tablebase::from_bytes(bytes).unwrap();
        assert_eq!(shipped.to_bytes(), bytes, "one way to write it");
        let readable = report::csv(shipped.entries());
        assert!(readable == include_str!("../../tablebases/atlas.csv"), "atlas.csv is not what atlas.bin says");
        assert_eq!(readable.lines().count(), shipped.len() + 1);
    }

    #[test]
    fn what_is_saved_is_loaded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new");
        assert!(Tablebase::load(&path).unwrap().is_empty());
        let tablebase: Tablebase = [win()].into_iter().collect();
        tablebase.save(&path).unwrap();
        assert_eq!(Tablebase::load(&path).unwrap(), tablebase);
        let mut names: Vec<_> = std::fs::read_dir(&path).unwrap().map(|file| file.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, [BINARY, READABLE]);
        std::fs::write(path.join(BINARY), b"HARATLAS").unwrap();
        let error = Tablebase::load(&path).unwrap_err().to_string();
        assert!(error.contains("atlas.bin is damaged: the header is cut off"), "{error}");
    }

    #[test]
    fn better_entries_replace_worse_ones() {
        let late = Entry { finding: Finding::Win { by: 7, least: false }, ..win() };
        let mut tablebase = Tablebase::default();
        assert_eq!([tablebase.add(late.clone()), tablebase.add(win()), tablebase.add(late)], [true, true, false]);
        assert_eq!((tablebase.len(), tablebase.get(&win().key)), (1, Some(&win())));
        let again = Entry { nodes: 1, ..win() };
        let late = Entry { finding: Finding::Win { by: 7, least: false }, ..win() };
        assert_eq!([again.clone(), again.clone(), late].map(|entry| tablebase.replace(entry)), [true, false, false]);
        assert_eq!(tablebase.get(&win().key), Some(&again));
    }

    /// A win found by a search that does not look for the least turn: what was refuted before is not forgotten.
    #[test]
    fn what_was_refuted_stays_refuted() {
        let open =
            Entry { finding: Finding::Unknown, refuted_turn: Some(5), certificate: None, first_move: None, ..win() };
        for (by, refuted, expected) in
            [(9, None, (Some(5), false)), (9, Some(3), (Some(5), false)), (7, None, (Some(5), true))]
        {
            let found = Entry { finding: Finding::Win { by, least: false }, refuted_turn: refuted, ..win() };
            let mut tablebase: Tablebase = [open.clone()].into_iter().collect();
            assert!(tablebase.add(found));
            let entry = tablebase.get(&win().key).unwrap();
            assert_eq!((entry.refuted_turn, entry.finding.least_turn().is_some()), expected, "by {by}");
        }
    }
}
