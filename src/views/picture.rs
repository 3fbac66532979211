//! Pictures of boards and shapes: a grid of marks with coordinates, written as text here, as SVG and TikZ elsewhere.
//!
//! What the marks mean (stones, counts, pairs, orbits) is the caller's affair. `a1` is bottom left.

use super::layout::{Layout, column_letter, row_numbers};
use crate::game::ground::{Family, Ground as Place};
use crate::game::{Game, Origin};
use harary_certificate::{Board, Cell, Player, Shape, WideSet};
use std::fmt::{self, Write as _};

/// What stands in one cell. Where there is no colour only the text is left, so the text must say it all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    pub(super) kind: Kind,
    pub(super) ground: Ground,
}

/// What a mark shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// With the turn at which it was played, if that is to be seen.
    Stone(Player, Option<usize>),
    Empty,
    Text(String),
}

/// What lies under a mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ground {
    Plain,
    /// Part of a cover, a zone, a shape.
    Shaded,
    /// To be seen first.
    Highlighted,
}

impl Mark {
    fn new(kind: Kind) -> Mark {
        Mark { kind, ground: Ground::Plain }
    }

    /// `X` for Black, `O` for White.
    pub fn stone(player: Player) -> Mark {
        Mark::new(Kind::Stone(player, None))
    }

    /// An empty cell, `.`.
    pub fn empty() -> Mark {
        Mark::new(Kind::Empty)
    }

    /// Any text: a count, the letter of a pair.
    pub fn text(text: impl Into<String>) -> Mark {
        Mark::new(Kind::Text(text.into()))
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

    /// A stone with the turn at which it was played: `X3`. What is no stone stays as it is.
    pub fn numbered(self, turn: Option<usize>) -> Mark {
        match self.kind {
            Kind::Stone(player, _) => Mark { kind: Kind::Stone(player, turn), ..self },
            kind => Mark { kind, ..self },
        }
    }

    /// The same mark, to be seen first where there is colour.
    pub fn highlighted(self) -> Mark {
        Mark { ground: Ground::Highlighted, ..self }
    }

    /// The same mark on grey ground where there is any, unless it is highlighted.
    pub fn shaded(self, shaded: bool) -> Mark {
        match (shaded, self.ground) {
            (true, Ground::Plain) => Mark { ground: Ground::Shaded, ..self },
            _ => self,
        }
    }

    fn as_text(&self) -> String {
        match &self.kind {
            Kind::Stone(player, turn) => {
                let stone = if *player == Player::Black { "X" } else { "O" };
                turn.map_or_else(|| stone.to_owned(), |turn| format!("{stone}{turn}"))
            }
            Kind::Empty => ".".to_owned(),
            Kind::Text(text) => text.clone(),
        }
    }

    fn width(&self) -> usize {
        self.as_text().chars().count()
    }

    /// The escape sequence that starts its colour on a terminal; empty for the usual one.
    fn escape(&self) -> &'static str {
        match &self.kind {
            _ if self.ground == Ground::Highlighted => "\x1b[1;33m",
            Kind::Stone(Player::Black, _) => "\x1b[1;31m",
            Kind::Stone(Player::White, _) => "\x1b[1;34m",
            Kind::Empty => FAINT,
            Kind::Text(_) => "",
        }
    }
}

/// The text alone.
impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.as_text())
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
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// By `x + columns * y`; `None` where the game has no vertex.
    pub(super) marks: Vec<Option<Mark>>,
    /// Where each cell of the game is in `marks`.
    places: Vec<usize>,
    /// Two cells each, by their places: drawn as bars.
    pub(super) pairs: Vec<(usize, usize)>,
    pub(super) coordinates: bool,
    /// What the columns are called, from the left.
    pub(super) column_names: Vec<String>,
    /// What the rows are called, from below.
    pub(super) row_names: Vec<String>,
    /// Left and right are glued, top and bottom: a pair may lie across them.
    pub(super) glued: (bool, bool),
    /// Each row half a cell to the right of the one below, as Hex is played.
    pub(super) slanted: bool,
}

impl Picture {
    fn new(columns: usize, rows: usize, marks: Vec<Option<Mark>>, places: Vec<usize>) -> Picture {
        Picture {
            columns,
            rows,
            marks,
            places,
            pairs: Vec::new(),
            coordinates: true,
            column_names: (0..columns).map(|x| column_letter(x).to_string()).collect(),
            row_names: row_numbers(rows),
            glued: (false, false),
            slanted: false,
        }
    }

    /// A picture of a board.
    pub fn of_board(board: &Board, mark: impl FnMut(Cell) -> Mark) -> Picture {
        let marks = board.cells().map(mark).map(Some).collect();
        let places = (0..board.size()).collect();
        let glued = (board.is_torus(), board.is_torus());
        Picture { glued, ..Picture::new(board.width(), board.height(), marks, places) }
    }

    /// A picture of a board of any family: the layers of a box side by side, a long strip in rows.
    pub fn of_ground(ground: &Place, mark: impl FnMut(Cell) -> Mark) -> Option<Picture> {
        let names: Vec<String> = ground.cells().map(|cell| ground.cell_name(cell)).collect();
        let glued = match ground.family() {
            Family::Plain | Family::Hexagonal => (false, false),
            Family::Cylinder => (true, false),
            // Pairs across the edges of what is cut up are drawn inside.
            Family::Torus if ground.is_box() || ground.is_numbered() => (false, false),
            Family::Torus => (true, true),
        };
        let slanted = ground.family() == Family::Hexagonal;
        Some(Picture { glued, slanted, ..Picture::of_names(&names, mark)? })
    }

