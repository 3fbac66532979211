//! What a text of Q-sage's language says.

use super::error::IgError;
use super::tokens::{Sign, Token, tokens};
use harary_certificate::Player;
use std::collections::BTreeMap;
use std::fmt;

/// Parentheses in parentheses, at most.
const DEEPEST: usize = 16;

/// A part of a sum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Term {
    /// `?x`
    Variable(String),
    /// `3`
    Number(i64),
    /// `xmin` and `ymin`: the first column and row are 1.
    First,
    /// `xmax`
    LastColumn,
    /// `ymax`
    LastRow,
}

/// A column or a row: a sum of terms, the ones taken away marked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sum(pub Vec<(bool, Term)>);

impl Sum {
    /// Its value on a board of these sides; `None` if a variable has no value.
    pub fn value(&self, sides: (usize, usize), variables: &BTreeMap<&str, i64>) -> Option<i64> {
        let mut sum = 0i64;
        for (minus, term) in &self.0 {
            let value = match term {
                Term::Variable(name) => *variables.get(name.as_str())?,
                Term::Number(number) => *number,
                Term::First => 1,
                Term::LastColumn => sides.0 as i64,
                Term::LastRow => sides.1 as i64,
            };
            sum += if *minus { -value } else { value };
        }
        Some(sum)
    }

    /// The variables in it.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|(_, term)| match term {
            Term::Variable(name) => Some(name.as_str()),
            _ => None,
        })
    }
}

impl fmt::Display for Sum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (minus, term)) in self.0.iter().enumerate() {
            f.write_str(match (minus, place) {
                (true, _) => "-",
                (false, 0) => "",
                (false, _) => "+",
            })?;
            match term {
                Term::Variable(name) => write!(f, "?{name}")?,
                Term::Number(number) => write!(f, "{number}")?,
                Term::First => f.write_str("xmin")?,
                Term::LastColumn => f.write_str("xmax")?,
                Term::LastRow => f.write_str("ymax")?,
            }
        }
        Ok(())
    }
}

/// `black(?x,?y+1)`, `NOT(open(1,1))`, `le(?x,xmax-2)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Literal {
    /// Its line.
    pub line: usize,
    /// Whether a NOT stands before it.
    pub negated: bool,
    /// `black`, `white`, `open`, or a comparison.
    pub word: String,
    /// What stands before the comma.
    pub x: Sum,
    /// What stands behind it.
    pub y: Sum,
}

impl fmt::Display for Literal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Literal { word, x, y, .. } = self;
        if self.negated { write!(f, "NOT({word}({x},{y}))") } else { write!(f, "{word}({x},{y})") }
    }
}

/// A way to move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Action {
    /// The line it starts at.
    pub line: usize,
    /// Its name.
    pub name: String,
    /// What may be chosen.
    pub parameters: Vec<String>,
    /// `:precondition` and `:indexbounds`: what must be.
    pub needs: Vec<Literal>,
    /// What is then so.
    pub effects: Vec<Literal>,
}

/// What a player has to reach.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Goals {
    /// One of these, one a line: everything a line says.
    pub lines: Vec<Vec<Literal>>,
    /// The line that says there is nothing to reach: `False`, or `breaker`.
    pub breaker: Option<usize>,
}

/// What a text says: a domain, an instance, or both in one.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Description {
    /// The file, for messages.
    pub file: String,
    /// `#boardsize`: columns, rows; and the line.
    pub board: Option<(usize, usize, usize)>,
    /// `#depth`: turns; and the line.
    pub depth: Option<(usize, usize)>,
    /// `#init`.
    pub init: Vec<Literal>,
    /// `#blackturn second`: Black leaves his first turn out.
    pub black_second: bool,
    /// `#blackactions`.
    pub black_actions: Option<Vec<Action>>,
    /// `#whiteactions`.
    pub white_actions: Option<Vec<Action>>,
    /// `#blackgoal`.
    pub black_goals: Option<Goals>,
    /// `#whitegoal`.
    pub white_goals: Option<Goals>,
}

