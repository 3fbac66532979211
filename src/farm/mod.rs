//! A proof on many machines: one game cut into jobs, done by anybody, and put together again.
//!
//! A farm is a [`folder`] on a file system that all machines share. The master plans a [`round`]: a proof-number [`tree`]
//! at the top of the game, whose open leaves are jobs. A worker does [jobs](work): it settles the position and leaves a
//! [`result`], a certificate of that position and the [`facts`] it learned. The master grafts the results and plans the next round,
//! or, when the tree is decided, [merges](merge) the certificates into one of the whole game, and the checker has the last
//! word. Nothing in the folder is believed: a result that does not check is refused, and its job done again. Several games are a [`set`].
//!
//! docs/farm.md has the folder, the formats and what was measured.

pub mod desk;
pub mod error;
pub mod facts;
pub mod folder;
pub mod learned;
pub mod lookout;
pub mod merge;
pub mod plan;
pub mod prober;
pub mod processor;
pub mod result;
pub mod round;
pub mod script;
pub mod sealed;
pub mod set;
pub mod simulate;
pub mod status;
pub mod tree;
pub mod verdict;
pub mod work;

pub use error::FarmError;
pub use folder::Folder;
pub use plan::{Job, Plan, Round};
pub use set::Set;
