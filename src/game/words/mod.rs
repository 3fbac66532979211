//! Games as people write them: shapes and targets in words, boards, starts, files.
//!
//! The doors of the program (the command line, Python) read their words here, so that a game is written the same way
//! everywhere and a mistake is told in the same line. Whoever asks on behalf of somebody else should know that a word may
//! name a file, which is read.

mod game_words;
pub mod input;
mod line;
mod mistake;
mod models;
mod shapes;
mod start;
mod targets;

pub use game_words::{GameWords, with_order};
pub use line::split_words;
pub use mistake::{OrUsage, UsageError};
pub use models::{NamedGame, any_game, model};
pub use shapes::{NamedShape, SHAPE_HELP, parse_shape, shapes_of_file};
pub use start::{Start, Started};
pub use targets::{NamedTarget, build, ground, parse_board, parse_row, parse_target};
