//! What is to be settled, how rounds are planned, and the jobs of one round.

use super::error::FarmError;
use super::sealed::{Damage, lines};
use crate::engines::numbers::Numbers;
use crate::game::Game;
use harary_certificate::{Board, Rule, Shape, Stones, Topology, WIDE};
use std::fmt::Write;

/// The plan of a farm.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What is to be settled: a shape on a board.
    pub game: Game,
    /// How many workers there are to be.
    pub workers: usize,
    /// How many jobs a round has at most, the spare ones included.
    pub jobs: usize,
    /// How many of them are not spare.
    pub certain: usize,
    /// Nodes that a job may take in the first round.
    pub budget: u64,
    /// What the budget is multiplied by from round to round, in percent.
    pub growth: u64,
    /// Facts that a job sends back at most.
    pub facts: usize,
    /// The round planned last.
    pub round: u32,
    /// Jobs planned so far, in all rounds.
    pub planned: u32,
}

/// A position to be settled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Job {
    /// Its number, counted from 1 over all rounds.
    pub id: u32,
    /// The position.
    pub stones: Stones<WIDE>,
    /// Nodes that it may take.
    pub budget: u64,
    /// The numbers at which it is given back undecided: by then another one may be nearer.
    pub limit: Numbers,
    /// It is done only while another job of the round that is not spare is to be done.
    pub spare: bool,
}

/// The jobs of one round, in the order in which they are wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Round {
    /// Counted from 1.
    pub number: u32,
    /// Their numbers are consecutive.
    pub jobs: Vec<Job>,
}

/// Jobs for each worker that are not spare. Measured on 2026-11-19 with one worker and 1, 3 and 8: 5cells3 6x6, weak, 0.60, 0.49 and 0.68
/// million nodes; skinny 7x7 torus 1.10, 1.95 and 1.56; fivecells-l 6x6 0.04, 0.04 and 0.11; with two workers and 1, 2 and 4 for each:
/// 1.50, 0.79 and 0.75; 1.05, 0.51 and 1.22; 0.04, 0.04 and 0.21.
pub const CERTAIN: usize = 2;

impl Plan {
    /// A plan without rounds.
    pub fn new(game: Game, workers: usize, jobs: usize, budget: u64, growth: u64) -> Result<Plan, FarmError> {
        if game.shape_on_board().is_none() || !game.is_whole() || !game.schedule().is_alternating() {
            let wanted =
                "a farm settles a shape on a plain board or a torus, from the empty board, the players alternating";
            return Err(FarmError::Unsuited(wanted));
        }
        // Few jobs may say more each.
        let facts = (4_000_000 / jobs.max(1)).clamp(50, 20_000);
        let certain = CERTAIN.saturating_mul(workers).min(jobs);
        Ok(Plan { game, workers, jobs, certain, budget, growth, facts, round: 0, planned: 0 })
    }

    /// The same with so many jobs of a round that are not spare.
    pub fn with_certain(self, certain: usize) -> Plan {
        Plan { certain, ..self }
    }

    /// Its text.
    pub fn body(&self) -> String {
        let Plan { game, workers, jobs, certain, budget, growth, facts, round, planned } = self;
        let mut text = String::new();
        if let Some((shape, board)) = game.shape_on_board() {
            let _ = writeln!(text, "game {board} {shape}");
        }
        let _ = writeln!(text, "rule {}", game.rule());
        let _ = writeln!(text, "workers {workers}\njobs {jobs}\ncertain {certain}");
        let _ = writeln!(text, "budget {budget}\ngrowth {growth}\nfacts {facts}");
        let _ = writeln!(text, "round {round}\nplanned {planned}");
        text
    }

    /// Reads its text.
    pub fn read(body: &str) -> Result<Plan, Damage> {
        let mut found = lines(body);
        let mut next = |name: &str| {
            let mut words = found.next().ok_or_else(|| Damage(format!("the line '{name}' is missing")))?;
            match words.word("word")? {
                word if word == name => Ok(words),
                word => Err(Damage::at(words.line, format!("'{word}' where '{name}' should be"))),
            }
        };
        let mut words = next("game")?;
        let (line, sides) = (words.line, words.word("board")?);
        let topology = match words.word("topology")? {
            "plain" => Topology::Plain,
            "torus" => Topology::Torus,
            other => return Err(Damage::at(line, format!("'{other}' is neither plain nor torus"))),
        };
        let board = Board::parse(sides, topology).map_err(|error| Damage::at(line, error))?;
        let shape = Shape::from_cells(&words.rest()).map_err(|error| Damage::at(line, error))?;
        let mut words = next("rule")?;
        let rule = match words.word("rule")? {
            "weak" => Rule::Weak,
            "strong" => Rule::Strong,
            other => return Err(Damage::at(words.line, format!("'{other}' is no rule"))),
        };
        let mut number = |name: &str| next(name)?.read::<u64>("number");
        let (workers, jobs) = (number("workers")?, number("jobs")?);
        // Plans of earlier builds have no such line.
        let certain =
            if body.contains("\ncertain ") { number("certain")? } else { (CERTAIN as u64).saturating_mul(workers) };
        let (budget, growth) = (number("budget")?, number("growth")?);
        let (facts, round, planned) = (number("facts")?, number("round")?, number("planned")?);
        let small = |number: u64| u32::try_from(number).map_err(|_| Damage(format!("{number} is too large")));
        Ok(Plan {
            game: Game::new(shape, board, rule),
            workers: small(workers)? as usize,
            jobs: small(jobs)? as usize,
            certain: small(certain)? as usize,
            budget,
            growth,
            facts: small(facts)? as usize,
            round: small(round)?,
            planned: small(planned)?,
        })
    }

