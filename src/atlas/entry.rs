//! What is known about a game of the atlas.

use super::key::GameKey;
use super::law;
use crate::settle::{EngineChoice, Verdict};
use harary_certificate::{Board, Cell};
use std::fmt;
use std::io::{self, Read};
use std::time::{Duration, UNIX_EPOCH};

/// What was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finding {
    /// Black wins by turn `by` at the latest, as the certificate shows; `least` if no earlier turn wins.
    Win {
        /// The turn he wins by at the latest.
        by: usize,
        /// No earlier turn wins.
        least: bool,
    },
    /// White holds.
    Hold,
    /// Stopped by the time limit.
    Unknown,
}

impl Finding {
    /// In one word.
    pub fn verdict(&self) -> Verdict {
        match self {
            Finding::Win { .. } => Verdict::Win,
            Finding::Hold => Verdict::Hold,
            Finding::Unknown => Verdict::Unknown,
        }
    }

    /// Whether anybody wins or holds.
    pub fn is_settled(&self) -> bool {
        *self != Finding::Unknown
    }

    /// With a win whose turn is proved least: that turn.
    pub fn least_turn(&self) -> Option<usize> {
        match *self {
            Finding::Win { by, least: true } => Some(by),
            _ => None,
        }
    }
}

/// `win 7`, `win by 9`, `hold`, `unknown`.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::Win { by, least: true } => write!(f, "win {by}"),
            Finding::Win { by, least: false } => write!(f, "win by {by}"),
            Finding::Hold => f.write_str("hold"),
            Finding::Unknown => f.write_str("unknown"),
        }
    }
}

/// How a certificate is known again: its blake3 hash, of the text uncompressed, and its length.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Mark {
    /// The blake3 hash of its text.
    pub hash: [u8; 32],
    /// The length of its text.
    pub bytes: u64,
}

impl Mark {
    /// The mark of a text.
    pub fn of(text: &mut impl Read) -> io::Result<Mark> {
        let mut hasher = blake3::Hasher::new();
        let bytes = io::copy(text, &mut hasher)?;
        Ok(Mark { hash: *hasher.finalize().as_bytes(), bytes })
    }

    /// The whole hash, in hexadecimal digits.
    pub fn hex(&self) -> String {
        self.hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// `blake3:` and as many digits as people compare.
    pub fn short(&self) -> String {
        format!("blake3:{}", &self.hex()[..16])
    }
}

/// Whether it is certified that no earlier turn wins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leastness {
    /// Nobody asked for it.
    NotAsked,
    /// Not done in the time given.
    Open,
    /// Certified.
    Certified(Mark),
}

impl Leastness {
    /// The certificate that no earlier turn wins, if there is one.
    pub fn mark(&self) -> Option<Mark> {
        match *self {
            Leastness::Certified(mark) => Some(mark),
            Leastness::NotAsked | Leastness::Open => None,
        }
    }
}

/// What is known about one game. A verdict has the mark of an accepted certificate: see [`Entry::is_sound`].
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// The game.
    pub key: GameKey,
    /// What is proved of it.
    pub finding: Finding,
    /// No win by this turn: proved by search, certified only if `leastness` says so.
    pub refuted_turn: Option<usize>,
    /// With a win: Black's first move, a cell of the key's board.
    pub first_move: Option<Cell>,
    /// The engine that had the last word.
    pub engine: String,
    /// The time it took, certificate written and checked.
    pub time: Duration,
    /// Positions searched.
    pub nodes: u64,
    /// Bytes for tables; with more or less the certificate may be another.
    pub memory: u64,
    /// The time it was allowed to take.
    pub given: Duration,
    /// Seconds since 1970.
    pub settled_at: u64,
    /// Of the verdict.
    pub certificate: Option<Mark>,
    /// That no earlier turn wins.
    pub leastness: Leastness,
    /// With a verdict proved by the certificate of another game, carried over: that game.
    pub borrowed: Option<GameKey>,
}

