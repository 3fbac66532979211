//! The arguments that describe a game, shared by the subcommands that take one.

use super::ending::{OrUsage, UsageError};
use super::words::counted;
use super::{files, models};
use crate::game::Game;
use crate::game::catalogue::{Catalogue, Entry};
use crate::settle::EngineChoice;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use harary_certificate::{Board, BoardError, MAX_SIDE, Rule, Shape, Topology};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The two rules, as words of the command line.
pub fn rules() -> impl TypedValueParser<Value = Rule> {
    let words = [
        PossibleValue::new("strong").help("Maker-Maker: whoever completes a winning set first wins"),
        PossibleValue::new("weak").help("Maker-Breaker: Black wins by completing a set, White by preventing it"),
    ];
    PossibleValuesParser::new(words).map(|word| if word == "weak" { Rule::Weak } else { Rule::Strong })
}

/// The engines, as words of the command line.
pub fn engines() -> impl TypedValueParser<Value = EngineChoice> {
    let words = EngineChoice::ALL.map(|engine| PossibleValue::new(engine.name()).help(engine.purpose()));
    let named = |word: String| EngineChoice::ALL.into_iter().find(|engine| engine.name() == word);
    PossibleValuesParser::new(words).map(move |word| named(word).unwrap_or(EngineChoice::Auto))
}

/// How a shape may be written, for the long help of every subcommand that takes one.
pub const SHAPE_HELP: &str = "The shape: a name (skinny, L5), cells \"0,0 1,0 2,0\", rows XX./.XX, or a file of shapes \
    (@FILE, or a path with a / or ending in .txt; @FILE#NAME if it holds several). A file holds a picture (rows of X and ., \
    the top row first), or several with a line 'name: WORD' above each and an empty line between";

/// A longer file holds something else than shapes.
const LONGEST_FILE: u64 = 1 << 20;

/// A game: a shape on a board and how it is played.
#[derive(Args, Clone, Debug)]
pub struct GameArguments {
    #[arg(help = SHAPE_HELP, required_unless_present_any = ["pg", "ig"])]
    shape: Option<String>,
    /// The board, WxH, from 1x1 to 19x19
    #[arg(required_unless_present_any = ["pg", "ig"])]
    board: Option<String>,
    /// Glue the edges of the board
    #[arg(long)]
    torus: bool,
    /// `strong`: whoever completes the shape first wins; `weak`: White only prevents
    #[arg(long, value_parser = rules(), default_value = "strong")]
    rule: Rule,
    /// Black starts with this many extra stones
    #[arg(long, value_name = "H", conflicts_with = "stones")]
    handicap: Option<usize>,
    /// GTTT(p,q): P stones a turn, Q at the very first
    #[arg(long, value_name = "P,Q", value_parser = parse_stones)]
    stones: Option<(usize, usize)>,
    /// Read the game from a .pg file instead (- is standard input)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["shape", "board", "torus", "rule", "handicap", "stones"])]
    pg: Option<PathBuf>,
    /// Read a positional game of Q-sage's language instead: the instance, and its domain if that does not lie beside it
    #[arg(long, value_name = "FILE", num_args = 1..=2, conflicts_with_all = ["shape", "board", "torus", "rule", "handicap", "stones", "pg"])]
    ig: Vec<PathBuf>,
}

/// A line of play, in the one spelling there is.
#[derive(Args, Clone, Debug)]
pub struct AfterArguments {
    /// The moves played so far, in order, as "d4 c3"; the game says whose each is
    #[arg(long, value_name = "CELLS", default_value = "", hide_default_value = true, aliases = ["position", "from"])]
    pub after: String,
}

/// A shape on a board and nothing special about the game.
#[derive(Args, Clone, Debug)]
pub struct BoardArguments {
    #[arg(help = SHAPE_HELP)]
    shape: String,
    /// The board, WxH
    board: String,
    /// Glue the edges of the board
    #[arg(long)]
    torus: bool,
    /// `strong`: whoever completes the shape first wins; `weak`: White only prevents
    #[arg(long, value_parser = rules(), default_value = "strong")]
    rule: Rule,
}

/// A shape with its name on a board, and the rule.
#[derive(Clone, Debug)]
pub struct Placed {
    /// The catalogue's name of the shape, or its cells.
    pub name: String,
    /// What is to be completed.
    pub shape: Shape,
    /// Where.
    pub board: Board,
    /// Under which rule.
    pub rule: Rule,
}

