//! Running QBF solvers: other people's programs, so nothing they do is taken for granted.
//!
//! A solver may hang, fork, print without end, crash, say nothing, or lie. Each run has a limit of time, memory and
//! output; when it ends, however it ends, no process it started is left. Every process carries a mark of its run in its
//! environment, and those found by the mark are ended, also those that left the process group. A solver ends with
//! code 10 for true and 20 for false; anything else is no answer.

use crate::game::words::split_words;
use nix::sys::signal::{Signal, kill, killpg};
#[cfg(target_os = "linux")]
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use std::fmt;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};
use thiserror::Error;

/// How much of what a solver prints is kept.
const KEPT_OUTPUT: usize = 1 << 20;
/// A solver that prints more than this is ended.
const MOST_OUTPUT: u64 = 64 << 20;
/// The environment variable that marks the processes of a run.
const MARK: &str = "HARARY_SOLVER_RUN";

/// The solvers that are known by name and the names of their programs.
const RECIPES: [Recipe; 6] = [
    Recipe { name: "depqbf", programs: &["depqbf"], assignment: DEPQBF_ASSIGNMENT, trace: DEPQBF_TRACE },
    Recipe {
        name: "depqbf6",
        programs: &["depqbf6", "pyqbf_depqbf"],
        assignment: DEPQBF_ASSIGNMENT,
        trace: DEPQBF_TRACE,
    },
    Recipe { name: "caqe", programs: &["caqe", "pyqbf_caqe"], assignment: &[&["--qdo"]], trace: &[] },
    Recipe { name: "qute", programs: &["qute", "pyqbf_qute"], assignment: &[], trace: &[] },
    Recipe { name: "rareqs", programs: &["rareqs", "pyqbf_rareqs"], assignment: &[], trace: &[] },
    Recipe { name: "qfun", programs: &["qfun", "pyqbf_qfun"], assignment: &[], trace: &[] },
];

/// The preprocessors that are known by name and the names of their programs.
const PREPROCESSORS: [(&str, &str); 1] = [("bloqqer", "bloqqer")];

/// Version 6 asks for both options together, version 5 does not know the second.
const DEPQBF_ASSIGNMENT: &[&[&str]] = &[&["--qdo", "--no-dynamic-nenofex"], &["--qdo"]];

/// What makes it write a Q-resolution trace without steps that such a trace cannot say.
const DEPQBF_TRACE: &[&[&str]] = &[
    &[
        "--trace",
        "--dep-man=simple",
        "--no-lazy-qpup",
        "--no-qbce-dynamic",
        "--no-dynamic-nenofex",
        "--no-trivial-falsity",
        "--no-trivial-truth",
    ],
    &["--trace", "--dep-man=simple", "--no-lazy-qpup", "--no-qbce-dynamic"],
];

struct Recipe {
    name: &'static str,
    programs: &'static [&'static str],
    /// Options that make it print the outermost assignment, to be tried in this order.
    assignment: &'static [&'static [&'static str]],
    /// Options that make it print a trace of its proof, to be tried in this order.
    trace: &'static [&'static [&'static str]],
}

/// Why a solver cannot be run at all.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum SolverError {
    /// Nobody knows a solver of this name.
    #[error("no solver '{0}'; the names are {known}, or give --solver-command \"program {{file}}\"", known = Solver::names().join(", "))]
    Unknown(String),
    /// It is not installed: its name, and the program that is missing.
    #[error("{0} is not installed: no program {1} on PATH, in $HARARY_SOLVERS or in ~/.cache/harary/qbf-venv")]
    Missing(String, String),
    /// Nobody knows a preprocessor of this name.
    #[error(
        "no preprocessor '{0}'; the names are none and {known}, any other is given as a command \"program {{file}}\"",
        known = PREPROCESSORS.map(|(name, _)| name).join(", ")
    )]
    UnknownPreprocessor(String),
    /// A command without a place for the formula.
    #[error("the command '{0}' needs {{file}} where the formula goes, for example \"depqbf {{file}}\"")]
    NoFile(String),
    /// A command with a quote that does not end.
    #[error("the command '{0}' has a quote that does not end")]
    OpenQuote(String),
}

/// What a run may use.
#[derive(Clone, Debug)]
pub struct RunLimits {
    /// Wall-clock time.
    pub time: Duration,
    /// Address space of each process, in bytes.
    pub memory: Option<u64>,
    /// Ends the run when set.
    pub stop: Arc<AtomicBool>,
}

