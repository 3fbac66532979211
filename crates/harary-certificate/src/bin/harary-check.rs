//! `harary-check`: says of certificates whether they prove what they claim. It knows the rules and nothing else.

use harary_certificate::{Refused, avoidance, check};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::process::ExitCode;

const HELP: &str = "\
Checks certificates of positional games by the rules of the game alone.

Usage: harary-check FILE...

Arguments:
  FILE...        Certificates, plain or zstd-compressed; `-` is standard input

Options:
  -h, --help     Print this
  -V, --version  Print the version

Exit codes: 0 every certificate is accepted, 1 one is refused, 2 one cannot be read or wrong usage.
";

/// What to do, as the arguments say.
enum Asked {
    Print(String),
    Check(Vec<String>),
    Wrong(String),
}

fn asked(arguments: impl Iterator<Item = String>) -> Asked {
    let mut files = Vec::new();
    let mut options = true;
    for argument in arguments {
        match argument.as_str() {
            "--" if options => options = false,
            "-h" | "--help" if options => return Asked::Print(HELP.to_owned()),
            "-V" | "--version" if options => {
                return Asked::Print(format!("harary-check {}\n", env!("CARGO_PKG_VERSION")));
            }
            option if options && option.starts_with('-') && option != "-" => {
                return Asked::Wrong(format!("there is no option '{option}'"));
            }
            _ => files.push(argument),
        }
    }
    if files.is_empty() { Asked::Wrong("no certificate is named".to_owned()) } else { Asked::Check(files) }
}

/// Checks by the format that the first line names, and says what is proved.
fn checked(input: impl Read) -> Result<String, Refused> {
    let unread = |error: io::Error| Refused { line: None, reason: error.to_string(), drawing: None };
    let (avoids, input) = avoidance::recognised(input).map_err(unread)?;
    if !avoids {
        return check(input).map(|proved| proved.to_string());
    }
    let mut text = String::new();
    input.take(LONGEST_AVOIDANCE).read_to_string(&mut text).map_err(unread)?;
    avoidance::check(&text).map(|avoided| avoided.sentence(None))
}

/// A longer file of the avoidance game is not read.
const LONGEST_AVOIDANCE: u64 = 1 << 30;

/// Checks one file and says what it found; whether it was accepted, or none if it cannot be opened.
fn report(file: &str, out: &mut impl Write) -> io::Result<Option<bool>> {
    let verdict = match file {
        "-" => checked(io::stdin()),
        path => match File::open(path) {
            Ok(input) => checked(input),
            Err(error) => {
                writeln!(out, "{file}: cannot be read: {error}")?;
                return Ok(None);
            }
        },
    };
    match &verdict {
        Ok(proved) => writeln!(out, "{file}: accepted: {proved}")?,
        Err(refused) => writeln!(out, "{file}: refused: {}", refused.to_string().trim_end())?,
    }
    // Someone may be watching a long list.
    out.flush()?;
    Ok(Some(verdict.is_ok()))
}

fn run(files: &[String], out: &mut impl Write) -> io::Result<u8> {
    let mut code = 0;
    for file in files {
        code = code.max(match report(file, out)? {
            Some(true) => 0,
            Some(false) => 1,
            None => 2,
        });
    }
    Ok(code)
}

fn main() -> ExitCode {
    let mut out = io::stdout().lock();
    // Arguments that are no text name no file that could be printed either.
    let arguments = std::env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    let done = match asked(arguments) {
        Asked::Print(text) => out.write_all(text.as_bytes()).and_then(|()| out.flush()).map(|()| 0),
        Asked::Check(files) => run(&files, &mut out),
        Asked::Wrong(reason) => {
            // Nobody is left to be told if this cannot be written.
            let _ = writeln!(io::stderr(), "harary-check: {reason}\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(code) => ExitCode::from(code),
        // Whoever read along has seen enough; what was not checked was not accepted.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::from(1),
        Err(error) => {
            let _ = writeln!(io::stderr(), "harary-check: {error}");
            ExitCode::from(2)
        }
    }
}
