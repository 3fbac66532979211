//! The published tables, claim by claim: `tablebases/published.csv`.
//!
//! A claim is what a source says, not what is true. What is meant by the words of the column `claim`:
//!
//! | claim | says |
//! |---|---|
//! | `smallest` | on this board, and on no smaller square one, Black wins, and `turn` is the least turn |
//! | `least` | Black wins, and `turn` is the least turn |
//! | `win` | Black wins |
//! | `win-by`, `no-win-by` | Black wins by `turn`, or does not |
//! | `hold`, `never` | White holds, on this board or on all |
//! | `open` | the source does not know |
//! | `paving`, `no-paving` | White can, or cannot, play up to `turn` so that a paving exists after it |
//! | `count` | of the `games` of a set of shapes so many win, hold, are unknown to the source |
//! | `last-k` | some shape of a set is settled at this number of turns, not before |
//! | `variables`, `universal`, `existential`, `clauses`, `literals` | the formulas of the encoding `row` for `turn` turns, as published, have so many together: `number` |
//! | `times` | nothing but how long the source took |

use super::selection::animals;
use crate::game::catalogue::Catalogue;
use harary_certificate::{Board, Rule, Shape, Topology};
use serde::Deserialize;
use std::sync::LazyLock;
use thiserror::Error;

static ALL: LazyLock<Vec<Published>> = LazyLock::new(|| {
    // The file is compiled in and a test reads it: a failure here cannot reach a user.
    read(include_str!("../../tablebases/published.csv")).expect("the published tables are well-formed")
});

/// A table and what it is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableName {
    /// As it is written on the command line.
    pub name: &'static str,
    /// What stands above it.
    pub title: &'static str,
    /// What is compared.
    pub compared: &'static str,
}

const COUNTS: &str = "Compared are the numbers of winners and losers: those of the source must not exceed ours, and \
    together with its unknowns they must be all games. The seconds are the source's for all games with one solver, and \
    the sum of ours, one thread, certificates written and checked.";
const TURNS: &str = "Compared is the least turn by which Black wins on the board given and, where the source says that the \
    board is the smallest, that White holds on all smaller square ones.";

const SIZES: &str = "Compared are the sizes of the formulas as published (--faithful), counted again on the spot and added up \
    over the shapes.";
const TIMES: &str = "The source's times are of its own machine and prove nothing; measured are ours, where somebody has measured: \
    docs/accounting.md says how.";

