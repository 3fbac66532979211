//! A strategy written by a person, and its trial. See docs/strategy.md.
//!
//! | file | what it is for |
//! |---|---|
//! | `text` | the text: who it is for, lines of play, rules |
//! | `answer` | what the text says in a position |
//! | `trial` | follows it against every reply, searches where it is silent |
//! | `voice` | who says a move |
//! | `proof` | what the trial found, as evidence for a certificate |

mod answer;
mod proof;
pub mod text;
pub mod trial;
mod voice;

pub use text::{Script, ScriptError};
pub use trial::{Ending, Found, Step, Trial, Why};
pub use voice::Voice;
