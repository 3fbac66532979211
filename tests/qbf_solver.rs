//! Solvers that misbehave: each is handled and named, and nothing of it is left running.

use harary::qbf::solver::{Ending, Run, RunLimits, Solver};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A formula that is false: x and not x.
const FALSE_FORMULA: &str = "p cnf 1 2\ne 1 0\n1 0\n-1 0\n";

struct Fake {
    folder: TempDir,
    formula: PathBuf,
}

impl Fake {
    fn new() -> Fake {
        let folder = TempDir::new().unwrap();
        let formula = folder.path().join("formula.qdimacs");
        fs::write(&formula, FALSE_FORMULA).unwrap();
        Fake { folder, formula }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A shell script as a solver; `$HERE` is its folder.
    fn solver(&self, script: &str) -> Solver {
        let path = self.path("solver");
        fs::write(&path, format!("#!/bin/sh\nHERE={}\n{script}\n", self.folder.path().display())).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        Solver::from_command(&format!("{} {{file}}", path.display())).unwrap()
    }

    fn run(&self, script: &str, limits: &RunLimits) -> Run {
        self.solver(script).run(&self.formula, limits)
    }

    /// The processes the script noted in a file, which must have noted `count`, are gone.
    fn assert_gone(&self, noted: &str, count: usize) {
        let pids: Vec<u32> =
            fs::read_to_string(self.path(noted)).unwrap().split_whitespace().map(|pid| pid.parse().unwrap()).collect();
        assert_eq!(pids.len(), count, "{pids:?}");
        for pid in pids {
            // One that was killed may still be on its way out; one that was missed sleeps for much longer than this.
            let gone = (0..600).any(|_| {
                let running = is_running(pid);
                if running {
                    std::thread::sleep(Duration::from_millis(100));
                }
                !running
            });
            assert!(gone, "{pid} is still running");
        }
    }
}

/// Whether a process lives; one that only waits to be reaped does not.
fn is_running(pid: u32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat"))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with(['Z', 'X']))
}

fn seconds(count: f64) -> RunLimits {
    RunLimits::new(Duration::from_secs_f64(count))
}

#[test]
fn one_that_sleeps_for_ever() {
    let fake = Fake::new();
    let started = Instant::now();
    let run = fake.run("echo $$ > $HERE/pids; exec sleep 1000", &seconds(0.5));
    assert_eq!(run.ending, Ending::TimedOut(Duration::from_millis(500)));
    assert_eq!(run.ending.to_string(), "no answer within 500ms");
    assert!(started.elapsed() < Duration::from_secs(30));
    fake.assert_gone("pids", 1);
}

#[test]
fn one_that_ignores_being_asked_to_end() {
    let fake = Fake::new();
    let run = fake.run("trap '' TERM INT HUP; echo $$ > $HERE/pids; while :; do sleep 1; done", &seconds(0.5));
    assert!(matches!(run.ending, Ending::TimedOut(_)));
    fake.assert_gone("pids", 1);
}

#[test]
fn one_that_forks() {
    let fake = Fake::new();
    // Children, grandchildren, and one that leaves the process group.
    let script = "for i in 1 2 3; do (sleep 1000 & echo $! >> $HERE/pids; wait) & done
        setsid sleep 1000 & sleep 0.3; pgrep -s 0 > /dev/null; echo $! >> $HERE/pids; wait";
    let run = fake.run(script, &seconds(1.0));
    assert!(matches!(run.ending, Ending::TimedOut(_)), "{:?}", run.ending);
    fake.assert_gone("pids", 4);
}

#[test]
fn one_that_answers_and_leaves_children_behind() {
    let fake = Fake::new();
    let script = "sleep 1000 & echo $! > $HERE/pids; setsid sleep 1000 & echo $! >> $HERE/pids; sleep 0.2; exit 20";
    let started = Instant::now();
    let run = fake.run(script, &seconds(60.0));
    assert_eq!(run.ending, Ending::Answer(false));
    // The children hold our pipe open; that must not hold us up.
    assert!(started.elapsed() < Duration::from_secs(30));
    fake.assert_gone("pids", 2);
}

#[test]
fn one_that_prints_without_end() {
    let fake = Fake::new();
    let run = fake.run("echo $$ > $HERE/pids; exec head -c 2000000000 /dev/zero", &seconds(60.0));
    assert_eq!(run.ending, Ending::Flooded);
    assert!(run.output.len() <= 2 << 20);
    fake.assert_gone("pids", 1);
}

#[test]
fn one_that_takes_all_memory() {
    let fake = Fake::new();
    let limits = RunLimits { memory: Some(64 << 20), ..seconds(30.0) };
    // `tail` keeps its last line, which never ends, in memory.
    let run = fake.run("tail -n 1 /dev/zero; exit $?", &limits);
    assert!(matches!(run.ending, Ending::NoAnswer(1, _)), "{:?}", run.ending);
    assert!(run.ending.to_string().contains("memory"), "{}", run.ending);
}

#[test]
fn one_that_crashes() {
    let fake = Fake::new();
    assert_eq!(fake.run("kill -SEGV $$", &seconds(10.0)).ending, Ending::Crashed(11));
    assert_eq!(fake.run("sh -c 'kill -ABRT $$'; exit $?", &seconds(10.0)).ending, Ending::Crashed(6));
}

#[test]
fn one_that_talks_rubbish() {
    let fake = Fake::new();
    let run = fake.run("echo maybe; exit 0", &seconds(10.0));
    assert_eq!(run.ending, Ending::NoAnswer(0, "maybe".into()));
    assert_eq!(run.ending.to_string(), "no answer: exit code 0, last line 'maybe'");
    assert_eq!(fake.run("exit 1", &seconds(10.0)).ending.to_string(), "no answer: exit code 1, nothing printed");
    assert_eq!(
        fake.run("printf '\\377\\376'; exit 3", &seconds(10.0)).ending,
        Ending::NoAnswer(3, "\u{fffd}\u{fffd}".into())
    );
}

#[test]
fn one_that_contradicts_itself() {
    let fake = Fake::new();
    let run = fake.run("echo UNSAT; exit 10", &seconds(10.0));
    assert_eq!(run.ending, Ending::Contradiction(true));
    assert_eq!(run.ending.to_string(), "contradicts itself: exit code says SAT, output says UNSAT");
}

#[test]
fn one_that_vanishes() {
    let fake = Fake::new();
    let solver = fake.solver("exit 10");
    fs::remove_file(fake.path("solver")).unwrap();
    assert!(matches!(solver.run(&fake.formula, &seconds(10.0)).ending, Ending::NoAnswer(127, _)));
    assert!(Solver::from_command(&format!("{} {{file}}", fake.path("solver").display())).is_err());
}

#[test]
fn a_run_can_be_stopped() {
    let fake = Fake::new();
    let limits = seconds(1000.0);
    let flag = limits.stop.clone();
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        flag.store(true, std::sync::atomic::Ordering::Relaxed);
    });
    let run = fake.run("echo $$ > $HERE/pids; exec sleep 1000", &limits);
    stopper.join().unwrap();
    assert_eq!(run.ending, Ending::Stopped);
    fake.assert_gone("pids", 1);
}

