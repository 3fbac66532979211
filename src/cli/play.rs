//! `harary play`: a game in the terminal against the program at full strength.

use super::arguments::{AfterArguments, GameArguments, NamedGame};
use super::console::Console;
use super::ending::{OrUsage, Outcome, UsageError};
use super::files;
use super::search_arguments::parse_memory;
use super::typed::Typed;
use super::words::{describe, shape_name};
use crate::atlas::entry::Finding;
use crate::atlas::{GameKey, Tablebase, by_law, report};
use crate::game::Game;
use crate::game::line::Line;
use crate::play::adviser::Worth;
use crate::play::record::{LONGEST_RECORD, Record};
use crate::play::session::{Foreknown, Reply, Session, Thinking};
use crate::views::hex::hex;
use crate::views::picture::{Mark, Picture, side_by_side};
use anyhow::Context;
use clap::Args;
use harary_certificate::{Cell, Player, Rule, WideSet, whole_file};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Plays a game against you
#[derive(Args, Debug)]
// A saved game needs no shape and no board.
#[command(mut_arg("shape", |shape| shape.required_unless_present_any(["pg", "load", "row", "lines"])))]
#[command(mut_arg("board", |board| board.required_unless_present_any(["pg", "load", "row", "lines"])))]
#[command(after_help = "Examples:\n  harary play el 3x3\n  harary play skinny 7x7 --as white\n  \
    harary play tippy 5x5 --torus --rule weak --time-each 10s\n  harary play tic 4x4 --stones 2,1\n  \
    harary play skinny 6x6 --after \"c3 d4\" --as white\n  harary play --row 4 4x4x4\n  \
    harary play hex 5x5\n  harary play --pg hex.pg\n  harary play --load game.txt\n\n\
    Type a cell to play there; ? shows what each move is worth; help lists the rest.\n\
    On boards of at most 16 cells the program knows every position. On larger ones it knows what the atlas knows of the \
    start, and from there searches for the time given and says so when a move is a guess.")]
pub struct Play {
    #[command(flatten)]
    game: GameArguments,
    /// Which side you play; Black begins
    #[arg(long = "as", value_enum, value_name = "SIDE", default_value_t = Side::Black)]
    side: Side,
    #[command(flatten)]
    line: AfterArguments,
    /// Go on with a game that was saved
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = [
            "shape", "board", "row", "lines", "torus", "cylinder", "hexagonal", "rule", "handicap", "stones", "pg", "side", "after",
        ]
    )]
    load: Option<PathBuf>,
    /// How long the program may think about a move on a large board
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = super::arguments::parse_time)]
    time_each: Duration,
    /// Memory for its search
    #[arg(long, value_name = "SIZE", default_value = "512MiB", value_parser = parse_memory)]
    memory: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
enum Side {
    Black,
    White,
}

impl Side {
    fn player(self) -> Player {
        match self {
            Side::Black => Player::Black,
            Side::White => Player::White,
        }
    }
}

/// What the user can type.
const HELP: &str = "  b2         play there\n  ?          what each move is worth\n  undo       take back your last move and the \
    answer to it\n  save FILE  write the game to a file\n  load FILE  go on with a game that was saved\n  \
    board      draw the board again\n  quit       leave\n";

/// What Tab completes to, besides cells.
const WORDS: [&str; 7] = ["?", "undo", "save ", "load ", "board", "help", "quit"];

