//! Settles a game: who wins, by which turn, and the proof of it.
//!
//! The attacker deepens over the turn limit; every limit he fails at is a refutation, so the turn he wins by is the
//! least. The proof-number engine asks once, without a limit: it says who wins, and a turn by which at the latest. What
//! was found is then drawn out of the engine move by move ([`crate::evidence::strategy`]) into evidence. Where the
//! defender applies, he runs beside the attacker, and the first to finish settles the game.
//!
//! Where Black does not win and White might, [`search_white`] asks the same of the game with the colours exchanged.
//!
//! [`search`] gives what was [found](Found), which is a claim; [`settle`] has it checked and gives what is
//! [proved](Outcome).

mod attack;
pub mod cards;
mod certify;
mod cover_mode;
pub mod covers;
mod defender;
mod distance;
mod options;
mod outcome;
pub mod pave;
mod race;
mod restricted;
mod restricted_search;
mod search;
mod unsuited;
mod white;
pub mod workbench;

pub use certify::{SettleError, certify, refute, settle};
pub use cover_mode::{CoverMode, NoCover};
pub use distance::refuted_by_counting;
pub use options::{EngineChoice, Options};
pub use outcome::{
    Account, CardReport, Claimed, CoverReport, DefenceReport, Found, Least, Level, Outcome, Settled, Verdict, WhiteSide,
};
pub use restricted::{Restricted, RestrictedReport};
pub use search::search;
pub use white::{WhiteFound, asks_for_white, search_white};
