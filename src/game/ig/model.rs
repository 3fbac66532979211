//! The positional game a domain and an instance make.
//!
//! They make one if each player puts one stone of their own on any empty cell, and the goals are sets of their own stones.
//! Everything else the language can say (stones that fall or move, two stones at a time, a goal that is the other's want
//! of moves) is refused, with the place that says so.

use super::error::IgError;
use super::language::{Action, Description, Goals, Literal};
use crate::game::{Game, Sets, placements};
use harary_certificate::{Board, Cell, MAX_CELLS, MAX_SIDE, Player, Rule, Schedule, Shape, Topology, WideSet};
use std::collections::{BTreeMap, BTreeSet};

/// More ways to fill in the variables of one line are refused.
const MOST_BINDINGS: usize = 1 << 21;
/// More winning sets of a player are refused.
const MOST_SETS: usize = 1 << 19;

/// A game, and the turn by which Black has to win it if that is not its last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Modelled {
    /// A shape on a board if the goals are the images of one shape on an empty board, otherwise a game of sets.
    pub game: Game,
    /// The depth of the model, for a shape on a board: a game of sets ends at its depth.
    pub within: Option<usize>,
}

/// The game of a domain and an instance, which may be one text.
pub fn game(domain: &Description, instance: &Description) -> Result<Modelled, IgError> {
    let of_instance = |error: IgError| error.named(&instance.file);
    let (width, height, line) =
        instance.board.ok_or_else(|| of_instance(IgError::whole("there is no section #boardsize")))?;
    if width.checked_mul(height).is_none_or(|cells| cells > MAX_CELLS) {
        let mistake = format!("a board of {width} by {height} cells is too large: a game has at most {MAX_CELLS}");
        return Err(of_instance(IgError::at(line, mistake)));
    }
    let grid = Grid { width, height };
    let playable = grid.playable(domain).map_err(|error| error.named(&domain.file))?;
    grid.game(&playable, instance).map_err(of_instance)
}

/// A column and a row, counted from 1.
type Place = (i64, i64);

struct Grid {
    width: usize,
    height: usize,
}

