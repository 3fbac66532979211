//! Pictures for papers: LaTeX that is well formed and stays on its board. Boards, pavings and strategies.

use assert_cmd::Command;

fn tikz(arguments: &[&str]) -> String {
    let run = Command::new(env!("CARGO_BIN_EXE_harary")).args(arguments).args(["--format", "tikz"]).output().unwrap();
    let errors = String::from_utf8(run.stderr).unwrap();
    assert_eq!((run.status.code(), errors.as_str()), (Some(0), ""), "{arguments:?}");
    let text = String::from_utf8(run.stdout).unwrap();
    check(&text);
    text
}

/// What a picture must be: one `tikzpicture`, environments and braces balanced, every command known and ended by a
/// semicolon, nothing in it that LaTeX cannot read without further packages.
fn check(text: &str) {
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("% needs \\usepackage{tikz}"));
    let mut open: Vec<&str> = Vec::new();
    let (mut seen, mut closed) = (0, false);
    for line in lines {
        assert!(!closed, "nothing after the picture: {line}");
        let line = line.trim_start();
        let braces = |brace: char| line.matches(brace).count() - line.matches(&format!("\\{brace}")).count();
        assert_eq!(braces('{'), braces('}'), "{line}");
        assert_eq!(line.matches('[').count(), line.matches(']').count(), "{line}");
        assert!(line.is_ascii(), "{line}");
        if let Some(rest) = line.strip_prefix("\\begin{") {
            open.push(rest.split('}').next().unwrap());
            seen += usize::from(rest.starts_with("tikzpicture"));
        } else if let Some(rest) = line.strip_prefix("\\end{") {
            assert_eq!(open.pop(), rest.split('}').next(), "{line}");
            closed = open.is_empty();
        } else {
            let known = ["\\draw", "\\filldraw", "\\node"].iter().any(|command| line.starts_with(command));
            assert!(known && line.ends_with(';') && !open.is_empty(), "{line}");
        }
    }
    assert!(closed && seen == 1, "{text}");
}

/// The coordinates of all cells drawn.
fn cells(text: &str) -> Vec<(usize, usize)> {
    let corner = |line: &str| {
        let (corner, rest) = line.split_once(") rectangle (")?;
        let pair = |text: &str| {
            let (x, y) = text.split_once(',')?;
            Some((x.parse::<usize>().ok()?, y.parse::<usize>().ok()?))
        };
        let (from, to) = (pair(corner.rsplit('(').next()?)?, pair(rest.split(')').next()?)?);
        assert_eq!(to, (from.0 + 1, from.1 + 1), "{line}");
        Some(from)
    };
    text.lines().filter_map(corner).collect()
}

#[test]
fn boards_are_drawn_for_latex() {
    let text = tikz(&["show", "el", "3x2", "--position", "b2 a1"]);
    assert_eq!(cells(&text), [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]);
    assert!(text.contains("\\filldraw[fill=black] (1.5,1.5) circle"), "{text}");
    assert!(text.contains("\\filldraw[fill=white] (0.5,0.5) circle"), "{text}");
    let orbits = tikz(&["show", "el", "3x3", "--orbits"]);
    assert_eq!(orbits.matches("\\node at (").count(), 9);
    let counts = tikz(&["show", "el", "3x3", "--counts", "--torus"]);
    assert_eq!(counts.matches("{12};").count(), 9, "{counts}");
    let won = tikz(&["show", "domino", "2x2", "--position", "a1 b2 b1"]);
    assert_eq!(won.matches("yellow").count(), 2);
}

#[test]
fn pavings_are_drawn_for_latex() {
    let text = tikz(&["pave", "fatty", "4x4"]);
    assert_eq!(cells(&text).len(), 16);
    // A letter for each pair, on both its cells.
    let nodes = text.lines().filter(|line| line.trim_start().starts_with("\\node at ("));
    let letters: Vec<&str> = nodes.filter_map(|line| line.split(['{', '}']).nth(1)).collect();
    assert!(letters.len() >= 10, "nine squares need more than four pairs: {text}");
    for letter in &letters {
        assert_eq!(letters.iter().filter(|other| *other == letter).count(), 2, "{text}");
    }
}

#[test]
fn strategies_are_drawn_for_latex() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/certificates/");
    for (file, boards) in [("domino-2x2-attack.cert", 3), ("el-3x3.cert", 3), ("fatty-4x4-paving.cert", 1)] {
        let path = format!("{folder}{file}");
        let text = tikz(&["strategy", &path, "--depth", "3"]);
        assert_eq!(text.matches("\\begin{scope}").count(), boards, "{file}: {text}");
        // A link to every board but the first.
        assert_eq!(text.matches("\\draw[gray,->]").count(), boards - 1, "{file}");
        let side: usize = file.split('-').nth(1).unwrap().split('x').next().unwrap().parse().unwrap();
        assert_eq!(cells(&text).len(), boards * side * side, "{file}");
        assert!(cells(&text).iter().all(|&(x, y)| x < side && y < side), "{file}");
    }
    let line = tikz(&["strategy", &format!("{folder}el-3x3.cert"), "--main-line"]);
    assert!(line.contains("1. Black b2"), "{line}");
}