impl Play {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        if self.game.files().iter().any(|path| files::is_dash(path)) {
            return Err(UsageError("moves are read from standard input; give --pg a file".into()).into());
        }
        let record = match &self.load {
            Some(path) => read_record(path)?,
            None => {
                let NamedGame { name, game, .. } = self.game.game()?;
                let moves = Line::played_out(&game, &self.line.after).usage()?.moves;
                Record { name: Some(name), game, human: self.side.player(), moves }
            }
        };
        let thinking = Thinking { time: self.time_each, memory: self.memory };
        let mut table = Table::new(&record, thinking)?;
        table.welcome(console)?;
        table.answer(console)?;
        table.say_standing(console)?;
        let mut typed = Typed::new(table.words());
        loop {
            let Some(line) = typed.next(&format!("{}> ", table.prompt()), console)? else {
                writeln!(console, "{}Goodbye.", if typed.is_terminal() { "\n" } else { "" })?;
                return Ok(Outcome::Done);
            };
            match Request::parse(&line) {
                None => {}
                Some(Request::Quit) => {
                    writeln!(console, "Goodbye.")?;
                    return Ok(Outcome::Done);
                }
                Some(request) => {
                    // A mistake is told, and the game goes on. Only a closed output ends it.
                    let mut text = Vec::new();
                    let loads = matches!(request, Request::Load(_));
                    match table.obey(request, console, &mut text) {
                        Ok(changed) => {
                            console.write_all(&text)?;
                            if changed {
                                table.answer(console)?;
                                table.say_standing(console)?;
                            }
                            if loads {
                                typed.complete_to(table.words());
                            }
                        }
                        Err(mistake) => writeln!(console, "{}", one_line(&format!("{mistake:#}")))?,
                    }
                }
            }
        }
    }
}

/// A message without control characters: it may quote what was typed.
pub fn one_line(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}

enum Request {
    Cell(String),
    Hint,
    Undo,
    Save(PathBuf),
    Load(PathBuf),
    Board,
    Help,
    Quit,
    Mistake(String),
}

impl Request {
    fn parse(line: &str) -> Option<Request> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let lower = word.to_lowercase();
        let alone = |request: Request| match rest {
            "" => request,
            _ => Request::Mistake(format!("'{lower}' stands alone; what is '{rest}'?")),
        };
        let with_file = |request: fn(PathBuf) -> Request| match rest {
            "" => Request::Mistake(format!("{lower} which file? For example: {lower} game.txt")),
            file => request(PathBuf::from(file)),
        };
        Some(match lower.as_str() {
            "" => return None,
            "?" | "hint" => alone(Request::Hint),
            "undo" | "u" => alone(Request::Undo),
            "board" => alone(Request::Board),
            "help" | "h" => alone(Request::Help),
            "quit" | "exit" | "q" => alone(Request::Quit),
            "save" => with_file(Request::Save),
            "load" => with_file(Request::Load),
            _ if rest.is_empty() => Request::Cell(word.to_owned()),
            _ => Request::Mistake(format!("one move at a time; '{line}' is none (help lists what you can type)")),
        })
    }
}

/// Reads a saved game.
fn read_record(path: &Path) -> anyhow::Result<Record> {
    let text = files::read_text(path, LONGEST_RECORD, "a saved game")?;
    Record::parse(&text).with_context(|| format!("{} is not a saved game", path.display())).usage()
}

/// What the atlas that ships with the program knows of a game, or what follows from it.
fn known_from_atlas(game: &Game, name: &str) -> Option<(Foreknown, String)> {
    let known = |finding, first_move, took| {
        let win_by = match finding {
            Finding::Win { by, .. } => Some(by),
            Finding::Hold => None,
            Finding::Unknown => return None,
        };
        Some(Foreknown { win_by, first_move, took })
    };
    if let Some(deduced) = by_law::deduced(game) {
        // Nobody has looked for the moves.
        let foreknown = known(deduced.finding, None, Duration::MAX)?;
        return Some((foreknown, format!("This follows from the atlas: {}", deduced.finding.sentence())));
    }
    let entry = Tablebase::shipped().get(&GameKey::of(game)?)?;
    let board = game.board()?;
    let took = Duration::try_from_secs_f64(report::seconds(entry)).ok()?;
    let foreknown = known(entry.finding, entry.first_move_on(&board), took)?;
    Some((foreknown, format!("The atlas knows {name}: {}", entry.sentence())))
}

/// A session as it is shown.
struct Table {
    session: Session,
    name: String,
    /// Whether the rows are slanted, as Hex is played.
    hex: bool,
    thinking: Thinking,
    /// What the atlas says.
    atlas: Option<String>,
}

