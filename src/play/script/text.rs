//! The text of a strategy.

use crate::game::Game;
use crate::game::line::{Line, vertex};
use harary_certificate::{Cell, Player, Stones, WIDE, WideSet};
use thiserror::Error;

/// Longer texts are refused: nobody wrote them.
pub const LONGEST_TEXT: u64 = 1 << 20;

/// What is wrong with a text, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {mistake}")]
pub struct ScriptError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong there.
    pub mistake: String,
}

/// One way to answer. Of several the first that can be played is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rule {
    /// `b2`; `any of b2 c3`: whichever works.
    Cells(Vec<Cell>),
    /// `last(1,0)`: seen from the other side's last stone.
    Last(i32, i32),
    /// `own(0,-1)`: seen from one's own last stone.
    Own(i32, i32),
    /// `opposite`, `across |` and so on: the image of the other side's last stone.
    Image(Image),
    /// `pair a1-b2 c3-c4`: the other cell of the pair.
    Pairs(Vec<(Cell, Cell)>),
    /// `block`: where the other side would complete a set.
    Block,
}

/// How a stone is answered by its image on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Image {
    /// `opposite`: half a turn about the middle.
    Opposite,
    /// `across |`: left and right exchanged.
    LeftRight,
    /// `across -`: top and bottom exchanged.
    UpDown,
    /// `across /`: over the diagonal from a1, of a square board.
    Rising,
    /// `across \`: over the other diagonal, of a square board.
    Falling,
}

/// What the text says of a position, or of every position with one more stone of the other side's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spoken {
    /// Where it says so.
    pub number: usize,
    /// The position.
    pub stones: Stones<WIDE>,
    /// `else`: one more stone of the other side's, anywhere.
    pub open: bool,
    /// The answers.
    pub rules: Vec<Rule>,
}

/// A strategy as it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Script {
    /// Whose it is: Black's to win, White's to hold.
    pub side: Player,
    /// The turn it speaks of, if not the last.
    pub by: Option<usize>,
    /// `symmetric`: what is said of a position is said of its images.
    pub symmetric: bool,
    /// Lines that speak of positions; the first that fits counts.
    pub lines: Vec<Spoken>,
    /// `always`: before all lines. With the number of the line.
    pub always: Option<(usize, Vec<Rule>)>,
    /// `else`: after all lines.
    pub otherwise: Option<(usize, Vec<Rule>)>,
}

impl Script {
    /// Reads a text about a game.
    pub fn read(text: &str, game: &Game) -> Result<Script, ScriptError> {
        let (side, by) = (Player::Black, None);
        let mut script = Script { side, by, symmetric: false, lines: Vec::new(), always: None, otherwise: None };
        let mut begun = false;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (index, line) in text.lines().enumerate() {
            let line = line.split('%').next().unwrap_or_default().trim();
            let located = |mistake| ScriptError { line: index + 1, mistake };
            if !line.is_empty() {
                script.line(index + 1, line, game, &mut begun).map_err(located)?;
            }
        }
        if !begun {
            let line = text.lines().count().max(1);
            return Err(ScriptError { line, mistake: "the text says nothing".to_owned() });
        }
        Ok(script)
    }

