//! Gates over the literals of a formula: each is a variable that exists, with the clauses that define it.

use super::super::finite::Side;
use crate::qbf::formula::{Literal, Prefix};

/// A formula under construction. Variables are declared in the order of the turns.
pub struct Circuit {
    prefix: Prefix,
    clauses: Vec<Vec<Literal>>,
    /// True once the game is over: it stands in every clause.
    over: Literal,
}

impl Default for Circuit {
    fn default() -> Circuit {
        Circuit { prefix: Prefix::default(), clauses: Vec::new(), over: Literal::FALSE }
    }
}

impl Circuit {
    /// One of these holds, unless the game is over.
    pub fn clause(&mut self, literals: &[Literal]) {
        self.clauses.push(literals.iter().copied().chain([self.over]).collect());
    }

    /// The mover's choice among so many: bits that he chooses, and for each number whether they spell it. Bits may spell a
    /// number that is too great: then none is chosen.
    pub fn choice(&mut self, side: Side, turn: usize, choices: usize, name: &dyn Fn(usize) -> String) -> Vec<Literal> {
        let bits = choices.saturating_sub(1).checked_ilog2().map_or(0, |log| log as usize + 1);
        let declare = |bit| {
            let meaning = format!("choice t{turn} bit{bit}");
            match side {
                Side::First => self.prefix.exists(meaning),
                Side::Second => self.prefix.for_all(meaning),
            }
        };
        let bits: Vec<Literal> = (0..bits).map(declare).collect();
        let spelled = |code: usize| -> Vec<Literal> {
            bits.iter().enumerate().map(|(j, &bit)| if code >> j & 1 == 1 { bit } else { !bit }).collect()
        };
        (0..choices).map(|code| self.all(&format!("chosen t{turn} {}", name(code)), &spelled(code))).collect()
    }

    /// A gate that is true exactly if all of `parts` are.
    pub fn all(&mut self, meaning: &str, parts: &[Literal]) -> Literal {
        if parts.contains(&Literal::FALSE) {
            return Literal::FALSE;
        }
        let parts: Vec<Literal> = parts.iter().copied().filter(|part| *part != Literal::TRUE).collect();
        match parts[..] {
            [] => Literal::TRUE,
            [part] => part,
            _ => {
                let gate = self.prefix.exists(meaning);
                for &part in &parts {
                    self.clause(&[!gate, part]);
                }
                let mut back: Vec<Literal> = parts.iter().map(|&part| !part).collect();
                back.push(gate);
                self.clause(&back);
                gate
            }
        }
    }

    /// A gate that is true exactly if one of `parts` is.
    pub fn any(&mut self, meaning: &str, parts: &[Literal]) -> Literal {
        let negated: Vec<Literal> = parts.iter().map(|&part| !part).collect();
        !self.all(&format!("not-{meaning}"), &negated)
    }

    /// `yes` if `condition` is true, else `no`.
    pub fn either(&mut self, meaning: &str, condition: Literal, yes: Literal, no: Literal) -> Literal {
        if yes == no {
            return yes;
        }
        if (yes, no) == (Literal::TRUE, Literal::FALSE) {
            return condition;
        }
        if (yes, no) == (Literal::FALSE, Literal::TRUE) {
            return !condition;
        }
        let gate = self.prefix.exists(meaning);
        self.clause(&[!condition, !yes, gate]);
        self.clause(&[!condition, yes, !gate]);
        self.clause(&[condition, !no, gate]);
        self.clause(&[condition, no, !gate]);
        gate
    }

    /// For each number from 1 whether at least so many of `parts` are true.
    pub fn counts(&mut self, meaning: &str, parts: &[Literal]) -> Vec<Literal> {
        let mut counts: Vec<Literal> = Vec::new();
        for (index, &part) in parts.iter().enumerate() {
            counts.push(Literal::FALSE);
            for least in (0..counts.len()).rev() {
                let before = if least == 0 { Literal::TRUE } else { counts[least - 1] };
                let one_more = self.all(&format!("{meaning} {index} adds {}", least + 1), &[part, before]);
                counts[least] =
                    self.any(&format!("{meaning} {index} at-least {}", least + 1), &[counts[least], one_more]);
            }
        }
        counts
    }

    /// The game is over from here on if it was before or if one of `reasons` is true. Nothing changes if none can be.
    pub fn close(&mut self, turn: usize, reasons: &[Literal]) {
        let before = self.over;
        let reasons: Vec<Literal> = reasons.iter().copied().filter(|reason| *reason != Literal::FALSE).collect();
        if reasons.is_empty() {
            return;
        }
        let gate = self.prefix.exists(format!("over t{turn}"));
        // These clauses must hold in any case: nothing says they are over but themselves.
        for &reason in reasons.iter().chain([&before]) {
            self.clauses.push(vec![!reason, gate]);
        }
        self.clauses.push(reasons.iter().copied().chain([before, !gate]).collect());
        self.over = gate;
    }

    /// The variables and the clauses.
    pub fn into_parts(self) -> (Prefix, Vec<Vec<Literal>>) {
        (self.prefix, self.clauses)
    }
}