/// The tables that can be printed.
pub const TABLES: [TableName; 20] = [
    TableName { name: "thesis-4.1", title: "Thesis, table 4.1: 3x3, plain and torus, 48 games", compared: COUNTS },
    TableName { name: "thesis-4.2", title: "Thesis, table 4.2: 4x4, plain and torus, 98 games", compared: COUNTS },
    TableName {
        name: "thesis-4.3",
        title: "Thesis, table 4.3: the time of preprocessing on 4x4, 98 formulas of each encoding",
        compared: TIMES,
    },
    TableName { name: "thesis-4.4", title: "Thesis, table 4.4: sizes on 4x4, 49 formulas each", compared: SIZES },
    TableName { name: "thesis-4.5", title: "Thesis, table 4.5: 5x5, plain and torus, 110 games", compared: COUNTS },
    TableName {
        name: "thesis-4.6",
        title: "Thesis, table 4.6: 5x5 by iterative deepening, 55 games each",
        compared: COUNTS,
    },
    TableName {
        name: "thesis-4.7",
        title: "Thesis, table 4.7: 5x5, the number of turns the games are settled at",
        compared: "The numbers of the table are a picture; its text says that every k from 0 to 11 occurs, timeouts \
            counted. Ours are the wins with least turn k, for odd k; with --solve, for even k, the holds with a paving \
            after k turns and not before.",
    },
    TableName {
        name: "thesis-4.8",
        title: "Thesis, table 4.8: snaky, White's pavings after k turns",
        compared: "Compared is whether White can play k turns so that a paving exists after them. Ours is searched on the \
            spot and has no certificate.",
    },
    TableName {
        name: "thesis-5.1",
        title: "Thesis, table 5.1: 5x5, plain and torus, 94 games",
        compared: "Compared are the numbers of winners and losers: those of the source must not exceed ours, and together \
            with its unknowns they must be all its games. The source has 47 animals that fit on 4x4, elam left out; there are \
            48 of at most 6 cells, and it does not say which is missing, so ours are about 96 games.",
    },
    TableName { name: "thesis-5.7", title: "Thesis, figure 5.7: COVER against COR+, task by task", compared: TIMES },
    TableName { name: "thesis-6.1", title: "Thesis, table 6.1: 3x3 tori, COR+ and COR++, 24 games", compared: COUNTS },
    TableName {
        name: "thesis-6.2",
        title: "Thesis, table 6.2: 4x4 tori, true and false formulas apart, 49 games",
        compared: TIMES,
    },
    TableName { name: "thesis-6.3", title: "Thesis, table 6.3: 5x5 tori, 13 games that are won", compared: TIMES },
    TableName { name: "thesis-6.4", title: "Thesis, table 6.4: sizes of the domino's formulas", compared: SIZES },
    TableName {
        name: "thesis-7.1",
        title: "Thesis, table 7.1: the animals",
        compared: "Compared is the least turn by which Black wins on the board given and that White holds on all smaller \
            square ones: the table is read as giving the smallest board, as Harary's does. Lines of section 7.3 say more.",
    },
    TableName { name: "thesis-7.2", title: "Thesis, table 7.2: the creatures inside snaky", compared: TURNS },
    TableName { name: "harary-1982", title: "Harary 1982: the winning animals", compared: TURNS },
    TableName { name: "encyclopedia", title: "The encyclopedia's table: the winning animals", compared: TURNS },
    TableName {
        name: "harries-2026",
        title: "Harries 2026: achievement numbers of four small polyominoes",
        compared: "Compared is the least turn by which Black wins on the board given, that White holds on all smaller square \
            ones, and the hold of snaky. The source has certificates of its own, made and checked by other programs.",
    },
    TableName {
        name: "snaky-2026",
        title: "Snaky, weak rule: wins published in 2026",
        compared: "Compared is whether Black wins, by the turn given where the source gives one.",
    },
];

/// What is counted of formulas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// All variables.
    Variables,
    /// Those under "for all".
    Universal,
    /// Those under "exists".
    Existential,
    /// Clauses.
    Clauses,
    /// Literals over all clauses.
    Literals,
}

impl Part {
    /// All of them.
    const ALL: [Part; 5] = [Part::Variables, Part::Universal, Part::Existential, Part::Clauses, Part::Literals];

    /// As it is written in the file.
    pub fn name(self) -> &'static str {
        match self {
            Part::Variables => "variables",
            Part::Universal => "universal",
            Part::Existential => "existential",
            Part::Clauses => "clauses",
            Part::Literals => "literals",
        }
    }

    /// So many of them, in words.
    pub fn counted(self, number: usize) -> String {
        let noun = if matches!(self, Part::Universal | Part::Existential) { " variables" } else { "" };
        format!("{number} {}{noun}", self.name())
    }
}

/// What a source says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// On this board and on no smaller square one Black wins, by this turn at the least.
    Smallest(usize),
    /// Black wins, by this turn at the least.
    Least(usize),
    /// Black wins.
    Win,
    /// Black wins by this turn.
    WinBy(usize),
    /// Black does not win by this turn.
    NoWinBy(usize),
    /// White holds.
    Hold,
    /// White holds on every board.
    Never,
    /// The source does not know.
    Open,
    /// White can play so that there is a paving after so many turns.
    Paving(usize),
    /// She cannot.
    NoPaving(usize),
    /// Of a set of shapes.
    Count {
        /// So many are won.
        wins: usize,
        /// So many are held.
        holds: usize,
        /// So many the source does not know.
        unknown: usize,
        /// So many there are.
        games: usize,
    },
    /// Some shape of a set is settled at so many turns, and not before.
    LastK(usize),
    /// The formulas of an encoding, named by the row, have so many of something together.
    Size {
        /// Of what.
        part: Part,
        /// For so many turns.
        turns: usize,
        /// So many.
        number: usize,
    },
    /// Only how long it took.
    Times,
}