impl BoardArguments {
    /// What these arguments describe.
    pub fn placed(&self) -> anyhow::Result<Placed> {
        let NamedShape { name, shape } = parse_shape(&self.shape)?;
        Ok(Placed { name, shape, board: parse_board(&self.board, self.torus)?, rule: self.rule })
    }
}

/// A game and what to call it.
#[derive(Clone, Debug)]
pub struct NamedGame {
    /// The catalogue's name of the shape, or its cells if it has none; the name of a `.pg` file without its folder.
    pub name: String,
    /// The game.
    pub game: Game,
    /// The turn by which Black has to win it, if the file says so and the game goes on.
    pub within: Option<usize>,
}

impl GameArguments {
    /// The files the game is read from.
    pub fn files(&self) -> Vec<&Path> {
        let shape = self.shape.iter().map(|text| text.trim().trim_start_matches('@'));
        let shape = shape.filter_map(|text| text.split('#').next()).map(Path::new).filter(|path| path.is_file());
        self.pg.iter().chain(&self.ig).map(PathBuf::as_path).chain(shape).collect()
    }

    /// The shape, if there is neither a board nor a file.
    pub fn shape_alone(&self) -> anyhow::Result<Option<NamedShape>> {
        match (&self.shape, &self.board, self.pg.iter().chain(&self.ig).next()) {
            (Some(shape), None, None) => parse_shape(shape).map(Some),
            _ => Ok(None),
        }
    }

    /// The game these arguments describe.
    pub fn game(&self) -> anyhow::Result<NamedGame> {
        if !self.ig.is_empty() {
            return models::read(&self.ig);
        }
        let (shape, board) = match (&self.pg, &self.shape, &self.board) {
            (Some(path), _, _) => return game_from_file(path),
            (None, Some(shape), Some(board)) => (shape, board),
            (None, _, _) => {
                return Err(UsageError("a game needs a shape and a board, or --pg FILE, or --ig FILE".into()).into());
            }
        };
        let NamedShape { name, shape } = parse_shape(shape)?;
        let board = parse_board(board, self.torus)?;
        let game = with_order(Game::new(shape, board, self.rule), self.handicap, self.stones)?;
        Ok(NamedGame { name, game, within: None })
    }
}

/// The same game with another order of turns.
pub fn with_order(mut game: Game, handicap: Option<usize>, stones: Option<(usize, usize)>) -> anyhow::Result<Game> {
    // With his own first stone he has one more than the handicap.
    if let Some(handicap) = handicap {
        if handicap >= game.vertices() {
            let (most, cells) = (game.vertices() - 1, counted(game.vertices(), "cell"));
            return Err(UsageError(format!("--handicap {handicap}: at most {most} on a board of {cells}")).into());
        }
        game = game.with_handicap(handicap);
    }
    if let Some((p, q)) = stones {
        if p.max(q) > game.vertices() {
            let cells = counted(game.vertices(), "cell");
            return Err(UsageError(format!("--stones {p},{q}: more than the {cells} of the board")).into());
        }
        game = game.with_stones(p, q).usage()?;
    }
    Ok(game)
}

/// Reads a `.pg` file, or what is a model of Q-sage's by its content; `-` is standard input.
pub fn game_from_file(path: &Path) -> anyhow::Result<NamedGame> {
    models::any_game(path)
}

/// Reads `7x7`, or `7×7` as our own pages print it.
pub fn parse_board(text: &str, torus: bool) -> anyhow::Result<Board> {
    let topology = if torus { Topology::Torus } else { Topology::Plain };
    Board::parse(&text.replace('×', "x"), topology).map_err(|error| {
        let message = match error {
            // As it was typed: the number may be too large for any type.
            BoardError::Size(..) => format!("a board is 1x1 to {MAX_SIDE}x{MAX_SIDE}, not {text}"),
            BoardError::NotABoard(_) => BoardError::NotABoard(text.to_owned()).to_string(),
            other => other.to_string(),
        };
        UsageError(message).into()
    })
}

/// Reads `90s`, `10m`, `2h`.
pub fn parse_time(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|_| format!("'{text}' is not a time; times are written 90s, 10m or 2h"))
}