impl Entry {
    /// Whether the parts fit together, above all that a verdict has its certificate.
    pub fn is_sound(&self) -> bool {
        let cells = self.key.board().size();
        let legal_turn = |turn: usize| turn % 2 == 1 && turn <= cells;
        let by = match self.finding {
            Finding::Win { by, .. } => legal_turn(by) && self.refuted_turn.is_none_or(|refuted| refuted < by),
            _ => self.first_move.is_none() && self.leastness == Leastness::NotAsked,
        };
        let least = self.finding.least_turn().is_none_or(|turn| turn == self.refuted_turn.map_or(1, |turn| turn + 2));
        // A block serves all shapes around its own on its board, under either rule; the rest are laws between games.
        let lender = |lender: &GameKey| match self.finding {
            Finding::Win { .. } => law::between(lender, &self.key).is_some(),
            Finding::Hold => {
                let block = lender.board() == self.key.board() && lender.shapes().are_inside(self.key.shapes());
                block || law::between(&self.key, lender).is_some()
            }
            Finding::Unknown => false,
        };
        by && least
            && self.borrowed.as_ref().is_none_or(lender)
            && self.finding.is_settled() == self.certificate.is_some()
            && self.refuted_turn.is_none_or(legal_turn)
            && self.first_move.is_none_or(|cell| cell.index() < cells)
    }

    /// Whether this says more than `other` about the same game. Of two that say the same neither does.
    pub fn knows_more_than(&self, other: &Entry) -> bool {
        let rank = |entry: &Entry| {
            let certified = matches!(entry.leastness, Leastness::Certified(_));
            let earlier = match entry.finding {
                Finding::Win { by, .. } => usize::MAX - by,
                _ => 0,
            };
            let (settled, least) = (entry.finding.is_settled(), entry.finding.least_turn().is_some());
            // That more time did not help is worth knowing where something is open.
            let open = !settled || entry.finding.verdict() == Verdict::Win && !(least && certified);
            let given = if open { entry.given } else { Duration::ZERO };
            let asked = entry.leastness != Leastness::NotAsked;
            (settled, least, certified, entry.refuted_turn, earlier, asked, given)
        };
        rank(self) > rank(other)
    }

    /// Black's first move on `board`, which is the key's board, maybe turned.
    pub fn first_move_on(&self, board: &Board) -> Option<Cell> {
        let (x, y) = self.key.board().xy(self.first_move?);
        Some(if board.width() == self.key.board().width() { board.cell(x, y) } else { board.cell(y, x) })
    }

    /// The day it was settled, `2026-11-16`.
    pub fn day(&self) -> String {
        let time = UNIX_EPOCH + Duration::from_secs(self.settled_at.min(LATEST));
        humantime::format_rfc3339(time).to_string().chars().take(10).collect()
    }

    /// Whether it is open who wins, or by which turn at the earliest.
    pub fn is_open(&self) -> bool {
        match self.finding {
            Finding::Win { least, .. } => !least,
            Finding::Hold => false,
            Finding::Unknown => true,
        }
    }

    /// The command that goes on with an open game, for four times as long as before.
    pub fn command_to_go_on(&self) -> String {
        let seconds = (4.0 * self.given.as_secs_f64()).ceil().max(60.0) as u64;
        let time = humantime::format_duration(Duration::from_secs(seconds)).to_string().replace(' ', "");
        format!("harary solve {} --fresh --time {time}", self.key.arguments())
    }

    /// The engine that has to be asked for by name if the certificate is to be found again.
    pub fn wanted_engine(&self) -> Option<EngineChoice> {
        [EngineChoice::Threats, EngineChoice::Defender].into_iter().find(|engine| engine.name() == self.engine)
    }

    /// What was refuted before stays refuted, and with it a turn found now may be the least.
    pub fn with_refuted(mut self, before: Option<usize>) -> Entry {
        if let Finding::Win { by, least: least @ false } = &mut self.finding {
            self.refuted_turn = self.refuted_turn.max(before.filter(|turn| turn < by));
            *least = self.refuted_turn.is_some_and(|turn| turn + 2 == *by);
        }
        self
    }