impl RunLimits {
    /// So long, and no other limit.
    pub fn new(time: Duration) -> RunLimits {
        RunLimits { time, memory: None, stop: Arc::default() }
    }
}

/// How a run ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// True (10) or false (20).
    Answer(bool),
    /// The time was over.
    TimedOut(Duration),
    /// Somebody asked for the end.
    Stopped,
    /// Printed more than it may.
    Flooded,
    /// Ended by a signal.
    Crashed(i32),
    /// Ended with another code than 10 or 20; the last line it printed.
    NoAnswer(i32, String),
    /// Ended with the code of one answer and printed the other.
    Contradiction(bool),
    /// Could not be started.
    NotStarted(String),
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |answer: &bool| if *answer { "SAT" } else { "UNSAT" };
        match self {
            Ending::Answer(answer) => f.write_str(word(answer)),
            Ending::TimedOut(limit) => write!(f, "no answer within {}", humantime::format_duration(*limit)),
            Ending::Stopped => f.write_str("stopped"),
            Ending::Flooded => write!(f, "printed more than {} MiB and was ended", MOST_OUTPUT >> 20),
            Ending::Crashed(signal) => write!(f, "crashed: signal {signal}"),
            Ending::NoAnswer(code, line) if line.is_empty() => {
                write!(f, "no answer: exit code {code}, nothing printed")
            }
            Ending::NoAnswer(code, line) => write!(f, "no answer: exit code {code}, last line '{line}'"),
            Ending::Contradiction(code) => {
                write!(f, "contradicts itself: exit code says {}, output says {}", word(code), word(&!code))
            }
            Ending::NotStarted(reason) => write!(f, "could not be started: {reason}"),
        }
    }
}

/// A run and what is known of it.
#[derive(Clone, Debug)]
pub struct Run {
    /// How it ended.
    pub ending: Ending,
    /// How long it took, by the clock.
    pub time: Duration,
    /// How long it kept a processor busy, where the system says so; what else the machine did is not in it.
    pub processor_time: Option<Duration>,
    /// The beginning of what it printed.
    pub output: String,
}

impl Run {
    /// What an answer cost: processor time where that is known. What was given up took as long as it was given.
    pub fn cost(&self) -> Duration {
        self.processor_time.filter(|_| !matches!(self.ending, Ending::TimedOut(_))).unwrap_or(self.time)
    }

    fn not_started(error: &std::io::Error) -> Run {
        let ending = Ending::NotStarted(error.to_string());
        Run { ending, time: Duration::ZERO, processor_time: None, output: String::new() }
    }

    /// True or false, if it said so.
    pub fn answer(&self) -> Option<bool> {
        match self.ending {
            Ending::Answer(answer) => Some(answer),
            _ => None,
        }
    }

    /// The literals of the outermost block, if the solver prints them as QDIMACS says (`V 3 0`).
    pub fn partial_assignment(&self) -> Vec<i32> {
        self.output
            .lines()
            .filter_map(|line| line.strip_prefix("V "))
            .flat_map(|line| line.split_whitespace().filter_map(|word| word.parse().ok()))
            .filter(|&literal| literal != 0)
            .collect()
    }
}

