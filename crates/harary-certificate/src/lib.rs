//! Certificates of positional games: the words, the format, and a checker that knows the rules and nothing else.
//!
//! A certificate is a text file that proves one statement about one game: Black wins by some turn, White holds, or White
//! wins. [`check`] decides whether it does, without any search, and gives a [`Proved`], which nobody else can make:
//!
//! ```
//! let certificate = "harary-certificate 1
//! game 2x2 plain 0,0 1,0
//! rule strong
//! claim win 3
//! symmetry none
//! p 0 0 0 0
//! ";
//! let proved = harary_certificate::check(certificate.as_bytes()).unwrap();
//! assert_eq!(proved.claim(), harary_certificate::Claim::Win(3));
//! assert!(harary_certificate::check(certificate.replace("win 3", "win 2").as_bytes()).is_err());
//! ```
//!
//! The format is defined in docs/certificate.md, the games and the lemmas the checker rests on in docs/game.md. From below:
//! - the words: [`cell`], [`cell_set`], [`stones`], [`player`], [`turn`], [`shape`], [`board`];
//! - the format: [`model`], the reader, [`writer`];
//! - the judgement: [`rules`] enumerates the game from scratch, [`checker`] decides;
//! - what one does with it: [`Certificate`] leads from evidence to proof, a [`playbook::Playbook`] plays from an
//!   accepted file; the program `harary-check` prints verdicts.

pub mod avoidance;
pub mod board;
pub mod cell;
pub mod cell_set;
mod certificate;
mod certificate_file;
pub mod checker;
pub mod model;
pub mod names;
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
