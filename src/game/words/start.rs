//! Another start than the empty board: moves played before, stones put there, a restricted first move.

use super::mistake::{OrUsage, UsageError};
use super::models::NamedGame;
use crate::game::line::{Line, names, vertex};
use crate::game::{Game, Sets};
use harary_certificate::{Cell, Player, Schedule, WideSet};

/// Where the game starts, if not as usual; cells are listed as `d4 c3`.
#[derive(Clone, Copy, Default, Debug)]
pub struct Start<'a> {
    /// After these moves, in order; not together with stones.
    pub after: Option<&'a str>,
    /// With black stones here.
    pub black: Option<&'a str>,
    /// With white stones here.
    pub white: Option<&'a str>,
    /// Who moves first after those stones, if not Black.
    pub to_move: Option<Player>,
    /// The first move must be one of these cells.
    pub first: Option<&'a str>,
}

/// A game from the start that was asked for.
pub struct Started {
    /// What to call it, and the game.
    pub named: NamedGame,
    /// How its turns are counted, if it does not begin as usual.
    pub remark: Option<String>,
}

/// The stones of a start and what comes after them.
struct Stones {
    black: WideSet,
    white: WideSet,
    turns: Vec<Player>,
    /// The black stone that was put last.
    last: Option<Cell>,
}

impl Start<'_> {
    /// The game from this start.
    pub fn start(&self, NamedGame { name, game, within }: NamedGame) -> anyhow::Result<Started> {
        if self.after.is_some() && (self.black.is_some() || self.white.is_some() || self.to_move.is_some()) {
            let reason = "--after says whose stones are where; leave out --black, --white and --to-move";
            return Err(UsageError(reason.to_owned()).into());
        }
        let usual = self.after.is_none() && self.black.is_none() && self.white.is_none() && self.to_move.is_none();
        if usual && self.first.is_none() {
            return Ok(Started { named: NamedGame { name, game, within }, remark: None });
        }
        if within.is_some() && !usual {
            let reason =
                "a model with a depth has a start of its own; leave out --after, --black, --white and --to-move";
            return Err(UsageError(reason.to_owned()).into());
        }
        let mut stones = match self.after {
            Some(line) => after(&game, line)?,
            None => self.stones(&game)?,
        };
        if stones.turns.is_empty() {
            return Err(UsageError("no turn is left after these stones".to_owned()).into());
        }
        let mut first = match self.first {
            Some(text) => Some(cells(&game, text)?.into_iter().collect::<WideSet>()),
            None if usual => None,
            None => game.first().copied().filter(|_| stones.black == *game.black_start() && self.after.is_none()),
        };
        let mut remark = format!("Turns are counted from this position: {} plays turn 1.", stones.turns[0]);
        // White to move, and then by turns: the same as Black to move with no choice but the stone he has put last. So the
        // turn order is the plain one, and all engines play it.
        let alternates =
            stones.turns.iter().enumerate().all(|(turn, player)| (turn % 2 == 1) == (*player == Player::Black));
        if let (true, None, Some(last)) = (alternates, first, stones.last.filter(|_| stones.turns[0] == Player::White))
        {
            stones.black.remove(last);
            stones.turns.insert(0, Player::Black);
            first = Some(WideSet::single(last));
            remark = format!("Turns are counted from Black's stone on {}, which is turn 1.", game.vertex_name(last));
        }
        let named = NamedGame { name: self.name(&name, &game), game: from(&game, &stones, first)?, within };
        Ok(Started { named, remark: Some(remark) })
    }

    fn stones(&self, game: &Game) -> anyhow::Result<Stones> {
        let read = |text: Option<&str>| cells(game, text.unwrap_or_default());
        let (blacks, whites) = (read(self.black)?, read(self.white)?);
        let black = *game.black_start() | blacks.iter().copied().collect();
        let white = *game.white_start() | whites.iter().copied().collect();
        let empty = game.vertices() - (black | white).len();
        // Where White moves first she has the turns that Black would have.
        let exchanged = self.to_move == Some(Player::White);
        let player = |turn| game.schedule().player_after(turn).map(|p| if exchanged { p.other() } else { p });
        Ok(Stones {
            black,
            white,
            turns: (0..empty.min(game.schedule().len())).filter_map(player).collect(),
            last: blacks.last().copied().or(black.first()),
        })
    }

    /// What the game is called.
    fn name(&self, name: &str, game: &Game) -> String {
        let place = game.shape_on_board().map_or(String::new(), |(_, board)| format!(" on {board}"));
        let mut words = format!("{name}{place}");
        for (word, cells) in
            [("after", self.after), ("with black", self.black), ("with white", self.white), ("first at", self.first)]
        {
            if let Some(cells) = cells {
                words.push_str(&format!(" {word} {}", names(cells).collect::<Vec<_>>().join(" ")));
            }
        }
        words
    }
}

/// The cells named in a list, none twice.
fn cells(game: &Game, text: &str) -> anyhow::Result<Vec<Cell>> {
    let mut cells = Vec::new();
    for name in names(text) {
        let cell = vertex(game, name).usage()?;
        if cells.contains(&cell) {
            return Err(UsageError(format!("the cell {name} is given twice")).into());
        }
        cells.push(cell);
    }
    Ok(cells)
}

