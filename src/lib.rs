//! harary settles Harary's generalised tic-tac-toe and proves it.

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
