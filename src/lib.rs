//! harary settles Harary's generalised tic-tac-toe and proves it.
//!
//! ```
//! use harary::{Board, Game, Options, Outcome, Rule, Shape, Topology, check, settle};
//!
//! let board = Board::new(3, 3, Topology::Plain)?;
//! let game = Game::new(Shape::from_rows("X./XX")?, board, Rule::Strong);
//! let settled = settle(&game, &Options::default(), &|_| {})?;
//! let Outcome::Win { by, mut certificate, .. } = settled.outcome else { panic!("Black wins the el on 3x3") };
//! assert_eq!(by, 5);
//! // Whoever has the certificate can check it, by the rules of the game alone.
//! let proved = check(certificate.reader()?)?;
//! assert_eq!(proved.claim(), harary::Claim::Win(5));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What one needs for that stands at the top of this crate; the rooms behind it are public, and change more often.
//!
//! The rooms from below; each uses those above it in this table only, and a test keeps it so. docs/architecture.md tells
//! why, and how a verdict passes through them.
//!
//! | room | what it is for |
//! |---|---|
//! | [`harary-certificate`](harary_certificate) | words, format, checker, `Proved`: a crate of its own |
//! | [`effort`] | limits, progress, and the constants that tune the searches |
//! | [`game`] | positional games, boards, symmetry, `.pg` files |
//! | [`paving`] | pairs that hold a game, and the oracle that finds them |
//! | [`engines`] | who wins, and by which turn: one engine a file |
//! | [`evidence`] | strategies and nodes, drawn out of the engines |
//! | [`settle`](mod@settle) | the driver over the engines, and outcomes |
//! | [`tablebase`] | the value of every position of a small board |
//! | [`play`] | a game against the engine |
//! | [`atlas`] | what is known about many games, and what was published |
//! | [`qbf`] | games as quantified boolean formulas |
//! | [`neighbours`] | other finite games of two players, apart from all the rest |
//! | [`views`] | pictures, trees and pages |
//! | [`serve`] | the studio: a local web application |
//! | [`cli`] | the command line |

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod atlas;
pub mod cli;
pub mod effort;
pub mod engines;
pub mod evidence;
pub mod game;
pub mod neighbours;
pub mod paving;
pub mod play;
pub mod qbf;
#[cfg(feature = "serve")]
pub mod serve;
pub mod settle;
pub mod tablebase;
pub mod views;

pub use effort::{Halt, Limits, Progress};
pub use game::catalogue::Catalogue;
pub use game::{Game, GameError, Sets};
pub use harary_certificate::playbook::Playbook;
pub use harary_certificate::{
    Board, BoardError, Cell, Certificate, Claim, Player, Proved, Refused, Rule, Schedule, Shape, ShapeError, Topology,
    WideSet, check,
};
pub use settle::{EngineChoice, Least, Options, Outcome, SettleError, Settled, Verdict, settle};