    fn line(&mut self, number: usize, line: &str, game: &Game, begun: &mut bool) -> Result<(), String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["for", side] => {
                if *begun {
                    return Err("'for black' and 'for white' stand before everything else".to_owned());
                }
                self.side = match side {
                    "black" => Player::Black,
                    "white" => Player::White,
                    _ => return Err(format!("a strategy is for black or for white, not '{}'", shortened(side))),
                };
                return Ok(());
            }
            ["by", "turn", turn] => {
                let turn = turn.parse().ok().filter(|turn| (1..=game.schedule().len()).contains(turn));
                self.by = Some(turn.ok_or_else(|| format!("turns are 1 to {}", game.schedule().len()))?);
                return Ok(());
            }
            ["symmetric"] => {
                self.symmetric = true;
                return Ok(());
            }
            _ => {}
        }
        *begun = true;
        let Some((head, answers)) = line.split_once(':') else {
            return self.line_of_play(number, &words, game);
        };
        let rules = answers.split(';').map(|answer| rule(answer.trim(), game)).collect::<Result<Vec<_>, _>>()?;
        let heads: Vec<&str> = head.split_whitespace().collect();
        let rules_of = |kept: &mut Option<(usize, Vec<Rule>)>| match kept {
            Some((first, _)) => Err(format!("said once already, at line {first}")),
            None => {
                *kept = Some((number, rules.clone()));
                Ok(())
            }
        };
        match heads[..] {
            ["always"] => return rules_of(&mut self.always),
            ["else"] => return rules_of(&mut self.otherwise),
            _ => {}
        }
        let (moves, open) = match heads[..] {
            ["start"] => (&heads[..0], false),
            ["start", "else"] => (&heads[..0], true),
            [ref moves @ .., "else"] => (moves, true),
            _ => (&heads[..], false),
        };
        let stones = self.after(moves, open, game)?;
        self.lines.push(Spoken { number, stones, open, rules });
        Ok(())
    }

    /// `b2 a1 b1`: every move of one's own is the answer in the position before it.
    fn line_of_play(&mut self, number: usize, words: &[&str], game: &Game) -> Result<(), String> {
        let mut said = 0;
        for (played, word) in words.iter().enumerate() {
            let cell = vertex(game, word).map_err(|error| error.to_string())?;
            // The whole line has to be playable.
            self.played(&words[..=played], game)?;
            if game.schedule().player_after(played) == Some(self.side) {
                let stones = self.after(&words[..played], false, game)?;
                self.lines.push(Spoken { number, stones, open: false, rules: vec![Rule::Cells(vec![cell])] });
                said += 1;
            }
        }
        if said == 0 { Err(format!("no move of {} in this line of play", self.side)) } else { Ok(()) }
    }

    /// The game after some moves, which must be legal.
    fn played(&self, moves: &[&str], game: &Game) -> Result<Line, String> {
        let mut line = Line::start(game);
        for name in moves {
            let cell = vertex(game, name).map_err(|error| error.to_string())?;
            line.play(game, cell).map_err(|error| error.to_string())?;
        }
        Ok(line)
    }

    /// The position after some moves: one with this side to move, or the other one if a stone is left open.
    fn after(&self, moves: &[&str], open: bool, game: &Game) -> Result<Stones<WIDE>, String> {
        let line = self.played(moves, game)?;
        if line.won.is_some() {
            return Err("the game is over after these moves".to_owned());
        }
        let player = game.schedule().player_after(moves.len() + usize::from(open));
        let other = open && game.schedule().player_after(moves.len()) != Some(self.side.other());
        if player != Some(self.side) || other {
            return Err(format!("{} is not to move there", self.side));
        }
        Ok(Stones::new(line.black, line.white))
    }

    /// Whether an answer looks at the moves that led to the position.
    pub fn remembers(&self) -> bool {
        let all = self.lines.iter().flat_map(|line| &line.rules);
        let rules = all.chain(self.always.iter().chain(&self.otherwise).flat_map(|(_, rules)| rules));
        rules.into_iter().any(|rule| matches!(rule, Rule::Last(..) | Rule::Own(..) | Rule::Image(_) | Rule::Pairs(_)))
    }
}

