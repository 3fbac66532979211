//! Pictures of boards and shapes: text for people, SVG and TikZ for pages and papers.
//!
//! A [`Picture`] is a grid of marks with coordinates; what the marks mean (stones, counts, pairs, orbits) is the
//! caller's affair. `a1` is bottom left.

use crate::game::{Game, Origin};
use harary_certificate::{Board, Cell, Player, Shape, WideSet};
use std::fmt::{self, Write as _};

/// What stands in one cell. Where there is no colour only the text is left, so the text must say it all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    kind: Kind,
    highlighted: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    Stone(Player),
    Empty,
    Text(String),
}

impl Mark {
    /// `X` for Black, `O` for White.
    pub fn stone(player: Player) -> Mark {
        Mark { kind: Kind::Stone(player), highlighted: false }
    }

    /// An empty cell, `.`.
    pub fn empty() -> Mark {
        Mark { kind: Kind::Empty, highlighted: false }
    }

    /// Any text: a count, the letter of a pair.
    pub fn text(text: impl Into<String>) -> Mark {
        Mark { kind: Kind::Text(text.into()), highlighted: false }
    }

    /// The mark of a cell given the stones: `X`, `O` or `.`.
    pub fn of_stones(black: &WideSet, white: &WideSet, cell: Cell) -> Mark {
        if black.contains(cell) {
            Mark::stone(Player::Black)
        } else if white.contains(cell) {
            Mark::stone(Player::White)
        } else {
            Mark::empty()
        }
    }

    /// The same mark, to be seen first where there is colour.
    pub fn highlighted(self) -> Mark {
        Mark { highlighted: true, ..self }
    }

    fn as_text(&self) -> &str {
        match &self.kind {
            Kind::Stone(Player::Black) => "X",
            Kind::Stone(Player::White) => "O",
            Kind::Empty => ".",
            Kind::Text(text) => text,
        }
    }

    fn width(&self) -> usize {
        self.as_text().chars().count()
    }

    /// The escape sequence that starts its colour on a terminal; empty for the usual one.
    fn escape(&self) -> &'static str {
        match &self.kind {
            _ if self.highlighted => "\x1b[1;33m",
            Kind::Stone(Player::Black) => "\x1b[1;31m",
            Kind::Stone(Player::White) => "\x1b[1;34m",
            Kind::Empty => FAINT,
            Kind::Text(_) => "",
        }
    }
}

/// The text alone.
impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_text())
    }
}

/// The escape sequence of coordinates and empty cells.
const FAINT: &str = "\x1b[2m";

/// The name of the `index`-th pair, orbit or group: a to z, A to Z, then aa, ab, … without x and o, which are stones.
pub fn letter(index: usize) -> String {
    const LETTERS: &[u8] = b"abcdefghijklmnpqrstuvwyzABCDEFGHIJKLMNPQRSTUVWYZ";
    let last = char::from(LETTERS[index % LETTERS.len()]);
    match index / LETTERS.len() {
        0 => last.to_string(),
        more => format!("{}{last}", letter(more - 1)),
    }
}

/// A grid of marks with coordinates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    columns: usize,
    rows: usize,
    /// By `x + columns * y`; `None` where the game has no vertex.
    marks: Vec<Option<Mark>>,
    coordinates: bool,
}

impl Picture {
    /// A picture of a board.
    pub fn of_board(board: &Board, mark: impl FnMut(Cell) -> Mark) -> Picture {
        let marks = board.cells().map(mark).map(Some).collect();
        Picture { columns: board.width(), rows: board.height(), marks, coordinates: true }
    }

    /// A picture of any game whose vertices are named like cells, a1 to z99; `None` for other names.
    pub fn of_game(game: &Game, mut mark: impl FnMut(Cell) -> Mark) -> Option<Picture> {
        let names = match game.origin() {
            Origin::Board { board, .. } => return Some(Picture::of_board(board, mark)),
            Origin::Sets { names } => names,
        };
        let places = names.iter().map(|name| place(name)).collect::<Option<Vec<_>>>()?;
        let columns = places.iter().map(|place| place.0 + 1).max()?;
        let rows = places.iter().map(|place| place.1 + 1).max()?;
        let mut marks = vec![None; columns * rows];
        for (index, (x, y)) in places.into_iter().enumerate() {
            // Vertices have distinct names, but a1 and A1 would lie on one another.
            if marks[x + columns * y].replace(mark(Cell::new(index))).is_some() {
                return None;
            }
        }
        Some(Picture { columns, rows, marks, coordinates: true })
    }

    /// The same picture without coordinates, for many small ones side by side.
    pub fn bare(self) -> Picture {
        Picture { coordinates: false, ..self }
    }

