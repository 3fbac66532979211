//! Why a farm does not go on.

use super::sealed::Damage;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why a farm does not go on.
#[derive(Debug, Error)]
pub enum FarmError {
    /// A file cannot be read or written; why is told by the source.
    #[error("{}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file of the master's is damaged.
    #[error("{} is damaged: {damage}", path.display())]
    Damaged {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        damage: Damage,
    },
    /// Somebody else plans.
    #[error("another master is at work in {}; wait for it to end", .0.display())]
    Locked(PathBuf),
    /// There is a farm already.
    #[error("{} has a farm already; take another folder, or go on with 'harary farm next'", .0.display())]
    Taken(PathBuf),
    /// There is no farm.
    #[error("there is no farm in {}; 'harary farm plan' makes one", .0.display())]
    None(PathBuf),
    /// A game that cannot be farmed.
    #[error("{0}")]
    Unsuited(&'static str),
    /// There is no such job.
    #[error("there is no job {job} in round {round}, whose jobs are {first} to {last}")]
    NoJob {
        /// What was asked for.
        job: u32,
        /// The last round.
        round: u32,
        /// Its first job.
        first: u32,
        /// Its last job.
        last: u32,
    },
    /// The engines and their proof disagree.
    #[error(transparent)]
    Proof(#[from] crate::evidence::strategy::ProofError),
    /// The checker refuses what was found.
    #[error(transparent)]
    NotProved(#[from] harary_certificate::NotProved),
    /// The tree is not decided.
    #[error("the game is not decided yet: {0} of the tree's leaves are open; run the jobs and 'harary farm next'")]
    Undecided(usize),
    /// Somebody asked to stop.
    #[error("stopped by request")]
    Stopped,
}

impl FarmError {
    /// A file and what the system says of it.
    pub fn file(path: &Path) -> impl FnOnce(io::Error) -> FarmError + use<'_> {
        move |source| FarmError::File { path: path.to_owned(), source }
    }

    /// A file and what is wrong in it.
    pub fn damaged(path: &Path) -> impl FnOnce(Damage) -> FarmError + use<'_> {
        move |damage| FarmError::Damaged { path: path.to_owned(), damage }
    }
}