    /// What a result names to say which game it is of.
    pub fn name(&self) -> String {
        let words = self.game.shape_on_board().map(|(shape, board)| format!("{board} {shape}"));
        format!("{} {}", self.game.rule(), words.unwrap_or_default())
    }

    /// Nodes for a job of a round.
    pub fn budget_of(&self, round: u32) -> u64 {
        (1..round).fold(self.budget, |budget, _| (budget / 100).saturating_mul(self.growth).max(budget))
    }
}

impl Round {
    /// Its text.
    pub fn body(&self) -> String {
        let mut text = format!("round {}\n", self.number);
        for Job { id, stones: Stones { black, white }, budget, limit: Numbers { proof, disproof }, spare } in &self.jobs
        {
            let spare = if *spare { " spare" } else { "" };
            let _ = writeln!(text, "job {id} {black} {white} {budget} {proof} {disproof}{spare}");
        }
        text
    }

    /// Reads its text.
    pub fn read(body: &str, plan: &Plan) -> Result<Round, Damage> {
        let mut found = lines(body);
        let mut words = found.next().ok_or_else(|| Damage("no round".to_owned()))?;
        words.word("round")?;
        let number = words.read("number")?;
        let board = harary_certificate::WideSet::first_cells(plan.game.vertices());
        let mut jobs: Vec<Job> = Vec::new();
        for mut words in found {
            words.word("job")?;
            let (id, black, white) =
                (words.read("number")?, words.set("Black's stones")?, words.set("White's stones")?);
            let budget = words.read("budget")?;
            let limit = Numbers { proof: words.read("proof number")?, disproof: words.read("disproof number")? };
            let spare = match words.word("spare") {
                Ok("spare") => true,
                Ok(_) => return Err(Damage::at(words.line, "more than a job")),
                Err(_) => false,
            };
            let job = Job { id, stones: Stones { black, white }, budget, limit, spare };
            let turn = black.len().checked_sub(white.len()).is_some_and(|more| more < 2);
            if !black.is_disjoint(&white) || !(black | white).is_subset(&board) || !turn {
                return Err(Damage::at(words.line, "the stones are no position of the game"));
            }
            if jobs.last().is_some_and(|last| Some(id) != last.id.checked_add(1)) {
                return Err(Damage::at(words.line, "the numbers of the jobs are not consecutive"));
            }
            words.end()?;
            jobs.push(job);
        }
        Ok(Round { number, jobs })
    }

    /// The numbers of its jobs, first and last.
    pub fn ids(&self) -> Option<(u32, u32)> {
        Some((self.jobs.first()?.id, self.jobs.last()?.id))
    }

    /// The job with this number.
    pub fn job(&self, id: u32) -> Result<&Job, FarmError> {
        let (first, last) = self.ids().unwrap_or((0, 0));
        let found = id.checked_sub(first).and_then(|place| self.jobs.get(place as usize));
        found.ok_or(FarmError::NoJob { job: id, round: self.number, first, last })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use harary_certificate::WideSet;

    fn plan() -> Plan {
        let board = Board::new(4, 3, Topology::Torus).unwrap();
        Plan::new(Game::new(Shape::from_rows("XXX").unwrap(), board, Rule::Weak), 2, 200, 1000, 150).unwrap()
    }

    #[test]
    fn plans_and_rounds_come_back() {
        let plan = Plan { round: 3, planned: 17, ..plan() };
        let read = Plan::read(&plan.body()).unwrap();
        assert_eq!((read.body(), read.game.clone()), (plan.body(), plan.game.clone()));
        assert_eq!((read.budget_of(1), read.budget_of(3)), (1000, 2250));
        let set = |bits: &str| WideSet::from_hex(bits).unwrap();
        let stones = Stones::new(set("3"), set("10"));
        let limit = Numbers { proof: 3, disproof: 4 };
        let last = Job { id: 6, stones: Stones::NONE, budget: 7, limit: Numbers::NO_LIMIT, spare: true };
        let jobs = vec![Job { id: 5, stones, budget: 9, limit, spare: false }, last];
        let round = Round { number: 2, jobs };
        assert_eq!(Round::read(&round.body(), &plan).unwrap(), round);
        assert_eq!(round.job(6).unwrap().budget, 7);
        assert!(round.job(4).is_err() && round.job(7).is_err());
        for wrong in
            ["5 3 11 9 3 4", "5 3 1000 9 3 4", "5 7 10 9 3 4", "5 3 10 9 9", "5 3 10", "x 3 10 9 3 4", "5 3 10 9 3 4 5"]
        {
            assert!(Round::read(&format!("round 2\njob {wrong}\n"), &plan).is_err(), "{wrong}");
        }
        assert!(Plan::read(&plan.body().replace("torus", "sphere")).is_err());
        let before = plan.body().replace("certain 4\n", "");
        assert!(before != plan.body() && Plan::read(&before).unwrap().certain == 4, "{before}");
    }
}
