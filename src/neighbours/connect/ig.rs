//! Connect Four models of Q-sage: a domain (how stones are put) and an instance (board, stones, depth, goals).
//!
//! The instance asks whether Black, who begins, wins within a number of turns. Its columns and rows count from 1, rows
//! downwards. What is read is what this game can say: stones that fall, and the same straight lines for both sides. The
//! language itself is read by [`crate::game::ig`].

use super::board::{Connect, Grid, GridError};
use crate::game::ig::language::{Goals, Literal, Sum, Term};
use crate::game::ig::{Description, IgError};
use std::collections::{BTreeMap, BTreeSet};
use thiserror::Error;

/// The longest text of a model.
pub const LONGEST_TEXT: u64 = 1 << 20;

/// Why a text is no model of this game.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ModelError {
    /// A text that is none of the language.
    #[error(transparent)]
    Language(#[from] IgError),
    /// A section that is missing or says something else.
    #[error("{0}: {1}")]
    Section(&'static str, String),
    /// The goals are not straight lines of one length in all four directions.
    #[error("{0}: the goals are not all straight lines of one length")]
    Goals(&'static str),
    /// The domain is another game.
    #[error("the domain is not one of falling stones: {0}")]
    Domain(&'static str),
    /// The board.
    #[error(transparent)]
    Grid(#[from] GridError),
}

/// A question about a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Model {
    /// The position at the start.
    pub start: Connect,
    /// Whether Black wins within so many turns.
    pub depth: usize,
}

impl Model {
    /// Reads an instance.
    pub fn parse(text: &str) -> Result<Model, ModelError> {
        let read = Description::read("", text)?;
        let missing = |section| ModelError::Section(section, "there is no such section".to_owned());
        let (width, height, _) = read.board.ok_or_else(|| missing("#boardsize"))?;
        let (depth, _) = read.depth.ok_or_else(|| missing("#depth"))?;
        if read.black_second {
            return Err(ModelError::Section("#blackturn", "Black begins this game".to_owned()));
        }
        let black = line_length("#blackgoal", "black", read.black_goals.as_ref())?;
        let white = line_length("#whitegoal", "white", read.white_goals.as_ref())?;
        if black != white {
            return Err(ModelError::Section("#whitegoal", format!("lines of {white}, and Black's are of {black}")));
        }
        let grid = Grid::new(width, height, black)?;
        let (mut first, mut second) = (0, 0);
        for stone in &read.init {
            let wrong = || ModelError::Section("#init", format!("'{stone}' is no stone on the board"));
            let [column, row] = [&stone.x, &stone.y].map(|sum| sum.value((width, height), &BTreeMap::new()));
            let within = |place: Option<i64>, side: usize| {
                place.and_then(|place| usize::try_from(place).ok()).filter(|place| (1..=side).contains(place))
            };
            let column = within(column, width).ok_or_else(wrong)?;
            let row = within(row, height).ok_or_else(wrong)?;
            let cell = grid.cell(column - 1, height - row);
            match (stone.word.as_str(), stone.negated) {
                ("black", false) => first |= cell,
                ("white", false) => second |= cell,
                _ => return Err(wrong()),
            }
        }
        let impossible = || ModelError::Section("#init", "no game with Black to move comes to these stones".to_owned());
        let start = Connect::of_stones(grid, first, second).ok_or_else(impossible)?;
        Ok(Model { start, depth })
    }

    /// Whether a domain is the one of falling stones, for both sides.
    pub fn check_domain(text: &str) -> Result<(), ModelError> {
        let read = Description::read("", text)?;
        for (actions, colour) in [(&read.black_actions, "black"), (&read.white_actions, "white")] {
            // What is said twice is said once.
            let words = |literals: &[Literal]| literals.iter().map(Literal::to_string).collect::<BTreeSet<_>>();
            let actions = actions.as_deref().unwrap_or_default();
            let said: Vec<_> = actions.iter().map(|action| (words(&action.needs), words(&action.effects))).collect();
            let needs = [
                (&["open(?x,?y)", "NOT(open(?x,?y+1))"][..], "?y", "no action on top of a stone"),
                (&["open(?x,ymax)"][..], "ymax", "no action at the bottom"),
            ];
            for (needs, row, what) in needs {
                let needs = needs.iter().map(|word| (*word).to_owned()).collect::<BTreeSet<_>>();
                let found = said.iter().find(|(said, _)| *said == needs).ok_or(ModelError::Domain(what))?;
                if found.1 != BTreeSet::from([format!("{colour}(?x,{row})")]) {
                    return Err(ModelError::Domain("other actions than putting one stone"));
                }
            }
            if said.len() != 2 {
                return Err(ModelError::Domain("other actions than putting one stone"));
            }
        }
        Ok(())
    }
}

/// How far `?x+2` is from `?x`.
fn offset(sum: &Sum, variable: &str) -> Option<i64> {
    let [(false, Term::Variable(name)), rest @ ..] = &sum.0[..] else { return None };
    let rest = Sum(rest.to_vec());
    (name == variable).then(|| rest.value((0, 0), &BTreeMap::new())).flatten()
}

/// The length of the lines, if the goals are those of all four directions and no others.
fn line_length(name: &'static str, colour: &str, goals: Option<&Goals>) -> Result<usize, ModelError> {
    let wrong = || ModelError::Goals(name);
    let mut found = BTreeSet::new();
    for goal in goals.map_or(&[][..], |goals| &goals.lines) {
        let cells = goal.iter().map(|stone| {
            let own = stone.word == colour && !stone.negated;
            Some((offset(&stone.x, "x").filter(|_| own)?, offset(&stone.y, "y")?))
        });
        let mut cells: Vec<(i64, i64)> = cells.collect::<Option<_>>().ok_or_else(wrong)?;
        cells.sort_unstable();
        let &(column, row) = cells.first().ok_or_else(wrong)?;
        found.insert(cells.into_iter().map(|cell| (cell.0 - column, cell.1 - row)).collect::<Vec<_>>());
    }
    let length = found.iter().next().map_or(0, Vec::len);
    let line = |(dx, dy): (i64, i64)| (0..length as i64).map(|k| (k * dx, k * dy)).collect::<Vec<_>>();
    let lines: BTreeSet<Vec<(i64, i64)>> = [(1, 0), (0, 1), (1, 1), (1, -1)].map(line).into_iter().collect();
    if length >= 2 && found == lines { Ok(length) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::super::solver::Solver;
    use super::*;
    use crate::effort::Limits;

    fn model(width: usize, height: usize, depth: usize, length: i64, init: &str) -> String {
        let goals = |colour: &str| -> String {
            let line = |(dx, dy): (i64, i64)| {
                let cell = |k: i64| format!("{colour}(?x{:+},?y{:+}) ", k * dx, k * dy).replace("+0", "");
                (0..length).map(cell).collect::<String>() + "\n"
            };
            [(1, 0), (0, 1), (1, 1), (1, -1)].map(line).concat()
        };
        format!(
            "#boardsize\n{width} {height}\n#init\n{init}\n#depth\n{depth}\n#blackgoal\n{}#whitegoal\n{}",
            goals("black"),
            goals("white")
        )
    }

    /// Boards, depths and lengths of eleven of the twelve benchmarks of this game that come with Q-sage, and whether Black wins in
    /// time. The twelfth, four on 6x6 within 11 turns, takes longer.
    #[test]
    fn the_benchmarks_of_q_sage_have_these_answers() {
        let limits = Limits::none();
        for (side, depth, length, wins) in [
            (2, 3, 2, true),
            (3, 3, 2, true),
            (4, 3, 2, true),
            (5, 3, 2, true),
            (6, 3, 2, true),
            (3, 9, 3, false),
            (4, 9, 3, true),
            (5, 9, 3, true),
            (6, 9, 3, true),
            (4, 15, 4, false),
            (5, 11, 4, false),
        ] {
            let model = Model::parse(&model(side, side, depth, length, "")).unwrap();
            let value = Solver::new(model.start.grid(), 1 << 24, &limits).value(&model.start, &mut |_, _| {}).unwrap();
            let turn = super::super::board::turn_of_win(model.start.grid(), value).filter(|_| value > 0);
            assert_eq!(turn.is_some_and(|turn| turn <= model.depth), wins, "{side} {depth} {length}: {turn:?}");
        }
    }

    #[test]
    fn stones_of_the_start_stand_where_the_model_says() {
        let model = Model::parse(&model(4, 3, 5, 3, "black(2,3) white(2,2)")).unwrap();
        assert_eq!(model.start, Connect::after_moves(Grid::new(4, 3, 3).unwrap(), "bb").unwrap());
    }

    #[test]
    fn what_is_another_game_is_refused() {
        let good = model(4, 4, 9, 3, "");
        let complaint = |text: &str| Model::parse(text).unwrap_err().to_string();
        assert_eq!(complaint(&good.replace("4 4", "4")), "line 1: #boardsize needs two numbers, columns and rows");
        assert_eq!(complaint(&good.replace("4 4", "4 x")), "line 1: #boardsize needs two numbers, columns and rows");
        assert!(complaint(&good.replace("4 4", "40 40")).contains("too large"));
        assert!(complaint(&good.replace("black(?x+2,?y)", "black(?x+3,?y)")).starts_with("#blackgoal: the goals"));
        assert!(complaint(&good.replace("white(?x+2,?y)", "black(?x+2,?y)")).starts_with("#whitegoal: the goals"));
        for init in ["black(1,1)", "black(1,4)", "black(1,4) white(1,4)", "white(1,4)"] {
            assert!(complaint(&model(4, 4, 9, 3, init)).starts_with("#init: no game"), "{init}");
        }
        assert!(complaint(&model(4, 4, 9, 3, "black(5,4)")).contains("'black(5,4)' is no stone on the board"));
        assert!(Model::parse("").is_err());
    }

    #[test]
    fn domains_are_told_apart() {
        let actions = |colour: &str| {
            format!(
                "%action 1\n:action occupy\n:parameters (?x, ?y)\n:precondition (open(?x,?y) (NOT(open(?x,?y+1))))\n\
                 :effect ({colour}(?x,?y))\n%action 2\n:action bottom\n:parameters (?x, ?y)\n:precondition (open(?x,ymax))\n\
                 :effect ({colour}(?x,ymax))\n"
            )
        };
        let good = format!("#blackactions\n{}#whiteactions\n{}", actions("black"), actions("white"));
        assert_eq!(Model::check_domain(&good), Ok(()));
        let free = good.replace(" (NOT(open(?x,?y+1)))", "");
        assert_eq!(Model::check_domain(&free), Err(ModelError::Domain("no action on top of a stone")));
        let turned = good.replace(":effect (white(?x,?y))", ":effect (black(?x,?y))");
        assert!(Model::check_domain(&turned).is_err());
        assert!(Model::check_domain("").is_err());
    }
}
