//! The rows of a cross-check added up: agreement with us, and solvers, preprocessors and encodings against each other, as
//! the thesis's tables count.

use crate::qbf::crosscheck::Subject;
use crate::qbf::formula::Size;
use crate::qbf::instance::Encoding;
use crate::qbf::row::{Finding, Row};
use serde::{Serialize, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::time::Duration;

/// Counts and times over rows.
#[derive(Clone, Copy, Default, Debug, Serialize)]
pub struct Summary {
    /// Runs of programs.
    pub runs: usize,
    /// Runs that said what we say.
    pub agreements: usize,
    /// Runs that said the contrary.
    pub disagreements: usize,
    /// Runs that found no win inside a cover where there is one outside.
    pub no_cover_wins: usize,
    /// Runs without an answer in time.
    pub timeouts: usize,
    /// Runs that went wrong.
    pub failures: usize,
    /// Questions we had no answer to in time.
    pub native_timeouts: usize,
    /// Formulas that nobody was asked because the time of their game was over.
    pub not_asked: usize,
    /// Our seconds, of the runs both answered.
    #[serde(serialize_with = "rounded")]
    pub native_seconds: f64,
    /// The solvers'.
    #[serde(serialize_with = "rounded")]
    pub solver_seconds: f64,
    /// The preprocessors', each formula once.
    #[serde(serialize_with = "rounded")]
    pub preprocess_seconds: f64,
}

impl Summary {
    /// Adds the rows up.
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a Row> + Clone) -> Summary {
        let mut summary = Summary { preprocess_seconds: Times::of(rows.clone()).total, ..Summary::default() };
        let mut counted = BTreeSet::new();
        for row in rows {
            summary.runs += 1;
            let question = (row.encoding == Encoding::Pairing).then_some(row.turns);
            if counted.insert((row.subject, question)) {
                summary.native_seconds += row.native_seconds;
            }
            summary.solver_seconds += row.seconds;
            *match row.finding {
                Finding::Agreement => &mut summary.agreements,
                Finding::Disagreement => &mut summary.disagreements,
                Finding::NoCoverWin => &mut summary.no_cover_wins,
                Finding::Timeout => &mut summary.timeouts,
                Finding::Failure => &mut summary.failures,
                Finding::NativeTimeout => &mut summary.native_timeouts,
                Finding::NotAsked => &mut summary.not_asked,
            } += 1;
        }
        summary
    }

    /// How many times longer the solver took, its preprocessor included.
    pub fn ratio(&self) -> f64 {
        (self.solver_seconds + self.preprocess_seconds) / self.native_seconds.max(1e-9)
    }
}

/// A sum that is 0, and not -0, of nothing.
fn sum(seconds: impl Iterator<Item = f64>) -> f64 {
    seconds.fold(0.0, |sum, seconds| sum + seconds)
}

/// Seconds to the microsecond: what follows is noise.
fn round(seconds: f64) -> f64 {
    (seconds * 1e6).round() / 1e6
}

fn rounded<S: Serializer>(seconds: &f64, out: S) -> Result<S::Ok, S::Error> {
    round(*seconds).serialize(out)
}

fn all_rounded<S: Serializer>(seconds: &[f64], out: S) -> Result<S::Ok, S::Error> {
    out.collect_seq(seconds.iter().map(|&seconds| round(seconds)))
}

/// Times of preprocessing: a formula counts once for each preprocessor, however many solvers it served.
#[derive(Clone, Copy, Default, PartialEq, Debug, Serialize)]
pub struct Times {
    /// How many formulas.
    pub formulas: usize,
    /// The mean of their seconds.
    #[serde(serialize_with = "rounded")]
    pub mean: f64,
    /// The most.
    #[serde(serialize_with = "rounded")]
    pub most: f64,
    /// The sum.
    #[serde(serialize_with = "rounded")]
    pub total: f64,
}

