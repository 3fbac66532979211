//! One line of a cross-check: a solver's answer to a formula beside ours.

use crate::qbf::instance::Encoding;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What came out of one comparison.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Finding {
    /// Both say the same.
    Agreement,
    /// One of them is wrong.
    Disagreement,
    /// COVER is false although Black wins: he has no win inside the cover. No contradiction.
    NoCoverWin,
    /// The solver gave no answer in time.
    Timeout,
    /// The solver failed in another way.
    Failure,
    /// This program gave no answer within its own limits.
    NativeTimeout,
    /// Nobody was asked: the time of the game was over.
    NotAsked,
}

/// What became of the trace of a solver's proof.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Traced {
    /// Whether our checker accepts it as a proof of the answer.
    pub accepted: bool,
    /// Its steps.
    pub steps: usize,
    /// How long the solver took to write it, and we to check it.
    pub seconds: f64,
    /// Why there is none, or why it is refused.
    pub reason: Option<String>,
    /// Whether there was a trace at all.
    pub written: bool,
}

/// A solver's answer beside ours.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Which of the subjects of this run.
    #[serde(skip)]
    pub subject: usize,
    /// The name of the shape.
    pub shape: String,
    /// Sides and topology.
    pub board: String,
    /// `strong` or `weak`.
    pub rule: String,
    /// How it was put.
    pub encoding: Encoding,
    /// Faithful or lean.
    pub mode: String,
    /// The number of turns asked about.
    pub turns: usize,
    /// Who simplified the formula, if somebody did.
    pub preprocessor: Option<String>,
    /// How long that took: see [`crate::qbf::solver::Run::cost`].
    pub preprocess_seconds: f64,
    /// Who was asked.
    pub solver: String,
    /// What came of it.
    pub finding: Finding,
    /// The native answer: whether the formula should be true.
    pub native: Option<bool>,
    /// The time of the native search. For all but PAIRING one search serves all turns and encodings of a game; each row
    /// gives its whole time, and sums count it once.
    pub native_seconds: f64,
    /// The solver's answer.
    pub value: Option<bool>,
    /// What the answer says of the whole game: that Black wins, or that White holds.
    pub black_wins: Option<bool>,
    /// The answer in words, or why there is none.
    pub answer: String,
    /// How long the solver took, without the preprocessor: see [`crate::qbf::solver::Run::cost`].
    pub seconds: f64,
    /// The formula, if it was kept.
    pub formula: Option<PathBuf>,
    /// Why it was not, if it should have been.
    pub not_kept: Option<String>,
    /// What became of the trace, if one was asked for.
    #[serde(default)]
    pub proof: Option<Traced>,
}

impl Row {
    /// How long solver and preprocessor took together.
    pub fn total_seconds(&self) -> f64 {
        self.seconds + self.preprocess_seconds
    }

    /// The name of its preprocessor, `none` if it had none.
    pub fn preprocessor_name(&self) -> &str {
        self.preprocessor.as_deref().unwrap_or("none")
    }

    /// The sides of its board without the topology.
    pub fn sides(&self) -> &str {
        self.board.split(' ').next().unwrap_or_default()
    }
}
