//! A disk that fills at any byte: a clear error, exit code 1, no half file, no panic.
//!
//! The size of files is limited as the shell's `ulimit -f` does, to the byte. The signal is ignored, so that the write fails
//! with an error, as it does on a full disk.

use super::ground::{Die, files, said};
use super::kills::rerun;
use super::writers::{Writer, chosen};

/// Runs it with room for so many bytes in each file.
fn fill(writer: &Writer, rooms: usize, die: &mut Die) -> usize {
    let expected = writer.undisturbed();
    let new = expected.after.iter().filter(|(name, bytes)| expected.before.get(*name) != Some(bytes));
    let largest = new.map(|(_, bytes)| bytes.len() as u64).max().unwrap();
    let mut failed = 0;
    for number in 0..rooms {
        let room = match number {
            0 => 0,
            1 => largest - 1,
            2 => 1,
            _ => die.roll(largest),
        };
        let (_around, folder) = expected.again();
        let done =
            writer.ready(&folder, &format!("env --ignore-signal=XFSZ prlimit --fsize={room} ")).output().unwrap();
        let (code, said) = (done.status.code(), said(&done));
        let what = format!("{} with room for {room} bytes: {code:?}: {said}", writer.command);
        assert!(!said.contains("panicked"), "{what}");
        let found = files(&folder);
        let wrong = expected.halves(&found);
        assert!(wrong.is_empty(), "{what}: {wrong:?}");
        // Nothing is left lying about by a program that was not killed.
        assert!(found.keys().all(|name| name.extension().is_none_or(|ending| ending != "part")), "{what}");
        // Which jobs of a farm have results is not the same twice: there the exit code tells.
        let by_code = writer.command.starts_with("harary farm run") && code == Some(1);
        if expected.lacks(&found).is_empty() && !by_code {
            assert_eq!(code, expected.code, "{what}");
        } else {
            failed += 1;
            assert!(writer.reports(code), "{what}");
            assert!(said.contains("File too large"), "{what}");
        }
        rerun(writer, &expected, &folder);
    }
    assert!(failed > 0, "{} never met the end of the disk", writer.command);
    failed
}

impl Writer {
    /// Whether this is how it ends when it could not write: a game goes on and says so, and a journal that cannot be begun
    /// is known before the work.
    fn reports(&self, code: Option<i32>) -> bool {
        match code {
            Some(0) => self.command.starts_with("harary play"),
            Some(2) => self.command.contains("--journal"),
            code => code == Some(1),
        }
    }
}

fn fill_all(rooms: usize, seed: u64) {
    let mut die = Die(seed);
    for writer in chosen() {
        let failed = fill(writer, rooms, &mut die);
        println!("{rooms} sizes, {failed} too small: {}", writer.command);
    }
}

#[test]
fn a_full_disk_leaves_no_half_file() {
    fill_all(4, 0xd15c);
}

#[test]
#[ignore = "200 sizes for every command: some minutes"]
fn a_disk_that_fills_at_any_byte() {
    fill_all(200, 0xf111);
}
