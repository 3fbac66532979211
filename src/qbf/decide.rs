//! A formula put to a solver, simplified before if somebody asked for that.

use crate::qbf::instance::Instance;
use crate::qbf::solver::{Ending, Run, RunLimits, Solver};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tempfile::TempDir;

/// A folder for formulas that is gone when it is dropped.
pub struct WorkFolder {
    folder: TempDir,
    files: AtomicU64,
}

impl WorkFolder {
    /// A new one, empty.
    pub fn new() -> io::Result<WorkFolder> {
        Ok(WorkFolder { folder: TempDir::with_prefix("harary-")?, files: AtomicU64::new(0) })
    }

    /// A name for a new file in it.
    pub fn file(&self, extension: &str) -> PathBuf {
        self.folder.path().join(format!("{}.{extension}", self.files.fetch_add(1, Ordering::Relaxed)))
    }
}

/// Writes the formula of an instance to a file.
pub fn write_formula(instance: &Instance, file: &Path) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    instance.formula().write(&mut out)?;
    out.flush()
}

/// A formula that is written when somebody needs its file, and is gone when nobody does.
pub struct FormulaFile<'a> {
    instance: &'a Instance,
    folder: &'a WorkFolder,
    path: Option<PathBuf>,
}

impl<'a> FormulaFile<'a> {
    /// The formula of an instance, not written yet.
    pub fn new(instance: &'a Instance, folder: &'a WorkFolder) -> FormulaFile<'a> {
        FormulaFile { instance, folder, path: None }
    }

    /// Where it is.
    pub fn path(&mut self) -> io::Result<PathBuf> {
        if let Some(path) = &self.path {
            return Ok(path.clone());
        }
        let path = self.folder.file("qdimacs");
        self.path = Some(path.clone());
        write_formula(self.instance, &path)?;
        Ok(path)
    }
}

impl Drop for FormulaFile<'_> {
    fn drop(&mut self) {
        if let Some(path) = &self.path {
            // The folder goes at the end, whatever is left in it.
            let _ = fs::remove_file(path);
        }
    }
}

/// A formula as solvers get it. One preprocessing serves them all.
pub struct Prepared {
    original: PathBuf,
    simplified: Option<PathBuf>,
    /// The answer, if the preprocessor found it, or why there is no formula.
    ended: Option<Ending>,
    /// How long the preprocessor took, by the clock.
    pub time: Duration,
    /// What that cost: see [`Run::cost`].
    pub cost: Duration,
}

impl Prepared {
    /// Simplifies a formula, if there is a preprocessor.
    pub fn new(preprocessor: Option<&Solver>, original: PathBuf, folder: &WorkFolder, limits: &RunLimits) -> Prepared {
        let Some(preprocessor) = preprocessor else {
            return Prepared { original, simplified: None, ended: None, time: Duration::ZERO, cost: Duration::ZERO };
        };
        let simplified = folder.file("simplified");
        let run = preprocessor.preprocess(&original, &simplified, limits);
        let (time, cost) = (run.time, run.cost());
        // Code 0: there is a formula to decide.
        let ended = Some(run.ending).filter(|ending| !matches!(ending, Ending::NoAnswer(0, _)));
        Prepared { original, simplified: Some(simplified), ended, time, cost }
    }

    /// Asks a solver. The limit of time is for it and the preprocessor together; the time of the run is its own.
    pub fn decide(&self, solver: &Solver, limits: &RunLimits) -> Run {
        if let Some(ending) = &self.ended {
            return Run { ending: ending.clone(), time: Duration::ZERO, processor_time: None, output: String::new() };
        }
        let left = limits.time.saturating_sub(self.time);
        let file = self.simplified.as_deref().unwrap_or(&self.original);
        let run = solver.run(file, &RunLimits { time: left, ..limits.clone() });
        match run.ending {
            // Both together had this long.
            Ending::TimedOut(_) => Run { ending: Ending::TimedOut(limits.time), ..run },
            _ => run,
        }
    }
}

impl Drop for Prepared {
    fn drop(&mut self) {
        if let Some(simplified) = &self.simplified {
            // It may never have been written.
            let _ = fs::remove_file(simplified);
        }
    }
}