impl Table {
    fn new(record: &Record, thinking: Thinking) -> anyhow::Result<Table> {
        let game = &record.game;
        let name = record.name.clone().unwrap_or_else(|| shape_name(game));
        let (foreknown, atlas) = known_from_atlas(game, &name).unzip();
        let session = Session::new(record, foreknown, thinking).usage()?;
        let names: Vec<String> = (0..game.vertices()).map(|index| game.vertex_name(Cell::new(index))).collect();
        let hex = game.shape_on_board().is_none() && hex(&names, game.black_sets()).is_some();
        Ok(Table { session, name, hex, thinking, atlas })
    }

    fn rule(&self) -> Rule {
        self.session.game().rule()
    }

    /// What is to be completed.
    fn goal(&self) -> &'static str {
        if self.session.game().shape_on_board().is_some() { "the shape" } else { "a winning set" }
    }

    fn names<'a>(&self, cells: impl IntoIterator<Item = &'a Cell>) -> String {
        cells.into_iter().map(|&cell| self.session.game().vertex_name(cell)).collect::<Vec<_>>().join(" ")
    }

    /// What Tab completes to.
    fn words(&self) -> Vec<String> {
        let game = self.session.game();
        let cells = (0..game.vertices()).map(|index| game.vertex_name(Cell::new(index)));
        cells.chain(WORDS.map(str::to_owned)).collect()
    }

    fn welcome(&self, console: &mut Console) -> anyhow::Result<()> {
        writeln!(console, "{}", describe(&self.name, self.session.game()))?;
        let (you, me) = (self.session.human(), self.session.human().other());
        let mark = |player| Mark::stone(player).to_string();
        writeln!(console, "You are {you} ({}), the program is {me} ({}).", mark(you), mark(me))?;
        let goal = self.goal();
        match (self.rule(), you) {
            (Rule::Strong, _) if goal == "the shape" => writeln!(console, "Whoever completes the shape first wins.")?,
            (Rule::Strong, _) => writeln!(console, "Whoever completes a winning set of his own first wins.")?,
            (Rule::Weak, Player::Black) => {
                writeln!(console, "You win by completing {goal}, White by preventing it.")?;
            }
            (Rule::Weak, Player::White) => writeln!(console, "You win by keeping Black from completing {goal}.")?,
        }
        if let Some(known) = self.atlas.as_ref().filter(|_| !self.session.is_exact()) {
            writeln!(console, "{known}")?;
        }
        writeln!(console, "Type a cell, ? for a hint, help for the rest.\n")?;
        self.draw(console.color(), console.page_width(), console)?;
        Ok(())
    }

    /// The board: `>` before the last stone, `*` before those of a completed set.
    fn draw(&self, color: bool, width: usize, out: &mut impl Write) -> anyhow::Result<()> {
        let line = self.session.line();
        let won = line.won.map_or(WideSet::EMPTY, |(_, set)| set);
        let mark = |cell| {
            let mark = Mark::of_stones(&line.black, &line.white, cell);
            if won.contains(cell) {
                Mark::text(format!("*{mark}")).highlighted()
            } else if line.moves.last() == Some(&cell) {
                Mark::text(format!(">{mark}")).highlighted()
            } else {
                mark
            }
        };
        self.picture(mark, color, width, out)
    }

    /// The marks of all cells, in their places if they have any.
    fn picture(
        &self,
        mark: impl Fn(Cell) -> Mark,
        color: bool,
        width: usize,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let game = self.session.game();
        match Picture::of_game(game, &mark) {
            Some(picture) => write!(out, "{}", picture.slanted(self.hex).text(color))?,
            None => {
                let all = (0..game.vertices()).map(Cell::new);
                let tiles: Vec<Vec<String>> =
                    all.map(|cell| vec![format!("{} {}", game.vertex_name(cell), mark(cell))]).collect();
                write!(out, "{}", side_by_side(&tiles, width).replace("\n\n", "\n"))?;
            }
        }
        Ok(())
    }

    /// Lets the program play as long as it is its turn.
    fn answer(&mut self, console: &mut Console) -> anyhow::Result<()> {
        loop {
            console.flush()?;
            let Some(Reply { turn, cell, worth }) = self.session.reply() else { return Ok(()) };
            let player = self.session.human().other();
            let name = self.session.game().vertex_name(cell);
            let standing = worth.sentence(player, self.rule());
            let known = match worth {
                // Where every position is known it is said when the human is to move.
                _ if self.session.line().won.is_some() || self.session.is_exact() => String::new(),
                worth if worth.is_proved() => format!(" With perfect play {standing}."),
                Worth::Safe => format!(" {standing}."),
                _ => format!(" This is a guess: {standing}."),
            };
            writeln!(console, "\nTurn {turn}: {player} plays {name}.{known}\n")?;
            self.draw(console.color(), console.page_width(), console)?;
        }
    }

    /// What stands before the cursor on a terminal.
    fn prompt(&self) -> String {
        self.session.to_move().map_or(String::new(), |player| player.to_string())
    }

    /// The end, or whose turn it is and what threatens.
    fn say_standing(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let (goal, human) = (self.goal(), self.session.human());
        let Some(player) = self.session.to_move() else {
            let over = if self.session.game().is_cut_short() { "All turns are played" } else { "The board is full" };
            match self.session.line().won {
                Some((winner, set)) => {
                    let cells = self.names(&set.iter().collect::<Vec<_>>());
                    let whose = if winner == human { "You win" } else { "The program wins" };
                    let turn = self.session.line().played();
                    writeln!(out, "{winner} has completed {cells} at turn {turn}. {whose}.")?;
                }
                None if self.rule() == Rule::Weak => {
                    let whose = if human == Player::White { "You win" } else { "The program wins" };
                    writeln!(out, "{over} and Black has not completed {goal}: White holds. {whose}.")?;
                }
                None => writeln!(out, "{over} and nobody has completed {goal}: a draw.")?,
            }
            writeln!(out, "The game is over; undo, save FILE, load FILE or quit.")?;
            return Ok(());
        };
        if let Some(threat) = self.threat(player) {
            writeln!(out, "{threat}")?;
        }
        let turn = self.session.line().played() + 1;
        let known = self
            .session
            .standing()
            .map_or(String::new(), |worth| format!(" With perfect play {}.", worth.sentence(player, self.rule())));
        writeln!(out, "Turn {turn}: your move, {player}.{known}")?;
        Ok(())
    }

    /// Who can complete a set with the next stone.
    fn threat(&self, player: Player) -> Option<String> {
        let (own, other) = (self.session.completions(player), self.session.completions(player.other()));
        let (opponent, goal) = (player.other(), self.goal());
        // Who has more than one stone to put may have more than one answer.
        let schedule = self.session.game().schedule();
        let single = schedule.player_after(self.session.line().played() + 1) != Some(player);
        match (own.len(), other.len()) {
            (0, 0) => None,
            (0, 1) => Some(format!("{player} must block at {}.", self.names(&other))),
            (0, _) if single => {
                Some(format!("{opponent} threatens {}: {player} cannot block them all.", self.names(&other)))
            }
            (0, _) => Some(format!("{opponent} threatens {}.", self.names(&other))),
            _ => Some(format!("{player} can complete {goal} at {}.", self.names(&own))),
        }
    }

    /// Does what was typed, and says whether the position is another now. What it writes is kept back if it fails.
    fn obey(&mut self, request: Request, console: &Console, out: &mut Vec<u8>) -> anyhow::Result<bool> {
        let (color, width) = (console.color(), console.page_width());
        let changes = matches!(request, Request::Cell(_) | Request::Undo | Request::Load(_));
        match request {
            Request::Cell(name) => {
                if self.session.game().vertex(&name).is_none() {
                    let error = crate::game::line::vertex(self.session.game(), &name).err();
                    let error = error.map_or(String::new(), |error| error.to_string());
                    anyhow::bail!("{error} (help lists what else you can type)");
                }
                let cell = self.session.play(&name).map_err(|mistake| anyhow::anyhow!("{name}: {mistake}"))?;
                let (turn, player) = (self.session.line().played(), self.session.human());
                writeln!(out, "\nTurn {turn}: {player} plays {}.\n", self.session.game().vertex_name(cell))?;
                self.draw(color, width, out)?;
            }
            Request::Hint => self.hint(color, width, out)?,
            Request::Undo => {
                if !self.session.undo()? {
                    anyhow::bail!("there is no move of yours to take back");
                }
                self.draw(color, width, out)?;
            }
            Request::Save(path) => {
                self.save(&path)?;
                writeln!(out, "Saved to {}.", path.display())?;
            }
            Request::Load(path) => {
                *self = Table::new(&read_record(&path)?, self.thinking)?;
                writeln!(out, "{}; you are {}.\n", describe(&self.name, self.session.game()), self.session.human())?;
                self.draw(color, width, out)?;
            }
            Request::Board => self.draw(color, width, out)?,
            Request::Help => write!(out, "{HELP}")?,
            Request::Mistake(mistake) => anyhow::bail!(mistake),
            Request::Quit => {}
        }
        Ok(changes)
    }

    /// Every move drawn with what it is worth, and the moves that keep what can be had.
    fn hint(&mut self, color: bool, width: usize, out: &mut Vec<u8>) -> anyhow::Result<()> {
        let Some(player) = self.session.to_move() else { anyhow::bail!("the game is over; there is no move to find") };
        let moves = self.session.examine();
        let lost = self.rule() == Rule::Weak && player == Player::Black;
        let sign = |worth: Worth| match worth {
            Worth::Wins(turn) => format!("+{turn}"),
            Worth::Even if lost => "-".to_owned(),
            Worth::Even if self.rule() == Rule::Weak => "+".to_owned(),
            Worth::Even | Worth::Safe => "=".to_owned(),
            Worth::Loses(turn) => format!("-{turn}"),
            Worth::Open(_) => "?".to_owned(),
        };
        let line = self.session.line();
        let mark = |cell| match moves.iter().find(|(other, _)| *other == cell) {
            Some((_, worth)) => Mark::text(sign(*worth)),
            None => Mark::of_stones(&line.black, &line.white, cell),
        };
        self.picture(mark, color, width, out)?;
        // The best first: early wins, then what holds, then late losses.
        let rank = |worth: Worth| match worth {
            Worth::Wins(turn) => (0, turn),
            Worth::Even | Worth::Safe => (1, 0),
            Worth::Open(_) => (2, 0),
            Worth::Loses(turn) => (3, usize::MAX - turn),
        };
        let mut groups: BTreeMap<(u8, usize), (Worth, Vec<Cell>)> = BTreeMap::new();
        for &(cell, worth) in &moves {
            groups.entry(rank(worth)).or_insert((worth, Vec::new())).1.push(cell);
        }
        for (worth, cells) in groups.values() {
            let title = match worth {
                Worth::Wins(turn) => format!("Winning by turn {turn}"),
                Worth::Even | Worth::Safe if lost => "White holds after".to_owned(),
                Worth::Even | Worth::Safe => "Holding".to_owned(),
                Worth::Open(_) => format!("Not settled within {}", humantime::format_duration(self.thinking.time)),
                Worth::Loses(turn) => format!("Losing by turn {turn}"),
            };
            writeln!(out, "{title}: {}", self.names(cells))?;
        }
        Ok(())
    }

    fn save(&self, path: &Path) -> anyhow::Result<()> {
        // A game saved before may be replaced, a certificate must not be.
        if path.exists() && !whole_file::is_special(path) && read_record(path).is_err() {
            anyhow::bail!("{} is there and is no saved game; choose another name", path.display());
        }
        let text = self.session.record().text();
        whole_file::write(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
    }
}
