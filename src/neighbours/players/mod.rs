//! Players of different strength, and matches between them: how fair is a rule?
//!
//! A [`contest`] is a line game on a square board (with diagonals, without, or wrapped around the edges, to win or to
//! lose) or the game of clauses. A [`player`] moves at random, by [`minimax`] over a [`heuristic`], by blocking, by
//! potential, or perfectly. A [`series`] is many games of two players, [`shares`] are what comes of it, with
//! intervals, and [`plot`] draws them. [`published`] has the tables of the report all this is read in.

pub mod contest;
pub mod heuristic;
pub mod minimax;
pub mod player;
pub mod plot;
pub mod published;
pub mod series;
pub mod shares;

pub use contest::{Contest, Rule, Stones};
pub use player::{Player, Ties};
pub use series::Series;
