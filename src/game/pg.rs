//! Games as text: the Positional Game Description 1.0, files `*.pg`.
//!
//! A file is a sequence of sections, in any order, each opened by one of the words of [`Section`]. `%` starts a comment
//! that runs to the end of the line. The sections of winning sets hold one set a line; in all others line ends are
//! blanks. A game with a section `#whitewins` is strong, one without is weak.

use crate::game::{Game, GameError, Sets};
use harary_certificate::names::is_invisible;
use harary_certificate::{Cell, MAX_CELLS, Player, Rule, Schedule, WideSet};
use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::io::{self, Read};
use thiserror::Error;

/// Longer files are refused: they are not games.
pub const MAX_BYTES: u64 = 1 << 26;

/// A file that is not a game: which file, which line, what is wrong there.
#[derive(Debug, Error)]
pub struct PgError {
    /// The file, as it was named.
    pub file: String,
    /// Unless the file as a whole is meant.
    pub line: Option<usize>,
    /// What is wrong there.
    pub mistake: Mistake,
}

impl fmt::Display for PgError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}", self.mistake)
    }
}

/// What is wrong.
#[derive(Debug, Error)]
pub enum Mistake {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// No game is that long.
    #[error("more than {} MB, that is no game", MAX_BYTES >> 20)]
    TooLong,
    /// Bytes that are no text.
    #[error("this is not text (UTF-8)")]
    NotText,
    /// A line before the first section.
    #[error("'{0}' stands before any section; sections are {list}", list = Section::list())]
    BeforeSections(String),
    /// A section that is not known.
    #[error("there is no section '{0}'; sections are {list}", list = Section::list())]
    UnknownSection(String),
    /// A section that was there already, and where.
    #[error("a second section {0}; the first is at line {1}")]
    SecondSection(Section, usize),
    /// A section that must be there.
    #[error("there is no section {0}")]
    NoSection(Section),
    /// Another version of the format.
    #[error("version '{0}' is not known; 1.0 is")]
    Version(String),
    /// More entries than a game can have.
    #[error("more than {MAX_CELLS} names in {0}")]
    TooMany(Section),
    /// The same entry again.
    #[error("'{0}' is given twice in {1}")]
    Twice(String, Section),
    /// A vertex that is not among the positions.
    #[error("'{0}' in {1} is no vertex of {positions}", positions = Section::Positions)]
    UnknownVertex(String, Section),
    /// A turn that is not among the times.
    #[error("'{0}' in {1} is no turn of {times}", times = Section::Times)]
    UnknownTurn(String, Section),
    /// A name that does not look like what it is.
    #[error("the name '{0}' has characters that cannot be seen")]
    Invisible(String),
    /// The parts are right and make no game.
    #[error("{0}")]
    Game(#[from] GameError),
}

/// The sections of a file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Section {
    /// `#version`
    Version,
    /// `#times`
    Times,
    /// `#blackturns`
    BlackTurns,
    /// `#positions`
    Positions,
    /// `#blackwins`
    BlackWins,
    /// `#whitewins`
    WhiteWins,
    /// `#blackinitials`
    BlackInitials,
    /// `#whiteinitials`
    WhiteInitials,
    /// `#firstmoves`
    FirstMoves,
}

impl Section {
    const ALL: [Section; 9] = [
        Section::Version,
        Section::Times,
        Section::BlackTurns,
        Section::Positions,
        Section::BlackWins,
        Section::WhiteWins,
        Section::BlackInitials,
        Section::WhiteInitials,
        Section::FirstMoves,
    ];

    fn word(self) -> &'static str {
        match self {
            Section::Version => "#version",
            Section::Times => "#times",
            Section::BlackTurns => "#blackturns",
            Section::Positions => "#positions",
            Section::BlackWins => "#blackwins",
            Section::WhiteWins => "#whitewins",
            Section::BlackInitials => "#blackinitials",
            Section::WhiteInitials => "#whiteinitials",
            Section::FirstMoves => "#firstmoves",
        }
    }

    fn list() -> String {
        Section::ALL.map(Section::word).join(" ")
    }
}

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// A mistake at a line, or in the file as a whole.
type Located = (Option<usize>, Mistake);

