//! The time of day, and the processor time of the threads that do a job.

use nix::time::ClockId;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Counts for one job, from its beginning: the thread it is made on, and what others add. The checker's own threads are not
/// counted; they serve all workers of a process.
pub struct Processor {
    /// Milliseconds since 1970 when it began.
    pub began: u64,
    thread: Duration,
    others: AtomicU64,
}

impl Processor {
    /// A job begins now.
    pub fn begin() -> Processor {
        Processor { began: now(), thread: of_thread(), others: AtomicU64::new(0) }
    }

    /// Does some work on another thread, and counts what it takes.
    pub fn add<T>(&self, work: impl FnOnce() -> T) -> T {
        let before = of_thread();
        let result = work();
        self.others.fetch_add(of_thread().saturating_sub(before).as_micros() as u64, Ordering::Relaxed);
        result
    }

    /// Milliseconds of processor time so far.
    pub fn spent(&self) -> u64 {
        let others = Duration::from_micros(self.others.load(Ordering::Relaxed));
        (of_thread().saturating_sub(self.thread) + others).as_millis() as u64
    }
}

/// Milliseconds since 1970.
pub fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}

/// The processor time of this thread; none where the system does not tell.
fn of_thread() -> Duration {
    ClockId::CLOCK_THREAD_CPUTIME_ID.now().map_or(Duration::ZERO, Duration::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Works until this thread has taken so many milliseconds, whatever else the machine does.
    fn work(milliseconds: u64) {
        let end = of_thread() + Duration::from_millis(milliseconds);
        while of_thread() < end {
            std::hint::spin_loop();
        }
    }

    #[test]
    fn the_threads_of_a_job_are_counted_and_no_others() {
        let processor = Processor::begin();
        std::thread::scope(|scope| {
            scope.spawn(|| processor.add(|| work(30)));
            scope.spawn(|| work(1000));
        });
        work(20);
        // The clock itself takes next to nothing; a second thread of a second would be seen.
        assert!((50..500).contains(&processor.spent()), "{}", processor.spent());
    }
}