/// After a line of play.
fn after(game: &Game, text: &str) -> anyhow::Result<Stones> {
    let line = Line::played_out(game, text).usage()?;
    if let Some((player, _)) = line.won {
        return Err(UsageError(format!("the game is over, {player} has won at turn {}", line.played())).into());
    }
    let turns =
        (line.played()..game.schedule().len()).filter_map(|played| game.schedule().player_after(played)).collect();
    let last = line.moves.last().copied().filter(|last| line.black.contains(*last));
    Ok(Stones { black: line.black, white: line.white, turns, last })
}

/// The same sets from another start.
fn from(game: &Game, stones: &Stones, first: Option<WideSet>) -> anyhow::Result<Game> {
    let names = (0..game.vertices()).map(|vertex| game.vertex_name(Cell::new(vertex))).collect();
    let started = Game::of_sets(Sets {
        names,
        black: game.black_sets().to_vec(),
        white: game.white_sets().to_vec(),
        rule: game.rule(),
        schedule: Schedule::of(stones.turns.clone()),
        black_start: stones.black,
        white_start: stones.white,
        first,
    });
    started.map(|started| started.in_place_of(game)).usage()
}

#[cfg(test)]
mod tests {
    use super::*;
    use harary_certificate::{Board, Rule, Shape, Topology};

    /// The start that options would ask for.
    fn started(words: &[&str]) -> anyhow::Result<Started> {
        started_by(1, words)
    }

    /// The same where each player puts so many stones a turn.
    fn started_by(stones: usize, words: &[&str]) -> anyhow::Result<Started> {
        let mut start = Start::default();
        for pair in words.chunks(2) {
            match pair[0] {
                "--after" => start.after = Some(pair[1]),
                "--black" => start.black = Some(pair[1]),
                "--white" => start.white = Some(pair[1]),
                "--first" => start.first = Some(pair[1]),
                _ => start.to_move = Some(Player::White),
            }
        }
        let board = Board::new(3, 3, Topology::Plain).unwrap();
        let game = Game::new(Shape::from_rows("XXX").unwrap(), board, Rule::Strong);
        let game = if stones == 1 { game } else { game.with_stones(stones, stones)? };
        start.start(NamedGame { name: "tic".to_owned(), game, within: None })
    }

    fn shown(words: &[&str]) -> String {
        let Started { named: NamedGame { name, game, .. }, .. } = started(words).unwrap();
        let first = game.first().map_or("any".to_owned(), |first| first.to_string());
        format!("{name}: {} {} {first} {}", game.black_start(), game.white_start(), game.schedule().letters())
    }

    #[test]
    fn starts_are_read() {
        assert_eq!(shown(&[]), "tic: 0 0 any BWBWBWBWB");
        assert_eq!(shown(&["--after", "a1 b1"]), "tic on 3x3 plain after a1 b1: 1 2 any BWBWBWB");
        // White to move: Black's last stone is turn 1.
        assert_eq!(shown(&["--after", "a1 b1 b2"]), "tic on 3x3 plain after a1 b1 b2: 1 2 10 BWBWBWB");
        assert_eq!(shown(&["--black", "a1,c3"]), "tic on 3x3 plain with black a1 c3: 101 0 any BWBWBWB");
        assert_eq!(
            shown(&["--black", "a1 c3", "--to-move", "white"]),
            "tic on 3x3 plain with black a1 c3: 1 0 100 BWBWBWBW"
        );
        assert_eq!(
            shown(&["--white", "b2", "--to-move", "white"]),
            "tic on 3x3 plain with white b2: 0 10 any WBWBWBWB"
        );
        assert_eq!(shown(&["--first", "a1 b2"]), "tic on 3x3 plain first at a1 b2: 0 0 11 BWBWBWBWB");
    }

    /// Two stones a turn, White first: hers are the turns that Black would have.
    #[test]
    fn turns_of_several_stones_go_on_after_stones() {
        let letters = |words: &[&str]| started_by(2, words).unwrap().named.game.schedule().letters();
        assert_eq!(letters(&["--black", "a1 c3"]), "BBWWBBW");
        assert_eq!(letters(&["--black", "a1 c3", "--white", "b2", "--to-move", "white"]), "WWBBWW");
    }

    #[test]
    fn wrong_starts_are_refused() {
        for (words, reason) in [
            (
                &["--after", "a1", "--white", "b1"][..],
                "--after says whose stones are where; leave out --black, --white and --to-move",
            ),
            (&["--after", "a1 a1"], "the move a1: there is a stone already"),
            (&["--after", "a1 a2 b1 b2 c1"], "the game is over, Black has won at turn 5"),
            (&["--black", "a1", "--white", "a1"], "the vertex a1 starts with a stone of each colour"),
            (&["--black", "a1 a1"], "the cell a1 is given twice"),
            (&["--black", "a1 b1 c1"], "the stones on the board complete a winning set of Black before the first turn"),
            (&["--black", "d1"], "there is no cell 'd1' on 3x3 plain; its cells are a1 to c3"),
            (&["--black", "a1", "--first", "a1"], "no vertex is left for the first move"),
        ] {
            let error = started(words).err().unwrap();
            assert!(error.is::<UsageError>(), "{error}");
            assert_eq!(error.to_string(), reason);
        }
    }
}