/// A program that decides a QDIMACS file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solver {
    name: String,
    /// The program and its arguments; `{file}` stands for the formula.
    command: Vec<String>,
    /// As in its recipe; nothing for a solver without one.
    assignment: &'static [&'static [&'static str]],
    trace: &'static [&'static [&'static str]],
}

impl Solver {
    /// The names of the recipes.
    pub fn names() -> Vec<&'static str> {
        RECIPES.iter().map(|recipe| recipe.name).collect()
    }

    /// The solver of a recipe, if its program is on this machine: in a folder of `$HARARY_SOLVERS`, in the private
    /// environment `~/.cache/harary/qbf-venv`, or on PATH. `depqbf6` is the one in the private environment.
    pub fn named(name: &str) -> Result<Solver, SolverError> {
        let recipe =
            RECIPES.iter().find(|recipe| recipe.name == name).ok_or_else(|| SolverError::Unknown(name.to_owned()))?;
        let program = recipe
            .programs
            .iter()
            .find_map(|program| find_program(program))
            .ok_or_else(|| SolverError::Missing(name.to_owned(), recipe.programs.join(" or ")))?;
        let command = vec![program.to_string_lossy().into_owned(), "{file}".to_owned()];
        Ok(Solver { name: name.to_owned(), command, assignment: recipe.assignment, trace: recipe.trace })
    }

    /// Any program, `prog --option {file}`. Words may be quoted.
    pub fn from_command(text: &str) -> Result<Solver, SolverError> {
        let command = split_words(text).ok_or_else(|| SolverError::OpenQuote(text.to_owned()))?;
        if !command.iter().skip(1).any(|word| word.contains("{file}")) {
            return Err(SolverError::NoFile(text.to_owned()));
        }
        let name = Path::new(&command[0]).file_name().map_or(command[0].clone(), |n| n.to_string_lossy().into_owned());
        if find_program(&command[0]).is_none() {
            return Err(SolverError::Missing(name, command[0].clone()));
        }
        Ok(Solver { name, command, assignment: &[], trace: &[] })
    }

    /// A preprocessor by its name, if its program is on this machine, or any program, `prog --option {file}`, that prints
    /// the simpler formula.
    pub fn preprocessor(text: &str) -> Result<Solver, SolverError> {
        if text.contains("{file}") {
            return Solver::from_command(text);
        }
        let unknown = || SolverError::UnknownPreprocessor(text.to_owned());
        let (name, program) = PREPROCESSORS.into_iter().find(|(name, _)| *name == text).ok_or_else(unknown)?;
        let missing = || SolverError::Missing(name.to_owned(), program.to_owned());
        let program = find_program(program).ok_or_else(missing)?;
        let command = vec![program.to_string_lossy().into_owned(), "{file}".to_owned()];
        Ok(Solver { name: name.to_owned(), command, assignment: &[], trace: &[] })
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The command line, for messages.
    pub fn command(&self) -> String {
        self.command.join(" ")
    }

    /// Decides the formula in `file`.
    pub fn run(&self, file: &Path, limits: &RunLimits) -> Run {
        supervise(&self.command, file, Stdio::piped(), limits)
    }

    /// Decides the formula and asks for the assignment of the outermost block as well, where the solver can say it.
    /// `None` if it cannot.
    pub fn run_for_assignment(&self, file: &Path, limits: &RunLimits) -> Option<Run> {
        self.assignment
            .iter()
            .map(|options| {
                let mut command = self.command.clone();
                command.splice(1..1, options.iter().map(|&option| option.to_owned()));
                Solver { command, ..self.clone() }.run(file, limits)
            })
            .find(|run| run.answer().is_some() || matches!(run.ending, Ending::TimedOut(_) | Ending::Stopped))
    }

    /// Decides the formula and writes a trace of the proof to `trace`. `None` if the solver cannot.
    pub fn run_for_trace(&self, file: &Path, trace: &Path, limits: &RunLimits) -> Option<Run> {
        let mut last = None;
        for options in self.trace {
            let mut command = self.command.clone();
            command.splice(1..1, options.iter().map(|&option| option.to_owned()));
            let run = Solver { command, ..self.clone() }.preprocess(file, trace, limits);
            // A version that does not know an option says so, or aborts.
            let over = run.answer().is_some() || matches!(run.ending, Ending::TimedOut(_) | Ending::Stopped);
            last = Some(run);
            if over {
                break;
            }
        }
        last
    }

    /// Runs a preprocessor: what it prints goes to `simplified`. It may also decide the formula by itself; if it does not
    /// and all went well, it ends with code 0.
    pub fn preprocess(&self, file: &Path, simplified: &Path, limits: &RunLimits) -> Run {
        match File::create(simplified) {
            Ok(target) => supervise(&self.command, file, target.into(), limits),
            Err(error) => Run::not_started(&error),
        }
    }
}

/// What the end of a process and its output say.
pub fn ending_of(status: ExitStatus, output: &str) -> Ending {
    if let Some(signal) = status.signal() {
        return Ending::Crashed(signal);
    }
    let code = status.code().unwrap_or(-1);
    let answer = match code {
        10 => true,
        20 => false,
        // The shell that sets the limits reports a signal of the program it became as 128 + signal.
        129..=159 => return Ending::Crashed(code - 128),
        _ => {
            let last = output.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
            return Ending::NoAnswer(code, last.chars().take(120).collect());
        }
    };
    if printed_answer(output).is_some_and(|printed| printed != answer) {
        return Ending::Contradiction(answer);
    }
    Ending::Answer(answer)
}

/// The answer among the lines a solver prints, in the usual spellings.
fn printed_answer(output: &str) -> Option<bool> {
    output.lines().find_map(|line| match line.trim().to_ascii_uppercase().as_str() {
        "SAT" | "R SAT" | "C SATISFIABLE" | "SATISFIABLE" => Some(true),
        "UNSAT" | "R UNSAT" | "C UNSATISFIABLE" | "UNSATISFIABLE" => Some(false),
        line if line.starts_with("S CNF 1") => Some(true),
        line if line.starts_with("S CNF 0") => Some(false),
        _ => None,
    })
}

/// Starts a command, watches it, and leaves nothing of it behind.
fn supervise(command: &[String], file: &Path, stdout: Stdio, limits: &RunLimits) -> Run {
    static RUNS: AtomicU64 = AtomicU64::new(0);
    let mark = format!("{}-{}", std::process::id(), RUNS.fetch_add(1, Ordering::Relaxed));
    // The shell sets limits the standard library cannot set, then becomes the solver. The limit of CPU time is a second
    // net, wide enough for a solver that uses every core: should this program be killed itself, the solver does not run
    // on for ever. No core files.
    let memory = limits.memory.map_or("unlimited".to_owned(), |bytes| (bytes / 1024).to_string());
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let seconds = (limits.time.as_secs() + 60).saturating_mul(cores);
    let script = "ulimit -c 0; [ \"$1\" = unlimited ] || ulimit -v \"$1\" || exit 126; \
                  ulimit -t \"$2\" 2>/dev/null; shift 2; exec \"$@\"";
    let file = file.to_string_lossy();
    let started = Instant::now();
    let child = Command::new("/bin/sh")
        .args(["-c", script, "harary", &memory, &seconds.to_string()])
        .args(command.iter().map(|word| word.replace("{file}", &file)))
        .env(MARK, &mark)
        .stdin(Stdio::null())
        .stdout(stdout)
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) => return Run::not_started(&error),
    };
    let printed = Arc::new(AtomicU64::new(0));
    let (sender, texts) = channel();
    let mut readers = 0;
    if let Some(pipe) = child.stdout.take() {
        read_aside(pipe, printed.clone(), sender.clone());
        readers += 1;
    }
    if let Some(pipe) = child.stderr.take() {
        read_aside(pipe, printed.clone(), sender.clone());
        readers += 1;
    }
    drop(sender);
    let ended = watch(&mut child, &printed, limits);
    let processor_time = processor_time(child.id());
    let ended = ended.and_then(|()| child.wait().map_err(|error| Ending::NotStarted(error.to_string())));
    let time = started.elapsed();
    if ended.is_err() {
        // The child is not reaped yet, so its group cannot be anybody else's.
        let _ = killpg(Pid::from_raw(child.id() as i32), Signal::SIGKILL);
        let _ = child.wait();
    }
    end_marked(&mark);
    let mut output = String::new();
    for _ in 0..readers {
        // All writers are gone. Should one have hidden from us, it does not hold us up.
        match texts.recv_timeout(Duration::from_secs(2)) {
            Ok(text) => output.push_str(&text),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
        }
    }
    let ending = match ended {
        Ok(status) => ending_of(status, &output),
        Err(ending) => ending,
    };
    Run { ending, time, processor_time, output }
}

