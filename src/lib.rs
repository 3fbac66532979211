pub mod board;
pub mod cell;
pub mod cell_set;
pub mod game;
pub mod player;
pub mod shape;
pub mod symmetry;
pub mod turn;
