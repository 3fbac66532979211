//! What a job leaves behind.
//!
//! ```text
//! of <rule> <board> <shape>
//! job <number> <round>
//! position <black> <white>
//! verdict won | held | open <proof> <disproof>
//! reply <cell or ->                       White's reply, where she holds and is to move
//! zone <cells>                            with held: the cells the hold is about
//! nodes <nodes> of <budget>
//! time <began> <ended> <processor>        milliseconds; the first two since 1970
//! worker <host> <process>
//! certificate <blake3 of the file or ->   of the position; after the reply, if there is one
//! ```
//!
//! A result counts only when the certificate beside it is accepted and is about the job's position.

use super::folder::Folder;
use super::plan::{Job, Plan};
use super::sealed::{Damage, Words, lines, unseal};
use super::tree::{End, State, to_move};
pub use super::verdict::Verdict;
use crate::engines::numbers::Numbers;
use crate::game::Game;
use harary_certificate::model::Then;
use harary_certificate::playbook::Playbook;
use harary_certificate::{Cell, Claim, Player, Stones, WIDE, WideSet};
use std::fmt::Write;
use std::{fs, io};

/// The kind of file.
pub const KIND: &str = "result";

/// A result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JobResult {
    /// The game, as [`Plan::name`] has it.
    pub of: String,
    /// The job.
    pub job: u32,
    /// Its round.
    pub round: u32,
    /// The position.
    pub stones: Stones<WIDE>,
    /// What came out.
    pub verdict: Verdict,
    /// How far it is, if open.
    pub numbers: Numbers,
    /// White's reply, where she holds and is to move.
    pub reply: Option<Cell>,
    /// With a hold: the cells it is about. Other workers believe it for the time being; the master reads the certificate.
    pub zone: WideSet,
    /// Open because nobody needed it any more.
    pub broken_off: bool,
    /// Nodes taken.
    pub nodes: u64,
    /// Nodes that it might have taken.
    pub budget: u64,
    /// When it began, in milliseconds since 1970.
    pub began: u64,
    /// When it ended.
    pub ended: u64,
    /// Processor time of all its threads, in milliseconds.
    pub processor: u64,
    /// Where it was done.
    pub worker: String,
    /// The sum of the certificate's file.
    pub certificate: Option<String>,
}

impl JobResult {
    /// Its text.
    pub fn body(&self) -> String {
        let Numbers { proof, disproof } = self.numbers;
        let Stones { black, white } = self.stones;
        let mut text = format!("of {}\njob {} {}\nposition {black} {white}\n", self.of, self.job, self.round);
        let _ = match self.verdict {
            Verdict::Open if self.broken_off => writeln!(text, "verdict open {proof} {disproof} broken-off"),
            Verdict::Open => writeln!(text, "verdict open {proof} {disproof}"),
            verdict => writeln!(text, "verdict {verdict}"),
        };
        let _ = writeln!(text, "reply {}", self.reply.map_or("-".to_owned(), |cell| cell.index().to_string()));
        let _ = writeln!(text, "zone {}\nnodes {} of {}", self.zone, self.nodes, self.budget);
        let _ = writeln!(text, "time {} {} {}", self.began, self.ended, self.processor);
        let _ = writeln!(text, "worker {}", self.worker);
        let _ = writeln!(text, "certificate {}", self.certificate.as_deref().unwrap_or("-"));
        text
    }

    /// How the job ended.
    pub fn end(&self) -> End {
        if self.broken_off {
            End::BrokenOff
        } else if self.nodes >= self.budget {
            End::Spent
        } else {
            End::Early
        }
    }

    /// Reads the bytes of its file.
    pub fn read(bytes: &[u8]) -> Result<JobResult, Damage> {
        let body = unseal(KIND, bytes)?;
        let mut found = lines(&body);
        let mut next = |name: &str| -> Result<Words<'_>, Damage> {
            let mut words = found.next().ok_or_else(|| Damage(format!("the line '{name}' is missing")))?;
            let word = words.word("word")?;
            if word == name {
                Ok(words)
            } else {
                Err(Damage::at(words.line, format!("'{word}' where '{name}' should be")))
            }
        };
        let of = next("of")?.rest();
        let mut words = next("job")?;
        let (job, round) = (words.read("job")?, words.read("round")?);
        let mut words = next("position")?;
        let stones = Stones { black: words.set("Black's stones")?, white: words.set("White's stones")? };
        let mut words = next("verdict")?;
        let verdict = words.read("verdict")?;
        let (mut numbers, mut broken_off) = (Numbers::UNIT, false);
        if verdict == Verdict::Open {
            numbers = Numbers { proof: words.read("proof number")?, disproof: words.read("disproof number")? };
            if !numbers.is_open() {
                return Err(Damage::at(words.line, "no open position has these numbers"));
            }
            broken_off = match words.rest().as_str() {
                "" => false,
                "broken-off" => true,
                other => return Err(Damage::at(words.line, format!("'{other}' where 'broken-off' may be"))),
            };
        }
        let mut words = next("reply")?;
        let reply = match words.word("reply")? {
            "-" => None,
            text => match text.parse::<usize>() {
                Ok(cell) if cell < harary_certificate::MAX_CELLS => Some(Cell::new(cell)),
                _ => return Err(Damage::at(words.line, format!("'{text}' is no cell"))),
            },
        };
        let zone = next("zone")?.set("zone")?;
        let mut words = next("nodes")?;
        let nodes = words.read("number of nodes")?;
        words.word("of")?;
        let budget = words.read("number of nodes")?;
        let mut words = next("time")?;
        let (began, ended, processor) = (words.read("time")?, words.read("time")?, words.read("time")?);
        let worker = next("worker")?.rest();
        let certificate = Some(next("certificate")?.rest()).filter(|sum| sum != "-");
        Ok(JobResult {
            of,
            job,
            round,
            stones,
            verdict,
            numbers,
            reply,
            zone,
            broken_off,
            nodes,
            budget,
            began,
            ended,
            processor,
            worker,
            certificate,
        })
    }
}