/// The sections, for messages.
const SECTIONS: &str = "#boardsize #init #blackinitials #whiteinitials #depth #times #blackturn #blackgoal #whitegoal \
                        #blackactions #whiteactions";

impl Description {
    /// Whether a text looks like a part of a model, whatever its file is called.
    pub fn is_likely(text: &str) -> bool {
        let opens = |line: &str| ["#boardsize", "#blackactions"].contains(&line.split('%').next().unwrap_or("").trim());
        text.lines().any(opens)
    }

    /// Reads a text; `file` is its name, for messages.
    pub fn read(file: &str, text: &str) -> Result<Description, IgError> {
        let mut description = Description { file: file.to_owned(), ..Description::default() };
        description.sections(text).map_err(|error| error.named(file))?;
        Ok(description)
    }

    /// The actions of a player, if the text has any.
    pub fn actions(&self, player: Player) -> Option<&[Action]> {
        match player {
            Player::Black => self.black_actions.as_deref(),
            Player::White => self.white_actions.as_deref(),
        }
    }

    fn sections(&mut self, text: &str) -> Result<(), IgError> {
        let tokens = tokens(text)?;
        let mut reader = Reader { tokens: &tokens, at: 0 };
        let (mut seen, mut times) = (BTreeMap::new(), None);
        loop {
            reader.skip_ends();
            let Some((line, sign)) = reader.next() else { break };
            let Sign::Section(name) = sign else {
                return Err(IgError::at(line, format!("something stands before any section; sections are {SECTIONS}")));
            };
            let name = name.strip_suffix("goals").map_or(name.to_owned(), |start| format!("{start}goal"));
            if let Some(first) = seen.insert(name.clone(), line) {
                return Err(IgError::at(line, format!("a second section {name}; the first is at line {first}")));
            }
            match name.as_str() {
                "#boardsize" => self.board = Some(reader.board(line)?),
                "#depth" => self.depth = Some((reader.one_number(line, "#depth")?, line)),
                "#times" => times = Some((reader.count(), line)),
                "#init" => reader.literals(&mut self.init)?,
                "#blackinitials" => reader.initials("black", &mut self.init)?,
                "#whiteinitials" => reader.initials("white", &mut self.init)?,
                "#blackturn" => self.black_second = reader.turn(line)?,
                "#blackgoal" => self.black_goals = Some(reader.goals()?),
                "#whitegoal" => self.white_goals = Some(reader.goals()?),
                "#blackactions" => self.black_actions = Some(reader.actions()?),
                "#whiteactions" => self.white_actions = Some(reader.actions()?),
                _ => return Err(IgError::at(line, format!("there is no section '{name}'; sections are {SECTIONS}"))),
            }
        }
        self.depth = self.depth.or(times);
        Ok(())
    }
}

