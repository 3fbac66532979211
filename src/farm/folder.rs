//! The folder of a farm: what lies where, and who may write.
//!
//! | file | what |
//! |---|---|
//! | `plan` | the game, and how rounds are planned |
//! | `rounds/001.jobs` | the jobs of a round |
//! | `tree.zst` | the tree at the top, as the last round left it |
//! | `facts/001.facts.zst` | what was known when the round was planned |
//! | `results/000012.won`, `.held`, `.open` | the result of a job; the name says what it is |
//! | `results/000012.cert.zst`, `.facts.zst` | its certificate, and what was learned |
//! | `checkpoints/000012.facts.zst` | how far a job is |
//! | `locks/000012` | held by whoever does the job |
//! | `refused/000012.…` | results that did not check, with the reason |
//! | `jobs.tsv` | the jobs of the last round for other programs |
//! | `lock` | held by the master |

use super::error::FarmError;
use super::plan::{Plan, Round};
use super::sealed;
use super::verdict::Verdict;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The name of the machine and the number of the process.
pub fn worker_name() -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname");
    let host = host.map_or("?".to_owned(), |name| name.trim().replace(' ', "_"));
    format!("{host} {}", std::process::id())
}

/// The folder.
#[derive(Clone, Debug)]
pub struct Folder {
    path: PathBuf,
}

/// Held as long as it lives; the system lets go of it when the process ends, however it ends.
#[derive(Debug)]
pub struct Lock(File);

impl Drop for Lock {
    fn drop(&mut self) {
        // Closing the file would do as well.
        let _ = self.0.unlock();
    }
}

impl Folder {
    /// A folder that may or may not be there.
    pub fn at(path: &Path) -> Folder {
        Folder { path: path.to_owned() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the folders below it.
    pub fn make(&self) -> Result<(), FarmError> {
        for name in ["rounds", "facts", "results", "checkpoints", "locks", "refused", "logs"] {
            let path = self.path.join(name);
            fs::create_dir_all(&path).map_err(FarmError::file(&path))?;
        }
        Ok(())
    }

    /// What Slurm's tasks say.
    pub fn logs(&self) -> PathBuf {
        self.path.join("logs")
    }

    /// The plan.
    pub fn plan(&self) -> PathBuf {
        self.path.join("plan")
    }

    /// The tree.
    pub fn tree(&self) -> PathBuf {
        self.path.join("tree.zst")
    }

    /// The jobs for other programs.
    pub fn table(&self) -> PathBuf {
        self.path.join("jobs.tsv")
    }

    /// The jobs of a round.
    pub fn round(&self, round: u32) -> PathBuf {
        self.path.join(format!("rounds/{round:03}.jobs"))
    }

    /// What was known when a round was planned.
    pub fn facts(&self, round: u32) -> PathBuf {
        self.path.join(format!("facts/{round:03}.facts.zst"))
    }

    /// The result of a job.
    pub fn result(&self, job: u32, verdict: Verdict) -> PathBuf {
        self.path.join(format!("results/{job:06}.{verdict}"))
    }

    /// Its certificate.
    pub fn certificate(&self, job: u32) -> PathBuf {
        self.path.join(format!("results/{job:06}.cert.zst"))
    }

    /// What was learned in it.
    pub fn learned(&self, job: u32) -> PathBuf {
        self.path.join(format!("results/{job:06}.facts.zst"))
    }

    /// How far it is.
    pub fn checkpoint(&self, job: u32) -> PathBuf {
        self.path.join(format!("checkpoints/{job:06}.facts.zst"))
    }

    /// Takes the lock of the master.
    pub fn lock(&self) -> Result<Lock, FarmError> {
        let path = self.path.join("lock");
        self.locked(&path)?.ok_or_else(|| FarmError::Locked(self.path.clone()))
    }

    /// Takes the lock of the master of a farm that is there, and reads its plan.
    pub fn lock_farm(&self) -> Result<(Lock, Plan), FarmError> {
        if !self.has_plan() {
            return Err(FarmError::None(self.path.clone()));
        }
        // A copy of the folder may lack those that were empty.
        self.make()?;
        let lock = self.lock()?;
        Ok((lock, self.read_plan()?))
    }

    /// Takes the lock of a job; none if somebody else does it. Where the file system has no locks nobody is kept from it:
    /// a job that is done twice is only done in vain.
    pub fn lock_job(&self, job: u32) -> Result<Option<Lock>, FarmError> {
        self.locked(&self.path.join(format!("locks/{job:06}")))
    }

    fn locked(&self, path: &Path) -> Result<Option<Lock>, FarmError> {
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(false).open(path).map_err(FarmError::file(path))?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Ok(None);
        }
        // Who it is, for people; nothing depends on it.
        let _ = file.set_len(0).and_then(|()| (&file).write_all(format!("{}\n", worker_name()).as_bytes()));
        Ok(Some(Lock(file)))
    }

    /// Whether a farm is here.
    pub fn has_plan(&self) -> bool {
        self.plan().is_file()
    }

    /// Reads the plan.
    pub fn read_plan(&self) -> Result<Plan, FarmError> {
        if !self.has_plan() {
            return Err(FarmError::None(self.path.clone()));
        }
        let path = self.plan();
        Plan::read(&self.unsealed(&path, "plan")?).map_err(FarmError::damaged(&path))
    }

    /// Reads the jobs of a round.
    pub fn read_round(&self, plan: &Plan, round: u32) -> Result<Round, FarmError> {
        let path = self.round(round);
        Round::read(&self.unsealed(&path, "jobs")?, plan).map_err(FarmError::damaged(&path))
    }

    /// The text of a sealed file.
    pub fn unsealed(&self, path: &Path, kind: &str) -> Result<String, FarmError> {
        let bytes = fs::read(path).map_err(FarmError::file(path))?;
        sealed::unseal(kind, &bytes).map_err(FarmError::damaged(path))
    }

    /// Writes a sealed file.
    pub fn write(&self, path: &Path, kind: &str, body: &str) -> Result<(), FarmError> {
        sealed::write(path, kind, body).map_err(FarmError::file(path))
    }

    /// The results there are, by their names: the job and what its result says, sorted.
    pub fn results(&self) -> Result<Vec<(u32, Verdict)>, FarmError> {
        let path = self.path.join("results");
        let mut found = Vec::new();
        for entry in fs::read_dir(&path).map_err(FarmError::file(&path))? {
            let name = entry.map_err(FarmError::file(&path))?.file_name();
            let parts = name.to_str().and_then(|name| name.split_once('.'));
            let read = parts.and_then(|(job, verdict)| Some((job.parse().ok()?, verdict.parse().ok()?)));
            found.extend(read);
        }
        found.sort_unstable();
        Ok(found)
    }

    /// Moves what a job left out of the way, and says why.
    pub fn refuse(&self, job: u32, reason: &str) -> Result<(), FarmError> {
        let refused = self.path.join("refused");
        let count = fs::read_dir(&refused).map_err(FarmError::file(&refused))?.count();
        let files = Verdict::ALL.map(|verdict| self.result(job, verdict));
        for path in files.into_iter().chain([self.certificate(job), self.learned(job)]) {
            if let (true, Some(name)) = (path.is_file(), path.file_name()) {
                let to = refused.join(format!("{}.{count}", name.to_string_lossy()));
                fs::rename(&path, &to).map_err(FarmError::file(&path))?;
            }
        }
        let path = refused.join(format!("{job:06}.reason.{count}"));
        harary_certificate::whole_file::write(&path, format!("{reason}\n").as_bytes()).map_err(FarmError::file(&path))
    }
}
