//! An answer as QBF solvers give it: lines that begin with `c`, `s` and `V`, and the exit codes 10 and 20.

use super::console::Console;
use super::ending::Outcome;
use std::io::Write;

/// What is asked is a formula, or as good as one: it is true, false, or nobody knows.
pub struct QbfAnswer {
    /// What people may want to know, a line each.
    pub comments: Vec<String>,
    /// Whether it is true.
    pub value: Option<bool>,
    /// Variables and clauses of the formula; vertices and winning sets of a game.
    pub size: (usize, usize),
    /// Literals that are set first: of a game, the vertex of the first move, counted from 1.
    pub first: Option<usize>,
}

impl QbfAnswer {
    /// Prints it.
    pub fn write(&self, console: &mut Console) -> anyhow::Result<Outcome> {
        let QbfAnswer { comments, value, size: (variables, clauses), first } = self;
        for line in comments {
            writeln!(console, "c {line}")?;
        }
        let (sign, outcome) = match value {
            Some(true) => ("1", Outcome::True),
            Some(false) => ("0", Outcome::False),
            None => ("-1", Outcome::Unknown),
        };
        writeln!(console, "s cnf {sign} {variables} {clauses}")?;
        if let Some(literal) = first {
            writeln!(console, "V {literal} 0")?;
        }
        Ok(outcome)
    }
}