    /// A picture of any game whose vertices are named by their places; `None` for other names.
    pub fn of_game(game: &Game, mark: impl FnMut(Cell) -> Mark) -> Option<Picture> {
        match game.origin() {
            Origin::Board { board, .. } => Some(Picture::of_board(board, mark)),
            Origin::Built { ground, .. } => Picture::of_ground(ground, mark),
            Origin::Sets { names } => Picture::of_names(names, mark),
        }
    }

    /// A picture of vertices named by their places; `None` for other names.
    pub fn of_names(names: &[String], mut mark: impl FnMut(Cell) -> Mark) -> Option<Picture> {
        let Layout { places, column_names, row_names } = Layout::of_names(names)?;
        let (columns, rows) = (column_names.len(), row_names.len());
        let mut marks = vec![None; columns * rows];
        for (index, (x, y)) in places.iter().enumerate() {
            marks[x + columns * y] = Some(mark(Cell::new(index)));
        }
        let places = places.into_iter().map(|(x, y)| x + columns * y).collect();
        Some(Picture { column_names, row_names, ..Picture::new(columns, rows, marks, places) })
    }

    /// A shape alone, its cells grey.
    pub fn of_shape(shape: &Shape) -> Picture {
        let (columns, rows) = (shape.width(), shape.height());
        let mark = |index: usize| {
            let own = shape.contains(index % columns, index / columns);
            own.then(|| Mark::empty().shaded(true))
        };
        Picture::new(columns, rows, (0..columns * rows).map(mark).collect(), (0..columns * rows).collect()).bare()
    }

    /// The same picture without coordinates, for many small ones side by side.
    pub fn bare(self) -> Picture {
        Picture { coordinates: false, ..self }
    }

    /// The same picture with bars between the cells of each pair, in place of the letters they may have.
    pub fn with_pairs(self, pairs: &[(Cell, Cell)]) -> Picture {
        let pairs = pairs.iter().map(|&(a, b)| (self.places[a.index()], self.places[b.index()])).collect();
        Picture { pairs, ..self }
    }

    /// The same picture, if asked for with its rows slanted and six neighbours to each cell, as Hex is played.
    pub fn slanted(self, slanted: bool) -> Picture {
        Picture { slanted: self.slanted || slanted, ..self }
    }

    /// The lines of the picture as text, top row first.
    pub fn lines(&self, color: bool) -> Vec<String> {
        // In Hex a cell lies in the middle between two of the row below, so the distance of cells is even.
        let cell = self.cell_width().max(if self.coordinates { longest(&self.column_names) } else { 1 });
        let gap = if self.slanted { 3 + (cell + 3) % 2 } else { 1 };
        let shift = |y: usize| if self.slanted { (cell + gap) / 2 * y } else { 0 };
        let margin = longest(&self.row_names);
        let mut lines = Vec::new();
        for y in (0..self.rows).rev() {
            let mut line = " ".repeat(shift(y));
            if self.coordinates {
                paint(&mut line, &format!("{:>margin$}", self.row_names[y]), FAINT, color);
                line.push(' ');
            }
            for x in 0..self.columns {
                if x > 0 {
                    line.extend(std::iter::repeat_n(' ', gap));
                }
                match &self.marks[x + self.columns * y] {
                    None => line.extend(std::iter::repeat_n(' ', cell)),
                    Some(mark) => {
                        line.extend(std::iter::repeat_n(' ', cell - mark.width()));
                        paint(&mut line, &mark.as_text(), mark.escape(), color);
                    }
                }
            }
            line.truncate(line.trim_end().len());
            lines.push(line);
        }
        if self.coordinates {
            let letters = self.column_names.iter().map(|name| format!("{name:>cell$}"));
            let letters = letters.collect::<Vec<_>>().join(&" ".repeat(gap));
            let mut line = " ".repeat(margin);
            paint(&mut line, &format!(" {letters}"), FAINT, color);
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
}

/// The length of the longest name.
fn longest(names: &[String]) -> usize {
    names.iter().map(String::len).max().unwrap_or(1)
}

/// Writes `text` in a colour, if there is colour.
fn paint(line: &mut String, text: &str, escape: &str, color: bool) {
    if color && !escape.is_empty() {
        let _ = write!(line, "{escape}{text}\x1b[0m");
    } else {
        line.push_str(text);
    }
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
    fn every_family_is_drawn_in_its_own_way() {
        let drawn = |sides: &str, family: Family| {
            let ground = Place::parse(sides, family).unwrap();
            Picture::of_ground(&ground, |cell| Mark::text(char::from(b'A' + cell.index() as u8 % 26)))
                .unwrap()
                .text(false)
        };
        assert_eq!(drawn("3x2", Family::Cylinder), "2 D E F\n1 A B C\n  a b c\n");
        assert_eq!(drawn("2x2", Family::Hexagonal), "  2 C   D\n1 A   B\n  a   b\n");
        assert_eq!(drawn("2x2x2", Family::Plain), "2 C D   G H\n1 A B   E F\n  a b x a b y\n");
        let strip = drawn("23x1", Family::Plain);
        let lines: Vec<&str> = strip.lines().collect();
        assert!(lines[0].starts_with(" 0+  A  B  C") && lines[1] == "20+  U  V  W", "{strip}");
        assert!(lines[2].starts_with("     1  2  3") && lines[2].ends_with("19 20"), "{strip}");
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
    fn shapes_are_drawn_as_they_are_typed() {
        let shape = Shape::from_rows(".XXXX/XX...").unwrap();
        assert_eq!(shape_rows(&shape), [".XXXX", "XX..."]);
    }
}