/// Reads a game; `file` is the name of its source, for messages.
pub fn read(file: &str, source: impl Read) -> Result<Game, PgError> {
    let locate = |(line, mistake): Located| PgError { file: file.to_owned(), line, mistake };
    let mut bytes = Vec::new();
    source.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| locate((None, error.into())))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(locate((None, Mistake::TooLong)));
    }
    let text = std::str::from_utf8(&bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count();
        locate((Some(line), Mistake::NotText))
    })?;
    parse(text).map_err(locate)
}

fn parse(text: &str) -> Result<Game, Located> {
    let sections = Sections::of(text)?;
    sections.check_version()?;
    let positions = sections.required(Section::Positions)?;
    let names: HashMap<&str, Cell> = numbered(positions, Section::Positions)?;
    for line in positions {
        // Names go to terminals and pages: none may carry orders for these.
        if let Some(word) = line.words.iter().find(|word| word.contains(is_invisible)) {
            return Err((Some(line.number), Mistake::Invisible(shortened(word))));
        }
    }
    let vertex = |line: usize, word: &str, section: Section| {
        names.get(word).copied().ok_or_else(|| (Some(line), Mistake::UnknownVertex(shortened(word), section)))
    };
    let set = |line: &Line, section: Section| {
        let mut set = WideSet::EMPTY;
        for word in &line.words {
            let cell = vertex(line.number, word, section)?;
            if set.contains(cell) {
                return Err((Some(line.number), Mistake::Twice(shortened(word), section)));
            }
            set.insert(cell);
        }
        Ok(set)
    };
    let sets =
        |lines: &[Line], section: Section| lines.iter().map(|line| set(line, section)).collect::<Result<Vec<_>, _>>();
    let union = |lines: &[Line], section: Section| {
        let mut all = WideSet::EMPTY;
        for line in lines {
            let cells = set(line, section)?;
            if let Some(twice) = (all & cells).first() {
                let name = line.words.iter().find(|word| names.get(**word) == Some(&twice)).unwrap_or(&"");
                return Err((Some(line.number), Mistake::Twice(shortened(name), section)));
            }
            all |= cells;
        }
        Ok(all)
    };
    let black = sets(sections.required(Section::BlackWins)?, Section::BlackWins)?;
    let white_lines = sections.lines(Section::WhiteWins);
    let game = Sets {
        black,
        rule: if white_lines.is_some() { Rule::Strong } else { Rule::Weak },
        white: sets(white_lines.unwrap_or_default(), Section::WhiteWins)?,
        schedule: schedule(&sections)?,
        black_start: union(sections.lines(Section::BlackInitials).unwrap_or_default(), Section::BlackInitials)?,
        white_start: union(sections.lines(Section::WhiteInitials).unwrap_or_default(), Section::WhiteInitials)?,
        first: match sections.lines(Section::FirstMoves) {
            None => None,
            Some(lines) => Some(union(lines, Section::FirstMoves)?),
        },
        names: positions.iter().flat_map(|line| &line.words).map(|&word| word.to_owned()).collect(),
    };
    Game::of_sets(game).map_err(|error| (None, error.into()))
}

/// Who plays at each of `#times`: Black at `#blackturns`.
fn schedule(sections: &Sections) -> Result<Schedule, Located> {
    let times = numbered(sections.required(Section::Times)?, Section::Times)?;
    let mut players = vec![Player::White; times.len()];
    for line in sections.required(Section::BlackTurns)? {
        for word in &line.words {
            let located = |mistake| (Some(line.number), mistake);
            let turn =
                times.get(word).ok_or_else(|| located(Mistake::UnknownTurn(shortened(word), Section::BlackTurns)))?;
            let player = &mut players[turn.index()];
            if *player == Player::Black {
                return Err(located(Mistake::Twice(shortened(word), Section::BlackTurns)));
            }
            *player = Player::Black;
        }
    }
    Ok(Schedule::of(players))
}

