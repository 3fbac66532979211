//! Certificates of positional games: the words, the format, and a checker that knows the rules and nothing else.

pub mod board;
pub mod cell;
pub mod cell_set;
pub mod checker;
pub mod model;
pub mod playbook;
pub mod player;
mod proved;
mod reader;
pub mod shape;
pub mod stones;
pub mod turn;
pub mod whole_file;
pub mod writer;

pub use board::{Board, BoardError, MAX_SIDE, Topology};
pub use cell::{Cell, MAX_CELLS};
pub use cell_set::{CellSet, WIDE, WideSet};
pub use checker::check;
pub use model::{Claim, Header, Refused, Setting};
pub use player::{Player, Rule};
pub use proved::{Certificate, NotProved, Proved};
pub use shape::{Shape, ShapeError};
pub use stones::Stones;
pub use turn::Schedule;
pub use writer::{CertificateFile, CertificateWriter};
