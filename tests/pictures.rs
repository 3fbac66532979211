//! Pictures for papers: LaTeX that is well formed and stays on its board. Boards, shapes, pavings and strategies.

use assert_cmd::Command;
use std::fs;
use std::path::Path;

const CERTIFICATES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/certificates/");
const HEX: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pg/hex-3x3.pg");

fn run(arguments: &[&str]) -> String {
    let run = Command::new(env!("CARGO_BIN_EXE_harary")).args(arguments).output().unwrap();
    let errors = String::from_utf8(run.stderr).unwrap();
    assert_eq!((run.status.code(), errors.as_str()), (Some(0), ""), "{arguments:?}");
    String::from_utf8(run.stdout).unwrap()
}

fn tikz(arguments: &[&str]) -> String {
    let text = run(&[arguments, &["--format", "tikz"]].concat());
    check(&text);
    text
}

fn svg(arguments: &[&str]) -> String {
    let text = run(&[arguments, &["--format", "svg"]].concat());
    let opened = text.matches('<').count();
    assert!(text.starts_with("<svg ") && text.ends_with("</svg>\n"), "{text}");
    assert_eq!(opened, text.matches('>').count(), "{text}");
    assert_eq!(opened, text.matches("/>").count() + 2 * text.matches("</").count(), "every tag is closed: {text}");
    text
}

/// The width and height an SVG says it has.
fn size(svg: &str) -> (f64, f64) {
    let side =
        |name: &str| svg.split(&format!(" {name}=\"")).nth(1).unwrap().split('"').next().unwrap().parse().unwrap();
    (side("width"), side("height"))
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
    let text = tikz(&["show", "el", "3x2", "--after", "b2 a1"]);
    assert_eq!(cells(&text), [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1), (2, 1)]);
    assert!(text.contains("\\filldraw[fill=black] (1.5,1.5) circle"), "{text}");
    assert!(text.contains("\\filldraw[fill=white] (0.5,0.5) circle"), "{text}");
    let orbits = tikz(&["show", "el", "3x3", "--orbits"]);
    assert_eq!(orbits.matches("\\node at (").count(), 9);
    let counts = tikz(&["show", "el", "3x3", "--counts", "--torus"]);
    assert_eq!(counts.matches("{12};").count(), 9, "{counts}");
    let won = tikz(&["show", "domino", "2x2", "--after", "a1 b2 b1"]);
    assert_eq!(won.matches("yellow").count(), 2);
}

#[test]
fn pavings_are_drawn_for_latex() {
    let text = tikz(&["pave", "fatty", "4x4"]);
    assert_eq!(cells(&text).len(), 16);
    // A bar for each pair of neighbours, twice as it has an outline; a bow with two dots for others; no letters.
    let (bars, bows) = (text.matches("line cap=round").count() / 2, text.matches(".. controls").count());
    assert!(bars + bows >= 5, "nine squares need more than four pairs: {text}");
    assert_eq!(text.matches("circle[radius=0.11]").count(), 2 * bows);
    assert_eq!(text.matches("\\node at (").count(), 0, "{text}");
    let one = svg(&["pave", "domino", "2x1", "--dominoes"]);
    assert_eq!(one.matches("stroke-linecap").count(), 2, "{one}");
}

#[test]
fn shapes_alone_are_drawn() {
    let text = tikz(&["show", "el"]);
    assert_eq!(cells(&text).len(), 3);
    assert_eq!((text.matches("gray!20").count(), text.matches("\\node").count()), (3, 0));
    assert_eq!(svg(&["show", "el"]).matches("<rect").count(), 3 + 1);
    assert_eq!(run(&["show", "XX./.XX"]).lines().skip(1).collect::<Vec<_>>(), ["XX.", ".XX"]);
}

#[test]
fn stones_may_carry_their_turns() {
    let text = tikz(&["show", "tic", "3x3", "--after", "b2 a1 b3", "--numbered"]);
    assert!(text.contains("\\node[white,font=\\scriptsize] at (1.5,2.5) {3};"), "{text}");
    assert!(text.contains("\\node[font=\\scriptsize] at (0.5,0.5) {2};"), "{text}");
    assert!(run(&["show", "tic", "3x3", "--after", "b2 a1", "--numbered"]).contains("2  . X1  .\n1 O2  .  .\n"));
    // In a line of play they do anyway.
    let line = tikz(&["strategy", &format!("{CERTIFICATES}el-3x3.cert"), "--main-line"]);
    assert!(line.contains("\\node[white,font=\\scriptsize] at (1.5,1.5) {1};"), "{line}");
}

#[test]
fn hex_boards_are_slanted() {
    let text = run(&["show", "--pg", HEX, "--hex"]);
    assert!(text.contains("\n    3 .   O   .\n  2 .   .   .\n1 X   .   O\n  a   b   c\n"), "{text}");
    assert_eq!(tikz(&["show", "--pg", HEX, "--hex"]).matches("-- cycle;").count(), 9);
    assert_eq!(svg(&["show", "--pg", HEX, "--hex"]).matches(" Z\" fill").count(), 9);
}

