//! A quantified formula: variables with a meaning, quantifier blocks, clauses that are generated, not stored.
//!
//! QDIMACS announces the number of clauses before the first of them. So a [`Formula`] keeps a recipe for its clauses
//! and follows it twice: once to count, once to write. Nothing but the variables is ever held in memory, and a formula
//! of a gigabyte streams to disk.

use harary_certificate::whole_file::WholeFile;
use std::io::{self, Write};
use std::ops::Not;
use std::path::Path;

/// A variable, its negation, or a constant. Constants never reach a formula: [`Sink::clause`] takes them out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Literal(i32);

impl Literal {
    /// What is known to be true.
    pub const TRUE: Literal = Literal(i32::MAX);
    /// What is known to be false.
    pub const FALSE: Literal = Literal(-i32::MAX);

    /// The constant with this value.
    pub fn constant(value: bool) -> Literal {
        if value { Literal::TRUE } else { Literal::FALSE }
    }

    /// Whether it is known, so that there is no variable.
    pub fn is_constant(self) -> bool {
        self == Literal::TRUE || self == Literal::FALSE
    }

    /// The number of QDIMACS: positive for the variable, negative for its negation.
    pub fn number(self) -> i32 {
        self.0
    }

    fn variable(self) -> usize {
        self.0.unsigned_abs() as usize
    }
}

impl Not for Literal {
    type Output = Literal;
    fn not(self) -> Literal {
        Literal(-self.0)
    }
}

/// Who chooses a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    /// The player the formula is about.
    Exists,
    /// The other one.
    ForAll,
}

/// Neighbouring variables under one quantifier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// Who chooses them.
    pub quantifier: Quantifier,
    /// Its variables are `first ..= last`.
    pub first: i32,
    /// The last variable of the block.
    pub last: i32,
}

/// The quantifiers of a formula. Variables are numbered as they are declared, so a block is a range.
#[derive(Clone, Default, Debug)]
pub struct Prefix {
    blocks: Vec<Block>,
    meanings: Vec<String>,
}

impl Prefix {
    fn declare(&mut self, quantifier: Quantifier, meaning: String) -> Literal {
        self.meanings.push(meaning);
        let number = self.meanings.len() as i32;
        match self.blocks.last_mut() {
            Some(block) if block.quantifier == quantifier => block.last = number,
            _ => self.blocks.push(Block { quantifier, first: number, last: number }),
        }
        Literal(number)
    }

    /// A new variable that exists.
    pub fn exists(&mut self, meaning: impl Into<String>) -> Literal {
        self.declare(Quantifier::Exists, meaning.into())
    }

    /// A new variable that takes every value.
    pub fn for_all(&mut self, meaning: impl Into<String>) -> Literal {
        self.declare(Quantifier::ForAll, meaning.into())
    }

    /// The blocks, outermost first.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// How many variables are declared.
    pub fn len(&self) -> usize {
        self.meanings.len()
    }

    /// Whether there are no variables.
    pub fn is_empty(&self) -> bool {
        self.meanings.is_empty()
    }

    /// What a variable stands for, by its number.
    pub fn meaning(&self, variable: usize) -> Option<&str> {
        self.meanings.get(variable.checked_sub(1)?).map(String::as_str)
    }
}

/// Takes clauses, one at a time, and hands them on in their simplest form.
pub struct Sink<'a> {
    deliver: &'a mut dyn FnMut(&[Literal]),
    clause: Vec<Literal>,
    /// Per variable: its literal in the clause at hand, if any.
    seen: Vec<Option<Literal>>,
}

impl<'a> Sink<'a> {
    fn new(variables: usize, deliver: &'a mut dyn FnMut(&[Literal])) -> Sink<'a> {
        Sink { deliver, clause: Vec::new(), seen: vec![None; variables + 1] }
    }

    /// One of these is true. A clause that always holds is dropped, so are false and repeated literals. QDIMACS has no
    /// sure way to write the empty clause: it becomes a variable and its negation.
    pub fn clause(&mut self, literals: impl IntoIterator<Item = Literal>) {
        self.clause.clear();
        let mut holds = false;
        for literal in literals {
            if literal == Literal::TRUE {
                holds = true;
            } else if literal != Literal::FALSE {
                match self.seen[literal.variable()] {
                    None => {
                        self.seen[literal.variable()] = Some(literal);
                        self.clause.push(literal);
                    }
                    Some(before) => holds |= before != literal,
                }
            }
        }
        for literal in &self.clause {
            self.seen[literal.variable()] = None;
        }
        if holds {
            return;
        }
        if self.clause.is_empty() {
            (self.deliver)(&[Literal(1)]);
            (self.deliver)(&[Literal(-1)]);
        } else {
            (self.deliver)(&self.clause);
        }
    }

    /// All of `conditions` together imply `consequence`.
    pub fn implies(&mut self, conditions: impl IntoIterator<Item = Literal>, consequence: Literal) {
        self.clause(conditions.into_iter().map(|condition| !condition).chain([consequence]));
    }

    /// `whole` is true exactly if all of `parts` are.
    pub fn all_of(&mut self, whole: Literal, parts: &[Literal]) {
        for &part in parts {
            self.implies([whole], part);
        }
        self.implies(parts.iter().copied(), whole);
    }

    /// `whole` is true exactly if one of `parts` is.
    pub fn any_of(&mut self, whole: Literal, parts: &[Literal]) {
        for &part in parts {
            self.implies([part], whole);
        }
        self.clause(parts.iter().copied().chain([!whole]));
    }
}

/// The numbers by which published tables compare formulas.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub struct Size {
    /// All variables.
    pub variables: usize,
    /// Those under "for all".
    pub universal: usize,
    /// Those under "exists".
    pub existential: usize,
    /// Clauses.
    pub clauses: usize,
    /// Over all clauses.
    pub literals: usize,
}