    /// The command that gives the certificate again.
    pub fn command(&self) -> String {
        if self.borrowed.is_some() {
            return format!("harary atlas certificate {} --output FILE", self.key.arguments());
        }
        let arguments = self.key.arguments();
        // What was settled elsewhere took more than a search of one machine: a farm gives a certificate, if not this one. Farms
        // are for single shapes.
        if self.engine == ADDED && self.key.shape().is_some() {
            return format!(
                "harary farm plan {arguments} -o DIR && harary farm run DIR --local 2 --rounds 1000 && \
                 harary farm merge DIR -o FILE"
            );
        }
        let mebibyte = 1 << 20;
        let memory = match self.memory.is_multiple_of(mebibyte) {
            true => format!("{}MiB", self.memory / mebibyte),
            false => format!("{}B", self.memory),
        };
        let engine = match self.wanted_engine() {
            Some(engine) => format!(" --fresh --engine {}", engine.name()),
            // What follows for several shapes from the shipped tablebase would be answered by another certificate.
            None if self.key.shape().is_none() => " --fresh".to_owned(),
            None => String::new(),
        };
        format!("harary solve {arguments} --threads 1 --memory {memory}{engine} --certificate FILE")
    }
}

/// The engine of a game that was added by its certificate.
pub const ADDED: &str = "certificate";