impl Grid {
    fn sides(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    fn has(&self, (x, y): Place) -> bool {
        (1..=self.width as i64).contains(&x) && (1..=self.height as i64).contains(&y)
    }

    /// `b3`, or `x27y3` where letters end.
    fn name(&self, (x, y): Place) -> String {
        match u8::try_from(x) {
            Ok(column @ 1..=26) if self.width <= 26 => format!("{}{y}", char::from(b'a' + column - 1)),
            _ => format!("x{x}y{y}"),
        }
    }

    /// The cells both players may play, if that is all their actions say.
    fn playable(&self, domain: &Description) -> Result<BTreeSet<Place>, IgError> {
        let mut both = Vec::new();
        for player in [Player::Black, Player::White] {
            let missing = || IgError::whole(format!("there is no section #{}actions", colour(player)));
            let mut cells = BTreeSet::new();
            for action in domain.actions(player).ok_or_else(missing)? {
                self.cells_of(action, colour(player), &mut cells)?;
            }
            both.push(cells);
        }
        if both[0].is_empty() {
            return Err(IgError::whole("no action puts a stone anywhere"));
        }
        if both[0] != both[1] {
            let odd = both[0].symmetric_difference(&both[1]).next().copied().unwrap_or((1, 1));
            let mistake = format!("not a positional game: only one player may play {}", self.name(odd));
            return Err(IgError::whole(mistake));
        }
        Ok(both.swap_remove(0))
    }

    /// Where an action puts its stone.
    fn cells_of(&self, action: &Action, own: &str, cells: &mut BTreeSet<Place>) -> Result<(), IgError> {
        let refuse = |why: String| {
            Err(IgError::at(action.line, format!("not a positional game: the action '{}' {why}", action.name)))
        };
        let [effect] = &action.effects[..] else {
            return refuse(format!("has {} effects, not one stone", action.effects.len()));
        };
        if effect.negated || effect.word != own {
            return refuse(format!("has the effect {effect}, not a stone of its player"));
        }
        let all: Vec<&Literal> = action.needs.iter().chain([effect]).collect();
        for name in all.iter().flat_map(|literal| literal.x.variables().chain(literal.y.variables())) {
            if !action.parameters.iter().any(|parameter| parameter == name) {
                return Err(IgError::at(
                    action.line,
                    format!("?{name} is no parameter of the action '{}'", action.name),
                ));
            }
        }
        let mut found = None;
        self.bindings(&all, action.line, &mut |variables| {
            let place_of = |literal: &Literal| self.place(literal, variables);
            let mut empty = false;
            for need in &action.needs {
                if let Some(holds) = self.comparison(need, variables) {
                    if !holds {
                        return;
                    }
                    continue;
                }
                // A condition off the board cannot be met: the language bounds its variables so.
                let (Some(at), Some(stone)) = (place_of(need), place_of(effect)) else { return };
                match (need.word.as_str(), need.negated) {
                    ("open", false) if at == stone => empty = true,
                    ("black" | "white", true) if at == stone => {}
                    ("open" | "black" | "white", _) => found = found.take().or(Some(need)),
                    _ => found = Some(need),
                }
            }
            match place_of(effect) {
                Some(stone) if empty => {
                    cells.insert(stone);
                }
                Some(_) => found = found.take().or(Some(effect)),
                None => {}
            }
        })?;
        match found {
            Some(need) if need == effect => refuse("does not ask for an empty cell".to_owned()),
            Some(need) => refuse(format!("asks for more than its own cell being empty: {need}")),
            None => Ok(()),
        }
    }

    fn place(&self, literal: &Literal, variables: &BTreeMap<&str, i64>) -> Option<Place> {
        let place = (literal.x.value(self.sides(), variables)?, literal.y.value(self.sides(), variables)?);
        self.has(place).then_some(place)
    }

    /// Whether `le(?x,xmax-1)` and the like hold; `None` for what is no comparison.
    fn comparison(&self, literal: &Literal, variables: &BTreeMap<&str, i64>) -> Option<bool> {
        let (one, other) = (literal.x.value(self.sides(), variables)?, literal.y.value(self.sides(), variables)?);
        let holds = match literal.word.as_str() {
            "le" => one <= other,
            "lt" => one < other,
            "ge" | "nlt" => one >= other,
            "gt" => one > other,
            "eq" => one == other,
            _ => return None,
        };
        Some(holds != literal.negated)
    }

    /// Every way to fill in the variables of some literals: columns for those before a comma, rows for those behind one.
    fn bindings(
        &self,
        literals: &[&Literal],
        line: usize,
        visit: &mut dyn FnMut(&BTreeMap<&str, i64>),
    ) -> Result<(), IgError> {
        let mut last: BTreeMap<&str, i64> = BTreeMap::new();
        for literal in literals {
            // In a comparison both sides are of one direction, and which one it is its variables know elsewhere.
            let places = matches!(literal.word.as_str(), "black" | "white" | "open");
            for (sum, side) in [(&literal.x, self.width), (&literal.y, self.height)] {
                for name in sum.variables() {
                    let side = if places { side } else { 1 };
                    let known = last.entry(name).or_insert(side as i64);
                    *known = (*known).max(side as i64);
                }
            }
        }
        let ways = last.values().try_fold(1usize, |ways, &side| ways.checked_mul(side as usize));
        if ways.is_none_or(|ways| ways > MOST_BINDINGS) {
            return Err(IgError::at(line, "there are too many ways to fill in the variables of this line"));
        }
        let mut now: BTreeMap<&str, i64> = last.keys().map(|name| (*name, 1)).collect();
        loop {
            visit(&now);
            let Some(name) = last.keys().find(|name| now[*name] < last[*name]) else { return Ok(()) };
            for (other, value) in &mut now {
                if other < name {
                    *value = 1;
                } else if other == name {
                    *value += 1;
                }
            }
        }
    }

    fn game(&self, playable: &BTreeSet<Place>, instance: &Description) -> Result<Modelled, IgError> {
        let (black_start, white_start) = self.stones(instance)?;
        // What can never be played is no vertex: no set with it is ever complete.
        let places: Vec<Place> = (1..=self.height as i64)
            .flat_map(|y| (1..=self.width as i64).map(move |x| (x, y)))
            .filter(|place| [playable, &black_start, &white_start].iter().any(|set| set.contains(place)))
            .collect();
        let vertices: BTreeMap<Place, Cell> =
            places.iter().enumerate().map(|(index, place)| (*place, Cell::new(index))).collect();
        if let Some(stone) = black_start.iter().find(|stone| white_start.contains(stone)) {
            return Err(IgError::whole(format!("#init puts two stones on {}", self.name(*stone))));
        }
        let black_goals = instance.black_goals.as_ref().filter(|goals| !goals.lines.is_empty());
        let Some(black_goals) = black_goals else {
            let line = instance.black_goals.as_ref().and_then(|goals| goals.breaker);
            let mistake = "not a positional game: Black has no stones to complete, he wins when White cannot move";
            return Err(IgError { line, ..IgError::whole(mistake) });
        };
        let black = self.sets(black_goals, "black", &vertices)?;
        let white = match &instance.white_goals {
            Some(goals) => self.sets(goals, "white", &vertices)?,
            None => Vec::new(),
        };
        let strong = instance.white_goals.as_ref().is_some_and(|goals| !goals.lines.is_empty());
        let rule = if strong { Rule::Strong } else { Rule::Weak };
        let empty = places.len() - black_start.len() - white_start.len();
        let schedule = self.schedule(instance, empty)?;
        let whole = black_start.is_empty() && white_start.is_empty() && places.len() == self.width * self.height;
        let alike = rule == Rule::Weak || white == black;
        if whole
            && alike
            && schedule.is_alternating()
            && let Some(game) = self.shape_on_board(&black, rule)
        {
            let turns = schedule.len();
            return Ok(Modelled { within: (turns < game.vertices()).then_some(turns), game });
        }
        let cells = |stones: &BTreeSet<Place>| stones.iter().map(|stone| vertices[stone]).collect();
        let sets = Sets {
            names: places.iter().map(|place| self.name(*place)).collect(),
            black,
            white,
            rule,
            schedule,
            black_start: cells(&black_start),
            white_start: cells(&white_start),
            first: None,
        };
        let game = Game::of_sets(sets).map_err(|error| IgError::whole(error.to_string()))?;
        Ok(Modelled { game, within: None })
    }

    /// The stones of the start, Black's and White's.
    fn stones(&self, instance: &Description) -> Result<(BTreeSet<Place>, BTreeSet<Place>), IgError> {
        let (mut black, mut white) = (BTreeSet::new(), BTreeSet::new());
        for literal in &instance.init {
            let place = self.place(literal, &BTreeMap::new());
            let stones = match (literal.word.as_str(), literal.negated) {
                ("black", false) => &mut black,
                ("white", false) => &mut white,
                _ => return Err(IgError::at(literal.line, format!("'{literal}' in #init is no stone"))),
            };
            let Some(place) = place else {
                return Err(IgError::at(literal.line, format!("'{literal}' in #init lies on no cell of the board")));
            };
            stones.insert(place);
        }
        Ok((black, white))
    }

    /// The winning sets of a player.
    fn sets(&self, goals: &Goals, own: &str, vertices: &BTreeMap<Place, Cell>) -> Result<Vec<WideSet>, IgError> {
        let mut sets = BTreeSet::new();
        for goal in &goals.lines {
            let line = goal.first().map_or(0, |literal| literal.line);
            let is_stone = |literal: &&Literal| matches!(literal.word.as_str(), "black" | "white" | "open");
            for literal in goal {
                let comparison = ["le", "lt", "ge", "nlt", "gt", "eq"].contains(&literal.word.as_str());
                if !(comparison || literal.word == own && !literal.negated) {
                    let mistake =
                        format!("not a positional game: the goal asks for {literal}, not only for {own} stones");
                    return Err(IgError::at(literal.line, mistake));
                }
            }
            if !goal.iter().any(|literal| is_stone(&literal)) {
                return Err(IgError::at(line, "a goal without a stone"));
            }
            let mut many = false;
            self.bindings(&goal.iter().collect::<Vec<_>>(), line, &mut |variables| {
                if goal.iter().any(|literal| self.comparison(literal, variables) == Some(false)) {
                    return;
                }
                let cell = |literal: &Literal| vertices.get(&self.place(literal, variables)?).copied();
                if let Some(set) = goal.iter().filter(is_stone).map(cell).collect::<Option<WideSet>>() {
                    many |= sets.len() == MOST_SETS && !sets.contains(&set);
                    if !many {
                        sets.insert(set);
                    }
                }
            })?;
            if many {
                return Err(IgError::at(line, format!("more than {MOST_SETS} winning sets")));
            }
        }
        Ok(sets.into_iter().collect())
    }

    /// Who plays when.
    fn schedule(&self, instance: &Description, empty: usize) -> Result<Schedule, IgError> {
        let (depth, line) = instance.depth.ok_or_else(|| IgError::whole("there is no section #depth"))?;
        // The depth counts the turn that a second Black leaves out.
        let (turns, first) = match instance.black_second {
            true => (depth.saturating_sub(1), Player::White),
            false => (depth, Player::Black),
        };
        let player = |turn: usize| if turn.is_multiple_of(2) { first } else { first.other() };
        if turns > empty && player(empty) == Player::White {
            let mistake = format!(
                "a depth of {depth} is more than the {empty} empty cells: White would be left without a move, which these \
                 models count as a win of Black's and a positional game does not"
            );
            return Err(IgError::at(line, mistake));
        }
        Ok(Schedule::of((0..turns.min(empty)).map(player).collect()))
    }

    /// The game of a shape, if the sets are its images.
    fn shape_on_board(&self, sets: &[WideSet], rule: Rule) -> Option<Game> {
        if self.width.max(self.height) > MAX_SIDE {
            return None;
        }
        let board = Board::new(self.width, self.height, Topology::Plain).ok()?;
        let xy = |cell| board.xy(cell);
        let cells: Vec<(i32, i32)> = sets.first()?.iter().map(xy).map(|(x, y)| (x as i32, y as i32)).collect();
        let shape = Shape::new(&cells).ok()?;
        (placements(&shape, &board) == sets).then(|| Game::new(shape, board, rule))
    }
}

fn colour(player: Player) -> &'static str {
    match player {
        Player::Black => "black",
        Player::White => "white",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOMAIN: &str = "#blackactions\n:action occupy\n:parameters (?x, ?y)\n:precondition (open(?x,?y))\n:effect (black(?x,?y))\n\
        #whiteactions\n:action occupy\n:parameters (?x, ?y)\n:precondition (open(?x,?y))\n:effect (white(?x,?y))\n";
    const EL: &str = "#boardsize\n3 3\n#init\n#depth\n5\n#blackgoal\nblack(?x,?y) black(?x,?y-1) black(?x+1,?y-1)\n\
        black(?x,?y) black(?x,?y-1) black(?x-1,?y-1)\nblack(?x,?y) black(?x,?y-1) black(?x+1,?y)\n\
        black(?x,?y) black(?x,?y-1) black(?x-1,?y)\n";

    fn made(domain: &str, instance: &str) -> Result<Modelled, String> {
        let read = |name: &str, text: &str| Description::read(name, text).map_err(|error| error.to_string());
        game(&read("domain.ig", domain)?, &read("game.ig", instance)?).map_err(|error| error.to_string())
    }

    #[test]
    fn the_images_of_a_shape_are_a_shape_on_a_board() {
        let white = EL.split_once("#blackgoal\n").unwrap().1.replace("black", "white");
        let board = Board::parse("3x3", Topology::Plain).unwrap();
        for (text, rule) in [(EL.to_owned(), Rule::Weak), (format!("{EL}#whitegoal\n{white}"), Rule::Strong)] {
            let found = made(DOMAIN, &text).unwrap();
            assert_eq!(found.within, Some(5));
            assert_eq!(found.game, Game::new(Shape::from_cells("0,0 0,1 1,0").unwrap(), board, rule));
            assert_eq!(made(DOMAIN, &text.replace("#depth\n5", "#depth\n9")).unwrap().within, None);
            // Three of the four orientations are another game.
            let part = made(DOMAIN, &text.replacen("black(?x,?y) black(?x,?y-1) black(?x-1,?y)\n", "", 1)).unwrap();
            assert!(part.game.shape_on_board().is_none());
            assert_eq!((part.game.schedule().len(), part.game.black_sets().len()), (5, 12));
        }
    }

    #[test]
    fn puzzles_of_explicit_cells_are_games_of_sets() {
        let text = "#boardsize\n5 1\n#init\n#depth\n5\n#blackgoal\nblack(1,1) black(2,1)\nblack(1,1) black(3,1) black(4,1)\n\
            black(2,1) black(3,1) black(5,1)\nblack(3,1) black(4,1) black(5,1)\n#whitegoal\n";
        let found = made(DOMAIN, text).unwrap().game;
        assert_eq!((found.vertices(), found.black_sets().len(), found.rule()), (5, 4, Rule::Weak));
        assert_eq!(found.vertex_name(Cell::new(4)), "e1");
        let wide = text.replace("5 1", "300 1");
        assert_eq!(made(DOMAIN, &wide).unwrap().game.vertex_name(Cell::new(299)), "x300y1");
    }

    #[test]
    fn stones_turns_and_constants() {
        let text = "#boardsize\n3 2\n#init\nblack(1,1) white(xmax,ymax)\n#depth\n4\n#blackturn\nsecond\n#blackgoal\n\
            black(xmin,?y) black(xmin+1,?y)\nblack(?x,ymax) black(?x+1,ymax) le(?x,xmax-2)\n#whitegoal\nwhite(?x,ymin) white(?x,ymax)\n";
        let game = made(DOMAIN, text).unwrap().game;
        assert_eq!(game.schedule().letters(), "WBW");
        assert_eq!(game.black_sets().len(), 2);
        assert_eq!(game.white_sets().len(), 3);
        assert_eq!((game.vertex("a1"), game.vertex("c2")), (game.black_start().first(), game.white_start().first()));
    }

    #[test]
    fn cells_nobody_may_play_are_no_vertices() {
        let bounded =
            DOMAIN.replace(":precondition (open(?x,?y))", ":indexbounds (ge(?x,xmin+1))\n:precondition (open(?x,?y))");
        let game = made(&bounded, EL).unwrap().game;
        assert_eq!((game.vertices(), game.vertex("a1"), game.black_sets().len()), (6, None, 8));
        let mut halves = bounded.splitn(2, ":indexbounds (ge(?x,xmin+1))\n");
        let one = format!("{}{}", halves.next().unwrap(), halves.next().unwrap());
        assert_eq!(made(&one, EL).unwrap_err(), "domain.ig: not a positional game: only one player may play a1");
    }

    #[test]
    fn other_games_are_refused_with_the_reason() {
        let falling = DOMAIN.replace("(open(?x,?y))", "(open(?x,?y) (NOT(open(?x,?y+1))))");
        let domineering = DOMAIN.replace("(black(?x,?y))", "(black(?x,?y) black(?x,?y+1))");
        let moving = DOMAIN.replace("(open(?x,?y))", "(black(?x,?y))");
        let replaced = DOMAIN.replace(":precondition (open(?x,?y))\n", "");
        for (domain, instance, expected) in [
            (
                &*falling,
                EL,
                "domain.ig, line 2: not a positional game: the action 'occupy' asks for more than its own cell being empty: NOT(open(?x,?y+1))",
            ),
            (
                &domineering,
                EL,
                "domain.ig, line 2: not a positional game: the action 'occupy' has 2 effects, not one stone",
            ),
            (
                &moving,
                EL,
                "domain.ig, line 2: not a positional game: the action 'occupy' asks for more than its own cell being empty: black(?x,?y)",
            ),
            (
                &replaced,
                EL,
                "domain.ig, line 2: not a positional game: the action 'occupy' does not ask for an empty cell",
            ),
            ("", EL, "domain.ig: there is no section #blackactions"),
            (DOMAIN, "#depth\n3", "game.ig: there is no section #boardsize"),
            (DOMAIN, &EL.replace("3 3", "70 70"), "game.ig, line 1: a board of 70 by 70 cells is too large"),
            (DOMAIN, &EL.replace("3 3", "4294967295 4294967295"), "game.ig, line 1: a board of"),
            (
                DOMAIN,
                &EL.replace("#depth\n5", "#depth\n11"),
                "game.ig, line 4: a depth of 11 is more than the 9 empty cells",
            ),
            (
                DOMAIN,
                &EL.replace("#init\n", "#init\nblack(4,1)"),
                "game.ig, line 4: 'black(4,1)' in #init lies on no cell",
            ),
            (DOMAIN, &EL.replace("#init\n", "#init\nblack(1,1) white(1,1)"), "game.ig: #init puts two stones on a1"),
            (
                DOMAIN,
                &EL.replace("black(?x-1,?y)", "white(?x-1,?y)"),
                "game.ig, line 10: not a positional game: the goal asks for white",
            ),
            (
                DOMAIN,
                &EL.replace("black(?x-1,?y)", "NOT(black(?x-1,?y))"),
                "game.ig, line 10: not a positional game: the goal asks for NOT",
            ),
            (
                DOMAIN,
                "#boardsize\n3 3\n#depth\n3\n#blackgoal\nFalse\n",
                "game.ig, line 6: not a positional game: Black has no stones",
            ),
            (DOMAIN, "#boardsize\n3 3\n#blackgoal\nblack(1,1)\n", "game.ig: there is no section #depth"),
            (
                DOMAIN,
                "#boardsize\n30 30\n#depth\n3\n#blackgoal\nblack(?a,?b) black(?c,?d) black(?e,?f)",
                "game.ig, line 6: there are too many ways",
            ),
        ] {
            let found = made(domain, instance).unwrap_err();
            assert!(found.starts_with(expected), "{found}");
        }
    }
}
