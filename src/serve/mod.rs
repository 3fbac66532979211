//! The studio: `harary serve`, a web application for one machine, or for a few people on one network.
//!
//! | file | what is in it |
//! |---|---|
//! | [`asked`] | a game as a visitor asks for it, and what he lets it cost |
//! | [`run`], [`store`], [`runs`] | one settling of a game and how far it is; where runs are kept; all of them, and their queue |
//! | [`guard`] | who may ask: hosts, origins, visitors, tokens |
//! | [`door`] | connections: how many, how long, and who has to go when there are too many |
//! | [`known`], [`position`], [`downloads`] | what the atlas knows; what a position is worth; files of a settled run |
//! | [`events`], [`streams`] | how a run is watched, and by how many |
//! | [`pages`], [`studio`], [`routes`], [`server`] | what is served, what it is made of, under which address, from where |
//!
//! The engine runs in this process, on threads of its own, under the limits of [`asked::Effort`]. A run is
//! [settled](run::State::Settled) only when the checker has accepted its certificate, as everywhere in this house.

pub mod asked;
mod door;
mod downloads;
mod events;
mod guard;
mod known;
mod pages;
mod position;
mod routes;
pub mod run;
mod runs;
mod server;
mod store;
mod streams;
mod studio;

pub use server::{Config, ServeError, Server};
