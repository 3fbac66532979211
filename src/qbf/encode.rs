//! From an instance to its formula: the one place that knows all encodings.

use crate::qbf::formula::{Clauses, Formula, Prefix};
use crate::qbf::instance::{Encoding, Instance, Mode};
use crate::qbf::play::Play;
use crate::qbf::{cor, cor_plus, cover, dys, pairing};

impl Instance {
    /// The formula.
    pub fn formula(&self) -> Formula {
        let play = Play::of(self);
        let mut prefix = Prefix::default();
        let clauses: Box<dyn Clauses> = match self.encoding {
            Encoding::Cor => Box::new(cor::Cor::new(play, &mut prefix)),
            Encoding::CorPlus => Box::new(cor_plus::CorPlus::new(play, &mut prefix, false)),
            Encoding::CorPlusPlus => Box::new(cor_plus::CorPlus::new(play, &mut prefix, true)),
            Encoding::Pairing => Box::new(pairing::Pairing::new(play, &mut prefix)),
            Encoding::Cover if self.mode == Mode::Faithful => Box::new(cover::Cover::new(play, &mut prefix)),
            Encoding::Cover => Box::new(cover::LeanCover::new(play, &mut prefix)),
            Encoding::Dys => Box::new(dys::Dys::new(play, &mut prefix)),
        };
        Formula::new(self.comments(), prefix, clauses)
    }
}
