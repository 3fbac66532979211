//! The atlas: what is known about every game of a set, each verdict with the hash of the certificate that proves it.
//!
//! | file | what is in it |
//! |---|---|
//! | [`key`], [`shapes`], [`entry`] | a game, what is to be completed in it, and what is known about it |
//! | `recognised` | which game a certificate is about |
//! | [`storage`] | records as bytes, behind a header, each with its checksum |
//! | [`journal`] | the file a run appends to and resumes from |
//! | [`tablebase`] | the verdicts that ship with the program |
//! | [`selection`] | which games a run is about, hardest last |
//! | [`run`], [`settling`], [`block`] | settling them, some at once; one of them, by a search or by what another lends; blocks that serve more than one |
//! | [`law`], [`laws`], [`by_law`] | what follows from what is known, and whether all of it agrees; the certificate of what follows |
//! | [`hashed`] | the text of a certificate as it is read, and its hash |
//! | [`again`] | a game settled again beside what was stored |
//! | [`report`] | entries as CSV and Markdown, and how many there are |
//! | [`published`], [`compare`], [`tables`] | what the literature claims, whether it is right, and both as a table |
//! | [`sources`] | where the literature is, with BibTeX |
//! | [`oeis`] | sequences for the encyclopedia of integer sequences |
//! | [`facts`] | what the entries say about a shape, and what is odd about it |
//! | [`sheet`] | tables for people, programs and browsers |
//!
//! A verdict enters the atlas only with a certificate that [the checker](harary_certificate::checker) accepted in the same run. The certificate
//! itself is not kept: one thread gives the same certificate byte for byte every time, so its hash is enough to know it
//! again.

pub mod again;
pub mod block;
pub mod by_law;
pub mod compare;
pub mod entry;
pub mod facts;
pub mod hashed;
pub mod journal;
pub mod key;
pub mod latex;
pub mod law;
pub mod laws;
pub mod measured;
pub mod oeis;
pub mod published;
mod recognised;
pub mod report;
pub mod run;
pub mod selection;
pub mod settling;
pub mod shapes;
pub mod sheet;
pub mod sources;
pub mod storage;
pub mod tablebase;
pub mod tables;

pub use entry::{Entry, Finding};

pub use key::GameKey;
pub use shapes::Shapes;
pub use tablebase::Tablebase;
