//! `--time` and signals are obeyed at once: what searches, and what writes and checks proofs, looks at the clock.

use super::ground::{Files, folder_with, harary, said};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Commands that would take minutes or hours, as far as their time limit.
const HARD: [&str; 22] = [
    "harary solve snaky 9x9 --fresh",
    "harary solve snaky 9x9 --fresh --threads 1",
    "harary solve snaky 9x9 --rule weak --fresh --engine dfpn",
    "harary solve 5cells4 6x6 --torus --fresh --engine dfpn --threads 1",
    "harary solve 5cells4 6x6 --torus --fresh --engine defender",
    "harary solve snaky 12x12 --torus --rule weak --engine cards --fresh",
    "harary solve skinny 9x9 --fresh --engine baseline",
    "harary solve skinny 7x7 --fresh --engine plain",
    "harary solve fivecells-l 7x7 --within 15 --fresh --certify-least least.cert --certificate win.cert",
    "harary solve XXXXX 19x19 --fresh",
    "harary solve skinny 6x6 --stones 2,1 --fresh",
    "harary solve --row 5 9x9 --fresh",
    "harary solve hex 6x6 --fresh",
    "harary solve --row 4 4x4x4 --fresh",
    "harary solve snaky 9x9 --cover --fresh",
    "harary solve snaky 9x9 --attacker adjacent --fresh",
    "harary solve snaky 9x9 --defender beck --fresh",
    "harary solve --pg large.pg --fresh",
    "harary avoid skinny 6x6",
    "harary pave XXXXXX 19x19",
    "harary smallest snaky --up-to 12",
    "harary atlas run --shapes snaky --boards 9x9 --dir run",
];

/// Commands without `--time` that take long, and listen to signals.
const LONG: [&str; 6] = [
    "harary tablebase build skinny 4x4 -o skinny.tb",
    "harary neighbours connect 7x6 --memory 64MiB",
    "harary match minimax:5 minimax:5 --rule modular --size 5 --games 100000",
    "harary atlas verify --all",
    "harary crosscheck --boards 4x4 --solver-command 'sleep 600'",
    "harary deepen animals 4x4 --solver-command 'sleep 600'",
];

/// A game whose vertices are all alike, so that its symmetries are many: all triples of 40.
fn large_game() -> String {
    let names = |letter: &str, many: usize| (1..=many).map(|number| format!("{letter}{number}")).collect::<Vec<_>>();
    let (times, vertices) = (names("t", 39), names("v", 40));
    let black: Vec<&str> = times.iter().step_by(2).map(String::as_str).collect();
    let mut text = format!("#times\n{}\n#blackturns\n{}\n", times.join(" "), black.join(" "));
    text += &format!("#positions\n{}\n#blackwins\n", vertices.join(" "));
    for (first, one) in vertices.iter().enumerate() {
        for (second, two) in vertices.iter().enumerate().skip(first + 1) {
            text.extend(vertices[second + 1..].iter().map(|three| format!("{one} {two} {three}\n")));
        }
    }
    text
}

/// How long each takes beyond its limit, or after a signal.
fn overruns(commands: &[&str], stop: impl Fn(&str, &Path) -> Duration) -> Duration {
    let folder = folder_with(&Files::from([("here/large.pg".into(), large_game().into_bytes())]));
    let over = commands.iter().map(|command| {
        let over = stop(command, &folder.path().join("here"));
        println!("{:6.2} s over: {command}", over.as_secs_f64());
        over
    });
    over.max().unwrap_or_default()
}

/// With `--time 2s`.
fn by_limit(command: &str, folder: &Path) -> Duration {
    let limit = Duration::from_secs(2);
    let started = Instant::now();
    let done = harary(folder, &format!("{command} --time 2s")).output().unwrap();
    assert!(matches!(done.status.code(), Some(0 | 3)), "{command}: {}", said(&done));
    started.elapsed().saturating_sub(limit)
}

/// With this many signals after two seconds. The first asks to stop, the second ends the program.
fn by_signals(count: usize, command: &str, folder: &Path) -> Duration {
    let mut run = harary(folder, command).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(2));
    let started = Instant::now();
    for _ in 0..count {
        kill(Pid::from_raw(run.id() as i32), Signal::SIGTERM).unwrap();
        std::thread::sleep(Duration::from_millis(5));
    }
    let status = run.wait().unwrap();
    assert!(matches!(status.code(), Some(0..=3 | 130)), "{command}: {status}");
    started.elapsed()
}

/// So wide that only a hang reaches it.
const HANG: Duration = Duration::from_secs(60);

#[test]
fn limits_and_signals_end_a_search() {
    let some = [HARD[0], HARD[8], HARD[17]];
    assert!(overruns(&some, by_limit) < HANG);
    assert!(overruns(&some[..1], |command, folder| by_signals(1, command, folder)) < HANG);
}

#[test]
#[ignore = "two minutes; its figures want a quiet machine"]
fn every_search_obeys_limits_and_signals() {
    let all = [&HARD[..], &LONG[..]].concat();
    let signals = |count: usize| overruns(&all, |command, folder| by_signals(count, command, folder));
    let found = [overruns(&HARD, by_limit), signals(1), signals(2)];
    let [limit, one, two] = found.map(|over| over.as_secs_f64());
    println!("at most {limit:.2} s after the limit, {one:.2} s after SIGTERM, {two:.2} s after two of them");
    assert!(found.iter().all(|over| *over < HANG));
}
