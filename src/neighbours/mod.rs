//! The neighbours: other finite games of two players, each exact, each in a file of its own.
//!
//! | file | what it is for |
//! |---|---|
//! | `finite`, `spoken` | what a game is, and what it is in words |
//! | `search`, `twin` | the one exact search, and the plain one it is tested against |
//! | `nim`, `matrix`, `connect`, `clauses`, `weights`, `qcsp` | a game each |
//! | `max_sat` | the game of clauses played together |
//! | `formulas` | the games as quantified boolean formulas, with and without cuts |
//! | `cuts` | the plain quantified search, counted with and without cuts |
//! | `crosscheck` | the formulas, asked of real solvers |
//! | `pattern` | a puzzle of one: bands in rows and columns, by SAT |
//! | `players` | players of different strength, and matches between them |
//! | `random` | random numbers that are the same for the same seed |
//!
//! Nothing here knows of Harary's game, and nothing that settles it knows of this room. docs/neighbours.md tells where the
//! games come from and what was found.

pub mod clauses;
pub mod connect;
pub mod crosscheck;
pub mod cuts;
pub mod finite;
pub mod formulas;
pub mod matrix;
pub mod max_sat;
pub mod nim;
pub mod pattern;
pub mod players;
pub mod qcsp;
pub mod random;
pub mod search;
pub mod spoken;
pub mod twin;
pub mod weights;

#[cfg(test)]
mod tests;
