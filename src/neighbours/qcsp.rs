//! Small quantified constraint problems, as one writes them: `exists x y in 0..2 forall z in 0..2 exists t in 0..2 : x = y*z + t & t <= x`.
//!
//! The first player chooses the variables that exist, the second one those under "for all", in their order; the first one
//! wins if the constraint holds in the end.

use super::finite::{Finite, Side};
use super::spoken::Spoken;
use crate::effort::{Halt, Limits};
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use thiserror::Error;

/// The most variables of a problem.
const MOST_VARIABLES: usize = 40;
/// The most values of a variable.
const MOST_VALUES: i64 = 10_000;
/// The longest text of a problem.
pub const LONGEST_TEXT: u64 = 1 << 16;
/// How deep brackets and signs may be nested.
const DEEPEST: usize = 100;

/// Why a text is no problem.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ProblemError {
    /// Something else was expected: where, as the number of a letter from 1, and what.
    #[error("letter {0}: expected {1}")]
    Expected(usize, &'static str),
    /// A variable nobody has declared, or one that was declared before.
    #[error("letter {0}: '{1}' {2}")]
    Name(usize, String, &'static str),
    /// Too large.
    #[error("the problem is too large: {0}")]
    TooLarge(&'static str),
}

/// A variable: who chooses it and between which values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// What it is called.
    pub name: String,
    /// Who chooses.
    pub side: Side,
    /// The least value.
    pub least: i64,
    /// The greatest value.
    pub greatest: i64,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Number {
    Value(i64),
    Variable(usize),
    Sum(Box<Number>, Box<Number>),
    Difference(Box<Number>, Box<Number>),
    Product(Box<Number>, Box<Number>),
}

impl Number {
    fn value(&self, values: &[i64]) -> i64 {
        match self {
            Number::Value(value) => *value,
            Number::Variable(index) => values[*index],
            Number::Sum(a, b) => a.value(values).saturating_add(b.value(values)),
            Number::Difference(a, b) => a.value(values).saturating_sub(b.value(values)),
            Number::Product(a, b) => a.value(values).saturating_mul(b.value(values)),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Constraint {
    Constant(bool),
    Compare(Comparison, Number, Number),
    Not(Box<Constraint>),
    And(Box<Constraint>, Box<Constraint>),
    Or(Box<Constraint>, Box<Constraint>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
}

impl Constraint {
    fn holds(&self, values: &[i64]) -> bool {
        match self {
            Constraint::Constant(value) => *value,
            Constraint::Compare(comparison, a, b) => {
                let (a, b) = (a.value(values), b.value(values));
                match comparison {
                    Comparison::Equal => a == b,
                    Comparison::Unequal => a != b,
                    Comparison::Less => a < b,
                    Comparison::AtMost => a <= b,
                }
            }
            Constraint::Not(part) => !part.holds(values),
            Constraint::And(a, b) => a.holds(values) && b.holds(values),
            Constraint::Or(a, b) => a.holds(values) || b.holds(values),
        }
    }
}

/// Variables in their order, and a constraint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    variables: Vec<Variable>,
    constraint: Constraint,
}

impl Problem {
    /// Reads a problem.
    pub fn parse(text: &str) -> Result<Problem, ProblemError> {
        let mut reader =
            Reader { tokens: tokens(text)?, at: 0, end: text.chars().count() + 1, variables: Vec::new(), depth: 0 };
        reader.prefix()?;
        let constraint = reader.implication()?;
        if reader.at < reader.tokens.len() {
            return Err(reader.expected("the end"));
        }
        Ok(Problem { variables: reader.variables, constraint })
    }

    /// The variables in their order.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Word(String),
    Number(i64),
    Sign(&'static str),
}

/// Longer signs first.
const SIGNS: [&str; 19] =
    ["->", "<=", ">=", "!=", "..", "=", "<", ">", "+", "-", "*", "(", ")", ":", "&", ",", "|", "!", ";"];

fn tokens(text: &str) -> Result<Vec<(usize, Token)>, ProblemError> {
    let letters: Vec<char> = text.chars().collect();
    let (mut tokens, mut at) = (Vec::new(), 0);
    while at < letters.len() {
        let run = |is: fn(&char) -> bool| letters[at..].iter().take_while(|letter| is(letter)).count();
        let letter = letters[at];
        let (token, length) = if letter.is_whitespace() {
            at += 1;
            continue;
        } else if letter.is_ascii_digit() {
            let length = run(char::is_ascii_digit);
            let digits: String = letters[at..at + length].iter().collect();
            let number = digits.parse().map_err(|_| ProblemError::Expected(at + 1, "a smaller number"))?;
            (Token::Number(number), length)
        } else if letter.is_alphabetic() || letter == '_' {
            let length = run(|letter| letter.is_alphanumeric() || *letter == '_');
            (Token::Word(letters[at..at + length].iter().collect()), length)
        } else {
            let starts = |sign: &&&str| sign.chars().enumerate().all(|(k, part)| letters.get(at + k) == Some(&part));
            let sign = SIGNS.iter().find(starts).ok_or(ProblemError::Expected(at + 1, "a name, a number or a sign"))?;
            (Token::Sign(sign), sign.len())
        };
        tokens.push((at + 1, token));
        at += length;
    }
    Ok(tokens)
}

struct Reader {
    tokens: Vec<(usize, Token)>,
    at: usize,
    end: usize,
    variables: Vec<Variable>,
    depth: usize,
}

impl Reader {
    fn expected(&self, what: &'static str) -> ProblemError {
        ProblemError::Expected(self.tokens.get(self.at).map_or(self.end, |token| token.0), what)
    }

    fn word(&mut self) -> Option<String> {
        let Some((_, Token::Word(word))) = self.tokens.get(self.at) else { return None };
        self.at += 1;
        Some(word.clone())
    }

    fn sign(&mut self, sign: &str) -> bool {
        let found = matches!(self.tokens.get(self.at), Some((_, Token::Sign(here))) if *here == sign);
        self.at += usize::from(found);
        found
    }

    fn whole(&mut self) -> Result<i64, ProblemError> {
        let negative = self.sign("-");
        let Some((_, Token::Number(number))) = self.tokens.get(self.at) else { return Err(self.expected("a number")) };
        self.at += 1;
        Ok(if negative { -number } else { *number })
    }

    fn prefix(&mut self) -> Result<(), ProblemError> {
        while !self.sign(":") {
            let side = match self.word().as_deref() {
                Some("exists") => Side::First,
                Some("forall") => Side::Second,
                _ => {
                    self.at = self.at.saturating_sub(1);
                    return Err(self.expected("exists, forall, or the : after them"));
                }
            };
            let mut names = Vec::new();
            while let Some(name) = self.word() {
                if name == "in" {
                    break;
                }
                let place = self.tokens[self.at - 1].0;
                let known = self.variables.iter().any(|variable| variable.name == name) || names.contains(&name);
                if known || ["exists", "forall", "true", "false"].contains(&name.as_str()) {
                    return Err(ProblemError::Name(place, name, "cannot be the name of a variable here"));
                }
                names.push(name);
            }
            let least = self.whole()?;
            if !self.sign("..") {
                return Err(self.expected(".. between the least and the greatest value"));
            }
            let greatest = self.whole()?;
            if greatest < least || greatest.saturating_sub(least) >= MOST_VALUES {
                return Err(ProblemError::TooLarge("a variable has 1 to 10000 values"));
            }
            if names.is_empty() {
                return Err(self.expected("names of variables before 'in'"));
            }
            self.variables.extend(names.into_iter().map(|name| Variable { name, side, least, greatest }));
            if self.variables.len() > MOST_VARIABLES {
                return Err(ProblemError::TooLarge("there are at most 40 variables"));
            }
        }
        Ok(())
    }

    fn implication(&mut self) -> Result<Constraint, ProblemError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(ProblemError::TooLarge("brackets are nested too deep"));
        }
        let left = self.disjunction()?;
        let whole = if self.sign("->") {
            let right = self.implication()?;
            Constraint::Or(Box::new(Constraint::Not(Box::new(left))), Box::new(right))
        } else {
            left
        };
        self.depth -= 1;
        Ok(whole)
    }

    fn disjunction(&mut self) -> Result<Constraint, ProblemError> {
        let mut whole = self.conjunction()?;
        while self.sign("|") {
            whole = Constraint::Or(Box::new(whole), Box::new(self.conjunction()?));
        }
        Ok(whole)
    }

    fn conjunction(&mut self) -> Result<Constraint, ProblemError> {
        let mut whole = self.part()?;
        while self.sign("&") || self.sign(",") {
            whole = Constraint::And(Box::new(whole), Box::new(self.part()?));
        }
        Ok(whole)
    }

    fn part(&mut self) -> Result<Constraint, ProblemError> {
        if self.sign("!") {
            return Ok(Constraint::Not(Box::new(self.bracket()?)));
        }
        match self.tokens.get(self.at) {
            Some((_, Token::Word(word))) if word == "true" || word == "false" => {
                let value = word == "true";
                self.at += 1;
                Ok(Constraint::Constant(value))
            }
            Some((_, Token::Sign("("))) => {
                // A bracket holds a constraint or a number: what stands behind it tells.
                let (start, depth) = (self.at, self.depth);
                if let Ok(constraint) = self.bracket() {
                    let next = self.tokens.get(self.at).map(|token| &token.1);
                    if matches!(next, None | Some(Token::Sign(")" | "&" | "," | "|" | "->"))) {
                        return Ok(constraint);
                    }
                }
                (self.at, self.depth) = (start, depth);
                self.comparison()
            }
            _ => self.comparison(),
        }
    }

    fn bracket(&mut self) -> Result<Constraint, ProblemError> {
        if !self.sign("(") {
            return Err(self.expected("a bracket"));
        }
        let inside = self.implication()?;
        if self.sign(")") { Ok(inside) } else { Err(self.expected("the end of a bracket")) }
    }

    fn comparison(&mut self) -> Result<Constraint, ProblemError> {
        let left = self.sum()?;
        let signs = [
            ("=", Comparison::Equal, false),
            ("!=", Comparison::Unequal, false),
            ("<=", Comparison::AtMost, false),
            ("<", Comparison::Less, false),
            (">=", Comparison::AtMost, true),
            (">", Comparison::Less, true),
        ];
        let Some((_, comparison, turned)) = signs.into_iter().find(|sign| self.sign(sign.0)) else {
            return Err(self.expected("a comparison: = != < <= > >="));
        };
        let right = self.sum()?;
        let (left, right) = if turned { (right, left) } else { (left, right) };
        Ok(Constraint::Compare(comparison, left, right))
    }

    fn sum(&mut self) -> Result<Number, ProblemError> {
        let mut whole = self.product()?;
        loop {
            whole = if self.sign("+") {
                Number::Sum(Box::new(whole), Box::new(self.product()?))
            } else if self.sign("-") {
                Number::Difference(Box::new(whole), Box::new(self.product()?))
            } else {
                return Ok(whole);
            };
        }
    }

    fn product(&mut self) -> Result<Number, ProblemError> {
        let mut whole = self.atom()?;
        while self.sign("*") {
            whole = Number::Product(Box::new(whole), Box::new(self.atom()?));
        }
        Ok(whole)
    }

    fn atom(&mut self) -> Result<Number, ProblemError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(ProblemError::TooLarge("brackets are nested too deep"));
        }
        let atom = if self.sign("-") {
            Number::Difference(Box::new(Number::Value(0)), Box::new(self.atom()?))
        } else if self.sign("(") {
            let inside = self.sum()?;
            if !self.sign(")") {
                return Err(self.expected("the end of a bracket"));
            }
            inside
        } else if let Some(name) = self.word() {
            let place = self.tokens[self.at - 1].0;
            let known = self.variables.iter().position(|variable| variable.name == name);
            Number::Variable(known.ok_or(ProblemError::Name(place, name, "is no variable"))?)
        } else {
            let Some((_, Token::Number(number))) = self.tokens.get(self.at) else {
                return Err(self.expected("a number or a variable"));
            };
            self.at += 1;
            Number::Value(*number)
        };
        self.depth -= 1;
        Ok(atom)
    }
}

/// A problem and the values chosen so far.
#[derive(Clone, Debug)]
pub struct Qcsp {
    problem: Arc<Problem>,
    values: Vec<i64>,
}

/// How many scenarios there are: assignments of values to all variables.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, serde::Serialize)]
pub struct Scenarios {
    /// All of them.
    pub all: u64,
    /// Those in which the constraint holds.
    pub promising: u64,
    /// Those that belong to a winning strategy.
    pub winning: u64,
}

impl Qcsp {
    /// Nothing chosen yet.
    pub fn new(problem: Arc<Problem>) -> Qcsp {
        Qcsp { problem, values: Vec::new() }
    }

    fn variable(&self) -> Option<&Variable> {
        self.problem.variables.get(self.values.len())
    }

    /// Counts the scenarios; whether the problem holds comes with them.
    pub fn scenarios(&self, limits: &Limits) -> Result<(bool, Scenarios), Halt> {
        limits.check_time()?;
        let Some(variable) = self.variable() else {
            let holds = self.problem.constraint.holds(&self.values);
            let one = u64::from(holds);
            return Ok((holds, Scenarios { all: 1, promising: one, winning: one }));
        };
        let exists = variable.side == Side::First;
        let (mut holds, mut sum) = (!exists, Scenarios::default());
        for value in self.moves() {
            let (here, counts) = self.after(value).scenarios(limits)?;
            holds = if exists { holds || here } else { holds && here };
            sum.all += counts.all;
            sum.promising += counts.promising;
            sum.winning += if here { counts.winning } else { 0 };
        }
        // Where one answer to "for all" has no win, no strategy wins through here.
        if !holds {
            sum.winning = 0;
        }
        Ok((holds, sum))
    }
}

/// Positions of one game have one problem; it need not be looked at.
impl PartialEq for Qcsp {
    fn eq(&self, other: &Qcsp) -> bool {
        self.values == other.values
    }
}

impl Eq for Qcsp {}

impl Hash for Qcsp {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.values.hash(state);
    }
}

impl Finite for Qcsp {
    type Move = i64;

    fn mover(&self) -> Side {
        self.variable().map_or(Side::First, |variable| variable.side)
    }

    fn value(&self) -> Option<i32> {
        let over = self.variable().is_none();
        over.then(|| if self.problem.constraint.holds(&self.values) { 1 } else { -1 })
    }

    fn moves(&self) -> Vec<i64> {
        self.variable().map_or_else(Vec::new, |variable| (variable.least..=variable.greatest).collect())
    }

    fn after(&self, value: i64) -> Qcsp {
        let mut next = self.clone();
        next.values.push(value);
        next
    }

    fn may_return(&self) -> bool {
        false
    }
}

impl Spoken for Qcsp {
    fn title(&self) -> String {
        format!("a quantified problem of {} variables", self.problem.variables.len())
    }

    fn drawing(&self) -> String {
        let chosen = self.problem.variables.iter().zip(&self.values);
        let chosen: Vec<String> = chosen.map(|(variable, value)| format!("{} = {value}", variable.name)).collect();
        format!("  {}\n", if chosen.is_empty() { "nothing is chosen".to_owned() } else { chosen.join(", ") })
    }

    fn question(&self) -> String {
        self.variable().map_or_else(String::new, |variable| {
            format!("the value of {}, {} to {}", variable.name, variable.least, variable.greatest)
        })
    }

    fn name_of(&self, value: i64) -> String {
        value.to_string()
    }

    fn meaning(&self, value: i32) -> String {
        if value > 0 { "it holds" } else { "it does not hold" }.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{search::Search, twin};
    use super::*;

    const TOY: &str = "exists x y in 0..2 forall z in 0..2 exists t in 0..2 : (x = (y*z) + t) & (t <= x)";

    fn start(text: &str) -> Qcsp {
        Qcsp::new(Arc::new(Problem::parse(text).unwrap()))
    }

    #[test]
    fn the_toy_of_the_paper_holds() {
        let limits = Limits::none();
        let toy = start(TOY);
        assert_eq!((twin::value(&toy), Search::new(&limits).value(&toy)), (1, Ok(1)));
        let (holds, scenarios) = toy.scenarios(&limits).unwrap();
        assert!(holds);
        // x = 0, 1, 2 with y = 0, and x = 2 with y = 1: four strategies of three scenarios.
        assert_eq!(scenarios, Scenarios { all: 81, promising: 19, winning: 12 });
        // 2 2 0 2 is promising and loses: not for z = 1, as the paper says, but for z = 2.
        let losing = toy.after(2).after(2);
        assert_eq!(losing.after(0).after(2).value(), Some(1));
        assert_eq!([1, 2].map(|z| twin::value(&losing.after(z))), [1, -1]);
    }

    #[test]
    fn the_nim_of_the_paper_is_read_as_printed() {
        let nim = start(
            "exists x1 in 1..3 forall y1 in 1..3 exists x2 in 1..3 forall y2 in 1..3 : \
             (((y1 <= 2*x1) & (x1 + y1 <= 4)) -> (((x2 <= 2*y1) & (x1 + y1 + x2 <= 4)) & \
             (((y2 <= 2*x2) & (x1 + y1 + x2 + y2 <= 4)) -> false)))",
        );
        let worths = Search::new(&Limits::none()).worths(&nim).unwrap();
        assert_eq!(worths, [(1, 1), (2, -1), (3, -1)]);
    }

    #[test]
    fn mistakes_are_told() {
        let complaint = |text: &str| Problem::parse(text).unwrap_err().to_string();
        assert_eq!(complaint("exists x in 0..2 : x = y"), "letter 24: 'y' is no variable");
        assert_eq!(complaint("exists x 0..2 : x = 1 $"), "letter 23: expected a name, a number or a sign");
        assert_eq!(complaint("exists x in 0..2 : x"), "letter 21: expected a comparison: = != < <= > >=");
        assert_eq!(complaint("x = 1"), "letter 1: expected exists, forall, or the : after them");
        assert_eq!(complaint("exists x x in 0..2 : x = 1"), "letter 10: 'x' cannot be the name of a variable here");
        assert!(complaint("exists x in 0..99999999999999999999 : x = 1").contains("a smaller number"));
        assert!(complaint("exists x in 5..2 : x = 1").contains("1 to 10000 values"));
        assert!(complaint(&format!("exists x in 0..1 : {}x = 1", "(".repeat(5000))).contains("nested"));
        assert!(complaint(&format!("exists x in 0..1 : x = {}1", "-".repeat(5000))).contains("nested"));
        assert!(complaint("").contains("exists"));
        assert!(complaint("exists x in 0..1 : x = 1 x").contains("the end"));
    }
}
