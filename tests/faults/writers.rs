//! Every command that writes files, with what it needs and how one sees that a file is whole.

use super::ground::{Files, files, folder_with, harary, said};
use harary::farm::sealed;
use std::ffi::OsStr;
use std::path::Path;

/// A command that writes.
pub struct Writer {
    /// The command line.
    pub command: &'static str,
    /// What it is told on standard input.
    pub input: &'static str,
    /// Commands that make what it reads.
    pub before: &'static [&'static str],
}

/// What commands write. None takes long, so that many moments of each can be tried.
pub const WRITERS: [Writer; 30] = [
    of("harary solve 4cells2 6x6 --fresh --threads 1 --certificate win.cert --certify-least least.cert.zst", &[]),
    of("harary solve X5 5x5 --torus --fresh --threads 1 --certificate hold.cert", &[]),
    of("harary solve tic 3x3 --stones 2,1 --fresh --threads 1 --certificate hold.cert --certify-draw draw.cert", &[]),
    of("harary solve XXX 5x5 --rule weak --engine cards --fresh --threads 1 --learn --cards rows.cards", &[]),
    of("harary avoid el 3x3 --certificate el.avoid", &[]),
    of("harary strategy --test \"$TEXT\" el 3x3 --certificate mine.cert", &[]),
    of("harary encode cor+ tippy 4x4 --turns 7 -o t.qdimacs", &["encode cor+ el 3x3 --turns 3 -o t.qdimacs"]),
    of("harary verify el.qdimacs unsat", &["encode cor+ el 3x3 --turns 3 -o el.qdimacs"]),
    of("harary tablebase build el 4x3 -o el.tb", &[]),
    of("harary atlas run --shapes el,tic --boards 3x3 --both --threads 1 --dir run --certificates kept", &[]),
    of(
        "harary atlas add hold.cert --dir run --certificates kept",
        &["solve fatty 4x4 --fresh --threads 1 --certificate hold.cert"],
    ),
    // What follows for games that were given no time is proved by carrying a certificate over.
    of(
        "harary atlas laws --dir run --settle more",
        &[
            "atlas run --shapes knobby --boards 5x5 --rule weak --threads 1 --dir run",
            "atlas run --shapes knobby --boards 6x6,7x7 --rule weak --threads 1 --dir run --time-each 1ns",
        ],
    ),
    of("harary atlas certificate tippy 4x4 --output tippy.cert", &[]),
    of("harary atlas merge --dir run --into tables", &["atlas run --shapes el,tic --boards 3x3 --threads 1 --dir run"]),
    of(
        "harary atlas export --dir run --html site --pages --certificates kept",
        &["atlas run --shapes el,tic --boards 3x3 --threads 1 --dir run --certificates kept"],
    ),
    of("harary cards import \"$CARDS\" --shape XX -o domino.cards", &[]),
    of(
        "harary cards export rows.cards -o rows.txt",
        &["solve XXX 5x5 --rule weak --engine cards --fresh --threads 1 --learn --cards rows.cards"],
    ),
    of("harary view win.cert -o page.html", &["solve fivecells-y 6x6 --threads 1 --certificate win.cert"]),
    of(
        "harary crosscheck --shapes el,tic,domino --solver-command 'sh -c \"exit 20\" {file}' --keep kept \
         --journal asked.log --csv asked.csv --cactus asked.svg",
        &[],
    ),
    of("harary deepen domino 2x2 --solver-command 'sh -c \"exit 10\" {file}' --histogram turns.svg", &[]),
    Writer {
        command: "harary play el 3x3 --as white",
        input: "save first.txt\na1\nsave second.txt\nquit\n",
        before: &[],
    },
    of("harary match random random --games 300 --size 3,4 --svg shares.svg", &[]),
    of("harary pattern generate --size 10x10 --seed 7 -o puzzle.non", &[]),
    of("harary neighbours nim 12 --encode nim.qdimacs --cuts", &[]),
    of("harary farm plan skinny 5x5 --rule weak --jobs 6 --budget 5 --memory 16MiB -o farm", &[]),
    of(
        "harary farm plan-set --shapes tic,skinny --boards 4x4 --rule both --jobs 6 --budget 5 --memory 16MiB -o farm",
        &[],
    ),
    of("harary farm run farm --memory 16MiB", &[FARM]),
    of("harary farm next farm --memory 16MiB", &[FARM, "farm run farm --memory 16MiB"]),
    of("harary farm script farm --slurm --tasks 2 --max-array 1001", &[FARM]),
    of(
        "harary farm merge farm -o hold.cert.zst --memory 64MiB",
        &[FARM, "farm run farm --local 1 --rounds 30 --memory 16MiB"],
    ),
];

