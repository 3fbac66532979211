//! Pictures and sheets for LaTeX: a `tikzpicture` to paste into a document that says `\usepackage{tikz}`.

use super::drawing::{HEXAGON, Item, Part, Point, STONE, Sheet, bend, short};
use super::picture::{Ground, Picture};
use crate::atlas::latex::escape;
use harary_certificate::Player;
use std::fmt::Write as _;

/// The side of a cell of a picture by itself, in millimetres.
const SIDE: f64 = 5.0;

impl Picture {
    /// The picture by itself.
    pub fn tikz(&self) -> String {
        let side = short(SIDE);
        let mut tikz = begin(&format!("x={side}mm,y={side}mm,font=\\small"));
        self.write_tikz(&mut tikz, SIDE);
        tikz + END
    }

    /// What goes inside: a cell is 1 wide, and so many millimetres; the corner of a1 is the origin.
    fn write_tikz(&self, tikz: &mut String, side: f64) {
        let point = |(x, y): Point| format!("({},{})", short(x), short(y));
        for item in self.items() {
            let _ = match item {
                Item::Square { corner: (x, y), ground } => {
                    writeln!(tikz, "  {} ({x},{y}) rectangle ({},{});", draw(ground), x + 1, y + 1)
                }
                Item::Hexagon { centre: (x, y), ground } => {
                    let corners: Vec<String> = HEXAGON.iter().map(|(dx, dy)| point((x + dx, y + dy))).collect();
                    writeln!(tikz, "  {} {} -- cycle;", draw(ground), corners.join(" -- "))
                }
                Item::Bar { from, to } => {
                    let (from, to) = (point(from), point(to));
                    let (outer, inner) = (short(side * 0.56), short(side * 0.56 - 0.28));
                    writeln!(tikz, "  \\draw[line cap=round,line width={outer}mm] {from} -- {to};").and_then(|()| {
                        writeln!(tikz, "  \\draw[line cap=round,line width={inner}mm,gray!30] {from} -- {to};")
                    })
                }
                Item::Bow { from, to } => {
                    let (first, second) = controls(from, to);
                    let (ends, from, to) = ([from, to], point(from), point(to));
                    let (first, second) = (point(first), point(second));
                    writeln!(tikz, "  \\draw[thick] {from} .. controls {first} and {second} .. {to};").and_then(|()| {
                        ends.iter().try_for_each(|&end| writeln!(tikz, "  {DOT} {} circle[radius=0.11];", point(end)))
                    })
                }
                Item::Stub { from, to } => writeln!(tikz, "  \\draw[thick] {} -- {};", point(from), point(to))
                    .and_then(|()| writeln!(tikz, "  {DOT} {} circle[radius=0.11];", point(from))),
                Item::Stone { centre, player } => {
                    let fill = if player == Player::Black { "black" } else { "white" };
                    writeln!(tikz, "  \\filldraw[fill={fill}] {} circle[radius={STONE}];", point(centre))
                }
                Item::Word { centre, text, on } => {
                    let style = match on {
                        None => "",
                        Some(Player::Black) => "[white,font=\\scriptsize]",
                        Some(Player::White) => "[font=\\scriptsize]",
                    };
                    writeln!(tikz, "  \\node{style} at {} {{{}}};", point(centre), escape(&text))
                }
                Item::Coordinate { centre, text } => {
                    writeln!(tikz, "  \\node[gray] at {} {{{}}};", point(centre), escape(&text))
                }
            };
        }
    }
}

impl Sheet {
    /// The sheet as one picture.
    pub(super) fn tikz(&self) -> String {
        let mut tikz = begin("x=1mm,y=1mm,font=\\footnotesize");
        // Sheets are measured downwards, LaTeX upwards.
        let point = |(x, y): Point| format!("({},{})", short(x), short(self.height - y));
        for part in &self.parts {
            let _ = match part {
                Part::Picture { corner, cell, picture } => {
                    let side = short(*cell);
                    let shift = format!("shift={{{}}},x={side}mm,y={side}mm", point(*corner));
                    let _ = writeln!(tikz, "  \\begin{{scope}}[{shift}]");
                    picture.write_tikz(&mut tikz, *cell);
                    writeln!(tikz, "  \\end{{scope}}")
                }
                Part::Caption { at, lines, faint } => {
                    let lines: Vec<String> = lines.iter().map(|line| escape(line)).collect();
                    let color = if *faint { ",gray" } else { "" };
                    let style = format!("anchor=north west,align=left,inner sep=0pt{color}");
                    writeln!(tikz, "  \\node[{style}] at {} {{{}}};", point(*at), lines.join("\\\\"))
                }
                Part::Arrow { points } => {
                    let points: Vec<String> = points.iter().map(|&at| point(at)).collect();
                    writeln!(tikz, "  \\draw[gray,->] {};", points.join(" -- "))
                }
            };
        }
        tikz + END
    }
}

/// How a picture begins: letters of one row stand on one line.
fn begin(scale: &str) -> String {
    format!("% needs \\usepackage{{tikz}}\n\\begin{{tikzpicture}}[{scale},every node/.style={{anchor=mid}}]\n")
}

/// How it ends.
const END: &str = "\\end{tikzpicture}\n";

/// A black dot.
const DOT: &str = "\\filldraw[fill=black]";

fn draw(ground: Ground) -> &'static str {
    match ground {
        Ground::Plain => "\\draw",
        Ground::Shaded => "\\filldraw[fill=gray!20]",
        Ground::Highlighted => "\\filldraw[fill=yellow!60]",
    }
}

/// The curve of the second degree that SVG draws, as LaTeX wants it: with two points two thirds of the way to the bend.
fn controls(from: Point, to: Point) -> (Point, Point) {
    let bend = bend(from, to);
    let towards = |(x, y): Point| (x + (bend.0 - x) * 2.0 / 3.0, y + (bend.1 - y) * 2.0 / 3.0);
    (towards(from), towards(to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::picture::Mark;
    use harary_certificate::{Board, Cell, Topology, WideSet};

    #[test]
    fn tikz_shows_every_cell_and_stone_on_the_board() {
        let board = Board::parse("3x2", Topology::Plain).unwrap();
        let stones = WideSet::from_art("X..\n..X");
        let picture = Picture::of_board(&board, |cell| match cell.index() {
            2 => Mark::stone(Player::White).numbered(Some(2)),
            index if stones.contains(Cell::new(index)) => Mark::stone(Player::Black).highlighted(),
            1 => Mark::text("50%_a"),
            _ => Mark::empty(),
        });
        let tikz = picture.tikz();
        assert!(
            tikz.starts_with("% needs \\usepackage{tikz}\n\\begin{tikzpicture}")
                && tikz.ends_with("\\end{tikzpicture}\n")
        );
        assert_eq!(tikz.matches(" rectangle ").count(), 6);
        assert_eq!((tikz.matches("fill=black").count(), tikz.matches("fill=white").count()), (1, 1));
        assert!(tikz.contains("  \\filldraw[fill=black] (0.5,1.5) circle[radius=0.4];\n"), "{tikz}");
        assert!(tikz.contains("  \\filldraw[fill=yellow!60] (0,1) rectangle (1,2);\n"), "{tikz}");
        assert!(tikz.contains("  \\node at (1.5,0.5) {50\\%\\_a};\n"), "{tikz}");
        assert!(tikz.contains("  \\node[font=\\scriptsize] at (2.5,0.5) {2};\n"), "{tikz}");
        assert!(tikz.contains("  \\node[gray] at (2.5,-0.5) {c};\n"), "{tikz}");
        assert!(!picture.bare().tikz().contains("gray"));
    }
}