/// Reads the number of a turn.
pub fn parse_turn(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(turn @ 1..) => Ok(turn),
        _ => Err(format!("'{text}' is no turn; turns are counted from 1")),
    }
}

/// Reads `2,1`.
pub fn parse_stones(text: &str) -> Result<(usize, usize), String> {
    let wrong = || "stones are written P,Q, for example 2,1".to_owned();
    let (p, q) = text.split_once(',').ok_or_else(wrong)?;
    let number = |digits: &str| digits.trim().parse().map_err(|_| wrong());
    Ok((number(p)?, number(q)?))
}

/// A shape and what to call it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedShape {
    /// The catalogue's name, that of its file, or the cells.
    pub name: String,
    /// The shape.
    pub shape: Shape,
}

/// Reads a shape in any of the ways of [`SHAPE_HELP`].
pub fn parse_shape(text: &str) -> anyhow::Result<NamedShape> {
    let catalogue = Catalogue::standard();
    // Only a picture may start with a blank that counts.
    let picture = text;
    let text = text.trim();
    if let Some(path) = text.strip_prefix('@') {
        return shape_from_file(path);
    }
    if let Some(entry) = catalogue.find(text) {
        return Ok(NamedShape { name: entry.name.clone(), shape: entry.shape.clone() });
    }
    if text.ends_with(".txt") || (text.contains('/') && Path::new(text).is_file()) {
        return shape_from_file(text);
    }
    let shape = if text.contains(',') {
        Shape::from_cells(text).usage()?
    } else if text.chars().all(|mark| "Xx#*.-_/ \n".contains(mark)) {
        Shape::from_rows(picture).usage()?
    } else if text.contains('/') {
        return shape_from_file(text);
    } else {
        let advice = match catalogue.nearest(text) {
            Some(name) => format!("did you mean {name}?"),
            None => "'harary shapes' lists them".to_owned(),
        };
        return Err(UsageError(format!("no shape '{text}'; {advice}")).into());
    };
    let name = catalogue.find_shape(&shape).map_or_else(|| shape.to_string(), |entry| entry.name.clone());
    Ok(NamedShape { name, shape })
}

/// The shapes of a file.
pub fn shapes_of_file(path: &str) -> anyhow::Result<Vec<Shape>> {
    Ok(named_in_file(path)?.into_iter().map(|(_, shape)| shape).collect())
}

/// The shapes of a file, each with the names it has there.
fn named_in_file(path: &str) -> anyhow::Result<Vec<(Vec<String>, Shape)>> {
    let content = files::read_text(Path::new(path), LONGEST_FILE, "a file of shapes")?;
    if let Some(shape) = bare_picture(&content) {
        let shape = shape.map_err(|mistake| format!("{path}: {mistake}")).usage()?;
        let name =
            Catalogue::standard().find_shape(&shape).map_or_else(|| shape.to_string(), |known| known.name.clone());
        return Ok(vec![(vec![name], shape)]);
    }
    let catalogue = Catalogue::read(path, &content).usage()?;
    let named = |entry: &Entry| (entry.names().map(str::to_owned).collect(), entry.shape.clone());
    match catalogue.entries() {
        [] => Err(UsageError(format!("{path} holds no shape")).into()),
        entries => Ok(entries.iter().map(named).collect()),
    }
}

/// The shape of a file that holds a picture or cells and nothing else.
fn bare_picture(content: &str) -> Option<Result<Shape, harary_certificate::ShapeError>> {
    let consists_of = |marks: &str| !content.trim().is_empty() && content.chars().all(|mark| marks.contains(mark));
    if consists_of("Xx#*.-_ \r\n") {
        Some(Shape::from_rows(content.trim_end()))
    } else if consists_of("0123456789, \r\n") {
        Some(Shape::from_cells(content))
    } else {
        None
    }
}