/// The words of a section that lists names, with their places; none twice, and no more than a game can have vertices.
fn numbered<'a>(lines: &[Line<'a>], section: Section) -> Result<HashMap<&'a str, Cell>, Located> {
    let mut places = HashMap::new();
    for line in lines {
        for word in &line.words {
            if places.len() == MAX_CELLS {
                return Err((Some(line.number), Mistake::TooMany(section)));
            }
            if places.insert(*word, Cell::new(places.len())).is_some() {
                return Err((Some(line.number), Mistake::Twice(shortened(word), section)));
            }
        }
    }
    Ok(places)
}

/// A word as it may stand in a message, whatever was in the file.
fn shortened(word: &str) -> String {
    const LONGEST: usize = 40;
    let mut shown: String = word.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if word.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}

/// A line that is not blank: its number and its words.
struct Line<'a> {
    number: usize,
    words: Vec<&'a str>,
}

/// The file cut into its sections.
struct Sections<'a> {
    found: Vec<(Section, usize, Vec<Line<'a>>)>,
}

impl<'a> Sections<'a> {
    fn of(text: &'a str) -> Result<Sections<'a>, Located> {
        let mut sections = Sections { found: Vec::new() };
        // Some editors put an invisible mark at the start of a file.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (index, line) in text.lines().enumerate() {
            let number = index + 1;
            let line = line.split('%').next().unwrap_or_default();
            let mut words = Vec::new();
            for word in line.split_whitespace() {
                if word.starts_with('#') {
                    sections.keep(number, std::mem::take(&mut words))?;
                    sections.open(number, word)?;
                } else {
                    words.push(word);
                }
            }
            sections.keep(number, words)?;
        }
        Ok(sections)
    }

    /// Adds the words of a line to the section that is open.
    fn keep(&mut self, number: usize, words: Vec<&'a str>) -> Result<(), Located> {
        match (words.first(), self.found.last_mut()) {
            (None, _) => Ok(()),
            (Some(word), None) => Err((Some(number), Mistake::BeforeSections(shortened(word)))),
            (Some(_), Some((_, _, lines))) => {
                lines.push(Line { number, words });
                Ok(())
            }
        }
    }

    fn open(&mut self, number: usize, word: &str) -> Result<(), Located> {
        let section = Section::ALL
            .into_iter()
            .find(|section| section.word() == word)
            .ok_or_else(|| (Some(number), Mistake::UnknownSection(shortened(word))))?;
        if let Some((_, first, _)) = self.found.iter().find(|(known, _, _)| *known == section) {
            return Err((Some(number), Mistake::SecondSection(section, *first)));
        }
        self.found.push((section, number, Vec::new()));
        Ok(())
    }

    fn lines(&self, section: Section) -> Option<&[Line<'a>]> {
        self.found.iter().find(|(known, _, _)| *known == section).map(|(_, _, lines)| lines.as_slice())
    }

    fn required(&self, section: Section) -> Result<&[Line<'a>], Located> {
        self.lines(section).ok_or((None, Mistake::NoSection(section)))
    }

    fn check_version(&self) -> Result<(), Located> {
        for line in self.lines(Section::Version).unwrap_or_default() {
            if let Some(word) = line.words.iter().find(|word| !matches!(**word, "1.0" | "1")) {
                return Err((Some(line.number), Mistake::Version(shortened(word))));
            }
        }
        Ok(())
    }
}

