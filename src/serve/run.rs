//! One run: a game to be settled, how far it is, and what came of it. This is what is kept and what the page is told.

use super::asked::{Asked, Effort};
use crate::atlas::entry::Mark;
use crate::effort::Progress;
use crate::game::Game;
use crate::game::description::certified_name;
use crate::settle::{Claimed, Least, Outcome, Settled, WhiteSide};
use serde::{Deserialize, Serialize};
use std::io;
use std::time::Duration;

/// Where a run stands.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Others are before it.
    Queued,
    /// The engine is at work.
    Running,
    /// The checker has accepted its certificate.
    Settled,
    /// Its time or memory was over first.
    Open,
    /// Its visitor stopped it.
    Stopped,
    /// The server ended before it did.
    Interrupted,
    /// A fault of the program's.
    Failed,
}

impl State {
    /// Whether nothing more will happen.
    pub fn is_over(self) -> bool {
        !matches!(self, State::Queued | State::Running)
    }
}

/// Something that was done, and when.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize, Debug)]
pub struct Step {
    /// A turn by which there is no win, or White's moves after which there is no paving.
    pub at: usize,
    /// Since the run began.
    pub seconds: f64,
}

/// How far a run has come. Turns are refuted by the search; only a certificate proves.
#[derive(Clone, PartialEq, Default, Serialize, Deserialize, Debug)]
#[serde(default)]
pub struct Seen {
    /// The proof is being written down.
    pub proving: bool,
    /// The turn limit under way.
    pub turn: Option<usize>,
    /// No win by these turns, in the order they were refuted.
    pub refuted: Vec<Step>,
    /// The levels the defender is done with: no paving after so many moves of White's.
    pub levels: Vec<Step>,
    /// Proof and disproof number of the start.
    pub numbers: Option<(u32, u32)>,
    /// Positions searched.
    pub nodes: u64,
    /// The share of the table in use, in thousandths.
    pub fill: usize,
    /// Since the run began.
    pub seconds: f64,
}

impl Seen {
    /// Takes in what the search says now; whether a turn was refuted or a level done.
    pub fn take(&mut self, progress: &Progress) -> bool {
        let seconds = to_milliseconds(progress.elapsed);
        let new = |steps: &mut Vec<Step>, at: Option<usize>| {
            let Some(at) = at.filter(|&at| steps.last().is_none_or(|last| last.at < at)) else { return false };
            steps.push(Step { at, seconds });
            true
        };
        let refuted = new(&mut self.refuted, progress.refuted_turn);
        let level = new(&mut self.levels, progress.unpaved);
        (self.proving, self.turn, self.fill) = (progress.proving, progress.turn.or(self.turn), progress.fill);
        self.numbers = progress.numbers.or(self.numbers);
        self.nodes = self.nodes.max(progress.nodes);
        self.seconds = self.seconds.max(seconds);
        refuted || level
    }
}

/// Seconds to the millisecond: what follows is noise.
pub fn to_milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e3).round() / 1e3
}

/// What an accepted certificate says.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Verdict {
    /// `win`, `hold` or `loss`.
    pub word: String,
    /// The turn by which somebody wins.
    pub by: Option<usize>,
    /// Why no earlier turn wins: `searched`, or `stones` if Black has too few.
    pub least: Option<String>,
    /// Black's first move.
    pub first_move: Option<String>,
    /// All of it in one sentence, with what was checked.
    pub sentence: String,
    /// Where White has sets of her own and turns of her own: whether she might win is open.
    pub white_open: bool,
    /// The blake3 hash of the certificate's text.
    pub hash: String,
    /// The length of its text.
    pub bytes: u64,
    /// Its lines.
    pub lines: u64,
    /// The blake3 hash of the file it is kept in.
    #[serde(default)]
    pub file: String,
}

