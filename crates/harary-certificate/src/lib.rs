//! Certificates of positional games: the words, the format, and a checker that knows the rules and nothing else.

pub mod board;
pub mod cell;
pub mod cell_set;
mod certificate;
mod certificate_file;
pub mod checker;
pub mod model;
pub mod playbook;
pub mod player;
mod reader;
pub mod rules;
pub mod shape;
pub mod stones;
pub mod turn;
mod unfold;
pub mod whole_file;
mod words;
pub mod writer;

pub use board::{Board, BoardError, MAX_SIDE, Topology};
pub use cell::{Cell, MAX_CELLS};
pub use cell_set::{CellSet, WIDE, WideSet};
pub use certificate::{Certificate, NotProved};
pub use certificate_file::CertificateFile;
pub use checker::{Proved, check};
pub use model::{Claim, Format, Header, Refused, Setting, Symmetry};
pub use player::{Player, Rule};
pub use shape::{Shape, ShapeError};
pub use stones::Stones;
pub use turn::Schedule;
pub use writer::CertificateWriter;