/// One claim of one source.
#[derive(Clone, Debug)]
pub struct Published {
    /// The table it stands in.
    pub table: String,
    /// Who says so.
    pub source: String,
    /// The keys of its sources in `sources.bib`.
    pub cite: Vec<String>,
    /// What the row is called where there are several about the same games.
    pub row: String,
    /// The name of the shape, or of the set of shapes.
    pub subject: String,
    /// The shapes meant.
    pub shapes: Vec<Shape>,
    /// Its sides, unless the claim is about all boards.
    pub board: Option<(usize, usize)>,
    /// Plain, torus or both.
    pub topologies: Vec<Topology>,
    /// The rule.
    pub rule: Rule,
    /// What is claimed.
    pub claim: Claim,
    /// How long it took, as the source puts it.
    pub time: String,
    /// What is to be said besides.
    pub note: String,
}

impl Published {
    /// Its boards, one for each topology; none if it is about all boards.
    pub fn boards(&self) -> Vec<Board> {
        let sides = self.board.into_iter();
        let boards =
            sides.flat_map(|(width, height)| self.topologies.iter().map(move |&t| Board::new(width, height, t)));
        boards.filter_map(Result::ok).collect()
    }

    /// The claim in words.
    pub fn text(&self) -> String {
        match self.claim {
            Claim::Smallest(turn) => format!("win {turn}, smallest board"),
            Claim::Least(turn) => format!("win {turn}"),
            Claim::Win => "win".to_owned(),
            Claim::WinBy(turn) => format!("win by {turn}"),
            Claim::NoWinBy(turn) => format!("no win by {turn}"),
            Claim::Hold => "hold".to_owned(),
            Claim::Never => "hold on all boards".to_owned(),
            Claim::Open => "open".to_owned(),
            Claim::Paving(turn) => format!("paving after {turn} turns"),
            Claim::NoPaving(turn) => format!("no paving after {turn} turns"),
            Claim::Count { wins, holds, unknown, .. } => format!("{wins} win, {holds} hold, {unknown} unknown"),
            Claim::LastK(turn) => format!("some game ends at k = {turn}"),
            Claim::Size { part, number, .. } => part.counted(number),
            Claim::Times => "times only".to_owned(),
        }
    }
}

/// All claims, in the order of the file.
pub fn all() -> &'static [Published] {
    &ALL
}

/// Why the file cannot be read.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("published.csv, line {line}: {mistake}")]
pub struct PublishedError {
    /// The line, from 1.
    pub line: u64,
    /// What is wrong there.
    pub mistake: String,
}

/// A line of the file.
#[derive(Deserialize)]
struct Line {
    table: String,
    source: String,
    /// Keys of `sources.bib`, blanks between them.
    cite: String,
    row: String,
    shape: String,
    board: String,
    topology: String,
    rule: Rule,
    claim: String,
    turn: Option<usize>,
    wins: Option<usize>,
    holds: Option<usize>,
    unknown: Option<usize>,
    games: Option<usize>,
    number: Option<usize>,
    time: String,
    note: String,
}

/// Reads the text of a file of claims.
pub fn read(text: &str) -> Result<Vec<Published>, PublishedError> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let mut claims = Vec::new();
    for (index, line) in reader.deserialize::<Line>().enumerate() {
        let wrong = |mistake: String| PublishedError { line: index as u64 + 2, mistake };
        claims.push(line.map_err(|error| wrong(error.to_string()))?.published().map_err(wrong)?);
    }
    Ok(claims)
}

