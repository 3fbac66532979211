//! Whose mistake it was.

use thiserror::Error;

/// The user's mistake rather than a failure, or a file that cannot be read.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct UsageError(pub String);

/// `.usage()` marks the error of a library call as the user's mistake.
pub trait OrUsage<T> {
    /// The same result, its error the user's mistake.
    fn usage(self) -> anyhow::Result<T>;
}

impl<T, E: std::fmt::Display> OrUsage<T> for Result<T, E> {
    fn usage(self) -> anyhow::Result<T> {
        self.map_err(|error| UsageError(format!("{error:#}")).into())
    }
}