/// All of them, or those that contain the text of `HARARY_WRITERS`; several texts are separated by commas.
pub fn chosen() -> Vec<&'static Writer> {
    let texts = std::env::var("HARARY_WRITERS").unwrap_or_default();
    let chosen: Vec<_> =
        WRITERS.iter().filter(|writer| texts.split(',').any(|text| writer.command.contains(text))).collect();
    assert!(!chosen.is_empty(), "no command contains '{texts}'");
    chosen
}

/// A farm of a few rounds.
const FARM: &str = "farm plan skinny 5x5 --rule weak --jobs 6 --budget 5 --memory 16MiB -o farm";

const fn of(command: &'static str, before: &'static [&'static str]) -> Writer {
    Writer { command, input: "", before }
}

/// What a command starts with and what it leaves when nothing goes wrong.
pub struct Undisturbed {
    /// The exit code.
    pub code: Option<i32>,
    /// The files before.
    pub before: Files,
    /// All files after.
    pub after: Files,
}

impl Writer {
    /// The command in a folder, ready to be spawned, with something before it: `prlimit …`.
    pub fn ready(&self, folder: &Path, prefix: &str) -> std::process::Command {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut command = harary(folder, &format!("{prefix}{}", self.command));
        command.env("TEXT", root.join("tests/strategies/el-3x3.txt"));
        command.env("CARDS", root.join("tests/cards_files/domino.txt"));
        if !self.input.is_empty() {
            let path = folder.parent().unwrap().join("input");
            std::fs::write(&path, self.input).unwrap();
            command.stdin(std::fs::File::open(path).unwrap());
        }
        command
    }

    /// Runs it without any fault.
    pub fn undisturbed(&self) -> Undisturbed {
        let around = folder_with(&Files::new());
        let folder = around.path().join("here");
        std::fs::create_dir(&folder).unwrap();
        for arguments in self.before {
            let done = harary(&folder, &format!("harary {arguments}")).output().unwrap();
            // 3: games are left open, on purpose.
            assert!(matches!(done.status.code(), Some(0 | 3)), "{arguments}: {}", said(&done));
        }
        let before = files(&folder);
        let done = self.ready(&folder, "").output().unwrap();
        let after = files(&folder);
        assert!(after.len() > before.len() || after != before, "{}: it writes nothing: {}", self.command, said(&done));
        // Three: a farm is not decided yet.
        assert!(matches!(done.status.code(), Some(0 | 1 | 3)), "{}: {}", self.command, said(&done));
        Undisturbed { code: done.status.code(), before, after }
    }
}

impl Undisturbed {
    /// A folder as it was before the command, in a folder of its own.
    pub fn again(&self) -> (tempfile::TempDir, std::path::PathBuf) {
        let moved = self.before.iter().map(|(name, bytes)| (Path::new("here").join(name), bytes.clone())).collect();
        let around = folder_with(&moved);
        let folder = around.path().join("here");
        std::fs::create_dir_all(&folder).unwrap();
        (around, folder)
    }

    /// What is wrong with the files of a folder in which the command met a fault: each must be as before or as it would
    /// have become, and only files under way (`.part`) may lie about.
    pub fn halves(&self, found: &Files) -> Vec<String> {
        let mut wrong: Vec<String> = self
            .before
            .keys()
            .filter(|name| !found.contains_key(*name))
            .map(|name| format!("{} is gone", name.display()))
            .collect();
        for (name, bytes) in found {
            let under_way = name.extension().is_some_and(|ending| ending == "part");
            let same = self.before.get(name) == Some(bytes);
            let whole = is_of_farm(name) && is_whole_of_farm(name, bytes)
                || self.after.get(name).is_some_and(|expected| is_whole(name, expected, bytes));
            if !under_way && !same && !whole {
                wrong.push(format!("{} is a half ({} bytes)", name.display(), bytes.len()));
            }
        }
        wrong
    }

    /// What is missing or wrong after a run that came to its end.
    pub fn lacks(&self, found: &Files) -> Vec<String> {
        let missing = self.after.iter().filter(|(name, expected)| match found.get(*name) {
            Some(bytes) if is_of_farm(name) => !is_whole_of_farm(name, bytes),
            // Jobs that go on from a checkpoint may come out otherwise; that all are done the exit code says.
            None if is_of_farm(name) => !name.starts_with("farm/results") && !name.starts_with("farm/locks"),
            bytes => !bytes.is_some_and(|bytes| is_whole(name, expected, bytes) && is_done(name, expected, bytes)),
        });
        missing.map(|(name, _)| format!("{} is missing or not whole", name.display())).collect()
    }
}

fn is_of_farm(name: &Path) -> bool {
    name.starts_with("farm")
}

/// Times and places stand in the files of a farm, so they are not the same twice: each is whole by its own sum or end.
fn is_whole_of_farm(name: &Path, bytes: &[u8]) -> bool {
    let of = |kind: &str| sealed::unseal(kind, bytes).is_ok();
    let folder = name.parent().and_then(Path::file_name).and_then(OsStr::to_str).unwrap_or_default();
    match (name.file_name().and_then(OsStr::to_str).unwrap_or_default(), folder) {
        ("lock", _) | (_, "locks") => true,
        ("plan", _) => of("plan"),
        ("games", _) => of("set"),
        ("tree.zst", _) => of("tree"),
        ("jobs.tsv", _) => bytes.starts_with(b"job\t") && bytes.ends_with(b"\n"),
        (_, "rounds") => of("jobs"),
        (file, "results") if file.ends_with(".cert.zst") => harary::check(bytes).is_ok(),
        (file, "results") if !file.ends_with(".zst") => of("result"),
        (_, "results" | "facts" | "checkpoints") => of("facts"),
        (file, _) if file.ends_with(".sh") => bytes.ends_with(b"exit \"$code\"\n"),
        _ => false,
    }
}

/// Journals grow record by record, each with its checksum, and the last may be cut off: the next run goes on there, which is
/// what [`Undisturbed::lacks`] is asked after. Times stand in them and in the tables and plots of solvers.
fn is_whole(name: &Path, expected: &[u8], bytes: &[u8]) -> bool {
    match name.file_name().and_then(|name| name.to_str()) {
        Some("journal.bin" | "asked.log") => true,
        // A run that had to end early says what it knows.
        Some("asked.csv") => bytes.ends_with(b"\n"),
        Some("asked.svg" | "index.html") => bytes.ends_with(&expected[expected.len() - 7..]),
        _ => bytes == expected,
    }
}

/// What a journal must have when the run is over.
fn is_done(name: &Path, expected: &[u8], bytes: &[u8]) -> bool {
    match name.file_name().and_then(|name| name.to_str()) {
        Some("asked.log" | "asked.csv") => lines(bytes) >= lines(expected),
        // A few bytes less for a run that was faster.
        Some("journal.bin") => bytes.len() + 40 >= expected.len(),
        _ => true,
    }
}

fn lines(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte == b'\n').count()
}