impl Verdict {
    /// What is proved; none if nothing is.
    pub fn of(game: &Game, outcome: &mut Outcome) -> io::Result<Option<Verdict>> {
        let word = match outcome {
            Outcome::Win { .. } => "win",
            Outcome::Hold { .. } => "hold",
            Outcome::Loss { .. } => "loss",
            Outcome::NotBy { .. } | Outcome::Open { .. } => return Ok(None),
        };
        let by = outcome.win_by().or(outcome.loss_by());
        let least = match outcome {
            Outcome::Win { least: Least::Searched | Least::Certified(_), .. } | Outcome::Loss { least: true, .. } => {
                Some("searched")
            }
            Outcome::Win { least: Least::ByDistance, .. } => Some("stones"),
            _ => None,
        };
        let white_open = matches!(outcome, Outcome::Hold { white: WhiteSide::Open, .. });
        let first_move = outcome.first_move().map(|cell| game.vertex_name(cell));
        let Some(certificate) = outcome.certificate_mut() else { return Ok(None) };
        let mark = Mark::of(certificate.reader()?)?;
        let proved = certificate.proved();
        Ok(Some(Verdict {
            word: word.to_owned(),
            by,
            least: least.map(str::to_owned),
            first_move,
            sentence: proved.sentence(certified_name(proved.header()).as_deref()),
            white_open,
            hash: mark.hex(),
            bytes: mark.bytes,
            lines: proved.lines(),
            file: String::new(),
        }))
    }
}

/// A run, as it is kept.
#[derive(Clone, PartialEq, Serialize, Deserialize, Debug)]
pub struct Run {
    /// The version of this format.
    pub format: u32,
    /// Its name: sixteen digits nobody guesses.
    pub id: String,
    /// Whose it is: a hash of the visitor's secret.
    pub owner: String,
    /// The game.
    pub asked: Asked,
    /// What it may cost.
    pub effort: Effort,
    /// The game in one line.
    pub title: String,
    /// Where it stands.
    pub state: State,
    /// When it was asked for, in seconds since 1970.
    pub made: u64,
    /// How far it has come.
    pub seen: Seen,
    /// What is proved.
    pub verdict: Option<Verdict>,
    /// What else is to be said about its end.
    pub remark: Option<String>,
}

/// The version of the format that is written.
pub const FORMAT: u32 = 1;

impl Run {
    /// Takes in how a search ended. `stopped`: somebody asked it to.
    pub fn end(&mut self, settled: &Settled, verdict: Option<Verdict>, stopped: Option<State>) {
        let Settled { outcome, account } = settled;
        self.seen.nodes = self.seen.nodes.max(account.nodes);
        self.seen.proving = false;
        self.state = match &verdict {
            Some(_) => State::Settled,
            None => stopped.unwrap_or(State::Open),
        };
        self.verdict = verdict;
        self.remark =
            match outcome {
                Outcome::Open { claimed: Some(claimed), .. } => Some(unproved(claimed)),
                Outcome::Open { .. } => account.defence.as_ref().filter(|defence| defence.weak_win).map(|_| {
                    "Black wins the weak game (searched): White can hold only by threats of her own.".to_owned()
                }),
                _ => None,
            };
    }
}

/// What the search says and no certificate proves.
fn unproved(claimed: &Claimed) -> String {
    let said = match claimed {
        Claimed::Win { by, .. } => format!("Black wins by turn {by}"),
        Claimed::Hold => "White holds".to_owned(),
        Claimed::Loss { by, .. } => format!("White wins by turn {by}"),
        Claimed::NotBy(turn) => format!("Black does not win by turn {turn}"),
    };
    format!("The search says that {said}; its proof was not finished, so nothing is settled.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_refuted_stays_in_order() {
        let progress = |refuted_turn: Option<usize>, unpaved, milliseconds| Progress {
            proving: false,
            turn: refuted_turn.map(|turn| turn + 2),
            refuted_turn,
            unpaved,
            numbers: None,
            nodes: 10,
            fill: 3,
            elapsed: Duration::from_millis(milliseconds),
        };
        let mut seen = Seen::default();
        let news = [(None, None), (Some(7), None), (Some(7), Some(0)), (Some(7), Some(0)), (Some(9), Some(1))];
        let told: Vec<bool> =
            news.iter().zip(0..).map(|(&(turn, level), time)| seen.take(&progress(turn, level, time * 100))).collect();
        assert_eq!(told, [false, true, true, false, true]);
        let steps = |steps: &[Step]| steps.iter().map(|step| (step.at, step.seconds)).collect::<Vec<_>>();
        assert_eq!(steps(&seen.refuted), [(7, 0.1), (9, 0.4)]);
        assert_eq!(steps(&seen.levels), [(0, 0.2), (1, 0.4)]);
        assert_eq!((seen.turn, seen.nodes, seen.seconds), (Some(11), 10, 0.4));
    }
}
