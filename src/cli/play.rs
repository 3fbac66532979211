//! `harary play`: a game in the terminal against the program at full strength.

use super::arguments::{NamedShape, SHAPE_HELP, parse_board, parse_shape};
use super::console::Console;
use super::ending::{OrUsage, Outcome, UsageError};
use super::files;
use super::search_arguments::parse_memory;
use super::words::describe;
use crate::game::catalogue::Catalogue;
use crate::game::line::Line;
use crate::play::adviser::{Adviser, Worth};
use crate::play::record::{LONGEST_RECORD, Record};
use crate::views::picture::{Mark, Picture};
use anyhow::Context;
use clap::Args;
use harary_certificate::{Board, Cell, Player, Rule, Shape, WideSet, whole_file};
use std::collections::BTreeMap;
use std::io::{BufRead, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Plays a game against you
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  harary play el 3x3\n  harary play skinny 7x7 --as white\n  \
    harary play tippy 5x5 --torus --rule weak --time-each 10s\n  harary play --load game.txt\n\n\
    Type a cell to play there; ? shows what each move is worth; help lists the rest.\n\
    On boards of at most 16 cells the program knows every position. On larger ones it searches for the time given\n\
    and says so when a move is a guess.")]
pub struct Play {
    #[arg(help = SHAPE_HELP, required_unless_present = "load")]
    shape: Option<String>,
    /// The board, WxH, from 1x1 to 19x19
    #[arg(required_unless_present = "load")]
    board: Option<String>,
    /// Glue the edges of the board
    #[arg(long)]
    torus: bool,
    /// `strong`: whoever completes the shape first wins; `weak`: White only prevents
    #[arg(long, value_parser = super::arguments::rules(), default_value = "strong")]
    rule: Rule,
    /// Which side you play; Black begins
    #[arg(long = "as", value_enum, value_name = "SIDE", default_value_t = Side::Black)]
    side: Side,
    /// Go on with a game that was saved
    #[arg(long, value_name = "FILE", conflicts_with_all = ["shape", "board", "torus", "rule", "side"])]
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

impl Play {
    pub fn run(self, console: &mut Console) -> anyhow::Result<Outcome> {
        let record = match (&self.load, &self.shape, &self.board) {
            (Some(path), _, _) => read_record(path)?,
            (None, Some(shape), Some(board)) => {
                let NamedShape { shape, .. } = parse_shape(shape)?;
                let board = parse_board(board, self.torus)?;
                Record { shape, board, rule: self.rule, human: self.side.player(), moves: Vec::new() }
            }
            (None, _, _) => return Err(UsageError("a game needs a shape and a board, or --load FILE".into()).into()),
        };
        let mut session = Session::new(&record, self.time_each, self.memory)?;
        session.welcome(console)?;
        session.answer(console)?;
        session.say_standing(console)?;
        let mut input = std::io::stdin().lock();
        let prompt = input.is_terminal();
        loop {
            if prompt {
                write!(console, "{}> ", session.prompt())?;
            }
            console.flush()?;
            let Some(line) = next_line(&mut input)? else {
                writeln!(console, "{}Goodbye.", if prompt { "\n" } else { "" })?;
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
                    match session.obey(request, console.color(), &mut text) {
                        Ok(changed) => {
                            console.write_all(&text)?;
                            if changed {
                                session.answer(console)?;
                                session.say_standing(console)?;
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

/// A longer line is no command, and is cut.
const LONGEST_LINE: u64 = 4096;

/// The next line of input, whatever bytes it has; `None` at the end.
pub fn next_line(input: &mut impl BufRead) -> anyhow::Result<Option<String>> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes).context("cannot read what you type")?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).trim().to_owned()))
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

/// One game under way.
struct Session {
    adviser: Adviser,
    name: String,
    board: Board,
    shape: Shape,
    human: Player,
    line: Line,
    time: Duration,
    memory: usize,
    /// A turn by which the program has proved to win, as long as it plays on.
    promise: Option<usize>,
}

impl Session {
    fn new(record: &Record, time: Duration, memory: usize) -> anyhow::Result<Session> {
        let adviser = Adviser::new(&record.shape, record.board, record.rule, memory).usage()?;
        let mut line = Line::start(adviser.game());
        for &cell in &record.moves {
            line.play(adviser.game(), cell).usage()?;
        }
        let name = Catalogue::standard().find_shape(&record.shape);
        Ok(Session {
            name: name.map_or_else(|| record.shape.to_string(), |entry| entry.name.clone()),
            board: record.board,
            shape: record.shape.clone(),
            human: record.human,
            line,
            time,
            memory,
            promise: None,
            adviser,
        })
    }

    fn rule(&self) -> Rule {
        self.adviser.game().rule()
    }

    fn to_move(&self) -> Option<Player> {
        self.line.to_move(self.adviser.game())
    }

    fn names<'a>(&self, cells: impl IntoIterator<Item = &'a Cell>) -> String {
        cells.into_iter().map(|&cell| self.board.cell_name(cell)).collect::<Vec<_>>().join(" ")
    }

    fn welcome(&self, console: &mut Console) -> anyhow::Result<()> {
        writeln!(console, "{}", describe(&self.name, self.adviser.game()))?;
        let (you, me) = (self.human, self.human.other());
        let mark = |player| Mark::stone(player).to_string();
        writeln!(console, "You are {you} ({}), the program is {me} ({}).", mark(you), mark(me))?;
        match (self.rule(), you) {
            (Rule::Strong, _) => writeln!(console, "Whoever completes the shape first wins.")?,
            (Rule::Weak, Player::Black) => {
                writeln!(console, "You win by completing the shape, White by preventing it.")?
            }
            (Rule::Weak, Player::White) => writeln!(console, "You win by keeping Black from completing the shape.")?,
        }
        writeln!(console, "Type a cell, ? for a hint, help for the rest.\n")?;
        self.draw(console.color(), console)?;
        Ok(())
    }

    /// The board: `>` before the last stone, `*` before those of a completed set.
    fn draw(&self, color: bool, out: &mut impl Write) -> anyhow::Result<()> {
        let won = self.line.won.map_or(WideSet::EMPTY, |(_, set)| set);
        let mark = |cell| {
            let mark = Mark::of_stones(&self.line.black, &self.line.white, cell);
            if won.contains(cell) {
                Mark::text(format!("*{mark}")).highlighted()
            } else if self.line.moves.last() == Some(&cell) {
                Mark::text(format!(">{mark}")).highlighted()
            } else {
                mark
            }
        };
        write!(out, "{}", Picture::of_board(&self.board, mark).text(color))?;
        Ok(())
    }

    /// Lets the program play if it is its turn.
    fn answer(&mut self, console: &mut Console) -> anyhow::Result<()> {
        if self.to_move() == Some(self.human.other()) {
            let player = self.human.other();
            console.flush()?;
            let promise = self.promise;
            let advice = self.adviser.advise(&self.line.stones(), promise, self.time);
            let Some(advice) = advice else { return Ok(()) };
            self.promise = match advice.worth {
                Worth::Wins(turn) => Some(turn),
                _ => None,
            };
            let turn = self.line.played() + 1;
            self.line.play(self.adviser.game(), advice.cell)?;
            let name = self.board.cell_name(advice.cell);
            let standing = advice.worth.sentence(player, self.rule());
            let known = match advice.worth {
                // Where every position is known it is said when the human is to move.
                _ if self.line.won.is_some() || self.adviser.is_exact() => String::new(),
                worth if worth.is_proved() => format!(" With perfect play {standing}."),
                Worth::Safe => format!(" {standing}."),
                _ => format!(" This is a guess: {standing}."),
            };
            writeln!(console, "\nTurn {turn}: {player} plays {name}.{known}\n")?;
            self.draw(console.color(), console)?;
        }
        Ok(())
    }

    /// What stands before the cursor on a terminal.
    fn prompt(&self) -> String {
        self.to_move().map_or(String::new(), |player| player.to_string())
    }

    /// The end, or whose turn it is and what threatens.
    fn say_standing(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let Some(player) = self.to_move() else {
            match self.line.won {
                Some((winner, set)) => {
                    let cells = self.names(&set.iter().collect::<Vec<_>>());
                    let whose = if winner == self.human { "You win" } else { "The program wins" };
                    let turn = self.line.played();
                    writeln!(out, "{winner} has completed {cells} at turn {turn}. {whose}.")?;
                }
                None if self.rule() == Rule::Weak => {
                    let whose = if self.human == Player::White { "You win" } else { "The program wins" };
                    writeln!(out, "The board is full and Black has not completed the shape: White holds. {whose}.")?;
                }
                None => writeln!(out, "The board is full and nobody has completed the shape: a draw.")?,
            }
            writeln!(out, "The game is over; undo, save FILE, load FILE or quit.")?;
            return Ok(());
        };
        if let Some(threat) = self.threat(player) {
            writeln!(out, "{threat}")?;
        }
        let turn = self.line.played() + 1;
        let known = match self.adviser.is_exact() {
            true => self.adviser.advise(&self.line.stones(), None, self.time),
            false => None,
        };
        let known = known.map_or(String::new(), |advice| {
            format!(" With perfect play {}.", advice.worth.sentence(player, self.rule()))
        });
        writeln!(out, "Turn {turn}: your move, {player}.{known}")?;
        Ok(())
    }

    /// Who can complete the shape with the next stone.
    fn threat(&self, player: Player) -> Option<String> {
        let (own, other) = (self.completions(player), self.completions(player.other()));
        let opponent = player.other();
        match (own.len(), other.len()) {
            (0, 0) => None,
            (0, 1) => Some(format!("{player} must block at {}.", self.names(&other))),
            (0, _) => Some(format!("{opponent} threatens {}: {player} cannot block them all.", self.names(&other))),
            _ => Some(format!("{player} can complete the shape at {}.", self.names(&own))),
        }
    }

    /// The empty cells at which `player` completes the shape.
    fn completions(&self, player: Player) -> Vec<Cell> {
        let game = self.adviser.game();
        let (sets, own, other) = match player {
            Player::Black => (game.black_sets(), self.line.black, self.line.white),
            Player::White => (game.white_sets(), self.line.white, self.line.black),
        };
        let missing = sets.iter().filter(|set| set.is_disjoint(&other)).map(|set| *set - own);
        let cells: WideSet = missing.filter(|missing| missing.len() == 1).flatten().collect();
        cells.iter().collect()
    }

    /// Does what was typed, and says whether the position is another now. What it writes is kept back if it fails.
    fn obey(&mut self, request: Request, color: bool, out: &mut Vec<u8>) -> anyhow::Result<bool> {
        let changes = matches!(request, Request::Cell(_) | Request::Undo | Request::Load(_));
        match request {
            Request::Cell(name) => {
                let game = self.adviser.game();
                let cell = match self.board.parse_cell(&name) {
                    Ok(cell) => cell,
                    Err(error) => anyhow::bail!("{error} (help lists what else you can type)"),
                };
                self.line.play(game, cell).map_err(|mistake| anyhow::anyhow!("{name}: {mistake}"))?;
                writeln!(out, "\nTurn {}: {} plays {}.\n", self.line.played(), self.human, self.board.cell_name(cell))?;
                self.draw(color, out)?;
            }
            Request::Hint => self.hint(color, out)?,
            Request::Undo => {
                self.undo()?;
                self.draw(color, out)?;
            }
            Request::Save(path) => {
                self.save(&path)?;
                writeln!(out, "Saved to {}.", path.display())?;
            }
            Request::Load(path) => {
                let record = read_record(&path)?;
                *self = Session::new(&record, self.time, self.memory)?;
                writeln!(out, "{}; you are {}.\n", describe(&self.name, self.adviser.game()), self.human)?;
                self.draw(color, out)?;
            }
            Request::Board => self.draw(color, out)?,
            Request::Help => write!(out, "{HELP}")?,
            Request::Mistake(mistake) => anyhow::bail!(mistake),
            Request::Quit => {}
        }
        Ok(changes)
    }

    /// Every move drawn with what it is worth, and the moves that keep what can be had.
    fn hint(&mut self, color: bool, out: &mut Vec<u8>) -> anyhow::Result<()> {
        let Some(player) = self.to_move() else { anyhow::bail!("the game is over; there is no move to find") };
        let moves = self.adviser.examine(&self.line.stones(), self.time);
        let lost = self.rule() == Rule::Weak && player == Player::Black;
        let sign = |worth: Worth| match worth {
            Worth::Wins(turn) => format!("+{turn}"),
            Worth::Even if lost => "-".to_owned(),
            Worth::Even if self.rule() == Rule::Weak => "+".to_owned(),
            Worth::Even | Worth::Safe => "=".to_owned(),
            Worth::Loses(turn) => format!("-{turn}"),
            Worth::Open(_) => "?".to_owned(),
        };
        let mark = |cell| match moves.iter().find(|(other, _)| *other == cell) {
            Some((_, worth)) => Mark::text(sign(*worth)),
            None => Mark::of_stones(&self.line.black, &self.line.white, cell),
        };
        write!(out, "{}", Picture::of_board(&self.board, mark).text(color))?;
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
                Worth::Open(_) => format!("Not settled within {}", humantime::format_duration(self.time)),
                Worth::Loses(turn) => format!("Losing by turn {turn}"),
            };
            writeln!(out, "{title}: {}", self.names(cells))?;
        }
        Ok(())
    }

    /// Takes back the human's last move, and the answer to it.
    fn undo(&mut self) -> anyhow::Result<()> {
        let game = self.adviser.game();
        let own = |turn: usize| game.schedule().player_after(turn) == Some(self.human);
        let Some(last) = (0..self.line.played()).rev().find(|&turn| own(turn)) else {
            anyhow::bail!("there is no move of yours to take back");
        };
        let mut line = Line::start(game);
        for &cell in &self.line.moves[..last] {
            line.play(game, cell)?;
        }
        self.line = line;
        self.promise = None;
        Ok(())
    }

    fn save(&self, path: &Path) -> anyhow::Result<()> {
        let record = Record {
            shape: self.shape.clone(),
            board: self.board,
            rule: self.rule(),
            human: self.human,
            moves: self.line.moves.clone(),
        };
        // A game saved before may be replaced, a certificate must not be.
        if path.exists() && !whole_file::is_special(path) && read_record(path).is_err() {
            anyhow::bail!("{} is there and is no saved game; choose another name", path.display());
        }
        whole_file::write(path, record.text().as_bytes()).with_context(|| format!("cannot write {}", path.display()))
    }
}
