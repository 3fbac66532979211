//! Models of board games in Q-sage's language, files `*.ig`: a *domain* (how stones are put) and an *instance* (board,
//! stones, depth, goals). See docs/ig.md.
//!
//! | file | what it is for |
//! |---|---|
//! | `error` | what is wrong, and where |
//! | `tokens` | the text cut into its signs |
//! | `language` | what a text says: sections, actions, goals, with the places where it says so |
//! | `model` | the positional game a domain and an instance make, if they make one |

mod error;
pub mod language;
pub mod model;
mod tokens;

pub use error::IgError;
pub use language::Description;
pub use model::game;

/// Longer files are refused: they are no models.
pub const LONGEST_TEXT: u64 = 1 << 26;
