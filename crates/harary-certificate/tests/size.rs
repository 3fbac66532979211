//! The trusted part stays small enough to be read in an evening.

use std::fs;
use std::path::Path;

/// What decides whether a certificate is accepted, with the reader and the writer. The types they speak of are `model.rs`,
/// which decides nothing about a certificate.
const TRUSTED: [&str; 8] = [
    "reader.rs",
    "writer.rs",
    "rules.rs",
    "checker/mod.rs",
    "checker/positions.rs",
    "checker/nodes.rs",
    "checker/cards.rs",
    "checker/proved.rs",
];

/// Lines of code: neither blank nor a comment, tests aside.
const MOST_LINES: usize = 1_500;

#[test]
fn the_trusted_part_is_short() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut total = 0;
    for name in TRUSTED {
        let text = fs::read_to_string(source.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(text.lines().count() <= 700, "{name}");
        let code = text.split("#[cfg(test)]").next().unwrap_or("");
        let counts = |line: &&str| !line.trim().is_empty() && !line.trim().starts_with("//");
        total += code.lines().filter(counts).count();
    }
    assert!(total <= MOST_LINES, "{total} lines");
    // Nothing that decides hides in another file of the checker.
    let files = fs::read_dir(source.join("checker")).unwrap_or_else(|error| panic!("{error}")).count();
    assert_eq!(files, TRUSTED.iter().filter(|name| name.starts_with("checker/")).count());
}
