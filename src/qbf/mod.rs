//! Games as quantified boolean formulas: the published encodings, QBF solvers, and cross-checks with them.
//!
//! | encoding | true exactly if | from |
//! |---|---|---|
//! | `dys` | Black wins by turn k | Diptarama, Yoshinaka, Shinohara 2016, read off an outline |
//! | `cor` | Black wins by turn k | Mayer-Eichberger, Saffidine 2020 |
//! | `cor_plus` | Black wins by turn k | COR+ (2021) and Boucher's COR++ (2026) |
//! | `cover` | Black wins by turn k inside the sets around his first stone | Boucher, Villemaire 2025 |
//! | `pairing` | White holds by play to turn k and a paving from there | Boucher, Villemaire 2021 |
//!
//! An [`instance::Instance`] is a game, an encoding, a number of turns and a mode. *Faithful* mode reproduces the
//! published formulas to the last clause; *lean* mode says the same with less.

pub mod accounting;
mod cor;
mod cor_plus;
mod cover;
pub mod crosscheck;
pub mod decide;
pub mod deepen;
mod dys;
mod encode;
pub mod formula;
pub mod instance;
pub mod journal;
mod ladder;
pub mod native;
mod pairing;
mod play;
pub mod published;
pub mod qrp;
pub mod question;
pub mod row;
pub mod solver;
mod symmetry_breaking;
pub mod verify;
