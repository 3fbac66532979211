//! Checks Q-resolution traces (QRP), as DepQBF writes them with `--trace`, against the formula they are about.
//!
//! A trace is a list of steps `ID LITERALS 0 ANTECEDENTS 0`. Two proof systems share it:
//!
//! - *false*: steps are clauses. Without antecedents a step is a clause of the formula. With two it is their resolvent over
//!   a variable that exists, not a tautology; then, and with one antecedent alone, literals of universal variables may be
//!   left out that stand behind all existential ones of the clause. The empty clause proves the formula false.
//! - *true*: steps are cubes, the mirror image. Without antecedents a cube satisfies every clause of the formula. Cubes
//!   are resolved over universal variables, and existential literals that stand behind all universal ones of the cube may
//!   be left out. The empty cube proves the formula true.
//!
//! The prefix and the clauses are those of our own formula; what the trace says of them is not looked at.

use crate::qbf::formula::{Formula, Quantifier};
use std::collections::{HashMap, HashSet};
use std::io::{self, BufRead};
use thiserror::Error;

/// A longer line is refused.
const LONGEST_LINE: u64 = 1 << 22;
/// More literals in all steps together are refused: they are kept, four bytes each.
const MOST_LITERALS: usize = 1 << 28;

/// Why a trace is no proof.
#[derive(Debug, Error)]
pub enum QrpError {
    /// It cannot be read.
    #[error("cannot read the trace: {0}")]
    Io(#[from] io::Error),
    /// A line that is wrong, and why.
    #[error("line {0}: {1}")]
    Line(usize, &'static str),
    /// Neither the empty clause nor the empty cube is derived.
    #[error("the trace ends without the empty clause or cube")]
    NoEnd,
    /// Somebody stopped it, or the time is over.
    #[error("stopped before the trace was read to its end")]
    Stopped,
}

/// A trace that was accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Accepted {
    /// The value it proves.
    pub value: bool,
    /// Its steps.
    pub steps: usize,
}

/// What a step is, if it may be both until it is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Clause,
    Cube,
}

/// The formula a trace is about.
pub struct Matrix {
    /// Of each variable: the number of its block, and whether it is universal.
    variables: Vec<(usize, bool)>,
    list: Vec<Vec<i32>>,
    set: HashSet<Vec<i32>>,
}

impl Matrix {
    /// Of a formula.
    pub fn of(formula: &Formula) -> Matrix {
        let mut variables = vec![(0, false); formula.prefix().len() + 1];
        for (level, block) in formula.prefix().blocks().iter().enumerate() {
            for variable in block.first..=block.last {
                variables[variable as usize] = (level, block.quantifier == Quantifier::ForAll);
            }
        }
        let mut list = Vec::new();
        formula.for_each_clause(|clause| list.push(sorted(clause.iter().map(|literal| literal.number()).collect())));
        Matrix { variables, set: list.iter().cloned().collect(), list }
    }

    fn level(&self, literal: i32) -> usize {
        self.variables[literal.unsigned_abs() as usize].0
    }

    /// Whether a literal is one that stays: existential in a clause, universal in a cube.
    fn stays(&self, literal: i32, kind: Kind) -> bool {
        self.variables[literal.unsigned_abs() as usize].1 == (kind == Kind::Cube)
    }

    /// Whether a cube satisfies every clause.
    fn is_model(&self, cube: &[i32]) -> bool {
        let chosen: HashSet<i32> = cube.iter().copied().collect();
        self.list.iter().all(|clause| clause.iter().any(|literal| chosen.contains(literal)))
    }

    /// Whether `step` is `whole` but for literals that may be left out.
    fn is_reduction(&self, step: &[i32], whole: &[i32], kind: Kind) -> bool {
        let last = whole.iter().filter(|&&literal| self.stays(literal, kind)).map(|&literal| self.level(literal)).max();
        let mut kept = step.iter().peekable();
        let droppable = |literal: i32| !self.stays(literal, kind) && last.is_none_or(|last| self.level(literal) > last);
        let fits = whole.iter().all(|literal| kept.next_if_eq(&literal).is_some() || droppable(*literal));
        fits && kept.next().is_none()
    }

