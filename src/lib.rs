//! harary settles Harary's generalised tic-tac-toe and proves it.
//!
//! The rooms from below; each uses those above it in this table only, and a test keeps it so. docs/architecture.md tells
//! why, and how a verdict passes through them.
//!
//! | room | what it is for |
//! |---|---|
//! | [`harary-certificate`](harary_certificate) | words, format, checker, `Proved`: a crate of its own |
//! | [`effort`] | limits on time, nodes and memory |
//! | [`game`] | positional games, boards, symmetry, `.pg` files |
//! | [`paving`] | pairs that hold a game, and the oracle that finds them |
//! | [`engines`] | who wins, and by which turn: one engine a file |
//! | [`evidence`] | strategies and nodes, drawn out of the engines |
//! | [`settle`] | the driver over the engines, and outcomes |
//! | [`tablebase`] | the value of every position of a small board |
//! | [`play`] | a game against the engine |
//! | [`atlas`] | what is known about many games, and what was published |
//! | [`qbf`] | games as quantified boolean formulas |
//! | [`views`] | pictures, trees and pages |
//! | [`cli`] | the command line |

pub mod atlas;
pub mod cli;
pub mod effort;
pub mod engines;
pub mod evidence;
pub mod game;
pub mod paving;
pub mod play;
pub mod qbf;
pub mod settle;
pub mod tablebase;
pub mod views;
