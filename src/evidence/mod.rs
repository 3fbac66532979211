//! Evidence: what an engine found, drawn out move by move into something that can be written as a certificate.

pub mod blocker;
pub mod nodes;
pub mod strategy;
