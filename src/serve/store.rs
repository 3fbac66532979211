//! Where runs are kept: a folder with a file for each run and one for each certificate.
//!
//! Files appear whole or not at all, so that a server killed at any moment leaves every run with what it had found.

use super::run::{FORMAT, Run, State};
use harary_certificate::{Certificate, whole_file};
use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// A longer file is no run.
const LONGEST: u64 = 1 << 21;

/// Why a folder does not serve.
#[derive(Debug, Error)]
pub enum StoreError {
    /// Another server has it.
    #[error("{0} belongs to another harary serve that is running; give --data another folder")]
    Taken(PathBuf),
    /// It cannot be used.
    #[error("cannot use the folder {path}: {source}")]
    Folder {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// The folder of one server. It is locked as long as this lives.
pub struct Store {
    folder: PathBuf,
    _lock: File,
}

/// What lies in a folder.
pub struct Loaded {
    /// The runs, those that were under way marked as interrupted.
    pub runs: Vec<Run>,
    /// Files that are no runs, or runs whose certificate is not what it was, in words.
    pub complaints: Vec<String>,
}

impl Store {
    /// Opens a folder, made if it is not there, for this server alone.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        let cannot = |source| StoreError::Folder { path: folder.to_owned(), source };
        fs::create_dir_all(folder).map_err(cannot)?;
        let lock = File::create(folder.join("lock")).map_err(cannot)?;
        match lock.try_lock() {
            Ok(()) => Ok(Store { folder: folder.to_owned(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(StoreError::Taken(folder.to_owned())),
            Err(TryLockError::Error(source)) => Err(cannot(source)),
        }
    }

    /// Reads all runs.
    pub fn load(&self) -> io::Result<Loaded> {
        let mut loaded = Loaded { runs: Vec::new(), complaints: Vec::new() };
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            match path.extension().and_then(|ending| ending.to_str()) {
                // What a killed server was writing.
                Some("part") => fs::remove_file(&path)?,
                Some("json") => match self.read(&path) {
                    Ok(run) => loaded.runs.push(run),
                    Err(reason) => loaded.complaints.push(format!("{}: {reason}", path.display())),
                },
                _ => {}
            }
        }
        loaded.runs.sort_by(|a, b| (a.made, &a.id).cmp(&(b.made, &b.id)));
        for run in &mut loaded.runs {
            if run.state == State::Running {
                run.state = State::Interrupted;
                run.seen.proving = false;
            }
            let Some(verdict) = &run.verdict else { continue };
            if hash_of(&self.certificate(&run.id)).ok().as_deref() != Some(verdict.file.as_str()) {
                loaded.complaints.push(format!("{}: its certificate is not what it was", run.id));
                (run.state, run.verdict) = (State::Failed, None);
                run.remark = Some("The certificate of this run is gone or damaged: settle it again.".to_owned());
            }
        }
        Ok(loaded)
    }

    fn read(&self, path: &Path) -> Result<Run, String> {
        let mut text = String::new();
        let file = File::open(path).map_err(|error| error.to_string())?;
        file.take(LONGEST).read_to_string(&mut text).map_err(|error| error.to_string())?;
        let run: Run = serde_json::from_str(&text).map_err(|error| format!("no run: {error}"))?;
        if run.format != FORMAT {
            return Err(format!("format {}, and {FORMAT} is known here", run.format));
        }
        if !is_id(&run.id) || self.run(&run.id) != path {
            return Err("the run has another name than its file".to_owned());
        }
        Ok(run)
    }

    /// Keeps a run as it is now.
    pub fn save(&self, run: &Run) -> io::Result<()> {
        whole_file::write(&self.run(&run.id), &serde_json::to_vec_pretty(run)?)
    }

    /// Keeps a certificate; the hash of its file.
    pub fn keep(&self, id: &str, certificate: &mut Certificate) -> io::Result<String> {
        let path = self.certificate(id);
        certificate.keep(&path)?;
        hash_of(&path)
    }

    /// Forgets a run and its certificate.
    pub fn remove(&self, id: &str) -> io::Result<()> {
        fs::remove_file(self.run(id))?;
        match fs::remove_file(self.certificate(id)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn run(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.json"))
    }

    /// Where the certificate of a run lies.
    pub fn certificate(&self, id: &str) -> PathBuf {
        self.folder.join(format!("{id}.cert.zst"))
    }
}

/// Whether this is the name of a run, and so a harmless part of a path.
pub fn is_id(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

fn hash_of(path: &Path) -> io::Result<String> {
    let mut hasher = blake3::Hasher::new();
    io::copy(&mut File::open(path)?, &mut hasher)?;
    Ok(hasher.finalize().to_hex().to_string())
}

#[cfg(test)]
mod tests {
    use super::super::asked::{Asked, Effort};
    use super::super::run::Seen;
    use super::*;

    fn run(id: &str, state: State) -> Run {
        Run {
            format: FORMAT,
            id: id.to_owned(),
            owner: "somebody".to_owned(),
            asked: Asked::default(),
            effort: Effort { cores: 1, memory: 1, seconds: 1 },
            title: "a game".to_owned(),
            state,
            made: 7,
            seen: Seen::default(),
            verdict: None,
            remark: None,
        }
    }

    #[test]
    fn runs_come_back_and_what_is_none_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path()).unwrap();
        assert!(matches!(Store::open(folder.path()), Err(StoreError::Taken(_))));
        store.save(&run("0000000000000001", State::Running)).unwrap();
        store.save(&run("0000000000000002", State::Queued)).unwrap();
        let settled = super::super::run::Verdict {
            word: "win".to_owned(),
            by: Some(3),
            least: None,
            first_move: None,
            sentence: String::new(),
            white_open: false,
            hash: String::new(),
            bytes: 0,
            lines: 0,
            file: "another".to_owned(),
        };
        let lost = Run { verdict: Some(settled), ..run("0000000000000003", State::Settled) };
        store.save(&lost).unwrap();
        fs::write(folder.path().join("0000000000000004.json"), "{}").unwrap();
        fs::write(folder.path().join("0000000000000001.json.9-1.part"), "{").unwrap();
        fs::copy(folder.path().join("0000000000000002.json"), folder.path().join("copy.json")).unwrap();
        let Loaded { runs, complaints } = store.load().unwrap();
        let states: Vec<State> = runs.iter().map(|run| run.state).collect();
        // A verdict without its certificate is none.
        assert_eq!(states, [State::Interrupted, State::Queued, State::Failed]);
        assert_eq!((complaints.len(), runs[2].verdict.is_none()), (3, true), "{complaints:?}");
        assert!(!folder.path().join("0000000000000001.json.9-1.part").exists());
        store.remove("0000000000000003").unwrap();
        assert_eq!(store.load().unwrap().runs.len(), 2);
        drop(store);
        assert!(Store::open(folder.path()).is_ok(), "the lock goes with the server");
    }

    #[test]
    fn names_of_runs_lead_nowhere_else() {
        assert!(is_id("0123456789abcdef"));
        for wrong in ["", "../../etc/passwd", "0123456789abcdeF", "0123456789abcde", "0123456789abcde/"] {
            assert!(!is_id(wrong), "{wrong}");
        }
    }
}