impl Line {
    fn published(self) -> Result<Published, String> {
        if !TABLES.iter().any(|table| table.name == self.table) {
            return Err(format!("no table '{}'", self.table));
        }
        let board = match self.board.as_str() {
            "" => None,
            text => Board::parse(text, Topology::Plain)
                .map(|board| Some((board.width(), board.height())))
                .map_err(|error| error.to_string())?,
        };
        let topologies = match self.topology.as_str() {
            "plain" => vec![Topology::Plain],
            "torus" => vec![Topology::Torus],
            "both" => vec![Topology::Plain, Topology::Torus],
            other => return Err(format!("'{other}' is not plain, torus or both")),
        };
        let fitting =
            |(width, height): (usize, usize)| animals(6).into_iter().filter(move |shape| shape.fits(width, height));
        let shapes: Vec<Shape> = match (self.shape.as_str(), board) {
            ("animals:6", Some(board)) => fitting(board).collect(),
            ("animals:6 on 4x4 but elam", Some(_)) => {
                fitting((4, 4)).filter(|shape| shape.size() > 1 && shape.fits(4, 4)).collect()
            }
            // The source does not name them.
            ("13 games that are won", _) => Vec::new(),
            (name, _) => {
                let entry = Catalogue::standard().find(name).ok_or_else(|| format!("no shape '{name}'"))?;
                vec![entry.shape.clone()]
            }
        };
        let turn = || self.turn.ok_or_else(|| format!("'{}' needs a turn", self.claim));
        let claim = match (self.claim.as_str(), self.wins, self.holds, self.unknown, self.games) {
            ("smallest", ..) => Claim::Smallest(turn()?),
            ("least", ..) => Claim::Least(turn()?),
            ("win", ..) => Claim::Win,
            ("win-by", ..) => Claim::WinBy(turn()?),
            ("no-win-by", ..) => Claim::NoWinBy(turn()?),
            ("hold", ..) => Claim::Hold,
            ("never", ..) => Claim::Never,
            ("open", ..) => Claim::Open,
            ("paving", ..) => Claim::Paving(turn()?),
            ("no-paving", ..) => Claim::NoPaving(turn()?),
            ("last-k", ..) => Claim::LastK(turn()?),
            ("count", Some(wins), Some(holds), Some(unknown), Some(games)) => {
                Claim::Count { wins, holds, unknown, games }
            }
            ("times", ..) => Claim::Times,
            (other, ..) => match (Part::ALL.into_iter().find(|part| part.name() == other), self.number) {
                (Some(part), Some(number)) => Claim::Size { part, turns: turn()?, number },
                _ => return Err(format!("'{other}' is no claim, or its numbers are missing")),
            },
        };
        if board.is_none() && !matches!(claim, Claim::Open | Claim::Never) {
            return Err(format!("'{}' needs a board", self.claim));
        }
        Ok(Published {
            table: self.table,
            source: self.source,
            cite: self.cite.split_whitespace().map(str::to_owned).collect(),
            row: self.row,
            subject: self.shape,
            shapes,
            board,
            topologies,
            rule: self.rule,
            claim,
            time: self.time,
            note: self.note,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_well_formed_and_every_table_is_in_it() {
        let claims = read(include_str!("../../tablebases/published.csv")).unwrap();
        for table in TABLES {
            assert!(claims.iter().any(|claim| claim.table == table.name), "{}", table.name);
        }
        for claim in &claims {
            let ours = claim.shapes.len() * claim.topologies.len();
            match claim.claim {
                // The source has one shape less than fit; it does not say which.
                Claim::Count { games, .. } if claim.table == "thesis-5.1" => assert_eq!((games, ours), (94, 96)),
                Claim::Count { games, .. } => assert_eq!(games, ours, "{claim:?}"),
                _ => {}
            }
        }
    }

    #[test]
    fn mistakes_are_located() {
        let header =
            "table,source,cite,row,shape,board,topology,rule,claim,turn,wins,holds,unknown,games,number,time,note\n";
        for (line, mistake) in [
            ("nowhere,s,k,,el,3x3,plain,strong,hold,,,,,,,,", "no table 'nowhere'"),
            ("thesis-7.1,s,k,,ell,3x3,plain,strong,hold,,,,,,,,", "no shape 'ell'"),
            ("thesis-7.1,s,k,,el,3x3,sphere,strong,hold,,,,,,,,", "'sphere' is not plain, torus or both"),
            ("thesis-7.1,s,k,,el,3x3,plain,strong,least,,,,,,,,", "'least' needs a turn"),
            ("thesis-7.1,s,k,,el,,plain,strong,hold,,,,,,,,", "'hold' needs a board"),
            ("thesis-7.1,s,k,,el,3x3,plain,strong,count,,1,,,,,,", "'count' is no claim, or its numbers are missing"),
            (
                "thesis-4.4,s,k,COR,el,3x3,plain,strong,clauses,9,,,,,,,",
                "'clauses' is no claim, or its numbers are missing",
            ),
            ("thesis-4.4,s,k,COR,el,3x3,plain,strong,clauses,,,,,,7,,", "'clauses' needs a turn"),
            ("thesis-7.1,s,k,,el,40x3,plain,strong,hold,,,,,,,,", "a board is 1x1 to 19x19, not 40x3"),
        ] {
            let error = read(&format!("{header}{line}\n")).unwrap_err();
            assert_eq!(error.to_string(), format!("published.csv, line 2: {mistake}"));
        }
    }
}