/// A result that was checked, with its certificate if it decides anything.
pub struct Checked {
    /// What it says.
    pub result: JobResult,
    /// What it says of its position.
    pub state: State,
    /// The certificate, accepted.
    pub playbook: Option<Playbook>,
}

/// The game whose certificate a decided result needs: the rest of the game after the job's position and the reply.
pub fn rest_of(game: &Game, stones: &Stones<WIDE>, reply: Option<Cell>) -> Result<Game, Damage> {
    let after = match reply {
        Some(cell) if stones.occupied().contains(cell) || cell.index() >= game.vertices() => {
            return Err(Damage("the reply is on no empty cell".to_owned()));
        }
        Some(cell) => stones.with(Player::White, cell),
        None => *stones,
    };
    game.rest(&after).map_err(|error| Damage(error.to_string()))
}

/// Reads a job's result and has its certificate checked. The damage says why it is refused.
pub fn checked(folder: &Folder, plan: &Plan, job: &Job, verdict: Verdict) -> Result<Checked, Damage> {
    let unread = |error: io::Error| Damage(format!("cannot be read: {error}"));
    let result = JobResult::read(&fs::read(folder.result(job.id, verdict)).map_err(unread)?)?;
    if (result.job, result.stones, result.verdict) != (job.id, job.stones, verdict) || result.of != plan.name() {
        return Err(Damage("it is the result of something else".to_owned()));
    }
    if verdict == Verdict::Open {
        let state = State::Open(result.numbers);
        return Ok(Checked { result, state, playbook: None });
    }
    let bytes = fs::read(folder.certificate(job.id)).map_err(|error| Damage(format!("its certificate: {error}")))?;
    if result.certificate.as_deref() != Some(blake3::hash(&bytes).to_hex().as_str()) {
        return Err(Damage("its certificate was changed or damaged".to_owned()));
    }
    let refused = |reason: String| Damage(format!("its certificate is refused: {reason}"));
    let playbook = Playbook::open(&bytes[..]).map_err(|error| refused(error.reason))?;
    let claim = playbook.proved().claim();
    let wanted = matches!((verdict, claim), (Verdict::Won, Claim::Win(_)) | (Verdict::Held, Claim::Hold(None)));
    let replies = verdict == Verdict::Held && to_move(&job.stones) == Player::White;
    if replies != result.reply.is_some() {
        return Err(Damage("a reply where none should be, or none where one should".to_owned()));
    }
    let rest = rest_of(&plan.game, &job.stones, result.reply)?;
    if !wanted || !playbook.proved().header().answers(&rest.header(claim, false, None)) {
        return Err(refused(format!("it says '{}'", playbook.proved().sentence(None))));
    }
    let state = if verdict == Verdict::Won { State::Won } else { State::Held(zone_of(&playbook, &rest, result.reply)) };
    Ok(Checked { result, state, playbook: Some(playbook) })
}

/// The cells that a hold is about: those of the node that holds the start, and the reply.
pub fn zone_of(playbook: &Playbook, rest: &Game, reply: Option<Cell>) -> WideSet {
    let empty = WideSet::first_cells(rest.vertices()) - rest.start().occupied();
    let block = playbook.proof().steps().find_map(|(at, then)| match then {
        Then::Block(node) if at.stones == rest.start() => playbook.proof().nodes().get(&node),
        _ => None,
    });
    let zone = block.map_or(empty, |node| node.open);
    reply.map_or(zone, |cell| zone.with(cell))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::farm::sealed::seal;
    #[test]
    fn results_come_back() {
        let set = |bits: &str| WideSet::from_hex(bits).unwrap();
        let result = JobResult {
            of: "weak 3x3 plain 0,0 1,0".to_owned(),
            job: 12,
            round: 2,
            stones: Stones::new(set("3"), set("10")),
            verdict: Verdict::Open,
            numbers: Numbers { proof: 4, disproof: 5 },
            reply: None,
            zone: set("1e4"),
            broken_off: true,
            nodes: 1000,
            budget: 2000,
            began: 1,
            ended: 2,
            processor: 3,
            worker: "host 77".to_owned(),
            certificate: None,
        };
        let read = |result: &JobResult| JobResult::read(seal(KIND, &result.body()).as_bytes());
        assert_eq!(read(&result).unwrap(), result);
        let open = JobResult { broken_off: false, ..result.clone() };
        assert_eq!(read(&open).unwrap(), open);
        let held = JobResult {
            verdict: Verdict::Held,
            numbers: Numbers::UNIT,
            reply: Some(Cell::new(7)),
            certificate: Some("ab".to_owned()),
            broken_off: false,
            ..result.clone()
        };
        assert_eq!(read(&held).unwrap(), held);
        for (from, to) in [
            ("open 4 5", "open 0 5"),
            ("broken-off", "broken"),
            ("job 12 2", "job 12"),
            ("reply -", "reply x"),
            ("nodes", "node"),
        ] {
            assert!(JobResult::read(seal(KIND, &result.body().replace(from, to)).as_bytes()).is_err(), "{to}");
        }
        assert_eq!("held".parse(), Ok(Verdict::Held));
        assert!("cert.zst".parse::<Verdict>().is_err());
    }
}
