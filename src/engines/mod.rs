//! Who wins, and by which turn.
//!
//! Each engine is a file and answers the questions of [`engine::Engine`]. [`twin`] is the exhaustive twin every other
//! one is tested against, [`baseline`] what they are measured against; [`alphabeta`] is the one that settles things,
//! [`any_order`] its sibling for turns that do not alternate, and [`maker_breaker`] says who wins the weak game. They share the
//! [`table`], the [`canon`]ical positions, the move [`ordering`], the [`threats`] and the [`zone`]s. What the
//! tables of the proof-number searches know goes out and comes back as [`facts`].

pub mod alphabeta;
pub mod any_order;
pub mod avoidance;
pub mod baseline;
pub mod beck;
pub mod blocking;
pub mod busy;
pub mod canon;
pub mod cards;
pub mod cover;
pub mod dfpn;
pub mod engine;
pub mod facts;
pub mod maker_breaker;
pub mod numbers;
pub mod ordering;
pub mod potential;
#[cfg(test)]
mod scene;
pub mod table;
pub mod threats;
pub mod twin;
pub mod zone;
