//! Why the blocking search has no proof to give.

use crate::effort::Halt;
use thiserror::Error;

/// Why there is no proof by nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum BlockError {
    /// A limit was reached.
    #[error(transparent)]
    Halt(#[from] Halt),
    /// The store has no lemma for a position the proof needs: a mistake in the search.
    #[error("the blocking search lost a node of its proof; please report this")]
    LostLemma,
}
