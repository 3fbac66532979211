//! What is wrong with a text of the language.

use std::fmt;
use thiserror::Error;

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub struct IgError {
    /// The file, as it was named; empty if it is not known yet.
    pub file: String,
    /// Unless the text as a whole is meant.
    pub line: Option<usize>,
    /// What is wrong there.
    pub mistake: String,
}

impl fmt::Display for IgError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        match self.line {
            Some(line) => write!(f, "{}line {line}: ", if self.file.is_empty() { "" } else { ", " })?,
            None if self.file.is_empty() => {}
            None => f.write_str(": ")?,
        }
        f.write_str(&self.mistake)
    }
}

impl IgError {
    /// A mistake at a line.
    pub fn at(line: usize, mistake: impl Into<String>) -> IgError {
        IgError { file: String::new(), line: Some(line), mistake: mistake.into() }
    }

    /// A mistake of the whole text.
    pub fn whole(mistake: impl Into<String>) -> IgError {
        IgError { file: String::new(), line: None, mistake: mistake.into() }
    }

    /// The same mistake in this file.
    pub fn named(self, file: &str) -> IgError {
        IgError { file: file.to_owned(), ..self }
    }
}