/// The last second whose year has four digits.
const LATEST: u64 = 253_402_300_799;

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::atlas::Shapes;
    use crate::game::ground::Family;
    use crate::game::words::parse_target;
    use harary_certificate::{Rule, Shape, Topology};

    pub fn key(rows: &str, board: &str, topology: Topology, rule: Rule) -> GameKey {
        GameKey::new(&Shape::from_rows(rows).unwrap(), Board::parse(board, topology).unwrap(), rule)
    }

    /// The game of a target of several shapes.
    pub fn targets(target: &str, board: &str, topology: Topology, rule: Rule) -> GameKey {
        let board = Board::parse(board, topology).unwrap();
        let named = parse_target(target, Family::Plain).unwrap();
        GameKey::new(Shapes::of_target(&named.target, Some(&board)).unwrap(), board, rule)
    }

    /// A win of el on 3x3.
    pub fn win() -> Entry {
        Entry {
            key: key("XX/X.", "3x3", Topology::Plain, Rule::Strong),
            finding: Finding::Win { by: 5, least: true },
            refuted_turn: Some(3),
            first_move: Some(Cell::new(4)),
            engine: "alphabeta".into(),
            time: Duration::from_micros(1234),
            nodes: 56,
            memory: 256 << 20,
            given: Duration::from_secs(60),
            settled_at: 1_794_787_200,
            certificate: Some(Mark { hash: [7; 32], bytes: 99 }),
            leastness: Leastness::NotAsked,
            borrowed: None,
        }
    }

    #[test]
    fn a_game_has_one_key() {
        let upright = key("XX/X.", "3x5", Topology::Torus, Rule::Weak);
        assert_eq!(upright, key(".X/XX", "5x3", Topology::Torus, Rule::Weak));
        assert_eq!(upright.arguments(), "el 3x5 --torus --rule weak");
        assert_eq!(upright.to_string(), "el 3x5 torus weak");
        assert_eq!(GameKey::of(&upright.game()), Some(upright.clone()));
        assert_eq!(GameKey::of(&upright.game().with_handicap(1)), None);
        let creature = key("X.X", "3x3", Topology::Plain, Rule::Strong);
        assert_eq!(creature.arguments(), "\"0,0 0,2\" 3x3");
        assert_eq!(creature.stem(), "0-0-0-2-3x3-plain-strong");
    }

    #[test]
    fn several_shapes_have_one_key() {
        let row = targets("row3", "5x4", Topology::Plain, Rule::Weak);
        for spelled in ["D3+I3", "tic+D3", "XXX+D3+skinny", "row3+row4"] {
            assert_eq!(targets(spelled, "4x5", Topology::Plain, Rule::Weak), row, "{spelled}");
        }
        assert_eq!((row.shape(), row.arguments()), (None, "tic+D3 4x5 --rule weak".to_owned()));
        assert_eq!((row.to_string(), row.stem()), ("tic+D3 4x5 plain weak".into(), "tic+D3-4x5-plain-weak".into()));
        let blank = targets("X.X+domino+tippy", "3x3", Topology::Torus, Rule::Strong);
        assert_eq!(blank.arguments(), "\"domino+0,0 0,2\" 3x3 --torus");
        for key in [&row, &blank] {
            assert_eq!(GameKey::of(&key.game()).as_ref(), Some(key));
            assert_eq!(GameKey::of(&key.game().with_handicap(1)), None);
        }
        // Full lines are those of a board, and one shape is a shape, however it is spelled.
        assert_eq!(
            targets("lines", "4x4", Topology::Plain, Rule::Weak),
            targets("row4", "4x4", Topology::Plain, Rule::Weak)
        );
        assert_eq!(
            targets("tic+skinny", "4x4", Topology::Plain, Rule::Weak),
            key("XXX", "4x4", Topology::Plain, Rule::Weak)
        );
    }

    #[test]
    fn the_first_move_turns_with_the_board() {
        let entry =
            Entry { key: key("XX", "2x3", Topology::Plain, Rule::Strong), first_move: Some(Cell::new(3)), ..win() };
        let name = |sides: &str| {
            let board = Board::parse(sides, Topology::Plain).unwrap();
            board.cell_name(entry.first_move_on(&board).unwrap())
        };
        assert_eq!((name("2x3"), name("3x2")), ("b2".into(), "b2".into()));
        let corner = Entry { first_move: Some(Cell::new(4)), ..entry.clone() };
        let wide = Board::parse("3x2", Topology::Plain).unwrap();
        assert_eq!(wide.cell_name(corner.first_move_on(&wide).unwrap()), "c1");
    }

    #[test]
    fn a_verdict_needs_its_certificate() {
        assert!(win().is_sound());
        let wrong = [
            Entry { certificate: None, ..win() },
            Entry { refuted_turn: Some(5), ..win() },
            Entry { refuted_turn: None, ..win() },
            Entry { finding: Finding::Unknown, ..win() },
            Entry { finding: Finding::Win { by: 6, least: false }, ..win() },
            Entry { first_move: Some(Cell::new(9)), ..win() },
        ];
        for entry in wrong {
            assert!(!entry.is_sound(), "{entry:?}");
        }
    }

    #[test]
    fn what_says_more_is_kept() {
        let unknown = Entry { finding: Finding::Unknown, certificate: None, first_move: None, ..win() };
        let late = Entry { finding: Finding::Win { by: 7, least: false }, ..win() };
        let certified = Entry { leastness: Leastness::Certified(Mark { hash: [1; 32], bytes: 1 }), ..win() };
        let rising = [Entry { refuted_turn: None, ..unknown.clone() }, unknown, late, win(), certified];
        for (index, entry) in rising.iter().enumerate() {
            for (other_index, other) in rising.iter().enumerate() {
                assert_eq!(entry.knows_more_than(other), index > other_index, "{index} {other_index}");
            }
        }
    }

    #[test]
    fn days_and_commands_are_written_out() {
        assert_eq!(win().day(), "2026-11-16");
        assert_eq!(Entry { settled_at: u64::MAX, ..win() }.day().len(), 10);
        assert_eq!(win().command(), "harary solve el 3x3 --threads 1 --memory 256MiB --certificate FILE");
        let by = |engine: &str| Entry { engine: engine.to_owned(), ..win() }.command();
        assert!(
            by("threats").contains(" --fresh --engine threats ") && by(ADDED).starts_with("harary farm plan el 3x3 ")
        );
        let several =
            Entry { key: targets("tic+el", "4x4", Topology::Plain, Rule::Weak), engine: ADDED.to_owned(), ..win() };
        let command = "harary solve tic+el 4x4 --rule weak --threads 1 --memory 256MiB --fresh --certificate FILE";
        assert_eq!(several.command(), command);
        assert_eq!(win().certificate.unwrap().short(), "blake3:0707070707070707");
    }
}
