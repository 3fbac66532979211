//! harary settles Harary's generalised tic-tac-toe and proves it.
//!
//! Two players put stones on a board; whoever completes a given shape first wins. For a shape and a board: does the
//! first player win, by which turn, and how? Every verdict comes with a certificate that a checker of its own accepts.
//!
//! # Which room does what
//!
//! The data flow one way, from the top of this table to the bottom; no room reaches back.
//!
//! | room | what is in it |
//! |---|---|
//! | [`cell`], [`cell_set`], [`player`], [`turn`] | the plain words: a cell, a set of cells, Black and White, who plays when |
//! | [`shape`], [`polyomino`], [`catalogue`] | what is to be completed, all animals of a size, the names |
//! | [`board`], [`symmetry`] | where, and what looks alike |
//! | [`game`], [`pg`] | the positional game these make, and the files it is exchanged in |
//! | [`position`] | stones with everything a search reads off them, made and unmade together |
//! | [`search`] | the attacker's engines: alpha-beta, proof numbers, the baseline, the exhaustive twin |
//! | [`paving`], [`blocking`] | the defender: pavings by SAT, and the search for a block |
//! | [`prover`], [`cover`], [`settle`] | from an engine's answers to a strategy; the driver over turns, threads and limits |
//! | [`certificate`] | strategies as files |
//! | [`proof`], [`checker`] | certificates read back and checked by the rules alone |
//! | [`strategy`], [`strategy_view`] | accepted certificates as trees one can look at |
//! | [`page`] | accepted certificates as pages one can play against |
//! | [`tablebase`] | the value of every position of a small board, worked out backwards; shares nothing with the search |
//! | [`adviser`] | what to play in a position, and how sure that is |
//! | [`atlas`] | verdicts of many games, kept, queried and compared with what was published |
//! | [`qbf`] | the encodings, external solvers, cross-checks |
//! | [`show`], [`whole_file`], [`cli`] | pictures, files that are there whole or not at all, the command line |
//!
//! The checker shares nothing with the search but the first rows: it enumerates winning sets and symmetries itself.

pub mod adviser;
pub mod atlas;
pub mod blocking;
pub mod board;
pub mod catalogue;
pub mod cell;
pub mod cell_set;
pub mod certificate;
pub mod checker;
pub mod cli;
pub mod cover;
pub mod game;
pub mod page;
pub mod paving;
pub mod pg;
pub mod player;
pub mod polyomino;
pub mod position;
pub mod proof;
pub mod prover;
pub mod qbf;
pub mod search;
pub mod settle;
pub mod shape;
pub mod show;
pub mod strategy;
pub mod strategy_view;
pub mod symmetry;
pub mod tablebase;
pub mod turn;
pub mod whole_file;