impl Times {
    /// Those of the rows with a preprocessor.
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Times {
        let mut longest: BTreeMap<_, f64> = BTreeMap::new();
        for row in rows.into_iter().filter(|row| row.finding != Finding::NotAsked) {
            let Some(preprocessor) = &row.preprocessor else { continue };
            let seconds = longest.entry((row.subject, row.encoding, row.turns, preprocessor)).or_default();
            *seconds = seconds.max(row.preprocess_seconds);
        }
        let (formulas, total) = (longest.len(), sum(longest.values().copied()));
        let most = longest.values().fold(0.0, |most: f64, &seconds| most.max(seconds));
        Times { formulas, mean: if formulas == 0 { 0.0 } else { total / formulas as f64 }, most, total }
    }
}

/// Whose formulas are added up: the sides of the board, the encoding, the solver, the preprocessor.
pub type Team = (String, Encoding, String, String);

fn team(row: &Row) -> Team {
    (row.sides().to_owned(), row.encoding, row.solver.clone(), row.preprocessor_name().to_owned())
}

/// What one solver with one preprocessor made of the formulas of one encoding.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Account {
    /// The sides of the board, plain boards and tori together.
    pub board: String,
    /// The encoding.
    pub encoding: Encoding,
    /// The solver.
    pub solver: String,
    /// The preprocessor, or `none`.
    pub preprocessor: String,
    /// Games asked about.
    pub games: usize,
    /// Games that stay unknown.
    pub unknown: usize,
    /// Games Black wins, by these answers.
    pub winners: usize,
    /// Games White holds, by these answers.
    pub losers: usize,
    /// Formulas.
    pub formulas: usize,
    /// Formulas that are true.
    pub sat: usize,
    /// Formulas that are false.
    pub unsat: usize,
    /// The solver's seconds, those without an answer included.
    #[serde(serialize_with = "rounded")]
    pub seconds: f64,
    /// The seconds of true formulas.
    #[serde(serialize_with = "rounded")]
    pub sat_seconds: f64,
    /// The seconds of false formulas.
    #[serde(serialize_with = "rounded")]
    pub unsat_seconds: f64,
    /// The preprocessor's seconds.
    pub preprocessing: Times,
    /// The sum of all seconds, with twice the limit for every formula without an answer.
    #[serde(serialize_with = "rounded")]
    pub par2: f64,
}

/// The accounts of all teams; `limit` is the time of one formula.
pub fn accounts(rows: &[Row], limit: Duration) -> Vec<Account> {
    let mut groups: BTreeMap<Team, Vec<&Row>> = BTreeMap::new();
    rows.iter().for_each(|row| groups.entry(team(row)).or_default().push(row));
    groups.into_iter().map(|(team, rows)| account(team, &rows, limit)).collect()
}

fn account((board, encoding, solver, preprocessor): Team, rows: &[&Row], limit: Duration) -> Account {
    let mut games: BTreeMap<usize, Option<bool>> = BTreeMap::new();
    for row in rows {
        let known = games.entry(row.subject).or_default();
        *known = known.or(row.black_wins);
    }
    let of_games = |wanted: Option<bool>| games.values().filter(|value| **value == wanted).count();
    let of_value = |wanted: bool| rows.iter().filter(move |row| row.value == Some(wanted));
    let penalty = 2.0 * limit.as_secs_f64();
    Account {
        board,
        encoding,
        solver,
        preprocessor,
        games: games.len(),
        unknown: of_games(None),
        winners: of_games(Some(true)),
        losers: of_games(Some(false)),
        formulas: rows.len(),
        sat: of_value(true).count(),
        unsat: of_value(false).count(),
        seconds: sum(rows.iter().map(|row| row.seconds)),
        sat_seconds: sum(of_value(true).map(|row| row.seconds)),
        unsat_seconds: sum(of_value(false).map(|row| row.seconds)),
        preprocessing: Times::of(rows.iter().copied()),
        par2: sum(rows.iter().map(|row| if row.value.is_some() { row.total_seconds() } else { penalty })),
    }
}