    /// The resolvent of two steps, unless they do not clash in exactly one variable, of the kind that is resolved over.
    fn resolvent(&self, one: &[i32], other: &[i32], kind: Kind) -> Option<Vec<i32>> {
        let (mut result, mut pivot) = (Vec::with_capacity(one.len() + other.len()), None);
        let (mut a, mut b) = (one.iter().peekable(), other.iter().peekable());
        loop {
            let (x, y) = match (a.peek(), b.peek()) {
                (Some(&&x), Some(&&y)) => (x, y),
                (Some(_), None) => {
                    result.extend(a);
                    break;
                }
                (None, _) => {
                    result.extend(b);
                    break;
                }
            };
            match x.unsigned_abs().cmp(&y.unsigned_abs()) {
                std::cmp::Ordering::Less => result.extend(a.next()),
                std::cmp::Ordering::Greater => result.extend(b.next()),
                std::cmp::Ordering::Equal => {
                    if x == y {
                        result.push(x);
                    } else if pivot.replace(x).is_some() {
                        return None;
                    }
                    a.next();
                    b.next();
                }
            }
        }
        pivot.is_some_and(|pivot| self.stays(pivot, kind)).then_some(result)
    }
}

/// In the order of the variables.
fn sorted(mut literals: Vec<i32>) -> Vec<i32> {
    literals.sort_unstable_by_key(|literal| (literal.unsigned_abs(), *literal));
    literals.dedup();
    literals
}

/// A step that was accepted.
struct Step {
    literals: Vec<i32>,
    kind: Option<Kind>,
}

/// Reads a trace and checks every step; `stopped` is asked now and then.
pub fn check(formula: &Formula, trace: impl BufRead, stopped: &dyn Fn() -> bool) -> Result<Accepted, QrpError> {
    check_on(&Matrix::of(formula), trace, stopped)
}

/// The same for a formula that many traces are about.
pub fn check_on(matrix: &Matrix, mut trace: impl BufRead, stopped: &dyn Fn() -> bool) -> Result<Accepted, QrpError> {
    let mut steps: HashMap<u32, Step> = HashMap::new();
    let (mut number, mut line, mut literals, mut proved) = (0, Vec::new(), 0, None);
    loop {
        line.clear();
        number += 1;
        let read = io::Read::take(&mut trace, LONGEST_LINE + 1).read_until(b'\n', &mut line)?;
        let wrong = |why| QrpError::Line(number, why);
        if read == 0 {
            break;
        }
        if number % 64 == 0 && stopped() {
            return Err(QrpError::Stopped);
        }
        if read as u64 > LONGEST_LINE {
            return Err(wrong("too long"));
        }
        let text = std::str::from_utf8(&line).map_err(|_| wrong("this is no text"))?.trim();
        match text.as_bytes().first() {
            // The header, the prefix and the verdict say nothing that is not known or proved.
            None | Some(b'p' | b'e' | b'a' | b'r' | b'c') => continue,
            Some(_) => {}
        }
        let (id, step, antecedents) = parts(text, matrix.variables.len()).map_err(wrong)?;
        literals += step.len();
        if literals > MOST_LITERALS {
            return Err(wrong("the trace is too long to be kept"));
        }
        let kind = of_step(matrix, &mut steps, &step, &antecedents).map_err(wrong)?;
        if let (true, Some(kind)) = (step.is_empty(), kind) {
            proved.get_or_insert(kind == Kind::Cube);
        }
        if steps.insert(id, Step { literals: step, kind }).is_some() {
            return Err(wrong("a second step of this number"));
        }
    }
    proved.map(|value| Accepted { value, steps: steps.len() }).ok_or(QrpError::NoEnd)
}

/// Number, literals in order and antecedents of a step.
fn parts(text: &str, variables: usize) -> Result<(u32, Vec<i32>, Vec<u32>), &'static str> {
    let mut words = text.split_ascii_whitespace();
    let id = words.next().and_then(|word| word.parse().ok()).ok_or("a step begins with its number")?;
    let mut literals = Vec::new();
    loop {
        let literal: i32 = words.next().and_then(|word| word.parse().ok()).ok_or("the literals end with 0")?;
        match literal.unsigned_abs() as usize {
            0 => break,
            variable if variable < variables => literals.push(literal),
            _ => return Err("there is no such variable"),
        }
    }
    let literals = sorted(literals);
    if literals.windows(2).any(|pair| pair[0] == -pair[1]) {
        return Err("a variable and its negation");
    }
    let mut antecedents = Vec::new();
    loop {
        match words.next().and_then(|word| word.parse().ok()).ok_or("the antecedents end with 0")? {
            0 => break,
            antecedent if antecedents.len() < 2 => antecedents.push(antecedent),
            _ => return Err("a step has at most two antecedents"),
        }
    }
    if words.next().is_some() { Err("something stands behind the step") } else { Ok((id, literals, antecedents)) }
}

