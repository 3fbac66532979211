//! Killed at any moment: what is left is whole or as before, and the command run again succeeds.

use super::ground::{Die, files, said};
use super::writers::{Undisturbed, Writer, chosen};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Kills it at so many random moments of its run; how often it was tried until so many hit.
fn kill(writer: &Writer, moments: usize, die: &mut Die) -> usize {
    let expected = writer.undisturbed();
    let mut longest = Duration::from_millis(20);
    let (mut hits, mut tries) = (0, 0);
    while hits < moments {
        tries += 1;
        assert!(tries <= 100 * moments, "{}: the kills come too late", writer.command);
        let (_around, folder) = expected.again();
        let mut run = writer.ready(&folder, "").stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Not only where it stands at random: often near the end, where files get their names.
        let part = if hits.is_multiple_of(2) { die.roll(1000) } else { 700 + die.roll(300) };
        std::thread::sleep(longest.mul_f64(part as f64 / 1000.0));
        let ended = run.try_wait().unwrap().is_some();
        run.kill().unwrap();
        run.wait().unwrap();
        hits += usize::from(!ended);
        let wrong = expected.halves(&files(&folder));
        assert!(wrong.is_empty(), "{} killed: {wrong:?}", writer.command);
        longest = rerun(writer, &expected, &folder);
    }
    tries
}

/// The same command after the fault: it succeeds, whatever was left. How long it took.
pub fn rerun(writer: &Writer, expected: &Undisturbed, folder: &std::path::Path) -> Duration {
    let started = Instant::now();
    let done = writer.ready(folder, "").output().unwrap();
    let took = started.elapsed();
    // A farm that was planned before the fault is not planned over.
    let taken = writer.command.starts_with("harary farm plan") && said(&done).contains("has a farm already");
    let code = if taken { Some(2) } else { expected.code };
    assert_eq!(done.status.code(), code, "{} run again: {}", writer.command, said(&done));
    let lacking = expected.lacks(&files(folder));
    assert!(lacking.is_empty(), "{} run again: {lacking:?}", writer.command);
    took
}

fn kill_all(moments: usize, seed: u64) {
    let mut die = Die(seed);
    for writer in chosen() {
        let tries = kill(writer, moments, &mut die);
        println!("{moments} kills in {tries} runs: {}", writer.command);
    }
}

#[test]
fn what_a_killed_command_leaves_is_whole() {
    kill_all(3, 0x5eed);
}

#[test]
#[ignore = "200 moments of every command: some minutes"]
fn two_hundred_kills_of_every_command() {
    kill_all(200, 0xdead);
}