    /// The lines of the picture as text, top row first.
    pub fn lines(&self, color: bool) -> Vec<String> {
        let cell = self.cell_width();
        let margin = self.rows.to_string().len();
        let mut lines = Vec::new();
        for y in (0..self.rows).rev() {
            let mut line = String::new();
            if self.coordinates {
                paint(&mut line, &format!("{:>margin$}", y + 1), FAINT, color);
                line.push(' ');
            }
            for x in 0..self.columns {
                if x > 0 {
                    line.push(' ');
                }
                match &self.marks[x + self.columns * y] {
                    None => line.extend(std::iter::repeat_n(' ', cell)),
                    Some(mark) => {
                        line.extend(std::iter::repeat_n(' ', cell - mark.width()));
                        paint(&mut line, mark.as_text(), mark.escape(), color);
                    }
                }
            }
            line.truncate(line.trim_end().len());
            lines.push(line);
        }
        if self.coordinates {
            let letters: String = (0..self.columns).map(|x| format!(" {:>cell$}", column_letter(x))).collect();
            let mut line = " ".repeat(margin);
            paint(&mut line, &letters, FAINT, color);
            lines.push(line);
        }
        lines
    }

    /// The picture as text, each line ended.
    pub fn text(&self, color: bool) -> String {
        self.lines(color).into_iter().map(|line| line + "\n").collect()
    }

    fn cell_width(&self) -> usize {
        self.marks.iter().flatten().map(Mark::width).max().unwrap_or(1)
    }

    /// The picture as a file of its own in SVG.
    pub fn svg(&self) -> String {
        const SIDE: usize = 40;
        let margin = if self.coordinates { SIDE } else { 0 };
        let (width, height) = (margin + self.columns * SIDE + SIDE / 2, SIDE / 2 + self.rows * SIDE + margin);
        let left = |x: usize| if self.coordinates { margin + x * SIDE } else { SIDE / 4 + x * SIDE };
        let top = |y: usize| SIDE / 4 + (self.rows - 1 - y) * SIDE;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\" font-size=\"16\" text-anchor=\"middle\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
        );
        let label = |svg: &mut String, x: usize, y: usize, text: &str, fill: &str| {
            let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\" fill=\"{fill}\">{text}</text>", y + 6);
        };
        if self.coordinates {
            for y in 0..self.rows {
                label(&mut svg, SIDE / 2, top(y) + SIDE / 2, &(y + 1).to_string(), "gray");
            }
            for x in 0..self.columns {
                label(&mut svg, left(x) + SIDE / 2, top(0) + SIDE * 3 / 2, &column_letter(x).to_string(), "gray");
            }
        }
        for (index, mark) in self.marks.iter().enumerate() {
            let Some(mark) = mark else { continue };
            let (x, y) = (left(index % self.columns), top(index / self.columns));
            let ground = if mark.highlighted { "gold" } else { "none" };
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{ground}\" stroke=\"black\"/>"
            );
            let (x, y) = (x + SIDE / 2, y + SIDE / 2);
            match &mark.kind {
                Kind::Empty => {}
                Kind::Text(text) => label(&mut svg, x, y, text, "black"),
                Kind::Stone(player) => {
                    let fill = if *player == Player::Black { "black" } else { "white" };
                    let _ = writeln!(
                        svg,
                        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"{fill}\" stroke=\"black\"/>",
                        SIDE * 2 / 5
                    );
                }
            }
        }
        svg.push_str("</svg>\n");
        svg
    }

    /// The picture for LaTeX: a `tikzpicture` to paste into a document that says `\usepackage{tikz}`.
    pub fn tikz(&self) -> String {
        format!("{TIKZ_BEGIN}{}{TIKZ_END}", self.tikz_body())
    }

    /// What goes inside the `tikzpicture`: a cell is 1 wide, the corner of a1 is the origin.
    pub fn tikz_body(&self) -> String {
        let mut tikz = String::new();
        for (index, mark) in self.marks.iter().enumerate() {
            let Some(mark) = mark else { continue };
            let (x, y) = (index % self.columns, index / self.columns);
            let draw = if mark.highlighted { "\\filldraw[fill=yellow!60]" } else { "\\draw" };
            let _ = writeln!(tikz, "  {draw} ({x},{y}) rectangle ({},{});", x + 1, y + 1);
            match &mark.kind {
                Kind::Empty => {}
                Kind::Text(text) => {
                    let _ = writeln!(tikz, "  \\node at ({x}.5,{y}.5) {{{}}};", tex(text));
                }
                Kind::Stone(player) => {
                    let fill = if *player == Player::Black { "black" } else { "white" };
                    let _ = writeln!(tikz, "  \\filldraw[fill={fill}] ({x}.5,{y}.5) circle[radius=0.4];");
                }
            }
        }
        if self.coordinates {
            for y in 0..self.rows {
                let _ = writeln!(tikz, "  \\node[gray] at (-0.5,{y}.5) {{{}}};", y + 1);
            }
            for x in 0..self.columns {
                let _ = writeln!(tikz, "  \\node[gray] at ({x}.5,-0.5) {{{}}};", column_letter(x));
            }
        }
        tikz
    }
}