/// What a step is, if it follows. One without antecedents may turn out to be a cube when it is used.
fn of_step(
    matrix: &Matrix,
    steps: &mut HashMap<u32, Step>,
    step: &[i32],
    antecedents: &[u32],
) -> Result<Option<Kind>, &'static str> {
    if antecedents.is_empty() {
        return match (matrix.set.contains(step), matrix.is_model(step)) {
            (true, true) => Ok(None),
            (true, false) => Ok(Some(Kind::Clause)),
            (false, true) => Ok(Some(Kind::Cube)),
            (false, false) => Err("neither a clause of the formula nor a cube that satisfies it"),
        };
    }
    let mut known = antecedents.iter().map(|id| steps.get(id).ok_or("an antecedent is missing"));
    let first = known.next().ok_or("an antecedent is missing")??;
    let second = known.next().transpose()?;
    let follows = |kind: Kind| {
        let fits = |other: &Step| other.kind.is_none_or(|known| known == kind);
        fits(first)
            && second.is_none_or(fits)
            && match second {
                None => matrix.is_reduction(step, &first.literals, kind),
                Some(second) => matrix
                    .resolvent(&first.literals, &second.literals, kind)
                    .is_some_and(|whole| matrix.is_reduction(step, &whole, kind)),
            }
    };
    [Kind::Clause, Kind::Cube].into_iter().find(|kind| follows(*kind)).map(Some).ok_or("it does not follow")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::qbf::instance::{Encoding, Instance, Mode};
    use harary_certificate::{Board, Rule, Shape, Topology};

    /// The domino on 2x1: one turn is not enough; on 1x1 a single cell is won at once.
    fn formula(rows: &str, board: &str, turns: usize) -> Instance {
        let game =
            Game::new(Shape::from_rows(rows).unwrap(), Board::parse(board, Topology::Plain).unwrap(), Rule::Strong);
        Instance::new(game, Encoding::Cor, turns, Mode::Lean { symmetry: 1 }).unwrap()
    }

    fn value(instance: &Instance, trace: &str) -> Result<bool, String> {
        let checked = check(&instance.formula(), trace.as_bytes(), &|| false);
        checked.map(|accepted| accepted.value).map_err(|error| error.to_string())
    }

    #[test]
    fn what_does_not_follow_is_refused() {
        let instance = formula("XX", "2x2", 3);
        for (trace, expected) in [
            ("", "the trace ends without"),
            ("p qrp 1 1\nr UNSAT\n", "the trace ends without"),
            ("1 0 0\n", "line 1: neither a clause"),
            ("1 0 7 0\n", "line 1: an antecedent is missing"),
            ("1 99999 0 0\n", "line 1: there is no such variable"),
            ("1 1 -1 0 0\n", "line 1: a variable and its negation"),
            ("1 1 0", "line 1: the antecedents end with 0"),
            ("1 1", "line 1: the literals end with 0"),
            ("x", "line 1: a step begins with its number"),
            ("1 1 0 1 2 3 0", "line 1: a step has at most two antecedents"),
        ] {
            let found = value(&instance, trace).unwrap_err();
            assert!(found.starts_with(expected), "{trace:?}: {found}");
        }
    }

    #[test]
    fn clauses_of_the_formula_are_known_and_no_others() {
        let instance = formula("XX", "2x2", 3);
        let mut first = Vec::new();
        instance.formula().for_each_clause(|clause| {
            if first.is_empty() {
                first = clause.iter().map(|literal| literal.number()).collect();
            }
        });
        let words: Vec<String> = first.iter().map(i32::to_string).collect();
        assert_eq!(
            value(&instance, &format!("1 {} 0 0\n", words.join(" "))),
            Err("the trace ends without the empty clause or cube".into())
        );
        let less = words[1..].join(" ");
        assert!(value(&instance, &format!("1 {less} 0 0\n")).unwrap_err().starts_with("line 1: "));
    }

    #[test]
    fn a_trace_is_stopped() {
        let trace = "c\n".repeat(1000);
        let instance = formula("XX", "2x2", 3);
        assert!(matches!(check(&instance.formula(), trace.as_bytes(), &|| true), Err(QrpError::Stopped)));
    }
}