#[test]
fn covers_and_zones_are_grey() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("covered.cert");
    let file = file.to_str().unwrap();
    run(&["solve", "el", "5x5", "--cover", "3x3", "--fresh", "--certificate", file]);
    let text = tikz(&["strategy", file, "--depth", "1"]);
    assert_eq!(text.matches("gray!20").count() + text.matches("yellow!60").count(), 9, "{text}");
    // Outside the cover a text has blanks.
    let text = run(&["strategy", file, "--depth", "2"]);
    assert!(text.lines().filter(|line| line.contains(". . .")).all(|line| line.matches('.').count() <= 4), "{text}");
    let zone = tikz(&["strategy", &format!("{CERTIFICATES}domino-2x2-attack.cert"), "--after", "a1 a2"]);
    assert!(zone.contains("gray!20"), "{zone}");
}

#[test]
fn figures_keep_to_their_width_and_arrows_begin_at_boards() {
    let file = format!("{CERTIFICATES}tic-3x3.cert");
    for width in [60.0, 120.0, 300.0] {
        let text = svg(&["strategy", &file, "--depth", "6", "--width", &width.to_string()]);
        let (wide, high) = size(&text);
        assert!(wide <= width * 8.0 + 8.0 && high > 0.0, "{width}: {wide}");
        // Everything lies on the sheet.
        for part in text.split(" x=\"").skip(1) {
            let x: f64 = part.split('"').next().unwrap().parse().unwrap();
            assert!((0.0..=wide).contains(&x), "{x} of {wide}");
        }
    }
    let text = svg(&["strategy", &file, "--depth", "4", "--width", "300"]);
    // The right edge of a board is where an arrow begins, half a millimetre beside it.
    let edges: Vec<String> = text
        .split("<rect x=\"")
        .skip(1)
        .map(|part| (part.split('"').next().unwrap().parse::<f64>().unwrap() + 32.0 + 4.0).to_string())
        .collect();
    let arrows: Vec<&str> = text.lines().filter(|line| line.contains("fill=\"none\" stroke=\"gray\"")).collect();
    assert!(!arrows.is_empty());
    for arrow in arrows {
        let start = arrow.split("M ").nth(1).unwrap().split(' ').next().unwrap();
        assert!(edges.iter().any(|edge| edge == start), "{arrow}");
    }
}

/// Every kind of figure and table goes through LaTeX. Long lane: `cargo test --release --test pictures -- --ignored`.
#[test]
#[ignore = "needs pdflatex, with the packages tikz and longtable"]
fn latex_takes_every_kind() {
    let folder = tempfile::tempdir().unwrap();
    let covered = folder.path().join("covered.cert");
    let hex = folder.path().join("hex.cert");
    let (covered, hex) = (covered.to_str().unwrap(), hex.to_str().unwrap());
    run(&["solve", "el", "5x5", "--cover", "3x3", "--fresh", "--certificate", covered]);
    run(&["solve", "--pg", HEX, "--fresh", "--certificate", hex]);
    let certificate = |name: &str| format!("{CERTIFICATES}{name}.cert");
    let (el, tic, fatty) = (certificate("el-3x3"), certificate("tic-3x3"), certificate("fatty-4x4-paving"));
    let figures: [&[&str]; 14] = [
        &["show", "el", "3x2", "--after", "b2 a1", "--numbered"],
        &["show", "skinny", "7x7", "--counts", "--torus"],
        &["show", "el", "3x3", "--orbits"],
        &["show", "skinny"],
        &["show", "--pg", HEX, "--hex"],
        &["pave", "fatty", "6x6"],
        &["pave", "fatty", "6x6", "--torus"],
        &["strategy", &el],
        &["strategy", &el, "--main-line"],
        &["strategy", &tic, "--depth", "4", "--width", "80"],
        &["strategy", &tic, "--main-line", "--width", "60"],
        &["strategy", &fatty],
        &["strategy", covered],
        &["strategy", hex, "--hex"],
    ];
    for (number, arguments) in figures.iter().enumerate() {
        compile(folder.path(), &format!("figure{number}"), &tikz(arguments));
    }
    for (name, arguments) in [("table", vec!["table", "thesis-4.2"]), ("errata", vec!["errata"])] {
        let text = Command::new(env!("CARGO_BIN_EXE_harary")).args(&arguments).args(["--format", "latex"]).output();
        compile(folder.path(), name, &String::from_utf8(text.unwrap().stdout).unwrap());
    }
}

/// Compiles a document around `text`; nothing may be an error, and no figure wider than the page.
fn compile(folder: &Path, name: &str, text: &str) {
    let document = format!(
        "\\documentclass{{article}}\\usepackage[T1]{{fontenc}}\\usepackage{{tikz,array,longtable}}\n\
         \\begin{{document}}\\noindent\n{text}\n\\end{{document}}\n"
    );
    fs::write(folder.join(format!("{name}.tex")), document).unwrap();
    let done = std::process::Command::new("pdflatex")
        .args(["-interaction=nonstopmode", "-halt-on-error", &format!("{name}.tex")])
        .current_dir(folder)
        .output()
        .unwrap_or_else(|error| panic!("pdflatex is needed for this test and cannot be started: {error}"));
    let log = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success() && folder.join(format!("{name}.pdf")).exists(), "{name}: {log}");
    let too_wide = |line: &&str| line.starts_with("Overfull \\hbox") && name.starts_with("figure");
    assert_eq!(log.lines().find(too_wide), None, "{name}");
}

#[test]
fn strategies_are_drawn_for_latex() {
    let folder = CERTIFICATES;
    for (file, boards) in [("domino-2x2-attack.cert", 3), ("el-3x3.cert", 2), ("fatty-4x4-paving.cert", 1)] {
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