/// Reads a pipe in a thread of its own, counts what comes, keeps the beginning.
fn read_aside(mut pipe: impl Read + Send + 'static, printed: Arc<AtomicU64>, sender: Sender<String>) {
    thread::spawn(move || {
        let mut kept = Vec::new();
        let mut buffer = vec![0; 1 << 16];
        while let Ok(length @ 1..) = pipe.read(&mut buffer) {
            printed.fetch_add(length as u64, Ordering::Relaxed);
            let room = KEPT_OUTPUT - kept.len().min(KEPT_OUTPUT);
            kept.extend_from_slice(&buffer[..length.min(room)]);
        }
        // The receiver may have given up waiting.
        let _ = sender.send(String::from_utf8_lossy(&kept).into_owned());
    });
}

/// Waits for the end of the child, or for a limit. A child that has ended is not reaped yet.
fn watch(child: &mut Child, printed: &AtomicU64, limits: &RunLimits) -> Result<(), Ending> {
    let started = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        if has_ended(child) {
            return Ok(());
        }
        if limits.stop.load(Ordering::Relaxed) {
            return Err(Ending::Stopped);
        }
        if printed.load(Ordering::Relaxed) > MOST_OUTPUT {
            return Err(Ending::Flooded);
        }
        if started.elapsed() >= limits.time {
            return Err(Ending::TimedOut(limits.time));
        }
        thread::sleep(pause);
        pause = (pause * 3 / 2).min(Duration::from_millis(20));
    }
}

