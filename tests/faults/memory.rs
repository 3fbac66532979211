//! Memory: what `--memory` says is kept to, and what the system refuses is said in words.

use super::ground::{Files, folder_with, harary, said};
use super::writers::WRITERS;
use std::process::Stdio;
use std::time::Duration;

/// A search of each engine that fills its tables and stores, and what it may take.
const GREEDY: [&str; 16] = [
    "harary solve fivecells-l 7x7 --engine alphabeta --fresh --threads 2",
    "harary solve snaky 9x9 --engine alphabeta --fresh --threads 1",
    "harary solve skinny 6x6 --engine alphabeta --fresh --threads 2",
    "harary solve snaky 9x9 --rule weak --engine dfpn --fresh --threads 1",
    "harary solve 5cells4 5x5 --torus --engine dfpn --fresh --threads 2",
    "harary solve 5cells2 6x6 --torus --engine dfpn --fresh --threads 1",
    "harary solve snaky 9x9 --rule weak --engine defender --fresh --threads 2",
    "harary solve 5cells4 6x6 --torus --engine defender --fresh --threads 2",
    "harary solve 5cells1 6x6 --engine defender --fresh --threads 1",
    "harary solve snaky 9x9 --fresh --threads 2",
    "harary solve 5cells4 6x6 --torus --fresh --threads 2",
    "harary solve snaky 12x12 --torus --rule weak --engine cards --fresh --threads 1",
    "harary solve skinny 7x7 --engine baseline --fresh --threads 1",
    "harary solve skinny 5x5 --stones 2,1 --fresh --threads 2",
    "harary avoid skinny 5x5",
    "harary solve snaky 9x9 --cover --fresh",
];

/// The most memory a command had, in MiB.
fn peak(command: &str) -> f64 {
    let folder = folder_with(&Files::new());
    let mut run = harary(folder.path(), command).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let status = format!("/proc/{}/status", run.id());
    let mut peak = 0;
    while run.try_wait().unwrap().is_none() {
        let known = std::fs::read_to_string(&status).unwrap_or_default();
        let line = known.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.split_whitespace().next()).and_then(|number| number.parse().ok());
        peak = peak.max(kib.unwrap_or(0u64));
        std::thread::sleep(Duration::from_millis(20));
    }
    peak as f64 / 1024.0
}

#[test]
fn a_search_keeps_to_its_memory() {
    for command in [
        "harary solve fivecells-l 7x7 --engine alphabeta --fresh --threads 1 --nodes 400000 --memory 64MiB",
        "harary solve skinny 5x5 --stones 2,1 --fresh --threads 1 --nodes 2000000 --memory 64MiB",
    ] {
        let peak = peak(command);
        assert!((32.0..=70.4).contains(&peak), "{command}: {peak:.1} MiB");
    }
}

/// How long each search runs: `HARARY_MEMORY_TIME=60s`, and with how much memory: `HARARY_MEMORY=64,256`.
#[test]
#[ignore = "a minute for each engine and size"]
fn every_engine_keeps_to_its_memory() {
    let given = |name: &str, otherwise: &str| std::env::var(name).unwrap_or_else(|_| otherwise.to_owned());
    let time = given("HARARY_MEMORY_TIME", "60s");
    let mut over = Vec::new();
    for memory in given("HARARY_MEMORY", "64,256,1024").split(',') {
        let most: f64 = memory.parse().unwrap();
        for command in GREEDY {
            let peak = peak(&format!("{command} --memory {memory}MiB --time {time}"));
            println!("{peak:7.0} of {most:5} MiB, {:4.0}%: {command}", 100.0 * peak / most);
            over.extend((peak > 1.1 * most).then(|| format!("{command} --memory {memory}MiB: {peak:.0}")));
        }
    }
    assert!(over.is_empty(), "{over:#?}");
}

/// The system gives less than was asked for: a table only becomes smaller. Where nothing is left, one line says so.
#[test]
fn refused_memory_is_said_in_words() {
    let folder = folder_with(&Files::new());
    let run = |prefix: &str, command: &str| {
        let done = harary(folder.path(), &format!("{prefix}{command}")).output().unwrap();
        (done.status, said(&done))
    };
    for memory in ["1GiB", "100GiB", "1000000GiB"] {
        let command = format!("harary solve el 3x3 --fresh --threads 1 --memory {memory}");
        let (status, said) = run("prlimit --as=300000000 ", &command);
        let refused = said.contains("the system does not give") && status.code() == Some(2);
        assert!(status.success() && said.contains("Black wins by turn 5") || refused, "{command}: {said}");
    }
    for writer in WRITERS.iter().take(3) {
        for room in [40_000_000, 80_000_000] {
            let (status, said) = run(&format!("prlimit --as={room} "), writer.command);
            let what = format!("{} with {room} bytes: {status}: {said}", writer.command);
            let told = ["memory", "cannot"].iter().any(|word| said.contains(word));
            assert!(status.success() || told && said.lines().count() < 5, "{what}");
        }
    }
    let left = super::ground::files(folder.path());
    assert!(left.keys().all(|name| name.extension().is_none_or(|ending| ending != "cert") || !left[name].is_empty()));
}