/// A curve of a cactus plot: how many formulas a team answers within how many seconds each.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Cactus {
    /// The encoding.
    pub encoding: Encoding,
    /// The solver.
    pub solver: String,
    /// The preprocessor, or `none`.
    pub preprocessor: String,
    /// The seconds of the formulas that were answered, preprocessing included, the shortest first.
    #[serde(serialize_with = "all_rounded")]
    pub seconds: Vec<f64>,
}

/// The curves of all teams, boards together.
pub fn cactus(rows: &[Row]) -> Vec<Cactus> {
    let mut curves: BTreeMap<(Encoding, &str, &str), Vec<f64>> = BTreeMap::new();
    for row in rows {
        let curve = curves.entry((row.encoding, &row.solver, row.preprocessor_name())).or_default();
        curve.extend(row.value.map(|_| row.total_seconds()));
    }
    let curve = |((encoding, solver, preprocessor), mut seconds): ((Encoding, &str, &str), Vec<f64>)| {
        seconds.sort_by(f64::total_cmp);
        Cactus { encoding, solver: solver.to_owned(), preprocessor: preprocessor.to_owned(), seconds }
    };
    curves.into_iter().map(curve).collect()
}

/// One task in two encodings: the same game, turn, solver and preprocessor.
#[derive(Clone, PartialEq, Debug)]
pub struct Pair<'a> {
    /// In the first encoding.
    pub first: &'a Row,
    /// In the second.
    pub second: &'a Row,
    /// The seconds of both, preprocessing included.
    pub seconds: (f64, f64),
}

/// The tasks that were put in both encodings. One without an answer took as long as it was given.
pub fn pairs(rows: &[Row], (first, second): (Encoding, Encoding)) -> Vec<Pair<'_>> {
    fn task(row: &Row) -> (usize, usize, &str, &str) {
        (row.subject, row.turns, &row.solver, row.preprocessor_name())
    }
    let others: BTreeMap<_, &Row> =
        rows.iter().filter(|row| row.encoding == second).map(|row| (task(row), row)).collect();
    let asked = |row: &Row| row.finding != Finding::NotAsked;
    rows.iter()
        .filter(|row| row.encoding == first && asked(row))
        .filter_map(|row| {
            let other = *others.get(&task(row)).filter(|other| asked(other))?;
            Some(Pair { first: row, second: other, seconds: (row.total_seconds(), other.total_seconds()) })
        })
        .collect()
}

/// Of the pairs in which one of both took longer than so many seconds, in how many the second encoding was the faster.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Faster {
    /// The seconds.
    pub over: f64,
    /// So many pairs.
    pub pairs: usize,
    /// In so many the second was faster.
    pub faster: usize,
}

/// The thresholds of the thesis.
const THRESHOLDS: [f64; 4] = [0.01, 0.1, 1.0, 10.0];

/// How often the second encoding of pairs is the faster, by how long they take.
pub fn faster(pairs: &[Pair]) -> Vec<Faster> {
    let count = |over: f64| {
        let long = pairs.iter().map(|pair| pair.seconds).filter(move |(one, other)| one.max(*other) > over);
        Faster { over, pairs: long.clone().count(), faster: long.filter(|(one, other)| other < one).count() }
    };
    THRESHOLDS.map(count).to_vec()
}

/// How large the formulas of an encoding are, added up.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Sizes {
    /// Sides and topology.
    pub board: String,
    /// The encoding.
    pub encoding: Encoding,
    /// So many formulas.
    pub formulas: usize,
    /// The sum of their sizes.
    #[serde(flatten)]
    pub size: Size,
}