/// Whether the child has ended, without reaping it: while it is not, the system still knows how long it ran.
#[cfg(target_os = "linux")]
fn has_ended(child: &mut Child) -> bool {
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    waitid(Id::Pid(Pid::from_raw(child.id() as i32)), flags) != Ok(WaitStatus::StillAlive)
}

/// Whether the child has ended.
#[cfg(not(target_os = "linux"))]
fn has_ended(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// How long a process that has ended kept processors busy, with those it started and waited for. None where there is no
/// /proc.
fn processor_time(process: u32) -> Option<Duration> {
    // To the nanosecond, and only its first thread; then to the hundredth of a second, and everything.
    let fine: u64 = first_number(&fs::read_to_string(format!("/proc/{process}/schedstat")).ok()?)?;
    let counters = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name of the program stands in brackets and may hold anything.
    let ticks: u64 = counters.rsplit(')').next()?.split_whitespace().skip(11).take(4).flat_map(str::parse::<u64>).sum();
    Some(Duration::from_nanos(fine).max(Duration::from_millis(ticks * 10))).filter(|time| !time.is_zero())
}

fn first_number(text: &str) -> Option<u64> {
    text.split_whitespace().next()?.parse().ok()
}

/// Ends every process that carries the mark, until there is none. Some may be forking while we look.
fn end_marked(mark: &str) {
    let wanted = format!("{MARK}={mark}").into_bytes();
    for _ in 0..100 {
        let left: Vec<Pid> = processes()
            .filter(|pid| {
                let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
                environment.split(|&byte| byte == 0).any(|entry| entry == wanted)
            })
            .map(Pid::from_raw)
            .collect();
        if left.is_empty() {
            return;
        }
        for pid in left {
            let _ = kill(pid, Signal::SIGKILL);
        }
        thread::sleep(Duration::from_millis(1));
    }
}

/// The processes of this machine; none where there is no /proc.
fn processes() -> impl Iterator<Item = i32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// Looks for a program. One with a `/` in its name is a path.
fn find_program(name: &str) -> Option<PathBuf> {
    if name.contains('/') {
        return is_program(Path::new(name)).then(|| PathBuf::from(name));
    }
    let listed = |variable| std::env::var_os(variable).map(|list| std::env::split_paths(&list).collect::<Vec<_>>());
    let mut folders = listed("HARARY_SOLVERS").unwrap_or_default();
    if name.starts_with("pyqbf_") {
        // Those on PATH are slow wrappers in Python around these.
        folders.extend(private_folders());
    }
    folders.extend(listed("PATH").unwrap_or_default());
    folders.extend(environment().map(|folder| folder.join("bin")));
    folders.into_iter().map(|folder| folder.join(name)).find(|path| is_program(path))
}

/// The private environment of solvers.
fn environment() -> Option<PathBuf> {
    std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache/harary/qbf-venv"))
}

/// Where `pip install pyqbf` puts its programs in the private environment.
fn private_folders() -> Vec<PathBuf> {
    let Some(environment) = environment() else { return Vec::new() };
    let versions = fs::read_dir(environment.join("lib")).into_iter().flatten().flatten();
    versions.map(|version| version.path().join("site-packages/cmeel.prefix/bin")).collect()
}

fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_like_a_shell_does() {
        assert_eq!(Solver::from_command("depqbf"), Err(SolverError::NoFile("depqbf".into())));
        assert_eq!(Solver::from_command(""), Err(SolverError::NoFile("".into())));
        assert!(matches!(Solver::from_command("/no/such/program {file}"), Err(SolverError::Missing(..))));
        assert!(matches!(Solver::named("depqfb"), Err(SolverError::Unknown(_))));
        assert!(matches!(Solver::preprocessor("blocker"), Err(SolverError::UnknownPreprocessor(_))));
        assert_eq!(Solver::preprocessor("cat {file}").unwrap().name(), "cat");
    }

    #[test]
    fn answers_are_recognised_in_the_usual_spellings() {
        for (text, answer) in [
            ("SAT\n", Some(true)),
            ("UNSAT", Some(false)),
            ("c comment\ns cnf 1 3 4\nV 1 0\n", Some(true)),
            ("s cnf 0 3 4\n", Some(false)),
            ("c Unsatisfiable\n", Some(false)),
            ("the answer is SAT", None),
        ] {
            assert_eq!(printed_answer(text), answer, "{text:?}");
        }
    }
}