/// How a picture for LaTeX begins: half a centimetre a cell, letters of one row on one line.
pub const TIKZ_BEGIN: &str =
    "% needs \\usepackage{tikz}\n\\begin{tikzpicture}[x=5mm,y=5mm,font=\\small,every node/.style={anchor=mid}]\n";
/// How it ends.
pub const TIKZ_END: &str = "\\end{tikzpicture}\n";

/// Text as LaTeX takes it: characters with a meaning of their own are spelled out.
pub fn tex(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => out.extend(['\\', character]),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '\\' => out.push_str("\\textbackslash{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '…' => out.push_str("\\dots{}"),
            character if character.is_control() => out.push(' '),
            character => out.push(character),
        }
    }
    out
}

/// Writes `text` in a colour, if there is colour.
fn paint(line: &mut String, text: &str, escape: &str, color: bool) {
    if color && !escape.is_empty() {
        let _ = write!(line, "{escape}{text}\x1b[0m");
    } else {
        line.push_str(text);
    }
}

fn column_letter(x: usize) -> char {
    char::from(b'a' + (x % 26) as u8)
}

/// Column and row of a vertex named like a cell, `b12`.
fn place(name: &str) -> Option<(usize, usize)> {
    let column = name.bytes().next()?.to_ascii_lowercase();
    let digits = name.get(1..)?;
    let regular = column.is_ascii_lowercase()
        && (1..=2).contains(&digits.len())
        && !digits.starts_with('0')
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    regular.then(|| Some((usize::from(column - b'a'), digits.parse::<usize>().ok()? - 1))).flatten()
}

/// The picture of a shape as it may be typed, top row first: `XX.` and `.XX`.
pub fn shape_rows(shape: &Shape) -> Vec<String> {
    let mark = |x, y| if shape.contains(x, y) { 'X' } else { '.' };
    (0..shape.height()).rev().map(|y| (0..shape.width()).map(|x| mark(x, y)).collect()).collect()
}

/// Sets blocks side by side in columns of equal width, as many as `width` holds, a blank line between the rows.
pub fn side_by_side(tiles: &[Vec<String>], width: usize) -> String {
    const GAP: usize = 3;
    let column = tiles.iter().flatten().map(|line| visible_width(line)).max().unwrap_or(0);
    let per_row = ((width + GAP) / (column + GAP)).max(1);
    let mut text = String::new();
    for (index, row) in tiles.chunks(per_row).enumerate() {
        if index > 0 {
            text.push('\n');
        }
        for number in 0..row.iter().map(Vec::len).max().unwrap_or(0) {
            let mut line = String::new();
            // Colours take no room, so the blanks are counted by what is seen.
            let mut blanks = 0;
            for tile in row {
                let part = tile.get(number).map_or("", String::as_str);
                if !part.is_empty() {
                    line.extend(std::iter::repeat_n(' ', blanks));
                    blanks = 0;
                    line.push_str(part);
                }
                blanks += column + GAP - visible_width(part);
            }
            text.push_str(&line);
            text.push('\n');
        }
    }
    text
}

/// How many columns a line takes, escape sequences not counted.
fn visible_width(line: &str) -> usize {
    let mut width = 0;
    let mut escaped = false;
    for character in line.chars() {
        match (escaped, character) {
            (false, '\x1b') => escaped = true,
            (false, _) => width += 1,
            (true, 'm') => escaped = false,
            (true, _) => {}
        }
    }
    width
}

#[cfg(test)]
mod tests {
    use super::*;
    use harary_certificate::{Rule, Topology};

    fn board(sides: &str) -> Board {
        Board::parse(sides, Topology::Plain).unwrap()
    }

    #[test]
    fn boards_have_coordinates_from_below() {
        let board = board("3x2");
        let (black, white) = (WideSet::from_art("X..\n..."), WideSet::from_art("...\n..X"));
        let picture = Picture::of_board(&board, |cell| Mark::of_stones(&black, &white, cell));
        assert_eq!(picture.text(false), "2 X . .\n1 . . O\n  a b c\n");
        assert_eq!(picture.clone().bare().text(false), "X . .\n. . O\n");
        let colored = picture.text(true);
        assert!(colored.contains("\x1b[1;31mX\x1b[0m") && colored.contains("\x1b[1;34mO\x1b[0m"), "{colored:?}");
    }