/// Writes a game as a file; `title` becomes a comment. Reading it gives the same vertices, sets, turns and stones.
pub fn write(game: &Game, title: &str) -> String {
    let mut text = String::new();
    for line in title.lines() {
        let _ = writeln!(text, "% {line}");
    }
    let name = |cell: Cell| game.vertex_name(cell);
    let names = |set: &WideSet| set.iter().map(name).collect::<Vec<_>>().join(" ");
    let mut section = |section: Section, lines: &[String]| {
        let _ = writeln!(text, "{section}");
        for line in lines {
            let _ = writeln!(text, "{line}");
        }
    };
    let turns = |wanted: &dyn Fn(Player) -> bool| {
        let schedule = game.schedule();
        let turns = (0..schedule.len()).filter(|&played| schedule.player_after(played).is_some_and(wanted));
        [turns.map(|played| format!("t{}", played + 1)).collect::<Vec<_>>().join(" ")]
    };
    section(Section::Version, &["1.0".to_owned()]);
    section(Section::Times, &turns(&|_| true));
    section(Section::BlackTurns, &turns(&|player| player == Player::Black));
    section(
        Section::Positions,
        &[(0..game.vertices()).map(|index| name(Cell::new(index))).collect::<Vec<_>>().join(" ")],
    );
    section(Section::BlackWins, &game.black_sets().iter().map(names).collect::<Vec<_>>());
    if game.rule() == Rule::Strong {
        section(Section::WhiteWins, &game.white_sets().iter().map(names).collect::<Vec<_>>());
    }
    for (kind, stones) in [(Section::BlackInitials, game.black_start()), (Section::WhiteInitials, game.white_start())] {
        if !stones.is_empty() {
            section(kind, &[names(stones)]);
        }
    }
    if let Some(first) = game.first() {
        section(Section::FirstMoves, &[names(first)]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::catalogue::Catalogue;
    use harary_certificate::{Board, CellSet, Topology};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn of_text(text: &str) -> Game {
        read("test.pg", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"))
    }

    fn complaint(text: &str) -> String {
        read("test.pg", text.as_bytes()).unwrap_err().to_string()
    }

    /// Winning sets as sets of names, which do not depend on the order of the vertices.
    fn named_sets(game: &Game, player: Player) -> BTreeSet<BTreeSet<String>> {
        let sets = match player {
            Player::Black => game.black_sets(),
            Player::White => game.white_sets(),
        };
        sets.iter().map(|set| set.iter().map(|cell| game.vertex_name(cell)).collect()).collect()
    }

    #[test]
    fn files_describe_the_games_of_shapes_on_boards() {
        for (text, shape, topology, turns) in [
            (include_str!("../../tests/pg/fatty-3x3.pg"), "fatty", Topology::Plain, "BWBWBWBWB"),
            (include_str!("../../tests/pg/tic-3x3-two-then-one.pg"), "tic", Topology::Plain, "BWWBBWWBB"),
            (include_str!("../../tests/pg/elly-3x3-two-then-two.pg"), "elly", Topology::Plain, "BBWWBBWWB"),
            (include_str!("../../tests/pg/el-3x3-torus.pg"), "el", Topology::Torus, "BWBWBWBWB"),
            (include_str!("../../tests/pg/tic-3x3-swapped.pg"), "tic", Topology::Plain, "WBWBWBWBW"),
        ] {
            let game = of_text(text);
            let board = Board::new(3, 3, topology).unwrap();
            let expected = Game::new(Catalogue::standard().find(shape).unwrap().shape.clone(), board, Rule::Strong);
            assert_eq!(game.rule(), Rule::Strong);
            assert_eq!(game.schedule().letters(), turns, "{shape}");
            for player in [Player::Black, Player::White] {
                assert_eq!(named_sets(&game, player), named_sets(&expected, player), "{shape}");
            }
            assert_eq!(of_text(&write(&game, "again")), game);
        }
        let first: WideSet = *of_text(include_str!("../../tests/pg/fatty-3x3.pg")).first().unwrap();
        assert_eq!(first.len(), 3);
    }

    #[test]
    fn a_hex_puzzle_is_a_weak_game_with_stones() {
        let game = of_text(include_str!("../../tests/pg/hex-3x3.pg"));
        assert_eq!(game.rule(), Rule::Weak);
        assert_eq!(game.black_sets().len(), 5);
        assert!(game.white_sets().is_empty());
        let names = |set: &WideSet| set.iter().map(|cell| game.vertex_name(cell)).collect::<Vec<_>>();
        assert_eq!(
            (names(game.black_start()), names(game.white_start())),
            (vec!["a1".into()], vec!["b3".into(), "c1".into()])
        );
        assert_eq!(of_text(&write(&game, "again")), game);
    }

    #[test]
    fn a_shape_on_a_board_is_written_with_the_names_of_its_cells() {
        let board = Board::new(2, 2, Topology::Plain).unwrap();
        let game = Game::new(Catalogue::standard().find("domino").unwrap().shape.clone(), board, Rule::Weak);
        let expected = "% domino\n#version\n1.0\n#times\nt1 t2 t3 t4\n#blackturns\nt1 t3\n#positions\na1 b1 a2 b2\n\
                        #blackwins\na1 b1\na1 a2\nb1 b2\na2 b2\n";
        assert_eq!(write(&game, "domino"), expected);
        let read_back = of_text(expected);
        assert_eq!((read_back.black_sets(), read_back.rule()), (game.black_sets(), Rule::Weak));
    }

    const GOOD: &str = "#times\nt1 t2\n#blackturns\nt1\n#positions\np q r\n#blackwins\np q\n";

    #[test]
    fn the_layout_is_free() {
        let game = of_text(GOOD);
        assert_eq!(game.rule(), Rule::Weak);
        for same in [
            "\u{feff}#times t1 t2 #blackturns t1 #positions p q r\n#blackwins p q",
            "#blackwins\r\n\r\nq p\r\np q %comment\r\n#positions\r\np\r\nq\r\nr\r\n#times\r\nt1\r\nt2\r\n#blackturns t1\r\n",
            "%#times\n#version 1.0\n#times t1%\n t2\n#blackturns\nt1\n#positions\np q\nr\n#blackwins\nq p\n#blackinitials\n#whiteinitials\n",
        ] {
            assert_eq!(of_text(same), game, "{same}");
        }
        // A section #whitewins, be it empty, makes the game strong.
        assert_eq!(of_text(&format!("{GOOD}#whitewins\n")).rule(), Rule::Strong);
    }

    #[test]
    fn mistakes_are_located() {
        let with = |more: &str| complaint(&format!("{GOOD}{more}"));
        let many = format!("#positions\n{}", (0..=MAX_CELLS).map(|i| format!("v{i} ")).collect::<String>());
        for (found, expected) in [
            (complaint(""), "test.pg: there is no section #positions"),
            (complaint("#positions\np\n"), "test.pg: there is no section #blackwins"),
            (complaint("#positions\np\n#blackwins\n"), "test.pg: there is no section #times"),
            (complaint("#positions\np\n#blackwins\n#times\nt1"), "test.pg: there is no section #blackturns"),
            (complaint(&GOOD.replace("p q r", "")), "test.pg, line 8: 'p' in #blackwins is no vertex of #positions"),
            (
                complaint(&GOOD.replace("#blackwins\np q", "#blackwins\np s")),
                "test.pg, line 8: 's' in #blackwins is no vertex of #positions",
            ),
            (
                complaint(&GOOD.replace("#blackwins\np q", "#blackwins\np p")),
                "test.pg, line 8: 'p' is given twice in #blackwins",
            ),
            (complaint(&GOOD.replace("p q r", "p q\nr p")), "test.pg, line 7: 'p' is given twice in #positions"),
            (
                complaint(&GOOD.replace("turns\nt1", "turns\nt7")),
                "test.pg, line 4: 't7' in #blackturns is no turn of #times",
            ),
            (
                complaint(&GOOD.replace("turns\nt1", "turns\nt1\nt1")),
                "test.pg, line 5: 't1' is given twice in #blackturns",
            ),
            (complaint(&GOOD.replace("t1 t2", "t1 t2 t1")), "test.pg, line 2: 't1' is given twice in #times"),
            (
                complaint(&GOOD.replace("t1 t2", "t1 t2 t3 t4")),
                "test.pg: the game has 4 turns but only 3 empty vertices",
            ),
            (complaint(&many), "test.pg, line 2: more than 1000 names in #positions"),
            (with("#times\n"), "test.pg, line 9: a second section #times; the first is at line 1"),
            (with("#version\n2.0\n"), "test.pg, line 10: version '2.0' is not known; 1.0 is"),
            (with("#firstmoves\n"), "test.pg: no vertex is left for the first move"),
            (with("#blackinitials\np\np\n"), "test.pg, line 11: 'p' is given twice in #blackinitials"),
            (with("#whitewins\nr s\n"), "test.pg, line 10: 's' in #whitewins is no vertex of #positions"),
            (with("#firstmoves\nfirst\n"), "test.pg, line 10: 'first' in #firstmoves is no vertex of #positions"),
        ] {
            assert_eq!(found, expected);
        }
        assert!(
            complaint("\n% x\nstray #times\n")
                .starts_with("test.pg, line 3: 'stray' stands before any section; sections are #version")
        );
        assert!(with("#Times\n").starts_with("test.pg, line 9: there is no section '#Times'; sections are #version"));
    }

    #[test]
    fn what_is_no_text_is_no_game() {
        let error = read("noise.pg", &b"#times\n\xff\xfe"[..]).unwrap_err();
        assert_eq!(error.to_string(), "noise.pg, line 2: this is not text (UTF-8)");
        let zeros = complaint(&"\0".repeat(5000));
        assert!(zeros.starts_with("test.pg, line 1: '\\0\\0") && zeros.len() < 300, "{zeros}");
        struct Endless;
        impl Read for Endless {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                buffer.fill(b' ');
                Ok(buffer.len())
            }
        }
        assert_eq!(
            read("endless.pg", Endless).unwrap_err().to_string(),
            "endless.pg: more than 64 MB, that is no game"
        );
    }

    fn any_game() -> impl Strategy<Value = Game> {
        let sets = || prop::collection::vec(prop::collection::btree_set(0..9usize, 1..5), 0..6);
        let turns = prop::collection::vec(any::<bool>(), 0..6);
        (sets(), sets(), any::<bool>(), turns, prop::collection::vec(0..3u8, 9), prop::option::of(1..511u64))
            .prop_filter_map("not a legal game", |(black, white, strong, turns, stones, first)| {
                let set = |cells: &BTreeSet<usize>| cells.iter().map(|&cell| Cell::new(cell)).collect::<WideSet>();
                let stones_of = |colour| (0..9).filter(|&i| i % 3 == 0 && stones[i] == colour).map(Cell::new).collect();
                let player = |&black: &bool| if black { Player::Black } else { Player::White };
                Game::of_sets(Sets {
                    names: (0..9).map(|index| format!("v{index}")).collect(),
                    black: black.iter().map(set).collect(),
                    white: white.iter().map(set).collect(),
                    rule: if strong { Rule::Strong } else { Rule::Weak },
                    schedule: Schedule::of(turns.iter().map(player).collect()),
                    black_start: stones_of(1),
                    white_start: stones_of(2),
                    first: first.map(|bits| CellSet::<1>::from_words([bits]).resized()),
                })
                .ok()
            })
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(game in any_game()) {
            prop_assert_eq!(of_text(&write(&game, "a title\nof two lines")), game);
        }

        #[test]
        fn no_text_is_too_strange(text in "(#times|#blackturns|#positions|#blackwins|#whitewins|#version|[a-c%#\\n\\r ]|\\PC){0,60}") {
            if let Err(error) = read("test.pg", text.as_bytes()) {
                prop_assert!(error.to_string().starts_with("test.pg"));
            }
        }
    }
}