/// The sizes of all formulas by board and encoding.
pub fn sizes(subjects: &[Subject]) -> io::Result<Vec<Sizes>> {
    let mut sums: Vec<Sizes> = Vec::new();
    for subject in subjects {
        for &question in &subject.questions {
            let (board, encoding) = (subject.board(), question.0);
            let size = subject.instance(question)?.formula().size();
            match sums.iter_mut().find(|sum| sum.board == board && sum.encoding == encoding) {
                Some(sum) => {
                    sum.formulas += 1;
                    sum.size += size;
                }
                None => sums.push(Sizes { board, encoding, formulas: 1, size }),
            }
        }
    }
    Ok(sums)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(subject: usize, encoding: Encoding, value: Option<bool>, black_wins: Option<bool>, seconds: f64) -> Row {
        let (finding, answer) = match value {
            Some(_) => (Finding::Agreement, "SAT"),
            None => (Finding::Timeout, "no answer"),
        };
        Row {
            subject,
            shape: format!("shape{subject}"),
            board: "3x3 plain".into(),
            rule: "strong".into(),
            encoding,
            mode: "lean".into(),
            turns: 5,
            preprocessor: Some("bloqqer".into()),
            preprocess_seconds: 0.5,
            solver: "depqbf".into(),
            finding,
            native: Some(true),
            native_seconds: 0.25,
            value,
            black_wins,
            answer: answer.into(),
            seconds,
            formula: None,
            not_kept: None,
            proof: None,
        }
    }

    #[test]
    fn games_and_formulas_are_counted_apart() {
        let rows = [
            row(0, Encoding::Cor, Some(false), None, 1.0),
            Row { turns: 7, ..row(0, Encoding::Cor, Some(true), Some(true), 2.0) },
            row(1, Encoding::Cor, Some(false), Some(false), 4.0),
            row(2, Encoding::Cor, None, None, 10.0),
            Row { solver: "caqe".into(), ..row(2, Encoding::Cor, Some(true), Some(true), 3.0) },
        ];
        let found = accounts(&rows, Duration::from_secs(10));
        assert_eq!(found.len(), 2);
        let depqbf = &found[1];
        assert_eq!((depqbf.games, depqbf.unknown, depqbf.winners, depqbf.losers), (3, 1, 1, 1));
        assert_eq!((depqbf.formulas, depqbf.sat, depqbf.unsat), (4, 1, 2));
        assert_eq!((depqbf.seconds, depqbf.sat_seconds, depqbf.unsat_seconds), (17.0, 2.0, 5.0));
        assert_eq!(depqbf.par2, 1.5 + 2.5 + 4.5 + 20.0);
        assert_eq!(depqbf.preprocessing, Times { formulas: 4, mean: 0.5, most: 0.5, total: 2.0 });
        // The formula of the third game was simplified once for two solvers, and our search serves all of a game.
        let summary = Summary::of(&rows);
        assert_eq!((summary.preprocess_seconds, summary.native_seconds, summary.timeouts), (2.0, 0.75, 1));
        assert_eq!(cactus(&rows)[1].seconds, [1.5, 2.5, 4.5]);
    }

    #[test]
    fn pairs_are_of_the_same_task() {
        let rows = [
            row(0, Encoding::CorPlus, Some(true), None, 2.0),
            row(0, Encoding::Cover, Some(true), None, 1.0),
            row(1, Encoding::CorPlus, Some(true), None, 0.25),
            row(1, Encoding::Cover, Some(true), None, 0.3),
            row(2, Encoding::Cover, Some(true), None, 3.0),
            Row { turns: 7, ..row(1, Encoding::CorPlus, Some(true), None, 0.2) },
        ];
        let found = pairs(&rows, (Encoding::CorPlus, Encoding::Cover));
        assert_eq!(found.iter().map(|pair| pair.seconds).collect::<Vec<_>>(), [(2.5, 1.5), (0.75, 0.8)]);
        let shares: Vec<(usize, usize)> = faster(&found).iter().map(|share| (share.pairs, share.faster)).collect();
        assert_eq!(shares, [(2, 1), (2, 1), (1, 1), (0, 0)]);
    }
}
