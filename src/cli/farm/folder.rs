//! The folder of a farm, and whose mistake it is.

use super::super::ending::UsageError;
use crate::farm::FarmError;
use clap::Args;
use std::path::PathBuf;

/// The folder of a farm.
#[derive(Args, Clone, Debug)]
pub struct FolderArgument {
    /// The folder of the farm
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
}

/// What is wrong with the arguments is the user's mistake, all else a failure.
pub fn told(error: FarmError) -> anyhow::Error {
    match error {
        FarmError::Taken(_) | FarmError::None(_) | FarmError::Unsuited(_) | FarmError::NoJob { .. } => {
            UsageError(error.to_string()).into()
        }
        other => other.into(),
    }
}