impl std::ops::AddAssign for Size {
    fn add_assign(&mut self, other: Size) {
        self.variables += other.variables;
        self.universal += other.universal;
        self.existential += other.existential;
        self.clauses += other.clauses;
        self.literals += other.literals;
    }
}

/// A recipe for clauses.
pub trait Clauses: Send + Sync {
    /// Gives all clauses to the sink, in order.
    fn emit(&self, sink: &mut Sink);
}

/// A quantified formula in conjunctive normal form.
pub struct Formula {
    comments: Vec<String>,
    prefix: Prefix,
    clauses: Box<dyn Clauses>,
}

impl Formula {
    /// `comments` go first into the file, a line each.
    pub fn new(comments: Vec<String>, mut prefix: Prefix, clauses: Box<dyn Clauses>) -> Formula {
        if prefix.is_empty() {
            // The empty clause needs a variable to be written with.
            prefix.exists("unused");
        }
        Formula { comments, prefix, clauses }
    }

    /// What it is about.
    pub fn comments(&self) -> &[String] {
        &self.comments
    }

    /// Its variables.
    pub fn prefix(&self) -> &Prefix {
        &self.prefix
    }

    /// Hands out each clause in turn.
    pub fn for_each_clause(&self, mut deliver: impl FnMut(&[Literal])) {
        self.clauses.emit(&mut Sink::new(self.prefix.len(), &mut deliver));
    }

    /// How large it is, without writing it.
    pub fn size(&self) -> Size {
        let mut size = Size { variables: self.prefix.len(), ..Size::default() };
        for block in self.prefix.blocks() {
            let count = (block.last - block.first + 1) as usize;
            match block.quantifier {
                Quantifier::Exists => size.existential += count,
                Quantifier::ForAll => size.universal += count,
            }
        }
        self.for_each_clause(|clause| {
            size.clauses += 1;
            size.literals += clause.len();
        });
        size
    }

    /// Writes QDIMACS to a file that is there whole or not at all.
    pub fn keep(&self, path: &Path) -> io::Result<()> {
        let mut file = WholeFile::create(path)?;
        self.write(&mut file)?;
        file.finish()
    }

    /// Writes QDIMACS: comments, the meaning of each variable, the header, the prefix, the clauses.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for comment in &self.comments {
            writeln!(out, "c {comment}")?;
        }
        for (index, meaning) in self.prefix.meanings.iter().enumerate() {
            writeln!(out, "c var {} {meaning}", index + 1)?;
        }
        let size = self.size();
        writeln!(out, "p cnf {} {}", size.variables, size.clauses)?;
        for block in self.prefix.blocks() {
            out.write_all(match block.quantifier {
                Quantifier::Exists => b"e",
                Quantifier::ForAll => b"a",
            })?;
            for number in block.first..=block.last {
                write!(out, " {number}")?;
            }
            out.write_all(b" 0\n")?;
        }
        let mut line = String::new();
        let mut outcome = Ok(());
        self.for_each_clause(|clause| {
            if outcome.is_err() {
                return;
            }
            line.clear();
            for literal in clause {
                line.push_str(&literal.number().to_string());
                line.push(' ');
            }
            line.push_str("0\n");
            outcome = out.write_all(line.as_bytes());
        });
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Example(Literal, Literal);

    impl Clauses for Example {
        fn emit(&self, sink: &mut Sink) {
            let Example(a, b) = *self;
            sink.clause([a, !b, a, Literal::FALSE]);
            sink.clause([a, b, !a]);
            sink.clause([a, Literal::TRUE]);
            sink.all_of(a, &[b]);
            sink.clause([Literal::FALSE]);
        }
    }

    #[test]
    fn clauses_are_simplified_and_counted() {
        let mut prefix = Prefix::default();
        let (a, b) = (prefix.exists("first"), prefix.for_all("second"));
        prefix.for_all("third");
        prefix.exists("fourth");
        let formula = Formula::new(vec!["example".into()], prefix, Box::new(Example(a, b)));
        let size = Size { variables: 4, universal: 2, existential: 2, clauses: 5, literals: 8 };
        assert_eq!(formula.size(), size);
        let mut text = Vec::new();
        formula.write(&mut text).unwrap();
        assert_eq!(
            String::from_utf8(text).unwrap(),
            "c example\nc var 1 first\nc var 2 second\nc var 3 third\nc var 4 fourth\n\
             p cnf 4 5\ne 1 0\na 2 3 0\ne 4 0\n1 -2 0\n-1 2 0\n-2 1 0\n1 0\n-1 0\n"
        );
    }
}
