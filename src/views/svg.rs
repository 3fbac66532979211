//! Pictures and sheets as SVG, for pages and for the screen.

use super::drawing::{HEXAGON, Item, LINE, Part, Point, STONE, Sheet, bend, short};
use super::picture::{Ground, Picture};
use harary_certificate::Player;
use std::fmt::Write as _;

/// The side of a cell of a picture by itself.
const SIDE: f64 = 40.0;

/// So many units to a millimetre of a sheet.
const UNITS: f64 = 8.0;

/// The height of the letters in captions.
const LETTERS: f64 = 20.0;

impl Picture {
    /// The picture as a file of its own in SVG.
    pub fn svg(&self) -> String {
        let (wide, high) = self.extent();
        let margin = if self.coordinates { SIDE } else { SIDE / 4.0 };
        let (width, height) = (margin + wide * SIDE + SIDE / 4.0, SIDE / 4.0 + high * SIDE + margin);
        let mut svg = begin(width, height);
        self.write_svg(&mut svg, (margin, SIDE / 4.0 + high * SIDE), SIDE);
        svg + "</svg>\n"
    }

    /// Writes what is drawn, the corner of a1 being here.
    fn write_svg(&self, svg: &mut String, (left, bottom): Point, side: f64) {
        let place = |(x, y): Point| (left + x * side, bottom - y * side);
        let point = |at: Point| {
            let (x, y) = place(at);
            format!("{} {}", short(x), short(y))
        };
        let thickness = side / 40.0;
        for item in self.items() {
            let _ = match item {
                Item::Square { corner: (x, y), ground } => {
                    let (x, y) = place((x as f64, y as f64 + 1.0));
                    let (x, y, side) = (short(x), short(y), short(side));
                    writeln!(
                        svg,
                        "<rect x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" fill=\"{}\" stroke=\"black\"/>",
                        fill(ground)
                    )
                }
                Item::Hexagon { centre: (x, y), ground } => {
                    let corners: Vec<String> = HEXAGON.iter().map(|(dx, dy)| point((x + dx, y + dy))).collect();
                    let corners = corners.join(" L ");
                    writeln!(svg, "<path d=\"M {corners} Z\" fill=\"{}\" stroke=\"black\"/>", fill(ground))
                }
                Item::Bar { from, to } => {
                    let path = format!("d=\"M {} L {}\" stroke-linecap=\"round\"", point(from), point(to));
                    let (outer, inner) = (short(side * 0.56), short(side * 0.56 - 2.0 * thickness));
                    writeln!(svg, "<path {path} stroke=\"black\" stroke-width=\"{outer}\"/>")
                        .and_then(|()| writeln!(svg, "<path {path} stroke=\"{BAR}\" stroke-width=\"{inner}\"/>"))
                }
                Item::Bow { from, to } => {
                    let path = format!("M {} Q {} {}", point(from), point(bend(from, to)), point(to));
                    let width = short(2.0 * thickness);
                    writeln!(svg, "<path d=\"{path}\" fill=\"none\" stroke=\"black\" stroke-width=\"{width}\"/>")
                        .and_then(|()| [from, to].iter().try_for_each(|&end| dot(svg, place(end), side * 0.11)))
                }
                Item::Stub { from, to } => {
                    let width = short(2.0 * thickness);
                    let path = format!("M {} L {}", point(from), point(to));
                    writeln!(svg, "<path d=\"{path}\" stroke=\"black\" stroke-width=\"{width}\"/>")
                        .and_then(|()| dot(svg, place(from), side * 0.11))
                }
                Item::Stone { centre, player } => {
                    let fill = if player == Player::Black { "black" } else { "white" };
                    let ((x, y), radius) = (place(centre), short(side * STONE));
                    let (x, y) = (short(x), short(y));
                    writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"black\"/>")
                }
                Item::Word { centre, text, on } => {
                    let fill = if on == Some(Player::Black) { "white" } else { "black" };
                    let room = if on.is_some() { 2.0 * STONE } else { 1.0 };
                    word(svg, place(centre), &text, fill, side * 0.4, side * room)
                }
                Item::Coordinate { centre, text } => word(svg, place(centre), &text, "gray", side * 0.4, side),
            };
        }
    }
}