/// Reads one answer.
fn rule(text: &str, game: &Game) -> Result<Rule, String> {
    let cell = |name: &str| vertex(game, name).map_err(|error| error.to_string());
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        [] => Err("an answer is missing".to_owned()),
        ["block"] => Ok(Rule::Block),
        ["any", "of", ref names @ ..] if !names.is_empty() => {
            Ok(Rule::Cells(names.iter().map(|name| cell(name)).collect::<Result<_, _>>()?))
        }
        ["pair" | "pairs", ref names @ ..] if !names.is_empty() => {
            let mut seen = WideSet::EMPTY;
            let mut pair = |name: &&str| {
                let (a, b) = name
                    .split_once('-')
                    .ok_or_else(|| format!("'{}' is no pair; pairs are written a1-b2", shortened(name)))?;
                let (a, b) = (cell(a)?, cell(b)?);
                for cell in [a, b] {
                    if seen.contains(cell) {
                        return Err(format!("{} is in two pairs", game.vertex_name(cell)));
                    }
                    seen.insert(cell);
                }
                Ok((a, b))
            };
            Ok(Rule::Pairs(names.iter().map(&mut pair).collect::<Result<_, String>>()?))
        }
        ["opposite"] => image(Image::Opposite, game),
        ["across", "|"] => image(Image::LeftRight, game),
        ["across", "-"] => image(Image::UpDown, game),
        ["across", "/"] => image(Image::Rising, game),
        ["across", "\\"] => image(Image::Falling, game),
        [name] if name.starts_with("last(") || name.starts_with("own(") => {
            let wrong = || format!("'{}': steps are written last(1,-2)", shortened(name));
            let (of, steps) = name.split_once('(').ok_or_else(wrong)?;
            let (x, y) = steps.strip_suffix(')').and_then(|steps| steps.split_once(',')).ok_or_else(wrong)?;
            let step = |text: &str| text.parse().ok().filter(|step: &i32| step.abs() < 100).ok_or_else(wrong);
            if game.shape_on_board().is_none() {
                return Err("steps need a shape on a board".to_owned());
            }
            let (x, y) = (step(x)?, step(y)?);
            Ok(if of == "last" { Rule::Last(x, y) } else { Rule::Own(x, y) })
        }
        [name] => Ok(Rule::Cells(vec![cell(name)?])),
        _ => Err(format!(
            "'{}' is no answer; answers are a cell, 'any of …', 'pair …', 'last(1,0)', 'own(1,0)', 'opposite', \
            'across |' and 'block', with ; between several",
            shortened(text)
        )),
    }
}

fn image(image: Image, game: &Game) -> Result<Rule, String> {
    let Some((_, board)) = game.shape_on_board() else { return Err("images need a shape on a board".to_owned()) };
    if matches!(image, Image::Rising | Image::Falling) && !board.is_square() {
        return Err("diagonals are for square boards".to_owned());
    }
    Ok(Rule::Image(image))
}

fn shortened(text: &str) -> String {
    text.chars().take(30).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use harary_certificate::{Board, Rule as GameRule, Shape, Topology};

    fn el() -> Game {
        Game::new(Shape::from_rows("X./XX").unwrap(), Board::parse("3x3", Topology::Plain).unwrap(), GameRule::Strong)
    }

    #[test]
    fn what_is_said_is_read() {
        let text = "% the el\nfor black\nby turn 5\nsymmetric\nstart: b2\nb2 a1: any of b1 a2\nb2 else: last(0,1); own(1,0); block\nalways: block\n\
            b2 c3 b1\n";
        let script = Script::read(text, &el()).unwrap();
        assert_eq!((script.side, script.by, script.symmetric), (Player::Black, Some(5), true));
        let numbers: Vec<(usize, bool, usize)> =
            script.lines.iter().map(|line| (line.number, line.open, line.rules.len())).collect();
        assert_eq!(numbers, [(5, false, 1), (6, false, 1), (7, true, 3), (9, false, 1), (9, false, 1)]);
        assert_eq!(script.always, Some((8, vec![Rule::Block])));
        let pairs = Script::read("for white\nelse: pair a1-a2 b1-b2", &el()).unwrap();
        assert!(pairs.remembers() && pairs.lines.is_empty());
    }

    #[test]
    fn mistakes_name_their_line() {
        for (text, expected) in [
            ("", "line 1: the text says nothing"),
            ("\nfor red", "line 2: a strategy is for black or for white, not 'red'"),
            ("start: b2\nfor white", "line 2: 'for black' and 'for white' stand before everything else"),
            ("by turn 99", "line 1: turns are 1 to 9"),
            ("start: z9", "line 1: "),
            ("b2: a1", "line 1: Black is not to move there"),
            ("b2 b2: a1", "line 1: "),
            ("b2 a1 else: a2", "line 1: Black is not to move there"),
            ("b2 else: pair a1", "line 1: 'a1' is no pair"),
            ("else: pair a1-b1 b1-c1", "line 1: b1 is in two pairs"),
            ("else: go there", "line 1: 'go there' is no answer"),
            ("else: last(1)", "line 1: 'last(1)': steps are written"),
            ("else: block\nelse: block", "line 2: said once already, at line 1"),
            ("start: ", "line 1: an answer is missing"),
            ("b2 a1 b1 c1 a2 a3: c2", "line 1: "),
            ("for white\nb2", "line 2: no move of White in this line of play"),
        ] {
            let found = Script::read(text, &el()).unwrap_err().to_string();
            assert!(found.starts_with(expected), "{text:?}: {found}");
        }
    }
}
