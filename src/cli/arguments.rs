//! The arguments that describe a game, shared by the subcommands that take one.

use super::target::{FamilyArguments, GROUND_HELP, LineArguments, TARGET_HELP, words};
pub use crate::effort::amounts::parse_time;
use crate::game::words::{GameWords, any_game, model};
pub use crate::game::words::{NamedGame, NamedShape, SHAPE_HELP, parse_board, parse_shape, shapes_of_file};
use crate::settle::EngineChoice;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use harary_certificate::{Board, Rule, Shape};
use std::path::{Path, PathBuf};

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

/// A game: a shape on a board and how it is played.
#[derive(Args, Clone, Debug)]
pub struct GameArguments {
    #[arg(help = TARGET_HELP, required_unless_present_any = ["pg", "ig", "row", "lines"])]
    shape: Option<String>,
    #[arg(help = GROUND_HELP, required_unless_present_any = ["pg", "ig", "row", "lines"])]
    board: Option<String>,
    #[command(flatten)]
    lines: LineArguments,
    #[command(flatten)]
    family: FamilyArguments,
    /// `strong`: whoever completes the shape first wins; `weak`: White only prevents [default: strong, of Hex weak]
    #[arg(long, value_parser = rules())]
    rule: Option<Rule>,
    /// Black starts with this many extra stones
    #[arg(long, value_name = "H", conflicts_with = "stones")]
    handicap: Option<usize>,
    /// GTTT(p,q): P stones a turn, Q at the very first
    #[arg(long, value_name = "P,Q", value_parser = parse_stones)]
    stones: Option<(usize, usize)>,
    /// Read the game from a .pg file instead (- is standard input)
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "shape", "board", "row", "lines", "torus", "cylinder", "hexagonal", "rule", "handicap", "stones",
    ])]
    pg: Option<PathBuf>,
    /// Read a positional game of Q-sage's language instead: the instance, and its domain if that does not lie beside it
    #[arg(long, value_name = "FILE", num_args = 1..=2, conflicts_with_all = [
        "shape", "board", "row", "lines", "torus", "cylinder", "hexagonal", "rule", "handicap", "stones", "pg",
    ])]
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
    #[command(flatten)]
    place: BoardAndRule,
}

/// A plain board or a torus, and the rule.
#[derive(Args, Clone, Debug)]
pub struct BoardAndRule {
    /// The board, WxH
    board: String,
    /// Glue the edges of the board
    #[arg(long)]
    torus: bool,
    /// `strong`: whoever completes the shape first wins; `weak`: White only prevents
    #[arg(long, value_parser = rules(), default_value = "strong")]
    pub rule: Rule,
}

impl BoardAndRule {
    /// The board.
    pub fn board(&self) -> anyhow::Result<Board> {
        parse_board(&self.board, self.torus)
    }
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
        Ok(Placed { name, shape, board: self.place.board()?, rule: self.place.rule })
    }
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
        match (&self.shape, &self.board, self.pg.iter().chain(&self.ig).next(), self.lines.words()) {
            (Some(shape), None, None, None) => parse_shape(shape).map(Some),
            _ => Ok(None),
        }
    }

    /// The game these arguments describe.
    pub fn game(&self) -> anyhow::Result<NamedGame> {
        if let Some(path) = &self.pg {
            return any_game(path);
        }
        if !self.ig.is_empty() {
            return model(&self.ig);
        }
        let (target, board) = words(self.shape.as_deref(), self.board.as_deref(), &self.lines)?;
        let GameArguments { family, rule, handicap, stones, .. } = *self;
        GameWords { target: &target, board, family: family.family(), rule, handicap, stones }.game()
    }
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