/// Goes through the signs.
struct Reader<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<Sign<'a>> {
        self.tokens.get(self.at).map(|token| token.1)
    }

    fn next(&mut self) -> Option<Token<'a>> {
        let token = self.tokens.get(self.at).copied();
        self.at += usize::from(token.is_some());
        token
    }

    /// The line of the next sign, or the last one there is.
    fn line(&self) -> usize {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(1, |token| token.0)
    }

    fn skip_ends(&mut self) {
        while self.peek() == Some(Sign::End) {
            self.at += 1;
        }
    }

    /// Whether the section goes on, on this line or a later one.
    fn goes_on(&mut self) -> bool {
        self.skip_ends();
        !matches!(self.peek(), None | Some(Sign::Section(_)))
    }

    fn expect(&mut self, sign: Sign, what: &str) -> Result<(), IgError> {
        let line = self.line();
        match self.next() {
            Some((_, found)) if found == sign => Ok(()),
            _ => Err(IgError::at(line, format!("expected '{what}' here"))),
        }
    }

    fn one_number(&mut self, line: usize, section: &str) -> Result<usize, IgError> {
        let wrong = || IgError::at(line, format!("{section} needs one number"));
        if !self.goes_on() {
            return Err(wrong());
        }
        let Some((_, Sign::Number(number))) = self.next() else { return Err(wrong()) };
        if self.goes_on() { Err(wrong()) } else { Ok(number as usize) }
    }

    fn board(&mut self, line: usize) -> Result<(usize, usize, usize), IgError> {
        let mut sides = Vec::new();
        while self.goes_on() {
            match self.next() {
                Some((_, Sign::Number(side))) if side > 0 && sides.len() < 2 => sides.push(side as usize),
                _ => return Err(IgError::at(line, "#boardsize needs two numbers, columns and rows")),
            }
        }
        match sides[..] {
            [width, height] => Ok((width, height, line)),
            _ => Err(IgError::at(line, "#boardsize needs two numbers, columns and rows")),
        }
    }

    /// How many words a section has.
    fn count(&mut self) -> usize {
        let mut count = 0;
        while self.goes_on() {
            self.at += 1;
            count += 1;
        }
        count
    }

    fn turn(&mut self, line: usize) -> Result<bool, IgError> {
        let word = if self.goes_on() { self.next() } else { None };
        match word.map(|token| token.1) {
            Some(Sign::Word("second")) if !self.goes_on() => Ok(true),
            Some(Sign::Word("first")) if !self.goes_on() => Ok(false),
            _ => Err(IgError::at(line, "#blackturn is 'first' or 'second'")),
        }
    }

    /// `a1 c2`: the older way to write the stones of the start.
    fn initials(&mut self, colour: &str, literals: &mut Vec<Literal>) -> Result<(), IgError> {
        while self.goes_on() {
            let (line, sign) = (self.line(), self.next().map(|token| token.1));
            let wrong = || IgError::at(line, "stones of the start are written a1, b2, …");
            let Some(Sign::Word(word)) = sign else { return Err(wrong()) };
            let letter = word.bytes().next().filter(u8::is_ascii_lowercase).ok_or_else(wrong)?;
            let row: u16 = word.get(1..).and_then(|digits| digits.parse().ok()).ok_or_else(wrong)?;
            let [x, y] = [i64::from(letter - b'a') + 1, i64::from(row)].map(|at| Sum(vec![(false, Term::Number(at))]));
            literals.push(Literal { line, negated: false, word: colour.to_owned(), x, y });
        }
        Ok(())
    }

    /// Literals to the end of the section or of the part of an action.
    fn literals(&mut self, literals: &mut Vec<Literal>) -> Result<(), IgError> {
        while self.goes_on() && !matches!(self.peek(), Some(Sign::Key(_))) {
            self.literal(false, 0, literals)?;
        }
        Ok(())
    }

    /// One literal, or several in parentheses.
    fn literal(&mut self, negated: bool, depth: usize, literals: &mut Vec<Literal>) -> Result<(), IgError> {
        let line = self.line();
        if depth > DEEPEST {
            return Err(IgError::at(line, "too many parentheses in parentheses"));
        }
        match self.next().map(|token| token.1) {
            Some(Sign::Open) => {
                let before = literals.len();
                loop {
                    self.skip_ends();
                    match self.peek() {
                        Some(Sign::Close) => break,
                        None | Some(Sign::Section(_) | Sign::Key(_)) => {
                            return Err(IgError::at(line, "this parenthesis is not closed"));
                        }
                        Some(_) => self.literal(negated, depth + 1, literals)?,
                    }
                }
                self.at += 1;
                if negated && literals.len() != before + 1 {
                    return Err(IgError::at(line, "NOT stands before one condition"));
                }
                Ok(())
            }
            Some(Sign::Word("NOT" | "not" | "Not")) => self.literal(!negated, depth + 1, literals),
            Some(Sign::Word("AND" | "and")) => Ok(()),
            Some(Sign::Word(word)) => {
                self.expect(Sign::Open, "(")?;
                let x = self.sum()?;
                self.expect(Sign::Comma, ",")?;
                let y = self.sum()?;
                self.expect(Sign::Close, ")")?;
                literals.push(Literal { line, negated, word: word.to_owned(), x, y });
                Ok(())
            }
            _ => Err(IgError::at(line, "expected a condition such as black(?x,?y+1)")),
        }
    }

    fn sum(&mut self) -> Result<Sum, IgError> {
        let mut terms = Vec::new();
        loop {
            let minus = match self.peek() {
                Some(Sign::Minus) => true,
                Some(Sign::Plus) => false,
                _ if terms.is_empty() => false,
                _ => return Ok(Sum(terms)),
            };
            if matches!(self.peek(), Some(Sign::Minus | Sign::Plus)) {
                self.at += 1;
            }
            let line = self.line();
            let term = match self.next().map(|token| token.1) {
                Some(Sign::Number(number)) => Term::Number(number),
                Some(Sign::Variable(name)) => Term::Variable(name.to_owned()),
                Some(Sign::Word("xmin" | "ymin")) => Term::First,
                Some(Sign::Word("xmax")) => Term::LastColumn,
                Some(Sign::Word("ymax")) => Term::LastRow,
                _ => return Err(IgError::at(line, "expected a place such as ?x+1, 3, xmin or ymax-1")),
            };
            terms.push((minus, term));
            // A board has few places; sums that go on for ever are none.
            if terms.len() > 16 {
                return Err(IgError::at(line, "this sum is too long"));
            }
        }
    }

    fn goals(&mut self) -> Result<Goals, IgError> {
        let mut goals = Goals::default();
        while self.goes_on() {
            let line = self.line();
            if let Some(Sign::Word("False" | "false" | "breaker")) = self.peek() {
                self.at += 1;
                goals.breaker = Some(line);
                continue;
            }
            let mut literals = Vec::new();
            while !matches!(self.peek(), None | Some(Sign::End | Sign::Section(_))) {
                self.literal(false, 0, &mut literals)?;
            }
            goals.lines.push(literals);
        }
        Ok(goals)
    }

    fn actions(&mut self) -> Result<Vec<Action>, IgError> {
        let mut actions: Vec<Action> = Vec::new();
        while self.goes_on() {
            let line = self.line();
            let Some((_, Sign::Key(key))) = self.next() else {
                return Err(IgError::at(line, "expected ':action NAME'"));
            };
            if key == "action" {
                let name = self.name();
                let (parameters, needs, effects) = (Vec::new(), Vec::new(), Vec::new());
                actions.push(Action { line, name, parameters, needs, effects });
                continue;
            }
            let Some(action) = actions.last_mut() else {
                return Err(IgError::at(line, format!(":{key} stands before any action")));
            };
            match key {
                "parameters" => action.parameters = self.parameters()?,
                "precondition" | "preconditions" | "indexbounds" => self.literals(&mut action.needs)?,
                "effect" | "effects" => self.literals(&mut action.effects)?,
                _ => return Err(IgError::at(line, format!("an action has no part ':{key}'"))),
            }
        }
        Ok(actions)
    }

    /// The rest of the line.
    fn name(&mut self) -> String {
        let mut name = String::new();
        while let Some(sign) = self.peek().filter(|sign| *sign != Sign::End) {
            self.at += 1;
            match sign {
                Sign::Word(word) => name += word,
                Sign::Number(number) => name += &number.to_string(),
                _ => name.push('-'),
            }
        }
        name
    }

    fn parameters(&mut self) -> Result<Vec<String>, IgError> {
        let mut parameters = Vec::new();
        while self.goes_on() && !matches!(self.peek(), Some(Sign::Key(_))) {
            let line = self.line();
            match self.next().map(|token| token.1) {
                Some(Sign::Variable(name)) => parameters.push(name.to_owned()),
                Some(Sign::Open | Sign::Close | Sign::Comma) => {}
                _ => return Err(IgError::at(line, "parameters are written (?x, ?y)")),
            }
        }
        Ok(parameters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_domain_is_read() {
        let text = "% falling\n#blackactions\n:action occupy-2\n:parameters (?x, ?y)\n\
            :precondition (open(?x,?y) (NOT(open(?x,?y+1))))\n:effect (black(?x,ymax - 1))\n#whiteactions\n";
        let read = Description::read("d.ig", text).unwrap();
        let [action] = &read.black_actions.unwrap()[..] else { panic!("one action") };
        assert_eq!(
            (action.name.as_str(), action.line, &action.parameters[..]),
            ("occupy-2", 3, &["x".to_owned(), "y".to_owned()][..])
        );
        let words: Vec<String> = action.needs.iter().chain(&action.effects).map(Literal::to_string).collect();
        assert_eq!(words, ["open(?x,?y)", "NOT(open(?x,?y+1))", "black(?x,ymax-1)"]);
        assert_eq!(read.white_actions, Some(Vec::new()));
    }

    #[test]
    fn an_instance_is_read() {
        let text = "#boardsize\n4 3\n#init\n(black(1,1) white(2,2))\n#depth\n5\n#blackgoals\n\n(black(?x,1))\nblack(?x,?y) black(?x+1,?y)\n\
            #whitegoal\nbreaker\n#blackturn\nsecond\n";
        let read = Description::read("i.ig", text).unwrap();
        assert_eq!((read.board, read.depth, read.black_second), (Some((4, 3, 1)), Some((5, 5)), true));
        assert_eq!(read.init.iter().map(Literal::to_string).collect::<Vec<_>>(), ["black(1,1)", "white(2,2)"]);
        assert_eq!(read.black_goals.unwrap().lines.len(), 2);
        assert_eq!(read.white_goals.unwrap(), Goals { lines: vec![], breaker: Some(12) });
        let older = Description::read("i.ig", "#times\nt1 t2 t3\n#whiteinitials\nc2\n").unwrap();
        assert_eq!((older.depth, older.init[0].to_string().as_str()), (Some((3, 1)), "white(3,2)"));
    }

    #[test]
    fn mistakes_name_file_and_line() {
        for (text, expected) in [
            ("x", "f.ig, line 1: something stands before any section; sections are #boardsize"),
            ("#size\n", "f.ig, line 1: there is no section '#size'"),
            ("#depth\n3\n#depth\n3", "f.ig, line 3: a second section #depth; the first is at line 1"),
            ("#depth\n", "f.ig, line 1: #depth needs one number"),
            ("#depth\n1 2", "f.ig, line 1: #depth needs one number"),
            ("#boardsize\n3", "f.ig, line 1: #boardsize needs two numbers"),
            ("#boardsize\n0 3", "f.ig, line 1: #boardsize needs two numbers"),
            ("#blackgoal\nblack(?x", "f.ig, line 2: expected ',' here"),
            ("#blackgoal\nblack(?x,)", "f.ig, line 2: expected a place such as"),
            ("#blackgoal\n(black(1,1)", "f.ig, line 2: this parenthesis is not closed"),
            ("#blackgoal\nNOT(black(1,1) black(1,2))", "f.ig, line 2: NOT stands before one condition"),
            ("#blackactions\n:effect (black(1,1))", "f.ig, line 2: :effect stands before any action"),
            ("#blackactions\n:action a\n:cost (1)", "f.ig, line 3: an action has no part ':cost'"),
            ("#blackturn\nthird", "f.ig, line 1: #blackturn is 'first' or 'second'"),
            ("#blackinitials\na0x", "f.ig, line 2: stones of the start are written a1"),
        ] {
            let found = Description::read("f.ig", text).unwrap_err().to_string();
            assert!(found.starts_with(expected), "{text}: {found}");
        }
        let deep = format!("#blackgoal\n{}", "(".repeat(100_000));
        assert!(Description::read("f.ig", &deep).unwrap_err().mistake.contains("parentheses in parentheses"));
    }
}