impl Sheet {
    /// The sheet as a file of its own in SVG.
    pub(super) fn svg(&self) -> String {
        let mut svg = begin(self.width * UNITS, self.height * UNITS);
        for part in &self.parts {
            match part {
                Part::Picture { corner: (x, y), cell, picture } => {
                    picture.write_svg(&mut svg, (x * UNITS, y * UNITS), cell * UNITS);
                }
                Part::Caption { at: (x, y), lines, faint } => {
                    let fill = if *faint { "gray" } else { "black" };
                    for (number, line) in lines.iter().enumerate() {
                        let y = y * UNITS + LETTERS + number as f64 * LINE * UNITS;
                        let (x, y, line) = (short(x * UNITS), short(y), escape(line));
                        let style = format!("text-anchor=\"start\" font-size=\"{LETTERS}\" fill=\"{fill}\"");
                        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" {style}>{line}</text>");
                    }
                }
                Part::Arrow { points } => {
                    let at: Vec<String> =
                        points.iter().map(|(x, y)| format!("{} {}", short(x * UNITS), short(y * UNITS))).collect();
                    let _ = writeln!(svg, "<path d=\"M {}\" fill=\"none\" stroke=\"gray\"/>", at.join(" L "));
                    if let Some((x, y)) = points.last() {
                        let (x, y) = (x * UNITS, y * UNITS);
                        let head = [(x, y), (x - 8.0, y - 4.0), (x - 8.0, y + 4.0)];
                        let head = head.map(|(x, y)| format!("{} {}", short(x), short(y))).join(" L ");
                        let _ = writeln!(svg, "<path d=\"M {head} Z\" fill=\"gray\"/>");
                    }
                }
            }
        }
        svg + "</svg>\n"
    }
}

/// What pairs are filled with.
const BAR: &str = "#dddddd";

fn fill(ground: Ground) -> &'static str {
    match ground {
        Ground::Plain => "none",
        Ground::Shaded => "#e4e4e4",
        Ground::Highlighted => "gold",
    }
}

pub(super) fn begin(width: f64, height: f64) -> String {
    let (width, height) = (short(width), short(height));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" text-anchor=\"middle\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    )
}

fn dot(svg: &mut String, (x, y): Point, radius: f64) -> std::fmt::Result {
    writeln!(svg, "<circle cx=\"{}\" cy=\"{}\" r=\"{}\"/>", short(x), short(y), short(radius))
}

/// A word around a point, in letters of this height, or smaller ones if it would not fit.
fn word(svg: &mut String, (x, y): Point, text: &str, fill: &str, letters: f64, room: f64) -> std::fmt::Result {
    let count = text.chars().count().max(1) as f64;
    let letters = letters.min(room * 1.5 / count);
    let (x, y, size, text) = (short(x), short(y + letters * 0.36), short(letters), escape(text));
    writeln!(svg, "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\" fill=\"{fill}\">{text}</text>")
}

/// Text as it may stand between tags; what no reader of XML takes is left out.
pub(super) fn escape(text: &str) -> String {
    let text: String = text.chars().filter(|letter| !letter.is_control()).collect();
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::picture::Mark;
    use harary_certificate::{Board, Cell, Topology, WideSet};

    fn board(sides: &str, topology: Topology) -> Board {
        Board::parse(sides, topology).unwrap()
    }

    #[test]
    fn svg_shows_every_cell_and_stone() {
        let stones = WideSet::from_art("X..\n..X");
        let picture = Picture::of_board(&board("3x2", Topology::Plain), |cell| match cell.index() {
            4 => Mark::text("<"),
            _ => Mark::of_stones(&stones, &WideSet::EMPTY, cell).numbered(Some(7)),
        });
        let svg = picture.svg();
        assert_eq!(svg.matches("stroke=\"black\"/>").count(), 6 + 2);
        assert_eq!(svg.matches("<circle").count(), 2);
        assert_eq!(svg.matches("fill=\"white\">7</text>").count(), 2, "white numbers on black stones");
        assert_eq!(svg.matches("<text").count(), 2 + 3 + 1 + 2);
        assert!(svg.contains(">&lt;</text>") && svg.ends_with("</svg>\n"));
    }

    #[test]
    fn pairs_are_bars_bows_or_go_across_the_edge() {
        let pairs = [(0, 1), (4, 6), (3, 15)].map(|(a, b)| (Cell::new(a), Cell::new(b)));
        let draw = |topology| Picture::of_board(&board("4x4", topology), |_| Mark::text("a")).with_pairs(&pairs).svg();
        let plain = draw(Topology::Plain);
        assert_eq!((plain.matches(" Q ").count(), plain.matches("stroke-linecap").count()), (2, 2));
        assert_eq!(plain.matches(">a</text>").count(), 10 + 1, "no letter where a bar is, and a column of that name");
        let torus = draw(Topology::Torus);
        assert_eq!((torus.matches(" Q ").count(), torus.matches("<circle").count()), (1, 4));
    }

    #[test]
    fn slanted_boards_have_six_corners_to_a_cell() {
        let picture = Picture::of_board(&board("2x3", Topology::Plain), |_| Mark::empty()).slanted(true);
        let svg = picture.svg();
        assert_eq!((svg.matches("<path d=").count(), svg.matches("<rect").count()), (6, 1));
        assert!(svg.lines().filter(|line| line.starts_with("<path")).all(|line| line.matches(" L ").count() == 5));
    }
}
