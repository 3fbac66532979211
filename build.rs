//! Puts the version into the program, with the commit it is built from if the sources are under git.
//!
//! Git is asked again only when something that is compiled has changed, and then the crate is compiled anyway: a commit
//! alone rebuilds nothing. So the program names the commit that was checked out when its sources last changed, and says
//! so if they were not yet committed.

use std::path::Path;
use std::process::Command;

/// What is compiled, or compiled in.
const COMPILED: [&str; 7] = ["build.rs", "Cargo.toml", "Cargo.lock", "src", "crates", "shapes", "tablebases"];

fn main() {
    COMPILED.iter().for_each(|path| println!("cargo::rerun-if-changed={path}"));
    let version = env!("CARGO_PKG_VERSION");
    let commit = commit().map_or_else(String::new, |commit| format!(" ({commit})"));
    println!("cargo::rustc-env=HARARY_VERSION={version}{commit}");
}

/// `947ca32abc 2026-11-17`, with `, changed` if the sources are not those of the commit. Nothing without git, or if these
/// sources only lie inside somebody else's repository.
fn commit() -> Option<String> {
    let top = git(&["rev-parse", "--show-toplevel"])?;
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).canonicalize().ok()?;
    if Path::new(&top).canonicalize().ok()? != here {
        return None;
    }
    let commit = git(&["log", "-1", "--format=%h %cs", "--abbrev=10"])?;
    let status: Vec<&str> = ["status", "--porcelain", "--"].into_iter().chain(COMPILED).collect();
    let changed = if git(&status)?.is_empty() { "" } else { ", changed" };
    Some(format!("{commit}{changed}"))
}

/// What a git command prints, if it succeeds.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