/// Reads `FILE`, which holds one shape, or `FILE#NAME`.
fn shape_from_file(text: &str) -> anyhow::Result<NamedShape> {
    let (path, wanted) = match text.split_once('#') {
        Some((path, name)) => (path, Some(name)),
        None => (text, None),
    };
    let shapes = named_in_file(path)?;
    let is_meant = |names: &[String]| match wanted {
        Some(wanted) => names.iter().any(|name| name.eq_ignore_ascii_case(wanted)),
        None => shapes.len() == 1,
    };
    if let Some((names, shape)) = shapes.iter().find(|(names, _)| is_meant(names)) {
        return Ok(NamedShape { name: names[0].clone(), shape: shape.clone() });
    }
    let names: Vec<&str> = shapes.iter().map(|(names, _)| names[0].as_str()).collect();
    let mistake = match wanted {
        None => format!("{path} holds several shapes; write @{path}#NAME with one of {}", names.join(", ")),
        Some(wanted) => format!("{path} has no shape '{wanted}'; it has {}", names.join(", ")),
    };
    Err(UsageError(mistake).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaint(text: &str) -> String {
        let error = parse_shape(text).unwrap_err();
        assert!(error.is::<UsageError>(), "{error}");
        error.to_string()
    }

    #[test]
    fn a_shape_is_known_however_it_is_written() {
        for text in
            ["skinny", "I4", "i4", "SKINNY", " skinny ", "XXXX", "X/X/X/X", "5,7 6,7 7,7 8,7", "0,0 0,1 0,2 0,3"]
        {
            let named = parse_shape(text).unwrap();
            assert_eq!((named.name.as_str(), named.shape.size()), ("skinny", 4), "{text}");
        }
        assert_eq!(parse_shape("x").unwrap().name, "elam");
        assert_eq!(parse_shape("X5").unwrap().name, "X5");
        assert_eq!(parse_shape(" X/X ").unwrap().shape.to_string(), "0,0 1,1");
        assert_eq!(parse_shape("X.X").unwrap().name, "0,0 2,0");
    }

    #[test]
    fn mistakes_in_shapes_name_the_nearest_right_thing() {
        assert_eq!(complaint("skiny"), "no shape 'skiny'; did you mean skinny?");
        assert_eq!(complaint("Sanky"), "no shape 'Sanky'; did you mean snaky?");
        assert_eq!(complaint("dodecahedron"), "no shape 'dodecahedron'; 'harary shapes' lists them");
        assert_eq!(complaint(""), "a shape needs at least one cell");
        assert_eq!(complaint("../.."), "a shape needs at least one cell");
        assert_eq!(complaint("0,0 1,0 0,0"), "the cell 0,0 is given twice");
        assert_eq!(complaint("0,0 1"), "'1' is not a cell; cells are written x,y, for example 0,0 1,0 2,0");
        assert_eq!(complaint("0,0 0,19"), "a shape is at most 19 cells wide and high, this one is 1x20");
    }

    #[test]
    fn shapes_of_a_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        std::fs::write(path("one.txt"), "name: corner\nX..\nX..\nXXX\n").unwrap();
        std::fs::write(path("two"), "name: p\nX\n\nname: q\nX.\n.X\n").unwrap();
        std::fs::write(path("none.txt"), "# nothing\n").unwrap();
        std::fs::write(path("long.txt"), " ".repeat((1 << 20) + 1)).unwrap();
        for text in [path("one.txt"), format!("@{}", path("one.txt")), format!("@{}#Corner", path("one.txt"))] {
            let named = parse_shape(&text).unwrap();
            assert_eq!((named.name.as_str(), named.shape.size()), ("corner", 5), "{text}");
        }
        assert_eq!(parse_shape(&format!("@{}#q", path("two"))).unwrap().shape.to_string(), "0,1 1,0");
        let two = path("two");
        assert_eq!(complaint(&two), format!("{two} holds several shapes; write @{two}#NAME with one of p, q"));
        assert_eq!(complaint(&format!("@{two}#r")), format!("{two} has no shape 'r'; it has p, q"));
        assert_eq!(complaint(&path("none.txt")), format!("{} holds no shape", path("none.txt")));
        std::fs::write(path("bare.txt"), "XX.\r\n.XX\r\n").unwrap();
        std::fs::write(path("cells"), "0,0 1,0\n1,1 2,1\n").unwrap();
        assert_eq!(parse_shape(&path("bare.txt")).unwrap().name, "tippy");
        assert_eq!(parse_shape(&path("cells")).unwrap().name, "tippy");
        for (file, reason) in
            [("lost", "No such file"), ("long.txt", "is too long for a file of shapes"), ("lost.txt", "No such file")]
        {
            let error = format!("{:#}", parse_shape(&path(file)).unwrap_err());
            assert!(error.contains(&path(file)) && error.contains(reason), "{error}");
        }
    }
}
