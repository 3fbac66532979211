//! The formulas the published tables count, written and counted again.

use crate::atlas::published::{Claim, Part, Published};
use crate::game::Game;
use crate::qbf::formula::Size;
use crate::qbf::instance::{Encoding, Instance, Mode};
use std::cell::RefCell;

/// Counts formulas for claims about their sizes; those of one row of a table are counted once for all its columns.
#[derive(Default)]
pub struct PublishedSizes {
    last: RefCell<Option<(Row, Size)>>,
}

/// What the formulas of a claim depend on.
#[derive(PartialEq)]
struct Row {
    encoding: Encoding,
    turns: usize,
    games: Vec<Game>,
}

impl PublishedSizes {
    /// How many there are of what a claim counts, as the formulas are published; none if it counts no formulas.
    pub fn count(&self, claim: &Published) -> Option<usize> {
        let Claim::Size { part, turns, .. } = claim.claim else { return None };
        let encoding = Encoding::parse(&claim.row.to_lowercase())?;
        let boards = claim.boards();
        let games = claim
            .shapes
            .iter()
            .flat_map(|shape| boards.iter().map(move |&board| Game::new(shape.clone(), board, claim.rule)));
        let row = Row { encoding, turns, games: games.collect() };
        let known = self.last.borrow().as_ref().filter(|(last, _)| *last == row).map(|(_, size)| *size);
        let size = match known {
            Some(size) => size,
            None => row.size()?,
        };
        *self.last.borrow_mut() = Some((row, size));
        Some(match part {
            Part::Variables => size.variables,
            Part::Universal => size.universal,
            Part::Existential => size.existential,
            Part::Clauses => size.clauses,
            Part::Literals => size.literals,
        })
    }
}

impl Row {
    fn size(&self) -> Option<Size> {
        let mut sum = Size::default();
        for game in &self.games {
            let instance = Instance::new(game.clone(), self.encoding, self.turns, Mode::Faithful).ok()?;
            sum += instance.formula().size();
        }
        Some(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::atlas::compare::{self, Agreement, Asked};
    use crate::atlas::{Tablebase, published, tables};

    /// Tables 4.4 and 6.4 to the last clause, but for one number that is printed with two digits exchanged.
    #[test]
    fn published_sizes_are_counted_again() {
        let sizes = PublishedSizes::default();
        let asked = Asked { counted: &|claim: &Published| sizes.count(claim), ..Asked::NOBODY };
        let claims = published::all().iter().filter(|claim| matches!(claim.claim, Claim::Size { .. }));
        let rows: Vec<_> = claims.map(|claim| compare::compare(claim, Tablebase::shipped(), asked)).collect();
        assert_eq!(rows.len(), 16 + 24);
        let wrong: Vec<_> = rows.iter().filter(|row| row.agreement != Agreement::Agrees).collect();
        let [misprint] = wrong[..] else { panic!("{wrong:?}") };
        assert_eq!((misprint.agreement, misprint.ours.as_str()), (Agreement::Differs, "675309 literals"));
        assert_eq!(
            (misprint.published.text().as_str(), tables::board(misprint.published).as_str()),
            ("675390 literals", "4x4 plain")
        );
        assert_eq!(
            compare::commands(misprint),
            ["harary crosscheck --boards 4x4 --encodings pairing --turns 16 --faithful --sizes"]
        );
    }
}