/// The real ones, on a formula that is false and one that is true.
#[test]
fn every_installed_solver_answers() {
    let fake = Fake::new();
    let truth = fake.path("true.qdimacs");
    fs::write(&truth, "c for all x there is y equal to it\np cnf 2 2\na 1 0\ne 2 0\n1 -2 0\n-1 2 0\n").unwrap();
    for name in Solver::names() {
        let solver = Solver::named(name).unwrap_or_else(|error| panic!("{error}; run tests/install-solvers.sh"));
        assert_eq!(solver.run(&fake.formula, &seconds(20.0)).ending, Ending::Answer(false), "{name}");
        assert_eq!(solver.run(&truth, &seconds(20.0)).ending, Ending::Answer(true), "{name}");
    }
}

/// Bloqqer decides these by itself, and leaves a formula of the same value where it does not.
#[test]
fn the_preprocessor_simplifies_and_decides() {
    let fake = Fake::new();
    let simplified = fake.path("simplified");
    match Solver::preprocessor("bloqqer") {
        Ok(bloqqer) => {
            let run = bloqqer.preprocess(&fake.formula, &simplified, &seconds(20.0));
            assert_eq!(run.ending, Ending::Answer(false));
        }
        Err(error) => eprintln!("SKIPPED: {error}"),
    }
    let kept = fake.solver("cat $1");
    let run = kept.preprocess(&fake.formula, &simplified, &seconds(20.0));
    assert_eq!(
        (run.ending, fs::read_to_string(simplified).unwrap().as_str()),
        (Ending::NoAnswer(0, String::new()), FALSE_FORMULA)
    );
}

/// Processor time is that of the solver and not of the clock.
#[test]
#[cfg(target_os = "linux")]
fn time_that_is_slept_costs_nothing() {
    let fake = Fake::new();
    let run = fake.run("sleep 1; exit 10", &seconds(100.0));
    assert!(run.time >= Duration::from_secs(1), "{run:?}");
    assert!(run.cost() < run.time / 2, "{run:?}");
    // What it waits for counts, also when it is another process that does the work.
    let run = fake.run("sh -c 'i=0; while [ $i -lt 2000000 ]; do i=$((i+1)); done'; exit 10", &seconds(1000.0));
    assert!(run.cost() >= Duration::from_millis(50), "{run:?}");
    let run = fake.run("sleep 1000", &seconds(0.3));
    assert_eq!(run.cost(), run.time, "what was given up took all of its time");
}

#[test]
fn an_outermost_assignment_is_read() {
    let fake = Fake::new();
    let formula = fake.path("assigned.qdimacs");
    fs::write(&formula, "p cnf 3 3\ne 1 2 0\na 3 0\n1 0\n-2 0\n1 3 0\n").unwrap();
    for name in ["depqbf", "depqbf6"] {
        let run = Solver::named(name).unwrap().run_for_assignment(&formula, &seconds(20.0)).unwrap();
        assert_eq!(run.ending, Ending::Answer(true), "{name}");
        assert_eq!(run.partial_assignment(), [1, -2], "{name}: {}", run.output);
    }
    assert!(
        Solver::from_command("/bin/cat {file}").unwrap().run_for_assignment(Path::new("x"), &seconds(1.0)).is_none()
    );
}
