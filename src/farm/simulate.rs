//! What more workers would make of the same jobs: the times of a farm that was run, replayed against a model of a scheduler.
//!
//! The model: the jobs of a round are handed out in their order to the first worker that is free. Handing out a task takes
//! the scheduler some time, one task after the other, and starting it takes the worker some. A round begins when all jobs of the one before are
//! done and the master has planned. A job takes the processor time it took, on whatever worker: nobody gets faster or
//! slower, and nobody learns more or less than he did.

use super::result::JobResult;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The scheduler, times in milliseconds.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// Handing out one task, during which no other is handed out.
    pub dispatch: u64,
    /// Starting a task: a process, its tables, the facts.
    pub start: u64,
    /// The master between two rounds.
    pub plan: u64,
    /// Jobs that a task does one after the other.
    pub each: usize,
}

/// What comes of it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    /// Workers.
    pub workers: usize,
    /// Milliseconds from the first task to the last.
    pub span: u64,
    /// How many times as fast as one worker under the same model.
    pub speed_up: f64,
    /// The same for each worker.
    pub efficiency: f64,
}

/// The milliseconds that the rounds take with so many workers. Each round is the times of its jobs, in their order.
fn span(rounds: &[Vec<u64>], workers: usize, model: &Model) -> u64 {
    let mut now = 0;
    for jobs in rounds {
        // Each worker by the time at which it is free, the next one first.
        let mut free: BinaryHeap<Reverse<u64>> = (0..workers.max(1)).map(|_| Reverse(now)).collect();
        let (mut scheduler, mut end) = (now, now);
        for task in jobs.chunks(model.each.max(1)) {
            let Some(Reverse(worker)) = free.pop() else { break };
            scheduler = scheduler.max(worker) + model.dispatch;
            let done = scheduler + model.start + task.iter().sum::<u64>();
            end = end.max(done);
            free.push(Reverse(done));
        }
        now = end + model.plan;
    }
    now
}

/// Replays the rounds for each number of workers.
pub fn simulate(rounds: &[Vec<JobResult>], workers: &[usize], model: &Model) -> Vec<Outcome> {
    let times: Vec<Vec<u64>> = rounds.iter().map(|jobs| jobs.iter().map(|job| job.processor).collect()).collect();
    let alone = span(&times, 1, model);
    let of = |&workers: &usize| {
        let span = span(&times, workers, model);
        let speed_up = alone as f64 / span.max(1) as f64;
        Outcome { workers, span, speed_up, efficiency: speed_up / workers.max(1) as f64 }
    };
    workers.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: Model = Model { dispatch: 0, start: 0, plan: 0, each: 1 };

    #[test]
    fn workers_share_the_jobs_of_a_round_and_wait_for_the_last() {
        let rounds = [vec![10, 10, 10, 30], vec![5]];
        assert_eq!(span(&rounds, 1, &FREE), 65);
        assert_eq!(span(&rounds, 2, &FREE), 45);
        assert_eq!(span(&rounds, 100, &FREE), 35);
        let model = Model { dispatch: 1, start: 2, plan: 7, each: 2 };
        // Two tasks of 20 and 40, and one of 5.
        assert_eq!(span(&rounds, 1, &model), (1 + 2 + 20) + (1 + 2 + 40) + 7 + (1 + 2 + 5) + 7);
        assert_eq!(span(&rounds, 2, &model), (2 + 2 + 40) + 7 + (1 + 2 + 5) + 7);
    }
}