    #[test]
    fn wide_marks_and_two_digit_rows_stay_in_columns() {
        let picture = Picture::of_board(&board("2x10"), |cell| Mark::text(cell.index().to_string()));
        let lines = picture.lines(false);
        assert_eq!(lines[0], "10 18 19");
        assert_eq!(lines[9], " 1  0  1");
        assert_eq!(lines[10], "    a  b");
    }

    #[test]
    fn vertices_named_like_cells_are_drawn_and_others_are_not() {
        let game = |names: [&str; 3]| {
            Game::of_sets(crate::game::Sets {
                names: names.map(String::from).to_vec(),
                black: vec![WideSet::first_cells(3)],
                white: vec![],
                rule: Rule::Weak,
                schedule: harary_certificate::Schedule::alternating(3),
                black_start: WideSet::EMPTY,
                white_start: WideSet::EMPTY,
                first: None,
            })
            .unwrap()
        };
        let drawn =
            |names| Picture::of_game(&game(names), |c| Mark::text(c.index().to_string())).map(|p| p.text(false));
        assert_eq!(drawn(["b2", "a1", "c1"]).unwrap(), "2   0\n1 1   2\n  a b c\n");
        assert_eq!(drawn(["b2", "a1", "first"]), None);
        assert_eq!(drawn(["b2", "a1", "A1"]), None);
        assert_eq!(drawn(["b2", "a1", "a0"]), None);
    }

    #[test]
    fn letters_are_distinct_and_no_stones() {
        let letters: Vec<String> = (0..400).map(letter).collect();
        assert_eq!((letters[0].as_str(), letters[48].as_str(), letters[49].as_str()), ("a", "aa", "ab"));
        let distinct: std::collections::BTreeSet<&String> = letters.iter().collect();
        assert_eq!(distinct.len(), letters.len());
        assert!(letters.iter().all(|letter| !letter.contains(['x', 'o', 'X', 'O'])));
    }

    #[test]
    fn blocks_stand_side_by_side_as_far_as_there_is_room() {
        let tiles = ["XX", "XXX", "X"].map(|row| vec![row.to_owned(), "-".to_owned()]);
        assert_eq!(side_by_side(&tiles, 9), "XX    XXX\n-     -\n\nX\n-\n");
        assert_eq!(side_by_side(&tiles, 0), "XX\n-\n\nXXX\n-\n\nX\n-\n");
        let colored = vec![vec!["\x1b[1mX\x1b[0m".to_owned()]; 2];
        assert_eq!(side_by_side(&colored, 80), "\x1b[1mX\x1b[0m   \x1b[1mX\x1b[0m\n");
        assert_eq!(side_by_side(&[], 80), "");
    }

    #[test]
    fn svg_shows_every_cell_and_stone() {
        let stones = WideSet::from_art("X..\n..X");
        let picture = Picture::of_board(&board("3x2"), |cell| match cell.index() {
            4 => Mark::text("<"),
            _ => Mark::of_stones(&stones, &WideSet::EMPTY, cell),
        });
        let svg = picture.svg();
        assert_eq!(svg.matches("stroke=\"black\"/>").count(), 6 + 2);
        assert_eq!(svg.matches("<circle").count(), 2);
        assert_eq!(svg.matches("<text").count(), 2 + 3 + 1);
        assert!(svg.contains(">&lt;</text>") && svg.ends_with("</svg>\n"));
    }

    #[test]
    fn shapes_are_drawn_as_they_are_typed() {
        let shape = Shape::from_rows(".XXXX/XX...").unwrap();
        assert_eq!(shape_rows(&shape), [".XXXX", "XX..."]);
    }

    #[test]
    fn tikz_shows_every_cell_and_stone_on_the_board() {
        let stones = WideSet::from_art("X..\n..X");
        let picture = Picture::of_board(&board("3x2"), |cell| match cell.index() {
            2 => Mark::stone(Player::White),
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
        assert!(tikz.contains("  \\node[gray] at (2.5,-0.5) {c};\n"), "{tikz}");
        assert!(!picture.bare().tikz().contains("gray"));
    }

    #[test]
    fn tex_spells_out_what_means_something() {
        assert_eq!(
            tex("a_b {50%} \\ ~^ #1 & $<x>…"),
            "a\\_b \\{50\\%\\} \\textbackslash{} \\textasciitilde{}\\textasciicircum{} \\#1 \\& \\$\\textless{}x\\textgreater{}\\dots{}"
        );
    }
}
